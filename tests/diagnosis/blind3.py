"""Makes stores of thirty-one more faults that people reported, and their clean twins, written without a look at the program.

    /path/to/venv/bin/python blind3.py [FOLDER [NUMBER...]]    # zarr 3.4.2, xarray 2026.9; writes blind3.zip, or the stores

Each text says what a good answer names. See blind2.py, whose helpers are used, and the table in THREADS.md.
"""
import base64, gzip, struct
import blind2
from blind2 import *

CASES = []


def case(num, name, thread, fault, kind, suffix=""):
    def deco(cls):
        CASES.append(Case(num, name, thread, fault, kind, cls.clean, cls.fault, cls.check, suffix))
        return cls
    return deco


def rng(n):
    return np.random.default_rng(31900 + n)


def attrs2(p, **k):
    """Changes .zattrs; a value of None deletes."""
    q = os.path.join(p, ".zattrs")
    d = jr(q)
    for a, v in k.items():
        d.pop(a, None) if v is None else d.__setitem__(a, v)
    jw(q, d)


def temperature(nt, la, lo, r, seed_t=(2, 2, 3), amp=2.):
    """Kelvin, with continents."""
    ny, nx = len(la), len(lo)
    land = smooth((ny, nx), (2.5, 3.5), r, "wrap")
    lat = la.values.astype(float)
    base = 299 - 38 * np.sin(np.deg2rad(lat)) ** 2
    return base[None, :, None] + 7 * np.tanh(2 * land)[None] + amp * smooth((nt, ny, nx), seed_t, r)


# ===================================================================== VALUES
@case(1, "humidity-scale-lost", "enermaps/enermaps#299",
      "hurs is packed (16 bit) and its scale_factor 0.1 was lost on the way: it reads as relative humidity of up to 1000 %, where tas beside it kept its packing; values are ten times too large.", "values")
class c1:
    def clean(p):
        r = rng(1); nt, ny, nx = 10, 24, 40; la, lo = latlon(ny, nx, 57.5)
        rh = 62 + 17 * smooth((nt, ny, nx), (1.5, 2, 3), r); rh = np.clip(rh, 4, 100).round(0)
        D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"hurs": (D, rh, {"units": "%", "standard_name": "relative_humidity", "long_name": "Near-surface relative humidity"}),
                         "tas": (D, temperature(nt, la, lo, r).round(0), {"units": "K", "standard_name": "air_temperature"})},
                        coords={"time": tvar("2019-01-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.7", "source": "E-OBS like"})
        save(ds, p, 2, {"hurs": {"dtype": "int16", "scale_factor": .1, "add_offset": 0., "_FillValue": -32768, "chunks": (10, 12, 20)},
                        "tas": {"dtype": "int16", "scale_factor": .01, "add_offset": 273.15, "_FillValue": -32768, "chunks": (10, 12, 20)}}, bits=20)

    def fault(p):
        attrs2(p + "/hurs", scale_factor=None, add_offset=None); recon(p)

    def check(c, f):
        assert 60 < xo(c).hurs.max() <= 100.01 and xo(f).hurs.max() > 800


@case(2, "speed-and-direction-swapped", "NCAR/wrf-python#21",
      "wind_speed and wind_from_direction are in each other's place: the speed runs from 0 to 360 m/s and the direction from 0 to about 20 degrees.", "values")
class c2:
    def clean(p):
        r = rng(2); n, s = 240, 12
        u = 3 + 4 * smooth((n, s), (5, .5), r); v = 4 * smooth((n, s), (5, .5), r)
        sp = np.hypot(u, v).round(1); di = (np.degrees(np.arctan2(-u, -v)) % 360).round(0)
        D = ("time", "station")
        ds = xr.Dataset({"wind_speed": (D, sp.astype("f4"), {"units": "m s-1", "standard_name": "wind_speed"}),
                         "wind_dir": (D, di.astype("f4"), {"units": "degree", "standard_name": "wind_from_direction"})},
                        coords={"time": tvar("2022-05-01", n, "h"), "station": ("station", np.arange(s) + 101, {"cf_role": "timeseries_id"})},
                        attrs={"Conventions": "CF-1.8", "featureType": "timeSeries"})
        save(ds, p, 2, {"wind_speed": {"chunks": (120, 12)}, "wind_dir": {"chunks": (120, 12)}}, bits=20)

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False); a, b = g["wind_speed"][:], g["wind_dir"][:]
        g["wind_speed"][:] = b; g["wind_dir"][:] = a

    def check(c, f):
        assert xo(c).wind_speed.max() < 40 and xo(f).wind_speed.max() > 300 and xo(f).wind_dir.max() < 40


@case(3, "land-mark-decoded", "cgentemann/cloud_science#18",
      "analysed_sst is packed; the cells on land hold -32768, which is the fill value of the array, but the attribute _FillValue is gone, so xarray (which masks V3 by the attribute) reads them as 265.382 K; they are missing. Put _FillValue = -32768 back.", "values")
