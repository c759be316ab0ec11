"""Zarr V2 stores by zarr-python 2.18 with numcodecs (``requirements-zarr2.txt``).

Makes ``zarr2`` (one array a codec, filter, data type or layout), ``zarr2-consolidated``,
``zarr2-stored.zip`` and ``zarr2-deflated.zip``, and records what the library reads back. Run: ``python make_zarr2.py``.
"""

from __future__ import annotations

import time
import warnings
import zipfile

import numcodecs as nc
import numpy as np
import zarr

from common import HERE, Recorder, noise, smooth

warnings.simplefilter("ignore")
FIXED = time.struct_time((2024, 1, 2, 3, 4, 6, 1, 2, 0))
REC = Recorder(f"zarr-python {zarr.__version__}, numcodecs {nc.__version__}",
               "zarr2", "zarr2-consolidated", "zarr2-stored.zip", "zarr2-deflated.zip")
STORE = zarr.DirectoryStore(str(HERE / "zarr2"))
zarr.group(STORE)


def same(a, b) -> bool:
    """Bit for bit equal, or equal as objects."""
    if a.dtype.kind == "O":
        return all(np.array_equal(x, y) for x, y in zip(a.ravel(), b.ravel(), strict=True))
    return a.shape == b.shape and a.dtype == b.dtype and a.tobytes() == b.tobytes()


def put(name, data, chunks=None, lossy=False, write=None, note=None, **kw):
    """Store ``data`` (all of it, or the selection ``write``), read it back, record it."""
    try:
        kw.setdefault("compressor", None)
        kw.setdefault("fill_value", None if data.dtype.kind in "SUVmMO" else 0)
        z = zarr.create(shape=data.shape, dtype=kw.pop("dtype", data.dtype),
                        chunks=chunks or data.shape or True, store=STORE, path=name, **kw)
        if write is None:
            if 0 not in data.shape:
                z[...] = data
        else:
            for sel in write:
                z[sel] = data[sel]
        back = zarr.open_array(STORE, path=name, mode="r")
        got = back[...]
        if not isinstance(got, np.ndarray):
            got = np.array(got, dtype=back.dtype)
        if write is None and not lossy and not same(got, data):
            raise ValueError("does not read back as written")
        if note is not None and "undefined" in note:
            full = np.zeros(data.shape, data.dtype)
            for sel in write:
                full[sel] = got[sel]
            got = full
        REC.add("zarr2", name, 2, got, **({"note": note} if note else {}))
    except Exception as error:  # the report names what a library cannot do
        REC.skip(name, f"{type(error).__name__}: {error}")
        if name in STORE or zarr.storage.contains_array(STORE, name):
            zarr.storage.rmdir(STORE, name)


def numeric(n=300):
    """The data most codec cases use: 300 f4 values that compress."""
    return smooth(n, "<f4")


def compressors():
    """Every compressor but blosc, at several levels, on data that compress and that do not."""
    cases = {"null": None}
    cases |= {f"zlib-{n}": nc.Zlib(n) for n in (0, 1, 6, 9)}
    cases |= {f"gzip-{n}": nc.GZip(n) for n in (0, 1, 9)}
    cases |= {f"bz2-{n}": nc.BZ2(n) for n in (1, 9)}
    cases |= {f"lz4-{n}": nc.LZ4(n) for n in (1, 20)}
    cases |= {f"zstd-{n}".replace("--", "-neg"): nc.Zstd(n) for n in (-5, 0, 1, 3, 9, 22)}
    cases |= {f"zstd-{n}-checksum": nc.Zstd(n, checksum=True) for n in (1, 19)}
    cases |= {f"lzma-{n}": c for n, c in lzmas().items()}
    for name, codec in cases.items():
        put(name, numeric(), (128,), compressor=codec)
        if name in ("zlib-1", "gzip-1", "bz2-1", "lz4-1", "zstd-1", "zstd-1-checksum",
                    "lzma-xz", "lzma-alone"):
            put(f"{name}-noise", noise(700, "u1"), compressor=codec)
            put(f"{name}-one-byte", np.array([7], "u1"), compressor=codec)
            put(f"{name}-zeros", np.zeros((40, 50), "<i8"), compressor=codec)
            put(f"{name}-text", np.array([b"the quick brown fox jumps over the lazy dog"] * 9), compressor=codec)


