"""Makes stores of thirty-six faults that people reported, and their clean twins, written without a look at the program.

    /path/to/venv/bin/python blind2.py [FOLDER [NUMBER...]]    # zarr 3.4.2, xarray 2026.9; writes blind2.zip, or the stores

Each NN-name is what became of NN-name-clean. `blind2.zip` has those of `KEPT`, as `threads.zip` has its own: all would be
seven times as large. The table in `THREADS.md` tells what was said of each when it was first asked about, and now.
"""
import importlib.metadata as _m; _o = _m.version; _m.version = lambda n: "1.0.1" if n == "zfpy" else _o(n)
import sys, os, json, shutil, tempfile, zipfile, unicodedata, warnings, zlib, traceback, io
warnings.filterwarnings("ignore")
import numpy as np, pandas as pd
import numcodecs, zarr
import xarray as xr
from scipy.ndimage import gaussian_filter, zoom

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp()
CASES = []


class Case:
    def __init__(s, num, name, thread, fault, kind, clean, make, check, suffix=""):
        s.__dict__.update(locals())


def case(num, name, thread, fault, kind, suffix=""):
    def deco(cls):
        CASES.append(Case(num, name, thread, fault, kind, cls.clean, cls.fault, cls.check, suffix))
        return cls
    return deco


# ------------------------------------------------------------------ helpers
def rng(n):
    return np.random.default_rng(7100 + n)


def smooth(shape, sig, r, mode="reflect"):
    a = gaussian_filter(r.standard_normal(shape), sig, mode=mode)
    return (a - a.mean()) / a.std()


def latlon(ny, nx, top=75., res=None):
    res = 2 * top / (ny - 1) if res is None else res
    lat = np.round(top - res * np.arange(ny), 4)
    lon = np.round(np.arange(nx) * 360. / nx, 4)
    la = xr.Variable("latitude", lat.astype("f4"), {"standard_name": "latitude", "units": "degrees_north", "axis": "Y"})
    lo = xr.Variable("longitude", lon.astype("f4"), {"standard_name": "longitude", "units": "degrees_east", "axis": "X"})
    return la, lo


def tvar(start, n, freq):
    return xr.Variable("time", pd.date_range(start, periods=n, freq=freq),
                       {"standard_name": "time", "long_name": "time", "axis": "T"})


TENC = {"units": "hours since 1900-01-01", "calendar": "proleptic_gregorian", "dtype": "int64"}


def thin(a, bits=7):
    """Numbers of a few binary digits, so that they compress."""
    a = np.asarray(a)
    if a.dtype.kind != "f" or a.size < 2000: return a
    m, e = np.frexp(a.astype("f8"))
    return np.ldexp(np.round(m * 2 ** bits) / 2 ** bits, e).astype(a.dtype)


def save(ds, p, fmt=2, enc=None, tenc=TENC, consolidated=None, bits=7):
    enc = dict(enc or {})
    ds = ds.assign({n: v.copy(data=thin(v.values, bits)) for n, v in ds.data_vars.items() if v.dtype.kind == "f"})
    for c in ds.variables:
        e = enc.setdefault(c, {})
        if fmt == 2: e.setdefault("compressors", [numcodecs.Blosc(cname="zstd", clevel=9, shuffle=1)])
        v = ds[c]
        if c == "time" and v.dtype.kind == "M":
            e.update(tenc)
        if v.dtype.kind == "f" and c in ds.coords:
            e.setdefault("_FillValue", None)
        if v.ndim == 1 and c in ds.dims:
            e.setdefault("chunks", v.shape)
    ds.to_zarr(p, zarr_format=fmt, encoding=enc, mode="w",
               consolidated=(fmt == 2) if consolidated is None else consolidated)


def xo(p, **k):
    return xr.open_dataset(p, engine="zarr", chunks=None, **k).load()


def jr(p):
    return json.load(open(p, encoding="utf-8"))


def jw(p, d):
    json.dump(d, open(p, "w", encoding="utf-8"), indent=4, ensure_ascii=False)


def recon(p):
    zarr.consolidate_metadata(p, zarr_format=2)


def chunkfiles(d):
    o = []
    for b, _, fs in os.walk(d):
        for f in fs:
            if not f.startswith(".") and f not in ("zarr.json",):
                o.append(os.path.join(b, f))
    return sorted(o)


def fails(f):
    try:
        f()
    except Exception as e:
        return type(e).__name__ + ": " + str(e)[:120]
    return None


def allread(p):
    """read every array with zarr-python"""
    g = zarr.open_group(p, mode="r")

    def rec(g):
        for k, m in g.members():
            if isinstance(m, zarr.Array):
                yield m.path, m[...]
            else:
                yield from rec(m)
    return dict(rec(g))


def disks(ny, nx, n, r, rmin=5, rmax=9, box=None):
    """non-overlapping disks: label image, list (y,x,r)"""
    lab = np.zeros((ny, nx), "i4"); yy, xx = np.mgrid[:ny, :nx]; got = []
    y0, y1, x0, x1 = box or (0, ny, 0, nx)
    tries = 0
    while len(got) < n and tries < 5000:
        tries += 1
        rad = r.uniform(rmin, rmax); y = r.uniform(y0 + rad + 1, y1 - rad - 1); x = r.uniform(x0 + rad + 1, x1 - rad - 1)
        if any((y - a) ** 2 + (x - b) ** 2 < (rad + c + 2) ** 2 for a, b, c in got):
            continue
        got.append((y, x, rad)); lab[(yy - y) ** 2 + ((xx - x) * r.uniform(.85, 1.1)) ** 2 < rad ** 2] = len(got)
    return lab, got


def cellimage(lab, r, base=110, amp=900, sd=6):
    k = lab.max() + 1
    lut = np.r_[0, r.uniform(.6, 1.3, k - 1) * amp] if k > 1 else np.zeros(1)
    im = base + gaussian_filter(lut[lab], 1.3)
    return np.clip(np.round(im + r.normal(0, sd, lab.shape) + np.sqrt(np.maximum(im - base, 0)) * r.normal(0, .8, lab.shape)), 0, 65535).astype("u2")


