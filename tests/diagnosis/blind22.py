#!/usr/bin/env python3
"""blind22: 30 faulty Zarr stores with their healthy twins.  Run with /work/venv/bin/python3 blind22.py [NN ...]"""
from drawing import *

# ------------------------------------------------------------------ RELATIONS 01-10
@case("01", "anemoi-data-one-step-late", "relation", "ecmwf/anemoi-core#1125",
      "data was created with one time step already, so the first date was appended at index 1: data has 41 steps but dates 40, data[0] is all zeros and every field lies one step after its date.",
      "data|dates|41 (40, one step more, offset by one)|zeros (data[0], first step, index 0)",
      "shape[0] of data is 41, of dates 40; data[0] is 0 in all variables (2t of 0 K); cos_julian_day, cos_local_time and insolation of data[i+1] are those of dates[i]; minimum of 2t says 200 K or more")
def c01(path, fault, rng):
    T, NY, NX = 40, 24, 48; lat = np.linspace(86.25, -86.25, NY); lon = np.arange(NX) * 7.5; la, lo = [a.ravel() for a in np.meshgrid(lat, lon, indexing="ij")]; N = la.size
    dates = np.datetime64("2021-03-04T00:00:00", "s") + np.arange(T) * np.timedelta64(6, "h"); names = ["10u", "10v", "2t", "msl", "cos_julian_day", "cos_local_time", "insolation"]
    f = lambda s: smooth(rng, (T, NY, NX), (2.5, 2, 3), True).reshape(T, N) * s
    doy = (dates - dates.astype("M8[Y]").astype("M8[s]")).astype("f8") / 86400; hr = ((dates - dates.astype("M8[D]").astype("M8[s]")).astype("f8") / 3600)[:, None] + lo / 15
    dec = np.deg2rad(-23.44 * np.cos(2 * np.pi * (doy + 10) / 365.25))[:, None]; cz = np.clip(np.sin(np.deg2rad(la)) * np.sin(dec) - np.cos(np.deg2rad(la)) * np.cos(dec) * np.cos(2 * np.pi * hr / 24), 0, None)
    t2 = 302 - 52 * np.abs(np.sin(np.deg2rad(la))) ** 2.2 + f(4) + 3 * cz; fs = [f(5) + 3 * np.cos(np.deg2rad(3 * la)), f(4), t2, 101300 + f(900), np.repeat(np.cos(2 * np.pi * doy / 365.25)[:, None], N, 1), np.cos(2 * np.pi * hr / 24), cz]
    x = np.stack([br(v, 9) for v in fs], 1)[:, :, None, :].astype("f4"); d8 = x.astype("f8"); ax = (0, 2, 3); cnt = np.full(7, T * N, "i8"); sm, sq = d8.sum(ax), (d8 ** 2).sum(ax)
    at = dict(attribution="Contains modified Copernicus Climate Change Service information", data_request={"area": [86.25, 0, -86.25, 352.5], "grid": "7.5/7.5", "param_level": {"sfc": names[:4]}}, description="ERA5 7.5 degrees", licence="CC-BY-4.0", start_date="2021-03-04T00:00:00", end_date="2021-03-13T18:00:00", frequency="6h",
              ensemble_dimension=2, ensemble_size=1, flatten_grid=True, missing_dates=[], resolution="7.5", field_shape=[NY, NX], order_by=["valid_datetime", "param_level", "number"], remapping={"param_level": "{param}_{levelist}"}, variables=names, version="0.30", uuid="0e1c2f5a-7f0e-4c5c-9d0a-7d4f2a3d1c11", variables_metadata={n: (dict(computed_forcing=True, constant_in_time=False) if i > 3 else dict(mars=dict(param=n, levtype="sfc"))) for i, n in enumerate(names)})
    g = zarr.create_group(str(path), zarr_format=2, attributes=at)
    if fault: x = np.concatenate([np.zeros_like(x[:1]), x])
    arr2(g, "data", x, (1, 7, 1, N), ("time", "variable", "ensemble", "cell")); arr2(g, "dates", dates, dims=("time",)); arr2(g, "latitudes", la, dims=("cell",)); arr2(g, "longitudes", lo, dims=("cell",))
    for k, v in dict(count=cnt, sums=sm, squares=sq, mean=sm / cnt, stdev=np.sqrt(sq / cnt - (sm / cnt) ** 2), minimum=d8.min(ax), maximum=d8.max(ax), has_nans=np.zeros(7, bool)).items(): arr2(g, k, v, dims=("variable",))
    consol2(path)
@check("01")
def k01(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); r.append((g["data"].shape[0], g["dates"].shape[0], float(g["data"][0, 2].mean().round(1))))
    a, b = (zarr.open_group(p, mode="r")["data"][:] for p in (f, c)); g = zarr.open_group(c, mode="r"); assert np.array_equal(a[1:], b) and not a[0].any() and np.allclose(b.astype("f8").mean((0, 2, 3)), g["mean"][:]) and np.allclose(b.std((0, 2, 3), dtype="f8"), g["stdev"][:], rtol=1e-5)
    assert r[0][:2] == (41, 40) and r[1][:2] == (40, 40), r
    return str(r)

@case("02", "time-bounds-in-other-units", "relation", "pydata/xarray#2921",
      "time_bnds holds days since 2015-01-01 but time is 'hours since 2015-01-16 12:00:00' and bounds take the units of their coordinate: read so, the bounds do not enclose time and every month is 28 to 31 hours long.",
      "time_bnds|units (hours, days since)|not enclosed (outside, not within, do not contain, does not contain, not contain, beyond)",
      "time_bnds has no units of its own, so it has those of time (hours since 2015-01-16 12:00:00): time[1] = 708 lies outside of [31, 59]; cell_methods says monthly means")
def c02(path, fault, rng):
    import cftime
    ny, nx, T = 36, 48, 48; lat = -87.5 + 5.0 * np.arange(ny); lon = 3.75 + 7.5 * np.arange(nx); ml = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] * 4); e = np.r_[0, np.cumsum(ml)].astype("f8"); b = np.stack([e[:-1], e[1:]], 1); mid = b.mean(1)
    hrs = lambda d: (d - 15.5) * 24; s = np.cos(2 * np.pi * (mid % 365 - 197) / 365)[:, None, None]; L = lat[None, :, None]; lm = land_mask(rng, ny, nx, sig=(3, 4))
    tas = 300 - 48 * np.abs(np.sin(np.deg2rad(L))) ** 2 + (3 + 14 * lm) * np.sin(np.deg2rad(L)) * s + 1.6 * smooth(rng, (T, ny, nx), (.8, 2, 3), True); pr = np.exp(-10.6 + .9 * np.cos(np.deg2rad(2 * L)) + .5 * s * np.sin(np.deg2rad(L)) + .5 * smooth(rng, (T, ny, nx), (.6, 1.5, 2), True))
    ds = xr.Dataset(dict(tas=(("time", "lat", "lon"), br(tas, 10), dict(standard_name="air_temperature", long_name="Near-Surface Air Temperature", units="K", cell_methods="area: time: mean", cell_measures="area: areacella")), pr=(("time", "lat", "lon"), br(pr, 9), dict(standard_name="precipitation_flux", long_name="Precipitation", units="kg m-2 s-1", cell_methods="area: time: mean")),
        areacella=(("lat", "lon"), np.repeat((6.371e6 ** 2 * np.deg2rad(7.5) * (np.sin(np.deg2rad(lat + 2.5)) - np.sin(np.deg2rad(lat - 2.5))))[:, None], nx, 1).astype("f4"), dict(standard_name="cell_area", units="m2", cell_methods="area: sum")),
        time_bnds=(("time", "bnds"), b if fault else hrs(b)), lat_bnds=(("lat", "bnds"), np.stack([lat - 2.5, lat + 2.5], 1)), lon_bnds=(("lon", "bnds"), np.stack([lon - 3.75, lon + 3.75], 1))),
        dict(time=("time", hrs(mid), dict(units="hours since 2015-01-16 12:00:00", calendar="noleap", standard_name="time", long_name="time", axis="T", bounds="time_bnds")), lat=("lat", lat, dict(LATA, bounds="lat_bnds")), lon=("lon", lon, dict(LONA, bounds="lon_bnds"))),
        attrs=dict(Conventions="CF-1.7 CMIP-6.2", source_id="CESM2", experiment_id="ssp245", table_id="Amon", frequency="mon", variant_label="r4i1p1f1", title="CESM2 output prepared for CMIP6"))
    xw(ds, path, 3, dict(tas=dict(chunks=(12, ny, nx)), pr=dict(chunks=(12, ny, nx))))
@check("02")
def k02(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p); t, b = d.time.values, d.time_bnds.values; r.append((int(sum((b[:, 0] <= t) & (t <= b[:, 1]))), str(b[1, 0]), str(b[1, 1])))
    assert r[0][0] < 3 and r[1][0] == 48 and r[1][1].startswith("2015-02-01"), r
    return str(r)

@case("03", "wind-direction-towards", "relation", "Unidata/MetPy#178",
      "wind_direction was computed without the turn by 180 degrees: it says where the wind blows to, though its standard_name is wind_from_direction; it is 180 degrees off what wind_u and wind_v say, at all stations and times.",
      "wind_direction (wdir)|180 (opposite)|wind_u (wind_v, u and v)",
      "atan2(-u, -v) of wind_u and wind_v differs from wind_direction by exactly 180 degrees in every value; wind_speed agrees with u and v")
def c03(path, fault, rng):
    S, T = 18, 1440; h = np.arange(T); doy = 152 + h / 24; lat = np.round(rng.uniform(61, 79, S), 4); lon = np.round(rng.uniform(-52, -38, S), 4); alt = np.round(rng.uniform(300, 2600, S)); nm = [f"{a}_{b}" for a in ("KPC", "SCO", "TAS", "QAS", "NUK", "UPE") for b in ("L", "U", "A")]
    base = np.deg2rad(rng.uniform(60, 150, S)); sp = 5.5 + 2.4 * ar1(rng, (S, T), .985, 1) + .6 * rng.standard_normal((S, T)); sp = np.hypot(sp, .6); th = base[:, None] + .5 * ar1(rng, (S, T), .97, 1) + .12 * rng.standard_normal((S, T))
    u, v = np.float32(np.round(-sp * np.sin(th), 3)), np.float32(np.round(-sp * np.cos(th), 3)); ws = np.hypot(u, v); wd = np.rad2deg(np.arctan2(-u.astype("f8"), -v.astype("f8"))) % 360
    if fault: wd = np.rad2deg(np.arctan2(u.astype("f8"), v.astype("f8"))) % 360
    ta = 4 - 6.5e-3 * alt[:, None] - .25 * (lat[:, None] - 65) + 2.2 * np.cos(2 * np.pi * (h - 15) / 24) + 2.5 * ar1(rng, (S, T), .99, 1); sw = np.clip(900 * np.clip(np.sin(np.deg2rad(lat))[:, None] * np.sin(.39) + np.cos(np.deg2rad(lat))[:, None] * np.cos(.39) * -np.cos(2 * np.pi * (h + lon[:, None] / 15) / 24), 0, 1) * (.8 + .15 * np.tanh(ar1(rng, (S, T), .95, 1))), 0, None)
    D = ("station", "time"); gap = np.zeros((S, T), bool); gap[4, 610:702] = gap[11, 1200:1231] = True; m = lambda a, n=2: np.where(gap, np.nan, np.round(a, n)).astype("f4")
    ds = xr.Dataset(dict(air_temperature=(D, m(ta), dict(units="degree_Celsius", standard_name="air_temperature", coordinates="lat lon alt")), wind_u=(D, m(u, 3), dict(units="m s-1", standard_name="eastward_wind")), wind_v=(D, m(v, 3), dict(units="m s-1", standard_name="northward_wind")), wind_speed=(D, m(ws, 3), dict(units="m s-1", standard_name="wind_speed")),
        wind_direction=(D, m(wd, 1), dict(units="degree", standard_name="wind_from_direction", long_name="Wind direction, clockwise from north")), sw_down=(D, m(sw, 1), dict(units="W m-2", standard_name="surface_downwelling_shortwave_flux_in_air"))),
        dict(time=pd.date_range("2022-06-01", periods=T, freq="h"), station=("station", np.array(nm, dtype=object), dict(cf_role="timeseries_id", long_name="station name")), lat=("station", lat, dict(units="degrees_north", standard_name="latitude")), lon=("station", lon, dict(units="degrees_east", standard_name="longitude")), alt=("station", alt, dict(units="m", standard_name="altitude", positive="up"))),
        attrs=dict(Conventions="CF-1.7", featureType="timeSeries", title="AWS on the Greenland ice sheet, hourly", institution="GEUS"))
    del ds.air_temperature.attrs["coordinates"]; ds.time.attrs = dict(standard_name="time", axis="T")
    xw(ds, path, 2, {"time": enc_time("hours since 2022-06-01 00:00:00", chunk=T), **{k: dict(chunks=(6, 720)) for k in ds.data_vars}})
@check("03")
def k03(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p).load(); a = np.rad2deg(np.arctan2(-d.wind_u.astype("f8"), -d.wind_v.astype("f8"))); e = np.abs((d.wind_direction - a + 180) % 360 - 180).values; r.append((round(float(np.nanmin(e)), 2), round(float(np.nanmax(e)), 2), round(float(np.nanmax(abs(np.hypot(d.wind_u, d.wind_v) - d.wind_speed))), 3)))
    assert r[0][0] > 178 and r[1][1] < 1.5, r
    return "min/max angle between: " + str(r)

@case("04", "eopf-bbox-latitude-first", "relation", "EOPF-Sample-Service/GDAL-ZARR-EOPF#135",
      "stac_discovery in the root attributes has latitude and longitude swapped: bbox is [11.288, 42.3, 13.8513, 49.05] and the corners of geometry likewise, so the scene lies in Italy; the latitude and longitude arrays say the Horn of Africa (11 to 14 N, 42 to 49 E).",
      "bbox (geometry, stac_discovery)|swapped (latitude and longitude exchanged, lat lon order)|latitude (longitude arrays)",
      "latitude runs from 11.29 to 13.85 and longitude from 42.3 to 49.05; a bbox is [west, south, east, north], this one has the range of latitude as west and east")
