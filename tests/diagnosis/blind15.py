"""Thirty small Zarr stores with one real-world fault each, and a clean twin of each.
Run: /work/venv/bin/python /tmp/blind15/blind15.py"""
import json, os, shutil, sys, warnings, uuid
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr
import numcodecs
warnings.filterwarnings("ignore")
OUT = Path("/tmp/blind15")
zarr.config.set({"array.write_empty_chunks": False})
CASES, ANS, CHECKS = {}, [], []


def case(slug, thread, keywords, fault, names):
    def deco(fn):
        CASES[slug] = (thread, keywords, fault, names, fn)
        return fn
    return deco


# ----------------------------------------------------------------- helpers
def rd(p): return json.loads(Path(p).read_text())
def wr(p, d): Path(p).write_text(json.dumps(d, indent=4, allow_nan=True))


def edit(store, path, what, fn):
    """Edit .zarray/.zattrs (what given) or zarr.json of node `path`, keeping the consolidated copy in step."""
    store = Path(store)
    f = store / path / what
    d = rd(f); d = fn(d) or d; wr(f, d)
    if what.startswith("."):
        zm = store / ".zmetadata"
        if zm.exists():
            m = rd(zm); k = (path + "/" if path else "") + what
            if k in m["metadata"]:
                m["metadata"][k] = d; wr(zm, m)
    else:
        root = rd(store / "zarr.json")
        cm = (root.get("consolidated_metadata") or {}).get("metadata")
        if cm and path in cm:
            e = {k: v for k, v in d.items()}
            if "consolidated_metadata" in cm[path] and "consolidated_metadata" not in e:
                e["consolidated_metadata"] = cm[path]["consolidated_metadata"]
            cm[path] = e; wr(store / "zarr.json", root)


def twin(clean, fault):
    shutil.copytree(clean, fault)


def save(ds, path, v, enc=None, consolidated=None):
    enc = dict(enc or {})
    for n in ds.variables:
        e = enc.setdefault(n, {})
        if n in ds.coords and "_FillValue" not in e:
            e["_FillValue"] = None
    ds.to_zarr(path, mode="w", zarr_format=v, encoding=enc,
               consolidated=(v == 2) if consolidated is None else consolidated)


def field(rng, nt, ny, nx, amp=1.0, noise=0.1):
    t = np.arange(nt)[:, None, None]; y = np.linspace(0, np.pi, ny)[None, :, None]; x = np.linspace(0, 2*np.pi, nx)[None, None, :]
    f = np.sin(y)*np.cos(x + 0.15*t) + 0.5*np.cos(2*y)*np.sin(2*x - 0.1*t) + 0.2*np.sin(0.5*t)
    return amp*(f + noise*rng.standard_normal((nt, ny, nx)))


LAT = dict(standard_name="latitude", long_name="latitude", units="degrees_north", axis="Y")
LON = dict(standard_name="longitude", long_name="longitude", units="degrees_east", axis="X")


def arr2(root, name, data, chunks=None, attrs=None, fill=0, sep=".", comp=None, dtype=None):
    """A V2 array in group dir `root`, as zarr-python 2 writers leave it."""
    data = np.asarray(data)
    kw = dict(shape=data.shape, dtype=dtype or data.dtype)
    a = zarr.create_array(store=str(root), name=name, zarr_format=2, chunks=tuple(chunks or data.shape) if data.ndim else (),
                          fill_value=fill, compressors=comp or numcodecs.Blosc(cname="lz4", clevel=5, shuffle=1),
                          chunk_key_encoding={"name": "v2", "separator": sep}, attributes=attrs or {}, overwrite=True, **kw)
    a[...] = data
    return a


def arrs2(root, name, strings, attrs=None):
    a = zarr.create_array(store=str(root), name=name, zarr_format=2, shape=(len(strings),), chunks=(len(strings),), dtype=str,
                          attributes=attrs or {}, overwrite=True)
    a[:] = np.array(strings, dtype=object)
    return a


def load(p, **kw):
    with xr.open_zarr(p, **kw) as ds:
        return ds.load()


# ================================================================= 01
@case("01-lfp-append-holes", "pydata/xarray#7812", "nan|chunk|append|partial|concurrent|lfp",
      "Recordings appended along time with dask chunks that straddle the stored chunks raced on shared chunks, so parts of chunks 2, 4 and 5 of lfp are NaN (steps 1000-1299, 2000-2099, 2900-2999) in all channels",
      "lfp: NaN runs over part of a stored chunk along time (lost writes when appending with misaligned dask chunks); source has no NaN")
def c01(cl, fa):
    rng = np.random.default_rng(1)
    nt, nc = 3200, 8
    t = np.arange(nt)/1250.0
    base = 120*np.sin(2*np.pi*7*t)[None] * np.linspace(.5, 1, nc)[:, None] + 40*np.sin(2*np.pi*33*t + np.arange(nc)[:, None]*.4)
    v = base + 12*rng.standard_normal((nc, nt))
    v = (np.round(v/0.195)*0.195).astype("f4")
    def mk(v):
        return xr.Dataset({"lfp": (("channel", "time"), v, {"units": "uV", "long_name": "local field potential", "sampling_rate": 1250.0})},
                          coords={"channel": ("channel", np.arange(nc), {"long_name": "probe channel"}),
                                  "time": ("time", t, {"units": "s", "long_name": "time from session start"})},
                          attrs={"source": "CNPIX4-Doppio imec0.lf", "subject": "rat-07"})
    enc = {"lfp": {"chunks": (nc, 500)}, "time": {"chunks": (500,)}}
    save(mk(v), cl, 2, enc)
    w = v.copy()
    for a, b in ((1000, 1300), (2000, 2100), (2900, 3000)):
        w[:, a:b] = np.nan
    save(mk(w), fa, 2, enc)
    C, F = load(cl), load(fa)
    assert not C.lfp.isnull().any() and int(F.lfp.isnull().sum()) == nc*500
    assert bool((C.lfp == F.lfp).where(F.lfp.notnull(), True).all())


# ================================================================= 02
@case("02-era5land-two-packings", "fsspec/kerchunk#212", "scale_factor|add_offset|pack|jump|t2m",
      "Two ERA5-Land files packed with different scale_factor/add_offset were combined under the first file's attributes, so every t2m value from time step 48 on decodes wrongly",
      "t2m: scale_factor/add_offset belong to the first file only; decoded values jump at step 48 (chunk boundary)")
def c02(cl, fa):
    rng = np.random.default_rng(2)
    nt, ny, nx = 96, 20, 24
    tt = np.arange(nt)
    T = 279 + 7*np.sin(2*np.pi*(tt-9)/24)[:, None, None] + 9*np.linspace(-1, 1, ny)[None, :, None] + field(rng, nt, ny, nx, 1.5, .05)
    T -= 0.02*tt[:, None, None]
    lo, hi = T.min()-25, T.max()+4
    s1 = (hi-lo)/65532; o1 = (hi+lo)/2
    q = np.round((T-o1)/s1).astype("i2")
    h = T[48:]
    lo2, hi2 = h.min()-.1, h.max()+.1
    s2 = (hi2-lo2)/65532; o2 = (hi2+lo2)/2
    q2 = q.copy(); q2[48:] = np.round((h-o2)/s2).astype("i2")
    def mk(q):
        return xr.Dataset({"t2m": (("time", "latitude", "longitude"), q,
                                   {"scale_factor": float(s1), "add_offset": float(o1), "_FillValue": np.int16(-32767), "missing_value": -32767,
                                    "units": "K", "long_name": "2 metre temperature"})},
                          coords={"time": ("time", (1051896 + tt).astype("i4"), {"units": "hours since 1900-01-01 00:00:00.0", "long_name": "time", "calendar": "gregorian"}),
                                  "latitude": ("latitude", np.round(45-0.1*np.arange(ny), 1).astype("f4"), {"units": "degrees_north", "long_name": "latitude"}),
                                  "longitude": ("longitude", np.round(-95+0.1*np.arange(nx), 1).astype("f4"), {"units": "degrees_east", "long_name": "longitude"})},
                          attrs={"Conventions": "CF-1.6", "history": "2022-08-18 14:28:56 GMT by grib_to_netcdf-2.25.1: /opt/ecmwf/mars-client/bin/grib_to_netcdf.bin -S param -o conus.nc"})
    enc = {"t2m": {"chunks": (24, 10, 24)}, "time": {"chunks": (48,)}}
    save(mk(q), cl, 2, enc); save(mk(q2), fa, 2, enc)
    C, F = load(cl).t2m, load(fa).t2m
    jump = lambda d: float(np.abs(d[48]-d[47]).max())
    assert abs(float((C-T).max())) < .01 and jump(F) > 4 and jump(C) < 3, (jump(F), jump(C))
    assert np.allclose(C[:48], F[:48])


# ================================================================= 03
@case("03-wind-int16-wrap", "pydata/xarray#4282", "int16|overflow|wrap|scale_factor|u10|sign",
      "A merged dataset was written with the scale_factor/add_offset encoding of its first file; u10 values outside that range overflowed int16 and wrapped to the other sign from step 20 on",
      "u10: packed int16 overflow/wrap-around - strong winds of the second month decode with the wrong sign (jumps of 65536*scale_factor)")
def c03(cl, fa):
    rng = np.random.default_rng(3)
    nt, ny, nx = 40, 18, 36
    u = field(rng, nt, ny, nx, 8, .05)
    u[20:] *= 1.9
    lim = np.abs(u[:20]).max()
    u = u.astype("f8")
    def mk(scale):
        q = np.round(u/scale).astype("i8").astype("i2")     # modular cast, as numpy does
        return xr.Dataset({"u10": (("time", "latitude", "longitude"), q,
                                   {"scale_factor": float(scale), "add_offset": 0.0, "_FillValue": np.int16(-32768),
                                    "units": "m s**-1", "long_name": "10 metre U wind component", "standard_name": "eastward_wind"})},
                          coords={"time": ("time", np.arange(nt, dtype="i8")*6 + 1043136, {"units": "hours since 1900-01-01", "calendar": "proleptic_gregorian", "standard_name": "time", "axis": "T"}),
                                  "latitude": ("latitude", np.linspace(85, -85, ny), LAT), "longitude": ("longitude", np.arange(nx)*10.0, LON)},
                          attrs={"Conventions": "CF-1.7", "institution": "ECMWF", "title": "ERA5 hourly data on single levels, Jan-Feb 2019"})
    enc = {"u10": {"chunks": (10, 18, 18)}}
    save(mk(float(np.abs(u).max()*1.02/32767)), cl, 3, enc); save(mk(float(lim*1.05/32767)), fa, 3, enc)
    C, F = load(cl).u10, load(fa).u10
    assert float(np.abs(C-u).max()) < .01
    bad = np.abs(F-u) > 1
    assert 50 < int(bad.sum()) < 6000 and not bool(bad[:20].any())


