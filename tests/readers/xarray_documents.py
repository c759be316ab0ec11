"""Lets xarray open what it wrote beside the same chunks under the other format's document.

Usage: python tests/readers/xarray_documents.py FOLDER [ZARRSCOPE]

Writes a store for every kind of variable that xarray writes, in V2 and in V3; puts beside it the same chunks, under the keys
of the other format, with the documents that `zarrscope info --document` writes; opens both and compares every value. Prints
a line for each, and exits with 1 where any differs. Needs xarray 2026.9.0 and zarr 3.4.2.

What xarray reads the same goes to FOLDER/xarray.jsonl: the documents of the variable as stored, and fill value and attributes
of the other format. Copied to tests/data/xarray.jsonl, tests/it/twin_columns.rs compares them.
"""

import json
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import xarray as xr

warnings.simplefilter("ignore")

FOUR = np.array([0, 1, -9, 7])


def variables():
    """Name, values and encoding of every kind; `None` where a format refuses it is found out by trying."""
    for dtype in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"):
        yield f"int_{dtype}", abs(FOUR).astype(dtype), {}
        yield f"int_{dtype}_fill", abs(FOUR).astype(dtype), {"_FillValue": 7}
        yield f"int_{dtype}_zero_fill", abs(FOUR).astype(dtype), {"_FillValue": 0}
    for dtype in ("f2", "f4", "f8"):
        values = np.array([0.0, 1.5, np.nan, -2.0], dtype)
        yield f"float_{dtype}", values, {}
        yield f"float_{dtype}_none", values, {"_FillValue": None}
        yield f"float_{dtype}_fill", values, {"_FillValue": -2.0}
        yield f"float_{dtype}_zero", values, {"_FillValue": 0.0}
        yield f"float_{dtype}_missing_value", values, {"missing_value": -2.0, "_FillValue": None}
        yield f"float_{dtype}_both", values, {"missing_value": -2.0, "_FillValue": -2.0}
    yield "packed", np.array([0.0, 0.5, np.nan, 12.0]), {"dtype": "i2", "scale_factor": 0.5, "add_offset": 1.0, "_FillValue": -99}
    yield "packed_zero", np.array([0.0, 0.5, 1.0, 12.0]), {"dtype": "i2", "scale_factor": 0.5}
    yield "packed_u1", np.array([0.0, 0.5, np.nan, 12.0]), {"dtype": "u1", "scale_factor": 0.5, "_FillValue": 255}
    yield "packed_none", np.array([0.0, 0.5, 1.0, 12.0]), {"dtype": "i4", "scale_factor": 0.5, "_FillValue": None}
    yield "unsigned", np.array([0.0, 200.0, 7.0, 255.0]), {"dtype": "i1", "_Unsigned": "true", "_FillValue": -1}
    yield "as_i4", np.array([0.0, 1.0, np.nan, 3.0]), {"dtype": "i4", "_FillValue": -1}
    yield "as_f4", np.array([0.0, 1.0, np.nan, 3.0]), {"dtype": "f4"}
    yield "bool", np.array([True, False, False, True]), {}
    yield "all_false", np.zeros(4, bool), {}
    yield "zeros_i2", np.zeros(4, "i2"), {}
    yield "zeros_i2_fill", np.zeros(4, "i2"), {"_FillValue": -9}
    yield "zeros_f4_fill", np.zeros(4, "f4"), {"_FillValue": -9.0}
    yield "complex", np.array([0, 1 + 2j, 0, 3]), {}
    yield "complex_fill", np.array([0, 1 + 2j, 0, 3]), {"_FillValue": 3 + 0j}
    yield "str_u", np.array(["a", "", "grün", "d"]), {}
    yield "str_object", np.array(["a", "", "grün", "d"], object), {}
    yield "str_as_str", np.array(["a", "", "grün", "d"], object), {"dtype": str}
    yield "str_string", np.array(["a", "", "x", "d"], np.dtypes.StringDType()), {}
    yield "bytes_s", np.array([b"a", b"", b"xyz", b"d"]), {}
    times = np.array(["2000-01-01", "1970-01-01", "NaT", "2020-02-02"], "M8[ns]")
    yield "time", times[[0, 1, 3]], {}
    yield "time_nat", times, {}
    yield "time_int", times[[0, 1, 3]], {"units": "days since 1970-01-01", "dtype": "i4"}
    yield "time_float", times, {"units": "days since 1970-01-01", "dtype": "f8"}
    yield "time_fill", times, {"units": "days since 1970-01-01", "dtype": "i8", "_FillValue": -1}
    deltas = np.array([0, 5, 7], "m8[s]").astype("m8[ns]")
    yield "delta", deltas, {}
    yield "delta_nat", np.append(deltas, np.timedelta64("NaT")), {}
    yield "delta_units", deltas, {"units": "seconds", "dtype": "i4"}
    yield "order_big", abs(FOUR).astype(">i2"), {"dtype": ">i2"}
    yield "chunked", np.arange(8, dtype="i2"), {"chunks": (4,)}
    yield "zero_d_int", np.int16(0), {}
    yield "zero_d_int_fill", np.int16(5), {"_FillValue": 0}
    yield "zero_d_float", np.float32(0), {}
    yield "zero_d_bool", np.bool_(False), {}
    yield "zero_d_time", np.datetime64("1970-01-01", "ns"), {}
    yield "zero_d_str", np.array("a"), {}
    yield "two_d", np.arange(6, dtype="i2").reshape(2, 3), {}


