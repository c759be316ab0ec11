"""Blind set 12: thirty faulty Zarr stores and their clean twins. python blind12.py [numbers]"""
import importlib.metadata as M; _v = M.version
M.version = lambda n: "1.0.1" if n == "zfpy" else _v(n)
import sys, os, json, shutil, zipfile, warnings, copy
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr, anndata as ad
from scipy.ndimage import gaussian_filter
warnings.simplefilter("ignore")
ROOT = Path(os.environ.get("OUT", "/tmp/blind12"))
rng = lambda n: np.random.default_rng(121000 + n)
CASES = {}
def case(n, name, thread, fault, answer, words):
    def d(c): CASES[n] = (f"{n:02d}-{name}", thread, fault, answer, words, c); return c
    return d
J = lambda p: json.loads(Path(p).read_text())
def W(p, o): Path(p).write_text(json.dumps(o, indent=2))
def edit(p, fn): o = J(p); r = fn(o); W(p, o if r is None else r)
def raises(f, *a):
    try: f(*a)
    except Exception as e: return e
    raise AssertionError("no error")
def smooth(g, shape, lo, hi, s=4):
    a = gaussian_filter(g.normal(size=shape), [0]*(len(shape)-2)+[s, s]); a = (a-a.min())/(a.max()-a.min()); return lo+a*(hi-lo)
op = lambda p, **k: xr.open_zarr(p, **k).load()
def finite(ds):
    for v in ds.variables.values():
        if v.dtype.kind == "f": assert np.isfinite(v.values).all()
# ---- CF fields
def grid(g, nt, ny, nx, vars, t0="2021-03-23", freq="h", lat=(60, 40), lon=(0, 30)):
    c = {"time": ("time", pd.date_range(t0, periods=nt, freq=freq), {"standard_name": "time", "axis": "T"}),
         "latitude": ("latitude", np.linspace(*lat, ny), {"standard_name": "latitude", "units": "degrees_north", "axis": "Y"}),
         "longitude": ("longitude", np.linspace(*lon, nx), {"standard_name": "longitude", "units": "degrees_east", "axis": "X"})}
    dv = {}
    for name, (lo, hi, at) in vars.items():
        dv[name] = (("time", "latitude", "longitude"), smooth(g, (nt, ny, nx), lo, hi).astype("f4"), at)
    return xr.Dataset(dv, c, {"Conventions": "CF-1.8", "title": "Gridded fields", "institution": "Test centre", "source": "NWP model"})
TENC = {"units": "hours since 1970-01-01", "dtype": "i8", "calendar": "proleptic_gregorian"}
def wr(ds, p, f=2, chunks=None, enc=None, **k):
    e = {"time": dict(TENC)} if "time" in ds and ds.time.dtype.kind == "M" else {}
    for v, c in (chunks or {}).items(): e.setdefault(v, {})["chunks"] = c
    for v, x in (enc or {}).items(): e.setdefault(v, {}).update(x)
    ds.to_zarr(p, mode="w", zarr_format=f, consolidated=True, encoding=e, **k)
