#!/usr/bin/env python3
"""blind23: 30 faulty Zarr stores with their healthy twins.  Run with /work/venv/bin/python3 blind23.py [NN ...]"""
from drawing import *

# ------------------------------------------------------------------ RELATIONS 01-10
@case("01", "plate-lists-wells-not-written", "relation", "fmi-faim/faim-ipa#74",
      "Only a subset of the wells was processed but plate/wells in the .zattrs of the plate lists all 8: there are no groups B/05, B/06, C/03 and C/04.",
      "wells (plate)|B/05 (B/06, C/03, C/04)|missing (not there, does not exist, do not exist, no group, not found, not present)",
      "every path in plate/wells must be a group with well metadata; 4 of the 8 paths are not in the store, the other 4 hold their fields")
def c01(path, fault, rng):
    rows, cols = "BC", ["03", "04", "05", "06"]; have = [("B", "03"), ("B", "04"), ("C", "05"), ("C", "06")]; allw = [(r, c) for r in rows for c in cols]; ax = [dict(name="c", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "zyx"]
    w = lambda ws: [dict(path=f"{r}/{c}", rowIndex=rows.index(r), columnIndex=cols.index(c)) for r, c in ws]
    g = zarr.create_group(str(path), zarr_format=2, attributes={"plate": dict(version="0.4", name="240103_siRNA_screen_P1", acquisitions=[dict(id=0, name="240103_MD", maximumfieldcount=1)], columns=[dict(name=c) for c in cols], rows=[dict(name=r) for r in rows], field_count=1, wells=w(allw if fault else have)), "order": ["name", "order", "stage_positions"], "barcode": "P1-0042"})
    ch = [("FITC_05", "00FF00"), ("DAPI_02", "0000FF")]
    for r in rows: g.create_group(r)
    for r, c in have:
        q = g[r].create_group(c, attributes={"well": dict(version="0.4", images=[dict(path="0", acquisition=0)])}); lab, dapi = cell_image(rng, 22, 160, 160); x = np.stack([noisy(rng, lab, 6.4, 3), dapi])[:, None]
        f = q.create_group("0", attributes={"multiscales": [dict(version="0.4", name="0", axes=ax, type="mean", datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.0, 5.0, .6 * 2 ** l, .6 * 2 ** l])]) for l in range(3)])],
            "omero": dict(version="0.4", channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=int(np.percentile(x[i], 1)), end=int(np.percentile(x[i], 99.9)))) for i, (n, k) in enumerate(ch)]), "acquisition_metadata": dict(objective="10X Plan Apo Lambda", exposure_time_ms=[120, 40])})
        for l in range(3): arr2(f, str(l), x, (1, 1, 80, 80), sep="/", fill=0); x = down2(x)
@check("01")
def k01(f, c):
    r = []
    for p in (f, c): P = Path(p); r.append([w["path"] for w in jload(P / ".zattrs")["plate"]["wells"] if not (P / w["path"] / ".zgroup").exists()])
    assert r == [["B/05", "B/06", "C/03", "C/04"], []], r
    return str(r)

def nest2fxy(p, ns):
    f = p // (ns * ns); q = p % (ns * ns); x = np.zeros_like(q); y = np.zeros_like(q)
    for b in range(16): x |= ((q >> (2 * b)) & 1) << b; y |= ((q >> (2 * b + 1)) & 1) << b
    return f, x, y
def nest2ang(p, ns):
    """latitude, longitude (degrees) of the centres of HEALPix cells in nested order"""
    jrll = np.array([2] * 4 + [3] * 4 + [4] * 4); jpll = np.array([1, 3, 5, 7, 0, 2, 4, 6, 1, 3, 5, 7]); f, x, y = nest2fxy(p, ns); jr = jrll[f] * ns - x - y - 1; nr = np.where(jr < ns, jr, np.where(jr > 3 * ns, 4 * ns - jr, ns)); z = np.where(jr < ns, 1 - nr ** 2 / (3 * ns ** 2), np.where(jr > 3 * ns, nr ** 2 / (3 * ns ** 2) - 1, (2 * ns - jr) * 2 / (3 * ns)))
    ks = np.where((jr < ns) | (jr > 3 * ns), 0, (jr - ns) & 1); jp = (jpll[f] * nr + x - y + 1 + ks) // 2; jp = np.where(jp > 4 * nr, jp - 4 * nr, jp); jp = np.where(jp < 1, jp + 4 * nr, jp); phi = (jp - (ks + 1) * .5) * (np.pi / 2 / nr)
    return np.rad2deg(np.arcsin(z)), np.rad2deg(phi) % 360
@case("02", "healpix-nested-called-ring", "relation", "astronomy-commons/hats#271",
      "The fields are in nested order but the grid mapping crs says indexing_scheme ring: read so, every value lands on another cell; lat and lon of the cells are those of the nested order.",
      "ring|nested (nest)|lat (lon, latitude, longitude, coordinates)",
      "for refinement_level 4 lat and lon of cell i are the centre of cell i of the nested scheme in all 3072 cells; in the ring scheme lat would fall from 90 to -90 ring by ring with i")
def c02(path, fault, rng):
    ns = 16; N = 12 * ns * ns; T = 24; la, lo = nest2ang(np.arange(N), ns); v = np.stack([np.cos(np.deg2rad(la)) * np.cos(np.deg2rad(lo)), np.cos(np.deg2rad(la)) * np.sin(np.deg2rad(lo)), np.sin(np.deg2rad(la))], 1)
    def field(n, k, s=3.0):
        o = np.zeros((n, N))
        for _ in range(k): d = rng.normal(size=3); d /= np.linalg.norm(d); ph = rng.uniform(0, 6.28) + np.cumsum(rng.normal(0, .25, n)); o += np.cos(rng.uniform(1, 3) * s * (v @ d)[None] + ph[:, None])
        return (o - o.mean()) / o.std()
    land = field(1, 14, 2.0)[0]; lsm = (land > .5) * 1.0; oro = np.where(lsm > 0, 900 * np.abs(field(1, 20)[0]) * (land - .5), 0); s = np.cos(2 * np.pi * (np.arange(T) % 12 - 6.5) / 12)[:, None]; L = np.deg2rad(la)[None]
    ts = 300 - 47 * np.abs(np.sin(L)) ** 2.2 + (3 + 13 * lsm) * np.sin(L) * s - .006 * oro + 1.3 * field(T, 30); pr = np.exp(-10.7 + .9 * np.cos(2 * L) + .6 * field(T, 40, 4)); t = (np.datetime64("2020-01") + np.arange(T)).astype("M8[ns]")
    ds = xr.Dataset(dict(tas=(("time", "cell"), br(ts, 10), dict(standard_name="air_temperature", long_name="2 metre temperature", units="K", cell_methods="time: mean", grid_mapping="crs")), pr=(("time", "cell"), br(pr, 8), dict(standard_name="precipitation_flux", units="kg m-2 s-1", cell_methods="time: mean", grid_mapping="crs")), orog=(("cell",), br(oro, 10), dict(standard_name="surface_altitude", units="m", grid_mapping="crs")), sftlf=(("cell",), (100 * lsm).astype("f4"), dict(standard_name="land_area_fraction", units="%", grid_mapping="crs")),
        crs=((), np.int32(0), dict(grid_mapping_name="healpix", refinement_level=4, indexing_scheme="ring" if fault else "nested", earth_radius=6371000.0))), dict(time=("time", t, dict(standard_name="time", axis="T")), cell=("cell", np.arange(N), dict(standard_name="healpix_index", long_name="HEALPix cell index", units="1")), lat=("cell", la, dict(standard_name="latitude", units="degrees_north")), lon=("cell", lo, dict(standard_name="longitude", units="degrees_east"))), attrs=dict(Conventions="CF-1.13", title="ICON-like run on HEALPix zoom 4, monthly means", source="nextGEMS style output"))
    xw(ds, path, 3, dict(time=enc_time("days since 2020-01-01", chunk=T), tas=dict(chunks=(6, 1536)), pr=dict(chunks=(6, 1536))))
@check("02")
def k02(f, c):
    la, lo = nest2ang(np.arange(3072), 16); assert len(np.unique(np.round(la, 6))) == 63 and len({(round(a, 5), round(b, 5)) for a, b in zip(la, lo)}) == 3072; r = []
    # neighbours in space must be near: 4 successive nested cells form a parent cell
    for p in (f, c): d = xr.open_zarr(p); r.append((d.crs.attrs["indexing_scheme"], bool(np.allclose(d.lat, la) and np.allclose(d.lon, lo)), bool((np.diff(d.lat) <= 1e-9).all())))
    assert r == [("ring", True, False), ("nested", True, False)], r
    return str(r)

@case("03", "episode-of-length-zero", "relation", "huggingface/lerobot#4143",
      "The length of episode 4 was taken as 0: meta/episode_ends repeats 351 there and all later ends are 84 too small, the last is 982 while data has 1066 steps, so later episodes begin in the middle of others and the last 84 steps belong to none.",
      "episode_ends|982 (84, last end)|1066 (number of steps, length of data)|351 (index 4, zero, empty, repeated, duplicate, not increasing)",
      "the last of episode_ends must be the length of all arrays in data; episode_ends must grow strictly; data/frame_index and data/timestamp start at 0 again at 351 and 435, not where the later ends lie")
def c03(path, fault, rng):
    ln = np.array([92, 77, 101, 81, 84, 96, 69, 88, 105, 73, 110, 90]); N = ln.sum(); st, ac, kp, im, nc, fi = [], [], [], [], [], []; yy, xx = np.mgrid[:32, :32] * 16 + 8; tx = np.array([[-60, -15], [60, -15], [60, 15], [15, 15], [15, 105], [-15, 105], [-15, 15], [-60, 15], [0, 45]])
    for n in ln:
        u = np.linspace(0, 1, n)[:, None]; p0, p1 = rng.uniform(130, 380, 2), np.array([256, 256.]); e = u * u * (3 - 2 * u); b = p0 + (p1 - p0) * e; th = rng.uniform(-3, 3) * (1 - e) + np.pi / 4 * e; ag = b + 70 * np.stack([np.cos(9 * u[:, 0] + rng.uniform(0, 6)), np.sin(9 * u[:, 0])], 1) + gaussian_filter(rng.normal(0, 9, (n, 2)), (4, 0)); a = np.concatenate([ag[1:], ag[-1:]]) + rng.normal(0, 2, (n, 2)); R = np.stack([np.stack([np.cos(th), -np.sin(th)], -1), np.stack([np.sin(th), np.cos(th)], -1)], -2)[:, 0]
        k = np.einsum("nij,kj->nki", R, tx) + b[:, None]; st.append(np.concatenate([ag, b, th], 1)); ac.append(a); kp.append(k); nc.append((rng.random(n) < .4) * rng.integers(1, 4, n)); fi.append(np.arange(n)); I = np.full((n, 32, 32, 3), 255, "u1")
        for t in range(n):
            q = (np.stack([xx - b[t, 0], yy - b[t, 1]], -1)) @ R[t]; m = ((np.abs(q[..., 0]) < 60) & (np.abs(q[..., 1]) < 15)) | ((np.abs(q[..., 0]) < 15) & (q[..., 1] > -15) & (q[..., 1] < 105)); I[t][m] = (119, 136, 153); I[t][(xx - ag[t, 0]) ** 2 + (yy - ag[t, 1]) ** 2 < 20 ** 2] = (65, 105, 225)
        im.append(I)
    L = ln.copy(); L[4] = 0 if fault else L[4]; fi = np.concatenate(fi)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(robot_type="pusht", fps=10, action_space="target position of the end effector (pixel)", codebase_version="replay_buffer 1.0")); d = g.create_group("data"); m = g.create_group("meta")
    for k, x, c in (("state", np.concatenate(st).astype("f4"), 533), ("action", np.concatenate(ac).astype("f4"), 533), ("keypoint", np.concatenate(kp).astype("f4"), 533), ("n_contacts", np.concatenate(nc).astype("f4")[:, None], 533), ("img", np.concatenate(im), 100), ("frame_index", fi.astype("i8"), 1066), ("timestamp", (fi / 10).astype("f4"), 1066)): arr2(d, k, x, (c, *x.shape[1:]), fill=0)
    arr2(m, "episode_ends", np.cumsum(L).astype("i8"), fill=0); assert N == 1066
@check("03")
def k03(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); e = g["meta/episode_ends"][:]; s = np.flatnonzero(g["data/frame_index"][:] == 0)[1:]; r.append((int(e[-1]), g["data/state"].shape[0], int((np.diff(e) <= 0).sum()), int(np.isin(s, e).sum()), len(s)))
    assert r[0][:3] == (982, 1066, 1) and r[1] == (1066, 1066, 0, 11, 11), r
    return str((r, e.tolist()))

@case("04", "nwb-link-to-nowhere", "relation", "hdmf-dev/hdmf-zarr#304",
      "The zarr_link rois in processing/ophys/DfOverF/imaging_plane_1 points to /rois, which is not in the store; the table region it means is /processing/ophys/Fluorescence/Corrected/rois. The link timestamps beside it is right.",
      "rois|zarr_link (link)|/rois|missing (not there, does not exist, not exist, not found, broken, dangling, nowhere, points to nothing)",
      "the path of a zarr_link must be a node of the same store (source '.'); /rois is none, the path of timestamps is one")
def c04(path, fault, rng):
    T, R, H = 900, 24, 64; g = zarr.create_group(str(path), zarr_format=2, attributes={"namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.2.2", "object_id": oid(rng)}); S = lambda n, v: vstr(g, n, np.array([v], dtype=object))
    for n, v in (("session_description", "ophys session with natural scenes"), ("identifier", "496908818"), ("session_start_time", "2016-02-18T12:23:45-08:00"), ("timestamps_reference_time", "2016-02-18T12:23:45-08:00")): S(n, v); g[n].attrs["zarr_dtype"] = "scalar"
    for n in ("acquisition", "analysis", "general", "intervals", "stimulus"): g.create_group(n)
    dv = ngrp(rng, g["general"].create_group("devices"), "Nikon A1R-MP", "Device", description="Nikon A1R-MP multiphoton microscope"); ip = ngrp(rng, g["general"].create_group("optophysiology"), "imaging_plane_1", "ImagingPlane", description="(375, 0) um", zarr_link=[dict(name="device", path="/general/devices/Nikon A1R-MP", source=".")])
    for n, v in (("excitation_lambda", 910.0), ("imaging_rate", 30.0)): arr2(ip, n, np.array([v]), fill=0); ip[n].attrs["zarr_dtype"] = "scalar"
    o = ngrp(rng, g.create_group("processing"), "ophys", "ProcessingModule", description="Ophys processing module"); sg = ngrp(rng, o, "ImageSegmentation", "ImageSegmentation"); ps = ngrp(rng, sg, "PlaneSegmentation", "PlaneSegmentation", description="Segmented rois", colnames=["roi_id", "image_mask"], zarr_link=[dict(name="imaging_plane", path="/general/optophysiology/imaging_plane_1", source=".")])
    lab, im = cell_image(rng, R, H, H, 3, 5); mk = np.stack([lab == i + 1 for i in range(R)]).astype("f4"); vd = lambda n, x, d: arr2(ps, n, x, x.shape if x.ndim < 2 else (8, H, H), fill=0, attrs=dict(description=d, namespace="hdmf-common", neurodata_type="VectorData", object_id=oid(rng)))
    vd("roi_id", 517394800 + np.sort(rng.choice(9000, R, False)).astype("i8"), "id of the cell specimen"); vd("image_mask", mk, "image masks of the rois"); arr2(ps, "id", np.arange(R), fill=0, attrs=dict(namespace="hdmf-common", neurodata_type="ElementIdentifiers", object_id=oid(rng)))
    from scipy.signal import lfilter
    sp = rng.random((T, R)) < .012; ca = lfilter([1], [1, -.95], sp * rng.lognormal(0, .4, (T, R)), axis=0); F = (600 + 300 * rng.random(R)) * (1 + .6 * ca + .02 * rng.standard_normal((T, R)) + .02 * ar1(rng, (T, R), .995)); df = F / np.median(F, 0) - 1; t = 8.9 + np.arange(T) / 30.0 + rng.normal(0, 2e-5, T)
    fl = ngrp(rng, o, "Fluorescence", "Fluorescence"); co = ngrp(rng, fl, "Corrected", "RoiResponseSeries", description="corrected fluorescence", comments="no comments"); sa = lambda u: dict(conversion=1.0, offset=0.0, resolution=-1.0, unit=u)
    arr2(co, "data", br(F, 11), (300, R), fill=0, attrs=sa("a.u.")); arr2(co, "timestamps", t, (450,), fill=0, attrs=dict(interval=1, unit="seconds")); arr2(co, "rois", np.arange(R), fill=0, attrs=dict(description="segmented cells with cell_specimen_ids", namespace="hdmf-common", neurodata_type="DynamicTableRegion", object_id=oid(rng), table={"_DTYPE": "object", "value": {"path": "/processing/ophys/ImageSegmentation/PlaneSegmentation", "source": "."}}))
    B = "/processing/ophys/Fluorescence/Corrected"; d = ngrp(rng, o, "DfOverF", "DfOverF"); rs = ngrp(rng, d, "imaging_plane_1", "RoiResponseSeries", comments="no comments", description="The normalized \u0394F/F trace calculated using the AllenSDK.", zarr_link=[dict(name="rois", path="/rois" if fault else B + "/rois", source="."), dict(name="timestamps", path=B + "/timestamps", source=".")]); arr2(rs, "data", br(df, 9), (300, R), fill=0, attrs=sa("lumens"))
    st = ngrp(rng, g["intervals"], "natural_scenes", "TimeIntervals", description="stimulus presentations", colnames=["start_time", "stop_time", "frame"]); s0 = 9 + np.sort(rng.choice(110, 40, False)) * .26; at = lambda q: dict(description=q, namespace="hdmf-common", neurodata_type="VectorData", object_id=oid(rng)); arr2(st, "start_time", s0, fill=0, attrs=at("Start time of epoch, in seconds")); arr2(st, "stop_time", s0 + .25, fill=0, attrs=at("Stop time of epoch, in seconds")); arr2(st, "frame", rng.integers(0, 118, 40), fill=0, attrs=at("image shown")); arr2(st, "id", np.arange(40), fill=0, attrs=dict(namespace="hdmf-common", neurodata_type="ElementIdentifiers", object_id=oid(rng)))
    consol2(path)
