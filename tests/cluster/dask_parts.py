"""A store of 20,000 chunks checked, counted and summed up in 64 parts by Dask workers, against one run of each command.

    python tests/cluster/dask_parts.py PATH/TO/zarrscope

Needs `distributed` (and nothing else); ends with 77 where it is missing. Everything is written below a temporary folder.
"""

import json
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    from distributed import Client, LocalCluster
except ImportError:
    print("distributed is not installed")
    sys.exit(77)

PARTS = 64
ROWS, COLUMNS, SIDE = 200, 100, 8


def store(path: Path) -> None:
    """200 x 100 chunks of 8 x 8 numbers, raw: some of other sizes than declared, and one that is missing."""
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": [ROWS * SIDE, COLUMNS * SIDE],
        "data_type": "float32",
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [SIDE, SIDE]}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "codecs": [{"name": "bytes", "configuration": {"endian": "little"}}],
        "fill_value": "NaN",
    }
    path.mkdir()
    (path / "zarr.json").write_text(json.dumps(document))
    numbers = random.Random(1)
    for row in range(ROWS):
        (path / "c" / str(row)).mkdir(parents=True)
        for column in range(COLUMNS):
            values = [numbers.gauss(280, 12) for _ in range(SIDE * SIDE)]
            data = struct.pack(f"<{SIDE * SIDE}f", *values)
            if (row * COLUMNS + column) % 1999 == 7:
                data = data[: numbers.randrange(len(data))]
            (path / "c" / str(row) / str(column)).write_bytes(data)
    (path / "c" / "19" / "70").unlink()


def part(command: list[str], number: int, file: str) -> str:
    """One part, on whichever worker."""
    options = ["--partition", f"{number}/{PARTS}", "-o", file]
    subprocess.run([*command, *options], check=True)
    return file


def main() -> None:
    program = str(Path(sys.argv[1]).absolute())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "store.zarr"
        store(path)
        with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                for command in ["check", "stats", "digest"]:
                    compare(client, program, command, path)


def compare(client: Client, program: str, command: str, path: Path) -> None:
    """All parts of a command against one run of it: text, JSON and exit codes."""
    numbers = range(1, PARTS + 1)
    files = [str(path.parent / f"{command}-{number}.jsonl") for number in numbers]
    lines = [[program, command, str(path)]] * PARTS
    files = client.gather(client.map(part, lines, numbers, files))
    for options in [[], ["--json"]]:
        whole = subprocess.run([program, command, *options, str(path)], capture_output=True)
        merged = subprocess.run([program, command, *options, "--merge", *files], capture_output=True)
        assert whole.stdout == merged.stdout, f"{command} {options}: the reports differ"
        assert whole.stderr == merged.stderr, f"{command} {options}: stderr differs"
        assert whole.returncode == merged.returncode, f"{command} {options}: exit codes differ"
    print(f"{command}: {PARTS} parts give the report of one run, exit code {whole.returncode}")


if __name__ == "__main__":
    main()