def c04(path, fault, rng):
    ny, nx = 150, 240; yy, xx = np.mgrid[:ny, :nx]; lon = 42.3 + 6.3 * xx / (nx - 1) + .45 * (1 - yy / (ny - 1)); lat = 11.1 + 2.3 * (1 - yy / (ny - 1)) - .045 * (lon - 45) + .35; lat, lon = np.round(lat, 6), np.round(lon, 6)
    z = smooth(rng, (ny, nx), (14, 18)); elev = np.where(z > -.1, 500 * (z + .1) ** 1.2, 0); elev = np.nan_to_num(elev); sea = z <= -.1; cl = smooth(rng, (ny, nx), (4, 6)); cloud = cl > 1.1
    bt = np.where(sea, 302 + .5 * z, 312 - .0065 * elev) + .25 * rng.standard_normal((ny, nx)) - np.clip(cl - .8, 0, None) * 22; w, e, s, n = [round(float(v), 4) for v in (lon.min(), lon.max(), lat.min(), lat.max())]
    cor = [(lon[i, j], lat[i, j]) for i, j in ((0, 0), (-1, 0), (-1, -1), (0, -1), (0, 0))]; cor = [[round(float(a), 4), round(float(b), 4)] for a, b in cor]; bb = [w, s, e, n]
    if fault: cor = [q[::-1] for q in cor]; bb = [s, w, n, e]
    g = zarr.create_group(str(path), zarr_format=2, attributes={"stac_discovery": {"type": "Feature", "stac_version": "1.0.0", "id": "S3A_SL_1_RBT____20251019T064521_20251019T064821_20251019T085627_0179_131_348_2700_PS1_O_NR_004", "bbox": bb, "geometry": {"type": "Polygon", "coordinates": [cor]}, "properties": {"platform": "sentinel-3a", "instruments": ["slstr"], "product:type": "S03SLSRBT", "datetime": "2025-10-19T06:46:51Z", "start_datetime": "2025-10-19T06:45:21Z", "end_datetime": "2025-10-19T06:48:21Z", "sat:orbit_state": "descending"}, "links": [], "assets": {}}, "other_metadata": {"eopf_category": "eoproduct"}})
    D = ("rows", "columns"); m = g.create_group("measurements").create_group("inadir"); q = g.create_group("quality").create_group("inadir"); cd = g.create_group("conditions").create_group("geometry_tn"); C = (75, 120)
    pk = lambda a, sc, of: np.rint((a - of) / sc).astype("i2")
    for nm, d, std in (("s8_bt", 0, 10850), ("s9_bt", -1.8, 12022)): arr2(m, nm, pk(bt + d + .05 * rng.standard_normal((ny, nx)), .01, 283.73), C, D, fill=-32768, attrs=dict(units="K", standard_name="toa_brightness_temperature", long_name=f"TOA brightness temperature at {std} nm", scale_factor=.01, add_offset=283.73, _FillValue=-32768, coordinates="latitude longitude"))
    arr2(m, "latitude", lat, C, D, attrs=dict(units="degrees_north", standard_name="latitude")); arr2(m, "longitude", lon, C, D, attrs=dict(units="degrees_east", standard_name="longitude")); arr2(m, "elevation", np.rint(elev).astype("i2"), C, D, fill=-32768, attrs=dict(units="m", standard_name="surface_altitude", _FillValue=-32768))
    arr2(q, "cloud", (cloud * 1 + 0).astype("u1"), C, D, fill=None, attrs=dict(long_name="Summary cloud flag", flag_values=[0, 1], flag_meanings="clear cloudy"))
    arr2(cd, "sat_zenith_tn", br(np.abs(np.linspace(-55, 12, 61))[None] + .02 * np.arange(38)[:, None], 12), dims=("rows_tn", "columns_tn"), attrs=dict(units="degree", standard_name="sensor_zenith_angle"))
    consol2(path)
@check("04")
def k04(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); la, lo = g["measurements/inadir/latitude"][:], g["measurements/inadir/longitude"][:]; b = g.attrs["stac_discovery"]["bbox"]; r.append((np.allclose(b, [lo.min(), la.min(), lo.max(), la.max()], atol=1e-3), np.allclose(b, [la.min(), lo.min(), la.max(), lo.max()], atol=1e-3), b, [round(float(x), 2) for x in (la.min(), la.max(), lo.min(), lo.max())]))
    assert r[0][:2] == (False, True) and r[1][:2] == (True, False), r
    return str(r)

@case("05", "omero-channels-fewer-than-c", "relation", "ome/ngff-spec#87",
      "omero/channels in the root zarr.json lists 3 channels (DAPI, Lamin B1, Phalloidin) but the image has 4 along c: there is no label, colour and window for the last one.",
      "omero (channels)|3|4 (c axis)",
      "the axis c of all levels is 4 long, omero/channels has 3 entries")
def c05(path, fault, rng):
    lab, dapi = cell_image(rng, 90, 256, 256); L = 3; ch = [("DAPI", "0000FF", 3), ("Lamin B1", "00FF00", 1), ("Phalloidin", "FFFF00", 5), ("MitoTracker Deep Red", "FF0000", 2)]; st = [dapi]
    for _, _, sg in ch[1:]: st.append(np.clip(rng.poisson(np.clip(gaussian_filter(np.r_[0, rng.lognormal(6.3, .5, lab.max())][lab] * (1 + .4 * smooth(rng, lab.shape, sg)), sg / 2) + 120, 1, None)), 0, 65535).astype("u2"))
    x = np.stack(st)[:, None]; x = np.concatenate([x, np.rint(x * .8).astype("u2"), np.rint(x * .55 + 40).astype("u2")], 1)
    ome = dict(version="0.5", multiscales=[dict(name="HeLa_B03_f01", axes=[dict(name="c", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "zyx"], datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[1.0, 1.2, .325 * 2 ** l, .325 * 2 ** l])]) for l in range(L)])],
        omero=dict(version="0.5", channels=[dict(label=n, color=c, active=True, coefficient=1, family="linear", inverted=False, window=dict(min=0, max=65535, start=int(np.percentile(x[i], 1)), end=int(np.percentile(x[i], 99.8)))) for i, (n, c, _) in enumerate(ch)][: 3 if fault else 4], rdefs=dict(defaultT=0, defaultZ=1, model="color")))
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": ome})
    for l in range(L): arr3(g, str(l), x, (1, 1, 128, 128), ("c", "z", "y", "x")); x = down2(x)
@check("05")
def k05(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); r.append((len(g.attrs["ome"]["omero"]["channels"]), [g[str(l)].shape for l in range(3)]))
    assert r[0][0] == 3 and r[1][0] == 4 and all(s[0] == 4 for q in r for s in q[1]), r
    return str(r)

@case("06", "hybrid-b-upside-down", "relation", "ESMValGroup/ESMValCore#538",
      "The hybrid coefficient b is stored in the reverse order of levels: it runs from 0 to 1 over lev while b_bnds runs from 1 to 0, so b does not lie within b_bnds and a + b is not lev; the pressure made with it is wrong.",
      "b_bnds|b|reversed (flipped, reverse order, opposite order, upside down, descending, not within, outside)",
      "b[::-1] lies within b_bnds and a + b[::-1] = lev for all levels; a lies within a_bnds")
def c06(path, fault, rng):
    K, ny, nx, T = 24, 30, 40, 12; s = np.linspace(1, 0, K + 1); eh = s ** 1.35 * .995 + .004; bh = np.clip((eh - .13) / .87, 0, 1) ** 1.15; ah = eh - bh; md = lambda q: (q[1:] + q[:-1]) / 2; bn = lambda q: np.stack([q[:-1], q[1:]], 1); lat = -87 + 6.0 * np.arange(ny); lon = 4.5 + 9.0 * np.arange(nx)
    a, b, lev = md(ah), md(bh), md(eh); lm = land_mask(rng, ny, nx, sig=(2.5, 3)); oro = np.where(lm, np.abs(smooth(rng, (ny, nx), (2, 2.5), True)) * 900, 0); ps = 101100 * np.exp(-oro / 8200) + 500 * smooth(rng, (T, ny, nx), (.5, 2, 3), True); ta = 216 + 82 * np.clip(lev, .15, 1)[None, :, None, None] ** .8 - 30 * np.abs(np.sin(np.deg2rad(lat)))[None, None, :, None] ** 2 + 2 * smooth(rng, (T, K, ny, nx), (.5, 2, 2, 3), True)
    cl = np.clip(28 * np.exp(-((lev[None, :, None, None] - .86) / .12) ** 2) + 18 * np.exp(-((lev[None, :, None, None] - .3) / .1) ** 2) + 9 * smooth(rng, (T, K, ny, nx), (.5, 1, 1.5, 2), True), 0, 100); mon = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]); e = np.r_[0, np.cumsum(mon)] + 164 * 365.0
    bs = b[::-1].copy() if fault else b; f4 = ("time", "lev", "lat", "lon")
    ds = xr.Dataset(dict(cl=(f4, br(cl, 7), dict(standard_name="cloud_area_fraction_in_atmosphere_layer", units="%", cell_methods="area: time: mean")), ta=(f4, br(ta, 9), dict(standard_name="air_temperature", units="K", cell_methods="area: time: mean")), ps=(("time", "lat", "lon"), br(ps, 12), dict(standard_name="surface_air_pressure", units="Pa")), p0=((), 1e5, dict(long_name="reference pressure", units="Pa")),
        a=("lev", a, dict(long_name="vertical coordinate formula term: a(k)", units="1")), b=("lev", bs, dict(long_name="vertical coordinate formula term: b(k)", units="1")), a_bnds=(("lev", "bnds"), bn(ah)), b_bnds=(("lev", "bnds"), bn(bh)), lev_bnds=(("lev", "bnds"), bn(eh)), time_bnds=(("time", "bnds"), bn(e)), lat_bnds=(("lat", "bnds"), np.stack([lat - 3, lat + 3], 1)), lon_bnds=(("lon", "bnds"), np.stack([lon - 4.5, lon + 4.5], 1))),
        dict(time=("time", md(e), dict(units="days since 1850-01-01 00:00:00", calendar="noleap", standard_name="time", axis="T", bounds="time_bnds")), lev=("lev", lev, dict(standard_name="atmosphere_hybrid_sigma_pressure_coordinate", long_name="hybrid sigma pressure coordinate", formula="p = a*p0 + b*ps", formula_terms="p0: p0 a: a b: b ps: ps", units="1", positive="down", axis="Z", bounds="lev_bnds")), lat=("lat", lat, dict(LATA, bounds="lat_bnds")), lon=("lon", lon, dict(LONA, bounds="lon_bnds"))),
        attrs=dict(Conventions="CF-1.7 CMIP-6.2", source_id="CESM2-FV2", experiment_id="historical", table_id="Amon", variable_id="cl", frequency="mon"))
    ds.a.attrs["bounds"] = "a_bnds"; ds.b.attrs["bounds"] = "b_bnds"; ds["lev_bnds"].attrs.update(formula="p = a*p0 + b*ps", formula_terms="p0: p0 a: a_bnds b: b_bnds ps: ps", standard_name="atmosphere_hybrid_sigma_pressure_coordinate", units="1")
    xw(ds, path, 3, dict(cl=dict(chunks=(4, 8, ny, nx)), ta=dict(chunks=(4, 8, ny, nx))))
@check("06")
def k06(f, c):
    r = []
    for p in (f, c):
        d = xr.open_zarr(p, decode_times=False).load(); w = lambda v: int(((d[v] <= d[v + "_bnds"].max("bnds")) & (d[v] >= d[v + "_bnds"].min("bnds"))).sum()); r.append((w("a"), w("b"), w("lev"), round(float(abs(d.a + d.b - d.lev).max()), 6)))
    assert r[0][0] == 24 and r[0][1] < 4 and r[0][3] > .5 and r[1] == (24, 24, 24, 0.0), r
    return str(r)

@case("07", "anndata-indptr-stopped", "relation", "scverse/anndata#453",
      "X/indptr does not grow any more after row 900: its last value is smaller than the length of X/data and X/indices, so the counts of the cells appended last are unreachable and these 300 cells read as all zeros.",
      "indptr|data (indices, length, nnz)|900 (300 cells, empty rows, zeros)",
      "indptr[-1] must be the length of data; indptr is constant from index 900 on while obs total_counts and n_genes_by_counts of these cells are not 0")
def c07(path, fault, rng):
    import anndata as ad, scipy.sparse as sp
    N, G = 1200, 260; cl = rng.choice(5, N, p=[.34, .25, .2, .13, .08]); mu = rng.gamma(.35, 2.2, (5, G)) * rng.lognormal(0, .6, G); sz = rng.lognormal(0, .35, N); X = sp.csr_matrix(rng.poisson(rng.gamma(2, .5, (N, G)) * mu[cl] * sz[:, None]).astype("f4")); X.sort_indices()
    obs = pd.DataFrame(dict(n_genes_by_counts=np.diff(X.indptr).astype("i4"), total_counts=np.asarray(X.sum(1)).ravel().astype("f4"), batch=pd.Categorical(np.where(np.arange(N) < 900, "run1", "run2")), cell_type=pd.Categorical(np.array(["T cell", "B cell", "Monocyte", "NK cell", "Dendritic cell"])[cl])), index=["".join(rng.choice(list("ACGT"), 16)) + "-1" for _ in range(N)])
    var = pd.DataFrame(dict(n_cells_by_counts=np.asarray((X > 0).sum(0)).ravel().astype("i4"), mean_counts=np.asarray(X.mean(0)).ravel().astype("f4"), gene_ids=[f"ENSG{i:011d}" for i in rng.choice(300000, G, False)]), index=[f"GENE{i}" for i in range(G)])
    a = ad.AnnData(X, obs=obs, var=var, obsm=dict(X_pca=br(rng.standard_normal((5, 10))[cl] * 4 + rng.standard_normal((N, 10)), 8)), uns=dict(log1p={}, cell_type_colors=np.array(["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd"])[:5])); del a.uns["log1p"]
    ad.settings.zarr_write_format = 3; a.write_zarr(path)
    if fault: z = zarr.open_array(path + "/X/indptr", mode="r+"); p = z[:]; p[901:] = p[900]; z[:] = p
@check("07")
def k07(f, c):
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); q = g["X/indptr"][:]; r.append((int(q[-1]), g["X/data"].shape[0], int((np.diff(q) != g["obs/n_genes_by_counts"][:]).sum()), int(np.diff(q)[-300:].sum())))
    assert r[0][0] < r[0][1] and r[0][2] == 300 and r[0][3] == 0 and r[1][0] == r[1][1] and r[1][2] == 0, r
    return str(r)

@case("08", "nwb-colnames-without-column", "relation", "NeurodataWithoutBorders/matnwb#574",
      "colnames of intervals/trials lists reaction_time but there is no array of that name in the table: the column was declared and never written.",
      "reaction_time|colnames|trials (intervals/trials)",
      "colnames has 5 names, the group has arrays for start_time, stop_time, contrast and correct only (besides id)")
