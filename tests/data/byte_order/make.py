"""Cuts small little-endian arrays out of openly licensed data, for the test of the judge of byte orders.

    pip install iris-sample-data==2.5.2 netCDF4==1.7.5.1.post1 scikit-learn==1.9.1
    python make.py [ELEMENTS]

Writes real.bin (the arrays one after the other) and real.tsv (name, dtype, shape). README.md says where they are from.
"""

import os
import pathlib
import sys

import iris_sample_data
import netCDF4
import numpy as np
from sklearn import datasets

MOST = int(sys.argv[1]) if len(sys.argv) > 1 else 190
HERE = pathlib.Path(__file__).parent


def cut(array):
    """The middle of an array, with about MOST elements, long along the last axes."""
    array = np.asarray(array)
    while array.ndim > 2:
        array = array[array.shape[0] // 2]
    if array.ndim == 2:
        columns = min(array.shape[1], max(1, int(MOST**0.5)))
        rows = min(array.shape[0], MOST // columns)
        y, x = (array.shape[0] - rows) // 2, (array.shape[1] - columns) // 2
        return array[y : y + rows, x : x + columns]
    return array[:MOST]


def weather():
    folder = pathlib.Path(iris_sample_data.__file__).parent / "sample_data"
    for path in sorted(folder.rglob("*.nc")):
        data = netCDF4.Dataset(path)
        data.set_auto_maskandscale(False)
        for name, variable in data.variables.items():
            if variable.dtype != str and variable.dtype.kind in "iuf" and variable.size >= 20:
                yield f"{path.stem}/{name}", cut(variable[:])


def derived(arrays):
    """What people make of such fields before they store them."""
    picks = {"air_temperature", "votemper", "data", "tos", "surface_altitude", "Ne", "SOI_Darwin", "theta", "wind"}
    for name, array in arrays:
        if name.split("/")[-1] not in picks:
            continue
        finite = np.where(np.abs(array) < 1e30, array, np.nan).astype("f8")
        if not np.isfinite(finite).any():
            continue
        low, high = np.nanmin(finite), np.nanmax(finite)
        span = high - low or 1.0
        yield name + " as packed int16", np.nan_to_num(np.round((finite - (low + high) / 2) / span * 64000), nan=-32768).astype("i2")
        yield name + " in hundredths, int32", np.nan_to_num(np.round(finite * 100), nan=0).clip(-2e9, 2e9).astype("i4")
        yield name + " in twelve bits, uint16", np.nan_to_num(np.round((finite - low) / span * 4095), nan=0).astype("u2")
        yield name + " as float16", finite.clip(-6e4, 6e4).astype("f2")
        yield name + " as float64", finite
        yield name + " spectrum", np.fft.fft(np.nan_to_num(finite)).astype("c8")
        yield name + " ranks, int64", np.argsort(np.argsort(finite, axis=None)).astype("i8")
        yield name + " classes, int32", np.nan_to_num(np.digitize(finite, np.linspace(low, high, 11))).astype("i4")


def tables():
    for name in ("iris", "wine", "breast_cancer", "digits"):
        table = getattr(datasets, "load_" + name)()
        yield f"{name}/data", cut(table.data)
        yield f"{name}/data as float32", cut(table.data).astype("f4")
        yield f"{name}/target", cut(table.target).astype("i8")
        yield f"{name}/data, first column", table.data[:MOST, 0].copy()
    yield "digits/images as uint16", cut(datasets.load_digits().data).astype("u2")
    yield "breast_cancer/area as int32", datasets.load_breast_cancer().data[:MOST, 3].astype("i4")


def zones():
    for zone in ("Europe/Berlin", "America/New_York", "Asia/Jerusalem", "Australia/Sydney"):
        transitions = np.array([int(t) for t in transition_times(zone)])
        yield f"{zone} transitions", transitions.astype("i8")
        yield f"{zone} transitions as dates", transitions.astype("M8[s]")
        yield f"{zone} transitions as nanoseconds", transitions.astype("M8[s]").astype("M8[ns]")


def transition_times(zone):
    """The 64-bit block of a TZif file (RFC 8536): stored big-endian, whatever the machine."""
    raw = (pathlib.Path(os.environ.get("ZONEINFO", "/usr/share/zoneinfo")) / zone).read_bytes()
    counts = np.frombuffer(raw, ">u4", 6, 20)
    isut, isstd, leap, time, kind, char = (int(n) for n in counts)
    second = 44 + time * 5 + kind * 6 + char + leap * 8 + isstd + isut
    time = int(np.frombuffer(raw, ">u4", 6, second + 20)[3])
    return np.frombuffer(raw, ">i8", time, second + 44)


def main():
    real = list(weather())
    arrays = real + list(derived(real)) + list(tables()) + list(zones())
    with open(HERE / "real.bin", "wb") as data, open(HERE / "real.tsv", "w") as index:
        for name, array in arrays:
            array = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"))
            data.write(array.tobytes())
            index.write(f"{name}\t{array.dtype.str}\t{','.join(map(str, array.shape))}\n")


main()
