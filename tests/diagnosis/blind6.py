"""Makes stores of thirty more faults that people reported, and their clean twins, written without a look at the program.

    /path/to/venv/bin/python blind6.py [FOLDER [NUMBER...]]    # zarr 3.4.2, xarray 2026.9; writes blind6.zip, or the stores

Each text says what a good answer names, and was written before anything was measured. All are what somebody meets every month: a copy
that went through another system, a document edited by hand, an attribute that did not go with the numbers. See blind2.py, blind4.py and
blind5.py, whose helpers are used, and the table in THREADS.md.
"""
import blind2
from blind2 import *
from blind4 import attrs2, attrs3, temperature, D
from blind5 import quiet, v3, ad_quiet, globe, yx, E, marked

CASES = []


def case(num, name, thread, fault, kind, suffix=""):
    def deco(cls):
        CASES.append(Case(num, name, thread, fault, kind, cls.clean, cls.fault, cls.check, suffix))
        return cls
    return deco


def rng(n):
    return np.random.default_rng(69200 + n)


def pyramid(g, im, n, chunks=None, fmt=2, near=False, names=None, **k):
    """Writes `n` levels, each half as large in y and x."""
    for i in range(n):
        c = chunks or ((1,) * (im.ndim - 2) + (64, 64))
        arr(g, str(i), im, tuple(min(a, b) for a, b in zip(c, im.shape)), fmt, names=names, **k)
        im = near2(im) if near else np.round(mean2(im.astype(float))).astype(im.dtype)


# ===================================================================== BYTES, KEYS, FILES
@case(1, "backslashes-in-the-names", "adamhathcock/sharpcompress#537",
      "the store came out of a zip that PowerShell's Compress-Archive made on Windows: its files lie flat in the root and are named with backslashes (t2m\\.zarray, t2m\\0.0.0), which are no separators here; so the root has no arrays (by the consolidated metadata all are NaN). Rename: each backslash is a folder.", "keys")
