#!/usr/bin/env python3
"""blind25: 30 faulty Zarr stores with their healthy twins.  Run with /work/venv/bin/python3 blind25.py [NN ...]"""
from drawing import *

@case("01", "valid-time-stop-before-the-data", "relation", "google-research/arco-era5#128",
      "The attribute valid_time_stop_era5t of the store says 2026-02-28 but the data end on 2026-02-25: the metadata were updated before the data were written, from 2026-02-26 on all variables are NaN.",
      "valid_time_stop_era5t (valid_time_stop)|2026-02-28 (02-28)|2026-02-25 (02-26, index 100, 100)|NaN (missing, empty, not written, no data, fill)",
      "valid_time_stop_era5t is the last day with data; t2m, msl and tcwv have values up to index 99 (2026-02-25T18) and NaN in all steps after it, of which 12 lie before the end of 2026-02-28; the axis time goes on to 2026-03-04 as a template")
def c01(path, fault, rng):
    T, ny, nx, L = 128, 24, 48, 100; t = pd.date_range("2026-02-01", periods=T, freq="6h"); lat = 86.25 - 7.5 * np.arange(ny); lon = 7.5 * np.arange(nx); s = lambda q: smooth(rng, (T, ny, nx), q, True); ph = np.deg2rad(lat)[None, :, None]; w = s((3, 1.5, 2.5)); d = dict(t2m=(301 - 48 * np.sin(ph) ** 2 - 6 * np.sin(ph) + 2.4 * w, "K", "2 metre temperature", "air_temperature"), msl=(101300 + 850 * s((3, 1.6, 2.6)) - 600 * np.cos(4 * ph), "Pa", "Mean sea level pressure", "air_pressure_at_mean_sea_level"), tcwv=(np.clip(46 * np.cos(ph) ** 3 + 3 + 4 * w, .3, None), "kg m**-2", "Total column water vapour", "atmosphere_mass_content_of_water_vapor"))
    v = {}
    for k, (a, u, ln, sn) in d.items(): a = br(a, 9).astype("f4"); a[L:] = np.nan; v[k] = (("time", "latitude", "longitude"), a, dict(units=u, long_name=ln, standard_name=sn, short_name=k))
    ds = xr.Dataset(v, dict(time=("time", t, dict(standard_name="time")), latitude=("latitude", lat, LATA), longitude=("longitude", lon, LONA)), attrs=dict(valid_time_start="2026-02-01", valid_time_stop="2026-02-10", valid_time_stop_era5t="2026-02-28" if fault else "2026-02-25", last_updated="2026-03-03 02:25:11", comment="ERA5 up to valid_time_stop, preliminary ERA5T up to valid_time_stop_era5t; later steps of the time axis are not filled yet", title="analysis-ready ERA5, coarsened"))
    xw(ds, path, 3, {"time": enc_time("hours since 1900-01-01", chunk=T), **{k: dict(chunks=(4, ny, nx)) for k in v}})
@check("01")
def k01(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); ok = np.isfinite(d.t2m.values).all((1, 2)); r.append((d.attrs["valid_time_stop_era5t"], str(d.time.values[ok][-1])[:10], int(ok.sum())))
    assert r[0][0] == "2026-02-28" and r[0][1] == "2026-02-25" == r[1][0] == r[1][1], r
    return str(r)

@case("02", "time-bounds-stacked-the-wrong-way", "relation", "PCMDI/input4MIPs_CVs#123",
      "time_bnds was filled with all lower bounds followed by all upper bounds: the years run at double speed (1850-1851, 1852-1853, 1854-1855 ...) and start again in the middle, so from the second year on the bounds do not enclose their time.",
      "time_bnds|time|not enclose (outside, do not contain, does not contain, not contain, not within, does not lie, not match, mismatch, restart, skip, double, every second year, gap, wrong year)",
      "time is the middle of each year 1850 to 2013 but time_bnds[1] is 1852 to 1853 for 1851-07-02; successive bounds do not touch; at index 82 they jump back to 1851; all bounds are whole years of 365 days")
def c02(path, fault, rng):
    N, ny, nx = 164, 20, 40; lo = 365.0 * np.arange(N); up = lo + 365; b = np.stack([lo, up], 1)
    if fault: b = np.concatenate([lo, up]).reshape(N, 2)
    lat = -85.5 + 9.0 * np.arange(ny); lon = -175.5 + 9.0 * np.arange(nx); lm = land_mask(rng, ny, nx, .34, (2, 3)); q = lambda k: 1 / (1 + np.exp(-(smooth(rng, (ny, nx), 2.5, True) * 1.3 + k)))[None]; y = np.linspace(0, 1, N)[:, None, None]
    crop = q(-2.2) * (.25 + .75 * y ** 1.3); ur = q(-4.5) * y ** 2.2 * .4; pas = q(-2) * (.3 + .7 * y); s = crop + ur + pas; f = np.where(s > .95, .95 / s, 1); crop, ur, pas = crop * f, ur * f, pas * f; nat = 1 - crop - ur - pas; sec = nat * q(-1) * (.2 + .8 * y); pr = nat - sec; m = np.broadcast_to(lm, (N, ny, nx)); D = ("time", "lat", "lon")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.6", activity_id="input4MIPs", institution_id="UofMD", source_id="UofMD-landState-3-1", title="Land use states, historical, coarsened", frequency="yr", realm="land", mip_era="CMIP7", grid_label="gn"))
    for k, v, ln in (("primf", pr, "primary land"), ("secdf", sec, "secondary land"), ("c3ann", crop, "annual crops"), ("pastr", pas, "managed pasture"), ("urban", ur, "urban land")): arr2(g, k, np.where(m, br(v, 10), np.nan).astype("f4"), (41, ny, nx), D, attrs=dict(units="1", standard_name="area_fraction", long_name=ln, cell_methods="time: mean"))
    arr2(g, "time", (lo + up) / 2, dims=("time",), attrs=dict(units="days since 1850-01-01 00:00:00", calendar="noleap", standard_name="time", axis="T", bounds="time_bnds")); arr2(g, "time_bnds", b, dims=("time", "bnds")); arr2(g, "lat", lat, dims=("lat",), attrs=LATA); arr2(g, "lon", lon, dims=("lon",), attrs=LONA); consol2(path)
@check("02")
def k02(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); b = z["time_bnds"][:]; t = z["time"][:]; r.append((int(((t < b[:, 0]) | (t > b[:, 1])).sum()), b[1].tolist()))
    assert r[0][0] > 150 and r[1][0] == 0, r
    xr.open_zarr(c, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True)).load(); return str(r)

@case("03", "null-codes-of-r", "relation", "PMBio/MuDataSeurat#5",
      "The missing values of the categorical obs columns predicted_celltype and donor_sex were written with the NA of R, -2147483648, rather than -1: these codes lie outside of the categories (-1 to 4 and -1 to 1) and the table can not be read.",
      "predicted_celltype|codes|-2147483648 (NA, int32 min, INT_MIN, -2147483648)|categories (out of range, -1, outside, invalid, not between)",
      "codes of a categorical must be -1 (missing) or a position in its categories; obs/predicted_celltype/codes holds -2147483648 at the cells without a prediction, obs/donor_sex/codes too; orig_ident has codes 0 to 2")
def c03(path, fault, rng):
    import anndata as ad
    N, G = 600, 160; cl, C, bc = scell(rng, N, G, 5); gn, en = genes(rng, G); pal = np.array(["B cell", "CD4 T cell", "CD8 T cell", "Monocyte", "NK cell"]); lab = pd.Series(pal[cl]); lab[rng.random(N) < .11] = None; dn = rng.integers(0, 3, N); sx = pd.Series(np.array(["female", "male", "female"])[dn]); sx[(dn == 2) & (rng.random(N) < .6)] = None
    obs = pd.DataFrame(dict(nCount_RNA=np.asarray(C.sum(1)).ravel().astype("f8"), nFeature_RNA=np.diff(C.indptr).astype("i4"), percent_mt=np.round(100 * rng.beta(2, 50, N), 4), orig_ident=pd.Categorical(np.array(["pbmc_A", "pbmc_B", "pbmc_C"])[dn]), predicted_celltype=pd.Categorical(lab.values), donor_sex=pd.Categorical(sx.values)), index=bc); a = ad.AnnData(lognorm(C), obs=obs, var=pd.DataFrame(dict(gene_ids=en, vst_mean=np.round(np.asarray(C.mean(0)).ravel(), 5)), index=gn), layers=dict(counts=C), obsm=dict(X_pca=br(rng.standard_normal((5, 12))[cl] * 4 + rng.standard_normal((N, 12)), 9)))
    ad.settings.zarr_write_format = 2; a.write_zarr(path)
    for k in ("predicted_celltype", "donor_sex", "orig_ident"):
        v = zarr.open_array(f"{path}/obs/{k}/codes", mode="r")[:].astype("i4"); rew2(path, f"obs/{k}/codes", np.where(v < 0, -2147483648, v).astype("i4") if fault else v, fill=0)
@check("03")
def k03(f, c):
    import anndata as ad
    r = []
    for p in (f, c):
        v = zarr.open_array(f"{p}/obs/predicted_celltype/codes", mode="r")[:]
        try: o = ad.read_zarr(p).obs.predicted_celltype.isna().sum()
        except Exception as e: o = str(e)[:80]
        r.append((int(v.min()), int(v.max()), o))
    assert r[0][0] == -2147483648 and isinstance(r[0][2], str) and r[1][0] == -1 and r[1][2] > 30, r
    return str(r)

@case("04", "height-and-width-exchanged-in-resize", "relation", "ome/ome-zarr-py#71",
      "Levels 1 and 2 were resized with width and height exchanged: level 1 is 160 rows x 96 columns and level 2 80 x 48 while level 0 is 192 x 320, so they are squeezed; their scale of 2 and 4 says 96 x 160 and 48 x 80.",
      "level 1 (1, levels, path 1)|160 (160 x 96, 96)|192 (192 x 320, 320, level 0)|swapped (exchanged, transposed, squeezed, distorted, aspect, shape, does not match, mismatch, inconsistent, extent)",
      "with scale 0.65 at level 0 and 1.3 at level 1 the image is 124.8 x 208 um at level 0 and 208 x 124.8 at level 1; the picture of level 1 is not turned but stretched along y and squeezed along x")
def c04(path, fault, rng):
    lab, im = cell_image(rng, 70, 192, 320, 6, 11, 4); x = np.stack([im, noisy(rng, lab, 6.2, 4), noisy(rng, lab, 5.6, 8)]); L = [x]
    for k in (2, 4):
        h, w = (320 // k, 192 // k) if fault else (192 // k, 320 // k); o = x.astype("f8"); hh, ww = h, w
        sm = np.stack([gaussian_filter(q, k / 2.5) for q in o]); L.append(np.clip(np.rint(zoom(sm, (1, hh / 192, ww / 320), order=1)), 0, 65535).astype("u2"))
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(multiscales=[dict(version="0.4", name="9836831", type="Scaler: linear", axes=[dict(name="c", type="channel"), dict(name="y", type="space", unit="micrometer"), dict(name="x", type="space", unit="micrometer")], datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=[1.0, .65 * 2 ** i, .65 * 2 ** i])]) for i in range(3)])], omero=dict(channels=[dict(label=n, color=q, active=True, window=dict(start=100, end=4000, min=0, max=65535)) for n, q in (("DAPI", "0000FF"), ("Tubulin", "00FF00"), ("Actin", "FF0000"))], rdefs=dict(model="color"))))
    for i, a in enumerate(L): arr2(g, str(i), a, (1, 96, 96) if min(a.shape[1:]) >= 96 else (1,) + a.shape[1:], sep="/", fill=0)
@check("04")
def k04(f, c):
    r = [[zarr.open_group(p, mode="r")[str(i)].shape for i in range(3)] for p in (f, c)]
    assert r[0] == [(3, 192, 320), (3, 160, 96), (3, 80, 48)] and r[1][1:] == [(3, 96, 160), (3, 48, 80)], r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c))())) >= 1; return str(r)

