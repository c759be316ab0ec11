"""Blind set 13: thirty stores with one fault that real people met, each with a clean twin.
   python blind13.py [numbers]"""
import sys, os, json, shutil, warnings, base64, re
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr
from numcodecs import Blosc
from scipy.ndimage import gaussian_filter
OUT = Path(os.environ.get("OUT", "/tmp/blind13"))
rng = lambda n: np.random.default_rng(131000 + n)
CASES = []
def case(c): CASES.append(c); return c
jr = lambda p: json.loads(Path(p).read_text())
def jw(p, d): Path(p).write_text(json.dumps(d, indent=4))
def edit(p, f):
    d = jr(p); f(d); jw(p, d)
def sync(p, fmt=2):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore"); zarr.consolidate_metadata(str(p), zarr_format=fmt)
def quiet(f, *a, **k):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore"); return f(*a, **k)
def raises(f, *exc):
    try: quiet(f)
    except (exc or Exception) as e: return e
    raise AssertionError("no error")
def warned(f):
    with warnings.catch_warnings(record=True) as w:
        warnings.simplefilter("always"); f()
    return [str(x.message) for x in w]
def strict(f, *a, **k):
    with warnings.catch_warnings():
        warnings.simplefilter("error"); return f(*a, **k)
def smooth(r, shape, s=2.0):
    f = gaussian_filter(r.standard_normal(shape), [1 if i < len(shape) - 2 else s for i in range(len(shape))], mode="wrap")
    return f / f.std()
BL = Blosc(cname="lz4", clevel=5, shuffle=Blosc.SHUFFLE)
def wx(ds, p, fmt=2, chunks=None, enc=None, consolidated=True):
    "to_zarr with the encodings that a careful writer gives"
    e = {}
    for v in ds.variables:
        e[v] = {"compressors": [BL]} if fmt == 2 else {}
        if v in ds.coords: e[v]["_FillValue"] = None
        if v in ds.data_vars and chunks: e[v]["chunks"] = tuple(chunks.get(d, n) for d, n in ds[v].sizes.items())
        if ds[v].dtype.kind == "M": e[v].update(units="hours since 1970-01-01 00:00:00", calendar="proleptic_gregorian", dtype="int64")
        if enc and v in enc: e[v].update(enc[v])
    quiet(ds.to_zarr, str(p), mode="w", zarr_format=fmt, encoding=e, consolidated=consolidated)
def T(start, n, f): return ("time", pd.date_range(start, periods=n, freq=f).astype("datetime64[ns]"), dict(standard_name="time", long_name="time", axis="T"))
def LAT(v, name="latitude"): return (name, np.asarray(v, "f8"), dict(standard_name="latitude", long_name="latitude", units="degrees_north", axis="Y"))
def LON(v, name="longitude"): return (name, np.asarray(v, "f8"), dict(standard_name="longitude", long_name="longitude", units="degrees_east", axis="X"))
def XY(n, x0, y0, d, m=None):
    m = m or n
    return {"x": ("x", x0 + d / 2 + d * np.arange(n), dict(standard_name="projection_x_coordinate", long_name="x coordinate of projection", units="m", axis="X")),
            "y": ("y", y0 - d / 2 - d * np.arange(m), dict(standard_name="projection_y_coordinate", long_name="y coordinate of projection", units="m", axis="Y"))}
def A(units, std=None, long=None, **k):
    d = dict(units=units, **k)
    if std: d["standard_name"] = std
    if long: d["long_name"] = long
    return d
G = lambda title, **k: dict(Conventions="CF-1.10", title=title, institution=k.pop("institution", "Test Institute"), source=k.pop("source", "model output"), history="2025-01-07T09:12:00Z created", **k)
def ok_cf(p, **k):
    ds = strict(xr.open_zarr, str(p), chunks=None, **k).load()
    for v in ds.variables:
        if ds[v].dtype.kind == "f": assert np.isfinite(ds[v]).all(), v
    return ds
opn = lambda p, **k: quiet(lambda: xr.open_zarr(str(p), chunks=None, **k).load())
def v2(p, name, data, chunks, attrs=None, sep=".", fill=0, comp=BL, dims=None, **k):
    g = zarr.open_group(str(p), mode="a", zarr_format=2)
    a = g.create_array(name, shape=data.shape, dtype=data.dtype, chunks=tuple(chunks), fill_value=fill, compressors=comp and [comp], attributes={**(attrs or {}), **({"_ARRAY_DIMENSIONS": list(dims)} if dims else {})},
                       chunk_key_encoding={"name": "v2", "separator": sep}, config={"write_empty_chunks": True}, **k)
    a[...] = data; return a
def v3(p, name, data, chunks, dims=None, attrs=None, fill=0, **k):
    g = zarr.open_group(str(p), mode="a", zarr_format=3)
    a = quiet(g.create_array, name, shape=data.shape, dtype=data.dtype, chunks=tuple(chunks), fill_value=fill, dimension_names=dims, attributes=attrs or {}, config={"write_empty_chunks": True}, **k)
    a[...] = data; return a
# ---- images
def nuclei(r, shape, n=25, bg=200, amp=3000, rad=4):
    im = np.zeros(shape); lab = np.zeros(shape, "u2"); gr = np.indices(shape)
    for i in range(1, n + 1):
        c = [r.uniform(2, s - 2) for s in shape]; d2 = sum((g - x) ** 2 for g, x in zip(gr, c)); q = r.uniform(.7, 1.2) * rad
        im += amp * r.uniform(.5, 1) * np.exp(-d2 / (2 * (q / 1.5) ** 2)); lab[(d2 < q * q) & (lab == 0)] = i
    return np.clip(r.poisson(im + bg), 0, 65535).astype("u2"), lab
