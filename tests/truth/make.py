"""Ask zarr-python what is in every array of ../../sample-stores.

    python -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python make.py        # writes sample-stores.jsonl beside this file
    old/bin/python make.py         # with zarr-python 3.1.6: writes sample-stores-3.1.6.jsonl

The first, for zarr-python 3.4.2, needs Python 3.12 or newer. The second, for 3.1.6 (../../sample-stores/requirements.txt), keeps
only the answers that are not those of 3.4.2, and is run after the first. Run both again after every change of
the sample stores. The answers are those of zarr-python, right or wrong: in `broken` it shows zeros without a word for some arrays, and `byte-order/liar`
is read as declared. One JSON object a line, sorted by store, path and format:

store, path     the folder below sample-stores, and the array within it
zarr_format     2 or 3; a folder with both documents has two lines
open_error      when the metadata cannot be opened: "Class: message"; nothing else follows
zdtype          class of the data type
v2, v3          what zarr-python writes for the type: V2 dtype, V3 data_type; null where it
                fails. In v2 the byte order is that of the type in memory: for a V3 array
                always the machine's (little)
v2_object_codec the codec that the V2 dtype |O needs, else null
shape, chunks, shards
                shards is null without sharding; with it, chunks are the inner ones
endian          V2: the byte order of the data type; V3: of the codec `bytes`, the innermost
                when sharded; null where there is none. For structures always null in V2
fill_v2, fill_v3
                the fill value as each format writes it; null where there is none or it fails
                (the text of the failure is then in fill_v2_error, fill_v3_error)
fill_bytes_le   hex of the fill value as little-endian bytes (each field of a structure); null
                for types of variable length and for a null fill value. Bits, so that -0.0 and
                NaN payloads show, but zarr-python itself loses some of those on reading
values_sha256_le
                SHA-256 of all values in C order as little-endian bytes, missing chunks filled;
                null for types of variable length
values          the first 8 values in C order (all, for types of variable length), each as the
                array's format writes a fill value
error           when the data cannot be read: "Class: message"; the two fields before are null
"""

import hashlib
import json
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import zarr
from zarr.dtype import ZDType

HERE = Path(__file__).resolve().parent
STORES = HERE.parent.parent / "sample-stores"
FIRST = 8


def find_arrays(store: Path) -> Iterator[tuple[Path, int]]:
    """Every folder that has array metadata, or a zarr.json that cannot be parsed."""
    for document in sorted([*store.rglob(".zarray"), *store.rglob("zarr.json")]):
        if document.name == ".zarray":
            yield document.parent, 2
            continue
        try:
            is_array = json.loads(document.read_bytes())["node_type"] == "array"
        except json.JSONDecodeError:
            is_array = True
        if is_array:
            yield document.parent, 3


def describe(folder: Path, zarr_format: int) -> dict[str, Any]:
    try:
        array = zarr.open_array(folder, mode="r", zarr_format=zarr_format)
    except Exception as error:  # whatever zarr-python throws is the answer
        return {"open_error": message(error)}
    zdtype, fill = data_type(array), array.metadata.fill_value
    v2 = attempt(lambda: zdtype.to_json(zarr_format=2))[0]
    answer = {
        "zdtype": type(zdtype).__name__,
        "v2": v2 and v2["name"],
        "v2_object_codec": v2 and v2["object_codec_id"],
        "v3": attempt(lambda: zdtype.to_json(zarr_format=3))[0],
        "shape": list(array.shape),
        "chunks": list(array.chunks),
        "shards": list(array.shards) if array.shards else None,
        "endian": byte_order(array),
    }
    for key, other in [("fill_v2", 2), ("fill_v3", 3)]:
        text, failure = None, None
        if fill is not None:
            text, failure = attempt(
                lambda other=other: zdtype.to_json_scalar(fill, zarr_format=other)
            )
        answer[key] = text
        if failure:
            answer[f"{key}_error"] = failure
    answer["fill_bytes_le"] = fill_bytes(array)
    return answer | read(array)


def data_type(array: zarr.Array) -> ZDType:
    metadata = array.metadata
    return metadata.dtype if metadata.zarr_format == 2 else metadata.data_type


def read(array: zarr.Array) -> dict[str, Any]:
    try:
        values = np.asarray(array[...])
    except Exception as error:  # as above
        return {"values_sha256_le": None, "values": None, "error": message(error)}
    flat = values.ravel(order="C")
    sizeless = is_sizeless(values.dtype)
    shown = flat if sizeless else flat[:FIRST]
    return {
        "values_sha256_le": None if sizeless else hashlib.sha256(little_endian(flat)).hexdigest(),
        "values": [
            data_type(array).to_json_scalar(value, zarr_format=array.metadata.zarr_format)
            for value in shown
        ],
    }


def is_sizeless(dtype: np.dtype) -> bool:
    return dtype.kind in "OT"


def little_endian(values: np.ndarray) -> bytes:
    return values.astype(values.dtype.newbyteorder("<"), copy=False).tobytes()


def fill_bytes(array: zarr.Array) -> str | None:
    fill = array.metadata.fill_value
    dtype = data_type(array).to_native_dtype()
    if fill is None or is_sizeless(dtype):
        return None
    scalar = np.empty((), dtype)
    scalar[()] = fill
    return little_endian(scalar).hex()


def byte_order(array: zarr.Array) -> str | None:
    if array.metadata.zarr_format == 2:
        return getattr(data_type(array), "endianness", None)
    codecs = array.metadata.to_dict()["codecs"]
    while codecs[0]["name"] == "sharding_indexed":
        codecs = codecs[0]["configuration"]["codecs"]
    for codec in codecs:
        if codec["name"] == "bytes":
            return codec.get("configuration", {}).get("endian")
    return None


def attempt(action: Any) -> tuple[Any, str | None]:
    try:
        return action(), None
    except Exception as error:  # as above
        return None, message(error)


def message(error: Exception) -> str:
    """The error in one line, without what differs from machine to machine."""
    text = f"{type(error).__name__}: {error}".replace(str(STORES), "sample-stores")
    text = re.sub(r"0x[0-9a-f]{8,}", "0x…", text)
    return " ".join(text.split())[:300]


def main() -> None:
    if zarr.__version__ not in ("3.4.2", "3.1.6") or sys.byteorder != "little":
        sys.exit("This needs zarr-python 3.4.2, or 3.1.6, on a little-endian machine.")
    warnings.simplefilter("ignore")
    lines = []
    for store in sorted(path for path in STORES.iterdir() if path.is_dir()):
        for folder, zarr_format in find_arrays(store):
            place = {
                "store": store.name,
                "path": folder.relative_to(store).as_posix(),
                "zarr_format": zarr_format,
            }
            lines.append(place | describe(folder, zarr_format))
    lines.sort(key=lambda line: (line["store"], line["path"], line["zarr_format"]))
    newest = HERE / "sample-stores.jsonl"
    output, texts = newest, [json.dumps(line, ensure_ascii=True, allow_nan=False) for line in lines]
    if zarr.__version__ != "3.4.2":
        known = set(newest.read_text(encoding="ascii").splitlines())
        output = HERE / f"sample-stores-{zarr.__version__}.jsonl"
        texts = [text for text in texts if text not in known]
    output.write_text("".join(text + "\n" for text in texts), encoding="ascii", newline="\n")
    print(f"{output}: {len(texts)} arrays")


if __name__ == "__main__":
    main()