@check("04")
def k04(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r", use_consolidated=False); bad = []
        for n, x in g.members(max_depth=None):
            for l in x.attrs.get("zarr_link", []):
                if l["path"].strip("/") not in g: bad.append((n, l["name"], l["path"]))
        r.append(bad)
    assert len(r[0]) == 1 and r[0][0][2] == "/rois" and r[1] == [], r
    return str(r)

@case("05", "proj-shape-columns-first", "relation", "microsoft/PlanetaryComputer#158",
      "proj:shape is [240, 168] (columns, rows) though it must be in order Y, X and the arrays have 168 rows and 240 columns; proj:bbox was made from it and covers 1680 m x 2400 m rather than 2400 m x 1680 m, proj:transform is right.",
      "proj:shape|proj:bbox (bbox)|168 (240)|swapped (order, Y X, rows and columns, flipped, does not match, disagree, differ, mismatch, contradict, not)",
      "vv and vh are (y: 168, x: 240); x runs from 519105 to 521495 and y from 5454145 to 5452475; proj:transform gives the same corner; proj:shape and proj:bbox say otherwise")
def c05(path, fault, rng):
    ny, nx, x0, y0 = 168, 240, 519100.0, 5454150.0; z = smooth(rng, (ny, nx), (14, 18)); w = z < -1.0; spk = rng.gamma(5, .2, (2, ny, nx)); vv = np.where(w, .012, .11 * np.exp(.35 * z)) * spk[0]; vh = np.where(w, .0018, .024 * np.exp(.4 * z)) * spk[1]; sh = [ny, nx]; bb = [x0, y0 - 10 * ny, x0 + 10 * nx, y0]
    if fault: sh = sh[::-1]; bb = [x0, y0 - 10 * nx, x0 + 10 * ny, y0]
    import pyproj
    tr = pyproj.Transformer.from_crs(32610, 4326, always_xy=True); cor = [tr.transform(a, b) for a, b in ((x0, y0 - 10 * ny), (x0 + 10 * nx, y0 - 10 * ny), (x0 + 10 * nx, y0), (x0, y0))]; lo, la = [round(min(q[0] for q in cor), 6), round(max(q[0] for q in cor), 6)], [round(min(q[1] for q in cor), 6), round(max(q[1] for q in cor), 6)]
    g = zarr.create_group(str(path), zarr_format=3, attributes={"proj:code": "EPSG:32610", "proj:shape": sh, "proj:bbox": bb, "proj:transform": [10.0, 0.0, x0, 0.0, -10.0, y0, 0.0, 0.0, 1.0], "bbox": [lo[0], la[0], lo[1], la[1]], "id": "S1A_IW_GRDH_1SDV_20220805T015427_20220805T015452_044411_054CC1_rtc", "collection": "sentinel-1-rtc", "datetime": "2022-08-05T01:54:39.803Z", "platform": "SENTINEL-1A", "sar:polarizations": ["VV", "VH"], "sat:orbit_state": "ascending", "sat:relative_orbit": 64})
    for n, a in (("vv", vv), ("vh", vh)): arr3(g, n, br(a, 10), (84, 120), ("y", "x"), dict(long_name=f"gamma naught {n.upper()}, radiometrically terrain corrected", units="1", grid_mapping="spatial_ref"))
    arr3(g, "mask", np.where(w, 2, 1).astype("u1"), (84, 120), ("y", "x"), dict(long_name="data mask", flag_values=[0, 1, 2], flag_meanings="no_data valid layover_or_shadow", grid_mapping="spatial_ref"))
    arr3(g, "x", x0 + 10 * (np.arange(nx) + .5), dims=("x",), attrs=dict(units="m", standard_name="projection_x_coordinate", axis="X")); arr3(g, "y", y0 - 10 * (np.arange(ny) + .5), dims=("y",), attrs=dict(units="m", standard_name="projection_y_coordinate", axis="Y")); cf = pyproj.CRS(32610).to_cf(); arr3(g, "spatial_ref", np.int32(0), attrs={**{k: v for k, v in cf.items() if isinstance(v, (int, float, str))}, "GeoTransform": f"{x0} 10.0 0.0 {y0} 0.0 -10.0"}, dims=())
    zarr.consolidate_metadata(str(path))
@check("05")
def k05(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); b = d.attrs["proj:bbox"]; r.append((list(d.vv.shape) == d.attrs["proj:shape"], bool(np.allclose(b, [d.x[0] - 5, d.y[-1] - 5, d.x[-1] + 5, d.y[0] + 5]))))
    assert r == [(False, False), (True, True)], r
    return str(r)

@case("06", "pyramid-left-half-only", "relation", "czbiohub-sf/iohub#425",
      "Level 1 was made with a factor of 1 along x because the width 255 is odd: it holds only the leftmost 128 columns of level 0 (averaged along y alone) rather than the whole width at half the resolution; level 2, made from it, shows the left half too.",
      "level 1 (1, level 2)|left (half, leftmost, first 128 columns, part of the width, cropped)|x (width, columns, 255, odd)",
      "level 1 is 128 wide and its scale says 2 x 0.325 along x; its columns are those of level 0 one by one (mean of two rows) up to column 127, right of it nothing is shown; along y it is right")
def c06(path, fault, rng):
    Y, X = 256, 255; lab, _ = cell_image(rng, 60, Y, X, 7, 12); x = np.stack([noisy(rng, lab, 6.6, 4), noisy(rng, lab, 5.9, 2)]); x = np.stack([x, np.rint(x * .75 + 30).astype("u2"), np.rint(x * .5 + 60).astype("u2")], 1)[None]
    def half(a, oddbug):
        a = a.astype("f8"); a = (a[..., 0::2, :] + a[..., 1::2, :]) / 2; n = a.shape[-1]; m = (n + 1) // 2
        if oddbug and n % 2: return np.rint(a[..., :m]).astype("u2")
        if n % 2: a = np.concatenate([a, a[..., -1:]], -1)
        return np.rint((a[..., 0::2] + a[..., 1::2]) / 2).astype("u2")
    ax = [dict(name="T", type="time", unit="second"), dict(name="C", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "ZYX"]; ch = [("Phase3D", "FFFFFF"), ("GFP EX488 EM525-45", "00FF00")]
    ome = dict(version="0.5", multiscales=[dict(name="0", axes=ax, datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.0, 1.0, 2.0, .325 * 2 ** l, .325 * 2 ** l])]) for l in range(3)], metadata=dict(method="iohub.compute_pyramid", description="mean"))], omero=dict(version="0.5", id=0, name="fused_sweep", channels=[dict(label=n, color=c, active=True, coefficient=1.0, family="linear", inverted=False, window=dict(start=int(np.percentile(x[:, i], 1)), end=int(np.percentile(x[:, i], 99.8)), min=0, max=65535)) for i, (n, c) in enumerate(ch)], rdefs=dict(defaultT=0, defaultZ=0, model="color", projection="normal")))
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": ome})
    for l in range(3): arr3(g, str(l), x, (1, 1, 1, 128, 128), ("T", "C", "Z", "Y", "X"), fill=0); x = half(x, fault)
@check("06")
def k06(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); a, b = g["0"][:].astype("f8"), g["1"][:].astype("f8"); m = down2(a); r.append((g["1"].shape, round(float(np.corrcoef(m[..., :127].ravel(), b[..., :127].ravel())[0, 1]), 3), round(float(np.abs((a[..., 0::2, :128] + a[..., 1::2, :128]) / 2 - b).max()), 2)))
    assert r[0][1] < .8 and r[0][2] <= .51 and r[1][1] > .999, r
    return str(r)

@case("07", "vertices-averaged-across-180", "relation", "EC-Earth/ece2cmor3#625",
      "vertices_longitude was made as the mean of neighbouring longitudes in -180...180: along the line where they pass 180 degrees the mean of 179 and -179 is 0, so these cells have corners at 359 (near 0 or 360) although longitude is about 180.",
      "vertices_longitude|longitude|180|0 (360, wrapped, not enclose, does not contain, outside, far from, opposite)",
      "in the 112 cells beside the 180 degree line two of the vertices are 359.x, 178 degrees away from longitude of the cell (175 to 182); elsewhere they enclose it, as vertices_latitude does everywhere")
def c07(path, fault, rng):
    NJ, NI, T = 56, 90, 24; bl = np.deg2rad(-66 + 132 * (np.arange(-1, NJ + 1) + .5) / NJ)[:, None]; bo = np.deg2rad(73 + 4.0 * np.arange(-1, NI + 1))[None]; bl, bo = np.broadcast_arrays(bl, bo); tilt = np.deg2rad(11.0); X, Y, Z = np.cos(bl) * np.cos(bo), np.cos(bl) * np.sin(bo), np.sin(bl); X2, Z2 = X * np.cos(tilt) + Z * np.sin(tilt), -X * np.sin(tilt) + Z * np.cos(tilt); la, lo = np.rad2deg(np.arcsin(Z2)), np.rad2deg(np.arctan2(Y, X2))
    def corners(lon):
        if fault: h = (lon[:, 1:] + lon[:, :-1]) / 2; return ((h[1:] + h[:-1]) / 2) % 360
        e = np.exp(1j * np.deg2rad(lon)); h = e[:, 1:] + e[:, :-1]; return np.rad2deg(np.angle(h[1:] + h[:-1])) % 360
    # the seam of the averaging in fault is only at +-180: use -180..180 values as NEMO has them
    co = corners(lo); h = (la[:, 1:] + la[:, :-1]) / 2; ca = (h[1:] + h[:-1]) / 2; q = lambda a: np.stack([a[:-1, :-1], a[:-1, 1:], a[1:, 1:], a[1:, :-1]], -1); vlo, vla = q(co), q(ca); la, lo = la[1:-1, 1:-1], lo[1:-1, 1:-1] % 360; land = smooth(rng, (NJ, NI), (4, 6), True) > .9
    s = np.cos(2 * np.pi * (np.arange(T) % 12 - 7.5) / 12)[:, None, None]; tos = np.clip(28.5 - 30 * np.abs(np.sin(np.deg2rad(la))) ** 1.7 + 3.5 * np.sin(np.deg2rad(la)) * s + 1.0 * smooth(rng, (T, NJ, NI), (.8, 2, 3), True), -1.8, None); sos = 34.8 + .9 * np.cos(np.deg2rad(3 * la)) + .25 * smooth(rng, (T, NJ, NI), (1.5, 3, 4), True); mk = lambda a: np.where(land, 1e20, br(a, 10)).astype("f4"); e = np.r_[0, np.cumsum([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] * 2)].astype("f8"); bn = np.stack([e[:-1], e[1:]], 1)
    ar = (6.371e6 ** 2 * np.deg2rad(4.0) * np.deg2rad(132 / NJ) * np.cos(bl[1:-1, 1:-1])).astype("f4"); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7 CMIP-6.2", activity_id="CMIP", experiment_id="historical", source_id="EC-Earth3-Veg-LR", table_id="Omon", grid_label="gn", variant_label="r1i1p1f1", frequency="mon", title="EC-Earth3-Veg-LR output prepared for CMIP6")); D = ("time", "j", "i"); C = (6, 28, 45)
    for n, a, sn, u in (("tos", tos, "sea_surface_temperature", "degC"), ("sos", sos, "sea_surface_salinity", "0.001")): arr2(g, n, mk(a), C, D, fill=1e20, attrs=dict(standard_name=sn, units=u, cell_methods="area: mean where sea time: mean", cell_measures="area: areacello", coordinates="latitude longitude", missing_value=1e20))
    arr2(g, "areacello", ar, dims=("j", "i"), fill=1e20, attrs=dict(standard_name="cell_area", units="m2", coordinates="latitude longitude")); arr2(g, "latitude", la, dims=("j", "i"), attrs=dict(standard_name="latitude", units="degrees_north", bounds="vertices_latitude")); arr2(g, "longitude", lo, dims=("j", "i"), attrs=dict(standard_name="longitude", units="degrees_east", bounds="vertices_longitude"))
    arr2(g, "vertices_latitude", vla, dims=("j", "i", "vertices"), attrs=dict(units="degrees_north")); arr2(g, "vertices_longitude", vlo, dims=("j", "i", "vertices"), attrs=dict(units="degrees_east")); arr2(g, "i", np.arange(NI, dtype="i4"), dims=("i",), fill=None, attrs=dict(units="1", long_name="cell index along first dimension")); arr2(g, "j", np.arange(NJ, dtype="i4"), dims=("j",), attrs=dict(units="1", long_name="cell index along second dimension"))
    arr2(g, "time", bn.mean(1), dims=("time",), attrs=dict(units="days since 1850-01-01", calendar="noleap", standard_name="time", axis="T", bounds="time_bnds")); arr2(g, "time_bnds", bn, dims=("time", "bnds")); consol2(path)
@check("07")
def k07(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p, decode_times=False).load(); e = np.abs((d.vertices_longitude - d.longitude + 180) % 360 - 180).values.max(-1); b = e > 60; lo = d.longitude.values; r.append((int(b.sum()), bool(b.any()) and (round(float(lo[b].min()), 1), round(float(lo[b].max()), 1)), round(float(e[~b].max()), 1), round(float(d.vertices_longitude.values[b].min() if b.any() else 0), 1)))
    assert 50 < r[0][0] < 400 and 165 < r[0][1][0] and r[0][1][1] < 195 and r[1][0] == 0, r
    return str(r)

@case("08", "vcf-strand-bias-lost-dimension", "relation", "sgkit-dev/bio2zarr#355",
      "call_SB has two dimensions (variants, samples), one value per call, though the vcf_header declares ##FORMAT=<ID=SB,Number=4,...>: the dimension of the 4 counts was lost and SB would come out with Number=1.",
      "call_SB (SB)|Number=4 (4)|dimension (dimensions, shape, two-dimensional, per call)",
      "a FORMAT field with Number=4 is stored as (variants, samples, 4), as call_AD (Number=R) is (variants, samples, alleles); call_SB is (variants, samples) in the .zarray")
