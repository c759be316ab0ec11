"""Zarr V3 stores by zarr-python 3.1.6 with numcodecs (``requirements-zarr3.txt``).

Makes ``zarr3`` (one array a codec, sharding layout, data type or chunk key encoding),
``zarr3-consolidated``, ``zarr3.zip`` and ``zarr3-v2`` (V2 arrays by zarr-python 3), and records what
the library reads back. Run: ``python make_zarr3.py``.
"""

from __future__ import annotations

import time
import warnings
import zipfile

import numcodecs
import numpy as np
import zarr
import zarr.codecs as zc
import zarr.codecs.numcodecs as zn
from zarr.storage import LocalStore, ZipStore

from common import HERE, Recorder, noise, smooth

warnings.simplefilter("ignore")
zarr.config.set({"async.concurrency": 1, "threading.max_workers": 1})
FIXED = time.struct_time((2024, 1, 2, 3, 4, 6, 1, 2, 0))
REC = Recorder(f"zarr-python {zarr.__version__}, numcodecs {numcodecs.__version__}",
               "zarr3", "zarr3-consolidated", "zarr3.zip", "zarr3-v2")
MAIN = HERE / "zarr3"
zarr.create_group(LocalStore(MAIN))


def same(a, b) -> bool:
    """Bit for bit equal, or equal as strings or objects."""
    if a.dtype.kind in "OT":
        return a.ravel().tolist() == b.ravel().tolist()
    return a.shape == b.shape and a.tobytes() == b.tobytes()


def put(name, data, chunks=None, lossy=False, write=None, root=MAIN, store="zarr3", note=None, **kw):
    """Store ``data`` (all of it, or the selections ``write``), read it back, record it.

    With a ``note`` the library does not read its own chunks rightly: ``data`` are recorded.
    """
    version = kw.get("zarr_format", 3)
    try:
        kw.setdefault("compressors", None)
        dtype = kw.pop("dtype", data.dtype)
        z = zarr.create_array(LocalStore(root), name=name, shape=data.shape, dtype=dtype,
                              chunks=chunks or data.shape, **kw)
        for sel in ([...] if write is None else write):
            if 0 not in data.shape:
                z[sel] = data[sel]
        got = zarr.open_array(LocalStore(root), path=name, mode="r")[...]
        got = np.array(got, object) if isinstance(got, str) else np.asarray(got)
        if note:
            assert not same(got, data)
            got = data
        if write is None and not lossy and not same(got, data):
            raise ValueError("does not read back as written")
        dtype = zarr.open_array(LocalStore(root), path=name, mode="r").dtype
        REC.add(store, name, version, got.astype(dtype) if dtype.kind not in "OT" else got,
                **({"note": note} if note else {}))
    except Exception as error:  # the report names what a library cannot do
        REC.skip(name, f"{type(error).__name__}: {error}")
        import shutil
        shutil.rmtree(root / name, ignore_errors=True)