class c3:
    def clean(p):
        r = rng(3); nt, ny, nx = 4, 48, 64; la, lo = latlon(ny, nx, 58.75)
        land = smooth((ny, nx), (4, 5), r) > .5
        sst = 296 - 20 * np.sin(np.deg2rad(la.values.astype(float)))[None, :, None] ** 2 + .8 * smooth((nt, ny, nx), (2, 2, 2), r)
        sst = sst.round(1); sst[:, land] = np.nan
        ds = xr.Dataset({"analysed_sst": (("time", "latitude", "longitude"), sst, {"units": "kelvin", "standard_name": "sea_surface_foundation_temperature", "long_name": "analysed sea surface temperature"}),
                         "mask": (("latitude", "longitude"), np.where(land, 2, 1).astype("i1"), {"flag_values": [1, 2], "flag_meanings": "sea land", "long_name": "sea/land field composite mask"})},
                        coords={"time": tvar("2020-01-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.7", "title": "Daily MUR SST"})
        save(ds, p, 3, {"analysed_sst": {"dtype": "int16", "scale_factor": .001, "add_offset": 298.15, "_FillValue": -32768, "chunks": (4, 24, 32)}}, bits=24)
        d = jr(p + "/analysed_sst/zarr.json"); d["fill_value"] = -32768; jw(p + "/analysed_sst/zarr.json", d)

    def fault(p):
        q = p + "/analysed_sst/zarr.json"; d = jr(q); d["attributes"].pop("_FillValue"); jw(q, d)

    def check(c, f):
        C, F = xo(c, consolidated=False), xo(f, consolidated=False); assert C.analysed_sst.isnull().any() and not F.analysed_sst.isnull().any()
        assert abs(F.analysed_sst.min() - 265.382) < .01


@case(4, "unsigned-declared-signed", "zarr-developers/zarr_implementations#45",
      "image 0 (and 1) holds unsigned bytes (0-255) and is declared as int8: all brightness above 127 reads as negative and jumps from 127 to -128 within smooth areas; the data type is |u1.", "values")
class c4:
    def clean(p):
        r = rng(4); im = np.clip(128 + 52 * smooth((3, 160, 200), (0, 7, 7), r), 0, 255)
        g = zarr.open_group(p, mode="w", zarr_format=2); a = np.round(im).astype("u1")
        sc = [(1., .5, .5), (1., 1., 1.)]
        for i, d in enumerate([a, np.round(mean2(a.astype(float))).astype("u1")]): arr(g, str(i), d, (1, 80, 100))
        g.attrs.update({"multiscales": ngff_ms("cyx", sc, "astronaut"), "omero": {"channels": [{"label": x, "color": k, "window": {"min": 0, "max": 255, "start": 0, "end": 255}} for x, k in (("r", "FF0000"), ("g", "00FF00"), ("b", "0000FF"))]}})

    def fault(p):
        for i in "01":
            q = p + "/" + i + "/.zarray"; d = jr(q); d["dtype"] = "|i1"; jw(q, d)

    def check(c, f):
        a, b = allread(c)["0"], allread(f)["0"]; assert b.min() < -100 and np.array_equal(a, b.view("u1")); ome_check(c)


@case(5, "valid-range-unpacked", "OSGeo/gdal#7167",
      "valid_range of LST is given in unpacked Kelvin ([180, 350]) while the stored integers are 12000-17000 (scale_factor 0.02); by CF and the NUG it is compared with the packed values, so that GDAL and netCDF4 mask every cell. It must be [9000, 17500].", "values")
class c5:
    def clean(p):
        r = rng(5); nt, ny, nx = 2, 60, 80; la, lo = latlon(ny, nx, 59)
        D = ("time", "latitude", "longitude")
        t = temperature(nt, la, lo, r, (0, 2, 2)).round(0) + 8; t[:, smooth((ny, nx), 5, r) > 1.6] = np.nan
        ds = xr.Dataset({"LST": (D, t, {"units": "K", "standard_name": "surface_temperature", "valid_range": [9000, 17500]}),
                         "QC": (D, (r.random((nt, ny, nx)) < .1).astype("u1"), {"long_name": "quality", "flag_values": [0, 1], "flag_meanings": "good doubtful"})},
                        coords={"time": tvar("2021-07-01", nt, "8D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.6"})
        save(ds, p, 2, {"LST": {"dtype": "uint16", "scale_factor": .02, "add_offset": 0., "_FillValue": 0, "chunks": (2, 30, 40)}}, bits=24)

    def fault(p):
        attrs2(p + "/LST", valid_range=[180, 350]); recon(p)

    def check(c, f):
        a = zarr.open_group(f, mode="r")["LST"][:]; v = a[a > 0]; assert ((v < 180) | (v > 350)).all() and xo(c).LST.max() < 350 and ((v >= 9000) & (v <= 17500)).all()


@case(6, "packed-fill-after-filter", "zarr-developers/VirtualiZarr#670",
      "snow is unpacked by the filter fixedscaleoffset (scale 2) before anything masks, but _FillValue still is the packed 255; so missing cells read as 127.5 % (255 / 2), which nothing declares; no value equals 255. _FillValue should be 127.5.", "values")
class c6:
    def clean(p, fv=127.5):
        r = rng(6); nt, ny, nx = 10, 40, 50; la, lo = latlon(ny, nx, 78)
        s = np.clip(50 + 45 * smooth((nt, ny, nx), (1, 3, 3), r), 0, 100); s = np.round(s * 2) / 2
        miss = smooth((nt, ny, nx), (.5, 3, 3), r) > 1.1; s[miss] = 127.5
        g = zarr.open_group(p, mode="w", zarr_format=2); g.attrs["Conventions"] = "CF-1.8"
        f = [numcodecs.FixedScaleOffset(offset=0, scale=2, dtype="<f8", astype="|u1")]
        arr(g, "snow", s.astype("f8"), (5, 20, 25), fill=None, filters=f, attrs={"_ARRAY_DIMENSIONS": ["time", "latitude", "longitude"], "units": "%", "standard_name": "surface_snow_area_fraction", "_FillValue": 127.5})
        arr(g, "time", np.arange(nt, dtype="i4"), (nt,), fill=None, attrs={"_ARRAY_DIMENSIONS": ["time"], "units": "days since 2020-01-01", "calendar": "standard", "standard_name": "time"})
        for n, v in (("latitude", la), ("longitude", lo)): arr(g, n, v.values, v.shape, fill=None, attrs={"_ARRAY_DIMENSIONS": [n], **v.attrs})
        recon(p)

    def fault(p):
        attrs2(p + "/snow", _FillValue=255.0); recon(p)

    def check(c, f):
        C, F = xo(c), xo(f); assert C.snow.isnull().sum() > 500 and C.snow.max() <= 100 and F.snow.max() == 127.5 and not F.snow.isnull().any()


@case(7, "coordinates-in-single-precision", "opendatacube/datacube-core#21",
      "longitude and latitude were stored as float32: at 149.1 degrees one step of that type is 0.000015, so the spacing of 0.00025 comes out as 0.000244 or 0.000259 in turn, and extents are off by fractions of a pixel; they need float64.", "values")
class c7:
    def clean(p):
        r = rng(7); n = 96
        lat = np.round(-35.2 - .00025 * np.arange(n), 6); lon = np.round(149.1 + .00025 * np.arange(n), 6)
        g = np.clip(800 + 400 * smooth((2, n, n), (0, 4, 4), r), 1, None).round(-2)
        D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"red": (D, g.astype("i2"), {"units": "1", "nodata": -999, "grid_mapping": "crs"}), "crs": ((), np.int32(0), {"grid_mapping_name": "latitude_longitude", "semi_major_axis": 6378137., "inverse_flattening": 298.257223563})},
                        coords={"time": tvar("2015-01-05", 2, "16D"), "latitude": ("latitude", lat, {"units": "degrees_north", "standard_name": "latitude"}), "longitude": ("longitude", lon, {"units": "degrees_east", "standard_name": "longitude"})}, attrs={"Conventions": "CF-1.6, ACDD-1.3"})
        save(ds, p, 2, {"red": {"chunks": (1, 48, 48)}})

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        for n in ("latitude", "longitude"):
            v, a = g[n][:].astype("f4"), dict(g[n].attrs); del g[n]
            arr(g, n, v, v.shape, fill=None, attrs=a)
        recon(p)

    def check(c, f):
        d = np.diff(xo(f).longitude.values.astype("f8")); assert d.max() / d.min() > 1.05 and np.ptp(np.diff(xo(c).longitude.values)) < 1e-9


@case(8, "missing-mark-averaged", "cogeotiff/rio-tiler#634",
      "the overviews 1 and 2 were averaged over cells that hold the missing mark -9999: along the edges of the data they hold values such as -4990 and -7490 that are neither rain nor the mark; level 0 is right, and the overviews must be made again with the mark left out.", "values")