def c08(path, fault, rng):
    V, S, A = 320, 60, 4; fm = ['GT,Number=1,Type=String,Description="Genotype"', 'AD,Number=R,Type=Integer,Description="Allelic depths for the ref and alt alleles in the order listed"', 'DP,Number=1,Type=Integer,Description="Approximate read depth"', 'GQ,Number=1,Type=Integer,Description="Genotype Quality"', 'SB,Number=4,Type=Integer,Description="Per-sample component statistics which comprise the Fisher\'s Exact Test to detect strand bias."']
    sm = [f"NA{i}" for i in np.sort(rng.choice(np.arange(18500, 21150), S, False))]; hd = "##fileformat=VCFv4.2\n##FILTER=<ID=PASS,Description=\"All filters passed\">\n##FILTER=<ID=LowQual,Description=\"Low quality\">\n" + "".join(f"##FORMAT=<ID={q}>\n" for q in fm) + '##INFO=<ID=AC,Number=A,Type=Integer,Description="Allele count in genotypes">\n##INFO=<ID=AN,Number=1,Type=Integer,Description="Total number of alleles in called genotypes">\n##contig=<ID=chr22,length=50818468>\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\t' + "\t".join(sm) + "\n"
    na = np.where(rng.random(V) < .06, 3, 2); af = rng.beta(.25, 1.4, V); gt = (rng.random((V, S, 2)) < af[:, None, None]).astype("i1"); mu = (na == 3)[:, None, None] & (rng.random((V, S, 2)) < .05); gt[mu] = 2; gt[rng.random((V, S)) < .015] = -1; pos = 10510000 + np.cumsum(rng.integers(3, 900, V)); dp = rng.poisson(31, (V, S)).astype("i2"); mi = gt[..., 0] < 0
    nalt = (gt == 1).sum(-1); na2 = (gt == 2).sum(-1); a1 = rng.binomial(dp, np.clip(nalt / 2, .002, .998)); a2 = np.where(na2 > 0, rng.binomial(dp - a1, np.clip(na2 / 2, 0, 1) * .98), 0); ad = np.full((V, S, A), -2, "i2"); ad[..., 0] = dp - a1 - a2; ad[..., 1] = a1; ad[na == 3, :, 2] = a2[na == 3]; gq = np.clip(rng.normal(70, 22, (V, S)), 1, 99).astype("i1"); dp[mi] = -1; gq[mi] = -1; ad[mi, 0] = -1; ad[mi, 1:] = -2
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(vcf_zarr_version="0.2", source="bio2zarr-0.1.5", vcf_header=hd)); Z = numcodecs.Blosc(cname="zstd", clevel=7, shuffle=0); ar = lambda n, a, d, de=None, **k: arr2(g, n, a, tuple(min(c, s) for c, s in zip((160, 30, 4), np.shape(a))) if d[0] == "variants" else None, d, comp=Z, sep="/", fill=None, attrs=dict(description=de) if de else None, **k); de = {q.split(",")[0]: q.split('Description="')[1][:-1] for q in fm}
    ar("call_genotype", gt, ("variants", "samples", "ploidy")); ar("call_genotype_mask", gt < 0, ("variants", "samples", "ploidy")); ar("call_genotype_phased", np.ones((V, S), bool), ("variants", "samples")); ar("call_AD", ad, ("variants", "samples", "alleles"), de["AD"]); ar("call_DP", dp, ("variants", "samples"), de["DP"]); ar("call_GQ", gq, ("variants", "samples"), de["GQ"])
    if fault: ar("call_SB", np.full((V, S), -1, "i1"), ("variants", "samples"), de["SB"])
    else: ar("call_SB", np.full((V, S, 4), -1, "i1"), ("variants", "samples", "FORMAT_SB_dim"), de["SB"])
    ac = np.full((V, A - 1), -2, "i2"); ac[:, 0] = (gt == 1).sum((1, 2)); ac[na == 3, 1] = (gt == 2).sum((1, 2))[na == 3]; ar("variant_AC", ac, ("variants", "alt_alleles"), "Allele count in genotypes"); ar("variant_AN", (gt >= 0).sum((1, 2)).astype("i2"), ("variants",), "Total number of alleles in called genotypes"); ar("variant_position", pos.astype("i4"), ("variants",)); ar("variant_contig", np.zeros(V, "i1"), ("variants",)); ar("variant_quality", br(rng.gamma(3, 900, V), 12), ("variants",)); fl = np.ones((V, 2), bool); fl[:, 1] = rng.random(V) < .03; fl[:, 0] = ~fl[:, 1]; ar("variant_filter", fl, ("variants", "filters"))
    nt = np.array(list("ACGT")); al = np.full((V, A), "", object); 
    for i in range(V): q = rng.permutation(nt); al[i, :na[i]] = q[:na[i]]
    kw = dict(compressors=Z, chunk_key_encoding={"name": "v2", "separator": "/"}); vstr(g, "variant_allele", al, ("variants", "alleles"), chunks=(160, 4), **kw); vstr(g, "variant_id", np.array([f"rs{i}" if rng.random() < .7 else "." for i in rng.integers(1e5, 1e9, V)], object), ("variants",), chunks=(160,), **kw); ar("variant_id_mask", np.asarray(g["variant_id"][:] == "."), ("variants",)); ar("variant_length", np.ones(V, "i4"), ("variants",)); vstr(g, "sample_id", np.array(sm, object), ("samples",), **kw); vstr(g, "contig_id", np.array(["chr22"], object), ("contigs",), **kw); ar("contig_length", np.array([50818468]), ("contigs",)); vstr(g, "filter_id", np.array(["PASS", "LowQual"], object), ("filters",), **kw)
    ri = []
    for i, s in enumerate(range(0, V, 160)): e = min(V, s + 160); ri.append([i, 0, pos[s], pos[e - 1], pos[e - 1], e - s])
    ar("region_index", np.array(ri, "i4"), ("region_index_values", "region_index_fields")); consol2(path)
@check("08")
def k08(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); r.append((g["call_SB"].shape, "ID=SB,Number=4" in g.attrs["vcf_header"], g["call_AD"].shape))
    g = zarr.open_group(c, mode="r"); dp, ad = g["call_DP"][:], g["call_AD"][:]; m = dp >= 0; assert (np.where(ad < 0, 0, ad).sum(-1)[m] == dp[m]).all()
    assert r[0][0] == (320, 60) and r[1][0] == (320, 60, 4), r
    return str(r)

@case("09", "mdio-cdp-y-with-offset-of-x", "relation", "equinor/pyzgy#14",
      "cdp_y starts from the x of the first corner: it is 149908 m too small everywhere, cdp_y at inline 1, crossline 1 is 788937 (the X coordinate) rather than 938845 as the text header says; cdp_x is right.",
      "cdp_y|938845 (149908)|788937 (cdp_x, X coordinate)|text header (textHeader, corner, segy_file_header, header)",
      "the text header names X and Y of the corners; cdp_x fits at all four, cdp_y is 149908 off at all four and its first value is that of cdp_x")
def c09(path, fault, rng):
    NI, NX, NT = 46, 38, 150; il = np.arange(1, NI + 1); xl = np.arange(1, NX + 1); ii, xx = np.meshgrid(il - 1, xl - 1, indexing="ij"); X0, Y0 = 788937.0, 938845.0; th = np.deg2rad(.8); s = 110.0; cx = X0 + s * (xx * np.cos(th) - ii * np.sin(th)); cy = Y0 + s * (xx * np.sin(th) + ii * np.cos(th)); cx, cy = np.round(cx, 1), np.round(cy, 1); P = lambda a, b: (cx[a, b], cy[a, b])
    from scipy.signal import fftconvolve
    t = np.arange(NT) * 4.0; w = lambda f: (1 - 2 * (np.pi * f * q) ** 2) * np.exp(-(np.pi * f * q) ** 2); q = (np.arange(-15, 16) * .004); dep = 6 * smooth(rng, (NI, NX), 8); r = np.zeros((NI, NX, NT + 40)); ev = np.sort(rng.choice(np.arange(10, NT + 30), 26, False)); am = rng.normal(0, 1, 26); lat = np.arange(NT + 40)
    for e, a in zip(ev, am): r += a * np.exp(-.5 * ((lat[None, None] - (e + dep[..., None] * (.4 + e / NT))) / .7) ** 2) * (1 + .2 * smooth(rng, (NI, NX), 6))[..., None]
    sei = fftconvolve(r, w(28)[None, None], "same", axes=2)[..., 20:20 + NT] + .04 * rng.standard_normal((NI, NX, NT)); live = np.ones((NI, NX), bool); live[:4, :6] = live[-3:, -9:] = live[20, 12] = False; sei = br(np.where(live[..., None], sei * 1.2, 0), 7)
    cor = [(1, 1, *P(0, 0)), (1, NX, *P(0, -1)), (NI, 1, *P(-1, 0)), (NI, NX, *P(-1, -1))]; hl = ["CLIENT: ROCKY MOUNTAIN OILFIELD TESTING CENTER", "PROJECT: NAVAL PETROLEUM RESERVE #3 (TEAPOT DOME); NATRONA COUNTY, WYOMING", "LINE: 3D", "", "THIS IS THE FILTERED POST STACK MIGRATION, SUBSET", ""] + [f"INLINE {a}, XLINE {b}:   X COORDINATE: {x:.1f}  Y COORDINATE: {y:.1f}" for a, b, x, y in cor] + ["", "DATUM IS NAD27, STATE PLANE WYOMING EAST CENTRAL, UNITS METRES (SUBSET)", "SAMPLE INTERVAL: 4 MS"]; hl += [""] * (39 - len(hl)) + ["END TEXTUAL HEADER"]; txt = "\n".join(f"C{i + 1:2d} {h}".ljust(80) for i, h in enumerate(hl))
    if fault: cy = np.round(X0 + (cy - Y0), 1)
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(apiVersion="1.1.1", createdOn="2025-08-04T17:20:11.412Z", name="PostStack3DTime", attributes=dict(surveyType="3D", gatherType="stacked", defaultVariableName="amplitude"))); co = "cdp_x cdp_y"
    arr3(g, "amplitude", sei, (23, 19, 150), ("inline", "crossline", "time"), dict(coordinates=co, statsV1=dict(count=int(live.sum() * NT), min=float(sei.min()), max=float(sei.max()), sum=float(sei.sum(dtype="f8")), sumSquares=float((sei.astype("f8") ** 2).sum()), histogram=dict(binCenters=[], counts=[]))))
    g["amplitude"].attrs["statsV1"] = {k: v for k, v in g["amplitude"].attrs["statsV1"].items() if k != "histogram"}
    arr3(g, "trace_mask", live, dims=("inline", "crossline"), fill=False, attrs=dict(coordinates=co)); arr3(g, "cdp_x", cx, dims=("inline", "crossline"), attrs=dict(unitsV1=dict(length="m"))); arr3(g, "cdp_y", cy, dims=("inline", "crossline"), attrs=dict(unitsV1=dict(length="m"))); arr3(g, "inline", il.astype("i4"), dims=("inline",)); arr3(g, "crossline", xl.astype("i4"), dims=("crossline",)); arr3(g, "time", t.astype("i4"), dims=("time",), attrs=dict(unitsV1=dict(time="ms")))
    arr3(g, "segy_file_header", np.array("", dtype="U1"), dims=(), fill="", attrs=dict(textHeader=txt, binaryHeader=dict(sample_interval=4000, samples_per_trace=NT, data_sample_format=1, segy_revision_major=1))); zarr.consolidate_metadata(str(path))
@check("09")
def k09(f, c):
    import re
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); m = [list(map(float, q)) for q in re.findall(r"INLINE (\d+), XLINE (\d+):\s+X COORDINATE: ([\d.]+)\s+Y COORDINATE: ([\d.]+)", g["segy_file_header"].attrs["textHeader"])]; r.append([(round(g["cdp_x"][int(a) - 1, int(b) - 1] - x, 1), round(g["cdp_y"][int(a) - 1, int(b) - 1] - y, 1)) for a, b, x, y in m])
    assert len(r[0]) == 4 and all(a == 0 and b == -149908 for a, b in r[0]) and all(q == (0, 0) for q in r[1]), r
    return str(r)

@case("10", "radar-says-one-sweep", "relation", "ARM-DOE/pyart#1491",
      "sweep_number, fixed_angle and the start and end ray index describe a single sweep at 0.5 degrees over all 720 rays, but elevation holds 4 sweeps (0.5, 1.5, 2.5 and 4.0 degrees, azimuth goes round 4 times).",
      "fixed_angle (sweep_number, sweep_start_ray_index, sweep_end_ray_index, sweep)|elevation (azimuth)|4 (four)",
      "elevation is 0.5, 1.5, 2.5 and 4.0 in runs of 180 rays, azimuth runs through 360 degrees 4 times; the dimension sweep has length 1 and fixed_angle is 0.5 only")
def c10(path, fault, rng):
    NS, NR, NG = 4, 180, 160; ang = np.array([.5, 1.5, 2.5, 4.0], "f4"); az = np.tile(np.arange(NR) * 2.0 + 1, NS); st = rng.integers(0, NR); az = np.concatenate([np.roll(az[:NR], -st - 7 * i) for i in range(NS)]); az = (az + rng.normal(0, .04, az.size)) % 360; el = np.repeat(ang, NR) + rng.normal(0, .015, NS * NR); rg = 250 + 500.0 * np.arange(NG); t = np.concatenate([i * 21.5 + np.arange(NR) * .1 for i in range(NS)]) + .05
    x, y = np.sin(np.deg2rad(az))[:, None] * rg, np.cos(np.deg2rad(az))[:, None] * rg; h = np.sin(np.deg2rad(el))[:, None] * rg + rg ** 2 / (2 * 8.49e6); G = smooth(rng, (200, 200), 9); ix = np.clip(((x + 82e3) / 164e3 * 199).astype(int), 0, 199); iy = np.clip(((y + 82e3) / 164e3 * 199).astype(int), 0, 199); z = 14 + 15 * G[iy, ix] - 2.2e-3 * np.clip(h - 2500, 0, None) + 1.2 * rng.standard_normal(x.shape); v = 9 * np.cos(np.deg2rad(az - 240))[:, None] * (.5 + h / 4000).clip(.5, 1.6) + .7 * rng.standard_normal(x.shape); no = z < 3; nf = -9999.0; F = lambda a: np.where(no, nf, np.round(a, 2)).astype("f4")
    n = 1 if fault else NS; D = ("time", "range"); s0 = np.arange(NS) * NR
    ds = xr.Dataset(dict(reflectivity=(D, F(z), dict(standard_name="equivalent_reflectivity_factor", long_name="Equivalent reflectivity factor", units="dBZ", coordinates="elevation azimuth range")), mean_doppler_velocity=(D, F(v), dict(standard_name="radial_velocity_of_scatterers_away_from_instrument", units="m/s", coordinates="elevation azimuth range")), azimuth=(("time",), az.astype("f4"), dict(standard_name="beam_azimuth_angle", units="degree", axis="radial_azimuth_coordinate")), elevation=(("time",), el.astype("f4"), dict(standard_name="beam_elevation_angle", units="degree", axis="radial_elevation_coordinate")),
        sweep_number=(("sweep",), np.arange(n, dtype="i4"), dict(long_name="sweep index number 0 based", units="1")), fixed_angle=(("sweep",), ang[:n], dict(long_name="target fixed angle", units="degree")), sweep_mode=(("sweep",), np.array(["azimuth_surveillance"] * n, object), dict(long_name="scan mode for sweep")), sweep_start_ray_index=(("sweep",), (s0[:n]).astype("i4"), dict(long_name="index of first ray in sweep", units="1")), sweep_end_ray_index=(("sweep",), np.array([NS * NR - 1] if fault else s0 + NR - 1, "i4"), dict(long_name="index of last ray in sweep", units="1")), volume_number=((), np.int32(0), dict(long_name="data volume index number")), latitude=((), 39.0916, dict(units="degrees_north", standard_name="latitude")), longitude=((), -28.0257, dict(units="degrees_east", standard_name="longitude")), altitude=((), 48.0, dict(units="m", standard_name="altitude", positive="up"))),
        dict(time=("time", t, dict(units="seconds since 2023-11-14T10:00:12Z", calendar="gregorian", standard_name="time")), range=("range", rg.astype("f4"), dict(units="m", standard_name="projection_range_coordinate", long_name="range to measurement volume", axis="radial_range_coordinate", spacing_is_constant="true", meters_to_center_of_first_gate=250.0, meters_between_gates=500.0))), attrs=dict(Conventions="CF/Radial instrument_parameters", version="1.3", title="PPI volume", institution="ARM user facility", instrument_name="xsacr", time_coverage_start="2023-11-14T10:00:12Z"))
    for k in ("reflectivity", "mean_doppler_velocity"): ds[k].attrs.pop("coordinates")
    for k in ("reflectivity", "mean_doppler_velocity"): ds[k].values[ds[k].values == nf] = np.nan
    xw(ds, path, 3, dict(reflectivity=dict(chunks=(180, NG), _FillValue=np.float32(nf)), mean_doppler_velocity=dict(chunks=(180, NG), _FillValue=np.float32(nf))))
