"""Thirty small Zarr stores with one real-world fault each, and a clean twin of each.
Run: /work/venv/bin/python3 /tmp/blind19/blind19.py [slug ...]"""
import json, os, shutil, struct, sys, warnings, zlib
from pathlib import Path
import numpy as np, pandas as pd, xarray as xr, zarr
import numcodecs
warnings.filterwarnings("ignore")
OUT = Path("/tmp/blind19")
CASES = {}
ONLY = set(sys.argv[1:])


def case(slug, kind, thread, keywords, fault, say, healthy):
    def deco(fn):
        assert slug not in CASES, slug
        CASES[slug] = dict(kind=kind, thread=thread, keywords=keywords, fault=fault, say=say, healthy=healthy, fn=fn)
        return fn
    return deco


# ----------------------------------------------------------------- helpers
def rd(p): return json.loads(Path(p).read_text())
def wr(p, d):
    """Write a JSON document with the indentation the file had before."""
    p = Path(p); p.parent.mkdir(parents=True, exist_ok=True)
    t = p.read_text() if p.exists() else "{\n    "
    n = t[1:].split('"')[0].count(" ") if t.startswith("{\n") else None
    p.write_text(json.dumps(d, indent=n))
def twin(clean, fault): shutil.copytree(clean, fault)


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
            cm[path] = d; wr(store/"zarr.json", root)


def save(ds, path, v, enc=None, consolidated=None):
    enc = {k: dict(e) for k, e in (enc or {}).items()}
    for n in ds.variables:
        e = enc.setdefault(n, {})
        if n in ds.coords and "_FillValue" not in e: e["_FillValue"] = None
    ds.to_zarr(path, mode="w", zarr_format=v, encoding=enc, consolidated=True if consolidated is None else consolidated)


def smooth(r, *shape, n=2):
    """A smooth random field, mean 0, standard deviation 1, over the last two axes."""
    from scipy.ndimage import gaussian_filter
    a = r.normal(size=shape)
    s = [0]*(len(shape) - 2) + [max(1, shape[-2]/(4*n)), max(1, shape[-1]/(4*n))]
    if len(shape) > 2: s[-3] = 1.5
    a = gaussian_filter(a, s, mode="wrap")
    return (a - a.mean())/a.std()


BLOSC = lambda cname="lz4", shuffle=1: numcodecs.Blosc(cname=cname, clevel=5, shuffle=shuffle)


def arr2(g, name, data, chunks=None, dims=None, comp="blosc", fill=0, sep=".", attrs=None, **kw):
    """A Zarr 2 array."""
    data = np.asarray(data)
    comp = BLOSC() if comp == "blosc" else comp
    a = g.create_array(name, shape=data.shape, dtype=data.dtype, chunks=chunks or data.shape or (), compressors=comp,
                       fill_value=fill, chunk_key_encoding={"name": "v2", "separator": sep}, **kw)
    a[...] = data
    at = dict(attrs or {})
    if dims is not None: at["_ARRAY_DIMENSIONS"] = list(dims)
    if at: a.attrs.update(at)
    return a


def str2(g, name, values, attrs=None, dims=None):
    """A Zarr 2 array of texts (vlen-utf8)."""
    v = np.asarray(values, dtype=object)
    a = g.create_array(name, shape=v.shape, dtype=str, chunks=v.shape or (), compressors=BLOSC())
    a[...] = v.astype(np.dtypes.StringDType()) if v.shape else str(v)
    at = dict(attrs or {})
    if dims is not None: at["_ARRAY_DIMENSIONS"] = list(dims)
    if at: a.attrs.update(at)
    return a


def hdr(a, **kw): a.attrs.update(kw); return a


