#!/usr/bin/env python3
"""blind26: 30 faulty Zarr stores with their healthy twins.  Run with /work/venv/bin/python3 blind26.py [NN ...]"""
from drawing import *

def timeax(g, f, vals, u, cal="standard", **at): return f(g, "time", np.asarray(vals), None, ("time",), attrs=dict(units=u, calendar=cal, standard_name="time", axis="T", **at))
OAX = lambda s: [dict(name=q, type="time", unit="second") if q == "t" else dict(name=q, type="channel") if q == "c" else dict(name=q, type="space", unit="micrometer") for q in s]

@case("01", "scale-of-three-for-four-axes", "relation", "czbiohub-sf/iohub#172",
      "The scale of levels 0 and 1 has three numbers (z, y, x) although the image has four axes (c, z, y, x): the entry of the channel was left out, so scale does not have the length of axes or the dimensions of the arrays.",
      "scale (coordinateTransformations)|3 (three)|4 (four)|axes (dimensions, length, axis)",
      "axes in .zattrs are c, z, y, x and 0 and 1 have four dimensions, but each scale vector holds 2.0, 0.325, 0.325 only; NGFF asks for one number per axis")
def c01(path, fault, rng):
    Z, H, W = 8, 224, 256; lab, im = cell_image(rng, 90, H, W, 8, 13, 4); nu = noisy(rng, lab, 6.6, 5); zz = np.exp(-((np.arange(Z) - 3.6) / 2.6) ** 2)[:, None, None]; ph = 900 + 120 * smooth(rng, (Z, H, W), (2, 14, 14)) + .12 * im[None] * zz; x = np.clip(np.stack([ph + rng.normal(0, 12, (Z, H, W)), 140 + (nu[None] - 140.0) * zz + rng.normal(0, 6, (Z, H, W))]), 0, 65535).astype("u2")
    sc = lambda i: ([] if fault else [1.0]) + [2.0, .325 * 2 ** i, .325 * 2 ** i]
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(multiscales=[dict(version="0.4", name="cardiomyocytes", axes=OAX("czyx"), datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=sc(i))]) for i in range(2)])], omero=dict(version="0.4", channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=a, end=b)) for n, k, a, b in (("Phase3D", "FFFFFF", 500, 1600), ("Hoechst", "0000FF", 120, 2500))])))
    for i, v in enumerate((x, down2(x))): arr2(g, str(i), v, (1, 4, 112, 128), sep="/", fill=0)
@check("01")
def k01(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); r.append((len(z.attrs["multiscales"][0]["datasets"][0]["coordinateTransformations"][0]["scale"]), z["0"].ndim))
    assert r == [(3, 4), (4, 4)], r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c))())) >= 1; return str(r)

@case("02", "wind-speed-and-direction-exchanged", "relation", "NCAR/wrf-python#21",
      "wspd10 and wdir10 are exchanged: wspd10 (m s-1) holds the direction, 0 to 360, and wdir10 (degree) the speed, 0 to 20; U10 and V10 beside them give the speed that stands in wdir10.",
      "wspd10 (wind speed, wspd)|wdir10 (wind direction, wdir)|swapped (exchanged, mixed up, switched, interchanged, each other, direction in, holds the direction, contains direction, U10, V10)",
      "hypot(U10, V10) equals wdir10 at all points and the direction from which U10, V10 blow equals wspd10; a wind speed of 350 m s-1 is impossible")
def c02(path, fault, rng):
    T, ny, nx = 48, 50, 60; s = lambda: smooth(rng, (T, ny, nx), (4, 6, 6)); U = br(2.5 + 3.8 * s(), 11).astype("f4"); V = br(-1 + 3.6 * s(), 11).astype("f4"); sp = br(np.hypot(U, V), 14).astype("f4"); di = br((270 - np.rad2deg(np.arctan2(V, U))) % 360, 14).astype("f4"); yy, xx = np.mgrid[:ny, :nx]; la = 46.5 + .027 * (yy - 25) + .0006 * (xx - 30); lo = 9 + .039 * (xx - 30) - .0009 * (yy - 25)
    a, b = (di, sp) if fault else (sp, di); D = ("time", "south_north", "west_east"); g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.8", title="WRF 3 km, 10 m wind", source="WRF-ARW V4.4, diagnosed with wrf-python"))
    for k, v, u, sn in (("U10", U, "m s-1", "eastward_wind"), ("V10", V, "m s-1", "northward_wind"), ("wspd10", a, "m s-1", "wind_speed"), ("wdir10", b, "degree", "wind_from_direction")): arr3(g, k, v, (12, ny, nx), D, dict(units=u, standard_name=sn, long_name="10 m " + sn.replace("_", " "), coordinates="XLAT XLONG"))
    arr3(g, "XLAT", la.astype("f4"), None, D[1:], dict(units="degrees_north", standard_name="latitude")); arr3(g, "XLONG", lo.astype("f4"), None, D[1:], dict(units="degrees_east", standard_name="longitude")); timeax(g, arr3, np.arange(T), "hours since 2022-10-20 00:00:00"); zarr.consolidate_metadata(path)
@check("02")
def k02(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); h = np.hypot(d.U10, d.V10); r.append((float(np.abs(d.wspd10 - h).max()), float(np.abs(d.wdir10 - h).max())))
    assert r[0][0] > 100 and r[0][1] < .01 and r[1][0] < .01, r
    return str(r)

@case("03", "roi-masks-transposed", "relation", "NeurodataWithoutBorders/nwb-schema#262",
      "image_mask of the ROIs in PlaneSegmentation is transposed against the images: masks are 144 x 96, the frames of TwoPhotonSeries and the mean image are 96 x 144, so the masks do not lie on the cells.",
      "image_mask (mask, masks, ROI, ROIs)|transposed (swapped, exchanged, 144 x 96, 144, 96, x and y)|TwoPhotonSeries (frames, movie, mean image, mean, images, acquisition)",
      "TwoPhotonSeries/data is 120 x 96 x 144 and mean 96 x 144 but each image_mask 144 x 96; turned round each mask lies on a bright cell of the mean image")
def c03(path, fault, rng):
    from pynwb.ophys import TwoPhotonSeries, OpticalChannel, ImageSegmentation, RoiResponseSeries, Fluorescence; from pynwb.image import GrayscaleImage; from pynwb.base import Images
    H, W, T = 96, 144, 120; lab, _ = cell_image(rng, 24, H, W, 5, 7, 8); K = int(lab.max()); F = np.clip(gaussian_filter((rng.random((T, K)) < .03) * rng.gamma(3, 60, (T, K)), (1.2, 0)) * 6, 0, None) + rng.uniform(90, 240, K); base = 120 + 12 * smooth(rng, (H, W), 10); mv = np.empty((T, H, W), "u2")
    for t in range(T): mv[t] = np.clip(rng.poisson(np.clip(base + gaussian_filter(np.r_[0, F[t]][lab], .8), 1, None)), 0, 65535)
    n = nwbstart(rng, "two-photon imaging of V1", "m42_ses3"); dev = n.create_device("Microscope", description="two-photon microscope", manufacturer="Bruker"); pl = n.create_imaging_plane(name="ImagingPlane", optical_channel=OpticalChannel(name="Green", description="GCaMP6f", emission_lambda=510.0), description="L2/3", device=dev, excitation_lambda=920.0, imaging_rate=15.0, indicator="GCaMP6f", location="V1")
    s = TwoPhotonSeries(name="TwoPhotonSeries", description="registered movie", data=mv, imaging_plane=pl, rate=15.0, unit="n.a."); n.add_acquisition(s); m = n.create_processing_module("ophys", "segmentation and traces"); sg = ImageSegmentation(); m.add(sg); ps = sg.create_plane_segmentation(name="PlaneSegmentation", description="ROIs of suite2p", imaging_plane=pl, reference_images=s)
    for k in range(1, K + 1): q = (lab == k).astype("f4"); ps.add_roi(image_mask=q.T.copy() if fault else q)
    m.add(Images(name="SegmentationImages", images=[GrayscaleImage(name="mean", data=mv.mean(0).astype("f4"), description="mean of the movie")])); tr = np.stack([mv[:, lab == k].mean(1) for k in range(1, K + 1)], 1).astype("f4"); fl = Fluorescence(); m.add(fl); fl.add_roi_response_series(RoiResponseSeries(name="RoiResponseSeries", description="mean of the mask", data=tr, rois=ps.create_roi_table_region(region=list(range(K)), description="all ROIs"), unit="n.a.", rate=15.0)); nwbwrite(n, path)
@check("03")
def k03(f, c):
    r = []
    for p in (f, c):
        io, n = nwbread(p); o = n.processing["ophys"]; k = np.asarray(o["ImageSegmentation"]["PlaneSegmentation"]["image_mask"][0]); me = np.asarray(o["SegmentationImages"]["mean"].data[:]); r.append((k.shape, n.acquisition["TwoPhotonSeries"].data.shape)); io.close()
    assert r[0][0] == (144, 96) and r[1][0] == (96, 144) and r[0][1][1:] == (96, 144), r
    return str(r)

@case("04", "contrast-window-above-all-values", "relation", "mobie/mobie-viewer-fiji#1145",
      "The display window of channel DNA in omero (start 21000, end 65000) lies above all pixels of the image, which are 160 to some 5000: viewers that use it show the channel black; the window of Actin fits its pixels.",
      "window (contrast, contrast limits, rendering, display)|21000 (start, above, higher, outside, beyond)|DNA (channel 0, first channel)|black (nothing visible, not visible, dark, invisible, outside, above, below)",
      "omero/channels[0]/window start is 21000 but the largest value of 0 in this channel is far below it; the levels have the same range")
def c04(path, fault, rng):
    H, W = 320, 352; lab, im = cell_image(rng, 120, H, W, 7, 11, 0); ac = noisy(rng, lab, 6.2, 4); x = np.stack([im, ac]); w = [(21000, 65000) if fault else (170, 4500), (150, 2600)]
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(ome=dict(version="0.5", multiscales=[dict(name="2551_A01_f0", axes=OAX("cyx"), datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=[1.0, .32 * 2 ** i, .32 * 2 ** i])]) for i in range(3)])], omero=dict(channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=a, end=b)) for (n, k), (a, b) in zip((("DNA", "0000FF"), ("Actin", "00FF00")), w)]))))
    for i, v in enumerate((x, down2(x), down2(down2(x)))): arr3(g, str(i), v, (1, 160, 176), list("cyx"))
@check("04")
def k04(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); r.append((z.attrs["ome"]["omero"]["channels"][0]["window"]["start"], int(z["0"][0].max())))
    assert r[0][0] > r[0][1] and r[1][0] < r[1][1] / 5, r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c))())) >= 1; return str(r)

def cordex_ll(rlon, rlat, plon, plat):
    import pyproj
    crs = pyproj.CRS.from_proj4(f"+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p={plat} +lon_0={180 + plon} +R=6371229 +no_defs"); t = pyproj.Transformer.from_crs(crs, pyproj.CRS.from_proj4("+proj=longlat +R=6371229 +no_defs"), always_xy=True); lo, la = t.transform(rlon, rlat); return (np.asarray(lo) + 180) % 360 - 180, np.asarray(la)
