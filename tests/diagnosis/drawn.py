"""Make stores at random, each with one fault, and their clean twins: a blind figure for the causes of `check`.

    /path/to/venv/bin/python drawn.py SEED N OUT [PROGRAM]     # zarr 3.4.2, numcodecs 0.16
    /path/to/venv/bin/python drawn.py keep ZIP OUT/NAME ...     # packs stores: drawn.zip has those that once were missed

With PROGRAM, a zarrscope, each store is checked by it: a line says whether the cause was named, something was seen, or
nothing; a cause on a clean twin is a false alarm. A seed is blind once: after a look at what was missed, take another.

An array of the kind that people have (values, data type, rank, chunk grid, format, codecs) is drawn at random, then a fault
that its rule below says an informed reader can see in it, and the store is edited as it happens in real life. OUT holds
NAME/fault and NAME/clean for each, and cases.json: a pattern for the words of the causes or codes that count as named,
written down before anything is measured. Every clean store is read with zarr-python and compared with the values that
went in.
"""

import base64, copy, importlib.metadata, json, re, shutil, struct, subprocess, sys, zipfile, zlib
from pathlib import Path

known = importlib.metadata.version
def version(name):
    if name == "zfpy":  # numcodecs cannot read the version of 1.0.1.post0
        raise importlib.metadata.PackageNotFoundError
    return known(name)
importlib.metadata.version = version

import google_crc32c, numcodecs, numpy as np, zarr

numcodecs.blosc.use_threads = False
MAX = 2**64 - 1
NEVER = (1 << 64) - 1


# --- values: what people keep ---------------------------------------------------------


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
    out = np.fft.ifftn(np.fft.fftn(r.normal(size=shape)) / f ** r.uniform(1.4, 2.2)).real
    return (out - out.mean()) / (out.std() or 1)

