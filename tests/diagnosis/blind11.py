"""Blind set 11: thirty faulty Zarr stores and their clean twins. python blind11.py [numbers]"""
import sys, os, json, shutil, warnings, zipfile, traceback, importlib.metadata as _im
_v = _im.version
_im.version = lambda n: "1.0.1" if n == "zfpy" else _v(n)
warnings.filterwarnings("ignore")
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr, numcodecs
from scipy.ndimage import gaussian_filter as gf

zarr.config.set({"array.write_empty_chunks": True})
OUT = Path(os.environ.get("OUT", "/tmp/blind11"))
rng = lambda n: np.random.default_rng(111000 + n)
CASES = {}


def case(n, short, thread, fault, answer, words):
    def deco(cls):
        cls.n, cls.name = n, f"{n:02d}-{short}"
        cls.thread, cls.text, cls.answer, cls.words = thread, fault, answer, words
        CASES[n] = cls
        return cls
    return deco


# ---------------------------------------------------------------- helpers
def smooth(r, shape, sig=3.0):
    "smooth random field with unit deviation; the last two axes are space"
    s = [0] * (len(shape) - 2) + [sig, sig]
    if len(shape) > 2: s[0] = 1.0
    f = gf(r.standard_normal(shape), s, mode="wrap")
    return (f - f.mean()) / f.std()


def w(ds, p, fmt=2, enc=None, chunks=None, **k):
    enc = {a: dict(b) for a, b in (enc or {}).items()}
    for v in ds.variables:
        e = enc.setdefault(v, {})
        if v in ds.coords or "bnds" in v:
            e.setdefault("_FillValue", None)
        if chunks and v in ds.data_vars and ds[v].ndim:
            e.setdefault("chunks", tuple(min(chunks.get(d, ds.sizes[d]), ds.sizes[d]) for d in ds[v].dims))
    for v in ds.variables:
        if ds[v].dtype.kind not in "f" and enc[v].get("_FillValue", 1) is None:
            enc[v].pop("_FillValue")
    ds.to_zarr(p, zarr_format=fmt, consolidated=True, encoding=enc, mode="w", **k)
    for v in ds.variables:  # scalar coordinates have no place on bounds and grid mappings
        if "bnds" in v or "grid_mapping_name" in ds[v].attrs: edit(p, v, lambda a: a.pop("coordinates", 0))


def rd(f): return json.loads(Path(f).read_text())
def wr(f, d): Path(f).write_text(json.dumps(d, indent=4))


def edit(p, arr, fn, doc=".zattrs"):
    "change the attributes (or, with doc='.zarray', the metadata) of an array of a V2/V3 store, in its document and in the consolidated copy"
    p = Path(p)
    if (p / "zarr.json").exists():
        f = p / arr / "zarr.json"; d = rd(f)
        fn(d["attributes"] if doc == ".zattrs" else d); wr(f, d)
        r = rd(p / "zarr.json"); cm = r.get("consolidated_metadata")
        if cm and arr in cm["metadata"]:
            fn(cm["metadata"][arr]["attributes"] if doc == ".zattrs" else cm["metadata"][arr]); wr(p / "zarr.json", r)
    else:
        f = p / arr / doc; d = rd(f); fn(d); wr(f, d)
        z = p / ".zmetadata"
        if z.exists():
            m = rd(z); fn(m["metadata"][f"{arr}/{doc}" if arr else doc]); wr(z, m)


def zm2(p):
    "write .zmetadata as zarr-python 2 does, from the documents"
    p = Path(p); m = {str(q.relative_to(p)): rd(q) for q in sorted(p.rglob(".z*")) if q.name in (".zarray", ".zattrs", ".zgroup")}
    wr(p / ".zmetadata", dict(metadata=m, zarr_consolidated_format=1))


LAT = dict(standard_name="latitude", long_name="latitude", units="degrees_north", axis="Y")
LON = dict(standard_name="longitude", long_name="longitude", units="degrees_east", axis="X")
TIME = dict(standard_name="time", long_name="time", axis="T")
L2 = lambda d: {k: v for k, v in d.items() if k != "axis"}
c1 = lambda d, v, a, dt="f8": (d, np.asarray(v, dt), a)


def times(start, n, freq, units, cal="proleptic_gregorian", dt="int64"):
    t = xr.Variable("time", pd.date_range(start, periods=n, freq=freq), dict(TIME))
    t.encoding = dict(units=units, calendar=cal, dtype=dt)
    return t


def op(p, **k):
    k.setdefault("decode_timedelta", False)
    return xr.open_zarr(str(p), chunks=None, **k)


def finite(ds):
    for v in ds.data_vars:
        if ds[v].dtype.kind == "f": assert np.isfinite(ds[v].values).all(), v


def raises(f, *exc):
    try: f()
    except (exc or Exception) as e: return e
    raise AssertionError("no error raised")


# ---------------------------------------------------------------- cases
@case(1, "kerchunk-two-packings", "fsspec/kerchunk#586",
      "Files packed with different scale_factor/add_offset were combined; only the first file's attributes are kept, so every step from the second file (index 14 on) decodes wrongly.",
      "t2m: from time index 14 (a chunk border) on the values do not fit the scale_factor/add_offset of the array (sudden jump of level and spread): those chunks were packed with another scale/offset.",
      "t2m|scale")
class C1:
    S1, O1, S2, O2 = 0.00146, 277.9, 0.00061, 289.9
    def data():
        r = rng(1); lat = np.linspace(30, 50, 15)
        return 283 - 0.35 * (lat - 40)[None, :, None] + 1.6 * smooth(r, (28, 15, 20)) + 0.05 * np.arange(28)[:, None, None]
    def clean(p):
        ds = xr.Dataset({"t2m": (("time", "latitude", "longitude"), C1.data(),
                                 dict(standard_name="air_temperature", long_name="2 metre temperature", units="K"))},
                        {"time": times("2019-12-01", 28, "D", "hours since 1900-01-01 00:00:00"),
                         "latitude": c1("latitude", np.linspace(30, 50, 15), LAT),
                         "longitude": c1("longitude", -110 + np.arange(20) * 1.5, LON)},
                        dict(Conventions="CF-1.7", institution="ECMWF", title="ERA5-Land 2 m temperature, daily at 00 UTC"))
        w(ds, p, enc={"t2m": dict(dtype="int16", scale_factor=C1.S1, add_offset=C1.O1, _FillValue=-32767)}, chunks={"time": 7})
    def fault(p):
        z = zarr.open_group(str(p), mode="r+", use_consolidated=False)["t2m"]
        z[14:] = np.round((C1.data()[14:] - C1.O2) / C1.S2).astype("int16")
    def check(c, f):
        a, b = op(c).t2m.values, op(f).t2m.values
        assert np.abs(a - C1.data()).max() < 0.01 and np.array_equal(a[:14], b[:14])
        assert abs(b[14:].mean() - a[14:].mean()) > 10 and b[14:].std() > 2 * a[14:].std()


@case(2, "kerchunk-time-all-zero", "fsspec/kerchunk#302",
      "Monthly files each had their own reference date in time:units and the value 0; the combined store has twelve times 0 with the units of the first file.",
      "time: all 12 values are 0, i.e. the same date twelve times (duplicates, not increasing).", "time|dupl")
class C2:
    def clean(p):
        r = rng(2); lat = np.linspace(-76, 76, 20); lon = np.arange(-175, 180, 10.)
        t = pd.date_range("1998-01-01", periods=12, freq="MS") + pd.Timedelta(days=15)
        v = xr.Variable("time", t, dict(TIME)); v.encoding = dict(units="days since 1998-01-16 00:00:00", calendar="standard", dtype="int64")
        ep = 120 * np.exp(0.5 * smooth(r, (12, 20, 36), 2)) * (1 + .4 * np.cos(np.radians(lat))[None, :, None])
        ds = xr.Dataset({"EP_Dunne": (("time", "lat", "lon"), ep.astype("f4"), dict(long_name="Exported production, Dunne et al. (2007)", units="mg m-2 d-1"))},
                        {"time": v, "lat": c1("lat", lat, LAT), "lon": c1("lon", lon, LON)},
                        dict(Conventions="CF-1.7", title="BICEP NCEO: monthly global oceanic export production", institution="Plymouth Marine Laboratory"))
        w(ds, p, chunks={"time": 1})
    def fault(p):
        zarr.open_group(str(p), mode="r+", use_consolidated=False)["time"][:] = np.zeros(12, "int64")
        # a chunk that equals a null fill value is written: make sure it is there
        assert (Path(p) / "time/0").exists()
    def check(c, f):
        a, b = op(c), op(f); finite(a)
        assert a.time.to_index().is_unique and len(set(b.time.values)) == 1


@case(3, "arco-last-day-missing", "google-research/arco-era5#78",
      "The incremental update never wrote the last day of each month: the chunks of 2023-08-31 and 2023-09-30 are absent, the fields read as NaN.",
      "10m_u_component_of_wind and 2m_temperature: the chunks of time index 30 and 60 (last days of the months) are missing and read as the fill value NaN.",
      "10m_u_component_of_wind|missing")
class C3:
    def clean(p):
        r = rng(3); lat = np.linspace(90, -90, 10); lon = np.arange(0, 360, 20.)
        u = 6 * smooth(r, (62, 10, 18), 1.5); T = 300 - 45 * np.sin(np.radians(lat))[None, :, None] ** 2 + 3 * smooth(r, (62, 10, 18), 1.5)
        d = ("time", "latitude", "longitude")
        ds = xr.Dataset({"10m_u_component_of_wind": (d, u.astype("f4"), dict(long_name="10 metre U wind component", short_name="u10", standard_name="eastward_wind", units="m s-1")),
                         "2m_temperature": (d, T.astype("f4"), dict(long_name="2 metre temperature", short_name="t2m", standard_name="air_temperature", units="K"))},
                        {"time": times("2023-08-01", 62, "D", "hours since 1900-01-01"), "latitude": c1("latitude", lat, LAT, "f4"), "longitude": c1("longitude", lon, LON, "f4")},
                        dict(Conventions="CF-1.7", valid_time_start="2023-08-01", valid_time_stop="2023-10-01"))
        w(ds, p, chunks={"time": 1})
    def fault(p):
        for v in ("10m_u_component_of_wind", "2m_temperature"):
            for i in (30, 60): (Path(p) / v / f"{i}.0.0").unlink()
    def check(c, f):
        a, b = op(c), op(f); finite(a)
        n = b["10m_u_component_of_wind"].isnull().all(("latitude", "longitude"))
        assert list(np.flatnonzero(n)) == [30, 60] and str(b.time.values[30])[:10] == "2023-08-31"


@case(4, "zero-becomes-nan", "zarr-developers/zarr-python#703",
      "An array of a simulation framework was created with the fill_value 0 of zarr; zero is a real value (no snow), xarray masks it and shows NaN.",
      "snow__depth: fill_value 0 is also a real value of the data, so a reader that masks the fill value (xarray) turns the zeros into NaN.",
      "snow__depth|fill_value")