class c8:
    @staticmethod
    def levels(z, masked):
        out = [z]
        for _ in range(2):
            a = out[-1].astype("f8"); s = a.shape; b = a.reshape(s[0] // 2, 2, s[1] // 2, 2)
            if masked:
                m = b != -9999; k = m.sum((1, 3)); v = np.where(m, b, 0).sum((1, 3)) / np.maximum(k, 1); v = np.where(k > 0, v, -9999)
            else:
                v = b.mean((1, 3))
            out.append(v.astype("f4"))
        return out

    @staticmethod
    def data():
        r = rng(8); n = 128; z = np.maximum(0, 12 + 9 * smooth((n, n), 6, r)).round(0); z[smooth((n, n), 12, r) > .4] = -9999
        return z.astype("f4")

    def clean(p, masked=True):
        L = c8.levels(c8.data(), True); root = zarr.open_group(p, mode="w", zarr_format=3)
        root.attrs["multiscales"] = {"layout": [{"asset": "0"}] + [{"asset": str(i), "derived_from": str(i - 1), "transform": {"scale": [2., 2.], "translation": [.5, .5]}} for i in (1, 2)], "resampling_method": "average"}
        for i, z in enumerate(L):
            k = .05 * 2 ** i; g = root.create_group(str(i)); n = len(z)
            arr(g, "rainfall", z, (32, 32), 3, fill=np.float32(-9999), names=["latitude", "longitude"], attrs={"units": "mm", "standard_name": "lwe_thickness_of_precipitation_amount", "long_name": "CHIRPS rainfall", "_FillValue": base64.standard_b64encode(struct.pack("<d", -9999.)).decode()})
            arr(g, "latitude", 10 - k * (np.arange(n) + .5), (n,), 3, fill=np.nan, names=["latitude"], attrs={"units": "degrees_north", "standard_name": "latitude"})
            arr(g, "longitude", 30 + k * (np.arange(n) + .5), (n,), 3, fill=np.nan, names=["longitude"], attrs={"units": "degrees_east", "standard_name": "longitude"})

    def fault(p):
        g = zarr.open_group(p, mode="r+")
        for i, z in enumerate(c8.levels(c8.data(), False)): g[f"{i}/rainfall"][:] = z

    def check(c, f):
        A, B = allread(c), allread(f)
        bad = lambda a: int(((a < 0) & (a != -9999)).sum())
        assert bad(A["1/rainfall"]) == bad(A["2/rainfall"]) == bad(B["0/rainfall"]) == 0 and bad(B["1/rainfall"]) > 50 and bad(B["2/rainfall"]) > 50
        xo(c, group="1", consolidated=False)


# ===================================================================== APPENDS AND RACES
@case(9, "longitudes-rolled-in-some-steps", "NVIDIA/earth2studio#861",
      "in steps 10 to 15 the field of t2m is rolled by half the globe (32 of 64 columns) against longitude: files that began at 0 degrees were rolled as if they began at -180; the coordinate is right.", "append")
class c9:
    def clean(p):
        r = rng(9); nt, ny, nx = 24, 32, 64; la, lo = latlon(ny, nx, 77.5)
        t = temperature(nt, la, lo, r, (1.5, 2, 3), 1.4)
        ds = xr.Dataset({"t2m": (("time", "latitude", "longitude"), t.astype("f4"), {"units": "K", "standard_name": "air_temperature", "long_name": "2 metre temperature"})},
                        coords={"time": tvar("2026-05-12", nt, "6h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8"})
        save(ds, p, 3, {"t2m": {"chunks": (1, ny, nx)}}, bits=9)

    def fault(p):
        a = zarr.open_group(p, mode="r+")["t2m"]; a[10:16] = np.roll(a[10:16], 32, 2)

    def check(c, f):
        C, F = xo(c, consolidated=False), xo(f, consolidated=False); d = np.abs(np.diff(F.t2m.values, axis=0)).mean((1, 2)); assert d[9] > 2.5 * d[4] and np.abs(np.diff(C.t2m.values, axis=0)).mean((1, 2)).max() < 1.8 * d[4]


@case(10, "channels-swapped-in-two-runs", "openclimatefix-archives/nwp#6",
      "in the runs (init_time) 5 and 8 of UKV the planes of si10 (wind speed) and hcct (height of cloud top) are in each other's place: si10 there has values of thousands and hcct values of a few m/s; they were stacked in another order before the append.", "append")
class c10:
    def clean(p):
        r = rng(10); n, ny, nx = 12, 20, 24; V = ["t", "si10", "hcct", "prate"]
        a = np.empty((4, n, ny, nx)); s = smooth((4, n, ny, nx), (0, 1, 3, 3), r)
        a[0] = 282 + 3 * s[0]; a[1] = np.abs(6 + 3 * s[1]); a[2] = np.clip(3200 + 1800 * s[2], 30, None); a[3] = np.maximum(s[3] - .8, 0) * 2e-4
        ds = xr.Dataset({"UKV": (("variable", "init_time", "y", "x"), a.astype("f4"), {"long_name": "UK Met Office UKV"})},
                        coords={"variable": np.array(V), "init_time": ("init_time", pd.date_range("2021-06-01", periods=n, freq="3h")),
                                "y": ("y", 1.2e6 - 2000. * np.arange(ny), {"units": "m", "standard_name": "projection_y_coordinate"}), "x": ("x", -2.3e5 + 2000. * np.arange(nx), {"units": "m", "standard_name": "projection_x_coordinate"})})
        ds.init_time.encoding.update({"units": "hours since 1970-01-01", "dtype": "int64", "calendar": "proleptic_gregorian"})
        save(ds, p, 2, {"UKV": {"chunks": (4, 1, ny, nx)}}, bits=3)

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["UKV"]
        for i in (5, 8):
            b = a[:, i]; a[:, i] = b[[0, 2, 1, 3]]

    def check(c, f):
        C, F = xo(c).UKV, xo(f).UKV; assert (C.sel(variable="si10").max(("y", "x")) < 40).all() and int((F.sel(variable="si10").max(("y", "x")) > 1000).sum()) == 2


@case(11, "calendar-mislabelled", "ai2cm/ace#1324",
      "time is counted in the noleap calendar but its attribute says julian: the months decode to days that drift (a day each four years and the offset of the epoch) where under noleap every time is the first of a month at 0 h; calendar must be noleap.", "relation")
class c11:
    def clean(p):
        import cftime
        r = rng(11); ny, nx = 16, 32; la, lo = latlon(ny, nx, 80)
        T = [cftime.DatetimeNoLeap(y, m, 1) for y in range(2001, 2013) for m in range(1, 13)]; nt = len(T)
        d = cftime.date2num(T, "days since 1970-01-01", "noleap").astype("i8")
        s = np.cos(2 * np.pi * (np.arange(nt) - 6.5) / 12); lat = la.values.astype(float)
        t = temperature(nt, la, lo, r, (.7, 2, 3), 1.2) + s[:, None, None] * np.sin(np.deg2rad(lat))[None, :, None] * 10
        ds = xr.Dataset({"TMP2m": (("time", "latitude", "longitude"), t.astype("f4"), {"units": "K", "long_name": "monthly mean 2 m air temperature", "cell_methods": "time: mean"})},
                        coords={"time": ("time", d, {"units": "days since 1970-01-01", "calendar": "noleap", "standard_name": "time", "axis": "T"}), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "frequency": "mon"})
        save(ds, p, 2, {"TMP2m": {"chunks": (12, ny, nx)}}, bits=7)

    def fault(p):
        attrs2(p + "/time", calendar="julian"); recon(p)

    def check(c, f):
        assert (xo(c).time.dt.day == 1).all() and len(set(xo(f).time.dt.day.values.tolist())) > 3


@case(12, "valid-time-without-step", "ecmwf/WeatherGenerator#778",
      "valid_time(init_time, step) is the init time for every step: it should be init_time + step.", "relation")
class c12:
    def clean(p):
        r = rng(12); n, s, ny, nx = 8, 10, 16, 24; la, lo = latlon(ny, nx, 60)
        t = np.stack([temperature(s, la, lo, rng(1200), (1, 2, 3)) + .5 * i for i in range(n)])
        it = np.arange(n, dtype="i8") * 12 + 438288; st = np.arange(s, dtype="i8") * 6
        ds = xr.Dataset({"t2m": (("init_time", "step", "latitude", "longitude"), t.astype("f4"), {"units": "K", "standard_name": "air_temperature"})},
                        coords={"init_time": ("init_time", it, {"units": "hours since 1970-01-01", "calendar": "proleptic_gregorian", "standard_name": "forecast_reference_time"}),
                                "step": ("step", st, {"units": "hours", "standard_name": "forecast_period"}),
                                "valid_time": (("init_time", "step"), it[:, None] + st[None], {"units": "hours since 1970-01-01", "calendar": "proleptic_gregorian", "standard_name": "time"}),
                                "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {"t2m": {"chunks": (1, s, ny, nx)}}, bits=7)

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False); a = g["valid_time"]; a[:] = np.repeat(g["init_time"][:][:, None], a.shape[1], 1)

    def check(c, f):
        C, F = xo(c), xo(f); assert (C.valid_time.diff("step") > np.timedelta64(0)).all() and (F.valid_time.diff("step") == np.timedelta64(0)).all()


@case(13, "dates-one-behind-data", "ecmwf/anemoi-core#1125",
      "data has one row more than dates (41 against 40), and its first row is all zeros: the store was created with one row already and then appended to, so data[i + 1] belongs to dates[i].", "append")
class c13:
    def clean(p):
        r = rng(13); n, v, cells = 40, 5, 96
        V = ["2t", "10u", "10v", "msl", "tcw"]; s = smooth((n, v, 1, cells), (2, 0, 0, 6), r)
        a = np.array([283, 1, -1, 101200, 18])[None, :, None, None] + np.array([6, 4, 4, 900, 7])[None, :, None, None] * s
        g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"variables": V, "frequency": "6h", "start_date": "2020-01-01T00:00:00", "end_date": "2020-01-10T18:00:00", "resolution": "o16", "flatten_grid": True, "ensemble_dimension": 2, "version": "0.30"})
        a = thin(a.astype("f4"), 5)
        arr(g, "data", a, (1, v, 1, cells), fill=0, attrs={"_ARRAY_DIMENSIONS": ["time", "variable", "ensemble", "cell"]})
        arr(g, "dates", np.datetime64("2020-01-01T00", "s") + np.arange(n) * np.timedelta64(21600, "s"), (n,), fill=0, attrs={"_ARRAY_DIMENSIONS": ["time"]})
        arr(g, "latitudes", np.linspace(85, -85, cells), (cells,), fill=0, attrs={"_ARRAY_DIMENSIONS": ["cell"]})
        arr(g, "longitudes", np.arange(cells) * 34. % 360, (cells,), fill=0, attrs={"_ARRAY_DIMENSIONS": ["cell"]})
        for k, w in (("mean", a.mean((0, 2, 3))), ("stdev", a.std((0, 2, 3))), ("minimum", a.min((0, 2, 3))), ("maximum", a.max((0, 2, 3)))): arr(g, k, w, (v,), fill=0, attrs={"_ARRAY_DIMENSIONS": ["variable"]})

    def fault(p):
        g = zarr.open_group(p, mode="r+"); a = g["data"][:]; g["data"].resize((41,) + a.shape[1:]); g["data"][1:] = a; g["data"][0] = 0

    def check(c, f):
        C, F = allread(c), allread(f); assert len(C["data"]) == len(C["dates"]) == 40 and len(F["data"]) == 41 and (F["data"][0] == 0).all() and np.array_equal(F["data"][1:], C["data"])


@case(14, "times-by-release", "openghg/openghg#1707",
      "time is not sorted: the rows come as six ascending runs (the first release of each day, then the second of each day, ...), a flattened day x release table; each row is right, sorting by time mends it.", "append")
class c14:
    def clean(p, order=None):
        r = rng(14); nd, nr, ny, nx = 30, 6, 8, 10
        t = (np.arange(nd)[:, None] * 86400 + 43200 + np.arange(nr)[None] * 97).ravel()
        fp = np.exp(1.2 * smooth((nd * nr, ny, nx), (1, 1, 1), r)) * 1e-3
        ds = xr.Dataset({"srr": (("time", "lat", "lon"), fp.astype("f4"), {"units": "mol-1 m2 s", "long_name": "footprint sensitivity"})},
                        coords={"time": ("time", t, {"units": "seconds since 2023-01-01", "calendar": "proleptic_gregorian", "standard_name": "time"}), "lat": ("lat", 20. + np.arange(ny), {"units": "degrees_north", "standard_name": "latitude"}), "lon": ("lon", 100. + np.arange(nx), {"units": "degrees_east", "standard_name": "longitude"})}, attrs={"Conventions": "CF-1.8", "satellite": "OCO-2", "domain": "EASTASIA"})
        save(ds, p, 2, {"srr": {"chunks": (60, ny, nx)}}, bits=6)

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False); o = np.arange(180).reshape(30, 6).T.ravel()
        for n in ("time", "srr"): g[n][:] = g[n][:][o]

    def check(c, f):
        assert xo(c).indexes["time"].is_monotonic_increasing and int((xo(f).time.diff("time") < np.timedelta64(0)).sum()) == 5


