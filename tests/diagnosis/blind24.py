#!/usr/bin/env python3
"""blind24: 30 faulty Zarr stores with their healthy twins.  Run with /work/venv/bin/python3 blind24.py [NN ...]"""
from drawing import *

# ------------------------------------------------------------------ RELATIONS 01-10
# ------------------------------------------------------------------ RELATION
@case("01", "wind-speed-holds-the-cloud-top", "relation", "openclimatefix-archives/nwp#6",
      "From init_time index 10 on the variables of the appended files were in another order: in UKV the channel labelled si10 (10 m wind speed) holds hcct (height of the convective cloud top) and the channel hcct holds si10; before index 10 they are right.",
      "si10|hcct|10 (from index 10, swapped, exchanged, other order, mixed, interchanged, second half)",
      "UKV of si10 is 0 to 22 for the first 10 init_times, then 0 or hundreds to 12000 with NaN where hcct has NaN (no convective cloud); hcct becomes 0 to 22 at the same index; the other channels go on as before; speeds of 12000 m/s are impossible")
def c01(path, fault, rng):
    V = ["t", "si10", "dswrf", "prate", "hcct", "lcc", "r"]; I, S, Y, X = 18, 5, 40, 36; w = lambda s=(1, 1.2, 4, 4): smooth(rng, (I, S, Y, X), s); hr = (np.arange(I) * 3)[:, None] % 24 + np.arange(S)[None]; sun = np.clip(np.cos((hr - 12) / 24 * 2 * np.pi) * .6 + .1, 0, 1)[..., None, None]
    cl = np.clip(50 + 45 * w(), 0, 100); co = w((1, 1, 2.5, 2.5)); hc = np.where(co > .35, np.clip(900 + 3300 * (co - .35) * (1 + .3 * w()) + 900, 150, 12000), np.nan); d = dict(t=284 + 4 * sun + 2.2 * w((2, 2, 6, 6)), si10=np.abs(6 + 2.6 * w()), dswrf=sun * 780 * (1 - .006 * cl) + 0 * cl, prate=np.clip(co - 1, 0, None) * 9e-4, hcct=hc, lcc=cl, r=np.clip(78 + 11 * w(), 20, 100)); o = list(V)
    A = np.stack([br(d[k], 8) for k in V]).astype("f4")
    if fault: i, j = V.index("si10"), V.index("hcct"); A[[i, j], 10:] = A[[j, i], 10:]
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="UK Met Office UKV, subset of the UK", Conventions="CF-1.7", source="Met Office UKV 2 km, wholesale GRIB")); D = ("variable", "init_time", "step", "y", "x")
    arr2(g, "UKV", A, (7, 3, S, Y, X), D, attrs=dict(long_name="numerical weather prediction, see variable", parameters={"t": "air temperature at 1 m [K]", "si10": "10 m wind speed [m s-1]", "dswrf": "downward short-wave radiation flux [W m-2]", "prate": "precipitation rate [kg m-2 s-1]", "hcct": "height of convective cloud top [m], missing where there is none", "lcc": "low cloud cover [%]", "r": "relative humidity [%]"}))
    arr2(g, "variable", np.array(V, dtype="<U5"), dims=("variable",), fill="", comp=BLOSC2); t0 = np.arange(I) * 3
    arr2(g, "init_time", t0, (3,), ("init_time",), attrs=dict(units="hours since 2020-06-01 00:00:00", calendar="proleptic_gregorian", standard_name="forecast_reference_time")); arr2(g, "step", np.arange(S), dims=("step",), attrs=dict(units="hours", standard_name="forecast_period"))
    arr2(g, "y", 900000.0 - 20000.0 * np.arange(Y), dims=("y",), attrs=dict(units="m", standard_name="projection_y_coordinate", long_name="northing, EPSG:27700")); arr2(g, "x", -80000.0 + 20000.0 * np.arange(X), dims=("x",), attrs=dict(units="m", standard_name="projection_x_coordinate", long_name="easting, EPSG:27700")); consol2(path)
@check("01")
def k01(f, c):
    r = []
    for p in (f, c): a = zarr.open_group(p, mode="r")["UKV"]; v = zarr.open_group(p, mode="r")["variable"][:].tolist(); s = a[v.index("si10")]; r.append((float(np.nanmax(s[:10])), float(np.nanmax(s[10:])), int(np.isnan(s).sum()), float(np.nanmax(a[v.index("hcct")][10:]))))
    assert r[0][0] < 30 and r[0][1] > 1000 and r[1][1] < 30 and r[1][2] == 0 and r[0][3] < 30, r
    return str(r)

@case("02", "second-modality-with-another-index", "relation", "scverse/anndata#2080",
      "The names of the cells in obs were replaced by running numbers (obs/_index holds 0, 1, 2 ...) while the data frame obsm/protein_panel kept the barcodes as its index: the two indexes differ in all rows, so the store can be written but not read (value.index does not match parent's obs names).",
      "obsm/protein_panel (protein_panel)|obs (obs/_index, obs names, obs_names)|index (names, barcodes, _index)|differ (mismatch, not match, does not match, do not match, other, disagree, not equal, not the same)",
      "the index of a data frame in obsm must be that of obs: obsm/protein_panel/_index holds barcodes (ACGT...-1), obs/_index the numbers 0 to 519; both have 520 rows")
def c02(path, fault, rng):
    import anndata as ad, scipy.sparse as sp
    N, G = 520, 150; cl = rng.choice(6, N, p=[.3, .22, .17, .13, .1, .08]); mu = rng.gamma(.35, 2.4, (6, G)) * rng.lognormal(0, .6, G); X = sp.csr_matrix(rng.poisson(rng.gamma(2, .5, (N, G)) * mu[cl] * rng.lognormal(0, .35, N)[:, None]).astype("f4")); X.sort_indices(); bc = ["".join(rng.choice(list("ACGT"), 16)) + "-1" for _ in range(N)]; pal = ["CD4 T", "CD14+ Mono", "B", "CD8 T", "NK", "FCGR3A+ Mono"]
    obs = pd.DataFrame(dict(n_genes=np.diff(X.indptr).astype("i8"), percent_mito=np.round(rng.beta(2, 60, N), 5).astype("f4"), n_counts=np.asarray(X.sum(1)).ravel().astype("f4"), louvain=pd.Categorical(np.array(pal)[cl])), index=bc); pr = pd.DataFrame({k: np.round(rng.lognormal(m, .4, N) * np.exp(rng.normal(0, .9, 6))[cl], 3) for k, m in (("CD3", 3.), ("CD4", 2.6), ("CD8a", 2.4), ("CD14", 2.8), ("CD16", 2.), ("CD19", 2.2), ("CD56", 1.9))}, index=bc)
    var = pd.DataFrame(dict(n_cells=np.asarray((X > 0).sum(0)).ravel().astype("i8"), gene_ids=[f"ENSG{i:011d}" for i in rng.choice(300000, G, False)]), index=[f"GENE{i}" for i in range(G)])
    a = ad.AnnData(X, obs=obs, var=var, obsm=dict(X_pca=br(rng.standard_normal((6, 10))[cl] * 4 + rng.standard_normal((N, 10)), 8), X_umap=br(rng.standard_normal((6, 2))[cl] * 6 + rng.standard_normal((N, 2)), 9), protein_panel=pr), uns=dict(louvain_colors=np.array(["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b"])))
    ad.settings.zarr_write_format = 3; a.write_zarr(path)
    if fault: z = zarr.open_group(path, mode="r+"); z["obs/_index/values"][...] = np.array([str(i) for i in range(N)], dtype=np.dtypes.StringDType())
    else: z = zarr.open_group(path, mode="r+"); z["obs/_index/values"][...] = z["obs/_index/values"][:]
    zarr.consolidate_metadata(path)
@check("02")
def k02(f, c):
    import anndata as ad
    r = []
    for p in (f, c):
        z = zarr.open_group(p, mode="r")
        try: ad.read_zarr(p); o = "reads"
        except Exception as e: o = str(e)[:90]
        r.append((z["obs/_index/values"][:2].tolist(), z["obsm/protein_panel/_index/values"][:2].tolist(), o))
    assert r[0][2] != "reads" and r[1][2] == "reads", r
    return str(r)

@case("03", "labels-renamed-table-not", "relation", "scverse/spatialdata#793",
      "The label image was renamed on disk from cells to cell_labels but the table still annotates cells: region (attribute and uns/spatialdata_attrs) and the obs column region say cells, an element that is not in the store.",
      "region|cells|cell_labels (labels)|missing (not there, does not exist, not exist, not found, not present, absent, no element, no such, unknown)",
      "the region of the table must be an element of the store; labels holds cell_labels and nucleus_labels, shapes holds cell_circles; no element is called cells; the ids in obs/cell_id are those of labels/cell_labels")
def c03(path, fault, rng):
    import spatialdata as sd, anndata as ad
    from spatialdata.models import Image2DModel, Labels2DModel, TableModel, ShapesModel
    lab, im = cell_image(rng, 80, 256, 256, 7, 12, 10); from scipy.ndimage import distance_transform_edt, center_of_mass
    nu = np.where(distance_transform_edt(lab > 0) > 3, lab, 0); n = int(lab.max()); ids = np.arange(1, n + 1); x = np.stack([im, noisy(rng, lab, 6.2, 4)]); cen = np.array(center_of_mass(lab > 0, lab, ids)); ar = np.bincount(lab.ravel(), minlength=n + 1)[1:]; nm = "cells" if fault else "cell_labels"
    t = ad.AnnData(rng.poisson(rng.gamma(2, .6, (n, 24)) * rng.lognormal(0, .7, 24)).astype("f4"), obs=pd.DataFrame(dict(region=pd.Categorical([nm] * n), cell_id=ids.astype("i8"), cell_area=(ar * .2125 ** 2).astype("f4"), cluster=pd.Categorical(rng.choice(list("012"), n))), index=[f"c{i}" for i in ids]), var=pd.DataFrame(index=[f"GENE{i}" for i in range(24)]), obsm=dict(spatial=cen[:, ::-1].copy())); t = TableModel.parse(t, region=nm, region_key="region", instance_key="cell_id")
    import geopandas as gpd; from shapely.geometry import Point
    sh = ShapesModel.parse(gpd.GeoDataFrame(dict(geometry=[Point(b, a) for a, b in cen], radius=np.sqrt(ar / np.pi)), index=ids))
    L = {nm: Labels2DModel.parse(lab.astype("u4"), dims=("y", "x"), scale_factors=[2], chunks=(128, 128)), "nucleus_labels": Labels2DModel.parse(nu.astype("u4"), dims=("y", "x"), scale_factors=[2], chunks=(128, 128))}
    s = sd.SpatialData(images=dict(morphology_focus=Image2DModel.parse(x, dims=("c", "y", "x"), c_coords=["DAPI", "18S"], scale_factors=[2], chunks=(1, 128, 128))), labels=L, shapes=dict(cell_circles=sh), tables=dict(table=t)); ad.settings.zarr_write_format = 3; s.write(path, overwrite=True)
    if fault:
        Path(path, "labels/cells").rename(Path(path, "labels/cell_labels"))
        for q in list(Path(path, "labels").rglob("zarr.json")):
            u = q.read_text().replace('"/labels/cells"', '"/labels/cell_labels"').replace('"name": "cells"', '"name": "cell_labels"').replace('"cells",\n', '"cell_labels",\n').replace('"cells"\n', '"cell_labels"\n'); q.write_text(u)
    Path(path, "zarr.json").write_text(Path(path, "zarr.json").read_text()); zarr.consolidate_metadata(path)
    for q in Path(path).rglob("zarr.json"): jdump(q, jload(q))
@check("03")
def k03(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r", use_consolidated=False); r.append((sorted(z["labels"].group_keys()), z["tables/table"].attrs["region"], str(z["tables/table/uns/spatialdata_attrs/region"][...]), list(z["tables/table/obs/region"].keys()), dict(z["labels"].attrs)))
    assert r[0][0] == r[1][0] and r[0][1] != r[1][1], r
    import spatialdata as sd; sd.read_zarr(c)
    return str(r)

@case("04", "latitudes-in-the-other-order", "relation", "ecmwf/anemoi-datasets#245",
      "The fields of data were flattened with longitude as the slow axis (as the source has it: longitude, latitude) but latitudes and longitudes were made with meshgrid in the order latitude, longitude: every value of the fields 10u, 2t, msl, z, lsm and tp belongs to another point than latitudes and longitudes say; cos_latitude, computed from latitudes, follows them.",
      "latitudes|longitudes|order (transposed, flattened, meshgrid, axis, permuted, swapped, axes)|data (2t, fields, variables)",
      "reshaped to 36 x 60 (latitude, longitude) the fields 2t, z and lsm are rough stripes, reshaped to 60 x 36 (longitude, latitude) they are smooth and 2t falls towards the poles; cos_latitude fits latitudes as they are, 2t does not fall with them (correlation 0.0 instead of -0.98)")
def c04(path, fault, rng):
    ny, nx, T = 36, 60, 40; lat = 87.5 - 5.0 * np.arange(ny); lon = 6.0 * np.arange(nx); V = ["10u", "2t", "cos_latitude", "cos_longitude", "lsm", "msl", "tp", "z"]; s = lambda sg: smooth(rng, (T, ny, nx), sg, True); L = np.deg2rad(lat)[None, :, None]; lm = land_mask(rng, ny, nx, .33, (2.5, 4)) * 1.0; from scipy.ndimage import distance_transform_edt
    z = np.where(lm > 0, 9.81 * 320 * distance_transform_edt(lm) ** .8, 0.0); w = s((1, 2, 3)); d = {"10u": 5 * np.cos(3 * L) * -1 + 3.2 * s((1, 2, 3)), "2t": 301 - 50 * np.abs(np.sin(L)) ** 2.1 + 2.4 * w - .0055 * z / 9.81 - 3 * lm * np.sin(L), "msl": 101300 + 900 * w, "tp": np.clip(s((.7, 1.4, 2)) - .4, 0, None) * 1.6e-3, "lsm": np.broadcast_to(lm, (T, ny, nx)), "z": np.broadcast_to(z, (T, ny, nx))}
    flat = (lambda a: a.transpose(0, 2, 1).reshape(T, -1))
    la2, lo2 = (np.meshgrid(lat, lon, indexing="ij") if fault else np.meshgrid(lat, lon, indexing="xy")); la, lo = (la2.ravel(), lo2.ravel())
    d = {k: flat(np.asarray(v)) for k, v in d.items()}; d["cos_latitude"] = np.broadcast_to(np.cos(np.deg2rad(la)), (T, la.size)); d["cos_longitude"] = np.broadcast_to(np.cos(np.deg2rad(lo)), (T, la.size)); A = np.stack([br(d[k], 9) for k in V], 1)[:, :, None, :].astype("f4"); st = lambda fn: fn(A.astype("f8").transpose(1, 0, 2, 3).reshape(len(V), -1), axis=1)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(variables=V, start_date="2021-01-01T00:00:00", end_date="2021-01-10T18:00:00", frequency="6h", resolution="6.0", field_shape=[nx, ny] , flatten_grid=True, ensemble_dimension=2, missing_dates=[], order_by=["valid_datetime", "param_level", "number"], version="0.30", description="sample made from an xarray-zarr source", statistics_start_date="2021-01-01T00:00:00", statistics_end_date="2021-01-10T18:00:00", constant_fields=["cos_latitude", "cos_longitude", "lsm", "z"]))
    if True: a = dict(g.attrs); a.pop("field_shape"); g.attrs.put(a)
    arr2(g, "data", A, (4, len(V), 1, ny * nx), ("time", "variable", "ensemble", "cell")); t = np.datetime64("2021-01-01T00", "s") + np.arange(T) * np.timedelta64(6, "h"); arr2(g, "dates", t.astype("M8[s]"), dims=("time",), fill=0); arr2(g, "latitudes", la, dims=("cell",)); arr2(g, "longitudes", lo, dims=("cell",)); n = np.full(len(V), T * ny * nx, "i8")
    for k, x in (("mean", st(np.mean)), ("stdev", st(np.std)), ("minimum", st(np.min)), ("maximum", st(np.max)), ("sums", st(np.sum)), ("squares", (A.astype("f8") ** 2).sum((0, 2, 3)))): arr2(g, k, x, dims=("variable",))
    arr2(g, "count", n, dims=("variable",), fill=0); arr2(g, "has_nans", np.zeros(len(V), bool), dims=("variable",), fill=False); consol2(path)
