#!/usr/bin/env python3
"""blind20: 30 faulty Zarr stores with their healthy twins.  Run with /work/venv/bin/python3 blind20.py [NN ...]"""
import json, os, shutil, struct, sys, traceback, warnings, zlib
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr, numcodecs
from scipy.ndimage import gaussian_filter, zoom
warnings.filterwarnings("ignore")
OUT = Path("/tmp/blind20/cases"); TSV = Path("/tmp/blind20/CASES.tsv")
CASES = []
def case(nn, name, kind, thread, wrong, told, how):
    def deco(f):
        CASES.append(dict(nn=nn, case=f"20-{nn}-{name}", kind=kind, thread=thread, wrong=wrong, told=told, how=how, build=f))
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
    mode = ["wrap"] * len(shape)
    a = gaussian_filter(rng.standard_normal([n + 2 * p for n, p in zip(shape, pad)]).astype("f4"), sig, mode=mode)
    a = a[tuple(slice(p, p + n) for n, p in zip(shape, pad))].astype("f8")
    return (a - a.mean()) / a.std()
def br(a, bits):
    """bit rounding as GRIB / numcodecs.BitRound do it: keep so many bits of the mantissa"""
    x = np.ascontiguousarray(a, dtype="f4"); m = np.isfinite(x); out = x.copy(); o = numcodecs.BitRound(keepbits=bits).encode(np.where(m, x, 0).astype("f4"))
    out[m] = np.asarray(o).view("f4").reshape(x.shape)[m]; return out
def jload(p): return json.loads(Path(p).read_text())
def jdump(p, d): Path(p).write_text(json.dumps(d, indent=2))
def vstr(g, name, vals, dims=None, **kw):
    """V2 / V3 variable length strings"""
    a = g.create_array(name, shape=np.shape(vals), dtype=str if g.metadata.zarr_format == 3 else "str", **kw)
    a[...] = np.asarray(vals, dtype=object) if g.metadata.zarr_format == 2 else np.asarray(vals, dtype=np.dtypes.StringDType())
    if dims and g.metadata.zarr_format == 2: a.attrs["_ARRAY_DIMENSIONS"] = list(dims)
    return a
BLOSC2 = numcodecs.Blosc(cname="zstd", clevel=5, shuffle=1)
def arr2(g, name, data, chunks=None, dims=None, comp=BLOSC2, sep=".", fill=0, attrs=None, **kw):
    data = np.asarray(data)
    kw2 = dict(chunks=tuple(chunks or data.shape), compressors=comp, fill_value=fill,
               chunk_key_encoding={"name": "v2", "separator": sep}, config={"write_empty_chunks": True})
    kw2.update(kw)
    a = g.create_array(name, shape=data.shape, dtype=data.dtype, **kw2)
    a[...] = data
    at = dict(attrs or {})
    if dims: at["_ARRAY_DIMENSIONS"] = list(dims)
    if at: a.attrs.update(at)
    return a