# ---- OME
def down(a, f):
    sl = []
    for d in range(a.ndim): sl += [a.shape[d]//f[d], f[d]]
    a = a[tuple(slice(0, (s//k)*k) for s, k in zip(a.shape, f))]
    return a.reshape(sl).mean(axis=tuple(range(1, 2*a.ndim, 2)))
TY = dict(t=("time", "second"), c=("channel", None), z=("space", "micrometer"), y=("space", "micrometer"), x=("space", "micrometer"))
def axes(s):
    o = []
    for k in s:
        a = {"name": k, "type": TY[k][0]}
        if TY[k][1]: a["unit"] = TY[k][1]
        o.append(a)
    return o
def chan(label, col, hi): return {"active": True, "coefficient": 1.0, "color": col, "family": "linear", "inverted": False, "label": label, "window": {"min": 0.0, "max": 65535.0, "start": 100.0, "end": float(hi)}}
def ome(p, data, ax, scale, ver="0.4", fac=(), paths=None, name="image", omero=None, chunks=None, sep="/", trans=False, label=None, shards=None, dt=None, extra=None, method="mean"):
    """one multiscale image as ome-zarr / ngff-zarr / bioformats2raw write it"""
    v3 = ver == "0.5"; g = zarr.open_group(p, mode="w", zarr_format=3 if v3 else 2)
    fs = [tuple(1 for _ in ax)] + [tuple(k if a in "yx" else 1 for a in ax) if isinstance(k, int) else k for k in fac]
    paths = paths or [str(i) for i in range(len(fs))]; ds = []
    for q, f in zip(paths, fs):
        a = (data if max(f) == 1 else data[tuple(slice(None, None, k) for k in f)] if method == "nearest" else down(data, f)).astype(dt or data.dtype)
        ch = tuple(min(c, s) for c, s in zip(chunks or (1,)*(a.ndim-2)+(32, 32), a.shape))
        k = dict(shape=a.shape, chunks=ch, dtype=a.dtype, fill_value=0)
        if v3: k.update(dimension_names=list(ax)); k.update(shards=tuple(shards) if shards else None)
        else: k.update(chunk_key_encoding={"name": "v2", "separator": sep})
        g.create_array(q, **k)[...] = a
        tr = [{"type": "scale", "scale": [float(s*m) for s, m in zip(scale, f)]}]
        if trans: tr.append({"type": "translation", "translation": [float(s*(m-1)/2) for s, m in zip(scale, f)]})
        ds.append({"path": q, "coordinateTransformations": tr})
    m = {"name": name, "axes": axes(ax), "datasets": ds}
    if not v3: m["version"] = ver
    at = {"multiscales": [m]}
    if omero: at["omero"] = {"channels": omero, "version": ver, "name": name} if not v3 else {"channels": omero}
    if label: at["image-label"] = ({"version": ver} if not v3 else {}) | {"source": {"image": "../../"}} | label
    g.attrs.put((({"ome": {"version": "0.5", **at}} if v3 else at)) | (extra or {})); return g
def cells(g, shape, hi=3000):
    a = gaussian_filter(g.normal(size=shape), [0]*(len(shape)-2)+[3, 3]); a = np.clip(a/a.std(), 0, None); return (200+a/a.max()*hi+g.normal(0, 5, shape)).astype("u2")
def ok_ome(p):
    from ome_zarr_models import open_ome_zarr
    return open_ome_zarr(str(p))
lv = lambda p, q="0": zarr.open_array(f"{p}/{q}", mode="r")[...]
# ---- AnnData
def adata(g, n=60, m=80, sparse=False, extra=True):
    import scipy.sparse as sp
    X = g.poisson(g.gamma(.6, 2, m), (n, m)).astype("f4")
    obs = pd.DataFrame({"n_genes": (X > 0).sum(1).astype("i8"), "total_counts": X.sum(1), "leiden": pd.Categorical(g.choice(list("0123"), n))}, index=[f"{''.join(g.choice(list('ACGT'), 12))}-{i+1}" for i in range(n)])
    var = pd.DataFrame({"gene_ids": [f"ENSG{100000+i:011d}" for i in range(m)], "n_cells": (X > 0).sum(0).astype("i8")}, index=[f"GENE{i}" for i in range(m)])
    a = ad.AnnData(X=sp.csr_matrix(X) if sparse else X, obs=obs, var=var)
    if extra: a.obsm["X_pca"] = g.normal(size=(n, 10)).astype("f4"); a.obsm["X_umap"] = (g.normal(size=(n, 2))*3).astype("f4")
    return a
def wad(a, p, f=3, chunks=None):
    o = ad.settings.zarr_write_format; ad.settings.zarr_write_format = f
    try: a.write_zarr(p, **({"chunks": chunks} if chunks else {}))
    finally: ad.settings.zarr_write_format = o
rad = lambda p: ad.read_zarr(p)
def zipdir(src, dst, prefix="", dup=False):
    with zipfile.ZipFile(dst, "w", zipfile.ZIP_STORED) as z:
        fl = sorted(q for q in Path(src).rglob("*") if q.is_file())
        for q in fl:
            if dup and q.name == ".zattrs": z.writestr(prefix+str(q.relative_to(src)), "{}")
        for q in fl: z.write(q, prefix+str(q.relative_to(src)))

@case(1, "time-length", "pydata/xarray#9685", "One variable (APCP_surface) of a GFS forecast store was written with 12 time steps, the others and the time coordinate have 13; xarray refuses the store.", "APCP_surface has length 12 on dimension time while time and every other variable have 13 (conflicting sizes).", "APCP_surface|time|12")
class _:
    def clean(p):
        g = rng(1); V = {"APCP_surface": (0, 8, dict(standard_name="precipitation_amount", units="kg m-2", long_name="Total precipitation")), "TMP_2maboveground": (265, 295, dict(standard_name="air_temperature", units="K", long_name="2 m temperature")),
             "GUST_surface": (0, 25, dict(standard_name="wind_speed_of_gust", units="m s-1", long_name="Wind gust")), "HGT_500mb": (5200, 5800, dict(standard_name="geopotential_height", units="m", long_name="Geopotential height at 500 hPa"))}
        wr(grid(g, 13, 24, 30, V), p, chunks={v: (1, 24, 30) for v in V})
    def fault(p):
        z = zarr.open_group(p, mode="r+", zarr_format=2, use_consolidated=False)["APCP_surface"]; d = z[1:]; z[:12] = d; z.resize((12, 24, 30)); (p/"APCP_surface/12.0.0").unlink(missing_ok=True); zarr.consolidate_metadata(p, zarr_format=2)
    def check(c, f): finite(op(c)); assert "conflicting sizes" in str(raises(op, f))

@case(2, "chunk-gone", "pydata/xarray#5197", "One chunk file of a complete array was lost (rm myarr/1.0); the block reads as NaN without any error.", "Chunk 1.2 of t2m is not in the store, so a block in the middle of the field reads as NaN (fill value).", "t2m|1.2")
class _:
    def clean(p):
        g = rng(2); d = grid(g, 1, 40, 60, {"t2m": (268, 300, dict(standard_name="air_temperature", units="K", long_name="2 metre temperature"))}).isel(time=0, drop=True)
        wr(d, p, chunks={"t2m": (10, 15)})
    def fault(p): (p/"t2m/1.2").unlink()
    def check(c, f): finite(op(c)); assert np.isnan(op(f).t2m.values).sum() == 150

@case(3, "chunks-missing-v3", "google/xarray-beam#195", "A Dataflow pipeline wrote a V3 store but a few time chunks never arrived; those hours are NaN.", "Chunks 7 and 15 (along time) of eastward_wind are missing though every other chunk of it and of northward_wind is there.", "eastward_wind|chunk|7")
class _:
    def clean(p):
        g = rng(3); V = {f"{k}_wind": (-15, 20, dict(standard_name=f"{k}_wind", units="m s-1", long_name=f"10 m {k} wind")) for k in ("eastward", "northward")}
        wr(grid(g, 24, 20, 24, V), p, 3, chunks={v: (1, 20, 24) for v in V}, enc={v: {"fill_value": np.float32("nan")} for v in V})
    def fault(p):
        for t in (7, 15): (p/f"eastward_wind/c/{t}/0/0").unlink()
    def check(c, f): finite(op(c)); assert np.isnan(op(f).eastward_wind.values).all((1, 2)).sum() == 2

@case(4, "char-alleles", "pydata/xarray#4405", "Alleles were stored as single bytes (|S1) in a (variants, alleles) array; xarray takes the trailing dimension for characters, joins it and the alleles dimension is lost.", "variant_allele is |S1 with a trailing dimension 'alleles': readers join it as characters and the alleles dimension disappears.", "variant_allele|S1")
class _:
    def ds(dt):
        g = rng(4); n, s = 60, 8; a = np.array([g.choice(list("ACGT"), 2, replace=False) for _ in range(n)]).astype(dt)
        return xr.Dataset({"variant_contig": ("variants", np.repeat([0, 1], n//2).astype("i1")), "variant_position": ("variants", np.concatenate([np.sort(g.choice(90000, n//2, replace=False)) for _ in range(2)]).astype("i4")),
            "variant_allele": (("variants", "alleles"), a), "sample_id": ("samples", np.array([f"S{i:02d}" for i in range(s)], "U3")), "contig_id": ("contigs", np.array(["chr20", "chr21"], "U5")),
            "call_genotype": (("variants", "samples", "ploidy"), g.integers(0, 2, (n, s, 2)).astype("i1"), {"comment": "Genotypes, -1 missing"})}, attrs={"source": "sgkit-0.7.0", "contigs": ["chr20", "chr21"]})
    def clean(p): wr(CASES[4][5].ds("U1"), p)
    def fault(p):
        zz = CASES[4][5].ds("S1")[["variant_allele"]]; t = Path(str(p)+".t"); wr(zz, t); shutil.rmtree(p/"variant_allele"); shutil.move(t/"variant_allele", p/"variant_allele"); shutil.rmtree(t); zarr.consolidate_metadata(p, zarr_format=2)
    def check(c, f): assert op(c).variant_allele.dims == ("variants", "alleles"); assert op(f).variant_allele.dims == ("variants",) and len(op(f).variant_allele.values[0]) == 2

@case(5, "cut-names", "pydata/xarray#2789", "Station names were first written with a fixed width (8 characters) and longer names appended later: all of the appended ones are cut off.", "station_name has a fixed-width text type of 8 characters and the appended names are cut off (truncated) at that width.", "station_name|trunc")
class _:
    N = ["Aachen", "Bremen", "Cuxhaven", "Dresden", "Emden", "Fulda", "Garmisch-Partenkirchen", "Hohenpeissenberg", "Oberstdorf", "Fichtelberg", "Fichtelgebirge Ochsenkopf", "Braunschweig", "Frankfurt am Main", "Frankfurt an der Oder"]
    def clean(p):
        g = rng(5); N = CASES[5][5].N; n = len(N)
        d = xr.Dataset({"tas": (("station", "time"), (285+g.normal(0, 4, (n, 30))).astype("f4"), dict(standard_name="air_temperature", units="K", coordinates="station_name lat lon")),
            "station_name": ("station", np.array(N, "U25"), dict(cf_role="timeseries_id", long_name="station name")), "lat": ("station", np.round(g.uniform(47.4, 54, n), 3), dict(standard_name="latitude", units="degrees_north")), "lon": ("station", np.round(g.uniform(6, 15, n), 3), dict(standard_name="longitude", units="degrees_east"))},
            {"time": pd.date_range("2019-02-01", periods=30)}, {"Conventions": "CF-1.8", "featureType": "timeSeries"})
        d.time.attrs["standard_name"] = "time"; wr(d, p, chunks={"station_name": (7,), "tas": (7, 30)})
    def fault(p):
        z = zarr.open_group(p, mode="r+", zarr_format=2, use_consolidated=False); at = dict(z["station_name"].attrs); v = z["station_name"][:]; del z["station_name"]
        b = z.create_array("station_name", shape=v.shape, chunks=(7,), dtype="U8", fill_value="", compressors=z["tas"].compressors); b[:] = v.astype("U8"); b.attrs.put(at); edit(p/"station_name/.zarray", lambda o: o.update(fill_value=None)); zarr.consolidate_metadata(p, zarr_format=2)
    def check(c, f): N = CASES[5][5].N; assert list(op(c).station_name.values) == N; v = list(op(f).station_name.values); assert v[:6] == N[:6] and v[6] == "Garmisch" and v[-1] == v[-2]

@case(6, "no-grid-mapping", "xcube-dev/xcube-sh#85", "The cube has a CRS variable (crs, UTM 32N) but no data variable says grid_mapping, so the projection is not found.", "The variable crs describes the projection but B04 and B08 have no grid_mapping attribute that names it.", "crs|grid_mapping")
class _:
    def clean(p):
        import pyproj; g = rng(6); ny, nx = 40, 50
        d = xr.Dataset({b: (("time", "y", "x"), smooth(g, (3, ny, nx), .02, .5).astype("f4"), dict(long_name=f"Sentinel-2 L2A {b} reflectance", units="1", grid_mapping="crs")) for b in ("B04", "B08")},
            {"time": ("time", pd.date_range("2020-06-01", periods=3, freq="5D"), {"standard_name": "time"}), "y": ("y", 5940000-10.*np.arange(ny)-5, dict(standard_name="projection_y_coordinate", units="m")), "x": ("x", 560000+10.*np.arange(nx)+5, dict(standard_name="projection_x_coordinate", units="m"))}, {"Conventions": "CF-1.7", "title": "S2L2A cube"})
        d["crs"] = ((), np.int64(0), pyproj.CRS.from_epsg(32632).to_cf()); wr(d, p, chunks={b: (1, 40, 50) for b in ("B04", "B08")})
    def fault(p):
        for b in ("B04", "B08"): edit(p/b/".zattrs", lambda o: o.pop("grid_mapping") and None)
        zarr.consolidate_metadata(p, zarr_format=2)
    def check(c, f):
        import rioxarray; finite(op(c)); o = lambda p: op(p, decode_coords="all").B04.rio.crs; assert o(c).to_epsg() == 32632 and o(f) is None

@case(7, "stale-nested", "zarr-developers/zarr-python#2921", "A sub-group had been consolidated before more arrays were added below it; consolidating the root later took the stale list over, so the new group does not exist for readers.", "The consolidated metadata (of the root and of forecast) does not list forecast/surface, which is on disk: it is stale.", "forecast/surface|consolidated")
class _:
    def clean(p):
        g = rng(7); z = zarr.open_group(p, mode="w", zarr_format=3, attributes={"title": "ensemble run"})
        for n, s, u in (("forecast/upper/temperature", (4, 3, 20, 30), "K"), ("forecast/surface/pressure", (4, 20, 30), "Pa"), ("forecast/surface/dewpoint", (4, 20, 30), "K")):
            a = z.create_array(n, shape=s, chunks=(1,)+s[1:], dtype="f4", dimension_names=["step", "level", "lat", "lon"] if len(s) == 4 else ["step", "lat", "lon"], attributes={"units": u}); a[...] = smooth(g, s, 98000, 103000) if u == "Pa" else smooth(g, s, 250, 300)
        zarr.consolidate_metadata(p, zarr_format=3)
    def fault(p):
        r = J(p/"zarr.json"); m = r["consolidated_metadata"]["metadata"]; r["consolidated_metadata"]["metadata"] = m = {k: v for k, v in m.items() if not k.startswith("forecast/surface")}
        sub = {"kind": "inline", "must_understand": False, "metadata": {k[len("forecast/"):]: v for k, v in m.items() if k.startswith("forecast/")}}
        W(p/"zarr.json", r); edit(p/"forecast/zarr.json", lambda o: o.update(consolidated_metadata=sub))
    def check(c, f): assert zarr.open_consolidated(c)["forecast/surface/pressure"].shape == (4, 20, 30); raises(lambda: zarr.open_consolidated(f)["forecast/surface/pressure"]); assert zarr.open_group(f, mode="r", use_consolidated=False)["forecast"].store and (f/"forecast/surface/pressure/zarr.json").exists()

@case(8, "order-f", "zarr-developers/zarr-java#95", "The writer put \"order\": \"F\" into .zarray but laid the chunks out row-major; every other reader gets the elements of each chunk transposed.", "dem says order F but its chunk bytes are in C order: each chunk reads scrambled/transposed.", "dem|order")
class _:
    def clean(p):
        g = rng(8); z = zarr.open_group(p, mode="w", zarr_format=2, attributes={"title": "Terrain model", "source": "zarr-java"})
        a = z.create_array("dem", shape=(80, 120), chunks=(20, 30), dtype="f4", fill_value=0., chunk_key_encoding={"name": "v2", "separator": "."}); a[...] = smooth(g, (80, 120), 120, 840, 8); a.attrs.put({"_ARRAY_DIMENSIONS": ["y", "x"], "units": "m", "standard_name": "surface_altitude", "long_name": "terrain height"})
        for n, k, s in (("y", 80, "projection_y_coordinate"), ("x", 120, "projection_x_coordinate")):
            b = z.create_array(n, shape=(k,), chunks=(k,), dtype="f8"); b[...] = 25.*np.arange(1, k+1); b.attrs.put({"_ARRAY_DIMENSIONS": [n], "units": "m", "standard_name": s})
    def fault(p): edit(p/"dem/.zarray", lambda o: o.update(order="F"))
    def check(c, f):
        a, b = lv(c, "dem"), lv(f, "dem"); assert np.isfinite(a).all(); assert np.abs(np.diff(b, axis=1)).mean() > 3*np.abs(np.diff(a, axis=1)).mean(); assert np.array_equal(b[:20, :30].ravel("F"), a[:20, :30].ravel())

@case(9, "empty-zmetadata", "ai2cm/fv3net#1179", "The consolidation step wrote a .zmetadata with only the root documents; xarray opens an empty dataset although all arrays are there.", ".zmetadata lists no array at all though arrays (dQ1, dQ2 ...) are in the store.", ".zmetadata|array")
class _:
    def clean(p):
        g = rng(9); wr(grid(g, 4, 24, 24, {n: (-1e-4, 1e-4, dict(units=u, long_name=l)) for n, u, l in (("dQ1", "K s-1", "apparent heating"), ("dQ2", "kg kg-1 s-1", "apparent moistening"))}, "2020-05-27", "15min"), p, chunks={"dQ1": (1, 24, 24), "dQ2": (1, 24, 24)}, enc={"time": {"units": "minutes since 2020-05-27"}})
    def fault(p): edit(p/".zmetadata", lambda o: {"metadata": {k: v for k, v in o["metadata"].items() if k in (".zgroup", ".zattrs")}, "zarr_consolidated_format": 1})
    def check(c, f): finite(op(c)); assert len(op(c).data_vars) == 2 and len(op(f).variables) == 0 and len(op(f, consolidated=False).data_vars) == 2

@case(10, "zmeta-no-dims", "xarray-contrib/datatree#280", "_ARRAY_DIMENSIONS of one variable is missing in the consolidated .zmetadata (it is there in the array's own .zattrs); opening fails with a KeyError.", "In .zmetadata the attributes of measurements/reflectance/b03 have no _ARRAY_DIMENSIONS, unlike its own .zattrs.", "b03|_ARRAY_DIMENSIONS")
class _:
    def clean(p):
        g = rng(10); y = ("y", 4600020-20.*np.arange(30)-10, dict(standard_name="projection_y_coordinate", units="m")); x = ("x", 300000+20.*np.arange(36)+10, dict(standard_name="projection_x_coordinate", units="m"))
        b = xr.Dataset({n: (("y", "x"), smooth(g, (30, 36), .01, .6).astype("f4"), dict(long_name=f"reflectance {n}", units="1")) for n in ("b02", "b03", "b04")}, {"y": y, "x": x})
        q = xr.Dataset({"aot": (("y", "x"), smooth(g, (30, 36), .05, .3).astype("f4"), dict(long_name="aerosol optical thickness", units="1"))}, {"y": y, "x": x})
        xr.DataTree.from_dict({"/": xr.Dataset(attrs={"title": "S2 L2A sample"}), "/measurements/reflectance": b, "/quality/atmosphere": q}).to_zarr(p, zarr_format=2, consolidated=True)
    def fault(p): edit(p/".zmetadata", lambda o: o["metadata"]["measurements/reflectance/b03/.zattrs"].pop("_ARRAY_DIMENSIONS") and None)
    def check(c, f): t = xr.open_datatree(c, engine="zarr").load(); assert np.isfinite(t["measurements/reflectance/b03"].values).all(); raises(lambda: xr.open_datatree(f, engine="zarr").load()); xr.open_datatree(f, engine="zarr", consolidated=False)

@case(11, "twice-a-column", "scverse/anndata#884", "obs had two columns of one name when it was written: column-order names doublet_score twice, there is one array, the first column's data are lost.", "column-order of obs lists doublet_score twice (duplicate column name), only one array of that name exists.", "doublet_score|column-order")
class _:
    def clean(p):
        g = rng(11); a = adata(g); a.obs["doublet_score"] = g.beta(1, 9, 60); a.obs["doublet_score_sim"] = g.beta(1, 9, 60); wad(a, p)
    def fault(p):
        s = p/"obs/doublet_score_sim"; d = p/"obs/doublet_score"; shutil.rmtree(d); shutil.move(s, d)
        def fx(at): at["column-order"] = ["doublet_score" if k == "doublet_score_sim" else k for k in at["column-order"]]
        edit(p/"obs/zarr.json", lambda o: fx(o["attributes"])); zarr.consolidate_metadata(p, zarr_format=3)
    def check(c, f):
        assert np.isfinite(rad(c).obs["doublet_score"]).all() and rad(c).obs.columns.is_unique
        try: assert not rad(f).obs.columns.is_unique
        except AssertionError: raise
        except Exception: pass

@case(12, "lost-rows", "scverse/anndata#2166", "Two workers wrote into one chunk of X at a time and one write was lost: some rows of the chunk hold only zeros, against obs total_counts / n_genes.", "Rows 10-19 of X are all zero within one chunk (columns 0-39), a partial chunk write that was lost; total_counts and n_genes in obs do not fit.", "X|zero|row")
class _:
    def clean(p): wad(adata(rng(12)), p, 2, chunks=(30, 40))
    def fault(p): z = zarr.open_group(p, mode="r+", zarr_format=2, use_consolidated=False)["X"]; assert z.chunks == (30, 40), z.chunks; z[10:20, :40] = 0
    def check(c, f): a, b = rad(c), rad(f); assert np.allclose(a.X.sum(1), a.obs.total_counts); assert (b.X[10:20, :40] == 0).all() and not np.allclose(b.X.sum(1), b.obs.total_counts)

@case(13, "nan-umap", "chanzuckerberg/cellxgene#1118", "The UMAP embedding of a few cells is NaN; cellxgene refuses the layout (malformed shape or data type).", "obsm/X_umap holds NaN for a few cells (rows); embeddings have to be finite.", "X_umap|NaN")
class _:
    def clean(p): wad(adata(rng(13), 120, 60, True), p)
    def fault(p): z = zarr.open_group(p, mode="r+", use_consolidated=False)["obsm/X_umap"]; a = z[:]; a[[7, 40, 78, 79]] = np.nan; z[:] = a
    def check(c, f): assert np.isfinite(rad(c).obsm["X_umap"]).all() and np.isnan(rad(f).obsm["X_umap"]).any(1).sum() == 4

@case(14, "zip-duplicates", "scverse/anndata#1971", "AnnData written straight into a ZipStore: every .zattrs is in the zip twice (first empty, then the real one); tools that take the first one see no encoding attributes.", "The zip has duplicate entries: .zattrs, X/.zattrs, obs/.zattrs ... occur twice with different content.", "duplicate|.zattrs")
class _:
    def clean(p): p.mkdir(); t = Path(str(p)+".t"); wad(adata(rng(14), 50, 40), t, 2); zipdir(t, p/"store.zip"); shutil.rmtree(t)
    def fault(p):
        t = Path(str(p)+".t"); zipfile.ZipFile(p/"store.zip").extractall(t); (p/"store.zip").unlink(); zipdir(t, p/"store.zip", dup=True); shutil.rmtree(t)
    def check(c, f):
        r = lambda q: ad.read_zarr(zarr.storage.ZipStore(q/"store.zip", mode="r")); assert np.isfinite(r(c).X).all(); n = zipfile.ZipFile(c/"store.zip").namelist(); assert len(n) == len(set(n)); n = zipfile.ZipFile(f/"store.zip").namelist(); assert n.count("X/.zattrs") == 2 and n.count(".zattrs") == 2

@case(15, "zip-folder", "vitessce/vitessce#2223", "The store was zipped with its outer folder (zip -r out.zip cells.h5ad.zarr): nothing is at the root of the zip, readers find no group.", "All entries of the zip lie under the folder cells.h5ad.zarr/, the root of the zip has no metadata: zip the contents, not the folder.", "cells.h5ad.zarr|zip")
class _:
    def clean(p): p.mkdir(); t = Path(str(p)+".t"); wad(adata(rng(15), 50, 40), t, 2); zipdir(t, p/"store.zip"); shutil.rmtree(t)
    def fault(p):
        t = Path(str(p)+".t"); zipfile.ZipFile(p/"store.zip").extractall(t); (p/"store.zip").unlink(); zipdir(t, p/"store.zip", "cells.h5ad.zarr/"); shutil.rmtree(t)
    def check(c, f): r = lambda q: ad.read_zarr(zarr.storage.ZipStore(q/"store.zip", mode="r")); assert np.isfinite(r(c).X).all(); raises(lambda: zarr.open_group(zarr.storage.ZipStore(f/"store.zip", mode="r"), mode="r"))

def blobs(g, n=64, k=24):
    yy, xx = np.mgrid[:n, :n]; L = np.zeros((n, n), "u4"); i = 0
    for cy in range(8, n, 12):
        for cx in range(8, n, 12):
            i += 1; L[(yy-cy-g.integers(-1, 2))**2+(xx-cx-g.integers(-1, 2))**2 < g.integers(9, 22)] = i
    return L
@case(16, "region-key", "scverse/spatialdata-plot#467", "spatialdata_attrs of the table was set with region_key 'leiden' (a cluster column) instead of the column that names the annotated element; validation says the regions do not match.", "The table's region_key is leiden, whose values are clusters 0-3 and never the region cell_labels; it should be the column region.", "region_key|leiden")
class _:
    def clean(p):
        g = rng(16); z = zarr.open_group(p, mode="w", zarr_format=3, attributes={"spatialdata_attrs": {"version": "0.2", "spatialdata_software_version": "0.7.2"}})
        L = blobs(g); ids = np.unique(L)[1:]; img = np.stack([cells(g, (64, 64))+(L > 0)*600 for _ in range(2)]).astype("u2")
        for n in ("images", "labels", "tables"): z.create_group(n)
        s = {"spatialdata_attrs": {"version": "0.3"}}
        ome(p/"images/tissue", img, "cyx", (1, .5, .5), "0.5", (2,), name="tissue", omero=[chan("DAPI", "0000FF", 4000), chan("CD45", "00FF00", 4000)], extra=s)
        ome(p/"labels/cell_labels", L, "yx", (.5, .5), "0.5", (2,), name="cell_labels", label={"source": {"image": "../../images/tissue"}}, extra=s, method="nearest")
        edit(p/"labels/zarr.json", lambda o: o.update(attributes={"ome": {"version": "0.5", "labels": ["cell_labels"]}}))
        a = adata(g, len(ids), 30, extra=False); a.obs["region"] = pd.Categorical(["cell_labels"]*len(ids)); a.obs["instance_id"] = ids.astype("i8"); t = {"region": "cell_labels", "region_key": "region", "instance_key": "instance_id"}; a.uns["spatialdata_attrs"] = dict(t); wad(a, p/"tables/table")
        q = zarr.open_group(p/"tables/table", mode="r+", use_consolidated=False); q.attrs.update({"spatialdata-encoding-type": "ngff:regions_table", "version": "0.2", **t}); zarr.consolidate_metadata(p/"tables/table"); zarr.consolidate_metadata(p)
    def fault(p):
        zarr.open_group(p/"tables/table/uns/spatialdata_attrs", mode="r+", use_consolidated=False)["region_key"][...] = "leiden"
        q = zarr.open_group(p/"tables/table", mode="r+", use_consolidated=False); q.attrs.update({"region_key": "leiden"}); zarr.consolidate_metadata(p/"tables/table"); zarr.consolidate_metadata(p)
    def check(c, f):
        def bad(p): a = rad(p/"tables/table"); t = a.uns["spatialdata_attrs"]; return set(a.obs[str(t["region_key"])]) != {str(t["region"])}
        assert not bad(c) and bad(f); assert set(rad(c/"tables/table").obs.instance_id) == set(np.unique(lv(c/"labels/cell_labels"))) - {0}; ok_ome(c/"images/tissue")

@case(17, "empty-zattrs", "MannLabs/scPortrait#300", "The disk ran full while the project was written: the .zattrs of the image is a file of zero bytes, opening dies with JSONDecodeError.", "images/input_image/.zattrs is empty (0 bytes, no JSON).", "input_image|.zattrs")
class _:
    def clean(p):
        g = rng(17); z = zarr.open_group(p, mode="w", zarr_format=2, attributes={"spatialdata_attrs": {"version": "0.1", "spatialdata_software_version": "0.3.0"}}); L = blobs(g); s = {"spatialdata_attrs": {"version": "0.2"}}
        z.create_group("images").attrs.put({}); z.create_group("labels").attrs.put({"labels": ["seg_all_nucleus"]})
        ome(p/"images/input_image", np.stack([cells(g, (64, 64)), cells(g, (64, 64))]), "cyx", (1, .6, .6), "0.4", (2,), name="input_image", omero=[chan("Hoechst", "0000FF", 4000), chan("WGA", "FF0000", 4000)], extra=s)
        ome(p/"labels/seg_all_nucleus", L, "yx", (.6, .6), "0.4", (2,), name="seg_all_nucleus", label={"source": {"image": "../../images/input_image"}}, extra=s, method="nearest")
    def fault(p): (p/"images/input_image/.zattrs").write_bytes(b"")
    def check(c, f): ok_ome(c/"images/input_image"); e = raises(lambda: zarr.open_group(f/"images/input_image", mode="r").attrs.asdict()); assert isinstance(e, json.JSONDecodeError), e

@case(18, "overlap-append", "bcdev/nc2zarr#41", "Appended files overlapped what was there: the last three days are in the cube a second time, time jumps back.", "time is not strictly increasing: 2021-06-08 to 2021-06-10 occur twice (duplicate times) after an overlapping append.", "time|duplicate")
class _:
    def ds(): return grid(rng(18), 16, 24, 30, {"chl": (.1, 9, dict(standard_name="mass_concentration_of_chlorophyll_in_sea_water", units="mg m-3", long_name="chlorophyll"))}, "2021-06-01", "D", (55, 52), (3, 8))
    def clean(p): wr(CASES[18][5].ds(), p, chunks={"chl": (1, 24, 30)}, enc={"time": {"units": "days since 1970-01-01", "chunks": (1,)}})
    def fault(p):
        d = CASES[18][5].ds(); shutil.rmtree(p); wr(d.isel(time=slice(0, 10)), p, chunks={"chl": (1, 24, 30)}, enc={"time": {"units": "days since 1970-01-01", "chunks": (1,)}}); d.isel(time=slice(7, 16)).to_zarr(p, append_dim="time", consolidated=True, zarr_format=2)
    def check(c, f): finite(op(c)); i = op(c).indexes["time"]; assert i.is_unique and i.is_monotonic_increasing; i = op(f).indexes["time"]; assert i.duplicated().sum() == 3 and not i.is_monotonic_increasing

@case(19, "null-unit", "fideus-labs/ngff-zarr#22", "A NIfTI without units was converted: the axes have \"unit\": null, Neuroglancer refuses (Unsupported unit: null).", "The space axes in multiscales have unit null, which is not a valid unit (leave it out or name one).", "unit|null")
class _:
    def clean(p): ome(p, cells(rng(19), (12, 48, 48)), "zyx", (.025, .025, .025), "0.4", ((1, 2, 2),), ["scale0/image", "scale1/image"], "Ex_561_Em_593", chunks=(6, 24, 24), trans=True); edit(p/".zattrs", lambda o: [a.update(unit="millimeter") for a in o["multiscales"][0]["axes"]] and None)
    def fault(p): edit(p/".zattrs", lambda o: [a.update(unit=None) for a in o["multiscales"][0]["axes"]] and None)
    def check(c, f): ok_ome(c); assert lv(c, "scale0/image").max() > 0; assert [a["unit"] for a in J(f/".zattrs")["multiscales"][0]["axes"]] == [None]*3

@case(20, "level-shape", "fideus-labs/ngff-zarr#264", "With scale factors 2, 3, 4 the level of factor 3 was not downsampled from level 1: it has 60x60 pixels as the level before, while its scale says a factor 3 (40x40).", "scale2/image has shape 60x60, its scale transformation (3.0) asks for 40x40.", "scale2/image|60")
class _:
    def mk(p): return ome(p, cells(rng(20), (120, 120)), "yx", (1., 1.), "0.4", (2, 3, 4), [f"scale{i}/image" for i in range(4)], "example", trans=True, chunks=(60, 60))
    def clean(p): CASES[20][5].mk(p)
    def fault(p):
        g = zarr.open_group(p, mode="r+", zarr_format=2); a = g["scale1/image"][...]; del g["scale2/image"]; b = g.create_array("scale2/image", shape=a.shape, chunks=(60, 60), dtype=a.dtype, fill_value=0, chunk_key_encoding={"name": "v2", "separator": "/"}); b[...] = a
    def check(c, f): ok_ome(c); assert lv(c, "scale2/image").shape == (40, 40) and lv(f, "scale2/image").shape == (60, 60)

def hcs(p, wells, rows, cols, n, ax="tczyx", shp=(2, 3, 3, 32, 32), names=("DAPI", "GFP", "TXR"), listed=None):
    g = rng(n); z = zarr.open_group(p, mode="w", zarr_format=2)
    wl = listed or wells
    z.attrs.put({"plate": {"version": "0.4", "name": "plate", "field_count": 1, "acquisitions": [{"id": 0, "name": "acq", "maximumfieldcount": 1}], "rows": [{"name": r} for r in rows], "columns": [{"name": c} for c in cols],
        "wells": [{"path": w, "rowIndex": rows.index(w.split("/")[0]), "columnIndex": cols.index(w.split("/")[1])} for w in wl]}})
    for w in wells:
        r = z.require_group(w.split("/")[0]); q = z.create_group(w); q.attrs.put({"well": {"version": "0.4", "images": [{"path": "0", "acquisition": 0}]}})
        ome(p/w/"0", cells(g, shp), ax, tuple({"t": 30., "c": 1., "z": 2., "y": .325, "x": .325}[a] for a in ax), "0.4", (2,), name=w, omero=[chan(k, c, 4000) for k, c in zip(names, ("0000FF", "00FF00", "FF0000"))])
@case(21, "channel-count", "czbiohub-sf/iohub#44", "The positions were created with two channel names (DAPI, GFP) but arrays with three channels were written; napari-ome-zarr does not open it.", "omero of A/1/0 lists 2 channels, the array has 3 along axis c.", "omero|3")
class _:
    def clean(p): hcs(p, ["A/1", "B/2"], ["A", "B"], ["1", "2"], 21)
    def fault(p):
        for w in ("A/1", "B/2"): edit(p/w/"0/.zattrs", lambda o: o["omero"]["channels"].pop() and None)
    def check(c, f): ok_ome(c); a = J(f/"A/1/0/.zattrs"); assert len(a["omero"]["channels"]) == 2 and lv(f/"A/1/0").shape[1] == 3 and len(J(c/"A/1/0/.zattrs")["omero"]["channels"]) == 3

@case(22, "bare-channels", "fractal-analytics-platform/fractal-tasks-core#578", "omero channels hold only label and wavelength_id, no color and no window; napari-ome-zarr stops with StopIteration (empty colormap list).", "The channels in omero have no color (and no window), which NGFF 0.4 requires.", "channels|color")
class _:
    def clean(p): ome(p, cells(rng(22), (1, 4, 64, 64)), "czyx", (1, 1., .1625, .1625), "0.4", (2, 4), name="TBD", omero=[dict(chan("1", "00FFFF", 3500), wavelength_id="1")])
    def fault(p): edit(p/".zattrs", lambda o: o["omero"].update(channels=[{"label": "1", "wavelength_id": "1"}]))
    def check(c, f): ok_ome(c); raises(ok_ome, f); assert lv(c).max() > 300

@case(23, "wells-not-there", "fmi-faim/faim-ipa#74", "Only two of six wells were processed, but the plate metadata lists all six.", "The plate lists wells A/02, A/03, B/01, B/03 that are not in the store; only A/01 and B/02 are.", "A/02|well")
class _:
    def clean(p): hcs(p, ["A/01", "B/02"], ["A", "B"], ["01", "02", "03"], 23, "cyx", (2, 64, 64), ("DAPI", "GFP"))
    def fault(p): edit(p/".zattrs", lambda o: o["plate"].update(wells=[{"path": f"{r}/{c}", "rowIndex": i, "columnIndex": j} for i, r in enumerate("AB") for j, c in enumerate(("01", "02", "03"))]))
    def check(c, f): ok_ome(c); assert all((c/w["path"]/".zattrs").exists() for w in J(c/".zattrs")["plate"]["wells"]); assert sum(not (f/w["path"]).exists() for w in J(f/".zattrs")["plate"]["wells"]) == 4

@case(24, "pixel-translation", "JaneliaSciComp/multiview-reconstruction#87", "BigStitcher wrote the half-pixel translations of the lower levels in pixels (0.5, 1.5), not multiplied by the voxel size; levels are shifted to each other.", "The translations of s1 and s2 (0.5, 1.5) are in pixels and do not fit the voxel size (2.0, 0.406, 0.406); they should be 1.0/0.203 and 3.0/0.609.", "s1|translation")
class _:
    def clean(p): ome(p, cells(rng(24), (1, 1, 16, 64, 64)), "tczyx", (1, 1, 2., .406, .406), "0.4", ((1, 1, 2, 2, 2), (1, 1, 4, 4, 4)), ["s0", "s1", "s2"], "fused", chunks=(1, 1, 8, 32, 32), trans=True)
    def fault(p):
        def fx(o):
            for d, t in zip(o["multiscales"][0]["datasets"], (0., .5, 1.5)): d["coordinateTransformations"][1]["translation"] = [0., 0., t, t, t]
        edit(p/".zattrs", fx)
    def check(c, f):
        ok_ome(c); d = lambda p: J(p/".zattrs")["multiscales"][0]["datasets"][1]["coordinateTransformations"]
        assert np.allclose(d(c)[1]["translation"][2:], [1., .203, .203]) and d(f)[1]["translation"][2:] == [.5]*3 and d(c)[0] == d(f)[0]

@case(25, "flat-chunks", "ome/ome-zarr-py#201", "write_image into a plain zarr.group: NGFF 0.4 metadata but the arrays use the '.' separator (files 0.0, 0.1); a reader that follows 0.4 (nested) finds no chunk and shows black.", "The image says NGFF version 0.4 but dimension_separator of its arrays is '.', 0.4 requires '/'.", "dimension_separator|0.4")
class _:
    def clean(p, sep="/"): ome(p, cells(rng(25), (96, 96)), "yx", (1., 1.), "0.4", (2, 4), name="astronaut", sep=sep)
    def fault(p): shutil.rmtree(p); CASES[25][5].clean(p, ".")
    def check(c, f):
        ok_ome(c); assert np.array_equal(lv(c), lv(f)) and (f/"0/0.0").exists() and (c/"0/0/0").exists()
        t = Path(str(f)+".t"); shutil.copytree(f, t); edit(t/"0/.zarray", lambda o: o.update(dimension_separator="/")); assert lv(t).max() == 0; shutil.rmtree(t)

@case(26, "no-version", "neuroscales/nifti-zarr#12", "The Julia writer left the version out of multiscales; Neuroglancer says 'Neither .zarray metadata nor OME multiscale metadata found'.", "The entry of multiscales has no version (\"0.4\"), so readers do not take the group for an OME image.", "multiscales|version")
class _:
    def clean(p): ome(p, cells(rng(26), (24, 48, 48), 200).astype("u2"), "zyx", (1., .8, .8), "0.4", ((1, 2, 2), (1, 4, 4)), name="sub-01_T2w", chunks=(12, 24, 24), trans=True); edit(p/".zattrs", lambda o: [a.update(unit="millimeter") for a in o["multiscales"][0]["axes"]] and None)
    def fault(p): edit(p/".zattrs", lambda o: o["multiscales"][0].pop("version") and None)
    def check(c, f):
        from ome_zarr.format import format_from_version, detect_format, FormatV04
        ok_ome(c); v = lambda p: J(p/".zattrs")["multiscales"][0].get("version"); assert v(c) == "0.4" and v(f) is None; assert np.array_equal(lv(c), lv(f))
        F = FormatV04(); assert F.matches(J(c/".zattrs")) and not F.matches(J(f/".zattrs"))

@case(27, "torn-shard", "czbiohub-sf/biahub#286", "A preempted job was killed while it wrote a shard: the file is shorter than the shard's own index; reading that (t, c) fails on every retry.", "Shard file 0/c/1/1/0/0/0 is torn: shorter (300 bytes) than its shard index (516 bytes), it cannot be decoded.", "c/1/1/0/0/0|shard")
class _:
    def clean(p): ome(p, cells(rng(27), (2, 2, 8, 64, 64)), "tczyx", (60., 1, .25, .1, .1), "0.5", name="A/1/000000", chunks=(1, 1, 1, 32, 32), shards=(1, 1, 8, 64, 64), omero=[chan("GFP", "00FF00", 4000), chan("mCherry", "FF0000", 4000)])
    def fault(p): q = p/"0/c/1/1/0/0/0"; q.write_bytes(q.read_bytes()[:300])
    def check(c, f): ok_ome(c); assert lv(c).min() > 0; raises(lv, f); assert zarr.open_array(f/"0", mode="r")[0].min() > 0

@case(28, "nwb-link", "hdmf-dev/hdmf-zarr#205", "Exported with linked data: the zarr_link of the timestamps points to the temporary source store on the export machine, which does not exist any more.", "The zarr_link 'timestamps' of acquisition/wheel_velocity has the source /scratch/... (a store outside that is not there), not '.'.", "wheel_velocity|/scratch")
class _:
    def clean(p):
        g = rng(28); z = zarr.open_group(p, mode="w", zarr_format=2); oid = iter(f"{i:08x}-5d1e-4c0b-9a57-{i*7919:012x}" for i in range(1, 40))
        t = lambda k, **a: {"namespace": "core", "neurodata_type": k, "object_id": next(oid), **a}
        z.attrs.put(t("NWBFile", nwb_version="2.7.0", **{".specloc": "specifications"}))
        sc = lambda q, v: z.create_array(q, shape=(1,), dtype="U60", fill_value="").__setitem__(slice(None), v)
        for q, v in (("identifier", "ecephys_747816"), ("session_description", "Running wheel session"), ("session_start_time", "2024-08-14T13:57:37-07:00"), ("timestamps_reference_time", "2024-08-14T13:57:37-07:00"), ("file_create_date", "2025-01-06T10:00:00-08:00")): sc(q, v); z[q].attrs.put({"zarr_dtype": "scalar" if q != "file_create_date" else "object"})
        for q in ("acquisition", "analysis", "general", "processing", "stimulus", "stimulus/presentation", "stimulus/templates", "specifications/core/2.7.0"): z.require_group(q)
        sp = z.create_array("specifications/core/2.7.0/namespace", shape=(1,), dtype="U200", fill_value=""); sp[:] = json.dumps({"namespaces": [{"name": "core", "version": "2.7.0", "schema": []}]}); sp.attrs.put({"zarr_dtype": "scalar"})
        n = 3000; ts = np.arange(n)/60.; v = gaussian_filter(g.normal(size=n), 30)*40
        for q, d, u in (("wheel_position", np.cumsum(v)/60, "cm"), ("wheel_velocity", v, "cm/s")):
            s = z.create_group(f"acquisition/{q}"); s.attrs.put(t("TimeSeries", description=q.replace("_", " "), comments="no comments"))
            a = s.create_array("data", shape=(n,), chunks=(1000,), dtype="f4"); a[:] = d; a.attrs.put({"conversion": 1.0, "offset": 0.0, "resolution": -1.0, "unit": u, "zarr_dtype": "float32"})
        a = z.create_array("acquisition/wheel_position/timestamps", shape=(n,), chunks=(1000,), dtype="f8"); a[:] = ts; a.attrs.put({"interval": 1, "unit": "seconds", "zarr_dtype": "float64"})
        z["acquisition/wheel_velocity"].attrs["zarr_link"] = [{"name": "timestamps", "path": "/acquisition/wheel_position/timestamps", "source": "."}]; zarr.consolidate_metadata(p, zarr_format=2)
    def fault(p): edit(p/"acquisition/wheel_velocity/.zattrs", lambda o: o["zarr_link"][0].update(source="/scratch/ecephys_747816_raw.nwb.zarr")); zarr.consolidate_metadata(p, zarr_format=2)
    def check(c, f):
        def go(p): l = zarr.open_group(p, mode="r")["acquisition/wheel_velocity"].attrs["zarr_link"][0]; return zarr.open_array((str(p) if l["source"] == "." else l["source"])+l["path"], mode="r")[:]
        assert np.isfinite(go(c)).all() and (np.diff(go(c)) > 0).all(); raises(go, f); assert all(np.isfinite(zarr.open_group(c, mode="r")[f"acquisition/{k}/data"][:]).all() for k in ("wheel_position", "wheel_velocity"))

@case(29, "data-groups", "casangi/xradio#246", "A visibility dataset of the processing set was written with an empty data_groups attribute; ps.summary() fails with KeyError 'base'.", "data_groups of 3C129_35 is empty ({}), the group 'base' that names VISIBILITY, FLAG, WEIGHT and UVW is missing.", "data_groups|empty")
class _:
    def clean(p):
        g = rng(29); zarr.open_group(p, mode="w", zarr_format=2); zarr.open_group(p/"3C129_35", mode="w", zarr_format=2); T, B, F, P = 6, 10, 16, 2; an = [f"ea{i:02d}" for i in range(5)]; i, j = np.triu_indices(5, 1)
        q = lambda u, **k: dict(units=[u], type="quantity", **k)
        d = xr.Dataset({"VISIBILITY": (("time", "baseline_id", "frequency", "polarization"), (g.normal(size=(T, B, F, P))+1j*g.normal(size=(T, B, F, P))).astype("c8"), {"units": ["Jy"], "type": "quantity"}),
            "FLAG": (("time", "baseline_id", "frequency", "polarization"), g.random((T, B, F, P)) < .02), "WEIGHT": (("time", "baseline_id", "frequency", "polarization"), np.ones((T, B, F, P), "f4")), "UVW": (("time", "baseline_id", "uvw_label"), g.normal(0, 800, (T, B, 3)), dict(units=["m"], type="uvw", frame="fk5"))},
            {"time": ("time", 1.6e9+10.*np.arange(T), dict(units=["s"], type="time", scale="utc", format="unix", integration_time={"attrs": q("s"), "data": 10.})), "baseline_id": np.arange(B), "baseline_antenna1_name": ("baseline_id", np.array(an)[i]), "baseline_antenna2_name": ("baseline_id", np.array(an)[j]),
             "frequency": ("frequency", 1.4e9+1e6*np.arange(F), dict(units=["Hz"], type="spectral_coord", observer="topo", spectral_window_name="spw_0", channel_width={"attrs": q("Hz"), "data": 1e6})), "polarization": ["RR", "LL"], "uvw_label": ["u", "v", "w"]},
            {"type": "visibility", "data_groups": {"base": {"visibility": "VISIBILITY", "flag": "FLAG", "weight": "WEIGHT", "uvw": "UVW"}}})
        d.to_zarr(p/"3C129_35/MAIN", mode="w", zarr_format=2, consolidated=True)
        xr.Dataset({"ANTENNA_POSITION": (("antenna_name", "cartesian_pos_label"), g.normal(0, 500, (5, 3))+[-1601185., -5041977., 3554875.], dict(units=["m"], type="location", frame="ITRS"))}, {"antenna_name": an, "cartesian_pos_label": ["x", "y", "z"]}, {"type": "antenna"}).to_zarr(p/"3C129_35/ANTENNA", mode="w", zarr_format=2, consolidated=True)
    def fault(p):
        q = p/"3C129_35/MAIN"; edit(q/".zattrs", lambda o: o.update(data_groups={})); zarr.consolidate_metadata(q, zarr_format=2)
    def check(c, f):
        s = lambda p: (lambda d: d[d.attrs["data_groups"]["base"]["visibility"]].values)(op(p/"3C129_35/MAIN", decode_times=False)); assert np.isfinite(s(c)).all(); assert isinstance(raises(s, f), KeyError)

@case(30, "norm-stats", "mehta-lab/VisCy#315", "viscy preprocess ran over all channels, but the position's normalization attribute only holds the statistics of some: Phase3D and GFP are there, mCherry is missing.", "The attribute normalization has no statistics for the channel mCherry, which the omero channel list names.", "normalization|mCherry")
class _:
    def clean(p):
        a = cells(rng(30), (2, 3, 4, 48, 48)); N = ("Phase3D", "GFP", "mCherry"); st = {}
        for i, n in enumerate(N):
            x = a[:, i].astype("f8"); q = {"mean": float(x.mean()), "std": float(x.std()), "median": float(np.median(x)), "iqr": float(np.subtract(*np.percentile(x, [75, 25])))}; st[n] = {"dataset_statistics": dict(q), "fov_statistics": dict(q)}
        ome(p, a, "tczyx", (600., 1, .25, .1494, .1494), "0.5", name="A/1/0", chunks=(1, 1, 4, 48, 48), omero=[chan(n, c, 4000) for n, c in zip(N, ("FFFFFF", "00FF00", "FF0000"))], extra={"normalization": st})
    def fault(p): edit(p/"zarr.json", lambda o: o["attributes"]["normalization"].pop("mCherry") and None)
    def check(c, f):
        ok_ome(c); A = lambda p: J(p/"zarr.json")["attributes"]; n = [k["label"] for k in A(c)["ome"]["omero"]["channels"]]; assert set(A(c)["normalization"]) == set(n); assert isinstance(raises(lambda: [A(f)["normalization"][k] for k in n]), KeyError)

def main(sel):
    ok = bad = 0
    for n in sel or sorted(CASES):
        name, th, fa, an, wo, c = CASES[n]; d = ROOT/name; shutil.rmtree(d, ignore_errors=True); d.mkdir(parents=True)
        try:
            c.clean(d/"clean"); shutil.copytree(d/"clean", d/"fault"); c.fault(d/"fault"); c.check(d/"clean", d/"fault")
            for s in ("clean", "fault"):
                fl = [q for q in (d/s).rglob("*") if q.is_file()]; sz = sum(q.stat().st_size for q in fl); assert len(fl) <= 300 and sz < 400_000, (s, len(fl), sz)
                assert (d/s).is_dir()
            assert not [q for q in d.iterdir() if q.name not in ("clean", "fault")]
            ok += 1; print(name, "ok", len(fl), sz)
        except Exception as e:
            import traceback; bad += 1; print(name, "FAIL", type(e).__name__, str(e)[:300]); traceback.print_exc(limit=-4)
    for q in ROOT.iterdir():
        if q.is_dir() and q.name not in {v[0] for v in CASES.values()}: shutil.rmtree(q)
    W(ROOT/"cases.json", {v[0]: v[4] for _, v in sorted(CASES.items())})
    (ROOT/"answers.md").write_text("| NN | thread | fault | what a good answer names |\n|---|---|---|---|\n"+"".join(f"| {v[0]} | {v[1]} | {v[2]} | {v[3]} |\n" for _, v in sorted(CASES.items())).replace("\\|", "|"))
    print(ok, "ok", bad, "failed")
if __name__ == "__main__": main([int(a) for a in sys.argv[1:]])