def mean2(a):
    s = a.shape
    return a.reshape(s[:-2] + (s[-2] // 2, 2, s[-1] // 2, 2)).mean((-3, -1))


def near2(a):
    return a[..., ::2, ::2]


def ngff_ms(axes, scales, name, version="0.4", typ=None, trans=None):
    ax = []
    for a in axes:
        d = {"name": a, "type": {"t": "time", "c": "channel"}.get(a, "space")}
        if a in "zyx": d["unit"] = "micrometer"
        if a == "t": d["unit"] = "second"
        ax.append(d)
    ds = [{"path": str(i), "coordinateTransformations": [{"type": "scale", "scale": [float(x) for x in s]}]} for i, s in enumerate(scales)]
    m = {"name": name, "axes": ax, "datasets": ds}
    if version == "0.4": m["version"] = "0.4"
    if typ: m["type"] = typ
    return [m]


def arr(g, name, data, chunks, fmt=2, fill=0, names=None, sep="/", attrs=None, **k):
    kw = dict(name=name, shape=data.shape, dtype=data.dtype, chunks=chunks, fill_value=fill, attributes=attrs or {}, **k)
    if fmt == 2:
        kw["chunk_key_encoding"] = {"name": "v2", "separator": sep}
        kw.setdefault("compressors", numcodecs.Blosc(cname="zstd", clevel=9, shuffle=1))
    else:
        kw["dimension_names"] = names
        kw.setdefault("compressors", zarr.codecs.ZstdCodec(level=19))
    a = g.create_array(**kw)
    a[...] = data
    return a


def ome_check(p, nlev=None):
    """open with ome-zarr-py reader"""
    from ome_zarr.io import parse_url
    from ome_zarr.reader import Reader
    nodes = list(Reader(parse_url(p, mode="r"))())
    assert nodes, "ome-zarr finds no image"
    return nodes


# =================================================================== RELATION
@case(1, "sst-rows-flipped", "google-research/arco-era5#70",
      "sea_surface_temperature is stored upside down (latitude rows reversed) for 4 time steps (indices 8-11, 2021-03-10T00..18): its NaN land mask is the mirror image of land_sea_mask and of all other steps; the source files of those dates were south-to-north and were written without flipping. snow_depth and the latitude coordinate are right.", "relation")
class c1:
    def clean(p):
        r = rng(1); ny, nx, nt = 32, 64, 40
        la, lo = latlon(ny, nx, 77.5)
        base = smooth((ny, nx), (3, 4), r, "wrap"); land = base > .45
        lsm = np.round(1 / (1 + np.exp(-(base - .45) * 25)), 3).astype("f4")
        t = tvar("2021-03-08", nt, "6h")
        clim = 301 - 30 * np.abs(np.sin(np.deg2rad(la.values.astype(float)))) ** 1.6
        sst = np.empty((nt, ny, nx)); a = smooth((nt, ny, nx), (5, 3, 4), r)
        sst[:] = clim[None, :, None] + 1.4 * a
        sst = np.maximum(sst, 271.46); sst[:, land] = np.nan
        sd = np.maximum(0, (np.abs(la.values)[None, :, None] - 45) / 300 + .03 * smooth((nt, ny, nx), (5, 2, 3), r)) * land * (la.values > 0)[None, :, None]
        ds = xr.Dataset({
            "sea_surface_temperature": (("time", "latitude", "longitude"), (np.round(sst * 512) / 512).astype("f4"), {"long_name": "Sea surface temperature", "standard_name": "unknown", "short_name": "sst", "units": "K"}),
            "snow_depth": (("time", "latitude", "longitude"), (np.round(sd * 65536) / 65536).astype("f4"), {"long_name": "Snow depth", "short_name": "sd", "units": "m of water equivalent", "standard_name": "lwe_thickness_of_surface_snow_amount"}),
            "land_sea_mask": (("latitude", "longitude"), lsm, {"long_name": "Land-sea mask", "short_name": "lsm", "standard_name": "land_binary_mask", "units": "(0 - 1)"})},
            coords={"time": t, "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "institution": "ECMWF", "source": "ERA5", "valid_time_start": "2021-03-08", "valid_time_stop": "2021-03-17"})
        save(ds, p, 2, {v: {"chunks": (1, ny, nx)} for v in ("sea_surface_temperature", "snow_depth")})

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["sea_surface_temperature"]
        for i in range(8, 12):
            a[i] = a[i][::-1]

    def check(c, f):
        C, F = xo(c), xo(f); m = lambda d, i: np.isnan(d.sea_surface_temperature.values[i])
        assert all((m(C, i) == (C.land_sea_mask.values > .5)).mean() > .98 for i in range(40))
        assert (m(F, 9) == (F.land_sea_mask.values > .5)).mean() < .8
        assert np.array_equal(C.snow_depth, F.snow_depth)


@case(2, "level-coord-overwritten", "pydata/xarray#11101",
      "level coordinate was overwritten (now 1000..50 hPa) by the last append of 4 time steps, whose fields are in that order, while time steps 0-19 still hold their data in the old order 50..1000 hPa: in the first 20 steps geopotential increases with pressure, i.e. profile is upside down against 'level'.", "relation")
class c2:
    LEV = [50, 100, 200, 300, 500, 700, 850, 1000]

    def clean(p):
        r = rng(2); nt, ny, nx = 24, 4, 8; L = np.array(c2.LEV, "i8")
        la, lo = latlon(ny, nx, 75)
        H = np.array([20576, 16180, 11784, 9164, 5574, 3012, 1457, 111.]); T = np.array([211, 209, 221, 233, 255, 271, 280, 287.])
        cl = np.cos(np.deg2rad(la.values.astype(float)))
        n = smooth((nt, 8, ny, nx), (3, 1.5, 1.3, 2), r)
        t = T[None, :, None, None] + (cl[None, None, :, None] - .6) * np.linspace(2, 32, 8)[None, :, None, None] + 2.2 * n
        z = 9.80665 * (H[None, :, None, None] * (1 + .06 * (cl[None, None, :, None] - .6)) + np.array([160, 130, 120, 100, 70, 45, 35, 30])[None, :, None, None] * smooth((nt, 1, ny, nx), (3, 0, 1.3, 2), r))
        q = 0.012 * np.exp(-(1000 - L) / 230)[None, :, None, None] * cl[None, None, :, None] * np.exp(.3 * smooth((nt, 8, ny, nx), (3, 1, 2, 3), r))
        D = ("time", "level", "latitude", "longitude")
        ds = xr.Dataset({"temperature": (D, np.round(t * 64).astype("f4") / 64, {"units": "K", "standard_name": "air_temperature", "long_name": "Temperature"}),
                         "geopotential": (D, np.round(z * 4).astype("f4") / 4, {"units": "m**2 s**-2", "standard_name": "geopotential", "long_name": "Geopotential"}),
                         "specific_humidity": (D, (np.round(q * 2 ** 20) / 2 ** 20).astype("f4"), {"units": "kg kg**-1", "standard_name": "specific_humidity", "long_name": "Specific humidity"})},
                        coords={"time": tvar("2024-01-01", nt, "6h"), "level": ("level", L, {"units": "hPa", "standard_name": "air_pressure", "positive": "down", "axis": "Z", "long_name": "pressure level"}), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.8", "source": "NWP analysis archive", "history": "appended daily with to_zarr(append_dim='time')"})
        save(ds, p, 3, {v: {"chunks": (1, 8, ny, nx)} for v in ds.data_vars}, bits=10)

    def fault(p):
        g = zarr.open_group(p, mode="r+")
        for v in ("temperature", "geopotential", "specific_humidity"):
            g[v][20:] = g[v][20:][:, ::-1]
        g["level"][:] = g["level"][:][::-1]

    def check(c, f):
        C, F = xo(c), xo(f)
        mono = lambda d: (d.sortby("level").geopotential.diff("level") < 0).all(("level", "latitude", "longitude")).values
        assert mono(C).all() and mono(F).sum() == 4


@case(3, "time-bnds-other-units", "pydata/xarray#2921",
      "time was re-encoded ('hours since 2001-01-01') but its bounds variable time_bnds (no units of its own, so it takes those of time by CF) still holds days since 1850-01-01: every time lies outside its bounds and the monthly intervals decode as ~1.3 days in 2007; time itself is right.", "relation")
class c3:
    def clean(p):
        r = rng(3); nt, ny, nx = 48, 18, 36
        la, lo = latlon(ny, nx, 85)
        e = pd.date_range("2001-01-01", periods=nt + 1, freq="MS")
        d = ((e - pd.Timestamp("1850-01-01")) / pd.Timedelta("1D")).values.astype(float)
        b = np.stack([d[:-1], d[1:]], 1); t = b.mean(1)
        seas = np.cos(2 * np.pi * (np.arange(nt) - 6.5) / 12)
        lat = la.values.astype(float)
        tas = 299 - 45 * np.abs(np.sin(np.deg2rad(lat)))[None, :, None] ** 2 + seas[:, None, None] * np.sin(np.deg2rad(lat))[None, :, None] * 11 + 1.5 * smooth((nt, ny, nx), (1, 2, 3), r)
        pr = 3e-5 * np.exp(-(lat / 35) ** 2)[None, :, None] * np.exp(.5 * smooth((nt, ny, nx), (.5, 1.5, 2), r)) + 2e-6
        D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"tas": (D, tas.astype("f4"), {"units": "K", "standard_name": "air_temperature", "cell_methods": "time: mean"}),
                         "pr": (D, pr.astype("f4"), {"units": "kg m-2 s-1", "standard_name": "precipitation_flux", "cell_methods": "time: mean"}),
                         "time_bnds": (("time", "bnds"), b)},
                        coords={"time": ("time", t, {"units": "days since 1850-01-01", "calendar": "proleptic_gregorian", "bounds": "time_bnds", "standard_name": "time", "axis": "T"}), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.8", "frequency": "mon", "experiment_id": "historical", "mip_era": "CMIP6"})
        save(ds, p, 2, {"tas": {"chunks": (4, ny, nx)}, "pr": {"chunks": (4, ny, nx)}, "time_bnds": {"_FillValue": None}})

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        a = g["time"]; off = (pd.Timestamp("2001-01-01") - pd.Timestamp("1850-01-01")).days
        a[:] = (a[:] - off) * 24
        a.attrs["units"] = "hours since 2001-01-01"
        recon(p)

    def check(c, f):
        C, F = xo(c), xo(f)
        assert np.array_equal(C.time, F.time)
        ins = lambda d: ((d.time >= d.time_bnds[:, 0]) & (d.time <= d.time_bnds[:, 1])).all().item()
        assert ins(C) and not ins(F)


def plate_img(r, n=40, ny=256, nx=256):
    lab, got = disks(ny, nx, n, r)
    return lab, cellimage(lab, r), got


@case(4, "label-pyramid-averaged", "ome/ome-zarr-py#482",
      "levels 1 and 2 of the label image labels/nuclei were made by averaging: at object borders they hold ids that do not belong to the objects there (ids absent from, or foreign to, that place in level 0); a label pyramid must be downsampled by nearest neighbour. Level 0 and the intensity pyramid are right.", "relation")
class c4:
    def clean(p):
        r = rng(4); lab, im, _ = plate_img(r, 42)
        lab = np.where(lab > 0, lab * 7 + 100, 0).astype("i4")
        g = zarr.open_group(p, mode="w", zarr_format=2)
        lv = [im, np.round(mean2(im.astype(float))).astype("u2")]; lv.append(np.round(mean2(lv[1].astype(float))).astype("u2"))
        sc = [(.325 * 2 ** i,) * 2 for i in range(3)]
        for i, a in enumerate(lv): arr(g, str(i), a, (64, 64))
        g.attrs.update({"multiscales": ngff_ms("yx", sc, "DAPI", typ="local mean")})
        L = g.create_group("labels"); L.attrs["labels"] = ["nuclei"]
        n = L.create_group("nuclei"); ll = [lab, near2(lab), near2(near2(lab))]
        for i, a in enumerate(ll): arr(n, str(i), a, (64, 64))
        n.attrs.update({"multiscales": ngff_ms("yx", sc, "nuclei"), "image-label": {"version": "0.4", "source": {"image": "../../"}}})

    def fault(p):
        n = zarr.open_group(p, mode="r+")["labels/nuclei"]; a = n["0"][:].astype(float)
        for i in (1, 2):
            a = np.round(mean2(a)); n[str(i)][:] = a.astype("i4")

    def check(c, f):
        for p, bad in ((c, 0), (f, 1)):
            n = zarr.open_group(p, mode="r")["labels/nuclei"]; ids = set(np.unique(n["0"][:]))
            x = set(np.unique(n["1"][:])) - ids
            assert (len(x) > 50) == bool(bad), len(x)
        ome_check(c)


@case(5, "labels-renumbered", "scverse/spatialdata#218",
      "the label image labels/cells was renumbered (raster order) after the table tables/cells_table was computed: the same id set 1..N on both sides, but instance cell_id in obs points at another object - area_px and obsm/spatial centroids of the table disagree with the label of that id for nearly all rows (a permutation of ids restores full agreement).", "relation")
class c5:
    def clean(p):
        import anndata as ad
        r = rng(5); lab, im, got = plate_img(r, 60); im = im // 128 * 128
        N = lab.max(); sizes = np.bincount(lab.ravel())[1:]
        order = np.argsort(-sizes, kind="stable"); lut = np.zeros(N + 1, "i4"); lut[order + 1] = np.arange(1, N + 1)
        lab = lut[lab]
        g = zarr.open_group(p, mode="w", zarr_format=3)
        sc = [(.5 * 2 ** i,) * 2 for i in range(2)]
        lv = [im, np.round(mean2(im.astype(float))).astype("u2")]
        for i, a in enumerate(lv): arr(g, str(i), a, (64, 64), 3, names=["y", "x"])
        g.attrs["ome"] = {"version": "0.5", "multiscales": ngff_ms("yx", sc, "membrane", "0.5")}
        L = g.create_group("labels"); L.attrs["ome"] = {"version": "0.5", "labels": ["cells"]}
        n = L.create_group("cells")
        for i, a in enumerate([lab, near2(lab)]): arr(n, str(i), a, (64, 64), 3, names=["y", "x"])
        n.attrs["ome"] = {"version": "0.5", "multiscales": ngff_ms("yx", sc, "cells", "0.5"), "image-label": {"version": "0.5", "source": {"image": "../../"}}}
        ids = np.arange(1, N + 1); yy, xx = np.mgrid[:256, :256]
        area = np.bincount(lab.ravel(), minlength=N + 1)[1:]
        cy = np.bincount(lab.ravel(), yy.ravel())[1:] / area; cx = np.bincount(lab.ravel(), xx.ravel())[1:] / area
        mi = np.bincount(lab.ravel(), im.ravel())[1:] / area
        obs = pd.DataFrame({"cell_id": ids.astype("i8"), "region": pd.Categorical(["cells"] * N), "area_px": area.astype("i8")}, index=[str(i) for i in ids])
        A = ad.AnnData(X=np.stack([mi, np.sqrt(mi) * r.uniform(.9, 1.1, N)], 1).round(3).astype("f4"), obs=obs, var=pd.DataFrame(index=["mean_intensity", "texture"]))
        A.obsm["spatial"] = np.stack([cx * .5, cy * .5], 1).round(4)
        A.uns["spatialdata_attrs"] = {"region": "cells", "region_key": "region", "instance_key": "cell_id"}
        T = g.create_group("tables"); T.attrs["tables"] = ["cells_table"]
        ad.settings.zarr_write_format = 3
        ad.io.write_elem(T, "cells_table", A)
        t = g["tables/cells_table"]
        t.attrs.update({"type": "region_table", "region": {"path": "../../labels/cells"}, "region_key": "region", "instance_key": "cell_id"})

    def fault(p):
        n = zarr.open_group(p, mode="r+")["labels/cells"]; lab = n["0"][:]; N = lab.max()
        first = np.full(N + 1, lab.size); f = lab.ravel()
        u, i = np.unique(f, return_index=True); first[u] = i
        o = np.argsort(first[1:], kind="stable"); lut = np.zeros(N + 1, "i4"); lut[o + 1] = np.arange(1, N + 1)
        for k in ("0", "1"): n[k][:] = lut[n[k][:]]

    def check(c, f):
        import anndata as ad
        for p, bad in ((c, 0), (f, 1)):
            g = zarr.open_group(p, mode="r"); A = ad.io.read_elem(g["tables/cells_table"])
            s = np.bincount(g["labels/cells/0"][:].ravel())[A.obs.cell_id.values]
            assert ((s == A.obs.area_px.values).mean() < .2) == bool(bad)
        ome_check(c)


@case(6, "raw-var-resorted", "scverse/scanpy#4347",
      "raw/var (gene table of .raw) was sorted alphabetically without reordering the columns of raw/X: gene names in raw label the wrong columns (raw[:, gene] differs from X[:, gene] for the shared genes, raw/var n_cells disagrees with non-zeros of the raw/X columns); X and var are right.", "relation")
class c6:
    def clean(p):
        import anndata as ad, scipy.sparse as sp
        r = rng(6); n, m = 160, 90
        genes = np.array(["Gm%d" % i if i % 3 else "".join(r.choice(list("ABCDEFGHKLMNPRST"), 3)).capitalize() + str(i) for i in r.permutation(900)[:m]])
        ct = r.integers(0, 4, n); mu = np.exp(r.normal(-1., 1.2, (4, m)))
        K = r.poisson(mu[ct] * r.gamma(6, 1 / 6, (n, 1)))
        K[:, K.sum(0) == 0] += (r.random((n, int((K.sum(0) == 0).sum()))) < .02)
        ncells = (K > 0).sum(0)
        ln = np.log1p(K / np.maximum(K.sum(1, keepdims=True), 1) * 1e4).astype("f4")
        ct_n = np.array(["B cell", "CD4 T cell", "Monocyte", "NK cell"])[ct]
        obs = pd.DataFrame({"cell_type": pd.Categorical(ct_n), "total_counts": K.sum(1).astype("f4"), "n_genes": (K > 0).sum(1)}, index=["CELL%04d-1" % i for i in range(n)])
        var = pd.DataFrame({"gene_ids": ["ENSMUSG%08d" % i for i in r.permutation(90000)[:m]], "n_cells": ncells}, index=genes)
        full = ad.AnnData(X=sp.csr_matrix(ln), obs=obs, var=var)
        hv = np.sort(np.argsort(-ln.var(0))[:30])
        A = full[:, hv].copy(); A.raw = full
        A.layers["counts"] = sp.csr_matrix(K[:, hv].astype("f4"))
        U, S, V = np.linalg.svd(ln[:, hv] - ln[:, hv].mean(0), full_matrices=False)
        A.obsm["X_pca"] = (U[:, :10] * S[:10]).astype("f4"); A.uns["log1p"] = {"base": "e"}
        ad.settings.zarr_write_format = 2
        A.write_zarr(p)

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)["raw/var"]
        get = lambda k: g[k] if isinstance(g[k], zarr.Array) else g[k]["values"]
        o = np.argsort(np.array([str(q) for q in get(g.attrs["_index"])[:]]), kind="stable")
        for k in [g.attrs["_index"], "gene_ids", "n_cells"]:
            get(k)[:] = get(k)[:][o]
        if os.path.exists(p + "/.zmetadata"): recon(p)

    def check(c, f):
        import anndata as ad
        for p, bad in ((c, 0), (f, 1)):
            A = ad.read_zarr(p); R = A.raw[:, A.var_names].X.toarray()
            same = np.array([np.allclose(R[:, i], A.X[:, i].toarray().ravel()) for i in range(A.n_vars)]).mean()
            assert (same < .2) == bool(bad), same


def utm(ny, nx, epsg, x0, y0, res):
    from pyproj import Transformer
    x = x0 + res * (np.arange(nx) + .5); y = y0 - res * (np.arange(ny) + .5)
    X, Y = np.meshgrid(x, y)
    lo, la = Transformer.from_crs(epsg, 4326, always_xy=True).transform(X, Y)
    return x, y, la, lo


@case(7, "utm-zone-wrong", "xarray-contrib/xarray-spatial#3058",
      "spatial_ref (grid mapping, all its attributes) says UTM zone 33N (EPSG:32633) but x/y are zone 32N (EPSG:32632): transforming x,y with the declared CRS gives longitudes 6 degrees east of the stored 2-D lat/lon arrays and of geospatial_lon_min/max; the CRS label was taken from another template, x/y and lat/lon are right.", "relation")
class c7:
    @staticmethod
    def ref(epsg):
        from pyproj import CRS
        c = CRS.from_epsg(epsg).to_cf(); c = {k: v for k, v in c.items()}
        c["spatial_ref"] = c["crs_wkt"]; c["GeoTransform"] = "442000.0 100.0 0.0 5268000.0 0.0 -100.0"
        return c

    def clean(p):
        r = rng(7); ny, nx, nt = 24, 20, 2
        x, y, la, lo = utm(ny, nx, 32632, 442000, 5268000, 100)
        dem = 900 + 350 * smooth((ny, nx), 9, r)
        lst = 296 - dem[None] * .0062 + 4 * np.sin(np.arange(nt))[:, None, None] + .5 * smooth((nt, ny, nx), (0, 2, 2), r)
        ndvi = np.clip(.6 - .00015 * dem + .08 * smooth((nt, ny, nx), (1, 3, 3), r), -.2, .95)
        D = ("time", "y", "x"); at = {"grid_mapping": "spatial_ref", "coordinates": "lat lon"}
        ds = xr.Dataset({"lst": (D, lst.round(2).astype("f4"), {"units": "K", "standard_name": "surface_temperature"}),
                         "ndvi": (D, ndvi.round(4).astype("f4"), {"units": "1", "long_name": "NDVI"}),
                         "elevation": (("y", "x"), dem.round(1).astype("f4"), {"units": "m", "standard_name": "surface_altitude"})},
                        coords={"time": tvar("2023-06-01", nt, "16D"),
                                "x": ("x", x, {"units": "m", "standard_name": "projection_x_coordinate", "axis": "X"}),
                                "y": ("y", y, {"units": "m", "standard_name": "projection_y_coordinate", "axis": "Y"}),
                                "lat": (("y", "x"), la.round(6), {"units": "degrees_north", "standard_name": "latitude"}),
                                "lon": (("y", "x"), lo.round(6), {"units": "degrees_east", "standard_name": "longitude"}),
                                "spatial_ref": ((), np.int64(0), c7.ref(32632))},
                        attrs={"Conventions": "CF-1.8", "title": "Alpine surface temperature", "geospatial_lat_min": round(float(la.min()), 4), "geospatial_lat_max": round(float(la.max()), 4), "geospatial_lon_min": round(float(lo.min()), 4), "geospatial_lon_max": round(float(lo.max()), 4)})
        for v in ds.data_vars: ds[v].encoding["grid_mapping"] = "spatial_ref"
        save(ds, p, 2, {"lst": {"chunks": (1, 24, 20)}, "ndvi": {"chunks": (1, 24, 20)}, "elevation": {"chunks": (24, 20)}, "lat": {"chunks": (24, 20)}, "lon": {"chunks": (24, 20)}})

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["spatial_ref"]
        for k, v in c7.ref(32633).items(): a.attrs[k] = v
        recon(p)

    def check(c, f):
        from pyproj import Transformer, CRS
        for p, d in ((c, 0), (f, 6)):
            D = xo(p, decode_coords="all"); X, Y = np.meshgrid(D.x, D.y)
            lo, la = Transformer.from_crs(CRS.from_wkt(D.spatial_ref.attrs["crs_wkt"]), 4326, always_xy=True).transform(X, Y)
            assert abs((lo - D.lon.values).mean() - d) < .01


@case(8, "overview-half-pixel", "cmosig/sentle#34",
      "x and y of the 20 m and 60 m groups are every 2nd/6th coordinate of the 10 m grid instead of the centres of the averaged pixels: 5 m (r20m) and 25 m (r60m) up-left of the true centres; data are block means, and proj:transform/proj:bbox of the same arrays give the centres a half pixel inside the corner (600000, 5700000) which only r10m obeys.", "relation")
class c8:
    def clean(p, shift=False):
        r = rng(8); n = 60; a = smooth((3, n, n), (0, 4, 4), r) * 350 + np.array([900, 1100, 2600])[:, None, None] + r.normal(0, 2, (3, n, n))
        a = np.clip(np.round(a / 16) * 16, 16, None)  # none is below 0, where the first version of this store wrapped
        root = zarr.open_group(p, mode="w", zarr_format=3)
        root.attrs.update({"stac_discovery": {"type": "Feature", "id": "S2B_MSIL2A_20250512T103619_N0511_R008_T32UMB", "properties": {"platform": "sentinel-2b", "proj:epsg": 32632, "datetime": "2025-05-12T10:36:19Z"}}})
        G = root.create_group("measurements").create_group("reflectance")
        for res in (10, 20, 60):
            k = res // 10; m = n // k
            d = np.round(a.reshape(3, m, k, m, k).mean((2, 4))).astype("u2")
            g = G.create_group("r%dm" % res)
            x = 600000 + res * (np.arange(m) + .5); y = 5700000 - res * (np.arange(m) + .5)
            pr = {"proj:epsg": 32632, "proj:transform": [float(res), 0., 600000., 0., -float(res), 5700000.], "proj:bbox": [600000., 5700000. - n * 10, 600000. + n * 10, 5700000.], "proj:shape": [m, m]}
            for i, b in enumerate(("b02", "b03", "b8a" if res > 10 else "b08")):
                arr(g, b, d[i], (30, 30) if res < 20 else (10, 10), 3, names=["y", "x"],
                    attrs={"long_name": "BOA reflectance " + b, "units": "1", "scale_factor": 0.0001, "add_offset": 0.0, "valid_min": 1, "valid_max": 65535, **pr})
            arr(g, "x", x, (m,), 3, names=["x"], attrs={"units": "m", "standard_name": "projection_x_coordinate"})
            arr(g, "y", y, (m,), 3, names=["y"], attrs={"units": "m", "standard_name": "projection_y_coordinate"})

    def fault(p):
        G = zarr.open_group(p, mode="r+")["measurements/reflectance"]
        for res in (20, 60):
            for c in "xy":
                G["r%dm" % res][c][:] = G["r10m"][c][:][::res // 10]

    def check(c, f):
        for p, e in ((c, 600010), (f, 600005)):
            d = xr.open_dataset(p, engine="zarr", group="measurements/reflectance/r20m", chunks=None, consolidated=False).load()
            assert d.x.values[0] == e and d.b02.shape == (30, 30)


@case(9, "channels-reversed", "glencoesoftware/bioformats2raw#55",
      "the pixel planes of the channel axis are in reversed order (TRITC, FITC, DAPI) in all resolution levels, while omero.channels and OME/METADATA.ome.xml name them DAPI_Q, FITC_Q, TRITC_Q: the measured min/max of channel 0 fit the recorded window of channel 2 exactly and vice versa (channel 1 fits) - so names belong to other planes.", "relation")
class c9:
    def clean(p):
        r = rng(9); lab, _ = disks(192, 192, 36, r, 5, 8)
        nuc = cellimage(lab, r, 90, 2600, 7)
        cyt = cellimage(np.where(gaussian_filter((lab > 0).astype(float), 4) > .18, 1, 0), r, 210, 700, 9)
        dots = np.zeros((192, 192)); ys, xs = np.nonzero(lab); k = r.choice(len(ys), 160, replace=False); dots[ys[k], xs[k]] = 1
        spot = np.clip(np.round(400 + gaussian_filter(dots, 1.1) * 5200 + r.normal(0, 14, dots.shape)), 0, None).astype("u2")
        im = np.stack([nuc // 64 * 64, cyt // 64 * 64 + 7, spot // 64 * 64])[None, :, None]
        root = zarr.open_group(p, mode="w", zarr_format=2); root.attrs["bioformats2raw.layout"] = 3
        g = root.create_group("0"); lv = [im]
        for i in range(2): lv.append(np.round(mean2(lv[-1].astype(float))).astype("u2"))
        for i, a in enumerate(lv): arr(g, str(i), a, (1, 1, 1, 48, 48))
        names = ["DAPI_Q", "FITC_Q", "TRITC_Q"]; col = ["0000FF", "00FF00", "FF0000"]
        ch = [{"active": True, "coefficient": 1, "color": col[i], "family": "linear", "inverted": False, "label": names[i],
               "window": {"min": float(im[0, i].min()), "max": float(im[0, i].max()), "start": float(im[0, i].min()), "end": float(im[0, i].max())}} for i in range(3)]
        g.attrs.update({"multiscales": ngff_ms("tczyx", [(1, 1, 1, .325 * 2 ** i, .325 * 2 ** i) for i in range(3)], "slide_01.mrxs"),
                        "omero": {"id": 1, "name": "slide_01.mrxs", "channels": ch, "rdefs": {"defaultT": 0, "defaultZ": 0, "model": "color"}}})
        o = root.create_group("OME"); o.attrs["series"] = ["0"]
        xml = '<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" Creator="OME Bio-Formats 7.1.0"><Image ID="Image:0" Name="slide_01.mrxs"><Pixels BigEndian="false" DimensionOrder="XYZCT" ID="Pixels:0" PhysicalSizeX="0.325" PhysicalSizeXUnit="µm" PhysicalSizeY="0.325" PhysicalSizeYUnit="µm" SizeC="3" SizeT="1" SizeX="192" SizeY="192" SizeZ="1" Type="uint16">' + "".join('<Channel Color="%d" EmissionWavelength="%d.0" ID="Channel:0:%d" Name="%s" SamplesPerPixel="1"/>' % (c, w, i, n) for i, (n, w, c) in enumerate(zip(names, (455, 525, 580), (65535, 16711935, -16776961)))) + '<MetadataOnly/></Pixels></Image></OME>'
        open(p + "/OME/METADATA.ome.xml", "w", encoding="utf-8").write(xml)

    def fault(p):
        g = zarr.open_group(p, mode="r+")["0"]
        for k in "012": g[k][:] = g[k][:][:, ::-1]

    def check(c, f):
        for p, bad in ((c, 0), (f, 1)):
            g = zarr.open_group(p, mode="r")["0"]; a = g["0"][:]; w = g.attrs["omero"]["channels"]
            ok = [float(a[0, i].max()) == w[i]["window"]["max"] for i in range(3)]
            assert (ok == [False, True, False]) if bad else all(ok)
        ome_check(c + "/0")


@case(10, "nwb-link-path", "hdmf-dev/hdmf-zarr#304",
      "zarr_link 'rois' in processing/ophys/DfOverF/RoiResponseSeries points to path '/rois', which does not exist; the target is /processing/ophys/Fluorescence/RoiResponseSeries/rois (same parent as the sound link 'timestamps'). Only the parent path of the link was lost; the data are there.", "relation")
class c10:
    def clean(p):
        r = rng(10); nt, nr = 1200, 12
        g = zarr.open_group(p, mode="w", zarr_format=2)
        oid = lambda: "%08x-%04x-4%03x-a%03x-%012x" % tuple(int(r.integers(0, 16 ** k)) for k in (8, 4, 3, 3, 12))
        def grp(path, typ, **k):
            h = g.create_group(path); h.attrs.update({"namespace": "core", "neurodata_type": typ, "object_id": oid(), **k}); return h
        g.attrs.update({"namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.7.0", "object_id": oid(), ".specloc": "specifications"})
        g.create_group("specifications")
        for n, v in (("identifier", "sub-491604967_ses-496908818"), ("session_description", "Two-photon imaging, drifting gratings"), ("session_start_time", "2016-02-15T10:12:33-08:00"), ("timestamps_reference_time", "2016-02-15T10:12:33-08:00")):
            a = g.create_array(name=n, shape=(1,), dtype="<U64", fill_value=""); a[:] = v; a.attrs["zarr_dtype"] = "scalar"
        g.create_group("processing")
        grp("processing/ophys", "ProcessingModule", description="optical physiology"); grp("processing/ophys/Fluorescence", "Fluorescence"); grp("processing/ophys/DfOverF", "DfOverF"); grp("processing/ophys/ImageSegmentation", "ImageSegmentation")
        ps = grp("processing/ophys/ImageSegmentation/PlaneSegmentation", "PlaneSegmentation", colnames=["image_mask"], description="segmented ROIs")
        def A(h, n, d, ch, **k):
            a = arr(h, n, d, ch, 2, sep="."); a.attrs.update({"zarr_dtype": str(d.dtype), **k}); return a
        A(ps, "id", np.arange(nr, dtype="i8"), (nr,), namespace="hdmf-common", neurodata_type="ElementIdentifiers", object_id=oid())
        m = np.zeros((nr, 48, 48), "f4"); yy, xx = np.mgrid[:48, :48]
        for i in range(nr):
            m[i] = ((yy - r.integers(6, 42)) ** 2 + (xx - r.integers(6, 42)) ** 2 < 16)
        A(ps, "image_mask", m, (4, 48, 48), namespace="hdmf-common", neurodata_type="VectorData", description="Image masks", object_id=oid())
        ev = r.random((nt, nr)) < .01; k = np.exp(-np.arange(80) / 22.)
        dff = np.stack([np.convolve(ev[:, i] * r.uniform(.3, 1.2), k)[:nt] for i in range(nr)], 1) + r.normal(0, .03, (nt, nr))
        f0 = r.uniform(180, 420, nr)
        f = grp("processing/ophys/Fluorescence/RoiResponseSeries", "RoiResponseSeries", description="corrected fluorescence", comments="no comments")
        A(f, "data", (f0 * (1 + dff)).round(2).astype("f4"), (100, nr), unit="a.u.", conversion=1.0, resolution=-1.0)
        A(f, "timestamps", (12.431 + np.arange(nt) / 30.07).round(5), (300,), unit="seconds", interval=1)
        A(f, "rois", np.arange(nr, dtype="i8"), (nr,), namespace="hdmf-common", neurodata_type="DynamicTableRegion", description="segmented cells", object_id=oid(),
          table={"zarr_dtype": "object", "value": {"path": "/processing/ophys/ImageSegmentation/PlaneSegmentation", "source": "."}})
        d = grp("processing/ophys/DfOverF/RoiResponseSeries", "RoiResponseSeries", description="normalized dF/F trace", comments="no comments")
        A(d, "data", dff.round(5).astype("f4"), (100, nr), unit="NA", conversion=1.0, resolution=-1.0)
        b = "/processing/ophys/Fluorescence/RoiResponseSeries/"
        d.attrs["zarr_link"] = [{"name": "rois", "path": b + "rois", "source": "."}, {"name": "timestamps", "path": b + "timestamps", "source": "."}]
        recon(p)

    def fault(p):
        d = zarr.open_group(p, mode="r+", use_consolidated=False)["processing/ophys/DfOverF/RoiResponseSeries"]
        z = d.attrs["zarr_link"]; z[0]["path"] = "/rois"; d.attrs["zarr_link"] = z
        recon(p)

    def check(c, f):
        for p, bad in ((c, 0), (f, 1)):
            g = zarr.open_group(p, mode="r"); z = g["processing/ophys/DfOverF/RoiResponseSeries"].attrs["zarr_link"]
            assert [l["path"].strip("/") in g for l in z] == [not bad, True]
        assert all(np.isfinite(v).all() for v in allread(c).values() if v.dtype.kind == "f")


@case(11, "valid-time-seconds", "ecmwf/cfgrib#11",
      "2-D coordinate valid_time is not time + step: the step (hours) was added as seconds, so valid_time of lead +72 h is 72 s after the init time; time and step are right, valid_time must be recomputed (the diurnal cycle of t2m follows time + step).", "relation")
class c11:
    def clean(p):
        r = rng(11); ni, ns, ny, nx = 6, 13, 20, 24
        la = np.round(60 - np.arange(ny) * .5, 2); lo = np.round(np.arange(nx) * .5, 2)
        init = np.arange(ni) * 43200 + 1714521600; st = np.arange(ns) * 6.
        vt = (init[:, None] + st[None] * 3600).astype("i8")
        t = 288 - (la - 50)[None, None, :, None] * .7 + 5 * np.sin(2 * np.pi * ((vt % 86400) / 86400 - .375))[:, :, None, None] + 1.1 * smooth((ni, ns, ny, nx), (1, 2, 2, 3), r)
        mslp = 101300 + 800 * smooth((ni, ns, ny, nx), (1, 3, 4, 5), r)
        D = ("time", "step", "latitude", "longitude")
        ds = xr.Dataset({"t2m": (D, t.round(2).astype("f4"), {"GRIB_shortName": "2t", "units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"}),
                         "msl": (D, mslp.round(1).astype("f4"), {"GRIB_shortName": "msl", "units": "Pa", "standard_name": "air_pressure_at_mean_sea_level"})},
                        coords={"time": ("time", init.astype("i8"), {"units": "seconds since 1970-01-01T00:00:00", "calendar": "proleptic_gregorian", "standard_name": "forecast_reference_time", "long_name": "initial time of forecast"}),
                                "step": ("step", st, {"units": "hours", "dtype": "timedelta64[ns]", "standard_name": "forecast_period", "long_name": "time since forecast_reference_time"}),
                                "valid_time": (("time", "step"), vt, {"units": "seconds since 1970-01-01T00:00:00", "calendar": "proleptic_gregorian", "standard_name": "time", "long_name": "time"}),
                                "latitude": ("latitude", la, {"units": "degrees_north", "standard_name": "latitude", "stored_direction": "decreasing"}),
                                "longitude": ("longitude", lo, {"units": "degrees_east", "standard_name": "longitude"})},
                        attrs={"GRIB_centre": "ecmf", "GRIB_edition": 2, "Conventions": "CF-1.7", "institution": "European Centre for Medium-Range Weather Forecasts"})
        save(ds, p, 2, {"t2m": {"chunks": (1, 4, ny, nx)}, "msl": {"chunks": (1, 4, ny, nx)}})

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        g["valid_time"][:] = g["time"][:][:, None] + g["step"][:][None].astype("i8")

    def check(c, f):
        for p, bad in ((c, 0), (f, 1)):
            d = xo(p, decode_timedelta=True)
            assert bool((d.valid_time == d.time + d.step).all()) != bool(bad)


# =================================================================== VALUES
def packed_ds(r, nt, ny, nx, start="2019-12-01"):
    la = np.round(47 - .1 * np.arange(ny), 2); lo = np.round(7 + .1 * np.arange(nx), 2)
    h = np.arange(nt)
    t = 279 + 6 * np.sin(2 * np.pi * (h % 24 - 9) / 24)[:, None, None] + 2 * smooth((ny, nx), 4, r)[None] + 3 * smooth((nt, 1, 1), (30, 0, 0), r) + .5 * smooth((nt, ny, nx), (3, 2, 2), r)
    return la, lo, t


@case(12, "mixed-packing", "zarr-developers/VirtualiZarr#1010",
      "the int16 chunks of t2m come from 4 source files with different packing, but the array has only the scale_factor/add_offset of the first: hours 48-95, 96-143 and 144-191 (files 2-4) decode with steps of several K at the file borders (48, 96, 144) and a wrong amplitude; the affected blocks must be repacked (or decoded) with the packing of their own file. d2m is right.", "values")
class c12:
    P = [(0.000731, 280.3), (0.001034, 276.4), (0.000862, 283.1), (0.000915, 285.2)]

    def clean(p):
        r = rng(12); nt, ny, nx = 192, 16, 20; la, lo, t = packed_ds(r, nt, ny, nx)
        d = t - 3 - 1.2 * np.abs(smooth((nt, ny, nx), (4, 2, 2), r))
        D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"t2m": (D, t, {"units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"}), "d2m": (D, d, {"units": "K", "long_name": "2 metre dewpoint temperature", "standard_name": "dew_point_temperature"})},
                        coords={"time": tvar("2019-12-01", nt, "h"), "latitude": ("latitude", la.astype("f4"), {"units": "degrees_north"}), "longitude": ("longitude", lo.astype("f4"), {"units": "degrees_east"})},
                        attrs={"Conventions": "CF-1.6", "history": "4 files era5_land 2019-12-01/03/05/07 joined with a virtual dataset, then copied"})
        e = {"dtype": "int16", "scale_factor": c12.P[0][0], "add_offset": c12.P[0][1], "_FillValue": -32767, "chunks": (24, 16, 10)}
        save(ds, p, 2, {"t2m": e, "d2m": {**e, "scale_factor": 0.0007, "add_offset": 276.8}})

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["t2m"]; s0, o0 = c12.P[0]
        for i in (1, 2, 3):
            s, o = c12.P[i]; b = a[48 * i:48 * i + 48] * s0 + o0
            q = np.round((b - o) / s); assert abs(q).max() < 32760
            a[48 * i:48 * i + 48] = q.astype("i2")

    def check(c, f):
        C, F = xo(c), xo(f); e = np.abs(C.t2m - F.t2m).mean(("latitude", "longitude")).values
        assert e[:48].max() < 1e-6 and e[48:96].mean() > 1.5 and e[96:144].mean() > 1.5 and e[144:].mean() > 1.5
        assert 255 < C.t2m.min() and C.t2m.max() < 305


@case(13, "int16-wraparound", "pydata/xarray#2855",
      "t2m is packed in int16 with scale_factor 0.001: values above 32.767 degC do not fit and wrapped around to about -32.7..-20 degC (about a fifth of the cells, hot afternoons, next to +32 degC ones); adding 65.536 to those cells repairs them. tmin (same packing) never reaches the limit and is right.", "values")
class c13:
    def clean(p):
        r = rng(13); nt, ny, nx = 48, 24, 24
        la = np.round(35 - .25 * np.arange(ny), 2); lo = np.round(.25 * np.arange(nx), 2); h = np.arange(nt)
        t = 27 + 7.5 * np.sin(2 * np.pi * (h % 24 - 9) / 24)[:, None, None] + 2.6 * smooth((ny, nx), 5, r)[None] + 1.2 * smooth((nt, ny, nx), (6, 3, 3), r)
        tm = np.minimum.accumulate(t.reshape(2, 24, ny, nx), 1).reshape(nt, ny, nx) - .3
        D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"t2m": (D, t, {"units": "degC", "standard_name": "air_temperature", "long_name": "2 m temperature"}),
                         "tmin": (D, np.minimum(tm, 31.), {"units": "degC", "standard_name": "air_temperature", "cell_methods": "time: minimum (since 00 UTC)"})},
                        coords={"time": tvar("2022-07-10", nt, "h"), "latitude": ("latitude", la, {"units": "degrees_north"}), "longitude": ("longitude", lo, {"units": "degrees_east"})}, attrs={"Conventions": "CF-1.8", "title": "Sahel downscaling"})
        e = {"dtype": "int16", "scale_factor": .0015, "add_offset": 0., "_FillValue": -32768, "chunks": (12, 12, 24)}
        save(ds, p, 2, {"t2m": e, "tmin": {**e, "scale_factor": .001}})

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False); a = g["t2m"]
        q = np.round(a[:] * .0015 / .001).astype("i8"); a[:] = ((q + 32768) % 65536 - 32768).astype("i2"); a.attrs["scale_factor"] = .001
        recon(p)

    def check(c, f):
        C, F = xo(c), xo(f); w = (F.t2m < 0).values
        assert C.t2m.min() > 5 and .02 < w.mean() < .3 and np.nanmax(np.abs(F.t2m.values[w] + 65.536 - C.t2m.values[w])) < .002
        assert abs((F.t2m - C.t2m).values[~w]).max() < .002 and C.t2m.notnull().all()


@case(14, "tp-still-accumulated", "dhis2/open-climate-service#58",
      "tp is declared an hourly sum (cell_methods 'time: sum (interval: 1 hour)', 'hourly precipitation') but the values are ERA5-Land accumulations since 00 UTC: they only grow from 01 to 00 UTC of the next day and then reset, every grid point, every day; must be de-accumulated (difference, reset at 01 UTC). swvl1 etc. are right.", "values")
class c14:
    def clean(p):
        r = rng(14); nt, ny, nx = 240, 10, 10
        la = np.round(10 - .1 * np.arange(ny), 2); lo = np.round(30 + .1 * np.arange(nx), 2)
        a = smooth((nt, ny, nx), (2, 2, 2), r) + .5 * np.sin(2 * np.pi * (np.arange(nt) % 24 - 10) / 24)[:, None, None]
        tp = np.round(np.maximum(a - .9, 0) ** 1.5 * 2.2e-3 / 1e-6) * 1e-6
        sw = .22 + .03 * smooth((nt, ny, nx), (30, 2, 2), r) + .015 * np.cumsum(tp, 0) / np.cumsum(tp, 0).max()
        t2 = 297 + 4 * np.sin(2 * np.pi * (np.arange(nt) % 24 - 7) / 24)[:, None, None] + smooth((nt, ny, nx), (4, 3, 3), r)
        D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"tp": (D, tp.astype("f4"), {"units": "m", "long_name": "Total precipitation (hourly precipitation)", "cell_methods": "time: sum (interval: 1 hour)", "standard_name": "lwe_thickness_of_precipitation_amount"}),
                         "swvl1": (D, sw.round(3).astype("f4"), {"units": "m**3 m**-3", "long_name": "Volumetric soil water layer 1"}),
                         "t2m": (D, t2.round(1).astype("f4"), {"units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"})},
                        coords={"time": tvar("2024-04-01T01:00", nt, "h"), "latitude": ("latitude", la, {"units": "degrees_north"}), "longitude": ("longitude", lo, {"units": "degrees_east"})},
                        attrs={"Conventions": "CF-1.8", "source": "ERA5-Land", "processing": "ingested hourly"})
        save(ds, p, 3, {v: {"chunks": (24, 5, 5)} for v in ds.data_vars})

    def fault(p):
        a = zarr.open_group(p, mode="r+")["tp"]; x = a[:].astype(float)
        a[:] = np.cumsum(x.reshape(10, 24, *x.shape[1:]), 1).reshape(x.shape).astype("f4")

    def check(c, f):
        C, F = xo(c), xo(f); d = np.diff(F.tp.values.reshape(10, 24, -1), axis=1)
        assert (d >= -1e-9).all() and (np.diff(C.tp.values.reshape(10, 24, -1), axis=1) < 0).mean() > .1


@case(15, "s2-offset-after-2022", "microsoft/PlanetaryComputer#134",
      "reflectance DNs of the dates with processing_baseline 04.00 (from 2022-01-25 on, 6 of 12 dates) still contain the +1000 BOA_ADD_OFFSET in all bands, although the attributes declare the cube harmonised (scale 1e-4, offset 0): a step of +0.1 reflectance in time, dark water included; subtract 1000 from those dates.", "values")
class c15:
    def clean(p):
        r = rng(15); n = 48; nt = 12
        dates = pd.to_datetime(["2021-11-03", "2021-11-18", "2021-12-03", "2021-12-18", "2022-01-02", "2022-01-17", "2022-02-01", "2022-02-16", "2022-03-03", "2022-03-18", "2022-04-02", "2022-04-17"])
        base = np.array(["03.01"] * 6 + ["04.00"] * 6)
        cl = smooth((n, n), 4, r); water = cl < -1.1; veg = cl > .2
        ref = {"B02": (.055, .035, .04), "B03": (.075, .06, .035), "B04": (.095, .045, .02), "B08": (.2, .32, .012)}
        dv = {}
        for b, (s, v, w) in ref.items():
            f = np.where(water, w, np.where(veg, v, s))[None] * (1 + .07 * smooth((nt, 1, 1), (1.5, 0, 0), r)) * (1 + .08 * smooth((nt, n, n), (0, 2, 2), r))
            f = f + r.normal(0, .0012, f.shape)
            dv[b] = (("time", "y", "x"), np.clip(np.round(f * 1e4), 1, 20000).astype("u2"), {"long_name": "Surface reflectance " + b, "scale_factor": .0001, "add_offset": 0., "units": "1", "_FillValue": np.uint16(0)})
        x = 500000 + 10 * (np.arange(n) + .5); y = 4650000 - 10 * (np.arange(n) + .5)
        scl = np.where(water, 6, np.where(veg, 4, 5)).astype("u1")
        dv["SCL"] = (("time", "y", "x"), np.repeat(scl[None], nt, 0), {"long_name": "Scene classification", "flag_values": [4, 5, 6], "flag_meanings": "vegetation not_vegetated water"})
        ds = xr.Dataset(dv, coords={"time": ("time", dates), "processing_baseline": ("time", base), "x": ("x", x, {"units": "m", "standard_name": "projection_x_coordinate"}), "y": ("y", y, {"units": "m", "standard_name": "projection_y_coordinate"})},
                        attrs={"title": "Sentinel-2 L2A cube T30TXN", "crs": "EPSG:32630", "harmonization": "all dates harmonised to baseline < 04.00 (BOA_ADD_OFFSET removed)"})
        save(ds, p, 2, {b: {"chunks": (1, 24, 24)} for b in dv}, tenc={"units": "days since 2015-01-01", "calendar": "proleptic_gregorian", "dtype": "int64"})

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        for b in ("B02", "B03", "B04", "B08"): g[b][6:] = g[b][6:] + np.uint16(1000)

    def check(c, f):
        C, F = xo(c), xo(f)
        w = (C.SCL[0] == 6).values
        assert abs(float(F.B08.values[6:, w].mean() - C.B08.values[6:, w].mean()) - .1) < 1e-4 and C.B08.values[:, w].mean() < .02 and C.B02.notnull().all()


@case(16, "land-1e37-unmasked", "pangeo-data/rechunker#55",
      "land cells of temp and salt (ROMS) hold the sentinel 1e37 as ordinary numbers while fill_value/_FillValue is NaN, so nothing is masked (means ~1e36); mask_rho marks the same cells as land. 1e37 must be declared missing (or be replaced by NaN); zeta is right.", "values")
class c16:
    def clean(p):
        r = rng(16); nt, nz, ny, nx = 4, 6, 24, 32
        b = smooth((ny, nx), 4, r); mask = b < .9
        zf = np.linspace(0, 1, nz)[None, :, None, None]
        T = 12 + 9 * zf + smooth((nt, nz, ny, nx), (1, 1, 3, 3), r); S = 34.5 - .8 * zf + .15 * smooth((nt, nz, ny, nx), (1, 1, 3, 3), r)
        ze = .3 * smooth((nt, ny, nx), (1, 4, 4), r)
        for a in (T, S, ze): a[..., ~mask] = np.nan
        D = ("time", "s_rho", "eta_rho", "xi_rho")
        lon = -75 + .05 * np.arange(nx)[None] + 0 * np.arange(ny)[:, None]; lat = 38 + .04 * np.arange(ny)[:, None] + 0 * np.arange(nx)[None]
        ds = xr.Dataset({"temp": (D, T.round(3).astype("f4"), {"units": "Celsius", "long_name": "potential temperature", "field": "temperature, scalar, series"}),
                         "salt": (D, S.round(3).astype("f4"), {"units": "1", "long_name": "salinity"}),
                         "zeta": (("time", "eta_rho", "xi_rho"), ze.round(4).astype("f4"), {"units": "meter", "long_name": "free-surface"}),
                         "mask_rho": (("eta_rho", "xi_rho"), mask.astype("f8"), {"long_name": "mask on RHO-points", "flag_values": [0., 1.], "flag_meanings": "land water"})},
                        coords={"time": tvar("2019-06-01", nt, "6h"), "s_rho": ("s_rho", np.linspace(-.95, -.05, nz).round(4), {"standard_name": "ocean_s_coordinate_g2", "positive": "up"}),
                                "lon_rho": (("eta_rho", "xi_rho"), lon.round(3), {"units": "degree_east", "standard_name": "longitude"}), "lat_rho": (("eta_rho", "xi_rho"), lat.round(3), {"units": "degree_north", "standard_name": "latitude"})},
                        attrs={"Conventions": "CF-1.4, SGRID-0.3", "type": "ROMS/TOMS history file", "title": "Mid-Atlantic"})
        save(ds, p, 2, {"temp": {"chunks": (2, 3, 12, 16)}, "salt": {"chunks": (2, 3, 12, 16)}, "zeta": {"chunks": (2, 12, 16)}, "mask_rho": {"_FillValue": None}})

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        for v in ("temp", "salt"):
            x = g[v][:]; x[np.isnan(x)] = 1e37; g[v][:] = x

    def check(c, f):
        C, F = xo(c), xo(f)
        assert float(F.temp.max()) > 9e36 and float(C.temp.max()) < 40 and (C.temp[0, 0].isnull() == (C.mask_rho == 0)).all()


@case(17, "half-chunks-lost", "pydata/xarray#8876",
      "in u (5 places) one half of a chunk in time is NaN while the other half is good: appended blocks were written in parallel with 36-step write blocks that do not align with the stored 24-step chunks, and two writers overwrote each other's half (read-modify-write race). The holes start/end exactly in the middle of chunks (times 36, 108, 180 = borders of 36-step blocks); v and speed (= hypot(u,v)) are complete, so data existed.", "values")
class c17:
    H = [(36, 48, 0, 8, 8, 16), (96, 108, 8, 16, 0, 8), (108, 120, 0, 8, 0, 8), (24, 36, 8, 16, 8, 16), (168, 180, 0, 8, 8, 16)]

    def clean(p):
        r = rng(17); nt, n = 192, 16
        la = np.round(55 - .25 * np.arange(n), 2); lo = np.round(.25 * np.arange(n), 2)
        u = 4 + 3 * smooth((nt, n, n), (6, 3, 3), r) + .3 * smooth((nt, n, n), (1, 1, 1), r); v = 1 + 3 * smooth((nt, n, n), (6, 3, 3), r)
        u, v = u.round().astype("f4"), v.round().astype("f4"); D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"u": (D, u, {"units": "m s-1", "standard_name": "eastward_wind"}), "v": (D, v, {"units": "m s-1", "standard_name": "northward_wind"}), "speed": (D, np.hypot(u, v).round().astype("f4"), {"units": "m s-1", "standard_name": "wind_speed"})},
                        coords={"time": tvar("2024-02-01", nt, "h"), "latitude": ("latitude", la, {"units": "degrees_north", "standard_name": "latitude"}), "longitude": ("longitude", lo, {"units": "degrees_east", "standard_name": "longitude"})},
                        attrs={"Conventions": "CF-1.8", "title": "hourly 10 m wind"})
        save(ds, p, 3, {k: {"chunks": (24, 8, 8), "fill_value": np.float32("nan")} for k in ds.data_vars})

    def fault(p):
        a = zarr.open_group(p, mode="r+")["u"]
        for t0, t1, y0, y1, x0, x1 in c17.H: a[t0:t1, y0:y1, x0:x1] = np.nan

    def check(c, f):
        C, F = xo(c), xo(f)
        assert C.u.notnull().all() and int(F.u.isnull().sum()) == 5 * 12 * 64 and F.speed.notnull().all()


