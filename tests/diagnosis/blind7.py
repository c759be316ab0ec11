"""Makes stores of thirty more faults that people reported, and their clean twins, written without a look at the
program.

    /path/to/venv/bin/python blind7.py [FOLDER [NUMBER...]]    # zarr 3.4.2, xarray 2026.9; makes blind7.zip, or stores

Each text says what a good answer names, and was written before anything was asked; the check of each says what the
readers in Python make of both stores. None is of a kind that blind.py to blind6.py have: faults of everyday life, as
copies that landed elsewhere, documents that a language or a tool wrote in its own way, and attributes that tell another
thing than the numbers. See blind2.py, blind4.py, blind5.py and blind6.py, whose helpers are used.
"""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import blind2, blind4
from blind6 import *

blind2.HERE = os.path.dirname(os.path.abspath(__file__))
CASES = []


def case(num, name, thread, fault, kind, suffix=""):
    def deco(cls):
        CASES.append(Case(num, name, thread, fault, kind, cls.clean, cls.fault, cls.check, suffix))
        return cls
    return deco


def rng(n):
    return np.random.default_rng(70300 + n)


def grid(ny, nx, south, west, res):
    """Latitudes from the north, and longitudes, of a region."""
    la = (south + res * np.arange(ny)[::-1]).round(4); lo = (west + res * np.arange(nx)).round(4)
    return (xr.Variable("latitude", la, {"standard_name": "latitude", "units": "degrees_north", "axis": "Y"}),
            xr.Variable("longitude", lo, {"standard_name": "longitude", "units": "degrees_east", "axis": "X"}))


def sheet(*about):
    """Attributes from standard name, units and long name."""
    return {k: v for k, v in zip(("standard_name", "units", "long_name"), about) if v}


def keys(p):
    """The keys of a store, in the order in which object stores list them."""
    return sorted(os.path.relpath(os.path.join(b, k), p) for b, _, fs in os.walk(p) for k in fs)


GEO = [{"uuid": "f17cb550-5864-4468-aeb7-f3180cfb622f", "name": "proj:",
        "schema_url": "https://raw.githubusercontent.com/zarr-experimental/geo-proj/refs/tags/v1/schema.json",
        "description": "Coordinate reference system information for geospatial data"},
       {"uuid": "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", "name": "spatial:",
        "schema_url": "https://raw.githubusercontent.com/zarr-conventions/spatial/refs/tags/v1/schema.json",
        "description": "Spatial coordinate information"}]


def nczarr(p, mode="nczarr"):
    """Opens a store with netCDF-C."""
    import netCDF4
    return netCDF4.Dataset("file://%s#mode=%s,file" % (os.path.abspath(p), mode))


# ===================================================================== BYTES, CODECS, KEYS
@case(1, "store-inside-the-store", "GoogleCloudPlatform/gsutil#1486",
      "the group era5_t2m.zarr in the root is the store itself once more, and newer (24 days, where the root has 16 "
      "of the same): the update was copied with cp -r to a folder that was there already, and so landed inside it "
      "instead of on it. Move it up, or copy again.", "keys")
