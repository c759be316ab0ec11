"""Blind set 10: thirty stores, each with one fault that people met, and a clean twin. rng(n) = 101000+n."""
import importlib.metadata as _m
_v = _m.version  # numcodecs cannot parse zfpy's version "1.0.1.post0"
_m.version = lambda n: _v(n).replace(".post0", "") if n == "zfpy" else _v(n)
import json, os, shutil, sys, uuid, warnings, zipfile
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr, anndata as ad, numcodecs
from numcodecs import Blosc
from scipy import sparse
from scipy.ndimage import gaussian_filter
from ome_zarr.writer import write_plate_metadata, write_well_metadata
from ome_zarr.format import FormatV04
import ome_zarr_models
warnings.simplefilter("ignore")
OUT = Path(os.environ.get("OUT", "/tmp/blind10"))
CASES = {}
rng = lambda n: np.random.default_rng(101000 + n)

def case(n, name, thread, fault, answer, words):
    def deco(cls):
        CASES[n] = dict(cls=cls, name=f"{n:02d}-{name}", thread=thread, fault=fault, answer=answer, words=words)
        return cls
    return deco

# ---------- helpers
def jread(p): return json.loads(Path(p).read_text())
def jwrite(p, d, **k): Path(p).write_text(json.dumps(d, indent=4, **k))
def jedit(p, fn):
    d = jread(p); r = fn(d); jwrite(p, d if r is None else r)
def smooth(r, shape, sigma):
    f = gaussian_filter(r.standard_normal(shape), sigma, mode="wrap"); return f / f.std()
def spots(r, shape, n=40, s=3, amp=1800, bg=320):
    """fluorescence-like planes: nuclei, background, shot noise -> uint16; and the label image"""
    h, w = shape[-2:]; lab = np.zeros((h, w), "i4"); img = np.zeros((h, w)); yy, xx = np.mgrid[:h, :w]; k = 0
    for _ in range(n):
        y, x = r.uniform(4, h - 4), r.uniform(4, w - 4); rad = r.uniform(.8, 1.3) * s
        m = (yy - y) ** 2 + (xx - x) ** 2 <= rad ** 2
        if lab[m].any(): continue
        k += 1; lab[m] = k; img += r.uniform(.6, 1) * np.exp(-((yy - y) ** 2 + (xx - x) ** 2) / (2 * (rad * .7) ** 2))
    out = r.poisson(bg + amp * np.broadcast_to(img, shape) * (1 + .1 * r.standard_normal(shape[:-2])[..., None, None])).astype("u2")
    return out, lab