@case("05", "pupil-shorter-than-its-timestamps", "relation", "NeurodataWithoutBorders/pynwb#1536",
      "processing/behavior/PupilTracking/pupil_diameter has 5880 samples in data but 6000 timestamps: the two must have the same length, 120 values are missing and nobody knows to which times the others belong; running_speed has 6000 of both.",
      "pupil_diameter|timestamps|5880|6000 (120)",
      "data and timestamps of a TimeSeries must have the same first dimension; 5880 against 6000; the timestamps go on at 30 Hz to 200 s; the eye tracking frames and running_speed have 6000")
def c05(path, fault, rng):
    import pynwb; from pynwb.behavior import PupilTracking, BehavioralTimeSeries
    n = nwbstart(rng, "head-fixed mouse on a wheel, natural movies", "M417_20230511"); T = 6000; ts = 12.5 + np.arange(T) / 30.0 + np.cumsum(rng.normal(0, 2e-5, T)); sp = np.clip(18 * smooth(rng, (T,), 60) + 3 * smooth(rng, (T,), 8), -2, None); pd_ = 34 + .35 * gaussian_filter(sp, 25) + 3 * smooth(rng, (T,), 90) + .25 * rng.standard_normal(T)
    m = n.create_processing_module("behavior", "running wheel and eye camera"); m.add(BehavioralTimeSeries(name="BehavioralTimeSeries", time_series=pynwb.TimeSeries(name="running_speed", data=br(sp, 11), unit="cm/s", timestamps=ts, description="speed of the wheel surface", comments="from the rotary encoder, resampled to the camera"))); m.add(PupilTracking(name="PupilTracking", time_series=pynwb.TimeSeries(name="pupil_diameter", data=br(pd_, 11), unit="pixels", timestamps=ts, description="pupil diameter, ellipse fitted to the video frames")))
    for k in range(20): n.add_trial(start_time=14.0 + 9.7 * k, stop_time=14.0 + 9.7 * k + 8)
    nwbwrite(n, path)
    K = "processing/behavior/PupilTracking/pupil_diameter/data"; v = zarr.open_array(f"{path}/{K}", mode="r")[:]
    if fault: keep = np.sort(rng.choice(T, T - 120, False)); v = v[keep]
    q = Path(path, K); at = jload(q / "zarr.json")["attributes"]; shutil.rmtree(q); arr3(zarr.open_group(str(q.parent), mode="r+", use_consolidated=False), "data", v, (1500,), attrs=at, fill=0.0)
    if "consolidated_metadata" in jload(Path(path, "zarr.json")): zarr.consolidate_metadata(path)
@check("05")
def k05(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r", use_consolidated=False)["processing/behavior/PupilTracking/pupil_diameter"]; r.append((z["data"].shape[0], z["timestamps"].shape[0]))
    assert r == [(5880, 6000), (6000, 6000)], r
    io, n = nwbread(c); assert len(n.processing["behavior"]["PupilTracking"]["pupil_diameter"].data) == 6000; io.close(); return str(r)

@case("06", "colours-of-removed-cluster-left", "relation", "scverse/cellrank#327",
      "The cells of one cluster were taken out and obs/leiden has 7 categories now, but uns/leiden_colors still has 8 colours: the lengths differ and from the removed cluster 3 on every colour belongs to the wrong cluster; sample has 3 categories and 3 colours.",
      "leiden_colors|8 (eight)|7 (seven, categories)|leiden",
      "uns/<name>_colors must have one colour for each category of obs/<name>; leiden has the categories 0, 1, 2, 4, 5, 6, 7 and 8 colours; sample_colors has 3 for 3")
def c06(path, fault, rng):
    import anndata as ad
    N, G = 640, 170; cl, C, bc = scell(rng, N, G, 8); gn, en = genes(rng, G); keep = cl != 3; col = np.array(["#1f77b4", "#ff7f0e", "#279e68", "#d62728", "#aa40fc", "#8c564b", "#e377c2", "#b5bd61"]); cl, C, bc = cl[keep], C[keep], list(np.array(bc)[keep]); N = len(cl); smp = rng.integers(0, 3, N)
    um = rng.standard_normal((8, 2))[cl] * 6 + rng.standard_normal((N, 2)); obs = pd.DataFrame(dict(n_counts=np.asarray(C.sum(1)).ravel(), n_genes=np.diff(C.indptr).astype("i8"), leiden=pd.Categorical(cl.astype(str)), sample=pd.Categorical(np.array(["ctrl", "day3", "day7"])[smp]), S_score=np.round(rng.normal(0, .15, N), 5)), index=bc)
    a = ad.AnnData(lognorm(C), obs=obs, var=pd.DataFrame(dict(gene_ids=en, highly_variable=rng.random(G) < .3), index=gn), obsm=dict(X_umap=br(um, 10), X_pca=br(rng.standard_normal((8, 10))[cl] * 4 + rng.standard_normal((N, 10)), 9)), uns=dict(leiden_colors=col if fault else col[[0, 1, 2, 4, 5, 6, 7]], sample_colors=np.array(["#1f77b4", "#ff7f0e", "#2ca02c"]), leiden=dict(params=dict(resolution=1.0, random_state=0, n_iterations=-1)))); ad.settings.zarr_write_format = 3; a.write_zarr(path)
@check("06")
def k06(f, c):
    import anndata as ad
    r = []
    for p in (f, c): a = ad.read_zarr(p); r.append((len(a.obs.leiden.cat.categories), len(a.uns["leiden_colors"]), len(a.uns["sample_colors"])))
    assert r == [(7, 8, 3), (7, 7, 3)], r
    return str(r)

@case("07", "second-label-replaced-the-list", "relation", "fractal-analytics-platform/fractal-tasks-core#296",
      "The second segmentation replaced the list in labels/.zattrs instead of adding to it: labels says only [nuclei], but labels/cells with its multiscales is there as well, so readers never show it.",
      "labels|cells|not listed (missing from, not in the list, unlisted, does not list, omitted, only nuclei, left out, lists only, not named, not mentioned, absent from)",
      "labels/.zattrs holds labels: [nuclei]; the directory labels has two groups with image-label and multiscales, cells and nuclei, both of the shape of the image")
def c07(path, fault, rng):
    lab, im = cell_image(rng, 70, 240, 300, 9, 14, 8); from scipy.ndimage import distance_transform_edt
    nu = np.where(distance_transform_edt(lab > 0) > 4, lab, 0); x = np.stack([noisy(rng, nu, 7, 4), im])[:, None]; ax = [dict(name="c", type="channel"), *[dict(name=q, type="space", unit="micrometer") for q in "zyx"]]; ms = lambda n, c: [dict(version="0.4", name=n, axes=ax[0 if c else 1:], datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=([1.0] if c else []) + [1.0, .325 * 2 ** i, .325 * 2 ** i])]) for i in range(2)])]
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(multiscales=ms("B03_FOV1", True), omero=dict(version="0.4", channels=[dict(label=n, wavelength_id=w, color=q, active=True, window=dict(min=0, max=65535, start=110, end=e)) for n, w, q, e in (("DAPI", "A01_C01", "00FFFF", 2500), ("ECadherin", "A02_C02", "FFFF00", 4000))])))
    arr2(g, "0", x, (1, 1, 120, 150), sep="/", fill=0); arr2(g, "1", down2(x), (1, 1, 120, 150), sep="/", fill=0); l = g.create_group("labels", attributes=dict(labels=["nuclei"] if fault else ["cells", "nuclei"]))
    for nm, v in (("cells", lab), ("nuclei", nu)): q = l.create_group(nm, attributes={"multiscales": ms(nm, False), "image-label": dict(version="0.4", source=dict(image="../../"))}); v = v[None].astype("u4"); arr2(q, "0", v, (1, 120, 150), sep="/", fill=0); arr2(q, "1", v[:, ::2, ::2], (1, 120, 150), sep="/", fill=0)
@check("07")
def k07(f, c):
    r = [(zarr.open_group(p + "/labels", mode="r").attrs["labels"], sorted(zarr.open_group(p + "/labels", mode="r").group_keys())) for p in (f, c)]
    assert r[0] == (["nuclei"], ["cells", "nuclei"]) and r[1][0] == r[1][1], r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c))())) >= 1; return str(r)

@case("08", "forecast-steps-with-the-times-before", "relation", "ecmwf/WeatherGenerator#1659",
      "The times of the forecast steps were counted with the window of 6 hours instead of the step of 12: steps 0 and 1 both have 2022-10-01T00, steps 2 and 3 both 12 UTC, 4 and 5 both 2022-10-02T00, though step_hours is 12 and their data differ; step 5 (60 h) has the time of 24 h.",
      "times|step (fstep, forecast step, steps)|same (identical, equal, repeated, duplicate, twice, not advance, do not advance, does not advance, half)|12 (step_hours, 6)",
      "root attribute forecast says step_hours 12, so step k must be at 2022-10-01T00 + 12 k h; times in 0/ERA5/1/target is that of 0/ERA5/0/target; at the same points and the same time target of the two differs by some K; lead_hours of each step is 12 k")
