"""Blind set 9: thirty stores with one fault each, and their clean twins.  python blind9.py [NN ...]"""
import importlib.metadata as _m
_v = _m.version            # numcodecs cannot parse zfpy's "1.0.1.post0": only this process is helped
_m.version = lambda n: _v(n).replace('.post0', '') if n == 'zfpy' else _v(n)
import sys, os, json, shutil, math, zipfile, zlib, gzip, io, tarfile, warnings, logging
warnings.simplefilter('ignore'); logging.disable(logging.WARNING)
import numpy as np, pandas as pd, xarray as xr, zarr, numcodecs
OUT = os.environ.get('OUT', '/tmp/blind9')
CASES = {}

# ---------- helpers
def rng(n): return np.random.default_rng(91000 + n)
def case(n, short, thread, fault, answer, words):
    def reg(c):
        c.n, c.name, c.thread, c.text, c.answer, c.words = n, f'{n:02d}-{short}', thread, fault, answer, words
        CASES[n] = c; return c
    return reg
def J(p): return json.load(open(p))
def W(p, d, **k): open(p, 'w').write(json.dumps(d, indent=2, **k))
def edit(root, node, fn, kind=None, cons=True):
    """apply fn to a node's document (v3 zarr.json, v2 kind .zarray/.zattrs) and to its consolidated copy"""
    d = os.path.join(root, node)
    if os.path.exists(f'{d}/zarr.json'):
        z = J(f'{d}/zarr.json'); fn(z); W(f'{d}/zarr.json', z)
        r = J(f'{root}/zarr.json'); m = (r.get('consolidated_metadata') or {}).get('metadata', {})
        if cons and node in m: fn(m[node]); W(f'{root}/zarr.json', r)
    else:
        z = J(f'{d}/{kind}'); fn(z); W(f'{d}/{kind}', z)
        if cons and os.path.exists(f'{root}/.zmetadata'):
            r = J(f'{root}/.zmetadata'); fn(r['metadata'][f'{node}/{kind}' if node else kind]); W(f'{root}/.zmetadata', r)
def files(p): return sorted(os.path.relpath(os.path.join(d, f), p) for d, _, fs in os.walk(p) for f in fs)
def fails(fn, *words):
    try: fn()
    except Exception as e:
        assert not words or any(w.lower() in (type(e).__name__ + str(e)).lower() for w in words), f'other error: {e!r}'
        return True
    raise AssertionError('did not fail')
def field(g, nt, lat, lon, base, grad, amp, noise, diurnal=0., per=8):
    """smooth weather-like field: meridional gradient, travelling waves, day cycle, small noise"""
    la, lo = np.deg2rad(np.asarray(lat))[:, None], np.deg2rad(np.asarray(lon))[None, :]
    la0 = la.mean(); L = max(la.max() - la.min(), .05); X = max(lo.max() - lo.min(), .05)
    out = np.empty((nt, la.size, lo.size))
    ph = g.uniform(0, 2 * np.pi, 6); k = g.integers(1, 4, (6, 2)); w = g.uniform(.1, .5, 6); a = g.normal(0, 1, 6)
    for t in range(nt):
        f = base - grad * np.abs(np.sin(la)) + 0 * lo
        for i in range(6):
            f = f + amp / 2 * a[i] * np.sin(2 * np.pi * (k[i, 0] * (la - la0) / L + k[i, 1] * lo / X) / 1.5 + ph[i] + w[i] * t)
        out[t] = f + diurnal * np.sin(2 * np.pi * t / per)
    return out + g.normal(0, noise, out.shape)
def lat_(v): return ('lat', np.asarray(v, 'f8'), dict(standard_name='latitude', long_name='latitude', units='degrees_north', axis='Y'))
def lon_(v): return ('lon', np.asarray(v, 'f8'), dict(standard_name='longitude', long_name='longitude', units='degrees_east', axis='X'))
def time_(v): return ('time', v, dict(standard_name='time', long_name='time', axis='T'))
def glob(title, inst, src): return dict(Conventions='CF-1.8', title=title, institution=inst, source=src, history='2024-05-14: written with xarray to_zarr')
def tenc(u, dt='int64', **k): return dict(units=u, calendar='proleptic_gregorian', dtype=dt, _FillValue=None, **k)
def write(ds, p, fmt, enc=None, **k):
    enc = dict(enc or {})
    for c in ds.variables:
        if c in ds.coords: enc.setdefault(c, {}).setdefault('_FillValue', None)
    for v, e in enc.items(): ds[v].encoding.update(e)
    ds.to_zarr(p, mode='w', zarr_format=fmt, **k)
def op(p, **k): return xr.open_zarr(p, **k)
def finite(ds, *names):
    for n in names or list(ds.data_vars): assert np.isfinite(ds[n].values).all(), n

# ---------- time axis and values
@case(1, 'hours-lost', 'pydata/xarray#5106',
      'Hourly-resolution steps (6 h) appended to a store whose first write had one step, so "time" is int64 in "days since": the hours are cut off, four steps share each date.',
      'The time coordinate repeats values (each day four times): 6-hourly steps were stored as whole days (int64 "days since ..."), the hours are lost.', 'time|days')
