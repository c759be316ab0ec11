"""zfp.json: arrays compressed by the authors' own library, in the form of matrix.json.

    python -m venv zfp && zfp/bin/pip install zfpy==1.0.1.post0 numpy==2.4.6
    zfp/bin/python tests/readers/make_zfp.py

zfpy writes float32, float64, int32 and int64; what the registry says of other data types (the integers moved up to 31
bits, the floats cast) is done here with NumPy before.
"""

import json
from pathlib import Path

import numpy as np
import zfpy

RANDOM = np.random.default_rng(7)
MODES = {
    "reversible": ({"mode": "reversible"}, {}),
    "fixed_rate": ({"mode": "fixed_rate", "rate": 10.5}, {"rate": 10.5}),
    "fixed_precision": ({"mode": "fixed_precision", "precision": 19}, {"precision": 19}),
    "fixed_accuracy": ({"mode": "fixed_accuracy", "tolerance": 0.05}, {"tolerance": 0.05}),
}
ZFPY_MODES = {"fixed_rate": 2, "fixed_precision": 3, "fixed_accuracy": 4}
SHAPES = {1: (37,), 2: (9, 7), 3: (5, 4, 6), 4: (3, 2, 5, 4)}


def smooth(shape, dtype):
    grids = np.meshgrid(*(np.arange(length) for length in shape), indexing="ij")
    values = sum(np.sin(grid / 3 + axis) * 50 for axis, grid in enumerate(grids))
    values = values + RANDOM.normal(size=shape)
    return values.astype(dtype)


def promoted(values):
    """Integers of fewer than 32 bits as the registry stores them."""
    bits = values.dtype.itemsize * 8
    wide = values.astype("i4")
    if values.dtype.kind == "u":
        wide = wide - (1 << (bits - 1))
    return wide << (31 - bits)


def restored(stored, dtype):
    if dtype.kind == "f":
        return stored.astype(dtype)
    bits = dtype.itemsize * 8
    limits = np.iinfo(dtype)
    half = (1 << (bits - 1)) if dtype.kind == "u" else 0
    return np.clip((stored >> (31 - bits)) + half, limits.min, limits.max).astype(dtype)


def case(name, what, format, document, chunk, values):
    values = np.ascontiguousarray(values)
    key = ".".join("0" * values.ndim) if format == 2 else "c/" + "/".join("0" * values.ndim)
    little = values.astype(values.dtype.newbyteorder("<"))
    return {
        "case": name,
        "what": what,
        "format": format,
        "spec": "valid",
        "document": json.dumps(document),
        "truth": {"kind": "fixed", "hex": little.tobytes().hex()},
        "chunks": {f"a/{key}": chunk.hex()},
    }


def v3(name, values, codec, dtype, chunk):
    shape = list(values.shape)
    document = {
        "zarr_format": 3, "node_type": "array", "shape": shape, "data_type": dtype,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": shape}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": 0, "codecs": [codec],
    }
    return case(name, f"{codec['name']} on {dtype}, {values.ndim}-D", 3, document, chunk, values)


def v2(name, values, mode):
    document = {
        "zarr_format": 2, "shape": list(values.shape), "chunks": list(values.shape),
        "dtype": values.dtype.str, "fill_value": 0, "order": "C", "filters": None,
        "compressor": {"id": "zfpy", "mode": ZFPY_MODES[mode], "tolerance": 0.05, "rate": 10.5, "precision": 19},
    }
    chunk = zfpy.compress_numpy(values, write_header=True, **MODES[mode][1])
    return case(name, f"zfpy on {values.dtype}", 2, document, chunk, zfpy.decompress_numpy(chunk))


def native(cases):
    for dtype in ("float32", "float64", "int32", "int64"):
        for rank, shape in SHAPES.items():
            for mode, (configuration, options) in MODES.items():
                if dtype.startswith("int") and mode == "fixed_accuracy":
                    continue  # zfp has it for floats only
                values = smooth(shape, dtype)
                plain = zfpy.compress_numpy(values, write_header=False, **options)
                whole = zfpy.decompress_numpy(zfpy.compress_numpy(values, write_header=True, **options))
                codec = {"name": "zfp", "configuration": configuration}
                cases.append(v3(f"zfp-{dtype}-{rank}d-{mode}", whole, codec, dtype, plain))
                if mode in ZFPY_MODES and rank < 3:
                    cases.append(v2(f"zfpy-{dtype}-{rank}d-{mode}", values, mode))
                    codec = {"name": "numcodecs.zfpy", "configuration": {"mode": ZFPY_MODES[mode], **options}}
                    chunk = zfpy.compress_numpy(values, write_header=True, **options)
                    cases.append(v3(f"numcodecs-zfpy-{dtype}-{rank}d-{mode}", whole, codec, dtype, chunk))


def narrower(cases):
    for dtype in ("int8", "uint8", "int16", "uint16", "float16"):
        values = smooth((9, 7), "f8")
        values = (np.abs(values) if dtype.startswith("u") else values).astype(dtype)
        wide = values.astype("f4") if dtype == "float16" else promoted(values)
        for mode in ("reversible", "fixed_precision"):
            configuration, options = MODES[mode]
            chunk = zfpy.compress_numpy(wide, write_header=False, **options)
            stored = zfpy.decompress_numpy(zfpy.compress_numpy(wide, write_header=True, **options))
            codec = {"name": "zfp", "configuration": configuration}
            cases.append(v3(f"zfp-{dtype}-{mode}", restored(stored, values.dtype), codec, dtype, chunk))


def main():
    cases = []
    native(cases)
    narrower(cases)
    expert = {"mode": "expert", "minbits": 1, "maxbits": 16658, "maxprec": 64, "minexp": -1074}
    values = smooth((9, 7), "f8")
    chunk = zfpy.compress_numpy(values, write_header=False, precision=64)
    whole = zfpy.decompress_numpy(zfpy.compress_numpy(values, write_header=True, precision=64))
    cases.append(v3("zfp-expert", whole, {"name": "zfp", "configuration": expert}, "float64", chunk))
    lines = ",\n".join(json.dumps(one) for one in cases)
    Path(__file__).with_name("zfp.json").write_text(f"[\n{lines}\n]\n")


main()
