#!/usr/bin/env bash
# Installs a wheel into a fresh virtual environment and opens a store with it:
#
#     packaging/try-wheel.sh WHEEL
set -euo pipefail
wheel=$(realpath "$1")
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"${PYTHON:-python3}" -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --no-index "$wheel"
program="$scratch/venv/bin/zarrscope"
declared=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)

fails() { printf 'try-wheel: %s\n' "$*" >&2; exit 1; }
[[ $("$program" --version) == "zarrscope $declared"* ]] || fails "it says $("$program" --version), Cargo.toml $declared"
"$program" tree sample-stores/ocean | grep -q temperature || fails "it does not list sample-stores/ocean"
"$program" check sample-stores/dtypes-v3 >/dev/null || fails "it finds errors in sample-stores/dtypes-v3"
if [ "$(uname -s)" = Linux ]; then
    # What every Linux has: the C library with its parts, and the compiler's own libgcc_s.
    foreign=$(ldd "$program" | grep -Ev 'linux-vdso|ld-linux|lib(c|m|gcc_s|pthread|dl|rt|util)\.so|statically linked' || true)
    [ -z "$foreign" ] || fails "it needs $foreign"
fi
printf '%s works: %s\n' "$(basename "$wheel")" "$("$program" --version)"
