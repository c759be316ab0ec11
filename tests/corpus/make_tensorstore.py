"""Zarr V2 and V3 stores by TensorStore (``requirements-tensorstore.txt``).

Makes ``tensorstore-v2`` and ``tensorstore-v3``, among them the small floats and integers that
zarr-python has not, and records what TensorStore reads back. Run: ``python make_tensorstore.py``.
TensorStore encodes inner chunks in parallel, so their order inside the ``*-nested`` shards may differ
from run to run; everything else comes out byte for byte the same.
"""

from __future__ import annotations

import importlib.metadata
import json

import ml_dtypes
import numpy as np
import tensorstore as ts

from common import HERE, Recorder, noise, smooth

REC = Recorder(f"tensorstore {importlib.metadata.version('tensorstore')}", "tensorstore-v2", "tensorstore-v3")
for root, group in (("tensorstore-v2", {".zgroup": {"zarr_format": 2}}),
                    ("tensorstore-v3", {"zarr.json": {"zarr_format": 3, "node_type": "group"}})):
    (HERE / root).mkdir()
    for key, document in group.items():
        (HERE / root / key).write_text(json.dumps(document))
SMALL = {"int2", "int4", "uint2", "uint4"}


def put(version, name, data, metadata, dtype=None, write=None, lossy=False):
    """Create an array from ``metadata``, write ``data``, read it back, record it."""
    root = f"tensorstore-v{version}"
    spec = {"driver": "zarr" if version == 2 else "zarr3",
            "context": {"data_copy_concurrency": {"limit": 1}, "file_io_concurrency": {"limit": 1}},
            "kvstore": {"driver": "file", "path": str(HERE / root / name)},
            "metadata": {"shape": list(data.shape), **metadata}}
    try:
        array = ts.open(spec, create=True, delete_existing=True).result()
        for sel in ([...] if write is None else write):
            if 0 not in data.shape:
                array[sel].write(data[sel]).result()
        spec.pop("metadata")
        got = np.asarray(ts.open(spec, open=True).result().read().result())
        kind = str(got.dtype)
        if write is None and not lossy:
            ours, theirs = (np.ascontiguousarray(x).astype(x.dtype.newbyteorder("=")) if x.dtype.kind in "iufcb"
                            else np.ascontiguousarray(x) for x in (data, got))
            equal = ours.tolist() == theirs.tolist() if got.dtype.kind == "O" else ours.tobytes() == theirs.tobytes()
            if not equal:
                raise ValueError("does not read back as written")
        more = {}
        if got.dtype.kind == "V" or got.dtype.name in SMALL or "float" in got.dtype.name and got.dtype.num > 255:
            more["dtype"] = kind
        if got.dtype.name in SMALL:
            got = got.astype("i1" if got.dtype.name.startswith("i") else "u1")
            more["note"] = "one byte a value, sign-extended; dtype names the type stored"
        elif "dtype" in more:
            got = np.ascontiguousarray(got).view(f"<u{got.dtype.itemsize}")
        REC.add(root, name, version, got, **more)
    except Exception as error:  # the report names what the library cannot do
        REC.skip(f"{root}/{name}", f"{type(error).__name__}: {str(error)[:200]}")
        import shutil
        shutil.rmtree(HERE / root / name, ignore_errors=True)


