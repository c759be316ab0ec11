"""Blind set 14: thirty stores with one real-world fault each, and clean twins.
Run: python blind14.py [NN ...]"""
import json, os, shutil, struct, subprocess, sys, uuid, warnings, zipfile, io
import numpy as np, pandas as pd, xarray as xr, zarr, numcodecs
from scipy.ndimage import gaussian_filter
warnings.simplefilter("ignore")
OUT = os.environ.get("OUT", "/tmp/blind14")
rng = lambda n: np.random.default_rng(141000 + n)
BL = numcodecs.Blosc(cname="lz4", clevel=5, shuffle=1)
ZS = numcodecs.Blosc(cname="zstd", clevel=7, shuffle=1)

# ---------------------------------------------------------------- helpers
def rj(p):
    with open(p) as f: return json.load(f)
def wj(p, d):
    os.makedirs(os.path.dirname(p), exist_ok=True)
    with open(p, "w") as f: json.dump(d, f, indent=4)
def edit(root, key, fn):
    """Edit the JSON document root/key and its copy in the consolidated metadata."""
    d = rj(f"{root}/{key}"); r = fn(d); d = d if r is None else r; wj(f"{root}/{key}", d)
    zm = f"{root}/.zmetadata"
    if os.path.exists(zm):
        m = rj(zm)
        if key in m["metadata"]: m["metadata"][key] = d; wj(zm, m)
def drop(root, node):
    shutil.rmtree(f"{root}/{node}")
    zm = f"{root}/.zmetadata"
    if os.path.exists(zm):
        m = rj(zm); m["metadata"] = {k: v for k, v in m["metadata"].items() if not k.startswith(node + "/")}; wj(zm, m)
def field(r, shape, s=4.0):
    f = gaussian_filter(r.standard_normal(shape), s, mode="wrap"); return (f - f.mean()) / f.std()
def blobs(r, shape, n=25, s=3.0, hi=1800, bg=110):
    im = np.zeros(shape); im[tuple(r.integers(0, k, n) for k in shape)] = r.uniform(.4, 1, n)
    im = gaussian_filter(im, s); im *= hi / im.max()
    return np.clip(im + bg + r.normal(0, 6, shape), 1, 65535).astype("u2")
def down(a, ax):
    for i in ax:
        k = a.shape[i] // 2 * 2; a = np.take(a, range(k), i); s = list(a.shape); s[i:i + 1] = [k // 2, 2]; a = a.reshape(s).mean(i + 1)
    return a
def arr(g, name, data, chunks=None, sep=".", comp=BL, fill=0, attrs=None, **k):
    data = np.asarray(data)
    kw = dict(shape=data.shape, chunks=chunks or data.shape, dtype=data.dtype, compressors=comp, fill_value=fill,
              chunk_key_encoding={"name": "v2", "configuration": {"separator": sep}}, config={"write_empty_chunks": True}); kw.update(k)
    a = g.create_array(name, **kw); a[...] = data
    if attrs: a.attrs.update(attrs)
    return a
def g2(path, attrs=None):
    g = zarr.open_group(path, mode="w", zarr_format=2)
    if attrs: g.attrs.update(attrs)
    return g
AX = {"t": {"name": "t", "type": "time", "unit": "second"}, "c": {"name": "c", "type": "channel"},
      **{a: {"name": a, "type": "space", "unit": "micrometer"} for a in "zyx"}}
def ome04(path, levels, axes, scales, chunks, name="image", omero=None, sep="/", comp=BL, names=None, fill=0):
    g = g2(path); names = names or [str(i) for i in range(len(levels))]
    for n, l in zip(names, levels): arr(g, n, l, tuple(min(c, s) for c, s in zip(chunks, l.shape)), sep, comp, fill)
    ms = {"version": "0.4", "name": name, "axes": [AX[a] for a in axes], "datasets": [
        {"path": n, "coordinateTransformations": [{"type": "scale", "scale": list(map(float, s))}]} for n, s in zip(names, scales)]}
    g.attrs["multiscales"] = [ms]
    if omero: g.attrs["omero"] = omero
    return g
def omero(chs, hi=4095, start=100, end=2000):
    return {"channels": [{"label": l, "color": c, "active": True, "coefficient": 1, "family": "linear", "inverted": False,
            "window": {"min": 0, "max": hi, "start": start, "end": end}} for l, c in chs], "rdefs": {"defaultT": 0, "defaultZ": 0, "model": "color"}}
def ome_ok(path, cls=None):
    from ome_zarr_models.v04 import Image
    return (cls or Image).from_zarr(zarr.open_group(path, mode="r"))
def xz(ds, path, enc=None, fmt=2, **k):
    enc = {a: dict(b) for a, b in (enc or {}).items()}
    for v in ds.variables:
        e = enc.setdefault(v, {})
        if ds[v].dtype.kind in "fM" and (v in ds.coords): e.setdefault("_FillValue", None)
    ds.to_zarr(path, mode="w", zarr_format=fmt, consolidated=k.pop("consolidated", True), encoding=enc, write_empty_chunks=True, **k)