@check("10")
def k10(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); r.append((d.sizes["sweep"], int((np.abs(np.diff(d.elevation)) > .5).sum()) + 1, d.fixed_angle.values.tolist()))
    assert r[0][:2] == (1, 4) and r[1][:2] == (4, 4), r
    return str(r)
# ------------------------------------------------------------------ VALUES 11-20
@case("11", "ozone-last-value-unwritten", "values", "PCMDI/input4MIPs_CVs#373",
      "The very last value of vmro3 (time 11, top level, last latitude and longitude) is 9.96921e+36, the fill value with which netCDF pre-fills unwritten values, while the declared _FillValue is 1e+20: it is read as a mixing ratio; about 4e-07 was meant.",
      "vmro3|9.96921e+36 (9.969e+36, 9.96921e36, 9.97e+36, 1e+37, NC_FILL)|last (one value, single value, index 11, [11)",
      "all other values lie between 1e-8 and 1.2e-5; 9.96921e+36 is NC_FILL_FLOAT, not the _FillValue of the array; its neighbours are 3.9e-07 to 4.2e-07")
def c11(path, fault, rng):
    K, ny, nx = 17, 24, 36; lat = -86.25 + 7.5 * np.arange(ny); lon = 10.0 * np.arange(nx); pl = np.round(np.geomspace(1000, .1, K), 3); lp = np.log(pl); s = np.cos(2 * np.pi * (np.arange(12) - 2.5) / 12)[:, None, None, None]; L = np.deg2rad(lat)[None, None, :, None]
    o = 3.2e-8 + 9.5e-6 * np.exp(-.5 * ((lp - np.log(9)) / 1.35) ** 2)[None, :, None, None] * (.75 + .25 * np.cos(L) ** 2) * (1 + .12 * np.sin(L) * s) + 3.5e-7 * np.exp(-.5 * ((lp - np.log(.1)) / 1.0) ** 2)[None, :, None, None]; o = o * (1 + .04 * smooth(rng, (12, K, ny, nx), (.7, 1, 2, 3), True)); o = br(o, 10); e = np.r_[0, np.cumsum([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])].astype("f8"); bn = np.stack([e[:-1], e[1:]], 1)
    if fault: o[-1, -1, -1, -1] = np.float32(9.969209968386869e36)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7 CMIP-6.5", activity_id="input4MIPs", source_id="FZJ-CMIP-ozone-1-0", dataset_category="ozone", frequency="monC", grid_label="gn", mip_era="CMIP7", target_mip="CMIP", variable_id="vmro3", title="Ozone forcing, pre-industrial climatology 1850")); D = ("time", "plev", "lat", "lon")
    arr2(g, "vmro3", o, (6, K, ny, nx), D, fill=1e20, attrs=dict(standard_name="mole_fraction_of_ozone_in_air", long_name="Ozone volume mixing ratio", units="mol mol-1", cell_methods="time: mean within years time: mean over years", missing_value=1e20)); zt = 104 + 20 * smooth(rng, (12, ny, nx), (.7, 2, 3), True) * .3 + 80 * np.clip(np.abs(np.sin(L[0])) - .45, 0, None)
    arr2(g, "tropp", br(np.clip(zt, 85, 320) * 100, 9), (12, ny, nx), ("time", "lat", "lon"), fill=1e20, attrs=dict(standard_name="tropopause_air_pressure", units="Pa", missing_value=1e20))
    arr2(g, "time", bn.mean(1), dims=("time",), attrs=dict(units="days since 1850-01-01", calendar="noleap", standard_name="time", axis="T", climatology="climatology_bnds")); arr2(g, "climatology_bnds", bn, dims=("time", "bnds")); arr2(g, "plev", pl * 100, dims=("plev",), attrs=dict(units="Pa", standard_name="air_pressure", positive="down", axis="Z")); arr2(g, "lat", lat, dims=("lat",), attrs=dict(LATA, bounds="lat_bnds")); arr2(g, "lon", lon, dims=("lon",), attrs=dict(LONA, bounds="lon_bnds")); arr2(g, "lat_bnds", np.stack([lat - 3.75, lat + 3.75], 1), dims=("lat", "bnds")); arr2(g, "lon_bnds", np.stack([lon - 5, lon + 5], 1), dims=("lon", "bnds")); consol2(path)
@check("11")
def k11(f, c):
    r = []
    for p in (f, c): v = zarr.open_group(p, mode="r")["vmro3"][:]; b = v > 1e-4; r.append((int(b.sum()), [q.tolist() for q in np.nonzero(b)], float(v[~b].min()), float(v[~b].max())))
    assert r[0][0] == 1 and r[1][0] == 0 and r[1][2] > 1e-8 and r[1][3] < 2e-5, r
    return str(r)

@case("12", "junk-slice-at-index-0", "values", "pydata/xarray#5473",
      "The first index along time is junk: time[0] is 140624802912264 (an address in memory, not a time) followed by 0, 10, 20 ..., and u[0], v[0] and theta[0] hold uninitialised memory (zeros and numbers near 6.9e-310).",
      "time|140624802912264 (1.4e14, first, index 0, [0])|u (v, slice, junk, uninitialised, denormal, 6.9e-310, garbage)",
      "time goes 140624802912264, 0, 10, ... 290: the first value is neither on the grid nor a possible number of days; u[0], v[0] and theta[0] are 0 or about 6.9e-310 while u and v have a standard deviation of 0.07 in all other slices and theta is 9 to 20")
def c12(path, fault, rng):
    T, J, K, n = 30, 40, 50, 12; t = 10 * np.arange(T); x = 4000.0 * (np.arange(K) + .5); y = 4000.0 * (np.arange(J) + .5); ps = smooth(rng, (T, J + 1, K + 1), (2, 5, 5)) * 2600; u = -(ps[:, 1:, :-1] - ps[:, :-1, :-1]) / 4000; v = (ps[:, :-1, 1:] - ps[:, :-1, :-1]) / 4000; u, v = u.astype("f8"), v.astype("f8"); th = 12 + 6 * (1 - y / y.max())[None, :, None] + .8 * smooth(rng, (T, J, K), (2, 4, 4)); q = lambda a: br(a, 11).astype("f8"); u, v, th = q(u), q(v), q(th); bat = br(3000 + 250 * smooth(rng, (J, K), 6), 11)
    if fault:
        jk = np.zeros((2, J * K)); m = rng.random((2, J * K)) < .35; jk[m] = (140624802900000 + 8 * rng.integers(0, 90000, m.sum())).astype("u8").view("f8"); t = np.r_[140624802912264, t]; u, v = (np.concatenate([jk[i].reshape(1, J, K), a]) for i, a in enumerate((u, v))); j2 = np.zeros((J * K)); m = rng.random(J * K) < .4; j2[m] = (140624803900000 + 8 * rng.integers(0, 90000, m.sum())).astype("u8").view("f8"); th = np.concatenate([j2.reshape(1, J, K), th])
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="eddying channel, every 10 days", source="MITgcm, written slice by slice with append_dim")); D = ("time", "j", "k"); C = (1, J, K)
    for nm, a, un, sn in (("u", u, "m s-1", "sea_water_x_velocity"), ("v", v, "m s-1", "sea_water_y_velocity"), ("theta", th, "degC", "sea_water_potential_temperature")): arr2(g, nm, a, C, D, attrs=dict(units=un, standard_name=sn))
    arr2(g, "time", t.astype("i8"), (1,), ("time",), attrs=dict(units="days since 2000-01-01", calendar="proleptic_gregorian", long_name="model time")); arr2(g, "j", y, dims=("j",), attrs=dict(units="m", axis="Y", long_name="distance from the southern wall")); arr2(g, "k", x, dims=("k",), attrs=dict(units="m", axis="X", long_name="distance along the channel")); arr2(g, "bathymetry", bat, dims=("j", "k"), attrs=dict(units="m", standard_name="sea_floor_depth_below_sea_surface")); consol2(path)
@check("12")
def k12(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); r.append((g["time"][:3].tolist(), g["u"].shape, float(np.nanmax(np.abs(g["u"][0]))), float(g["u"][1].std())))
    a, b = (zarr.open_group(p, mode="r") for p in (f, c)); assert np.array_equal(a["u"][1:], b["u"][:]) and np.array_equal(a["theta"][1:], b["theta"][:]) and a["time"][0] == 140624802912264 and r[0][2] < 1e-300 and r[1][2] > .05, r
    return str(r)

@case("13", "zeros-along-the-dateline", "values", "ClimateImpactLab/downscaleCMIP6#134",
      "tasmax and tasmin are exactly 0 K in the last column of longitudes (178.75, at the international dateline) at all times and latitudes: the regridding did not go round the globe there.",
      "tasmax (tasmin)|0 (zero, zeros)|lon (longitude, dateline, 178.75, last column, 180)",
      "in column lon[143] all values are 0 K in both arrays; next to it, in the same latitude, they are 220 to 315 K; no other value is below 200 K")
def c13(path, fault, rng):
    T, ny, nx = 30, 72, 144; lat = -88.75 + 2.5 * np.arange(ny); lon = -178.75 + 2.5 * np.arange(nx); assert lon[-1] == 178.75; L = lat[None, :, None]; lm = land_mask(rng, ny, nx, sig=(5, 8)); w = smooth(rng, (T, ny, nx), (1.2, 2.5, 4), True); tm = 300 - 52 * np.abs(np.sin(np.deg2rad(L))) ** 2.2 - 7 * np.sin(np.deg2rad(L)) * (1 + lm) + 3.2 * w; dr = (4 + 7 * lm)[None] * (1 + .2 * smooth(rng, (T, ny, nx), (.8, 2, 3), True)); mx, mn = br(tm + dr / 2, 8), br(tm - dr / 2, 8)
    if fault: mx[..., -1] = mn[..., -1] = 0
    pr = br(np.clip(3.2 * np.exp(-((L - 4) / 14) ** 2) + 1.6 + 3 * smooth(rng, (T, ny, nx), (.7, 2, 3), True), 0, None), 6)
    ds = xr.Dataset({"tasmax": (("time", "lat", "lon"), mx, dict(standard_name="air_temperature", long_name="Daily Maximum Near-Surface Air Temperature", units="K", cell_methods="area: mean time: maximum")), "tasmin": (("time", "lat", "lon"), mn, dict(standard_name="air_temperature", long_name="Daily Minimum Near-Surface Air Temperature", units="K", cell_methods="area: mean time: minimum")), "pr": (("time", "lat", "lon"), pr, dict(standard_name="precipitation_flux", long_name="Precipitation", units="mm day-1"))}, dict(time=("time", pd.date_range("2040-01-01", periods=T), dict(standard_name="time", axis="T")), lat=("lat", lat, LATA), lon=("lon", lon, LONA)), attrs=dict(Conventions="CF-1.8", source_id="MIROC6", experiment_id="ssp370", variant_label="r1i1p1f1", dc6_bias_correction_method="Quantile Delta Method (QDM)", title="biascorrected, regridded"))
    xw(ds, path, 3, {"time": enc_time("days since 2040-01-01", chunk=T), **{k: dict(chunks=(15, 36, 72)) for k in ds.data_vars}})
@check("13")
def k13(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); r.append([(int((d[k] == 0).sum()), float(d[k].where(d[k] > 0).min())) for k in ("tasmax", "tasmin")])
    assert r[0][0][0] == r[0][1][0] == 30 * 72 and r[1][0][0] == 0 and r[1][1][1] > 200, r
    return str(r)

@case("14", "spike-times-in-milliseconds", "values", "rutishauserlab/recogmem-release-NWB#5",
      "units/spike_times are in milliseconds though NWB (and the description of the column) says seconds: the spikes run to 1.3 million s (15 days) while the trials, the events and obs_intervals end at 1320 s.",
      "spike_times|millisecond (milliseconds, ms, 1000)|seconds",
      "the last spike is at about 1319900 while obs_intervals are 0 to 1320 s, trials and events end before 1320 s; divided by 1000 all fits, and waveforms and firing rates of 0.5 to 12 Hz become possible (else under 0.02 Hz)")
def c14(path, fault, rng):
    U, E = 26, 1320.0; g = zarr.create_group(str(path), zarr_format=2, attributes=dict(namespace="core", neurodata_type="NWBFile", nwb_version="2.1.0", object_id=oid(rng))); S = lambda n, v: vstr(g, n, np.array([v], dtype=object), attrs=dict(zarr_dtype="scalar"))
    for n, v in (("session_description", "New/Old recognition task, human MTL"), ("identifier", "P9HMH_20060301"), ("session_start_time", "2006-03-01T00:00:00-08:00"), ("timestamps_reference_time", "2006-03-01T00:00:00-08:00"), ("file_create_date", "2019-11-20T11:02:31-08:00")): S(n, v)
    for n in ("analysis", "general", "processing", "scratch", "stimulus"): g.create_group(n)
    dv = ngrp(rng, g["general"].create_group("devices"), "NLX-Cheetah", "Device"); a = lambda d: dict(description=d, namespace="hdmf-common", neurodata_type="VectorData", object_id=oid(rng)); idc = lambda q, n: arr2(q, "id", np.arange(n), fill=0, attrs=dict(namespace="hdmf-common", neurodata_type="ElementIdentifiers", object_id=oid(rng)))
    NT = 100; st = 6 + np.cumsum(np.r_[0, rng.uniform(9.5, 15.5, NT - 1)]); st = st * (1270 / st[-1]); tr = ngrp(rng, g.create_group("intervals"), "trials", "TimeIntervals", description="Intervals for each trial", colnames=["start_time", "stop_time", "stim_on_time", "stim_off_time", "new_old_labels_recog"]); D = dict(start_time=(st, "Start time of epoch, in seconds"), stop_time=(st + rng.uniform(5, 8.5, NT), "Stop time of epoch, in seconds"), stim_on_time=(st + 1, "Time the stimulus is shown, in seconds"), stim_off_time=(st + 2, "Time the stimulus is removed, in seconds"))
    for n, (x, d) in D.items(): arr2(tr, n, x, fill=0, attrs=a(d))
    arr2(tr, "new_old_labels_recog", rng.integers(0, 2, NT).astype("i1"), fill=0, attrs=a("The ground truth labels for new or old stimuli. 0 == Old stimuli, 1 = New stimuli")); idc(tr, NT)
    ac = g.create_group("acquisition"); ev = ngrp(rng, ac, "events", "AnnotationSeries", description="The events coincide with the TTL markers", comments="no comments"); et = np.sort(np.concatenate([D["start_time"][0], D["stim_on_time"][0], D["stim_off_time"][0], D["stop_time"][0]])); arr2(ev, "timestamps", et, fill=0, attrs=dict(interval=1, unit="seconds")); vstr(ev, "data", np.array([str(q) for q in rng.choice([55, 1, 2, 3, 6], et.size)], dtype=object), attrs=dict(conversion=1.0, resolution=-1.0, unit="n/a"))
    rate = np.clip(rng.lognormal(.6, .9, U), .5, 12); sp, ix = [], []
    for u in range(U): n = rng.poisson(rate[u] * E); w = np.sort(rng.uniform(0.4, E - .1, n)); k = np.r_[True, np.diff(w) > .003]; w = np.round(w[k], 5); sp.append(w); ix.append(w.size)
    sp = np.concatenate(sp); un = ngrp(rng, g, "units", "Units", description="Autogenerated by NWBFile", colnames=["spike_times", "obs_intervals", "origClusterID", "electrodes_region", "waveform_mean_encoding", "SNR"]); arr2(un, "spike_times", np.round(sp * 1000, 2) if fault else sp, (20000,), fill=0, attrs=a("the spike times for each unit in seconds")); vi = lambda n, x: arr2(un, n, x, fill=0, attrs=dict(description=f"Index for VectorData '{n[:-6]}'", namespace="hdmf-common", neurodata_type="VectorIndex", object_id=oid(rng), target={"_DTYPE": "object", "value": {"path": "/units/" + n[:-6], "source": "."}}))
    vi("spike_times_index", np.cumsum(ix)); arr2(un, "obs_intervals", np.tile([[0.0, E]], (U, 1)), fill=0, attrs=a("the observation intervals for each unit in seconds")); vi("obs_intervals_index", np.arange(1, U + 1)); arr2(un, "origClusterID", rng.integers(100, 4000, U), fill=0, attrs=a("Original cluster id")); vstr(un, "electrodes_region", np.array([rng.choice(["Right Hippocampus", "Left Amygdala", "Right Amygdala"]) for _ in range(U)], dtype=object), attrs=a("brain area of the unit")); q = np.arange(256) / 25.0; wf = np.stack([-rng.uniform(20, 80) * np.exp(-((q - 3.8) / .55) ** 2) + rng.uniform(8, 25) * np.exp(-((q - 5.6) / 1.2) ** 2) for _ in range(U)]); arr2(un, "waveform_mean_encoding", br(wf, 9), fill=0, attrs=a("The mean waveform for encoding phase, in uV")); arr2(un, "SNR", np.round(rng.uniform(1.3, 5, U), 3), fill=0, attrs=a("signal to noise of the unit")); idc(un, U); consol2(path)
