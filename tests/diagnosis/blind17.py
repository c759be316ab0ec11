#!/usr/bin/env python
"""Thirty Zarr stores with one reported fault each, and a clean twin of each (set 17)."""
import json, random, shutil, struct, uuid, warnings
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr, numcodecs
import anndata as ad
from scipy import sparse
from zarr.codecs import BytesCodec, TransposeCodec, ZstdCodec
OUT = Path("/tmp/blind17")
CASES, ROWS = {}, []
zarr.config.set({"array.write_empty_chunks": True})
BL = numcodecs.Blosc(cname="lz4", clevel=5, shuffle=1)
ZL = numcodecs.Zlib(level=1)


def start(slug):
    p = OUT / slug
    shutil.rmtree(p, ignore_errors=True)
    p.mkdir(parents=True)
    return p / "clean", p / "fault"


def done(slug, thread, fault, names, words):
    assert 3 <= len(words.split("|")) <= 6 and words == words.lower()
    CASES[slug] = words
    ROWS.append((slug, thread, fault, names))
    for t in ("clean", "fault"):
        fs = [f for f in (OUT / slug / t).rglob("*") if f.is_file()]
        size = sum(f.stat().st_size for f in fs)
        assert 0 < len(fs) <= 300 and size <= 200_000, (slug, t, len(fs), size)
    print("ok", slug, len(fs), size, flush=True)


def rng(n):
    return np.random.default_rng(n)


def smooth(shape, seed, amp=1.0, noise=0.08):
    """A smooth field over (t, y, x, ...) with a little noise."""
    g = rng(seed)
    axes = np.meshgrid(*[np.linspace(0, 1, s) for s in shape], indexing="ij")
    f = np.zeros(shape)
    for _ in range(5):
        ph = g.uniform(0, 2 * np.pi)
        f += g.uniform(.4, 1) * np.sin(ph + sum(2 * np.pi * g.uniform(.3, 1.4) * a for a in axes))
    return amp * (f / 2.2 + noise * g.standard_normal(shape))


def lat(n, a, b):
    return xr.Variable("lat", np.round(np.linspace(a, b, n), 4), {"standard_name": "latitude", "long_name": "latitude", "units": "degrees_north", "axis": "Y"})


