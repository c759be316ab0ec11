"""Makes stores of thirty faults that people reported, and their clean twins, written without a look at the program.

    /path/to/venv/bin/python blind.py [FOLDER]    # zarr 3.4.2, xarray 2026.9; writes blind.zip, or the stores below FOLDER

Each NN-name is what became of NN-name-clean. `blind.zip` has them as `threads.zip` has its own; the table in `THREADS.md`
tells what was said of each when it was first asked about, and now.
"""
import importlib.metadata as _m
_o = _m.version
_m.version = lambda n: "1.0.1" if n == "zfpy" else _o(n)   # numcodecs cannot parse '1.0.1.post0'
from decimal import Decimal
import json, os, shutil, sys, tempfile, zipfile, warnings, traceback, hashlib
from pathlib import Path
import numpy as np, pandas as pd, zarr, xarray as xr, numcodecs
warnings.filterwarnings("ignore")
zarr.config.set({"async.concurrency": 4, "threading.max_workers": 2})
HERE = Path(__file__).resolve().parent
ROOT = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(tempfile.mkdtemp()) / "blind"
CASES = []          # (name, builder, breaker, check, row)

def case(name, fault, words, thread, suffix=""):
    def deco(cls):
        CASES.append((name, suffix, cls, fault, words, thread)); return cls
    return deco

# ---------- helpers
def rng(seed): return np.random.default_rng(seed)
def smooth(shape, seed, noise=0.02, k=4):
    r = rng(seed); grids = np.meshgrid(*[np.linspace(0, 1, n) for n in shape], indexing="ij")
    out = np.zeros(shape)
    for _ in range(k):
        ph = r.uniform(0, 2*np.pi); out += r.uniform(.5, 1) * np.sin(sum(r.uniform(-5, 5)*g for g in grids) + ph)
    return ((out/k + noise*r.standard_normal(shape))*512).round()/512  # so that they compress
def jload(p): return json.loads(Path(p).read_text())
def jdump(p, d): Path(p).write_text(json.dumps(d, indent=2))
def edit(store, node, doc, fn):
    """Edit a metadata document of a node and its consolidated copy (if any)."""
    p = Path(store, node, doc); d = jload(p); fn(d); jdump(p, d)
    if doc == "zarr.json" and node:
        rp = Path(store, "zarr.json"); rd = jload(rp); cm = rd.get("consolidated_metadata")
        if cm and node in cm["metadata"]: fn(cm["metadata"][node]); jdump(rp, rd)
    zp = Path(store, ".zmetadata")
    if zp.exists():
        z = jload(zp); key = f"{node}/{doc}" if node else doc
        if key in z["metadata"]: fn(z["metadata"][key]); jdump(zp, z)
def xo(p, **k): return xr.open_dataset(p, engine="zarr", chunks=None, **k)
def img(shape, seed, n=14, hi=4000):
    r = rng(seed); yy, xx = np.mgrid[:shape[-2], :shape[-1]]; im = np.zeros(shape[-2:])
    for _ in range(n):
        cy, cx, s = r.uniform(0, shape[-2]), r.uniform(0, shape[-1]), r.uniform(3, 10)
        im += r.uniform(.3, 1)*np.exp(-((yy-cy)**2+(xx-cx)**2)/(2*s*s))
    return np.clip(200+hi*im/im.max()+r.standard_normal(im.shape), 0, 65535).astype("u2")