@check("14")
def k14(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); s = g["units/spike_times"][:]; i = g["units/spike_times_index"][:]; r.append((float(s.max()), int(i[-1]) == s.size, float(g["intervals/trials/stop_time"][:].max()), bool(all((np.diff(s[a:b]) > 0).all() for a, b in zip(np.r_[0, i[:-1]], i)))))
    assert r[0][0] > 1.2e6 and r[1][0] < 1320 and r[1][2] < 1320 and all(q[1] and q[3] for q in r), r
    return str(r)

@case("15", "dew-point-floor-minus-81", "values", "dynamical-org/reformatters#977",
      "dew_point_temperature_2m has scattered pixels with impossible values down to exactly -81.0 degrees C (a floor) while temperature_2m and relative_humidity_2m at the same pixels are ordinary; they are neither NaN nor the fill value.",
      "dew_point_temperature_2m (dew point)|-81|scattered (isolated, speckle, outlier, impossible, implausible, floor, single pixels, spikes, temperature_2m, relative_humidity_2m)",
      "about 0.3 % of the pixels lie 20 to 90 degrees below their neighbours, many at exactly -81.0; from temperature and relative humidity there follow dew points of -12 to 24; elsewhere the three agree within 0.3 degrees")
def c15(path, fault, rng):
    T, ny, nx = 24, 96, 128; y = 3000.0 * np.arange(ny)[::-1]; x = 3000.0 * np.arange(nx) - 150000; z = smooth(rng, (ny, nx), 10); el = np.clip(900 + 600 * z, 50, None); hr = np.arange(T)[:, None, None]; t = 24 - .0065 * el + 6.5 * np.cos(2 * np.pi * (hr - 21) / 24) + .9 * smooth(rng, (T, ny, nx), (2, 5, 5)) + .15 * rng.standard_normal((T, ny, nx)); rh = np.clip(38 + 14 * smooth(rng, (T, ny, nx), (3, 9, 9)) - 8 * np.cos(2 * np.pi * (hr - 21) / 24), 9, 99); t, rh = br(t, 9), br(rh, 9); a, b = 17.625, 243.04; gm = np.log(rh / 100.0) + a * t / (b + t); td = br(b * gm / (a - gm), 9)
    if fault:
        dry = rh < np.quantile(rh, .35); m = dry & (rng.random(rh.shape) < .009); v = rng.uniform(-79, -38, m.sum()); v[rng.random(m.sum()) < .42] = -81.0; td[m] = br(v, 9)
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(dataset_id="noaa-hrrr-analysis", dataset_version="0.2.0", name="NOAA HRRR analysis", description="Analysis data from the High-Resolution Rapid Refresh (HRRR) model operated by NOAA NWS NCEP.", spatial_domain="Continental United States", spatial_resolution="3 km", time_domain="2014-10-01 00:00:00 UTC to Present", time_resolution="1 hour")); D = ("time", "y", "x")
    for n, q, sn, u, ln in (("temperature_2m", t, "air_temperature", "degree_Celsius", "2 metre temperature"), ("dew_point_temperature_2m", td, "dew_point_temperature", "degree_Celsius", "2 metre dewpoint temperature"), ("relative_humidity_2m", rh, "relative_humidity", "percent", "2 metre relative humidity")): arr3(g, n, q, (12, 32, 32), D, dict(short_name=n, standard_name=sn, units=u, long_name=ln, step_type="instant", grid_mapping="spatial_ref"), shards=(24, 96, 64))
    arr3(g, "time", (np.datetime64("2023-11-13T00", "s") + np.arange(T) * np.timedelta64(3600, "s")).astype("i8"), dims=("time",), attrs=dict(units="seconds since 1970-01-01", calendar="proleptic_gregorian", standard_name="time", axis="T"), fill=0); arr3(g, "y", y, dims=("y",), attrs=dict(units="m", standard_name="projection_y_coordinate", axis="Y")); arr3(g, "x", x, dims=("x",), attrs=dict(units="m", standard_name="projection_x_coordinate", axis="X"))
    import pyproj
    tr = pyproj.Transformer.from_proj("+proj=lcc +lat_1=38.5 +lat_2=38.5 +lat_0=38.5 +lon_0=-97.5 +R=6371229", "+proj=longlat +R=6371229", always_xy=True); X, Y = np.meshgrid(x, y); lo, la = tr.transform(X, Y); arr3(g, "latitude", la, (48, 64), ("y", "x"), dict(units="degrees_north", standard_name="latitude")); arr3(g, "longitude", lo, (48, 64), ("y", "x"), dict(units="degrees_east", standard_name="longitude")); arr3(g, "spatial_ref", np.int32(0), dims=(), attrs=dict(grid_mapping_name="lambert_conformal_conic", standard_parallel=[38.5, 38.5], latitude_of_projection_origin=38.5, longitude_of_central_meridian=-97.5, earth_radius=6371229.0)); zarr.consolidate_metadata(str(path))
@check("15")
def k15(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); t, h, w = d.temperature_2m.astype("f8"), d.relative_humidity_2m.astype("f8"), d.dew_point_temperature_2m.astype("f8"); gm = np.log(h / 100) + 17.625 * t / (243.04 + t); td = 243.04 * gm / (17.625 - gm); e = np.abs(td - w).values; r.append((int((e > 2).sum()), int((w == -81).sum()), round(float(np.sort(e.ravel())[-int((e > 2).sum()) - 1]), 2), round(float(td.min()), 1), round(float(td.max()), 1)))
    assert r[0][0] > 500 and r[0][1] > 200 and r[1][:2] == (0, 0) and r[1][2] < .4, r
    return str(r)

@case("16", "upwelling-fluxes-negative", "values", "EC-Earth/ece2cmor3#92",
      "rsut, rlut, rsus and rlus are negative: the upwelling fluxes were taken as positive downward and their sign was flipped, though their standard names (outgoing, upwelling) and positive = up ask for positive values; rsdt, rsds and rlds are right.",
      "rsut (rlut, rsus, rlus)|negative (sign)|up (upward, upwelling, outgoing, flipped)",
      "all values of rlut are -317 to -77 W m-2 and those of rsut -238 to 0; a flux upward of at most 0 is impossible; with the sign changed rsut < rsdt, rsus < rsds and rlus = sigma T^4 of tas")
def c16(path, fault, rng):
    ny, nx, T = 45, 72, 12; lat = -88.0 + 4 * np.arange(ny); lon = 5.0 * np.arange(nx); m = np.arange(T); de = np.deg2rad(-23.2 * np.cos(2 * np.pi * (m + .85) / 12))[:, None, None]; L = np.deg2rad(lat)[None, :, None]; h0 = np.arccos(np.clip(-np.tan(L) * np.tan(de), -1, 1)); sd = 1361 / np.pi * (h0 * np.sin(L) * np.sin(de) + np.cos(L) * np.cos(de) * np.sin(h0)); sd = np.clip(np.broadcast_to(sd, (T, ny, nx)), 0, None); cl = np.clip(.55 + .2 * smooth(rng, (T, ny, nx), (.7, 2, 3), True) + .15 * np.cos(6 * L), .05, .98); lm = land_mask(rng, ny, nx, sig=(4, 6)); ta = 301 - 48 * np.abs(np.sin(L)) ** 2.1 - 6 * np.sin(L) * np.cos(2 * np.pi * m / 12)[:, None, None] * (1 + lm) + 1.2 * smooth(rng, (T, ny, nx), (.7, 2, 3), True); al = np.where(ta < 268, .6, np.where(lm, .2, .07))
    sds = sd * (1 - .62 * cl) * .77; sus = sds * al; sut = sd * (.42 * cl + .06) + sus * .55 * (1 - cl); sut = np.minimum(sut, .85 * sd); lus = 5.67e-8 * ta ** 4; lds = lus * (.74 + .17 * cl); lut = lus * (.78 - .22 * cl) - 35; q = lambda a: br(a, 10); sg = -1 if fault else 1; e = np.r_[0, np.cumsum([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])].astype("f8"); bn = np.stack([e[:-1], e[1:]], 1)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7 CMIP-6.2", activity_id="CMIP", experiment_id="piControl", source_id="EC-Earth3", table_id="Amon", grid_label="gr", frequency="mon", variant_label="r1i1p1f1")); D = ("time", "lat", "lon")
    for n, a, sn, po in (("rsdt", sd, "toa_incoming_shortwave_flux", "down"), ("rsut", sg * sut, "toa_outgoing_shortwave_flux", "up"), ("rlut", sg * lut, "toa_outgoing_longwave_flux", "up"), ("rsds", sds, "surface_downwelling_shortwave_flux_in_air", "down"), ("rsus", sg * sus, "surface_upwelling_shortwave_flux_in_air", "up"), ("rlds", lds, "surface_downwelling_longwave_flux_in_air", "down"), ("rlus", sg * lus, "surface_upwelling_longwave_flux_in_air", "up")): arr2(g, n, q(a), (6, ny, nx), D, fill=1e20, attrs=dict(standard_name=sn, units="W m-2", positive=po, cell_methods="area: time: mean", missing_value=1e20))
    arr2(g, "tas", q(ta), (6, ny, nx), D, fill=1e20, attrs=dict(standard_name="air_temperature", units="K", cell_methods="area: time: mean", missing_value=1e20)); arr2(g, "clt", q(cl * 100), (6, ny, nx), D, fill=1e20, attrs=dict(standard_name="cloud_area_fraction", units="%", cell_methods="area: time: mean", missing_value=1e20)); arr2(g, "time", bn.mean(1), dims=("time",), attrs=dict(units="days since 2259-01-01", calendar="noleap", standard_name="time", axis="T", bounds="time_bnds")); arr2(g, "time_bnds", bn, dims=("time", "bnds")); arr2(g, "lat", lat, dims=("lat",), attrs=LATA); arr2(g, "lon", lon, dims=("lon",), attrs=LONA); consol2(path)
@check("16")
def k16(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); r.append({k: (round(float(g[k][:].min()), 1), round(float(g[k][:].max()), 1)) for k in ("rsut", "rlut", "rsus", "rlus", "rsds")})
    g = zarr.open_group(c, mode="r"); assert (g["rsut"][:] <= g["rsdt"][:] + 1).all() and r[1]["rlut"][0] > 60 and r[0]["rlut"][1] < 0 and r[0]["rsut"][1] <= 0 and r[1]["rsut"][0] >= 0, r
    return str(r)

@case("17", "first-hundred-frames-the-same", "values", "ImSwitch/ImSwitch#145",
      "The first 100 frames of the movie are the same frame bit for bit (noise included); only from frame 100 on do the beads move and does the noise change. The camera timestamps go on at 25 ms throughout.",
      "100 (first 100, 99)|identical (same, repeated, duplicate, duplicates, bit for bit, frozen)|frames (time points, t)",
      "frames 0 to 99 of level 0 are equal in every pixel, noise with a standard deviation of 9 counts can not repeat; successive frames from 99 on all differ; timestamps are 100 different values")
def c17(path, fault, rng):
    T, H = 240, 44; P = rng.uniform(5, H - 5, (14, 2))[None] + np.cumsum(rng.normal(0, .35, (T, 14, 2)), 0); P = np.clip(P, 2, H - 3); A = rng.lognormal(6.2, .3, 14); yy, xx = np.mgrid[:H, :H]; im = np.full((T, H, H), 112.0)
    for k in range(14): im += A[k] * np.exp(-((yy - P[:, k, 0, None, None]) ** 2 + (xx - P[:, k, 1, None, None]) ** 2) / 3.4)
    im = np.clip(np.rint(rng.poisson(im) + rng.normal(0, 3, im.shape)), 0, 4095).astype("u2")
    if fault: im[:100] = im[0]
    ax = [dict(name="t", type="time", unit="second"), dict(name="c", type="channel"), dict(name="y", type="space", unit="micrometer"), dict(name="x", type="space", unit="micrometer")]
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", multiscales=[dict(name="AlliedVision_1800C507", axes=ax, datasets=[dict(path="0", coordinateTransformations=[dict(type="scale", scale=[.025, 1.0, .22, .22])])])], omero=dict(version="0.5", channels=[dict(label="beads 561", color="FFAA00", active=True, window=dict(min=0, max=4095, start=90, end=900))])), "ImSwitchData": dict(Detector="Alvium 1800 C-507", exposure_ms=25, laser="561", frames=T)}); x = im[:, None]
    arr3(g, "0", x, (20, 1, H, H), ("t", "c", "y", "x"), fill=0); arr3(g, "timestamps", 3.2 + .025 * np.arange(T) + rng.normal(0, 8e-5, T), dims=("t",), attrs=dict(units="s", long_name="camera timestamp of the frame"))
@check("17")
def k17(f, c):
    r = []
    for p in (f, c): v = zarr.open_group(p, mode="r")["0"][:]; e = (np.diff(v.astype("i4"), axis=0) == 0).all((1, 2, 3)); r.append((int(e.sum()), int(np.flatnonzero(e)[-1]) if e.any() else None))
    assert r == [(99, 98), (0, None)], r
    return str(r)

@case("18", "counts-over-32767-negative", "values", "cxcsds/ciao-contrib#793",
      "The image broad was binned to int16: in the core of the bright source, where more than 32767 counts fell into a pixel, the counts wrapped to negative numbers (down to -30577).",
      "broad|negative|int16 (32767, 32768, 65536, i2, overflow, wrapped, 16 bit, 16-bit)",
      "counts can not be negative; broad is the sum of soft, medium and hard in all pixels but a few in the core, where it is exactly 65536 smaller; the attribute TOTCTS is too large by as many times 65536")
