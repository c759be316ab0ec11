"""Draw healthy stores: ordinary arrays of which `check` should find nothing and `endian` contradict nothing.

    /path/to/venv/bin/python make.py SEED N OUT                    # N stores (from 1,500 on, all classes often)
    /path/to/venv/bin/python make.py SEED N OUT --run PROGRAM      # and let a zarrscope check them
    /path/to/venv/bin/python make.py --run PROGRAM OUT             # only check what is in OUT
    /path/to/venv/bin/python make.py SEED N OUT --only 17,230      # some of the same draw
    /path/to/venv/bin/python make.py --pack FILE.zip OUT/NAME...   # add stores to those that tests/it/healthy.rs checks

Needs zarr 3.4.2, numcodecs 0.17, xarray, dask, anndata, ome-zarr, kerchunk, h5py, pcodec, fastparquet, zfpy. OUT/NAME is a
store, named for its number, what its values are, and how it was written. Nothing in them is wrong: zarr-python (or the
library that the name says) wrote them, and those that zarr-python wrote are read back and compared. So each error, each
warning, each cause that `check` prints is a false alarm, and so is each DIFFERS of `endian`. With --run, each alarm is a
line (store, what was printed), then come the counts by kind of line and by kind of value. Store 17 of a seed is the same
whatever N is. A seed is blind once: after a look at its alarms, take another.
"""

import argparse
import collections
import importlib.metadata
import json
import re
import shutil
import subprocess
import sys
import warnings
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KNOWN = importlib.metadata.version


def version(name):
    if name == "zfpy":  # numcodecs cannot read the version of 1.0.1.post0
        return "1.0.1"
    return KNOWN(name)


importlib.metadata.version = version

import numcodecs
import numpy as np
import zarr
import zarr.codecs
import zarr.codecs.numcodecs as v3n

warnings.simplefilter("ignore")
numcodecs.blosc.use_threads = False


class Skip(Exception):
    """What was drawn does not go together: another is drawn."""


def need(it):
    if not it:
        raise Skip


# --- values: what people keep ---------------------------------------------------------------


def waves(r, shape, scales=3):
    """A sum of waves along every axis and across, from -1 to 1 or so."""
    axes = np.meshgrid(*[np.arange(n, dtype="f8") / max(n, 24) for n in shape], indexing="ij", sparse=True)
    out = np.zeros(shape)
    for k in range(scales):
        turn = sum(a * r.uniform(-9, 9) * (k + 1) for a in axes)
        out += np.sin(turn + r.uniform(0, 6)) / (k + 1) ** 1.3
    return out / 1.6


def rough(r, shape):
    """Noise of all wave lengths, as a landscape has."""
    f = np.sqrt(sum(np.fft.fftfreq(n).reshape([-1 if k == j else 1 for j in range(len(shape))]) ** 2 for k, n in enumerate(shape)))
    f.flat[0] = 1
    out = np.fft.ifftn(np.fft.fftn(r.normal(size=shape)) / f ** r.uniform(1.0, 2.2)).real
    return (out - out.mean()) / (out.std() or 1)


def extent(r, ranks, most=40_000):
    rank = int(r.choice(ranks))
    n = int(np.exp(r.uniform(np.log(60), np.log(most))))
    w = r.uniform(0.5, 1.6, rank)
    w *= rank / w.sum()
    return tuple(max(2, int(round(n ** (x / rank)))) for x in w)


def any_type(r, a, types):
    return a.astype(r.choice(types))


INTS = ["u1", "i1", "u2", "i2", "u4", "i4", "u8", "i8"]
FLOATS = ["f4", "f8", "f4", "f8", "f2"]
KINDS = {}


def kind(f):
    KINDS[f.__name__] = f
    return f


@kind
def field(r):
    base, size = [(283, 15), (0, 12), (101325, 900), (0.01, 0.004), (0.3, 0.2), (-40, 20), (1e-6, 4e-7), (5500, 300)][r.integers(8)]
    s = extent(r, [1, 2, 2, 2, 3, 3, 4])
    return any_type(r, base + size * waves(r, s) + size * r.choice([0, 0.001, 0.02, 0.1]) * r.normal(size=s), ["f4", "f4", "f8"])


@kind
def sea(r):
    s = extent(r, [2, 2, 3])
    a = 15 + 9 * waves(r, s)
    a[np.broadcast_to(rough(r, s[-2:]) > r.choice([-0.5, 0.5, 1.2]), s)] = np.nan
    return any_type(r, a, ["f4", "f8"])


@kind
def rough_field(r):
    return any_type(r, rough(r, extent(r, [1, 2, 2, 3])) * r.choice([1, 30, 900]) + r.choice([0, 600]), FLOATS)


@kind
def packed(r):
    s = extent(r, [2, 3, 3])
    return np.round(waves(r, s) * r.choice([300, 6000, 20000]) * 0.9).astype("i2"), {"scale_factor": 0.01, "add_offset": 273.15}


@kind
def table(r):
    """Rows of measurements whose columns differ in scale and offset."""
    n, m = int(r.integers(5, 3000)), int(r.integers(2, 30))
    a = r.normal(size=(n, m)) * 10.0 ** r.uniform(-4, 6, m) + 10.0 ** r.uniform(-3, 7, m) * r.choice([-1, 0, 1], m)
    if r.random() < 0.5:
        a = np.cumsum(a, 0)
    return any_type(r, a, ["f4", "f8", "f8"])


@kind
def int_table(r):
    n, m = int(r.integers(5, 3000)), int(r.integers(2, 20))
    high = (2 ** r.uniform(1, 30, m)).astype("i8")
    return any_type(r, np.stack([r.integers(0, h + 1, n) for h in high], 1), ["i4", "i8", "u4"])


@kind
def sorted_table(r):
    n, m = int(r.integers(20, 2000)), int(r.integers(2, 9))
    a = np.stack([np.sort(r.gamma(2, 10.0 ** r.uniform(-2, 5), n)) if k % 2 else r.normal(size=n) for k in range(m)], 1)
    return any_type(r, a, ["f4", "f8"])


@kind
def tiny(r):
    """Five by seven, as a lesson has."""
    s = tuple(int(n) for n in r.integers(3, 9, int(r.integers(1, 4))))
    n = int(np.prod(s))
    a = [np.arange(n), r.integers(0, 100, n), r.normal(size=n), np.arange(n) * 0.5 + 20, r.random(n), np.arange(n)[::-1] ** 2, r.permutation(n)][r.integers(7)]
    return any_type(r, a.reshape(s), ["f4", "f8", "i4", "i8", "i2", "u2", "u1"] if np.min(a) >= 0 else ["f4", "f8"])


@kind
def five_by_seven(r):
    return any_type(r, rough(r, (5, 7)) * 10.0 ** r.integers(-2, 5), ["f4", "f8", "f2", "i2", "i4"])


@kind
def image(r):
    t, s = r.choice(["u1", "u1", "u2", "u2"]), extent(r, [2, 2, 3])
    top = 255 if t == "u1" else int(r.choice([4095, 65535]))
    a = (0.5 + 0.3 * rough(r, s) / 2.5 + 0.15 * waves(r, s)) * top
    return np.clip(a + r.normal(0, top / r.choice([40, 400]), s), 0, top).astype(t)


@kind
def rgb(r):
    h, w = int(r.integers(8, 120)), int(r.integers(8, 120))
    grey = rough(r, (h, w)) * 30
    a = np.stack([grey * r.uniform(0.3, 1) + r.integers(40, 200) + 25 * waves(r, (h, w)) for _ in range(int(r.choice([3, 4])))], int(r.choice([0, -1])))
    return np.clip(a, 0, 255).astype("u1")


@kind
def micrograph(r):
    """Few counts, many zeros and bright spots."""
    s = extent(r, [2, 3])
    return (r.poisson(np.exp(2 * rough(r, s) - r.uniform(0, 3))) + r.choice([0, 100])).clip(0, 65535).astype("u2")


@kind
def labels(r):
    s, k = extent(r, [2, 2, 3]), int(r.integers(3, 40))
    a = rough(r, s) if r.random() < 0.5 else waves(r, s)
    a = np.digitize(a, np.quantile(a, np.linspace(0, 1, k)[1:-1]))
    if r.random() < 0.4:  # ids of segments, in no order
        a = np.unique(r.integers(0, 2**31 - 1, 5 * k))[:k][r.permutation(k)][a]
        return any_type(r, a, ["i4", "u4", "i8", "u8"])
    return any_type(r, a, ["u1", "u2", "i4", "i8", "u4"])


@kind
def mask(r):
    return rough(r, extent(r, [1, 2, 3])) > r.choice([-1, 0.2, 2])


@kind
def random_mask(r):
    return r.random(extent(r, [1, 2])) < r.choice([0.5, 0.1, 0.001])


@kind
def series(r):
    n = int(r.integers(60, 20000))
    t = np.arange(n)
    a = 10 + 8 * np.sin(t / 365.25 * 2 * np.pi) + 3 * np.sin(t * 2 * np.pi / 7 + 1) + r.normal(0, r.choice([0.01, 0.5, 3]), n)
    return any_type(r, a, FLOATS)


@kind
def stations(r):
    """Series of stations, each with its own level."""
    n, m = int(r.integers(3, 60)), int(r.integers(30, 900))
    a = r.uniform(-50, 2000, n)[:, None] + np.cumsum(r.normal(size=(n, m)), 1) * r.choice([0.1, 1])
    return any_type(r, a if r.random() < 0.5 else a.T, ["f4", "f8"])


@kind
def walk(r):
    a = np.cumsum(r.normal(size=extent(r, [1, 1, 2])), -1) * 3 + 100
    return any_type(r, np.round(a * 50) if r.random() < 0.4 else a, ["f8", "f4"]) if r.random() < 0.6 else np.round(a * 50).astype("i4")


@kind
def prices(r):
    n = int(r.integers(100, 9000))
    return np.round(100 * np.exp(np.cumsum(r.normal(0, 0.01, n))), 2)


@kind
def ids(r):
    n = int(r.integers(40, 9000))
    a = [np.arange(n) + r.integers(0, 10**6), np.cumsum(r.integers(1, 50, n)) + 10**9, np.sort(r.choice(10**9, n, replace=False)), r.permutation(n), r.integers(10**8, 10**9, n)][r.integers(5)]
    return any_type(r, a, ["i8", "u8", "i4", "u4"])


@kind
def hashes(r):
    t = r.choice(["u4", "u8", "i4", "i8", "u2"])
    return r.integers(np.iinfo(t).min, np.iinfo(t).max, extent(r, [1, 2]), dtype=t)


@kind
def hash_bytes(r):
    return r.integers(0, 256, extent(r, [1, 2, 3]), dtype="u1")


@kind
def angles(r):
    s = extent(r, [1, 2, 2])
    a = np.mod(180 + r.choice([200, 900]) * waves(r, s) + r.normal(0, r.choice([0, 5]), s), 360)
    a = [a, np.deg2rad(a), a - 180, np.round(a)][r.integers(4)]
    return any_type(r, a, ["f4", "f8"])


@kind
def phase(r):
    return any_type(r, np.angle(np.exp(1j * 20 * waves(r, extent(r, [2])))), ["f4", "f8"])


@kind
def categories(r):
    s = extent(r, [1, 2])
    return any_type(r, r.choice(int(r.integers(2, 12)), s) * int(r.choice([1, 1, 10, 1000])), ["i4", "u2", "i8", "f4", "f8"])


@kind
def codes(r):
    """Categories of one byte, with -1 for none."""
    a = r.integers(-1, int(r.integers(2, 60)), extent(r, [1]))
    return any_type(r, np.sort(a) if r.random() < 0.3 else a, ["i1", "i2", "i4"])


@kind
def quantised(r):
    s = extent(r, [1, 2, 3])
    step = r.choice([0.5, 0.1, 5, 100, 0.25])
    return any_type(r, np.round((r.choice([0, 300]) + 40 * waves(r, s)) / step) * step, ["f4", "f8"])


@kind
def bit_rounded(r):
    a = (280 + 20 * waves(r, extent(r, [2, 3]))).astype("f4")
    return (a.view("u4") & np.uint32(0xFFFFFFFF << int(r.integers(8, 18)) & 0xFFFFFFFF)).view("f4")


