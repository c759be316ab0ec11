"""What yaozarrs and ome-zarr-models refuse in OME-Zarr stores, beside what `check` tells of them.

    VENV/bin/python ome_peers.py PROGRAM [FOLDER]    # yaozarrs 0.3.4, ome-zarr-models 1.8.1, zarr 3.4.2

Of an image, labels and a plate in 0.4 and 0.5, each member of the metadata is removed, or made
something of another type, empty or negative, one at a time; levels are removed and reshaped.
Prints the stores that one of both refuses and of which `check --conventions ome` tells no
warning, and the sums. The last run is in `THREADS.md`.
"""

import copy
import json
import shutil
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import numpy as np
import zarr

warnings.filterwarnings("ignore")
PROGRAM = sys.argv[1]
ROOT = Path(sys.argv[2]) if len(sys.argv) > 2 else Path(tempfile.mkdtemp())


def image(path, fmt, label=False):
    axes = [{"name": "c", "type": "channel"}] if not label else []
    axes += [{"name": n, "type": "space", "unit": "micrometer"} for n in "yx"]
    ones = [1.0] * (len(axes) - 2)
    datasets = [
        {"path": str(n), "coordinateTransformations": [
            {"type": "scale", "scale": [*ones, 2.0**n, 2.0**n]},
            {"type": "translation", "translation": [*[0.0] * len(ones), 0.5 * n, 0.5 * n]},
        ]}
        for n in range(2)
    ]
    scale = {"type": "scale", "scale": [*ones, 0.5, 0.5]}
    multiscale = {"axes": axes, "datasets": datasets, "name": "an image", "coordinateTransformations": [scale], "type": "mean"}
    if fmt == 2:
        multiscale["version"] = "0.4"
    content = {"multiscales": [multiscale]}
    if label:
        content["image-label"] = {
            "colors": [{"label-value": 1, "rgba": [255, 0, 0, 255]}, {"label-value": 2, "rgba": [0, 255, 0, 255]}],
            "properties": [{"label-value": 1, "name": "a"}, {"label-value": 2, "name": "b"}],
            "source": {"image": "../../"},
        }
        if fmt == 2:
            content["image-label"]["version"] = "0.4"
    else:
        window = {"min": 0, "max": 65535, "start": 0, "end": 1500}
        content["omero"] = {"channels": [{"color": "00FF00", "window": window, "label": "a", "active": True}], "rdefs": {"model": "color"}}
    node(path, fmt, content)
    data = np.arange(32 * 32).reshape(*(int(n) for n in ones), 32, 32)
    for n in range(2):
        level = data[..., :: 2**n, :: 2**n].astype("u1" if label else "u2")
        array = zarr.create_array(
            str(path / str(n)), data=level, zarr_format=fmt, chunks=level.shape, compressors=None,
            dimension_names=[axis["name"] for axis in axes] if fmt == 3 else None,
            chunk_key_encoding={"name": "v2", "separator": "/"} if fmt == 2 else None,
        )
        del array


def node(path, fmt, content):
    if fmt == 3:
        content = {"ome": {"version": "0.5", **content}} if content else {}
    zarr.create_group(str(path), zarr_format=fmt, attributes=content)


def labels(path, fmt):
    image(path, fmt)
    node(path / "labels", fmt, {"labels": ["cells"]})
    image(path / "labels" / "cells", fmt, label=True)


def plate(path, fmt):
    content = {"plate": {
        "columns": [{"name": "1"}, {"name": "2"}], "rows": [{"name": "A"}], "field_count": 1, "name": "a plate",
        "acquisitions": [{"id": 0, "name": "first", "maximumfieldcount": 1, "starttime": 1343731272000}],
        "wells": [{"path": "A/1", "rowIndex": 0, "columnIndex": 0}, {"path": "A/2", "rowIndex": 0, "columnIndex": 1}],
    }}
    if fmt == 2:
        content["plate"]["version"] = "0.4"
    node(path, fmt, content)
    node(path / "A", fmt, {})
    for column in "12":
        well = {"well": {"images": [{"path": "0", "acquisition": 0}]}}
        if fmt == 2:
            well["well"]["version"] = "0.4"
        node(path / "A" / column, fmt, well)
        image(path / "A" / column / "0", fmt)


def places(content, above=()):
    """Every member and item, as the names that lead to it."""
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else []
    for key, value in items:
        yield (*above, key)
        yield from places(value, (*above, key))


def others(value):
    """Other values in the place of one."""
    yield "text" if not isinstance(value, str) else 7
    yield None
    if isinstance(value, list):
        yield []
        yield value + value[-1:]
        yield value[:-1]
        yield value[::-1]
        yield {}
    elif isinstance(value, dict):
        yield {}
        yield []
    elif isinstance(value, str):
        yield ""
        yield value + "x"
    elif not isinstance(value, bool):
        yield -3
        yield 0
        yield 1.5
        yield value + 7


def changes(content):
    for place in places(content):
        def changed(change):
            new = copy.deepcopy(content)
            at = new
            for name in place[:-1]:
                at = at[name]
            change(at, place[-1])
            return new

        name = ".".join(map(str, place))
        at = content
        for key in place:
            at = at[key]
        yield f"{name} removed", changed(lambda at, key: at.pop(key))
        for value in others(at):
            if value != at:
                yield f"{name} = {json.dumps(value)}", changed(lambda at, key: at.__setitem__(key, value))


def refusals(path):
    """Those of both that refuse a store, with the start of what they say."""
    import ome_zarr_models
    import yaozarrs

    found = {}
    for name, validate in [
        ("yaozarrs", lambda: yaozarrs.validate_zarr_store(str(path))),
        ("ome-zarr-models", lambda: ome_zarr_models.open_ome_zarr(zarr.open_group(str(path), mode="r"))),
    ]:
        try:
            validate()
        except Exception as error:
            lines = str(error).strip().splitlines() or [""]
            found[name] = f"{type(error).__name__}: {lines[0][:60]} {' '.join(line.strip() for line in lines[1:4])[:160]}"
    return found


def told(path):
    got = subprocess.run([PROGRAM, "check", "--conventions", "ome", "--format", "json", str(path)], capture_output=True, text=True)
    problems = [json.loads(line) for line in got.stdout.splitlines()]
    return [it.get("severity") for it in problems if it.get("severity")]


def document(path, fmt):
    return path / ("zarr.json" if fmt == 3 else ".zattrs")


counts = {"refused": 0, "told": 0, "noted": 0, "silent": 0}
for fmt in (2, 3):
    for make, where in [(image, "."), (labels, "labels"), (labels, "labels/cells"), (plate, "."), (plate, "A/1")]:
        store = ROOT / f"{make.__name__}-{fmt}"
        shutil.rmtree(store, ignore_errors=True)
        make(store, fmt)
        assert not refusals(store), refusals(store)
        assert not [it for it in told(store) if it != "note"], store
        file = document(store / where, fmt)
        text = file.read_text()
        whole = json.loads(text)
        content = whole if fmt == 2 else whole["attributes"]
        for name, new in changes(content):
            file.write_text(json.dumps(new if fmt == 2 else {**whole, "attributes": new}))
            refused = refusals(store)
            if refused:
                found = told(store)
                kind = "told" if set(found) - {"note"} else "noted" if found else "silent"
                counts["refused"] += 1
                counts[kind] += 1
                if kind != "told":
                    print(kind, store.name, where, name, refused, sep=" | ", flush=True)
        file.write_text(text)
print(counts)