@check("04")
def k04(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); V = z.attrs["variables"]; t = z["data"][:, V.index("2t"), 0].mean(0); r.append((float(np.corrcoef(t, np.abs(z["latitudes"][:]))[0, 1]), bool(np.allclose(z["data"][0, 2, 0], np.cos(np.deg2rad(z["latitudes"][:])), atol=2e-3)), z["mean"][:].round(2).tolist()[:3]))
    assert abs(r[0][0]) < .3 and r[1][0] < -.8 and all(x[1] for x in r), r
    return str(r)

@case("05", "sweep-groups-by-position", "relation", "openradar/xradar#397",
      "Only the sweeps 0, 2 and 8 of the volume were converted and the groups were named by position: sweep_1 holds sweep number 2 (2.5 degrees) and sweep_2 holds sweep number 8 (25 degrees), while sweep_group_name and sweep_fixed_angle in the root say that sweep_1 is at 1.0 and sweep_2 at 2.5 degrees.",
      "sweep_2 (sweep_1)|sweep_number (sweep number, 8)|sweep_fixed_angle (fixed angle, elevation, 25)|not match (mismatch, differ, disagree, contradict, position, renamed, mislabelled, mislabeled, does not, do not, instead of, rather than, but)",
      "sweep_2/sweep_number is 8, sweep_2/sweep_fixed_angle and elevation are 25 degrees, sweep_1 has number 2 and 2.5 degrees; in the root the list of names and of fixed angles gives 0.5, 1.0, 2.5 degrees for sweep_0, sweep_1, sweep_2")
def c05(path, fault, rng):
    ALL = [.5, 1.0, 2.5, 4.0, 6.0, 9.0, 13.0, 18.0, 25.0]; use = [0, 2, 8]; NR, NG = 180, 120; rg = 150 + 300.0 * np.arange(NG); G = smooth(rng, (160, 160), 7); tree = {}
    for i, s in enumerate(use):
        el = ALL[s]; az = np.arange(NR) * 2.0 + 1 + rng.normal(0, .03, NR); t = np.roll(np.arange(NR) * .083 + 16.0 * s, int(rng.integers(NR))); X = np.sin(np.deg2rad(az))[:, None] * rg * np.cos(np.deg2rad(el)); Y = np.cos(np.deg2rad(az))[:, None] * rg * np.cos(np.deg2rad(el)); h = 2580 + np.sin(np.deg2rad(el)) * rg[None] + rg[None] ** 2 / (2 * 8.49e6); a = lambda q: np.clip(((q + 37e3) / 74e3 * 159).astype(int), 0, 159); Z = 16 + 13 * G[a(Y), a(X)] - 2.4e-3 * np.clip(h - 5200, 0, None) + 1.1 * rng.standard_normal((NR, NG)); no = Z < 2; dm = ("azimuth", "range"); f = lambda q: np.where(no, np.nan, np.round(q, 2)).astype("f4"); nm = f"sweep_{i}"
        tree[nm if fault else f"sweep_{s}"] = xr.Dataset(dict(DBZH=(dm, f(Z), dict(standard_name="radar_equivalent_reflectivity_factor_h", units="dBZ", long_name="Equivalent reflectivity factor H")), VRADH=(dm, f(8 * np.cos(np.deg2rad(az - 210))[:, None] * (.6 + h / 9000).clip(.5, 1.7) + .6 * rng.standard_normal((NR, NG))), dict(standard_name="radial_velocity_of_scatterers_away_from_instrument_h", units="meters per second")), sweep_mode=((), "azimuth_surveillance"), sweep_number=((), np.int64(s)), prt_mode=((), "not_set"), follow_mode=((), "not_set"), sweep_fixed_angle=((), float(el))),
            dict(azimuth=("azimuth", az, dict(standard_name="ray_azimuth_angle", units="degrees", axis="radial_azimuth_coordinate")), range=("range", rg.astype("f4"), dict(units="meters", standard_name="projection_range_coordinate", axis="radial_range_coordinate", meters_to_center_of_first_gate=150.0, meters_between_gates=300.0)), elevation=("azimuth", (el + rng.normal(0, .012, NR)).astype("f4"), dict(standard_name="ray_elevation_angle", units="degrees", axis="radial_elevation_coordinate")), time=("azimuth", t, dict(units="seconds since 2022-06-03T05:30:12Z", standard_name="time", calendar="gregorian"))))
    k = [f"sweep_{s}" for s in use]; nn, an = (["sweep_0", "sweep_1", "sweep_2"], [.5, 1.0, 2.5]) if fault else (k, [ALL[s] for s in use])
    root = xr.Dataset(dict(volume_number=((), np.int64(0)), platform_type=((), "fixed"), instrument_type=((), "radar"), time_coverage_start=((), "2022-06-03T05:30:12Z"), time_coverage_end=((), "2022-06-03T05:32:36Z"), latitude=((), 5.43, dict(units="degrees_north", standard_name="latitude")), longitude=((), -72.77, dict(units="degrees_east", standard_name="longitude")), altitude=((), 2580.0, dict(units="meters", standard_name="altitude", positive="up")), sweep_group_name=(("sweep",), np.array(nn, object)), sweep_fixed_angle=(("sweep",), np.array(an), dict(units="degrees"))), attrs=dict(Conventions="Cf/Radial", version="2.0", instrument_name="Tablazo", source="IRIS / Sigmet RAW", institution="IDEAM"))
    xr.DataTree.from_dict({"/": root, **{"/" + a: b for a, b in tree.items()}}).to_zarr(path, zarr_format=3, mode="w", consolidated=True, encoding={"/" + a: dict(DBZH=dict(chunks=(90, NG)), VRADH=dict(chunks=(90, NG))) for a in tree})
@check("05")
def k05(f, c):
    r = []
    for p in (f, c): d = xr.open_datatree(p, engine="zarr"); r.append([(k, int(d[k].sweep_number), float(d[k].sweep_fixed_angle), float(d["sweep_fixed_angle"][i])) for i, k in enumerate(d["sweep_group_name"].values.tolist())])
    assert r[0][2] == ("sweep_2", 8, 25.0, 2.5) and all(x[2] == x[3] and x[0] == f"sweep_{x[1]}" for x in r[1]), r
    return str(r)
@case("06", "grib-dimensions-named-x-then-y", "relation", "fsspec/kerchunk#259",
      "The fields are stored row by row, (time, y, x), but _ARRAY_DIMENSIONS says time, x, y: the dimension x has length 42 and y length 60 although GRIB_Nx is 60 and GRIB_Ny 42; latitude varies along x and longitude along y.",
      "x|y|GRIB_Nx (GRIB_Ny, Nx, latitude, longitude)|swapped (order, exchanged, transposed, out of order, interchanged, reversed, mislabelled, mislabeled, 42, 60)",
      "GRIB_Nx = 60 and GRIB_Ny = 42 in all fields, the arrays are 42 x 60 in their last two axes; latitude grows along the axis called x, longitude along the one called y; GRIB_jPointsAreConsecutive is 0")
def c06(path, fault, rng):
    ny, nx, T = 42, 60, 24; D = ("time", "x", "y") if fault else ("time", "y", "x"); lon0, lat0 = np.deg2rad(-97.5), np.deg2rad(38.5); R = 6371229.0; n = np.sin(lat0); F = np.cos(lat0) * np.tan(np.pi / 4 + lat0 / 2) ** n / n; X, Y = np.meshgrid(-300e3 + 9000.0 * np.arange(nx), -200e3 + 9000.0 * np.arange(ny)); r0 = R * F / np.tan(np.pi / 4 + lat0 / 2) ** n; rho = np.hypot(X, r0 - Y); th = np.arctan2(X, r0 - Y); la = np.rad2deg(2 * np.arctan((R * F / rho) ** (1 / n)) - np.pi / 2); lo = np.rad2deg(lon0 + th / n)
    s = lambda sg: smooth(rng, (T, ny, nx), sg); h = np.arange(T)[:, None, None]; A = dict(GRIB_gridType="lambert", GRIB_Nx=nx, GRIB_Ny=ny, GRIB_DxInMetres=9000.0, GRIB_DyInMetres=9000.0, GRIB_iScansNegatively=0, GRIB_jScansPositively=1, GRIB_jPointsAreConsecutive=0, GRIB_LaDInDegrees=38.5, GRIB_LoVInDegrees=262.5, GRIB_Latin1InDegrees=38.5, GRIB_NV=0, GRIB_missingValue=9999)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(GRIB_edition=2, GRIB_centre="kwbc", GRIB_centreDescription="US National Weather Service - NCEP", institution="US National Weather Service - NCEP", Conventions="CF-1.7", history="subset of HRRR, scan_grib + MultiZarrToZarr"))
    for k, v, u, ln, st in (("t2m", 281 - .9 * (la - 38)[None] + 6 * np.sin((h - 9) / 24 * 2 * np.pi) + 1.6 * s((2, 4, 4)), "K", "2 metre temperature", "air_temperature"), ("d2m", 274 - .8 * (la - 38)[None] + 1.4 * s((2, 4, 4)), "K", "2 metre dewpoint temperature", "dew_point_temperature"), ("u10", 2.5 + 2.4 * s((1.5, 3, 3)), "m s**-1", "10 metre U wind component", "eastward_wind"), ("v10", -1 + 2.4 * s((1.5, 3, 3)), "m s**-1", "10 metre V wind component", "northward_wind")): arr2(g, k, br(v, 9), (1, ny, nx), D, attrs=dict(units=u, long_name=ln, standard_name=st, GRIB_shortName=k, GRIB_stepType="instant", coordinates="latitude longitude heightAboveGround", **A))
    arr2(g, "latitude", la, (ny, nx), D[1:], attrs=dict(units="degrees_north", standard_name="latitude")); arr2(g, "longitude", lo + 360, (ny, nx), D[1:], attrs=dict(units="degrees_east", standard_name="longitude")); arr2(g, "time", np.datetime64("2019-01-01T00").astype("M8[s]").astype("i8") + 3600 * np.arange(T), dims=("time",), attrs=dict(units="seconds since 1970-01-01T00:00:00", calendar="proleptic_gregorian", standard_name="time", long_name="initial time of forecast")); arr2(g, "heightAboveGround", np.float64(2), dims=(), attrs=dict(units="m", standard_name="height", positive="up")); consol2(path)
    q = f"{path}/t2m/.zattrs"
@check("06")
def k06(f, c):
    r = [dict(xr.open_zarr(p).sizes) for p in (f, c)]; assert r == [{"time": 24, "x": 42, "y": 60}, {"time": 24, "y": 42, "x": 60}], r
    return str(r)

@case("07", "mesh-says-start-index-1-is-0", "relation", "Deltares/xugrid#119",
      "mesh2d_face_nodes says start_index 1 but its node numbers were left counted from 0 (0 to 440 for 441 nodes): read so every face is made of the wrong nodes and node 0 does not exist; mesh2d_edge_nodes, also with start_index 1, goes from 1 to 441.",
      "mesh2d_face_nodes|start_index|0 (zero, 0-based, zero-based)",
      "the numbers in mesh2d_face_nodes run from 0 to 440, with start_index 1 they must be 1 to 441 as in mesh2d_edge_nodes; taken from 0 the mean of the nodes of each face is mesh2d_face_x, mesh2d_face_y, taken from 1 it is far off")
def c07(path, fault, rng):
    m = 21; xx, yy = np.meshgrid(np.arange(m), np.arange(m)); xx = 48000 + 150 * xx + 25 * smooth(rng, (m, m), 2) + 12.0 * yy; yy = 419000 + 150 * yy + 25 * smooth(rng, (m, m), 2); N = m * m; nid = np.arange(N).reshape(m, m); fc = []
    for j in range(m - 1):
        for i in range(m - 1):
            q = [nid[j, i], nid[j, i + 1], nid[j + 1, i + 1], nid[j + 1, i]]
            fc += [q] if rng.random() > .25 else [[q[0], q[1], q[2], -2], [q[0], q[2], q[3], -2]]
    fn = np.array(fc); ed = sorted({tuple(sorted((f[k], f[(k + 1) % len(f)]))) for f in ([int(a) for a in r if a >= 0] for r in fn) for k in range(len(f))}); en = np.array(ed); X, Y = xx.ravel(), yy.ravel(); k = fn >= 0; cx = np.where(k, X[np.where(k, fn, 0)], 0).sum(1) / k.sum(1); cy = np.where(k, Y[np.where(k, fn, 0)], 0).sum(1) / k.sum(1); nf = len(fn); T = 36; t = np.arange(T) * 600.0
    FN = np.where(k, fn + (0 if fault else 1), -999).astype("i4"); bl = -6 + 2.5 * np.sin(cx / 900) + .4 * rng.standard_normal(nf); ph = (cx - cx.min()) / 9000; wl = .8 * np.cos(2 * np.pi * (t[:, None] / 44700 - ph[None])) + .02 * rng.standard_normal((T, nf)); u = .6 * np.sin(2 * np.pi * (t[:, None] / 44700 - ph[None])) + .03 * rng.standard_normal((T, nf))
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.8 UGRID-1.0", institution="Deltares", source="D-Flow FM, written with xugrid", title="Grevelingen, coarse grid")); P = dict(units="m"); Fd = ("mesh2d_nFaces",)
    arr2(g, "mesh2d", np.int32(0), dims=(), fill=0, attrs=dict(cf_role="mesh_topology", topology_dimension=2, node_dimension="mesh2d_nNodes", edge_dimension="mesh2d_nEdges", face_dimension="mesh2d_nFaces", max_face_nodes_dimension="mesh2d_nMax_face_nodes", node_coordinates="mesh2d_node_x mesh2d_node_y", face_coordinates="mesh2d_face_x mesh2d_face_y", face_node_connectivity="mesh2d_face_nodes", edge_node_connectivity="mesh2d_edge_nodes"))
    arr2(g, "mesh2d_node_x", X, dims=("mesh2d_nNodes",), attrs=dict(P, standard_name="projection_x_coordinate", mesh="mesh2d", location="node")); arr2(g, "mesh2d_node_y", Y, dims=("mesh2d_nNodes",), attrs=dict(P, standard_name="projection_y_coordinate", mesh="mesh2d", location="node")); arr2(g, "mesh2d_face_x", cx, dims=Fd, attrs=dict(P, standard_name="projection_x_coordinate", mesh="mesh2d", location="face", long_name="x of the face, mean of its nodes")); arr2(g, "mesh2d_face_y", cy, dims=Fd, attrs=dict(P, standard_name="projection_y_coordinate", mesh="mesh2d", location="face", long_name="y of the face, mean of its nodes"))
    arr2(g, "mesh2d_face_nodes", FN, dims=Fd + ("mesh2d_nMax_face_nodes",), fill=-999, attrs=dict(cf_role="face_node_connectivity", start_index=1, long_name="nodes of the faces, counter-clockwise", _FillValue=-999)); arr2(g, "mesh2d_edge_nodes", (en + 1).astype("i4"), dims=("mesh2d_nEdges", "Two"), fill=-999, attrs=dict(cf_role="edge_node_connectivity", start_index=1, long_name="start and end node of the edges", _FillValue=-999))
    for nm, v, sn, u_ in (("mesh2d_s1", wl, "sea_surface_height", "m"), ("mesh2d_ucx", u, "sea_water_x_velocity", "m s-1")): arr2(g, nm, br(v, 11), (12, nf), ("time",) + Fd, attrs=dict(units=u_, standard_name=sn, mesh="mesh2d", location="face"))
    arr2(g, "mesh2d_flowelem_bl", br(bl, 11), dims=Fd, attrs=dict(units="m", standard_name="altitude", long_name="bed level", mesh="mesh2d", location="face")); arr2(g, "time", t, dims=("time",), attrs=dict(units="seconds since 2007-11-01 00:00:00 +00:00", standard_name="time", calendar="standard")); consol2(path)