@case(18, "some-tiles-transposed", "abcucberkeley/Parallel_Fiji_Visualizer#13",
      "in the 488 nm array 6 of the square 32x32 tiles (z 2 and 3, one worker's columns x 64..95, all rows except the last) are stored transposed (y and x swapped inside the tile): image is discontinuous at their borders and continuous again if the tile is transposed; other tiles and 561 nm (same structures) are right.", "values")
class c18:
    def clean(p):
        r = rng(18); nz, ny, nx = 4, 128, 160
        s = smooth((nz, ny, nx), (.7, 4, 7), r)
        fib = np.exp(-((s % .9) - .45) ** 2 / .02)
        A = np.clip(np.round(130 + 1400 * gaussian_filter(fib, (0, 1, 1)) + 250 * smooth((nz, ny, nx), (1, 10, 10), r) + 300 + r.normal(0, 9, fib.shape)), 0, 65535).astype("u2")
        B = np.clip(np.round(100 + .55 * (A.astype(float) - 130) + r.normal(0, 7, fib.shape)), 0, 65535).astype("u2")
        g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"description": "fused light-sheet stack", "software": "PetaKit5D", "voxel_size_um": [1.0, .108, .108], "axes": ["z", "y", "x"]})
        for n, a, w in (("ch488", A, 488), ("ch561", B, 561)):
            arr(g, n, a, (1, 32, 32), 2, sep=".", attrs={"_ARRAY_DIMENSIONS": ["z", "y", "x"], "excitation_nm": w, "units": "counts"})
        for n, k, st in (("z", nz, 1.), ("y", ny, .108), ("x", nx, .108)):
            arr(g, n, (np.arange(k) * st).round(4), (k,), 2, fill=None, sep=".", attrs={"_ARRAY_DIMENSIONS": [n], "units": "micrometer"})
        recon(p)

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["ch488"]
        for z in (2, 3):
            for y in range(0, 96, 32): a[z, y:y + 32, 64:96] = a[z, y:y + 32, 64:96].T

    def check(c, f):
        C, F = xo(c, mask_and_scale=False), xo(f, mask_and_scale=False)
        j = lambda d: np.abs(d.ch488.values[2, :96, 63].astype(float) - d.ch488.values[2, :96, 64]).mean()
        assert j(F) > 2.5 * j(C) and np.array_equal(C.ch561, F.ch561)


