"""Stores put together by hand from the texts, for what no library at hand writes.

Makes ``hand-v2`` (containers that other encoders write: gzip members and header fields, zstd frames
without a content size, XZ filters, clipped edge chunks), ``hand-v3`` (``packbits``, ``reshape``,
``bitround``, rectilinear overflow, clipped edge chunks) and two unusual ZIP files. Run with the
environment of ``make_zarr2.py`` plus ``zstandard``: ``python make_hand.py``. What zarr-python 2.18
can read it has read back equal; for the rest ``by`` says that only the text was followed.
"""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import struct
import warnings
import zipfile
import zlib

import ml_dtypes
import numcodecs
import numpy as np
import zarr
import zstandard

from common import HERE, Recorder, descr, smooth

warnings.simplefilter("ignore")
REC = Recorder("by hand", "hand-v2", "hand-v3", "hand-streamed.zip", "hand-zip64.zip")
DATE = (2024, 1, 2, 3, 4, 6)


def write(root, path, files):
    """Put ``files`` (key to bytes or JSON) below ``root/path``."""
    for key, value in files.items():
        target = HERE / root / path / key
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())


def v2(name, data, chunks, encode, compressor=None, filters=None, clip=False, **more):
    """A V2 array whose chunks ``encode`` makes from the bytes of each."""
    meta = {"zarr_format": 2, "shape": list(data.shape), "chunks": list(chunks), "dtype": descr(data.dtype),
            "compressor": compressor, "filters": filters, "fill_value": 0, "order": "C"}
    write("hand-v2", name, {".zarray": meta} | {
        ".".join(map(str, i)): encode(part) for i, part in parts(data, chunks, clip)})
    by = more.pop("by", None)
    if by is None:
        got = zarr.open_array(str(HERE / "hand-v2" / name), mode="r")[...]
        assert got.tobytes() == data.tobytes(), name
        by = f"by hand, read by zarr-python {zarr.__version__}"
    REC.add("hand-v2", name, 2, data, by=by, **more)