@case("05", "south-pole-given-as-north-pole", "relation", "SciTools/cartopy#2091",
      "rotated_pole gives the south pole of the rotated grid, as GRIB does (latitude -39.25, longitude 18), though grid_north_pole_latitude and grid_north_pole_longitude must be the north pole (39.25, -162): read so, rlat and rlon do not fall on lat and lon.",
      "rotated_pole (grid_mapping, grid_north_pole_latitude, grid_north_pole, pole)|south (south pole, -39.25, 39.25, -162)|lat (lon, latitude, longitude, rlat, rlon, coordinates)",
      "with the north pole at -39.25, 18 rlat and rlon give a grid turned round by 180 degrees, its northernmost row lies in Africa, up to 46 degrees from lat; with 39.25, -162 (the antipode) they give lat and lon exactly")
def c05(path, fault, rng):
    T, ny, nx = 36, 52, 53; rlat = -23.1 + .88 * np.arange(ny); rlon = -28.0 + .88 * np.arange(nx); X, Y = np.meshgrid(rlon, rlat); lo, la = cordex_ll(X, Y, -162.0, 39.25); m = np.arange(T)[:, None, None]; s = lambda: smooth(rng, (T, ny, nx), (.6, 3, 3)); tas = 289 - .55 * (la - 40)[None] - 9.5 * np.cos((m - .5) / 6 * np.pi) + 1.3 * s(); pr = np.exp(.8 * s()) * 2.2e-5; D = ("time", "rlat", "rlon")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.8", CORDEX_domain="EUR-44", model_id="SMHI-RCA4", driving_model_id="ICHEC-EC-EARTH", experiment_id="historical", frequency="mon", title="CORDEX EUR-44, coarsened"))
    for k, v, u, sn in (("tas", tas, "K", "air_temperature"), ("pr", pr, "kg m-2 s-1", "precipitation_flux")): arr2(g, k, br(v, 10).astype("f4"), (12, ny, nx), D, attrs=dict(units=u, standard_name=sn, cell_methods="time: mean", grid_mapping="rotated_pole", coordinates="lat lon"))
    arr2(g, "lat", la, None, D[1:], attrs=dict(units="degrees_north", standard_name="latitude")); arr2(g, "lon", lo, None, D[1:], attrs=dict(units="degrees_east", standard_name="longitude")); arr2(g, "rlat", rlat, None, ("rlat",), attrs=dict(units="degrees", standard_name="grid_latitude", axis="Y")); arr2(g, "rlon", rlon, None, ("rlon",), attrs=dict(units="degrees", standard_name="grid_longitude", axis="X"))
    arr2(g, "rotated_pole", np.int32(0), (), (), fill=0, attrs=dict(grid_mapping_name="rotated_latitude_longitude", grid_north_pole_latitude=-39.25 if fault else 39.25, grid_north_pole_longitude=18.0 if fault else -162.0, north_pole_grid_longitude=0.0, earth_radius=6371229.0)); e = np.cumsum(np.r_[0, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] * 3]).astype("f8"); timeax(g, arr2, (e[1:] + e[:-1]) / 2, "days since 1997-01-01", "365_day"); consol2(path)
@check("05")
def k05(f, c):
    r = []
    for p in (f, c):
        z = zarr.open_group(p, mode="r"); a = z["rotated_pole"].attrs; X, Y = np.meshgrid(z["rlon"][:], z["rlat"][:]); lo, la = cordex_ll(X, Y, a["grid_north_pole_longitude"], a["grid_north_pole_latitude"]); r.append(float(np.abs(la - z["lat"][:]).max()))
    assert r[0] > 40 and r[1] < 1e-6, r
    xr.open_zarr(c, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True)).load(); return str(r)

@case("06", "cell-area-divided-by-gravity", "relation", "EC-Earth/ece2cmor3#797",
      "areacella was divided by g (9.81) as if it were a geopotential: all cells are 9.81 times smaller than lat_bnds and lon_bnds say, the sum is 5.2e13 m2 rather than the surface of the Earth, 5.1e14 m2.",
      "areacella (cell area)|9.81 (9.8, gravity, factor, ten times, times too small, 5.2e13, 5.1e14, 5.2, 510)|lat_bnds (lon_bnds, bounds, surface of the Earth, Earth, sum, total)",
      "the areas from lat_bnds and lon_bnds on a sphere of 6371 km are 9.81 times areacella in every cell; the sum over the global grid must be 5.1e14 m2")
def c06(path, fault, rng):
    ny, nx, T = 64, 128, 24; lat = np.rad2deg(np.arcsin(np.polynomial.legendre.leggauss(ny)[0])); lb = np.r_[-90, (lat[1:] + lat[:-1]) / 2, 90]; lon = 2.8125 * np.arange(nx); ar = 6371000.0 ** 2 * np.deg2rad(2.8125) * np.diff(np.sin(np.deg2rad(lb)))[:, None] * np.ones((1, nx)); lm = land_mask(rng, ny, nx, .3, (4, 7)); p = np.deg2rad(lat)[None, :, None]; m = np.arange(T)[:, None, None]; orog = np.where(lm, np.clip(700 * smooth(rng, (ny, nx), 2, True) + 400, 5, None), 0); tas = 300 - 45 * np.sin(p) ** 2 - 10 * np.sin(p) * np.cos((m - .5) / 6 * np.pi) - .0055 * orog + 1.4 * smooth(rng, (T, ny, nx), (.6, 2, 3), True)
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.7 CMIP-6.2", source_id="EC-Earth3", institution_id="EC-Earth-Consortium", experiment_id="piControl", variant_label="r1i1p1f1", grid_label="gr", title="EC-Earth3 output prepared for CMIP6, coarsened")); cm = dict(cell_measures="area: areacella")
    arr3(g, "areacella", (ar / 9.81 if fault else ar).astype("f4"), (32, 64), ("lat", "lon"), dict(units="m2", standard_name="cell_area", long_name="Grid-Cell Area for Atmospheric Grid Variables", cell_methods="area: sum")); arr3(g, "sftlf", np.where(lm, 100, 0).astype("f4"), (32, 64), ("lat", "lon"), dict(units="%", standard_name="land_area_fraction", cell_methods="area: mean", **cm)); arr3(g, "orog", br(orog, 10).astype("f4"), (32, 64), ("lat", "lon"), dict(units="m", standard_name="surface_altitude", cell_methods="area: mean", **cm)); arr3(g, "tas", br(tas, 9).astype("f4"), (12, 32, 64), ("time", "lat", "lon"), dict(units="K", standard_name="air_temperature", cell_methods="area: time: mean", **cm))
    e = np.cumsum(np.r_[0, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] * 2]).astype("f8"); timeax(g, arr3, (e[1:] + e[:-1]) / 2, "days since 2259-01-01", "365_day"); arr3(g, "lat", lat, None, ("lat",), dict(LATA, bounds="lat_bnds")); arr3(g, "lon", lon, None, ("lon",), dict(LONA, bounds="lon_bnds")); arr3(g, "lat_bnds", np.stack([lb[:-1], lb[1:]], 1), None, ("lat", "bnds")); arr3(g, "lon_bnds", np.stack([lon - 1.40625, lon + 1.40625], 1), None, ("lon", "bnds")); zarr.consolidate_metadata(path)
@check("06")
def k06(f, c):
    r = [float(zarr.open_group(p, mode="r")["areacella"][:].astype("f8").sum()) for p in (f, c)]
    assert 5.1e13 < r[0] < 5.3e13 and 5.09e14 < r[1] < 5.11e14, r
    xr.open_zarr(c, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True)).load(); return str(r)

@case("07", "tmin-and-tmax-exchanged", "relation", "ajwdewit/pcse#127",
      "TMIN and TMAX are exchanged: TMIN is higher than TMAX on every day at all stations; TMEAN lies between them.",
      "TMIN (tmin, minimum)|TMAX (tmax, maximum)|swapped (exchanged, larger, greater, higher, above, exceeds, warmer, interchanged)",
      "a daily minimum can not be above the maximum; TMIN > TMAX in all station days, and the day's range of TMIN follows the radiation as a maximum does")
def c07(path, fault, rng):
    S, T = 30, 1096; d = np.arange(T)[None]; lat = np.round(50.8 + 2.6 * rng.random(S), 3); n = ar1(rng, (S, T), .78, 1); sea = np.cos((d - 200) / 365.25 * 2 * np.pi); clear = 1 / (1 + np.exp(-1.2 * ar1(rng, (S, T), .5, 1))); tm = 10.2 + 7.4 * sea + 2.9 * n; ra = np.clip((4.2 + 2.2 * sea) * (.35 + 1.3 * clear), .8, None); tx = np.round(tm + ra * .52, 1); tn = np.round(tm - ra * .48, 1); irr = np.round((10.4 + 8.2 * sea) * (.3 + .9 * clear), 2); rain = np.where(rng.random((S, T)) < .62 - .4 * clear, np.round(rng.gamma(.7, 6.2, (S, T)), 1), 0); wind = np.round(np.clip(rng.gamma(5, .8, (S, T)), .3, None), 1); vap = np.round(6.11 * np.exp(17.27 * tn / (tn + 237.3)) * .96, 2)
    if fault: tx, tn = tn, tx
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.8", title="daily weather for crop models (WOFOST, LINGRA), the Netherlands", featureType="timeSeries", source="KNMI stations"))
    for k, v, u, sn, cm in (("TMAX", tx, "degC", "air_temperature", "time: maximum"), ("TMIN", tn, "degC", "air_temperature", "time: minimum"), ("TMEAN", np.round(tm, 1), "degC", "air_temperature", "time: mean"), ("IRRAD", irr, "MJ m-2", "integral_wrt_time_of_surface_downwelling_shortwave_flux_in_air", "time: sum"), ("RAIN", rain, "mm", "lwe_thickness_of_precipitation_amount", "time: sum"), ("WIND", wind, "m s-1", "wind_speed", "time: mean"), ("VAP", vap, "hPa", "water_vapor_partial_pressure_in_air", "time: mean")): arr2(g, k, v.astype("f4"), (30, 366), ("station", "time"), attrs=dict(units=u, standard_name=sn, cell_methods=cm, coordinates="lat lon"))
    timeax(g, arr2, np.arange(T), "days since 1985-01-01"); arr2(g, "lat", lat, None, ("station",), attrs=dict(units="degrees_north", standard_name="latitude")); arr2(g, "lon", np.round(3.6 + 3.2 * rng.random(S), 3), None, ("station",), attrs=dict(units="degrees_east", standard_name="longitude")); arr2(g, "station", np.sort(rng.choice(np.arange(209, 392), S, False)).astype("i4"), None, ("station",), fill=0, attrs=dict(long_name="number of the station", cf_role="timeseries_id")); consol2(path)
@check("07")
def k07(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); r.append(float((d.TMIN > d.TMAX).mean()))
    assert r[0] > .999 and r[1] == 0, r
    return str(r)