def lzmas():
    """LZMA in its three container formats, with each check and several filter chains."""
    lzma2 = {"id": 0x21, "preset": 1}
    delta = {"id": 0x03, "dist": 4}
    raw1 = {"id": 0x4000000000000001, "dict_size": 65536, "lc": 3, "lp": 0, "pb": 2}
    return {
        "xz": nc.LZMA(),
        "xz-preset9": nc.LZMA(preset=9),
        "xz-check-none": nc.LZMA(check=0),
        "xz-check-crc32": nc.LZMA(check=1),
        "xz-check-crc64": nc.LZMA(check=4),
        "xz-check-sha256": nc.LZMA(check=10),
        "alone": nc.LZMA(format=2),
        "raw-lzma2": nc.LZMA(format=3, filters=[{"id": 0x21, "dict_size": 65536}]),
        "raw-lzma2-preset": nc.LZMA(format=3, filters=[lzma2]),
        "raw-lzma1": nc.LZMA(format=3, filters=[raw1]),
        "raw-lzma1-lclppb": nc.LZMA(format=3, filters=[{**raw1, "lc": 0, "lp": 2, "pb": 1}]),
        "raw-delta-lzma2": nc.LZMA(format=3, filters=[delta, {"id": 0x21, "dict_size": 65536}]),
    }


def bloscs():
    """Blosc: names x shuffles x type sizes, odd sizes, block sizes, and data it cannot shrink."""
    shuffles = {"noshuffle": 0, "shuffle": 1, "bitshuffle": 2, "auto": -1}
    types = {1: "|u1", 2: "<i2", 4: "<f4", 8: "<f8", 16: "<c16"}
    cnames = nc.blosc.list_compressors()
    for cname in cnames:
        for shuffle, code in list(shuffles.items())[:3]:
            for size, dtype in types.items():
                put(f"blosc-{cname}-{shuffle}-{dtype[1:]}", smooth(301, dtype), (200,),
                    compressor=nc.Blosc(cname, 5, code))
    for n in (1, 7, 15, 16, 17, 127, 128, 129, 255, 257, 1000, 2049):
        for dtype in ("|u1", "<u2", "<i4"):
            put(f"blosc-size-{n}-{dtype[1:]}", smooth(n, dtype),
                compressor=nc.Blosc("lz4", 5, 1 + n % 2))
    for cname in cnames:
        put(f"blosc-{cname}-noise", noise(600, "<u4"), compressor=nc.Blosc(cname, 5, 1))
        half = np.concatenate([smooth(512, "<u4"), noise(300, "<u4")])
        put(f"blosc-{cname}-half-noise", half, compressor=nc.Blosc(cname, 5, 1, blocksize=1024))
        for block in (128, 256, 1000, 1024, 4096):
            shuffle = {128: 0, 256: 1, 1000: 2, 1024: 2, 4096: 1}[block]
            put(f"blosc-{cname}-block-{block}", smooth(1300, "<i4"),
                compressor=nc.Blosc(cname, 5, shuffle, blocksize=block))
            put(f"blosc-{cname}-block-{block}-u8", smooth(600, "<u8"),
                compressor=nc.Blosc(cname, 9, 1 + block % 3 % 2, blocksize=block))
    for cname in cnames:  # blocks that are split into streams hold at least 64 KiB each
        long = np.arange(40000, dtype="<u4") // 64
        long[30000:30200] = noise(200, "<u4")
        put(f"blosc-{cname}-split-blocks", long, compressor=nc.Blosc(cname, 1, 1))
        put(f"blosc-{cname}-raw-streams", noise(600, "<u2").astype("<u4"), compressor=nc.Blosc(cname, 5, 1))
    for level in (0, 1, 9):
        put(f"blosc-level-{level}", smooth(900, "<i4"), compressor=nc.Blosc("lz4", level, 1))
    for shuffle in shuffles:
        put(f"blosc-zeros-{shuffle}", np.zeros(3000, "<f8"),
            compressor=nc.Blosc("lz4", 5, shuffles[shuffle]))
        put(f"blosc-{shuffle}-V20", smooth(50, "|V20"), compressor=nc.Blosc("zstd", 5, shuffles[shuffle]))
        put(f"blosc-{shuffle}-S300", smooth(9, "|S300"), compressor=nc.Blosc("zlib", 5, shuffles[shuffle]))
        put(f"blosc-{shuffle}-struct11", structs(60, packed()),
            compressor=nc.Blosc("lz4hc", 5, shuffles[shuffle], blocksize=256))
        put(f"blosc-auto-{shuffle}-u1", smooth(500, "u1"), compressor=nc.Blosc("lz4", 5, shuffles[shuffle]))