def arr3(g, name, data, chunks=None, dims=None, attrs=None, fill=0, **kw):
    data = np.asarray(data)
    a = g.create_array(name, shape=data.shape, dtype=data.dtype, chunks=tuple(chunks or data.shape), fill_value=fill,
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

# ------------------------------------------------------------------ RELATIONS 01-10
@case("01", "geff-edges-without-nodes", "relation", "live-image-tracking-tools/geff#145",
      "The nodes of short tracks were dropped from nodes/ids but their edges were kept, so edges/ids name node ids that do not exist.",
      "edges/ids|nodes/ids|do not exist (missing nodes)",
      "values of edges/ids that are not among nodes/ids")
def c01(path, fault, rng):
    ids, t, y, x, area, track, edges = [], [], [], [], [], [], []
    nid = 1000000
    for tr in range(1, 191):
        L = int(min(60, 2 + rng.exponential(18))); t0 = rng.integers(0, 60 - L + 1)
        cy, cx, a = rng.uniform(20, 700), rng.uniform(20, 900), rng.lognormal(5.2, 0.25)
        for k in range(L):
            nid += int(rng.integers(1, 9)); cy += rng.normal(0, 1.4); cx += rng.normal(0.3, 1.4); a *= np.exp(rng.normal(0, 0.03))
            ids.append(nid); t.append(t0 + k); y.append(cy); x.append(cx); area.append(a); track.append(tr)
            if k: edges.append((ids[-2], nid))
    ids = np.array(ids, "u8"); edges = np.array(edges, "u8"); t = np.array(t, "u2"); y = np.array(y, "f4"); x = np.array(x, "f4")
    area = np.array(area, "f4"); track = np.array(track, "u4")
    px = dict(zip(ids.tolist(), zip(y.tolist(), x.tolist())))
    dist = np.array([np.hypot(px[a][0] - px[b][0], px[a][1] - px[b][1]) for a, b in edges.tolist()], "f4")
    lens = pd.Series(track).map(pd.Series(track).value_counts()).to_numpy()
    keep = lens >= 5
    kept = set(ids[keep].tolist()); ek = np.array([a in kept and b in kept for a, b in edges.tolist()])
    if not fault: edges, dist = edges[ek], dist[ek]
    o = np.argsort(t[keep], kind="stable")
    ids, t, y, x, area, track = (v[keep][o] for v in (ids, t, y, x, area, track))
    meta = dict(geff_version="1.1.0", directed=True,
        axes=[dict(name="t", type="time", unit="second", min=int(t.min()), max=int(t.max())),
              dict(name="y", type="space", unit="micrometer", min=float(y.min()), max=float(y.max())),
              dict(name="x", type="space", unit="micrometer", min=float(x.min()), max=float(x.max()))],
        node_props_metadata={k: dict(identifier=k, dtype=d, varlength=False, unit=u) for k, d, u in
            [("t", "uint16", "second"), ("y", "float32", "micrometer"), ("x", "float32", "micrometer"), ("area", "float32", "micrometer^2"), ("track_id", "uint32", None)]},
        edge_props_metadata={"distance": dict(identifier="distance", dtype="float32", varlength=False, unit="micrometer")},
        track_node_props={"tracklet": "track_id"})
    g = zarr.create_group(str(path), zarr_format=2, attributes={"geff": meta})
    arr2(g, "nodes/ids", ids, (2048,)); arr2(g, "edges/ids", edges, (2048, 2)); arr2(g, "edges/props/distance/values", dist, (2048,))
    for k, v in dict(t=t, y=y, x=x, area=area, track_id=track).items(): arr2(g, f"nodes/props/{k}/values", v, (2048,))
@check("01")
def k01(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); r.append(int((~np.isin(g["edges/ids"][:], g["nodes/ids"][:])).any(1).sum()))
    assert r[0] > 20 and r[1] == 0, r
    return f"dangling edges {r}"

@case("02", "spatialdata-table-old-label-ids", "relation", "scverse/spatialdata#218",
      "The cells at the border were removed and the label image cell_labels was relabelled 1..N, but the table's cell_id (instance_key) still has the ids from before.",
      "cell_id|cell_labels|not in the label image (ids do not match)",
      "obs.cell_id has values beyond the largest label and its obs.area differs from the pixel count of the label of that id")
def c02(path, fault, rng):
    import anndata as ad, spatialdata as sd
    from spatialdata.models import Image2DModel, Labels2DModel, TableModel
    from skimage.segmentation import clear_border, relabel_sequential
    from skimage.measure import regionprops_table
    lab, dapi = cell_image(rng, 150, 360, 400)
    chans = [dapi] + [np.clip(rng.poisson(np.clip(gaussian_filter(np.r_[0, rng.lognormal(5.5, 0.8, lab.max())][lab], 1.2) + 60, 1, None)), 0, 65535).astype("u2") for _ in range(3)]
    img = np.stack(chans); names = ["DAPI", "CD45", "panCK", "CD8"]
    cleared = clear_border(lab); old_ids = np.unique(cleared)[1:]
    new, fw, inv = relabel_sequential(cleared)
    p = pd.DataFrame(regionprops_table(new, img.transpose(1, 2, 0).astype("f4"), properties=("label", "area", "centroid", "mean_intensity")))
    X = p[[f"mean_intensity-{i}" for i in range(4)]].to_numpy("f4")
    ids = old_ids if fault else p["label"].to_numpy()
    obs = pd.DataFrame(dict(cell_id=ids.astype("i8"), region=pd.Categorical(["cell_labels"] * len(p)), area=p["area"].to_numpy("f8"),
                            eccentric=rng.beta(3, 4, len(p))), index=[f"cell_{i}" for i in range(len(p))])
    a = ad.AnnData(X=X, obs=obs, var=pd.DataFrame(index=names), obsm={"spatial": p[["centroid-1", "centroid-0"]].to_numpy("f8")})
    tab = TableModel.parse(a, region="cell_labels", region_key="region", instance_key="cell_id")
    s = sd.SpatialData(images={"imc": Image2DModel.parse(img, dims=("c", "y", "x"), c_coords=names)},
                       labels={"cell_labels": Labels2DModel.parse(new.astype("i4"), dims=("y", "x"))}, tables={"table": tab})
    s.write(str(path))
@check("02")
def k02(f, c):
    import spatialdata as sd
    r = []
    for p in (f, c):
        s = sd.read_zarr(p); L = np.asarray(s["cell_labels"].data); ids = s["table"].obs["cell_id"].to_numpy(); cnt = np.bincount(L.ravel(), minlength=ids.max() + 1)
        r.append((int((~np.isin(ids, np.unique(L))).sum()), int((cnt[ids] != s["table"].obs["area"].to_numpy()).sum()), len(ids)))
    assert r[0][0] > 0 and r[1][:2] == (0, 0), r
    return f"(ids absent, area differs, n) {r}"

@case("03", "append-flips-level", "relation", "pydata/xarray#11101",
      "The second file had its pressure levels in the other order; the append overwrote level, so in the first 8 time steps the data lie on the wrong levels.",
      "level|order reversed (flipped)|first 8 time steps (index 0-7)",
      "geopotential must rise when pressure falls: it does from step 8 on, and does the reverse in steps 0-7")
def c03(path, fault, rng):
    lev = np.array([50, 100, 250, 500, 700, 850, 1000], "f8"); lat = np.arange(70, 29.9, -2.0); lon = np.arange(-20, 40.1, 2.0)
    time = pd.date_range("2023-11-04", periods=16, freq="6h")
    Zs = 7000 * np.log(1013.25 / lev) * 9.80665; Ts = np.array([212, 214, 222, 254, 272, 281, 288.0])
    wav = smooth(rng, (16, len(lat), len(lon)), (2, 5, 6))
    z = Zs[None, :, None, None] + (wav[:, None] * (300 + 2 * np.sqrt(np.abs(Zs)))[None, :, None, None]) - 40 * (lat - 50)[None, None, :, None]
    t = Ts[None, :, None, None] + 4 * wav[:, None] - 0.3 * (lat - 50)[None, None, :, None] * (lev / 1000)[None, :, None, None] + 0.4 * smooth(rng, z.shape, (1, 0, 2, 2))
    q = np.clip(0.622 * 6.112 * np.exp(17.67 * (t - 273.15) / (t - 29.65)) / lev[None, :, None, None] * (0.55 + 0.2 * smooth(rng, z.shape, (1, 0, 4, 4))), 1e-7, None)
    q[:, :3] = np.clip(3e-6 * (1 + .2 * rng.standard_normal(q[:, :3].shape)), 1e-7, None)
    D = ("time", "level", "latitude", "longitude")
    ds = xr.Dataset({"z": (D, br(z, 14), dict(standard_name="geopotential", long_name="Geopotential", units="m**2 s**-2")),
                     "t": (D, br(t, 13), dict(standard_name="air_temperature", long_name="Temperature", units="K")),
                     "q": (D, q.astype("f4"), dict(standard_name="specific_humidity", long_name="Specific humidity", units="kg kg**-1"))},
        coords=dict(time=("time", time, dict(standard_name="time")), level=("level", lev, dict(units="hPa", standard_name="air_pressure", positive="down")),
            latitude=("latitude", lat, dict(units="degrees_north", standard_name="latitude")), longitude=("longitude", lon, dict(units="degrees_east", standard_name="longitude"))),
        attrs=dict(Conventions="CF-1.7", institution="European Centre for Medium-Range Weather Forecasts", history="grib_to_netcdf; to_zarr"))
    enc = {v: dict(chunks=(4, 7, len(lat), len(lon))) for v in ds.data_vars}; enc["time"] = dict(units="hours since 1900-01-01", dtype="int64", chunks=(64,))
    ds.isel(time=slice(0, 8)).to_zarr(path, mode="w", encoding=enc, zarr_format=3, consolidated=True)
    second = ds.isel(time=slice(8, 16))
    if fault: second = second.isel(level=slice(None, None, -1))     # the file of the second day is top-down
    second.to_zarr(path, append_dim="time", consolidated=True)
@check("03")
def k03(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); s = d.sortby("level").z.mean(("latitude", "longitude")); r.append(((s.diff("level") > 0).any("level")).values.astype(int).tolist())
    assert r[0] == [1] * 8 + [0] * 8 and sum(r[1]) == 0, r
    return str(r)

@case("04", "vcf-samples-sorted-genotypes-not", "relation", "mcvickerlab/GenVarLoader#159",
      "sample_id (with sample_sex) was sorted by name while the calls stayed in the order of the VCF, so genotypes belong to other samples.",
      "sample_id (sample_sex)|call_genotype|sex chromosome X ploidy contradicts (order of samples)",
      "on chrX outside the PAR males must be haploid (second allele -2): many samples with sex male are diploid and heterozygous, females haploid")
def c04(path, fault, rng):
    N, V1, V2 = 64, 1300, 1500
    names = [f"{p}{rng.integers(10000, 99999)}" for p in rng.choice(["HG", "NA", "LP", "WGS"], N)]; sex = rng.integers(1, 3, N).astype("i1")
    pos = np.r_[np.sort(rng.choice(np.arange(16050000, 17900000), V1, replace=False)), np.sort(rng.choice(np.arange(9000000, 11200000), V2, replace=False))].astype("i4")
    contig = np.r_[np.zeros(V1, "i1"), np.ones(V2, "i1")]
    af = np.clip(rng.beta(0.35, 1.6, V1 + V2), 0.004, 0.996); gt = (rng.random((V1 + V2, N, 2)) < af[:, None, None]).astype("i1")
    gt[np.ix_(contig == 1, sex == 1, [1])] = -2
    miss = rng.random((V1 + V2, N)) < 0.01; gt[miss, 0] = -1; gt[miss & (gt[:, :, 1] != -2), 1] = -1
    dp = rng.poisson(np.where((contig == 1)[:, None] & (sex == 1)[None], 15, 30)).astype("i2"); dp[miss] = -1
    gq = np.clip(rng.normal(70, 20, dp.shape), 3, 99).astype("i1"); gq[miss] = -1
    base = np.array(list("ACGT")); ref = base[rng.integers(0, 4, V1 + V2)]; alt = np.array([rng.choice(base[base != r]) for r in ref])
    sid = np.array(names, object); sx = sex.copy()
    if fault:
        o = np.argsort(sid); sid, sx = sid[o], sx[o]
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(vcf_zarr_version="0.4", source="bio2zarr-0.1.6",
        vcf_meta_information=[["fileformat", "VCFv4.3"], ["reference", "GRCh38"], ["FORMAT", "<ID=GT,Number=1,Type=String,Description=\"Genotype\">"]]))
    ch = 1000; C = numcodecs.Blosc(cname="zstd", clevel=7, shuffle=0)
    arr2(g, "variant_contig", contig, (ch,), ["variants"], C); arr2(g, "variant_position", pos, (ch,), ["variants"], C)
    arr2(g, "variant_length", np.ones(V1 + V2, "i1"), (ch,), ["variants"], C)
    arr2(g, "variant_quality", rng.gamma(4, 200, V1 + V2).astype("f4"), (ch,), ["variants"], C)
    arr2(g, "variant_filter", np.ones((V1 + V2, 1), bool), (ch, 1), ["variants", "filters"], C, fill=False)
    vstr(g, "variant_allele", np.stack([ref, alt], 1), ["variants", "alleles"], chunks=(ch, 2)); vstr(g, "variant_id", [f"rs{i}" for i in rng.integers(10**6, 10**9, V1 + V2)], ["variants"], chunks=(ch,))
    vstr(g, "contig_id", ["chr22", "chrX"], ["contigs"]); arr2(g, "contig_length", np.array([50818468, 156040895], "i8"), None, ["contigs"])
    vstr(g, "filter_id", ["PASS"], ["filters"]); vstr(g, "sample_id", sid, ["samples"])
    arr2(g, "sample_sex", sx, None, ["samples"], attrs=dict(flag_values=[1, 2], flag_meanings="male female", comment="from the pedigree file, joined by sample_id"))
    arr2(g, "call_genotype", gt, (ch, N, 2), ["variants", "samples", "ploidy"], C, fill=-1, attrs=dict(description="-1 missing, -2 non-allele (lower ploidy)"))
    arr2(g, "call_genotype_mask", gt < 0, (ch, N, 2), ["variants", "samples", "ploidy"], C, fill=False)
    arr2(g, "call_genotype_phased", np.zeros((V1 + V2, N), bool), (ch, N), ["variants", "samples"], C, fill=False)
    arr2(g, "call_DP", dp, (ch, N), ["variants", "samples"], C, fill=-1); arr2(g, "call_GQ", gq, (ch, N), ["variants", "samples"], C, fill=-1)
    reg = []
    for k in range(0, V1 + V2, ch):
        for cc in (0, 1):
            m = np.flatnonzero(contig[k:k + ch] == cc) + k
            if len(m): reg.append([k // ch, cc, pos[m[0]], pos[m[-1]], pos[m].max(), len(m)])
    arr2(g, "region_index", np.array(reg, "i4"), None, ["region_index_values", "region_index_fields"])
    consol2(path)
@check("04")
def k04(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); x = g["variant_contig"][:] == 1; gt = g["call_genotype"][:][x]; m = g["sample_sex"][:] == 1
        dip = (gt[:, :, 1] != -2).mean(0) > .5; r.append((int((dip & m).sum()), int((~dip & ~m).sum())))
    assert r[0][0] > 8 and r[1] == (0, 0), r
    return f"(diploid males, haploid females) {r}"

@case("05", "nwb-spike-index-restarts", "relation", "SpikeInterface/spikeinterface#2981",
      "units/spike_times_index is not cumulative over the second probe: from unit 21 on it starts again at zero instead of going on.",
      "spike_times_index|unit 21 (index 21)|not increasing (restarts, should be cumulative)",
      "a ragged index must not decrease and must end at the length of spike_times; num_spikes and the sorted times per unit fit only when cumulative")
def c05(path, fault, rng):
    n1, n2, dur = 21, 17, 900.0
    sp = [np.sort(rng.uniform(0, dur, rng.poisson(dur * rng.lognormal(0.6, 0.9)))) for _ in range(n1 + n2)]
    cnt = np.array([len(s) for s in sp]); idx = np.cumsum(cnt)
    if fault: idx = np.r_[np.cumsum(cnt[:n1]), np.cumsum(cnt[n1:])]
    g = zarr.create_group(str(path), zarr_format=2, attributes={".specloc": "specifications", "namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.8.0", "object_id": "7f7a0d0e-54b2-4f2a-9c1b-3d5a2a0c6b11"})
    for k, v in dict(identifier="npx_20240412_M31", session_description="head-fixed, drifting gratings, two Neuropixels 1.0 probes", session_start_time="2024-04-12T10:31:07.000000+01:00", timestamps_reference_time="2024-04-12T10:31:07.000000+01:00").items():
        vstr(g, k, [v]).attrs["zarr_dtype"] = "scalar"
    g.create_group("specifications")
    u = g.create_group("units", attributes=dict(colnames=["spike_times", "probe", "num_spikes", "firing_rate", "depth_um"], description="Kilosort 4 output, both probes", namespace="core", neurodata_type="Units", object_id="0e0bb1e2-12a0-4f6c-8d3e-98f0c0d1a202"))
    def col(n, d, desc, nt="VectorData", **a):
        x = arr2(u, n, d, None if len(d) < 4000 else (16384,)); x.attrs.update(dict(description=desc, namespace="hdmf-common", neurodata_type=nt, zarr_dtype=str(np.asarray(d).dtype), **a))
    col("id", np.arange(n1 + n2, dtype="i8"), "unit id", "ElementIdentifiers")
    col("spike_times", np.concatenate(sp), "the spike times for each unit in seconds", resolution=1 / 30000)
    col("spike_times_index", idx.astype("u4"), "Index for VectorData 'spike_times'", "VectorIndex", target={"value": {"path": "/units/spike_times", "source": "."}, "zarr_dtype": "object"})
    col("num_spikes", cnt.astype("i8"), "number of spikes of the unit"); col("firing_rate", cnt / dur, "mean firing rate over the 900 s session, Hz")
    col("depth_um", np.r_[np.sort(rng.uniform(100, 3800, n1)), np.sort(rng.uniform(100, 3800, n2))], "depth along the probe, micrometer")
    vstr(u, "probe", ["probeA"] * n1 + ["probeB"] * n2).attrs.update(dict(description="probe", namespace="hdmf-common", neurodata_type="VectorData", zarr_dtype="object_str"))
    consol2(path)
@check("05")
def k05(f, c):
    r = []
    for p in (f, c):
        u = zarr.open_group(p, mode="r")["units"]; i = u["spike_times_index"][:].astype("i8"); r.append((np.flatnonzero(np.diff(i) < 0).tolist(), int(i[-1]) == u["spike_times"].shape[0], bool((np.diff(np.r_[0, i]) == u["num_spikes"][:]).all())))
    assert r[0][0] == [20] and r[1] == ([], True, True), r
    return str(r)

@case("06", "anemoi-statistics-of-part", "relation", "ecmwf/anemoi-datasets#251",
      "For the forcings cos_julian_day, insolation and cos_local_time the statistics (count, sums, squares, minimum, maximum, mean, stdev) come from the first 20 of 80 dates only.",
      "cos_julian_day (insolation, cos_local_time)|count|a quarter (20 of 80 dates)",
      "count of these is 20 x 684 rather than 80 x 684, and minimum/maximum/mean differ from those of data though statistics_end_date is the last date")
def c06(path, fault, rng):
    lat, lon = [a.ravel() for a in np.meshgrid(np.arange(90, -91, -10.0), np.arange(0, 360, 10.0), indexing="ij")]
    nd, n = 80, lat.size; dates = np.datetime64("2019-02-01T00", "s") + np.arange(nd) * np.timedelta64(6, "h")
    doy = (dates - np.datetime64("2019-01-01", "s")) / np.timedelta64(86400, "s"); hour = (np.arange(nd) % 4) * 6
    decl = np.deg2rad(-23.44) * np.cos(2 * np.pi * (doy + 10) / 365.25); lt = (hour[:, None] + lon[None] / 15) % 24
    cosz = np.sin(np.deg2rad(lat)) * np.sin(decl)[:, None] + np.cos(np.deg2rad(lat)) * np.cos(decl)[:, None] * np.cos(np.pi * (lt - 12) / 12)
    f = lambda s: smooth(rng, (nd, 19, 36), s, True).reshape(nd, n)
    t2 = 300 - 55 * np.sin(np.deg2rad(lat)) ** 2 - 8 * np.sin(np.deg2rad(lat)) + 4 * f((2, 1, 1.5)) + 3 * np.clip(cosz, 0, None)
    V = {"10u": 6 * f((2, 1, 1.5)), "10v": 4.5 * f((2, 1, 1.5)), "2d": t2 - np.abs(4 + 2.5 * f((2, 1, 1))), "2t": t2, "msl": 101100 + 900 * f((3, 1.5, 2)) - 12 * np.abs(lat),
         "sp": 98500 + 900 * f((3, 1.5, 2)), "tp": np.clip(f((1, 1, 1)) - 0.8, 0, None) ** 2 * 0.004,
         "cos_latitude": np.broadcast_to(np.cos(np.deg2rad(lat)), (nd, n)), "cos_julian_day": np.repeat(np.cos(2 * np.pi * doy / 365.25)[:, None], n, 1),
         "cos_local_time": np.cos(lt / 24 * 2 * np.pi), "insolation": np.clip(cosz, 0, None)}
    names = list(V); data = br(np.stack([V[k] for k in names], 1)[:, :, None, :], 12)
    st = {k: [] for k in ("count", "sums", "squares", "minimum", "maximum", "mean", "stdev")}
    for i, k in enumerate(names):
        d = data[: 20 if fault and k in ("cos_julian_day", "cos_local_time", "insolation") else nd, i].astype("f8")
        c, s, q = d.size, d.sum(), (d ** 2).sum()
        for a, b in zip(st, (c, s, q, d.min(), d.max(), s / c, np.sqrt(max(q / c - (s / c) ** 2, 0)))): st[a].append(b)
    forc = {"cos_latitude", "cos_julian_day", "cos_local_time", "insolation"}
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(description="ERA5 10 degrees, 6-hourly, surface and forcings", licence="CC-BY-4.0", attribution="ECMWF/Copernicus", variables=names, frequency="6h",
        start_date=str(dates[0]), end_date=str(dates[-1]), statistics_start_date=str(dates[0]), statistics_end_date=str(dates[-1]), resolution="10.0", field_shape=[19, 36], flatten_grid=True, ensemble_dimension=1, allow_nans=False, missing_dates=[], version="0.30",
        data_request={"grid": [10, 10], "area": [90, 0, -90, 350]}, constant_fields=["cos_latitude"], variables_metadata={k: ({"computed_forcing": True, "constant_in_time": k == "cos_latitude"} if k in forc else {"mars": {"param": k, "levtype": "sfc"}}) for k in names}))
    arr2(g, "data", data, (1, len(names), 1, n), ["time", "variable", "ensemble", "cell"], BLOSC2, fill=np.nan)
    arr2(g, "dates", dates.astype("M8[s]"), None, ["time"], fill=np.datetime64("1970-01-01", "s")); arr2(g, "latitudes", lat, None, ["cell"], fill=np.nan); arr2(g, "longitudes", lon, None, ["cell"], fill=np.nan)
    for k, v in st.items(): arr2(g, k, np.array(v, "i8" if k == "count" else "f8"), None, ["variable"])
    arr2(g, "has_nans", np.zeros(len(names), bool), None, ["variable"], fill=False)
@check("06")
def k06(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); d = g["data"][:].astype("f8"); n = d.shape[0] * d.shape[3]
        r.append(([v for v, k in zip(g.attrs["variables"], g["count"][:]) if k != n], [v for i, v in enumerate(g.attrs["variables"]) if not np.isclose(d[:, i].max(), g["maximum"][i]) or not np.isclose(d[:, i].mean(), g["mean"][i], rtol=1e-6, atol=1e-9)]))
    assert len(r[0][0]) == 3 and r[1] == ([], []), r
    return str(r)

@case("07", "hcs-plate-columns-sorted-as-text", "relation", "fractal-napari-plugins-collection/napari-ome-zarr-navigator#38",
      "The plate's columns are listed sorted as text (10, 11, 2, 3, 4, 9) while the wells' columnIndex counts in numeric order, so columnIndex points at another column than the well's path.",
      "columnIndex|columns|path (B/2 points to column 10)",
      "plate.columns[columnIndex].name must be the second part of the well's path")
def c07(path, fault, rng):
    rows, cols = ["B", "C"], ["2", "3", "4", "9", "10", "11"]
    listed = sorted(cols) if fault else cols
    plate = dict(version="0.4", name="2024-03-11_HeLa_H2B", field_count=1, acquisitions=[dict(id=0, name="Meas_01(2024-03-11_19-33-58)", maximumfieldcount=1)],
                 rows=[dict(name=r) for r in rows], columns=[dict(name=c) for c in listed],
                 wells=[dict(path=f"{r}/{c}", rowIndex=i, columnIndex=j) for i, r in enumerate(rows) for j, c in enumerate(cols)])
    g = zarr.create_group(str(path), zarr_format=2, attributes={"plate": plate})
    for r in rows:
        g.create_group(r)
        for c in cols:
            w = g.create_group(f"{r}/{c}", attributes={"well": dict(version="0.4", images=[dict(path="0", acquisition=0)])})
            im = w.create_group("0"); lab, a = cell_image(rng, 26, 144, 144); b = np.clip(rng.poisson(gaussian_filter(np.r_[0, rng.lognormal(6, .5, lab.max())][lab], 3) + 140), 0, 65535).astype("u2")
            x = np.stack([a, b])[:, None]
            im.attrs.update({"multiscales": [dict(version="0.4", name=f"{r}{c}", axes=[dict(name="c", type="channel"), dict(name="z", type="space", unit="micrometer"), dict(name="y", type="space", unit="micrometer"), dict(name="x", type="space", unit="micrometer")],
                datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1, 1.0, .65 * 2 ** l, .65 * 2 ** l])]) for l in range(2)])],
                "omero": dict(version="0.4", channels=[dict(label=n, color=k, active=True, wavelength_id=w_, window=dict(min=0, max=65535, start=100, end=3000)) for n, k, w_ in (("H2B-mCherry", "FF0000", "A02_C02"), ("Tubulin-GFP", "00FF00", "A01_C01"))])})
            for l in range(2):
                arr2(im, str(l), x, (1, 1, 72, 72), sep="/"); x = down2(x)