def extent(r, ranks, most=400_000):
    rank = int(r.choice(ranks))
    n = int(np.exp(r.uniform(np.log(1500), np.log(most))))
    if rank == 1:
        return (min(n, 60_000) // 4 + 90,)
    w = r.uniform(0.5, 1.6, rank)
    if rank >= 3:
        w[0] = r.uniform(0.2, 0.6)
    w *= rank / w.sum()
    return tuple(max(3, int(round(n ** (x / rank)))) for x in w)

def k_field(r):
    s = extent(r, [1, 2, 2, 2, 3, 3, 4])
    base, size = [(283, 15), (0, 12), (101325, 900), (0.01, 0.004), (0.3, 0.2), (-40, 20), (1e-6, 4e-7), (5500, 300)][r.integers(8)]
    a = base + size * waves(r, s) + size * r.choice([0, 0.001, 0.01]) * r.normal(size=s)
    return a.astype(r.choice(["f4", "f4", "f8"])), {"units": "1"}

def k_sea(r):
    a, at = k_field(r)
    if a.ndim < 2:
        raise Skip
    a[rough(r, a.shape[-2:])[(None,) * (a.ndim - 2)].repeat(1, 0) * np.ones(a.shape) > 0.8] = np.nan
    return a, at

def k_packed(r):
    s = extent(r, [2, 3, 3])
    return np.round(waves(r, s) * r.choice([800, 6000, 20000]) * 0.9).astype("i2"), {"scale_factor": 0.01, "add_offset": 273.15}

def k_image(r):
    s = extent(r, [2, 2, 3])
    t = r.choice(["u1", "u1", "u2", "u2"])
    a = 0.5 + 0.3 * rough(r, s) / 2.5 + 0.15 * waves(r, s)
    top = 255 if t == "u1" else int(r.choice([4095, 65535]))
    return np.clip(a * top + r.normal(0, top / 400, s), 0, top).astype(t), {}

def k_rgb(r):
    h, w = int(r.integers(60, 300)), int(r.integers(60, 300))
    grey = rough(r, (h, w)) * 30
    return np.clip(np.stack([grey + 110 + 25 * waves(r, (h, w)) + 20 * k for k in range(3)], -1), 0, 255).astype("u1"), {}

def k_elevation(r):
    s = extent(r, [2])
    return (rough(r, s) * r.choice([150, 900]) + 600).astype(r.choice(["i2", "f4", "i4"])), {"units": "m"}

def k_counts(r):
    s = extent(r, [1, 2, 3])
    return r.poisson(np.exp(2.5 * waves(r, s) + r.uniform(3, 6))).astype(r.choice(["u2", "i4", "u4", "i8"])), {}

def k_time(r):
    n = int(r.integers(200, 20000))
    step, start, t = [(3600, 1262304000, "i8"), (1, 0, "i8"), (6, 438000, "i4"), (0.25, 18262, "f8"), (1, 36524, "f8")][r.integers(5)]
    return (start + step * np.arange(n)).astype(t), {"units": "hours since 1970-01-01"}

def k_axis(r):
    n = int(r.integers(90, 4000))
    return np.linspace(*[(-90, 90), (90, -90), (0, 359.75), (-180, 179.5)][r.integers(4)], n).astype(r.choice(["f4", "f8"])), {"units": "degrees_north"}

def k_walk(r):
    s = extent(r, [1])
    a = np.cumsum(r.normal(size=s)) * 3 + 100
    t = r.choice(["f8", "f4", "i4"])
    return (np.round(a * 50) if t == "i4" else a).astype(t), {}

def k_labels(r):
    s = extent(r, [2, 2, 3])
    a = rough(r, s) if r.random() < 0.5 else waves(r, s)
    return np.digitize(a, np.quantile(a, np.linspace(0, 1, int(r.integers(4, 20)))[1:-1])).astype(r.choice(["u1", "u2", "i4", "i8"])), {}

def k_mask(r):
    s = extent(r, [2])
    return rough(r, s) > 0.2, {}

def k_complex(r):
    s = extent(r, [1, 2])
    return (waves(r, s) * 40 * np.exp(1j * 3 * waves(r, s))).astype(r.choice(["c8", "c16"])), {}

def k_half(r):
    s = extent(r, [2, 3])
    return (waves(r, s) * r.choice([1, 30]) + r.choice([0, 0, 100])).astype("f2"), {}

def k_struct(r):
    n = int(r.integers(400, 9000))
    fields = [("id", "<i4"), ("t", "<f8"), ("x", "<f4"), ("y", "<f4"), ("flag", "u1"), ("n", "<u2"), ("k", "<i8")]
    pick = sorted(r.choice(7, int(r.integers(3, 6)), replace=False))
    a = np.zeros(n, [fields[k] for k in (pick if r.random() < 0.5 else r.permutation(pick))])
    for name in a.dtype.names:
        a[name] = {"id": np.arange(n) + 1000, "t": 1.6e9 + np.arange(n) * 0.5, "x": 40 * waves(r, (n,)) + 7, "y": 300 + 9 * waves(r, (n,)),
                   "flag": r.integers(0, 3, n), "n": 500 + 90 * waves(r, (n,)), "k": 10**9 + np.arange(n) * 7}[name]
    return a, {}

WORDS = ["Zürich", "Genève", "Orléans", "Málaga", "København", "Łódź", "Bern", "Oslo", "Straße 7", "Tromsø", "station", "São Paulo"]
def k_fixed(r):
    n = int(r.integers(60, 3000))
    if r.random() < 0.5:
        return np.array([f"st{k * 37:06d}".encode() for k in range(n)], r.choice(["S8", "S12"])), {}
    return np.array([WORDS[k] for k in r.integers(0, 12, n)], r.choice(["U9", "U12"])), {}

def k_texts(r):
    n = int(r.integers(60, 3000))
    a = np.empty(n, object)
    a[:] = [" ".join(WORDS[j] for j in r.integers(0, 10, int(r.integers(1, 5)))) for _ in range(n)]
    return a, {}

def k_dates(r):
    n = int(r.integers(100, 8000))
    unit = r.choice(["s", "ns", "D"])
    return (np.datetime64("2001-03-01", unit) + np.arange(n) * np.timedelta64(1, "D")).astype(f"M8[{unit}]"), {}

KINDS = {n[2:]: f for n, f in list(globals().items()) if n.startswith("k_")}
# Measured: neighbours are alike in every direction, so that a wrong reading shows.
MEASURED = {"field", "sea", "packed", "image", "rgb", "elevation", "counts", "half", "complex", "walk", "time", "axis"}


# --- stores -----------------------------------------------------------------------------


class Skip(Exception):
    """The fault would not show in this store."""

def crc32c(b): return google_crc32c.value(bytes(b)).to_bytes(4, "little")

def as_bytes(b):
    return b if isinstance(b, bytes) else bytes(b) if isinstance(b, bytearray) else np.ascontiguousarray(b).tobytes()

def morton(grid):
    code = lambda at: sum(((x >> b) & 1) << (b * len(at) + k) for k, x in enumerate(at) for b in range(12))
    return sorted(np.ndindex(*grid), key=code)

class Store:
    """What an array is, and how it is written: a fault is often a store that is written by one and described by another."""

    def but(self, **changes):
        new = copy.copy(self)
        new.__dict__.update(copy.deepcopy({k: v for k, v in changes.items() if k != "data"}))
        if "data" in changes:
            new.data = changes["data"]
        return new

    grid = property(lambda s: tuple(-(-n // c) for n, c in zip(s.data.shape, s.chunks)))
    places = property(lambda s: list(np.ndindex(*s.grid)))
    count = property(lambda s: int(np.prod(s.grid)))

    def fill_array(self):
        if self.data.dtype == object:
            return ""
        if self.data.dtype.names or self.data.dtype.kind in "SUM":
            return np.zeros((), self.data.dtype)[()]
        return np.nan if self.fill == "NaN" else self.fill[0] if isinstance(self.fill, list) else self.fill

    def part(self, at):
        part = self.data[tuple(slice(i * c, i * c + c) for i, c in zip(at, self.chunks))]
        whole = np.full(self.chunks, self.fill_array(), self.data.dtype)
        whole[tuple(slice(0, n) for n in part.shape)] = part
        return whole

    def encode(self, chunk):
        if self.v == 3:
            return self.through(chunk, self.codecs)
        buf = chunk.astype(chunk.dtype.newbyteorder(">")) if self.big and chunk.dtype != object else chunk
        buf = np.ascontiguousarray(buf.T if self.order == "F" else buf).reshape(-1)
        for f in self.filters or []:
            buf = numcodecs.get_codec(f).encode(buf)
        return as_bytes(numcodecs.get_codec(self.compressor).encode(buf) if self.compressor else buf)

    def through(self, data, codecs):
        for c in codecs:
            name, conf = c["name"], c.get("configuration", {})
            if name == "transpose": data = np.ascontiguousarray(data.transpose(conf["order"]))
            elif name == "bytes": data = data.astype(data.dtype.newbyteorder(">" if conf.get("endian") == "big" else "<")).tobytes()
            elif name == "vlen-utf8": data = as_bytes(numcodecs.VLenUTF8().encode(data.reshape(-1)))
            elif name == "zstd": data = numcodecs.Zstd(level=3, checksum=conf.get("checksum", False)).encode(data)
            elif name == "gzip": data = numcodecs.GZip(level=5).encode(data)
            elif name == "numcodecs.zlib": data = numcodecs.Zlib(level=1).encode(data)
            elif name == "blosc":
                kind = {"noshuffle": 0, "shuffle": 1, "bitshuffle": 2}[conf["shuffle"]]
                data = numcodecs.Blosc(conf["cname"], 5, kind).encode(np.frombuffer(data, f"V{conf['typesize']}"))
            elif name == "crc32c": data = bytes(data) + crc32c(data)
            elif name == "sharding_indexed": data = self.shard(data, conf)
            else: raise ValueError(name)
        return as_bytes(data)

    def shard(self, data, conf):
        inner = self.but(data=data, chunks=tuple(conf["chunk_shape"]))
        grid, start = inner.grid, conf["index_location"] == "start"
        crc = any(c["name"] == "crc32c" for c in conf["index_codecs"])
        size = 16 * inner.count + 4 * crc
        parts, at_byte, index = [], size if start else 0, np.full((*grid, 2), MAX, "u8")
        for at in morton(grid) if self.is_morton else np.ndindex(*grid):
            chunk = inner.part(at)
            if np.all(chunk == self.fill_array()):
                continue
            part = self.through(chunk, conf["codecs"])
            index[at] = (at_byte, len(part))
            at_byte += len(part)
            parts.append(part)
        big = conf["index_codecs"][0]["configuration"]["endian"] == "big"
        raw = index.astype(">u8" if big else "<u8").tobytes()
        raw += crc32c(raw) if crc else b""
        return raw + b"".join(parts) if start else b"".join(parts) + raw

    def type(self):
        t = self.data.dtype
        if self.v == 2:
            t = t.newbyteorder(">") if self.big else t
            return "|O" if t == object else [list(d) for d in t.descr] if t.names else t.str
        if t == object: return "string"
        if t.kind == "S": return {"name": "null_terminated_bytes", "configuration": {"length_bytes": t.itemsize}}
        if t.kind == "U": return {"name": "fixed_length_utf32", "configuration": {"length_bytes": t.itemsize}}
        if t.kind == "M": return {"name": "numpy.datetime64", "configuration": {"unit": np.datetime_data(t)[0], "scale_factor": 1}}
        if t.names: raise Skip
        return t.name

    def document(self):
        shape, chunks = list(self.data.shape), list(self.chunks)
        if self.v == 2:
            return {"zarr_format": 2, "shape": shape, "chunks": chunks, "dtype": self.type(), "compressor": self.compressor,
                    "fill_value": self.fill, "order": self.order, "filters": self.filters, "dimension_separator": self.sep}
        return {"zarr_format": 3, "node_type": "array", "shape": shape, "data_type": self.type(),
                "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunks}},
                "chunk_key_encoding": {"name": self.keys, "configuration": {"separator": self.sep}},
                "fill_value": self.fill, "codecs": self.codecs, "attributes": self.attrs}

    def key(self, at):
        return self.sep.join((["c"] if self.v == 3 and self.keys == "default" else []) + [str(i) for i in at])

    def write(self, path, only=None):
        put(path, self.document(), self)
        for at in self.places:
            part = self.part(at)
            if (only and at not in only) or (self.is_sparse and np.all(part == self.fill_array())):
                continue
            lay(path / self.key(at), self.encode(part))

def put(path, document, s=None):
    lay(path / (".zarray" if document["zarr_format"] == 2 else "zarr.json"), json.dumps(document, indent=2).encode())
    if s is not None and s.v == 2 and s.attrs:
        lay(path / ".zattrs", json.dumps(s.attrs, indent=2).encode())

def lay(file, data):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)

BYTES = lambda big=False: {"name": "bytes", "configuration": {"endian": "big" if big else "little"}}
ZS3, GZ3, CRC3 = {"name": "zstd", "configuration": {"level": 3, "checksum": False}}, {"name": "gzip", "configuration": {"level": 5}}, {"name": "crc32c"}

def compressors(r, width):
    return [None, {"id": "zlib", "level": 1}, {"id": "gzip", "level": 5}, {"id": "zstd", "level": 3}, {"id": "lz4", "acceleration": 1}, {"id": "bz2", "level": 5},
            {"id": "blosc", "cname": str(r.choice(["lz4", "zstd", "zlib"])), "clevel": 5, "shuffle": int(r.integers(0, 3)), "blocksize": 0},
            {"id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0}]

def codec3(r, width):
    blosc = {"name": "blosc", "configuration": {"typesize": width, "cname": str(r.choice(["lz4", "zstd"])), "clevel": 5,
             "shuffle": str(r.choice(["noshuffle", "shuffle", "bitshuffle"])), "blocksize": 0}}
    return [[], [ZS3], [GZ3], [blosc], [ZS3, CRC3], [CRC3], [ZS3]][r.integers(7)]

def draw(r):
    s = Store()
    s.kind = str(r.choice(list(KINDS)))
    s.data, s.attrs = KINDS[s.kind](r)
    t, width = s.data.dtype, s.data.dtype.itemsize
    s.v, s.is_sparse, s.is_morton = int(r.choice([2, 3])), False, r.random() < 0.5
    s.big = t.itemsize > 1 and t.kind in "iufc" and r.random() < 0.2
    pieces = [int(r.choice([1, 2, 3, 4, 5, 7])) if k < 3 else 1 for k in range(s.data.ndim)]
    s.chunks = tuple(max(1, -(-n // p)) if r.random() < 0.6 else max(1, min(n, int(n / p * r.uniform(0.75, 1.0)))) for n, p in zip(s.data.shape, pieces))
    if s.kind == "rgb":
        s.chunks = (*s.chunks[:2], 3)
    s.fill = "" if t == object or t.kind in "SU" else None if t.names else 0 if t.kind in "iuM" else False if t.kind == "b" else [0.0, 0.0] if t.kind == "c" else r.choice([0.0, 0.0, np.nan])
    s.fill = "NaN" if s.fill != s.fill else s.fill if not isinstance(s.fill, np.floating) else float(s.fill)
    if s.v == 2:
        s.sep, s.order = str(r.choice([".", ".", "/"])), "F" if s.data.ndim > 1 and r.random() < 0.25 else "C"
        s.compressor = compressors(r, width)[r.integers(8)]
        s.filters = None
        code = (">" if s.big else "<") + t.str[1:]
        if t == object:
            s.filters = [{"id": "vlen-utf8"}]
        elif t.kind in "iu" and r.random() < 0.25:
            s.filters = [{"id": "delta", "dtype": code, "astype": code}]
        elif t.kind == "f" and width > 2 and s.kind == "field" and r.random() < 0.2:
            spread = float(np.ptp(s.data)) or 1.0
            s.filters = [{"id": "fixedscaleoffset", "scale": round(20000 / spread, 6), "offset": float(np.round(np.mean(s.data), 3)), "dtype": code, "astype": "<i2"}]
            s.data = numcodecs.get_codec(s.filters[0]).decode(numcodecs.get_codec(s.filters[0]).encode(s.data)).reshape(s.data.shape).astype(t)
        if width > 1 and t.kind in "iuf" and (s.compressor or {}).get("id") != "blosc" and r.random() < 0.4:
            s.filters = (s.filters or []) + [{"id": "shuffle", "elementsize": 2 if s.filters and s.filters[-1]["id"] == "fixedscaleoffset" else width}]
        if t.kind in "fiu" and s.filters is None and r.random() < 0.08:
            s.filters = [{"id": "crc32"}] if r.random() < 0.5 else [{"id": "fletcher32"}]
        s.fill = "AAAA" and None if t.names else "" if t.kind in "SU" else s.fill if t.kind != "c" else [0.0, 0.0]
        s.attrs = dict(s.attrs)
        s.keys, s.codecs = "v2", None
        if t.kind == "M": s.fill = 0
    else:
        s.keys, s.sep = [("default", "/"), ("default", "/"), ("default", "."), ("v2", ".")][r.integers(4)]
        s.order, s.filters, s.compressor = "C", None, None
        first = [{"name": "vlen-utf8"}] if t == object else [BYTES(s.big)] if width > 1 or t.kind in "SUM" else [{"name": "bytes"}]
        if s.data.ndim > 1 and r.random() < 0.2:
            order = [int(x) for x in r.permutation(s.data.ndim)]
            first = [{"name": "transpose", "configuration": {"order": order}}] + first
        s.codecs = first + codec3(r, 1 if t == object else width)
        if s.data.ndim > 1 and t != object and s.kind != "rgb" and r.random() < 0.35:
            inner = [max(1, c // int(r.choice([1, 2, 2, 3, 4]))) for c in s.chunks]
            s.chunks = tuple(i * max(1, -(-c // i)) for i, c in zip(inner, s.chunks))
            index = [BYTES(), CRC3] if r.random() < 0.85 else [BYTES()]
            s.codecs = [{"name": "sharding_indexed", "configuration": {"chunk_shape": inner, "codecs": s.codecs, "index_codecs": index,
                         "index_location": str(r.choice(["end", "end", "start"]))}}]
    if not 1 <= s.count <= 200 or np.prod(s.chunks) < 24:
        raise Skip
    s.sharding = s.codecs[0]["configuration"] if s.v == 3 and s.codecs[0]["name"] == "sharding_indexed" else None
    s.smooth = s.kind in MEASURED
    return s

def verify(s, path):
    got = np.asarray(zarr.open_array(path, mode="r", zarr_format=s.v)[:])
    want = s.data
    if want.dtype == object:
        assert [str(x) for x in got.ravel()] == list(want.ravel())
    elif want.dtype.kind == "U":
        assert [str(x) for x in got.ravel()] == [str(x) for x in want.ravel()]
    else:
        assert np.array_equal(got, want, equal_nan=want.dtype.kind in "fc"), (s.kind, s.document())


# --- faults -------------------------------------------------------------------------------
# Each gets the random numbers, the store, and the folder of the fault, which is a copy of the clean one. It returns the
# words that count as named, or raises Skip where no informed reader could see the fault.


FAULTS = {}
def fault(f):
    FAULTS[f.__name__] = f
    return f

def need(truth):
    if not truth:
        raise Skip

def redo(s, p, at=None, how=None):
    """Writes chunks again: all, or those `at`, by another store `how`."""
    for place in at if at is not None else s.places:
        lay(p / s.key(place), (how or s).encode((how or s).part(place)))

def some(r, s, most=0.3):
    """All chunks, one, or a few."""
    k = r.choice(3)
    places = [a for a in s.places]
    if k == 0 or len(places) == 1: return places
    n = 1 if k == 1 else max(1, int(len(places) * most))
    return [places[i] for i in r.choice(len(places), n, replace=False)]

def files(s, p, at):
    return [f for f in (p / s.key(a) for a in at) if f.exists()]

def endless(codecs, change):
    """The codecs with a change of the innermost list."""
    return [{**c, "configuration": {**c["configuration"], "codecs": change(c["configuration"]["codecs"])}} if c["name"] == "sharding_indexed" else c for c in codecs] if codecs[0]["name"] == "sharding_indexed" else change(codecs)

def retype(s, p, new):
    """Declares another data type."""
    d = s.document()
    if s.v == 2:
        d["dtype"] = (">" if s.big else "<" if np.dtype(new).itemsize > 1 else "|") + np.dtype(new).str[1:]
    else:
        d["data_type"] = np.dtype(new).name
    kind = np.dtype(new).kind
    d["fill_value"] = 0 if kind in "iu" else [0.0, 0.0] if kind == "c" else 0.0
    if s.v == 3 and not s.sharding and any(c["name"] == "bytes" and "configuration" not in c for c in d["codecs"]):
        d["codecs"] = [BYTES() if c["name"] == "bytes" else c for c in d["codecs"]]
    put(p, d)

def numeric_filters(s): return [f["id"] for f in s.filters or [] if f["id"] in ("delta", "fixedscaleoffset")]

@fault
def dtype_same_width(r, s, p):  # floats are never plausible integers and back; signs show where values cross 0 or the middle
    need(s.smooth and not numeric_filters(s))
    t = s.data.dtype.str[1:]
    need(t != "f2" or s.data.min() < 0 < s.data.max())  # those of one sign are plausible integers
    a = s.data[np.isfinite(s.data)] if s.data.dtype.kind == "f" else s.data
    crosses = s.data.dtype.kind in "iu" and (a.min() < 0 < a.max() if s.data.dtype.kind == "i" else a.min() < 2 ** (8 * a.itemsize - 1) < a.max())
    choices = {"f4": ["i4", "u4"], "f8": ["i8", "u8"], "i4": ["f4"], "i8": ["f8"], "u4": ["f4"], "f2": ["i2", "u2"], "c8": ["f8", "i8"],
               "i2": ["u2"] if crosses else [], "u2": ["i2"] if crosses else [], "u1": ["i1"] if crosses else []}.get(t, [])
    need(choices)
    retype(s, p, r.choice(choices))
    return "^data-type$"

@fault
def dtype_other_width(r, s, p):  # the lengths show it whatever the values are
    need(s.data.dtype.kind in "iufc" and s.kind not in ("mask",) and not s.filters and not (s.compressor or {}).get("id") == "lz4")
    t = s.data.dtype.str[1:]
    new = {"f4": ["f8", "i2", "f2"], "f8": ["f4", "i4"], "i2": ["i4", "f4", "u1"], "u2": ["u1", "u4", "f4"], "u1": ["u2", "i4"], "i4": ["i2", "i8", "f8"],
           "u4": ["u2", "u8"], "i8": ["i4", "f4"], "f2": ["f4", "f8"], "c8": ["f4", "c16"], "c16": ["c8"]}.get(t)
    need(new)
    retype(s, p, r.choice(new))
    return "^data-type$"

@fault
def byte_order(r, s, p):  # numbers of two bytes or more that are alike, or small
    need(s.data.dtype.kind in "iufcUM" and s.data.dtype.itemsize > 1 and not numeric_filters(s) and len(np.unique(s.data)) > 1)
    need(s.smooth or s.kind in ("labels", "dates", "fixed"))
    if s.v == 2:
        d = s.document()
        t = d["dtype"]
        put(p, {**d, "dtype": {"<": ">", ">": "<"}[t[0]] + t[1:]})
    else:
        need(s.data.dtype.kind != "U")
        put(p, {**s.document(), "codecs": endless(s.codecs, lambda cs: [BYTES(not s.big) if c["name"] == "bytes" else c for c in cs])})
    return "^byte-order$"

@fault
def order_wrong(r, s, p):  # two long dimensions in a chunk; pictures and fields of any type are sheared by it
    need(s.data.ndim > 1 and sum(c > 3 for c in s.chunks) > 1 and s.kind in MEASURED | {"labels"} and not numeric_filters(s))
    if s.sharding:
        need(sum(c > 3 for c in s.sharding["chunk_shape"]) > 1)
    if s.v == 2:
        put(p, {**s.document(), "order": "C" if s.order == "F" else "F"})
        return "^(order|transposed)$"
    def change(cs):
        if cs[0]["name"] == "transpose":
            need(cs[0]["configuration"]["order"] != list(range(s.data.ndim)))
            return cs[1:]
        return [{"name": "transpose", "configuration": {"order": list(range(s.data.ndim))[::-1]}}] + cs
    put(p, {**s.document(), "codecs": endless(s.codecs, change)})
    return "^(order|transposed)$"

@fault
def shape_swapped(r, s, p):  # keys that the grid does not have
    need(s.data.ndim > 1)
    k = s.data.ndim
    shape = list(s.data.shape)
    shape[-1], shape[-2] = shape[-2], shape[-1]
    need(tuple(-(-n // c) for n, c in zip(shape, s.chunks)) != s.grid)
    put(p, {**s.document(), "shape": shape})
    return "^shape$"

@fault
def chunks_wrong(r, s, p):  # as above, or other lengths
    need(not s.sharding and s.count > 1)
    c = list(s.chunks)
    if s.data.ndim > 1 and c[-1] != c[-2] and r.random() < 0.5:
        c[-1], c[-2] = c[-2], c[-1]
    else:
        k = int(r.integers(s.data.ndim))
        need(c[k] > 5)
        c[k] = int(r.choice([c[k] * 2, max(2, c[k] // 2)]))
    need(s.smooth or s.data.ndim == 1 or np.prod(c) != np.prod(s.chunks))
    d = s.document()
    if s.v == 2: d["chunks"] = c
    else: d["chunk_grid"]["configuration"]["chunk_shape"] = c
    put(p, d)
    return "^chunk-shape$"

@fault
def shape_stale(r, s, p):  # the writer appended, and died before it told: keys that the grid does not have
    need(s.grid[0] > 2)
    put(p, {**s.document(), "shape": [s.chunks[0] * (s.grid[0] - 1), *s.data.shape[1:]]})
    return "^shape$"

@fault
def shuffle_size(r, s, p):
    need(s.smooth and any(f["id"] == "shuffle" for f in s.filters or []))
    size = [f for f in s.filters if f["id"] == "shuffle"][0]["elementsize"]
    new = int(r.choice([x for x in (2, 4, 8) if x != size]))
    put(p, {**s.document(), "filters": [{**f, "elementsize": new} if f["id"] == "shuffle" else f for f in s.filters]})
    return "^filter$"

@fault
def filter_lost(r, s, p):
    need(s.smooth and s.filters and s.data.size > 200)
    gone = int(r.integers(len(s.filters)))
    need(not (s.filters[gone]["id"] == "delta" and s.data.dtype.kind == "f"))
    rest = [f for k, f in enumerate(s.filters) if k != gone] or None
    put(p, {**s.document(), "filters": rest})
    return "^(filter|codec|checksum)$" if s.filters[gone]["id"] in ("crc32", "fletcher32") else "^filter$"

@fault
def filter_added(r, s, p):
    need(s.smooth and s.v == 2 and s.data.dtype.kind in "iuf" and s.data.itemsize > 1 and not s.filters)
    kind = r.choice(["shuffle", "delta"]) if s.data.dtype.kind in "iu" else "shuffle"
    put(p, {**s.document(), "filters": [{"id": "shuffle", "elementsize": s.data.itemsize} if kind == "shuffle" else {"id": "delta", "dtype": s.type(), "astype": s.type()}]})
    return "^filter$"

@fault
def filters_reordered(r, s, p):
    need(s.smooth and len(s.filters or []) == 2 and s.filters[0]["id"] != "fixedscaleoffset")
    put(p, {**s.document(), "filters": s.filters[::-1]})
    return "^filter$"

@fault
def codec_lost(r, s, p):
    d = s.document()
    if s.v == 2:
        need(s.compressor)
        d["compressor"] = None
    else:
        inner = s.sharding["codecs"] if s.sharding else s.codecs
        need(len(inner) > 1 and inner[-1]["name"] not in ("bytes", "vlen-utf8", "transpose"))
        d["codecs"] = endless(s.codecs, lambda cs: cs[:-1])
    put(p, d)
    return "^(codec|checksum)$"

@fault
def codec_added(r, s, p):
    d = s.document()
    if s.v == 2:
        need(not s.compressor)
        d["compressor"] = [c for c in compressors(r, s.data.itemsize) if c][r.integers(7)]
    else:
        inner = s.sharding["codecs"] if s.sharding else s.codecs
        need(inner[-1]["name"] in ("bytes", "vlen-utf8"))
        d["codecs"] = endless(s.codecs, lambda cs: cs + [[ZS3], [GZ3], [CRC3], [ZS3, CRC3]][r.integers(4)])
    put(p, d)
    return "^(codec|checksum)$"

@fault
def codec_other(r, s, p):
    d = s.document()
    if s.v == 2:
        need(s.compressor)
        d["compressor"] = r.choice([c for c in compressors(r, s.data.itemsize) if c and c["id"] != s.compressor["id"]])
    else:
        inner = s.sharding["codecs"] if s.sharding else s.codecs
        need(inner[-1]["name"] in ("zstd", "gzip", "blosc"))
        d["codecs"] = endless(s.codecs, lambda cs: cs[:-1] + [GZ3 if cs[-1]["name"] != "gzip" else ZS3])
    put(p, d)
    return "^codec$"

@fault
def struct_aligned(r, s, p):
    need(s.data.dtype.names)
    aligned = np.dtype(s.data.dtype.descr, align=True)
    need(aligned.itemsize != s.data.dtype.itemsize)
    redo(s, p, how=s.but(data=s.data.astype(aligned)))
    return "^struct$"

@fault
def struct_swapped(r, s, p):  # fields of other kinds; a byte beside an integer makes another plausible integer
    need(s.data.dtype.names)
    descr = s.data.dtype.descr
    k = int(r.integers(len(descr) - 1))
    need(descr[k][1] != descr[k + 1][1] and not ({descr[k][0], descr[k + 1][0]} < {"n", "flag", "id", "k"} and "flag" in (descr[k][0], descr[k + 1][0])))
    descr[k], descr[k + 1] = descr[k + 1], descr[k]
    put(p, {**s.document(), "dtype": [list(x) for x in descr]})
    return "^struct$"

@fault
def index_location(r, s, p):
    need(s.sharding)
    other = {"end": "start", "start": "end"}[s.sharding["index_location"]]
    put(p, {**s.document(), "codecs": [{"name": "sharding_indexed", "configuration": {**s.sharding, "index_location": other}}]})
    return "^shard-index$"

@fault
def index_checksum(r, s, p):
    need(s.sharding)
    has = len(s.sharding["index_codecs"]) > 1
    put(p, {**s.document(), "codecs": [{"name": "sharding_indexed", "configuration": {**s.sharding, "index_codecs": [BYTES()] if has else [BYTES(), CRC3]}}]})
    return "^shard-index$"

@fault
def edge_trimmed(r, s, p):
    edges = [a for a in s.places if any(i * c + c > n for i, c, n in zip(a, s.chunks, s.data.shape))]
    need(edges and not s.sharding and s.data.dtype != object)
    for a in edges:
        part = s.data[tuple(slice(i * c, i * c + c) for i, c in zip(a, s.chunks))]
        lay(p / s.key(a), s.encode(np.ascontiguousarray(part)))
    return "^edge-chunks$"

def rename(s, p, new):
    old = {a: (p / s.key(a)).read_bytes() for a in s.places if (p / s.key(a)).exists()}
    for a in old: (p / s.key(a)).unlink()
    for d in sorted((x for x in p.rglob("*") if x.is_dir()), reverse=True):
        if not any(d.iterdir()): d.rmdir()
    for a, b in old.items(): lay(p / new(a), b)

@fault
def keys_other(r, s, p):  # another encoding or separator
    if s.v == 2:
        need(s.data.ndim > 1 or r.random() < 0.3)
        other = s.but(sep="/" if s.sep == "." else ".") if s.data.ndim > 1 and r.random() < 0.6 else s.but(v=3, keys="default", sep="/")
    else:
        other = s.but(keys="v2" if s.keys == "default" else "default", sep=str(r.choice(["/", "."])))
    need(other.key(s.places[-1]) != s.key(s.places[-1]))
    rename(s, p, other.key)
    return "^chunk-keys$"

@fault
def keys_edited(r, s, p):  # padded, swapped or counted from one
    pre = s.key(s.places[0])[: -len(s.sep.join("0" * s.data.ndim))]
    text = lambda parts: pre + s.sep.join(parts)
    kind = r.choice(["padded", "swapped", "one"])
    if kind == "padded":
        rename(s, p, lambda a: text([f"{i:03d}" for i in a]))
    elif kind == "swapped":
        need(s.data.ndim > 1 and (s.grid != s.grid[::-1] or (s.smooth and s.count > 3)))
        rename(s, p, lambda a: text([str(i) for i in a[::-1]]))
    else:
        need(s.count > 1)
        rename(s, p, lambda a: text([str(i + 1) for i in a]))
    return "^(chunk-keys|transposed)$"

@fault
def text_mode(r, s, p):
    at, n = some(r, s), 0
    for f in files(s, p, at):
        b = f.read_bytes()
        n += b.count(b"\n")
        f.write_bytes(b.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        need(b"\r\n" not in b)
    need(n)
    return "^text-mode$"

@fault
def utf16(r, s, p):
    for f in files(s, p, some(r, s)): f.write_bytes(f.read_bytes().decode("latin-1").encode(str(r.choice(["utf-16", "utf-16-le"]))))
    return "^text-mode$"

@fault
def utf8(r, s, p):
    for f in files(s, p, some(r, s)):
        b = f.read_bytes()
        need(max(b) > 127)
        f.write_bytes(b.decode("latin-1").encode("utf-8"))
    return "^text-mode$"

@fault
def base_64(r, s, p):
    how = [base64.b64encode, base64.encodebytes, lambda b: b"base64:" + base64.b64encode(b), base64.urlsafe_b64encode][r.integers(4)]
    for f in files(s, p, some(r, s)): f.write_bytes(how(f.read_bytes()))
    return "^base64$"

PAGES = [b"<!DOCTYPE html>\n<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>", b"<html><body>404 Not Found</body></html>\n",
         b'<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>', b'{"error": {"code": 403, "message": "forbidden"}}',
         b"version https://git-lfs.github.com/spec/v1\noid sha256:" + b"4d7a" * 16 + b"\nsize 12345\n", b"/annex/objects/SHA256E-s1048576--" + b"9c1f" * 16 + b"\n",
         b"Not Found", b"404: Not Found", b"Internal Server Error\n"]
@fault
def page(r, s, p):
    b = PAGES[r.integers(len(PAGES))]
    for f in files(s, p, some(r, s)): f.write_bytes(b)
    return "^not-data$"

@fault
def zeros(r, s, p):  # the length is kept: told only where the values or the codec do not allow zeros
    need(s.compressor or s.v == 3 and not s.sharding and len(s.codecs) > 1 and s.codecs[-1]["name"] not in ("bytes", "crc32c"))
    for f in files(s, p, some(r, s)): f.write_bytes(bytes(f.stat().st_size))
    return "^(not-data|truncated|lost-write)$"

@fault
def truncated(r, s, p):
    for f in files(s, p, some(r, s)):
        b = f.read_bytes()
        need(len(b) > 40)
        f.write_bytes(b[: int(r.choice([len(b) // 2, len(b) * 9 // 10, len(b) - 1, max(1, len(b) // 4096 * 4096)]))] if r.random() < 0.9 else b"")
        need(f.stat().st_size < len(b))
    return "^truncated$"

@fault
def appended(r, s, p):
    kind = r.integers(4)
    for f in files(s, p, some(r, s)):
        b = f.read_bytes()
        f.write_bytes(b + [b"\n", bytes(int(r.integers(1, 600))), b, b[len(b) // 3 :]][kind])
    return "^appended$"

@fault
def other_array(r, s, p):  # another type or shape, so that lengths or codecs show it; or other values beside smooth ones
    t = None
    while t is None:
        try: t = draw(r)
        except Skip: pass
    if r.random() < 0.5:
        need(s.smooth and s.data.dtype.kind in "if" and s.count > 1)
        t = s.but(data=(s.data.astype("f8") * 0 + (waves(r, s.data.shape) * 7 + 50) * float(np.nanstd(s.data.astype("f8")) or 1)).astype(s.data.dtype))
    need(s.count > 1 and (t.data.dtype != s.data.dtype or t.chunks != s.chunks or s.smooth))
    base = p.parent
    group = lambda q: lay(q / (".zgroup" if s.v == 2 else "zarr.json"), json.dumps({"zarr_format": 2} if s.v == 2 else {"zarr_format": 3, "node_type": "group", "attributes": {}}).encode())
    for q in (base / "clean", p):
        shutil.move(q, base / "tmp"); q.mkdir(); shutil.move(base / "tmp", q / "a"); group(q)
        t.write(q / "b")
    a, b = s.places[r.integers(s.count)], t.places[r.integers(t.count)]
    if t.chunks == s.chunks and t.data.dtype == s.data.dtype: b = a
    shutil.copy(p / "b" / t.key(b), p / "a" / s.key(a))
    need((p / "a" / s.key(a)).read_bytes() != (base / "clean" / "a" / s.key(a)).read_bytes())
    return "^other-array$"

@fault
def chunk_moved(r, s, p):  # smooth data with whole chunks on all sides
    need(s.smooth and s.count >= 4 and s.kind not in ("counts",) and min(c for c in s.chunks if c > 1) > 5)
    whole = [a for a in s.places if all(i * c + c <= n for i, c, n in zip(a, s.chunks, s.data.shape))]
    need(len(whole) > 2)
    i, j = r.choice(len(whole), 2, replace=False)
    one, two = p / s.key(whole[i]), p / s.key(whole[j])
    x, y = one.read_bytes(), two.read_bytes()
    need(x != y)
    if r.random() < 0.5:
        two.write_bytes(x)
        return "^chunk-(copied|swapped)$"
    one.write_bytes(y); two.write_bytes(x)
    return "^chunk-swapped$"

@fault
def strings_latin1(r, s, p):
    need(s.data.dtype == object)
    for a in s.places:
        t = [x.encode("latin-1", "replace") for x in s.part(a)]
        raw = struct.pack("<I", len(t)) + b"".join(struct.pack("<I", len(x)) + x for x in t)
        lay(p / s.key(a), as_bytes(numcodecs.get_codec(s.compressor).encode(raw) if s.compressor else raw) if s.v == 2 else s.through(raw, s.codecs[1:]))
    return "^text-encoding$"

@fault
def strings_utf16(r, s, p):
    need(s.data.dtype == object)
    for a in s.places:
        t = [x.encode("utf-16-le") for x in s.part(a)]
        raw = struct.pack("<I", len(t)) + b"".join(struct.pack("<I", len(x)) + x for x in t)
        lay(p / s.key(a), as_bytes(numcodecs.get_codec(s.compressor).encode(raw) if s.compressor else raw) if s.v == 2 else s.through(raw, s.codecs[1:]))
    return "^text-encoding$"

@fault
def object_codec(r, s, p):
    need(s.data.dtype == object and s.v == 2)
    redo(s, p, how=s.but(filters=[[{"id": "json2"}, {"id": "msgpack2"}, {"id": "pickle", "protocol": 4}][r.integers(3)]]))
    return "^object-codec$"

@fault
def bit_flip(r, s, p):
    inner = s.sharding["codecs"] if s.sharding else s.codecs
    need((s.v == 3 and inner[-1]["name"] == "crc32c") or any(f["id"] in ("crc32", "fletcher32") for f in s.filters or []) and not s.compressor)
    f = files(s, p, [s.places[r.integers(s.count)]])[0]
    b = bytearray(f.read_bytes())
    end = len(b) - (16 * 64 if s.sharding else 0)
    need(end > 64)
    b[int(r.integers(8, end // 2))] ^= 1 << int(r.integers(8))
    f.write_bytes(b)
    return "^bit-flip$"

@fault
def fill_wrong(r, s, p):  # a fill value that the type cannot hold, or one that is not the one in the data
    need(s.data.dtype.kind in "iuf")
    d = s.document()
    if s.data.dtype.kind in "iu":
        d["fill_value"] = [2 ** (8 * s.data.itemsize), "NaN", 0.5, [0]][r.integers(4)]
    else:
        d["fill_value"] = [["NaN"], "nan", "none", {"value": 0}][r.integers(4)]
    put(p, d)
    return "fill|text:fill_value"

@fault
def packed_otherwise(r, s, p):  # a region was packed with another scale and offset than the attributes have
    need(s.kind == "packed" and s.count >= 4 and s.grid[0] > 1 and s.chunks[0] > 3)
    v = s.data * 0.01 + 273.15
    other = s.but(data=np.clip(np.round((v - 250.0) / 0.02), -32767, 32767).astype("i2"))
    row = int(r.integers(1, s.grid[0]))
    redo(s, p, [a for a in s.places if a[0] >= row] if r.random() < 0.6 else [s.places[r.integers(s.count)]], other)
    return "^packing$"

@fault
def race(r, s, p):  # parts of a writer's tasks that were lost, across chunks: only in data that have no fill values
    need(s.smooth and s.kind not in ("counts", "time", "axis", "sea", "rgb", "half") and s.data.ndim > 1 and s.count >= 4 and not s.sharding)
    k = int(np.argmax(s.chunks))
    c, hit = s.chunks[k], 0
    need(c >= 8 and not np.any(s.data == s.fill_array()) and np.nanmin(np.abs(s.data)) > np.nanstd(s.data) * 0.2)
    task = int(r.integers(c // 2 + 1, c))
    for a in s.places:
        if r.random() < 0.5 or any(i * c + c > n for i, c, n in zip(a, s.chunks, s.data.shape)): continue
        part = s.part(a)
        of = (a[k] * c + np.arange(c)) // task
        cut = [slice(None)] * s.data.ndim
        cut[k] = of == (of[0] if r.random() < 0.5 else of[-1])
        need(not cut[k].all())
        part[tuple(cut)] = s.fill_array()
        lay(p / s.key(a), s.encode(part)); hit += 1
    need(hit > 3)
    return "^(race|lost-write)$"

@fault
def page_lost(r, s, p):  # a crash: the end of a raw chunk is zeros from a page on
    raw = s.v == 2 and not s.compressor and not s.filters or s.v == 3 and not s.sharding and len(s.codecs) == 1
    need(raw and s.smooth and s.data.dtype.kind in "fiu" and not np.any(s.data == 0))
    f = files(s, p, [s.places[r.integers(s.count)]])[0]
    b = f.read_bytes()
    need(len(b) > 8192)
    at = int(r.integers(1, len(b) // 4096)) * 4096
    f.write_bytes(b[:at] + bytes(len(b) - at))
    need(not np.array_equal(zarr.open_array(p, mode="r", zarr_format=s.v)[:], s.data, equal_nan=s.data.dtype.kind == "f"))  # seen in the array
    return "^lost-write$"

@fault
def temporary(r, s, p):
    at = [s.places[i] for i in r.choice(s.count, min(s.count, int(r.integers(1, 4))), replace=False)]
    kind = int(r.integers(6))
    for f in files(s, p, at):
        b = f.read_bytes()
        name = [f.name + ".partial", f.name + "." + "".join(r.choice(list("0123456789abcdef"), 32)) + ".partial", f.name + ".tmp", "." + f.name + ".Xk3Q9z",
                f.name + ".part", f.name + ".crdownload"][kind]
        f.unlink()
        f.with_name(name).write_bytes(b[: max(1, len(b) // 2)])
    return "^interrupted-write$"


# --- the draw -------------------------------------------------------------------------------


def main(seed, n, out):
    out = Path(out)
    shutil.rmtree(out, ignore_errors=True)
    r, cases, bag, tries = np.random.default_rng(seed), {}, [], 0
    while len(cases) < n:
        if not bag:  # every kind of fault once before any comes again
            bag = [str(x) for x in r.permutation(list(FAULTS))]
        tries += 1
        if tries > 400:  # rare: another one
            print("no store for", bag.pop()); tries = 0; continue
        name = f"{len(cases):02d}_{bag[-1]}"
        base = out / name
        try:
            s = draw(r)
            s.write(base / "clean")
            verify(s, base / "clean")
            shutil.copytree(base / "clean", base / "fault")
            words = FAULTS[bag[-1]](r, s, base / "fault")
            need(any((base / "fault" / f.relative_to(base / "clean")).read_bytes() != f.read_bytes() if (base / "fault" / f.relative_to(base / "clean")).exists() else True
                     for f in (base / "clean").rglob("*") if f.is_file()))
        except Skip:
            shutil.rmtree(base, ignore_errors=True)
            continue
        cases[name] = f"re:{words}"
        how = f"{s.filters or ''} {(s.compressor or {}).get('id', '')}{s.order}" if s.v == 2 else " ".join(c["name"] for c in s.codecs) + (" of " + " ".join(c["name"] for c in s.sharding["codecs"]) if s.sharding else "")
        print(name, words, "|", s.kind, s.data.dtype.str if not s.data.dtype.names else s.data.dtype.descr, "big" if s.big else "", "V%d" % s.v, s.data.shape, s.chunks, s.count, "chunks", how)
        bag.pop(); tries = 0
    (out / "cases.json").write_text(json.dumps(cases, indent=1))



# --- the figure -----------------------------------------------------------------------------


def told(program, store):
    """The causes and the codes of other findings."""
    run = subprocess.run([program, "check", "--json", store], capture_output=True, text=True, timeout=300)
    causes, codes = set(), set()
    for line in map(json.loads, run.stdout.splitlines()):
        if "diagnosis" in line:
            causes.add(line["diagnosis"]["cause"])
        todo = [line]
        while todo:
            part = todo.pop()
            if isinstance(part, dict):
                codes |= {part["code"]} if "severity" in part and "diagnosis" not in part else set()
                todo += part.values()
            elif isinstance(part, list):
                todo += part
    return causes, codes


def measure(out, program):
    total = {"named": 0, "seen": 0, "missed": 0, "false": 0}
    for name, words in sorted(json.loads((out / "cases.json").read_text()).items()):
        (causes, codes), (alarms, usual) = told(program, out / name / "fault"), told(program, out / name / "clean")
        new = causes | codes - usual
        named = any(re.search(words[3:], word) for word in new)
        how = "named" if named else "seen" if new else "missed"
        total[how] += 1
        total["false"] += bool(alarms)
        print(how, name, sorted(causes), sorted(codes - usual), *(["FALSE", sorted(alarms)] if alarms else []))
    print(total)


def keep(archive, stores):
    """Packs stores: of a fault only the files that its clean twin has not, or has otherwise."""
    cases, gone = {}, []
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as z:
        add = lambda name, data: z.writestr(zipfile.ZipInfo(name, (2024, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
        for store in map(Path, stores):
            name = f"{len(cases):02d}_{store.name.lstrip("0123456789_")}"
            cases[name] = json.loads((store.parent / "cases.json").read_text())[store.name][4:-1].strip("()")
            read = lambda twin: {str(f.relative_to(store / twin)): f.read_bytes() for f in sorted((store / twin).rglob("*")) if f.is_file()}
            clean, fault = read("clean"), read("fault")
            gone += [f"{name}/fault/{key}" for key in clean if key not in fault]
            for twin, files in ("clean", clean), ("fault", {k: b for k, b in fault.items() if clean.get(k) != b}):
                for key, data in files.items():
                    add(f"{name}/{twin}/{key}", data)
        add("cases.json", json.dumps(cases, indent=1))
        add("gone.json", json.dumps(gone))


if sys.argv[1] == "keep":
    sys.exit(keep(sys.argv[2], sys.argv[3:]))

main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
if len(sys.argv) > 4:
    measure(Path(sys.argv[3]), sys.argv[4])