# ================================================================= 04
@case("04-nldas-zero-rain", "NASAWaterInsight/NLDAS-3#42", "fill_value|rainf|zero|nan|missing_value|-9999",
      "The reference metadata gives Rainf the default fill_value 0 instead of -9999, so every dry (zero) hour decodes to NaN",
      "Rainf/.zarray fill_value 0.0 contradicts missing_value -9999: zero precipitation reads as NaN")
def c04(cl, fa):
    rng = np.random.default_rng(4)
    nt, ny, nx = 24, 24, 30
    r = np.clip(field(rng, nt, ny, nx, 3, .2) - 1.2, 0, None).astype("f4")
    r = np.round(r, 3)
    sea = (np.add.outer(np.arange(ny), np.arange(nx)) < 9)
    r[:, sea] = -9999
    ds = xr.Dataset({"Rainf": (("time", "lat", "lon"), r, {"_FillValue": np.float32(-9999), "missing_value": -9999.0, "units": "kg m-2", "long_name": "Total precipitation",
                               "standard_name": "precipitation_amount", "cell_methods": "time: sum", "vmin": 0.0})},
                    coords={"time": ("time", np.arange(nt, dtype="f8"), {"units": "hours since 2003-06-01 00:00:00", "calendar": "standard", "standard_name": "time", "axis": "T"}),
                            "lat": ("lat", np.round(25.005+0.01*np.arange(ny), 3), LAT), "lon": ("lon", np.round(-81.3+0.01*np.arange(nx), 3), LON)},
                    attrs={"Conventions": "CF-1.6", "title": "NLDAS-3 Meteorological Forcing Data", "institution": "NASA GSFC"})
    enc = {"Rainf": {"chunks": (6, 24, 15), "compressors": numcodecs.Zlib(level=2), "filters": [numcodecs.Shuffle(4)]}}
    save(ds, cl, 2, enc); twin(cl, fa)
    edit(fa, "Rainf", ".zarray", lambda d: d.update(fill_value=0.0))
    C, F = load(cl).Rainf, load(fa).Rainf
    assert rd(cl/"Rainf/.zarray")["fill_value"] == -9999.0
    dry = (C == 0)
    assert float(dry.mean()) > .3 and bool(F.where(dry).isnull().all()) and int(F.isnull().sum()) == int(dry.sum()) + int(C.isnull().sum())


# ================================================================= 05
@case("05-rechunked-ssh-land", "pangeo-data/rechunker#133", "fill_value|zeta|null|land|e+36|missing",
      "Rechunking dropped the array's fill_value (null instead of 9.969e36), so the land cells of zeta are no longer masked and read as 9.97e36",
      "zeta/.zarray fill_value null: land holds 9.969e+36 as valid data (fill value not preserved by the rechunk)")
def c05(cl, fa):
    rng = np.random.default_rng(5)
    nt, ny, nx = 48, 16, 20
    FV = 9.969209968386869e36
    z = np.round(field(rng, nt, ny, nx, .6, .03), 4).astype("f4")
    land = np.hypot(*np.meshgrid(np.arange(nx)-3, np.arange(ny)-4)) < 3.5
    z[:, land] = np.float32(FV)
    ds = xr.Dataset({"zeta": (("ocean_time", "lat", "lon"), z, {"_FillValue": np.float32(FV), "units": "meter", "long_name": "free-surface", "standard_name": "sea_surface_height_above_geoid", "field": "free-surface, scalar, series"})},
                    coords={"ocean_time": ("ocean_time", np.arange(nt)*3600.0, {"units": "seconds since 2018-01-01 00:00:00", "calendar": "proleptic_gregorian", "standard_name": "time", "axis": "T"}),
                            "lat": ("lat", 32+.25*np.arange(ny), LAT), "lon": ("lon", -76+.25*np.arange(nx), LON)},
                    attrs={"Conventions": "CF-1.6", "title": "US East coast ROMS hindcast", "type": "ROMS/TOMS history file"})
    save(ds, cl, 2, {"zeta": {"chunks": (48, 4, 5)}}); twin(cl, fa)
    edit(fa, "zeta", ".zarray", lambda d: d.update(fill_value=None))
    C, F = load(cl).zeta, load(fa).zeta
    assert len([f for f in (fa/"zeta").iterdir() if f.name[0] != "."]) == 16      # no chunk left out as empty
    assert int(C.isnull().sum()) == nt*int(land.sum()) and int(F.isnull().sum()) == 0 and float(F.max()) > 1e36 and float(C.max()) < 5


# ================================================================= 06
@case("06-thetao-month-late", "EC-Earth/ece2cmor3#404", "time_bnds|bounds|month|outside|shift",
      "The monthly means are stamped one month late: time runs from February 1853 to January 1854 while time_bnds still cover January to December 1853",
      "time: every value lies outside its own time_bnds (one month late)")
def c06(cl, fa):
    rng = np.random.default_rng(6)
    lev = np.array([5.0, 15, 30, 60])
    th = (14 + 10*np.sin(np.linspace(0, np.pi, 10))[None, None, :, None] - lev[None, :, None, None]*.05
          + field(rng, 12, 10, 12, 1, .1)[:, None]).astype("f4")
    edges = pd.date_range("1853-01-01", periods=14, freq="MS")
    day = (edges - pd.Timestamp("1850-01-01")).days.values.astype("f8")
    mid = (day[:-1]+day[1:])/2
    def mk(t):
        return xr.Dataset({"thetao": (("time", "lev", "lat", "lon"), th, {"units": "degC", "standard_name": "sea_water_potential_temperature", "long_name": "Sea Water Potential Temperature",
                                       "cell_methods": "area: mean where sea time: mean", "_FillValue": np.float32(1e20), "missing_value": np.float32(1e20)}),
                           "time_bnds": (("time", "bnds"), np.stack([day[:12], day[1:13]], 1))},
                          coords={"time": ("time", t, {"units": "days since 1850-01-01", "calendar": "proleptic_gregorian", "standard_name": "time", "long_name": "time", "axis": "T", "bounds": "time_bnds"}),
                                  "lev": ("lev", lev, {"units": "m", "positive": "down", "axis": "Z", "standard_name": "depth"}),
                                  "lat": ("lat", np.linspace(-72, 72, 10), LAT), "lon": ("lon", np.arange(12)*30.0, LON)},
                          attrs={"Conventions": "CF-1.7 CMIP-6.2", "source_id": "EC-Earth3", "experiment_id": "historical", "variant_label": "r10i1p1f1", "frequency": "mon", "table_id": "Omon", "variable_id": "thetao"})
    enc = {"thetao": {"chunks": (6, 2, 10, 12)}, "time_bnds": {"_FillValue": None}}
    save(mk(mid[:12]), cl, 3, enc); save(mk(mid[1:13]), fa, 3, enc)
    for p, n in ((cl, 0), (fa, 12)):
        d = load(p, decode_times=False)
        out = (d.time < d.time_bnds[:, 0]) | (d.time > d.time_bnds[:, 1])
        assert int(out.sum()) == n
    assert str(load(fa).time.values[0])[:7] == "1853-02" and str(load(cl).time.values[-1])[:7] == "1853-12"


# ================================================================= 07
@case("07-precip-6h-metres", "MeteoSwiss/evalml#158", "tot_prec_6h|1000|units|metre|tot_prec_1h|sum",
      "Only TOT_PREC_1H was converted from m to kg m-2; TOT_PREC_6H is still in metres under units kg m-2, a thousand times smaller than the sum of its six hours",
      "TOT_PREC_6H: units kg m-2 but values in m (sum of six TOT_PREC_1H is 1000 times larger)")
def c07(cl, fa):
    rng = np.random.default_rng(7)
    nt, ny, nx = 48, 14, 18
    raw = np.clip(field(rng, nt+5, ny, nx, 2.5, .25)-.8, 0, None)
    one = np.round(raw, 3).astype("f4")
    six = np.stack([one[i:i+6].sum(0) for i in range(nt)]).astype("f4")
    def mk(s):
        A = {"units": "kg m-2", "standard_name": "precipitation_amount", "cell_methods": "time: sum"}
        return xr.Dataset({"TOT_PREC_1H": (("time", "y", "x"), one[5:], {**A, "long_name": "total precipitation, last 1 h"}),
                           "TOT_PREC_6H": (("time", "y", "x"), s, {**A, "long_name": "total precipitation, last 6 h"}),
                           "T_2M": (("time", "y", "x"), (281+field(rng, nt, ny, nx, 3, .05)).astype("f4").round(2), {"units": "K", "standard_name": "air_temperature", "long_name": "2 m temperature"})},
                          coords={"time": ("time", np.arange(nt, dtype="i8"), {"units": "hours since 2025-03-01", "calendar": "proleptic_gregorian", "standard_name": "time", "axis": "T"}),
                                  "y": ("y", 1075000+1000.0*np.arange(ny), {"units": "m", "standard_name": "projection_y_coordinate", "axis": "Y"}),
                                  "x": ("x", 2600000+1000.0*np.arange(nx), {"units": "m", "standard_name": "projection_x_coordinate", "axis": "X"})},
                          attrs={"Conventions": "CF-1.8", "source": "KENDA-CH1 analysis", "institution": "MeteoSwiss"})
    enc = {k: {"chunks": (12, ny, nx)} for k in ("TOT_PREC_1H", "TOT_PREC_6H", "T_2M")}
    st = rng.bit_generator.state; save(mk(six), cl, 3, enc, True); rng.bit_generator.state = st
    save(mk((six/1000).astype("f4")), fa, 3, enc, True)
    for p, k in ((cl, 1), (fa, 1000)):
        d = load(p); s = d.TOT_PREC_1H.rolling(time=6).sum().values[5:]
        m = s > 1; assert np.allclose((s/d.TOT_PREC_6H.values[5:])[m], k, rtol=1e-2)
    assert load(cl).T_2M.equals(load(fa).T_2M)