@case(19, "stack-appended-twice", "TUDelftGeodesy/DePSI#25",
      "the acquisitions were appended a second time: time holds the first 16 dates twice (0-15 and again 16-31, bitwise equal data in amplitude and phase) followed by the one new date (index 32); time is not monotonic. Indices 16-31 are to be dropped; n_images attribute still says 17.", "values")
class c19:
    def clean(p):
        r = rng(19); nt, ny, nx = 17, 32, 40
        amp = np.exp(4 + .8 * smooth((ny, nx), 3, r))[None] * r.gamma(4, .25, (nt, ny, nx))
        ph = np.angle(np.exp(1j * (smooth((nt, ny, nx), (0, 5, 5), r) * 2.2 + r.normal(0, .25, (nt, ny, nx)))))
        D = ("time", "azimuth", "range")
        ds = xr.Dataset({"amplitude": (D, amp.round(2).astype("f4"), {"long_name": "SLC amplitude", "units": "1"}), "phase": (D, ph.round(4).astype("f4"), {"long_name": "interferometric phase", "units": "rad"}),
                         "h2ph": (D, (1e-3 * np.arange(nt)[:, None, None] * .37 % .011 - .004 + 1e-7 * np.arange(nx)[None, None] + np.zeros((nt, ny, nx))).astype("f4"), {"long_name": "height to phase", "units": "rad/m"})},
                        coords={"time": tvar("2020-03-22", nt, "6D"), "azimuth": ("azimuth", np.arange(ny) + 2000), "range": ("range", np.arange(nx) + 9000)},
                        attrs={"title": "S1 stack t037 dsc", "mother_epoch": "2020-03-28", "n_images": 17})
        save(ds, p, 2, {v: {"chunks": (4, 16, 20)} for v in ds.data_vars}, tenc={"units": "days since 2014-01-01", "calendar": "proleptic_gregorian", "dtype": "int64"})

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        for v in ("amplitude", "phase", "h2ph", "time"):
            x = g[v][:]; x = np.concatenate([x[:16], x]); g[v].resize(x.shape); g[v][:] = x
        recon(p)

    def check(c, f):
        C, F = xo(c), xo(f)
        assert C.indexes["time"].is_monotonic_increasing and C.indexes["time"].is_unique and F.sizes["time"] == 33 and np.array_equal(F.amplitude[:16], F.amplitude[16:32])