def packed():
    """A structure of 11 bytes."""
    return np.dtype([("a", "<i4"), ("b", "|b1"), ("c", ">f4"), ("d", "|S2")])


def structs(n, dtype, seed=5):
    """``n`` structures filled field by field."""
    out = np.zeros(n, dtype)
    for k, name in enumerate(dtype.names):
        field = dtype.fields[name][0]
        if field.names:
            out[name] = structs(n, field, seed + 1)
        elif field.shape:
            count = int(np.prod(field.shape))
            out[name] = smooth(n * count, field.base, seed + k).reshape(n, *field.shape)
        else:
            out[name] = smooth(n, field, seed + k)
    return out


def filters():
    """Each filter alone, then in chains."""
    f4 = numeric()
    for place in ("start", "end"):
        for codec in (nc.CRC32, nc.CRC32C, nc.Adler32):
            name = codec.codec_id
            try:
                filter_ = codec(location=place)
            except TypeError:
                continue
            put(f"{name}-{place}", f4, (128,), filters=[filter_])
    for codec in (nc.CRC32(), nc.CRC32C(), nc.Adler32(), nc.Fletcher32(), nc.JenkinsLookup3()):
        put(f"{codec.codec_id}-default", f4, (128,), filters=[codec])
        put(f"{codec.codec_id}-default-odd", smooth(13, "u1"), filters=[codec])
        put(f"{codec.codec_id}-compressor-place", f4, (128,), compressor=codec)
        put(f"{codec.codec_id}-zlib", f4, (128,), filters=[codec], compressor=nc.Zlib(1))
    put("fletcher32-noise", noise(2001, "u1"), filters=[nc.Fletcher32()])
    put("fletcher32-ff", np.full(1500, 255, "u1"), filters=[nc.Fletcher32()])
    put("jenkins_lookup3-initval", f4, filters=[nc.JenkinsLookup3(initval=7)])
    for n in (1, 12, 13, 24, 25):
        put(f"jenkins_lookup3-{n}", noise(n, "u1"), filters=[nc.JenkinsLookup3()])
    for size in (1, 2, 4, 8):
        put(f"shuffle-{size}", smooth(250, "<i4"), (100,), filters=[nc.Shuffle(size)], compressor=nc.Zlib(1))
    put("shuffle-as-compressor", smooth(99, "<i8"), compressor=nc.Shuffle(8))
    for dtype in ("|u1", "<i2", "<i4", ">i4", "<u8", "<f4", "<f8", ">f8"):
        put(f"delta-{dtype.replace('|', '').replace('<', 'le-').replace('>', 'be-')}",
            smooth(210, dtype), (100,), filters=[nc.Delta(dtype)], lossy=True)
    put("delta-i4-as-i1", smooth(210, "<i4") % 50, (100,), filters=[nc.Delta("<i4", "|i1")], lossy=True)
    put("delta-u1-wraps", noise(210, "u1"), (100,), filters=[nc.Delta("|u1")])
    put("delta-i8-as-be-i2", smooth(210, "<i8"), filters=[nc.Delta("<i8", ">i2")], lossy=True)
    put("delta-f4-noise", np.random.default_rng(3).normal(size=120).astype("<f4"),
        filters=[nc.Delta("<f4")], lossy=True)
    put("delta-2d", smooth(210, "<i4").reshape(14, 15), (5, 6), filters=[nc.Delta("<i4")])
    put("delta-2d-F", smooth(210, "<i4").reshape(14, 15), (5, 6), order="F", filters=[nc.Delta("<i4")])
    f8 = np.random.default_rng(4).uniform(990, 1010, 200)
    for astype in ("|u1", "<i2", "<u4", ">i4", "<f4"):
        put(f"fixedscaleoffset-f8-{astype[1:]}" + ("-be" if astype[0] == ">" else ""), f8, (90,), lossy=True,
            filters=[nc.FixedScaleOffset(offset=1000, scale=10, dtype="<f8", astype=astype)])
    put("fixedscaleoffset-f4-u1", f8.astype("<f4"), lossy=True,
        filters=[nc.FixedScaleOffset(offset=990.5, scale=3.3, dtype="<f4", astype="u1")])
    put("fixedscaleoffset-f8-no-astype", f8, lossy=True,
        filters=[nc.FixedScaleOffset(offset=1000, scale=100, dtype="<f8")])
    put("fixedscaleoffset-i4-i1", smooth(100, "<i4") + 1000, lossy=True,
        filters=[nc.FixedScaleOffset(offset=1000, scale=2, dtype="<i4", astype="|i1")])
    put("fixedscaleoffset-be", f8.astype(">f8"), lossy=True,
        filters=[nc.FixedScaleOffset(offset=1000, scale=10, dtype=">f8", astype="<i2")])
    for digits in (0, 1, 3):
        put(f"quantize-{digits}", f8, filters=[nc.Quantize(digits, "<f8")], lossy=True)
    put("quantize-f8-f4", f8, filters=[nc.Quantize(2, "<f8", "<f4")], lossy=True)
    for bits, dtype in ((3, "<f2"), (5, "<f4"), (10, "<f8"), (23, "<f4")):
        put(f"bitround-{bits}-{dtype[1:]}", f8.astype(dtype), filters=[nc.BitRound(bits)], lossy=True)
    put("astype-i4-i2", smooth(99, "<i4"), filters=[nc.AsType("<i2", "<i4")])
    put("astype-f8-f4", f8, filters=[nc.AsType("<f4", "<f8")], lossy=True)
    put("astype-i8-be-i4", smooth(99, "<i8"), filters=[nc.AsType(">i4", "<i8")])
    put("astype-f4-u1", np.arange(99, dtype="<f4"), filters=[nc.AsType("|u1", "<f4")])
    put("astype-b1-u1", smooth(99, "?"), filters=[nc.AsType("|u1", "|b1")])
    for n in (1, 7, 8, 9, 63, 64, 65):
        put(f"packbits-{n}", smooth(n, "?"), filters=[nc.PackBits()])
    put("packbits-2d", smooth(91, "?").reshape(7, 13), (4, 5), filters=[nc.PackBits()], compressor=nc.Zlib(1))
    labels = ["female", "male", "ünï"]
    u = np.array(labels)[np.random.default_rng(9).integers(0, 3, 60)]
    put("categorize-U", u.astype("<U8"), (25,), filters=[nc.Categorize(labels, "<U8")])
    put("categorize-U-i2", u.astype("<U8"), (25,), filters=[nc.Categorize(labels, "<U8", astype="<i2")])
    put("categorize-object", u.astype(object), (25,), dtype=object, object_codec=nc.Categorize(labels, object),
        lossy=True)
    put("categorize-object-unknown", np.array(["male", "other", "female"], object), dtype=object,
        object_codec=nc.Categorize(["female", "male"], object), lossy=True)
    put("base64", smooth(60, "<i4"), (25,), filters=[nc.Base64()])
    put("base64-zlib", smooth(60, "<i4"), (25,), filters=[nc.Base64()], compressor=nc.Zlib(1))
    put("pcodec", smooth(300, "<f4"), (128,), compressor=nc.PCodec())
    put("zfpy-tolerance", smooth(300, "<f4").reshape(15, 20), (8, 8), lossy=True,
        compressor=nc.ZFPY(mode=4, tolerance=0.01))