class c1:
    def clean(p):
        r = rng(1); nt, ny, nx = 12, 18, 24; la, lo = latlon(ny, nx, 57.)
        ds = xr.Dataset({"t2m": (D, temperature(nt, la, lo, r).astype("f4"), {"units": "K", "standard_name": "air_temperature", "long_name": "2 metre temperature"}), "sp": (D, (98000 + 1500 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "Pa", "standard_name": "surface_air_pressure", "long_name": "Surface pressure"})},
                        coords={"time": tvar("2020-05-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.7", "institution": "ECMWF"})
        save(ds, p, 2, {v: {"chunks": (6, 18, 24)} for v in ds.data_vars}, bits=6)

    def fault(p):
        for b, ds, fs in list(os.walk(p)):
            for k in fs:
                q = os.path.relpath(os.path.join(b, k), p)
                if "/" in q: os.rename(os.path.join(p, q), os.path.join(p, q.replace("/", "\\")))
        for k in os.listdir(p):
            if os.path.isdir(os.path.join(p, k)): shutil.rmtree(os.path.join(p, k))

    def check(c, f):
        assert quiet(c).t2m.notnull().all() and not list(zarr.open_group(f, mode="r", use_consolidated=False).members()) and xo(f, consolidated=True, decode_times=False).t2m.isnull().all() and os.path.exists(f + "/t2m\\.zarray")


@case(2, "shape-one-plane-short", "bioio-devs/bioio-ome-zarr#21",
      "the shape of both levels says 8 planes in z; there are chunks of 9 (0 to 8, 0/0/0/8/0/0 and so on): the last plane lies outside of the shape and is not read; the shape must be 9.", "keys")
class c2:
    def clean(p):
        r = rng(2); im = np.clip(400 + 160 * smooth((1, 2, 9, 64, 64), (0, 0, 1, 3, 3), r), 0, None).astype("u2") // 32 * 32; g = zarr.open_group(p, mode="w", zarr_format=2)
        pyramid(g, im, 2); g.attrs["multiscales"] = ngff_ms("tczyx", [(1., 1., .53, .1083 * 2 ** i, .1083 * 2 ** i) for i in range(2)], "20200323_09_small")

    def fault(p):
        for k in "01": q = p + "/%s/.zarray" % k; d = jr(q); d["shape"][2] = 8; jw(q, d)

    def check(c, f):
        ome_check(c); assert zarr.open_group(c, mode="r")["0"].shape[2] == 9 and zarr.open_group(f, mode="r")["1"].shape[2] == 8 and os.path.exists(f + "/0/0/1/8/0/0")


@case(3, "keys-of-v2-under-v3-documents", "zarr-developers/VirtualiZarr#248",
      "zarr.json of all arrays says chunk_key_encoding default with / (c/0/0/0), and the chunks are named as in V2 (0.0.0): none is found and everything reads as the fill value; the encoding must be v2 with the separator `.`.", "keys")
class c3:
    def clean(p):
        r = rng(3); nt, ny, nx = 8, 24, 36; la, lo = latlon(ny, nx, 57.5)
        ds = xr.Dataset({"sst": (D, np.maximum(27 - 27 * np.sin(np.deg2rad(la.values.astype(float)))[None, :, None] ** 2 + smooth((nt, ny, nx), (1, 2, 3), r), -1.8).astype("f4"), {"units": "degree_C", "standard_name": "sea_surface_temperature", "long_name": "Sea surface temperature"}),
                         "ice": (D, np.clip(.5 + .4 * smooth((nt, ny, nx), (1, 2, 3), r), 0, 1).astype("f4"), {"units": "1", "standard_name": "sea_ice_area_fraction", "long_name": "Sea ice concentration"})},
                        coords={"time": tvar("2021-02-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8"})
        save(ds, p, 3, {v: {"chunks": (4, 12, 18)} for v in ds.data_vars}, bits=6)
        for k in ds.variables:
            d = jr(p + "/%s/zarr.json" % k); d["chunk_key_encoding"] = {"name": "v2", "configuration": {"separator": "."}}; jw(p + "/%s/zarr.json" % k, d); b = p + "/%s/c" % k
            for q in chunkfiles(b): os.rename(q, p + "/%s/" % k + os.path.relpath(q, b).replace("/", "."))
            shutil.rmtree(b)

    def fault(p):
        for k in os.listdir(p):
            if k != "zarr.json": q = p + "/%s/zarr.json" % k; d = jr(q); d["chunk_key_encoding"] = {"name": "default", "configuration": {"separator": "/"}}; jw(q, d)

    def check(c, f):
        assert quiet(c, consolidated=False).sst.std() > 1; F = xo(f, consolidated=False, decode_times=False); assert not (F.sst.fillna(0) != 0).any() and not F.latitude.fillna(0).any() and os.path.exists(f + "/sst/1.0.1")


@case(4, "conflicted-copies", "ropensci/drake#198",
      "the store lies in a Dropbox that two people wrote to: beside five chunks of chl (0.1.0, 1.0.0, 1.1.1, 2.0.1, 2.1.0), chl/.zattrs and .zmetadata are files named `... (Sandy Sum's conflicted copy 2018-01-31)`, with other content; none of them is a key of Zarr, and which of the two is right is open. Choose, and delete the other.", "keys")
class c4:
    K = ["0.1.0", "1.0.0", "1.1.1", "2.0.1", "2.1.0"]; S = " (Sandy Sum's conflicted copy 2018-01-31)"

    def clean(p):
        r = rng(4); nt, ny, nx = 9, 20, 24; la, lo = latlon(ny, nx, 57., .1); lo = lo.copy(data=(-125 + .1 * np.arange(nx)).astype("f4"))
        ds = xr.Dataset({"chl": (D, np.exp(-.4 + .6 * smooth((nt, ny, nx), (1, 2, 2), r)).astype("f4"), {"units": "mg m-3", "standard_name": "mass_concentration_of_chlorophyll_a_in_sea_water", "long_name": "Chlorophyll-a"})},
                        coords={"time": tvar("2018-01-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.6", "title": "Kelp forest survey grid"})
        save(ds, p, 2, {"chl": {"chunks": (3, 10, 12)}}, bits=6)

    def fault(p):
        t = p + ".t"; shutil.copytree(p, t); a = zarr.open_group(t, mode="r+", use_consolidated=False)["chl"]; a[:] = thin((a[:] * np.float32(1.25)), 6); a.attrs["long_name"] = "Chlorophyll-a, recalibrated"; recon(t)
        for k in ["chl/" + k for k in c4.K] + ["chl/.zattrs", ".zmetadata"]: shutil.copy(t + "/" + k, p + "/" + k + c4.S)
        shutil.rmtree(t)

    def check(c, f):
        quiet(c); assert xo(f).equals(xo(c)) and os.path.getsize(f + "/chl/1.0.0" + c4.S) and open(f + "/chl/1.0.0", "rb").read() != open(f + "/chl/1.0.0" + c4.S, "rb").read()
        with warnings.catch_warnings(record=True) as w: warnings.simplefilter("always"); list(zarr.open_group(f, mode="r", use_consolidated=False).members())
        assert any("conflicted" in str(x.message) for x in w)


@case(5, "acquisition-that-was-stopped", "mehta-lab/waveorder#25",
      "both levels have 20 time points, as was planned; the acquisition was stopped in the 14th: no chunk is there of the time points 14 to 19, nor of channel 1 at 13, which read as 0. The shape must be cut to what was written (13 whole time points).", "absence")
class c5:
    @staticmethod
    def frames():
        r = rng(5); return np.clip(520 + 90 * smooth((14, 2, 64, 64), (1, 0, 3, 3), r), 64, None).astype("u2") // 16 * 16

    def clean(p):
        im = c5.frames()[:13]; g = zarr.open_group(p, mode="w", zarr_format=3); N = list("tcyx"); pyramid(g, im, 2, fmt=3, names=N)
        ms = ngff_ms("tcyx", [(1., 1., .325 * 2 ** i, .325 * 2 ** i) for i in range(2)], "Pos0", "0.5"); W = {"min": 0, "max": 65535, "start": 50, "end": 800}
        g.attrs["ome"] = {"version": "0.5", "multiscales": ms, "omero": {"channels": [{"label": k, "color": c, "active": True, "window": W} for k, c in (("BF", "FFFFFF"), ("GFP", "00FF00"))]}}

    def fault(p):
        g = zarr.open_group(p, mode="r+"); im = c5.frames()[13, 0]
        for k in "01": a = g[k]; a.resize((20,) + a.shape[1:]); a[13, 0] = im; im = np.round(mean2(im.astype(float))).astype("u2")

    def check(c, f):
        ome_check(c); a, b = (zarr.open_group(q, mode="r")["0"][:] for q in (c, f)); assert a.shape[0] == 13 and a.min() > 0 and b.shape[0] == 20 and not b[14:].any() and not b[13, 1].any() and b[13, 0].any() and not os.path.exists(f + "/0/c/14")


@case(6, "checksums-that-nothing-mentions", "fsspec/kerchunk#274",
      ".zarray of pr and tas says zlib and no filters; each chunk decodes to 4 bytes more than the chunk shape needs, the Fletcher32 checksum that HDF5 put at its end before it compressed: the filter fletcher32 was left out of the documents.", "codec")
class c6:
    def clean(p):
        r = rng(6); nt, ny, nx = 12, 16, 24; la, lo = globe(ny, nx); g = zarr.open_group(p, mode="w", zarr_format=2); g.attrs.update({"Conventions": "CF-1.7 CMIP-6.2", "source_id": "GFDL-CM4", "frequency": "mon", "table_id": "Amon"})
        ta = 299 - 38 * np.sin(np.deg2rad(la))[None, :, None] ** 2 + 2 * smooth((nt, ny, nx), (1, 2, 2), r); pr = np.maximum(0, 3e-5 + 2.5e-5 * smooth((nt, ny, nx), (1, 2, 2), r))
        for k, v, u, s in (("tas", ta, "K", "air_temperature"), ("pr", pr, "kg m-2 s-1", "precipitation_flux")):
            arr(g, k, thin(v.astype("f4"), 6), (4, ny, nx), sep=".", fill=np.float32(1e20), filters=[numcodecs.Fletcher32()], compressors=numcodecs.Zlib(level=4), attrs={"_ARRAY_DIMENSIONS": list(E), "units": u, "standard_name": s, "cell_methods": "area: time: mean"})
        arr(g, "time", 15.5 + 30.4 * np.arange(nt), (nt,), sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": ["time"], "units": "days since 2010-01-01", "calendar": "standard", "standard_name": "time", "axis": "T"})
        for k, v, u, s in (("lat", la, "degrees_north", "latitude"), ("lon", lo, "degrees_east", "longitude")): arr(g, k, v, v.shape, sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": [k], "units": u, "standard_name": s})
        recon(p)

    def fault(p):
        for k in ("pr", "tas"): q = p + "/%s/.zarray" % k; d = jr(q); d["filters"] = None; jw(q, d)
        recon(p)

    def check(c, f):
        assert quiet(c).tas.notnull().all() and fails(lambda: xo(f)) and len(zlib.decompress(open(f + "/tas/0.0.0", "rb").read())) == 4 * 16 * 24 * 4 + 4


@case(7, "coordinates-without-their-codec", "zarr-developers/VirtualiZarr#770",
      "latitude, longitude and time have the compressor null, and their chunks are Blosc (02 01 ...), as those of the data: what compressed them was dropped from the documents as the references were written; the bytes are too few and are no numbers. Put the compressor back.", "codec")
class c7:
    def clean(p):
        r = rng(7); nt, ny, nx = 48, 30, 44; la, lo = latlon(ny, nx, 58., .25); lo = lo.copy(data=(5 + .25 * np.arange(nx)).astype("f4"))
        ds = xr.Dataset({"T_2M": (D, (283 + 4 * smooth((nt, ny, nx), (3, 3, 3), r)).astype("f4"), {"units": "K", "standard_name": "air_temperature", "long_name": "2m temperature"})},
                        coords={"time": tvar("2024-06-01", nt, "h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "institution": "MeteoSwiss", "source": "KENDA-CH1 analysis"})
        save(ds, p, 2, {"T_2M": {"chunks": (24, 30, 44)}}, bits=3)

    def fault(p):
        for k in ("latitude", "longitude", "time"): q = p + "/%s/.zarray" % k; d = jr(q); d["compressor"] = None; jw(q, d)
        recon(p)

    def check(c, f):
        assert quiet(c).time.size == 48 and fails(lambda: xo(f)) and all(open(f + "/%s/0" % k, "rb").read(2) == b"\2\1" for k in ("latitude", "longitude", "time"))


@case(8, "level-without-zarray", "ScrollPrize/villa#1759",
      "the folder 2 has chunks (2/0/0/0 ...) and no .zarray: it is no array, and the level 2 that multiscales lists is not found; levels 0, 1 and 3 are whole. Copy 2/.zarray again, or write it after its neighbours (shape 8 x 16 x 16).", "documents")
class c8:
    def clean(p):
        r = rng(8); a = np.clip(120 + 30 * smooth((32, 64, 64), 3, r), 1, 255).round().astype("u1") // 8 * 8; g = zarr.open_group(p, mode="w", zarr_format=2)
        for i in range(4): arr(g, str(i), a, tuple(min(16, n) for n in a.shape)); a = a.reshape(a.shape[0] // 2, 2, a.shape[1] // 2, 2, a.shape[2] // 2, 2).mean((1, 3, 5)).round().astype("u1")
        g.attrs["multiscales"] = ngff_ms("zyx", [(2.4 * 2 ** i,) * 3 for i in range(4)], "090")

    def fault(p):
        os.remove(p + "/2/.zarray")

    def check(c, f):
        ome_check(c); assert fails(lambda: zarr.open_group(f, mode="r")["2"][:]) and zarr.open_group(f, mode="r")["3"][:].any() and os.path.exists(f + "/2/0/0/0")


@case(9, "edge-chunks-never-written", "Huber-group-EMBL/Rarr#16",
      "in counts, area and total_counts the last chunks of each dimension are missing (counts/2.0, 2.1, 2.2, 0.2, 1.2; area/2; total_counts/2): the lengths are no multiples of the chunks, and the writer took the whole chunks only, so that the last 30 rows and 15 columns read as 0. Write the edges.", "absence")
class c9:
    def clean(p):
        r = rng(9); g = zarr.open_group(p, mode="w", zarr_format=2); K = 1 + r.poisson(np.exp(r.normal(.2, .7, (130, 1))) * r.gamma(8, .2, (1, 95))); g.attrs.update({"description": "transcripts x cells, exported from R", "n_cells": 95})
        arr(g, "counts", K.astype("i4"), (50, 40), sep=".", attrs={"description": "transcript counts"}); arr(g, "area", r.uniform(40, 180, 95).round(1), (40,), sep=".", fill=0., attrs={"unit": "micrometer^2"}); arr(g, "total_counts", K.sum(0).astype("i4"), (40,), sep=".")

    def fault(p):
        for k in ("counts", "area", "total_counts"):
            for q in chunkfiles(p + "/" + k):
                if "2" in os.path.basename(q).split("."): os.remove(q)

    def check(c, f):
        C, F = allread(c), allread(f); assert all(v.all() for v in C.values()) and not F["counts"][100:].any() and not F["counts"][:, 80:].any() and F["counts"][:100, :80].all() and not F["area"][80:].any() and len(chunkfiles(f + "/counts")) == 4


# ===================================================================== DOCUMENTS
@case(10, "rest-of-an-older-document", "acquire-project/acquire-zarr#139",
      "zarr.json of the root was written over a longer one without cutting the file: after the document's end comes the tail of the older (Extra data); nothing of the store opens. Cut the file after the closing brace.", "json")
class c10:
    def clean(p):
        r = rng(10); im = np.clip(300 + 90 * smooth((6, 64, 64), (1, 3, 3), r), 0, None).astype("u2") // 16 * 16; g = zarr.open_group(p, mode="w", zarr_format=3); pyramid(g, im, 2, fmt=3, names=list("tyx"))
        g.attrs["ome"] = {"version": "0.5", "multiscales": ngff_ms("tyx", [(1., .1625 * 2 ** i, .1625 * 2 ** i) for i in range(2)], "acquire", "0.5")}

    def fault(p):
        q = p + "/zarr.json"; new = open(q, "rb").read(); d = jr(q); d["attributes"]["acquire"] = {"camera": "Hamamatsu C15440-20UP", "exposure_time_us": 20000, "frames": 6}; old = json.dumps(d, indent=2).encode(); assert len(old) > len(new) + 40; open(q, "wb").write(new + old[len(new):])

    def check(c, f):
        ome_check(c); e = fails(lambda: json.load(open(f + "/zarr.json"))); assert "Extra data" in e and fails(lambda: zarr.open_group(f, mode="r"))


@case(11, "nan-that-became-the-smallest-integer", "Unidata/netcdf4-python#1103",
      "snd is int32 with the fill value -2147483647 (netCDF's default), and what is missing holds -2147483648, which NaN becomes when it is cast: one less, so that nothing is masked and the snow is -2147483648 mm deep there. Both must be the same.", "documents")
class c11:
    def clean(p):
        r = rng(11); nt, ny, nx = 8, 24, 30; la, lo = latlon(ny, nx, 57., .1); lo = lo.copy(data=(5 + .1 * np.arange(nx)).astype("f4")); out = smooth((ny, nx), 4, r) > .7
        v = np.where(out, np.nan, np.clip(400 + 300 * smooth((nt, ny, nx), (2, 3, 3), r), 0, None).round(-1)); A = {"standard_name": "surface_snow_thickness", "units": "mm", "long_name": "snow depth"}
        ds = xr.Dataset({"snd": (D, v, A), "tas": (D, np.where(out, np.nan, -6 + 4 * smooth((nt, ny, nx), (2, 3, 3), r)).astype("f4"), {"standard_name": "air_temperature", "units": "degC", "long_name": "air temperature"})}, coords={"time": tvar("2021-01-05", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "title": "snow model, daily"})
        save(ds, p, 2, {"snd": {"dtype": "int32", "_FillValue": -2147483647, "chunks": (4, 24, 30)}, "tas": {"chunks": (4, 24, 30)}}, bits=5)

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["snd"]; v = a[:]; v[v == -2147483647] = -2147483648; a[:] = v

    def check(c, f):
        C, F = quiet(c), xo(f); assert C.snd.min() >= 0 and np.array_equal(C.snd.isnull(), C.tas.isnull()) and F.snd.notnull().all() and float(F.snd.min()) == -2147483648


@case(12, "fill-value-attribute-as-a-number", "pydata/xarray#11332",
      "the attribute _FillValue of tg and rr is the plain number -9999.0, where xarray, for whose V3 stores the attribute is made, writes and expects base64 (AAAAAA... of the float32): xarray cannot open the store (TypeError: expected str or bytes).", "documents")
class c12:
    def clean(p):
        r = rng(12); nt, ny, nx = 8, 24, 30; la, lo = latlon(ny, nx, 57., .1); lo = lo.copy(data=(5 + .1 * np.arange(nx)).astype("f4")); out = smooth((ny, nx), 4, r) > .7
        ds = xr.Dataset({k: (D, np.where(out, np.nan, v).astype("f4"), {"units": u, "standard_name": s, "long_name": l}) for k, v, u, s, l in (("tg", 8 + 4 * smooth((nt, ny, nx), (1, 3, 3), r), "degC", "air_temperature", "mean temperature"), ("rr", np.maximum(0, 4 * smooth((nt, ny, nx), (0, 2, 2), r)), "mm", "thickness_of_rainfall_amount", "rainfall"))},
                        coords={"time": tvar("2023-04-01", nt, "D"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "title": "seNorge"})
        save(ds, p, 3, {v: {"chunks": (4, 24, 30), "_FillValue": np.float32(-9999)} for v in ds.data_vars}, bits=6)

    def fault(p):
        for k in ("tg", "rr"): attrs3(p + "/" + k, _FillValue=-9999.0)

    def check(c, f):
        assert quiet(c, consolidated=False).tg.isnull().any() and isinstance(jr(c + "/tg/zarr.json")["attributes"]["_FillValue"], str) and "fill" in fails(lambda: v3(f)).lower()


@case(13, "fill-value-outside-the-type", "zarr-developers/zarr-python#1981",
      "fill_value of tree_cover_density is -999999999, which does not fit into |u1 (0 to 255): readers fail (out of bounds for uint8) or take another number for it; the data mark what is outside by 255, which the fill value should be.", "documents")
class c13:
    def clean(p):
        r = rng(13); n = 64; x = 4321000 + 100. * (np.arange(n) + .5); y = 3210000 - 100. * (np.arange(n) + .5); v = np.clip(45 + 35 * smooth((n, n), 3, r), 0, 100).round(-1).astype("u1"); v[smooth((n, n), 6, r) > 1.1] = 255; g = zarr.open_group(p, mode="w", zarr_format=2); g.attrs.update({"title": "Tree Cover Density 2018", "crs": "EPSG:3035"})
        arr(g, "tree_cover_density", v, (32, 32), sep=".", fill=255, attrs={"_ARRAY_DIMENSIONS": ["y", "x"], "units": "%", "long_name": "Tree cover density"})
        for k, q, s in (("y", y, "projection_y_coordinate"), ("x", x, "projection_x_coordinate")): arr(g, k, q, (n,), sep=".", fill=None, attrs={"_ARRAY_DIMENSIONS": [k], "units": "m", "standard_name": s})
        recon(p)

    def fault(p):
        q = p + "/tree_cover_density/.zarray"; d = jr(q); d["fill_value"] = -999999999; jw(q, d); q = p + "/.zmetadata"; d = jr(q); d["metadata"]["tree_cover_density/.zarray"]["fill_value"] = -999999999; jw(q, d)

    def check(c, f):
        assert quiet(c).tree_cover_density.max() <= 100 and fails(lambda: xo(f)) and fails(lambda: zarr.open_array(f + "/tree_cover_density", mode="r"))


@case(14, "metadata-of-0.4-in-v3", "acquire-project/acquire-zarr#68",
      "the arrays are Zarr V3, for which OME-Zarr is 0.5 and wants its metadata under `ome`; multiscales and omero are at the top of the attributes and say version 0.4, which is of V2: viewers find no image. Move both under ome, with version 0.5 there.", "documents")
class c14:
    def clean(p):
        r = rng(14); lab, _ = disks(96, 96, 14, r); im = cellimage(lab, r)[None] // 32 * 32; g = zarr.open_group(p, mode="w", zarr_format=3); pyramid(g, im, 2, fmt=3, names=list("cyx"))
        g.attrs["ome"] = {"version": "0.5", "multiscales": ngff_ms("cyx", [(1., .65 * 2 ** i, .65 * 2 ** i) for i in range(2)], "stream", "0.5"), "omero": {"channels": [{"label": "DAPI", "color": "0000FF", "active": True, "window": {"min": 0, "max": 65535, "start": 100, "end": 1200}}]}}

    def fault(p):
        q = p + "/zarr.json"; d = jr(q); o = d["attributes"].pop("ome"); o["multiscales"][0]["version"] = "0.4"; d["attributes"].update({"multiscales": o["multiscales"], "omero": o["omero"]}); jw(q, d)

    def check(c, f):
        ome_check(c); a = jr(f + "/zarr.json"); assert a["zarr_format"] == 3 and "ome" not in a["attributes"] and a["attributes"]["multiscales"][0]["version"] == "0.4"


@case(15, "months-since", "pydata/xarray#5939",
      "time is counted in `months since 1850-01-01` with the standard calendar: a month has no fixed length (UDUNITS takes 30.44 days), CF advises against it, and xarray refuses the store (unable to decode time units). Count in days.", "documents")
class c15:
    def clean(p):
        r = rng(15); nt, ny, nx = 36, 12, 18; la, lo = globe(ny, nx); vla, vlo = yx(la, lo); t = pd.date_range("1979-01-01", periods=nt, freq="MS")
        ta = 299 - 38 * np.sin(np.deg2rad(la))[None, :, None] ** 2 + 2 * smooth((nt, ny, nx), (1, 2, 2), r)
        ds = xr.Dataset({"tas": (E, ta.astype("f4"), {"units": "K", "standard_name": "air_temperature", "long_name": "Near-Surface Air Temperature", "cell_methods": "time: mean"})}, coords={"time": ("time", t, {"standard_name": "time", "axis": "T"}), "lat": vla, "lon": vlo}, attrs={"Conventions": "CF-1.6", "frequency": "mon"})
        save(ds, p, 2, {"tas": {"chunks": (12, 12, 18)}}, bits=5, tenc={"units": "days since 1850-01-01", "calendar": "standard", "dtype": "int64"})

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["time"]; a[:] = 129 * 12 + np.arange(36); attrs2(p + "/time", units="months since 1850-01-01"); recon(p)

    def check(c, f):
        assert str(quiet(c).time.values[0])[:10] == "1979-01-01" and "months since" in fails(lambda: xo(f)) and zarr.open_group(f, mode="r")["time"][0] == 1548


@case(16, "seconds-since-nothing", "PecanProject/pecan#1347",
      "the units of time are `sec`: a time coordinate (standard_name time, calendar) must say since when (seconds since 2004-01-01 00:00:00), as CF requires; so the dates are unknown, and readers take it for plain numbers or a duration.", "documents")
class c16:
    def clean(p):
        r = rng(16); nt = 240; h = 3 * np.arange(1, nt + 1); S = smooth((3, nt), (0, 3), r); F = ("time", "latitude", "longitude"); d = np.sin(2 * np.pi * (h - 9) / 24)
        V = (("air_temperature", 283 + 4 * d + 2 * S[0], "K"), ("air_pressure", 97000 + 500 * S[1], "Pa"), ("wind_speed", np.abs(4 + 2 * S[2]), "m s-1"))
        ds = xr.Dataset({k: (F, v.astype("f4")[:, None, None], {"units": u, "standard_name": k, "long_name": k.replace("_", " ")}) for k, v, u in V},
                        coords={"time": ("time", pd.Timestamp("2004-01-01") + pd.to_timedelta(h, "h"), {"standard_name": "time", "long_name": "time", "axis": "T"}), "latitude": ("latitude", [45.25], {"units": "degrees_north", "standard_name": "latitude"}), "longitude": ("longitude", [-84.75], {"units": "degrees_east", "standard_name": "longitude"})}, attrs={"Conventions": "CF-1.6", "title": "CRUNCEP met for one site"})
        save(ds, p, 3, {k: {"chunks": (240, 1, 1)} for k in ds.data_vars}, bits=7, tenc={"units": "seconds since 2004-01-01 00:00:00", "calendar": "standard", "dtype": "float64"})

    def fault(p):
        attrs3(p + "/time", units="sec")

    def check(c, f):
        assert quiet(c, consolidated=False).time.dtype.kind == "M" and v3(f).time.dtype.kind != "M" and v3(f).time[0] in (10800., np.timedelta64(3, "h"))


@case(17, "three-chunk-lengths-for-four-dimensions", "ome/ome-ngff-validator#51",
      "labels/nuclei/0/.zarray has a shape of 4 dimensions (1 x 4 x 64 x 64) and chunks of 3 (1 x 64 x 64): both lists must have the same length; the keys (0/0/0/0) have four parts, so the chunks are [1, 1, 64, 64].", "documents")
class c17:
    def clean(p):
        r = rng(17); lab, _ = disks(64, 64, 9, r); g = zarr.open_group(p, mode="w", zarr_format=2); im = np.stack([cellimage(lab, r) // 64 * 64] * 4)[None]; z = [(1., 1., .1625 * 2 ** i, .1625 * 2 ** i) for i in range(2)]; L = g.create_group("labels"); L.attrs["labels"] = ["nuclei"]; h = L.create_group("nuclei")
        pyramid(g, im, 2); pyramid(h, np.stack([lab.astype("u4")] * 4)[None], 2, near=True); g.attrs["multiscales"] = ngff_ms("czyx", z, "CardiomyocyteDifferentiation14"); h.attrs.update({"multiscales": ngff_ms("czyx", z, "nuclei"), "image-label": {"version": "0.4", "source": {"image": "../../"}}})

    def fault(p):
        q = p + "/labels/nuclei/0/.zarray"; d = jr(q); d["chunks"] = [1, 64, 64]; jw(q, d)

    def check(c, f):
        ome_check(c); allread(c); assert fails(lambda: zarr.open_array(f + "/labels/nuclei/0", mode="r")[:]) and os.path.exists(f + "/labels/nuclei/0/0/3/0/0")


@case(18, "flag-values-are-text", "cedadev/cf-checker#38",
      "flag_values of basin is the string \"0 1 2 3 4 5 6 7 8 9 10\"; it must be a list of numbers, of the type of the array (int16), as long as flag_meanings (11 words): readers cannot tell what 2 means.", "documents")
class c18:
    M = "global_land southern_ocean atlantic_ocean pacific_ocean arctic_ocean indian_ocean mediterranean_sea black_sea hudson_bay baltic_sea red_sea"

    def clean(p):
        r = rng(18); ny, nx = 36, 72; la, lo = globe(ny, nx); vla, vlo = yx(la, lo); X, Y = np.meshgrid(lo, la)
        b = np.where(Y < -50, 1, np.where(Y > 67, 4, np.where((X > 290) | (X < 20), 2, np.where((X < 120) & (Y < 25), 5, 3)))); b[(Y > 30) & (Y < 42) & (X < 35)] = 6; b[(Y > 42) & (Y < 46) & (X > 28) & (X < 41)] = 7; b[(Y > 52) & (Y < 62) & (X > 268) & (X < 282)] = 8; b[(Y > 55) & (Y < 65) & (X > 15) & (X < 28)] = 9; b[(Y > 15) & (Y < 27) & (X > 34) & (X < 42)] = 10
        b[smooth((ny, nx), 3, r, "wrap") > .9] = 0
        ds = xr.Dataset({"basin": (("lat", "lon"), b.astype("i2"), {"standard_name": "region", "units": "1", "long_name": "Region Selection Index", "flag_meanings": c18.M, "flag_values": list(range(11))})}, coords={"lat": vla, "lon": vlo}, attrs={"Conventions": "CF-1.7 CMIP-6.2", "source_id": "CNRM-CM6-1", "frequency": "fx", "variable_id": "basin"})
        save(ds, p, 3, {"basin": {"chunks": (36, 72)}})

    def fault(p):
        attrs3(p + "/basin", flag_values="0 1 2 3 4 5 6 7 8 9 10")

    def check(c, f):
        import cf_xarray
        n = lambda d: int((d.basin.cf == "pacific_ocean").sum()); assert n(quiet(c, consolidated=False)) > 200 and fails(lambda: n(v3(f)))


@case(19, "no-codecs-at-all", "fideus-labs/ngff-zarr#335",
      "codecs is an empty list in zarr.json of the levels 0 and 1: V3 wants exactly one codec that makes bytes of an array (bytes, with endian for uint16); readers refuse the arrays. The chunks are plain little-endian numbers: add {name: bytes, configuration: {endian: little}}.", "documents")
class c19:
    def clean(p):
        r = rng(19); im = np.clip(500 + 150 * smooth((64, 64), 4, r), 0, None).astype("u2") // 32 * 32; g = zarr.open_group(p, mode="w", zarr_format=3); pyramid(g, im, 2, chunks=(32, 32), fmt=3, names=list("yx"), compressors=None)
        g.attrs["ome"] = {"version": "0.5", "multiscales": ngff_ms("yx", [(.5 * 2 ** i,) * 2 for i in range(2)], "converted", "0.5")}

    def fault(p):
        for k in "01": q = p + "/%s/zarr.json" % k; d = jr(q); assert [x["name"] for x in d["codecs"]] == ["bytes"]; d["codecs"] = []; jw(q, d)

    def check(c, f):
        ome_check(c); assert fails(lambda: zarr.open_array(f + "/0", mode="r")[:]) and os.path.getsize(f + "/0/c/0/0") == 2048


# ===================================================================== RELATIONS
@case(20, "longitudes-turned-and-not-sorted", "mpiannucci/gribberish#156",
      "longitude was turned into -180...180 and not sorted (nor the data rolled): it rises to 177.5 and then goes on from -180 to -2.5, so it is not monotonic; a slice such as -10 to 30 finds nothing or fails. Sort by longitude (roll by half).", "relation")
class c20:
    def clean(p):
        r = rng(20); nt, ny, nx = 4, 24, 144; la, lo = latlon(ny, nx, 57.5)
        ds = xr.Dataset({"prmsl": (D, (101300 + 900 * smooth((nt, ny, nx), (1, 2, 5), r, "wrap")).astype("f4"), {"units": "Pa", "standard_name": "air_pressure_at_mean_sea_level", "long_name": "Pressure reduced to MSL"}), "t2m": (D, temperature(nt, la, lo, r).astype("f4"), {"units": "K", "standard_name": "air_temperature", "long_name": "2 metre temperature"})},
                        coords={"time": tvar("2026-06-01", nt, "6h"), "latitude": la, "longitude": lo}, attrs={"Conventions": "CF-1.8", "source": "GFS"})
        save(ds, p, 2, {v: {"chunks": (4, 24, 72)} for v in ds.data_vars}, bits=5)

    def fault(p):
        a = zarr.open_group(p, mode="r+", use_consolidated=False)["longitude"]; a[:] = (a[:] + 180) % 360 - 180

    def check(c, f):
        assert quiet(c).sel(longitude=slice(10, 30)).longitude.size == 9; F = xo(f); assert not F.indexes["longitude"].is_monotonic_increasing and (fails(lambda: F.sel(longitude=slice(-10, 30))) or F.sel(longitude=slice(-10, 30)).longitude.size == 0)


@case(21, "midnights-that-are-missing", "EC-Earth/ece2cmor3#653",
      "the frequency is 6hr; of the first 12 days the time steps of 00 UTC are missing from time (and from ta and ua): after 18 UTC comes 06 UTC, 12 hours later. From day 13 on the steps are 6 hours throughout. 12 steps of the source were lost and must be added.", "relation")
class c21:
    def clean(p):
        r = rng(21); t = pd.date_range("1870-01-01 06:00", periods=96, freq="6h"); nt, ny, nx = len(t), 10, 16; la, lo = globe(ny, nx); vla, vlo = yx(la, lo)
        ds = xr.Dataset({"ta": (E, (285 - 30 * np.sin(np.deg2rad(la))[None, :, None] ** 2 + 2 * smooth((nt, ny, nx), (3, 1, 2), r)).astype("f4"), {"units": "K", "standard_name": "air_temperature", "long_name": "Air Temperature", "cell_methods": "time: point"}), "ua": (E, (4 + 6 * smooth((nt, ny, nx), (3, 1, 2), r)).astype("f4"), {"units": "m s-1", "standard_name": "eastward_wind", "long_name": "Eastward Wind", "cell_methods": "time: point"})},
                        coords={"time": ("time", t, {"standard_name": "time", "axis": "T"}), "lat": vla, "lon": vlo}, attrs={"Conventions": "CF-1.7 CMIP-6.2", "source_id": "EC-Earth3", "table_id": "6hrLev", "frequency": "6hr"})
        c21.put(ds, p)

    @staticmethod
    def put(ds, p):
        for v in ds.variables: ds[v].encoding = {}
        save(ds, p, 3, {v: {"chunks": (24, 10, 16)} for v in ds.data_vars}, bits=5, tenc={"units": "days since 1850-01-01", "calendar": "proleptic_gregorian", "dtype": "float64"})

    def fault(p):
        ds = v3(p); t = ds.time.dt; i = ~((t.hour == 0) & (ds.time < np.datetime64("1870-01-13T12"))).values; ds = ds.isel(time=i); shutil.rmtree(p); c21.put(ds, p)

    def check(c, f):
        n = lambda d: int((np.diff(d.time) == np.timedelta64(12, "h")).sum()); C, F = quiet(c, consolidated=False), v3(f); assert n(C) == 0 and n(F) == 12 and C.sizes["time"] - F.sizes["time"] == 12 and F.frequency == "6hr" and (np.diff(C.time) == np.timedelta64(6, "h")).all()


@case(22, "scenes-in-the-order-of-their-names", "DLR-MF-DAS/SSL4EO-S12-v1.1#4",
      "time is in the order of the seasons, and file_id (and the planes of bands, which belong to it) in that of the names, where S1A comes before S1B: in four of the six samples the date in file_id is not that of time at the same place (the first has 20201116 where time says 2020-05-28). Sort file_id and bands by date.", "relation")
class c22:
    @staticmethod
    def put(p, by_name):
        r = rng(22); n, nt = 6, 4; S = ["BABA", "AABA", "AABB", "BAAB", "ABAB", "BBBB"]; t = np.array([[np.datetime64("2020-03-03T17:40:00") + np.timedelta64(86 * k + 5 * i, "D") + np.timedelta64(int(r.integers(0, 3600)), "s") for k in range(nt)] for i in range(n)]).astype("M8[ns]")
        f = lambda x, d=0: str(np.datetime64(x, "s") + d).replace("-", "").replace(":", "")
        ids = np.array([["S1%s_IW_GRDH_1SDV_%s_%s_%06d_%06X" % (S[i][k], f(t[i, k]), f(t[i, k], 25), 32506 + 1200 * k + i, 0x3C3BC + 0x1C00 * k + 37 * i) for k in range(nt)] for i in range(n)])
        b = (-1400 + 300 * smooth((n, nt, 2, 24, 24), (0, 0, 0, 3, 3), r) + np.array([0, -500])[None, None, :, None, None] + np.array([0, 150, 40, -160])[None, :, None, None, None]).round(-1).astype("i2")
        if by_name:
            for i in range(n): o = np.argsort(ids[i]); ids[i] = ids[i][o]; b[i] = b[i][o]
        ds = xr.Dataset({"bands": (("sample", "time_step", "band", "y", "x"), b, {"long_name": "backscatter, VV and VH", "units": "0.01 dB"}), "time": (("sample", "time_step"), t, {"long_name": "acquisition time"}), "file_id": (("sample", "time_step"), ids.astype(object), {"long_name": "source product"})}, coords={"sample": ("sample", ["%07d" % (240000 + 31 * i) for i in range(n)])}, attrs={"title": "SSL4EO-S12 like, s1grd"})
        ds["sample"] = ds["sample"].astype(object)
        ds.to_zarr(p, zarr_format=2, mode="w", consolidated=True, encoding={"bands": {"chunks": (1, 4, 2, 24, 24)}, "time": {"units": "seconds since 1970-01-01", "calendar": "proleptic_gregorian", "dtype": "int64"}})

    def clean(p):
        c22.put(p, False)

    def fault(p):
        shutil.rmtree(p); c22.put(p, True)

    def check(c, f):
        bad = lambda d: sum(any(i.split("_")[4][:8] != str(t)[:10].replace("-", "") for i, t in zip(a, b)) for a, b in zip(d.file_id.values, d.time.values)); C, F = quiet(c), xo(f); assert bad(C) == 0 and bad(F) == 4 and C.time.equals(F.time) and (np.diff(F.time, axis=1) > np.timedelta64(0)).all()


@case(23, "ids-past-255-in-eight-bits", "MouseLand/cellpose#283",
      "labels/cells has 300 cells by its properties (label-value 1 to 300) and was saved as uint8: the ids from 256 on wrapped (256 became 0, background, 257 became 1 ...), so that 256 to 300 do not occur, cell 256 is gone and 1 to 44 are two cells each, far apart, with areas that are too large. Write the labels as uint16.", "relation")
class c23:
    @staticmethod
    def put(p, t):
        r = rng(23); lab = np.zeros((256, 320), "i4"); yy, xx = np.mgrid[:256, :320]; k = 0
        for j in range(15):
            for i in range(20):
                k += 1; y, x = 8.5 + 17 * j + r.uniform(-2, 2), 8 + 16 * i + r.uniform(-2, 2); lab[(yy - y) ** 2 + ((xx - x) * r.uniform(.9, 1.1)) ** 2 < r.uniform(3.2, 5.6) ** 2] = k
        ar = np.bincount(lab.ravel(), minlength=301); assert k == 300 and ar.min() > 10; g = zarr.open_group(p, mode="w", zarr_format=2); im = cellimage(lab, r, sd=2) // 64 * 64; z = [(.5 * 2 ** i,) * 2 for i in range(2)]
        L = g.create_group("labels"); L.attrs["labels"] = ["cells"]; h = L.create_group("cells"); pyramid(g, im, 2, (128, 160)); pyramid(h, lab.astype(t), 2, (128, 160), near=True)
        g.attrs["multiscales"] = ngff_ms("yx", z, "tile_fused"); h.attrs.update({"multiscales": ngff_ms("yx", z, "cells"), "image-label": {"version": "0.4", "source": {"image": "../../"}, "properties": [{"label-value": i, "area (pixels)": int(ar[i])} for i in range(1, 301)]}})

    def clean(p):
        c23.put(p, "u2")

    def fault(p):
        shutil.rmtree(p); c23.put(p, "u1")

    def check(c, f):
        ome_check(c); a, b = (zarr.open_group(q, mode="r")["labels/cells/0"][:] for q in (c, f)); assert a.max() == 300 and b.max() == 255 and len(np.unique(b)) == 256 and np.array_equal(a.astype("u1"), b) and (b == 1).sum() == (a == 1).sum() + (a == 257).sum()


@case(24, "zeros-on-land", "xgcm/xgcm#298",
      "tos and sos hold 0.0 on land, where zos has its fill value and sftof says 0 % sea: salinity 0 and temperature 0 there are no data; they must be the fill value 1e20, or all means are wrong.", "relation")
class c24:
    def clean(p):
        r = rng(24); nt, ny, nx = 6, 30, 60; la, lo = globe(ny, nx); vla, vlo = yx(la, lo); land = smooth((ny, nx), (3, 4), r, "wrap") > .6; m = lambda v: np.where(land, np.nan, v).astype("f4")
        to = np.maximum(28.5 - 30 * np.sin(np.deg2rad(la))[None, :, None] ** 2 + .7 * smooth((nt, ny, nx), (1, 2, 3), r), -1.8); so = 34.8 + .6 * smooth((nt, ny, nx), (1, 3, 4), r); zo = .3 * smooth((nt, ny, nx), (1, 3, 4), r)
        ds = xr.Dataset({k: (E, m(v), {"units": u, "standard_name": s, "long_name": l, "cell_methods": "area: mean where sea time: mean"}) for k, v, u, s, l in (("tos", to, "degC", "sea_surface_temperature", "Sea Surface Temperature"), ("sos", so, "0.001", "sea_surface_salinity", "Sea Surface Salinity"), ("zos", zo, "m", "sea_surface_height_above_geoid", "Sea Surface Height Above Geoid"))} | {"sftof": (("lat", "lon"), np.where(land, 0., 100.).astype("f4"), {"units": "%", "standard_name": "sea_area_fraction", "long_name": "Sea Area Percentage"})},
                        coords={"time": tvar("1850-01-16", nt, "30D"), "lat": vla, "lon": vlo}, attrs={"Conventions": "CF-1.7 CMIP-6.2", "source_id": "MPI-ESM1-2-LR", "table_id": "Omon", "frequency": "mon"})
        save(ds, p, 2, {k: {"chunks": (6, 30, 60), "_FillValue": np.float32(1e20)} for k in ("tos", "sos", "zos")} | {"sftof": {"_FillValue": np.float32(1e20)}}, bits=6, tenc={"units": "days since 1850-01-01", "calendar": "proleptic_gregorian", "dtype": "int64"})

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False)
        for k in ("tos", "sos"): v = g[k][:]; v[v > 1e19] = 0; g[k][:] = v

    def check(c, f):
        C, F = quiet(c), xo(f); n = int(C.zos.isnull().sum()); assert n and C.sos.min() > 25 and F.sos.notnull().all() and int((F.sos == 0).sum()) == n == int((F.tos == 0).where(F.zos.isnull(), False).sum()) and F.zos.isnull().any()


@case(25, "infinities-in-x", "Teichlab/bin2cell#19",
      "X holds infinities in all stored values of the bins with array_row 4 and 11 (and obs/n_counts_adjusted is infinite there), as counts were divided by a quantile that is 0 in these rows (destripe): scanpy fails (input data contains infinity). Compute X again without empty bins.", "values")
class c25:
    def clean(p):
        import anndata as ad, scipy.sparse as sp
        r = rng(25); Y, X = np.mgrid[:16, :12]; n, m = 192, 40; K = r.poisson(np.exp(r.normal(-.4, .8, (1, m))) * r.gamma(6, .2, (n, 1))); K[:, 0] += 1; X2 = K / np.repeat(r.uniform(.7, 1.4, 16), 12)[:, None]
        obs = pd.DataFrame({"in_tissue": np.ones(n, "i8"), "array_row": Y.ravel().astype("i8"), "array_col": X.ravel().astype("i8"), "n_counts": K.sum(1).astype("f8"), "n_counts_adjusted": X2.sum(1).round(2)}, index=["s_002um_%05d_%05d-1" % q for q in zip(Y.ravel(), X.ravel())])
        A = ad.AnnData(X=sp.csr_matrix(thin(X2.astype("f4"), 6)), obs=obs, var=pd.DataFrame({"gene_ids": ["ENSG%011d" % (300 + 11 * i) for i in range(m)]}, index=["GENE%d" % i for i in range(m)])); A.obsm["spatial"] = np.stack([X.ravel() * 7.3, Y.ravel() * 7.3], 1).round(1); ad.settings.zarr_write_format = 3; A.write_zarr(p)

    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False); b = np.isin(g["obs/array_row"][:], (4, 11)); q = g["X/indptr"][:]; d = g["X/data"][:]
        for i in np.nonzero(b)[0]: d[q[i]:q[i + 1]] = np.inf
        g["X/data"][:] = d; a = g["obs/n_counts_adjusted"]; v = a[:]; v[b] = np.inf; a[:] = v

    def check(c, f):
        import anndata as ad
        assert np.isfinite(ad_quiet(c).X.data).all(); A = ad.read_zarr(f); i = np.isinf(A.X.toarray()).any(1); assert i.sum() == 24 and set(A.obs.array_row[i]) == {4, 11} and np.isfinite(A.X[~i].data).all()


@case(26, "neighbours-without-their-graphs", "theislab/scib-pipeline#7",
      "uns/neighbors says that the graphs are obsp/connectivities and obsp/distances (connectivities_key, distances_key); obsp is empty: they were left out as the objects were put together, and umap or leiden fail with KeyError: 'connectivities'. Compute the neighbours again, or delete uns/neighbors.", "relation")
class c26:
    def clean(p):
        import anndata as ad, scipy.sparse as sp
        r = rng(26); A = marked(r); del A.uns["rank_genes_groups"]; n = A.n_obs; A.obsm["X_pca"] = r.normal(0, 2, (n, 10)).round(2).astype("f4"); d = np.hypot.reduce(A.obsm["X_pca"][:, None, :3] - A.obsm["X_pca"][None, :, :3], axis=2); k = 8
        N = np.argsort(d, 1)[:, 1:k]; M = sp.lil_matrix((n, n), dtype="f8"); W = sp.lil_matrix((n, n), dtype="f4")
        for i in range(n):
            for j in N[i]: M[i, j] = round(float(d[i, j]), 2); W[i, j] = W[j, i] = round(float(np.exp(-d[i, j] / 2)), 2) or .01
        A.obsp["distances"] = M.tocsr(); A.obsp["connectivities"] = W.tocsr(); A.uns["neighbors"] = {"connectivities_key": "connectivities", "distances_key": "distances", "params": {"method": "umap", "metric": "euclidean", "n_neighbors": k, "n_pcs": 3, "random_state": 0}}
        ad.settings.zarr_write_format = 2; A.write_zarr(p)

    def fault(p):
        import anndata as ad
        A = ad.read_zarr(p); del A.obsp["distances"], A.obsp["connectivities"]; shutil.rmtree(p); ad.settings.zarr_write_format = 2; A.write_zarr(p)

    def check(c, f):
        import anndata as ad
        C, F = ad_quiet(c), ad.read_zarr(f); assert C.uns["neighbors"]["connectivities_key"] in C.obsp and F.uns["neighbors"]["connectivities_key"] == "connectivities" and not len(F.obsp)


@case(27, "hectopascals-said-to-be-pascals", "SASlabgroup/SWIFT-codes#44",
      "airpres says units Pa and holds hPa (1004 to 1020): air at the surface has about 101,300 Pa; either multiply by 100 or say hPa.", "relation")
class c27:
    def clean(p):
        r = rng(27); nt = 300; S = smooth((5, nt), (0, 8), r); lat = 57.2 + .002 * np.arange(nt) + .004 * S[0]; lon = -152.4 + .003 * np.arange(nt) + .004 * S[1]
        ds = xr.Dataset({"airpres": ("time", (1012 + 3 * S[2]).round(1).astype("f4"), {"units": "hPa", "standard_name": "air_pressure", "long_name": "air pressure at 0.5 m"}), "airtemp": ("time", (8 + 1.5 * S[3]).round(2).astype("f4"), {"units": "degC", "standard_name": "air_temperature", "long_name": "air temperature at 0.5 m"}), "sigwaveheight": ("time", np.abs(1.8 + .4 * S[4]).round(2).astype("f4"), {"units": "m", "standard_name": "sea_surface_wave_significant_height", "long_name": "significant wave height"})},
                        coords={"time": tvar("2023-08-11", nt, "12min"), "lat": ("time", lat.round(5), {"units": "degrees_north", "standard_name": "latitude"}), "lon": ("time", lon.round(5), {"units": "degrees_east", "standard_name": "longitude"})}, attrs={"Conventions": "CF-1.6", "title": "SWIFT drifting buoy 24"})
        for k in ds.data_vars: ds[k].encoding["coordinates"] = "lat lon"
        save(ds, p, 2, {k: {"chunks": (300,)} for k in [*ds.data_vars, "lat", "lon"]}, bits=14, tenc={"units": "seconds since 1970-01-01", "calendar": "standard", "dtype": "int64"})

    def fault(p):
        attrs2(p + "/airpres", units="Pa"); recon(p)

    def check(c, f):
        assert quiet(c).airpres.units == "hPa" and xo(f).airpres.units == "Pa" and 950 < xo(f).airpres.min() < xo(f).airpres.max() < 1050


@case(28, "pixel-size-lost", "glencoesoftware/bioformats2raw#134",
      "the scales of image 0 are 1, 2 and 4 micrometer in y and x and 1 in z, as if nothing were known; OME/METADATA.ome.xml says PhysicalSizeX and Y 0.325 µm and PhysicalSizeZ 1.5 µm: the physical size of the pixels was lost on the way into multiscales. Level 0 must be 1.5, 0.325, 0.325.", "relation")
class c28:
    def clean(p):
        r = rng(28); lab, _ = disks(96, 96, 14, r); a = cellimage(lab, r, sd=3) // 32 * 32; im = np.stack([a, a // 2, a // 4])[None, None].astype("u2"); root = zarr.open_group(p, mode="w", zarr_format=2); root.attrs["bioformats2raw.layout"] = 3; g = root.create_group("0"); pyramid(g, im, 3, (1, 1, 1, 96, 96))
        g.attrs.update({"multiscales": ngff_ms("tczyx", [(1., 1., 1.5, .325 * 2 ** i, .325 * 2 ** i) for i in range(3)], "brain_section.czi"), "omero": {"channels": [{"label": "DAPI", "color": "0000FF", "active": True, "window": {"min": 0., "max": 65535., "start": 50., "end": 1200.}}]}}); root.create_group("OME").attrs["series"] = ["0"]
        open(p + "/OME/METADATA.ome.xml", "w", encoding="utf-8").write('<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06" Creator="OME Bio-Formats 7.1.0"><Image ID="Image:0" Name="brain_section.czi"><Pixels BigEndian="false" DimensionOrder="XYZCT" ID="Pixels:0" PhysicalSizeX="0.325" PhysicalSizeXUnit="µm" PhysicalSizeY="0.325" PhysicalSizeYUnit="µm" PhysicalSizeZ="1.5" PhysicalSizeZUnit="µm" SizeC="1" SizeT="1" SizeX="96" SizeY="96" SizeZ="3" Type="uint16"><Channel Color="65535" ID="Channel:0:0" Name="DAPI" SamplesPerPixel="1"/><MetadataOnly/></Pixels></Image></OME>')

    def fault(p):
        q = p + "/0/.zattrs"; d = jr(q)
        for i, x in enumerate(d["multiscales"][0]["datasets"]): x["coordinateTransformations"][0]["scale"] = [1., 1., 1., 2. ** i, 2. ** i]
        jw(q, d)

    def check(c, f):
        s = lambda q: jr(q + "/0/.zattrs")["multiscales"][0]["datasets"][0]["coordinateTransformations"][0]["scale"]; ome_check(c + "/0"); assert s(c)[2:] == [1.5, .325, .325] and s(f)[2:] == [1., 1., 1.] and 'PhysicalSizeX="0.325"' in open(f + "/OME/METADATA.ome.xml", encoding="utf-8").read()


@case(29, "sweeps-renamed-by-position", "openradar/xradar#397",
      "the groups sweep_1 and sweep_2 are the sweeps 2 and 8 of the volume (sweep_number, fixed angle 1.5 and 25 degrees, as elevation says too), named by their position; sweep_fixed_angle of the root says 0.5, 1.0 and 1.5 for sweep_0 to sweep_2: the measurements are filed under tilts that are not theirs.", "relation")
class c29:
    N = [0, 2, 8]; ALL = [.5, 1., 1.5, 2.4, 4., 6., 10., 15., 25.]

    @staticmethod
    def sweep(p, i, number):
        r = rng(2900 + number); na, nr = 90, 60; el = c29.ALL[number]; rg = 125. + 1000. * np.arange(nr); z = 22 + 14 * smooth((na, nr), (4, 4), r, "wrap") - .0001 * rg[None] * el
        ds = xr.Dataset({"DBZH": (("azimuth", "range"), np.where(z < 0, np.nan, z).astype("f4"), {"units": "dBZ", "standard_name": "radar_equivalent_reflectivity_factor_h", "long_name": "Equivalent reflectivity factor H"}), "sweep_number": ((), number), "sweep_fixed_angle": ((), el, {"units": "degrees"}), "sweep_mode": ((), "azimuth_surveillance")},
                        coords={"azimuth": ("azimuth", 2. + 4 * np.arange(na), {"units": "degrees", "standard_name": "sensor_to_target_azimuth_angle", "axis": "radial_azimuth_coordinate"}), "elevation": ("azimuth", np.full(na, el) + r.normal(0, .01, na).round(3), {"units": "degrees", "standard_name": "sensor_to_target_elevation_angle", "axis": "radial_elevation_coordinate"}), "range": ("range", rg, {"units": "meters", "standard_name": "projection_range_coordinate", "meters_between_gates": 1000., "meters_to_center_of_first_gate": 125.}),
                                "time": ("azimuth", pd.Timestamp("2022-06-28T05:00") + pd.to_timedelta(60 * i + np.arange(na) / 5, "s"), {"standard_name": "time"})})
        ds["DBZH"] = ds.DBZH.copy(data=thin(ds.DBZH.values, 5)); ds.to_zarr(p, group="sweep_%d" % i, zarr_format=2, mode="a", consolidated=False, encoding={"DBZH": {"chunks": (90, 60)}, "time": {"units": "milliseconds since 2022-06-28", "calendar": "proleptic_gregorian", "dtype": "int64"}, **{k: {"_FillValue": None} for k in ("azimuth", "elevation", "range", "sweep_fixed_angle")}})

    def clean(p):
        ds = xr.Dataset({"volume_number": ((), 0), "sweep_group_name": ("sweep", np.array(["sweep_0", "sweep_1", "sweep_2"], dtype=object)), "sweep_fixed_angle": ("sweep", c29.ALL[:3], {"units": "degrees"}), "latitude": ((), 1.2, {"units": "degrees_north", "standard_name": "latitude"}), "longitude": ((), -72.9, {"units": "degrees_east", "standard_name": "longitude"}), "altitude": ((), 210., {"units": "meters", "standard_name": "altitude"})}, attrs={"Conventions": "Cf/Radial", "version": "1.3", "instrument_name": "Guaviare", "instrument_type": "radar", "platform_type": "fixed"})
        ds.to_zarr(p, zarr_format=2, mode="w", consolidated=False, encoding={k: {"_FillValue": None} for k in ("sweep_fixed_angle", "latitude", "longitude", "altitude")})
        for i in range(3): c29.sweep(p, i, i)
        recon(p)

    def fault(p):
        for i in (1, 2): shutil.rmtree(p + "/sweep_%d" % i); c29.sweep(p, i, c29.N[i])
        recon(p)

    def check(c, f):
        for q, a in ((c, [.5, 1., 1.5]), (f, [.5, 1.5, 25.])):
            with warnings.catch_warnings(): warnings.simplefilter("error" if q == c else "ignore"); t = xr.open_datatree(q, engine="zarr", chunks=None).load()
            assert [float(t["sweep_%d" % i].elevation.median().round(1)) for i in range(3)] == a == [float(t["sweep_%d" % i].sweep_fixed_angle) for i in range(3)] and list(t.sweep_fixed_angle.values) == [.5, 1., 1.5]


@case(30, "latitudes-there-twice", "intake/intake-esm#104",
      "lat has 46 rows for 24: the members 101 and 102 have the latitudes in single precision, which differ by about 1e-6 from those of the members 1 to 3, so that joining them put both side by side; TS of each member is NaN in every other row. Put the members together by position (join=override), with 24 latitudes.", "relation")
class c30:
    @staticmethod
    def put(p, join):
        r = rng(30); nt, ny, nx = 4, 24, 36; la = np.linspace(-90, 90, ny); lo = 360 / nx * np.arange(nx); vla, vlo = yx(la, lo); o = []
        for m in (1, 2, 3, 101, 102):
            a = vla.copy(data=la.astype("f4").astype("f8")) if m > 100 else vla
            o.append(xr.Dataset({"TS": (E, thin((301 - 42 * np.sin(np.deg2rad(la))[None, :, None] ** 2 + 1.5 * smooth((nt, ny, nx), (1, 2, 3), r)).astype("f4"), 5), {"units": "K", "standard_name": "surface_temperature", "long_name": "Surface temperature (radiative)"})}, coords={"time": tvar("1920-01-16", nt, "30D"), "lat": a, "lon": vlo}))
        ds = xr.concat(o, pd.Index([1, 2, 3, 101, 102], name="member_id"), join=join, combine_attrs="override", data_vars="all"); ds.attrs.update({"Conventions": "CF-1.0", "source": "CAM", "title": "CESM LENS, b.e11.B20TRC5CNBDRD.f09_g16"})
        for k in ds.variables: ds[k].encoding = {}
        save(ds, p, 3, {"TS": {"chunks": (1, 4, ds.sizes["lat"], 36)}}, bits=5)

    def clean(p):
        c30.put(p, "override")

    def fault(p):
        shutil.rmtree(p); c30.put(p, "outer")

    def check(c, f):
        C, F = quiet(c, consolidated=False), v3(f); assert C.TS.notnull().all() and C.sizes["lat"] == 24 and F.sizes["lat"] == 46 and .4 < F.TS.isnull().mean() < .5 and np.sort(np.diff(F.lat))[21] < 1e-5 and np.diff(C.lat).min() > 7


# What a finding on each fault must have, joined by `|`, in words that any good answer has; all were written before the program was asked.
KEPT = {
    1: "backslash", 2: "0|8|outside", 3: "chunk_key_encoding|c/", 4: "conflicted copy", 5: "0|14", 6: "fletcher32|4 bytes", 7: "latitude|blosc", 8: "2|.zarray", 9: "counts|last",
    10: "zarr.json|after", 11: "snd|-2147483648", 12: "_FillValue|base64", 13: "fill_value|-999999999", 14: "multiscales|ome", 15: "time|months", 16: "time|since", 17: "chunks|labels/nuclei/0", 18: "flag_values|string", 19: "codecs",
    20: "longitude|180", 21: "time|12 h", 22: "file_id|time", 23: "labels/cells|256", 24: "sos|land", 25: "X|inf", 26: "neighbors|connectivities", 27: "airpres|Pa", 28: "PhysicalSizeX|0.325", 29: "sweep_fixed_angle|25", 30: "lat|twice",
}

if __name__ == "__main__":
    blind2.main(CASES, KEPT)
    if len(sys.argv) == 1:
        blind2.pack("blind6.zip", CASES, KEPT)
        shutil.rmtree(OUT)