class C4:
    def make(p, fv):
        r = rng(4); t = np.arange(0, 180.); x = np.linspace(0, 2000, 41)
        d = 1.4 * np.sin(np.pi * (t[:, None] - 20) / 120) * (0.4 + x / 2500) + 0.03 * smooth(r, (180, 41), 3)
        d = np.where((t[:, None] < 18) | (t[:, None] > 145), 0.0, np.clip(d, 0, None))
        g = zarr.open_group(str(p), mode="w", zarr_format=2)
        g.attrs["title"] = "xarray-simlab run, snow profile"
        for n, v, dims, at, f in (("time", t, ["time"], dict(units="days since 2020-10-01 00:00:00", calendar="standard", standard_name="time"), None),
                                  ("x", x, ["x"], dict(units="m", long_name="distance along profile"), None),
                                  ("snow__depth", d, ["time", "x"], dict(units="m", long_name="depth of snow on the ground", standard_name="surface_snow_thickness"), fv)):
            a = g.create_array(n, shape=v.shape, dtype="f8", chunks=v.shape, fill_value=f, config={"write_empty_chunks": True})
            a[:] = v; a.attrs.update({"_ARRAY_DIMENSIONS": dims, **at})
        zarr.consolidate_metadata(str(p), zarr_format=2)
    def clean(p): C4.make(p, None)
    def fault(p): shutil.rmtree(p); C4.make(p, 0.0)
    def check(c, f):
        assert rd(c / "snow__depth/.zarray")["fill_value"] is None and rd(f / "snow__depth/.zarray")["fill_value"] == 0
        a, b = op(c).snow__depth.values, op(f).snow__depth.values
        assert np.isfinite(a).all() and (a == 0).sum() > 500 and np.array_equal(np.isnan(b), a == 0)


@case(5, "nested-stale-consolidated", "zarr-developers/zarr-python#2921",
      "The group simulation was consolidated before its child group ensemble was made; consolidating the root afterwards took over that old list, so ensemble and its array are in no consolidated metadata though they lie in the store.",
      "The consolidated metadata (of simulation and of the root) is out of date: simulation/ensemble and simulation/ensemble/discharge are on disk but not listed.",
      "simulation/ensemble|consolidated")
class C5:
    def build(p):
        r = rng(5); g = zarr.open_group(str(p), mode="w", zarr_format=3, attributes=dict(title="Discharge at gauge Lobith, observed and simulated", Conventions="CF-1.8"))
        base = 2200 + 500 * np.sin(np.arange(120) / 20)
        def put(gr, n, v, dims, **at):
            a = gr.create_array(n, shape=v.shape, dtype=v.dtype, chunks=v.shape, dimension_names=dims, attributes=at, fill_value="NaN" if v.dtype.kind == "f" else 0); a[:] = v
        T = dict(units="days since 2021-01-01", calendar="standard", standard_name="time")
        Q = dict(units="m3 s-1", standard_name="water_volume_transport_in_river_channel", long_name="discharge")
        obs, sim = g.create_group("observations"), g.create_group("simulation")
        for gr in (obs, sim):
            put(gr, "time", np.arange(120, dtype="i4"), ["time"], **T)
            put(gr, "discharge", (base + r.normal(0, 40, 120)).astype("f4"), ["time"], **Q)
        return r, base, put, T, Q, sim
    def ens(x):
        r, base, put, T, Q, sim = x; e = sim.create_group("ensemble")
        put(e, "time", np.arange(120, dtype="i4"), ["time"], **T)
        put(e, "member", np.arange(5, dtype="i4"), ["member"], standard_name="realization", units="1")
        put(e, "discharge", (base + r.normal(0, 150, (5, 120))).astype("f4"), ["member", "time"], **Q)
    def clean(p): C5.ens(C5.build(p)); zarr.consolidate_metadata(str(p))
    def fault(p):
        bad = lambda k: k.startswith("ensemble") or k.startswith("simulation/ensemble")
        r = rd(p / "zarr.json"); m = r["consolidated_metadata"]["metadata"]
        inner = {k[len("simulation/"):]: v for k, v in m.items() if k.startswith("simulation/") and not bad(k)}
        s = rd(p / "simulation/zarr.json"); s["consolidated_metadata"] = dict(kind="inline", must_understand=False, metadata=inner); wr(p / "simulation/zarr.json", s)
        r["consolidated_metadata"]["metadata"] = {k: v for k, v in m.items() if not bad(k)}; wr(p / "zarr.json", r)
    def check(c, f):
        a, b = zarr.open_consolidated(str(c)), zarr.open_consolidated(str(f))
        assert "ensemble" in a["simulation"] and "ensemble" not in b["simulation"]
        assert zarr.open_array(str(f / "simulation/ensemble/discharge"), mode="r").shape == (5, 120)
        xr.open_zarr(str(c), group="simulation/ensemble", consolidated=False).load()


@case(6, "zmetadata-renamed", "TGSAI/mdio-python#43",
      "With the dimension separator '/' the FSStore replaced the dot in '.zmetadata': the consolidated metadata lies in a file 'zmetadata', readers look for '.zmetadata' and fail.",
      "The consolidated metadata is stored under the wrong name: the root has a file zmetadata (no leading dot) and no .zmetadata.", "zmetadata|consolidated")
class C6:
    def clean(p):
        r = rng(6); g = zarr.open_group(str(p), mode="w", zarr_format=2)
        g.attrs.update(api_version="0.1.2", created="2022-09-01 08:12:44.123456+00:00", name="teapot", dimension=[dict(name="inline", coords=list(range(1, 33))), dict(name="crossline", coords=list(range(1, 25))), dict(name="sample", coords=list(range(0, 100, 2)))], trace_count=768, mean=0.0, std=1.0, min=-4.1, max=4.1, rms=1.0)
        s = smooth(r, (32, 24, 50), 1).astype("f4"); d, m = g.create_group("data"), g.create_group("metadata")
        g.attrs.update(mean=float(s.mean()), std=float(s.std()), min=float(s.min()), max=float(s.max()), rms=float(np.sqrt((s.astype("f8") ** 2).mean())))
        def put(gr, n, v, ch, dims, fv=0):
            a = gr.create_array(n, shape=v.shape, dtype=v.dtype, chunks=ch, fill_value=fv, chunk_key_encoding=dict(name="v2", separator="/"), compressors=numcodecs.Blosc("zstd"))
            a[...] = v; a.attrs["_ARRAY_DIMENSIONS"] = dims
        put(d, "chunked_012", s, (16, 12, 50), ["inline", "crossline", "sample"])
        put(m, "live_mask", np.ones((32, 24), bool), (32, 24), ["inline", "crossline"], False)
        put(m, "cdp_x", np.broadcast_to(788937 + 33. * np.arange(24, dtype="f8"), (32, 24)).copy(), (32, 24), ["inline", "crossline"])
        put(m, "cdp_y", np.broadcast_to((938845 + 33. * np.arange(32, dtype="f8"))[:, None], (32, 24)).copy(), (32, 24), ["inline", "crossline"])
        zm2(p)
    def fault(p): os.rename(p / ".zmetadata", p / "zmetadata")
    def check(c, f):
        a = zarr.open_consolidated(str(c), zarr_format=2)["data/chunked_012"][:]
        assert np.isfinite(a).all() and a.std() > .9
        assert (c / "data/chunked_012/0/0/0").exists()
        raises(lambda: zarr.open_consolidated(str(f), zarr_format=2))


@case(7, "anemoi-dates-longer", "ecmwf/anemoi-datasets#753",
      "Missing dates were skipped when the data were written instead of being left as NaN: data has 38 rows, dates has 40, all rows after the first missing date are shifted.",
      "data has 38 rows along time while dates has 40 (the two missing_dates were left out of data): the lengths do not agree, rows are shifted against their dates.", "data|dates|38")