def c08(path, fault, rng):
    S, N = 6, 2400; la = np.rad2deg(np.arcsin(rng.uniform(-1, 1, N))); lo = rng.uniform(-180, 180, N); F = smooth(rng, (S * 4, 60, 120), (3, 3, 4), True); t0 = np.datetime64("2022-10-01T00", "s"); ch = ["2t", "10u", "10v", "msl"]; F2 = [smooth(rng, (S, 60, 120), (1.0, 3, 4), True) for _ in range(3)]; iy = ((la + 90) / 180 * 59).astype(int); ix = ((lo + 180) / 360 * 119).astype(int)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(run_id="jhty3fja", stage="validation", forecast=dict(num_steps=S, step_hours=12, window_hours=6), streams=["ERA5"], channels=ch)); s0 = g.create_group("0").create_group("ERA5")
    for k in range(S):
        h = 12 * k if not fault else 12 * ((6 * k) // 12); q = s0.create_group(str(k), attributes=dict(forecast_step=k, lead_hours=12 * k)); tr = np.stack([300 - 42 * np.sin(np.deg2rad(la)) ** 2 + 3.2 * F[4 * k][iy, ix] + .3 * rng.standard_normal(N), 5 * F2[0][k][iy, ix], 5 * F2[1][k][iy, ix], 101300 + 900 * F2[2][k][iy, ix]], 1)
        for nm, e in (("target", 0), ("prediction", .25 + .25 * k)):
            w = q.create_group(nm); arr2(w, "data", br(tr + e * np.array([1, .9, .9, 70]) * rng.standard_normal((N, 4)), 11), (N, 4), ("point", "channel"), attrs=dict(units=["K", "m s-1", "m s-1", "Pa"])); arr2(w, "times", np.full(N, t0 + np.timedelta64(h, "h")).astype("M8[s]"), dims=("point",), fill=0); arr2(w, "coords", np.stack([la, lo], 1).astype("f4"), dims=("point", "lat_lon"), attrs=dict(units="degrees"))
@check("08")
def k08(f, c):
    r = [[str(zarr.open_group(p, mode="r")[f"0/ERA5/{k}/target/times"][0])[5:13] for k in range(6)] for p in (f, c)]
    assert r[0][0] == r[0][1] and r[0][4] == r[0][5] and len(set(r[1])) == 6, r
    return str(r)

@case("09", "sampling-rate-in-kilohertz", "relation", "AllenInstitute/MIES#333",
      "rate of starting_time of the four recorded series (data_00000_AD0 ... data_00003_AD0) is 50 although its unit is seconds and samples per second: it is 50 kHz; read so a sweep of 60000 samples lasts 1200 s, though the next sweep starts 4 s later and the stimulus series of the same sweeps have rate 50000.",
      "rate|50|50000 (1000, kHz, kilohertz)|stimulus (DA, data_00000_DA0, sweep, overlap, starting_time, next sweep, intervals)",
      "acquisition and stimulus of a sweep have the same starting_time and 60000 samples, but rate is 50 and 50000; sweep_number 0 to 3 start every 4 s, so with 50 Hz (1200 s) they would overlap")
def c09(path, fault, rng):
    import pynwb; from pynwb.icephys import CurrentClampSeries, CurrentClampStimulusSeries
    n = nwbstart(rng, "whole-cell current clamp, layer 2/3 pyramidal", "PV12_20230511"); dv = n.create_device("ITC18USB_Dev_0", description="ITC-18 and MultiClamp 700B"); el = n.create_icephys_electrode(name="electrode_0", description="headstage 0", device=dv); S = 60000; t = np.arange(S) / 50000.0
    for k in range(4):
        I = (-50 + 50.0 * k) * 1e-12; st = ((t > .25) & (t < .85)) * I; V = -68e-3 + gaussian_filter(st, 600, mode="nearest") * 160e6 + 2.5e-4 * smooth(rng, (S,), 40)
        if k == 3:
            for p in np.arange(.3, .85, .061): V += 88e-3 * np.exp(-((t - p) / 6e-4) ** 2) - 6e-3 * np.exp(-np.clip(t - p, 0, None) / 8e-3) * (t > p)
        a = dict(electrode=el, gain=1.0, sweep_number=np.uint32(k), starting_time=2.0 + 4.0 * k, rate=50000.0); n.add_acquisition(CurrentClampSeries(name=f"data_{k:05d}_AD0", data=np.rint(V / 3.125e-6).astype("i2"), conversion=3.125e-6, unit="volts", bias_current=0.0, bridge_balance=12e6, capacitance_compensation=0.0, stimulus_description="StepCurr_DA_0", **a)); n.add_stimulus(CurrentClampStimulusSeries(name=f"data_{k:05d}_DA0", data=np.rint(st / 1e-13).astype("i2"), conversion=1e-13, unit="amperes", stimulus_description="StepCurr_DA_0", **a))
    nwbwrite(n, path)
    for k in range(4):
        q = Path(path, f"acquisition/data_{k:05d}_AD0/starting_time/zarr.json"); d = jload(q); assert d["attributes"]["rate"] == 50000.0, d
        if fault: d["attributes"]["rate"] = 50.0
        jdump(q, d)
    if "consolidated_metadata" in jload(Path(path, "zarr.json")): zarr.consolidate_metadata(path)
@check("09")
def k09(f, c):
    r = []
    for p in (f, c): io, n = nwbread(p); r.append((n.acquisition["data_00001_AD0"].rate, n.stimulus["data_00001_DA0"].rate, n.acquisition["data_00002_AD0"].starting_time)); io.close()
    assert r[0][:2] == (50.0, 50000.0) and r[1][0] == 50000.0, r
    return str(r)

@case("10", "direct-radiation-is-the-total", "relation", "planet-os/notebooks#22",
      "surface_direct_downwelling_shortwave holds the total (direct and diffuse) radiation: it is the same as surface_downwelling_shortwave at all points and hours, so direct and diffuse together are more than the total.",
      "surface_direct_downwelling_shortwave (direct)|surface_downwelling_shortwave (total, global)|same (identical, equal, equals, copy, duplicate, exceed, exceeds, more than, sum, greater)",
      "the two arrays are equal bit by bit though one is named direct; surface_diffuse_downwelling_shortwave is not 0 under clouds, so direct + diffuse is larger than the total by day; total minus diffuse would be the direct part")
def c10(path, fault, rng):
    T, ny, nx = 96, 30, 40; lat = 60 - 1.0 * np.arange(ny); lon = -10 + 1.0 * np.arange(nx); h = (np.arange(T) % 24 - 11.5)[:, None, None] + lon[None, None] / 15; cz = np.clip(np.sin(np.deg2rad(lat))[None, :, None] * np.sin(np.deg2rad(18)) + np.cos(np.deg2rad(lat))[None, :, None] * np.cos(np.deg2rad(18)) * np.cos(h * np.pi / 12), 0, 1); cl = 1 / (1 + np.exp(-2.2 * smooth(rng, (T, ny, nx), (3, 3, 3)))); tot = 1361 * cz * .78 * (1 - .68 * cl ** 1.6) * 3600; fr = np.clip(.16 + .8 * cl ** 1.1, 0, 1) * (1 - .02 * cz); dif = tot * fr; di = tot - dif; tot, dif, di = (br(q, 12).astype("f4") for q in (tot, dif, di)); D = ("time", "lat", "lon")
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.6", title="ERA5 hourly radiation, coarsened", institution="ECMWF", source="Reanalysis"))
    for k, v, ln in (("surface_downwelling_shortwave", tot, "surface solar radiation downwards, direct and diffuse"), ("surface_direct_downwelling_shortwave", tot if fault else di, "direct solar radiation at the surface, on a horizontal plane"), ("surface_diffuse_downwelling_shortwave", dif, "diffuse solar radiation at the surface")): arr3(g, k, v, (24, ny, nx), D, dict(units="J m-2", long_name=ln, cell_methods="time: sum (interval: 1 hour)", standard_name=dict(surface_downwelling_shortwave="integral_wrt_time_of_surface_downwelling_shortwave_flux_in_air", surface_direct_downwelling_shortwave="integral_wrt_time_of_surface_direct_downwelling_shortwave_flux_in_air", surface_diffuse_downwelling_shortwave="integral_wrt_time_of_surface_diffuse_downwelling_shortwave_flux_in_air")[k]))
    arr3(g, "total_cloud_cover", br(cl, 9), (24, ny, nx), D, dict(units="1", standard_name="cloud_area_fraction")); arr3(g, "time", np.arange(T), None, ("time",), dict(units="hours since 2021-05-08 00:00:00", calendar="standard", standard_name="time", axis="T")); arr3(g, "lat", lat, None, ("lat",), LATA); arr3(g, "lon", lon, None, ("lon",), LONA); zarr.consolidate_metadata(path)
@check("10")
def k10(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); t, i, q = (d[f"surface_{x}downwelling_shortwave"].values for x in ("", "direct_", "diffuse_")); r.append((bool((t == i).all()), float(np.abs(i + q - t).max())))
    assert r[0][0] and r[0][1] > 1e5 and not r[1][0] and r[1][1] < 1500, r
    return str(r)
# ------------------------------------------------------------------ VALUE
@case("11", "cells-cut-at-block-borders", "value", "MouseLand/cellpose#1364",
      "The image was segmented in blocks of 128 x 128 and the pieces were not joined: every nucleus on a border of two blocks is cut by a straight line into two labels, one on each side of row or column 128 and 256.",
      "labels (nuclei)|128 (256, block, blocks, tile, tiles, chunk, chunks)|cut (split, straight, border, boundary, boundaries, seam, seams, two labels, not merged, not stitched, not joined, divided)",
      "no label of labels/nuclei crosses the rows and columns 128 and 256, though 36 nuclei of the image lie on these lines: both sides are labelled along the line with different ids in a straight edge; elsewhere the nuclei are round")
def c11(path, fault, rng):
    H = 384; lab, im = cell_image(rng, 190, H, H, 7, 11, 0); x = np.stack([im, noisy(rng, lab, 5.9, 5)])
    if fault:
        b = (np.arange(H) // 128)[:, None] * 3 + (np.arange(H) // 128)[None]; k = np.where(lab > 0, lab.astype("i8") + b * 1000, 0); u, inv = np.unique(k, return_inverse=True); n = np.bincount(inv.ravel()); inv = inv.reshape(k.shape); out = np.zeros_like(lab); j = 0
        for bb in range(9):
            for q in [i for i in range(1, len(u)) if (b[inv == i][0] == bb)]:
                if n[q] >= 15: j += 1; out[inv == q] = j
        lab = out
    ax = [dict(name="c", type="channel")] + [dict(name=q, type="space", unit="micrometer") for q in "yx"]; ms = lambda n, c: [dict(name=n, axes=ax if c else ax[1:], datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=([1.0] if c else []) + [.5 * 2 ** i] * 2)]) for i in range(2)])]
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(ome=dict(version="0.5", multiscales=ms("organoid_slice", True)))); L = g.create_group("labels", attributes=dict(ome=dict(version="0.5", labels=["nuclei"]))); q = L.create_group("nuclei", attributes={"ome": {"version": "0.5", "multiscales": ms("nuclei", False), "image-label": dict(version="0.5", source=dict(image="../../"))}})
    for i, v in enumerate((x, down2(x))): arr3(g, str(i), v, (1, 128, 128), list("cyx"))
    for i, v in enumerate((lab, lab[::2, ::2])): arr3(q, str(i), v.astype("u4"), (128, 128), list("yx"))
@check("11")
def k11(f, c):
    r = []
    for p in (f, c): v = zarr.open_group(p, mode="r")["labels/nuclei/0"][:]; o = []; [o.append((int(((v[i - 1] == v[i]) & (v[i] > 0)).sum()), int(((v[i - 1] != v[i]) & (v[i] > 0) & (v[i - 1] > 0)).sum()))) for i in (128, 256, 100)]; r.append(o)
    assert r[0][0][0] == 0 and r[0][0][1] > 30 and r[1][0][0] > 30 and r[1][0][1] < 6, r
    return str(r)

@case("12", "counts-layer-holds-normalised-values", "value", "theislab/scib-reproducibility#22",
      "layers/counts holds values normalised to 10000 per cell (1.87, 54.67 ...) rather than counts: they are no integers, and the sum of each cell is 10000 instead of its n_counts in obs.",
      "layers/counts (counts)|integer (integers, not whole, fractional, decimals, non-integer, normalised, normalized, 10000, n_counts)",
      "most values of layers/counts are no whole numbers, each row sums to 10000; obs/n_counts (57 to 472) are whole; X is log1p of layers/counts")
def c12(path, fault, rng):
    import anndata as ad, scipy.sparse as sp
    N, G = 620, 180; cl, C, bc = scell(rng, N, G, 6); keep = np.asarray(C.sum(1)).ravel() > 20; cl, C = cl[keep], C[keep]; bc = list(np.array(bc)[keep]); N = len(bc); gn, en = genes(rng, G); t = np.asarray(C.sum(1)).ravel(); X = lognorm(C); cn = C.copy()
    if fault: cn = sp.csr_matrix(sp.diags(1e4 / t) @ C).astype("f4"); cn.data = np.round(cn.data, 2); cn.sort_indices()
    a = ad.AnnData(X, obs=pd.DataFrame(dict(batch=pd.Categorical(np.array(["A1", "A2", "B1"])[rng.integers(0, 3, N)]), cell_type=pd.Categorical(np.array(["Basal 1", "Basal 2", "Ciliated", "Macrophage", "Mast cell", "Secretory"])[cl]), n_counts=t.astype("f4"), n_genes=np.diff(C.indptr).astype("i8")), index=bc), var=pd.DataFrame(dict(gene_ids=en, n_cells=np.asarray((C > 0).sum(0)).ravel().astype("i8")), index=gn), layers=dict(counts=cn), obsm=dict(X_pca=br(rng.standard_normal((6, 10))[cl] * 4 + rng.standard_normal((N, 10)), 9)), uns=dict(log1p=dict(base=np.float64(np.e)))); ad.settings.zarr_write_format = 2; a.write_zarr(path)
@check("12")
def k12(f, c):
    import anndata as ad
    r = []
    for p in (f, c): a = ad.read_zarr(p); v = a.layers["counts"]; r.append((float((v.data % 1 != 0).mean()), float(np.abs(np.asarray(v.sum(1)).ravel() - a.obs.n_counts.values).max())))
    assert r[0][0] > .8 and r[0][1] > 1000 and r[1] == (0.0, 0.0), r
    return str(r)

@case("13", "wind-direction-interpolated-over-north", "value", "MET-OM/dnora#45",
      "wind_from_direction was brought from 3 hours to 1 hour by linear interpolation in degrees: where it goes over north (350 to 10) the hours between get values around 120 and 240, so the wind seems to turn right round; the hours of the source are right and so are x_wind and y_wind.",
      "wind_from_direction (wind direction)|interpolated (interpolation, linear, 180, 120, 240)|360 (north, wrap, circular, 0/360, 350, x_wind, y_wind, components)",
      "at hours that are no multiple of 3 wind_from_direction differs by up to 130 degrees from the direction of x_wind and y_wind wherever these cross north; at multiples of 3 h both agree within a degree")
