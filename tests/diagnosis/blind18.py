"""Thirty small Zarr stores with one real-world fault each, and a clean twin of each.
Run: /work/venv/bin/python /tmp/blind18/blind18.py"""
import json, os, shutil, struct, sys, warnings, zlib
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr
import numcodecs
warnings.filterwarnings("ignore")
OUT = Path("/tmp/blind18")
CASES = {}
ONLY = set(sys.argv[1:])


def case(slug, thread, keywords, fault, names):
    def deco(fn):
        assert slug not in CASES
        CASES[slug] = (thread, keywords, fault, names, fn)
        return fn
    return deco


# ----------------------------------------------------------------- helpers
def rd(p): return json.loads(Path(p).read_text())
def wr(p, d): Path(p).write_text(json.dumps(d, indent=4, allow_nan=True))


def edit(store, path, what, fn):
    """Edit .zarray/.zattrs or zarr.json of node `path`, keeping the consolidated copy in step."""
    store = Path(store); f = store/path/what
    d = rd(f); d = fn(d) or d; wr(f, d)
    if what.startswith("."):
        zm = store/".zmetadata"
        if zm.exists():
            m = rd(zm); k = (path + "/" if path else "") + what
            assert k in m["metadata"], k
            m["metadata"][k] = d; wr(zm, m)
    else:
        root = rd(store/"zarr.json"); cm = (root.get("consolidated_metadata") or {}).get("metadata")
        if cm and path in cm:
            old = cm[path]; cm[path] = dict(d)
            if "consolidated_metadata" in old and "consolidated_metadata" not in d: cm[path]["consolidated_metadata"] = old["consolidated_metadata"]
            wr(store/"zarr.json", root)


def twin(clean, fault): shutil.copytree(clean, fault)


def save(ds, path, v, enc=None, consolidated=None):
    enc = {k: dict(e) for k, e in (enc or {}).items()}
    for n in ds.variables:
        e = enc.setdefault(n, {})
        if n in ds.coords and "_FillValue" not in e: e["_FillValue"] = None
    ds.to_zarr(path, mode="w", zarr_format=v, encoding=enc, consolidated=(v == 2) if consolidated is None else consolidated)


