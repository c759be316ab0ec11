#!/usr/bin/env bash
# The step of the action: annotations on stdout, and a SARIF report in a file if one is named. Runs anywhere:
#   packaging/action/check.sh sample-stores/broken /tmp/report.sarif --metadata-only
set -u
path=$1 sarif=$2
shift 2
if [ -n "$sarif" ]; then
    zarrscope check "$path" --format sarif "$@" > "$sarif"
fi
exec zarrscope check "$path" --format github "$@"