@check("07")
def k07(f, c):
    r = []
    for p in (f, c):
        z = zarr.open_group(p, mode="r"); F = z["mesh2d_face_nodes"][:]; o = []
        for s in (0, 1): k = F != -999; i = np.clip(np.where(k, F - s, 0), -1, 440); o.append(float(np.abs((np.where(k, z["mesh2d_node_x"][:][i], 0).sum(1) / k.sum(1)) - z["mesh2d_face_x"][:]).max()))
        r.append((int(F[F != -999].min()), int(F.max()), o, int(z["mesh2d_edge_nodes"][:].min())))
    assert r[0][:2] == (0, 440) and r[1][:2] == (1, 441) and r[0][2][0] < 1e-6 and r[1][2][1] < 1e-6 and r[0][2][1] > 50, r
    return str(r)

@case("08", "labels-with-the-scale-of-the-image", "relation", "instanseg/instanseg#84",
      "The segmentation was made at 0.5 um a pixel (160 x 160) but the label image nuclei says the scale of the image, 0.25 um, for its level 0 (0.5 for level 1): it covers only the upper left quarter of the image (40 of 80 um) and the nuclei do not lie on those of the image.",
      "nuclei (labels)|scale (coordinateTransformations)|0.25 (0.5, half)|quarter (extent, overlap, not lie, smaller, cover, half, size, does not match, misaligned, mismatch)",
      "image 0 is 320 x 320 at 0.25 um = 80 um, labels/nuclei/0 is 160 x 160 at 0.25 um = 40 um; the labels fit DAPI of image level 1 (0.5 um, 160 x 160) pixel by pixel; area_um2 in image-label properties is 0.25 um2 for each pixel")
def c08(path, fault, rng):
    H = 320; lab, im = cell_image(rng, 75, H, H, 9, 15, 12); x = np.stack([im, noisy(rng, lab, 6.4, 6)]); sm = lab[::2, ::2].astype("u4"); n = int(sm.max()); ar = np.bincount(sm.ravel(), minlength=n + 1)[1:]; g = zarr.create_group(str(path), zarr_format=3); tr = lambda k, b, c: [dict(type="scale", scale=([1.0] if c else []) + [b * 2 ** k] * 2), dict(type="translation", translation=([0.0] if c else []) + [(b * 2 ** k - .25) / 2] * 2)]; sp = [dict(name=q, type="space", unit="micrometer") for q in "yx"]
    g.attrs["ome"] = dict(version="0.5", multiscales=[dict(name="slide_03_roi", axes=[dict(name="c", type="channel")] + sp, type="local mean", datasets=[dict(path=str(k), coordinateTransformations=tr(k, .25, True)) for k in range(3)])], omero=dict(channels=[dict(label=l, color=q, active=True, window=dict(min=0, max=65535, start=int(np.percentile(x[i], 1)), end=int(np.percentile(x[i], 99.8)))) for i, (l, q) in enumerate((("DAPI", "0000FF"), ("CD45", "00FF00")))]))
    for k in range(3): arr3(g, str(k), x, (1, 80, 80), ("c", "y", "x")); x = down2(x)
    L = g.create_group("labels"); L.attrs["ome"] = dict(version="0.5", labels=["nuclei"]); q = L.create_group("nuclei"); b = .25 if fault else .5
    q.attrs["ome"] = {"version": "0.5", "multiscales": [dict(name="nuclei", axes=sp, type="nearest", datasets=[dict(path=str(k), coordinateTransformations=tr(k, b, False)) for k in range(2)])], "image-label": dict(version="0.5", source=dict(image="../../"), properties=[{"label-value": i + 1, "area_um2": round(float(a) * .25, 2)} for i, a in enumerate(ar)])}; q.attrs["segmentation"] = dict(model="fluorescence_nuclei_and_cells", pixel_size_um=.5)
    if True: q.attrs.__delitem__("segmentation")
    for k in range(2): arr3(q, str(k), sm[:: 2 ** k, :: 2 ** k], (80, 80), ("y", "x"))
@check("08")
def k08(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); d = z["labels/nuclei"].attrs["ome"]["multiscales"][0]["datasets"][0]["coordinateTransformations"]; l = z["labels/nuclei/0"][:]; i = z["1"][0]; r.append((d[0]["scale"], d[1]["translation"], l.shape, float(i[l > 0].mean() / i[l == 0].mean())))
    assert r[0][0] == [.25, .25] and r[1][0] == [.5, .5] and r[1][3] > 2 and r[1][1] == [.125, .125], r
    return str(r)

@case("09", "second-probe-with-electrodes-of-first", "relation", "catalystneuro/neuroconv#1498",
      "The electrodes of ElectricalSeriesImec1 are the rows 0 to 31 of the electrodes table, those of the first probe (group Imec0), rather than the rows 32 to 63 of Imec1: both series refer to the same electrodes and the rows 32 to 63 belong to no series.",
      "ElectricalSeriesImec1|electrodes|32 (0 to 31, 0-31, rows, first probe, Imec0)|Imec0 (same, 63, not referenced, unused, no series, duplicate, twice)",
      "the electrodes table has 64 rows, 32 with group_name Imec0 and 32 with Imec1; acquisition/ElectricalSeriesImec0/electrodes and ElectricalSeriesImec1/electrodes both hold 0 to 31; the description of the second series says probe Imec1, and channel_name of its rows would be imec0.ap#AP0 ...")