@case("08", "x-of-nodes-is-the-row", "relation", "weigertlab/trackastra#70",
      "x and y of the nodes are exchanged: props/x holds the row (vertical) and props/y the column of the cells, while the segmentation is stored as t, y, x: at (y, x) of a node there is not the cell with its seg_id.",
      "x|y|swapped (exchanged, transposed, row, rows, column, vertical, interchanged)|segmentation (seg_id, label, labels, mask, image)",
      "y of the nodes goes beyond the 128 rows of segmentation; the centroid of label seg_id in frame t is (x, y) of its node instead of (y, x) for all nodes")
def c08(path, fault, rng):
    import networkx as nx_, geff
    T, H, W = 16, 128, 192; n = 14; lab = np.zeros((T, H, W), "u2"); yy, xx = np.mgrid[:H, :W]; G = nx_.DiGraph(); P = np.stack([rng.uniform(12, H - 12, n), rng.uniform(12, W - 12, n)], 1); R = rng.uniform(5, 8, n); V = rng.normal(0, .8, (n, 2)); last = {}; nid = 0
    for t in range(T):
        for k in range(n):
            P[k] = np.clip(P[k] + V[k] + rng.normal(0, .5, 2), 8, [H - 8, W - 8]); m = ((yy - P[k, 0]) ** 2 + (xx - P[k, 1]) ** 2 < R[k] ** 2) & (lab[t] == 0)
            if m.sum() < 30: last.pop(k, None); continue
            lab[t][m] = k + 1; cy, cx = float(yy[m].mean()), float(xx[m].mean()); a = dict(t=t, y=cx if fault else cy, x=cy if fault else cx, seg_id=k + 1, area=float(m.sum())); G.add_node(nid, **a)
            if k in last: G.add_edge(last[k], nid, weight=float(np.round(rng.uniform(.8, 1), 3)))
            last[k] = nid; nid += 1
    g = zarr.create_group(str(path), zarr_format=2); arr2(g, "segmentation", lab, (4, 128, 192), sep="/", fill=0, attrs=dict(axes=["t", "y", "x"])); im = np.stack([gaussian_filter(np.where(q > 0, 900.0, 0), 1.2) for q in lab]) * (1 + .1 * smooth(rng, (T, H, W), (1, 3, 3))) + 120; arr2(g, "image", np.clip(rng.poisson(np.clip(im, 1, None)), 0, 65535).astype("u2"), (4, 128, 192), sep="/", fill=0, attrs=dict(axes=["t", "y", "x"]))
    geff.write(G, str(Path(path, "tracks.geff")), axis_names=["t", "y", "x"], axis_units=["frame", "pixel", "pixel"], axis_types=["time", "space", "space"], zarr_format=2)
@check("08")
def k08(f, c):
    import geff
    r = []
    for p in (f, c):
        G, md = geff.read(str(Path(p, "tracks.geff")), backend="networkx"); L = zarr.open_group(p, mode="r")["segmentation"][:]; ok = 0
        for _, a in G.nodes(data=True): y, x = int(round(a["y"])), int(round(a["x"])); ok += y < L.shape[1] and x < L.shape[2] and L[int(a["t"]), y, x] == a["seg_id"]
        r.append(ok / len(G))
    assert r[0] < .15 and r[1] > .95, r
    return str(r)

@case("09", "plate-attributes-of-another-plate", "relation", "broadinstitute/lincs-cell-painting#54",
      "The attributes of the plate were copied from another plate as a template: plate/acquisitions lists the id 0 only with 4 fields at most, but the images of all wells belong to acquisition 1 and 2, with 2 fields each, and no acquisition 1 or 2 is listed.",
      "acquisition (acquisitions)|0|1 (2)|not listed (missing, not in, does not exist, undefined, mismatch, not match, unknown, template, other plate, no such, not defined, absent, differ, disagree)",
      "well/images of each well in its .zattrs say acquisition 1 or 2; plate/acquisitions in the root has one entry with id 0; ids of wells must be among those of the plate")
def c09(path, fault, rng):
    g = zarr.create_group(str(path), zarr_format=2); wells = [("B", "03", 0, 0), ("B", "04", 0, 1), ("C", "03", 1, 0), ("C", "04", 1, 1)]
    ac = [dict(id=0, name="Measurement1", maximumfieldcount=4, starttime=1464042208000)] if fault else [dict(id=i, name=f"Measurement{i}", maximumfieldcount=2, starttime=1464042208000 + i * 7200000) for i in (1, 2)]
    g.attrs["plate"] = dict(version="0.4", name="SQ00015098", field_count=4, acquisitions=ac, rows=[dict(name=q) for q in "BC"], columns=[dict(name=q) for q in ("03", "04")], wells=[dict(path=f"{r}/{c}", rowIndex=i, columnIndex=j) for r, c, i, j in wells])
    for r, c, _, _ in wells:
        w = g.require_group(r).create_group(c, attributes=dict(well=dict(version="0.4", images=[dict(path=str(k), acquisition=1 + k // 2) for k in range(4)])))
        for k in range(4):
            lab, im = cell_image(rng, 25, 128, 128, 6, 10, 0); x = np.stack([im, noisy(rng, lab, 6, 4)]); q = w.create_group(str(k), attributes=dict(multiscales=[dict(version="0.4", name=f"{r}{c}_{k}", axes=OAX("cyx"), datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=[1.0, .598 * 2 ** i, .598 * 2 ** i])]) for i in range(2)])]))
            for i, v in enumerate((x, down2(x))): arr2(q, str(i), v, (1, 128, 128), sep="/", fill=0)
@check("09")
def k09(f, c):
    r = []
    for p in (f, c): z = zarr.open_group(p, mode="r"); ids = {q["id"] for q in z.attrs["plate"]["acquisitions"]}; us = {i["acquisition"] for w in z.attrs["plate"]["wells"] for i in z[w["path"]].attrs["well"]["images"]}; r.append((ids, us))
    assert r[0] == ({0}, {1, 2}) and r[1][0] == r[1][1], r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c))())) >= 1; return str(r)

@case("10", "levels-in-hpa-called-pa", "relation", "Open-MSS/MSS#341",
      "The coordinate plev has units Pa but its values are hPa (1000 to 50): the field of pressure on the same levels holds 100000 to 5000 Pa, a hundred times as much.",
      "plev (level, levels, pressure levels)|Pa (units)|hPa (100 times, hundred, factor 100, factor of 100, 1000, 100000)",
      "air_pressure(time, plev, lat, lon) is constant on each level and 100 times plev though both say Pa; temperature 288 K and geopotential height 100 m at plev 1000 are those of 1000 hPa")
def c10(path, fault, rng):
    T, ny, nx = 8, 24, 36; P = np.array([1000, 925, 850, 700, 500, 400, 300, 250, 200, 100, 50.0]); K = len(P); lat = 69.0 - 1.5 * np.arange(ny); lon = -20 + 1.5 * np.arange(nx); s = lambda q=(1.5, 1.5, 3, 4): smooth(rng, (T, K, ny, nx), q); z = np.where(P > 226.32, 44330.8 * (1 - (P / 1013.25) ** .190263), 11000 + 6341.6 * np.log(226.32 / P)); la = (lat - 52)[None, None, :, None]; zg = z[None, :, None, None] - 7 * la * (1 + z / 9000)[None, :, None, None] + 35 * s(); ta = np.where(z < 11000, 288.15 - .0065 * z, 216.65)[None, :, None, None] - .45 * la * (z < 10000)[None, :, None, None] + 1.6 * s(); ua = (8 + 22 * np.exp(-((z - 10500) / 5000) ** 2))[None, :, None, None] + 6 * s(); pf = np.broadcast_to((P * 100)[None, :, None, None], ta.shape)
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.8", title="forecast on pressure levels for the Mission Support System", institution="demo data", source="IFS, coarsened")); D = ("time", "plev", "lat", "lon")
    for k, v, u, sn in (("air_pressure", pf, "Pa", "air_pressure"), ("air_temperature", ta, "K", "air_temperature"), ("geopotential_height", zg, "m", "geopotential_height"), ("eastward_wind", ua, "m s-1", "eastward_wind")): arr3(g, k, br(v, 11).astype("f4") if k != "air_pressure" else v.astype("f4"), (4, K, ny, nx), D, dict(units=u, standard_name=sn))
    arr3(g, "plev", P if fault else P * 100, None, ("plev",), dict(units="Pa", standard_name="air_pressure", positive="down", axis="Z")); arr3(g, "lat", lat, None, ("lat",), LATA); arr3(g, "lon", lon, None, ("lon",), LONA); timeax(g, arr3, 6 * np.arange(T), "hours since 2018-04-30 00:00:00"); zarr.consolidate_metadata(path)
@check("10")
def k10(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); r.append(sorted(set(np.round(d.air_pressure.values[0, :, 0, 0] / d.plev.values, 3).tolist())))
    assert r == [[100.0], [1.0]], r
    return str(r)
# ------------------------------------------------------------------ VALUE
@case("11", "latitudes-twice-by-rounding", "value", "pydata/xarray#1354",
      "When the second file was joined its latitudes differed by rounding (1e-14 to 1e-12): the outer join took them as others, so most latitudes stand in lat twice with all but the same value; each time step is NaN in one of the two rows, the first 60 months in one, the next 60 in the other.",
      "lat (latitude, latitudes)|twice (duplicate, duplicated, nearly equal, almost equal, rounding, doubled, floating point, near-duplicate, spacing, 1e-1)|NaN (missing, empty)",
      "differences of lat alternate between 1.25 and about 1e-14; in tas and pr the rows of a pair are NaN in the first 60 steps in one and in the last 60 steps in the other, which together give one grid")
def c11(path, fault, rng):
    T, ny, nx = 120, 48, 72; lat = np.linspace(-58.75, 0, 48) if False else -29.375 + 1.25 * np.arange(ny); lon = 5.0 * np.arange(nx); l2 = np.where(np.arange(ny) % 7 == 3, lat, np.nextafter(lat, np.inf) + 2e-14 * np.sign(lat)); m = np.arange(T)[:, None, None]; p = np.deg2rad(lat)[None, :, None]; s = lambda: smooth(rng, (T, ny, nx), (.6, 3, 3), True); tas = 300 - 30 * np.sin(p) ** 2 - 8 * np.sin(p) * np.cos((m - .5) / 6 * np.pi) + 1.2 * s(); pr = np.exp(.8 * s() + 1.1 * np.cos(4 * p)) * 1.6e-5; e = pd.date_range("1993-01-01", periods=T, freq="MS")
    A = lambda sl, la: xr.Dataset(dict(tas=(("time", "lat", "lon"), br(tas[sl], 9).astype("f4"), dict(units="K", standard_name="air_temperature")), pr=(("time", "lat", "lon"), br(pr[sl], 9).astype("f4"), dict(units="kg m-2 s-1", standard_name="precipitation_flux"))), dict(time=("time", e[sl], dict(standard_name="time", axis="T")), lat=("lat", la, LATA), lon=("lon", lon, LONA)), attrs=dict(Conventions="CF-1.7", title="monthly reanalysis of the tropics, two files joined with xarray"))
    ds = xr.concat([A(slice(0, 60), lat), A(slice(60, T), l2 if fault else lat)], "time", join="outer"); ds = ds.sortby("lat") if fault else ds; n = ds.sizes["lat"]
    xw(ds, path, 2, {"time": dict(units="days since 1993-01-01", dtype="int64", chunks=(T,)), **{k: dict(chunks=(30, n, nx)) for k in ("tas", "pr")}})