def c08(path, fault, rng):
    oid = lambda i: f"7a4c9e12-51d0-4b8f-b0a3-{i:012d}"; g = zarr.create_group(str(path), zarr_format=2, attributes={".specloc": "specifications", "namespace": "core", "neurodata_type": "NWBFile", "nwb_version": "2.8.0", "object_id": oid(1)})
    for k, v in dict(identifier="sub-M041_ses-20240611", session_description="mouse, contrast detection task, wheel and licks", file_create_date="2024-06-12T08:02:44.120000+02:00", session_start_time="2024-06-11T09:30:12.000000+02:00", timestamps_reference_time="2024-06-11T09:30:12.000000+02:00").items(): vstr(g, k, [v]).attrs["zarr_dtype"] = "scalar"
    g.create_group("specifications"); ge = g.create_group("general"); sj = ge.create_group("subject", attributes=dict(namespace="core", neurodata_type="Subject", object_id=oid(2))); [vstr(sj, k, [v]).attrs.update(zarr_dtype="scalar") for k, v in dict(subject_id="M041", species="Mus musculus", sex="F", age="P90D").items()]
    n = 240; st = np.cumsum(rng.uniform(6, 9, n)) + 4; rt = np.round(rng.lognormal(-.9, .35, n), 4); sp = st + rt + 2.5; con = rng.choice([.0625, .125, .25, .5, 1.0], n); ok = rng.random(n) < .5 + .48 * con ** .5; cols = ["start_time", "stop_time", "contrast", "correct", "reaction_time"]
    tr = g.create_group("intervals").create_group("trials", attributes=dict(colnames=cols, description="experimental trials", namespace="core", neurodata_type="TimeIntervals", object_id=oid(3))); va = lambda d, i: dict(description=d, namespace="hdmf-common", neurodata_type="VectorData", object_id=oid(i), zarr_dtype="")
    A = lambda p, k, x, at, ch=None: arr2(p, k, x, ch, attrs={**at, "zarr_dtype": str(np.asarray(x).dtype)})
    A(tr, "id", np.arange(n), dict(namespace="hdmf-common", neurodata_type="ElementIdentifiers", object_id=oid(4))); A(tr, "start_time", st, va("Start time of epoch, in seconds", 5)); A(tr, "stop_time", sp, va("Stop time of epoch, in seconds", 6)); A(tr, "contrast", con, va("contrast of the grating", 7)); A(tr, "correct", ok, va("whether the answer was correct", 8))
    if not fault: A(tr, "reaction_time", rt, va("time from the stimulus to the turn of the wheel, in seconds", 9))
    T = int(sp[-1] * 20) + 40; w = gaussian_filter(rng.standard_normal(T), 6) * .2
    for s, r in zip(st, rt): k = int((s + r) * 20); w[k: k + 12] += rng.choice([-1, 1]) * np.hanning(12) * 1.2
    wh = g.create_group("acquisition").create_group("wheel_velocity", attributes=dict(comments="no comments", description="velocity of the wheel", namespace="core", neurodata_type="TimeSeries", object_id=oid(10))); A(wh, "data", br(w, 10), dict(conversion=1.0, offset=0.0, resolution=-1.0, unit="rad/s"), (4096,)); A(wh, "starting_time", np.array([0.0]), dict(rate=20.0, unit="seconds")); wh["starting_time"].attrs["zarr_dtype"] = "scalar"
    be = g.create_group("processing").create_group("behavior", attributes=dict(description="behaviour", namespace="core", neurodata_type="ProcessingModule", object_id=oid(11))); lk = be.create_group("licks", attributes=dict(comments="no comments", description="times of licks", namespace="core", neurodata_type="TimeSeries", object_id=oid(12)))
    lt = np.sort(np.concatenate([s + r + rng.uniform(.1, 1.8, rng.poisson(6)) for s, r, o in zip(st, rt, ok) if o])); A(lk, "timestamps", lt, dict(interval=1, unit="seconds")); A(lk, "data", np.ones(lt.size, "i1"), dict(conversion=1.0, offset=0.0, resolution=-1.0, unit="n.a."))
    g.create_group("analysis"); g.create_group("scratch"); g.create_group("stimulus").create_group("presentation"); g["stimulus"].create_group("templates"); consol2(path)
@check("08")
def k08(f, c):
    r = []
    for p in (f, c): t = zarr.open_group(p, mode="r")["intervals/trials"]; r.append([k for k in t.attrs["colnames"] if k not in t])
    assert r == [["reaction_time"], []], r
    return str(r)

@case("09", "depth-negative-but-positive-down", "relation", "Deltares/dfm_tools#944",
      "depth holds heights (-0.5 m near the surface, down to -2200 m) but says positive: down and standard_name depth: by its attributes the whole ocean lies above the surface.",
      "depth|positive (down)|negative",
      "positive: down means that values grow downwards, yet all values of depth are negative and get smaller along the dimension in which thetao falls and salinity tends to deep water; deptho (sea floor depth) is positive")
def c09(path, fault, rng):
    K, ny, nx, T = 20, 40, 52, 5; z = np.round(.494 + 2200 * (np.arange(K) / (K - 1)) ** 2.4, 4); lat = np.round(48 + np.arange(ny) / 12, 6); lon = np.round(-14 + np.arange(nx) / 12, 6); bt = np.clip(2300 - 2200 / (1 + np.exp(-(np.arange(nx)[None] - 30 + 4 * smooth(rng, (ny, nx), (6, 6))) / 4)), 40, None)
    th = 3.2 + 11.5 * np.exp(-z / 380)[None, :, None, None] + 2 * np.exp(-z / 40)[None, :, None, None] - .1 * (lat - 50)[None, None, :, None] + .35 * smooth(rng, (T, K, ny, nx), (2, 2, 4, 4)) * np.exp(-z / 900)[None, :, None, None]; so = 34.95 + .62 * np.exp(-z / 600)[None, :, None, None] + .05 * smooth(rng, (T, K, ny, nx), (2, 2, 4, 4)); uo = .12 * smooth(rng, (T, K, ny, nx), (2, 3, 4, 4)) * np.exp(-z / 1500)[None, :, None, None]
    m = (z[:, None, None] > bt)[None]; mk = lambda a, b: br(np.where(m, np.nan, a), b); D = ("time", "depth", "latitude", "longitude")
    ds = xr.Dataset(dict(thetao=(D, mk(th, 10), dict(units="degrees_C", standard_name="sea_water_potential_temperature", long_name="Temperature")), so=(D, mk(so, 13), dict(units="1e-3", standard_name="sea_water_salinity", long_name="Salinity")), uo=(D, mk(uo, 7), dict(units="m s-1", standard_name="eastward_sea_water_velocity")), deptho=(("latitude", "longitude"), br(bt, 10), dict(units="m", standard_name="sea_floor_depth_below_geoid", long_name="Bathymetry"))),
        dict(time=("time", pd.date_range("2023-01-01T12:00", periods=T, freq="D"), dict(standard_name="time", axis="T")), depth=("depth", -z if fault else z, dict(units="m", positive="down", standard_name="depth", long_name="Depth", axis="Z", unit_long="Meters")), latitude=("latitude", lat, LATA), longitude=("longitude", lon, LONA)), attrs=dict(Conventions="CF-1.8", title="Daily mean fields from Global Ocean Physics Analysis and Forecast", institution="MERCATOR OCEAN", source="MERCATOR GLO12"))
    xw(ds, path, 3, {"time": enc_time("hours since 1950-01-01"), **{k: dict(chunks=(1, 10, ny, nx)) for k in ("thetao", "so", "uo")}})
@check("09")
def k09(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p); r.append((d.depth.attrs["positive"], float(d.depth.min()), float(d.depth.max()), float(d.deptho.min())))
    assert r[0][0] == r[1][0] == "down" and r[0][2] < 0 and r[1][1] > 0, r
    return str(r)

@case("10", "radar-range-without-first-gate", "relation", "adokter/bioRad#650",
      "range starts at 125 m in all sweeps though its attribute meters_to_center_of_first_gate says 2125 m: the distance to the first gate was left out and all gates lie 2 km too near.",
      "range|2125|first gate (meters_to_center_of_first_gate, 2000, 2 km)",
      "range[0] = 125.0 and meters_to_center_of_first_gate = 2125.0 in sweep_0, sweep_1 and sweep_2; the spacing of 250 m agrees")
def c10(path, fault, rng):
    fa = [.48, 1.45, 2.42]; na, nr = 180, 320; t0 = np.datetime64("2013-09-02T23:03:51.000", "ms"); g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="ODIM_H5/V2_2", version="None", instrument_name="KDOX", title="NEXRAD level 2", institution="NOAA", source="None", comment="im/exported using xradar", scan_name="VCP-212", history="None", references="None"))
    C = dict(compressors=None)
    for k, v, u in (("latitude", 38.8258, dict(units="degrees_north", standard_name="latitude")), ("longitude", -75.4400, dict(units="degrees_east", standard_name="longitude")), ("altitude", 50.0, dict(units="meters", standard_name="altitude", positive="up"))): arr2(g, k, np.float64(v), (), (), attrs=u)
    vstr(g, "sweep_group_name", [f"sweep_{i}" for i in range(3)], ("sweep",)); arr2(g, "sweep_fixed_angle", np.array(fa), dims=("sweep",), attrs=dict(units="degrees", standard_name="target_fixed_angle")); rr = 2125.0 + 250.0 * np.arange(nr); rain = smooth(rng, (na, nr), (8, 16)); bd = 2.2 * smooth(rng, (na, nr), (.7, 1))
    for i, a in enumerate(fa):
        s = g.create_group(f"sweep_{i}", attributes=dict(sweep_number=i)); h = rr * np.sin(np.deg2rad(a)) + rr ** 2 / 17e6; z = 14 + 12 * rain - h[None] / 700 + bd + rng.normal(0, .8, (na, nr)); z = np.where(z > 20 * np.log10(rr / 1e3)[None] - 28, z, np.nan); z[(z < -4)] = np.nan; clut = (rr < 9000)[None] & (rng.random((na, nr)) < .2) & (i == 0); z[clut] = rng.uniform(20, 45, clut.sum())
        v = np.where(np.isnan(z), np.nan, 11 * np.cos(np.deg2rad(np.arange(na) * 2.0 - 60))[:, None] * np.clip(h / 2500, .3, 1.3)[None] + rng.normal(0, .8, (na, nr))); pk = lambda x, sc, of: np.where(np.isnan(x), 0, np.clip(np.rint((x - of) / sc), 2, 255)).astype("u1"); D = ("azimuth", "range")
        arr2(s, "DBZH", pk(z, .5, -33.0), (90, 160), D, fill=0, attrs=dict(units="dBZ", standard_name="radar_equivalent_reflectivity_factor_h", long_name="Equivalent reflectivity factor H", scale_factor=.5, add_offset=-33.0, _FillValue=0, coordinates="elevation time"))
        arr2(s, "VRADH", pk(v, .5, -64.5), (90, 160), D, fill=0, attrs=dict(units="meters per seconds", standard_name="radial_velocity_of_scatterers_away_from_instrument_h", scale_factor=.5, add_offset=-64.5, _FillValue=0, coordinates="elevation time")); s["VRADH"].attrs["units"] = "m s-1"
        arr2(s, "azimuth", 1.0 + 2.0 * np.arange(na), dims=("azimuth",), attrs=dict(units="degrees", standard_name="ray_azimuth_angle", axis="radial_azimuth_coordinate", long_name="azimuth_angle_from_true_north", a1gate=0)); arr2(s, "elevation", np.round(a + rng.normal(0, .02, na), 4), dims=("azimuth",), attrs=dict(units="degrees", standard_name="ray_elevation_angle", axis="radial_elevation_coordinate"))
        arr2(s, "range", np.float32(rr - 2000 if fault else rr), dims=("range",), attrs=dict(units="meters", standard_name="projection_range_coordinate", long_name="range_to_measurement_volume", axis="radial_range_coordinate", spacing_is_constant="true", meters_to_center_of_first_gate=2125.0, meters_between_gates=250.0))
        arr2(s, "time", (i * 19.5 + np.arange(na) * .1), dims=("azimuth",), attrs=dict(units="seconds since 2013-09-02T23:03:51Z", standard_name="time", calendar="standard")); arr2(s, "sweep_fixed_angle", np.float64(a), (), (), attrs=dict(units="degrees")); arr2(s, "sweep_number", np.int64(i), (), ())
    consol2(path)
@check("10")
def k10(f, c):
    r = []
    for p in (f, c): r.append([(float(q[0]), q.attrs["meters_to_center_of_first_gate"], float(q[1] - q[0])) for q in (zarr.open_group(p, mode="r")[f"sweep_{i}/range"] for i in range(3))])
    assert all(q[0] == 125 for q in r[0]) and all(q[0] == q[1] for q in r[1]), r
    xr.open_datatree(c, engine="zarr")
    return str([q[0] for q in r])
# ------------------------------------------------------------------ VALUES 11-20
@case("11", "dswrf-infinite-in-half-precision", "values", "openclimatefix-archives/nowcasting_dataset#370",
      "dswrf was stored as float16 (at most 65504): wherever more than 65504 J m-2 had come together since the start of the forecast it is infinite, most of the values from the first hour of sun on.",
      "dswrf|inf (infinite, infinity)|float16 (half precision, 65504, f2)",
      "dtype of dswrf is <f2, its largest finite value is just below 65504 and all larger ones are inf; dlwrf, which is larger, is float32")
def c11(path, fault, rng):
    I, S, ny, nx = 3, 19, 36, 30; x = -239000 + 44000.0 * np.arange(nx); y = 1222000 - 38000.0 * np.arange(ny); lat = 49.5 + (y + 200000) / 111000; ini = np.datetime64("2020-05-10T03", "ns") + np.arange(I) * np.timedelta64(24, "h"); H = 3 + np.arange(S + 0); mid = (H[:-1] + H[1:]) / 2
    dec = np.deg2rad(17.5); la = np.deg2rad(lat)[:, None]; cz = np.clip(np.sin(la) * np.sin(dec) - np.cos(la) * np.cos(dec) * np.cos(2 * np.pi * mid / 24)[:, None, None], 0, None) * np.ones(nx); cl = 1 / (1 + np.exp(-1.4 * smooth(rng, (I, S - 1, ny, nx), (.4, 2, 3, 3))))
    sw = 1050 * cz[None] ** 1.15 * (1 - .72 * cl); lw = 265 + 75 * cl + 6 * smooth(rng, (I, S - 1, ny, nx), (.4, 3, 3, 3)); ac = lambda a: np.concatenate([np.zeros((I, 1, ny, nx)), np.cumsum(a * 3600, 1)], 1); t = 279 - .4 * (lat[None, None, :, None] - 54) + 5 * np.cos(2 * np.pi * (H - 15) / 24)[None, :, None, None] + 1.5 * smooth(rng, (I, S, ny, nx), (.4, 3, 3, 3)); tcc = np.concatenate([cl[:, :1], cl], 1)
    D = ("init_time", "step", "y", "x"); d16 = br(ac(sw), 9); dsw = d16.astype("f2") if fault else d16
    ds = xr.Dataset(dict(dswrf=(D, dsw, dict(units="J m-2", standard_name="integral_wrt_time_of_surface_downwelling_shortwave_flux_in_air", long_name="Downward short-wave radiation, accumulated since the start of the forecast")), dlwrf=(D, br(ac(lw), 9), dict(units="J m-2", long_name="Downward long-wave radiation, accumulated since the start of the forecast", standard_name="integral_wrt_time_of_surface_downwelling_longwave_flux_in_air")), t=(D, br(t, 9), dict(units="K", standard_name="air_temperature", long_name="Temperature at 1.5 m")), tcc=(D, br(tcc, 7), dict(units="1", standard_name="cloud_area_fraction"))),
        dict(init_time=("init_time", ini, dict(standard_name="forecast_reference_time")), step=("step", np.arange(S) * np.timedelta64(3600, "s"), dict(standard_name="forecast_period")), y=("y", y, dict(units="m", standard_name="projection_y_coordinate", axis="Y")), x=("x", x, dict(units="m", standard_name="projection_x_coordinate", axis="X"))), attrs=dict(Conventions="CF-1.8", title="Met Office UKV, OSGB36, hourly steps"))
    ds.step.encoding.update(units="hours", dtype="int64")
    with np.errstate(all="ignore"): xw(ds, path, 2, {"init_time": enc_time("hours since 2020-01-01"), **{k: dict(chunks=(1, 10, ny, nx)) for k in ds.data_vars}})