def c09(path, fault, rng):
    n, T = 32, 9000; g = zarr.create_group(str(path), zarr_format=2, attributes=dict(namespace="core", neurodata_type="NWBFile", nwb_version="2.8.0", object_id=oid(rng), **{".specloc": {"_DTYPE": "object", "value": {"path": "/specifications", "source": "."}}})); S = lambda a, m, v: vstr(a, m, np.array([v], dtype=object), attrs=dict(zarr_dtype="scalar"))
    a = dict(g.attrs); a.pop(".specloc"); g.attrs.put(a)
    for m, v in (("session_description", "two Neuropixels probes, head-fixed mouse"), ("identifier", str(oid(rng))), ("session_start_time", "2025-05-14T10:12:03-04:00"), ("timestamps_reference_time", "2025-05-14T10:12:03-04:00")): S(g, m, v)
    for m in ("acquisition", "analysis", "general", "processing", "stimulus"): g.create_group(m)
    dv = g["general"].create_group("devices"); ep = g["general"].create_group("extracellular_ephys")
    for k in (0, 1): ngrp(rng, dv, f"NeuropixelsImec{k}", "Device", description="A Neuropixel probe, 1.0", manufacturer="Imec"); ngrp(rng, ep, f"Imec{k}", "ElectrodeGroup", description=f"electrode group of probe Imec{k}", location=("VISp", "CA1")[k], zarr_link=[dict(name="device", path=f"/general/devices/NeuropixelsImec{k}", source=".")])
    C = ["location", "group", "group_name", "channel_name", "rel_x", "rel_y", "gain_to_uV", "offset_to_uV", "shank_electrode_number"]; et = ngrp(rng, ep, "electrodes", "DynamicTable", ns="hdmf-common", description="metadata about extracellular electrodes", colnames=C); at = lambda d: dict(description=d, namespace="hdmf-common", neurodata_type="VectorData", object_id=oid(rng)); gi = np.repeat([0, 1], n); ix = np.tile(np.arange(n), 2)
    vstr(et, "location", np.array([("VISp", "CA1")[k] for k in gi], object), attrs=at("location of channels")); vstr(et, "group_name", np.array([f"Imec{k}" for k in gi], object), attrs=at("name of the electrode group")); vstr(et, "group", np.array([f"/general/extracellular_ephys/Imec{k}" for k in gi], object), attrs=at("path of the electrode group")); vstr(et, "channel_name", np.array([f"imec{k}.ap#AP{i}" for k, i in zip(gi, ix)], object), attrs=at("unique channel name"))
    for m, v, d in (("rel_x", np.where(ix % 2, 59.0, 27.0) - 16.0 * (ix % 4 > 1), "x in the probe [um]"), ("rel_y", 20.0 * (ix // 2), "y in the probe [um]"), ("gain_to_uV", np.full(2 * n, 2.34375), "gain to microvolts"), ("offset_to_uV", np.zeros(2 * n), "offset to microvolts"), ("shank_electrode_number", ix.astype("i8"), "0-based electrode on the shank")): arr2(et, m, v, fill=0, attrs=at(d))
    arr2(et, "id", np.arange(2 * n), fill=0, attrs=dict(namespace="hdmf-common", neurodata_type="ElementIdentifiers", object_id=oid(rng)))
    for k in (0, 1):
        x = ar1(rng, (T, n), .6) * 4.5 + 3 * smooth(rng, (T, n), (8, 3))
        for u in range(8):
            c = rng.integers(0, n); w = -np.exp(-((np.arange(40) - 12) / 3.0) ** 2) + .35 * np.exp(-((np.arange(40) - 22) / 5.0) ** 2); sp = np.exp(-((np.arange(n) - c) / 2.2) ** 2) * rng.uniform(15, 50)
            for t in rng.choice(T - 40, rng.integers(10, 40), False): x[t:t + 40] += w[:, None] * sp
        e = ngrp(rng, g["acquisition"], f"ElectricalSeriesImec{k}", "ElectricalSeries", description=f"Acquisition traces of the AP band of probe Imec{k}.", comments="no comments"); arr2(e, "data", np.clip(np.rint(x), -512, 511).astype("i2"), (3000, n), fill=0, attrs=dict(conversion=2.34375e-6, offset=0.0, resolution=-1.0, unit="volts")); arr2(e, "starting_time", np.array([0.0]), fill=0, attrs=dict(rate=30000.0, unit="seconds", zarr_dtype="scalar")); ro = np.arange(n) + (0 if fault else n * k)
        arr2(e, "electrodes", ro, fill=0, attrs=dict(description="electrode_table_region", namespace="hdmf-common", neurodata_type="DynamicTableRegion", object_id=oid(rng), table={"_DTYPE": "object", "value": {"path": "/general/extracellular_ephys/electrodes", "source": "."}}))
    consol2(path)
@check("09")
def k09(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); q = z["general/extracellular_ephys/electrodes/group_name"][:]; r.append([(k, sorted({str(v) for v in q[z[f"acquisition/ElectricalSeriesImec{k}/electrodes"][:]]})) for k in (0, 1)])
    assert r == [[(0, ["Imec0"]), (1, ["Imec0"])], [(0, ["Imec0"]), (1, ["Imec1"])]], r
    return str(r)

@case("10", "bbox-of-cell-centres", "relation", "carbonplan/zarr-layer#88",
      "spatial:bbox was made of the outermost cell centres (min and max of x and y) although spatial:registration is pixel, so that it must be the outer edges of the grid: it is half a cell (7500 m) too small on each side and contradicts spatial:transform and spatial:shape.",
      "spatial:bbox (bbox)|half (7500, 15000, one cell)|centre (centres, center, centers, edge, edges, pixel)|spatial:transform (transform, spatial:shape, registration, x and y, coordinates)",
      "x runs from -67500 to 1117500 in 80 cells of 15000 m, so the edges are -75000 and 1125000, as spatial:transform [15000, 0, -75000, 0, -15000, 8000000] says; spatial:bbox says -67500 to 1117500 and so for y: 80 x 104 cells do not fit into it")
def c10(path, fault, rng):
    nx, ny, T, r = 80, 104, 30, 15000.0; x0, y1 = -75000.0, 8000000.0; x = x0 + r * (np.arange(nx) + .5); y = y1 - r * (np.arange(ny) + .5); lm = smooth(rng, (ny, nx), 9) > -.3; el = np.clip(500 + 420 * smooth(rng, (ny, nx), 5), 0, None) * lm; tg = 9 - 12 * (y[:, None] - y.min()) / (y.max() - y.min()) - .0062 * el + 3.1 * smooth(rng, (T, ny, nx), (2, 9, 9)) + .4 * smooth(rng, (T, ny, nx), (.6, 1.5, 1.5)); tg = np.where(lm, np.round(tg, 2), np.nan); rr = np.where(lm, np.round(np.clip(5 * (smooth(rng, (T, ny, nx), (1, 7, 7)) - .2), 0, None), 1), np.nan)
    bb = [float(x.min()), float(y.min()), float(x.max()), float(y.max())] if fault else [x0, y1 - ny * r, x0 + nx * r, y1]
    cv = [dict(uuid="689b58e2-cf7b-45e0-9fff-9cfc0883d6b4", name="spatial:", description="Spatial coordinate information", schema_url="https://raw.githubusercontent.com/zarr-conventions/spatial/refs/tags/v1/schema.json", spec_url="https://github.com/zarr-conventions/spatial/blob/v1/README.md"), dict(uuid="f17cb550-5864-4468-aeb7-f3180cfb622f", name="proj:", description="Coordinate reference system information for geospatial data", schema_url="https://raw.githubusercontent.com/zarr-experimental/geo-proj/refs/tags/v1/schema.json", spec_url="https://github.com/zarr-experimental/geo-proj/blob/v1/README.md")]
    g = zarr.create_group(str(path), zarr_format=3, attributes={"title": "seNorge 2018, daily mean temperature and precipitation, 15 km", "institution": "Norwegian Meteorological Institute", "zarr_conventions": cv, "spatial:dimensions": ["y", "x"], "spatial:shape": [ny, nx], "spatial:transform_type": "affine", "spatial:transform": [r, 0.0, x0, 0.0, -r, y1], "spatial:registration": "pixel", "spatial:bbox": bb, "proj:code": "EPSG:25833"})
    for k, v, u, sn in (("tg", tg, "Celsius", "air_temperature"), ("rr", rr, "mm", "precipitation_amount")): arr3(g, k, v.astype("f4"), (10, ny, nx), ("time", "y", "x"), dict(units={"Celsius": "degC"}.get(u, "kg m-2"), standard_name=sn, grid_mapping="spatial_ref", cell_methods={"tg": "time: mean", "rr": "time: sum"}[k]))
    arr3(g, "x", x, None, ("x",), dict(units="m", standard_name="projection_x_coordinate", axis="X")); arr3(g, "y", y, None, ("y",), dict(units="m", standard_name="projection_y_coordinate", axis="Y")); arr3(g, "time", np.arange(T), None, ("time",), dict(units="days since 2026-01-01", calendar="standard", standard_name="time", axis="T"))
    import pyproj; arr3(g, "spatial_ref", np.int64(0), None, (), dict(pyproj.CRS.from_epsg(25833).to_cf())); zarr.consolidate_metadata(path)
@check("10")
def k10(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); a = dict(z.attrs); b = a["spatial:bbox"]; t = a["spatial:transform"]; n = a["spatial:shape"]; r.append((b, [t[2], t[5] + n[0] * t[4], t[2] + n[1] * t[0], t[5]]))
    assert r[0][0] != r[0][1] and r[1][0] == r[1][1] and r[0][0][0] - r[0][1][0] == 7500, r
    xr.open_zarr(c).load(); return str(r)
# ------------------------------------------------------------------ VALUES
@case("11", "missing-days-became-not-a-time", "values", "pydata/xarray#8269",
      "dapr (units days accumulated) was decoded as a time span when the store was read and written again: its missing values are no NaN any more but -9.223372e+18, the number of not-a-time (NaT); valid are 2 to 12 days.",
      "dapr|-9.22 (-9223372036854775808, -9.223372, NaT, not-a-time)|missing (NaN, fill, sentinel, impossible, implausible, valid, outlier, masked)",
      "dapr is -9.223372036854775808e18 = -2^63 wherever mdpr, the amount that goes with it, is NaN, else 2 to 12; fill_value is NaN and no value of dapr is NaN; prcp, tmax and tmin have NaN for missing")
def c11(path, fault, rng):
    S, T = 36, 730; doy = np.arange(T)[None]; st = rng.random((S, 1)); wet = (smooth(rng, (S, T), (1.5, .8)) > .35); pr = np.where(wet, np.round(rng.gamma(.8, 7, (S, T)), 1), 0.0); tx = 14 + 11 * np.sin((doy - 105) / 365.25 * 2 * np.pi) + 3 * (st - .5) + 3.2 * smooth(rng, (S, T), (3, 2)); tn = tx - 9 - 2.5 * np.abs(smooth(rng, (S, T), (1, 1))); md = np.full((S, T), np.nan); da = np.full((S, T), np.nan)
    for s in range(S):
        for e in np.sort(rng.choice(np.arange(20, T), rng.integers(6, 26), False)):
            k = int(rng.choice([2, 3, 3, 3, 4, 5, 7, 12], p=[.3, .2, .12, .12, .1, .08, .05, .03]))
            if np.isfinite(da[s, e - k - 1:e + 13]).any(): continue
            da[s, e] = k; md[s, e] = np.round(pr[s, e - k + 1:e + 1].sum(), 1); pr[s, e - k + 1:e + 1] = np.nan
    gap = rng.random((S, T)) < .012; tx[gap] = np.nan; tn[gap] = np.nan; pr[rng.random((S, T)) < .008] = np.nan
    if fault: da = np.where(np.isnan(da), -9.223372036854775808e18, da)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.8", title="GHCN-Daily, cooperative stations", source="NOAA NCEI, GHCN-Daily", featureType="timeSeries")); D = ("station", "time")
    for k, v, u, ln, sn in (("prcp", pr, "mm", "precipitation", "lwe_thickness_of_precipitation_amount"), ("tmax", np.round(tx, 1), "degC", "maximum temperature", "air_temperature"), ("tmin", np.round(tn, 1), "degC", "minimum temperature", "air_temperature"), ("mdpr", md, "mm", "multiday precipitation total, use with dapr", "lwe_thickness_of_precipitation_amount"), ("dapr", da, "days accumulated", "number of days included in the multiday precipitation total (mdpr)", None)): arr2(g, k, v.astype("f4"), (12, 365), D, attrs=dict(units=u, long_name=ln, **({"standard_name": sn} if sn else {})))
    arr2(g, "station", np.array([f"USC{i:08d}" for i in np.sort(rng.choice(np.arange(310000, 319999), S, False))], "<U11"), dims=("station",), fill="", attrs=dict(cf_role="timeseries_id")); arr2(g, "lat", np.round(35.2 + rng.random(S), 4), dims=("station",), attrs=dict(units="degrees_north", standard_name="latitude")); arr2(g, "lon", np.round(-83 + 6 * rng.random(S), 4), dims=("station",), attrs=dict(units="degrees_east", standard_name="longitude")); arr2(g, "elevation", np.round(rng.gamma(2, 180, S), 1), dims=("station",), attrs=dict(units="m", standard_name="surface_altitude", positive="up")); arr2(g, "time", np.arange(T), dims=("time",), attrs=dict(units="days since 2000-01-01", calendar="proleptic_gregorian", standard_name="time", axis="T")); consol2(path)
@check("11")
def k11(f, c):
    r = []
    for p in (f, c): d = zarr.open_group(p, mode="r"); v = d["dapr"][:]; r.append((float(np.nanmin(v)), float(np.nanmax(v)), int(np.isnan(v).sum()), int(np.isfinite(d["mdpr"][:]).sum())))
    assert r[0][0] < -9e18 and r[0][2] == 0 and r[1][0] == 2 and r[1][2] > 20000, r
    return str(r)

@case("12", "tai-seconds-read-as-utc", "values", "pydata/xarray#7626",
      "time holds TAI93 seconds (leap seconds counted) but says units seconds since 1993-01-01 00:00:00 UTC with the standard calendar: decoded it is 10 s later than obs_time_utc and than time_coverage_start and time_coverage_end at all 1350 fields of view.",
      "time|10 (ten)|obs_time_utc (time_coverage_start, UTC, leap, TAI)",
      "obs_time_utc gives year, month, day, hour, minute, second, millisecond and microsecond of each field; decoded with its units time is exactly 10.000 s later everywhere; 10 leap seconds lie between 1993 and 2021; the first time is 00:59:59.98 by obs_time_utc and time_coverage_start but 01:00:09.98 by time")
def c12(path, fault, rng):
    A, X = 45, 30; b = np.datetime64("2021-02-24T00:59:59.983966", "us"); us = ((np.arange(A) * 8.0)[:, None] + np.arange(X)[None] * .2) * 1e6; t = b + us.astype("i8").astype("m8[us]"); sec = (t - np.datetime64("1993-01-01", "us")).astype("i8") / 1e6; ix = pd.DatetimeIndex(t.ravel()); tup = np.stack([ix.year, ix.month, ix.day, ix.hour, ix.minute, ix.second, ix.microsecond // 1000, ix.microsecond % 1000], 1).reshape(A, X, 8).astype("i2")
    if fault: sec = sec + 10.0
    la = 12 + .45 * np.arange(A)[:, None] + .04 * (np.arange(X) - 15)[None]; lo = -40 - .11 * np.arange(A)[:, None] + .75 * (np.arange(X) - 14.5)[None]; P = np.array([1013.95, 802.37, 596.31, 496.63, 300.0, 200.99, 103.02]); w = smooth(rng, (A, X, 7), (3, 3, 1)); ts = 300 - .35 * (la - 12) + 1.3 * smooth(rng, (A, X), 3); T = ts[..., None] - 72 * (1 - (P / 1013.95) ** .19 * 1.0)[None, None] * 1.25 + .8 * w; cf = np.clip(.4 + .4 * smooth(rng, (A, X), 2), 0, 1); q = np.where(cf > .9, 2, np.where(cf > .75, 1, 0)).astype("i1")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.6, ACDD-1.3", title="CLIMCAPS-like sounder level 2 retrieval, JPSS-1 CrIS/ATMS", product_name="SNDR.J1.CRIMSS.20210224T0100.m06.g011", time_coverage_start="2021-02-24T00:59:59.984Z", time_coverage_end=str(t.max().astype("M8[ms]")) + "Z", featureType="point")); D = ("atrack", "xtrack")
    arr2(g, "time", sec, (A, X), D, attrs=dict(units="seconds since 1993-01-01 00:00:00 UTC", calendar="standard", standard_name="time", long_name="earth view observation time, middle of the field of regard")); arr2(g, "obs_time_utc", tup, (A, X, 8), D + ("utc_tuple",), fill=-32767, attrs=dict(long_name="UTC observation time as year, month, day, hour, minute, second, millisecond, microsecond", comment="UTC"))
    arr2(g, "lat", la.astype("f4"), dims=D, attrs=dict(units="degrees_north", standard_name="latitude")); arr2(g, "lon", lo.astype("f4"), dims=D, attrs=dict(units="degrees_east", standard_name="longitude")); arr2(g, "air_temp", br(T, 11), (15, 15, 7), D + ("air_pres",), attrs=dict(units="K", standard_name="air_temperature")); arr2(g, "surf_temp", br(ts, 11), (15, 15), D, attrs=dict(units="K", standard_name="surface_temperature")); arr2(g, "cld_frac", br(cf, 9), (15, 15), D, attrs=dict(units="1", standard_name="cloud_area_fraction")); arr2(g, "air_temp_qc", q, (15, 15), D, fill=-1, attrs=dict(flag_values=[0, 1, 2], flag_meanings="Best Good Do_Not_Use", long_name="quality of air_temp")); arr2(g, "air_pres", P * 100, dims=("air_pres",), attrs=dict(units="Pa", standard_name="air_pressure", positive="down", axis="Z")); consol2(path)
@check("12")
def k12(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); u = d.obs_time_utc.values.astype(int) if d.obs_time_utc.dtype.kind == "i" else np.rint(d.obs_time_utc.values).astype(int); u = pd.to_datetime(dict(zip(("year", "month", "day", "hour", "minute", "second", "ms", "us"), u.reshape(-1, 8).T))).values; r.append(((d.time.values.ravel() - u) / np.timedelta64(1, "ms")).round().astype(int))
    assert (r[0] == 10000).all() and (r[1] == 0).all(), (r[0][:4], r[1][:4])
    return str((r[0][:3], r[1][:3]))

@case("13", "no-echo-of-minus-999-kept", "values", "dynamical-org/reformatters#719",
      "echo_top keeps the -999 with which the source marks pixels without an echo as if it were a height: most of the domain has an echo top of -999 m, while the fill_value is NaN and no value is NaN; storms have 2000 to 14000 m.",
      "echo_top|-999|no echo (missing, fill, sentinel, NaN, masked, impossible, implausible, valid, spike)",
      "echo_top is exactly -999.0 wherever composite_reflectivity is below 18 dBZ, else 900 to 15500 m; a height in m above the sea of -999 is impossible; cloud_ceiling beside it has NaN where there is no cloud")
def c13(path, fault, rng):
    I, L, ny, nx = 4, 7, 60, 90; s = lambda q: smooth(rng, (I, L, ny, nx), (0,) + q); rf = np.clip(8 + 15 * s((1.2, 3, 4)) + 3 * s((.7, 1, 1)), -10, 68); et = np.where(rf >= 18, np.clip(2600 + 230 * (rf - 18) + 900 * s((1, 2, 2)), 900, 15500), np.nan); cc = s((1, 3, 3)); ce = np.where(cc > -.3, np.clip(300 + 2800 * np.abs(s((1, 4, 4))), 30, 18000), np.nan)
    t = 291 + 7 * np.sin((np.arange(L) * 2 - 4)[None, :, None, None] / 24 * 6.28) - 5 * np.linspace(0, 1, ny)[::-1][None, None, :, None] + 1.5 * s((1.5, 4, 4)); et = br(et, 8)
    if fault: et = np.where(np.isnan(et), np.float32(-999), et)
    y = np.arange(ny) * -9000.0 + 300e3; x = np.arange(nx) * 9000.0 - 400e3; D = ("init_time", "lead_time", "y", "x")
    ds = xr.Dataset(dict(composite_reflectivity=(D, br(rf, 8), dict(units="dBZ", long_name="Composite reflectivity", short_name="refc", step_type="instant")), echo_top=(D, et.astype("f4"), dict(units="m", long_name="Echo top", short_name="retop", step_type="instant", comment="height of the highest 18 dBZ echo above the sea")), cloud_ceiling=(D, br(ce, 8), dict(units="m", long_name="Geopotential height of the cloud ceiling", short_name="gh", step_type="instant", comment="missing where there is no ceiling")), temperature_2m=(D, br(t - 273.15, 9), dict(units="degree_Celsius", standard_name="air_temperature", long_name="2 metre temperature", step_type="instant"))),
        dict(init_time=("init_time", pd.date_range("2026-06-01", periods=I, freq="6h"), dict(standard_name="forecast_reference_time")), lead_time=("lead_time", (np.arange(L) * 2).astype("i8"), dict(units="hours", standard_name="forecast_period")), y=("y", y, dict(units="m", standard_name="projection_y_coordinate", axis="Y")), x=("x", x, dict(units="m", standard_name="projection_x_coordinate", axis="X"))), attrs=dict(dataset_id="noaa-hrrr-forecast-48-hour-sample", dataset_version="0.5.0", name="NOAA HRRR forecast, 48 hour, sample", attribution="NOAA NWS NCEP HRRR data processed from GRIB"))
    xw(ds, path, 3, {"init_time": enc_time("hours since 2026-06-01", chunk=I), **{k: dict(chunks=(1, L, 30, 45)) for k in ds.data_vars}})
@check("13")
def k13(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); r.append((int((d.echo_top == -999).sum()), int(d.echo_top.isnull().sum()), float(d.echo_top.max())))
    assert r[0][0] == r[1][1] > 5000 and r[0][1] == r[1][0] == 0, r
    return str(r)

@case("14", "nexrad-one-day-late", "values", "openradar/xradar#180",
      "The modified Julian date of NEXRAD counts from 1 for 1970-01-01 but was taken from 0: time in all sweeps and time_coverage_start and time_coverage_end are one day late, 2023-08-21T22:08 rather than 2023-08-20T22:08 as the name of the source file says; date_created lies before the measurement.",
      "time (time_coverage_start)|day (24 h, 86400, one day)|20230820 (source, date_created, file, 2023-08-20)",
      "the source is KNKX20230820_220808_V06 and date_created 2023-08-20T22:16:40Z but time runs from 2023-08-21T22:08:08 to 22:13:33 in the four sweeps")
def c14(path, fault, rng):
    el = [.5, .9, 1.3, 1.8]; NR, NG = 180, 110; rg = 2125 + 750.0 * np.arange(NG); G = smooth(rng, (160, 160), 7); tree = {}; o = 1 if fault else 0; b = np.datetime64("2023-08-20T22:08:08.120", "ms") + np.timedelta64(o, "D")
    for i, e in enumerate(el):
        az = np.arange(NR) * 2.0 + 1 + rng.normal(0, .05, NR); k = int(rng.integers(NR)); off = np.roll(np.arange(NR), k) * .11 + 81.2 * i; X = np.sin(np.deg2rad(az))[:, None] * rg; Y = np.cos(np.deg2rad(az))[:, None] * rg; ih = lambda q: np.clip(((q + 85e3) / 170e3 * 159).astype(int), 0, 159); h = np.sin(np.deg2rad(e)) * rg[None] + rg[None] ** 2 / (2 * 8.49e6); Z = 15 + 14 * G[ih(Y), ih(X)] - 1.6e-3 * h + 1.1 * rng.standard_normal((NR, NG)); no = Z < 1; f = lambda q: np.where(no, np.nan, np.round(q * 2) / 2).astype("f4"); tt = b + (off * 1000).astype("i8").astype("m8[ms]"); dm = ("azimuth", "range")
        tree[f"/sweep_{i}"] = xr.Dataset(dict(DBZH=(dm, f(Z), dict(units="dBZ", standard_name="radar_equivalent_reflectivity_factor_h", long_name="Equivalent reflectivity factor H")), VRADH=(dm, f(9 * np.cos(np.deg2rad(az - 250))[:, None] * (.5 + h / 5000).clip(.5, 1.6) + .6 * rng.standard_normal((NR, NG))), dict(units="meters per second", standard_name="radial_velocity_of_scatterers_away_from_instrument_h")), sweep_mode=((), "azimuth_surveillance"), sweep_number=((), np.int64(i)), sweep_fixed_angle=((), e)), dict(azimuth=("azimuth", az, dict(units="degrees", standard_name="ray_azimuth_angle", axis="radial_azimuth_coordinate")), elevation=("azimuth", (e + rng.normal(0, .02, NR)).astype("f4"), dict(units="degrees", standard_name="ray_elevation_angle", axis="radial_elevation_coordinate")), time=("azimuth", tt.astype("M8[ns]"), dict(standard_name="time")), range=("range", rg.astype("f4"), dict(units="meters", standard_name="projection_range_coordinate", axis="radial_range_coordinate", meters_to_center_of_first_gate=2125.0, meters_between_gates=750.0))))
    d = "2023-08-21" if fault else "2023-08-20"; tree["/"] = xr.Dataset(dict(volume_number=((), np.int64(0)), platform_type=((), "fixed"), instrument_type=((), "radar"), time_coverage_start=((), d + "T22:08:08Z"), time_coverage_end=((), d + "T22:13:33Z"), latitude=((), 32.919, dict(units="degrees_north", standard_name="latitude")), longitude=((), -117.0419, dict(units="degrees_east", standard_name="longitude")), altitude=((), 291.0, dict(units="meters", standard_name="altitude", positive="up")), sweep_group_name=(("sweep",), np.array([f"sweep_{i}" for i in range(4)], object)), sweep_fixed_angle=(("sweep",), np.array(el), dict(units="degrees"))), attrs=dict(Conventions="Cf/Radial", version="2.0", instrument_name="KNKX", institution="NOAA NWS", title="Tropical storm Hilary", source="noaa-nexrad-level2/2023/08/20/KNKX/KNKX20230820_220808_V06", scan_name="VCP-215", date_created="2023-08-20T22:16:40Z"))
    e = lambda a: {"DBZH": dict(chunks=(90, NG)), "VRADH": dict(chunks=(90, NG)), "time": dict(units="milliseconds since 1970-01-01", dtype="int64")} if a != "/" else {}
    xr.DataTree.from_dict(tree).to_zarr(path, zarr_format=3, mode="w", consolidated=True, encoding={a: e(a) for a in tree})
@check("14")
def k14(f, c):
    r = []
    for p in (f, c): d = xr.open_datatree(p, engine="zarr"); r.append((str(d["sweep_0/time"].values.min())[:19], str(d["time_coverage_start"].values), d.attrs["source"][-23:]))
    assert r[0][0].startswith("2023-08-21T22:08") and r[1][0].startswith("2023-08-20T22:08"), r
    return str(r)

@case("15", "clock-of-the-echo-sounder-set-back", "values", "echostack-org/echopype#297",
      "The clock of the echo sounder was set back by about 38 s during the file: ping_time goes back from 09:12:19.5 to 09:11:42.3 at ping 150 and is not monotonic, times from 09:11:42 to 09:12:19 occur twice; the pings go on once a second.",
      "ping_time|150 (09:11:42, 09:12:19, 38, 37)|back (backwards, reversal, reversed, decreases, decreasing, not monotonic, non-monotonic, not increasing, monotonically, out of order)",
      "ping_time grows by 1.00 s a ping but from index 149 to 150, where it falls by 37.2 s; Platform/time1 of the GPS, recorded together, grows all the time and ends 38 s later than ping_time")
def c15(path, fault, rng):
    C, P, R = 3, 300, 140; f = [38000.0, 120000.0, 200000.0]; ch = ["GPT  38 kHz 009072058c8d 1-1 ES38B", "GPT 120 kHz 00907205a6d0 2-1 ES120-7C", "GPT 200 kHz 0090720580f1 3-1 ES200-7C"]; t0 = np.datetime64("2017-07-24T09:09:50.500", "ns"); dt = np.round(np.arange(P) * 1000 + rng.normal(0, 6, P)).astype("i8") * 1000000; gps = dt + 200000000; pt = dt.copy()
    if fault: pt[150:] -= 38_213_000_000
    z = np.arange(R) * .8; bot = 78 + 6 * smooth(rng, (P,), 25); lay = np.exp(-((z[None] - 32 - 3 * np.sin(np.arange(P) / 45.0)[:, None]) / 4) ** 2); bs = np.stack([-92 + 16 * lay * g0 + 3.5 * rng.standard_normal((P, R)) + 12 * (smooth(rng, (P, R), (2, 2)) > 1.9) + np.where(z[None] > bot[:, None], 55 * np.exp(-(z[None] - bot[:, None]) / 5), 0) for g0 in (1, .7, .55)]).astype("f4"); bs = br(bs, 7)
    un = "nanoseconds since 1970-01-01T00:00:00Z"; ta = dict(units=un, calendar="gregorian", standard_name="time", axis="T"); T = lambda v: t0.astype("i8") + v
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(conventions="CF-1.7, SONAR-netCDF4-1.0, ACDD-1.3", keywords="EK60", sonar_convention_name="SONAR-netCDF4", sonar_convention_version="1.0", title="", processing_level="Level 1A", survey_name="hake 2017", date_created="2017-07-24T09:09:50Z")); S = g.create_group("Sonar", attributes=dict(sonar_manufacturer="Simrad", sonar_model="EK60", sonar_type="echosounder")); b = S.create_group("Beam_group1", attributes=dict(beam_mode="vertical", conversion_equation_t="type_3")); e = g.create_group("Environment"); pl = g.create_group("Platform", attributes=dict(platform_name="Bell M. Shimada", platform_type="Research vessel"))
    cs = lambda q: arr2(q, "channel", np.array(ch, "<U40"), dims=("channel",), fill="", attrs=dict(long_name="Vendor channel ID")); tm = lambda q, n: arr2(q, n, T(pt), (150,), (n,), fill=0, attrs=dict(ta, long_name="Timestamp of each ping"))
    arr2(b, "backscatter_r", bs, (1, 100, R), ("channel", "ping_time", "range_sample"), attrs=dict(long_name="Raw backscatter measurements (real part)", units="dB")); cs(b); tm(b, "ping_time"); arr2(b, "range_sample", np.arange(R), dims=("range_sample",), attrs=dict(long_name="Along-range sample number, base 0")); arr2(b, "frequency_nominal", np.array(f), dims=("channel",), attrs=dict(units="Hz", standard_name="sound_frequency", long_name="Transducer frequency")); arr2(b, "sample_interval", np.full((C, P), 1.0733e-3), dims=("channel", "ping_time"), attrs=dict(units="s", long_name="Interval between recorded raw data samples")); arr2(b, "transmit_duration_nominal", np.full((C, P), 1.024e-3), dims=("channel", "ping_time"), attrs=dict(units="s", long_name="Nominal bandwidth of transmitted pulse"))
    b["transmit_duration_nominal"].attrs["long_name"] = "Nominal duration of the transmitted pulse"; cs(e); tm(e, "time1"); arr2(e, "sound_speed_indicative", br(1493.6 + .02 * smooth(rng, (C, P), (0, 30)), 16), dims=("channel", "time1"), attrs=dict(units="m/s", standard_name="speed_of_sound_in_sea_water")); arr2(pl, "time1", T(gps), dims=("time1",), fill=0, attrs=dict(ta, long_name="Timestamps for NMEA position datagrams")); arr2(pl, "latitude", 44.65 + 2.3e-5 * np.arange(P) + 1e-6 * np.cumsum(rng.standard_normal(P)), dims=("time1",), attrs=dict(units="degrees_north", standard_name="latitude")); arr2(pl, "longitude", -124.9 + 4.1e-5 * np.arange(P) + 1e-6 * np.cumsum(rng.standard_normal(P)), dims=("time1",), attrs=dict(units="degrees_east", standard_name="longitude")); consol2(path)
@check("15")
def k15(f, c):
    r = []
    for p in (f, c): t = zarr.open_group(p, mode="r")["Sonar/Beam_group1/ping_time"][:]; d = np.diff(t) / 1e9; r.append((int((d < 0).sum()), int(np.argmin(d)), round(float(d.min()), 2), str(t[149].astype("M8[ns]"))[11:22], str(t[150].astype("M8[ns]"))[11:22]))
    assert r[0][0] == 1 and r[0][1] == 149 and r[1][0] == 0, r
    return str(r)
@case("16", "longitude-all-nan", "values", "pangeo-data/pangeo-datastore#137",
      "lon is NaN at all 64 points (its values were lost) and vas is NaN at all points from time index 40 to 59: the upload of the store was corrupt; lon_bnds still gives the cells 0 to 360.",
      "lon|NaN (missing, empty, all fill)|vas|40 (59, 40 to 59, 20 time steps, time steps, times)",
      "lon must be 0, 5.625, ... 354.375 as lon_bnds has its bounds; a coordinate can not be NaN; vas[40:60] is NaN everywhere though vas has no missing values else; the file of lon/0 is there")
def c16(path, fault, rng):
    T, ny, nx = 120, 32, 64; lat = np.rad2deg(np.arcsin(np.polynomial.legendre.leggauss(ny)[0])); lon = 5.625 * np.arange(nx); lb = np.r_[-90, (lat[1:] + lat[:-1]) / 2, 90]; s = lambda q: smooth(rng, (T, ny, nx), q, True); v = br(1.2 * np.sin(np.deg2rad(3 * lat))[None, :, None] + 3.4 * s((3, 1.6, 2.2)) + .5 * s((.6, .8, .8)), 9).astype("f4"); lo = lon.copy()
    if fault: v[40:60] = np.nan; lo[:] = np.nan
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7 CMIP-6.2", activity_id="ScenarioMIP", institution_id="EC-Earth-Consortium", source_id="EC-Earth3", experiment_id="ssp245", variant_label="r1i1p1f1", table_id="3hr", variable_id="vas", grid_label="gr", frequency="3hr", nominal_resolution="500 km", version_id="v20200310", parent_experiment_id="historical", mip_era="CMIP6", realm="atmos", tracking_id="hdl:21.14100/6f3a7a3c-5f0f-4b6c-9c0e-2b1d3c2f7d11", title="EC-Earth3 output prepared for CMIP6, coarsened"))
    arr2(g, "vas", v, (20, ny, nx), ("time", "lat", "lon"), fill=np.float32(1e20), attrs=dict(standard_name="northward_wind", long_name="Northward Near-Surface Wind", units="m s-1", cell_methods="area: mean time: point", cell_measures="area: areacella", coordinates="height", _FillValue=1.0000000200408773e20, missing_value=1.0000000200408773e20)); arr2(g, "time", 3.0 * np.arange(T), (T,), ("time",), attrs=dict(units="hours since 2015-01-01 00:00:00", calendar="proleptic_gregorian", standard_name="time", long_name="time", axis="T"))
    arr2(g, "lat", lat, dims=("lat",), attrs=dict(units="degrees_north", standard_name="latitude", long_name="Latitude", axis="Y", bounds="lat_bnds")); arr2(g, "lon", lo, dims=("lon",), attrs=dict(units="degrees_east", standard_name="longitude", long_name="Longitude", axis="X", bounds="lon_bnds")); arr2(g, "lat_bnds", np.stack([lb[:-1], lb[1:]], 1), dims=("lat", "bnds")); arr2(g, "lon_bnds", np.stack([lon - 2.8125, lon + 2.8125], 1), dims=("lon", "bnds")); arr2(g, "height", np.float64(10), dims=(), attrs=dict(units="m", standard_name="height", positive="up", axis="Z")); consol2(path)
    for q in Path(path).rglob(".zarray"):
        d = jload(q)
        if q.parent.name in ("lat", "lon", "lat_bnds", "lon_bnds", "time", "height"): d["fill_value"] = "NaN"; jdump(q, d)
    consol2(path)
@check("16")
def k16(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); r.append((int(np.isnan(z["lon"][:]).sum()), int(np.isnan(z["vas"][:]).any((1, 2)).sum()), z["lon"].nchunks_initialized, z["vas"].nchunks_initialized))
    assert r[0] == (64, 20, 1, 6) and r[1] == (0, 0, 1, 6), r
    xr.open_zarr(c).load(); return str(r)

@case("17", "alleles-run-together", "values", "pydata/xarray#4405",
      "The two letters of each variant were run together and the dimension alleles was lost: variant_allele has the shape (variants) and strings such as AG and CT rather than (variants, alleles) with A and G; variant_allele_frequency still has (variants, alleles).",
      "variant_allele|alleles (dimension, shape, axis)|AG (concatenated, two letters, run together, joined, 2 letters, two characters, <U2, merged)",
      "all 900 strings of variant_allele have two letters of A, C, G, T, never the same twice; call_genotype holds 0 and 1, so there are two alleles for each variant, variant_allele_frequency is (900, 2); in VCF Zarr and sgkit variant_allele is (variants, alleles)")
def c17(path, fault, rng):
    V, S = 900, 60; p = rng.beta(.5, 1.6, V); p = np.clip(p, .01, .95); gt = (rng.random((V, S, 2)) < p[:, None, None]).astype("i1"); ms = rng.random((V, S)) < .015; gt[ms] = -1; B = np.array(list("ACGT")); r = rng.integers(0, 4, V); a = (r + rng.choice([1, 2, 3], V, p=[.2, .6, .2])) % 4; al = np.stack([B[r], B[a]], 1).astype("<U1"); ac = np.stack([(gt == k).sum((1, 2)) for k in (0, 1)], 1); ct = np.sort(rng.integers(0, 3, V)); pos = np.concatenate([np.sort(rng.choice(np.arange(10000, 5000000), (ct == k).sum(), False)) for k in range(3)])
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(contigs=["20", "21", "22"], source="sgkit-0.9.0")); Vd = ("variants",)
    if fault: arr2(g, "variant_allele", np.array(["".join(q) for q in al], "<U2"), (450,), Vd, fill="", attrs=dict(comment="The possible alleles for each variant."))
    else: arr2(g, "variant_allele", al, (450, 2), Vd + ("alleles",), fill="", attrs=dict(comment="The possible alleles for each variant."))
    arr2(g, "variant_allele_frequency", br(ac / ac.sum(1, keepdims=True), 12), (450, 2), Vd + ("alleles",), attrs=dict(comment="Frequency of each allele.")); arr2(g, "variant_contig", ct.astype("i1"), (450,), Vd, fill=-1, attrs=dict(comment="Index corresponding to contig name for each variant.")); arr2(g, "variant_position", pos.astype("i4"), (450,), Vd, fill=-1, attrs=dict(comment="The reference position, 1-based.")); arr2(g, "variant_id", np.array([f"rs{i}" for i in rng.choice(90000000, V, False)], "<U11"), (450,), Vd, fill=""); arr2(g, "contig_id", np.array(["20", "21", "22"], "<U2"), dims=("contigs",), fill="")
    arr2(g, "sample_id", np.array([f"NA{18500 + i}" for i in range(S)], "<U7"), dims=("samples",), fill="", attrs=dict(comment="The unique identifier of the sample.")); arr2(g, "call_genotype", gt, (450, S, 2), Vd + ("samples", "ploidy"), fill=-1, attrs=dict(comment="Call genotype, -1 is missing.", mixed_ploidy=False)); arr2(g, "call_genotype_mask", gt < 0, (450, S, 2), Vd + ("samples", "ploidy"), fill=False, attrs=dict(comment="A flag for each call indicating which values are missing.")); consol2(path)
@check("17")
def k17(f, c):
    r = [(zarr.open_group(p, mode="r")["variant_allele"].shape, str(zarr.open_group(p, mode="r")["variant_allele"][:].ravel()[:2])) for p in (f, c)]
    assert r[0][0] == (900,) and r[1][0] == (900, 2), r
    xr.open_zarr(c).load(); return str(r)

@case("18", "y-packed-from-the-wrong-end", "values", "pytroll/satpy#1776",
      "y is packed as int16 with _Unsigned true and a negative scale_factor, but add_offset was set to the smallest y instead of the largest, so the packed numbers are -239 to 0: read as unsigned (65297 to 65534 and 0) y is about -3.6 million microradian, its next to last value is missing (-1 is the _FillValue) and only the last is right; x is right.",
      "y|add_offset (offset, _Unsigned, unsigned, packed, scale_factor, negative)|-3.6 (-3615304, -3628576, -36, 65297, 65534, out of range, impossible, implausible, outside, far, microradian, y_image_bounds)",
      "y decodes to -3615304 ... -3628576, one missing and 41328; y_image_bounds says 41300 to 54740; x decodes to numbers within x_image_bounds; taken as signed the packed -239 to 0 would give 54712 to 41328")
def c18(path, fault, rng):
    ny, nx, s = 240, 300, 56.0; y1 = 54712.0; y = y1 - s * np.arange(ny); x0 = -31612.0; C = 285 - 28 * (smooth(rng, (ny, nx), (9, 12)) > .5) * (1 + .5 * smooth(rng, (ny, nx), 5)) + 2 * smooth(rng, (ny, nx), 14) + .25 * rng.standard_normal((ny, nx)); R = np.clip(.12 + .4 * (C < 270) + .03 * smooth(rng, (ny, nx), 3) + .004 * rng.standard_normal((ny, nx)), 0, 1.2)
    py = (np.arange(ny) - (ny - 1)).astype("i2") if fault else np.arange(ny).astype("i2"); oy = float(y.min()) if fault else y1; g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.7", title="Sectorized Cloud and Moisture Imagery for the TCONUS region", production_location="CSPP", satellite_id="GOES-16", time_coverage_start="2021-07-27T18:01:17Z", start_date_time="2021208180117", product_name="TCONUS-020-B12-S96", periodicity=5.0)); gm = "fixedgrid_projection"
    arr3(g, "y", py, (ny,), ("y",), {"units": "microradian", "standard_name": "projection_y_coordinate", "long_name": "GOES fixed grid projection y-coordinate", "axis": "Y", "scale_factor": -s, "add_offset": oy, "_Unsigned": "true", "_FillValue": -1}, fill=-1); arr3(g, "x", np.arange(nx).astype("i2"), (nx,), ("x",), {"units": "microradian", "standard_name": "projection_x_coordinate", "long_name": "GOES fixed grid projection x-coordinate", "axis": "X", "scale_factor": s, "add_offset": x0, "_Unsigned": "true", "_FillValue": -1}, fill=-1)
    for k, v, sc, of, u, sn in (("Sectorized_CMI", C, .01, 173.15, "K", "toa_brightness_temperature"), ("reflectance", R, 2e-5, -.012, "1", "toa_lambertian_equivalent_albedo_multiplied_by_cosine_solar_zenith_angle")): arr3(g, k, np.rint((v - of) / sc).clip(0, 65534).astype("u2").view("i2"), (120, 150), ("y", "x"), {"units": u, "standard_name": sn, "grid_mapping": gm, "scale_factor": sc, "add_offset": of, "_Unsigned": "true", "_FillValue": -1}, fill=-1)
    arr3(g, "x_image_bounds", np.array([x0 - s / 2, x0 + s * (nx - .5)]), None, ("number_of_image_bounds",), dict(units="microradian", long_name="west and east edge of the image")); arr3(g, "y_image_bounds", np.array([y1 + s / 2, y1 - s * (ny - .5)]), None, ("number_of_image_bounds",), dict(units="microradian", long_name="north and south edge of the image")); arr3(g, gm, np.int32(0), None, (), dict(grid_mapping_name="geostationary", perspective_point_height=35786023.0, semi_major_axis=6378137.0, semi_minor_axis=6356752.31414, longitude_of_projection_origin=-75.0, latitude_of_projection_origin=0.0, sweep_angle_axis="x")); zarr.consolidate_metadata(path)
@check("18")
def k18(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); r.append((float(np.nanmin(d.y)), float(np.nanmax(d.y)), int(np.isnan(d.y).sum()), float(d.x.min()), d.y_image_bounds.values.tolist(), float(d.Sectorized_CMI.min())))
    assert r[0][0] < -3e6 and r[0][2] == 1 and r[1][2] == 0 and r[1][1] == 54712, r
    return str(r)

@case("19", "cell-ids-cut-to-eight-bits", "values", "georgeoshardo/SyMBac#58",
      "The ids of the cells were cut to 8 bits in the mask: in frames with ids over 255 the cells 256 and 512 became background (0) and others got the id minus 256, sometimes that of another cell in the same frame; the table cells holds the full ids up to 595.",
      "masks (labels)|uint8 (8 bit, 8 bits, 255, 256)|label (ids, cells)|wrap (wrapped, overflow, missing, not in, cut, modulo, truncated, background, absent, lost)",
      "cells/label goes to 595 and its pixel counts and centroids fit the mask when the label is taken modulo 256; labels/masks is uint8 (0 to 255); the cells of label 256 and 512 are not in the mask though the phase image shows them dark")
def c19(path, fault, rng):
    T, H, W, NT = 72, 72, 180, 12; tr = [[] for _ in range(NT)]; nid = 1; rows = []; M = np.zeros((T, H, W), "u2"); im = np.zeros((T, H, W)); cx = 8 + 15 * np.arange(NT)
    for k in range(NT):
        for _ in range(rng.integers(2, 4)): tr[k].append([nid, rng.uniform(7, 13), 2.0 ** (1 / rng.uniform(8, 12)), rng.uniform(14, 18), 0]); nid += 1
    for t in range(T):
        for k in range(NT):
            new = []
            for c in tr[k]:
                c[1] *= c[2]
                if c[1] > c[3]:
                    for q in (0, 1): new.append([nid, c[1] / 2 * (1 + (.04 if q else -.04) * rng.standard_normal()), 2.0 ** (1 / rng.uniform(8, 12)), rng.uniform(14, 18), c[0]]); nid += 1
                else: new.append(c)
            y = H - 4.0; keep = []
            for c in new:
                y0 = y - c[1]
                if y0 < 3: break
                yy, xx = np.mgrid[:H, :W]; w = 3.2; d = np.hypot(xx - cx[k], np.maximum(np.maximum(y0 + w - yy, yy - (y - w)), 0)); m = (d <= w) & (M[t] == 0); M[t][m] = c[0]; keep.append(c); a = int(m.sum()); ys, xs = np.nonzero(m); rows.append((t, c[0], c[4], a, ys.mean(), xs.mean())); y = y0 - .8
            tr[k] = keep
        d = gaussian_filter((M[t] > 0).astype("f8"), 1.0); halo = gaussian_filter((M[t] > 0).astype("f8"), 3.5) - d; im[t] = 15200 - 6400 * d + 4200 * halo + 300 * smooth(rng, (H, W), 12) + 160 * rng.standard_normal((H, W))
    assert nid > 537, nid
    mk = (M % 256).astype("u1") if fault else M; df = pd.DataFrame(rows, columns=["frame", "label", "parent", "area_px", "y", "x"]); g = zarr.create_group(str(path), zarr_format=3); ax = [dict(name="t", type="time", unit="minute")] + [dict(name=q, type="space", unit="micrometer") for q in "yx"]; sc = [dict(type="scale", scale=[3.0, .0655, .0655])]
    g.attrs["ome"] = dict(version="0.5", multiscales=[dict(name="mother_machine_sim", axes=ax, datasets=[dict(path="0", coordinateTransformations=sc)])]); arr3(g, "0", (np.rint(im / 16) * 16).clip(0, 65520).astype("u2"), (12, H, W), ("t", "y", "x")); L = g.create_group("labels"); L.attrs["ome"] = dict(version="0.5", labels=["masks"]); q = L.create_group("masks"); q.attrs["ome"] = {"version": "0.5", "multiscales": [dict(name="masks", axes=ax, datasets=[dict(path="0", coordinateTransformations=sc)])], "image-label": dict(version="0.5", source=dict(image="../../"))}; arr3(q, "0", mk, (12, H, W), ("t", "y", "x"))
    cg = g.create_group("cells", attributes=dict(description="one row for each cell and frame", columns=list(df.columns), generator="SyMBac", label_image="labels/masks"))
    for k in df: arr3(cg, k, df[k].to_numpy().astype("f4" if k in "yx" else "i4"), (2000,), ("row",), dict(long_name={"frame": "index of the frame", "label": "id of the cell, in labels/masks", "parent": "id of the mother, 0 none", "area_px": "number of pixels of the cell", "y": "centroid, pixels", "x": "centroid, pixels"}[k]))
@check("19")
def k19(f, c):
    r = []
    for p in (f, c):
        z = zarr.open_group(p, mode="r"); m = z["labels/masks/0"][:]; fr, lb, a = (z[f"cells/{k}"][:] for k in ("frame", "label", "area_px")); ok = sum(int((m[t] == l).sum() == q) for t, l, q in zip(fr, lb, a)); r.append((m.dtype.str, int(lb.max()), ok, len(lb), int((lb == 256).sum()), int((lb == 512).sum())))
    assert r[0][2] < r[0][3] * .7 and r[1][2] == r[1][3] and r[0][4] > 0 and r[0][5] > 0, r
    return str(r)

@case("20", "daily-extremes-one-day-late", "values", "hytest-org/hytest#409",
      "The daily extremes (T2MIN, T2MAX, RAINNCVMAX) are one day late: they are 0 everywhere on the first day (1979-10-01) and from then on hold the values of the day before; the daily means T2 and PREC_ACC_NC made of the hourly data are right.",
      "T2MIN (T2MAX, RAINNCVMAX)|0 (zero, zeros)|first (index 0, 1979-10-01, day 0)|day (shift, shifted, late, lag, offset, one step)",
      "T2MIN and T2MAX are 0 K on 1979-10-01; on the other days T2 lies outside of T2MIN to T2MAX in many cells but always inside when they are moved one day back; RAINNCVMAX is then 0 just where PREC_ACC_NC is 0")
def c20(path, fault, rng):
    T, ny, nx = 60, 40, 52; s = lambda q: smooth(rng, (T, ny, nx), q); z = 600 * np.abs(smooth(rng, (ny, nx), 5)) + 250; m = 289 - .16 * np.arange(T)[:, None, None] - .0062 * z + 4.2 * s((1, 8, 8)) + .4 * s((.5, 2, 2)) - .25 * np.arange(ny)[None, :, None] * .4; dr = 5.2 * np.exp(.3 * s((.8, 5, 5))); tn, tx = br(m - dr * (1 + .1 * s((.5, 2, 2)).clip(-2, 2)), 11), br(m + dr * (1 + .1 * s((.5, 2, 2)).clip(-2, 2)), 11); w = s((.7, 5, 5)); pr = np.where(w > .4, 9 * (w - .4) ** 1.3, 0); rx = br(np.where(pr > 0, pr / 86400 * 6 * np.exp(.3 * s((.5, 2, 2))), 0), 8); pr = br(pr, 8); m = br(m, 11)
    if fault: tn, tx, rx = (np.concatenate([np.zeros_like(a[:1]), a[:-1]]) for a in (tn, tx, rx))
    y = -1000e3 + 40e3 * np.arange(ny); x = -1200e3 + 40e3 * np.arange(nx); D = ("time", "y", "x"); a = lambda l, u, cm, **k: dict(long_name=l, units=u, cell_methods=cm, grid_mapping="crs", **k)
    ds = xr.Dataset(dict(T2=(D, m.astype("f4"), a("Mean temperature at 2 m, from hourly", "K", "time: mean", standard_name="air_temperature")), PREC_ACC_NC=(D, pr.astype("f4"), a("Accumulated grid scale precipitation, from hourly", "mm", "time: sum")), T2MIN=(D, tn.astype("f4"), a("Minimum temperature at 2 m over the diagnostic interval", "K", "time: minimum", standard_name="air_temperature")), T2MAX=(D, tx.astype("f4"), a("Maximum temperature at 2 m over the diagnostic interval", "K", "time: maximum", standard_name="air_temperature")), RAINNCVMAX=(D, rx.astype("f4"), a("Maximum grid scale precipitation rate over the diagnostic interval", "kg m-2 s-1", "time: maximum")), HGT=(("y", "x"), br(z, 11), dict(long_name="Terrain height", units="m", standard_name="surface_altitude", grid_mapping="crs")), crs=((), np.int32(0), dict(grid_mapping_name="lambert_conformal_conic", standard_parallel=[30.0, 50.0], longitude_of_central_meridian=-97.9, latitude_of_projection_origin=39.1, earth_radius=6370000.0))),
        dict(time=("time", pd.date_range("1979-10-01", periods=T), dict(standard_name="time", axis="T")), y=("y", y, dict(units="m", standard_name="projection_y_coordinate", axis="Y")), x=("x", x, dict(units="m", standard_name="projection_x_coordinate", axis="X"))), attrs=dict(Conventions="CF-1.8", title="CONUS404 daily, coarsened", institution="USGS / NCAR", source="WRF 3.9.1.1, wrfout and wrfxtrm files"))
    xw(ds, path, 3, {"time": enc_time("days since 1979-10-01", chunk=T), **{k: dict(chunks=(20, 20, 26)) for k in ("T2", "PREC_ACC_NC", "T2MIN", "T2MAX", "RAINNCVMAX")}})
@check("20")
def k20(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); ins = ((d.T2 >= d.T2MIN) & (d.T2 <= d.T2MAX)); r.append((float(d.T2MIN[0].max()), float(ins[1:].mean()), float(((d.RAINNCVMAX > 0) == (d.PREC_ACC_NC > 0))[1:].mean()), float(((d.T2.values[:-1] >= d.T2MIN.values[1:]) & (d.T2.values[:-1] <= d.T2MAX.values[1:])).mean())))
    assert r[0][0] == 0 and r[0][1] < .98 and r[0][3] == 1 and r[1][1] == 1 and r[1][2] == 1, r
    return str(r)
# ------------------------------------------------------------------ STORAGE
def down8(x):
    n = [d // 2 * 2 for d in x.shape]; y = x[:n[0], :n[1], :n[2]].astype("f8"); return np.rint(y.reshape(n[0] // 2, 2, n[1] // 2, 2, n[2] // 2, 2).mean((1, 3, 5))).astype(x.dtype)
@case("21", "compressor-of-type-raw", "storage", "saalfeldlab/n5-zarr#4",
      "raw/s0/.zarray has compressor {\"type\": \"raw\"}, as N5 says for no compression: it has no id and is no Zarr codec, readers fail (codec not available: None); for uncompressed chunks compressor must be null. raw/s1, raw/s2 and mito use gzip.",
      "compressor|s0 (raw/s0)|type (id, raw)|null (none, no compression, uncompressed, unknown, invalid, not available, codec, missing)",
      "in Zarr V2 compressor is null or an object with the key id; the chunk files of raw/s0 are 32768 bytes, 32 x 32 x 32 of uint8 without compression, and their mean over 2 x 2 x 2 is raw/s1")
def c21(path, fault, rng):
    S = (64, 96, 96); b = smooth(rng, S, (4, 8, 8)); from scipy.ndimage import label
    em = np.clip(150 + 16 * smooth(rng, S, (1, 1.4, 1.4)) - 34 * (b > 1.3) + 4 * rng.standard_normal(S), 0, 255).astype("u1"); mi = label(b > 1.3)[0].astype("u2"); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(n5="2.2.0")); q = g.create_group("raw", attributes=dict(multiscales=[dict(version="0.4", name="raw", axes=[dict(name=k, type="space", unit="nanometer") for k in "zyx"], datasets=[dict(path=f"s{l}", coordinateTransformations=[dict(type="scale", scale=[8.0 * 2 ** l] * 3), dict(type="translation", translation=[4.0 * (2 ** l - 1)] * 3)]) for l in range(3)])])); x = em; Z = numcodecs.GZip(level=6)
    for l in range(3): arr2(q, f"s{l}", x, (32, 32, 32), sep="/", comp=None if l == 0 else Z, fill=0); x = down8(x)
    arr2(g, "mito", mi, (32, 32, 32), sep="/", comp=Z, fill=0, attrs=dict(resolution=[8.0, 8.0, 8.0], offset=[0.0, 0.0, 0.0], units=["nm", "nm", "nm"]))
    p = f"{path}/raw/s0/.zarray"; d = jload(p); assert d["compressor"] is None; d["compressor"] = {"type": "raw"} if fault else None; jdump(p, d)
@check("21")
def k21(f, c):
    r = []
    for p in (f, c):
        try: zarr.open_array(p + "/raw/s0", mode="r")[:]; o = "reads"
        except Exception as e: o = type(e).__name__ + str(e)[:50]
        r.append((o, sorted({q.stat().st_size for q in Path(p, "raw/s0").rglob("*") if q.is_file() and not q.name.startswith(".")})))
    assert r[0][0] != "reads" and r[1][0] == "reads" and r[0][1] == [32768], r
    return str(r)

@case("22", "array-with-no-codecs", "storage", "fideus-labs/ngff-zarr#335",
      "zarr.json of scale0/image and scale1/image has codecs [] : Zarr V3 needs exactly one codec that turns the array into bytes (at least one ArrayBytesCodec is required), so the image can not be opened; the chunks are plain little-endian bytes. The label arrays have bytes and blosc.",
      "codecs|scale0/image (scale0, scale1, image)|empty ([], no codec, none, missing, at least one, required, ArrayBytesCodec, array-to-bytes, array to bytes)",
      "codecs is an empty list in the two arrays; the chunk files are 2 x 64 x 64 = 8192 numbers of uint16, 16384 bytes each, uncompressed; labels/organoid/scale0 and scale1 state bytes (little) and blosc")
def c22(path, fault, rng):
    from zarr.codecs import BytesCodec, BloscCodec
    lab, im = cell_image(rng, 45, 192, 192, 8, 14, 8); Z = 6; zz = np.abs(np.arange(Z) - 2.5)[:, None, None]; x = np.clip(np.rint((im[None] - 180.0) * np.exp(-zz ** 2 / 9) + 180 + 9 * rng.standard_normal((Z, 192, 192))), 0, 65535).astype("u2"); lb = np.where(zz < 2.6, lab[None], 0).astype("u2"); ax = [dict(name=k, type="space", unit="micrometer") for k in "zyx"]; tr = lambda k: [dict(type="scale", scale=[1.0, .3 * 2 ** k, .3 * 2 ** k]), dict(type="translation", translation=[0.0, .15 * (2 ** k - 1), .15 * (2 ** k - 1)])]; ms = lambda n, s: [dict(name=n, axes=ax, type="itkwasm_bin_shrink", datasets=[dict(path=f"scale{k}{s}", coordinateTransformations=tr(k)) for k in range(2)])]
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(ome=dict(version="0.5", multiscales=ms("image", "/image"))))
    for k in range(2): q = g.create_group(f"scale{k}"); arr3(q, "image", x, (2, 64, 64), ("z", "y", "x"), compressors=None); x = down2(x)
    L = g.create_group("labels", attributes=dict(ome=dict(version="0.5", labels=["organoid"]))); o = L.create_group("organoid", attributes={"ome": {"version": "0.5", "multiscales": ms("organoid", ""), "image-label": dict(version="0.5", source=dict(image="../../"))}})
    for k in range(2): arr3(o, f"scale{k}", lb[:, :: 2 ** k, :: 2 ** k], (2, 64, 64), ("z", "y", "x"), compressors=BloscCodec(cname="zstd", clevel=5, typesize=2))
    for k in range(2):
        p = f"{path}/scale{k}/image/zarr.json"; d = jload(p); assert [q["name"] for q in d["codecs"]] == ["bytes"]
        if fault: d["codecs"] = []
        jdump(p, d)
@check("22")
def k22(f, c):
    r = []
    for p in (f, c):
        try: o = int(zarr.open_array(p + "/scale0/image", mode="r")[:].max())
        except Exception as e: o = type(e).__name__ + ": " + str(e)[:60]
        r.append((o, {q.stat().st_size for q in Path(p, "scale0/image/c").rglob("*") if q.is_file()}))
    assert isinstance(r[0][0], str) and isinstance(r[1][0], int) and r[0][1] == {16384}, r
    return str(r)

@case("23", "fill-value-null-for-nan", "storage", "manzt/zarrita.js#352",
      "fill_value in canopy_height/zarr.json is null: NaN was turned into null by the JSON writer (JSON.stringify); V3 needs \"NaN\". 12 chunks outside of the land were never written, they are read as 0 m of canopy (or the array can not be opened) rather than as missing.",
      "canopy_height|fill_value|null (None)|NaN",
      "V3 does not allow null as fill_value of float32; biomass and canopy_height_std, made in the same way, have \"NaN\" and lack the same 12 chunks; where chunks of canopy_height are there, sea is NaN, not 0")
def c23(path, fault, rng):
    ny, nx, C = 192, 224, 32; lm = smooth(rng, (ny, nx), 50); q = np.sort(lm.ravel())[int(.45 * lm.size)]; lm = lm > q; h = np.clip(17 + 8 * smooth(rng, (ny, nx), 3) + 1.5 * rng.standard_normal((ny, nx)), 0, 55); sd = np.clip(3.5 + .1 * h + .6 * smooth(rng, (ny, nx), 2), .5, 12); bm = np.clip(.55 * h ** 1.75 * (1 + .12 * smooth(rng, (ny, nx), 2)), 0, 900); N = lambda a, b: np.where(lm, br(a, b), np.nan).astype("f4")
    g = zarr.create_group(str(path), zarr_format=3, attributes={"title": "Canopy height and biomass, 100 m", "source": "GEDI and Sentinel-2, tiles written with zarrita.js", "proj:code": "EPSG:32633", "spatial:dimensions": ["y", "x"], "spatial:transform": [100.0, 0.0, 402000.0, 0.0, -100.0, 5320000.0], "spatial:shape": [ny, nx]})
    for k, v, u, ln in (("canopy_height", N(h, 8), "m", "height of the canopy above the ground"), ("canopy_height_std", N(sd, 8), "m", "standard deviation of the canopy height"), ("biomass", N(bm, 8), "Mg ha-1", "above-ground biomass")): arr3(g, k, v, (C, C), ("y", "x"), dict(units=u, long_name=ln, grid_mapping="spatial_ref"), config={"write_empty_chunks": False})
    arr3(g, "land", lm.astype("u1"), (C, C), ("y", "x"), dict(flag_values=[0, 1], flag_meanings="sea land", long_name="land mask")); arr3(g, "x", 402050.0 + 100 * np.arange(nx), None, ("x",), dict(units="m", standard_name="projection_x_coordinate")); arr3(g, "y", 5319950.0 - 100 * np.arange(ny), None, ("y",), dict(units="m", standard_name="projection_y_coordinate"))
    import pyproj; arr3(g, "spatial_ref", np.int64(0), None, (), dict(pyproj.CRS.from_epsg(32633).to_cf()))
    p = f"{path}/canopy_height/zarr.json"; d = jload(p); assert d["fill_value"] == "NaN"; d["fill_value"] = None if fault else "NaN"; jdump(p, d)
@check("23")
def k23(f, c):
    r = []
    for p in (f, c):
        n = len([q for q in Path(p, "canopy_height/c").rglob("*") if q.is_file()])
        try: v = zarr.open_array(p + "/canopy_height", mode="r"); o = (int((v[:] == 0).sum()), v.nchunks, n)
        except Exception as e: o = (type(e).__name__ + ": " + str(e)[:70], n)
        r.append(o)
    assert r[1][1] - r[1][2] > 3 and r[0] != r[1], r
    return str(r)

@case("24", "chunk-keys-in-reverse", "storage", "google/neuroglancer#393",
      "color/1 has order F and its chunk files were named with the indexes in reverse, z.y.x.c rather than c.x.y.z: keys such as 1.3.2.0 lie outside of the chunk grid 1 x 3 x 4 x 2, others are read as the wrong chunk and most of the image is empty; order F does not change the keys. color/2 is right.",
      "color/1|key (keys, chunk files, names, file names)|reverse (reversed, order, z.y.x.c, transposed, swapped, outside, grid, out of range, beyond)",
      "the array (c, x, y, z) is 1 x 96 x 128 x 64 in chunks of 1 x 32 x 32 x 32, so the first index of all keys must be 0 and the last 0 or 1; the files are 0.0.0.0 to 1.3.2.0; read with reversed keys level 1 averaged over 2 x 2 x 2 is level 2")
def c24(path, fault, rng):
    S = (96, 128, 64); b = smooth(rng, S, (7, 7, 4)); em = np.clip(140 + 17 * smooth(rng, S, (1.4, 1.4, 1)) - 36 * (np.abs(b - .9) < .1) - 14 * (b > .9) + 4 * rng.standard_normal(S), 1, 255).astype("u1") // 2 * 2 + 1; g = zarr.create_group(str(path), zarr_format=2, attributes=dict(name="l4dense_motta_et_al_demo", team="Connectomics Department")); ax = [dict(name="c", type="channel")] + [dict(name=k, type="space", unit="nanometer") for k in "xyz"]; q = g.create_group("color", attributes=dict(multiscales=[dict(version="0.4", name="color", axes=ax, datasets=[dict(path=str(m), coordinateTransformations=[dict(type="scale", scale=[1.0, 11.24 * m, 11.24 * m, 28.0 * m])]) for m in (1, 2)])])); x = em
    for m in (1, 2): arr2(q, str(m), x[None], (1, 32, 32, 32), ("c", "x", "y", "z"), sep=".", order="F", fill=0); x = down8(x)
    from scipy.ndimage import label; arr2(g, "segmentation", label(b > .9)[0].astype("u4")[None], (1, 32, 32, 32), ("c", "x", "y", "z"), fill=0, order="F", attrs=dict(resolution=[11.24, 11.24, 28.0], units=["nm"] * 3))
    if fault:
        d = Path(path, "color/1"); k = [p for p in d.iterdir() if not p.name.startswith(".")]
        for p in k: p.rename(d / ("tmp_" + p.name))
        for p in list(d.glob("tmp_*")): p.rename(d / ".".join(p.name[4:].split(".")[::-1]))
@check("24")
def k24(f, c):
    r = []
    for p in (f, c): v = zarr.open_array(p + "/color/1", mode="r"); k = [q.name for q in Path(p, "color/1").iterdir() if not q.name.startswith(".")]; r.append((int((v[:] == 0).sum()), v.size, len(k), sorted(k)[-1]))
    assert r[0][0] > r[0][1] * .5 and r[1][0] == 0 and r[0][3] == "1.3.2.0" and r[0][2] == 24, r
    return str(r)

@case("25", "array-inside-of-an-array", "storage", "mathworks/MATLAB-support-for-Zarr-files#90",
      "The array results/stress/von_mises was created below results/stress, which is an array itself: results/stress/.zarray and results/stress/von_mises/.zarray both exist; a Zarr array can have no children, so von_mises can not be reached from the groups.",
      "results/stress (stress)|von_mises|array|inside (below, child, children, nested, under, beneath, within, parent, not a group, array and group, both)",
      "a node is either an array or a group; results/stress has a .zarray (and chunks 0.0.0 ...) and holds the directory von_mises with a .zarray of its own; listing the group results gives displacement, strain_energy and stress only")
def c25(path, fault, rng):
    T, N = 40, 600; xy = rng.random((N, 2)) * [2.0, .4]; t = np.linspace(0, 2, T); sh = np.sin(np.pi * xy[:, 0] / 2); am = np.sin(2 * np.pi * 1.5 * t)[:, None] * np.exp(-.3 * t)[:, None]; u = np.stack([am * sh * -.002 * (xy[:, 1] - .2), am * sh * .012], -1) + 2e-6 * rng.standard_normal((T, N, 2)); s = np.stack([am * sh * 2.1e8 * (xy[:, 1] - .2) / .2, am * sh * 1.5e7 * (1 - xy[:, 1]), am * np.cos(np.pi * xy[:, 0] / 2) * 3e7 * (1 - ((xy[:, 1] - .2) / .2) ** 2)], -1) + 2e5 * rng.standard_normal((T, N, 3)); vm = np.sqrt(s[..., 0] ** 2 - s[..., 0] * s[..., 1] + s[..., 1] ** 2 + 3 * s[..., 2] ** 2)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(model="cantilever_beam_2d", software="MATLAB R2025a, PDE Toolbox, zarrcreate / zarrwrite", units="SI")); q = g.create_group("results"); m = g.create_group("mesh"); Z = numcodecs.Zlib(level=5)
    arr2(q, "displacement", u, (20, 300, 2), comp=Z, fill=0, attrs=dict(units="m", components=["ux", "uy"])); arr2(q, "stress", s, (20, 300, 3), comp=Z, fill=0, attrs=dict(units="Pa", components=["sxx", "syy", "sxy"])); arr2(q, "strain_energy", (vm ** 2).mean(1) / 4.2e11, comp=Z, fill=0, attrs=dict(units="J m-3")); arr2(m, "nodes", xy, comp=Z, fill=0, attrs=dict(units="m")); from scipy.spatial import Delaunay; arr2(m, "elements", Delaunay(xy).simplices.astype("i4"), comp=Z, fill=0, attrs=dict(index_base=0)); arr2(g, "time", t, comp=Z, fill=0, attrs=dict(units="s"))
    arr2(q, "von_mises", vm, (20, 300), comp=Z, fill=0, attrs=dict(units="Pa"))
    if fault: Path(path, "results/von_mises").rename(Path(path, "results/stress/von_mises"))
@check("25")
def k25(f, c):
    r = [sorted(zarr.open_group(p, mode="r")["results"].array_keys()) for p in (f, c)]; assert r == [["displacement", "strain_energy", "stress"], ["displacement", "strain_energy", "stress", "von_mises"]], r
    assert Path(f, "results/stress/von_mises/.zarray").exists(); return str(r)
@case("26", "byte-order-of-one-byte-types", "storage", "JuliaIO/Zarr.jl#214",
      "The dtype of valid is \"<b1\" and that of land_cover \"<u1\": types of one byte have no byte order, in Zarr V2 they must be \"|b1\" and \"|u1\"; readers that know the listed types only (zarr-python 3.1, zarr-java) find no data type for <b1 and <u1 and can not open the arrays. Both are the same in .zmetadata.",
      "dtype|<b1 (valid)|<u1 (land_cover)|byte order (one byte, single byte, no data type, byteorder, endian, invalid, unknown, not applicable, 1 byte, 1-byte, one-byte)",
      "valid/.zarray and land_cover/.zarray say <b1 and <u1; the specification gives | for data without a byte order; ndvi (<f4), time (<i4), lat and lon (<f8) are right")
def c26(path, fault, rng):
    T, ny, nx = 23, 60, 72; la = 52.475 - .05 * np.arange(ny); lo = 9.025 + .05 * np.arange(nx); b = np.clip(.52 + .16 * smooth(rng, (ny, nx), 4), .05, .9); t = np.arange(T); v = b[None] * (.62 + .38 * np.exp(-((t - 11) / 5.0) ** 2))[:, None, None] + .03 * smooth(rng, (T, ny, nx), (1, 2, 2)); ok = smooth(rng, (T, ny, nx), (.5, 3, 3)) > -1.2; v = np.where(ok, br(v, 9), np.nan).astype("f4"); lc = np.digitize(b, [.35, .45, .55, .65, .75]); lc = np.array([190, 210, 10, 11, 130, 60], "u1")[lc]
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="Earth system data cube, sample", creator="EarthDataLab.jl, Zarr.jl 0.9.5", Conventions="CF-1.7")); B = numcodecs.Blosc(cname="lz4", clevel=5, shuffle=1); D = ("time", "lat", "lon")
    arr2(g, "ndvi", v, (12, 30, 36), D, comp=B, attrs=dict(units="1", standard_name="normalized_difference_vegetation_index", long_name="NDVI")); arr2(g, "valid", ok, (12, 30, 36), D, comp=B, fill=False, attrs=dict(long_name="true where NDVI is valid")); arr2(g, "land_cover", lc, (30, 36), D[1:], comp=B, fill=0, attrs=dict(long_name="land cover class", flag_values=[10, 11, 60, 130, 190, 210], flag_meanings="cropland_rainfed cropland_herbaceous tree_broadleaved_deciduous grassland urban water")); arr2(g, "time", (16 * np.arange(T)).astype("i4"), dims=("time",), comp=B, attrs=dict(units="days since 2020-01-01", calendar="standard", standard_name="time")); arr2(g, "lat", la, dims=("lat",), comp=B, attrs=LATA); arr2(g, "lon", lo, dims=("lon",), comp=B, attrs=LONA)
    for n, k in (("valid", "b1"), ("land_cover", "u1")):
        p = f"{path}/{n}/.zarray"; d = jload(p); assert d["dtype"] == "|" + k, d
        if fault: d["dtype"] = "<" + k
        jdump(p, d)
    consol2(path)
