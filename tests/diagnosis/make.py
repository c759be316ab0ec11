"""Make the stores with one fault each, their clean twins, and the healthy arrays.

    /path/to/venv/bin/python make.py     # zarr 3.4.2, numcodecs 0.16; writes cases.zip

`cases.zip` holds `CASE/fault`, `CASE/clean` and `healthy/ARRAY`, each a store, and
`cases.json`: for each case the word of the cause that `check` should name. Two runs give
the same bytes. Every clean store is opened with zarr-python and compared with the values
that went in, so that a fault is the only thing wrong in its twin.
"""

import base64
import importlib.metadata
import io
import json
import shutil
import struct
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import zipfile
import zlib
from pathlib import Path



def version(name, known=importlib.metadata.version):
    if name == "zfpy":  # numcodecs 0.16 cannot read the version of 1.0.1.post0
        raise importlib.metadata.PackageNotFoundError
    return known(name)


importlib.metadata.version = version

import google_crc32c
import numcodecs
import pickle
import numpy as np
import zarr

HERE = Path(__file__).resolve().parent
ROOT = Path(tempfile.mkdtemp())
CASES = {}
GONE = []


# --- values --------------------------------------------------------------------------


def field(shape, seed=0.0, noise=0.05):
    """A smooth field, as measured: waves of many lengths and the noise of an instrument."""
    axes = np.meshgrid(*[np.arange(n, dtype="f8") for n in shape], indexing="ij")
    out = np.full(shape, 283.0)
    for k, axis in enumerate(axes):
        out += (6 / (k + 1)) * np.sin(axis / (7.0 + 4 * k) + seed + k)
        out += 2.5 * np.cos(axis / (23.0 + 5 * k) - seed)
    out += 1.5 * np.sin(sum(axes) / 11.0)
    # The same noise whatever was made before.
    own = np.random.default_rng(zlib.crc32(repr((shape, seed, noise)).encode()))
    return out + own.normal(0, noise, shape)


def celsius(shape, **more):
    return field(shape, **more) - 283.0


def counts(shape, scale=90.0):
    return np.round(celsius(shape) * scale)


# --- writing -------------------------------------------------------------------------


def dump(path, document):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.dumps(document, indent=2).encode())


def load(path):
    return json.loads(path.read_bytes())