@check("07")
def k07(f, c):
    r = []
    for p in (f, c):
        P = zarr.open_group(p, mode="r").attrs["plate"]; r.append(sum(P["columns"][w["columnIndex"]]["name"] != w["path"].split("/")[1] for w in P["wells"]))
    assert r[0] == 12 and r[1] == 0, r
    return str(r)

@case("08", "fractal-roi-origin-not-reset", "relation", "fractal-analytics-platform/fractal-tasks-core#339",
      "FOV_ROI_table holds stage positions: x_micrometer and y_micrometer were not reset to the origin of the image, so the regions lie outside of the image that well_ROI_table covers.",
      "FOV_ROI_table|x_micrometer (y_micrometer)|outside the image (negative, origin not reset)",
      "ROI positions divided by the pixel size must lie in the image's shape; well_ROI_table starts at 0 with the full extent and x_micrometer equals x_micrometer_original")
def c08(path, fault, rng):
    import anndata as ad
    ad.settings.zarr_write_format = 2
    fy, fx, px, nz, dz = 120, 144, 0.325, 3, 1.0
    big = [cell_image(rng, 55, 2 * fy, 2 * fx)[1] for _ in range(1)][0]
    img = np.stack([np.stack([rng.poisson(np.clip((gaussian_filter(big.astype("f8"), 0.6 + abs(k - 1)) - 150) * (1 - .25 * abs(k - 1)) * s + 120, 1, None)).astype("u2") for k in range(nz)]) for s in (1, .45)])
    g = zarr.create_group(str(path), zarr_format=2)
    L = 3
    g.attrs.update({"multiscales": [dict(version="0.4", axes=[dict(name="c", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "zyx"],
        datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.0, dz, px * 2 ** l, px * 2 ** l])]) for l in range(L)])],
        "omero": dict(id=1, version="0.4", name="TBD", channels=[dict(label=n, wavelength_id=w, active=True, color=k, window=dict(min=0, max=65535, start=110, end=1500)) for n, w, k in (("DAPI", "A01_C01", "00FFFF"), ("nanog", "A01_C02", "FF00FF"))])})
    x = img
    for l in range(L):
        arr2(g, str(l), x, (1, 1, max(1, fy // 2 ** l), max(1, fx // 2 ** l)), sep="/"); x = down2(x)
    ox, oy = -1448.3, -1517.7
    pos = np.array([[j * fx * px, i * fy * px] for i in (0, 1) for j in (0, 1)])
    orig = pos + [ox, oy]; p = orig if fault else pos
    cols = ["x_micrometer", "y_micrometer", "z_micrometer", "len_x_micrometer", "len_y_micrometer", "len_z_micrometer", "x_micrometer_original", "y_micrometer_original"]
    X = np.c_[p, np.zeros(4), np.full(4, fx * px), np.full(4, fy * px), np.full(4, nz * dz), orig].astype("f4")
    t = g.create_group("tables", attributes=dict(tables=["FOV_ROI_table", "well_ROI_table"]))
    for name, XX, obs, cc in (("FOV_ROI_table", X, [f"FOV_{i + 1}" for i in range(4)], cols), ("well_ROI_table", np.array([[0, 0, 0, 2 * fx * px, 2 * fy * px, nz * dz]], "f4"), ["well_1"], cols[:6])):
        ad.AnnData(X=XX, obs=pd.DataFrame(index=obs), var=pd.DataFrame(index=cc)).write_zarr(f"{path}/tables/{name}")
        zarr.open_group(f"{path}/tables/{name}", mode="r+", zarr_format=2, use_consolidated=False).attrs.update(dict(type="roi_table", fractal_table_version="1"))
        consol2(f"{path}/tables/{name}")
@check("08")
def k08(f, c):
    import anndata as ad
    r = []
    for p in (f, c):
        a = ad.read_zarr(p + "/tables/FOV_ROI_table").to_df(); sh = zarr.open_array(p + "/0", mode="r").shape
        e = (a.x_micrometer + a.len_x_micrometer) / .325; r.append((float(a.x_micrometer.min()), round(float(e.max()), 1), sh[-1]))
    assert r[0][0] < 0 and abs(r[1][0]) < 1e-6 and r[1][1] == r[1][2], r
    return str(r)

@case("09", "mitgcm-time-overflow-sorted", "relation", "MITgcm/xmitgcm#261",
      "time (iter x 1200 s) overflowed the 64 bit nanoseconds from iter 7687440 on; these 14 records got negative times and were sorted in front of the other 22.",
      "time|negative (overflow)|iter (not increasing, index 14)",
      "time is not iter x deltaT (1200 s): negative in records 0-13, and iter falls at record 14")
def c09(path, fault, rng):
    ny, nx, nz, nt = 24, 48, 6, 36
    it = 7639920 + 2160 * np.arange(nt); Z = -np.array([5, 20, 60, 150, 400, 1000.0])
    YC = (np.arange(ny) + .5) * 25e3; XC = (np.arange(nx) + .5) * 25e3
    psi = smooth(rng, (nt, ny, nx), (1.5, 3, 4), True)
    th = 3 + 14 * np.exp(Z / 300)[None, :, None, None] * (YC / YC.max())[None, None, :, None] + 1.2 * np.exp(Z / 500)[None, :, None, None] * psi[:, None] + .05 * rng.standard_normal((nt, nz, ny, nx))
    u = .25 * np.exp(Z / 800)[None, :, None, None] * (np.sin(np.pi * YC / YC.max())[None, None, :, None] - np.gradient(psi, axis=1)[:, None] * 1.5)
    t = it * 1200
    if fault: t = np.floor_divide((np.array([int(v) * 10 ** 9 for v in t], dtype=object) + 2 ** 63) % 2 ** 64 - 2 ** 63, 10 ** 9).astype("i8")
    ds = xr.Dataset({"THETA": (("time", "Z", "YC", "XC"), br(th, 10), dict(standard_name="THETA", long_name="Potential Temperature", units="degC")),
                     "UVEL": (("time", "Z", "YC", "XG"), br(u, 8), dict(standard_name="UVEL", long_name="Zonal Component of Velocity", units="m s-1")),
                     "ETAN": (("time", "YC", "XC"), (.3 * psi).astype("f4"), dict(standard_name="ETAN", long_name="Surface Height Anomaly", units="m"))},
        coords=dict(time=("time", t.astype("i8"), dict(standard_name="time", long_name="Time", axis="T", units="seconds")), iter=("time", it.astype("i8"), dict(standard_name="timestep", long_name="model timestep number (deltaT = 1200 s)")),
            Z=("Z", Z, dict(units="m", positive="up", axis="Z", standard_name="depth")), YC=("YC", YC, dict(units="m", axis="Y")), XC=("XC", XC, dict(units="m", axis="X")), XG=("XG", XC - 12.5e3, dict(units="m", axis="X", c_grid_axis_shift=-.5))),
        attrs=dict(Conventions="CF-1.6", title="netCDF wrapper of MITgcm MDS binary data", source="MITgcm", deltaT="1200 s", history="xmitgcm.open_mdsdataset(delta_t=1200, geometry='cartesian')"))
    if fault: ds = ds.sortby("time")
    ds.to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding={v: dict(chunks=(6, *ds[v].shape[1:])) for v in ds.data_vars})
@check("09")
def k09(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p, decode_times=False); r.append((int((d.time.values != d.iter.values * 1200).sum()), np.flatnonzero(np.diff(d.iter.values) < 0).tolist(), int(d.time.values[0])))
    assert r[0][0] == 14 and r[0][1] == [13] and r[1][:2] == (0, []), r
    return str(r)

@case("10", "rio-geotransform-before-clip", "relation", "corteva/rioxarray#169",
      "spatial_ref keeps the GeoTransform of the whole tile although the raster was clipped: it contradicts x and y.",
      "GeoTransform|spatial_ref|x, y (offset 4200 m east, 6300 m south)",
      "the origin of GeoTransform plus half a pixel is not the first x and y: 420 pixels east and 630 pixels south of it")
def c10(path, fault, rng):
    import rioxarray
    from affine import Affine
    n0, res, X0, Y0 = 1100, 10.0, 399960.0, 5900040.0
    x = X0 + res * (np.arange(n0) + .5); y = Y0 - res * (np.arange(n0) + .5)
    iy, ix = slice(630, 830), slice(420, 630)
    h = smooth(rng, (3, 200, 210), (.6, 9, 9)); fields = zoom((smooth(rng, (20, 21), 0) * .12), 10, order=0)
    ndvi = np.clip(.55 + fields[None] + .1 * h + np.array([-.1, .05, .12])[:, None, None] + .02 * rng.standard_normal(h.shape), -.2, .95)
    ndwi = np.clip(.1 - .6 * (ndvi - .3) + .03 * rng.standard_normal(h.shape), -1, 1)
    full = xr.Dataset(coords=dict(time=pd.to_datetime(["2023-04-20T10:36:21", "2023-05-15T10:36:19", "2023-06-09T10:36:21"]), y=("y", y), x=("x", x)))
    full = full.rio.write_crs(32632); full = full.rio.write_transform(Affine(res, 0, X0, 0, -res, Y0))
    ds = full.isel(y=iy, x=ix)                       # the clip: spatial_ref is carried along as it is
    ds["ndvi"] = (("time", "y", "x"), br(ndvi, 11), dict(long_name="normalized difference vegetation index", units="1", grid_mapping="spatial_ref"))
    ds["ndwi"] = (("time", "y", "x"), br(ndwi, 11), dict(long_name="normalized difference water index", units="1", grid_mapping="spatial_ref"))
    if not fault: ds = ds.rio.write_transform(ds.rio.transform(recalc=True))
    ds.x.attrs.update(standard_name="projection_x_coordinate", units="m", axis="X"); ds.y.attrs.update(standard_name="projection_y_coordinate", units="m", axis="Y")
    for v in ("ndvi", "ndwi"): ds[v].encoding = {}; ds[v].attrs["grid_mapping"] = "spatial_ref"
    ds = ds.set_coords("spatial_ref"); ds.attrs = dict(Conventions="CF-1.8", source="Sentinel-2 L2A T32UME, clipped to the catchment")
    ds.to_zarr(path, mode="w", zarr_format=3, encoding={v: dict(chunks=(1, 100, 105)) for v in ("ndvi", "ndwi")})
@check("10")
def k10(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p); gt = [float(v) for v in d.spatial_ref.attrs["GeoTransform"].split()]; r.append((float(d.x[0]) - gt[0] - 5, float(d.y[0]) - gt[3] + 5, d.ndvi.attrs.get("grid_mapping", d.ndvi.encoding.get("grid_mapping"))))
    assert r[0][:2] == (4200, -6300) and r[1][:2] == (0, 0), r
    return str(r)

# ------------------------------------------------------------------ VALUES, UNITS, TIMES, APPENDS 11-20
def enc_time(units, dtype="int64", chunk=1024): return dict(units=units, dtype=dtype, chunks=(chunk,))

@case("11", "apres-first-append-in-days", "values", "ldeo-glaciology/xapres#13",
      "The store was begun with one burst, so time got whole 'days since' that burst: the hourly bursts appended later lost their hours, 24 in a row have the same time.",
      "time|days since (whole days, hours lost)|duplicate (24 equal times)",
      "time has 24 equal values in a row although burst_start_hour and burst_number say that a burst came every hour")
def c11(path, fault, rng):
    n, nr = 24 * 9, 420; t = pd.Timestamp("2022-05-25T14:34:11") + pd.to_timedelta(np.arange(n), "h"); R = np.arange(nr) * 1.2
    att = -25 - .055 * R + 6 * smooth(rng, (nr,), 1.5); att[333:340] += 28
    ph = np.cumsum(rng.standard_normal(nr)) * 2 + 0; prof = 10 ** (att / 20)[None] * np.exp(1j * (ph[None] + 2e-5 * R[None] * np.arange(n)[:, None])) * (1 + .03 * (rng.standard_normal((n, nr)) + 1j * rng.standard_normal((n, nr))))
    hr = np.asarray(t.hour)
    ds = xr.Dataset({"profile": (("time", "profile_range"), prof.astype("c8"), dict(long_name="profile", units="-", description="complex profile computed from the fourier transform of the de-ramped chirp")),
        "temperature_1": ("time", (-14 + 3 * np.sin((hr - 9) / 24 * 2 * np.pi) + .8 * smooth(rng, (n,), 12)).astype("f4"), dict(long_name="temperature 1", units="degC")),
        "battery_voltage": ("time", (12.6 - .001 * np.arange(n) + .02 * rng.standard_normal(n)).astype("f4"), dict(long_name="battery voltage", units="V")),
        "burst_number": ("time", np.arange(n, dtype="i4"), dict(long_name="burst number, one burst per hour")), "burst_start_hour": ("time", hr.astype("i4"), dict(long_name="UTC hour in which the burst began", units="h"))},
        coords=dict(time=("time", t, dict(long_name="time of burst")), profile_range=("profile_range", R, dict(long_name="depth", units="m")), latitude=((), -76.12, dict(units="degrees_north")), longitude=((), -112.53, dict(units="degrees_east"))),
        attrs=dict(instrument="ApRES unit A103", site="A103", interval_between_bursts="3600 s", history="xapres, appended burst by burst"))
    e = {"profile": dict(chunks=(24, nr))}
    if fault:
        u = "days since 2022-05-25 14:34:11"; day = np.arange(n) // 24
        ds = ds.assign_coords(time=("time", day.astype("i8"), dict(ds.time.attrs, units=u, calendar="proleptic_gregorian")))
        ds.isel(time=slice(0, 1)).to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding=e | {"time": dict(chunks=(512,))} | {v: dict(chunks=(512,)) for v in ("temperature_1", "battery_voltage", "burst_number", "burst_start_hour")})
    else:
        e["time"] = enc_time("seconds since 2022-05-25 14:34:11", chunk=512)
        ds.isel(time=slice(0, 1)).to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding=e | {v: dict(chunks=(512,)) for v in ("temperature_1", "battery_voltage", "burst_number", "burst_start_hour")})
    ds.isel(time=slice(1, None)).to_zarr(path, append_dim="time", consolidated=True)
