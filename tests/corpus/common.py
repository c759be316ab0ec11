"""What every generator of the corpus shares: seeded data and the record of expected values.

Each ``make_*.py`` owns some stores (folders or ZIP files below this folder). It makes them anew,
reads every array back with the library that wrote it, and puts one line an array into
``expected.jsonl`` in place of the lines it wrote last time.
"""

from __future__ import annotations

import base64
import hashlib
import json
import pathlib
import shutil
import sys
import time

import numpy as np

time.time = lambda: 1704164646.0  # gzip stores the time: the same bytes each run
HERE = pathlib.Path(__file__).resolve().parent
EXPECTED = HERE / "expected.jsonl"


def smooth(n: int, dtype, seed: int = 0) -> np.ndarray:
    """``n`` slowly changing values with a little noise: they compress, but not to nothing."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng([seed, n])
    i = np.arange(n)
    if dtype.kind == "c":
        return (i / 8 + 1j * (100 - i) / 4).astype(dtype)
    if dtype.kind == "f":
        return (np.round(np.cumsum(rng.integers(-3, 4, n)) / 8, 3)).astype(dtype)
    if dtype.kind in "iu":
        span = min(100, np.iinfo(dtype).max)
        return ((i // 5 + rng.integers(0, 3, n)) % span).astype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, n).astype(dtype)
    if dtype.kind in "mM":
        return (i * 3600 + rng.integers(0, 60, n)).astype("i8").view(dtype.newbyteorder("="))\
            .astype(dtype)
    if dtype.kind in "SU":
        words = ["", "a", "bc", "def", "grün", "日本"] if dtype.kind == "U" else ["", "a", "bc", "def"]
        return np.array([words[j] for j in rng.integers(0, len(words), n)]).astype(dtype)
    return np.frombuffer(rng.bytes(n * dtype.itemsize), dtype=dtype).copy()


def noise(n: int, dtype, seed: int = 1) -> np.ndarray:
    """``n`` values of random bits: incompressible, NaN payloads and all."""
    dtype = np.dtype(dtype)
    rng = np.random.default_rng([seed, n, 77])
    return np.frombuffer(rng.bytes(n * dtype.itemsize), dtype=dtype).copy()


def little(values: np.ndarray) -> np.ndarray:
    """The same values in C order with every component little-endian."""
    return np.ascontiguousarray(values).astype(values.dtype.newbyteorder("<"), copy=False)


def plain(value):
    """One value of a variable-length type as JSON: bytes as base64, arrays as lists."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode()
    if isinstance(value, np.ndarray):
        return [plain(v) for v in value.tolist()]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


class Recorder:
    """Collects the expected lines of one generator and merges them into ``expected.jsonl``."""

    def __init__(self, by: str, *stores: str):
        self.by, self.stores, self.lines, self.skipped = by, stores, [], []
        for store in stores:
            path = HERE / store
            if path.is_dir():
                shutil.rmtree(path)
            elif path.exists():
                path.unlink()

    def add(self, store, path, zarr_format, values, dtype=None, **more):
        """Record ``values``; None where there is nothing that a reader should give."""
        line = {"store": store, "path": path, "zarr_format": zarr_format, "shape": None,
                "dtype": None, "values_sha256_le": None}
        if values is not None:
            values = np.asarray(values)
            line["shape"] = list(values.shape)
            line["dtype"] = dtype if dtype is not None else descr(values.dtype)
            if values.dtype.kind in "OT":
                line["values"] = [plain(v) for v in values.ravel(order="C").tolist()] \
                    if values.dtype.kind == "O" else values.ravel().tolist()
            else:
                raw = little(values).tobytes()
                line["values_sha256_le"] = hashlib.sha256(raw).hexdigest()
                if len(raw) <= 64:
                    line["values_hex_le"] = raw.hex()
        line.update(more)
        line["by"] = more.get("by", self.by)
        self.lines.append(line)

    def skip(self, name, why):
        """Remember that ``name`` could not be made."""
        self.skipped.append((name, why))

    def write(self):
        """Merge into ``expected.jsonl`` and say what was done."""
        old = EXPECTED.read_text().splitlines() if EXPECTED.exists() else []
        kept = [json.loads(x) for x in old if x]
        kept = [x for x in kept if x["store"] not in self.stores] + self.lines
        kept.sort(key=lambda x: (x["store"], x["path"]))
        EXPECTED.write_text("".join(json.dumps(x, ensure_ascii=True) + "\n" for x in kept))
        print(f"{len(self.lines)} arrays by {self.by}", file=sys.stderr)
        for name, why in self.skipped:
            print(f"  not made: {name}: {why}", file=sys.stderr)


def descr(dtype: np.dtype):
    """NumPy's name of a data type as JSON: a string, or a list of fields for a structure."""
    if dtype.names is None:
        return "|O" if dtype.kind in "OT" else dtype.str
    out = []
    for name in dtype.names:
        field = dtype.fields[name][0]
        entry = [name, descr(field.base)]
        if field.shape:
            entry.append(list(field.shape))
        out.append(entry)
    return out
