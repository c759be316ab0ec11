#!/usr/bin/env python3
"""blind21: 30 faulty Zarr stores with their healthy twins.  Run with /work/venv/bin/python3 blind21.py [NN ...]"""
from drawing import *

# ------------------------------------------------------------------ RELATIONS 01-10
@case("01", "ome-label-pyramid-interpolated", "relation", "ome/ome-zarr-py#482",
      "The lower levels 1 and 2 of the label image labels/cells were resized with linear interpolation (order=1): at the borders of cells they hold averages, ids of other cells or of none that are not there in level 0.",
      "labels/cells|level 1 (labels/cells/1, s1)|interpolated (averaged, not nearest, ids not in the block of level 0)",
      "a pixel of level 1 must be one of the ids of its 2x2 block in level 0: many border pixels of levels 1 and 2 are not, their value is the mean of the block")
def c01(path, fault, rng):
    lab, dapi = cell_image(rng, 150, 384, 384); L = 3
    act = np.clip(rng.poisson(np.clip(gaussian_filter(np.r_[0, rng.lognormal(6.1, .7, lab.max())][lab], 2.2) + 110, 1, None)), 0, 65535).astype("u2")
    x = np.stack([dapi, act]); ax = [dict(name=k, type="space", unit="micrometer") for k in "yx"]
    ct = lambda l, c: [dict(type="scale", scale=([1.0] if c else []) + [.65 * 2 ** l] * 2)]
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", multiscales=[dict(name="A549_field_03", axes=[dict(name="c", type="channel")] + ax, datasets=[dict(path=f"s{l}", coordinateTransformations=ct(l, 1)) for l in range(L)])],
        omero=dict(channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=100, end=3000)) for n, k in (("DAPI", "0000FF"), ("Phalloidin", "00FF00"))]))})
    lg = g.create_group("labels", attributes={"ome": dict(version="0.5", labels=["cells"])})
    c = lg.create_group("cells", attributes={"ome": {"version": "0.5", "multiscales": [dict(name="cells", axes=ax, datasets=[dict(path=f"s{l}", coordinateTransformations=ct(l, 0)) for l in range(L)])], "image-label": dict(version="0.5", source=dict(image="../../"))}})
    for l in range(L):
        arr3(g, f"s{l}", x, (1, 128, 128), ("c", "y", "x")); x = down2(x)
        arr3(c, f"s{l}", lab, (128, 128), ("y", "x")); lab = down2(lab) if fault else lab[1::2, 1::2]
@check("01")
def k01(f, c):
    r = []
    for p in (f, c):
        a = zarr.open_group(p, mode="r")["labels/cells"]; b = a["s0"][:]
        for l in (1, 2):
            s = a[f"s{l}"][:]; n = 2 ** l; blk = b.reshape(s.shape[0], n, s.shape[1], n).transpose(0, 2, 1, 3).reshape(*s.shape, n * n); r.append(int((blk != s[..., None]).all(-1).sum()))
    assert min(r[:2]) > 300 and r[2:] == [0, 0], r
    return f"pixels not in the block, level 1 and 2: {r}"

@case("02", "nwb-electrical-series-transposed", "relation", "hdmf-dev/hdmf-zarr#45",
      "acquisition/ElectricalSeries/data is transposed: it is stored as channels x time (32 x 12000) though it must be time x channels, as timestamps (12000) and electrodes (32) say.",
      "ElectricalSeries/data|transposed (channels x time)|timestamps (12000) or electrodes (32)",
      "the first axis of data must be as long as timestamps and the second as electrodes: they are the other way round, and LFP is right")
def c02(path, fault, rng):
    from scipy.signal import butter, sosfiltfilt
    T, C, fs = 12000, 32, 10000.0; x = rng.standard_normal((T, C)) * 9 + 6 * rng.standard_normal((T, 1)); lf = gaussian_filter(rng.standard_normal((T, C)), (120, 4)); lf = lf / lf.std() * 90
    x = sosfiltfilt(butter(2, 4000, "low", fs=fs, output="sos"), x, axis=0) + lf; tw = np.arange(-8, 16) / 10; wf = -np.exp(-(tw / .15) ** 2) + .4 * np.exp(-((tw - .5) / .3) ** 2)
    for _ in range(14):
        c0, amp = rng.uniform(0, C), rng.uniform(80, 300)
        for k in rng.integers(20, T - 40, rng.poisson(9)): x[k - 8:k + 16] += wf[:, None] * amp * np.exp(-((np.arange(C) - c0) / 1.6) ** 2)[None]
    d = np.rint(x / .195).astype("i2"); ts = 3.2104 + np.arange(T) / fs; lfp = np.rint(x.reshape(-1, 10, C).mean(1) / .195).astype("i2")
    oid = lambda i: f"3d1f0c7a-6b52-4e0e-9a41-{i:012d}"
    g = zarr.create_group(str(path), zarr_format=2, attributes={".specloc": "specifications", "namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.9.0", "object_id": oid(1)})
    for k, v in dict(identifier="sub-R12_ses-20230117", session_description="rat, open field, 32-channel silicon probe", session_start_time="2023-01-17T14:05:52.000000+01:00", timestamps_reference_time="2023-01-17T14:05:52.000000+01:00").items():
        vstr(g, k, [v]).attrs["zarr_dtype"] = "scalar"
    g.create_group("specifications"); ge = g.create_group("general"); ee = ge.create_group("extracellular_ephys")
    ee.create_group("shank0", attributes=dict(description="NeuroNexus A1x32", location="CA1", namespace="core", neurodata_type="ElectrodeGroup", object_id=oid(2)))
    el = ee.create_group("electrodes", attributes=dict(colnames=["rel_x", "rel_y", "location", "group_name"], description="electrodes of the probe", namespace="hdmf-common", neurodata_type="DynamicTable", object_id=oid(3)))
    col = lambda n, v, nt="VectorData": arr2(el, n, v, None, ["num_rows"], fill=0, attrs=dict(description=n, namespace="hdmf-common", neurodata_type=nt, object_id=oid(10 + ["id", "rel_x", "rel_y"].index(n)), zarr_dtype=str(np.asarray(v).dtype)))
    col("id", np.arange(C, dtype="i8"), "ElementIdentifiers"); col("rel_x", np.zeros(C)); col("rel_y", np.arange(C) * 50.0)
    for n, v in (("location", "CA1"), ("group_name", "shank0")): vstr(el, n, [v] * C, ["num_rows"], dict(description=n, namespace="hdmf-common", neurodata_type="VectorData", object_id=oid(20 + len(v)), zarr_dtype="object_str"))
    def series(parent, name, data, t, desc, i):
        s = parent.create_group(name, attributes=dict(description=desc, comments="no comments", namespace="core", neurodata_type="ElectricalSeries", object_id=oid(i)))
        arr2(s, "data", data, tuple(min(n, 4000) for n in data.shape), ["num_times", "num_channels"], fill=0, attrs=dict(conversion=1.95e-07, offset=0.0, resolution=-1.0, unit="volts", zarr_dtype="int16"))
        arr2(s, "timestamps", t, None, ["num_times"], fill=0.0, attrs=dict(interval=1, unit="seconds", zarr_dtype="float64"))
        arr2(s, "electrodes", np.arange(C, dtype="i8"), None, ["num_channels"], fill=0, attrs=dict(description="all channels", namespace="hdmf-common", neurodata_type="DynamicTableRegion", table={"value": {"path": "/general/extracellular_ephys/electrodes", "source": "."}, "zarr_dtype": "object"}, zarr_dtype="int64"))
    series(g.create_group("acquisition"), "ElectricalSeries", np.ascontiguousarray(d.T) if fault else d, ts, "raw wideband signal", 4)
    e = g.create_group("processing/ecephys", attributes=dict(description="filtered", namespace="core", neurodata_type="ProcessingModule", object_id=oid(5))).create_group("LFP", attributes=dict(namespace="core", neurodata_type="LFP", object_id=oid(6)))
    series(e, "ElectricalSeries", lfp, ts.reshape(-1, 10).mean(1), "down-sampled to 1 kHz", 7)
    for p in ("processing",): 
        if not Path(path, p, ".zgroup").exists(): jdump(Path(path, p, ".zgroup"), dict(zarr_format=2))
    consol2(path)
@check("02")
def k02(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); s = g["acquisition/ElectricalSeries"]; r.append((s["data"].shape, s["timestamps"].shape, s["electrodes"].shape))
    assert r[0][0] == (32, 12000) and r[1][0] == (12000, 32), r
    return str(r)

@case("03", "vcf-ac-an-of-all-samples", "relation", "sgkit-dev/vcztools#45",
      "Half of the samples were taken out but variant_AC, variant_AN and variant_AF were not computed anew: they still count the 120 samples of before (AN up to 240 with 60 diploid samples).",
      "variant_AC (variant_AN, variant_AF)|call_genotype|60 samples (AN up to 240, more than 120)",
      "counted from call_genotype the number of called alleles is at most 120 and about half of variant_AN in every variant")