def v2():
    """The ``zarr`` driver."""
    def meta(dtype, chunks, compressor=None, **kw):
        return {"dtype": dtype, "chunks": chunks, "compressor": compressor, "fill_value": None, "order": "C", **kw}

    for dtype in ("|b1", "|i1", "|u1", "<i2", ">i2", "<u4", ">u4", "<i8", ">u8", "<f2", ">f2", "<f4", ">f4", "<f8", ">f8",
                  "<c8", ">c16"):
        name = dtype.replace("|", "").replace("<", "le-").replace(">", "be-")
        put(2, f"dtype-{name}", smooth(11, dtype), meta(dtype, [4], fill_value=None if dtype[1] in "bc" else 0))
    for name in ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2", "float8_e5m2fnuz",
                 "float8_e3m4", "int4", "int2", "float4_e2m1fn"):
        put(2, f"dtype-{name}", small(name, 21), meta(name, [8]))
    a = smooth(10 * 14, "<i4").reshape(10, 14)
    for cname in ("lz4", "lz4hc", "blosclz", "zlib", "zstd", "snappy"):
        for shuffle in (-1, 0, 1, 2):
            put(2, f"blosc-{cname}-{shuffle % 4}", smooth(600, "<i4"), meta("<i4", [350], {
                "id": "blosc", "cname": cname, "clevel": 5, "shuffle": shuffle, "blocksize": 512}))
    put(2, "blosc-snappy-noise", noise(400, "<u4"), meta("<u4", [400], {
        "id": "blosc", "cname": "snappy", "clevel": 5, "shuffle": 1, "blocksize": 0}))
    for codec, level in (("zlib", 3), ("gzip", 3), ("bz2", 1), ("zstd", 3)):
        put(2, codec, smooth(600, "<i4"), meta("<i4", [350], {"id": codec, "level": level}))
    for order in "CF":
        for sep in "./":
            put(2, f"layout-{order}-{'dot' if sep == '.' else 'slash'}", a, meta("<i4", [4, 5], order=order, dimension_separator=sep))
    put(2, "layout-F-3d-zlib", smooth(120, ">i2").reshape(4, 5, 6), meta(">i2", [2, 3, 4], {"id": "zlib", "level": 1}, order="F"))
    put(2, "missing", a, meta("<i4", [4, 5], fill_value=-7), write=[(slice(0, 4), slice(5, 10))])
    put(2, "zero-d", np.array(7, "<i4"), meta("<i4", []))
    put(2, "fill-nan", smooth(9, "<f4"), meta("<f4", [4], fill_value="NaN"), write=[slice(4, 8)])


def small(name, n):
    """``n`` values of a type of ``ml_dtypes``: every bit pattern in turn."""
    dtype = np.dtype(getattr(ml_dtypes, name))
    if name in SMALL:
        info = ml_dtypes.iinfo(dtype)
        return np.array([(i * 5) % (info.max - info.min + 1) + info.min for i in range(n)]).astype(dtype)
    if name == "float4_e2m1fn":
        return np.arange(n).astype("u1").__mod__(16).astype("u1").view(dtype)
    width = dtype.itemsize
    return (np.arange(n) * (13 if width == 1 else 3001)).astype(f"<u{width}").view(dtype)


