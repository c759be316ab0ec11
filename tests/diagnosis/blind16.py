#!/usr/bin/env python
"""Thirty Zarr stores with one real-world fault each, and a clean twin of each."""
import json, os, shutil, uuid, warnings, random
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr, numcodecs
import anndata as ad
from scipy import sparse
warnings.filterwarnings("ignore")
OUT = Path("/tmp/blind16")
CASES, ROWS = {}, []
zarr.config.set({"array.write_empty_chunks": True})
BL = numcodecs.Blosc(cname="lz4", clevel=5, shuffle=1)


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
    print("ok", slug, len(fs), size)


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


def write(ds, path, fmt, chunks, tunits=None, extra=None):
    """chunks: {var: chunk shape}. Coordinates go in one chunk."""
    ds = ds.copy()
    enc = {}
    for v in ds.variables:
        e = {}
        if ds[v].ndim:
            e["chunks"] = chunks.get(v, ds[v].shape)
        if fmt == 2:
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
    ds.to_zarr(path, mode="w", zarr_format=fmt, encoding=enc, consolidated=True)
    back = xr.open_zarr(path)
    assert np.array_equal(back.time.values.astype("M8[ns]"), ds.time.values), path
    if tunits:
        assert back.time.encoding["units"].split()[0] == tunits.split()[0] and back.time.encoding["dtype"] == np.dtype("int64"), (path, back.time.encoding)


def jl(p):
    return json.loads(Path(p).read_text())


def jd(p, o, **k):
    Path(p).write_text(json.dumps(o, indent=4, **k))


def v2edit(root, node, doc, fn):
    """Apply fn to node/doc and to the same entry of .zmetadata."""
    f = Path(root) / node / doc
    o = jl(f); fn(o); jd(f, o)
    z = Path(root) / ".zmetadata"
    if z.exists():
        m = jl(z); fn(m["metadata"][f"{node}/{doc}" if node else doc]); jd(z, m)


def raises(fn):
    try:
        fn()
    except Exception as e:  # noqa
        return f"{type(e).__name__}: {e}"
    raise AssertionError("did not raise")


def load(p, **k):
    return xr.open_zarr(p, chunks=None, **k).load()


def healthy(p, nan=False):
    d = load(p)
    for v in d.data_vars:
        if d[v].dtype.kind == "f" and not nan:
            assert np.isfinite(d[v].values).all(), (p, v)
    return d


# 01 ------------------------------------------------------------------ append of unpacked values
def c01():
    s = "01-mur-sst-append-unpacked"
    c, f = start(s)
    sst = 290 + 4 * np.linspace(-1, 1, 20)[None, ::-1, None] + smooth((24, 20, 30), 1, 1.2)
    ds = xr.Dataset({"analysed_sst": (("time", "lat", "lon"), sst, {
        "long_name": "analysed sea surface temperature", "standard_name": "sea_surface_foundation_temperature", "units": "kelvin",
        "valid_min": np.int16(-32767), "valid_max": np.int16(32767), "comment": "\"Final\" version using Multi-Resolution Variational Analysis (MRVA) method for interpolation", "source": "MODIS_T-JPL, MODIS_A-JPL, AMSR2-REMSS, AVHRRMTA_G-NAVO"})},
        {"time": times("2021-04-01T09:00", 24, "D"), "lat": lat(20, 30.0, 34.75), "lon": lon(30, -135.0, -127.75)},
        {"Conventions": "CF-1.7", "title": "Daily MUR SST, Final product", "institution": "Jet Propulsion Laboratory", "id": "MUR-JPL-L4-GLOB-v04.1"})
    ds["analysed_sst"].attrs.pop("valid_min"); ds["analysed_sst"].attrs.pop("valid_max")
    write(ds, c, 2, {"analysed_sst": (6, 20, 30)}, "seconds since 1981-01-01 00:00:00",
          {"analysed_sst": dict(dtype="int16", scale_factor=0.001, add_offset=298.15, _FillValue=np.int16(-32768))})
    shutil.copytree(c, f)
    z = zarr.open_group(f, mode="r+", use_consolidated=False)["analysed_sst"]
    z[12:] = np.round(sst[12:]).astype("i2")
    a, b = healthy(c), load(f)
    assert np.allclose(a.analysed_sst, sst, atol=.001) and np.array_equal(a.analysed_sst[:12], b.analysed_sst[:12])
    assert b.analysed_sst[12:].std() < .01 and abs(b.analysed_sst[12:].mean() - 298.44) < .05
    done(s, "pydata/xarray#5263", "The second half of the store (from 2021-04-13 on) was appended without packing: kelvin values were stored as the int16 counts, so after scale_factor/add_offset they decode to a flat 298.44 K.",
         "analysed_sst, time steps 12-23: raw counts about 290 are unpacked kelvin, not packed with scale_factor 0.001 / add_offset 298.15", "append|unpacked|scale_factor|add_offset|constant|raw")


# 02 ------------------------------------------------------------------ all times identical
def c02():
    s = "02-station-times-all-same"
    c, f = start(s)
    n = 24
    t2 = 288 + 5 * np.sin((np.arange(n)[:, None] - 9) / 24 * 2 * np.pi) + smooth((n, 40), 2, 1.0)
    g = rng(2)
    ds = xr.Dataset({"air_temperature": (("time", "station"), t2.astype("f4"), {"standard_name": "air_temperature", "long_name": "2 m air temperature", "units": "K"})},
                    {"time": times("2022-09-01", n, "h"), "station": ("station", np.arange(1000, 1040), {"long_name": "station number"}),
                     "lat": ("station", np.round(g.uniform(50, 58, 40), 3), {"standard_name": "latitude", "units": "degrees_north"}),
                     "lon": ("station", np.round(g.uniform(-6, 1.5, 40), 3), {"standard_name": "longitude", "units": "degrees_east"})},
                    {"Conventions": "CF-1.8", "title": "Hourly station observations, United Kingdom", "time_coverage_start": "2022-09-01T00:00:00Z", "time_coverage_end": "2022-09-01T23:00:00Z", "time_coverage_resolution": "PT1H"})
    write(ds, c, 2, {"air_temperature": (6, 20)}, "hours since 2022-09-01 00:00:00")
    shutil.copytree(c, f)
    v2edit(f, "time", ".zattrs", lambda o: o.update(units="days since 2022-09-01 00:00:00"))
    zarr.open_group(f, mode="r+", use_consolidated=False)["time"][:] = 0
    a, b = healthy(c), load(f)
    assert (f / "time/0").exists() and not np.isnat(b.time.values).any() and len(np.unique(a.time)) == n and len(np.unique(b.time)) == 1 and np.array_equal(a.air_temperature, b.air_temperature)
    done(s, "pydata/xarray#7354", "The hourly times were encoded as whole days since 2022-09-01 (int64), so all 24 time stamps are 2022-09-01T00:00.",
         "time: integer 'days since' cannot hold hours; all values identical/duplicate 0", "time|identical|duplicate|days|hours|same")


# 03 ------------------------------------------------------------------ race on append
def c03():
    s = "03-ghrsst-append-race-nan"
    c, f = start(s)
    sst = (293 + 3 * np.linspace(1, -1, 16)[None, :, None] + smooth((40, 16, 24), 3, 1.0)).astype("f4")
    ds = xr.Dataset({"sea_surface_temperature": (("time", "lat", "lon"), sst, {"standard_name": "sea_surface_skin_temperature", "long_name": "sea surface skin temperature", "units": "kelvin"})},
                    {"time": times("2011-09-01T03:20", 40, "D"), "lat": lat(16, -30.0, -33.0), "lon": lon(24, 154.0, 158.6)},
                    {"Conventions": "CF-1.6, ACDD-1.3", "title": "IMOS L3S Nighttime gridded multiple-sensor multiple-swath skin SST", "institution": "ABOM"})
    write(ds, c, 3, {"sea_surface_temperature": (10, 8, 12)}, "seconds since 1981-01-01 00:00:00")
    shutil.copytree(c, f)
    z = zarr.open_group(f, mode="r+", use_consolidated=False)["sea_surface_temperature"]
    z[20:25, :8, 12:] = np.nan
    z[25:30, 8:, :12] = np.nan
    a, b = healthy(c), load(f)
    assert int(np.isnan(b.sea_surface_temperature).sum()) == 2 * 5 * 8 * 12
    done(s, "pydata/xarray#10501", "Appending with dask chunks that straddle the Zarr chunks let two tasks write the same chunk: in time chunk 2 half of a chunk (time 20-24 or 25-29) is NaN in two tiles.",
         "sea_surface_temperature, chunks c/2/0/1 and c/2/1/0: half of the chunk lost (NaN) by concurrent partial writes", "nan|chunk|append|half|partial|concurrent")