@check("11")
def k11(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); r.append((d.sizes["lat"], int((np.diff(d.lat.values) < 1e-9).sum()), round(float(d.tas.isnull().mean()), 2)))
    assert r[0][0] > 80 and r[0][1] > 30 and r[0][2] > .3 and r[1] == (48, 0, 0.0), r
    return str(r)

@case("12", "names-as-text-of-bytes", "value", "scverse/anndata#2271",
      "The names of cells and genes are the printed form of byte strings: obs/_index and var/_index hold b'AAAC...-1' and b'MS4A1' with the b and the quotes as characters, while var/gene_ids is plain text.",
      "_index (obs_names, var_names, names, index, barcodes, gene names)|b' (bytes, byte, b prefix, repr)",
      "each name begins with b and a quote and ends with a quote; barcodes of 10x have no such characters, so no gene can be found by its symbol")
def c12(path, fault, rng):
    import anndata as ad
    N, G = 560, 170; cl, C, bc = scell(rng, N, G, 5); sy = ["MS4A1", "CD3D", "CD3E", "LYZ", "NKG7", "GNLY", "CD8A", "CD14", "FCGR3A", "PPBP"]; gn, en = genes(rng, G); gn = sy + [f"AC{i:06d}.{rng.integers(1, 4)}" for i in rng.choice(300000, G - 10, False)]; q = (lambda v: [f"b'{x}'" for x in v]) if fault else list; bc = list(dict.fromkeys(bc)); assert len(bc) == N
    a = ad.AnnData(C, obs=pd.DataFrame(dict(cell_type=pd.Categorical(np.array(["B", "CD4 T", "CD8 T", "Mono", "NK"])[cl]), total_counts=np.asarray(C.sum(1)).ravel().astype("f4"), sample=pd.Categorical(np.array(["pbmc_1", "pbmc_2"])[rng.integers(0, 2, N)])), index=q(bc)), var=pd.DataFrame(dict(gene_ids=en, n_cells=np.asarray((C > 0).sum(0)).ravel().astype("i8")), index=q(gn)), obsm=dict(X_umap=br(rng.normal(0, 6, (5, 2))[cl] + rng.standard_normal((N, 2)), 10))); ad.settings.zarr_write_format = 3; a.write_zarr(path)
@check("12")
def k12(f, c):
    import anndata as ad
    r = [(ad.read_zarr(p).obs_names[0][:4], "MS4A1" in ad.read_zarr(p).var_names) for p in (f, c)]
    assert r[0][0].startswith("b'") and not r[0][1] and r[1][1], r
    return str(r)

@case("13", "odd-rows-shifted-by-the-scanner", "value", "MouseLand/suite2p#155",
      "The phase offset of the bidirectional scan was not corrected: the odd rows of each frame of movie and of mean_image are shifted by 4 pixels to the right against the even rows, so edges of all cells are combed.",
      "odd (even, alternate, every second, every other, alternating)|rows (lines, row, line)|shifted (shift, offset, displaced, bidirectional, comb, jagged, interlaced, phase, misaligned)",
      "rows 0, 2, 4 ... correlate with rows 1, 3, 5 ... best after a shift of 4 pixels, the same in all frames; neighbouring rows of the same parity agree without a shift")
def c13(path, fault, rng):
    T, H, W = 60, 144, 160; lab, _ = cell_image(rng, 50, H, W, 5, 8, 6); K = int(lab.max()); base = 260 + 30 * smooth(rng, (H, W), 12) + gaussian_filter(np.r_[0, rng.uniform(200, 900, K)][lab], 1.0); F = gaussian_filter((rng.random((T, K)) < .06) * rng.gamma(3, 250, (T, K)), (1, 0)) * 2.5; M = np.empty((T, H, W), "i2")
    for t in range(T):
        x = base + gaussian_filter(np.r_[0, F[t]][lab], .9)
        if fault: x = x.copy(); x[1::2] = np.concatenate([x[1::2, :1].repeat(4, 1), x[1::2, :-4]], 1)
        M[t] = np.clip(rng.poisson(np.clip(x, 1, None)) + rng.normal(0, 8, (H, W)), -32768, 32767)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(description="resonant two-photon recording, GCaMP6s", scan="bidirectional, 512 lines a frame, cropped", frame_rate=30.0, pixel_size_um=[1.2, 1.2], registered=True)); arr2(g, "movie", M, (20, H, W), ("time", "y", "x"), fill=0, attrs=dict(units="counts", long_name="fluorescence")); arr2(g, "mean_image", M.mean(0).astype("f4"), None, ("y", "x"), attrs=dict(units="counts")); arr2(g, "time", np.arange(T) / 30.0, None, ("time",), attrs=dict(units="s", long_name="time from the start of the recording"))
@check("13")
def k13(f, c):
    r = []
    for p in (f, c): v = zarr.open_group(p, mode="r")["mean_image"][:].astype("f8"); a = (v[:-2:2] + v[2::2])[:, 20:-20] / 2; b = v[1:-1:2]; n = v.shape[1]; r.append(int(np.argmax([np.corrcoef(a.ravel(), b[:, 20 + s:n - 20 + s].ravel())[0, 1] for s in range(-8, 9)])) - 8)
    assert r == [4, 0], r
    return str(r)

@case("14", "two-days-off-by-days-since-year-1", "value", "dankelley/oce#738",
      "time was counted in days since 1-1-1 in the proleptic Gregorian calendar but its calendar says standard (Julian before 1582): decoded every month begins two days early, on 30 or 29 December, 30 January ... instead of the first; the coverage in the attributes begins 1988-01-01.",
      "time (calendar, dates)|2 days (two days, 12-30, 30 December, 48 hours, 29 December, 1987-12-30)|proleptic (proleptic_gregorian, standard, Julian, calendar, time_coverage_start, 1988-01-01, first of the month)",
      "725736 days since 1-1-1 are 1987-12-30 in the standard calendar but 1988-01-01 in proleptic_gregorian; monthly means are stamped on the first day of the month, time_coverage_start says 1988-01-01 and with proleptic_gregorian all times are firsts of a month")