def chains():
    """Several filters and a compressor."""
    i4 = smooth(300, "<i4")
    put("chain-shuffle-zlib", i4, (128,), filters=[nc.Shuffle(4)], compressor=nc.Zlib(6))
    put("chain-delta-blosc", i4, (128,), filters=[nc.Delta("<i4")], compressor=nc.Blosc("zstd", 3, 2))
    put("chain-delta-i2-blosc", i4, (128,), filters=[nc.Delta("<i4", "<i2")], compressor=nc.Blosc("lz4", 3, 1))
    put("chain-fletcher32-shuffle-zlib", i4, (128,),
        filters=[nc.Fletcher32(), nc.Shuffle(4)], compressor=nc.Zlib(6))
    put("chain-shuffle-zlib-fletcher32", i4, (128,),
        filters=[nc.Shuffle(4), nc.Zlib(4), nc.Fletcher32()])
    put("chain-fso-delta-shuffle-zstd", smooth(300, "<f8"), (128,), lossy=True, filters=[
        nc.FixedScaleOffset(0, 10, "<f8", "<i4"), nc.Delta("<i4"), nc.Shuffle(4)], compressor=nc.Zstd(3))
    put("chain-quantize-crc32-gzip", smooth(300, "<f8"), (128,), lossy=True,
        filters=[nc.Quantize(1, "<f8"), nc.CRC32()], compressor=nc.GZip(1))
    put("chain-two-checksums", i4, filters=[nc.CRC32C(), nc.Adler32()])
    put("chain-astype-packed", smooth(300, "<i8"), filters=[nc.AsType("<i4", "<i8"), nc.Delta("<i4", "<i1")],
        compressor=nc.BZ2(1), lossy=True)
    put("chain-zlib-zlib", i4, filters=[nc.Zlib(1)], compressor=nc.Zlib(9))
    put("chain-lz4-base64", i4, filters=[nc.LZ4()], compressor=nc.Base64())
    put("chain-vlen-utf8-blosc", texts(), (3,), dtype=object, object_codec=nc.VLenUTF8(),
        compressor=nc.Blosc("lz4", 5, 1))
    put("chain-json2-zlib", texts(), (3,), dtype=object, object_codec=nc.JSON(), compressor=nc.Zlib(1))
    put("chain-vlen-utf8-crc32", texts(), (3,), dtype=object, object_codec=nc.VLenUTF8(), filters=[nc.CRC32()])