def c03(path, fault, rng):
    N, V = 120, 2400; pos = np.sort(rng.choice(np.arange(16050000, 21000000), V, replace=False)).astype("i4"); af = np.clip(rng.beta(.3, 1.5, V), .01, .99)
    gt = (rng.random((V, N, 2)) < af[:, None, None]).astype("i1"); miss = rng.random((V, N)) < .015; gt[miss] = -1
    keep = np.sort(rng.choice(N, N // 2, replace=False)); full = gt; gt = gt[:, keep]; n = len(keep); src = full if fault else gt
    AC = (src == 1).sum((1, 2)).astype("i2"); AN = (src >= 0).sum((1, 2)).astype("i2"); AF = (AC / np.maximum(AN, 1)).astype("f4")
    dp = rng.poisson(31, (V, n)).astype("i2"); dp[miss[:, keep]] = -1; gq = np.clip(rng.normal(68, 20, (V, n)), 3, 99).astype("i1"); gq[miss[:, keep]] = -1
    base = np.array(list("ACGT")); ref = base[rng.integers(0, 4, V)]; alt = np.array([rng.choice(base[base != b]) for b in ref]); names = [f"HG{i:05d}" for i in np.sort(rng.choice(np.arange(90, 4200), N, replace=False))]
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(vcf_zarr_version="0.4", source="bio2zarr-0.1.7", vcf_meta_information=[["fileformat", "VCFv4.3"], ["reference", "GRCh38"],
        ["INFO", "<ID=AC,Number=A,Type=Integer,Description=\"Allele count in genotypes\">"], ["INFO", "<ID=AN,Number=1,Type=Integer,Description=\"Total number of alleles in called genotypes\">"], ["FORMAT", "<ID=GT,Number=1,Type=String,Description=\"Genotype\">"]]))
    ch = 1000; v = ["variants"]; vs = ["variants", "samples"]
    arr3(g, "variant_contig", np.zeros(V, "i1"), (ch,), v); arr3(g, "variant_position", pos, (ch,), v); arr3(g, "variant_length", np.ones(V, "i1"), (ch,), v); arr3(g, "variant_quality", rng.gamma(4, 200, V).astype("f4"), (ch,), v)
    arr3(g, "variant_filter", np.ones((V, 1), bool), (ch, 1), ["variants", "filters"], fill=False)
    arr3(g, "variant_AC", AC[:, None], (ch, 1), ["variants", "alt_alleles"], dict(description="Allele count in genotypes"), fill=-1); arr3(g, "variant_AN", AN, (ch,), v, dict(description="Total number of alleles in called genotypes"), fill=-1); arr3(g, "variant_AF", AF[:, None], (ch, 1), ["variants", "alt_alleles"], dict(description="Allele Frequency, AC/AN"))
    vstr(g, "variant_allele", np.stack([ref, alt], 1), ["variants", "alleles"], chunks=(ch, 2)); vstr(g, "variant_id", [f"rs{i}" for i in rng.integers(10**6, 10**9, V)], v, chunks=(ch,))
    vstr(g, "contig_id", ["chr22"], ["contigs"]); arr3(g, "contig_length", np.array([50818468], "i8"), None, ["contigs"]); vstr(g, "filter_id", ["PASS"], ["filters"]); vstr(g, "sample_id", np.array(names)[keep], ["samples"])
    arr3(g, "call_genotype", gt, (ch, n, 2), ["variants", "samples", "ploidy"], dict(description="Genotype, -1 missing"), fill=-1); arr3(g, "call_genotype_mask", gt < 0, (ch, n, 2), ["variants", "samples", "ploidy"], fill=False)
    arr3(g, "call_genotype_phased", np.zeros((V, n), bool), (ch, n), vs, fill=False); arr3(g, "call_DP", dp, (ch, n), vs, dict(description="Read depth"), fill=-1); arr3(g, "call_GQ", gq, (ch, n), vs, dict(description="Genotype quality"), fill=-1)
    arr3(g, "region_index", np.array([[k // ch, 0, pos[k], pos[min(k + ch, V) - 1], pos[min(k + ch, V) - 1], min(ch, V - k)] for k in range(0, V, ch)], "i4"), None, ["region_index_values", "region_index_fields"])
@check("03")
def k03(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); gt = g["call_genotype"][:]; r.append((int((g["variant_AC"][:, 0] != (gt == 1).sum((1, 2))).sum()), int((g["variant_AN"][:] != (gt >= 0).sum((1, 2))).sum()), int(g["variant_AN"][:].max())))
    assert r[0][1] == 2400 and r[0][2] > 120 and r[1][:2] == (0, 0), r
    return str(r)

@case("04", "radar-fixed-angle-wrapped", "relation", "ARM-DOE/pyart#772",
      "The fixed angle of the first sweep is negative (-0.22 degrees) but was wrapped to 359.78 in sweep_fixed_angle: it contradicts the elevation of the rays of sweep_0.",
      "sweep_fixed_angle|359.78 (359.8)|elevation of sweep_0 (-0.22, negative)",
      "elevation of every ray of sweep_0 is about -0.22 degrees while sweep_fixed_angle says 359.78; the angles of the volume are no longer ascending")
def c04(path, fault, rng):
    el = np.array([-.2197, .4834, 1.3184, 2.417, 4.3945]); na, nr, dr = 180, 140, 500.0; t0 = np.datetime64("2018-10-02T17:30:57"); az = (np.arange(na) * 2 + 1.0); rg = (np.arange(nr) + .5) * dr
    fa = el.copy(); 
    if fault: fa[0] = 360 + el[0]
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="Cf/Radial", version="2.1", title="NEXRAD Level II", instrument_name="KMAX", institution="NOAA NWS", references="", source="", history="xradar 0.9", comment="", scan_name="VCP-215"))
    sc = lambda h, n, v, at=None: arr3(h, n, np.asarray(v), None, (), at)
    sc(g, "latitude", 42.0811, dict(units="degrees_north", standard_name="latitude")); sc(g, "longitude", -122.7173, dict(units="degrees_east", standard_name="longitude")); sc(g, "altitude", 2290.0, dict(units="meters", standard_name="altitude", positive="up")); sc(g, "volume_number", np.int64(0))
    vstr(g, "sweep_group_name", [f"sweep_{i}" for i in range(5)], ["sweep"]); arr3(g, "sweep_fixed_angle", fa, None, ["sweep"], dict(long_name="fixed angle of sweep", units="degrees", standard_name="target_fixed_angle"))
    cl = smooth(rng, (240, 240), 9); zz = smooth(rng, (240, 240), 2.5); vx, vy = 11.0, -6.0
    for i, e in enumerate(el):
        h = g.create_group(f"sweep_{i}"); er = e + .012 * rng.standard_normal(na); xx = rg[None] * np.sin(np.deg2rad(az))[:, None]; yy = rg[None] * np.cos(np.deg2rad(az))[:, None]
        ix = np.clip((xx / 70e3 * 118 + 120).astype(int), 0, 239); iy = np.clip((yy / 70e3 * 118 + 120).astype(int), 0, 239); hgt = rg * np.sin(np.deg2rad(e)) + rg ** 2 / (2 * 8.49e6)
        dbz = 12 + 15 * cl[iy, ix] + 5 * zz[iy, ix] - hgt[None] / 400 + 1.2 * rng.standard_normal((na, nr)); wet = dbz > 0; code = np.where(wet, np.clip(np.rint(dbz * 2 + 66), 2, 255), 0).astype("u1")
        v = (vx * np.sin(np.deg2rad(az)) + vy * np.cos(np.deg2rad(az)))[:, None] * np.cos(np.deg2rad(e)) + 1.5 * cl[iy, ix] + .8 * rng.standard_normal((na, nr)); vc = np.where(wet, np.clip(np.rint(v * 2 + 129), 2, 255), 0).astype("u1")
        D = ("azimuth", "range"); F = lambda s, o, n, u: dict(standard_name=n, units=u, scale_factor=s, add_offset=o, _FillValue=0, coordinates="elevation azimuth range latitude longitude altitude time")
        arr3(h, "DBZH", code, (90, nr), D, F(.5, -33.0, "radar_equivalent_reflectivity_factor_h", "dBZ")); arr3(h, "VRADH", vc, (90, nr), D, F(.5, -64.5, "radial_velocity_of_scatterers_away_from_instrument_h", "meters per seconds"))
        arr3(h, "azimuth", az, None, ("azimuth",), dict(standard_name="ray_azimuth_angle", units="degrees", axis="radial_azimuth_coordinate")); arr3(h, "elevation", er.astype("f8"), None, ("azimuth",), dict(standard_name="ray_elevation_angle", units="degrees", axis="radial_elevation_coordinate"))
        arr3(h, "range", rg.astype("f4"), None, ("range",), dict(standard_name="projection_range_coordinate", units="meters", meters_to_center_of_first_gate=250.0, meters_between_gates=500.0)); arr3(h, "time", (i * 24 + np.arange(na) / 9).astype("f8"), None, ("azimuth",), dict(standard_name="time", units=f"seconds since {t0}Z", calendar="standard"))
        sc(h, "sweep_number", np.int64(i)); sc(h, "sweep_fixed_angle", fa[i], dict(units="degrees", standard_name="target_fixed_angle")); vstr(h, "sweep_mode", ["azimuth_surveillance"], ["sweep_mode_dim"])
@check("04")
def k04(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); r.append([round(float(abs(g[f"sweep_{i}/elevation"][:].mean() - g["sweep_fixed_angle"][i])), 2) for i in range(5)])
    assert r[0][0] > 359 and max(r[0][1:]) < .05 and max(r[1]) < .05, r
    return str(r)

@case("05", "append-left-out-a-variable", "relation", "pydata/xarray#10766",
      "The dataset that was appended had no swe: all other variables and time grew to 150 steps, swe still has 100, so its dimension time contradicts the rest and the store cannot be opened as a dataset.",
      "swe|100|150 (time, conflicting sizes for dimension time)",
      "shape of swe along time is 100, that of time, dis24 and rowe is 150")
def c05(path, fault, rng):
    nt, n1, ny, nx = 150, 100, 40, 48; t = pd.date_range("2024-01-01", periods=nt); lat = 48.475 - .05 * np.arange(ny); lon = 9.025 + .05 * np.arange(nx)
    z = 900 + 500 * smooth(rng, (ny, nx), 4); acc = np.exp(2.2 * smooth(rng, (ny, nx), 1.2)); wet = gaussian_filter(np.clip(smooth(rng, (nt, ny, nx), (1.2, 6, 6)) - .3, 0, None), (3, 0, 0)); seas = np.cos(2 * np.pi * (np.arange(nt) - 30) / 365)[:, None, None]
    ro = np.clip(.4 + 4 * wet + .1 * rng.standard_normal(wet.shape), 0, None); dis = acc[None] * (1 + 3 * gaussian_filter(wet, (2, 1, 1))); swe = np.clip((z[None] - 700) * .25 * (.4 + seas) + 25 * gaussian_filter(smooth(rng, (nt, ny, nx), (8, 3, 3)), 1), 0, None)
    D = ("time", "lat", "lon"); ds = xr.Dataset({"dis24": (D, br(dis, 9), dict(long_name="Mean discharge in the last 24 hours", units="m3 s-1", standard_name="water_volume_transport_in_river_channel")), "rowe": (D, br(ro, 9), dict(long_name="Runoff water equivalent (surface plus subsurface)", units="kg m-2")), "swe": (D, br(swe, 9), dict(long_name="Snow depth water equivalent", standard_name="lwe_thickness_of_surface_snow_amount", units="mm"))},
        coords=dict(time=("time", t, dict(standard_name="time", axis="T")), lat=("lat", lat.round(3), LATA), lon=("lon", lon.round(3), LONA)), attrs=dict(Conventions="CF-1.8", title="GloFAS-ERA5, upper Danube", institution="Copernicus Emergency Management Service"))
    e = {v: dict(chunks=(25, ny, nx)) for v in ds.data_vars}; e["time"] = enc_time("days since 1970-01-01", chunk=512)
    ds.isel(time=slice(0, n1)).to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding=e)
    ds.isel(time=slice(n1, None)).to_zarr(path, append_dim="time", consolidated=True)
    if fault:
        q = f"{path}/swe/.zarray"; m = jload(q); m["shape"][0] = n1; jdump(q, m)
        for k in range(n1 // 25, nt // 25): os.remove(f"{path}/swe/{k}.0.0")
    consol2(path)
@check("05")
def k05(f, c):
    r = [[zarr.open_array(f"{p}/{v}", mode="r").shape[0] for v in ("time", "dis24", "rowe", "swe")] for p in (f, c)]
    assert r == [[150, 150, 150, 100], [150] * 4], r
    xr.open_zarr(c).load()
    try: xr.open_zarr(f); raise SystemExit("opened")
    except ValueError as e: return str(r) + str(e)[:80]

@case("06", "forecast-rolled-by-half-the-globe", "relation", "NVIDIA/earth2studio#861",
      "From index 6 on (2026-05-12T12) the source files began at 0 degrees already, yet were rolled by half of the globe: t2m, msl and tcwv lie 180 degrees of longitude away from where lon says.",
      "lon|180 degrees (60 columns, half the globe, rolled)|index 6 (2026-05-12T12)",
      "the land-sea mask lsm and the orography z fit t2m up to index 5 (cold mountains, day and night over land) and fit it from index 6 on only when it is rolled by 60 columns; the step from 5 to 6 is a jump")
def c06(path, fault, rng):
    ny, nx, nt = 61, 120, 12; lat = 90 - 3.0 * np.arange(ny); lon = 3.0 * np.arange(nx); t = pd.date_range("2026-05-11", periods=nt, freq="6h")
    land = land_mask(rng, ny, nx, .36, (5, 8)) | (lat[:, None] < -78); oro = np.where(land, 80 + 900 * np.abs(gaussian_filter(smooth(rng, (ny, nx), (1.5, 2), True), 0)) ** 1.6, 0); cl = np.cos(np.deg2rad(lat))[:, None]
    lt = (np.asarray(t.hour)[:, None] + lon[None] / 15) % 24; day = np.cos((lt - 14) / 24 * 2 * np.pi)[:, None, :]; f = lambda s: smooth(rng, (nt, ny, nx), s, True)
    wx = f((2, 2.5, 3.5)); t2 = 246 + 54 * cl ** 1.3 - .0055 * oro + 2.2 * wx * (1.3 - cl) * 2 + land * (5.5 * day * cl + 1.5) + .25 * f((0, .7, .7)); ms = 101200 + 1300 * f((2, 3, 4)) * (1.15 - cl) - 200 * wx; tc = np.clip(4 + 46 * cl ** 3 * (1 + .22 * f((2, 2, 3))) - oro * .004, .3, None)
    if fault:
        for a in (t2, ms, tc): a[6:] = np.roll(a[6:], nx // 2, axis=2)
    D = ("time", "lat", "lon"); ds = xr.Dataset({"t2m": (D, br(t2, 12), dict(long_name="2 metre temperature", standard_name="air_temperature", units="K")), "msl": (D, br(ms, 13), dict(long_name="mean sea level pressure", standard_name="air_pressure_at_mean_sea_level", units="Pa")), "tcwv": (D, br(tc, 9), dict(long_name="total column water vapour", units="kg m-2")),
        "lsm": (("lat", "lon"), land.astype("f4"), dict(long_name="land-sea mask", standard_name="land_binary_mask", units="1")), "z": (("lat", "lon"), br(oro * 9.80665, 11), dict(long_name="surface geopotential", standard_name="geopotential", units="m2 s-2"))},
        coords=dict(time=("time", t, dict(standard_name="time")), lat=("lat", lat, LATA), lon=("lon", lon, LONA)), attrs=dict(Conventions="CF-1.8", source="AIFS ENS open data, member 50", history="earth2studio fetch_data"))
    ds.to_zarr(path, mode="w", zarr_format=3, encoding={v: dict(chunks=(4, ny, nx)) for v in ("t2m", "msl", "tcwv")} | {"time": enc_time("hours since 1970-01-01", chunk=64)})
@check("06")
def k06(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); o = d.z.values - d.z.values.mean(1, keepdims=True); a = d.t2m.values - d.t2m.values.mean(2, keepdims=True)
        r.append([round(float(np.corrcoef(o[6:-6].ravel(), a[k, 6:-6].ravel())[0, 1]), 2) for k in (0, 3, 5, 6, 8, 11)])
    assert max(r[0][:3]) < -.25 and min(r[0][3:]) > max(r[0][:3]) + .15 and max(r[1]) < -.2, r
    return f"correlation z, t2m {r}"

@case("07", "lake-mask-upside-down", "relation", "xarray-contrib/xarray-spatial#2170",
      "lake_id was rasterized with row 0 at the north although y ascends: it is upside down against elevation and lake_depth on the same grid.",
      "lake_id|flipped (upside down, mirrored) along y|lake_depth (elevation)",
      "lake_depth is only known where there is a lake and elevation is flat there: both fit lake_id[::-1], not lake_id")
def c07(path, fault, rng):
    ny, nx = 220, 260; h = 880 + 160 * smooth(rng, (ny, nx), 22) + 45 * smooth(rng, (ny, nx), 7) + 6 * smooth(rng, (ny, nx), 1.8)
    from scipy.ndimage import label
    basin = gaussian_filter(h, 3); low = basin < np.quantile(basin, .17); low[:4] = low[-4:] = False; lab, n = label(low); ids = np.zeros_like(lab); k = 0; dep = np.full((ny, nx), np.nan)
    for i in range(1, n + 1):
        m = lab == i
        if m.sum() < 60: continue
        k += 1; ids[m] = k; lev = np.round(np.quantile(h[m], .93), 1); dep[m] = np.clip(lev - h[m], .3, None); h[m] = lev
    area = np.bincount(ids.ravel())[1:] * 900.0 / 1e6; out = ids[::-1] if fault else ids; x = 612015 + 30.0 * np.arange(nx); y = 5205015 + 30.0 * np.arange(ny)
    ds = xr.Dataset({"elevation": (("y", "x"), br(h, 13), dict(standard_name="surface_altitude", long_name="surface (water or ground) above sea level", units="m", grid_mapping="spatial_ref")), "lake_depth": (("y", "x"), br(dep, 9), dict(long_name="depth of water, missing outside of lakes", standard_name="sea_floor_depth_below_sea_surface", units="m", grid_mapping="spatial_ref")),
        "lake_id": (("y", "x"), out.astype("i2"), dict(long_name="number of the lake polygon, 0 is land", grid_mapping="spatial_ref")), "lake_area": ("lake", area, dict(long_name="area of the polygon", units="km2"))},
        coords=dict(y=("y", y, dict(standard_name="projection_y_coordinate", units="m", axis="Y")), x=("x", x, dict(standard_name="projection_x_coordinate", units="m", axis="X")), lake=("lake", np.arange(1, k + 1), dict(long_name="number of the lake polygon")), spatial_ref=((), np.int64(0), dict(grid_mapping_name="transverse_mercator", latitude_of_projection_origin=0.0, longitude_of_central_meridian=15.0, false_easting=500000.0, false_northing=0.0, scale_factor_at_central_meridian=.9996, semi_major_axis=6378137.0, inverse_flattening=298.257223563))), attrs=dict(Conventions="CF-1.8", title="lakes of the catchment, 30 m", history="xrspatial.rasterize(lakes, like=elevation)"))
    for v in ("elevation", "lake_depth", "lake_id"): ds[v].attrs.pop("grid_mapping"); ds[v].encoding["grid_mapping"] = "spatial_ref"
    ds.to_zarr(path, mode="w", zarr_format=3, encoding={v: dict(chunks=(110, 130)) for v in ("elevation", "lake_depth", "lake_id")})
@check("07")
def k07(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); a = (d.lake_id.values > 0); b = d.lake_depth.notnull().values; r.append((round(float((a == b).mean()), 3), round(float((a[::-1] == b).mean()), 3), int(a.sum())))
    assert r[0][0] < .9 and r[0][1] == 1 and r[1][0] == 1, r
    return str(r)

@case("08", "anndata-blocks-lost-by-dask-workers", "relation", "scverse/anndata#2166",
      "X was written by several dask workers with blocks that did not fit the chunks: parts of three chunks were overwritten with zeros, so X no longer sums up to obs total_counts and n_genes_by_counts (cells 208-299 and 431-449).",
      "X|total_counts (n_genes_by_counts)|zeros (cell 208, rows 208-299, 431-449)",
      "the row sums and numbers of nonzero genes of X differ from obs in these cells only; the zero blocks end at chunk borders (150 x 200)")
def c08(path, fault, rng):
    import anndata as ad
    n, m = 600, 400; types = ["B", "CD4 T", "CD8 T", "Monocyte", "NK"]; ct = rng.integers(0, 5, n); mu = rng.gamma(.35, 2.2, m)[None] * np.exp(.9 * rng.standard_normal((5, m)))
    X = rng.poisson(mu[ct] * rng.lognormal(0, .35, n)[:, None]).astype("f4"); genes = [f"ENSG{i:011d}" for i in np.sort(rng.choice(200000, m, replace=False))]
    obs = pd.DataFrame(dict(cell_type=pd.Categorical([types[i] for i in ct]), total_counts=X.sum(1).astype("f4"), n_genes_by_counts=(X > 0).sum(1).astype("i4"), pct_counts_mt=rng.beta(2, 40, n) * 100), index=["".join(rng.choice(list("ACGT"), 16)) + "-1" for _ in range(n)])
    var = pd.DataFrame(dict(gene_symbol=[f"GENE{i}" for i in range(m)], total_counts=X.sum(0).astype("f4"), n_cells_by_counts=(X > 0).sum(0).astype("i4")), index=genes)
    pca = np.linalg.svd(np.log1p(X / X.sum(1, keepdims=True) * 1e4) - np.log1p(X / X.sum(1, keepdims=True) * 1e4).mean(0), full_matrices=False); a = ad.AnnData(X=X, obs=obs, var=var, obsm=dict(X_pca=(pca[0] * pca[1])[:, :10].astype("f4"))); a.uns["schema"] = "raw counts"
    ad.settings.zarr_write_format = 3
    a.write_zarr(path, chunks=(150, 200))
    if fault:
        z = zarr.open_array(f"{path}/X", mode="r+"); assert z.chunks == (150, 200), z.chunks
        z[208:300, 0:200] = 0; z[208:300, 200:400] = 0; z[431:450, 200:400] = 0
@check("08")
def k08(f, c):
    import anndata as ad
    r = []
    for p in (f, c):
        a = ad.read_zarr(p); d = np.flatnonzero(np.asarray(a.X).sum(1) != a.obs.total_counts.values); r.append((len(d), d[:1].tolist(), d[-1:].tolist(), int((np.asarray(a.X).sum(0) != a.var.total_counts.values).sum())))
    assert r[0][0] == 92 + 19 and r[1][0] == 0 and r[1][3] == 0, r
    return str(r)

@case("09", "pyramid-scale-of-time-lost", "relation", "fideus-labs/ngff-zarr#133",
      "coordinateTransformations of levels 1 and 2 lost the scale of t: 1.0 instead of 60 seconds (t is not down-sampled), and got a translation of 1.0 in t and c.",
      "coordinateTransformations (scale)|t (time)|1.0 instead of 60 (levels scale1, scale2)",
      "all levels have the same number of time points, so the scale of t must be the same 60 s in all; its translation must be 0 as in scale0")
def c09(path, fault, rng):
    T, C, Z, Y, X = 5, 2, 6, 112, 112; sc = [60.0, 1.0, 2.0, .35, .35]; tr = [0.0, 0.0, -10.0, -20.0, -30.0]; b = smooth(rng, (Z, Y, X), (1.2, 4, 4)); d = np.zeros((T, C, Z, Y, X), "u2")
    for t in range(T):
        m = np.roll(b, (2 * t, t), (1, 2)); d[t, 0] = np.clip(rng.poisson(130 + 700 / (1 + np.exp(-3 * (m - .7)))) * .93 ** t, 0, 65535); d[t, 1] = np.clip(rng.poisson(115 + 240 / (1 + np.exp(3 * (m + .3)))), 0, 65535)
    def tf(l):
        f = 2 ** l; s = [*sc[:3], sc[3] * f, sc[4] * f]; o = [*tr[:3], tr[3] + .175 * (f - 1), tr[4] + .175 * (f - 1)]
        if fault and l: s[0] = 1.0; o[0] = o[1] = 1.0
        return [dict(scale=s, type="scale"), dict(translation=o, type="translation")]
    g = zarr.create_group(str(path), zarr_format=2, attributes={"multiscales": [{"name": "image", "version": "0.4", "@type": "ngff:Image", "axes": [dict(name="t", type="time", unit="second"), dict(name="c", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "zyx"],
        "datasets": [dict(path=f"scale{l}/image", coordinateTransformations=tf(l)) for l in range(3)], "coordinateTransformations": [dict(scale=[1.0] * 5, type="scale")], "type": "itkwasm_bin_shrink", "metadata": dict(description="mean of 2x2", method="itkwasm_downsample.bin_shrink", version="1.8.1")}],
        "omero": dict(channels=[dict(label=n, color=k, active=True, window=dict(min=0.0, max=65535.0, start=100.0, end=1000.0)) for n, k in (("GFP", "00FF00"), ("mCherry", "FF0000"))], version="0.4")})
    x = d
    for l in range(3):
        g.create_group(f"scale{l}"); arr2(g, f"scale{l}/image", x, (1, 1, Z, min(64, x.shape[-2]), min(64, x.shape[-1])), ["t", "c", "z", "y", "x"], sep="/", fill=0); x = down2(x)
    consol2(path)
@check("09")
def k09(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r", zarr_format=2); r.append(([q["coordinateTransformations"][0]["scale"][0] for q in g.attrs["multiscales"][0]["datasets"]], [g[q["path"]].shape[0] for q in g.attrs["multiscales"][0]["datasets"]]))
    assert r[0][0] == [60, 1, 1] and r[1][0] == [60] * 3 and r[0][1] == [5] * 3, r
    return str(r)

@case("10", "valid-time-step-as-seconds", "relation", "ecmwf/cfgrib#11",
      "valid_time was computed as if step (hours) were seconds: time + 0, 6, 12 ... seconds rather than hours, it is wrong for all steps after 0.",
      "valid_time|time + step|seconds instead of hours (step 1, index 1)",
      "valid_time must be time + step: it is time + step / 3600; t2m over land goes through whole days along step")
def c10(path, fault, rng):
    t = pd.date_range("2018-04-04", periods=6, freq="12h"); st = np.arange(0, 61, 6); lat = 60 - 1.5 * np.arange(24); lon = -12 + 1.5 * np.arange(30); ny, nx = len(lat), len(lon); hr = (np.asarray(t.hour)[:, None] + st[None]) % 24
    land = gaussian_filter(rng.standard_normal((ny, nx)), 3); land = land > np.quantile(land, .55); wx = smooth(rng, (26, ny, nx), (2, 4, 4)); sh = (6, len(st), ny, nx); w = np.stack([np.stack([wx[min(25, i * 2 + k)] for k in range(len(st))]) for i in range(6)]) + .25 * smooth(rng, sh, (0, 1, 2, 2)) * np.sqrt(st / 60)[None, :, None, None]
    t2 = 281 - .45 * (lat[:, None] - 45) + 2.6 * w + land * (4.5 * np.cos((hr - 14) / 24 * 2 * np.pi))[:, :, None, None]; ms = 101300 + 850 * w + 60 * smooth(rng, sh, (0, 1, 3, 3)); step = pd.to_timedelta(st, "h"); vt = t.values[:, None] + (st.astype("m8[s]") if fault else st.astype("m8[h]"))[None]
    D = ("time", "step", "latitude", "longitude"); G = lambda n, s, u, l: dict(GRIB_shortName=n, GRIB_stepType="instant", GRIB_gridType="regular_ll", standard_name=s, long_name=l, units=u)
    ds = xr.Dataset({"t2m": (D, br(t2, 12), G("2t", "air_temperature", "K", "2 metre temperature")), "msl": (D, br(ms, 13), G("msl", "air_pressure_at_mean_sea_level", "Pa", "Mean sea level pressure"))},
        coords=dict(time=("time", t, dict(long_name="initial time of forecast", standard_name="forecast_reference_time")), step=("step", step, dict(long_name="time since forecast_reference_time", standard_name="forecast_period")), valid_time=(("time", "step"), vt.astype("M8[ns]"), dict(long_name="time", standard_name="time")),
        latitude=("latitude", lat, LATA), longitude=("longitude", lon, LONA), surface=((), 0.0, dict(long_name="original GRIB coordinate for key: level(surface)", units="1"))), attrs=dict(GRIB_edition=1, GRIB_centre="ecmf", GRIB_centreDescription="European Centre for Medium-Range Weather Forecasts", Conventions="CF-1.7", institution="European Centre for Medium-Range Weather Forecasts"))
    ds.step.encoding = dict(units="hours", dtype="int64")
    ds.to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding={v: dict(chunks=(1, len(st), ny, nx)) for v in ("t2m", "msl")} | {k: dict(units="seconds since 1970-01-01T00:00:00", dtype="int64") for k in ("time", "valid_time")})
@check("10")
def k10(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p, decode_timedelta=True).load(); x = d.valid_time - (d.time + d.step); r.append((int((x != np.timedelta64(0)).sum()), str(d.valid_time.values[0, 2])))
    assert r[0][0] == 60 and r[1][0] == 0, r
    return str(r)

# ------------------------------------------------------------------ VALUES, UNITS, TIMES, APPENDS 11-20
@case("11", "append-hours-read-as-days", "values", "pydata/xarray#5969",
      "The store was begun with one step (units 'days since 2020-11-28 00:35:00'); the steps appended later were encoded in hours, so from index 1 on the times decode 24 times too far apart: 6 days rather than 6 hours, up to 2022-11-12.",
      "time|days since (hours counted as days, 6 days instead of 6 hours)|index 1 (24 times)",
      "time_coverage_end, interval PT6H and the daily course of bt108 over land say 6 hours; all decoded times are at 00:35")
def c11(path, fault, rng):
    n = 120; t = pd.Timestamp("2020-11-28T00:35") + pd.to_timedelta(6 * np.arange(n), "h"); lat = 44.9 - .5 * np.arange(24); lon = -4.75 + .5 * np.arange(30); ny, nx = 24, 30; hr = np.asarray(t.hour) + .6
    land = smooth(rng, (ny, nx), 4) > .1; cl = smooth(rng, (n, ny, nx), (1.2, 2.5, 2.5)); cld = 1 / (1 + np.exp(-3 * (cl - .9))); sz = np.clip(np.cos((hr[:, None, None] + lon[None, None] / 15 - 12) / 24 * 2 * np.pi) * .6 + .02, 0, None)
    bt = (283 + land * (6 * np.cos((hr - 13.5) / 24 * 2 * np.pi))[:, None, None] - .25 * (lat[:, None] - 38)) * (1 - cld) + (242 + 4 * cl) * cld + .3 * rng.standard_normal((n, ny, nx)); vis = np.clip((.04 + .13 * land + .6 * cld) * sz * 100 / .62 + .3 * np.abs(rng.standard_normal((n, ny, nx))), 0, None)
    D = ("time", "lat", "lon"); ds = xr.Dataset({"bt108": (D, br(bt, 12), dict(long_name="brightness temperature at 10.8 um", standard_name="toa_brightness_temperature", units="K")), "vis006": (D, br(vis, 8), dict(long_name="reflectance at 0.6 um", standard_name="toa_bidirectional_reflectance", units="%"))},
        coords=dict(time=("time", t, dict(standard_name="time")), lat=("lat", lat, LATA), lon=("lon", lon, LONA)), attrs=dict(Conventions="CF-1.7", title="SEVIRI, Iberia", source="Meteosat-11", time_coverage_start=str(t[0]), time_coverage_end=str(t[-1]), time_coverage_resolution="PT6H"))
    e = {v: dict(chunks=(30, ny, nx)) for v in ds.data_vars}; e["time"] = dict(chunks=(256,), units="hours since 2020-11-28 00:35:00", dtype="int64")
    ds.isel(time=slice(0, 1)).to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding=e); ds.isel(time=slice(1, None)).to_zarr(path, append_dim="time", consolidated=True)
    if fault:
        for q in (f"{path}/time/.zattrs", f"{path}/.zmetadata"):
            s = Path(q).read_text(); assert "hours since 2020-11-28" in s, s[:200]; Path(q).write_text(s.replace("hours since 2020-11-28", "days since 2020-11-28"))
@check("11")
def k11(f, c):
    r = []
    for p in (f, c):
        i = xr.open_zarr(p).indexes["time"]; r.append((str(i[1]), str(i[-1]), sorted(set(i.hour))))
    assert r[0][0] == "2020-12-04 00:35:00" and r[1][0] == "2020-11-28 06:35:00" and r[0][2] == [0], r
    return str(r)

@case("12", "time-in-single-precision", "values", "pydata/xarray#9618",
      "time was stored as float32 days since 1990-01-01: at about 12000 days that is only 84 seconds fine, so hourly steps decode to 01:00:28, 01:59:32, 03:00:00, 04:00:28 ... and are not regular.",
      "time|float32 (single precision)|rounded (irregular hourly steps, seconds off)",
      "the differences of time are 59.1 or 60.5 minutes, not 1 hour; all values are multiples of 2**-10 days; data_type float32")
def c12(path, fault, rng):
    n = 24 * 60; t = pd.date_range("2022-11-05", periods=n, freq="h"); st = ["Cuxhaven", "Helgoland", "Buesum", "Husum", "Borkum", "Norderney", "Wilhelmshaven", "Emden"]; lat = np.array([53.868, 54.179, 54.12, 54.472, 53.557, 53.699, 53.514, 53.337]); lon = np.array([8.717, 7.89, 8.859, 9.024, 6.748, 7.158, 8.145, 7.186]); m = len(st)
    h = np.arange(n)[:, None]; per = dict(M2=12.4206012, S2=12.0, N2=12.65834751, O1=25.81933871, K1=23.93447213); amp = dict(M2=1.33, S2=.34, N2=.21, O1=.1, K1=.07); loc = rng.uniform(.75, 1.2, m); ph = rng.uniform(0, 6.28, m)
    z = sum(amp[k] * loc[None] * np.cos(2 * np.pi * h / per[k] - ph[None] - i) for i, k in enumerate(per)); surge = .28 * smooth(rng, (n, m), (14, 3)); z = z + surge + .012 * rng.standard_normal((n, m)); tw = 10.5 - 4.5 * h / n + .6 * smooth(rng, (n, m), (60, 3)) + .15 * np.sin((h - 9) / 24 * 2 * np.pi)
    ds = xr.Dataset({"zeta": (("time", "station"), z.astype("f4"), dict(long_name="water level above mean sea level", standard_name="sea_surface_height_above_mean_sea_level", units="m")), "surge": (("time", "station"), surge.astype("f4"), dict(long_name="meteorological residual", units="m")), "temp": (("time", "station"), tw.astype("f4"), dict(long_name="water temperature", standard_name="sea_water_temperature", units="degree_C"))},
        coords=dict(time=("time", t, dict(standard_name="time", long_name="UTC", axis="T")), station=("station", np.array(st, object), dict(cf_role="timeseries_id")), lat=("station", lat, dict(units="degrees_north", standard_name="latitude")), lon=("station", lon, dict(units="degrees_east", standard_name="longitude"))), attrs=dict(Conventions="CF-1.8", featureType="timeSeries", title="hourly water levels, hindcast", time_coverage_resolution="PT1H"))
    ds.to_zarr(path, mode="w", zarr_format=3, encoding={v: dict(chunks=(480, m)) for v in ds.data_vars} | {"time": dict(units="days since 1990-01-01 00:00:00", dtype="float32" if fault else "float64", chunks=(2048,))})
@check("12")
def k12(f, c):
    r = []
    for p in (f, c):
        d = np.diff(xr.open_zarr(p).time.values) / np.timedelta64(1, "s"); r.append((round(float(d.min()), 1), round(float(d.max()), 1), str(xr.open_zarr(p).time.values[2])))
    assert r[0][0] < 3590 and r[0][1] > 3610 and abs(r[1][0] - 3600) < .01, r
    return str(r)

@case("13", "land-cover-bytes-signed", "values", "CCI-Tools/cate#371",
      "lccs_class is stored as signed int8 (the _Unsigned attribute was dropped): all classes above 127 became negative, e.g. water 210 is -46 and forest 160 is -96.",
      "lccs_class|negative values (-46)|signed int8 (should be uint8, unsigned, 210 - 256)",
      "values are negative though valid_min is 0 and flag_values are 0 to 220; the value + 256 is one of flag_values")
def c13(path, fault, rng):
    n = 300; fv = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200, 210, 220]
    fm = "no_data cropland_rainfed cropland_irrigated mosaic_cropland mosaic_natural_vegetation tree_broadleaved_evergreen tree_broadleaved_deciduous tree_needleleaved_evergreen tree_needleleaved_deciduous tree_mixed mosaic_tree_and_shrub mosaic_herbaceous shrubland grassland lichens_and_mosses sparse_vegetation tree_cover_flooded_fresh tree_cover_flooded_saline shrub_or_herbaceous_flooded urban bare_areas water snow_and_ice"
    h = smooth(rng, (n, n), 24) + .35 * smooth(rng, (n, n), 6); veg = smooth(rng, (n, n), 9); k = smooth(rng, (n, n), 2.2); c = np.select([h < -1.05, h < -.95, h > 1.9, h > 1.5, k > 2.1, veg > .9, veg > .2, veg > -.3, veg > -.9], [210, 160, 220, 150, 190, 60, 90, 10, 130], 30).astype("u1")
    c = np.where((k < -2.0) & (c != 210), 180, c).astype("u1"); cond = np.stack([c] * 1); qc = np.where(rng.random((n, n)) < .02, 0, 1).astype("i1"); obs = np.clip(rng.poisson(900 + 200 * k), 0, 32767).astype("i2"); st = np.where(c == 210, 2, np.where(c == 220, 3, 1)).astype("i1")
    lat = 48 - (np.arange(n) + .5) / 360; lon = 11 + (np.arange(n) + .5) / 360; D = ["time", "lat", "lon"]; ch = (1, 150, 150)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.6", title="Land Cover Map of ESA CCI, 300 m", id="ESACCI-LC-L4-LCCS-Map-300m-P1Y-2010-v2.0.7b-subset", product_version="2.0.7", time_coverage_start="20100101", time_coverage_end="20101231", geospatial_lat_resolution=1 / 360, geospatial_lon_resolution=1 / 360))
    arr2(g, "lccs_class", c.view("i1")[None] if fault else c[None], ch, D, attrs=dict(long_name="Land cover class defined in LCCS", standard_name="land_cover_lccs", flag_values=fv, flag_meanings=fm, valid_min=0, valid_max=220, ancillary_variables="processed_flag current_pixel_state observation_count"))
    arr2(g, "processed_flag", qc[None], ch, D, attrs=dict(long_name="LC map processed area flag", standard_name="land_cover_lccs status_flag", flag_values=[0, 1], flag_meanings="not_processed processed", valid_min=0, valid_max=1)); arr2(g, "current_pixel_state", st[None], ch, D, attrs=dict(long_name="LC pixel type mask", standard_name="land_cover_lccs status_flag", flag_values=[0, 1, 2, 3], flag_meanings="invalid clear_land clear_water clear_snow_ice", valid_min=0, valid_max=3))
    arr2(g, "observation_count", obs[None], ch, D, attrs=dict(long_name="number of valid observations", standard_name="land_cover_lccs number_of_observations", valid_min=0, valid_max=32767))
    arr2(g, "time", np.array([14610], "i4"), None, ["time"], attrs=dict(units="days since 1970-01-01", calendar="standard", standard_name="time")); arr2(g, "lat", lat, None, ["lat"], attrs=LATA); arr2(g, "lon", lon, None, ["lon"], attrs=LONA)
    consol2(path)
@check("13")
def k13(f, c):
    r = []
    for p in (f, c):
        a = zarr.open_group(p, mode="r")["lccs_class"]; v = np.unique(a[:]); r.append((str(a.dtype), [int(i) for i in v if i not in a.attrs["flag_values"]]))
    assert r[0][1] and min(r[0][1]) < -30 and not r[1][1], r
    return str(r)

@case("14", "z-planes-sorted-as-text", "values", "fractal-analytics-platform/fractal-tasks-core#236",
      "The 117 z planes were put in the order of the file names (Z01 ... Z09, Z100 ... Z109, Z10, Z110 ... Z117, Z11, ...): the planes from index 9 on are out of order in both channels, planes 100-117 sit between 9 and 12.",
      "z planes (z axis)|order wrong (sorted as text, lexicographic, shuffled)|index 9 (planes 100-109 after plane 9)",
      "neighbouring planes are alike except at z index 8/9, 18/19, 19/20, 27/28: put at the places of sort by name the stack is smooth again and the intensity falls with depth")
def c14(path, fault, rng):
    Z, n = 117, 48; zz, yy, xx = np.mgrid[:Z, :n, :n]; ball = ((zz - 66) / 62) ** 2 + ((yy - 23) / 21.5) ** 2 + ((xx - 25) / 20.5) ** 2 < 1; tex = smooth(rng, (Z, n, n), (3.0, 2.2, 2.2)); t2 = smooth(rng, (Z, n, n), (4, 3, 3)); att = np.exp(-zz / 95)
    ims = [np.clip(rng.poisson(np.clip(108 + a * gaussian_filter(ball * (1 / (1 + np.exp(-3 * (q - o)))), (1.5, .8, .8)) * att, 1, None)), 0, 65535).astype("u2") for a, q, o in ((900, tex, .3), (420, t2, .8))]
    x = np.stack(ims)
    if fault: x = x[:, [z - 1 for z in sorted(range(1, Z + 1), key=lambda z: f"F001L01Z{z:02d}A01C01.png")]]
    g = zarr.create_group(str(path), zarr_format=2, attributes={"plate": dict(version="0.4", name="20221125_organoids", acquisitions=[dict(id=1, name="20221125_organoids")], rows=[dict(name="B")], columns=[dict(name="03")], wells=[dict(path="B/03", rowIndex=0, columnIndex=0)])}); g.create_group("B")
    w = g.create_group("B/03", attributes={"well": dict(version="0.4", images=[dict(path="0", acquisition=1)])}); L = 2
    im = w.create_group("0", attributes={"multiscales": [dict(version="0.4", axes=[dict(name="c", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "zyx"], datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.0, 1.0, .65 * 2 ** l, .65 * 2 ** l])]) for l in range(L)])],
        "omero": dict(id=1, version="0.4", name="TBD", channels=[dict(label=nm, wavelength_id=q, active=True, color=k, window=dict(min=0, max=65535, start=110, end=900)) for nm, q, k in (("DAPI", "A01_C01", "00FFFF"), ("Lamin B1", "A03_C02", "FF00FF"))])})
    for l in range(L): arr2(im, str(l), x, (1, 13, n // 2 ** l, n // 2 ** l), sep="/", fill=0); x = down2(x)
@check("14")
def k14(f, c):
    r = []
    for p in (f, c):
        a = zarr.open_array(p + "/B/03/0/0", mode="r")[:].astype("f8"); d = np.abs(np.diff(gaussian_filter(a, (0, 0, 2, 2)), axis=1)).mean((0, 2, 3)); r.append(np.flatnonzero(d > 2.2 * np.median(d)).tolist())
    assert {8, 18, 19}.issubset(r[0]) and not r[1], r
    return f"jumps after z {r}"

@case("15", "offset-subtracted-below-zero", "values", "AdaptiveParticles/LibAPR#178",
      "The camera offset of 100 was subtracted in uint16 without clipping: background pixels darker than 100 wrapped around to 65530 ... 65535 in channel 0 (and its level 1).",
      "channel 0 (488, image 0)|65535 (655xx, close to 2**16)|wrapped (underflow) background pixels, offset subtracted",
      "single pixels of 655xx lie in the darkest background; added 100 modulo 65536 the histogram is a smooth peak around 100; channel 1 is clipped at 0")
def c15(path, fault, rng):
    Z, Y, X = 20, 144, 144; b = smooth(rng, (Z, Y, X), (1.5, 6, 6)); v = gaussian_filter(smooth(rng, (Z, Y, X), (1, 1.5, 1.5)), .5); cell = 1 / (1 + np.exp(-6 * (b - .75))); raw = [rng.poisson(12 + 520 * cell * np.clip(1 + .8 * v, 0, None)) + 92 + 3.2 * rng.standard_normal((Z, Y, X)), rng.poisson(10 + 260 * cell) + 93 + 3.2 * rng.standard_normal((Z, Y, X))]
    raw = [np.rint(a - np.float64(6)).astype("i8") for a in raw]; sub = [np.clip(a - 100, 0, 65535).astype("u2") for a in raw]
    if fault: sub[0] = ((raw[0] - 100) % 65536).astype("u2")
    x = np.stack(sub); ax = [dict(name="c", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "zyx"]; half = lambda a: np.rint(a.astype("f8").reshape(2, Z // 2, 2, Y // 2, 2, X // 2, 2).mean((2, 4, 6))).astype("u2")
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", multiscales=[dict(name="lls_deskewed", type="mean", axes=ax, datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.0, .3 * 2 ** l, .104 * 2 ** l, .104 * 2 ** l]), dict(type="translation", translation=[0.0, .15 * (2 ** l - 1), .052 * (2 ** l - 1), .052 * (2 ** l - 1)])]) for l in range(2)])],
        omero=dict(channels=[dict(label=k, color=q, active=True, window=dict(min=0, max=65535, start=0, end=700)) for k, q in (("488 EGFP", "00FF00"), ("561 mCherry", "FF00FF"))])), "processing": dict(deskew_angle=31.5, camera_offset_subtracted=100)})
    for l in range(2): arr3(g, str(l), x, (1, 10, 72, 72), ("c", "z", "y", "x"), compressors=zarr.codecs.BloscCodec(cname="zstd", clevel=5, shuffle="bitshuffle")); x = half(x) if l == 0 else x
@check("15")
def k15(f, c):
    r = []
    for p in (f, c):
        a = zarr.open_array(p + "/0", mode="r")[:]; r.append([int((a[k] > 60000).sum()) for k in (0, 1)] + [int((a[1] == 0).sum())])
    assert r[0][0] > 5000 and r[0][1] == 0 and r[1][:2] == [0, 0] and r[1][2] > 5000, r
    return str(r)

@case("16", "land-cover-averaged", "values", "Chrismarsh/mesher#21",
      "The land cover map was resampled with 'average': at the borders of classes it holds means such as 17, 33 or 65, codes that no class has (or a class that is not there).",
      "landcover (map)|values not in flag_values (no class, e.g. 15, 35)|averaged (interpolated, bilinear) instead of nearest / mode",
      "flag_values lists 10, 20 ... 100 only; the other codes form thin lines between two areas and lie between their two codes")
def c16(path, fault, rng):
    n = 160; f = 4; N = n * f; fv = [10, 20, 30, 40, 50, 60, 80, 90]; fm = "tree_cover shrubland grassland cropland built_up bare_sparse_vegetation permanent_water_bodies herbaceous_wetland"
    h = smooth(rng, (N, N), 60) + .3 * smooth(rng, (N, N), 18); v = smooth(rng, (N, N), 26); k = smooth(rng, (N, N), 8); par = np.kron(rng.uniform(-1, 1, (N // 40, N // 40)), np.ones((40, 40))); big = np.select([h < -1.3, (h < -1.1), (k > 1.9) & (h < .8), h > 1.7, v > .7, (v > .3) & (h > .4), (par > -.1) & (h < .9)], [80, 90, 50, 60, 10, 20, 40], 30)
    blk = big.reshape(n, f, n, f).transpose(0, 2, 1, 3).reshape(n, n, f * f); cnt = np.stack([(blk == q).sum(-1) for q in fv]); mode = np.array(fv)[cnt.argmax(0)]; lc = (blk.mean(-1) if fault else mode).astype("u1")
    ndv = {10: .82, 20: .55, 30: .62, 40: .68, 50: .25, 60: .12, 80: -.18, 90: .45}; nd = sum(cnt[i] / f ** 2 * ndv[q] for i, q in enumerate(fv)) + .03 * rng.standard_normal((n, n)); el = 620 + 120 * h.reshape(n, f, n, f).mean((1, 3)); x = 500020 + 40.0 * np.arange(n); y = 5399980 - 40.0 * np.arange(n)
    ds = xr.Dataset({"landcover": (("y", "x"), lc, dict(long_name="land cover class", standard_name="land_cover", flag_values=fv, flag_meanings=fm, source="ESA WorldCover 10 m 2021 v200")), "ndvi": (("y", "x"), br(nd, 9), dict(long_name="normalized difference vegetation index, median June 2021", units="1")), "elevation": (("y", "x"), br(el, 12), dict(standard_name="surface_altitude", long_name="elevation", units="m"))},
        coords=dict(y=("y", y, dict(standard_name="projection_y_coordinate", units="m", axis="Y")), x=("x", x, dict(standard_name="projection_x_coordinate", units="m", axis="X"))), attrs=dict(Conventions="CF-1.8", crs="EPSG:32633", title="static layers of the mesh, 40 m"))
    ds.to_zarr(path, mode="w", zarr_format=3, encoding={v: dict(chunks=(80, 80)) for v in ds.data_vars})
@check("16")
def k16(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).landcover.load(); r.append(int((~np.isin(d.values, d.attrs["flag_values"])).sum()))
    assert r[0] > 1500 and r[1] == 0, r
    return str(r)

@case("17", "sea-ice-percent-holds-fraction", "values", "ESMValGroup/ESMValCore#703",
      "siconca says units % (percentage of the grid cell) but holds the fraction from 0 to 1: it is 100 times too small.",
      "siconca|%|fraction 0-1 (100 times too small, maximum 1)",
      "the largest value of all months is 1.0, also near the winter pole where tas is -30 degC; units and comment say percentage")
def c17(path, fault, rng):
    nt, ny, nx = 36, 48, 72; lat = -88.125 + 3.75 * np.arange(ny); lon = 2.5 + 5.0 * np.arange(nx); land = land_mask(rng, ny, nx, .3, (3.5, 5)) | (lat[:, None] < -77); land &= ~((lat[:, None] > 74) & (rng.random((ny, nx)) < 2)); mo = np.arange(nt) % 12
    seas = np.cos(2 * np.pi * (mo - 1.5) / 12)[:, None, None] * np.sign(lat)[None, :, None]; cl = np.cos(np.deg2rad(lat))[None, :, None]; w = smooth(rng, (nt, ny, nx), (1.5, 2, 3), True)
    tas = 246 + 54 * cl ** 1.2 - 11 * seas * (1 - cl) ** .6 * (1 + .6 * land[None]) + 1.6 * w * (1.4 - cl); ext = (np.abs(lat)[None, :, None] - 66 + 7.5 * seas + 1.6 * w) / 3.2; ice = np.clip(1 / (1 + np.exp(-1.6 * ext)) - .03 - .03 * np.abs(smooth(rng, (nt, ny, nx), (.6, 1, 1), True)), 0, None); ice = np.clip(ice * 1.06, 0, 1); ice[ice < .005] = 0; ice = np.where(land[None], np.nan, ice)
    b = np.r_[0, np.cumsum(np.tile([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], 3))].astype("f8") + (pd.Timestamp("1981-01-01") - pd.Timestamp("1850-01-01")).days; bn = np.c_[b[:-1], b[1:]]; lb = lambda v, h: np.c_[v - h, v + h]
    D = ("time", "lat", "lon"); ds = xr.Dataset({"siconca": (D, br(ice * (1 if fault else 100), 11), dict(standard_name="sea_ice_area_fraction", long_name="Sea-ice Area Percentage (Atmospheric Grid)", comment="Percentage of grid cell covered by sea ice", units="%", cell_methods="area: time: mean", cell_measures="area: areacella")), "tas": (D, br(tas, 12), dict(standard_name="air_temperature", long_name="Near-Surface Air Temperature", units="K", cell_methods="area: time: mean", cell_measures="area: areacella"))},
        coords=dict(time=("time", bn.mean(1), dict(axis="T", bounds="time_bnds", standard_name="time", units="days since 1850-01-01", calendar="proleptic_gregorian")), lat=("lat", lat, dict(LATA, bounds="lat_bnds")), lon=("lon", lon, dict(LONA, bounds="lon_bnds"))), attrs=dict(Conventions="CF-1.7 CMIP-6.2", activity_id="CMIP", experiment_id="amip", source_id="EC-Earth3", institution_id="EC-Earth-Consortium", table_id="SImon", frequency="mon", variant_label="r1i1p1f1", grid_label="gr"))
    ds["time_bnds"] = (("time", "bnds"), bn); ds["lat_bnds"] = (("lat", "bnds"), lb(lat, 1.875)); ds["lon_bnds"] = (("lon", "bnds"), lb(lon, 2.5)); R = 6371e3; ds["areacella"] = (("lat", "lon"), (R ** 2 * np.deg2rad(5) * (np.sin(np.deg2rad(lat + 1.875)) - np.sin(np.deg2rad(lat - 1.875))))[:, None] * np.ones((1, nx)), dict(standard_name="cell_area", units="m2"))
    ds.to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding={v: dict(chunks=(12, ny, nx), _FillValue=np.float32(1e20)) for v in ("siconca", "tas")})
@check("17")
def k17(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); r.append((round(float(d.siconca.max()), 2), d.siconca.units, round(float(d.siconca.where(d.tas < 255).mean()), 2)))
    assert r[0][0] == 1.0 and r[1][0] > 95, r
    return str(r)

@case("18", "same-day-appended-twice", "values", "pydata/xarray#4958",
      "The job of 2024-02-13 ran twice: its 24 hours were appended twice, indices 72-95 repeat 48-71 in time and in all variables, time is not unique and goes back at index 72.",
      "time|index 72 (2024-02-13T00, goes back)|duplicate 24 hours (appended twice, repeated)",
      "time[72:96] equals time[48:72] and so do t_2m, clct and aswdir_s; the difference of time at 72 is -23 hours")
def c18(path, fault, rng):
    n, ny, nx = 120, 36, 44; t = pd.date_range("2024-02-11", periods=n, freq="h"); lat = 46 + .25 * np.arange(ny); lon = 6 + .25 * np.arange(nx); hr = np.asarray(t.hour); cz = np.clip(np.cos((hr[:, None, None] + lon[None, None] / 15 - 12.2) / 24 * 2 * np.pi) * .66 - .12 - .006 * (lat[:, None] - 50)[None], 0, None)
    w = smooth(rng, (n, ny, nx), (5, 4, 4)); c = np.clip(62 + 42 * (w + .4 * smooth(rng, (n, ny, nx), (2, 1.5, 1.5))), 0, 100); rad = 1150 * cz ** 1.1 * (1 - .0074 * c); heat = gaussian_filter(rad, (2, 0, 0)); T = 277 - .3 * (lat[:, None] - 50) + 2.2 * w + .011 * np.roll(heat, 2, 0) + .15 * rng.standard_normal((n, ny, nx))
    D = ("time", "lat", "lon"); ds = xr.Dataset({"t_2m": (D, br(T, 12), dict(standard_name="air_temperature", long_name="2m temperature", units="K")), "clct": (D, np.rint(c).astype("f4"), dict(standard_name="cloud_area_fraction", long_name="total cloud cover", units="%")), "aswdir_s": (D, br(rad, 7), dict(standard_name="surface_downwelling_shortwave_flux_in_air", long_name="shortwave downward radiation at the surface", units="W m-2"))},
        coords=dict(time=("time", t, dict(standard_name="time")), lat=("lat", lat, LATA), lon=("lon", lon, LONA)), attrs=dict(Conventions="CF-1.8", institution="Deutscher Wetterdienst", source="ICON-EU analysis, 0-23 h of each day"))
    e = {v: dict(chunks=(24, ny, nx)) for v in ds.data_vars}; e["time"] = enc_time("hours since 1970-01-01", chunk=512); days = [0, 1, 2, 2, 3, 4] if fault else range(5)
    for i, d in enumerate(days):
        s = ds.isel(time=slice(24 * d, 24 * d + 24)); s.to_zarr(path, mode="w", zarr_format=3, encoding=e) if i == 0 else s.to_zarr(path, append_dim="time")
@check("18")
def k18(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); i = d.indexes["time"]; r.append((len(i), len(i.unique()), np.flatnonzero(np.diff(i) < np.timedelta64(0)).tolist()))
    d = xr.open_zarr(f).load(); assert r[0] == (144, 120, [71]) and r[1] == (120, 120, []) and np.array_equal(d.t_2m[48:72].values, d.t_2m[72:96].values), r
    return str(r)

@case("19", "precipitation-negative-at-forecast-reset", "values", "google-research/weatherbench2#215",
      "total_precipitation_6hr was made as the difference of sums since the start of each 12 hour forecast, across the restart too: at 00 and 12 UTC (every second step, from index 1 on) the sum of the forecast before was subtracted, so it is negative.",
      "total_precipitation_6hr|negative|00 and 12 UTC (every second step, forecast restart / reset)",
      "precipitation cannot be negative; at 00 and 12 UTC the value plus total_precipitation_12hr of the step before is the true amount; total_precipitation_12hr is not the sum of two steps")
def c19(path, fault, rng):
    n, ny, nx = 80, 32, 64; t = pd.date_range("2010-12-22T06", periods=n, freq="6h"); lat = -87.1875 + 5.625 * np.arange(ny); lon = 5.625 * np.arange(nx); cl = np.cos(np.deg2rad(lat))[:, None]
    w = smooth(rng, (n + 1, ny, nx), (1, 1.3, 1.8), True); p6 = np.clip(w - .35, 0, None) ** 1.4 * .0045 * (.15 + cl ** 2); p6[p6 < 1e-6] = 0; p6 = br(p6, 8).astype("f8"); p12 = p6[1:] + p6[:-1]; p6 = p6[1:]; w = w[1:]; T = 246 + 54 * cl ** 1.3 + 2.5 * smooth(rng, (n, ny, nx), (2, 2, 3), True) * (1.3 - cl); ms = 101200 + 1100 * smooth(rng, (n, ny, nx), (2, 2, 3), True) * (1.15 - cl) - 250 * w
    first = np.isin(np.asarray(t.hour), [0, 12]); out = p6.copy()              # forecasts start at 06 and 18 UTC: first step ends at 12 / 00, the second at 18 / 06
    if fault:
        for k in range(1, n):
            if first[k]: out[k] = p6[k] - p12[k - 1]
    D = ("time", "latitude", "longitude"); ds = xr.Dataset({"total_precipitation_6hr": (D, out.astype("f4"), dict(long_name="Total precipitation of the last 6 hours", short_name="tp", units="m")), "total_precipitation_12hr": (D, p12.astype("f4"), dict(long_name="Total precipitation of the last 12 hours", short_name="tp", units="m")), "2m_temperature": (D, br(T, 12), dict(long_name="2 metre temperature", short_name="t2m", standard_name="air_temperature", units="K")), "mean_sea_level_pressure": (D, br(ms, 13), dict(long_name="Mean sea level pressure", short_name="msl", standard_name="air_pressure_at_mean_sea_level", units="Pa"))},
        coords=dict(time=("time", t, dict(standard_name="time", long_name="end of the accumulation")), latitude=("latitude", lat, LATA), longitude=("longitude", lon, LONA)), attrs=dict(Conventions="CF-1.6", title="ERA5 64x32 equiangular conservative, with derived variables"))
    ds.to_zarr(path, mode="w", zarr_format=2, consolidated=True, encoding={v: dict(chunks=(20, ny, nx)) for v in ds.data_vars} | {"time": enc_time("hours since 1959-01-01", chunk=256)})
@check("19")
def k19(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); a = d.total_precipitation_6hr; r.append((sorted(set(d.time.dt.hour.values[(a < 0).any(("latitude", "longitude")).values].tolist())), int((a < 0).sum()), float(abs(a[1:].values + a[:-1].values - d.total_precipitation_12hr[1:].values).max())))
    assert r[0][0] == [0, 12] and r[0][1] > 3000 and r[1][1] == 0 and r[1][2] < 1e-6, r
    return str(r)

@case("20", "sst-land-flag-not-masked", "values", "cgentemann/cloud_science#18",
      "After rechunking analysed_sst has no fill value any more: land is the flag -32768, which is decoded as a sea temperature of 265.382 K.",
      "analysed_sst|265.382 K (-32768)|land not masked (fill_value / _FillValue missing)",
      "exactly one value (code -32768, 265.382 K) everywhere where mask says land and where analysis_error is missing; below valid_min")
def c20(path, fault, rng):
    nt, ny, nx = 10, 140, 180; lat = 34 + .02 * np.arange(ny); lon = -122.4 + .02 * np.arange(nx); t = pd.date_range("2019-08-01T09", periods=nt); land = (np.arange(nx)[None] / nx + .12 * smooth(rng, (ny, 1), 12) + .05 * smooth(rng, (ny, nx), 5)) > .68
    dist = np.cumsum(~land[:, ::-1], 1)[:, ::-1] / nx; sst = 289.5 + 5 * dist - .25 * (lat[:, None] - 35) + .7 * smooth(rng, (nt, ny, nx), (2, 6, 6)) + .12 * smooth(rng, (nt, ny, nx), (.6, 1.5, 1.5)); er = .37 + .02 * smooth(rng, (nt, ny, nx), (1, 5, 5))
    sc = np.where(land[None], -32768, np.rint((sst - 298.15) / .001)).astype("i2"); ec = np.where(land[None], -32768, np.rint(er / .01)).astype("i2"); mk = np.broadcast_to(np.where(land, 2, 1).astype("i1"), (nt, ny, nx)); D = ["time", "lat", "lon"]; ch = (5, 70, 90)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7", title="Daily MUR SST, Final product", id="MUR-JPL-L4-GLOB-v04.1", institution="Jet Propulsion Laboratory", processing_level="L4", history="rechunked with rechunker"))
    arr2(g, "analysed_sst", sc, ch, D, fill=None if fault else -32768, attrs=dict(long_name="analysed sea surface temperature", standard_name="sea_surface_foundation_temperature", units="kelvin", valid_min=-32767, valid_max=32767, scale_factor=.001, add_offset=298.15, comment="\"Final\" version using Multi-Resolution Variational Analysis (MRVA) method"))
    arr2(g, "analysis_error", ec, ch, D, fill=-32768, attrs=dict(long_name="estimated error standard deviation of analysed_sst", units="kelvin", valid_min=0, valid_max=32767, scale_factor=.01, add_offset=0.0)); arr2(g, "mask", np.ascontiguousarray(mk), ch, D, fill=-128, attrs=dict(long_name="sea/land field composite mask", flag_masks=[1, 2, 4, 8, 16], flag_meanings="open_sea land open_lake open_sea_with_ice_in_the_grid open_lake_with_ice_in_the_grid", valid_min=1, valid_max=31))
    arr2(g, "time", ((t - pd.Timestamp("1981-01-01")) // pd.Timedelta("1s")).to_numpy("i4"), None, ["time"], attrs=dict(units="seconds since 1981-01-01 00:00:00 UTC", calendar="proleptic_gregorian", standard_name="time", axis="T")); arr2(g, "lat", lat.astype("f4"), None, ["lat"], attrs=LATA); arr2(g, "lon", lon.astype("f4"), None, ["lon"], attrs=LONA)
    consol2(path)
@check("20")
def k20(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); r.append((round(float(d.analysed_sst.min()), 3), int((d.analysed_sst.notnull() & (d.mask == 2)).sum()), str(d.time.values[0])))
    assert r[0][0] == 265.382 and r[0][1] > 30000 and r[1][0] > 283 and r[1][1] == 0, r
    return str(r)

# ------------------------------------------------------------------ STORAGE 21-30
@case("21", "transpose-codec-inverse-order", "storage", "manzt/zarrita.js#444",
      "The chunks of s0 were encoded with the inverse permutation of the transpose codec: zarr.json says order [1, 2, 0], the bytes lie in [2, 0, 1], so the axes are turned within every chunk of 32x32x32.",
      "s0|transpose (order [1, 2, 0], inverse permutation [2, 0, 1])|chunks 32x32x32 (axes turned, seams at chunk borders)",
      "s0 has seams at all multiples of 32 and does not fit s1, its mean; with order [2, 0, 1] the seams vanish and s1 is the mean of 2x2x2")
def c21(path, fault, rng):
    Z, Y, X = 64, 96, 96; a = smooth(rng, (Z, Y, X), (2, 5, 8)); b = smooth(rng, (Z, Y, X), (5, 12, 16)); zz = np.linspace(1, .45, Z)[:, None, None]; v = 110 + 1300 / (1 + np.exp(-2.4 * (a + .6 * b - .7))) * zz; img = np.clip(rng.poisson(v / 3) * 3, 0, 65535).astype("u2")
    s1 = np.rint(img.astype("f8").reshape(32, 2, 48, 2, 48, 2).mean((1, 3, 5))).astype("u2")
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", multiscales=[dict(name="brain_hemisphere_647", type="mean", axes=[dict(name=k, type="space", unit="micrometer") for k in "zyx"], datasets=[dict(path=f"s{l}", coordinateTransformations=[dict(type="scale", scale=[1.8 * 2 ** l] * 3), dict(type="translation", translation=[.9 * (2 ** l - 1)] * 3)]) for l in range(2)])])})
    z = zarr.codecs.ZstdCodec(level=5); arr3(g, "s0", img, (32, 32, 32), ("z", "y", "x"), filters=[zarr.codecs.TransposeCodec(order=(2, 0, 1) if fault else (1, 2, 0))], compressors=z); arr3(g, "s1", s1, (32, 48, 48), ("z", "y", "x"), compressors=z)
    if fault:
        q = f"{path}/s0/zarr.json"; m = jload(q); t = [k for k in m["codecs"] if k["name"] == "transpose"][0]; assert t["configuration"]["order"] == [2, 0, 1]; t["configuration"]["order"] = [1, 2, 0]; jdump(q, m)
@check("21")
def k21(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); a = g["s0"][:].astype("f8"); s = g["s1"][:].astype("f8"); assert jload(p + "/s0/zarr.json")["codecs"][0]["configuration"]["order"] == [1, 2, 0]
        d = gaussian_filter(a, (0, 1, 1)); e = np.abs(np.diff(d, axis=2)).mean((0, 1)); r.append((round(float(np.abs(a.reshape(32, 2, 48, 2, 48, 2).mean((1, 3, 5)) - s).mean()), 1), round(float(e[[31, 63]].mean() / np.median(e)), 2)))
    assert r[0][0] > 50 and r[1][0] < 1, r
    return f"(s1 misfit, seam ratio) {r}"

@case("22", "chunks-of-zero-bytes", "storage", "saalfeldlab/n5-zarr#92",
      "Five chunk files of c0/s0 have a length of 0 bytes (c/0/1/2, c/1/0/1, c/1/3/3, c/2/2/0, c/2/2/1): they cannot be decoded; a chunk that is not there would be the fill value, an empty one is invalid.",
      "c0/s0|0 bytes (empty chunk files, zero length)|c/0/1/2 (c/1/0/1, c/2/2/0)",
      "5 of 48 files have length 0, reading them fails in the decoder; s1 holds data in these places")
def c22(path, fault, rng):
    Z, Y, X = 48, 128, 128; b = smooth(rng, (Z, Y, X), (2, 4, 4)); p = smooth(rng, (Z, Y, X), (.8, 1, 1)); g = zarr.create_group(str(path), zarr_format=3)
    for ci, (am, th) in enumerate(((900, .4), (350, .9))):
        img = np.clip(rng.poisson((112 + am / (1 + np.exp(-4 * (b - th))) * np.clip(1 + .3 * p, .1, None)) / 4) * 4, 0, 65535).astype("u2"); s1 = np.rint(img.astype("f8").reshape(24, 2, 64, 2, 64, 2).mean((1, 3, 5))).astype("u2")
        h = g.create_group(f"c{ci}", attributes={"ome": dict(version="0.5", multiscales=[dict(name=f"c{ci}", type="average", axes=[dict(name=k, type="space", unit="micrometer") for k in "zyx"], datasets=[dict(path=f"s{l}", coordinateTransformations=[dict(type="scale", scale=[.42 * 2 ** l, .23 * 2 ** l, .23 * 2 ** l]), dict(type="translation", translation=[.21 * (2 ** l - 1), .115 * (2 ** l - 1), .115 * (2 ** l - 1)])]) for l in range(2)])])})
        for l, x in enumerate((img, s1)): arr3(h, f"s{l}", x, (16, 32, 32), ("z", "y", "x"), compressors=zarr.codecs.ZstdCodec(level=3))
    if fault:
        for k in ("0/1/2", "1/0/1", "1/3/3", "2/2/0", "2/2/1"): q = Path(f"{path}/c0/s0/c/{k}"); assert q.stat().st_size > 100; q.write_bytes(b"")
@check("22")
def k22(f, c):
    r = []
    for p in (f, c):
        z = [str(q.relative_to(p)) for q in Path(p).rglob("c/*/*/*") if q.is_file() and q.stat().st_size == 0]; a = zarr.open_array(p + "/c0/s0", mode="r"); a[:16, :32]
        try: a[:]; r.append((len(z), "ok"))
        except Exception as e: r.append((len(z), type(e).__name__ + str(e)[:50]))
    assert r[0][0] == 5 and r[0][1] != "ok" and r[1] == (0, "ok"), r
    return str(r)

@case("23", "old-chunks-left-by-rewrite", "storage", "pydata/xarray#6743",
      "The store was rewritten with other chunks (1x60x30 instead of 1x30x60) but the old chunk files were not removed: keys t.0.0 of swvl1 still hold old chunks (the new ones are all missing values and were not written), so land values stand in the sea, scrambled; keys t.2.0 ... t.3.1 lie outside of the chunk grid.",
      "swvl1|0.0.0 (1.0.0, t.0.0) old chunks (stale, left over)|2.0 or 3.1 outside the chunk grid (extra chunk files)",
      "swvl1 has values at sea (lsm 0) only in chunk t.0.0; read as 30x60 these are the values of rows 0-29, columns 0-59; chunk files exist beyond the 2x4 grid")
def c23(path, fault, rng):
    nt, n = 12, 120; t = pd.date_range("2021-01-01", periods=nt, freq="MS"); lat = 55.95 - .1 * np.arange(n); lon = -9.95 + .1 * np.arange(n); yy, xx = np.mgrid[:n, :n]; d = np.hypot(yy - 78, xx - 82) - 66 + 7 * smooth(rng, (n, n), 7); land = d < 0; land[:60, :30] = False
    base = np.clip(.27 + .06 * smooth(rng, (n, n), 6), .05, .5); seas = .07 * np.cos(2 * np.pi * (np.arange(nt) - 1) / 12)[:, None, None]; sw = np.clip(base + seas + .035 * smooth(rng, (nt, n, n), (.7, 5, 5)) + .006 * smooth(rng, (nt, n, n), (0, 1, 1)), .02, .52); st = 284 - 8.5 * np.cos(2 * np.pi * (np.arange(nt) - .5) / 12)[:, None, None] - .4 * (lat[:, None] - 50) + 1.1 * smooth(rng, (nt, n, n), (.7, 6, 6))
    sw = br(np.where(land, sw, np.nan), 9); st = br(np.where(land, st, np.nan), 12); D = ["time", "latitude", "longitude"]; g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7", title="ERA5-Land monthly means, British Isles and the Channel", history="ds.to_zarr(mode='w')"))
    for nm, v, at in (("swvl1", sw, dict(long_name="Volumetric soil water layer 1", units="m3 m-3")), ("stl1", st, dict(long_name="Soil temperature level 1", standard_name="soil_temperature", units="K"))):
        a = g.create_array(nm, shape=v.shape, dtype="f4", chunks=(1, 60, 30), fill_value=np.nan, compressors=BLOSC2, config={"write_empty_chunks": False}, attributes=at | {"_ARRAY_DIMENSIONS": D}); a[...] = v
    assert not Path(f"{path}/swvl1/0.0.0").exists() and np.isfinite(sw[:, :30, 30:60]).any((1, 2)).all()
    if fault:
        for i in range(nt):
            for j, k in ((0, 0), (2, 0), (2, 1), (3, 0), (3, 1)): Path(f"{path}/swvl1/{i}.{j}.{k}").write_bytes(BLOSC2.encode(np.ascontiguousarray(sw[i:i + 1, 30 * j:30 * j + 30, 60 * k:60 * k + 60])))
    arr2(g, "lsm", land.astype("f4"), (60, 60), D[1:], attrs=dict(long_name="land-sea mask", standard_name="land_binary_mask", units="1")); arr2(g, "time", ((t - pd.Timestamp("1900-01-01")) // pd.Timedelta("1h")).to_numpy("i4"), None, ["time"], attrs=dict(units="hours since 1900-01-01 00:00:00", calendar="gregorian", standard_name="time")); arr2(g, "latitude", lat, None, ["latitude"], attrs=LATA); arr2(g, "longitude", lon, None, ["longitude"], attrs=LONA); consol2(path)
@check("23")
def k23(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); r.append((int((d.swvl1.notnull() & (d.lsm == 0)).sum()), int((d.swvl1.notnull() & (d.lsm == 0)).isel(latitude=slice(60, None)).sum()), sum(int(q.name.split(".")[1]) > 1 for q in Path(p, "swvl1").glob("[0-9]*.*.*"))))
    assert r[0][0] > 1000 and r[0][1:] == (0, 48) and r[1] == (0, 0, 0), r
    return f"(values at sea, in other chunks, files beyond the grid) {r}"

@case("24", "bare-nan-in-attributes", "storage", "esa-esdl/esdl-core#75",
      "Rg/.zattrs (and its copy in .zmetadata) holds a bare NaN for esa_cci_path: that is no valid JSON, strict readers (JavaScript, Julia, Rust) cannot read the attributes of Rg.",
      "Rg/.zattrs|esa_cci_path|NaN (invalid JSON)",
      "JSON has no NaN: a strict parser stops in Rg/.zattrs and .zmetadata; the other variables have null there")
def c24(path, fault, rng):
    nt, ny, nx = 46, 40, 56; lat = 59.75 - .5 * np.arange(ny); lon = -4.75 + .5 * np.arange(nx); t = pd.date_range("2005-01-05", periods=nt, freq="8D"); doy = np.asarray(t.dayofyear); s = np.cos(2 * np.pi * (doy - 172) / 365.25)[:, None, None]; land = smooth(rng, (ny, nx), 5) > -.5
    rg = np.clip(11.5 + 9 * s - .16 * (lat[:, None] - 50) + 1.6 * smooth(rng, (nt, ny, nx), (.8, 4, 4)), .4, None); gpp = np.clip((2.6 + 3.2 * s) * (1 + .35 * smooth(rng, (1, ny, nx), (0, 4, 4))) + .5 * smooth(rng, (nt, ny, nx), (1, 2, 2)), 0, None); pr = np.clip(2.2 + 1.6 * smooth(rng, (nt, ny, nx), (.7, 4, 4)), 0, None)
    D = ["time", "lat", "lon"]; g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.5", title="ESDL Earth System Data Cube (subset)", time_coverage_resolution="P8D", institution="Brockmann Consult GmbH"))
    for i, (nm, v, ln, u, pn, sn) in enumerate((("Rg", rg, "Downwelling shortwave radiation", "MJ m-2 d-1", "BESS", "surface_downwelling_shortwave_flux_in_air"), ("gross_primary_productivity", gpp, "Gross Primary Productivity", "gC m-2 day-1", "FLUXCOM", "gross_primary_productivity_of_carbon"), ("precipitation_era5", pr, "Total Precipitation", "mm day-1", "ERA5", "precipitation_flux"))):
        arr2(g, nm, br(np.where(land, v, np.nan), 9), (23, ny, nx), D, attrs=dict(ID=i + 2, long_name=ln, orig_version="15.10.2017", project_name=pn, time_coverage_start="2005-01-01", time_coverage_end="2005-12-31", time_coverage_resolution="P8D", units=u, esa_cci_path=None))
    arr2(g, "time", ((t - pd.Timestamp("1970-01-01")) // pd.Timedelta("1D")).to_numpy("i8"), None, ["time"], attrs=dict(units="days since 1970-01-01", calendar="proleptic_gregorian", standard_name="time")); arr2(g, "lat", lat, None, ["lat"], attrs=LATA); arr2(g, "lon", lon, None, ["lon"], attrs=LONA)
    if fault: q = f"{path}/Rg/.zattrs"; m = jload(q); m["esa_cci_path"] = float("nan"); jdump(q, m)
    consol2(path)
@check("24")
def k24(f, c):
    def bad(p):
        o = []
        for q in Path(p).rglob(".z*"):
            if q.is_file():
                def no(x): raise ValueError(x)
                try: json.loads(q.read_text(), parse_constant=lambda x: no(x))
                except ValueError: o.append(str(q.relative_to(p)))
        return sorted(o)
    r = [[b for b in bad(p) if not b.endswith(".zarray")] for p in (f, c)]; assert r == [[".zmetadata", "Rg/.zattrs"], []], r
    xr.open_zarr(c).load()
    return str(r)

@case("25", "consolidated-has-the-old-name", "storage", "dynamical-org/reformatters#1074",
      "The array cape_atmosphere was renamed to cape_surface but the consolidated metadata of the root still list cape_atmosphere: readers see a variable that is all NaN (no such node or chunks) and do not see cape_surface.",
      "consolidated metadata (consolidated_metadata)|cape_atmosphere (does not exist)|cape_surface (not listed, missing)",
      "cape_atmosphere/zarr.json does not exist; cape_surface/zarr.json exists but is not in consolidated_metadata")
def c25(path, fault, rng):
    ni, nl, ny, nx = 3, 9, 36, 44; it = pd.date_range("2026-05-01", periods=ni, freq="D"); ld = np.arange(0, 49, 6); lat = 52 - .5 * np.arange(ny); lon = -4 + .5 * np.arange(nx); sh = (ni, nl, ny, nx); hr = (ld % 24)[None, :, None, None]; w = smooth(rng, sh, (0, 1.5, 4, 4)); T = 289 - .4 * (lat[:, None] - 44) + 2 * w + 4.5 * np.cos((hr - 15) / 24 * 2 * np.pi); Td = T - np.clip(5 + 3 * smooth(rng, sh, (0, 1, 3, 3)), .5, None)
    cape = np.clip((w + .8 * smooth(rng, sh, (0, .8, 1.5, 1.5)) - .4), 0, None) ** 1.5 * 330 * (1 + .5 * np.cos((hr - 16) / 24 * 2 * np.pi)); D = ("init_time", "lead_time", "latitude", "longitude")
    ds = xr.Dataset({"temperature_2m": (D, br(T, 11), dict(long_name="2 metre temperature", short_name="2t", standard_name="air_temperature", units="K", step_type="instant")), "dew_point_temperature_2m": (D, br(Td, 11), dict(long_name="2 metre dewpoint temperature", short_name="2d", standard_name="dew_point_temperature", units="K", step_type="instant")), "cape_atmosphere": (D, br(cape, 7), dict(long_name="Convective available potential energy", short_name="cape", standard_name="atmosphere_convective_available_potential_energy", units="J kg-1", step_type="instant"))},
        coords=dict(init_time=("init_time", it, dict(standard_name="forecast_reference_time")), lead_time=("lead_time", ld.astype("i8"), dict(standard_name="forecast_period", units="hours")), latitude=("latitude", lat, LATA), longitude=("longitude", lon, LONA)), attrs=dict(dataset_id="ecmwf-ifs-ens-forecast-46-day", dataset_version="0.1.0", name="ECMWF IFS ENS forecast, 46 day (subset)", attribution="ECMWF"))
    ds.to_zarr(path, mode="w", zarr_format=3, consolidated=True, encoding={v: dict(chunks=(1, 9, 18, 22), shards=(1, 9, 36, 44)) for v in ds.data_vars} | {"init_time": enc_time("seconds since 1970-01-01", chunk=64)})
    os.rename(f"{path}/cape_atmosphere", f"{path}/cape_surface")
    if not fault: zarr.consolidate_metadata(path, zarr_format=3)
@check("25")
def k25(f, c):
    r = []
    for p in (f, c):
        m = jload(p + "/zarr.json")["consolidated_metadata"]["metadata"]; d = {q.parent.name for q in Path(p).glob("*/zarr.json")}; r.append((sorted(set(m) - d), sorted(d - set(m))))
    assert r == [(["cape_atmosphere"], ["cape_surface"]), ([], [])], r
    assert int(xr.open_zarr(f).cape_atmosphere.notnull().sum()) == 0 and int(xr.open_zarr(c).cape_surface.isnull().sum()) == 0
    return str(r)

@case("26", "shard-index-without-checksum", "storage", "manzt/zarrita.js#424",
      "The shards of image/0 were written with an index without crc32c (4 bytes shorter), but index_codecs in its zarr.json say bytes and crc32c: the index of every shard is read 4 bytes off and its checksum fails.",
      "0/zarr.json (array 0, index_codecs)|crc32c (checksum)|no checksum in shard index (4 bytes shorter, every shard)",
      "the last 16 x chunks bytes of each shard are a valid index on their own, the last 4 bytes are no crc32c of it; level 1 is right")
def c26(path, fault, rng):
    C, Z, Y, X = 2, 8, 192, 192; lab, a = cell_image(rng, 60, Y, X, 8, 13); q = [a.astype("f8"), np.r_[0, rng.lognormal(6.3, .5, lab.max())][lab] * .9 + 130]; d = np.stack([np.stack([rng.poisson(np.clip(gaussian_filter(v, 1 + .7 * abs(k - 3.5)) * np.exp(-.06 * (k - 3.5) ** 2) + 60, 1, None)) for k in range(Z)]) for v in q]); d = np.clip(d // 4 * 4, 0, 65535).astype("u2")
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", multiscales=[dict(name="image", type="mean", axes=[dict(name="c", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "zyx"], datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.0, 1.0, .29 * 2 ** l, .29 * 2 ** l]), dict(type="translation", translation=[0.0, 0.0, .145 * (2 ** l - 1), .145 * (2 ** l - 1)])]) for l in range(2)])],
        omero=dict(channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=150, end=4000)) for n, k in (("DAPI", "0000FF"), ("GFP", "00FF00"))]))})
    B, K = zarr.codecs.BytesCodec(), zarr.codecs.Crc32cCodec()
    for l in range(2):
        n = 48; s = 96; ic = [B] if fault and l == 0 else [B, K]
        sc = zarr.codecs.ShardingCodec(chunk_shape=(1, 4, n, n), codecs=[B, zarr.codecs.ZstdCodec(level=3)], index_codecs=ic); arr3(g, str(l), d, (1, 8, s, s), ("c", "z", "y", "x"), serializer=sc, compressors=None, filters=None); d = down2(d)
    if fault:
        p = f"{path}/0/zarr.json"; m = jload(p); cf = m["codecs"][0]["configuration"]; assert [k["name"] for k in cf["index_codecs"]] == ["bytes"]; cf["index_codecs"].append(dict(name="crc32c")); jdump(p, m)
@check("26")
def k26(f, c):
    r = []
    for p in (f, c):
        assert [k["name"] for k in jload(p + "/0/zarr.json")["codecs"][0]["configuration"]["index_codecs"]] == ["bytes", "crc32c"]; zarr.open_array(p + "/1", mode="r")[:]
        try: zarr.open_array(p + "/0", mode="r")[:]; r.append("ok")
        except Exception as e: r.append(type(e).__name__ + ": " + str(e)[:60])
    assert r[0] != "ok" and r[1] == "ok", r
    return str(r)

@case("27", "row-groups-without-document", "storage", "ome/ome2024-ngff-challenge#95",
      "The row groups B and C of the plate have no zarr.json: they are no Zarr groups (Zarr V3 has no implicit groups), so from the root neither rows nor wells can be found.",
      "B (row B, B/zarr.json)|C (row C, C/zarr.json)|zarr.json missing (no group document, implicit group)",
      "the plate lists rows B and C and the wells below have documents, but the directories B and C have none")
def c27(path, fault, rng):
    rows, cols = ["B", "C"], ["2", "3", "4"]
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", plate=dict(name="Week9_090907", field_count=1, acquisitions=[dict(id=0, maximumfieldcount=1)], rows=[dict(name=r) for r in rows], columns=[dict(name=c) for c in cols], wells=[dict(path=f"{r}/{c}", rowIndex=i, columnIndex=j) for i, r in enumerate(rows) for j, c in enumerate(cols)]))})
    for r in rows:
        g.create_group(r)
        for c in cols:
            w = g.create_group(f"{r}/{c}", attributes={"ome": dict(version="0.5", well=dict(images=[dict(path="0", acquisition=0)]))}); lab, a = cell_image(rng, 28, 160, 160); b = np.clip(rng.poisson(gaussian_filter(np.r_[0, rng.lognormal(6, .5, lab.max())][lab], 3) + 140), 0, 65535).astype("u2"); x = np.stack([a, b])
            im = w.create_group("0", attributes={"ome": dict(version="0.5", multiscales=[dict(name=f"{r}{c}", axes=[dict(name="c", type="channel"), dict(name="y", type="space", unit="micrometer"), dict(name="x", type="space", unit="micrometer")], datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.0, .645 * 2 ** l, .645 * 2 ** l])]) for l in range(2)])],
                omero=dict(channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=100, end=3000)) for n, k in (("DAPI", "0000FF"), ("Tubulin", "00FF00"))]))})
            for l in range(2): arr3(im, str(l), x, (1, 80, 80), ("c", "y", "x")); x = down2(x)
        if fault: os.remove(f"{path}/{r}/zarr.json")