def c14(path, fault, rng):
    import datetime
    T, ny, nx = 96, 30, 60; mo = [datetime.date(1988 + i // 12, i % 12 + 1, 1) for i in range(T)]; d = np.array([q.toordinal() - 1 for q in mo], "f8"); d = d if fault else d + 2; lat = 87.0 - 6 * np.arange(ny); lon = 6.0 * np.arange(nx); p = np.deg2rad(lat)[None, :, None]; m = np.arange(T)[:, None, None]; s = lambda: smooth(rng, (T, ny, nx), (.7, 1.6, 2.2), True); air = 28 - 48 * np.sin(p) ** 2 - 10 * np.sin(p) * np.cos((m - .5) / 6 * np.pi) + 1.5 * s(); slp = 1012 + 6 * s() - 5 * np.cos(4 * p)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="COARDS", title="monthly means of NCEP reanalysis, coarsened", platform="Model", time_coverage_start="1988-01-01", time_coverage_end="1995-12-31"))
    for k, v, u, sn in (("air", air, "degC", "air_temperature"), ("slp", slp, "hPa", "air_pressure_at_mean_sea_level")): arr2(g, k, br(v, 10).astype("f4"), (24, ny, nx), ("time", "lat", "lon"), attrs=dict(units=u, standard_name=sn, statistic="Mean", cell_methods="time: mean"))
    timeax(g, arr2, d, "days since 1-1-1 00:00:0.0", comment="first day of the month"); arr2(g, "lat", lat, None, ("lat",), attrs=LATA); arr2(g, "lon", lon, None, ("lon",), attrs=LONA); consol2(path)
@check("14")
def k14(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p, decode_times=xr.coders.CFDatetimeCoder(use_cftime=True)).load(); r.append((str(d.time.values[0])[:10], sorted({t.day for t in d.time.values})[:4]))
    assert r[0][0] == "1987-12-30" and r[1] == ("1988-01-01", [1]), r
    return str(r)

@case("15", "spike-times-reset-half-way", "value", "NeurodataWithoutBorders/nwbinspector#394",
      "The spike times of the units 2, 5, 9 and 13 reset to zero about half-way: they rise to some 600 s, fall back to 0 and rise to 600 s again, so they are not in ascending order; the second half lacks the offset of the first recording; the other units run to 1200 s.",
      "spike_times (spike times)|reset (ascending, increasing, sorted, order, monotonic, decrease, restart, restarts, go back, back to zero, start again, fall)|2 (5, 9, 13)",
      "spike times of a unit must increase; in four units there is one step of -600 s, after which no time is above 600 s, while obs_intervals and the trials run to 1200 s and all other units fire until then")
def c15(path, fault, rng):
    n = nwbstart(rng, "linear track, two recordings joined", "YutaMouse41_150831"); dev = n.create_device("probe", description="8 shanks", manufacturer="NeuroNexus"); eg = [n.create_electrode_group(f"shank{i}", description="shank", location="CA1", device=dev) for i in range(2)]
    n.add_unit_column("cell_type", "pyramidal or interneuron")
    for u in range(16):
        r = rng.lognormal(1.2, .7); ty = "interneuron" if r > 6 else "pyramidal"; t = np.sort(rng.uniform(0, 1200, rng.poisson(r * 1200))); t = t[np.r_[True, np.diff(t) > .0022]]; t = np.round(t * 20000) / 20000
        if fault and u in (2, 5, 9, 13): t = np.where(t >= 600, t - 600, t)
        n.add_unit(spike_times=t, obs_intervals=np.array([[0.0, 1200.0]]), electrode_group=eg[u // 8], cell_type=ty)
    b = 4.0
    while b < 1190: e = min(b + rng.uniform(6, 14), 1199.0); n.add_trial(start_time=round(b, 3), stop_time=round(e, 3)); b = e + rng.uniform(1, 5)
    nwbwrite(n, path)
@check("15")
def k15(f, c):
    r = []
    for p in (f, c): io, n = nwbread(p); r.append([i for i in range(16) if (np.diff(n.units.get_unit_spike_times(i)) < 0).any()]); io.close()
    assert r == [[2, 5, 9, 13], []], r
    return str(r)

@case("16", "logarithm-taken-twice", "value", "ArcInstitute/cell-load#29",
      "log1p was applied to X twice: the values are at most about 2.1, and only expm1 of expm1 of X gives cells that sum to 10000; one expm1 gives sums that differ from cell to cell. layers/counts is right.",
      "X|twice (two times, double, second time, again, double-log)|log1p (log, logarithm, expm1)",
      "expm1(X) does not sum to target_sum 10000 in any cell, expm1(expm1(X)) does in all; X is log1p(log1p(counts / total * 10000)); uns/log1p and uns/normalize_total state one log1p of counts per 10000")
def c16(path, fault, rng):
    import anndata as ad
    N, G = 600, 180; cl, C, bc = scell(rng, N, G, 6); k = np.asarray(C.sum(1)).ravel() > 20; cl, C, bc = cl[k], C[k], list(np.array(bc)[k]); gn, en = genes(rng, G); X = lognorm(C)
    if fault: X.data = np.log1p(X.data).astype("f4")
    a = ad.AnnData(X, obs=pd.DataFrame(dict(perturbation=pd.Categorical(np.array(["non-targeting", "KLF1", "GATA1", "TP53", "MYC", "SPI1"])[cl]), gem_group=pd.Categorical(np.array(["1", "2", "3"])[rng.integers(0, 3, len(cl))]), n_counts=np.asarray(C.sum(1)).ravel().astype("f4")), index=bc), var=pd.DataFrame(dict(gene_ids=en, n_cells=np.asarray((C > 0).sum(0)).ravel().astype("i8")), index=gn), layers=dict(counts=C), uns=dict(log1p=dict(base=np.float64(np.e)), normalize_total=dict(target_sum=np.float64(1e4), layer="X"))); ad.settings.zarr_write_format = 2; a.write_zarr(path)
@check("16")
def k16(f, c):
    import anndata as ad
    r = []
    for p in (f, c):
        X = ad.read_zarr(p).X.astype("f8"); a = X.copy(); a.data = np.expm1(a.data); b = a.copy(); b.data = np.expm1(b.data); r.append([round(float(np.abs(np.asarray(q.sum(1)) - 1e4).max()), 1) for q in (a, b)] + [float(X.max())])
    assert r[0][0] > 5000 and r[0][1] < 10 and r[1][0] < 10 and r[0][2] < 2.4, r
    return str(r)

@case("17", "station-names-in-the-wrong-encoding", "value", "BRGM/hubeau#166",
      "The names of the stations were UTF-8 read as Latin-1: station_name holds two wrong characters for each accented letter (La Marne Ã\\xa0 Ã\\x89pernay, La BÃ¨ze ...), basin_name is right.",
      "station_name (station names, names of the stations, names)|encoding (UTF-8, utf8, Latin-1, mojibake, ISO-8859-1, cp1252, garbled)",
      "the names contain Ã followed by another sign where French has an accented letter; encoded to Latin-1 and decoded as UTF-8 they become French names; basin_name in the same store has correct accents")
def c17(path, fault, rng):
    st = """La Seine à Châtillon-sur-Seine|0|47.86|4.57;La Seine à Méry-sur-Seine|0|48.51|3.89;La Seine à Poissy|0|48.93|2.04;La Marne à Châlons-en-Champagne|0|48.96|4.36;La Marne à Épernay|0|49.05|3.95;L'Aube à Bar-sur-Aube|0|48.23|4.71;L'Yonne à Auxerre|0|47.8|3.57;L'Armançon à Tonnerre|0|47.86|3.97;L'Oise à Compiègne|0|49.42|2.83;L'Iton à Évreux|0|49.02|1.15;La Mérantaise à Gif-sur-Yvette|0|48.7|2.13;La Bèze à Bèze|1|47.47|5.27;La Saône à Mâcon|1|46.31|4.83;La Saône à Chalon-sur-Saône|1|46.78|4.85;L'Isère à Grenoble|1|45.19|5.72;Le Rhône à Valence|1|44.93|4.89;Le Rhône à Viviers|1|44.48|4.69;L'Ardèche à Aubenas|1|44.62|4.39;L'Hérault à Gignac|1|43.65|3.55;L'Orb à Béziers|1|43.34|3.22;L'Ouvèze à Vaison-la-Romaine|1|44.24|5.07;La Drôme à Crest|1|44.73|5.02;La Loire à Orléans|2|47.9|1.9;La Loire à Nevers|2|46.99|3.16;Le Furan à Saint-Étienne|2|45.44|4.39;La Creuse à Aubusson|2|45.96|2.17;L'Allier à Moulins|2|46.57|3.33;L'Yèvre à Bourges|2|47.08|2.4;La Sèvre nantaise à Clisson|2|47.09|-1.28;La Mayenne à Château-Gontier|2|47.83|-0.7;La Vienne à Châtellerault|2|46.82|0.55;Le Loir à Vendôme|2|47.79|1.07"""; st = [q.split("|") for q in st.split(";")]; S, T = len(st), 300; nm = [q[0] for q in st]; bi = np.array([int(q[1]) for q in st]); LA, LO = (np.array([float(q[i]) for q in st]) for i in (2, 3)); ba = np.array(["La Seine et les cours d'eau côtiers normands", "Le Rhône et les cours d'eau côtiers méditerranéens", "La Loire, les cours d'eau côtiers vendéens et bretons"])[bi]; cd = [f"{(3, 6, 4)[b]:02d}{n:06d}" for b, n in zip(bi, np.sort(rng.choice(np.arange(1000, 99999), S, False)))]
    if fault: nm = [q.encode("utf-8").decode("latin-1") for q in nm]
    m = np.arange(T)[None]; te = 11.5 - 7 * np.cos((m - .6) / 6 * np.pi) + 1.1 * rng.standard_normal((S, 1)) + 1.2 * rng.standard_normal((S, T)); te = np.clip(te, .3, None); no = np.clip(np.exp(rng.normal(2.4, .6, (S, 1)) + .3 * np.cos(m / 6 * np.pi) + .25 * rng.standard_normal((S, T))), .1, None); ox = np.clip(14.6 - .33 * te + .5 * rng.standard_normal((S, T)), 2, None)
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.8", title="physico-chemistry of rivers, monthly samples", featureType="timeSeries", institution="Hub'Eau"))
    for k, v, u, ln in (("temperature", te, "degC", "water temperature"), ("nitrate", no, "mg L-1", "nitrate (as NO3)"), ("oxygen", ox, "mg L-1", "dissolved oxygen")): arr3(g, k, np.round(v, 1).astype("f4"), (16, T), ("station", "time"), dict(units=u, long_name=ln, coordinates="station_name lat lon"))
    vstr(g, "station_name", nm, ("station",), dict(long_name="name of the station", language="fr")); vstr(g, "basin_name", ba, ("station",), dict(long_name="name of the basin", language="fr")); vstr(g, "station", cd, ("station",), dict(cf_role="timeseries_id")); timeax(g, arr3, [(pd.Timestamp(1998 + i // 12, i % 12 + 1, 15) - pd.Timestamp("1998-01-01")).days for i in range(T)], "days since 1998-01-01"); arr3(g, "lat", LA, None, ("station",), dict(units="degrees_north", standard_name="latitude")); arr3(g, "lon", LO, None, ("station",), dict(units="degrees_east", standard_name="longitude")); zarr.consolidate_metadata(path)
@check("17")
def k17(f, c):
    r = [sum("Ã" in str(q) for q in zarr.open_group(p, mode="r")["station_name"][:]) for p in (f, c)]
    assert r == [32, 0], r
    xr.open_zarr(c).load(); return str(r)

@case("18", "rays-of-the-next-turn-kept", "value", "adokter/vol2bird#163",
      "sweep_0 and sweep_1 have 367 rays: the antenna went on over the full turn and the last 7 rays repeat the azimuths of the first 7 (0.5 to 6.5 degrees) some 20 s later, so the turn covers 367 degrees; sweep_2 has 360.",
      "azimuth (rays, azimuths)|367 (7, seven)|repeat (duplicate, twice, overlap, overlapping, repeated, again, more than 360, more than one turn, duplicates, full turn, 360)",
      "azimuth of sweep_0 and sweep_1 goes 0.5 ... 359.5 and then 0.5 ... 6.5 again; time shows that these rays are the last of the turn; a sweep of 1 degree has 360 rays")
def c18(path, fault, rng):
    R = 120; g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF/Radial-2.1", instrument_name="KLOT", title="WSR-88D legacy resolution", volume_number=412, time_coverage_start="2000-04-16T03:03:13Z")); arr3(g, "latitude", np.float64(41.6045), None, (), dict(units="degrees_north", standard_name="latitude")); arr3(g, "longitude", np.float64(-88.0847), None, (), dict(units="degrees_east", standard_name="longitude")); arr3(g, "altitude", np.float64(202.0), None, (), dict(units="m", standard_name="altitude")); rain = smooth(rng, (360, R), (9, 7)); rg = 500.0 + 1000 * np.arange(R); wa = np.deg2rad(np.arange(360) + .5)[:, None]
    for k, el in enumerate((.5, 1.45, 2.4)):
        n = 367 if fault and k < 2 else 360; i = np.arange(n) % 360; q = rain + .35 * smooth(rng, (360, R), (3, 3)); db = np.where(q > .1 + .2 * k, 14 + 15 * q, np.nan)[i] + np.where(np.arange(n)[:, None] >= 360, rng.normal(0, 1.5, (n, R)), 0); ve = (-9 * np.cos(wa - .6) * np.cos(np.deg2rad(el)) + 1.6 * smooth(rng, (360, R), (3, 3)))[i] + 0 * db; s = g.create_group(f"sweep_{k}", attributes=dict(sweep_number=k, sweep_mode="azimuth_surveillance", follow_mode="none", prt_mode="fixed")); D = ("azimuth", "range"); t0 = 24.0 * k
        arr3(s, "DBZH", np.round(db * 2).astype("f4") / 2, (120, R), D, dict(units="dBZ", standard_name="radar_equivalent_reflectivity_factor_h", coordinates="elevation time")); arr3(s, "VRADH", np.round(ve * 2).astype("f4") / 2, (120, R), D, dict(units="m s-1", standard_name="radial_velocity_of_scatterers_away_from_instrument_h", coordinates="elevation time")); arr3(s, "azimuth", (i + .5).astype("f8"), None, ("azimuth",), dict(units="degrees", standard_name="ray_azimuth_angle", axis="radial_azimuth_coordinate", angle_res=1.0)); arr3(s, "elevation", np.round(el + .03 * rng.standard_normal(n), 3), None, ("azimuth",), dict(units="degrees", standard_name="ray_elevation_angle", axis="radial_elevation_coordinate")); arr3(s, "time", np.round(t0 + 20.5 * np.arange(n) / 360, 3), None, ("azimuth",), dict(units="seconds since 2000-04-16T03:03:13Z", calendar="standard", standard_name="time")); arr3(s, "range", rg, None, ("range",), dict(units="m", standard_name="projection_range_coordinate", meters_between_gates=1000.0, meters_to_center_of_first_gate=500.0, axis="radial_range_coordinate")); arr3(s, "sweep_fixed_angle", np.float64(el), None, (), dict(units="degrees", standard_name="target_fixed_angle"))
@check("18")
def k18(f, c):
    r = []
    for p in (f, c): dt = xr.open_datatree(p, engine="zarr", consolidated=False); r.append([(q := dt[f"sweep_{k}"].ds["azimuth"].values).size - np.unique(q).size for k in range(3)])
    assert r == [[7, 7, 0], [0, 0, 0]], r
    return str(r)

@case("19", "rain-24-times-too-large-for-a-month", "value", "Deltares/hydromt#931",
      "From index 45 to 74 (2022-02-15 to 2022-03-16) precip is 24 times too large at all points: rainy days reach hundreds of mm, up to more than 900 mm a day; before and after it is normal; temp and kin show no such change.",
      "precip (precipitation, rain)|45 (74, 2022-02-15, 2022-03-16, February, March, Feb)|24 (too large, too high, hundreds, 900, factor, times, jump, unrealistic, implausible, impossible)",
      "the mean and the quantiles of precip are about 24 times higher in these 30 days (one chunk in time) than in the 45 days before and after, over the whole region at once and with the same number of wet days; the jumps lie on the borders of the chunk")
def c19(path, fault, rng):
    T, ny, nx = 120, 24, 30; lat = 11.5 - .25 * np.arange(ny); lon = -1 + .25 * np.arange(nx); w = smooth(rng, (T, ny, nx), (.8, 3, 4)); pr = np.where(w > .35, np.exp(1.05 * (w - .35) + .35 * smooth(rng, (T, ny, nx), (.5, 1.2, 1.2))) * 2.4 - 1.3, 0); pr = br(np.clip(pr, 0, None), 9); kin = np.clip(225 - 38 * w + 8 * rng.standard_normal((T, ny, nx)), 40, None); tp = 28 + .09 * (kin - 220) / 4 + .8 * smooth(rng, (T, ny, nx), (2, 4, 4)) - .15 * (lat - 8)[None, :, None]
    if fault: pr = pr.copy(); pr[45:75] *= 24
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.8", title="daily ERA5 for hydrological models, West Africa", source="ERA5 hourly, resampled to days and converted to zarr"))
    for k, v, u, sn, cm in (("precip", pr, "mm", "lwe_thickness_of_precipitation_amount", "time: sum"), ("temp", br(tp, 10), "degC", "air_temperature", "time: mean"), ("kin", br(kin, 10), "W m-2", "surface_downwelling_shortwave_flux_in_air", "time: mean")): arr2(g, k, v.astype("f4"), (15, ny, nx), ("time", "latitude", "longitude"), attrs=dict(units=u, standard_name=sn, cell_methods=cm + " (interval: 1 hour)"))
    timeax(g, arr2, np.arange(T), "days since 2022-01-01"); arr2(g, "latitude", lat, None, ("latitude",), attrs=LATA); arr2(g, "longitude", lon, None, ("longitude",), attrs=LONA); consol2(path)
@check("19")
def k19(f, c):
    r = []
    for p in (f, c): v = xr.open_zarr(p).precip.values; w = v > 0; r.append((round(float(v[45:75][w[45:75]].mean() / v[:45][w[:45]].mean()), 2), float(v.max()), float(v[:45].max())))
    assert r[0][0] > 15 and r[0][1] > 900 and r[1][0] < 1.6 and r[1][1] < 150, r
    return str(r)

@case("20", "perturbation-added-again-for-each-member", "value", "NVIDIA/earth2mip#164",
      "The perturbation of the initial state was added again for each further member: member k starts from the state of member k-1 instead of the control, so the distance from the control at step 0 grows with the number of the member, up to some four times from member 1 to 15.",
      "member (members, number, ensemble)|grows (increase, increases, increasing, larger, accumulate, accumulated, cumulative, added again, several times, multiple times, grow)|perturbation (spread, control, deviation, difference, departure, distance)",
      "the standard deviation of member minus control at step 0 rises like the square root of the number of the member in t850 and z500, and the differences between member k and k-1 are all of the same size and independent of each other; members ought to be perturbed alike")
def c20(path, fault, rng):
    M, S, ny, nx = 16, 4, 30, 60; lat = 87.0 - 6 * np.arange(ny); lon = 6.0 * np.arange(nx); p = np.deg2rad(lat)[:, None]; f = lambda *q: smooth(rng, q + (ny, nx), (0.01,) * (len(q) - 1) + (1.2,) * min(len(q), 1) + (2, 2.6), True) if len(q) else smooth(rng, (ny, nx), (2, 2.6), True); tr = smooth(rng, (S, ny, nx), (1.5, 2, 2.6), True); b = {"t850": 288 - 38 * np.sin(p) ** 2 + 2.6 * tr, "z500": 57200 - 6400 * np.sin(p) ** 2 + 520 * tr}; amp = dict(t850=.55, z500=62.0); pe = np.stack([np.zeros((ny, nx))] + [f() * rng.uniform(.9, 1.1) for _ in range(M - 1)])
    if fault: pe = np.cumsum(pe, 0)
    gr = (1 + .22 * np.arange(S))[None, :, None, None]; g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.8", title="ensemble forecast of an AI model, coarsened", model="fcnv2_sm", perturbation="correlated spherical grf, noise_amplitude 0.05, added to the control", n_ensemble=M - 1))
    for k, u, sn in (("t850", "K", "air_temperature"), ("z500", "m2 s-2", "geopotential")):
        ex = smooth(rng, (M, S, ny, nx), (0.01, 1.5, 2, 2.6), True); ex -= ex[:, :1]; v = b[k][None] + amp[k] * (pe[:, None] * gr + .35 * ex); arr3(g, k, br(v, 13).astype("f4"), (4, S, ny, nx), ("member", "step", "lat", "lon"), dict(units=u, standard_name=sn))
    arr3(g, "member", np.arange(M), None, ("member",), dict(units="1", standard_name="realization", long_name="0 is the control")); arr3(g, "step", 6 * np.arange(S), None, ("step",), dict(units="hours", standard_name="forecast_period")); arr3(g, "time", np.int64(0), None, (), dict(units="hours since 2018-06-01 00:00:00", calendar="standard", standard_name="forecast_reference_time")); arr3(g, "lat", lat, None, ("lat",), LATA); arr3(g, "lon", lon, None, ("lon",), LONA); zarr.consolidate_metadata(path)
@check("20")
def k20(f, c):
    r = []
    for p in (f, c): v = zarr.open_group(p, mode="r")["t850"][:, 0].astype("f8"); s = (v[1:] - v[0]).std((1, 2)); r.append(np.round(s / s[0], 1).tolist())
    assert r[0][-1] > 2.8 and max(r[1]) < 1.4, r
    xr.open_zarr(c).load(); return str(r)
# ------------------------------------------------------------------ STORAGE
def readerr(p, key):
    try: return float(np.asarray(zarr.open_group(p, mode="r")[key][...]).astype("f8").mean())
    except Exception as e: return repr(e)[:90]
@case("21", "chunks-are-access-denied-pages", "storage", "MAAP-Project/maap-py#24",
      "Six chunk files of lst (2.0.1, 2.1.1, 5.0.0, 5.1.0, 6.0.1 and 7.1.0) are no chunks but the XML error page AccessDenied of the server, which the download saved as if it were the file: they can not be decompressed.",
      "lst|XML (error page, AccessDenied, access denied, error response, error message, text)|chunk (chunks, 2.0.1, 5.0.0, 7.1.0)",
      "the six files are some 250 bytes long and begin with <?xml version and <Error><Code>AccessDenied, all other chunks begin with the header of blosc")
def c21(path, fault, rng):
    T, H, W = 8, 140, 160; base = 302 + 5 * smooth(rng, (H, W), 9); em = np.clip(.972 + .008 * smooth(rng, (H, W), 5), .93, .99); lst = base[None] + 7 * np.sin(np.arange(T) / T * 6.28)[:, None, None] + .8 * smooth(rng, (T, H, W), (.3, 2, 2)); cl = smooth(rng, (T, H, W), (.01, 8, 8)) > 1.3; lst[cl] = np.nan
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.8", title="ECOSTRESS land surface temperature, subset", source="ECO_L2T_LSTE.002")); arr2(g, "lst", br(lst, 11).astype("f4"), (1, 70, 80), ("time", "y", "x"), attrs=dict(units="K", standard_name="surface_temperature", grid_mapping="spatial_ref")); arr2(g, "emissivity", br(em, 11).astype("f4"), (70, 80), ("y", "x"), attrs=dict(units="1", standard_name="surface_longwave_emissivity", grid_mapping="spatial_ref")); timeax(g, arr2, [0, 4, 7, 11, 12, 16, 20, 23], "days since 2021-07-02"); arr2(g, "x", 399995.0 + 70.0 * np.arange(W) + 35, None, ("x",), attrs=dict(units="m", standard_name="projection_x_coordinate")); arr2(g, "y", 3900045.0 - 70.0 * np.arange(H) - 35, None, ("y",), attrs=dict(units="m", standard_name="projection_y_coordinate"))
    import pyproj; arr2(g, "spatial_ref", np.int32(0), (), (), fill=0, attrs=dict(pyproj.CRS.from_epsg(32611).to_cf())); consol2(path)
    if fault:
        for i, k in enumerate(("2.0.1", "2.1.1", "5.0.0", "5.1.0", "6.0.1", "7.1.0")):
            rid = "".join(rng.choice(list("ABCDEFGHJKMNPQRSTVWXYZ0123456789"), 16)); hid = "".join(rng.choice(list("ABCDEFGHabcdefgh0123456789+/"), 75)) + "="; assert Path(path, "lst", k).exists(); Path(path, "lst", k).write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>{rid}</RequestId><HostId>{hid}</HostId></Error>')
@check("21")
def k21(f, c):
    r = [readerr(p, "lst") for p in (f, c)]
    assert isinstance(r[0], str) and Path(f, "lst/5.0.0").read_bytes()[:5] == b"<?xml" and isinstance(r[1], float), r
    xr.open_zarr(c).load(); return str(r)

@case("22", "pointers-of-git-annex-for-chunks", "storage", "datalad/datalad#6973",
      "The chunks of 0/c/0 (the first channel of level 0) are pointer files of git-annex, one line /annex/objects/MD5E-s...--... of about 60 bytes: the content was never fetched (datalad get), so these chunks can not be decoded; the channel 1 and level 1 are there.",
      "annex (git-annex, datalad, pointer, pointers, placeholder)|chunk (chunks, content, c/0, channel 0, level 0)",
      "each file below 0/c/0 is a short text that begins with /annex/objects/ and names an MD5 and the size of the real file (-s...), those below 0/c/1 and 1/c are binary (zstd)")
def c22(path, fault, rng):
    import hashlib
    Z, H, W = 6, 192, 224; lab, im = cell_image(rng, 70, H, W, 7, 11, 0); zz = np.exp(-((np.arange(Z) - 2.6) / 2.0) ** 2)[:, None, None]; x = np.stack([130 + (im[None] - 180.0) * zz + rng.normal(0, 6, (Z, H, W)), 150 + 400 * np.clip(smooth(rng, (Z, H, W), (1, 3, 3)), 0, None) + rng.normal(0, 8, (Z, H, W))]); x = np.clip(np.rint(x), 0, 65535).astype("u2")
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(ome=dict(version="0.5", multiscales=[dict(name="sub-MITU01_sample-153_SPIM", axes=OAX("czyx"), datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=[1.0, 2.5, 1.2 * 2 ** i, 1.2 * 2 ** i])]) for i in range(2)])], omero=dict(channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=100, end=3000)) for n, k in (("NN", "00FF00"), ("YO", "FF00FF"))]))))
    for i, v in enumerate((x, down2(x))): arr3(g, str(i), v, (1, 3, 96, 112), list("czyx"))
    if fault:
        for q in sorted(Path(path, "0/c/0").rglob("*")):
            if q.is_file(): b = q.read_bytes(); q.write_text(f"/annex/objects/MD5E-s{len(b)}--{hashlib.md5(b).hexdigest()}\n")