def texts():
    """Eight strings: empty, ASCII, accents, astral, a NUL inside, a newline, an escape sequence."""
    return np.array(["", "a", "grün", "日本語", "x\0y", "line\nbreak", "😀 emoji", "\x1b[31mred"], object)


def objects():
    """Object arrays: strings, bytes, ragged arrays, JSON, msgpack and (refused) pickle."""
    b = np.empty(7, object)
    b[:] = [b"", b"\0", b"abc", b"\xff\xfe", b"x" * 40, b"trailing\0", b"z"]
    ragged = {}
    for dtype in ("<i4", "<f8", ">i2", "|u1", "<U3", "|b1"):
        rows = np.empty(5, object)
        rows[:] = [smooth(n, dtype) for n in (0, 1, 3, 7, 2)]
        ragged[dtype] = rows
    put("vlen-utf8", texts(), (3,), dtype=object, object_codec=nc.VLenUTF8())
    put("vlen-utf8-2d", texts().reshape(2, 4), (2, 3), dtype=object, object_codec=nc.VLenUTF8())
    put("vlen-utf8-F", texts().reshape(2, 4), (2, 3), dtype=object, order="F", object_codec=nc.VLenUTF8())
    put("vlen-utf8-0d", np.array("alone", object), dtype=object, object_codec=nc.VLenUTF8())
    put("vlen-utf8-fill", texts(), (3,), dtype=object, object_codec=nc.VLenUTF8(), fill_value="none",
        write=[slice(0, 3)])
    put("vlen-utf8-fill-null", texts(), (3,), dtype=object, object_codec=nc.VLenUTF8(), write=[slice(3, 6)])
    put("vlen-utf8-fill-0", texts(), (3,), dtype=object, object_codec=nc.VLenUTF8(), fill_value=0,
        write=[slice(3, 6)])
    put("vlen-utf8-none-inside", np.array(["a", None, "b"], object), dtype=object, lossy=True,
        object_codec=nc.VLenUTF8())
    put("vlen-bytes", b, (3,), dtype=object, object_codec=nc.VLenBytes())
    put("vlen-bytes-zstd", b, (3,), dtype=object, object_codec=nc.VLenBytes(), compressor=nc.Zstd())
    for dtype, rows in ragged.items():
        name = dtype.replace("|", "").replace("<", "le-").replace(">", "be-")
        put(f"vlen-array-{name}", rows, (2,), dtype=object, object_codec=nc.VLenArray(dtype), lossy=True)
    mixed = np.empty(6, object)
    mixed[:] = ["a", 1, 2.5, None, True, "é"]
    for name, codec in (("json2", nc.JSON()), ("msgpack2", nc.MsgPack())):
        put(f"{name}-mixed", mixed, (4,), dtype=object, object_codec=codec, lossy=True)
        put(f"{name}-2d", texts().reshape(2, 4), (2, 3), dtype=object, object_codec=codec)
        if name == "json2":  # numcodecs cannot write a 0-d array with msgpack2
            put(f"{name}-0d", np.array("alone", object), dtype=object, object_codec=codec)
        put(f"{name}-missing", mixed, (4,), dtype=object, object_codec=codec, write=[slice(0, 4)])
        nested = np.empty(3, object)
        nested[:] = [{"a": 1}, {"b": [1, 2]}, {}]
        put(f"{name}-dicts", nested, dtype=object, object_codec=codec, lossy=True)
        put(f"{name}-i4", smooth(20, "<i4"), (6,), filters=[codec], lossy=True)
    put("json2-encoding-latin", np.array(["é", "b"], object), dtype=object, object_codec=nc.JSON(encoding="latin-1"))
    put("json2-unescaped", texts(), dtype=object, object_codec=nc.JSON(ensure_ascii=False, indent=1))
    put("msgpack2-bytes", b, dtype=object, object_codec=nc.MsgPack(raw=True), lossy=True)
    z = zarr.create(shape=2, dtype=object, store=STORE, path="pickle-refused", compressor=None,
                    object_codec=nc.Pickle())
    z[...] = np.array(["a", 1], object)
    REC.add("zarr2", "pickle-refused", 2, None, note="must be refused: pickle runs code")


