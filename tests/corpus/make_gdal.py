"""Zarr V2 stores by GDAL's multidimensional API (``requirements-gdal.txt``: Debian packages).

Makes ``gdal-v2``: each compressor, the delta filter, layouts and types, and records what GDAL reads
back. Its V3 is left out: GDAL 3.6 writes a draft of V3, GDAL 3.10 no ``bytes`` codec. Run with the
system Python: ``/usr/bin/python3 make_gdal.py``.
"""

from __future__ import annotations

import numpy as np
from osgeo import gdal

from common import HERE, Recorder, noise, smooth

gdal.UseExceptions()
REC = Recorder(f"GDAL {gdal.__version__}", "gdal-v2")
CODES = {"u1": gdal.GDT_Byte, "i2": gdal.GDT_Int16, "u2": gdal.GDT_UInt16, "i4": gdal.GDT_Int32, "u4": gdal.GDT_UInt32,
         "i8": gdal.GDT_Int64, "u8": gdal.GDT_UInt64, "f4": gdal.GDT_Float32, "f8": gdal.GDT_Float64,
         "c8": gdal.GDT_CFloat32, "c16": gdal.GDT_CFloat64}


def cases():
    """Name, data and creation options of every array."""
    a = smooth(13 * 17, "i4").reshape(13, 17)
    yield "plain", a, []
    for dtype in CODES:
        yield f"dtype-{dtype}", smooth(91, dtype).reshape(7, 13), ["BLOCKSIZE=4,5"]
    for kind in ("ZLIB", "GZIP", "LZMA", "ZSTD", "LZ4", "BLOSC"):
        yield kind.lower(), a, [f"COMPRESS={kind}", "BLOCKSIZE=5,6"]
    yield "lzma-delta-4", a, ["COMPRESS=LZMA", "LZMA_DELTA=4", "LZMA_PRESET=1", "BLOCKSIZE=5,6"]
    yield "lz4-fast", a, ["COMPRESS=LZ4", "LZ4_ACCELERATION=9", "BLOCKSIZE=5,6"]
    yield "zstd-22", a, ["COMPRESS=ZSTD", "ZSTD_LEVEL=22", "BLOCKSIZE=5,6"]
    for cname in ("blosclz", "lz4", "lz4hc", "snappy", "zlib", "zstd"):
        for shuffle in ("NONE", "BYTE", "BIT"):
            yield f"blosc-{cname}-{shuffle.lower()}", a, [
                "COMPRESS=BLOSC", f"BLOSC_CNAME={cname}", f"BLOSC_SHUFFLE={shuffle}", "BLOCKSIZE=13,10"]
    yield "blosc-snappy-noise", noise(300, "u4").reshape(15, 20), ["COMPRESS=BLOSC", "BLOSC_CNAME=snappy"]
    yield "delta", a, ["FILTER=DELTA", "BLOCKSIZE=5,6"]
    yield "delta-zlib", a, ["FILTER=DELTA", "COMPRESS=ZLIB", "BLOCKSIZE=5,6"]
    yield "order-F", a, ["CHUNK_MEMORY_LAYOUT=F", "BLOCKSIZE=5,6"]
    yield "order-F-zlib-slash", a, ["CHUNK_MEMORY_LAYOUT=F", "BLOCKSIZE=5,6", "COMPRESS=ZLIB", "DIM_SEPARATOR=/"]
    yield "slash", a, ["DIM_SEPARATOR=/", "BLOCKSIZE=5,6"]
    yield "cube", smooth(120, "i2").reshape(4, 5, 6), ["BLOCKSIZE=2,3,4"]


def main():
    """Write all arrays, close, open again, read, record."""
    path = str(HERE / "gdal-v2")
    data = {}
    ds = gdal.GetDriverByName("Zarr").CreateMultiDimensional(path, [], ["FORMAT=ZARR_V2", "CREATE_ZMETADATA=YES"])
    root, dims = ds.GetRootGroup(), {}
    for name, values, options in cases():
        try:
            for n in values.shape:
                if n not in dims:
                    dims[n] = root.CreateDimension(f"d{n}", None, None, n)
            dtype = gdal.ExtendedDataType.Create(CODES[values.dtype.str[1:]])
            array = root.CreateMDArray(name, [dims[n] for n in values.shape], dtype, options)
            array.Write(values)
            data[name] = values
        except Exception as error:  # the report names what the library cannot do
            REC.skip(name, f"{type(error).__name__}: {error}")
    del array, root, dims, ds
    ds = gdal.OpenEx(path, gdal.OF_MULTIDIM_RASTER)
    for name, values in data.items():
        got = ds.GetRootGroup().OpenMDArray(name).ReadAsArray()
        assert np.array_equal(got, values), name
        REC.add("gdal-v2", name, 2, got)
    REC.write()


if __name__ == "__main__":
    main()