def LAT(v): return ("lat", v, {"standard_name": "latitude", "long_name": "latitude", "units": "degrees_north", "axis": "Y"})
def LON(v): return ("lon", v, {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east", "axis": "X"})
def TIME(v, dim="time"): return (dim, v, {"standard_name": "time", "long_name": "time", "axis": "T"})
def same(c, f, *names, ne=()):
    a, b = zarr.open_group(c, mode="r"), zarr.open_group(f, mode="r")
    for n in names: assert np.array_equal(a[n][...], b[n][...]), n
    for n in ne: assert not np.array_equal(a[n][...], b[n][...]), n
def raises(fn, *words):
    try: fn()
    except BaseException as e:
        s = f"{type(e).__name__}: {e}"
        for w in words: assert w.lower() in s.lower(), s[:400]
        return s
    raise AssertionError("no error raised")
def finite(path):
    ds = xr.open_zarr(path).load()
    for v in ds.variables:
        if ds[v].dtype.kind == "f": assert np.isfinite(ds[v].values).all(), v
    return ds
CASES = {}
def case(nn, slug, thread, fault, answer, words):
    def deco(cls): CASES[nn] = (f"{nn:02d}-{slug}", thread, fault, answer, words, cls); return cls
    return deco

# ---------------------------------------------------------------- bioimaging
@case(1, "quoted-fill", "google/tensorstore#107", "A float image's `.zarray` documents carry `\"fill_value\": \"0\"`, a quoted number (a JSON string), as an old exporter wrote it; strict readers (tensorstore, z5) refuse the arrays.",
      "fill_value in 0/.zarray (and 1/.zarray) is the string \"0\" where a number is needed for a float32 array.", "fill_value|string|0")
class C1:
    def clean(p):
        r = rng(1); im = np.stack([[blobs(r, (4, 96, 96), 30, (1, 3, 3)) for _ in range(2)]]).astype("f4")
        ome04(p, [im, down(im, (3, 4)).astype("f4")], "tczyx", [(1, 1, .5, .2, .2), (1, 1, .5, .4, .4)], (1, 1, 1, 96, 96), "6001240",
              omero([("LaminB1", "0000FF"), ("Dapi", "FFFF00")]), fill=0.0)
    def fault(p):
        for l in "01": edit(p, f"{l}/.zarray", lambda d: d.update(fill_value="0"))
    def check(c, f):
        ome_ok(c); same(c, f, "0", "1"); assert rj(c + "/0/.zarray")["fill_value"] == 0 and rj(f + "/0/.zarray")["fill_value"] == "0"
        assert np.dtype(rj(f + "/0/.zarray")["dtype"]).kind == "f" and zarr.open(c)["0"][...].min() > 0

@case(2, "pancake-level", "fideus-labs/ngff-zarr#33", "Level 1 of a three-level pyramid carries wrong scale numbers (z spacing of level 0, y/x of level 2): the level is shown as a pancake of another size than levels 0 and 2.",
      "The scale of level scale1/image does not fit its array shape (and the other levels): z should be twice level 0, y and x twice, not 1x and 4x.", "scale1|scale|shape")
class C2:
    def clean(p):
        r = rng(2); v = blobs(r, (32, 64, 64), 40, 2.5); l = [v, down(v, (0, 1, 2)).astype("u2"), down(down(v, (0, 1, 2)), (0, 1, 2)).astype("u2")]
        ome04(p, l, "zyx", [(2 * k, .65 * k, .65 * k) for k in (1, 2, 4)], (16, 32, 32), "brain_t1", names=[f"scale{i}/image" for i in range(3)])
    def fault(p):
        def fn(d): d["multiscales"][0]["datasets"][1]["coordinateTransformations"][0]["scale"] = [2.0, 2.6, 2.6]
        edit(p, ".zattrs", fn)
    def check(c, f):
        ome_ok(c); ome_ok(f)
        def ext(p):
            g = zarr.open_group(p, mode="r"); return [np.array(g[d["path"]].shape) * d["coordinateTransformations"][0]["scale"] for d in g.attrs["multiscales"][0]["datasets"]]
        e = ext(c); assert np.allclose(e[0], e[1]) and np.allclose(e[0], e[2]); e = ext(f); assert np.allclose(e[0], e[2]) and not np.allclose(e[0], e[1])

@case(3, "channel-no-color", "bioio-devs/bioio-ome-zarr#128", "One entry of `omero.channels` has a label and a window but no `color`; the spec asks for it and readers (bioio) fail.",
      "omero.channels[1] (label GFP) in the image's attributes lacks the required key color.", "omero|color")
class C3:
    def clean(p):
        r = rng(3); im = np.stack([blobs(r, (128, 128), 30, 3) for _ in range(3)])
        ome04(p, [im, down(im, (1, 2)).astype("u2")], "cyx", [(1, .325, .325), (1, .65, .65)], (1, 64, 64), "well_A01",
              omero([("DAPI", "0000FF"), ("GFP", "00FF00"), ("Cy5", "FF0000")]))
    def fault(p): edit(p, ".zattrs", lambda d: d["omero"]["channels"][1].pop("color") and None)
    def check(c, f): ome_ok(c); raises(lambda: ome_ok(f), "color"); same(c, f, "0", "1")

@case(4, "raw-compressor", "saalfeldlab/n5-zarr#4", "An uncompressed dataset written by n5-zarr's N5ZarrWriter has `\"compressor\": {\"type\": \"raw\"}` in its `.zarray` instead of null; zarr-python: codec not available: None.",
      "The compressor object {\"type\":\"raw\"} of test/data/.zarray has no id and is not a Zarr codec; uncompressed data need compressor null.", "test/data|compressor|raw")
class C4:
    def clean(p):
        g = g2(p); t = g.create_group("test")
        a = arr(t, "data", blobs(rng(4), (24, 48, 48), 30, 2.5).astype(">u2"), (12, 24, 24), comp=None, attrs={"resolution": [0.4, 0.4, 1.0], "units": ["um", "um", "um"]})
    def fault(p): edit(p, "test/data/.zarray", lambda d: d.update(compressor={"type": "raw"}))
    def check(c, f): assert zarr.open(c)["test/data"][...].min() > 0; raises(lambda: zarr.open(f + "/test/data", mode="r")[...], "codec")

@case(5, "f-order-chunks", "constantinpape/z5#16", "The bytes of every chunk are laid out column-major (Fortran), while `.zarray` says `\"order\": \"C\"`: the image is a mosaic of blocks that are each transposed.",
      "volumes/raw: the chunks hold their data in Fortran (column-major) order although order is C in .zarray, so each block reads transposed and the borders do not meet.", "volumes/raw|order")
class C5:
    def clean(p):
        r = rng(5); v = field(r, (32, 64, 64), (1.5, 3, 3)); v = np.clip(128 + 45 * v + r.normal(0, 2, v.shape), 0, 255).astype("u1")
        g = g2(p); arr(g.create_group("volumes"), "raw", v, (32, 32, 32), comp=ZS, attrs={"resolution": [40, 4, 4], "offset": [0, 0, 0]})
    def fault(p):
        d = p + "/volumes/raw"; m = rj(d + "/.zarray"); c = numcodecs.get_codec(m["compressor"])
        for k in os.listdir(d):
            if k[0] == ".": continue
            b = np.frombuffer(c.decode(open(f"{d}/{k}", "rb").read()), "u1").reshape(m["chunks"]); open(f"{d}/{k}", "wb").write(c.encode(b.tobytes(order="F")))
    def check(c, f):
        a, b = (zarr.open(x)["volumes/raw"][...].astype(int) for x in (c, f)); assert not (a == b).all()
        assert (b[:32, :32, :32] == a[:32, :32, :32].T).all()
        j = lambda v: abs(np.diff(v, axis=2))[:, :, 31].mean() / abs(np.diff(v, axis=2))[:, :, 15].mean(); assert j(a) < 1.5 < j(b)

@case(6, "lost-chunks", "zarr-developers/zarr-python#587", "Two chunk files of a dense light-sheet stack got lost in a file transfer; the places read as 0 where the camera background never falls below about 100 counts.",
      "lightsheet: chunk files 3.1.0 and 3.1.1 are missing (all others of the array exist) and read as the fill value 0.", "lightsheet|missing|3.1.")
class C6:
    def clean(p):
        v = np.stack([blobs(rng(60 + t), (8, 64, 48), 20, 2) for t in range(6)])
        g = g2(p, {"instrument": "SiMView", "acquisition": "2020-08-11"}); arr(g, "lightsheet", v, (1, 4, 64, 24), comp=ZS, attrs={"axes": ["t", "z", "y", "x"], "voxel_size_um": [2.0, 0.41, 0.41], "interval_s": 30})
    def fault(p):
        for k in ("3.1.0.0", "3.1.0.1"): os.remove(f"{p}/lightsheet/{k}")
    def check(c, f):
        a, b = (zarr.open(x)["lightsheet"][...] for x in (c, f)); assert a.min() > 0 and (b[3, 4:] == 0).all() and (a[:3] == b[:3]).all()

@case(7, "hidden-files-lost", "BioImageTools/ome-zarr-image-analysis-nextflow#3", "The folder was uploaded by drag and drop and every hidden file was left behind: no .zgroup, .zattrs or .zarray anywhere, only the chunk files.",
      "No Zarr metadata in the folder: .zgroup/.zattrs at the top and the .zarray of 0 and 1 are gone (hidden files not copied), only chunk files are there.", ".zarray|metadata")
class C7:
    def clean(p):
        r = rng(7); im = blobs(r, (128, 128), 40, 4, 240, 12).clip(0, 255).astype("u1")[None]
        ome04(p, [im, down(im, (1, 2)).astype("u1")], "cyx", [(1, .5, .5), (1, 1, 1)], (1, 64, 64), "xy_8bit__nuclei_PLK1_inhibition", omero([("nuclei", "FFFFFF")], 255, 0, 255))
    def fault(p):
        for d, _, fs in os.walk(p):
            for x in fs:
                if x.startswith("."): os.remove(f"{d}/{x}")
    def check(c, f): ome_ok(c); raises(lambda: zarr.open(f, mode="r"), "notfound"); assert os.path.exists(f + "/0/0/0/0")

@case(8, "torn-shard", "czbiohub-sf/iohub#455", "A job was killed while it wrote a shard: the shard file is cut off and its index (at the end of the file) is gone, so reads of that time point fail with a checksum error.",
      "Shard 0/c/1/0/0/0/0 is truncated (torn write): the shard index at its end is missing or does not match its checksum.", "c/1/0/0/0/0|shard")
class C8:
    def clean(p):
        g = zarr.open_group(p, mode="w", zarr_format=3); v = np.stack([[blobs(rng(80 + t), (4, 64, 64), 20, (1, 2, 2)).astype("f4")] for t in range(3)])
        a = g.create_array("0", shape=v.shape, chunks=(1, 1, 1, 32, 32), shards=(1, 1, 4, 64, 64), dtype="f4", fill_value=0, dimension_names=list("tczyx"), compressors=zarr.codecs.BloscCodec(cname="zstd", clevel=1, shuffle="bitshuffle")); a[...] = v
        g.attrs["ome"] = {"version": "0.5", "multiscales": [{"name": "0", "axes": [AX[x] for x in "tczyx"], "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [60.0, 1.0, 0.25, 0.1, 0.1]}]}]}], "omero": omero([("Phase3D", "FFFFFF")])}
    def fault(p):
        k = p + "/0/c/1/0/0/0/0"; b = open(k, "rb").read(); open(k, "wb").write(b[:len(b) * 5 // 8])
    def check(c, f):
        from ome_zarr_models.v05 import Image
        ome_ok(c, Image); raises(lambda: zarr.open(f, mode="r")["0"][1], "checksum"); assert np.array_equal(zarr.open(c)["0"][0], zarr.open(f)["0"][0])

# ---------------------------------------------------------------- single cells
def adata(n, na=False, fmt=2):
    import anndata as ad, scipy.sparse as sp
    r = rng(n); N, G = 120, 60; ct = np.array(["B cell", "CD4 T cell", "CD8 T cell", "Monocyte", "NK cell"])[r.integers(0, 5, N)].astype(object)
    if na: ct[r.choice(N, 9, False)] = None
    X = sp.csr_matrix(r.poisson(r.gamma(.5, 1.2, G), (N, G)).astype("f4"))
    obs = pd.DataFrame({"cell_type": pd.Categorical(ct), "n_counts": np.asarray(X.sum(1)).ravel().astype("f4"), "percent_mito": r.beta(2, 30, N).astype("f4")},
                       index=["".join(r.choice(list("ACGT"), 16)) + "-1" for _ in range(N)])
    var = pd.DataFrame({"highly_variable": r.random(G) < .3, "means": np.asarray(X.mean(0)).ravel().astype("f4")}, index=[f"ENSG{i:011d}" for i in r.choice(2000, G, False) + 186000])
    a = ad.AnnData(X, obs=obs, var=var, obsm={"X_pca": r.normal(size=(N, 10)).astype("f4")}); ad.settings.zarr_write_format = fmt; return a

@case(9, "na-codes", "PMBio/MuDataSeurat#5", "The missing values of a categorical column were written with R's integer NA (-2147483648, minus one) as code instead of -1; anndata: codes need to be between -1 and len(categories)-1.",
      "obs/cell_type/codes holds codes out of range (-2147483648) for its 5 categories; missing must be -1.", "obs/cell_type|codes|-2147483648")
class C9:
    def clean(p): adata(9, True).write_zarr(p)
    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False); a = g["obs/cell_type/codes"]; v = a[...].astype("i4"); at = dict(a.attrs); v[v < 0] = -2**31
        shutil.rmtree(p + "/obs/cell_type/codes"); arr(g["obs/cell_type"], "codes", v, attrs=at); zarr.consolidate_metadata(p)
    def check(c, f):
        import anndata as ad
        assert ad.read_zarr(c).obs.cell_type.isna().sum() == 9; raises(lambda: ad.read_zarr(f), "codes need to be between")

@case(10, "region-not-categorical", "scverse/spatialdata#580", "The table of a SpatialData store annotates its labels by the column `region`, but that column was written as plain strings, not as a categorical; spatialdata refuses the table.",
      "tables/table: obs column region (the region_key) must be categorical, it is a string array.", "region|categorical")
class C10:
    def clean(p):
        r = rng(10); N = 24; lab = np.zeros((96, 96), "i4"); yy, xx = np.mgrid[:96, :96]
        for i in range(N): cy, cx = 10 + 18 * (i // 5) + r.integers(-2, 3), 10 + 18 * (i % 5) + r.integers(-2, 3); lab[(yy - cy) ** 2 + (xx - cx) ** 2 < r.integers(16, 40)] = i + 1
        g = g2(p, {"spatialdata_attrs": {"spatialdata_software_version": "0.4.0", "version": "0.1"}})
        L = g.create_group("labels"); L.attrs["labels"] = ["nuclei"]; q = L.create_group("nuclei"); arr(q, "0", lab, (48, 48), "/")
        ax = [{"name": a, "type": "space", "unit": "unit"} for a in "yx"]
        ct = {"type": "identity", "input": {"name": "yx", "axes": ax}, "output": {"name": "global", "axes": ax}}
        ms = {"name": "/labels/nuclei", "version": "0.4", "axes": [{"name": a, "type": "space"} for a in "yx"], "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1.0, 1.0]}]}], "coordinateTransformations": [ct]}
        q.attrs.update({"image-label": {"version": "0.4"}, "multiscales": [ms], "spatialdata_attrs": {"version": "0.2"}})
        T = g.create_group("tables"); T.attrs["tables"] = ["table"]
        a = adata(10)[:N].copy(); a.obs["region"] = pd.Categorical(["nuclei"] * N); a.obs["instance_id"] = np.arange(1, N + 1); a.uns["spatialdata_attrs"] = {"region": "nuclei", "region_key": "region", "instance_key": "instance_id"}
        from anndata.io import write_elem
        write_elem(T, "table", a); T["table"].attrs.update({"instance_key": "instance_id", "region": "nuclei", "region_key": "region", "spatialdata-encoding-type": "ngff:regions_table", "version": "0.1"}); zarr.consolidate_metadata(p)
    def fault(p):
        g = zarr.open_group(p, mode="r+", use_consolidated=False); o = g["tables/table/obs"]; shutil.rmtree(p + "/tables/table/obs/region"); a = o.create_array("region", shape=(24,), chunks=(24,), dtype=str, compressors=BL); a[:] = np.array(["nuclei"] * 24); a.attrs.update({"encoding-type": "string-array", "encoding-version": "0.2.0"}); zarr.consolidate_metadata(p)
    def check(c, f):
        import anndata as ad
        A, B = (ad.read_zarr(x + "/tables/table") for x in (c, f)); assert A.obs.region.dtype == "category" and B.obs.region.dtype != "category" and list(A.obs.region) == list(B.obs.region)
        assert set(np.unique(zarr.open(c)["labels/nuclei/0"][...])) - {0} == set(A.obs.instance_id)

@case(11, "string-fill-0", "scverse/anndata-rs#15", "The variable-length string arrays of an AnnData store (dtype |O, vlen-utf8) carry the number 0 as fill_value; zarrs/anndata-rs: incompatible fill value 0 for data type string.",
      "The string arrays (obs/_index, var/_index, categories) have fill_value 0, a number, which does not fit the string data type (should be \"\").", "fill_value|string|_index")
class C11:
    def clean(p): adata(11).write_zarr(p)
    def fault(p):
        for d, _, fs in os.walk(p):
            if ".zarray" in fs and rj(d + "/.zarray")["dtype"] == "|O": edit(p, os.path.relpath(d + "/.zarray", p), lambda m: m.update(fill_value=0))
    def check(c, f):
        import anndata as ad
        assert ad.read_zarr(c).shape == (120, 60); m = [rj(f"{f}/{k}/.zarray") for k in ("obs/_index/values", "obs/cell_type/categories")]
        assert all(x["dtype"] == "|O" and x["fill_value"] == 0 and x["fill_value"] != "" for x in m) and rj(c + "/obs/_index/values/.zarray")["fill_value"] == ""

# ---------------------------------------------------------------- neurophysiology
def nwb(path, n, units=True, trials=True):
    r = rng(n); oid = lambda: str(uuid.UUID(bytes=r.bytes(16), version=4)); g = g2(path); root = oid()
    g.attrs.update({"neurodata_type": "NWBFile", "namespace": "core", "nwb_version": "2.7.0", "object_id": root, ".specloc": "specifications"})
    def s(q, name, txt):
        a = q.create_array(name, shape=(1,), chunks=(1,), dtype=str, compressors=BL); a[:] = np.array([txt]); a.attrs["zarr_dtype"] = "scalar"
    for k, v in (("identifier", oid()), ("session_description", "Extracellular recording of CA1 during linear track running"), ("session_start_time", "2015-08-31T10:12:05-05:00"), ("timestamps_reference_time", "2015-08-31T10:12:05-05:00")): s(g, k, v)
    a = g.create_array("file_create_date", shape=(1,), chunks=(1,), dtype=str, compressors=BL); a[:] = np.array(["2024-11-20T09:00:00-05:00"]); a.attrs["zarr_dtype"] = "datetime"
    for k in ("acquisition", "analysis", "processing", "stimulus/presentation", "stimulus/templates", "general"): g.require_group(k)
    sub = g["general"].create_group("subject"); sub.attrs.update({"namespace": "core", "neurodata_type": "Subject", "object_id": oid()})
    for k, v in (("subject_id", "YutaMouse41"), ("species", "Mus musculus"), ("sex", "M"), ("age", "P90D")): s(sub, k, v)
    for ns, ver, src in (("core", "2.7.0", "nwb.base"), ("hdmf-common", "1.8.0", "table")):
        q = g.require_group(f"specifications/{ns}/{ver}"); s(q, "namespace", json.dumps({"namespaces": [{"name": ns, "version": ver, "doc": f"{ns} namespace", "schema": [{"source": src}]}]})); s(q, src, json.dumps({"groups": [], "datasets": []}))
    col = lambda q, nm, d, desc, ty="VectorData", at={}: arr(q, nm, d, attrs={"namespace": "hdmf-common", "neurodata_type": ty, "object_id": oid(), "description": desc, **at}, comp=ZS)
    def table(q, cols, desc, ns, ty): q.attrs.update({"colnames": cols, "description": desc, "namespace": ns, "neurodata_type": ty, "object_id": oid()})
    if units:
        u = g.create_group("units"); st = [np.sort(r.uniform(0, 1200, r.integers(150, 400))) for _ in range(8)]; table(u, ["spike_times"], "Sorted units (KlustaKwik)", "core", "Units")
        t = col(u, "spike_times", np.concatenate(st), "the spike times for each unit in seconds", at={"resolution": 1 / 20000})
        col(u, "spike_times_index", np.cumsum([len(x) for x in st]).astype("u4"), "Index for VectorData 'spike_times'", "VectorIndex",
            {"target": {"zarr_dtype": "object", "value": {"path": "/units/spike_times", "source": ".", "object_id": t.attrs["object_id"], "source_object_id": root}}})
        arr(u, "id", np.arange(8), attrs={"namespace": "hdmf-common", "neurodata_type": "ElementIdentifiers", "object_id": oid()})
    if trials:
        q = g.create_group("intervals").create_group("trials"); t0 = np.cumsum(r.uniform(12, 22, 50)); table(q, ["start_time", "stop_time", "reward_time"], "Runs on the linear track", "core", "TimeIntervals")
        t1 = t0 + r.uniform(5, 10, 50)
        col(q, "start_time", t0, "Start time of epoch, in seconds"); col(q, "stop_time", t1, "Stop time of epoch, in seconds"); col(q, "reward_time", t1 - r.uniform(.2, 1, 50), "Time of reward, in seconds")
        arr(q, "id", np.arange(50), attrs={"namespace": "hdmf-common", "neurodata_type": "ElementIdentifiers", "object_id": oid()})
    zarr.consolidate_metadata(path)
def spikes(p, i):
    u = zarr.open_group(p, mode="r")["units"]; e = u["spike_times_index"][...]; return u["spike_times"][...][(e[i - 1] if i else 0):e[i]]

@case(12, "spikes-reset", "NeurodataWithoutBorders/nwbinspector#394", "The spike times of unit 1 start again from zero about halfway: they are not ascending within the unit.",
      "units/spike_times: the spike times of unit 1 (id 1) are not ascending, they fall back to about 0 in the middle.", "spike_times|ascending")
class C12:
    def clean(p): nwb(p, 12)
    def fault(p):
        u = zarr.open_group(p, mode="r+", use_consolidated=False)["units"]; e = u["spike_times_index"][...]; v = u["spike_times"][...]; s = v[e[0]:e[1]]; k = len(s) // 2; s[k:] -= s[k] - .0312; u["spike_times"][...] = v
    def check(c, f):
        assert all((np.diff(spikes(c, i)) > 0).all() for i in range(8)); d = [(np.diff(spikes(f, i)) < 0).sum() for i in range(8)]; assert d == [0, 1, 0, 0, 0, 0, 0, 0]; same(c, f, "units/id", "units/spike_times_index")

@case(13, "trials-zero", "NeurodataWithoutBorders/nwbinspector#677", "All start and stop times of the trials table are 0 (the reward times are not).",
      "intervals/trials: start_time and stop_time are 0 in all 50 rows.", "trials|start_time|all")
class C13:
    def clean(p): nwb(p, 13)
    def fault(p):
        q = zarr.open_group(p, mode="r+", use_consolidated=False)["intervals/trials"]; q["start_time"][...] = 0; q["stop_time"][...] = 0
        for k in ("start_time", "stop_time"):   # the chunk file stays, as in a real file
            d = f"{p}/intervals/trials/{k}"; m = rj(d + "/.zarray"); open(d + "/0", "wb").write(numcodecs.get_codec(m["compressor"]).encode(np.zeros(50)))
    def check(c, f):
        a, b = (zarr.open_group(x, mode="r")["intervals/trials"] for x in (c, f)); assert (a["stop_time"][...] > a["start_time"][...]).all() and (np.diff(a["start_time"][...]) > 0).all()
        assert not b["start_time"][...].any() and not b["stop_time"][...].any() and b["reward_time"][...].min() > 0

@case(14, "specloc-lost", "hdmf-dev/hdmf-zarr#243", "The root attribute `.specloc` is in `.zattrs` but not in the copy in `.zmetadata` (written after consolidation): readers of the consolidated metadata do not find the cached specifications.",
      "The consolidated metadata (.zmetadata) are out of step with the root .zattrs: the attribute .specloc is missing there.", ".specloc|.zmetadata")
class C14:
    def clean(p): nwb(p, 14)
    def fault(p):
        m = rj(p + "/.zmetadata"); del m["metadata"][".zattrs"][".specloc"]; wj(p + "/.zmetadata", m)
    def check(c, f):
        for x, n in ((c, True), (f, False)): assert (".specloc" in rj(x + "/.zmetadata")["metadata"][".zattrs"]) == n and ".specloc" in zarr.open_group(x, mode="r", use_consolidated=False).attrs and spikes(x, 3).size
        a, b = rj(c + "/.zmetadata"), rj(f + "/.zmetadata"); del a["metadata"][".zattrs"][".specloc"]; assert a == b

# ---------------------------------------------------------------- genomics
@case(15, "no-filter-id", "sgkit-dev/vcztools#213", "A VCF Zarr store has variant_filter (variants x filters) but not the array filter_id that names the filters; vcztools view fails on it.",
      "filter_id is missing though variant_filter has the dimension filters; the filters have no names.", "filter_id|missing")
class C15:
    def clean(p):
        r = rng(15); V, S = 200, 20; f = np.where(r.random(V) < .85, 0, r.integers(1, 3, V)); vf = np.zeros((V, 3), bool); vf[np.arange(V), f] = True
        ref = np.array(list("ACGT"), object)[r.integers(0, 4, V)]; alt = np.array(["ACGT"[("ACGT".index(x) + k) % 4] for x, k in zip(ref, r.integers(1, 4, V))], object)
        st = lambda x: np.array(x, dtype=object).astype(str).astype(object)
        gt = (r.random((V, S, 2)) < r.beta(.5, 2, V)[:, None, None]).astype("i1")
        ds = xr.Dataset({"contig_id": ("contigs", st(["chr20", "chr21"])), "contig_length": ("contigs", np.array([64444167, 46709983])), "filter_id": ("filters", st(["PASS", "q10", "s50"]), {"description": "VCF FILTER identifiers"}),
            "sample_id": ("samples", st([f"NA{12878 + i:05d}" for i in range(S)])), "variant_contig": ("variants", np.repeat(np.array([0, 1], "i1"), V // 2)),
            "variant_position": ("variants", np.concatenate([np.sort(r.choice(40_000_000, V // 2, False)) for _ in "ab"]).astype("i4") + 60001), "variant_allele": (("variants", "alleles"), np.stack([ref, alt], 1)),
            "variant_quality": ("variants", r.gamma(9, 60, V).astype("f4")), "variant_filter": (("variants", "filters"), vf), "variant_length": ("variants", np.ones(V, "i4")),
            "call_genotype": (("variants", "samples", "ploidy"), gt), "call_genotype_phased": (("variants", "samples"), np.ones((V, S), bool))},
            attrs={"source": "bio2zarr-0.1.5", "vcf_zarr_version": "0.4"})
        xz(ds, p, {v: {"_FillValue": None} if ds[v].dtype.kind in "fi" else {} for v in ds})
    def fault(p): drop(p, "filter_id")
    def check(c, f):
        a, b = xr.open_zarr(c).load(), xr.open_zarr(f).load(); assert a.sizes["filters"] == len(a.filter_id) == 3 and "filter_id" not in b and b.sizes["filters"] == 3 and a.variant_filter.equals(b.variant_filter)

# ---------------------------------------------------------------- machine learning
@case(16, "jpegxl-codec", "zarr-developers/numcodecs#547", "The camera images of a UMI replay buffer are compressed with `imagecodecs_jpegxl`, a codec of the imagecodecs package that Zarr readers do not know by themselves: codec not available.",
      "data/camera0_rgb uses the compressor imagecodecs_jpegxl, which is not a standard codec; it needs the imagecodecs package (register_codecs).", "camera0_rgb|imagecodecs_jpegxl")
class C16:
    def make(p, jxl):
        r = rng(16); T = 60; ends = np.array([18, 41, 60]); g = g2(p); d = g.create_group("data"); t = np.linspace(0, 6, T)
        yy, xx = np.mgrid[:32, :32]; im = np.stack([np.stack([np.clip(120 + 60 * np.sin(xx / 5 + k + a) + 40 * np.cos(yy / 6 - k), 0, 255) for a in (0, 1, 2)], -1) for k in t]).astype("u1")
        for nm, a in (("robot0_eef_pos", np.cumsum(r.normal(0, .01, (T, 3)), 0)), ("robot0_eef_rot_axis_angle", np.cumsum(r.normal(0, .02, (T, 3)), 0)), ("robot0_gripper_width", .04 + .03 * np.sin(t)[:, None])): arr(d, nm, a.astype("f4"))
        arr(g.create_group("meta"), "episode_ends", ends)
        arr(d, "camera0_rgb", im, (1, 32, 32, 3), comp=ZS)
        if jxl:
            from imagecodecs import jpegxl_encode
            q = p + "/data/camera0_rgb"; m = rj(q + "/.zarray"); m["compressor"] = {"id": "imagecodecs_jpegxl", "bitspersample": None, "decodingspeed": None, "distance": None, "effort": 3, "index": None, "keeporientation": None, "level": 99, "lossless": True, "numthreads": 1, "photometric": None, "planar": None, "usecontainer": None}; wj(q + "/.zarray", m)
            for i in range(T): open(f"{q}/{i}.0.0.0", "wb").write(jpegxl_encode(im[i], level=99, lossless=True, effort=3, numthreads=1))
    def clean(p): C16.make(p, 0)
    def fault(p): shutil.rmtree(p); C16.make(p, 1)
    def check(c, f):
        assert zarr.open(c)["data/camera0_rgb"][...].std() > 10; raises(lambda: zarr.open(f + "/data/camera0_rgb", mode="r")[...], "codec", "imagecodecs_jpegxl"); same(c, f, "meta/episode_ends", "data/robot0_eef_pos")
        from imagecodecs import jpegxl_decode
        assert (jpegxl_decode(open(f + "/data/camera0_rgb/7.0.0.0", "rb").read()) == zarr.open(c)["data/camera0_rgb"][7]).all()

@case(17, "lat-flipped", "NVIDIA/makani#64", "A conversion of model roll-outs turned the latitude coordinate over but not the fields (or the other way round): in July the polar night (no incoming sunlight) lies over the Arctic and the coldest air at the North Pole.",
      "latitude is reversed against the data: the fields are upside down (north and south swapped).", "latitude|flip")
class C17:
    def clean(p):
        r = rng(17); lat = np.linspace(90, -90, 37); lon = np.arange(0, 360, 5.); t = pd.date_range("2018-07-10", periods=4, freq="6h"); la = np.deg2rad(lat); dec = np.deg2rad(22.2)
        h = np.deg2rad(lon[None] + 15 * t.hour.values[:, None] - 180); mu = np.sin(la)[None, :, None] * np.sin(dec) + np.cos(la)[None, :, None] * np.cos(dec) * np.cos(h)[:, None, :]
        toa = (np.clip(mu, 0, None) * 1361 * 3600 * .967).astype("f4"); T = 301 - 24 * np.sin(la - .35) ** 2 * (lat > 20) - (lat < -5) * 62 * np.clip(-np.sin(la) - .08, 0, 1) ** 1.3
        t2 = (T[None, :, None] + 2.5 * field(r, (4, 37, 72), (1, 2, 3))).astype("f4")
        ds = xr.Dataset({"2m_temperature": (("time", "latitude", "longitude"), t2, {"long_name": "2 metre temperature", "standard_name": "air_temperature", "units": "K"}),
            "toa_incident_solar_radiation": (("time", "latitude", "longitude"), toa, {"long_name": "TOA incident solar radiation", "units": "J m**-2"})},
            coords={"time": TIME(t), "latitude": ("latitude", lat, {"standard_name": "latitude", "units": "degrees_north"}), "longitude": ("longitude", lon, {"standard_name": "longitude", "units": "degrees_east"})}, attrs={"Conventions": "CF-1.8", "source": "FourCastNet3 ensemble roll-out"})
        xz(ds, p, {"time": {"units": "hours since 2018-07-10", "dtype": "int64"}, **{v: {"chunks": (1, 37, 72)} for v in ds}})
    def fault(p):
        a = zarr.open_group(p, mode="r+")["latitude"]; a[...] = a[...][::-1]
    def check(c, f):
        for x, s in ((c, 1), (f, -1)):
            d = finite(x); n, z = (d.sel(latitude=k).mean() for k in (80 * s, -80 * s)); assert float(n["toa_incident_solar_radiation"]) > 1e6 and float(z["toa_incident_solar_radiation"]) == 0 and float(n["2m_temperature"]) > float(z["2m_temperature"]) + 20

# ---------------------------------------------------------------- other languages, archives
@case(18, "null-terminated-strings", "Huber-group-EMBL/Rarr#7", "An R writer wrote the fixed-length strings (|S1) with a terminating null byte each: every chunk decodes to twice the bytes that the shape and dtype ask for.",
      "letters: the chunks decode to 20 bytes instead of the 10 of chunk shape (5,2) x |S1 (each string has a null terminator).", "letters|size")
class C18:
    def clean(p):
        g = g2(p); x = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "S1").reshape(2, 13).T.copy()
        arr(g, "letters", x, (5, 2), comp=numcodecs.Zlib(level=6), fill=b""); arr(g, "counts", rng(18).poisson(40, (13, 2)).astype("i4"), (5, 2), comp=numcodecs.Zlib(level=6))
    def fault(p):
        z = numcodecs.Zlib(level=6)
        for k in range(3): b = bytes(z.decode(open(f"{p}/letters/{k}.0", "rb").read())); open(f"{p}/letters/{k}.0", "wb").write(z.encode(b"".join(bytes([x, 0]) for x in b)))
    def check(c, f): assert zarr.open(c)["letters"][...][12, 1] == b"Z"; raises(lambda: zarr.open(f)["letters"][...], "reshape"); same(c, f, "counts")

@case(19, "zip-overwritten", "zarr-developers/zarr-python#3516", "A ZIP store was written through two handles of the same file (dask workers): the start of the archive holds the second writer's chunk entries, the central directory at the end is the first writer's; BadZipFile.",
      "The zip archive is corrupt: the central directory names entries (zarr.json ...) whose local headers are not at their offsets (the beginning was overwritten).", "zip|header")
class C19:
    def build(only=None):
        r = rng(19); lat, lon = np.linspace(60, 40, 41), np.linspace(-10, 30, 81); ds = xr.Dataset({"t2m": (("lat", "lon"), (285 - .4 * (lat[:, None] - 50) + 2 * field(r, (41, 81))).astype("f4"), {"long_name": "2 metre temperature", "standard_name": "air_temperature", "units": "K"}),
            "orog": (("lat", "lon"), np.clip(400 + 500 * field(r, (41, 81), 3), 0, None).astype("f4"), {"long_name": "surface altitude", "standard_name": "surface_altitude", "units": "m"})}, coords={"lat": LAT(lat), "lon": LON(lon)}, attrs={"Conventions": "CF-1.8"})
        t = "/tmp/_b14_zip"; shutil.rmtree(t, ignore_errors=True); xz(ds, t, fmt=3, consolidated=False); ks = sorted(os.path.relpath(f"{d}/{x}", t) for d, _, fs in os.walk(t) for x in fs); out = {k: open(f"{t}/{k}", "rb").read() for k in ks}; shutil.rmtree(t); return out
    def zipb(d):
        b = io.BytesIO()
        with zipfile.ZipFile(b, "w", zipfile.ZIP_STORED) as z:
            for k, v in d.items(): z.writestr(zipfile.ZipInfo(k, (2025, 10, 10, 9, 0, 0)), v)
        return b.getvalue()
    def clean(p):
        d = C19.build(); os.makedirs(p); open(p + "/store.zip", "wb").write(C19.zipb(dict(sorted(d.items(), key=lambda k: ("c/" in k[0], k[0] != "zarr.json", k[0])))))
    def fault(p):
        d = C19.build(); a = bytearray(C19.zipb(dict(sorted(((k, v) for k, v in d.items() if not k.startswith("t2m/c")), key=lambda k: ("c/" in k[0], k[0] != "zarr.json", k[0])))))
        i = a.find(b"PK\1\2"); b = C19.zipb({k: v for k, v in d.items() if k.startswith("t2m/c")}); b = b[:min(len(b), i - 3000)]; a[:len(b)] = b; open(p + "/store.zip", "wb").write(a)
    def check(c, f):
        op = lambda x: zarr.open_group(zarr.storage.ZipStore(x + "/store.zip", mode="r"), mode="r")
        assert 260 < op(c)["t2m"][...].mean() < 310 and zipfile.ZipFile(c + "/store.zip").testzip() is None; raises(lambda: op(f)["t2m"][...], "BadZipFile"); assert "zarr.json" in zipfile.ZipFile(f + "/store.zip").namelist()

# ---------------------------------------------------------------- climate, ocean, satellites
def grid(n, var, vals, attrs, t, lat, lon, gattrs={}, **enc):
    return xr.Dataset({var: (("time", "lat", "lon"), vals, attrs)}, coords={"time": TIME(t), "lat": LAT(lat), "lon": LON(lon)}, attrs={"Conventions": "CF-1.8", **gattrs})

@case(20, "months-since", "ECMWFCode4Earth/ml_drought#26", "The time coordinate counts `months since 1900-01-01` in the gregorian calendar; a month has no fixed length there and xarray cannot decode the times.",
      "time has the units 'months since 1900-01-01', which cannot be decoded in the gregorian calendar.", "time|months since")
class C20:
    def clean(p):
        r = rng(20); t = pd.date_range("2000-01-01", periods=48, freq="MS"); la, lo = np.arange(-4.875, 5.2, .5), np.arange(33.625, 42.2, .5); s = 60 + 45 * np.sin(2 * np.pi * (t.month.values - 2) / 6)
        v = np.clip(s[:, None, None] * np.exp(.5 * field(r, (48, len(la), len(lo)), (0, 2, 2))), 0, None).astype("f4")
        xz(grid(20, "precip", v, {"long_name": "Climate Hazards group InfraRed Precipitation with Stations", "standard_name": "lwe_thickness_of_precipitation_amount", "units": "mm"}, t, la, lo, {"title": "CHIRPS Version 2.0"}), p, {"time": {"units": "days since 1900-01-01", "calendar": "gregorian", "dtype": "float64"}, "precip": {"chunks": (12, len(la), len(lo))}})
    def fault(p):
        zarr.open_group(p, mode="r+")["time"][...] = 1200. + np.arange(48); edit(p, "time/.zattrs", lambda d: d.update(units="months since 1900-01-01"))
    def check(c, f): assert str(finite(c).time.values[47])[:10] == "2003-12-01"; raises(lambda: xr.open_zarr(f), "decode")

@case(21, "metres-as-kgm2", "metno/bris-inference#60", "precipitation_amount is labelled kg/m2 (= mm) but the numbers are metres: a thousand times too small (wettest place of four days 0.03 mm).",
      "precipitation_amount: the values (max about 0.03) do not fit the units kg/m2, they are metres.", "precipitation_amount|units|kg/m2")
class C21:
    def clean(p):
        r = rng(21); t = pd.date_range("2025-03-01", periods=16, freq="6h"); la, lo = np.linspace(57, 72, 40), np.linspace(2, 32, 48); f = field(r, (16, 40, 48), (1, 2.5, 2.5)); v = np.clip(3.2 * np.exp(1.1 * f) - 3.5, 0, 60).astype("f4")
        ds = grid(21, "precipitation_amount", v, {"long_name": "precipitation amount in 6 hours", "standard_name": "precipitation_amount", "units": "kg/m2", "cell_methods": "time: sum (interval: 6 hours)"}, t, la, lo, {"source": "bris inference"})
        ds["air_temperature_2m"] = (("time", "lat", "lon"), (274 - .5 * (la[None, :, None] - 60) + 3 * field(r, (16, 40, 48), (1, 4, 4))).astype("f4"), {"long_name": "air temperature at 2 m", "standard_name": "air_temperature", "units": "K"})
        xz(ds, p, {"time": {"units": "hours since 1970-01-01", "dtype": "int64"}, **{k: {"chunks": (4, 40, 48)} for k in ds}})
    def fault(p):
        a = zarr.open_group(p, mode="r+")["precipitation_amount"]; a[...] = a[...] / 1000
    def check(c, f):
        a, b = finite(c).precipitation_amount, finite(f).precipitation_amount; assert 10 < a.max() < 61 and b.max() < .062 and b.attrs["units"] == "kg/m2"; same(c, f, "air_temperature_2m")

@case(22, "celsius-as-kelvin", "Cloud-Drift/clouddrift#420", "The sea temperature of a drifter data set is labelled Kelvin while the values are degrees Celsius (2 to 31).",
      "temp has units Kelvin but its values (2...31) can only be degrees Celsius.", "temp|Kelvin")
class C22:
    def clean(p):
        r = rng(22); n = r.integers(60, 200, 9); N = n.sum(); lon, lat, tm, te = [], [], [], []
        for k in n:
            a, b = r.uniform(-60, 0), r.uniform(-35, 55); lat.append(b + np.cumsum(r.normal(0, .04, k))); lon.append(a + np.cumsum(r.normal(.01, .05, k))); tm.append(r.integers(9000, 12000) * 86400 + 21600 * np.arange(k)); te.append(29.5 - .42 * abs(lat[-1]) + gaussian_filter(r.normal(0, 1.5, k), 3))
        c = lambda x: np.concatenate(x); A = lambda s, l, u: {"standard_name": s, "long_name": l, "units": u}
        ds = xr.Dataset({"rowsize": ("traj", n.astype("i8"), {"long_name": "Number of observations per trajectory", "sample_dimension": "obs", "units": "1"}), "temp": ("obs", c(te).astype("f4"), A("sea_surface_temperature", "Sea surface bulk temperature", "degree_Celsius")), "ve": ("obs", r.normal(.05, .25, N).astype("f4"), A("eastward_sea_water_velocity", "Eastward velocity", "m/s"))},
            coords={"id": ("traj", 101000 + 37 * np.arange(9), {"long_name": "Global Drifter Program buoy ID", "cf_role": "trajectory_id", "units": "1"}), "time": ("obs", pd.to_datetime(c(tm), unit="s"), {"standard_name": "time", "long_name": "Time"}), "lon": ("obs", c(lon).astype("f4"), A("longitude", "Longitude", "degrees_east")), "lat": ("obs", c(lat).astype("f4"), A("latitude", "Latitude", "degrees_north"))}, attrs={"Conventions": "CF-1.8", "featureType": "trajectory", "title": "Global Drifter Program six-hourly drifter data"})
        xz(ds, p, {"time": {"units": "seconds since 1970-01-01", "dtype": "int64"}})
    def fault(p): edit(p, "temp/.zattrs", lambda d: d.update(units="Kelvin"))
    def check(c, f):
        a, b = finite(c), finite(f); assert int(a.rowsize.sum()) == a.sizes["obs"] and float(a.temp.min()) > -2 and float(b.temp.max()) < 35 and b.temp.attrs["units"] == "Kelvin"; same(c, f, "temp")

@case(23, "apple-double", "pydata/xarray#10616", "The store was copied from a Mac and has an AppleDouble file `._name` beside every file and directory (._zarr.json, ._t2m ...); readers list them as members and warn or fail.",
      "The store contains macOS AppleDouble files (._zarr.json and others), which are not part of the Zarr hierarchy.", "._zarr.json|macOS")
class C23:
    def clean(p):
        r = rng(23); t = pd.date_range("2023-01-01", periods=8, freq="6h"); la, lo = np.arange(55, 44, -1.), np.arange(-5, 10, 1.)
        xz(grid(23, "t2m", (279 + 3 * field(r, (8, len(la), len(lo)), (1, 2, 2))).astype("f4"), {"long_name": "2 metre temperature", "standard_name": "air_temperature", "units": "K"}, t, la, lo), p, {"time": {"units": "hours since 2023-01-01", "dtype": "int64"}, "t2m": {"chunks": (4, len(la), len(lo))}}, fmt=3, consolidated=False)
    def fault(p):
        b = struct.pack(">II16sH", 0x00051607, 0x00020000, b"Mac OS X        ", 2) + struct.pack(">III", 9, 50, 113) + struct.pack(">III", 2, 163, 0) + b"\0" * 34 + b"ATTR" + struct.pack(">IIII", 0, 163, 120, 43) + b"\0" * 12 + struct.pack(">HH", 0, 1) + b"com.apple.provenance\0" + b"\0" * 36
        for d, ds, fs in list(os.walk(p)):
            for x in ds + fs: open(f"{d}/._{x}", "wb").write(b)
    def check(c, f):
        def w(x):
            with warnings.catch_warnings(record=True) as l: warnings.simplefilter("always"); xr.open_zarr(x, consolidated=False).load()
            return [str(k.message) for k in l if "not recognized" in str(k.message)]
        assert not w(c) and any("._zarr.json" in k for k in w(f)); same(c, f, "t2m")

@case(24, "strings-no-dims", "fsspec/kerchunk#278", "Two string arrays (utc_tuple_lbl, obs_id) have no `_ARRAY_DIMENSIONS` attribute, all others have: xarray cannot open the store.",
      "obs_id and utc_tuple_lbl lack the attribute _ARRAY_DIMENSIONS.", "obs_id|_ARRAY_DIMENSIONS|utc_tuple_lbl")
class C24:
    def clean(p):
        r = rng(24); A, X = 30, 45; st = lambda x: np.array(x, object); lab = ["year", "month", "day", "hour", "minute", "second", "millisec", "microsec"]
        T = pd.date_range("2019-06-01", periods=A, freq="8s"); utc = np.stack([T.year, T.month, T.day, T.hour, T.minute, T.second, T.microsecond // 1000, T.microsecond % 1000], 1).astype("i2"); wn = np.linspace(650, 1095, X)
        ds = xr.Dataset({"rad": (("obs", "wnum"), (90 - .05 * (wn - 650)[None] + 4 * field(r, (A, X), 3)).astype("f4"), {"long_name": "spectral radiance", "units": "mW m-2 sr-1 (cm-1)-1"}), "obs_time_utc": (("obs", "utc_tuple"), utc, {"long_name": "UTC time as an array of integers", "units": "1"})},
            coords={"wnum": ("wnum", wn, {"long_name": "wave number", "units": "cm-1"}), "obs_id": ("obs", st([k.strftime("%Y%m%dT%H%M%S") + ".A23" for k in T]), {"long_name": "unique observation identifier"}), "utc_tuple_lbl": ("utc_tuple", st(lab), {"long_name": "names of the elements of UTC when it is expressed as an array of integers"}), "lat": ("obs", np.linspace(-12, 3, A).astype("f4"), {"standard_name": "latitude", "units": "degrees_north"}), "lon": ("obs", np.linspace(102, 98, A).astype("f4"), {"standard_name": "longitude", "units": "degrees_east"})}, attrs={"Conventions": "CF-1.7", "title": "SNPP CrIS CHIRP"})
        xz(ds, p)
    def fault(p):
        for k in ("obs_id", "utc_tuple_lbl"): edit(p, k + "/.zattrs", lambda d: d.pop("_ARRAY_DIMENSIONS") and None)
    def check(c, f): assert finite(c).sizes["obs"] == 30; raises(lambda: xr.open_zarr(f), "dimension"); same(c, f, "rad", "obs_id")

@case(25, "half-written-json", "zarr-developers/zarr-python#2729", "The array metadata document text_data/zarr.json is cut off in the middle (written by one process while another reads, then killed): JSONDecodeError.",
      "text_data/zarr.json is not valid JSON: it is truncated.", "text_data/zarr.json|JSON")
class C25:
    def clean(p):
        r = rng(25); g = zarr.open_group(p, mode="w", zarr_format=3, attributes={"station": "line-3", "logger": "v1.4"}); g.create_array("numeric_data", data=np.cumsum(r.normal(0, .1, (400, 4)), 0).astype("f8"), chunks=(100, 4), dimension_names=["row", "channel"])
        a = g.create_array("text_data", shape=(400,), chunks=(100,), dtype=str, dimension_names=["row"]); a[:] = np.array([["ok", "warn: drift", "ok", "recalibrated"][k] for k in r.choice(4, 400, p=[.6, .1, .25, .05])])
    def fault(p):
        k = p + "/text_data/zarr.json"; b = open(k, "rb").read(); open(k, "wb").write(b[:len(b) * 2 // 3])
    def check(c, f): assert zarr.open(c)["text_data"][0] in ("ok", "warn: drift", "recalibrated"); raises(lambda: zarr.open_group(f, mode="r")["text_data"][:], "JSONDecodeError"); same(c, f, "numeric_data")

@case(26, "utm-as-4326", "google/Xee#226", "The coordinates x and y are UTM metres (zone 13N: 750015..., 4219995...) but spatial_ref says EPSG:4326 (WGS 84 degrees): the raster lies nowhere on Earth.",
      "spatial_ref declares EPSG:4326 while x and y are projected metres (UTM zone 13N, EPSG:32613).", "spatial_ref|4326")
class C26:
    def clean(p):
        import rioxarray
        r = rng(26); x, y = 750015 + 30. * np.arange(60), 4219995 - 30. * np.arange(60); t = pd.date_range("2022-07-01", periods=3, freq="16D")
        v = (.35 + .18 * np.tanh(field(r, (3, 60, 60), (0, 4, 4)))).astype("f4"); ds = xr.Dataset({"NDVI": (("time", "y", "x"), v, {"long_name": "normalized difference vegetation index", "units": "1"})},
            coords={"time": TIME(t), "x": ("x", x, {"standard_name": "projection_x_coordinate", "long_name": "x coordinate of projection", "units": "metre", "axis": "X"}), "y": ("y", y, {"standard_name": "projection_y_coordinate", "long_name": "y coordinate of projection", "units": "metre", "axis": "Y"})}, attrs={"Conventions": "CF-1.8"})
        ds = ds.rio.write_crs(32613); ds.NDVI.encoding.clear(); ds.NDVI.attrs["grid_mapping"] = "spatial_ref"; xz(ds, p, {"time": {"units": "days since 2022-01-01", "dtype": "int64"}, "NDVI": {"chunks": (1, 60, 60)}})
    def fault(p):
        import rioxarray
        at = xr.DataArray(0).rio.write_crs(4326).spatial_ref.attrs
        edit(p, "spatial_ref/.zattrs", lambda d: {**{k: v for k, v in d.items() if k in ("_ARRAY_DIMENSIONS", "GeoTransform")}, **{k: (v.item() if hasattr(v, "item") else v) for k, v in at.items()}})
    def check(c, f):
        import rioxarray
        a, b = (xr.open_zarr(k, decode_coords="all") for k in (c, f)); assert a.rio.crs.to_epsg() == 32613 and b.rio.crs.to_epsg() == 4326 and float(b.y.max()) > 4e6; same(c, f, "x", "y", "NDVI")
        assert np.isfinite(a.NDVI.values).all() and -115 < a.rio.transform_bounds("EPSG:4326")[0] < -90

@case(27, "one-sweep-of-four", "ARM-DOE/pyart#1491", "A CfRadial volume of four PPI sweeps (elevation 0.5, 1.5, 2.4, 3.4) has sweep metadata for a single sweep only: sweep_number [0], fixed_angle [0.5], rays 0..359.",
      "The sweep variables (fixed_angle, sweep_number, sweep_start/end_ray_index) describe one sweep, but elevation (and azimuth) show four sweeps in the 360 rays.", "fixed_angle|sweep|elevation")
class C27:
    def make(p, one):
        r = rng(27); R, G = 90, 60; el = np.array([.5, 1.5, 2.4, 3.4], "f4"); n = 4 * R; az = np.tile((np.arange(R) * 4 + 2) % 360, 4).astype("f4"); t = pd.Timestamp("2023-06-10T12:00:00") + pd.to_timedelta(np.arange(n) * 150, unit="ms"); rg = (125 + 500 * np.arange(G)).astype("f4")
        z = np.concatenate([np.clip(22 + 11 * field(r, (R, G), 4) - 4 * k, -20, 60) for k in range(4)]).astype("f4"); S = 1 if one else 4; st = np.array([0]) if one else np.arange(4) * R; en = np.array([n - 1]) if one else st + R - 1
        A = lambda l, u, **k: {"long_name": l, "units": u, **k}; ds = xr.Dataset({"volume_number": ((), np.int32(7), A("data_volume_index_number", "1")), "time_coverage_start": ((), "2023-06-10T12:00:00Z", {"long_name": "data_volume_start_time_utc"}), "time_coverage_end": ((), "2023-06-10T12:00:54Z", {"long_name": "data_volume_end_time_utc"}), "DBZH": (("time", "range"), z, A("equivalent reflectivity factor H", "dBZ", standard_name="equivalent_reflectivity_factor")), "sweep_number": ("sweep", np.arange(S, dtype="i4"), A("sweep_index_number_0_based", "1")), "fixed_angle": ("sweep", el[:S], A("ray_target_fixed_angle", "degrees")),
            "sweep_start_ray_index": ("sweep", st.astype("i4"), A("index_of_first_ray_in_sweep", "1")), "sweep_end_ray_index": ("sweep", en.astype("i4"), A("index_of_last_ray_in_sweep", "1")), "sweep_mode": ("sweep", np.array(["azimuth_surveillance"] * S, object), {"long_name": "scan_mode_for_sweep"}), "azimuth": ("time", az, A("azimuth_angle_from_true_north", "degrees", standard_name="ray_azimuth_angle")), "elevation": ("time", np.repeat(el, R) + r.normal(0, .01, n).astype("f4"), A("elevation_angle_from_horizontal_plane", "degrees", standard_name="ray_elevation_angle")),
            "latitude": ((), 34.93, A("latitude", "degrees_north", standard_name="latitude")), "longitude": ((), -97.46, A("longitude", "degrees_east", standard_name="longitude")), "altitude": ((), 380., A("altitude", "meters", standard_name="altitude"))}, coords={"time": TIME(t), "range": ("range", rg, A("range_to_measurement_volume", "meters", standard_name="projection_range_coordinate", axis="radial_range_coordinate", meters_to_center_of_first_gate=125., meters_between_gates=500.))}, attrs={"Conventions": "CF/Radial instrument_parameters", "version": "1.3", "title": "PPI volume", "institution": "SR field campaign", "instrument_name": "SR-1"})
        xz(ds, p, {"time": {"units": "seconds since 2023-06-10T12:00:00Z", "dtype": "float64"}, "DBZH": {"chunks": (90, 60)}, **{k: {"_FillValue": None} for k in ("azimuth", "elevation", "fixed_angle", "latitude", "longitude", "altitude")}})
    def clean(p): C27.make(p, 0)
    def fault(p): shutil.rmtree(p); C27.make(p, 1)
    def check(c, f):
        a, b = finite(c), finite(f); same(c, f, "DBZH", "azimuth", "elevation", "time")
        for k, (s, e, x) in enumerate(zip(a.sweep_start_ray_index.values, a.sweep_end_ray_index.values, a.fixed_angle.values)): assert abs(a.elevation.values[s:e + 1] - x).max() < .1
        assert b.sizes["sweep"] == 1 and b.elevation.max() > 3 and int(b.sweep_end_ray_index[0]) == 359

@case(28, "per-file-offset", "zarr-developers/VirtualiZarr#1059", "Daily files that were each packed with their own add_offset were concatenated chunk by chunk under the first file's scale/offset: days 3, 4 and 6 decode up to 3.7 K wrong, everywhere at once.",
      "sea_surface_temperature: some time chunks were packed with another add_offset (per-file packing); whole days jump by -3.7 K against their neighbours.", "sea_surface_temperature|add_offset")
class C28:
    OFF = [292.17, 292.17, 288.44, 288.75, 292.17, 290.02, 292.17, 292.17]
    def make(p, off):
        r = rng(28); la, lo = np.arange(-20, -40, -.5), np.arange(145, 165, .5); t = pd.date_range("2015-02-03T12:00", periods=8, freq="D"); T = 297.5 + .38 * (la[None, :, None] + 25) + .9 * field(r, (1, 40, 40), (0, 4, 4)) + .25 * field(r, (8, 40, 40), (1, 3, 3))
        q = np.round((T - np.array(off)[:, None, None]) / .01).astype("i2")
        xz(grid(28, "sea_surface_temperature", q, {"long_name": "sea surface skin temperature", "standard_name": "sea_surface_skin_temperature", "units": "kelvin", "scale_factor": .01, "add_offset": 292.17, "_FillValue": -32768}, t, la, lo, {"title": "IMOS L3S Day and Night gridded multiple-sensor SST"}), p, {"time": {"units": "seconds since 1981-01-01", "dtype": "int64"}, "sea_surface_temperature": {"chunks": (1, 40, 40)}})
    def clean(p): C28.make(p, [292.17] * 8)
    def fault(p): shutil.rmtree(p); C28.make(p, C28.OFF)
    def check(c, f):
        a, b = (xr.open_zarr(x).sea_surface_temperature.load() for x in (c, f)); assert np.isfinite(a.values).all() and float(abs(a.diff("time").mean(("lat", "lon"))).max()) < .5
        d = (b - a).mean(("lat", "lon")).values; assert np.allclose(d, 292.17 - np.array(C28.OFF), atol=.02) and float(abs(b.diff("time").mean(("lat", "lon"))).max()) > 3

@case(29, "ancillary-gone", "xarray-contrib/cf-xarray#263", "temp names its quality flags in `ancillary_variables = \"temp_qc\"`, but the store (a subset) has no variable temp_qc.",
      "The attribute ancillary_variables of temp refers to temp_qc, which is not in the store.", "temp_qc|ancillary_variables")
class C29:
    def clean(p):
        r = rng(29); t = pd.date_range("2021-07-01", periods=30, freq="h"); z = np.array([.5, 5., 10., 20., 40.]); v = (14 - .12 * z[None] + .6 * np.sin(np.arange(30) / 4)[:, None] + r.normal(0, .1, (30, 5))).astype("f4")
        ds = xr.Dataset({"temp": (("time", "depth"), v, {"long_name": "sea water temperature", "standard_name": "sea_water_temperature", "units": "degree_Celsius", "ancillary_variables": "temp_qc"}), "temp_qc": (("time", "depth"), (1 + 3 * (r.random((30, 5)) < .04)).astype("i1"), {"long_name": "sea water temperature quality flag", "standard_name": "quality_flag", "flag_values": [1, 2, 3, 4, 9], "flag_meanings": "pass not_evaluated suspect fail missing"}),
            "salt": (("time", "depth"), (33 + .01 * z[None] + r.normal(0, .03, (30, 5))).astype("f4"), {"long_name": "sea water practical salinity", "standard_name": "sea_water_practical_salinity", "units": "1"})}, coords={"time": TIME(t), "depth": ("depth", z, {"standard_name": "depth", "long_name": "depth", "units": "m", "positive": "down", "axis": "Z"})}, attrs={"Conventions": "CF-1.8", "title": "Mooring M1"})
        ds.temp_qc.attrs["flag_values"] = np.array([1, 2, 3, 4, 9], "i1"); xz(ds, p, {"time": {"units": "hours since 2021-07-01", "dtype": "int64"}, "temp_qc": {"_FillValue": None}})
    def fault(p): drop(p, "temp_qc")
    def check(c, f):
        import cf_xarray
        def w(x):
            with warnings.catch_warnings(record=True) as l: warnings.simplefilter("always"); d = xr.open_zarr(x).load(); d.cf["sea_water_temperature"]; d.cf[["temp"]]
            return [str(k.message) for k in l if "not found" in str(k.message)]
        finite(c); assert not w(c) and any("temp_qc" in k for k in w(f)), w(f); same(c, f, "temp", "salt")

@case(30, "implicit-groups", "zarr-developers/zarr-python#2794", "Arrays were created by a nested name and the groups between have no zarr.json (implicit groups, not allowed in Zarr V3): the members cannot be found by listing.",
      "The groups measurements and measurements/reflectance have no zarr.json; the arrays below (r10m/b02 ...) are not reachable from the root.", "measurements|zarr.json")
class C30:
    def clean(p):
        r = rng(30); g = zarr.open_group(p, mode="w", zarr_format=3, attributes={"title": "Sentinel-2 L2A subset", "proj:code": "EPSG:32632"})
        for k, b in enumerate(("b02", "b03", "b04")):
            a = g.create_array(f"measurements/reflectance/{b}", shape=(96, 96), chunks=(48, 48), dtype="u2", dimension_names=["y", "x"], attributes={"long_name": f"BOA reflectance band {b[1:]}", "units": "1", "scale_factor": .0001}); a[...] = np.clip(900 + 200 * k + 260 * field(r, (96, 96), 4), 1, None).astype("u2")
    def fault(p):
        for k in ("measurements", "measurements/reflectance"): os.remove(f"{p}/{k}/zarr.json")
    def check(c, f):
        assert os.path.exists(c + "/measurements/zarr.json") and len(zarr.open_group(c, mode="r").members(max_depth=None)) == 5; g = zarr.open_group(f, mode="r"); assert not g.members(max_depth=None); raises(lambda: g["measurements"]); same(c, f, "measurements/reflectance/b02")

# ---------------------------------------------------------------- run
def main(ns):
    os.makedirs(OUT, exist_ok=True); whole = passed = 0; bad = []
    for n in ns:
        slug, thread, fault, answer, words, cls = CASES[n]; d = f"{OUT}/{slug}"; shutil.rmtree(d, ignore_errors=True); c, f = d + "/clean", d + "/fault"
        try:
            os.makedirs(d); cls.clean(c); shutil.copytree(c, f); cls.fault(f); whole += 1
            for x in (c, f):
                fl = [os.path.join(a, k) for a, _, b in os.walk(x) for k in b]; sz = sum(map(os.path.getsize, fl)); assert len(fl) <= 300 and sz < 200_000, (len(fl), sz)
            if n != 19:
                for k, a in zarr.open_group(c, mode="r").members(max_depth=None):
                    if isinstance(a, zarr.Array) and a.nchunks_initialized < a.nchunks and not k.endswith(("mask",)): print("   note: clean", k, a.nchunks_initialized, "of", a.nchunks, "chunks")
            cls.check(c, f); passed += 1; print(f"{slug}: ok, {len(fl)} files, {sz // 1000} kB")
        except BaseException as e:
            import traceback; bad.append(slug); print(f"{slug}: FAILED {type(e).__name__}: {str(e)[:300]}"); traceback.print_exc(limit=-3)
    wj(OUT + "/cases.json", {CASES[n][0]: CASES[n][4] for n in sorted(CASES)})
    with open(OUT + "/answers.md", "w") as o:
        o.write("| NN | thread | fault | what a good answer names |\n|---|---|---|---|\n")
        for n in sorted(CASES): s, t, fa, an, w, _ = CASES[n]; o.write(f"| {s} | {t} | {fa.replace('|', chr(92) + '|')} | {an.replace('|', chr(92) + '|')} |\n")
    print(f"{whole} of {len(ns)} whole, {passed} checks passed", bad or "")
    return 1 if bad else 0
if __name__ == "__main__": sys.exit(main([int(a) for a in sys.argv[1:]] or sorted(CASES)))