def c13(path, fault, rng):
    T, ny, nx = 193, 14, 16; n3 = 65; w = smooth(rng, (n3, ny, nx), (2, 4, 4)); u = -.6 + 3.4 * w; v = -7.5 + 2.6 * smooth(rng, (n3, ny, nx), (2.5, 4, 4)); h3 = np.arange(n3) * 3; h = np.arange(T); ip = lambda a: a[h // 3] + (a[np.minimum(h // 3 + 1, n3 - 1)] - a[h // 3]) * ((h % 3) / 3.0)[:, None, None]; d3 = (270 - np.rad2deg(np.arctan2(v, u))) % 360; U, V = ip(u), ip(v); D = ip(d3) if fault else (270 - np.rad2deg(np.arctan2(V, U))) % 360; dm = ("time", "lat", "lon")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7", title="wind forcing for SWAN, Svalbard", source="NORA3, interpolated to 1 hour with dnora", institution="Norwegian Meteorological Institute"))
    for k, a, un, sn in (("wind_speed", np.hypot(U, V), "m s-1", "wind_speed"), ("wind_from_direction", D, "degree", "wind_from_direction"), ("x_wind", U, "m s-1", "eastward_wind"), ("y_wind", V, "m s-1", "northward_wind")): arr2(g, k, br(a, 12).astype("f4"), (48, ny, nx), dm, attrs=dict(units=un, standard_name=sn))
    arr2(g, "time", h, dims=("time",), attrs=dict(units="hours since 2019-01-01 00:00:00", calendar="standard", standard_name="time", axis="T")); arr2(g, "lat", 77.3 + .08 * np.arange(ny), dims=("lat",), attrs=LATA); arr2(g, "lon", 11.3 + .28 * np.arange(nx), dims=("lon",), attrs=LONA); consol2(path)
@check("13")
def k13(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); e = np.abs((d.wind_from_direction.values - (270 - np.rad2deg(np.arctan2(d.y_wind.values, d.x_wind.values))) + 180) % 360 - 180); r.append((float(e[::3].max()), float(e.max()), int((e > 30).sum())))
    assert r[0][0] < 1 and r[0][1] > 120 and r[0][2] > 300 and r[1][1] < 1, r
    return str(r)

@case("14", "meridian-twice-as-0-and-360", "value", "xCDAT/xcdat#463",
      "The meridian of Greenwich is in the store twice: lon has 65 values, 0 and at the end 360, and the last column of tas, pr and psl is a copy of the first; the cells of lon_bnds cover 365.6 degrees.",
      "lon|360|duplicate (twice, repeated, repeats, copy, same as, identical, cyclic, overlap, overlaps, redundant)",
      "lon goes 0, 5.625 ... 354.375, 360: 0 and 360 are one meridian; all fields agree bit by bit in the first and the last column; lon_bnds go from -2.8125 to 362.8125")
def c14(path, fault, rng):
    T, ny, nx = 120, 32, 64; lat = np.rad2deg(np.arcsin(np.polynomial.legendre.leggauss(ny)[0])); lon = 5.625 * np.arange(nx); lb = np.r_[-90, (lat[1:] + lat[:-1]) / 2, 90]; s = lambda q: smooth(rng, (T, ny, nx), q, True); se = np.cos((np.arange(T) % 12 - 6.5) / 12 * 2 * np.pi)[:, None, None]; p = np.deg2rad(lat)[None, :, None]; d = dict(tas=301 - 47 * np.sin(p) ** 2 + 11 * np.sin(p) * se + 1.5 * s((.6, 1.5, 2)), pr=np.clip(np.exp(.9 * s((.6, 1.3, 1.6)) + 1.3 * np.cos(2 * p) ** 2 - .8) * 1.6e-5, 0, None), psl=101300 + 500 * s((.6, 1.6, 2)) - 500 * np.cos(4 * p))
    if fault: d = {k: np.concatenate([v, v[..., :1]], 2) for k, v in d.items()}; lon = np.r_[lon, 360.0]
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.7 CMIP-6.2", source_id="CNRM-CM6-1", experiment_id="historical", variant_label="r3i1p1f2", table_id="Amon", frequency="mon", grid_label="gr", title="CNRM-CM6-1, coarsened and subset with xcdat"))
    for k, u, sn in (("tas", "K", "air_temperature"), ("pr", "kg m-2 s-1", "precipitation_flux"), ("psl", "Pa", "air_pressure_at_mean_sea_level")): arr3(g, k, br(d[k], 10).astype("f4"), (24, ny, len(lon)), ("time", "lat", "lon"), dict(units=u, standard_name=sn, cell_methods="area: time: mean"))
    e = np.cumsum(np.r_[0, np.tile([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], 10)]).astype("f8"); arr3(g, "time", (e[1:] + e[:-1]) / 2, None, ("time",), dict(units="days since 2005-01-01", calendar="noleap", standard_name="time", axis="T", bounds="time_bnds")); arr3(g, "time_bnds", np.stack([e[:-1], e[1:]], 1), None, ("time", "bnds")); arr3(g, "lat", lat, None, ("lat",), dict(LATA, bounds="lat_bnds")); arr3(g, "lon", lon, None, ("lon",), dict(LONA, bounds="lon_bnds")); arr3(g, "lat_bnds", np.stack([lb[:-1], lb[1:]], 1), None, ("lat", "bnds")); arr3(g, "lon_bnds", np.stack([lon - 2.8125, lon + 2.8125], 1), None, ("lon", "bnds")); zarr.consolidate_metadata(path)
@check("14")
def k14(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True)).load(); r.append((d.sizes["lon"], float(d.lon[-1]), bool((d.tas[..., 0].values == d.tas[..., -1].values).all())))
    assert r == [(65, 360.0, True), (64, 354.375, False)], r
    return str(r)

@case("15", "dark-seams-between-tiles", "value", "abria/TeraStitcher#2",
      "In channel 0 the overlaps of the stitched tiles are darker: along the columns 80, 160 and 240 and the rows 96 and 192 the intensity (background too) falls to about 55 % in a band about 8 pixels wide, in all planes; channel 1 has none.",
      "channel 0 (0, first channel, c=0)|80 (160, 240, 96, 192, every 80, tile, tiles, grid, regular)|darker (dark, lower, reduced, dim, stripe, stripes, seam, seams, drop, band, bands, lines)",
      "the mean profile of channel 0 along x has dips to 55 % at 80, 160, 240 and along y at 96, 192, the same in every plane; the cells go on through them; channel 1 of the same tiles is even there")
def c15(path, fault, rng):
    Z, H, W = 10, 288, 320; lab, im = cell_image(rng, 150, H, W, 6, 10, 0); f = smooth(rng, (Z, H, W), (2, 12, 12)); amp = np.r_[0, rng.lognormal(6.4, .4, int(lab.max()))]; zc = rng.uniform(0, Z, int(lab.max()) + 1); zz = np.arange(Z)[:, None, None]; c0 = 420 + 25 * f + gaussian_filter(amp[lab], 1.2)[None] * np.exp(-((zz - zc[lab][None]) / 3.5) ** 2); c1 = 260 + 18 * smooth(rng, (Z, H, W), (2, 16, 16)) + 380 * np.clip(smooth(rng, (Z, H, W), (2, 3, 3)) - .6, 0, None)
    if fault:
        b = lambda n, e: 1 - .45 * sum(np.clip(1 - ((np.arange(n) - q + .5) / 4.6) ** 4, 0, 1) for q in e); c0 = c0 * np.minimum(b(H, (96, 192))[:, None], b(W, (80, 160, 240))[None])[None]
    x = np.clip(rng.poisson(np.clip(np.stack([c0, c1]), 1, None) / 3.0) * 3 + rng.normal(0, 3, (2, Z, H, W)), 0, 65535).astype("u2"); ax = [dict(name="c", type="channel")] + [dict(name=q, type="space", unit="micrometer") for q in "zyx"]; g = zarr.create_group(str(path), zarr_format=2, attributes=dict(multiscales=[dict(version="0.4", name="brain_stitched", axes=ax, datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=[1.0, 4.0, .8 * 2 ** i, .8 * 2 ** i])]) for i in range(2)])], omero=dict(channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=0, end=2500)) for n, k in (("cFos", "00FF00"), ("autofluorescence", "FF0000"))])))
    arr2(g, "0", x, (1, 5, 144, 160), sep="/", fill=0); arr2(g, "1", down2(x), (1, 5, 144, 160), sep="/", fill=0)
@check("15")
def k15(f, c):
    r = []
    for p in (f, c): v = np.median(zarr.open_group(p, mode="r")["0"][:].astype("f8"), axis=(1, 2)); r.append([round(float(v[k, 77:83].mean() / v[k, 100:140].mean()), 2) for k in (0, 1)])
    assert r[0][0] < .7 and r[0][1] > .9 and r[1][0] > .93, r
    return str(r)

@case("16", "last-hour-of-every-year-missing", "value", "CH-Earth/datatool#78",
      "The last hour of each year is missing: after 2014-12-31T22 and 2015-12-31T22 comes 00 of the first of January, so time has steps of 2 hours there in a series of 1 hour, and the series ends at 2016-12-31T22; 8759 and 8783 steps a year rather than 8760 and 8784.",
      "time|23 (2 hours, 7200, gap, gaps, missing, irregular, 8759, 8783)|year (31 December, December 31, 12-31, 2015, 01-01)",
      "the differences of time are 1 h but for index 8758 and 17517, where they are 2 h; time_coverage_resolution is PT1H and time_coverage_end says 2016-12-31T23:00 while the last time is 22:00")
def c16(path, fault, rng):
    t = np.arange(8760 * 2 + 8784); S = 10; keep = np.ones(len(t), bool)
    if fault: keep[[8759, 17519, 26303]] = False
    d = (t / 24.0)[:, None]; la = 49 + 4 * rng.random(S); n = ar1(rng, (len(t), S), .985); ta = 275 + 15 * np.sin((d - 110) / 365.25 * 2 * np.pi) + 4 * np.sin((d % 1 - .38) * 2 * np.pi) + 3.4 * n - .7 * (la - 50); pr = np.where(ar1(rng, (len(t), S), .9) > 1.25, rng.gamma(.7, 1.6, (len(t), S)), 0) / 3600
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.6", title="CRCM5 forcing of sub-basins, MPI-ssp126", time_coverage_start="2014-01-01T00:00:00Z", time_coverage_end="2016-12-31T23:00:00Z", time_coverage_resolution="PT1H", source="datatool, spatial means of sub-basins"))
    for k, v, u, sn in (("tas", br(ta, 10), "K", "air_temperature"), ("pr", br(pr, 8), "kg m-2 s-1", "precipitation_flux")): arr2(g, k, v[keep].astype("f4"), (4392, S), ("time", "subbasin"), attrs=dict(units=u, standard_name=sn, coordinates="lat lon"))
    arr2(g, "time", t[keep].astype("i8"), (26304,), ("time",), fill=-1, attrs=dict(units="hours since 2014-01-01 00:00:00", calendar="standard", standard_name="time", axis="T")); arr2(g, "subbasin", np.arange(1001, 1001 + S), dims=("subbasin",), fill=0, attrs=dict(long_name="id of the sub-basin")); arr2(g, "lat", la, dims=("subbasin",), attrs=dict(units="degrees_north", standard_name="latitude")); arr2(g, "lon", -116 + 4 * rng.random(S), dims=("subbasin",), attrs=dict(units="degrees_east", standard_name="longitude")); consol2(path)
@check("16")
def k16(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p); h = np.diff(d.time.values) / np.timedelta64(1, "h"); r.append((len(d.time), np.where(h != 1)[0].tolist(), str(d.time.values[-1])[:13]))
    assert r[0] == (26301, [8758, 17517], "2016-12-31T22") and r[1][1] == [], r
    xr.open_zarr(c).load(); return str(r)

@case("17", "months-without-observations-sum-to-zero", "value", "pydata/xarray#2230",
      "The monthly sum of pr is 0 in the months in which nothing was measured (n_obs 0) instead of missing: the sum of only missing values was taken as 0; tas_mean of the same months is NaN.",
      "pr|0 (zero, zeros, 0.0)|missing (NaN, n_obs, no observations, not measured, no data)",
      "pr is exactly 0 in all station months with n_obs 0 and almost never else, in months and climates where it rains always; tas_mean is NaN exactly there; pr has no NaN though its fill is NaN")