@check("27")
def k27(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r", use_consolidated=False); r.append(([k for k in ("B", "C") if not Path(p, k, "zarr.json").exists()], len(list(g.members(max_depth=None)))))
    assert r[0][0] == ["B", "C"] and r[1][0] == [] and r[0][1] < r[1][1], r
    return str(r)

@case("28", "string-array-without-filter", "storage", "zarr-developers/zarr-python#2627",
      "obs/_index is an array of objects (dtype |O) whose .zarray has filters null: the codec vlen-utf8 with which its chunks were written is not stated, so the cell names cannot be read.",
      "obs/_index|filters null (vlen-utf8 missing, no object codec)|dtype O (object, strings, cell names cannot be read)",
      "a dtype |O needs an object codec in filters; the decompressed chunk begins with the number of strings and length-prefixed UTF-8; var/_index has the filter")
def c28(path, fault, rng):
    import anndata as ad
    from scipy import sparse
    n, m = 420, 260; ty = ["astrocyte", "microglia", "neuron", "oligodendrocyte"]; k = rng.integers(0, 4, n); mu = rng.gamma(.3, 2.0, m)[None] * np.exp(rng.standard_normal((4, m))); X = rng.poisson(mu[k] * rng.lognormal(0, .4, n)[:, None]).astype("f4")
    obs = pd.DataFrame(dict(cell_type=pd.Categorical([ty[i] for i in k]), total_counts=X.sum(1).astype("f4"), n_genes=(X > 0).sum(1).astype("i4")), index=["".join(rng.choice(list("ACGT"), 16)) + f"-{rng.integers(1, 4)}" for _ in range(n)]); var = pd.DataFrame(dict(n_cells=(X > 0).sum(0).astype("i4")), index=[f"ENSMUSG{i:011d}" for i in np.sort(rng.choice(120000, m, replace=False))])
    L = np.log1p(X / np.maximum(X.sum(1, keepdims=True), 1) * 1e4); u, s, _ = np.linalg.svd(L - L.mean(0), full_matrices=False); a = ad.AnnData(X=sparse.csr_matrix(X), obs=obs, var=var, obsm=dict(X_pca=(u * s)[:, :12].astype("f4")))
    ad.settings.zarr_write_format = 2; ad.settings.allow_write_nullable_strings = False; a.write_zarr(path); ad.settings.zarr_write_format = 3; ad.settings.allow_write_nullable_strings = None
    q = f"{path}/obs/_index/.zarray"; d = jload(q); assert d["dtype"] == "|O" and d["filters"], d
    if fault: d["filters"] = None; jdump(q, d)
    consol2(path)
@check("28")
def k28(f, c):
    import anndata as ad
    r = []
    for p in (f, c):
        try: ad.read_zarr(p); r.append("ok")
        except Exception as e: r.append(type(e).__name__ + ": " + str(e)[:60])
    assert r[0] != "ok" and r[1] == "ok" and jload(f + "/obs/_index/.zarray")["filters"] is None, r
    return str(r)

@case("29", "array-made-but-never-written", "storage", "abTEM/abTEM#363",
      "array1 (phonon loss) has its metadata but not one chunk: the write failed after the array was created, so it reads as 0 everywhere.",
      "array1|no chunks (no chunk files, empty directory)|zeros (fill value)",
      "array1/ holds only .zarray and .zattrs; all values are the fill value although total_intensity says about 0.2 of the beam")
def c29(path, fault, rng):
    sy, sx, k = 12, 12, 40; ky, kx = np.meshgrid(np.arange(k) - 20, np.arange(k) - 20, indexing="ij"); kr = np.hypot(ky, kx); w = smooth(rng, (sy, sx), 1.5, False); per = np.cos(2 * np.pi * np.arange(sy) / 6)[:, None] * np.cos(2 * np.pi * np.arange(sx) / 6)[None]
    disk = sum(am * (np.hypot(ky - gy, kx - gx) < 4.5) for gy in (-12, 0, 12) for gx in (-12, 0, 12) for am in [1.0 if gy == gx == 0 else .22 if gy * gx == 0 else .09]); el = disk[None, None] * (1 + .25 * per[..., None, None] * np.sin(.5 * kx)) * (1 + .04 * w[..., None, None]); th = np.exp(-(kr / 11) ** 2)[None, None] * (1 + .3 * per[..., None, None]) + .25 * np.exp(-(kr / 4) ** 2) + .01 * np.abs(rng.standard_normal((sy, sx, k, k)))
    e = el / el.sum((2, 3), keepdims=True) * (.78 - .03 * per[..., None, None]); t = th / th.sum((2, 3), keepdims=True) * (.2 + .03 * per[..., None, None]); e, t = br(e, 10), br(t, 10)
    axs = [dict(type="ScanAxis", label=q, units="Å", sampling=.32, offset=0.0, endpoint=False) for q in "xy"] + [dict(type="ReciprocalSpaceAxis", label=f"k{q}", units="1/Å", sampling=.05, offset=-1.0, fftshift=True) for q in "xy"]
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(type="ComputableList", num_arrays=2, version="1.0.9"))
    for i, (v, n) in enumerate(((e, "elastic_diffraction_patterns"), (t, "phonon_loss_diffraction_patterns"))):
        a = g.create_array(f"array{i}", shape=v.shape, dtype="f4", chunks=(6, 6, k, k), compressors=BLOSC2, fill_value=0.0, attributes=dict(type="DiffractionPatterns", name=n, axes=axs, metadata=dict(energy=100000.0, semiangle_cutoff=22.0, label="intensity", units="arb. unit", total_intensity=round(float(v.sum((2, 3)).mean()), 5))))
        if not (fault and i == 1): a[...] = v