def down2(a): # mean over last two axes
    return a.reshape(a.shape[:-2]+(a.shape[-2]//2, 2, a.shape[-1]//2, 2)).mean((-3, -1)).round().astype(a.dtype)
def lab(shape, seed, ids):
    r = rng(seed); yy, xx = np.mgrid[:shape[0], :shape[1]]; out = np.zeros(shape, "u4")
    pts = [(y, x) for y in range(10, shape[0], 22) for x in range(10, shape[1], 22)]
    for i, (y, x) in zip(ids, pts):
        y += r.uniform(-3, 3); x += r.uniform(-3, 3); out[(yy-y)**2+(xx-x)**2 < r.uniform(5, 9)**2] = i
    return out
def grid(nlat, nlon, lo=35., la=60., d=1.): return la-d*np.arange(nlat), -10+d*np.arange(nlon)

# ================= 01
@case("01-append-time-units", "The time coordinate says 'days since 2000-01-01 00:35' but its integers (0,6,12,...) are hours: the units of the first (one-step) write stayed when 6-hourly steps were appended, so time runs in 6-day steps to August 2000 while time_coverage_end/resolution (PT6H) and the diurnal cycle say ten days in January.",
      "time; units days where the numbers are hours (6-day steps instead of 6-hour); contradicts time_coverage_resolution/end", "pydata/xarray#5969")
class C01:
    def build(p):
        t = pd.date_range("2000-01-01 00:35", periods=40, freq="6h"); lat, lon = grid(12, 18)
        v = 281+6*smooth((40, 12, 18), 1)+5*np.sin(2*np.pi*(np.arange(40)/4-.3))[:, None, None]
        ds = xr.Dataset({"t2m": (("time", "lat", "lon"), v.astype("f4"), {"units": "K", "standard_name": "air_temperature"})}, {"time": t, "lat": ("lat", lat, {"units": "degrees_north"}), "lon": ("lon", lon, {"units": "degrees_east"})},
            {"time_coverage_start": str(t[0]), "time_coverage_end": str(t[-1]), "time_coverage_resolution": "PT6H", "title": "ERA-like 2 m temperature, 6-hourly"})
        ds.to_zarr(p, zarr_format=2, encoding={"time": {"units": "hours since 2000-01-01 00:35:00", "dtype": "i8"}, "t2m": {"chunks": (10, 12, 18)}})
    def break_(p): edit(p, "time", ".zattrs", lambda d: d.update(units=d["units"].replace("hours", "days")))
    def check(f, c):
        a, b = xo(f), xo(c); assert str(b.time.values[-1])[:10] == "2000-01-10", b.time.values[-1]; assert (a.time.values[1]-a.time.values[0]) == np.timedelta64(6, "D"); return str(a.time.values[-1])
# ================= 02
@case("02-region-race", "In sst the second half of time chunk 1 (steps 15-19) is NaN everywhere although the chunk exists, sea_mask says sea and n_valid counts observations there: two region writers shared the 10-step chunk and the later one overwrote the other's half with fill.",
      "sst; steps 15 to 19 (2024-01-16..20) all NaN; half of an existing chunk lost (region writes not aligned to chunks / race); n_valid or mask says data", "pydata/xarray#8371")
class C02:
    def build(p):
        lat, lon = grid(24, 36); sea = smooth((24, 36), 3, 0) > -.25
        v = 12+6*smooth((30, 24, 36), 2); v = np.where(sea, v, np.nan)
        ds = xr.Dataset({"sst": (("time", "lat", "lon"), v.astype("f4"), {"units": "degC"}), "sea_mask": (("lat", "lon"), sea.astype("i1"), {"flag_values": [0, 1], "flag_meanings": "land sea"}),
            "n_valid": (("time",), np.isfinite(v).sum((1, 2)).astype("i4"), {"long_name": "number of valid sst cells in the step"})}, {"time": pd.date_range("2024-01-01", periods=30), "lat": lat, "lon": lon})
        ds.to_zarr(p, zarr_format=3, encoding={"sst": {"chunks": (10, 24, 36)}, "time": {"units": "days since 2024-01-01", "dtype": "i8"}})
    def break_(p): zarr.open_group(p, mode="r+", use_consolidated=False)["sst"][15:20] = np.nan
    def check(f, c):
        a, b = xo(f), xo(c); n = np.isfinite(a.sst.values).sum((1, 2)); assert (np.isfinite(b.sst.values).sum((1, 2)) == b.n_valid.values).all(); assert (n[15:20] == 0).all() and (n[14] > 0); return np.where(n != a.n_valid.values)[0]
# ================= 03
@case("03-append-packing", "t2m steps 32-47 hold integers packed with another scale_factor/add_offset (that of the appended file, about 0.002/288) than the store's 0.01/273.15; decoded they spread five times too wide and leave actual_range.",
      "t2m; from step 32 on; packed with a different scale_factor/add_offset (or raw packed integers appended); outside actual_range", "bcdev/nc2zarr#35")
class C03:
    def T(): return 288+6*smooth((48, 14, 20), 4)
    def build(p):
        lat, lon = grid(14, 20); v = C03.T()
        ds = xr.Dataset({"t2m": (("time", "lat", "lon"), v, {"units": "K", "long_name": "2 metre temperature", "actual_range": [round(float(v.min()), 2), round(float(v.max()), 2)]})}, {"time": pd.date_range("2021-06-01", periods=48, freq="h"), "lat": lat, "lon": lon})
        ds.to_zarr(p, zarr_format=2, encoding={"t2m": {"dtype": "i2", "scale_factor": .01, "add_offset": 273.15, "_FillValue": -32767, "chunks": (16, 14, 20)}, "time": {"units": "hours since 2021-06-01", "dtype": "i8"}})
    def break_(p): zarr.open_group(p, mode="r+", use_consolidated=False)["t2m"][32:] = np.round((C03.T()[32:]-288)/.002).astype("i2")
    def check(f, c):
        a, b = xo(f), xo(c); lo, hi = b.t2m.attrs["actual_range"]; assert b.t2m.min() > lo-.02 and b.t2m.max() < hi+.02; assert a.t2m[32:].std() > 3*a.t2m[:32].std(); return float(a.t2m[32:].min()), float(a.t2m[32:].max()), lo, hi
# ================= 04
@case("04-nodata-fill-lost", "elevation's zarr fill_value is 0 although its no-data value (_FillValue, nodata_value) is -9999: the chunks that were never written (all no-data) read as 0 m instead of missing.",
      "elevation; fill_value 0 but nodata/_FillValue -9999; absent chunks read as 0", "dynamical-org/reformatters#272")
class C04:
    def build(p):
        v = 900+500*smooth((96, 120), 5, .005); yy, xx = np.mgrid[:96, :120]; v[((yy-48)/30)**2+((xx-58)/38)**2 > 1] = -9999
        ok = v != -9999
        g = zarr.open_group(p, mode="w", zarr_format=3); a = g.create_array("elevation", shape=v.shape, chunks=(24, 30), dtype="f4", fill_value=-9999., dimension_names=("y", "x"), config={"write_empty_chunks": False})
        from xarray.backends.zarr import FillValueCoder
        a.attrs.update({"_FillValue": FillValueCoder.encode(-9999., np.dtype("f4")), "nodata_value": -9999.0, "units": "m", "actual_range": [float(v[ok].min().round(1)), float(v[ok].max().round(1))], "long_name": "terrain height inside the catchment"})
        a[:] = v
        for n, s, st in (("y", 96, -25.), ("x", 120, 25.)):
            z = g.create_array(n, shape=(s,), dtype="f8", dimension_names=(n,)); z[:] = 5.1e6+st*np.arange(s) if n == "y" else 4.3e5+st*np.arange(s); z.attrs["units"] = "m"
        zarr.consolidate_metadata(p)
    def break_(p): edit(p, "elevation", "zarr.json", lambda d: d.update(fill_value=0.0))
    def check(f, c):
        a, b = xo(f), xo(c); assert (b.elevation.values[:3, :3] != b.elevation.values[:3, :3]).all(); assert (a.elevation.values[:3, :3] == 0).all(), a.elevation.values[:3, :3]; return int((a.elevation == 0).sum()), len(list(Path(f, "elevation/c").rglob("*")))
# ================= 05
@case("05-flag-zero-masked", "cloud_mask declares fill_value 0 while 0 is a real class (flag_values 0 = clear): readers that mask the fill value (xarray) turn every clear pixel into NaN.",
      "cloud_mask; fill_value 0 is the valid flag 'clear'; clear pixels become missing/NaN", "pydata/xarray#4930")
class C05:
    def build(p):
        f = smooth((6, 60, 80), 6); v = np.digitize(f, [0., .2, .45]).astype("u1")
        g = zarr.open_group(p, mode="w", zarr_format=2)
        a = g.create_array("cloud_mask", shape=v.shape, chunks=(1, 60, 80), dtype="u1", fill_value=255); a[:] = v
        a.attrs.update({"_ARRAY_DIMENSIONS": ["time", "y", "x"], "flag_values": [0, 1, 2, 3], "flag_meanings": "clear probably_clear probably_cloudy cloudy", "long_name": "cloud mask"})
        t = g.create_array("time", shape=(6,), dtype="i4", fill_value=-1); t[:] = np.arange(6)*15; t.attrs.update({"_ARRAY_DIMENSIONS": ["time"], "units": "minutes since 2022-08-01 12:00"})
        zarr.consolidate_metadata(p)
    def break_(p): edit(p, "cloud_mask", ".zarray", lambda d: d.update(fill_value=0))
    def check(f, c):
        a, b = xo(f), xo(c); assert not np.isnan(b.cloud_mask.values.astype("f4")).any(); assert np.isnan(a.cloud_mask.values).any(); return float(np.isnan(a.cloud_mask.values).mean())
# ================= 06
@case("06-stale-zmetadata", ".zmetadata still describes 20 time steps (time, chl shape [20,...]) although the arrays' own .zarray and chunks hold 30: it was not re-consolidated after the append, so readers of consolidated metadata miss the last 10 steps.",
      ".zmetadata / consolidated metadata stale; shape 20 versus 30 in .zarray; last 10 steps invisible; re-consolidate", "pydata/xarray#5878")
class C06:
    def build(p):
        lat, lon = grid(16, 16)
        ds = xr.Dataset({"chl": (("time", "lat", "lon"), np.exp(smooth((30, 16, 16), 7)).astype("f4"), {"units": "mg m-3"})}, {"time": pd.date_range("2023-03-01", periods=30), "lat": lat, "lon": lon})
        ds.isel(time=slice(0, 20)).to_zarr(p, zarr_format=2, consolidated=True, encoding={"chl": {"chunks": (10, 16, 16)}, "time": {"chunks": (10,), "units": "days since 2023-03-01", "dtype": "i8"}})
        shutil.copy(Path(p, ".zmetadata"), "/tmp/d/.z06"); ds.isel(time=slice(20, 30)).to_zarr(p, append_dim="time", consolidated=True)
    def break_(p): shutil.move("/tmp/d/.z06", Path(p, ".zmetadata"))
    def check(f, c):
        assert xo(c).sizes["time"] == 30; assert xo(f).sizes["time"] == 20 and xo(f, consolidated=False).sizes["time"] == 30; return 1
# ================= 07
@case("07-separator-missing", "raw/.zarray has no dimension_separator, so '.' is assumed, but the chunks lie in nested folders (raw/0/0/0 ...): every chunk is missed and the volume reads as zeros.",
      "raw; dimension_separator should be '/'; chunks nested 0/0/0; reads all zeros / fill value", "zarr-developers/zarr-python#717")
class C07:
    def build(p):
        g = zarr.open_group(p, mode="w", zarr_format=2); v = np.stack([img((64, 64), 8+i) for i in range(4)])
        a = g.create_array("raw", shape=v.shape, chunks=(4, 32, 32), dtype="u2", fill_value=0, chunk_key_encoding={"name": "v2", "separator": "/"}); a[:] = v; a.attrs.update({"resolution": [40, 4, 4], "units": "nm"})
    def break_(p): edit(p, "raw", ".zarray", lambda d: d.pop("dimension_separator"))
    def check(f, c):
        assert zarr.open_group(c, mode="r")["raw"][:].min() > 0; assert zarr.open_group(f, mode="r")["raw"][:].max() == 0; return 1
# ================= 08
@case("08-endian-lost", "dem's bytes codec says little endian but the chunks hold big-endian int16 (the '>i2' of the V2 array was lost in the conversion to V3): heights read as byte-swapped noise far outside valid_range 300..1700.",
      "dem; bytes codec endian should be big (byte order swapped); values outside valid_range", "zarr-developers/zarr-python#2324")
class C08:
    def build(p):
        g = zarr.open_group(p, mode="w", zarr_format=3); v = (1000+600*smooth((80, 100), 9, .004)).clip(300, 1700).astype("i2")
        a = g.create_array("dem", shape=v.shape, chunks=(40, 50), dtype="i2", serializer=zarr.codecs.BytesCodec(endian="big"), dimension_names=("y", "x")); a[:] = v
        a.attrs.update({"units": "m", "valid_range": [300, 1700], "source": "converted from SRTM V2 zarr"})
    def break_(p):
        def fn(d):
            for k in d["codecs"]:
                if k["name"] == "bytes": assert k["configuration"]["endian"] == "big"; k["configuration"]["endian"] = "little"
        edit(p, "dem", "zarr.json", fn)
    def check(f, c):
        b, a = zarr.open_group(c, mode="r")["dem"][:], zarr.open_group(f, mode="r")["dem"][:]; assert b.min() >= 300 and b.max() <= 1700; assert (a.byteswap() == b).all(); return a.min(), a.max()
# ================= 09
@case("09-forder-lost", "image lost the transpose codec (order F of the V2 array) in its V3 document: each 32x32 chunk comes out transposed, leaving seams at every chunk border; the thumbnail still shows the right picture.",
      "image; missing transpose codec / column-major (order F) chunks; every chunk/tile transposed; seams at chunk borders or disagreement with thumbnail", "zarr-developers/zarr-python#2675")
class C09:
    def build(p):
        g = zarr.open_group(p, mode="w", zarr_format=3); v = img((96, 128), 10, 10)
        a = g.create_array("image", shape=v.shape, chunks=(32, 32), dtype="u2", filters=[zarr.codecs.TransposeCodec(order=(1, 0))], dimension_names=("y", "x")); a[:] = v
        th = v.reshape(12, 8, 16, 8).mean((1, 3)).round().astype("u2")
        b = g.create_array("thumbnail", shape=th.shape, dtype="u2", dimension_names=("ty", "tx")); b[:] = th; b.attrs.update({"of": "image", "method": "8x8 block mean"})
    def break_(p): edit(p, "image", "zarr.json", lambda d: d.update(codecs=[k for k in d["codecs"] if k["name"] != "transpose"]))
    def check(f, c):
        b, a, g = zarr.open_group(c, mode="r")["image"][:], zarr.open_group(f, mode="r")["image"][:], zarr.open_group(c, mode="r")
        assert (a[:32, :32].T == b[:32, :32]).all() and (a != b).any(); assert (b.reshape(12, 8, 16, 8).mean((1, 3)).round() == g["thumbnail"][:]).all(); return 1
# ================= 10
@case("10-delta-filter-lost", "time's .zarray has filters null, but the chunk is delta-encoded (first value, then constant differences 6): without the Delta filter time reads 455832, 6, 6, 6 ... (2022, then 1970) instead of a 6-hourly axis.",
      "time; Delta filter missing (filters null); values are differences (6,6,6...) not times", "EOPF-Explorer/data-model#106")
class C10:
    def build(p):
        g = zarr.open_group(p, mode="w", zarr_format=2); t = 455832+6*np.arange(120)
        a = g.create_array("time", shape=t.shape, chunks=t.shape, dtype="i8", fill_value=-1, filters=[numcodecs.Delta(dtype="<i8")]); a[:] = t; a.attrs.update({"_ARRAY_DIMENSIONS": ["time"], "units": "hours since 1970-01-01", "calendar": "standard"})
        w = (8+5*smooth((120, 6), 11)).astype("f4"); b = g.create_array("wind_speed", shape=w.shape, chunks=(60, 6), dtype="f4", fill_value="NaN"); b[:] = w; b.attrs.update({"_ARRAY_DIMENSIONS": ["time", "station"], "units": "m s-1"})
        g.attrs.update({"time_coverage_start": "2022-01-01T00:00Z", "time_coverage_end": "2022-01-30T18:00Z"}); zarr.consolidate_metadata(p)
    def break_(p): edit(p, "time", ".zarray", lambda d: d.update(filters=None))
    def check(f, c):
        b, a = xo(c), xo(f); assert str(b.time.values[0])[:13] == "2022-01-01T00" and str(b.time.values[-1])[:13] == "2022-01-30T18", b.time.values[[0, -1]]; return zarr.open_group(f, mode="r")["time"][:4]
# ---------- OME helpers
def ome_levels(p, levels, scales, axes, version, group=""):
    fmt = 3 if version == "0.5" else 2
    root = zarr.open_group(p, mode="a", zarr_format=fmt); g = root.require_group(group) if group else root
    for i, a in enumerate(levels):
        kw = dict(dimension_names=tuple(x["name"] for x in axes)) if fmt == 3 else dict(chunk_key_encoding={"name": "v2", "separator": "/"})
        ch = tuple(min(n, 64) for n in a.shape); z = g.create_array(str(i), shape=a.shape, chunks=ch, dtype=a.dtype, fill_value=0, **kw); z[:] = a
    ms = [{"name": group or "image", "axes": axes, "datasets": [{"path": str(i), "coordinateTransformations": [{"type": "scale", "scale": s}]} for i, s in enumerate(scales)]}]
    if version == "0.5": g.attrs["ome"] = {"version": "0.5", "multiscales": ms}
    else: ms[0]["version"] = "0.4"; g.attrs["multiscales"] = ms
    return g
YX = [{"name": "y", "type": "space", "unit": "micrometer"}, {"name": "x", "type": "space", "unit": "micrometer"}]
ZYX = [{"name": "z", "type": "space", "unit": "micrometer"}] + YX
# ================= 11
@case("11-ome-z-scale", "The multiscales scales double in z at every level (2, 4, 8 um) although z is never downsampled (all levels have 12 planes): the z scale of levels 1 and 2 should stay 2 um, else the coarse levels are 2x and 4x too thick.",
      "multiscales coordinateTransformations; z scale of levels 1 and 2 (4, 8) wrong, should be 2; z has 12 planes in every level (not downsampled)", "ome/ome-zarr-py#262")
class C11:
    def build(p):
        v0 = np.stack([img((32, 32), 20, 10)*f for f in np.linspace(.4, 1, 12)]).astype("u2"); v1 = down2(v0)
        ome_levels(p, [v0, v1, down2(v1)], [[2., .5, .5], [2., 1., 1.], [2., 2., 2.]], ZYX, "0.5")
    def break_(p):
        def fn(d):
            for i, ds in enumerate(d["attributes"]["ome"]["multiscales"][0]["datasets"]): ds["coordinateTransformations"][0]["scale"][0] = 2.*2**i
        edit(p, "", "zarr.json", fn)
    def check(f, c):
        from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
        n = list(Reader(parse_url(c))()); assert len(n[0].data) == 3; g = zarr.open_group(f, mode="r"); assert {g[str(i)].shape[0] for i in range(3)} == {12}; return [d["coordinateTransformations"][0]["scale"] for d in g.attrs["ome"]["multiscales"][0]["datasets"]]
# ================= 12
@case("12-ome-label-interpolated", "labels/cells level 1 was downsampled by averaging: along the cell borders it holds label values that do not exist in level 0 (means of two ids).",
      "labels/cells level 1; label values/ids that do not occur in level 0 (interpolated/averaged instead of nearest)", "ome/ome-zarr-py#482")
class C12:
    def lab(): return lab((128, 128), 21, [17, 102, 205, 318, 40, 555, 610, 87, 77, 901, 312, 455, 28, 690, 133, 264, 721, 52, 380, 149, 833, 96, 407, 560, 215, 644])
    def build(p):
        im = img((128, 128), 21); L = C12.lab(); g = ome_levels(p, [im, down2(im)], [[.65, .65], [1.3, 1.3]], YX, "0.4")
        lg = g.create_group("labels"); lg.attrs["labels"] = ["cells"]
        q = ome_levels(p, [L, L[::2, ::2]], [[.65, .65], [1.3, 1.3]], YX, "0.4", "labels/cells"); q.attrs["image-label"] = {"version": "0.4", "source": {"image": "../../"}}
    def break_(p):
        L = C12.lab().astype("f8"); zarr.open_group(p, mode="r+")["labels/cells/1"][:] = np.floor(L.reshape(64, 2, 64, 2).mean((1, 3))).astype("u4")
    def check(f, c):
        b, a = zarr.open_group(c, mode="r"), zarr.open_group(f, mode="r"); s = lambda z: set(np.unique(z[:]).tolist()); assert s(b["labels/cells/1"]) <= s(b["labels/cells/0"]); return len(s(a["labels/cells/1"])-s(a["labels/cells/0"]))
# ================= 13
@case("13-ome-levels-stale", "Level 0 was rewritten mirrored left-right (x reversed) but levels 1 and 2 still show the old orientation: the coarse levels are not a downsampling of level 0.",
      "level 0 and levels 1/2 disagree; level 0 flipped/mirrored in x relative to the lower levels (pyramid not rebuilt)", "ome/ngff#260")
class C13:
    def build(p):
        v = img((160, 128), 22, 9); ome_levels(p, [v, down2(v), down2(down2(v))], [[.3, .3], [.6, .6], [1.2, 1.2]], YX, "0.5")
    def break_(p): z = zarr.open_group(p, mode="r+")["0"]; z[:] = z[:][:, ::-1]
    def check(f, c):
        b, a = zarr.open_group(c, mode="r"), zarr.open_group(f, mode="r"); assert (down2(b["0"][:]) == b["1"][:]).all(); assert np.corrcoef(down2(a["0"][:]).ravel(), a["1"][:].ravel())[0, 1] < .7; return np.corrcoef(down2(a["0"][:]).ravel(), a["1"][:].ravel())[0, 1]
# ================= 14
@case("14-ome-plate-index", "In the plate metadata two wells have each other's indices: well path A/3 says rowIndex 1, columnIndex 0 and B/1 says rowIndex 0, columnIndex 2, contradicting the rows and columns lists (and their own paths).",
      "plate wells; A/3 and B/1; rowIndex/columnIndex do not match the path (swapped)", "ome-zarr-models/ome-zarr-models-py#214")
class C14:
    def build(p):
        root = zarr.open_group(p, mode="w", zarr_format=2); wells = []
        for r in range(2):
            for c in range(3):
                path = f"{'AB'[r]}/{c+1}"; v = img((32, 32), 30+3*r+c, 5+3*c); ome_levels(p, [v, down2(v)], [[.65, .65], [1.3, 1.3]], YX, "0.4", path+"/0")
                root[path].attrs["well"] = {"images": [{"path": "0", "acquisition": 0}], "version": "0.4"}; wells.append({"path": path, "rowIndex": r, "columnIndex": c})
        root.attrs["plate"] = {"name": "screen-07", "version": "0.4", "field_count": 1, "acquisitions": [{"id": 0, "maximumfieldcount": 1}], "rows": [{"name": "A"}, {"name": "B"}], "columns": [{"name": "1"}, {"name": "2"}, {"name": "3"}], "wells": wells}
    def break_(p):
        def fn(d):
            w = {x["path"]: x for x in d["plate"]["wells"]}; w["A/3"].update(rowIndex=1, columnIndex=0); w["B/1"].update(rowIndex=0, columnIndex=2)
        edit(p, "", ".zattrs", fn)
    def check(f, c):
        from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
        assert len(list(Reader(parse_url(c))())) >= 1; bad = lambda q: [w["path"] for w in zarr.open_group(q, mode="r").attrs["plate"]["wells"] if w["path"] != f"{'AB'[w['rowIndex']]}/{w['columnIndex']+1}"]; assert not bad(c); return bad(f)
# ---------- AnnData helper
GENES = ["CD3D", "CD3E", "IL7R", "MS4A1", "CD79A", "NKG7", "GNLY", "LYZ", "CD14", "FCGR3A", "PPBP", "ACTB"]
def adata(seed=40, n=180):
    import anndata as ad, scipy.sparse as sp
    r = rng(seed); types = np.array(["B cell", "CD14 monocyte", "NK cell", "T cell"]); ct = r.choice(4, n, p=[.2, .25, .15, .4])
    genes = GENES + [f"GENE{i:03d}" for i in range(68)]; m = r.poisson(.35, (n, 80)).astype("f4")
    for k, idx in {3: [0, 1, 2], 0: [3, 4], 2: [5, 6], 1: [7, 8]}.items(): m[np.ix_(ct == k, idx)] += r.poisson(7, ((ct == k).sum(), len(idx)))
    m[:, 11] += r.poisson(12, n)
    onto = np.array(["CL:0000236", "CL:0001054", "CL:0000623", "CL:0000084"])
    a = ad.AnnData(sp.csr_matrix(m), obs=pd.DataFrame({"cell_type": pd.Categorical(types[ct], categories=types), "cell_type_ontology_term_id": pd.Categorical(onto[ct]), "n_counts": m.sum(1)}, index=[f"CELL{i:04d}-1" for i in range(n)]), var=pd.DataFrame({"n_cells": (m > 0).sum(0)}, index=genes))
    a.uns["cell_type_counts"] = {t: int((ct == i).sum()) for i, t in enumerate(types)}
    a.obsm["X_pca"] = (r.standard_normal((n, 4))+ct[:, None]).astype("f4"); return a
def wz(a, p):
    import anndata as ad
    a.write_zarr(p)
# ================= 15
@case("15-anndata-indptr", "X (csr) is cut: X/indptr ends at the full nnz but X/data and X/indices are 120 entries shorter (4472 instead of 4592), so the last rows point beyond the stored values.",
      "X; indptr[-1] larger than length of data/indices; last rows point past the end (truncated)", "scverse/anndata#453")
class C15:
    def build(p): wz(adata(41), p)
    def break_(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False); n = g["X/data"].shape[0]-120
        for k in ("X/data", "X/indices"): v = g[k][:]; g[k].resize((n,)); shutil.rmtree(Path(p, k, "c")); g[k][:] = v[:n]
        try: zarr.consolidate_metadata(p)
        except Exception as e: print("  consolidate", e)
    def check(f, c):
        import anndata as ad
        a = ad.read_zarr(c); assert (np.asarray(a.X.sum(1)).ravel() == a.obs.n_counts.values).all()
        try: q = ad.read_zarr(f); msg = "reads! " + str(q.shape)
        except Exception as e: msg = type(e).__name__
        g = zarr.open_group(f, mode="r"); return msg, g["X/indptr"][-1], g["X/data"].shape
# ================= 16
@case("16-anndata-categories", "obs/cell_type's categories were re-ordered ('T cell','B cell','CD14 monocyte','NK cell') without remapping the codes: cells carry the wrong type, contradicting cell_type_ontology_term_id, uns/cell_type_counts and the marker genes.",
      "obs/cell_type; categories reordered/shifted but codes not; disagrees with cell_type_ontology_term_id or uns cell_type_counts or marker genes", "scverse/anndata#147")
class C16:
    def build(p): wz(adata(42), p)
    def break_(p):
        z = zarr.open_group(p, mode="r+", use_consolidated=False)["obs/cell_type/categories"]; arr = z
        if isinstance(z, zarr.Group): arr = z["values"]
        v = list(arr[:]); arr[:] = np.array([v[3]]+v[:3], dtype=object) if arr.dtype.kind in "OT" else np.array([v[3]]+v[:3])
    def check(f, c):
        import anndata as ad
        b, a = ad.read_zarr(c), ad.read_zarr(f); vc = lambda x: {k: int(v) for k, v in x.obs.cell_type.value_counts().items()}; un = lambda x: {k: int(v) for k, v in x.uns["cell_type_counts"].items()}; assert vc(b) == un(b); assert vc(a) != un(a); return vc(a), un(a)
# ================= 17
@case("17-anndata-csc-label", "X says encoding-type csc_matrix, but indptr has n_obs+1 = 181 entries (80 variables would need 81) and indices are gene numbers: the matrix is stored as CSR and the label is wrong.",
      "X; encoding-type csc_matrix should be csr_matrix; indptr length 181 = n_obs+1, not n_vars+1", "theislab/zellkonverter#132")
class C17:
    def build(p): wz(adata(43), p)
    def break_(p):
        doc = "zarr.json" if Path(p, "X/zarr.json").exists() else ".zattrs"
        def fn(d): (d["attributes"] if doc == "zarr.json" else d)["encoding-type"] = "csc_matrix"
        edit(p, "X", doc, fn)
    def check(f, c):
        import anndata as ad
        b = ad.read_zarr(c); assert b.X.format == "csr"
        try: q = ad.read_zarr(f); return "reads!", q.X.format, q.shape
        except Exception as e: return type(e).__name__, str(e)[:80]
# ================= 18
@case("18-chunks-swapped", "Two chunks of sst are in each other's place (sst/0.1 and sst/1.0 swapped in the copy): sst shows blocks with seams and sst - sst_climatology no longer equals sst_anomaly there.",
      "sst; chunks 0.1 and 1.0 swapped; seams at chunk borders or sst != climatology + anomaly", "fsspec/kerchunk#310")
class C18:
    def build(p):
        cl = (15+8*smooth((48, 48), 50, 0)).astype("f4"); an = (.8*smooth((48, 48), 51)).astype("f4"); g = zarr.open_group(p, mode="w", zarr_format=2)
        for n, v, ln in (("sst", cl+an, "sea surface temperature"), ("sst_climatology", cl, "1991-2020 mean"), ("sst_anomaly", an, "sst minus sst_climatology")):
            a = g.create_array(n, shape=v.shape, chunks=(24, 24), dtype="f4", fill_value="NaN"); a[:] = v; a.attrs.update({"_ARRAY_DIMENSIONS": ["lat", "lon"], "units": "degC", "long_name": ln})
        for n, v in (("lat", 20+.25*np.arange(48)), ("lon", -60+.25*np.arange(48))): a = g.create_array(n, shape=(48,), dtype="f8", fill_value="NaN"); a[:] = v; a.attrs["_ARRAY_DIMENSIONS"] = [n]
        zarr.consolidate_metadata(p)
    def break_(p): a, b, t = Path(p, "sst/0.1"), Path(p, "sst/1.0"), Path(p, "sst/t"); a.rename(t); b.rename(a); t.rename(b)
    def check(f, c):
        d = lambda q: (lambda x: float(abs(x.sst-x.sst_climatology-x.sst_anomaly).max()))(xo(q)); assert d(c) < 1e-4; assert d(f) > 1; return d(f)
# ================= 19
@case("19-shard-partial", "In counts' shard c/1/0 two inner chunks are absent from the shard index (a concurrent writer of the same shard overwrote them): rows 64-127, columns 32-63 read as 0 although row_total counts them.",
      "counts; shard c/1/0; inner chunks missing (rows 64-127, columns 32-63 read 0); row_total disagrees / concurrent writes to one shard", "zarr-developers/zarr-python#3682")
class C19:
    def build(p):
        g = zarr.open_group(p, mode="w", zarr_format=3); v = (60+30*smooth((128, 128), 52, .1)).clip(5).round().astype("i4")
        a = g.create_array("counts", shape=v.shape, chunks=(32, 32), shards=(64, 64), dtype="i4", fill_value=0, dimension_names=("row", "col"), config={"write_empty_chunks": False}); a[:] = v
        b = g.create_array("row_total", shape=(128,), dtype="i8", dimension_names=("row",)); b[:] = v.sum(1); b.attrs["long_name"] = "sum of counts over col"
    def break_(p): zarr.open_group(p, mode="r+")["counts"][64:128, 32:64] = 0
    def check(f, c):
        ok = lambda q: (lambda g: np.where(g["counts"][:].sum(1) != g["row_total"][:])[0])(zarr.open_group(q, mode="r")); assert len(ok(c)) == 0; r = ok(f); assert r[0] == 64 and r[-1] == 127; s = Path(f, "counts/c/1/0").stat().st_size, Path(c, "counts/c/1/0").stat().st_size; assert s[0] < s[1]; return s
# ================= 20
@case("20-bigint-ids", "The segment ids in segmentation's 'segments' attribute went through doubles (JavaScript): ids above 2^53 are rounded (e.g. 720575940613579300 for 720575940613579317), so none of them occurs in the uint64 label array.",
      "segments attribute ids rounded to doubles (precision beyond 2^53 lost); do not occur in the segmentation array", "zarr-developers/zarr-specs#334")
class C20:
    IDS = [720575940600000000+int(x) for x in (13579317, 24681357, 31415927, 27182819, 57721567, 16180341, 14142137, 69314719)]
    def build(p):
        L = lab((72, 100), 53, range(1, 9)); v = np.zeros(L.shape, "u8")
        for i, k in enumerate(C20.IDS): v[L == i+1] = k
        g = zarr.open_group(p, mode="w", zarr_format=3); a = g.create_array("segmentation", shape=v.shape, chunks=(36, 50), dtype="u8", fill_value=0, dimension_names=("y", "x")); a[:] = v
        a.attrs["segments"] = [{"id": k, "name": f"neuron_{i+1}", "pixels": int((v == k).sum())} for i, k in enumerate(C20.IDS)]
    def break_(p): edit(p, "segmentation", "zarr.json", lambda d: [s.update(id=int(Decimal(repr(float(s["id"]))))) for s in d["attributes"]["segments"]])
    def check(f, c):
        q = lambda s: (lambda a: (set(x["id"] for x in a.attrs["segments"]), set(np.unique(a[:]).tolist())-{0}))(zarr.open_group(s, mode="r")["segmentation"]); a, b = q(c); assert a == b, (a, b); a, b = q(f); assert not a & b; return sorted(a)[:2], sorted(b)[:2]
# ================= 21
def zipdir(src, dst, prefix=""):
    with zipfile.ZipFile(dst, "w", zipfile.ZIP_STORED) as z:
        for q in sorted(Path(src).rglob("*")):
            if q.is_file(): z.write(q, prefix+str(q.relative_to(src)))
@case("21-zip-parent-folder", "The zip holds the store inside a folder (profiles.zarr/...), so there is no metadata document at the root of the archive and opening the zip finds no group or array.",
      "zip; store nested in a parent folder profiles.zarr/; root of the archive has no zarr metadata", "zarr-developers/zarr-python#756", suffix=".zip")
class C21:
    def tree(t):
        shutil.rmtree(t, ignore_errors=True); z = np.arange(0, 500, 5.); v = 4+16*np.exp(-z/120)[None]+.3*smooth((20, 100), 54)
        xr.Dataset({"temp": (("profile", "depth"), v.astype("f4"), {"units": "degC"})}, {"depth": z, "profile": np.arange(20)}).to_zarr(t, zarr_format=2)
    def build(p): C21.tree("/tmp/d/.t21"); zipdir("/tmp/d/.t21", p)
    def break_(p): os.remove(p); zipdir("/tmp/d/.t21", p, "profiles.zarr/"); shutil.rmtree("/tmp/d/.t21")
    def check(f, c):
        s = zarr.storage.ZipStore(c, mode="r"); assert xr.open_dataset(s, engine="zarr", chunks=None).temp.shape == (20, 100)
        try: zarr.open_group(zarr.storage.ZipStore(f, mode="r"), mode="r"); raise SystemExit("opened")
        except Exception as e: return type(e).__name__
# ================= 22
@case("22-lfs-pointer", "Chunk precip/2.0.0 is not data but a Git LFS pointer file (130 bytes of text, 'version https://git-lfs...'): the object was never pulled and the chunk cannot be decoded.",
      "precip chunk 2.0.0; Git LFS pointer text instead of data", "git-lfs/git-lfs#1056")
class C22:
    def build(p):
        lat, lon = grid(10, 14); v = np.clip(3*smooth((40, 10, 14), 55), 0, None)
        xr.Dataset({"precip": (("time", "lat", "lon"), v.astype("f4"), {"units": "mm day-1"})}, {"time": pd.date_range("2020-01-01", periods=40), "lat": lat, "lon": lon}).to_zarr(p, zarr_format=2, encoding={"precip": {"chunks": (10, 10, 14)}, "time": {"units": "days since 2020-01-01", "dtype": "i8"}})
    def break_(p):
        q = Path(p, "precip/2.0.0"); b = q.read_bytes(); q.write_text(f"version https://git-lfs.github.com/spec/v1\noid sha256:{hashlib.sha256(b).hexdigest()}\nsize {len(b)}\n")
    def check(f, c):
        assert np.isfinite(xo(c).precip.values).all()
        try: xo(f).precip.values; raise SystemExit("read")
        except Exception as e: return type(e).__name__, Path(f, "precip/2.0.0").stat().st_size
# ================= 23
@case("23-dandidownload-left", "The download of chunk volume/c/0/1/2 never finished: only a c/0/1/2.dandidownload folder (partial file + checksum) lies there, so rows 32-63, columns 64-95 of the first slab read as fill value 0.",
      "chunk c/0/1/2 missing; .dandidownload leftover (interrupted download); region reads as zeros", "dandi/dandi-cli#1594")
class C23:
    def build(p):
        v = np.stack([img((96, 128), 60+i, 12) for i in range(2)]); g = zarr.open_group(p, mode="w", zarr_format=3); a = g.create_array("volume", shape=v.shape, chunks=(2, 32, 32), dtype="u2", fill_value=0, dimension_names=("z", "y", "x")); a[:] = v; a.attrs.update({"stain": "NeuN", "voxel_size_um": [4, 3.6, 3.6]})
    def break_(p):
        q = Path(p, "volume/c/0/1/2"); b = q.read_bytes(); q.unlink(); d = Path(str(q)+".dandidownload"); d.mkdir(); (d/"file").write_bytes(b[:len(b)//3]); (d/"checksum").write_text(hashlib.md5(b).hexdigest())
    def check(f, c):
        assert zarr.open_group(c, mode="r")["volume"][:].min() > 0; v = zarr.open_group(f, mode="r")["volume"][:]; assert (v[:2, 32:64, 64:96] == 0).all() and (v == 0).sum() == 2*32*32; return 1
# ================= 24
@case("24-lat-flip-append", "The append brought latitude in ascending order and overwrote lat: the first 12 steps of t2m are still stored north to south, so against lat (now south to north) they are upside down (and off the land_mask), while steps 12-23 fit.",
      "t2m; first 12 steps latitude-reversed/upside down relative to lat; steps 12-23 fine; append overwrote lat with the other order", "pydata/xarray#11101")
class C24:
    def build(p):
        lat = np.linspace(0, 75, 26); lon = np.arange(-20, 20, 1.); lm = (smooth((26, 40), 61, 0) > .1)
        v = 300-.55*lat[None, :, None]+3*lm[None]+.8*smooth((24, 26, 40), 62)
        xr.Dataset({"t2m": (("time", "lat", "lon"), v.astype("f4"), {"units": "K"}), "land_mask": (("lat", "lon"), lm.astype("i1"), {"flag_values": [0, 1], "flag_meanings": "sea land"})}, {"time": pd.date_range("2019-04-01", periods=24, freq="6h"), "lat": ("lat", lat, {"units": "degrees_north"}), "lon": ("lon", lon, {"units": "degrees_east"})}).to_zarr(p, zarr_format=2, encoding={"t2m": {"chunks": (12, 26, 40)}, "time": {"units": "hours since 2019-04-01", "dtype": "i8"}})
    def break_(p): z = zarr.open_group(p, mode="r+", use_consolidated=False)["t2m"]; z[:12] = z[:12][:, ::-1]
    def check(f, c):
        s = lambda q, t: float(np.polyfit(xo(q).lat.values, xo(q).t2m[t].mean("lon").values, 1)[0]); assert s(c, 0) < 0 and s(c, 20) < 0 and s(f, 0) > 0 and s(f, 20) < 0; return s(f, 0), s(f, 20)
# ================= 25
@case("25-time-bnds-epoch", "time_bnds was encoded relative to 1850-01-01 while time counts days since 2000-01-01 (bounds carry no units of their own and inherit time's): no time lies inside its bounds, they fall 150 years later (54786 days).",
      "time_bnds; different reference date (1850) than time (2000); time not inside bounds, offset 54786 days / 150 years", "pydata/xarray#2921")
class C25:
    def build(p):
        e = pd.date_range("2001-01-01", periods=25, freq="MS"); d = (e-pd.Timestamp("2000-01-01")).days.values.astype("f8"); b = np.stack([d[:-1], d[1:]], 1); g = zarr.open_group(p, mode="w", zarr_format=3)
        def add(n, v, dims, **at): a = g.create_array(n, shape=v.shape, dtype=v.dtype, dimension_names=dims); a[:] = v; a.attrs.update(at)
        add("time", b.mean(1), ("time",), units="days since 2000-01-01", calendar="standard", bounds="time_bnds", standard_name="time"); add("time_bnds", b, ("time", "bnds"))
        m = np.arange(24); add("pr", (60+40*np.cos(2*np.pi*(m-1)/12)[:, None]+8*smooth((24, 12), 63)).astype("f4"), ("time", "basin"), units="mm month-1", cell_methods="time: sum"); zarr.consolidate_metadata(p)
    def break_(p): z = zarr.open_group(p, mode="r+", use_consolidated=False)["time_bnds"]; z[:] = z[:]+54786
    def check(f, c):
        ok = lambda x: bool(((x.time_bnds[:, 0] <= x.time) & (x.time <= x.time_bnds[:, 1])).all()); a, b = xo(f), xo(c); assert ok(b) and not ok(a); assert (pd.Timestamp("2000-01-01")-pd.Timestamp("1850-01-01")).days == 54786; return a.time_bnds.values[0, 0], a.time.values[0]
# ================= 26
@case("26-units-celsius-kelvin", "tasmax and tasmin say units K but hold degrees Celsius (about 0..30), while tas in the same store really is K: tas is not between tasmin and tasmax, they differ by 273.15.",
      "tasmin and tasmax; units K but values in degrees Celsius; tas not between tasmin and tasmax (273.15 off)", "ESMValGroup/ESMValCore#2842")
class C26:
    def build(p):
        lat, lon = grid(14, 18); v = 287+8*smooth((12, 14, 18), 64); dr = 4+1.5*smooth((12, 14, 18), 65)
        mk = lambda a, m: (("time", "lat", "lon"), a.astype("f4"), {"units": "K", "standard_name": "air_temperature", "cell_methods": f"time: {m}"})
        xr.Dataset({"tas": mk(v, "mean"), "tasmax": mk(v+dr, "maximum"), "tasmin": mk(v-dr, "minimum")}, {"time": pd.date_range("2015-05-01", periods=12), "lat": lat, "lon": lon}).to_zarr(p, zarr_format=3, encoding={"time": {"units": "days since 2015-05-01", "dtype": "i8"}})
    def break_(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        for n in ("tasmax", "tasmin"): g[n][:] = g[n][:]-np.float32(273.15)
    def check(f, c):
        b, a = xo(c), xo(f); assert ((b.tasmin <= b.tas) & (b.tas <= b.tasmax)).all(); assert (a.tas > a.tasmax).all(); return float(a.tasmax.max()), float(a.tas.min())
# ================= 27
@case("27-chunk-shape-edited", "field/.zarray says chunks [30,20] (grid 2x3) but the chunk files form a 3x2 grid (0.0..2.1) of [20,30] blocks: 2.0 and 2.1 are ignored, 0.2 and 1.2 are missing and read as fill value, the rest is reshuffled.",
      "field; chunks should be [20,30]; chunk keys 2.0, 2.1 lie outside the grid and 0.2, 1.2 missing", "ukaea/fair-mast#212")
class C27:
    def build(p):
        v = (300+10*smooth((60, 60), 66)).astype("f4"); g = zarr.open_group(p, mode="w", zarr_format=2); a = g.create_array("field", shape=v.shape, chunks=(20, 30), dtype="f4", fill_value="NaN"); a[:] = v; a.attrs["units"] = "K"
    def break_(p): edit(p, "field", ".zarray", lambda d: d.update(chunks=[30, 20]))
    def check(f, c):
        assert np.isfinite(zarr.open_group(c, mode="r")["field"][:]).all(); v = zarr.open_group(f, mode="r")["field"][:]; return int(np.isnan(v).sum()), sorted(x.name for x in Path(f, "field").iterdir())
# ================= 28
@case("28-month-chunks-shifted", "rain was combined from monthly files as 31-day chunks, so February's 28 days are padded: days 59-61 are NaN, March sits three days too late against time and its last three days are lost; rain_month_total for March does not match.",
      "rain; NaN at days 59-61 (Mar 1-3); March shifted by 3 days (31-day chunks, February has 28), last 3 days lost; month total disagrees", "fsspec/kerchunk#430")
class C28:
    def v(): return np.round(np.clip(rng(67).gamma(.6, 6, (90, 8)), 0, None), 1).astype("f4")
    def build(p):
        v = C28.v(); t = pd.date_range("2003-01-01", periods=90); tot = np.stack([v[:31].sum(0), v[31:59].sum(0), v[59:].sum(0)])
        xr.Dataset({"rain": (("time", "station"), v, {"units": "mm day-1"}), "rain_month_total": (("month", "station"), tot, {"units": "mm", "long_name": "monthly total of rain"})}, {"time": t, "month": [1, 2, 3], "station": np.arange(101, 109)}).to_zarr(p, zarr_format=2, encoding={"rain": {"chunks": (31, 8)}, "time": {"units": "days since 2003-01-01", "dtype": "i8"}})
    def break_(p): v = C28.v(); w = np.full_like(v, np.nan); w[:59] = v[:59]; w[62:] = v[59:87]; zarr.open_group(p, mode="r+", use_consolidated=False)["rain"][:] = w
    def check(f, c):
        d = lambda x: abs(x.rain.groupby("time.month").sum().values-x.rain_month_total.values).max(1); assert d(xo(c)).max() < .01; r = d(xo(f)); assert r[0] < .01 and r[1] < .01 and r[2] > 0; return r
WKT32 = ('PROJCS["WGS 84 / UTM zone 32N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AUTHORITY["EPSG","4326"]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1,AUTHORITY["EPSG","9001"]],AXIS["Easting",EAST],AXIS["Northing",NORTH],AUTHORITY["EPSG","32632"]]')
# ================= 29
@case("29-geotransform-10m", "spatial_ref's GeoTransform is that of the 10 m grid (pixel size 10) while x and y of this group step by 20 m: GIS readers place the image at half its extent.",
      "spatial_ref GeoTransform pixel size 10 but x/y spacing 20 m (copied from the 10 m grid)", "EOPF-Explorer/data-model#168")
class C29:
    def build(p):
        x = 600000+10+20.*np.arange(90); y = 4900020-10-20.*np.arange(70); v = (1500+900*smooth((70, 90), 68)).astype("u2")
        ds = xr.Dataset({"b05": (("y", "x"), v, {"grid_mapping": "spatial_ref", "long_name": "BOA reflectance, red edge 1, r20m"}), "spatial_ref": ((), np.int32(0), {"crs_wkt": WKT32, "grid_mapping_name": "transverse_mercator", "GeoTransform": "600000.0 20.0 0.0 4900020.0 0.0 -20.0"})}, {"x": ("x", x, {"units": "m", "standard_name": "projection_x_coordinate"}), "y": ("y", y, {"units": "m", "standard_name": "projection_y_coordinate"})})
        ds.to_zarr(p, zarr_format=3)
    def break_(p): edit(p, "spatial_ref", "zarr.json", lambda d: d["attributes"].update(GeoTransform="600000.0 10.0 0.0 4900020.0 0.0 -10.0"))
    def check(f, c):
        s = lambda q: (float(xo(q).spatial_ref.attrs["GeoTransform"].split()[1]), float(xo(q).x[1]-xo(q).x[0])); assert s(c) == (20, 20); assert s(f) == (10, 20); return s(f)
# ================= 30
@case("30-ragged-rowsize", "rowsize of trajectories 2 and 3 (drifters 64113 and 64127) are exchanged: the sum still equals obs, but the cut lies in the wrong place, so drifter 64113 contains the start of the next one (time jumps back, position jumps).",
      "rowsize entries 2 and 3 swapped (75 and 48); time not monotonic / position jump inside a trajectory", "Cloud-Drift/clouddrift#128")
class C30:
    RS = np.array([60, 52, 48, 75, 66], "i8")
    def build(p):
        r = rng(69); t, la, lo = [], [], []
        for i, n in enumerate(C30.RS): t.append(438000+24*i+6*np.arange(n)); la.append(10+12*i+np.cumsum(.05*r.standard_normal(n))+.01*np.arange(n)); lo.append(-50+9*i+np.cumsum(.06*r.standard_normal(n)))
        g = zarr.open_group(p, mode="w", zarr_format=3)
        def add(n, v, dims, **at): a = g.create_array(n, shape=v.shape, dtype=v.dtype, dimension_names=dims); a[:] = v; a.attrs.update(at)
        add("id", np.array([64101, 64108, 64113, 64127, 64130], "i8"), ("traj",), cf_role="trajectory_id"); add("rowsize", C30.RS, ("traj",), sample_dimension="obs", long_name="number of observations per trajectory")
        add("time", np.concatenate(t).astype("i8"), ("obs",), units="hours since 1970-01-01"); add("lat", np.concatenate(la).astype("f4"), ("obs",), units="degrees_north"); add("lon", np.concatenate(lo).astype("f4"), ("obs",), units="degrees_east")
        g.attrs.update({"featureType": "trajectory"}); zarr.consolidate_metadata(p)
    def break_(p): z = zarr.open_group(p, mode="r+", use_consolidated=False)["rowsize"]; z[:] = z[:][[0, 1, 3, 2, 4]]
    def check(f, c):
        def bad(q):
            x = xo(q); e = np.concatenate([[0], np.cumsum(x.rowsize.values)]); assert e[-1] == x.sizes["obs"]; return [i for i in range(5) if (np.diff(x.time.values[e[i]:e[i+1]]).astype("i8") <= 0).any() or (abs(np.diff(x.lat.values[e[i]:e[i+1]])) > 2).any()]
        assert bad(c) == []; assert bad(f); return bad(f)

# ================= run
def main(only=None):
    if not only: shutil.rmtree(ROOT, ignore_errors=True)
    ROOT.mkdir(parents=True, exist_ok=True); bad = []
    for name, suf, cls, *_ in CASES:
        if only and not any(name.startswith(o) for o in only): continue
        f, c = str(ROOT/(name+suf)), str(ROOT/(name+"-clean"+suf))
        for q in (f, c): shutil.rmtree(q, ignore_errors=True) if os.path.isdir(q) else (os.path.exists(q) and os.remove(q))
        try:
            cls.build(c); (shutil.copytree if os.path.isdir(c) else shutil.copy)(c, f); cls.break_(f); r = cls.check(f, c)
            size = sum(x.stat().st_size for x in Path(c).rglob("*") if x.is_file()) if os.path.isdir(c) else os.path.getsize(c)
            for q in (f, c):
                for x in ([Path(q)] if os.path.isfile(q) else Path(q).rglob("*")): os.utime(x, (1.75e9, 1.75e9))
            print("ok ", name, size, r)
        except BaseException as e: bad.append(name); print("BAD", name, type(e).__name__, e); traceback.print_exc(limit=-3)
    print("bad:", bad)


# What a finding on each fault must have, joined by `|`.
WORDS = [
    "hours|time_coverage", "sst|15", "t2m|packed", "elevation|_FillValue is -9999", "cloud_mask|fill value 0",
    "consolidated-differs|[20]", "0/0/0", "big-endian", "F order", "time|delta", "axis \"z\"|ome-transformations",
    "labels that are not in", "not made of", "A/3|rowIndex", "4,592|indices", "cell_type|categories", "csr_matrix",
    "0.1|1.0|each other's place", "counts/c/1/0|shard", "rounded|720575940613579317", "zip-folder|profiles.zarr", "LFS",
    "dandidownload|interrupted", "t2m|reverse", "time_bnds|1850-01-01", "\"K\"|°C", "[20,30]", "rain|59", "GeoTransform",
    "rowsize|exchanged",
]


def pack():
    with zipfile.ZipFile(HERE / "blind.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        def add(name, data):
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, data)

        def files(store):
            inside = {"store.zip": store} if store.is_file() else {p.relative_to(store).as_posix(): p for p in store.rglob("*") if p.is_file()}
            return {name: path.read_bytes() for name, path in sorted(inside.items())}

        gone = []
        for (name, suffix, *_), words in zip(CASES, WORDS, strict=True):
            clean, fault = files(ROOT / f"{name}-clean{suffix}"), files(ROOT / (name + suffix))
            for file, data in clean.items():
                add(f"{name}/clean/{file}", data)
            for file, data in fault.items():
                if clean.get(file) != data:
                    add(f"{name}/fault/{file}", data)
            gone += [f"{name}/fault/{file}" for file in clean if file not in fault]
        add("cases.json", json.dumps({case[0]: words for case, words in zip(CASES, WORDS)}, indent=1, ensure_ascii=False))
        add("gone.json", json.dumps(gone))


if __name__ == "__main__":
    main()
    if len(sys.argv) == 1:
        pack()
        shutil.rmtree(ROOT)