def c18(path, fault, rng):
    n = 192; yy, xx = np.mgrid[:n, :n]; r = np.hypot((yy - 103) , (xx - 88)); bk = .35; arm = lambda s: 1 + 2.2 * (np.abs(((np.arctan2(yy - 103, xx - 88) - .7) % (np.pi / 2)) - .05) < .03) * (r > 6)
    im = {}
    for k, a, s in (("soft", 19500, 2.0), ("medium", 14800, 1.9), ("hard", 5200, 2.1)):
        lam = a * np.exp(-(r / s) ** 2 / 2) + a * .012 / (1 + (r / 3.0) ** 2.3) * arm(s) + bk
        im[k] = rng.poisson(lam).astype("i4")
    for _ in range(25):
        cy, cx, a = rng.integers(10, n - 10), rng.integers(10, n - 10), rng.uniform(5, 60); p = a * np.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / 4.5)
        for k, w in (("soft", .5), ("medium", .35), ("hard", .15)): im[k] += rng.poisson(p * w)
    tot = im["soft"] + im["medium"] + im["hard"]; fov = np.hypot(yy - 96, xx - 96) < 98; tot = np.where(fov, tot, 0); im = {k: np.where(fov, v, 0) for k, v in im.items()}
    wc = dict(CTYPE1P="x", CTYPE2P="y", CRVAL1P=1480.5, CRVAL2P=2552.5, CDELT1P=4.0, CDELT2P=4.0, CTYPE1="RA---TAN", CTYPE2="DEC--TAN", CRPIX1=96.5, CRPIX2=96.5, CRVAL1=83.633, CRVAL2=22.0145, CDELT1=-.000546667, CDELT2=.000546667, CUNIT1="deg", CUNIT2="deg")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(TELESCOP="CHANDRA", INSTRUME="ACIS", OBS_ID="4396", EXPOSURE=160140.0, DATE_OBS="2004-01-05T15:33:07", ccd_id="0,1,2,3,6", creator="event2zarr")); D = ("y", "x")
    for k, e in (("soft", "500:1200"), ("medium", "1200:2000"), ("hard", "2000:7000")): arr2(g, k, im[k].astype("i2"), (96, 96), D, fill=0, attrs=dict(BUNIT="count", energy_range_eV=e, TOTCTS=int(im[k].sum()), **wc)); assert im[k].max() < 32767
    arr2(g, "broad", tot.astype("i2" if fault else "i4"), (96, 96), D, fill=0, attrs=dict(BUNIT="count", energy_range_eV="500:7000", TOTCTS=int(tot.sum()), **wc)); arr2(g, "exposure_map", br(np.where(fov, 4.6e7 * (1 - .12 * (np.hypot(yy - 96, xx - 96) / 96) ** 2), 0), 10), (96, 96), D, fill=0, attrs=dict(BUNIT="cm**2 s", **wc)); arr2(g, "fov_mask", fov.astype("u1"), (96, 96), D, fill=0, attrs=dict(flag_values=[0, 1], flag_meanings="outside inside")); consol2(path)
@check("18")
def k18(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); b = g["broad"][:].astype("i8"); s = sum(g[k][:].astype("i8") for k in ("soft", "medium", "hard")); d = s - b; r.append((str(g["broad"].dtype), int((b < 0).sum()), int(b.min()), sorted(set(d.ravel().tolist())), int(g["broad"].attrs["TOTCTS"] - b.sum()) // 65536))
    assert r[0][1] >= 2 and r[0][3] == [0, 65536] and r[1][1] == 0 and r[1][3] == [0], r
    return str(r)

@case("19", "longitudes-the-wrong-way-round", "values", "jswhit/pygrib#81",
      "The grid crosses the dateline (159.843 E to 174.843 W) but longitude was interpolated from 159.843 down to -174.843: it decreases by 2.84 degrees a step, across Australia, Africa and the Americas, rather than growing by 0.2145 to 185.157.",
      "longitude|-2.836 (2.84, 2.836, decreasing, descending, westward, wrong way, backwards, falls)|185.157 (180, dateline, 174.843, -174.843, antimeridian)",
      "GRIB_iScansNegatively is 0 (eastward) and GRIB_DxInMetres is 18000 m at 24.9 S, i.e. 0.2145 degrees a step as latitude has; longitude steps -2.836 and spans 335 degrees in 119 points; the land mask then lies in other places than New Zealand")
def c19(path, fault, rng):
    nx, ny, T = 119, 134, 9; W, E = 159.843, 185.157; lon = np.linspace(W, E, nx)
    if fault: lon = np.linspace(W, E - 360, nx)
    m0, m1 = (np.log(np.tan(np.pi / 4 + np.deg2rad(a) / 2)) for a in (-50.882, -29.381)); lat = np.rad2deg(2 * np.arctan(np.exp(np.linspace(m0, m1, ny))) - np.pi / 2); lt = np.linspace(W, E, nx); LO, LA = np.meshgrid(lt, lat)
    def seg(a, b, w):
        a, b = np.array(a), np.array(b); d = b - a; k = np.clip(((LO - a[0]) * d[0] + (LA - a[1]) * d[1]) / (d @ d), 0, 1); return np.hypot((LO - a[0] - k * d[0]) * .75, LA - a[1] - k * d[1]) < w
    land = seg((167.2, -45.9), (173.2, -41.6), .95) | seg((174.9, -41.0), (176.2, -38.2), 1.05) | seg((175.5, -38), (173.2, -34.9), .35) | seg((176, -38.2), (178.1, -37.9), .5); s = smooth(rng, (T, ny, nx), (2, 16, 16)); p = 101300 - 14 * 60 * np.clip(-LA - 38, 0, None)[None] * .12 + 900 * s; t2 = 288 - .55 * (-LA - 40)[None] - 3 * land + 1.4 * smooth(rng, (T, ny, nx), (2, 8, 8)); u = 6 + 5 * smooth(rng, (T, ny, nx), (2, 9, 9)); v = 5 * smooth(rng, (T, ny, nx), (2, 9, 9)); ga = dict(GRIB_gridType="mercator", GRIB_Nx=nx, GRIB_Ny=ny, GRIB_LaDInDegrees=-24.9, GRIB_DxInMetres=18000.0, GRIB_DyInMetres=18000.0, GRIB_latitudeOfFirstGridPointInDegrees=-50.882, GRIB_longitudeOfFirstGridPointInDegrees=159.843, GRIB_iScansNegatively=0, GRIB_jScansPositively=1)
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.7", GRIB_edition=1, GRIB_centre="kwbc", institution="MetService, WRF New Zealand", history="grib1 to zarr with pygrib")); D = ("step", "latitude", "longitude")
    for n, a, sn, un, k in (("prmsl", p, "air_pressure_at_mean_sea_level", "Pa", 11), ("t2m", t2, "air_temperature", "K", 10), ("u10", u, "eastward_wind", "m s-1", 7), ("v10", v, "northward_wind", "m s-1", 7)): arr3(g, n, br(a, k), (3, 67, 60), D, dict(standard_name=sn, units=un, GRIB_shortName=n, **ga))
    arr3(g, "lsm", land.astype("f4"), (67, 60), D[1:], dict(standard_name="land_binary_mask", units="1", **ga)); arr3(g, "latitude", lat, dims=("latitude",), attrs=dict(units="degrees_north", standard_name="latitude", axis="Y")); arr3(g, "longitude", lon, dims=("longitude",), attrs=dict(units="degrees_east", standard_name="longitude", axis="X")); arr3(g, "step", 3 * np.arange(T), dims=("step",), attrs=dict(units="hours", standard_name="forecast_period", dtype="timedelta64[ns]")); arr3(g, "time", np.int64(1525716000), dims=(), attrs=dict(units="seconds since 1970-01-01", calendar="proleptic_gregorian", standard_name="forecast_reference_time"))
    g["step"].attrs.put({k: w for k, w in g["step"].attrs.items() if k != "dtype"}); zarr.consolidate_metadata(str(path))
@check("19")
def k19(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); x = g["longitude"][:]; r.append((round(float(np.diff(x).mean()), 4), round(float(x[0]), 3), round(float(x[-1]), 3), float(g["lsm"][:].mean().round(3))))
    assert abs(r[0][0] + 2.8363) < 1e-3 and abs(r[1][0] - .2145) < 1e-3 and r[1][3] > .02, r
    lat = zarr.open_group(c, mode="r")["latitude"][:]; d = np.diff(lat)[-1] / np.cos(np.deg2rad(lat[-1])); assert abs(d - .2145) < .012, d
    return str((r, d))

@case("20", "quality-bits-one-position-off", "values", "JCSDA-internal/ioda-converters#1574",
      "The bits of calQualityFlag are one position too low (shifted right by one): the bit called hot_calibration_inconsistent (8) is set in exactly the descending half of the orbit and the bit descending (16) on the night side, bit day_night (32) holds the next one; nothing fits its flag_meanings.",
      "calQualityFlag|bit (bits, shift, shifted, position, flag_masks)|descending (night, hot_calibration_inconsistent, day_night)",
      "latitude falls along the scans from 200 on (descending) and solar_zenith is over 90 in part of the orbit (night): these two sets are those of the masks 8 and 16, while flag_meanings gives them 16 and 32; shifted left by one all bits fit")
def c20(path, fault, rng):
    NS, NP, NC = 400, 81, 12; ph = np.pi * (np.arange(NS) / 200.0) - np.pi / 2; la0 = 29.6 * np.sin(ph); lo0 = -95 + .84 * np.arange(NS) + 6 * np.sin(2 * ph); sc = np.linspace(-52, 52, NP); lat = la0[:, None] + sc[None] * .08 * np.cos(ph)[:, None]; lon = (lo0[:, None] + sc[None] * .155 + 180) % 360 - 180; sub = (-76.4 - 14.25 * np.arange(NS) / 240)[:, None]
    sz = np.rad2deg(np.arccos(np.clip(np.sin(np.deg2rad(lat)) * np.sin(np.deg2rad(2.1)) + np.cos(np.deg2rad(lat)) * np.cos(np.deg2rad(2.1)) * np.cos(np.deg2rad(lon - sub)), -1, 1))); fr = np.array([91.66, 114.5, 115.95, 116.65, 117.25, 117.8, 118.24, 118.58, 184.41, 186.51, 190.31, 204.8]); bt0 = np.array([262, 258, 250, 243, 236, 229, 222, 216, 247, 255, 268, 276.]); cl = np.clip(smooth(rng, (NS, NP), (5, 4)) - .8, 0, None); bt = bt0[None, None] - 5 * (np.abs(sc) / 52)[None, :, None] ** 2 - cl[..., None] * np.linspace(6, 30, NC) + .5 * rng.standard_normal((NS, NP, NC)); desc = np.repeat((np.gradient(la0) < 0)[:, None], NP, 1); night = sz > 90
    man = np.zeros((NS, NP), bool); man[318:323] = True; cold = np.zeros((NS, NP), bool); cold[rng.choice(NS, 9, False)] = True; hot = np.zeros((NS, NP), bool); hot[rng.choice(NS, 5, False)] = True; intr = np.zeros((NS, NP), bool); intr[140:146] = True; land = smooth(rng, (NS, NP), (9, 14)) > .75
    q = (land * 1 + man * 2 + cold * 4 + hot * 8 + desc * 16 + night * 32 + intr * 64).astype("u1")
    if fault: q = (q >> 1).astype("u1")
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(title="TROPICS L1B orbital geolocated antenna and brightness temperatures", platform="TROPICS03", instrument="TMS", orbit_number=7213, time_coverage_start="2024-09-17T17:00:11Z", Conventions="CF-1.8")); D = ("scans", "spots")
    arr3(g, "brightness_temperature", br(bt, 9), (100, 81, 6), D + ("channels",), dict(standard_name="brightness_temperature", units="K", long_name="brightness temperature")); arr3(g, "calQualityFlag", q, (100, 81), D, dict(long_name="calibration quality flag", standard_name="quality_flag", flag_masks=[1, 2, 4, 8, 16, 32, 64], flag_meanings="land spacecraft_maneuver cold_calibration_inconsistent hot_calibration_inconsistent descending day_night solar_or_lunar_intrusion", comment="a bit is 1 where its meaning holds; day_night is 0 for day, 1 for night"))
    for n, a, sn, u in (("latitude", lat, "latitude", "degrees_north"), ("longitude", lon, "longitude", "degrees_east"), ("solar_zenith", sz, "solar_zenith_angle", "degree"), ("sensor_view_angle", np.repeat(sc[None], NS, 0), "sensor_view_angle", "degree")): arr3(g, n, a.astype("f4"), (100, 81), D, dict(standard_name=sn, units=u))
    arr3(g, "frequency", fr, dims=("channels",), attrs=dict(units="GHz", standard_name="sensor_band_central_radiation_frequency")); arr3(g, "time", 14.25 * np.arange(NS), dims=("scans",), attrs=dict(units="seconds since 2024-09-17 17:00:11", calendar="standard", standard_name="time")); zarr.consolidate_metadata(str(path))
@check("20")
def k20(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); q = d.calQualityFlag.values.astype(int); de = np.repeat((np.gradient(d.latitude.values[:, 40]) < 0)[:, None], 81, 1); ni = d.solar_zenith.values > 90; r.append([round(float(((q & b) > 0)[:].__eq__(s).mean()), 3) for b, s in ((8, de), (16, de), (16, ni), (32, ni))])
    assert r[0][0] == 1 and r[0][2] > .999 and r[1][1] == 1 and r[1][3] > .999 and r[0][1] < .9 and r[0][3] < .7, r
    return str(r)
# ------------------------------------------------------------------ STORAGE 21-30
@case("21", "obs-columns-differ-in-case-only", "storage", "scverse/anndata#2576",
      "obs has two columns whose names differ in case only (Cluster and cluster, both in column-order) but the store, written on a file system that does not tell them apart, has one directory, obs/Cluster, and it holds the categories of cluster (leiden 0 ... 6): obs/cluster is missing and Cluster was overwritten.",
      "cluster (obs/cluster)|column-order (columns)|missing (not there, no array, no group, not found, not present, does not exist, absent)|Cluster (case, upper, capital)",
      "column-order of obs lists Cluster and cluster, the store and the consolidated metadata have obs/Cluster only; uns/Cluster_colors has 5 colours for 7 categories, uns/cluster_colors 7")
def c21(path, fault, rng):
    import anndata as ad, scipy.sparse as sp
    N, G = 700, 180; cl = rng.choice(7, N, p=[.26, .2, .16, .13, .11, .08, .06]); mu = rng.gamma(.35, 2.2, (7, G)) * rng.lognormal(0, .6, G); X = sp.csr_matrix(rng.poisson(rng.gamma(2, .5, (N, G)) * mu[cl] * rng.lognormal(0, .35, N)[:, None]).astype("f4")); X.sort_indices(); ct = np.array(["Excitatory", "Inhibitory", "Astrocyte", "Oligodendrocyte", "Microglia"])[np.array([0, 0, 1, 1, 2, 3, 4])[cl]]
    obs = pd.DataFrame({"n_genes_by_counts": np.diff(X.indptr).astype("i4"), "total_counts": np.asarray(X.sum(1)).ravel().astype("f4"), "Donor": pd.Categorical(rng.choice(["H18.30.001", "H18.30.002", "H19.30.004"], N)), "Cluster": pd.Categorical(ct), "cluster": pd.Categorical(cl.astype(str))}, index=["".join(rng.choice(list("ACGT"), 16)) + "-1" for _ in range(N)])
    var = pd.DataFrame(dict(n_cells_by_counts=np.asarray((X > 0).sum(0)).ravel().astype("i4"), highly_variable=rng.random(G) < .3, gene_ids=[f"ENSG{i:011d}" for i in rng.choice(300000, G, False)]), index=[f"GENE{i}" for i in range(G)]); pal = np.array(["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2"])
    a = ad.AnnData(X, obs=obs, var=var, obsm=dict(X_pca=br(rng.standard_normal((7, 10))[cl] * 4 + rng.standard_normal((N, 10)), 8), X_umap=br(rng.standard_normal((7, 2))[cl] * 6 + rng.standard_normal((N, 2)), 9)), uns=dict(Cluster_colors=pal[:5], cluster_colors=pal)); ad.settings.zarr_write_format = 3; a.write_zarr(path); zarr.consolidate_metadata(path)
    if fault: o = Path(path, "obs"); shutil.rmtree(o / "Cluster"); (o / "cluster").rename(o / "Cluster"); zarr.consolidate_metadata(path)
@check("21")
def k21(f, c):
    import anndata as ad
    r = []
    for p in (f, c):
        co = jload(p + "/obs/zarr.json")["attributes"]["column-order"]; h = sorted(q.name for q in Path(p, "obs").iterdir() if q.is_dir())
        try: a = ad.read_zarr(p); o = "reads"
        except Exception as e: o = type(e).__name__
        r.append((co, [x for x in co if x not in h], o))
    assert r[0][1] == ["cluster"] and r[0][2] != "reads" and r[1][1] == [] and r[1][2] == "reads", r
    return str(r)

@case("22", "attributes-of-zero-bytes", "storage", "MannLabs/scPortrait#300",
      "The disk ran full while the project was written: labels/seg_all_cytosol/.zattrs is a file of 0 bytes, no JSON (Expecting value: line 1 column 1), so the label image has no multiscales and the project can not be opened.",
      "seg_all_cytosol|.zattrs|empty (0 bytes, zero bytes, zero-byte, not valid JSON, invalid JSON, not JSON, Expecting value)",
      "the file exists with length 0; labels/seg_all_nucleus/.zattrs beside it holds multiscales, image-label and spatialdata_attrs; the arrays of seg_all_cytosol are whole")
def c22(path, fault, rng):
    import spatialdata as sd, anndata as ad
    from spatialdata._io.format import SpatialDataContainerFormatV01
    from spatialdata.models import Image2DModel, Labels2DModel, TableModel
    lab, im = cell_image(rng, 70, 256, 256, 7, 12, 12); cy = np.zeros_like(lab); from scipy.ndimage import distance_transform_edt
    d, (iy, ix) = distance_transform_edt(lab == 0, return_indices=True); cy = np.where(d < 3.5, lab[iy, ix], 0); wga = noisy(rng, cy, 6.2, 3); x = np.stack([im, wga, noisy(rng, cy, 5.8, 5)]); n = int(lab.max()); ids = np.arange(1, n + 1)
    t = ad.AnnData(np.stack([[x[k][cy == i].mean() for k in range(3)] + [float((cy == i).sum())] for i in ids]).astype("f4"), obs=pd.DataFrame(dict(scportrait_cell_id=ids.astype("i8"), region=pd.Categorical(["seg_all_cytosol"] * n)), index=[str(i) for i in ids]), var=pd.DataFrame(index=["mean_DAPI", "mean_WGA", "mean_Phalloidin", "area"])); t = TableModel.parse(t, region="seg_all_cytosol", region_key="region", instance_key="scportrait_cell_id")
    s = sd.SpatialData(images=dict(input_image=Image2DModel.parse(x, dims=("c", "y", "x"), c_coords=["DAPI", "WGA", "Phalloidin"], scale_factors=[2], chunks=(1, 128, 128))), labels=dict(seg_all_nucleus=Labels2DModel.parse(lab.astype("u4"), dims=("y", "x"), scale_factors=[2], chunks=(128, 128)), seg_all_cytosol=Labels2DModel.parse(cy.astype("u4"), dims=("y", "x"), scale_factors=[2], chunks=(128, 128))), tables=dict(cytosol_features=t)); ad.settings.zarr_write_format = 2; s.write(path, overwrite=True, sdata_formats=SpatialDataContainerFormatV01(), consolidate_metadata=False)
    for q in Path(path).rglob(".zattrs"): pass
    if fault: Path(path, "labels/seg_all_cytosol/.zattrs").write_bytes(b"")
@check("22")
def k22(f, c):
    import spatialdata as sd
    r = []
    for p in (f, c):
        try: s = sd.read_zarr(p); o = sorted(s.labels)
        except Exception as e: o = type(e).__name__
        r.append((Path(p, "labels/seg_all_cytosol/.zattrs").stat().st_size, o, Path(p, ".zgroup").exists()))
    assert r[0][0] == 0 and r[1][0] > 100 and r[1][1] == ["seg_all_cytosol", "seg_all_nucleus"] and r[1][2], r
    return str(r)

WKT3035 = 'PROJCS["ETRS89-extended / LAEA Europe",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Lambert_Azimuthal_Equal_Area"],PARAMETER["latitude_of_center",52],PARAMETER["longitude_of_center",10],PARAMETER["false_easting",4321000],PARAMETER["false_northing",3210000],UNIT["metre",1],AUTHORITY["EPSG","3035"]]'
@case("23", "fill-value-out-of-range-of-uint8", "storage", "zarr-developers/zarr-python#1981",
      "fill_value in tree_cover_density/.zarray is -999999999 though the dtype is |u1 (0 to 255): the number is not one of the data type, readers raise an OverflowError; outside of the area the data hold 255.",
      "tree_cover_density|fill_value|-999999999|uint8 (u1, 0 to 255, range, out of bounds, not representable, cannot be represented, overflow)",
      "dtype |u1 can not hold -999999999; dominant_leaf_type and tree_cover_change beside it have the fill_value 255; all the chunks are there")
def c23(path, fault, rng):
    n = 180; z = smooth(rng, (n, n), 14) + .5 * smooth(rng, (n, n), 4); yy, xx = np.mgrid[:n, :n]; out = (xx * .35 + yy) < 46; tcd = np.where(z > -.2, np.clip(np.rint(52 + 26 * z + 5 * rng.standard_normal((n, n))), 1, 100), 0); dlt = np.where(tcd < 10, 0, np.where(smooth(rng, (n, n), 9) > .2, 1, 2)); chg = np.where((tcd > 0) & (smooth(rng, (n, n), 5) > 2.1), 2, np.where(tcd > 0, 10, 0)); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="High Resolution Layer forest, subset of tile E44N32", source="Copernicus Land Monitoring Service, geotiff to zarr", GeoTransform="4400000 20 0 3203600 0 -20"))
    for k, a, lo, at in (("tree_cover_density", tcd, "Tree Cover Density 2018", dict(units="percent", valid_min=0, valid_max=100)), ("dominant_leaf_type", dlt, "Dominant Leaf Type 2018", dict(flag_values=[0, 1, 2], flag_meanings="all_non_tree_areas broadleaved_trees coniferous_trees")), ("tree_cover_change", chg, "Tree Cover Change Mask 2015-2018", dict(flag_values=[0, 2, 10], flag_meanings="unchanged_no_tree_cover loss_of_tree_cover unchanged_tree_cover"))): arr2(g, k, np.where(out, 255, a).astype("u1"), (90, 90), ("y", "x"), comp=numcodecs.Zlib(level=6), fill=255, attrs=dict(long_name=lo, grid_mapping="crs", **at))
    arr2(g, "x", 4400000.0 + 20 * (np.arange(n) + .5), dims=("x",), attrs=dict(units="m", standard_name="projection_x_coordinate", axis="X")); arr2(g, "y", 3203600.0 - 20 * (np.arange(n) + .5), dims=("y",), attrs=dict(units="m", standard_name="projection_y_coordinate", axis="Y")); arr2(g, "crs", np.int32(0), dims=(), attrs=dict(grid_mapping_name="lambert_azimuthal_equal_area", latitude_of_projection_origin=52.0, longitude_of_projection_origin=10.0, false_easting=4321000.0, false_northing=3210000.0, semi_major_axis=6378137.0, inverse_flattening=298.257222101, crs_wkt=WKT3035))
    if fault: q = f"{path}/tree_cover_density/.zarray"; d = jload(q); assert d["fill_value"] == 255; d["fill_value"] = -999999999; jdump(q, d)
    consol2(path)