def dataset(name, values, encoding):
    dims = ["x", "y"][: np.ndim(values)]
    variable = xr.Variable(dims, values, encoding=encoding, attrs={"long_name": name})
    coordinates = {dim: np.arange(length) for dim, length in zip(dims, np.shape(values))}
    return xr.Dataset({"v": variable}, coords=coordinates | {"scalar": 0})


def with_keys_of(written, array, source, target):
    """Copies the chunks of an array under the keys of the other format."""
    for file in sorted(p for p in (source / array).rglob("*") if p.is_file()):
        key = file.relative_to(source / array).as_posix()
        if key.split("/")[-1].startswith((".z", "zarr.json")):
            continue
        if written == 3:
            zarray = json.loads((source / array / ".zarray").read_text())
            key = "c" if zarray["shape"] == [] else "c/" + key.replace(zarray.get("dimension_separator", "."), "/")
        else:
            key = "0" if key == "c" else key.removeprefix("c/")
        (target / array / key).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target / array / key)


def converted(zarrscope, written, source, target):
    """The store with the documents of format `written`, all notes together."""
    arrays = [p.parent for p in source.rglob("zarr.json" if written == 2 else ".zarray")]
    for node in [source, *(p for p in arrays if p != source)]:
        command = [zarrscope, "info", str(node), "--document", str(written)]
        printed = json.loads(subprocess.run(command, capture_output=True, text=True).stdout)
        if not any(name.startswith(".z") for name in printed):
            only = "zarr.json" if written == 3 else ".zarray" if "shape" in printed else ".zgroup"
            printed = {only: printed}
        there = target / node.relative_to(source)
        there.mkdir(parents=True, exist_ok=True)
        for name, document in printed.items():
            (there / name).write_text(json.dumps(document))
        if node != source:
            with_keys_of(written, node.name, source, target)


def same(a, b):
    return a.dims == b.dims and np.shape(a) == np.shape(b) and all(
        x is y or x == y or (x != x and y != y) for x, y in zip(a.values.ravel().tolist(), b.values.ravel().tolist())
    )


def record(name, source, target):
    """The documents of a variable, and what matters of those in the other format."""
    documents = {file: json.loads((source / file).read_text()) for file in (".zarray", ".zattrs", "zarr.json") if (source / file).exists()}
    if "zarr.json" in documents:
        written = json.loads((target / ".zarray").read_text())
        attributes = json.loads((target / ".zattrs").read_text())
    else:
        written = json.loads((target / "zarr.json").read_text())
        attributes = written["attributes"]
    return {"name": name, "documents": documents, "fill_value": written["fill_value"], "attributes": attributes}


def main():
    folder = Path(sys.argv[1])
    zarrscope = sys.argv[2] if len(sys.argv) > 2 else "target/debug/zarrscope"
    wrong = count = 0
    recorded = open(folder / "xarray.jsonl", "w")
    for stored in (2, 3):
        for name, values, encoding in variables():
            source, target = folder / f"v{stored}" / name, folder / f"v{stored}-as-v{5 - stored}" / name
            for path in (source, target):
                shutil.rmtree(path, ignore_errors=True)
            try:
                dataset(name, values, encoding).to_zarr(source, zarr_format=stored, consolidated=False)
            except Exception as error:
                print(f"v{stored} {name}: not written: {type(error).__name__}: {str(error)[:80]}")
                continue
            count += 1
            try:
                converted(zarrscope, 5 - stored, source, target)
                ours, theirs = (xr.open_zarr(path, consolidated=False).load() for path in (target, source))
                bad = [v for v in theirs.variables if v not in ours.variables or not same(theirs[v], ours[v])]
                outcome = f"{', '.join(bad)}: {theirs['v'].values!r} became {ours['v'].values!r}" if bad else "same"
            except Exception as error:
                outcome = f"{type(error).__name__}: {str(error)[:200]}"
            wrong += outcome != "same"
            if outcome == "same":
                recorded.write(json.dumps(record(name, source / "v", target / "v"), ensure_ascii=False) + "\n")
            print(f"v{stored} {name}: {outcome}")
    print(f"{count} variables, {wrong} differ")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