@check("29")
def k29(f, c):
    r = []
    for p in (f, c):
        a = zarr.open_group(p, mode="r")["array1"]; r.append((len(list(Path(p, "array1").glob("[0-9]*"))), round(float(a[:].sum((2, 3)).mean()), 5), a.attrs["metadata"]["total_intensity"]))
    assert r[0][:2] == (0, 0) and r[0][2] > .15 and r[1][0] == 4 and abs(r[1][1] - r[1][2]) < 1e-4, r
    return str(r)

@case("30", "fill-value-as-text", "storage", "mobie/mobie-viewer-fiji#572",
      "fill_value in the .zarray of s0, s1 and s2 is the text \"0\" rather than the number 0: that is not valid for dtype <u2 and strict readers refuse the arrays.",
      "fill_value|\"0\" string (text instead of number)|s0 (s1, s2 .zarray)",
      "V2 wants a number for integer types; cells/s0 has the number 0")
def c30(path, fault, rng):
    Z, Y, X = 24, 144, 144; b = smooth(rng, (Z, Y, X), (2, 5, 5)); org = smooth(rng, (Z, Y, X), (1, 1.6, 1.6)); em = np.clip(30500 + 2600 * org - 5200 * (np.abs(b) < .12) - 2500 * (org > 1.4) + 700 * rng.standard_normal((Z, Y, X)), 0, 65535); em = (em // 64 * 64).astype("u2")
    from scipy.ndimage import label
    lab = label(b > .5)[0].astype("u2"); ax = [dict(name=k, type="space", unit="nanometer") for k in "zyx"]; half = lambda a: np.rint(a[: a.shape[0] // 2 * 2].astype("f8").reshape(a.shape[0] // 2, 2, a.shape[1] // 2, 2, a.shape[2] // 2, 2).mean((1, 3, 5))).astype("u2")
    ds = lambda L: [dict(path=f"s{l}", coordinateTransformations=[dict(type="scale", scale=[25.0 * 2 ** l, 10.0 * 2 ** l, 10.0 * 2 ** l])]) for l in range(L)]
    g = zarr.create_group(str(path), zarr_format=2, attributes={"multiscales": [dict(version="0.4", name="SXAA03648_em", axes=ax, datasets=ds(3), type="Average")]}); x = em
    for l in range(3): arr2(g, f"s{l}", x, tuple(min(64, n) for n in x.shape), sep="/", fill=0, comp=numcodecs.GZip(level=6)); x = half(x) if l < 2 else x
    lg = g.create_group("labels", attributes=dict(labels=["cells"])); c = lg.create_group("cells", attributes={"multiscales": [dict(version="0.4", name="cells", axes=ax, datasets=ds(1))], "image-label": dict(version="0.4", source=dict(image="../../"))}); arr2(c, "s0", lab, (24, 64, 64), sep="/", fill=0, comp=numcodecs.GZip(level=6))
    if fault:
        for l in range(3): q = f"{path}/s{l}/.zarray"; m = jload(q); assert m["fill_value"] == 0; m["fill_value"] = "0"; jdump(q, m)
@check("30")
def k30(f, c):
    r = []
    for p in (f, c):
        o = []
        try: o.append(str(zarr.open_array(p + "/s0", mode="r")[:].mean().round(1)))
        except Exception as e: o.append(type(e).__name__ + str(e)[:60])
        r.append(([jload(f"{p}/s{l}/.zarray")["fill_value"] for l in range(3)], o))
    assert r[0][0] == ["0"] * 3 and r[1][0] == [0] * 3, r
    return str(r)

# ------------------------------------------------------------------ run
if __name__ == "__main__": main()