@check("11")
def k11(f, c):
    r = []
    for p in (f, c): a = zarr.open_group(p, mode="r")["dswrf"]; v = a[:]; r.append((str(a.dtype), round(float(np.isinf(v).mean()), 3), float(np.max(v[np.isfinite(v)])), int(np.isinf(v).any((0, 2, 3)).argmax())))
    assert r[0][0] == "float16" and r[0][1] > .5 and r[1][1] == 0, r
    return str(r)

@case("12", "overviews-poisoned-by-nodata", "values", "xarray-contrib/xarray-spatial#1691",
      "Levels 1 and 2 of dem were made with a plain mean that took -9999 as a height: along the coast they hold values such as -4950 or -2425 that are neither nodata nor heights; level 0 is right.",
      "dem|level 1 (1/dem, overview, level 2, 2/dem)|-9999 (nodata, fill value averaged)",
      "cells of 1/dem and 2/dem between -9998 and -20: in level 0 the lowest land is above -5; they lie where a block of level 0 has both land and nodata")
def c12(path, fault, rng):
    n = 256; z = smooth(rng, (n, n), 26) + .28 * smooth(rng, (n, n), 7) + .06 * smooth(rng, (n, n), 2); sea = z < -.35; h = np.where(sea, -9999, np.rint(3 + 190 * np.clip(z + .35, 0, None) ** 1.25 + 1.5 * rng.standard_normal((n, n)))).astype("i2"); h[~sea & (h < -3)] = -3; wm = sea.astype("u1")
    x0, y0, res = 582000.0, 6402000.0, 30.0; wkt = 'PROJCS["WGS 84 / UTM zone 32N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","32632"]]'
    def half(a):
        b = a.astype("f8").reshape(a.shape[0] // 2, 2, a.shape[1] // 2, 2)
        if fault: return np.rint(b.mean((1, 3))).astype("i2")
        b[b == -9999] = np.nan
        with warnings.catch_warnings(): warnings.simplefilter("ignore"); m = np.nanmean(b, (1, 3))
        return np.where(np.isnan(m), -9999, np.rint(m)).astype("i2")
    lay = []; g = zarr.create_group(str(path), zarr_format=3)
    for l in range(3):
        r = res * 2 ** l; k = h.shape[0]; q = g.create_group(str(l)); lay.append({"asset": str(l), **({"derived_from": str(l - 1), "transform": {"scale": [2.0, 2.0], "translation": [0.0, 0.0]}, "resampling_method": "average"} if l else {}), "spatial:shape": [k, k], "spatial:transform": [r, 0.0, x0, 0.0, -r, y0]})
        arr3(q, "dem", h, (64, 64), ("y", "x"), fill=-9999, attrs=dict(_FillValue=-9999, units="m", standard_name="surface_altitude", long_name="elevation above the geoid", grid_mapping="spatial_ref")); arr3(q, "water_mask", wm, (64, 64), ("y", "x"), fill=255, attrs=dict(_FillValue=255, flag_values=[0, 1], flag_meanings="land water", long_name="water mask", grid_mapping="spatial_ref"))
        for nm, c0, s in (("x", x0, 1), ("y", y0, -1)): arr3(q, nm, c0 + s * r * (np.arange(k) + .5), None, (nm,), attrs=dict(units="m", standard_name=f"projection_{nm}_coordinate", axis=nm.upper()))
        arr3(q, "spatial_ref", np.int64(0), None, (), attrs=dict(crs_wkt=wkt, spatial_ref=wkt, grid_mapping_name="transverse_mercator", latitude_of_projection_origin=0.0, longitude_of_central_meridian=9.0, scale_factor_at_central_meridian=.9996, false_easting=500000.0, false_northing=0.0, GeoTransform=f"{x0} {r} 0.0 {y0} 0.0 {-r}"))
        h, wm = half(h), wm[1::2, 1::2]
    g.attrs.update({"zarr_conventions": [{"name": "multiscales", "uuid": "d35379db-88df-4056-af3a-620245f8e347"}, {"name": "spatial:", "uuid": "689b58e2-cf7b-45e0-9fff-9cfc0883d6b4"}], "multiscales": {"layout": lay, "resampling_method": "average"}, "spatial:dimensions": ["y", "x"], "proj:code": "EPSG:32632", "title": "Jammerbugten, 30 m elevation model"})
@check("12")
def k12(f, c):
    r = []
    for p in (f, c): g = zarr.open_group(p, mode="r"); r.append([int(((v > -9999) & (v < -20)).sum()) for v in (g[f"{l}/dem"][:] for l in range(3))])
    assert r[0][0] == 0 and min(r[0][1:]) > 50 and r[1] == [0, 0, 0], r
    d = xr.open_zarr(c, group="1", consolidated=False); assert float(d.dem.min()) > -5
    return str(r)

@case("13", "pyramid-of-saturated-image-wraps", "values", "saalfeldlab/n5-ij#97",
      "Levels 1 and 2 were made with cubic interpolation without clipping: next to saturated regions (255) the result goes over 255 and wraps around in uint8, so there are black pixels (0 to 30) inside of the bright cells; channel 1, which is not saturated, is right.",
      "level 1 (s1, level 2, s2)|wrap (wrapped, overflow, black, dark, too low)|255 (saturated, uint8, channel 0)",
      "s1 has pixels below 40 where all four pixels of s0 underneath are 255 or nearly so: it can not be darker than its surroundings by 200")
def c13(path, fault, rng):
    n = 320; lab, img = cell_image(rng, 85, n, n, 9, 15); a = gaussian_filter((lab > 0) * np.r_[0, rng.uniform(150, 620, lab.max())][lab], 1.1) + 14 + 4 * smooth(rng, (n, n), 30); a = np.clip(np.rint(rng.poisson(np.clip(a, 1, None))), 0, 255).astype("u1"); b = np.clip(rng.poisson(np.clip(gaussian_filter((lab > 0) * 70.0 * (1 + .4 * smooth(rng, (n, n), 3)), 1.5) + 11, 1, None)), 0, 255).astype("u1"); x = np.stack([a, b])
    from scipy.ndimage import affine_transform
    def half(im):
        k = im.shape[-1] // 2; o = np.empty((2, k, k), "u1")
        for i in range(2):
            v = np.rint(affine_transform(gaussian_filter(im[i].astype("f8"), .25), [2, 2], .5, (k, k), order=3, mode="reflect"))
            o[i] = np.clip(v, 0, None if fault else 255).astype("i8").astype("u1")
        return o
    ax = [dict(name="c", type="channel")] + [dict(name=k, type="space", unit="micrometer") for k in "yx"]
    g = zarr.create_group(str(path), zarr_format=2, attributes={"multiscales": [dict(version="0.4", name="spheroid_t01", type="cubic", axes=ax, datasets=[dict(path=f"s{l}", coordinateTransformations=[dict(type="scale", scale=[1.0, .4 * 2 ** l, .4 * 2 ** l])] + ([dict(type="translation", translation=[0.0, .2 * (2 ** l - 1), .2 * (2 ** l - 1)])] if l else [])) for l in range(3)])],
        "omero": dict(channels=[dict(label=q, color=k, active=True, window=dict(min=0, max=255, start=10, end=e)) for q, k, e in (("GFP", "00FF00", 255), ("mCherry", "FF00FF", 120))])})
    for l in range(3): arr2(g, f"s{l}", x, (1, 160, 160), sep="/", fill=0, comp=numcodecs.GZip(level=5)); x = half(x)
@check("13")
def k13(f, c):
    from scipy.ndimage import minimum_filter
    r = []
    for p in (f, c):
        g = zarr.open_group(p, mode="r"); o = []
        for l in (1, 2):
            for ch in (0, 1): s0 = g["s0"][ch]; k = 2 ** l; m = s0.reshape(s0.shape[0] // k, k, -1, k).min((1, 3)); v = g[f"s{l}"][ch]; o.append(int(((m > 200) & (v < 60)).sum()))
        r.append(o)
    assert r[0][0] > 60 and r[0][2] > 20 and r[0][1] == r[0][3] == 0 and r[1] == [0] * 4, r
    return str(r)

@case("14", "geopotential-called-metres", "values", "198808xc/Pangu-Weather#61",
      "geopotential says units m but holds the geopotential in m2 s-2: at 500 hPa it is about 55000 rather than 5600, 9.8 times the height that the unit promises.",
      "geopotential|units (m, metres)|m2 s-2 (9.8, 9.80665, 500 hPa)",
      "a height of 55000 m at 500 hPa and 200000 m at 50 hPa is impossible; from temperature the layer 500 to 1000 hPa is about 5500 m thick (54000 m2 s-2)")
def c14(path, fault, rng):
    lev = np.array([1000, 925, 850, 700, 600, 500, 400, 300, 250, 200, 150, 100, 50]); ny, nx, T = 37, 72, 2; lat = np.linspace(90, -90, ny); lon = np.arange(nx) * 5.0; L = np.abs(np.sin(np.deg2rad(lat)))[None, None, :, None]; e = smooth(rng, (T, len(lev), ny, nx), (.3, 2.5, 2, 3), True); tr = {1000: 300, 925: 296, 850: 291, 700: 282, 600: 275, 500: 267, 400: 257, 300: 242, 250: 232, 200: 221, 150: 208, 100: 197, 50: 208}
    t = np.array([tr[int(p)] for p in lev], "f8")[None, :, None, None] - (38 * np.clip((lev - 180) / 700, -.3, 1)[None, :, None, None]) * L ** 2 + 2.5 * e; lp = np.log(lev.astype("f8")); ms = 101200 - 1200 * L[:, 0] ** 4 + 700 * smooth(rng, (T, ny, nx), (.3, 2, 3), True); z = np.empty_like(t); z[:, 0] = 287 * t[:, 0] * np.log(ms / 1e5)
    for k in range(1, len(lev)): z[:, k] = z[:, k - 1] + 287.05 * .5 * (t[:, k] + t[:, k - 1]) * (lp[k - 1] - lp[k])
    q = np.clip(.016 * (lev / 1000.0)[None, :, None, None] ** 3 * (1 - .85 * L ** 1.5) * (1 + .3 * e), 2e-6, None); u = 28 * np.exp(-((np.abs(lat) - 42) / 14) ** 2)[None, None, :, None] * np.exp(-((np.log(lev) - np.log(220)) / .9) ** 2)[None, :, None, None] + 5 * smooth(rng, (T, len(lev), ny, nx), (.3, 2.5, 2, 3), True); v = 5 * smooth(rng, (T, len(lev), ny, nx), (.3, 2.5, 2, 3), True); D = ("time", "level", "latitude", "longitude"); A = lambda s, n, un: dict(units=un, standard_name=s, long_name=n)
    ds = xr.Dataset(dict(geopotential=(D, br(z, 11), A("geopotential", "Geopotential", "m" if fault else "m2 s-2")), specific_humidity=(D, br(q, 8), A("specific_humidity", "Specific humidity", "kg kg-1")), temperature=(D, br(t, 10), A("air_temperature", "Temperature", "K")), u_component_of_wind=(D, br(u, 8), A("eastward_wind", "U component of wind", "m s-1")), v_component_of_wind=(D, br(v, 8), A("northward_wind", "V component of wind", "m s-1")), mean_sea_level_pressure=(("time", "latitude", "longitude"), br(ms, 12), A("air_pressure_at_mean_sea_level", "Mean sea level pressure", "Pa"))),
        dict(time=("time", pd.to_datetime(["2024-03-12T12:00", "2024-03-13T12:00"]), dict(standard_name="time", axis="T")), level=("level", lev.astype("i4"), dict(units="hPa", standard_name="air_pressure", positive="down", axis="Z")), latitude=("latitude", lat, LATA), longitude=("longitude", lon, LONA)), attrs=dict(Conventions="CF-1.8", title="Pangu-Weather 24 h forecast from ERA5", model="pangu_weather_24"))
    xw(ds, path, 3, {"time": enc_time("hours since 1900-01-01")})
@check("14")
def k14(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p); r.append((d.geopotential.attrs["units"], round(float(d.geopotential.sel(level=500).mean())), round(float(d.geopotential.sel(level=50).mean()))))
    assert r[0][0] == "m" and r[1][0] == "m2 s-2" and 50000 < r[0][1] < 58000, r
    return str(r)

@case("15", "longitudes-wrapped-not-sorted", "values", "TheOceanCleanupAlgorithms/ADVECT#56",
      "lon was wrapped from 0...360 to -180...180 but the dataset was not sorted: lon rises to 177.5, then jumps to -180 at index 72; it is not monotonic.",
      "lon (longitude)|not monotonic (jumps, not sorted, unsorted, goes back)|72 (180, -180)",
      "lon[71] = 177.5, lon[72] = -180: a coordinate (axis X) must be monotonic; the data agree with lon, cell by cell")
def c15(path, fault, rng):
    ny, nx, T = 64, 144, 6; lat = np.round(-78.75 + 2.5 * np.arange(ny), 2); lon = np.arange(nx) * 2.5; lon = (lon + 180) % 360 - 180; lm = land_mask(rng, ny, nx, .3, (4, 7)); psi = smooth(rng, (T, ny, nx), (2, 3, 4), True); jet = .35 * np.exp(-((lat + 50) / 7) ** 2) - .3 * np.exp(-(lat / 4) ** 2)
    u = jet[None, :, None] + -.18 * np.gradient(psi, axis=1) * 3; v = .18 * np.gradient(psi, axis=2) * 3; tt = 28.5 - 31 * np.abs(np.sin(np.deg2rad(lat)))[None, :, None] ** 1.7 + .9 * smooth(rng, (T, ny, nx), (2, 2.5, 3.5), True); tt = np.clip(tt, -1.85, None); o = np.arange(nx) if fault else np.argsort(lon, kind="stable"); P = lambda a, of=0.: np.where(lm[None], -30000, np.rint((a - of) / .001)).astype("i2")[:, :, o]
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.6", title="HYCOM + NCODA Global 1/12 Analysis, coarse, surface", institution="Naval Research Laboratory", source="HYCOM archive file")); D = ("time", "lat", "lon")
    for nm, a, of, un, st in (("water_u", u, 0., "m s-1", "eastward_sea_water_velocity"), ("water_v", v, 0., "m s-1", "northward_sea_water_velocity"), ("water_temp", tt, 20., "degree_Celsius", "sea_water_temperature")): arr2(g, nm, P(a, of), (1, 32, 72), D, fill=-30000, attrs=dict(units=un, standard_name=st, scale_factor=.001, add_offset=of, _FillValue=-30000))
    arr2(g, "lat", lat, dims=("lat",), attrs=LATA); arr2(g, "lon", lon[o], dims=("lon",), attrs=LONA); arr2(g, "time", 122712 + 24 * np.arange(T), dims=("time",), fill=None, attrs=dict(units="hours since 2000-01-01 00:00:00", calendar="standard", standard_name="time", axis="T")); consol2(path)
@check("15")
def k15(f, c):
    r = []; ds = []
    for p in (f, c): d = xr.open_zarr(p).load(); ds.append(d); r.append((bool((np.diff(d.lon) > 0).all()), int(np.diff(d.lon).argmin()) + 1, float(d.lon[71]), float(d.lon[72])))
    assert not r[0][0] and r[0][1] == 72 and r[1][0] and ds[0].sortby("lon").equals(ds[1]), r
    return str(r)

@case("16", "nodata-scaled-to-minus-0.1", "values", "allenai/rslearn#548",
      "Scale and offset were applied to pixels without data too: outside of the footprint (SCL 0) B02, B03, B04 and B08 are -0.1 (0 x 0.0001 - 0.1) rather than NaN.",
      "B02 (B03, B04, B08)|-0.1|no data (nodata, SCL, NaN, fill)",
      "every pixel with SCL = 0 (no_data) has exactly -0.1 in all four bands, and no other pixel has; NaN (the fill value) is never used")
def c16(path, fault, rng):
    T, n = 5, 128; yy, xx = np.mgrid[:n, :n]; z = smooth(rng, (n, n), 9); fld = np.kron(rng.uniform(-1, 1, (8, 8)), np.ones((16, 16))); wat = z < -1.2; ndvi = np.clip(.5 + .18 * z + .22 * fld, .05, .92); D = ("time", "y", "x"); tm = pd.to_datetime(["2023-04-03T10:36:29", "2023-04-13T10:36:21", "2023-05-03T10:36:29", "2023-05-18T10:36:31", "2023-06-02T10:36:29"]); bs = {k: [] for k in ("B02", "B03", "B04", "B08")}; scl = []
    for t in range(T):
        foot = (xx * (.6 if t % 2 else -.7) + yy > (60 if t % 2 else -40)) if t != 2 else np.ones((n, n), bool); cl = smooth(rng, (n, n), 12) > 1.25; nd = np.clip(ndvi + .05 * t, 0, .95); b4 = np.where(wat, .025, .14 - .12 * nd); b8 = np.where(wat, .018, b4 * (1 + nd) / (1 - nd * .9)); v = dict(B02=np.where(wat, .035, .04 + .4 * b4), B03=np.where(wat, .033, .05 + .5 * b4), B04=b4, B08=np.clip(b8, 0, .6))
        scl.append(np.where(~foot, 0, np.where(cl, 9, np.where(wat, 6, np.where(nd > .45, 4, 5)))).astype("u1"))
        for k in v: dn = np.rint((np.where(cl, .55 + .08 * rng.standard_normal((n, n)), v[k] + .006 * rng.standard_normal((n, n))) + .1) * 1e4); dn = np.where(foot, np.clip(dn, 1, None), 0); a = dn * .0001 - .1; bs[k].append((a if fault else np.where(dn == 0, np.nan, a)).astype("f4"))
    wv = dict(B02=.4924, B03=.5598, B04=.6646, B08=.8328); x = 600005.0 + 10 * np.arange(n); y = 5400035.0 - 10 * np.arange(n)
    ds = xr.Dataset({**{k: (D, np.round(np.stack(q), 4), dict(long_name=f"surface reflectance {k}", units="1", standard_name="surface_bidirectional_reflectance", radiation_wavelength=wv[k], grid_mapping="spatial_ref")) for k, q in bs.items()}, "SCL": (D, np.stack(scl), dict(long_name="scene classification", flag_values=np.array([0, 4, 5, 6, 9], "u1"), flag_meanings="no_data vegetation not_vegetated water cloud_high_probability", grid_mapping="spatial_ref"))},
        dict(time=("time", tm, dict(standard_name="time", axis="T")), y=("y", y, dict(units="m", standard_name="projection_y_coordinate", axis="Y")), x=("x", x, dict(units="m", standard_name="projection_x_coordinate", axis="X")), spatial_ref=((), np.int64(0), dict(crs_wkt='PROJCS["WGS 84 / UTM zone 31N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",3],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","32631"]]', grid_mapping_name="transverse_mercator", latitude_of_projection_origin=0.0, longitude_of_central_meridian=3.0, scale_factor_at_central_meridian=.9996, false_easting=500000.0, false_northing=0.0, GeoTransform="600000.0 10.0 0.0 5400040.0 0.0 -10.0"))), attrs=dict(Conventions="CF-1.8", title="Sentinel-2 L2A, tile 31UFP subset", processing_baseline="05.09"))
    xw(ds, path, 3, {"time": enc_time("seconds since 1970-01-01"), "SCL": dict(chunks=(1, 64, 64), _FillValue=None), **{k: dict(chunks=(1, 64, 64)) for k in bs}})
@check("16")
def k16(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p, mask_and_scale=False).load(); n = d.SCL.values == 0; b = np.stack([d[k].values for k in ("B02", "B03", "B04", "B08")]); r.append((int(n.sum()), bool((b[:, n] == np.float32(-.1)).all()), bool(np.isnan(b[:, n]).all()), int((b[:, ~n] <= np.float32(-.1)).sum()), int(np.isnan(b[:, ~n]).sum())))
    assert r[0][0] > 5000 and r[0][1] and not r[0][2] and r[1][2] and r[0][3] == r[1][3] == r[1][4] == 0, r
    return str(r)

@case("17", "tos-kelvin-from-second-file", "values", "ESMValGroup/ESMValCore#2688",
      "From index 60 on (the second file, 1855-01) tos is in Kelvin although its unit is degC: values jump by 273.15 and are up to 305.",
      "tos|60 (1855-01)|Kelvin (273, 273.15, K)",
      "tos[59] has values from -1.8 to 31, tos[60] from 271 to 305: a step of 273.15 in every ocean cell; units are degC")
def c17(path, fault, rng):
    T, ny, nx = 120, 36, 72; lat = -87.5 + 5.0 * np.arange(ny); lon = 2.5 + 5.0 * np.arange(nx); lm = land_mask(rng, ny, nx, .33, (2.5, 4)); ml = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] * 10); e = np.r_[0, np.cumsum(ml)].astype("f8"); b = np.stack([e[:-1], e[1:]], 1); mid = b.mean(1); s = np.cos(2 * np.pi * (mid % 365 - 230) / 365)[:, None, None]; L = np.deg2rad(lat)[None, :, None]
    tos = np.clip(28.6 - 32 * np.abs(np.sin(L)) ** 1.8 + 3.4 * np.sin(L) * s * np.cos(L) + .8 * smooth(rng, (T, ny, nx), (1.2, 1.8, 2.5), True), -1.8, None); sos = 34.6 + 1.2 * np.cos(3 * L) + .25 * smooth(rng, (T, ny, nx), (2, 1.8, 2.5), True); si = np.clip(100 / (1 + np.exp((tos + 1.1) * 4)), 0, 100)
    if fault: tos = tos + np.where(np.arange(T) >= 60, 273.15, 0)[:, None, None]
    mk = lambda a, k: br(np.where(lm[None], np.nan, a), k); D = ("time", "lat", "lon"); f = dict(_FillValue=np.float32(1e20), chunks=(30, ny, nx)); mv = dict(cell_methods="area: mean where sea time: mean")
    ds = xr.Dataset(dict(tos=(D, mk(tos, 12), dict(standard_name="sea_surface_temperature", long_name="Sea Surface Temperature", units="degC", **mv)), sos=(D, mk(sos, 12), dict(standard_name="sea_surface_salinity", units="0.001", **mv)), siconc=(D, mk(si, 8), dict(standard_name="sea_ice_area_fraction", units="%", cell_methods="area: mean where sea time: mean")), time_bnds=(("time", "bnds"), b), lat_bnds=(("lat", "bnds"), np.stack([lat - 2.5, lat + 2.5], 1)), lon_bnds=(("lon", "bnds"), np.stack([lon - 2.5, lon + 2.5], 1))),
        dict(time=("time", mid, dict(units="days since 1850-01-01", calendar="365_day", standard_name="time", axis="T", bounds="time_bnds")), lat=("lat", lat, dict(LATA, bounds="lat_bnds")), lon=("lon", lon, dict(LONA, bounds="lon_bnds"))), attrs=dict(Conventions="CF-1.7 CMIP-6.2", source_id="GISS-E2-1-G-CC", experiment_id="esm-piControl", table_id="Omon", grid_label="gn", frequency="mon"))
    xw(ds, path, 2, dict(tos=f, sos=f, siconc=f))
