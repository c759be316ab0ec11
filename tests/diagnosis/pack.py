"""Packs a folder of cases, each with a store `fault` and its twin `clean`, as the tests read it: files that both have are
kept once.

    python pack.py FOLDER ARCHIVE    # FOLDER has cases.json, which names the words for each
"""
import json, os, sys, zipfile

folder, archive = sys.argv[1:]
names = sorted(json.load(open(f"{folder}/cases.json")))


def files(store):
    paths = [os.path.join(place, name) for place, _, names in os.walk(store) for name in names]
    return {os.path.relpath(path, store): open(path, "rb").read() for path in sorted(paths)}


with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as packed:
    def add(name, data):
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
        info.compress_type = zipfile.ZIP_DEFLATED
        packed.writestr(info, data)

    gone = []
    for name in names:
        clean, fault = (files(f"{folder}/{name}/{twin}") for twin in ("clean", "fault"))
        for file, data in clean.items():
            add(f"{name}/clean/{file}", data)
        for file, data in fault.items():
            if clean.get(file) != data:
                add(f"{name}/fault/{file}", data)
        gone += [f"{name}/fault/{file}" for file in clean if file not in fault]
    add("cases.json", open(f"{folder}/cases.json", "rb").read())
    add("gone.json", json.dumps(gone))
