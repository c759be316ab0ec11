#!/usr/bin/env bash
# Builds a program that needs no library at all, for cluster nodes and bare containers, and runs it in an empty root:
#
#     packaging/static.sh [TARGET]
#
# With x86_64-unknown-linux-musl where rustup has it; else glibc is linked in (nothing here asks it for users or hosts,
# which is what a static glibc cannot answer).
set -euo pipefail
cd "$(dirname "$0")/.."
host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
RUSTFLAGS="${RUSTFLAGS:-} -C target-feature=+crt-static" cargo build --release --locked --target "$target"
program=${CARGO_TARGET_DIR:-target}/$target/release/zarrscope
ldd "$program" 2>&1 | grep -Eq 'statically linked|not a dynamic' || { echo "static.sh: $program needs libraries" >&2; exit 1; }

root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
mkdir -p "$root/tmp"
cp "$program" "$root/zarrscope"
cp -r sample-stores/ocean "$root/ocean"
if [ "$(id -u)" = 0 ]; then
    chroot "$root" /zarrscope tree /ocean
    printf '%s runs in an empty root\n' "$program"
fi