COL = ["00FFFF", "FF00FF", "FFFF00"]
def omero(names, hi=3000, mx=65535):
    return {"channels": [{"label": n, "color": COL[i], "active": True, "window": {"min": 0, "max": mx, "start": hi // 8, "end": hi}} for i, n in enumerate(names)],
            "rdefs": {"model": "color"}}
def image(g, data, axes, px, name, chan=None, levels=2, chunks=None, label=None):
    """an OME-Zarr 0.4 image as ome-zarr-py, fractal, faim write it: levels 0, 1, ...; labels by nearest, images by mean"""
    ds = []; unit = {"t": "second"}
    for i in range(levels):
        s = 2 ** i; a = data
        if i:
            h, w = data.shape[-2] // s, data.shape[-1] // s; a = data[..., :h * s, :w * s]
            a = a[..., s // 2::s, s // 2::s] if label else a.reshape(*a.shape[:-2], h, s, w, s).mean((-3, -1)).astype(data.dtype)
        v2arr(g, str(i), np.ascontiguousarray(a), tuple(min(x, y) for x, y in zip(chunks or data.shape, a.shape)), fill=0, sep="/")
        ds.append({"path": str(i), "coordinateTransformations": [{"type": "scale", "scale": [px[k] * (s if k in "yx" else 1) for k in axes]}]})
    ax = [{"name": k, "type": "channel"} if k == "c" else {"name": k, "type": "time" if k == "t" else "space", "unit": unit.get(k, "micrometer")} for k in axes]
    g.attrs["multiscales"] = [{"version": "0.4", "name": name, "axes": ax, "datasets": ds}]
    if chan: g.attrs["omero"] = {**omero(chan), "version": "0.4", "name": name}
    if label: g.attrs["image-label"] = {"version": "0.4", "source": {"image": "../../"}}
def ok_ome(p):
    return ome_zarr_models.open_ome_zarr(zarr.open_group(str(p), mode="r"))
def fails(fn, *ex):
    try: fn()
    except (ex or Exception) as e: return e
    raise AssertionError("expected an error")
def readall(p, nan=()):
    """every array reads, floats finite"""
    g = zarr.open_group(str(p), mode="r"); n = 0
    for k, a in g.members(max_depth=None):
        if isinstance(a, zarr.Array):
            v = a[...]; n += 1
            if getattr(v, "dtype", None) is not None and v.dtype.kind == "f" and k not in nan: assert np.isfinite(v).all(), k
    assert n
    return n
def xo(p, **k): return xr.open_zarr(str(p), **k)
def v2arr(g, name, data, chunks=None, attrs=None, fill=None, sep=".", comp=Blosc("lz4", 5, 1), dtype=None):
    kw = dict(shape=np.shape(data), dtype=dtype or data.dtype, chunks=chunks or np.shape(data) or (), fill_value=fill, compressors=comp, chunk_key_encoding={"name": "v2", "separator": sep})
    a = g.create_array(name, **kw, config={"write_empty_chunks": True}); a[...] = data
    if attrs: a.attrs.update(attrs)
    return a
def chunks_of(p, arr):
    return sorted(q for q in (Path(p) / arr).rglob("*") if q.is_file() and q.name not in (".zarray", ".zattrs", "zarr.json"))
NF = {"_FillValue": None}
LAT = {"standard_name": "latitude", "long_name": "latitude", "units": "degrees_north", "axis": "Y"}
LON = {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east", "axis": "X"}
def latlon(la, lo):
    return {"lat": ("lat", np.asarray(la, "f8"), LAT, NF), "lon": ("lon", np.asarray(lo, "f8"), LON, NF)}
def temp(r, nt, la, lo, base=288., amp=25.):
    la = np.asarray(la); day = np.arange(nt)[:, None, None]
    return (base + amp * (np.cos(np.deg2rad(la))[None, :, None] - .6) + 4 * np.sin(2 * np.pi * day / 40) + 2.5 * smooth(r, (nt, len(la), len(lo)), (2, 2, 2))).astype("f4")
TA = {"standard_name": "time", "long_name": "time", "axis": "T"}

# ---------- 01-11 OME-Zarr
def plate04(p, n, wells=("B/03", "B/05", "C/03", "C/05")):
    r = rng(n); g = zarr.open_group(str(p), mode="w", zarr_format=2)
    write_plate_metadata(g, rows=["B", "C"], columns=["03", "05"], wells=list(wells), fmt=FormatV04(), name="20200812-CardiomyocyteDifferentiation14-Cycle1_mip",
                         acquisitions=[{"id": 0, "name": "20200812-Cycle1", "maximumfieldcount": 1}], field_count=1)
    for w in wells:
        wg = g.require_group(w); write_well_metadata(wg, images=[{"path": "0", "acquisition": 0}], fmt=FormatV04())
        d, _ = spots(r, (1, 72, 80), 22)
        image(wg.create_group("0"), d, "cyx", {"c": 1., "y": .1625, "x": .1625}, "DAPI", ["DAPI"])

@case(1, "plate-rows-cols", "fractal-analytics-platform/fractal-tasks-core#735",
      "After the projection task the plate's `rows` and `columns` lists are exchanged in the plate .zattrs; well paths are still B/03 ... Images show empty in napari.",
      "In the plate metadata rows and columns are swapped: rows list 03, 05 and columns B, C while the well paths are row/column (B/03).", "row|column")
class C1:
    def clean(p): plate04(p, 1)
    def fault(p): jedit(p / ".zattrs", lambda d: d["plate"].update(rows=d["plate"]["columns"], columns=d["plate"]["rows"]))
    def check(c, f):
        readall(c); ok_ome(c)
        pl = zarr.open_group(str(f), mode="r").attrs["plate"]
        w = pl["wells"][0]; want = pl["rows"][w["rowIndex"]]["name"] + "/" + pl["columns"][w["columnIndex"]]["name"]
        assert want == "03/B" and w["path"] == "B/03" and want not in zarr.open_group(str(f), mode="r")

@case(2, "scale-length", "fractal-analytics-platform/fractal-tasks-core#420",
      "The image has four axes (c, z, y, x) but each dataset's scale has only three entries (z, y, x), as the converter wrote them.",
      "coordinateTransformations of the datasets: scale has 3 values for 4 axes (the channel entry is missing).", "scale|3")
class C2:
    def clean(p):
        g = zarr.open_group(str(p), mode="w", zarr_format=2); d, _ = spots(rng(2), (2, 4, 64, 64), 25)
        image(g, d, "czyx", {"c": 1., "z": 1., "y": .1625, "x": .1625}, "B03_FOV1", ["DAPI", "nanog"], 3, (1, 2, 64, 64))
    def fault(p):
        def fn(d):
            for ds in d["multiscales"][0]["datasets"]:
                for t in ds["coordinateTransformations"]: t[t["type"]] = t[t["type"]][1:]
        jedit(p / ".zattrs", fn)
    def check(c, f):
        readall(c); ok_ome(c); fails(lambda: ok_ome(f))
        assert len(zarr.open_group(str(f), mode="r").attrs["multiscales"][0]["datasets"][0]["coordinateTransformations"][0]["scale"]) == 3

@case(3, "flat-keys", "ome/napari-ome-zarr#91",
      "OME-Zarr 0.4 image whose arrays were written with zarr's default '.' chunk separator (flat names 0.0.0.0, no dimension_separator): the viewer looks for nested names and shows only zeros.",
      "The arrays' chunk names use the '.' separator (no dimension_separator '/'), which OME-Zarr 0.4 requires; readers that assume '/' see only the fill value.", "separator")
class C3:
    def _w(p, sep):
        r = rng(3); g = zarr.open_group(str(p), mode="w", zarr_format=2); d, _ = spots(r, (1, 16, 48, 48), 18)
        ds = []
        for i in range(3):
            s = 2 ** i; v2arr(g, str(i), np.ascontiguousarray(d[:, ::s, ::s, ::s]), (1, 8, 24, 24), fill=0, sep=sep)
            ds.append({"path": str(i), "coordinateTransformations": [{"type": "scale", "scale": [1., .406 * s, .406 * s, .406 * s]}]})
        g.attrs.update({"multiscales": [{"version": "0.4", "name": "expansion_cc0", "axes": [{"name": "c", "type": "channel"}] + [{"name": a, "type": "space", "unit": "micrometer"} for a in "zyx"], "datasets": ds}],
                        "omero": {**omero(["cc0"]), "version": "0.4", "name": "expansion_cc0"}})
    def clean(p): C3._w(p, "/")
    def fault(p):
        shutil.rmtree(p); C3._w(p, ".")
        for i in "012": jedit(p / i / ".zarray", lambda d: d.pop("dimension_separator", None) and None)
    def check(c, f):
        readall(c); ok_ome(c); assert (c / "0/0/0/0/0").is_file() and not (f / "0/0/0").exists() and (f / "0/0.0.0.0").is_file()
        assert (zarr.open_group(str(c))["0"][:] == zarr.open_group(str(f))["0"][:]).all()  # values unharmed
        z = np.zeros(1); t = f.parent / "t"; shutil.copytree(f, t); jedit(t / "0/.zarray", lambda d: d.update(dimension_separator="/"))
        assert (zarr.open_group(str(t))["0"][:] == 0).all(); shutil.rmtree(t)

@case(4, "label-dtype", "ome/ome-zarr-py#64",
      "In a label image level 0 is int64 while all lower levels are float64 (the scaler's result was not cast back).",
      "labels/cells: levels 1 and 2 have dtype float64 where level 0 is an integer; label images must be integer (and the same type at all levels).", "cells|float")
class C4:
    def clean(p):
        g = zarr.open_group(str(p), mode="w", zarr_format=2); d, lab = spots(rng(4), (2, 96, 96), 45)
        image(g, d, "cyx", {"c": 1., "y": .325, "x": .325}, "6001237", ["LaminB1", "Dapi"], 3, (1, 96, 96))
        L = g.create_group("labels"); L.attrs["labels"] = ["cells"]; image(L.create_group("cells"), lab.astype("i8"), "yx", {"y": .325, "x": .325}, "cells", None, 3, (96, 96), label=True)
    def fault(p):
        g = zarr.open_group(str(p / "labels/cells"), mode="r+")
        for k in ("1", "2"):
            a = g[k]; v = a[:].astype("f8"); ch = a.chunks; del g[k]; v2arr(g, k, v, ch, fill=0., sep="/")
    def check(c, f):
        readall(c); ok_ome(c); L = zarr.open_group(str(f / "labels/cells"), mode="r")
        assert L["0"].dtype == "i8" and L["1"].dtype == "f8"; C = zarr.open_group(str(c / "labels/cells"), mode="r")
        assert all(C[k].dtype == "i8" for k in "012") and (C["1"][:] == L["1"][:]).all()

@case(5, "level-scale", "fideus-labs/ngff-zarr#133",
      "The lower level's transformations are wrong on the axes that are not downsampled: scale of t is 1.0 instead of 60 and t and c have a translation of 1.0 instead of 0.",
      "scale1/image: its scale for t (1.0) does not agree with level 0 (60) though t has the same size, and its translation is off for t and c.", "scale1")
class C5:
    def clean(p):
        g = zarr.open_group(str(p), mode="w", zarr_format=2); d, _ = spots(rng(5), (3, 2, 6, 64, 64), 20, amp=150, bg=30); d = np.minimum(d, 255).astype("u1")
        d2 = d.reshape(3, 2, 6, 32, 2, 32, 2).mean((4, 6)).astype("u1"); ds = []
        for i, (a, s, t) in enumerate([(d, [60., 1., 2., .35, .35], [0., 0., -10., -20., -30.]), (d2, [60., 1., 2., .7, .7], [0., 0., -10., -19.825, -29.825])]):
            v2arr(g.require_group(f"scale{i}"), "image", a, (1, 1, 6, 64, 64), fill=0, sep="/", attrs={"_ARRAY_DIMENSIONS": list("tczyx")})
            ds.append({"path": f"scale{i}/image", "coordinateTransformations": [{"type": "scale", "scale": s}, {"type": "translation", "translation": t}]})
        ax = [{"name": "t", "type": "time", "unit": "second"}, {"name": "c", "type": "channel"}] + [{"name": a, "type": "space", "unit": "micrometer"} for a in "zyx"]
        g.attrs["multiscales"] = [{"@type": "ngff:Image", "version": "0.4", "name": "image", "axes": ax, "datasets": ds, "coordinateTransformations": [{"type": "scale", "scale": [1.] * 5}]}]
        g.attrs["omero"] = {**omero(["gfp", "rfp"], 200, 255), "version": "0.4", "name": "image"}
        zarr.consolidate_metadata(str(p))
    def fault(p):
        def fix(t): t[0]["scale"][0] = 1.0; t[1]["translation"][:2] = [1.0, 1.0]
        jedit(p / ".zattrs", lambda d: fix(d["multiscales"][0]["datasets"][1]["coordinateTransformations"]))
        jedit(p / ".zmetadata", lambda d: fix(d["metadata"][".zattrs"]["multiscales"][0]["datasets"][1]["coordinateTransformations"]))
    def check(c, f):
        readall(c); ok_ome(c); m = zarr.open_group(str(f), mode="r").attrs["multiscales"][0]["datasets"]
        assert m[0]["coordinateTransformations"][0]["scale"][0] == 60 and m[1]["coordinateTransformations"][0]["scale"][0] == 1

XML = '<?xml version="1.0" encoding="UTF-8"?>\n<OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0" Name="mri-stack.tif"><Pixels BigEndian="false" DimensionOrder="XYCZT" ID="Pixels:0" PhysicalSizeX="1.0" PhysicalSizeXUnit="%s" PhysicalSizeY="1.0" PhysicalSizeYUnit="%s" PhysicalSizeZ="1.5" PhysicalSizeZUnit="%s" SizeC="1" SizeT="1" SizeX="93" SizeY="113" SizeZ="9" Type="uint8"><Channel ID="Channel:0:0" SamplesPerPixel="1"><LightPath/></Channel><MetadataOnly/></Pixels></Image></OME>\n'
@case(6, "unit-pixel", "glencoesoftware/bioformats2raw#288",
      "bioformats2raw carried the OME-TIFF's unit \"pixel\" over to the axes of the image; Neuroglancer refuses the store (Unsupported unit).",
      "The z, y, x axes of image 0 have unit \"pixel\", which is not a unit of OME-NGFF (UDUNITS-2).", "unit|pixel")
class C6:
    def clean(p):
        r = rng(6); g = zarr.open_group(str(p), mode="w", zarr_format=2); g.attrs["bioformats2raw.layout"] = 3
        o = g.create_group("OME"); o.attrs["series"] = ["0"]; (p / "OME/METADATA.ome.xml").write_text(XML % (("mm",) * 3))
        z, y, x = np.mgrid[:9, :113, :93]; e = ((y - 56) / 50) ** 2 + ((x - 46) / 40) ** 2 + ((z - 4) / 6) ** 2
        d = np.clip((e < 1) * (90 + 30 * smooth(r, (9, 113, 93), 3)) + r.normal(8, 2, (9, 113, 93)), 0, 255).astype("u1")[None, None]
        i = g.create_group("0"); ds = []
        for k in range(2):
            s = 2 ** k; v2arr(i, str(k), np.ascontiguousarray(d[..., ::s, ::s]), (1, 1, 1, 113, 93), fill=0, sep="/")
            ds.append({"path": str(k), "coordinateTransformations": [{"type": "scale", "scale": [1., 1., 1.5, 1. * s, 1. * s]}]})
        i.attrs["multiscales"] = [{"metadata": {"method": "loci.common.image.SimpleImageScaler", "version": "Bio-Formats 8.3.0"}, "version": "0.4", "name": "mri-stack.tif", "datasets": ds,
            "axes": [{"name": "t", "type": "time"}, {"name": "c", "type": "channel"}] + [{"unit": "millimeter", "name": a, "type": "space"} for a in "zyx"]}]
        i.attrs["omero"] = {**omero(["Channel 0"], 200, 255), "version": "0.4"}
    def fault(p):
        (p / "OME/METADATA.ome.xml").write_text(XML % (("pixel",) * 3))
        jedit(p / "0/.zattrs", lambda d: [a.update(unit="pixel") for a in d["multiscales"][0]["axes"] if a["type"] == "space"] and None)
    def check(c, f):
        readall(c); ok_ome(c / "0"); assert zarr.open_group(str(f / "0"), mode="r").attrs["multiscales"][0]["axes"][2]["unit"] == "pixel"

@case(7, "dandidownload", "dandi/dandi-cli#1594",
      "Some chunk downloads timed out: in their place are directories 14.dandidownload/ and 15.dandidownload/ with a checksum and a partial file; the chunks themselves are missing and read as 0.",
      "Array 0: chunks 0/1/0/14 and 0/1/0/15 are missing (unfinished downloads *.dandidownload lie beside), so a block reads as fill value.", "0/1/0/14")
class C7:
    def clean(p):
        r = rng(7); g = zarr.open_group(str(p), mode="w", zarr_format=2); v = 1200 + 260 * smooth(r, (4, 32, 512), (1, 3, 3)) + 30 * r.standard_normal((4, 32, 512)); v = np.clip(v, 50, 4095).astype("u2")
        image(g, v, "zyx", {"z": 3.6, "y": 3.3, "x": 3.3}, "sub-I45_ses-SPIM_sample-BrocaAreaS32_stain-Somatostatin_SPIM", None, 2, (2, 32, 32))
    def fault(p):
        for k in ("14", "15"):
            q = p / "0/1/0" / k; b = q.read_bytes(); q.unlink(); d = q.with_name(k + ".dandidownload"); d.mkdir()
            (d / "checksum").write_text(json.dumps({"md5": "%032x" % (int(k) * 7919 ** 8)})); (d / "file").write_bytes(b[: len(b) // 3] if k == "14" else b"")
    def check(c, f):
        readall(c); ok_ome(c); a = zarr.open_group(str(c), mode="r")["0"][:]; b = zarr.open_group(str(f), mode="r")["0"][:]
        assert (a > 0).all() and (b[2:4, :, 448:] == 0).all() and (a[:2] == b[:2]).all()

@case(8, "fill-string", "mobie/mobie-viewer-fiji#572",
      "The writer put the fill value as a string \"0\" into every .zarray of a uint16 image; other tools cannot open the arrays (z5py: invalid map key).",
      "s0, s1, s2/.zarray: fill_value is the string \"0\", it must be the number 0 for dtype uint16.", "fill_value")
class C8:
    def clean(p):
        r = rng(8); g = zarr.open_group(str(p), mode="w", zarr_format=2); d, _ = spots(r, (1, 1, 12, 64, 64), 25); ds = []
        for i in range(3):
            s = 2 ** i; v2arr(g, f"s{i}", np.ascontiguousarray(d[..., ::s, ::s]), (1, 1, 6, 64, 64), fill=0, sep="/", comp=numcodecs.Zlib(6))
            ds.append({"path": f"s{i}", "coordinateTransformations": [{"type": "scale", "scale": [1., 1., .5, .13 * s, .13 * s]}]})
        g.attrs["multiscales"] = [{"version": "0.4", "name": "SXAA03648", "axes": [{"name": "t", "type": "time", "unit": "second"}, {"name": "c", "type": "channel"}] + [{"name": a, "type": "space", "unit": "micrometer"} for a in "zyx"], "datasets": ds}]
        g.attrs["omero"] = {**omero(["C0"]), "version": "0.4", "name": "SXAA03648"}
    def fault(p):
        for i in range(3): jedit(p / f"s{i}/.zarray", lambda d: d.update(fill_value="0"))
    def check(c, f):
        readall(c); ok_ome(c); assert jread(f / "s0/.zarray")["fill_value"] == "0"
        try: zarr.open_group(str(f), mode="r")["s0"][:]; C8.note = "zarr-python reads it all the same"
        except Exception as e: C8.note = repr(e)[:80]

@case(9, "missing-well", "ome/ome-zarr-py#96",
      "The plate's .zattrs lists a well that is not in the store; readers fail (`ome_zarr info` traceback).",
      "plate metadata: well C/05 is listed but there is no such group in the store.", "C/05")
class C9:
    def clean(p): plate04(p, 9)
    def fault(p): shutil.rmtree(p / "C/05")
    def check(c, f):
        readall(c); ok_ome(c); g = zarr.open_group(str(f), mode="r"); assert any(w["path"] == "C/05" for w in g.attrs["plate"]["wells"]) and "C/05" not in g

@case(10, "levels-unlisted", "fmi-faim/faim-ipa#30",
      "The image has arrays for all pyramid levels 0..2 but `datasets` of the multiscales lists only the full resolution, so viewers do not use the pyramid.",
      "multiscales.datasets lists only path 0 though arrays 1 and 2 (lower resolutions) are in the group.", "datasets")
class C10:
    def clean(p):
        g = zarr.open_group(str(p), mode="w", zarr_format=2); d, _ = spots(rng(10), (2, 96, 112), 40)
        image(g, d, "cyx", {"c": 1., "y": 1.3668, "x": 1.3668}, "E07_FieldsStitched", ["FITC", "DAPI"], 3, (1, 96, 112))
    def fault(p): jedit(p / ".zattrs", lambda d: d["multiscales"][0].update(datasets=d["multiscales"][0]["datasets"][:1]))
    def check(c, f):
        readall(c); ok_ome(c); g = zarr.open_group(str(f), mode="r"); assert len(g.attrs["multiscales"][0]["datasets"]) == 1 and "2" in g

@case(11, "shard-checksum", "czbiohub-sf/iohub#415",
      "A shard of a Zarr V3 array was only partly written (job killed on Lustre): reading fails with an invalid checksum of the shard index.",
      "Array 0, shard c/1/0/0/0/0 is incomplete: its index's crc32c is wrong (cut off), the shard cannot be read.", "c/1/0/0/0/0")
class C11:
    def clean(p):
        r = rng(11); g = zarr.open_group(str(p), mode="w", zarr_format=3); d, _ = spots(r, (3, 2, 4, 48, 48), 15); d = (d / 4000).astype("f4")
        a = g.create_array("0", shape=d.shape, dtype="f4", chunks=(1, 1, 2, 24, 48), shards=(1, 2, 4, 48, 48), fill_value=0., compressors=zarr.codecs.BloscCodec(cname="zstd", clevel=1, shuffle="bitshuffle", typesize=4), dimension_names=["T", "C", "Z", "Y", "X"]); a[:] = d
        ax = [{"name": "T", "type": "time", "unit": "second"}, {"name": "C", "type": "channel"}] + [{"name": k, "type": "space", "unit": "micrometer"} for k in "ZYX"]
        g.attrs["ome"] = {"version": "0.5", "multiscales": [{"name": "0", "axes": ax, "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [30., 1., 2., .325, .325]}]}], "coordinateTransformations": [{"type": "scale", "scale": [1.] * 5}]}],
                          "omero": {**omero(["Phase3D", "GFP"], 1, 2), "id": 0, "name": "A/1/0"}}
    def fault(p): q = p / "0/c/1/0/0/0/0"; b = q.read_bytes(); q.write_bytes(b[: int(len(b) * .7)])
    def check(c, f):
        readall(c); ok_ome(c); a = zarr.open_group(str(f), mode="r")["0"]; a[0]; a[2]; C11.note = repr(fails(lambda: a[1]))[:90]

# ---------- 12-15 SpatialData, AnnData
GENES = ["EPCAM", "KRT8", "KRT18", "VIM", "COL1A1", "PTPRC", "CD3E", "CD4", "CD8A", "MS4A1", "CD68", "PECAM1", "ACTA2", "MKI67", "ESR1", "ERBB2", "CDH1", "LUM", "NKG7", "GNLY", "JCHAIN", "CXCL12", "FOXA1", "GATA3"]
def counts(r, nc, ng):
    mu = r.gamma(.5, 2, ng) * r.gamma(3, .35, (nc, 1)); return sparse.csr_matrix(r.poisson(mu).astype("f4"))
def barcodes(r, n, suf="-1"): return ["".join(r.choice(list("ACGT"), 16)) + suf for _ in range(n)]
def sdata3(p, n):
    """SpatialData container, V3: an image, a label image, a table that annotates it; consolidated at the root"""
    r = rng(n); g = zarr.open_group(str(p), mode="w", zarr_format=3, attributes={"spatialdata_attrs": {"spatialdata_software_version": "0.7.2", "version": "0.2"}})
    d, lab = spots(r, (2, 80, 80), 40)
    def el(grp, name, a, axes, lb):
        e = grp.create_group(name); ds = []; cs = {"name": axes, "axes": [{"name": k, "type": "channel" if k == "c" else "space", **({} if k == "c" else {"unit": "micrometer"})} for k in axes]}
        for i in range(2):
            s = 2 ** i; v = a if not i else (a[..., 1::2, 1::2] if lb else a.reshape(*a.shape[:-2], 40, 2, 40, 2).mean((-3, -1)).astype(a.dtype))
            x = e.create_array(str(i), shape=v.shape, dtype=v.dtype, chunks=v.shape, fill_value=0, dimension_names=list(axes)); x[:] = v
            ds.append({"path": str(i), "coordinateTransformations": [{"type": "scale", "scale": [1. if k == "c" else 1. * s for k in axes]}]})
        out = {"name": "global", "axes": cs["axes"]}
        m = {"version": "0.5", "multiscales": [{"name": name, "axes": cs["axes"], "datasets": ds, "coordinateTransformations": [{"type": "scale", "scale": [1. if k == "c" else .2125 for k in axes], "input": cs, "output": out}]}]}
        if lb: m["image-label"] = {"version": "0.5"}
        else: m["omero"] = {"channels": omero(["DAPI", "boundary"])["channels"], "rdefs": {"model": "color"}}
        e.attrs.update({"ome": m, "spatialdata_attrs": {"version": "0.3"}})
    el(g.create_group("images"), "morphology", d, "cyx", False)
    L = g.create_group("labels"); el(L, "cell_labels", lab.astype("u4"), "yx", True); L.attrs["ome"] = {"version": "0.5", "labels": ["cell_labels"]}
    ids = np.arange(1, lab.max() + 1); sa = {"region": "cell_labels", "region_key": "region", "instance_key": "instance_id"}
    obs = pd.DataFrame({"region": pd.Categorical(["cell_labels"] * len(ids)), "instance_id": ids, "area": np.bincount(lab.ravel())[1:].astype("f8")}, index=[f"cell_{i}" for i in ids])
    t = ad.AnnData(counts(r, len(ids), len(GENES)), obs=obs, var=pd.DataFrame({"feature_types": pd.Categorical(["Gene Expression"] * len(GENES))}, index=GENES), uns={"spatialdata_attrs": sa})
    tg = g.create_group("tables"); ad.io.write_elem(tg, "table", t)
    tg["table"].attrs.update({"spatialdata-encoding-type": "ngff:regions_table", "version": "0.2", **sa}); zarr.consolidate_metadata(str(p))
    return g
def ok_sdata(p):
    readall(p); g = zarr.open_group(str(p), mode="r"); ok_ome(p / "images/morphology"); ok_ome(p / "labels/cell_labels"); t = ad.io.read_elem(g["tables/table"]); assert isinstance(t, ad.AnnData)
    assert set(t.obs.instance_id) == set(np.unique(g["labels/cell_labels/0"][:])) - {0} and set(t.obs.region) == {"cell_labels"}

@case(12, "table-encoding", "scverse/spatialdata#1183",
      "The table's group lost anndata's `encoding-type`/`encoding-version` attributes (only the spatialdata keys are there): anndata readers return a dict instead of an AnnData.",
      "tables/table: the attributes encoding-type: anndata and encoding-version are missing.", "tables/table|encoding-type")
class C12:
    def clean(p): sdata3(p, 12)
    def fault(p):
        def fn(d): d["attributes"].pop("encoding-type"); d["attributes"].pop("encoding-version")
        jedit(p / "tables/table/zarr.json", fn); jedit(p / "zarr.json", lambda d: fn(d["consolidated_metadata"]["metadata"]["tables/table"]))
    def check(c, f):
        ok_sdata(c); t = ad.io.read_elem(zarr.open_group(str(f), mode="r")["tables/table"]); assert not isinstance(t, ad.AnnData); C12.note = type(t).__name__

@case(13, "label-list", "scverse/spatialdata#457",
      "labels/.zattrs refers to a label image that does not exist in labels/ (element lost, list kept).",
      "labels/.zattrs lists nuclei_labels but the group labels/nuclei_labels is not in the store.", "nuclei_labels")
class C13:
    def clean(p):
        r = rng(13); g = zarr.open_group(str(p), mode="w", zarr_format=2); d, lab = spots(r, (2, 80, 80), 40)
        image(g, d, "cyx", {"c": 1., "y": .5, "x": .5}, "sample_07", ["DAPI", "membrane"], 2, (1, 80, 80)); L = g.create_group("labels"); L.attrs["labels"] = ["cell_labels", "nuclei_labels"]
        er = lab * (gaussian_filter((lab > 0) * 1., 1.2) > .75)
        for k, v in (("cell_labels", lab), ("nuclei_labels", er)): image(L.create_group(k), v.astype("u4"), "yx", {"y": .5, "x": .5}, k, None, 2, (80, 80), label=True)
    def fault(p): shutil.rmtree(p / "labels/nuclei_labels")
    def check(c, f):
        readall(c); ok_ome(c); ok_ome(c / "labels/nuclei_labels"); g = zarr.open_group(str(f), mode="r"); assert "nuclei_labels" in g["labels"].attrs["labels"] and "labels/nuclei_labels" not in g

@case(14, "table-region", "scverse/spatialdata#218",
      "The table annotates the region cell_labels, but the element was renamed to cell_segmentation; the table's region points to nothing, which is seen only when one plots or aggregates.",
      "tables/table: region (attributes, uns, obs column) names the element cell_labels, which does not exist in the store (there is labels/cell_segmentation).", "cell_labels")
class C14:
    def clean(p): sdata3(p, 14)
    def fault(p):
        os.rename(p / "labels/cell_labels", p / "labels/cell_segmentation")
        jedit(p / "labels/cell_segmentation/zarr.json", lambda d: d["attributes"]["ome"]["multiscales"][0].update(name="cell_segmentation"))
        jedit(p / "labels/zarr.json", lambda d: d["attributes"]["ome"].update(labels=["cell_segmentation"]))
        jedit(p / "zarr.json", lambda d: d.pop("consolidated_metadata") and None); zarr.consolidate_metadata(str(p))
    def check(c, f):
        ok_sdata(c); readall(f); g = zarr.open_group(str(f), mode="r"); ok_ome(f / "labels/cell_segmentation"); assert g["tables/table"].attrs["region"] == "cell_labels" and "labels/cell_labels" not in g
        assert set(jread(f / "zarr.json")["consolidated_metadata"]["metadata"]) >= {"labels/cell_segmentation/0"}

@case(15, "obsm-index", "scverse/anndata#635",
      "A data frame in obsm (written by scVI) has an index that is not obs_names: \"ValueError: value.index does not match parent's axis 0 names\" when reading.",
      "obsm/_scvi_extra_continuous: its _index differs from obs/_index (suffix -0 missing).", "_scvi_extra_continuous|index")
class C15:
    def clean(p):
        r = rng(15); nc, ng = 240, 60; X = counts(r, nc, ng); bc = barcodes(r, nc, "-1-0"); v = [f"ENSG{int(i):011d}" for i in np.sort(r.choice(250000, ng, replace=False))]
        obs = pd.DataFrame({"n_counts": np.asarray(X.sum(1)).ravel(), "cell_type": pd.Categorical(r.choice(["adipocyte", "ASPC", "macrophage", "endothelial"], nc))}, index=bc)
        a = ad.AnnData(X, obs=obs, var=pd.DataFrame({"gene_name": [f"G{i}" for i in range(ng)]}, index=v)); a.obsm["X_scVI"] = r.standard_normal((nc, 10)).astype("f4")
        a.obsm["_scvi_extra_continuous"] = pd.DataFrame({"percent_mito": r.beta(2, 40, nc), "percent_ribo": r.beta(5, 40, nc)}, index=bc)
        a.write_zarr(str(p))
    def fault(p):
        a = zarr.open_group(str(p), mode="r+", use_consolidated=False)["obsm/_scvi_extra_continuous/_index/values"]; a[:] = np.array([s[:-2] for s in a[:]], dtype=object)
    def check(c, f):
        readall(c); assert ad.read_zarr(str(c)).obsm["_scvi_extra_continuous"].shape == (240, 2); C15.note = str(fails(lambda: ad.read_zarr(str(f))))[:90]

# ---------- 16-17 NWB (hdmf-zarr layout)
class NWB:
    def __init__(s, p, n):
        s.r = rng(n); s.g = zarr.open_group(str(p), mode="w", zarr_format=2); s.ids = {}
        s.g.attrs.update({"namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.8.0", "object_id": s.oid("/")})
        t = "2023-05-04T09:31:12.000000-07:00"
        for k, v in (("identifier", "496908818"), ("session_description", "two-photon imaging of visual cortex"), ("session_start_time", t), ("timestamps_reference_time", t)): s.ds(k, v)
        s.ds("file_create_date", np.array([t], dtype=object))
        for k in ("acquisition", "analysis", "general", "processing", "stimulus", "stimulus/presentation", "stimulus/templates"): s.g.require_group(k)
    def oid(s, path): s.ids[path] = str(uuid.UUID(bytes=s.r.bytes(16), version=4)); return s.ids[path]
    def grp(s, path, typ, ns="core", links=(), **at):
        g = s.g.require_group(path); g.attrs.update({**at, "namespace": ns, "neurodata_type": typ, "object_id": s.oid("/" + path)})
        if links: g.attrs["zarr_link"] = [{"name": k, "path": v, "source": ".", **({"object_id": s.ids[v]} if v in s.ids else {}), "source_object_id": s.ids["/"]} for k, v in links]
        return g
    def ds(s, path, v, typ=None, ns="hdmf-common", **at):
        sc = np.isscalar(v); zd = "scalar" if sc else None; v = np.array([v], dtype=object if isinstance(v, str) else None) if sc else v
        g, _, k = path.rpartition("/"); g = s.g.require_group(g) if g else s.g
        a = g.create_array(k, shape=v.shape, dtype=str if v.dtype == object else v.dtype, chunks=v.shape, fill_value="" if v.dtype == object else 0, chunk_key_encoding={"name": "v2", "separator": "."}, compressors=Blosc("zstd", 3, 1)); a[...] = v
        a.attrs.update({**at, "zarr_dtype": zd or ("object_str" if v.dtype == object else str(v.dtype))})
        if typ: a.attrs.update({"namespace": ns, "neurodata_type": typ, "object_id": s.oid("/" + path)})
    def region(s, path, idx, table, desc):
        s.ds(path, idx, "DynamicTableRegion", description=desc, table={"value": {"source": ".", "path": table, "object_id": s.ids[table], "source_object_id": s.ids["/"]}, "zarr_dtype": "object"})

@case(16, "nwb-link", "hdmf-dev/hdmf-zarr#304",
      "On conversion from HDF5 a link was written with a wrong path: the series' zarr_link for `rois` points to \"/rois\", which does not exist (KeyError); the link for `timestamps` is right.",
      "processing/ophys/DfOverF/imaging_plane_1: zarr_link rois has the path /rois, there is no such object (should be /processing/ophys/Fluorescence/Corrected/rois).", "DfOverF|rois")
class C16:
    def clean(p):
        s = NWB(p, 16); r = s.r; n, k = 1500, 6; t = 10.2 + np.arange(n) / 30.
        s.grp("general/devices/Microscope", "Device", description="Nikon A1R-MP multiphoton microscope")
        s.ds("general/institution", "Allen Institute for Brain Science"); ip = "general/optophysiology/imaging_plane_1"
        s.grp(ip, "ImagingPlane", links=[("device", "/general/devices/Microscope")])
        for a, v in (("description", "VISp, 175 um"), ("excitation_lambda", 910.), ("imaging_rate", 30.), ("indicator", "GCaMP6f"), ("location", "VISp")): s.ds(f"{ip}/{a}", v)
        s.grp(ip + "/optical_channel_1", "OpticalChannel"); s.ds(ip + "/optical_channel_1/description", "2P optical channel"); s.ds(ip + "/optical_channel_1/emission_lambda", 520.)
        s.grp("processing/ophys", "ProcessingModule", description="ophys processing"); s.grp("processing/ophys/ImageSegmentation", "ImageSegmentation")
        ps = "processing/ophys/ImageSegmentation/PlaneSegmentation"; s.grp(ps, "PlaneSegmentation", colnames=["image_mask"], description="segmented cells", links=[("imaging_plane", "/" + ip)])
        s.ds(ps + "/id", np.arange(k), "ElementIdentifiers"); _, lab = spots(r, (48, 48), 30, 4); s.ds(ps + "/image_mask", np.stack([(lab == i + 1).astype("f4") for i in range(k)]), "VectorData", description="image masks")
        f = np.maximum(0, 180 + 40 * smooth(r, (n, k), (6, 0)) + 6 * r.standard_normal((n, k))).astype("f4"); base = np.median(f, 0)
        sa = dict(comments="no comments", description="The corrected fluorescence trace."); da = dict(conversion=1.0, offset=0.0, resolution=-1.0, unit="n/a")
        fl = "processing/ophys/Fluorescence"; s.grp(fl, "Fluorescence"); s.grp(fl + "/Corrected", "RoiResponseSeries", **sa); s.ds(fl + "/Corrected/data", f, **da)
        s.ds(fl + "/Corrected/timestamps", t, interval=1, unit="seconds"); s.region(fl + "/Corrected/rois", np.arange(k), "/" + ps, "segmented cells labeled by cell_specimen_id")
        df = "processing/ophys/DfOverF"; s.grp(df, "DfOverF"); s.grp(df + "/imaging_plane_1", "RoiResponseSeries", links=[("rois", f"/{fl}/Corrected/rois"), ("timestamps", f"/{fl}/Corrected/timestamps")], **{**sa, "description": "The normalized dF/F trace."})
        s.ds(df + "/imaging_plane_1/data", ((f - base) / base).astype("f4"), **da); zarr.consolidate_metadata(str(p))
    def fault(p):
        fn = lambda d: d["zarr_link"][0].update(path="/rois"); q = "processing/ophys/DfOverF/imaging_plane_1/.zattrs"
        jedit(p / q, fn); jedit(p / ".zmetadata", lambda d: fn(d["metadata"][q]))
    def check(c, f):
        def links(p):
            g = zarr.open_group(str(p), mode="r"); return [(k, l["path"]) for k, v in g.members(max_depth=None) for l in v.attrs.get("zarr_link", []) if l["path"].strip("/") not in g]
        readall(c); assert links(c) == [] and links(f) == [("processing/ophys/DfOverF/imaging_plane_1", "/rois")]

@case(17, "nwb-transposed", "hdmf-dev/hdmf-zarr#45",
      "On conversion from HDF5 to Zarr the data of a time series came out transposed: \"Length of data does not match length of timestamps. Your data may be transposed.\"",
      "processing/behavior/Position/position/data has shape (2, 900) but 900 timestamps: time must be the first dimension (transposed).", "position|900")
class C17:
    def clean(p):
        s = NWB(p, 17); r = s.r; n = 900; s.grp("processing/behavior", "ProcessingModule", description="behavioral data"); s.grp("processing/behavior/Position", "Position")
        q = "processing/behavior/Position/position"; s.grp(q, "SpatialSeries", comments="no comments", description="position of the animal in the open field")
        xy = np.clip(.5 + np.cumsum(smooth(r, (n, 2), (12, 0)) * .008, 0), .02, .98); s.ds(q + "/data", np.ascontiguousarray(xy), conversion=1.0, offset=0.0, resolution=-1.0, unit="meters")
        s.ds(q + "/timestamps", 4.5 + np.arange(n) / 30., interval=1, unit="seconds"); s.ds(q + "/reference_frame", "(0,0) is the corner of the box"); zarr.consolidate_metadata(str(p))
    def fault(p):
        g = zarr.open_group(str(p), mode="r+", use_consolidated=False)["processing/behavior/Position/position"]; v = g["data"][:]; at = dict(g["data"].attrs); del g["data"]
        v2arr(g, "data", np.ascontiguousarray(v.T), fill=0., comp=Blosc("zstd", 3, 1), attrs=at); (p / ".zmetadata").unlink(); zarr.consolidate_metadata(str(p))
    def check(c, f):
        readall(c); A, B = (zarr.open_group(str(k), mode="r")["processing/behavior/Position/position"] for k in (c, f))
        assert A["data"].shape[0] == A["timestamps"].shape[0] and B["data"].shape == (2, 900) and B["timestamps"].shape == (900,) and (A["data"][:] == B["data"][:].T).all()

# ---------- 18-19 genetics, robot learning
@case(18, "vcf-s1", "sgkit-dev/sgkit#409",
      "vcf_to_zarr (with regions) stored variant_allele as |S1 instead of str; xarray takes the last dimension for characters and joins the alleles: values like b'AT', shape (variants,) instead of (variants, alleles).",
      "variant_allele has dtype |S1 (one byte per allele): CF readers such as xarray join its last dimension `alleles` into one string.", "variant_allele|S1")
class C18:
    def clean(p, s1=False):
        r = rng(18); nv, ns = 400, 25; g = zarr.open_group(str(p), mode="w", zarr_format=2)
        ref = r.integers(0, 4, nv); al = np.array([["ACGT"[i], "ACGT"[(i + r.integers(1, 4)) % 4]] for i in ref], dtype=object)
        af = r.beta(.4, 1.6, nv); gt = (r.random((nv, ns, 2)) < af[:, None, None]).astype("i1"); gt[r.random((nv, ns)) < .02] = -1
        def put(k, v, dims, **at):
            if v.dtype == object: a = g.create_array(k, shape=v.shape, dtype=str, chunks=v.shape, fill_value="", compressors=Blosc("zstd", 7, 0), chunk_key_encoding={"name": "v2", "separator": "."}); a[...] = v; a.attrs.update({"_ARRAY_DIMENSIONS": dims, **at})
            else: v2arr(g, k, v, comp=Blosc("zstd", 7, 2 if v.dtype == bool else 1), attrs={"_ARRAY_DIMENSIONS": dims, **at})
        V, S = "variants", "samples"
        put("variant_contig", np.repeat([0, 1], [260, 140]).astype("i1"), [V]); put("contig_id", np.array(["CHR1", "CHR2"], dtype=object), ["contigs"]); put("contig_length", np.array([43270923, 35937250]), ["contigs"])
        put("variant_position", np.concatenate([np.sort(r.choice(43270923, 260, replace=False)), np.sort(r.choice(35937250, 140, replace=False))]).astype("i4") + 1, [V])
        put("variant_allele", al.astype("S1") if s1 else al, [V, "alleles"]); put("sample_id", np.array([f"PRJ{414303 + i}" for i in range(ns)], dtype=object), [S])
        put("variant_id", np.array([f"rs{int(i)}" for i in r.choice(10 ** 7, nv, replace=False)], dtype=object), [V]); put("variant_quality", r.gamma(8, 60, nv).astype("f4"), [V])
        put("filter_id", np.array(["PASS"], dtype=object), ["filters"]); put("variant_filter", np.ones((nv, 1), bool), [V, "filters"])
        put("call_genotype", gt, [V, S, "ploidy"], mixed_ploidy=False); put("call_genotype_mask", gt < 0, [V, S, "ploidy"]); put("call_genotype_phased", np.zeros((nv, ns), bool), [V, S])
        g.attrs.update({"source": "sgkit-0.10.0", "contigs": ["CHR1", "CHR2"], "contig_lengths": [43270923, 35937250], "filters": ["PASS"], "max_alt_alleles_seen": 1}); zarr.consolidate_metadata(str(p))
    def fault(p): shutil.rmtree(p); C18.clean(p, True)
    def check(c, f):
        readall(c); a, b = xo(c), xo(f); assert a.variant_allele.shape == (400, 2) and b.variant_allele.shape == (400,) and len(b.variant_allele.values[0]) == 2 and "alleles" not in b.sizes; C18.note = repr(b.variant_allele.values[0])

@case(19, "replay-mixed", "real-stanford/diffusion_policy#61",
      "The demonstrations were added to the replay buffer along the wrong axis (arrays are (time, demo, dim) but the loop takes rows as episodes): each 'episode' holds one time step of all demonstrations; obs jumps from step to step.",
      "data/obs and data/action inside an episode are not a trajectory: successive rows jump between demonstrations; episode_ends cut the rows on the wrong axis (transposed).", "episode")
class C19:
    def clean(p, wrong=False):
        r = rng(19); nd, T, do, da = 36, 70, 12, 9; ln = r.integers(45, T + 1, nd); t = np.linspace(0, 1, T)[:, None, None]
        q0, q1 = r.normal(0, 1.4, (2, 1, nd, do)); s = t * t * (3 - 2 * t); obs = (q0 + (q1 - q0) * s + .12 * np.cumsum(r.standard_normal((T, nd, do)), 0) / T ** .5).astype("f4")
        act = np.zeros((T, nd, da), "f4"); act[:-1] = (obs[1:] - obs[:-1])[..., :da] * 12.5; mask = np.arange(T)[:, None] < ln
        if not wrong: obs, act, mask = obs.swapaxes(0, 1), act.swapaxes(0, 1), mask.T
        O, A, E, n = [], [], [], 0
        for i in range(len(mask)):
            e = int(mask[i].sum()); O.append(obs[i, :e]); A.append(act[i, :e]); n += e; E.append(n)
        g = zarr.open_group(str(p), mode="w", zarr_format=2); O, A = np.concatenate(O), np.concatenate(A); d = g.create_group("data"); m = g.create_group("meta")
        for k, v in (("obs", O), ("action", A)): v2arr(d, k, v, (500, v.shape[1]), fill=0., comp=Blosc("lz4", 5, 0))
        v2arr(m, "episode_ends", np.array(E, "i8"), (len(E),), fill=0, comp=None)
    def fault(p): shutil.rmtree(p); C19.clean(p, True)
    def check(c, f):
        readall(c); readall(f)
        def jump(p):
            g = zarr.open_group(str(p), mode="r"); o = g["data/obs"][:]; e = g["meta/episode_ends"][:]; assert e[-1] == len(o); d = np.abs(np.diff(o, axis=0)).mean(1); return np.median(np.delete(d, e[:-1] - 1))
        C19.note = f"median step {jump(c):.3f} / {jump(f):.3f}"; assert jump(f) > 15 * jump(c)

# ---------- 20-30 xarray, zarr-python
def tenc(u="hours since 1970-01-01", d="int64"): return {"time": {"units": u, "calendar": "proleptic_gregorian", "dtype": d, "_FillValue": None}}
def daily(start, n, f="D"): return ("time", pd.date_range(start, periods=n, freq=f), TA)
def attrs(title, inst): return {"Conventions": "CF-1.8", "title": title, "institution": inst, "source": "model output, regridded"}

@case(20, "append-part", "pydata/xarray#10766",
      "A dataset that lacked one variable was appended: t2m and time grew to 15 steps, tp stayed at 10; the store cannot be opened (conflicting sizes for dimension time).",
      "tp has 10 along time while time and t2m have 15: the sizes of the dimension time do not agree.", "tp|15")
class C20:
    def _ds(r):
        la, lo = np.arange(55, 44, -1.), np.arange(2, 16, 1.); n = 15
        t = temp(r, n, la, lo).round(2); q = np.maximum(0, 3 * smooth(r, (n, len(la), len(lo)), 1.5) - 1).round(2).astype("f4")
        return xr.Dataset({"t2m": (("time", "lat", "lon"), t, {"units": "K", "long_name": "2 metre temperature", "standard_name": "air_temperature"}),
                           "tp": (("time", "lat", "lon"), q, {"units": "kg m-2", "long_name": "total precipitation", "standard_name": "precipitation_amount"})}, {"time": daily("2024-06-01", n), **latlon(la, lo)}, attrs("daily forecast archive", "DWD"))
    def _w(p, drop):
        ds = C20._ds(rng(20)).chunk(time=5); e = {**tenc(), "t2m": {"chunks": (5, 11, 14)}, "tp": {"chunks": (5, 11, 14)}}
        ds.isel(time=slice(10)).to_zarr(p, encoding=e); ds.isel(time=slice(10, 15)).drop_vars(drop).to_zarr(p, append_dim="time", consolidated=True)
    def clean(p): C20._w(p, [])
    def fault(p): shutil.rmtree(p); C20._w(p, ["tp"])
    def check(c, f): readall(c); d = xo(c); assert d.sizes["time"] == 15 and np.isfinite(d.tp).all(); C20.note = str(fails(lambda: xo(f)))[:90]

@case(21, "time-duplicate", "pangeo-forge/pangeo-forge-recipes#465",
      "The writer replaced the time units by `days since`, with integer values: the 6-hourly steps fall on the same day, time is not unique (each value four times).",
      "time: integer days for 6-hourly data; every value occurs four times (duplicates, not strictly increasing).", "time")
class C21:
    def clean(p, units="hours since 1987-07-10"):
        r = rng(21); n = 40; la, lo = np.arange(-10.125, -4, .5), np.arange(60.125, 68, .5)
        u, v = (np.round(m + 3.2 * smooth(r, (n, len(la), len(lo)), (3, 2, 2)), 3).astype("f4") for m in (-5, 2)); k = dict(units="m s-1")
        ds = xr.Dataset({"uwnd": (("time", "lat", "lon"), u, {**k, "standard_name": "eastward_wind", "long_name": "u-wind at 10 m"}), "vwnd": (("time", "lat", "lon"), v, {**k, "standard_name": "northward_wind", "long_name": "v-wind at 10 m"})},
                        {"time": daily("1987-07-10", n, "6h"), **latlon(la, lo)}, attrs("RSS CCMP V2.0 derived surface winds", "Remote Sensing Systems"))
        ds.to_zarr(p, zarr_format=2, encoding={**tenc("hours since 1987-07-10"), "uwnd": {"chunks": (20, 13, 16)}, "vwnd": {"chunks": (20, 13, 16)}})
    def fault(p):
        a = zarr.open_group(str(p), mode="r+", use_consolidated=False)["time"]; a[:] = a[:] // 24; u = "days since 1987-07-10"
        jedit(p / "time/.zattrs", lambda d: d.update(units=u)); jedit(p / ".zmetadata", lambda d: d["metadata"]["time/.zattrs"].update(units=u))
    def check(c, f): readall(c); a, b = xo(c).time.to_index(), xo(f).time.to_index(); assert a.is_unique and len(set(np.diff(a))) == 1 and b.nunique() == 10 and len(b) == 40

@case(22, "twice-encoded", "bcdev/nc2zarr#35",
      "Packed int16 data were appended as if they were physical values and so packed a second time: from the sixth step on analysed_sst is garbage (overflow), the first steps are right.",
      "analysed_sst: from time step 5 on the values are wrong (packed twice with scale_factor/add_offset, overflow of int16) and far outside of the earlier range.", "analysed_sst")
class C22:
    def clean(p):
        r = rng(22); n = 10; la, lo = np.arange(30.125, 42, .5), np.arange(-60.125, -44, .5)
        s = 273.15 + 24 - .6 * (la - 30)[None, :, None] + 1.1 * smooth(r, (n, len(la), len(lo)), (3, 2, 2)) + np.arange(n)[:, None, None] * .03
        ds = xr.Dataset({"analysed_sst": (("time", "lat", "lon"), s, {"units": "kelvin", "long_name": "analysed sea surface temperature", "standard_name": "sea_surface_foundation_temperature"})}, {"time": daily("2018-03-01", n), **latlon(la, lo)}, attrs("SST CCI analysis", "ESACCI"))
        ds.to_zarr(p, zarr_format=2, encoding={**tenc("days since 1981-01-01"), "analysed_sst": {"dtype": "int16", "scale_factor": .001, "add_offset": 298.15, "_FillValue": -32768, "chunks": (1, len(la), len(lo))}})
    def fault(p):
        a = zarr.open_group(str(p), mode="r+", use_consolidated=False)["analysed_sst"]; raw = a[5:].astype("f8"); a[5:] = np.rint((raw - 298.15) / .001).astype("i8").astype("i2")
    def check(c, f):
        readall(c); a, b = xo(c).analysed_sst.load(), xo(f).analysed_sst.load(); assert np.isfinite(a).all() and (a[:5] == b[:5]).all() and float(b[5:].std()) > 4 * float(a.std()); C22.note = f"{float(a.std()):.1f} {float(b[5:].std()):.1f}"

@case(23, "fill-zero", "ai2cm/fv3gfs-wrapper#85",
      "Arrays were created by zarr with its default fill_value 0; xarray takes this for _FillValue: true zeros (surface geopotential over the ocean) become NaN.",
      "HGTsfc: fill_value 0 in .zarray although 0 is a valid value, so xarray masks the zeros to NaN; must be null.", "HGTsfc|fill")
class C23:
    def clean(p):
        r = rng(23); ny, nx, nt = 24, 24, 8; g = zarr.open_group(str(p), mode="w", zarr_format=2); g.attrs.update({"Conventions": "CF-1.8", "title": "FV3GFS nudged run, C24, tile 1"})
        h = np.maximum(0, 380 * smooth(r, (ny, nx), 3) - 120).round(1).astype("f4"); T = (296 - .0065 * h + 2 * smooth(r, (nt, ny, nx), (1, 2, 2))).round(2).astype("f4")
        lo, la = np.meshgrid(np.linspace(306, 350, nx), np.linspace(-35, 35, ny)); D = lambda *d, **k: {"_ARRAY_DIMENSIONS": list(d), **k}
        v2arr(g, "time", np.arange(1, nt + 1) * 900, attrs=D("time", units="seconds since 2016-08-01 00:00:00", calendar="julian", standard_name="time", long_name="time", axis="T"))
        v2arr(g, "grid_lat", la, attrs=D("y", "x", **{k: v for k, v in LAT.items() if k != "axis"})); v2arr(g, "grid_lon", lo, attrs=D("y", "x", **{k: v for k, v in LON.items() if k != "axis"}))
        v2arr(g, "HGTsfc", h, attrs=D("y", "x", units="m", long_name="surface geopotential height", standard_name="surface_altitude", coordinates="grid_lat grid_lon"))
        v2arr(g, "TMPsfc", T, (1, ny, nx), attrs=D("time", "y", "x", units="K", long_name="surface temperature", standard_name="surface_temperature", coordinates="grid_lat grid_lon")); zarr.consolidate_metadata(str(p))
    def fault(p):
        for v in ("HGTsfc", "TMPsfc"):
            jedit(p / v / ".zarray", lambda d: d.update(fill_value=0.0)); jedit(p / ".zmetadata", lambda d: d["metadata"][v + "/.zarray"].update(fill_value=0.0))
    def check(c, f): readall(c); a, b = xo(c).HGTsfc.load(), xo(f).HGTsfc.load(); assert (a == 0).mean() > .2 and np.isfinite(a).all() and (np.isnan(b) == (a == 0)).all()

@case(24, "chunks-missing", "hytest-org/hytest#395",
      "Several chunks of U10 are not in the store; they read as NaN for whole blocks while T2 and V10 are complete at the same times.",
      "U10: chunk files 1.0.1, 2.1.0 and 2.1.1 are missing and read as NaN; all other variables are complete.", "U10")
class C24:
    def clean(p):
        r = rng(24); n, ny, nx = 48, 16, 20; y, x = np.arange(ny) * 4000. - 30000, np.arange(nx) * 4000. - 38000; lo, la = np.meshgrid(-97.9 + x / 85000, 39.1 + y / 111000)
        hr = np.arange(n)[:, None, None]; d3 = ("time", "y", "x"); gm = {"grid_mapping": "crs", "coordinates": "lat lon"}
        T = (290 + 7 * np.sin(2 * np.pi * (hr - 9) / 24) + 1.5 * smooth(r, (n, ny, nx), 2)).round(2).astype("f4"); U, V = ((m + 2.8 * smooth(r, (n, ny, nx), 2)).round(2).astype("f4") for m in (3, -1))
        ds = xr.Dataset({"T2": (d3, T, {"units": "K", "long_name": "TEMP at 2 M", "standard_name": "air_temperature", **gm}), "U10": (d3, U, {"units": "m s-1", "long_name": "U at 10 M", "standard_name": "x_wind", **gm}), "V10": (d3, V, {"units": "m s-1", "long_name": "V at 10 M", "standard_name": "y_wind", **gm}),
            "crs": ((), np.int32(-2147483647), {"grid_mapping_name": "lambert_conformal_conic", "standard_parallel": [30., 50.], "longitude_of_central_meridian": -97.9, "latitude_of_projection_origin": 39.1, "earth_radius": 6370000., "false_easting": 0., "false_northing": 0.})},
            {"time": daily("2007-04-11", n, "h"), "y": ("y", y, {"standard_name": "projection_y_coordinate", "units": "m", "axis": "Y"}, NF), "x": ("x", x, {"standard_name": "projection_x_coordinate", "units": "m", "axis": "X"}, NF)}, attrs("CONUS404 hourly", "USGS / NCAR"))
        for k, v, at in (("lat", la, LAT), ("lon", lo, LON)): ds[k] = (("y", "x"), v, {a: b for a, b in at.items() if a != "axis"}, NF)
        ds.to_zarr(p, zarr_format=2, encoding={**tenc("hours since 1979-10-01"), **{k: {"chunks": (16, 8, 10)} for k in ("T2", "U10", "V10")}})
    def fault(p):
        for k in ("1.0.1", "2.1.0", "2.1.1"): (p / "U10" / k).unlink()
    def check(c, f): readall(c); a, b = xo(c).load(), xo(f).load(); assert np.isfinite(a.U10).all() and abs(float(np.isnan(b.U10).mean()) - 3 / 12) < 1e-6 and np.isfinite(b.V10).all()

@case(25, "root-missing", "google-research/weatherbench2#162",
      "The root's .zgroup, .zattrs and .zmetadata are not in the bucket; the arrays are all there but the dataset cannot be opened.",
      "The root group metadata is missing (.zgroup, .zattrs, .zmetadata), only the array folders are there.", ".zgroup")
class C25:
    def clean(p):
        r = rng(25); la, lo = np.linspace(-85, 85, 18), np.arange(0, 360, 15.); n = 6; d3 = ("time", "latitude", "longitude")
        ds = xr.Dataset({"2m_temperature": (d3, temp(r, n, la, lo).round(2), {"units": "K", "long_name": "2 metre temperature", "short_name": "t2m", "standard_name": "air_temperature"}),
            "mean_sea_level_pressure": (d3, (101300 + 900 * smooth(r, (n, 18, 24), (1, 2, 2))).round(1).astype("f4"), {"units": "Pa", "long_name": "Mean sea level pressure", "short_name": "msl", "standard_name": "air_pressure_at_mean_sea_level"})},
            {"time": daily("1959-01-01", n, "6h"), "latitude": ("latitude", la, LAT, NF), "longitude": ("longitude", lo, LON, NF)}, attrs("ERA5 1959-2023 1440x721", "ECMWF"))
        ds.to_zarr(p, zarr_format=2, encoding={**tenc("hours since 1959-01-01"), **{k: {"chunks": (2, 18, 24)} for k in ds.data_vars}})
    def fault(p):
        for k in (".zgroup", ".zattrs", ".zmetadata"): (p / k).unlink()
    def check(c, f): readall(c); assert np.isfinite(xo(c)["2m_temperature"]).all(); C25.note = type(fails(lambda: xo(f))).__name__; assert zarr.open_array(str(f / "2m_temperature"), mode="r").shape == (6, 18, 24)

@case(26, "level-crs", "EOPF-Explorer/data-model#12",
      "Multi-resolution Sentinel-2 reflectance: level 0 has spatial_ref and grid_mapping (EPSG:32633), the lower level 1 has none, its CRS is None.",
      "measurements/reflectance/r20m/1: no spatial_ref / grid_mapping (CRS) though level 0 has it.", "r20m/1")
class C26:
    def _w(p, crs1):
        import rioxarray  # noqa
        r = rng(26); n = 72; base = np.clip(900 + 420 * smooth(r, (n, n), 2), 60, 6000); q = "measurements/reflectance/r20m"
        root = zarr.open_group(str(p), mode="w", zarr_format=3, attributes={"Conventions": "CF-1.8", "title": "S2A_MSIL2A_20250704T094051_N0511_R036_T33SWB"})
        B = {b: np.clip(base * f + 45 * r.standard_normal((n, n)), 1, 10000).astype("u2") for b, f in (("b02", 1.), ("b03", 1.15), ("b04", 1.3))}
        for k in (0, 1):
            s = 2 ** k; m = n // s; px = 20. * s
            x, y = 499980 + px * (np.arange(m) + .5), 4200000 - px * (np.arange(m) + .5)
            ds = xr.Dataset({b: (("y", "x"), v.reshape(m, s, m, s).mean((1, 3)) * 1e-4 - .1, {"long_name": f"BOA reflectance from MSI acquisition at spectral band {b}", "standard_name": "surface_bidirectional_reflectance", "units": "1"}) for b, v in B.items()},
                            {"x": ("x", x, {"standard_name": "projection_x_coordinate", "units": "m", "axis": "X"}), "y": ("y", y, {"standard_name": "projection_y_coordinate", "units": "m", "axis": "Y"})})
            if k == 0 or crs1: ds = ds.rio.write_crs(32633).rio.write_transform()
            for v in "xy": ds[v].encoding["_FillValue"] = None
            for b in B: ds[b].encoding.update({"dtype": "uint16", "scale_factor": 1e-4, "add_offset": -.1, "_FillValue": 0, "chunks": (36, 36)})
            ds.to_zarr(p, group=f"{q}/{k}", mode="a", zarr_format=3, consolidated=False)
        zarr.consolidate_metadata(str(p))
    def clean(p): C26._w(p, True)
    def fault(p): shutil.rmtree(p); C26._w(p, False)
    def check(c, f):
        import rioxarray  # noqa
        readall(c); q = "measurements/reflectance/r20m/%d"; o = lambda p, k: xr.open_dataset(str(p), engine="zarr", group=q % k, decode_coords="all").b02
        assert np.isfinite(o(c, 0)).all() and o(c, 1).rio.crs == "EPSG:32633" and o(f, 0).rio.crs == "EPSG:32633" and o(f, 1).rio.crs is None

@case(27, "level-flip", "pydata/xarray#11101",
      "The appended steps have the level axis in the other order; xarray replaced the level coordinate by the last one, so all earlier steps are upside down against it.",
      "level / t: the order of level was turned by the append; steps 0-7 of t (cold at 1000 hPa, warm at 200 hPa) do not fit the level coordinate, steps 8-11 do.", "level")
class C27:
    def _w(p, flip):
        r = rng(27); lv = np.array([1000., 850., 700., 500., 300., 200.]); la, lo = np.arange(40, 49, 1.), np.arange(0, 12, 1.); n = 12
        prof = np.array([289, 280, 272, 254, 231, 219.])[None, :, None, None]; t = (prof - .5 * (la - 44)[None, None, :, None] + 1.6 * smooth(r, (n, 6, 9, 12), (1, .6, 2, 2))).round(2).astype("f4")
        z = np.array([120, 1480, 3040, 5620, 9220, 11850.])[None, :, None, None]; z = (z - 6 * (la - 44)[None, None, :, None] + 25 * smooth(r, (n, 6, 9, 12), (1, .6, 2, 2))).round(1).astype("f4"); d4 = ("time", "level", "lat", "lon")
        ds = xr.Dataset({"t": (d4, t, {"units": "K", "standard_name": "air_temperature", "long_name": "temperature"}), "gh": (d4, z, {"units": "m", "standard_name": "geopotential_height", "long_name": "geopotential height"})},
            {"time": daily("2026-01-10", n, "6h"), "level": ("level", lv, {"units": "hPa", "standard_name": "air_pressure", "long_name": "pressure level", "positive": "down", "axis": "Z"}, NF), **latlon(la, lo)}, attrs("analysis on pressure levels", "NCEP"))
        e = {**tenc(), "t": {"chunks": (4, 6, 9, 12)}, "gh": {"chunks": (4, 6, 9, 12)}}; ds.isel(time=slice(8)).to_zarr(p, encoding=e)
        b = ds.isel(time=slice(8, 12)); (b.isel(level=slice(None, None, -1)) if flip else b).to_zarr(p, append_dim="time")
    def clean(p): C27._w(p, False)
    def fault(p): shutil.rmtree(p); C27._w(p, True)
    def check(c, f):
        readall(c); d = [xo(k).t.mean(("lat", "lon")).load() for k in (c, f)]; w = [k.sel(level=1000.) - k.sel(level=200.) for k in d]; assert (w[0] > 50).all() and (w[1][:8] < -50).all() and (w[1][8:] > 50).all()

@case(28, "nan-1e37", "pangeo-data/rechunker#55",
      "After rechunking the missing value is no longer declared: land points that were NaN read as 1e37 (fill_value of the arrays is null).",
      "zeta and temp hold 1e+37 at land points as ordinary values; the fill value / _FillValue is not declared.", "zeta|ill")
class C28:
    def clean(p):
        r = rng(28); n, ny, nx = 12, 22, 26; land = gaussian_filter(r.standard_normal((ny, nx)), 4); land = land > np.quantile(land, .7); lo, la = np.meshgrid(np.linspace(-80, -74, nx), np.linspace(30, 35, ny)); d3 = ("ocean_time", "eta_rho", "xi_rho")
        z = np.where(land, np.nan, .35 * np.sin(2 * np.pi * np.arange(n)[:, None, None] / 12.4 + lo / 2) + .05 * smooth(r, (n, ny, nx), 2)); t = np.where(land, np.nan, 22 - .8 * (la - 30) + .7 * smooth(r, (n, ny, nx), 2)); co = {"coordinates": "lat_rho lon_rho"}
        ds = xr.Dataset({"zeta": (d3, z.astype("f4"), {"units": "meter", "long_name": "time-averaged free-surface", "standard_name": "sea_surface_height_above_geopotential_datum", **co}), "temp": (d3, t.astype("f4"), {"units": "Celsius", "long_name": "surface potential temperature", "standard_name": "sea_water_potential_temperature", **co}),
            "mask_rho": (("eta_rho", "xi_rho"), (~land).astype("i1"), {"long_name": "mask on RHO-points", "flag_values": np.array([0, 1], "i1"), "flag_meanings": "land water", **co})}, {"ocean_time": ("ocean_time", pd.date_range("2020-09-01", periods=n, freq="h"), TA)}, attrs("COAWST forecast, rechunked", "USGS"))
        for k, v, at in (("lat_rho", la, LAT), ("lon_rho", lo, LON)): ds[k] = (("eta_rho", "xi_rho"), v, {a: b for a, b in at.items() if a != "axis"}, NF)
        ds.to_zarr(p, zarr_format=2, encoding={"ocean_time": tenc("hours since 2013-08-30")["time"], **{k: {"_FillValue": np.float32(1e37), "chunks": (12, 11, 13)} for k in ("zeta", "temp")}})
    def fault(p):
        for v in ("zeta", "temp"):
            jedit(p / v / ".zarray", lambda d: d.update(fill_value=None)); jedit(p / ".zmetadata", lambda d: d["metadata"][v + "/.zarray"].update(fill_value=None))
    def check(c, f):
        readall(c); a, b = xo(c).load(), xo(f).load(); m = a.mask_rho == 0; assert (np.isnan(a.zeta) == m).all() and ((b.zeta > 9e36) == m).all() and len(chunks_of(f, "zeta")) == 4

@case(29, "chunk-truncated", "zarr-developers/numcodecs#810",
      "One chunk came over the network cut off; reading gives \"error during blosc decompression: -1\".",
      "tas: chunk 2.0.0 is cut off (shorter than its blosc header says) and cannot be decompressed.", "tas|2.0.0")
class C29:
    def clean(p):
        r = rng(29); la, lo = np.arange(-87.5, 90, 12.5), np.arange(0, 360, 15.); n = 48
        ds = xr.Dataset({"tas": (("time", "lat", "lon"), temp(r, n, la, lo), {"units": "K", "standard_name": "air_temperature", "long_name": "Near-Surface Air Temperature", "cell_methods": "area: time: mean"})},
            {"time": daily("1850-01-01", n), **latlon(la, lo)}, {**attrs("CESM2 historical", "NCAR"), "source_id": "CESM2", "table_id": "day", "variable_id": "tas"})
        ds.to_zarr(p, zarr_format=2, encoding={**tenc("days since 1850-01-01"), "tas": {"chunks": (12, len(la), len(lo)), "compressors": Blosc("lz4", 5, 1)}})
    def fault(p): q = p / "tas/2.0.0"; b = q.read_bytes(); q.write_bytes(b[: int(len(b) * .62)])
    def check(c, f): readall(c); d = xo(f).tas; d[:24].load(); d[36:].load(); C29.note = str(fails(lambda: d[24:36].load()))[:80]

@case(30, "zip-folder", "zarr-developers/zarr-python#756",
      "The directory was zipped together with its outer folder (zip -r0 sst.zarr.zip sst.zarr): all names in the archive begin with sst.zarr/, ZipStore finds no group at the root.",
      "In the zip every entry is under the folder sst.zarr/; the root has no metadata, the hierarchy is one level down.", "sst.zarr")
class C30:
    def _w(p, pre):
        r = rng(30); t = p.parent / "_z"; shutil.rmtree(t, ignore_errors=True); p.mkdir(exist_ok=True); la, lo = np.arange(-20, 21, 2.5), np.arange(140, 181, 2.5); n = 12
        s = 28 - .004 * (la ** 2)[None, :, None] + .5 * smooth(r, (n, len(la), len(lo)), (1, 2, 2))
        ds = xr.Dataset({"sst": (("time", "lat", "lon"), s.round(3).astype("f4"), {"units": "degC", "standard_name": "sea_surface_temperature", "long_name": "Monthly mean SST"})}, {"time": daily("2019-01-01", n, "MS"), **latlon(la, lo)}, attrs("ERSST subset", "NOAA NCEI"))
        ds.to_zarr(t, zarr_format=2, encoding={**tenc("days since 1800-01-01"), "sst": {"chunks": (4, 17, 17)}})
        with zipfile.ZipFile(p / "store.zip", "w", zipfile.ZIP_STORED) as z:
            for q in sorted(files(t)): z.writestr(zipfile.ZipInfo(pre + q.relative_to(t).as_posix(), (2021, 6, 1, 15, 39, 0)), q.read_bytes())
        shutil.rmtree(t)
    def clean(p): C30._w(p, "")
    def fault(p): C30._w(p, "sst.zarr/")
    def check(c, f):
        o = lambda p: xr.open_zarr(zarr.storage.ZipStore(str(p / "store.zip"), mode="r")); assert np.isfinite(o(c).sst).all(); C30.note = type(fails(lambda: o(f))).__name__
        assert all(k.startswith("sst.zarr/") for k in zipfile.ZipFile(f / "store.zip").namelist())

# ---------- run
def files(p): return [q for q in Path(p).rglob("*") if q.is_file()]
def packed(p):
    import io
    b = io.BytesIO()
    with zipfile.ZipFile(b, "w", zipfile.ZIP_DEFLATED) as z:
        for q in files(p): z.write(q)
    return len(b.getvalue())
def main():
    only = [int(a) for a in sys.argv[1:]] or sorted(CASES); good = 0
    for n in only:
        k = CASES[n]; d = OUT / k["name"]; shutil.rmtree(d, ignore_errors=True); d.mkdir(parents=True); cl = k["cls"]
        try:
            cl.clean(d / "clean"); shutil.copytree(d / "clean", d / "fault"); cl.fault(d / "fault"); cl.check(d / "clean", d / "fault")
            for s in ("clean", "fault"): assert packed(d / s) <= 200_000 and len(files(d / s)) <= 300, (s, packed(d / s), len(files(d / s)))
            good += 1; print("ok  ", k["name"], len(files(d / "fault")), packed(d / "fault"), getattr(cl, "note", ""))
        except Exception as e:
            import traceback; print("FAIL", k["name"], repr(e)[:300]); traceback.print_exc(limit=-3)
    jwrite(OUT / "cases.json", {CASES[n]["name"]: CASES[n]["words"] for n in sorted(CASES)}, ensure_ascii=False)
    esc = lambda s: s.replace("|", "\\|")
    (OUT / "answers.md").write_text("| NN | thread | fault | what a good answer names |\n|---|---|---|---|\n" + "".join(
        f"| {CASES[n]['name']} | {CASES[n]['thread']} | {esc(CASES[n]['fault'])} | {esc(CASES[n]['answer'])} |\n" for n in sorted(CASES)))
    print(good, "of", len(only), "checks passed")
main()