@case(20, "junk-first-slice", "pydata/xarray#5473",
      "a junk record stands at index 0 of the append dimension: time[0] = 140624802912264 (uninitialised memory, int64) and u, v, eta there are all missing (no chunk written); real series starts at index 1 (0, 10, 20, ... s). Index 0 must be dropped.", "values")
class c20:
    def clean(p, extra=False):
        r = rng(20); nt, ny, nx = 12, 12, 16
        D = ("time", "j", "k")
        ds = xr.Dataset({"u": (D, (.2 * smooth((nt, ny, nx), (3, 3, 3), r)).round(4), {"units": "m s-1", "long_name": "zonal velocity"}), "v": (D, (.2 * smooth((nt, ny, nx), (3, 3, 3), r)).round(4), {"units": "m s-1", "long_name": "meridional velocity"}),
                         "eta": (D, (.05 * smooth((nt, ny, nx), (3, 4, 4), r)).round(5), {"units": "m", "long_name": "free surface"})},
                        coords={"time": ("time", np.arange(nt, dtype="i8") * 10, {"long_name": "model time", "units": "s"}), "x": ("k", np.arange(nx) * 250., {"units": "m"}), "y": ("j", np.arange(ny) * 250., {"units": "m"})},
                        attrs={"model": "MITgcm", "deltaT": 10.0, "title": "channel run"})
        save(ds, p, 2, {v: {"chunks": (1, ny, nx)} for v in ds.data_vars} | {"time": {"chunks": (1,)}})

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        for v in ("u", "v", "eta", "time"):
            x = g[v][:]; g[v].resize((len(x) + 1,) + x.shape[1:])
            g[v][1:] = x
            if v == "time": g[v][0] = 140624802912264
            else: os.remove(p + "/%s/0.0.0" % v)
        recon(p)

    def check(c, f):
        C, F = xo(c, decode_times=False, decode_timedelta=False), xo(f, decode_times=False, decode_timedelta=False)
        assert F.u[0].isnull().all() and np.array_equal(F.u[1:], C.u) and int(F.time[0]) == 140624802912264 and C.u.notnull().all()


# =================================================================== CODEC
@case(21, "shuffle-elementsize-string", "Unidata/netcdf-c#3200",
      "the shuffle filter of the data arrays (netCDF-C/CDO, NCZarr mode=xarray) has \"elementsize\": \"4\" as JSON string instead of number 4: numcodecs raises TypeError ('<=' not supported between str and int) on reading, chunks themselves are sound; set it to the number in .zarray and .zmetadata.", "codec")