def strict(fn):
    """Run fn with every warning an error: the clean twin must open silently."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*future.infer_string.*")  # anndata's own use of a pandas option
        return fn()


def load(p, ok=True, **kw):
    kw.setdefault("consolidated", (Path(p)/".zmetadata").exists())
    def go():
        with xr.open_zarr(p, **kw) as ds: return ds.load()
    return strict(go) if ok else go()


def field(rng, nt, ny, nx, amp=1.0, noise=0.1):
    t = np.arange(nt)[:, None, None]; y = np.linspace(0, np.pi, ny)[None, :, None]; x = np.linspace(0, 2*np.pi, nx)[None, None, :]
    f = np.sin(y)*np.cos(x + 0.15*t) + 0.5*np.cos(2*y)*np.sin(2*x - 0.1*t) + 0.2*np.sin(0.5*t)
    return amp*(f + noise*rng.standard_normal((nt, ny, nx)))


LAT = dict(standard_name="latitude", long_name="latitude", units="degrees_north", axis="Y")
LON = dict(standard_name="longitude", long_name="longitude", units="degrees_east", axis="X")
BLOSC = numcodecs.Blosc(cname="lz4", clevel=5, shuffle=1)


def arr2(root, name, data, chunks=None, attrs=None, fill=0, sep=".", comp=BLOSC, dtype=None, order="C"):
    data = np.asarray(data)
    a = zarr.create_array(store=str(root), name=name, zarr_format=2, shape=data.shape, dtype=dtype or data.dtype, order=order,
                          chunks=tuple(chunks or data.shape) if data.ndim else (), fill_value=fill, compressors=comp,
                          chunk_key_encoding={"name": "v2", "separator": sep}, attributes=attrs or {}, overwrite=True)
    a[...] = data
    return a


def arrs2(root, name, strings, attrs=None):
    a = zarr.create_array(store=str(root), name=name, zarr_format=2, shape=(len(strings),), chunks=(max(len(strings), 1),), dtype=str,
                          attributes=attrs or {}, overwrite=True)
    a[:] = np.array(strings, dtype=object)


def grp2(root, path="", attrs=None):
    """Groups along the path, V2, attrs on the last."""
    g = zarr.open_group(str(root), mode="a", zarr_format=2)
    for part in [q for q in path.split("/") if q]: g = g.require_group(part)
    if attrs: g.attrs.update(attrs)
    return g


def axes4(names, t="second", s="micrometer"):
    o = []
    for n in names:
        o.append({"name": n, "type": "channel"} if n == "c" else {"name": n, "type": "time", "unit": t} if n == "t" else {"name": n, "type": "space", "unit": s})
    return o


def blobs(rng, ny, nx, n, r=(2.0, 4.0), amp=(300, 1500), bg=120):
    yy, xx = np.mgrid[:ny, :nx]; im = np.full((ny, nx), float(bg))
    for _ in range(n):
        cy, cx, s = rng.uniform(3, ny-3), rng.uniform(3, nx-3), rng.uniform(*r)
        im += rng.uniform(*amp)*np.exp(-((yy-cy)**2+(xx-cx)**2)/(2*s*s))
    return im


def down(a, n=2):
    """2x2 mean over the last two axes."""
    s = a.shape; return a.reshape(*s[:-2], s[-2]//2, 2, s[-1]//2, 2).mean((-3, -1)).round().astype(a.dtype)


def model4(p, cls="Image"):
    from ome_zarr_models import v04
    g = zarr.open_group(str(p), mode="r", zarr_format=2)
    return strict(lambda: getattr(v04, cls).from_zarr(g))


# ================================================================= 01
@case("01-sweep-two-rays-gone", "openradar/xradar#376", "azimuth|radial|358|gap|sweep_3",
      "sweep_3 of the radar volume has 358 rays: two radials between azimuth 211.5 and 214.5 degrees were dropped by the decoder, all other sweeps have 360",
      "sweep_3: 358 azimuths where every other sweep has 360; a 3 degree gap in azimuth (and a gap in time) near 212-214 degrees")
def c01(cl, fa):
    def mk(out, drop):
        rng = np.random.default_rng(1)
        nr, ng = 360, 36
        ang = [0.48, 1.45, 2.42, 3.38]
        t0 = pd.Timestamp("2023-06-29T15:44:26")
        root = xr.Dataset({"volume_number": ((), np.int64(0)), "platform_type": ((), "fixed"), "instrument_type": ((), "radar"),
                           "time_coverage_start": ((), "2023-06-29T15:44:26Z"), "time_coverage_end": ((), "2023-06-29T15:46:06Z"),
                           "sweep_group_name": (("sweep",), np.arange(4)), "sweep_fixed_angle": (("sweep",), np.array(ang))},
                          coords={"latitude": ((), 40.1505), "longitude": ((), -89.3368), "altitude": ((), 177.0)},
                          attrs={"Conventions": "None", "instrument_name": "KILX", "version": "None", "title": "None", "institution": "None", "references": "None",
                                 "source": "None", "history": "None", "comment": "im/exported using xradar", "scan_name": "VCP-215"})
        tree = {"/": root}
        for s in range(4):
            az = (np.arange(nr)+.5+rng.normal(0, .02, nr)).astype("f8")
            rg = (2125+250*np.arange(ng)).astype("f4")
            th = np.radians(az)[:, None]; rr = (rg/rg.max())[None]
            z = 22*np.exp(-((th-3.75)**2)/.35)*np.exp(-(rr-.5)**2/.12)+14*np.exp(-((th-1.2)**2)/.2)*rr+4*np.sin(5*th)*rr-6+rng.normal(0, 1.2, (nr, ng))-1.5*s
            v = 9*np.cos(th-4.1)*(1+.3*rr)+rng.normal(0, .6, (nr, ng))
            el = (ang[s]+rng.normal(0, .01, nr))
            tt = t0+pd.to_timedelta(25*s+np.arange(nr)*(22/nr), unit="s")
            ds = xr.Dataset({"DBZH": (("azimuth", "range"), z, {"standard_name": "radar_equivalent_reflectivity_factor_h", "long_name": "Equivalent reflectivity factor H", "units": "dBZ"}),
                             "VRADH": (("azimuth", "range"), v, {"standard_name": "radial_velocity_of_scatterers_away_from_instrument_h", "long_name": "Radial velocity of scatterers away from instrument H", "units": "meters per second"}),
                             "sweep_mode": ((), "azimuth_surveillance"), "sweep_number": ((), np.int64(s)), "prt_mode": ((), "not_set"), "follow_mode": ((), "not_set"), "sweep_fixed_angle": ((), ang[s])},
                            coords={"azimuth": ("azimuth", az, {"standard_name": "ray_azimuth_angle", "long_name": "azimuth_angle_from_true_north", "units": "degrees", "axis": "radial_azimuth_coordinate"}),
                                    "elevation": ("azimuth", el, {"standard_name": "ray_elevation_angle", "long_name": "elevation_angle_from_horizontal_plane", "units": "degrees", "axis": "radial_elevation_coordinate"}),
                                    "time": ("azimuth", tt, {"standard_name": "time"}),
                                    "range": ("range", rg, {"standard_name": "projection_range_coordinate", "long_name": "range_to_measurement_volume", "units": "meters", "axis": "radial_range_coordinate", "meters_between_gates": 250.0, "meters_to_center_of_first_gate": 2125.0, "spacing_is_constant": "true"})})
            if s == 3 and drop: ds = ds.isel(azimuth=np.delete(np.arange(nr), [212, 213]))
            tree[f"/sweep_{s}"] = ds
        enc = {f"/sweep_{s}": {"DBZH": {"dtype": "u1", "scale_factor": .5, "add_offset": -33., "_FillValue": 0}, "VRADH": {"dtype": "u1", "scale_factor": .5, "add_offset": -64.5, "_FillValue": 0},
                               "time": {"units": "microseconds since 2023-06-29T15:44:26", "dtype": "i8"}} for s in range(4)}
        xr.DataTree.from_dict(tree).to_zarr(out, mode="w", zarr_format=3, consolidated=False, encoding=enc)
    mk(cl, False); mk(fa, True)
    def rdr(p):
        with xr.open_datatree(p, engine="zarr", consolidated=False) as t: return t.load()
    C, F = strict(lambda: rdr(cl)), rdr(fa)
    for s in range(4):
        assert C[f"sweep_{s}"].sizes["azimuth"] == 360 and np.diff(C[f"sweep_{s}"].azimuth).max() < 1.3
        assert F[f"sweep_{s}"].sizes["azimuth"] == (358 if s == 3 else 360)
        assert -20 < float(C[f"sweep_{s}"].DBZH.min()) and float(C[f"sweep_{s}"].DBZH.max()) < 50
    d = np.diff(F["sweep_3"].azimuth); assert (d > 2.5).sum() == 1


# ================================================================= 02
@case("02-unit-locations-reordered", "SpikeInterface/spikeinterface#4328", "unit_location|reorder|peak channel|template|permut",
      "unit_locations were written in another order than the sorting's unit_ids: the rows of units 3 to 8 are reversed, so a unit's location lies hundreds of micrometres from the channel on which its template peaks",
      "extensions/unit_locations rows do not belong to the unit_ids in that order: they disagree with the peak channel of templates/average")
def c02(cl, fa):
    def mk(out, swap):
        rng = np.random.default_rng(2)
        nu, nch, ns = 12, 32, 40
        pos = np.stack([np.where(np.arange(nch) % 2 == 0, 11.0, 43.0), 20.0*(np.arange(nch)//2)], 1)
        loc = np.stack([rng.uniform(8, 46, nu), np.linspace(20, 285, nu)[rng.permutation(nu)], rng.uniform(5, 30, nu)], 1)
        ids = [str(i) for i in range(nu)]
        t = np.arange(ns)
        wav = -np.exp(-((t-14)/3.)**2)+.35*np.exp(-((t-22)/5.)**2)
        amp = rng.uniform(60, 220, nu)
        d = np.sqrt(((loc[:, None, :2]-pos[None])**2).sum(-1)+loc[:, 2][:, None]**2)
        tmp = (amp[:, None]*(20/d))[:, None, :]*wav[None, :, None]+rng.normal(0, .5, (nu, ns, nch))
        n = rng.poisson(90, nu)
        si = np.concatenate([rng.integers(0, 1_800_000, k) for k in n]); ui = np.repeat(np.arange(nu), n)
        o = np.argsort(si, kind="stable"); si, ui = si[o], ui[o]
        grp2(out, "", {"spikeinterface_info": {"version": "0.104.0", "dev_mode": False, "object": "SortingAnalyzer"},
                       "settings": {"return_in_uV": True}})
        grp2(out, "recording_info", {"recording_attributes": {"channel_ids": [f"AP{i}" for i in range(nch)], "sampling_frequency": 30000.0, "num_channels": nch, "num_samples": [1_800_000],
                                                              "is_filtered": True, "dtype": "int16"},
                                     "probegroup": {"specification": "probeinterface", "version": "0.3.0", "probes": [{"ndim": 2, "si_units": "um", "annotations": {"name": "NP1-short"},
                                       "contact_positions": pos.tolist(), "contact_shapes": ["square"]*nch, "device_channel_indices": list(range(nch))}]}})
        grp2(out, "sorting", {"sampling_frequency": 30000.0, "num_segments": 1})
        arrs2(out, "sorting/unit_ids", ids)
        grp2(out, "sorting/spikes")
        arr2(out, "sorting/spikes/sample_index", si.astype("i8"), (4096,)); arr2(out, "sorting/spikes/unit_index", ui.astype("i8"), (4096,)); arr2(out, "sorting/spikes/segment_slices", np.array([[0, len(si)]]))
        grp2(out, "extensions/templates", {"params": {"ms_before": .5, "ms_after": .8333, "operators": ["average", "std"]}, "run_info": {"run_completed": True}})
        arr2(out, "extensions/templates/average", tmp.astype("f4").round(2), (4, ns, nch))
        grp2(out, "extensions/unit_locations", {"params": {"method": "monopolar_triangulation"}, "run_info": {"run_completed": True}})
        est = loc+rng.normal(0, 1.5, loc.shape)
        if swap: est[3:9] = est[3:9][::-1].copy()
        arr2(out, "extensions/unit_locations/unit_locations", est.round(3))
        return pos
    pos = mk(cl, False); mk(fa, True)
    def dist(p):
        g = zarr.open_group(str(p), mode="r")
        pk = np.abs(g["extensions/templates/average"][:]).max(1).argmax(1)
        return np.abs(g["extensions/unit_locations/unit_locations"][:, 1]-pos[pk, 1])
    assert strict(lambda: dist(cl)).max() < 25 and (dist(fa) > 40).sum() >= 4
    g = strict(lambda: zarr.open_group(str(cl), mode="r")); s = g["sorting/spikes/sample_index"][:]; assert (np.diff(s) >= 0).all()


# ================================================================= 03
@case("03-plate-columns-unsorted", "fractal-napari-plugins-collection/napari-ome-zarr-navigator#38", "columnindex|rowindex|plate|unsorted|b/3",
      "The plate metadata lists its rows and columns unsorted (C, B and 5, 3, 4) while the wells' rowIndex/columnIndex count the sorted names, so every index points at another row or column than the well's path",
      "plate.rows/columns order disagrees with rowIndex/columnIndex and path of the wells (unsorted rows and columns)")
def c03(cl, fa):
    from ome_zarr.format import FormatV04
    from ome_zarr.writer import write_plate_metadata, write_well_metadata
    rng = np.random.default_rng(3)
    fmt = FormatV04(); cols = ["3", "4", "5"]; rows = ["B", "C"]; wells = [f"{r}/{c}" for r in rows for c in cols]
    root = zarr.open_group(str(cl), mode="w", zarr_format=2)
    write_plate_metadata(root, rows, cols, wells, fmt=fmt, name="operetta_240312", field_count=1)
    for k, w in enumerate(wells):
        r, c = w.split("/"); wg = root.require_group(r).require_group(c)
        write_well_metadata(wg, ["0"], fmt=fmt)
        im = np.stack([blobs(rng, 48, 48, 5+2*k), blobs(rng, 48, 48, 4, r=(4, 7), amp=(150, 500), bg=200)])
        im = rng.poisson(im).astype("u2")
        ig = wg.require_group("0")
        for lv, a in enumerate((im, down(im))): arr2(cl, f"{w}/0/{lv}", a, (1,)+a.shape[1:], sep="/")
        ig.attrs.update({"multiscales": [{"version": "0.4", "name": "0", "axes": axes4("cyx"), "datasets": [
            {"path": str(lv), "coordinateTransformations": [{"type": "scale", "scale": [1.0, .597*2**lv, .597*2**lv]}]} for lv in (0, 1)]}],
            "omero": {"version": "0.4", "channels": [{"label": l, "color": q, "window": {"min": 0, "max": 65535, "start": 100, "end": 2500}, "active": True} for l, q in (("Hoechst", "0000FF"), ("AF647", "FF0000"))]}})
    twin(cl, fa)
    def f(d):
        d["plate"]["columns"] = [{"name": n} for n in ("5", "3", "4")]; d["plate"]["rows"] = [{"name": n} for n in ("C", "B")]
    edit(fa, "", ".zattrs", f)
    def okay(p):
        d = rd(p/".zattrs")["plate"]
        return all(w["path"] == d["rows"][w["rowIndex"]]["name"]+"/"+d["columns"][w["columnIndex"]]["name"] for w in d["wells"])
    assert okay(cl) and not okay(fa) and len(rd(fa/".zattrs")["plate"]["wells"]) == 6
    model4(cl, "HCS"); model4(cl/"B/3/0")
    assert strict(lambda: zarr.open_group(str(cl), mode="r")["C/5/0/0"][:]).mean() > 100


# ================================================================= 04
@case("04-mudata-var-not-updated", "scverse/muon#52", "modalit|300|150|varm|n_vars",
      "The modalities rna and atac were subset to 60 and 90 features but the MuData's global var, varm masks and varmap still describe all 300 features of before",
      "global var has 300 rows (varm/varmap also) while mod/rna has 60 and mod/atac 90 variables: MuData not updated after subsetting")
def c04(cl, fa):
    import anndata as ad
    from anndata.io import write_elem
    import scipy.sparse as sp
    ad.settings.zarr_write_format = 3
    def mk(out, stale):
        rng = np.random.default_rng(4)
        n = 80
        obs = pd.Index(["".join(rng.choice(list("ACGT"), 16))+"-1" for _ in range(n)])
        full = {"rna": [f"ENSG{100000+37*i:011d}" for i in range(120)], "atac": [f"chr{1+i//12}:{10000+5300*(i % 12)}-{10900+5300*(i % 12)}" for i in range(180)]}
        keep = {"rna": np.sort(rng.choice(120, 60, replace=False)), "atac": np.sort(rng.choice(180, 90, replace=False))}
        ct = rng.choice(["CD4 T", "CD14 mono", "B", "NK"], n)
        g = zarr.open_group(str(out), mode="w", zarr_format=3)
        g.attrs.update({"encoding-type": "MuData", "encoding-version": "0.1.0", "encoder": "mudata", "encoder-version": "0.2.3", "axis": 0})
        mod = g.create_group("mod"); mod.attrs["mod-order"] = ["rna", "atac"]
        for m, lam in (("rna", .9), ("atac", .35)):
            X = rng.poisson(lam*rng.gamma(2, .5, (1, len(full[m])))*rng.gamma(4, .25, (n, 1))).astype("f4")[:, keep[m]]
            a = ad.AnnData(sp.csr_matrix(X), obs=pd.DataFrame({"total_counts": X.sum(1), "n_features": (X > 0).sum(1), "celltype": pd.Categorical(ct)}, index=obs),
                           var=pd.DataFrame({"feature_types": pd.Categorical(["Gene Expression" if m == "rna" else "Peaks"]*len(keep[m])), "mean_counts": X.mean(0)}, index=np.array(full[m])[keep[m]]))
            write_elem(mod, m, a)
        names = {m: (full[m] if stale else list(np.array(full[m])[keep[m]])) for m in full}
        allv = names["rna"]+names["atac"]; nr = len(names["rna"])
        write_elem(g, "obs", pd.DataFrame({"rna:celltype": pd.Categorical(ct)}, index=obs))
        write_elem(g, "var", pd.DataFrame({"feature_types": pd.Categorical(["Gene Expression"]*nr+["Peaks"]*(len(allv)-nr))}, index=allv))
        write_elem(g, "obsm", {m: np.ones(n, bool) for m in full})
        isr = np.arange(len(allv)) < nr
        write_elem(g, "varm", {"rna": isr, "atac": ~isr})
        write_elem(g, "obsmap", {m: np.arange(1, n+1, dtype="u4") for m in full})
        write_elem(g, "varmap", {"rna": np.where(isr, np.arange(len(allv))+1, 0).astype("u4"), "atac": np.where(isr, 0, np.arange(len(allv))-nr+1).astype("u4")})
        for k in ("obsp", "varp", "uns"): write_elem(g, k, {})
    mk(cl, False); mk(fa, True)
    from anndata.io import read_elem
    def sizes(p):
        g = zarr.open_group(str(p), mode="r")
        return len(read_elem(g["var"])), sum(read_elem(g[f"mod/{m}"]).n_vars for m in ("rna", "atac")), len(read_elem(g["varm/rna"]))
    assert strict(lambda: sizes(cl)) == (150, 150, 150) and sizes(fa) == (300, 150, 300)


# ================================================================= 05
@case("05-replay-video-short", "real-stanford/reflect#3", "frames|223|320|episode_ends|video",
      "The color and depth videos of the recording hold 223 frames while all modalities of the replay buffer (timestamp, action, poses) have 320 steps: the recording was saved wrongly",
      "videos/color and videos/depth have 223 frames, data/* and episode_ends say 320 steps")
def c05(cl, fa):
    def mk(out, nf):
        rng = np.random.default_rng(5)
        n = 320; t = np.arange(n)/20.
        grp2(out); grp2(out, "data"); grp2(out, "meta"); grp2(out, "videos")
        path = np.stack([.45+.12*np.cos(.5*t), .1*np.sin(.7*t), .25+.08*np.cos(.9*t)], 1)
        rot = np.stack([3.1+.05*np.sin(t), .02*np.cos(t), .3*np.sin(.4*t)], 1)
        pose = np.concatenate([path, rot], 1)+rng.normal(0, 4e-4, (n, 6))
        arr2(out, "data/timestamp", 1686333921.27+t+rng.normal(0, .001, n), (n,))
        arr2(out, "data/robot_eef_pose", pose, (n, 6)); arr2(out, "data/action", np.roll(pose, -1, 0)+rng.normal(0, 2e-4, (n, 6)), (n, 6))
        arr2(out, "data/gripper_pos", np.clip(.04+.045*np.sign(np.sin(.6*t)), 0, .085)+rng.normal(0, 3e-4, n), (n,))
        arr2(out, "data/stage", (t > 8).astype("i8"), (n,))
        arr2(out, "meta/episode_ends", np.array([n], "i8"))
        yy, xx = np.mgrid[:16, :20]
        bg = (90+3*yy[..., None]+np.array([10, 0, -20])+2*xx[..., None])
        fr = np.repeat(bg[None], n, 0).astype(float)
        for k in range(n):
            cy, cx = 8+30*path[k, 1], 10+60*(path[k, 0]-.45)
            fr[k] += 90*np.exp(-((yy-cy)**2+(xx-cx)**2)/5)[..., None]*np.array([1, -.3, -.4])
        col = np.clip(np.round(fr/2)*2, 0, 255).astype("u1")
        dep = np.clip(900-6*yy[None]-.8*fr[..., 0].round(), 0, 5000).astype("u2")
        zs = numcodecs.Blosc(cname="zstd", clevel=7, shuffle=1)
        arr2(out, "videos/color", col[:nf], (40, 16, 20, 3), {"fps": 20}, comp=zs); arr2(out, "videos/depth", dep[:nf], (40, 16, 20), {"fps": 20, "units": "mm"}, comp=zs)
    mk(cl, 320); mk(fa, 223)
    def ln(p):
        g = zarr.open_group(str(p), mode="r"); return {k: g[k].shape[0] for k in ("data/timestamp", "data/action", "videos/color", "videos/depth")}, int(g["meta/episode_ends"][-1]), float(g["videos/color"][-1].mean())
    c, e, m = strict(lambda: ln(cl)); assert set(c.values()) == {320} and e == 320 and m > 50
    f, e, _ = ln(fa); assert f["videos/color"] == f["videos/depth"] == 223 and e == f["data/action"] == 320


# ================================================================= 06
@case("06-anemoi-latlon-nan", "ecmwf/anemoi-datasets#251", "latitudes|longitudes|nan|equator|meridian",
      "Every 0 in the arrays latitudes and longitudes of the anemoi dataset was replaced with NaN: the equator row has no latitude, the Greenwich meridian no longitude",
      "latitudes has 36 NaN (where 0 is expected) and longitudes 13 NaN; forcings such as cos_latitude are defined there")
def c06(cl, fa):
    rng = np.random.default_rng(6)
    ny, nx, nt = 13, 36, 12
    lat = np.repeat(np.linspace(90, -90, ny), nx); lon = np.tile(np.arange(nx)*10.0, ny); npt = ny*nx
    vs = ["2t", "10u", "sp", "cos_latitude", "sin_longitude"]
    f = field(rng, nt, ny, nx, 4, .1).reshape(nt, -1)
    d = np.stack([288-34*np.sin(np.radians(lat))**2+f, 3*f*.4+5*np.cos(3*np.radians(lat)), 100900+180*f-600*np.cos(2*np.radians(lat)),
                  np.broadcast_to(np.cos(np.radians(lat)), (nt, npt)), np.broadcast_to(np.sin(np.radians(lon)), (nt, npt))], 1)[:, :, None].astype("f4")
    def mk(out, la, lo):
        grp2(out, "", {"version": "0.30", "description": "ERA5 test extract", "licence": "CC-BY-4.0", "attribution": "ECMWF", "resolution": "10.0", "field_shape": [ny, nx], "flatten_grid": True, "ensemble_dimension": 2,
                       "variables": vs, "variables_metadata": {v: {"mars": {"param": v}} if i < 3 else {"computed_forcing": True} for i, v in enumerate(vs)}, "frequency": "6h", "start_date": "2021-03-01T00:00:00", "end_date": "2021-03-03T18:00:00",
                       "statistics_start_date": "2021-03-01T00:00:00", "statistics_end_date": "2021-03-03T18:00:00", "dtype": "float32", "missing_dates": [], "latest_write_timestamp": "2025-03-24T10:11:12"})
        dm = ["time", "variable", "ensemble", "cell"]
        arr2(out, "data", d, (1, 5, 1, npt), {"_ARRAY_DIMENSIONS": dm})
        arr2(out, "dates", (np.datetime64("2021-03-01T00", "s")+np.arange(nt)*np.timedelta64(6*3600, "s")).astype("M8[s]"), attrs={"_ARRAY_DIMENSIONS": ["time"]})
        arr2(out, "latitudes", la, attrs={"_ARRAY_DIMENSIONS": ["cell"]}); arr2(out, "longitudes", lo, attrs={"_ARRAY_DIMENSIONS": ["cell"]})
        x = d[:, :, 0].astype("f8").transpose(1, 0, 2).reshape(5, -1)
        for k, v in dict(mean=x.mean(1), stdev=x.std(1), minimum=x.min(1), maximum=x.max(1), sums=x.sum(1), squares=(x**2).sum(1), count=np.full(5, x.shape[1]), has_nans=np.zeros(5, bool)).items():
            arr2(out, k, v, attrs={"_ARRAY_DIMENSIONS": ["variable"]})
    mk(cl, lat, lon); mk(fa, np.where(lat == 0, np.nan, lat), np.where(lon == 0, np.nan, lon))
    def g(p): z = zarr.open_group(str(p), mode="r"); return z["latitudes"][:], z["longitudes"][:], z["data"][:]
    a, b, x = strict(lambda: g(cl)); assert np.isfinite(a).all() and np.isfinite(b).all() and np.allclose(x[0, 3, 0], np.cos(np.radians(a)), atol=1e-6)
    a, b, x = g(fa); assert np.isnan(a).sum() == 36 and np.isnan(b).sum() == 13 and np.isfinite(x).all()


# ================================================================= 07
@case("07-roms-s-standard-name", "xarray-contrib/cf-xarray#34", "standard_name|ocean_s_coordinate|vtransform|formula_terms|s_rho|g2",
      "s_rho and s_w carry standard_name ocean_s_coordinate although Vtransform is 2 and their formula_terms (s, C, eta, depth, depth_c) are those of ocean_s_coordinate_g2: the depths cannot be computed",
      "s_rho/s_w standard_name ocean_s_coordinate does not fit formula_terms with C and Vtransform=2; should be ocean_s_coordinate_g2")
def c07(cl, fa):
    rng = np.random.default_rng(7)
    nt, ns, ny, nx = 4, 8, 14, 18
    s = (np.arange(1, ns+1)-ns-.5)/ns; sw = (np.arange(ns+1)-ns)/ns
    ths, thb = 6.5, 2.0
    def C(s):
        c = (1-np.cosh(ths*s))/(np.cosh(ths)-1); return (np.exp(thb*c)-1)/(1-np.exp(-thb))
    h = 60+900*(1/(1+np.exp(-(np.arange(nx)-8)/2.)))[None]*np.ones((ny, 1))+8*field(rng, 1, ny, nx)[0]
    z = field(rng, nt, ny, nx, .12, .03)
    temp = 21-9*(np.arange(ns)[::-1]/ns)[None, :, None, None]+field(rng, nt, ny, nx, 1, .05)[:, None]*np.ones((1, ns, 1, 1))
    lon, lat = np.meshgrid(-95+.1*np.arange(nx), 27+.1*np.arange(ny))
    ds = xr.Dataset({"temp": (("ocean_time", "s_rho", "eta_rho", "xi_rho"), temp.astype("f4"), {"long_name": "potential temperature", "units": "Celsius", "field": "temperature, scalar, series"}),
                     "zeta": (("ocean_time", "eta_rho", "xi_rho"), z.astype("f4"), {"long_name": "free-surface", "standard_name": "sea_surface_height_above_geoid", "units": "meter"}),
                     "h": (("eta_rho", "xi_rho"), h.astype("f4"), {"long_name": "bathymetry at RHO-points", "standard_name": "sea_floor_depth_below_geoid", "units": "meter"}),
                     "Cs_r": ("s_rho", C(s), {"long_name": "S-coordinate stretching curves at RHO-points"}), "Cs_w": ("s_w", C(sw), {"long_name": "S-coordinate stretching curves at W-points"}),
                     "hc": ((), 20.0, {"long_name": "S-coordinate parameter, critical depth", "units": "meter"}), "Vtransform": ((), np.int32(2), {"long_name": "vertical terrain-following transformation equation"}),
                     "Vstretching": ((), np.int32(4), {"long_name": "vertical terrain-following stretching function"})},
                    coords={"s_rho": ("s_rho", s, {"long_name": "S-coordinate at RHO-points", "valid_min": -1., "valid_max": 0., "positive": "up", "standard_name": "ocean_s_coordinate_g2", "formula_terms": "s: s_rho C: Cs_r eta: zeta depth: h depth_c: hc"}),
                            "s_w": ("s_w", sw, {"long_name": "S-coordinate at W-points", "valid_min": -1., "valid_max": 0., "positive": "up", "standard_name": "ocean_s_coordinate_g2", "formula_terms": "s: s_w C: Cs_w eta: zeta depth: h depth_c: hc"}),
                            "lon_rho": (("eta_rho", "xi_rho"), lon, {"units": "degree_east", "standard_name": "longitude"}), "lat_rho": (("eta_rho", "xi_rho"), lat, {"units": "degree_north", "standard_name": "latitude"}),
                            "ocean_time": ("ocean_time", pd.date_range("2021-08-01", periods=nt, freq="6h"), {"long_name": "time since initialization", "standard_name": "time"})},
                    attrs={"type": "ROMS/TOMS history file", "Conventions": "CF-1.4, SGRID-0.3", "title": "Texas-Louisiana shelf 1/10 degree", "rst_file": "ocean_rst.nc"})
    save(ds, cl, 3, {"temp": {"chunks": (1, ns, ny, nx)}, "ocean_time": {"units": "seconds since 2020-01-01 00:00:00", "dtype": "f8"}}); twin(cl, fa)
    for k in ("s_rho", "s_w"): edit(fa, k, "zarr.json", lambda d: d["attributes"].__setitem__("standard_name", "ocean_s_coordinate"))
    import cf_xarray
    Cd, F = load(cl), load(fa, False)
    Cd.cf.decode_vertical_coords(outnames={"s_rho": "z_rho", "s_w": "z_w"})
    zr = Cd["z_rho"]; assert float(zr.max()) < 1 and -1100 < float(zr.min()) < -500
    assert F.s_rho.attrs["standard_name"] == "ocean_s_coordinate" and int(F.Vtransform) == 2
    try: F.cf.decode_vertical_coords(outnames={"s_rho": "z_rho", "s_w": "z_w"}); bad = bool(F["z_rho"].isnull().any()) or not np.allclose(F["z_rho"], zr)
    except Exception: bad = True
    assert bad


# ================================================================= 08
@case("08-fire-grid-zero-coords", "wrf-model/WRF#1792", "fxlat|fxlong|strip|0n 0e|subgrid",
      "The fire-mesh coordinates FXLAT and FXLONG hold 0 in the last 4 rows and columns (the strip beyond the domain) and have no _FillValue, so these grid points lie at 0N 0E",
      "FXLAT/FXLONG are 0.0 in the last rows/columns of the subgrid (outside the range of XLAT/XLONG)")
def c08(cl, fa):
    rng = np.random.default_rng(8)
    ny, nx, sr, nt = 12, 14, 4, 3
    fy, fx = (ny+1)*sr, (nx+1)*sr
    lat0, lon0, dy, dx = 40.10, -105.60, .0018, .0024
    XLAT = np.broadcast_to((lat0+dy*np.arange(ny))[:, None], (ny, nx)); XLONG = np.broadcast_to((lon0+dx*np.arange(nx))[None], (ny, nx))
    FLAT = np.broadcast_to((lat0+dy/sr*(np.arange(fy)-1.5))[:, None], (fy, fx)).astype("f4").copy(); FLON = np.broadcast_to((lon0+dx/sr*(np.arange(fx)-1.5))[None], (fy, fx)).astype("f4").copy()
    yy, xx = np.mgrid[:fy, :fx]; fire = np.stack([np.clip(1.2-np.hypot(yy-24, xx-22-3*k)/(5+3*k), 0, 1) for k in range(nt)])
    def mk(out, a, b):
        at = lambda d, u, st="": {"description": d, "units": u, "stagger": st, "FieldType": 104, "MemoryOrder": "XY "}
        ds = xr.Dataset({"T2": (("Time", "south_north", "west_east"), (291+field(rng2, nt, ny, nx, 1.5)).astype("f4"), at("TEMP at 2 M", "K")),
                         "FIRE_AREA": (("Time", "south_north_subgrid", "west_east_subgrid"), fire.astype("f4").round(3), at("fraction of cell area on fire", "1")),
                         "FGRNHFX": (("Time", "south_north_subgrid", "west_east_subgrid"), (4.1e4*fire*(fire < .95)).astype("f4").round(0), at("heat flux from ground fire", "W/m^2")),
                         "Times": ("Time", np.array([f"2021-12-30_1{8+k//2}:{30*(k % 2):02d}:00" for k in range(nt)], dtype="S19"))},
                        coords={"XLAT": (("south_north", "west_east"), XLAT.astype("f4"), at("LATITUDE, SOUTH IS NEGATIVE", "degree_north")), "XLONG": (("south_north", "west_east"), XLONG.astype("f4"), at("LONGITUDE, WEST IS NEGATIVE", "degree_east")),
                                "FXLAT": (("south_north_subgrid", "west_east_subgrid"), a, at("latitude of midpoints of fire cells", "degrees")), "FXLONG": (("south_north_subgrid", "west_east_subgrid"), b, at("longitude of midpoints of fire cells", "degrees"))},
                        attrs={"TITLE": " OUTPUT FROM WRF V4.4 MODEL", "DX": 200.0, "DY": 200.0, "SR_X": sr, "SR_Y": sr, "MAP_PROJ": 1, "GRIDTYPE": "C"})
        save(ds, out, 2, {"FIRE_AREA": {"chunks": (1, fy, fx)}, "FGRNHFX": {"chunks": (1, fy, fx)}})
    rng2 = np.random.default_rng(80); mk(cl, FLAT, FLON)
    A, B = FLAT.copy(), FLON.copy()
    for q in (A, B): q[-sr:] = 0; q[:, -sr:] = 0
    rng2 = np.random.default_rng(80); mk(fa, A, B)
    C, F = load(cl), load(fa, False)
    assert float(abs(C.FXLAT-40.11).max()) < .1 and float(abs(C.FXLONG+105.58).max()) < .1
    n = fy*fx-(fy-sr)*(fx-sr); assert int((F.FXLAT == 0).sum()) == int((F.FXLONG == 0).sum()) == n and C.T2.equals(F.T2)


# ================================================================= 09
@case("09-ome-axes-z-before-c", "saalfeldlab/n5-ij#99", "axes|channel|z,c,y,x|zcyx|before",
      "The volume was exported with its axes in the order z, c, y, x (shape 12,2,..): OME-Zarr 0.4 requires the channel axis before the space axes, viewers take channels for slices",
      "multiscales axes order z,c,y,x is not allowed (channel must precede the spatial axes); data transposed accordingly")
def c09(cl, fa):
    rng = np.random.default_rng(9)
    v = np.stack([np.stack([blobs(np.random.default_rng(90+c), 40, 48, 6)*np.exp(-((z-5.5-c)/4.)**2)+100 for z in range(12)]) for c in range(2)])
    v = rng.poisson(v).astype("u2")
    def mk(out, ax):
        perm = ["czyx".index(a) for a in ax]; sc = dict(c=1.0, z=1.0, y=.325, x=.325)
        dat = v.transpose(perm)
        grp2(out)
        for lv, a in enumerate((dat, down(dat))): arr2(out, f"s{lv}", a.astype(">u2"), (1, 1)+a.shape[2:] if ax == "zcyx" else (1, 4)+a.shape[2:], sep="/", comp=numcodecs.GZip(6))
        grp2(out, "", {"multiscales": [{"version": "0.4", "name": "stack-3", "type": "Average", "axes": axes4(ax), "datasets": [
            {"path": f"s{lv}", "coordinateTransformations": [{"type": "scale", "scale": [sc[a]*(2**lv if a in "yx" else 1) for a in ax]},
                                                             {"type": "translation", "translation": [(.5*(2**lv-1)*sc[a] if a in "yx" else 0.0) for a in ax]}]} for lv in (0, 1)]}]})
    mk(cl, "czyx"); mk(fa, "zcyx")
    m = model4(cl); assert [a.name for a in m.attributes.multiscales[0].axes] == list("czyx")
    try: model4(fa); raise SystemExit("accepted")
    except Exception as e: assert "axes" in str(e).lower() or "order" in str(e).lower() or "space" in str(e).lower(), e
    assert np.array_equal(zarr.open_group(str(cl), mode="r")["s0"][:], zarr.open_group(str(fa), mode="r")["s0"][:].transpose(1, 0, 2, 3))


# ================================================================= 10
@case("10-masking-roi-labels-twice", "fractal-analytics-platform/fractal-tasks-core#810", "duplicate|twice|unique|nuclei_roi_table|repeated",
      "The masking ROI table nuclei_ROI_table has two rows for the labels 7 and 12 (the second with a partial bounding box): labels at the edge of an organoid were recorded once per ROI they showed up in",
      "tables/nuclei_ROI_table: obs label not unique (7 and 12 twice), more rows than labels in labels/nuclei")
def c10(cl, fa):
    import anndata as ad
    from anndata.io import write_elem, read_elem
    ad.settings.zarr_write_format = 2
    px = .65
    def mk(out, dup):
        rng = np.random.default_rng(10)
        ny, nx = 96, 112; yy, xx = np.mgrid[:ny, :nx]
        nuc = np.zeros((ny, nx), "u4"); k = 0
        for cy in (14, 34, 58, 80):
            for cx in (16, 38, 62, 90):
                k += 1; a, b = rng.uniform(5, 7.5), rng.uniform(5, 7.5)
                nuc[((yy-cy-rng.normal(0, 1))/a)**2+((xx-cx-rng.normal(0, 1))/b)**2 < 1] = k
        org = np.zeros((ny, nx), "u4"); org[(xx < 52) & (nuc >= 0) & (yy > 3) & (yy < 92) & (xx > 4)] = 1; org[(xx >= 52) & (xx < 104) & (yy > 3) & (yy < 92)] = 2
        im = rng.poisson(150+700*(nuc > 0)+40*np.sin(xx/9.)).astype("u2")
        grp2(out)
        for lv, a in enumerate((im[None, None], down(im[None, None]))): arr2(out, str(lv), a, (1, 1)+a.shape[2:], sep="/")
        def ms(name, ax): return {"multiscales": [{"version": "0.4", "name": name, "axes": axes4(ax), "datasets": [{"path": str(l), "coordinateTransformations": [{"type": "scale", "scale": [1.0]*(len(ax)-2)+[px*2**l]*2}]} for l in (0, 1)]}]}
        grp2(out, "", {**ms("0", "czyx"), "omero": {"version": "0.4", "channels": [{"wavelength_id": "A01_C01", "label": "DAPI", "color": "00FFFF", "window": {"min": 0, "max": 65535, "start": 110, "end": 1200}, "active": True}]}})
        grp2(out, "labels", {"labels": ["organoids", "nuclei"]})
        for nm, l in (("organoids", org), ("nuclei", nuc)):
            grp2(out, f"labels/{nm}", {**ms(nm, "zyx"), "image-label": {"version": "0.4", "source": {"image": "../../"}}})
            arr2(out, f"labels/{nm}/0", l[None], sep="/"); arr2(out, f"labels/{nm}/1", l[None, ::2, ::2], sep="/")
        g = grp2(out, "tables", {"tables": ["nuclei_ROI_table"]})
        def box(m):
            y, x = np.where(m); return [x.min()*px, y.min()*px, 0., (x.max()+1-x.min())*px, (y.max()+1-y.min())*px, 1.]
        rows = [(i, box(nuc == i)) for i in range(1, k+1)]
        if dup:
            for i, cut in ((7, 61), (12, 93)): rows.append((i, box((nuc == i) & (xx >= cut))))
            rows.sort(key=lambda r: r[0])
        cols = ["x_micrometer", "y_micrometer", "z_micrometer", "len_x_micrometer", "len_y_micrometer", "len_z_micrometer"]
        t = ad.AnnData(np.array([r[1] for r in rows], "f4"), obs=pd.DataFrame({"label": [str(r[0]) for r in rows]}, index=[str(i) for i in range(len(rows))]), var=pd.DataFrame(index=cols))
        write_elem(g, "nuclei_ROI_table", t)
        g["nuclei_ROI_table"].attrs.update({"type": "masking_roi_table", "fractal_table_version": "1", "region": {"path": "../labels/nuclei"}, "instance_key": "label"})
        return k
    k = mk(cl, False); mk(fa, True)
    T = lambda p: read_elem(zarr.open_group(str(p), mode="r")["tables/nuclei_ROI_table"])
    a, b = strict(lambda: T(cl)), T(fa)
    assert a.n_obs == k == a.obs["label"].nunique() and b.n_obs == k+2 and b.obs["label"].nunique() == k
    assert zarr.open_group(str(fa), mode="r")["labels/nuclei/0"][:].max() == k
    model4(cl); model4(cl/"labels/nuclei", "ImageLabel")


# ================================================================= 11
@case("11-visium-scale-on-image", "scverse/spatialdata-io#21", "transformation|spots|downscaled_hires|outside|extent",
      "In the coordinate system downscaled_hires the scale factor was put on the (already downscaled) image and the identity on the spots: the spots' extent is 20 times the image's and nothing lies upon anything",
      "coordinate transformations to downscaled_hires swapped: image scaled by 0.17 and spots identity; spots fall far outside the image")
def c11(cl, fa):
    import anndata as ad, spatialdata as sd
    from spatialdata.models import Image2DModel, ShapesModel, TableModel
    from spatialdata.transformations import Identity, Scale
    ad.settings.zarr_write_format = 3
    sf = .05
    def mk(out, swap):
        rng = np.random.default_rng(11)
        S, I = Scale([sf, sf], axes=("x", "y")), Identity()
        yy, xx = np.mgrid[:96, :104]
        tis = 1/(1+np.exp((np.hypot((yy-48)/1.1, xx-52)-36)/2))
        img = np.clip(np.stack([238-70*tis, 235-120*tis, 240-60*tis])+rng.normal(0, 4, (3, 96, 104)), 0, 255).astype("u1")
        im = Image2DModel.parse(img, dims=("c", "y", "x"), c_coords=["r", "g", "b"], transformations={"downscaled_hires": S if swap else I, "global": Scale([1/sf, 1/sf], axes=("x", "y"))})
        xy = np.array([(200+100*(2*c+(r % 2))/1.0, 200+173*r) for r in range(10) for c in range(9)], float)
        xy = xy[(xy[:, 0] < 2000) & (xy[:, 1] < 1850)]
        n = len(xy); ids = np.arange(n)
        sh = ShapesModel.parse(xy, geometry=0, radius=55.0, index=pd.Index(ids), transformations={"downscaled_hires": I if swap else S, "global": Identity()})
        X = rng.poisson(rng.gamma(1.5, 2, (1, 20))*np.exp(-np.hypot(xy[:, :1]-1040, xy[:, 1:]-960)/900), (n, 20)).astype("f4")
        a = ad.AnnData(X, obs=pd.DataFrame({"in_tissue": 1, "array_row": (xy[:, 1]-200)//173, "array_col": (xy[:, 0]-200)//100, "spot_id": ids, "region": pd.Categorical(["V1_spots"]*n)}, index=[f"spot{i}" for i in ids]),
                       var=pd.DataFrame(index=[f"Gene{i}" for i in range(20)]), obsm={"spatial": xy})
        t = TableModel.parse(a, region="V1_spots", region_key="region", instance_key="spot_id")
        sd.SpatialData(images={"V1_hires_image": im}, shapes={"V1_spots": sh}, tables={"table": t}).write(out)
    mk(cl, False); mk(fa, True)
    def ext(p):
        s = sd.read_zarr(p); e = sd.get_extent(s["V1_spots"], coordinate_system="downscaled_hires"); i = sd.get_extent(s["V1_hires_image"], coordinate_system="downscaled_hires")
        return e["x"][1], i["x"][1], e["y"][1], i["y"][1], s["table"].n_obs
    def calm():
        with warnings.catch_warnings(record=True) as w:
            warnings.simplefilter("always"); r = ext(cl)
        ours = [x for x in w if not issubclass(x.category, (DeprecationWarning, FutureWarning, PendingDeprecationWarning))]
        assert not ours, [str(x.message) for x in ours]
        return r
    a = calm(); assert a[0] <= a[1] and a[2] <= a[3] and a[4] > 50
    b = ext(fa); assert b[0] > 100*b[1]/10


# ================================================================= 12
@case("12-nwb-links-absolute", "hdmf-dev/hdmf-zarr#44", "link|absolute|zarr_link|/results|resolve|reference",
      "All links and object references of the NWB Zarr file name as their source the absolute path of the machine it was written on (/results/nwb/ecephys_632269_...nwb) instead of the file itself, so none resolves after a download",
      "zarr_link / reference source is an absolute path /results/nwb/... instead of '.'; links do not resolve in this store")
def c12(cl, fa):
    def mk(out, src):
        rng = np.random.default_rng(12)
        uid = lambda: str(__import__("uuid").UUID(bytes=rng.bytes(16), version=4))
        ref = lambda path: {"_DTYPE": "object", "value": {"path": path, "source": src, "object_id": None, "source_object_id": None}}
        link = lambda name, path: [{"name": name, "path": path, "source": src}]
        nt = lambda t, ns="core", **k: {"namespace": ns, "neurodata_type": t, "object_id": uid(), **k}
        grp2(out, "", {**nt("NWBFile"), "nwb_version": "2.6.0", ".specloc": "specifications"})
        for k, v in dict(identifier="ecephys_632269_2022-10-13_15-41-42", session_description="Neuropixels recording", session_start_time="2022-10-13T15:41:42-07:00", timestamps_reference_time="2022-10-13T15:41:42-07:00").items():
            arrs2(out, k, [v], {"zarr_dtype": "scalar"})
        for g in ("acquisition", "analysis", "processing", "stimulus", "general", "general/devices", "general/extracellular_ephys", "specifications"): grp2(out, g)
        grp2(out, "general/devices/ProbeA", nt("Device", description="Neuropixels 2.0 single shank", manufacturer="imec"))
        grp2(out, "general/extracellular_ephys/ProbeA", {**nt("ElectrodeGroup", description="ProbeA shank 0", location="MOp"), "zarr_link": link("device", "/general/devices/ProbeA")})
        n = 16; E = "general/extracellular_ephys/electrodes"
        grp2(out, E, {**nt("DynamicTable", "hdmf-common"), "colnames": ["location", "group_name", "channel_name", "rel_x", "rel_y"], "description": "metadata about extracellular electrodes"})
        arr2(out, E+"/id", np.arange(n), attrs=nt("ElementIdentifiers", "hdmf-common"))
        for c, v in (("location", ["MOp"]*n), ("group_name", ["ProbeA"]*n), ("channel_name", [f"AP{i+1}" for i in range(n)])): arrs2(out, f"{E}/{c}", v, nt("VectorData", "hdmf-common", description=c))
        for c, v in (("rel_x", 8+32*(np.arange(n) % 2)), ("rel_y", 15*(np.arange(n)//2))): arr2(out, f"{E}/{c}", v.astype("f8"), attrs=nt("VectorData", "hdmf-common", description=c))
        A = "acquisition/ElectricalSeriesProbeA"
        grp2(out, A, nt("ElectricalSeries", comments="no comments", description="Raw AP band", channel_conversion_axis=1))
        t = np.arange(1500)/30000
        d = (12*np.sin(2*np.pi*300*t)[:, None]*np.linspace(.4, 1, n)+rng.normal(0, 8, (1500, n))).round().astype("i2")
        arr2(out, A+"/data", d, (500, n), {"unit": "volts", "conversion": 2.34375e-06, "offset": 0.0, "resolution": -1.0})
        arr2(out, A+"/starting_time", np.array([.0]), attrs={"rate": 30000.0, "unit": "seconds", "zarr_dtype": "scalar"})
        arr2(out, A+"/electrodes", np.arange(n), attrs={**nt("DynamicTableRegion", "hdmf-common", description="ProbeA electrodes"), "table": ref("/"+E)})
        U = "units"; k = 5; sp = [np.sort(rng.uniform(0, .05, m)) for m in rng.integers(6, 14, k)]
        grp2(out, U, {**nt("Units"), "colnames": ["spike_times", "electrodes"], "description": "kilosort2.5 units"})
        arr2(out, U+"/id", np.arange(k), attrs=nt("ElementIdentifiers", "hdmf-common"))
        arr2(out, U+"/spike_times", np.concatenate(sp), attrs=nt("VectorData", "hdmf-common", description="spike times"))
        arr2(out, U+"/spike_times_index", np.cumsum([len(s) for s in sp]), attrs={**nt("VectorIndex", "hdmf-common", description="Index for VectorData 'spike_times'"), "target": ref("/units/spike_times")})
        arr2(out, U+"/electrodes", rng.integers(0, n, k), attrs={**nt("DynamicTableRegion", "hdmf-common", description="peak electrode"), "table": ref("/"+E)})
        zarr.consolidate_metadata(str(out), zarr_format=2)
    mk(cl, "."); mk(fa, "/results/nwb/ecephys_632269_2022-10-13_15-41-42_sorted.nwb.zarr")
    def links(p):
        o = []
        for f in Path(p).rglob(".zattrs"):
            d = rd(f); o += [(q["source"], q["path"]) for q in d.get("zarr_link", [])]+[(v["value"]["source"], v["value"]["path"]) for v in d.values() if isinstance(v, dict) and v.get("_DTYPE") == "object"]
        return o
    a, b = links(cl), links(fa); assert len(a) == len(b) == 4
    assert all(s == "." and (cl/q.strip("/")).is_dir() for s, q in a) and all(s.startswith("/results/") for s, q in b)
    g = strict(lambda: zarr.open_consolidated(str(cl), mode="r")); assert abs(g["acquisition/ElectricalSeriesProbeA/data"][:].std()) < 60


# ================================================================= 13
@case("13-omon-holds-climatology", "leap-stc/cmip6-leap-feedstock#57", "climatolog|omon|monc|oclim|12 months|frequency",
      "The store is labelled table_id Omon, frequency mon (a monthly series of the piControl run) but holds the 12 months of an Oclim climatology: the time axis has a climatology attribute, bounds of 200 years and cell_methods 'within years ... over years'",
      "table_id Omon / frequency mon contradict climatology_bnds (200 years) and cell_methods within/over years: 12 climatological months (Oclim, monC)")
def c13(cl, fa):
    rng = np.random.default_rng(13)
    nl, ny, nx, y0, y1 = 3, 18, 24, 2219, 2419
    e = np.concatenate([[0], np.cumsum(MD)]).astype("f8")
    t = (e[:-1]+e[1:])/2+365*(y0-1850); cb = np.stack([e[:-1]+365*(y0-1850), e[1:]+365*(y1-1-1850)], 1)
    lat = np.linspace(-76.5, 76.5, ny); lon = 7.5+15.*np.arange(nx)
    f = field(rng, 12, ny, nx, .25, .05)
    so = np.stack([34.6+1.1*np.cos(np.radians(4*lat))[None, :, None]*(1-.4*k)+f*(1-.3*k)+.1*k for k in range(nl)], 1)
    so[:, :, 5:9, 3:8] = np.nan; so[:, :, 10:14, 15:19] = np.nan
    def mk(out, table, freq):
        g = G("EC-Earth3-LR", "EC-Earth-Consortium", "piControl", "Omon", "so", grid_label="gn", branch_method="standard", variant_label="r1i1p1f1", title="EC-Earth3-LR output prepared for CMIP6")
        g.update(table_id=table, frequency=freq)
        ds = xr.Dataset({"so": (("time", "lev", "lat", "lon"), so.astype("f4").round(3), {"standard_name": "sea_water_salinity", "long_name": "Sea Water Salinity", "units": "0.001", "cell_methods": "area: mean where sea time: mean within years time: mean over years", "cell_measures": "area: areacello volume: volcello"}),
                         "climatology_bnds": (("time", "bnds"), cb)},
                        coords={"time": ("time", t, {"standard_name": "time", "long_name": "time", "axis": "T", "climatology": "climatology_bnds", "units": "days since 1850-01-01", "calendar": "noleap"}),
                                "lev": ("lev", [5., 55., 210.], {"standard_name": "depth", "units": "m", "positive": "down", "axis": "Z"}), "lat": ("lat", lat, LAT), "lon": ("lon", lon, LON)}, attrs=g)
        save(ds, out, 2, {"so": {"chunks": (4, nl, ny, nx), "_FillValue": np.float32(1e20)}})
    mk(cl, "Oclim", "monC"); mk(fa, "Omon", "mon")
    C, F = load(cl), load(fa, False)
    assert C.attrs["frequency"] == "monC" and 30 < float(C.so.min()) and float(C.so.max()) < 38
    b = F.climatology_bnds.values; b = np.array([[(v.year if hasattr(v, "year") else v/365) for v in r] for r in b], float)
    assert F.sizes["time"] == 12 and F.attrs["table_id"] == "Omon" and ((b[:, 1]-b[:, 0]) > 190).all()


# ================================================================= 14
def amon(var, v, time, bnds, lat, lon, attrs, gattrs, h=None):
    dlat, dlon = abs(lat[1]-lat[0])/2, (lon[1]-lon[0])/2
    lb = np.clip(np.stack([lat-dlat, lat+dlat], 1), -90, 90)
    return xr.Dataset({var: (("time", "lat", "lon"), v, attrs), "time_bnds": (("time", "bnds"), bnds), "lat_bnds": (("lat", "bnds"), lb), "lon_bnds": (("lon", "bnds"), np.stack([lon-dlon, lon+dlon], 1))},
                      coords={"time": ("time", time, {"standard_name": "time", "long_name": "time", "axis": "T", "bounds": "time_bnds", "units": attrs.pop("_tu"), "calendar": "noleap"}),
                              "lat": ("lat", lat, {**LAT, "bounds": "lat_bnds"}), "lon": ("lon", lon, {**LON, "bounds": "lon_bnds"})}, attrs=gattrs)


MD = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
def months(y0, y1, ref):
    e = np.concatenate([[0], np.cumsum(np.tile(MD, y1-y0+1))])+365*(y0-ref)
    b = np.stack([e[:-1], e[1:]], 1).astype("f8"); return b.mean(1), b


def G(src, inst, exp, table, var, **k):
    return {"Conventions": "CF-1.7 CMIP-6.2", "activity_id": "CMIP", "institution_id": inst, "source_id": src, "experiment_id": exp, "table_id": table, "variable_id": var, "variant_label": "r1i1p1f1", "grid_label": "gr",
            "frequency": {"Amon": "mon", "Omon": "mon", "day": "day"}[table], "mip_era": "CMIP6", "realm": "ocean" if table == "Omon" else "atmos", "cmor_version": "3.5.0", **k}


@case("14-pr-thousand-too-small", "ESMValGroup/ESMValCore#1340", "1000|kg m-2 s-1|too small|m s-1|implausib",
      "pr says kg m-2 s-1 but its values are a factor 1000 too small (global mean about 3e-8, i.e. 0.003 mm a day): they are in m s-1",
      "pr: magnitude 1e-8 does not fit units kg m-2 s-1 (typical 3e-5); values are m s-1 / factor 1000")
def c14(cl, fa):
    rng = np.random.default_rng(14)
    ny, nx = 18, 24
    t, b = months(2012, 2014, 1850); nt = len(t)
    lat = np.linspace(-85, 85, ny); lon = 7.5+15.*np.arange(nx)
    f = field(rng, nt, ny, nx, 1, .15)
    pr = (6e-5*np.exp(-(lat/12)**2)+2.5e-5*np.exp(-((np.abs(lat)-45)/14)**2)+6e-6)[None, :, None]*np.exp(.5*f)
    def mk(out, k):
        ds = amon("pr", (pr*k).astype("f4"), t, b, lat, lon, {"standard_name": "precipitation_flux", "long_name": "Precipitation", "units": "kg m-2 s-1", "cell_methods": "area: time: mean", "comment": "includes both liquid and solid phases", "_tu": "days since 1850-01-01"}, G("CIESM", "THU", "historical", "Amon", "pr"))
        save(ds, out, 3, {"pr": {"chunks": (12, ny, nx), "_FillValue": np.float32(1e20)}})
    mk(cl, 1); mk(fa, 1e-3)
    w = lambda d: float(d.pr.weighted(np.cos(np.radians(d.lat))).mean())
    C, F = load(cl), load(fa, False)
    assert 2e-5 < w(C) < 6e-5 and 2e-8 < w(F) < 6e-8 and F.pr.attrs["units"] == "kg m-2 s-1"


# ================================================================= 15
@case("15-months-stored-twice", "ESMValGroup/ESMValCore#1111", "duplicate|monoton|twice|overlap|131|repeated",
      "The last 11 months before the end were joined twice from overlapping files: time (131 points) is not monotonic and 11 of its points, with their bounds and data, are repeated",
      "time not strictly increasing: 11 duplicated months (overlapping files), 131 points instead of 120")
def c15(cl, fa):
    rng = np.random.default_rng(15)
    ny, nx = 12, 16
    t, b = months(2000, 2009, 1850); nt = len(t)
    lat = np.linspace(-82.5, 82.5, ny); lon = 11.25+22.5*np.arange(nx)
    pr = (4e-5*np.exp(-(lat/18)**2)+1e-5)[None, :, None]*np.exp(.4*field(rng, nt, ny, nx, 1, .2))*(1+.2*np.sin(2*np.pi*np.arange(nt)/12))[:, None, None]
    pr = (np.round(pr*1e8)/1e8).astype("f4")
    ix = np.concatenate([np.arange(108), np.arange(97, 120)])
    def mk(out, i):
        ds = amon("pr", pr[i], t[i], b[i], lat, lon, {"standard_name": "precipitation_flux", "long_name": "Precipitation", "units": "kg m-2 s-1", "cell_methods": "time: mean", "_tu": "days since 1850-01-01"},
                  {**G("EC-EARTH", "ICHEC", "historical", "Amon", "pr"), "Conventions": "CF-1.4", "mip_era": "CMIP5", "model_id": "EC-EARTH", "product": "output"})
        save(ds, out, 2, {"pr": {"chunks": (24, ny, nx), "_FillValue": np.float32(1e20)}})
    mk(cl, np.arange(nt)); mk(fa, ix)
    C, F = load(cl), load(fa, False)
    assert C.indexes["time"].is_monotonic_increasing and C.indexes["time"].is_unique and C.sizes["time"] == 120
    assert F.sizes["time"] == 131 and F.indexes["time"].duplicated().sum() == 11 and not F.indexes["time"].is_monotonic_increasing


# ================================================================= 16
@case("16-daily-gap-25-years", "intake/intake-esm#200", "gap|2064|2090|25 years|9125",
      "The daily series jumps from 2064-12-31 to 2090-01-01: the source file for 2065-2089 was missing when the store was made",
      "time: gap of 25 years between 2064-12-31 and 2090-01-01 in a daily series")
def c16(cl, fa):
    rng = np.random.default_rng(16)
    ny, nx, yrs = 3, 4, 5
    n = 365*yrs; lat = np.array([28.6, 29.7, 30.8]); lon = np.array([108., 109.1, 110.3, 111.4])
    doy = np.arange(n) % 365
    wet = rng.random((n, ny, nx)) < (.3+.15*np.sin(2*np.pi*(doy-100)/365))[:, None, None]
    pr = np.where(wet, rng.gamma(.8, 9e-5, (n, ny, nx)), 0); pr = (np.round(pr*2e6)/2e6).astype("f4")
    def mk(out, jump):
        d = (2062-2015)*365+np.arange(n)+.5
        if jump: d[365*3:] += 25*365
        ds = amon("pr", pr, d, np.stack([d-.5, d+.5], 1), lat, lon, {"standard_name": "precipitation_flux", "long_name": "Precipitation", "units": "kg m-2 s-1", "cell_methods": "area: time: mean", "_tu": "days since 2015-01-01"}, G("BCC-CSM2-MR", "BCC", "ssp370", "day", "pr", activity_id="ScenarioMIP", grid_label="gn"))
        save(ds, out, 3, {"pr": {"chunks": (730, ny, nx), "_FillValue": np.float32(1e20)}, "time": {"dtype": "f8"}})
    mk(cl, False); mk(fa, True)
    C, F = load(cl), load(fa, False); y = lambda d: [v.year for v in d.time.values]
    assert sorted(set(y(C))) == [2062, 2063, 2064, 2065, 2066] and sorted(set(y(F))) == [2062, 2063, 2064, 2090, 2091]
    assert np.array_equal(C.pr, F.pr)


# ================================================================= 17
@case("17-time-units-lost", "carbonplan/cmip7-virtualization#8", "no units|calendar|since|undecod|units",
      "The virtualised store lost the units and calendar of time: it holds bare numbers 60280.5 ... that no reader can turn into dates",
      "time (and with it time_bnds) has no units/calendar attribute ('days since 1850-01-01', proleptic_gregorian is gone)")
def c17(cl, fa):
    rng = np.random.default_rng(17)
    ny, nx = 16, 24
    tm = pd.date_range("2015-01-01", periods=61, freq="MS"); e = np.array((tm-pd.Timestamp("1850-01-01")).days, float)
    b = np.stack([e[:-1], e[1:]], 1); nt = 60
    lat = np.linspace(-84.375, 84.375, ny); lon = 15.*np.arange(nx)
    tas = 287-38*np.sin(np.radians(lat))[None, :, None]**2+6*np.sin(np.radians(lat))[None, :, None]*np.cos(2*np.pi*(np.arange(nt)-7)/12)[:, None, None]+field(rng, nt, ny, nx, 1.5, .1)
    ds = amon("tas", tas.astype("f4").round(1), b.mean(1), b, lat, lon, {"standard_name": "air_temperature", "long_name": "Near-Surface Air Temperature", "units": "K", "cell_methods": "area: time: mean", "_tu": "days since 1850-01-01"},
              G("MPI-ESM1-2-HR", "DKRZ", "ssp126", "Amon", "tas", activity_id="ScenarioMIP", grid_label="gn", branch_time_in_child=60265.0))
    ds = ds.assign_coords(height=((), 2.0, {"standard_name": "height", "units": "m", "positive": "up", "axis": "Z"})); ds.time.attrs["calendar"] = "proleptic_gregorian"
    save(ds, cl, 3, {"tas": {"chunks": (12, ny, nx), "_FillValue": np.float32(1e20)}, "time": {"dtype": "f8"}}); twin(cl, fa)
    edit(fa, "time", "zarr.json", lambda d: (d["attributes"].pop("units"), d["attributes"].pop("calendar"))[:0] or None)
    C, F = load(cl), load(fa, False)
    assert C.time.dtype.kind == "M" and str(C.time.values[0])[:10] == "2015-01-16" and F.time.dtype.kind == "f" and 60270 < float(F.time[0]) < 60290


# ================================================================= 18
@case("18-ctth-scale-left-over", "pytroll/satpy#869", "scale_factor|add_offset|already|twice|ctth_tempe|packed",
      "ctth_tempe, ctth_pres and ctth_alti were scaled on reading but kept their scale_factor and add_offset attributes: stored as float32 physical values they are scaled a second time (cloud tops of 132 K)",
      "scale_factor/add_offset attributes left on float data that is already in K, Pa and m; decoded values are implausible (applied twice)")
def c18(cl, fa):
    rng = np.random.default_rng(18)
    ny, nx = 64, 72
    f = field(rng, 1, ny, nx, 1, .03)[0]; m = f < -.3
    alt = 6500+3800*f; tmp = 288-.0063*alt; prs = 101325*(1-2.2558e-5*alt)**5.2559
    y = 5.2e6-3000.4*np.arange(ny); x = -9e5+3000.4*np.arange(nx)
    sc = {"ctth_tempe": (.01, 130., "K", "air_temperature_at_cloud_top"), "ctth_pres": (10., 0., "Pa", "air_pressure_at_cloud_top"), "ctth_alti": (1., -2000., "m", "height_at_cloud_top")}
    def mk(out, keep):
        dv = {}
        for (k, (s, o, u, sn)), a in zip(sc.items(), (tmp, prs, alt)):
            at = {"standard_name": sn, "units": u, "long_name": f"NWC GEO CTTH {sn.replace('_', ' ')}", "platform_name": "Meteosat-11", "sensor": "seviri", "resolution": 3000.4, "grid_mapping": "msg_seviri_fes_3km"}
            if keep: at.update(scale_factor=s, add_offset=o)
            dv[k] = (("y", "x"), np.where(m, np.nan, a).astype("f4").round(2 if u == "K" else 0), at)
        ds = xr.Dataset(dv, coords={"y": ("y", y, {"standard_name": "projection_y_coordinate", "units": "m"}), "x": ("x", x, {"standard_name": "projection_x_coordinate", "units": "m"}),
                                    "msg_seviri_fes_3km": ((), np.int32(0), {"grid_mapping_name": "geostationary", "perspective_point_height": 35785831.0, "longitude_of_projection_origin": 0.0, "semi_major_axis": 6378137.0, "semi_minor_axis": 6356752.3, "sweep_angle_axis": "y"}),
                                    "time": ((), pd.Timestamp("2019-08-06T12:00"))}, attrs={"Conventions": "CF-1.7", "history": "Created by pytroll/satpy on 2019-08-08 09:31:12.000123"})
        save(ds, out, 3, {k: {"_FillValue": np.float32(np.nan), "chunks": (32, 36)} for k in sc})
    mk(cl, False); mk(fa, True)
    C, F = load(cl), load(fa, False)
    assert 210 < float(C.ctth_tempe.min()) and float(C.ctth_tempe.max()) < 295 and float(F.ctth_tempe.max()) < 140
    assert rd(fa/"ctth_tempe/zarr.json")["attributes"]["scale_factor"] == .01 and rd(fa/"ctth_tempe/zarr.json")["data_type"] == "float32"


# ================================================================= 19
@case("19-boa-offset-already-applied", "Element84/earth-search#71", "offset|negative|reflectance|-0.1|2025-01-26",
      "In three of the eight Sentinel-2 scenes the BOA offset was already taken off the numbers, but offset -0.1 is still declared for all: their decoded reflectances are 0.1 too low and largely negative",
      "red/nir decoded with add_offset -0.1 are negative for 2025-01-26, 2025-02-10 and 2025-03-02: these scenes lie 1000 DN lower, the offset was applied before")
def c19(cl, fa):
    rng = np.random.default_rng(19)
    nt, ny, nx = 8, 36, 40
    tm = pd.to_datetime(["2025-01-16", "2025-01-26", "2025-02-05", "2025-02-10", "2025-02-20", "2025-02-25", "2025-03-02", "2025-03-12"])+pd.Timedelta("10h01min")
    base = field(rng, 1, ny, nx, 1, .05)[0]
    red = np.clip(.055+.018*base[None]+.002*np.arange(nt)[:, None, None]+rng.normal(0, .003, (nt, ny, nx)), .01, 1); nir = np.clip(.19-.05*base[None]+.006*np.arange(nt)[:, None, None]+rng.normal(0, .005, (nt, ny, nx)), .02, 1)
    x = 600005+10.*np.arange(nx); y = 5299995-10.*np.arange(ny)
    from pyproj import CRS
    def mk(out, bad):
        dv = {}
        for k, a in (("red", red), ("nir", nir)):
            dn = np.round((a+.1)/1e-4)
            for i in bad: dn[i] -= 1000
            dv[k] = (("time", "y", "x"), np.clip(dn, 1, 20000).astype("u2"), {"nodata": 0, "scale_factor": 1e-4, "add_offset": -.1, "units": "1", "grid_mapping": "spatial_ref", "common_name": k})
        ds = xr.Dataset(dv, coords={"time": tm, "y": ("y", y, {"units": "metre", "standard_name": "projection_y_coordinate"}), "x": ("x", x, {"units": "metre", "standard_name": "projection_x_coordinate"}),
                                    "spatial_ref": ((), np.int32(32633), CRS.from_epsg(32633).to_cf())}, attrs={"collection": "sentinel-2-l2a", "mgrs_tile": "33UXP", "source": "earth-search v1 via odc-stac", "s2:processing_baseline": "05.11"})
        save(ds, out, 3, {"red": {"chunks": (1, ny, nx), "_FillValue": 0}, "nir": {"chunks": (1, ny, nx), "_FillValue": 0}, "time": {"units": "seconds since 1970-01-01", "dtype": "i8"}})
    mk(cl, ()); mk(fa, (1, 3, 6))
    C, F = load(cl), load(fa, False)
    assert float(C.red.min()) > 0 and float(C.nir.max()) < .6
    med = F.red.median(("y", "x")).values; assert list(np.where(med < 0)[0]) == [1, 3, 6]


# ================================================================= 20
@case("20-filenames-cut-off", "ldeo-glaciology/xapres#27", "filename|truncat|cut off|<u75|75 char",
      "The coordinate filename has the fixed dtype <U75, so all 60 paths are cut off after DATA2022- or DATA2023-: most of them have become equal and none is a file name any more",
      "filename: every string is exactly 75 characters (dtype <U75), truncated before the time and .DAT; duplicates result")
def c20(cl, fa):
    rng = np.random.default_rng(20)
    n, nr = 60, 80
    tm = pd.date_range("2022-09-25 15:33", periods=n, freq="3D4h")
    fn = np.array([f"ldeo-glaciology/GL_apres_2022/A101/winter22_23/DIR2022-09-25-1533/DATA{t:%Y-%m-%d-%H%M}.DAT" for t in tm])
    assert fn.dtype == np.dtype("<U89"), fn.dtype
    r = 12.5*np.arange(nr)
    prof = (-40-.035*r[None]+18*np.exp(-((r[None]-780-.2*np.arange(n)[:, None])/15)**2)+rng.normal(0, 1.2, (n, nr))).astype("f4").round(1)
    def mk(out, f):
        ds = xr.Dataset({"profile_power": (("time", "profile_range"), prof, {"units": "dB", "long_name": "profile power"}), "battery_voltage": ("time", (12.6-.004*np.arange(n)+rng2.normal(0, .01, n)).round(3), {"units": "V"})},
                        coords={"time": ("time", tm), "profile_range": ("profile_range", r, {"units": "m", "long_name": "depth below antenna"}), "filename": ("time", f, {"description": "the name of the file that contains the binary data for this burst"})},
                        attrs={"constants": "ApRES A101 Greenland", "created_by": "xapres 0.4.1"})
        save(ds, out, 2, {"time": {"units": "seconds since 2022-09-25 15:33:00", "dtype": "i8"}, "profile_power": {"chunks": (20, nr)}})
    rng2 = np.random.default_rng(1); mk(cl, fn)
    rng2 = np.random.default_rng(1); mk(fa, fn.astype("<U75"))
    z = rd(fa/"filename/.zarray"); assert z["dtype"] == "<U75", z["dtype"]
    C, F = load(cl), load(fa, False)
    assert all(str(s).endswith(".DAT") for s in C.filename.values) and len(set(C.filename.values)) == n
    assert all(len(str(s)) == 75 and str(s).endswith("-") for s in F.filename.values) and len(set(F.filename.values)) == 2


# ================================================================= 21
@case("21-rows-written-partly", "google/tensorstore#181", "traces|trial|partial|sample 100|all zero|not written",
      "The trials 1 and 2 were written only in the first chunk along samples: from sample 100 on both are all zero (fill value), the other trials are complete",
      "traces[1] and traces[2] are exactly 0 from sample 100 to the end in all channels: partially written rows")
def c21(cl, fa):
    rng = np.random.default_rng(21)
    nt, nc, ns = 6, 8, 560
    t = np.arange(ns)/500.
    v = np.stack([[40*np.sin(2*np.pi*(9+.2*c)*t+k)+15*np.sin(2*np.pi*1.3*t+c)+rng.normal(0, 6, ns) for c in range(nc)] for k in range(nt)])
    v = (np.round(v*4)/4).astype("f4")
    def mk(out, w):
        g = zarr.open_group(str(out), mode="w", zarr_format=3, attributes={"sampling_rate": 500.0, "subject": "S07", "task": "oddball"})
        a = g.create_array("traces", shape=w.shape, dtype="f4", chunks=(nt, nc, 100), fill_value=0, dimension_names=["trial", "channel", "sample"], attributes={"units": "uV", "description": "EEG epochs"})
        a[:] = w
        b = g.create_array("time", shape=(ns,), dtype="f8", chunks=(ns,), dimension_names=["sample"], attributes={"units": "s"}); b[:] = t-.2
        c = g.create_array("response", shape=(nt,), dtype="i4", chunks=(nt,), dimension_names=["trial"]); c[:] = [0, 1, 0, 0, 1, 0]
    w = v.copy(); w[1:3, :, 100:] = 0
    mk(cl, v); mk(fa, w)
    C = strict(lambda: zarr.open_group(str(cl), mode="r")["traces"][:]); F = zarr.open_group(str(fa), mode="r")["traces"][:]
    assert (C.std(-1) > 5).all() and (F[1:3, :, 100:] == 0).all() and np.array_equal(F[[0, 3, 4, 5]], C[[0, 3, 4, 5]]) and (F[1:3, :, :100] != 0).mean() > .9


# ================================================================= 22
@case("22-wmo-volume-not-mass", "jbusecke/xMIP#215", "wmo|m3 s-1|1026|density|kg s-1",
      "wmo is labelled kg s-1 (upward ocean mass transport) but holds volume transport in m3 s-1: it equals wo times areacello, without the factor 1026 kg m-3",
      "wmo values equal wo*areacello: m3 s-1, a factor about 1026 (sea water density) smaller than units kg s-1 say")
def c22(cl, fa):
    rng = np.random.default_rng(22)
    t, b = months(2010, 2011, 1850); nt, nl, ny, nx = 24, 3, 14, 20
    lat = np.linspace(-65, 65, ny); lon = 9+18.*np.arange(nx)
    area = np.broadcast_to((6.371e6**2*np.radians(10)*np.radians(18)*np.cos(np.radians(lat)))[:, None], (ny, nx))
    wo = np.stack([field(rng, nt, ny, nx, 2e-6*(1+k), .2) for k in range(nl)], 1)
    def mk(out, rho):
        ds = amon("x", np.zeros((nt, ny, nx), "f4"), t, b, lat, lon, {"_tu": "days since 1850-01-01"}, G("CMCC-ESM2", "CMCC", "historical", "Omon", "wmo", grid_label="gr1")).drop_vars("x")
        d4 = ("time", "lev", "lat", "lon")
        ds["wmo"] = (d4, (wo*area*rho).astype("f4"), {"standard_name": "upward_ocean_mass_transport", "long_name": "Upward Ocean Mass Transport", "units": "kg s-1", "cell_methods": "area: sum where sea time: mean", "cell_measures": "area: areacello"})
        ds["wo"] = (d4, wo.astype("f4"), {"standard_name": "upward_sea_water_velocity", "long_name": "Sea Water Vertical Velocity", "units": "m s-1", "cell_methods": "time: mean", "cell_measures": "area: areacello"})
        ds["areacello"] = (("lat", "lon"), area.astype("f4"), {"standard_name": "cell_area", "long_name": "Grid-Cell Area for Ocean Variables", "units": "m2"})
        ds = ds.assign_coords(lev=("lev", [10., 100., 500.], {"standard_name": "depth", "units": "m", "positive": "down", "axis": "Z"}))
        save(ds, out, 3, {k: {"chunks": (12, nl, ny, nx), "_FillValue": np.float32(1e20)} for k in ("wmo", "wo")})
    mk(cl, 1026.); mk(fa, 1.)
    q = lambda d: float((d.wmo/(d.wo*d.areacello)).median())
    C, F = load(cl), load(fa, False); assert abs(q(C)-1026) < 1 and abs(q(F)-1) < .01 and F.wmo.attrs["units"] == "kg s-1"


# ================================================================= 23
@case("23-tdt-gain-million", "NeuralEnsemble/python-neo#1369", "gain_to_uv|1000000|microvolt|1e6|1e+06",
      "properties/gain_to_uV is 1e6 for all channels of the TDT recording although the int16 traces are already microvolts: scaled traces would reach hundreds of volts",
      "gain_to_uV 1e6 with traces of some hundred counts gives 1e8 uV; the traces are already in uV, gain should be 1")
def c23(cl, fa):
    def mk(out, gain):
        rng = np.random.default_rng(23)
        n, nc, fs = 3000, 16, 24414.0625
        t = np.arange(n)/fs
        x = 60*np.sin(2*np.pi*8*t)[:, None]*np.linspace(.6, 1, nc)+rng.normal(0, 11, (n, nc))
        for _ in range(40):
            k, c = rng.integers(20, n-60), rng.integers(0, nc); x[k:k+30, c] += -130*np.exp(-((np.arange(30)-8)/4.)**2)+40*np.exp(-((np.arange(30)-16)/6.)**2)
        grp2(out, "", {"spikeinterface_info": {"version": "0.99.1", "object": "BaseRecording"}, "sampling_frequency": fs, "num_segments": 1, "annotations": {"is_filtered": False, "name": "TDT LP32CH-Z", "reader": "TdtRawIO"}})
        arrs2(out, "channel_ids", [f"LFP1-{i+1}" for i in range(nc)])
        arr2(out, "traces_seg0", x.round().astype("i2"), (1000, nc), comp=numcodecs.Blosc("zstd", 5, 2))
        grp2(out, "properties")
        arr2(out, "properties/gain_to_uV", np.full(nc, gain)); arr2(out, "properties/offset_to_uV", np.zeros(nc)); arrs2(out, "properties/channel_name", [f"LFP1 {i+1}" for i in range(nc)]); arr2(out, "properties/group", np.zeros(nc, "i8"))
        arr2(out, "properties/location", np.stack([np.zeros(nc), 50.*np.arange(nc)], 1))
    mk(cl, 1.0); mk(fa, 1e6)
    def amp(p): g = zarr.open_group(str(p), mode="r"); return np.abs(g["traces_seg0"][:]*g["properties/gain_to_uV"][:]).max()
    assert 80 < strict(lambda: amp(cl)) < 400 and amp(fa) > 1e7


# ================================================================= 24
@case("24-chunk-keys-dot-vs-slash", "zarr-developers/zarr-python#2111", "separator|chunk_key_encoding|c.0.0.0|c/0/0/0|unread",
      "An attribute update rewrote zarr.json of level 0 with separator '/' while its chunk files are named with dots (c.0.0.0): no chunk is found and the whole level reads as 0",
      "level 0: chunk_key_encoding separator '/' but the files are c.0.0.0 ...; level reads as fill value (level 1 is fine)")
def c24(cl, fa):
    rng = np.random.default_rng(24)
    im = np.stack([blobs(rng, 64, 80, 12), blobs(rng, 64, 80, 8, r=(4, 8), amp=(100, 400), bg=180)]); im = rng.poisson(im).astype("u2")
    g = zarr.open_group(str(cl), mode="w", zarr_format=3)
    for lv, a in enumerate((im, down(im))):
        z = g.create_array(str(lv), shape=a.shape, dtype="u2", chunks=(1, 32, 40), fill_value=0, dimension_names=["c", "y", "x"], chunk_key_encoding={"name": "default", "separator": "."}, attributes={"acquired": "2024-08-19"} if lv == 0 else {})
        z[:] = a
    g.attrs["ome"] = {"version": "0.5", "multiscales": [{"name": "idr0062-crop", "axes": axes4("cyx"), "datasets": [{"path": str(l), "coordinateTransformations": [{"type": "scale", "scale": [1.0, .36*2**l, .36*2**l]}]} for l in (0, 1)]}]}
    twin(cl, fa)
    edit(fa, "0", "zarr.json", lambda d: d["chunk_key_encoding"].__setitem__("configuration", {"separator": "/"}))
    from ome_zarr_models import v05
    strict(lambda: v05.Image.from_zarr(zarr.open_group(str(cl), mode="r")))
    C = strict(lambda: zarr.open_group(str(cl), mode="r")["0"][:]); F = zarr.open_group(str(fa), mode="r")
    assert C.min() > 20 and F["0"][:].max() == 0 and F["1"][:].max() > 100 and (fa/"0/c.0.0.0").is_file()


# ================================================================= 25
@case("25-shard-empty-entries-shifted", "scalableminds/zarrita#16", "shard|index|empty|18446744073709551615|nbytes|offset",
      "In the shards (index at the start) the index entries of the empty inner chunks were shifted by the size of the index: their offset is 131 instead of 2^64-1 (nbytes still 2^64-1), so readers look for data there and fail",
      "shard index entries of empty inner chunks: offset 131 with nbytes 2^64-1 is no valid 'missing' marker (both must be 2^64-1); crc32c is right")
def c25(cl, fa):
    import google_crc32c as gc
    M = 2**64-1
    v = np.stack([blobs(np.random.default_rng(250), 48, 48, 10, bg=0)*np.exp(-((z-16)/11.)**2) for z in range(32)])
    v = np.random.default_rng(25).poisson(v/4+25).astype("u2")
    v[:, 24:, :24] = 0; v[:8] = 0; v[24:, :24, 24:] = 0
    g = zarr.open_group(str(cl), mode="w", zarr_format=3)
    a = g.create_array("volume", shape=v.shape, dtype="u2", chunks=(8, 24, 24), shards={"shape": (16, 48, 48), "index_location": "start"}, fill_value=0, dimension_names=["z", "y", "x"], attributes={"resolution_nm": [40, 8, 8], "name": "em_crop"})
    a[:] = v
    assert rd(cl/"volume/zarr.json")["codecs"][0]["configuration"]["index_location"] == "start"
    twin(cl, fa); n = 8; tot = 0
    for k in range(2):
        p = fa/f"volume/c/{k}/0/0"; raw = bytearray(p.read_bytes())
        assert gc.value(bytes(raw[:16*n])) == struct.unpack_from("<I", raw, 16*n)[0]
        for i in range(n):
            o, l = struct.unpack_from("<QQ", raw, 16*i)
            if (o, l) == (M, M): struct.pack_into("<QQ", raw, 16*i, (M+16*n+4) % 2**64, M); tot += 1
        struct.pack_into("<I", raw, 16*n, gc.value(bytes(raw[:16*n]))); p.write_bytes(bytes(raw))
    assert tot >= 6, tot
    assert np.array_equal(strict(lambda: zarr.open_group(str(cl), mode="r")["volume"][:]), v)
    F = zarr.open_group(str(fa), mode="r")["volume"]; assert np.array_equal(F[8:24, :24, :24], v[8:24, :24, :24])
    try: q = F[:]; bad = not np.array_equal(q, v)
    except Exception: bad = True
    assert bad


# ================================================================= 26
@case("26-tasmax-no-data", "carbonplan/cmip6-downscaling#339", "tasmax|all nan|no chunk|none of|never written|entirely",
      "The rechunked store has all its metadata and coordinates but not one chunk of tasmax was written: the variable is NaN everywhere",
      "tasmax: none of its 8 chunks exists, reads entirely as NaN although coordinates and metadata are complete")
def c26(cl, fa):
    rng = np.random.default_rng(26)
    nt, ny, nx = 365, 12, 16
    tm = pd.date_range("2014-01-01", periods=nt)
    lat = 36+.25*np.arange(ny); lon = -110+.25*np.arange(nx)
    v = 289+12*np.sin(2*np.pi*(np.arange(nt)-110)/365)[:, None, None]-1.1*np.arange(ny)[None, :, None]*.25+rng.normal(0, 2.5, (nt, 1, 1))+rng.normal(0, .4, (nt, ny, nx))
    ds = xr.Dataset({"tasmax": (("time", "lat", "lon"), v.astype("f4").round(1), {"standard_name": "air_temperature", "long_name": "Daily Maximum Near-Surface Air Temperature", "units": "K", "cell_methods": "area: mean time: maximum"})},
                    coords={"time": ("time", tm, {"standard_name": "time"}), "lat": ("lat", lat, LAT), "lon": ("lon", lon, LON)},
                    attrs={"title": "CMIP.CCCma.CanESM5.historical.r1i1p1f1.day.GARD-SV.tasmax", "institution": "CarbonPlan", "version": "v1", "downscaling_method": "GARD-SV", "Conventions": "CF-1.8"})
    save(ds, cl, 2, {"tasmax": {"chunks": (365, 6, 4), "_FillValue": np.float32(np.nan)}, "time": {"units": "days since 1850-01-01", "dtype": "i8"}}); twin(cl, fa)
    k = [f for f in (fa/"tasmax").iterdir() if not f.name.startswith(".")]; assert len(k) == 8, len(k)
    for f in k: f.unlink()
    C, F = load(cl), load(fa, False)
    assert not C.tasmax.isnull().any() and 250 < float(C.tasmax.min()) and F.tasmax.isnull().all() and F.time.equals(C.time)


# ================================================================= 27
@case("27-filter-rounds-to-degrees", "zarr-developers/numcodecs#549", "fixedscaleoffset|whole degree|round|quanti|integer|273.15",
      "t2m passes a FixedScaleOffset filter with offset 273.15 and scale 1, which rounds to whole numbers: all temperatures are 273.15 plus an integer, the decimals of the data are lost",
      "t2m filter fixedscaleoffset scale 1.0 quantises to whole degrees: only values k+0.15 exist (needs a larger scale)")
def c27(cl, fa):
    rng = np.random.default_rng(27)
    nt, ny, nx = 24, 20, 28
    v = 279+8*np.linspace(1, -1, ny)[None, :, None]+5*np.sin(2*np.pi*(np.arange(nt)-8)/24)[:, None, None]+field(rng, nt, ny, nx, 2, .1)
    def mk(out, scale):
        ds = xr.Dataset({"t2m": (("time", "latitude", "longitude"), v.astype("f4"), {"long_name": "2 metre temperature", "standard_name": "air_temperature", "units": "K"}),
                         "d2m": (("time", "latitude", "longitude"), (v-3-rng2.gamma(2, .6, v.shape)).astype("f4"), {"long_name": "2 metre dewpoint temperature", "standard_name": "dew_point_temperature", "units": "K"})},
                        coords={"time": pd.date_range("2024-07-12", periods=nt, freq="h"), "latitude": ("latitude", 58-.25*np.arange(ny), LAT), "longitude": ("longitude", 4+.25*np.arange(nx), LON)}, attrs={"Conventions": "CF-1.7", "institution": "European Centre for Medium-Range Weather Forecasts"})
        fl = lambda s: [numcodecs.FixedScaleOffset(offset=273.15, scale=s, dtype="f4", astype="f4")]
        save(ds, out, 2, {"t2m": {"chunks": (6, ny, nx), "filters": fl(scale)}, "d2m": {"chunks": (6, ny, nx), "filters": fl(100.)}, "time": {"units": "hours since 2024-07-12", "dtype": "i8"}})
    rng2 = np.random.default_rng(2); mk(cl, 100.)
    rng2 = np.random.default_rng(2); mk(fa, 1.)
    C, F = load(cl), load(fa, False); q = F.t2m.values.astype("f8")-273.15
    assert np.abs(C.t2m.values-v).max() < .01 and np.abs(q-q.round()).max() < 1e-3 and len(np.unique(F.t2m)) < 40 and len(np.unique(C.t2m)) > 1000 and C.d2m.equals(F.d2m)


# ================================================================= 28
@case("28-time-scale-zero", "glencoesoftware/bioformats2raw#280", "scale|degenerate|coordinatetransformations|axis t|invert|0.0",
      "In all levels the coordinateTransformations scale of the time axis is 0.0, a degenerate transform no viewer can invert",
      "multiscales scale for axis t is 0.0 in every dataset (should be 1.0 or a positive interval)")
def c28(cl, fa):
    rng = np.random.default_rng(28)
    im = rng.poisson(np.stack([blobs(rng, 64, 96, 14), blobs(rng, 64, 96, 6, r=(5, 9), amp=(90, 300))])).astype("u2")[None, :, None]
    lv = [im, down(im), down(down(im))]
    px = .335762932896614
    def mk(out, ts):
        grp2(out, "", {"bioformats2raw.layout": 3}); grp2(out, "OME", {"series": ["0"]}); grp2(out, "0")
        (out/"OME/METADATA.ome.xml").write_text(f'<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0" Name="Slide 1 of 4_Region 002_channels.tiff"><Pixels BigEndian="false" DimensionOrder="XYZCT" ID="Pixels:0" PhysicalSizeX="{px}" PhysicalSizeXUnit="µm" PhysicalSizeY="{px}" PhysicalSizeYUnit="µm" SizeC="2" SizeT="1" SizeX="96" SizeY="64" SizeZ="1" Type="uint16"><Channel ID="Channel:0:0" Name="DAPI" SamplesPerPixel="1"/><Channel ID="Channel:0:1" Name="CY3" SamplesPerPixel="1"/><MetadataOnly/></Pixels></Image></OME>')
        for k, a in enumerate(lv): arr2(out, f"0/{k}", a, (1, 1, 1, 64, 64), sep="/")
        grp2(out, "0", {"multiscales": [{"version": "0.4", "name": "Slide 1 of 4_Region 002_channels.tiff", "metadata": {"method": "loci.common.image.SimpleImageScaler", "version": "Bio-Formats 7.3.0"}, "axes": axes4("tczyx"),
                        "datasets": [{"path": str(k), "coordinateTransformations": [{"type": "scale", "scale": [ts, 1.0, 1.0, px*2**k, px*2**k]}]} for k in range(3)]}],
                        "omero": {"channels": [{"label": l, "color": c, "active": True, "coefficient": 1, "family": "linear", "inverted": False, "window": {"min": 0., "max": 65535., "start": 100., "end": 1900.}} for l, c in (("DAPI", "0000FF"), ("CY3", "FF8000"))], "rdefs": {"model": "color", "defaultT": 0, "defaultZ": 0}}})
    mk(cl, 1.0); mk(fa, 0.0)
    model4(cl/"0")
    s = lambda p: [d["coordinateTransformations"][0]["scale"][0] for d in rd(p/"0/.zattrs")["multiscales"][0]["datasets"]]
    assert s(cl) == [1.0]*3 and s(fa) == [0.0]*3 and strict(lambda: zarr.open_group(str(cl), mode="r")["0/1"][:]).mean() > 100


# ================================================================= 29
@case("29-demo-cube-first-time-only", "xcube-dev/xcube#128", "1970|time_bnds|time/1|time/0|monoton",
      "Only the first chunk of the coordinate time exists: the other four points read as 0, i.e. 1970-01-01, though time_bnds has all five intervals",
      "time: chunks 1-4 missing, values 1970-01-01 (0, uninitialised) after the first; disagrees with time_bnds, not monotonic")
def c29(cl, fa):
    rng = np.random.default_rng(29)
    nt, ny, nx = 5, 25, 50
    tm = pd.to_datetime(["2017-01-16T10:09:22", "2017-01-25T09:35:51", "2017-01-26T10:50:17", "2017-01-28T09:58:11", "2017-01-30T10:46:34"])
    sec = ((tm-pd.Timestamp("1970-01-01"))/pd.Timedelta("1s")).astype("i8").values
    b = np.stack([sec-43200, sec+43200], 1)
    lat = 52.5-.1*np.arange(ny); lon = .05+.1*np.arange(nx)
    f = field(rng, nt, ny, nx, 1, .1)
    land = f[0] > 1.0
    def v(a): return np.where(land[None], np.nan, a).astype("f4").round(2)
    ds = xr.Dataset({"conc_chl": (("time", "lat", "lon"), v(np.exp(1.4+.5*f)), {"long_name": "Chlorophyll concentration", "units": "mg m^-3"}), "conc_tsm": (("time", "lat", "lon"), v(np.exp(2+.6*f)), {"long_name": "Total suspended matter dry weight concentration", "units": "g m^-3"}),
                     "time_bnds": (("time", "bnds"), b)},
                    coords={"time": ("time", sec, {"standard_name": "time", "units": "seconds since 1970-01-01T00:00:00", "calendar": "proleptic_gregorian", "bounds": "time_bnds"}), "lat": ("lat", lat, LAT), "lon": ("lon", lon, LON)},
                    attrs={"Conventions": "CF-1.7", "title": "HIGHROC Level-2C Data Subset", "project": "xcube", "time_coverage_start": "2017-01-15T22:09:22", "time_coverage_end": "2017-01-30T22:46:34"})
    save(ds, cl, 2, {"conc_chl": {"chunks": (1, ny, nx)}, "conc_tsm": {"chunks": (1, ny, nx)}, "time": {"chunks": (1,)}}); twin(cl, fa)
    for k in range(1, 5): (fa/"time"/str(k)).unlink()
    C, F = load(cl), load(fa, False)
    assert C.indexes["time"].is_monotonic_increasing and str(F.time.values[0])[:10] == "2017-01-16" and all(str(x)[:10] == "1970-01-01" for x in F.time.values[1:])
    assert C.conc_chl.equals(F.conc_chl.assign_coords(time=C.time)) and float(C.conc_chl.max()) < 60


# ================================================================= 30
@case("30-pr-chunk-undecodable", "ESMValGroup/ESMValCore#2598", "37.0.0|zlib|decompress|corrupt|undecod|cannot be decoded",
      "Chunk pr/37.0.0 is damaged inside its zlib stream (same length, wrong bytes): it cannot be decompressed, every selection that touches day 37 fails",
      "pr chunk 37.0.0 cannot be decoded (zlib error: invalid/incorrect data check), neighbouring chunks are fine")
def c30(cl, fa):
    rng = np.random.default_rng(30)
    nt, ny, nx = 60, 24, 36
    lat = np.linspace(-86.25, 86.25, ny); lon = 10.*np.arange(nx)
    f = field(rng, nt, ny, nx, 1, .2)
    pr = (np.round(np.where(f > 0, f**2, 0)*(7e-5*np.exp(-(lat/15)**2)+2e-5)[None, :, None]*1e8)/1e8).astype("f4")
    d = 365.*(1990-1850)+np.arange(nt)+.5
    ds = amon("pr", pr, d, np.stack([d-.5, d+.5], 1), lat, lon, {"standard_name": "precipitation_flux", "long_name": "Precipitation", "units": "kg m-2 s-1", "cell_methods": "area: time: mean", "_tu": "days since 1850-01-01"}, G("EC-Earth3", "EC-Earth-Consortium", "historical", "day", "pr", variant_label="r3i1p1f1"))
    save(ds, cl, 2, {"pr": {"chunks": (1, ny, nx), "_FillValue": np.float32(1e20), "compressors": (numcodecs.Zlib(1),)}, "time": {"dtype": "f8"}}); twin(cl, fa)
    p = fa/"pr/37.0.0"; raw = bytearray(p.read_bytes()); k = len(raw)//2
    raw[k:k+48] = np.random.default_rng(5).bytes(48); p.write_bytes(bytes(raw))
    try: zlib.decompress(bytes(raw)); raise SystemExit("decodes")
    except zlib.error: pass
    C = load(cl); assert float(C.pr.min()) >= 0 and 1e-6 < float(C.pr.mean()) < 1e-4
    z = zarr.open_group(str(fa), mode="r")["pr"]; assert np.array_equal(z[38:], pr[38:]) and np.array_equal(z[:37], pr[:37])
    try: z[37]; raise SystemExit("read")
    except Exception: pass


# ================================================================= run
if __name__ == "__main__":
    used = set(Path("/tmp/used_threads.txt").read_text().split())
    bad = []
    for s, (th, kw, fault, names, fn) in CASES.items():
        if ONLY and s[:2] not in ONLY: continue
        assert th not in used, th
        d = OUT/s
        if d.exists(): shutil.rmtree(d)
        d.mkdir(parents=True)
        try:
            fn(d/"clean", d/"fault")
            sizes = []
            for w in ("clean", "fault"):
                fs = [f for f in (d/w).rglob("*") if f.is_file()]
                sz = sum(f.stat().st_size for f in fs); sizes.append((len(fs), sz)); assert len(fs) <= 300 and sz <= 200_000, (w, len(fs), sz)
            h = lambda p: {str(f.relative_to(p)): f.read_bytes() for f in p.rglob("*") if f.is_file()}
            a, b = h(d/"clean"), h(d/"fault")
            df = sorted(k for k in set(a) | set(b) if a.get(k) != b.get(k)); assert df
            print(s, "ok", sizes, "| differ:", len(df), df[:6], flush=True)
        except BaseException as e:
            import traceback; traceback.print_exc(); bad.append(s); print(s, "FAILED", repr(e)[:300], flush=True)
    assert len(CASES) == 30 and len({c[0] for c in CASES.values()}) == 30
    assert all(3 <= len(c[1].split("|")) <= 6 and c[1] == c[1].lower() for c in CASES.values())
    wr(OUT/"cases.json", {s: c[1] for s, c in CASES.items()})
    rows = ["| slug | thread | fault in one sentence | what a good answer names |", "|---|---|---|---|"]
    rows += [f"| {s} | {c[0]} | {c[2].replace('|', '/')} | {c[3].replace('|', '/')} |" for s, c in CASES.items()]
    (OUT/"answers.md").write_text("\n".join(rows)+"\n")
    print("bad:", bad); sys.exit(bool(bad))