def v3():
    """The ``zarr3`` driver."""
    def meta(dtype, chunk, codecs, fill=0, **kw):
        return {"data_type": dtype, "fill_value": fill, "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk}},
                "chunk_key_encoding": {"name": "default"}, "codecs": codecs, **kw}

    def byt(endian="little"):
        return {"name": "bytes", "configuration": {"endian": endian}}

    crc, gz = {"name": "crc32c"}, {"name": "gzip", "configuration": {"level": 4}}
    a = smooth(10 * 14, "<i4").reshape(10, 14)
    for dtype, np_type in (("bool", "?"), ("int8", "i1"), ("uint8", "u1"), ("int16", "i2"), ("uint32", "u4"), ("int64", "i8"),
                           ("uint64", "u8"), ("float16", "f2"), ("float32", "f4"), ("float64", "f8"), ("complex64", "c8"),
                           ("complex128", "c16")):
        for endian in ("little", "big"):
            if np.dtype(np_type).itemsize == 1 and endian == "big":
                continue
            fill = False if dtype == "bool" else [0, 0] if dtype.startswith("c") else 0
            put(3, f"dtype-{dtype}-{endian}", smooth(11, np_type), meta(dtype, [4], [byt(endian)], fill))
    for name in ("bfloat16", "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz", "float8_e5m2", "float8_e5m2fnuz",
                 "float8_e3m4", "int4", "int2", "float4_e2m1fn"):
        put(3, f"dtype-{name}", small(name, 21), meta(name, [8], [byt()]))
        put(3, f"dtype-{name}-gzip", small(name, 21), meta(name, [8], [byt("big"), gz]))
    put(3, "dtype-int4-shard", small("int4", 21), meta("int4", [8], [{"name": "sharding_indexed", "configuration": {
        "chunk_shape": [4], "codecs": [byt()], "index_codecs": [byt(), crc]}}]))
    for order in ([0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], "C", "F"):
        put(3, f"transpose-{''.join(map(str, order))}", smooth(120, "i2").reshape(4, 5, 6),
            meta("int16", [2, 3, 4], [{"name": "transpose", "configuration": {"order": order}}, byt("big")]))
    for cname in ("lz4", "lz4hc", "blosclz", "zlib", "zstd", "snappy"):
        for shuffle in ("noshuffle", "shuffle", "bitshuffle"):
            put(3, f"blosc-{cname}-{shuffle}", smooth(600, "<i4"), meta("int32", [350], [byt(), {
                "name": "blosc", "configuration": {"cname": cname, "clevel": 5, "shuffle": shuffle, "typesize": 4, "blocksize": 0}}]))
    put(3, "blosc-snappy-blocks", smooth(1500, "<i4"), meta("int32", [1500], [byt(), {
        "name": "blosc", "configuration": {"cname": "snappy", "clevel": 9, "shuffle": "shuffle", "typesize": 4, "blocksize": 1024}}]))
    put(3, "zstd", smooth(600, "<i4"), meta("int32", [350], [byt(), {"name": "zstd", "configuration": {"level": 3}}]))
    put(3, "zstd-checksum", smooth(600, "<i4"), meta("int32", [350], [byt(), {"name": "zstd", "configuration": {"level": 3, "checksum": True}}]))
    put(3, "gzip-crc32c", smooth(600, "<i4"), meta("int32", [350], [byt(), gz, crc]))
    for where in ("start", "end"):
        for label, index in (("crc", [byt(), crc]), ("no-crc", [byt()]), ("big", [byt("big"), crc])):
            def shard(chunk, codecs):
                return {"name": "sharding_indexed", "configuration": {
                    "chunk_shape": chunk, "codecs": codecs, "index_codecs": index, "index_location": where}}
            put(3, f"shard-{where}-{label}", a, meta("int32", [4, 6], [shard([2, 3], [byt("big"), gz])]))
            put(3, f"shard-{where}-{label}-partly-empty", a, meta("int32", [6, 6], [shard([2, 3], [byt()])], -1),
                write=[(slice(0, 2), slice(3, 6)), (slice(7, 9), slice(7, 13))])
            put(3, f"shard-{where}-{label}-nested", a, meta("int32", [8, 12], [shard([4, 6], [shard([2, 3], [byt(), gz])])]))
    put(3, "shard-transpose-outer", a, meta("int32", [4, 6], [
        {"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "sharding_indexed", "configuration": {
            "chunk_shape": [3, 2], "codecs": [byt()], "index_codecs": [byt(), crc]}}]))
    put(3, "shard-3d-transpose-120", smooth(192, "u2").reshape(4, 6, 8), meta("uint16", [4, 6, 8], [
        {"name": "transpose", "configuration": {"order": [1, 2, 0]}}, {"name": "sharding_indexed", "configuration": {
            "chunk_shape": [3, 4, 2], "codecs": [byt()], "index_codecs": [byt(), crc]}}]))
    for name, sep in (("default", "."), ("v2", "."), ("v2", "/")):
        put(3, f"keys-{name}-{'dot' if sep == '.' else 'slash'}", a, meta("int32", [4, 5], [byt()],
            chunk_key_encoding={"name": name, "configuration": {"separator": sep}}))
    put(3, "zero-d", np.array(7, "<i4"), meta("int32", [], [byt()]))
    put(3, "dimension-names", a, meta("int32", [4, 5], [byt()], dimension_names=["y", None]))
    put(3, "missing-hex-fill", smooth(9, "f4"), meta("float32", [4], [byt()], "0x7fc00123"), write=[slice(4, 8)])
    put(3, "fill-bfloat16-hex", small("bfloat16", 9), meta("bfloat16", [4], [byt()], "0x7fc1"), write=[slice(4, 8)])


if __name__ == "__main__":
    v2()
    v3()
    REC.write()