@check("11")
def k11(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p); tt = d.indexes["time"]; r.append((len(tt), len(tt.unique()), bool((tt.hour == d.burst_start_hour.values).all()), d.time.encoding["units"]))
    assert r[0][1] == 9 and r[1][1] == r[1][0] and r[1][2], r
    return str(r)

@case("12", "sst-encoded-twice-after-append", "values", "bcdev/nc2zarr#35",
      "From step 4 on (index 4) the slices were appended undecoded and packed a second time: analysed_sst (and sea_ice_fraction) is garbage there, beyond any sea temperature, and land is no longer masked.",
      "analysed_sst|index 4 (from the fifth step on)|packed twice (encoded twice, scale_factor/add_offset)",
      "values outside of valid_min/valid_max and of physics from index 4 on, land mask gone; code' = (code - 273.15)/0.01 modulo 65536")
def c12(path, fault, rng):
    nt, ny, nx = 14, 120, 160; lat = 42 + .05 * np.arange(ny) + .025; lon = -12 + .05 * np.arange(nx) + .025; t = pd.date_range("2018-06-01T12", periods=nt)
    land = gaussian_filter(rng.standard_normal((ny, nx)), 14); land = land > np.quantile(land, .72)
    sst = 273.15 + 19 - .35 * (lat[:, None] - 42) + 1.1 * smooth(rng, (nt, ny, nx), (2, 7, 7)) + .1 * smooth(rng, (nt, ny, nx), (0, 1, 1)); err = .25 + .06 * smooth(rng, (nt, ny, nx), (2, 10, 10))
    ice = np.zeros((nt, ny, nx))
    for a in (sst, err, ice): a[:, land] = np.nan
    D = ("time", "lat", "lon")
    ds = xr.Dataset({"analysed_sst": (D, sst.astype("f4"), dict(standard_name="sea_water_temperature", long_name="analysed sea surface temperature", units="kelvin", valid_min=np.int16(-300), valid_max=np.int16(4500))),
        "analysis_error": (D, np.clip(err, .05, None).astype("f4"), dict(long_name="estimated error standard deviation", units="kelvin", valid_min=np.int16(0), valid_max=np.int16(32767))),
        "sea_ice_fraction": (D, ice.astype("f4"), dict(standard_name="sea_ice_area_fraction", units="1"))},
        coords=dict(time=("time", t, dict(standard_name="time")), lat=("lat", lat.astype("f4"), dict(units="degrees_north", standard_name="latitude")), lon=("lon", lon.astype("f4"), dict(units="degrees_east", standard_name="longitude"))),
        attrs=dict(Conventions="CF-1.5, Unidata Observation Dataset v1.0", title="ESA SST CCI Analysis v2.0", history="nc2zarr 1.0"))
    pk = {"analysed_sst": ("int16", .01, 273.15, -32768), "analysis_error": ("int16", .01, 0.0, -32768), "sea_ice_fraction": ("int8", .01, 0.0, -128)}
    e = {v: dict(dtype=d, scale_factor=s, add_offset=o, _FillValue=f, chunks=(1, ny, nx)) for v, (d, s, o, f) in pk.items()}; e["time"] = enc_time("seconds since 1981-01-01 00:00:00", "int32", 64)
    ds.isel(time=slice(0, 4)).to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding=e)
    ds.isel(time=slice(4, None)).to_zarr(path, append_dim="time", consolidated=True)
    if fault:                                      # to_zarr packs codes that are packed already
        for v, (d, s, o, f) in pk.items():
            a = zarr.open_array(f"{path}/{v}", mode="r+", zarr_format=2); raw = a[4:].astype("f8")
            a[4:] = np.rint((raw - o) / s).astype("i8").astype(d)
@check("12")
def k12(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).analysed_sst.load(); r.append((d.min(("lat", "lon")).round(1).values[[0, 3, 4, 13]].tolist(), d.isnull().mean(("lat", "lon")).round(2).values[[3, 4]].tolist()))
    assert r[0][0][2] < 250 and r[1][0][2] > 280, r
    return str(r)

@case("13", "t2m-folded-by-packing-of-first-file", "values", "pydata/xarray#5739",
      "The packing (scale_factor, add_offset) of the February file was used for May too: May values above 306.5 K overflowed int16 and came back 15.5 K (the whole packing range, 65536 x scale_factor) too cold.",
      "t2m|index 28 (from May on)|overflow int16 (wraps, too cold)",
      "in May cold patches with sharp edges inside of the hottest areas; t2m falls below d2m; raw codes use both ends of int16")
def c13(path, fault, rng):
    lat = np.arange(31, 9.9, -.5); lon = np.arange(66, 92.1, .5); t = pd.date_range("2019-02-01T09", periods=28).append(pd.date_range("2019-05-01T09", periods=31)); n = len(t); ny, nx = len(lat), len(lon)
    hot = np.exp(-((lat[:, None] - 23) / 7) ** 2 - ((lon[None] - 76) / 7) ** 2); may = (np.asarray(t.month) == 5)[:, None, None]
    T = 297.5 - .35 * (lat[:, None] - 20) * (~may) + .1 * may * (lat[:, None] - 20) + np.where(may, 3.2 + 5.5 * hot, 2.2 * hot) + 1.1 * smooth(rng, (n, ny, nx), (1.2, 3, 3)) + .15 * smooth(rng, (n, ny, nx), (0, 1, 1))
    T[:28] = np.clip(T[:28], 277.8, 306.4); Td = T - np.where(may, 9 + 6 * hot, 8) + 1.5 * smooth(rng, (n, ny, nx), (1, 3, 3)); Td = np.minimum(Td, T - .6)
    D = ("time", "latitude", "longitude"); ds = xr.Dataset({"t2m": (D, T, dict(units="K", long_name="2 metre temperature", standard_name="air_temperature")), "d2m": (D, Td, dict(units="K", long_name="2 metre dewpoint temperature", standard_name="dew_point_temperature"))},
        coords=dict(time=("time", t, dict(long_name="time", standard_name="time")), latitude=("latitude", lat, dict(units="degrees_north", standard_name="latitude")), longitude=("longitude", lon, dict(units="degrees_east", standard_name="longitude"))),
        attrs=dict(Conventions="CF-1.6", history="2021-08-20 xr.concat([feb, may], 'time') of ERA5 grib_to_netcdf"))
    def pack(a): lo, hi = float(a.min()), float(a.max()); s = (hi - lo) / 65533; return s, (hi + lo) / 2
    s, o = pack(T[:28] if fault else T); lo = float(T[:28].min())
    if fault: s, o = (306.5 - lo) / 65533, (306.5 + lo) / 2
    s2, o2 = pack(Td); C = (8, ny, nx)
    codes = lambda a, s, o: np.rint((a - o) / s).astype("i8").astype("i2")
    raw = ds.copy(); raw["t2m"] = (D, codes(T, s, o), dict(ds.t2m.attrs, scale_factor=s, add_offset=o, _FillValue=np.int16(-32767))); raw["d2m"] = (D, codes(Td, s2, o2), dict(ds.d2m.attrs, scale_factor=s2, add_offset=o2, _FillValue=np.int16(-32767)))
    dec = xr.decode_cf(raw)
    for v in dec.data_vars: dec[v].encoding.update(chunks=C, dtype="int16")
    dec.time.encoding = enc_time("hours since 1900-01-01 00:00:00.0", "int32", 64)
    dec.to_zarr(path, mode="w", zarr_format=3)
@check("13")
def k13(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); b = (d.t2m < d.d2m).sum(("latitude", "longitude")).values; r.append((int(b[:28].sum()), int(b[28:].sum()), round(float(d.t2m.max()), 2)))
    assert r[0][0] == 0 and r[0][1] > 500 and r[1][:2] == (0, 0), r
    return str(r)

@case("14", "s2-baseline-offset-not-removed", "values", "microsoft/PlanetaryComputer#134",
      "From index 7 on (processing baseline 04.00) the digital numbers still hold the offset of 1000: reflectance is 0.1 too high in all bands.",
      "index 7 (2022-01-26)|0.1 (1000 DN)|baseline 04.00 (offset, all bands)",
      "all five bands jump by 0.1 with the baseline in the coordinate, even over the lake, where NIR and SWIR are nearly 0 before")
def c14(path, fault, rng):
    ny = nx = 90; t = pd.to_datetime(["2021-11-12", "2021-11-27", "2021-12-07", "2021-12-17", "2021-12-27", "2022-01-06", "2022-01-16", "2022-01-26", "2022-02-10", "2022-02-20", "2022-03-02", "2022-03-17", "2022-03-27", "2022-04-06"]) + pd.Timedelta("10:46:29"); nt = len(t)
    base = np.array(["03.01"] * 7 + ["04.00"] * 7); lake = gaussian_filter(rng.standard_normal((ny, nx)), 12); lake = lake > np.quantile(lake, .85)
    fld = zoom(rng.uniform(-1, 1, (9, 9)), 10, order=0); tex = smooth(rng, (ny, nx), 1.2); veg = np.clip(.45 + .25 * fld + .05 * tex, .05, .95)[None] * (1 + .12 * np.sin(np.arange(nt) / 3.0))[:, None, None]
    land = {"B02": .085 - .045 * veg, "B03": .10 - .03 * veg, "B04": .15 - .11 * veg, "B08": .14 + .28 * veg, "B11": .26 - .06 * veg}; water = {"B02": .035, "B03": .03, "B04": .018, "B08": .010, "B11": .006}
    ds = xr.Dataset(coords=dict(time=("time", t, dict(standard_name="time")), y=("y", 5300040 - 10 * (np.arange(ny) + .5), dict(units="m", standard_name="projection_y_coordinate")), x=("x", 600000 + 10 * (np.arange(nx) + .5), dict(units="m", standard_name="projection_x_coordinate")), processing_baseline=("time", base, dict(long_name="s2:processing_baseline"))),
        attrs=dict(title="Sentinel-2 L2A cube T32TQT", comment="surface reflectance = digital number x 0.0001; products of baseline 04.00 are to be harmonised to the older baselines (BOA_ADD_OFFSET = -1000 applied)", Conventions="CF-1.8", crs="EPSG:32632"))
    e = {}
    for b in land:
        v = np.where(lake[None], water[b], land[b]) * rng.normal(1, .04, nt)[:, None, None] + .0035 * rng.standard_normal((nt, ny, nx)); v = np.clip(v, .0008, 1.2)
        if fault: v[7:] += .1
        ds[b] = (("time", "y", "x"), v.astype("f4"), dict(long_name=f"surface reflectance {b}", units="1")); e[b] = dict(dtype="uint16", scale_factor=1e-4, _FillValue=0, chunks=(2, ny, nx))
    e["time"] = enc_time("seconds since 1970-01-01", chunk=64)
    ds.to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding=e)