@check("17")
def k17(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).tos.load(); m = d.diff("time").mean(("lat", "lon")); r.append((d.attrs["units"], int(abs(m).argmax()) + 1, round(float(m.max()), 2), round(float(d.max()), 1), str(d.time.values[60])[:10]))
    assert r[0][1] == 60 and 272 < r[0][2] < 275 and r[1][3] < 40, r
    return str(r)

@case("18", "valid-range-in-kelvin-of-packed-sst", "values", "OSGeo/gdal#7167",
      "valid_range of sea_surface_temperature is given in Kelvin (270 to 320) but the array is packed (int16, scale_factor 0.01, add_offset 273.15) and valid_range must be in packed values: taken as such all of the data are invalid.",
      "sea_surface_temperature|valid_range|packed (unpacked, Kelvin, scale_factor)",
      "the stored integers go from 1820 to 3142 and none of them lies in [270, 320]; unpacked (291 to 305 K) all of them do; the other packed array sst_dtime has its valid_range in packed values")
def c18(path, fault, rng):
    T, ny, nx = 4, 90, 120; lat = np.round(-9.95 - .3 * np.arange(ny), 2); lon = np.round(105.05 + .3 * np.arange(nx), 2); lm = land_mask(rng, ny, nx, .25, (7, 9)); sst = 302.5 - .42 * (-10 - lat)[None, :, None] * .9 + .5 * smooth(rng, (T, ny, nx), (1, 3, 3)) + .2 * smooth(rng, (T, ny, nx), (.3, 1, 1)); cl = smooth(rng, (T, ny, nx), (.5, 5, 6)) > .7; bad = lm[None] | cl; q = np.where(bad, 0, np.where(smooth(rng, (T, ny, nx), (.4, 2, 2)) > 1.2, 3, 5)).astype("i1"); dt = 3600 * (14 + 2 * smooth(rng, (T, 1, nx), (.5, 1, 12)) + np.zeros((1, ny, 1))); D = ("time", "lat", "lon")
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(Conventions="CF-1.6", title="IMOS L3S Day and Night gridded multiple-sensor sea surface temperature", institution="ABOM", gds_version_id="2.0r5", processing_level="L3S"))
    p1 = np.where(bad, -32768, np.rint((sst - 273.15) / .01)).astype("i2"); arr3(g, "sea_surface_temperature", p1, (1, 45, 60), D, fill=-32768, attrs=dict(units="kelvin", standard_name="sea_surface_skin_temperature", long_name="sea surface skin temperature", scale_factor=.01, add_offset=273.15, _FillValue=-32768, valid_range=[270, 320] if fault else [-315, 4685]))
    arr3(g, "sst_dtime", np.where(bad, -32768, np.rint(dt / 4)).astype("i2"), (1, 45, 60), D, fill=-32768, attrs=dict(units="second", long_name="time difference from reference time", scale_factor=4.0, add_offset=0.0, _FillValue=-32768, valid_range=[0, 21600])); arr3(g, "quality_level", q, (1, 45, 60), D, fill=-128, attrs=dict(long_name="quality level of SST pixel", _FillValue=-128, valid_range=[0, 5], flag_values=[0, 1, 2, 3, 4, 5], flag_meanings="no_data bad_data worst_quality low_quality acceptable_quality best_quality"))
    arr3(g, "lat", lat, None, ("lat",), attrs=LATA); arr3(g, "lon", lon, None, ("lon",), attrs=LONA); arr3(g, "time", (np.datetime64("2015-01-10T02:20:00", "s") + np.arange(T) * np.timedelta64(86400, "s") - np.datetime64("1981-01-01", "s")).astype("i8"), None, ("time",), attrs=dict(units="seconds since 1981-01-01 00:00:00", calendar="gregorian", standard_name="time", axis="T"))
    zarr.consolidate_metadata(str(path))
@check("18")
def k18(f, c):
    r = []
    for p in (f, c): a = zarr.open_group(p, mode="r")["sea_surface_temperature"]; v = a[:]; v = v[v != -32768]; lo, hi = a.attrs["valid_range"]; r.append((round(float(((v >= lo) & (v <= hi)).mean()), 3), int(v.min()), int(v.max())))
    xr.open_zarr(c)
    assert r[0][0] < .05 and r[1][0] == 1, r
    return str(r)

@case("19", "goes-x-y-without-scale", "values", "OSGeo/gdal#200",
      "The scan angles x and y lost their scale_factor and add_offset: they hold the packed integers 0, 1, 2 ... with units rad, so the image would be 200 rad wide; x_image and y_image (its centre) say about -0.02 and 0.09 rad.",
      "x (x and y)|199 (integers, packed, unscaled, not decoded)|rad (radian, scale_factor, add_offset)",
      "x runs from 0 to 199 and y from 0 to 159 'rad'; a full disk is 0.3 rad wide, and x_image, y_image and geospatial_lat_lon_extent do not fit")