class c21:
    def clean(p):
        r = rng(21); nt, ny, nx = 12, 40, 60
        g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"Conventions": "CF-1.6", "CDI": "Climate Data Interface version 2.5.3", "CDO": "Climate Data Operators version 2.5.3", "history": "cdo -z zip copy example_ds.zarr example_ds_cdo.zarr"})
        kw = dict(filters=[numcodecs.Shuffle(4)], compressors=numcodecs.Zlib(level=1))
        t = 285 + 8 * smooth((nt, ny, nx), (2, 4, 4), r); q = 70 + 12 * smooth((nt, ny, nx), (2, 4, 4), r)
        for n, d, u, s in (("tas", t.round(2), "K", "air_temperature"), ("hurs", np.clip(q, 2, 100).round(1), "%", "relative_humidity")):
            arr(g, n, d.astype("f4"), (1, 20, 30), 2, fill=-9e33, sep=".", attrs={"_ARRAY_DIMENSIONS": ["time", "lat", "lon"], "standard_name": s, "units": u, "_FillValue": -9e33}, **kw)
        arr(g, "time", np.arange(nt) * 1., (nt,), 2, fill=None, sep=".", attrs={"_ARRAY_DIMENSIONS": ["time"], "units": "days since 2010-01-01", "calendar": "standard", "standard_name": "time", "axis": "T"})
        arr(g, "lat", 40 + .25 * np.arange(ny), (ny,), 2, fill=None, sep=".", attrs={"_ARRAY_DIMENSIONS": ["lat"], "units": "degrees_north", "standard_name": "latitude", "axis": "Y"})
        arr(g, "lon", .25 * np.arange(nx), (nx,), 2, fill=None, sep=".", attrs={"_ARRAY_DIMENSIONS": ["lon"], "units": "degrees_east", "standard_name": "longitude", "axis": "X"})
        recon(p)

    def fault(p):
        def fix(z):
            if z.get("filters"): z["filters"][0]["elementsize"] = "4"
        for v in ("tas", "hurs"):
            z = jr(p + "/%s/.zarray" % v); fix(z); jw(p + "/%s/.zarray" % v, z)
        m = jr(p + "/.zmetadata")
        for v in ("tas", "hurs"): fix(m["metadata"][v + "/.zarray"])
        jw(p + "/.zmetadata", m)

    def check(c, f):
        C = xo(c); assert C.tas.notnull().all() and 240 < C.tas.min()
        assert fails(lambda: xo(f)), "no failure"


@case(22, "scaled-twice", "EOPF-Explorer/data-model#106",
      "after V2->V3 conversion b02..b04 carry the packing twice: codec numcodecs.fixedscaleoffset (already decodes to reflectance) and still the CF attributes scale_factor 1e-4/add_offset -0.1, which xarray applies again: reflectance reads as about -0.09999 everywhere; remove the attributes (or the codec). b08 has only the codec and is right.", "codec")
class c22:
    B = ("b02", "b03", "b04", "b08")

    def clean(p):
        from zarr.codecs.numcodecs import FixedScaleOffset
        r = rng(22); n = 80
        g = zarr.open_group(p, mode="w", zarr_format=3); g.attrs.update({"title": "S2 L2A r10m", "proj:code": "EPSG:32633", "Conventions": "CF-1.10"})
        cl = smooth((n, n), 5, r)
        for i, b in enumerate(c22.B):
            f = np.clip((.06 + .03 * i if i < 3 else .28) * (1 + .25 * cl) + r.normal(0, .002, (n, n)), .001, 1)
            dn = np.round((f + .1) * 625) * 16; f = dn / 1e4 - .1
            arr(g, b, f, (40, 40), 3, fill=-.1, names=["y", "x"], filters=[FixedScaleOffset(offset=-.1, scale=10000, dtype="<f8", astype="<u2")],
                attrs={"long_name": "Surface reflectance " + b, "standard_name": "surface_bidirectional_reflectance", "units": "1", "grid_mapping": "spatial_ref"})
        from pyproj import CRS
        cf = CRS.from_epsg(32633).to_cf()
        arr(g, "spatial_ref", np.array(0), (), 3, names=[], attrs=cf)
        arr(g, "x", 400000 + 10 * (np.arange(n) + .5), (n,), 3, names=["x"], attrs={"units": "m", "standard_name": "projection_x_coordinate"})
        arr(g, "y", 5300000 - 10 * (np.arange(n) + .5), (n,), 3, names=["y"], attrs={"units": "m", "standard_name": "projection_y_coordinate"})

    def fault(p):
        g = zarr.open_group(p, mode="r+")
        for b in c22.B[:3]: g[b].attrs.update({"scale_factor": .0001, "add_offset": -.1})

    def check(c, f):
        C, F = xo(c, consolidated=False), xo(f, consolidated=False)
        assert .02 < float(C.b02.mean()) < .2 and abs(float(F.b02.mean()) + .1) < 1e-3 and np.allclose(C.b08, F.b08)


@case(23, "last-shards-index-crc", "acquire-project/acquire-zarr#158",
      "sharded V3 image (18 frames, 8 per shard): the 4 shards of the last, incomplete time shard (c/2/...) have a CRC32C at the end of the shard index that was never updated (all four carry the same stale checksum 7f1d6001), so frames 16-17 fail with 'checksum' although index entries and chunk data are intact; all other shards are sound. Recompute the index checksum.", "codec")
class c23:
    def clean(p):
        r = rng(23); nt, n = 18, 128; lab, got = disks(n, n, 14, r, 6, 9); lab = lab.astype("u2")
        fr = []
        for t in range(nt):
            sh = np.roll(lab, (t // 2, -t // 3), (0, 1)); fr.append(np.round(cellimage(sh, rng(2300), 100, 800, 0) + r.normal(0, 6, sh.shape)).astype("u2"))
        a = np.stack(fr)
        g = zarr.open_group(p, mode="w", zarr_format=3)
        arr(g, "0", a, (1, 32, 32), 3, names=["t", "y", "x"], shards=(8, 64, 64))
        arr(g, "1", np.round(mean2(a.astype(float))).astype("u2"), (1, 32, 32), 3, names=["t", "y", "x"], shards=(8, 64, 64))
        g.attrs["ome"] = {"version": "0.5", "multiscales": ngff_ms("tyx", [(60, .2, .2), (60, .4, .4)], "phase", "0.5"), "omero": {"channels": [{"label": "phase", "active": True, "color": "FFFFFF", "window": {"min": 0, "max": 65535, "start": 90, "end": 1400}}]}}

    def fault(p):
        for y in "01":
            for x in "01":
                q = p + "/0/c/2/%s/%s" % (y, x); b = open(q, "rb").read(); open(q, "wb").write(b[:-4] + b"\x7f\x1d`\x01")

    def check(c, f):
        A = zarr.open_group(c, mode="r")["0"]; B = zarr.open_group(f, mode="r")["0"]
        assert np.array_equal(A[:16], B[:16]) and fails(lambda: B[16]) and A[16:].min() > 0
        assert len(chunkfiles(c + "/0")) == 12
        ome_check(c)


@case(24, "v2-arrays-under-v3-group", "ScrollPrize/villa#1700",
      "the root is both a V3 group (zarr.json) and a V2 group (.zgroup/.zattrs), and U, V, W were written as V2 arrays (.zarray) beside the V3 array structure_tensor: V3 readers take zarr.json and do not see U, V, W; V2 readers see only those. The three must be migrated to V3 metadata (and .zgroup/.zattrs removed).", "codec")
class c24:
    def clean(p, v2=()):
        r = rng(24); n = 20
        vec = np.stack([smooth((n,) * 3, 3, r) for _ in range(3)]); vec /= np.sqrt((vec ** 2).sum(0)) + 1e-9
        g = zarr.open_group(p, mode="w", zarr_format=3); g.attrs.update({"source": "PHercParis4 volume 54keV", "sigma": 2.0, "voxel_size_um": 7.91})
        st = np.stack([vec[i] * vec[j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))])
        arr(g, "structure_tensor", st.astype("f4").round(4), (1, 10, 10, 10), 3, names=["component", "z", "y", "x"], attrs={"components": ["zz", "zy", "zx", "yy", "yx", "xx"]})
        for i, k in enumerate("UVW"):
            arr(g, k, np.round((vec[i] + 1) * 127.5).astype("u1"), (10, 10, 10), 3, names=["z", "y", "x"], attrs={"long_name": "eigenvector component " + k, "encoding": "u8, (v+1)*127.5"})

    def fault(p):
        g = zarr.open_group(p, mode="r"); d = {k: (g[k][:], dict(g[k].attrs)) for k in "UVW"}
        for k in "UVW": shutil.rmtree(p + "/" + k)
        t = p + ".tmp2"; h = zarr.open_group(t, mode="w", zarr_format=2); h.attrs.update(dict(g.attrs))
        for k, (a, at) in d.items(): arr(h, k, a, (10, 10, 10), 2, sep=".", attrs=at)
        for n in os.listdir(t): shutil.move(t + "/" + n, p + "/" + n)
        shutil.rmtree(t)

    def check(c, f):
        assert sorted(k for k, _ in zarr.open_group(c, mode="r").members()) == ["U", "V", "W", "structure_tensor"]
        assert [k for k, _ in zarr.open_group(f, mode="r", zarr_format=3).members()] == ["structure_tensor"]
        assert sorted(k for k, _ in zarr.open_group(f, mode="r", zarr_format=2).members()) == ["U", "V", "W"]
        allread(c)


@case(25, "strings-without-vlen-filter", "zarr-developers/zarr-python#3132",
      "V2 string arrays station_name and network have dtype |O with \"filters\": null (the object codec vlen-utf8 is missing from .zarray and .zmetadata), so they cannot be decoded although the chunks are vlen-utf8 (uint32 count, then length-prefixed UTF-8); put filters [{\"id\": \"vlen-utf8\"}] back. Numeric arrays are sound.", "codec")
class c25:
    def clean(p):
        r = rng(25); ns, nt = 24, 240
        names = ["Zürich / Fluntern", "Genève-Cointrin", "Säntis", "Davos", "Lugano", "Sion", "Basel / Binningen", "Altdorf", "Chur", "Samedan", "Bern / Zollikofen", "Luzern", "Neuchâtel", "St. Gallen", "Aigle", "Payerne", "Pully", "Scuol", "Visp", "Ulrichen", "Disentis", "Engelberg", "Glarus", "Grimsel Hospiz"]
        alt = np.array([556, 412, 2501, 1594, 273, 482, 316, 438, 556, 1709, 553, 454, 485, 776, 381, 490, 456, 1304, 639, 1346, 1197, 1036, 517, 1980.])
        t = 15 - .006 * alt[:, None] + 5 * np.sin(2 * np.pi * (np.arange(nt) % 24 - 9) / 24)[None] + 1.2 * smooth((ns, nt), (0, 5), r)
        rr = np.maximum(smooth((ns, nt), (1, 2), r) - 1, 0) * 2
        ds = xr.Dataset({"ta": (("station", "time"), t.round(1).astype("f4"), {"units": "degC", "standard_name": "air_temperature"}), "rr": (("station", "time"), rr.round(1).astype("f4"), {"units": "mm", "long_name": "hourly precipitation", "cell_methods": "time: sum"}),
                         "network": ("station", np.array(["SMN" if i % 3 else "NBCN" for i in range(ns)], dtype=object), {"long_name": "network"})},
                        coords={"time": tvar("2024-06-01", nt, "h"), "station_name": ("station", np.array(names, dtype=object), {"cf_role": "timeseries_id", "long_name": "station name"}),
                                "lat": ("station", (46 + 1.4 * r.random(ns)).round(4), {"units": "degrees_north", "standard_name": "latitude"}), "lon": ("station", (6.3 + 3.5 * r.random(ns)).round(4), {"units": "degrees_east", "standard_name": "longitude"}), "alt": ("station", alt, {"units": "m", "standard_name": "height", "positive": "up"})},
                        attrs={"Conventions": "CF-1.8", "featureType": "timeSeries"})
        save(ds, p, 2, {"ta": {"chunks": (8, 60)}, "rr": {"chunks": (8, 60)}})

    def fault(p):
        m = jr(p + "/.zmetadata")
        for v in ("station_name", "network"):
            z = jr(p + "/%s/.zarray" % v); assert z["filters"][0]["id"] == "vlen-utf8"; z["filters"] = None
            jw(p + "/%s/.zarray" % v, z); m["metadata"][v + "/.zarray"]["filters"] = None
        jw(p + "/.zmetadata", m)

    def check(c, f):
        C = xo(c); assert C.station_name.values[0] == "Zürich / Fluntern" and C.ta.notnull().all()
        assert fails(lambda: xo(f))


@case(26, "first-time-is-fill", "fsspec/kerchunk#133",
      "fill_value of the time array is 0, the same as its legitimate first value (0 hours since 2020-01-01): xarray takes it as missing, first time becomes NaT and the axis is no longer usable as index; fill_value must be null (or a value that does not occur). Data are sound.", "codec")
class c26:
    def clean(p):
        r = rng(26); nt, ny, nx = 48, 16, 24
        la, lo = latlon(ny, nx, 69)
        t2 = 290 - 25 * np.sin(np.deg2rad(la.values.astype(float)))[None, :, None] ** 2 + 2 * smooth((nt, ny, nx), (3, 2, 3), r)
        D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"t2m": (D, t2.round(2).astype("f4"), {"units": "K", "standard_name": "air_temperature"}), "tcc": (D, np.clip(.5 + .3 * smooth((nt, ny, nx), (2, 2, 2), r), 0.001, 1).round(3).astype("f4"), {"units": "1", "standard_name": "cloud_area_fraction"})},
                        coords={"time": tvar("2020-01-01", nt, "h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "history": "combined references -> zarr"})
        save(ds, p, 2, {v: {"chunks": (4, ny, nx)} for v in ds.data_vars}, tenc={"units": "hours since 2020-01-01", "calendar": "proleptic_gregorian", "dtype": "int64"})

    def fault(p):
        z = jr(p + "/time/.zarray"); assert z["fill_value"] is None, z["fill_value"]; z["fill_value"] = 0; jw(p + "/time/.zarray", z)
        m = jr(p + "/.zmetadata"); m["metadata"]["time/.zarray"]["fill_value"] = 0; jw(p + "/.zmetadata", m)

    def check(c, f):
        C, F = xo(c), xo(f); assert C.time.notnull().all() and F.time.isnull().values.tolist() == [True] + [False] * 47


@case(27, "one-array-no-dimension-names", "source-cooperative/metadata-catalog#145",
      "the V3 array tp has no dimension_names (its names survive only as V2-style attribute _ARRAY_DIMENSIONS = [time, lat, lon] from the migration) while its sisters have them: xarray refuses the whole store with KeyError; set dimension_names [time, lat, lon].", "codec")
class c27:
    def clean(p):
        r = rng(27); nt, ny, nx = 24, 16, 24
        g = zarr.open_group(p, mode="w", zarr_format=3); g.attrs.update({"Conventions": "CF-1.8", "source": "GPM/IMERG subset"})
        t2 = 295 + 3 * smooth((nt, ny, nx), (2, 3, 3), r); tp = np.maximum(smooth((nt, ny, nx), (1, 2, 2), r) - .8, 0) * 3
        for n, d, u, s in (("t2m", t2.round(2), "K", "air_temperature"), ("tp", tp.round(2), "mm", "lwe_thickness_of_precipitation_amount"), ("rh", (60 + 10 * smooth((nt, ny, nx), (2, 3, 3), r)).round(1), "%", "relative_humidity")):
            arr(g, n, d.astype("f4"), (6, 8, 12), 3, fill=np.float32("nan"), names=["time", "lat", "lon"], attrs={"units": u, "standard_name": s})
        for n, d, a in (("time", np.arange(nt, dtype="i8") * 3, {"units": "hours since 2023-08-01", "calendar": "proleptic_gregorian", "standard_name": "time"}), ("lat", 10 - .25 * np.arange(ny), {"units": "degrees_north", "standard_name": "latitude"}), ("lon", 100 + .25 * np.arange(nx), {"units": "degrees_east", "standard_name": "longitude"})):
            arr(g, n, d, d.shape, 3, names=[n], attrs=a)

    def fault(p):
        z = jr(p + "/tp/zarr.json"); n = z.pop("dimension_names"); z["attributes"]["_ARRAY_DIMENSIONS"] = n; jw(p + "/tp/zarr.json", z)

    def check(c, f):
        C = xo(c, consolidated=False); assert C.tp.dims == ("time", "lat", "lon") and C.tp.notnull().all()
        assert "KeyError" in (fails(lambda: xo(f, consolidated=False)) or "")


@case(28, "edge-chunks-cropped", "constantinpape/z5#141",
      "the chunks at the lower and right edge of s0 decode to the cropped extent (N5 style, e.g. 22x64, 64x8, 22x8) instead of the full 64x64 chunk padded as Zarr requires: reading any edge fails ('cannot reshape'), inner chunks are sound; the bytes must be padded to the full chunk shape. s1 is right.", "codec")
class c28:
    def clean(p):
        r = rng(28); ny, nx = 150, 200
        lab, _ = disks(ny, nx, 26, r, 6, 11); im = cellimage(lab, r, 300, 2500, 15)
        g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"multiscales": [{"version": "0.4", "name": "em", "axes": [{"name": "y", "type": "space", "unit": "nanometer"}, {"name": "x", "type": "space", "unit": "nanometer"}], "datasets": [{"path": "s%d" % i, "coordinateTransformations": [{"type": "scale", "scale": [8. * 2 ** i] * 2}]} for i in range(2)]}]})
        for k, a in (("s0", im), ("s1", np.round(mean2(im.astype(float))).astype("u2"))):
            arr(g, k, a, (64, 64), 2, compressors=numcodecs.Zlib(level=5))

    def fault(p):
        a = zarr.open_group(p, mode="r")["s0"]; d = a[:]
        for i in range(3):
            for j in range(4):
                t = d[i * 64:i * 64 + 64, j * 64:j * 64 + 64]
                if t.shape != (64, 64):
                    open(p + "/s0/%d/%d" % (i, j), "wb").write(zlib.compress(np.ascontiguousarray(t).astype("<u2").tobytes(), 5))

    def check(c, f):
        A = zarr.open_group(c, mode="r")["s0"][:]; B = zarr.open_group(f, mode="r")["s0"]
        assert np.array_equal(A[:128, :192], B[:128, :192]) and fails(lambda: B[140, 5]) and fails(lambda: B[5, 195])
        ome_check(c)