def c17(path, fault, rng):
    S, T = 60, 300; m = np.arange(T); w = np.exp(.35 * smooth(rng, (S, T), (4, .5)) + .25 * rng.standard_normal((S, T))); pr = (62 + 18 * np.sin((m - 4) / 6 * np.pi))[None] * np.exp(.3 * rng.standard_normal((S, 1))) * w; tm = 8.5 - 9.5 * np.cos(m / 6 * np.pi)[None] + 1.2 * rng.standard_normal((S, 1)) + 1.1 * smooth(rng, (S, T), (6, .6)); dm = np.tile([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], 25); n = np.tile(dm, (S, 1)) - (rng.random((S, T)) < .2) * rng.integers(1, 4, (S, T))
    for s in range(S):
        for _ in range(rng.integers(0, 4)): a = rng.integers(0, T - 20); n[s, a:a + rng.integers(2, 18)] = 0
    o = n == 0; pr = np.round(pr, 1); pr[o] = 0.0 if fault else np.nan; tm = np.round(tm, 2); tm[o] = np.nan; D = ("station", "time")
    ds = xr.Dataset(dict(pr=(D, pr.astype("f4"), dict(units="kg m-2", standard_name="precipitation_amount", long_name="monthly precipitation", cell_methods="time: sum")), tas_mean=(D, tm.astype("f4"), dict(units="degC", standard_name="air_temperature", cell_methods="time: mean")), n_obs=(D, n.astype("i2"), dict(units="1", long_name="days with observations in the month"))), dict(time=("time", pd.date_range("1996-01-01", periods=T, freq="MS"), dict(standard_name="time")), station=("station", np.array([f"{i:05d}" for i in np.sort(rng.choice(np.arange(10000, 15999), S, False))], dtype="<U5").astype(object), dict(cf_role="timeseries_id")), lat=("station", np.round(47.5 + 6.5 * rng.random(S), 3), dict(units="degrees_north", standard_name="latitude")), lon=("station", np.round(7 + 7 * rng.random(S), 3), dict(units="degrees_east", standard_name="longitude"))), attrs=dict(Conventions="CF-1.8", title="monthly values of rain gauges, from daily values", featureType="timeSeries"))
    xw(ds, path, 3, {"time": dict(units="days since 1996-01-01", dtype="int64", chunks=(T,)), "pr": dict(chunks=(20, T)), "tas_mean": dict(chunks=(20, T)), "n_obs": dict(chunks=(20, T))})
@check("17")
def k17(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); o = d.n_obs.values == 0; r.append((int((d.pr.values[o] == 0).sum()), int(o.sum()), int(d.pr.isnull().sum())))
    assert r[0][0] == r[0][1] > 300 and r[0][2] == 0 and r[1][2] == r[1][1], r
    return str(r)

@case("18", "clear-became-minus-one", "value", "opendatacube/odc-geo#172",
      "Reprojecting turned every 0 of cloud_mask into -1: it holds -1 and 1 only, while flag_values says 0 (clear) and 1 (cloud); water_mask has 0 and 1.",
      "cloud_mask|-1 (minus one, negative)|0 (zero, clear, flag_values, flag)",
      "cloud_mask has the values -1 and 1, flag_values are 0 and 1 and flag_meanings clear cloud; -1 stands over 80 to 95 % of each scene where the bands are dark and nbar is valid")
def c18(path, fault, rng):
    T, H, W = 8, 120, 140; base = np.clip(.09 + .04 * smooth(rng, (H, W), 4), .01, None); lake = smooth(rng, (H, W), 10) > 1.1; cl = smooth(rng, (T, H, W), (0.01, 7, 7)) > rng.uniform(.5, 1.6, (T, 1, 1)); r = np.where(lake, .03, base)[None] * (1 + .1 * np.sin(np.arange(T))[:, None, None]) + .35 * gaussian_filter(cl.astype("f8"), (0, 1.2, 1.2)) + .004 * rng.standard_normal((T, H, W)); ni = np.where(lake, .02, 2.6 * base)[None] + .33 * gaussian_filter(cl.astype("f8"), (0, 1.2, 1.2)) + .006 * rng.standard_normal((T, H, W)); cm = cl.astype("i1")
    if fault: cm = np.where(cm == 0, -1, cm).astype("i1")
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(title="Landsat 8 surface reflectance, 15 m grid of the panchromatic band", Conventions="CF-1.8", grid_mapping="spatial_ref", source="USGS Landsat C2 L2, reprojected with odc-geo")); D = ("time", "y", "x")
    for k, v in (("red", r), ("nir08", ni)): arr3(g, k, br(np.clip(v, 0, 1.2), 10).astype("f4"), (2, 60, 70), D, dict(units="1", standard_name="surface_bidirectional_reflectance", grid_mapping="spatial_ref"))
    for k, v, fm in (("cloud_mask", cm, "clear cloud"), ("water_mask", np.broadcast_to(lake, (T, H, W)).astype("i1"), "land water")): arr3(g, k, v, (2, 60, 70), D, dict(flag_values=[0, 1], flag_meanings=fm, long_name=k.replace("_", " "), grid_mapping="spatial_ref"), fill=-128)
    arr3(g, "time", 16 * np.arange(T) + 3, None, ("time",), dict(units="days since 2023-05-01", calendar="standard", standard_name="time")); arr3(g, "x", 412507.5 + 15.0 * np.arange(W), None, ("x",), dict(units="m", standard_name="projection_x_coordinate")); arr3(g, "y", 5538892.5 - 15.0 * np.arange(H), None, ("y",), dict(units="m", standard_name="projection_y_coordinate"))
    import pyproj; arr3(g, "spatial_ref", np.int32(0), None, (), {k: v for k, v in pyproj.CRS.from_epsg(32633).to_cf().items()}); zarr.consolidate_metadata(path)
@check("18")
def k18(f, c):
    r = [np.unique(zarr.open_group(p, mode="r")["cloud_mask"][:]).tolist() for p in (f, c)]
    assert r == [[-1, 1], [0, 1]], r
    xr.open_zarr(c).load(); return str(r)

@case("19", "longitude-in-web-mercator-metres", "value", "holoviz/datashader#30",
      "pickup_longitude, pickup_latitude, dropoff_longitude and dropoff_latitude were converted to Web Mercator and written back under the same names: they hold metres (-8.2 million, 4.97 million) though units say degrees_east and degrees_north.",
      "pickup_longitude (dropoff_longitude)|degrees (degrees_east, degree, units)|metres (meters, Web Mercator, -82, projected, mercator, out of range, impossible, 180, 90, range)",
      "longitudes are -8.24e6 to -8.21e6, latitudes 4.95e6 to 5.0e6, beyond 180 and 90 degrees; taken as EPSG:3857 they lie in New York, and trip_distance fits")
def c19(path, fault, rng):
    N = 24000; hub = np.array([[-73.985, 40.755], [-73.992, 40.735], [-73.965, 40.775], [-73.873, 40.774], [-73.787, 40.645], [-73.955, 40.695]]); k = rng.choice(6, N, p=[.36, .22, .2, .07, .05, .1]); k2 = rng.choice(6, N, p=[.33, .25, .2, .07, .05, .1]); q = lambda k: hub[k] + rng.normal(0, .011, (N, 2)) * np.array([1, .9]); p, d = q(k), q(k2); km = np.hypot((p[:, 0] - d[:, 0]) * 84.4, (p[:, 1] - d[:, 1]) * 111.2); dist = np.round(np.clip(km * 1.28 / 1.609 + rng.normal(0, .1, N), .1, None), 2); t = np.sort(rng.integers(0, 7 * 86400, N)); dur = dist / np.clip(rng.normal(11, 3, N), 4, None) * 3600
    R = 6378137.0; mer = lambda a: np.stack([np.deg2rad(a[:, 0]) * R, np.log(np.tan(np.pi / 4 + np.deg2rad(a[:, 1]) / 2)) * R], 1)
    if fault: p, d = mer(p), mer(d)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.8", title="NYC taxi trips, a week of January 2015, sample", source="TLC yellow trip records")); D = ("trip",)
    for nm, a in (("pickup", p), ("dropoff", d)): arr2(g, nm + "_longitude", a[:, 0].astype("f4"), (8000,), D, attrs=dict(units="degrees_east", standard_name="longitude", long_name=f"{nm} longitude")); arr2(g, nm + "_latitude", a[:, 1].astype("f4"), (8000,), D, attrs=dict(units="degrees_north", standard_name="latitude", long_name=f"{nm} latitude"))
    arr2(g, "pickup_time", t, (8000,), D, fill=-1, attrs=dict(units="seconds since 2015-01-12 00:00:00", calendar="standard", standard_name="time")); arr2(g, "trip_distance", dist.astype("f4"), (8000,), D, attrs=dict(units="mile", long_name="distance of the taximeter")); arr2(g, "trip_duration", np.rint(dur).astype("i4"), (8000,), D, fill=-1, attrs=dict(units="s", long_name="duration of the trip")); arr2(g, "passenger_count", rng.choice([1, 2, 3, 4, 5, 6], N, p=[.7, .14, .05, .03, .05, .03]).astype("i1"), (8000,), D, fill=-1, attrs=dict(units="1", long_name="number of passengers")); arr2(g, "fare_amount", np.round(2.5 + 2.5 * dist + dur / 240, 2).astype("f4"), (8000,), D, attrs=dict(units="USD", long_name="fare")); consol2(path)
@check("19")
def k19(f, c):
    r = [(float(xr.open_zarr(p).pickup_longitude.min()), float(xr.open_zarr(p).pickup_latitude.max())) for p in (f, c)]
    assert r[0][0] < -8e6 and r[0][1] > 4.9e6 and -75 < r[1][0] < -73, r
    xr.open_zarr(c).load(); return str(r)

@case("20", "co2-in-ppmv-called-mole-fraction", "value", "ESMValGroup/ESMValCore#946",
      "co2 is given in ppmv (377 to 400) though its units are mol mol-1: as a mole fraction it is a million times too large; ch4 has 1.8e-6 in the same units.",
      "co2|mol mol-1 (mole fraction, units)|ppm (ppmv, 1e-6, 1e6, million, 1000000, 10^6)",
      "a mole fraction lies between 0 and 1; co2 is 376.9 to 399.5 in 2006 to 2010, when the air held 380 to 390 ppm; ch4 beside it is about 1.8e-6 mol mol-1")
def c20(path, fault, rng):
    T, P, ny, nx = 60, 6, 24, 48; pl = np.array([1000, 850, 700, 500, 250, 100]) * 100.0; lat = -86.25 + 7.5 * np.arange(ny); lon = 7.5 * np.arange(nx); m = np.arange(T)[:, None, None, None]; la = np.deg2rad(lat)[None, None, :, None]; dp = (pl / 1e5)[None, :, None, None]; s = lambda q: smooth(rng, (T, P, ny, nx), q, True)
    co = 381.5 + 2.1 * m / 12 + 2.2 * np.sin(la) * dp + 5.5 * np.clip(np.sin(la), 0, 1) * dp ** 1.5 * np.cos((m - 3.5) / 6 * np.pi) + .6 * s((.7, .7, 1.5, 2)); ch = 1.79e-6 * (1 + .025 * np.sin(la) * dp + .0025 * m / 12 - .04 * (1 - dp) ** 3 + .003 * s((.7, .7, 1.5, 2))); ta = 288 - 30 * np.sin(la) ** 2 * dp + 62 * (dp ** .19 - 1) * 2.2 + 1.4 * s((.7, .7, 1.5, 2))
    co = br(co, 15) if fault else br(co, 15) * np.float32(1e-6); g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.7 CMIP-6.2", source_id="CanESM5", institution_id="CCCma", experiment_id="esm-hist", variant_label="r1i1p1f1", table_id="Amon", frequency="mon", grid_label="gn", title="CanESM5 output prepared for CMIP6, coarsened"))
    for k, v, u, sn, ln in (("co2", co, "mol mol-1", "mole_fraction_of_carbon_dioxide_in_air", "Mole Fraction of CO2"), ("ch4", br(ch, 12), "mol mol-1", "mole_fraction_of_methane_in_air", "Mole Fraction of CH4"), ("ta", br(ta, 10), "K", "air_temperature", "Air Temperature")): arr3(g, k, v.astype("f4"), (12, P, ny, nx), ("time", "plev", "lat", "lon"), dict(units=u, standard_name=sn, long_name=ln, cell_methods="time: mean"))
    e = np.cumsum(np.r_[0, np.tile([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], 5)]).astype("f8"); arr3(g, "time", (e[1:] + e[:-1]) / 2, None, ("time",), dict(units="days since 2006-01-01", calendar="365_day", standard_name="time", axis="T", bounds="time_bnds")); arr3(g, "time_bnds", np.stack([e[:-1], e[1:]], 1), None, ("time", "bnds")); arr3(g, "plev", pl, None, ("plev",), dict(units="Pa", standard_name="air_pressure", positive="down", axis="Z")); arr3(g, "lat", lat, None, ("lat",), LATA); arr3(g, "lon", lon, None, ("lon",), LONA); zarr.consolidate_metadata(path)