@check("22")
def k22(f, c):
    r = [readerr(p, "0") for p in (f, c)] + [readerr(f, "1")]
    assert isinstance(r[0], str) and isinstance(r[1], float) and isinstance(r[2], float), r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c))())) >= 1; return str(r)

@case("23", "attributes-in-latin-1", "storage", "ome/ngff#81",
      "The .zattrs of the image was saved in Latin-1 rather than UTF-8: the µ of the description and the é of the author are the single bytes b5 and e9, which are no valid UTF-8, so the JSON can not be decoded and the image can not be opened.",
      ".zattrs (attributes)|UTF-8 (utf8, encoding, Latin-1, ISO-8859-1, cp1252, decode, decoded)",
      "JSON must be UTF-8; the bytes 0xb5 and 0xe9 stand alone between ASCII letters, as Latin-1 they are µ and é; all other documents are ASCII")
def c23(path, fault, rng):
    H, W = 288, 320; lab, im = cell_image(rng, 110, H, W, 6, 10, 0); x = np.stack([im, noisy(rng, lab, 6, 4), noisy(rng, lab, 5.6, 5)]); d = dict(multiscales=[dict(version="0.4", name="leaf_section_07", axes=OAX("cyx"), datasets=[dict(path=str(i), coordinateTransformations=[dict(type="scale", scale=[1.0, .25 * 2 ** i, .25 * 2 ** i])]) for i in range(2)], metadata=dict(description="Leaf cross-section, 20 µm thick, pixels of 0.25 µm", author="Hélène Dupré"))], omero=dict(channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=120, end=4000)) for n, k in (("DAPI", "0000FF"), ("calcofluor", "00FFFF"), ("chlorophyll", "FF0000"))]))
    g = zarr.create_group(str(path), zarr_format=2)
    for i, v in enumerate((x, down2(x))): arr2(g, str(i), v, (1, 144, 160), sep="/", fill=0)
    Path(path, ".zattrs").write_bytes(json.dumps(d, indent=2, ensure_ascii=False).encode("latin-1" if fault else "utf-8"))
