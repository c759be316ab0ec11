"""What the blind draws from the 21st on have in common: fields and arrays as writers make them, and a run over all cases.

Each draw is a script `blindNN.py [case ...]` beside this file, which writes to /tmp/blindNN; its number is in its name."""
import json, os, shutil, struct, sys, traceback, warnings, zlib
from pathlib import Path
import uuid
for k in ("OMP_NUM_THREADS", "BLOSC_NTHREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS"): os.environ.setdefault(k, "1")
import numpy as np, pandas as pd, xarray as xr, zarr, numcodecs
from scipy.ndimage import gaussian_filter, zoom
warnings.filterwarnings("ignore")
DRAW = Path(sys.argv[0]).stem.removeprefix("blind")
OUT = Path(f"/tmp/blind{DRAW}/cases"); TSV = Path(f"/tmp/blind{DRAW}/CASES.tsv")
CASES = []
def case(nn, name, kind, thread, wrong, told, how):
    def deco(f):
        CASES.append(dict(nn=nn, case=f"{DRAW}-{nn}-{name}", kind=kind, thread=thread, wrong=wrong, told=told, how=how, build=f))
        return f
    return deco
CHECKS = {}
def check(nn):
    def deco(f):
        CHECKS[nn] = f; return f
    return deco

def smooth(rng, shape, sigma, periodic_last=False):
    """Gaussian random field with unit variance (padded, so that the edges are like the middle)"""
    sig = np.broadcast_to(sigma, (len(shape),)).astype(float)
    pad = [0 if (periodic_last and i == len(shape) - 1) else int(np.ceil(3 * s)) for i, s in enumerate(sig)]
    a = gaussian_filter(rng.standard_normal([n + 2 * p for n, p in zip(shape, pad)]).astype("f4"), sig, mode=["wrap"] * len(shape))
    a = a[tuple(slice(p, p + n) for n, p in zip(shape, pad))].astype("f8")
    return (a - a.mean()) / a.std()
def br(a, bits):
    """bit rounding as GRIB / numcodecs.BitRound do it: keep so many bits of the mantissa"""
    x = np.ascontiguousarray(a, dtype="f4"); m = np.isfinite(x); out = x.copy(); o = numcodecs.BitRound(keepbits=bits).encode(np.where(m, x, 0).astype("f4"))
    out[m] = np.asarray(o).view("f4").reshape(x.shape)[m]; return out
def jload(p): return json.loads(Path(p).read_text())
def jdump(p, d): Path(p).write_text(json.dumps(d, indent=2))
def vstr(g, name, vals, dims=None, attrs=None, **kw):
    """V2 / V3 variable length strings"""
    v3 = g.metadata.zarr_format == 3
    if v3 and dims: kw["dimension_names"] = list(dims)
    a = g.create_array(name, shape=np.shape(vals), dtype=str, **kw)
    a[...] = np.asarray(vals, dtype=np.dtypes.StringDType() if v3 else object)
    at = dict(attrs or {})
    if dims and not v3: at["_ARRAY_DIMENSIONS"] = list(dims)
    if at: a.attrs.update(at)
    return a
BLOSC2 = numcodecs.Blosc(cname="zstd", clevel=5, shuffle=1)
def arr2(g, name, data, chunks=None, dims=None, comp=BLOSC2, sep=".", fill=None, attrs=None, **kw):
    data = np.asarray(data)
    if fill is None and data.dtype.kind == "f": fill = np.nan
    kw2 = dict(chunks=tuple(chunks or data.shape), compressors=comp, fill_value=fill,
               chunk_key_encoding={"name": "v2", "separator": sep}, config={"write_empty_chunks": True})
    kw2.update(kw)
    a = g.create_array(name, shape=data.shape, dtype=data.dtype, **kw2)
    a[...] = data
    at = dict(attrs or {})
    if dims is not None: at["_ARRAY_DIMENSIONS"] = list(dims)
    if at: a.attrs.update(at)
    return a