def mean2(a, fy=2, fx=2):
    """2x2 mean over the last two axes; odd edges take what is there."""
    y, x = a.shape[-2:]
    py, px = -y % fy, -x % fx
    b = np.pad(a.astype(float), [(0, 0)]*(a.ndim - 2) + [(0, py), (0, px)], constant_values=np.nan)
    b = b.reshape(*a.shape[:-2], (y + py)//fy, fy, (x + px)//fx, fx)
    return np.nanmean(b, axis=(-3, -1))


def cells(r, h, w, n, lo=110, amp=1800, noise=8):
    """A fluorescence picture: n round cells over a dark background (uint16)."""
    yy, xx = np.mgrid[:h, :w]
    a = np.full((h, w), float(lo))
    for _ in range(n):
        cy, cx, s = r.uniform(0, h), r.uniform(0, w), r.uniform(3, 8)
        a += amp*r.uniform(.3, 1)*np.exp(-((yy - cy)**2 + (xx - cx)**2)/(2*s*s))
    return np.clip(a + r.normal(0, noise, a.shape), 0, 65535)


# ================================================================= A: relations
@case("01-svs-pyramid-scale", "A", "glencoesoftware/bioformats2raw#320", "scale|coordinateTransformations",
      "The levels of the whole-slide pyramid are 4x and 16x smaller than level 0 (the slide's own resolutions were kept), but their scale only doubles: 0.253, 0.506, 1.012 where 0.253, 1.012, 4.048 would fit the shapes.",
      "Dataset 1 is 4 times smaller than dataset 0 in y and x, but its scale is only 2 times larger (0.506, expected 1.012); dataset 2 likewise (16 against 4).",
      "Pyramids with factor 4 whose scale also grows by 4; a level cropped on purpose.")
def _(c, f):
    r = np.random.default_rng(1901)
    g = zarr.open_group(c, mode="w", zarr_format=2, attributes={"bioformats2raw.layout": 3})
    o = g.create_group("OME", attributes={"series": ["0"]})
    s = g.create_group("0")
    H, W = 512, 448
    base = 232 + 4*smooth(r, H, W, n=8)
    tis = smooth(r, H, W, n=3) > .2
    rgb = np.stack([np.where(tis, 205 + 14*smooth(r, H, W, n=40), base), np.where(tis, 150 + 22*smooth(r, H, W, n=40), base),
                    np.where(tis, 190 + 12*smooth(r, H, W, n=40), base)])
    rgb = np.clip(np.round(rgb/2)*2, 0, 255).astype("u1")[None, :, None]
    lv = [rgb, np.round(mean2(rgb, 4, 4)).astype("u1"), np.round(mean2(rgb, 16, 16)).astype("u1")]
    for i, a in enumerate(lv):
        arr2(s, str(i), a, chunks=(1, 1, 1, min(256, a.shape[3]), min(256, a.shape[4])), sep="/")
    ax = [{"name": "t", "type": "time"}, {"name": "c", "type": "channel"}] + [{"name": n, "type": "space", "unit": "micrometer"} for n in "zyx"]
    sc = lambda k: [{"type": "scale", "scale": [1.0, 1.0, 1.0, k, k]}]
    s.attrs.update({"multiscales": [{"version": "0.4", "name": "77917", "axes": ax, "metadata": {"method": "loci.common.image.SimpleImageScaler", "version": "Bio-Formats 8.1.1"},
                    "datasets": [{"path": "0", "coordinateTransformations": sc(0.253)}, {"path": "1", "coordinateTransformations": sc(1.012)}, {"path": "2", "coordinateTransformations": sc(4.048)}]}],
                    "omero": {"channels": [{"label": l, "color": k, "active": True, "coefficient": 1, "family": "linear", "inverted": False, "window": {"min": 0.0, "max": 255.0, "start": 0.0, "end": 255.0}}
                                           for l, k in zip(("Red", "Green", "Blue"), ("FF0000", "00FF00", "0000FF"))], "rdefs": {"defaultT": 0, "defaultZ": 0, "model": "color"}}})
    Path(c, "OME/METADATA.ome.xml").write_text(f'<?xml version="1.0" encoding="UTF-8"?><OME xmlns="http://www.openmicroscopy.org/Schemas/OME/2016-06"><Image ID="Image:0" Name="77917.svs"><Pixels ID="Pixels:0" DimensionOrder="XYZCT" Type="uint8" SizeX="{W}" SizeY="{H}" SizeZ="1" SizeC="3" SizeT="1" PhysicalSizeX="0.253" PhysicalSizeXUnit="µm" PhysicalSizeY="0.253" PhysicalSizeYUnit="µm"><Channel ID="Channel:0:0" SamplesPerPixel="3"/><MetadataOnly/></Pixels></Image></OME>', encoding="utf-8")
    twin(c, f)
    def e(d):
        for i, k in ((1, 0.506), (2, 1.012)): d["multiscales"][0]["datasets"][i]["coordinateTransformations"] = sc(k)
    edit(f, "0", ".zattrs", e)


@case("02-era5-time1-bounds", "A", "planet-os/notebooks#4", "time1_bounds",
      "precipitation_amount_1hour_Accumulation is an hourly sum on an hourly time1, but time1_bounds span 3 hours each ([t-3h, t]), so that the intervals overlap and contradict the variable's name and cell_methods.",
      "The intervals of time1_bounds are 3 h long while time1 steps by 1 h (they overlap) and precipitation_amount_1hour_Accumulation is summed over 1 hour.",
      "Running means or trailing 3-hour sums, whose bounds overlap rightly (cell_methods then says so).")
def _(c, f):
    r = np.random.default_rng(1902)
    nt, ny, nx = 96, 25, 36
    t0 = pd.date_range("2014-06-01T07:00", periods=nt, freq="h"); ta = pd.date_range("2014-06-01T07:00", periods=nt, freq="h")
    lat = np.linspace(56, 50, ny); lon = np.linspace(4, 12.75, nx)
    w = smooth(r, nt, ny, nx, n=2)
    pr = np.where(w > .9, (w - .9)*1.2e-3, 0).astype("f4")
    t2 = (287 + 5*np.sin(2*np.pi*(np.arange(nt) - 2)/24)[:, None, None] - .4*(lat[None, :, None] - 53) + .8*smooth(r, nt, ny, nx)).astype("f4")
    b = np.stack([t0 - pd.Timedelta("1h"), t0], 1)
    u = "hours since 1900-01-01T00:00:00"
    ds = xr.Dataset({
        "precipitation_amount_1hour_Accumulation": (("time1", "lat", "lon"), pr, {"long_name": "Total precipitation", "nameECMWF": "Total precipitation", "shortNameECMWF": "tp", "standard_name": "lwe_thickness_of_precipitation_amount", "units": "m", "product_type": "forecast", "cell_methods": "time1: sum (interval: 1 hour)"}),
        "air_temperature_at_2_metres": (("time0", "lat", "lon"), t2, {"long_name": "2 metre temperature", "nameECMWF": "2 metre temperature", "shortNameECMWF": "2t", "standard_name": "air_temperature", "units": "K", "product_type": "analysis"}),
        "time1_bounds": (("time1", "nv"), b)},
        coords={"time0": ("time0", ta, {"standard_name": "time"}), "time1": ("time1", t0, {"standard_name": "time", "bounds": "time1_bounds"}),
                "lat": ("lat", lat.astype("f4"), {"standard_name": "latitude", "long_name": "latitude", "units": "degrees_north"}), "lon": ("lon", lon.astype("f4"), {"standard_name": "longitude", "long_name": "longitude", "units": "degrees_east"})},
        attrs={"Conventions": "CF-1.6", "institution": "ECMWF", "source": "Reanalysis", "title": "ERA5 hourly, single levels"})
    enc = {"time0": {"units": u, "dtype": "i8"}, "time1": {"units": u, "dtype": "i8"}, "time1_bounds": {"units": u, "dtype": "i8", "_FillValue": None}}
    enc |= {n: {"chunks": (48, ny, nx), "compressors": BLOSC("zstd")} for n in ("precipitation_amount_1hour_Accumulation", "air_temperature_at_2_metres")}
    ds["time1_bounds"].encoding["units"] = u; ds["time1"].encoding["units"] = u
    save(ds, c, 2, enc); twin(c, f)
    a = zarr.open_group(f, mode="r+")["time1_bounds"]; v = a[:]; v[:, 0] = v[:, 1] - 3; a[:] = v


@case("03-iohub-half-level", "A", "czbiohub-sf/iohub#425", "level 1|downsampl",
      "Level 1 of the pyramid of a picture with odd X (205) is the y-mean of the leftmost 103 columns of level 0, not a 2x2 mean of the whole picture: the right half is missing and the left half is stretched.",
      "Level 1 is not a downsampled level 0: it agrees with the left half of level 0 (columns 0..102) at full x resolution.",
      "Levels made by another method (nearest, Gaussian, maximum), which still correlate with level 0 at the same place.")
def _(c, f):
    r = np.random.default_rng(1903)
    T, C, Z, Y, X = 1, 2, 3, 180, 205
    a = np.empty((T, C, Z, Y, X), "f4")
    for z in range(Z):
        p = cells(r, Y, X, 40); a[0, 0, z] = 1000 + .06*p + r.normal(0, 3, p.shape); a[0, 1, z] = cells(r, Y, X, 25)
    a = a.round(1).astype("f4")
    g = zarr.open_group(c, mode="w", zarr_format=3)
    L1 = mean2(a).astype("f4")
    bad = np.nanmean(a[..., :103].reshape(T, C, Z, 90, 2, 103), axis=-2).astype("f4")
    for n, d in (("0", a), ("1", L1)):
        z = g.create_array(n, shape=d.shape, dtype="f4", chunks=(1, 1, 1, 90, 103), shards=(1, 1, 3, 180, 206) if n == "0" else (1, 1, 3, 90, 103), compressors=zarr.codecs.BloscCodec(cname="zstd", clevel=1, shuffle="bitshuffle"), dimension_names=list("TCZYX"), fill_value=0)
        z[:] = d
    ax = [{"name": "T", "type": "time", "unit": "second"}, {"name": "C", "type": "channel"}] + [{"name": n, "type": "space", "unit": "micrometer"} for n in "ZYX"]
    win = lambda s, e: {"start": s, "end": e, "min": 0.0, "max": 65535.0}
    g.attrs.update({"ome": {"version": "0.5", "multiscales": [{"name": "0", "axes": ax, "coordinateTransformations": [{"type": "scale", "scale": [1.0, 1.0, 0.5, 0.325, 0.325]}],
                     "datasets": [{"path": "0", "coordinateTransformations": [{"type": "scale", "scale": [1.0]*5}]}, {"path": "1", "coordinateTransformations": [{"type": "scale", "scale": [1.0, 1.0, 1.0, 2.0, 2.0]}]}]}],
                     "omero": {"id": 0, "name": "0", "version": "0.5", "channels": [{"label": "Phase3D", "color": "FFFFFF", "active": True, "coefficient": 1.0, "family": "linear", "inverted": False, "window": win(950.0, 1150.0)}, {"label": "mCherry", "color": "FF0000", "active": True, "coefficient": 1.0, "family": "linear", "inverted": False, "window": win(100.0, 2000.0)}], "rdefs": {"defaultT": 0, "defaultZ": 1, "model": "color", "projection": "normal"}}}})
    twin(c, f)
    zarr.open_group(f, mode="r+")["1"][:] = bad


@case("04-sorting-unit-order", "A", "SpikeInterface/spikeinterface#4791", "templates|unit_ids",
      "After select_units() with another order, unit_ids, spikes and unit_locations follow the new order, but the templates and the sparsity_mask are still in the parent's order: unit i carries another unit's template.",
      "The peak channel of extensions/templates/average (and sparsity_mask) row i lies far from unit_locations row i: templates and sparsity_mask do not follow unit_ids.",
      "Units whose centre of mass lies between channels (tens of micrometres), drifting probes.")
def _(c, f):
    r = np.random.default_rng(1904)
    nu, nc, ns, fs = 12, 32, 60, 30000.0
    pos = np.stack([np.where(np.arange(nc) % 2, 16., 48.), 20.*(np.arange(nc)//2)], 1)
    pk = r.permutation(nc)[:nu]
    tt = (np.arange(ns) - 20)/6
    wf = -np.exp(-tt**2) + .35*np.exp(-((tt - 3)/2)**2)
    tmpl = np.zeros((nu, ns, nc), "f4"); amp = r.uniform(60, 160, nu)
    for i in range(nu):
        d = np.hypot(*(pos - pos[pk[i]]).T); tmpl[i] = amp[i]*np.exp(-(d/28)**2)[None]*wf[:, None]
    tmpl += r.normal(0, .4, tmpl.shape).astype("f4")
    std = np.abs(r.normal(4, .4, tmpl.shape)).astype("f4")
    mask = np.array([np.hypot(*(pos - pos[p]).T) < 60 for p in pk])
    tmpl[~np.repeat(mask[:, None], ns, 1)] = 0; std[~np.repeat(mask[:, None], ns, 1)] = 0
    ul = np.column_stack([pos[pk] + r.normal(0, 4, (nu, 2)), r.uniform(5, 25, nu)])
    par = np.arange(nu)*3 + 1
    sel = np.array([7, 2, 10, 0, 5, 11, 3, 8, 1, 9, 4, 6])       # the order asked for
    nsp = 4000; t = np.sort(r.integers(0, int(60*fs), nsp)); ui = r.integers(0, nu, nsp)
    g = zarr.open_group(c, mode="w", zarr_format=2, attributes={"spikeinterface_info": {"version": "0.104.0", "dev_mode": False, "object": "SortingAnalyzer"}, "settings": {"return_in_uV": True}})
    z = BLOSC("zstd")
    ri = g.create_group("recording_info", attributes={"recording_attributes": {"channel_ids": [f"AP{i}" for i in range(nc)], "sampling_frequency": fs, "num_channels": nc, "num_samples": [int(60*fs)], "is_filtered": True, "dtype": "int16"}})
    arr2(ri.create_group("properties"), "location", pos, comp=z); arr2(ri["properties"], "gain_to_uV", np.full(nc, .195), comp=z); arr2(ri["properties"], "offset_to_uV", np.zeros(nc), comp=z)
    so = g.create_group("sorting", attributes={"sampling_frequency": fs, "num_segments": 1})
    arr2(so, "unit_ids", par[sel], comp=z)
    sp = so.create_group("spikes"); arr2(sp, "sample_index", t, comp=z); arr2(sp, "unit_index", ui, comp=z); arr2(sp, "segment_slices", np.array([[0, nsp]]), comp=z)
    arr2(g, "sparsity_mask", mask[sel], comp=z, fill=False)
    ex = g.create_group("extensions")
    E = lambda n, **p: ex.create_group(n, attributes={"info": {"runtime_s": 1.7}, "run_info": {"run_completed": True}, "params": p})
    te = E("templates", ms_before=0.667, ms_after=1.333, operators=["average", "std"])
    arr2(te, "average", tmpl[sel], comp=z); arr2(te, "std", std[sel], comp=z)
    arr2(E("unit_locations", method="monopolar_triangulation"), "unit_locations", ul[sel], comp=z)
    arr2(E("noise_levels"), "noise_levels", r.uniform(5, 8, nc), comp=z)
    arr2(E("spike_amplitudes", peak_sign="neg"), "amplitudes", (-amp[sel][ui]*r.normal(1, .06, nsp)).astype("f4"), comp=z)
    zarr.consolidate_metadata(c, zarr_format=2); twin(c, f)
    h = zarr.open_group(f, mode="r+", use_consolidated=False)
    h["sparsity_mask"][:] = mask; h["extensions/templates/average"][:] = tmpl; h["extensions/templates/std"][:] = std


def nwb(c, r, kind):
    """An NWB file as hdmf-zarr writes it (Zarr 2)."""
    import uuid
    rnd = lambda: str(uuid.UUID(int=int(r.integers(0, 2**63)) << 64 | int(r.integers(0, 2**63)), version=4))
    T = lambda n, ns="core": {"namespace": ns, "neurodata_type": n, "object_id": rnd()}
    g = zarr.open_group(c, mode="w", zarr_format=2, attributes={**T("NWBFile"), "nwb_version": "2.8.0", ".specloc": "specifications"})
    def text(h, n, v, **a): return str2(h, n, [v], attrs={"zarr_dtype": "scalar", **a})
    text(g, "identifier", "sub-07_ses-20240115"); text(g, "session_description", "passive viewing, head fixed")
    text(g, "session_start_time", "2024-01-15T10:02:11.482000+01:00"); text(g, "timestamps_reference_time", "2024-01-15T10:02:11.482000+01:00")
    str2(g, "file_create_date", ["2024-01-16T09:11:40.120042+01:00"], attrs={"zarr_dtype": "object_"})
    sp = g.create_group("specifications")
    for ns, v in (("core", "2.8.0"), ("hdmf-common", "1.8.0")):
        k = sp.create_group(ns).create_group(v)
        text(k, "namespace", json.dumps({"namespaces": [{"name": ns, "version": v, "doc": f"{ns} namespace", "schema": [{"source": f"{ns}.base"}]}]}))
        text(k, f"{ns}.base", json.dumps({"groups": [], "datasets": []}))
    ge = g.create_group("general")
    text(ge, "institution", "University of X"); text(ge, "experimenter", "Doe, J.")
    su = ge.create_group("subject", attributes=T("Subject")); text(su, "subject_id", "07"); text(su, "species", "Mus musculus"); text(su, "age", "P90D"); text(su, "sex", "F")
    ac = g.create_group("acquisition"); g.create_group("analysis"); g.create_group("scratch"); g.create_group("stimulus").create_group("presentation"); g["stimulus"].create_group("templates")
    pr = g.create_group("processing")
    n = 6000
    if kind == "behavior":
        be = pr.create_group("behavior", attributes={**T("ProcessingModule"), "description": "running and pupil"})
        for nm, u, d in (("running_speed", "m/s", np.clip(.12 + .1*np.cumsum(r.normal(0, .05, n))/6, 0, .8)), ("pupil_diameter", "m", 1.1e-3 + 2e-4*np.sin(np.arange(n)/500) + r.normal(0, 1e-5, n))):
            ts = be.create_group(nm, attributes={**T("TimeSeries"), "description": nm, "comments": "no comments"})
            arr2(ts, "data", d.astype("f4"), chunks=(2000,), attrs={"conversion": 1.0, "offset": 0.0, "resolution": -1.0, "unit": u, "zarr_dtype": "float32"})
            arr2(ts, "timestamps", np.arange(n)/60 + .0042, chunks=(2000,), attrs={"interval": 1, "unit": "seconds", "zarr_dtype": "float64"})
        tr = g.create_group("intervals").create_group("trials", attributes={**T("TimeIntervals"), "colnames": ["start_time", "stop_time", "contrast"], "description": "experimental trials"})
        st = np.arange(24)*4. + 1
        arr2(tr, "id", np.arange(24), attrs={**T("ElementIdentifiers", "hdmf-common"), "zarr_dtype": "int64"})
        for k, v in (("start_time", st), ("stop_time", st + 2), ("contrast", r.choice([.1, .3, 1.], 24))):
            arr2(tr, k, v, attrs={**T("VectorData", "hdmf-common"), "description": k, "zarr_dtype": "float64"})
    else:
        op = pr.create_group("ophys", attributes={**T("ProcessingModule"), "description": "two photon"})
        df = op.create_group("DfOverF", attributes=T("DfOverF")).create_group("RoiResponseSeries", attributes={**T("RoiResponseSeries"), "description": "dF/F", "comments": "no comments"})
        arr2(df, "data", np.clip(r.exponential(.12, (2000, 20)), 0, 4).astype("f4"), chunks=(500, 20), attrs={"conversion": 1.0, "offset": 0.0, "resolution": -1.0, "unit": "n.a.", "zarr_dtype": "float32"})
        arr2(df, "timestamps", np.arange(2000)/30.03, chunks=(500,), attrs={"interval": 1, "unit": "seconds", "zarr_dtype": "float64"})
        arr2(df, "rois", np.arange(20), attrs={**T("DynamicTableRegion", "hdmf-common"), "description": "all ROIs", "table": {"path": "/processing/ophys/ImageSegmentation/PlaneSegmentation", "source": "."}, "zarr_dtype": "int64"})
        ps = op.create_group("ImageSegmentation", attributes=T("ImageSegmentation")).create_group("PlaneSegmentation", attributes={**T("PlaneSegmentation"), "colnames": ["image_mask"], "description": "ROIs"})
        arr2(ps, "id", np.arange(20), attrs={**T("ElementIdentifiers", "hdmf-common"), "zarr_dtype": "int64"})
        m = np.zeros((20, 48, 48), "f4")
        for i in range(20):
            y, x = r.integers(4, 44, 2); m[i, y-3:y+4, x-3:x+4] = 1
        arr2(ps, "image_mask", m, chunks=(10, 48, 48), attrs={**T("VectorData", "hdmf-common"), "description": "image masks", "zarr_dtype": "float32"})
    zarr.consolidate_metadata(c, zarr_format=2)
    return g


@case("05-nwb-self-link", "A", "hdmf-dev/hdmf-zarr#376", "file_create_date",
      "The exported NWB root has a link entry for file_create_date with source \".\" and path /file_create_date, but the store has no such dataset: the link points at itself.",
      "The link file_create_date of the root names /file_create_date in this store, which does not exist.",
      "Links to another file (source not \".\"), links to objects that do exist.")
def _(c, f):
    nwb(c, np.random.default_rng(1905), "behavior"); twin(c, f)
    shutil.rmtree(Path(f, "file_create_date"))
    p = Path(f, ".zattrs"); d = rd(p); d["zarr_link"] = [{"name": "file_create_date", "path": "/file_create_date", "source": "."}]; wr(p, d)
    m = rd(Path(f, ".zmetadata")); m["metadata"] = {k: v for k, v in m["metadata"].items() if not k.startswith("file_create_date/")}; m["metadata"][".zattrs"] = d
    wr(Path(f, ".zmetadata"), m)


@case("06-icesat-empty-latitude", "A", "fsspec/kerchunk#400", "latitude|longitude",
      "Three granules of unlike length combined: delta_time and h_te_best_fit have all 1050 segments, but the auxiliary coordinates latitude and longitude are filled only for the first granule (0..399); the rest is empty (NaN).",
      "latitude and longitude are NaN from index 400 on while delta_time and h_te_best_fit have values there.",
      "Real gaps in position where the data are missing too.")
def _(c, f):
    r = np.random.default_rng(1906)
    n = 1050
    t = np.concatenate([s + np.arange(k)*.0143 for s, k in ((153218400.0, 400), (153224060.0, 400), (153229720.0, 250))])
    lat = np.concatenate([np.linspace(a, b, k) for a, b, k in ((10, 10.36, 400), (10, 10.36, 400), (10, 10.225, 250))])
    lon = np.concatenate([np.full(k, a) - .0001*np.arange(k)/4 for a, k in ((-62.1, 400), (-85.7, 400), (-109.3, 250))])
    h = 140 + 40*np.sin(np.arange(n)/60) + r.normal(0, 2, n)
    ds = xr.Dataset({"h_te_best_fit": ("delta_time", h.astype("f4"), {"units": "meters", "long_name": "best fit terrain height", "coordinates": "latitude longitude"}),
                     "h_canopy": ("delta_time", np.clip(r.gamma(4, 4, n), 2, 55).astype("f4"), {"units": "meters", "long_name": "canopy height (98 %)", "coordinates": "latitude longitude"}),
                     "n_te_photons": ("delta_time", r.integers(20, 300, n).astype("i4"), {"units": "1", "long_name": "terrain photons", "coordinates": "latitude longitude"})},
                    coords={"delta_time": ("delta_time", t, {"units": "seconds since 2018-01-01", "long_name": "mean time of the segment", "standard_name": "time", "calendar": "standard"})},
                    attrs={"short_name": "ATL08", "title": "ATL08 land segments, gt1l", "Conventions": "CF-1.6"})
    ds["latitude"] = ("delta_time", lat.astype("f8"), {"units": "degrees_north", "standard_name": "latitude", "valid_min": -90.0, "valid_max": 90.0})
    ds["longitude"] = ("delta_time", lon.astype("f8"), {"units": "degrees_east", "standard_name": "longitude", "valid_min": -180.0, "valid_max": 180.0})
    for v in ("h_te_best_fit", "h_canopy", "n_te_photons"): ds[v].encoding["coordinates"] = ds[v].attrs.pop("coordinates")
    enc = {v: {"chunks": (400,), "compressors": numcodecs.Zlib(6)} for v in ds.variables} | {v: {"chunks": (400,), "compressors": numcodecs.Zlib(6), "_FillValue": np.nan} for v in ("latitude", "longitude")}
    enc["n_te_photons"]["_FillValue"] = -1
    save(ds, c, 2, enc); twin(c, f)
    for v in ("latitude", "longitude"):
        for k in "12": os.remove(Path(f, v, k))


@case("07-nexrad-735-rays", "A", "openradar/xradar#396", "azimuth|735",
      "The padded incomplete sweep_2 lies on an azimuth grid of 0.49 degrees: 735 rays, where a WSR-88D super-resolution cut has 720 (0.5 degrees) as sweep_0 and sweep_1 do; the grid does not close the circle.",
      "sweep_2 has 735 rays 0.49 degrees apart (735 x 0.49 is not 360), the other sweeps 720 at 0.5.",
      "Cuts of 360 rays (1 degree); raw sweeps with jitter and a few rays more or less than 720.")
def _(c, f):
    r = np.random.default_rng(1907)
    nr = 160; rng = (2125 + 250*np.arange(nr)).astype("f4")
    def sweep(i, az, el, valid, t0):
        n = len(az); th = np.deg2rad(az)
        z = 18 + 14*np.cos(th[:, None] - 1) - rng[None]/9e3 + 9*smooth(np.random.default_rng(70 + i), 720, nr, n=6)[np.clip((az*2).astype(int), 0, 719)]
        z = np.where(z > 5, np.round(z*2)/2, np.nan); z[~valid] = np.nan
        v = np.round(2*(12*np.cos(th[:, None] - .6)*(rng[None]/5e4) + r.normal(0, .8, z.shape)))/2; v[np.isnan(z)] = np.nan
        tm = t0 + pd.to_timedelta(np.arange(n)*14.4/n, unit="s")
        return xr.Dataset({"DBZH": (("azimuth", "range"), z.astype("f4"), {"standard_name": "radar_equivalent_reflectivity_factor_h", "long_name": "Equivalent reflectivity factor H", "units": "dBZ"}),
                           "VRADH": (("azimuth", "range"), v.astype("f4"), {"standard_name": "radial_velocity_of_scatterers_away_from_instrument_h", "long_name": "Radial velocity of scatterers away from instrument H", "units": "meters per second"}),
                           "sweep_mode": ((), "azimuth_surveillance"), "sweep_number": ((), np.int64(i)), "sweep_fixed_angle": ((), np.float64(el), {"units": "degrees"})},
                          coords={"azimuth": ("azimuth", az, {"standard_name": "ray_azimuth_angle", "long_name": "azimuth_angle_from_true_north", "units": "degrees", "axis": "radial_azimuth_coordinate"}),
                                  "elevation": ("azimuth", np.full(n, el), {"standard_name": "ray_elevation_angle", "long_name": "elevation_angle_from_horizontal_plane", "units": "degrees", "axis": "radial_elevation_coordinate"}),
                                  "time": ("azimuth", tm, {"standard_name": "time"}),
                                  "range": ("range", rng, {"units": "meters", "standard_name": "projection_range_coordinate", "long_name": "range_to_measurement_volume", "axis": "radial_range_coordinate", "meters_between_gates": 250.0, "spacing_is_constant": "true", "meters_to_center_of_first_gate": 2125.0})})
    full = .25 + .5*np.arange(720); bad = .245 + .49*np.arange(735)
    for path, last in ((c, full), (f, bad)):
        r = np.random.default_rng(7)
        t = pd.Timestamp("2026-07-27T19:01:44")
        root = xr.Dataset({"volume_number": ((), np.int64(0)), "platform_type": ((), "fixed"), "instrument_type": ((), "radar"), "time_coverage_start": ((), "2026-07-27T19:01:44Z"), "time_coverage_end": ((), "2026-07-27T19:02:36Z"),
                           "latitude": ((), 41.604444, {"units": "degrees_north", "standard_name": "latitude"}), "longitude": ((), -88.084444, {"units": "degrees_east", "standard_name": "longitude"}), "altitude": ((), 220.0, {"units": "meters", "standard_name": "altitude"})},
                          attrs={"Conventions": "ODIM_H5/V2_2", "instrument_name": "KLOT", "version": "2.0", "title": "NEXRAD level 2", "source": "AR2V0006"})
        tree = {"/": root}
        for i, el in ((0, .483), (1, .879)): tree[f"/sweep_{i}"] = sweep(i, full, el, np.ones(720, bool), t + pd.Timedelta(seconds=17*i))
        tree["/sweep_2"] = sweep(2, last, 1.318, last < 214, t + pd.Timedelta(seconds=34))
        dt = xr.DataTree.from_dict(tree)
        enc = {}
        for i in range(3):
            enc[f"/sweep_{i}"] = {"time": {"units": "milliseconds since 2026-07-27T19:01:44", "dtype": "i8", "_FillValue": None}} | {v: {"_FillValue": None} for v in ("azimuth", "elevation", "range")}
        dt.to_zarr(path, mode="w", zarr_format=3, encoding=enc, consolidated=True)


@case("08-cesm-bounds-epoch", "A", "pydata/xarray#2565", "time_bnds",
      "time was rewritten as days since 1850-01-01, time_bnds (no units of its own) still holds days since 0850-01-01: read with the units of time the bounds lie 1000 years after it.",
      "time lies outside of its bounds: time_bnds runs from 365000 to 366825, time from 15.5 (the bounds seem to count from another epoch).",
      "Bounds that carry their own units; climatological bounds over several years.")
def _(c, f):
    r = np.random.default_rng(1908)
    nm = 60; ml = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
    e = np.concatenate([[0], np.cumsum(np.tile(ml, 5))]).astype("f8")
    b = np.stack([e[:-1], e[1:]], 1); t = b.mean(1)
    lat = np.linspace(-88.1, 88.1, 48); lon = np.arange(0, 360, 5.)
    sea = np.cos(2*np.pi*(np.arange(nm) % 12 - 6)/12)[:, None, None]*np.sin(np.deg2rad(lat))[None, :, None]*14
    T = (250 + 48*np.cos(np.deg2rad(lat))[None, :, None]**1.3 + sea + 2*smooth(r, nm, 48, 72)).astype("f4")
    ds = xr.Dataset({"TREFHT": (("time", "lat", "lon"), T, {"units": "K", "long_name": "Reference height temperature", "cell_methods": "time: mean"}),
                     "time_bnds": (("time", "nbnd"), b, {"long_name": "time interval endpoints"})},
                    coords={"lat": ("lat", lat, {"long_name": "latitude", "units": "degrees_north"}), "lon": ("lon", lon, {"long_name": "longitude", "units": "degrees_east"}),
                            "time": ("time", t, {"long_name": "time", "units": "days since 1850-01-01 00:00:00", "calendar": "noleap", "bounds": "time_bnds"})},
                    attrs={"Conventions": "CF-1.0", "source": "CAM", "case": "b.e11.BLMTRC5CN.f19_g16.001", "title": "UNSET"})
    save(ds, c, 2, {"TREFHT": {"chunks": (12, 48, 72), "compressors": BLOSC("zstd")}, "time_bnds": {"_FillValue": None}}); twin(c, f)
    a = zarr.open_group(f, mode="r+")["time_bnds"]; a[:] = a[:] + 1000*365


@case("09-satpy-start-end", "A", "pytroll/satpy#1279", "start_time|end_time",
      "C10's attributes start_time and end_time are the mean over the scenes (00:28:43 - 00:31:22) while its time coordinate runs from 00:01:13 to 00:56:13: most of the frames lie outside.",
      "start_time 00:28:43 / end_time 00:31:22 do not cover the time coordinate (00:01:13 to 00:56:13).",
      "A single scene whose end_time is minutes after its start_time; nominal times rounded to the slot.")
def _(c, f):
    r = np.random.default_rng(1909)
    n = 12; ny = nx = 72
    tm = pd.Timestamp("2020-04-13T00:01:13.700") + pd.to_timedelta(5*np.arange(n), unit="min")
    bt = 252 + 7*smooth(r, n, ny, nx, n=4)
    x = -3627271.3 + 20040.2*np.arange(nx) + 1e4; y = 4589200.0 - 20040.2*np.arange(ny)
    at = {"platform_name": "GOES-16", "sensor": "abi", "standard_name": "toa_brightness_temperature", "units": "K", "wavelength": [7.24, 7.34, 7.44], "resolution": 20040, "calibration": "brightness_temperature", "reader": "abi_l1b", "scan_mode": "M6", "scene_abbr": "C", "start_time": "2020-04-13 00:01:13.700000", "end_time": "2020-04-13 00:58:52.100000", "grid_mapping": "goes_fixed_grid", "long_name": "C10"}
    ds = xr.Dataset({"C10": (("t", "y", "x"), bt.astype("f4"), at), "goes_fixed_grid": ((), np.int32(0), {"grid_mapping_name": "geostationary", "perspective_point_height": 35786023.0, "semi_major_axis": 6378137.0, "semi_minor_axis": 6356752.31414, "longitude_of_projection_origin": -75.0, "latitude_of_projection_origin": 0.0, "sweep_angle_axis": "x", "false_easting": 0.0, "false_northing": 0.0})},
                    coords={"t": ("t", tm, {"standard_name": "time"}), "y": ("y", y, {"standard_name": "projection_y_coordinate", "units": "m"}), "x": ("x", x, {"standard_name": "projection_x_coordinate", "units": "m"})},
                    attrs={"Conventions": "CF-1.7", "history": "Created by pytroll/satpy"}).rename(t="time")
    save(ds, c, 2, {"C10": {"chunks": (4, ny, nx), "compressors": BLOSC("zstd")}, "goes_fixed_grid": {"_FillValue": None}, "time": {"units": "milliseconds since 2020-04-13", "dtype": "i8"}}); twin(c, f)
    edit(f, "C10", ".zattrs", lambda d: d.update(start_time="2020-04-13 00:28:43.700001", end_time="2020-04-13 00:31:22.133333"))


@case("10-mdio-cdp-scalar", "A", "TGSAI/mdio-python#700", "cdp_x|cdp_y",
      "The coordinates cdp_x and cdp_y (metres) hold the integers of the trace headers unscaled although headers.coordinate_scalar is -100: they are 100 times too large (bins 2500 m apart).",
      "cdp_x/cdp_y equal the raw header fields although coordinate_scalar is -100 (they should be divided by 100).",
      "coordinate_scalar 1 or 0; coordinates stored in centimetres with that unit.")
def _(c, f):
    r = np.random.default_rng(1910)
    ni, nx, nt = 24, 30, 150
    il, xl = np.arange(1001, 1001 + ni), np.arange(2001, 2001 + nx)
    th = np.deg2rad(12.)
    I, X = np.meshgrid(np.arange(ni)*25., np.arange(nx)*12.5, indexing="ij")
    cx = np.round(455210 + X*np.cos(th) - I*np.sin(th), 2); cy = np.round(6782340 + X*np.sin(th) + I*np.cos(th), 2)
    dt = np.dtype([("inline", "<i4"), ("crossline", "<i4"), ("cdp_x", "<i4"), ("cdp_y", "<i4"), ("coordinate_scalar", "<i2")])
    h = np.zeros((ni, nx), dt); h["inline"] = il[:, None]; h["crossline"] = xl[None]; h["cdp_x"] = np.round(cx*100); h["cdp_y"] = np.round(cy*100); h["coordinate_scalar"] = -100
    live = np.ones((ni, nx), bool); live[:3, :5] = False
    rc = r.normal(0, 1, nt)*(r.random(nt) < .12)
    k = np.arange(-20, 21); wl = (1 - 2*(np.pi*25*k*.004)**2)*np.exp(-(np.pi*25*k*.004)**2)
    tr = np.convolve(rc, wl, "same")
    sh = np.round(6*smooth(r, ni, nx)).astype(int)
    a = np.stack([[np.roll(tr, s) for s in row] for row in sh])*1500 + r.normal(0, 40, (ni, nx, nt)); a[~live] = 0
    g = zarr.open_group(c, mode="w", zarr_format=2, attributes={"apiVersion": "1.0.2", "createdOn": "2025-10-02T08:11:04.120000Z", "name": "PostStack3DTime", "attributes": {"surveyType": "3D", "gatherType": "stacked", "defaultVariableName": "amplitude"}})
    m = {"unitsV1": {"length": "m"}}; z = BLOSC("zstd")
    arr2(g, "amplitude", a.astype("f4"), chunks=(12, 15, 150), dims=("inline", "crossline", "time"), comp=z, fill=np.nan, attrs={"coordinates": "cdp_x cdp_y", "statsV1": {"count": int(live.sum()*nt), "min": float(a.astype("f4").min()), "max": float(a.astype("f4").max())}})
    arr2(g, "trace_mask", live, dims=("inline", "crossline"), comp=z, fill=False)
    arr2(g, "headers", h, dims=("inline", "crossline"), comp=z, fill=None)
    arr2(g, "cdp_x", cx, dims=("inline", "crossline"), comp=z, fill=np.nan, attrs=m); arr2(g, "cdp_y", cy, dims=("inline", "crossline"), comp=z, fill=np.nan, attrs=m)
    arr2(g, "inline", il.astype("i4"), dims=("inline",), comp=z, fill=None); arr2(g, "crossline", xl.astype("i4"), dims=("crossline",), comp=z, fill=None)
    arr2(g, "time", (np.arange(nt)*4).astype("i4"), dims=("time",), comp=z, fill=None, attrs={"unitsV1": {"time": "ms"}, "long_name": "two-way time"})
    zarr.consolidate_metadata(c, zarr_format=2); twin(c, f)
    q = zarr.open_group(f, mode="r+", use_consolidated=False)
    q["cdp_x"][:] = h["cdp_x"].astype("f8"); q["cdp_y"][:] = h["cdp_y"].astype("f8")


# ================================================================= B: values
@case("11-jpss-lst-counts", "B", "NVIDIA/earth2studio#998", "lst",
      "lst says units K but holds the packed counts (11331 ... 23629): scale 0.005 and offset 200 were never applied.",
      "lst lies near 13000 ... 24000 K: packed counts, not kelvin.",
      "Integer arrays with scale_factor/add_offset attributes (packed rightly).")
def _(c, f):
    r = np.random.default_rng(1911)
    ny, nx = 96, 120
    la = (31 + np.linspace(6, -6, ny)[:, None] - .004*np.arange(nx)[None]).astype("f4"); lo = (-8 + .07*np.arange(nx)[None] + .02*np.arange(ny)[:, None]).astype("f4")
    T = 296 + 9*smooth(r, ny, nx, n=4) - .5*(la - 31)
    cnt = np.round((T - 200)/.005); cld = smooth(r, ny, nx, n=3) > .9
    emis = np.clip(.965 + .008*smooth(r, ny, nx, n=6), .9, .995)
    def mk(v):
        v = np.where(cld, np.nan, v).astype("f4")[None]
        return xr.Dataset({"lst": (("time", "y", "x"), v, {"long_name": "land surface temperature", "standard_name": "surface_temperature", "units": "K"}),
                           "emissivity": (("time", "y", "x"), emis.astype("f4")[None], {"long_name": "surface emissivity", "units": "1"})},
                          coords={"time": ("time", pd.DatetimeIndex(["2025-01-10T13:35:00"]), {"standard_name": "time"}), "_lat": (("y", "x"), la, {"standard_name": "latitude", "units": "degrees_north"}), "_lon": (("y", "x"), lo, {"standard_name": "longitude", "units": "degrees_east"})},
                          attrs={"source": "NOAA-20 VIIRS L2 LST", "title": "JPSS L2"})
    enc = {"time": {"units": "hours since 2025-01-01", "dtype": "f8"}, "lst": {"chunks": (1, 48, 60)}}
    save(mk(cnt*.005 + 200), c, 3, enc); save(mk(cnt), f, 3, enc)


@case("12-ek80-double-pings", "B", "echostack-org/echopype#1382", "ping_time",
      "Three pings stand twice in Beam_group1: ping_time repeats itself and the echoes of the second are equal to the first.",
      "ping_time has 3 duplicated values (backscatter_r, angles and so on are equal in the pairs).",
      "Pings of two channels at one time in a long table; ping times rounded to milliseconds whose data differ.")
def _(c, f):
    r = np.random.default_rng(1912)
    n, nrng = 180, 120
    t = pd.Timestamp("2024-07-05T21:14:02.118") + pd.to_timedelta(np.round(np.cumsum(r.normal(1.02, .02, n)), 3), unit="s")
    ch = ["WBT 400142-15 ES70-7C_ES", "WBT 400140-15 ES120-7C_ES"]
    z = np.arange(nrng)*.75
    sv = np.stack([-70 + 8*smooth(r, n, nrng, n=8) - 20*np.log10(1 + z/30)[None] + 42*np.exp(-((z[None] - 74 - 2*np.sin(np.arange(n)/40)[:, None])/1.2)**2) for _ in ch]).astype("f4")
    ang = np.round(r.normal(0, 12, (2, n, nrng))).astype("f4")
    def mk(ix):
        tt = t[ix]
        bg = xr.Dataset({"backscatter_r": (("channel", "ping_time", "range_sample"), sv[:, ix], {"long_name": "Raw backscatter measurements (real part)", "units": "dB"}),
                         "angle_athwartship": (("channel", "ping_time", "range_sample"), ang[:, ix], {"long_name": "electrical athwartship angle"}),
                         "sample_interval": (("channel", "ping_time"), np.full((2, len(ix)), .001, "f4"), {"long_name": "Interval between recorded raw data samples", "units": "s", "valid_min": 0.0}),
                         "transmit_power": (("channel", "ping_time"), np.repeat([[225.], [100.]], len(ix), 1), {"long_name": "Nominal transmit power", "units": "W", "valid_min": 0.0}),
                         "frequency_nominal": ("channel", np.array([7e4, 1.2e5]), {"units": "Hz", "long_name": "Transducer frequency", "valid_min": 0.0})},
                        coords={"channel": ("channel", np.array(ch, dtype="<U32"), {"long_name": "Vendor channel ID"}), "ping_time": ("ping_time", tt, {"long_name": "Timestamp of each ping", "standard_name": "time", "axis": "T"}), "range_sample": ("range_sample", np.arange(nrng), {"long_name": "Along-range sample number, base 0"})},
                        attrs={"beam_mode": "vertical", "conversion_equation_t": "type_3"})
        pf = xr.Dataset({"latitude": ("time1", np.linspace(47.61, 47.63, 40), {"standard_name": "latitude", "units": "degrees_north", "valid_range": [-90.0, 90.0]}), "longitude": ("time1", np.linspace(-125.2, -125.21, 40), {"standard_name": "longitude", "units": "degrees_east", "valid_range": [-180.0, 180.0]})},
                        coords={"time1": ("time1", pd.date_range(t[0].floor("s"), periods=40, freq="4s"), {"axis": "T", "standard_name": "time", "long_name": "Timestamps for NMEA position datagrams"})}, attrs={"platform_name": "SH1707", "platform_type": "Research vessel", "platform_code_ICES": "315"})
        tree = {"/": xr.Dataset(attrs={"conventions": "CF-1.7, SONAR-netCDF4-1.0, ACDD-1.3", "keywords": "EK80", "sonar_convention_authority": "ICES", "sonar_convention_name": "SONAR-netCDF4", "sonar_convention_version": "1.0", "title": "EK80 acoustic survey", "date_created": "2024-07-05T21:14:02Z"}),
                "/Sonar": xr.Dataset(attrs={"sonar_manufacturer": "Simrad", "sonar_type": "echosounder", "sonar_software_name": "EK80"}), "/Sonar/Beam_group1": bg, "/Platform": pf}
        return xr.DataTree.from_dict(tree)
    ns = {"units": "nanoseconds since 1970-01-01T00:00:00Z", "dtype": "i8", "_FillValue": None}
    enc = {"/Sonar/Beam_group1": {"ping_time": {**ns, "chunks": (100,)}, "backscatter_r": {"chunks": (1, 100, nrng), "compressors": BLOSC("zstd")}, "angle_athwartship": {"chunks": (1, 100, nrng), "compressors": BLOSC("zstd")}}, "/Platform": {"time1": ns}}
    k = np.arange(n)
    for p, ix in ((c, k), (f, np.sort(np.concatenate([k, [41, 97, 98]])))):
        mk(ix).to_zarr(p, mode="w", zarr_format=2, encoding=enc, consolidated=True)


@case("13-gfs-sunshine-hour0", "B", "dynamical-org/reformatters#1021", "sunshine_duration_surface|10800",
      "sunshine_duration_surface at 00/06/12/18 UTC was read from forecast hour 0: a constant 10800 s everywhere, also at night, instead of the 6-hour total (up to 21600 s) its comment states.",
      "Every sixth hour (00, 06, 12, 18 UTC) sunshine_duration_surface is exactly 10800 s in all cells, between varied fields.",
      "Accumulations that fall back to zero at the reset of the window.")
def _(c, f):
    r = np.random.default_rng(1913)
    ny, nx, nt = 31, 41, 72
    t = pd.date_range("2026-08-01T01:00", periods=nt, freq="h")
    lat = np.linspace(55, 40, ny); lon = np.linspace(-10, 10, nx)
    sol = (t.hour.values[:, None, None] - .5 + lon[None, None, :]/15)
    elev = np.sin(np.deg2rad(lat))[None, :, None]*.31 + np.cos(np.deg2rad(lat))[None, :, None]*.95*np.cos(np.pi*(sol - 12)/12)
    cl = np.clip(.5 + .45*smooth(r, nt, ny, nx, n=3), 0, 1)
    s1 = np.where(elev > .03, 3600*np.clip(1.25 - 1.25*cl, 0, 1), 0)
    acc = np.zeros_like(s1); run = np.zeros((ny, nx))
    for i in range(nt):
        if t[i].hour % 6 == 1: run = 0
        run = run + s1[i]; acc[i] = run
    acc = np.round(acc/60)*60
    t2 = 17 + 7*np.cos(2*np.pi*(sol - 14.5)/24) - .4*(lat[None, :, None] - 47) - 2*cl
    dsw = np.clip(1000*elev*(1 - .7*cl), 0, None)
    A = lambda ln, u, st, sn, **k: {"long_name": ln, "units": u, "step_type": st, "standard_name": sn, **k}
    ds = xr.Dataset({"sunshine_duration_surface": (("time", "latitude", "longitude"), acc.astype("f4"), A("Sunshine duration", "s", "accum", "duration_of_sunshine", comment="Accumulated since the last of 00, 06, 12, 18 UTC; the value at those hours is the total of the 6 hours before (at most 21600 s).")),
                     "temperature_2m": (("time", "latitude", "longitude"), np.round(t2, 2).astype("f4"), A("2 metre temperature", "degree_Celsius", "instant", "air_temperature")),
                     "downward_short_wave_radiation_flux_surface": (("time", "latitude", "longitude"), np.round(dsw, 1).astype("f4"), A("Surface downward short-wave radiation flux", "W m-2", "instant", "surface_downwelling_shortwave_flux_in_air"))},
                    coords={"time": ("time", t, {"standard_name": "time", "axis": "T"}), "latitude": ("latitude", lat, {"units": "degree_north", "standard_name": "latitude", "axis": "Y"}), "longitude": ("longitude", lon, {"units": "degree_east", "standard_name": "longitude", "axis": "X"})},
                    attrs={"dataset_id": "noaa-gfs-analysis-virtual", "dataset_version": "0.1.0", "name": "NOAA GFS analysis", "spatial_domain": "Global (cut)", "time_resolution": "1.0 hours"})
    enc = {v: {"chunks": (24, 16, 21), "shards": (72, 32, 42), "compressors": zarr.codecs.BloscCodec(cname="zstd", clevel=3, shuffle="shuffle"), "_FillValue": np.nan} for v in ds.data_vars}
    enc["time"] = {"units": "seconds since 1970-01-01", "dtype": "i8"}
    save(ds, c, 3, enc)
    k = ds.copy(deep=True); k["sunshine_duration_surface"].values[t.hour % 6 == 0] = 10800
    save(k, f, 3, enc)


@case("14-nwm-valid-range", "B", "NCAR/wrf_hydro_nwm_public#474", "valid_range|2147483648",
      "valid_range of qBucket and qSfcLatRunoff is [0, -2147483648]: the upper bound overflowed, so that it is below the lower and no value is valid.",
      "valid_range [0, -2147483648] of qBucket and qSfcLatRunoff: maximum below minimum (overflow of int32).",
      "valid_range of unsigned data written as signed numbers (_Unsigned).")
def _(c, f):
    r = np.random.default_rng(1914)
    nt, nf = 96, 500
    t = pd.date_range("2003-05-01T01:00", periods=nt, freq="h")
    fid = np.sort(r.choice(np.arange(101, 26e6, dtype="i8"), nf, replace=False)).astype("i4")
    q = np.exp(r.normal(.5, 1.6, nf))[None]*(1 + .8*np.exp(-((np.arange(nt)[:, None] - r.uniform(20, 80, nf)[None])/14)**2))
    P = lambda ln, u, s, mx, **k: {"long_name": ln, "units": u, "scale_factor": s, "add_offset": 0.0, "missing_value": -999900, "valid_range": [0, mx], "grid_mapping": "crs", **k}
    g = zarr.open_group(c, mode="w", zarr_format=2, attributes={"TITLE": "OUTPUT FROM WRF-Hydro v5.1.0-beta2", "Conventions": "CF-1.6", "code_version": "v5.1.0-beta2", "model_configuration": "retrospective", "featureType": "timeSeries"})
    z = BLOSC("lz4"); D = ("time", "feature_id")
    def p(n, v, s, ln, mx, fv):
        arr2(g, n, np.round(v/s).astype("i4"), chunks=(48, 250), dims=D, comp=z, fill=fv, attrs={**P(ln, "m3 s-1", s, mx), "missing_value": fv, "coordinates": "latitude longitude"})
    p("streamflow", q, 0.01, "River Flow", 5000000, -999900)
    p("qBucket", .2*q/(1 + q), 1e-5, "Flux from gw bucket", 2147483647, -999900032)
    p("qSfcLatRunoff", .05*q*r.random((nt, nf)), 1e-5, "Runoff from terrain routing", 2147483647, -999900032)
    arr2(g, "latitude", r.uniform(30, 48, nf).astype("f4"), dims=("feature_id",), comp=z, fill=None, attrs={"long_name": "Feature latitude", "standard_name": "latitude", "units": "degrees_north"})
    arr2(g, "longitude", r.uniform(-120, -75, nf).astype("f4"), dims=("feature_id",), comp=z, fill=None, attrs={"long_name": "Feature longitude", "standard_name": "longitude", "units": "degrees_east"})
    arr2(g, "feature_id", fid, dims=("feature_id",), comp=z, fill=None, attrs={"long_name": "Reach ID", "comment": "NHDPlusv2 ComIDs within CONUS", "cf_role": "timeseries_id"})
    arr2(g, "time", (t - pd.Timestamp("1970-01-01")).total_seconds().values.astype("i8")//60, dims=("time",), comp=z, fill=None, attrs={"long_name": "valid output time", "standard_name": "time", "units": "minutes since 1970-01-01 00:00:00 UTC", "calendar": "standard"})
    arr2(g, "crs", np.array(0, "i4"), dims=(), fill=None, attrs={"grid_mapping_name": "latitude_longitude", "longitude_of_prime_meridian": 0.0, "semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563})
    zarr.consolidate_metadata(c, zarr_format=2); twin(c, f)
    for n in ("qBucket", "qSfcLatRunoff"): edit(f, n, ".zattrs", lambda d: d.update(valid_range=[0, -2147483648]))


@case("15-esdc-precip-7000", "B", "esa-esdl/esdl-core#25", "precipitation",
      "precipitation (mm/day) has many values near -7000: the missing value -9999 was averaged with real rain when the data were brought to the cube's grid; they are not the fill value, so nothing masks them.",
      "precipitation has values down to -9900 mm/day (between -9999 and 0), a few hundred of them beside the missing cells: the missing value went into an average.",
      "Anomalies, which are rightly negative; -9999 itself declared as missing.")
def _(c, f):
    r = np.random.default_rng(1915)
    nt, ny, nx = 46, 36, 72
    lat = np.linspace(87.5, -87.5, ny); lon = np.linspace(-177.5, 177.5, nx)
    p = np.clip(np.exp(.6*smooth(r, nt, ny, nx) + .9*np.cos(np.deg2rad(lat*2))[None, :, None])*1.6 - .4, 0, None)
    miss = np.broadcast_to((np.abs(lat) > 62)[None, :, None], p.shape).copy() | (smooth(r, nt, ny, nx, n=3) > 2.1)
    edge = ~miss & (np.roll(miss, 1, 1) | np.roll(miss, -1, 1))
    pick = edge & (r.random(p.shape) < .35)
    tm = pd.date_range("2001-01-05", periods=nt, freq="8D")
    air = (288 - 38*np.sin(np.deg2rad(lat))[None, :, None]**2 + 1.5*smooth(r, nt, ny, nx)).astype("f4")
    def mk(v):
        return xr.Dataset({"precipitation": (("time", "lat", "lon"), v.astype("f4"), {"long_name": "Rainfall", "standard_name": "lwe_precipitation_rate", "units": "mm d-1", "source_name": "Precip", "references": "GPCP"}),
                           "air_temperature_2m": (("time", "lat", "lon"), air, {"long_name": "Air temperature at 2 m", "standard_name": "air_temperature", "units": "K", "source_name": "t2m"})},
                          coords={"time": ("time", tm, {"standard_name": "time"}), "lat": ("lat", lat, {"standard_name": "latitude", "units": "degrees_north"}), "lon": ("lon", lon, {"standard_name": "longitude", "units": "degrees_east"})},
                          attrs={"Conventions": "CF-1.6", "title": "Earth System Data Cube (low resolution)", "temporal_res": 8, "grid_x0": 0})
    enc = {"precipitation": {"_FillValue": np.float32(-9999), "chunks": (23, 36, 72), "compressors": BLOSC("lz4")}, "air_temperature_2m": {"_FillValue": np.float32(-9999), "chunks": (23, 36, 72), "compressors": BLOSC("lz4")}, "time": {"units": "days since 2001-01-01", "dtype": "i8"}}
    good = np.where(miss | pick, np.nan, p); save(mk(good), c, 2, enc)
    k = r.choice([.25, .5, .7, .75, .99], p.shape)
    save(mk(np.where(pick, -9999*k + (1 - k)*p, good)), f, 2, enc)


@case("16-aorc-missing-day", "B", "CIROH-UA/NGIAB_data_preprocess#236", "2024-06-18|APCP_surface",
      "All variables are NaN in all cells for the 24 hours of 2024-06-18, between complete hours on both sides (a normal hour is NaN only over the sea).",
      "24 whole steps (2024-06-18 00:00 - 23:00) are empty in APCP_surface, TMP_2maboveground and DSWRF_surface.",
      "Cells that are always empty (sea); swaths.")
def _(c, f):
    r = np.random.default_rng(1916)
    t = pd.date_range("2024-06-14", periods=240, freq="h"); ny, nx = 24, 30; nt = 240
    lat = 41 + .00833333*np.arange(ny); lon = -71.2 + .00833333*np.arange(nx)
    sea = np.broadcast_to((np.arange(nx)[None] - .5*np.arange(ny)[:, None]) > 15, (ny, nx))
    hr = t.hour.values[:, None, None]
    T = 293 + 5*np.cos(2*np.pi*(hr - 20)/24) + .8*smooth(r, nt, ny, nx)
    w = smooth(r, nt, ny, nx, n=1); P = np.where(w > 1., 3*(w - 1), 0)
    S = np.clip(880*np.cos(2*np.pi*(hr - 17)/24), 0, None)*np.clip(.8 - .25*np.abs(w), .05, 1)
    v = {"APCP_surface": (P, "kg/m^2", "Total Precipitation", .1), "TMP_2maboveground": (T, "K", "Temperature", .1), "DSWRF_surface": (S, "W/m^2", "Downward Short-Wave Radiation Flux", .1)}
    D = ("time", "latitude", "longitude")
    for path, gap in ((c, False), (f, True)):
        g = zarr.open_group(path, mode="w", zarr_format=2, attributes={})
        for n, (a, u, ln, s) in v.items():
            b = np.round(a/s); b[:, sea] = -32767
            if gap: b[96:120] = -32767
            arr2(g, n, b.astype("i2"), chunks=(144, 24, 30), dims=D, comp=BLOSC("zstd"), fill=-32767, attrs={"long_name": ln, "units": u, "scale_factor": s, "add_offset": 0.0, "missing_value": -32767, "short_name": n})
        arr2(g, "time", (t - pd.Timestamp("1970-01-01")).total_seconds().values.astype("i8"), dims=("time",), fill=None, attrs={"long_name": "verification time generated by wgrib2 function verftime()", "standard_name": "time", "units": "seconds since 1970-01-01 00:00:00.0 0:00", "calendar": "standard"})
        arr2(g, "latitude", lat, dims=("latitude",), fill=None, attrs={"long_name": "latitude", "standard_name": "latitude", "units": "degrees_north"})
        arr2(g, "longitude", lon, dims=("longitude",), fill=None, attrs={"long_name": "longitude", "standard_name": "longitude", "units": "degrees_east"})
        zarr.consolidate_metadata(path, zarr_format=2)


@case("17-pv-local-time", "B", "openclimatefix-archives/nowcasting_dataset#620", "pv_power|datetime",
      "datetime says UTC, but the PV readings are in Europe/London clock time: from 31 March 2019 01:00 (summer time) on, sunrise, noon and sunset of all systems come one hour later from one day to the next.",
      "From 2019-03-31 on the daily course of pv_power is shifted by an hour against datetime (UTC): local time, not UTC.",
      "The slow drift of sunrise with season; systems that face west.")
def _(c, f):
    r = np.random.default_rng(1917)
    t = pd.date_range("2019-03-18", "2019-04-13 23:45", freq="15min"); n = 28
    lat = r.uniform(50.5, 55, n); lon = r.uniform(-4, 1.2, n); cap = np.round(r.uniform(1500, 4000, n), -1)
    def power(tt):
        d = tt.dayofyear.values; h = tt.hour.values + tt.minute.values/60
        dec = np.deg2rad(23.44*np.sin(2*np.pi*(284 + d)/365))[:, None]; ha = np.deg2rad(15*(h[:, None] - 12 + lon[None]/15))
        la = np.deg2rad(lat)[None]
        return np.clip(np.sin(la)*np.sin(dec) + np.cos(la)*np.cos(dec)*np.cos(ha), 0, None)
    ix = pd.date_range("2019-03-17 12:00", "2019-04-14 12:00", freq="15min")
    cl = np.clip(.75 + .2*smooth(r, len(ix), n, n=60), .1, 1); full = pd.DataFrame(power(ix)*cl*cap[None], index=ix)
    good = full.loc[t].values
    loc = full.copy(); loc.index = ix.tz_localize("UTC").tz_convert("Europe/London").tz_localize(None)
    loc = loc[~loc.index.duplicated()].reindex(t).fillna(0.).values
    for path, v in ((c, good), (f, loc)):
        ds = xr.Dataset({"pv_power": (("datetime", "system_id"), np.round(v).astype("f4"), {"long_name": "instantaneous power generation", "units": "W"}),
                         "latitude": ("system_id", lat, {"standard_name": "latitude", "units": "degrees_north"}), "longitude": ("system_id", lon, {"standard_name": "longitude", "units": "degrees_east"}),
                         "capacity": ("system_id", cap, {"long_name": "capacity of the system", "units": "W"})},
                        coords={"datetime": ("datetime", t, {"standard_name": "time", "long_name": "datetime (UTC)"}), "system_id": ("system_id", np.sort(np.random.default_rng(3).choice(70000, n, replace=False)), {"long_name": "PVOutput.org system id"})},
                        attrs={"title": "UK PV timeseries", "source": "PVOutput.org", "timezone": "UTC"})
        save(ds, path, 2, {"pv_power": {"chunks": (1344, 14), "compressors": BLOSC("zstd")}, "datetime": {"units": "minutes since 2019-01-01", "dtype": "i8"}})


@case("18-sgkit-same-alleles", "B", "tskit-dev/tsinfer#927", "variant_allele",
      "At several sites the two alleles of variant_allele are the same letter (G, G): reference and alternate cannot be told apart although call_genotype has 0 and 1 there.",
      "variant_allele: REF and ALT are equal at sites 6, 7, 83 and 140, where genotypes 0 and 1 both occur.",
      "Sites with an empty second allele (monomorphic).")
def _(c, f):
    r = np.random.default_rng(1918)
    nv, ns = 900, 150
    pos = np.sort(r.choice(np.arange(10000, 900000), nv, replace=False)).astype("i4"); ctg = np.zeros(nv, "i8"); 
    B = np.array([b"A", b"C", b"G", b"T"]); ref = r.integers(0, 4, nv); alt = (ref + r.integers(1, 4, nv)) % 4
    gt = (r.random((nv, ns, 2)) < r.beta(.6, 1.8, nv)[:, None, None]).astype("i1")
    gt[[6, 7, 83, 140]] = (r.random((4, ns, 2)) < .45)
    al = np.stack([B[ref], B[alt]], 1)
    def mk(a):
        return xr.Dataset({"contig_id": ("contigs", np.array(["chr20"], dtype="<U5")), "variant_contig": ("variants", ctg.astype("i1"), {"comment": "Index values for each contig"}), "variant_position": ("variants", pos, {"comment": "The reference position"}),
                           "variant_allele": (("variants", "alleles"), a.astype("U1"), {"comment": "The possible alleles for the variant."}), "variant_ancestral_allele": ("variants", a[:, 0].astype("U1")),
                           "sample_id": ("samples", np.array([f"S{i}" for i in range(ns)], dtype="<U3"), {"comment": "The unique identifier of the sample."}),
                           "call_genotype": (("variants", "samples", "ploidy"), gt, {"comment": "Call genotype, encoded as allele values (0 for the reference, 1 for the first allele, and so on) or -1 to indicate a missing value.", "mixed_ploidy": False}),
                           "call_genotype_mask": (("variants", "samples", "ploidy"), np.zeros(gt.shape, bool)), "call_genotype_phased": (("variants", "samples"), np.ones((nv, ns), bool))},
                          attrs={"contigs": ["chr20"], "source": "sgkit-0.10.0"})
    enc = {"call_genotype": {"chunks": (120, 60, 2), "compressors": BLOSC("zstd", 2)}, "call_genotype_mask": {"chunks": (120, 60, 2), "compressors": BLOSC("zstd", 2)}}
    bad = al.copy(); bad[[6, 7, 83, 140], 1] = bad[[6, 7, 83, 140], 0]
    save(mk(al), c, 2, enc); save(mk(bad), f, 2, enc)


@case("19-xenium-nan-radius", "B", "scverse/spatialdata#639", "radius",
      "The circles element cell_circles (Xenium) has NaN as radius for 6 % of its cells (their area was missing): those circles have no extent.",
      "shapes/cell_circles/radius is NaN for 54 of 900 circles.",
      "Points, which have no radius; cells without area in the table only.")
def _(c, f):
    r = np.random.default_rng(1919)
    n = 900
    g = zarr.open_group(c, mode="w", zarr_format=2)
    xy = r.uniform(0, 200, (n, 2)); ar = r.gamma(9, 6, n)
    tr = [{"type": "identity", "input": {"name": "xy", "axes": [{"name": a, "type": "space", "unit": "unit"} for a in "xy"]}, "output": {"name": "global", "axes": [{"name": a, "type": "space", "unit": "unit"} for a in "xy"]}}]
    s = g.create_group("shapes").create_group("cell_circles", attributes={"axes": ["x", "y"], "encoding-type": "ngff:shapes", "coordinateTransformations": tr, "spatialdata_attrs": {"geos": {"name": "POINT", "type": 0}, "version": "0.1"}})
    arr2(s, "coords", xy, chunks=(450, 2)); arr2(s, "Index", np.arange(1, n + 1)); arr2(s, "radius", np.sqrt(ar/np.pi), chunks=(450,), fill=np.nan)
    im = g.create_group("images").create_group("morphology_focus")
    a = cells(r, 256, 256, 120)[None].astype("u2")
    arr2(im, "0", a, chunks=(1, 128, 128), sep="/", dims="cyx")
    tf = lambda k: [{"type": "scale", "scale": [1.0, k, k]}]
    ax = [{"name": "c", "type": "channel"}] + [{"name": n_, "type": "space", "unit": "unit"} for n_ in "yx"]
    im.attrs.update({"multiscales": [{"version": "0.4", "name": "/images/morphology_focus", "axes": ax, "datasets": [{"path": "0", "coordinateTransformations": tf(1.0)}],
        "coordinateTransformations": [{"type": "scale", "scale": [1.0, .78125, .78125], "input": {"name": "cyx", "axes": ax}, "output": {"name": "global", "axes": ax}}]}], "omero": {"channels": [{"label": "DAPI"}]}, "spatialdata_attrs": {"version": "0.1"}})
    zarr.consolidate_metadata(c, zarr_format=2); twin(c, f)
    h = zarr.open_group(f, mode="r+", use_consolidated=False)["shapes/cell_circles/radius"]
    v = h[:]; v[np.sort(r.choice(n, 54, replace=False))] = np.nan; h[:] = v


@case("20-s1-gcp-first-only", "B", "isce-framework/s1-reader#152", "gcp",
      "In conditions/gcp only the first ground control point is filled, all the others of the 10 x 21 grid are NaN in latitude, longitude, height and incidence_angle: the burst's border shrinks to a point.",
      "conditions/gcp: latitude, longitude, height, incidence_angle have one value, the rest of the 210 is NaN.",
      "Swath edges without geolocation.")
def _(c, f):
    r = np.random.default_rng(1920)
    na, nr = 10, 21; y, x = 96, 160
    A, R = np.meshgrid(np.linspace(0, 1, na), np.linspace(0, 1, nr), indexing="ij")
    la = 45.9 - .19*A - .13*R; lo = 9.1 - .05*A + 1.02*R; he = np.round(220 + 600*np.abs(smooth(r, na, nr)), 1); inc = 30.1 + 6.3*R
    slc = (r.normal(0, 60, (y, x)) + 1j*r.normal(0, 60, (y, x))).round().astype("c8")
    t0 = pd.Timestamp("2024-04-19T05:34:11.402")
    def mk(bad):
        k = np.zeros((na, nr), bool); k[0, 0] = True
        m = lambda v: np.where(k, v, np.nan) if bad else v
        at, rg = t0 + pd.to_timedelta(np.linspace(0, 2.75, na), unit="s"), np.linspace(0, (x - 1)*1., nr)
        gcp = xr.Dataset({"latitude": (("azimuth_time", "slant_range"), m(la), {"standard_name": "latitude", "units": "degrees_north"}), "longitude": (("azimuth_time", "slant_range"), m(lo), {"standard_name": "longitude", "units": "degrees_east"}),
                          "height": (("azimuth_time", "slant_range"), m(he), {"long_name": "height above the ellipsoid", "units": "m"}), "incidence_angle": (("azimuth_time", "slant_range"), m(inc), {"long_name": "incidence angle", "units": "degrees"})},
                         coords={"azimuth_time": ("azimuth_time", at, {"standard_name": "time"}), "slant_range": ("slant_range", rg, {"long_name": "pixel number"})})
        ms = xr.Dataset({"slc": (("azimuth_time", "slant_range_time"), slc, {"long_name": "measurement data set for SLC IW", "units": "1"})},
                        coords={"azimuth_time": ("azimuth_time", t0 + pd.to_timedelta(np.linspace(0, 2.75, y), unit="s"), {"standard_name": "time"}), "slant_range_time": ("slant_range_time", 5.3312e-3 + np.arange(x)*1.554e-8, {"units": "s", "long_name": "two-way slant range time"})})
        b = "/S01SIWSLC_20240419T053411_0027_A053_S000_05A1B2C_VV_IW1_249411"
        return xr.DataTree.from_dict({"/": xr.Dataset(attrs={"title": "S01SIWSLC", "product_type": "S01SIWSLC"}), b: xr.Dataset(attrs={"burst_id": 249411, "swath": "IW1", "polarisation": "VV"}), b + "/measurements": ms, b + "/conditions": xr.Dataset(), b + "/conditions/gcp": gcp}), b
    for p, bad in ((c, False), (f, True)):
        dt, b = mk(bad)
        tc = {"units": "microseconds since 2024-04-19", "dtype": "i8", "_FillValue": None}
        dt.to_zarr(p, mode="w", zarr_format=2, consolidated=True, encoding={b + "/conditions/gcp": {"azimuth_time": tc, "slant_range": {"_FillValue": None}}, b + "/measurements": {"azimuth_time": tc, "slant_range_time": {"_FillValue": None}, "slc": {"compressors": BLOSC("zstd"), "chunks": (48, 160)}}})


# ================================================================= C: storage
@case("21-nwb-specloc-zmetadata", "C", "hdmf-dev/hdmf-zarr#314", "specloc",
      "The root's .zattrs has .specloc (\"specifications\"), the root's attributes in .zmetadata have not: readers of the consolidated metadata do not find the cached specifications.",
      ".zmetadata is out of step with .zattrs: the attribute .specloc of the root is missing from the consolidated copy.",
      "Consolidated copies whose attributes have another order; stores without .zmetadata.")
def _(c, f):
    nwb(c, np.random.default_rng(1921), "ophys"); twin(c, f)
    p = Path(f, ".zmetadata"); m = rd(p); del m["metadata"][".zattrs"][".specloc"]; wr(p, m)


@case("22-consolidated-nan-literal", "C", "zarr-developers/zarr-python#2990", "zmetadata|NaN",
      "The fill_value of the float arrays is the bare word NaN in .zmetadata (not JSON) though it is the text \"NaN\" in every .zarray: strict JSON parsers cannot read the consolidated metadata.",
      ".zmetadata is not valid JSON: bare NaN as fill_value (should be \"NaN\" as in the .zarray files).",
      "\"NaN\" as a text; NaN within the value of a text attribute.")
def _(c, f):
    r = np.random.default_rng(1922)
    n = 24*60; t = pd.date_range("2025-02-01", periods=n, freq="30min"); fr = .0325 + .005*np.arange(47)
    hs = 1.6 + .9*smooth(r, 1, n, n=30)[0] + .05*r.normal(size=n); hs = np.clip(hs, .25, None); tp = np.clip(8.5 + 2*smooth(r, 1, n, n=20)[0], 3, 18)
    hs[200:212] = np.nan; tp[200:212] = np.nan
    E = (np.exp(-((fr[None] - 1/tp[:, None])/.025)**2)*hs[:, None]**2*1.4).astype("f4")
    ds = xr.Dataset({"significant_wave_height": ("time", hs.round(2).astype("f4"), {"standard_name": "sea_surface_wave_significant_height", "units": "m"}),
                     "peak_wave_period": ("time", tp.round(2).astype("f4"), {"standard_name": "sea_surface_wave_period_at_variance_spectral_density_maximum", "units": "s"}),
                     "spectral_density": (("time", "frequency"), E, {"standard_name": "sea_surface_wave_variance_spectral_density", "units": "m2 s"})},
                    coords={"time": ("time", t, {"standard_name": "time", "axis": "T"}), "frequency": ("frequency", fr, {"standard_name": "wave_frequency", "units": "s-1"})},
                    attrs={"Conventions": "CF-1.8", "title": "Wave buoy 44097", "featureType": "timeSeries"})
    save(ds, c, 2, {v: {"_FillValue": np.nan, "compressors": BLOSC("lz4")} for v in ds.data_vars} | {"spectral_density": {"_FillValue": np.nan, "chunks": (720, 47), "compressors": BLOSC("lz4")}, "time": {"units": "minutes since 2025-02-01", "dtype": "i8"}})
    twin(c, f)
    p = Path(f, ".zmetadata"); s = p.read_text(); assert '"fill_value": "NaN"' in s or '"fill_value":"NaN"' in s
    p.write_text(s.replace('"fill_value": "NaN"', '"fill_value": NaN').replace('"fill_value":"NaN"', '"fill_value":NaN'))


@case("23-gcs-shifted-chunk", "C", "fsspec/gcsfs#855", "t850",
      "In the second (uncompressed) chunk of t850 all bytes from 262144 on are shifted by one (the last byte the server had accepted was sent again): from there on the floats are nonsense.",
      "Chunk c/1/0/0 of t850: values are sane up to element 65535 and absurd after it (1e-30 ... 1e38): the bytes are shifted by one.",
      "Chunks of another byte order (whole chunks are absurd then); packed or compressed data.")
def _(c, f):
    r = np.random.default_rng(1923)
    nt, ny, nx = 16, 96, 128
    lat = np.linspace(71.25, 0, ny); lon = np.linspace(-60, 35.25, nx)
    T = (296 - 38*np.sin(np.deg2rad(lat))[None, :, None]**1.5 + 3*smooth(r, nt, ny, nx)).astype("f4")
    ps = (101300 + 900*smooth(r, ny, nx)).astype("f4")
    ds = xr.Dataset({"t850": (("time", "latitude", "longitude"), T, {"long_name": "Temperature at 850 hPa", "standard_name": "air_temperature", "units": "K"}), "msl_mean": (("latitude", "longitude"), ps, {"long_name": "Mean sea level pressure, mean", "standard_name": "air_pressure_at_mean_sea_level", "units": "Pa"})},
                    coords={"time": ("time", pd.date_range("2023-01-01", periods=nt, freq="6h"), {"standard_name": "time"}), "latitude": ("latitude", lat, {"standard_name": "latitude", "units": "degrees_north"}), "longitude": ("longitude", lon, {"standard_name": "longitude", "units": "degrees_east"})},
                    attrs={"Conventions": "CF-1.7", "title": "ERA5, North Atlantic"})
    save(ds, c, 3, {"t850": {"chunks": (8, ny, nx), "compressors": None}, "time": {"units": "hours since 1900-01-01", "dtype": "i8"}}); twin(c, f)
    p = Path(f, "t850/c/1/0/0"); b = p.read_bytes(); assert len(b) == 8*ny*nx*4
    p.write_bytes(b[:262144] + b[262143:-1])


@case("24-ngff-unwritten-region", "C", "fideus-labs/ngff-zarr#592", "scale0",
      "Most of level 0 was never written: only the shards of z 0..31 and y 0..31 are there, the rest reads back as fill value 0, while level 1 shows the whole picture.",
      "25 of 30 shards of scale0/image are missing (73 % of the picture reads as 0) though scale1/image has data at these places.",
      "Sparse pictures whose empty chunks were left out on purpose (level 1 is empty there too).")
def _(c, f):
    r = np.random.default_rng(1924)
    Z, Y, X = 40, 96, 160
    a = 60 + 18*smooth(r, Z, Y, X, n=6) + r.normal(0, 2, (Z, Y, X)); a = np.clip(a, 1, 255).round().astype("u1")[None, None]
    L1 = a.reshape(1, 1, 20, 2, 48, 2, 80, 2).mean((3, 5, 7)).round().astype("u1")
    g = zarr.open_group(c, mode="w", zarr_format=3)
    for n, d in (("scale0", a), ("scale1", L1)):
        z = g.create_group(n).create_array("image", shape=d.shape, dtype="u1", chunks=(1, 1, 16, 16, 16), shards=(1, 1, 32, 32, 32), compressors=zarr.codecs.ZstdCodec(level=3), dimension_names=list("tczyx"), fill_value=0)
        z[:] = d
    ax = [{"name": "t", "type": "time"}, {"name": "c", "type": "channel"}] + [{"name": k, "type": "space", "unit": "micrometer"} for k in "zyx"]
    tf = lambda s, o: [{"type": "scale", "scale": [1.0, 1.0, s, s, s]}, {"type": "translation", "translation": [0.0, 0.0, o, o, o]}]
    g.attrs.update({"ome": {"version": "0.5", "multiscales": [{"name": "image", "type": "itkwasm_gaussian", "axes": ax, "datasets": [{"path": "scale0/image", "coordinateTransformations": tf(.8, 0.)}, {"path": "scale1/image", "coordinateTransformations": tf(1.6, .4)}]}]}})
    twin(c, f)
    for p in list(Path(f, "scale0/image/c/0/0").rglob("*")):
        if p.is_file():
            z, y, x = p.relative_to(Path(f, "scale0/image/c/0/0")).parts
            if z != "0" or y != "0": p.unlink()


@case("25-tiff-short-last-strip", "C", "virtual-zarr/virtual-tiff#24", "23040|20880",
      "The last strip of the TIFF holds only the 58 rows that are left (20880 bytes), but a chunk of 64 x 180 uint16 must have 23040: chunk c/3/0 of the elevation is too short.",
      "Chunk 0/c/3/0 has 20880 bytes instead of 23040 (58 of 64 rows): an edge chunk that was not padded.",
      "Compressed edge chunks, which are smaller as files but decode to the full size.")
def _(c, f):
    r = np.random.default_rng(1925)
    h, w = 250, 180
    dem = (620 + 140*smooth(r, h, w, n=3) + 25*smooth(r, h, w, n=15)).round().astype("u2")
    g = zarr.open_group(c, mode="w", zarr_format=3)
    for n, d, ch in (("0", dem, (64, 180)), ("1", mean2(dem).round().astype("u2"), (125, 90))):
        z = g.create_array(n, shape=d.shape, dtype="u2", chunks=ch, compressors=None, fill_value=0, dimension_names=("y", "x"),
                           attributes={"photometric_interpretation": 1, "planar_configuration": 1, "samples_per_pixel": [1], "bits_per_sample": [16], "compression": 1, "rows_per_strip": ch[0], "model_pixel_scale": [30.0*(int(n) + 1), 30.0*(int(n) + 1), 0.0], "model_tiepoint": [0.0, 0.0, 0.0, 483015.0, 5112015.0, 0.0], "geo_key_directory": {"projected_type": 32632, "raster_type": 1, "citation": "WGS 84 / UTM zone 32N"}})
        z[:] = d
    twin(c, f)
    p = Path(f, "0/c/3/0"); b = p.read_bytes(); assert len(b) == 64*180*2
    p.write_bytes(b[:58*180*2])


@case("26-wk-lost-slices", "C", "scalableminds/webknossos-libs#1036", "color/1|slices",
      "topleft z is 10: the first writer wrote the slices 10..41, the second 42..73, and both wrote the chunks z 32..63 at once; in many of them the slices 32..41 of the first are lost (zeros) in the middle of the picture.",
      "In several chunks of color/1 the slices z 32..41 are all 0 between full neighbours, ending at chunk edges in x and y: two writers wrote one chunk.",
      "Zeros before the first slice (z < 10) and outside of the bounding box.")
def _(c, f):
    r = np.random.default_rng(1926)
    X = Y = 96; Z = 96
    a = np.clip(128 + 26*np.moveaxis(smooth(r, Z, X, Y, n=5), 0, 2) + 9*r.normal(size=(X, Y, Z)), 1, 255).round().astype("u1"); a[..., :10] = 0; a[..., 74:] = 0
    g = zarr.open_group(c, mode="w", zarr_format=3)
    col = g.create_group("color")
    for m, d in (("1", a), ("2-2-1", a.reshape(48, 2, 48, 2, 96).mean((1, 3)).round().astype("u1"))):
        z = col.create_array(m, shape=(1,) + d.shape, dtype="u1", chunks=(1, 32, 32, 32) if m == "1" else (1, 16, 16, 32), fill_value=0, dimension_names=["c", "x", "y", "z"],
                             compressors=zarr.codecs.BloscCodec(cname="zstd", clevel=5, shuffle="shuffle", typesize=1))
        z[:] = d[None]
    wr(Path(c, "datasource-properties.json"), {"id": {"name": "l4_sample", "team": ""}, "scale": {"factor": [11.24, 11.24, 28.0], "unit": "nanometer"}, "version": 1,
       "dataLayers": [{"name": "color", "category": "color", "boundingBox": {"topLeft": [0, 0, 10], "width": 96, "height": 96, "depth": 64}, "elementClass": "uint8", "dataFormat": "zarr3", "numChannels": 1,
                       "mags": [{"mag": [1, 1, 1], "path": "./color/1", "axisOrder": {"c": 0, "x": 1, "y": 2, "z": 3}}, {"mag": [2, 2, 1], "path": "./color/2-2-1", "axisOrder": {"c": 0, "x": 1, "y": 2, "z": 3}}]}]})
    twin(c, f)
    z = zarr.open_group(f, mode="r+")["color/1"]
    for i, j in ((0, 1), (1, 1), (1, 2), (2, 0)): z[0, 32*i:32*i + 32, 32*j:32*j + 32, 32:42] = 0


@case("27-nczarr-fill-list", "C", "Unidata/netcdf-c#2008", "fill_value",
      "fill_value in tas/.zarray and pr/.zarray is a list of one number, [-32767], as netCDF-C 4.8.0 wrote it (here with mode=zarr,xarray); the format asks for the number.",
      "fill_value of tas and pr is a list ([-32767]) where a number is due.",
      "fill_value lists of complex data; base64 texts of structured data.")
def _(c, f):
    r = np.random.default_rng(1927)
    nt, ny, nx = 24, 40, 60
    g = zarr.open_group(c, mode="w", zarr_format=2, attributes={"Conventions": "CF-1.7", "title": "station model output"})
    lat = np.linspace(48, 57.75, ny); lon = np.linspace(2, 16.75, nx)
    T = 283 + 4*np.cos(2*np.pi*(np.arange(nt) - 14)/24)[:, None, None] - .5*(lat[None, :, None] - 52) + smooth(r, nt, ny, nx)
    P = np.clip(smooth(r, nt, ny, nx) - .8, 0, None)*2; z = numcodecs.Zlib(5)
    V = {"tas": (np.round((T - 273.15)/.01).astype("i4"), -32767, {"standard_name": "air_temperature", "units": "K", "scale_factor": .01, "add_offset": 273.15}), "pr": (np.round(P/.001).astype("i4"), -32767, {"standard_name": "lwe_thickness_of_precipitation_amount", "long_name": "hourly precipitation", "units": "mm", "scale_factor": .001, "add_offset": 0.0})}
    for n, (v, fv, at) in V.items(): arr2(g, n, v, chunks=(12, ny, nx), dims=("time", "lat", "lon"), comp=z, fill=fv, attrs=at)
    arr2(g, "time", np.arange(nt, dtype="i4"), dims=("time",), comp=z, fill=None, attrs={"standard_name": "time", "units": "hours since 2021-05-01 00:00:00", "calendar": "standard"})
    arr2(g, "lat", lat, dims=("lat",), comp=z, fill=None, attrs={"standard_name": "latitude", "units": "degrees_north"}); arr2(g, "lon", lon, dims=("lon",), comp=z, fill=None, attrs={"standard_name": "longitude", "units": "degrees_east"})
    twin(c, f)
    for n in V: edit(f, n, ".zarray", lambda d: d.update(fill_value=[d["fill_value"]]))


@case("28-enatl60-missing-chunks", "C", "pangeo-data/pangeo#691", "sossheig|2.1.2",
      "Two neighbouring chunks of sossheig (time 2, over open sea) were not copied to the bucket: a rectangle of NaN, while all the other chunks, also the one wholly over land, are there.",
      "Chunks 2.1.2 and 2.1.3 of sossheig are missing (a rectangle of NaN at one time); all the other chunks of the array are written, even those with only NaN.",
      "Chunks left out because they hold only fill value (write_empty_chunks=False).")
def _(c, f):
    r = np.random.default_rng(1928)
    nt, ny, nx = 5, 144, 200
    lon = (-42 + np.arange(nx)/60)[None] + np.zeros((ny, 1)); lat = (32 + np.arange(ny)/72)[:, None] + np.zeros((1, nx))
    ssh = .25 + .18*smooth(r, nt, ny, nx, n=4); land = np.zeros((ny, nx), bool); land[:52, :44] = True; ssh[:, land] = np.nan
    g = zarr.open_group(c, mode="w", zarr_format=2, attributes={"name": "eNATL60-BLBT02X_1h", "description": "ocean T grid variables", "Conventions": "CF-1.6", "title": "eNATL60"})
    z = BLOSC("lz4")
    arr2(g, "sossheig", ssh.astype("f4"), chunks=(1, 48, 40), dims=("time_counter", "y", "x"), comp=z, fill=np.nan, attrs={"standard_name": "sea_surface_height_above_geoid", "long_name": "sea surface height", "units": "m", "interval_operation": "40 s", "coordinates": "nav_lat nav_lon"}, config={"write_empty_chunks": True})
    arr2(g, "nav_lat", lat.astype("f4"), dims=("y", "x"), comp=z, fill=None, attrs={"standard_name": "latitude", "units": "degrees_north"}); arr2(g, "nav_lon", lon.astype("f4"), dims=("y", "x"), comp=z, fill=None, attrs={"standard_name": "longitude", "units": "degrees_east"})
    arr2(g, "time_counter", 3445200.0*1000 + 1800 + 3600.*np.arange(nt), dims=("time_counter",), comp=z, fill=None, attrs={"standard_name": "time", "units": "seconds since 1900-01-01 00:00:00", "calendar": "gregorian", "axis": "T"})
    zarr.consolidate_metadata(c, zarr_format=2); twin(c, f)
    for k in ("2.1.2", "2.1.3"): os.remove(Path(f, "sossheig", k))


@case("29-zarrs-ome-not-nested", "C", "zarrs/zarrs_tools#24", "ome|multiscales",
      "The OME-Zarr 0.5 metadata (multiscales, omero, version) stand directly in the attributes of zarr.json instead of under the key \"ome\": readers of 0.5 see no image.",
      "attributes.multiscales of the Zarr 3 group is not under attributes.ome, as OME-Zarr 0.5 demands.",
      "OME-Zarr 0.4 in Zarr 2, where multiscales stand at the top.")
def _(c, f):
    r = np.random.default_rng(1929)
    Z, Y, X = 12, 160, 144
    a = np.stack([cells(r, Y, X, 45) for _ in range(Z)]).astype("u2")
    g = zarr.open_group(c, mode="w", zarr_format=3)
    lv = [a, mean2(a).astype("u2"), mean2(mean2(a)).astype("u2")]
    for i, d in enumerate(lv):
        z = g.create_array(str(i), shape=d.shape, dtype="u2", chunks=(1, 40, 36), shards=(6, 160 >> i, 144 >> i) if i < 2 else (6, 40, 36), compressors=zarr.codecs.BloscCodec(cname="zstd", clevel=5, shuffle="bitshuffle", typesize=2), dimension_names=["z", "y", "x"], fill_value=0)
        z[:] = d
    ax = [{"name": k, "type": "space", "unit": "micrometer"} for k in "zyx"]
    ome = {"version": "0.5", "multiscales": [{"name": "nuclei", "type": "gaussian", "axes": ax, "datasets": [{"path": str(i), "coordinateTransformations": [{"type": "scale", "scale": [1.0, .2*2**i, .2*2**i]}, {"type": "translation", "translation": [0.0, .1*(2**i - 1), .1*(2**i - 1)]}]} for i in range(3)],
             "metadata": {"description": "Created with zarrs_ome", "repository": "https://github.com/zarrs/zarrs_tools", "version": "0.6.2"}}]}
    g.attrs["ome"] = ome; twin(c, f)
    edit(f, "", "zarr.json", lambda d: d.update(attributes=ome))


@case("30-ome04-dot-chunks", "C", "fideus-labs/ngff-zarr#60", "dimension_separator|separator",
      "The OME-Zarr 0.4 arrays were written with the chunk keys of zarr-python 3 (\".\"): flat files such as 0.0.0 and dimension_separator \".\", where OME-Zarr asks for \"/\"; some viewers find no chunks and show black.",
      "dimension_separator of scale0/image and scale1/image is \".\": OME-Zarr 0.4 demands \"/\".",
      "Plain Zarr 2 arrays without OME metadata; OME-Zarr 0.1.")
def _(c, f):
    r = np.random.default_rng(1930)
    C, Y, X = 2, 200, 220
    a = np.stack([cells(r, Y, X, 50) for _ in range(C)]).astype("u2"); L1 = mean2(a).astype("u2")
    for path, sep in ((c, "/"), (f, ".")):
        g = zarr.open_group(path, mode="w", zarr_format=2)
        for n, d in (("scale0", a), ("scale1", L1)): arr2(g.create_group(n), "image", d, chunks=(1, 100, 110), dims=("c", "y", "x"), comp=BLOSC("lz4"), sep=sep)
        ax = [{"name": "c", "type": "channel"}] + [{"name": k, "type": "space", "unit": "micrometer"} for k in "yx"]
        g.attrs.update({"multiscales": [{"version": "0.4", "name": "image", "type": "itkwasm_bin_shrink", "axes": ax, "datasets": [{"path": f"scale{i}/image", "coordinateTransformations": [{"type": "scale", "scale": [1.0, .325*2**i, .325*2**i]}, {"type": "translation", "translation": [0.0, .1625*i, .1625*i]}]} for i in range(2)]}]})
        zarr.consolidate_metadata(path, zarr_format=2)



# ================================================================= run
def main():
    for slug, d in CASES.items():
        if ONLY and slug not in ONLY: continue
        p = OUT/slug
        shutil.rmtree(p, ignore_errors=True); p.mkdir(parents=True)
        d["fn"](str(p/"clean"), str(p/"fault"))
        sz = [sum(x.stat().st_size for x in (p/k).rglob("*") if x.is_file()) for k in ("clean", "fault")]
        print(f"{slug:28} {sz[0]/1e3:8.1f} kB {sz[1]/1e3:8.1f} kB", flush=True)
    (OUT/"cases.json").write_text(json.dumps({s: d["keywords"] for s, d in CASES.items()}, indent=1))
    with open(OUT/"answers.md", "w") as o:
        o.write("# Answers, blind19\n")
        for s, d in CASES.items():
            o.write(f"\n## {s}\n- thread: {d['thread']}\n- kind: {d['kind']}\n- fault: {d['fault']}\n- a good checker: {d['say']}\n- healthy data that may look the same: {d['healthy']}\n- words: {d['keywords']}\n")


main()