@kind
def stuck(r):
    """A sensor that keeps its value for long."""
    n = int(r.integers(100, 9000))
    a = np.repeat(r.normal(20, 5, n // 20 + 1), r.integers(1, 60, n // 20 + 1))[:n]
    return any_type(r, np.round(a, 1), ["f4", "f8"])


@kind
def stuck_camera(r):
    t, s = int(r.integers(3, 12)), (int(r.integers(8, 40)), int(r.integers(8, 40)))
    a = np.stack([(rough(r, s) * 40 + 128).clip(0, 255)] * t) if r.random() < 0.5 else np.repeat((rough(r, (t // 3 + 1, *s)) * 40 + 128).clip(0, 255), 3, 0)[:t]
    return any_type(r, a, ["u1", "u2", "f4"])


@kind
def every_third(r):
    """Every third step is a new one, the others repeat it."""
    s = extent(r, [2, 3], 9000)
    return any_type(r, np.repeat(20 + 9 * waves(r, s), 3, 0), ["f4", "f8"])


@kind
def periodic(r):
    n, p = int(r.integers(60, 5000)), int(r.choice([8, 10, 12, 16, 24, 32, 64, 100]))
    a = 20 + 5 * np.sin(2 * np.pi * np.arange(n) / p)
    return any_type(r, a, ["f4", "f8"]) if r.random() < 0.6 else any_type(r, np.round(a * 10), ["i2", "i4", "u2"])


@kind
def periodic_field(r):
    s, p = extent(r, [2, 3]), r.choice([4, 8, 10, 16, 20])
    ax = np.meshgrid(*[np.arange(n) for n in s], indexing="ij", sparse=True)
    return any_type(r, 10 + sum(np.sin(2 * np.pi * a / p) for a in ax) + 0 * waves(r, s), ["f4", "f8"])


@kind
def sawtooth(r):
    n, p = int(r.integers(60, 9000)), int(r.choice([5, 8, 10, 16, 24, 50, 100]))
    return any_type(r, np.arange(n) % p * r.choice([1, 0.5, 100]), ["f4", "f8", "i4", "u2"])


@kind
def uniform(r):
    return any_type(r, r.random(extent(r, [1, 2, 3])) * r.choice([1, 100]), FLOATS)


@kind
def normal(r):
    return any_type(r, r.normal(r.choice([0, 0, 50]), r.choice([1, 10]), extent(r, [1, 2, 3])), FLOATS)


@kind
def random_ints(r):
    t = r.choice(INTS)
    return r.integers(0, min(np.iinfo(t).max, int(10 ** r.uniform(1, 9))), extent(r, [1, 2, 3])).astype(t)


@kind
def lognormal(r):
    return any_type(r, np.exp(r.normal(0, r.choice([1, 4, 8]), extent(r, [1, 2]))), ["f4", "f8"])


@kind
def constant(r):
    t = r.choice(INTS + ["f4", "f8"])
    return np.full(extent(r, [1, 2, 3]), r.choice([1, 7, 100]), t)


@kind
def zeros(r):
    return np.zeros(extent(r, [1, 2, 3]), r.choice(INTS + ["f4", "f8", "?"]))


@kind
def all_nan(r):
    a = np.full(extent(r, [1, 2]), np.nan)
    return any_type(r, a, ["f4", "f8"])


@kind
def nan_tiles(r):
    """Tiles without data, aligned to nothing, to chunks, or to halves of them."""
    n, m, t = int(r.integers(2, 7)), int(r.integers(2, 7)), int(r.choice([4, 8, 10, 16]))
    a = 20 + 9 * waves(r, (n * t, m * t))
    hole = np.kron(r.random((n, m)) < 0.4, np.ones((t, t))) > 0
    a[hole] = np.nan if r.random() < 0.6 else r.choice([0, -9999, 1e20])
    return any_type(r, a, ["f4", "f8"])


@kind
def half_tiles(r):
    n, m, t = int(r.integers(2, 5)), int(r.integers(2, 5)), int(r.choice([8, 16]))
    a = rough(r, (n * t, m * t)) * 9 + 20
    a.reshape(n, t, m, t)[:, t // 2 :][r.random((n, t // 2)) < 0.5] = r.choice([0, np.nan])
    return any_type(r, a, ["f4", "f8"])


@kind
def striped(r):
    """Rows that alternate between two instruments."""
    s = extent(r, [2])
    a = 10 + 3 * waves(r, s)
    a[:: int(r.choice([2, 3, 4]))] += r.choice([5, 100, -1000])
    return any_type(r, a if r.random() < 0.6 else a.T, ["f4", "f8", "i2"])


@kind
def ramp(r):
    n = int(r.integers(30, 20000))
    a = r.choice([0, 0, 1000, -90]) + np.arange(n) * r.choice([1, 1, 0.25, 60, 3600])
    s = (n,) if r.random() < 0.5 else (n // int(r.integers(2, 12)) or 1, -1)
    a = a[: n - n % max(s[0], 1)].reshape(s) if len(s) > 1 else a
    return any_type(r, a[::-1] if r.random() < 0.2 else a, ["i4", "i8", "f4", "f8", "u4"] if np.min(a) >= 0 else ["i4", "f4", "f8"])


@kind
def arange_nd(r):
    s = extent(r, [2, 3, 4], 9000)
    return any_type(r, np.arange(np.prod(s)).reshape(s, order=r.choice(["C", "C", "F"])), ["i4", "i8", "f4", "f8", "u2"])


@kind
def since_midnight(r):
    """Precipitation accumulated since midnight, kept in chunks of a day."""
    days, step, m = int(r.integers(3, 14)), int(r.choice([8, 24, 48])), int(r.integers(1, 40))
    rain = r.gamma(0.3, r.choice([0.0004, 1.0]), (days, step, m)) * (r.random((days, 1, m)) < 0.7)
    a = np.cumsum(rain, 1).reshape(days * step, m)
    return any_type(r, a, ["f4", "f8"]), {"units": "m"}, {"chunks": (step, m)}


@kind
def rain_of_a_year(r):
    years, n, m = int(r.integers(2, 6)), 365, int(r.integers(1, 12))
    a = np.cumsum(r.gamma(0.2, 8, (years, n, m)), 1).reshape(-1, m)
    return any_type(r, a, ["f4", "f8"]), {"units": "mm"}, {"chunks": (n, m)}


@kind
def rise_and_fall(r):
    """Values that rise within each chunk and fall back at its border."""
    k, c, m = int(r.integers(3, 12)), int(r.choice([6, 10, 24, 60])), int(r.integers(1, 9))
    a = np.tile(np.linspace(0, r.uniform(1, 100), c), k)[:, None] * r.uniform(0.5, 2, m) + r.normal(0, 0.01, (k * c, m))
    return any_type(r, a, ["f4", "f8"]), {}, {"chunks": (c, m)}


@kind
def tiled_levels(r):
    """Mosaics whose tiles have levels of their own, kept in chunks of a tile."""
    n, m, t = int(r.integers(2, 6)), int(r.integers(2, 6)), int(r.choice([6, 8, 16, 20]))
    a = rough(r, (n * t, m * t)) + np.kron(r.normal(0, 20, (n, m)), np.ones((t, t)))
    return any_type(r, a, ["f4", "f8"]), {}, {"chunks": (t, t)}


@kind
def members(r):
    """An ensemble: each member is a field of its own, in chunks of its own."""
    n, s = int(r.integers(3, 10)), extent(r, [2], 900)
    return any_type(r, np.stack([280 + 9 * waves(r, s) for _ in range(n)]), ["f4", "f8"]), {}, {"chunks": (1, *s)}


@kind
def channels(r):
    n, s = int(r.integers(2, 6)), extent(r, [2], 1600)
    a = np.stack([(rough(r, s) * 10 ** r.uniform(0, 2.5) + 10 ** r.uniform(2, 4)) for _ in range(n)])
    return any_type(r, a.clip(0, 60000), ["u2", "f4", "u4"])


@kind
def levels(r):
    n, s = int(r.integers(3, 12)), extent(r, [2], 900)
    return any_type(r, np.exp(np.linspace(11, 3, n))[:, None, None] * (1 + 0.02 * waves(r, (n, *s))), ["f4", "f8"])


@kind
def meshgrid(r):
    x, y = np.meshgrid(np.linspace(0, 359, int(r.integers(5, 150))), np.linspace(-90, 90, int(r.integers(5, 150))), indexing=r.choice(["ij", "xy"]))
    return any_type(r, [x, y][r.integers(2)], ["f4", "f8"])


@kind
def one_hot(r):
    n, m = int(r.integers(8, 500)), int(r.integers(3, 40))
    return any_type(r, np.eye(m)[r.integers(0, m, n)], ["u1", "i8", "f4", "f8", "?"])


@kind
def identity(r):
    return any_type(r, np.eye(int(r.integers(6, 90))), ["f4", "f8", "i4"])


@kind
def axis(r):
    n = int(r.integers(9, 2000))
    return any_type(r, np.linspace(*[(-90, 90), (90, -90), (0, 359.75), (-180, 179.5), (1000, 1), (0, 1)][r.integers(6)], n), ["f4", "f8"])


@kind
def times(r):
    n = int(r.integers(10, 9000))
    step, start, t = [(3600, 1262304000, "i8"), (1, 0, "i8"), (6, 438000, "i4"), (0.25, 18262, "f8"), (1, 36524, "f8"), (10**9, 1_600_000_000 * 10**9, "i8")][r.integers(6)]
    return (start + step * np.arange(n)).astype(t), {"units": "hours since 1970-01-01"}


@kind
def stamps(r):
    """Times of events: they grow by steps of all sizes."""
    n = int(r.integers(10, 5000))
    return (1_600_000_000_000 + np.cumsum(r.exponential(r.choice([30, 90_000]), n))).astype(r.choice(["i8", "f8"]))


@kind
def datetimes(r):
    n, u = int(r.integers(10, 3000)), str(r.choice(["D", "s", "ms", "ns", "h"]))
    start = np.datetime64("2001-03-01", u)
    a = start + np.arange(n) * np.timedelta64(int(r.integers(1, 90)), u) if r.random() < 0.6 else start + r.integers(0, 10**6, n).astype(f"m8[{u}]")
    if r.random() < 0.3:
        a[r.random(n) < 0.1] = np.datetime64("NaT")
    return a


@kind
def timedeltas(r):
    return r.integers(-1000, 10**6, int(r.integers(10, 3000))).astype(f"m8[{r.choice(['D', 's', 'ms', 'ns'])}]")


@kind
def complex_field(r):
    s = extent(r, [1, 2])
    return any_type(r, 40 * waves(r, s) * np.exp(1j * 3 * waves(r, s)), ["c8", "c16"])


@kind
def spectrum(r):
    return any_type(r, np.fft.fftn(rough(r, extent(r, [1, 2]))), ["c8", "c16"])


@kind
def visibilities(r):
    s = extent(r, [1, 2])
    return any_type(r, r.normal(size=s) + 1j * r.normal(size=s), ["c8", "c16"])


@kind
def audio(r):
    n = int(r.integers(500, 20000))
    a = np.sin(np.cumsum(r.uniform(0.01, 0.4) + 0.01 * r.normal(size=n))) * np.abs(waves(r, (n,))) * r.choice([300, 9000, 32000]) * 0.6
    return a.astype("i2") if r.random() < 0.7 else np.stack([a, a * 0.7], 1).astype("i2")


@kind
def elevation(r):
    s = extent(r, [2])
    a = rough(r, s) * r.choice([150, 900]) + 600
    a[a < r.choice([-9e9, 300])] = r.choice([0, -9999, -32768])
    return any_type(r, a, ["i2", "f4", "i4"])


@kind
def rainfall(r):
    """Mostly zero, and heavy where it is not."""
    s = extent(r, [2, 3])
    return any_type(r, np.where(rough(r, s) > 1, r.gamma(0.5, 4, s), 0), ["f4", "f8"])


@kind
def counts(r):
    s = extent(r, [1, 2, 3])
    return any_type(r, r.poisson(np.exp(2.5 * waves(r, s) + r.uniform(-2, 6))), ["u2", "i4", "u4", "i8", "f8", "f4"])


@kind
def sparse(r):
    s = extent(r, [2, 3])
    a = np.zeros(s)
    a[r.random(s) < 0.02] = r.integers(1, 9)
    return any_type(r, a, ["f4", "i4", "u1", "i8"])


@kind
def half(r):
    return (waves(r, extent(r, [2, 3])) * r.choice([1, 30]) + r.choice([0, 0, 100])).astype("f2")


@kind
def weights(r):
    """The weights of a network."""
    n, m = int(r.integers(8, 200)), int(r.integers(8, 200))
    return any_type(r, r.normal(0, (2 / n) ** 0.5, (n, m)), ["f4", "f2", "f8"])


@kind
def embeddings(r):
    a = r.normal(size=(int(r.integers(20, 600)), int(r.choice([16, 32, 64]))))
    return any_type(r, a / np.linalg.norm(a, axis=1, keepdims=True), ["f4", "f2"])


@kind
def one_sided(r):
    """A step: land and sea, before and after."""
    s = extent(r, [1, 2])
    a = rough(r, s) * 0.5
    a[s[0] // 2 :] += r.choice([10, 1000])
    return any_type(r, a, ["f4", "f8", "i2"])


@kind
def flags(r):
    return any_type(r, np.bitwise_or.reduce([(rough(r, s) > 0.7).astype("i8") << k for s in [extent(r, [1, 2])] for k in r.choice(15, 4, replace=False)]), ["u2", "i2", "u4", "i4"])


@kind
def extremes(r):
    a = np.array([0, -0.0, np.inf, -np.inf, np.nan, 1e-310, 1.5, 3e38], "f8")
    return any_type(r, r.choice(a, extent(r, [1, 2])), ["f4", "f8"])


@kind
def repeated_rows(r):
    n, m = int(r.integers(4, 60)), int(r.integers(4, 90))
    a = np.broadcast_to(20 + 9 * waves(r, (m,)), (n, m))
    return any_type(r, a if r.random() < 0.6 else a.T, ["f4", "f8", "i2"])


@kind
def tiled_blocks(r):
    t = int(r.choice([4, 6, 8]))
    return any_type(r, np.tile(r.integers(0, 100, (t, t)), (int(r.integers(2, 8)), int(r.integers(2, 8)))), ["i4", "f4", "u1", "f8"]), {}, {"chunks": (t, t)}


@kind
def checkerboard(r):
    s = extent(r, [2])
    return any_type(r, np.indices(s).sum(0) // int(r.choice([1, 2, 5])) % 2 * r.choice([1, 255]), ["u1", "i4", "f4", "f8", "?"])


@kind
def whole_floats(r):
    s = extent(r, [1, 2])
    return any_type(r, np.round(r.choice([0, 250]) + r.choice([5, 40]) * waves(r, s)), ["f8", "f4", "f8"])


@kind
def steps_of_two(r):
    """Whole numbers kept as floats of which every second is zero."""
    a = np.round(30 + 3 * waves(r, extent(r, [1])))
    a[1::2] = 0
    return any_type(r, a, ["f8", "f4"])


@kind
def zero_padded(r):
    """A signal that is filled up with zeros to twice its length, or to a power of two."""
    n = int(r.choice([512, 1024, 2048, 4096]))
    a = np.zeros(n * int(r.choice([2, 4])))
    a[:n] = r.normal(size=n) + 3
    return any_type(r, a, ["f4", "f8", "i2"]), {}, {"chunks": a.shape}


@kind
def scalar(r):
    return np.array(r.choice([0, 1, 3.5, 42]), r.choice(["f8", "i4", "u1", "i8"]))


@kind
def single(r):
    return np.array([r.choice([0, 1, 3.5, 42])], r.choice(["f8", "i4", "u1", "i8"]))


@kind
def empty(r):
    return np.zeros([(0,), (0, 5), (3, 0)][r.integers(3)], r.choice(["f4", "i2"]))


@kind
def struct(r):
    n = int(r.integers(5, 3000))
    all_ = [("id", "<i4"), ("t", "<f8"), ("x", "<f4"), ("y", "<f4"), ("flag", "u1"), ("n", "<u2"), ("k", "<i8"), ("p", "<f8", (3,)), ("s", "S4"), ("c", "<c8")]
    pick = r.permutation(8 if r.random() < 0.8 else 10)[: int(r.integers(2, 6))]
    a = np.zeros(n, [all_[k] for k in pick if len(all_[k]) == 2] or [all_[0], all_[2]])
    for name in a.dtype.names:
        a[name] = {
            "id": np.arange(n) + 1000, "t": 1.6e9 + np.arange(n) * 0.5, "x": 40 * waves(r, (n,)) + 7, "y": r.normal(size=n) * 300, "flag": r.integers(0, 3, n),
            "n": 500 + 90 * waves(r, (n,)), "k": r.integers(0, 2**40, n), "s": r.choice([b"ab", b"xyz", b"q"], n), "c": np.exp(1j * np.arange(n)),
        }[name]
    return a


WORDS = ["north", "south", "Zürich", "", "a", "température", "日本", "liver", "B cell", "chr17", "GCGCTTAA"]


@kind
def text(r):
    """Strings of varying length."""
    n = int(r.integers(3, 900))
    a = [f"s{k:05d}" for k in range(n)] if r.random() < 0.4 else list(r.choice(WORDS, n))
    return np.array(a, object)


@kind
def fixed_text(r):
    n = int(r.integers(3, 900))
    a = [f"{k}" for k in range(n)] if r.random() < 0.4 else list(r.choice(WORDS, n))
    return np.array(a, r.choice(["U12", "U5"])) if r.random() < 0.6 else np.array([x.encode("ascii", "ignore") for x in a], "S8")


@kind
def blobs(r):
    """Fixed lengths of raw bytes: digests."""
    n = int(r.integers(3, 400))
    return np.frombuffer(r.bytes(16 * n), "V16")


# --- values whose structure is that of chunks, or repeats -----------------------------------


@kind
def accumulated(r):
    """Sums that begin anew after a period that is not the chunk's."""
    p, m = int(r.choice([5, 7, 12, 24, 30, 50])), int(r.integers(1, 20))
    a = np.cumsum(r.gamma(0.5, r.choice([0.001, 3]), (int(r.integers(3, 30)), p, m)), 1).reshape(-1, m)
    a = a[:, 0] if m == 1 else a
    if r.random() < 0.3:
        a = np.round(a * 10).astype("i4")
    return a if a.dtype.kind == "i" else any_type(r, a, ["f4", "f8"])


@kind
def chunk_sawtooth(r):
    """A ramp in each chunk that begins at the same value."""
    c, rank = int(r.choice([4, 8, 10, 12, 16, 25, 32, 64])), int(r.choice([1, 1, 2, 2, 3]))
    c = min(c, 12) if rank == 3 else c
    n = [c * int(r.integers(2, 6 if rank > 1 else 30)) for _ in range(rank)]
    ax = np.meshgrid(*[np.arange(k) % c for k in n], indexing="ij", sparse=True)
    a = sum(x * w for x, w in zip(ax, r.choice([0, 1, 1, 0.1, 100, c], rank)))
    a = a + np.zeros(n) + (r.normal(0, r.choice([0, 0.01]), n))
    return any_type(r, a, ["f4", "f8", "i4", "u2", "u1"]), {}, {"chunks": (c,) * rank}


@kind
def chunk_triangle(r):
    """Values that rise in one chunk and fall in the next."""
    c, k, m = int(r.choice([6, 10, 16, 32])), int(r.integers(3, 12)), int(r.integers(1, 12))
    up = np.arange(c) * r.choice([1, 0.5, 7])
    a = np.concatenate([up if j % 2 else up[::-1] for j in range(k)])[:, None] + r.normal(0, 0.05, (k * c, m)) * r.choice([0, 1]) + 10 * np.arange(m)
    return any_type(r, a[:, 0] if m == 1 else a, ["f4", "f8", "i2"]), {}, {"chunks": (c,) if m == 1 else (c, m)}


@kind
def sorted_blocks(r):
    """Each block is sorted: files that were sorted one by one."""
    c, k = int(r.choice([8, 20, 50, 128])), int(r.integers(2, 16))
    a = np.sort(r.choice([r.integers(0, 10**6, (k, c)), r.gamma(2, 100, (k, c)), r.normal(size=(k, c))]), 1)
    if r.random() < 0.3:
        a[::2] = a[::2, ::-1]
    return any_type(r, a.ravel(), ["f4", "f8"]), {}, {"chunks": (c,)}


@kind
def block_levels(r):
    """One value a chunk: numbers of tiles, ranks of the tasks that wrote them."""
    t, n, m = int(r.choice([4, 8, 10])), int(r.integers(2, 8)), int(r.integers(2, 8))
    a = np.kron(r.choice([np.arange(n * m).reshape(n, m), r.integers(0, 9, (n, m)), r.permutation(n * m).reshape(n, m)]), np.ones((t, t)))
    return any_type(r, a, ["u1", "i4", "f4", "f8", "u2"]), {}, {"chunks": (t, t)}


@kind
def repeated_tile(r):
    """A tile of noise, or of a texture, over and over."""
    t, n, m = int(r.choice([8, 10, 16, 20])), int(r.integers(2, 7)), int(r.integers(2, 7))
    tile = r.choice([r.normal(size=(t, t)), r.integers(0, 255, (t, t)), rough(r, (t, t)) * 30 + 128])
    a = np.tile(tile, (n, m)) + r.choice([0, 0, 0.01]) * r.normal(size=(n * t, m * t))
    return any_type(r, a, ["f4", "f8", "i2"]), {}, {"chunks": (t, t)}


@kind
def kaleidoscope(r):
    """Tiles that mirror their neighbours."""
    t, n, m = int(r.choice([8, 12, 16, 20])), int(r.integers(1, 4)), int(r.integers(1, 4))
    a = rough(r, (t, t)) * 9 + 50
    a = np.tile(np.block([[a, a[:, ::-1]], [a[::-1], a[::-1, ::-1]]]), (n, m))
    return any_type(r, a, ["f4", "f8", "u1"]), {}, {"chunks": (t, t)}


@kind
def mirrored(r):
    a = rough(r, extent(r, [1, 2])) * 9 + 20
    k = int(r.integers(a.ndim))
    return any_type(r, np.concatenate([a, np.flip(a, k)], k), ["f4", "f8", "i2"])


@kind
def symmetric(r):
    """Distances, covariances, contacts: a matrix that is its own transpose."""
    n = int(r.integers(9, 130))
    p = np.cumsum(r.normal(size=(n, 3)), 0)
    d = np.linalg.norm(p[:, None] - p[None], axis=-1)
    a = [d, np.corrcoef(r.normal(size=(n, 20))), r.poisson(300 / (1 + np.abs(np.subtract.outer(np.arange(n), np.arange(n))))), np.exp(-d), (d < 4) * 1.0, np.triu(d), np.tril(r.normal(size=(n, n)))][r.integers(7)]
    return any_type(r, a, ["f4", "f8"] if a.dtype.kind == "f" else ["i4", "f4", "u2"])


@kind
def sheared(r):
    """A pattern that moves on by a column each row, and wraps."""
    n, m = int(r.integers(12, 120)), int(r.integers(12, 120))
    a = 20 + 9 * waves(r, (m,))
    a = np.stack([np.roll(a, k * int(r.choice([1, 1, 2, 5]))) for k in range(n)])
    return any_type(r, a, ["f4", "f8", "i2"])


@kind
def diagonal(r):
    x, y = np.indices(extent(r, [2]))
    z = [x + y, x - y, (x + y) % int(r.choice([8, 10, 16])), np.abs(x - y), x * y, x ^ y, np.maximum(x, y), np.hypot(x - x.mean(), y - y.mean())][r.integers(8)]
    return any_type(r, z * r.choice([1, 1, 0.25]) if z.min() >= 0 else z, ["f4", "f8", "i4", "u2"] if z.min() >= 0 else ["f4", "f8", "i4"])


@kind
def snake(r):
    """Lines that were scanned to and fro."""
    n, m = int(r.integers(6, 90)), int(r.integers(6, 90))
    a = np.arange(n * m).reshape(n, m) if r.random() < 0.5 else 100 + 20 * waves(r, (n, m))
    a = a.copy()
    a[1::2] = a[1::2, ::-1]
    return any_type(r, a, ["f4", "f8", "i4"])


@kind
def pyramid_level(r):
    a = rough(r, (64, 96)) * 30 + 100
    k = int(r.choice([1, 2, 4, 8]))
    a = a.reshape(64 // k, k, 96 // k, k).mean((1, 3)).T
    return any_type(r, a, ["f4", "u1", "u2", "f8"]), {}, {"chunks": (16, 16)}


@kind
def landcover(r):
    """Classes by their codes, in patches."""
    s, k = extent(r, [2]), int(r.integers(3, 12))
    a = np.digitize(rough(r, s), np.linspace(-2, 2, k))
    own = r.choice([11, 12, 21, 22, 23, 31, 41, 42, 43, 52, 71, 81, 82, 90, 95, 255, 0, 111, 112, 121, 211, 243, 311, 512], k + 1, replace=False)
    return any_type(r, own[a].astype("i8"), ["i2", "u2", "i4"])


@kind
def classes_in_tiles(r):
    t = int(r.choice([4, 8, 16]))
    a = np.kron(r.choice([1, 2, 3, 5, 8, 200], (int(r.integers(2, 9)), int(r.integers(2, 9)))), np.ones((t, t), int))
    return any_type(r, a, ["u1", "i2", "u2", "f4"])


@kind
def wrapped_angles(r):
    """Directions and phases in few steps, that wrap."""
    s, k = extent(r, [1, 2, 3]), int(r.choice([8, 16, 24, 36, 256, 360, 3600]))
    a = np.floor(np.mod(waves(r, s) * r.choice([1, 3]) * k + np.zeros(s), k))
    a = a * (360 / k) if r.random() < 0.3 else a
    return any_type(r, a, ["u2", "i2", "f4", "f8", "u1"] if a.max() < 256 else ["u2", "i4", "f4", "f8"])


@kind
def counter(r):
    """A counter that runs over."""
    n, t = int(r.integers(60, 9000)), str(r.choice(["u1", "u2", "i2", "i1", "u4"]))
    return (np.cumsum(np.full(n, int(r.choice([1, 3, 7, 100, 1000])))) + int(r.integers(0, 99999))).astype(t)


@kind
def clock(r):
    """Hours of the day, days of the week, seconds of the day, days of the year."""
    n = int(r.integers(60, 9000))
    t = np.arange(n) * int(r.choice([1, 60, 900])) + int(r.integers(86400))
    return any_type(r, [t // 3600 % 24, t // 86400 % 7, t % 86400, np.arange(n) % 365 + 1, t % 60][r.integers(5)], ["i4", "i8", "f4", "f8"])


@kind
def gappy_times(r):
    """Time stamps with gaps, as loggers leave them."""
    n = int(r.integers(20, 6000))
    step = int(r.choice([1, 60, 600, 3600]))
    t = 1_500_000_000 + np.cumsum(np.where(r.random(n) < 0.01, r.integers(2, 5000, n), 1) * step)
    a = [t, t * 1000, t * 10**9, t / 86400 + 2440587.5, t / 86400 + 25569, t - t[0]][r.integers(6)]
    return a.astype(r.choice(["i8", "f8"])) if a.dtype.kind == "i" else a


@kind
def dates_as_numbers(r):
    d = np.datetime64("1998-11-03") + np.arange(int(r.integers(20, 3000))) * int(r.choice([1, 1, 7]))
    y, m = d.astype("M8[Y]").astype(int) + 1970, d.astype("M8[M]").astype(int) % 12 + 1
    a = y * 10000 + m * 100 + (d - d.astype("M8[M]")).astype(int) + 1
    return any_type(r, r.choice([a, y, m, y * 100 + m]), ["i4", "i8", "f8"])


@kind
def left_aligned(r):
    """Samples of 10, 12 or 24 bits in the upper bits of a word."""
    t, k = [("i2", 4), ("u2", 6), ("i4", 8), ("u2", 8), ("i2", 6), ("i4", 16), ("u4", 12), ("u2", 4)][r.integers(8)]
    bits = np.dtype(t).itemsize * 8 - k
    top = 2 ** (bits - (t[0] == "i")) - 1
    s = extent(r, [1, 2])
    a = waves(r, s) if r.random() < 0.5 else rough(r, s) / 4
    a = np.clip(a + r.normal(0, r.choice([0, 0.01]), s), -1, 1)
    a = np.round((a if t[0] == "i" else (a + 1) / 2) * top * r.choice([1, 0.1])).astype("i8") << k
    return a.astype(t)


@kind
def widened(r):
    """Bytes as numbers of two: the same byte twice, or times 256 or 255."""
    a = np.clip(rough(r, extent(r, [2])) * 40 + 128, 0, 255).astype("u2")
    return a * np.array(r.choice([257, 256, 255, 128, 100]), "u2")


@kind
def small_in_wide(r):
    """Few small numbers in words of eight bytes."""
    s = extent(r, [1, 2])
    a = r.choice([r.integers(-1, 2, s), r.integers(0, 2, s), r.integers(0, 256, s), (rough(r, s) * 30).astype(int), np.cumsum(r.choice([-1, 1], s), -1)])
    return any_type(r, a, ["i8", "i4", "i2", "f8"])


@kind
def packed_words(r):
    """Several fields in the bits of one number: colours, addresses, cells, flake ids."""
    s = extent(r, [1, 2])
    n = int(np.prod(s))
    g = np.clip(rough(r, s) * 40 + 128, 0, 255).astype("u8")
    rgba = g << 16 | np.roll(g, 1) << 8 | g // 2 | 0xFF << 24
    ip = (np.uint64(10 << 24) | r.integers(0, 9, s).astype("u8") << np.uint64(16) | r.integers(0, 65536, s).astype("u8"))
    morton = sum(((np.arange(n, dtype="u8") >> np.uint64(b)) & np.uint64(1)) << np.uint64(2 * b) for b in range(15)).reshape(s)
    flake = (np.cumsum(r.integers(0, 90, n)).astype("u8") + np.uint64(1_700_000_000_000) << np.uint64(22) | r.integers(0, 4096, n).astype("u8")).reshape(s)
    h3 = (np.uint64(0x8928308280000000) + r.integers(0, 2**24, s).astype("u8") * np.uint64(16))
    return [rgba.astype("u4"), ip.astype("u4"), morton.astype("u4"), flake, h3.astype("u8")][r.integers(5)]


@kind
def interleaved(r):
    """Pairs and triples along the last dimension: re and im, east and north, x, y and z."""
    n, k = int(r.integers(20, 4000)), int(r.choice([2, 2, 3, 4]))
    a = r.choice([np.cumsum(r.normal(size=(n, 4)), 0), r.normal(size=(n, 4)), np.stack([10 * waves(r, (n,)) + j * 100 for j in range(4)], 1)])[:, :k]
    a = a.ravel() if r.random() < 0.4 else a
    return any_type(r, a * r.choice([1, 30]), ["f4", "f8", "i2", "i4"])


@kind
def mesh(r):
    """Triangles of a grid: three numbers of points each."""
    n, m = int(r.integers(3, 40)), int(r.integers(3, 40))
    i = np.arange(n * m).reshape(n, m)
    a = np.concatenate([np.stack([i[:-1, :-1], i[1:, :-1], i[:-1, 1:]], -1).reshape(-1, 3), np.stack([i[1:, 1:], i[1:, :-1], i[:-1, 1:]], -1).reshape(-1, 3)])
    return any_type(r, a if r.random() < 0.6 else a.T, ["i4", "u4", "i8", "u2"])


@kind
def pointers(r):
    """Parts of sparse matrices: where rows begin, and columns that rise in each."""
    n, m = int(r.integers(10, 400)), int(r.integers(10, 900))
    rows = [np.sort(r.choice(m, int(k), replace=False)) for k in np.minimum(r.poisson(8, n), m)]
    return any_type(r, np.cumsum([0] + [len(x) for x in rows]) if r.random() < 0.4 else np.concatenate(rows), ["i4", "i8", "u4"])


@kind
def order_of_rows(r):
    n, m = int(r.integers(3, 200)), int(r.integers(3, 60))
    a = r.normal(size=(n, m))
    return any_type(r, [np.argsort(a, 1), np.sort(a, 1) * 100, np.cumsum(np.abs(a), 1), np.cumsum(np.abs(a), 1) / np.abs(a).sum(1, keepdims=True)][r.integers(4)], ["f4", "f8"])


@kind
def disk(r):
    """An image in a circle, with nothing around it."""
    n = int(r.integers(20, 140))
    x, y = np.indices((n, n)) - n / 2
    a = np.where(np.hypot(x, y) < n * 0.45, rough(r, (n, n)) * 20 + 100, r.choice([0, np.nan, -9999]))
    return any_type(r, a, ["f4", "f8", "i2", "u1"] if np.nanmin(a) >= 0 and not np.isnan(a).any() else ["f4", "f8"])


@kind
def late_starts(r):
    """Series that begin and end at times of their own, with nothing before and after."""
    n, m = int(r.integers(30, 600)), int(r.integers(2, 40))
    a = 10 + np.cumsum(r.normal(size=(n, m)), 0)
    for k in range(m):
        a[: int(r.integers(n)), k] = np.nan
        a[n - int(r.integers(n // 3)) :, k] = np.nan
    return any_type(r, a if r.random() < 0.5 else a.T, ["f4", "f8"])


@kind
def vignette(r):
    """Fields of a microscope, each darker at its edges, in chunks of their own."""
    t, n, m = int(r.choice([8, 12, 16, 20])), int(r.integers(2, 6)), int(r.integers(2, 6))
    x, y = np.indices((t, t)) / (t - 1) - 0.5
    shade = 1 - r.uniform(0.3, 1) * (x**2 + y**2) + r.choice([0, 0.5]) * x
    a = (rough(r, (n * t, m * t)) * 0.1 + 1) * np.tile(shade, (n, m)) * 1000
    return any_type(r, a, ["u2", "f4", "f8"]), {}, {"chunks": (t, t)}


@kind
def bayer(r):
    """A raw picture: red, green and blue pixels alternate."""
    h, w = int(r.integers(6, 70)) * 2, int(r.integers(6, 70)) * 2
    a = rough(r, (h, w)) * 60 + 900
    a[::2, ::2] *= 0.4
    a[1::2, 1::2] *= 0.6
    return any_type(r, a, ["u2", "i4"])


@kind
def interlaced(r):
    n, h, w = int(r.integers(2, 6)), int(r.integers(8, 40)), int(r.integers(8, 40))
    a = np.stack([rough(r, (h, w)) * 30 + 120 for _ in range(n)])
    a[:, 1::2] = np.roll(a[:, 1::2], 3, -1)
    if r.random() < 0.4:
        a[int(r.integers(n))] = 0
    return any_type(r, a.clip(0, 255), ["u1", "u2"])


@kind
def spins(r):
    s = extent(r, [1, 2])
    return any_type(r, np.where(rough(r, s) + r.normal(0, 0.3, s) > 0, 1, -1), ["i1", "i4", "f4", "i8"])


@kind
def mandelbrot(r):
    h, w = int(r.integers(20, 130)), int(r.integers(20, 130))
    z = c = np.linspace(-2, 0.6, w)[None] + 1j * np.linspace(-1.2, 1.2, h)[:, None]
    k = np.zeros((h, w))
    with np.errstate(all="ignore"):
        for _ in range(40):
            k += np.abs(z) < 2
            z = np.where(np.abs(z) < 2, z * z + c, z)
    return any_type(r, k, ["u1", "i4", "u2", "f4"])


@kind
def tables_of_numbers(r):
    n = int(r.integers(8, 90))
    i = np.arange(1, n + 1)
    return any_type(r, [np.outer(i, i), np.gcd.outer(i, i), np.add.outer(i, i) % n, np.outer(i, i) % n, np.stack([r.permutation(n) for _ in i])][r.integers(5)], ["i4", "u2", "f8", "i8"])


@kind
def pulses(r):
    """A square wave, a train of pulses, a chirp, a beat."""
    n, p = int(r.integers(100, 9000)), int(r.choice([4, 10, 16, 50, 64]))
    t = np.arange(n)
    a = [(t % p < p // 2) * 5.0, (t % p == 0) * 1.0, np.sin(t * t / n / 3), np.where(t % p < 3, np.exp(-(t % p) * 1.0), 0), np.sin(t / 5) * np.sin(t / 91), np.sign(np.sin(t / p))][r.integers(6)]
    return any_type(r, a * r.choice([1, 100]), ["f4", "f8", "i2"])


@kind
def neural_spikes(r):
    s = extent(r, [1, 2])
    return any_type(r, (r.random(s) < 0.03) * r.integers(1, 4, s), ["u1", "u2", "f4", "i8"])


@kind
def spectral_blocks(r):
    """Coefficients: large at the origin of each block, small elsewhere."""
    t, n = int(r.choice([8, 16])), int(r.integers(2, 7))
    f = 1 / (1 + np.add.outer(np.arange(t), np.arange(t))) ** 2
    a = r.normal(size=(n * t, n * t)) * np.tile(f, (n, n)) * 1000
    return any_type(r, a, ["f4", "i2", "i4", "f8"]), {}, {"chunks": (t, t)}


@kind
def cube_sphere(r):
    n = int(r.integers(8, 30))
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    o = np.ones_like(x)
    faces = [(o, x, y), (x, o, y), (-x, y, o), (-o, x, -y), (x, -o, y), (x, y, -o)]
    a = np.stack([np.sin(3 * p / np.sqrt(p * p + q * q + s * s) + 1) + q / np.sqrt(p * p + q * q + s * s) for p, q, s in faces])
    return any_type(r, a * 20 + 280, ["f4", "f8"]), {}, {"chunks": (1, n, n)}


@kind
def nested_pixels(r):
    """Pixels of a field in the order of a curve that fills the plane."""
    k = int(r.integers(3, 7))
    n = 2**k
    x, y = np.indices((n, n))
    z = sum(((x >> b) & 1) << (2 * b) | ((y >> b) & 1) << (2 * b + 1) for b in range(k))
    a = np.zeros(n * n)
    a[z.ravel()] = (280 + 9 * waves(r, (n, n))).ravel()
    return any_type(r, a, ["f4", "f8"]), {}, {"chunks": (int(r.choice([16, 64, 256])),)}


@kind
def overlapping(r):
    """Windows of a series that overlap by half."""
    w, k = int(r.choice([8, 16, 32, 64])), int(r.integers(4, 60))
    a = np.cumsum(r.normal(size=w * (k + 2))) + 50
    return any_type(r, np.stack([a[j * w // 2 : j * w // 2 + w] for j in range(k)]), ["f4", "f8"]), {}, {"chunks": (1 if k < 40 else 4, w)}


@kind
def logarithms(r):
    s = extent(r, [1, 2])
    with np.errstate(all="ignore"):
        a = [np.log10(r.poisson(1.5, s)), 1 / r.integers(-3, 4, s), np.log(r.random(s)), 20 * np.log10(np.abs(waves(r, s)))][r.integers(4)]
    return any_type(r, a, ["f4", "f8"])


@kind
def big_floats(r):
    """Floats that are whole and large, or far from zero with small steps: Julian days, northings, money."""
    s = extent(r, [1, 2])
    a = [2451545 + np.arange(np.prod(s)).reshape(s) / 24, 5_400_000 + 1000 * waves(r, s), np.round(r.gamma(2, 1e6, s), 2), r.integers(0, 2**45, s) * 1.0, 1e15 + np.arange(np.prod(s)).reshape(s)][r.integers(5)]
    return a.astype("f8")


@kind
def from_single(r):
    """Numbers that were floats of four bytes, or halves, and are kept as eight."""
    a = 280 + 20 * waves(r, extent(r, [1, 2]))
    return a.astype(r.choice(["f4", "f2"])).astype("f8")


@kind
def one_value(r):
    """One value and nothing else but missing ones, or one that differs."""
    a = np.full(extent(r, [1, 2]), r.choice([0, np.nan, -1]))
    a[r.random(a.shape) < r.choice([0.5, 0.01])] = r.choice([1, 3.7])
    if r.random() < 0.2:
        a.flat[int(r.integers(a.size))] = 12345.5
    return any_type(r, a, ["f4", "f8"])


@kind
def zeros_in_tiles(r):
    """Integers, and tiles of zeros that nobody measured."""
    t, n, m = int(r.choice([4, 8, 10, 16])), int(r.integers(2, 6)), int(r.integers(2, 6))
    a = (rough(r, (n * t, m * t)) * 300 + 1500).clip(1, 65000)
    a[np.kron(r.random((n, m)) < r.choice([0.1, 0.4]), np.ones((t, t))) > 0] = 0
    c = (t, t) if r.random() < 0.5 else (2 * t, 2 * t) if r.random() < 0.5 else (n * t, t)
    return any_type(r, a, ["u2", "i2", "i4", "f4"]), {}, {"chunks": c}


@kind
def orbit(r):
    """Swaths of a satellite: a slanted band, and zeros beside it."""
    n, m = int(r.integers(20, 150)), int(r.integers(20, 150))
    x, y = np.indices((n, m))
    a = np.where(np.abs(y - m / 2 - (x - n / 2) * r.uniform(-1, 1)) < m * r.uniform(0.1, 0.4), 200 + 40 * rough(r, (n, m)), r.choice([0, -999, np.nan]))
    return any_type(r, a, ["f4", "f8"] if np.isnan(a).any() or a.min() < 0 else ["f4", "u2", "i4"])


# --- how they are written: zarr-python ------------------------------------------------------


def chunk_shape(r, s, own=None):
    if own and r.random() < 0.8:
        return tuple(max(1, min(c, n)) for c, n in zip(own, s))
    if not s:
        return ()
    for _ in range(30):
        c = tuple(int(r.integers(1, n + 1)) if n else 1 for n in s)
        how = r.integers(6)
        if how == 0:
            c = tuple(max(1, n) for n in s)
        elif how == 1:
            c = (1, *(max(1, n) for n in s[1:])) if len(s) > 1 else c
        elif how == 2:
            c = tuple(max(1, -(-n // int(r.choice([1, 2, 3, 4])))) for n in s)
        elif how == 3:
            c = tuple(max(1, min(n, int(r.choice([4, 8, 10, 16, 32, 64])))) for n in s)
        elif how == 4:  # larger than the array
            c = tuple(max(1, n + int(r.integers(0, 4))) for n in s)
        if np.prod([-(-max(n, 1) // k) for n, k in zip(s, c)]) <= 90:
            return c
    return tuple(max(1, n) for n in s)


def compressor2(r, t):
    size = max(1, min(t.itemsize, 255))
    pick = r.integers(15)
    if pick < 3:
        return None
    if pick < 8:
        return numcodecs.Blosc(str(r.choice(["lz4", "zstd", "blosclz", "lz4hc", "zlib"])), int(r.integers(1, 8)), int(r.choice([0, 1, 1, 2, -1])), typesize=size)
    return [
        numcodecs.Zlib(int(r.integers(1, 9))), numcodecs.Zstd(int(r.integers(0, 9))), numcodecs.LZ4(), numcodecs.GZip(5), numcodecs.BZ2(3), numcodecs.LZMA(preset=1),
        numcodecs.Zstd(3, checksum=True),
    ][pick - 8]


def narrowed(a):
    """The smallest integers that hold `a`."""
    need(a.dtype.kind in "iu" and a.size)
    for t in ("u1", "i1", "u2", "i2", "u4", "i4"):
        if np.dtype(t).itemsize < a.itemsize and np.iinfo(t).min <= a.min() and a.max() <= np.iinfo(t).max:
            return t
    raise Skip


def offset_scale(r, a, astype=None):
    """FixedScaleOffset, with which `a` keeps its values or loses digits as planned."""
    need(a.dtype.kind == "f" and a.size and np.all(np.isfinite(a)) and a.itemsize > 2)
    low, high = float(a.min()), float(a.max())
    offset = round(low, 2)
    scale = float(r.choice([1, 10, 100, 1000]))
    need(0 < (high - low) * scale < 2e9 and (high - low) * scale > 20 and abs(low) < 1e7)
    top = (high - offset) * scale + 2
    out = "u2" if top < 60_000 else "u4"
    out = out if r.random() < 0.5 else {"u2": "i4", "u4": "i8"}[out]
    if offset > low:
        offset -= 1
    return {"offset": offset, "scale": scale, "dtype": a.dtype.str, "astype": np.dtype(out).newbyteorder("<").str}


def filters2(r, a, d):
    """A chain of filters of numcodecs' documentation that suits the values of `a` (of dtype `d`)."""
    N, k = numcodecs, d.kind
    for _ in range(12):
        try:
            match int(r.integers(15)):
                case 0:
                    need(k in "iu" or k == "f" and np.all(np.isfinite(a)) and np.array_equal(a, np.round(a)) and np.abs(a).max() < 2**20)
                    return [N.Delta(d.str)]
                case 1:
                    conf = offset_scale(r, a)
                    return [N.FixedScaleOffset(**conf), N.Delta(conf["astype"])]
                case 2:
                    return [N.FixedScaleOffset(**offset_scale(r, a))]
                case 3:
                    need(k == "f" and d.itemsize > 2)
                    return [N.Quantize(int(r.integers(1, 5)), d.str)]
                case 4:
                    need(k == "f" and d.isnative)
                    return [N.BitRound(int(r.integers(3, 10)))]
                case 5:
                    need(k == "b")
                    return [N.PackBits()]
                case 6:
                    need(d.itemsize > 1 and k in "iuf")
                    return [N.Shuffle(d.itemsize)]
                case 7:
                    return [[N.Adler32, N.CRC32, N.Fletcher32, N.JenkinsLookup3][int(r.integers(4))]()]
                case 8:
                    t = np.dtype(narrowed(a)).newbyteorder("<")
                    return [N.AsType(t.str, d.str)]
                case 9:
                    conf = offset_scale(r, a)
                    return [N.FixedScaleOffset(**conf), N.Shuffle(np.dtype(conf["astype"]).itemsize)]
                case 10:
                    need(k in "iu" and d.itemsize > 1)
                    return [N.Delta(d.str), N.Shuffle(d.itemsize)]
                case 11:
                    need(k in "iu" and d.itemsize > 1 and a.size and np.abs(np.diff(a.ravel().astype("i8"))).max() < 120 and np.abs(a).max() < 120)
                    return [N.Delta(d.str, astype=d.str[0].replace("|", "<") + "i2")]
                case 12:
                    need(k == "f" and d.itemsize > 2 and d.isnative)
                    return [N.BitRound(int(r.integers(4, 12))), N.Shuffle(d.itemsize)]
                case 13:
                    need(d.itemsize > 1 and k in "iuf")
                    return [N.Shuffle(d.itemsize), N.Fletcher32()]
                case 14:
                    need(k == "f" and d.itemsize == 8 and np.all(np.isfinite(a)) and a.size and np.abs(a).max() < 1e30)
                    return [N.AsType("<f4", d.str)]
        except Skip:
            pass
    return []


def array_to_bytes2(r, a, d):
    """Codecs that stand in the place of the compressor and take numbers."""
    need(a.size and a.ndim and d.kind in "iuf" and d.isnative)
    if r.random() < 0.7:
        need(d.itemsize > 1)
        return numcodecs.PCodec()
    need(d.kind == "f" and d.itemsize > 2 and a.ndim < 5 and np.all(np.isfinite(a)))
    return numcodecs.zfpy.ZFPY(tolerance=1e-3) if r.random() < 0.5 else numcodecs.zfpy.ZFPY(precision=16)


def fill(r, a, v):
    k = a.dtype.kind
    if k == "f":
        return [0.0, np.nan, 0.0, np.nan, -9999.0, 1e20 if a.itemsize > 2 else 0.0, -np.inf][r.integers(7)]
    if k in "iu":
        i = np.iinfo(a.dtype)
        return [0, 0, int(i.max), int(i.min), 7][r.integers(5)]
    if k == "c":
        return [0j, complex(np.nan, np.nan)][r.integers(2)]
    if k in "mM":
        return a.dtype.type("NaT", np.datetime_data(a.dtype)[0])
    if k == "b":
        return bool(r.integers(2))
    return {"O": "", "U": "", "S": b""}.get(k)


def ordered(r, a):
    """`a` with a byte order of its own."""
    if a.dtype.kind in "iufcmMU" and a.itemsize > 1 and r.random() < 0.4:
        return a.astype(a.dtype.newbyteorder(">"))
    if a.dtype.names and r.random() < 0.4:
        return a.astype([(n, a.dtype[n].newbyteorder(">")) for n in a.dtype.names])
    return a


def words(it):
    return re.sub(r"[^a-z0-9]+", "-", it.replace(">", "big-").lower()).strip("-")


def v2(r, path, a, attrs, own):
    a = ordered(r, a)
    d = a.dtype
    filters, comp = None, compressor2(r, d)
    if d.kind == "O":
        filters = [numcodecs.VLenUTF8()]
    elif not d.names and a.size and r.random() < 0.45:
        if r.random() < 0.12:
            try:
                comp = array_to_bytes2(r, a, d)
            except Skip:
                pass
        else:
            filters = filters2(r, a, d) or None
    c = chunk_shape(r, a.shape, own)
    order = str(r.choice(["C", "C", "F"]))
    if r.random() < 0.25 and comp and getattr(comp, "codec_id", "") == "blosc":  # numcodecs' default: the type size is the buffer's
        comp = numcodecs.Blosc(comp.cname, comp.clevel, comp.shuffle)
    if filters and filters[-1].codec_id in ("packbits", "fletcher32", "adler32", "crc32", "jenkins_lookup3", "shuffle") and comp and comp.codec_id == "blosc":
        comp = numcodecs.Blosc(comp.cname, comp.clevel, comp.shuffle, typesize=1 if filters[-1].codec_id != "shuffle" else d.itemsize)
    fill_value = None if r.random() < 0.2 else fill(r, a, 2)
    z = zarr.create_array(
        str(path), shape=a.shape, dtype=str if d.kind == "O" else d, chunks=c, filters=filters, compressors=comp, fill_value=fill_value, order=order, zarr_format=2, attributes=attrs,
        chunk_key_encoding={"name": "v2", "separator": str(r.choice([".", "/"]))}, config={"write_empty_chunks": bool(r.random() < 0.6)},
    )
    z[...] = a
    is_lossy = comp is not None and comp.codec_id == "zfpy" or any(f.codec_id in ("quantize", "bitround", "fixedscaleoffset", "astype", "delta") for f in filters or [])
    same(path, a, not is_lossy)
    return words(f"v2 {d.str if not d.names else 'struct'} {order} {' '.join(f.codec_id for f in filters or [])} {comp.codec_id if comp else 'raw'}")


def filters3(r, a):
    k, d = a.dtype.kind, a.dtype.newbyteorder("<")
    for _ in range(8):
        try:
            match int(r.integers(9)):
                case 0:
                    need(k in "iu")
                    return [v3n.Delta(dtype=d.str)]
                case 1:
                    conf = offset_scale(r, a)
                    return [v3n.FixedScaleOffset(**conf), v3n.Delta(dtype=conf["astype"])]
                case 2:
                    return [v3n.FixedScaleOffset(**offset_scale(r, a))]
                case 3:
                    need(k == "f" and d.itemsize > 2)
                    return [v3n.Quantize(digits=int(r.integers(1, 5)), dtype=d.str)]
                case 4:
                    need(k == "f")
                    return [v3n.BitRound(keepbits=int(r.integers(3, 10)))]
                case 5:
                    need(k == "b")
                    return [v3n.PackBits()]
                case 6:
                    t = np.dtype(narrowed(a)).newbyteorder("<")
                    return [v3n.AsType(encode_dtype=t.str, decode_dtype=d.str)]
                case _:
                    need(a.ndim > 1)
                    return [zarr.codecs.TransposeCodec(order=[int(n) for n in (r.permutation(a.ndim) if r.random() < 0.4 else range(a.ndim - 1, -1, -1))])]
        except Skip:
            pass
    return []


def compressors3(r, size):
    C, pick = zarr.codecs, r.integers(20)
    if pick < 3:
        return []
    if pick < 8:
        return [C.ZstdCodec(level=int(r.integers(0, 8)), checksum=bool(r.random() < 0.3))]
    if pick < 12:
        return [C.BloscCodec(typesize=size, cname=str(r.choice(["lz4", "zstd", "blosclz", "lz4hc", "zlib"])), clevel=int(r.integers(1, 8)), shuffle=str(r.choice(["noshuffle", "shuffle", "bitshuffle"])))]
    if pick == 12:
        return [C.GzipCodec(level=5)]
    if pick == 13:
        return [C.ZstdCodec(), C.Crc32cCodec()]
    if pick == 14:
        return [C.Crc32cCodec()]
    if pick == 15:
        return [v3n.Shuffle(elementsize=size), v3n.Zlib(level=4)]
    if pick == 16:
        return [v3n.Zlib(level=4)]
    return [[v3n.LZ4(), v3n.BZ2(level=3), v3n.LZMA(preset=1), v3n.Adler32(), v3n.CRC32(), v3n.Fletcher32(), v3n.JenkinsLookup3(), v3n.CRC32C()][int(r.integers(8))]]


def v3(r, path, a, attrs, own):
    need(not (a.dtype.kind == "V" and not a.dtype.names))
    d = a.dtype
    size = max(1, min(d.itemsize, 255)) if d.kind != "O" else 1
    filters, serializer, comp = [], "auto", compressors3(r, size)
    if d.kind not in "O" and not d.names and a.size and r.random() < 0.4:
        filters = filters3(r, a)
    if d.kind in "iufcmM" and d.itemsize > 1 and not any("numcodecs" in f.__class__.__module__ for f in filters) and r.random() < 0.4:
        serializer = zarr.codecs.BytesCodec(endian=str(r.choice(["big", "little"])))
    if not filters and d.kind in "iuf" and d.itemsize > 1 and a.size and a.ndim and r.random() < 0.06:
        serializer = v3n.PCodec(level=8)
        comp = [] if r.random() < 0.7 else [zarr.codecs.Crc32cCodec()]
    c = chunk_shape(r, a.shape, own)
    shards = None
    if a.ndim and a.size and r.random() < 0.35 and not any(f.__class__.__name__ == "TransposeCodec" for f in filters):
        per = [int(n) for n in r.integers(1, 5, a.ndim)]
        shards = {"shape": tuple(k * n for k, n in zip(c, per)), "index_location": str(r.choice(["end", "end", "start"]))}
    z = zarr.create_array(
        str(path), shape=a.shape, dtype=d if d.kind != "O" else str, chunks=c, shards=shards, filters=filters or None, serializer=serializer, compressors=comp or None,
        fill_value=fill(r, a, 3), zarr_format=3, attributes=attrs, config={"write_empty_chunks": bool(r.random() < 0.6)},
        chunk_key_encoding={"name": "default", "separator": str(r.choice(["/", "/", "."]))} if r.random() < 0.8 else {"name": "v2", "separator": str(r.choice([".", "/"]))},
        dimension_names=[str(x) for x in r.permutation(list("tzyxcabd"))[: a.ndim]] if r.random() < 0.4 and a.ndim < 9 else None,
    )
    z[...] = a
    is_lossy = any(f.__class__.__name__ in ("FixedScaleOffset", "Quantize", "BitRound") for f in filters)
    same(path, a, not is_lossy)
    name = lambda it: it.__class__.__name__.removesuffix("Codec")
    order = getattr(getattr(serializer, "endian", None), "value", "") if not isinstance(serializer, str) else ""
    return words(f"v3 {d.str if not d.names else 'struct'} {order} {'pcodec' if name(serializer) == 'PCodec' else ''} {'sharded' if shards else ''} {' '.join(map(name, filters))} {' '.join(map(name, comp)) or 'raw'}")


def same(path, a, exactly):
    """zarr-python reads what went in; a filter may take digits, but not turn the values into others."""
    back = zarr.open_array(str(path), mode="r")[...]
    if exactly:
        assert back.shape == a.shape
        if a.dtype.names:
            assert all(np.array_equal(back[n], a[n]) for n in a.dtype.names)
        elif a.dtype.kind in "OUSV":
            assert [str(x) for x in np.ravel(back)] == [str(x) for x in np.ravel(a)], path
        else:
            assert np.array_equal(back, a, equal_nan=a.dtype.kind in "fcmM"), path
    elif a.size and a.dtype.kind == "f":
        with np.errstate(all="ignore"):
            off = np.abs(back.astype("f8") - a)
            known = np.isfinite(off)
            # zarr-python 3.4.2 writes what numcodecs' bitround made of an F-order chunk in C order, and reads it in F order.
            need(not known.any() or np.mean(off[known]) <= 0.3 * np.std(np.asarray(a, "f8")[known]) + 1e-3 * np.mean(np.abs(a[known])) + 1e-9)
            if not np.nanmax(np.where(np.isfinite(off), off, 0)) <= 0.6 * (1 + np.nanmax(np.abs(np.where(np.isfinite(a), a, 0)))):
                raise Skip
    else:
        need(np.array_equal(back, a))


# --- how they are written: others -----------------------------------------------------------

SPECIAL = {}


def special(weight):
    def keep(f):
        SPECIAL[f.__name__] = (f, weight)
        return f
    return keep


def numbers(r, kinds="iuf", rank=None):
    """Values of any kind, and their attributes."""
    for _ in range(200):
        got = KINDS[str(r.choice(list(KINDS)))](r)
        a, attrs, *_ = got if isinstance(got, tuple) else (got, {})
        if a.dtype.kind in kinds and not a.dtype.names and a.size > 3 and (rank is None or a.ndim in rank):
            return a, attrs
    raise Skip


def group(r, path, arrays, v, chunked=None, consolidate=False):
    g = zarr.open_group(str(path), mode="w", zarr_format=v)
    for name, a in arrays.items():
        z = g.create_array(name, shape=a.shape, dtype=a.dtype, chunks=chunked or chunk_shape(r, a.shape), fill_value=0)
        z[...] = a
    if consolidate:
        zarr.consolidate_metadata(str(path))


@special(5)
def same_values(r, path):
    """Arrays of one store that hold the same values, wholly or in some chunks."""
    a, _ = numbers(r, "iuf", (1, 2, 3))
    v, c = int(r.choice([2, 3])), chunk_shape(r, a.shape)
    b = a.copy()
    how = int(r.integers(5))
    if how == 1:  # a corrected version: one part differs
        b[-1:] = b[-1:] * 2
    elif how == 2:
        b = b[::-1].copy() if len(b) > 1 else b
    elif how == 3:  # another step of the same field
        b = np.where(np.indices(a.shape)[0] < max(1, a.shape[0] // 2), a, a + 1).astype(a.dtype)
    elif how == 4 and a.ndim > 1:
        b = np.roll(a, c[0], 0)
    group(r, path, {"a": a, "b": b} if r.random() < 0.7 else {"a": a, "b": b, "c": a}, v, c, r.random() < 0.3)
    return f"v{v}"


@special(2)
def copied_folder(r, path):
    """A copy of an array beside it, as a backup."""
    a, _ = numbers(r, "iuf", (1, 2))
    v = int(r.choice([2, 3]))
    group(r, path, {"a": a}, v)
    shutil.copytree(path / "a", path / str(r.choice(["a_copy", "b", "a_old"])))
    return f"v{v}"


@special(2)
def same_grids(r, path):
    """Arrays of the same grid and type whose values differ."""
    s, v = extent(r, [2, 3], 6000), int(r.choice([2, 3]))
    arrays = {n: (waves(r, s) * 9 + m).astype("f4") for n, m in (("t2m", 280), ("d2m", 275), ("u10", 0))}
    arrays["lsm"] = np.broadcast_to((rough(r, s[-2:]) > 0).astype("f4"), s).copy()
    group(r, path, arrays, v, chunk_shape(r, s), r.random() < 0.5)
    return f"v{v}"


@special(2)
def many_masks(r, path):
    """Masks and quality flags of one grid, alike in most chunks."""
    s, v = (40, 50), int(r.choice([2, 3]))
    g = {f"qc_{n}": (rough(r, s) > 2).astype("u1") for n in "abc"}
    g["ok"] = np.ones(s, "u1")
    g["ok2"] = np.ones(s, "u1")
    group(r, path, g, v, (10, 10))
    return f"v{v}"


@special(3)
def resized(r, path):
    """An array that grew, or to which was appended."""
    v, n, m = int(r.choice([2, 3])), int(r.integers(5, 40)), int(r.integers(3, 30))
    a = waves(r, (3 * n, m)).astype("f4") * 9
    z = zarr.create_array(str(path), shape=(n, m), dtype="f4", chunks=(int(r.integers(2, n + 1)), m), fill_value=np.nan, zarr_format=v)
    z[...] = a[:n]
    z.append(a[n : 2 * n])
    z.resize((3 * n, m))
    if r.random() < 0.7:
        z[2 * n :] = a[2 * n :]
    return f"v{v}"


@special(3)
def partly_written(r, path):
    """An array of which a region was never written."""
    a, _ = numbers(r, "iuf", (1, 2, 3))
    v = int(r.choice([2, 3]))
    z = zarr.create_array(str(path), shape=a.shape, dtype=a.dtype, chunks=chunk_shape(r, a.shape), fill_value=fill(r, a, v), zarr_format=v)
    cut = tuple(slice(0, int(r.integers(1, n + 1))) for n in a.shape)
    z[cut] = a[cut]
    return f"v{v}-{a.dtype.str[1:]}"


@special(2)
def mosaic_in_shards(r, path):
    """Tiles without data that are whole inner chunks of shards, and not stored."""
    n, t, k = int(r.integers(3, 7)), int(r.choice([4, 8])), int(r.choice([1, 2]))
    a = (20 + 9 * waves(r, (n * 2 * t, n * 2 * t))).astype("f4")
    a[np.kron(r.random((2 * n, 2 * n)) < 0.3, np.ones((t, t))) > 0] = np.nan
    z = zarr.create_array(str(path), shape=a.shape, dtype="f4", chunks=(t // 2 // k, t // 2 // k), shards=(2 * t, 2 * t), fill_value=np.nan)
    z[...] = a
    return "v3"


@special(5)
def with_gaps(r, path):
    """Chunks that were never written: checkerboards, rows, columns, diagonals, all but one, at random."""
    a, _ = numbers(r, "iuf", (1, 2, 3))
    v = int(r.choice([2, 3]))
    c = tuple(max(1, -(-n // int(r.integers(2, 6)))) for n in a.shape)
    z = zarr.create_array(str(path), shape=a.shape, dtype=ordered(r, a).dtype, chunks=c, fill_value=fill(r, a, v), zarr_format=v, compressors=None if r.random() < 0.3 else "auto")
    grid = [-(-n // k) for n, k in zip(a.shape, c)]
    at = np.indices(grid)
    keep = [at.sum(0) % 2 == 0, at[0] > 0, at[-1] < max(1, grid[-1] - 1), at[0] == at[-1], at.sum(0) == 0, r.random(grid) < 0.6, at[0] % 2 == 0, ~((at[0] == grid[0] // 2) & (at[-1] == grid[-1] // 2)), at[0] + at[-1] < grid[0]][r.integers(9)]
    for k in np.argwhere(keep):
        region = tuple(slice(i * n, (i + 1) * n) for i, n in zip(k, c))
        z[region] = a[region]
    return f"v{v}-{a.dtype.str[1:]}"


@special(4)
def few_chunks(r, path):
    """One chunk, two, or three, in either byte order and either order of dimensions."""
    a, _ = numbers(r, "iuf", (1, 2, 3))
    n = int(r.integers(1, 4))
    k = int(r.integers(a.ndim))
    c = tuple(max(1, -(-s // n)) if j == k else max(1, s) for j, s in enumerate(a.shape))
    a = ordered(r, a)
    order = str(r.choice(["C", "F"]))
    z = zarr.create_array(str(path), shape=a.shape, dtype=a.dtype, chunks=c, zarr_format=2, order=order, fill_value=None, compressors=compressor2(r, a.dtype), filters=None)
    z[...] = a
    return words(f"v2 {a.dtype.str} {order} {n}")


@special(2)
def pyramid(r, path):
    """An image and its smaller copies, some of them transposed."""
    v, a = int(r.choice([2, 3])), rough(r, (96, 64)) * 30 + 100
    g = zarr.open_group(str(path), mode="w", zarr_format=v)
    for k in (1, 2, 4, 8):
        b = a.reshape(96 // k, k, 64 // k, k).mean((1, 3)).astype(r.choice(["f4", "u1", "u2"]))
        b = b.T if r.random() < 0.5 else b
        z = g.create_array(str(k), shape=b.shape, dtype=b.dtype, chunks=(16, 16), fill_value=0)
        z[...] = b
    return f"v{v}"


def dataset(r):
    import xarray as xr

    n, h, w = int(r.integers(4, 60)), int(r.integers(5, 40)), int(r.integers(5, 50))
    import pandas as pd

    s = (n, h, w)
    t = pd.date_range("2001-01-01", periods=n, freq=str(r.choice(["D", "h", "6h", "MS"])))
    kinds = {
        "t2m": lambda: (("time", "lat", "lon"), (280 + 9 * waves(r, s)).astype("f4"), {"units": "K", "long_name": "2 metre temperature"}),
        "tp": lambda: (("time", "lat", "lon"), r.gamma(0.3, 1e-3, s).astype("f4") * (rough(r, s) > 0), {"units": "m"}),
        "sst": lambda: (("time", "lat", "lon"), np.where(np.broadcast_to(rough(r, s[1:]) > 0, s), np.nan, 15 + 5 * waves(r, s)), {"units": "degC"}),
        "lsm": lambda: (("lat", "lon"), rough(r, s[1:]) > 0),
        "soil": lambda: (("lat", "lon"), r.integers(0, 9, s[1:]).astype("i2"), {"flag_values": np.arange(9, dtype="i2"), "flag_meanings": "a b c d e f g h i"}),
        "name": lambda: (("time",), np.array([f"run {k}" for k in range(n)])),
        "seen": lambda: (("time",), t.to_numpy() + np.timedelta64(90, "m")),
        "gap": lambda: (("time",), np.arange(n).astype("m8[h]").astype("m8[ns]")),
        "count": lambda: (("time", "lat"), r.poisson(4, s[:2])),
        "crs": lambda: ((), np.int32(0), {"grid_mapping_name": "latitude_longitude"}),
    }
    pick = [k for k in kinds if r.random() < 0.5] or ["t2m"]
    coords = {"time": t, "lat": ("lat", np.linspace(-90, 90, h), {"units": "degrees_north", "standard_name": "latitude"}), "lon": ("lon", np.linspace(0, 359, w).astype("f4"), {"units": "degrees_east", "standard_name": "longitude"})}
    ds = xr.Dataset({k: kinds[k]() for k in pick}, coords, {"title": "drawn", "Conventions": "CF-1.8"})
    if "crs" in ds and "t2m" in ds:
        ds.t2m.attrs["grid_mapping"] = "crs"
    return ds


@special(10)
def xarray(r, path):
    v, ds = int(r.choice([2, 3])), dataset(r)
    encoding = {}
    for k, x in ds.data_vars.items():
        if x.dtype.kind == "f" and r.random() < 0.4:
            encoding[k] = {"dtype": "i2", "scale_factor": 0.01, "add_offset": float(np.round(np.nanmean(x), 1)), "_FillValue": -32768} if k != "tp" else {"dtype": "i2", "scale_factor": 1e-6, "add_offset": 0.0, "_FillValue": -32768}
        elif x.dtype.kind == "f" and r.random() < 0.3:
            encoding[k] = {"_FillValue": float(r.choice([-9999.0, 9.969209968386869e36]))}
        if x.ndim and r.random() < 0.6:
            encoding.setdefault(k, {})["chunks"] = chunk_shape(r, x.shape)
    ds.to_zarr(str(path), zarr_format=v, encoding=encoding, consolidated=bool(r.integers(2)))
    if r.random() < 0.3 and not set(ds.data_vars) & {"name", "seen", "gap"}:
        more = ds.assign_coords(time=ds.time + (ds.time[-1] - ds.time[0]) + (ds.time[1] - ds.time[0]))
        more = more.drop_vars([k for k in more.data_vars if "time" not in more[k].dims])
        try:
            more.to_zarr(str(path), append_dim="time", zarr_format=v)
        except Exception:
            raise Skip
    return f"v{v}-{'-'.join(ds.data_vars)}"


@special(4)
def xarray_dask(r, path):
    v, ds = int(r.choice([2, 3])), dataset(r)
    ds = ds.chunk({"time": int(r.integers(2, 30)), "lat": int(r.integers(3, 30))})
    ds.to_zarr(str(path), zarr_format=v, consolidated=True)
    return f"v{v}-{'-'.join(ds.data_vars)}"


@special(2)
def xarray_tree(r, path):
    import xarray as xr

    v = int(r.choice([2, 3]))
    xr.DataTree.from_dict({"/": dataset(r), "/coarse": dataset(r).isel(lat=slice(0, 3)).drop_vars("lat").rename(lat="y", lon="x", time="step")}).to_zarr(str(path), zarr_format=v)
    return f"v{v}"


@special(3)
def dask(r, path):
    import dask.array as da

    a, _ = numbers(r, "iuf", (1, 2, 3))
    v = int(r.choice([2, 3]))
    da.to_zarr(da.from_array(a, chunks=chunk_shape(r, a.shape)), str(path), zarr_format=v)
    return f"v{v}-{a.dtype.str[1:]}"


@special(8)
def anndata(r, path):
    import anndata as ad
    import pandas as pd
    import scipy.sparse as sp

    n, m = int(r.integers(5, 300)), int(r.integers(4, 200))
    x = r.poisson(0.7, (n, m)).astype("f4")
    x = [x, sp.csr_matrix(x), sp.csc_matrix(x), np.log1p(x)][r.integers(4)]
    obs = pd.DataFrame({"kind": pd.Categorical(r.choice(["B", "T", "NK"], n)), "size": r.gamma(2, 400, n), "n": r.integers(0, 50, n), "ok": r.random(n) < 0.8, "batch": r.choice(["a", "b"], n)}, index=[f"cell{k}" for k in range(n)])
    if r.random() < 0.5:
        obs["maybe"] = pd.array([None if r.random() < 0.2 else int(k) for k in r.integers(0, 9, n)], dtype="Int64")
    var = pd.DataFrame({"score": r.normal(size=m)}, index=[f"gene{k}" for k in range(m)])
    a = ad.AnnData(x, obs, var, obsm={"X_pca": r.normal(size=(n, 7)), "X_umap": r.normal(size=(n, 2)).astype("f4")}, uns={"note": "drawn", "k": 5, "colors": np.array(["#ff0000", "#00ff00"])}, layers={"counts": x.copy()})
    if r.random() < 0.4:
        a.obsp["near"] = sp.random(n, n, 0.05, "csr", random_state=int(r.integers(99)))
    if r.random() < 0.3:
        a.raw = a.copy()
    v = int(r.choice([2, 3]))
    ad.settings.zarr_write_format = v
    if r.random() < 0.3 and v == 3:
        ad.settings.auto_shard_zarr_v3 = True
    a.write_zarr(str(path), chunks=(max(1, n // 3), m) if isinstance(x, np.ndarray) and r.random() < 0.4 else None)
    ad.settings.auto_shard_zarr_v3 = False
    return f"v{v}-{type(x).__name__}"


@special(5)
def ome_zarr(r, path):
    from ome_zarr.format import FormatV04, FormatV05
    from ome_zarr.writer import write_image, write_labels

    c, h, w = int(r.integers(1, 4)), int(r.integers(16, 130)), int(r.integers(16, 130))
    a = np.clip((rough(r, (c, h, w)) * 300 + 900), 0, 65535).astype("u2") if r.random() < 0.6 else np.clip(rough(r, (c, h, w)) * 40 + 100, 0, 255).astype("u1")
    fmt = [FormatV04(), FormatV05()][r.integers(2)]
    z = zarr.open_group(str(path), mode="w", zarr_format=fmt.zarr_format)
    write_image(a, z, axes="cyx", fmt=fmt, storage_options={"chunks": (1, int(r.integers(12, 70)), int(r.integers(12, 70)))})
    if r.random() < 0.6:
        write_labels((rough(r, (c, h, w)) > 0.5).astype("i4") * 3, z, name="cells", axes="cyx", fmt=fmt)
    return f"v{fmt.zarr_format}"


def hdf5(r, file):
    """An HDF5 file as netCDF4 and h5py write it."""
    import h5py

    n = int(r.integers(10, 60))
    names = []
    with h5py.File(file, "w") as f:
        for k in range(int(r.integers(1, 4))):
            a, _ = numbers(r, "iuf", (1, 2, 3))
            if r.random() < 0.4:
                a = np.round(a * 3).astype(r.choice(["f8", "f4"]))
                need(np.all(np.isfinite(a)))
            if r.random() < 0.2:
                a = a.astype(a.dtype.newbyteorder(">"))
            how = [{}, {"shuffle": True, "compression": "gzip"}, {"shuffle": True, "compression": "gzip"}, {"compression": "gzip"}, {"shuffle": True, "compression": "gzip", "fletcher32": True}][r.integers(5)]
            d = f.create_dataset(f"v{k}", data=a, chunks=tuple(map(min, a.shape, chunk_shape(r, a.shape))) if how or r.random() < 0.5 else None, **how)
            if r.random() < 0.3:
                d.attrs["units"] = "K"
            names.append(d)
        for j, n in enumerate(sorted({n for d in names for n in d.shape})):
            dim = f.create_dataset(f"dim{n}", data=np.arange(n, dtype="f8"))
            dim.make_scale(f"dim{n}")
        for d in names:
            if len(set(d.shape)) < d.ndim:  # xarray warns of a dimension that comes twice
                continue
            for j, n in enumerate(d.shape):
                d.dims[j].attach_scale(f[f"dim{n}"])
    return file


@special(6)
def kerchunk_read(r, path):
    """What kerchunk says of an HDF5 file, its references read out into files: the metadata is kerchunk's, the chunks are the file's."""
    from kerchunk.hdf import SingleHdf5ToZarr

    source = str(path) + ".h5"
    try:
        hdf5(r, source)
        refs = SingleHdf5ToZarr(source, inline_threshold=int(r.choice([0, 100]))).translate()["refs"]
        for key, what in refs.items():
            (path / key).parent.mkdir(parents=True, exist_ok=True)
            if isinstance(what, list):
                with open(what[0], "rb") as f:
                    f.seek(what[1] if len(what) > 1 else 0)
                    data = f.read(what[2]) if len(what) > 1 else f.read()
            else:
                import base64

                text = what if isinstance(what, str) else json.dumps(what)
                data = base64.b64decode(text[7:]) if text.startswith("base64:") else text.encode()
            (path / key).write_bytes(data)
    finally:
        Path(source).unlink(missing_ok=True)
    return "hdf5"


@special(2)
def kerchunk_parquet(r, path):
    """A folder of references as Parquet, with `record_size` in its .zmetadata."""
    from fsspec.implementations.reference import LazyReferenceMapper
    from kerchunk.df import refs_to_dataframe
    from kerchunk.hdf import SingleHdf5ToZarr

    source = path.parent / f"{path.name}.h5"
    try:
        hdf5(r, str(source))
        refs = SingleHdf5ToZarr(str(source), inline_threshold=int(r.choice([0, 100]))).translate()
        path.mkdir(parents=True)
        refs_to_dataframe(refs, str(path), record_size=int(r.choice([3, 100, 10000])))
    finally:
        source.unlink(missing_ok=True)
    return "parquet"


def put(path, document):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, indent=4))


@special(8)
def object_codecs(r, path):
    """Objects behind the codecs for them, as zarr-python 2 wrote them."""
    N, n = numcodecs, int(r.integers(3, 300))
    c = int(r.integers(1, n + 1))
    need(n / c < 60)
    comp = [None, N.Zstd(3), N.Blosc("lz4", 5, 1), N.GZip(1), N.LZ4()][r.integers(5)]
    texts = lambda: np.array([str(x) for x in r.choice(WORDS, n)], object)
    things = lambda: np.array([[1, 2.5, "x", None, [1, 2], {"a": 1}][k] if k < 4 else {"k": int(k)} for k in r.integers(0, 6, n)] + [None], object)[:n]
    which = int(r.integers(9))
    dtype = "|O"
    if which == 0:
        a, codecs, fv = texts(), [N.VLenUTF8()], ""
    elif which == 1:
        a, codecs, fv = np.array([x.encode() for x in texts()], object), [N.VLenBytes()], ""
    elif which == 2:
        a, codecs, fv = texts(), [N.JSON()], ""
    elif which == 3:
        a, codecs, fv = things(), [N.JSON()], None
    elif which == 4:
        a, codecs, fv = texts(), [N.get_codec({"id": "msgpack2"}) if "msgpack2" in N.registry.codec_registry else N.JSON()], ""
    elif which == 5:
        a, codecs, fv = texts(), [N.Pickle(protocol=int(r.choice([3, 4, 5])))], None
    elif which == 6:
        own = sorted(set(WORDS) - {""})
        a, codecs, fv = np.array([str(x) for x in r.choice(own, n)], object), [N.Categorize(own, "|O", str(r.choice(["|u1", "<u2", "<i4"])))], ""
    elif which == 7:
        own = ["north", "south", "liver"]
        a, codecs, fv, dtype = np.array(list(r.choice(own, n)), "U6"), [N.Categorize(own, "<U6", "|u1")], "", "<U6"
    else:
        a = np.empty(n, object)
        a[:] = [np.arange(k, dtype="i4") * 3 for k in r.integers(0, 7, n)]
        codecs, fv = [N.VLenArray("<i4")], None
    put(path / ".zarray", {"zarr_format": 2, "shape": [n], "chunks": [c], "dtype": dtype, "compressor": comp and comp.get_config(), "fill_value": fv, "order": "C", "filters": [x.get_config() for x in codecs]})
    for k in range(-(-n // c)):
        part = np.full(c, fv if fv != "" or codecs[0].codec_id != "vlen-bytes" else b"", dtype=object if dtype == "|O" else dtype)
        if codecs[0].codec_id == "vlen-array":
            part[:] = [np.zeros(0, "i4")] * c
        part[: len(a[k * c : k * c + c])] = a[k * c : k * c + c]
        buf = part
        for x in codecs:
            buf = x.encode(buf)
        buf = comp.encode(buf) if comp else buf
        (path / str(k)).write_bytes(bytes(memoryview(np.ascontiguousarray(buf)).cast("B")) if not isinstance(buf, (bytes, bytearray)) else bytes(buf))
    return words(f"{codecs[0].codec_id} {comp.codec_id if comp else 'raw'}")


@special(3)
def rioxarray(r, path):
    import rioxarray  # noqa: F401
    import xarray as xr

    a, _ = numbers(r, "uif", (2,))
    need(a.dtype.kind == "f" or a.itemsize < 8)
    ds = xr.DataArray(a, dims=("y", "x"), coords={"y": np.arange(a.shape[0])[::-1] * 30.0 + 5e6, "x": np.arange(a.shape[1]) * 30.0 + 4e5}, name="band")
    ds = ds.rio.write_crs("EPSG:32633").rio.write_transform().to_dataset()
    v = int(r.choice([2, 3]))
    ds.to_zarr(str(path), zarr_format=v)
    return f"v{v}-{a.dtype.str[1:]}"


# --- the draw -------------------------------------------------------------------------------


REFUSED = collections.Counter()


def draw(seed, at, out):
    """Store number `at` of a seed."""
    names = list(KINDS)
    for attempt in range(60):
        r = np.random.default_rng([seed, at, attempt])
        tmp = out / f"tmp{at}"
        shutil.rmtree(tmp, ignore_errors=True)
        try:
            if at % 4 == 3:
                weights = np.array([w for _, w in SPECIAL.values()], float)
                who = str(r.choice(list(SPECIAL), p=weights / weights.sum()))
                how = SPECIAL[who][0](r, tmp)
            else:
                who = names[(at - at // 4) % len(names)]
                got = KINDS[who](r)
                a, attrs, more = (*got, {}, {})[:3] if isinstance(got, tuple) else (got, {}, {})
                a = np.asarray(a)
                how = (v2 if r.random() < 0.5 else v3)(r, tmp, a, attrs, more.get("chunks"))
            name = f"{at:05d}_{who}_{how}"[:110]
            shutil.rmtree(out / name, ignore_errors=True)
            tmp.rename(out / name)
            return name
        except Exception as refused:  # also what the library does not write so
            if not isinstance(refused, Skip):
                REFUSED[f"{who}: {type(refused).__name__}: {str(refused)[:90]}"] += 1
            shutil.rmtree(tmp, ignore_errors=True)
    raise RuntimeError(f"nothing drawn for {at}: {who}, {REFUSED}")


# --- the figure -----------------------------------------------------------------------------


def alarms(program, store):
    """The lines that should not be printed about a healthy store: (kind, line)."""
    found = []
    try:
        run = subprocess.run([program, "check", "--json", str(store)], capture_output=True, text=True, timeout=120)
        if run.returncode not in (0, 1) or not run.stdout:
            found.append(("check fails", (run.stderr or str(run.returncode)).strip()[:300]))
        for line in map(json.loads, run.stdout.splitlines()):
            cause = line.get("diagnosis")
            if cause:
                text = " ".join([cause["sentence"], *cause["evidence"]])
                found.append((f"cause {cause['cause']}", text[:400]))
            elif line.get("severity") in ("error", "warning"):
                found.append((f"{line['severity']} {line.get('code')}", " ".join(str(line.get(k)) for k in ("path", "field", "found", "expected", "fix") if line.get(k))[:400]))
        run = subprocess.run([program, "endian", "--json", str(store)], capture_output=True, text=True, timeout=120)
        for line in json.loads(run.stdout or "[]"):
            if line.get("differs"):
                found.append(("endian DIFFERS", f"{line.get('path')} {line.get('data_type')} " + " ".join(line.get("evidence") or [])[:400]))
    except subprocess.TimeoutExpired:
        found.append(("takes too long", ""))
    return found


def measure(program, out):
    stores = sorted(p for p in out.iterdir() if p.is_dir())
    by_line, by_kind, all_kinds, bad = collections.Counter(), collections.Counter(), collections.Counter(), 0
    with ThreadPoolExecutor(2) as pool:
        for store, found in zip(stores, pool.map(lambda p: alarms(program, p), stores)):
            of = store.name.split("_", 1)[1].rsplit("_", 1)[0]
            all_kinds[of] += 1
            bad += bool(found)
            for what, line in found:
                print(store.name, "|", what, "|", line)
            by_line.update(dict.fromkeys((what for what, _ in found), 1))
            by_kind[of] += bool(found)
    print("\nstores by kind of line:", *(f"  {n:5} {what}" for what, n in by_line.most_common()), sep="\n")
    print("by kind of value:", ", ".join(f"{what} {n} of {all_kinds[what]}" for what, n in by_kind.most_common() if n))
    print(f"{bad} of {len(stores)} stores with an alarm")


def pack(archive, stores):
    """Adds stores to an archive; the name of each begins with that of the folder that it was drawn into."""
    kept = {}
    if archive.exists():
        with zipfile.ZipFile(archive) as z:
            kept = {name: z.read(name) for name in z.namelist()}
    for store in map(Path, stores):
        for p in store.rglob("*"):
            if p.is_file():
                kept[f"{store.parent.name}-{store.name}/{p.relative_to(store).as_posix()}"] = p.read_bytes()
    with zipfile.ZipFile(archive, "w") as z:
        for name in sorted(kept):
            z.writestr(zipfile.ZipInfo(name, (2026, 1, 1, 0, 0, 0)), kept[name], zipfile.ZIP_DEFLATED, 9)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("what", nargs="*")
    p.add_argument("--run")
    p.add_argument("--only")
    p.add_argument("--pack", action="store_true")
    o = p.parse_args()
    if o.pack:
        return pack(Path(o.what[0]), o.what[1:])
    out = Path(o.what[-1])
    if len(o.what) > 1:
        seed, n, out = int(o.what[0]), int(o.what[1]), Path(o.what[2])
        if not o.only:
            shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True, exist_ok=True)
        for at in map(int, o.only.split(",")) if o.only else range(n):
            draw(seed, at, out)
        for what, times in REFUSED.most_common():
            print(f"drawn again {times} times:", what, file=sys.stderr)
    if o.run:
        measure(o.run, out)


main()