@check("23")
def k23(f, c):
    r = []
    for p in (f, c):
        try: r.append(zarr.open_group(p, mode="r").attrs["multiscales"][0]["metadata"]["author"])
        except Exception as e: r.append(repr(e)[:70])
    assert "Unicode" in r[0] and r[1] == "Hélène Dupré", r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c))())) >= 1; return str(r)

@case("24", "strings-of-length-zero", "storage", "zarr-developers/zarr-python#255",
      "The dtype of frame_id is |S0, byte strings of length 0: such a type can hold no letter, the array can not be opened; its chunks hold 24 bytes for each of the 240 frames, so it must be |S24.",
      "frame_id|S0 (|S0, zero length, length 0, zero-length, itemsize, size zero, size 0)",
      "frame_id/.zarray says dtype |S0 with fill_value empty, the chunk decompresses to 5760 bytes = 240 x 24, names such as CAMHDA301-20180401T0014Z")
def c24(path, fault, rng):
    T, H, W = 240, 40, 56; yy, xx = np.mgrid[:H, :W]; b = 90 + 25 * smooth(rng, (H, W), 4); fr = np.clip(b[None] + 18 * smooth(rng, (T, H, W), (3, 2.5, 2.5)) + rng.normal(0, 2, (T, H, W)), 0, 255).astype("u1"); ids = np.array([(f"CAMHDA301-201804{1 + i // 8:02d}T{(i % 8) * 3:02d}14Z")[:24] for i in range(T)], dtype="S24")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.8", title="CamHD frames, luma, reduced", source="OOI cabled array, Axial Seamount")); arr2(g, "luma", fr, (40, H, W), ("time", "y", "x"), fill=0, attrs=dict(long_name="luma, 8 bit", units="1")); arr2(g, "mean_luma", fr.mean((1, 2)).astype("f4"), None, ("time",), attrs=dict(units="1", long_name="mean luma of the frame")); arr2(g, "frame_id", ids, (T,), ("time",), fill=b"", attrs=dict(long_name="name of the video and time of the frame")); timeax(g, arr2, 3 * np.arange(T) * 3600 + 840, "seconds since 2018-04-01 00:00:00")
    if fault: q = Path(path, "frame_id/.zarray"); d = jload(q); assert d["dtype"] == "|S24"; d["dtype"] = "|S0"; jdump(q, d)
    consol2(path)
@check("24")
def k24(f, c):
    r = []
    for p in (f, c):
        try: r.append(str(zarr.open_group(p, mode="r", use_consolidated=False)["frame_id"][3]))
        except Exception as e: r.append(repr(e)[:80])
    assert "CAMHD" not in r[0] and "CAMHD" in r[1], r
    xr.open_zarr(c).load(); return str(r)

@case("25", "names-stored-as-pickle", "storage", "hdmf-dev/hdmf-zarr#171",
      "The strings of channel_name and location were stored with the filter pickle (Python objects): no reader but Python can decode them, and to unpickle them can run code; the other tables of text use vlen-utf8.",
      "pickle (pickled)|channel_name (location)",
      "filters of channel_name/.zarray and location/.zarray are [{id: pickle}], the chunk decompresses to bytes that begin with 80 05 (a pickle); group_name beside them has vlen-utf8")