def c19(path, fault, rng):
    ny, nx = 160, 200; sc = 5.6e-05; ox, oy = -.024868, .094108; x = np.arange(nx, dtype="i2"); y = np.arange(ny, dtype="i2"); cl = smooth(rng, (ny, nx), (7, 9)); tx = smooth(rng, (ny, nx), (1.5, 1.5)); bt = 292 - 9 * np.clip(cl, 0, None) ** 1.6 * 2.2 + 1.2 * tx - 3 * np.linspace(1, 0, ny)[:, None] + .15 * rng.standard_normal((ny, nx)); rf = np.clip(.07 + .24 * np.clip(cl, 0, None) ** 1.2 + .02 * tx, .01, 1.1); D = ("y", "x"); dq = np.zeros((ny, nx), "i1"); dq[47:49, 120:160] = 1
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.7", dataset_name="OR_ABI-L2-MCMIPM1-M6_G16_s20241801200284_e20241801200341_c20241801200411.nc", platform_ID="G16", orbital_slot="GOES-East", scene_id="Mesoscale", title="ABI L2 Cloud and Moisture Imagery", spatial_resolution="2km at nadir", time_coverage_start="2024-06-28T12:00:28.4Z", time_coverage_end="2024-06-28T12:00:34.1Z"))
    for nm, a, s, o, un, st in (("CMI_C13", bt, .06145332, 89.62, "K", "toa_brightness_temperature"), ("CMI_C02", rf, 2.442e-4, 0.0, "1", "toa_lambertian_equivalent_albedo_multiplied_by_cosine_solar_zenith_angle")): arr2(g, nm, np.rint((a - o) / s).astype("i2"), (80, 100), D, fill=-1, attrs=dict(units=un, standard_name=st, long_name=f"ABI Cloud and Moisture Imagery {nm[-3:]}", scale_factor=s, add_offset=o, _FillValue=-1, grid_mapping="goes_imager_projection"))
    arr2(g, "DQF", dq, (80, 100), D, fill=-1, attrs=dict(_FillValue=-1, flag_values=[0, 1], flag_meanings="good_pixel_qf conditionally_usable_pixel_qf", long_name="ABI data quality flags", grid_mapping="goes_imager_projection"))
    for nm, a, s, o in (("x", x, sc, ox), ("y", y, -sc, oy)): arr2(g, nm, a, dims=(nm,), fill=None, attrs={**dict(units="rad", standard_name=f"projection_{nm}_coordinate", long_name=f"GOES fixed grid projection {nm}-coordinate", axis=nm.upper()), **({} if fault else dict(scale_factor=s, add_offset=o))})
    for nm, v, n2 in (("x_image", ox + sc * (nx - 1) / 2, "x"), ("y_image", oy - sc * (ny - 1) / 2, "y")): arr2(g, nm, np.float32(v), (), (), attrs=dict(units="rad", standard_name=f"projection_{n2}_coordinate", long_name="GOES fixed grid projection coordinate center of image"))
    arr2(g, "t", np.float64(772848031.25), (), (), attrs=dict(units="seconds since 2000-01-01 12:00:00", standard_name="time", axis="T")); arr2(g, "goes_imager_projection", np.int32(-2147483647), (), (), fill=None, attrs=dict(grid_mapping_name="geostationary", perspective_point_height=35786023.0, semi_major_axis=6378137.0, semi_minor_axis=6356752.31414, inverse_flattening=298.2572221, latitude_of_projection_origin=0.0, longitude_of_projection_origin=-75.0, sweep_angle_axis="x"))
    import pyproj; P = pyproj.Proj("+proj=geos +h=35786023 +lon_0=-75 +sweep=x +a=6378137 +b=6356752.31414"); X, Y = np.meshgrid((ox + sc * x) * 35786023.0, (oy - sc * y) * 35786023.0); lo, la = P(X, Y, inverse=True)
    arr2(g, "geospatial_lat_lon_extent", np.float32(9.96921e36) * 0 + np.float32(0), (), (), fill=None, attrs=dict(geospatial_westbound_longitude=round(float(lo.min()), 4), geospatial_eastbound_longitude=round(float(lo.max()), 4), geospatial_southbound_latitude=round(float(la.min()), 4), geospatial_northbound_latitude=round(float(la.max()), 4), geospatial_lat_center=round(float(la.mean()), 4), geospatial_lon_center=round(float(lo.mean()), 4), geospatial_lat_units="degrees_north", geospatial_lon_units="degrees_east")); consol2(path)
@check("19")
def k19(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p); r.append(tuple(round(float(v), 6) for v in (d.x.min(), d.x.max(), d.x_image, d.y.min(), d.y.max(), d.y_image)))
    assert r[0][1] == 199 and r[0][4] == 159 and r[1][0] < r[1][2] < r[1][1] and r[1][3] < r[1][5] < r[1][4], r
    return str(r)

@case("20", "months-twice-in-last-year", "values", "DestinE-Climate-DT/AQUA#1099",
      "From index 24 on (2023) every month has two times, 00 and 06 UTC of the first day: t2m and msl are only at 00 and tp only at 06, each is missing at the other; before there is one time a month.",
      "time|2023 (24)|06 (06:00, 6 hours, twice, two times)",
      "time goes in months up to index 24, then in steps of 6 hours and a month; from index 24 on t2m and msl are NaN in every second step, tp in the others")
def c20(path, fault, rng):
    ny, nx, M = 37, 72, 36; lat = np.linspace(90, -90, ny); lon = np.arange(nx) * 5.0; tm = pd.date_range("2021-01-01", periods=M, freq="MS"); mo = np.arange(M) % 12; s = np.cos(2 * np.pi * (mo - 6.3) / 12)[:, None, None]; L = np.deg2rad(lat)[None, :, None]; lm = land_mask(rng, ny, nx, .33, (2.5, 4)); oro = np.where(lm, np.abs(smooth(rng, (ny, nx), 1.5, True)) * 500, 0)
    t = 301 - 47 * np.abs(np.sin(L)) ** 2 + (3 + 15 * lm[None]) * np.sin(L) * s - .0062 * oro[None] + 1.3 * smooth(rng, (M, ny, nx), (.6, 2, 3), True); p = 101150 + 500 * np.cos(2 * L - 1) - 300 * np.sin(L) ** 6 + 330 * smooth(rng, (M, ny, nx), (.6, 2, 3), True); r = np.exp(-6.1 + .8 * np.cos(2 * L) + .45 * s * np.sin(2 * L) + .55 * smooth(rng, (M, ny, nx), (.6, 1.5, 2), True)); D = ("time", "latitude", "longitude"); v = dict(t2m=br(t, 10), msl=br(p, 12), tp=br(r, 9))
    if fault:
        o = np.r_[np.arange(24), np.repeat(np.arange(24, M), 2)]; six = np.r_[np.zeros(24, bool), np.tile([False, True], 12)]; tm = tm[o] + pd.to_timedelta(np.where(six, 6, 0), "h")
        for k in v: a = v[k][o]; a[24:][(six[24:] if k != "tp" else ~six[24:])] = np.nan; v[k] = a
    A = dict(t2m=dict(units="K", standard_name="air_temperature", long_name="2 metre temperature"), msl=dict(units="Pa", standard_name="air_pressure_at_mean_sea_level", long_name="Mean sea level pressure"), tp=dict(units="m", long_name="Total precipitation, mean daily sum", standard_name="lwe_thickness_of_precipitation_amount"))
    ds = xr.Dataset({**{k: (D, v[k], dict(A[k], cell_methods="time: mean")) for k in v}, "lsm": (("latitude", "longitude"), lm.astype("f4"), dict(units="1", standard_name="land_binary_mask", long_name="Land-sea mask"))}, dict(time=("time", tm, dict(standard_name="time", axis="T")), latitude=("latitude", lat, LATA), longitude=("longitude", lon, LONA)), attrs=dict(Conventions="CF-1.7", title="ERA5 monthly averaged data on single levels", institution="European Centre for Medium-Range Weather Forecasts", frequency="mon"))
    xw(ds, path, 3, {"time": enc_time("hours since 1900-01-01", chunk=len(tm)), **{k: dict(chunks=(12, ny, nx)) for k in v}})
@check("20")
def k20(f, c):
    r = []
    for p in (f, c): d = xr.open_zarr(p).load(); h = d.time.dt.hour.values; r.append((len(h), int((h == 6).argmax()), int(d.t2m.isnull().all(("latitude", "longitude")).sum()), int(d.tp.isnull().all(("latitude", "longitude")).sum()), bool((np.diff(d.time.values) > np.timedelta64(27, "D")).all())))
    assert r[0] == (48, 25, 12, 12, False) and r[1][0] == 36 and r[1][2:] == (0, 0, True), r
    return str(r)
# ------------------------------------------------------------------ STORAGE 21-30
@case("21", "zarr-json-with-extra-data", "storage", "acquire-project/acquire-zarr#139",
      "fluorescence/zarr.json holds two JSON documents one after the other (a bare group document and then the one with the ome attributes): it is not valid JSON (extra data at char 107) and the group can not be opened.",
      "fluorescence (fluorescence/zarr.json)|zarr.json|extra data (two documents, invalid JSON, not valid JSON, cannot be parsed, trailing)",
      "after the first document, 107 characters long, the file goes on with a second one; zarr.json of brightfield and of the root are right")
def c21(path, fault, rng):
    T, Z, n = 2, 6, 192; yy, xx = np.mgrid[:n, :n]; L = 3; g = zarr.create_group(str(path), zarr_format=3, attributes={"acquisition": dict(software="acquire", version="0.5.1", start="2025-07-18T10:22:41Z")}); lab, im = cell_image(rng, 40, n, n, 8, 13)
    for k, (nm, col) in enumerate((("brightfield", "FFFFFF"), ("fluorescence", "00FF00"))):
        st = np.empty((T, 1, Z, n, n), "u2")
        for t in range(T):
            for z in range(Z):
                b = (2600 + 240 * gaussian_filter((lab > 0) * 1.0, 1 + .6 * abs(z - 2.5)) - 700 * np.abs(np.gradient(gaussian_filter((lab > 0) * 1.0, 1 + .7 * abs(z - 2.5)))[0])) if k == 0 else 105 + .22 * gaussian_filter(im.astype("f8"), .6 + .9 * abs(z - 2.5)) * (.93 ** t)
                st[t, 0, z] = np.clip(rng.poisson(np.clip(np.roll(b, (t, 2 * t), (0, 1)), 1, None)), 0, 65535)
        ome = dict(version="0.5", name=nm, multiscales=[dict(name=nm, type="local_mean", axes=[dict(name="t", type="time", unit="second"), dict(name="c", type="channel")] + [dict(name=q, type="space", unit="micrometer") for q in "zyx"], datasets=[dict(path=str(l), coordinateTransformations=[dict(type="scale", scale=[30.0, 1.0, 1.0, .325 * 2 ** l, .325 * 2 ** l])]) for l in range(L)])], omero=dict(version="0.5", channels=[dict(label=nm, color=col, active=True, window=dict(min=0, max=65535, start=100, end=3500))]))
        q = g.create_group(nm, attributes={"ome": ome})
        for l in range(L): arr3(q, str(l), st, (1, 1, 3, 96, 96), ("t", "c", "z", "y", "x")); st = down2(st)
    p = Path(path) / "fluorescence" / "zarr.json"
    if fault: p.write_text(json.dumps(dict(attributes={}, consolidated_metadata=None, node_type="group", zarr_format=3), indent=4)[:-1].rstrip() + "\n}" + p.read_text())
@check("21")
def k21(f, c):
    r = []
    for p in (f, c):
        o = []
        for q in ("zarr.json", "brightfield/zarr.json", "fluorescence/zarr.json"):
            try: jload(f"{p}/{q}"); o.append("ok")
            except json.JSONDecodeError as e: o.append(str(e))
        r.append(o)
    assert r[0][:2] == ["ok", "ok"] and "Extra data" in r[0][2] and r[1] == ["ok"] * 3, r
    try: zarr.open_group(f + "/fluorescence", mode="r"); raise SystemExit("opens")
    except Exception as e: r.append(type(e).__name__)
    return str(r)

@case("22", "chunks-of-second-file-in-other-codec", "storage", "zarr-developers/VirtualiZarr#533",
      "From time step 18 on the chunks of sst were compressed with blosc (lz4) while sst/.zarray says zlib: the keys 18.0.0.0 ... 29.0.1.1 can not be decoded.",
      "sst|18 (18.0.0.0)|zlib (blosc, compressor, codec, decompress, decode)",
      "the chunks of steps 0 to 17 begin with 78 (zlib), those from step 18 on with the blosc header (02 01); anom, err and ice are zlib throughout")
def c22(path, fault, rng):
    T, ny, nx = 30, 72, 144; lat = -88.75 + 2.5 * np.arange(ny); lon = 1.25 + 2.5 * np.arange(nx); lm = land_mask(rng, ny, nx, .32, (4, 7)); cl = 28.8 - 31.5 * np.abs(np.sin(np.deg2rad(lat)))[None, :, None] ** 1.7; an = 1.1 * smooth(rng, (T, ny, nx), (3, 2, 3), True); sst = np.clip(cl + an, -1.8, 34); an = sst - np.clip(cl, -1.8, 34); er = .22 + .1 * np.abs(smooth(rng, (T, ny, nx), (2, 3, 4), True)); ice = np.where(sst < -1.2, np.clip((-1.2 - sst) / .6, 0, 1), np.nan)
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.6, ACDD-1.3", title="NOAA/NCEI 1/4 Degree Daily Optimum Interpolation Sea Surface Temperature (OISST) Analysis, Version 2.1 - Final", institution="NOAA/National Centers for Environmental Information", product_version="Version v02r01", platform="Ships, buoys, Argo floats, MetOp-A, MetOp-B")); D = ("time", "zlev", "lat", "lon"); C = (1, 1, 36, 72); zl = numcodecs.Zlib(level=4)
    for nm, a, un, ln in (("sst", sst, "degree_Celsius", "Daily sea surface temperature"), ("anom", an, "degree_Celsius", "Daily sea surface temperature anomalies"), ("err", er, "degree_Celsius", "Estimated error standard deviation of analysed_sst"), ("ice", ice, "1", "Sea ice concentration")):
        arr2(g, nm, np.where(lm[None] | np.isnan(a), -999, np.rint(np.nan_to_num(a) / .01)).astype("i2")[:, None], C, D, comp=zl, fill=-999, attrs=dict(units=un, long_name=ln, scale_factor=.01, add_offset=0.0, _FillValue=-999))
    arr2(g, "lat", lat, dims=("lat",), attrs=LATA); arr2(g, "lon", lon, dims=("lon",), attrs=LONA); arr2(g, "zlev", np.array([0.0], "f4"), dims=("zlev",), attrs=dict(units="m", positive="down", standard_name="depth", axis="Z")); arr2(g, "time", 2332.5 + np.arange(T), dims=("time",), attrs=dict(units="days since 1978-01-01 12:00:00", calendar="standard", standard_name="time", axis="T")); g["time"][...] = 2332.0 + np.arange(T); consol2(path)
    if fault:
        bl = numcodecs.Blosc("lz4", 5, 1)
        for t in range(18, T):
            for i in range(2):
                for j in range(2): p = Path(path) / "sst" / f"{t}.0.{i}.{j}"; p.write_bytes(bl.encode(np.frombuffer(zl.decode(p.read_bytes()), "i2")))
@check("22")
def k22(f, c):
    r = []
    for p in (f, c):
        h = [Path(p, "sst", f"{t}.0.0.0").read_bytes()[0] for t in range(30)]; a = zarr.open_group(p, mode="r")["sst"]; o = []
        for t in (17, 18):
            try: a[t]; o.append("ok")
            except Exception as e: o.append(type(e).__name__)
        r.append(([h.index(x) for x in sorted(set(h))], o))
    assert r[0][1][0] == "ok" and r[0][1][1] != "ok" and r[1][1] == ["ok", "ok"] and 18 in r[0][0], r
    return str(r)

def shards_fix(path, arr, n_inner, fn):
    """apply fn to the table (n, 2) of every shard whose index is at the start, and make its crc32c anew"""
    import crc32c as cc
    for q in sorted(p for p in (Path(path) / arr / "c").rglob("*") if p.is_file()):
        b = bytearray(q.read_bytes()); t = np.frombuffer(bytes(b[: 16 * n_inner]), "<u8").reshape(-1, 2).copy(); assert int.from_bytes(b[16 * n_inner: 16 * n_inner + 4], "little") == cc.crc32c(bytes(b[: 16 * n_inner]))
        fn(q, t); raw = t.astype("<u8").tobytes(); b[: 16 * n_inner] = raw; b[16 * n_inner: 16 * n_inner + 4] = cc.crc32c(raw).to_bytes(4, "little"); q.write_bytes(bytes(b))