# ================================================================= 08
@case("08-hycom-lon-unsorted", "TheOceanCleanupAlgorithms/ADVECT#56", "lon|monoton|sort|180|wrap",
      "Longitudes were wrapped from 0..360 to -180..180 without sorting: lon runs 0..170 then jumps to -180..-10",
      "lon: not monotonic (wrapped to [-180,180) but the dataset not re-sorted)")
def c08(cl, fa):
    rng = np.random.default_rng(8)
    nt, ny, nx = 8, 16, 36
    lon = np.arange(nx)*10.0
    u = np.round(field(rng, nt, ny, nx, .5, .05), 3).astype("f4"); v = np.round(field(rng, nt, ny, nx, .3, .05), 3).astype("f4")
    land = (np.cos(np.radians(lon))[None] + np.linspace(-1, 1, ny)[:, None]) > 1.3
    u[:, land] = np.nan; v[:, land] = np.nan
    w = (lon+180) % 360 - 180
    def mk(order):
        A = {"units": "m/s"}
        return xr.Dataset({"water_u": (("time", "lat", "lon"), u[..., order], {**A, "standard_name": "eastward_sea_water_velocity", "long_name": "Eastward Water Velocity"}),
                           "water_v": (("time", "lat", "lon"), v[..., order], {**A, "standard_name": "northward_sea_water_velocity", "long_name": "Northward Water Velocity"})},
                          coords={"time": ("time", np.arange(nt)*24.0+113952, {"units": "hours since 2000-01-01 00:00:00", "calendar": "gregorian", "standard_name": "time", "axis": "T"}),
                                  "lat": ("lat", np.linspace(-75, 75, ny), LAT), "lon": ("lon", w[order], LON)},
                          attrs={"Conventions": "CF-1.6", "classification_level": "UNCLASSIFIED", "source": "HYCOM archive file", "experiment": "90.9"})
    enc = {k: {"chunks": (2, 16, 18)} for k in ("water_u", "water_v")}
    save(mk(np.argsort(w)), cl, 2, enc); save(mk(np.arange(nx)), fa, 2, enc)
    C, F = load(cl), load(fa)
    assert C.indexes["lon"].is_monotonic_increasing and not F.indexes["lon"].is_monotonic_increasing and C.equals(F.sortby("lon"))


# ================================================================= 09
@case("09-cube-time-nat", "esa-esdl/esdl-core#39", "time|nat|nan|first|missing",
      "The cube's first three time steps, for which the source has no images, have NaN (NaT) in the time coordinate instead of their dates",
      "time: first three values are NaN/NaT (missing dates in the coordinate)")
def c09(cl, fa):
    rng = np.random.default_rng(9)
    nt, ny, nx = 16, 18, 36
    a = (270+90*field(rng, nt, ny, nx, .4, .05)).astype("f4").round(1); a[:3] = np.nan
    t = 3.5 + 8.0*np.arange(nt)
    def mk(t):
        return xr.Dataset({"ozone": (("time", "lat", "lon"), a, {"units": "DU", "long_name": "Total ozone column", "standard_name": "atmosphere_mole_content_of_ozone", "source_name": "atmosphere_mole_content_of_ozone", "time_coverage_start": "1997-01-25", "project_name": "Ozone CCI"})},
                          coords={"time": ("time", t, {"units": "days since 1997-01-01 00:00:00", "calendar": "gregorian", "standard_name": "time", "long_name": "time", "axis": "T"}),
                                  "lat": ("lat", np.linspace(85, -85, ny), LAT), "lon": ("lon", np.linspace(-175, 175, nx), LON)},
                          attrs={"Conventions": "CF-1.6", "title": "ESDL cube", "spatial_resolution": "10 degree", "temporal_resolution": "8D"})
    enc = {"ozone": {"chunks": (4, 18, 18)}, "time": {"_FillValue": None}}
    b = mk(t); f = t.copy(); f[:3] = np.nan
    b["ozone"].attrs.pop("standard_name"); g = mk(f); g["ozone"].attrs.pop("standard_name")
    save(b, cl, 2, enc); save(g, fa, 2, enc)
    C, F = load(cl), load(fa)
    assert not np.isnat(C.time.values).any() and np.isnat(F.time.values[:3]).all() and not np.isnat(F.time.values[3:]).any()


# ================================================================= 10
@case("10-t2m-chunk-gone", "pydata/xarray#9701", "chunk|missing|nan|2m_temperature|2/0/0",
      "One chunk file of 2m_temperature (c/2/0/0: 11-15 January, northern half) is gone; readers silently return NaN there",
      "2m_temperature: chunk c/2/0/0 missing from the store, read as fill (NaN)")
def c10(cl, fa):
    rng = np.random.default_rng(10)
    nt, ny, nx = 30, 16, 20
    t = (268+12*np.sin(np.linspace(0, np.pi, ny))[None, :, None]+field(rng, nt, ny, nx, 4, .1)).astype("f4").round(2)
    ds = xr.Dataset({"2m_temperature": (("time", "latitude", "longitude"), t, {"units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"})},
                    coords={"time": ("time", np.arange(nt, dtype="i8"), {"units": "days since 2021-01-01", "calendar": "proleptic_gregorian", "standard_name": "time", "axis": "T"}),
                            "latitude": ("latitude", 60-.25*np.arange(ny), LAT), "longitude": ("longitude", 5+.25*np.arange(nx), LON)},
                    attrs={"Conventions": "CF-1.8"})
    save(ds, cl, 3, {"2m_temperature": {"chunks": (5, 8, 20)}}, consolidated=True); twin(cl, fa)
    os.remove(fa/"2m_temperature/c/2/0/0")
    n = load(fa)["2m_temperature"].isnull()
    assert not load(cl)["2m_temperature"].isnull().any() and int(n.sum()) == 5*8*20 and bool(n[10:15, :8].all())


# ================================================================= 11
@case("11-bare-nan-attr", "zarr-developers/zarr-python#412", "nan|json|.zattrs|invalid|discharge|sensor_drift",
      "An attribute of discharge is the bare token NaN in .zattrs (and .zmetadata): not valid JSON, other languages cannot open the array",
      "discharge/.zattrs: sensor_drift is an unquoted NaN - invalid JSON for every strict parser")
def c11(cl, fa):
    rng = np.random.default_rng(11)
    n, m = 240, 6
    q = np.round(np.exp(1.5+.6*np.sin(np.arange(n)/20)[:, None]+.3*np.arange(m)+.1*rng.standard_normal((n, m))), 2).astype("f4")
    ds = xr.Dataset({"discharge": (("time", "station"), q, {"units": "m3 s-1", "long_name": "river discharge", "standard_name": "water_volume_transport_in_river_channel", "sensor_drift": "NaN"})},
                    coords={"time": ("time", np.arange(n, dtype="i8"), {"units": "days since 2016-01-01", "calendar": "proleptic_gregorian", "standard_name": "time"}),
                            "station": ("station", np.array([2335, 2337, 2402, 2418, 2500, 2511]), {"long_name": "gauge number"})},
                    attrs={"Conventions": "CF-1.8", "featureType": "timeSeries"})
    save(ds, cl, 2, {"discharge": {"chunks": (60, 3)}}); twin(cl, fa)
    edit(fa, "discharge", ".zattrs", lambda d: d.update(sensor_drift=float("nan")))
    def strict(p):
        def no(x): raise ValueError(x)
        for f in [p/"discharge/.zattrs", p/".zmetadata"]:
            json.loads(f.read_text(), parse_constant=no)
    strict(cl)
    try: strict(fa); raise SystemExit("11")
    except ValueError: pass
    assert "NaN" in (fa/".zmetadata").read_text() and load(cl).discharge.equals(load(fa).discharge)


# ----------------------------------------------------------------- NWB skeleton (hdmf-zarr, V2)
def oid(i): return str(uuid.UUID(int=0x9a3e5c11000040008000000000000000 + i))


def ref(path, i): return {"zarr_dtype": "object", "value": {"object_id": oid(i), "path": path, "source": ".", "source_object_id": oid(0)}}


def nwb(root, session):
    g = zarr.open_group(str(root), mode="w", zarr_format=2)
    g.attrs.update({"namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.7.0", "object_id": oid(0), ".specloc": "specifications"})
    for n in ("acquisition", "analysis", "general", "processing", "stimulus", "stimulus/presentation", "stimulus/templates", "specifications"):
        g.create_group(n)
    for n, s in (("identifier", session), ("session_description", "head-fixed recording"), ("session_start_time", "2023-04-11T10:12:00-07:00"), ("timestamps_reference_time", "2023-04-11T10:12:00-07:00")):
        arrs2(root, n, [s], {"zarr_dtype": "scalar", "_ARRAY_DIMENSIONS": ["scalar"]})
    arrs2(root, "file_create_date", ["2023-05-02T09:00:01-07:00"], {"zarr_dtype": "object_", "_ARRAY_DIMENSIONS": ["num_modifications"]})
    return g


def ser(root, path, typ, i, **at):
    g = zarr.open_group(str(root), mode="a", zarr_format=2)
    x = g.require_group(path)
    x.attrs.update({"namespace": "core" if typ not in ("DynamicTable",) else "hdmf-common", "neurodata_type": typ, "object_id": oid(i), **at})