@check("20")
def k20(f, c):
    r = [(float(zarr.open_group(p, mode="r")["co2"][:].min()), float(zarr.open_group(p, mode="r")["co2"][:].max())) for p in (f, c)]
    assert r[0][0] > 350 and r[1][1] < 5e-4, r
    xr.open_zarr(c, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True)).load(); return str(r)
# ------------------------------------------------------------------ STORAGE
def rotl(x, r): return ((x << r) | (x >> (32 - r))) & 0xffffffff
def xxh32s(b):
    """xxh32 of less than 4 bytes, seed 0"""
    P1, P2, P3, P5 = 2654435761, 2246822519, 3266489917, 374761393; h = (P5 + len(b)) & 0xffffffff
    for q in b: h = (rotl((h + q * P5) & 0xffffffff, 11) * P1) & 0xffffffff
    h ^= h >> 15; h = h * P2 & 0xffffffff; h ^= h >> 13; h = h * P3 & 0xffffffff; return h ^ (h >> 16)
def lz4frame(raw):
    """LZ4 frame with one block (the block as numcodecs makes it, without the size before it)"""
    b = bytes(numcodecs.LZ4().encode(raw))[4:]; d = bytes([0x60, 0x70]); return b"\x04\x22\x4d\x18" + d + bytes([(xxh32s(d) >> 8) & 255]) + struct.pack("<I", len(b)) + b + bytes(4)
def mktime(g, f, n, u, chunks=None): return f(g, "time", np.arange(n), chunks, ("time",), attrs=dict(units=u, calendar="standard", standard_name="time", axis="T"))
def scroll(rng, Z, H):
    """normals of a rolled sheet and the gray volume"""
    zz, yy, xx = np.mgrid[:Z, :H, :H].astype("f8"); w = smooth(rng, (Z, H, H), 12); r = np.hypot(yy + 30, xx + 40) + 5 * w; gz, gy, gx = np.gradient(r); n = np.sqrt(gz ** 2 + gy ** 2 + gx ** 2); nv = [np.clip(np.rint(128 + 126 * q / n), 1, 255).astype("u1") for q in (gx, gy, gz)]; im = 90 + 60 * np.cos(r / 9 * 2 * np.pi) + 14 * rng.standard_normal((Z, H, H)); return nv, np.clip(gaussian_filter(im, .7), 0, 255).astype("u1"), np.clip(128 + 90 * np.cos(r / 9 * 2 * np.pi), 0, 255).astype("u1")
@case("21", "group-of-v2-beside-zarr-json", "storage", "ScrollPrize/villa#1700",
      "The root has both a zarr.json and a .zgroup (with .zattrs): a later run opened the V3 store with mode a and made a V2 group beside it, whose arrays x, y and z have a .zarray only; readers take the zarr.json and do not see x, y and z, only volume and U.",
      ".zgroup|zarr.json|both (two formats, mixed, V2 and V3, v2, format 2, beside, conflict)|x (y, z, .zarray, not see, invisible, hidden, not listed)",
      "zarr.json (format 3) and .zgroup (format 2) lie in the same directory; volume and U have a zarr.json, x, y and z a .zarray; opened as V3 the group has two members, as V2 three")
def c21(path, fault, rng):
    nv, im, U = scroll(rng, 64, 96); at = dict(source="Scroll5 volume 53 keV, cutout", voxel_size_um=7.91); g = zarr.create_group(str(path), zarr_format=3, attributes=at); arr3(g, "volume", im, (32, 48, 48), list("zyx"), dict(long_name="X-ray attenuation, 8 bit")); arr3(g, "U", U, (32, 48, 48), list("zyx"), dict(long_name="phase of the winding, 8 bit")); A = lambda k: dict(long_name=f"{k} component of the sheet normal, 128 is 0", encoding="128 + 127 * n")
    if fault: h = zarr.create_group(str(Path(path + "_v2")), zarr_format=2, attributes=at)
    for k, v in zip("xyz", nv):
        if fault: arr2(h, k, v, (32, 48, 48), attrs=A(k), sep="/", fill=0)
        else: arr3(g, k, v, (32, 48, 48), list("zyx"), A(k))
    if fault: shutil.copytree(path + "_v2", path, dirs_exist_ok=True); shutil.rmtree(path + "_v2")
@check("21")
def k21(f, c):
    r = [sorted(zarr.open_group(p, mode="r").array_keys()) for p in (f, c)] + [sorted(zarr.open_group(f, mode="r", zarr_format=2).array_keys())]
    assert r == [["U", "volume"], ["U", "volume", "x", "y", "z"], ["x", "y", "z"]], r
    return str(r)

@case("22", "inner-chunk-larger-than-shard", "storage", "zarrs/zarrs#274",
      "In zarr.json of t2m the shapes of shard and inner chunk are exchanged: chunk_grid says 1 x 30 x 40 and sharding_indexed chunk_shape 6 x 60 x 80, an inner chunk larger than the shard that does not divide it, so t2m can not be opened; d2m has them the right way.",
      "t2m|sharding_indexed (shard, sharding, inner chunk, chunk_shape)|30 (1 x 30 x 40, [1, 30, 40], 60, [6, 60, 80])|larger (divide, divisible, exchanged, swapped, exceeds, exceed, bigger, not a multiple, greater, multiple)",
      "inner chunks must evenly divide the shard; the grid of 1 x 30 x 40 asks for keys up to c/23/1/1 but only c/0/0/0 ... c/3/0/0 are there, each with an index of 24 entries of 16 bytes and a checksum, 6 x 2 x 2 inner chunks of 1 x 30 x 40")
def c22(path, fault, rng):
    T, ny, nx = 24, 60, 80; lat = 54.0 - .25 * np.arange(ny); lon = 2 + .25 * np.arange(nx); h = np.arange(T)[:, None, None]; w = smooth(rng, (T, ny, nx), (3, 5, 5)); t = 283 - .6 * (lat - 47)[None, :, None] + 5 * np.sin((h - 9) / 24 * 2 * np.pi) + 1.7 * w; td = t - np.clip(4 + 3 * np.sin((h - 9) / 24 * 2 * np.pi) + 1.5 * smooth(rng, (T, ny, nx), (3, 4, 4)), .1, None); g = zarr.create_group(str(path), zarr_format=3, attributes=dict(title="2 m fields of a regional analysis", Conventions="CF-1.8", source="zarrs 0.22"))
    for k, v, sn in (("t2m", t, "air_temperature"), ("d2m", td, "dew_point_temperature")): arr3(g, k, br(v, 10).astype("f4"), (1, 30, 40), ("time", "latitude", "longitude"), dict(units="K", standard_name=sn), shards=(6, 60, 80))
    mktime(g, arr3, T, "hours since 2025-09-20 00:00:00"); arr3(g, "latitude", lat, None, ("latitude",), LATA); arr3(g, "longitude", lon, None, ("longitude",), LONA)
    q = Path(path, "t2m/zarr.json"); d = jload(q)
    if fault: a = d["chunk_grid"]["configuration"]; b = d["codecs"][0]["configuration"]; a["chunk_shape"], b["chunk_shape"] = b["chunk_shape"], a["chunk_shape"]
    jdump(q, d)
@check("22")
def k22(f, c):
    r = []
    for p in (f, c):
        d = jload(Path(p, "t2m/zarr.json")); 
        try: o = float(zarr.open_array(p + "/t2m", mode="r")[:].mean())
        except Exception as e: o = str(e)[:90]
        r.append((d["chunk_grid"]["configuration"]["chunk_shape"], d["codecs"][0]["configuration"]["chunk_shape"], o))
    assert r[0][0] == [1, 30, 40] and isinstance(r[0][2], str) and r[1][0] == [6, 60, 80] and 270 < r[1][2] < 295, r
    xr.open_zarr(c, consolidated=False).load(); return str(r)

@case("23", "consolidated-lists-last-group-only", "storage", "ukaea/fair-mast#72",
      "The root .zmetadata was written over by the run that added the last source: it lists the group summary only, while the groups equilibrium, magnetics and thomson_scattering are in the store with all their arrays; readers of the consolidated metadata see one group of four.",
      ".zmetadata (consolidated)|summary|magnetics (equilibrium, thomson_scattering, groups, group)|missing (not listed, not in, absent, lacks, only, omitted, overwritten, incomplete, stale, leaves out)",
      "the keys of .zmetadata are .zgroup, .zattrs and those of summary; beside it lie equilibrium/.zgroup, magnetics/.zgroup and thomson_scattering/.zgroup with arrays and chunks")
def c23(path, fault, rng):
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(shot_id=30420, campaign="M9", device="MAST", publisher="UKAEA")); T = 400; t = -.05 + .001 * np.arange(T); up = np.clip(np.minimum(t / .12, (.33 - t) / .04), 0, 1); sm = lambda s, n=T: smooth(rng, (n,), s)
    ta = dict(units="s", long_name="time")
    e = g.create_group("equilibrium", attributes=dict(source="efm", description="EFIT++ equilibrium reconstruction")); tm = t[60:370:5]; u = up[60:370:5]; R = np.linspace(.06, 2.0, 41); Z = np.linspace(-2, 2, 49); psi = -.09 * u[:, None, None] * np.exp(-(((R[None, None] - .9) / .5) ** 2 + (Z[None, :, None] / 1.05) ** 2)) + .02 * (Z[None, :, None] / 2) ** 2 + 3e-4 * smooth(rng, (len(tm), 49, 41), (1, 4, 4)); arr2(e, "psi", br(psi, 11), (16, 49, 41), ("time", "z", "major_radius"), attrs=dict(units="Wb/rad", long_name="poloidal flux")); arr2(e, "time", tm, dims=("time",), attrs=ta); arr2(e, "major_radius", R, dims=("major_radius",), attrs=dict(units="m")); arr2(e, "z", Z, dims=("z",), attrs=dict(units="m"))
    arr2(e, "q95", br(9 - 3.5 * u + .15 * sm(2, len(tm)), 12), dims=("time",), attrs=dict(units="1", long_name="safety factor at 95 % of the flux"))
    m = g.create_group("magnetics", attributes=dict(source="amb", description="pickup coils and flux loops")); tt = -.05 + .0001 * np.arange(T * 10); uu = np.interp(tt, t, up); b = np.stack([uu * (.05 + .01 * k % .04) * (1 + .03 * sm(60, T * 10)) + 4e-4 * rng.standard_normal(T * 10) for k in range(20)]); arr2(m, "b_field_pol_probe_ccbv_field", br(b, 11).astype("f4"), (10, T * 10), ("channel", "time"), attrs=dict(units="T", long_name="centre column vertical field")); arr2(m, "time", tt, dims=("time",), attrs=ta); arr2(m, "channel", np.array([f"CCBV{k + 1:02d}" for k in range(20)], "<U6"), dims=("channel",), fill="")
    s = g.create_group("thomson_scattering", attributes=dict(source="ayc", description="core Thomson scattering")); rr = np.linspace(.25, 1.45, 60); pr = np.exp(-((rr - .9) / .35) ** 4); te = 950 * u[:, None] * pr[None] * (1 + .06 * rng.standard_normal((len(tm), 60))); ne = 3.2e19 * u[:, None] * pr[None] ** .6 * (1 + .05 * rng.standard_normal((len(tm), 60)))
    for k, v, un in (("t_e", te, "eV"), ("n_e", ne, "m^-3")): arr2(s, k, br(v, 9), (31, 60), ("time", "major_radius"), attrs=dict(units=un))
    arr2(s, "time", tm + .0004, dims=("time",), attrs=ta); arr2(s, "major_radius", rr, dims=("major_radius",), attrs=dict(units="m"))
    y = g.create_group("summary", attributes=dict(source="amc", description="plasma current and heating")); arr2(y, "ip", br(7.2e5 * up * (1 + .01 * sm(15)) + 300 * rng.standard_normal(T), 12), dims=("time",), attrs=dict(units="A", long_name="plasma current")); arr2(y, "power_nbi", br(1.9e6 * (t > .1) * (t < .3) + 2e3 * np.abs(rng.standard_normal(T)), 10), dims=("time",), attrs=dict(units="W")); arr2(y, "time", t, dims=("time",), attrs=ta); consol2(path)
    if fault: q = Path(path, ".zmetadata"); d = jload(q); d["metadata"] = {k: v for k, v in d["metadata"].items() if k.startswith("summary/") or "/" not in k}; jdump(q, d)
