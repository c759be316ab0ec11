"""Zarr V3 extensions by zarr-python 3.4 (``requirements-zarr34.txt``, Python 3.12).

Makes ``zarr34``: rectilinear chunk grids, ``cast_value``, ``scale_offset``, ``struct``. Run:
``python make_zarr34.py``.
"""

from __future__ import annotations

import shutil
import warnings

import numpy as np
import zarr
import zarr.codecs as zc
from zarr.codecs.cast_value import CastValue
from zarr.codecs.scale_offset import ScaleOffset
from zarr.storage import LocalStore

from common import HERE, Recorder, smooth

warnings.simplefilter("ignore")
zarr.config.set({"async.concurrency": 1, "array.rectilinear_chunks": True, "json_indent": None})
REC = Recorder(f"zarr-python {zarr.__version__}", "zarr34")
ROOT = HERE / "zarr34"
zarr.create_group(LocalStore(ROOT))


def put(name, data, chunks=None, lossy=False, write=None, **kw):
    """Store ``data`` (all of it, or the selections ``write``), read it back, record it."""
    try:
        kw.setdefault("compressors", None)
        z = zarr.create_array(LocalStore(ROOT), name=name, shape=data.shape, dtype=data.dtype,
                              chunks=chunks or data.shape, **kw)
        for sel in ([...] if write is None else write):
            z[sel] = data[sel]
        got = np.asarray(zarr.open_array(LocalStore(ROOT), path=name, mode="r")[...])
        if write is None and not lossy and got.tobytes() != data.tobytes():
            raise ValueError("does not read back as written")
        REC.add("zarr34", name, 3, got)
    except Exception as error:  # the report names what the library cannot do
        REC.skip(name, f"{type(error).__name__}: {str(error)[:300]}")
        shutil.rmtree(ROOT / name, ignore_errors=True)


def rectilinear():
    """Chunk grids whose chunks differ in size."""
    a = smooth(60 * 4, "i4").reshape(20, 12)
    put("rectilinear-1d", smooth(10, "i4"), [[1, 2, 3, 4]])
    put("rectilinear-2d", a, [[5, 10, 5], [3, 3, 6]])
    put("rectilinear-runs", a, [[4, 4, 4, 4, 4], [1, 1, 1, 9]])
    put("rectilinear-one-regular", a, [6, [5, 7]])
    put("rectilinear-gzip-big", a, [[5, 10, 5], [3, 3, 6]], compressors=zc.GzipCodec(),
        serializer=zc.BytesCodec(endian="big"))
    put("rectilinear-transpose", a, [[5, 10, 5], [3, 3, 6]], filters=zc.TransposeCodec(order=(1, 0)))
    put("rectilinear-missing", a, [[5, 10, 5], [3, 3, 6]], fill_value=-1, write=[(slice(5, 15), slice(6, 12))])
    put("rectilinear-3d", smooth(210, "u2").reshape(5, 6, 7), [[2, 3], [1, 5], [7]])
    put("rectilinear-v2-keys", a, [[5, 10, 5], [3, 3, 6]], chunk_key_encoding={"name": "v2", "separator": "."})
    put("rectilinear-shards", a, (5, 3), shards=[[5, 10, 5], [3, 9]])
    put("rectilinear-shards-gzip", a, (5, 3), shards=[[10, 10], [6, 6]], compressors=zc.GzipCodec())