@case(15, "one-day-never-filled", "google-research/arco-era5#136",
      "2026-05-25 (hours 96-119, chunk 4 of time) was never written in any of the three variables and reads as NaN, though valid_time_stop_era5t says that data reach to 2026-05-28; ingest that day again.", "absence")
class c15:
    def clean(p):
        r = rng(15); nt, ny, nx = 192, 6, 10; la, lo = latlon(ny, nx, 55)
        D = ("time", "latitude", "longitude"); t = temperature(nt, la, lo, r, (6, 1.5, 2))
        ds = xr.Dataset({"2m_temperature": (D, t.astype("f4"), {"units": "K", "standard_name": "air_temperature"}),
                         "surface_pressure": (D, (98500 + 900 * smooth((nt, ny, nx), (8, 2, 2), r)).astype("f4"), {"units": "Pa", "standard_name": "surface_air_pressure"}),
                         "10m_u_component_of_wind": (D, (5 * smooth((nt, ny, nx), (5, 2, 2), r)).astype("f4"), {"units": "m s**-1"})},
                        coords={"time": tvar("2026-05-21", nt, "h"), "latitude": la, "longitude": lo}, attrs={"valid_time_start": "2026-05-21", "valid_time_stop": "2025-12-31", "valid_time_stop_era5t": "2026-05-28", "last_updated": "2026-06-03 02:45:44"})
        save(ds, p, 2, {v: {"chunks": (24, ny, nx)} for v in ds.data_vars}, bits=6)

    def fault(p):
        for v in ("2m_temperature", "surface_pressure", "10m_u_component_of_wind"): os.remove(p + "/" + v + "/4.0.0")

    def check(c, f):
        C, F = xo(c), xo(f); assert C.surface_pressure.notnull().all() and F.surface_pressure.isnull().all(("latitude", "longitude")).sum() == 24


@case(16, "bounds-reversed-in-rows", "xcube-dev/xcube#232",
      "the pairs of lat_bnds are stored lower edge first while lat descends: CF wants them in the direction of the coordinate, and cells do not join (lat_bnds[i, 1] is not lat_bnds[i + 1, 0]), so that extents come out as -89.75..89.75; lon_bnds is right.", "relation")
class c16:
    def clean(p):
        r = rng(16); nt, ny, nx = 4, 36, 72; la = 87.5 - 5. * np.arange(ny); lo = -177.5 + 5. * np.arange(nx)
        D = ("time", "lat", "lon")
        ds = xr.Dataset({"gpp": (D, np.maximum(0, 3 * np.cos(np.deg2rad(la))[None, :, None] + 1.5 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "g m-2 d-1", "long_name": "gross primary productivity"}),
                         "lat_bnds": (("lat", "bnds"), np.stack([la + 2.5, la - 2.5], 1)), "lon_bnds": (("lon", "bnds"), np.stack([lo - 2.5, lo + 2.5], 1))},
                        coords={"time": tvar("2001-01-05", nt, "8D"), "lat": ("lat", la, {"units": "degrees_north", "standard_name": "latitude", "bounds": "lat_bnds"}), "lon": ("lon", lo, {"units": "degrees_east", "standard_name": "longitude", "bounds": "lon_bnds"})}, attrs={"Conventions": "CF-1.7", "title": "Earth system data cube"})
        save(ds, p, 2, {"gpp": {"chunks": (6, 36, 36)}, "lat_bnds": {"_FillValue": None}, "lon_bnds": {"_FillValue": None}}, bits=6)

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["lat_bnds"]; a[:] = a[:][:, ::-1]

    def check(c, f):
        C, F = xo(c), xo(f); j = lambda d: bool((d.lat_bnds.values[:-1, 1] == d.lat_bnds.values[1:, 0]).all()); assert j(C) and not j(F)