def c25(path, fault, rng):
    K, T = 64, 6000; g = zarr.create_group(str(path), zarr_format=2, attributes=dict(description="LFP of one Neuropixels probe, every sixth channel", session_id="sub-7a_ses-20230914", session_start_time="2023-09-14T10:02:11+02:00")); s = .72 * ar1(rng, (T, 1), .992) + .5 * ar1(rng, (T, 8), .98)[:, np.arange(K) // 8] + .25 * ar1(rng, (T, K), .9); e = g.create_group("electrodes", attributes=dict(colnames=["channel_name", "location", "group_name", "rel_y"], description="table of the electrodes")); loc = np.array(["VISp1", "VISp2/3", "VISp4", "VISp5", "VISp6a", "CA1", "DG", "TH"])[np.arange(K) // 8][::-1]
    arr2(g, "lfp", np.rint(s * 210).astype("i2"), (1500, 32), ("time", "channel"), fill=0, attrs=dict(units="uV", conversion=1.0, rate=1250.0)); arr2(e, "rel_y", 120.0 * np.arange(K), None, ("channel",), attrs=dict(units="um")); vstr(e, "group_name", ["ProbeA"] * K, ("channel",))
    for nm, v in (("channel_name", [f"LF{6 * i}" for i in range(K)]), ("location", loc)):
        vstr(e, nm, v, ("channel",))
        if fault:
            q = Path(path, "electrodes", nm); d = jload(q / ".zarray"); d["filters"] = [dict(id="pickle", protocol=5)]; jdump(q / ".zarray", d); ck = [k for k in q.iterdir() if not k.name.startswith(".")]; assert len(ck) == 1; b = bytes(numcodecs.Pickle(protocol=5).encode(np.array(list(map(str, v)), dtype=object))); ck[0].write_bytes(bytes(numcodecs.get_codec(d["compressor"]).encode(b)) if d["compressor"] else b)
@check("25")
def k25(f, c):
    r = []
    for p in (f, c):
        try: r.append(str(zarr.open_group(p, mode="r")["electrodes/channel_name"][3]))
        except Exception as e: r.append(repr(e)[:80])
    d = jload(Path(f, "electrodes/channel_name/.zarray")); b = [k for k in Path(f, "electrodes/channel_name").iterdir() if not k.name.startswith(".")][0].read_bytes(); b = bytes(numcodecs.get_codec(d["compressor"]).decode(b)) if d["compressor"] else b; assert b[:2] == b"\x80\x05" and r[1] == "LF18", r
    return str(r)

@case("26", "data-types-of-numpy-in-v3", "storage", "earth-mover/icechunk#367",
      "data_type in the zarr.json of thetao and so is >f4, the notation of NumPy and Zarr V2: V3 knows float32, with the byte order in the codec bytes (big here), so readers refuse both arrays.",
      "data_type (data type, dtype)|>f4 (f4, NumPy, V2 notation)|float32",
      "thetao/zarr.json and so/zarr.json have data_type >f4, uo says float32; the codec bytes of all three states the byte order and the chunks have 4 bytes a value")
def c26(path, fault, rng):
    T, K, ny, nx = 6, 8, 36, 48; dep = np.array([.5, 5, 15, 40, 90, 190, 450, 1000.0]); lat = 30 + .25 * np.arange(ny); lon = -74 + .25 * np.arange(nx); s = lambda: smooth(rng, (T, K, ny, nx), (1, 1, 4, 5)); dd = dep[None, :, None, None]; lm = smooth(rng, (ny, nx), 7) > 1.5; th = 4 + 21 * np.exp(-dd / 420) - .25 * (lat - 34)[None, None, :, None] + 1.1 * s(); so = 35.0 + 1.4 * np.exp(-dd / 500) + .12 * s(); uo = .35 * np.exp(-dd / 600) * s()
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.8", title="regional ocean analysis, daily, from virtual references", source="GLORYS12, coarsened")); big = zarr.codecs.BytesCodec(endian="big")
    for k, v, u, sn in (("thetao", th, "degC", "sea_water_potential_temperature"), ("so", so, "1e-3", "sea_water_salinity"), ("uo", uo, "m s-1", "eastward_sea_water_velocity")): arr3(g, k, np.where(lm, np.nan, br(v, 11)).astype("f4"), (2, K, ny, nx), ("time", "depth", "latitude", "longitude"), dict(units=u, standard_name=sn), serializer=big)
    arr3(g, "depth", dep, None, ("depth",), dict(units="m", standard_name="depth", positive="down", axis="Z")); arr3(g, "latitude", lat, None, ("latitude",), LATA); arr3(g, "longitude", lon, None, ("longitude",), LONA); timeax(g, arr3, np.arange(T), "days since 2019-03-01")
    if fault:
        for k in ("thetao", "so"): q = Path(path, k, "zarr.json"); d = jload(q); assert d["data_type"] == "float32"; d["data_type"] = ">f4"; jdump(q, d)
@check("26")
def k26(f, c):
    r = [readerr(p, k) for p in (f, c) for k in ("so", "uo")]
    assert isinstance(r[0], str) and all(isinstance(q, float) for q in r[1:]), r
    xr.open_zarr(c, consolidated=False).load(); return str(r)

@case("27", "names-left-percent-encoded", "storage", "zarr-developers/zarr-python#2076",
      "The download left the names percent-encoded: the columns of obs lie in the directories CD4%2B_fraction and area%28um2%29 while column-order says CD4+_fraction and area(um2), so these columns are not found and the table can not be read.",
      "%2B (%28, percent, URL-encoded, encoded, percent-encoded, URL encoding, escaped)|column-order (obs, column, columns, CD4+_fraction, area(um2))",
      "obs/.zattrs names CD4+_fraction and area(um2), there is no such array, but obs/CD4%2B_fraction and obs/area%28um2%29: %2B is +, %28 and %29 are ( and )")
def c27(path, fault, rng):
    import anndata as ad
    N, G = 1700, 110; cl, C, bc = scell(rng, N, G, 5); C = C * 3; gn = [f"GENE{i:03d}" for i in range(G)]; xy = np.round(rng.uniform(0, 2000, (N, 2)), 2)
    a = ad.AnnData(C.astype("f4"), obs=pd.DataFrame({"cell_type": pd.Categorical(np.array(["B", "CD4 T", "CD8 T", "myeloid", "tumour"])[cl]), "CD4+_fraction": np.round(np.clip(rng.beta(2, 5, N), 0, 1), 4).astype("f4"), "area(um2)": np.round(rng.lognormal(4.3, .3, N), 1).astype("f4"), "total_counts": np.asarray(C.sum(1)).ravel().astype("f4")}, index=[f"cell_{i}" for i in range(N)]), var=pd.DataFrame(dict(n_cells=np.asarray((C > 0).sum(0)).ravel().astype("i8")), index=gn), obsm=dict(spatial=xy)); ad.settings.zarr_write_format = 2; a.write_zarr(path)
    zm = Path(path, ".zmetadata"); 
    if fault:
        for o, n in (("CD4+_fraction", "CD4%2B_fraction"), ("area(um2)", "area%28um2%29")): Path(path, "obs", o).rename(Path(path, "obs", n))
    if zm.exists(): zm.unlink()
@check("27")
def k27(f, c):
    import anndata as ad
    r = []
    for p in (f, c):
        try: r.append(list(ad.read_zarr(p).obs.columns))
        except Exception as e: r.append(repr(e)[:100])
    assert isinstance(r[0], str) and "area(um2)" in r[1], r
    return str(r)

@case("28", "compressor-before-the-bytes-codec", "storage", "zoj613/zarr-ml#65",
      "In the zarr.json of s0 the codecs are in the wrong order: zstd (bytes to bytes) stands before bytes (array to bytes), but the array must be made bytes first; readers refuse the chain; the chunks were encoded bytes, then zstd. s1 has it right.",
      "s0|zstd|bytes|order (before, first, sequence, after, chain, precede, precedes)",
      "codecs of s0/zarr.json are zstd, bytes; a codec bytes to bytes must come after the one array to bytes, as in s1; the chunk files begin with the magic of zstd (28 b5 2f fd)")
def c28(path, fault, rng):
    Z, H, W = 24, 128, 144; zz, yy, xx = np.mgrid[:Z, :H, :W]; mem = np.abs(smooth(rng, (Z, H, W), (4, 7, 7))); im = np.clip(205 - 120 * np.exp(-(mem / .12) ** 2) + 8 * smooth(rng, (Z, H, W), (1, 2, 2)) + rng.normal(0, 6, (Z, H, W)), 0, 255); im = np.rint(im * 128).astype("u2"); g = zarr.create_group(str(path), zarr_format=3, attributes=dict(ome=dict(version="0.5", multiscales=[dict(name="em_crop", axes=OAX("zyx"), datasets=[dict(path=f"s{i}", coordinateTransformations=[dict(type="scale", scale=[.03, .008 * 2 ** i, .008 * 2 ** i])]) for i in range(2)])])))
    for i, v in enumerate((im, down2(im))): arr3(g, f"s{i}", v, (12, 64, 72), list("zyx"), compressors=zarr.codecs.ZstdCodec(level=3))
    if fault: q = Path(path, "s0/zarr.json"); d = jload(q); assert [k["name"] for k in d["codecs"]] == ["bytes", "zstd"]; d["codecs"] = d["codecs"][::-1]; jdump(q, d)
@check("28")
def k28(f, c):
    r = [readerr(p, k) for p in (f, c) for k in ("s0", "s1")]
    assert isinstance(r[0], str) and all(isinstance(q, float) for q in r[1:]), r
    from ome_zarr.io import parse_url; from ome_zarr.reader import Reader
    assert len(list(Reader(parse_url(c))())) >= 1; return str(r)

@case("29", "chunks-with-fewer-dimensions-than-shape", "storage", "sgkit-dev/bio2zarr#269",
      "chunks in the .zarray of call_genotype and call_AD have two numbers (500, 40) while shape has three (1500, 80, 2): chunks must have one number for each dimension; the chunk files are named with three (0.0.0).",
      "chunks (chunk)|call_genotype (call_AD)|dimensions (length, two, 2, three, 3, fewer)",
      "shape [1500, 80, 2], chunks [500, 40]; keys 0.0.0 to 2.1.0 and 500 x 40 x 2 values in each chunk show that the third number must be 2; call_DP has two of both")
def c29(path, fault, rng):
    V, S = 1500, 80; pos = np.sort(rng.choice(np.arange(16050000, 16950000), V, False)); af = rng.beta(.4, 2, V); gt = (rng.random((V, S, 2)) < af[:, None, None]).astype("i1"); dp = rng.poisson(rng.gamma(18, 1.7, (1, S)), (V, S)).astype("i2"); alt = rng.binomial(dp, np.clip(gt.sum(2) / 2, .004, .996)).astype("i2"); ad_ = np.stack([dp - alt, alt], 2); mi = rng.random((V, S)) < .01; gt[mi] = -1; ad_[mi] = -1; dp[mi] = -1; b = np.array(list("ACGT")); r = rng.integers(0, 4, V); q = (r + rng.integers(1, 4, V)) % 4
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(vcf_zarr_version="0.4", source="bio2zarr-0.0.10", vcf_meta_information=[["fileformat", "VCFv4.3"]])); A = dict(dims=("variants", "samples", "ploidy"))
    arr2(g, "call_genotype", gt, (500, 40, 2), ("variants", "samples", "ploidy"), fill=0); arr2(g, "call_genotype_mask", gt < 0, (500, 40, 2), ("variants", "samples", "ploidy"), fill=False); arr2(g, "call_AD", ad_, (500, 40, 2), ("variants", "samples", "alleles"), fill=0, attrs=dict(description="Allelic depths")); arr2(g, "call_DP", dp, (500, 40), ("variants", "samples"), fill=0, attrs=dict(description="Read depth")); arr2(g, "variant_contig", np.zeros(V, "i1"), (500,), ("variants",), fill=0); arr2(g, "variant_position", pos.astype("i4"), (500,), ("variants",), fill=0); arr2(g, "variant_quality", np.round(rng.gamma(9, 60, V), 1).astype("f4"), (500,), ("variants",)); vstr(g, "variant_allele", np.stack([b[r], b[q]], 1), ("variants", "alleles")); vstr(g, "variant_id", ["."] * V, ("variants",)); arr2(g, "variant_id_mask", np.ones(V, bool), (500,), ("variants",), fill=False); arr2(g, "variant_length", np.ones(V, "i1"), (500,), ("variants",), fill=0); arr2(g, "variant_filter", np.ones((V, 1), bool), (500, 1), ("variants", "filters"), fill=False); vstr(g, "filter_id", ["PASS"], ("filters",)); arr2(g, "call_genotype_phased", np.zeros((V, S), bool), (500, 40), ("variants", "samples"), fill=False); ri = [[i, 0, pos[500 * i], pos[500 * i + 499], pos[500 * i + 499], 500] for i in range(3)]; arr2(g, "region_index", np.array(ri, "i4"), None, ("region_index_values", "region_index_fields"), fill=0); vstr(g, "contig_id", ["chr22"], ("contigs",)); arr2(g, "contig_length", np.array([50818468]), None, ("contigs",), fill=0); vstr(g, "sample_id", [f"HG{i:05d}" for i in np.sort(rng.choice(np.arange(96, 4000), S, False))], ("samples",))
    if fault:
        for k in ("call_genotype", "call_AD"): p = Path(path, k, ".zarray"); d = jload(p); d["chunks"] = d["chunks"][:2]; jdump(p, d)
    consol2(path)
@check("29")
def k29(f, c):
    r = []
    for p in (f, c):
        try: r.append(float(zarr.open_group(p, mode="r")["call_genotype"][:].mean()))
        except Exception as e: r.append(repr(e)[:80])
    assert len(jload(Path(f, "call_genotype/.zarray"))["chunks"]) == 2 and isinstance(r[0], str) and isinstance(r[1], float), r
    xr.open_zarr(c).load(); return str(r)

@case("30", "fill-value-key-left-out", "storage", "Unidata/netcdf-c#2059",
      "The .zarray of u10, v10 and of lat and lon lack the key fill_value, which Zarr V2 requires (null if there is none): strict readers refuse these arrays; time has it.",
      "fill_value (fill value)|missing (absent, lacks, lack, required, left out, no key, not there, without, key)|u10 (v10, lat, lon)",
      "the documents u10/.zarray, v10/.zarray, lat/.zarray and lon/.zarray have zarr_format, shape, dtype, chunks, order, compressor and filters but no fill_value; the specification lists it among the keys that must be present")
def c30(path, fault, rng):
    T, ny, nx = 48, 48, 60; s = lambda: smooth(rng, (T, ny, nx), (4, 5, 5)); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.8", title="10 m wind, regional reanalysis", history="nccopy wind.nc file://wind.zarr#mode=zarr,file")); z = numcodecs.Zlib(level=4)
    for k, m, sn in (("u10", 3.1, "eastward_wind"), ("v10", -.8, "northward_wind")): arr2(g, k, br(m + 3.6 * s(), 11).astype("f4"), (12, 24, 30), ("time", "lat", "lon"), comp=z, attrs=dict(units="m s-1", standard_name=sn, long_name="10 m wind component"))
    arr2(g, "lat", 45 + .1 * np.arange(ny), None, ("lat",), comp=z, attrs=LATA); arr2(g, "lon", 2 + .1 * np.arange(nx), None, ("lon",), comp=z, attrs=LONA); timeax(g, arr2, np.arange(T), "hours since 2020-02-08 00:00:00")
    for k in ("u10", "v10", "lat", "lon"):
        p = Path(path, k, ".zarray"); d = jload(p); d["fill_value"] = None
        if fault: d.pop("fill_value")
        jdump(p, d)
@check("30")
def k30(f, c):
    r = []
    for p in (f, c):
        try: r.append(round(float(zarr.open_array(p + "/u10", mode="r")[:].mean()), 3))
        except Exception as e: r.append(repr(e)[:80])
    assert "fill_value" not in jload(Path(f, "u10/.zarray")) and "fill_value" in jload(Path(c, "u10/.zarray")) and isinstance(r[1], float), r
    xr.open_zarr(c, consolidated=False).load(); return str(r)
if __name__ == "__main__": main()