# =================================================================== TRANSFER
@case(29, "obs-case-collision", "scverse/anndata#2576",
      "obs had two columns that differ only in case, 'Sample' and 'sample'; the copy went over a case-insensitive file system, where the later one overwrote the former: only the directory obs/Sample is left and holds the codes/categories of 'sample' (donor ids), while column-order still lists both, so read fails on the missing 'sample' and the content of 'Sample' (library ids, known from the prefix of obs_names) is lost.", "transfer")
class c29:
    def clean(p):
        import anndata as ad, scipy.sparse as sp
        r = rng(29); n, m = 240, 80
        lib = r.integers(0, 6, n); donor = np.array([0, 0, 1, 1, 2, 2])[lib]
        K = r.poisson(np.exp(r.normal(-.8, 1, (1, m))) * r.gamma(5, .2, (n, 1)))
        obs = pd.DataFrame({"Sample": pd.Categorical(["LIB%02d" % (i + 1) for i in lib]), "sample": pd.Categorical(["donor_%s" % "ABC"[i] for i in donor]), "n_counts": K.sum(1), "pct_mito": (r.beta(2, 40, n) * 100).round(2)},
                           index=["LIB%02d_%04d" % (l + 1, i) for i, l in enumerate(lib)])
        A = ad.AnnData(X=sp.csr_matrix(K.astype("f4")), obs=obs, var=pd.DataFrame({"highly_variable": r.random(m) < .3}, index=["GENE%d" % i for i in range(m)]))
        A.obsm["X_umap"] = r.normal(0, 3, (n, 2)).round(4).astype("f4")
        ad.settings.zarr_write_format = 2; A.write_zarr(p)
        if os.path.exists(p + "/.zmetadata"): os.remove(p + "/.zmetadata")

    def fault(p):
        shutil.rmtree(p + "/obs/Sample"); os.rename(p + "/obs/sample", p + "/obs/Sample")

    def check(c, f):
        import anndata as ad
        A = ad.read_zarr(c); assert {"Sample", "sample"} <= set(A.obs.columns)
        assert (A.obs.Sample.astype(str).values == [i[:5] for i in A.obs_names]).all()
        assert fails(lambda: ad.read_zarr(f)) and os.listdir(f + "/obs").count("sample") == 0


@case(30, "xml-error-as-chunk", "MAAP-Project/maap-py#24",
      "5 chunk files of backscatter are not chunks but S3 error documents ('<?xml ... <Error><Code>AccessDenied</Code>'), saved under the chunk's name by the download; decompression fails there. They must be downloaded again with credentials; all other chunks are sound.", "transfer")
class c30:
    BAD = ["0.1.2", "1.0.3", "3.2.1", "4.2.2", "5.1.0"]

    def clean(p):
        r = rng(30); nt, ny, nx = 6, 96, 128
        sig = -11 + 2.2 * smooth((ny, nx), 4, r)[None] + .8 * smooth((nt, ny, nx), (0, 1, 1), r)
        inc = np.linspace(30, 44, nx)[None] + np.zeros((ny, 1))
        D = ("time", "y", "x")
        ds = xr.Dataset({"backscatter": (D, sig.round(2).astype("f4"), {"units": "dB", "long_name": "gamma0 HV"}), "incidence_angle": (("y", "x"), inc.round(3).astype("f4"), {"units": "degree"})},
                        coords={"time": tvar("2019-01-05", nt, "14D"), "x": ("x", 300000 + 25 * (np.arange(nx) + .5), {"units": "m", "standard_name": "projection_x_coordinate"}), "y": ("y", 900000 - 25 * (np.arange(ny) + .5), {"units": "m", "standard_name": "projection_y_coordinate"})},
                        attrs={"title": "UAVSAR biomass cal/val", "crs": "EPSG:32633"})
        save(ds, p, 2, {"backscatter": {"chunks": (1, 32, 32)}, "incidence_angle": {"chunks": (32, 32)}}, tenc={"units": "days since 2000-01-01", "calendar": "proleptic_gregorian", "dtype": "int64"})

    def fault(p):
        for i, k in enumerate(c30.BAD):
            q = p + "/backscatter/" + k; assert os.path.exists(q)
            open(q, "w").write('<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>BXZJR0SFXQKY5Y%02d</RequestId><HostId>k3nD0qU7xWw0C2mYp4b1Zf6VQeM9TgHsaR8jLdXoKiE=</HostId></Error>' % i)

    def check(c, f):
        assert xo(c).backscatter.notnull().all() and fails(lambda: xo(f))
        a = zarr.open_group(f, mode="r")["backscatter"]; assert np.isfinite(a[2]).all()


@case(31, "umlaut-nfd-directory", "owncloud/client#6338",
      "the directory of variable 'Niederschlagshöhe' was renamed to decomposed Unicode (NFD, o + U+0308) by the copy while .zmetadata (and the coordinates that refer to it) name it composed (NFC): through the consolidated metadata its chunks are not found and all values read as missing; rename the directory to NFC. Lufttemperatur is right.", "transfer")
class c31:
    V = "Niederschlagshöhe"

    def clean(p):
        r = rng(31); nt, ny, nx = 31, 30, 36
        la = np.round(54.9 - .25 * np.arange(ny), 2); lo = np.round(6 + .25 * np.arange(nx), 2)
        pr = np.maximum(smooth((nt, ny, nx), (.7, 3, 3), r) - .1, 0) * 4; T = 9 + 3 * smooth((nt, ny, nx), (3, 4, 4), r)
        v = unicodedata.normalize("NFC", c31.V); D = ("time", "lat", "lon")
        ds = xr.Dataset({v: (D, pr.round(1).astype("f4"), {"units": "mm", "long_name": "tägliche Niederschlagshöhe", "standard_name": "lwe_thickness_of_precipitation_amount", "cell_methods": "time: sum"}), "Lufttemperatur": (D, T.round(1).astype("f4"), {"units": "degC", "standard_name": "air_temperature", "long_name": "Tagesmittel der Lufttemperatur", "ancillary_variables": v})},
                        coords={"time": tvar("2021-10-01", nt, "D"), "lat": ("lat", la, {"units": "degrees_north", "standard_name": "latitude"}), "lon": ("lon", lo, {"units": "degrees_east", "standard_name": "longitude"})},
                        attrs={"Conventions": "CF-1.8", "institution": "Deutscher Wetterdienst"})
        save(ds, p, 2, {k: {"chunks": (8, 15, 18)} for k in ds.data_vars})

    def fault(p):
        v = unicodedata.normalize("NFC", c31.V); os.rename(p + "/" + v, p + "/" + unicodedata.normalize("NFD", v))

    def check(c, f):
        v = unicodedata.normalize("NFC", c31.V); C, F = xo(c, consolidated=True), xo(f, consolidated=True)
        assert C[v].notnull().all() and F[v].isnull().all() and F.Lufttemperatur.notnull().all()


def zipdir(src, dst, order=None):
    names = []
    for b, _, fs in os.walk(src):
        for f in fs: names.append(os.path.relpath(os.path.join(b, f), src))
    with zipfile.ZipFile(dst, "w", zipfile.ZIP_STORED) as z:
        for n in sorted(names): zput(z, n, open(os.path.join(src, n), "rb").read())


def zput(z, n, b):
    z.writestr(zipfile.ZipInfo(n, (2025, 11, 11, 9, 30, 0)), b)


@case(32, "zip-duplicate-zarr-json", "zarr-developers/zarr-python#3580",
      "signal/zarr.json and time/zarr.json occur 3 times in the zip (shape grown by appends: 400, 800, 1200) and the newest copy is not the last: central directory ends with the oldest (400), which readers use, so the array shows 400 of 1200 samples while chunks up to c/11 are in the archive; keep the copy with shape 1200 and drop the others.", "transfer", suffix=".zarr.zip")
class c32:
    def clean(p):
        r = rng(32); n, c = 1200, 8
        t = p + ".dir"; shutil.rmtree(t, ignore_errors=True)
        g = zarr.open_group(t, mode="w", zarr_format=3); g.attrs.update({"subject": "S07", "device": "g.USBamp", "sampling_frequency": 250.0})
        x = 18 * smooth((n, c), (3, .4), r) + 9 * np.sin(2 * np.pi * 10.2 * np.arange(n) / 250)[:, None] * np.linspace(.2, 1, c)[None] + r.normal(0, 2, (n, c))
        arr(g, "signal", x.round(2).astype("f4"), (100, c), 3, fill=np.float32(0), names=["time", "channel"], attrs={"units": "microvolt", "long_name": "EEG"})
        arr(g, "time", np.arange(n) / 250., (100,), 3, fill=0., names=["time"], attrs={"long_name": "time since start", "units": "s"})
        arr(g, "channel", np.arange(c, dtype="i4"), (c,), 3, names=["channel"], attrs={"labels": ["Fz", "C3", "Cz", "C4", "P3", "Pz", "P4", "Oz"]})
        zipdir(t, p); shutil.rmtree(t)

    def fault(p):
        with zipfile.ZipFile(p) as z: ent = [(n, z.read(n)) for n in z.namelist()]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with zipfile.ZipFile(p, "w", zipfile.ZIP_STORED) as z:
                late = []
                for n, b in ent:
                    zput(z, n, b)
                    if n in ("signal/zarr.json", "time/zarr.json"):
                        for s in (800, 400):
                            d = json.loads(b); d["shape"][0] = s; late.append((s, n, json.dumps(d, indent=2).encode()))
                for s, n, b in sorted(late, key=lambda q: -q[0]): zput(z, n, b)

    def check(c, f):
        def rd(p):
            s = zarr.storage.ZipStore(p, mode="r"); g = zarr.open_group(s, mode="r"); return g["signal"][:], g["time"][:]
        a, b = rd(c), rd(f); assert a[0].shape == (1200, 8) and b[0].shape == (400, 8) and np.array_equal(a[0][:400], b[0])
        s = zarr.storage.ZipStore(c, mode="r"); d = xr.open_dataset(s, engine="zarr", chunks=None, consolidated=False, decode_times=False, decode_timedelta=False).load(); assert d.signal.shape == (1200, 8)