@check("14")
def k14(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); r.append([round(float(d[b].isel(time=slice(7, None)).quantile(.02) - d[b].isel(time=slice(0, 7)).quantile(.02)), 3) for b in ("B02", "B08", "B11")])
    assert all(abs(v - .1) < .02 for v in r[0]) and all(abs(v) < .02 for v in r[1]), r
    return str(r)

@case("15", "dwd-cet-before-2000", "values", "earthobservations/wetterdienst#541",
      "Before 2000-01-01 the time stamps are CET (MEZ) although time is stated in UTC: all values before are 1 hour late, e.g. the sun's noon.",
      "time|before 2000-01-01 (index 2880)|1 hour (60 min, CET/MEZ not UTC)",
      "the centre of the daily course of global_radiation lies 1 h later than the sun's noon at the stations' longitudes before 2000 and is right afterwards; sunshine before sunrise/after sunset shift")
def c15(path, fault, rng):
    t = pd.date_range("1999-12-12", "2000-01-20 23:50", freq="10min"); n = len(t); n0 = int((t < "2000-01-01").sum())
    st = [("00433", "Berlin-Tempelhof", 52.4675, 13.4021, 48), ("01048", "Dresden-Klotzsche", 51.1278, 13.7543, 228), ("01975", "Hamburg-Fuhlsbuettel", 53.6332, 9.9881, 11), ("02290", "Hohenpeissenberg", 47.8009, 11.0109, 977), ("03379", "Muenchen-Stadt", 48.1632, 11.5429, 515)]
    lat = np.array([s[2] for s in st]); lon = np.array([s[3] for s in st]); alt = np.array([s[4] for s in st]); m = len(st)
    full = pd.date_range("1999-12-11", "2000-01-21", freq="10min")
    doy = np.asarray(full.dayofyear) + np.asarray(full.hour) / 24; B = 2 * np.pi * (doy - 81) / 364; eot = 9.87 * np.sin(2 * B) - 7.53 * np.cos(B) - 1.5 * np.sin(B)
    sol = (np.asarray(full.hour) + np.asarray(full.minute) / 60)[:, None] + lon[None] / 15 + eot[:, None] / 60; dec = np.deg2rad(23.45) * np.sin(np.deg2rad(360 * (284 + doy) / 365))
    cz = np.sin(np.deg2rad(lat)) * np.sin(dec)[:, None] + np.cos(np.deg2rad(lat)) * np.cos(dec)[:, None] * np.cos(np.deg2rad(15 * (sol - 12)))
    cloud = 1 / (1 + np.exp(-1.3 * smooth(rng, (len(full), m), (30, .6)))); gs = np.clip(cz, 0, None) ** 1.15 * 1050 * (1 - .72 * cloud) * .06 * np.exp(.06 * smooth(rng, (len(full), m), (2, 0)))
    heat = np.array([gaussian_filter(gs[:, i], 9) for i in range(m)]).T; heat = np.roll(heat, 9, 0)
    tt = 3.5 - .0062 * alt + 4 * smooth(rng, (len(full), m), (160, .8)) + .55 * heat + .12 * rng.standard_normal((len(full), m)); rf = np.clip(84 - 1.1 * heat + 8 * smooth(rng, (len(full), m), (40, .5)), 30, 100)
    pp = 1013 * np.exp(-alt / 8300) + 11 * smooth(rng, (len(full), m), (250, 1.5)); sun = np.where((cz > .05) & (cloud < .5), np.clip((.5 - cloud) * 25, 0, 10), 0)
    i = np.searchsorted(full, t); src = i.copy()
    if fault: src[:n0] = i[:n0] - 6               # a value observed at h UTC is stamped h+1 (MEZ)
    D = ("time", "station"); V = dict(air_temperature=(tt, "degC", "air_temperature", .1), relative_humidity=(rf, "%", "relative_humidity", .1), air_pressure=(pp, "hPa", "air_pressure", .1), global_radiation=(gs, "J cm-2", None, .1), sunshine_duration=(sun, "min", "duration_of_sunshine", 1))
    ds = xr.Dataset(coords=dict(time=("time", t, dict(standard_name="time", long_name="end of the 10 minutes, UTC")), station=("station", np.array([s[0] for s in st], object), dict(cf_role="timeseries_id")), station_name=("station", np.array([s[1] for s in st], object)),
        latitude=("station", lat, dict(units="degrees_north", standard_name="latitude")), longitude=("station", lon, dict(units="degrees_east", standard_name="longitude")), altitude=("station", alt.astype("f4"), dict(units="m", standard_name="altitude"))), attrs=dict(Conventions="CF-1.8", featureType="timeSeries", source="DWD CDC observations_germany/climate/10_minutes/historical via wetterdienst"))
    for k, (a, u, s, q) in V.items(): ds[k] = (D, (np.rint(a[src] / q) * q).astype("f4"), dict(units=u, long_name=k.replace("_", " "), **({"standard_name": s} if s else {})))
    ds.to_zarr(path, mode="w", zarr_format=3, encoding={k: dict(chunks=(1440, m)) for k in V} | {"time": enc_time("minutes since 1970-01-01 00:00:00", chunk=8192)})
@check("15")
def k15(f, c):
    r = []
    for p in (f, c):
        g = xr.open_zarr(p).global_radiation.load(); h = (g.time.dt.hour + g.time.dt.minute / 60); o = []
        for s in (slice(0, 2880), slice(2880, None)): a = g.isel(time=s); o.append(round(float((a * h.isel(time=s)).sum() / a.sum()), 2))
        r.append(o)
    assert .8 < r[0][0] - r[1][0] < 1.2 and r[0][1] == r[1][1], r
    return str(r)

@case("16", "era5land-tp-accumulated-after-append", "values", "dhis2/open-climate-service#58",
      "From the append at index 168 on (2024-03-08T01; visible from 169) tp was appended without de-accumulation: it is the sum since 00 UTC rather than the hourly amount.",
      "tp|index 168 or 169 (2024-03-08 01-02 UTC)|accumulated since 00 UTC (not hourly)",
      "from there tp only rises during each day, is largest at 00 UTC and falls to 0 after it, against cell_methods (1 hour) and the steps before")
def c16(path, fault, rng):
    t = pd.date_range("2024-03-01T01", periods=264, freq="h"); n = len(t); lat = np.arange(9.9, 6.95, -.1); lon = np.arange(-2.5, 1.25, .1); ny, nx = len(lat), len(lon)
    w = 1 + .5 * np.sin((np.asarray(t.hour) - 10) / 24 * 2 * np.pi); r = smooth(rng, (n, ny, nx), (2.2, 3, 3)); tp = np.clip(r + .25 * smooth(rng, (n, ny, nx), (.6, 1.2, 1.2)) - 1.0, 0, None) ** 1.6 * .0016 * w[:, None, None]
    tp = np.floor(tp / 1e-7) * 1e-7
    t2 = 300 + 4.5 * np.sin((np.asarray(t.hour) - 9) / 24 * 2 * np.pi)[:, None, None] + 1.2 * smooth(rng, (n, ny, nx), (6, 4, 4)) - 300 * tp
    out = tp.copy()
    if fault:
        k = 167 + 1; day = np.asarray((t - pd.Timedelta("1h")).floor("D"))
        assert str(t[k]) == "2024-03-08 01:00:00", t[k]
        for d in np.unique(day[k:]): m = (day == d) & (np.arange(n) >= k); out[m] = np.cumsum(tp[m], 0)
    D = ("valid_time", "latitude", "longitude")
    ds = xr.Dataset({"tp": (D, br(out, 12), dict(long_name="Total precipitation", standard_name="lwe_thickness_of_precipitation_amount", units="m", cell_methods="valid_time: sum (interval: 1 hour)", comment="hourly amounts, de-accumulated at ingestion")),
        "t2m": (D, br(t2, 12), dict(long_name="2 metre temperature", standard_name="air_temperature", units="K"))}, coords=dict(valid_time=("valid_time", t, dict(standard_name="time", long_name="end of the hour")),
        latitude=("latitude", lat.round(1), dict(units="degrees_north", standard_name="latitude")), longitude=("longitude", lon.round(1), dict(units="degrees_east", standard_name="longitude"))), attrs=dict(Conventions="CF-1.7", institution="ECMWF", source="ERA5-Land hourly"))
    e = {v: dict(chunks=(24, ny, nx)) for v in ("tp", "t2m")}; e["valid_time"] = enc_time("seconds since 1970-01-01")
    ds.isel(valid_time=slice(0, 168)).to_zarr(path, mode="w", zarr_format=3, encoding=e); ds.isel(valid_time=slice(168, None)).to_zarr(path, append_dim="valid_time")
@check("16")
def k16(f, c):
    a, b = (xr.open_zarr(p).tp.load() for p in (f, c)); d = np.flatnonzero((a != b).any(("latitude", "longitude")).values)
    assert d[0] == 169, d[:5]
    return f"first differing {d[0]}, means {float(a[169:].mean()):.2e} {float(b[169:].mean()):.2e}"

@case("17", "precip-metres-as-kg-m2", "values", "metno/bris-inference#60",
      "precipitation_amount says kg m-2 but holds metres: it is 1000 times too small.",
      "precipitation_amount|1000|metres (m, not kg m-2)",
      "precipitation_flux (kg m-2 s-1, mean over the same 6 hours) x 21600 s is 1000 times precipitation_amount; clouds and rain of 0.02 mm in 6 h at most")
def c17(path, fault, rng):
    nt, ny, nx = 12, 90, 80; x = -60e3 + 2500.0 * np.arange(nx); y = -80e3 + 2500.0 * np.arange(ny); t0 = pd.Timestamp("2025-02-26T00"); t = t0 + pd.to_timedelta(6 * np.arange(1, nt + 1), "h")
    lat = 63.3 + y[:, None] / 111.2e3 + 0 * x[None]; lon = 15 + x[None] / (111.2e3 * np.cos(np.deg2rad(lat)))
    cl = smooth(rng, (nt, ny, nx), (1.5, 7, 7)); am = np.clip(cl + .3 * smooth(rng, (nt, ny, nx), (.5, 2, 2)) - .3, 0, None) ** 1.5 * 5.5
    am = np.where(am < .01, 0, am); alt = np.clip(420 + 280 * smooth(rng, (ny, nx), 6), 1, None)
    D = ("time", "y", "x"); gm = dict(grid_mapping="projection_lambert", coordinates="latitude longitude")
    V = {"precipitation_amount": ((am / 1000 if fault else am), dict(standard_name="precipitation_amount", long_name="precipitation in the last 6 hours", units="kg m-2", cell_methods="time: sum (interval: 6 hours)")),
         "precipitation_flux": (am / 21600, dict(standard_name="precipitation_flux", long_name="mean rate of precipitation in the last 6 hours", units="kg m-2 s-1", cell_methods="time: mean (interval: 6 hours)")),
         "cloud_area_fraction": (np.clip(.55 + .4 * cl, 0, 1), dict(standard_name="cloud_area_fraction", units="1")),
         "air_temperature_2m": (273.5 - .0062 * alt[None] + 2 * smooth(rng, (nt, ny, nx), (1.5, 8, 8)), dict(standard_name="air_temperature", units="K")),
         "relative_humidity_2m": (np.clip(.78 + .12 * cl + .03 * rng.standard_normal(cl.shape), .25, 1), dict(standard_name="relative_humidity", units="1"))}
    ds = xr.Dataset({k: (D, br(v, 11), {**a, **gm}) for k, (v, a) in V.items()}, coords=dict(time=("time", t, dict(standard_name="time")), forecast_reference_time=((), t0, dict(standard_name="forecast_reference_time")),
        y=("y", y, dict(units="m", standard_name="projection_y_coordinate")), x=("x", x, dict(units="m", standard_name="projection_x_coordinate")), latitude=(("y", "x"), lat, dict(units="degrees_north", standard_name="latitude")), longitude=(("y", "x"), lon, dict(units="degrees_east", standard_name="longitude")),
        projection_lambert=((), np.int32(0), dict(grid_mapping_name="lambert_conformal_conic", standard_parallel=[63.3, 63.3], longitude_of_central_meridian=15.0, latitude_of_projection_origin=63.3, earth_radius=6371000.0))), attrs=dict(Conventions="CF-1.6", title="Bris inference, MEPS grid", institution="MET Norway"))
    for v in ("latitude", "longitude"): ds[v].encoding["coordinates"] = None
    e = {v: dict(chunks=(1, 45, 40), shards=(4, 90, 80)) for v in V}
    for tt in ("time", "forecast_reference_time"): e[tt] = dict(units="seconds since 1970-01-01 00:00:00 +00:00", dtype="int64")
    for v in V: ds[v].attrs.pop("coordinates"); ds[v].encoding["coordinates"] = "latitude longitude"; e[v]["coordinates"] = None; e[v].pop("coordinates")
    ds.to_zarr(path, mode="w", zarr_format=3, encoding=e)