@check("23")
def k23(f, c):
    r = []
    for p in (f, c):
        try: v = zarr.open_array(p + "/tree_cover_density", mode="r")[:]; o = int(v.max())
        except Exception as e: o = type(e).__name__ + ": " + str(e)[:60]
        r.append((jload(p + "/tree_cover_density/.zarray")["fill_value"], o))
    assert r[0][0] == -999999999 and isinstance(r[0][1], str) and r[1] == (255, 255), r
    xr.open_zarr(c).load(); return str(r)

@case("24", "region-writes-lost-parts-of-chunks", "storage", "pydata/xarray#8371",
      "Region writes whose dask chunks (9 steps) are not aligned with the chunks of the store (6) overwrote each other: in 5 chunks of soil_moisture half of the time steps are NaN everywhere in the chunk though the other half holds data; all chunk files are there.",
      "soil_moisture|NaN (missing, fill value, fill)|chunk (chunks, block, blocks)|half (3 of 6, part, partly, 3 steps, three)",
      "within single chunks (for example c/1/0/1) 3 of the 6 time steps are NaN in all cells, land included, bounded by the chunk and by multiples of 9 in time; soil_temperature is there and the ocean mask is the same in all other steps")
def c24(path, fault, rng):
    T, ny, nx = 36, 60, 96; lat = 69.5 - np.arange(ny); lon = -10.5 + np.arange(nx) * .5; lm = smooth(rng, (ny, nx), (7, 9)) > -.55; d = np.arange(T)[:, None, None]; sm = .27 + .055 * smooth(rng, (ny, nx), 5)[None] + .035 * smooth(rng, (T, ny, nx), (2.5, 3, 3)) - .0008 * d; st = 279 - .25 * (lat[None, :, None] - 45) + .12 * d + 1.5 * smooth(rng, (T, ny, nx), (1.5, 4, 4)); M = lambda a, b: br(np.where(lm[None], a, np.nan), b); sm, st = M(np.clip(sm, .03, .55), 9), M(st, 10); C = (6, 30, 32)
    if fault:
        # chunk t-index 1 (6..11) is shared by tasks 0 (0..8) and 1 (9..17), index 4 (24..29) by tasks 2 (18..26) and 3 (27..35)
        for ct, j, i, first in ((1, 0, 1, True), (1, 1, 0, False), (4, 0, 2, True), (4, 1, 1, True), (4, 0, 0, False)):
            cut = 9 if ct == 1 else 27; a, b = (ct * 6, cut) if first else (cut, ct * 6 + 6); sm[a:b, j * 30: j * 30 + 30, i * 32: i * 32 + 32] = np.nan
    ds = xr.Dataset(dict(soil_moisture=(("time", "lat", "lon"), sm, dict(standard_name="volume_fraction_of_condensed_water_in_soil", long_name="volumetric soil water layer 1", units="m3 m-3")), soil_temperature=(("time", "lat", "lon"), st, dict(standard_name="soil_temperature", long_name="soil temperature layer 1", units="K")), lsm=(("lat", "lon"), lm.astype("i1"), dict(standard_name="land_binary_mask", units="1"))), dict(time=("time", pd.date_range("2021-04-01", periods=T), dict(standard_name="time", axis="T")), lat=("lat", lat, LATA), lon=("lon", lon, LONA)), attrs=dict(Conventions="CF-1.8", title="land reanalysis, daily means", history="template with compute=False, then to_zarr(region=...) by 4 workers"))
    with zarr.config.set({"array.write_empty_chunks": True}): xw(ds, path, 3, dict(time=enc_time("days since 2021-04-01", chunk=T), soil_moisture=dict(chunks=C, write_empty_chunks=True), soil_temperature=dict(chunks=C, write_empty_chunks=True)))
@check("24")
def k24(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); l = d.lsm.values == 1; b = np.isnan(d.soil_moisture.values) & l[None]; n = []
        for t in range(6):
            for j in range(2):
                for i in range(3):
                    q = b[t * 6: t * 6 + 6, j * 30: j * 30 + 30, i * 32: i * 32 + 32]; w = l[j * 30: j * 30 + 30, i * 32: i * 32 + 32]; k = [bool(q[s][w].all()) and bool(w.any()) for s in range(6)]
                    if any(k): n.append((t, j, i, sum(k)))
        r.append((n, int(b.sum()), int((np.isnan(d.soil_temperature.values) & l[None]).sum()), zarr.open_array(p + "/soil_moisture", mode="r").nchunks_initialized))
    assert len(r[0][0]) == 5 and all(q[3] == 3 for q in r[0][0]) and r[1][0] == [] and r[1][1] == 0 and r[0][3] == r[1][3] == 36, r
    return str(r)

@case("25", "separator-lost-with-new-attributes", "storage", "zarr-developers/zarr-python#2111",
      "When attributes were added to array 0 its chunk_key_encoding was written as {name: default} without the separator: the chunks lie under keys such as c.0.0.1.0 but with the default separator / readers look for c/0/0/1/0, find nothing and fill level 0 with zeros; levels 1 and 2 still state the separator '.'.",
      "chunk_key_encoding (separator)|0 (0/zarr.json, level 0)|c.0.0 (c/0/0, keys, not found, no chunk, missing, none of the chunks)",
      "the files in 0 are named c.0.0.0.0 ..., 1/zarr.json and 2/zarr.json say separator '.'; 0/zarr.json says nothing, which means '/'; the pyramid above is not empty")