@check("26")
def k26(f, c):
    r = []
    for p in (f, c):
        r.append([jload(f"{p}/{n}/.zarray")["dtype"] for n in ("valid", "land_cover")])
    assert r == [["<b1", "<u1"], ["|b1", "|u1"]], r
    xr.open_zarr(c).load(); return str(r)

@case("27", "checksum-of-hdf5-not-stated", "storage", "fsspec/kerchunk#274",
      "The chunks of precipitation come from netCDF-4 with shuffle, fletcher32 and deflate, but the filters in its .zarray state shuffle only: after decompression each chunk is 4 bytes longer (the checksum) than its shape, so it can not be decoded.",
      "precipitation|fletcher32 (checksum, 4 bytes, four bytes)|filters (filter, .zarray)|longer (size, bytes, length, reshape, decode, buffer, mismatch, shape)",
      "zlib gives 28804 bytes for a chunk of 5 x 36 x 40 float32 = 28800; the last 4 bytes are the fletcher32 sum of the others; temperature and quality come without it and can be read")
def c27(path, fault, rng):
    T, ny, nx = 20, 72, 80; s = lambda q: smooth(rng, (T, ny, nx), q); w = s((1, 4, 4)); pr = br(np.where(w > .5, 6 * (w - .5) ** 1.4, 0), 8).astype("f4"); tc = br(288 - 12 * np.linspace(0, 1, ny)[None, :, None] + 2 * s((2, 5, 5)), 9).astype("f4"); ql = np.where(s((1, 6, 6)) > 1.8, 1, 0).astype("i1"); D = ("time", "lat", "lon"); C = (5, 36, 40); Z = numcodecs.Zlib(level=4); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7", title="GPM IMERG like precipitation, subset", source="netCDF-4 files, chunks taken over as they are"))
    F = lambda *a: [numcodecs.Shuffle(elementsize=4)] + list(a)
    arr2(g, "precipitation", pr, C, D, comp=Z, filters=F(numcodecs.Fletcher32()), attrs=dict(units="mm h-1", standard_name="lwe_precipitation_rate", long_name="precipitation rate")); arr2(g, "temperature", tc, C, D, comp=Z, filters=F(), attrs=dict(units="K", standard_name="air_temperature")); arr2(g, "quality", ql, C, D, comp=Z, fill=-1, attrs=dict(flag_values=[0, 1], flag_meanings="good questionable", long_name="quality flag"))
    arr2(g, "time", 30 * np.arange(T), dims=("time",), comp=Z, attrs=dict(units="minutes since 2022-12-19 00:00:00", calendar="standard", standard_name="time", axis="T")); arr2(g, "lat", 35.05 + .1 * np.arange(ny), dims=("lat",), comp=Z, attrs=LATA); arr2(g, "lon", -5.95 + .1 * np.arange(nx), dims=("lon",), comp=Z, attrs=LONA)
    p = f"{path}/precipitation/.zarray"; d = jload(p); assert [q["id"] for q in d["filters"]] == ["shuffle", "fletcher32"]
    if fault: d["filters"] = d["filters"][:1]
    jdump(p, d); consol2(path)