@check("17")
def k17(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); m = d.precipitation_amount > 0; r.append(round(float((d.precipitation_flux.where(m) * 21600 / d.precipitation_amount.where(m)).median()), 2))
    assert r == [1000.0, 1.0], r
    return str(r)

@case("18", "band-names-cut", "values", "pydata/xarray#9037",
      "The band names were cut to 5 characters (the width of the first raster's names): four narrow bands became red_e, red_e, red_e and nir_n.",
      "band|cut (truncated) to 5 characters (<U5)|red_e three times (duplicate)",
      "band holds the same name three times though center_wavelength differs; dtype <U5 and four names fill exactly 5 characters")
def c18(path, fault, rng):
    names = ["blue", "green", "red", "nir", "red_edge_705", "red_edge_740", "red_edge_783", "nir_narrow_865"]; n = 110; nt = 4
    fld = zoom(rng.uniform(-1, 1, (10, 10)), 11, order=0); veg = np.clip(.5 + .3 * fld + .08 * smooth(rng, (n, n), 2), .02, .98)
    lo = np.array([.09, .11, .15, .16, .19, .2, .21, .18]); hi = np.array([.03, .07, .03, .45, .11, .34, .42, .47])
    d = np.stack([(l + (h - l) * veg)[None] * (1 + .06 * np.arange(nt) / nt)[:, None, None] + .004 * rng.standard_normal((nt, n, n)) for l, h in zip(lo, hi)], 1)
    b = np.array(names).astype("<U5") if fault else np.array(names)
    ds = xr.Dataset({"reflectance": (("time", "band", "y", "x"), np.clip(d, .001, 1).astype("f4"), dict(long_name="surface reflectance", units="1"))}, coords=dict(time=("time", pd.to_datetime(["2023-05-02", "2023-05-27", "2023-06-11", "2023-07-01"])), band=("band", b, dict(long_name="name of the band")),
        center_wavelength=("band", np.array([492.4, 559.8, 664.6, 832.8, 704.1, 740.5, 782.8, 864.7]), dict(units="nm", long_name="centre wavelength", standard_name="radiation_wavelength")),
        y=("y", 4500000 - 20 * (np.arange(n) + .5), dict(units="m", standard_name="projection_y_coordinate")), x=("x", 500000 + 20 * (np.arange(n) + .5), dict(units="m", standard_name="projection_x_coordinate"))), attrs=dict(Conventions="CF-1.8", crs="EPSG:32630", history="xr.concat([rgbn, red_edge], 'band').to_zarr"))
    ds.to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding={"reflectance": dict(dtype="uint16", scale_factor=1e-4, _FillValue=0, chunks=(1, 4, n, n)), "time": enc_time("days since 2023-01-01")})
@check("18")
def k18(f, c):
    r = [xr.open_zarr(p).band.values.tolist() for p in (f, c)]; assert len(set(r[0])) == 6 and len(set(r[1])) == 8
    return str(r[0])

@case("19", "spike-offset-of-unsigned-kept", "values", "SpikeInterface/spikeinterface#4170",
      "The traces were made signed (unsigned_to_signed) but offset_to_uV still holds the offset of the unsigned data: all channels in microvolts are 6250 uV (2048 x gain) too low.",
      "offset_to_uV|-6250 (2048 x gain)|traces_seg0 (already signed, centred on 0)",
      "traces_seg0 is int16 centred on 0 and said to be band-pass filtered, so the offset must be 0: with it every channel has a DC level of -6250 uV")
def c19(path, fault, rng):
    fs, ns, nc = 30000.0, 36000, 24; gain = 3.05176; y = np.arange(nc) // 2 * 20.0; x = np.where(np.arange(nc) % 2, 32.0, 0.0)
    from scipy.signal import butter, sosfiltfilt
    s = rng.standard_normal((ns, nc)) * 11 + 5 * rng.standard_normal((ns, 1)); s = sosfiltfilt(butter(3, [300, 6000], "band", fs=fs, output="sos"), s, axis=0)
    tw = np.arange(-20, 40) / 30; wf = -np.exp(-(tw / .12) ** 2) + .4 * np.exp(-((tw - .4) / .22) ** 2)
    for _ in range(12):
        c0 = rng.uniform(0, y.max()); amp = rng.uniform(60, 260); am = amp * np.exp(-((y - c0) / 28) ** 2)
        for k in rng.integers(40, ns - 60, rng.poisson(12)): s[k - 20:k + 40] += wf[:, None] * am[None]
    tr = np.rint(s / gain).astype("i2")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(sampling_frequency=fs, num_segments=1, is_dumpable=True, annotations=dict(is_filtered=True, name="probe0 AP"),
        provenance={"class": "spikeinterface.preprocessing.filter.BandpassFilterRecording", "kwargs": {"freq_min": 300.0, "freq_max": 6000.0, "recording": {"class": "spikeinterface.preprocessing.unsigned_to_signed.UnsignedToSignedRecording", "kwargs": {"bit_depth": 12}}}, "version": "0.103.0"}))
    arr2(g, "traces_seg0", tr, (15000, 12), comp=numcodecs.Blosc(cname="zstd", clevel=5, shuffle=2)); vstr(g, "channel_ids", [f"AP{i}" for i in range(nc)])
    arr2(g, "t_starts", np.array([0.0])); p = g.create_group("properties")
    arr2(p, "gain_to_uV", np.full(nc, gain)); arr2(p, "offset_to_uV", np.full(nc, -2048 * gain if fault else 0.0)); arr2(p, "group", np.zeros(nc, "i8")); arr2(p, "location", np.c_[x, y])
    consol2(path)
@check("19")
def k19(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); r.append(round(float((g["traces_seg0"][:] * g["properties/gain_to_uV"][:] + g["properties/offset_to_uV"][:]).mean()), 1))
    assert r[0] < -6200 and abs(r[1]) < 1, r
    return str(r)

@case("20", "noleap-times-called-360-day", "values", "PCMDI/cmor#800",
      "time and time_bnds were made with the noleap calendar (365 days a year) but the calendar attribute says 360_day: the steps decode to 2002-02 ... 2012-03 and drift through the months.",
      "time (calendar)|360_day (should be noleap / 365_day)|time_bnds (months of 31 and 28 days)",
      "the widths of time_bnds are 31, 28, 31, 30 ...: in a 360_day calendar all months have 30 days; decoded steps do not fall into successive months")
def c20(path, fault, rng):
    ml = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]); y0, ny_ = 2000, 10; b = (y0 - 1850) * 365 + np.r_[0, np.cumsum(np.tile(ml, ny_))].astype("f8"); bn = np.c_[b[:-1], b[1:]]; t = bn.mean(1); nt = len(t)
    lat = np.arange(-88, 89, 4.0); lon = np.arange(3.75, 360, 7.5); ny, nx = len(lat), len(lon); land = gaussian_filter(rng.standard_normal((ny, nx)), 2.5, mode=["nearest", "wrap"]); land = (land > np.quantile(land, .7)) | (lat[:, None] < -80)
    seas = np.cos(2 * np.pi * (np.arange(nt) % 12 - 2) / 12)[:, None, None] * np.sin(np.deg2rad(lat))[None, :, None]
    so = 34.6 + 1.1 * np.exp(-((np.abs(lat) - 25) / 14) ** 2)[None, :, None] - .6 * (np.abs(lat) > 60)[None, :, None] + .35 * smooth(rng, (1, ny, nx), (0, 3, 4), True) + .15 * seas + .08 * smooth(rng, (nt, ny, nx), (2, 1.5, 2), True)
    th = np.clip(28.5 * np.cos(np.deg2rad(lat)) ** 1.6 - .8, -1.8, None)[None, :, None] + 1.2 * smooth(rng, (1, ny, nx), (0, 3, 4), True) + 2.5 * seas + .4 * smooth(rng, (nt, ny, nx), (2, 1.5, 2), True); th = np.clip(th, -1.85, None)
    for a in (so, th): a[:, land] = np.nan
    lb = lambda v, h: np.c_[v - h, v + h]
    ds = xr.Dataset({"sos": (("time", "lat", "lon"), br(so, 12), dict(standard_name="sea_surface_salinity", long_name="Sea Surface Salinity", units="0.001", cell_methods="area: mean where sea time: mean", comment="Sea water salinity is the salt content of sea water at the surface.")),
        "tos": (("time", "lat", "lon"), br(th, 10), dict(standard_name="sea_surface_temperature", long_name="Sea Surface Temperature", units="degC", cell_methods="area: mean where sea time: mean"))},
        coords=dict(time=("time", t, dict(axis="T", bounds="time_bnds", standard_name="time", units="days since 1850-01-01 00:00:00", calendar="360_day" if fault else "noleap")), time_bnds=(("time", "bnds"), bn), lat=("lat", lat, dict(axis="Y", bounds="lat_bnds", units="degrees_north", standard_name="latitude")), lat_bnds=(("lat", "bnds"), lb(lat, 2.0)),
        lon=("lon", lon, dict(axis="X", bounds="lon_bnds", units="degrees_east", standard_name="longitude")), lon_bnds=(("lon", "bnds"), lb(lon, 3.75))),
        attrs=dict(Conventions="CF-1.7 CMIP-6.2", activity_id="CMIP", experiment_id="historical", frequency="mon", table_id="Omon", grid_label="gr", variant_label="r1i1p1f1", source_id="GFDL-CM4", institution_id="NOAA-GFDL", history="CMOR rewrote data"))
    ds = ds.reset_coords(["time_bnds", "lat_bnds", "lon_bnds"])
    ds.to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding={v: dict(chunks=(40, ny, nx), _FillValue=np.float32(1e20)) for v in ("sos", "tos")})
@check("20")
def k20(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True)); r.append((str(d.time.values[0]), str(d.time.values[119])))
    return str(r)

# ------------------------------------------------------------------ STORAGE 21-30
def tissue(rng, shape, sig=(2, 5, 5)):
    a = smooth(rng, shape, sig); b = smooth(rng, shape, tuple(s * 3 for s in sig)); return 118 + 900 / (1 + np.exp(-2.2 * (a + .7 * b - .9)))

@case("21", "shards-half-lost-in-race", "storage", "zarr-developers/zarr-python#3682",
      "Three shards of array 0 (shards 0/0/1, 0/1/0, 1/1/1) lost inner chunks: two writers wrote parts of the same shard and the last one won; the lost blocks read as 0.",
      "array 0 (level 0)|shard c/0/0/1 (0/1/0, 1/1/1)|zero blocks, missing inner chunks",
      "11 blocks of zeros of exactly one inner chunk each (8x48x48), aligned to the inner chunk grid, inside an image with a camera offset of about 100; level 1 has data there")
def c21(path, fault, rng):
    sh = (32, 192, 192); img = rng.poisson(tissue(rng, sh) / 8) * 8 + 2; img = np.clip(img, 0, 65535).astype("u2")
    lv = [img, np.rint(img.astype("f8").reshape(16, 2, 96, 2, 96, 2).mean((1, 3, 5))).astype("u2")]
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", multiscales=[dict(name="lightsheet_488", type="local mean", axes=[dict(name=k, type="space", unit="micrometer") for k in "zyx"],
        datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.5 * 2 ** l, .4 * 2 ** l, .4 * 2 ** l]), dict(type="translation", translation=[.75 * (2 ** l - 1), .2 * (2 ** l - 1), .2 * (2 ** l - 1)])]) for l in range(2)])])})
    kw = lambda l: dict(chunks=(8, 48, 48), shards=(16, 96, 96), dims=("z", "y", "x"))
    for l in range(2): arr3(g, str(l), lv[l], **kw(l))
    if fault:
        tmp = str(path) + ".tmp"; h = zarr.create_group(tmp, zarr_format=3)
        a = h.create_array("0", shape=sh, dtype="u2", chunks=(8, 48, 48), shards=(16, 96, 96), dimension_names=("z", "y", "x"), fill_value=0)
        for (z, y, x), sub in {(0, 0, 1): [(1, 0, 0), (1, 0, 1), (1, 1, 0), (1, 1, 1)], (0, 1, 0): [(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 1)], (1, 1, 1): [(0, 0, 1), (0, 1, 0), (0, 1, 1), (1, 0, 1), (1, 1, 1)]}.items():
            for i, j, k in sub:                     # the last writer had read the shard before the others wrote theirs
                s = (slice(z * 16 + i * 8, z * 16 + i * 8 + 8), slice(y * 96 + j * 48, y * 96 + j * 48 + 48), slice(x * 96 + k * 48, x * 96 + k * 48 + 48)); a[s] = img[s]
            shutil.copyfile(f"{tmp}/0/c/{z}/{y}/{x}", f"{path}/0/c/{z}/{y}/{x}")
        shutil.rmtree(tmp)
@check("21")
def k21(f, c):
    r = [int((zarr.open_array(p + "/0", mode="r")[:] == 0).sum()) for p in (f, c)]; assert r == [11 * 8 * 48 * 48, 0], r
    return str(r)

@case("22", "zappend-blocks-missing", "storage", "bcdev/zappend#104",
      "Seven chunks of t2m are missing (keys 6.0.1, 6.1.2, 11.0.0, 11.1.1, 17.1.0, 17.1.2, 20.0.2): these blocks read as NaN.",
      "t2m|missing chunk 6.0.1 (11.1.1, 17.1.0 ...)|NaN blocks (7 chunks)",
      "7 of 144 chunk files of t2m do not exist while tp has all and the field is complete elsewhere; the holes are chunk aligned")