def parts(data, chunks, clip=False):
    """Chunk index and chunk, edges padded with 0 unless ``clip``."""
    grid = [range(-(-n // c)) for n, c in zip(data.shape, chunks)]
    for i in np.ndindex(*(len(g) for g in grid)):
        part = data[tuple(slice(k * c, k * c + c) for k, c in zip(i, chunks))]
        if data.ndim and not clip:
            part = np.pad(part, [(0, c - n) for n, c in zip(part.shape, chunks)])
        yield i, np.ascontiguousarray(part)


def containers():
    """What other encoders of the same formats write."""
    a = smooth(150, "<i4")

    def members(raw):
        raw = raw.tobytes()
        return gzip.compress(raw[:100], mtime=0) + gzip.compress(raw[100:], mtime=0)

    def gzip_fields(raw):
        raw = raw.tobytes()
        deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
        head = b"\x1f\x8b\x08\x1e\x01\x02\x03\x04\x00\x03" + b"\x05\x00extra" + b"name.bin\0" + b"a comment\0"
        head += struct.pack("<H", zlib.crc32(head) & 0xFFFF)
        return head + deflate.compress(raw) + deflate.flush() + struct.pack("<II", zlib.crc32(raw), len(raw))

    def stored(raw):
        z = zlib.compressobj(0, zlib.DEFLATED, 15)
        return z.compress(raw.tobytes()) + z.flush()

    def zlib_window(raw):
        z = zlib.compressobj(9, zlib.DEFLATED, 9, 1, zlib.Z_FIXED)
        return z.compress(raw.tobytes()) + z.flush()

    def stream(raw, **kw):
        c = zstandard.ZstdCompressor(**kw).compressobj()
        raw = raw.tobytes()
        return c.compress(raw[:77]) + c.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) + c.compress(raw[77:]) + c.flush()

    def frame(raw):
        return zstandard.ZstdCompressor(level=3).compress(raw)

    def frames(raw):
        raw = raw.tobytes()
        return frame(raw[:100]) + frame(raw[100:])

    def skippable(raw):
        return struct.pack("<II", 0x184D2A53, 5) + b"hello" + frame(raw.tobytes())

    gz, zl, zs, xz = ({"id": "gzip", "level": 5}, {"id": "zlib", "level": 5}, {"id": "zstd", "level": 3},
                      {"id": "lzma", "format": 1, "check": -1, "preset": None, "filters": None})
    text = "by hand; only the container's text was followed"
    v2("gzip-members", a, (60,), members, gz)
    v2("gzip-header-fields", a, (60,), gzip_fields, gz)
    v2("zlib-stored", a, (60,), stored, zl)
    v2("zlib-window-512-fixed", a, (60,), zlib_window, zl)
    v2("zstd-stream-no-size", a, (60,), lambda r: stream(r, level=3), zs, by=text)
    v2("zstd-stream-checksum", a, (60,), lambda r: stream(r, level=3, write_checksum=True), zs, by=text)
    v2("zstd-frames", a, (60,), frames, zs, by=text)
    v2("zstd-skippable", a, (60,), skippable, zs, by=text)
    v2("zstd-long-zeros", np.zeros(70000, "u1"), (70000,), frame, zs)
    v2("bz2-streams", a, (60,), lambda r: bz2.compress(r.tobytes()[:99]) + bz2.compress(r.tobytes()[99:]),
       {"id": "bz2", "level": 9})
    lzma2 = {"id": lzma.FILTER_LZMA2, "preset": 1}
    chains = {"delta": [{"id": lzma.FILTER_DELTA, "dist": 4}, lzma2], "x86": [{"id": lzma.FILTER_X86}, lzma2],
              "arm-delta": [{"id": lzma.FILTER_ARM}, {"id": lzma.FILTER_DELTA, "dist": 2}, lzma2]}
    for label, chain in chains.items():
        v2(f"lzma-xz-{label}", a, (60,), lambda r, c=chain: lzma.compress(r.tobytes(), filters=c), xz)
    v2("lzma-xz-streams", a, (60,), lambda r: lzma.compress(r.tobytes()[:99]) + lzma.compress(r.tobytes()[99:]), xz)
    v2("lzma-gdal-spelling", a, (60,), lambda r: lzma.compress(r.tobytes(), filters=chains["delta"]),
       {"id": "lzma", "preset": 1, "delta": 4}, by="by hand, as GDAL writes it")
    v2("shuffle-elementsize-0", a, (60,), lambda r: r.view("u1").reshape(-1, 4).T.tobytes(), None,
       [{"id": "shuffle", "elementsize": 0}], by="by hand, as netCDF-C writes it: 0 stands for the item size")
    b = smooth(13 * 17, "<i4").reshape(13, 17)
    note = "edge chunks are clipped, not padded: against the text, seen in the wild; values as meant"
    v2("clipped-edges", b, (5, 6), lambda r: r.tobytes(), clip=True, by=text, note=note)
    v2("clipped-edges-zlib", b, (5, 6), lambda r: zlib.compress(r.tobytes()), zl, clip=True, by=text, note=note)
    blosc = numcodecs.Blosc("lz4", 5, 1)
    v2("trailing-bytes-raw", a, (150,), lambda r: r.tobytes() + b"rest", by=text,
       note="four bytes too many: an error, or these values with a warning")
    v2("blosc-default-config", a, (60,), blosc.encode, {"id": "blosc"})


def v3(name, data, chunks, codecs, encode, data_type, fill=0, grid=None, keys=None, by="by hand from zarr-extensions",
       clip=False, **more):
    """A V3 array whose chunks ``encode`` makes."""
    meta = {"zarr_format": 3, "node_type": "array", "shape": list(data.shape), "data_type": data_type,
            "chunk_grid": grid or {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}}, "fill_value": fill, "codecs": codecs}
    write("hand-v3", name, {"zarr.json": meta} | {
        "/".join(["c", *map(str, i)]): encode(p) for i, p in (parts(data, chunks, clip) if keys is None else keys)})
    if data.dtype.name.startswith(("int2", "int4", "uint2", "uint4")):
        more |= {"dtype": data_type, "note": "one byte a value, sign-extended; dtype names the type stored"}
        data = data.astype("i1" if data_type[0] == "i" else "u1")
    elif data.dtype.num > 255:
        more["dtype"] = data_type
        data = data.view(f"<u{data.dtype.itemsize}")
    REC.add("hand-v3", name, 3, data, by=by, **more)


def pack(values, first, last, padding):
    """Bit i*k of the sequence is bit ``first`` of value i; the sequence fills bytes from bit 0 up."""
    raw = np.ascontiguousarray(values).view("u1").reshape(values.size, -1)
    wide = np.unpackbits(raw, axis=1, bitorder="little")[:, first:last + 1].ravel()
    packed = np.packbits(wide, bitorder="little").tobytes()
    count = bytes([-len(wide) % 8])
    return (count if padding == "first_byte" else b"") + packed + (count if padding == "last_byte" else b"")


def packbits():
    """Data types, bit ranges and padding of ``packbits``: least significant bit first."""
    small, rng = {}, np.random.default_rng(11)
    for name, bits in (("int2", 2), ("uint2", 2), ("int4", 4), ("uint4", 4)):
        info = ml_dtypes.iinfo(getattr(ml_dtypes, name))
        small[name] = (rng.integers(info.min, info.max + 1, 21).astype(getattr(ml_dtypes, name)), bits)
    for name, bits in (("float4_e2m1fn", 4), ("float6_e2m3fn", 6), ("float6_e3m2fn", 6)):
        small[name] = (rng.integers(0, 2**bits, 21).astype("u1").view(getattr(ml_dtypes, name)), bits)
    small["bool"] = (smooth(21, "?"), 1)
    for padding in (None, "none", "first_byte", "last_byte"):
        for name, (data, bits) in small.items():
            if padding in ("none", "last_byte") and name not in ("bool", "int4", "float6_e3m2fn"):
                continue
            config = {} if padding is None else {"padding_encoding": padding}
            codec = {"name": "packbits", **({"configuration": config} if config else {})}
            v3(f"packbits-{name}-{padding or 'default'}", data, (8,), [codec],
               lambda p, b=bits, pad=padding: pack(p.astype("i1") if "int" in p.dtype.name else p.view("u1"),
                                                   0, b - 1, pad), name, False if name == "bool" else 0)
    ranges = {"uint8": (2, 5), "int8": (0, 3), "int16": (0, 10), "uint16": (4, None), "int32": (3, 20), "uint64": (None, 33),
              "float32": (16, None), "float64": (None, None), "int64": (0, 62)}
    for name, (first, last) in ranges.items():
        n = np.dtype(name).itemsize * 8
        lo, hi = first or 0, n - 1 if last is None else last
        data = noise_bits(name, n, lo, hi)
        codec = {"name": "packbits", "configuration": {"first_bit": first, "last_bit": last}}
        v3(f"packbits-{name}-bits-{lo}-{hi}", data, (8,), [codec], lambda p, lo=lo, hi=hi: pack(p, lo, hi, None), name)
    c = (smooth(21, "f4") + 1j * smooth(21, "f4", 4)).astype("c8")
    c = (c.view("<u4") & 0xFFFF0000).view("<c8")
    v3("packbits-complex64-bits-16-31", c, (8,), [{"name": "packbits", "configuration": {"first_bit": 16, "padding_encoding": "first_byte"}}],
       lambda p: pack(p.view("f4"), 16, 31, "first_byte"), "complex64", [0, 0])
    d = smooth(91, "?").reshape(7, 13)
    v3("packbits-bool-2d-gzip", d, (4, 5), [{"name": "packbits"}, {"name": "gzip", "configuration": {"level": 5}}],
       lambda p: gzip.compress(pack(p, 0, 0, None), mtime=0), "bool", False)
    v3("packbits-bool-transpose", d, (4, 5), [{"name": "transpose", "configuration": {"order": [1, 0]}}, {"name": "packbits"}],
       lambda p: pack(p.T, 0, 0, None), "bool", False)
    v3("packbits-int4-0d", np.array(-3, ml_dtypes.int4), (), [{"name": "packbits"}], lambda p: pack(p.astype("i1"), 0, 3, None), "int4")


def noise_bits(name, n, lo, hi):
    """21 values that survive keeping only bits ``lo`` to ``hi``."""
    raw = np.random.default_rng([n, lo, hi]).integers(0, 2**63, 21, dtype="u8") * np.uint64(3)
    kept = (raw >> np.uint64(lo) << np.uint64(lo)) & np.uint64(2 ** (hi + 1) - 1)
    if name.startswith("int") and hi < 63:
        kept = np.where(kept >> np.uint64(hi) & np.uint64(1), kept | np.uint64(2**64 - 2 ** (hi + 1)), kept)
    out = kept.astype(f"<u{n // 8}").view(f"<{np.dtype(name).str[1:]}")
    return out


def others():
    """``reshape``, ``bitround``, grids that overflow, clipped chunks, short-hand names."""
    byt = {"name": "bytes", "configuration": {"endian": "little"}}
    cube = smooth(4 * 6 * 5, "<i2").reshape(4, 6, 5)
    for label, shape in (("dims", [[0, 1], [2]]), ("minus-1", [-1]), ("sizes", [3, -1, 2]), ("split", [[0], 3, 1, [2]])):
        v3(f"reshape-{label}", cube, (2, 3, 5), [{"name": "reshape", "configuration": {"shape": shape}}, byt],
           lambda p: p.tobytes(), "int16")
    v3("transpose-reshape", cube, (2, 3, 5), [{"name": "transpose", "configuration": {"order": [2, 0, 1]}},
       {"name": "reshape", "configuration": {"shape": [[0], [1, 2]]}}, byt], lambda p: p.transpose(2, 0, 1).tobytes(), "int16")
    v3("reshape-transpose", cube, (2, 3, 5), [{"name": "reshape", "configuration": {"shape": [[0, 1], [2]]}},
       {"name": "transpose", "configuration": {"order": [1, 0]}}, byt], lambda p: p.reshape(6, 5).T.tobytes(), "int16")
    f4 = numcodecs.BitRound(5).encode(smooth(60, "<f4")).view("<f4")
    for name in ("bitround", "numcodecs.bitround"):
        v3(f"{name}-f4", f4, (25,), [{"name": name, "configuration": {"keepbits": 5}}, byt], lambda p: p.tobytes(), "float32")
    v3("bitround-u1", smooth(60, "u1") & 0xF8, (25,), [{"name": "bitround", "configuration": {"keepbits": 3}}, {"name": "bytes"}],
       lambda p: p.tobytes(), "uint8")
    for label, edges, overflow in (("overflow", [[4, 4, 4]], [4, 4, 4]), ("overflow-chunks", [[[4, 3], 5, 9]], [4, 4, 4, 5, 9])):
        data, keys, start = smooth(10, "<i4"), [], 0
        for k, n in enumerate(overflow):
            part = data[start:start + n]
            if len(part):
                keys.append(((k,), np.pad(part, (0, n - len(part)))))
            start += n
        v3(f"rectilinear-{label}", data, None, [byt], lambda p: p.tobytes(), "int32",
           grid={"name": "rectilinear", "configuration": {"kind": "inline", "chunk_shapes": edges}}, keys=keys)
    a = smooth(13 * 17, "<i4").reshape(13, 17)
    v3("clipped-edges", a, (5, 6), [byt], lambda p: p.tobytes(), "int32", clip=True, by="by hand",
       note="edge chunks are clipped, not padded: against the text; values as meant")
    v3("shorthand-codec", smooth(9, "u1"), (4,), ["bytes"], lambda p: p.tobytes(), "uint8", by="by hand")
    v3("gdal-without-bytes", a, (5, 6), [{"name": "gzip", "configuration": {"level": 6}}],
       lambda p: gzip.compress(p.tobytes(), mtime=0), "int32", fill=None, by="by hand, as GDAL 3.10 writes it",
       note="no array-to-bytes codec and a null fill value: invalid, little-endian meant")


def zips():
    """A ZIP written as a stream (sizes after the data), and one with ZIP64 fields."""
    files = {"zarr.json": {"zarr_format": 3, "node_type": "group"}}
    data = smooth(20, "<i4")
    files["a/zarr.json"] = {
        "zarr_format": 3, "node_type": "array", "shape": [20], "data_type": "int32", "fill_value": 0,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [8]}}, "chunk_key_encoding": {"name": "default"},
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}]}
    files |= {f"a/c/{i[0]}": part.tobytes() for i, part in parts(data, (8,))}
    for name, streamed in (("hand-streamed.zip", True), ("hand-zip64.zip", False)):
        buffer = io.BytesIO()
        sink = Sink(buffer) if streamed else buffer
        with zipfile.ZipFile(sink, "w") as z:
            for key, value in files.items():
                info = zipfile.ZipInfo(key, DATE)
                info.compress_type = zipfile.ZIP_DEFLATED if key.endswith("json") else zipfile.ZIP_STORED
                with z.open(info, "w", force_zip64=not streamed) as member:
                    member.write(value if isinstance(value, bytes) else json.dumps(value).encode())
        (HERE / name).write_bytes(buffer.getvalue())
        REC.add(name, "a", 3, data)


class Sink:
    """A file that cannot seek, so that ``zipfile`` writes data descriptors."""

    def __init__(self, buffer):
        self.buffer = buffer

    def write(self, data):
        """Pass on."""
        return self.buffer.write(data)

    def flush(self):
        """Nothing to do."""


if __name__ == "__main__":
    write("hand-v2", "", {".zgroup": {"zarr_format": 2}})
    write("hand-v3", "", {"zarr.json": {"zarr_format": 3, "node_type": "group"}})
    for make in (containers, packbits, others, zips):
        make()
    REC.write()