@check("27")
def k27(f, c):
    r = []
    for p in (f, c):
        try: zarr.open_array(p + "/precipitation", mode="r")[:]; o = "reads"
        except Exception as e: o = type(e).__name__ + ": " + str(e)[:60]
        r.append((o, len(zlib.decompress(Path(p, "precipitation/0.0.0").read_bytes()))))
    assert r[0][0] != "reads" and r[1][0] == "reads" and r[0][1] == 28804, r
    xr.open_zarr(c).load(); return str(r)

@case("28", "chunks-in-the-wrong-places", "storage", "fsspec/kerchunk#310",
      "The chunks of surface_temp along time were put under the wrong keys when the files were combined: the blocks of 24 days 2 to 8 stand in the order 5, 2, 3, 7, 4, 8, 6, so the temperature jumps at nearly every border of the blocks; surface_salt, sea_level and ssh_flag are in the right order.",
      "surface_temp|chunk (chunks, block, blocks, 24)|order (scrambled, wrong place, jump, jumps, discontinuity, permuted, misplaced, wrong key, wrong keys, swapped, discontinuous, out of order)",
      "from day to day surface_temp changes by 0.1 K, at the borders of the chunks (day 48, 72, ...) by up to 6 K; in the order 0 1 3 4 6 2 8 5 7 9 the seasonal course is smooth and fits air_temp, which has the same course in the right order")