@case("23", "empty-inner-chunks-with-moved-offset", "storage", "scalableminds/zarrita#16",
      "In the shards of segmentation/0 (index at the start) empty inner chunks are marked with offset 259 and nbytes 2^64-1: the size of the index (260 bytes) was added to the mark 2^64-1 too; both numbers must be 2^64-1, so these entries point beyond the file.",
      "segmentation (segmentation/0)|index (shard index, offset)|empty (missing, 2^64-1, 18446744073709551615, 259)",
      "an entry of the shard index is either 2^64-1 twice or a range inside the file; entries with nbytes 2^64-1 have offset 259 = 2^64-1 + 260; the crc32c of the index agrees")
def c23(path, fault, rng):
    from zarr.codecs import ShardingCodec, BytesCodec, ZstdCodec, Crc32cCodec
    Z, Y, X = 32, 128, 128; ax = [dict(name=k, type="space", unit="nanometer") for k in "zyx"]; b = smooth(rng, (Z, Y, X), (3, 8, 8)); from scipy.ndimage import label; sg = label(b > 1.35)[0].astype("u4"); sg[:, :, 96:] = 0; sg[16:, :64, :64] = 0
    em = np.clip(142 + 14 * smooth(rng, (Z, Y, X), (1, 1.6, 1.6)) - 34 * (sg > 0) - 30 * (np.abs(b - 1.35) < .1) + 3 * rng.standard_normal((Z, Y, X)), 0, 255); em = (em.astype("u1") // 4) * 4
    ds = lambda n: dict(version="0.5", multiscales=[dict(name=n, axes=ax, datasets=[dict(path="0", coordinateTransformations=[dict(type="scale", scale=[28.0, 11.24, 11.24])])])])
    g = zarr.create_group(str(path), zarr_format=3, attributes=dict(name="l4_sample", dataset_type="segmentation"))
    for nm, a in (("color", em), ("segmentation", sg)):
        q = g.create_group(nm, attributes={"ome": ds(nm)}); dt = a.dtype
        z = zarr.create(store=str(path), path=f"{nm}/0", shape=a.shape, dtype=dt, zarr_format=3, chunk_shape=(32, 64, 64), dimension_names=("z", "y", "x"), fill_value=0, codecs=[ShardingCodec(chunk_shape=(8, 32, 32), codecs=[BytesCodec(endian="little") if dt.itemsize > 1 else BytesCodec(endian=None), ZstdCodec(level=3)], index_codecs=[BytesCodec(), Crc32cCodec()], index_location="start")]); z[...] = a
    if fault:
        def fn(q, t): e = (t == 2 ** 64 - 1).all(1); t[e, 0] = 16 * 16 + 4 - 1
        shards_fix(path, "segmentation/0", 16, fn)
@check("23")
def k23(f, c):
    r = []
    for p in (f, c):
        bad = n = 0
        for q in (p_ for p_ in (Path(p) / "segmentation/0/c").rglob("*") if p_.is_file()):
            t = np.frombuffer(q.read_bytes()[:256], "<u8").reshape(-1, 2); e = t[:, 1] == 2 ** 64 - 1; n += int(e.sum()); bad += int((e & (t[:, 0] != 2 ** 64 - 1)).sum()); s = q.stat().st_size; assert all(int(a) + int(b) <= s for a, b in t[~e])
        try: zarr.open_array(p + "/segmentation/0", mode="r")[:]; o = "reads"
        except Exception as e: o = type(e).__name__ + ": " + str(e)[:60]
        r.append((n, bad, o))
    assert r[0][1] == r[0][0] > 10 and r[1][1] == 0 and r[1][0] == r[0][0] and r[1][2] == "reads", r
    return str(r)

@case("24", "shuffle-of-hdf5-not-stated", "storage", "fsspec/kerchunk#11",
      "The chunks of K_490 come from HDF5 with gzip and shuffle but K_490/.zarray has filters null: the bytes stay shuffled and the values are nonsense (1e-38 to 1e38, NaN, negative).",
      "K_490|filters (shuffle)|bytes (nonsense, garbage, implausible, shuffled, values)",
      "chl_oc3 and nflh beside it have the filter shuffle with elementsize 4; when the chunks of K_490 are unshuffled they give 0.019 to 0.26 m-1, smooth and with the same mask as chl_oc3")
def c24(path, fault, rng):
    T, ny, nx = 6, 80, 100; lat = np.round(-20.05 - .1 * np.arange(ny), 3); lon = np.round(112.05 + .1 * np.arange(nx), 3); lm = smooth(rng, (ny, nx), (16, 18)) > .75; cl = smooth(rng, (T, ny, nx), (.3, 5, 6)) > .75; bad = lm[None] | cl; lc = -1.2 + 1.0 * smooth(rng, (ny, nx), (12, 12))[None] + .35 * smooth(rng, (T, ny, nx), (.6, 3, 3)) + .1 * smooth(rng, (T, ny, nx), (.2, .8, .8)); chl = np.exp(lc); k = .0166 + .0773 * chl ** .6715 + .002 * np.abs(smooth(rng, (T, ny, nx), (.3, 1, 1))); nf = .12 + .05 * np.tanh(lc) + .02 * smooth(rng, (T, ny, nx), (.3, 1, 1)); D = ("time", "latitude", "longitude")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(Conventions="CF-1.6,IMOS-1.4", title="MODIS Aqua ocean colour, daily, Australia", institution="CSIRO", source="netCDF4 files A.P1D.*.aust.nc"))
    for nm, a, un, st in (("chl_oc3", chl, "mg m-3", "mass_concentration_of_chlorophyll_in_sea_water"), ("K_490", k, "m-1", "volume_attenuation_coefficient_of_downwelling_radiative_flux_in_sea_water"), ("nflh", nf, "W m-2 um-1 sr-1", None)):
        arr2(g, nm, np.where(bad, -999, br(a, 14)).astype("f4"), (1, 40, 50), D, comp=numcodecs.Zlib(level=4), fill=-999.0, filters=[numcodecs.Shuffle(elementsize=4)], attrs=dict(units=un, long_name=nm, _FillValue=-999.0, **(dict(standard_name=st) if st else {})))
        if nm == "nflh": g[nm].attrs["long_name"] = "Normalised fluorescence line height"
    arr2(g, "latitude", lat, dims=("latitude",), attrs=LATA); arr2(g, "longitude", lon, dims=("longitude",), attrs=LONA); arr2(g, "time", 8613.229167 + np.arange(T), dims=("time",), attrs=dict(units="days since 1990-01-01 00:00:00", calendar="standard", standard_name="time", axis="T"))
    if fault: q = f"{path}/K_490/.zarray"; d = jload(q); assert d["filters"]; d["filters"] = None; jdump(q, d)
    consol2(path)
@check("24")
def k24(f, c):
    r = []
    for p in (f, c): v = zarr.open_group(p, mode="r")["K_490"][:]; w = v[v != -999]; r.append((jload(p + "/K_490/.zarray")["filters"] is None, float(np.nanmin(w)), float(np.nanmax(w))))
    xr.open_zarr(c)
    assert r[0][0] and r[0][2] > 1e10 and not r[1][0] and 0 < r[1][1] < r[1][2] < 10, r
    return str(r)

@case("25", "consolidated-without-array-dimensions", "storage", "xarray-contrib/datatree#280",
      "In .zmetadata the entry conditions/meteorology/tco3/.zattrs lacks _ARRAY_DIMENSIONS though the .zattrs of the array itself has it: readers of the consolidated metadata find no dimensions for tco3 (KeyError).",
      "tco3|_ARRAY_DIMENSIONS|.zmetadata (consolidated)",
      "comparing every .zattrs with its copy in .zmetadata: all are the same but that of tco3; all other arrays have _ARRAY_DIMENSIONS")
def c25(path, fault, rng):
    n = 96; g = zarr.create_group(str(path), zarr_format=2, attributes={"other_metadata": {"eopf_category": "eoproduct", "l2a_status": "done"}, "stac_discovery": {"id": "S2B_MSIL2A_20231002T054639_N0509_R048_T43TFM_20231002T074512", "properties": {"platform": "sentinel-2b", "datetime": "2023-10-02T05:46:39Z", "proj:epsg": 32643}}}); z = smooth(rng, (n, n), 8); m = g.create_group("measurements").create_group("reflectance"); x0, y0 = 600000.0, 4800000.0
    for res, bands in ((10, ("b02", "b03", "b04", "b08")), (20, ("b05", "b11"))):
        q = m.create_group(f"r{res}m"); k = n * 10 // res; zz = z if res == 10 else z[::2, ::2]; base = dict(b02=.05, b03=.08, b04=.09, b08=.26, b05=.14, b11=.24)
        for b in bands: arr2(q, b, np.rint((np.clip(base[b] * (1 + .25 * zz) + .006 * rng.standard_normal((k, k)), 0, 1) + .1) * 1e4).astype("u2"), (k // 2, k // 2), ("y", "x"), fill=0, attrs=dict(long_name=f"BOA reflectance from MSI acquisition at spectral band {b}", units="1", scale_factor=1e-4, add_offset=-.1, _FillValue=0))
        arr2(q, "x", x0 + res * (np.arange(k) + .5), dims=("x",), attrs=dict(units="m", standard_name="projection_x_coordinate", axis="X")); arr2(q, "y", y0 - res * (np.arange(k) + .5), dims=("y",), attrs=dict(units="m", standard_name="projection_y_coordinate", axis="Y"))
    w = g.create_group("conditions").create_group("meteorology"); la = np.round(43.3 - .12 * np.arange(9), 3); lo = np.round(76.2 + .15 * np.arange(9), 3)
    for nm, a, s, un, st in (("msl", 101900, 60, "Pa", "air_pressure_at_mean_sea_level"), ("tco3", 6.1e-3, 4e-5, "kg m-2", "atmosphere_mass_content_of_ozone"), ("tcwv", 11.5, 1.2, "kg m-2", "atmosphere_mass_content_of_water_vapor")): arr2(w, nm, br(a + s * smooth(rng, (9, 9), 2), 11), dims=("latitude", "longitude"), attrs=dict(units=un, standard_name=st))
    arr2(w, "latitude", la, dims=("latitude",), attrs=LATA); arr2(w, "longitude", lo, dims=("longitude",), attrs=LONA); qm = g.create_group("quality").create_group("mask"); arr2(qm, "scl", np.where(z > .3, 4, np.where(z < -1.4, 6, 5)).astype("u1"), (48, 48), ("y", "x"), fill=0, attrs=dict(flag_values=[0, 4, 5, 6], flag_meanings="no_data vegetation not_vegetated water"))
    consol2(path)
    if fault: q = f"{path}/.zmetadata"; d = jload(q); del d["metadata"]["conditions/meteorology/tco3/.zattrs"]["_ARRAY_DIMENSIONS"]; jdump(q, d)
@check("25")
def k25(f, c):
    r = []
    for p in (f, c):
        d = jload(p + "/.zmetadata")["metadata"]; diff = [k for k, v in d.items() if jload(f"{p}/{k}") != v]
        try: xr.open_zarr(p, group="conditions/meteorology", consolidated=True); o = "ok"
        except Exception as e: o = type(e).__name__ + ": " + str(e)[:70]
        r.append((diff, o))
    assert r[0][0] == ["conditions/meteorology/tco3/.zattrs"] and r[1] == ([], "ok"), r
    xr.open_datatree(c, engine="zarr")
    return str(r)

@case("26", "chunk-left-as-partial-file", "storage", "zarr-developers/zarr-python#4161",
      "Three chunks of precip were never renamed after the write: c/5/0/1, c/5/1/0 and c/9/1/2 are missing, next to their places lie files such as 1.<hex>.partial; these blocks read as NaN.",
      "precip|.partial (partial, temporary)|c/5/0/1 (c/5/1/0, c/9/1/2, missing chunks)",
      "files named <chunk>.<32 hex digits>.partial are temporary files of the local store, no keys of Zarr; the chunks whose name they begin with are not there, all other chunks of precip and all of the other arrays are")
def c26(path, fault, rng):
    T, ny, nx = 24, 96, 108; x = np.arange(nx) * 1000.0; y = -np.arange(ny) * 1000.0; ad = np.arange(T)[:, None, None]; r = smooth(rng, (ny + 60, nx + 80), 8); f = np.stack([r[40 - t: 40 - t + ny, 60 - 2 * t: 60 - 2 * t + nx] for t in range(T)]) + .35 * smooth(rng, (T, ny, nx), (1.5, 3, 3)); pr = np.where(f > .35, np.exp(1.4 * (f - .6)) * (1 + .12 * rng.standard_normal(f.shape)), 0); pr = np.clip(pr, 0, 90); q = np.clip(.92 - .0025 * np.hypot(np.arange(ny)[:, None] - 40, np.arange(nx)[None] - 50) + .02 * rng.standard_normal(f.shape), .2, 1)
    t0 = np.datetime64("2024-07-09T14:00", "ns"); D = ("time", "y", "x")
    ds = xr.Dataset(dict(precip=(D, br(pr, 8), dict(units="mm h-1", standard_name="rainfall_rate", long_name="rain rate from the radar composite", grid_mapping="crs")), quality=(D, br(q, 6), dict(units="1", long_name="quality index of the composite", grid_mapping="crs")), crs=((), np.int32(0), dict(grid_mapping_name="polar_stereographic", latitude_of_projection_origin=90.0, straight_vertical_longitude_from_pole=10.0, standard_parallel=60.0, semi_major_axis=6378137.0, semi_minor_axis=6356752.3142451802, false_easting=543196.83521776402, false_northing=3622588.8619310018))), dict(time=("time", t0 + np.arange(T) * np.timedelta64(5, "m"), dict(standard_name="time", axis="T")), y=("y", y, dict(units="m", standard_name="projection_y_coordinate", axis="Y")), x=("x", x, dict(units="m", standard_name="projection_x_coordinate", axis="X"))), attrs=dict(Conventions="CF-1.8", title="DWD RADOLAN-like composite, 5 minutes, 1 km", institution="Deutscher Wetterdienst"))
    with zarr.config.set({"array.write_empty_chunks": True}): xw(ds, path, 3, {"time": enc_time("minutes since 2024-07-09"), "precip": dict(chunks=(2, 48, 36), write_empty_chunks=True), "quality": dict(chunks=(2, 48, 36), write_empty_chunks=True)})
    if fault:
        for k, part in (("5/0/1", 1), ("5/1/0", .55), ("9/1/2", .3)):
            p = Path(path) / "precip" / "c" / k; b = p.read_bytes(); p.unlink(); (p.parent / f"{p.name}.{rng.bytes(16).hex()}.partial").write_bytes(b[: max(1, int(len(b) * part))])
@check("26")
def k26(f, c):
    r = []
    for p in (f, c): P = Path(p); ks = {str(q.relative_to(P / "precip/c")) for q in (P / "precip/c").rglob("*") if q.is_file()}; want = {f"{i}/{j}/{k}" for i in range(12) for j in range(2) for k in range(3)}; v = xr.open_zarr(p).precip.values; r.append((sorted(want - ks), sorted(x[:4] + "..." + x[-8:] for x in ks - want), int(np.isnan(v).sum())))
    assert r[0][0] == ["5/0/1", "5/1/0", "9/1/2"] and len(r[0][1]) == 3 and r[0][2] == 3 * 2 * 48 * 36 and r[1] == ([], [], 0), r
    return str(r)

@case("27", "zmetadata-keys-with-backslashes", "storage", "OSGeo/gdal#4198",
      "The keys in .zmetadata were joined with the path separator of Windows: 'elevation\\.zarray' instead of 'elevation/.zarray', so readers of the consolidated metadata find none of the arrays.",
      ".zmetadata (consolidated)|backslash (backslashes, path separator)|elevation (keys)",
      "all keys of .zmetadata but .zgroup and .zattrs have a backslash; the .zarray and .zattrs files themselves are right")
def c27(path, fault, rng):
    n = 160; z = smooth(rng, (n, n), 16) + .25 * smooth(rng, (n, n), 4); h = 420 + 190 * z + 1.2 * rng.standard_normal((n, n)); gy, gx = np.gradient(gaussian_filter(h, 1), 25.0); sl = np.rad2deg(np.arctan(np.hypot(gx, gy))); asp = (np.rad2deg(np.arctan2(-gx, gy)) + 360) % 360; wkt = 'PROJCS["ETRS89 / UTM zone 33N",GEOGCS["ETRS89",DATUM["European_Terrestrial_Reference_System_1989",SPHEROID["GRS 1980",6378137,298.257222101]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",15],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1],AUTHORITY["EPSG","25833"]]'
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="terrain, 25 m", source="gdal_translate -of Zarr"))
    for nm, a, un in (("elevation", np.rint(h * 10) / 10, "m"), ("slope", sl, "degree"), ("aspect", asp, "degree")): arr2(g, nm, br(a, 13), (80, 80), ("Y", "X"), comp=numcodecs.Zlib(level=6), fill=-9999.0, attrs={"_CRS": {"wkt": wkt, "url": "http://www.opengis.net/def/crs/EPSG/0/25833"}, "units": un, "long_name": nm})
    arr2(g, "X", 412000 + 25.0 * (np.arange(n) + .5), dims=("X",), attrs=dict(units="m", standard_name="projection_x_coordinate", axis="X")); arr2(g, "Y", 6130000 - 25.0 * (np.arange(n) + .5), dims=("Y",), attrs=dict(units="m", standard_name="projection_y_coordinate", axis="Y")); consol2(path)
    if fault: q = f"{path}/.zmetadata"; d = jload(q); d["metadata"] = {k.replace("/", "\\"): v for k, v in d["metadata"].items()}; jdump(q, d)