@case(17, "mesh-counts-from-one", "Deltares/xugrid#113",
      "mesh2d_face_nodes counts nodes from 1 (it holds 1..n, and the largest points behind the last of n nodes), but the attribute start_index = 1 was lost, which means 0; mesh2d_edge_nodes kept it.", "relation")
class c17:
    def clean(p):
        r = rng(17); ny, nx = 12, 16
        X, Y = np.meshgrid(np.arange(nx) * 100. + 48000, np.arange(ny) * 100. + 421000); n = ny * nx
        X = X + r.normal(0, 12, X.shape); Y = Y + r.normal(0, 12, Y.shape)
        i = np.arange(n).reshape(ny, nx); q = np.stack([i[:-1, :-1], i[:-1, 1:], i[1:, 1:], i[1:, :-1]], -1).reshape(-1, 4)
        e = np.concatenate([np.stack([i[:, :-1], i[:, 1:]], -1).reshape(-1, 2), np.stack([i[:-1], i[1:]], -1).reshape(-1, 2)])
        ds = xr.Dataset({"mesh2d": ((), np.int32(0), {"cf_role": "mesh_topology", "topology_dimension": 2, "node_coordinates": "mesh2d_node_x mesh2d_node_y", "face_node_connectivity": "mesh2d_face_nodes", "edge_node_connectivity": "mesh2d_edge_nodes", "face_dimension": "mesh2d_nFaces", "edge_dimension": "mesh2d_nEdges"}),
                         "mesh2d_face_nodes": (("mesh2d_nFaces", "mesh2d_nMax_face_nodes"), (q + 1).astype("i4"), {"cf_role": "face_node_connectivity", "start_index": 1}),
                         "mesh2d_edge_nodes": (("mesh2d_nEdges", "Two"), (e + 1).astype("i4"), {"cf_role": "edge_node_connectivity", "start_index": 1}),
                         "mesh2d_waterdepth": (("time", "mesh2d_nFaces"), np.maximum(0, 4 + smooth((8, len(q)), (1, 5), r)).astype("f4"), {"units": "m", "mesh": "mesh2d", "location": "face", "standard_name": "sea_floor_depth_below_sea_surface"})},
                        coords={"time": tvar("2007-11-15", 8, "h"), "mesh2d_node_x": ("mesh2d_nNodes", X.ravel(), {"units": "m", "standard_name": "projection_x_coordinate"}), "mesh2d_node_y": ("mesh2d_nNodes", Y.ravel(), {"units": "m", "standard_name": "projection_y_coordinate"})}, attrs={"Conventions": "CF-1.8 UGRID-1.0"})
        save(ds, p, 2, {"mesh2d_face_nodes": {"_FillValue": -999}, "mesh2d_edge_nodes": {"_FillValue": -999}}, bits=6)

    def fault(p):
        attrs2(p + "/mesh2d_face_nodes", start_index=None); recon(p)

    def check(c, f):
        d = xo(f, mask_and_scale=False); assert int(d.mesh2d_face_nodes.max()) == d.sizes["mesh2d_nNodes"] and "start_index" in xo(c).mesh2d_face_nodes.attrs


# ===================================================================== IMAGES
@case(18, "axes-in-another-order", "spatial-image/multiscale-spatial-image#41",
      "the axes of the multiscales metadata (x, y, z) are in another order than the dimensions of the arrays (_ARRAY_DIMENSIONS z, y, x; shape 8, 96, 128): scale and names belong to other axes.", "convention")
class c18:
    def clean(p):
        r = rng(18); im = np.clip(500 + 160 * smooth((8, 96, 128), (1, 5, 5), r), 0, None).round(-2).astype("u2")
        g = zarr.open_group(p, mode="w", zarr_format=2); sc = [(2., .5, .5), (2., 1., 1.)]
        for i, a in enumerate([im, np.round(mean2(im.astype(float))).astype("u2")]): arr(g, str(i), a, (4, 48, 64), attrs={"_ARRAY_DIMENSIONS": ["z", "y", "x"]})
        g.attrs["multiscales"] = ngff_ms("zyx", sc, "image")

    def fault(p):
        q = p + "/.zattrs"; d = jr(q); d["multiscales"][0]["axes"].reverse(); jw(q, d)

    def check(c, f):
        assert [a["name"] for a in jr(f + "/.zattrs")["multiscales"][0]["axes"]] == ["x", "y", "z"]; ome_check(c)


@case(19, "label-with-scale-of-level-0", "fractal-analytics-platform/fractal-client#64",
      "labels/nuclei was segmented at level 2 (64 x 64) but declares the pixel size of level 0 (0.1625 where it is 0.65): in physical units it covers a sixteenth of the image and lies in its corner; its scales must be four times as large.", "relation")
class c19:
    def clean(p):
        r = rng(19); lab, im, _ = blind2.plate_img(r, 40); im = im // 128 * 128
        g = zarr.open_group(p, mode="w", zarr_format=2); lv = [im]; sc = [(.1625 * 2 ** i,) * 2 for i in range(3)]
        for i in range(2): lv.append(np.round(mean2(lv[-1].astype(float))).astype("u2"))
        for i, a in enumerate(lv): arr(g, str(i), a, (64, 64))
        g.attrs["multiscales"] = ngff_ms("yx", sc, "DAPI", typ="mean")
        L = g.create_group("labels"); L.attrs["labels"] = ["nuclei"]; n = L.create_group("nuclei")
        l0 = lab[::4, ::4].astype("u2"); ll = [l0, near2(l0), near2(near2(l0))]
        for i, a in enumerate(ll): arr(n, str(i), a, (64, 64))
        n.attrs.update({"multiscales": ngff_ms("yx", [(.65 * 2 ** i,) * 2 for i in range(3)], "nuclei"), "image-label": {"version": "0.4", "source": {"image": "../../"}}})

    def fault(p):
        q = p + "/labels/nuclei/.zattrs"; d = jr(q)
        for i, s in enumerate(d["multiscales"][0]["datasets"]): s["coordinateTransformations"][0]["scale"] = [.1625 * 2 ** i] * 2
        jw(q, d)

    def check(c, f):
        e = lambda p: zarr.open_group(p, mode="r")["labels/nuclei/0"].shape[0] * jr(p + "/labels/nuclei/.zattrs")["multiscales"][0]["datasets"][0]["coordinateTransformations"][0]["scale"][0]
        assert abs(e(c) - 256 * .1625) < 1e-6 and abs(e(f) - 256 * .1625 / 4) < 1e-6; ome_check(c)


@case(20, "zeros-for-nodata-in-fine-levels", "EOPF-Explorer/data-model#122",
      "r10m and r20m hold 0.0 in the corner without sensor data, where the coarser r40m holds the declared fill value NaN: the nodata cells of the two finest levels were not masked before they were written.", "relation")
