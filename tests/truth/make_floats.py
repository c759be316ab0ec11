"""Every value of the narrow float formats, as ml_dtypes decodes them.

    python make_floats.py > floats.txt        # needs ml_dtypes >= 0.5 and numpy

One line a format: its name, then the value of every bit pattern in order, as Python writes floats. The registry's
float8_e4m3 and float8_e3m4 have infinities, as ml_dtypes' types of these names have.
"""

import ml_dtypes
import numpy as np

NAMES = """float8_e3m4 float8_e4m3 float8_e4m3fn float8_e4m3b11fnuz float8_e4m3fnuz float8_e5m2 float8_e5m2fnuz
float8_e8m0fnu float6_e2m3fn float6_e3m2fn float4_e2m1fn""".split()

for name in NAMES:
    bits = 4 if name.startswith("float4") else 6 if name.startswith("float6") else 8
    patterns = np.arange(1 << bits, dtype=np.uint8)
    values = patterns.view(getattr(ml_dtypes, name)).astype(np.float64)
    print(name, *(repr(float(value)) for value in values))