def arr3(g, name, data, chunks=None, dims=None, attrs=None, fill=None, **kw):
    data = np.asarray(data)
    if fill is None: fill = np.nan if data.dtype.kind == "f" else 0
    kw.setdefault("config", {"write_empty_chunks": True})
    a = g.create_array(name, shape=data.shape, dtype=data.dtype, chunks=tuple(chunks or data.shape) if data.ndim else (), fill_value=fill,
                       dimension_names=dims, attributes=attrs or {}, **kw)
    a[...] = data
    return a
def consol2(path):
    """V2 consolidated metadata exactly as the documents are"""
    p = Path(path); docs = sorted(q for q in p.rglob(".z*") if q.name in (".zgroup", ".zarray", ".zattrs"))
    jdump(p / ".zmetadata", {"zarr_consolidated_format": 1, "metadata": {str(q.relative_to(p)): jload(q) for q in docs}})
def down2(img):
    """mean of 2x2 over the last two axes (trims odd edge)"""
    s = img[..., : img.shape[-2] // 2 * 2, : img.shape[-1] // 2 * 2].astype("f8")
    s = (s[..., ::2, ::2] + s[..., 1::2, ::2] + s[..., ::2, 1::2] + s[..., 1::2, 1::2]) / 4
    return s.astype(img.dtype) if img.dtype.kind == "f" else np.rint(s).astype(img.dtype)
def cell_image(rng, n, h, w, rmin=6, rmax=11, margin=0):
    """label image of round cells that do not overlap, and a noisy 16 bit image of them"""
    lab = np.zeros((h, w), "i4"); k = 0; yy, xx = np.mgrid[:h, :w]; cen = []
    for _ in range(n * 40):
        if k == n: break
        cy, cx, r = rng.uniform(margin, h - margin), rng.uniform(margin, w - margin), rng.uniform(rmin, rmax)
        if any((cy - a) ** 2 + (cx - b) ** 2 < (r + c + 1.5) ** 2 for a, b, c in cen): continue
        e = rng.uniform(0.8, 1.2); m = ((yy - cy) / e) ** 2 + ((xx - cx) * e) ** 2 < r * r
        m &= lab == 0
        if m.sum() < 20: continue
        k += 1; lab[m] = k; cen.append((cy, cx, r))
    amp = np.r_[0, rng.lognormal(7.2, 0.4, k)]
    img = gaussian_filter(amp[lab], 1.5) + 180 + 25 * smooth(rng, (h, w), 40)
    img = rng.poisson(np.clip(img, 20, None)) + rng.normal(0, 6, (h, w))
    return lab, np.clip(np.rint(img), 0, 65535).astype("u2")
LATA = dict(units="degrees_north", standard_name="latitude", axis="Y"); LONA = dict(units="degrees_east", standard_name="longitude", axis="X")
def enc_time(units, dtype="int64", chunk=1024): return dict(units=units, dtype=dtype, chunks=(chunk,))
def land_mask(rng, ny, nx, frac=.35, sig=(5, 8)):
    """continents on a periodic grid"""
    a = gaussian_filter(rng.standard_normal((ny, nx)), sig, mode=["nearest", "wrap"]); return a > np.quantile(a, 1 - frac)
def ar1(rng, shape, phi, axis=0):
    """AR(1) noise of unit variance along the axis"""
    from scipy.signal import lfilter
    e = rng.standard_normal(shape); x = lfilter([np.sqrt(1 - phi * phi)], [1, -phi], e, axis=axis)
    return x
def xw(ds, path, fmt, enc=None):
    """write with xarray (V2 or V3, consolidated)"""
    if fmt == 2:
        for v in ds.variables: ds[v].encoding.setdefault("compressors", [BLOSC2]) if False else None
    ds.to_zarr(str(path), mode="w", zarr_format=fmt, consolidated=True, encoding=enc or {})
def noisy(rng, lab, med, sg, bg=150):
    amp = np.r_[0, rng.lognormal(med, .4, int(lab.max()))]; x = gaussian_filter(amp[lab] * (1 + .25 * smooth(rng, lab.shape, sg)), 1.2) + bg + 12 * smooth(rng, lab.shape, 30)
    return np.clip(np.rint(rng.poisson(np.clip(x, 5, None)) + rng.normal(0, 4, lab.shape)), 0, 65535).astype("u2")
def oid(rng): return str(uuid.UUID(bytes=rng.bytes(16), version=4))
def ngrp(rng, par, name, typ, ns="core", **at): return par.create_group(name, attributes=dict(namespace=ns, neurodata_type=typ, object_id=oid(rng), **at))
def nref(path): return {"_REFERENCE": None, "zarr_dtype": "object", "value": {"path": path, "source": "."}}
def rew2(path, key, data, chunks=None, **kw):
    """write a V2 array again with other data, its attributes kept"""
    p = Path(path, key); at = jload(p / ".zattrs") if (p / ".zattrs").exists() else {}; shutil.rmtree(p); par, nm = key.rsplit("/", 1); g = zarr.open_group(str(Path(path, par)), mode="r+", zarr_format=2, use_consolidated=False); arr2(g, nm, data, chunks, attrs=at, **kw)
    if Path(path, ".zmetadata").exists(): consol2(path)
def scell(rng, N, G, K):
    """counts of K cell types, sparse"""
    import scipy.sparse as sp
    cl = rng.choice(K, N, p=rng.dirichlet(np.full(K, 6.0))); cl[:K] = np.arange(K); mu = rng.gamma(.35, 2.4, (K, G)) * rng.lognormal(0, .6, G); C = sp.csr_matrix(rng.poisson(rng.gamma(2, .5, (N, G)) * mu[cl] * rng.lognormal(0, .35, N)[:, None]).astype("f4")); C.sort_indices(); return cl, C, ["".join(rng.choice(list("ACGT"), 16)) + "-1" for _ in range(N)]
def lognorm(C):
    import scipy.sparse as sp
    t = np.asarray(C.sum(1)).ravel(); X = sp.diags(1e4 / np.maximum(t, 1)) @ C; X = sp.csr_matrix(X); X.data = np.log1p(X.data).astype("f4"); X.sort_indices(); return X.astype("f4")
def genes(rng, G): return [f"GENE{i}" for i in range(G)], [f"ENSG{i:011d}" for i in rng.choice(300000, G, False)]
def nwbstart(rng, desc, sid):
    import pynwb; from datetime import datetime, timezone
    n = pynwb.NWBFile(session_description=desc, identifier=oid(rng), session_start_time=datetime(2023, 5, 11, 9, 32, tzinfo=timezone.utc), session_id=sid, experimenter=["Doe, J."], lab="Systems Neuroscience", institution="University"); n.subject = pynwb.file.Subject(subject_id=sid.split("_")[0], species="Mus musculus", sex="F", age="P90D"); return n
def nwbwrite(n, path):
    from hdmf_zarr import NWBZarrIO
    with NWBZarrIO(str(path), mode="w") as io: io.write(n)
def nwbread(path):
    from hdmf_zarr import NWBZarrIO
    io = NWBZarrIO(str(path), mode="r"); return io, io.read()
def main():
    want = set(sys.argv[1:]); OUT.mkdir(parents=True, exist_ok=True); bad = []
    rows = ["\t".join(["case", "kind", "thread", "what is wrong", "a person should be told", "how it can be known"])]
    cs = sorted(CASES, key=lambda c: c["nn"])
    for c in cs: rows.append("\t".join([c["case"], c["kind"], c["thread"], c["wrong"], c["told"], c["how"]]))
    TSV.write_text("\n".join(rows) + "\n"); jdump(OUT / "cases.json", {c["case"]: c["told"] for c in cs})
    for c in cs:
        if want and c["nn"] not in want: continue
        d = OUT / c["case"]; shutil.rmtree(d, ignore_errors=True); d.mkdir(parents=True)
        try:
            for w in ("clean", "fault"):
                c["build"](str(d / w), w == "fault", np.random.default_rng(int(DRAW) * 1000 + int(c["nn"])))
            msg = CHECKS[c["nn"]](str(d / "fault"), str(d / "clean"))
            sz = [sum(p.stat().st_size for p in (d / w).rglob("*") if p.is_file()) // 1024 for w in ("fault", "clean")]
            print("OK ", c["case"], f"{sz} KB", str(msg)[:230], flush=True)
        except Exception:
            bad.append(c["nn"]); print("BAD", c["case"], flush=True); traceback.print_exc()
    print("bad:", bad)