def lon(n, a, b):
    return xr.Variable("lon", np.round(np.linspace(a, b, n), 4), {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east", "axis": "X"})


def times(s, n, f):
    return xr.Variable("time", pd.date_range(s, periods=n, freq=f).values.astype("datetime64[ns]"), {"standard_name": "time", "long_name": "time", "axis": "T"})


def write(ds, path, fmt, chunks, tunits=None, extra=None, group=None):
    """chunks: {variable: chunk shape}; everything else goes in one chunk."""
    ds = ds.copy()
    enc = {}
    for v in ds.variables:
        e = {}
        if ds[v].ndim:
            e["chunks"] = chunks.get(v, ds[v].shape)
        if fmt == 2 and ds[v].dtype.kind in "fiuc":
            e["compressors"] = [BL]
        if "grid_mapping" in ds[v].encoding:
            e["grid_mapping"] = ds[v].encoding["grid_mapping"]
        if v not in chunks and ds[v].dtype.kind == "f":
            e["_FillValue"] = None
        enc[v] = e
    if tunits:
        enc["time"].update(units=tunits, dtype="int64", calendar="proleptic_gregorian")
    for v, e in (extra or {}).items():
        enc[v].update(e)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ds.to_zarr(path, mode="a" if group else "w", group=group, zarr_format=fmt, encoding=enc, consolidated=not group)
    if tunits:
        back = xr.open_zarr(path, group=group, consolidated=not group)
        assert np.array_equal(back.time.values.astype("M8[ns]"), ds.time.values.astype("M8[ns]")), path
        assert back.time.encoding["dtype"] == np.dtype("int64")


def jl(p):
    return json.loads(Path(p).read_text())


def jd(p, o):
    """Write JSON with the indentation the file has."""
    p = Path(p)
    old = p.read_text().split("\n") if p.exists() else []
    n = len(old[1]) - len(old[1].lstrip()) if len(old) > 1 else (0 if old else 4)
    p.write_text(json.dumps(o, indent=n or None))


def v2edit(root, node, doc, fn):
    """Apply fn to node/doc and to the same entry of .zmetadata."""
    f = Path(root) / node / doc
    o = jl(f); fn(o); jd(f, o)
    z = Path(root) / ".zmetadata"
    if z.exists():
        m = jl(z); fn(m["metadata"][f"{node}/{doc}" if node else doc]); jd(z, m)


def v3edit(root, node, fn):
    """Apply fn to node/zarr.json and to its entry in the consolidated metadata of the root."""
    f = Path(root) / node / "zarr.json"
    o = jl(f); fn(o); jd(f, o)
    r = Path(root) / "zarr.json"
    m = jl(r)
    if node and "consolidated_metadata" in m:
        fn(m["consolidated_metadata"]["metadata"][node]); jd(r, m)


def raises(fn):
    try:
        fn()
    except Exception as e:  # noqa
        return f"{type(e).__name__}: {e}"
    raise AssertionError("did not raise")


def quiet(fn):
    """Run fn and insist that it gives no warning."""
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always")
        r = fn()
    w = [i for i in w if "infer_string" not in str(i.message)]     # pandas about pandas
    assert not w, [str(i.message)[:200] for i in w]
    return r


def load(p, **k):
    return xr.open_zarr(p, chunks=None, **k).load()


def healthy(p, nan=False, **k):
    d = quiet(lambda: load(p, **k))
    for v in d.variables:
        if d[v].dtype.kind == "f" and not nan:
            assert np.isfinite(d[v].values).all(), (p, v)
    return d


def put(root, name, val):
    """Overwrite the values of an array in place (raw values)."""
    z = zarr.open_group(root, mode="r+", use_consolidated=False)[name]
    z[...] = val
    return z


def arr(g, name, v, chunks, attrs=None, fill=0, comp=BL, **k):
    v = np.asarray(v)
    z = g.create_array(name, shape=v.shape, dtype=v.dtype, chunks=chunks, compressors=[comp] if comp is not None else None, fill_value=fill, **k)
    z[...] = v
    if attrs:
        z.attrs.put(attrs)
    return z


def strs(g, name, vals, attrs=None):
    vals = np.array(vals, dtype="U")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        z = g.create_array(name, shape=vals.shape, dtype=str, chunks=vals.shape, compressors=[numcodecs.Blosc(cname="lz4")])
    z[...] = vals
    z.attrs.update(attrs or {})
    return z


def uid(k):
    return str(uuid.UUID(int=random.Random(k).getrandbits(128), version=4))


def nuclei(shape, n, seed, r=(3, 5), dtype="u2"):
    """An image of blurred nuclei and the label image: n discs that do not overlap."""
    g = rng(seed)
    h, w = shape
    lab = np.zeros(shape, int)
    img = np.zeros(shape)
    yy, xx = np.mgrid[:h, :w]
    k = int(np.ceil(np.sqrt(n * w / h)))
    rows = int(np.ceil(n / k))
    for i in range(n):
        cy, cx = (i // k + .5) * h / rows + g.uniform(-.6, .6), (i % k + .5) * w / k + g.uniform(-.6, .6)
        rad = g.uniform(*r)
        d = ((yy - cy) ** 2 + (xx - cx) ** 2) ** .5
        lab[(d < rad) & (lab == 0)] = i + 1
        img += g.uniform(600, 1400) * np.exp(-(d / rad) ** 2)
    img += 110 + g.normal(0, 6, shape)
    return img.clip(0, 65535).astype("u2"), lab.astype(dtype)


def ome_image(path, img, axes, scale, units, fmt, chunks, factors=(2, 4), channels=None, name="image"):
    from ome_zarr.writer import write_image
    from ome_zarr.format import FormatV04, FormatV05
    f = FormatV04() if fmt == 2 else FormatV05()
    g = zarr.open_group(path, mode="w", zarr_format=fmt)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        write_image(img, g, scale_factors=[{a: (s if a in "yx" else 1) for a in axes} for s in factors], name=name, fmt=f, axes=axes, scale=dict(zip(axes, scale)),
                    axes_units=units, storage_options={"chunks": chunks})
    if channels:
        om = {"channels": [{"label": c, "color": col, "active": True, "window": {"min": 0, "max": 65535, "start": 100, "end": 1600}} for c, col in channels]}
        g = zarr.open_group(path, mode="r+", zarr_format=fmt)
        g.attrs.update({"omero": om} if fmt == 2 else {"ome": {**g.attrs["ome"], "omero": om}})
    return g, f


def ome_label(g, f, lab, name, axes, scale, units, chunks, props=None, factors=(2, 4)):
    from ome_zarr.writer import write_labels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        write_labels(lab, g, name=name, scale_factors=[{a: (s if a in "yx" else 1) for a in axes} for s in factors], fmt=f, axes=axes, scale=dict(zip(axes, scale)),
                     axes_units=units, storage_options={"chunks": chunks}, label_metadata=props)


def ome_ok(path):
    from ome_zarr.io import parse_url
    from ome_zarr.reader import Reader
    from ome_zarr.format import FormatV04, FormatV05
    fm = FormatV05() if (Path(path) / "zarr.json").exists() else FormatV04()
    at = jl(Path(path) / "zarr.json")["attributes"]["ome"] if fm.version == "0.5" else jl(Path(path) / ".zattrs")["multiscales"][0]
    assert at["version"] == fm.version
    n = quiet(lambda: list(Reader(parse_url(str(path), fmt=fm))()))
    assert len(n[0].data) >= 2
    return [np.asarray(d) for d in n[0].data]


# 01 ------------------------------------------------------------------ NEMO, land processors
def c01():
    s = "01-nemo-land-processors-navlon-nan"
    c, f = start(s)
    ny, nx = 40, 48
    j, i = np.mgrid[:ny, :nx]
    lo = (-9.5 + .083 * i + .012 * j).astype("f4"); la = (43.2 + .061 * j - .004 * i).astype("f4")
    land = (i - 30) * .6 + (j - 12) * .5 > 12
    v = np.where(land[None], np.nan, 15 + smooth((12, ny, nx), 1, 1.4)).astype("f4")
    ds = xr.Dataset({"sosstsst": (("time_counter", "y", "x"), v, {"standard_name": "sea_surface_temperature", "long_name": "sea surface temperature", "units": "degree_C", "online_operation": "average", "interval_write": "1 d"})},
                    {"nav_lon": (("y", "x"), lo, {"standard_name": "longitude", "long_name": "Longitude", "units": "degrees_east"}),
                     "nav_lat": (("y", "x"), la, {"standard_name": "latitude", "long_name": "Latitude", "units": "degrees_north"}),
                     "time_counter": ("time_counter", pd.date_range("2014-07-01T12:00", periods=12, freq="D").values.astype("M8[ns]"), {"standard_name": "time", "axis": "T"})},
                    {"name": "eNATL_1d_20140701_20140712_grid_T", "description": "ocean T grid variables", "Conventions": "CF-1.6", "title": "ocean T grid variables", "production": "An IPSL model", "ibegin": 0, "jbegin": 0})
    write(ds, c, 3, {"sosstsst": (6, 20, 24)}, extra={"time_counter": dict(units="seconds since 1900-01-01 00:00:00", dtype="int64")})
    shutil.copytree(c, f)
    box = (slice(30, 40), slice(36, 48))
    assert land[box].all()
    for n in ("nav_lon", "nav_lat"):
        a = {"nav_lon": lo, "nav_lat": la}[n].copy(); a[box] = np.nan
        put(f, n, a)
    a, b = healthy(c, nan=True), load(f)
    assert np.isfinite(a.nav_lon).all() and int(np.isnan(b.nav_lon).sum()) == int(np.isnan(b.nav_lat).sum()) == 120 and np.array_equal(a.sosstsst, b.sosstsst, equal_nan=True)
    done(s, "Parcels-code/Parcels#406", "NEMO ran without the processors that hold only land, so the coordinates nav_lon and nav_lat are NaN in a rectangular block (y 30-39, x 36-47).",
         "nav_lon / nav_lat: 120 NaN in a coordinate (rectangular, land subdomain)", "nav_lon|nav_lat|nan|land")


# 02 ------------------------------------------------------------------ monthly bounds of 20 days
def c02():
    s = "02-fgoals-amon-time-bnds-20-days"
    c, f = start(s)
    ml = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] * 2, float)
    e = np.concatenate([[0], np.cumsum(ml)])
    b = np.stack([e[:-1], e[1:]], 1); mid = b.mean(1)
    v = (286 + 14 * np.cos(np.linspace(-1.3, 1.3, 24))[None, :, None] - 14 + smooth((24, 24, 30), 2, 1.6)).astype("f4")
    la, lo = lat(24, -88.125, 88.125), lon(30, 0.0, 348.0)
    ds = xr.Dataset({"tas": (("time", "lat", "lon"), v, {"standard_name": "air_temperature", "long_name": "Near-Surface Air Temperature", "units": "K", "cell_methods": "area: time: mean", "cell_measures": "area: areacella"}),
                     "time_bnds": (("time", "bnds"), b)},
                    {"time": ("time", mid, {"bounds": "time_bnds", "units": "days since 2000-01-01", "calendar": "noleap", "axis": "T", "long_name": "time", "standard_name": "time"}), "lat": la, "lon": lo, "height": ((), 2.0, {"units": "m", "axis": "Z", "positive": "up", "standard_name": "height"})},
                    {"Conventions": "CF-1.7 CMIP-6.2", "activity_id": "CMIP", "experiment_id": "historical", "frequency": "mon", "table_id": "Amon", "variable_id": "tas", "source_id": "FGOALS-f3-L", "institution_id": "CAS", "grid_label": "gr", "variant_label": "r1i1p1f1", "mip_era": "CMIP6"})
    write(ds, c, 2, {"tas": (12, 12, 15)})
    shutil.copytree(c, f)
    put(f, "time_bnds", np.stack([mid - 10, mid + 10], 1))
    healthy(c, decode_times=False); quiet(lambda: load(c))
    r = load(f, decode_times=False)
    assert (np.diff(r.time_bnds.values, axis=1) == 20).all() and (r.time_bnds.values[1:, 0] > r.time_bnds.values[:-1, 1]).all()
    done(s, "ESMValGroup/ESMValCore#821", "The time bounds of the monthly means span only 20 days around the middle of the month instead of the whole month, so there are gaps between consecutive cells.",
         "time_bnds: width 20 days for monthly data, not contiguous (gaps of 8-11 days)", "time_bnds|bounds|gap|20 days|contiguous")


# 03 ------------------------------------------------------------------ masking ROI table
def c03():
    s = "03-ngio-masking-roi-region-path"
    c, f = start(s)
    img, lab = nuclei((128, 128), 49, 3, (5, 7), "u4")
    sc, un = (1.0, 0.325, 0.325), {"y": "micrometer", "x": "micrometer"}
    g, fm = ome_image(c, img[None], "cyx", sc, un, 2, (1, 64, 64), channels=[("DAPI", "0000FF")])
    ome_label(g, fm, lab, "nuclei", "yx", sc[1:], un, (64, 64), {"source": {"image": "../../"}})
    t = g.create_group("tables"); t.attrs["tables"] = ["FOV_ROI_table", "nuclei_ROI_table"]
    cols = ["x_micrometer", "y_micrometer", "z_micrometer", "len_x_micrometer", "len_y_micrometer", "len_z_micrometer"]

    def table(name, x, idx, attrs, iname):
        a = ad.AnnData(X=np.asarray(x, "f4"), obs=pd.DataFrame(index=pd.Index([str(i) for i in idx], name=iname)), var=pd.DataFrame(index=cols))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ad.io.write_elem(t, name, a)
        t[name].attrs.update(attrs)
    p = .325
    table("FOV_ROI_table", [[0, 0, 0, 64 * p, 128 * p, 1], [64 * p, 0, 0, 64 * p, 128 * p, 1]], ["FOV_1", "FOV_2"], {"type": "roi_table", "fractal_table_version": "1"}, "FieldIndex")
    rows = []
    for i in range(1, 50):
        y, x = np.where(lab == i)
        rows.append([x.min() * p, y.min() * p, 0, (np.ptp(x) + 1) * p, (np.ptp(y) + 1) * p, 1])
    table("nuclei_ROI_table", rows, range(1, 50), {"type": "masking_roi_table", "fractal_table_version": "1", "region": {"path": "../labels/nuclei"}, "instance_key": "label"}, "label")
    shutil.copytree(c, f)
    v2edit(f, "tables/nuclei_ROI_table", ".zattrs", lambda o: o.update(region={"path": "nuclei"}))
    ome_ok(c)
    at = lambda q: jl(q / "tables/nuclei_ROI_table/.zattrs")["region"]["path"]
    assert (c / "tables" / at(c) / ".zgroup").exists() and not (f / "tables" / at(f)).exists() and not (f / "tables/nuclei_ROI_table" / at(f)).exists()
    assert quiet(lambda: ad.io.read_elem(zarr.open_group(c, mode="r")["tables/nuclei_ROI_table"])).shape == (49, 6)
    done(s, "BioVisionCenter/ngio#88", "The masking ROI table was written with the wrong region path: \"nuclei\" instead of \"../labels/nuclei\", so it points to no label image.",
         "tables/nuclei_ROI_table attributes: region.path does not resolve to labels/nuclei", "region|nuclei_roi_table|resolve|masking|labels/nuclei")


# 04 ------------------------------------------------------------------ uvw in wavelengths
def c04():
    s = "04-hera-uvw-in-wavelengths"
    c, f = start(s)
    g = rng(4)
    pos = []
    for r, n in enumerate([2, 3, 2]):
        for k in range(n):
            pos.append([14.6 * (k - (n - 1) / 2) + g.normal(0, .01), 14.6 * np.sqrt(3) / 2 * (1 - r) + g.normal(0, .01), g.normal(0, .02)])
    pos = np.array(pos)
    a1, a2 = np.triu_indices(len(pos), 1)
    uvw = pos[a2] - pos[a1]
    fr = np.linspace(150e6, 165e6, 32, endpoint=False)
    nt = 10
    src = np.stack([np.linspace(-.09, .09, nt), np.full(nt, .03)], 1)
    ph = np.einsum("bk,tk->tb", uvw[:, :2], src)[:, :, None] * fr / 299792458.0
    vis = (12 * (fr / 150e6) ** -.7 * np.exp(2j * np.pi * ph) + 3.1 * np.exp(-1.7j * ph) + g.normal(0, .3, ph.shape) + 1j * g.normal(0, .3, ph.shape)).astype("c8")
    ds = xr.Dataset({"VISIBILITY": (("time", "baseline_id", "frequency"), vis, {"units": "Jy", "long_name": "visibility, polarization XX"}),
                     "UVW": (("baseline_id", "uvw_label"), uvw, {"units": "m", "type": "uvw", "frame": "ENU", "long_name": "baseline vector, antenna2 - antenna1, zenith phase centre"}),
                     "ANTENNA_POSITION": (("antenna_id", "cartesian_label"), pos, {"units": "m", "frame": "ENU", "long_name": "antenna position relative to the array centre"})},
                    {"time": times("2017-10-03T05:12:30", nt, "10s"), "frequency": ("frequency", fr, {"units": "Hz", "standard_name": "radiation_frequency"}),
                     "baseline_antenna1_id": ("baseline_id", a1.astype("i4")), "baseline_antenna2_id": ("baseline_id", a2.astype("i4")), "antenna_id": ("antenna_id", np.arange(len(pos), dtype="i4"))},
                    {"telescope_name": "HERA", "latitude": -30.72152777777791, "longitude": 21.428305555555557, "altitude": 1073.0, "history": "zen.2458026.51913.HH.uv converted"})
    write(ds, c, 3, {"VISIBILITY": (5, len(a1), 16)}, "seconds since 2017-10-03 05:12:30")
    shutil.copytree(c, f)
    put(f, "UVW", uvw * fr[0] / 299792458.0)
    a, b = healthy(c), load(f)
    d = np.linalg.norm(pos[a2] - pos[a1], axis=1)
    ln = lambda q: np.linalg.norm(q.UVW.values, axis=1) / d
    assert np.allclose(ln(a), 1) and np.allclose(ln(b), .50035, atol=1e-3)
    done(s, "HERA-Team/hera_cal#98", "The uvw array was written in wavelengths (at 150 MHz) though its units say m: the baselines are half as long as the distances between the antenna positions (7.3 m instead of 14.6 m).",
         "UVW: baseline lengths do not agree with ANTENNA_POSITION differences, constant factor 0.500 (= f/c)", "uvw|baseline|antenna_position|wavelength")


# 05 ------------------------------------------------------------------ radar sweep times
def c05():
    s = "05-cfradial-sweep-times-restart"
    c, f = start(s)
    naz, nr = 72, 60
    zarr.open_group(c, mode="w", zarr_format=2)
    els = [0.5, 1.5, 2.5, 4.5]
    t0, dur = pd.Timestamp("2019-06-24T03:06:10"), 21.0
    root = xr.Dataset({"volume_number": ((), np.int32(0)), "time_coverage_start": ((), "2019-06-24T03:06:10Z"), "time_coverage_end": ((), "2019-06-24T03:07:34Z"),
                       "latitude": ((), -37.8553, {"units": "degrees_north", "standard_name": "latitude"}), "longitude": ((), 144.7554, {"units": "degrees_east", "standard_name": "longitude"}), "altitude": ((), 45.0, {"units": "meters"}),
                       "sweep_group_name": ("sweep", np.array([f"sweep_{k}" for k in range(4)], object)), "sweep_fixed_angle": ("sweep", np.array(els))},
                      attrs={"Conventions": "Cf/Radial", "version": "2.0", "title": "single-sweep files combined to a volume", "instrument_name": "Melb", "scan_name": "VOL_4"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        root.to_zarr(c, mode="a", zarr_format=2, consolidated=False)
    for k, el in enumerate(els):
        az = (np.arange(naz) + .5) * 360 / naz
        tt = k * dur + (np.arange(naz) + .5) * dur / naz
        z = (14 + smooth((naz, nr), 50, 14) - k * 2).clip(-31, 60)
        ds = xr.Dataset({"DBZH": (("azimuth", "range"), np.round(z * 2) / 2, {"standard_name": "radar_equivalent_reflectivity_factor_h", "long_name": "Equivalent reflectivity factor H", "units": "dBZ"}),
                         "sweep_mode": ((), "azimuth_surveillance"), "sweep_number": ((), np.int64(k)), "sweep_fixed_angle": ((), el)},
                        {"azimuth": ("azimuth", az, {"standard_name": "ray_azimuth_angle", "units": "degrees", "axis": "radial_azimuth_coordinate"}), "elevation": ("azimuth", el + .02 * rng(k).standard_normal(naz), {"standard_name": "ray_elevation_angle", "units": "degrees"}),
                         "range": ("range", 250 + 500.0 * np.arange(nr), {"standard_name": "projection_range_coordinate", "units": "meters", "axis": "radial_range_coordinate"}),
                         "time": ("azimuth", np.round(tt, 4), {"standard_name": "time", "units": "seconds since 2019-06-24T03:06:10Z"})})
        write(ds, c, 2, {"DBZH": (36, 60)}, extra={"DBZH": dict(dtype="int16", scale_factor=.5, add_offset=0.0, _FillValue=np.int16(-32768))}, group=f"sweep_{k}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        zarr.consolidate_metadata(c)
    shutil.copytree(c, f)
    for k in range(1, 4):
        z = zarr.open_group(f, mode="r+", use_consolidated=False)[f"sweep_{k}/time"]
        z[:] = np.round(z[:] - k * dur, 4)
    q = lambda p: [load(p, group=f"sweep_{k}").time.values for k in range(4)]
    quiet(lambda: q(c))
    a, b = q(c), q(f)
    assert all(a[k][0] > a[k - 1][-1] for k in (1, 2, 3)) and all(b[k][0] == b[0][0] for k in range(4)) and a[3][-1] > np.datetime64(t0) + np.timedelta64(83, "s")
    done(s, "NCAR/CfRadial#10", "Single-sweep files were combined to a volume without re-basing the times: in every sweep group the rays run from 0 to 21 s after the volume start, so the four sweeps overlap in time and end 63 s before time_coverage_end.",
         "sweep_1..3/time: restart at time_coverage_start, all sweeps identical times", "sweep_1|overlap|identical|restart|time_coverage_end")


# 06 ------------------------------------------------------------------ UGRID start_index
def c06():
    s = "06-dflowfm-face-nodes-start-index"
    c, f = start(s)
    g = rng(6)
    nx, ny = 19, 14
    X, Y = np.meshgrid(np.arange(nx) * 50.0, np.arange(ny) * 50.0)
    x = (48000 + X + .12 * Y + g.normal(0, 3, X.shape)).ravel(); y = (419300 + Y - .05 * X + g.normal(0, 3, X.shape)).ravel()
    faces = []
    for j in range(ny - 1):
        for i in range(nx - 1):
            a, b, d, e = j * nx + i, j * nx + i + 1, (j + 1) * nx + i + 1, (j + 1) * nx + i
            if (i * 7 + j * 3) % 11 == 0:
                faces += [[a, b, d, -1000], [a, d, e, -1000]]
            else:
                faces.append([a, b, d, e])
    fn = np.array(faces, "i4"); fn1 = np.where(fn < 0, -999, fn + 1).astype("i4")
    fx = np.array([x[r[r >= 0]].mean() for r in fn]); fy = np.array([y[r[r >= 0]].mean() for r in fn])
    wl = .4 * np.sin(np.arange(12)[:, None] / 12.4 * 2 * np.pi - (fx - 48000)[None] / 4000) + .01 * g.standard_normal((12, len(fx)))
    ds = xr.Dataset({"mesh2d": ((), np.int32(0), {"cf_role": "mesh_topology", "long_name": "Topology data of 2D mesh", "topology_dimension": 2, "node_coordinates": "mesh2d_node_x mesh2d_node_y", "face_node_connectivity": "mesh2d_face_nodes", "node_dimension": "nmesh2d_node", "face_dimension": "nmesh2d_face", "max_face_nodes_dimension": "max_nmesh2d_face_nodes", "face_coordinates": "mesh2d_face_x mesh2d_face_y"}),
                     "mesh2d_face_nodes": (("nmesh2d_face", "max_nmesh2d_face_nodes"), fn1, {"cf_role": "face_node_connectivity", "long_name": "Vertex nodes of mesh faces (counterclockwise)", "start_index": 1, "_FillValue": np.int32(-999)}),
                     "mesh2d_s1": (("time", "nmesh2d_face"), wl, {"mesh": "mesh2d", "location": "face", "standard_name": "sea_surface_height", "long_name": "Water level", "units": "m"})},
                    {"mesh2d_node_x": ("nmesh2d_node", x, {"units": "m", "standard_name": "projection_x_coordinate", "long_name": "x-coordinate of mesh nodes"}), "mesh2d_node_y": ("nmesh2d_node", y, {"units": "m", "standard_name": "projection_y_coordinate", "long_name": "y-coordinate of mesh nodes"}),
                     "mesh2d_face_x": ("nmesh2d_face", fx, {"units": "m", "standard_name": "projection_x_coordinate"}), "mesh2d_face_y": ("nmesh2d_face", fy, {"units": "m", "standard_name": "projection_y_coordinate"}), "time": times("2012-12-16", 12, "h")},
                    {"Conventions": "CF-1.8 UGRID-1.0 Deltares-0.10", "institution": "Deltares", "source": "D-Flow FM 1.2.148", "title": "Grevelingen-FM"})
    write(ds, c, 3, {"mesh2d_s1": (6, len(fx)), "mesh2d_face_nodes": (len(fx), 4)}, "seconds since 2012-12-16 00:00:00")
    shutil.copytree(c, f)
    v3edit(f, "mesh2d_face_nodes", lambda o: o["attributes"].update(start_index=0))
    healthy(c, nan=True)
    b = xr.open_zarr(f, mask_and_scale=False).mesh2d_face_nodes
    w = b.values[b.values != -999]
    assert b.attrs["start_index"] == 0 and w.max() == nx * ny and w.min() == 1
    assert np.isclose(x[fn1[40] - 1].mean(), fx[40]) and not np.isclose(x[fn1[40]].mean(), fx[40], atol=5)
    done(s, "Deltares/dfm_tools#460", "mesh2d_face_nodes holds 1-based node numbers (1..266) while start_index says 0: index 266 is beyond the last node and every face is shifted by one node.",
         "mesh2d_face_nodes: start_index 0 but values 1..n_node (out of range), off by one against face_x/face_y", "start_index|mesh2d_face_nodes|out of range|1-based|off by one")


# 07 ------------------------------------------------------------------ u and v exchanged
def c07():
    s = "07-windborne-u-v-exchanged"
    c, f = start(s)
    g = rng(7)
    n = 900
    t = np.arange(n)
    spd = (22 + 11 * np.sin(t / 160) + smooth((n,), 7, 3, .03)).clip(1); dr = (255 + 40 * np.sin(t / 230 + 1) + smooth((n,), 70, 15, .02)) % 360
    u, v = -spd * np.sin(np.radians(dr)), -spd * np.cos(np.radians(dr))
    m = lambda q, d=3: np.round(q, d).astype("f4")
    L = "Location"
    ds = xr.Dataset({"windEastward": (L, m(u), {"units": "m s-1", "standard_name": "eastward_wind", "long_name": "Eastward Wind Component"}), "windNorthward": (L, m(v), {"units": "m s-1", "standard_name": "northward_wind", "long_name": "Northward Wind Component"}),
                     "windSpeed": (L, m(spd), {"units": "m s-1", "standard_name": "wind_speed"}), "windDirection": (L, m(dr), {"units": "degrees", "standard_name": "wind_from_direction"}),
                     "airTemperature": (L, m(219 + smooth((n,), 71, 5, .03)), {"units": "K", "standard_name": "air_temperature"}), "pressure": (L, m(18000 + smooth((n,), 72, 3500, .01), 1), {"units": "Pa", "standard_name": "air_pressure"})},
                    {"latitude": (L, m(41 + np.cumsum(v) * 60 / 111e3), {"units": "degrees_north", "standard_name": "latitude"}), "longitude": (L, m(-128 + np.cumsum(u) * 60 / 83e3), {"units": "degrees_east", "standard_name": "longitude"}),
                     "time": (L, pd.date_range("2023-09-03T06:00", periods=n, freq="min").values.astype("M8[ns]"), {"standard_name": "time"})},
                    {"Conventions": "CF-1.8", "featureType": "trajectory", "ioda_object_type": "Windborne", "platformLongDescription": "WindBorne global sounding balloon", "mission": "W-1043"})
    write(ds, c, 3, {k: (300,) for k in ds.data_vars}, "seconds since 1970-01-01 00:00:00")
    shutil.copytree(c, f)
    put(f, "windEastward", m(v)); put(f, "windNorthward", m(u))
    e = lambda q: (np.abs(q.windEastward + q.windSpeed * np.sin(np.radians(q.windDirection))).mean(), np.abs(q.windEastward + q.windSpeed * np.cos(np.radians(q.windDirection))).mean())
    a, b = healthy(c), load(f)
    assert e(a)[0] < .01 < 5 < e(b)[0] and e(b)[1] < .01
    done(s, "JCSDA-internal/ioda-converters#1486", "The wind components are reverse labelled: windEastward holds v and windNorthward holds u, against windSpeed / windDirection and the drift of the balloon.",
         "windEastward / windNorthward exchanged: they disagree with windSpeed and windDirection", "windeastward|windnorthward|swap|exchang|winddirection")


# 08 ------------------------------------------------------------------ spatialdata instance ids
def c08():
    import spatialdata as sd
    s = "08-xenium-cell-ids-renumbered"
    c, f = start(s)
    g = rng(8)
    img, lab = nuclei((96, 96), 144, 8, (2.6, 3.8), "u4")
    keep = np.sort(g.choice(np.arange(1, 145), 96, replace=False))
    lab = np.where(np.isin(lab, keep), lab, 0).astype("u4")
    genes = ["EPCAM", "KRT8", "CD3E", "CD8A", "MS4A1", "CD68", "PECAM1", "ACTA2", "MKI67", "ERBB2", "ESR1", "LUM", "PDGFRB", "FOXA1", "GATA3", "IL7R", "CCR7", "TOP2A", "KIT", "CPA3"]
    X = sparse.csr_matrix(g.negative_binomial(1.2, .4, (96, 20)).astype("f4"))
    cen = np.array([np.argwhere(lab == k).mean(0)[::-1] for k in keep]) * .2125
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        obs = pd.DataFrame({"region": pd.Categorical(["cell_labels"] * 96), "cell_labels": keep.astype("i8"), "transcript_counts": np.asarray(X.sum(1)).ravel().astype("i4"), "cell_area": np.round([(lab == k).sum() * .0452 for k in keep], 3)}, index=[f"cell_{i:04d}" for i in range(96)])
        t = ad.AnnData(X, obs=obs, var=pd.DataFrame(index=genes), obsm={"spatial": cen})
        t = sd.models.TableModel.parse(t, region="cell_labels", region_key="region", instance_key="cell_labels")
        S = sd.SpatialData(images={"morphology_focus": sd.models.Image2DModel.parse(img[None], dims=("c", "y", "x"), c_coords=["DAPI"])}, labels={"cell_labels": sd.models.Labels2DModel.parse(lab, dims=("y", "x"))}, tables={"table": t})
        S.write(c)
    shutil.copytree(c, f)
    put(f, "tables/table/obs/cell_labels", np.arange(96))
    a = quiet(lambda: sd.read_zarr(c))
    ids = lambda q: set(zarr.open_group(q, mode="r")["tables/table/obs/cell_labels"][:].tolist())
    assert set(np.unique(a.labels["cell_labels"].values)) - {0} == ids(c) and len(ids(f) & set(keep.tolist())) < 80 and 0 in ids(f)
    done(s, "scverse/spatialdata-io#180", "The cell ids of the table were renumbered 0, 1, 2, ... instead of the ids of the segmentation (1..144 with gaps), so the instances do not match the cells of the labels element cell_labels.",
         "tables/table obs cell_labels (instance_key): ids not in labels/cell_labels, 0 is background, labels without a row", "instance_key|cell_labels|background|renumber")


# 09 ------------------------------------------------------------------ latitude and longitude exchanged
def c09():
    s = "09-modis-swath-lat-lon-exchanged"
    c, f = start(s)
    ny, nx = 60, 54
    j, i = np.mgrid[:ny, :nx]
    la = (71.5 - .11 * j - .035 * i + .0006 * i * i).astype("f4"); lo = (84.2 + .62 * i + .09 * j + .002 * i * j).astype("f4")
    bt = (262 + smooth((2, ny, nx), 9, 9, .03)).astype("f4")
    ds = xr.Dataset({"brightness_temperature": (("band", "y", "x"), bt, {"standard_name": "toa_brightness_temperature", "units": "K", "resolution": 500, "calibration": "brightness_temperature", "sensor": "modis", "platform_name": "EOS-Terra"})},
                    {"latitude": (("y", "x"), la, {"standard_name": "latitude", "long_name": "Geodetic Latitude", "units": "degrees_north"}), "longitude": (("y", "x"), lo, {"standard_name": "longitude", "long_name": "Geodetic Longitude", "units": "degrees_east"}), "band": ("band", np.array([31, 32], "i2"))},
                    {"Conventions": "CF-1.7", "title": "MOD021KM granule A2019133.1355", "geospatial_lat_min": float(la.min()), "geospatial_lat_max": float(la.max()), "geospatial_lon_min": float(lo.min()), "geospatial_lon_max": float(lo.max()), "start_time": "2019-05-13T04:55:16", "end_time": "2019-05-13T05:00:16"})
    write(ds, c, 3, {"brightness_temperature": (1, 30, 54)})
    shutil.copytree(c, f)
    put(f, "latitude", lo); put(f, "longitude", la)
    a, b = healthy(c), load(f)
    assert abs(a.latitude).max() < 90 and b.latitude.max() > 110 and np.array_equal(b.longitude, a.latitude)
    done(s, "pytroll/satpy#766", "The latitude and longitude arrays are switched: latitude runs from 84 to 124 (beyond 90), longitude from 63 to 71, against the geospatial_* attributes.",
         "latitude / longitude exchanged; latitude values > 90 degrees; geospatial_lat_max 71.5 disagrees", "swap|exchang|switch|geospatial_lat|latitude")


# 10 ------------------------------------------------------------------ anemoi missing dates
def c10():
    s = "10-anemoi-missing-dates-not-listed"
    c, f = start(s)
    dates = np.arange(np.datetime64("2021-01-01T00:00:00"), np.datetime64("2021-01-11T00:00:00"), np.timedelta64(6, "h")).astype("M8[s]")
    la, lo = [q.ravel() for q in np.meshgrid(np.linspace(72, 55, 16), np.linspace(4, 30, 16), indexing="ij")]
    names = ["10u", "10v", "2t", "msl", "tp", "cos_latitude"]
    n, nd = la.size, len(dates)
    F = [smooth((nd, 16, 16), 100 + k, a, .05).reshape(nd, n) for k, a in enumerate([6, 5, 9, 1400, 1])]
    data = np.stack([F[0], F[1], 268 + F[2], 100600 + F[3], np.maximum(F[4], 0) * .002, np.repeat(np.cos(np.radians(la))[None], nd, 0)], 1)[:, :, None].astype("f4")
    miss = [9, 10, 23]
    data[miss] = np.nan
    g = zarr.open_group(c, mode="w", zarr_format=2)
    iso = lambda k: str(dates[k])
    g.attrs.put({"version": "0.30", "uuid": uid("anemoi10"), "description": "MEPS-like analysis, 2021-01", "attribution": "met.no", "licence": "CC-BY-4.0", "frequency": "6h", "start_date": iso(0), "end_date": iso(-1), "resolution": "o16", "variables": names, "ensemble_dimension": 2, "flatten_grid": True, "field_shape": [16, 16],
                 "missing_dates": [iso(k) for k in miss], "statistics_start_date": iso(0), "statistics_end_date": iso(-1), "constant_fields": ["cos_latitude"], "total_number_of_files": 0, "allow_nans": False, "data_request": {"param_level": {}}})
    A = lambda nm, v, ch=None, fill=0, dims=None: arr(g, nm, v, ch or np.asarray(v).shape, {"_ARRAY_DIMENSIONS": dims} if dims else None, fill)
    A("data", data, (4, 6, 1, n), np.nan, ["time", "variable", "ensemble", "cell"]); A("latitudes", la, None, np.nan, ["cell"]); A("longitudes", lo, None, np.nan, ["cell"])
    z = g.create_array("dates", shape=(nd,), chunks=(nd,), dtype="M8[s]", compressors=[BL], fill_value=np.datetime64("NaT")); z[:] = dates; z.attrs["_ARRAY_DIMENSIONS"] = ["time"]
    ax = (0, 2, 3); d8 = data.astype("f8")
    st = {"mean": np.nanmean(d8, ax), "stdev": np.nanstd(d8, ax), "minimum": np.nanmin(d8, ax), "maximum": np.nanmax(d8, ax), "sums": np.nansum(d8, ax), "squares": np.nansum(d8 ** 2, ax), "count": np.isfinite(d8).sum(ax).astype("i8"), "has_nans": np.zeros(6, bool)}
    for k, v in st.items():
        A(k, v, None, 0, ["variable"])
    shutil.copytree(c, f)
    v2edit(f, "", ".zattrs", lambda o: o.update(missing_dates=[]))
    r = quiet(lambda: zarr.open_group(c, mode="r"))
    nan = lambda q: [iso(k) for k in np.where(np.isnan(zarr.open_group(q, mode="r")["data"][:]).all((1, 2, 3)))[0]]
    assert nan(c) == r.attrs["missing_dates"] == nan(f) and zarr.open_group(f, mode="r").attrs["missing_dates"] == []
    done(s, "ecmwf/anemoi-datasets#109", "Three dates (2021-01-03T06, 2021-01-03T12, 2021-01-06T18) are all NaN in data but missing_dates is empty, so training uses them.",
         "missing_dates attribute empty while data is NaN at time index 9, 10 and 23", "missing_dates|all nan|has_nans|nan")


# 11 ------------------------------------------------------------------ genotype beyond the alleles
def c11():
    s = "11-vcz-genotype-beyond-alleles"
    c, f = start(s)
    g = rng(11)
    nv, ns = 160, 40
    posn = np.sort(g.choice(np.arange(10510000, 10560000), nv, replace=False)).astype("i4")
    B = "ACGT"
    tri = np.sort(g.choice(np.arange(4, nv - 4), 18, replace=False))
    al, gt, ac = [], np.zeros((nv, ns, 2), "i1"), np.full((nv, 2), -2, "i4")
    for k in range(nv):
        r, a1, a2 = g.permutation(list(B))[:3]
        if k % 9 == 0:
            r = r + "".join(g.choice(list(B), 2))
            a1 = r[0]
        al.append([r, a1, (r[0] + a2 if k % 9 == 0 else a2) if k in tri else ""])
        p = g.beta(.5, 2.2)
        gt[k] = g.random((ns, 2)) < p
        if k in tri:
            gt[k][g.random((ns, 2)) < .12] = 2
            gt[k, g.integers(ns), 1] = 2
        gt[k, g.choice(ns, 2, replace=False)] = -1
        ac[k, 0] = (gt[k] == 1).sum()
        if k in tri:
            ac[k, 1] = (gt[k] == 2).sum()
    an = (gt >= 0).sum((1, 2)).astype("i4")
    dp = g.poisson(32, (nv, ns)).astype("i2"); gq = np.minimum(99, g.poisson(70, (nv, ns))).astype("i1")
    al = np.array(al, object)
    V = "variants"
    ds = xr.Dataset({"contig_id": ("contigs", np.array(["chr22"], object)), "contig_length": ("contigs", np.array([50818468])), "filter_id": ("filters", np.array(["PASS", "LowQual"], object)), "sample_id": ("samples", np.array([f"HGDP{1000 + 3 * k:05d}" for k in range(ns)], object)),
                     "variant_contig": (V, np.zeros(nv, "i1")), "variant_position": (V, posn), "variant_length": (V, np.array([len(a[0]) for a in al], "i4")), "variant_id": (V, np.array(["." if k % 4 else f"rs{1165478000 + 17 * k}" for k in range(nv)], object)), "variant_allele": ((V, "alleles"), al),
                     "variant_quality": (V, np.round(g.gamma(4, 600, nv), 2).astype("f4")), "variant_filter": ((V, "filters"), np.array([[True, False]] * nv)), "variant_AC": ((V, "alt_alleles"), ac, {"description": "Allele count in genotypes, for each ALT allele"}), "variant_AN": (V, an, {"description": "Total number of alleles in called genotypes"}),
                     "call_genotype": ((V, "samples", "ploidy"), gt), "call_genotype_mask": ((V, "samples", "ploidy"), gt < 0), "call_DP": ((V, "samples"), dp, {"description": "Approximate read depth"}), "call_GQ": ((V, "samples"), gq, {"description": "Genotype Quality"})},
                    attrs={"vcf_zarr_version": "0.4", "source": "bio2zarr-0.1.6"})
    write(ds, c, 3, {"call_genotype": (80, 40, 2), "call_DP": (80, 40), "call_GQ": (80, 40), "variant_quality": (nv,)})
    shutil.copytree(c, f)
    cut = tri[[2, 7, 8, 13]]
    z = zarr.open_group(f, mode="r+", use_consolidated=False)["variant_allele"]
    w = z[...]; w[cut, 2] = ""; z[...] = w
    a, b = healthy(c), load(f)
    bad = lambda q: int((q.call_genotype.values.max((1, 2)) >= (q.variant_allele.values.astype("U9") != "").sum(1)).sum())
    assert bad(a) == 0 and bad(b) == 4
    done(s, "samtools/bcftools#2086", "At four variants the second ALT allele was dropped from variant_allele while genotypes (and variant_AC) still refer to allele 2: the called allele is outside the valid range.",
         "call_genotype contains allele index 2 where variant_allele lists only two alleles", "call_genotype|variant_allele|allele 2|out of range|exceed")


# 12 ------------------------------------------------------------------ negative precipitation
def c12():
    s = "12-wb2-negative-precipitation"
    c, f = start(s)
    g = rng(12)
    n, ny, nx = 36, 16, 32
    p = np.maximum(smooth((n, ny, nx), 12, 1, .12) - .1, 0) * .006 * g.gamma(3, 1 / 3, (n, ny, nx))
    p = np.where(p < 5e-6, 0, p).astype("f4")
    acc = (p[12:20].sum(0) + .0004).astype("f4")
    la = xr.Variable("latitude", np.linspace(-84.375, 84.375, ny), {"units": "degrees_north", "standard_name": "latitude"}); lo = xr.Variable("longitude", np.arange(nx) * 11.25, {"units": "degrees_east", "standard_name": "longitude"})
    ds = xr.Dataset({"total_precipitation_6hr": (("time", "latitude", "longitude"), p, {"long_name": "Total precipitation accumulated over the previous 6 hours", "short_name": "tp06", "units": "m"}),
                     "2m_temperature": (("time", "latitude", "longitude"), (299 - 45 * np.sin(np.radians(la.values)) ** 2)[None, :, None].astype("f4") + smooth((n, ny, nx), 13, 2).astype("f4"), {"long_name": "2 metre temperature", "units": "K", "standard_name": "air_temperature"})},
                    {"time": times("2010-12-27", n, "6h"), "latitude": la, "longitude": lo}, {"Conventions": "CF-1.6", "title": "ERA5 6-hourly, equiangular with poles, derived variables"})
    write(ds, c, 2, {"total_precipitation_6hr": (12, 16, 32), "2m_temperature": (12, 16, 32)}, "hours since 1959-01-01 00:00:00")
    shutil.copytree(c, f)
    z = zarr.open_group(f, mode="r+", use_consolidated=False)["total_precipitation_6hr"]
    z[20] = p[20] - acc
    a, b = healthy(c), load(f)
    assert a.total_precipitation_6hr.min() == 0 and str(b.time.values[20])[:13] == "2011-01-01T00" and (b.total_precipitation_6hr[20] < 0).mean() > .6 and set(np.where((b.total_precipitation_6hr < 0).any(("latitude", "longitude")))[0]) == {20}
    done(s, "google-research/weatherbench2#215", "total_precipitation_6hr is negative at one time stamp (2011-01-01T00:00, the turn of the year): the accumulation was subtracted across a restart.",
         "total_precipitation_6hr, time index 20 (2011-01-01T00): negative precipitation", "negative|total_precipitation_6hr|2011-01-01|below zero")


# 13 ------------------------------------------------------------------ int16 wrap
def c13():
    import rioxarray  # noqa
    s = "13-dem-int16-scale-wrapped"
    c, f = start(s)
    ny, nx = 60, 64
    j, i = np.mgrid[:ny, :nx]
    h = 2500 + 1550 * np.exp(-((i - 40) / 16.0) ** 2 - ((j - 26) / 13.0) ** 2) + smooth((ny, nx), 13, 240, .03)
    h = np.round(h, 1)
    x = xr.Variable("x", 340015.0 + 30 * np.arange(nx), {"standard_name": "projection_x_coordinate", "units": "m", "axis": "X"}); y = xr.Variable("y", 5093985.0 - 30 * np.arange(ny), {"standard_name": "projection_y_coordinate", "units": "m", "axis": "Y"})
    ds = xr.Dataset({"elevation": (("y", "x"), h, {"standard_name": "surface_altitude", "long_name": "terrain elevation", "units": "m"})}, {"y": y, "x": x},
                    {"Conventions": "CF-1.8", "title": "Copernicus DEM GLO-30, Mont Blanc subset", "AREA_OR_POINT": "Area"}).rio.write_crs("EPSG:32632")
    write(ds, c, 3, {"elevation": (30, 32)}, extra={"elevation": dict(dtype="int32", scale_factor=.1, _FillValue=np.int32(-32768))})
    raw = np.round(h / .1).astype("i4")
    shutil.copytree(c, f)
    v3edit(f, "elevation", lambda o: o.update(data_type="int16"))
    shutil.rmtree(f / "elevation/c")
    put(f, "elevation", raw.astype("i2"))
    a, b = healthy(c), load(f)
    w = a.elevation.values > 3276.7
    assert np.allclose(a.elevation, h) and 100 < w.sum() and (b.elevation.values[w] < -2400).all() and np.allclose(b.elevation.values[~w], h[~w]) and jl(f / "elevation/zarr.json")["data_type"] == "int16"
    done(s, "xarray-contrib/xarray-spatial#3260", "The elevation was packed with scale_factor 0.1 into int16, which ends at 3276.7 m: every higher cell wrapped and reads about -3276 to -2400 m in the middle of the mountain.",
         "elevation: int16 overflow (wrap around 32767), values of -3276 m next to +3276 m, jump of 6553.6", "int16|overflow|wrap|negative|6553")


# NWB helpers --------------------------------------------------------------------------------
def nwb(path, k, ident, descr, start_time):
    g = zarr.open_group(path, mode="w", zarr_format=2)
    g.attrs.put({"namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.8.0", "object_id": uid(repr((k, "root"))), ".specloc": "specifications"})
    sc = {"zarr_dtype": "scalar"}
    for n, v in (("identifier", ident), ("session_description", descr), ("session_start_time", start_time), ("timestamps_reference_time", start_time)):
        strs(g, n, [v], sc)
    strs(g, "file_create_date", [start_time[:11] + "21:40:12.330000-05:00"])
    for n in ("acquisition", "analysis", "general", "processing", "stimulus", "stimulus/presentation", "stimulus/templates"):
        g.create_group(n)
    return g


def col(g, k, name, v, descr, kind="VectorData", target=None):
    a = {"namespace": "hdmf-common", "neurodata_type": kind, "object_id": uid(repr((k, name))), "description": descr}
    if target:
        a["target"] = {"value": {"source": ".", "path": target, "object_id": uid(repr((k, target.split("/")[-1]))), "source_object_id": uid(repr((k, "root")))}, "zarr_dtype": "object"}
    if kind == "ElementIdentifiers":
        a.pop("description")
    return arr(g, name, v, np.asarray(v).shape, a)


# 14 ------------------------------------------------------------------ spike times in samples
def c14():
    s = "14-nwb-spike-times-in-samples"
    c, f = start(s)
    g = rng(14)
    k = 14
    r = nwb(c, k, "sub-EC014_ses-0441", "Silicon probe recording in CA1, linear track", "2024-02-11T15:02:31.000000-05:00")
    T, rate = 240.0, 30000.0
    lfp = r.create_group("acquisition/ElectricalSeries")
    lfp.attrs.put({"namespace": "core", "neurodata_type": "TimeSeries", "object_id": uid("lfp14"), "description": "LFP of channel 12, low-pass 100 Hz", "comments": "no comments"})
    x = 180e-6 * np.sin(2 * np.pi * 7.8 * np.arange(int(T * 100)) / 100) * (1 + .3 * np.sin(np.arange(int(T * 100)) / 900)) + g.normal(0, 4e-5, int(T * 100))
    arr(lfp, "data", np.round(x / 1.95e-7).astype("i2"), (12000,), {"conversion": 1.95e-7, "offset": 0.0, "resolution": -1.0, "unit": "volts"})
    st = lfp.create_array("starting_time", shape=(1,), chunks=(1,), dtype="f8", fill_value=0.0); st[:] = 0.0
    st.attrs.put({"rate": 100.0, "unit": "seconds", "zarr_dtype": "float64"})
    u = r.create_group("units")
    u.attrs.put({"namespace": "core", "neurodata_type": "Units", "object_id": uid(repr((k, "units"))), "description": "Kilosort 2.5 units, curated in phy", "colnames": ["spike_times", "firing_rate"]})
    tr = []
    for q in range(12):
        isi = g.gamma(2.0, 1 / g.uniform(1.5, 12) / 2, 4000)
        t = np.cumsum(isi) + g.uniform(0, .4)
        tr.append(np.round(t[t < T - .5] * rate) / rate)
    fr = np.array([len(t) / T for t in tr]); n = np.cumsum([len(t) for t in tr]).astype("i4")
    col(u, k, "id", np.arange(12, dtype="i8"), "", "ElementIdentifiers")
    col(u, k, "spike_times", np.concatenate(tr), "the spike times for each unit in seconds")
    col(u, k, "spike_times_index", n, "Index for VectorData 'spike_times'", "VectorIndex", "/units/spike_times")
    col(u, k, "firing_rate", np.round(fr, 5), "mean firing rate over the session, Hz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        zarr.consolidate_metadata(c)
    shutil.copytree(c, f)
    put(f, "units/spike_times", np.round(np.concatenate(tr) * rate))
    a, b = quiet(lambda: zarr.open_group(c, mode="r"))["units/spike_times"][:], zarr.open_group(f, mode="r")["units/spike_times"][:]
    assert a.max() < T and (b == np.round(b)).all() and b.max() > 7e6 and n[-1] == a.size
    done(s, "NeurodataWithoutBorders/nwbinspector#683", "The spike times of the units table are sample indices (integers up to 7.2 million at 30 kHz) instead of seconds; the recording is 240 s long.",
         "units/spike_times: all integer-valued, far beyond the end of the recording (sample numbers, not seconds)", "spike_times|sample|integer|30000|in seconds")


# 15 ------------------------------------------------------------------ counts that are none
def c15():
    s = "15-anndata-counts-layer-normalised"
    c, f = start(s)
    g = rng(15)
    n, m = 240, 120
    ct = g.choice(["CD4 T", "CD14 Mono", "B", "NK"], n, p=[.4, .3, .2, .1])
    mu = g.gamma(.5, 2.2, (4, m)); size = g.lognormal(0, .35, n)
    k = np.array([["CD4 T", "CD14 Mono", "B", "NK"].index(q) for q in ct])
    X = g.poisson(mu[k] * size[:, None]).astype("f4")
    X[X.sum(1) == 0, 0] = 1
    tot = X.sum(1)
    norm = (X / tot[:, None] * 1e4).astype("f4")
    obs = pd.DataFrame({"batch": pd.Categorical(g.choice(["10X", "Freytag"], n)), "final_annotation": pd.Categorical(ct), "n_counts": tot.astype("f4"), "n_genes": (X > 0).sum(1)}, index=["".join(g.choice(list("ACGT"), 16)) + "-1" for _ in range(n)])
    var = pd.DataFrame({"n_cells": (X > 0).sum(0)}, index=[f"ENSG{100000 + 37 * j:011d}" for j in range(m)])
    A = ad.AnnData(sparse.csr_matrix(np.log1p(norm)), obs=obs, var=var, layers={"counts": sparse.csr_matrix(X)}, uns={"log1p": {"base": np.e}}, obsm={"X_pca": np.linalg.svd(np.log1p(norm) - np.log1p(norm).mean(0), full_matrices=False)[0][:, :10].astype("f4")})

    def wr(q):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            g2 = zarr.open_group(q, mode="w", zarr_format=2)
            ad.io.write_elem(g2, "/", A)
            zarr.consolidate_metadata(q)
    wr(c)
    shutil.copytree(c, f)
    put(f, "layers/counts/data", sparse.csr_matrix(norm).data)
    a, b = quiet(lambda: ad.read_zarr(c)), ad.read_zarr(f)
    fr = lambda q: float((q.layers["counts"].data % 1 != 0).mean())
    assert fr(a) == 0 and fr(b) > .9 and np.allclose(np.asarray(a.layers["counts"].sum(1)).ravel(), a.obs.n_counts) and np.allclose(np.asarray(b.layers["counts"].sum(1)).ravel(), 1e4, rtol=1e-3)
    done(s, "theislab/scib-reproducibility#22", "layers/counts does not hold raw counts: its values are not integers but counts normalised to 10000 per cell, and they disagree with obs n_counts.",
         "layers/counts: non-integer values, every cell sums to 10000", "counts|integer|normali|10000|n_counts")


# 16 ------------------------------------------------------------------ labels in uint8
def c16():
    s = "16-ome-labels-truncated-uint8"
    c, f = start(s)
    img, lab = nuclei((200, 200), 300, 16, (3.2, 4.8))
    n = int(lab.max())
    sc, un = (.65, .65), {"y": "micrometer", "x": "micrometer"}
    assert n == 300 and len(np.unique(lab)) == 301

    def wr(q):
        g, fm = ome_image(q, img, "yx", sc, un, 3, (100, 100), (2,), channels=[("Hoechst", "0000FF")])
        ome_label(g, fm, lab, "nuclei", "yx", sc, un, (100, 100), {"source": {"image": "../../"}, "properties": [{"label-value": i, "area (pixels)": int((lab == i).sum()), "class": "Tumor" if i % 3 else "Stroma"} for i in range(1, n + 1)]}, (2,))
    wr(c)
    shutil.copytree(c, f)
    for z in sorted((c / "labels/nuclei").iterdir()):
        if z.is_dir():
            a = zarr.open_array(z, mode="r")
            k = f / "labels/nuclei" / z.name
            o = jl(k / "zarr.json"); o["data_type"] = "uint8"
            for q in o["codecs"]:
                if q["name"] == "bytes":
                    q.pop("configuration", None)
            v = a[...].astype("u1")
            shutil.rmtree(k); k.mkdir(); jd(k / "zarr.json", o)
            zarr.open_array(k, mode="r+")[...] = v
    ome_ok(c)
    p = lambda q: zarr.open_array(q / "labels/nuclei" / sorted(x.name for x in (q / "labels/nuclei").iterdir() if x.is_dir())[0], mode="r")[...]
    assert p(c).max() == 300 and p(f).max() == 255 and np.array_equal(p(f), (p(c) % 256).astype("u1")) and len(jl(f / "labels/nuclei/zarr.json")["attributes"]["ome"]["image-label"]["properties"]) == 300
    done(s, "qupath/qubalab#23", "The label image was coerced to uint8: 300 nuclei were numbered modulo 256, so 44 labels are used twice, one nucleus is background, and the labels 256..300 of the properties do not exist.",
         "labels/nuclei: uint8, maximum 255, properties list 300 label values, labels with two separate objects", "uint8|255|overflow|label-value|modulo|256")


# 17 ------------------------------------------------------------------ integer raster, nodata nan
def c17():
    import rioxarray  # noqa
    s = "17-reprojected-int-nodata-nan"
    c, f = start(s)
    ny, nx = 64, 64
    j, i = np.mgrid[:ny, :nx]
    rot = lambda a: ((j - 32) * np.cos(a) + (i - 32) * np.sin(a), -(j - 32) * np.sin(a) + (i - 32) * np.cos(a))
    p, q = rot(.22)
    inside = (abs(p) < 25) & (abs(q) < 25)
    v = np.round(640 + smooth((ny, nx), 17, 150, .03)).astype("i2")
    x = xr.Variable("x", 500050.0 + 100 * np.arange(nx), {"standard_name": "projection_x_coordinate", "units": "m", "axis": "X"}); y = xr.Variable("y", 5549950.0 - 100 * np.arange(ny), {"standard_name": "projection_y_coordinate", "units": "m", "axis": "Y"})
    ds = xr.Dataset({"band_data": (("y", "x"), np.where(inside, v, -32768).astype("i2"), {"standard_name": "surface_altitude", "long_name": "terrain height", "units": "m", "nodata": -32768, "resampling": "bilinear"})}, {"y": y, "x": x},
                    {"Conventions": "CF-1.8", "title": "reprojected from EPSG:4326 to EPSG:32633"}).rio.write_crs("EPSG:32633")
    write(ds, c, 3, {"band_data": (32, 32)}, extra={"band_data": dict(_FillValue=np.int16(-32768))})
    shutil.copytree(c, f)

    def ed(o):
        o["attributes"]["nodata"] = "nan"; o["attributes"].pop("_FillValue"); o["fill_value"] = 0
    v3edit(f, "band_data", ed)
    put(f, "band_data", np.where(inside, v, 0))
    a, b = quiet(lambda: load(c)), load(f)
    assert int(np.isnan(a.band_data).sum()) == (~inside).sum() > 800 and b.band_data.dtype == np.int16 and (b.band_data.values == 0).sum() == (~inside).sum() and v.min() > 300
    done(s, "xarray-contrib/xarray-spatial#2185", "Reprojection of an integer raster with the default nodata NaN: NaN does not fit in int16, so the border outside the source became valid zeros (about 39 % of the cells) while the attribute nodata still says nan.",
         "band_data: int16 with nodata nan, no _FillValue, zeros in the rotated border", "nodata|int16|zero|border|_fillvalue")


# 18 ------------------------------------------------------------------ BOA offset flag
def c18():
    s = "18-s2-boa-offset-flag-wrong"
    c, f = start(s)
    nt, ny, nx = 12, 24, 24
    t = pd.date_range("2022-01-05T10:31", periods=nt, freq="5D")
    land = smooth((ny, nx), 180, 1, .02) > -.1
    b4 = np.where(land, 900 + 300 * np.sin(np.arange(nt) / 5)[:, None, None], 180) * (1 + .12 * smooth((nt, ny, nx), 18, 1))
    b8 = np.where(land, 2600, 130) * (1 + .1 * smooth((nt, ny, nx), 181, 1))
    base = np.where(t < "2022-01-25", 3.01, 4.00)
    applied = np.zeros(nt, bool); applied[7:] = True           # the producer subtracts the offset from index 7 on
    add = np.where((base >= 4) & ~applied, 1000, 0)[:, None, None]
    dn = [np.round(q.clip(1) + add).astype("u2") for q in (b4, b8)]
    at = lambda n, w: {"long_name": n, "units": "1", "wavelength": w, "quantification_value": 10000, "BOA_ADD_OFFSET": -1000, "comment": "reflectance = DN / 10000; where processing_baseline >= 04.00 and boa_offset_applied is False, reflectance = (DN - 1000) / 10000"}
    ds = xr.Dataset({"red": (("time", "y", "x"), dn[0], at("B04 surface reflectance", .665)), "nir": (("time", "y", "x"), dn[1], at("B08 surface reflectance", .842))},
                    {"time": ("time", t.values.astype("M8[ns]"), {"standard_name": "time"}), "x": ("x", 600005.0 + 10 * np.arange(nx), {"standard_name": "projection_x_coordinate", "units": "m"}), "y": ("y", 3999995.0 - 10 * np.arange(ny), {"standard_name": "projection_y_coordinate", "units": "m"}),
                     "processing_baseline": ("time", np.round(base, 2)), "boa_offset_applied": ("time", applied), "id": ("time", np.array([f"S2{'AB'[k % 2]}_52SFA_{d:%Y%m%d}_0_L2A" for k, d in enumerate(t)], object))},
                    {"Conventions": "CF-1.8", "collection": "sentinel-2-l2a", "title": "Earth Search Sentinel-2 L2A COGs, tile 52SFA", "proj:epsg": 32652})
    write(ds, c, 2, {"red": (4, 24, 24), "nir": (4, 24, 24)}, "seconds since 2022-01-05 10:31:00")
    shutil.copytree(c, f)
    bad = applied.copy(); bad[7:10] = False
    put(f, "boa_offset_applied", bad)
    refl = lambda q: (q.red.astype("f8") - 1000 * ((q.processing_baseline >= 4) & ~q.boa_offset_applied)) / 1e4
    a, b = healthy(c), load(f)
    assert refl(a).min() > 0 and (refl(b)[7:10] < 0).mean() > .4 and np.array_equal(refl(a)[:7], refl(b)[:7]) and np.array_equal(a.red, b.red)
    done(s, "Element84/earth-search#66", "boa_offset_applied is False for three scenes of baseline 04.00 (2022-02-09 to 2022-02-19) though the offset of 1000 has already been subtracted from their counts: treated as the flag says they give negative reflectances.",
         "boa_offset_applied at time 7-9 disagrees with the counts (1000 lower than the other unapplied scenes)", "boa_offset_applied|offset|1000|baseline")


# 19 ------------------------------------------------------------------ default fill value in a coordinate
def c19():
    s = "19-fv3-oro-lon-lat-default-fill"
    c, f = start(s)
    ny, nx = 40, 56
    lo, la = np.round(262.4 + .03 * np.arange(nx), 4), np.round(21.7 + .028 * np.arange(ny), 4)
    gl, ga = np.meshgrid(lo, la)
    land = smooth((ny, nx), 19, 1, .02) > 0
    h = np.where(land, 40 + 260 * np.abs(smooth((ny, nx), 190, 1)), 0)
    F = lambda v, n, u="none": (("lat", "lon"), v.astype("f4"), {"long_name": n, "units": u, "coordinates": "geolon geolat"})
    ds = xr.Dataset({"slmsk": F(land, "land-sea mask"), "orog_raw": F(h, "unfiltered orography", "m"), "orog_filt": F(h * .93, "filtered orography", "m"), "stddev": F(np.where(land, 12 + 8 * np.abs(smooth((ny, nx), 191, 1)), 0), "standard deviation of the orography", "m"),
                     "geolon": (("lat", "lon"), (gl + .002 * (ga - 22)).astype("f4"), {"long_name": "Longitude", "units": "degrees_east"}), "geolat": (("lat", "lon"), (ga - .001 * (gl - 263)).astype("f4"), {"long_name": "Latitude", "units": "degrees_north"})},
                    {"lon": ("lon", lo.astype("f4"), {"cartesian_axis": "X", "units": "degrees_east", "standard_name": "longitude"}), "lat": ("lat", la.astype("f4"), {"cartesian_axis": "Y", "units": "degrees_north", "standard_name": "latitude"})},
                    {"title": "C768_oro_data.tile7.halo0", "Conventions": "CF-1.6", "history": "fv3gfs_make_orog; shave"})
    for v in ("slmsk", "orog_raw", "orog_filt", "stddev"):
        ds[v].attrs.pop("coordinates")
    ds = ds.set_coords(["geolon", "geolat"])
    write(ds, c, 3, {v: (20, 28) for v in ds.data_vars})
    shutil.copytree(c, f)
    FV = np.float32(9.969209968386869e36)
    a = lo.astype("f4"); a[44:] = FV; put(f, "lon", a)
    a = la.astype("f4"); a[33:] = FV; put(f, "lat", a)
    healthy(c)
    b = load(f)
    assert (b.lon.values > 1e30).sum() == 12 and (b.lat.values > 1e30).sum() == 7 and np.isfinite(b.geolon).all()
    done(s, "ufs-community/UFS_UTILS#11", "The coordinate variables lon and lat of the regional orography are only partly filled: their ends hold the netCDF default fill value 9.96921e+36 (12 of 56, 7 of 40) while geolon/geolat are right.",
         "lon[44:], lat[33:] = 9.96921e+36 (NC_FILL_FLOAT): unwritten coordinate values", "9.96|e+36|e36|nc_fill|netcdf default")


# 20 ------------------------------------------------------------------ forecast step times
def c20():
    s = "20-weathergen-step-times-constant"
    c, f = start(s)
    g = zarr.open_group(c, mode="w", zarr_format=2)
    g.attrs.put({"run_id": "jhty3fja", "stage": "inference", "streams": ["ERA5"], "forecast_steps": [1, 2, 3, 4], "step_hrs": 6, "len_hrs": 6, "channels": ["2t", "10u", "10v", "z_500"]})
    n = 180
    r = rng(20)
    la = np.degrees(np.arcsin(1 - 2 * (np.arange(n) + .5) / n)); lo = (np.arange(n) * 137.50776) % 360 - 180
    base = np.stack([288 - 40 * np.sin(np.radians(la)) ** 2, 0 * la, 0 * la, 56000 - 6000 * np.sin(np.radians(la)) ** 2], 1)
    amp = np.array([4, 5, 5, 500])
    for smp in range(2):
        for k in range(1, 5):
            t = np.datetime64("2022-10-01T00:00:00", "s") + np.timedelta64(24 * smp * 3600 + 6 * k * 3600, "s")
            wave = np.stack([np.sin(np.radians(lo * m + 40 * k + 9 * smp)) * np.cos(np.radians(la)) for m in (1, 2, 3, 2)], 1)
            tg = (base + amp * wave + .1 * amp * r.standard_normal((n, 4))).astype("f4")
            for nm, v in (("target", tg), ("prediction", (tg + .2 * amp * k ** .5 * r.standard_normal((n, 4))).astype("f4")[:, None])):
                h = g.create_group(f"{smp}/ERA5/{k}/{nm}")
                h.attrs["channels"] = ["2t", "10u", "10v", "z_500"]
                arr(h, "data", v, v.shape, {"_ARRAY_DIMENSIONS": ["ipoint", "channel"] if nm == "target" else ["ipoint", "ens", "channel"]})
                if nm == "target":
                    arr(h, "coords", np.stack([la, lo], 1).astype("f4"), (n, 2), {"_ARRAY_DIMENSIONS": ["ipoint", "latlon"]})
                    z = h.create_array("times", shape=(n,), chunks=(n,), dtype="M8[s]", compressors=[BL], fill_value=np.datetime64("NaT")); z[:] = np.full(n, t); z.attrs["_ARRAY_DIMENSIONS"] = ["ipoint"]
    shutil.copytree(c, f)
    w = zarr.open_group(f, mode="r+")
    for smp in range(2):
        for k in (2, 3, 4):
            w[f"{smp}/ERA5/{k}/target/times"][:] = w[f"{smp}/ERA5/1/target/times"][:]
    u = lambda q: [str(zarr.open_group(q, mode="r")[f"0/ERA5/{k}/target/times"][0]) for k in range(1, 5)]
    quiet(lambda: u(c))
    assert len(set(u(c))) == 4 and len(set(u(f))) == 1
    done(s, "ecmwf/WeatherGenerator#1659", "The target times do not advance with the forecast step: steps 2, 3 and 4 carry the times of step 1 although the data differ and step_hrs is 6.",
         "*/ERA5/2..4/target/times identical to step 1", "target/times|identical|same times|advance|forecast step")


# 21 ------------------------------------------------------------------ projection coordinates on a geographic grid
def c21():
    import rioxarray  # noqa
    s = "21-seviri-latlon-area-metre-axes"
    c, f = start(s)
    ny, nx = 40, 60
    x = xr.Variable("x", np.round(-9.95 + .1 * np.arange(nx), 3), {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east", "axis": "X"})
    y = xr.Variable("y", np.round(49.95 - .1 * np.arange(ny), 3), {"standard_name": "latitude", "long_name": "latitude", "units": "degrees_north", "axis": "Y"})
    v = (276 + smooth((4, ny, nx), 21, 11, .03)).astype("f4")
    ds = xr.Dataset({"IR_108": (("time", "y", "x"), v, {"standard_name": "toa_brightness_temperature", "long_name": "IR_108", "units": "K", "sensor": "seviri", "platform_name": "Meteosat-11"})},
                    {"time": times("2022-10-06T12:00", 4, "15min"), "y": y, "x": x}, {"Conventions": "CF-1.7", "history": "Created by pytroll/satpy on 2022-10-06 12:35:11"}).rio.write_crs("EPSG:4326", grid_mapping_name="world4326")
    ds.world4326.attrs.pop("GeoTransform", None)
    write(ds, c, 2, {"IR_108": (2, 20, 30)}, "seconds since 2022-10-06 12:00:00")
    shutil.copytree(c, f)
    for n in "xy":
        v2edit(f, n, ".zattrs", lambda o: o.update(standard_name=f"projection_{n}_coordinate", long_name=f"{n} coordinate of projection", units="m"))
    a, b = healthy(c), load(f)
    assert b.x.units == "m" and a.world4326.attrs["grid_mapping_name"] == b.world4326.attrs["grid_mapping_name"] == "latitude_longitude" and np.array_equal(a.x, b.x)
    done(s, "pytroll/satpy#2227", "The CF writer labels x and y of a geographic area as projection_x/y_coordinate in metres, although the grid mapping world4326 is latitude_longitude and the values are degrees.",
         "x / y: units m and projection_*_coordinate contradict grid mapping latitude_longitude (values are degrees)", "projection_x_coordinate|latitude_longitude|degree|metre|geographic")


# 22 ------------------------------------------------------------------ chunk files of the full size
def c22():
    s = "22-nczarr-fortran-full-size-chunks"
    c, f = start(s)
    v = (1.9 + smooth((64, 64), 22, .7)).clip(.05).astype("f4"); p = (8.5 + smooth((64, 64), 23, 1.5)).astype("f4")
    ds = xr.Dataset({"hs": (("lat", "lon"), v, {"standard_name": "sea_surface_wave_significant_height", "long_name": "significant height of wind and swell waves", "units": "m"}), "tp": (("lat", "lon"), p, {"standard_name": "sea_surface_wave_period_at_variance_spectral_density_maximum", "long_name": "peak period", "units": "s"})},
                    {"lat": lat(64, -42.0, -38.85), "lon": lon(64, 172.0, 175.15)}, {"Conventions": "CF-1.6", "title": "SWAN hindcast, 2023-02-13T00:00Z", "_NCProperties": "version=2,netcdf=4.9.2,nczarr=2.0.0"})
    write(ds, c, 2, {"hs": (32, 32), "tp": (64, 64)}, extra={"hs": dict(compressors=None), "tp": dict(compressors=None)})
    shutil.copytree(c, f)
    whole = v.astype("<f4").tobytes()
    for k in ("0.0", "0.1", "1.0", "1.1"):
        q = f / "hs" / k
        assert q.stat().st_size == 4096
        q.write_bytes(whole)
    a = healthy(c)
    assert np.array_equal(a.hs, v) and (f / "hs/0.0").stat().st_size == 16384
    print("   22:", raises(lambda: load(f))[:90])
    done(s, "Unidata/netcdf-fortran#487", "NCZarr output from the Fortran API: each chunk file of hs has the size of the whole variable (16384 bytes) though .zarray declares chunks of 32 x 32 float32 (4096 bytes), so it cannot be reshaped.",
         "hs chunk files 0.0, 0.1, 1.0, 1.1: 16384 bytes instead of 4096, do not fit the declared chunk shape", "16384|4096|chunk shape|reshape|too large|longer")


# 23 ------------------------------------------------------------------ order F
def c23():
    s = "23-webknossos-order-f-layout-c"
    c, f = start(s)
    z, y, x = 8, 64, 64
    g0 = rng(23)
    v = 120 + 30 * smooth((z, y, x), 23, 1, .03)
    m = np.abs(smooth((z, y, x), 230, 1, .0)) < .09
    v[m] -= 60
    v = (v + g0.normal(0, 5, v.shape)).clip(0, 255).astype("u1")
    g, _ = ome_image(c, v, "zyx", (28.0, 11.24, 11.24), {"z": "nanometer", "y": "nanometer", "x": "nanometer"}, 2, (4, 32, 32), (2,), name="color")
    for q in c.iterdir():                                      # plain, uncompressed chunks as in the report
        if (q / ".zarray").exists():
            a = zarr.open_array(q, mode="r")[...]
            o = jl(q / ".zarray"); o["compressor"] = None
            shutil.copy(q / ".zattrs", OUT / "zattrs.tmp") if (q / ".zattrs").exists() else None
            shutil.rmtree(q); q.mkdir(); jd(q / ".zarray", o)
            if (OUT / "zattrs.tmp").exists():
                shutil.move(OUT / "zattrs.tmp", q / ".zattrs")
            zarr.open_array(q, mode="r+")[...] = a
    assert not (c / ".zmetadata").exists()
    shutil.copytree(c, f)
    for q in f.iterdir():
        if (q / ".zarray").exists():
            v2edit(f, q.name, ".zarray", lambda o: o.update(order="F"))
    la = ome_ok(c)
    name = sorted(q.name for q in c.iterdir() if (q / ".zarray").exists())[0]
    r = zarr.open_array(f / name, mode="r")[...]
    rough = lambda a: float(np.abs(np.diff(a.astype(float), axis=2)).mean())
    assert np.array_equal(la[0], v) and rough(r) > 1.5 * rough(v) and not np.array_equal(r, v)
    done(s, "zarr-developers/zarr-python#1279", "The uncompressed chunks were written in C order while .zarray declares order F: every chunk reads transposed/scrambled inside.",
         "order F in .zarray does not fit the C layout of the chunk bytes (both levels), image is scrambled block by block", "fortran|scrambl|order f|order: f|'f'|transpos")


# 24 ------------------------------------------------------------------ trailing bytes
def c24():
    s = "24-z5-blosc-chunks-trailing-bytes"
    c, f = start(s)
    v = (128 + 26 * smooth((24, 48, 48), 24, 1, .05)).clip(0, 255).astype("u1")
    g = zarr.open_group(c, mode="w", zarr_format=2)
    h = g.create_group("volumes")
    h.attrs.put({"resolution": [40.0, 4.0, 4.0], "offset": [0.0, 0.0, 0.0], "unit": "nm"})
    arr(h, "raw", v, (12, 24, 24), {"resolution": [40.0, 4.0, 4.0], "offset": [0.0, 0.0, 0.0]})
    lab = np.cumsum(np.cumsum(smooth((24, 48, 48), 241, 1, 0) > 0, 1) > 14, 2).astype("u8") // 9
    arr(h, "segmentation", lab, (12, 24, 24), {"resolution": [40.0, 4.0, 4.0], "maxId": int(lab.max())})
    shutil.copytree(c, f)
    n = 0
    for p in (f / "volumes").rglob("*.*.*"):
        if p.name[0].isdigit():
            p.write_bytes(p.read_bytes() + b"\0" * 16); n += 1
    cb = lambda p: struct.unpack("<I", p.read_bytes()[12:16])[0]
    r = quiet(lambda: zarr.open_group(c, mode="r")["volumes/raw"][...])
    assert n == 16 and np.array_equal(r, v)
    for q, extra in ((c, 0), (f, 16)):
        assert all(p.stat().st_size == cb(p) + extra for p in (q / "volumes/raw").glob("[0-9]*"))
    done(s, "zarr-developers/zarr_implementations#34", "Every blosc chunk file is 16 bytes (BLOSC_MAX_OVERHEAD, zeros) longer than the compressed size in its own blosc header, as z5py writes them; strict readers reject them.",
         "chunk files: 16 trailing zero bytes after the blosc buffer (file size = cbytes + 16)", "trailing|16 bytes|blosc header|longer|cbytes|extra")


# 25 ------------------------------------------------------------------ fill value of the time coordinate
def c25():
    s = "25-combined-first-time-is-fill"
    c, f = start(s)
    nt = 24
    v = (287 + 6 * np.sin((np.arange(nt) - 8) / 24 * 2 * np.pi)[:, None, None] + smooth((nt, 24, 24), 25, 2)).astype("f4")
    ds = xr.Dataset({"air_temperature_at_2_metres": (("time", "lat", "lon"), v, {"standard_name": "air_temperature", "long_name": "2 metre temperature", "units": "K", "nameECMWF": "2 metre temperature", "shortNameECMWF": "2t"})},
                    {"time": times("2020-01-01", nt, "h"), "lat": lat(24, 52.0, 46.25), "lon": lon(24, 5.0, 10.75)}, {"Conventions": "CF-1.6", "title": "ERA5 forecasts, combined from hourly files", "institution": "ECMWF"})
    write(ds, c, 2, {"air_temperature_at_2_metres": (1, 24, 24)}, "hours since 2020-01-01 00:00:00", {"time": {"chunks": (1,)}})
    o = jl(c / "time/.zarray")
    assert o["fill_value"] is None
    shutil.copytree(c, f)
    v2edit(f, "time", ".zarray", lambda o: o.update(fill_value=0))
    a, b = healthy(c), load(f)
    assert not np.isnat(a.time.values).any() and np.isnat(b.time.values[0]) and not np.isnat(b.time.values[1:]).any() and zarr.open_group(f, mode="r")["time"][0] == 0
    done(s, "fsspec/kerchunk#115", "The combined time coordinate has fill_value 0 although 0 is its first valid value (0 hours since 2020-01-01), so the first time is taken as missing (NaT).",
         "time/.zarray fill_value 0 equals the first encoded time; first time decodes to NaT", "fill_value|first time|first value|masked")


# 26 ------------------------------------------------------------------ fill value as a string
def c26():
    s = "26-n5-zarr3-fill-value-string"
    c, f = start(s)
    img, _ = nuclei((96, 96), 60, 26, (3.5, 6))
    st = np.stack([img, (img * .4 + 60).astype("u2")])
    g, _ = ome_image(c, st, "cyx", (1, .16, .16), {"y": "micrometer", "x": "micrometer"}, 3, (1, 48, 48), (2,), channels=[("GFP", "00FF00"), ("mCherry", "FF0000")])
    shutil.copytree(c, f)
    ns = [q.name for q in f.iterdir() if q.is_dir()]
    for n in ns:
        v3edit(f, n, lambda o: o.update(fill_value="0"))
    ome_ok(c)
    assert all(jl(f / n / "zarr.json")["fill_value"] == "0" and jl(c / n / "zarr.json")["fill_value"] == 0 for n in ns) and len(ns) == 2
    done(s, "zarr-developers/zarr-python#3356", "The fill_value of the uint16 arrays is the JSON string \"0\" instead of the number 0 (N5 API writer), which is no valid fill value of an integer data type.",
         "*/zarr.json: fill_value \"0\" is a string, not an integer of data_type uint16", "fill_value|string|\"0\"|not an integer|uint16")


# 27 ------------------------------------------------------------------ shard index checksum
def c27():
    s = "27-shard-index-checksum-mismatch"
    c, f = start(s)
    v = (101325 + smooth((8, 32, 32), 27, 900, .03)).astype("f4")
    ds = xr.Dataset({"pressure_reduced_to_mean_sea_level": (("time", "latitude", "longitude"), v, {"long_name": "Pressure reduced to MSL", "short_name": "prmsl", "standard_name": "air_pressure_at_mean_sea_level", "units": "Pa", "step_type": "instant"})},
                    {"time": times("2025-03-01", 8, "6h"), "latitude": ("latitude", np.round(50 - .25 * np.arange(32), 2), {"standard_name": "latitude", "units": "degrees_north"}), "longitude": ("longitude", np.round(-30 + .25 * np.arange(32), 2), {"standard_name": "longitude", "units": "degrees_east"})},
                    {"Conventions": "CF-1.9", "title": "NOAA GFS analysis", "dataset_id": "noaa-gfs-analysis"})
    n = "pressure_reduced_to_mean_sea_level"
    write(ds, c, 3, {n: (4, 8, 8)}, "seconds since 1970-01-01 00:00:00", {n: {"shards": (4, 16, 16)}})
    shutil.copytree(c, f)
    q = f / n / "c/1/0/1"
    b = bytearray(q.read_bytes())
    other = (f / n / "c/0/0/1").read_bytes()
    assert b[-68:-36] != other[-68:-36]
    b[-36:-4] = other[-36:-4]                                # two of the four index entries from another write, old checksum
    q.write_bytes(bytes(b))
    healthy(c)
    m = raises(lambda: load(f))
    assert "checksum" in m.lower(), m
    done(s, "zarr-developers/zarr-python#3169", "The index of the shard c/1/0/1 is a mixture of two writes: its CRC32C does not match the stored checksum, so no inner chunk of the shard can be read.",
         n + ": shard c/1/0/1, index checksum (crc32c) mismatch", "shard|checksum|crc|c/1/0/1")


# 28 ------------------------------------------------------------------ groups hidden by the consolidated metadata
def c28():
    s = "28-consolidated-hides-new-group"
    c, f = start(s)
    la, lo = lat(16, 66.25, 77.5), lon(20, -20.0, 18.0)
    mk = lambda v, at, seed: xr.Dataset({v: (("time", "lat", "lon"), at.pop("v"), at)}, {"time": times("2024-03-01", 10, "D"), "lat": la, "lon": lo})
    T = {"/ocean": mk("thetao", {"v": (1.5 + smooth((10, 16, 20), 28, 2)).astype("f4"), "standard_name": "sea_water_potential_temperature", "units": "degC", "long_name": "surface temperature"}, 1),
         "/wave": mk("VHM0", {"v": (2.4 + smooth((10, 16, 20), 29, .8)).clip(.1).astype("f4"), "standard_name": "sea_surface_wave_significant_height", "units": "m", "long_name": "significant wave height"}, 2),
         "/seaice": mk("siconc", {"v": (.5 + smooth((10, 16, 20), 30, .5)).clip(0, 1).astype("f4"), "standard_name": "sea_ice_area_fraction", "units": "1", "long_name": "ice concentration"}, 3)}
    T["/"] = xr.Dataset(attrs={"Conventions": "CF-1.8", "title": "Arctic analysis and forecast", "institution": "MET Norway"})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        xr.DataTree.from_dict(T).to_zarr(c, mode="w", zarr_format=3, consolidated=True)
    shutil.copytree(c, f)
    m = jl(f / "zarr.json")
    cm = m["consolidated_metadata"]["metadata"]
    for k in [k for k in cm if k == "seaice" or k.startswith("seaice/")]:
        del cm[k]
    jd(f / "zarr.json", m)
    op = lambda q, **k: set(xr.open_datatree(q, engine="zarr", **k).children)
    assert quiet(lambda: op(c)) == {"ocean", "wave", "seaice"} == op(f, consolidated=False) and op(f) == {"ocean", "wave"} and (f / "seaice/siconc/zarr.json").exists()
    done(s, "earth-mover/icechunk#962", "The root group carries consolidated metadata from before the group seaice was added: seaice and its arrays exist in the store but are invisible to a reader that trusts it.",
         "consolidated_metadata of the root zarr.json lacks the group seaice (stale)", "consolidated|seaice|stale|not listed")


# 29 ------------------------------------------------------------------ transpose order F
def c29():
    s = "29-gdal-transpose-order-f-string"
    c, f = start(s)
    v = (.24 + smooth((6, 40, 32), 29, .09)).clip(0, 1).astype("f4")
    g = zarr.open_group(c, mode="w", zarr_format=3)
    g.attrs.put({"Conventions": "CF-1.8", "title": "MODIS MCD43A3 white-sky albedo, h18v04 subset", "source": "gdal mdim convert 3.11"})
    D = ("time", "y", "x")
    crs = {"wkt": "GEOGCRS[\"WGS 84\",DATUM[\"World Geodetic System 1984\",ELLIPSOID[\"WGS 84\",6378137,298.257223563]],CS[ellipsoidal,2],AXIS[\"geodetic latitude (Lat)\",north],AXIS[\"geodetic longitude (Lon)\",east],UNIT[\"degree\",0.0174532925199433],ID[\"EPSG\",4326]]"}
    z = g.create_array("albedo", shape=v.shape, chunks=(3, 20, 32), dtype="f4", filters=[TransposeCodec(order=(2, 1, 0))], serializer=BytesCodec(), compressors=[ZstdCodec(level=3)], fill_value=np.float32(np.nan), dimension_names=D,
                       attributes={"standard_name": "surface_albedo", "long_name": "white-sky albedo, shortwave broadband", "units": "1", "_CRS": crs})
    z[...] = v
    for n, q, a in (("time", np.arange(6) * 8, {"units": "days since 2023-06-01", "standard_name": "time", "calendar": "proleptic_gregorian"}), ("y", 47.975 - .05 * np.arange(40), {"standard_name": "latitude", "units": "degrees_north"}), ("x", 7.025 + .05 * np.arange(32), {"standard_name": "longitude", "units": "degrees_east"})):
        w = g.create_array(n, shape=q.shape, chunks=q.shape, dtype=q.dtype, dimension_names=(n,), attributes=a, compressors=[ZstdCodec(level=3)]); w[...] = q
    shutil.copytree(c, f)

    def ed(o):
        t = [k for k in o["codecs"] if k["name"] == "transpose"]
        assert t[0]["configuration"]["order"] == [2, 1, 0]
        t[0]["configuration"]["order"] = "F"
    v3edit(f, "albedo", ed)
    d = healthy(c, consolidated=False)
    assert np.array_equal(d.albedo, v)
    print("   29:", raises(lambda: zarr.open_array(f / "albedo", mode="r")[...])[:100])
    done(s, "OSGeo/gdal#13258", "The transpose codec of albedo has order \"F\" (the form of a draft of the specification, as GDAL wrote it) instead of the permutation [2, 1, 0].",
         "albedo/zarr.json: transpose codec, order \"F\" is no permutation of the axes", "transpose|permutation|\"f\"|codec")


# 30 ------------------------------------------------------------------ chunk separator of NGFF
def c30():
    s = "30-hcs-chunks-dot-separator"
    c, f = start(s)
    g = zarr.open_group(c, mode="w", zarr_format=2)
    g.attrs.put({"plate": {"name": "custom_plate", "version": "0.4", "rows": [{"name": "A"}], "columns": [{"name": "1"}, {"name": "2"}], "field_count": 1, "acquisitions": [{"id": 0, "name": "default"}], "wells": [{"path": "A/1", "rowIndex": 0, "columnIndex": 0}, {"path": "A/2", "rowIndex": 0, "columnIndex": 1}]}})
    g.create_group("A")
    tmp = OUT / "ome.tmp"
    for k in (1, 2):
        w = g.create_group(f"A/{k}"); w.attrs.put({"well": {"version": "0.4", "images": [{"path": "0", "acquisition": 0}]}})
        img, _ = nuclei((96, 96), 64, 300 + k, (3, 5))
        ome_image(tmp, img, "yx", (.325, .325), {"y": "micrometer", "x": "micrometer"}, 2, (48, 48), (2,), name=f"A{k}")
        shutil.move(tmp, c / f"A/{k}/0")
    shutil.copytree(c, f)
    n = 0
    for z in sorted(f.rglob(".zarray")):
        o = jl(z); assert o.pop("dimension_separator") == "/"; jd(z, o)
        for p in sorted(z.parent.rglob("*")):
            if p.is_file() and p.name.isdigit():
                p.rename(z.parent / f"{p.parent.name}.{p.name}"); n += 1
        for p in [p for p in z.parent.iterdir() if p.is_dir()]:
            p.rmdir()
    assert not list(f.rglob(".zmetadata"))
    ome_ok(c / "A/1/0")
    nm = sorted(p.name for p in (c / "A/1/0").iterdir() if p.is_dir())[0]
    assert n == 2 * (4 + 1) and np.array_equal(zarr.open_array(c / "A/1/0" / nm, mode="r")[...], zarr.open_array(f / "A/1/0" / nm, mode="r")[...]) and (f / "A/1/0" / nm / "0.0").exists()
    done(s, "ome/napari-ome-zarr#39", "The plate was written with dask.to_zarr: the chunks are named \"0.0\" (separator \".\", no dimension_separator in .zarray) although NGFF 0.4 requires \"/\"; NGFF readers show black images.",
         "A/*/0/* arrays: dimension_separator missing / chunk keys with dot, NGFF since 0.2 requires the / separator", "dimension_separator|separator|slash|nested")


if __name__ == "__main__":
    for i in range(1, 31):
        globals()[f"c{i:02d}"]()
    shutil.rmtree(OUT / "ome.tmp", ignore_errors=True)
    for q in OUT.glob("[0-9][0-9]-*"):
        if q.name not in CASES:
            shutil.rmtree(q)
    used = set(Path("/tmp/used_threads.txt").read_text().split())
    th = [r[1] for r in ROWS]
    assert len(ROWS) == 30 and len(set(th)) == 30 and not used & set(th)
    jd(OUT / "cases.json", CASES)
    with open(OUT / "answers.md", "w") as o:
        o.write("| NN-slug | thread | fault in one sentence | what a good answer names |\n|---|---|---|---|\n")
        for r in ROWS:
            o.write("| " + " | ".join(x.replace("|", "\\|") for x in r) + " |\n")
    print("all thirty written and checked")