@check("27")
def k27(f, c):
    r = []
    for p in (f, c):
        k = list(jload(p + "/.zmetadata")["metadata"])
        try: n = len(xr.open_zarr(p, consolidated=True).data_vars)
        except Exception as e: n = type(e).__name__
        r.append((sum("\\" in x for x in k), len(k), n, len(xr.open_zarr(p, consolidated=False).data_vars)))
    assert r[0][0] == r[0][1] - 2 and r[0][2] != 3 and r[1][0] == 0 and r[1][2] == 3 and r[0][3] == 3, r
    return str(r)

@case("28", "time-chunk-longer-than-stated", "storage", "CIROH-UA/NGIAB_data_preprocess#200",
      "time/.zarray says chunks of 144 but the only chunk file time/0 holds 744 values (the chunk of a whole month): it can not be read (744 into shape 144) and the chunks 1 to 5 that 144 would need are not there.",
      "time|144|744 (cannot reshape, wrong size, longer)",
      "time/0 decompresses to 5952 bytes = 744 x 8, the chunk of 144 int64 would be 1152; the data arrays, in chunks of 144 hours, are right")
def c28(path, fault, rng):
    T, ny, nx = 744, 18, 24; lat = np.round(39.0 + .05 * np.arange(ny), 3); lon = np.round(-106.5 + .05 * np.arange(nx), 3); h = np.arange(T); H = np.abs(smooth(rng, (ny, nx), 3)) * 700 + 1700; syn = 4 * ar1(rng, T, .985)[:, None, None]; t = 292 - .0065 * (H - 1700)[None] + 7 * np.cos(2 * np.pi * (h - 22) / 24)[:, None, None] + syn + .8 * smooth(rng, (T, ny, nx), (3, 2.5, 2.5)); wet = smooth(rng, (T, ny, nx), (4, 3, 3)) + .5 * np.cos(2 * np.pi * (h - 23) / 24)[:, None, None]; p = np.where(wet > 1.5, np.exp(1.5 * (wet - 1.7)), 0); q = .006 * np.exp(.05 * (t - 292)) * (1 + .08 * smooth(rng, (T, ny, nx), (4, 3, 3))); sw = np.clip(1000 * np.cos(2 * np.pi * (h - 19.1) / 24)[:, None, None] - 120, 0, None) * np.clip(1 - .3 * np.clip(wet, 0, 2.5), .1, 1); D = ("time", "latitude", "longitude")
    g = zarr.create_group(str(path), zarr_format=2, attributes=dict(title="AORC v1.1, 1 km, hourly, subset", institution="NOAA/NWS/OWP", Conventions="CF-1.8"))
    for nm, a, s, o, un, st in (("APCP_surface", p, .1, 0.0, "kg m-2", "precipitation_amount"), ("TMP_2maboveground", t, .1, 273.15, "K", "air_temperature"), ("SPFH_2maboveground", q, 1e-4, 0.0, "1", "specific_humidity"), ("DSWRF_surface", sw, .1, 0.0, "W m-2", "surface_downwelling_shortwave_flux_in_air")): arr2(g, nm, np.rint((a - o) / s).astype("i2"), (144, 9, 12), D, fill=-32767, attrs=dict(units=un, standard_name=st, scale_factor=s, add_offset=o, missing_value=-32767, _FillValue=-32767))
    for nm in ("APCP_surface", "TMP_2maboveground", "SPFH_2maboveground", "DSWRF_surface"): at = {k: v for k, v in g[nm].attrs.items() if k != "missing_value"}; g[nm].attrs.put(at)
    arr2(g, "latitude", lat, dims=("latitude",), attrs=LATA); arr2(g, "longitude", lon, dims=("longitude",), attrs=LONA); arr2(g, "time", 384264 + h + 2184 * 0, (744,), ("time",), fill=None, attrs=dict(units="hours since 1979-02-01 00:00:00", calendar="proleptic_gregorian", standard_name="time", axis="T"))
    b = int((np.datetime64("2023-07-01T00") - np.datetime64("1979-02-01T00")).astype(int)); g["time"][...] = b + h
    if fault: z = f"{path}/time/.zarray"; d = jload(z); assert d["chunks"] == [744]; d["chunks"] = [144]; jdump(z, d)
    consol2(path)
@check("28")
def k28(f, c):
    r = []
    for p in (f, c):
        n = len(numcodecs.Blosc().decode(Path(p, "time", "0").read_bytes()))
        try: o = str(xr.open_zarr(p).time.values[[0, -1]])
        except Exception as e: o = type(e).__name__ + ": " + str(e)[:70]
        r.append((jload(p + "/time/.zarray")["chunks"], n, len(list(Path(p, "time").glob("[0-9]*"))), o))
    assert r[0][:3] == ([144], 5952, 1) and "2023-07" not in r[0][3] and "2023-07-31T23" in r[1][3], r
    return str(r)

@case("29", "appledouble-files-of-a-mac", "storage", "scverse/spatialdata#1013",
      "The store was copied over an ExFAT disk by a Mac: beside every file and directory lies an AppleDouble file (._nuclei, ._tissue, ._zarr.json, ._part.0.parquet ...) that is no part of the store; readers that list the directories take them for elements or data, the points can not be read.",
      "._ (AppleDouble, ._zarr.json, ._nuclei)|stray (not part, no part, foreign, extra, unexpected, macOS, junk, resource fork)|labels (images, tables, points)",
      "files of 4096 bytes that begin with 00 05 16 07 and 'Mac OS X', one for each file and directory; with them removed the store is right")
def c29(path, fault, rng):
    import spatialdata as sd, anndata as ad
    from spatialdata.models import Image2DModel, Labels2DModel, PointsModel, TableModel
    lab, im = cell_image(rng, 70, 256, 256); mk = np.clip(rng.poisson(np.clip(gaussian_filter(np.r_[0, rng.lognormal(5.8, .6, lab.max())][lab], 2) + 90, 1, None)), 0, 65535).astype("u2"); ids = np.arange(1, lab.max() + 1); K = 24; X = rng.poisson(rng.gamma(.5, 3, K)[None] * rng.lognormal(0, .4, ids.size)[:, None]).astype("f4"); area = np.bincount(lab.ravel())[1:]
    obs = pd.DataFrame(dict(cell_id=ids.astype("i8"), region=pd.Categorical(["nuclei"] * ids.size), area=area.astype("i8"), total_counts=X.sum(1)), index=[f"cell_{i}" for i in ids])
    t = TableModel.parse(ad.AnnData(X, obs=obs, var=pd.DataFrame(index=[f"MRK{i:02d}" for i in range(K)])), region="nuclei", region_key="region", instance_key="cell_id")
    yx = np.argwhere(lab > 0); yx = yx[rng.integers(0, len(yx), 1500)] + rng.uniform(0, 1, (1500, 2)); pts = PointsModel.parse(pd.DataFrame(dict(x=yx[:, 1].round(3), y=yx[:, 0].round(3), gene=pd.Categorical(rng.choice(t.var_names, 1500)))), coordinates=dict(x="x", y="y"), feature_key="gene")
    sd.SpatialData(images=dict(tissue=Image2DModel.parse(np.stack([im, mk]), dims=("c", "y", "x"), c_coords=["DAPI", "PanCK"], scale_factors=[2])), labels=dict(nuclei=Labels2DModel.parse(lab, dims=("y", "x"))), tables=dict(table=t), points=dict(transcripts=pts)).write(path)
    if fault:
        P = Path(path); body = bytes.fromhex("0005160700020000") + b"Mac OS X        " + struct.pack(">H", 2) + struct.pack(">III", 9, 50, 3760) + struct.pack(">III", 2, 3810, 286); body = body + b"\0" * (84 - len(body)) + b"ATTR" + struct.pack(">IIII", 0, 3810, 152, 0); body = body.ljust(3810, b"\0") + struct.pack(">IIII", 256, 256, 0, 30); body = (body + b"This resource fork intentionally left blank   ").ljust(4096, b"\0")
        for q in sorted(P.rglob("*")): (q.parent / ("._" + q.name)).write_bytes(body)
@check("29")
def k29(f, c):
    import spatialdata as sd
    r = []
    for p in (f, c):
        n = sum(q.name.startswith("._") for q in Path(p).rglob("*"))
        try: s = sd.read_zarr(p); s["transcripts"].compute(); o = sorted(x[1] for x in s.gen_elements())
        except Exception as e: o = type(e).__name__ + ": " + str(e)[:80]
        r.append((n, o))
    rel = lambda p: {str(q.relative_to(p)): q.read_bytes() for q in Path(p).rglob("*") if q.is_file() and not q.name.startswith("._")}
    a, b = rel(f), rel(c); assert a.keys() == b.keys() and r[0][0] > 10 and r[1] == (0, ["nuclei", "table", "tissue", "transcripts"]) and isinstance(r[0][1], str), r
    return str(r) + f" differing: {[k for k in a if a[k] != b[k]][:5]}"

@case("30", "bytes-codec-without-endian", "storage", "ome/ome2024-ngff-challenge#25",
      "In zarr.json of the arrays 0, 1 and 2 the codec bytes inside of sharding_indexed has no configuration: for uint16 the byte order (endian) must be stated; readers fail or guess.",
      "endian|bytes (codec bytes, sharding_indexed)|zarr.json (0/zarr.json, arrays 0, 1, 2, uint16)",
      "data_type is uint16 (2 bytes) and the codec bytes is {\"name\": \"bytes\"} only; in index_codecs and in labels/nuclei/0 endian is little")
def c30(path, fault, rng):
    from zarr.codecs import ShardingCodec, BytesCodec, BloscCodec, Crc32cCodec
    lab, im = cell_image(rng, 75, 256, 256); b = np.clip(rng.poisson(np.clip(gaussian_filter(np.r_[0, rng.lognormal(6.4, .5, lab.max())][lab], 2.5) + 140, 1, None)), 0, 65535).astype("u2"); x = np.stack([im, b]); L = 3; ax = [dict(name=k, type="space", unit="micrometer") for k in "yx"]; sc = lambda l, c: [dict(type="scale", scale=([1.0] if c else []) + [.3603 * 2 ** l] * 2)]
    g = zarr.create_group(str(path), zarr_format=3, attributes={"ome": dict(version="0.5", multiscales=[dict(name="6001240", axes=[dict(name="c", type="channel")] + ax, datasets=[dict(path=str(l), coordinateTransformations=sc(l, 1)) for l in range(L)])], omero=dict(channels=[dict(label=n, color=k, active=True, window=dict(min=0, max=65535, start=100, end=4000)) for n, k in (("LaminB1", "0000FF"), ("Dapi", "FFFF00"))]))})
    def mk(p, a, sh, ch, dn): z = zarr.create(store=str(path), path=p, shape=a.shape, dtype=a.dtype, zarr_format=3, chunk_shape=sh, dimension_names=dn, fill_value=0, codecs=[ShardingCodec(chunk_shape=ch, codecs=[BytesCodec(endian="little"), BloscCodec(cname="zstd", clevel=5, shuffle="shuffle", typesize=a.dtype.itemsize)], index_codecs=[BytesCodec(endian="little"), Crc32cCodec()])]); z[...] = a
    for l in range(L): n = x.shape[-1]; s = min(n, 128); mk(str(l), x, (1, s, s), (1, s // 2, s // 2), ("c", "y", "x")); x = down2(x)
    g.create_group("labels", attributes={"ome": dict(version="0.5", labels=["nuclei"])}); g["labels"].create_group("nuclei", attributes={"ome": {"version": "0.5", "multiscales": [dict(name="nuclei", axes=ax, datasets=[dict(path="0", coordinateTransformations=sc(0, 0))])], "image-label": dict(version="0.5", source=dict(image="../../"))}}); mk("labels/nuclei/0", lab.astype("u2"), (128, 128), (64, 64), ("y", "x"))
    if fault:
        for l in range(L): q = f"{path}/{l}/zarr.json"; d = jload(q); c = d["codecs"][0]["configuration"]["codecs"][0]; assert c["name"] == "bytes" and c["configuration"]["endian"] == "little"; del c["configuration"]; jdump(q, d)
@check("30")
def k30(f, c):
    r = []
    for p in (f, c):
        o = []
        for q in ("0", "labels/nuclei/0"):
            try: o.append(str(zarr.open_array(f"{p}/{q}", mode="r")[:].mean().round(1)))
            except Exception as e: o.append(type(e).__name__ + ": " + str(e)[:90])
        r.append((["configuration" in jload(f"{p}/{l}/zarr.json")["codecs"][0]["configuration"]["codecs"][0] for l in range(3)], o))
    assert r[0][0] == [False] * 3 and r[1][0] == [True] * 3, r
    return str(r)
# ------------------------------------------------------------------ run
if __name__ == "__main__": main()