# ================================================================= 12
@case("12-ephys-transposed", "dandi/dandi-cli#1031", "electricalseries|transpos|electrodes|dimension|shape|32",
      "ElectricalSeries/data is stored channels-first (32, 1500) while NWB wants (time, channel): its second dimension does not match the 32 electrodes",
      "acquisition/ElectricalSeries/data transposed: shape (32, 1500), time must be first; second dimension 1500 does not match 32 electrodes")
def c12(cl, fa):
    def mk(root, transposed):
        rng = np.random.default_rng(12)
        nt, nc = 1500, 32
        t = np.arange(nt)/30000
        d = 180*np.sin(2*np.pi*80*t)[:, None]*np.linspace(.2, 1, nc)[None] + 25*rng.standard_normal((nt, nc)) + 30*np.arange(nc)[None] % 7
        d = d.astype("i2")
        nwb(root, "ecephys_tutorial")
        P = "acquisition/ElectricalSeries"
        ser(root, P, "ElectricalSeries", 1, comments="no comments", description="raw voltage, AP band")
        a = {"conversion": 1.95e-07, "offset": 0.0, "resolution": -1.0, "unit": "volts", "zarr_dtype": "int16", "_ARRAY_DIMENSIONS": ["num_times", "num_channels"]}
        arr2(root, P+"/data", d.T.copy() if transposed else d, (16, 500) if transposed else (500, 16), a)
        arr2(root, P+"/starting_time", np.array([0.0]), (1,), {"rate": 30000.0, "unit": "seconds", "zarr_dtype": "float64", "_ARRAY_DIMENSIONS": ["scalar"]})
        arr2(root, P+"/electrodes", np.arange(nc), None, {"namespace": "hdmf-common", "neurodata_type": "DynamicTableRegion", "object_id": oid(2), "description": "all electrodes",
             "table": ref("/general/extracellular_ephys/electrodes", 3), "zarr_dtype": "int64", "_ARRAY_DIMENSIONS": ["num_channels"]})
        E = "general/extracellular_ephys/electrodes"
        ser(root, "general/devices/probe", "Device", 5, description="64-channel silicon probe", manufacturer="imec")
        ser(root, "general/extracellular_ephys/shank0", "ElectrodeGroup", 4, description="shank 0", location="CA1",
            zarr_link=[{"name": "device", "source": ".", "path": "/general/devices/probe", "object_id": oid(5), "source_object_id": oid(0)}])
        ser(root, E, "DynamicTable", 3, description="metadata about extracellular electrodes", colnames=["rel_x", "rel_y", "location", "group", "group_name"])
        V = {"namespace": "hdmf-common", "_ARRAY_DIMENSIONS": ["num_rows"]}
        arr2(root, E+"/id", np.arange(nc), None, {**V, "neurodata_type": "ElementIdentifiers", "object_id": oid(6), "zarr_dtype": "int64"})
        arr2(root, E+"/rel_x", np.where(np.arange(nc) % 2, 16.0, 48.0), None, {**V, "neurodata_type": "VectorData", "description": "x (um)", "object_id": oid(7), "zarr_dtype": "float64"})
        arr2(root, E+"/rel_y", 20.0*(np.arange(nc)//2), None, {**V, "neurodata_type": "VectorData", "description": "y (um)", "object_id": oid(8), "zarr_dtype": "float64"})
        arrs2(root, E+"/location", ["CA1"]*nc, {**V, "neurodata_type": "VectorData", "description": "area", "object_id": oid(9), "zarr_dtype": "object_"})
        gr = json.dumps({"source": ".", "path": "/general/extracellular_ephys/shank0", "object_id": oid(4), "source_object_id": oid(0)})
        arrs2(root, E+"/group", [gr]*nc, {**V, "neurodata_type": "VectorData", "description": "a reference to the ElectrodeGroup this electrode is a part of", "object_id": oid(11), "zarr_dtype": "object"})
        arrs2(root, E+"/group_name", ["shank0"]*nc, {**V, "neurodata_type": "VectorData", "description": "group", "object_id": oid(10), "zarr_dtype": "object_"})
        zarr.consolidate_metadata(str(root), zarr_format=2)
    mk(cl, False); mk(fa, True)
    C, F = zarr.open_consolidated(str(cl)), zarr.open_consolidated(str(fa))
    k = "acquisition/ElectricalSeries/"
    assert C[k+"data"].shape[1] == C[k+"electrodes"].shape[0] and F[k+"data"].shape[1] != F[k+"electrodes"].shape[0]
    assert np.array_equal(C[k+"data"][:], F[k+"data"][:].T)


# ================================================================= 13
@case("13-units-relative-spikes", "NeurodataWithoutBorders/nwbinspector#676", "spike_times|negative|ascending|sorted|obs_intervals|relative",
      "The spike times of all units are event-relative: mostly negative, not ascending within a unit, and outside obs_intervals 0-600 s",
      "units/spike_times: negative and not in ascending order (relative times, not session time); outside obs_intervals")
def c13(cl, fa):
    def mk(root, rel):
        rng = np.random.default_rng(13)
        nwb(root, "sub-03_ses-7")
        counts = rng.integers(90, 220, 12)
        sp = [np.sort(rng.uniform(1, 599, n)) for n in counts]
        if rel:
            sp = [np.mod(s, 7.32) - 5.9 for s in sp]
        ser(root, "units", "Units", 1, description="sorted units", colnames=["spike_times", "obs_intervals", "quality"])
        zarr.open_group(str(root), mode="a", zarr_format=2)["units"].attrs["namespace"] = "core"
        V = {"namespace": "hdmf-common", "_ARRAY_DIMENSIONS": ["num_rows"]}
        arr2(root, "units/id", np.arange(12), None, {**V, "neurodata_type": "ElementIdentifiers", "object_id": oid(2), "zarr_dtype": "int64"})
        arr2(root, "units/spike_times", np.round(np.concatenate(sp), 4), (500,), {**V, "neurodata_type": "VectorData", "description": "the spike times for each unit in seconds", "object_id": oid(3), "zarr_dtype": "float64"})
        arr2(root, "units/spike_times_index", np.cumsum(counts).astype("u2"), None, {**V, "neurodata_type": "VectorIndex", "target": ref("/units/spike_times", 3), "object_id": oid(4), "zarr_dtype": "uint16"})
        arr2(root, "units/obs_intervals", np.tile([0.0, 600.0], (12, 1)), None, {**V, "neurodata_type": "VectorData", "description": "the observation intervals for each unit", "object_id": oid(5), "zarr_dtype": "float64", "_ARRAY_DIMENSIONS": ["num_intervals", "start_end"]})
        arr2(root, "units/obs_intervals_index", np.arange(1, 13).astype("u1"), None, {**V, "neurodata_type": "VectorIndex", "target": ref("/units/obs_intervals", 5), "object_id": oid(6), "zarr_dtype": "uint8"})
        arrs2(root, "units/quality", ["good" if i % 3 else "mua" for i in range(12)], {**V, "neurodata_type": "VectorData", "description": "curation", "object_id": oid(7), "zarr_dtype": "object_"})
        zarr.consolidate_metadata(str(root), zarr_format=2)
    mk(cl, False); mk(fa, True)
    def st(p):
        g = zarr.open_consolidated(str(p))["units"]; s = g["spike_times"][:]; ix = g["spike_times_index"][:].astype(int)
        parts = np.split(s, ix[:-1]); assert ix[-1] == len(s)
        return sum((np.diff(x) < 0).any() for x in parts), (s < 0).mean()
    assert st(cl) == (0, 0) and st(fa)[0] == 12 and st(fa)[1] > .7


# ================================================================= 14
@case("14-running-two-clocks", "AllenInstitute/AllenSDK#1410", "timestamps|running_speed|shape|dimension|two|900",
      "running_speed/timestamps has shape (2, 900): two rows of times instead of the one-dimensional vector that matches data (900,)",
      "processing/running/running_speed/timestamps is 2-D (2, 900); it must be 1-D and as long as data")
def c14(cl, fa):
    def mk(root, two):
        rng = np.random.default_rng(14)
        n = 900
        nwb(root, "ecephys_session_715093703")
        P = "processing/running/running_speed"
        ser(root, "processing/running", "ProcessingModule", 1, description="running speed data")
        ser(root, P, "TimeSeries", 2, comments="no comments", description="no description")
        t = 27.2 + np.cumsum(1/60+.0004*rng.standard_normal(n)); t = np.round(t, 6)
        v = np.clip(18+12*np.sin(np.arange(n)/55)+2*rng.standard_normal(n), -1, None).round(4)
        arr2(root, P+"/data", v, (300,), {"conversion": 1.0, "offset": 0.0, "resolution": -1.0, "unit": "cm/s", "zarr_dtype": "float64", "_ARRAY_DIMENSIONS": ["num_times"]})
        a = {"interval": 1, "unit": "seconds", "zarr_dtype": "float64", "_ARRAY_DIMENSIONS": ["num_times"]}
        if two:
            lag = np.round(t + .0166 + .0005*np.abs(np.sin(np.arange(n))), 6)
            arr2(root, P+"/timestamps", np.stack([t, lag]), (1, 300), {**a, "_ARRAY_DIMENSIONS": ["dim_0", "num_times"]})
        else:
            arr2(root, P+"/timestamps", t, (300,), a)
        zarr.consolidate_metadata(str(root), zarr_format=2)
    mk(cl, False); mk(fa, True)
    k = "processing/running/running_speed/"
    C, F = zarr.open_consolidated(str(cl)), zarr.open_consolidated(str(fa))
    assert C[k+"timestamps"].shape == C[k+"data"].shape == (900,) and F[k+"timestamps"].shape == (2, 900)
    assert (np.diff(C[k+"timestamps"][:]) > 0).all()


# ----------------------------------------------------------------- anndata
def mkad(seed, n=160, m=60, k=5, prefix=""):
    import anndata as ad
    rng = np.random.default_rng(seed)
    lab = rng.integers(0, k, n)
    mu = rng.gamma(1.2, 1.5, (k, m))
    X = rng.poisson(mu[lab]*rng.uniform(.5, 1.8, n)[:, None]).astype("f4")
    bases = np.array(list("ACGT"))
    names = ["".join(bases[rng.integers(0, 4, 16)])+"-1" for _ in range(n)]
    obs = pd.DataFrame({"sample": pd.Categorical(rng.choice(["donor1", "donor2", "donor3"], n)),
                        "leiden": pd.Categorical([str(i) for i in lab], categories=[str(i) for i in range(k)]),
                        "total_counts": X.sum(1), "n_genes_by_counts": (X > 0).sum(1).astype("i4")}, index=names)
    var = pd.DataFrame({"gene_ids": [f"ENSG{186092+7*i:011d}" for i in range(m)], "n_cells_by_counts": (X > 0).sum(0).astype("i4")}, index=[f"GENE{i}" for i in range(m)])
    a = ad.AnnData(X, obs=obs, var=var)
    U, s, _ = np.linalg.svd(np.log1p(X)-np.log1p(X).mean(0), full_matrices=False)
    a.obsm["X_pca"] = (U[:, :10]*s[:10]).astype("f4")
    a.uns["leiden"] = {"params": {"resolution": 1.0, "random_state": 0, "n_iterations": -1}}
    return a


COL = ["#1f77b4", "#ff7f0e", "#279e68", "#d62728", "#aa40fc", "#8c564b"]


def wad(a, p, v):
    import anndata as ad
    ad.settings.auto_shard_zarr_v3 = False; ad.settings.zarr_write_format = v
    a.write_zarr(str(p), chunks=(40, 30))


# ================================================================= 15
@case("15-leiden-stale-colors", "scverse/cellrank#327", "leiden_colors|categor|color|leiden|stale",
      "uns/leiden_colors still has 6 colours after a cluster was removed by subsetting; obs/leiden has 5 categories",
      "uns/leiden_colors: 6 entries against 5 categories of obs/leiden (stale colours after subsetting)")
def c15(cl, fa):
    import anndata as ad
    for p, n in ((cl, 5), (fa, 6)):
        a = mkad(15); a.uns["leiden_colors"] = np.array(COL[:n], dtype=object); wad(a, p, 3)
    C, F = ad.read_zarr(str(cl)), ad.read_zarr(str(fa))
    assert len(C.uns["leiden_colors"]) == len(C.obs.leiden.cat.categories) == 5 and len(F.uns["leiden_colors"]) == 6 and len(F.obs.leiden.cat.categories) == 5
    assert np.array_equal(C.X, F.X)


# ================================================================= 16
@case("16-obs-codes-beyond", "scverse/anndata#84", "codes|categories|sample|range|obs",
      "obs/sample has 3 sample codes (0-2) but only 2 categories were written, so the column cannot be rebuilt and the store does not read",
      "obs/sample: codes reach 2 with only 2 categories; codes out of range, read_zarr fails in from_codes")
def c16(cl, fa):
    import anndata as ad
    a = mkad(16); a.uns["leiden_colors"] = np.array(COL[:5], dtype=object); wad(a, cl, 2); twin(cl, fa)
    g = zarr.open_group(str(fa), mode="r+", use_consolidated=False)
    old = g["obs/sample/categories"]; at = dict(old.attrs)
    arrs2(fa, "obs/sample/categories", list(old[:][:2]), at)
    if (fa/".zmetadata").exists(): zarr.consolidate_metadata(str(fa), zarr_format=2)
    assert sorted(p.name for p in fa.rglob("*")) == sorted(p.name for p in cl.rglob("*"))
    C = ad.read_zarr(str(cl)); assert len(C.obs["sample"].cat.categories) == 3
    try: ad.read_zarr(str(fa)); raise SystemExit("16")
    except ValueError as e: assert "codes" in str(e)+str(e.__cause__), e


# ================================================================= 17
@case("17-obs-sorted-alone", "scverse/anndata#1391", "obs|order|total_counts|row|n_genes|sum",
      "obs was sorted by its index in place while X and obsm kept their order, so barcodes, clusters and QC columns belong to other cells' rows",
      "obs rows are in a different order than X (obs sorted alone): total_counts / n_genes_by_counts do not equal the row sums of X")
def c17(cl, fa):
    import anndata as ad
    a = mkad(17); a.uns["leiden_colors"] = np.array(COL[:5], dtype=object); wad(a, cl, 3)
    a = mkad(17); a.uns["leiden_colors"] = np.array(COL[:5], dtype=object)
    a.obs = a.obs.sort_index(); a.obs.index  # labels move, data stay
    wad(a, fa, 3)
    C, F = ad.read_zarr(str(cl)), ad.read_zarr(str(fa))
    assert np.allclose(C.obs.total_counts, C.X.sum(1)) and (np.abs(F.obs.total_counts.values-F.X.sum(1)) > .5).mean() > .8
    assert np.array_equal(C.X, F.X) and set(C.obs_names) == set(F.obs_names)


# ================================================================= 18
@case("18-shapes-no-attrs", "scverse/spatialdata#484", "spatialdata_attrs|shapes|cells|missing|version",
      "The metadata of shapes/cells has lost spatialdata_attrs (format version), so spatialdata cannot read the element (nor the store)",
      "shapes/cells: spatialdata_attrs key missing from the element's attributes (format version unknown, read fails)")
def c18(cl, fa):
    import spatialdata as sd, anndata as ad
    from spatialdata.models import Image2DModel, ShapesModel, TableModel
    rng = np.random.default_rng(18)
    yy, xx = np.mgrid[:96, :128]; n = 60
    xy = np.column_stack([rng.uniform(6, 122, n), rng.uniform(6, 90, n)]).round(2)
    im = np.stack([sum(200*np.exp(-((xx-x)**2+(yy-y)**2)/s) for x, y in xy) for s in (12, 30)]) + rng.poisson(12, (2, 96, 128))
    img = Image2DModel.parse(np.clip(im, 0, 255).astype("u1"), dims=("c", "y", "x"), c_coords=["DAPI", "PolyT"], chunks=(1, 48, 64))
    sh = ShapesModel.parse(xy, geometry=0, radius=rng.uniform(3, 6, n).round(2), index=np.arange(1, n+1))
    t = mkad(18, n=n, m=30); t.obs["region"] = pd.Categorical(["cells"]*n); t.obs["cell_id"] = np.arange(1, n+1); t.obs_names = [str(i) for i in range(n)]
    t = TableModel.parse(t, region="cells", region_key="region", instance_key="cell_id")
    ad.settings.auto_shard_zarr_v3 = False; ad.settings.zarr_write_format = 3
    sd.SpatialData(images={"morphology": img}, shapes={"cells": sh}, tables={"table": t}).write(str(cl))
    twin(cl, fa)
    assert "spatialdata_attrs" in rd(cl/"shapes/cells/zarr.json")["attributes"]
    edit(fa, "shapes/cells", "zarr.json", lambda d: d["attributes"].pop("spatialdata_attrs") and None)
    sgrp = rd(fa/"shapes/zarr.json")
    assert "spatialdata_attrs" not in json.dumps(rd(fa/"shapes/cells/zarr.json"))
    cm = (rd(fa/"zarr.json").get("consolidated_metadata") or {}).get("metadata", {})
    assert "spatialdata_attrs" not in json.dumps(cm.get("shapes/cells", {}))
    S = sd.read_zarr(str(cl)); assert len(S["cells"]) == n == S["table"].n_obs and S["morphology"].shape == (2, 96, 128)
    try: sd.read_zarr(str(fa)); raise SystemExit("18")
    except Exception:
        import traceback
        assert "_read_shapes" in traceback.format_exc()


# ----------------------------------------------------------------- OME helpers
def blobs(rng, ny, nx, n):
    yy, xx = np.mgrid[:ny, :nx]; lab = np.zeros((ny, nx), "u2"); im = np.full((ny, nx), 110.0)
    for i in range(1, n+1):
        y, x, r = rng.uniform(5, ny-5), rng.uniform(5, nx-5), rng.uniform(4, 8)
        d = (yy-y)**2+(xx-x)**2; lab[d < r*r] = i*7; im += rng.uniform(300, 1500)*np.exp(-d/(r*r))
    return lab, (im+rng.normal(0, 6, im.shape)).clip(1).astype("u2")


# ================================================================= 19
@case("19-label-pyramid-averaged", "czbiohub-sf/iohub#423", "label|nuclei|average|interpol|level|pyramid",
      "The lower levels of labels/nuclei were made by block averaging, so they hold label numbers that do not exist at full resolution",
      "labels/nuclei levels 1 and 2: averaged label values (ids not present in level 0), nearest neighbour needed")
def c19(cl, fa):
    from ome_zarr.writer import write_image, write_labels
    import ome_zarr_models
    rng = np.random.default_rng(19)
    lab, im = blobs(rng, 128, 160, 40)
    im = np.stack([im, (im*.6+40).astype("u2")])
    g = zarr.open_group(str(cl), mode="w", zarr_format=3)
    sc = {"c": 1.0, "y": 0.325, "x": 0.325}; un = {"y": "micrometer", "x": "micrometer"}
    write_image(im, g, axes="cyx", name="fov0", scale_factors=(2, 4), scale=sc, axes_units=un, storage_options={"chunks": (1, 64, 80)})
    write_labels(lab, g, name="nuclei", axes="yx", scale_factors=(2, 4), scale={"y": .325, "x": .325}, axes_units=un, storage_options={"chunks": (64, 80)},
                 label_metadata={"source": {"image": "../../"}})
    lg = zarr.open_group(str(cl), mode="r+")["labels"]
    lg.attrs["ome"] = {"version": "0.5", **dict(lg.attrs)["ome"]}
    twin(cl, fa)
    L = zarr.open_group(str(fa), mode="r+")["labels/nuclei"]
    ms = dict(L.attrs)["ome"]["multiscales"][0]["datasets"]
    p = [d["path"] for d in ms]; x = L[p[0]][:].astype(float)
    for q in p[1:]:
        x = x.reshape(x.shape[0]//2, 2, x.shape[1]//2, 2).mean((1, 3)); assert L[q].shape == x.shape; L[q][:] = x.astype(L[q].dtype)
    for pth in (cl, fa):
        ome_zarr_models.open_ome_zarr(zarr.open_group(str(pth), mode="r"))
    ids = lambda r, q: set(np.unique(zarr.open_group(str(r), mode="r")["labels/nuclei"][q][:]))
    assert all(ids(cl, q) <= ids(cl, p[0]) for q in p) and all(len(ids(fa, q)-ids(fa, p[0])) > 20 for q in p[1:]) and ids(cl, p[0]) == ids(fa, p[0])


def ms04(root, levels, axes, scales, chunks, name, extra=None):
    g = zarr.open_group(str(root), mode="w" if not Path(root).exists() else "a", zarr_format=2)
    for i, d in enumerate(levels):
        arr2(root, str(i), d, [min(c, s) for c, s in zip(chunks, d.shape)], None, 0, "/")
    ax = [{"name": a, "type": {"c": "channel", "t": "time"}.get(a, "space"), **({"unit": "micrometer"} if a in "zyx" else {})} for a in axes]
    m = {"version": "0.4", "name": name, "axes": ax, "datasets": [{"path": str(i), "coordinateTransformations": [{"type": "scale", "scale": list(map(float, s))}]} for i, s in enumerate(scales)]}
    g.attrs.update({"multiscales": [m], **(extra or {})})


# ================================================================= 20
@case("20-level-sides-swapped", "ome/ome-zarr-py#71", "level|shape|transpos|swap|aspect|scale",
      "Level 1 of the pyramid was resized with height and width swapped: it is (4, 80, 48) under level 0 of (4, 96, 160)",
      "dataset 1: y and x sizes swapped (80 x 48 instead of 48 x 80), does not fit scale 2 of level 0")
def c20(cl, fa):
    import ome_zarr_models
    rng = np.random.default_rng(20)
    z0 = np.stack([blobs(np.random.default_rng(200+i), 96, 160, 30)[1] for i in range(4)])
    near = lambda a, h, w: a[:, (np.arange(h)*a.shape[1]//h)][:, :, (np.arange(w)*a.shape[2]//w)]
    c1 = near(z0, 48, 80); c2 = near(c1, 24, 40)
    f1 = near(z0, 80, 48); f2 = near(f1, 24, 40)
    sc = [(2, .65, .65), (2, 1.3, 1.3), (2, 2.6, 2.6)]
    for p, lv in ((cl, (z0, c1, c2)), (fa, (z0, f1, f2))):
        ms04(p, lv, "zyx", sc, (1, 48, 80), "9836831")
        ome_zarr_models.open_ome_zarr(zarr.open_group(str(p), mode="r"))
    C, F = zarr.open_group(str(cl), mode="r"), zarr.open_group(str(fa), mode="r")
    assert C["1"].shape == (4, 48, 80) and F["1"].shape == (4, 80, 48) and F["0"].shape == C["0"].shape and F["2"].shape == C["2"].shape


# ================================================================= 21
@case("21-z-step-decimetre", "ome/bioformats#4240", "scale|unit|dm|decimet|physicalsizez|micromet",
      "PhysicalSizeZ is given in dm in the OME-XML (9.99e-6 dm = 1 um) but its bare number was written as the z scale in micrometer, 100000 times too small",
      "0/.zattrs z scale 9.99e-06 micrometer: unit of PhysicalSizeZ (dm) ignored, should be 1.0")
def c21(cl, fa):
    import ome_zarr_models
    zdm = 9.999999999999994e-06
    def mk(root, z):
        r = zarr.open_group(str(root), mode="w", zarr_format=2); r.attrs["bioformats2raw.layout"] = 3
        o = r.create_group("OME"); o.attrs["series"] = ["0"]
        rng = np.random.default_rng(21)
        l0 = np.stack([[np.stack([blobs(np.random.default_rng(210+k), 64, 80, 14)[1] for k in range(6)])]*1]).astype("u2")  # t c z y x
        l0 = np.concatenate([l0, (l0*.5+60).astype("u2")], axis=1)
        l1 = l0.reshape(1, 2, 6, 32, 2, 40, 2).mean((4, 6)).astype("u2")
        xy = 0.29898804047838085
        ch = [{"label": n, "color": c, "active": True, "coefficient": 1, "family": "linear", "inverted": False, "window": {"start": 0.0, "end": 2000.0, "min": 0.0, "max": 65535.0}} for n, c in (("HOECHST 33342", "0000FF"), ("Alexa 488", "00FF00"))]
        ms04(Path(root)/"0", (l0, l1), "tczyx", [(1, 1, z, xy, xy), (1, 1, z, 2*xy, 2*xy)], (1, 1, 2, 64, 80), "WellA1 Field1", {"omero": {"channels": ch, "rdefs": {"defaultT": 0, "defaultZ": 3, "model": "color"}}})
        planes = "".join(f'<Plane TheC="{c}" TheT="0" TheZ="{k}" PositionZ="{5.7e-5+1e-6*k:.7g}" PositionZUnit="m"/>' for c in range(2) for k in range(6))
        xml = ('<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0" Name="WellA1 Field1">'
               f'<Pixels ID="Pixels:0" BigEndian="false" DimensionOrder="XYZCT" Type="uint16" SizeX="80" SizeY="64" SizeZ="6" SizeC="2" SizeT="1" PhysicalSizeX="{xy}" PhysicalSizeXUnit="µm" PhysicalSizeY="{xy}" PhysicalSizeYUnit="µm" PhysicalSizeZ="9.999999999999994E-6" PhysicalSizeZUnit="dm">'
               '<Channel ID="Channel:0:0" Name="HOECHST 33342" SamplesPerPixel="1"/><Channel ID="Channel:0:1" Name="Alexa 488" SamplesPerPixel="1"/><MetadataOnly/>'+planes+'</Pixels></Image></OME>')
        (Path(root)/"OME/METADATA.ome.xml").write_text(xml, encoding="utf8")
    mk(cl, 1.0); mk(fa, zdm)
    for p, z in ((cl, 1.0), (fa, zdm)):
        m = ome_zarr_models.open_ome_zarr(zarr.open_group(str(p/"0"), mode="r"))
        ome_zarr_models.open_ome_zarr(zarr.open_group(str(p), mode="r"))
        s = rd(p/"0/.zattrs")["multiscales"][0]["datasets"][0]["coordinateTransformations"][0]["scale"]; assert s[2] == z
    assert abs(zdm*1e5-1) < 1e-9


# ================================================================= 22
@case("22-flat-keys-slash-meta", "zarr-developers/zarr-python#769", "dimension_separator|separator|nested|zero|key|chunk",
      ".zarray declares dimension_separator '/' but the chunks were written under flat dotted names (0.0.0), so the array reads as all zeros",
      ".zarray: dimension_separator \"/\" while chunk files are named with \".\"; no chunk is found and everything reads as fill 0")
def c22(cl, fa):
    rng = np.random.default_rng(22)
    d = np.round(90+field(rng, 24, 32, 40, 30, .1), 1).astype("f4")
    r = zarr.open_group(str(cl), mode="w", zarr_format=2); r.attrs["resolution_um"] = [2.0, 0.4, 0.4]
    arr2(cl, "volumes", d, (12, 16, 20), {"description": "lightsheet membrane probability x 255"}, 0.0, "/")
    twin(cl, fa)
    for f in [f for f in (fa/"volumes").rglob("*") if f.is_file() and not f.name.startswith(".")]:
        f.rename(fa/"volumes"/".".join(f.relative_to(fa/"volumes").parts))
    for s in [s for s in (fa/"volumes").iterdir() if s.is_dir()]: shutil.rmtree(s)
    assert rd(fa/"volumes/.zarray")["dimension_separator"] == "/" and len(list((fa/"volumes").glob("*.*.*"))) == 8
    assert np.array_equal(zarr.open_array(str(cl/"volumes"), mode="r")[:], d) and not zarr.open_array(str(fa/"volumes"), mode="r")[:].any()


# ================================================================= 23
@case("23-shard-lost-slabs", "zarr-developers/zarr-python#3514", "shard|zero|inner|lost|missing|image",
      "Dask wrote chunks that do not line up with the shards; concurrent partial-shard writes lost slabs: planes 20-29 (y 0-23) and 30-39 (y 24-47) of image are zero",
      "image: inner chunks missing within shards (planes 20-29 and 30-39, half the rows) read as 0 - concurrent writes to the same shard lost data")
def c23(cl, fa):
    rng = np.random.default_rng(23)
    d = (140+25*field(rng, 60, 48, 48, 1, .05)).clip(20).astype("u2")
    def mk(p, d):
        g = zarr.open_group(str(p), mode="w", zarr_format=3, attributes={"instrument": "camera 2"})
        a = g.create_array("image", shape=d.shape, dtype="u2", chunks=(10, 12, 24), shards=(30, 24, 48), fill_value=0, dimension_names=("z", "y", "x"),
                           compressors=zarr.codecs.ZstdCodec(level=3), attributes={"units": "counts"})
        a[:] = d
    f = d.copy(); f[20:30, :24] = 0; f[30:40, 24:] = 0
    mk(cl, d); mk(fa, f)
    C, F = (zarr.open_group(str(p), mode="r")["image"][:] for p in (cl, fa))
    assert C.min() > 0 and (F == 0).sum() == 2*10*24*48 and (C == F)[F > 0].all()
    # the inner chunks are really absent: index entries 2**64-1 before the crc
    b = (fa/"image/c/0/0/0").read_bytes(); idx = np.frombuffer(b[-(12*16+4):-4], "<u8").reshape(-1, 2)
    assert (idx[:, 0] == 2**64-1).sum() == 4


# ================================================================= 24
@case("24-nan-fill-null", "constantinpape/z5#148", "fill_value|null|nan|missing|chunk|lst",
      "The NaN fill value of lst was saved as null, so the chunks left out because they hold no data read as 0 K instead of NaN",
      "lst/.zarray: fill_value null instead of \"NaN\"; four chunks not stored read as 0 while stored chunks mark missing with NaN")
def c24(cl, fa):
    rng = np.random.default_rng(24)
    d = (285+field(rng, 1, 60, 80, 12, .05)[0]).round(2)
    yy, xx = np.mgrid[:60, :80]
    d[(xx > 58-.3*yy)] = np.nan
    d[40:, 60:] = np.nan; d[20:40, 60:] = np.nan; d[40:, 40:60] = np.nan
    r = zarr.open_group(str(cl), mode="w", zarr_format=2); r.attrs["source"] = "MODIS MOD11A1"
    arr2(cl, "lst", d, (20, 20), {"units": "K", "long_name": "daytime land surface temperature"}, float("nan"), ".", numcodecs.GZip(level=5))
    n = len([f for f in (cl/"lst").iterdir() if not f.name.startswith(".")]); assert n <= 10, n
    assert rd(cl/"lst/.zarray")["fill_value"] == "NaN"
    twin(cl, fa); edit(fa, "lst", ".zarray", lambda x: x.update(fill_value=None))
    C, F = zarr.open_array(str(cl/"lst"), mode="r")[:], zarr.open_array(str(fa/"lst"), mode="r")[:]
    assert np.array_equal(C, d, equal_nan=True) and (F == 0).sum() >= 800 and np.isnan(F).any() and n == 12-(F == 0).sum()//400
    ANSFIX["24-nan-fill-null"] = f"{int((F == 0).sum()//400)} chunks"


ANSFIX = {}


# ================================================================= 25
@case("25-parcels-padding", "Parcels-code/Parcels#1487", "trajectory|pad|nan|fill|obs|9223372036854775807",
      "The particle file is padded to whole chunks: 32 trajectories and 16 observation columns hold nothing but NaN, with trajectory id 9223372036854775807",
      "trajectory/obs dimensions padded (92 x 41 instead of 60 x 25): trailing trajectories all NaN with fill id")
def c25(cl, fa):
    rng = np.random.default_rng(25)
    nt, no = 60, 25
    lon = np.cumsum(.05+.02*rng.standard_normal((nt, no)), 1)+rng.uniform(-5, 5, (nt, 1)); lat = np.cumsum(.03*rng.standard_normal((nt, no)), 1)+rng.uniform(30, 36, (nt, 1))
    tm = (np.arange(nt)//12*86400.0)[:, None] + 21600.0*np.arange(no)[None]
    def mk(a, b):
        pad = lambda x: np.pad(x.astype("f8"), ((0, a), (0, b)), constant_values=np.nan)
        tr = np.pad(np.arange(nt, dtype="i8"), (0, a), constant_values=np.iinfo("i8").max)
        A = lambda **k: k
        return xr.Dataset({"lat": (("trajectory", "obs"), pad(lat).astype("f4"), A(axis="Y", long_name="", standard_name="latitude", units="degrees_north")),
                           "lon": (("trajectory", "obs"), pad(lon).astype("f4"), A(axis="X", long_name="", standard_name="longitude", units="degrees_east")),
                           "z": (("trajectory", "obs"), pad(np.full((nt, no), .49)+.01*rng.random((nt, no)).round(2)).astype("f4"), A(long_name="", positive="down", standard_name="depth", units="m")),
                           "time": (("trajectory", "obs"), pad(tm), A(axis="T", calendar="gregorian", long_name="", standard_name="time", units="seconds since 2002-01-01T00:00:00.000000000"))},
                          coords={"obs": ("obs", np.arange(no+b, dtype="i4")), "trajectory": ("trajectory", tr, {"cf_role": "trajectory_id"})},
                          attrs={"Conventions": "CF-1.6/CF-1.7", "feature_type": "trajectory", "ncei_template_version": "NCEI_NetCDF_Trajectory_Template_v2.0", "parcels_mesh": "spherical", "parcels_version": "3.0.1", "parcels_kernels": "JITParticleAdvectionRK4"})
    enc = {k: {"chunks": (40, 20), "_FillValue": np.nan} for k in ("lat", "lon", "z", "time")}
    enc["trajectory"] = {"chunks": (40,)}
    st = rng.bit_generator.state; save(mk(0, 0), cl, 2, enc); rng.bit_generator.state = st; save(mk(32, 16), fa, 2, enc)
    C, F = load(cl), load(fa)
    assert C.sizes["trajectory"] == 60 and F.sizes["trajectory"] == 92 and not C.lat.isnull().any() and bool(F.lat[60:].isnull().all()) and bool(F.lat[:, 25:].isnull().all())
    assert np.array_equal(C.lat.values, F.lat.values[:60, :25])


# ================================================================= 26
@case("26-blosc-cut-chunk", "pangeo-data/pangeo#196", "blosc|truncat|decompress|temp|2.0.0|corrupt",
      "Chunk 2.0.0 of temp was only partly uploaded (60 % of its bytes), so it cannot be decompressed",
      "temp/2.0.0: truncated Blosc chunk (file shorter than its header says), decompression fails")
def c26(cl, fa):
    rng = np.random.default_rng(26)
    nt, ny, nx = 12, 24, 36
    t = (16+12*np.sin(np.linspace(0, np.pi, ny))[None, :, None]+field(rng, nt, ny, nx, 1.5, .1)).astype("f4").round(3)
    ds = xr.Dataset({"temp": (("time", "yt_ocean", "xt_ocean"), t, {"units": "degrees C", "long_name": "Potential temperature", "standard_name": "sea_water_potential_temperature", "cell_methods": "time: mean"})},
                    coords={"time": ("time", 66097.5+5*np.arange(nt), {"units": "days since 0001-01-01 00:00:00", "calendar": "noleap", "long_name": "time", "axis": "T"}),
                            "yt_ocean": ("yt_ocean", np.linspace(-80, 80, ny), {**LAT, "long_name": "tcell latitude"}), "xt_ocean": ("xt_ocean", -279.5+10.0*np.arange(nx), {**LON, "long_name": "tcell longitude"})},
                    attrs={"title": "CM2.6_miniBling", "grid_type": "mosaic"})
    save(ds, cl, 2, {"temp": {"chunks": (2, 24, 36), "compressors": numcodecs.Blosc(cname="zstd", clevel=3, shuffle=1)}}); twin(cl, fa)
    f = fa/"temp/2.0.0"; b = f.read_bytes(); f.write_bytes(b[:int(len(b)*.6)])
    load(cl)
    assert int.from_bytes(b[12:16], "little") == len(b)
    try: load(fa); raise SystemExit("26")
    except SystemExit: raise
    except Exception: pass
    assert np.array_equal(load(cl).temp.values[0:4], xr.open_zarr(fa).temp[0:4].values)


# ================================================================= 27
@case("27-plate-ghost-well", "fractal-analytics-platform/fractal-tasks-core#51", "well|b/04|plate|missing|column",
      "The plate metadata lists column 04 and a well B/04 that does not exist in the store; only B/03 and B/05 are there",
      "plate .zattrs: well B/04 (column 04) listed but its group is missing on disk")
def c27(cl, fa):
    import ome_zarr_models
    def mk(root, ghost):
        r = zarr.open_group(str(root), mode="w", zarr_format=2)
        cols = ["03", "04", "05"] if ghost else ["03", "05"]
        r.attrs["plate"] = {"version": "0.4", "name": "20200812-CardiomyocyteDifferentiation14-Cycle1", "acquisitions": [{"id": 1, "name": "cycle1"}], "field_count": 1, "rows": [{"name": "B"}], "columns": [{"name": c} for c in cols],
                            "wells": [{"path": f"B/{c}", "rowIndex": 0, "columnIndex": i} for i, c in enumerate(cols)]}
        r.create_group("B")
        for k, c in enumerate(("03", "05")):
            w = r.create_group(f"B/{c}"); w.attrs["well"] = {"version": "0.4", "images": [{"path": "0", "acquisition": 1}]}
            l0 = np.stack([[blobs(np.random.default_rng(270+10*k+q), 80, 96, 16)[1] for q in range(2)]])
            l1 = l0.reshape(1, 2, 40, 2, 48, 2).mean((3, 5)).astype("u2")
            ms04(Path(root)/f"B/{c}/0", (l0, l1), "czyx", [(1, 1, .1625, .1625), (1, 1, .325, .325)], (1, 1, 40, 48), "0",
                 {"omero": {"version": "0.4", "channels": [{"label": "DAPI", "wavelength_id": "A01_C01", "color": "00FFFF", "active": True, "window": {"min": 0, "max": 65535, "start": 110, "end": 800}}]}})
    mk(cl, False); mk(fa, True)
    for p in (cl, fa):
        w = [x["path"] for x in rd(p/".zattrs")["plate"]["wells"]]
        miss = [x for x in w if not (p/x/".zgroup").exists()]; assert miss == ([] if p == cl else ["B/04"])
    ome_zarr_models.open_ome_zarr(zarr.open_group(str(cl), mode="r"))
    for c in ("03", "05"):
        ome_zarr_models.open_ome_zarr(zarr.open_group(str(cl/f"B/{c}"), mode="r")); ome_zarr_models.open_ome_zarr(zarr.open_group(str(cl/f"B/{c}/0"), mode="r"))


# ================================================================= 28
@case("28-missing-gt-phased", "sgkit-dev/bio2zarr#454", "call_genotype_phased|phased|missing|call_genotype|-1",
      "Records without GT have all genotypes missing (-1) yet call_genotype_phased is True for them",
      "call_genotype_phased: True where call_genotype is missing (-1,-1); missing calls must be unphased")
def c28(cl, fa):
    def mk(root, bad):
        rng = np.random.default_rng(28)
        nv, ns = 300, 20
        g = zarr.open_group(str(root), mode="w", zarr_format=2)
        g.attrs.update({"vcf_zarr_version": "0.4", "vcf_header": "##fileformat=VCFv4.2\n##contig=<ID=19,length=59128983>\n##contig=<ID=20,length=63025520>\n##FORMAT=<ID=GT,Number=1,Type=String,Description=\"Genotype\">\n##FORMAT=<ID=DP,Number=1,Type=Integer,Description=\"Read Depth\">\n", "source": "bio2zarr-0.1.8"})
        af = rng.beta(.6, 2, nv); gt = (rng.random((nv, ns, 2)) < af[:, None, None]).astype("i1")
        ph = np.repeat(rng.random(nv)[:, None] < .35, ns, 1)
        nogt = rng.random(nv) < .12
        gt[nogt] = -1; ph[nogt] = bad
        D = lambda *d, desc=None: {"_ARRAY_DIMENSIONS": list(d), **({"description": desc} if desc else {})}
        kw = dict(fill=None)
        arr2(root, "call_genotype", gt, (100, 10, 2), D("variants", "samples", "ploidy"), **kw)
        arr2(root, "call_genotype_mask", gt < 0, (100, 10, 2), D("variants", "samples", "ploidy"), **kw)
        arr2(root, "call_genotype_phased", ph, (100, 10), D("variants", "samples"), **kw)
        arr2(root, "call_DP", rng.poisson(22, (nv, ns)).astype("i1"), (100, 10), D("variants", "samples", desc="Read Depth"), **kw)
        nc = 180
        arr2(root, "variant_contig", np.r_[np.zeros(nc, "i1"), np.ones(nv-nc, "i1")], (100,), D("variants"), **kw)
        pos = np.r_[np.sort(rng.choice(np.arange(60000, 900000), nc, False)), np.sort(rng.choice(np.arange(61000, 800000), nv-nc, False))].astype("i4")
        arr2(root, "variant_position", pos, (100,), D("variants"), **kw)
        rx = []
        for ch in range(3):
            for ct in (0, 1):
                k = [i for i in range(100*ch, 100*ch+100) if (i >= nc) == bool(ct)]
                if k: rx.append([ch, ct, pos[k[0]], pos[k[-1]], pos[k[-1]], len(k)])
        arr2(root, "region_index", np.array(rx, "i4"), None, D("region_index_values", "region_index_fields"), **kw)
        arrs2(root, "variant_id", [f"rs{6040000+31*i}" for i in range(nv)], D("variants")); arr2(root, "variant_id_mask", np.zeros(nv, bool), (100,), D("variants"), **kw)
        arr2(root, "variant_length", np.ones(nv, "i1"), (100,), D("variants"), **kw)
        arr2(root, "variant_quality", rng.uniform(9, 99, nv).round(1).astype("f4"), (100,), D("variants"), **kw)
        arr2(root, "variant_filter", np.ones((nv, 1), bool), (100, 1), D("variants", "filters"), **kw)
        alt = np.array([rng.choice(list("ACGT"), 2, False) for _ in range(nv)], dtype=object)
        a = zarr.create_array(store=str(root), name="variant_allele", zarr_format=2, shape=(nv, 2), chunks=(100, 2), dtype=str, attributes=D("variants", "alleles")); a[:] = alt
        arrs2(root, "contig_id", ["19", "20"], D("contigs")); arr2(root, "contig_length", np.array([59128983, 63025520]), None, D("contigs"), **kw)
        arrs2(root, "filter_id", ["PASS"], D("filters")); arrs2(root, "sample_id", [f"NA{100+i:05d}" for i in range(ns)], D("samples"))
        zarr.consolidate_metadata(str(root), zarr_format=2)
    mk(cl, False); mk(fa, True)
    for p, k in ((cl, 0), (fa, 1)):
        d = load(p); m = (d.call_genotype == -1).all("ploidy"); assert int(m.sum()) > 300 and float(d.call_genotype_phased.where(m).mean()) == k and 0 < float(d.call_genotype_phased.where(~m).mean()) < 1
    assert load(cl).call_genotype.equals(load(fa).call_genotype)


# ================================================================= 29
@case("29-netcdf3-endian", "zarr-developers/VirtualiZarr#640", "endian|big|little|byte|sst",
      "The chunks are the big-endian bytes of a NetCDF-3 file but the bytes codec of sst and err says little, so the values are byte-swapped garbage",
      "sst and err: codecs bytes endian 'little' while the stored data are big-endian")
def c29(cl, fa):
    rng = np.random.default_rng(29)
    nt, ny, nx = 8, 18, 36
    sst = np.round((14+13*np.sin(np.linspace(0, np.pi, ny))[None, :, None]+field(rng, nt, ny, nx, 1.5, .05))*100).astype("i2")
    err = np.round((.3+.1*np.abs(field(rng, nt, ny, nx, 1, .1)))*100).astype("i2")
    sst[:, 8:11, 4:9] = -999; err[:, 8:11, 4:9] = -999
    def mk(root, fixed):
        A = lambda n, lo, hi: {"scale_factor": 0.01, "add_offset": 0.0, "_FillValue": np.int16(-999), "units": "Celsius", "long_name": n, "valid_min": lo, "valid_max": hi}
        ds = xr.Dataset({"sst": (("time", "lat", "lon"), sst, A("Daily sea surface temperature", -300, 4500)), "err": (("time", "lat", "lon"), err, A("Estimated error standard deviation of analysed_sst", 0, 1000))},
                        coords={"time": ("time", 14610.5+np.arange(nt), {"units": "days since 1978-01-01 12:00:00", "calendar": "gregorian", "standard_name": "time", "axis": "T"}),
                                "lat": ("lat", np.linspace(-85, 85, ny), LAT), "lon": ("lon", 5+10.0*np.arange(nx), LON)}, attrs={"Conventions": "CF-1.6", "title": "NOAA OISST v2.1"})
        e = {k: {"chunks": (2, 18, 36), "serializer": zarr.codecs.BytesCodec(endian="big"), "compressors": None, "filters": None} for k in ("sst", "err")}
        save(ds, root, 3, e)
    mk(cl, True); twin(cl, fa)
    def sw(d):
        for c in d["codecs"]:
            if c["name"] == "bytes": assert c["configuration"]["endian"] == "big"; c["configuration"]["endian"] = "little"
    for k in ("sst", "err"): edit(fa, k, "zarr.json", sw)
    C, F = load(cl), load(fa)
    raw = np.fromfile(cl/"sst/c/0/0/0", ">i2").reshape(2, ny, nx); assert np.array_equal(raw, sst[:2])
    assert float(C.sst.max()) < 40 and float(np.abs(F.sst).max()) > 200 and not C.sst.equals(F.sst)


# ================================================================= 30
@case("30-dem-transform-northup", "xarray-contrib/xarray-spatial#2571", "transform|ascending|flip|north|sign|elevation",
      "elevation has ascending y (south first) but its transform attribute is north-up (-20 at the top edge), so tools that use it flip the raster",
      "elevation attrs transform: y step -20 from the top edge while y coordinates ascend (+20 from the bottom)")
def c30(cl, fa):
    from pyproj import CRS
    rng = np.random.default_rng(30)
    ny, nx, r = 60, 80, 20.0
    z = (640+field(rng, 1, ny, nx, 120, .01)[0]+.8*np.arange(ny)[:, None]).astype("f4").round(1)
    left, bot = 399960.0, 5590200.0
    x = left+r*(np.arange(nx)+.5); y = bot+r*(np.arange(ny)+.5)
    def mk(tr):
        return xr.Dataset({"elevation": (("y", "x"), z, {"units": "m", "long_name": "height above EGM2008 geoid", "standard_name": "height_above_geopotential_datum", "grid_mapping": "spatial_ref", "res": [r, r], "transform": tr})},
                          coords={"x": ("x", x, {"units": "m", "standard_name": "projection_x_coordinate", "axis": "X"}), "y": ("y", y, {"units": "m", "standard_name": "projection_y_coordinate", "axis": "Y"}),
                                  "spatial_ref": ((), np.int32(0), CRS.from_epsg(32633).to_cf())}, attrs={"Conventions": "CF-1.8", "title": "Copernicus DEM GLO-30 resampled to 20 m"})
    enc = {"elevation": {"chunks": (30, 40)}}
    save(mk([r, 0.0, left, 0.0, r, bot]), cl, 3, enc); save(mk([r, 0.0, left, 0.0, -r, bot+ny*r]), fa, 3, enc)
    for p, ok in ((cl, True), (fa, False)):
        d = load(p); t = d.elevation.attrs["transform"]
        assert np.allclose(t[5]+t[4]*(np.arange(ny)+.5), d.y) == ok and np.allclose(t[2]+t[0]*(np.arange(nx)+.5), d.x)
    import rioxarray; assert load(cl).rio.crs.to_epsg() == 32633


# ================================================================= run
if __name__ == "__main__":
    used = set(Path("/tmp/used_threads.txt").read_text().split())
    bad = []
    for s, (th, kw, fault, names, fn) in CASES.items():
        assert th not in used, th
        d = OUT/s
        if d.exists(): shutil.rmtree(d)
        d.mkdir(parents=True)
        try:
            fn(d/"clean", d/"fault")
            for w in ("clean", "fault"):
                fs = [f for f in (d/w).rglob("*") if f.is_file()]
                sz = sum(f.stat().st_size for f in fs); assert len(fs) <= 300 and sz <= 200_000, (w, len(fs), sz)
            h = lambda p: {str(f.relative_to(p)): f.read_bytes() for f in p.rglob("*") if f.is_file()}
            a, b = h(d/"clean"), h(d/"fault")
            df = sorted(k for k in set(a) | set(b) if a.get(k) != b.get(k)); assert df
            print(s, "ok", len(a), sum(map(len, a.values())), "| differ:", len(df), df[:5])
        except BaseException as e:
            import traceback; traceback.print_exc(); bad.append(s); print(s, "FAILED", repr(e)[:300])
    assert len(CASES) == 30 and len({c[0] for c in CASES.values()}) == 30
    assert all(3 <= len(c[1].split("|")) <= 6 and c[1] == c[1].lower() for c in CASES.values())
    wr(OUT/"cases.json", {s: "|".join(c[1].split("|")) for s, c in CASES.items()})
    rows = ["| NN-slug | thread | fault in one sentence | what a good answer names |", "|---|---|---|---|"]
    rows += [f"| {s} | {c[0]} | {c[2]} | {c[3]} |" for s, c in CASES.items()]
    (OUT/"answers.md").write_text("\n".join(rows)+"\n")
    print("bad:", bad, ANSFIX); sys.exit(bool(bad))