class C7:
    MISS = (11, 27)
    def make(p, skip):
        r = rng(7); N = 40; var = ["2t", "10u", "10v", "msl"]; n = 96
        lat = np.repeat(np.linspace(52.5, 55, 8), 12); lon = np.tile(np.linspace(5.5, 11, 12), 8)
        f = smooth(r, (N, 4, 8, 12), 1.5).reshape(N, 4, 1, n)
        d = (f * np.array([4, 3, 3, 600.])[None, :, None, None] + np.array([281, 2, 1, 101300.])[None, :, None, None]).astype("f4")
        ok = [i for i in range(N) if i not in C7.MISS]; dd = d.copy(); dd[list(C7.MISS)] = np.nan
        t = np.datetime64("2021-03-01T00", "s") + np.arange(N) * np.timedelta64(6 * 3600, "s")
        g = zarr.open_group(str(p), mode="w", zarr_format=2)
        g.attrs.update(description="DWD ICON regional analysis", attribution="DWD", licence="CC-BY-4.0", variables=var, start_date=str(t[0]), end_date=str(t[-1]), frequency="6h",
                       missing_dates=[str(t[i]) for i in C7.MISS], resolution="o96", ensemble_dimension=1, flatten_grid=True, field_shape=[8, 12], dtype="float32", statistics_start_date=str(t[0]), statistics_end_date=str(t[-1]), version="0.30", shape=[N, 4, 1, n])
        s = d[ok].astype("f8"); ax = (0, 2, 3)
        st = dict(mean=s.mean(ax), stdev=s.std(ax), minimum=s.min(ax), maximum=s.max(ax), sums=s.sum(ax), squares=(s ** 2).sum(ax), count=np.full(4, s.size // 4, "i8"), has_nans=np.zeros(4, bool))
        def put(k, v, dims, ch=None):
            a = g.create_array(k, shape=v.shape, dtype=v.dtype, chunks=ch or v.shape, fill_value=None if v.dtype.kind != "f" else np.nan); a[...] = v; a.attrs["_ARRAY_DIMENSIONS"] = dims
        put("data", d[ok] if skip else dd, ["time", "variable", "ensemble", "cell"], (1, 4, 1, n))
        put("dates", t, ["time"]); put("latitudes", lat, ["cell"]); put("longitudes", lon, ["cell"])
        for k, v in st.items(): put(k, v, ["variable"])
    def clean(p): C7.make(p, False)
    def fault(p):
        shutil.rmtree(p); C7.make(p, True)
    def check(c, f):
        a, b = zarr.open_group(str(c), mode="r"), zarr.open_group(str(f), mode="r")
        x = a["data"][:]; assert x.shape[0] == 40 == a["dates"].shape[0]
        assert list(np.flatnonzero(np.isnan(x).all((1, 2, 3)))) == list(C7.MISS) and np.isfinite(x[[0, 39]]).all()
        assert b["data"].shape[0] == 38 and b["dates"].shape[0] == 40 and rd(c / ".zattrs") == rd(f / ".zattrs")
        xr.open_zarr(str(c), consolidated=False); raises(lambda: xr.open_zarr(str(f), consolidated=False))


@case(8, "cordex-celsius-as-kelvin", "euro-cordex/py-cordex#17",
      "All ALADIN53 data carry tas in degrees Celsius although units says K.", "tas: units is K but the values (about -15 to 30) are degrees Celsius.", "tas|unit")
class C8:
    def clean(p):
        from pyproj import CRS, Transformer
        r = rng(8); x = np.arange(24) * 12500. ; y = np.arange(20) * 12500.
        gm = dict(grid_mapping_name="lambert_conformal_conic", standard_parallel=49.5, longitude_of_central_meridian=10.5, latitude_of_projection_origin=49.5, false_easting=150000., false_northing=125000., earth_radius=6371229.)
        lon, lat = Transformer.from_crs(CRS.from_cf(gm), CRS.from_proj4("+proj=longlat +R=6371229"), always_xy=True).transform(*np.meshgrid(x, y))
        e = (pd.date_range("2000-01-01", periods=25, freq="MS") - pd.Timestamp("1949-12-01")).days.values.astype("f8")
        tv = xr.Variable("time", (e[:-1] + e[1:]) / 2, {**TIME, "units": "days since 1949-12-01 00:00:00", "calendar": "standard", "bounds": "time_bnds"})
        tas = 281.5 + 11 * np.sin(2 * np.pi * (np.arange(24) - 3.5) / 12)[:, None, None] + 2.5 * smooth(r, (24, 20, 24)) - 0.4 * (lat - 49.5)
        ds = xr.Dataset({"tas": (("time", "y", "x"), tas.astype("f4"), dict(standard_name="air_temperature", long_name="Near-Surface Air Temperature", units="K", cell_methods="time: mean", grid_mapping="Lambert_Conformal")),
                         "time_bnds": (("time", "bnds"), np.stack([e[:-1], e[1:]], 1)), "Lambert_Conformal": ((), np.int32(0), gm)},
                        {"time": tv, "x": c1("x", x, dict(standard_name="projection_x_coordinate", units="m", axis="X")), "y": c1("y", y, dict(standard_name="projection_y_coordinate", units="m", axis="Y")),
                         "lon": c1(("y", "x"), lon, L2(LON)), "lat": c1(("y", "x"), lat, L2(LAT)), "height": ((), 2.0, dict(standard_name="height", units="m", positive="up", axis="Z", long_name="height"))},
                        dict(Conventions="CF-1.6", project_id="CORDEX", CORDEX_domain="EUR-11", driving_model_id="ECMWF-ERAINT", model_id="CNRM-ALADIN53", experiment_id="evaluation", frequency="mon", institution="Centre National de Recherches Meteorologiques"))
        w(ds, p, enc={"tas": dict(_FillValue=np.float32(1e20))}, chunks={"time": 12})
    def fault(p):
        z = zarr.open_group(str(p), mode="r+", use_consolidated=False)["tas"]; z[:] = (z[:] - 273.15).astype("f4")
    def check(c, f):
        a, b = op(c), op(f); finite(a)
        assert 255 < a.tas.min() and a.tas.max() < 315 and b.tas.units == "K" and b.tas.max() < 50
        assert set(a.tas.coords) >= {"lon", "lat", "height"}


@case(9, "hrrr-lambert-wrong-key", "Unidata/MetPy#2940",
      "The Lambert grid mapping has longitude_of_projection_origin instead of longitude_of_central_meridian; the projection reads with central meridian 0 and x/y do not fit longitude/latitude.",
      "The grid mapping variable lambert_conformal lacks longitude_of_central_meridian (it has longitude_of_projection_origin, which is no parameter of lambert_conformal_conic).",
      "lambert|longitude_of_central_meridian")
class C9:
    GM = dict(grid_mapping_name="lambert_conformal_conic", standard_parallel=38.5, longitude_of_central_meridian=262.5, latitude_of_projection_origin=38.5, false_easting=0.0, false_northing=0.0, earth_radius=6371229.0)
    def clean(p):
        from pyproj import CRS, Transformer
        r = rng(9); x = -300000 + 15000. * np.arange(36); y = -200000 + 15000. * np.arange(28)
        lon, lat = Transformer.from_crs(CRS.from_cf(C9.GM), CRS.from_proj4("+proj=longlat +R=6371229"), always_xy=True).transform(*np.meshgrid(x, y))
        d = ("time", "y", "x"); at = dict(grid_mapping="lambert_conformal")
        ds = xr.Dataset({"cape": (d, (600 * np.exp(.6 * smooth(r, (6, 28, 36)))).astype("f4"), dict(long_name="Convective available potential energy", standard_name="atmosphere_convective_available_potential_energy", units="J kg-1", **at)),
                         "t2m": (d, (287 + 4 * smooth(r, (6, 28, 36))).astype("f4"), dict(long_name="2 metre temperature", standard_name="air_temperature", units="K", **at)),
                         "lambert_conformal": ((), np.int32(0), dict(C9.GM))},
                        {"time": times("2023-03-03", 6, "h", "hours since 2023-03-03 00:00:00"), "x": c1("x", x, dict(standard_name="projection_x_coordinate", units="m", axis="X")), "y": c1("y", y, dict(standard_name="projection_y_coordinate", units="m", axis="Y")),
                         "longitude": c1(("y", "x"), lon, L2(LON)), "latitude": c1(("y", "x"), lat, L2(LAT))},
                        dict(Conventions="CF-1.8", title="NOAA HRRR surface analysis, CONUS subset", institution="US National Weather Service - NCEP"))
        w(ds, p, 3, chunks={"time": 3})
    def fault(p):
        def fn(a): a["longitude_of_projection_origin"] = a.pop("longitude_of_central_meridian")
        edit(p, "lambert_conformal", fn)
    def check(c, f):
        from pyproj import CRS, Transformer
        a, b = op(c), op(f); finite(a)
        def err(ds):
            crs = CRS.from_cf(ds.lambert_conformal.attrs)
            lo, la = Transformer.from_crs(crs, CRS.from_proj4("+proj=longlat +R=6371229"), always_xy=True).transform(*np.meshgrid(ds.x, ds.y))
            return np.abs((lo - ds.longitude.values + 180) % 360 - 180).max()
        assert err(a) < 1e-6 and err(b) > 90


@case(10, "nwm-time-repeated", "hydroshare/hydroshare#2318",
      "After step 120 the hourly axis repeats: every third hour stands three times (25067880, 25067880, 25067880, 25068060 ...) instead of hourly steps.",
      "time: from index 120 on values are repeated three times and then jump by 180 minutes (duplicates, not strictly increasing).", "time|dupl")
class C10:
    T0 = 25060740
    def clean(p):
        r = rng(10); y = -1500 + 1000. * np.arange(6); x = 1000. * np.arange(8)
        t = xr.Variable("time", C10.T0 + 60 * np.arange(240, dtype="int64"), {**TIME, "units": "minutes since 1970-01-01 00:00:00", "calendar": "standard"})
        d = ("time", "y", "x")
        gm = dict(grid_mapping_name="lambert_conformal_conic", standard_parallel=[30.0, 60.0], longitude_of_central_meridian=-97.0, latitude_of_projection_origin=40.0, false_easting=0.0, false_northing=0.0, earth_radius=6370000.0)
        rr = np.clip(smooth(r, (240, 6, 8), 1.5) - .4, 0, None) * 1.2e-3 + 1e-7
        ds = xr.Dataset({"RAINRATE": (d, rr.astype("f4"), dict(long_name="Surface Precipitation Rate", standard_name="precipitation_flux", units="kg m-2 s-1", grid_mapping="crs")), "crs": ((), np.int32(0), gm),
                         "T2D": (d, (299 + 4 * np.sin(2 * np.pi * np.arange(240) / 24)[:, None, None] + smooth(r, (240, 6, 8), 1.5)).astype("f4"), dict(long_name="2-m Air Temperature", standard_name="air_temperature", units="K", grid_mapping="crs"))},
                        {"time": t, "x": c1("x", x, dict(standard_name="projection_x_coordinate", units="m", axis="X")), "y": c1("y", y, dict(standard_name="projection_y_coordinate", units="m", axis="Y"))},
                        dict(Conventions="CF-1.6", model_initialization_time="2017-08-25_06:00:00", model_configuration="medium_range", title="NWM forcing, medium range, subset"))
        w(ds, p, 3, chunks={"time": 60})
    def fault(p):
        z = zarr.open_group(str(p), mode="r+", use_consolidated=False)["time"]
        i = np.arange(120); z[120:] = C10.T0 + 60 * 119 + 180 * ((i + 1) // 3)
    def check(c, f):
        a, b = op(c), op(f); finite(a)
        assert a.time.to_index().is_unique and (np.diff(a.time.values) == np.timedelta64(1, "h")).all()
        dd = np.diff(b.time.values)[119:].astype("m8[m]").astype(int); assert set(dd) == {0, 180}


def zipdir(src, dst):
    with zipfile.ZipFile(dst, "w", zipfile.ZIP_STORED) as z:
        for q in sorted(Path(src).rglob("*")):
            if q.is_file(): z.writestr(zipfile.ZipInfo(str(q.relative_to(src)), (2024, 10, 7, 0, 0, 0)), q.read_bytes())


@case(11, "era5-zip-hour-missing", "openclimatefix-archives/ocf-meta-repo#7",
      "One of the hourly timestamps (2016-01-29T23:00) is missing from the zipped ERA5 store: 71 instead of 72 steps.",
      "time: the hourly axis has a gap, the step 2016-01-29T23:00 is missing (two hours between index 46 and 47).", "time|gap")
class C11:
    def make(p, drop):
        r = rng(11); lat = np.linspace(58, 50, 9); lon = np.linspace(-8, 2, 11); d = ("time", "latitude", "longitude")
        ds = xr.Dataset({"t2m": (d, (280 + 2 * np.sin(2 * np.pi * (np.arange(72) - 9) / 24)[:, None, None] + 2 * smooth(r, (72, 9, 11), 2)).astype("f4"), dict(standard_name="air_temperature", long_name="2 metre temperature", units="K")),
                         "u10": (d, (7 + 4 * smooth(r, (72, 9, 11), 2)).astype("f4"), dict(standard_name="eastward_wind", long_name="10 metre U wind component", units="m s-1"))},
                        {"time": times("2016-01-28", 72, "h", "hours since 1900-01-01 00:00:00"), "latitude": c1("latitude", lat, LAT), "longitude": c1("longitude", lon, LON)},
                        dict(Conventions="CF-1.7", title="ERA5 surface, 28-30 January 2016", institution="ECMWF", time_coverage_start="2016-01-28T00:00:00Z", time_coverage_end="2016-01-30T23:00:00Z", time_coverage_resolution="PT1H"))
        if drop:
            tt = ds.time.encoding; ds = ds.isel(time=[i for i in range(72) if i != 47]); ds.time.encoding = tt
        tmp = OUT / "_tmp.zarr"; shutil.rmtree(tmp, ignore_errors=True); w(ds, tmp, chunks={"time": 24})
        Path(p).mkdir(parents=True, exist_ok=True); zipdir(tmp, Path(p) / "store.zip"); shutil.rmtree(tmp)
    def clean(p): C11.make(p, False)
    def fault(p): (Path(p) / "store.zip").unlink(); C11.make(p, True)
    def check(c, f):
        o = lambda q: xr.open_zarr(zarr.storage.ZipStore(str(q / "store.zip"), mode="r"), chunks=None)
        a, b = o(c), o(f); finite(a); assert a.sizes["time"] == 72 and b.sizes["time"] == 71
        assert np.diff(b.time.values).max() == np.timedelta64(2, "h") and np.datetime64("2016-01-29T23") not in b.time.values


@case(12, "cmip6-chunk-of-longer-run", "jbusecke/xMIP#207",
      "time/.zarray says 1032 months in one chunk (8256 bytes), the chunk file holds the 3432 months of the longer run (27456 bytes): 'destination buffer too small; expected at least 27456, got 8256'.",
      "time: its chunk file time/0 decodes to 27456 bytes (3432 values) but the metadata expect 8256 bytes (1032 values).", "time|27456")
class C12:
    def mids(n):
        ml = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]); e = np.concatenate([[0], np.cumsum(np.tile(ml, n // 12))])
        return (e, 60225 + ((e[:-1] + e[1:]) // 2).astype("int64"))
    def clean(p):
        r = rng(12); e, t = C12.mids(1032); lat = np.linspace(-60, 60, 4); lon = np.array([20., 110, 200, 290])
        th = 8 + 12 * np.cos(np.radians(lat))[None, :, None] + 1.5 * np.sin(2 * np.pi * np.arange(1032) / 12)[:, None, None] + .3 * smooth(r, (1032, 4, 4), 1) + .0015 * np.arange(1032)[:, None, None]
        ds = xr.Dataset({"tos": (("time", "lat", "lon"), th.round(2).astype("f4"), dict(standard_name="sea_surface_temperature", long_name="Sea Surface Temperature", units="degC", cell_methods="area: mean where sea time: mean"))},
                        {"time": xr.Variable("time", t, {**TIME, "units": "days since 1850-01-01 00:00:00", "calendar": "noleap"}), "lat": c1("lat", lat, LAT), "lon": c1("lon", lon, LON)},
                        dict(Conventions="CF-1.7 CMIP-6.2", source_id="CanESM5", experiment_id="ssp126", table_id="Omon", variable_id="tos", variant_label="r1i1p1f1", grid_label="gr", institution_id="CCCma", mip_era="CMIP6", frequency="mon"))
        B = numcodecs.Blosc("lz4", 5, 1)
        w(ds, p, enc={"tos": dict(_FillValue=np.float32(1e20), compressors=[B], chunks=(516, 4, 4)), "time": dict(compressors=[B], chunks=(1032,))})
    def fault(p):
        z = rd(p / "time/.zarray"); assert z["shape"] == z["chunks"] == [1032]
        (p / "time/0").write_bytes(numcodecs.get_codec(z["compressor"]).encode(C12.mids(3432)[1].astype(z["dtype"])))
    def check(c, f):
        a = op(c, use_cftime=True); finite(a); assert a.time.values[0].year == 2015 and a.time.values[-1].year == 2100
        raises(lambda: op(f).load())
        z = rd(f / "time/.zarray"); assert len(numcodecs.get_codec(z["compressor"]).decode((f / "time/0").read_bytes())) == 27456


@case(13, "disk-full-empty-zattrs", "MannLabs/scPortrait#300",
      "The disk ran full while the project was loaded: the .zattrs of a label image was left with zero bytes, opening the SpatialData store ends in JSONDecodeError.",
      "labels/seg_all_nucleus/.zattrs is empty (0 bytes), no valid JSON.", "seg_all_nucleus/.zattrs|JSON")
class C13:
    def clean(p):
        r = rng(13); g = zarr.open_group(str(p), mode="w", zarr_format=2); g.attrs["spatialdata_attrs"] = dict(version="0.1", spatialdata_software_version="0.3.0")
        n = 96; lab = np.zeros((n, n), "u4"); yy, xx = np.mgrid[:n, :n]; k = 0
        for cy in range(10, n, 18):
            for cx in range(10, n, 18):
                k += 1; a, b = cy + r.integers(-3, 4), cx + r.integers(-3, 4); lab[(yy - a) ** 2 + (xx - b) ** 2 < r.integers(16, 40)] = k
        img = np.stack([np.clip(400 + 3500 * gf((lab > 0).astype(float), s) + r.normal(0, 40, (n, n)), 0, 65535) for s in (1, 3)]).astype("u2")
        for kind, name, lv in (("images", "input_image", img), ("labels", "seg_all_nucleus", lab)):
            q = g.create_group(kind) ; e = q.create_group(name); isl = kind == "labels"
            if isl: q.attrs["labels"] = [name]
            ax = ([] if isl else [dict(name="c", type="channel")]) + [dict(name=a, type="space", unit="micrometer") for a in "yx"]
            dsets = []
            for s in (0, 1):
                v = lv if s == 0 else (lv[::2, ::2] if isl else lv.reshape(2, n // 2, 2, n // 2, 2).mean((2, 4)).round().astype("u2"))
                a = e.create_array(str(s), shape=v.shape, dtype=v.dtype, chunks=v.shape if isl else (1, *v.shape[1:]), fill_value=0, chunk_key_encoding=dict(name="v2", separator="/")); a[:] = v
                sc = 0.325 * 2 ** s; dsets.append(dict(path=str(s), coordinateTransformations=[dict(type="scale", scale=([] if isl else [1.0]) + [sc, sc])]))
            at = dict(multiscales=[dict(version="0.4", name=name, axes=ax, datasets=dsets)])
            if isl: at["image-label"] = dict(version="0.4", source=dict(image="../../images/input_image"))
            else: at["omero"] = dict(name=name, channels=[dict(label=l, color=c, window=dict(start=0, end=6000, min=0, max=65535), active=True) for l, c in (("DAPI", "0000FF"), ("WGA", "00FF00"))])
            e.attrs.update(at)
    def fault(p): (p / "labels/seg_all_nucleus/.zattrs").write_bytes(b"")
    def check(c, f):
        from ome_zarr_models.v04.image import Image
        from ome_zarr_models.v04.image_label import ImageLabel
        g = zarr.open_group(str(c), mode="r"); Image.from_zarr(g["images/input_image"]); ImageLabel.from_zarr(g["labels/seg_all_nucleus"])
        assert g["labels/seg_all_nucleus/0"][:].max() == 25
        assert "Expecting value" in str(raises(lambda: zarr.open_group(str(f / "labels/seg_all_nucleus"), mode="r", zarr_format=2)))


@case(14, "zero-length-chunk", "earth-mover/icechunk#2328",
      "A chunk of length zero was accepted when it was written; reading it fails.", "analysed_sst: the chunk file c/0/1 is empty (0 bytes) and cannot be decoded.", "c/0/1|empty")
class C14:
    def clean(p):
        r = rng(14); lat = np.arange(20, 44, 1.); lon = np.arange(-80, -40, 1.)
        sst = 301 - .35 * (lat - 20)[:, None] + .8 * smooth(r, (24, 40))
        ds = xr.Dataset({"analysed_sst": (("lat", "lon"), sst.astype("f4"), dict(standard_name="sea_surface_foundation_temperature", long_name="analysed sea surface temperature", units="kelvin"))},
                        {"lat": c1("lat", lat, LAT), "lon": c1("lon", lon, LON)}, dict(Conventions="CF-1.7", title="MUR SST, 2020-06-01, subset", time_coverage_start="2020-06-01T09:00:00Z"))
        w(ds, p, 3, chunks={"lat": 12, "lon": 20})
    def fault(p): (p / "analysed_sst/c/0/1").write_bytes(b"")
    def check(c, f):
        finite(op(c)); b = op(f); raises(lambda: b.analysed_sst[:, 20:].load()); b.analysed_sst[:, :20].load()


@case(15, "append-race-zero-rows", "zarr-developers/zarr-python#1414",
      "Rows were appended with resize and dask store; two dask blocks wrote into the same zarr chunk at the same time, the rows 210 to 229 of the one were lost and are 0.",
      "prices: rows 210 to 229 (part of one chunk in the appended region) are exactly 0, the fill value, for all tickers: a lost write.", "prices|210")
class C15:
    def clean(p):
        r = rng(15); n, k = 240, 8; tick = np.array(["AAPL", "AMZN", "BAC", "GE", "IBM", "JPM", "KO", "XOM"])
        pr = np.array([172, 102, 29, 95, 125, 138, 63, 109.]) * np.exp(np.cumsum(r.normal(2e-4, .012, (n, k)), 0))
        day = (np.busday_offset("2022-05-02", np.arange(n)) - np.datetime64("1970-01-01")).astype("int64")
        g = zarr.open_group(str(p), mode="w", zarr_format=2); g.attrs["title"] = "Adjusted daily closing prices"
        def put(nm, v, ch, dims, fv, **at):
            a = g.create_array(nm, shape=v.shape, dtype=v.dtype, chunks=ch, fill_value=fv); a[:] = v; a.attrs.update({"_ARRAY_DIMENSIONS": dims, **at})
        put("prices", pr.astype("f4"), (30, k), ["index", "columns"], 0.0, units="USD", long_name="adjusted closing price")
        put("index", day, (n,), ["index"], None, units="days since 1970-01-01", calendar="proleptic_gregorian", standard_name="time")
        put("columns", tick, (k,), ["columns"], None, long_name="ticker")
        zarr.consolidate_metadata(str(p), zarr_format=2)
    def fault(p): zarr.open_group(str(p), mode="r+", use_consolidated=False)["prices"][210:230] = 0
    def check(c, f):
        a, b = zarr.open_group(str(c), mode="r")["prices"][:], zarr.open_group(str(f), mode="r")["prices"][:]
        assert (a > 1).all() and (b[210:230] == 0).all() and np.array_equal(np.delete(a, range(210, 230), 0), np.delete(b, range(210, 230), 0)); op(c).load()


@case(16, "roms-coordinates-lost", "xpublish-community/xpublish#175",
      "The served store of a ROMS forecast has no coordinates attribute on its variables: lat_rho and lon_rho are no longer associated with temp and salt.",
      "temp and salt have no coordinates attribute naming lat_rho and lon_rho (2-D latitude/longitude in the store are not associated).", "temp|coordinates")
class C16:
    def clean(p):
        r = rng(16); T, S, E, X = 4, 6, 22, 16
        h = 6 + 14 * np.exp(smooth(r, (E, X)) * .4); lon = -75.6 + .03 * np.arange(X)[None, :] + .004 * np.arange(E)[:, None]; lat = 38.6 + .05 * np.arange(E)[:, None] + .003 * np.arange(X)[None, :]
        s = (np.arange(S) + .5) / S - 1; ot = xr.Variable("ocean_time", pd.date_range("2023-04-03T06", periods=T, freq="h"), dict(TIME, field="time, scalar, series")); ot.encoding = dict(units="seconds since 2016-01-01 00:00:00", calendar="proleptic_gregorian", dtype="int64")
        d = ("ocean_time", "s_rho", "eta_rho", "xi_rho")
        ds = xr.Dataset({"temp": (d, (11 + 2 * s[None, :, None, None] * -1 + 1.2 * smooth(r, (T, S, E, X))).astype("f4"), dict(standard_name="sea_water_potential_temperature", long_name="potential temperature", units="degree_Celsius")),
                         "salt": (d, (24 - 3 * s[None, :, None, None] + 2 * smooth(r, (T, S, E, X))).astype("f4"), dict(standard_name="sea_water_practical_salinity", long_name="salinity", units="1")),
                         "zeta": (("ocean_time", "eta_rho", "xi_rho"), (.3 * smooth(r, (T, E, X))).astype("f4"), dict(standard_name="sea_surface_height_above_geopotential_datum", long_name="free-surface", units="m")),
                         "h": (("eta_rho", "xi_rho"), h, dict(long_name="bathymetry at RHO-points", standard_name="sea_floor_depth_below_geoid", units="m")),
                         "Cs_r": ("s_rho", -np.abs(s) ** 1.6, dict(long_name="S-coordinate stretching curves at RHO-points", units="1")), "hc": ((), 5.0, dict(long_name="S-coordinate parameter, critical depth", units="m"))},
                        {"ocean_time": ot, "s_rho": c1("s_rho", s, dict(long_name="S-coordinate at RHO-points", standard_name="ocean_s_coordinate_g2", units="1", positive="up", axis="Z", formula_terms="s: s_rho C: Cs_r eta: zeta depth: h depth_c: hc")),
                         "lat_rho": c1(("eta_rho", "xi_rho"), lat, L2(LAT)), "lon_rho": c1(("eta_rho", "xi_rho"), lon, L2(LON))},
                        dict(Conventions="CF-1.4", title="DBOFS nowcast/forecast, Delaware Bay", type="ROMS/TOMS history file"))
        w(ds, p, chunks={"ocean_time": 1})
    def fault(p):
        for v in ("temp", "salt", "zeta", "h"): edit(p, v, lambda a: a.pop("coordinates"))
        m = rd(p / ".zattrs"); assert "coordinates" not in m
    def check(c, f):
        a, b = op(c), op(f); finite(a)
        assert {"lat_rho", "lon_rho"} <= set(a.temp.coords) and not {"lat_rho", "lon_rho"} & set(b.temp.coords) and "lat_rho" in b.data_vars


@case(17, "footprint-half-length", "openghg/openghg#908",
      "Appending in a loop left one variable behind: fp_HiTRes has 120 time steps while time and the other variables have 240; the store cannot be opened (conflicting sizes for dimension 'time').",
      "fp_HiTRes: its dimension time has length 120, time and all other variables have 240.", "fp_HiTRes|120")
class C17:
    def clean(p):
        r = rng(17); T, A, O, H = 240, 6, 8, 4
        fp = np.exp(1.2 * smooth(r, (T, A, O), 1.3)) * 2e-3; hi = np.exp(smooth(r, (T, A, O * H), 1.3)).reshape(T, A, O, H) * 5e-4
        hi = hi.astype("f4").view("u4") & 0xFFFF8000; fp = fp.astype("f4").view("u4") & 0xFFFF8000
        d = ("time", "lat", "lon")
        ds = xr.Dataset({"fp": (d, fp.view("f4"), dict(long_name="mean_age_footprint", units="m2 s mol-1")), "fp_HiTRes": ((*d, "H_back"), hi.view("f4"), dict(long_name="time resolved footprint", units="m2 s mol-1")),
                         "PBLH": ("time", (600 + 350 * np.sin(2 * np.pi * (np.arange(T) - 8) / 24) + r.normal(0, 30, T)).astype("f4"), dict(standard_name="atmosphere_boundary_layer_thickness", long_name="boundary layer height", units="m"))},
                        {"time": times("2015-01-01", T, "h", "hours since 2015-01-01 00:00:00"), "lat": c1("lat", 50 + .7 * np.arange(A), LAT, "f4"), "lon": c1("lon", -4 + .9 * np.arange(O), LON, "f4"), "H_back": c1("H_back", np.arange(H), dict(long_name="hours back from release", units="h"), "i4")},
                        dict(Conventions="CF-1.8", site="BSD", model="NAME", domain="EUROPE", inlet="250m", species="co2", title="NAME footprints, Bilsdale"))
        w(ds, p, chunks={"time": 60})
    def fault(p):
        edit(p, "fp_HiTRes", lambda z: z.update(shape=[120, *z["shape"][1:]]), ".zarray")
        for q in (p / "fp_HiTRes").glob("[23].*"): q.unlink()
    def check(c, f):
        finite(op(c)); assert "conflicting sizes" in str(raises(lambda: op(f), ValueError))
        assert zarr.open_array(str(f / "fp_HiTRes"), mode="r")[:].shape[0] == 120


@case(18, "calendar-360-for-noleap", "PCMDI/cmor#800",
      "The time axis holds noleap days (31, 28, 31 ... day months in the bounds) but the calendar attribute says 360_day; dates drift through the year.",
      "time: calendar is 360_day but values and time_bnds are months of a 365-day (noleap) calendar.", "time|calendar")
class C18:
    def clean(p):
        r = rng(18); ml = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]); e = np.concatenate([[0], np.cumsum(np.tile(ml, 4))]).astype("f8")
        lat = np.linspace(-75, 75, 11); lon = np.arange(15, 360, 30.); n = 48
        so = 34.6 + .5 * np.cos(np.radians(2 * lat))[None, :, None] + .4 * smooth(r, (n, 11, 12), 1.5)
        bl = np.stack([lat - 7.5, lat + 7.5], 1); bo = np.stack([lon - 15, lon + 15], 1)
        ds = xr.Dataset({"sos": (("time", "lat", "lon"), so.astype("f4"), dict(standard_name="sea_surface_salinity", long_name="Sea Surface Salinity", units="0.001", cell_methods="area: mean where sea time: mean")),
                         "time_bnds": (("time", "bnds"), np.stack([e[:-1], e[1:]], 1)), "lat_bnds": (("lat", "bnds"), bl), "lon_bnds": (("lon", "bnds"), bo)},
                        {"time": xr.Variable("time", (e[:-1] + e[1:]) / 2, {**TIME, "units": "days since 1850-01-01", "calendar": "noleap", "bounds": "time_bnds"}), "lat": c1("lat", lat, {**LAT, "bounds": "lat_bnds"}), "lon": c1("lon", lon, {**LON, "bounds": "lon_bnds"})},
                        dict(Conventions="CF-1.11 CMIP-6.2", table_id="Omon", variable_id="sos", grid_label="gr", source_id="GFDL-ESM4", experiment_id="piControl", frequency="mon", mip_era="CMIP6"))
        w(ds, p, 3, enc={"sos": dict(_FillValue=np.float32(1e20))}, chunks={"time": 12})
    def fault(p): edit(p, "time", lambda a: a.update(calendar="360_day"))
    def check(c, f):
        a, b = op(c, use_cftime=True), op(f, use_cftime=True); finite(a.drop_vars("time_bnds"))
        assert all(t.day in (14, 15, 16) for t in a.time.values) and a.time_bnds.values[12, 0].month == 1 and b.time.values[11].day > 18 and b.time.values[-1].year == 1854


@case(19, "time-bounds-stacked", "PCMDI/input4MIPs_CVs#123",
      "The time bounds were stacked wrongly: row 0 is 850-851, row 1 852-853, row 2 854-855 and so on, and in the middle they start again; the time values are right.",
      "time_bnds: the bounds do not enclose the time values from row 1 on (gaps, and they restart in the middle).", "time_bnds|outside")
class C19:
    def clean(p):
        r = rng(19); n = 40; e = 365. * np.arange(n + 1); lat = np.linspace(87.5, -87.5, 12); lon = np.arange(-165, 180, 30.)
        f = np.clip(.12 + .1 * smooth(r, (n, 12, 12), 1.5) + .0015 * np.arange(n)[:, None, None], 0.001, 1)
        ds = xr.Dataset({"c3ann": (("time", "lat", "lon"), f.astype("f4"), dict(standard_name="area_fraction", long_name="C3 annual crops", units="1", cell_methods="time: mean")), "time_bnds": (("time", "bnds"), np.stack([e[:-1], e[1:]], 1))},
                        {"time": xr.Variable("time", e[:-1] + 182.5, {**TIME, "units": "days since 0850-01-01 00:00:00", "calendar": "noleap", "bounds": "time_bnds"}), "lat": c1("lat", lat, LAT), "lon": c1("lon", lon, LON)},
                        dict(Conventions="CF-1.6", mip_era="CMIP6Plus", source_id="UofMD-landState-3-0", title="Land-use harmonization LUH3, states", frequency="yr", institution_id="UofMD"))
        w(ds, p, 3, chunks={"time": 10})
    def fault(p):
        zarr.open_group(str(p), mode="r+", use_consolidated=False)["time_bnds"][:] = np.tile((365. * np.arange(40)).reshape(-1, 2), (2, 1))
    def check(c, f):
        a, b = op(c, decode_times=False), op(f, decode_times=False); finite(a); op(c, use_cftime=True)
        ins = lambda d: ((d.time_bnds[:, 0] <= d.time) & (d.time <= d.time_bnds[:, 1])).values
        assert ins(a).all() and ins(b).sum() == 1


@case(20, "mom6-missing-averaged", "mom-ocean/MOM6#638",
      "Remapped diagnostics averaged the missing_value 1e20 together with data: cells below level 5 hold 1e20/30 = 3.33e18 and are not masked.",
      "thetao: some cells at depth hold 3.33e18 (missing_value divided by the number of days), far outside any temperature and not equal to _FillValue.", "thetao|3.33")
class C20:
    def clean(p):
        r = rng(20); z = np.array([5, 15, 40, 90, 200, 450, 900, 1800.]); Y, X, T = 16, 20, 6
        th = 2 + 24 * np.cos(np.radians(np.linspace(-60, 60, Y)))[None, None, :, None] ** 2 * np.exp(-z / 300)[None, :, None, None] + .6 * smooth(r, (T, 8, Y, X)); depth = np.clip(200 + 2200 * (smooth(r, (Y, X)) + 2.5) / 4, 60, None)
        th = np.where((z[:, None, None] < depth)[None], th, np.nan)
        tv = xr.Variable("time", 15. + 30 * np.arange(T), {**TIME, "units": "days since 1958-01-01 00:00:00", "calendar": "julian", "bounds": "time_bnds"})
        ds = xr.Dataset({"thetao": (("time", "z_l", "yh", "xh"), th.astype("f4"), dict(standard_name="sea_water_potential_temperature", long_name="Sea Water Potential Temperature", units="degC", cell_methods="area: mean z_l: mean time: mean")),
                         "time_bnds": (("time", "nv"), np.stack([30. * np.arange(T), 30. * np.arange(1, T + 1)], 1))},
                        {"time": tv, "z_l": c1("z_l", z, dict(long_name="Depth at cell center", standard_name="depth", units="m", positive="down", axis="Z")), "yh": c1("yh", np.linspace(-60, 60, Y), {**LAT, "long_name": "h point nominal latitude"}), "xh": c1("xh", np.arange(-290, -290 + 18 * X, 18.)[:X], {**LON, "long_name": "h point nominal longitude"})},
                        dict(Conventions="CF-1.6", title="OM4 ocean_monthly_z", grid_type="regular"))
        w(ds, p, enc={"thetao": dict(_FillValue=np.float32(1e20), missing_value=np.float32(1e20))}, chunks={"time": 1})
    def fault(p):
        z = zarr.open_group(str(p), mode="r+", use_consolidated=False)["thetao"]; a = z[:]; r = rng(920)
        ok = np.argwhere(a[:, 5:] < 1e19); ok[:, 1] += 5
        for i in ok[r.choice(len(ok), 60, replace=False)]: a[tuple(i)] = np.float32(1e20 / 30)
        z[:] = a
    def check(c, f):
        a, b = op(c, use_cftime=True).thetao.values, op(f, use_cftime=True).thetao.values
        assert np.nanmax(a) < 30 and .02 < np.isnan(a).mean() < .5 and np.isclose(np.nanmax(b), 1e20 / 30) and (b > 1e10).sum() == 60
        assert np.isfinite(op(c, use_cftime=True).thetao.isel(z_l=0)).all()


@case(21, "glider-valid-range-strings", "OceanGlidersCommunity/OG-format-user-manual#35",
      "LATITUDE and LONGITUDE have valid_min/valid_max as strings ('90', '-90') while the data are numbers.", "LATITUDE (and LONGITUDE): valid_min/valid_max are strings instead of numbers of the type of the data.", "LATITUDE|valid_m")
class C21:
    def clean(p):
        r = rng(21); n = 600; k = np.arange(n); dep = np.abs(((k % 100) / 50.) - 1) * -1 + 1; dep = 2 + 480 * (1 - np.abs((k % 100) / 50. - 1))
        t = xr.Variable("N_MEASUREMENTS", 1575568620 + 30. * k, dict(standard_name="time", long_name="time of measurement", units="seconds since 1970-01-01T00:00:00Z", calendar="gregorian", axis="T"))
        q = dict(long_name="quality flag", flag_values=[0, 1, 4, 9], flag_meanings="not_evaluated good bad missing")
        m = "N_MEASUREMENTS"
        ds = xr.Dataset({"TEMP": (m, (17 - 9 * (1 - np.exp(-dep / 120)) + r.normal(0, .03, n)).astype("f4"), dict(standard_name="sea_water_temperature", long_name="sea water temperature", units="degree_Celsius", valid_min=-2.5, valid_max=40.0, ancillary_variables="TEMP_QC")),
                         "TEMP_QC": (m, np.ones(n, "i1"), q),
                         "PSAL": (m, (33.4 + .8 * (1 - np.exp(-dep / 150)) + r.normal(0, .01, n)).astype("f4"), dict(standard_name="sea_water_practical_salinity", long_name="practical salinity", units="1", valid_min=2.0, valid_max=41.0))},
                        {"TIME": t, "LATITUDE": (m, 36.2 + 1.2e-4 * k, {**LAT, "long_name": "latitude of each measurement", "valid_min": -90.0, "valid_max": 90.0}), "LONGITUDE": (m, -122.4 - 1.6e-4 * k, {**LON, "long_name": "longitude of each measurement", "valid_min": -180.0, "valid_max": 180.0}),
                         "DEPTH": (m, dep, dict(standard_name="depth", long_name="depth below the surface", units="m", positive="down", axis="Z"))},
                        dict(Conventions="CF-1.8", featureType="trajectory", title="Spray glider SP041, OceanGliders OG1.0", id="sp041-20191205T1757", institution="Scripps Institution of Oceanography"))
        ds["trajectory"] = ((), np.int32(41), dict(cf_role="trajectory_id", long_name="trajectory number"))
        w(ds, p, 3, enc={v: dict(_FillValue=np.float32(-9999.9)) for v in ("TEMP", "PSAL")} | {"TEMP_QC": dict(_FillValue=np.int8(-128))})
    def fault(p):
        for v in ("LATITUDE", "LONGITUDE"): edit(p, v, lambda a: a.update(valid_min=str(int(a["valid_min"])), valid_max=str(int(a["valid_max"]))))
    def check(c, f):
        a, b = op(c), op(f); finite(a)
        assert a.LATITUDE.attrs["valid_max"] == 90 and b.LATITUDE.attrs["valid_max"] == "90" and a.identical(b) is False and np.array_equal(a.LATITUDE, b.LATITUDE)


@case(22, "radar-sweep-names", "openradar/xradar#239",
      "Sweeps 0, 1, 2, 5 and 7 were taken from a NEXRAD volume; the groups were renumbered sweep_0 ... sweep_4 but sweep_group_name still says sweep_5 and sweep_7.",
      "sweep_group_name lists sweep_5 and sweep_7, which are no groups of the store (it has sweep_3 and sweep_4).", "sweep_group_name|sweep_5")
class C22:
    def make(p, names):
        r = rng(22); ang = np.array([.48, .88, 1.32, 3.1, 6.4]); t0 = "2013-07-17T19:50:21Z"
        root = xr.Dataset({"volume_number": ((), np.int32(0), dict(long_name="volume number")), "platform_type": ((), np.array("fixed")), "instrument_type": ((), np.array("radar")),
                           "time_coverage_start": ((), np.array(t0)), "time_coverage_end": ((), np.array("2013-07-17T19:54:45Z")),
                           "latitude": ((), 48.1946, L2(LAT)), "longitude": ((), -122.4957, L2(LON)), "altitude": ((), 195.0, dict(standard_name="altitude", long_name="altitude", units="m", positive="up")),
                           "sweep_group_name": ("sweep", np.array(names), dict(long_name="name of the group of each sweep")), "sweep_fixed_angle": ("sweep", ang.astype("f4"), dict(long_name="target angle of each sweep", units="degrees"))},
                          attrs=dict(Conventions="CF/Radial-2.0", instrument_name="KATX", version="2.0", title="NEXRAD level 2, KATX", institution="NOAA", references="", source="", history="", comment=""))
        d = {"/": root}
        for i, a in enumerate(ang):
            na, nr = 60, 50; z = 12 + 14 * smooth(r, (na, nr), 3)
            t = xr.Variable("azimuth", pd.Timestamp(t0[:-1]) + pd.to_timedelta(50 * i + np.arange(na) * .25, unit="s"), dict(standard_name="time")); t.encoding = dict(units="milliseconds since 2013-07-17 00:00:00", calendar="proleptic_gregorian", dtype="int64")
            d[f"/sweep_{i}"] = xr.Dataset({"DBZH": (("azimuth", "range"), (z * 2).round() / 2, dict(standard_name="radar_equivalent_reflectivity_factor_h", long_name="Equivalent reflectivity factor H", units="dBZ")),
                                           "sweep_number": ((), np.int32(i), dict(long_name="sweep number")), "sweep_mode": ((), np.array("azimuth_surveillance")), "sweep_fixed_angle": ((), np.float32(a), dict(units="degrees", long_name="target angle"))},
                                          {"azimuth": c1("azimuth", 3 + 6. * np.arange(na), dict(standard_name="ray_azimuth_angle", long_name="azimuth angle from true north", units="degrees", axis="radial_azimuth_coordinate")),
                                           "range": c1("range", 1000 + 2000. * np.arange(nr), dict(standard_name="projection_range_coordinate", long_name="range to measurement volume", units="meters", axis="radial_range_coordinate", meters_between_gates=2000.0, meters_to_center_of_first_gate=1000.0)),
                                           "elevation": c1("azimuth", a + r.normal(0, .01, na), dict(standard_name="ray_elevation_angle", long_name="elevation angle", units="degrees", axis="radial_elevation_coordinate")), "time": t})
        xr.DataTree.from_dict(d).to_zarr(p, zarr_format=2, consolidated=True, mode="w", encoding={f"/sweep_{i}": {"DBZH": dict(dtype="int16", scale_factor=.5, add_offset=0., _FillValue=-32768), **{k: dict(_FillValue=None) for k in ("azimuth", "range", "elevation")}} for i in range(5)})
        zm2(p)
    def clean(p): C22.make(p, [f"sweep_{i}" for i in range(5)])
    def fault(p): shutil.rmtree(p); C22.make(p, ["sweep_0", "sweep_1", "sweep_2", "sweep_5", "sweep_7"])
    def check(c, f):
        a, b = xr.open_datatree(str(c), engine="zarr", chunks=None), xr.open_datatree(str(f), engine="zarr", chunks=None)
        assert [str(s) for s in a.sweep_group_name.values] == list(a.children) and np.isfinite(a["sweep_3/DBZH"]).all()
        assert [str(s) for s in b.sweep_group_name.values if str(s) not in b.children] == ["sweep_5", "sweep_7"]


@case(23, "int16-overflow", "ArcticSnow/TopoPyScale#60",
      "Data of several ERA5 files were saved with the packing (int16, scale_factor, add_offset) of the first, cold file; the warmer values do not fit and wrap around: the output is noise, incoherent in time.",
      "t2m: the packed int16 values overflow (wrap around) from about the middle of the series on: decoded temperatures jump between the two ends of the range; scale_factor/add_offset do not cover the data.", "t2m|int16")
class C23:
    def data():
        r = rng(23); k = np.arange(96)
        return 268 + 14 * (1 - np.cos(np.pi * k / 95))[:, None, None] / 2 + 3 * np.sin(2 * np.pi * k / 8)[:, None, None] + 1.5 * smooth(r, (96, 7, 9), 2)
    def make(p, pack):
        x = C23.data()
        ds = xr.Dataset({"t2m": (("time", "latitude", "longitude"), x, dict(standard_name="air_temperature", long_name="2 metre temperature", units="K"))},
                        {"time": times("2020-02-20", 96, "3h", "hours since 1900-01-01 00:00:00"), "latitude": c1("latitude", 47.5 - .25 * np.arange(7), LAT), "longitude": c1("longitude", 9 + .25 * np.arange(9), LON)}, dict(Conventions="CF-1.6", title="ERA5 forcing for downscaling, Davos"))
        w(ds, p, enc={"t2m": dict(dtype="int16", _FillValue=-32767, **pack)}, chunks={"time": 24})
    def clean(p):
        x = C23.data(); C23.make(p, dict(scale_factor=float(np.ptp(x) / 65000), add_offset=float((x.max() + x.min()) / 2)))
    def fault(p):
        x = C23.data(); f = x[:24]; sc, of = float(np.ptp(f) / 65530), float((f.max() + f.min()) / 2)
        q = np.round((x - of) / sc).astype("int64"); q = ((q + 32768) % 65536 - 32768).astype("int16"); q[q == -32767] = -32766
        zarr.open_group(str(p), mode="r+", use_consolidated=False)["t2m"][:] = q
        edit(p, "t2m", lambda a: a.update(scale_factor=sc, add_offset=of))
    def check(c, f):
        x, a, b = C23.data(), op(c).t2m.values, op(f).t2m.values
        assert np.abs(a - x).max() < .01 and np.isfinite(b).all() and np.abs(b[:24] - x[:24]).max() < .01 and (np.abs(b - x) > 5).mean() > .2


@case(24, "sentinel2-offset-twice", "gjoseph92/stackstac#241",
      "The digital numbers already have the processing-baseline offset applied (earthsearch:boa_offset_applied true), but add_offset -0.1 is still on the bands: reflectances come out 0.1 too low, dark pixels negative.",
      "blue and nir: add_offset -0.1 is applied although the offset is already in the numbers (boa_offset_applied is true): decoded reflectances are negative over dark pixels.", "blue|offset")
class C24:
    def clean(p):
        r = rng(24); n = 40; x = 600005 + 10. * np.arange(n); y = 5589995 - 10. * np.arange(n)
        f = smooth(r, (4, n, n), 4); f0 = smooth(r, (n, n), 5); water = f0 < -.6
        bl = np.where(water, 260 + 15 * f, 700 + 130 * f); ni = np.where(water, 120 + 10 * f, 3100 + 400 * f)
        from pyproj import CRS
        sr = dict(CRS.from_epsg(32609).to_cf()); sr["spatial_ref"] = sr["crs_wkt"]; sr["GeoTransform"] = "600000.0 10.0 0.0 5590000.0 0.0 -10.0"
        t = xr.Variable("time", pd.to_datetime(["2020-07-01T19:29:11", "2020-07-03T19:19:09", "2020-07-06T19:29:09", "2020-07-11T19:29:11"]), dict(TIME)); t.encoding = dict(units="seconds since 2020-01-01 00:00:00", calendar="proleptic_gregorian", dtype="int64")
        at = lambda l: {"long_name": l, "units": "1"}
        bl, ni = np.clip(bl, 150, None), np.clip(ni, 60, None)
        ds = xr.Dataset({"blue": (("time", "y", "x"), bl / 1e4, at("Blue (band 2) surface reflectance")), "nir": (("time", "y", "x"), ni / 1e4, at("NIR 1 (band 8) surface reflectance"))},
                        {"time": t, "x": c1("x", x, dict(standard_name="projection_x_coordinate", long_name="x coordinate of projection", units="m", axis="X")), "y": c1("y", y, dict(standard_name="projection_y_coordinate", long_name="y coordinate of projection", units="m", axis="Y")), "spatial_ref": ((), np.int64(0), sr)},
                        {"Conventions": "CF-1.8", "collection": "sentinel-2-l2a", "s2:processing_baseline": "05.00", "earthsearch:boa_offset_applied": True, "proj:epsg": 32609})
        e = dict(dtype="uint16", scale_factor=1e-4, add_offset=0.0, _FillValue=0, grid_mapping="spatial_ref")
        w(ds, p, enc={"blue": dict(e), "nir": dict(e)}, chunks={"time": 1})
    def fault(p):
        for v in ("blue", "nir"): edit(p, v, lambda a: a.update(add_offset=-0.1))
    def check(c, f):
        import rioxarray
        a, b = op(c), op(f); finite(a); assert a.rio.crs.to_epsg() == 32609
        assert float(a.blue.min()) > 0 and float(a.nir.min()) > 0 and float(b.nir.min()) < -.05 and np.allclose(a.blue - b.blue, .1)


@case(25, "mirs-extra-missing", "ssec/polar2grid#151",
      "The snowfall rate of MIRS has, beside its _FillValue -999, pixels with -888 (not retrieved) and -99 (no retrieval), known only from global attributes; they are not masked and decode to -8.88 and -0.99 mm/h.",
      "SFR: the codes -888 and -99 (decoded -8.88 and -0.99, negative snowfall rates) are missing-value codes that _FillValue (-999) does not cover.", "SFR|-8")
class C25:
    def clean(p):
        r = rng(25); A, B = 60, 30; lat = 72 - .35 * np.arange(A)[:, None] + .02 * np.arange(B)[None]; lon = -165 + .9 * np.arange(B)[None] + .05 * np.arange(A)[:, None]
        f = smooth(r, (A, B), 3); sfr = np.where(f > .3, (f - .3) * 1.1, 0.); sfr = np.where(f < -1.3, np.nan, sfr)
        d = ("Scanline", "Field_of_view")
        ds = xr.Dataset({"SFR": (d, sfr, dict(long_name="Snow Fall Rate", units="mm h-1", description="Snow Fall Rate (mm/hr)")), "TPW": (d, 9 + 2 * smooth(r, (A, B)), dict(long_name="Total Precipitable Water", standard_name="atmosphere_mass_content_of_water_vapor", units="kg m-2"))},
                        {"Latitude": c1(d, lat, L2(LAT), "f4"), "Longitude": c1(d, lon, L2(LON), "f4")},
                        dict(Conventions="CF-1.5", project="Microwave Integrated Retrieval System", title="MIRS IMG", satellite_name="N19", instrument_name="AMSU-MHS", missing_value=-999, notretrievedproduct_value=-888, noretrieval_value=-99, time_coverage_start="2018-09-27T11:00:21Z", time_coverage_end="2018-09-27T11:10:05Z"))
        e = dict(dtype="int16", scale_factor=.01, _FillValue=-999); w(ds, p, enc={"SFR": dict(e), "TPW": dict(e)}, chunks={"Scanline": 30})
    def fault(p):
        z = zarr.open_group(str(p), mode="r+", use_consolidated=False)["SFR"]; a = z[:]; m = np.argwhere(a == -999)
        for k, i in enumerate(m): a[tuple(i)] = (-888, -888, -99)[k % 3]
        z[:] = a
    def check(c, f):
        a, b = op(c).SFR.values, op(f).SFR.values
        assert np.nanmin(a) == 0 and 20 < np.isnan(a).sum() < 500 and np.isclose(np.nanmin(b), -8.88) and (np.isclose(b, -.99)).sum() > 5


@case(26, "wrf-xtime-dropped", "NCAR/wrf-python#11",
      "The variables name XTIME in their coordinates attribute, but XTIME was removed from the store in post-processing.", "coordinates of T2 and PSFC names XTIME, which is not in the store.", "XTIME|coordinates")
class C26:
    def clean(p):
        r = rng(26); T, Y, X = 8, 18, 20; lat = 39 + .11 * np.arange(Y)[:, None] + .002 * np.arange(X)[None]; lon = -106 + .14 * np.arange(X)[None] - .003 * np.arange(Y)[:, None]
        d = ("Time", "south_north", "west_east"); at = lambda desc, u, **k: dict(FieldType=104, MemoryOrder="XY ", description=desc, units=u, stagger="", **k)
        xt = xr.Variable("Time", (180. * np.arange(T)).astype("f4"), dict(FieldType=104, MemoryOrder="0  ", description="minutes since 2016-10-01 00:00:00", units="minutes since 2016-10-01 00:00:00", stagger=""))
        ds = xr.Dataset({"T2": (d, (284 + 5 * np.sin(2 * np.pi * (np.arange(T) - 5) / 8)[:, None, None] + 2 * smooth(r, (T, Y, X))).astype("f4"), at("TEMP at 2 M", "K")), "PSFC": (d, (82000 + 2500 * smooth(r, (T, Y, X), 4)).astype("f4"), at("SFC PRESSURE", "Pa"))},
                        {"XLAT": c1(("south_north", "west_east"), lat, at("LATITUDE, SOUTH IS NEGATIVE", "degree_north"), "f4"), "XLONG": c1(("south_north", "west_east"), lon, at("LONGITUDE, WEST IS NEGATIVE", "degree_east"), "f4"), "XTIME": xt},
                        dict(TITLE=" OUTPUT FROM WRF V3.8.1 MODEL", START_DATE="2016-10-01_00:00:00", SIMULATION_START_DATE="2016-10-01_00:00:00", DX=12000.0, DY=12000.0, MAP_PROJ=1, TRUELAT1=30.0, TRUELAT2=60.0, CEN_LAT=40.0, CEN_LON=-104.6, STAND_LON=-104.6, MOAD_CEN_LAT=40.0))
        w(ds, p, chunks={"Time": 2})
    def fault(p):
        shutil.rmtree(p / "XTIME"); m = rd(p / ".zmetadata"); m["metadata"] = {k: v for k, v in m["metadata"].items() if not k.startswith("XTIME/")}; wr(p / ".zmetadata", m)
    def check(c, f):
        a, b = op(c), op(f); finite(a)
        assert "XTIME" in a.T2.coords and "XTIME" not in b.variables and "XTIME" in rd(f / "T2/.zattrs")["coordinates"] and "XTIME" in b.T2.attrs.get("coordinates", "") + b.T2.encoding.get("coordinates", "")
        assert str(a.XTIME.values[-1])[:13] == "2016-10-01T21"


@case(27, "swot-fillvalue-scaled", "zarr-developers/VirtualiZarr#874",
      "The scale factor was applied to _FillValue itself: the attribute says 214748.3647 while the stored packed fill is 2147483647, so fill pixels decode to 214748.36 m instead of missing.",
      "ssh_karin: _FillValue (214748.3647) is in unpacked units and does not match the packed fill 2147483647 in the data; fills appear as 214748.36 m.", "ssh_karin|_FillValue")
class C27:
    def clean(p):
        r = rng(27); A, B = 48, 35; d = ("num_lines", "num_pixels"); xt = -68 + 4. * np.arange(B)
        lat = 30 + .018 * np.arange(A)[:, None] + .002 * np.arange(B)[None]; lon = 215 + .02 * np.arange(B)[None] - .004 * np.arange(A)[:, None]
        s = 22.3 + .25 * smooth(r, (A, B), 4); s[:, np.abs(xt) < 10] = np.nan
        t = xr.Variable("num_lines", 7.6e8 + .3 * np.arange(A), dict(standard_name="time", long_name="time in UTC", units="seconds since 2000-01-01 00:00:00.0", calendar="gregorian"))
        ds = xr.Dataset({"ssh_karin": (d, s, dict(long_name="sea surface height", standard_name="sea surface height above reference ellipsoid".replace(" ", "_"), units="m", comment="Fully corrected sea surface height measured by KaRIn."))},
                        {"time": t, "latitude": c1(d, lat, dict(L2(LAT), long_name="latitude (positive N, negative S)")), "longitude": c1(d, lon, dict(L2(LON), long_name="longitude (degrees East)")), "cross_track_distance": c1("num_pixels", xt * 1000, dict(long_name="cross track distance", units="m"))},
                        dict(Conventions="CF-1.7", title="Level 2 Low Rate Sea Surface Height Data Product - Basic", institution="CNES", platform="SWOT", cycle_number=7, pass_number=12))
        w(ds, p, 3, enc={"ssh_karin": dict(dtype="int32", scale_factor=1e-4, add_offset=0.0, _FillValue=2147483647)}, chunks={"num_lines": 24})
    def fault(p): edit(p, "ssh_karin", lambda a: a.update(_FillValue=214748.3647))
    def check(c, f):
        a, b = op(c).ssh_karin.values, op(f).ssh_karin.values
        assert rd(c / "ssh_karin/zarr.json")["attributes"]["_FillValue"] == 2147483647
        assert .05 < np.isnan(a).mean() < .3 and np.nanmax(a) < 25 and np.isclose(np.nanmax(b), 214748.3647) and not np.isnan(b).any()


@case(28, "xesmf-zero-edges", "JiaweiZhuang/xESMF#139",
      "Points of the new grid outside the old one (first and last latitude row, last longitude column) got 0 from the regridder instead of a value or NaN.",
      "temperature: the first and last latitude rows and the last longitude column are exactly 0 K (unmapped points of a regridding), the rest is about 220 to 300 K.", "temperature|zero")
class C28:
    def clean(p):
        r = rng(28); lev = np.array([500, 700, 850.]); lat = np.array([-87.1591, -76.48, -64.9, -53.2, -41.5, -29.8, -18.1, -6.0, 6.0, 18.1, 29.8, 41.5, 53.2, 64.9, 76.48, 87.1591]); lon = np.arange(0, 360, 15.)
        T = np.array([253, 268, 278.])[None, :, None, None] + 20 * np.cos(np.radians(lat))[None, None, :, None] - 12 + 2 * smooth(r, (3, 3, 16, 24), 2)
        ds = xr.Dataset({"temperature": (("time", "level", "lat", "lon"), T.astype("f4"), dict(standard_name="air_temperature", long_name="Temperature", units="K"))},
                        {"time": times("2018-01-01", 3, "6h", "hours since 1900-01-01 00:00:00"), "level": c1("level", lev, dict(standard_name="air_pressure", long_name="pressure level", units="hPa", positive="down", axis="Z")), "lat": c1("lat", lat, LAT), "lon": c1("lon", lon, LON)},
                        dict(Conventions="CF-1.8", title="WeatherBench temperature on the Gaussian grid of climt", regrid_method="bilinear"))
        w(ds, p, 3, chunks={"time": 1})
    def fault(p):
        z = zarr.open_group(str(p), mode="r+", use_consolidated=False)["temperature"]; a = z[:]; a[:, :, [0, -1], :] = 0; a[..., -1] = 0; z[:] = a
    def check(c, f):
        a, b = op(c), op(f); finite(a); assert float(a.temperature.min()) > 220
        assert (b.temperature[:, :, [0, -1]] == 0).all() and (b.temperature[..., -1] == 0).all() and np.array_equal(a.temperature[:, :, 1:-1, :-1], b.temperature[:, :, 1:-1, :-1])


@case(29, "nan-in-zattrs", "esa-esdl/esdl-core#75",
      "The attributes of Rg contain the bare token NaN (esa_cci_path), which is no valid JSON; strict readers (Julia, JavaScript) cannot open the cube.",
      "Rg/.zattrs: the attribute esa_cci_path is the bare token NaN, not valid JSON.", "esa_cci_path|NaN")
class C29:
    def clean(p):
        r = rng(29); lat = 88.75 - 12.5 * np.arange(15); lat = np.linspace(84, -84, 15); lon = np.arange(-171, 180, 18.)
        x = np.clip(210 * np.cos(np.radians(lat))[None, :, None] + 40 + 12 * smooth(r, (23, 15, 20), 2), 2, None); E = 60 + 12 * smooth(r, (23, 15, 20), 2)
        md = dict(ID=2, esa_cci_path="", orig_version="15.10.2017", project_name="BESS", time_coverage_start="2000-03-01", time_coverage_end="2010-12-31", time_coverage_resolution="P8D", url="http://environment.snu.ac.kr/bess_rad/")
        d = ("time", "lat", "lon")
        ds = xr.Dataset({"Rg": (d, x.astype("f4"), dict(md, long_name="Downwelling shortwave radiation", standard_name="surface_downwelling_shortwave_flux_in_air", units="W m-2")), "latent_energy": (d, E.astype("f4"), dict(long_name="Latent Energy", standard_name="surface_upward_latent_heat_flux", units="W m-2", project_name="FLUXCOM", esa_cci_path=""))},
                        {"time": times("2001-01-05", 23, "8D", "days since 2001-01-05 00:00:00"), "lat": c1("lat", lat, LAT), "lon": c1("lon", lon, LON)}, dict(Conventions="CF-1.6", title="Earth System Data Cube v2.0.0", institution="ESDL"))
        w(ds, p, chunks={"time": 12})
    def fault(p): edit(p, "Rg", lambda a: a.update(esa_cci_path=float("nan")))
    def check(c, f):
        finite(op(c)); bad = lambda s: (_ for _ in ()).throw(ValueError(s))
        for q in c.rglob(".z*"): json.loads(q.read_text(), parse_constant=bad) if '"fill_value": NaN' not in q.read_text() else 1/0
        raises(lambda: json.loads((f / "Rg/.zattrs").read_text(), parse_constant=bad), ValueError)


@case(30, "crs-attribute-not-object", "zarr-developers/geozarr-spec#36",
      "_CRS holds the WKT text itself; GDAL expects an object with one of the keys url, wkt or projjson and finds no CRS.",
      "The attribute _CRS of planet_fusion is a plain string; it must be an object with url, wkt or projjson.", "_CRS|wkt")
class C30:
    def clean(p):
        from pyproj import CRS
        r = rng(30); n = 48; X = 480001.5 + 3. * np.arange(n); Y = 4649998.5 - 3. * np.arange(n)
        v = np.clip(np.array([600, 900, 800, 3200.])[:, None, None] * (1 + .15 * smooth(r, (4, n, n), 4)), 1, None).astype("u2")
        ds = xr.Dataset({"planet_fusion": (("band", "Y", "X"), v, {"_CRS": {"wkt": CRS.from_epsg(32614).to_wkt("WKT2_2019")}, "long_name": "surface reflectance scaled by 10000"})},
                        {"band": ("band", np.array([1, 2, 3, 4], "i4"), dict(long_name="band number")), "X": c1("X", X, dict(standard_name="projection_x_coordinate", units="m")), "Y": c1("Y", Y, dict(standard_name="projection_y_coordinate", units="m"))})
        w(ds, p, chunks={"band": 1})
    def fault(p): edit(p, "planet_fusion", lambda a: a.update(_CRS=a["_CRS"]["wkt"]))
    def check(c, f):
        import rasterio
        a, b = rd(c / "planet_fusion/.zattrs")["_CRS"], rd(f / "planet_fusion/.zattrs")["_CRS"]
        assert isinstance(a, dict) and isinstance(b, str) and op(c).planet_fusion.values.min() > 0
        from rasterio.drivers import raster_driver_extensions
        try: ca = rasterio.open(f'ZARR:"{c}":/planet_fusion:0') if False else rasterio.open(f'ZARR:"{c}":/planet_fusion')
        except rasterio.errors.RasterioIOError as e: print("   (no GDAL Zarr:", str(e)[:80], ")"); return
        cb = rasterio.open(f'ZARR:"{f}":/planet_fusion'); assert ca.crs.to_epsg() == 32614 and not cb.crs


# ---------------------------------------------------------------- run
def pack(p):
    fs = [q for q in Path(p).rglob("*") if q.is_file()]
    return len(fs), sum(q.stat().st_size for q in fs)


def health(p):
    "every chunk of a clean store is there, and the consolidated metadata are what the documents say"
    if (p / "store.zip").exists(): st = zarr.storage.ZipStore(str(p / "store.zip"), mode="r"); fmt = 2
    else: st = str(p); fmt = 3 if (p / "zarr.json").exists() else 2
    g = zarr.open_group(st, mode="r", zarr_format=fmt, use_consolidated=False)
    def walk(q):
        for k, m in q.members():
            if isinstance(m, zarr.Array):
                assert m.nchunks_initialized == m.nchunks, m.path
                yield m.path
            else: yield from walk(m)
    names = list(walk(g))
    if isinstance(st, str) and (p / ".zmetadata").exists():
        md = rd(p / ".zmetadata")["metadata"]; on = {str(q.relative_to(p)) for q in p.rglob(".z*") if q.name != ".zmetadata"}
        # zarr-python lists an empty .zattrs for every node
        for k in on | set(md): assert (rd(p / k) if k in on else {}) == md.get(k, {}), k
    if fmt == 3:
        for k, m in rd(p / "zarr.json")["consolidated_metadata"]["metadata"].items():
            d = rd(p / k / "zarr.json"); d.pop("consolidated_metadata", 0); m = dict(m); m.pop("consolidated_metadata", 0); assert d == m, k
    return len(names)


def diff(c, f):
    a, b = ({str(q.relative_to(x)): q.read_bytes() for q in x.rglob("*") if q.is_file()} for x in (c, f))
    return sorted([f"+{k}" for k in b.keys() - a.keys()] + [f"-{k}" for k in a.keys() - b.keys()] + [f"~{k}" for k in a.keys() & b.keys() if a[k] != b[k]])


def main():
    want = [int(a) for a in sys.argv[1:]] or sorted(CASES); good = 0
    for n in want:
        k = CASES[n]; d = OUT / k.name; shutil.rmtree(d, ignore_errors=True); c, f = d / "clean", d / "fault"; d.mkdir(parents=True)
        try:
            k.clean(c); shutil.copytree(c, f); health(c); k.fault(f); k.check(c, f); dd = diff(c, f)
            nf, nb = pack(f); nc, nbc = pack(c); assert max(nf, nc) <= 300 and max(nb, nbc) <= 200_000, (nf, nb)
            good += 1; print(f"{k.name:32s} ok  {nc} files {nbc // 1000} kB   {' '.join(dd[:4])}{f' ... {len(dd)}' if len(dd) > 4 else ''}")
        except Exception:
            print(f"{k.name} FAILED"); traceback.print_exc()
    wr(OUT / "cases.json", {CASES[n].name: CASES[n].words for n in sorted(CASES)})
    L = ["# Blind set 11", "", "| NN | thread | fault | what a good answer names |", "|---|---|---|---|"]
    L += [f"| {CASES[n].name} | {CASES[n].thread} | {CASES[n].text} | {CASES[n].answer} |".replace("\n", " ") for n in sorted(CASES)]
    (OUT / "answers.md").write_text("\n".join(L) + "\n"); print(good, "of", len(want), "checks passed")


main()