def casts():
    """``cast_value`` and ``scale_offset``, alone and together."""
    f8 = np.round(np.random.default_rng(4).uniform(-100, 100, 60), 2)
    for rounding in ("nearest-even", "towards-zero", "towards-positive", "towards-negative", "nearest-away"):
        put(f"cast_value-f8-i2-{rounding}", f8, (25,), lossy=True,
            filters=CastValue(data_type="int16", rounding=rounding))
    put("cast_value-defaults", np.arange(60, dtype="f4"), (25,), filters=CastValue(data_type="uint8"))
    put("cast_value-f8-f4", f8, (25,), lossy=True, filters=CastValue(data_type="float32"))
    put("cast_value-f8-f2-big", f8, (25,), lossy=True, filters=CastValue(data_type="float16"),
        serializer=zc.BytesCodec(endian="big"))
    put("cast_value-clamp", f8 * 10, (25,), lossy=True, filters=CastValue(data_type="int8", out_of_range="clamp"))
    put("cast_value-wrap", (f8 * 10).astype("i4"), (25,), lossy=True,
        filters=CastValue(data_type="uint8", out_of_range="wrap"))
    put("cast_value-u1-i8", smooth(60, "u1"), (25,), filters=CastValue(data_type="int64"),
        serializer=zc.BytesCodec(endian="little"))
    put("cast_value-i8-f8", smooth(60, "i8"), (25,), filters=CastValue(data_type="float64"))
    with_nan = np.array([1, float("nan"), 3, float("inf"), float("-inf"), -0.0, 5], "f8")
    put("cast_value-nan-mapped", with_nan, (4,), lossy=True, fill_value=float("nan"), filters=CastValue(
        data_type="int16", scalar_map={"encode": [("NaN", -32768), ("Infinity", 32767), ("-Infinity", -32767)],
                                       "decode": [(-32768, "NaN"), (32767, "Infinity"), (-32767, "-Infinity")]}))
    put("cast_value-encode-map-only", with_nan, (4,), lossy=True, filters=CastValue(
        data_type="uint8", rounding="towards-zero", out_of_range="wrap",
        scalar_map={"encode": [("NaN", 0), ("Infinity", 0), ("-Infinity", 0)]}))
    put("cast_value-missing", f8, (25,), lossy=True, fill_value=7.0, write=[slice(25, 50)],
        filters=CastValue(data_type="int16"))
    put("cast_value-gzip-transpose", smooth(60, "i4").reshape(6, 10), (4, 5),
        filters=[zc.TransposeCodec(order=(1, 0)), CastValue(data_type="int8")], compressors=zc.GzipCodec())
    put("cast_value-shard", smooth(60, "i4"), (6,), shards=(24,), filters=CastValue(data_type="int8"))
    put("scale_offset-f8", f8, (25,), lossy=True, filters=ScaleOffset(offset=5, scale=0.1))
    put("scale_offset-f4", f8.astype("f4"), (25,), lossy=True, filters=ScaleOffset(offset=1.5, scale=3.0))
    put("scale_offset-offset-only", smooth(60, "u2") + np.uint16(1000), (25,), fill_value=1000,
        filters=ScaleOffset(offset=1000))
    put("scale_offset-none", f8, (25,), filters=ScaleOffset())
    put("scale_offset-i4-scale-2", smooth(60, "i4"), (25,), filters=ScaleOffset(scale=2))
    put("scale_offset-cast_value", f8, (25,), lossy=True, fill_value=10.0, filters=[
        ScaleOffset(offset=10, scale=10), CastValue(data_type="int16")])
    put("scale_offset-cast_value-clamp", f8, (25,), lossy=True, fill_value=10.0, filters=[
        ScaleOffset(offset=10, scale=100), CastValue(data_type="int8", out_of_range="clamp")])
    put("scale_offset-u2-cast-u1", smooth(60, "u2") + np.uint16(1000), (25,), fill_value=1000, filters=[
        ScaleOffset(offset=1000), CastValue(data_type="uint8")])
    put("scale_offset-nan-preserved", np.where(np.arange(60) % 7, np.abs(f8) * 25, np.nan), (25,), lossy=True,
        fill_value=float("nan"), filters=[ScaleOffset(offset=-10, scale=0.1), CastValue(
            data_type="uint8", scalar_map={"encode": [("NaN", 0)], "decode": [(0, "NaN")]})])


def structs():
    """The registered name ``struct`` and both byte orders."""
    s = np.zeros(9, np.dtype([("a", "<i4"), ("b", "?"), ("c", "<f4"), ("d", "S2")]))
    for k, n in enumerate(s.dtype.names):
        s[n] = smooth(9, s.dtype[n], k)
    put("struct-little", s, (4,), serializer=zc.BytesCodec(endian="little"))
    put("struct-big", s, (4,), serializer=zc.BytesCodec(endian="big"))


if __name__ == "__main__":
    for make in (rectilinear, casts, structs):
        make()
    REC.write()