def half(a, ax, nearest=False):
    for i in ax:
        s = [slice(None)] * a.ndim; s[i] = slice(0, 2 * (a.shape[i] // 2), 2); t = list(s); t[i] = slice(1, 2 * (a.shape[i] // 2), 2)
        a = a[tuple(s)] if nearest else ((a[tuple(s)].astype("f8") + a[tuple(t)]) / 2).astype(a.dtype)
    return a
AX = {"t": dict(name="t", type="time", unit="second"), "c": dict(name="c", type="channel")}
AX.update({k: dict(name=k, type="space", unit="micrometer") for k in "zyx"})
def ms(axes, scale, levels, name, ver="0.4", unit=None):
    ds = []
    for l in range(levels):
        f = [2 ** l if a in "yx" else 1 for a in axes]
        ct = [dict(type="scale", scale=[s * q for s, q in zip(scale, f)])]
        if l: ct.append(dict(type="translation", translation=[s * (q - 1) / 2 for s, q in zip(scale, f)]))
        ds.append(dict(path=str(l), coordinateTransformations=ct))
    ax = [dict(AX[a]) for a in axes]
    if unit:
        for a in ax:
            if a["type"] == "space": a["unit"] = unit
    m = dict(name=name, axes=ax, datasets=ds)
    if ver == "0.4": m["version"] = "0.4"
    return m
def omero(chans, hi): return dict(channels=[dict(label=l, color=c, active=True, coefficient=1, family="linear", inverted=False, window=dict(min=0, max=65535, start=100, end=int(h))) for (l, c), h in zip(chans, hi)], rdefs=dict(defaultT=0, defaultZ=0, model="color"))
def img04(p, data, axes, scale, name, chans=None, levels=2, label=False, unit=None, chunks=None, src=None):
    g = zarr.open_group(str(p), mode="a", zarr_format=2); a = data; sp = [i for i, x in enumerate(axes) if x in "yx"]
    for l in range(levels):
        v2(p, str(l), a, chunks or [1 if x in "tcz" else min(64, s) for x, s in zip(axes, a.shape)], sep="/"); a = half(a, sp, label)
    at = {"multiscales": [ms(axes, scale, levels, name, unit=unit)]}
    if chans: at["omero"] = omero(chans, [np.percentile(data[i], 99.5) for i in range(len(chans))])
    if label: at["image-label"] = dict(version="0.4", source=dict(image=src or "../../"))
    g.attrs.update(at)
def okome(p):
    import ome_zarr_models
    o = quiet(ome_zarr_models.open_ome_zarr, zarr.open_group(str(p), mode="r")); return o
chunkfiles = lambda p: sorted(x for x in Path(p).rglob("*") if x.is_file() and not x.name.startswith(".z") and x.name != "zarr.json")

@case
class c01:
    n = "wb2-incomplete-copy"; t = "google-research/weatherbench2#50"
    f = "Local copy of an ERA5 store: the chunk files of v_component_of_wind for time steps 8 to 15 did not come along, so v is NaN there; the other variables are whole."
    a = "Chunk files of v_component_of_wind are missing for time steps 8-15 (incomplete copy; read as NaN), while u and temperature have all of theirs."
    w = "v_component_of_wind|chunk"
    def clean(p):
        r = rng(1); s = (24, 2, 12, 24); la = np.linspace(82.5, -82.5, 12); c = np.cos(np.deg2rad(la))[:, None]
        D = ("time", "level", "latitude", "longitude")
        ds = xr.Dataset({"u_component_of_wind": (D, (8 * c + 6 * smooth(r, s)).astype("f4"), A("m s-1", "eastward_wind", "U component of wind")),
            "v_component_of_wind": (D, (5 * smooth(r, s)).astype("f4"), A("m s-1", "northward_wind", "V component of wind")),
            "temperature": (D, (230 + 45 * c + np.array([0, 18])[:, None, None] + 2 * smooth(r, s)).astype("f4"), A("K", "air_temperature", "Temperature"))},
            coords=dict(time=T("1959-01-01", 24, "6h"), level=("level", np.array([500, 850]), A("hPa", "air_pressure", "pressure level", positive="down", axis="Z")), latitude=LAT(la), longitude=LON(np.arange(24) * 15.)), attrs=G("ERA5 6-hourly, equiangular with poles cut", source="ERA5"))
        wx(ds, p, chunks=dict(time=4))
    def fault(p):
        for k in ("2.0.0.0", "3.0.0.0"): (p / "v_component_of_wind" / k).unlink()
    def check(c, f):
        ok_cf(c); ds = opn(f); assert ds.v_component_of_wind.isel(time=slice(8, 16)).isnull().all() and ds.u_component_of_wind.notnull().all() and ds.v_component_of_wind.isnull().sum() == 8 * 2 * 12 * 24
@case
class c02:
    n = "append-lost-blocks"; t = "pydata/xarray#8882"
    f = "Appended with dask chunks of 10x10 on zarr chunks of 20x20: parallel writers overwrote one another, so in the appended months quarters of chunks of ndvi stayed NaN although the chunk files are there."
    a = "In the appended time steps (from index 4) rectangular parts (10x10) of the 20x20 chunks of ndvi are NaN: lost by misaligned parallel writes on append."
    w = "ndvi|NaN"
    def clean(p):
        r = rng(2); s = (8, 40, 40); seas = .25 * np.sin(np.linspace(0, 3, 8))[:, None, None]
        ds = xr.Dataset({"ndvi": (("time", "lat", "lon"), np.clip(.35 + seas + .08 * smooth(r, s, 4), -.1, .95).astype("f4"), A("1", "normalized_difference_vegetation_index", "NDVI monthly composite"))},
            coords=dict(time=T("2023-01-01", 8, "MS"), lat=LAT(np.linspace(-2.05, -5.95, 40), "lat"), lon=LON(np.linspace(30.05, 33.95, 40), "lon")), attrs=G("NDVI monthly composites", source="Sentinel-2 L2A"))
        wx(ds, p, chunks=dict(time=1, lat=20, lon=20))
    def fault(p):
        r = rng(102); a = zarr.open_array(str(p / "ndvi"), mode="r+")
        for t in range(4, 8):
            for y in (0, 20):
                for x in (0, 20):
                    for q in r.permutation(4)[:r.integers(1, 4)]:
                        y0, x0 = y + 10 * (q // 2), x + 10 * (q % 2); a[t, y0:y0 + 10, x0:x0 + 10] = np.nan
    def check(c, f):
        ok_cf(c); a = opn(f).ndvi.values; assert np.isfinite(a[:4]).all() and .2 < np.isnan(a[4:]).mean() < .8 and len(chunkfiles(f)) == len(chunkfiles(c))
@case
class c03:
    n = "int16-wrap"; t = "pydata/xarray#5739"
    f = "Two ERA5 files joined and written with the packing (int16 scale_factor/add_offset) of the February file: the warmer May values do not fit into int16 and wrap round, so May shows values about 16 K too cold, in patches with hard edges."
    a = "t2m: packed int16 values wrapped (overflow) because scale_factor/add_offset do not span the data; part of the second half (May) decodes to values about 16 K too cold."
    w = "t2m|int16"
    def data():
        r = rng(3); h = np.arange(48); base = np.where(h < 24, 291., 301.)[:, None, None]; di = 5 * np.sin((h % 24 - 9) / 24 * 2 * np.pi)[:, None, None]
        x = (base + di + 1.2 * smooth(r, (48, 12, 16))).astype("f4"); tm = pd.date_range("2019-02-10", periods=24, freq="h").append(pd.date_range("2019-05-10", periods=24, freq="h")).astype("datetime64[ns]")
        return x, xr.Dataset({"t2m": (("time", "latitude", "longitude"), x, A("K", "air_temperature", "2 metre temperature"))}, coords=dict(time=("time", tm, dict(standard_name="time", long_name="time", axis="T")), latitude=LAT(np.arange(21, 18, -.25)[:12]), longitude=LON(77 + .25 * np.arange(16))), attrs=G("ERA5 hourly 2 m temperature", source="ERA5 reanalysis"))
    def put(p, ref):
        x, ds = c03.data(); x = x.copy(); lo, hi = float(ref(x).min()), float(ref(x).max()); sf = (hi - lo) / 65532; ao = (hi + lo) / 2
        ds["t2m"].values[:] = 0
        raw = np.rint((x.astype("f8") - ao) / sf).astype("i8"); raw = ((raw + 32768) % 65536 - 32768).astype("i2")
        wx(ds, p, chunks=dict(time=24), enc=dict(t2m=dict(dtype="int16", scale_factor=sf, add_offset=ao, _FillValue=-32767)))
        zarr.open_array(str(p / "t2m"), mode="r+")[...] = np.where(raw == -32767, -32766, raw)
    def clean(p): c03.put(p, lambda x: x)
    def fault(p): shutil.rmtree(p); c03.put(p, lambda x: x[:24])
    def check(c, f):
        x, _ = c03.data(); a = ok_cf(c).t2m.values; assert np.abs(a - x).max() < .01
        b = opn(f).t2m.values; assert np.abs(b[:24] - x[:24]).max() < .01 and .3 < (np.abs(b[24:] - x[24:]) > 10).mean() < .95
@case
class c04:
    n = "scale-on-unpacked"; t = "JuliaDataCubes/YAXArrays.jl#495"
    f = "A cube that was read (unpacked) and saved again by YAXArrays: the values on disk are brightness temperatures in kelvin already (float64), but scale_factor 0.01 and add_offset 283.73 of the packed source still stand in the attributes, so every CF reader unpacks twice."
    a = "s7_bt_in holds unpacked floating-point kelvin values and yet carries scale_factor/add_offset; they are applied a second time (all decode to about 286.5 K)."
    w = "s7_bt_in|scale_factor"
    AT = A("K", "toa_brightness_temperature", "gridded pixel brightness temperature for channel s7 (1km TIR grid, nadir view)")
    def ds():
        r = rng(4); x = np.round(288 + 9 * smooth(r, (60, 48), 5), 2)
        return x, xr.Dataset({"s7_bt_in": (("rows", "columns"), x, c04.AT)}, coords=dict(latitude=(("rows", "columns"), 44 - .009 * np.arange(60)[:, None] + 0 * x, dict(standard_name="latitude", units="degrees_north", long_name="latitude")), longitude=(("rows", "columns"), 7 + .012 * np.arange(48)[None] + 0 * x, dict(standard_name="longitude", units="degrees_east", long_name="longitude"))), attrs=G("SLSTR L1B 1 km TIR nadir", source="Sentinel-3A SLSTR"))
    def clean(p): wx(c04.ds()[1], p, chunks=dict(rows=30), enc=dict(s7_bt_in=dict(dtype="int16", scale_factor=.01, add_offset=283.73, _FillValue=-32768)))
    def fault(p):
        x, _ = c04.ds(); at = jr(p / "s7_bt_in/.zattrs"); shutil.rmtree(p / "s7_bt_in"); v2(p, "s7_bt_in", x, (30, 48), at, fill=-32768.0); sync(p)
    def check(c, f):
        x, _ = c04.ds(); assert np.abs(ok_cf(c).s7_bt_in - x).max() < .006; b = opn(f).s7_bt_in.values; assert b.max() - b.min() < 1 and np.allclose(b, x * .01 + 283.73)
@case
class c05:
    n = "precip-in-metres"; t = "metno/bris-inference#60"
    f = "precipitation_amount says units kg/m2 (mm), but the values are metres: a thousand times too small."
    a = "precipitation_amount: the unit kg/m2 does not fit the values (largest about 0.03): they are in metres, a factor 1000 too small."
    w = "precipitation_amount|kg/m2"
    def clean(p, k=1.):
        r = rng(5); s = (10, 30, 36); g = smooth(r, s, 3); pr = np.clip(g - .4, 0, None) ** 1.5 * 7
        ds = xr.Dataset({"precipitation_amount": (("time", "y", "x"), (pr * k).astype("f4"), A("kg/m2", "precipitation_amount", "Precipitation accumulated over 6 h", cell_methods="time: sum", grid_mapping="projection")),
            "air_temperature_2m": (("time", "y", "x"), (276 + 4 * smooth(r, s, 4)).astype("f4"), A("K", "air_temperature", "Screen level temperature (T2M)", grid_mapping="projection")),
            "projection": ((), np.int32(0), dict(grid_mapping_name="lambert_conformal_conic", standard_parallel=[63.3, 63.3], longitude_of_central_meridian=15.0, latitude_of_projection_origin=63.3, earth_radius=6371000.0))},
            coords=dict(time=T("2025-02-01T06", 10, "6h"), **XY(36, -200000, 300000, 10000, 30)), attrs=G("Bris forecast", institution="MET Norway"))
        wx(ds, p, chunks=dict(time=5))
    def fault(p): shutil.rmtree(p); c05.clean(p, 1e-3)
    def check(c, f):
        a, b = ok_cf(c).precipitation_amount, opn(f).precipitation_amount; assert 8 < a.max() < 80 and np.allclose(b * 1000, a, rtol=1e-5) and b.attrs["units"] == "kg/m2"
@case
class c06:
    n = "glm-zero-fill"; t = "deeplycloudy/glmtools#78"
    f = "flash_extent_density has _FillValue 0, though 0 (no flash seen) is a valid and by far the commonest value: more than 90 % of the pixels become NaN."
    a = "flash_extent_density: the fill value (_FillValue, stored as fill_value in .zarray) is 0, a valid value (no lightning), so all zero pixels are masked to NaN."
    w = "flash_extent_density|fill_value"
    def clean(p, fv=65535):
        r = rng(6); n = 48; x = np.zeros((6, n, n)); c = r.uniform(8, 40, (5, 2))
        for i in range(6):
            for k in range(5):
                q = c[k] + i; d = (np.arange(n)[:, None] - q[0]) ** 2 + (np.arange(n)[None] - q[1]) ** 2; x[i] += r.poisson(9 * np.exp(-d / 4))
        xy = lambda nm, v, ax: (nm, v, dict(standard_name=f"projection_{nm}_angular_coordinate", long_name=f"GOES fixed grid projection {nm}-coordinate", units="rad", axis=ax))
        ds = xr.Dataset({"flash_extent_density": (("time", "y", "x"), x.astype("f8"), A("1", None, "Flash extent density", grid_mapping="goes_imager_projection")),
            "goes_imager_projection": ((), np.int32(0), dict(grid_mapping_name="geostationary", perspective_point_height=35786023.0, semi_major_axis=6378137.0, semi_minor_axis=6356752.31414, latitude_of_projection_origin=0.0, longitude_of_projection_origin=-75.0, sweep_angle_axis="x"))},
            coords=dict(time=T("2020-09-01T18:00", 6, "min"), x=xy("x", -.03 + 5.6e-5 * np.arange(n), "X"), y=xy("y", .1 - 5.6e-5 * np.arange(n), "Y")), attrs=G("GLM gridded 1 min", source="GOES-16 GLM"))
        wx(ds, p, chunks=dict(time=3), enc=dict(flash_extent_density=dict(dtype="uint16", _FillValue=fv), time=dict(units="minutes since 2020-09-01 00:00:00")))
    def fault(p):
        edit(p / "flash_extent_density/.zarray", lambda d: d.update(fill_value=0)); at = p / "flash_extent_density/.zattrs"; edit(at, lambda d: d.update(_FillValue=0) if "_FillValue" in d else None); sync(p)
    def check(c, f):
        a, b = ok_cf(c).flash_extent_density, opn(f).flash_extent_density; assert (a == 0).mean() > .9 and b.isnull().equals(a == 0)
@case
class c07:
    n = "no-fillvalue-attr"; t = "EOPF-Explorer/data-model#171"
    f = "V3 array with zarr fill_value -9999 and nodata pixels of -9999 but without the attribute _FillValue: xarray does not mask them, and means are far off."
    a = "vv: nodata pixels hold -9999 (the zarr fill_value) but no _FillValue attribute says so, hence -9999 is taken as data by CF readers."
    w = "vv|_FillValue|-9999"
    def clean(p):
        from xarray.backends.zarr import FillValueCoder
        r = rng(7); x = np.exp(-2.2 + .5 * smooth(r, (60, 60), 2)).astype("f4"); yy, xx = np.indices(x.shape); x[xx < 14 - yy * .2] = -9999
        zarr.open_group(str(p), mode="w", zarr_format=3, attributes=G("Sentinel-1 GRD RTC", source="Sentinel-1A"))
        v3(p, "vv", x, (30, 30), ("y", "x"), A("1", None, "gamma0 backscatter VV", grid_mapping="spatial_ref", coordinates="spatial_ref", _FillValue=FillValueCoder.encode(np.float32(-9999), np.dtype("f4"))), fill=-9999.0)
        from pyproj import CRS
        for k, (d, v, at) in XY(60, 500000, 5100000, 10).items(): v3(p, k, v, (60,), (d,), at)
        v3(p, "spatial_ref", np.array(0), (), (), quiet(CRS.from_epsg(32632).to_cf)); sync(p, 3)
    def fault(p): edit(p / "vv/zarr.json", lambda d: d["attributes"].pop("_FillValue")); sync(p, 3)
    def check(c, f):
        a = strict(xr.open_zarr, str(c), chunks=None).vv.load(); assert .01 < a.isnull().mean() < .2 and a.min() > 0; b = opn(f).vv; assert b.min() == -9999 and b.notnull().all()
@case
class c08:
    n = "no-grid-mapping"; t = "EOPF-Explorer/data-model#176"
    f = "The Sentinel-1 RTC store gives its CRS only as group attribute proj:code; there is no spatial_ref coordinate and no grid_mapping attribute, so rio.crs is None."
    a = "The variables vv and vh in ascending/r10m have projected x/y but no grid_mapping attribute and no spatial_ref variable: CF readers find no CRS (only proj:code in the group)."
    w = "r10m|grid_mapping"
    def clean(p, gm=True):
        from pyproj import CRS
        r = rng(8); g = zarr.open_group(str(p), mode="w", zarr_format=3, attributes=G("Sentinel-1 GRD RTC tile 32TPS", source="Sentinel-1A GRD")); q = p / "ascending/r10m"
        g.create_group("ascending", attributes={"orbit_direction": "ascending"}); zarr.open_group(str(q), mode="w", zarr_format=3, attributes={"proj:code": "EPSG:32632"})
        e = dict(grid_mapping="spatial_ref", coordinates="spatial_ref") if gm else {}
        for b, m in (("vv", -2.2), ("vh", -3.6)): v3(q, b, np.exp(m + .5 * smooth(r, (3, 50, 50))).astype("f4"), (1, 50, 50), ("time", "y", "x"), A("1", None, f"gamma0 backscatter {b.upper()}", **e), fill=np.nan)
        for k, (d, v, at) in XY(50, 600000, 5100000, 10).items(): v3(q, k, v, (50,), (d,), at)
        v3(q, "time", np.array([0, 12, 24]), (3,), ("time",), dict(units="days since 2025-03-03", calendar="proleptic_gregorian", standard_name="time", axis="T"))
        if gm: v3(q, "spatial_ref", np.array(0), (), (), quiet(CRS.from_epsg(32632).to_cf))
        sync(p, 3)
    def fault(p): shutil.rmtree(p); c08.clean(p, False)
    def check(c, f):
        import rioxarray
        k = dict(group="ascending/r10m", decode_coords="all"); assert ok_cf(c, **k).vv.rio.crs.to_epsg() == 32632; assert opn(f, **k).vv.rio.crs is None
@case
class c09:
    n = "level-without-units"; t = "google-research/arco-era5#88"
    f = "The pressure coordinate level has no units attribute (hPa missing)."
    a = "Coordinate level (pressure levels) has no units; it should be hPa."
    w = "level|units"
    def clean(p):
        r = rng(9); lv = np.array([300, 500, 700, 850, 1000]); s = (6, 5, 18, 36); la = np.linspace(85, -85, 18)
        z = 9.80665 * np.array([9160, 5570, 3010, 1460, 110])[:, None, None] + 1500 * np.cos(np.deg2rad(la))[:, None] + 300 * smooth(r, s)
        ds = xr.Dataset({"geopotential": (("time", "level", "latitude", "longitude"), z.astype("f4"), A("m2 s-2", "geopotential", "Geopotential")), "specific_humidity": (("time", "level", "latitude", "longitude"), (np.exp(-9 + np.arange(5) * .9)[:, None, None] * np.exp(.3 * smooth(r, s))).astype("f4"), A("kg kg-1", "specific_humidity", "Specific humidity"))},
            coords=dict(time=T("2021-03-01", 6, "h"), level=("level", lv, A("hPa", "air_pressure", "pressure level", positive="down", axis="Z")), latitude=LAT(la), longitude=LON(np.arange(36) * 10.)), attrs=G("ARCO ERA5 37-level subset", source="ERA5"))
        wx(ds, p, chunks=dict(time=1))
    def fault(p): edit(p / "level/.zattrs", lambda d: d.pop("units")); sync(p)
    def check(c, f): assert ok_cf(c).level.units == "hPa"; assert "units" not in opn(f).level.attrs
@case
class c10:
    n = "stop-date-before-data"; t = "google-research/arco-era5#128"
    f = "The store's attribute valid_time_stop was set to 2026-02-25 before the data of that day were written: all variables are NaN (no chunks) on the last day."
    a = "Attribute valid_time_stop says 2026-02-25, but the data of that day (last 4 steps of every variable) are not there: NaN, chunks not written; the data end on 2026-02-24."
    w = "valid_time_stop|2026-02-2"
    def clean(p):
        r = rng(10); s = (20, 18, 36); D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"100m_u_component_of_wind": (D, (7 * smooth(r, s)).astype("f4"), A("m s-1", "eastward_wind", "100 metre U wind component")), "2m_temperature": (D, (283 + 12 * smooth(r, s, 3)).astype("f4"), A("K", "air_temperature", "2 metre temperature"))},
            coords=dict(time=T("2026-02-21", 20, "6h"), latitude=LAT(np.linspace(85, -85, 18)), longitude=LON(np.arange(36) * 10.)), attrs={**G("ARCO ERA5 subset", source="ERA5"), "valid_time_start": "2026-02-21", "valid_time_stop": "2026-02-25", "last_updated": "2026-03-03 18:20:11+00:00"})
        wx(ds, p, chunks=dict(time=4))
    def fault(p):
        for v in ("100m_u_component_of_wind", "2m_temperature"): (p / v / "4.0.0").unlink()
    def check(c, f):
        ok_cf(c); b = opn(f); assert b.sel(time="2026-02-25").isnull().all().to_array().all() and b.sel(time=slice(None, "2026-02-24")).notnull().all().to_array().all()
@case
class c11:
    n = "zmetadata-renamed"; t = "TGSAI/mdio-python#43"
    f = "FSStore with dimension_separator '/' replaced the dot in the key: the consolidated metadata were written as 'zmetadata' instead of '.zmetadata', so open_consolidated fails."
    a = "The root has a file 'zmetadata' where '.zmetadata' should be: the consolidated metadata are under a wrong name and are not found."
    w = "zmetadata|consolidated"
    def clean(p):
        r = rng(11); n = (20, 24, 64); tr = gaussian_filter(r.standard_normal(n), [1.5, 1.5, 1]); tr = (tr / tr.std()).astype("f4")
        g = zarr.open_group(str(p), mode="w", zarr_format=2); g.attrs.update(api_version="0.2.1", created="2022-08-30 14:05:11.120384+00:00", dimension=[dict(name="inline", coords=list(range(100, 120))), dict(name="crossline", coords=list(range(300, 324))), dict(name="sample", coords=list(range(0, 256, 4)))], name="Stratton 3D", trace_count=480, mean=float(tr.mean()), std=float(tr.std()), rms=float(np.sqrt((tr ** 2).mean())), min=float(tr.min()), max=float(tr.max()))
        d, m = g.create_group("data"), g.create_group("metadata")
        m.attrs.update(text_header=[f"C{i + 1:2d} ".ljust(80) for i in range(4)])
        v2(p, "data/chunked_012", tr, (10, 12, 32), sep="/", fill=np.nan, dims=("inline", "crossline", "sample"))
        v2(p, "metadata/live_mask", np.ones(n[:2], bool), n[:2], sep="/", fill=False, dims=("inline", "crossline"))
        h = np.zeros(n[:2], [("189", "<i4"), ("193", "<i4")]); h["189"] = np.arange(100, 120)[:, None]; h["193"] = np.arange(300, 324)
        for k in ("189", "193"): v2(p, f"metadata/header_{k}", h[k].copy(), n[:2], sep="/", dims=("inline", "crossline"))
        sync(p)
    def fault(p): (p / ".zmetadata").rename(p / "zmetadata")
    def check(c, f):
        g = strict(zarr.open_consolidated, str(c), zarr_format=2); assert np.isfinite(g["data/chunked_012"][:]).all(); raises(lambda: zarr.open_consolidated(str(f), zarr_format=2)); assert (f / "zmetadata").exists()
@case
class c12:
    n = "zmetadata-old-shape"; t = "nasa/harmony-netcdf-to-zarr#35"
    f = ".zmetadata was written before the granules were joined: it still has the shape of the first granule (time 1), while the .zarray files (and the chunks) hold 6 granules."
    a = ".zmetadata is out of date: its shapes (time length 1) of precipitationCal and time differ from the .zarray files (length 6), so consolidated readers see only the first granule."
    w = ".zmetadata|shape"
    def clean(p):
        r = rng(12); s = (6, 40, 30); g = smooth(r, s, 2)
        ds = xr.Dataset({"precipitationCal": (("time", "lon", "lat"), np.where(g > .8, (g - .8) * 9, 0).astype("f4"), A("mm/hr", "rainfall_rate", "Complete merged microwave-infrared precipitation estimate"))},
            coords=dict(time=T("2020-01-01", 6, "30min"), lon=LON(-77.95 + .1 * np.arange(40), "lon"), lat=LAT(36.05 + .1 * np.arange(30), "lat")), attrs=G("GPM IMERG half hourly", source="GPM_3IMERGHH"))
        wx(ds, p, chunks=dict(time=1), enc=dict(time=dict(units="seconds since 1970-01-01 00:00:00", chunks=(1,))))
    def fault(p):
        def e(d):
            for k in ("time", "precipitationCal"): d["metadata"][k + "/.zarray"]["shape"][0] = 1
        edit(p / ".zmetadata", e)
    def check(c, f):
        assert ok_cf(c).sizes["time"] == 6; assert opn(f).sizes["time"] == 1 and opn(f, consolidated=False).sizes["time"] == 6
@case
class c13:
    n = "appledouble-files"; t = "pydata/xarray#10616"
    f = "A V3 store that passed through a Mac: AppleDouble files ._zarr.json (and ._c) lie beside the real ones; zarr warns that '._zarr.json is not recognized as a component of a Zarr hierarchy'."
    a = "Files ._zarr.json (AppleDouble, resource forks of macOS) lie in the store: remove them; they are no part of the Zarr hierarchy."
    w = "._zarr.json|mac"
    def clean(p):
        r = rng(13); n, m = 12, 24
        st = dict(station=("station", np.arange(1001, 1001 + n), dict(long_name="station number", cf_role="timeseries_id")), latitude=("station", np.round(r.uniform(30, 60, n), 3), dict(standard_name="latitude", long_name="station latitude", units="degrees_north")), longitude=("station", np.round(r.uniform(-10, 30, n), 3), dict(standard_name="longitude", long_name="station longitude", units="degrees_east")))
        ds = xr.Dataset({"t2m": (("station", "time"), (285 + 5 * np.sin(np.arange(m) / 24 * 6.28) + r.normal(0, 1, (n, m))).astype("f4"), A("K", "air_temperature", "2 m temperature")), "msl": (("station", "time"), (101300 + 300 * r.standard_normal((n, m)).cumsum(1) * .2).astype("f4"), A("Pa", "air_pressure_at_mean_sea_level", "Mean sea level pressure"))}, coords=dict(time=T("2023-01-01", m, "h"), **st), attrs={**G("WeatherReal-ISD station observations", source="ISD"), "featureType": "timeSeries"})
        wx(ds, p, fmt=3, consolidated=False)
    def fault(p):
        h = bytes.fromhex("00051607000200004d6163204f5320582020202020202020000200000009000000320000007100000002000000a300000000") + b"\0" * 36 + b"ATTR" + b"\0" * 74
        for z in list(p.rglob("zarr.json")): (z.parent / "._zarr.json").write_bytes(h)
        for z in list(p.glob("*/c")): (z.parent / "._c").write_bytes(h)
    def check(c, f):
        ok_cf(c, consolidated=False); w = warned(lambda: zarr.open_group(str(f), mode="r", zarr_format=3, use_consolidated=False).members()); assert any("._zarr.json" in m for m in w), w
@case
class c14:
    n = "root-dotfiles-lost"; t = "zarr-developers/zarr-python#304"
    f = "Uploaded with ./*: the hidden files of the top folder (.zgroup, .zattrs, .zmetadata) did not come along, those of the arrays did: 'group not found at path'."
    a = "The root has no .zgroup (nor .zattrs/.zmetadata) though arrays lie below: the hidden files of the top folder were not copied; the group cannot be opened."
    w = ".zgroup|root"
    def clean(p):
        r = rng(14); s = (2, 6, 30, 30); m = np.clip(.6 + .35 * smooth(r, s, 4), 0, 1)
        ds = xr.Dataset({"sic": (("model", "time", "y", "x"), m.astype("f4"), A("1", "sea_ice_area_fraction", "Sea ice concentration", grid_mapping="crs")), "crs": ((), np.int32(0), dict(grid_mapping_name="polar_stereographic", straight_vertical_longitude_from_pole=-45.0, latitude_of_projection_origin=90.0, standard_parallel=70.0, semi_major_axis=6378273.0, semi_minor_axis=6356889.449, false_easting=0.0, false_northing=0.0))},
            coords=dict(time=T("2018-09-01", 6, "D"), model=("model", np.arange(2), dict(long_name="model number")), **XY(30, -1500000, 1500000, 100000)), attrs=G("SIPN2 sea ice forecasts"))
        wx(ds, p, chunks=dict(model=1, time=3))
    def fault(p):
        for k in (".zgroup", ".zattrs", ".zmetadata"): (p / k).unlink()
    def check(c, f): ok_cf(c); raises(lambda: zarr.open_group(str(f), mode="r")); raises(lambda: xr.open_zarr(str(f)))
@case
class c15:
    n = "no-dimension-names"; t = "pydata/xarray#9970"
    f = "A 'plain' V3 store of zarr-python without dimension_names: xarray cannot open it."
    a = "The arrays (discharge, time, gauge) have no dimension_names (V3), which xarray needs: name them (time, gauge)."
    w = "discharge|dimension_names"
    def clean(p, dn=True):
        r = rng(15); q = np.exp(2.5 + .6 * np.cumsum(r.standard_normal((96, 8)), 0) * .12); zarr.open_group(str(p), mode="w", zarr_format=3, attributes=G("Hourly discharge", source="gauge network"))
        v3(p, "discharge", q.astype("f4"), (48, 8), ("time", "gauge") if dn else None, A("m3 s-1", "water_volume_transport_in_river_channel", "Discharge at gauge"), fill=np.nan)
        v3(p, "time", np.arange(96) + 464592, (96,), ("time",) if dn else None, dict(units="hours since 1970-01-01", calendar="proleptic_gregorian", standard_name="time", axis="T"))
        v3(p, "gauge", np.arange(20101, 20109), (8,), ("gauge",) if dn else None, dict(long_name="gauge number"))
    def fault(p): shutil.rmtree(p); c15.clean(p, False)
    def check(c, f): ok_cf(c, consolidated=False); raises(lambda: xr.open_zarr(str(f), consolidated=False)); assert np.isfinite(zarr.open_group(str(f))["discharge"][:]).all()
@case
class c16:
    n = "netcdf3-big-endian"; t = "zarr-developers/VirtualiZarr#750"
    f = "References/chunks from a netCDF-3 file, whose bytes are big-endian, under a bytes codec that says little: the data are gibberish."
    a = "tos: the chunk bytes are big-endian (netCDF-3), but the bytes codec says endian little; swapped, the values are sensible sea surface temperatures."
    w = "tos|endian"
    def clean(p):
        r = rng(16); s = (4, 30, 40); la = np.linspace(-29, 29, 30); x = (27 - .006 * la[:, None] ** 2 + .7 * smooth(r, s)).astype("f4"); zarr.open_group(str(p), mode="w", zarr_format=3, attributes=G("CMIP6 tos test", source="CMIP6"))
        v3(p, "tos", x, (1, 30, 40), ("time", "lat", "lon"), A("degC", "sea_surface_temperature", "Sea Surface Temperature"), fill=np.nan, compressors=None)
        for k, (d, v, at) in dict(lat=LAT(la, "lat"), lon=LON(150.5 + np.arange(40) * 2, "lon")).items(): v3(p, k, v, v.shape, (d,), at, compressors=None)
        v3(p, "time", np.array([15.5, 45, 74.5, 105]), (4,), ("time",), dict(units="days since 2000-01-01", calendar="proleptic_gregorian", standard_name="time", axis="T"), compressors=None)
    def fault(p):
        for k in chunkfiles(p / "tos"): k.write_bytes(np.frombuffer(k.read_bytes(), "<f4").astype(">f4").tobytes())
    def check(c, f):
        a, b = ok_cf(c, consolidated=False).tos, opn(f, consolidated=False).tos; assert 15 < a.min() and a.max() < 35 and not (np.nanmax(np.abs(b)) < 1e4) and np.allclose(b.values.byteswap(), a)
@case
class c17:
    n = "empty-dimension-names"; t = "CliMA/Oceananigans.jl#5876"
    f = "The averaged field U_avg keeps its singleton axes with empty strings as dimension names: two dimensions are both called ''."
    a = "U_avg: _ARRAY_DIMENSIONS is [time, zC, '', '']: empty and doubled dimension names for the two reduced (length 1) axes, which break labelled access."
    w = "U_avg|dimension"
    def clean(p, bad=False):
        r = rng(17); n = (5, 16, 12, 20); z = -100 + 6.25 * (np.arange(16) + .5); u = .3 * np.exp(z / 30)[:, None, None] + .05 * smooth(r, n); g = zarr.open_group(str(p), mode="w", zarr_format=2); g.attrs.update(G("Oceananigans LES", source="Oceananigans.jl"))
        v2(p, "u", u.astype("f4"), (1, 16, 12, 20), A("m s-1", "sea_water_x_velocity", "Velocity in the x-direction"), dims=("time", "zC", "yC", "xC"), fill=None)
        av = u.mean((2, 3), keepdims=bad).astype("f4"); v2(p, "U_avg", av, (1,) + av.shape[1:], A("m s-1", None, "Horizontally averaged velocity in the x-direction"), dims=("time", "zC", "", "") if bad else ("time", "zC"), fill=None)
        v2(p, "time", np.arange(5) * 600., (5,), dict(units="seconds since 2000-01-01 00:00:00", calendar="proleptic_gregorian", standard_name="time", axis="T"), dims=("time",), fill=None)
        for k, v, at in (("xC", 5. + 10 * np.arange(20), dict(axis="X", long_name="x, cell centres")), ("yC", 5. + 10 * np.arange(12), dict(axis="Y", long_name="y, cell centres")), ("zC", z, dict(axis="Z", positive="up", standard_name="height_above_geopotential_datum", long_name="z, cell centres"))): v2(p, k, v, v.shape, dict(units="m", **at), dims=(k,), fill=None)
    def fault(p): shutil.rmtree(p); c17.clean(p, True)
    def check(c, f):
        ok_cf(c, consolidated=False); ds = None
        try: w = warned(lambda: xr.open_zarr(str(f), consolidated=False, chunks=None)); assert any("uplicate dim" in m for m in w), w
        except ValueError as e: assert "imension" in str(e)
@case
class c18:
    n = "truncated-blosc-chunk"; t = "echostack-org/echopype#1338"
    f = "A chunk of backscatter_r is damaged (shorter than its Blosc header says): error during blosc decompression."
    a = "Sonar/Beam_group1/backscatter_r: chunk 0.1.0 is truncated: the file is shorter than the compressed size in its Blosc header and cannot be decompressed."
    w = "backscatter_r|0.1.0"
    def clean(p):
        r = rng(18); n = (2, 60, 80); rs = np.arange(80); x = -65 - 20 * np.exp(-rs / 8) + 3 * smooth(r, n, 1.2) + 25 * np.exp(-(rs - 62) ** 2 / 6)
        zarr.open_group(str(p), mode="w", zarr_format=2).attrs.update(Conventions="CF-1.10, SONAR-netCDF4-1.0, ACDD-1.3", title="EK60 survey", sonar_convention_name="SONAR-netCDF4", sonar_convention_version="1.0"); zarr.open_group(str(p / "Sonar"), mode="w", zarr_format=2).attrs.update(sonar_manufacturer="Simrad", sonar_model="EK60"); q = p / "Sonar/Beam_group1"; zarr.open_group(str(q), mode="w", zarr_format=2).attrs.update(beam_mode="vertical", conversion_equation_t="type_3")
        v2(q, "backscatter_r", x.astype("f4"), (1, 30, 80), A("dB", None, "Raw backscatter measurements (real part)"), dims=("channel", "ping_time", "range_sample"), fill=np.nan)
        v2(q, "frequency_nominal", np.array([38000., 120000.]), (2,), A("Hz", "sound_frequency", "Transducer frequency"), dims=("channel",), fill=None)
        v2(q, "channel", np.arange(2), (2,), dict(long_name="Channel index"), dims=("channel",), fill=None); v2(q, "range_sample", rs, (80,), dict(long_name="Along-range sample number, base 0"), dims=("range_sample",), fill=None)
        v2(q, "ping_time", np.arange(60) * 1000, (60,), dict(units="milliseconds since 2017-07-25 10:00:00", calendar="proleptic_gregorian", standard_name="time", axis="T", long_name="Timestamp of each ping"), dims=("ping_time",), fill=None); sync(p)
    def fault(p): k = p / "Sonar/Beam_group1/backscatter_r/0.1.0"; b = k.read_bytes(); k.write_bytes(b[:len(b) * 6 // 10])
    def check(c, f):
        ok_cf(c, group="Sonar/Beam_group1"); b = (f / "Sonar/Beam_group1/backscatter_r/0.1.0").read_bytes(); n = int.from_bytes(b[12:16], "little"); assert n > len(b)
        # numcodecs reads past a short buffer, so what it says depends on the memory behind it: give it definite bytes
        try: assert BL.decode(b + b"\xff" * (n - len(b))) != zarr.open_array(str(c / "Sonar/Beam_group1/backscatter_r"))[0, 30:].tobytes()
        except RuntimeError as e: assert "blosc" in str(e)
        assert np.isfinite(zarr.open_array(str(f / "Sonar/Beam_group1/backscatter_r"))[1]).all()
@case
class c19:
    n = "bare-nan-in-attrs"; t = "xpublish-community/xpublish#303"
    f = "The attribute missing_value is a bare NaN in .zattrs and .zmetadata, which is no valid JSON; strict parsers (JavaScript, Julia, Rust) refuse the document."
    a = "sea_water_temperature: missing_value is written as a bare NaN in .zattrs (and .zmetadata): not valid JSON."
    w = "missing_value|JSON"
    def clean(p):
        r = rng(19); s = (6, 5, 20, 24); d = np.array([0.5, 5, 15, 30, 60])
        ds = xr.Dataset({"sea_water_temperature": (("time", "depth", "lat", "lon"), (14 - d[:, None, None] * .05 + .6 * smooth(r, s, 3)).astype("f4"), A("degC", "sea_water_temperature", "Temperature"))},
            coords=dict(time=T("2025-06-01", 6, "D"), depth=("depth", d, A("m", "depth", "depth", positive="down", axis="Z")), lat=LAT(53 + .1 * np.arange(20), "lat"), lon=LON(3 + .15 * np.arange(24), "lon")), attrs=G("North Sea forecast"))
        wx(ds, p, chunks=dict(time=2))
    def fault(p):
        edit(p / "sea_water_temperature/.zattrs", lambda d: d.update(missing_value=float("nan"))); edit(p / ".zmetadata", lambda d: d["metadata"]["sea_water_temperature/.zattrs"].update(missing_value=float("nan")))
    def check(c, f):
        def st(s): return json.loads(s, parse_constant=lambda k: (_ for _ in ()).throw(ValueError(k)))
        ok_cf(c)
        for z in c.rglob(".z*"): st(z.read_text())
        raises(lambda: st((f / ".zmetadata").read_text()), ValueError); raises(lambda: st((f / "sea_water_temperature/.zattrs").read_text()), ValueError); opn(f)
@case
class c20:
    n = "label-not-registered"; t = "ome/napari-ome-zarr#99"
    f = "Two segmentations of one image under labels/, but labels/.zattrs registers only manual_A: viewers show only the first."
    a = "The group labels/manual_B is a label image but is not in the list \"labels\" of labels/.zattrs, so readers do not show it."
    w = "labels|manual_B"
    def clean(p):
        r = rng(20); im, lab = nuclei(r, (8, 64, 64), 20, rad=6); img04(p, im, "zyx", [1.0, .325, .325], "blobs", chunks=(4, 64, 64)); g = zarr.open_group(str(p), mode="a", zarr_format=2).create_group("labels"); g.attrs["labels"] = ["manual_A", "manual_B"]
        for k, l in (("manual_A", lab), ("manual_B", np.where(r.random(lab.shape) < .02, 0, lab).astype("u2"))): img04(p / "labels" / k, l, "zyx", [1.0, .325, .325], k, label=True, chunks=(4, 64, 64))
    def fault(p): jw(p / "labels/.zattrs", {"labels": ["manual_A"]})
    def check(c, f):
        okome(c); okome(c / "labels/manual_B"); assert jr(f / "labels/.zattrs")["labels"] == ["manual_A"] and (f / "labels/manual_B/.zattrs").exists()
@case
class c21:
    n = "plate-metadata-missing"; t = "broadinstitute/lincs-cell-painting#54"
    f = "An HCS plate of bioformats2raw whose root .zattrs lacks the \"plate\" metadata; the wells and fields are there."
    a = "The root .zattrs has no \"plate\" metadata, although wells (A/1, A/2, B/1, B/2) lie below: viewers do not see a plate."
    w = "plate|well"
    def clean(p):
        r = rng(21); g = zarr.open_group(str(p), mode="w", zarr_format=2); W = [(x, y) for x in "AB" for y in "12"]; o = g.create_group("OME")
        g.attrs.update({"bioformats2raw.layout": 3, "plate": dict(version="0.4", name="SQ00014814__2016-05-23T20_44_31-Measurement1", field_count=1, acquisitions=[dict(id=0)], rows=[dict(name="A"), dict(name="B")], columns=[dict(name="1"), dict(name="2")], wells=[dict(path=f"{x}/{y}", rowIndex="AB".index(x), columnIndex=int(y) - 1) for x, y in W])})
        o.attrs["series"] = [f"{x}/{y}/0" for x, y in W]; ns = "http://www.openmicroscopy.org/Schemas/OME/2016-06"
        im = "".join(f'<Image ID="Image:{i}" Name="{x}{y}"><Pixels ID="Pixels:{i}" DimensionOrder="XYZCT" Type="uint16" SizeX="64" SizeY="64" SizeZ="1" SizeC="2" SizeT="1" BigEndian="false" PhysicalSizeX="0.66" PhysicalSizeY="0.66"><Channel ID="Channel:{i}:0" SamplesPerPixel="1"/><Channel ID="Channel:{i}:1" SamplesPerPixel="1"/><MetadataOnly/></Pixels></Image>' for i, (x, y) in enumerate(W))
        (p / "OME/METADATA.ome.xml").write_text(f'<?xml version="1.0" encoding="UTF-8"?><OME xmlns="{ns}">{im}</OME>')
        for x in "AB": g.create_group(x)
        for x, y in W:
            g.create_group(f"{x}/{y}").attrs["well"] = dict(version="0.4", images=[dict(path="0", acquisition=0)])
            a = np.stack([nuclei(r, (64, 64), 15)[0] for _ in range(2)])[None, :, None]; img04(p / x / y / "0", a, "tczyx", [1., 1., 1., .66, .66], f"{x}{y}")
            zarr.open_group(str(p / x / y / "0")).attrs["omero"] = omero([("DNA", "0000FF"), ("AGP", "00FF00")], [2500, 2500])
    def fault(p): edit(p / ".zattrs", lambda d: d.pop("plate"))
    def check(c, f):
        okome(c); assert "HCS" in type(okome(c)).__name__; okome(c / "A/1/0"); assert "plate" not in zarr.open_group(str(f)).attrs and (f / "B/2/.zattrs").exists()
@case
class c22:
    n = "omero-no-window"; t = "cheeseman-lab/brieflow#224"
    f = "The channels of the omero metadata have no window (min, max, start, end), which OME-Zarr requires; viewers fall back to auto-contrast or fail."
    a = "omero.channels: every channel lacks the required window (min/max/start/end)."
    w = "omero|window"
    def clean(p):
        r = rng(22); a = np.stack([nuclei(r, (128, 128), 40)[0] for _ in range(3)]); img04(p, a, "cyx", [1., .32, .32], "P-1_W-A1_T-0", chans=[("DAPI", "0000FF"), ("GFP", "00FF00"), ("A594", "FF0000")], levels=3)
    def fault(p): edit(p / ".zattrs", lambda d: [x.pop("window") for x in d["omero"]["channels"]])
    def check(c, f): okome(c); raises(lambda: okome(f))
@case
class c23:
    n = "unit-in-transform"; t = "copick/copick#105"
    f = "The unit (angstrom) of a tomogram stands in the coordinateTransformations instead of on the axes, so the axes have no unit."
    a = "multiscales: \"unit\" is written into the scale transformations, not on the axes z, y, x; the axes have no unit."
    w = "unit|axes"
    def clean(p):
        r = rng(23); x = gaussian_filter(r.standard_normal((16, 40, 40)), 1).astype("f4"); img04(p, x, "zyx", [10.012] * 3, "wbp", levels=2, unit="angstrom", chunks=(8, 40, 40))
    def fault(p):
        def e(d):
            m = d["multiscales"][0]
            for a in m["axes"]: a.pop("unit")
            for q in m["datasets"]: q["coordinateTransformations"][0]["unit"] = "angstrom"
        edit(p / ".zattrs", e)
    def check(c, f): okome(c); m = zarr.open_group(str(f)).attrs["multiscales"][0]; assert all("unit" not in a for a in m["axes"]) and "unit" in m["datasets"][0]["coordinateTransformations"][0]
@case
class c24:
    n = "flat-keys-nested-meta"; t = "ome/ome-zarr-py#245"
    f = "Written through a plain store: the chunk files are named flat (0.0) while .zarray says dimension_separator '/': every level reads as the fill value 0."
    a = "All levels: .zarray has dimension_separator \"/\", but the chunk files are named with dots (0.0, 0.1 ...), so they are not found and the image is all 0."
    w = "dimension_separator|0.0"
    def clean(p):
        r = rng(24); x, _ = nuclei(r, (120, 160), 50); img04(p, x, "yx", [.5, .5], "test_zarr_example", levels=3)
    def fault(p):
        for l in "012":
            for k in chunkfiles(p / l): k.rename(p / l / ".".join(k.relative_to(p / l).parts))
            for d in list((p / l).iterdir()): d.is_dir() and d.rmdir()
    def check(c, f): okome(c); assert zarr.open_group(str(c))["0"][:].min() > 0; assert all((zarr.open_group(str(f))[l][:] == 0).all() for l in "012") and (f / "0/0.0").is_file()
def adata(r, n=90, m=40, k=9):
    import anndata as ad, scipy.sparse as sp
    X = sp.csr_matrix(r.poisson(.6, (n, m)).astype("f4")); cl = pd.Categorical([str(i % k) for i in range(n)], categories=[str(i) for i in range(k)])
    o = pd.DataFrame(dict(n_counts=np.asarray(X.sum(1)).ravel(), louvain=cl), index=["".join(r.choice(list("ACGT"), 16)) + "-1" for _ in range(n)]); v = pd.DataFrame(dict(n_cells=np.asarray((X > 0).sum(0)).ravel()), index=[f"GENE{i}" for i in range(m)])
    return ad.AnnData(X, o, v, obsm={"X_umap": r.normal(0, 4, (n, 2)).astype("f4")})
@case
class c25:
    n = "colors-shorter"; t = "scverse/anndata#187"
    f = "uns['louvain_colors'] has 8 colours for the 9 categories of obs['louvain']: 'index 8 is out of bounds for axis 0 with size 8' when the object is reordered or plotted."
    a = "uns/louvain_colors has 8 entries, but obs/louvain has 9 categories."
    w = "louvain_colors|categor"
    C = ["#1f77b4", "#ff7f0e", "#279e68", "#d62728", "#aa40fc", "#8c564b", "#e377c2", "#b5bd61", "#17becf"]
    def clean(p, k=9):
        a = adata(rng(25)); a.uns["louvain_colors"] = np.array(c25.C[:k], object); quiet(a.write_zarr, str(p))
    def fault(p): shutil.rmtree(p); c25.clean(p, 8)
    def check(c, f):
        import anndata as ad
        a, b = quiet(ad.read_zarr, str(c)), quiet(ad.read_zarr, str(f)); assert len(a.uns["louvain_colors"]) == 9 == len(a.obs.louvain.cat.categories); assert len(b.uns["louvain_colors"]) == 8 and (a.X != b.X).nnz == 0
@case
class c26:
    n = "table-region-absent"; t = "scverse/spatialdata#1011"
    f = "The table of a SpatialData store annotates the element 'cells', which is not in the store ('The table is annotating cells, which is not present in the SpatialData object')."
    a = "tables/table: region 'cells' names an element that is not there (labels has only 'nuclei'; no cells in labels, shapes, points or images)."
    w = "region|cells"
    def clean(p):
        r = rng(26); im, lab = nuclei(r, (96, 96), 30); g = zarr.open_group(str(p), mode="w", zarr_format=3); g.attrs["spatialdata_attrs"] = dict(version="0.2", spatialdata_software_version="0.5.0")
        def ras(path, a, axes, lb):
            o = zarr.open_group(str(p / path), mode="w", zarr_format=3); v3(p / path, "0", a, a.shape, list(axes)); nm = path.split("/")[1]
            cs = dict(axes=[dict(name=x, type="channel" if x == "c" else "space", **({} if x == "c" else dict(unit="unit"))) for x in axes]); m = dict(name=nm, axes=[dict(name=x, type="channel" if x == "c" else "space") for x in axes], datasets=[dict(path="0", coordinateTransformations=[dict(type="scale", scale=[1.0] * len(axes))])],
                coordinateTransformations=[dict(type="scale", scale=[1.0] * len(axes), input=dict(name="".join(axes), **cs), output=dict(name="global", **cs))])
            ome = dict(version="0.5", multiscales=[m])
            if lb: ome["image-label"] = dict(version="0.5")
            else: ome["omero"] = dict(channels=[dict(label="DAPI", color="0000FF", active=True, window=dict(min=0, max=65535, start=0, end=4000))])
            o.attrs.update(ome=ome, spatialdata_attrs=dict(version="0.3"))
        for k in ("images", "labels", "tables"): g.create_group(k)
        ras("images/morphology_focus", im[None], "cyx", 0); ras("labels/nuclei", lab, "yx", 1); ras("labels/cells", np.where(lab, lab, 0).astype("u2"), "yx", 1); g["labels"].attrs["ome"] = dict(version="0.5", labels=["nuclei", "cells"])
        ids = np.unique(lab)[1:]; a = adata(r, len(ids), 30, 3); a.obs["region"] = pd.Categorical(["cells"] * len(ids)); a.obs["instance_id"] = ids.astype("i8"); a.uns["spatialdata_attrs"] = dict(region="cells", region_key="region", instance_key="instance_id")
        import anndata as ad
        with ad.settings.override(zarr_write_format=3): quiet(ad.io.write_elem, g["tables"], "table", a)
        g["tables/table"].attrs.update({"spatialdata-encoding-type": "ngff:regions_table", "region": "cells", "region_key": "region", "instance_key": "instance_id", "version": "0.2"})
        for z in p.rglob("zarr.json"):
            d = jr(z); d.pop("consolidated_metadata", 0); jw(z, d)
        sync(p, 3)
    def fault(p):
        shutil.rmtree(p / "labels/cells"); edit(p / "labels/zarr.json", lambda d: d["attributes"]["ome"].update(labels=["nuclei"])); edit(p / "zarr.json", lambda d: d.pop("consolidated_metadata")); sync(p, 3)
    def check(c, f):
        import anndata as ad
        a = quiet(lambda: ad.io.read_elem(zarr.open_group(str(c), mode="r")["tables/table"])); lab = zarr.open_group(str(c), mode="r")["labels/cells/0"][:]; assert set(a.obs.instance_id) == set(np.unique(lab)) - {0}; okome(c / "labels/cells"); okome(c / "images/morphology_focus")
        b = zarr.open_group(str(f), mode="r"); assert b["tables/table"].attrs["region"] == "cells" and "cells" not in b["labels"] and "cells" not in (b.metadata.consolidated_metadata.metadata)
@case
class c27:
    n = "timestamps-2d"; t = "NeurodataWithoutBorders/pynwb#1775"
    f = "processing/running/running_speed/timestamps has two rows (shape (2, N)) instead of one dimension of N: 'incorrect shape for timestamps (got (2, N), expected (None,))'."
    a = "processing/running/running_speed/timestamps is 2-D (2, 600); it must be 1-D with one time per sample of data (600)."
    w = "timestamps|shape"
    def clean(p, two=False):
        r = rng(27); g = zarr.open_group(str(p), mode="w", zarr_format=2); uid = lambda: "-".join("".join(r.choice(list("0123456789abcdef"), k)) for k in (8, 4, 4, 4, 12)); nd = lambda t, ns="core", **k: dict(namespace=ns, neurodata_type=t, object_id=uid(), **k)
        g.attrs.update(nd("NWBFile", nwb_version="2.2.2"))
        for k in ("acquisition", "analysis", "general", "intervals", "processing", "stimulus", "stimulus/presentation", "stimulus/templates", "specifications"): g.create_group(k)
        def s(k, v):
            a = g.create_array(k, shape=(1,) if k == "file_create_date" else (1,), dtype=f"<U{len(v)}", chunks=(1,), compressors=[BL], fill_value=""); a[...] = v; a.attrs["zarr_dtype"] = "scalar" if k != "file_create_date" else "object"
        for k, v in dict(identifier=uid(), session_description="Data and metadata for an Ecephys session", session_start_time="2019-01-19T00:54:18-08:00", timestamps_reference_time="2019-01-19T00:54:18-08:00", file_create_date="2020-03-02T10:11:12-08:00").items(): s(k, v)
        g.create_group("processing/running", attributes=nd("ProcessingModule", description="running speed data")); q = "processing/running/running_speed"; g.create_group(q, attributes=nd("TimeSeries", description="running speed of the mouse on the wheel", comments="no comments"))
        t = 11.2 + np.cumsum(r.normal(1 / 60, 2e-4, 600)); x = np.clip(20 + np.cumsum(r.normal(0, 1.2, 600)), -5, 80)
        v2(p, q + "/data", x, (300,), dict(conversion=1.0, offset=0.0, resolution=-1.0, unit="cm/s", zarr_dtype="float64"), fill=0.0)
        t = np.stack([t, t + 1 / 60 + r.normal(0, 1e-4, 600)]) if two else t; v2(p, q + "/timestamps", t, t.shape, dict(interval=1, unit="seconds", zarr_dtype="float64"), fill=0.0); sync(p)
    def fault(p): shutil.rmtree(p); c27.clean(p, True)
    def check(c, f):
        q = "processing/running/running_speed/"; a, b = (quiet(zarr.open_group, str(k), mode="r") for k in (c, f)); assert a[q + "timestamps"].shape == a[q + "data"].shape == (600,) and (np.diff(a[q + "timestamps"][:]) > 0).all(); assert b[q + "timestamps"].shape == (2, 600)
def vcz(p, n, ncol, maxalt=None, vid=None):
    r = rng(n); V, S = 80, 12; g = zarr.open_group(str(p), mode="w", zarr_format=2); VL = lambda k, v, dims, desc: vs(p, k, v, dims, desc)
    n_all = np.where(r.random(V) < .1, r.integers(4, 7, V), r.integers(2, 4, V)); n_all[5] = 6; pool = ["A", "C", "G", "T", "AT", "GCC"]
    al = np.full((V, 6), "", object)
    for i in range(V): al[i, :n_all[i]] = r.permutation(pool)[:n_all[i]]
    gt = np.stack([np.where(r.random((S, 2)) < .6, 0, r.integers(0, n_all[i], (S, 2))) for i in range(V)]).astype("i1"); gt[r.random((V, S)) < .03] = -1; gt[5, 0] = [4, 5]
    return g, r, V, S, al, gt, n_all
def vs(p, k, v, dims, desc=None):
    "variable-length strings as bio2zarr writes them (|O with vlen-utf8)"
    import numcodecs
    v = np.asarray(v, object); d = p / k; d.mkdir(); c = [min(s, 1000) for s in v.shape]
    jw(d / ".zarray", dict(zarr_format=2, shape=list(v.shape), chunks=c, dtype="|O", compressor=BL.get_config(), fill_value=None, order="C", filters=[{"id": "vlen-utf8"}], dimension_separator="."))
    jw(d / ".zattrs", {**({"description": desc} if desc else {}), "_ARRAY_DIMENSIONS": list(dims)}); (d / ".".join("0" * v.ndim)).write_bytes(BL.encode(numcodecs.VLenUTF8().encode(v.ravel())))
@case
class c28:
    n = "filter-id-missing"; t = "sgkit-dev/vcztools#213"
    f = "VCF Zarr store with variant_filter but without the array filter_id that names the filters: vcztools view fails."
    a = "Array filter_id is missing: the columns (dimension filters) of variant_filter have no names."
    w = "filter_id|variant_filter"
    def clean(p):
        g, r, V, S, al, gt, na = vcz(p, 28, 6); g.attrs.update(vcf_zarr_version="0.4", source="bio2zarr-0.1.5", vcf_meta_information=[["fileformat", "VCFv4.3"]])
        vs(p, "contig_id", ["1"], ["contigs"]); v2(p, "contig_length", np.array([248956422]), (1,), dims=("contigs",), fill=None); vs(p, "filter_id", ["PASS", "q10", "s50"], ["filters"]); vs(p, "sample_id", [f"tsk_{i}" for i in range(S)], ["samples"])
        v2(p, "variant_contig", np.zeros(V, "i1"), (V,), dict(description="Index of the contig"), dims=("variants",), fill=None); v2(p, "variant_position", np.sort(r.choice(200000, V, False)).astype("i4") + 10000, (V,), dict(description="The reference position"), dims=("variants",), fill=None)
        vs(p, "variant_allele", al, ["variants", "alleles"], "List of the reference and alternate alleles"); vs(p, "variant_id", [f"rs{i}" for i in r.choice(10 ** 7, V, False)], ["variants"], "ID"); v2(p, "variant_id_mask", np.zeros(V, bool), (V,), dict(description="ID mask"), dims=("variants",), fill=None); v2(p, "variant_quality", r.uniform(20, 90, V).astype("f4"), (V,), dict(description="Phred-scaled quality"), dims=("variants",), fill=None)
        fl = np.zeros((V, 3), bool); x = r.random(V); fl[:, 0] = x < .9; fl[:, 1] = x >= .9; fl[:, 2] = x >= .97; v2(p, "variant_filter", fl, (V, 3), dict(description="Filter status of the variant"), dims=("variants", "filters"), fill=None)
        v2(p, "call_genotype", gt, (V, S, 2), dict(description="Genotype"), dims=("variants", "samples", "ploidy"), fill=None); v2(p, "call_genotype_mask", gt == -1, (V, S, 2), dict(description="Genotype mask"), dims=("variants", "samples", "ploidy"), fill=None); v2(p, "call_genotype_phased", r.random((V, S)) < .5, (V, S), dict(description="Whether the genotype is phased"), dims=("variants", "samples"), fill=None); sync(p)
    def fault(p): shutil.rmtree(p / "filter_id"); sync(p)
    def check(c, f):
        a = ok_cf(c); assert list(a.filter_id.values) == ["PASS", "q10", "s50"] and a.variant_filter.any("filters").all(); b = opn(f); assert "filter_id" not in b and "variant_filter" in b
@case
class c29:
    n = "alleles-dropped"; t = "sgkit-dev/sgkit#620"
    f = "vcf_to_zarr was run with max_alt_alleles=3 while records have up to 5 alternate alleles: variant_allele has only 4 columns, but call_genotype still holds the indices 4 and 5 (attrs: max_alt_alleles_seen 5)."
    a = "call_genotype has allele indices 4 and 5, but variant_allele has only 4 alleles per variant (max_alt_alleles_seen is 5): alternate alleles were dropped on conversion."
    w = "call_genotype|variant_allele"
    def clean(p, ncol=6):
        g, r, V, S, al, gt, na = vcz(p, 29, 6); g.attrs.update(source="sgkit-0.3.0", contigs=["20"], vcf_zarr_version="0.1", max_alt_alleles_seen=5, vcf_header="##fileformat=VCFv4.3\n##contig=<ID=20>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t" + "\t".join(f"NA{i:05d}" for i in range(S)))
        v2(p, "variant_contig", np.zeros(V, "i1"), (V,), dims=("variants",), fill=None); v2(p, "variant_position", np.sort(r.choice(100000, V, False)).astype("i4") + 60000, (V,), dims=("variants",), fill=None)
        vs(p, "variant_allele", al[:, :ncol], ["variants", "alleles"]); vs(p, "sample_id", [f"NA{i:05d}" for i in range(S)], ["samples"]); vs(p, "variant_id", [f"rs{i}" for i in r.choice(10 ** 7, V, False)], ["variants"]); v2(p, "variant_id_mask", np.zeros(V, bool), (V,), dims=("variants",), fill=None)
        v2(p, "call_genotype", gt, (V, S, 2), dict(comment="Call genotype. Encoded as allele values (0 for the reference, 1 for the first allele, 2 for the second allele), or -1 to indicate a missing value.", mixed_ploidy=False), dims=("variants", "samples", "ploidy"), fill=None); v2(p, "call_genotype_mask", gt == -1, (V, S, 2), dims=("variants", "samples", "ploidy"), fill=None); sync(p)
    def fault(p): shutil.rmtree(p); c29.clean(p, 4)
    def check(c, f):
        for k, bad in ((c, False), (f, True)):
            d = opn(k); idx = d.call_genotype.values; al = d.variant_allele.values; assert (idx.max() >= al.shape[1]) == bad
            if not bad: assert all((al[i][np.unique(idx[i][idx[i] >= 0])] != "").all() for i in range(len(al)))
@case
class c30:
    n = "consolidated-null"; t = "zarr-developers/zarr-python#3521"
    f = "zarr-python wrote \"consolidated_metadata\": null into the zarr.json of the groups; strict readers (zarr-java) refuse it as an unknown field that must be understood."
    a = "The group's zarr.json has \"consolidated_metadata\": null, which the V3 spec does not allow (an unknown field, not an object with must_understand false): remove it."
    w = "consolidated_metadata|null"
    def clean(p):
        r = rng(30); a = np.stack([nuclei(r, (96, 96), 30)[0] for _ in range(2)]); zarr.open_group(str(p), mode="w", zarr_format=3); x = a
        for l in range(2): v3(p, str(l), x, (1, 96, 96) if l == 0 else (1, 48, 48), ("c", "y", "x")); x = half(x, (1, 2))
        zarr.open_group(str(p), mode="a").attrs["ome"] = dict(version="0.5", multiscales=[ms("cyx", [1., .65, .65], 2, "test2", ver="0.5")], omero=omero([("Phase", "FFFFFF"), ("mCherry", "FF0000")], [2500, 2500]))
    def fault(p): d = jr(p / "zarr.json"); jw(p / "zarr.json", dict(attributes=d["attributes"], zarr_format=3, consolidated_metadata=None, node_type="group"))
    def check(c, f): okome(c); assert "consolidated_metadata" not in jr(c / "zarr.json"); d = jr(f / "zarr.json"); assert d["consolidated_metadata"] is None and "consolidated_metadata" in d

def main():
    want = {int(x) for x in sys.argv[1:]}; OUT.mkdir(exist_ok=True); good = []
    for i, c in enumerate(CASES, 1):
        if want and i not in want: continue
        d = OUT / f"{i:02d}-{c.n}"; shutil.rmtree(d, ignore_errors=True); d.mkdir(); cl, fa = d / "clean", d / "fault"
        try:
            c.clean(cl); shutil.copytree(cl, fa); c.fault(fa); c.check(cl, fa)
            for p in (cl, fa):
                fs = [x for x in p.rglob("*") if x.is_file()]; assert len(fs) <= 300 and sum(x.stat().st_size for x in fs) < 200000, (len(fs), sum(x.stat().st_size for x in fs))
            fl = lambda p: {str(x.relative_to(p)): x.read_bytes() for x in p.rglob("*") if x.is_file()}
            A_, B_ = fl(cl), fl(fa); df = sorted(k for k in A_.keys() | B_.keys() if A_.get(k) != B_.get(k)); good.append(i)
            print(f"{i:02d} ok {c.n} files {len(A_)} bytes {sum(map(len, A_.values()))} differ {len(df)}: {df[:6]}")
        except Exception as e:
            import traceback; print(f"{i:02d} FAILED {c.n}: {type(e).__name__} {e}"); traceback.print_exc(limit=-3)
    jw(OUT / "cases.json", {f"{i:02d}-{c.n}": c.w for i, c in enumerate(CASES, 1)})
    (OUT / "answers.md").write_text("| NN | thread | fault | what a good answer names |\n|---|---|---|---|\n" + "".join(f"| {i:02d} | {c.t} | {c.f} | {c.a} |\n" for i, c in enumerate(CASES, 1)))
    print(len(good), "good"); sys.stdout.flush()
if __name__ == "__main__": main()