@case(33, "array-without-any-chunk", "abTEM/abTEM#363",
      "array0 (diffraction patterns) has its metadata but not one chunk: the write failed after create_array and the store was closed; all values read as fill_value 0, with no error, whereas array1 and array2 are complete and array2 (total intensity per frame = sum of array0) is non-zero. The result must be computed and written again.", "transfer")
class c33:
    def clean(p):
        r = rng(33); nf, n = 16, 64
        yy, xx = np.mgrid[-32:32, -32:32]; rad = np.hypot(yy, xx)
        dp = np.stack([np.exp(-rad ** 2 / 18) + .05 * np.exp(-(rad - 16) ** 2 / 6) * (1 + .6 * np.cos(6 * np.arctan2(yy, xx) + k / 3)) + 2e-4 for k in range(nf)]) * r.uniform(.9, 1.1, (nf, 1, 1))
        dp = (r.poisson(dp * 4000) / 4000.).astype("f4")
        g = zarr.open_group(p, mode="w", zarr_format=3)
        g.attrs.update({"kwargs0": {"sampling": [.05, .05], "type": "DiffractionPatterns", "metadata": {"energy": 100000.0, "units": "1/Å", "label": "intensity"}}, "kwargs1": {"type": "Images", "sampling": [.2, .2]}, "kwargs2": {"type": "RealSpaceLineProfiles"}, "version": "1.0.7", "n_arrays": 3})
        arr(g, "array0", dp, (1, 64, 64), 3, names=["frame", "ky", "kx"], attrs={"units": "arb. unit", "long_name": "diffraction intensity"})
        arr(g, "array1", (1 + .2 * smooth((64, 64), 3, r)).round(5).astype("f4"), (32, 32), 3, names=["y", "x"], attrs={"long_name": "HAADF image"})
        arr(g, "array2", dp.sum((1, 2)).astype("f4"), (16,), 3, names=["frame"], attrs={"long_name": "total intensity per frame of array0"})

    def fault(p):
        shutil.rmtree(p + "/array0/c")

    def check(c, f):
        C, F = allread(c), allread(f); assert (F["array0"] == 0).all() and C["array0"].max() > .5 and np.allclose(C["array0"].sum((1, 2)), F["array2"], rtol=1e-4)
        xo(c, consolidated=False)


@case(34, "chunks-of-older-run", "constantinpape/z5#39",
      "labels/cells level 0 still holds 4 chunks (rows y 192-255, chunk row 3) of an older segmentation run: the new run is empty there and empty chunks were not written, so old files stayed; their objects have ids 1..n that clash with other objects of the new run, are cut at the chunk border y=192, are absent from pyramid level 1 and from image-label.properties (areas disagree), and the image shows nothing there. Delete these chunk files.", "transfer")
class c34:
    def clean(p):
        r = rng(34); lab, got = disks(256, 256, 36, r, 6, 10, box=(0, 190, 0, 256)); lab = lab.astype("u4"); im = cellimage(lab.astype("i4"), r)
        sc = [(.65, .65), (1.3, 1.3)]
        g = zarr.open_group(p, mode="w", zarr_format=2)
        for i, a in enumerate([im, np.round(mean2(im.astype(float))).astype("u2")]): arr(g, str(i), a, (64, 64))
        g.attrs.update({"multiscales": ngff_ms("yx", sc, "well_B03")})
        L = g.create_group("labels"); L.attrs["labels"] = ["cells"]; n = L.create_group("cells")
        for i, a in enumerate([lab, near2(lab)]): arr(n, str(i), a, (64, 64))
        ar = np.bincount(lab.ravel())
        n.attrs.update({"multiscales": ngff_ms("yx", sc, "cells"), "image-label": {"version": "0.4", "source": {"image": "../../"}, "properties": [{"label-value": int(i), "area (pixels)": int(ar[i])} for i in range(1, len(ar))]}})

    def fault(p):
        n = zarr.open_group(p, mode="r+")["labels/cells"]; cur = n["0"]
        old, _ = disks(256, 256, 60, rng(3400), 6, 10)
        lut = np.zeros(old.max() + 1, "u4"); ids = np.unique(old[192:]); ids = ids[ids > 0]; lut[ids] = np.arange(1, len(ids) + 1) + 3
        cur[192:] = lut[old[192:]]

    def check(c, f):
        C, F = (zarr.open_group(x, mode="r")["labels/cells"] for x in (c, f))
        assert not os.path.exists(c + "/labels/cells/0/3/1") and os.path.exists(f + "/labels/cells/0/3/1")
        assert C["0"][192:].max() == 0 and F["0"][192:].max() > 5 and F["1"][96:].max() == 0 and np.array_equal(C["0"][:192], F["0"][:192])
        assert len([k for k in os.listdir(f + "/labels/cells/0/3")]) == 4
        ome_check(c)


@case(35, "zero-byte-chunks", "saalfeldlab/n5-zarr#92",
      "chunks of the empty background of 's0' exist as files of 0 bytes instead of being absent (or holding encoded zeros): they decode to nothing and every read of the region fails (cannot reshape array of size 0); they are empty background (s1 is 0 there), so the files can be deleted. Other chunks are sound.", "transfer")
class c35:
    def clean(p):
        r = rng(35); nz, ny, nx = 16, 128, 128; yy, xx = np.mgrid[:ny, :nx]
        lab = np.zeros((nz, ny, nx), "i4"); k = 0
        for _ in range(14):
            k += 1; z, y, x, rad = r.uniform(3, 13), r.uniform(12, 84), r.uniform(40, 116), r.uniform(6, 10)
            zz = np.arange(nz)[:, None, None]; lab[((zz - z) * 2) ** 2 + (yy - y)[None] ** 2 + (xx - x)[None] ** 2 < rad ** 2] = k
        im = np.where(lab > 0, np.round(400 + r.normal(0, 20, lab.shape) + 20 * lab), 0)
        tissue = gaussian_filter((lab > 0).astype(float), (1, 6, 6)) > .02
        im = np.where(tissue & (lab == 0), np.round(90 + r.normal(0, 6, lab.shape)), im).astype("u2")
        g = zarr.open_group(p, mode="w", zarr_format=3); names = ["z", "y", "x"]; gz = zarr.codecs.GzipCodec(level=6)
        g.attrs["ome"] = {"version": "0.5", "multiscales": [{"name": "brain_488", "axes": [{"name": a, "type": "space", "unit": "micrometer"} for a in "zyx"], "datasets": [{"path": "s0", "coordinateTransformations": [{"type": "scale", "scale": [2., .5, .5]}]}, {"path": "s1", "coordinateTransformations": [{"type": "scale", "scale": [2., 1., 1.]}]}]}]}
        arr(g, "s0", im, (8, 32, 32), 3, names=names, compressors=gz); arr(g, "s1", np.round(mean2(im.astype(float))).astype("u2"), (8, 32, 32), 3, names=names, compressors=gz)
        for q in chunkfiles(p):  # gzip mtime -> 0, for determinism
            b = bytearray(open(q, "rb").read()); b[4:8] = b"\0" * 4; open(q, "wb").write(bytes(b))

    def fault(p):
        k = 0
        for z in range(2):
            for y in range(4):
                for x in range(4):
                    q = p + "/s0/c/%d/%d/%d" % (z, y, x)
                    if not os.path.exists(q): os.makedirs(os.path.dirname(q), exist_ok=True); open(q, "wb").close(); k += 1
        assert k >= 4, k

    def check(c, f):
        n = [q for q in chunkfiles(f + "/s0") if os.path.getsize(q) == 0]; assert len(n) >= 4
        assert fails(lambda: zarr.open_group(f, mode="r")["s0"][:]) and zarr.open_group(c, mode="r")["s0"][:].max() > 400
        ome_check(c)


@case(36, "rclone-partial-names", "rclone/rclone#3612",
      "6 chunks of discharge are present only under the temporary name of an interrupted copy (e.g. 3.1.<8 hex>.partial, shorter than a whole chunk) and missing under their own key: those blocks read as NaN, precipitation has all chunks. The partial files are truncated, so the chunks must be transferred again and the .partial files removed.", "transfer")
class c36:
    BAD = ["3.1", "7.0", "11.2", "12.0", "18.1", "22.2"]

    def clean(p):
        r = rng(36); nt, nb = 1200, 60
        P = np.maximum(smooth((nt, nb), (1.2, 4), r) - .5, 0) * 8
        k = np.exp(-np.arange(120) / 25.); k /= k.sum(); area = np.exp(r.normal(5, 1, nb))
        Q = np.stack([np.convolve(P[:, i], k)[:nt] for i in range(nb)], 1) * area / 86.4 + area * .002
        D = ("time", "basin")
        ds = xr.Dataset({"discharge": (D, Q.round(2).astype("f4"), {"units": "m3 s-1", "standard_name": "water_volume_transport_in_river_channel"}), "precipitation": (D, P.round(1).astype("f4"), {"units": "mm", "cell_methods": "time: sum"}), "area": ("basin", area.round(1), {"units": "km2", "long_name": "catchment area"})},
                        coords={"time": tvar("1998-10-01", nt, "D"), "basin": ("basin", np.arange(nb) + 1001)}, attrs={"Conventions": "CF-1.8", "title": "Caravan-style catchment series", "featureType": "timeSeries"})
        save(ds, p, 2, {"discharge": {"chunks": (50, 20)}, "precipitation": {"chunks": (50, 20)}, "area": {"_FillValue": None}}, tenc={"units": "days since 1950-01-01", "calendar": "proleptic_gregorian", "dtype": "int64"})

    def fault(p):
        r = rng(3600)
        for k in c36.BAD:
            q = p + "/discharge/" + k; b = open(q, "rb").read(); os.remove(q)
            open(q + ".%08x.partial" % r.integers(16 ** 8), "wb").write(b[:int(len(b) * r.uniform(.3, .9))])

    def check(c, f):
        C, F = xo(c), xo(f); assert C.discharge.notnull().all() and int(F.discharge.isnull().sum()) == 6 * 1000 and F.precipitation.notnull().all()


# The stores that are kept, and what a finding on each fault must have, joined by `|`.
KEPT = {
    1: "sea_surface_temperature|reverse order along dimension 1|8 to 11",
    2: "geopotential|reverse order along dimension 1|index 20",
    5: "cell_id|names other labels|area_px",
    6: "n_cells|in another order",
    7: "spatial_ref|zone of the projection",
    8: "proj:transform|centres",
    9: "omero.channels|other channels",
    11: "step|counted in seconds",
    13: "t2m|wrapped|int16",
    16: "1e37|missing",
    17: "u/c/1/0/1|regions stop 15 times|speed",
    20: "[0]|never written",
    22: "scale_factor|fixedscaleoffset",
    29: "Sample|replaced the other",
    34: "not made of|[96–127,0–127]",
}


def pack(name="blind2.zip", cases=CASES, kept=KEPT):
    with zipfile.ZipFile(os.path.join(HERE, name), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(name, data):
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)

        def files(store):
            inside = [os.path.join(folder, name) for folder, _, names in os.walk(store) for name in names]
            return {os.path.relpath(path, store): open(path, "rb").read() for path in sorted(inside)}

        gone, words = [], {}
        for C in (C for C in cases if C.num in kept):
            name = "%02d-%s" % (C.num, C.name)
            words[name] = kept[C.num]
            clean, fault = files(os.path.join(OUT, name + "-clean")), files(os.path.join(OUT, name))
            for file, data in clean.items():
                add(f"{name}/clean/{file}", data)
            for file, data in fault.items():
                if clean.get(file) != data:
                    add(f"{name}/fault/{file}", data)
            gone += [f"{name}/fault/{file}" for file in clean if file not in fault]
        add("cases.json", json.dumps(words, indent=1, ensure_ascii=False))
        add("gone.json", json.dumps(gone))


def main(cases=CASES, kept=KEPT):
    want = {int(a) for a in sys.argv[2:]} or (set(kept) if len(sys.argv) == 1 else set())
    os.makedirs(OUT, exist_ok=True); ok = 0; bad = []
    for C in sorted(cases, key=lambda c: c.num):
        if want and C.num not in want: continue
        n = "%02d-%s" % (C.num, C.name); f = os.path.join(OUT, n + C.suffix); c = os.path.join(OUT, n + "-clean" + C.suffix)
        for q in (f, c):
            if os.path.isdir(q): shutil.rmtree(q)
            elif os.path.exists(q): os.remove(q)
        try:
            C.clean(c)
            (shutil.copytree if os.path.isdir(c) else shutil.copy)(c, f)
            C.make(f); C.check(c, f); ok += 1
        except Exception:
            bad.append(n); print("FAILED", n); traceback.print_exc(limit=4)
    print("ok", ok, "failed", bad)


if __name__ == "__main__":
    main()
    if len(sys.argv) == 1:
        pack()
        shutil.rmtree(OUT)
