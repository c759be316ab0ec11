"""Makes stores of thirty more faults that people reported, and their clean twins, written without a look at the program.

    /path/to/venv/bin/python blind5.py [FOLDER [NUMBER...]]    # zarr 3.4.2, xarray 2026.9; writes blind5.zip, or the stores

Each text says what a good answer names. All are of kinds that are reported again and again: a unit that is not that of the values, a
copy that was not whole, a sidecar that was forgotten. See blind2.py and blind4.py, whose helpers are used, and the table in THREADS.md.
"""
import blind2, blind4
from blind2 import *
from blind4 import attrs2, attrs3, temperature, D, reconz, NS

CASES = []


def case(num, name, thread, fault, kind, suffix=""):
    def deco(cls):
        CASES.append(Case(num, name, thread, fault, kind, cls.clean, cls.fault, cls.check, suffix))
        return cls
    return deco


def rng(n):
    return np.random.default_rng(58100 + n)


def quiet(p, **k):
    """Opens a clean store, and no warning may be given."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return xo(p, **k)


def v3(p, **k):
    return xo(p, consolidated=False, **k)


def ad_quiet(p):
    import anndata as ad
    with warnings.catch_warnings():
        warnings.simplefilter("error"); warnings.filterwarnings("ignore", category=DeprecationWarning); warnings.filterwarnings("ignore", category=FutureWarning)
        return ad.read_zarr(p)


def cell_bounds(v, per=None):
    d = abs(v[1] - v[0]) / 2
    return np.stack([v - d, v + d], 1)


def globe(ny, nx):
    """Latitudes and longitudes of the centres of all cells of the globe."""
    la = -90 + 180 / ny * (np.arange(ny) + .5); lo = 360 / nx * (np.arange(nx) + .5)
    return la, lo


def yx(la, lo):
    return (xr.Variable("lat", la, {"standard_name": "latitude", "units": "degrees_north", "axis": "Y"}), xr.Variable("lon", lo, {"standard_name": "longitude", "units": "degrees_east", "axis": "X"}))


E = ("time", "lat", "lon")


# ===================================================================== BYTES, CODECS, SHARDS, CHUNK FILES
@case(1, "zip-that-was-not-closed", "pydata/xarray#4076",
      "the zip has all its entries (their local headers and bytes) but no central directory at the end: the ZipStore was never closed by the writer; close it (or use `with`), or repair the zip (zip -FF).", "bytes", ".zarr.zip")
class c1:
    def clean(p):
        r = rng(1); nt, ny, nx = 12, 20, 30; la, lo = latlon(ny, nx, 57.)
        ds = xr.Dataset({"discharge": (D, np.exp(2 + .8 * smooth((nt, ny, nx), (2, 2, 2), r)).astype("f4"), {"units": "m3 s-1", "long_name": "River discharge"}),
                         "runoff": (D, np.exp(-1 + .6 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "mm", "long_name": "Runoff"})},
                        coords={"time": tvar("2019-01-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "title": "Groundwater model output"})
        t = p + ".dir"; save(ds, t, 2, {v: {"chunks": (6, 20, 30)} for v in ds.data_vars}, bits=6); blind2.zipdir(t, p); shutil.rmtree(t)

    def fault(p):
        b = open(p, "rb").read(); i = b.index(b"PK\1\2"); open(p, "wb").write(b[:i])

    def check(c, f):
        with zarr.storage.ZipStore(c, mode="r") as s: assert quiet(s).runoff.shape == (12, 20, 30)
        assert not zipfile.is_zipfile(f) and open(f, "rb").read(4) == b"PK\3\4"


@case(2, "files-that-became-zeros", "openzfs/zfs#15526",
      "six chunk files of thetao have the right length and nothing but zero bytes (the file system lost their content as they were copied): no Blosc header, they cannot be decoded; copy them again.", "bytes")
class c2:
    BAD = ["0.1.0", "1.0.1", "2.2.1", "2.0.0", "3.1.1", "3.2.0"]

    def clean(p):
        r = rng(2); nt, ny, nx = 8, 36, 48; la, lo = latlon(ny, nx, 60.)
        th = 18 - 14 * np.sin(np.deg2rad(la.values))[None, :, None] ** 2 + 1.2 * smooth((nt, ny, nx), (2, 3, 3), r); so = 35 + .4 * smooth((nt, ny, nx), (2, 3, 3), r)
        ds = xr.Dataset({"thetao": (D, th.astype("f4"), {"units": "degC", "standard_name": "sea_water_potential_temperature", "long_name": "Temperature"}), "so": (D, so.astype("f4"), {"units": "1e-3", "standard_name": "sea_water_salinity", "long_name": "Salinity"})},
                        coords={"time": tvar("2018-03-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.4", "source": "MERCATOR GLORYS12V1"})
        save(ds, p, 2, {v: {"chunks": (2, 12, 24)} for v in ds.data_vars}, bits=6)

    def fault(p):
        for k in c2.BAD: q = p + "/thetao/" + k; n = os.path.getsize(q); open(q, "wb").write(bytes(n))

    def check(c, f):
        assert quiet(c).thetao.notnull().all() and fails(lambda: xo(f)) and zarr.open_group(f, mode="r")["so"][:].size
        assert sum(not any(open(q, "rb").read()) for q in chunkfiles(f + "/thetao")) == 6


@case(3, "zlib-said-to-be-gzip", "zarr-developers/zarr_implementations#29",
      "the compressor of raw is gzip; its chunks are zlib streams (they begin with 78, not with 1f 8b), as an older z5 wrote them: not a gzipped file. The id must be zlib (or the chunks be written anew).", "codec")
class c3:
    def clean(p):
        r = rng(3); g = zarr.open_group(p, mode="w", zarr_format=2); g.attrs.update({"description": "FIB-SEM crop", "resolution": [8, 8, 8]})
        d = np.clip(128 + 34 * smooth((24, 48, 48), (1.5, 2, 2), r), 0, 255).round().astype("u1") // 8 * 8
        arr(g, "raw", d, (12, 24, 24), compressors=numcodecs.GZip(level=5), attrs={"offset": [0, 0, 0]}); arr(g, "mask", (d > 150).astype("u1"), (12, 24, 24), compressors=numcodecs.GZip(level=5), attrs={"offset": [0, 0, 0]})

    def fault(p):
        for q in chunkfiles(p + "/raw"): b = bytes(numcodecs.GZip().decode(open(q, "rb").read())); open(q, "wb").write(zlib.compress(b, 5))

    def check(c, f):
        allread(c); assert fails(lambda: allread(f)) and all(open(q, "rb").read(1) == b"\x78" for q in chunkfiles(f + "/raw")) and all(open(q, "rb").read(2) == b"\x1f\x8b" for q in chunkfiles(f + "/mask"))


@case(4, "later-days-without-shuffle", "zarr-developers/VirtualiZarr#533",
      "sst says shuffle and zlib; the chunks of the days from index 8 on (6 of 14) are compressed without the shuffle filter, as the files they were taken from: they decode without an error to scrambled numbers (low and high bytes in each other's place). anom and err are right.", "codec")
class c4:
    F = [numcodecs.Shuffle(2)]

    def clean(p):
        r = rng(4); nt, ny, nx = 14, 30, 60; la, lo = globe(ny, nx); g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"Conventions": "CF-1.6, ACDD-1.3", "title": "NOAA/NCEI 1/4 Degree Daily Optimum Interpolation Sea Surface Temperature (OISST) Analysis, Version 2.1", "sensor": "Thermometer, AVHRR"})
        land = smooth((ny, nx), (3, 4), r, "wrap") > .9; cl = 29 - 30 * np.sin(np.deg2rad(la)) ** 2; an = .7 * smooth((nt, ny, nx), (2, 3, 4), r)
        sst = np.maximum(cl[None, :, None] + an, -1.8); er = .15 + .05 * np.abs(smooth((nt, ny, nx), (2, 3, 3), r))
        for k, v, l in (("sst", sst, "Daily sea surface temperature"), ("anom", an, "Daily sea surface temperature anomalies"), ("err", er, "Estimated error standard deviation of analysed_sst")):
            q = np.where(land[None], -999, np.round(v / .05) * 5).astype("i2")
            arr(g, k, q, (1, ny, nx), sep=".", fill=np.int16(-999), filters=c4.F, compressors=numcodecs.Zlib(level=4), attrs={"_ARRAY_DIMENSIONS": list(E), "long_name": l, "units": "Celsius", "scale_factor": .01, "add_offset": 0., "valid_min": {"sst": -300, "anom": -1200, "err": 0}[k], "valid_max": {"sst": 4500, "anom": 1200, "err": 1000}[k]})
        arr(g, "time", np.arange(nt, dtype="i8") + 2342, (nt,), sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": ["time"], "long_name": "Center time of the day", "units": "days since 1978-01-01 12:00:00", "calendar": "proleptic_gregorian", "standard_name": "time"})
        for k, v, u, s in (("lat", la, "degrees_north", "latitude"), ("lon", lo, "degrees_east", "longitude")): arr(g, k, v.astype("f4"), v.shape, sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": [k], "units": u, "standard_name": s})
        recon(p)

    def fault(p):
        a = zarr.open_group(p, mode="r")["sst"]
        for i in range(8, 14): b = np.ascontiguousarray(a[i:i + 1]).astype("<i2").tobytes(); open(p + "/sst/%d.0.0" % i, "wb").write(zlib.compress(b, 4))

    def check(c, f):
        C, F = quiet(c), xo(f); assert C.sst.max() < 45 and C.sst[:8].equals(F.sst[:8]) and C.anom.equals(F.anom) and (F.sst[8:] > 50).mean() > .1


@case(5, "shard-and-chunk-shape-exchanged", "zarrs/zarrs#274",
      "zarr.json of t2m has the two shapes in each other's place: the chunk grid says 6 x 10 x 20 (which are the inner chunks) and sharding_indexed says 12 x 20 x 40 (which are the shards): inner chunks cannot be larger than their shard; the keys and the index of each file (8 entries) fit the shapes the other way round.", "codec")
class c5:
    def clean(p):
        r = rng(5); nt, ny, nx = 24, 20, 40; la, lo = latlon(ny, nx, 57.)
        ds = xr.Dataset({"t2m": (D, temperature(nt, la, lo, r).astype("f4"), {"units": "K", "standard_name": "air_temperature", "long_name": "2 metre temperature"}), "msl": (D, (101200 + 900 * smooth((nt, ny, nx), (2, 3, 3), r)).astype("f4"), {"units": "Pa", "standard_name": "air_pressure_at_mean_sea_level", "long_name": "Mean sea level pressure"})},
                        coords={"time": tvar("2024-03-01", nt, "h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8"})
        save(ds, p, 3, {v: {"chunks": (6, 10, 20), "shards": (12, 20, 40)} for v in ds.data_vars}, bits=6)

    def fault(p):
        q = p + "/t2m/zarr.json"; d = jr(q); g, s = d["chunk_grid"]["configuration"], d["codecs"][0]["configuration"]
        g["chunk_shape"], s["chunk_shape"] = s["chunk_shape"], g["chunk_shape"]; jw(q, d)

    def check(c, f):
        assert quiet(c, consolidated=False).t2m.shape == (24, 20, 40) and fails(lambda: v3(f)) and len(chunkfiles(f + "/t2m")) == 2


@case(6, "frames-that-occur-twice", "PolymathicAI/the_well#74",
      "frames 18, 31, 32 and 47 are exact copies of the frames before them, in pressure and in both velocities (their chunk files are byte for byte the same), where time goes on by equal steps: the solver's output of these steps is missing.", "bytes")
class c6:
    DUP = [18, 31, 32, 47]

    def clean(p):
        r = rng(6); nt, n = 60, 20; S = smooth((4, nt, n, n), (0, 3, 2, 2), r)
        ds = xr.Dataset({k: (("time", "y", "x"), (S[i] * s).astype("f4"), {"long_name": l, "units": "1"}) for i, (k, s, l) in enumerate((("pressure", 3., "Pressure"), ("velocity_x", .5, "Velocity, x component"), ("velocity_y", .5, "Velocity, y component")))},
                        coords={"time": ("time", np.round(.5 * np.arange(nt), 2), {"long_name": "time in units of the shear rate"}), "y": ("y", (np.arange(n) + .5) / n), "x": ("x", (np.arange(n) + .5) / n * 6.2832)}, attrs={"dataset_name": "viscoelastic_instability", "Re": 1000.0, "Wi": 20.0, "grid_type": "cartesian"})
        save(ds, p, 3, {k: {"chunks": (1, n, n)} for k in ds.data_vars}, bits=3)

    def fault(p):
        for k in ("pressure", "velocity_x", "velocity_y"):
            for i in c6.DUP: shutil.copy(p + "/%s/c/%d/0/0" % (k, i - 1), p + "/%s/c/%d/0/0" % (k, i))

    def check(c, f):
        n = lambda d: [i for i in range(1, 60) if (d.pressure[i] == d.pressure[i - 1]).all()]; assert n(quiet(c, consolidated=False)) == [] and n(v3(f)) == c6.DUP


@case(7, "consolidated-before-the-recompression", "ScrollPrize/villa#1115",
      ".zmetadata was copied from the source and says zstd for the levels 0, 1 and 2; their own .zarray and the chunks are Blosc: whoever opens the store by its consolidated metadata decodes with the wrong codec. Consolidate again (or delete .zmetadata).", "codec")
class c7:
    def clean(p):
        r = rng(7); g = zarr.open_group(p, mode="w", zarr_format=2); a = np.clip(110 + 32 * smooth((32, 32, 64), 2.5, r), 0, 255).round().astype("u1") // 16 * 16
        for i in range(3): arr(g, str(i), a, tuple(min(32, n) for n in a.shape)); a = a.reshape(a.shape[0] // 2, 2, a.shape[1] // 2, 2, a.shape[2] // 2, 2).mean((1, 3, 5)).round().astype("u1")
        g.attrs["multiscales"] = ngff_ms("zyx", [(7.91 * 2 ** i,) * 3 for i in range(3)], "scroll1a"); recon(p)

    def fault(p):
        q = p + "/.zmetadata"; d = jr(q)
        for i in range(3): d["metadata"]["%d/.zarray" % i]["compressor"] = {"id": "zstd", "level": 3}
        jw(q, d)

    def check(c, f):
        rd = lambda q: [zarr.open_consolidated(q)[str(i)][:] for i in range(3)]; rd(c); allread(c); ome_check(c); assert fails(lambda: rd(f)) and zarr.open_group(f, mode="r", use_consolidated=False)["1"][:].size


def as_text(b):
    """What is left of bytes that somebody took for UTF-8."""
    return b.decode("utf-8", "replace").encode("utf-8")


@case(8, "chunks-taken-for-text", "appstrate/appstrate#149",
      "the chunk files went through something that decoded them as UTF-8: all bytes from 0x80 on became ef bf bd (U+FFFD), each file grew by half, and what was there is lost; they must be downloaded again as binary. The documents are right, as they are text.", "bytes")
class c8:
    def clean(p):
        r = rng(8); nt, ny, nx = 10, 24, 36; la, lo = latlon(ny, nx, 57.5)
        ds = xr.Dataset({"no2": (D, (8 * np.exp(.7 * smooth((nt, ny, nx), (2, 2, 2), r))).astype("f4"), {"units": "ug m-3", "long_name": "NO2 concentration"}), "pm10": (D, (15 * np.exp(.4 * smooth((nt, ny, nx), (2, 2, 2), r))).astype("f4"), {"units": "ug m-3", "long_name": "PM10 concentration"})},
                        coords={"time": tvar("2023-10-01", nt, "h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "source": "CAMS European air quality"})
        save(ds, p, 3, {v: {"chunks": (5, 24, 18)} for v in ds.data_vars}, bits=6)

    def fault(p):
        for b, _, fs in os.walk(p):
            for k in fs: q = os.path.join(b, k); d = open(q, "rb").read(); open(q, "wb").write(as_text(d))

    def check(c, f):
        quiet(c, consolidated=False); assert fails(lambda: v3(f)) and jr(c + "/no2/zarr.json") == jr(f + "/no2/zarr.json") and all(b"\xef\xbf\xbd" in open(q, "rb").read() for q in chunkfiles(f + "/no2"))


# ===================================================================== DOCUMENTS
@case(9, "consolidated-under-the-old-name", "dynamical-org/reformatters#1074",
      "the array convective_available_potential_energy was renamed to ..._surface in the store; the consolidated metadata in the root zarr.json still has the old name and not the new one: by it readers find a variable without any chunk (all NaN) and do not find the real one. Consolidate again.", "documents")
class c9:
    N = "convective_available_potential_energy"

    def clean(p):
        r = rng(9); nt, ny, nx = 12, 20, 40; la, lo = latlon(ny, nx, 57.)
        ds = xr.Dataset({c9.N + "_surface": (D, np.maximum(0, 400 + 500 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "J kg-1", "long_name": "Convective available potential energy", "short_name": "cape", "step_type": "instant"}),
                         "temperature_2m": (D, (temperature(nt, la, lo, r) - 273.15).astype("f4"), {"units": "degree_Celsius", "standard_name": "air_temperature", "long_name": "2 metre temperature", "short_name": "2t", "step_type": "instant"})},
                        coords={"time": tvar("2026-09-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"dataset_id": "ecmwf-ifs-ens-46-day-daily", "dataset_version": "0.1.0"})
        save(ds, p, 3, {v: {"chunks": (6, 10, 20), "shards": (12, 20, 40), "fill_value": np.float32("nan")} for v in ds.data_vars}, bits=6, consolidated=True)

    def fault(p):
        q = p + "/zarr.json"; d = jr(q); m = d["consolidated_metadata"]["metadata"]; m[c9.N] = m.pop(c9.N + "_surface"); jw(q, d)

    def check(c, f):
        assert quiet(c)[c9.N + "_surface"].notnull().all(); F = xo(f); assert F[c9.N].isnull().all() and c9.N + "_surface" not in F and c9.N + "_surface" in v3(f)


@case(10, "scale-factor-is-text", "pydata/xarray#4784",
      "scale_factor and add_offset of red and nir are strings (\"0.0001\", \"0.0\") in .zattrs: they must be numbers; xarray cannot multiply by text (UFuncTypeError), other readers take the packed numbers.", "documents")
class c10:
    def clean(p):
        r = rng(10); n = 64; x = 399960 + 30. + 60 * np.arange(n); y = 5200020 - 30. - 60 * np.arange(n); f = smooth((n, n), 4, r)
        b = {k: (("y", "x"), np.clip(m + s * f, .01, .9), {"long_name": "Surface reflectance, " + k, "units": "1"}) for k, m, s in (("red", .08, .03), ("nir", .3, .06))}
        ds = xr.Dataset(b, coords={"x": ("x", x, {"standard_name": "projection_x_coordinate", "units": "m"}), "y": ("y", y, {"standard_name": "projection_y_coordinate", "units": "m"})}, attrs={"title": "Harmonized Landsat Sentinel", "crs": "EPSG:32632"})
        save(ds, p, 2, {k: {"dtype": "int16", "scale_factor": .0001, "add_offset": 0., "_FillValue": -9999, "chunks": (32, 32)} for k in b})

    def fault(p):
        for k in ("red", "nir"): attrs2(p + "/" + k, scale_factor="0.0001", add_offset="0.0")
        recon(p)

    def check(c, f):
        assert quiet(c).nir.max() < 1 and fails(lambda: xo(f)) and jr(f + "/nir/.zattrs")["scale_factor"] == "0.0001"


@case(11, "no-key-fill-value", "Unidata/netcdf-c#2059",
      ".zarray of dset1 and dset2 has no key fill_value, which V2 requires (null, if there is none), as netCDF-C 4.8.0 wrote it: readers refuse the arrays.", "documents")
class c11:
    def clean(p):
        r = rng(11); g = zarr.open_group(p, mode="w", zarr_format=2); h = g.create_group("MyGroup"); h.attrs.update({"title": "converted from HDF5"})
        for k, s in (("dset1", 40), ("dset2", 25)): arr(h, k, (s * smooth((30, 40), 3, r)).round().astype(">i4"), (30, 40), sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": ["row", "column"], "units": "counts"})
        arr(h, "row", np.arange(30.), (30,), sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": ["row"], "units": "mm"}); arr(h, "column", np.arange(40.), (40,), sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": ["column"], "units": "mm"})

    def fault(p):
        for k in ("dset1", "dset2"): q = p + "/MyGroup/%s/.zarray" % k; d = jr(q); del d["fill_value"]; jw(q, d)

    def check(c, f):
        allread(c); quiet(c, group="MyGroup", consolidated=False); assert fails(lambda: allread(f)) and "fill_value" not in jr(f + "/MyGroup/dset1/.zarray")


@case(12, "rows-without-zgroup", "fractal-analytics-platform/fractal-tasks-core#780",
      "the rows B and C of the plate are folders without .zgroup (the plate, the wells and the images have theirs): readers that go from group to group do not find the wells, or take them for no Zarr. Write .zgroup with zarr_format 2 into both.", "documents")
class c12:
    def clean(p):
        r = rng(12); g = zarr.open_group(p, mode="w", zarr_format=2); W = ["B/03", "B/04", "C/03", "C/04"]
        g.attrs["plate"] = {"acquisitions": [{"id": 0, "name": "20200812-CardiomyocyteDifferentiation14-Cycle1_mip"}], "columns": [{"name": "03"}, {"name": "04"}], "rows": [{"name": "B"}, {"name": "C"}], "name": "plate_mip", "version": "0.4", "field_count": 1,
                            "wells": [{"path": w, "rowIndex": "BC".index(w[0]), "columnIndex": int(w[-1]) - 3} for w in W]}
        for w in W:
            h = g.require_group(w[0]).create_group(w[2:]); h.attrs["well"] = {"images": [{"path": "0", "acquisition": 0}], "version": "0.4"}; m = h.create_group("0"); lab, _ = disks(64, 64, 9, r)
            a = cellimage(lab, r)[None, None] // 32 * 32
            for i in range(2): arr(m, str(i), a, (1, 1) + a.shape[2:]); a = np.round(mean2(a.astype(float))).astype("u2")
            m.attrs.update({"multiscales": ngff_ms("czyx", [(1., 1., .1625 * 2 ** i, .1625 * 2 ** i) for i in range(2)], w), "omero": {"channels": [{"label": "DAPI", "color": "00FFFF", "active": True, "window": {"min": 0, "max": 65535, "start": 110, "end": 1200}}]}})

    def fault(p):
        for k in "BC": os.remove(p + "/%s/.zgroup" % k)

    def check(c, f):
        n = lambda q: len(list(zarr.open_group(q, mode="r").groups())); assert n(c) == 2 and n(f) == 0 and os.path.exists(f + "/B/03/.zgroup"); ome_check(c)


@case(13, "two-marks-for-missing", "DFO-Ocean-Navigator/Ocean-Data-Map-Project#304",
      "votemper and vosaline say _FillValue 1e20 and missing_value 1e30; land holds 1e30, so that readers that know the fill value only (Zarr, GDAL, viewers) take 1e30 for data, and xarray warns of multiple fill values: both must be the same.", "documents")
class c13:
    def clean(p, m=1e20):
        r = rng(13); nt, ny, nx = 4, 30, 40; la, lo = latlon(ny, nx, 60., .2); lo = lo.copy(data=(-66 + .25 * np.arange(nx)).astype("f4")); land = smooth((ny, nx), 4, r) > .8
        ds = xr.Dataset({k: (D, np.where(land, np.float32(m), thin((o + s * smooth((nt, ny, nx), (1, 3, 3), r)).astype("f4"), 7)), {"units": u, "long_name": l, "standard_name": n}) for k, o, s, u, l, n in (("votemper", 280.5, 2.5, "Kelvin", "Water Temperature", "sea_water_potential_temperature"), ("vosaline", 32.5, .8, "1e-3", "Salinity", "sea_water_salinity"))},
                        coords={"time": tvar("2018-08-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.6", "title": "GIOPS daily mean"})
        for k in ds.data_vars: ds[k].attrs.update({"_FillValue": np.float32(1e20), "missing_value": np.float32(m)})
        for k in ds.data_vars: ds[k].encoding = {}
        e = {k: {"compressors": [numcodecs.Blosc(cname="zstd", clevel=9, shuffle=1)], **({"chunks": (2, 30, 40)} if k in ds.data_vars else {"_FillValue": None} if k != "time" else dict(TENC))} for k in ds.variables}
        for k in ds.data_vars: ds[k].attrs = {a: float(v) if isinstance(v, np.floating) else v for a, v in ds[k].attrs.items()}
        ds.to_zarr(p, zarr_format=2, encoding=e, mode="w", consolidated=True)

    def fault(p):
        shutil.rmtree(p); c13.clean(p, 1e30)

    def check(c, f):
        assert quiet(c).votemper.isnull().any(); assert fails(lambda: quiet(f)) and np.allclose(jr(f + "/votemper/.zarray")["fill_value"], 1e20) and zarr.open_group(f, mode="r")["votemper"][:].max() > 9e29


@case(14, "label-axes-with-units", "scalableminds/webknossos#8544",
      "the axes of labels/0 have `units`, which no reader knows, where the image has `unit` (micrometer): without a unit the labels count as unitless (or nanometer), a thousand times smaller than the image; the key must be unit.", "documents")
class c14:
    def clean(p):
        r = rng(14); lab, got = disks(96, 96, 14, r); g = zarr.open_group(p, mode="w", zarr_format=2); im = cellimage(lab, r)[None, None] // 32 * 32; z = [(1., .4, .108335 * 2 ** i, .108335 * 2 ** i) for i in range(2)]
        L = g.create_group("labels"); L.attrs["labels"] = ["0"]; h = L.create_group("0"); a, b = im, lab.astype("i4")[None, None]
        for i in range(2): arr(g, str(i), a, (1, 1) + tuple(min(64, n) for n in a.shape[2:])); arr(h, str(i), b, (1, 1) + tuple(min(64, n) for n in b.shape[2:])); a = np.round(mean2(a.astype(float))).astype("u2"); b = near2(b)
        g.attrs["multiscales"] = ngff_ms("czyx", z, "idr0101"); h.attrs.update({"multiscales": ngff_ms("czyx", z, "0"), "image-label": {"version": "0.4", "source": {"image": "../../"}}})

    def fault(p):
        q = p + "/labels/0/.zattrs"; d = jr(q)
        for x in d["multiscales"][0]["axes"]:
            if "unit" in x: x["units"] = x.pop("unit")
        jw(q, d)

    def check(c, f):
        u = lambda q: [a.get("unit") for a in jr(q + "/labels/0/.zattrs")["multiscales"][0]["axes"]]; assert u(c)[1:] == ["micrometer"] * 3 and not any(u(f)); ome_check(c)


# ===================================================================== RELATIONS
@case(15, "percent-that-are-fractions", "ESMValGroup/ESMValCore#703",
      "siconca says % (Percentage of grid cell covered by sea ice) and holds 0 to 1: a fraction; multiply by 100.", "relation")
class c15:
    def clean(p):
        r = rng(15); nt, ny, nx = 12, 24, 36; la, lo = globe(ny, nx); vla, vlo = yx(la, lo)
        se = np.cos(2 * np.pi * (np.arange(nt) - 2) / 12)[:, None, None] * np.sign(la)[None, :, None]
        ic = np.clip(100 * (np.abs(la)[None, :, None] - 68 + 7 * se + 4 * smooth((nt, ny, nx), (1, 1, 2), r)) / 9, 0, 100); ic = np.where(ic < .5, 0, ic)
        t = pd.date_range("1979-01-01", periods=nt, freq="MS") + pd.Timedelta(days=15)
        A = {"units": "%", "standard_name": "sea_ice_area_fraction", "cell_methods": "area: time: mean"}
        ds = xr.Dataset({"siconca": (E, ic.astype("f4"), {**A, "long_name": "Sea-Ice Area Percentage (Atmospheric Grid)", "comment": "Percentage of grid cell covered by sea ice"}),
                         "ts": (E, np.where(ic > 15, 255., 273.2 + 26 * np.cos(np.deg2rad(la))[None, :, None] ** 1.5 + smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "K", "standard_name": "surface_temperature", "long_name": "Surface Temperature", "cell_methods": "area: time: mean"})},
                        coords={"time": ("time", t, {"standard_name": "time", "axis": "T"}), "lat": vla, "lon": vlo}, attrs={"Conventions": "CF-1.7 CMIP-6.2", "source_id": "EC-Earth3", "experiment_id": "amip", "table_id": "SImon", "variable_id": "siconca", "frequency": "mon", "grid_label": "gr"})
        save(ds, p, 3, {v: {"chunks": (12, 24, 36)} for v in ds.data_vars}, bits=7, tenc={"units": "days since 1850-01-01", "calendar": "proleptic_gregorian", "dtype": "float64"})

    def fault(p):
        a = zarr.open_group(p, mode="r+")["siconca"]; a[:] = thin(a[:] / 100, 7)

    def check(c, f):
        C, F = quiet(c, consolidated=False), v3(f); assert C.siconca.max() == 100 and .9 < F.siconca.max() <= 1 and F.siconca.units == "%"


@case(16, "area-times-gravity", "EC-Earth/ece2cmor3#797",
      "areacella (m2) is 9.80665 times too large: its sum over the globe is 5.0e15 m2, that of the Earth is 5.1e14 m2 (and each cell does not fit its lat_bnds and lon_bnds): it was multiplied by g, as for geopotential. Divide by 9.80665.", "relation")
class c16:
    def clean(p):
        r = rng(16); ny, nx = 36, 72; la, lo = globe(ny, nx); vla, vlo = yx(la, lo); lb, ob = cell_bounds(la), cell_bounds(lo)
        a = 6371000. ** 2 * np.deg2rad(5) * (np.sin(np.deg2rad(lb[:, 1])) - np.sin(np.deg2rad(lb[:, 0])))
        lf = np.clip(50 + 60 * smooth((ny, nx), (2, 3), r, "wrap"), 0, 100)
        ds = xr.Dataset({"areacella": (("lat", "lon"), np.repeat(a[:, None], nx, 1).astype("f4"), {"units": "m2", "standard_name": "cell_area", "long_name": "Grid-Cell Area for Atmospheric Grid Variables", "cell_methods": "area: sum"}),
                         "sftlf": (("lat", "lon"), thin(lf.astype("f4"), 6), {"units": "%", "standard_name": "land_area_fraction", "long_name": "Percentage of the Grid Cell Occupied by Land (Including Lakes)", "cell_methods": "area: mean", "cell_measures": "area: areacella"}),
                         "orog": (("lat", "lon"), thin(np.maximum(0, (lf - 40) * 20).astype("f4"), 6), {"units": "m", "standard_name": "surface_altitude", "long_name": "Surface Altitude", "cell_methods": "area: mean", "cell_measures": "area: areacella"})},
                        coords={"lat": vla, "lon": vlo, "lat_bnds": (("lat", "bnds"), lb), "lon_bnds": (("lon", "bnds"), ob)}, attrs={"Conventions": "CF-1.7 CMIP-6.2", "source_id": "EC-Earth3", "experiment_id": "piControl", "frequency": "fx", "table_id": "fx", "nominal_resolution": "500 km"})
        ds.lat.attrs["bounds"] = "lat_bnds"; ds.lon.attrs["bounds"] = "lon_bnds"
        save(ds, p, 2, {v: {"chunks": (36, 72)} for v in ds.data_vars}, bits=20)

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["areacella"]; a[:] = a[:] * np.float32(9.80665)

    def check(c, f):
        s = lambda d: float(d.areacella.astype("f8").sum()); assert abs(s(quiet(c)) / 5.1006e14 - 1) < .001 and abs(s(xo(f)) / 5.002e15 - 1) < .001


@case(17, "direction-the-wind-blows-to", "Unidata/MetPy#178",
      "wind_direction has the standard name wind_from_direction and is the direction the wind blows to: it is 180 degrees off the one that u10 and v10 give, everywhere.", "relation")
class c17:
    def clean(p):
        r = rng(17); nt, ny, nx = 10, 14, 20; la, lo = latlon(ny, nx, 57.); S = smooth((2, nt, ny, nx), (0, 1, 2, 2), r)
        u, v = thin((3 + 5 * S[0]).astype("f4"), 6), thin((5 * S[1]).astype("f4"), 6)
        ds = xr.Dataset({"u10": (D, u, {"units": "m s-1", "standard_name": "eastward_wind", "long_name": "10 metre U wind component"}), "v10": (D, v, {"units": "m s-1", "standard_name": "northward_wind", "long_name": "10 metre V wind component"}),
                         "wind_speed": (D, np.hypot(u, v), {"units": "m s-1", "standard_name": "wind_speed", "long_name": "10 metre wind speed"}), "wind_direction": (D, ((np.rad2deg(np.arctan2(u, v)) + 180) % 360).round(1).astype("f4"), {"units": "degree", "standard_name": "wind_from_direction", "long_name": "10 metre wind direction"})},
                        coords={"time": tvar("2022-11-03", nt, "3h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "institution": "Met Office"})
        save(ds, p, 2, {v: {"chunks": (10, 14, 20)} for v in ds.data_vars}, bits=16)

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["wind_direction"]; a[:] = ((a[:] + 180) % 360).round(1)

    def check(c, f):
        for q, o in ((c, 180), (f, 0)):
            d = quiet(q) if q == c else xo(q); e = (d.wind_direction - np.rad2deg(np.arctan2(d.u10, d.v10)) - o + 180) % 360 - 180; assert np.abs(e).max() < .2


@case(18, "depths-that-go-up", "Deltares/dfm_tools#944",
      "depth (standard_name depth, positive down) holds negative numbers (-0.5 to -902): heights, positive up; either the sign or the attribute is wrong.", "relation")
class c18:
    def clean(p):
        r = rng(18); z = np.array([.494, 9.573, 29.44, 55.76, 109.7, 222.5, 453.9, 902.3], "f4"); nt, ny, nx = 3, 16, 20; la, lo = latlon(ny, nx, 57., .1); lo = lo.copy(data=(1 + .1 * np.arange(nx)).astype("f4"))
        F = ("time", "depth", "latitude", "longitude"); e = np.exp(-z / 250.)[None, :, None, None]
        ds = xr.Dataset({"thetao": (F, (4 + 11 * e + .4 * smooth((nt, 8, ny, nx), (1, 1, 2, 2), r)).astype("f4"), {"units": "degrees_C", "standard_name": "sea_water_potential_temperature", "long_name": "Temperature"}),
                         "so": (F, (35.1 - .6 * e + .05 * smooth((nt, 8, ny, nx), (1, 1, 2, 2), r)).astype("f4"), {"units": "1e-3", "standard_name": "sea_water_salinity", "long_name": "Salinity"})},
                        coords={"time": tvar("2022-01-01", nt, "D"), "depth": ("depth", z, {"units": "m", "standard_name": "depth", "long_name": "Depth", "positive": "down", "axis": "Z"}), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.6", "source": "MERCATOR PSY4QV3R1"})
        save(ds, p, 3, {v: {"chunks": (3, 8, 16, 20)} for v in ds.data_vars}, bits=6)

    def fault(p):
        a = zarr.open_group(p, mode="r+")["depth"]; a[:] = -a[:]

    def check(c, f):
        assert quiet(c, consolidated=False).depth.min() > 0; d = v3(f).depth; assert d.max() < 0 and d.positive == "down"


@case(19, "geopotential-in-metres", "198808xc/Pangu-Weather#61",
      "geopotential says units m and holds m2 s-2 (54,600 at 500 hPa, where the height is 5,570 m): either divide by 9.80665 or say m**2 s**-2.", "relation")
class c19:
    def clean(p):
        r = rng(19); lv = np.array([1000, 850, 700, 500, 300, 200, 100]); ny, nx = 18, 30; la, lo = latlon(ny, nx, 85.); w = np.cos(np.deg2rad(la.values.astype(float)))[None, None, :, None]; nt = 2
        z0 = np.array([110., 1457., 3010., 5570., 9160., 11770., 16180.]); t0 = np.array([287., 281., 273., 254., 229., 218., 203.]); F = ("time", "level", "latitude", "longitude"); N = lambda s: smooth((nt, 7, ny, nx), (0, 1, 2, 2), r) * s
        z = 9.80665 * (z0[None, :, None, None] * (1 + .03 * (w - .64)) + N(25)); q = .012 * np.exp(-(1000 - lv) / 230.)[None, :, None, None] * w * np.exp(N(.3))
        ds = xr.Dataset({"geopotential": (F, z.astype("f4"), {"units": "m**2 s**-2"}), "temperature": (F, (t0[None, :, None, None] + 14 * (w - .64) + N(2)).astype("f4"), {"units": "K"}), "specific_humidity": (F, q.astype("f4"), {"units": "kg kg**-1"}), "u_component_of_wind": (F, (8 + N(8)).astype("f4"), {"units": "m s**-1"}), "v_component_of_wind": (F, N(6).astype("f4"), {"units": "m s**-1"})},
                        coords={"time": tvar("2024-03-12", nt, "24h"), "level": ("level", lv, {"units": "hPa", "long_name": "pressure level", "positive": "down"}), "latitude": la, "longitude": lo}, attrs={"title": "Pangu-Weather forecast"})
        save(ds, p, 2, {v: {"chunks": (1, 7, 18, 30)} for v in ds.data_vars}, bits=8)

    def fault(p):
        attrs2(p + "/geopotential", units="m"); recon(p)

    def check(c, f):
        quiet(c); d = xo(f); assert d.geopotential.units == "m" and 5e4 < d.geopotential.sel(level=500).mean() < 6e4


@case(20, "joules-said-to-be-watts", "CWorthy-ocean/roms-tools#664",
      "ssrd and strd say W m-2 and hold J m-2 of one hour (to 3.3 million; the sun gives 1361 W m-2): accumulated energy of ERA5 that was not divided by 3600.", "relation")
class c20:
    def clean(p):
        r = rng(20); nt, ny, nx = 48, 10, 14; la, lo = latlon(ny, nx, 50., .5); lo = lo.copy(data=(5 + .5 * np.arange(nx)).astype("f4")); h = np.arange(nt) % 24
        sun = np.maximum(0, np.sin(2 * np.pi * (h - 6) / 24))[:, None, None]; cl = np.clip(.75 + .18 * smooth((nt, ny, nx), (3, 2, 2), r), .1, 1)
        ds = xr.Dataset({"ssrd": (D, (930 * sun * cl).astype("f4"), {"units": "W m-2", "long_name": "Surface solar radiation downwards", "standard_name": "surface_downwelling_shortwave_flux_in_air"}), "strd": (D, (330 + 20 * smooth((nt, ny, nx), (4, 2, 2), r)).astype("f4"), {"units": "W m-2", "long_name": "Surface thermal radiation downwards", "standard_name": "surface_downwelling_longwave_flux_in_air"}),
                         "t2m": (D, (288 + 5 * np.sin(2 * np.pi * (h - 9) / 24)[:, None, None] + smooth((nt, ny, nx), (4, 2, 2), r)).astype("f4"), {"units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"})},
                        coords={"time": tvar("2021-06-10", nt, "h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.7", "institution": "European Centre for Medium-Range Weather Forecasts"})
        save(ds, p, 3, {v: {"chunks": (24, 10, 14)} for v in ds.data_vars}, bits=7)

    def fault(p):
        g = zarr.open_group(p, mode="r+")
        for k in ("ssrd", "strd"): g[k][:] = thin(g[k][:] * np.float32(3600), 7)

    def check(c, f):
        assert quiet(c, consolidated=False).ssrd.max() < 1000 and v3(f).ssrd.max() > 3e6 and v3(f).ssrd.units == "W m-2"


@case(21, "bounds-of-the-other-longitudes", "xCDAT/xcdat#197",
      "lon was turned from 0...360 into -180...180 and sorted; lon_bnds still counts from 0 to 360 (the cell at -178.75 has the bounds 180 and 182.5), so that half of the longitudes lie outside of their own bounds, 360 degrees off.", "relation")
class c21:
    def clean(p):
        r = rng(21); nt, ny, nx = 6, 24, 144; la = globe(ny, nx)[0]; lo = -178.75 + 2.5 * np.arange(nx); vla, vlo = yx(la, lo)
        t = pd.date_range("2005-01-01", periods=nt + 1, freq="MS"); B = np.stack([t[:-1], t[1:]], 1); ta = 299 - 38 * np.sin(np.deg2rad(la))[None, :, None] ** 2 + 2.5 * smooth((nt, ny, nx), (1, 2, 4), r, "wrap")
        ds = xr.Dataset({"tas": (E, ta.astype("f4"), {"units": "K", "standard_name": "air_temperature", "long_name": "Near-Surface Air Temperature", "cell_methods": "area: time: mean"})},
                        coords={"time": ("time", t[:-1] + (t[1:] - t[:-1]) / 2, {"standard_name": "time", "axis": "T", "bounds": "time_bnds"}), "lat": vla, "lon": vlo, "lat_bnds": (("lat", "bnds"), cell_bounds(la)), "lon_bnds": (("lon", "bnds"), cell_bounds(lo)), "time_bnds": (("time", "bnds"), B)},
                        attrs={"Conventions": "CF-1.7 CMIP-6.2", "source_id": "ACCESS-ESM1-5", "frequency": "mon", "variable_id": "tas", "table_id": "Amon"})
        ds.lat.attrs["bounds"] = "lat_bnds"; ds.lon.attrs["bounds"] = "lon_bnds"; e = {"units": "days since 1850-01-01", "calendar": "proleptic_gregorian", "dtype": "float64"}
        save(ds, p, 2, {"tas": {"chunks": (6, 24, 72)}, "time_bnds": {**e, "chunks": (6, 2)}}, bits=6, tenc=e)

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["lon_bnds"]; b = a[:]; a[:] = np.where(b.mean(1)[:, None] < 0, b + 360, b)

    def check(c, f):
        n = lambda d: int(((d.lon < d.lon_bnds.min("bnds")) | (d.lon > d.lon_bnds.max("bnds"))).sum()); assert n(quiet(c)) == 0 and n(xo(f)) == 72 and np.abs((xo(f).lon_bnds.mean("bnds") - xo(f).lon) % 360).max() < 1e-9


@case(22, "corners-for-centres", "gjoseph92/stackstac#168",
      "x and y hold the upper left corners of the pixels, not their centres: GeoTransform begins at 240000 and 7400000 with 20 m pixels, so that the first centre is 240010, 7399990; all is shifted by half a pixel for whoever reads the coordinates.", "relation")
class c22:
    def clean(p):
        import pyproj
        r = rng(22); n = 56; x = 240000 + 20. * (np.arange(n) + .5); y = 7400000 - 20. * (np.arange(n) + .5); nt = 3
        sr = {**pyproj.CRS(3067).to_cf(), "GeoTransform": "240000.0 20.0 0.0 7400000.0 0.0 -20.0"}; sr["spatial_ref"] = sr["crs_wkt"]; sr = {k: v for k, v in sr.items() if isinstance(v, (str, float, int))}
        b = {k: (("time", "y", "x"), np.clip(m + s * smooth((nt, n, n), (0, 3, 3), r), 1, 9999).round(-1).astype("u2"), {"long_name": "Surface reflectance " + k, "units": "1", "grid_mapping": "spatial_ref"}) for k, m, s in (("b02", 600, 150), ("b8a", 2600, 500))}
        ds = xr.Dataset(b, coords={"time": tvar("2021-05-11", nt, "10D"), "x": ("x", x, {"standard_name": "projection_x_coordinate", "units": "metre", "axis": "X"}), "y": ("y", y, {"standard_name": "projection_y_coordinate", "units": "metre", "axis": "Y"}), "spatial_ref": ((), 0, sr)}, attrs={"title": "Sentinel-2 mosaic, dekads"})
        save(ds, p, 3, {k: {"chunks": (1, 56, 56)} for k in b})

    def fault(p):
        g = zarr.open_group(p, mode="r+"); g["x"][:] = g["x"][:] - 10; g["y"][:] = g["y"][:] + 10

    def check(c, f):
        assert float(quiet(c, consolidated=False).x[0]) == 240010 and float(v3(f).x[0]) == 240000 and float(v3(f).y[0]) == 7400000


@case(23, "spots-outside-of-the-image", "scverse/squidpy#897",
      "uns/spatial/.../scalefactors/tissue_hires_scalef is 1, as if the image hires were that of full resolution; obsm/spatial goes to 10,900 and 9,700 pixels and the image has 240 x 220: the factor must be about 0.02 (as tissue_lowres_scalef 0.006 is to lowres, of 72 x 66).", "relation")
class c23:
    def clean(p):
        import anndata as ad, scipy.sparse as sp
        r = rng(23); Y, X = np.mgrid[:14, :12]; xy = np.stack([(1100 + 760 * X + 380 * (Y % 2)).ravel(), (1000 + 720 * Y).ravel()], 1).astype("f8") + r.normal(0, 2, (168, 2)).round(1); n, m = len(xy), 30
        K = r.poisson(np.exp(r.normal(-.5, 1, (1, m))) * r.gamma(6, .25, (n, 1)))
        obs = pd.DataFrame({"in_tissue": np.ones(n, "i8"), "array_row": Y.ravel().astype("i8"), "array_col": (2 * X + Y % 2).ravel().astype("i8"), "total_counts": K.sum(1).astype("i8")}, index=["".join(r.choice(list("ACGT"), 16)) + "-1" for _ in range(n)])
        A = ad.AnnData(X=sp.csr_matrix(K.astype("f4")), obs=obs, var=pd.DataFrame({"gene_ids": ["ENSG%011d" % (300 + 11 * i) for i in range(m)]}, index=["GENE%d" % i for i in range(m)])); A.obsm["spatial"] = xy
        im = np.clip(200 - 25 * smooth((240, 220), 9, r)[..., None] - np.array([0, 30, 10]), 0, 255).round().astype("u1") // 8 * 8
        lo = np.clip(zoom(im.astype(float), (.3, .3, 1), order=1), 0, 255).round().astype("u1")
        A.uns["spatial"] = {"V1_Human_Heart": {"images": {"hires": im, "lowres": lo}, "scalefactors": {"tissue_hires_scalef": .02, "tissue_lowres_scalef": .006, "spot_diameter_fullres": 410.3, "fiducial_diameter_fullres": 662.8}, "metadata": {"chemistry_description": "Spatial 3' v1", "software_version": "spaceranger-1.1.0"}}}
        ad.settings.zarr_write_format = 3; A.write_zarr(p)

    def fault(p):
        zarr.open_group(p, mode="r+", use_consolidated=False)["uns/spatial/V1_Human_Heart/scalefactors/tissue_hires_scalef"][...] = 1.

    def check(c, f):
        import anndata as ad
        for A, ok in ((ad_quiet(c), True), (ad.read_zarr(f), False)):
            s = A.uns["spatial"]["V1_Human_Heart"]; h, w = s["images"]["hires"].shape[:2]; q = A.obsm["spatial"] * s["scalefactors"]["tissue_hires_scalef"]; assert ((q[:, 0] < w) & (q[:, 1] < h)).all() == ok and (ok or (q.min(0) > 250).all())


def marked(r, n=90, m=36, g=6):
    """Cells of some types, with the genes that tell them apart."""
    import anndata as ad, scipy.sparse as sp
    ty = np.r_[np.arange(g), r.integers(0, g, n - g)]; pr = np.exp(r.normal(-1, 1, (g, m))); K = r.poisson(pr[ty] * r.uniform(.6, 1.6, n)[:, None]); X = np.log1p(K / np.maximum(K.sum(1), 1)[:, None] * 1e4)
    ids = ["ENSMUSG%011d" % (51 + 37 * i) for i in range(m)]; sym = ["".join([chr(65 + i % 26), "bcdefgh"[i % 7], "aeiou"[i % 5], str(1 + i)]) for i in range(m)]
    A = ad.AnnData(X=sp.csr_matrix(thin(X.astype("f4"))), obs=pd.DataFrame({"total_counts": K.sum(1).astype("i8"), "leiden": pd.Categorical([str(i) for i in ty])}, index=["".join(r.choice(list("ACGT"), 16)) + "-1" for _ in range(n)]), var=pd.DataFrame({"mgi_symbol": sym, "mean_counts": K.mean(0)}, index=ids))
    M = np.array([X[ty == k].mean(0) - X[ty != k].mean(0) for k in range(g)]); o = np.argsort(-M, 1)[:, :10]; f = [str(k) for k in range(g)]
    rec = lambda v, t: np.rec.fromarrays([v[k] for k in range(g)], dtype=[(k, t) for k in f])
    A.uns["rank_genes_groups"] = {"params": {"groupby": "leiden", "reference": "rest", "method": "t-test", "use_raw": False, "corr_method": "benjamini-hochberg"}, "names": rec(np.array(ids, dtype=object)[o], "O"), "scores": rec(np.take_along_axis(M, o, 1) * 5, "f4"), "logfoldchanges": rec(np.take_along_axis(M, o, 1), "f4")}
    A.uns["log1p"] = {}; A.layers["counts"] = sp.csr_matrix(K.astype("f4"))
    return A


@case(24, "markers-by-their-old-names", "scverse/anndata#2232",
      "uns/rank_genes_groups/names has Ensembl ids, none of which is in the index of var any more: var_names were replaced by the symbols afterwards (the ids are in the column gene_ids); plots of the markers fail with KeyError.", "relation")
class c24:
    def clean(p):
        import anndata as ad
        ad.settings.zarr_write_format = 2; A = marked(rng(24)); A.var.index.name = "gene_ids"; A.write_zarr(p)

    def fault(p):
        import anndata as ad
        A = ad.read_zarr(p); shutil.rmtree(p); v = A.var.reset_index().set_index("mgi_symbol"); v.index = v.index.astype(str); A.var = v; ad.settings.zarr_write_format = 2; A.write_zarr(p)

    def check(c, f):
        import anndata as ad
        for A, k in ((ad_quiet(c), 60), (ad.read_zarr(f), 0)): N = A.uns["rank_genes_groups"]["names"]; assert sum(x in set(A.var_names) for q in N.dtype.names for x in N[q]) == k and A.n_vars == 36
        assert set(ad.read_zarr(f).uns["rank_genes_groups"]["names"]["0"]) <= set(ad.read_zarr(f).var["gene_ids"])


@case(25, "names-of-two-parts", "mehta-lab/VisCy#475",
      "the index of obs has each of the names 0 to 59 twice (two fields of view, each numbered from 0, were put one after the other): observation names must be unique; fov_name and id together are.", "relation")
class c25:
    @staticmethod
    def put(p, twice):
        import anndata as ad
        r = rng(25); n = 60; fov = np.repeat(["/A/1/000000", "/A/2/000001"], n); i = np.tile(np.arange(n), 2); obs = pd.DataFrame({"fov_name": pd.Categorical(fov), "track_id": (i // 10).astype("i8"), "t": (i % 10).astype("i8"), "id": i.astype("i8"), "y": r.uniform(0, 2048, 2 * n).round(1), "x": r.uniform(0, 2048, 2 * n).round(1)}, index=i.astype(str) if twice else ["%s-%d" % q for q in zip(fov, i)])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore"); A = ad.AnnData(X=(smooth((2 * n, 24), (2, 0), r)).astype("f4"), obs=obs, var=pd.DataFrame(index=["feature_%d" % k for k in range(24)])); A.obsm["X_projections"] = r.normal(0, 1, (2 * n, 4)).round(2).astype("f4"); ad.settings.zarr_write_format = 3; A.write_zarr(p)

    def clean(p):
        c25.put(p, False)

    def fault(p):
        shutil.rmtree(p); c25.put(p, True)

    def check(c, f):
        import anndata as ad
        assert ad_quiet(c).obs_names.is_unique; A = ad.read_zarr(f); assert not A.obs_names.is_unique and A.obs_names.nunique() == 60 and not A.obs.duplicated(["fov_name", "id"]).any()


@case(26, "counts-said-to-be-volts", "NeurodataWithoutBorders/nwbinspector#395",
      "the data of ElectricalSeries are int16 with conversion 1.0 and offset 0.0 and the unit volts: that would be hundreds of volts in a brain; the gain of the amplifier (about 2e-7 V for each count) was left out.", "relation")
class c26:
    def clean(p):
        r = rng(26); g = blind4.nwb(p); O = lambda k: "7c1e9f00-0000-4000-8000-0000000000%02d" % k; n = 1500
        a = g.create_group("acquisition"); h = a.create_group("ElectricalSeries"); h.attrs.update({**NS, "neurodata_type": "ElectricalSeries", "description": "raw acquired data", "comments": "no comments", "object_id": O(11)})
        arr(h, "data", (60 * smooth((n, 8), (3, .7), r)).round().astype("i2"), (500, 8), attrs={"unit": "volts", "conversion": 1.95e-7, "resolution": -1.0, "offset": 0.0, "zarr_dtype": "int16"}); arr(h, "starting_time", np.array(0.), (), fill=0., attrs={"rate": 30000.0, "unit": "seconds", "zarr_dtype": "float64"})
        ref = {"zarr_dtype": "object", "value": {"path": "/general/extracellular_ephys/electrodes", "source": ".", "object_id": O(12), "source_object_id": g.attrs["object_id"]}}
        arr(h, "electrodes", np.arange(8), (8,), attrs={"namespace": "hdmf-common", "neurodata_type": "DynamicTableRegion", "description": "all electrodes", "table": ref, "zarr_dtype": "int64", "object_id": O(13)})
        e = g.create_group("general").create_group("extracellular_ephys").create_group("electrodes"); e.attrs.update({"namespace": "hdmf-common", "neurodata_type": "DynamicTable", "colnames": ["x", "y"], "description": "electrodes", "object_id": O(12)}); V = {"namespace": "hdmf-common", "neurodata_type": "VectorData", "zarr_dtype": "float64"}
        arr(e, "x", np.tile([16., 48.], 4), (8,), fill=0., attrs={**V, "description": "x on the probe", "object_id": O(14)}); arr(e, "y", np.repeat(20. * np.arange(4), 2), (8,), fill=0., attrs={**V, "description": "y on the probe", "object_id": O(15)}); arr(e, "id", np.arange(8), (8,), attrs={"namespace": "hdmf-common", "neurodata_type": "ElementIdentifiers", "zarr_dtype": "int64", "object_id": O(16)})

    def fault(p):
        attrs2(p + "/acquisition/ElectricalSeries/data", conversion=1.0)

    def check(c, f):
        k = "acquisition/ElectricalSeries/data"; a, b = (zarr.open_group(q, mode="r")[k] for q in (c, f)); assert np.array_equal(a[:], b[:]) and np.abs(a[:]).max() * a.attrs["conversion"] < 1e-3 and np.abs(b[:]).max() * b.attrs["conversion"] > 100


# ===================================================================== ABSENCE
@case(27, "holes-in-one-variable", "hytest-org/hytest#395",
      "U10 lacks 7 of its 32 chunk files (1.0.1, 2.1.0, 3.0.0, 3.0.1, 5.1.1, 6.0.0, 6.1.0), which read as NaN; V10, T2, TD2 and PSFC, on the same grid and chunks, have all of theirs: these were lost when the store was copied, and must be copied again.", "absence")
class c27:
    GONE = ["1.0.1", "2.1.0", "3.0.0", "3.0.1", "5.1.1", "6.0.0", "6.1.0"]

    def clean(p):
        r = rng(27); nt, ny, nx = 96, 16, 20; x = -2000000 + 4000. * np.arange(nx); y = 1200000 + 4000. * np.arange(ny); F = ("time", "y", "x"); S = smooth((5, nt, ny, nx), (0, 3, 2, 2), r)
        V = (("U10", 2, 3, "m s-1", "U at 10 M"), ("V10", 0, 3, "m s-1", "V at 10 M"), ("T2", 285, 4, "K", "TEMP at 2 M"), ("TD2", 277, 3, "K", "2-M DEW POINT TEMPERATURE"), ("PSFC", 95000, 600, "Pa", "SFC PRESSURE"))
        ds = xr.Dataset({k: (F, (o + s * S[i]).astype("f4"), {"units": u, "description": l, "long_name": l.title()}) for i, (k, o, s, u, l) in enumerate(V)}, coords={"time": tvar("2003-05-01", nt, "h"), "x": ("x", x, {"units": "m", "standard_name": "projection_x_coordinate"}), "y": ("y", y, {"units": "m", "standard_name": "projection_y_coordinate"})}, attrs={"TITLE": "OUTPUT FROM WRF V3.9.1.1 MODEL", "Conventions": "CF-1.8"})
        save(ds, p, 2, {v: {"chunks": (12, 8, 10)} for v in ds.data_vars}, bits=3)

    def fault(p):
        for k in c27.GONE: os.remove(p + "/U10/" + k)

    def check(c, f):
        assert quiet(c).U10.notnull().all() and abs(float(xo(f).U10.isnull().mean()) - 7 / 32) < 1e-9 and xo(f).V10.notnull().all()


@case(28, "only-the-frame-was-written", "Ouranosinc/xscen#716",
      "tasmin, tasmax and pr have documents and no chunk at all (all NaN); the coordinates are whole: the store was laid out (to_zarr with compute=False) and the delayed writes were never computed.", "absence")
class c28:
    def clean(p):
        r = rng(28); nt, ny, nx = 60, 12, 16; la, lo = latlon(ny, nx, 57., .1); lo = lo.copy(data=(-75 + .1 * np.arange(nx)).astype("f4")); m = 280 + 4 * smooth((nt, ny, nx), (3, 2, 2), r); d = np.clip(4.5 + smooth((nt, ny, nx), (1, 2, 2), r), 1, 9); L = {"latitude": "lat", "longitude": "lon"}
        ds = xr.Dataset({"tasmin": (D, (m - d).astype("f4"), {"units": "K", "standard_name": "air_temperature", "cell_methods": "time: minimum", "long_name": "Daily minimum near-surface air temperature"}), "tasmax": (D, (m + d).astype("f4"), {"units": "K", "standard_name": "air_temperature", "cell_methods": "time: maximum", "long_name": "Daily maximum near-surface air temperature"}),
                         "pr": (D, np.maximum(0, 4e-5 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "kg m-2 s-1", "standard_name": "precipitation_flux", "cell_methods": "time: mean", "long_name": "Precipitation"})},
                        coords={"time": tvar("2041-01-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "cat:processing_level": "regridded", "cat:frequency": "day", "cat:domain": "QC"}).rename(L)
        save(ds, p, 2, {v: {"chunks": (30, 12, 16)} for v in ds.data_vars}, bits=5)

    def fault(p):
        for v in ("tasmin", "tasmax", "pr"):
            for q in chunkfiles(p + "/" + v): os.remove(q)

    def check(c, f):
        assert quiet(c).pr.notnull().all(); F = xo(f); assert all(F[v].isnull().all() for v in ("tasmin", "tasmax", "pr")) and F.time.notnull().all() and F.lat.notnull().all()


@case(29, "data-ignored-by-git", "maris-development/beacon#493",
      "X and layers/counts (csr_matrix) have indices and indptr and no data: all folders named `data` are missing from the store, as a pattern data/ in .gitignore kept them out of the repository. By the consolidated metadata, which still lists them, all counts read as 0. Add them (git add -f) and check out again.", "absence")
class c29:
    def clean(p):
        import anndata as ad
        ad.settings.zarr_write_format = 3; A = marked(rng(29)); del A.uns["rank_genes_groups"]; A.write_zarr(p)

    def fault(p):
        for b, ds, _ in os.walk(p, topdown=False):
            for k in ds:
                if k == "data": shutil.rmtree(os.path.join(b, k))

    def check(c, f):
        import anndata as ad
        assert ad_quiet(c).X.sum() > 0 and not ad.read_zarr(f).X.data.any() and fails(lambda: ad.read_zarr(zarr.open_group(f, mode="r", use_consolidated=False))) and os.path.exists(f + "/X/indices") and not os.path.exists(f + "/X/data") and not os.path.exists(f + "/layers/counts/data")


@case(30, "coordinates-whose-chunk-is-lost", "fsspec/kerchunk#147",
      "lat and lon have no chunk (each had one, named 0, which did not come with the copy): all their values read as NaN, whereas lev and time and the data on them are whole; copy lat/0 and lon/0 again.", "absence")
class c30:
    def clean(p):
        r = rng(30); nt, nz, ny, nx = 6, 4, 18, 24; la, lo = globe(ny, nx); vla, vlo = yx(la, lo); lv = np.array([992.6, 859.5, 525.0, 197.9]); F = ("time", "lev", "lat", "lon")
        t = 300 - 36 * np.sin(np.deg2rad(la))[None, None, :, None] ** 2 - np.array([0, 8, 32, 75.])[None, :, None, None] + 2 * smooth((nt, nz, ny, nx), (1, 1, 2, 2), r); ts = 301 - 36 * np.sin(np.deg2rad(la))[None, :, None] ** 2 + 2 * smooth((nt, ny, nx), (1, 2, 2), r)
        ds = xr.Dataset({"T": (F, t.astype("f4"), {"units": "K", "long_name": "Temperature", "standard_name": "air_temperature", "cell_methods": "time: mean"}), "TS": (E, ts.astype("f4"), {"units": "K", "long_name": "Surface temperature (radiative)", "standard_name": "surface_temperature", "cell_methods": "time: mean"})},
                        coords={"time": tvar("1990-01-15", nt, "30D"), "lev": ("lev", lv, {"units": "hPa", "long_name": "hybrid level at midpoints (1000*(A+B))", "positive": "down"}), "lat": vla, "lon": vlo}, attrs={"Conventions": "CF-1.0", "source": "CAM", "case": "b.e11.B20TRC5CNBDRD.f09_g16.001"})
        save(ds, p, 2, {"T": {"chunks": (3, 4, 18, 24)}, "TS": {"chunks": (3, 18, 24)}, "lat": {"_FillValue": np.nan}, "lon": {"_FillValue": np.nan}}, bits=5)

    def fault(p):
        for k in ("lat", "lon"): os.remove(p + "/" + k + "/0")

    def check(c, f):
        assert quiet(c).lat.notnull().all(); F = xo(f); assert F.lat.isnull().all() and F.lon.isnull().all() and F.TS.notnull().all() and F.lev.notnull().all()


# What a finding on each fault must have, joined by `|`, in words that any good answer has; all were written before the program was asked.
# 1 is a zip and not packed.
KEPT = {
    2: "thetao|zero", 3: "gzip|zlib", 4: "sst|shuffle", 5: "t2m|chunk_shape", 6: "pressure|18", 7: ".zmetadata|blosc", 8: "ef bf bd",
    9: "convective_available_potential_energy|consolidated", 10: "scale_factor|string", 11: "fill_value", 12: ".zgroup", 13: "missing_value|1e30", 14: "units|unit",
    15: "siconca|%", 16: "areacella|m2", 17: "wind_direction|180", 18: "depth|positive", 19: "geopotential|m", 20: "ssrd|W m-2", 21: "lon_bnds|360", 22: "GeoTransform|half",
    23: "tissue_hires_scalef", 24: "rank_genes_groups|var", 25: "obs|twice", 26: "conversion|volts", 27: "U10|1.0.1", 28: "tasmin|no chunk", 29: "X/data", 30: "lat|chunk",
}

if __name__ == "__main__":
    blind2.main(CASES, KEPT)
    if len(sys.argv) == 1:
        blind2.pack("blind5.zip", CASES, KEPT)
        shutil.rmtree(OUT)