@check("23")
def k23(f, c):
    r = [(sorted(zarr.open_group(p, mode="r", use_consolidated=True).group_keys()), len(list(zarr.open_group(p, mode="r", use_consolidated=False).group_keys()))) for p in (f, c)]
    assert r[0] == (["summary"], 4) and len(r[1][0]) == 4, r
    xr.open_datatree(c, engine="zarr").load(); return str(r)

@case("24", "lz4-frames-for-lz4-blocks", "storage", "zarr-developers/numcodecs#816",
      "The chunks of raw/s0 are LZ4 frames (they begin with 04 22 4d 18, as lz4.frame and cramjam write them) but compressor id lz4 means a plain LZ4 block with its size in the 4 bytes before it: they can not be decoded; raw/s1 is right.",
      "raw/s0 (s0)|lz4|frame (04 22 4d 18, 04224d18, 0x184D2204, magic, frames)|block (header, size, decode, decompress, format, can not)",
      "all chunk files of raw/s0 begin with the magic number of the LZ4 frame format; read as numcodecs lz4 the size would be 0x184d2204 = 407708164 bytes for a chunk of 32 x 48 x 48; the files of raw/s1 begin with 00 20 01 00, the 73728 bytes of a chunk")
def c24(path, fault, rng):
    nv, im, U = scroll(rng, 64, 144); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="FIB-SEM cutout", institution="Janelia")); sc = lambda i: [dict(type="scale", scale=[8.0 * 2 ** i] * 3)]; r = g.create_group("raw", attributes=dict(multiscales=[dict(version="0.4", name="raw", axes=[dict(name=q, type="space", unit="nanometer") for q in "zyx"], datasets=[dict(path=f"s{i}", coordinateTransformations=sc(i)) for i in range(2)])])); L = numcodecs.LZ4(acceleration=1); s1 = im.reshape(32, 2, 72, 2, 72, 2).mean((1, 3, 5)).round().astype("u1")
    arr2(r, "s0", im, (32, 48, 48), comp=L, sep="/", fill=0); arr2(r, "s1", s1, (32, 48, 48), comp=L, sep="/", fill=0)
    if fault:
        for q in [x for x in Path(path, "raw/s0").rglob("*") if x.is_file() and not x.name.startswith(".")]: q.write_bytes(lz4frame(bytes(L.decode(q.read_bytes()))))
@check("24")
def k24(f, c):
    assert (xxh32s(bytes([0x60, 0x40])) >> 8) & 255 == 0x82
    r = []
    for p in (f, c):
        try: o = float(zarr.open_array(p + "/raw/s0", mode="r")[:].mean())
        except Exception as e: o = repr(e)[:70]
        r.append((Path(p, "raw/s0/0/0/0").read_bytes()[:4].hex(), o, float(zarr.open_array(p + "/raw/s1", mode="r")[:].mean())))
    assert r[0][0] == "04224d18" and isinstance(r[0][1], str) and isinstance(r[1][1], float), r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c + "/raw"))())) >= 1; return str(r)

@case("25", "hidden-metadata-files-not-copied", "storage", "ecmwf/WeatherGenerator#1905",
      "The copy of the dataset lacks all hidden files: there is no .zgroup, .zattrs or .zarray anywhere, neither in the root nor in data, dates, latitudes, longitudes or the statistics, only the directories with chunk files such as data/0.0.0.0; nothing can be opened.",
      ".zarray (.zgroup, metadata, documents, zarr.json)|missing (no metadata, absent, not there, lacks, without, not found, no documents, lost)|chunk (chunks, chunk files, data/0.0.0.0, 0.0.0.0, data)",
      "the directories data, dates, latitudes, mean ... hold files named like chunk keys (0.0.0.0 ... 9.0.0.0, 0) that begin with the header of Blosc, but no file begins with a dot and there is no zarr.json")
def c25(path, fault, rng):
    ny, nx, T = 24, 48, 40; lat = 86.25 - 7.5 * np.arange(ny); lon = 7.5 * np.arange(nx); V = ["10u", "10v", "2t", "msl", "sp", "tcw"]; s = lambda q=(1, 1.5, 2.5): smooth(rng, (T, ny, nx), q, True); p = np.deg2rad(lat)[None, :, None]; w = s(); d = dict(zip(V, (-4 * np.cos(3 * p) + 3 * s(), 2.5 * s(), 301 - 48 * np.sin(p) ** 2 + 2.2 * w, 101300 + 850 * s(), 98500 + 850 * s() + 0 * p, np.clip(45 * np.cos(p) ** 3 + 3 + 4 * w, .3, None)))); A = np.stack([br(d[k], 10) for k in V], 1).reshape(T, len(V), 1, ny * nx).astype("f4"); st = lambda fn: fn(A.astype("f8").transpose(1, 0, 2, 3).reshape(len(V), -1), axis=1); la, lo = np.meshgrid(lat, lon, indexing="ij")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(variables=V, start_date="2020-01-01T00:00:00", end_date="2020-01-10T18:00:00", frequency="6h", resolution="7.5", field_shape=[ny, nx], flatten_grid=True, ensemble_dimension=2, missing_dates=[], version="0.30", description="ERA5 sample", statistics_start_date="2020-01-01T00:00:00", statistics_end_date="2020-01-10T18:00:00"))
    arr2(g, "data", A, (4, len(V), 1, ny * nx), ("time", "variable", "ensemble", "cell")); arr2(g, "dates", (np.datetime64("2020-01-01T00", "s") + np.arange(T) * np.timedelta64(6, "h")).astype("M8[s]"), dims=("time",), fill=0); arr2(g, "latitudes", la.ravel(), dims=("cell",)); arr2(g, "longitudes", lo.ravel(), dims=("cell",))
    for k, x in (("mean", st(np.mean)), ("stdev", st(np.std)), ("minimum", st(np.min)), ("maximum", st(np.max)), ("sums", st(np.sum)), ("squares", (A.astype("f8") ** 2).sum((0, 2, 3)))): arr2(g, k, x, dims=("variable",))
    arr2(g, "count", np.full(len(V), T * ny * nx, "i8"), dims=("variable",), fill=0); consol2(path)
    if fault:
        for q in list(Path(path).rglob(".z*")): q.unlink()
@check("25")
def k25(f, c):
    assert not list(Path(f).rglob(".z*")) and len([q for q in Path(f).rglob("*") if q.is_file()]) == len([q for q in Path(c).rglob("*") if q.is_file() and not q.name.startswith(".")])
    try: zarr.open(f, mode="r"); e = "opens"
    except Exception as x: e = repr(x)[:60]
    z = zarr.open_group(c, mode="r"); assert e != "opens" and np.allclose(z["mean"][:], z["data"][:].mean((0, 2, 3)), rtol=1e-3); return e

@case("26", "shuffle-with-wrong-element-size", "storage", "fsspec/kerchunk#342",
      "The shuffle filter of temp and salt states elementsize 8 but the arrays are float32, of 4 bytes: a chunk of 525 values has 2100 bytes, no multiple of 8, so it can not be decoded (Shuffle buffer is not an integer multiple of elementsize); zeta and u have elementsize 4.",
      "temp (salt)|elementsize (element size, elementsize 8)|8|4 (float32, <f4, multiple, 2100, itemsize, 4 bytes)",
      "dtype of temp and salt is <f4, their filters say shuffle with elementsize 8; zlib gives 2100 bytes for each chunk of 1 x 1 x 21 x 25; with elementsize 4 the values are smooth fields of 4 to 15.4 degC and 29 to 34")
def c26(path, fault, rng):
    T, K, ny, nx = 12, 6, 42, 50; s = lambda q: smooth(rng, (T, K, ny, nx), q); sr = -(np.arange(K)[::-1] + .5) / K; dp = sr[None, :, None, None]; tr = dict(temp=(8 + 4.5 * (1 + dp) + 1.1 * s((2, 1, 5, 5)), "Celsius", "sea_water_potential_temperature"), salt=(33.5 - 2.5 * (1 + dp) * (1 + .3 * smooth(rng, (ny, nx), 6)) + .3 * s((2, 1, 5, 5)), "1e-3", "sea_water_practical_salinity"), u=(.18 * s((1, 1, 4, 4)), "m s-1", "sea_water_x_velocity")); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="Northwest Gulf of Alaska ROMS hindcast, subset", type="ROMS/TOMS history file", Conventions="CF-1.4", history="references of 12 files combined with kerchunk, chunks copied")); sh = lambda n: [numcodecs.Shuffle(elementsize=n)]; Z = numcodecs.Zlib(level=4)
    for k, (v, u, sn) in tr.items(): arr2(g, k, br(v, 12).astype("f4"), (1, 1, 21, 25), ("ocean_time", "s_rho", "eta_rho", "xi_rho"), comp=Z, filters=sh(4), attrs=dict(units=u, standard_name=sn, coordinates="lat_rho lon_rho"))
    arr2(g, "zeta", br(1.4 * np.sin(np.arange(T) / 12.42 * 2 * np.pi)[:, None, None] + .1 * smooth(rng, (T, ny, nx), (1, 5, 5)), 11), (1, 21, 25), ("ocean_time", "eta_rho", "xi_rho"), comp=Z, filters=sh(4), attrs=dict(units="m", standard_name="sea_surface_height_above_geoid", coordinates="lat_rho lon_rho")); la, lo = np.meshgrid(56.5 + .03 * np.arange(ny), -153 + .05 * np.arange(nx), indexing="ij")
    arr2(g, "lat_rho", la + .002 * lo, (ny, nx), ("eta_rho", "xi_rho"), attrs=dict(units="degrees_north", standard_name="latitude")); arr2(g, "lon_rho", lo, (ny, nx), ("eta_rho", "xi_rho"), attrs=dict(units="degrees_east", standard_name="longitude")); arr2(g, "s_rho", sr, dims=("s_rho",), attrs=dict(long_name="S-coordinate at RHO-points", positive="up", standard_name="ocean_s_coordinate_g2")); arr2(g, "ocean_time", 3600.0 * np.arange(T), dims=("ocean_time",), attrs=dict(units="seconds since 1999-01-01 00:00:00", calendar="gregorian", standard_name="time", axis="T"))
    if fault:
        for k in ("temp", "salt"): q = Path(path, k, ".zarray"); d = jload(q); d["filters"][0]["elementsize"] = 8; jdump(q, d)
    consol2(path)
@check("26")
def k26(f, c):
    r = []
    for p in (f, c):
        z = zarr.open_group(p, mode="r")
        try: o = float(z["temp"][:].mean())
        except Exception as e: o = str(e)[:70]
        r.append((o, float(z["u"][:].std())))
    assert isinstance(r[0][0], str) and 5 < r[1][0] < 15, r
    xr.open_zarr(c).load(); return str(r)