# 04 ------------------------------------------------------------------ missing chunk
def c04():
    s = "04-era5-t2m-chunk-absent"
    c, f = start(s)
    t = (284 + 9 * np.linspace(-1, 1, 18)[None, :, None] + smooth((48, 18, 24), 4, 2.0)).astype("f4")
    ds = xr.Dataset({"t2m": (("time", "lat", "lon"), t, {"long_name": "2 metre temperature", "standard_name": "air_temperature", "units": "K"})},
                    {"time": times("2019-03-01", 48, "h"), "lat": lat(18, 55.0, 50.75), "lon": lon(24, 0.0, 5.75)},
                    {"Conventions": "CF-1.6", "title": "ERA5 hourly data on single levels", "history": "2023-02-11 08:14:03 GMT by grib_to_netcdf-2.25.1"})
    write(ds, c, 2, {"t2m": (12, 9, 12)}, "hours since 1900-01-01 00:00:00", {"t2m": {"_FillValue": np.float32(np.nan)}})
    shutil.copytree(c, f)
    os.remove(f / "t2m" / "2.1.0")
    a, b = healthy(c), load(f)
    assert np.isnan(b.t2m[24:36, 9:, :12]).all() and int(np.isnan(b.t2m).sum()) == 12 * 9 * 12
    done(s, "zarr-developers/zarr-python#486", "The chunk file t2m/2.1.0 is missing, so a 12 h x 9 x 12 block reads silently as NaN.",
         "t2m chunk 2.1.0 not in the store; fill value NaN returned", "missing|chunk|nan|2.1.0|absent|file")


# 05 ------------------------------------------------------------------ zero-byte chunk
def c05():
    s = "05-soil-moisture-zero-byte-chunk"
    c, f = start(s)
    v = (0.26 + smooth((30, 16, 16), 5, .05)).clip(.03, .55).astype("f4")
    ds = xr.Dataset({"sm": (("time", "lat", "lon"), v, {"long_name": "Volumetric Soil Moisture", "standard_name": "volume_fraction_of_condensed_water_in_soil", "units": "m3 m-3"})},
                    {"time": times("2020-06-01", 30, "D"), "lat": lat(16, 47.875, 44.125), "lon": lon(16, 7.125, 10.875)},
                    {"Conventions": "CF-1.9", "title": "C3S Surface Soil Moisture merged COMBINED Product", "institution": "EODC (AUT); TU Wien (AUT)", "product_version": "v202212"})
    write(ds, c, 3, {"sm": (10, 8, 16)}, "days since 1970-01-01 00:00:00")
    shutil.copytree(c, f)
    (f / "sm/c/1/1/0").write_bytes(b"")
    healthy(c)
    print("   05:", raises(lambda: load(f))[:90])
    done(s, "s3fs-fuse/s3fs-fuse#327", "rsync over an s3fs mount left the chunk sm/c/1/1/0 as a zero-byte file; reading it fails.",
         "sm, chunk file c/1/1/0 is empty (0 bytes)", "empty|zero|chunk|0 bytes|c/1/1/0|truncated")


# 06 ------------------------------------------------------------------ bare NaN in .zarray
def c06():
    s = "06-icon-healpix-bare-nan"
    c, f = start(s)
    v = (2.0e-3 * (1 + .3 * np.cos(np.arange(192) / 192 * np.pi))[None] + smooth((16, 192), 6, 2e-4)).astype("f4")
    ds = xr.Dataset({"qall": (("time", "cell"), v, {"long_name": "mass fraction of all hydrometeors", "units": "kg kg-1", "grid_mapping": "crs", "cell_methods": "time: mean"})},
                    {"time": times("2020-02-01", 16, "D")},
                    {"Conventions": "CF-1.8", "title": "ICON d3hp003 P1D mean, healpix zoom 2", "institution": "Max Planck Institute for Meteorology"})
    ds["crs"] = ((), np.int32(0), {"grid_mapping_name": "healpix", "healpix_nside": 4, "healpix_order": "nest"})
    write(ds, c, 2, {"qall": (4, 192)}, "days since 2020-02-01 00:00:00", {"qall": {"_FillValue": np.float32(np.nan)}})
    shutil.copytree(c, f)
    for p in ("qall/.zarray", ".zmetadata"):
        t = (f / p).read_text()
        assert '"fill_value": "NaN"' in t
        (f / p).write_text(t.replace('"fill_value": "NaN"', '"fill_value": NaN'))
    healthy(c)
    strict = lambda p: json.loads(Path(p).read_text(), parse_constant=lambda x: (_ for _ in ()).throw(ValueError(x)))
    strict(c / "qall/.zarray"), strict(c / ".zmetadata")
    raises(lambda: strict(f / "qall/.zarray")); raises(lambda: strict(f / ".zmetadata"))
    done(s, "d70-t/gridlook#188", "qall/.zarray (and .zmetadata) hold a bare NaN as fill_value, which is not JSON; Zarr wants the string \"NaN\".",
         "qall/.zarray fill_value: unquoted NaN, invalid JSON, must be \"NaN\"", "nan|json|invalid|fill_value|quot|.zarray")