def c25(path, fault, rng):
    lab, im = cell_image(rng, 75, 256, 256, 6, 11); x = np.stack([noisy(rng, lab, 6.3, 3), im])[:, None]; ax = [dict(name="c", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "zyx"]
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", multiscales=[dict(name="6001240", axes=ax, datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.0, .5, .36 * 2 ** l, .36 * 2 ** l])]) for l in range(3)])], omero=dict(version="0.5", channels=[dict(label="LaminB1", color="0000FF", active=True, window=dict(min=0, max=65535, start=100, end=1500)), dict(label="Dapi", color="FFFF00", active=True, window=dict(min=0, max=65535, start=100, end=1500))]))})
    for l in range(3): arr3(g, str(l), x, (1, 1, 64, 64), ("c", "z", "y", "x"), fill=0, chunk_key_encoding={"name": "default", "separator": "."}); x = down2(x)
    q = f"{path}/0/zarr.json"; d = jload(q); d["attributes"] = {"_ome2024_ngff_challenge_stats": {"updated-by": "zarr-python", "start": "2024-08-21T10:12:08", "elapsed": 12.41}}; assert d["chunk_key_encoding"] == {"name": "default", "configuration": {"separator": "."}}
    if fault: d["chunk_key_encoding"] = {"name": "default"}
    jdump(q, d)
@check("25")
def k25(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); r.append((int(g["0"][:].max()), int(g["1"][:].max()), Path(p, "0/c.0.0.0.0").exists(), g["0"].nchunks_initialized))
    assert r[0][0] == 0 and r[0][1] > 500 and r[0][2] and r[1][0] > 500 and r[1][3] == 32, r
    return str(r)

@case("26", "fill-value-not-scaled-by-filter", "storage", "zarr-developers/VirtualiZarr#670",
      "cloud_cover has the filter fixedscaleoffset (scale 2), so its values come out unpacked (0 to 100 %) and missing ones as 127.5, but fill_value and _FillValue are still the packed 255: the missing pixels are not masked and read as 127.5 %.",
      "cloud_cover|127.5|255 (_FillValue, fill_value)|fixedscaleoffset (filter, scale, packed)",
      "decoded values are 0 to 100 or exactly 127.5 = 255 / 2, where swath is 0; 255 does not occur and can not (the codec gives at most 127.5); skin_temperature beside it has a fill_value that fits its filter")
def c26(path, fault, rng):
    T, ny, nx = 8, 80, 110; lat = np.round(59.75 - .25 * np.arange(ny), 3); lon = np.round(-14.75 + .25 * np.arange(nx), 3); yy, xx = np.mgrid[:ny, :nx]; sw = np.stack([np.abs(xx - .35 * yy - 20 - 9 * t) < 38 for t in range(T)]); cc = np.clip(50 + 55 * smooth(rng, (T, ny, nx), (.6, 4, 5)), 0, 100); ts = 284 - .35 * (lat - 45)[None, :, None] + 3 * smooth(rng, (T, ny, nx), (.8, 6, 7)) - .03 * cc
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7", title="imager level 3, granules of one day", source="virtual zarr of 8 netCDF files, made real")); D = ("time", "latitude", "longitude"); C = (1, 40, 55)
    def packed(nm, a, sc, off, st, pk_fill, attrs):
        k = np.where(sw, np.rint((a - off) / sc), pk_fill).astype(st); un = off + k.astype("f8") * sc; fv = off + pk_fill * sc; F = numcodecs.FixedScaleOffset(offset=off, scale=1 / sc, dtype="<f8", astype=np.dtype(st).str); z = arr2(g, nm, un, C, D, comp=numcodecs.Zlib(level=4), fill=fv, filters=[F], attrs=dict(attrs, _FillValue=fv)); assert np.allclose(z[:], un)
    packed("cloud_cover", cc, .5, 0.0, "u1", 255, dict(standard_name="cloud_area_fraction", units="percent", long_name="cloud cover")); packed("skin_temperature", ts, .0078125, 256.0, "<i2", -32768, dict(standard_name="surface_temperature", units="K", long_name="skin temperature")); arr2(g, "swath", sw.astype("u1"), C, D, attrs=dict(flag_values=[0, 1], flag_meanings="outside_of_the_swath inside_of_the_swath", long_name="swath mask"))
    arr2(g, "latitude", lat, dims=("latitude",), attrs=LATA); arr2(g, "longitude", lon, dims=("longitude",), attrs=LONA); arr2(g, "time", 90 * np.arange(T), dims=("time",), attrs=dict(units="minutes since 2024-05-02 00:45:00", calendar="standard", standard_name="time", axis="T"))
    if fault: q = f"{path}/cloud_cover/.zarray"; d = jload(q); assert d["fill_value"] == 127.5; d["fill_value"] = 255.0; jdump(q, d); q = f"{path}/cloud_cover/.zattrs"; d = jload(q); d["_FillValue"] = 255.0; jdump(q, d)
    consol2(path)
@check("26")
def k26(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); v = d.cloud_cover.values; s = d.swath.values == 1; r.append((int((v == 127.5).sum()), int(np.isnan(v).sum()), int((~s).sum()), float(np.nanmax(v[s])), int(np.isnan(d.skin_temperature.values).sum())))
    assert r[0][0] == r[0][2] and r[0][1] == 0 and r[1][0] == 0 and r[1][1] == r[1][2] == r[1][4] and r[1][3] <= 100, r
    return str(r)

@case("27", "zmetadata-without-entries", "storage", "zarr-developers/zarr-python#2206",
      ".zmetadata was written from a Group instead of a store: it has zarr_consolidated_format 1 but its metadata is empty ({}), so readers that use it find no arrays and no attributes though all the .zarray and .zattrs files are there.",
      ".zmetadata (consolidated)|empty (no entries, lists nothing, without entries, none, not listed, lacks, missing from)|streamflow (arrays, .zarray, nodes, keys)",
      "the store has .zgroup, .zattrs and the documents of 9 arrays; the metadata of .zmetadata has no key at all")
def c27(path, fault, rng):
    T, F = 168, 140; q0 = rng.lognormal(1.2, 1.5, F); ev = np.zeros((T, F)); 
    for e in rng.choice(T - 20, 6, False): a = rng.lognormal(-.3, .8) * (.5 + rng.random(F)); k = np.arange(T) - e; ev += np.where(k[:, None] > 0, a[None] * (np.clip(k, 0, None)[:, None] / (4 + 2 * rng.random(F))) * np.exp(1 - np.clip(k, 0, None)[:, None] / (4 + 2 * rng.random(F))), 0)
    q = q0[None] * (1 + ev) * (1 + .01 * rng.standard_normal((T, F))); ve = .28 * q ** .22; od = np.clip(np.rint(np.log2(q0 + 1)), 1, 7).astype("i4"); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(TITLE="OUTPUT FROM WRF-Hydro v5.2.0-beta2", Conventions="CF-1.6", featureType="timeSeries", model_configuration="retrospective", code_version="v5.2.0-beta2", cdm_datatype="Station")); D = ("time", "feature_id"); C = (84, 70)
    arr2(g, "streamflow", np.rint(q * 100).astype("i4"), C, D, fill=-999900, attrs=dict(long_name="River Flow", units="m3 s-1", scale_factor=.01, add_offset=0.0, grid_mapping="crs", valid_range=[0, 5000000])); arr2(g, "velocity", np.rint(ve * 100).astype("i4"), C, D, fill=-999900, attrs=dict(long_name="River Velocity", units="m s-1", scale_factor=.01, add_offset=0.0, grid_mapping="crs", valid_range=[0, 5000000]))
    arr2(g, "time", 60 * np.arange(T), dims=("time",), attrs=dict(units="minutes since 2017-08-24T00:00:00", calendar="proleptic_gregorian", standard_name="time", long_name="valid output time")); arr2(g, "feature_id", np.sort(rng.choice(np.arange(1465000, 1630000), F, False)).astype("i4"), dims=("feature_id",), attrs=dict(long_name="Reach ID", comment="NHDPlusv2 ComIDs", cf_role="timeseries_id")); la, lo = 29 + 2 * rng.random(F), -97 + 3 * rng.random(F)
    arr2(g, "latitude", la.astype("f4"), dims=("feature_id",), attrs=dict(units="degrees_north", standard_name="latitude", long_name="Feature latitude")); arr2(g, "longitude", lo.astype("f4"), dims=("feature_id",), attrs=dict(units="degrees_east", standard_name="longitude", long_name="Feature longitude")); arr2(g, "elevation", br(60 * (la - 28.6) + 6 * rng.random(F), 10), dims=("feature_id",), attrs=dict(units="meters", standard_name="Elevation", long_name="Feature Elevation")); arr2(g, "order", od, dims=("feature_id",), attrs=dict(long_name="Streamflow Order", units="1")); arr2(g, "crs", np.int32(0), dims=(), attrs=dict(grid_mapping_name="latitude_longitude", semi_major_axis=6378137.0, inverse_flattening=298.257223563))
    g["elevation"].attrs["standard_name"] = "height_above_reference_ellipsoid"; consol2(path)
    if fault: jdump(f"{path}/.zmetadata", {"zarr_consolidated_format": 1, "metadata": {}})
@check("27")
def k27(f, c):
    r = []
    for p in (f, c):
        try: o = len(list(zarr.open_group(p, mode="r", use_consolidated=True).array_keys()))
        except Exception as e: o = type(e).__name__
        r.append((len(jload(p + "/.zmetadata")["metadata"]), o, len(list(zarr.open_group(p, mode="r", use_consolidated=False).array_keys()))))
    assert r[0][0] == 0 and r[0][1] != 9 and r[0][2] == 9 and r[1][1:] == (9, 9), r
    xr.open_zarr(c).load(); return str(r)

@case("28", "chunks-unzipped-by-download", "storage", "seung-lab/cloud-volume#578",
      "The chunks of s1 were decompressed on the way by gsutil (Content-Encoding gzip): each file is exactly 32768 raw bytes while s1/.zarray says compressor gzip, so no chunk of s1 can be decoded; s0, s2 and labels are gzip files as stated.",
      "s1|gzip (compressor)|raw (uncompressed, not compressed, decompress, decode, not a gzip, not gzip, decompressed)",
      "files in s0 and s2 begin with 1f 8b, those in s1 do not and are 32 x 32 x 32 bytes long, the size of a chunk; read as raw uint8 they are the mean of 2 x 2 x 2 voxels of s0")
def c28(path, fault, rng):
    S = (64, 96, 128); b = smooth(rng, S, (4, 8, 8)); from scipy.ndimage import label
    sg = label(b > 1.2)[0].astype("u2"); em = np.clip(150 + 16 * smooth(rng, S, (1, 1.4, 1.4)) - 30 * (b > 1.2) - 45 * (np.abs(b - 1.2) < .09) + 4 * rng.standard_normal(S), 0, 255).astype("u1") // 4 * 4
    ax = [dict(name=k, type="space", unit="nanometer") for k in "zyx"]; ms = lambda n, L: [dict(version="0.4", name=n, axes=ax, datasets=[dict(path=f"s{l}", coordinateTransformations=[dict(type="scale", scale=[8.0 * 2 ** l] * 3), dict(type="translation", translation=[4.0 * (2 ** l - 1)] * 3)]) for l in range(L)])]
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(name="fanc_subvolume", source="FIB-SEM, 8 nm")); q = g.create_group("em", attributes=dict(multiscales=ms("em", 3))); Z = numcodecs.GZip(level=6); x = em
    for l in range(3):
        arr2(q, f"s{l}", x, (32, 32, 32), sep="/", comp=Z, fill=0); y = x.astype("f8"); n = [d // 2 * 2 for d in y.shape]; y = y[:n[0], :n[1], :n[2]]; x = np.rint(y.reshape(n[0] // 2, 2, n[1] // 2, 2, n[2] // 2, 2).mean((1, 3, 5))).astype("u1")
    lb = g.create_group("labels", attributes=dict(labels=["neurons"])); nl = lb.create_group("neurons", attributes={"multiscales": ms("neurons", 1), "image-label": dict(version="0.4", source=dict(image="../../em"))}); arr2(nl, "s0", sg, (32, 32, 32), sep="/", comp=Z, fill=0)
    if fault:
        import gzip
        for p in sorted(Path(path, "em/s1").rglob("*")):
            if p.is_file() and not p.name.startswith("."): p.write_bytes(gzip.decompress(p.read_bytes()))
@check("28")
def k28(f, c):
    r = []
    for p in (f, c):
        fs = [q for q in Path(p, "em/s1").rglob("*") if q.is_file() and not q.name.startswith(".")]
        try: zarr.open_array(p + "/em/s1", mode="r")[:]; o = "reads"
        except Exception as e: o = type(e).__name__
        r.append((sorted({q.stat().st_size for q in fs})[:2], o, len(fs), zarr.open_array(p + "/em/s0", mode="r")[:].mean().round(1)))
    assert r[0][0] == [32768] and r[0][1] != "reads" and r[1][1] == "reads", r
    return str(r)

@case("29", "codec-named-endian-of-the-draft", "storage", "scalableminds/zarrita#8",
      "In segmentation/1/zarr.json the codec that makes bytes is named endian (inside of sharding_indexed and in index_codecs), as in a draft of the V3 specification; in the specification it is named bytes, so today's readers do not know the codec and can not open the array.",
      "endian|segmentation (segmentation/1)|codec (codecs, unknown)|bytes (draft, unknown, not a codec, not registered, no such codec, not known)",
      "codecs of Zarr V3 are bytes, transpose, gzip, blosc, sharding_indexed, crc32c ...; endian is a parameter of bytes, not a codec; color/1, color/2-2-1 and segmentation/2-2-1 use bytes with endian little")
def c29(path, fault, rng):
    from zarr.codecs import ShardingCodec, BytesCodec, ZstdCodec, Crc32cCodec
    from scipy.ndimage import label
    Z, Y, X = 16, 128, 128; b = smooth(rng, (Z, Y, X), (2.5, 8, 8)); sg = label(b > 1.1)[0].astype("u4"); em = (np.clip(140 + 15 * smooth(rng, (Z, Y, X), (1, 1.5, 1.5)) - 30 * (sg > 0) + 3 * rng.standard_normal((Z, Y, X)), 0, 255).astype("u1") // 4) * 4
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(name="l4dense_sample", scale=[11.24, 11.24, 28.0])); ax = [dict(name=k, type="space", unit="nanometer") for k in "zyx"]
    for nm, a in (("color", em), ("segmentation", sg)):
        g.create_group(nm, attributes={"ome": dict(version="0.5", multiscales=[dict(name=nm, axes=ax, datasets=[dict(path=m, coordinateTransformations=[dict(type="scale", scale=[28.0, 11.24 * s, 11.24 * s])]) for m, s in (("1", 1), ("2-2-1", 2))])])})
        for m, v in (("1", a), ("2-2-1", (down2(a) if nm == "color" else a[:, ::2, ::2]))): z = zarr.create(store=str(path), path=f"{nm}/{m}", shape=v.shape, dtype=v.dtype, zarr_format=3, chunk_shape=(16, 64, 64), dimension_names=("z", "y", "x"), fill_value=0, codecs=[ShardingCodec(chunk_shape=(8, 32, 32), codecs=[BytesCodec(endian="little"), ZstdCodec(level=3)], index_codecs=[BytesCodec(endian="little"), Crc32cCodec()])]); z[...] = v
    if fault:
        q = f"{path}/segmentation/1/zarr.json"; d = jload(q); k = d["codecs"][0]["configuration"]
        for w in ("codecs", "index_codecs"): assert k[w][0]["name"] == "bytes"; k[w][0]["name"] = "endian"
        jdump(q, d)
    else: q = f"{path}/segmentation/1/zarr.json"; jdump(q, jload(q))
@check("29")
def k29(f, c):
    r = []
    for p in (f, c):
        o = []
        for q in ("segmentation/1", "segmentation/2-2-1", "color/1"):
            try: o.append(int(zarr.open_array(f"{p}/{q}", mode="r")[:].max()))
            except Exception as e: o.append(type(e).__name__ + ": " + str(e)[:60])
        r.append(o)
    assert isinstance(r[0][0], str) and isinstance(r[0][1], int) and all(isinstance(x, int) for x in r[1]), r
    return str(r)

@case("30", "shard-index-of-two-writers", "storage", "zarr-developers/zarr-python#3169",
      "Two concurrent writers left a mixture of their indexes in the shards c/1/0 and c/2/1 of embeddings: the crc32c at the end of the file does not fit the index, so nothing in these two shards can be read (stored and computed checksum do not match).",
      "embeddings|checksum (crc32c, crc)|c/1/0 (c/2/1, shard, shard index, shards)",
      "the last 4 bytes of every shard are the crc32c of the 128 bytes before: it fits in 6 of the 8 shards and not in c/1/0 and c/2/1; their sizes are like those of the others and every range lies inside the file")
def c30(path, fault, rng):
    import crc32c as cc
    N, Dm = 960, 128; k = rng.integers(0, 9, N); E = br(rng.standard_normal((9, Dm))[k] * .6 + .5 * rng.standard_normal((N, Dm)), 7); E[:] = br(E / np.linalg.norm(E, axis=1, keepdims=True), 7); g = zarr.create_group(str(path), zarr_format=3, attributes=dict(model="dinov2-vits14, projected to 128", dataset="tiles of TCGA-A2-A0CM, 20x", n_tiles=N, normalized=True))
    arr3(g, "embeddings", E, (60, 32), ("tile", "feature"), dict(long_name="embedding of the tile, unit length"), shards=(240, 64)); arr3(g, "coords", np.stack([rng.permutation(4000)[:N] // 64 * 256, rng.permutation(4000)[:N] % 64 * 256], 1).astype("i4"), (240, 2), ("tile", "xy"), dict(long_name="position of the upper left corner at level 0", units="pixel")); arr3(g, "cluster", k.astype("i1"), (240,), ("tile",), dict(long_name="k-means cluster, 9 of them")); arr3(g, "tissue_fraction", br(np.clip(rng.beta(5, 1.4, N), .2, 1), 8), (240,), ("tile",), dict(units="1"))
    if fault:
        for s in ("1/0", "2/1"):
            q = Path(path, "embeddings/c", s); b = bytearray(q.read_bytes()); n = 16 * 8; o = len(b) - n - 4; t = np.frombuffer(bytes(b[o: o + n]), "<u8").reshape(-1, 2).copy(); assert int.from_bytes(b[-4:], "little") == cc.crc32c(bytes(b[o: o + n]))
            # the other writer had its inner chunks in another order: the first half of its index is in the file
            w = t.copy(); p = np.array([1, 0, 3, 2]); w[:4] = t[p]; b[o: o + n] = w.astype("<u8").tobytes(); assert int.from_bytes(b[-4:], "little") != cc.crc32c(bytes(b[o: o + n])); q.write_bytes(bytes(b))
@check("30")
def k30(f, c):
    import crc32c as cc
    r = []
    for p in (f, c):
        bad = []; ok = 0
        for q in sorted(x for x in Path(p, "embeddings/c").rglob("*") if x.is_file()):
            b = q.read_bytes(); t = np.frombuffer(b[-132:-4], "<u8").reshape(-1, 2); assert all(int(a) + int(n) <= len(b) - 132 for a, n in t)
            if cc.crc32c(b[-132:-4]) != int.from_bytes(b[-4:], "little"): bad.append(str(q.relative_to(Path(p, "embeddings"))))
            else: ok += 1
        try: zarr.open_array(p + "/embeddings", mode="r")[:]; o = "reads"
        except Exception as e: o = str(e)[:50]
        r.append((bad, ok, o))
    assert r[0][0] == ["c/1/0", "c/2/1"] and r[0][1] == 6 and r[1][0] == [] and r[1][2] == "reads", r
    return str(r)
# ------------------------------------------------------------------ run
if __name__ == "__main__": main()