def layouts():
    """Orders, separators, edges, missing chunks, empty and 0-d arrays, nested paths."""
    a = smooth(13 * 17, "<i4").reshape(13, 17)
    c = smooth(4 * 5 * 6, "<i2").reshape(4, 5, 6)
    for order in "CF":
        for dot, separator in (("dot", "."), ("slash", "/")):
            put(f"layout-{order}-{dot}", a, (5, 6), order=order, dimension_separator=separator)
            put(f"layout-3d-{order}-{dot}", c, (2, 3, 4), order=order, dimension_separator=separator,
                compressor=nc.Zlib(1))
    put("layout-F-1d", smooth(10, "<i4"), (4,), order="F")
    put("layout-F-blosc", c, (2, 3, 4), order="F", compressor=nc.Blosc())
    put("layout-F-struct", structs(12, packed()).reshape(3, 4), (2, 3), order="F")
    put("layout-4d", smooth(120, "u1").reshape(2, 3, 4, 5), (1, 2, 3, 4))
    put("layout-chunk-larger", smooth(5, "<i4"), (9,))
    put("layout-chunk-one", smooth(5, "<i4"), (1,))
    put("zero-d", np.array(42, "<i4"))
    put("zero-d-zlib", np.array(-1.5, ">f8"), compressor=nc.Zlib())
    put("zero-d-struct", structs(1, packed()).reshape(()))
    put("zero-d-missing", np.array(0, "<i4"), fill_value=7, write=[])
    put("zero-length", np.zeros((0,), "<i4"), (1,))
    put("zero-length-2d", np.zeros((3, 0), "<f8"), (2, 1))
    put("zero-length-F", np.zeros((0, 4), "<f8"), (1, 2), order="F")
    put("nested/path/deep", smooth(6, "<i4"), (4,), compressor=nc.Zlib())
    put("nested/path-too", smooth(6, "<i4"), (4,), dimension_separator="/")
    fills = {"0": ("<i4", 0), "neg": ("<i4", -9), "nan": ("<f4", float("nan")), "inf": ("<f8", float("inf")),
             "neginf": ("<f2", float("-inf")), "u8max": ("<u8", 2**64 - 1), "true": ("|b1", True),
             "be": (">i2", 258), "S": ("|S3", b"ab"), "U": ("<U3", "äb"), "V": ("|V3", b"\1\2\3"),
             "complex": ("<c8", 1 + 2j), "M8": ("<M8[s]", np.datetime64(99, "s")),
             "nat": ("<M8[s]", np.datetime64("NaT")), "m8": ("<m8[ms]", np.timedelta64(-5, "ms"))}
    for name, (dtype, fill) in fills.items():
        put(f"missing-fill-{name}", smooth(10, dtype), (4,), fill_value=fill, write=[slice(4, 8)])
    put("missing-fill-struct", structs(10, packed()), (4,), write=[slice(4, 8)],
        fill_value=np.array((5, True, -1.5, b"xy"), packed())[()])
    put("missing-2d", a, (5, 6), fill_value=3, write=[(slice(0, 5), slice(6, 12)), (slice(10, 13), slice(12, 17))])
    put("missing-fill-null", smooth(10, "<i4"), (4,), fill_value=None, write=[slice(4, 8)],
        note="missing chunks are undefined here; shown as 0")
    put("missing-all", smooth(10, "<i4"), (4,), fill_value=11, write=[])
    put("empty-chunks-left-out", np.array([0, 0, 0, 0, 1, 2, 0, 0], "<i4"), (4,), write_empty_chunks=False)