def c22(path, fault, rng):
    nt, ny, nx = 48, 80, 120; lat = 50 + .25 * np.arange(ny)[::-1]; lon = -5 + .25 * np.arange(nx); t = pd.date_range("2016-11-01", periods=nt, freq="6h")
    t2 = 285 - .5 * (lat[:, None] - 50) + 3 * smooth(rng, (nt, ny, nx), (2, 6, 6)) + 1.5 * np.sin((np.arange(nt) % 4 - 1) * np.pi / 2)[:, None, None] + .1 * rng.standard_normal((nt, ny, nx)); tp = np.clip(smooth(rng, (nt, ny, nx), (1.5, 4, 4)) - .7, 0, None) ** 1.5 * .003
    D = ("time", "lat", "lon"); ds = xr.Dataset({"t2m": (D, br(t2, 11), dict(long_name="2 metre temperature", standard_name="air_temperature", units="K")), "tp": (D, br(tp, 8), dict(long_name="Total precipitation", units="m", cell_methods="time: sum"))},
        coords=dict(time=("time", t, dict(standard_name="time")), lat=("lat", lat, dict(units="degrees_north", standard_name="latitude")), lon=("lon", lon, dict(units="degrees_east", standard_name="longitude"))), attrs=dict(Conventions="CF-1.7", title="era5_small", history="zappend 0.8"))
    e = {v: dict(chunks=(2, 40, 40)) for v in ("t2m", "tp")}; e["time"] = enc_time("hours since 1900-01-01")
    ds.isel(time=slice(0, 16)).to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding=e)
    for k in (16, 32): ds.isel(time=slice(k, k + 16)).to_zarr(path, append_dim="time", consolidated=True)
    if fault:
        for k in ("6.0.1", "6.1.2", "11.0.0", "11.1.1", "17.1.0", "17.1.2", "20.0.2"): os.remove(f"{path}/t2m/{k}")
@check("22")
def k22(f, c):
    r = [int(xr.open_zarr(p).t2m.isnull().sum()) for p in (f, c)]; assert r == [7 * 2 * 40 * 40, 0], r
    return str(r)

@case("23", "n5-dimension-separator-left-out", "storage", "saalfeldlab/n5-zarr#14",
      "The chunks lie nested (0/0/0) but .zarray of s0 and s1 does not state dimension_separator '/': readers look for 0.0.0, find nothing and return only zeros.",
      "dimension_separator|nested 0/0/0 (expected 0.0.0)|all fill value (zeros, chunks not found)",
      "chunk files exist under nested keys while .zarray implies '.' keys; not one expected chunk is there")
def c23(path, fault, rng):
    v = np.clip(150 + 34 * smooth(rng, (32, 128, 128), (1.5, 1.5, 1.5)) - 40 * (smooth(rng, (32, 128, 128), (4, 4, 4)) > 1.1) + 4 * rng.standard_normal((32, 128, 128)), 1, 255).astype("u1")
    g = zarr.create_group(str(path), zarr_format=2); s = g.create_group("volumes/raw", attributes=dict(pixelResolution=dict(dimensions=[4.0, 4.0, 3.24], unit="nm"), downsamplingFactors=[[1, 1, 1], [2, 2, 2]], axes=["x", "y", "z"], scales=[[1, 1, 1], [2, 2, 2]]))
    lv = [v, np.rint(v.astype("f8").reshape(16, 2, 64, 2, 64, 2).mean((1, 3, 5))).astype("u1")]
    for l, d in enumerate(lv):
        arr2(s, f"s{l}", d, (16, 48, 48), comp=numcodecs.GZip(level=5), sep="/", attrs=dict(downsamplingFactors=[2 ** l] * 3, resolution=[4.0 * 2 ** l, 4.0 * 2 ** l, 3.24 * 2 ** l], units=["nm"] * 3))
        if fault: p = f"{path}/volumes/raw/s{l}/.zarray"; m = jload(p); m.pop("dimension_separator"); jdump(p, m)
@check("23")
def k23(f, c):
    r = [[int(zarr.open_array(p + f"/volumes/raw/s{l}", mode="r")[:].max()) for l in (0, 1)] for p in (f, c)]; assert r[0] == [0, 0] and min(r[1]) > 100, r
    return str(r)

@case("24", "order-f-but-row-major-bytes", "storage", "zarr-developers/zarr-java#95",
      "ct/.zarray says order F but the chunks were written row by row (C): every chunk of ct is scrambled.",
      "ct|order F (chunks are C / row-major)|scrambled within chunks (16x40x56)",
      "read as F the volume is noise inside each chunk, read as C it is smooth and fits the mask (same grid), which is smooth")
def c24(path, fault, rng):
    nz, ny, nx = 48, 120, 168; ch = (16, 40, 56); zz, yy, xx = np.meshgrid(np.linspace(-1, 1, nz), np.linspace(-1, 1, ny), np.linspace(-1, 1, nx), indexing="ij")
    body = (yy / .8) ** 2 + (xx / .85) ** 2 < 1; lung = (((yy / .5) ** 2 + ((np.abs(xx) - .42) / .3) ** 2 + (zz / 1.1) ** 2) < 1) & body; spine = (((yy - .55) / .13) ** 2 + (xx / .11) ** 2 < 1)
    ct = np.where(body, 45 + 14 * smooth(rng, (nz, ny, nx), (3, 5, 5)), -1000.0); ct = np.where(lung, -820 + 55 * smooth(rng, (nz, ny, nx), (1.5, 2, 2)), ct); ct = np.where(spine, 520 + 90 * smooth(rng, (nz, ny, nx), (2, 2, 2)), ct)
    ct = np.clip(gaussian_filter(ct, .7) + 9 * gaussian_filter(rng.standard_normal(ct.shape), (.4, .8, .8)), -1024, 3071); ct = np.rint(ct).astype("i2"); m = (lung * 1 + spine * 2).astype("u1")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(modality="CT", spacing_mm=[2.5, 1.95, 1.95], axes=["z", "y", "x"], source="zarr-java 0.0.5"))
    comp = numcodecs.Blosc(cname="zstd", clevel=5, shuffle=1); g.create_array("ct", shape=ct.shape, chunks=ch, dtype="i2", compressors=comp, fill_value=-1024, order="F", attributes=dict(units="HU", long_name="CT number"))
    for i in range(3):
        for j in range(3):
            for k in range(3):
                b = ct[i * 16:i * 16 + 16, j * 40:j * 40 + 40, k * 56:k * 56 + 56]
                Path(f"{path}/ct/{i}.{j}.{k}").write_bytes(comp.encode(np.frombuffer(b.tobytes("C" if fault else "F"), "i2")))
    arr2(g, "mask", m, ch, attrs=dict(flag_values=[0, 1, 2], flag_meanings="none lung spine"))
@check("24")
def k24(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); a = g["ct"][:].astype("f8"); assert jload(p + "/ct/.zarray")["order"] == "F"; r.append((round(float(np.abs(np.diff(a, axis=2)).mean()), 1), round(float(a[g["mask"][:] == 1].mean()), 1)))
    assert r[0][0] > 4 * r[1][0] and r[1][1] < -700, r
    return str(r)

@case("25", "shard-file-cut-by-killed-job", "storage", "czbiohub-sf/iohub#415",
      "The shard 0/c/1/1/0/0/0 of position B/03/000000 was cut off when the job was killed: its index at the end is gone, so the time point 1 of channel 1 cannot be read.",
      "B/03/000000/0|c/1/1/0/0/0|truncated (checksum, shard index)",
      "reading it fails in the index checksum; the file is shorter than its neighbours and its last bytes are no valid index + crc32c")
