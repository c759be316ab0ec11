#!/bin/sh
# Makes the whole corpus anew. VENVS holds one environment a requirements file (see each script).
# On Debian 12: apt-get install python3-gdal gdal-bin; Python 3.11 for all, 3.12 for zarr34.
set -eu
cd "$(dirname "$0")"
: "${VENVS:?folder with the environments z2, z3, z34, tensorstore, netcdf}"
export PYTHONDONTWRITEBYTECODE=1
"$VENVS/z2/bin/python" make_zarr2.py
"$VENVS/z3/bin/python" make_zarr3.py
"$VENVS/z34/bin/python" make_zarr34.py
"$VENVS/tensorstore/bin/python" make_tensorstore.py
"$VENVS/netcdf/bin/python" make_netcdf.py
"$VENVS/z2/bin/python" make_hand.py
/usr/bin/python3 make_gdal.py