class c20:
    @staticmethod
    def data():
        r = rng(20); n = 128; a = np.clip(.16 + .05 * smooth((n, n), 4, r), .02, None).round(2); yy, xx = np.mgrid[:n, :n]; a[yy - xx > 56] = np.nan
        return a

    def clean(p):
        a = c20.data(); root = zarr.open_group(p, mode="w", zarr_format=3); g = root.create_group("measurements").create_group("reflectance")
        g.attrs["multiscales"] = {"layout": [{"asset": "r10m"}, {"asset": "r20m", "derived_from": "r10m", "transform": {"scale": [2., 2.]}}, {"asset": "r40m", "derived_from": "r20m", "transform": {"scale": [2., 2.]}}], "resampling_method": "average"}
        for res in (10, 20, 40):
            h = g.create_group("r%dm" % res); m = len(a)
            arr(h, "b04", a.astype("f4"), (32, 32), 3, fill=np.float32("nan"), names=["y", "x"], attrs={"long_name": "BOA reflectance 665 nm", "units": "1", "standard_name": "toa_bidirectional_reflectance"})
            arr(h, "x", 600000 + res * (np.arange(m) + .5), (m,), 3, fill=np.nan, names=["x"], attrs={"units": "m", "standard_name": "projection_x_coordinate"})
            arr(h, "y", 5700000 - res * (np.arange(m) + .5), (m,), 3, fill=np.nan, names=["y"], attrs={"units": "m", "standard_name": "projection_y_coordinate"})
            a = mean2(a)

    def fault(p):
        g = zarr.open_group(p, mode="r+")["measurements/reflectance"]
        for k in ("r10m", "r20m"): b = g[k]["b04"]; b[:] = np.nan_to_num(b[:], nan=0.)

    def check(c, f):
        F = allread(f); z = lambda k: (F["measurements/reflectance/%s/b04" % k] == 0).sum(); assert z("r10m") > 1500 and z("r20m") > 300 and z("r40m") == 0 and np.isnan(F["measurements/reflectance/r40m/b04"]).sum() > 100
        xo(c, group="measurements/reflectance/r20m", consolidated=False)


@case(21, "geozarr-attributes-transposed", "carbonplan/zarr-layer#88",
      "spatial:dimensions is [x, y] and spatial:shape [50, 70], transposed against the array (t, y, x) with y = 70 and x = 50: readers that trust them shear the map; they must be [y, x] and [70, 50].", "convention")
