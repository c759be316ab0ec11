#!/usr/bin/env bash
# Builds a wheel into DIR (dist/ by default) and tries it in a fresh virtual environment:
#
#     packaging/wheel.sh [DIR]
#
# It needs Rust, a C compiler and Python 3.9 or newer with pip. Where PyPI's ziglang can be installed, zig links against
# an old glibc and the wheel is manylinux2014; elsewhere it is for systems as new as this one (linux_x86_64).
set -euo pipefail
cd "$(dirname "$0")/.."
out=$(mkdir -p "${1:-target/wheels}" && cd "${1:-target/wheels}" && pwd)
python=${PYTHON:-python3}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$python" -m venv "$scratch/build"
"$scratch/build/bin/pip" install --quiet 'maturin>=1.9.4,<2'
arguments=(--release --locked --out "$out" --interpreter "$scratch/build/bin/python")
# What installs under that name need not be zig: PyPI has an empty package of it too.
if [ "$(uname -s)" = Linux ] && "$scratch/build/bin/pip" install --quiet ziglang 2>/dev/null &&
    "$scratch/build/bin/python" -m ziglang version >/dev/null 2>&1; then
    PATH="$scratch/build/bin:$PATH" "$scratch/build/bin/maturin" build "${arguments[@]}" --zig --compatibility manylinux2014
else
    "$scratch/build/bin/maturin" build "${arguments[@]}" --compatibility linux
fi
packaging/try-wheel.sh "$(ls -t "$out"/zarrscope-*.whl | head -1)"