def dtypes():
    """One array a data type, both byte orders."""
    names = ["|b1", "|i1", "|u1"] + [o + k for o in "<>" for k in
             ("i2", "i4", "i8", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "U3",
              "M8[s]", "M8[ns]", "M8[D]", "m8[ms]", "m8[10us]")] + ["|S1", "|S5", "|V1", "|V6"]
    for name in names:
        order = {"<": "le-", ">": "be-", "|": ""}[name[0]]
        put(f"dtype-{order}{name[1:].replace('[', '-').replace(']', '')}", smooth(11, name), (4,))
        if name in (">i4", ">f8", ">U3", ">M8[s]", ">c8"):
            put(f"dtype-be-{name[1:].replace('[', '-').replace(']', '')}-blosc", smooth(211, name), (90,),
                compressor=nc.Blosc("zstd", 5, 1))
    nan = np.array([0x7fc00000, 0xffc00001, 0x7f800001, 0x80000000, 0x00000001, 0x7f800000], "<u4").view("<f4")
    put("dtype-f4-special", nan)
    put("dtype-M8-nat", np.array(["2020-01-01", "NaT"], "<M8[D]"))
    put("struct-packed", structs(11, packed()), (4,))
    put("struct-nested", structs(7, np.dtype([("p", [("x", "<f4"), ("y", "<f4")]), ("n", ">u2")])), (4,))
    put("struct-subarray", structs(7, np.dtype([("v", "<i2", (2, 3)), ("w", "|u1")])), (4,))
    put("struct-be", structs(7, np.dtype([("v", ">i4"), ("t", ">M8[s]"), ("u", ">U2")])), (4,))
    put("struct-2d", structs(12, packed()).reshape(3, 4), (2, 3), compressor=nc.Zlib())
    put("struct-one-field", structs(7, np.dtype([("only", "<i8")])), (4,))


def consolidated():
    """A store of its own with ``.zmetadata``."""
    store = zarr.DirectoryStore(str(HERE / "zarr2-consolidated"))
    root = zarr.group(store)
    root.attrs["title"] = "with .zmetadata"
    cases = {"a": smooth(9, "<i4"), "b/c": smooth(9, "<f4")}
    for path, data in cases.items():
        z = zarr.array(data, store=store, path=path, chunks=(4,), compressor=nc.Zlib())
        z.attrs["units"] = "m"
    zarr.consolidate_metadata(store)
    for path in cases:
        REC.add("zarr2-consolidated", path, 2, zarr.open_consolidated(store)[path][...])


def zips():
    """The same few arrays in a ZIP whose members are stored, and in one that deflates them."""
    real = time.localtime
    time.localtime = lambda *_: FIXED
    for name, method in (("zarr2-stored.zip", zipfile.ZIP_STORED), ("zarr2-deflated.zip", zipfile.ZIP_DEFLATED)):
        store = zarr.ZipStore(str(HERE / name), mode="w", compression=method)
        root = zarr.group(store)
        root.attrs["title"] = name
        arrays = {"a": smooth(40, "<i4"), "deep/b": smooth(40, ">f8"), "deep/s": texts()}
        for path, data in arrays.items():
            extra = {"object_codec": nc.VLenUTF8()} if data.dtype == object else {}
            zarr.array(data, store=store, path=path, chunks=(16,), dtype=data.dtype,
                       compressor=nc.Blosc("lz4") if path == "a" else None, **extra)
        zarr.consolidate_metadata(store)
        store.close()
        with zarr.ZipStore(str(HERE / name), mode="r") as store:
            for path, data in arrays.items():
                got = zarr.open_array(store, path=path, mode="r")[...]
                assert same(got, data)
                REC.add(name, path, 2, got)
    time.localtime = real


if __name__ == "__main__":
    nc.blosc.set_nthreads(1)
    nc.blosc.use_threads = False
    for make in (compressors, bloscs, filters, chains, objects, layouts, dtypes, consolidated, zips):
        make()
    REC.write()