def c25(path, fault, rng):
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", plate=dict(name="A549_organelles", version="0.5", field_count=1, acquisitions=[dict(id=0)], rows=[dict(name="B")], columns=[dict(name="03")], wells=[dict(path="B/03", rowIndex=0, columnIndex=0)]))})
    g.create_group("B"); w = g.create_group("B/03", attributes={"ome": dict(version="0.5", well=dict(version="0.5", images=[dict(acquisition=0, path="000000")]))})
    T, C, Z, Y, X = 3, 2, 8, 128, 128; d = np.zeros((T, C, Z, Y, X), "f4"); base = smooth(rng, (Z, Y, X), (1.5, 4, 4))
    for t in range(T):
        m = np.roll(base, 2 * t, 2); d[t, 0] = .02 * m + .003 * smooth(rng, (Z, Y, X), (.5, 1, 1)); d[t, 1] = 140 + 420 / (1 + np.exp(-3 * (m - .8))) + 6 * rng.standard_normal((Z, Y, X))
    d[:, 0] = np.round(d[:, 0] * 4096) / 4096; d[:, 1] = np.round(d[:, 1])
    im = w.create_group("000000", attributes={"ome": dict(version="0.5", multiscales=[dict(version="0.5", name="0", axes=[dict(name="T", type="time", unit="second"), dict(name="C", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "ZYX"],
        datasets=[dict(path="0", coordinateTransformations=[dict(type="scale", scale=[600.0, 1.0, .25, .1494, .1494])])])], omero=dict(version="0.5", id=0, name="000000", channels=[dict(label=n, active=True, color=k, window=dict(start=s, end=e, min=s, max=e)) for n, k, s, e in (("Phase3D", "FFFFFF", -.1, .1), ("GFP EX488 EM525-45", "00FF00", 100.0, 800.0))], rdefs=dict(defaultT=0, defaultZ=4, model="color", projection="normal")))})
    arr3(im, "0", d, (1, 1, 2, 64, 64), ("T", "C", "Z", "Y", "X"), fill=0.0, shards=(1, 1, Z, Y, X), compressors=zarr.codecs.BloscCodec(cname="zstd", clevel=1, shuffle="bitshuffle"))
    if fault:
        p = f"{path}/B/03/000000/0/c/1/1/0/0/0"; b = Path(p).read_bytes(); Path(p).write_bytes(b[: len(b) * 5 // 8 // 4096 * 4096])
@check("25")
def k25(f, c):
    r = []
    for p in (f, c):
        a = zarr.open_array(p + "/B/03/000000/0", mode="r"); a[0], a[2]; a[1, 0]
        try: a[1, 1]; r.append("ok")
        except Exception as e: r.append(type(e).__name__ + ": " + str(e)[:60])
    assert r[0] != "ok" and r[1] == "ok", r
    return str(r)

@case("26", "consolidated-stale-after-append", "storage", "pydata/xarray#5878",
      "The consolidated metadata in the root zarr.json were not renewed after the append: they say 1440 steps for all arrays over time, the arrays themselves have 1728.",
      "consolidated metadata|1440|1728 (shape of time, soil_moisture)",
      "shape in consolidated_metadata differs from each array's own zarr.json; chunks exist beyond the consolidated shape")
def c26(path, fault, rng):
    n = 1728; t = pd.date_range("2022-07-01", periods=n, freq="h"); ns, nd = 14, 4; rain = (rng.random(n) < .02) * rng.gamma(1.5, 3, n); sm = np.zeros((n, ns, nd))
    for s in range(ns):
        for d in range(nd):
            x = .22 + .04 * d; tau = 160 * (d + 1) * rng.uniform(.8, 1.2); g_ = .004 / (d + 1)
            for k in range(n): x = min(x + g_ * rain[k] - (x - .12 - .03 * d) / tau, .46); sm[k, s, d] = x
    sm = sm + .02 * rng.standard_normal((1, ns, nd)) + .002 * rng.standard_normal(sm.shape)
    st = 19 - 2 * np.arange(nd)[None, None] + (6 * np.exp(-np.arange(nd)) * np.sin((np.asarray(t.hour)[:, None] - 9 - 2 * np.arange(nd)) / 24 * 2 * np.pi))[:, None] + 1.5 * smooth(rng, (n, 1, 1), (60, 0, 0)) + .05 * rng.standard_normal(sm.shape)
    ds = xr.Dataset({"soil_moisture": (("time", "station", "depth"), np.clip(sm, .02, .5).astype("f4"), dict(standard_name="volume_fraction_of_condensed_water_in_soil", long_name="volumetric soil moisture", units="m3 m-3")), "soil_temperature": (("time", "station", "depth"), st.astype("f4"), dict(standard_name="soil_temperature", units="degC"))},
        coords=dict(time=("time", t, dict(standard_name="time")), station=("station", np.arange(101, 101 + ns), dict(cf_role="timeseries_id")), depth=("depth", np.array([.05, .1, .2, .5]), dict(units="m", positive="down", standard_name="depth")), latitude=("station", 48.1 + .02 * rng.standard_normal(ns), dict(units="degrees_north", standard_name="latitude")), longitude=("station", 15.1 + .03 * rng.standard_normal(ns), dict(units="degrees_east", standard_name="longitude"))), attrs=dict(Conventions="CF-1.8", featureType="timeSeriesProfile", title="HOAL soil net"))
    e = {v: dict(chunks=(288, ns, nd)) for v in ds.data_vars}; e["time"] = enc_time("minutes since 2022-01-01", chunk=2880)
    ds.isel(time=slice(0, 1440)).to_zarr(path, mode="w", zarr_format=3, consolidated=True, encoding=e); root = Path(path, "zarr.json").read_bytes()
    ds.isel(time=slice(1440, None)).to_zarr(path, append_dim="time", consolidated=not fault)
    if fault: Path(path, "zarr.json").write_bytes(root)
@check("26")
def k26(f, c):
    r = [(xr.open_zarr(p, consolidated=True).sizes["time"], xr.open_zarr(p, consolidated=False).sizes["time"]) for p in (f, c)]; assert r == [(1440, 1728), (1728, 1728)], r
    return str(r)

@case("27", "netcdf3-bytes-called-little-endian", "storage", "zarr-developers/VirtualiZarr#640",
      "zeta, temp and salt hold the big-endian bytes of the NetCDF3 files but their bytes codec says little: the values are nonsense (about 1e-40 to 1e38).",
      "temp, salt, zeta|endian (big, not little)|nonsense values (byte-swapped)",
      "values of 1e-40 to 1e38 and NaN in temperature and salinity; swapped they are 4-24 degC and about 34; coordinates are fine")
def c27(path, fault, rng):
    nt, nz, ny, nx = 4, 6, 50, 64; lon = -125 + .04 * np.arange(nx); lat = 36 + .04 * np.arange(ny); z = -np.array([2, 10, 30, 75, 150, 300.0]); p = smooth(rng, (nt, ny, nx), (1.5, 5, 5))
    te = 6 + 9 * np.exp(z / 120)[None, :, None, None] + 1.1 * np.exp(z / 200)[None, :, None, None] * p[:, None] + .05 * rng.standard_normal((nt, nz, ny, nx)); sa = 34.1 - .6 * np.exp(z / 90)[None, :, None, None] + .12 * p[:, None] + .01 * rng.standard_normal((nt, nz, ny, nx)); ze = .12 * p
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.4", title="ROMS/TOMS 3.9, US West Coast", type="ROMS/TOMS history file, z levels", history="virtualizarr: netCDF3 chunks copied byte by byte"))
    for n, v, ch, dm, at in (("temp", te, (1, nz, ny, nx), ("ocean_time", "depth", "lat", "lon"), dict(long_name="potential temperature", units="Celsius", standard_name="sea_water_potential_temperature")), ("salt", sa, (1, nz, ny, nx), ("ocean_time", "depth", "lat", "lon"), dict(long_name="salinity", units="1e-3", standard_name="sea_water_salinity")), ("zeta", ze, (1, ny, nx), ("ocean_time", "lat", "lon"), dict(long_name="free-surface", units="meter", standard_name="sea_surface_height"))):
        arr3(g, n, v.astype("f4"), ch, dm, at, fill=np.nan, compressors=None, serializer=zarr.codecs.BytesCodec(endian="big"))
        if fault:
            q = f"{path}/{n}/zarr.json"; m = jload(q); m["codecs"][0]["configuration"]["endian"] = "little"; jdump(q, m)
    for n, v, at in (("ocean_time", np.arange(nt) * 10800 + 3786912000, dict(units="seconds since 1900-01-01 00:00:00", calendar="proleptic_gregorian", standard_name="time")), ("depth", z, dict(units="meter", positive="up", standard_name="height_above_mean_sea_level")), ("lat", lat, dict(units="degrees_north", standard_name="latitude")), ("lon", lon, dict(units="degrees_east", standard_name="longitude"))):
        arr3(g, n, np.asarray(v, "i8" if n == "ocean_time" else "f8"), None, (n,), at, fill=0 if n == "ocean_time" else np.nan)
@check("27")
def k27(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p, consolidated=False).temp.load(); r.append((float(np.nanmin(np.abs(d))), float(np.nanmax(d))))
    assert r[0][1] > 1e6 and 3 < r[1][0] and r[1][1] < 26, r
    return str(r)

@case("28", "fill-value-zero-hides-real-zeros", "storage", "ai2cm/fv3gfs-wrapper#85",
      "The arrays were created with fill_value 0 (default), so real zeros are read as missing: HGTsfc and land_sea_mask over the sea and total_precipitation where it is dry become NaN.",
      "fill_value 0|HGTsfc (land_sea_mask, total_precipitation)|zeros read as missing (NaN)",
      "zeros are written in chunks, are the normal value (sea level, sea, dry) and make up more than half of the array; xarray masks them as _FillValue of Zarr V2")
def c28(path, fault, rng):
    nt, nti, n = 6, 6, 48; g = zarr.create_group(str(path), zarr_format=2, attributes=dict(source="fv3gfs-wrapper ZarrMonitor", grid="C48"))
    yy = np.linspace(-1, 1, n); oro = smooth(rng, (nti, n, n), (0, 5, 5)); land = oro > .45; h = np.where(land, 20 + 1400 * np.clip(oro - .45, 0, None) ** 1.4 + 15 * np.abs(smooth(rng, (nti, n, n), (0, 1, 1))), 0)
    pr = np.clip(smooth(rng, (nt, nti, n, n), (1, 0, 3, 3)) - .9, 0, None) ** 1.4 * .004; t2 = 290 - .0065 * h[None] + 4 * smooth(rng, (nt, nti, n, n), (1, 0, 5, 5)) - 6 * land[None]
    fv = lambda d: 0 if fault else (np.nan if np.asarray(d).dtype.kind == "f" else None)
    t = (np.arange(nt) * 3 + 3).astype("i4"); arr2(g, "time", t, None, ["time"], fill=None, attrs=dict(units="hours since 2016-08-01 00:00:00", calendar="julian", standard_name="time"))
    for k, v, ch, dm, at in (("HGTsfc", h.astype("f4"), (6, n, n), ["tile", "y", "x"], dict(units="m", long_name="surface height")), ("land_sea_mask", land.astype("f4"), (6, n, n), ["tile", "y", "x"], dict(units="1", long_name="land-sea mask, 0 sea, 1 land")),
            ("total_precipitation", pr.astype("f8"), (1, 6, n, n), ["time", "tile", "y", "x"], dict(units="m", long_name="total precipitation per 3 hours")), ("TMP2m", t2.astype("f4"), (1, 6, n, n), ["time", "tile", "y", "x"], dict(units="K", long_name="2 m temperature"))):
        arr2(g, k, v, ch, dm, fill=fv(v), attrs=at, config={"write_empty_chunks": True})
    consol2(path)
@check("28")
def k28(f, c):
    r = [[round(float(xr.open_zarr(p)[v].isnull().mean()), 2) for v in ("HGTsfc", "land_sea_mask", "total_precipitation", "TMP2m")] for p in (f, c)]; assert r[0][0] > .5 and max(r[1]) == 0, r
    return str(r)

@case("29", "kerchunk-chunks-shifted-second-year", "storage", "fsspec/kerchunk#430",
      "The chunks of 2004 were put behind the 12 chunks of 2003 (31 days each, the last one only partly filled): days 365-371 are empty, everything of 2004 lies 7 days late and its last 7 days are lost.",
      "index 365 to 371|NaN (7 days gap)|shifted by 7 days (2004)",
      "7 missing days exactly from the first day of 2004 to the end of chunk 11 in both variables; 12 x 31 = 372 is not 365; chunk 23 holds 7 days behind the end of the array")
def c29(path, fault, rng):
    t = pd.date_range("2003-01-01T12", "2004-12-31T12"); n = len(t); ny, nx = 18, 26; lat = 44 + .5 * np.arange(ny); lon = 4 + .5 * np.arange(nx)
    s = 283.5 - 9.5 * np.cos(2 * np.pi * (np.asarray(t.dayofyear) - 20) / 365.25)[:, None, None] - .5 * (lat[:, None] - 48) + 3 * smooth(rng, (n, ny, nx), (1.6, 4, 4)) + .2 * rng.standard_normal((n, ny, nx)); tx = np.round(s + 4.5 + .8 * smooth(rng, (n, ny, nx), (1, 3, 3)), 1); tn = np.round(s - 4 + .8 * smooth(rng, (n, ny, nx), (1, 3, 3)), 1)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.6", title="ERA5 daily extremes", history="MultiZarrToZarr, copied chunk by chunk"))
    at = lambda k: dict(standard_name="air_temperature", long_name=f"daily {k} near-surface air temperature", units="K", cell_methods=f"time: {k}")
    C = numcodecs.Shuffle(4)
    for nm, v, k in (("tasmax", tx, "maximum"), ("tasmin", tn, "minimum")):
        out = v.astype("f4")
        kw = dict(comp=numcodecs.Zlib(level=4), filters=[C], fill=np.nan)
        arr2(g, nm, out, (31, ny, nx), ["time", "lat", "lon"], attrs=at(k), **kw)
        if fault:
            tmp = str(path) + ".tmp"; h = zarr.create_group(tmp, zarr_format=2); arr2(h, "a", out[:365], (31, ny, nx), **kw); arr2(h, "b", out[365:], (31, ny, nx), **kw)
            for f_ in Path(path, nm).glob("[0-9]*"): f_.unlink()
            for i in range(12): shutil.copyfile(f"{tmp}/a/{i}.0.0", f"{path}/{nm}/{i}.0.0"); shutil.copyfile(f"{tmp}/b/{i}.0.0", f"{path}/{nm}/{12 + i}.0.0")
            shutil.rmtree(tmp)
    arr2(g, "time", ((t - pd.Timestamp("1950-01-01")) / pd.Timedelta("1D")).to_numpy("f8"), None, ["time"], fill=np.nan, attrs=dict(units="days since 1950-01-01 00:00:00", calendar="standard", standard_name="time", axis="T"))
    arr2(g, "lat", lat, None, ["lat"], fill=np.nan, attrs=dict(units="degrees_north", standard_name="latitude")); arr2(g, "lon", lon, None, ["lon"], fill=np.nan, attrs=dict(units="degrees_east", standard_name="longitude"))
    consol2(path)
@check("29")
def k29(f, c):
    a, b = (xr.open_zarr(p).tasmax.load() for p in (f, c)); m = np.flatnonzero(a.isnull().all(("lat", "lon")).values).tolist()
    assert m == list(range(365, 372)) and int(b.isnull().sum()) == 0 and np.array_equal(a[372:].values, b[365:724].values), (m, a.sizes)
    return str(m)

@case("30", "edge-chunks-cut-to-size", "storage", "zarr-developers/zarr_implementations#23",
      "The chunks at the lower and right edge of elevation (row 3 or column 4 of the chunk grid) were stored clipped to the array instead of the full chunk shape 128x128: wrong length.",
      "elevation|edge chunks (3.x and x.4)|wrong length (clipped, not 128x128 / 65536 bytes)",
      "a V2 chunk must always decode to 128*128*4 = 65536 bytes; chunks 3.0..3.4 and 0.4..2.4 decode to less")
def c30(path, fault, rng):
    ny, nx, ch = 462, 590, 128; e = 350 * smooth(rng, (ny, nx), 30) + 90 * smooth(rng, (ny, nx), 9) + 14 * smooth(rng, (ny, nx), 2.5); e = np.round(e + 420, 1).astype("f4"); sl = np.rint(np.degrees(np.arctan(np.hypot(*np.gradient(e, 30.0))))).astype("u1")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="DEM, 30 m", source="xtensor-zarr", crs="EPSG:32719", transform=[30.0, 0, 350000.0, 0, -30.0, 7400000.0])); C = numcodecs.GZip(level=6)
    arr2(g, "elevation", e, (ch, ch), ["y", "x"], comp=C, fill=-9999, attrs=dict(units="m", standard_name="surface_altitude")); arr2(g, "slope", sl, (ch, ch), ["y", "x"], comp=C, fill=255, attrs=dict(units="degree", long_name="slope"))
    arr2(g, "y", 7400000 - 30.0 * (np.arange(ny) + .5), None, ["y"], fill=np.nan, attrs=dict(units="m", standard_name="projection_y_coordinate")); arr2(g, "x", 350000 + 30.0 * (np.arange(nx) + .5), None, ["x"], fill=np.nan, attrs=dict(units="m", standard_name="projection_x_coordinate"))
    consol2(path)
    if fault:
        for i in range(4):
            for j in range(5):
                b = e[i * ch:(i + 1) * ch, j * ch:(j + 1) * ch]
                if b.shape != (ch, ch): Path(f"{path}/elevation/{i}.{j}").write_bytes(C.encode(np.ascontiguousarray(b)))
@check("30")
def k30(f, c):
    r = []
    for p in (f, c):
        a = zarr.open_array(p + "/elevation", mode="r"); a[:384, :512]
        try: a[:]; r.append("ok")
        except Exception as e: r.append(type(e).__name__ + ": " + str(e)[:60])
    assert r[0] != "ok" and r[1] == "ok", r
    return str(r)
# ------------------------------------------------------------------ run
def main():
    want = set(sys.argv[1:]); OUT.mkdir(parents=True, exist_ok=True); bad = []
    rows = ["\t".join(["case", "kind", "thread", "what is wrong", "a person should be told", "how it can be known"])]
    for c in sorted(CASES, key=lambda c: c["nn"]):
        rows.append("\t".join([c["case"], c["kind"], c["thread"], c["wrong"], c["told"], c["how"]]))
        TSV.write_text("\n".join(rows) + "\n")
        if want and c["nn"] not in want: continue
        d = OUT / c["case"]; shutil.rmtree(d, ignore_errors=True); d.mkdir(parents=True)
        try:
            for w in ("clean", "fault"):
                c["build"](str(d / w), w == "fault", np.random.default_rng(20000 + int(c["nn"])))
            msg = CHECKS[c["nn"]](str(d / "fault"), str(d / "clean"))
            sz = [sum(p.stat().st_size for p in (d / w).rglob("*") if p.is_file()) // 1024 for w in ("fault", "clean")]
            print("OK ", c["case"], f"{sz} KB", str(msg)[:230], flush=True)
        except Exception:
            bad.append(c["nn"]); print("BAD", c["case"], flush=True); traceback.print_exc()
    print("bad:", bad)
if __name__ == "__main__": main()