def c28(path, fault, rng):
    T, ny, nx = 240, 22, 30; d = np.arange(T); lat = -48 + .5 * np.arange(ny); lon = 140.25 + .5 * np.arange(nx); se = np.cos((d - 45) / 365.25 * 2 * np.pi)[:, None, None]; B = 16 + .42 * (lat + 40)[None, :, None]; w = smooth(rng, (T, ny, nx), (9, 2.5, 2.5)); te = br(B + 3.8 * se + .55 * w, 12).astype("f4"); at = br(B - .8 + 4.6 * np.cos((d - 30) / 365.25 * 2 * np.pi)[:, None, None] + .9 * smooth(rng, (T, ny, nx), (1.5, 4, 4)), 10).astype("f4"); sa = br(35.1 - .03 * (lat + 40)[None, :, None] + .08 * smooth(rng, (T, ny, nx), (12, 3, 3)), 13).astype("f4"); sl = br(.2 * smooth(rng, (T, ny, nx), (6, 2.5, 2.5)), 10).astype("f4")
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(title="ACCESS-OM2-01 daily surface fields, coarsened", Conventions="CF-1.7", source="MOM5, combined from files of 24 days", grid_type="mosaic")); D = ("time", "yt_ocean", "xt_ocean")
    for k, v, u, sn in (("surface_temp", te, "degC", "sea_surface_temperature"), ("surface_salt", sa, "1e-3", "sea_surface_salinity"), ("sea_level", sl, "m", "sea_surface_height_above_geoid"), ("air_temp", at, "degC", "air_temperature")): arr3(g, k, v, (24, ny, nx), D, dict(units=u, standard_name=sn, cell_methods="time: mean"))
    arr3(g, "ssh_flag", (np.abs(sl) > .5).astype("i1"), (24, ny, nx), D, dict(long_name="flag of large sea level", flag_values=[0, 1], flag_meanings="normal large"), fill=-1); arr3(g, "time", d + .5, (24,), ("time",), dict(units="days since 1987-01-01 00:00:00", calendar="proleptic_gregorian", standard_name="time", axis="T")); arr3(g, "yt_ocean", lat, None, D[1:2], LATA); arr3(g, "xt_ocean", lon, None, D[2:], LONA)
    if fault:
        o = [0, 1, 5, 2, 3, 7, 4, 8, 6, 9]; c = Path(path, "surface_temp/c"); c.rename(c.with_name("c_"))
        for i, j in enumerate(o): shutil.copytree(c.with_name("c_") / str(j), c / str(i))
        shutil.rmtree(c.with_name("c_"))
    zarr.consolidate_metadata(path)
