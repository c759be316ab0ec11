"""Reads the array at PATH whole with zarr-python, and prints seconds, processor seconds and the peak of memory in MiB.

    python read_zarr.py PATH

See benches/read.rs, which runs it.
"""

import resource
import sys
import time

import zarr

cpu, start = time.process_time(), time.perf_counter()
values = zarr.open_array(sys.argv[1], mode="r")[...]
seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
print(seconds, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