class c21:
    def clean(p):
        r = rng(21); nt, ny, nx = 5, 70, 50
        g = zarr.open_group(p, mode="w", zarr_format=3)
        g.attrs.update({"zarr_conventions": [{"uuid": "f17cb550-5864-4468-aeb7-f3180cfb622f", "schema_url": "https://raw.githubusercontent.com/zarr-experimental/geo-proj/refs/tags/v1/schema.json", "name": "proj:", "description": "Coordinate reference system information for geospatial data"},
                                             {"uuid": "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "schema_url": "https://raw.githubusercontent.com/zarr-conventions/spatial/refs/tags/v1/schema.json", "name": "spatial:", "description": "Spatial coordinate information"}],
                        "proj:code": "EPSG:32633", "spatial:dimensions": ["y", "x"], "spatial:shape": [ny, nx], "spatial:transform": [1000., 0., 200000., 0., -1000., 7000000.], "spatial:bbox": [200000., 6930000., 250000., 7000000.], "spatial:registration": "pixel"})
        arr(g, "tg", (6 + 4 * smooth((nt, ny, nx), (1, 5, 5), r)).round(0).astype("f4"), (1, 35, 25), 3, fill=np.float32("nan"), names=["t", "y", "x"], attrs={"units": "degC", "standard_name": "air_temperature"})
        arr(g, "t", np.arange(nt, dtype="i4"), (nt,), 3, names=["t"], attrs={"units": "days since 2026-06-01", "calendar": "proleptic_gregorian", "standard_name": "time"})
        arr(g, "y", 7000000 - 1000. * (np.arange(ny) + .5), (ny,), 3, fill=np.nan, names=["y"], attrs={"units": "m", "standard_name": "projection_y_coordinate"})
        arr(g, "x", 200000 + 1000. * (np.arange(nx) + .5), (nx,), 3, fill=np.nan, names=["x"], attrs={"units": "m", "standard_name": "projection_x_coordinate"})

    def fault(p):
        q = p + "/zarr.json"; d = jr(q); d["attributes"]["spatial:dimensions"] = ["x", "y"]; d["attributes"]["spatial:shape"] = [50, 70]; jw(q, d)

    def check(c, f):
        assert xo(c, consolidated=False).tg.shape == (5, 70, 50) and jr(f + "/zarr.json")["attributes"]["spatial:shape"] == [50, 70]


# ===================================================================== GRAPHS, TABLES, EXPERIMENTS
@case(22, "edges-to-missing-nodes", "live-image-tracking-tools/geff#145",
      "edges/ids names nodes 17, 58 and 91 that are not in nodes/ids (six edges point to nothing): nodes were deleted and their edges were left.", "reference")
class c22:
    def clean(p):
        r = rng(22); nt, k = 20, 7
        ids = np.arange(nt * k, dtype="u8") + 1; t = np.repeat(np.arange(nt), k); y = np.tile(r.uniform(20, 200, k), nt) + np.cumsum(r.normal(0, 1, (nt, k)), 0).ravel(); x = np.tile(r.uniform(20, 200, k), nt) + np.cumsum(r.normal(0, 1, (nt, k)), 0).ravel()
        e = np.stack([ids[:-k], ids[k:]], 1)
        root = zarr.open_group(p, mode="w", zarr_format=2); g = root.create_group("tracks")
        pm = lambda n, d, u=None: {"identifier": n, "dtype": d, **({"unit": u} if u else {})}
        g.attrs["geff"] = {"geff_version": "1.1", "directed": True, "axes": [{"name": "t", "type": "time", "unit": "second", "min": 0., "max": 19.}, {"name": "y", "type": "space", "unit": "micrometer"}, {"name": "x", "type": "space", "unit": "micrometer"}], "node_props_metadata": {n: pm(n, d) for n, d in (("t", "int64"), ("y", "float64"), ("x", "float64"))}, "edge_props_metadata": {"distance": pm("distance", "float64")}}
        N = g.create_group("nodes"); E = g.create_group("edges"); arr(N, "ids", ids, (len(ids),)); arr(E, "ids", e, e.shape)
        P = N.create_group("props")
        for n, v in (("t", t.astype("i8")), ("y", y), ("x", x)): arr(P.create_group(n), "values", v, v.shape)
        Q = E.create_group("props"); dd = np.hypot(y[k:] - y[:-k], x[k:] - x[:-k]); arr(Q.create_group("distance"), "values", dd, dd.shape)

    def fault(p):
        g = zarr.open_group(p, mode="r+")["tracks/nodes"]; keep = ~np.isin(g["ids"][:], [17, 58, 91])
        for n in ("ids", "props/t/values", "props/y/values", "props/x/values"):
            v = g[n][:][keep]; g[n].resize(v.shape); g[n][:] = v

    def check(c, f):
        m = lambda A: np.setdiff1d(A["tracks/edges/ids"], A["tracks/nodes/ids"]).tolist(); assert m(allread(c)) == [] and m(allread(f)) == [17, 58, 91]


@case(23, "spike-times-in-milliseconds", "rutishauserlab/recogmem-release-NWB#5",
      "units/spike_times is in milliseconds and not in seconds as NWB wants: it reaches to 600,000 where trials end and the recording stops at about 600 s; divide by 1000.", "relation")
class c23:
    def clean(p):
        r = rng(23); T = 600.; g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.7.0", ".specloc": "specifications", "object_id": "1f6d4f0e-0a2b-4f2c-9b62-4c0e0b1d2a10"})
        acq = g.create_group("acquisition").create_group("ElectricalSeries"); acq.attrs.update({"namespace": "core", "neurodata_type": "ElectricalSeries", "description": "raw", "object_id": "a0b1c2d3-0000-4000-8000-000000000001"})
        d = (4 * smooth((6000, 4), (2, 0), r)).round().astype("i2"); arr(acq, "data", d, (1500, 4), attrs={"unit": "volts", "conversion": 1.95e-7, "resolution": -1.0, "offset": 0.0, "zarr_dtype": "int16"})
        arr(acq, "starting_time", np.array(0.), (), fill=0., attrs={"rate": 10.0, "unit": "seconds", "zarr_dtype": "float64"})
        iv = g.create_group("intervals").create_group("trials"); iv.attrs.update({"namespace": "core", "neurodata_type": "TimeIntervals", "colnames": ["start_time", "stop_time"], "description": "trials", "object_id": "a0b1c2d3-0000-4000-8000-000000000002"})
        s = 5 + np.arange(60) * 9.8; nd = {"namespace": "hdmf-common", "neurodata_type": "VectorData", "zarr_dtype": "float64"}
        arr(iv, "start_time", s, (60,), fill=0., attrs={**nd, "description": "start, in seconds"}); arr(iv, "stop_time", s + 6, (60,), fill=0., attrs={**nd, "description": "stop, in seconds"})
        arr(iv, "id", np.arange(60), (60,), attrs={"namespace": "hdmf-common", "neurodata_type": "ElementIdentifiers", "zarr_dtype": "int64"})
        u = g.create_group("units"); u.attrs.update({"namespace": "core", "neurodata_type": "Units", "colnames": ["spike_times"], "description": "sorted units", "object_id": "a0b1c2d3-0000-4000-8000-000000000003"})
        L = [np.sort(r.uniform(0, T - .5, int(k))).round(2) for k in r.integers(30, 90, 12)]
        arr(u, "spike_times", np.concatenate(L), (400,), fill=0., attrs={**nd, "description": "the spike times for each unit in seconds"})
        arr(u, "spike_times_index", np.cumsum([len(x) for x in L]).astype("u4"), (12,), attrs={"namespace": "hdmf-common", "neurodata_type": "VectorIndex", "zarr_dtype": "uint32", "description": "Index for VectorData 'spike_times'", "target": {"zarr_dtype": "object", "value": {"path": "/units/spike_times", "source": ".", "object_id": "a0b1c2d3-0000-4000-8000-000000000004", "source_object_id": "1f6d4f0e-0a2b-4f2c-9b62-4c0e0b1d2a10"}}})
        arr(u, "id", np.arange(12), (12,), attrs={"namespace": "hdmf-common", "neurodata_type": "ElementIdentifiers", "zarr_dtype": "int64"})

    def fault(p):
        a = zarr.open_group(p, mode="r+")["units/spike_times"]; a[:] = a[:] * 1000

    def check(c, f):
        C, F = allread(c), allread(f); assert C["units/spike_times"].max() < 600 and F["units/spike_times"].max() > 5e5 and C["intervals/trials/stop_time"].max() < 600


@case(24, "table-begins-at-background", "scverse/napari-spatialdata#221",
      "the table annotates instances 0..59 while the labels are 1..60 (0 is background): the background was counted as an instance and all ids are shifted by one; area_px of row i is that of label i + 1.", "relation")
class c24:
    def clean(p):
        import anndata as ad
        r = rng(24); lab, im, got = blind2.plate_img(r, 60); im = im // 128 * 128; N = int(lab.max())
        g = zarr.open_group(p, mode="w", zarr_format=3); sc = [(.5,) * 2, (1.,) * 2]
        I = g.create_group("images"); L = g.create_group("labels")
        for h, a, at in ((I.create_group("dapi"), im, {}), (L.create_group("cells"), lab.astype("i4"), {"image-label": {"version": "0.5"}})):
            for i, b in enumerate([a, near2(a) if at else np.round(mean2(a.astype(float))).astype("u2")]): arr(h, str(i), b, (128, 128), 3, names=["y", "x"])
            h.attrs["ome"] = {"version": "0.5", "multiscales": ngff_ms("yx", sc, "x", "0.5"), **at}
        L.attrs["ome"] = {"version": "0.5", "labels": ["cells"]}
        ids = np.arange(1, N + 1); area = np.bincount(lab.ravel())[1:]; mi = np.bincount(lab.ravel(), im.ravel())[1:] / area
        obs = pd.DataFrame({"cell_id": ids.astype("i8"), "region": pd.Categorical(["cells"] * N), "area_px": area.astype("i8")}, index=["cell-%d" % i for i in ids])
        A = ad.AnnData(X=mi[:, None].round(3).astype("f4"), obs=obs, var=pd.DataFrame(index=["dapi_mean"]))
        A.uns["spatialdata_attrs"] = {"region": "cells", "region_key": "region", "instance_key": "cell_id"}
        T = g.create_group("tables"); T.attrs["tables"] = ["table"]; ad.settings.zarr_write_format = 3; ad.io.write_elem(T, "table", A)
        g["tables/table"].attrs.update({"spatialdata-encoding-type": "ngff:regions_table", "region": "cells", "region_key": "region", "instance_key": "cell_id", "version": "0.2"})

    def fault(p):
        a = zarr.open_group(p, mode="r+")["tables/table/obs/cell_id"]; a[:] = a[:] - 1

    def check(c, f):
        import anndata as ad
        for p, bad in ((c, 0), (f, 1)):
            g = zarr.open_group(p, mode="r"); i = ad.io.read_elem(g["tables/table"]).obs.cell_id.values; u = np.unique(g["labels/cells/0"][:])
            assert (set(i.tolist()) == set(u[u > 0].tolist())) == (not bad)


@case(25, "frame-with-another-index", "scverse/anndata#2080",
      "the data frame obsm/protein has the index cell0.. while obs has barcodes: same length, other names, and anndata refuses to read the file (ValueError: value.index does not match parent's obs names); obs was renamed after the frame had been added.", "relation")
class c25:
    def clean(p):
        import anndata as ad, scipy.sparse as sp
        r = rng(25); n, m = 120, 60; K = r.poisson(np.exp(r.normal(-1, 1, m)), (n, m))
        names = ["".join(r.choice(list("ACGT"), 16)) + "-1" for _ in range(n)]
        A = ad.AnnData(X=sp.csr_matrix(K.astype("f4")), obs=pd.DataFrame({"n_counts": K.sum(1)}, index=names), var=pd.DataFrame(index=["gene%d" % i for i in range(m)]))
        A.obsm["protein"] = pd.DataFrame({"CD3": r.poisson(8, n), "CD19": r.poisson(3, n)}, index=names)
        ad.settings.zarr_write_format = 2; A.write_zarr(p)

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)["obsm/protein"]; k = g.attrs["_index"]; a = g[k] if isinstance(g[k], zarr.Array) else g[k]["values"]
        a[:] = np.array(["cell%d" % i for i in range(a.shape[0])], dtype=a[:].dtype)
        if os.path.exists(p + "/.zmetadata"): recon(p)

    def check(c, f):
        import anndata as ad
        ad.read_zarr(c); assert fails(lambda: ad.read_zarr(f))


# ===================================================================== DOCUMENTS AND TRANSFERS
@case(26, "fill-value-null", "manzt/zarrita.js#352",
      "fill_value of the V3 array depth is null: JavaScript's JSON.stringify made null of NaN, which V3 does not allow (it must be \"NaN\"); the 5 chunks that are not stored read as 0 or fail, and are missing data.", "json")
class c26:
    def clean(p):
        r = rng(26); ny, nx = 96, 128; z = (-40 - 12 * smooth((ny, nx), 6, r)).astype("f4").round(1); z[:32, :96] = np.nan; z[64:, 96:] = np.nan; z[32:64, 96:] = np.nan
        g = zarr.open_group(p, mode="w", zarr_format=3)
        arr(g, "depth", z, (32, 32), 3, fill=np.float32("nan"), names=["y", "x"], attrs={"units": "m", "long_name": "bathymetry"})

    def fault(p):
        q = p + "/depth/zarr.json"; d = jr(q); d["fill_value"] = None; jw(q, d)

    def check(c, f):
        assert len(chunkfiles(c + "/depth")) == 7 and np.isnan(allread(c)["depth"]).sum() == 5 * 1024 and jr(f + "/depth/zarr.json")["fill_value"] is None


@case(27, "bare-nan-in-documents", "EOPF-Explorer/data-model#67",
      "zarr.json (root consolidated metadata, and the two arrays) has the token NaN without quotes, which is not JSON: Python reads it, JavaScript and Rust readers refuse the whole store; it must be \"NaN\".", "json")
class c27:
    def clean(p):
        r = rng(27); g = zarr.open_group(p, mode="w", zarr_format=3)
        for n in ("b02", "b03"): arr(g, n, (.1 + .03 * smooth((64, 64), 4, r)).round(3).astype("f4"), (32, 32), 3, fill=np.float32("nan"), names=["y", "x"], attrs={"units": "1"})
        zarr.consolidate_metadata(p)

    def fault(p):
        for q in (p, p + "/b02", p + "/b03"):
            q += "/zarr.json"; s = open(q).read(); assert '"fill_value": "NaN"' in s; open(q, "w").write(s.replace('"fill_value": "NaN"', '"fill_value": NaN'))

    def check(c, f):
        def no(x): raise ValueError(x)
        assert fails(lambda: json.loads(open(f + "/zarr.json").read(), parse_constant=no)) and json.loads(open(c + "/zarr.json").read(), parse_constant=no)
        xo(c)


@case(28, "name-with-a-tab", "google-research/weatherbench2#276",
      "the variable geopotential is stored under the name \"geopotential\\t\" (with a tab at its end), in the folder and in the consolidated metadata: look-ups of geopotential fail though listings show it; rename it.", "names")
class c28:
    def clean(p):
        r = rng(28); nt, ny, nx = 6, 16, 32; la, lo = latlon(ny, nx, 80); D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"geopotential": (D, (54000 + 900 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "m2 s-2", "standard_name": "geopotential"}), "temperature": (D, temperature(nt, la, lo, r).astype("f4"), {"units": "K", "standard_name": "air_temperature"})},
                        coords={"time": tvar("2022-01-01", nt, "6h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {v: {"chunks": (2, ny, nx)} for v in ds.data_vars})

    def fault(p):
        os.rename(p + "/geopotential", p + "/geopotential\t"); recon(p)

    def check(c, f):
        assert "geopotential" in xo(c) and "geopotential\t" in xo(f)


@case(29, "chunks-gzipped-once-more", "GoogleCloudPlatform/gsutil#324",
      "five of the 24 chunks of precip are gzip files around the stored chunk (1f 8b ...): uploaded with gzip content encoding and fetched without its being undone; gunzip them, and they decode.", "transfer")
class c29:
    BAD = ["0.1.0", "2.0.1", "3.1.1", "4.0.0", "5.1.0"]

    def clean(p):
        r = rng(29); nt, ny, nx = 24, 24, 40; la, lo = latlon(ny, nx, 57.5); D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"precip": (D, (np.maximum(smooth((nt, ny, nx), (1, 2, 2), r) - .3, 0) * 6).astype("f4"), {"units": "mm", "long_name": "daily precipitation", "cell_methods": "time: sum"})},
                        coords={"time": tvar("2018-01-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {"precip": {"chunks": (4, 12, 20)}})

    def fault(p):
        for k in c29.BAD:
            q = p + "/precip/" + k; b = open(q, "rb").read(); open(q, "wb").write(gzip.compress(b, 6, mtime=0))

    def check(c, f):
        assert fails(lambda: xo(f)) and xo(c).precip.notnull().all() and len(chunkfiles(f + "/precip")) == 24


@case(30, "root-documents-lost", "google-research/arco-era5#76",
      "the root has no .zgroup, .zattrs or .zmetadata any more (and v_component_of_wind is gone), while four arrays with their documents lie in it: a copy left the dot files at the top behind; xarray raises GroupNotFoundError; a .zgroup and consolidating mend it.", "headers")
class c30:
    def clean(p):
        r = rng(30); nt, ny, nx = 6, 16, 24; la, lo = latlon(ny, nx, 75); D = ("time", "latitude", "longitude")
        ds = xr.Dataset({"u_component_of_wind": (D, (8 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "m s**-1", "standard_name": "eastward_wind"}), "v_component_of_wind": (D, (8 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "m s**-1", "standard_name": "northward_wind"})},
                        coords={"time": tvar("1959-01-01", nt, "6h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {v: {"chunks": (2, ny, nx)} for v in ds.data_vars})

    def fault(p):
        for n in (".zgroup", ".zattrs", ".zmetadata"): os.remove(p + "/" + n)
        shutil.rmtree(p + "/v_component_of_wind")

    def check(c, f):
        assert "v_component_of_wind" in xo(c) and fails(lambda: xo(f))


@case(31, "blocks-lost-by-parallel-writers", "dask/dask#12583",
      "coverage was written by dask in blocks of 20 x 20 into chunks of 32 x 32 at the same time: writers of one chunk overwrote each other, so that within chunks whole rectangles that end at multiples of 20 are back at the fill value 0, where their neighbours have data; align dask's chunks and write again.", "race")
class c31:
    @staticmethod
    def data():
        r = rng(31); return (50 + 12 * smooth((160, 160), 9, r)).astype("f4").round(1)

    def clean(p):
        g = zarr.open_group(p, mode="w", zarr_format=3)
        arr(g, "coverage", c31.data(), (32, 32), 3, fill=np.float32(0), names=["y", "x"], attrs={"units": "1", "long_name": "read coverage"})

    def fault(p):
        r = rng(3100); z = c31.data(); a = zarr.open_group(p, mode="r+")["coverage"]; out = z.copy()
        for cy in range(5):
            for cx in range(5):
                w = {(y // 20, x // 20) for y in (cy * 32, cy * 32 + 31) for x in (cx * 32, cx * 32 + 31)} | {(y // 20, x // 20) for y in range(cy * 32, cy * 32 + 32, 4) for x in range(cx * 32, cx * 32 + 32, 4)}
                for by, bx in sorted(w):
                    if len(w) > 1 and r.random() < .25:
                        out[max(by * 20, cy * 32):min(by * 20 + 20, cy * 32 + 32), max(bx * 20, cx * 32):min(bx * 20 + 20, cx * 32 + 32)] = 0
        a[:] = out

    def check(c, f):
        A, B = allread(c)["coverage"], allread(f)["coverage"]; assert (A > 0).all() and .05 < (B == 0).mean() < .5


# The stores that are kept, and what a finding on each fault must have, joined by `|`.
KEPT = {
    1: "relative_humidity|Divided by 10|scale_factor",
    2: "wind_speed|wind_dir|each other's place",
    3: "-32768|265.382|_FillValue",
    5: "valid_range|unpacked",
    6: "_FillValue|127.5",
    7: "longitude|float32",
    8: "-9999|beside a missing element",
    9: "indices 10 to 15|moved by 32 elements",
    10: "Planes 1 and 2|indices 5, 8",
    11: "noleap|first of a month",
    12: "valid_time|the period was not added",
    13: "one row more than|its row 1 belongs to the first",
    15: "96 to 119|any of the 3 arrays",
    16: "lat_bnds|against its coordinate|\"lon\"",
    17: "mesh2d_face_nodes|start_index",
    18: "z, y, x|x, y, z",
    19: "level \"2\"|with the scale of that level",
    20: "r10m|0 where the coarser|171 of 171",
    21: "spatial:dimensions|\"y\", \"x\"",
    22: "17, 58, 91|6 of 133 edges",
    23: "spike_times|milliseconds",
    24: "cell_id|background",
    25: "the index of \"protein\"|ValueError",
    28: "geopotential|a tab",
    30: "coordinate of others|.zgroup",
}

if __name__ == "__main__":
    main(CASES, KEPT)
    if len(sys.argv) == 1:
        pack("blind3.zip", CASES, KEPT)
        shutil.rmtree(OUT)
