"""Passes over a whole array with zarr-python and NumPy: PASS PATH OTHER; the last line is the cost, as benches/pass.rs reads it."""

import hashlib
import resource
import sys
import time

import numpy as np
import zarr


def statistics(a):
    finite = np.isfinite(a)
    numbers = a[finite].astype(np.float64)
    return a.min(), a.max(), numbers.mean(), numbers.std(), np.isnan(a).sum(), (a == 0).sum()


def digest(a):
    """The content digest that zarrscope defines: see `src/zarr/digest.rs`."""
    elements = np.ascontiguousarray(a, dtype=a.dtype.newbyteorder("<")).reshape(-1)
    total = 0
    for number, start in enumerate(range(0, elements.size, 1 << 17)):
        block = elements[start : start + (1 << 17)].tobytes() + number.to_bytes(8, "little")
        total += int.from_bytes(hashlib.sha256(block).digest(), "little")
    return (total % (1 << 256)).to_bytes(32, "little").hex()


def main():
    name, path, other = sys.argv[1:]
    started, before = time.perf_counter(), time.process_time()
    a = zarr.open_array(path, mode="r")[:]
    if name == "stats":
        print(statistics(a))
    elif name == "compare":
        b = zarr.open_array(other, mode="r")[:]
        print(int((a != b).sum()))
    elif name == "digest":
        print(digest(a))
    wall, cpu = time.perf_counter() - started, time.process_time() - before
    print(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


main()