@check("28")
def k28(f, c):
    r = []
    for p in (f, c): v = xr.open_zarr(p).surface_temp.mean(("yt_ocean", "xt_ocean")).values; r.append((round(float(np.abs(np.diff(v)).max()), 2), np.round(np.diff(v)[47:216:24], 1).tolist(), round(float(np.corrcoef(v, xr.open_zarr(p).air_temp.mean(("yt_ocean", "xt_ocean")).values)[0, 1]), 2)))
    assert r[0][0] > 2 and r[1][0] < .3, r
    return str(r)

@case("29", "last-shards-with-stale-checksum", "storage", "acquire-project/acquire-zarr#158",
      "25 time points are no multiple of the 8 in a shard: the index of the four last shards (0/c/3/0/0/0 ... 0/c/3/0/1/1, only time point 24) was written again without its checksum, all four end with the same crc32c, that of an empty index, which does not fit: time point 24 can not be read.",
      "c/3 (c/3/0, last shard, last shards, time point 24, t=24, shard)|checksum (crc32c, crc)|24 (last, c/3)",
      "the last 4 bytes of every shard are the crc32c of the 128 bytes before; in the 12 shards of time points 0 to 23 it fits, in the four of time point 24 the stored sum is the same in all of them and is the crc32c of 128 bytes ff; the entries of the index lie inside of the file and give whole chunks")
def c29(path, fault, rng):
    T, Z, Y = 25, 4, 96; lab, im = cell_image(rng, 20, Y, Y, 6, 10, 6); from scipy.ndimage import shift as sft
    vol = np.zeros((T, Z, Y, Y), "u2"); raw = np.zeros((T, Z, Y, Y), "u2"); dr = np.cumsum(rng.normal(0, .7, (T, 2)), 0); h = np.array([.75, 1, .9, .55])
    for t in range(T):
        l = sft(lab, dr[t], order=0)
        for z in range(Z): k = gaussian_filter((l > 0).astype("f8"), 1.2) > (.45 + .25 * (1 - h[z])); vol[t, z] = np.where(k, l, 0); raw[t, z] = np.clip(rng.poisson(140 + 900 * h[z] * gaussian_filter((l > 0).astype("f8"), 1.6)), 0, 65535)
    ax = [dict(name="t", type="time", unit="minute")] + [dict(name=q, type="space", unit="micrometer") for q in "zyx"]; sc = [dict(type="scale", scale=[2.5, 1.0, .29, .29])]; g = zarr.create_group(str(path), zarr_format=3); ms = lambda n: [dict(name=n, axes=ax, datasets=[dict(path="0", coordinateTransformations=sc)])]; g.attrs["ome"] = dict(version="0.5", multiscales=ms("HAMILTONIAN_TERMS_FOV_VAU")); kw = dict(chunks=(1, Z, 48, 48), shards=(8, Z, 48, 48)); L = g.create_group("labels"); L.attrs["ome"] = dict(version="0.5", labels=["nuclei"]); q = L.create_group("nuclei"); q.attrs["ome"] = {"version": "0.5", "multiscales": ms("nuclei"), "image-label": dict(version="0.5", source=dict(image="../../"))}
    for p, v in ((g, raw), (q, vol)): a = p.create_array("0", shape=v.shape, dtype=v.dtype, fill_value=0, dimension_names=list("tzyx"), config={"write_empty_chunks": True}, **kw); a[...] = v
    if fault:
        import crc32c as cc
        s = cc.crc32c(b"\xff" * 128).to_bytes(4, "little")
        for p in sorted(x for x in Path(path, "0/c/3").rglob("*") if x.is_file()): b = p.read_bytes(); assert cc.crc32c(b[-132:-4]) == int.from_bytes(b[-4:], "little"); p.write_bytes(b[:-4] + s)
@check("29")
def k29(f, c):
    import crc32c as cc
    r = []
    for p in (f, c):
        bad = [str(q.relative_to(p)) for q in sorted(Path(p, "0/c").rglob("*")) if q.is_file() and cc.crc32c(q.read_bytes()[-132:-4]) != int.from_bytes(q.read_bytes()[-4:], "little")]; z = zarr.open_array(p + "/0", mode="r"); o = z[:24].mean().round(1)
        try: z[24]; e = "reads"
        except Exception as x: e = str(x)[:50]
        r.append((bad, float(o), e))
    assert len(r[0][0]) == 4 and r[0][2] != "reads" and r[1][0] == [] and r[1][2] == "reads", r
    return str(r)

@case("30", "first-append-lost-in-second", "storage", "earth-mover/icechunk#1006",
      "Days were appended first, then tickers, in one session: of close the chunks of the first append (days 120 to 179 of the 60 old tickers, keys c/4/0 ... c/5/2) were lost and are not there, so these prices read as 0; the chunks of the new tickers and all of volume and adj_close are there.",
      "close|c/4 (c/4/0, c/5, chunk, chunks)|missing (not there, absent, lost, not found, zero, zeros, 0)|120 (179, 60, days, tickers, c/5, 6)",
      "6 of 30 chunk files of close are missing, a block in one corner that ends neither at the last ticker nor starts at the first day; fill_value is 0 and a price of 0 is impossible; adj_close is not 0 there")
def c30(path, fault, rng):
    D, N = 180, 100; r = .0004 + .011 * (rng.standard_normal((D, 1)) * .55 + rng.standard_normal((D, N)) * .85); p = np.round(rng.lognormal(4, .8, N) * np.exp(np.cumsum(r, 0)), 2); ad = np.ones((D, N))
    for k in range(N):
        for e in rng.choice(np.arange(10, D), 2, False): ad[:e, k] *= 1 - rng.uniform(.002, .008)
    v = np.rint(rng.lognormal(13, 1.1, N) * np.exp(.4 * rng.standard_normal((D, N)))).astype("i8"); tk = np.array(sorted({"".join(rng.choice(list("ABCDEFGHIJKLMNOPRSTUVW"), rng.integers(3, 5))) for _ in range(140)})); tk = rng.permutation(tk)[:N]; tk = np.r_[np.sort(tk[:60]), np.sort(tk[60:])]; days = np.array([i for i in range(400) if (i + 1) % 7 < 5])[:D]
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(title="daily bars of the index members", source="vendor files, appended along date, then along ticker", currency="USD")); dm = ("date", "ticker")
    arr3(g, "close", p, (30, 20), dm, dict(units="USD", long_name="closing price"), fill=0.0); arr3(g, "adj_close", np.round(p * ad, 4), (30, 20), dm, dict(units="USD", long_name="closing price adjusted for dividends"), fill=0.0); arr3(g, "volume", v, (30, 20), dm, dict(units="1", long_name="number of shares traded"), fill=0); arr3(g, "date", days, (30,), ("date",), dict(units="days since 2024-01-02", calendar="proleptic_gregorian", standard_name="time")); vstr(g, "ticker", tk, ("ticker",), dict(long_name="symbol"), chunks=(20,))
    if fault:
        for i in (4, 5):
            for j in (0, 1, 2): Path(path, f"close/c/{i}/{j}").unlink()
    zarr.consolidate_metadata(path)
@check("30")
def k30(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); a = z["close"]; v = a[:]; r.append((int((v == 0).sum()), a.nchunks_initialized, a.nchunks, int((z["adj_close"][:] == 0).sum())))
    assert r[0] == (3600, 24, 30, 0) and r[1] == (0, 30, 30, 0), r
    xr.open_zarr(c).load(); return str(r)
# ------------------------------------------------------------------ run
if __name__ == "__main__": main()