class c1:
    @staticmethod
    def put(p, nt):
        r = rng(1); ny, nx = 12, 16; la, lo = grid(ny, nx, 35., -5., 2.5)
        t = (285 + 6 * smooth((24, ny, nx), (2, 2, 2), r)).astype("f4")[:nt]
        ds = xr.Dataset({"t2m": (D, t, sheet("air_temperature", "K", "2 metre temperature"))},
                        coords={"time": tvar("2023-06-01", nt, "D"), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.7", "title": "ERA5 daily means, Europe"})
        save(ds, p, 3, {"t2m": {"chunks": (8, 12, 16)}}, bits=6)

    def clean(p):
        c1.put(p, 16)

    def fault(p):
        c1.put(p + "/era5_t2m.zarr", 24)

    def check(c, f):
        # both open alike, with 16 days; the newer days are found by whoever opens the inner folder only
        C, F, N = quiet(c, consolidated=False), v3(f), v3(f + "/era5_t2m.zarr")
        assert F.equals(C) and N.sizes["time"] == 24 and N.isel(time=slice(16)).equals(C)
        assert "era5_t2m.zarr" in zarr.open_group(f)


@case(2, "first-thousand-keys", "JuliaIO/Zarr.jl#271",
      "the store has exactly 1000 files, as many as S3 lists at once: wind_speed, the last array by name, lacks all "
      "of its keys that come after the thousandth in the order of names (6.1.2 and on), which read as missing: the "
      "copy took only the first page of the listing.", "absence")
class c2:
    N = ["air_temperature", "relative_humidity", "surface_air_pressure", "wind_speed"]

    def clean(p):
        r = rng(2); nt, ny, nx = 35, 24, 24; la, lo = grid(ny, nx, 43., 2., .1)
        S = smooth((4, nt, ny, nx), (0, 3, 3, 3), r)
        A = [(S[0] * 4 + 284, "K", .1), (np.clip(S[1] * 9 + 70, 0, 99), "%", 1.), (S[2] * 600 + 101000, "Pa", 20.),
             (abs(S[3] * 2 + 6), "m s-1", .1)]
        ds = xr.Dataset({k: (D, v, sheet(k, u)) for k, (v, u, _) in zip(c2.N, A)},
                        coords={"time": tvar("2022-11-01", nt, "6h"), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.8"})
        E = {k: {"chunks": (5, 4, 4), "dtype": "int16", "scale_factor": s, "add_offset": round(float(v.mean())),
                 "_FillValue": -32768} for k, (v, _, s) in zip(c2.N, A)}
        save(ds, p, 2, E)

    def fault(p):
        for k in keys(p)[1000:]: os.remove(p + "/" + k)

    def check(c, f):
        # clean: 1028 keys, nothing missing; fault: opens, and the end of wind_speed is NaN
        C, F = quiet(c), xo(f); assert len(keys(c)) > 1000 == len(keys(f)) and all(C[k].notnull().all() for k in c2.N)
        assert all(F[k].equals(C[k]) for k in c2.N[:3]) and F.wind_speed.isnull().any()
        assert F.wind_speed[:30].notnull().all()
        assert all(k.startswith("wind_speed/6.") for k in set(keys(c)) - set(keys(f)))


@case(3, "mask-that-was-a-jpeg", "romi/plant-3d-vision#140",
      "mask has the flag_values 0 and 255 and holds about sixty others (1 to 31, 224 to 254), in blocks of 8 along "
      "the edges of the plants: it went through JPEG, which is lossy. Make the mask again, or take 128 as its "
      "threshold; image beside it may be lossy.", "values")
class c3:
    @staticmethod
    def jpeg(a):
        from PIL import Image
        b = io.BytesIO(); Image.fromarray(a).save(b, "JPEG", quality=80); return np.array(Image.open(b))

    def clean(p):
        r = rng(3); g = zarr.open_group(p, mode="w", zarr_format=2); n = 3; S = smooth((n, 128, 160), (0, 7, 7), r)
        g.attrs.update({"title": "Arabidopsis, camera 1", "task": "Masks"})
        X = {"_ARRAY_DIMENSIONS": ["frame", "y", "x"]}
        arr(g, "image", np.stack([c3.jpeg(np.clip(90 + 30 * s, 0, 255).astype("u1")) for s in S]) // 8 * 8,
            (1, 128, 160), attrs=X, fill=None)
        arr(g, "mask", ((S > .9) * 255).astype("u1"), (1, 128, 160), fill=None,
            attrs={**X, "flag_values": [0, 255], "flag_meanings": "background plant", "long_name": "mask of the plant"})
        recon(p)

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["mask"]; a[:] = np.stack([c3.jpeg(v) for v in a[:]])

    def check(c, f):
        # both open; the values of the fault are not among flag_values
        C, F = quiet(c).mask.values, xo(f).mask.values
        assert set(np.unique(C)) == {0, 255} and len(np.unique(F)) > 50 and np.array_equal(F > 127, C > 127)


@case(4, "scale-the-wrong-way-round", "zarr-developers/zarr-extensions#64",
      "the filter fixedscaleoffset of t2m has the scale 0.01, as netCDF's scale_factor would be; the filter divides "
      "by its scale as it decodes, so that it must be 100: t2m reads as -112,000 to 256,000 K, where it should be "
      "280 K.", "codec")
class c4:
    def clean(p):
        r = rng(4); nt, ny, nx = 16, 20, 24; la, lo = grid(ny, nx, 44., 4., .25)
        g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"Conventions": "CF-1.8", "title": "2 m temperature from HDF5"})
        t = (280 + 5 * smooth((nt, ny, nx), (2, 2, 2), r)).round(1).astype("f4")
        arr(g, "t2m", t, (8, 20, 24), sep=".", fill=None, filters=[numcodecs.FixedScaleOffset(offset=273.15, scale=100,
            dtype="<f4", astype="<i2")], attrs={"_ARRAY_DIMENSIONS": list(D),
                                                **sheet("air_temperature", "K", "2 metre temperature")})
        T = {"units": "hours since 2020-01-01", "calendar": "standard", "standard_name": "time", "axis": "T"}
        for k, v, a in (("time", np.arange(nt) * 3, T), ("latitude", la.values, la.attrs),
                        ("longitude", lo.values, lo.attrs)):
            arr(g, k, v, v.shape, sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": [k], **a})
        recon(p)

    def fault(p):
        q = p + "/t2m/.zarray"; d = jr(q); d["filters"][0]["scale"] = .01; jw(q, d); recon(p)

    def check(c, f):
        # clean: 265 to 300 K; fault: opens, with impossible temperatures
        C, F = quiet(c).t2m, xo(f).t2m; assert 260 < C.min() < C.max() < 305 and F.max() > 1e5 and F.min() < 0


@case(5, "chunk-too-large-for-blosc", "pangeo-data/rechunker#98",
      "landcover is chunked as one piece of 60000 x 60000 bytes (3.6 GB), and its compressor is Blosc, which takes at "
      "most 2147483647 bytes: the write failed, no chunk is there, and all reads as 0; none can ever be written so. "
      "Choose smaller chunks (4096 x 4096).", "chunks")
class c5:
    def clean(p):
        r = rng(5); g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"title": "Land cover of the islands, 10 m", "nodata": 0})
        a = g.create_array("landcover", shape=(60000, 60000), chunks=(4096, 4096), dtype="u1", fill_value=0,
                           chunk_key_encoding={"name": "v2", "separator": "/"},
                           compressors=numcodecs.Blosc(cname="zstd", clevel=9, shuffle=1),
                           attributes={"long_name": "land cover class", "flag_values": [0, 1, 2, 3, 4],
                                       "flag_meanings": "none tree grass crop water"})
        for y, x in ((3, 5), (3, 6), (4, 5), (9, 11)):
            b = np.digitize(smooth((64, 64), 6, r), [-.8, 0, .8]).astype("u1") + 1
            a[y * 4096:(y + 1) * 4096, x * 4096:(x + 1) * 4096] = np.kron(b, np.ones((64, 64), "u1"))

    def fault(p):
        q = p + "/landcover/.zarray"; d = jr(q); d["chunks"] = [60000, 60000]; jw(q, d)
        for k in os.listdir(p + "/landcover"):
            if not k.startswith("."): shutil.rmtree(p + "/landcover/" + k)

    def check(c, f):
        # clean: reads, some chunks of many, as land is rare; fault: opens and has no chunk, and Blosc refuses such a
        # buffer
        a, b = (zarr.open_group(q, mode="r")["landcover"] for q in (c, f))
        assert a[3 * 4096, 5 * 4096] in (1, 2, 3, 4) and a.nchunks == 225
        assert b.chunks == (60000, 60000) and np.prod(b.chunks) > numcodecs.blosc.MAX_BUFFERSIZE
        assert keys(f + "/landcover") == [".zarray", ".zattrs"]


@case(6, "documents-without-their-dot", "zarr-developers/zarr-python#1322",
      "the documents are named zgroup, zattrs, zmetadata and zarray, without the dot that their names begin with "
      "(.zgroup, .zarray): the server, or the browser, does not pass files with a leading dot; no reader finds a "
      "group or an array. Rename them.", "documents")
class c6:
    def clean(p):
        r = rng(6); nt, ny, nx = 10, 18, 20; la, lo = grid(ny, nx, 46., 6., .2)
        ds = xr.Dataset({"snow_depth": (D, np.clip(.4 + .3 * smooth((nt, ny, nx), (2, 2, 2), r), 0, None).astype("f4"),
                                        sheet("surface_snow_thickness", "m", "Snow depth")),
                         "t2m": (D, (270 + 4 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"),
                                 sheet("air_temperature", "K", "2 metre temperature"))},
                        coords={"time": tvar("2021-01-01", nt, "D"), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {v: {"chunks": (5, 18, 20)} for v in ds.data_vars}, bits=6)

    def fault(p):
        for k in keys(p):
            b, n = os.path.split(os.path.join(p, k))
            if n.startswith(".z"): os.rename(b + "/" + n, b + "/" + n[1:])

    def check(c, f):
        # fault: no group is found, by zarr or xarray
        assert quiet(c).t2m.notnull().all() and fails(lambda: zarr.open(f, mode="r")) and fails(lambda: xo(f))
        assert os.path.exists(f + "/t2m/zarray")


@case(7, "pressure-in-half-precision", "openclimatefix-archives/nowcasting_dataset#370",
      "the data are float16, which ends at 65504: prmsl (Pa, about 101,000) is infinite in all cells, and ssrd (J "
      "m-2) wherever there was more than 65504; t fits. They must be stored as float32, or scaled.", "values")
class c7:
    @staticmethod
    def put(p, dt):
        r = rng(7); nt, ny, nx = 12, 20, 24; la, lo = grid(ny, nx, 50., -6., .25)
        S = smooth((3, nt, ny, nx), (0, 2, 3, 3), r)
        sun = np.clip(np.sin(2 * np.pi * (np.arange(nt) * 3 - 6) / 24), 0, None)[:, None, None]
        thin5 = lambda v: thin(v.astype("f4"), 9)
        V = {"prmsl": (101300 + 900 * S[0], "air_pressure_at_mean_sea_level", "Pa"),
             "ssrd": (sun * (130000 + 9e4 * np.clip(S[1], -1.3, 2)),
                      "surface_downwelling_shortwave_flux_in_air_time_integral", "J m-2"),
             "t": (284 + 4 * S[2], "air_temperature", "K")}
        with np.errstate(over="ignore"):
            ds = xr.Dataset({k: (D, thin5(v).astype(dt), sheet(None if "integral" in s else s, u, s.replace("_", " ")))
                             for k, (v, s, u) in V.items()}, coords={"time": tvar("2021-07-01", nt, "3h"),
                "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "title": "NWP for nowcasting"})
            save(ds, p, 3, {k: {"chunks": (6, 20, 24)} for k in V}, bits=9)

    def clean(p):
        c7.put(p, "f4")

    def fault(p):
        shutil.rmtree(p); c7.put(p, "f2")

    def check(c, f):
        # both open; the infinities are read as numbers
        C, F = quiet(c, consolidated=False), v3(f)
        assert all(np.isfinite(C[k]).all() for k in C.data_vars) and F.prmsl.dtype == "f2"
        assert np.isinf(F.prmsl).all() and .1 < float(np.isinf(F.ssrd).mean()) < .6 and np.isfinite(F.t).all()


@case(8, "colons-that-windows-cannot-have", "hdmf-dev/hdmf-zarr#219",
      "the folders of precip:1h and wind:10m have U+F03A in place of the colon, as WSL, Cygwin and Samba write it on "
      "a Windows disk; .zmetadata has the names with a colon: by it both are found and have no chunk (all missing), "
      "without it they have names that nobody can type. Rename the folders, best to names without a colon.", "names")
class c8:
    def clean(p):
        r = rng(8); nt, ny, nx = 12, 16, 20; la, lo = grid(ny, nx, 47., 9., .1)
        ds = xr.Dataset({"precip:1h": (D, np.clip(smooth((nt, ny, nx), (1, 2, 2), r), 0, None).astype("f4"),
                                       sheet("", "mm", "Precipitation of one hour")),
                         "wind:10m": (D, abs(5 + 2 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"),
                                      sheet("wind_speed", "m s-1", "Wind at 10 m")),
                         "t2m": (D, (280 + 4 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"),
                                 sheet("air_temperature", "K", "2 metre temperature"))},
                        coords={"time": tvar("2023-09-01", nt, "h"), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {v: {"chunks": (6, 16, 20)} for v in ds.data_vars}, bits=6)

    def fault(p):
        for k in ("precip:1h", "wind:10m"): os.rename(p + "/" + k, p + "/" + k.replace(":", "\uf03a"))

    def check(c, f):
        # consolidated: opens, all NaN; without: opens under the other names
        C, F, U = quiet(c), xo(f), xo(f, consolidated=False)
        assert C["precip:1h"].notnull().all() and F["precip:1h"].isnull().all()
        assert F.t2m.equals(C.t2m) and "precip:1h" not in U
        assert U["wind\uf03a10m"].equals(C["wind:10m"].rename("wind\uf03a10m"))


# ===================================================================== DOCUMENTS
@case(9, "lengths-without-brackets", "Huber-group-EMBL/Rarr#103",
      "in .zarray of area and total_counts, which have one dimension, shape and chunks are bare numbers (95 and 40): "
      "R's jsonlite unboxed the lists of one element. They must be lists, [95] and [40]; readers such as "
      "zarr-python 2 (int is not iterable) and netCDF-C fail. counts has two dimensions and is right.", "json")
class c9:
    def clean(p):
        r = rng(9); g = zarr.open_group(p, mode="w", zarr_format=2)
        K = r.poisson(np.exp(r.normal(.2, .7, (60, 1))) * r.gamma(8, .2, (1, 95)))
        g.attrs.update({"description": "transcripts x cells", "creator": "R 4.5"})
        arr(g, "counts", K.astype("i4"), (30, 40), sep=".")
        arr(g, "area", r.uniform(40, 180, 95).round(1), (40,), sep=".", fill=0., attrs={"unit": "micrometer^2"})
        arr(g, "total_counts", K.sum(0).astype("i4"), (40,), sep=".")

    def fault(p):
        for k in ("area", "total_counts"):
            q = p + "/%s/.zarray" % k; d = jr(q); d["shape"], d["chunks"] = d["shape"][0], d["chunks"][0]; jw(q, d)

    def check(c, f):
        # zarr-python 3 forgives it (2.18 did not); netCDF-C refuses the fault
        assert allread(c)["area"].min() > 30 and nczarr(c, "zarr").variables["area"].shape == (95,)
        assert "Error" in fails(lambda: nczarr(f, "zarr"))
        assert [jr(q + "/area/.zarray")["shape"] for q in (c, f)] == [[95], 95]


@case(10, "nodata-of-fewer-digits", "geotiffjs/geotiff.js#259",
      "fill_value of dem is -3.4e+38, and what is missing in it holds -3.4028234663852886e+38 (the smallest float32): "
      "the digits were cut in the document, so that nothing is masked and the sea is 3.4e38 m deep. Both must be the "
      "same.", "documents")
class c10:
    def clean(p):
        r = rng(10); ny, nx = 60, 80; la, lo = grid(ny, nx, 45., 10., .01); h = 300 + 350 * smooth((ny, nx), 8, r)
        low = np.float32(np.finfo("f4").min)
        g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"Conventions": "CF-1.8", "title": "Elevation, from a GeoTIFF"})
        arr(g, "dem", np.where(h < 0, low, h.round()).astype("f4"), (30, 40), sep=".", fill=low,
            attrs={"_ARRAY_DIMENSIONS": list(D[1:]), **sheet("surface_altitude", "m", "elevation")})
        for k, v in (("latitude", la), ("longitude", lo)):
            arr(g, k, v.values, v.shape, sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": [k], **v.attrs})
        recon(p)

    def fault(p):
        q = p + "/dem/.zarray"; d = jr(q); d["fill_value"] = -3.4e38; jw(q, d); recon(p)

    def check(c, f):
        # clean: the sea is NaN; fault: opens, and the sea is a number
        C, F = quiet(c).dem, xo(f).dem
        assert .1 < float(C.isnull().mean()) < .5 and C.min() >= 0 and F.notnull().all() and float(F.min()) < -3.4e38


@case(11, "marks-of-a-merge", "jupyter/help#67",
      "tas/.zattrs has the marks of a git merge that met a conflict (<<<<<<< HEAD, =======, >>>>>>> processing-v2), "
      "with both versions of two attributes between them: it is no JSON, and the array cannot be opened. Choose one "
      "version, and delete the marks.", "json")
class c11:
    def clean(p):
        r = rng(11); nt, ny, nx = 8, 16, 20; la, lo = grid(ny, nx, 60., 5., .2)
        ds = xr.Dataset({"tas": (D, (281 + 4 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"),
                                 {**sheet("air_temperature", "K", "Near-surface air temperature"),
                                  "comment": "height correction 6.5 K/km", "version": "2"}),
                         "ps": (D, (98000 + 800 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"),
                                sheet("surface_air_pressure", "Pa", "Surface pressure"))},
                        coords={"time": tvar("2020-04-01", nt, "D"), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {v: {"chunks": (4, 16, 20)} for v in ds.data_vars}, bits=6, consolidated=False)

    def fault(p):
        q = p + "/tas/.zattrs"; L = json.dumps(jr(q), indent=4).splitlines()
        i = [k for k, s in enumerate(L) if '"comment"' in s or '"version"' in s]
        a, b = L[i[0]:i[-1] + 1], [s.replace("6.5 K/km", "none").replace('"2"', '"1"') for s in L[i[0]:i[-1] + 1]]
        L[i[0]:i[-1] + 1] = ["<<<<<<< HEAD"] + b + ["======="] + a + [">>>>>>> processing-v2"]
        open(q, "w").write("\n".join(L) + "\n")

    def check(c, f):
        # fault: json, zarr and xarray fail
        assert quiet(c, consolidated=False).tas.notnull().all() and fails(lambda: jr(f + "/tas/.zattrs"))
        assert fails(lambda: zarr.open_group(f, mode="r")["tas"]) and fails(lambda: v3(f))
        s = open(f + "/tas/.zattrs").read(); assert "<<<<<<< HEAD" in s and ">>>>>>> processing-v2" in s


@case(12, "documents-of-before-the-migration", "zarr-developers/zarr-python#1798",
      "beside each zarr.json lie the V2 documents (.zgroup, .zarray, .zattrs) of before the migration; since then the "
      "V3 store was appended to, and sst and time have 30 days by zarr.json and 20 by .zarray: readers of V2 do not "
      "see the last 10. Delete the V2 documents.", "documents")
class c12:
    def clean(p):
        r = rng(12); nt, ny, nx = 30, 16, 20; la, lo = grid(ny, nx, 30., -30., .5)
        ds = xr.Dataset({"sst": (D, (20 + 3 * smooth((nt, ny, nx), (2, 2, 2), r)).astype("f4"),
                                 sheet("sea_surface_temperature", "degree_C", "Sea surface temperature"))},
                        coords={"time": tvar("2022-01-01", nt, "D"), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {"sst": {"chunks": (10, 16, 20)}, "time": {"chunks": (10,)}}, bits=6, consolidated=False)
        c12.migrate(p, True)

    @staticmethod
    def migrate(p, drop):
        for b, _, fs in list(os.walk(p)):
            at = jr(b + "/.zattrs") if ".zattrs" in fs else {}
            if ".zarray" in fs:
                z = jr(b + "/.zarray"); n = np.dtype(z["dtype"]); f = z["fill_value"]
                dims = at.pop("_ARRAY_DIMENSIONS")
                d = {"zarr_format": 3, "node_type": "array", "shape": z["shape"], "data_type": n.name,
                     "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": z["chunks"]}},
                     "chunk_key_encoding": {"name": "v2", "configuration": {"separator": "."}},
                     "fill_value": 0 if f is None else f, "dimension_names": dims, "attributes": at,
                     "storage_transformers": [],
                     "codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
                                {"name": "blosc", "configuration": {"cname": "zstd", "clevel": 9, "shuffle": "shuffle",
                                                                    "typesize": n.itemsize, "blocksize": 0}}]}
            else: d = {"zarr_format": 3, "node_type": "group", "attributes": at}
            jw(b + "/zarr.json", d)
            if drop: [os.remove(b + "/" + k) for k in fs if k.startswith(".z")]

    def fault(p):
        for k in ("", "sst", "time", "latitude", "longitude"):
            b = p + "/" + k; d = jr(b + "/zarr.json"); at = dict(d["attributes"])
            if k:
                n = np.dtype(d["data_type"]); s = list(d["shape"]); s[0] = 20 if k in ("sst", "time") else s[0]
                at["_ARRAY_DIMENSIONS"] = d["dimension_names"]
                jw(b + "/.zarray",
                   {"zarr_format": 2, "shape": s, "chunks": d["chunk_grid"]["configuration"]["chunk_shape"],
                    "dtype": n.str, "fill_value": d["fill_value"] if k == "sst" else None, "order": "C",
                    "filters": None, "dimension_separator": ".",
                    "compressor": {"id": "blosc", "cname": "zstd", "clevel": 9, "shuffle": 1, "blocksize": 0}})
            else: jw(b + "/.zgroup", {"zarr_format": 2})
            jw(b + "/.zattrs", at)

    def check(c, f):
        # V3 reads 30 days from both, V2 reads 20 from the fault
        C, F, V = quiet(c, consolidated=False), v3(f, zarr_format=3), v3(f, zarr_format=2)
        assert C.sizes["time"] == 30 and F.equals(C) and V.sizes["time"] == 20 and np.array_equal(V.sst, C.sst[:20])


@case(13, "codecs-as-an-object", "Huber-group-EMBL/Rarr#119",
      "codecs in zarr.json of depth and station is an object ({bytes: ..., zstd: ...}, the named list that R keeps in "
      "memory); V3 wants a list of objects with name and configuration, and readers refuse the arrays. The chunks are "
      "right.", "documents")
class c13:
    def clean(p):
        r = rng(13); g = zarr.open_group(p, mode="w", zarr_format=3)
        g.attrs["description"] = "profiles, exported from R"
        arr(g, "depth", (np.arange(40)[None] * 5. + r.normal(0, .2, (24, 40)).round(1)).astype("f4"), (12, 40), 3,
            fill=0., names=["profile", "level"], attrs={"units": "m"})
        arr(g, "station", r.integers(100, 160, 24).astype("i4"), (24,), 3, names=["profile"])

    def fault(p):
        for k in ("depth", "station"):
            q = p + "/%s/zarr.json" % k; d = jr(q)
            d["codecs"] = {x["name"]: x.get("configuration", {}) for x in d["codecs"]}; jw(q, d)

    def check(c, f):
        # fault: zarr-python refuses both arrays
        assert allread(c)["depth"].max() > 100
        assert all(fails(lambda: zarr.open_group(f, mode="r")[k][:]) for k in ("depth", "station"))


@case(14, "degree-signs-encoded-twice", "jon85p/pyENL#38",
      "the units of temp are Â°C and those of pm25 Âµg m-3: UTF-8 that was taken for Latin-1 and encoded once more; "
      "they must be °C and µg m-3 (or degree_C, ug m-3). No units library knows Â°C.", "documents")
class c14:
    U = {"temp": "°C", "pm25": "µg m-3"}

    def clean(p):
        r = rng(14); nt = 240; S = smooth((3, nt), (0, 5), r)
        ds = xr.Dataset({"temp": ("time", (12 + 5 * S[0]).round(1).astype("f4"),
                                  {"units": "°C", "long_name": "air temperature"}),
                         "pm25": ("time", np.clip(11 + 5 * S[1], .5, None).round(1).astype("f4"),
                                  {"units": "µg m-3", "long_name": "PM2.5"}),
                         "rh": ("time", np.clip(70 + 12 * S[2], 5, 100).round().astype("f4"),
                                {"units": "%", "standard_name": "relative_humidity"})},
                        coords={"time": tvar("2022-05-01", nt, "h")}, attrs={"Conventions": "CF-1.8",
            "title": "Station Sankt Pölten"})
        save(ds, p, 2, {v: {"chunks": (240,)} for v in ds.data_vars})

    def fault(p):
        for k, u in c14.U.items(): attrs2(p + "/" + k, units=u.encode().decode("latin-1"))
        recon(p)

    def check(c, f):
        # both open; only the text differs
        C, F = quiet(c), xo(f)
        assert all(C[k].units == u and F[k].units == "Â" + u for k, u in c14.U.items())
        assert F.title == "Station Sankt Pölten"


@case(15, "dimension-of-before-the-append", "Unidata/netcdf-c#2736",
      "the attribute _nczarr_group of the root says that time has the size 24; time, precip and temp have 48: another "
      "program appended without knowing netCDF's own record of dimensions, by which netCDF-C refuses the store "
      "(Invalid dimension size). The size must be 48.", "documents")
class c15:
    def clean(p):
        r = rng(15); nt, ny, nx = 48, 12, 16; la, lo = grid(ny, nx, 33., -110., .5)
        ds = xr.Dataset({k: (D, v.astype("f4"), sheet(s, u)) for k, v, s,
                         u in (("precip", np.clip(smooth((nt, ny, nx), (1, 2, 2), r), 0, None),
                                "lwe_thickness_of_precipitation_amount", "mm"),
                               ("temp", 290 + 4 * smooth((nt, ny, nx), (2, 2, 2), r), "air_temperature", "K"))},
                        coords={"time": tvar("2019-08-01", nt, "h"), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {v: {"chunks": (24, 12, 16)} for v in ds.data_vars} | {"time": {"chunks": (24,)}}, bits=6)
        for k in ds.variables:
            attrs2(p + "/" + k, _nczarr_array={"dimension_references": ["/" + d for d in ds[k].dims],
                                               "storage": "chunked"}, _nczarr_attr={"types": {"units": ">S1"}})
        c15.dims(p, 48)

    @staticmethod
    def dims(p, n):
        attrs2(p, _nczarr_superblock={"version": "2.0.0"}, _nczarr_group={"dimensions": {"time": {"size": n,
            "unlimited": 1}, "latitude": {"size": 12}, "longitude": {"size": 16}},
            "arrays": ["latitude", "longitude", "precip", "temp", "time"], "groups": []})
        recon(p)

    def fault(p):
        c15.dims(p, 24)

    def check(c, f):
        # xarray reads 48 steps from both; netCDF-C reads the clean store and refuses the fault
        assert len(nczarr(c).dimensions["time"]) == 48 and "dimension" in fails(lambda: nczarr(f))
        assert quiet(c).sizes["time"] == 48 == xo(f).sizes["time"]
        assert [jr(q + "/.zattrs")["_nczarr_group"]["dimensions"]["time"]["size"] for q in (c, f)] == [48, 24]


@case(16, "units-consolidated-before-the-correction", "Arbol-Project/gridded-etl-tools#82",
      "tp/.zattrs says mm (and a valid_max of 200), which the numbers are; .zmetadata still has the attributes of "
      "before the correction, m and 0.2: whoever opens the store by its consolidated metadata takes the rain for a "
      "thousand times as much. Consolidate again.", "documents")
class c16:
    def clean(p):
        r = rng(16); nt, ny, nx = 20, 16, 20; la, lo = grid(ny, nx, -5., 30., .25)
        ds = xr.Dataset({"tp": (D, np.clip(6 * smooth((nt, ny, nx), (1, 2, 2), r), 0, None).astype("f4"),
                                {**sheet("lwe_thickness_of_precipitation_amount", "mm", "Total precipitation"),
                                 "valid_max": 200.})}, coords={"time": tvar("2022-03-01", nt, "D"), "latitude": la,
                                                               "longitude": lo}, attrs={"Conventions": "CF-1.8",
            "title": "CHIRPS, daily"})
        save(ds, p, 2, {"tp": {"chunks": (10, 16, 20)}}, bits=6)

    def fault(p):
        q = p + "/.zmetadata"; d = jr(q); d["metadata"]["tp/.zattrs"].update({"units": "m", "valid_max": .2}); jw(q, d)

    def check(c, f):
        # the same store says mm or m, by how it is opened
        assert quiet(c).tp.units == "mm" and xo(f, consolidated=True).tp.units == "m" and v3(f).tp.units == "mm"
        assert float(v3(f).tp.max()) > 5


# ===================================================================== RELATIONS AND CONVENTIONS
@case(17, "radians-said-to-be-degrees", "CliDyn/ushow#2",
      "clat and clon say degrees_north and degrees_east and are in radians, as ICON's grids have them: clat goes from "
      "-1.57 to 1.57 and clon from -3.14 to 3.14, for a grid of the globe (geospatial_lat_min -90); multiply by "
      "57.2958, or say radian.", "relation")
class c17:
    def clean(p):
        r = rng(17); n = 1280; i = np.arange(n) + .5; la = np.rad2deg(np.arcsin(1 - 2 * i / n))
        lo = (i * 137.50776405 + 180) % 360 - 180; o = np.lexsort((la, lo // 72))
        la, lo = la[o].round(3), lo[o].round(3)
        t = np.stack([299 - 42 * np.sin(np.deg2rad(la)) ** 2 + r.normal(0, .8, n) for _ in range(4)]).astype("f4")
        H = {"CDI_grid_type": "unstructured", "coordinates": "clat clon"}
        ds = xr.Dataset({"tas": (("time", "ncells"), t, {**sheet("air_temperature", "K", "temperature in 2m"),
                                                         "CDI_grid_type": "unstructured"})},
                        coords={"time": tvar("2020-01-16", 4, "30D"), "clat": ("ncells", la,
            sheet("latitude", "degrees_north", "center latitude")),
                                "clon": ("ncells", lo, sheet("longitude", "degrees_east", "center longitude"))},
                        attrs={"Conventions": "CF-1.6", "title": "ICON simulation", "geospatial_lat_min": -90.,
                               "geospatial_lat_max": 90., "geospatial_lon_min": -180., "geospatial_lon_max": 180.})
        save(ds, p, 2, {"tas": {"chunks": (2, 1280)}}, bits=7)

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        for k in ("clat", "clon"): g[k][:] = np.deg2rad(g[k][:])

    def check(c, f):
        # both open; the fault puts the globe into 3 x 6 degrees
        C, F = quiet(c), xo(f)
        assert C.clat.max() > 85 and 1.5 < F.clat.max() < 1.5708 and 3 < F.clon.max() < 3.1416
        assert F.clat.units == "degrees_north"


@case(18, "summer-time-taken-for-utc", "Open-Power-System-Data/weather_data#7",
      "time is hourly and local (Central European, with summer time): 2021-03-28 02:00 is missing, and 2021-10-31 "
      "02:00 is there twice; nothing says so, and CF's times are UTC. Turn them into UTC: then it is hourly without a "
      "gap, and each time is there once.", "relation")
class c18:
    @staticmethod
    def put(p, local):
        r = rng(18); t = pd.date_range("2021-01-01", periods=8760, freq="h", tz="UTC")
        S = smooth((2, 8760), (0, 30), r); d = -np.cos(2 * np.pi * (t.hour + 1) / 24)
        u = t.tz_convert("Europe/Berlin").tz_localize(None) if local else t.tz_localize(None)
        h = (u - pd.Timestamp("2021-01-01")) // pd.Timedelta("1h")
        g = zarr.open_group(p, mode="w", zarr_format=2)
        g.attrs.update({"Conventions": "CF-1.8", "title": "Station weather, hourly"})
        N = {"_ARRAY_DIMENSIONS": ["time"]}
        arr(g, "time", h.values.astype("i8"), (8760,), sep=".", fill=None,
            attrs={**N, "units": "hours since 2021-01-01 00:00:00", "calendar": "standard", "standard_name": "time",
                   "axis": "T"})
        arr(g, "temperature", (9 + 6 * S[0] + 3 * d).round().astype("f4"), (2190,), sep=".", fill=np.float32("nan"),
            attrs={**N, **sheet("air_temperature", "degree_C", "temperature at 2 m")})
        arr(g, "wind_speed", abs(4 + 2 * S[1]).round().astype("f4"), (2190,), sep=".", fill=np.float32("nan"),
            attrs={**N, **sheet("wind_speed", "m s-1", "wind at 10 m")})
        recon(p)

    def clean(p):
        c18.put(p, False)

    def fault(p):
        shutil.rmtree(p); c18.put(p, True)

    def check(c, f):
        # clean: steps of one hour; fault: opens, its index is not unique
        a, b = quiet(c).time.to_index(), xo(f).time.to_index()
        s = pd.Series(np.diff(b) / np.timedelta64(1, "h")).value_counts()
        assert a.is_unique and len(set(np.diff(a))) == 1
        assert list(b[b.duplicated()]) == [pd.Timestamp("2021-10-31 02:00")] and s[0.] == 1 == s[2.]
        assert pd.Timestamp("2021-03-28 02:00") not in b


@case(19, "times-in-single-precision", "pydata/xarray#9618",
      "time is float32, in days since 1900: at 45,000 days one step of that type is 1/256 day (5.6 minutes), so that "
      "the hourly times come out as 01:01:52, 01:58:07 and so on, and no step is an hour; they need float64, or whole "
      "hours as integers.", "relation")
class c19:
    @staticmethod
    def put(p, dt):
        r = rng(19); nt, ny, nx = 72, 10, 12; la, lo = grid(ny, nx, 54., 3., .25)
        ds = xr.Dataset({"swh": (D, abs(1.6 + .5 * smooth((nt, ny, nx), (4, 2, 2), r)).astype("f4"),
                                 sheet("sea_surface_wave_significant_height", "m", "Significant wave height"))},
                        coords={"time": tvar("2023-02-01", nt, "h"), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {"swh": {"chunks": (24, 10, 12)}}, bits=6,
             tenc={"units": "days since 1900-01-01", "calendar": "standard", "dtype": dt, "_FillValue": None})

    def clean(p):
        c19.put(p, "float64")

    def fault(p):
        shutil.rmtree(p); c19.put(p, "float32")

    def check(c, f):
        # clean: hours, to a microsecond; fault: opens, with times up to some minutes off
        a, b = quiet(c).time.to_index(), xo(f).time.to_index(); e = abs((b - a) / pd.Timedelta("1min"))
        assert abs((a - a.round("h")) / pd.Timedelta("1s")).max() < 1e-3
        assert 1 < e.max() < 3 and len(set(np.diff(b))) > 1 and zarr.open_group(f, mode="r")["time"].dtype == "f4"


@case(20, "coefficients-in-pascal-times-p0", "NCAR/geocat-comp#689",
      "formula_terms of lev is `a: a b: b p0: p0 ps: ps`, so that the pressure is a*p0 + b*ps, and a is in Pa (to "
      "20,000) already, p0 being 100,000 Pa: the pressure would be 2e9 Pa. It must be `ap: a b: b ps: ps`, or a be "
      "divided by p0.", "relation")
class c20:
    @staticmethod
    def put(p, pa):
        r = rng(20); nt, nz, ny, nx = 3, 12, 16, 24; s = (np.arange(nz) + .5) / nz
        b = np.clip((s - .2) / .8, 0, 1) ** 1.5; a = s - b; la, lo = globe(ny, nx); vla, vlo = yx(la, lo)
        T = 288 * s[:, None, None] ** .19 - 25 * np.sin(np.deg2rad(la))[:, None] ** 2
        T = T[None] + 1.5 * smooth((nt, nz, ny, nx), (0, 1, 2, 2), r)
        V = {"ta": (("time", "lev", "lat", "lon"), T.astype("f4"), sheet("air_temperature", "K", "Air Temperature")),
             "ps": (("time", "lat", "lon"), (98600 + 900 * smooth((nt, ny, nx), (0, 3, 3), r)).astype("f4"),
                    sheet("surface_air_pressure", "Pa", "Surface Air Pressure")),
             "a": ("lev", (a * (1e5 if pa else 1)).round(2 if pa else 6),
                   {"long_name": "vertical coordinate formula term: a(k)", "units": "Pa" if pa else "1"}),
             "b": ("lev", b.round(6), {"long_name": "vertical coordinate formula term: b(k)", "units": "1"}),
             "p0": ((), 1e5, {"long_name": "vertical coordinate formula term: reference pressure", "units": "Pa"})}
        ds = xr.Dataset(V, coords={"time": tvar("2000-01-16", nt, "30D"),
                                   "lev": ("lev", s.round(6),
                                           {"standard_name": "atmosphere_hybrid_sigma_pressure_coordinate",
                                            "units": "1", "positive": "down", "axis": "Z",
                                            "long_name": "hybrid sigma pressure coordinate",
                                            "formula": "p = a*p0 + b*ps", "formula_terms": "a: a b: b p0: p0 ps: ps"}),
                                   "lat": vla, "lon": vlo}, attrs={"Conventions": "CF-1.7"})
        save(ds, p, 2, {"ta": {"chunks": (1, 12, 16, 24)}} | {k: {"_FillValue": None} for k in ("a", "b", "p0")},
             bits=5)

    def clean(p):
        c20.put(p, False)

    def fault(p):
        shutil.rmtree(p); c20.put(p, True)

    def check(c, f):
        # clean: the pressures rise to that of the surface; fault: opens, the pressures are impossible
        P = lambda d: (d.a * d.p0 + d.b * d.ps); C, F = P(quiet(c)), P(xo(f))
        assert 3000 < C.min() < C.max() < 105000 and float(F.max()) > 1e9


@case(21, "station-there-twice", "DOI-USGS/dataRetrieval#112",
      "station_id, whose cf_role is timeseries_id, has 02054530 twice (rows 3 and 4: the same gauge under the "
      "agencies USGS and VA087, at the same place): the ids of stations must be unique, and whoever selects by it "
      "gets two series.", "relation")
class c21:
    I = ["02053800", "02054500", "02054510", "02054530", "02055000", "02055100", "02056000"]

    @staticmethod
    def put(p, twice):
        r = rng(21); n, nt = 7, 90; ids = list(c21.I)
        name = ["S F ROANOKE RIVER NEAR SHAWSVILLE, VA", "ROANOKE RIVER AT LAFAYETTE, VA",
                "ROANOKE RIVER AT SALEM WATER WORKS, VA", "ROANOKE RIVER AT GLENVAR, VA",
                "ROANOKE RIVER AT ROANOKE, VA", "TINKER CREEK NEAR DALEVILLE, VA", "ROANOKE RIVER AT NIAGARA, VA"]
        la = np.array([37.1401, 37.2365, 37.2551, 37.2679, 37.2585, 37.4176, 37.2551])
        lo = np.array([-80.2664, -80.2095, -80.1731, -80.1395, -79.9386, -79.9353, -79.8714]); ag = ["USGS"] * 7
        if twice:
            ids[4], name[4], la[4], lo[4], ag[4] = ids[3], "ROANOKE RIVER AT GLENVAR, VIRGINIA", la[3], lo[3], "VA087"
        O = lambda v: np.array(v, dtype=object)
        q = np.exp(1.5 + .5 * smooth((n, nt), (0, 4), r)).round(2).astype("f4")
        ds = xr.Dataset({"discharge": (("station", "time"), q,
                                       sheet("water_volume_transport_in_river_channel", "m3 s-1", "discharge")),
                         "station_name": ("station", O(name), {"long_name": "name of the gauge"}),
                         "agency_cd": ("station", O(ag), {"long_name": "agency"})},
                        coords={"station_id": ("station", O(ids), {"cf_role": "timeseries_id",
                                                                   "long_name": "number of the gauge"}),
                                "lat": ("station", la, sheet("latitude", "degrees_north")),
                                "lon": ("station", lo, sheet("longitude", "degrees_east")),
                                "time": tvar("2015-01-01", nt, "D")},
                        attrs={"Conventions": "CF-1.8", "featureType": "timeSeries"})
        save(ds, p, 2, {"discharge": {"chunks": (7, 90)}})

    def clean(p):
        c21.put(p, False)

    def fault(p):
        shutil.rmtree(p); c21.put(p, True)

    def check(c, f):
        # both open; the id selects one series, or two
        C, F = quiet(c), xo(f); n = lambda d: int((d.station_id == "02054530").sum())
        assert n(C) == 1 and n(F) == 2 and len(set(C.station_id.values)) == 7 and len(set(F.station_id.values)) == 6


@case(22, "minus-that-was-lost", "metno/NWPdocs#10",
      "the attribute geospatial_lon_min of the root is 18.1; longitude begins at -18.1: the sign was lost, and a "
      "catalogue puts the data 36 degrees too far east. The other limits (54.2, 49.8, 75.2) are right.", "relation")
class c22:
    def clean(p):
        r = rng(22); la, lo = grid(21, 61, 49.8, -18.1, 1.); la = la.copy(data=(75.2 - 1.27 * np.arange(21)).round(4))
        lo = lo.copy(data=(-18.1 + 1.205 * np.arange(61)).round(4)); nt = 6
        ds = xr.Dataset({"air_temperature_2m": (D, (281 + 5 * smooth((nt, 21, 61), (1, 3, 3), r)).astype("f4"),
                                                sheet("air_temperature", "K", "Screen level temperature"))},
                        coords={"time": tvar("2021-01-01T12:00", nt, "h"), "latitude": la, "longitude": lo},
                        attrs={"Conventions": "CF-1.6", "title": "MEPS 2.5 km", "geospatial_lat_min": 49.8,
                               "geospatial_lat_max": 75.2, "geospatial_lon_min": -18.1, "geospatial_lon_max": 54.2})
        save(ds, p, 2, {"air_temperature_2m": {"chunks": (3, 21, 61)}}, bits=6)

    def fault(p):
        attrs2(p, geospatial_lon_min=18.1); recon(p)

    def check(c, f):
        # both open, and differ in one attribute
        C, F = quiet(c), xo(f)
        assert C.geospatial_lon_min == float(C.longitude.min()) == -18.1 and F.geospatial_lon_min == 18.1
        assert F.equals(C)


@case(23, "two-projections-in-one-grid-mapping", "xarray-contrib/xarray-spatial#2021",
      "the grid mapping crs says ETRS89-LAEA (EPSG:3035) in crs_wkt and in its CF attributes, which x and y fit, and "
      "UTM zone 32N (EPSG:32632) in spatial_ref, which GDAL and rioxarray read first: the data are put elsewhere by "
      "what one reads. Both must be EPSG:3035.", "convention")
class c23:
    def clean(p):
        from pyproj import CRS
        r = rng(23); ny, nx = 60, 60; q = CRS.from_epsg(3035).to_cf(); q["spatial_ref"] = q["crs_wkt"]
        q["GeoTransform"] = "4200000.0 1000.0 0.0 2800000.0 0.0 -1000.0"
        X = lambda k, v: (k, v, {"standard_name": "projection_%s_coordinate" % k, "units": "m", "axis": k.upper()})
        ds = xr.Dataset({"forest": (("y", "x"), np.clip(40 + 30 * smooth((ny, nx), 4, r), 0, 100).round().astype("f4"),
                                    {"units": "%", "long_name": "forest cover", "grid_mapping": "crs"}),
                         "crs": ((), 0, q)}, coords={"y": X("y", 2799500. - 1000 * np.arange(ny)),
                                                     "x": X("x", 4200500. + 1000 * np.arange(nx))},
                        attrs={"Conventions": "CF-1.8"})
        save(ds, p, 2, {"forest": {"chunks": (60, 60)}})

    def fault(p):
        from pyproj import CRS
        attrs2(p + "/crs", spatial_ref=CRS.from_epsg(32632).to_wkt()); recon(p)

    def check(c, f):
        # pyproj and rioxarray read another projection from the fault than CF's attributes give
        from pyproj import CRS
        import rioxarray
        C, F = quiet(c, decode_coords="all"), xo(f, decode_coords="all")
        assert C.rio.crs.to_epsg() == 3035 and F.rio.crs.to_epsg() == 32632
        assert CRS.from_cf({k: v for k, v in F.crs.attrs.items() if k != "spatial_ref"}).to_epsg() == 3035


@case(24, "box-that-begins-in-the-east", "EOPF-Sample-Service/GDAL-ZARR-EOPF#136",
      "spatial:bbox of the root is [east, south, west, north] (its first number, 409560, is larger than its third, "
      "399960): it must be west, south, east, north (399960, 4890180, 409560, 4900020), as x, y and spatial:transform "
      "have it.", "convention")
class c24:
    def clean(p):
        r = rng(24); ny, nx, s = 123, 120, 80.; x0, y0 = 399960., 4900020.
        g = zarr.open_group(p, mode="w", zarr_format=3)
        g.attrs.update({"zarr_conventions": GEO, "proj:code": "EPSG:32632", "spatial:dimensions": ["y", "x"],
                        "spatial:shape": [ny, nx], "spatial:transform": [s, 0., x0, 0., -s, y0],
                        "spatial:bbox": [x0, y0 - s * ny, x0 + s * nx, y0], "spatial:registration": "pixel"})
        arr(g, "ndvi", thin((.4 + .2 * smooth((ny, nx), 4, r)).astype("f4"), 5), (123, 120), 3, fill=np.float32("nan"),
            names=["y", "x"], attrs={"long_name": "NDVI", "units": "1"})
        for k, v in (("y", y0 - s * (np.arange(ny) + .5)), ("x", x0 + s * (np.arange(nx) + .5))):
            arr(g, k, v, v.shape, 3, fill=0., names=[k], attrs={"standard_name": "projection_%s_coordinate" % k,
                                                                "units": "m"})

    def fault(p):
        q = jr(p + "/zarr.json")["attributes"]["spatial:bbox"]; attrs3(p, **{"spatial:bbox": [q[2], q[1], q[0], q[3]]})

    def check(c, f):
        # both open; the box of the fault is turned round
        C, F = quiet(c, consolidated=False), v3(f); b, d = C.attrs["spatial:bbox"], F.attrs["spatial:bbox"]
        assert b[0] == C.x[0] - 40 and b[2] == C.x[-1] + 40 and d == [b[2], b[1], b[0], b[3]] and F.equals(C)


@case(25, "channels-before-the-times", "glencoesoftware/bioformats2raw#276",
      "the axes of the image are c, t, z, y, x (as are the arrays): OME-Zarr 0.4 wants the axis of type time first, "
      "then channel, then space; viewers take the 2 channels for times. Written with --dimension-order XYZTC; must be "
      "t, c, z, y, x.", "convention")
class c25:
    @staticmethod
    def put(p, o):
        r = rng(25)
        im = np.clip(500 + 120 * smooth((3, 2, 3, 48, 48), (1, 0, 1, 3, 3), r), 0, None).astype("u2") // 64 * 64
        g = zarr.open_group(p, mode="w", zarr_format=2); i = ["tczyx".index(k) for k in o]
        pyramid(g, im.transpose(i), 2); S = [(30., 1., .9, .25 * 2 ** k, .25 * 2 ** k) for k in range(2)]
        g.attrs["multiscales"] = ngff_ms(o, [[s[k] for k in i] for s in S], "series_0")

    def clean(p):
        c25.put(p, "tczyx")

    def fault(p):
        shutil.rmtree(p); c25.put(p, "ctzyx")

    def check(c, f):
        # ome-zarr-models reads the clean store and refuses the fault; zarr reads both
        from ome_zarr_models.v04 import Image
        ome_check(c); Image.from_zarr(zarr.open_group(c, mode="r"))
        e = fails(lambda: Image.from_zarr(zarr.open_group(f, mode="r")))
        a, b = (zarr.open_group(q, mode="r")["0"][:] for q in (c, f))
        assert e and np.array_equal(a, b.transpose(1, 0, 2, 3, 4)), e


@case(26, "labels-that-name-a-level", "ome/ngff#300",
      "the list of labels (labels/.zattrs) has nuclei/0, which is an array, the first level of the label image; it "
      "must name the group with its multiscales, nuclei: viewers find no labels.", "convention")
class c26:
    def clean(p):
        r = rng(26); lab, _ = disks(96, 96, 18, r); im = cellimage(lab, r, sd=3) // 32 * 32
        g = zarr.open_group(p, mode="w", zarr_format=2); pyramid(g, im, 2); S = [(.5 * 2 ** k,) * 2 for k in range(2)]
        g.attrs["multiscales"] = ngff_ms("yx", S, "field_1"); L = g.create_group("labels")
        L.attrs["labels"] = ["nuclei"]; h = L.create_group("nuclei"); pyramid(h, lab.astype("u2"), 2, near=True)
        h.attrs.update({"multiscales": ngff_ms("yx", S, "nuclei"),
                        "image-label": {"version": "0.4", "source": {"image": "../../"}}})

    def fault(p):
        attrs2(p + "/labels", labels=["nuclei/0"])

    def check(c, f):
        # ome-zarr finds image and labels in the clean store, and the image alone in the fault
        n = lambda q: len(ome_check(q))
        assert n(c) >= 2 and (fails(lambda: n(f)) or n(f) < n(c))
        assert zarr.open_group(f, mode="r")["labels/nuclei/0"].shape == (96, 96)


@case(27, "categories-there-twice", "quadbio/cell-annotator#57",
      "obs/cell_type/categories has T cell twice (places 1 and 3), after the annotations of two runs were put "
      "together: categories must be unique, and anndata refuses the store. Give the codes 3 the code 1, and drop the "
      "fourth.", "relation")
class c27:
    @staticmethod
    def put(p, twice):
        import anndata as ad
        r = rng(27); n, m = 96, 30; k = r.integers(0, 3, n)
        A = ad.AnnData(X=r.poisson(2, (n, m)).astype("f4"), var=pd.DataFrame(index=["GENE%d" % i for i in range(m)]),
                       obs=pd.DataFrame({"cell_type": pd.Categorical.from_codes(k, ["B cell", "T cell", "Monocyte"]),
                                         "run": pd.Categorical(["a"] * 48 + ["b"] * 48)},
                                        index=["cell_%03d" % i for i in range(n)]))
        ad.settings.zarr_write_format = 2; A.write_zarr(p)
        if twice:
            g = zarr.open_group(p, mode="r+", use_consolidated=False)["obs/cell_type"]
            q = p + "/obs/cell_type/categories"; z = jr(q + "/.zarray"); c = g["codes"][:]; c[48:][c[48:] == 1] = 3
            g["codes"][:] = c
            v = numcodecs.VLenUTF8().encode(np.array(["B cell", "T cell", "Monocyte", "T cell"], dtype=object))
            z["shape"] = z["chunks"] = [4]; jw(q + "/.zarray", z)
            s = z["compressor"]; open(q + "/0", "wb").write(numcodecs.get_codec(s).encode(v) if s else v)
            if os.path.exists(p + "/.zmetadata"): recon(p)

    def clean(p):
        c27.put(p, False)

    def fault(p):
        shutil.rmtree(p); c27.put(p, True)

    def check(c, f):
        # fault: anndata raises that categories must be unique; zarr reads the four names
        import anndata as ad
        assert ad_quiet(c).obs.cell_type.nunique() == 3; g = zarr.open_group(f, mode="r")
        k = g["obs/cell_type/codes"][:]; e = fails(lambda: ad.read_zarr(f))
        assert e and list(g["obs/cell_type/categories"][:]) == ["B cell", "T cell", "Monocyte", "T cell"]
        assert k.max() == 3 and (k == 1).any(), e


@case(28, "column-in-the-place-of-the-index", "scverse/anndata#871",
      "_index of obs is barcode, and column-order lists a column barcode too: both share the array obs/barcode, in "
      "which the column (nothing but nan) took the place of the names of the cells: all 90 cells are called nan. The "
      "names are lost here; take them from the source, and rename the column.", "relation")
class c28:
    def clean(p):
        import anndata as ad
        A = marked(rng(28)); del A.uns["rank_genes_groups"]; A.obs.index.name = "barcode"
        ad.settings.zarr_write_format = 2; A.write_zarr(p)

    def fault(p):
        q = p + "/obs/barcode/values"; n = 90; z = jr(q + "/.zarray")
        v = numcodecs.VLenUTF8().encode(np.array(["nan"] * n, dtype=object)); s = z["compressor"]
        assert z["chunks"] == [n] and os.path.exists(q + "/0")
        open(q + "/0", "wb").write(numcodecs.get_codec(s).encode(v) if s else v); d = jr(p + "/obs/.zattrs")
        attrs2(p + "/obs", **{"column-order": d["column-order"] + ["barcode"]})
        if os.path.exists(p + "/.zmetadata"): recon(p)

    def check(c, f):
        # clean: 90 names; fault: opens (or fails at the column), with one name for all
        import anndata as ad
        assert ad_quiet(c).obs_names.is_unique and ad_quiet(c).obs.index.name == "barcode"
        g = zarr.open_group(f, mode="r")["obs"]
        assert set(g["barcode/values"][:]) == {"nan"} and g.attrs["_index"] == "barcode"
        assert "barcode" in g.attrs["column-order"]
        e = fails(lambda: ad.read_zarr(f)); assert e or set(ad.read_zarr(f).obs_names) == {"nan"}, e


@case(29, "electrodes-that-the-table-lacks", "NeurodataWithoutBorders/pynwb#549",
      "the region electrodes of ElectricalSeries names the rows 8 to 15 of the table of electrodes, which has 8 rows "
      "(0 to 7): the table was cut to one probe, and the region still counts as if there were two. It must be 0 to 7, "
      "or the table be whole.", "relation")
class c29:
    def clean(p):
        r = rng(29); g = blind4.nwb(p); O = lambda k: "9a4d2b00-0000-4000-8000-0000000000%02d" % k; n = 1200
        NS = {"namespace": "core"}; H = {"namespace": "hdmf-common"}
        h = g.create_group("acquisition").create_group("ElectricalSeries")
        h.attrs.update({**NS, "neurodata_type": "ElectricalSeries", "description": "probe 2", "comments": "no comments",
                        "object_id": O(11)})
        arr(h, "data", (60 * smooth((n, 8), (3, .7), r)).round().astype("i2"), (400, 8),
            attrs={"unit": "volts", "conversion": 1.95e-7, "resolution": -1.0, "offset": 0.0, "zarr_dtype": "int16"})
        arr(h, "starting_time", np.array(0.), (), fill=0., attrs={"rate": 30000.0, "unit": "seconds",
            "zarr_dtype": "float64"})
        ref = {"zarr_dtype": "object", "value": {"path": "/general/extracellular_ephys/electrodes", "source": ".",
                                                 "object_id": O(12), "source_object_id": g.attrs["object_id"]}}
        arr(h, "electrodes", np.arange(8), (8,), fill=-1, attrs={**H, "neurodata_type": "DynamicTableRegion",
            "description": "electrodes of probe 2", "table": ref, "zarr_dtype": "int64", "object_id": O(13)})
        e = g.create_group("general").create_group("extracellular_ephys").create_group("electrodes")
        e.attrs.update({**H, "neurodata_type": "DynamicTable", "colnames": ["x", "y"], "description": "electrodes",
                        "object_id": O(12)})
        V = {**H, "neurodata_type": "VectorData", "zarr_dtype": "float64"}
        for k, v, i in (("x", np.tile([16., 48.], 4), 14), ("y", np.repeat(20. * np.arange(4), 2), 15)):
            arr(e, k, v, (8,), fill=-1., attrs={**V, "description": k + " on the probe", "object_id": O(i)})
        arr(e, "id", np.arange(8, 16), (8,), fill=-1, attrs={**H, "neurodata_type": "ElementIdentifiers",
                                                             "zarr_dtype": "int64", "object_id": O(16)})

    def fault(p):
        a = zarr.open_group(p, mode="r+")["acquisition/ElectricalSeries/electrodes"]; a[:] = a[:] + 8

    def check(c, f):
        # the rows that the region names can be taken from the table of the clean store only
        def x(q):
            g = zarr.open_group(q, mode="r"); e = g["general/extracellular_ephys/electrodes/x"][:]
            return e[g["acquisition/ElectricalSeries/electrodes"][:]]
        assert len(x(c)) == 8 and "out of bounds" in fails(lambda: x(f))


@case(30, "instances-there-twice", "scverse/spatialdata#715",
      "in the table, instance_id has 1 to 20 twice, in the region cells both times (and 21 to 40 not at all, which "
      "the labels have): the tiles were numbered each from 1 and put together. A region and an id must name one row; "
      "area_px of the second 20 is that of the labels 21 to 40.", "relation")
class c30:
    @staticmethod
    def put(p, lab, twice):
        import anndata as ad
        n = int(lab.max()); i = np.arange(1, n + 1); ar = np.bincount(lab.ravel(), minlength=n + 1)[1:]
        at = {"region": "cells", "region_key": "region", "instance_key": "instance_id"}
        if twice: i = (i - 1) % 20 + 1
        A = ad.AnnData(X=np.stack([ar / 100., np.sqrt(ar)], 1).round(2).astype("f4"),
                       obs=pd.DataFrame({"instance_id": i.astype("i8"), "region": pd.Categorical(["cells"] * n),
                                         "area_px": ar.astype("i8")}, index=["c%03d" % k for k in range(n)]),
                       var=pd.DataFrame(index=["area_um2", "radius"]))
        A.uns["spatialdata_attrs"] = at
        ad.settings.zarr_write_format = 3; g = zarr.open_group(p, mode="r+"); ad.io.write_elem(g["tables"], "table", A)
        g["tables/table"].attrs.update({"spatialdata-encoding-type": "ngff:regions_table", **at, "version": "0.2"})

    def clean(p):
        r = rng(30); lab, _ = disks(160, 160, 40, r); lab = lab.astype("i4"); assert lab.max() == 40
        g = zarr.open_group(p, mode="w", zarr_format=3); g.attrs["spatialdata_attrs"] = {"version": "0.2"}
        L = g.create_group("labels"); L.attrs["ome"] = {"version": "0.5", "labels": ["cells"]}
        h = L.create_group("cells"); pyramid(h, lab, 2, (80, 80), 3, True, ["y", "x"])
        h.attrs["ome"] = {"version": "0.5", "multiscales": ngff_ms("yx", [(.5,) * 2, (1.,) * 2], "cells", "0.5"),
                          "image-label": {"version": "0.5"}}
        g.create_group("tables").attrs["tables"] = ["table"]; c30.put(p, lab, False)

    def fault(p):
        g = zarr.open_group(p, mode="r+"); lab = g["labels/cells/0"][:]; del g["tables/table"]; c30.put(p, lab, True)

    def check(c, f):
        # anndata reads both; by (region, instance_id) the rows of the fault are not unique
        import anndata as ad
        R = lambda q: ad.io.read_elem(zarr.open_group(q, mode="r")["tables/table"]).obs; C, F = R(c), R(f)
        assert not C.duplicated(["region", "instance_id"]).any() and F.duplicated(["region", "instance_id"]).sum() == 20
        assert F.instance_id.max() == 20


# What a finding on each fault must have, joined by `|`, in words that any good answer has; all were written before the
# program was asked.
KEPT = {
    1: "era5_t2m.zarr", 2: "wind_speed|1000", 3: "mask|flag_values", 4: "t2m|scale", 5: "landcover|blosc", 6: "dot",
    7: "prmsl|inf", 8: "precip:1h|colon", 9: "area|shape", 10: "dem|-3.4", 11: "tas|conflict", 12: "zarr.json|.zarray",
    13: "codecs", 14: "temp|Â°C", 15: "time|_nczarr_group", 16: "tp|units", 17: "clat|radian", 18: "time|2021-10-31",
    19: "time|float32", 20: "formula_terms|p0", 21: "station_id|02054530", 22: "geospatial_lon_min|18.1",
    23: "crs_wkt|spatial_ref", 24: "spatial:bbox", 25: "axes|time", 26: "labels|nuclei/0", 27: "cell_type|categories",
    28: "obs|barcode", 29: "electrodes|8", 30: "instance_id|cells",
}

if __name__ == "__main__":
    blind2.main(CASES, KEPT)
    if len(sys.argv) == 1:
        blind2.pack("blind7.zip", CASES, KEPT)
        shutil.rmtree(OUT)