def chunks_of(data, chunks):
    grid = [-(-n // c) for n, c in zip(data.shape, chunks)]
    for at in np.ndindex(*grid):
        part = data[tuple(slice(i * c, (i + 1) * c) for i, c in zip(at, chunks))]
        whole = np.zeros(chunks, data.dtype)
        whole[tuple(slice(0, n) for n in part.shape)] = part
        yield at, whole


def encode_v2(whole, order, filters, compressor):
    buf = np.ascontiguousarray(whole.T if order == "F" else whole).reshape(-1)
    for f in filters or []:
        buf = numcodecs.get_codec(f).encode(buf)
    if compressor:
        buf = numcodecs.get_codec(compressor).encode(buf)
        if compressor["id"] == "gzip":  # the time of the writing
            buf = bytes(buf)[:4] + b"\0\0\0\0" + bytes(buf)[8:]
    return bytes(memoryview(np.ascontiguousarray(buf)).cast("B")) if not isinstance(buf, bytes) else buf


def v2(path, data, chunks, order="C", filters=None, compressor=None, fill=0, sep=".", dtype=None):
    document = {
        "zarr_format": 2, "shape": list(data.shape), "chunks": list(chunks),
        "dtype": dtype if dtype is not None else (data.dtype.str if data.dtype.names is None else [list(d) for d in data.dtype.descr]),
        "compressor": compressor, "fill_value": fill, "order": order, "filters": filters,
        "dimension_separator": sep,
    }
    dump(path / ".zarray", document)
    for at, whole in chunks_of(data, chunks):
        key = path / sep.join(map(str, at))
        key.parent.mkdir(parents=True, exist_ok=True)
        key.write_bytes(encode_v2(whole, order, filters, compressor))


def crc32c(data):
    return google_crc32c.value(data).to_bytes(4, "little")


def plain(data, codecs):
    for codec in codecs:
        name, conf = codec["name"], codec.get("configuration", {})
        if name == "transpose":
            data = np.ascontiguousarray(data.transpose(conf["order"]))
        elif name == "bytes":
            order = {"big": ">", "little": "<"}[conf.get("endian", "little")]
            data = data.astype(data.dtype.newbyteorder(order)).tobytes()
        elif name == "zstd":
            data = numcodecs.Zstd(level=conf.get("level", 3), checksum=conf.get("checksum", False)).encode(data)
        elif name == "gzip":
            data = numcodecs.GZip(level=5).encode(data)
            data = data[:4] + b"\0\0\0\0" + data[8:]
        elif name == "blosc":
            shuffle = {"noshuffle": 0, "shuffle": 1, "bitshuffle": 2}[conf["shuffle"]]
            numcodecs.blosc.use_threads = False
            data = numcodecs.Blosc(conf["cname"], conf["clevel"], shuffle).encode(np.frombuffer(data, f"V{conf['typesize']}"))
        elif name == "crc32c":
            data = bytes(data) + crc32c(bytes(data))
        elif name == "sharding_indexed":
            data = shard(data, conf)
        else:
            raise ValueError(name)
    return bytes(data)


def shard(data, conf):
    inner = conf["chunk_shape"]
    index_codecs = conf["index_codecs"]
    at_start = conf.get("index_location", "end") == "start"
    parts = [plain(whole, conf["codecs"]) for _, whole in chunks_of(data, inner)]
    size = 16 * len(parts) + (4 if any(c["name"] == "crc32c" for c in index_codecs) else 0)
    offset, index = size if at_start else 0, b""
    for part in parts:
        index += struct.pack("<QQ", offset, len(part))
        offset += len(part)
    if size % 16:
        index += crc32c(index)
    body = b"".join(parts)
    return index + body if at_start else body + index


LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
ZSTD = {"name": "zstd", "configuration": {"level": 3, "checksum": False}}
GZIP = {"name": "gzip", "configuration": {"level": 5}}
CRC = {"name": "crc32c"}


def blosc(typesize, shuffle="shuffle", cname="lz4"):
    return {"name": "blosc", "configuration": {"typesize": typesize, "cname": cname, "clevel": 5, "shuffle": shuffle, "blocksize": 0}}


def sharding(inner, codecs=(LITTLE, ZSTD), index=(LITTLE, CRC), location="end"):
    return {"name": "sharding_indexed", "configuration": {"chunk_shape": list(inner), "codecs": list(codecs), "index_codecs": list(index), "index_location": location}}


def v3(path, data, chunks, codecs=(LITTLE,), data_type=None, fill=0, keys="default", sep="/", names=None):
    document = {
        "zarr_format": 3, "node_type": "array", "shape": list(data.shape),
        "data_type": data_type or data.dtype.name,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
        "chunk_key_encoding": {"name": keys, "configuration": {"separator": sep}},
        "fill_value": fill, "codecs": list(codecs), "attributes": {},
    }
    if names:
        document["dimension_names"] = names
    dump(path / "zarr.json", document)
    for at, whole in chunks_of(data, chunks):
        key = path / sep.join((["c"] if keys == "default" else []) + [str(i) for i in at])
        key.parent.mkdir(parents=True, exist_ok=True)
        key.write_bytes(plain(whole, codecs))


# --- faults --------------------------------------------------------------------------


def swap(a, b):
    one, two = a.read_bytes(), b.read_bytes()
    a.write_bytes(two)
    b.write_bytes(one)


def case(name, cause, make, spoil):
    clean, fault = ROOT / name / "clean", ROOT / name / "fault"
    make(clean)
    shutil.copytree(clean, fault)
    spoil(fault)
    CASES[name] = cause


def edit(**members):
    def spoil(path):
        document = path / ".zarray" if (path / ".zarray").exists() else path / "zarr.json"
        dump(document, {**load(document), **members})
    return spoil


def meta(change):
    def spoil(path):
        document = path / ".zarray" if (path / ".zarray").exists() else path / "zarr.json"
        json_ = load(document)
        change(json_)
        dump(document, json_)
    return spoil


def files(path):
    return sorted(p for p in path.rglob("*") if p.is_file() and not p.name.startswith(".z") and p.name != "zarr.json")


def each(change, which=None):
    def spoil(path):
        for at, file in enumerate(files(path)):
            if which is None or at in which:
                file.write_bytes(change(file.read_bytes()))
    return spoil


def rename(change):
    def spoil(path):
        old = {file.relative_to(path): file.read_bytes() for file in files(path)}
        for file in files(path):
            file.unlink()
        for key, data in old.items():
            new = path / change(key.as_posix())
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_bytes(data)
        for folder in sorted((p for p in path.rglob("*") if p.is_dir()), reverse=True):
            if not any(folder.iterdir()):
                folder.rmdir()
    return spoil


def as_array(data, chunks, fmt=3, **more):
    return lambda path: (v3 if fmt == 3 else v2)(path, data, chunks, **more)


SHAPE, CH = (40, 60), (20, 30)
f4, f8 = field(SHAPE).astype("f4"), field(SHAPE).astype("f8")
i2, i4, i8 = (counts(SHAPE).astype(t) for t in ("i2", "i4", "i8"))
zf4 = celsius(SHAPE).astype("f4")
u1 = np.clip(celsius(SHAPE) * 9 + 120, 0, 255).astype("u1")

# 1. another data type
case("dtype_f4_as_i4", "data-type", as_array(zf4, CH), edit(data_type="int32"))
case("dtype_f4_as_i4_v2", "data-type", as_array(zf4, CH, 2, compressor={"id": "zstd", "level": 3}), edit(dtype="<i4"))
case("dtype_f4_as_u4_positive", "data-type", as_array(f4, CH), edit(data_type="uint32"))
case("dtype_i4_as_f4", "data-type", as_array(i4, CH, codecs=(LITTLE, ZSTD)), edit(data_type="float32", fill_value=0.0))
case("dtype_i4_as_f4_v2", "data-type", as_array(i4, CH, 2), edit(dtype="<f4", fill_value=0.0))
case("dtype_f8_as_i8", "data-type", as_array(f8, CH), edit(data_type="int64"))
case("dtype_i8_as_f8", "data-type", as_array(i8, CH), edit(data_type="float64", fill_value=0.0))
case("dtype_i2_as_u2", "data-type", as_array(i2, CH), edit(data_type="uint16"))
case("dtype_u2_as_i2", "data-type", as_array((i2.astype("i4") + 32768).astype("u2"), CH), edit(data_type="int16"))
case("dtype_u1_as_i1", "data-type", as_array(u1, CH, codecs=({"name": "bytes"},)), edit(data_type="int8"))
case("dtype_c8_as_f8", "data-type", as_array((zf4 + 1j * celsius(SHAPE, seed=2)).astype("c8"), CH, fill=[0.0, 0.0]), edit(data_type="float64", fill_value=0.0))
for name, data, wrong in [("f4_as_f8", f4, "float64"), ("f8_as_f4", f8, "float32"), ("i2_as_i4", i2, "int32"), ("i4_as_i2", i4, "int16"), ("f4_as_i2", f4, "int16"), ("i2_as_f4", i2, "float32"), ("i2_as_u1", i2, "uint8"), ("i8_as_i4", i8, "int32")]:
    case(f"width_{name}", "data-type", as_array(data, CH, codecs=(LITTLE, ZSTD)), edit(data_type=wrong))
    case(f"width_{name}_v2", "data-type", as_array(data, CH, 2), edit(dtype="<" + np.dtype(wrong).str[1:]))
case("width_u1_as_u2", "data-type", as_array(u1, CH, codecs=({"name": "bytes"}, GZIP)), lambda p: (edit(data_type="uint16", codecs=[LITTLE, GZIP])(p)))
case("width_f4_as_f8_sharded", "data-type", as_array(f4, CH, codecs=(sharding((10, 15)),)), edit(data_type="float64"))
case("dtype_f8_as_c8", "data-type", as_array(f8, CH), edit(data_type="complex64", fill_value=[0.0, 0.0]))
case("width_f8_as_f4_sharded", "data-type", as_array(f8, CH, codecs=(sharding((10, 15)),)), edit(data_type="float32"))
case("width_i2_as_i4_sharded_raw", "data-type", as_array(i2, CH, codecs=(sharding((10, 15), codecs=(LITTLE,)),)), edit(data_type="int32"))
case("width_one_chunk", "data-type", as_array(f4, SHAPE), edit(data_type="float64"))

# 2. byte order
case("endian_f8_v3", "byte-order", as_array(f8, CH, codecs=(BIG, ZSTD)), edit(codecs=[LITTLE, ZSTD]))
case("endian_i2_v2", "byte-order", as_array(i2.astype(">i2"), CH, 2), edit(dtype="<i2"))
case("endian_f4_v2", "byte-order", as_array(f4, CH, 2), edit(dtype=">f4"))
case("endian_u2_v3", "byte-order", as_array((i2.astype("i4") + 3000).astype("u2"), CH, codecs=(LITTLE,)), edit(codecs=[BIG]))

# 3. order of dimensions
CW = (20, 50)
wide = field((60, 150)).astype("f4")
case("order_f_as_c", "order", as_array(wide, CW, 2, order="F"), edit(order="C"))
case("order_c_as_f", "order", as_array(wide, CW, 2, compressor={"id": "zstd", "level": 3}), edit(order="F"))
case("order_f_as_c_square", "transposed", as_array(field((64, 64)).astype("f4"), (32, 32), 2, order="F"), edit(order="C"))
case("transpose_lost", "order", as_array(wide, CW, codecs=({"name": "transpose", "configuration": {"order": [1, 0]}}, LITTLE, ZSTD)), edit(codecs=[LITTLE, ZSTD]))
case("transpose_added", "order", as_array(wide, CW, codecs=(LITTLE, ZSTD)), edit(codecs=[{"name": "transpose", "configuration": {"order": [1, 0]}}, LITTLE, ZSTD]))
deep = field((12, 30, 40)).astype("f4")
case("transpose_3d_other", "order", as_array(deep, (6, 15, 20), codecs=({"name": "transpose", "configuration": {"order": [2, 0, 1]}}, LITTLE)), edit(codecs=[{"name": "transpose", "configuration": {"order": [1, 2, 0]}}, LITTLE]))
case("order_3d", "order", as_array(deep, (6, 15, 20), 2, order="F"), edit(order="C"))
case("order_f_as_c_square_chunks", "order", as_array(field((64, 96)).astype("f4"), (32, 32), 2, order="F"), edit(order="C"))
case("order_cube", "order", as_array(field((20, 30, 40)).astype("f4"), (10, 10, 10), 2, order="F"), edit(order="C"))
case("chunk_shape_swapped", "chunk-shape", as_array(field((60, 60)).astype("f4"), (20, 30)), edit(chunk_grid={"name": "regular", "configuration": {"chunk_shape": [30, 20]}}))
case("chunk_shape_other", "chunk-shape", as_array(f4, CH, 2), edit(chunks=[10, 30]))
case("chunk_shape_bigger", "chunk-shape", as_array(f4, CH, 2, compressor={"id": "zstd", "level": 1}), edit(chunks=[40, 30]))
case("chunk_shape_one_axis_v3", "chunk-shape", as_array(f4, (10, 30)), edit(chunk_grid={"name": "regular", "configuration": {"chunk_shape": [10, 60]}}))

# 4. filters
SH = {"id": "shuffle", "elementsize": 4}
case("shuffle_lost", "filter", as_array(f4, CH, 2, filters=[SH], compressor={"id": "zlib", "level": 1}), edit(filters=None))
case("shuffle_added", "filter", as_array(f4, CH, 2, compressor={"id": "zlib", "level": 1}), edit(filters=[SH]))
case("shuffle_size_8", "filter", as_array(f8, CH, 2, filters=[{"id": "shuffle", "elementsize": 8}]), edit(filters=[SH]))
case("shuffle_size_4_as_2", "filter", as_array(i4, CH, 2, filters=[SH]), edit(filters=[{"id": "shuffle", "elementsize": 2}]))
case("delta_lost", "filter", as_array((i4 + 70000).astype("i4"), CH, 2, filters=[{"id": "delta", "dtype": "<i4"}]), edit(filters=None))
case("filters_swapped", "filter", as_array(i4, CH, 2, filters=[{"id": "delta", "dtype": "<i4"}, SH]), edit(filters=[SH, {"id": "delta", "dtype": "<i4"}]))
case("one_filter_of_two_lost", "filter", as_array(i4, CH, 2, filters=[{"id": "delta", "dtype": "<i4"}, SH]), edit(filters=[{"id": "delta", "dtype": "<i4"}]))
case("delta_lost_centred", "filter", as_array(i4, CH, 2, filters=[{"id": "delta", "dtype": "<i4"}]), edit(filters=None))
case("delta_lost_before_shuffle", "filter", as_array(i4, CH, 2, filters=[{"id": "delta", "dtype": "<i4"}, SH]), edit(filters=[SH]))
case("shuffle_size_8_as_2", "filter", as_array(f8, CH, 2, filters=[{"id": "shuffle", "elementsize": 8}]), edit(filters=[{"id": "shuffle", "elementsize": 2}]))
case("delta_other_type", "filter", as_array(i4, CH, 2, filters=[{"id": "delta", "dtype": "<i4"}]), edit(filters=[{"id": "delta", "dtype": "<i2"}]))

# 5. codecs
for name, codec in [("zstd", ZSTD), ("gzip", GZIP), ("blosc", blosc(4))]:
    case(f"codec_{name}_lost", "codec", as_array(f4, CH, codecs=(LITTLE, codec)), edit(codecs=[LITTLE]))
    case(f"codec_{name}_added", "codec", as_array(f4, CH), edit(codecs=[LITTLE, codec]))
case("codec_crc_lost", "codec", as_array(f4, CH, codecs=(LITTLE, CRC)), edit(codecs=[LITTLE]))
case("codec_crc_added", "codec", as_array(f4, CH), edit(codecs=[LITTLE, CRC]))
case("codec_zstd_crc_lost", "codec", as_array(f4, CH, codecs=(LITTLE, ZSTD, CRC)), edit(codecs=[LITTLE, ZSTD]))
case("codec_zstd_as_gzip", "codec", as_array(f4, CH, codecs=(LITTLE, ZSTD)), edit(codecs=[LITTLE, GZIP]))
case("codec_gzip_as_blosc", "codec", as_array(f4, CH, codecs=(LITTLE, GZIP)), edit(codecs=[LITTLE, blosc(4)]))
case("codec_order_swapped", "codec", as_array(f4, CH, codecs=(LITTLE, ZSTD, CRC)), edit(codecs=[LITTLE, CRC, ZSTD]))
for old, new in [("zlib", "gzip"), ("gzip", "zlib"), ("bz2", "zlib"), ("lzma", "bz2"), ("lz4", "zstd"), ("zstd", "lz4"), ("blosc", "zlib")]:
    confs = {"zlib": {"id": "zlib", "level": 1}, "gzip": {"id": "gzip", "level": 1}, "bz2": {"id": "bz2", "level": 1}, "lzma": {"id": "lzma", "format": 1, "check": -1, "preset": None, "filters": None}, "lz4": {"id": "lz4", "acceleration": 1}, "zstd": {"id": "zstd", "level": 1}, "blosc": {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0}}
    case(f"compressor_{old}_as_{new}", "codec", as_array(f4, CH, 2, compressor=confs[old]), edit(compressor=confs[new]))
case("compressor_lz4_lost", "codec", as_array(f4, CH, 2, compressor={"id": "lz4", "acceleration": 1}), edit(compressor=None))
case("compressor_bz2_lost", "codec", as_array(f4, CH, 2, compressor={"id": "bz2", "level": 1}), edit(compressor=None))
case("compressor_lzma_lost", "codec", as_array(f4, CH, 2, compressor={"id": "lzma", "format": 1, "check": -1, "preset": None, "filters": None}), edit(compressor=None))
case("gzip_around", "codec", as_array(f4, CH, codecs=(LITTLE, ZSTD)), each(lambda b: plain(b, [GZIP])))
def crc32(b):
    return zlib.crc32(b).to_bytes(4, "little")
case("checksum_crc32", "checksum", as_array(f4, CH, codecs=(LITTLE, CRC)), each(lambda b: b[:-4] + crc32(b[:-4])))
case("checksum_at_start", "checksum", as_array(f4, CH, 2, filters=[{"id": "crc32c", "location": "end"}]), edit(filters=[{"id": "crc32c", "location": "start"}]))
case("checksum_crc32_v2", "checksum", as_array(f4, CH, 2, filters=[{"id": "crc32"}]), edit(filters=[{"id": "adler32"}]))

# 6. structs
mixed = np.zeros((40, 30), [("id", "<i2"), ("t", "<f8"), ("flag", "i1"), ("n", "<i4")])
mixed["id"], mixed["t"], mixed["flag"], mixed["n"] = counts((40, 30), 9), field((40, 30)), 1, counts((40, 30), 900)
aligned = np.dtype([("id", "<i2"), ("t", "<f8"), ("flag", "i1"), ("n", "<i4")], align=True)
D2 = [["id", "<i2"], ["t", "<f8"], ["flag", "|i1"], ["n", "<i4"]]
def c_aligned(path):
    v2(path, mixed, (20, 30), dtype=D2, fill=None)
def write_aligned(path):
    for at, whole in chunks_of(mixed, (20, 30)):
        padded = np.zeros(whole.shape, aligned)
        for name in aligned.names:
            padded[name] = whole[name]
        (path / ".".join(map(str, at))).write_bytes(padded.tobytes())
case("struct_c_aligned", "struct", c_aligned, write_aligned)
pair = np.zeros((50, 40), [("a", "<f4"), ("b", "<i4")])
pair["a"], pair["b"] = celsius((50, 40)), counts((50, 40), 40)
case("struct_swapped", "struct", as_array(pair, (25, 40), 2, fill=None, dtype=[["a", "<f4"], ["b", "<i4"]]), edit(dtype=[["a", "<i4"], ["b", "<f4"]]))
three = np.zeros((50, 40), [("a", "<f8"), ("b", "<i2"), ("c", "<f4")])
three["a"], three["b"], three["c"] = field((50, 40)), counts((50, 40), 40), celsius((50, 40))
case("struct_swapped_widths", "struct", as_array(three, (25, 40), 2, fill=None, dtype=[["a", "<f8"], ["b", "<i2"], ["c", "<f4"]]), edit(dtype=[["b", "<i2"], ["a", "<f8"], ["c", "<f4"]]))
case("struct_field_lost", "struct", as_array(three, (25, 40), 2, fill=None, dtype=[["a", "<f8"], ["b", "<i2"], ["c", "<f4"]]), edit(dtype=[["a", "<f8"], ["c", "<f4"]]))



def gaps(formats, offsets, size):
    """A record array as numpy and C lay it out with alignment, and the same fields side by side."""
    names = [name for name, _ in formats]
    rng = np.random.default_rng(size)
    plain_ = np.zeros(300, formats)
    for name, kind in formats:
        wave = np.sin(np.arange(300) / 9) * 5 + 280 + rng.normal(0, 0.05, 300)
        plain_[name] = {"f": wave, "i": np.arange(300) * 3 + 100, "u": rng.integers(0, 3, 300)}[np.dtype(kind).kind]
    aligned = np.zeros(300, {"names": names, "formats": [kind for _, kind in formats], "offsets": offsets, "itemsize": size})
    for name in names:
        aligned[name] = plain_[name]
    def spoil(path):
        for at in range(3):
            (path / str(at)).write_bytes(zlib.compress(aligned[at * 100:][:100].tobytes(), 1))
    make = as_array(plain_, (100,), 2, fill=None, compressor={"id": "zlib", "level": 1}, dtype=[[n, k] for n, k in formats])
    return make, spoil


case("struct_aligned_small_fields", "struct", *gaps([("t", "<f4"), ("id", "<i8"), ("flag", "|u1")], [0, 8, 16], 24))
case("struct_aligned_end", "struct", *gaps([("t", "<f8"), ("n", "<i4")], [0, 8], 16))

# 7. shards
case("index_big_endian", "shard-index", as_array(f4, CH, codecs=(sharding((10, 15)),)), lambda p: each(lambda b: b[:-68] + (i := b"".join(b[k:k + 8][::-1] for k in range(len(b) - 68, len(b) - 4, 8))) + crc32c(i))(p))
case("inner_shape_many", "shard-index", as_array(field((100, 100)).astype("f4"), (50, 50), codecs=(sharding((10, 10)),)), edit(codecs=[sharding((5, 5))]))
def conf(**members):
    return meta(lambda d: d["codecs"][0]["configuration"].update(members))
S = as_array(f4, CH, codecs=(sharding((10, 15)),))
case("shard_index_start", "shard-index", S, conf(index_location="start"))
case("shard_index_end", "shard-index", as_array(f4, CH, codecs=(sharding((10, 15), location="start"),)), conf(index_location="end"))
case("shard_index_crc_lost", "shard-index", S, conf(index_codecs=[LITTLE]))
case("shard_index_crc_added", "shard-index", as_array(f4, CH, codecs=(sharding((10, 15), index=(LITTLE,)),)), conf(index_codecs=[LITTLE, CRC]))
case("shard_inner_shape", "shard-index", S, conf(chunk_shape=[5, 15]))
case("shard_inner_codec_lost", "codec", S, conf(codecs=[LITTLE]))
case("shard_undeclared", "codec", S, edit(codecs=[LITTLE, ZSTD]))
case("shard_declared", "codec", as_array(f4, CH, codecs=(LITTLE, ZSTD)), edit(codecs=[sharding((10, 15))]))

# 8. edge chunks
def trimmed(path):
    for at, whole in chunks_of(edge, (30, 40)):
        part = edge[tuple(slice(i * c, (i + 1) * c) for i, c in zip(at, (30, 40)))]
        (path / "c" / str(at[0]) / str(at[1])).write_bytes(plain(part, [LITTLE, ZSTD]))
edge = field((50, 70)).astype("f4")
case("edge_trimmed", "edge-chunks", as_array(edge, (30, 40), codecs=(LITTLE, ZSTD)), trimmed)

# 9. keys
case("keys_separator_v2", "chunk-keys", as_array(f4, CH, 2), edit(dimension_separator="/"))
case("keys_separator_v3", "chunk-keys", as_array(f4, CH), edit(chunk_key_encoding={"name": "default", "configuration": {"separator": "."}}))
case("keys_v2_in_v3", "chunk-keys", as_array(f4, CH), rename(lambda k: k[2:].replace("/", ".")))
case("keys_padded", "chunk-keys", as_array(f4, CH, 2), rename(lambda k: ".".join(f"{int(p):03}" for p in k.split("."))))
long = field((40, 120)).astype("f4")
case("keys_swapped", "chunk-keys", as_array(long, CH), rename(lambda k: "c/" + "/".join(reversed(k.split("/")[1:]))))
turned = rename(lambda k: "c/" + "/".join(reversed(k.split("/")[1:])))
case("shape_swapped", "shape", as_array(field((60, 100)).astype("f4"), (20, 20)), edit(shape=[100, 60]))
case("shape_swapped_v2", "shape", as_array(counts((60, 100)).astype("i2"), (20, 20), 2, compressor={"id": "zlib", "level": 1}), edit(shape=[100, 60]))
case("keys_swapped_square", "transposed", as_array(field((60, 60)).astype("f4"), (20, 20)), turned)
case("keys_swapped_square_grid", "chunk-keys", as_array(field((60, 90)).astype("f4"), (20, 30)), turned)
tall = field((240, 40)).astype("f4")
case("keys_backwards", "chunk-keys", as_array(tall, (20, 20), 2), rename(lambda k: f"{11 - int(k.split('.')[0])}.{k.split('.')[1]}"))
case("keys_as_text", "chunk-keys", as_array(tall, (20, 20), 2), rename(lambda k: f"{sorted(range(12), key=str).index(int(k.split('.')[0]))}.{k.split('.')[1]}"))
case("keys_rolled", "chunk-keys", as_array(tall, (20, 20), 2), rename(lambda k: f"{(int(k.split('.')[0]) + 1) % 12}.{k.split('.')[1]}"))
case("keys_off_by_one", "chunk-keys", as_array(long, CH), rename(lambda k: "c/" + "/".join(str(int(p) + 1) for p in k.split("/")[1:])))
case("keys_off_by_one_axis", "chunk-keys", as_array(long, CH, 2), rename(lambda k: f"{int(k.split('.')[0]) + 1}.{k.split('.')[1]}"))
case("keys_suffix", "chunk-keys", as_array(f4, CH), rename(lambda k: k + ".bin"))
case("keys_extra_dimension", "chunk-keys", as_array(f4, CH, 2), rename(lambda k: "0." + k))
case("keys_nested_folder", "chunk-keys", as_array(f4, CH), rename(lambda k: "data/" + k))
case("two_chunks_swapped", "chunk-swapped", as_array(long, CH), lambda p: swap(p / "c/0/1", p / "c/1/3"))
case("two_chunks_swapped_far", "chunk-swapped", as_array(tall, (20, 20), 2, compressor={"id": "zstd", "level": 3}), lambda p: swap(p / "2.0", p / "9.1"))
case("neighbours_swapped", "chunk-swapped", as_array(long, CH), lambda p: swap(p / "c/0/1", p / "c/0/2"))
case("three_chunks_turned", "chunk-swapped", as_array(tall, (20, 20), 2), lambda p: (swap(p / "2.0", p / "9.1"), swap(p / "9.1", p / "6.0")))
case("time_chunks_swapped", "chunk-swapped", as_array(1.5e9 + 600 * np.arange(800.0), (100,)), lambda p: swap(p / "c/2", p / "c/5"))
case("steps_swapped", "chunk-swapped", as_array(field((12, 20, 30)).astype("f4"), (1, 20, 30)), lambda p: swap(p / "c/2/0/0", p / "c/9/0/0"))
case("shape_stale", "shape", as_array(long, CH), edit(shape=[40, 60]))

# 10. transfer
RAW, PACKED = as_array(f4, CH), as_array(f4, CH, codecs=(LITTLE, ZSTD))
CHECKED = as_array(f4, CH, codecs=(LITTLE, ZSTD, CRC))
crlf = lambda b: b.replace(b"\n", b"\r\n")
case("crlf_raw", "text-mode", RAW, each(crlf))
case("crlf_zstd", "text-mode", PACKED, each(crlf))
case("crlf_gzip_one", "text-mode", as_array(f4, CH, codecs=(LITTLE, GZIP)), each(crlf, {1}))
case("utf16", "text-mode", PACKED, each(lambda b: b.decode("latin-1").encode("utf-16")))
case("utf16_raw", "text-mode", RAW, each(lambda b: b.decode("latin-1").encode("utf-16-le")))
case("utf8_mojibake", "text-mode", PACKED, each(lambda b: b.decode("latin-1").encode("utf-8")))
case("utf8_lossy", "text-mode", PACKED, each(lambda b: b.decode("utf-8", "replace").encode("utf-8")))
case("seven_bits", "text-mode", PACKED, each(lambda b: bytes(x & 127 for x in b)))
case("base64", "base64", PACKED, each(base64.b64encode))
case("base64_lines", "base64", RAW, each(base64.encodebytes))
case("hex_dump", "base64", RAW, each(lambda b: b.hex().encode()))
HTML = b"<!DOCTYPE html>\n<html><head><title>503 Service Unavailable</title></head><body>503</body></html>\n"
case("html_page", "not-data", RAW, each(lambda b: HTML, {2}))
case("xml_error", "not-data", PACKED, each(lambda b: b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code></Error>', {0, 1}))
case("json_error", "not-data", PACKED, each(lambda b: b'{"error": {"code": 404, "message": "No such object: b/c/0/0"}}', {0}))
LFS = b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 4800\n"
case("lfs_pointer", "not-data", PACKED, each(lambda b: LFS))
case("annex_pointer", "not-data", PACKED, each(lambda b: b"/annex/objects/MD5E-s4800--2b1e5c3e0b2f4a1a8c2a6b1f0c8d7e6f\n"))
case("zeros_zstd", "not-data", PACKED, each(lambda b: bytes(len(b)), {1}))
case("zero_tail", "truncated", PACKED, each(lambda b: b[: len(b) // 2] + bytes(len(b) - len(b) // 2), {1}))
case("truncated_raw", "truncated", RAW, each(lambda b: b[:-1000], {0}))
case("truncated_zstd", "truncated", PACKED, each(lambda b: b[: len(b) * 2 // 3], {3}))
case("truncated_block", "truncated", RAW, each(lambda b: b[:1024], {1}))
case("truncated_gzip", "truncated", as_array(f4, CH, codecs=(LITTLE, GZIP)), each(lambda b: b[:-100], {1}))
case("truncated_blosc", "truncated", as_array(f4, CH, codecs=(LITTLE, blosc(4))), each(lambda b: b[:-100], {1}))
case("empty", "truncated", PACKED, each(lambda b: b"", {1}))
case("appended_raw_zeros", "appended", RAW, each(lambda b: b + bytes(-len(b) % 512), {0, 1, 2, 3}))
case("appended_twice_raw", "appended", RAW, each(lambda b: b + b, {2}))
case("two_frames_zstd", "appended", PACKED, each(lambda b: b + b, {2}))
case("two_frames_gzip", "appended", as_array(f4, CH, codecs=(LITTLE, GZIP)), each(lambda b: b + b, {2}))
case("appended_zstd", "appended", PACKED, each(lambda b: b + b"\0" * 100, {1}))
case("appended_newline_crc", "appended", CHECKED, each(lambda b: b + b"\n", {1}))
def npy(b):
    out = io.BytesIO()
    np.save(out, np.frombuffer(b, "<f4").reshape(CH))
    return out.getvalue()
case("npy_files", "prefixed", RAW, each(npy))
case("bom_prefix", "prefixed", PACKED, each(lambda b: b"\xef\xbb\xbf" + b))
HTTP = b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 99\r\n\r\n"
case("http_header", "prefixed", PACKED, each(lambda b: HTTP + b, {0, 1}))

# 11. other arrays
def group(**arrays):
    def make(path):
        dump(path / "zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {}})
        for name, one in arrays.items():
            one(path / name)
    return make
def copied(source, target):
    return lambda path: (path / target).write_bytes((path / source).read_bytes())
case("chunk_of_other", "other-array", group(t=RAW, n=as_array(i2, CH)), copied("n/c/0/1", "t/c/0/1"))
case("chunk_of_other_packed", "other-array", group(t=PACKED, n=as_array(i8, CH, codecs=(LITTLE, ZSTD))), copied("n/c/1/0", "t/c/1/0"))
case("chunk_of_other_same_size", "other-array", group(t=RAW, n=as_array(i4, CH)), copied("n/c/0/1", "t/c/0/1"))
case("chunk_of_other_alike", "other-array", group(t=as_array(long, CH), n=as_array(field((40, 120), seed=1.0).astype("f4"), CH)), copied("n/c/0/1", "t/c/0/1"))
case("chunk_copied_twice", "chunk-copied", RAW, copied("c/0/0", "c/1/1"))
case("chunk_copied_far", "chunk-copied", as_array(tall, (20, 20), codecs=(LITTLE, ZSTD)), copied("c/9/1", "c/4/0"))
case("noise_copied", "chunk-copied", as_array(np.random.default_rng(5).normal(size=(40, 120)), CH), copied("c/0/3", "c/1/1"))
def one_chunk(key, change):
    return lambda path: (path / key).write_bytes(change((path / key).read_bytes()))
case("one_chunk_big_endian", "byte-order", as_array(long, CH), one_chunk("c/1/2", lambda b: np.frombuffer(b, "<f4").byteswap().tobytes()))
scaled = counts((60, 90)).astype("i2")
case("one_chunk_lost_a_byte", "truncated", as_array(scaled, CH, 2), one_chunk("1.1", lambda b: b[1:] + b"\0"))
case("one_chunk_with_a_byte_more", "prefixed", as_array(scaled, CH, 2), one_chunk("1.1", lambda b: b"\0" + b[:-1]))
case("one_chunk_lost_bytes_f8", "truncated", as_array(field((60, 90)), CH, 2), one_chunk("1.1", lambda b: b[3:] + b"\0\0\0"))
case("one_chunk_upside_down", "reversed", as_array(field((60, 90)).astype("f4"), CH), one_chunk("c/1/1", lambda b: np.frombuffer(b, "<f4").reshape(CH)[::-1].tobytes()))
case("one_chunk_east_to_west", "reversed", as_array(scaled, CH, 2), one_chunk("1.1", lambda b: np.frombuffer(b, "<i2").reshape(CH)[:, ::-1].tobytes()))
case("one_chunk_big_endian_i2", "byte-order", as_array(counts((40, 120)).astype("i2"), CH), one_chunk("c/1/2", lambda b: np.frombuffer(b, "<i2").byteswap().tobytes()))
case("one_chunk_transposed", "order", as_array(long, CH), one_chunk("c/1/2", lambda b: np.frombuffer(b, "<f4").reshape(CH).T.tobytes()))

# 12. strings
words = np.array([["Müller", "Æsir", "naïve", "Zoë"], ["plain", "très", "Köln", "São"]] * 4, dtype=object)
def vlen(texts, encoding):
    out = struct.pack("<I", len(texts))
    for text in texts:
        data = text.encode(encoding)
        out += struct.pack("<I", len(data)) + data
    return out
def strings(path, body=lambda t: vlen(t, "utf-8"), filters=({"id": "vlen-utf8"},)):
    dump(path / ".zarray", {"zarr_format": 2, "shape": [8, 4], "chunks": [4, 4], "dtype": "|O", "compressor": None, "fill_value": "", "order": "C", "filters": list(filters), "dimension_separator": "."})
    for row in range(2):
        (path / f"{row}.0").write_bytes(body(list(words[row * 4 : row * 4 + 4].reshape(-1))))
case("strings_latin1", "text-encoding", strings, lambda p: strings(p, lambda t: vlen(t, "latin-1")))
case("strings_utf16", "text-encoding", strings, lambda p: strings(p, lambda t: vlen(t, "utf-16-le")))
def json2(texts):
    return json.dumps([texts[at : at + 4] for at in range(0, 16, 4)] + ["|O", [4, 4]]).encode()
case("strings_json2", "object-codec", strings, lambda p: strings(p, json2))
def msgpack(texts):
    text = lambda t: bytes([0xA0 + len(t.encode())]) + t.encode()
    rows = [b"\x94" + b"".join(map(text, texts[at : at + 4])) for at in range(0, 16, 4)]
    return b"\x96" + b"".join(rows) + text("|O") + b"\x92\x04\x04"
case("strings_msgpack", "object-codec", strings, lambda p: strings(p, msgpack))
case("strings_pickle", "object-codec", strings, lambda p: strings(p, lambda t: pickle.dumps(np.array(t, dtype=object).reshape(4, 4), 4)))
case("strings_as_bytes", "object-codec", lambda p: strings(p, json2, ({"id": "json2", "encoding": "utf-8", "skipkeys": False, "ensure_ascii": True, "check_circular": True, "allow_nan": True, "sort_keys": True, "indent": None, "separators": [",", ":"], "strict": True},)), edit(filters=[{"id": "vlen-utf8"}]))
U = np.array([["alpha", "beta"], ["gamma", "delta"]] * 8, dtype="<U5")
case("fixed_u_as_s", "data-type", as_array(U, (8, 2), 2, fill=""), edit(dtype="|S20"))
case("fixed_u_swapped", "byte-order", as_array(U, (8, 2), 2, fill=""), edit(dtype=">U5"))

# 13. one bit
def flip(byte, bit):
    return lambda b: b[:byte] + bytes([b[byte] ^ (1 << bit)]) + b[byte + 1 :]
case("bit_crc32c_raw", "bit-flip", as_array(f4, CH, codecs=(LITTLE, CRC)), each(flip(1003, 0), {1}))
case("bit_crc32c_zstd", "bit-flip", CHECKED, each(flip(77, 6), {2}))
case("bit_crc32_v2", "bit-flip", as_array(i2, CH, 2, filters=[{"id": "crc32"}]), each(flip(1000, 7), {0}))
case("bit_in_the_sum", "bit-flip", as_array(f4, CH, codecs=(LITTLE, CRC)), each(lambda b: flip(len(b) - 2, 3)(b), {3}))
case("bit_shard_index", "bit-flip", S, each(lambda b: flip(len(b) - 20, 4)(b), {1}))
case("shard_index_sum_wrong", "checksum", S, each(lambda b: b[:-4] + b"\xde\xad\xbe\xef", {1}))
case("bits_of_one_byte", "bit-flip", as_array(f8, CH, codecs=(LITTLE, CRC)), each(lambda b: flip(1003, 1)(flip(1003, 6)(b)), {1}))
case("bits_two_apart", "bit-flip", as_array(f4[:20, :30], (10, 15), codecs=(LITTLE, CRC)), each(lambda b: flip(9, 1)(flip(400, 5)(b)), {1}))
case("bits_two", "bit-flip", as_array(f4, CH, codecs=(LITTLE, CRC)), each(lambda b: flip(9, 1)(flip(8, 1)(b)), {1}))


# --- healthy -------------------------------------------------------------------------


def races():
    """Shards that tasks smaller than them shared, and what interrupted writers leave; clean twins are sparse otherwise."""
    rng = np.random.default_rng(11)
    yy, xx = np.mgrid[:80, :80]

    def shards(path, data):
        array = zarr.create_array(
            path, shape=(80, 80), shards=(20, 20), chunks=(2, 2), dtype="u1", fill_value=0,
            compressors=None, config={"write_empty_chunks": False},
        )
        array[...] = data

    whole = rng.integers(1, 255, (80, 80)).astype("u1")
    # Tasks of 8 on shards of 20: of those across a border, each shard keeps or loses its own part.
    lost = np.zeros((80, 80), bool)
    for task in np.ndindex(10, 10):
        for shard in np.ndindex(4, 4):
            part = tuple(slice(max(t * 8, s * 20), min(t * 8 + 8, s * 20 + 20)) for t, s in zip(task, shard))
            if all(p.start < p.stop for p in part):
                lost[part] = rng.random() < 0.25
    few = np.kron(rng.random((40, 40)) < 0.02, np.ones((2, 2), bool))
    for name, gone in [
        ("race_blocks", few),
        ("race_lake", (yy - 41) ** 2 + (xx - 37) ** 2 < 700),
        ("race_coast", np.sin(xx / 9) * 14 + yy < 35),
        ("race_points", rng.random((80, 80)) < 0.97),
    ]:
        CASES[name] = "race"
        shards(ROOT / name / "clean", np.where(gone, 0, whole))
        shards(ROOT / name / "fault", np.where(few | lost, 0, whole))
    # Names as seen after the writers were killed: zarr-python 3.4.2, TensorStore 0.1.86.
    for name, left in [
        ("interrupted_zarr_python", "c/1.752f1e3be2fe4de49acfe9e947dfc2bd.partial"),
        ("interrupted_tensorstore", "c/1.__lock"),
    ]:
        CASES[name] = "interrupted-write"
        for twin in ["clean", "fault"]:
            v3(ROOT / name / twin, celsius((20,)).astype("f4")[:10], (10,), codecs=(LITTLE,), fill=0)
        (ROOT / name / "fault" / left).write_bytes(b"\0" * 12)


def healthy():
    rng = np.random.default_rng(11)
    shape, chunk = (48, 64), (16, 32)  # 6 chunks of 512
    made = {}
    for t in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"):
        info = np.iinfo(t)
        made[f"noise_{t}"] = rng.integers(info.min, info.max, shape, t, endpoint=True)
        made[f"constant_{t}"] = np.full(shape, 7, t)
        made[f"mask_{t}"] = (rng.random(shape) < 0.3).astype(t)
        made[f"mask_max_{t}"] = np.where(rng.random(shape) < 0.3, np.array(info.max, t), np.array(0, t)).astype(t)
        blob = celsius(shape) > 1
        made[f"blob_max_{t}"] = np.where(blob, np.array(info.max, t), np.array(0, t)).astype(t)
        made[f"categories_{t}"] = rng.integers(0, 9, shape).astype(t)
        made[f"classes_nodata_{t}"] = np.where(blob, np.array(info.max, t), rng.integers(0, 12, shape).astype(t)).astype(t)
        made[f"classes_min_{t}"] = np.where(blob, np.array(info.min, t), rng.integers(0, 12, shape).astype(t)).astype(t)
        made[f"index_{t}"] = (np.arange(48 * 64) % min(int(info.max) + 1, 1 << 20)).reshape(shape).astype(t)
        made[f"sparse_{t}"] = np.where(rng.random(shape) < 0.01, rng.integers(1, 100, shape), 0).astype(t)
        made[f"smooth_{t}"] = (celsius(shape) * 6 + (0 if t[0] == "i" else 100)).astype(t)
        middle = 0 if t[0] == "i" else 1 << min(info.bits - 1, 20)
        made[f"walk_{t}"] = (np.cumsum(rng.integers(-1, 2, 48 * 64)).reshape(shape) + middle).astype(t)
        made[f"permutation_{t}"] = rng.permutation(48 * 64).reshape(shape).astype(t)
        made[f"sorted_{t}"] = np.sort(rng.integers(info.min, info.max, 48 * 64, t)).reshape(shape)
        made[f"powers_{t}"] = (1 << rng.integers(0, info.bits - 1, shape)).astype(t)
        made[f"angles_{t}"] = ((np.arange(48 * 64).reshape(shape) * 0.01 % 1.0) * 2.0 ** min(info.bits, 52)).astype(f"u{info.bits // 8}").view(t)
    for t in ("f2", "f4", "f8"):
        made[f"noise_{t}"] = rng.normal(size=shape).astype(t)
        made[f"lognormal_{t}"] = np.exp(rng.normal(0, 4, shape)).clip(0, 6e4).astype(t)
        made[f"constant_{t}"] = np.full(shape, 3.25, t)
        made[f"mask_{t}"] = (rng.random(shape) < 0.3).astype(t)
        made[f"nan_{t}"] = np.where(rng.random(shape) < 0.4, np.nan, field(shape)).astype(t)
        made[f"land_{t}"] = np.where(celsius(shape) > 2, 6e4 if t == "f2" else 9.96921e36, celsius(shape)).astype(t)
        made[f"smooth_{t}"] = celsius(shape).astype(t)
        made[f"zeros_{t}"] = np.zeros(shape, t)
        made[f"sparse_{t}"] = np.where(rng.random(shape) < 0.02, rng.random(shape), 0).astype(t)
        made[f"whole_{t}"] = counts(shape, 3).astype(t)
        made[f"probability_{t}"] = rng.random(shape).astype(t)
        made[f"cumulative_{t}"] = np.cumsum(rng.random(48 * 64)).reshape(shape).astype(t)
    made["tiny_f4"] = (1e-25 * np.exp(celsius(shape))).astype("f4")
    made["tiny_f8"] = (1e-120 * np.exp(8 * celsius(shape))).astype("f8")
    made["concentrations_f4"] = (10.0 ** rng.uniform(-18, 4, shape)).astype("f4")
    made["softmax_f4"] = np.exp(-rng.gamma(2, 20, shape)).astype("f4")
    made["underflow_f4"] = np.exp(-rng.gamma(2, 40, shape)).astype("f4")
    made["cross_sections_f8"] = (10.0 ** rng.uniform(-40, -20, shape)).astype("f8")
    made["hash_u8"] = np.arange(48 * 64, dtype="u8").reshape(shape) * np.uint64(0x9E3779B97F4A7C15)
    made["hash_u4"] = (np.arange(48 * 64, dtype="u4") * np.uint32(2654435761)).reshape(shape)
    made["seconds_2003"] = (1.05e9 + np.arange(48 * 64) * 300).astype("i4").reshape(shape)
    made["seconds_jitter"] = (1.06e9 + np.sort(rng.integers(0, 10**7, 48 * 64))).astype("i4").reshape(shape)
    made["nanoseconds"] = (1.6e18 + np.arange(48 * 64) * 1e9).astype("i8").reshape(shape)
    made["ids_u4"] = np.sort(rng.choice(2**31, 48 * 64, replace=False)).astype("u4").reshape(shape)
    made["ids_scattered_u4"] = (1.0e9 + rng.integers(0, 2 * 10**8, shape)).astype("u4")
    rgba = np.stack([(celsius(shape) * 6 + 120), (celsius(shape, seed=2) * 6 + 120), (celsius(shape, seed=3) * 6 + 120), np.full(shape, 255)], -1).clip(0, 255).astype("u1")
    made["rgba_u4"] = rgba.view("<u4")[..., 0]
    made["rgb_u1"] = rgba[:, :, :3].reshape(48, 192)[:, :64].copy()
    made["packed_fields_u2"] = (rng.integers(0, 8, shape) << 12 | rng.integers(0, 4096, shape)).astype("u2")
    made["label_smooth_u2"] = (rng.integers(0, 200, shape) << 8 | (celsius(shape) * 6 + 120).astype("i4").clip(0, 255)).astype("u2")
    made["morton_u4"] = np.array([sum(((x >> b) & 1) << (2 * b) | ((y >> b) & 1) << (2 * b + 1) for b in range(6)) for y in range(48) for x in range(64)], "u4").reshape(shape)
    made["channels_f4"] = np.cumsum(rng.normal(size=(4, 1024)), 1).astype("f4") + (np.arange(4, dtype="f4")[:, None] * 100)
    made["channels_last_f4"] = np.ascontiguousarray(made["channels_f4"].T)
    made["hours_f4"] = (np.sin(np.arange(48 * 64) / 24 * 6.283).reshape(48, 64) * 8 + rng.normal(0, 0.3, (48, 64))).astype("f4")
    made["day_hour_f4"] = (np.sin(np.arange(73 * 24) / 24 * 6.283) * 8 + np.arange(73 * 24) / 99 + rng.normal(0, 0.3, 73 * 24)).reshape(73, 24).astype("f4")
    made["symmetric_f4"] = (lambda a: (a + a.T))(rng.normal(size=(64, 64))).astype("f4")
    made["distance_f4"] = np.sqrt((np.arange(64)[:, None] - np.arange(64)) ** 2).astype("f4")
    made["vectors_f4"] = np.stack([field((1024,)) * k + k * 50 for k in range(1, 4)], -1).astype("f4")
    made["scalar_f8"] = np.array([3.5])
    made["few_i4"] = np.array([1, 2, 3], "i4")
    made["lat_f4"] = np.linspace(-90, 90, 181).astype("f4")
    made["lon_f8"] = np.linspace(0, 360, 720)
    made["lats_f4"] = np.repeat(np.linspace(-90, 90, 48, dtype="f4")[:, None], 64, 1)
    made["tiles_i4"] = np.kron(rng.integers(0, 5000, (6, 8)), np.ones((8, 8), "i4")).astype("i4")
    made["blocks_f4"] = np.kron(rng.normal(size=(3, 2)), np.ones((16, 32))).astype("f4")
    made["random_blocks_f4"] = np.kron(rng.normal(size=(3, 2)) * 1e3, np.ones((16, 32))).astype("f4") + celsius(shape).astype("f4")
    made["copies_f4"] = np.tile(celsius((16, 32)), (3, 2)).astype("f4")
    made["counter_blocks_i8"] = (np.arange(6).reshape(3, 2).repeat(16, 0).repeat(32, 1) * 10**9).astype("i8")
    made["xor_u1"] = (np.arange(48)[:, None] ^ np.arange(64)).astype("u1")
    made["modulo_i2"] = (np.arange(48 * 64) * 37 % 1000).reshape(shape).astype("i2")
    made["phase_u2"] = (np.arange(48 * 64) * 997 % 65536).reshape(shape).astype("u2")
    made["audio_i2"] = (np.sin(np.arange(48 * 64) * 0.7) * 20000 * np.sin(np.arange(48 * 64) / 500)).reshape(shape).astype("i2")
    made["photon_u2"] = rng.poisson(6, shape).astype("u2")
    made["ascii_u1"] = np.frombuffer((b"the quick brown fox jumps over the lazy dog\r\n" * 99)[: 48 * 64], "u1").reshape(shape).copy()
    made["packed_bits_u1"] = np.packbits(celsius((48, 512)) > 0, axis=1)
    made["jpeg_like_u1"] = np.frombuffer(zlib.compress(rng.bytes(4000))[: 48 * 64], "u1").reshape(shape).copy()
    made["bf16_as_u2"] = (celsius(shape).astype("f4").view("u4") >> 16).astype("u2")
    made["tiles_of_images_u1"] = (np.kron(rng.integers(40, 200, (3, 2)), np.ones((16, 32))) + celsius(shape) * 3).clip(0, 255).astype("u1")
    made["slices_f4"] = np.concatenate([field((16, 64), seed=rng.uniform(0, 99)) + rng.normal(0, 30) for _ in range(3)]).astype("f4")
    made["repeated_waves_f8"] = np.sin(np.arange(48 * 64).reshape(shape) * 2 * np.pi / 32)
    made["meshgrid_f8"] = np.add.outer(np.zeros(48), np.linspace(-180, 180, 64))
    made["outage_f4"] = np.where((np.arange(48)[:, None] // 16 == 1) & (np.arange(64) // 32 == 1), rng.normal(0, 99, shape), celsius(shape)).astype("f4")
    made["blank_f4"] = np.where((np.arange(48)[:, None] // 16 == 1) & (np.arange(64) // 32 == 0), 0, field(shape)).astype("f4")
    made["two_alike_blank_i4"] = np.where(np.arange(64) < 32, 0, counts(shape)).astype("i4")
    made["saw_i2"] = (np.arange(48 * 64).reshape(shape) % 512 * 7).astype("i2")
    made["square_f4"] = field((60, 60)).astype("f4")
    made["square_mosaic_f4"] = np.block([[field((16, 32)) + rng.normal(0, 50) for _ in range(3)] for _ in range(4)]).astype("f4")
    made["series_f8"] = np.cumsum(rng.normal(size=4000))
    made["series_steps_f8"] = np.repeat(rng.normal(size=40), 100)
    made["series_noise_i4"] = rng.integers(-500, 500, 4000).astype("i4")
    made["time_restarted_f8"] = np.tile(np.arange(1000.0) * 60, 3)
    made["time_backwards_f8"] = 1e9 - 3600 * np.arange(3000.0)
    made["flags_i8"] = (1 << rng.integers(0, 62, shape)).astype("i8")
    made["cube_f4"] = field((20, 20, 20)).astype("f4")
    for name, data in made.items():
        chunks = tuple(min(n, c) for n, c in zip(data.shape, chunk * 2))
        if len(data.shape) == 1:
            chunks = (max(1, data.shape[0] // 3),)
        if name == "cube_f4":
            chunks = (10, 10, 10)
        fill = 0
        codecs = ({"name": "bytes"},) if data.dtype.itemsize == 1 else (LITTLE,)
        if zlib.crc32(name.encode()) & 1:
            v2(ROOT / "healthy" / name, data, chunks, compressor={"id": "zlib", "level": 1}, fill=fill)
        else:
            v3(ROOT / "healthy" / name, data, chunks, codecs=codecs, fill=fill)


def filtered():
    """Healthy arrays with filters, which diagnosis takes out, exchanges and changes."""
    rng = np.random.default_rng(12)
    shape, chunks = (48, 64), (16, 32)
    delta, shuffle = {"id": "delta", "dtype": "<i4"}, {"id": "shuffle", "elementsize": 4}
    arrays = {
        "smooth": counts(shape),
        "noise": rng.integers(-(2**31), 2**31 - 1, shape),
        "small_noise": rng.integers(-300, 300, shape),
        "mosaic": np.kron(rng.integers(-9000, 9000, (3, 2)), np.ones((16, 32))) + counts(shape, 4),
        "classes": rng.integers(0, 40, shape),
        "walk": np.cumsum(rng.integers(-9, 10, 48 * 64)).reshape(shape),
        "counter": np.arange(48 * 64).reshape(shape),
        "powers": 1 << rng.integers(0, 30, shape),
    }
    for name, data in arrays.items():
        for word, filters in [("none", None), ("delta", [delta]), ("shuffle", [shuffle]), ("both", [delta, shuffle])]:
            v2(ROOT / "healthy" / f"filtered_{name}_{word}", data.astype("i4"), chunks, filters=filters)


def later():
    """Faults found missing in a set that others wrote."""
    i2s, flags = counts((60, 90)).astype("i2"), celsius((60, 90)) > 1
    f32_ = {"id": "fletcher32"}
    case("fletcher32_lost", "codec", as_array(i2s, CH, 2, filters=[f32_]), edit(filters=None))
    case("crc32_lost_before_zlib", "codec", as_array(i2s, CH, 2, filters=[{"id": "crc32"}], compressor={"id": "zlib", "level": 1}), edit(filters=None))
    case("packbits_lost", "filter", as_array(flags, CH, 2, fill=False, filters=[{"id": "packbits"}], compressor={"id": "zlib", "level": 1}), edit(filters=None))
    tall, later_ = counts((80, 60)).astype("i2"), field((80, 60)).astype("f4")
    def appended_f4(path):
        for at, whole in chunks_of(later_, CH):
            if at[0] >= 2:
                (path / "c" / str(at[0]) / str(at[1])).write_bytes(plain(whole, (LITTLE, ZSTD)))
    case("two_data_types", "data-type", as_array(tall, CH, codecs=(LITTLE, ZSTD)), appended_f4)
    hours = (np.datetime64("2019-03-01T00", "ns").astype("i8") + np.arange(400) * 3600 * 10**9)
    as_times = as_array(hours, (100,), 2, fill=0, compressor={"id": "zlib", "level": 1}, dtype="<M8[ns]")
    case("times_ns_as_s", "data-type", as_times, edit(dtype="<M8[s]"))
    case("times_s_as_D", "data-type", as_array(hours // 10**9, (100,), 2, fill=0, dtype="<M8[s]"), edit(dtype="<M8[D]"))
    def renamed(path):
        (path / "1.1").rename(path / "1.1 (1)")
        shutil.copy(path / "0.1", path / "0.1 (1)")
    case("conflict_copy", "chunk-keys", as_array(i2s, CH, 2, compressor={"id": "zlib", "level": 1}), renamed)
    case("dimension_of_one_lost", "shape", as_array(field((1, 60, 90)).astype("f4"), (1, 20, 30), codecs=(LITTLE, ZSTD)), lambda p: edit(shape=[60, 90], chunk_grid={"name": "regular", "configuration": {"chunk_shape": [20, 30]}})(p))
    case("upload_begun_again", "prefixed", as_array(i2s, CH, 2, compressor={"id": "zlib", "level": 1}), one_chunk("1.1", lambda b: b[: len(b) // 3] + b))
    case("shard_cut", "truncated", as_array(field((80, 90)).astype("f4"), (40, 30), codecs=(sharding((10, 15)),)), one_chunk("c/1/1", lambda b: b[: len(b) * 7 // 10]))
    words = ["Zürich", "München", "東京", "Oslo", "São Paulo"] * 12
    def vlen(encoding):
        texts = [w.encode(encoding) for w in words]
        return struct.pack("<I", len(texts)) + b"".join(struct.pack("<I", len(t)) + t for t in texts)
    def as_words(path):
        dump(path / "zarr.json", {"zarr_format": 3, "node_type": "array", "shape": [60], "data_type": "string", "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [60]}}, "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": "", "codecs": [{"name": "vlen-utf8", "configuration": {}}, ZSTD], "attributes": {}})
        (path / "c").mkdir()
        (path / "c/0").write_bytes(numcodecs.Zstd(level=3).encode(vlen("utf-8")))
    case("words_utf16", "text-encoding", as_words, lambda p: (p / "c/0").write_bytes(numcodecs.Zstd(level=3).encode(vlen("utf-16-le"))))



def images():
    """Images of 8 bits with noise, floats of 16 bits, chunks packed otherwise, and pages that were never written."""
    rng = np.random.default_rng(21)
    def image(shape, noise):
        waves = field(shape, noise=0) - 283
        edges = (field(shape, seed=3.0, noise=0) > 285) * 60
        return np.clip(90 + 6 * waves + edges + rng.normal(0, noise, shape), 0, 255).astype("u1")
    Z = {"id": "zlib", "level": 1}
    for name, shape, chunks in [("wide", (120, 300), (60, 100)), ("one_chunk", (200, 150), (200, 150)), ("volume", (24, 60, 80), (12, 30, 40)), ("rgb", (96, 120, 3), (48, 60, 3))]:
        data = image(shape[:2] if shape[-1] == 3 else shape, 8)
        if shape[-1] == 3:
            data = np.stack([data, data // 2 + 20, data // 3 + 60], -1)
        case(f"image_{name}_f_as_c", "order", as_array(data, chunks, 2, order="F", compressor=Z), edit(order="C"))
        case(f"image_{name}_c_as_f", "order", as_array(data, chunks, 2), edit(order="F"))
    def halves(data, kind):
        bits = data.astype("f2").view("u2") if kind == "float16" else (data.astype("f4").view("u4") + 0x8000 >> 16).astype("u2")
        return as_array(bits, CH, codecs=(LITTLE, ZSTD), data_type=kind)
    for kind, wrong in [("float16", "bfloat16"), ("bfloat16", "float16"), ("bfloat16", "int16"), ("float16", "int16"), ("float16", "uint16")]:
        case(f"{kind}_as_{wrong}", "data-type", halves(celsius((60, 90)), kind), edit(data_type=wrong))
    case("float16_as_bfloat16_positive", "data-type", halves(field((60, 90)), "float16"), edit(data_type="bfloat16"))
    for name, data in [("noise", rng.normal(size=(60, 90))), ("gradients", rng.normal(size=(60, 90)) * 10 ** rng.uniform(-8, 0, (60, 90))), ("logarithmic", 10 ** celsius((60, 90)) / 1e4), ("kelvin", field((60, 90))), ("probability", rng.random((60, 90)))]:
        for kind in ("float16", "bfloat16"):
            with np.errstate(over="ignore"):
                halves(data.clip(-6e4, 6e4), kind)(ROOT / "healthy" / f"half_{name}_{kind}")
    def packed(path, constants=lambda at: (0.01, 273.0), named=(0.01, 273.0)):
        data = celsius((60, 90)) * 1.5 + 283
        document = v2(path, np.zeros((60, 90), "i2"), CH, compressor=Z)
        for at, whole in chunks_of(data, CH):
            scale, offset = constants(at)
            raw = np.round((whole - offset) / scale).astype("i2")
            (path / ".".join(map(str, at))).write_bytes(encode_v2(raw, "C", None, Z))
        dump(path / ".zattrs", {"scale_factor": named[0], "add_offset": named[1]})
    case("packed_one_chunk", "packing", packed, lambda p: packed(p, lambda at: (0.02, 280.0) if at == (1, 1) else (0.01, 273.0)))
    case("packed_last_row", "packing", packed, lambda p: packed(p, lambda at: (0.01, 290.0) if at[0] == 2 else (0.01, 273.0)))
    def tiles(path):
        packed(path)
        for at in np.ndindex(3, 3):
            tile = np.round(celsius(CH, seed=float(rng.uniform(0, 99))) * 90 + rng.uniform(-3000, 3000)).astype("i2")
            (path / ".".join(map(str, at))).write_bytes(encode_v2(tile, "C", None, Z))
    tiles(ROOT / "healthy" / "packed_tiles")
    dense = celsius((90, 200)).astype("f4")
    pages = (45, 100)
    case("page_tail_lost", "lost-write", as_array(dense, pages), lambda p: one_chunk("c/1/0", lambda b: b[:8192] + bytes(len(b) - 8192))(p))
    case("page_inside_lost", "lost-write", as_array(dense, pages, 2), lambda p: one_chunk("0.1", lambda b: b[:4096] + bytes(8192) + b[12288:])(p))
    case("page_lost_one_chunk", "lost-write", as_array(np.cumsum(rng.normal(size=9000)), (9000,)), lambda p: one_chunk("c/0", lambda b: b[:40960] + bytes(len(b) - 40960))(p))
    lake = np.where(celsius((90, 200)) > 0, celsius((90, 200)), 0).astype("f4")
    rows = dense.copy()
    rows[20:45] = 0
    late = np.cumsum(rng.normal(size=9000))
    late[5000:] = 0
    whole = field((64, 1024)).astype("f4")
    whole[40:] = 0
    for name, data, chunks in [("lake", lake, pages), ("rows_of_zeros", rows, pages), ("not_yet_filled", late, (9000,)), ("rows_of_pages", whole, (64, 1024))]:
        v3(ROOT / "healthy" / f"zeros_{name}", data, chunks)


def further():
    """Names and texts, bits behind checksums of sums and of compressors, and parts of numbers swapped."""
    one = lambda k: int(k.split("/")[1]) * 2 + int(k.split("/")[2])
    case("keys_one_number", "chunk-keys", as_array(f4, CH), rename(lambda k: f"chunk{one(k)}"))
    long = field((240, 20)).astype("f4")
    case("keys_hexadecimal", "chunk-keys", as_array(long, (20, 20), 2), rename(lambda k: f"{int(k.split('.')[0]):x}.{k.split('.')[1]}"))
    zipped = as_array(i2, CH, codecs=(LITTLE, GZIP))
    case("percent_encoded", "base64", zipped, each(lambda b: urllib.parse.quote_from_bytes(b, safe="").encode()))
    case("numbers_as_text", "not-data", as_array(i2, CH), each(lambda b: "\n".join(map(str, np.frombuffer(b, "<i2"))).encode(), {2}))
    case("length_header", "prefixed", as_array(i2, CH), each(lambda b: struct.pack(">Q", len(b)) + b))
    three = np.zeros((36, 40), [("n", "<i8"), ("x", "<f8"), ("y", "<f8")])
    three["n"], three["x"], three["y"] = np.round(celsius((36, 40)) * 50), field((36, 40)), celsius((36, 40), seed=9.0)
    fields = [["n", "<i8"], ["x", "<f8"], ["y", "<f8"]]
    case("struct_two_alike_swapped", "struct", as_array(three, (18, 20), 2, fill=None, dtype=fields), edit(dtype=[fields[1], fields[0], fields[2]]))
    case("swab_f4", "byte-order", as_array(f4, CH), each(lambda b: np.frombuffer(b, "u2").byteswap().tobytes()))
    case("bit_adler32", "bit-flip", as_array(i2, CH, 2, filters=[{"id": "adler32"}]), each(flip(555, 4), {2}))
    case("bit_gzip", "bit-flip", zipped, each(flip(400, 1), {3}))
    masks = celsius((36, 40)) > 1
    case("bits_bare", "filter", as_array(masks, (18, 20), 2, fill=False, dtype="|b1"), each(lambda b: np.packbits(np.frombuffer(b, "?")).tobytes()))
    def deflated(b):
        work = zlib.compressobj(6, zlib.DEFLATED, -15)
        return work.compress(zlib.decompress(b)) + work.flush()
    case("deflate_bare", "codec", as_array(f4, CH, 2, compressor={"id": "zlib", "level": 1}), each(deflated))
    cube = celsius((12, 24, 40)).astype("f4")
    case("shard_inner_turned", "shard-index", as_array(cube, (6, 12, 20), codecs=(sharding((3, 6, 10)),)), conf(chunk_shape=[6, 3, 10]))


def wrapped():
    """Chunks in containers and in other forms, placeholders, entries of shard indexes, parts that were lost."""
    raw = as_array(f4, CH)
    Z1 = {"id": "zlib", "level": 1}
    LZ4 = {"id": "lz4", "acceleration": 1}
    def n5(body):
        return struct.pack(">HHII", 0, 2, CH[1], CH[0]) + np.frombuffer(body, "<f4").astype(">f4").tobytes()
    case("n5_header", "prefixed", raw, each(n5))
    def record(body):
        return struct.pack("<I", len(body)) + body + struct.pack("<I", len(body))
    case("fortran_record", "prefixed", raw, each(record))
    case("fortran_rows", "prefixed", raw, each(lambda b: b"".join(record(b[i : i + 4 * CH[1]]) for i in range(0, len(b), 4 * CH[1]))))
    def http(body):
        parts = [body[i : i + 1000] for i in range(0, len(body), 1000)] + [b""]
        return b"".join(b"%x\r\n" % len(part) + part + b"\r\n" for part in parts)
    zipped = as_array(f4, CH, codecs=(LITTLE, ZSTD))
    case("http_chunked", "prefixed", zipped, each(http))
    case("http_response", "prefixed", zipped, each(lambda b: b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + http(b), {1}))
    form = b'--d74496d6\r\nContent-Disposition: form-data; name="file"\r\n\r\n'
    case("multipart", "prefixed", raw, each(lambda b: form + b + b"\r\n--d74496d6--\r\n", {1, 3}))
    def archive(body, method=zipfile.ZIP_STORED):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as z:
            z.writestr(zipfile.ZipInfo("arr_0.npy", (2024, 1, 1, 0, 0, 0)), body, method)
        return out.getvalue()
    def npy(body):
        out = io.BytesIO()
        np.save(out, np.frombuffer(body, "<f4").reshape(CH))
        return out.getvalue()
    case("npz", "prefixed", raw, each(lambda b: archive(npy(b))))
    case("zip_deflated", "prefixed", raw, each(lambda b: archive(b, zipfile.ZIP_DEFLATED), {2}))
    def tar(body):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as t:
            info = tarfile.TarInfo("0")
            info.size = len(body)
            t.addfile(info, io.BytesIO(body))
        return out.getvalue()
    case("tar", "prefixed", raw, each(tar, {0, 4}))
    case("base64_reference", "base64", as_array(i2, CH, 2), each(lambda b: b"base64:" + base64.b64encode(b)))
    case("python_bytes", "base64", as_array(i2, CH, 2, compressor=Z1), each(lambda b: repr(b).encode(), {0, 2}))
    case("header_in_all", "prefixed", raw, each(lambda b: b"RAWDATA1" + bytes([1, 2, 3]) + b + b""))
    rng = np.random.default_rng(5)
    case("trailer_in_all", "appended", raw, each(lambda b: b + rng.bytes(9)))
    case("row_padding", "chunk-shape", raw, each(lambda b: b"".join(b[i : i + 4 * CH[1]] + bytes(20) for i in range(0, len(b), 4 * CH[1]))))
    def left_over(path):
        old = dict(chunks_of(f4, (CH[0] + 9, CH[1])))
        for at in [(1, 0), (1, 1)]:
            (path / "c" / str(at[0]) / str(at[1])).write_bytes(plain(old[at], [LITTLE, ZSTD]))
    case("left_from_other_chunks", "chunk-shape", zipped, left_over)
    frame = lambda b: b"\x04\x22\x4d\x18\x60\x40\x82" + struct.pack("<I", len(b) - 4) + b[4:] + bytes(4)
    case("lz4_frame", "codec", as_array(f4, CH, 2, compressor=LZ4), each(frame))
    case("lz4_without_size", "codec", as_array(f4, CH, 2, compressor=LZ4), each(lambda b: b[4:]))
    case("lz4_big_endian_size", "codec", as_array(f4, CH, 2, compressor=LZ4), each(lambda b: b[3::-1] + b[4:]))
    def hdf5(b):
        data, out = bytes(numcodecs.LZ4().decode(b)), b""
        for i in range(0, len(data), 1024):
            block = bytes(numcodecs.LZ4().encode(data[i : i + 1024]))[4:]
            block = block if len(block) < len(data[i : i + 1024]) else data[i : i + 1024]
            out += struct.pack(">I", len(block)) + block
        return struct.pack(">QI", len(data), 1024) + out
    case("lz4_of_hdf5", "codec", as_array(i4, CH, 2, compressor=LZ4), each(hdf5))
    texts = ["gene-%03d" % i if i % 3 else "long name of sample %d" % (i * i) for i in range(40)]
    def lengths(end):
        def make(path):
            dump(path / ".zarray", {"zarr_format": 2, "shape": [40], "chunks": [40], "dtype": "|O", "compressor": Z1, "fill_value": "", "order": "C", "filters": [{"id": "vlen-utf8"}], "dimension_separator": "."})
            body = b"".join(struct.pack(end + "I", len(t)) + t.encode() for t in texts)
            (path / "0").write_bytes(zlib.compress(struct.pack(end + "I", 40) + body))
        return make
    case("vlen_big_endian", "object-codec", lengths("<"), lengths(">"))
    flags = celsius((64, 64)) > 1
    def packed(order):
        def make(path):
            dump(path / ".zarray", {"zarr_format": 2, "shape": [64, 64], "chunks": [32, 32], "dtype": "|b1", "compressor": None, "fill_value": False, "order": "C", "filters": [{"id": "packbits"}], "dimension_separator": "."})
            for at, part in chunks_of(flags, (32, 32)):
                (path / ".".join(map(str, at))).write_bytes(b"\0" + np.packbits(part.reshape(-1), bitorder=order).tobytes())
        return make
    case("bits_reversed", "filter", packed("big"), packed("little"))
    def placeholder(path):
        for key in ["1.0", "0.1"]:
            (path / key).unlink()
            (path / f".{key}.icloud").write_bytes(b"bplist00" + bytes(90))
    case("icloud", "not-data", as_array(f4, CH, 2, compressor=Z1), placeholder)
    def downloads(name):
        def spoil(path):
            file = path / "c" / "1" / "1"
            data = file.read_bytes()
            file.unlink()
            (file.parent / name).write_bytes(data[:512])
        return spoil
    for name in ["1.crdownload", ".syncthing.1.tmp", "1_.gstmp", "1.9aC4bE01"]:
        case(f"unfinished_{name.strip('.')}", "interrupted-write", zipped, downloads(name))
    case("keys_percent", "chunk-keys", zipped, rename(lambda k: k.replace("/", "%2F")))
    case("keys_with_ending", "chunk-keys", as_array(f4, CH, 2, compressor=Z1), rename(lambda k: k + ".bin"))
    cube = celsius((12, 24, 40)).astype("f4")
    shards = as_array(cube, (6, 12, 20), codecs=(sharding((3, 6, 10)),))
    at_start = as_array(cube, (6, 12, 20), codecs=(sharding((3, 6, 10), location="start"),))
    def entries(change, first=False):
        def spoil(path):
            for file in files(path):
                b, n = file.read_bytes(), 128
                index = np.frombuffer(b[:n] if first else b[-n - 4 : -4], "<u8").reshape(2, 2, 2, 2).copy()
                new = np.ascontiguousarray(change(index)).tobytes()
                new += crc32c(new)
                file.write_bytes(new + b[n + 4 :] if first else b[: -n - 4] + new)
        return spoil
    def minus(by):
        def change(index):
            index[..., 0] -= np.uint64(by)
            return index
        return change
    def ends(index):
        index[..., 1] += index[..., 0]
        return index
    case("entries_swapped", "shard-index", shards, entries(lambda i: i[..., ::-1]))
    case("entries_with_ends", "shard-index", shards, entries(ends))
    case("offsets_after_index", "shard-index", at_start, entries(minus(132), True))
    case("offsets_in_larger_file", "shard-index", shards, entries(lambda i: minus(-4096 % 2**64)(i)))
    case("entries_f_order", "shard-index", shards, entries(lambda i: i.transpose(2, 1, 0, 3)))
    def other_index(path):
        first = files(path)[0].read_bytes()[-132:]
        for file in files(path)[-2:]:
            file.write_bytes(file.read_bytes()[:-132] + first)
    case("index_of_another", "shard-index", shards, other_index)
    def lost(path):  # tasks of 10 rows
        for key, part in [("0.1", slice(10, 18)), ("1.0", slice(0, 2)), ("2.1", slice(0, 4))]:
            data = np.frombuffer(zlib.decompress((path / key).read_bytes()), "<f4").reshape(18, 35).copy()
            data[part] = 0
            (path / key).write_bytes(zlib.compress(data.tobytes(), 1))
    case("race_in_chunks", "race", as_array(field((54, 70), seed=4.0).astype("f4"), (18, 35), 2, compressor=Z1), lost)
    whole = field((64, 64), seed=2.0).astype("f4")
    rng = np.random.default_rng(3)
    def lost_quarters(path):
        for file in files(path):
            data = np.frombuffer(numcodecs.Zstd().decode(file.read_bytes()), "<f4").reshape(16, 16).copy()
            # Tasks of 12 rows and columns: each chunk keeps or loses its own parts of those across its borders.
            at = [int(n) * 16 + np.arange(16) for n in file.relative_to(path).parts[-2:]]
            kept = rng.random((6, 6)) < 0.7
            kept[at[0][8] // 12, at[1][8] // 12] = True
            file.write_bytes(plain(np.where(kept[np.ix_(at[0] // 12, at[1] // 12)], data, np.float32(0)), [LITTLE, ZSTD]))
    case("race_in_quarters", "race", as_array(whole, (16, 16), codecs=(LITTLE, ZSTD)), lost_quarters)
    case("flags_of_255", "data-type", as_array(flags, (32, 32), 2, fill=False, dtype="|b1", compressor=Z1), each(lambda b: zlib.compress(bytes(np.frombuffer(zlib.decompress(b), "u1") * 255), 1)))
    def by_row(body):
        data = np.frombuffer(body, "<u2").reshape(CH).copy()
        data[:, 1:] -= data[:, :-1].copy()
        return data.tobytes()
    case("row_differences", "filter", as_array((counts(SHAPE, 60) + 4000).astype("u2"), CH, 2), each(by_row))
    def early(path):
        before = bytes(range(16))
        for file in files(path):
            body = file.read_bytes()
            file.write_bytes(before + body[:-16])
            before = body[-16:]
    case("bytes_shifted", "shifted", as_array(field((120, 40), seed=3.0).astype("f4"), (20, 40), 2), early)
    def again(path):
        for column in "01":
            (path / "c" / "2" / column).write_bytes((path / "c" / "1" / column).read_bytes())
    case("region_copied", "chunk-copied", as_array(field((54, 70), seed=4.0), (18, 35), codecs=(LITTLE, ZSTD)), again)
    def with_sum(body):
        body = bytes(numcodecs.Shuffle(4).decode(body))
        return numcodecs.Shuffle(4).encode(np.frombuffer(body + b"\x01\x02\x03\x04", "u1")).tobytes()
    case("checksum_in_shuffle", "codec", as_array(f4, CH, 2, filters=[{"id": "shuffle", "elementsize": 4}]), each(with_sum))
    # What looks alike, and is nothing.
    mask = (celsius((86, 86)) > 4).astype("f8")
    v3(ROOT / "healthy" / "mask_in_small_chunks", mask, (12, 13), codecs=(LITTLE, ZSTD))
    v2(ROOT / "healthy" / "hours_shuffled_f", np.arange(53 * 74, dtype="f8").reshape(53, 74) * 3600, (10, 18), order="F", filters=[{"id": "shuffle", "elementsize": 8}], compressor=Z1)
    domain = field((54, 70)).astype("f4")
    domain[40:], domain[:, :9] = 0, 0
    v2(ROOT / "healthy" / "domain_in_zeros", domain, (18, 35), compressor=Z1)
    table = np.cumsum(rng.normal(size=(80, 24)), 0).round()
    table[:, 0] = 100_000 + np.arange(80)
    v2(ROOT / "healthy" / "table_with_index", table.astype("i4"), (20, 24), compressor=Z1)
    panels = np.concatenate([field((60, 20), seed=1.0), field((60, 20), seed=8.0) - 40], 1)
    v2(ROOT / "healthy" / "two_panels", panels.astype("f4"), (20, 40), compressor=Z1)


def reported():
    """Faults as people report them: of crashes, conversions, other formats, and orders inside of shards."""
    Z1 = {"id": "zlib", "level": 1}
    raw = as_array(f4, CH)
    case("grib_messages", "not-data", raw, each(lambda b: b"GRIB\0\0\0\2" + struct.pack(">Q", len(b) // 2 + 20) + b[: len(b) // 2] + b"7777"))
    case("blosc2_frames", "not-data", as_array(f4, CH, 2, compressor={"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0}), each(lambda b: b"\x9e\xa8b2frame\0\xd2\0\0\0a\xcf" + b[16:], {1, 3}))
    case("rclone_crypt", "not-data", as_array(f4, CH, codecs=(LITTLE, ZSTD)), each(lambda b: b"RCLONE\0\0" + bytes(40) + b))
    def pickled(body):
        import pickle
        return pickle.dumps(np.frombuffer(body, "<f4").reshape(CH), 4)
    case("pickled_arrays", "prefixed", raw, each(pickled))
    def bitshuffled(body):
        data, block, out = np.frombuffer(bytes(numcodecs.LZ4().decode(body)), "<i4"), 200, b""
        for k in range(len(data) // block):
            planes = data[k * block : (k + 1) * block].view("u1").reshape(block, 4).T
            bits = np.unpackbits(np.ascontiguousarray(planes), axis=1, bitorder="little").reshape(4, block, 8).transpose(0, 2, 1)
            packed = bytes(numcodecs.LZ4().encode(np.packbits(bits.reshape(-1), bitorder="little").tobytes()))[4:]
            out += struct.pack(">I", len(packed)) + packed
        return struct.pack(">QI", data.nbytes, block * 4) + out + data[len(data) // block * block :].tobytes()
    case("bitshuffle_of_hdf5", "codec", as_array(i4, CH, 2, compressor={"id": "lz4", "acceleration": 1}), each(bitshuffled))
    names = np.array([b"st%05d" % (k * 37) for k in range(60)], "S8")
    case("byte_strings_longer", "data-type", as_array(names, (20,), 2, compressor=Z1, fill="", dtype="|S8"), edit(dtype="|S12"))
    wide = celsius((32, 64)).astype("f4")
    def morton(path):
        code = lambda at: sum(((at[0] >> k & 1) << 2 * k) | ((at[1] >> k & 1) << 2 * k + 1) for k in range(2))
        for file in files(path):
            b, n = file.read_bytes(), 16 * 16
            index = np.frombuffer(b[-n - 4 : -4], "<u8").reshape(4, 4, 2)
            new = np.array([index[at] for at in sorted(np.ndindex(4, 4), key=code)], "<u8").tobytes()
            file.write_bytes(b[: -n - 4] + new + crc32c(new))
    case("entries_morton", "shard-index", as_array(wide, (32, 32), codecs=(sharding((8, 8)),)), morton)
    turned = {"name": "transpose", "configuration": {"order": [1, 0]}}
    case("shard_inner_transpose_lost", "order", as_array(wide, (32, 32), codecs=(sharding((8, 16), codecs=(turned, LITTLE, ZSTD)),)), conf(codecs=[LITTLE, ZSTD]))
    case("shard_inner_transpose_added", "order", as_array(wide, (32, 32), codecs=(sharding((8, 16)),)), conf(codecs=[turned, LITTLE, ZSTD]))
    rng = np.random.default_rng(7)
    whole = np.round(celsius(SHAPE, seed=4.0) * 7000).astype("i4")
    lost = np.where(rng.random(SHAPE) < 0.06, np.int32(-(2**31)), whole)
    case("nan_as_integers", "conversion", as_array(whole, CH, codecs=(LITTLE, ZSTD)), lambda p: v3(p, lost, CH, codecs=(LITTLE, ZSTD)))
    v3(ROOT / "healthy" / "smallest_is_fill", lost, CH, codecs=(LITTLE, ZSTD), fill=-(2**31))
    large = np.round(celsius(SHAPE, seed=3.0) * 3500).astype("i8")
    def overflow(path):
        for at, part in chunks_of(large.astype("i2"), CH):
            (path / ".".join(map(str, at))).write_bytes(encode_v2(part, "C", None, Z1))
    def packed(path, data=large.clip(-32767, 32767).astype("i2"), factor=0.001, units="K"):
        v2(path, data, CH, compressor=Z1)
        dump(path / ".zattrs", {"scale_factor": factor, "units": units})
    case("packed_overflow", "conversion", packed, overflow)
    # The same bytes are angles where the range of the type is a full turn, and anything where nothing packs them.
    packed(ROOT / "healthy" / "angles_of_16_bits", large.astype("i2"), 360 / 65536, "degree")
    packed(ROOT / "healthy" / "phase_of_16_bits", large.astype("i2"), 2 * np.pi / 65535, "rad")
    v2(ROOT / "healthy" / "wrapped_and_not_packed", large.astype("i2"), CH, compressor=Z1)
    steps = np.cumsum(rng.integers(0, 900, SHAPE).reshape(-1)).reshape(SHAPE)
    v2(ROOT / "healthy" / "counter_of_16_bits", steps.astype("u2"), CH, compressor=Z1)


def drawn():
    """Variants that stores drawn at random had: few chunks, edges, axes, other ranks, borders that fit by accident."""
    Z1 = {"id": "zlib", "level": 1}
    grid = lambda shape: {"name": "regular", "configuration": {"chunk_shape": shape}}
    case("shape_swapped_tall", "shape", as_array(counts((530, 49)).astype("i4"), (516, 7), 2), edit(shape=[49, 530]))
    case("shape_swapped_long", "shape", as_array(counts((17, 402)).astype("i2"), (6, 134), 2, compressor=Z1), edit(shape=[402, 17]))
    case("chunk_shape_swapped_rows", "chunk-shape", as_array(counts((27, 3416)).astype("i4"), (7, 3416), 2, compressor=Z1), edit(chunks=[3416, 7]))
    walk = np.cumsum(np.random.default_rng(8).normal(size=15090)).astype("f4")
    case("shape_stale_by_one", "shape", as_array(walk, (3018,)), edit(shape=[12072]))
    case("chunk_shape_double_uneven", "chunk-shape", as_array(walk, (3490,), 2), edit(chunks=[6980]))
    names = np.array([b"st%06d" % (k * 37) for k in range(2269)], "S12")
    case("chunk_shape_double_texts", "chunk-shape", as_array(names, (1135,), 2, compressor=Z1, fill="", dtype="|S12"), edit(chunks=[2270]))
    ends = ["Oslo", "Bern", "Tromsø", "Genève"]
    def texts(path):
        dump(path / ".zarray", {"zarr_format": 2, "shape": [2336], "chunks": [1168], "dtype": "|O", "compressor": Z1, "fill_value": "", "order": "C", "filters": [{"id": "vlen-utf8"}]})
        for k in range(2):
            words = np.array([ends[(j * j + k) % 4] for j in range(1168)], object)
            (path / str(k)).write_bytes(zlib.compress(bytes(numcodecs.VLenUTF8().encode(words)), 1))
    case("chunk_shape_half_texts", "chunk-shape", texts, edit(chunks=[584]))
    # Packed otherwise: half of all chunks; one chunk, of which one border fits by accident.
    physical = celsius((76, 444), seed=4.0) * 3 + 283
    def packed(part):
        def make(path):
            v2(path, np.zeros((76, 444), "i2"), (38, 148), compressor=Z1)
            dump(path / ".zattrs", {"scale_factor": 0.01, "add_offset": 273.15})
            for at, values in chunks_of(physical, (38, 148)):
                factor, offset = (0.02, 250.0) if at in part else (0.01, 273.15)
                (path / ".".join(map(str, at))).write_bytes(encode_v2(np.round((values - offset) / factor).astype("i2"), "C", None, Z1))
        return make
    case("packed_half", "packing", packed([]), packed([(1, 0), (1, 1), (1, 2)]))
    # Structs of more than four fields.
    n = 1500
    wide = np.zeros(n, [("id", "<i4"), ("t", "<f8"), ("y", "<f4"), ("n", "<u2"), ("k", "<i8")])
    smooth = celsius((n,))
    wide["id"], wide["t"], wide["y"], wide["n"], wide["k"] = np.arange(n), 1.6e9 + np.arange(n) / 2, 300 + smooth, 500 + 9 * smooth, 10**9 + 7 * np.arange(n)
    fields = [list(d) for d in wide.dtype.descr]
    case("struct_of_five_swapped", "struct", as_array(wide, (500,), 2, compressor=Z1, fill=None), edit(dtype=[fields[0], fields[2], fields[1], *fields[3:]]))
    v2(ROOT / "healthy" / "struct_of_five", wide, (500,), compressor=Z1, fill=None)
    # Behind filters that look like another type, or another byte order.
    hours = np.arange(7776)
    S = lambda size: [{"id": "shuffle", "elementsize": size}]
    case("shuffle_added_to_times", "filter", as_array(hours.astype(">i8"), (6593,), 2, compressor=Z1), edit(filters=S(8)))
    case("shuffle_size_8_of_times", "filter", as_array(hours.astype("i8"), (7700,), 2, filters=S(8), compressor=Z1), edit(filters=S(4)))
    dense = np.random.default_rng(9).poisson(np.exp(3 + celsius((2492,)) / 3)).astype("u2")
    case("shuffle_size_8_of_counts", "filter", as_array(dense, (2492,), 2, filters=S(2), compressor=Z1), edit(filters=S(8)))
    half = (celsius((1354, 29)) * 3 + 100).astype("f2")
    case("shuffle_lost_of_halves", "filter", as_array(half, (1354, 29), 2, filters=S(2), compressor=Z1), edit(filters=None))
    v2(ROOT / "healthy" / "halves_with_nan", np.where(half > 112, np.nan, half).astype("f2"), (677, 29), compressor=Z1, fill="NaN")
    case("delta_lost_of_times", "filter", as_array((1262304000 + 3600 * hours - 3600 * 2593).astype("i8"), (2593,), 2, filters=[{"id": "delta", "dtype": "<i8"}], compressor=Z1), edit(filters=None))
    # Axes: evenly spaced floats as integers; two chunks at their start.
    case("times_f8_as_i8", "data-type", as_array(18262 + hours[:1998] / 4, (776,), fill="NaN"), edit(data_type="uint64", fill_value=0))
    case("axis_f4_as_i4", "data-type", as_array(np.linspace(0, 359.75, 1440).astype("f4"), (720,), 2), edit(dtype="<i4"))
    v3(ROOT / "healthy" / "even_large_integers", 2**62 + hours[:1500] * 2**37, (500,))
    case("times_first_two_swapped", "chunk-swapped", as_array(36524.0 + hours[:7500], (1500,), codecs=(LITTLE, CRC)), lambda p: swap(p / "c/0", p / "c/1"))
    phase = np.exp(1j * celsius((60, 80)) / 9) * (40 + celsius((60, 80), seed=2.0))
    case("complex_as_i8", "data-type", as_array(phase.astype("c8"), (30, 40), fill=[0.0, 0.0]), edit(data_type="int64", fill_value=0))
    # Shards with bytes that belong to none.
    def first(codecs):
        return as_array(field((60, 80)).astype("f4"), (30, 40), codecs=(sharding((10, 20), index=codecs, location="start"),))
    case("index_crc_unknown", "shard-index", first((LITTLE, CRC)), meta(lambda d: d["codecs"][0]["configuration"].update(index_codecs=[LITTLE])))
    case("shard_twice", "appended", first((LITTLE, CRC)), each(lambda b: b + b[len(b) // 3 :], {1, 2}))
    case("bit_of_inner_chunk", "bit-flip", as_array(u1[:, :60], (40, 60), codecs=(sharding((20, 30), codecs=({"name": "bytes"}, CRC)),)), each(lambda b: b[:777] + bytes([b[777] ^ 16]) + b[778:]))
    # One border of two chunks; a chunk of an array of another rank.
    def pair(other, chunks):
        def make(path):
            dump(path / "zarr.json", {"zarr_format": 3, "node_type": "group", "attributes": {}})
            v3(path / "a", walk, (3018,), codecs=(LITTLE, GZIP))
            v3(path / "b", other, chunks, codecs=(LITTLE, GZIP))
        return make
    move = lambda source, to: lambda p: (p / "a" / to).write_bytes((p / "b" / source).read_bytes())
    case("chunk_of_other_at_the_start", "other-array", pair((celsius((15090,)) * 9 + 900).astype("f4"), (3018,)), move("c/0", "c/0"))
    steps = np.cumsum(np.random.default_rng(3219).normal(size=3219)) * 3 + 100
    def walks(path):
        dump(path / ".zgroup", {"zarr_format": 2})
        v2(path / "a", steps, (460,), compressor=Z1)
        v2(path / "b", celsius((3219,)) * 60 + 900, (460,), compressor=Z1)
    case("chunk_of_other_like_swapped", "other-array", walks, lambda p: (p / "a" / "4").write_bytes((p / "b" / "4").read_bytes()))
    case("chunk_of_other_rank", "other-array", pair(names.view("u1").reshape(2269, 12), (1000, 12)), move("c/2/0", "c/3"))
    # More bytes, and parts a second time.
    case("newline_after_one", "appended", as_array(hours.astype("i8"), (2592,)), each(lambda b: b + b"\n", {1}))
    labels = np.digitize(celsius((20, 90)), [-4, -2, 0, 1, 3]).astype("i4")
    case("labels_partly_twice", "appended", as_array(labels, (4, 90)), each(lambda b: b + b[len(b) // 3 :], {1, 3}))
    case("message_of_a_server", "not-data", as_array(hours.astype("i8"), (2592,), 2, compressor=Z1), each(lambda b: b"404: Not Found", {1}))
    # Halves of chunks with an odd length; the end of a page that the chunk ends in.
    odd = field((52, 301)).astype("f4")
    def halves(path):
        for at, values in chunks_of(odd, (26, 43)):
            if sum(at) % 3 == 0:
                values[:, (slice(0, 21), slice(21, None))[at[1] % 2]] = 0
                (path / ".".join(map(str, at))).write_bytes(encode_v2(values, "C", None, Z1))
    case("race_in_halves_of_odd_chunks", "race", as_array(odd, (26, 43), 2, compressor=Z1), halves)
    case("page_tail_short", "lost-write", as_array(field((76, 90)).astype("f4"), (38, 45), 2), each(lambda b: b[:4096] + bytes(len(b) - 4096), {1}))

def sources():
    """Parts of another source, numbers that are packed closer, overlaps, planes of bytes and of parts, other images."""
    Z1 = {"id": "zlib", "level": 1}
    unpacked = lambda b: np.frombuffer(zlib.decompress(b), "<f4")
    packed = lambda a: zlib.compress(np.ascontiguousarray(a).tobytes(), 1)
    # One file appended to others: its latitudes descend, its bytes are in the other order, its unit is another one.
    maps = field((24, 20, 26), seed=2.0, noise=0.01).astype("f4")
    months = as_array(maps, (6, 20, 26), 2, compressor=Z1)
    def later(change):
        def spoil(path):
            for key in ["2.0.0", "3.0.0"]:
                (path / key).write_bytes(packed(change(unpacked((path / key).read_bytes()).reshape(6, 20, 26))))
        return spoil
    case("appended_upside_down", "reversed", months, later(lambda a: a[:, ::-1]))
    case("appended_big_endian", "byte-order", months, later(lambda a: a.astype(">f4")))
    case("appended_in_celsius", "units", months, later(lambda a: a - np.float32(273.15)))
    case("appended_in_pascal", "units", as_array((field((72, 70)) * 3.6).astype("f4"), CH, 2, compressor=Z1), each(lambda b: packed(unpacked(b) * np.float32(100)), {9, 10, 11}))
    # Numbers of 12 and of 24 bits, in the orders that are in use.
    camera = np.clip(np.round((field((64, 96), seed=5.0) - 200) * 14), 0, 4095).astype("u2")
    def twelve(b):
        a = np.frombuffer(b, "<u2").astype("u4").reshape(-1, 2)
        return np.stack([a[:, 0] & 255, a[:, 0] >> 8 | (a[:, 1] & 15) << 4, a[:, 1] >> 4], 1).astype("u1").tobytes()
    def twelve_between(b):
        a = np.frombuffer(b, "<u2").astype("u4").reshape(-1, 2)
        return np.stack([a[:, 0] >> 4, a[:, 0] & 15 | (a[:, 1] & 15) << 4, a[:, 1] >> 4], 1).astype("u1").tobytes()
    case("packed_12_bits", "data-type", as_array(camera, (32, 48), 2), each(twelve))
    case("packed_12_bits_between", "data-type", as_array(camera, (32, 48)), each(twelve_between))
    tone = np.arange(12000)
    sound = np.round(2e6 * np.sin(tone / 31) + 8e5 * np.sin(tone / 7.3) + 3e3 * np.random.default_rng(1).normal(size=12000)).astype("i4")
    case("packed_24_bits", "data-type", as_array(sound, (4000,)), each(lambda b: np.frombuffer(b, "<i4").view("u1").reshape(-1, 4)[:, :3].tobytes()))
    # A margin around each chunk; chunks of a shape that nothing tells.
    wide = np.pad(f4, 1, mode="edge")
    def margins(path):
        for file in files(path):
            i, j = int(file.parent.name), int(file.name)
            file.write_bytes(wide[i * CH[0] :, j * CH[1] :][: CH[0] + 2, : CH[1] + 2].tobytes())
    case("overlapping", "chunk-shape", as_array(f4, CH), margins)
    rng = np.random.default_rng(8)
    case("all_of_another_shape", "chunk-shape", as_array(rng.random((60, 90)).astype("f4"), CH), each(lambda b: b + rng.random(61).astype("f4").tobytes()))
    # The predictor of TIFF for floats; real parts, then imaginary ones.
    def planes(b):
        rows = unpacked(b).astype(">f4").view("u1").reshape(18, 35, 4).transpose(0, 2, 1).reshape(18, 140).copy()
        rows[:, 1:] -= rows[:, :-1].copy()
        return zlib.compress(rows.tobytes(), 1)
    kelvin = as_array(field((54, 70)).astype("f4"), (18, 35), 2, compressor=Z1)
    case("planes_of_bytes", "filter", kelvin, each(planes))
    waves = (celsius((54, 70)) + 1j * celsius((54, 70), seed=9.0)).astype("c8")
    def parts(b):
        a = np.frombuffer(zlib.decompress(b), "c8")
        return zlib.compress(a.real.tobytes() + a.imag.tobytes(), 1)
    case("complex_in_planes", "order", as_array(waves, (18, 35), 2, compressor=Z1, fill=None), each(parts))
    # Zeros where the fill value is another number; an index of the shards at the edge; images that nothing declares.
    case("never_written", "lost-write", as_array(field((54, 70)).astype("f4"), (18, 35), fill=-999), each(lambda b: bytes(len(b)), {2}))
    edges = field((40, 50)).astype("f4")
    def small_index(path):
        for file in files(path):
            i, j = int(file.parent.name), int(file.name)
            part = edges[i * 24 : i * 24 + 24, j * 30 : j * 30 + 30]
            whole = np.zeros((-(-part.shape[0] // 8) * 8, -(-part.shape[1] // 10) * 10), "f4")
            whole[: part.shape[0], : part.shape[1]] = part
            file.write_bytes(shard(whole, sharding((8, 10))["configuration"]))
    case("index_of_edges_small", "shard-index", as_array(edges, (24, 30), codecs=(sharding((8, 10)),)), small_index)
    jpeg = b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
    case("jpeg", "not-data", as_array(u1, CH, 2), each(lambda b: jpeg + rng.bytes(400) + b"\xff\xd9"))
    # Healthy: a few borders that break by chance in four dimensions (of drawn.py); data that end at a block of chunks.
    subprocess.run([sys.executable, HERE / "drawn.py", "10", "17", ROOT / "drawn"], check=True, stdout=subprocess.DEVNULL)
    shutil.copytree(ROOT / "drawn" / "16_index_checksum" / "clean", ROOT / "healthy" / "sea_4d")
    shutil.rmtree(ROOT / "drawn")
    mask = np.zeros((31, 870), bool)
    mask[:, :413] = rng.random((31, 413)) < 0.5
    mask[:, 826:] = rng.random((31, 44)) < 0.5
    array = zarr.create_array(ROOT / "healthy" / "mask_to_a_block", shape=(31, 870), shards=(4, 118), chunks=(1, 59), dtype="?", fill_value=False, config={"write_empty_chunks": False})
    array[...] = mask


later()
images()
healthy()
filtered()
races()
further()
wrapped()
reported()
drawn()
sources()

def two_faults():
    """Two members of a document that are both wrong: the second fault shows once the first one is mended."""
    z, g = {"id": "zstd", "level": 3}, {"id": "gzip", "level": 5}
    gzip, zstd, big = {"name": "gzip", "configuration": {"level": 5}}, {"name": "zstd", "configuration": {"level": 3, "checksum": False}}, {"name": "bytes", "configuration": {"endian": "big"}}
    v2_ = lambda data, **more: as_array(data, CH, 2, compressor=z, **more)
    case("two_codec_and_width_v2", "codec", v2_(f8), edit(compressor=g, dtype="<f4"))
    case("two_type_and_order_v2", "data-type", v2_(f4), edit(dtype="<i4", fill_value=0, order="F"))
    case("two_endian_and_order_v2", "byte-order", v2_(f4), edit(dtype=">f4", order="F"))
    case("two_codec_and_endian_v2", "codec", v2_(f4), edit(compressor=g, dtype=">f4"))
    case("two_chunks_and_codec_v2", "codec", v2_(f4), edit(chunks=[20, 20], compressor=None))
    case("two_filter_and_codec_v2", "codec", v2_(i4, filters=[{"id": "shuffle", "elementsize": 4}]), edit(filters=None, compressor={"id": "zlib", "level": 1}))
    case("two_codec_and_width", "codec", as_array(f8, CH, codecs=(LITTLE, zstd)), edit(data_type="float32", codecs=[LITTLE, gzip]))
    case("two_type_and_endian", "byte-order", as_array(f4, CH, codecs=(LITTLE, zstd)), edit(data_type="int32", fill_value=0, codecs=[big, zstd]))
    case("two_codec_and_endian", "codec", as_array(i4, CH, codecs=(LITTLE, zstd)), edit(codecs=[big, gzip]))
    case("two_codec_lost_and_width", "codec", as_array(i4, CH, codecs=(LITTLE, gzip)), edit(codecs=[LITTLE], data_type="int16"))


two_faults()

# --- the archive ---------------------------------------------------------------------

bad = 0
for name in sorted(CASES):
    for root, _, names in (ROOT / name / "clean").walk():
        if not {".zarray", "zarr.json"} & set(names):
            continue
        if (root / "zarr.json").exists() and load(root / "zarr.json").get("data_type") == "bfloat16":
            continue  # zarr-python 3.4.2 has no such data type
        if (root / ".zarray").exists() and '"json2"' in (root / ".zarray").read_text():
            continue  # zarr-python 3.4.2 has no data type |O with json2
        try:
            array = zarr.open(root, mode="r")
            if isinstance(array, zarr.Array):
                array[...]
        except Exception as error:  # noqa: BLE001
            bad += 1
            print("clean twin does not open:", name, repr(error)[:150])
with zipfile.ZipFile(HERE / "cases.zip", "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
    def add(name, data):
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(info, data)
    add("cases.json", json.dumps(CASES, indent=1))
    for file in sorted(p for p in ROOT.rglob("*") if p.is_file()):
        name = file.relative_to(ROOT).as_posix()
        twin = ROOT / name.replace("/fault/", "/clean/")
        # What a fault leaves as it was is not stored twice; what it takes away is listed.
        if "/fault/" not in name or not twin.exists() or twin.read_bytes() != file.read_bytes():
            add(name, file.read_bytes())
        if "/clean/" in name and not (ROOT / name.replace("/clean/", "/fault/")).exists():
            GONE.append(name.replace("/clean/", "/fault/"))
    add("gone.json", json.dumps(GONE))
assert not bad
print(len(CASES), "cases;", (HERE / "cases.zip").stat().st_size, "bytes;", bad, "bad twins")
shutil.rmtree(ROOT)