# 07 ------------------------------------------------------------------ damaged blosc chunk
def c07():
    s = "07-oisst-blosc-chunk-garbled"
    c, f = start(s)
    v = (1.5 * smooth((36, 20, 20), 7, 1.0)).astype("f4")
    ds = xr.Dataset({"anom": (("time", "lat", "lon"), v, {"long_name": "Daily sea surface temperature anomalies", "units": "degC"})},
                    {"time": times("1981-09-01T12:00", 36, "D"), "lat": lat(20, -2.375, 2.375), "lon": lon(20, 190.125, 194.875)},
                    {"Conventions": "CF-1.6, ACDD-1.3", "title": "NOAA/NCEI 1/4 Degree Daily Optimum Interpolation Sea Surface Temperature (OISST) Analysis, Version 2.1 - Final", "pangeo-forge:recipe": "noaa-oisst-avhrr-only"})
    write(ds, c, 2, {"anom": (9, 10, 20)}, "days since 1978-01-01 12:00:00")
    shutil.copytree(c, f)
    p, q = f / "anom/2.0.0", f / "anom/3.0.0"
    a, b = p.read_bytes(), q.read_bytes()
    n = len(a)
    new = a[:16] + b[16:n // 2] + a[n // 2:]
    p.write_bytes(new[:n])
    try:
        load(f)
        p.write_bytes(a[:40] + b[60:n // 2] + a[n // 2 - 400:n - 420])
    except Exception:
        pass
    healthy(c)
    print("   07:", raises(lambda: load(f))[:90], n, p.stat().st_size)
    done(s, "pangeo-forge/pangeo-forge-recipes#58", "The chunk anom/2.0.0 holds a mixture of two writers' bytes and cannot be decompressed (blosc error).",
         "anom, chunk 2.0.0: corrupt blosc buffer, decompression fails", "blosc|decompress|chunk|corrupt|2.0.0|damaged")


# NWB helpers ---------------------------------------------------------------------------------
def strs(g, name, vals, attrs=None):
    vals = np.array(vals, dtype=object)
    z = g.create_array(name, shape=vals.shape, dtype=str, chunks=vals.shape, compressors=[numcodecs.Blosc(cname="lz4")])
    z[:] = vals.astype("U")
    z.attrs.update(attrs or {})
    return z


def arr(g, name, v, chunks, attrs):
    z = g.create_array(name, shape=v.shape, dtype=v.dtype, chunks=chunks, compressors=[BL], fill_value=0)
    z[:] = v
    z.attrs.put(attrs)
    return z


def uid(k):
    return str(uuid.UUID(int=random.Random(k).getrandbits(128), version=4))


def nwb(path, k, ident, descr, start_time):
    g = zarr.open_group(path, mode="w", zarr_format=2)
    g.attrs.put({"namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.7.0", "object_id": uid((k, "root").__repr__())})
    sc = {"zarr_dtype": "scalar"}
    strs(g, "identifier", [ident], sc); strs(g, "session_description", [descr], sc)
    strs(g, "session_start_time", [start_time], sc); strs(g, "timestamps_reference_time", [start_time], sc)
    strs(g, "file_create_date", [start_time[:11] + "23:10:44.120000-07:00"])
    for n in ("acquisition", "analysis", "general", "processing", "stimulus", "stimulus/presentation", "stimulus/templates"):
        g.create_group(n)
    return g


def ts(g, k, name, data, unit, stamps, descr, chunks, link=None, kind="TimeSeries"):
    t = g.create_group(name)
    a = {"namespace": "core", "neurodata_type": kind, "object_id": uid(repr((k, name))), "description": descr, "comments": "no comments"}
    if link:
        a["zarr_link"] = [link]
    t.attrs.put(a)
    arr(t, "data", data, chunks, {"conversion": 1.0, "offset": 0.0, "resolution": -1.0, "unit": unit})
    if stamps is not None:
        arr(t, "timestamps", stamps, (chunks[0],), {"interval": 1, "unit": "seconds"})
    return t


def module(g, k, name, d):
    m = g.create_group(name)
    m.attrs.put({"namespace": "core", "neurodata_type": "ProcessingModule", "object_id": uid(repr((k, name))), "description": d})
    return m


def resolve(root, source, path):
    p = Path(root) / source if source == "." else Path(source)
    return (p / path.lstrip("/")).exists()


# 08 ------------------------------------------------------------------ absolute link source
def c08():
    s = "08-nwb-link-absolute-source"
    c, f = start(s)
    t = np.arange(1200) / 60.0 + 3.217
    enc = np.cumsum(np.abs(smooth((1200,), 8, .02, .1))).astype("f8")
    spd = (12 + smooth((1200,), 88, 5.0, .05)).astype("f8")
    for p, src in ((c, "."), (f, "/root/capsule/results/ecephys_632269_2022-10-13_15-41-42.nwb.zarr")):
        g = nwb(p, 8, "ecephys_632269_2022-10-13_15-41-42", "Passive running with visual stimulation", "2022-10-13T15:41:42.000000-07:00")
        ts(g["acquisition"], 8, "raw_running_wheel_rotation", enc, "radians", t, "wheel encoder angle", (300,))
        m = module(g["processing"], 8, "running", "Processed running wheel data")
        ts(m, 8, "running_speed", spd, "cm/s", None, "running speed of the mouse", (300,),
           link={"name": "timestamps", "path": "/acquisition/raw_running_wheel_rotation/timestamps", "source": src})
    for p, ok in ((c, True), (f, False)):
        l = zarr.open_group(p, mode="r")["processing/running/running_speed"].attrs["zarr_link"][0]
        assert resolve(p, l["source"], l["path"]) is ok
    done(s, "hdmf-dev/hdmf-zarr#44", "The zarr_link of processing/running/running_speed gives as source the absolute path of the machine that wrote it instead of '.', so timestamps is a bad link after the copy.",
         "processing/running/running_speed/.zattrs zarr_link source: absolute path, must be relative '.'", "zarr_link|absolute|source|timestamps|path|relative")


# 09 ------------------------------------------------------------------ columns missing after export
def c09():
    s = "09-nwb-units-columns-lost"
    c, f = start(s)
    g0 = rng(9)
    n = 30
    cnt = g0.integers(20, 60, n)
    st = np.concatenate([np.sort(g0.uniform(0, 600, k)) for k in cnt])
    idx = np.cumsum(cnt).astype("u4")
    g = nwb(c, 9, "sub-634571_ses-2024-02-20", "Spike sorted Neuropixels recording", "2024-02-20T13:05:11.000000-07:00")
    u = g.create_group("units")
    cols = ["spike_times", "quality", "amplitude", "snr", "isi_violations_ratio"]
    u.attrs.put({"namespace": "core", "neurodata_type": "Units", "object_id": uid("9u"), "description": "Autogenerated by neuroconv", "colnames": cols})
    vd = lambda nm, d: {"namespace": "hdmf-common", "neurodata_type": "VectorData", "object_id": uid("9" + nm), "description": d}
    arr(u, "id", np.arange(n), (n,), {"namespace": "hdmf-common", "neurodata_type": "ElementIdentifiers", "object_id": uid("9id")})
    arr(u, "spike_times", st, (400,), vd("spike_times", "the spike times for each unit in seconds"))
    arr(u, "spike_times_index", idx, (n,), {**vd("spike_times_index", "Index for VectorData 'spike_times'"), "neurodata_type": "VectorIndex",
        "target": {"value": {"path": "/units/spike_times", "source": ".", "object_id": uid("9spike_times"), "source_object_id": g.attrs["object_id"]}, "zarr_dtype": "object"}})
    strs(u, "quality", [("good", "mua")[i] for i in g0.integers(0, 2, n)], vd("quality", "curation label"))
    arr(u, "amplitude", np.round(g0.uniform(40, 300, n), 2), (n,), vd("amplitude", "median spike amplitude in microvolts"))
    arr(u, "snr", np.round(g0.uniform(2, 14, n), 2), (n,), vd("snr", "signal to noise ratio"))
    arr(u, "isi_violations_ratio", np.round(g0.gamma(1, .2, n), 3), (n,), vd("isi_violations_ratio", "ISI violations ratio"))
    shutil.copytree(c, f)
    for x in ("spike_times", "spike_times_index", "quality"):
        shutil.rmtree(f / "units" / x)
    a, b = zarr.open_group(c, mode="r")["units"], zarr.open_group(f, mode="r")["units"]
    assert all(x in a for x in a.attrs["colnames"]) and [x for x in b.attrs["colnames"] if x not in b] == ["spike_times", "quality"]
    done(s, "hdmf-dev/hdmf-zarr#179", "The exported units table has lost its original columns: spike_times, spike_times_index and quality are not in the store although colnames still lists them.",
         "units: colnames names spike_times and quality, arrays missing", "units|spike_times|missing|colnames|column|quality")


# 10 ------------------------------------------------------------------ timestamps not monotonic
def c10():
    s = "10-nwb-timestamps-step-back"
    c, f = start(s)
    t = 12.418 + np.arange(1500) / 500.0
    t += rng(10).normal(0, 2e-5, t.size)
    d = (smooth((1500, 4), 10, 180, .2)).round().astype("i2")
    bad = t.copy(); bad[700:] -= 0.9
    for p, x in ((c, t), (f, bad)):
        g = nwb(p, 10, "ginny20220425", "Head-fixed linear track, LFP", "2022-04-25T11:45:45.000000-07:00")
        tt = ts(g["acquisition"], 10, "analog", d, "-1", x, "analog input channels of the SpikeGadgets environmental control unit", (500, 4))
        tt["data"].attrs["unit"] = "volts"; tt["data"].attrs["conversion"] = 0.000195
    assert (np.diff(zarr.open_group(c, mode="r")["acquisition/analog/timestamps"][:]) > 0).all()
    dd = np.diff(zarr.open_group(f, mode="r")["acquisition/analog/timestamps"][:])
    assert (dd < 0).sum() == 1 and dd.argmin() == 699
    done(s, "LorenFrankLab/spyglass#1587", "acquisition/analog/timestamps jumps back by 0.9 s at sample 700, so it is not increasing and two stretches overlap.",
         "acquisition/analog/timestamps: non-monotonic, backward jump at index 700", "timestamps|monotonic|increasing|backward|decreas|jump")


# 11 ------------------------------------------------------------------ chronology broken
def c11():
    s = "11-chl-cube-append-out-of-order"
    c, f = start(s)
    v = np.exp(0.3 + smooth((32, 16, 20), 11, .4)).astype("f4")
    ds = xr.Dataset({"conc_chl": (("time", "lat", "lon"), v, {"long_name": "Chlorophyll concentration", "standard_name": "mass_concentration_of_chlorophyll_a_in_sea_water", "units": "mg m-3"})},
                    {"time": times("2018-06-01T10:20", 32, "D"), "lat": lat(16, 55.5, 54.0), "lon": lon(20, 2.0, 4.0)},
                    {"Conventions": "CF-1.7", "title": "OLCI L2C chlorophyll cube, southern North Sea", "institution": "Brockmann Consult GmbH"})
    write(ds, c, 2, {"conc_chl": (8, 16, 20)}, "seconds since 1970-01-01 00:00:00")
    bad = ds.isel(time=np.r_[0:8, 16:32, 8:16])
    write(bad, f, 2, {"conc_chl": (8, 16, 20)}, "seconds since 1970-01-01 00:00:00")
    a, b = healthy(c), load(f)
    assert a.indexes["time"].is_monotonic_increasing and not b.indexes["time"].is_monotonic_increasing and b.indexes["time"].is_unique
    assert b.sortby("time").conc_chl.equals(a.conc_chl)
    done(s, "xcube-dev/xcube#124", "The slices of 9-16 June were appended after those of 17 June - 2 July, so the time axis goes back at step 24 and is not chronological.",
         "time: not monotonic, appended late; steps 24-31 are earlier than 8-23", "time|monotonic|order|append|chronolog|sorted")


# 12 ------------------------------------------------------------------ duplicate obs names
def genes(n):
    g = rng(77)
    return [f"ENSG{int(x):011d}" for x in np.sort(g.choice(300000, n, replace=False)) + 3]


def barcodes(n, seed):
    g = rng(seed)
    return ["".join(g.choice(list("ACGT"), 16)) + "-1" for _ in range(n)]


def c12():
    s = "12-scrna-concat-duplicate-barcodes"
    c, f = start(s)
    ad.settings.zarr_write_format = 3
    shared = barcodes(35, 12)
    b1, b2 = barcodes(60, 121) + shared, shared + barcodes(55, 122)
    g = rng(12)
    names = b1 + b2
    X = sparse.csr_matrix(g.poisson(.35, (len(names), 80)).astype("f4"))
    obs = pd.DataFrame({"Sample": pd.Categorical(["AT1"] * len(b1) + ["AT2"] * len(b2)), "n_counts": np.asarray(X.sum(1)).ravel()}, index=names)
    var = pd.DataFrame({"feature_types": pd.Categorical(["Gene Expression"] * 80)}, index=genes(80))
    for p, uniq in ((c, True), (f, False)):
        A = ad.AnnData(X.copy(), obs=obs.copy(), var=var.copy())
        if uniq:
            A.obs_names_make_unique()
        A.write_zarr(p, chunks=None)
    a, b = ad.read_zarr(c), ad.read_zarr(f)
    assert a.obs_names.is_unique and b.obs_names.duplicated().sum() == 35 and (a.X != b.X).nnz == 0
    done(s, "scverse/scanpy#2432", "The two concatenated samples share 35 barcodes and obs_names_make_unique was never called: the obs index holds 35 duplicate cell names.",
         "obs/_index (obs_names): duplicates, not unique", "duplicate|obs_names|unique|barcode|_index|repeated")


# 13 ------------------------------------------------------------------ scale factor 1 instead of 0.001
def c13():
    s = "13-ssebop-et-scale-missing"
    c, f = start(s)
    et = np.round((3.9 + smooth((30, 20, 24), 13, 1.1)).clip(.2, 8.9) * 1000).astype("i2")
    ds = xr.Dataset({"actual_et": (("time", "lat", "lon"), et / 1000.0, {"long_name": "Daily Actual Evapotranspiration (ETa)", "standard_name": "lwe_thickness_of_water_evaporation_amount", "units": "mm", "cell_methods": "time: sum"})},
                    {"time": times("2012-07-01", 30, "D"), "lat": lat(20, 41.0, 40.05), "lon": lon(24, -98.0, -96.85)},
                    {"Conventions": "CF-1.8", "title": "Daily SSEBop Evapotranspiration from MODIS", "institution": "US Geological Survey"})
    e = {"dtype": "int16", "scale_factor": 0.001, "_FillValue": np.int16(-9999)}
    ch = {"actual_et": (10, 20, 24)}
    write(ds, c, 2, ch, "days since 2000-01-01 00:00:00", {"actual_et": e})
    shutil.copytree(c, f)
    v2edit(f, "actual_et", ".zattrs", lambda o: o.update(scale_factor=1.0))
    a, b = healthy(c), load(f)
    assert a.actual_et.max() < 9 and b.actual_et.mean() > 3000 and np.allclose(a.actual_et * 1000, b.actual_et)
    done(s, "hytest-org/hytest#506", "actual_et was stored in thousandths of a millimetre but scale_factor is 1.0 instead of 0.001: daily ET reads as about 4000 mm.",
         "actual_et: values 1000 times too large for mm per day; scale_factor must be 0.001", "scale_factor|0.001|1000|evapotranspiration|units|too large")


# 14 ------------------------------------------------------------------ longitudes 0-360
def c14():
    s = "14-cordex-longitude-0-360"
    c, f = start(s)
    L = np.round(np.arange(-24.2, 60.3, 2.2), 2)
    t = (298 + 6 * np.cos(np.linspace(-1.2, 1.2, 20))[None, :, None] + smooth((24, 20, L.size), 14, 2.0)).astype("f4")
    for p, ll in ((c, L), (f, np.round(L % 360, 2))):
        ds = xr.Dataset({"tasmax": (("time", "lat", "lon"), t, {"standard_name": "air_temperature", "long_name": "Daily Maximum Near-Surface Air Temperature", "units": "K", "cell_methods": "time: maximum"})},
                        {"time": times("2030-01-01T12:00", 24, "D"), "lat": lat(20, -20, 21.8),
                         "lon": xr.Variable("lon", ll, {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east", "axis": "X"})},
                        {"Conventions": "CF-1.4", "title": "CORDEX-CORE AFR-22 MPI-M-MPI-ESM-LR rcp85 REMO2015, bias corrected", "CORDEX_domain": "AFR-22",
                         "geospatial_lon_min": -24.2, "geospatial_lon_max": 60.0, "geospatial_lat_min": -20.0, "geospatial_lat_max": 21.8})
        ds.attrs["geospatial_lon_max"] = float(L[-1])
        write(ds, p, 3, {"tasmax": (8, 20, 20)}, "days since 1949-12-01 12:00:00")
    a, b = healthy(c), healthy(f)
    assert (np.diff(a.lon) > 0).all() and abs(a.attrs["geospatial_lon_max"] - 59.4) < 1e-9 and float(b.lon.min()) == 0 and not (np.diff(b.lon) > 0).all() and float(b.lon.max()) > 350
    done(s, "Risk-Team/cavapy#39", "lon was written in 0-360 (335.8 ... 357.8, 0 ... 59.4), wrapping in the middle of the domain, while geospatial_lon_min/max say -24.2 ... 59.4.",
         "lon: 0-360 convention, not monotonic across Greenwich, contradicts geospatial_lon_min/max -180..180", "longitude|360|monotonic|wrap|geospatial_lon|meridian")


# 15 ------------------------------------------------------------------ pressure levels mixed up
def c15():
    s = "15-forecast-levels-mixed-up"
    c, f = start(s)
    P = np.array([50, 100, 150, 200, 250, 300, 400, 500, 600, 700, 850, 925, 1000])
    H = 7300 * np.log(1013.25 / P)
    an = smooth((6, P.size, 9, 10), 15, 1.0, .03)
    z = (9.80665 * (H[None, :, None, None] + 40 * an)).astype("f4")
    T = ((288.15 - 6.5e-3 * H).clip(210)[None, :, None, None] + 3 * an).astype("f4")
    order = [list(P).index(int(x)) for x in sorted(str(x) for x in P)]
    for p, o in ((c, list(range(13))), (f, order)):
        ds = xr.Dataset({"z": (("time", "pressure_level", "lat", "lon"), z[:, o], {"standard_name": "geopotential", "long_name": "Geopotential", "units": "m2 s-2"}),
                         "t": (("time", "pressure_level", "lat", "lon"), T[:, o], {"standard_name": "air_temperature", "long_name": "Temperature", "units": "K"})},
                        {"time": times("2022-10-01T06:00", 6, "6h"), "lat": lat(9, 60, 40), "lon": lon(10, 0, 22.5),
                         "pressure_level": ("pressure_level", P.astype("f8"), {"standard_name": "air_pressure", "long_name": "pressure", "units": "hPa", "positive": "down", "axis": "Z"})},
                        {"Conventions": "CF-1.12", "title": "WeatherGenerator output for ar40mckx using stream ERA5", "institution": "WeatherGenerator Project"})
        write(ds, p, 3, {"z": (2, 13, 9, 10), "t": (2, 13, 9, 10)}, "hours since 2022-10-01 00:00:00")
    a, b = healthy(c), healthy(f)
    m = lambda d: d.z.mean(("time", "lat", "lon")).values
    assert (np.diff(m(a)) < 0).all() and not (np.diff(m(b)) < 0).all()
    done(s, "ecmwf/WeatherGenerator#2030", "The fields were stacked in text-sorted order of the level names (100, 1000, 150, ...) while pressure_level is sorted as numbers, so z and t lie on wrong levels.",
         "z/t along pressure_level: order of levels does not match the data; geopotential not monotonic with pressure", "pressure_level|order|geopotential|monotonic|sorted|mismatch")


# 16 ------------------------------------------------------------------ reversed lev_bnds
def c16():
    s = "16-cesm2-lev-bounds-reversed"
    c, f = start(s)
    e = np.linspace(1, 0, 15) ** 1.4
    bi = (e ** 1.6); ai = e - bi; bi[0] = 1; ai[0] = 0
    mid = lambda x: (x[1:] + x[:-1]) / 2
    bnd = lambda x: np.stack([x[:-1], x[1:]], 1)
    cl = (28 + 16 * np.sin(np.linspace(0, 3, 14))[None, :, None, None] + smooth((6, 14, 8, 10), 16, 8)).clip(0, 100).astype("f4")
    ft = "p0: p0 a: a b: b ps: ps"
    t = pd.date_range("2000-01-01", periods=7, freq="MS")
    tb = np.stack([(t[:-1] - t[0]).days, (t[1:] - t[0]).days], 1).astype("f8")
    for p, rev in ((c, False), (f, True)):
        lb = bnd(ai + bi)
        ds = xr.Dataset({
            "cl": (("time", "lev", "lat", "lon"), cl, {"standard_name": "cloud_area_fraction_in_atmosphere_layer", "long_name": "Percentage Cloud Cover", "units": "%", "cell_methods": "area: time: mean"}),
            "ps": (("time", "lat", "lon"), (98500 + smooth((6, 8, 10), 161, 700)).astype("f4"), {"standard_name": "surface_air_pressure", "long_name": "Surface Air Pressure", "units": "Pa"}),
            "p0": ((), 100000.0, {"long_name": "vertical coordinate formula term: reference pressure", "units": "Pa"}),
            "a": ("lev", mid(ai), {"long_name": "vertical coordinate formula term: a(k)"}), "b": ("lev", mid(bi), {"long_name": "vertical coordinate formula term: b(k)"}),
            "a_bnds": (("lev", "nbnd"), bnd(ai)), "b_bnds": (("lev", "nbnd"), bnd(bi)),
            "lev_bnds": (("lev", "nbnd"), lb[::-1].copy() if rev else lb, {"formula_terms": "p0: p0 a: a_bnds b: b_bnds ps: ps", "standard_name": "atmosphere_hybrid_sigma_pressure_coordinate", "units": "1"}),
            "time_bnds": (("time", "nbnd"), tb)},
            {"time": ("time", tb.mean(1), {"standard_name": "time", "units": "days since 2000-01-01 00:00:00", "calendar": "standard", "bounds": "time_bnds", "axis": "T"}),
             "lat": lat(8, -70, 70), "lon": lon(10, 0, 324),
             "lev": ("lev", mid(ai + bi), {"standard_name": "atmosphere_hybrid_sigma_pressure_coordinate", "long_name": "hybrid sigma pressure coordinate", "units": "1", "positive": "down", "axis": "Z", "bounds": "lev_bnds", "formula_terms": ft})},
            {"Conventions": "CF-1.7 CMIP-6.2", "title": "CESM2-WACCM output prepared for CMIP6", "source_id": "CESM2-WACCM", "variable_id": "cl", "table_id": "Amon"})
        ds.to_zarr(p, mode="w", zarr_format=2, consolidated=True, encoding={v: {"_FillValue": None, "compressors": [BL], **({"chunks": (2, 14, 8, 10)} if v == "cl" else {})} for v in ds.variables})
    inside = lambda d: ((d.lev >= d.lev_bnds.min("nbnd") - 1e-12) & (d.lev <= d.lev_bnds.max("nbnd") + 1e-12)).values
    a, b = healthy(c), healthy(f)
    assert inside(a).all() and inside(b).sum() <= 2 and np.allclose(a.lev, a.a + a.b)
    done(s, "ESMValGroup/ESMValCore#539", "lev_bnds is in the reverse order of lev, so the bounds of a level do not enclose it.",
         "lev_bnds: reversed, does not match lev (a_bnds/b_bnds are right)", "lev_bnds|bounds|reverse|enclose|match|outside")


# 17 ------------------------------------------------------------------ calendar attribute lost
def c17():
    s = "17-mom-noleap-calendar-lost"
    c, f = start(s)
    ml = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
    edge = 365.0 * 1949 + np.r_[0, np.cumsum(np.tile(ml, 3))]
    tb = np.stack([edge[:-1], edge[1:]], 1)
    v = (2e-5 * (1 + .4 * np.sin(np.arange(36)[:, None, None] / 12 * 2 * np.pi)) * np.exp(smooth((36, 12, 14), 17, .4))).astype("f4")
    for p, cal in ((c, True), (f, False)):
        ds = xr.Dataset({"runoff": (("time", "lat", "lon"), v, {"long_name": "mass flux of runoff", "standard_name": "water_flux_into_sea_water_from_rivers", "units": "kg m-2 s-1", "cell_methods": "time: mean"}),
                         "time_bounds": (("time", "nv"), tb)},
                        {"time": ("time", tb.mean(1), {"long_name": "time", "standard_name": "time", "units": "days since 0001-01-01 00:00:00", "cartesian_axis": "T", "calendar_type": "NOLEAP", "bounds": "time_bounds", **({"calendar": "noleap"} if cal else {})}),
                         "lat": lat(12, -77, -66), "lon": lon(14, -60, -47)},
                        {"Conventions": "CF-1.6", "title": "MOM5-SIS 025deg rcp45", "filename": "ocean_month.nc", "frequency": "monthly"})
        ds.to_zarr(p, mode="w", zarr_format=2, consolidated=True, encoding={v: {"_FillValue": None, "compressors": [BL], **({"chunks": (12, 12, 14)} if v == "runoff" else {})} for v in ds.variables})
    a, b = healthy(c), healthy(f)
    assert a.time.dt.calendar == "noleap" and a.time_bounds.values[0, 0].day == 1 and all(x.day == 1 for x in a.time_bounds.values[:, 0])
    assert b.time.dt.calendar != "noleap" and len({pd.Timestamp(str(x)[:10]).day for x in b.time_bounds.values[:, 0]}) > 1
    assert int(b.time.dt.year[0]) == 1948
    done(s, "COSIMA/cosima-cookbook#101", "The calendar attribute of time (noleap) was lost: days since year 1 are decoded in the standard calendar and come out more than a year off, the bounds no longer on month starts (calendar_type still says NOLEAP).",
         "time: calendar attribute missing, should be noleap/365_day", "calendar|noleap|365|missing|shift|standard")


# 18 ------------------------------------------------------------------ spatial_ref lost
def utm(n, m, seed, dx=30.0, x0=399960.0, y0=4200000.0):
    from affine import Affine
    import rioxarray  # noqa
    tr = Affine(dx, 0, x0, 0, -dx, y0)
    x = x0 + dx / 2 + dx * np.arange(m); y = y0 - dx / 2 - dx * np.arange(n)
    at = lambda a, l: {"axis": a, "long_name": f"{l} coordinate of projection", "standard_name": f"projection_{l}_coordinate", "units": "metre"}
    return tr, ("x", x, at("X", "x")), ("y", y, at("Y", "y"))


def c18():
    s = "18-snow-grid-mapping-dangling"
    c, f = start(s)
    tr, x, y = utm(24, 28, 18, 1000.0, 300000.0, 5700000.0)
    v = (160 + smooth((8, 24, 28), 18, 60)).clip(0).astype("f4")
    ds = xr.Dataset({"swe": (("time", "y", "x"), v, {"long_name": "snow water equivalent", "standard_name": "surface_snow_amount", "units": "kg m-2"})},
                    {"time": times("2020-12-01", 8, "15D"), "y": y, "x": x}, {"Conventions": "CF-1.8", "title": "SnowCast snow water equivalent"})
    ds = ds.rio.write_crs("EPSG:32611").rio.write_transform(tr)
    write(ds, c, 3, {"swe": (2, 24, 28)}, "days since 2020-12-01 00:00:00")
    shutil.copytree(c, f)
    shutil.rmtree(f / "spatial_ref")
    m = jl(f / "zarr.json"); m["consolidated_metadata"]["metadata"].pop("spatial_ref"); jd(f / "zarr.json", m)
    a, b = xr.open_zarr(c, decode_coords="all").load(), xr.open_zarr(f).load()
    assert a.rio.crs.to_epsg() == 32611 and a.rio.transform() == tr
    assert b.rio.crs is None and jl(f / "swe/zarr.json")["attributes"]["grid_mapping"] == "spatial_ref"
    done(s, "corteva/rioxarray#427", "swe names grid_mapping spatial_ref but there is no spatial_ref variable in the store, so the CRS is lost.",
         "swe grid_mapping -> spatial_ref: variable missing, no CRS", "grid_mapping|spatial_ref|crs|missing|projection")


# 19 ------------------------------------------------------------------ _ARRAY_DIMENSIONS missing
def c19():
    s = "19-array-dimensions-attr-missing"
    c, f = start(s)
    b4 = (1400 + smooth((4, 30, 30), 19, 260)).round().astype("u2")
    b8 = (3100 + smooth((4, 30, 30), 191, 400)).round().astype("u2")
    tr, x, y = utm(30, 30, 19, 10.0)
    ds = xr.Dataset({n: (("time", "y", "x"), v, {"long_name": l, "units": "1"}) for n, v, l in (("B04", b4, "digital number, band 4 (red, 665 nm)"), ("B08", b8, "digital number, band 8 (NIR, 842 nm)"))},
                    {"time": times("2023-06-02T10:05", 4, "5D"), "y": y, "x": x}, {"Conventions": "CF-1.8", "title": "Sentinel-2 L1C subset, tile 33TVF"})
    ds = ds.rio.write_crs("EPSG:32633").rio.write_transform(tr)
    write(ds, c, 2, {"B04": (1, 15, 30), "B08": (1, 15, 30)}, "seconds since 1970-01-01 00:00:00")
    shutil.copytree(c, f)
    v2edit(f, "B08", ".zattrs", lambda o: o.pop("_ARRAY_DIMENSIONS"))
    healthy(c)
    print("   19:", raises(lambda: load(f))[:90])
    done(s, "pydata/xarray#8749", "B08/.zattrs lacks _ARRAY_DIMENSIONS (B04 has it), so xarray cannot open the store.",
         "B08: attribute _ARRAY_DIMENSIONS missing, should be [time, y, x]", "_array_dimensions|b08|missing|attribute")


# 20 ------------------------------------------------------------------ uint8 rollover
def c20():
    s = "20-larpix-adc-rollover"
    c, f = start(s)
    g = rng(20)
    t = np.arange(96)
    w = 22 + g.normal(0, 1.2, (40, 16, 96))
    for e in range(40):
        for p in range(16):
            w[e, p] += g.uniform(20, 340) * np.exp(-.5 * ((t - g.uniform(25, 70)) / g.uniform(4, 9)) ** 2)
    w = np.floor(w).clip(0)
    ok = np.minimum(w, 255).astype("u1"); bad = np.minimum(w, 256).astype("i8").astype("u1")
    for p, v in ((c, ok), (f, bad)):
        z = zarr.create_array(p, shape=v.shape, chunks=(10, 16, 96), dtype="u1", dimension_names=("event", "pixel", "tick"), zarr_format=3, overwrite=True,
                              attributes={"long_name": "LArPix pixel waveform", "units": "count", "adc_bits": 8, "adc_full_scale": 255, "pedestal": 22, "tick_us": 0.1, "software": "larnd-sim 0.3.2",
                                          "comment": "samples above full scale are clipped"})
        z[:] = v
    a, b = zarr.open_array(c, mode="r")[:], zarr.open_array(f, mode="r")[:]
    hit = w >= 256
    assert hit.sum() > 500 and (a[hit] == 255).all() and (b[hit] == 0).all() and np.array_equal(a[~hit], b[~hit])
    assert (a > 5).all()
    done(s, "DUNE/larnd-sim#112", "Saturated samples were clipped at 256 and stored in uint8, so they roll over to 0: the tops of the large pulses are zeros.",
         "the array: 0 in the middle of pulses next to 250+; uint8 overflow/wrap-around, should be 255", "overflow|wrap|uint8|saturat|zero|255")


# 21 ------------------------------------------------------------------ chunk shape does not fit
def c21():
    s = "21-river-stage-chunks-halved"
    c, f = start(s)
    v = (2.4 + smooth((480, 24), 21, .6, .02)).astype("f4")
    ds = xr.Dataset({"stage": (("time", "gauge"), v, {"long_name": "water level above gauge datum", "units": "m"})},
                    {"time": times("2021-11-01", 480, "15min"), "gauge": ("gauge", np.arange(24) + 6340100, {"long_name": "gauge number", "cf_role": "timeseries_id"})},
                    {"Conventions": "CF-1.8", "featureType": "timeSeries", "title": "River gauges, 15 min water level"})
    ds["gauge"].attrs.pop("cf_role"); ds.attrs.pop("featureType")
    write(ds, c, 2, {"stage": (120, 24)}, "minutes since 2021-11-01 00:00:00")
    shutil.copytree(c, f)
    v2edit(f, "stage", ".zarray", lambda o: o.update(chunks=[60, 24]))
    healthy(c)
    print("   21:", raises(lambda: load(f))[:90])
    assert len(numcodecs.Blosc().decode((f / "stage/0.0").read_bytes())) == 120 * 24 * 4
    done(s, "zarr-developers/numcodecs#323", "stage/.zarray says chunks [60, 24] but the chunk files decode to 120 x 24 values (11520 bytes): the metadata was changed under data written with the old chunk shape.",
         "stage: .zarray chunks do not match the chunk bytes (should be [120, 24]); only 4 of 8 chunks exist", "chunk|60|120|size|bytes|.zarray")


# OME helpers ---------------------------------------------------------------------------------
def blobs(shape, n, seed, peak=2600, base=180):
    g = rng(seed)
    yy, xx = np.mgrid[:shape[-2], :shape[-1]]
    img = np.zeros(shape[-2:]); lab = np.zeros(shape[-2:], "u4"); best = np.full(shape[-2:], 1.0)
    for i in range(1, n + 1):
        cy, cx, r = g.uniform(4, shape[-2] - 4), g.uniform(4, shape[-1] - 4), g.uniform(3, 5)
        d = ((yy - cy) ** 2 + (xx - cx) ** 2) / r ** 2
        img += peak * g.uniform(.5, 1) * np.exp(-d)
        m = (d < 1) & (d < best); lab[m] = i; best[m] = d[m]
    return (base + img + g.normal(0, 12, img.shape)).clip(0).round().astype("u2"), lab


def down(a):
    """mean over 2 x 2 in the last two axes"""
    return np.round((a[..., ::2, ::2].astype("f8") + a[..., 1::2, ::2] + a[..., ::2, 1::2] + a[..., 1::2, 1::2]) / 4).astype(a.dtype)


def oarr(g, name, v, chunks, fmt, dims):
    if fmt == 2:
        z = g.create_array(name, shape=v.shape, chunks=chunks, dtype=v.dtype, chunk_key_encoding={"name": "v2", "separator": "/"}, compressors=[BL], fill_value=0)
    else:
        z = g.create_array(name, shape=v.shape, chunks=chunks, dtype=v.dtype, dimension_names=dims)
    z[:] = v


UNIT = {"z": "micrometer", "y": "micrometer", "x": "micrometer"}


def axes(s):
    return [{"name": a, "type": "channel"} if a == "c" else {"name": a, "type": "space", "unit": UNIT[a]} for a in s]


def msc(name, ax, scales, version=None):
    m = {"name": name, "axes": axes(ax), "datasets": [{"path": str(i), "coordinateTransformations": [{"type": "scale", "scale": list(x)}]} for i, x in enumerate(scales)]}
    if version:
        m = {"version": version, **m}
    return [m]


def omero(labels, colors, hi):
    return {"channels": [{"label": l, "color": c, "active": True, "coefficient": 1, "family": "linear", "inverted": False, "window": {"min": 0, "max": 65535, "start": 150, "end": hi}} for l, c in zip(labels, colors)]}


def image(g, seed, fmt, n=32):
    a, _ = blobs((n, n), 7, seed); b, _ = blobs((n, n), 7, seed + 1, 900)
    v = np.stack([a, b])
    oarr(g, "0", v, (1, n // 2, n), fmt, ("c", "y", "x")); oarr(g, "1", down(v), (1, n // 2, n // 2), fmt, ("c", "y", "x"))
    sc = [(1.0, .325, .325), (1.0, .65, .65)]
    om = omero(["DAPI", "GFP"], ["0000FF", "00FF00"], 2600)
    if fmt == 2:
        om["version"] = "0.4"
        g.attrs.put({"multiscales": msc("FOV", "cyx", sc, "0.4"), "omero": om})
    else:
        g.attrs.put({"ome": {"version": "0.5", "multiscales": msc("FOV", "cyx", sc), "omero": om}})


# 22 ------------------------------------------------------------------ wells without index
def c22():
    import ome_zarr_models.v04 as o
    s = "22-plate-wells-without-index"
    c, f = start(s)
    cols = ["03", "05", "09"]
    g = zarr.open_group(c, mode="w", zarr_format=2)
    g.attrs.put({"plate": {"acquisitions": [{"id": 1, "name": "20200812-CardiomyocyteDifferentiation14-Cycle1"}], "columns": [{"name": x} for x in cols], "rows": [{"name": "B"}], "field_count": 1,
                           "name": "20200812-CardiomyocyteDifferentiation14-Cycle1", "version": "0.4", "wells": [{"path": f"B/{x}", "rowIndex": 0, "columnIndex": i} for i, x in enumerate(cols)]}})
    r = g.create_group("B")
    for i, x in enumerate(cols):
        w = r.create_group(x)
        w.attrs.put({"well": {"images": [{"acquisition": 1, "path": "0"}], "version": "0.4"}})
        image(w.create_group("0"), 220 + 10 * i, 2)
    shutil.copytree(c, f)
    a = jl(f / ".zattrs")
    for w in a["plate"]["wells"]:
        w.pop("rowIndex"); w.pop("columnIndex")
    jd(f / ".zattrs", a)
    o.HCS.from_zarr(zarr.open_group(c, mode="r"))
    for x in cols:
        o.Image.from_zarr(zarr.open_group(c, mode="r")[f"B/{x}/0"])
    print("   22:", raises(lambda: o.HCS.from_zarr(zarr.open_group(f, mode="r")))[:60].replace("\n", " "))
    done(s, "fractal-analytics-platform/fractal-client#34", "The plate metadata lists the wells by path only; rowIndex and columnIndex, required since 0.4, are missing.",
         "root .zattrs plate.wells: rowIndex/columnIndex missing", "rowindex|columnindex|well|plate|missing")


# 23 ------------------------------------------------------------------ row group document missing
def c23():
    import ome_zarr_models.v05 as o
    s = "23-plate-row-group-undocumented"
    c, f = start(s)
    g = zarr.open_group(c, mode="w", zarr_format=3)
    wells = [(r, k) for r in "AB" for k in "12"]
    g.attrs.put({"ome": {"version": "0.5", "plate": {"acquisitions": [{"id": 0}], "columns": [{"name": "1"}, {"name": "2"}], "rows": [{"name": "A"}, {"name": "B"}], "field_count": 1, "name": "Week9_090907",
                 "wells": [{"path": f"{r}/{k}", "rowIndex": "AB".index(r), "columnIndex": int(k) - 1} for r, k in wells]}}})
    for r in "AB":
        g.create_group(r)
    for i, (r, k) in enumerate(wells):
        w = g[r].create_group(k)
        w.attrs.put({"ome": {"version": "0.5", "well": {"images": [{"acquisition": 0, "path": "0"}]}}})
        image(w.create_group("0"), 230 + 10 * i, 3)
    shutil.copytree(c, f)
    os.remove(f / "B/zarr.json")
    o.HCS.from_zarr(zarr.open_group(c, mode="r"))
    a, b = dict(zarr.open_group(c, mode="r").groups()), dict(zarr.open_group(f, mode="r").groups())
    assert set(a) == {"A", "B"} and set(b) == {"A"} and (f / "B/1/0/0/zarr.json").exists()
    for r, k in wells:
        o.Image.from_zarr(zarr.open_group(c, mode="r")[f"{r}/{k}/0"])
    done(s, "ome/ome2024-ngff-challenge#95", "The row folder B has no zarr.json, so it is not a Zarr group and its wells are not found when the plate is walked (row A has it).",
         "B/zarr.json missing: row level group metadata", "zarr.json|row|missing|plate|wells|group")


# 24 ------------------------------------------------------------------ c and z exchanged
def c24():
    import ome_zarr_models.v04 as o
    s = "24-stack-channel-z-exchanged"
    c, f = start(s)
    st = np.stack([np.stack([blobs((48, 48), 9, 240 + k, 1800 * np.exp(-.5 * ((z - 5.5) / 3) ** 2) / (k + 1), 140 + 60 * k)[0] for z in range(12)]) for k in range(2)])
    for p, v in ((c, st), (f, st.swapaxes(0, 1).copy())):
        g = zarr.open_group(p, mode="w", zarr_format=2)
        oarr(g, "0", v, (1, 1, 48, 48), 2, None); oarr(g, "1", down(v), (1, 1, 24, 24), 2, None)
        om = omero(["membrane", "nuclei"], ["FF00FF", "00FFFF"], 1800); om["version"] = "0.4"
        g.attrs.put({"multiscales": msc("xyzc-test", "czyx", [(1.0, 1.5, .25, .25), (1.0, 1.5, .5, .5)], "0.4"), "omero": om})
    for p in (c, f):
        o.Image.from_zarr(zarr.open_group(p, mode="r"))
    assert zarr.open_group(c, mode="r")["0"].shape == (2, 12, 48, 48) and zarr.open_group(f, mode="r")["0"].shape == (12, 2, 48, 48)
    done(s, "saalfeldlab/n5-ij#99", "The arrays were written with channel and z exchanged: shape (12, 2, 48, 48) under axes c, z, y, x, i.e. 12 channels and 2 slices, while omero names 2 channels.",
         "0 and 1: c and z axes swapped; 12 along c but omero.channels has 2", "channel|axes|swap|shape|omero|order")


# 25 ------------------------------------------------------------------ label at the wrong level
def c25():
    import ome_zarr_models.v05 as o
    s = "25-label-derived-from-level-2"
    c, f = start(s)
    n = 128
    a, lab = blobs((n, n), 45, 25); b, _ = blobs((n, n), 45, 251, 900)
    v = np.stack([a, b])
    sc = [(1.0, .65, .65), (1.0, 1.3, 1.3), (1.0, 2.6, 2.6)]
    for p, L in ((c, lab), (f, lab[::4, ::4])):
        g = zarr.open_group(p, mode="w", zarr_format=3)
        w = v
        for i in range(3):
            oarr(g, str(i), w, (1, 64 >> min(i, 1), 64 >> min(i, 1)), 3, ("c", "y", "x")); w = down(w)
        g.attrs.put({"ome": {"version": "0.5", "multiscales": msc("B03_mip", "cyx", sc), "omero": omero(["DAPI", "Lamin B1"], ["00FFFF", "FF00FF"], 2600)}})
        ls = g.create_group("labels"); ls.attrs.put({"ome": {"version": "0.5", "labels": ["nuclei"]}})
        q = ls.create_group("nuclei")
        for i in range(3):
            x = L[::2 ** i, ::2 ** i]
            oarr(q, str(i), x, (min(64, x.shape[0]),) * 2, 3, ("y", "x"))
        q.attrs.put({"ome": {"version": "0.5", "multiscales": msc("nuclei", "yx", [x[1:] for x in sc]), "image-label": {"source": {"image": "../../"}}}})
    for p in (c, f):
        o.Image.from_zarr(zarr.open_group(p, mode="r")); o.ImageLabel.from_zarr(zarr.open_group(p, mode="r")["labels/nuclei"])
    assert zarr.open_group(c, mode="r")["labels/nuclei/0"].shape == (128, 128) and zarr.open_group(f, mode="r")["labels/nuclei/0"].shape == (32, 32)
    done(s, "BioVisionCenter/ngio#80", "The label nuclei was derived from image level 2 but stored as level 0 with the scale of level 0: 32 x 32 pixels of 0.65 um cover only a quarter of the image's side (128 x 128).",
         "labels/nuclei: shape of levels (32, 16, 8) does not match the image (128, 64, 32); scale 0.65 should be 2.6", "nuclei|shape|scale|resolution|32|extent")


# 26 ------------------------------------------------------------------ instance_key of the wrong type
def c26():
    import spatialdata as sd
    from spatialdata.models import TableModel, Labels2DModel, Image2DModel
    s = "26-spatialdata-instance-id-text"
    c, f = start(s)
    img, lab = blobs((64, 64), 24, 26)
    ids = np.unique(lab)[1:].astype("i8")
    g = rng(26)
    X = g.poisson(2.0, (ids.size, 30)).astype("f4")
    def mk(inst):
        obs = pd.DataFrame({"region": pd.Categorical(["cell_labels"] * ids.size), "instance_id": inst, "area": [int((lab == i).sum()) for i in ids]}, index=[f"cell_{i}" for i in ids])
        A = ad.AnnData(X.copy(), obs=obs, var=pd.DataFrame(index=genes(30)))
        A.uns["spatialdata_attrs"] = {"region": "cell_labels", "region_key": "region", "instance_key": "instance_id"}
        return A
    def sdata(A):
        return sd.SpatialData(images={"dapi": Image2DModel.parse(img[None], dims=("c", "y", "x"), c_coords=["DAPI"])}, labels={"cell_labels": Labels2DModel.parse(lab.astype("i4"), dims=("y", "x"))}, tables={"table": A})
    old = TableModel.__dict__["validate"]
    T = mk(ids)
    TableModel().validate(T)
    sdata(T).write(c)
    TableModel.validate = staticmethod(lambda *a, **k: None)
    try:
        sdata(mk(pd.Categorical([str(i) for i in ids]))).write(f)
    finally:
        TableModel.validate = old
    a = sd.read_zarr(c)
    assert set(a["table"].obs["instance_id"]) == set(np.unique(a["cell_labels"].values)) - {0}
    e = jl(f / "tables/table/obs/instance_id/zarr.json")["attributes"]["encoding-type"]
    assert e == "categorical"
    b = ad.read_zarr(f / "tables/table")
    assert isinstance(b.obs["instance_id"].iloc[0], str) and isinstance(a["table"].obs["instance_id"].iloc[0], (int, np.integer))
    try:
        r = sd.read_zarr(f); print("   26: reads,", r.tables.keys())
    except Exception as x:
        print("   26:", str(x)[:90])
    done(s, "scverse/spatialdata#158", "The instance_key column instance_id of the table is stored as a categorical of text ('1', '2', ...) and cannot be matched with the integer label values of cell_labels.",
         "tables/table/obs/instance_id: categorical strings instead of integers; does not join to labels/cell_labels", "instance_id|instance_key|categorical|string|integer|type")


# 27 ------------------------------------------------------------------ CSR indices beyond the genes
def c27():
    s = "27-csr-indices-out-of-bounds"
    c, f = start(s)
    ad.settings.zarr_write_format = 2
    g = rng(27)
    D = g.poisson(.06, (180, 300)).astype("f4") * g.integers(1, 4, (180, 300))
    full = sparse.csr_matrix(D.astype("f4"))
    keep = full[:, :240].tocsr()
    bc = barcodes(180, 27)
    obs = pd.DataFrame({"n_genes": np.diff(keep.indptr).astype("i4"), "batch": pd.Categorical(["run1", "run2"] * 90)}, index=bc)
    var = pd.DataFrame({"gene_ids": genes(240)}, index=[f"GENE{i}" for i in range(240)])
    A = ad.AnnData(keep, obs=obs, var=var)
    A.write_zarr(c)
    shutil.copytree(c, f)
    gf = zarr.open_group(f, mode="r+", use_consolidated=False)["X"]
    for k in ("data", "indices", "indptr"):
        z = gf[k]; new = getattr(full, k)
        at = dict(z.attrs)
        n = new.shape
        del gf[k]
        q = gf.create_array(k, shape=n, chunks=n, dtype=z.dtype, compressors=z.compressors, fill_value=z.fill_value)
        q[:] = new.astype(z.dtype); q.attrs.put(at)
    if (f / ".zmetadata").exists():
        m = jl(f / ".zmetadata")
        for k in ("data", "indices", "indptr"):
            m["metadata"][f"X/{k}/.zarray"] = jl(f / f"X/{k}/.zarray")
        jd(f / ".zmetadata", m)
    a = ad.read_zarr(c)
    assert a.shape == (180, 240) and a.X.indices.max() < 240 and a.X.has_canonical_format
    z = zarr.open_group(f, mode="r")["X"]
    assert list(z.attrs["shape"]) == [180, 240] and z["indices"][:].max() == 299 and z["indptr"][-1] == z["indices"].shape[0]
    done(s, "NygenAnalytics/scarf#77", "X was left over all 300 genes while var was cut to 240: the CSR column indices run to 299 although shape is [180, 240].",
         "X/indices: column index out of bounds (>= 240 = number of var)", "indices|out of bounds|shape|csr|240|var")


# 28 ------------------------------------------------------------------ REF and ALT exchanged
def c28():
    s = "28-vcz-ref-alt-exchanged"
    c, f = start(s)
    g = rng(28)
    V, S, cv = 240, 20, 80
    pos = np.sort(g.choice(np.arange(63400000, 63700000), V, replace=False)).astype("i4")
    ref, alt = [], []
    for i in range(V):
        a, b = g.choice(list("ACGT"), 2, replace=False)
        if i % 9 == 0:
            a, b = a + "".join(g.choice(list("ACGT"), int(g.integers(1, 4)))), a
        elif i % 11 == 0:
            a, b = a, a + "".join(g.choice(list("ACGT"), 2))
        ref.append(str(a)); alt.append(str(b))
    af = g.beta(.6, 2.2, V)
    gt = (g.random((V, S, 2)) < af[:, None, None]).astype("i1")
    al = np.array([ref, alt], dtype=object).T
    length = np.array([len(x) for x in ref], "i4")
    end = pos + length - 1
    ri = np.array([[k, 0, pos[k * cv], pos[(k + 1) * cv - 1], end[k * cv:(k + 1) * cv].max(), cv] for k in range(V // cv)], "i4")
    for p, A in ((c, al), (f, al[:, ::-1])):
        z = zarr.open_group(p, mode="w", zarr_format=2)
        z.attrs.put({"vcf_zarr_version": "0.4", "source": "bio2zarr-0.1.5"})
        def num(n, v, ch, dims, d=""):
            q = z.create_array(n, shape=v.shape, chunks=ch, dtype=v.dtype, compressors=[numcodecs.Blosc(cname="zstd", clevel=7)], fill_value=None)
            q[...] = v; q.attrs.put({"_ARRAY_DIMENSIONS": dims, **({"description": d} if d else {})})
        def txt(n, v, ch, dims):
            v = np.asarray(v, dtype=object)
            q = z.create_array(n, shape=v.shape, chunks=ch, dtype=str, compressors=[numcodecs.Blosc(cname="zstd", clevel=7)])
            q[...] = v.astype("U"); q.attrs.put({"_ARRAY_DIMENSIONS": dims, "description": ""})
        txt("contig_id", ["17"], (1,), ["contigs"]); txt("filter_id", ["PASS"], (1,), ["filters"])
        num("contig_length", np.array([83257441], "i8"), (1,), ["contigs"])
        txt("sample_id", [f"SM-{1000 + i}" for i in range(S)], (S,), ["samples"])
        num("variant_contig", np.zeros(V, "i1"), (cv,), ["variants"], "An identifier from the reference genome or an angle-bracketed ID string pointing to a contig in the assembly file")
        num("variant_position", pos, (cv,), ["variants"], "The reference position")
        num("variant_length", length, (cv,), ["variants"], "The length of the variant measured in bases")
        txt("variant_id", [f"chr17:{q}_{r}_{a}" for q, r, a in zip(pos, ref, alt)], (cv,), ["variants"])
        num("variant_id_mask", np.zeros(V, bool), (cv,), ["variants"])
        txt("variant_allele", A, (cv, 2), ["variants", "alleles"])
        num("variant_filter", np.ones((V, 1), bool), (cv, 1), ["variants", "filters"])
        num("call_genotype", gt, (cv, S, 2), ["variants", "samples", "ploidy"])
        num("call_genotype_mask", np.zeros(gt.shape, bool), (cv, S, 2), ["variants", "samples", "ploidy"])
        num("call_genotype_phased", np.zeros((V, S), bool), (cv, S), ["variants", "samples"])
        num("region_index", ri, ri.shape, ["region_index_values", "region_index_fields"])
        zarr.consolidate_metadata(p, zarr_format=2)
    chk = lambda p: [(x.split("_")[1:] == list(y)) for x, y in zip(load(p, mask_and_scale=False).variant_id.values, load(p, mask_and_scale=False).variant_allele.values)]
    assert all(chk(c)) and not any(chk(f))
    d = load(f, mask_and_scale=False)
    assert sum(len(str(q)) != n for q, n in zip(d.variant_allele.values[:, 0], d.variant_length.values)) > 30
    done(s, "sgkit-dev/bio2zarr#391", "REF and ALT were exchanged in the PLINK conversion: variant_allele is [ALT, REF], against the variant_id (chr17:pos_REF_ALT) and variant_length of every indel.",
         "variant_allele: columns swapped relative to variant_id / variant_length", "variant_allele|swap|variant_id|variant_length|exchang|order")


# 29 ------------------------------------------------------------------ GeoTransform half a pixel off
def c29():
    from affine import Affine
    s = "29-cslc-geotransform-half-pixel"
    c, f = start(s)
    tr, x, y = utm(32, 36, 29, 30.0, 487770.0, 3812340.0)
    v = (-11.5 + smooth((6, 32, 36), 29, 2.2)).astype("f4")
    for p, t in ((c, tr), (f, Affine(30.0, 0, float(x[1][0]), 0, -30.0, float(y[1][0])))):
        ds = xr.Dataset({"backscatter": (("time", "y", "x"), v, {"long_name": "radar backscatter gamma naught, VV", "units": "dB"})},
                        {"time": times("2022-05-03T13:42", 6, "12D"), "y": y, "x": x}, {"Conventions": "CF-1.8", "title": "OPERA geocoded burst t071_151224_iw3", "burst_id": "t071_151224_iw3"})
        ds["backscatter"].attrs["units"] = "1"; ds["backscatter"].attrs["long_name"] = "radar backscatter gamma naught, VV, in decibels"
        ds = ds.rio.write_crs("EPSG:32611").rio.write_transform(t)
        write(ds, p, 3, {"backscatter": (2, 32, 36)}, "seconds since 2022-05-03 00:00:00")
    gt = lambda p: [float(q) for q in xr.open_zarr(p).spatial_ref.attrs["GeoTransform"].split()]
    a, b = gt(c), gt(f)
    X, Y = float(x[1][0]), float(y[1][0])
    assert a[0] == X - 15 and a[3] == Y + 15 and b[0] == X and b[3] == Y
    healthy(c)
    done(s, "opera-adt/COMPASS#65", "The GeoTransform of spatial_ref starts at the centre of the first pixel (x[0], y[0]) instead of its outer corner: half a pixel (15 m) off from the x/y coordinates.",
         "spatial_ref GeoTransform origin: half pixel shift, equals pixel centre", "geotransform|half|pixel|spatial_ref|cent|shift")


# 30 ------------------------------------------------------------------ stale .zmetadata
def c30():
    s = "30-ozone-append-stale-zmetadata"
    c, f = start(s)
    v = (305 + 20 * np.linspace(-1, 1, 15)[None, :, None] + smooth((40, 15, 18), 30, 9)).astype("f4")
    ds = xr.Dataset({"total_ozone_column": (("time", "lat", "lon"), v, {"long_name": "Total column ozone", "standard_name": "equivalent_thickness_at_stp_of_atmosphere_ozone_content", "units": "DU"})},
                    {"time": times("2021-05-01", 40, "D"), "lat": lat(15, 35.5, 49.5), "lon": lon(18, -10.5, 6.5)},
                    {"Conventions": "CF-1.7", "title": "Daily total ozone column", "institution": "BIRA-IASB"})
    ds["total_ozone_column"].values[:] = np.round(ds["total_ozone_column"].values * 1e-5, 8)
    ds["total_ozone_column"].attrs["units"] = "m"
    write(ds, c, 2, {"total_ozone_column": (10, 15, 18)}, "days since 2021-05-01 00:00:00", {"time": {"chunks": (10,)}})
    shutil.copytree(c, f)
    m = jl(f / ".zmetadata")
    for k in ("time/.zarray", "total_ozone_column/.zarray"):
        m["metadata"][k]["shape"][0] = 20
    jd(f / ".zmetadata", m)
    healthy(c)
    assert load(f).sizes["time"] == 20 and load(f, consolidated=False).sizes["time"] == 40 == load(c).sizes["time"]
    done(s, "bcdev/nc2zarr#48", "The consolidated metadata was not updated by the append: .zmetadata says 20 time steps while .zarray and the chunks hold 40, so half of the data is invisible.",
         ".zmetadata stale: shape [20, ...] vs .zarray [40, ...] for time and total_ozone_column", ".zmetadata|consolidated|stale|shape|append|disagree")


if __name__ == "__main__":
    for i in range(1, 31):
        globals()[f"c{i:02d}"]()
    used = set(Path("/tmp/used_threads.txt").read_text().split())
    th = [r[1] for r in ROWS]
    assert len(ROWS) == 30 and len(set(th)) == 30 and not used & set(th)
    jd(OUT / "cases.json", CASES)
    with open(OUT / "answers.md", "w") as o:
        o.write("| NN-slug | thread | fault in one sentence | what a good answer names |\n|---|---|---|---|\n")
        for r in ROWS:
            o.write("| " + " | ".join(x.replace("|", "\\|") for x in r) + " |\n")
    print("all thirty written and checked")