def codecs():
    """bytes, transpose and the bytes-to-bytes codecs that core zarr-python has."""
    cube = smooth(3 * 4 * 5, "<i2").reshape(3, 4, 5)
    for endian in ("little", "big"):
        for dtype in ("i2", "f4", "c8", "M8[s]", "U2"):
            put(f"bytes-{endian}-{dtype.replace('[', '-').replace(']', '')}", smooth(11, dtype), (4,),
                serializer=zc.BytesCodec(endian=endian))
        put(f"bytes-{endian}-zstd", smooth(200, "i4"), (90,), serializer=zc.BytesCodec(endian=endian),
            compressors=zc.ZstdCodec())
    for order in ((0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        name = "".join(map(str, order))
        put(f"transpose-{name}", cube, (2, 3, 4), filters=zc.TransposeCodec(order=order))
        put(f"transpose-{name}-big-gzip", cube, (2, 3, 4), filters=zc.TransposeCodec(order=order),
            serializer=zc.BytesCodec(endian="big"), compressors=zc.GzipCodec(level=5))
    put("transpose-4d-2031", smooth(120, "u1").reshape(2, 3, 4, 5), (1, 2, 3, 4),
        filters=zc.TransposeCodec(order=(2, 0, 3, 1)))
    put("transpose-twice-120-120", cube, (2, 3, 4),
        filters=[zc.TransposeCodec(order=(1, 2, 0)), zc.TransposeCodec(order=(1, 2, 0))])
    put("transpose-twice-120-021", cube, (2, 3, 4),
        filters=[zc.TransposeCodec(order=(1, 2, 0)), zc.TransposeCodec(order=(0, 2, 1))])
    f4 = smooth(300, "f4")
    for level in (0, 1, 9):
        put(f"gzip-{level}", f4, (128,), compressors=zc.GzipCodec(level=level))
    for level in (-5, 0, 3, 22):
        for checksum in (False, True):
            name = f"zstd-{level}{'-checksum' if checksum else ''}".replace("zstd--", "zstd-neg")
            put(name, f4, (128,), compressors=zc.ZstdCodec(level=level, checksum=checksum))
    put("zstd-noise", noise(700, "u1"), compressors=zc.ZstdCodec(checksum=True))
    put("crc32c", f4, (128,), compressors=zc.Crc32cCodec())
    put("crc32c-after-gzip", f4, (128,), compressors=[zc.GzipCodec(), zc.Crc32cCodec()])
    put("crc32c-before-gzip", f4, (128,), compressors=[zc.Crc32cCodec(), zc.GzipCodec()])
    put("crc32c-twice", f4, (128,), compressors=[zc.Crc32cCodec(), zc.Crc32cCodec()])
    put("default-codecs", f4, (128,), compressors="auto")


def bloscs():
    """Every blosc name and shuffle, over five item sizes."""
    types = {1: "u1", 2: "i2", 4: "f4", 8: "f8", 16: "c16"}
    for cname in ("lz4", "lz4hc", "blosclz", "zstd", "zlib"):
        for shuffle in ("noshuffle", "shuffle", "bitshuffle"):
            for size, dtype in types.items():
                put(f"blosc-{cname}-{shuffle}-{dtype}", smooth(301, dtype), (200,),
                    compressors=zc.BloscCodec(cname=cname, shuffle=shuffle, typesize=size, clevel=5))
    put("blosc-typesize-3", smooth(301, "i4"), compressors=zc.BloscCodec(cname="lz4", shuffle="shuffle", typesize=3))
    put("blosc-blocksize", smooth(2000, "i4"),
        compressors=zc.BloscCodec(cname="zstd", shuffle="bitshuffle", typesize=4, blocksize=1024))
    put("blosc-noise", noise(400, "u4"), compressors=zc.BloscCodec(cname="zstd", shuffle="shuffle", typesize=4))
    put("blosc-level-0", smooth(400, "u4"), compressors=zc.BloscCodec(clevel=0, typesize=4, shuffle="shuffle"))


def shard(chunk, codecs=None, index=None, where="end", **more):
    """A sharding codec with inner ``chunk``."""
    return zc.ShardingCodec(chunk_shape=chunk, codecs=codecs or [zc.BytesCodec()],
                            index_codecs=index or [zc.BytesCodec(), zc.Crc32cCodec()],
                            index_location=where, **more)


def sharding():
    """Index place and codecs, inner codecs, nesting, empty inner chunks, edges."""
    a = smooth(10 * 14, "i4").reshape(10, 14)
    b, crc, gz = zc.BytesCodec(), zc.Crc32cCodec(), zc.GzipCodec()
    for where in ("start", "end"):
        put(f"shard-{where}", a, (4, 6), serializer=shard((2, 3), where=where))
        put(f"shard-{where}-no-crc", a, (4, 6), serializer=shard((2, 3), index=[b], where=where))
        put(f"shard-{where}-index-big-endian", a, (4, 6),
            serializer=shard((2, 3), index=[zc.BytesCodec(endian="big"), crc], where=where))
        put(f"shard-{where}-gzip", a, (4, 6), serializer=shard((2, 3), [b, gz], where=where))
        put(f"shard-{where}-blosc-crc", a, (4, 6), serializer=shard(
            (2, 3), [b, zc.BloscCodec(cname="lz4", typesize=4, shuffle="shuffle"), crc], where=where))
        put(f"shard-{where}-nested", a, (8, 12), serializer=shard((4, 6), [shard((2, 3), [b, gz])], where=where))
        put(f"shard-{where}-nested-start", a, (8, 12),
            serializer=shard((4, 6), [shard((2, 3), [b], where="start")], where=where))
        put(f"shard-{where}-partly-empty", a, (6, 6), serializer=shard((2, 3), where=where), fill_value=-1,
            write=[(slice(0, 2), slice(3, 6)), (slice(7, 9), slice(7, 13))])
    put("shard-transpose-inner", a, (4, 6),
        serializer=shard((2, 3), [zc.TransposeCodec(order=(1, 0)), zc.BytesCodec(endian="big")]))
    put("shard-transpose-outer", a, (4, 6), filters=zc.TransposeCodec(order=(1, 0)), serializer=shard((2, 2)))
    put("shard-3d-transpose-120", smooth(4 * 6 * 8, "u2").reshape(4, 6, 8), (4, 6, 8),
        filters=zc.TransposeCodec(order=(1, 2, 0)), serializer=shard((2, 2, 2)))
    put("shard-outer-gzip", a, (4, 6), serializer=shard((2, 3)), compressors=gz)
    put("shard-outer-crc32c", a, (4, 6), serializer=shard((2, 3)), compressors=crc)
    put("shard-fill-chunks-left-out", np.where(a > 6, a, 0), (5, 7), serializer=shard((5, 7)))
    put("shard-zeros-inside", np.pad(a, ((3, 3), (3, 3))), (8, 10), serializer=shard((2, 2)))
    put("shard-write-empty", np.pad(a, ((3, 3), (3, 3))), (8, 10), serializer=shard((4, 5)),
        config={"write_empty_chunks": True})
    put("shard-one-inner", a, (5, 7), serializer=shard((5, 7)))
    put("shard-missing-shard", a, (4, 6), serializer=shard((2, 3)), fill_value=9, write=[(slice(0, 4), slice(0, 6))])
    put("shard-1d-edge", smooth(13, "f8"), (6,), serializer=shard((2,)))
    put("shard-strings", np.array([f"item {i}" for i in range(11)], object), (6,), dtype=str,
        serializer=shard((2,), [zc.VLenUTF8Codec(), zc.ZstdCodec()]))
    put("shard-vlen-bytes", np.array([bytes([i]) * i for i in range(11)], object), (6,), dtype="variable_length_bytes",
        serializer=shard((2,), [zc.VLenBytesCodec()]))
    put("shard-bool", smooth(64, "?").reshape(8, 8), (4, 4), serializer=shard((2, 2)))
    put("shard-api-auto", a, (2, 3), shards=(4, 6), compressors="auto")
    put("shard-v2-keys", a, (4, 6), serializer=shard((2, 3)), chunk_key_encoding={"name": "v2", "separator": "."})
    put("shard-zero-length", np.zeros((0, 4), "i4"), (4, 4), serializer=shard((2, 2)))


def numcodecs_codecs():
    """The ``numcodecs.*`` codecs that zarr-python registers."""
    f4, f8 = smooth(300, "f4"), np.random.default_rng(4).uniform(990, 1010, 200)
    cases = {"zlib": zn.Zlib(level=3), "lz4": zn.LZ4(acceleration=2), "bz2": zn.BZ2(level=5),
             "gzip": zn.GZip(level=2), "zstd": zn.Zstd(level=4), "zstd-checksum": zn.Zstd(level=4, checksum=True),
             "lzma": zn.LZMA(), "lzma-preset": zn.LZMA(preset=1),
             "lzma-alone": zn.LZMA(format=2),
             "lzma-raw": zn.LZMA(format=3, filters=[{"id": 3, "dist": 4}, {"id": 33, "preset": 1}]),
             "blosc": zn.Blosc(cname="zstd", clevel=3, shuffle=1, blocksize=0),
             "blosc-bitshuffle": zn.Blosc(cname="lz4", clevel=3, shuffle=2),
             "blosc-auto": zn.Blosc(cname="lz4", clevel=3, shuffle=-1),
             "crc32": zn.CRC32(), "crc32c": zn.CRC32C(), "adler32": zn.Adler32(), "fletcher32": zn.Fletcher32(),
             "crc32-end": zn.CRC32(location="end"), "crc32c-start": zn.CRC32C(location="start"),
             "adler32-end": zn.Adler32(location="end"), "jenkins_lookup3": zn.JenkinsLookup3(),
             "jenkins_lookup3-initval": zn.JenkinsLookup3(initval=9)}
    for name, codec in cases.items():
        put(f"numcodecs.{name}", f4, (128,), compressors=codec)
    put("numcodecs.shuffle", f4, (128,), compressors=[zn.Shuffle(elementsize=4), zn.Zlib(level=1)])
    put("numcodecs.shuffle-crc32-lz4", f4, (128,), compressors=[zn.Shuffle(elementsize=4), zn.CRC32(), zn.LZ4()])
    for dtype in ("u1", "i2", "i4", "u8", "f4", "f8"):
        put(f"numcodecs.delta-{dtype}", smooth(200, dtype), (90,), filters=zn.Delta(dtype=dtype), lossy=True)
    put("numcodecs.delta-le-i4-i1", smooth(200, "i4"), (90,), filters=zn.Delta(dtype="<i4", astype="<i1"), lossy=True)
    put("numcodecs.delta-big-endian", smooth(200, "i4"), (90,), filters=zn.Delta(dtype="<i4"),
        serializer=zc.BytesCodec(endian="big"), note="zarr-python 3.1 misreads this; 3.4 reads these values")
    for astype in ("u1", "<i2", "<u4"):
        put(f"numcodecs.fixedscaleoffset-{astype.strip('<')}", f8, (90,), lossy=True,
            filters=zn.FixedScaleOffset(offset=1000, scale=10, dtype="<f8", astype=astype))
    put("numcodecs.fixedscaleoffset-short", f8, (90,), lossy=True, filters=zn.FixedScaleOffset(offset=1000, scale=10))
    put("numcodecs.quantize", f8, (90,), lossy=True, filters=zn.Quantize(digits=2, dtype="float64"))
    put("numcodecs.bitround", f8.astype("f4"), (90,), lossy=True, filters=zn.BitRound(keepbits=5))
    put("numcodecs.astype", f8, (90,), lossy=True, filters=zn.AsType(encode_dtype="float32", decode_dtype="float64"))
    put("numcodecs.astype-i4-i2", smooth(99, "i4"), (40,), filters=zn.AsType(encode_dtype="int16", decode_dtype="int32"))
    for n in (1, 8, 63):
        put(f"numcodecs.packbits-{n}", smooth(n, "?"), filters=zn.PackBits())
    put("numcodecs.packbits-2d", smooth(91, "?").reshape(7, 13), (4, 5), filters=zn.PackBits())
    put("numcodecs.packbits-gzip", smooth(500, "?"), (200,), filters=zn.PackBits(), compressors=zc.GzipCodec())
    put("numcodecs.pcodec", f4, (128,), serializer=zn.PCodec())
    put("numcodecs.pcodec-i8-gzip", smooth(300, "i8"), (128,), serializer=zn.PCodec(level=8), compressors=zc.GzipCodec())
    put("numcodecs.pcodec-2d", smooth(300, "u2").reshape(15, 20), (8, 8), serializer=zn.PCodec())
    put("numcodecs.chain", f8, (90,), lossy=True, filters=[
        zn.FixedScaleOffset(offset=1000, scale=10, dtype="<f8", astype="<i4"), zn.Delta(dtype="<i4")],
        compressors=[zn.Shuffle(elementsize=4), zn.Zlib(level=6), zn.Fletcher32()])


def types():
    """One array a data type, fill values for missing chunks, variable-length types."""
    for dtype in ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "U3", "S3", "V5",
                  "M8[s]", "M8[ns]", "M8[10us]", "m8[ms]", "m8[D]"):
        name = dtype.replace("?", "bool").replace("[", "-").replace("]", "")
        put(f"dtype-{name}", smooth(11, dtype), (4,))
        put(f"dtype-{name}-missing", smooth(11, dtype), (4,), write=[slice(4, 8)])
    for name, dtype, fill in (("nan", "f4", float("nan")), ("neginf", "f8", float("-inf")), ("i8min", "i8", -2**63),
                              ("u8max", "u8", 2**64 - 1), ("complex", "c8", 1 + 2j), ("true", "?", True),
                              ("nat", "M8[s]", "NaT"), ("negzero", "f8", -0.0), ("half", "f2", 1.5)):
        put(f"fill-{name}", smooth(11, dtype), (4,), fill_value=fill, write=[slice(4, 8)])
    packed = np.dtype([("a", "<i4"), ("b", "?"), ("c", "<f4"), ("d", "S2")])
    s = np.zeros(9, packed)
    for k, n in enumerate(packed.names):
        s[n] = smooth(9, packed[n], k)
    put("struct", s, (4,))
    put("struct-zstd", s, (4,), compressors=zc.ZstdCodec())
    put("struct-nested", np.array([((1, 2.5), 3), ((4, -1.5), 5)],
                                  np.dtype([("p", [("x", "<i2"), ("y", "<f4")]), ("n", "u1")])))
    words = np.array(["", "a", "grün", "日本語", "x\0y", "line\nbreak", "😀 emoji", "\x1b[31mred"], object)
    put("string", words, (3,), dtype=str)
    put("string-zstd", words, (3,), dtype=str, compressors=zc.ZstdCodec())
    put("string-2d", words.reshape(2, 4), (2, 3), dtype=str)
    put("string-missing", words, (3,), dtype=str, fill_value="none", write=[slice(3, 6)])
    put("string-0d", np.array("alone", object), dtype=str)
    put("string-crc32c", words, (3,), dtype=str, compressors=zc.Crc32cCodec())
    b = np.array([b"", b"\0", b"abc", b"\xff\xfe", b"x" * 40, b"trailing\0", b"z"], object)
    put("vlen-bytes", b, (3,), dtype="variable_length_bytes")
    put("vlen-bytes-gzip", b, (3,), dtype="variable_length_bytes", compressors=zc.GzipCodec())
    put("vlen-bytes-missing", b, (3,), dtype="variable_length_bytes", fill_value=b"\1\2", write=[slice(3, 6)])


def layouts():
    """Chunk key encodings, dimension names, edges, missing chunks, 0-d and empty arrays, nested groups."""
    a = smooth(13 * 17, "i4").reshape(13, 17)
    for name, separators in (("default", "/."), ("v2", "./")):
        for separator in separators:
            word = {".": "dot", "/": "slash"}[separator]
            encoding = {"name": name, "separator": separator}
            put(f"keys-{name}-{word}", a, (5, 6), chunk_key_encoding=encoding)
            put(f"keys-{name}-{word}-0d", np.array(3.5), chunk_key_encoding=encoding)
            put(f"keys-{name}-{word}-1d", smooth(9, "u1"), (4,), chunk_key_encoding=encoding)
    put("dimension-names", a, (5, 6), dimension_names=["y", "x"], attributes={"units": "m"})
    put("dimension-names-null", a, (5, 6), dimension_names=["y", None])
    put("order-F-config", a, (5, 6), order="F")
    put("chunk-larger", smooth(5, "i4"), (9,))
    put("zero-length", np.zeros(0, "i4"), (1,))
    put("zero-length-2d", np.zeros((3, 0), "f8"), (2, 1))
    put("missing", a, (5, 6), fill_value=3, write=[(slice(0, 5), slice(6, 12)), (slice(10, 13), slice(12, 17))])
    put("missing-all", a, (5, 6), fill_value=-3, write=[])
    put("nested/path/deep", smooth(6, "i4"), (4,))
    put("nested/path-too", smooth(6, "i4"), (4,))


def others():
    """A group with inline consolidated metadata, a ZIP store, and V2 arrays by zarr-python 3."""
    root, words = HERE / "zarr3-consolidated", np.array(["a", "b", "ç"], object)
    zarr.create_group(LocalStore(root), attributes={"title": "consolidated"})
    put("a", smooth(9, "i4"), (4,), root=root, store="zarr3-consolidated")
    put("b/c", smooth(9, "f4"), (4,), root=root, store="zarr3-consolidated", compressors=zc.ZstdCodec())
    zarr.consolidate_metadata(LocalStore(root))
    v2 = HERE / "zarr3-v2"
    zarr.create_group(LocalStore(v2), zarr_format=2)
    for name, data, kw in (("plain", smooth(9, ">i4"), {}), ("default", smooth(99, "f4"), {"compressors": "auto"}),
                           ("strings", words, {"dtype": str}), ("F-slash", smooth(20, "i2").reshape(4, 5), {
                               "order": "F", "chunk_key_encoding": {"name": "v2", "separator": "/"}}),
                           ("shuffle-zlib", smooth(99, "i4"), {"filters": [numcodecs.Shuffle(4)],
                                                               "compressors": numcodecs.Zlib(2)}),
                           ("datetime", smooth(9, "M8[s]"), {}), ("zero-d", np.array(4), {})):
        put(name, data, data.shape and tuple(-(-n // 2) for n in data.shape), root=v2, store="zarr3-v2",
            zarr_format=2, **kw)
    real = time.localtime
    time.localtime = lambda *_: FIXED
    path = HERE / "zarr3.zip"
    store = ZipStore(path, mode="w", compression=zipfile.ZIP_DEFLATED)
    zarr.create_group(store)
    arrays = {"a": smooth(40, "i4"), "deep/b": smooth(40, "f8"), "deep/s": words, "shard": smooth(40, "i2")}
    for name, data in arrays.items():
        z = zarr.create_array(store, name=name, shape=data.shape, dtype=str if data.dtype == object else data.dtype,
                              chunks=(4,), shards=(12,) if name == "shard" else None, compressors=zc.ZstdCodec())
        z[...] = data
    store.close()
    time.localtime = real
    for name, data in arrays.items():
        store = ZipStore(path, mode="r")
        got = np.asarray(zarr.open_array(store, path=name, mode="r")[...])
        assert same(got, data)
        REC.add("zarr3.zip", name, 3, got)
        store.close()


if __name__ == "__main__":
    with zarr.config.set({"json_indent": None}):  # smaller documents
        for make in (codecs, bloscs, sharding, numcodecs_codecs, types, layouts):
            make()
    others()
    REC.write()
