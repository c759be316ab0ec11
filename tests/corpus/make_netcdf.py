"""NCZarr and plain Zarr V2 stores by netCDF-C (``requirements-netcdf.txt``).

Makes ``netcdf-nczarr`` and ``netcdf-zarr`` and records what netCDF-C reads back. Run:
``python make_netcdf.py``.
"""

from __future__ import annotations

import warnings

import netCDF4
import numpy as np

from common import HERE, Recorder, smooth

warnings.simplefilter("ignore")
REC = Recorder(f"netCDF-C {netCDF4.__netcdf4libversion__}", "netcdf-nczarr", "netcdf-zarr")
TYPES = ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8")


def fill(store, mode):
    """Write one store in ``mode``, close it, read it back."""
    url = f"file://{HERE / store}#mode={mode},file"
    data, a = {}, smooth(13 * 17, "i4").reshape(13, 17)
    with netCDF4.Dataset(url, "w") as d:
        d.title = "by netCDF-C"
        for name, n in (("y", 13), ("x", 17), ("z", 11)):
            d.createDimension(name, n)

        def var(where, name, dtype, dims, values, write=..., **kw):
            path = f"{where.path.strip('/')}/{name}".strip("/")
            try:
                v = where.createVariable(name, dtype, dims, **kw)
                v.set_auto_maskandscale(False)
                v[write] = values[write]
                data[path] = None
            except Exception as error:
                REC.skip(f"{store}/{path}", f"{type(error).__name__}: {error}")

        for dtype in TYPES:
            var(d, f"dtype-{dtype}", dtype, ("z",), smooth(11, dtype), chunksizes=(4,))
        var(d, "dtype-char", "S1", ("z",), np.array(list("hello world"), "S1"), chunksizes=(4,))
        var(d, "dtype-string", str, ("z",), np.array([f"w{i}" for i in range(11)], object), chunksizes=(4,))
        for endian in ("little", "big"):
            var(d, f"endian-{endian}", "i4", ("y", "x"), a, chunksizes=(5, 6), endian=endian)
        var(d, "contiguous", "i4", ("y", "x"), a)
        var(d, "scalar", "f8", (), np.array(2.5))
        var(d, "fill-set", "i2", ("z",), smooth(11, "i2"), chunksizes=(4,), fill_value=-9, write=slice(4, 8))
        var(d, "fill-default", "f4", ("z",), smooth(11, "f4"), chunksizes=(4,), write=slice(4, 8))
        for level in (1, 9):
            var(d, f"zlib-{level}", "i4", ("y", "x"), a, chunksizes=(5, 6), compression="zlib", complevel=level, shuffle=False)
        var(d, "zlib-shuffle", "i4", ("y", "x"), a, chunksizes=(5, 6), compression="zlib", shuffle=True)
        var(d, "fletcher32", "i4", ("y", "x"), a, chunksizes=(5, 6), fletcher32=True)
        var(d, "zlib-shuffle-fletcher32", "i4", ("y", "x"), a, chunksizes=(5, 6), compression="zlib", shuffle=True, fletcher32=True)
        for kind in ("zstd", "bzip2", "blosc_lz4", "blosc_zstd", "blosc_zlib"):
            var(d, kind, "i4", ("y", "x"), a, chunksizes=(13, 17), compression=kind, shuffle=False)
        var(d.createGroup("g").createGroup("h"), "deep", "f4", ("y", "x"), a.astype("f4"), chunksizes=(5, 6))
    with netCDF4.Dataset(url) as d:
        for path in data:
            v = d[path]
            v.set_auto_maskandscale(False)
            got = np.asarray(v[...])
            if path.split("/")[-1] not in ("fill-set", "fill-default") and got.dtype.kind in "iuf":
                want = a if got.shape == a.shape else np.array(2.5) if path == "scalar" else smooth(11, got.dtype)
                assert np.array_equal(got.ravel(), want.ravel()), path
            if got.dtype.kind == "O":
                got = got.astype("S128")
            REC.add(store, path, 2, got.reshape(got.shape or (1,)))


if __name__ == "__main__":
    fill("netcdf-nczarr", "nczarr")
    fill("netcdf-zarr", "zarr")
    REC.write()