class C1:
    def clean(p, g):
        t = pd.date_range('2021-02-21', periods=20, freq='6h'); la, lo = np.arange(58, 46, -1.), np.arange(0, 16, 1.)
        ds = xr.Dataset({'t2m': (('time', 'lat', 'lon'), field(g, 20, la, lo, 290, 20, 4, .2, 3, 4).astype('f4'), dict(standard_name='air_temperature', long_name='2 metre temperature', units='K'))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('GFS analysis, 6-hourly', 'NOAA/NCEP', 'GFS analysis on a 1 degree grid'))
        write(ds, p, 3, dict(time=tenc('hours since 2021-02-21 00:00:00', chunks=(20,)), t2m=dict(chunks=(4, 12, 16))))
    def fault(p, g):
        edit(p, 'time', lambda z: z['attributes'].update(units='days since 2021-02-21 00:00:00'))
        zarr.open_group(p, mode='r+')['time'][:] = np.arange(20) * 6 // 24
    def check(c, f):
        a, b = op(c), op(f); finite(a)
        assert a.indexes['time'].is_unique and len(a.time) == 20 and str(a.time.values[1])[:13] == '2021-02-21T06'
        assert b.indexes['time'].nunique() == 5 and np.array_equal(a.t2m.values, b.t2m.values)

@case(2, 'append-twice', 'pydata/xarray#4958',
      'The same to_zarr(append_dim="time") call was run twice: the last ten days stand twice in the store, coordinate and data.',
      'time is not increasing: the last block of 10 days (2016-02-21 to 2016-03-01) occurs twice.', 'time')
class C2:
    def mk(p, g, twice):
        t = pd.date_range('2016-02-01', periods=30); la, lo = np.arange(-9.875, 0, .5), np.arange(150.125, 160, .5)
        ds = xr.Dataset({'sst': (('time', 'lat', 'lon'), field(g, 30, la, lo, 29, 4, .8, .05).round(2).astype('f4'), dict(standard_name='sea_surface_temperature', long_name='Daily sea surface temperature', units='degree_Celsius'))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('NOAA OISST daily', 'NOAA/NCEI', 'OISST v2.1'))
        write(ds.isel(time=slice(0, 20)), p, 2, dict(time=tenc('days since 1981-09-01 12:00:00', chunks=(10,)) | dict(units='hours since 1981-09-01 00:00:00'), sst=dict(chunks=(10, 20, 20))))
        for _ in range(1 + twice): ds.isel(time=slice(20, 30)).to_zarr(p, append_dim='time')
    def clean(p, g): C2.mk(p, g, 0)
    def fault(p, g): shutil.rmtree(p); C2.mk(p, g, 1)
    def check(c, f):
        a, b = op(c), op(f); finite(a)
        assert a.indexes['time'].is_monotonic_increasing and a.indexes['time'].is_unique and len(a.time) == 30
        assert len(b.time) == 40 and not b.indexes['time'].is_unique and np.array_equal(b.sst[20:30].values, b.sst[30:].values)

@case(3, 'flipped-day', 'google-research/arco-era5#70',
      'The four steps of one date (1981-03-16) of snow_depth were written with latitude reversed against the coordinate.',
      'snow_depth is upside down (reversed along latitude) for the four steps of 1981-03-16; the other days are right.', 'snow_depth|lat')
class C3:
    def clean(p, g):
        t = pd.date_range('1981-03-14', periods=20, freq='6h'); la, lo = np.arange(90, -91, -6.), np.arange(0, 360, 6.)
        LA = np.deg2rad(la)[:, None] + 0 * lo
        sd = np.clip((np.sin(LA) - .55) * 1.4 + .25 * np.sin(3 * np.deg2rad(lo)) * (LA > .7), 0, None)
        sd = np.where(LA < -1.15, 10., np.where(sd > .9, 10., sd))       # ice sheets
        sd = np.stack([sd * (1 - .002 * i) + np.where((sd > 0) & (sd < 9), g.normal(0, .003, sd.shape), 0) for i in range(20)]).clip(0)
        t2 = field(g, 20, la, lo, 301, 48, 5, .2)
        ds = xr.Dataset({'snow_depth': (('time', 'latitude', 'longitude'), sd.astype('f4'), dict(long_name='Snow depth', standard_name='lwe_thickness_of_surface_snow_amount', units='m')),
                         '2m_temperature': (('time', 'latitude', 'longitude'), t2.astype('f4'), dict(long_name='2 metre temperature', standard_name='air_temperature', units='K'))},
                        dict(time=time_(t), latitude=('latitude', la, lat_(la)[2]), longitude=('longitude', lo, lon_(lo)[2])), glob('ARCO ERA5 subset', 'ECMWF', 'ERA5 reanalysis'))
        write(ds, p, 3, dict(time=tenc('hours since 1900-01-01', chunks=(20,)), snow_depth=dict(chunks=(1, 31, 60)), **{'2m_temperature': dict(chunks=(1, 31, 60))}))
    def fault(p, g):
        a = zarr.open_group(p, mode='r+')['snow_depth']
        for i in range(8, 12): a[i] = a[i][::-1]
    def check(c, f):
        a, b = op(c), op(f); finite(a); x, y = a.snow_depth.values, b.snow_depth.values
        assert str(a.time.values[8])[:10] == '1981-03-16' and np.array_equal(y[8:12], x[8:12, ::-1]) and np.array_equal(np.delete(x, range(8, 12), 0), np.delete(y, range(8, 12), 0))
        assert np.abs(y[8] - y[7]).max() > 5 and np.abs(np.diff(x, axis=0)).max() < .5

@case(4, 'encoded-twice', 'bcdev/nc2zarr#35',
      'Already packed int16 values were appended as if they were kelvin: the last four days of analysed_sst are encoded a second time (and wrapped in int16).',
      'analysed_sst from 2010-06-07 on holds values packed twice (hundreds of kelvin off, outside valid_min/valid_max); the first six days are right.', 'analysed_sst')
class C4:
    def clean(p, g):
        t = pd.date_range('2010-06-01', periods=10); la, lo = np.arange(30.025, 33, .1), np.arange(-20.975, -17, .1)
        s = field(g, 10, la, lo, 296, 4, .7, .03); land = (la[:, None] - 31.5) ** 2 + (lo[None] + 18) ** 2 < .3
        s[:, land] = np.nan
        ds = xr.Dataset({'analysed_sst': (('time', 'lat', 'lon'), s, dict(standard_name='sea_surface_foundation_temperature', long_name='analysed sea surface temperature', units='kelvin', valid_min=-300, valid_max=4500))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('ESA CCI SST level 4', 'ESACCI', 'SST_CCI v2.1'))
        write(ds, p, 2, dict(time=tenc('seconds since 1981-01-01 00:00:00', chunks=(10,)), analysed_sst=dict(dtype='i2', scale_factor=.01, add_offset=273.15, _FillValue=-32768, chunks=(1, 30, 40))))
    def fault(p, g):
        a = zarr.open_group(p, mode='r+')['analysed_sst']
        for i in range(6, 10):
            r = a[i].astype('i8'); a[i] = np.where(r == -32768, -32768, np.rint((r - 273.15) / .01).astype('i8').astype('i2'))
    def check(c, f):
        a, b = op(c).analysed_sst, op(f).analysed_sst
        assert 288 < float(a.min()) < float(a.max()) < 300 and np.array_equal(a[:6].values, b[:6].values, equal_nan=True)
        assert float(b[6:].max()) > 400 or float(b[6:].min()) < 200

@case(5, 'missing-chunks', 'hytest-org/hytest#395',
      'Some chunk files of U10 were never written (or got lost): rectangles of NaN, while V10 and T2 are complete at the same times.',
      'U10 lacks chunk files (2.0.1, 3.1.0, 3.1.1 of 24): they read as NaN, while the other variables have all chunks.', 'U10|chunk')
class C5:
    def clean(p, g):
        t = pd.date_range('2003-07-01', periods=36, freq='h'); y, x = np.arange(20) * 4e3 - 4e4, np.arange(24) * 4e3 - 4.8e4
        mk = lambda b, a, d: (('time', 'y', 'x'), field(g, 36, np.linspace(38, 40, 20), np.linspace(-106, -103, 24), b, 0, a, .2, d, 24).astype('f4'))
        gm = dict(grid_mapping='crs')
        ds = xr.Dataset({'U10': (*mk(2, 2, 1), dict(standard_name='x_wind', long_name='U at 10 meters', units='m s-1', **gm)), 'V10': (*mk(-1, 2, 1), dict(standard_name='y_wind', long_name='V at 10 meters', units='m s-1', **gm)),
                         'T2': (*mk(297, 2, 6), dict(standard_name='air_temperature', long_name='Temperature at 2 meters', units='K', **gm)),
                         'crs': ((), np.int32(0), dict(grid_mapping_name='lambert_conformal_conic', standard_parallel=[30., 50.], latitude_of_projection_origin=39.1, longitude_of_central_meridian=-97.9, earth_radius=6370000., false_easting=0., false_northing=0.))},
                        dict(time=time_(t), y=('y', y, dict(standard_name='projection_y_coordinate', units='m', axis='Y')), x=('x', x, dict(standard_name='projection_x_coordinate', units='m', axis='X'))),
                        glob('CONUS404 hourly subset', 'USGS/NCAR', 'WRF v3.9.1.1'))
        write(ds, p, 2, dict(time=tenc('hours since 1979-10-01', chunks=(36,)), crs=dict(_FillValue=None), **{v: dict(chunks=(6, 10, 12)) for v in ('U10', 'V10', 'T2')}))
    def fault(p, g):
        for k in ('2.0.1', '3.1.0', '3.1.1'): os.remove(f'{p}/U10/{k}')
    def check(c, f):
        a, b = op(c), op(f); finite(a); assert int(b.U10.isnull().sum()) == 3 * 720 and not b.V10.isnull().any()

@case(6, 'dask-misaligned', 'dask/dask#12583',
      'da.to_zarr with chunks that do not align with the dask chunks: several tasks wrote into one zarr chunk at once, the loser\'s quarter stayed zero.',
      'elevation has blocks of exact zeros (16x16, a quarter of a chunk) in five chunks: lost parallel writes, not terrain.', 'elevation')
class C6:
    def clean(p, g):
        z = field(g, 1, np.linspace(46, 47, 96), np.linspace(8, 9, 96), 1900, 0, 700, 4)[0].clip(250).astype('f4')
        r = zarr.open_group(p, mode='w', zarr_format=3); 
        a = r.create_array('elevation', shape=z.shape, chunks=(32, 32), dtype='f4', fill_value=0., dimension_names=('y', 'x'), attributes=dict(long_name='terrain height above sea level', standard_name='surface_altitude', units='m'))
        a[:] = z
    def fault(p, g):
        a = zarr.open_group(p, mode='r+')['elevation']
        for i, j in ((0, 1), (1, 3), (2, 4), (4, 1), (5, 5)): a[i * 16:i * 16 + 16, j * 16:j * 16 + 16] = 0
    def check(c, f):
        a, b = zarr.open_group(c, mode='r')['elevation'][:], zarr.open_group(f, mode='r')['elevation'][:]
        assert a.min() >= 250 and (b == 0).sum() == 5 * 256 and np.array_equal(a[b != 0], b[b != 0]); finite(op(c, consolidated=False))

# ---------- fill values
@case(7, 'zero-masked', 'ai2cm/fv3gfs-wrapper#85',
      'The array was created with zarr\'s default fill_value 0.0 (V2); xarray takes it as _FillValue, so true zeros (sea level) become NaN.',
      'surface_geopotential: fill_value 0 in .zarray although 0 is a real value (ocean): xarray masks these cells as NaN; fill_value should be null or NaN.', 'surface_geopotential|fill')
class C7:
    def mk(p, g, fv):
        n = 24; la, lo = np.linspace(-40, 40, n), np.linspace(305, 395, n)
        h = field(g, 1, la, lo, 0, 0, 900, 0)[0]; phis = np.where(h > 150, (h + g.normal(0, 5, h.shape)) * 9.80665, 0.)
        T = field(g, 6, la, lo, 300, 25, 3, .2); r = zarr.open_group(p, mode='w', zarr_format=2)
        r.attrs.update(dict(Conventions='CF-1.8', title='FV3GFS prognostic run, tile 1 regridded', institution='Vulcan Climate Modeling', source='fv3gfs-wrapper ZarrMonitor'))
        def add(nm, d, dims, fill, **at):
            a = r.create_array(nm, shape=d.shape, chunks=d.shape if d.ndim < 3 else (2,) + d.shape[1:], dtype=d.dtype, fill_value=fill); a[...] = d; a.attrs.update(dict(_ARRAY_DIMENSIONS=dims, **at))
        add('time', np.arange(6, dtype='i8') * 900, ['time'], None, units='seconds since 2016-08-01 00:15:00', calendar='proleptic_gregorian', standard_name='time', axis='T')
        add('lat', la, ['lat'], None, **lat_(la)[2]); add('lon', lo, ['lon'], None, **lon_(lo)[2])
        add('surface_geopotential', phis, ['lat', 'lon'], fv, units='m2 s-2', long_name='surface geopotential')
        add('surface_temperature', T, ['time', 'lat', 'lon'], None, units='K', standard_name='surface_temperature', long_name='surface temperature')
        zarr.consolidate_metadata(p)
    def clean(p, g): C7.mk(p, g, None)
    def fault(p, g): edit(p, 'surface_geopotential', lambda z: z.update(fill_value=0.0), '.zarray')
    def check(c, f):
        a, b = op(c), op(f); finite(a); z = a.surface_geopotential.values == 0
        assert .15 < z.mean() < .9 and np.array_equal(np.isnan(b.surface_geopotential.values), z)

@case(8, 'first-time-nat', 'zarr-developers/VirtualiZarr#352',
      'time has fill_value 0 while its first value is 0 (minutes since the first step): the first step decodes to NaT.',
      'time: fill_value 0 equals the valid first value 0 ("minutes since ..."), so the first time step becomes NaT; it should be null.', 'time|fill')
class C8:
    def clean(p, g):
        la, lo = np.arange(-5, 5.1, .5), np.arange(-60, -49.9, .625); t = pd.date_range('1980-01-03 00:30', periods=24, freq='h')
        ds = xr.Dataset({'T2M': (('time', 'lat', 'lon'), field(g, 24, la, lo, 299, 3, 1, .1, 3, 24).astype('f4'), dict(long_name='2-meter air temperature', standard_name='air_temperature', units='K')),
                         'PS': (('time', 'lat', 'lon'), field(g, 24, la, lo, 100500, 200, 150, 5).astype('f4'), dict(long_name='surface pressure', standard_name='surface_air_pressure', units='Pa'))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('MERRA-2 tavg1_2d_slv_Nx', 'NASA GMAO', 'MERRA2_100.tavg1_2d_slv_Nx.19800103'))
        write(ds, p, 2, dict(time=tenc('minutes since 1980-01-03 00:30:00', 'i4', chunks=(24,)), T2M=dict(chunks=(6, 21, 17)), PS=dict(chunks=(6, 21, 17))))
    def fault(p, g): edit(p, 'time', lambda z: z.update(fill_value=0), '.zarray')
    def check(c, f):
        a, b = op(c), op(f); finite(a); assert not a.time.isnull().any() and int(b.time.isnull().sum()) == 1 and bool(b.time.isnull()[0])

@case(9, 'land-1e37', 'fsspec/kerchunk#437',
      'The references lost the fill value: .zarray has fill_value null, so land cells show as 1e37 instead of missing.',
      'temp_sur holds 1e37 on land but declares no fill value (fill_value null, no _FillValue): the missing value is not masked.', 'temp_sur')
class C9:
    def mk(p, g):
        e, x = 24, 20; la = np.linspace(33, 38, e)[:, None] + np.zeros((1, x)); lo = np.linspace(-125, -119, x)[None] + np.linspace(0, 1.5, e)[::-1, None] * .5
        T = field(g, 3, la[:, 0], lo[0], 20, 8, .8, .05); land = lo > -120.9 - (la - 33) * .45; T[:, land] = 1e37
        r = zarr.open_group(p, mode='w', zarr_format=2); r.attrs.update(dict(Conventions='CF-1.8', title='West Coast OFS nowcast, surface fields', institution='NOAA/NOS', source='ROMS, netCDF-3 64bit offset, kerchunk'))
        def add(nm, d, dims, fill, ch=None, **at):
            a = r.create_array(nm, shape=d.shape, chunks=ch or d.shape, dtype=d.dtype, fill_value=fill, compressors=None); a[...] = d; a.attrs.update(dict(_ARRAY_DIMENSIONS=dims, **at))
        add('ocean_time', np.array([3600., 7200., 10800.], '>f8'), ['ocean_time'], None, units='seconds since 2024-03-19 03:00:00', calendar='proleptic_gregorian', standard_name='time', long_name='time since initialization', axis='T')
        add('lat_rho', la.astype('>f8'), ['eta_rho', 'xi_rho'], None, units='degrees_north', standard_name='latitude', long_name='latitude of RHO-points')
        add('lon_rho', lo.astype('>f8'), ['eta_rho', 'xi_rho'], None, units='degrees_east', standard_name='longitude', long_name='longitude of RHO-points')
        add('temp_sur', T.astype('>f4'), ['ocean_time', 'eta_rho', 'xi_rho'], float(np.float32(1e37)), (1, e, x), units='Celsius', standard_name='sea_surface_temperature', long_name='surface potential temperature', coordinates='lon_rho lat_rho', cell_methods='ocean_time: point')
        zarr.consolidate_metadata(p)
    def clean(p, g): C9.mk(p, g)
    def fault(p, g): edit(p, 'temp_sur', lambda z: z.update(fill_value=None), '.zarray')
    def check(c, f):
        a, b = op(c), op(f); n = int(a.temp_sur.isnull().sum())
        assert n > 100 and float(a.temp_sur.max()) < 30 and int((b.temp_sur > 1e36).sum()) == n and {'lat_rho', 'lon_rho'} <= set(a.coords)

# ---------- documents
@case(10, 'fill-null-v3', 'manzt/zarrita.js#352',
      'An array made with fill_value NaN by JavaScript: JSON.stringify wrote "fill_value": null in zarr.json, which V3 does not allow for float32 ("NaN" is meant).',
      'ndvi/zarr.json has "fill_value": null, not valid for float32 in Zarr V3 (should be "NaN").', 'ndvi|fill_value')
class C10:
    def clean(p, g):
        v = field(g, 1, np.linspace(44, 45, 40), np.linspace(3, 4, 48), .5, 0, .25, .02)[0].clip(-.1, .95).astype('f4'); v[:20, 24:] = np.nan
        r = zarr.open_group(p, mode='w', zarr_format=3); r.attrs.update(dict(title='NDVI tile', source='zarrita.js'))
        a = r.create_array('ndvi', shape=v.shape, chunks=(20, 24), dtype='f4', fill_value=np.nan, dimension_names=('y', 'x'), compressors=zarr.codecs.GzipCodec(level=5), config=dict(write_empty_chunks=True), attributes=dict(long_name='normalized difference vegetation index', standard_name='normalized_difference_vegetation_index', units='1'))
        a[:] = v
    def fault(p, g): edit(p, 'ndvi', lambda z: z.update(fill_value=None))
    def check(c, f):
        v = zarr.open_group(c, mode='r')['ndvi'][:]; assert np.isnan(v).sum() == 480 and 'ndvi/c/0/1' in files(c); op(c, consolidated=False)
        try: w = zarr.open_group(f, mode='r')['ndvi'][:]; assert (w[:20, 24:] == 0).all()
        except AssertionError: raise
        except Exception as e: assert 'null' in str(e).lower() or 'none' in str(e).lower() or 'fill' in str(e).lower(), e

@case(11, 'bare-nan-json', 'EOPF-Explorer/data-model#67',
      'The converter wrote "fill_value": NaN without quotes in zarr.json (arrays and consolidated copy): not JSON, strict parsers refuse the document.',
      'zarr.json of the float arrays (and the root\'s consolidated metadata) has a bare NaN as fill_value: invalid JSON; must be the string "NaN".', 'NaN|zarr.json')
class C11:
    def clean(p, g):
        n = 32; x, y = 300010. + 20 * np.arange(n), 4800000. - 20 * np.arange(n) - 10
        at = lambda b: dict(long_name=f'BOA reflectance from MSI acquisition at spectral band {b}', standard_name='surface_bidirectional_reflectance', units='1', grid_mapping='spatial_ref')
        ref = lambda m: (('y', 'x'), field(g, 1, np.linspace(43, 43.1, n), np.linspace(12, 12.1, n), m, 0, m / 3, .004)[0].clip(.001).astype('f4'))
        ds = xr.Dataset({b: (*ref(m), at(b)) for b, m in (('b05', .12), ('b11', .22), ('b12', .15))}, dict(y=('y', y, dict(standard_name='projection_y_coordinate', units='m', axis='Y')), x=('x', x, dict(standard_name='projection_x_coordinate', units='m', axis='X'))))
        import rioxarray
        ds = ds.rio.write_crs(32633); ds.attrs = dict(Conventions='CF-1.8', title='S2A_MSIL2A_20251025T095111_N0511_R079_T33SVB r20m')
        for b in ds.data_vars: ds[b].attrs.pop('grid_mapping', None); ds[b].encoding.update(grid_mapping='spatial_ref', chunks=(16, 16))
        for b in ds.coords: ds[b].encoding['_FillValue'] = None
        xr.DataTree.from_dict({'/': xr.Dataset(attrs=dict(title='S2 L2A GeoZarr')), '/measurements/reflectance/r20m': ds}).to_zarr(p, mode='w', zarr_format=3)
    def fault(p, g):
        for f in files(p):
            if f.endswith('zarr.json'):
                s = open(f'{p}/{f}').read(); open(f'{p}/{f}', 'w').write(s.replace('"fill_value": "NaN"', '"fill_value": NaN'))
    def check(c, f):
        no = lambda x: (_ for _ in ()).throw(ValueError('bare ' + x))
        a = op(c, group='measurements/reflectance/r20m', decode_coords='all'); finite(a); assert a.rio.crs.to_epsg() == 32633
        for q in files(c):
            if q.endswith('zarr.json'): json.loads(open(f'{c}/{q}').read(), parse_constant=no)
        bad = [q for q in files(f) if q.endswith('zarr.json') and 'fill_value": NaN' in open(f'{f}/{q}').read()]
        assert len(bad) == 6, bad; fails(lambda: json.loads(open(f'{f}/{bad[0]}').read(), parse_constant=no), 'bare')

@case(12, 'z5-gzip', 'constantinpape/z5#105',
      '.zarray says compressor gzip, but z5 wrote zlib streams (no gzip header and crc footer) into the chunks: zarr cannot decode them.',
      'volumes/raw: chunks are zlib streams (78 9c), not gzip as .zarray\'s compressor says; compressor should be zlib.', 'raw|gzip')
class C12:
    def clean(p, g):
        v = field(g, 20, np.linspace(0, 1, 40), np.linspace(0, 1, 40), 120, 0, 35, 2).clip(0, 255).astype('u1')
        r = zarr.open_group(p, mode='w', zarr_format=2).create_group('volumes')
        a = r.create_array('raw', shape=v.shape, chunks=(10, 20, 20), dtype='u1', fill_value=0, compressors=numcodecs.GZip(level=5)); a[:] = v; a.attrs.update(dict(resolution=[40.0, 4.0, 4.0], axes=['z', 'y', 'x']))
    def fault(p, g):
        d = f'{p}/volumes/raw'
        for k in os.listdir(d):
            if k[0] != '.': b = gzip.decompress(open(f'{d}/{k}', 'rb').read()); open(f'{d}/{k}', 'wb').write(zlib.compress(b, 6))
    def check(c, f):
        a = zarr.open_group(c, mode='r')['volumes/raw'][:]; assert a.mean() > 60 and len(files(f'{c}/volumes/raw')) == 10
        fails(lambda: zarr.open_group(f, mode='r')['volumes/raw'][:], 'gzip')

@case(13, 'zip-outer-folder', 'zarr-developers/zarr-python#756',
      'The directory store was zipped with its outer folder (zip -r x.zip x.zarr): all keys begin with era5_t2m.zarr/, no group at the zip\'s root.',
      'The zip has no Zarr metadata at its root: the store lies inside the folder era5_t2m.zarr/ of the archive.', 'era5_t2m.zarr')
class C13:
    zip = True
    def mk(p, g, pre):
        t = pd.date_range('2022-05-01', periods=12, freq='h'); la, lo = np.arange(52, 47, -.25), np.arange(5, 11, .25)
        ds = xr.Dataset({'t2m': (('time', 'lat', 'lon'), field(g, 12, la, lo, 295, 15, 2, .1, 3, 24).astype('f4'), dict(standard_name='air_temperature', long_name='2 metre temperature', units='K'))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('ERA5 hourly subset', 'ECMWF', 'ERA5'))
        tmp = f'{p}/tmp.zarr'; write(ds, tmp, 2, dict(time=tenc('hours since 1900-01-01', chunks=(12,)), t2m=dict(chunks=(6, 10, 12))))
        with zipfile.ZipFile(f'{p}/store.zip', 'w', zipfile.ZIP_STORED) as z:
            for q in files(tmp): z.writestr(zipfile.ZipInfo(pre + q, (2024, 5, 14, 10, 0, 0)), open(f'{tmp}/{q}', 'rb').read())
        shutil.rmtree(tmp)
    def clean(p, g): os.makedirs(p); C13.mk(p, g, '')
    def fault(p, g): C13.mk(p, g, 'era5_t2m.zarr/')
    def check(c, f):
        finite(xr.open_zarr(zarr.storage.ZipStore(f'{c}/store.zip', mode='r'))); fails(lambda: xr.open_zarr(zarr.storage.ZipStore(f'{f}/store.zip', mode='r')))
        assert all(n.startswith('era5_t2m.zarr/') for n in zipfile.ZipFile(f'{f}/store.zip').namelist())

@case(14, 'no-dimension-names', 'zarr-developers/zarr-python#2740',
      'A hierarchy written with zarr\'s own API without dimension names: xarray cannot open it.',
      'The arrays (streamflow, time, feature_id) have no dimension_names, so xarray cannot open the store.', 'dimension')
class C14:
    def clean(p, g):
        n, s = 96, 12; q = np.exp(g.normal(2, 1, s))[None] * (1 + .5 * np.sin(np.arange(n)[:, None] / 15 + g.uniform(0, 6, s)[None])) + g.gamma(2, .1, (n, s))
        r = zarr.open_group(p, mode='w', zarr_format=3); r.attrs.update(dict(Conventions='CF-1.8', title='Hourly streamflow at gauges', institution='state water survey'))
        def add(nm, d, dims, **at): r.create_array(nm, shape=d.shape, chunks=d.shape if d.ndim < 2 else (24, s), dtype=d.dtype, fill_value=0 if d.dtype.kind == 'i' else float('nan'), dimension_names=dims, attributes=at)[...] = d
        add('time', np.arange(n, dtype='i8'), ('time',), units='hours since 2023-10-01 00:00:00', calendar='proleptic_gregorian', standard_name='time', axis='T')
        add('feature_id', np.sort(g.integers(1e6, 9e6, s)), ('feature_id',), long_name='reach identifier')
        add('streamflow', q.astype('f4'), ('time', 'feature_id'), units='m3 s-1', standard_name='water_volume_transport_in_river_channel', long_name='river flow')
    def fault(p, g):
        for v in ('time', 'feature_id', 'streamflow'): edit(p, v, lambda z: z.pop('dimension_names'))
    def check(c, f): a = op(c, consolidated=False); finite(a); assert a.streamflow.dims == ('time', 'feature_id'); fails(lambda: op(f, consolidated=False), 'dimension')

@case(15, 'stale-zmetadata', 'xcube-dev/xcube#194',
      'The coordinate time was rewritten into one chunk (107) after the metadata had been consolidated: .zmetadata still says chunks [54].',
      '.zmetadata and time/.zarray disagree: consolidated metadata say chunks [54] for time, the array document (and the chunk) 107; opening consolidated fails to reshape.', 'time|metadata')
class C15:
    def clean(p, g):
        t = pd.date_range('2018-01-01', periods=107); la, lo = np.arange(52.5, 50, -.25), np.arange(0, 3, .25)
        ds = xr.Dataset({'conc_chl': (('time', 'lat', 'lon'), np.exp(field(g, 107, la, lo, .6, 0, .5, .05)).astype('f4'), dict(long_name='Chlorophyll concentration', standard_name='mass_concentration_of_chlorophyll_in_sea_water', units='mg m-3'))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('xcube demo cube', 'Brockmann Consult', 'Sentinel-3 OLCI L2'))
        write(ds, p, 2, dict(time=tenc('days since 1970-01-01', chunks=(107,)), conc_chl=dict(chunks=(54, 10, 12))))
    def fault(p, g): r = J(f'{p}/.zmetadata'); r['metadata']['time/.zarray']['chunks'] = [54]; W(f'{p}/.zmetadata', r)
    def check(c, f): finite(op(c)); fails(lambda: op(f), 'reshape', 'size', 'buffer'); finite(op(f, consolidated=False))

# ---------- images
def pyramid(a, n):
    out = [a]
    for _ in range(n - 1):
        b = out[-1].astype('f8'); b = (b[..., ::2, ::2] + b[..., 1::2, ::2] + b[..., ::2, 1::2] + b[..., 1::2, 1::2]) / 4; out.append(b.round().astype(a.dtype))
    return out
UN = dict(t='second', z='micrometer', y='micrometer', x='micrometer')
def axes(s): return [dict(name=c, type='channel') if c == 'c' else dict(name=c, type='time' if c == 't' else 'space', unit=UN[c]) for c in s]
def cells(g, shape, lo=110, hi=900, n=18):
    y, x = np.mgrid[:shape[-2], :shape[-1]]; im = np.full(shape, float(lo)); lab = np.zeros(shape[-2:], 'u2')
    for i in range(n):
        cy, cx, r = g.uniform(4, shape[-2] - 4), g.uniform(4, shape[-1] - 4), g.uniform(3, 6); d = ((y - cy) ** 2 + (x - cx) ** 2) / r ** 2
        im += np.exp(-d) * g.uniform(.4, 1) * (hi - lo); lab[d < 1] = i + 1
    return (im + g.normal(0, 4, shape)).clip(0, 65000).astype('u2'), lab
def omero(ch, mx=1200): return dict(channels=[dict(label=l, color=c, active=True, window=dict(min=0, max=65535, start=100, end=mx)) for l, c in ch], rdefs=dict(model='color'))
def ms(paths, ax, scales, version=None, name='image'):
    d = [dict(path=p, coordinateTransformations=[dict(type='scale', scale=[float(x) for x in s])]) for p, s in zip(paths, scales)]
    return [dict(**({'version': version} if version else {}), name=name, axes=axes(ax), datasets=d)]
def put(r, path, a, ch, fmt, ax, **k):
    kw = dict(dimension_names=list(ax)) if fmt == 3 else dict(chunk_key_encoding=dict(name='v2', separator='/'))
    z = r.create_array(path, shape=a.shape, chunks=ch, dtype=a.dtype, fill_value=0, **kw, **k); z[...] = a; return z
def validate(p, group=None):
    from ome_zarr_models import open_ome_zarr
    g = zarr.open_group(p, path=group, mode='r') if group else zarr.open_group(p, mode='r'); return open_ome_zarr(g)

@case(16, 'separator-lost', 'zarr-developers/zarr-python#1533',
      'Resizing the array dropped "dimension_separator": "/" from .zarray: readers look for 0.0.0 while the chunks lie in 0/0/0, everything reads as zero.',
      '0/.zarray lacks dimension_separator "/" although the chunk files are nested (0/0/0/..): the array reads as all fill value.', 'separator')
class C16:
    def clean(p, g):
        im = np.stack([cells(g, (1, 4, 48, 48))[0] for _ in range(3)]); r = zarr.open_group(p, mode='w', zarr_format=2)
        put(r, '0', im, (1, 1, 2, 24, 24), 2, 'tczyx')
        r.attrs.update(dict(multiscales=ms(['0'], 'tczyx', [[30, 1, .5, .108, .108]], '0.4'), omero=omero([('GFP', '00FF00')])))
    def fault(p, g): edit(p, '0', lambda z: z.pop('dimension_separator'), '.zarray')
    def check(c, f): validate(c); assert zarr.open_group(c, mode='r')['0'][:].min() > 50 and (zarr.open_group(f, mode='r')['0'][:] == 0).all()

@case(17, 'truncated-shard', 'czbiohub-sf/iohub#415',
      'A job killed in the middle of a write left one shard cut short: its index at the end is gone, reading fails with a checksum error.',
      'The shard 0/c/1/0/0/0/0 is truncated: its index (at the end) fails its checksum, so this time point cannot be read.', 'c/1/0/0/0/0')
class C17:
    def clean(p, g):
        im = np.stack([np.stack([cells(g, (4, 64, 64))[0] for _ in range(2)]) for _ in range(3)]); r = zarr.open_group(p, mode='w', zarr_format=3)
        put(r, '0', im, (1, 1, 2, 32, 32), 3, 'tczyx', shards=(1, 2, 4, 64, 64))
        r.attrs.update(dict(ome=dict(version='0.5', multiscales=ms(['0'], 'tczyx', [[60, 1, .4, .1494, .1494]]), omero=omero([('Phase3D', 'FFFFFF'), ('mCherry', 'FF0000')]))))
    def fault(p, g): q = f'{p}/0/c/1/0/0/0/0'; b = open(q, 'rb').read(); open(q, 'wb').write(b[:int(len(b) * .63)])
    def check(c, f):
        validate(c); assert zarr.open_group(c, mode='r')['0'][:].min() > 50; z = zarr.open_group(f, mode='r')['0']; z[0], z[2]; fails(lambda: z[1], 'checksum')

@case(18, 'truncated-chunk', 'zarr-developers/numcodecs#810',
      'One chunk was transferred only in part: blosc gets invalid data and decompression fails.',
      'hus: chunk 3.0.1 is cut short (shorter than its blosc header says) and cannot be decompressed.', 'hus|3.0.1')
class C18:
    def clean(p, g):
        t = pd.date_range('2015-01-01', periods=24, freq='h'); la, lo = np.arange(20.5, 30), np.arange(120.5, 140)
        ds = xr.Dataset({'hus': (('time', 'lat', 'lon'), field(g, 24, la, lo, .018, .012, .0015, .0001).clip(1e-5).astype('f4'), dict(standard_name='specific_humidity', long_name='Specific humidity', units='1'))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('ERA5 specific humidity at 1000 hPa', 'ECMWF', 'ERA5'))
        write(ds, p, 2, dict(time=tenc('hours since 1900-01-01', chunks=(24,)), hus=dict(chunks=(6, 10, 10), compressors=numcodecs.Blosc('lz4', 5, 1))))
    def fault(p, g): q = f'{p}/hus/3.0.1'; b = open(q, 'rb').read(); open(q, 'wb').write(b[:len(b) // 2])
    def check(c, f):
        finite(op(c)); b = open(f'{f}/hus/3.0.1', 'rb').read(); assert int.from_bytes(b[12:16], 'little') > len(b)
        nb = int.from_bytes(b[12:16], 'little')
        fails(lambda: numcodecs.Blosc().decode(b.ljust(nb, b'\0')), 'blosc'); op(f).hus[:18].load()   # unpadded, blosc reads past the buffer's end: mostly -1, sometimes old memory

@case(19, 'old-chunks', 'pydata/xarray#6743',
      'Overwritten with mode="w" and a new chunk size, but chunk files of the old chunking survived: some hold 10 steps where .zarray says 8.',
      'precip: chunk files 1.0.0 and 2.0.0 hold a block of the old chunk size (10x16x16), not of the chunks (8,16,16) in .zarray; they cannot be reshaped.', 'precip|chunk')
class C19:
    def clean(p, g):
        t = pd.date_range('2001-01-01', periods=32); la, lo = np.arange(-7.5, 8), np.arange(20.5, 36)
        C19.d = np.maximum(field(g, 32, la, lo, 3, 0, 4, .6), 0).astype('f4')
        ds = xr.Dataset({'precip': (('time', 'lat', 'lon'), C19.d, dict(standard_name='lwe_precipitation_rate', long_name='daily precipitation', units='mm day-1'))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('CHIRPS daily, regridded', 'UCSB CHC', 'CHIRPS 2.0'))
        write(ds, p, 2, dict(time=tenc('days since 1980-01-01', chunks=(32,)), precip=dict(chunks=(8, 16, 16), compressors=numcodecs.Zlib(level=6))))
    def fault(p, g):
        for k in (1, 2): open(f'{p}/precip/{k}.0.0', 'wb').write(zlib.compress(np.ascontiguousarray(C19.d[k * 10:k * 10 + 10]).tobytes(), 6))
    def check(c, f): finite(op(c)); fails(lambda: op(f).precip.load(), 'reshape', 'size', 'buffer'); op(f).precip[:8].load()

@case(20, 'append-one-var', 'pydata/xarray#10766',
      'Appending a dataset without one of the variables: wind_speed and time grew to 72, qc_flag stayed at 48; xarray can no longer open the store.',
      'The dimension time has conflicting sizes: qc_flag has 48, time and wind_speed have 72.', 'qc_flag|time')
class C20:
    def mk(p, g, both):
        t = pd.date_range('2024-01-10', periods=72, freq='10min'); w = (6 + 2 * np.sin(np.arange(72) / 9)[:, None] + g.gamma(2, .4, (72, 5))).astype('f4')
        ds = xr.Dataset({'wind_speed': (('time', 'station'), w, dict(standard_name='wind_speed', long_name='10 min mean wind speed', units='m s-1')),
                         'qc_flag': (('time', 'station'), (g.random((72, 5)) < .04).astype('i1'), dict(long_name='quality flag', standard_name='quality_flag', flag_values=[0, 1], flag_meanings='good suspect'))},
                        dict(time=time_(t), station=('station', np.array([101, 104, 117, 203, 220]), dict(long_name='station number'))), glob('Mast network', 'MPI-M', 'anemometers'))
        write(ds.isel(time=slice(0, 48)), p, 3, dict(time=tenc('minutes since 2024-01-01', chunks=(144,)), wind_speed=dict(chunks=(24, 5)), qc_flag=dict(chunks=(24, 5))), consolidated=False)
        b = ds.isel(time=slice(48, 72)); (b if both else b.drop_vars('qc_flag')).to_zarr(p, append_dim='time', consolidated=False)
    def clean(p, g): C20.mk(p, g, 1)
    def fault(p, g): shutil.rmtree(p); C20.mk(p, g, 0)
    def check(c, f): a = op(c, consolidated=False); finite(a); assert len(a.time) == 72 and set(np.unique(a.qc_flag)) == {0, 1}; fails(lambda: op(f, consolidated=False), 'conflicting')

@case(21, 'bf2raw-layout', 'ome/ome-ngff-validator#59',
      'QuPath wrote "bioformats2raw.layout": 3 on a root that is itself one multiscale image (s0, s1, s2): the layout promises images in /0, /1, which do not exist.',
      'Root attribute bioformats2raw.layout does not fit: the root is a single multiscales image with levels s0..s2, there is no image group 0 (and no OME group); remove the attribute.', 'bioformats2raw')
class C21:
    def clean(p, g):
        im = np.stack([cells(g, (96, 96))[0] for _ in range(3)]); r = zarr.open_group(p, mode='w', zarr_format=2)
        for i, a in enumerate(pyramid(im, 3)): put(r, f's{i}', a, (1, 32, 32) if i == 0 else (1,) + a.shape[1:], 2, 'cyx')
        r.attrs.update(dict(multiscales=ms(['s0', 's1', 's2'], 'cyx', [[1, .5 * 2 ** i, .5 * 2 ** i] for i in range(3)], '0.4', 'slide12.ndpi'), omero=omero([('Red', 'FF0000'), ('Green', '00FF00'), ('Blue', '0000FF')])))
    def fault(p, g): edit(p, '', lambda z: z.update({'bioformats2raw.layout': 3}), '.zattrs')
    def check(c, f): validate(c); assert zarr.open_group(f, mode='r').attrs['bioformats2raw.layout'] == 3 and '0' not in zarr.open_group(f, mode='r')

@case(22, 'labels-unlisted', 'ome/napari-ome-zarr#33',
      'The labels group has no "labels" attribute listing its members (cells, nuclei): viewers do not find the segmentations.',
      'labels/: the group\'s metadata lack the "labels" list, so labels/cells and labels/nuclei are not found.', 'labels')
class C22:
    def clean(p, g):
        im, lab = cells(g, (2, 64, 64)); r = zarr.open_group(p, mode='w', zarr_format=2)
        sc = lambda c: [[1] * c + [.325 * 2 ** i] * 2 for i in range(2)]
        for i, a in enumerate(pyramid(im, 2)): put(r, str(i), a, (1, 32, 32), 2, 'cyx')
        r.attrs.update(dict(multiscales=ms(['0', '1'], 'cyx', sc(1), '0.4', 'MMStack_Pos0'), omero=omero([('DAPI', '0000FF'), ('Cy5', 'FF00FF')])))
        L = r.create_group('labels'); L.attrs['labels'] = ['cells', 'nuclei']
        for nm, m in (('cells', lab), ('nuclei', np.where((lab > 0) & (im[0] > 350), lab, 0).astype('u2'))):
            q = L.create_group(nm)
            for i in range(2): put(q, str(i), m[::2 ** i, ::2 ** i], (32, 32), 2, 'yx')
            q.attrs.update({'multiscales': ms(['0', '1'], 'yx', sc(0), '0.4', nm), 'image-label': dict(version='0.4', source=dict(image='../../'))})
    def fault(p, g): os.remove(f'{p}/labels/.zattrs')
    def check(c, f):
        validate(c); validate(c, 'labels'); validate(c, 'labels/cells'); assert 'labels' not in zarr.open_group(f, mode='r')['labels'].attrs and 'nuclei' in zarr.open_group(f, mode='r')['labels']

@case(23, 'scale-on-time', 'acquire-project/acquire-zarr#85',
      'The pyramid\'s metadata double the scale along t instead of z for each level, although the arrays are halved in z, y, x.',
      'coordinateTransformations scale of levels 1 and 2 does not fit the arrays: it grows along t (size unchanged) and not along z (halved).', 'scale')
class C23:
    def clean(p, g):
        im = np.stack([np.stack([cells(g, (8, 48, 48))[0] for _ in range(2)]) for _ in range(2)]); r = zarr.open_group(p, mode='w', zarr_format=3); lv = [im]
        for _ in range(2): b = pyramid(lv[-1], 2)[1].astype('f8'); lv.append(((b[:, :, ::2] + b[:, :, 1::2]) / 2).round().astype('u2'))
        for i, a in enumerate(lv): put(r, str(i), a, (1, 1, 2, 24, 24) if i < 2 else (1, 1, 2, 12, 12), 3, 'tczyx')
        r.attrs.update(dict(ome=dict(version='0.5', multiscales=ms(['0', '1', '2'], 'tczyx', [[10, 1, 2. * 2 ** i, .5 * 2 ** i, .5 * 2 ** i] for i in range(3)]), omero=omero([('488', '00FF00'), ('561', 'FF8000')]))))
    def fault(p, g):
        def fn(z):
            for i, d in enumerate(z['attributes']['ome']['multiscales'][0]['datasets']): s = d['coordinateTransformations'][0]['scale']; s[0], s[2] = 10. * 2 ** i, 2.
        edit(p, '', fn)
    def check(c, f):
        validate(c); r = zarr.open_group(f, mode='r'); d = r.attrs['ome']['multiscales'][0]['datasets']
        assert [x['coordinateTransformations'][0]['scale'][0] for x in d] == [10, 20, 40] and [r[str(i)].shape[0] for i in range(3)] == [2] * 3 and [r[str(i)].shape[2] for i in range(3)] == [8, 4, 2]

@case(24, 'row-zgroup', 'fractal-analytics-platform/fractal-tasks-core#780',
      'The projection task wrote the plate without the row group\'s .zgroup: B/ is only a folder, B/03 and B/05 under it are groups.',
      'Row B of the plate has no .zgroup document (B/.zgroup missing), though the wells B/03 and B/05 under it are groups.', '.zgroup')
class C24:
    def clean(p, g):
        r = zarr.open_group(p, mode='w', zarr_format=2)
        r.attrs['plate'] = dict(version='0.4', name='myplate_mip.zarr', rows=[dict(name='B')], columns=[dict(name='03'), dict(name='05')], acquisitions=[dict(id=0, name='acq0')], field_count=1,
                                wells=[dict(path='B/03', rowIndex=0, columnIndex=0), dict(path='B/05', rowIndex=0, columnIndex=1)])
        B = r.create_group('B')
        for w in ('03', '05'):
            W_ = B.create_group(w); W_.attrs['well'] = dict(version='0.4', images=[dict(path='0', acquisition=0)]); q = W_.create_group('0'); im = np.stack([cells(g, (1, 64, 64))[0] for _ in range(2)])
            for i, a in enumerate(pyramid(im, 2)): put(q, str(i), a, (1, 1, 32, 32), 2, 'czyx')
            q.attrs.update(dict(multiscales=ms(['0', '1'], 'czyx', [[1, 1, .1625 * 2 ** i, .1625 * 2 ** i] for i in range(2)], '0.4', f'B{w}'), omero=omero([('DAPI', '00FFFF'), ('nanog', 'FF00FF')])))
    def fault(p, g): os.remove(f'{p}/B/.zgroup')
    def check(c, f):
        validate(c); validate(c, 'B/03'); validate(c, 'B/03/0'); assert 'B' in zarr.open_group(c, mode='r'); fails(lambda: zarr.open_group(f, path='B', mode='r', zarr_format=2))

# ---------- CF metadata, tables
@case(25, 'no-grid-mapping', 'pydata/xarray#6288',
      'The data variable lost its grid_mapping attribute: the CRS in spatial_ref is not tied to it, var.rio.crs is None.',
      'dem has no grid_mapping attribute though the store has the CRS variable spatial_ref: no CRS for the data.', 'spatial_ref')
class C25:
    def clean(p, g):
        import rioxarray
        n, m = 48, 40; y, x = 5213985. - 30 * np.arange(n), 410015. + 30 * np.arange(m)
        ds = xr.Dataset({'dem': (('y', 'x'), field(g, 1, np.linspace(47, 47.1, n), np.linspace(7, 7.1, m), 820, 0, 160, 1)[0].astype('f4'), dict(long_name='surface height', standard_name='surface_altitude', units='m'))},
                        dict(y=('y', y), x=('x', x)), glob('DEM tile', 'swisstopo', 'reprojected with rioxarray')).rio.write_crs(32632).rio.write_transform()
        ds.y.attrs = dict(axis='Y', long_name='y coordinate of projection', standard_name='projection_y_coordinate', units='metre'); ds.x.attrs = dict(axis='X', long_name='x coordinate of projection', standard_name='projection_x_coordinate', units='metre')
        write(ds, p, 3, dict(dem=dict(chunks=(24, 20))))
    def fault(p, g): edit(p, 'dem', lambda z: z['attributes'].pop('grid_mapping'))
    def check(c, f):
        a, b = op(c, decode_coords='all'), op(f, decode_coords='all'); finite(a); assert a.dem.rio.crs.to_epsg() == 32632 and 'spatial_ref' in a.coords and 'spatial_ref' not in b.dem.coords and 'spatial_ref' in b.variables and 'grid_mapping' not in b.dem.attrs

@case(26, 'lon-all-nan', 'pangeo-data/pangeo-datastore#137',
      'The longitude coordinate of a CMIP6 store is all NaN.',
      'The coordinate lon has only NaN values (48 of 48): longitude is lost.', 'lon|NaN')
class C26:
    def clean(p, g):
        t = pd.date_range('2015-01-01 01:30', periods=16, freq='3h'); la, lo = np.linspace(-88, 88, 24), np.arange(0, 360, 7.5)
        ds = xr.Dataset({'vas': (('time', 'lat', 'lon'), field(g, 16, la, lo, 0, 0, 4, .4).astype('f4'), dict(standard_name='northward_wind', long_name='Northward Near-Surface Wind', units='m s-1', cell_methods='area: mean time: point'))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo), height=((), 10., dict(standard_name='height', long_name='height', units='m', positive='up', axis='Z'))),
                        dict(Conventions='CF-1.7 CMIP-6.2', title='EC-Earth3 output prepared for CMIP6', institution='EC-Earth-Consortium', source_id='EC-Earth3', experiment_id='ssp245', variable_id='vas', table_id='3hr', frequency='3hrPt', variant_label='r1i1p1f1', grid_label='gr'))
        write(ds, p, 2, dict(time=tenc('minutes since 1850-01-01', chunks=(16,)), vas=dict(chunks=(8, 24, 48))))
    def fault(p, g): zarr.open_group(p, mode='r+')['lon'][:] = np.nan
    def check(c, f): a, b = op(c), op(f); finite(a); finite(a.coords.to_dataset(), 'lon', 'lat'); assert b.lon.isnull().all() and np.array_equal(a.vas.values, b.vas.values)

@case(27, 'case-clash-column', 'scverse/anndata#2576',
      'obs had the columns "Study" and "study"; on a case-insensitive file system the second overwrote the first: one folder obs/Study is left (with the data of study), column-order still lists both.',
      'obs/column-order names the column "study", but obs has no such member (only "Study"): the two names differ only in case and one was overwritten.', 'study|obs')
class C27:
    def clean(p, g):
        import anndata as ad, scipy.sparse as sp
        n, m = 60, 40; X = sp.csr_matrix(g.poisson(g.gamma(.6, .8, m)[None].repeat(n, 0)).astype('f4'))
        obs = pd.DataFrame({'Study': pd.Categorical(g.choice(['Mathys2019', 'Mathys2023', 'Green2024'], n)), 'study': pd.Categorical(g.choice(['ROS', 'MAP'], n)), 'total_counts': np.asarray(X.sum(1)).ravel()}, index=[''.join(g.choice(list('ACGT'), 16)) + '-1' for _ in range(n)])
        ad.AnnData(X=X, obs=obs, var=pd.DataFrame(dict(mean_counts=np.asarray(X.mean(0)).ravel()), index=[f'ENSG{i:011d}' for i in g.choice(99999, m, False)]), obsm=dict(X_pca=g.normal(0, 1, (n, 5)).astype('f4'))).write_zarr(p)
    def fault(p, g):
        shutil.rmtree(f'{p}/obs/Study'); os.rename(f'{p}/obs/study', f'{p}/obs/Study'); r = J(f'{p}/zarr.json'); m = r['consolidated_metadata']['metadata']
        for q in [q for q in m if q == 'obs/study' or q.startswith('obs/study/')]: m['obs/Study' + q[9:]] = m.pop(q)
        W(f'{p}/zarr.json', r)
    def check(c, f):
        import anndata as ad
        a = ad.read_zarr(c); assert {'Study', 'study'} <= set(a.obs) and np.isfinite(a.X.toarray()).all() and set(a.obs.Study) != set(a.obs.study); fails(lambda: ad.read_zarr(f), 'study')

@case(28, 'bounds-missing', 'xarray-contrib/cf-xarray#144',
      'time has the attribute bounds="time_bnds", but no variable time_bnds is in the store.',
      'time\'s bounds attribute points to time_bnds, which does not exist.', 'time_bnds')
class C28:
    def clean(p, g):
        t = pd.date_range('2000-01-01', periods=13, freq='MS'); la, lo = np.linspace(-85, 85, 18), np.arange(0, 360, 15.)
        mid = t[:-1] + (t[1:] - t[:-1]) / 2; b = np.stack([t[:-1], t[1:]], 1)
        ds = xr.Dataset({'TS': (('time', 'lat', 'lon'), field(g, 12, la, lo, 300, 45, 3, .3).astype('f4'), dict(standard_name='surface_temperature', long_name='Surface temperature (radiative)', units='K', cell_methods='time: mean')), 'time_bnds': (('time', 'nbnd'), b)},
                        dict(time=('time', mid, dict(standard_name='time', long_name='time', axis='T', bounds='time_bnds')), lat=lat_(la), lon=lon_(lo)), glob('CESM monthly surface temperature', 'NCAR', 'CAM6'))
        write(ds, p, 3, dict(time=tenc('hours since 1999-12-01', chunks=(12,)), time_bnds=tenc('hours since 1999-12-01'), TS=dict(chunks=(6, 18, 24))))
    def fault(p, g):
        shutil.rmtree(f'{p}/time_bnds'); r = J(f'{p}/zarr.json'); r.get('consolidated_metadata', {}).get('metadata', {}).pop('time_bnds', 0); W(f'{p}/zarr.json', r)
    def check(c, f):
        import cf_xarray
        a, b = op(c), op(f); finite(a, 'TS'); assert a.cf.bounds.get('time') == ['time_bnds'] and 'time_bnds' not in b.variables and b.time.attrs['bounds'] == 'time_bnds' and not a.time_bnds.isnull().any()
        assert ((a.time_bnds[:, 0] < a.time) & (a.time < a.time_bnds[:, 1])).all()

@case(29, 'celsius-as-kelvin', 'dynamical-org/reformatters#307',
      'temperature_2m holds degrees Celsius, its units attribute says K.',
      'temperature_2m has values from about -27 to 38, impossible as K: the units attribute is wrong (values are degrees Celsius).', 'temperature_2m|unit')
class C29:
    def clean(p, g):
        t = pd.date_range('2025-11-01', periods=8, freq='3h'); la, lo = np.linspace(85, -85, 35), np.arange(-180, 180, 10.)
        la_ = la[:, None] + 0 * lo; T = field(g, 8, la, lo, 31, 48, 5, .3)
        ds = xr.Dataset({'temperature_2m': (('time', 'lat', 'lon'), T.astype('f4'), dict(standard_name='air_temperature', long_name='2 metre temperature', short_name='2t', units='degree_Celsius', step_type='instant')),
                         'pressure_surface': (('time', 'lat', 'lon'), field(g, 8, la, lo, 101300, 1500, 900, 10).astype('f4'), dict(standard_name='surface_air_pressure', long_name='Surface pressure', short_name='sp', units='Pa', step_type='instant'))},
                        dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('ECMWF IFS ENS analysis', 'ECMWF', 'IFS'))
        write(ds, p, 3, dict(time=tenc('seconds since 1970-01-01', chunks=(8,)), temperature_2m=dict(chunks=(4, 18, 18)), pressure_surface=dict(chunks=(4, 18, 18))))
    def fault(p, g): edit(p, 'temperature_2m', lambda z: z['attributes'].update(units='K'))
    def check(c, f): a, b = op(c), op(f); finite(a); assert -40 < float(a.temperature_2m.min()) < 5 < float(a.temperature_2m.max()) < 45 and b.temperature_2m.units == 'K' and a.temperature_2m.units != 'K'

@case(30, 'int16-wrapped', 'pydata/xarray#5490',
      'Files with different packing were merged; scale_factor and add_offset of the first file were kept, so values above its range wrapped around in int16 (warm cells jump to the cold end).',
      't2m: packed int16 values wrapped over: cells above 300.8 K in the last six days fell to the lower end of the range (about 282 to 285 K); scale_factor/add_offset too narrow.', 't2m')
class C30:
    def clean(p, g):
        t = pd.date_range('2019-04-26', periods=12); la, lo = np.arange(45, 40, -.25), np.arange(-8, 0, .25)
        C30.d = field(g, 12, la, lo, 318, 41, 3.5, .15) + np.linspace(0, 5, 12)[:, None, None]
        ds = xr.Dataset({'t2m': (('time', 'lat', 'lon'), C30.d, dict(standard_name='air_temperature', long_name='2 metre temperature', units='K'))}, dict(time=time_(t), lat=lat_(la), lon=lon_(lo)), glob('ERA5 daily, two months merged', 'ECMWF', 'ERA5, CDS netCDF'))
        lo_, hi = C30.d.min(), C30.d.max(); write(ds, p, 2, dict(time=tenc('hours since 1900-01-01', chunks=(12,)), t2m=dict(dtype='i2', scale_factor=float((hi - lo_) / 65000), add_offset=float((hi + lo_) / 2), _FillValue=-32767, chunks=(4, 20, 32))))
    def fault(p, g):
        d = C30.d; lo_, hi = d.min(), d[:6].max(); sf, ao = float((hi - lo_) / 65500), float((hi + lo_) / 2)
        zarr.open_group(p, mode='r+')['t2m'][:] = np.rint((d - ao) / sf).astype('i8').astype('i2'); edit(p, 't2m', lambda z: z.update(scale_factor=sf, add_offset=ao), '.zattrs')
    def check(c, f):
        a, b = op(c).t2m, op(f).t2m; assert np.abs(a.values - C30.d).max() < 1e-2 and np.abs(b[:6].values - C30.d[:6]).max() < 1e-2
        w = np.abs(b.values - C30.d) > 5; assert 20 < w.sum() < .4 * w.size and not w[:6].any(), w.sum()

# ---------- build
def packed(p):
    b = io.BytesIO()
    with tarfile.open(fileobj=b, mode='w:gz') as t: t.add(p, arcname='s')
    return len(b.getvalue())
def build(n):
    k = CASES[n]; d = f'{OUT}/{k.name}'; shutil.rmtree(d, ignore_errors=True); os.makedirs(d); c, f = f'{d}/clean', f'{d}/fault'
    k.clean(c, rng(n)); shutil.copytree(c, f); k.fault(f, rng(n)); k.check(c, f)
    for p in (c, f):
        assert packed(p) < 200_000 and len(files(p)) <= 300, (packed(p), len(files(p)))
    return f'{packed(f)//1000} kB, {len(files(f))} files'
if __name__ == '__main__':
    os.makedirs(OUT, exist_ok=True); bad = []
    todo = [int(x) for x in sys.argv[1:]] or sorted(CASES)
    for n in todo:
        try: print('ok  ', CASES[n].name, build(n), flush=True)
        except Exception as e:
            import traceback; bad.append(n); print('FAIL', CASES[n].name, repr(e)[:300], traceback.format_exc().strip().splitlines()[-3:-1])
    W(f'{OUT}/cases.json', {k.name: k.words for _, k in sorted(CASES.items())})
    with open(f'{OUT}/answers.md', 'w') as o:
        o.write('| NN | thread | fault | what a good answer names |\n| --- | --- | --- | --- |\n')
        for n, k in sorted(CASES.items()): o.write(f'| {k.name} | {k.thread} | {k.text} | {k.answer} |\n'.replace(' | | ', ' | '))
    print(f'{len(todo) - len(bad)} of {len(todo)} checks passed', bad or '')