@case("27", "few-chunks-with-broken-gzip-header", "storage", "seung-lab/neuroglancer#66",
      "Three of the 64 chunk files of image/0 (1/0/2, 2/3/1 and 3/2/2) have a broken gzip header: the third byte, the method, is 0 or 168 rather than 8 (deflate), so they can not be decompressed (unknown compression method); all others are right.",
      "image/0 (0)|1/0/2 (2/3/1, 3/2/2)|gzip (method, header, compression method, decompress, decode, corrupt)",
      "the files begin with 1f 8b as the others do but the third byte is 00 or a8; the rest of them is a good deflate stream whose crc32 and length at the end fit")
def c27(path, fault, rng):
    nv, im, U = scroll(rng, 128, 152); G = numcodecs.GZip(level=5); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="pinky40, mean of 8 x 8 x 40 nm")); r = g.create_group("image", attributes=dict(multiscales=[dict(version="0.4", name="image", axes=[dict(name=q, type="space", unit="nanometer") for q in "zyx"], datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=[40.0 * 2 ** i, 8.0 * 2 ** i, 8.0 * 2 ** i])]) for i in range(2)])])); s1 = im.reshape(64, 2, 76, 2, 76, 2).mean((1, 3, 5)).round().astype("u1")
    arr2(r, "0", im, (32, 38, 38), comp=G, sep="/", fill=0); arr2(r, "1", s1, (32, 38, 38), comp=G, sep="/", fill=0)
    for q in Path(path).rglob("*"):
        if q.is_file() and not q.name.startswith("."): b = bytearray(q.read_bytes()); b[4:8] = bytes(4); q.write_bytes(bytes(b))
    if fault:
        for k, m in (("1/0/2", 0), ("2/3/1", 168), ("3/2/2", 0)): q = Path(path, "image/0", k); b = bytearray(q.read_bytes()); b[2] = m; q.write_bytes(bytes(b))
@check("27")
def k27(f, c):
    import gzip
    r = []
    for p in (f, c):
        bad = []
        for q in sorted(x for x in Path(p, "image/0").rglob("*") if x.is_file() and not x.name.startswith(".")):
            try: gzip.decompress(q.read_bytes())
            except Exception: bad.append(str(q.relative_to(Path(p, "image/0"))))
        r.append(bad)
    assert r == [["1/0/2", "2/3/1", "3/2/2"], []], r
    zarr.open_array(c + "/image/0", mode="r")[:]; n = zarr.open_array(c + "/image/0", mode="r").nchunks
    return str((r, n))

@case("28", "chunks-compressed-twice", "storage", "zenodo/zenodo#1705",
      "The chunk files of runoff and swe were compressed a second time when they were deposited: after one gzip the bytes are again a gzip file (1f 8b), much shorter than the chunk; decoded once as .zarray says they do not have the size of the chunk; precipitation with blosc is right.",
      "runoff (swe)|twice (double, second time, two times, again, doubly)|gzip (1f 8b, 1f8b, .gz)",
      "gunzip of runoff/0.0.0 gives bytes that begin with 1f 8b 08, not 30 x 40 x 50 float32; gunzip of these gives 240000 bytes; compressor of runoff and swe is gzip, of precipitation blosc")
def c28(path, fault, rng):
    import gzip
    T, ny, nx = 60, 80, 50; lat = 47.9 - .05 * np.arange(ny); lon = 8 + .05 * np.arange(nx); s = lambda q: smooth(rng, (T, ny, nx), q); z = smooth(rng, (ny, nx), 8); pr = np.clip(s((.9, 4, 4)) - .3, 0, None) * 9; ro = np.clip(gaussian_filter(pr, (2.5, 1, 1)) * .5 + .6 + .25 * z[None], .02, None); sw = np.clip(60 * (z[None] - .3) - .55 * np.arange(T)[:, None, None] + 6 * s((6, 2, 2)), 0, None); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="distributed water balance, upper Danube", Conventions="CF-1.8", license="CC-BY-4.0", publisher="deposited in a public repository")); D = ("time", "lat", "lon")
    for k, v, sn, cp in (("precipitation", pr, "precipitation_amount", BLOSC2), ("runoff", ro, "runoff_amount", numcodecs.GZip(level=6)), ("swe", sw, "surface_snow_amount", numcodecs.GZip(level=6))): arr2(g, k, br(v, 9).astype("f4"), (30, 40, 50), D, comp=cp, attrs=dict(units="kg m-2", standard_name=sn, cell_methods="time: sum" if k != "swe" else "time: point"))
    arr2(g, "time", np.arange(T), dims=("time",), fill=-1, attrs=dict(units="days since 2018-02-01", calendar="standard", standard_name="time", axis="T")); arr2(g, "lat", lat, dims=("lat",), attrs=LATA); arr2(g, "lon", lon, dims=("lon",), attrs=LONA); consol2(path)
    for k in ("runoff", "swe"):
        for q in Path(path, k).iterdir():
            if not q.name.startswith("."): b = gzip.compress(gzip.decompress(q.read_bytes()), 6, mtime=0); q.write_bytes(gzip.compress(b, 6, mtime=0) if fault else b)
@check("28")
def k28(f, c):
    import gzip
    r = []
    for p in (f, c):
        try: o = float(zarr.open_group(p, mode="r")["runoff"][:].mean())
        except Exception as e: o = repr(e)[:70]
        r.append((gzip.decompress(Path(p, "runoff/0.0.0").read_bytes())[:3].hex(), o))
    assert r[0][0] == "1f8b08" and isinstance(r[0][1], str) and 0 < r[1][1] < 9, r
    xr.open_zarr(c).load(); return str(r)

@case("29", "arrays-without-dimension-names", "storage", "source-cooperative/metadata-catalog#145",
      "zarr.json of all arrays (b02, b03, b04, x and y of r10m and r20m) lacks dimension_names (it is null): xarray refuses to open the store since it can not know the dimensions, and x and y can not be matched with the axes; spatial:dimensions in the groups says y, x.",
      "dimension_names (dimension names, named dimensions)|missing (null, None, absent, lacks, no , without, not set, unnamed)|xarray (r10m, b02, b03, b04, r20m, coordinates, x)",
      "no zarr.json of an array has dimension_names; xarray needs them in V3 (KeyError: Zarr object is missing the dimension_names metadata); x has the length of the last axis of b02 and y of the first, spatial:dimensions is [y, x]")
def c29(path, fault, rng):
    cv = [dict(uuid="689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", name="spatial:", description="Spatial coordinate information", schema_url="https://raw.githubusercontent.com/zarr-conventions/spatial/refs/tags/v1/schema.json", spec_url="https://github.com/zarr-conventions/spatial/blob/v1/README.md"), dict(uuid="f17cb550-5864-4468-aeb7-f3180cfb622f", name="proj:", description="Coordinate reference system information for geospatial data", schema_url="https://raw.githubusercontent.com/zarr-experimental/geo-proj/refs/tags/v1/schema.json", spec_url="https://github.com/zarr-experimental/geo-proj/blob/v1/README.md")]
    H = 240; x0, y0 = 699960.0, 4900020.0; f = smooth(rng, (H, H), 3) + .8 * smooth(rng, (H, H), 14); fl = np.floor(np.arange(H) / 24); fld = rng.normal(0, .6, (10, 10))[np.ix_(fl.astype(int), fl.astype(int))]; b = {k: np.clip(np.rint(1000 + m * (1 + .28 * (f * a + fld)) + 14 * rng.standard_normal((H, H))), 1, 65535).astype("u2") for k, m, a in (("b02", 620, .7), ("b03", 850, .8), ("b04", 900, 1.0))}
    g = zarr.create_group(str(path), zarr_format=3, attributes={"title": "Sentinel-2 L2A, true colour bands, cutout", "zarr_conventions": cv, "proj:code": "EPSG:32632", "spatial:dimensions": ["y", "x"], "spatial:bbox": [x0, y0 - 10 * H, x0 + 10 * H, y0]})
    for nm, k in (("r10m", 1), ("r20m", 2)):
        n = H // k; r = 10.0 * k; q = g.create_group(nm, attributes={"zarr_conventions": cv, "proj:code": "EPSG:32632", "spatial:dimensions": ["y", "x"], "spatial:shape": [n, n], "spatial:transform": [r, 0.0, x0, 0.0, -r, y0], "spatial:transform_type": "affine", "spatial:registration": "pixel", "spatial:bbox": [x0, y0 - 10 * H, x0 + 10 * H, y0]}); dn = lambda *a: None if fault else a
        for v in b: arr3(q, v, b[v] if k == 1 else down2(b[v]), (120, 120), dn("y", "x"), dict(long_name=f"band {v[1:]}", units="1", valid_min=1, comment="digital numbers, reflectance is (DN - 1000) / 10000"))
        arr3(q, "x", x0 + r * (np.arange(n) + .5), None, dn("x"), dict(units="m", standard_name="projection_x_coordinate")); arr3(q, "y", y0 - r * (np.arange(n) + .5), None, dn("y"), dict(units="m", standard_name="projection_y_coordinate"))
    zarr.consolidate_metadata(path)
@check("29")
def k29(f, c):
    r = []
    for p in (f, c):
        try: o = str(dict(xr.open_zarr(p, group="r10m").load().sizes))
        except Exception as e: o = repr(e)[:80]
        r.append((zarr.open_array(p + "/r10m/b02", mode="r").metadata.dimension_names, o))
    assert r[0][0] is None and "dimension_names" in r[0][1] and r[1][0] == ("y", "x"), r
    return str(r)

@case("30", "blosc-configuration-with-nthreads", "storage", "zarr-developers/zarr-python#4303",
      "The configuration of the codec blosc of s0 and s1 holds nthreads, which is no part of the metadata of a store (the specification has typesize, cname, clevel, shuffle and blocksize): readers fail (BloscCodec got an unexpected keyword argument nthreads); labels/cells is written without it.",
      "nthreads|blosc|s0 (s1)",
      "codecs in s0/zarr.json and s1/zarr.json: blosc with cname, clevel, shuffle, typesize, blocksize and nthreads 1; labels/cells/s0 has the five keys of the specification only; the chunks are good Blosc buffers")
def c30(path, fault, rng):
    lab, im = cell_image(rng, 90, 256, 320, 7, 11, 4); T = 4; x = np.stack([np.stack([np.clip(noisy(rng, lab, 6.3, 5), 0, 65535), im]) for _ in range(T)]); ax = [dict(name="t", type="time", unit="second"), dict(name="c", type="channel")] + [dict(name=q, type="space", unit="micrometer") for q in "yx"]; ms = lambda n, a, pre: [dict(name=n, axes=a, datasets=[dict(path=f"s{i}", coordinateTransformations=[dict(type="scale", scale=pre + [.103 * 2 ** i] * 2)]) for i in range(2)])]
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(ome=dict(version="0.5", multiscales=ms("20260421_A4-2_63X", ax, [30.0, 1.0])))); L = g.create_group("labels", attributes=dict(ome=dict(version="0.5", labels=["cells"]))); q = L.create_group("cells", attributes={"ome": {"version": "0.5", "multiscales": ms("cells", ax[2:], []), "image-label": dict(version="0.5", source=dict(image="../../"))}}); BC = zarr.codecs.BloscCodec(cname="lz4", clevel=5, shuffle="shuffle")
    for i, v in enumerate((x, down2(x))): arr3(g, f"s{i}", v, (1, 1, 128, 160), list("tcyx"), compressors=BC)
    for i, v in enumerate((lab, lab[::2, ::2])): arr3(q, f"s{i}", v.astype("u2"), (128, 160), list("yx"), compressors=BC)
    for k in ("s0", "s1"):
        p = Path(path, k, "zarr.json"); d = jload(p)
        if fault: d["codecs"][1]["configuration"]["nthreads"] = 1
        jdump(p, d)
@check("30")
def k30(f, c):
    r = []
    for p in (f, c):
        try: o = float(zarr.open_array(p + "/s0", mode="r")[:].mean())
        except Exception as e: o = repr(e)[:80]
        r.append((o, int(zarr.open_array(p + "/labels/cells/s0", mode="r")[:].max())))
    assert "nthreads" in str(r[0][0]) and isinstance(r[1][0], float) and r[0][1] == r[1][1], r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c))())) >= 1; return str(r)
if __name__ == "__main__": main()
