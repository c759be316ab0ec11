"""Make the sample stores that lie beside this file.

    python -m venv venv && venv/bin/pip install -r requirements.txt
    venv/bin/python make.py                # all stores
    venv/bin/python make.py ocean broken   # only these

Each store is deleted and written anew. Two runs give the same bytes: the data are
either real (package iris-sample-data) or come from a formula in exact arithmetic,
nothing is random, and the one timestamp a codec writes (gzip) is set to zero.

What zarr-python can write is written with zarr-python. The rest is put together here
from the specifications, with `write_v2` and `write_v3`; such arrays say so in their
attribute `written_by`, and list their values in the attribute `values`.
README.md describes every array.
"""

import base64
import json
import shutil
import struct
import sys
import warnings
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import google_crc32c
import iris_sample_data
import ml_dtypes
import netCDF4
import numcodecs
import numpy as np
import zarr
from zarr.codecs import BytesCodec, Crc32cCodec, GzipCodec, ZstdCodec
from zarr.dtype import VariableLengthBytes, VariableLengthUTF8

HERE = Path(__file__).resolve().parent
BY_HAND = "by hand, from the specification"
BY_ZARR_PYTHON = "zarr-python 3.1.6"

LITTLE = {"name": "bytes", "configuration": {"endian": "little"}}
BIG = {"name": "bytes", "configuration": {"endian": "big"}}
BYTES = {"name": "bytes"}
CRC32C = {"name": "crc32c"}
ZSTD = {"name": "zstd", "configuration": {"level": 3, "checksum": False}}


# --- writing by hand -----------------------------------------------------------------


def write_json(path: Path, document: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(json.dumps(document, indent=2).encode())


def read_json(path: Path) -> Any:
    return json.loads(path.read_bytes())


def write_chunks(folder: Path, chunks: dict[str, bytes]) -> None:
    for key, data in chunks.items():
        path = folder / key
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def write_group_v2(folder: Path, **attributes: Any) -> None:
    write_json(folder / ".zgroup", {"zarr_format": 2})
    write_json(folder / ".zattrs", attributes)


def write_group_v3(folder: Path, **attributes: Any) -> None:
    write_json(
        folder / "zarr.json",
        {"zarr_format": 3, "node_type": "group", "attributes": attributes},
    )


def write_v2(
    folder: Path,
    dtype: Any,
    chunks: dict[str, bytes],
    *,
    shape: list[int],
    chunk_shape: list[int],
    fill_value: Any,
    attributes: dict[str, Any],
    **members: Any,
) -> None:
    """Write a V2 array. `members` adds to the document or replaces parts of it."""
    document = {
        "zarr_format": 2,
        "shape": shape,
        "chunks": chunk_shape,
        "dtype": dtype,
        "compressor": None,
        "fill_value": fill_value,
        "order": "C",
        "filters": None,
    }
    write_json(folder / ".zarray", document | members)
    write_json(folder / ".zattrs", attributes)
    write_chunks(folder, chunks)


def write_v3(
    folder: Path,
    data_type: Any,
    chunks: dict[str, bytes],
    *,
    shape: list[int],
    chunk_shape: list[int],
    fill_value: Any,
    codecs: list[Any],
    attributes: dict[str, Any],
    **members: Any,
) -> None:
    """Write a V3 array. `members` adds to the document or replaces parts of it."""
    document = {
        "zarr_format": 3,
        "node_type": "array",
        "shape": shape,
        "data_type": data_type,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": chunk_shape}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill_value,
        "codecs": codecs,
        "attributes": attributes,
    }
    write_json(folder / "zarr.json", document | members)
    write_chunks(folder, chunks)


def crc32c(data: bytes) -> bytes:
    return struct.pack("<I", google_crc32c.value(data))


def flip_bit(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


# --- ocean, ocean-v2 -----------------------------------------------------------------

SOURCE = "Python package iris-sample-data 2.5.2 (https://github.com/SciTools/iris-sample-data)"
LICENCE = (
    "Open Government Licence, "
    "http://www.nationalarchives.gov.uk/doc/open-government-licence; "
    "British Crown copyright, 2018"
)
PACKED_FILL = -32768


@dataclass
class Variable:
    """One array of the ocean stores, as both formats need it."""

    name: str
    values: np.ndarray
    fill_value: Any
    dimensions: tuple[str, ...]
    attributes: dict[str, Any]
    has_missing: bool = False  # the fill value marks what is missing

    def attributes_in(self, zarr_format: int) -> dict[str, Any]:
        """The attributes with `_FillValue` as xarray 2026.9 writes it in V3, for floats base64
        of a little-endian float64; in V2, where xarray leaves it to Zarr's fill value, a number."""
        if not self.has_missing:
            return self.attributes
        mark = self.fill_value.item() if hasattr(self.fill_value, "item") else self.fill_value
        if zarr_format == 3 and isinstance(mark, float):
            mark = base64.b64encode(struct.pack("<d", mark)).decode()
        return self.attributes | {"_FillValue": mark}


def open_netcdf(name: str) -> netCDF4.Dataset:
    dataset = netCDF4.Dataset(Path(iris_sample_data.path) / name)
    dataset.set_auto_maskandscale(False)
    return dataset


def ocean_variables() -> dict[str, Variable]:
    """Read the real data; the stored values are never changed, except in `packed`."""
    with open_netcdf("orca2_votemper.nc") as nc:
        temperature = nc["votemper"][...]
        land = nc["votemper"].getncattr("_FillValue")
        latitude, longitude = nc["nav_lat"][...], nc["nav_lon"][...]
        depth = np.array([nc["deptht"][...]], "<f4")
        noon = np.datetime64("0001-01-01T00:00:00") + int(nc["time_counter"][...])
    with open_netcdf("E1_north_america.nc") as nc:
        every_tenth = slice(0, 240, 10)
        air = nc["air_temperature"][every_tenth]
        # 360-day years counted in hours from 1970.
        year = np.floor(1970 + nc["time"][every_tenth] / (360 * 24)).astype("<i2")
    with open_netcdf("toa_brightness_stereographic.nc") as nc:
        brightness = nc["data"][...]
        no_view = nc["data"].getncattr("_FillValue")

    orca = {"source_file": "orca2_votemper.nc", "note": "ORCA2 grid of the NEMO ocean model"}
    e1 = {"source_file": "E1_north_america.nc", "note": "Met Office Unified Model, scenario E1"}
    variables = [
        Variable("temperature", temperature, land, ("y", "x"), {
            "long_name": "sea water potential temperature, uppermost level",
            "standard_name": "sea_water_potential_temperature",
            "units": "degC", "coordinates": "latitude longitude depth time", **orca,
        }, has_missing=True),
        Variable("packed", pack(temperature, land), PACKED_FILL, ("y", "x"), {
            "long_name": "temperature, packed into 16 bits: value * scale_factor + add_offset",
            "units": "degC", "scale_factor": 0.01, "add_offset": 10.0,
            "comment": "Chunk [0,3] was set to fill before writing, so that it is not stored.",
            **orca,
        }, has_missing=True),
        Variable("latitude", latitude, 0.0, ("y", "x"), {
            "standard_name": "latitude", "units": "degrees_north", **orca,
        }),
        Variable("longitude", longitude, 0.0, ("y", "x"), {
            "standard_name": "longitude", "units": "degrees_east", **orca,
        }),
        Variable("depth", depth, float("nan"), ("z",), {
            "standard_name": "depth", "units": "m", "positive": "down", **orca,
        }),
        Variable("time", np.array(noon, "<M8[s]"), np.datetime64("NaT", "s"), (), {
            "standard_name": "time", **orca,
            "comment": "The source says 43200 s since 0001-01-01 in a calendar of 360-day years.",
        }),
        Variable("air", air, float("nan"), ("year", "lat", "lon"), {
            "long_name": "air temperature at 1.5 m over North America, yearly mean",
            "standard_name": "air_temperature", "units": "K",
            "latitude_range": [15.0, 60.0], "longitude_range": [225.0, 315.0], **e1,
        }),
        Variable("year", year, 0, ("year",), {"long_name": "year of `air`", **e1}),
        Variable("brightness", brightness, no_view, ("line", "pixel"), {
            "long_name": "top of atmosphere brightness temperature, 10.8 micrometres",
            "standard_name": "toa_brightness_temperature", "units": "K",
            "source_file": "toa_brightness_stereographic.nc",
            "note": "SEVIRI on Meteosat (MSG), 2016-05-16, stereographic; source EUMETSAT",
        }, has_missing=True),
    ]
    return {variable.name: variable for variable in variables}


def pack(temperature: np.ndarray, land: float) -> np.ndarray:
    """Temperatures as int16 hundredths above 10 degC, with one chunk left empty."""
    hundredths = np.rint((temperature.astype("f8") - 10.0) / 0.01)
    packed = np.where(temperature == land, PACKED_FILL, hundredths).astype("<i2")
    packed[0:37, 135:180] = PACKED_FILL
    return packed


def make_ocean(store: Path) -> None:
    group = zarr.create_group(store, zarr_format=3, attributes={
        "title": "Ocean temperature, with air and satellite temperatures beside it (Zarr V3)",
        "source": SOURCE, "licence": LICENCE,
    })
    layouts = {
        "temperature": {
            "shards": (74, 90),
            "chunks": (37, 45),
            "serializer": BytesCodec(endian="little"),
            "compressors": [ZstdCodec(level=3), Crc32cCodec()],
        },
        "packed": {
            "chunks": (37, 45),
            "serializer": BytesCodec(endian="big"),
            "compressors": [ZstdCodec(level=3), Crc32cCodec()],
        },
        "latitude": {"chunks": (74, 90), "compressors": [ZstdCodec(level=9)]},
        "longitude": {"chunks": (74, 90), "compressors": [ZstdCodec(level=9)]},
        "depth": {"chunks": (1,), "compressors": None},
        "time": {"chunks": (), "compressors": None},
        "air": {"chunks": (6, 37, 49), "compressors": [GzipCodec(level=6)]},
        "year": {"chunks": (24,), "compressors": None},
        "brightness": {"chunks": (80, 128), "compressors": [ZstdCodec(level=3)]},
    }
    variables = ocean_variables()
    for name, layout in layouts.items():
        variable = variables[name]
        array = group.create_array(
            name,
            shape=variable.values.shape,
            dtype=variable.values.dtype,
            fill_value=variable.fill_value,
            dimension_names=variable.dimensions,
            attributes=variable.attributes_in(3),
            **layout,
        )
        array[...] = variable.values
    erase_gzip_time(store / "air")
    zarr.consolidate_metadata(store, zarr_format=3)
    sort_consolidated(store / "zarr.json", "consolidated_metadata")


def make_ocean_v2(store: Path) -> None:
    group = zarr.create_group(store, zarr_format=2, attributes={
        "title": "Ocean temperature, with air and satellite temperatures beside it (Zarr V2)",
        "source": SOURCE, "licence": LICENCE,
    })
    layouts = {
        "temperature": {"chunks": (37, 45), "separator": "/"},
        "packed": {"chunks": (37, 45), "separator": "."},
        "latitude": {"chunks": (74, 90), "separator": ".", "order": "F"},
        "longitude": {"chunks": (74, 90), "separator": "/"},
        "depth": {"chunks": (1,), "separator": "."},
        "time": {"chunks": (), "separator": "."},
        "air": {"chunks": (6, 37, 49), "separator": "."},
        "year": {"chunks": (24,), "separator": "."},
        "brightness": {"chunks": (80, 128), "separator": "/"},
    }
    variables = ocean_variables()
    for name, layout in layouts.items():
        variable = variables[name]
        separator = layout.pop("separator")
        array = group.create_array(
            name,
            shape=variable.values.shape,
            dtype=variable.values.dtype.newbyteorder(">" if name == "packed" else "<"),
            fill_value=variable.fill_value,
            compressors=numcodecs.Blosc("lz4", clevel=5, shuffle=numcodecs.Blosc.SHUFFLE),
            chunk_key_encoding={"name": "v2", "separator": separator},
            attributes={"_ARRAY_DIMENSIONS": list(variable.dimensions)} | variable.attributes_in(2),
            **layout,
        )
        array[...] = variable.values
    zarr.consolidate_metadata(store, zarr_format=2)
    sort_consolidated(store / ".zmetadata")


def sort_consolidated(path: Path, *members: str) -> None:
    """Sort the copies of the documents: the order of a directory listing is not ours."""
    document = read_json(path)
    copies = document
    for member in members:
        copies = copies[member]
    copies["metadata"] = dict(sorted(copies["metadata"].items()))
    write_json(path, document)


def erase_gzip_time(array: Path) -> None:
    """Set the time in the gzip headers to zero, which means that there is none."""
    for chunk in sorted((array / "c").rglob("*")):
        if chunk.is_file():
            data = chunk.read_bytes()
            chunk.write_bytes(data[:4] + bytes(4) + data[8:])


# --- byte-order ----------------------------------------------------------------------


def make_byte_order(store: Path) -> None:
    write_group_v3(
        store,
        title="The same numbers in both byte orders",
        comment="Nothing is compressed: look at the bytes. Element n is 258 + 37 n, and 258 is "
        "0x0102; complex numbers have minus half of that as imaginary part.",
    )
    write_group_v2(store / "v2", title="Byte order in the dtype: < and >")
    write_group_v3(store / "v3", title="Byte order in the codec `bytes`")
    real = 258 + 37 * np.arange(64)
    for name in ["int16", "int32", "float32", "float64", "complex64"]:
        values = (real - 0.5j * real if name == "complex64" else real).astype(name)
        for order, sign in [("little", "<"), ("big", ">")]:
            swapped = values.astype(values.dtype.newbyteorder(sign))
            zarr.create_array(
                store / "v2" / f"{name}_{order}",
                data=swapped, chunks=(64,), compressors=None, zarr_format=2,
            )
            zarr.create_array(
                store / "v3" / f"{name}_{order}",
                data=values, chunks=(64,), compressors=None, zarr_format=3,
                serializer=BytesCodec(endian=order),
            )
    values = liar_values()
    write_v3(
        store / "liar", "float32",
        {f"c/{n}": values[1024 * n : 1024 * (n + 1)].astype(">f4").tobytes() for n in range(4)},
        shape=[4096], chunk_shape=[1024], fill_value=0.0, codecs=[LITTLE],
        attributes={
            "story": "Declared little, stored big. No reader can notice; only the values can tell: "
            "as big they glide between 10 and 20, as little they are noise.",
            "units": "degC", "written_by": BY_HAND,
        },
    )


def liar_values() -> np.ndarray:
    """Four waves of parabolas, 10 to 20, in arithmetic that is exact everywhere."""
    n = np.arange(4096)
    half_wave = n % 512
    arch = half_wave * (512 - half_wave) / 65536
    return (15 + np.where(n % 1024 < 512, 5, -5) * arch).astype("f4")


# --- dtypes-v2, dtypes-v3: what zarr-python writes -----------------------------------


@dataclass
class Sample:
    """A data type with telling values. The array is twice as long as they are: its second
    chunk is missing, so that the fill value is seen at work."""

    name: str
    dtype: Any
    values: Any
    fill_value: Any
    shows: str
    order: str = "little"


def integer_samples() -> list[Sample]:
    fills = {
        "int8": (-1, "fill value -1: the byte ff"),
        "int16": (-999, "fill value -999"),
        "int32": (0x01020304, "fill value 16909060: the bytes 1, 2, 3, 4 in some order"),
        "int64": (-(2**63), "fill value -2^63, which JavaScript prints as -9223372036854776000"),
        "uint8": (255, "fill value 255"),
        "uint16": (258, "fill value 258 = 0x0102"),
        "uint32": (2**32 - 1, "fill value 2^32 - 1"),
        "uint64": (2**64 - 1, "fill value 2^64 - 1: too large for int64, not exact in float64"),
    }
    samples = []
    for name, (fill_value, shows) in fills.items():
        info = np.iinfo(name)
        counting = int.from_bytes(bytes(range(1, np.dtype(name).itemsize + 1)), "big")
        values = sorted({info.min, info.min + 1, 0, 1, 42, counting, info.max - 1, info.max})
        samples.append(Sample(name, np.dtype(name), np.array(values, name), fill_value, shows))
    return samples


def float_samples() -> list[Sample]:
    inf, nan = float("inf"), float("nan")
    samples = []
    for name, fill_value, shows in [
        ("float16", nan, "fill value NaN"),
        ("float32", -inf, "fill value -Infinity; the last two values are NaNs with a payload"),
        ("float64", -0.0, "fill value -0.0: equal to 0.0, but not the same bits"),
    ]:
        info = np.finfo(name)
        values = np.array(
            [0.0, -0.0, 1.0, -2.5, 0.1, info.max, info.smallest_subnormal, inf, -inf, nan, 0, 0],
            name,
        )
        bits = values.view(f"u{values.itemsize}")
        quiet_nan = int(bits[9]) & ~(1 << (8 * values.itemsize - 1))
        bits[10] = quiet_nan | 0x123
        bits[11] = int(bits[7]) | 1  # a signalling NaN
        samples.append(Sample(name, np.dtype(name), values, fill_value, shows))
    for name, fill_value, shows, order in [
        ("complex64", complex(nan, -0.0), "fill value [NaN, -0.0]", "little"),
        ("complex128", complex(inf, -inf), "fill value [Infinity, -Infinity]; big", "big"),
    ]:
        values = [0j, 1 + 2j, -1 - 2j, complex(-0.0, 0.0), complex(nan, inf), 0.1 + 0.2j]
        samples.append(
            Sample(name, np.dtype(name), np.array(values, name), fill_value, shows, order)
        )
    return samples


def text_samples() -> list[Sample]:
    raw = [b"Zarr", b"\xde\xad\xbe\xef", bytes(4), b"\xff" * 4]
    terminated = [b"abc", b"", b"sixsix", b"a\x00b", b"\xfc\xe9\xdf", b" pad "]
    words = ["Zarr", "", "é", "日本語", "😀", "naïf", "a b", "ﬁn"]
    long_words = [
        *words, "two\nlines", 'tab\tand "quotes"', "e\u0301 is two code points", "Ω" * 40,
    ]
    blobs = [b"", b"\x00", b"Zarr", b"\xff\xfe", bytes(range(40)), "Ünïcode".encode()]
    return [
        Sample("raw_bytes", np.dtype("V4"), np.array(raw, "V4"), np.void(b"\x00\xff\x00\xff"),
               "4 bytes without a meaning: V2 |V4, V3 raw_bytes (registered is r32)"),
        Sample("null_terminated_bytes", np.dtype("S6"), np.array(terminated, "S6"), b"n/a",
               "bytes padded with zeros: V2 |S6, not registered in V3"),
        Sample("fixed_length_utf32", np.dtype("U4"), np.array(words, "U4"), "½",
               "text of up to 4 code points, 4 bytes each; non-ASCII fill value"),
        Sample("fixed_length_utf32_big", np.dtype("U4"), np.array(words, "U4"), "∅",
               "the same with each code point stored big", "big"),
        Sample("string", VariableLengthUTF8(), np.array(long_words, "T"), "fehlt – 欠測",
               "text of any length; non-ASCII fill value"),
        Sample("variable_length_bytes", VariableLengthBytes(), np.array(blobs, "O"), b"\x00\xff",
               "bytes of any length; the fill value is base64"),
    ]


def time_samples() -> list[Sample]:
    def days(unit: str) -> np.ndarray:
        return np.array(
            ["1970-01-01", "1969-12-31", "2000-02-29", "2026-11-21", "NaT", "1815-12-10"],
            f"M8[{unit}]",
        )

    instants = [
        "1970-01-01T00:00:00.000000001", "1969-12-31T23:59:59.999999999",
        "2262-04-11T23:47:16.854775807", "1677-09-21T00:12:43.145224193",
        "2016-12-31T23:59:59.5", "NaT",
    ]
    spans = [0, 1, -1, 86400, 2**62]
    not_a_time = np.datetime64("NaT")
    return [
        Sample("datetime64_ns", np.dtype("M8[ns]"), np.array(instants, "M8[ns]"),
               np.datetime64("NaT", "ns"), "nanoseconds since 1970; first and last that fit; NaT"),
        Sample("datetime64_10us_big", np.dtype("M8[10us]"), days("10us"),
               np.datetime64("2000-01-01", "10us"), "tens of microseconds, stored big", "big"),
        Sample("datetime64_D", np.dtype("M8[D]"), days("D"), np.datetime64("1582-10-15", "D"),
               "days; the fill value is the first day of the Gregorian calendar"),
        Sample("datetime64_3M", np.dtype("M8[3M]"), days("3M"), not_a_time.astype("M8[3M]"),
               "quarters of a year: unit M, scale 3"),
        Sample("datetime64_Y", np.dtype("M8[Y]"), days("Y"), np.datetime64("-0043", "Y"),
               "years; the fill value is 44 BC"),
        Sample("timedelta64_s", np.dtype("m8[s]"), np.array([*spans, "NaT"], "m8[s]"),
               np.timedelta64("NaT", "s"), "seconds; fill value NaT"),
        Sample("timedelta64_15m", np.dtype("m8[15m]"), np.array([*spans, "NaT"], "m8[15m]"),
               np.timedelta64(-4, "15m"), "quarters of an hour; the fill value is minus one hour"),
    ]


def structured_sample() -> Sample:
    dtype = np.dtype([("id", "<i4"), ("depth", "<f8"), ("name", "S6")])
    values = [(1, 5.0, b"surf"), (-2, -0.0, b""), (16909060, float("inf"), b"abyss!")]
    return Sample(
        "structured", dtype, np.array(values, dtype),
        np.array((-1, float("nan"), b"none"), dtype)[()],
        "three fields, 18 bytes, no padding; the fill value is base64 of its bytes",
    )


def samples() -> list[Sample]:
    boolean = Sample(
        "bool", np.dtype("bool"), np.array([True, False, True, True, False, False]), True,
        "fill value true",
    )
    return [
        boolean, *integer_samples(), *float_samples(), *text_samples(), *time_samples(),
        structured_sample(),
    ]


def write_sample(store: Path, sample: Sample, zarr_format: int, **options: Any) -> None:
    """Write a sample with zarr-python, uncompressed, its byte order where the format has it."""
    dtype, length = sample.dtype, len(sample.values)
    if sample.order == "big" and zarr_format == 2:
        dtype = dtype.newbyteorder(">")
    if sample.order == "big" and zarr_format == 3:
        options["serializer"] = BytesCodec(endian="big")
    array = zarr.create_array(
        store / sample.name,
        shape=(2 * length,),
        chunks=(length,),
        dtype=dtype,
        fill_value=sample.fill_value,
        compressors=None,
        zarr_format=zarr_format,
        attributes={"shows": sample.shows, "written_by": BY_ZARR_PYTHON},
        **options,
    )
    array[:length] = sample.values


def by_hand(shows: str, values: Any) -> dict[str, Any]:
    """Attributes of a hand-written sample. Its second chunk is missing, as in `Sample`."""
    return {"shows": shows, "written_by": BY_HAND, "values": values}


def plain(number: Any) -> Any:
    """A number as JSON has it: NaN and the infinities become strings."""
    if isinstance(number, complex):
        return [plain(number.real), plain(number.imag)]
    return number if np.isfinite(number) else {"inf": "Infinity", "-inf": "-Infinity"}.get(
        str(number), "NaN"
    )


# --- dtypes-v2 -----------------------------------------------------------------------


def make_dtypes_v2(store: Path) -> None:
    write_group_v2(store, title="Every data type that Zarr V2 can write")
    for sample in samples():
        write_sample(store, sample, zarr_format=2)

    mixed = np.dtype([("big", ">i2"), ("little", "<i2"), ("either", "u1"), ("ratio", ">f4")])
    values = np.array([(258, 258, 1, 0.5), (-1, -2, 255, -0.0)], mixed)
    write_sample(store, Sample(
        "structured_mixed_order", mixed, values, np.array((1, 1, 1, 1.0), mixed)[()],
        "each field has its own byte order; V3 cannot say that",
    ), zarr_format=2)
    write_sample(store, Sample(
        "float32_null_fill", np.dtype("f4"), np.array([1.5, 2.5], "f4"), None,
        "fill value null: what missing chunks hold is undefined; zarr-python shows 0",
    ), zarr_format=2)
    grid = zarr.create_array(
        store / "int16_order_f", shape=(3, 5), chunks=(3, 5), dtype="<i2", fill_value=0,
        compressors=None, zarr_format=2, order="F",
        attributes={
            "shows": "order F: the first index runs fastest; element [i,j] is 10 i + j",
            "written_by": BY_ZARR_PYTHON,
        },
    )
    grid[...] = 10 * np.arange(3)[:, None] + np.arange(5)

    write_structures_v2(store)
    write_objects_v2(store)
    write_v2(
        store / "uint8_with_order", ">u1", {"0": bytes([0, 1, 127, 255])},
        shape=[8], chunk_shape=[4], fill_value=7,
        attributes=by_hand(
            ">u1: a byte order on one byte. Found in the wild; means |u1; zarr-python refuses it.",
            [0, 1, 127, 255],
        ),
    )


def write_structures_v2(store: Path) -> None:
    """Structures that the V2 specification allows and zarr-python 3 does not write."""
    nested = np.dtype([("id", "<i4"), ("where", [("lat", ">f4"), ("lon", ">f4")])])
    values = [(1, (54.25, 7.5)), (2, (-33.5, 151.25))]
    fill = np.array((-1, (float("nan"), float("nan"))), nested)
    write_v2(
        store / "structured_nested",
        [["id", "<i4"], ["where", [["lat", ">f4"], ["lon", ">f4"]]]],
        {"0": np.array(values, nested).tobytes()},
        shape=[4], chunk_shape=[2], fill_value=base64.b64encode(fill.tobytes()).decode(),
        attributes=by_hand("a structure within a structure; the inner one is big", values),
    )

    subarray = np.dtype([("name", "S4"), ("rgb", "u1", (3,)), ("matrix", "<i2", (2, 2))])
    values = [(b"red", (255, 0, 0), ((1, 2), (3, 4))), (b"teal", (0, 128, 128), ((-1, 0), (0, -1)))]
    fill = np.array((b"none", (1, 2, 3), ((0, 0), (0, 0))), subarray)
    write_v2(
        store / "structured_subarray",
        [["name", "|S4"], ["rgb", "|u1", [3]], ["matrix", "<i2", [2, 2]]],
        {"0": np.array(values, subarray).tobytes()},
        shape=[4], chunk_shape=[2], fill_value=base64.b64encode(fill.tobytes()).decode(),
        attributes=by_hand(
            "fields that are small arrays, in C order",
            [[name.decode(), rgb, matrix] for name, rgb, matrix in values],
        ),
    )

    padded = np.dtype({"names": ["flag", "count"], "formats": ["u1", "<u4"],
                       "offsets": [0, 4], "itemsize": 8})
    rows = np.zeros(2, padded)
    rows["flag"], rows["count"] = [1, 2], [100, 70000]
    write_v2(
        store / "structured_padded",
        [["flag", "|u1"], ["", "|V3"], ["count", "<u4"]],
        {"0": rows.tobytes()},
        shape=[4], chunk_shape=[2], fill_value=base64.b64encode(bytes(8)).decode(),
        attributes=by_hand(
            "the nameless field is padding, as zarr-python 2 wrote aligned structures",
            [[1, "AAAA", 100], [2, "AAAA", 70000]],
        ),
    )


def write_objects_v2(store: Path) -> None:
    """Object arrays whose codec zarr-python 3 does not map to a data type."""
    objects = np.array(["text", 3, [1, 2, 3], {"a": None}], dtype=object)
    for name, codec, warning in [
        ("object_json2", numcodecs.JSON(), ""),
        ("object_pickle", numcodecs.Pickle(protocol=4), " Unpickling runs code: never do it."),
    ]:
        write_v2(
            store / name, "|O", {"0": codec.encode(objects)},
            shape=[8], chunk_shape=[4], fill_value=None, filters=[codec.get_config()],
            attributes=by_hand(
                f"Python objects through the codec {codec.codec_id}.{warning}", objects.tolist()
            ),
        )


# --- dtypes-v3 -----------------------------------------------------------------------


def make_dtypes_v3(store: Path) -> None:
    write_group_v3(store, title="Every data type that Zarr V3 can write, and registered extensions")
    for sample in samples():
        write_sample(store, sample, zarr_format=3)
    write_nan_payloads(store)
    write_raw_bits(store)
    write_narrow_integers(store)
    write_narrow_floats(store)
    write_complex_extensions(store)
    write_structs(store)
    write_blobs(store)


def write_nan_payloads(store: Path) -> None:
    for name, fill_value, bits in [
        ("float32", "0x7fc00abc", [0x7FC00ABC, 0x7FC00000, 0xFFC00ABC, 0x7F800001, 0x3F800000]),
        ("float64", "0x7ff4dead0000beef", [0x7FF4DEAD0000BEEF, 0x7FF8000000000000, 0x1]),
    ]:
        size = np.dtype(name).itemsize
        write_v3(
            store / f"{name}_nan_payload", name,
            {"c/0": np.array(bits, f">u{size}").tobytes()},
            shape=[2 * len(bits)], chunk_shape=[len(bits)], fill_value=fill_value, codecs=[BIG],
            attributes=by_hand(
                "a NaN with a payload as fill value, written as its bits, highest first; "
                + ("signalling" if size == 8 else "quiet"),
                [f"0x{pattern:0{2 * size}x}" for pattern in bits],
            ),
        )


def write_raw_bits(store: Path) -> None:
    for name, values, fill_value in [
        ("r16", [[1, 2], [255, 0], [0, 255]], [171, 205]),
        ("r32", [[90, 97, 114, 114], [222, 173, 190, 239]], [0, 255, 0, 255]),
    ]:
        write_v3(
            store / name, name, {"c/0": b"".join(map(bytes, values))},
            shape=[2 * len(values)], chunk_shape=[len(values)], fill_value=fill_value,
            codecs=[BYTES],
            attributes=by_hand(
                f"{name[1:]} bits without a meaning; one number a byte in the fill value", values
            ),
        )


def write_narrow_integers(store: Path) -> None:
    """Integers of 2 and 4 bits, one a byte. The upper bits do not count: the first chunk has
    them as int8 or uint8 would, the second the other way round, the third is missing."""
    for name, values, fill_value in [
        ("int2", range(-2, 2), -1),
        ("uint2", range(4), 3),
        ("int4", range(-8, 8), -8),
        ("uint4", range(16), 9),
    ]:
        size = len(values)
        first = np.array(values).astype("u1")
        second = first ^ (0xFF & -size)
        write_v3(
            store / name, name, {"c/0": first.tobytes(), "c/1": second.tobytes()},
            shape=[3 * size], chunk_shape=[size], fill_value=fill_value, codecs=[BYTES],
            attributes=by_hand(
                f"all {size} values, one a byte; in the second chunk the unused upper bits differ",
                2 * list(values),
            ),
        )


def write_narrow_floats(store: Path) -> None:
    """Floats of less than 32 bits that NumPy does not have: chosen bit patterns of each."""
    for name, fill_value, bits, shows in [
        ("bfloat16", "NaN", [0, 0x8000, 0x3F80, 0xC040, 0x7F7F, 1, 0x7F80, 0xFF80, 0x7FC0],
         "the upper half of a float32; stored big"),
        ("float8_e3m4", 0.25, [0, 0x80, 0x30, 0xB8, 0x6F, 1, 0x70, 0xF0, 0x78],
         "IEEE-like, 3 bits of exponent"),
        ("float8_e4m3", -0.0, [0, 0x80, 0x38, 0xC0, 0x77, 1, 0x78, 0xF8, 0x7C],
         "IEEE-like, 4 bits of exponent, with infinities"),
        ("float8_e5m2", "Infinity", [0, 0x80, 0x3C, 0xC0, 0x7B, 1, 0x7C, 0xFC, 0x7E],
         "IEEE-like, 5 bits of exponent"),
        ("float8_e4m3b11fnuz", 30.0, [0, 0x58, 0xD8, 0x7F, 0xFF, 1, 0x80],
         "no infinities, no -0; 80 is the only NaN; bias 11"),
        ("float8_e4m3fnuz", 240.0, [0, 0x40, 0xC0, 0x7F, 0xFF, 1, 0x80],
         "no infinities, no -0; 80 is the only NaN; bias 8"),
        ("float8_e5m2fnuz", 1.0, [0, 0x40, 0xC0, 0x7F, 0xFF, 1, 0x80],
         "no infinities, no -0; 80 is the only NaN; bias 16"),
        ("float8_e8m0fnu", 1.0, [0x7F, 0x80, 0x7E, 0, 0xFE, 0xFF],
         "only an exponent: powers of two, no sign, no zero; ff is NaN"),
        ("float6_e2m3fn", 7.5, [0, 0x20, 0x08, 0x28, 0x1F, 0x3F, 1, 0x0C],
         "in the lower 6 bits of a byte; no NaN, no infinities"),
        ("float6_e3m2fn", 28.0, [0, 0x20, 0x0C, 0x2C, 0x1F, 0x3F, 1, 0x10],
         "in the lower 6 bits of a byte; no NaN, no infinities"),
        ("float4_e2m1fn", 0.5, list(range(16)),
         "in the lower 4 bits of a byte; all sixteen values"),
    ]:
        wide = name == "bfloat16"
        patterns = np.array(bits, "u2" if wide else "u1")
        numbers = patterns.view(getattr(ml_dtypes, name)).astype("f8").tolist()
        write_v3(
            store / name, name, {"c/0": patterns.astype(">u2" if wide else "u1").tobytes()},
            shape=[2 * len(bits)], chunk_shape=[len(bits)], fill_value=fill_value,
            codecs=[BIG if wide else BYTES],
            attributes=by_hand(shows, [plain(number) for number in numbers]),
        )


def write_complex_extensions(store: Path) -> None:
    """Pairs, real part first."""
    inf, nan = float("inf"), float("nan")
    values = [0j, 1 - 2j, complex(-0.0, 0.5), complex(inf, nan), -3.140625 + 1.5j]
    for name, component, fill_value, codec in [
        ("complex_bfloat16", ml_dtypes.bfloat16, ["NaN", -0.0], LITTLE),
        ("complex_float16", np.float16, ["0x7e01", "Infinity"], BIG),
        ("complex_float32", np.float32, [0.5, -0.5], LITTLE),
        ("complex_float8_e5m2", ml_dtypes.float8_e5m2, [1.0, "-Infinity"], BYTES),
    ]:
        parts = np.array([[value.real, value.imag] for value in values]).astype(component)
        stored = parts.view(f"u{parts.itemsize}")
        stored = stored.astype(stored.dtype.newbyteorder(">" if codec is BIG else "<"))
        pairs = [complex(*pair) for pair in parts.astype("f8").tolist()]
        write_v3(
            store / name, name, {"c/0": stored.tobytes()},
            shape=[2 * len(values)], chunk_shape=[len(values)], fill_value=fill_value,
            codecs=[codec],
            attributes=by_hand(
                "pairs of the component type, real part first"
                + ("; fill value with a NaN payload" if name == "complex_float16" else "")
                + ("; the same as complex64" if name == "complex_float32" else ""),
                [plain(pair) for pair in pairs],
            ),
        )


def write_structs(store: Path) -> None:
    """The registered `struct`: fields as objects, the fill value as an object."""
    seconds = {"name": "numpy.datetime64", "configuration": {"unit": "s", "scale_factor": 1}}
    text = {"name": "fixed_length_utf32", "configuration": {"length_bytes": 12}}
    position = {"name": "struct", "configuration": {"fields": [
        {"name": "lat", "data_type": "float32"}, {"name": "lon", "data_type": "float32"},
    ]}}
    fields = [
        {"name": "station", "data_type": "int32"},
        {"name": "when", "data_type": seconds},
        {"name": "where", "data_type": position},
        {"name": "code", "data_type": text},
        {"name": "valid", "data_type": "bool"},
    ]
    dtype = np.dtype([
        ("station", "i4"), ("when", "M8[s]"), ("where", [("lat", "f4"), ("lon", "f4")]),
        ("code", "U3"), ("valid", "?"),
    ])
    rows = np.array([
        (258, "2026-11-21T11:02:09", (54.25, 7.5), "HEL", True),
        (-1, "NaT", (-33.5, 151.25), "Ωé", False),
    ], dtype)
    values = [
        {"station": 258, "when": 1795258929, "where": {"lat": 54.25, "lon": 7.5},
         "code": "HEL", "valid": True},
        {"station": -1, "when": "NaT", "where": {"lat": -33.5, "lon": 151.25},
         "code": "Ωé", "valid": False},
    ]
    assert int(rows["when"][0].astype("i8")) == values[0]["when"]
    fill_value = {
        "station": -999, "when": "NaT", "where": {"lat": "NaN", "lon": "0x7fc00001"},
        "code": "∅", "valid": False,
    }
    for name, codec, sign in [("struct_little", LITTLE, "<"), ("struct_big", BIG, ">")]:
        write_v3(
            store / name, {"name": "struct", "configuration": {"fields": fields}},
            {"c/0": rows.astype(dtype.newbyteorder(sign)).tobytes()},
            shape=[4], chunk_shape=[2], fill_value=fill_value, codecs=[codec],
            attributes=by_hand(
                "a struct with a date, an inner struct and text; the codec swaps every field",
                values,
            ),
        )


def write_blobs(store: Path) -> None:
    """The registered name for what zarr-python calls variable_length_bytes."""
    blobs = np.array([b"", b"\x00", b"Zarr", b"\xff\xfe", bytes(range(40))], dtype=object)
    for name, fill_value, form in [
        ("bytes", "AP8=", "base64"),
        ("bytes_fill_as_numbers", [0, 255], "a list of numbers"),
    ]:
        write_v3(
            store / name, "bytes", {"c/0": numcodecs.VLenBytes().encode(blobs)},
            shape=[10], chunk_shape=[5], fill_value=fill_value, codecs=[{"name": "vlen-bytes"}],
            attributes=by_hand(
                f"bytes of any length under the registered name; the fill value is {form}",
                [base64.b64encode(blob).decode() for blob in blobs],
            ),
        )


# --- broken --------------------------------------------------------------------------


def make_broken(store: Path) -> None:
    write_group_v3(
        store,
        title="Stores as people meet them: one fault in each",
        comment="Each array tells its story in its attribute `story`.",
    )
    break_metadata_v3(store)
    break_metadata_v2(store)
    break_keys(store)
    break_chunks(store)
    break_compressed_chunks(store)
    break_shards(store)
    break_consistency(store)
    write_hostile_text(store)


def story(text: str) -> dict[str, Any]:
    return {"story": text}


def small_v3(folder: Path, told: str, data_type: str = "int16", **members: Any) -> None:
    """A sound V3 array of 60 numbers in two chunks, but for what `members` replaces."""
    values = np.arange(60).astype(f"<{np.dtype(data_type).str[1:]}")
    options = {
        "shape": [60], "chunk_shape": [30], "fill_value": 0, "attributes": story(told),
        "codecs": [BYTES if values.itemsize == 1 else LITTLE],
    }
    chunks = {"c/0": values[:30].tobytes(), "c/1": values[30:].tobytes()}
    write_v3(folder, data_type, **({"chunks": chunks} | options | members))


def break_metadata_v3(store: Path) -> None:
    small_v3(
        store / "endian_missing",
        "The codec `bytes` does not say the byte order of int16. zarr-python 3.1 takes the "
        "machine's, others refuse.",
        codecs=[BYTES],
    )
    small_v3(
        store / "fill_null",
        "A JavaScript writer meant NaN, and JSON.stringify made null of it. V3 has no null "
        "fill value. Chunk 1 is missing: what is in it?",
        "float32", fill_value=None, chunks={"c/0": np.arange(30).astype("<f4").tobytes()},
    )
    small_v3(
        store / "fill_out_of_range",
        "The fill value 300 does not fit into uint8.",
        "uint8", fill_value=300,
    )
    small_v3(
        store / "codec_unknown",
        "The last codec is known to nobody. Metadata and stored bytes can still be looked at.",
        codecs=[LITTLE, {"name": "example.squeeze", "configuration": {"effort": 11}}],
    )
    small_v3(
        store / "dimension_names_length",
        "One dimension, two names.",
        dimension_names=["time", "station"],
    )
    small_v3(
        store / "chunk_rank",
        "The array has one dimension, its chunks have two.",
        chunk_grid={"name": "regular", "configuration": {"chunk_shape": [30, 1]}},
    )
    small_v3(
        store / "must_understand",
        "A member that no reader knows, without `must_understand: false`: a reader has to stop.",
        example_extension={"name": "example.units", "configuration": {"unit": "furlong"}},
    )
    small_v3(
        store / "json_invalid",
        "Somebody edited zarr.json by hand and left a comma too many.",
    )
    document = store / "json_invalid" / "zarr.json"
    sound = b'"fill_value": 0,'
    document.write_bytes(document.read_bytes().replace(sound, sound + b","))

    fields = np.dtype([("flux", ">f4"), ("count", ">i4")])
    values = np.array([(1.5, 1), (2.5, 2), (3.5, 3), (4.5, 4)], fields)
    zarr.create_array(
        store / "struct_order_lost", data=values, chunks=(4,), compressors=None, zarr_format=3,
        attributes=story(
            "Written by zarr-python 3.1.6 from big-endian fields. The bytes are big, and nothing "
            "says so: readers take them for little. (zarr-python issue 4141)"
        ),
    )


def small_v2(folder: Path, told: str, dtype: str = "<i2", **members: Any) -> None:
    """A sound V2 array of 60 numbers in two chunks, but for what `members` replaces."""
    options = {"shape": [60], "chunk_shape": [30], "fill_value": 0, "attributes": story(told)}
    if "chunks" not in members:
        values = np.arange(60).astype(dtype)
        options["chunks"] = {"0": values[:30].tobytes(), "1": values[30:].tobytes()}
    write_v2(folder, dtype, **(options | members))


def break_metadata_v2(store: Path) -> None:
    small_v2(
        store / "object_without_codec",
        "Objects, but no filter that says how they became bytes. The bytes look like vlen-utf8.",
        "|O", shape=[4], chunk_shape=[4], fill_value=None,
        chunks={"0": numcodecs.VLenUTF8().encode(np.array(["how", "was", "I", "stored"], "O"))},
    )
    small_v2(
        store / "fill_is_text",
        'The fill value is the text "0" and not the number. Hundreds of files were once mended '
        "with sed for this.",
        fill_value="0",
    )
    small_v2(
        store / "string_fill_zero",
        "zarr-python 2 gave strings the fill value 0 and meant none. Is the missing chunk full of "
        '"", of "0", or of nothing?',
        "|O", shape=[4], chunk_shape=[2], fill_value=0, filters=[{"id": "vlen-utf8"}],
        chunks={"0": numcodecs.VLenUTF8().encode(np.array(["left", "right"], "O"))},
    )
    small_v2(
        store / "nan_token",
        "zarr-python 2 wrote NaN without quotes, here and in .zattrs. That is not JSON: other "
        "languages stop at it.",
        "<f4", fill_value=float("nan"),
        chunks={"0": np.arange(30).astype("<f4").tobytes()},
    )
    attributes = store / "nan_token" / ".zattrs"
    write_json(attributes, read_json(attributes) | {"valid_max": float("nan")})


def break_keys(store: Path) -> None:
    grid = np.arange(36).reshape(6, 6).astype("<i2")
    quarters = {(i, j): grid[3 * i : 3 * i + 3, 3 * j : 3 * j + 3].tobytes()
                for i in range(2) for j in range(2)}
    write_v2(
        store / "separator_v2", "<i2", {f"{i}/{j}": data for (i, j), data in quarters.items()},
        shape=[6, 6], chunk_shape=[3, 3], fill_value=0,
        attributes=story(
            'Chunks lie in folders, "0/1", but dimension_separator is missing and means ".". '
            "Readers find no chunk and show zeros, without a word."
        ),
    )
    write_v3(
        store / "separator_v3", "int16",
        {f"c.{i}.{j}": data for (i, j), data in quarters.items()},
        shape=[6, 6], chunk_shape=[3, 3], fill_value=0, codecs=[LITTLE],
        attributes=story('The chunks are named "c.0.1", the metadata promises "c/0/1".'),
    )
    leftovers = np.arange(60, 120).astype("<i2")
    small_v3(
        store / "orphans",
        "The array once had 120 elements; shape was shortened to 45 and the chunks stayed. c/2 "
        "and c/3 belong to nothing, c/1 holds 15 old values beyond the edge. Beside them lie what "
        "a Finder and a crashed writer left.",
        shape=[45],
    )
    write_chunks(store / "orphans", {
        "c/2": leftovers[:30].tobytes(),
        "c/3": leftovers[30:].tobytes(),
        "c/.DS_Store": b"\0\0\0\1Bud1" + bytes(24),
        "c/1.5f0f7a1e7b6d4a06a0b8b9c1e58a3a52.partial": leftovers[:7].tobytes(),
    })


def break_chunks(store: Path) -> None:
    values = np.arange(60).astype("<i2").tobytes()
    page = b"<!DOCTYPE html>\n<html><head><title>503 Slow Down</title></head></html>\n"
    for name, second, told in [
        ("chunk_truncated", values[60:113],
         "Chunk 1 ends after 53 of 60 bytes: 26 elements and one byte."),
        ("chunk_empty", b"", "Chunk 1 is a file of no bytes: the disk was full, or a call wrong."),
        ("chunk_too_long", values[60:] + bytes(16),
         "Chunk 1 has 16 bytes more than 30 elements take."),
        ("chunk_is_a_web_page", page, "A download saved the server's excuse as chunk 1."),
    ]:
        small_v3(store / name, told, chunks={"c/0": values[:60], "c/1": second})


HEADER = 16  # bytes: as long as the header of blosc, longer than that of zstd


def break_compressed_chunks(store: Path) -> None:
    zstd = numcodecs.Zstd(level=3)
    wave = liar_values()[:1024].astype("<f4")
    halves = [zstd.encode(wave[:512].tobytes()), zstd.encode(wave[512:].tobytes())]
    wave_options = {"shape": [1024], "chunk_shape": [512], "fill_value": 0.0}
    write_v3(
        store / "zstd_truncated", "float32",
        {"c/0": halves[0], "c/1": halves[1][: len(halves[1]) * 2 // 3]},
        codecs=[LITTLE, ZSTD], **wave_options,
        attributes=story("The last third of chunk 1 is gone: the zstd frame is incomplete."),
    )
    wrong_sum = struct.pack("<I", zlib.crc32(halves[1]))
    write_v3(
        store / "crc32_for_crc32c", "float32",
        {"c/0": halves[0] + crc32c(halves[0]), "c/1": halves[1] + wrong_sum},
        codecs=[LITTLE, ZSTD, CRC32C], **wave_options,
        attributes=story(
            "The checksum of chunk 1 is a crc32, where a crc32c is due. Its data are sound."
        ),
    )

    variable = ocean_variables()["packed"]
    array = zarr.create_array(
        store / "crc", data=variable.values, chunks=(37, 45), fill_value=PACKED_FILL,
        serializer=BytesCodec(endian="big"), compressors=[ZstdCodec(level=3), Crc32cCodec()],
        zarr_format=3, dimension_names=variable.dimensions,
        attributes=variable.attributes_in(3) | {
            "licence": LICENCE,
            "story": "One bit of c/2/1 flipped on the disk. Without the checksum nobody would have "
            "noticed: zstd still decodes it, and one place in the sea has 332.62 degC.",
        },
    )
    assert array.shape == (148, 180)
    chunk = store / "crc" / "c" / "2" / "1"
    frame, checksum = chunk.read_bytes()[:-4], chunk.read_bytes()[-4:]
    chunk.write_bytes(flip_one_bit_unnoticed(frame, zstd, ">i2", PACKED_FILL) + checksum)

    blosc = numcodecs.Blosc("lz4", clevel=5, shuffle=numcodecs.Blosc.SHUFFLE)
    halves = [blosc.encode(wave[:512]), blosc.encode(wave[512:])]
    write_v2(
        store / "blosc_flipped_bit", "<f4",
        {"0": halves[0], "1": flip_one_bit_unnoticed(halves[1], blosc, "<f4", 0.0)},
        compressor=blosc.get_config(), **wave_options,
        attributes=story(
            "One bit of chunk 1 flipped, and blosc has no checksum. Every reader decodes it; only "
            "a value that sticks out can tell."
        ),
    )


def flip_one_bit_unnoticed(data: bytes, codec: Any, dtype: str, fill_value: float) -> bytes:
    """Flip a bit such that the decoder stays content and as few elements as possible change,
    none of them fill; of all such bits the one that changes the value most."""
    sound = np.frombuffer(bytes(codec.decode(data)), dtype).astype("f8")
    best, best_score = data, (len(sound), 0.0)
    for bit in range(8 * HEADER, 8 * len(data)):
        candidate = flip_bit(data, bit)
        try:
            decoded = np.frombuffer(bytes(codec.decode(candidate)), dtype).astype("f8")
        except (RuntimeError, ValueError):
            continue
        if len(decoded) != len(sound) or not np.isfinite(decoded).all():
            continue
        change = np.abs(decoded - sound)
        if change[sound == fill_value].any():
            continue
        score = (int(np.count_nonzero(change)), -float(change.max()))
        if score[0] > 0 and score < best_score:
            best, best_score = candidate, score
    assert best is not data
    return best


def break_shards(store: Path) -> None:
    for name, told in [
        ("shard_index_damaged",
         "A byte in the index of shard 1 changed: its checksum does not fit, and no inner chunk "
         "can be trusted."),
        ("shard_entry_outside",
         "The index of shard 1 has a sound checksum, but its third entry points behind the end of "
         "the file."),
    ]:
        array = zarr.create_array(
            store / name, shape=(160,), chunks=(20,), shards=(80,), dtype="int16",
            fill_value=-1, serializer=BytesCodec(endian="little"), compressors=None,
            zarr_format=3, attributes=story(told),
        )
        array[...] = np.arange(160)
    index_length = 4 * 16 + 4

    shard = store / "shard_index_damaged" / "c" / "1"
    data = shard.read_bytes()
    shard.write_bytes(flip_bit(data, 8 * (len(data) - index_length + 17)))

    shard = store / "shard_entry_outside" / "c" / "1"
    data = shard.read_bytes()
    index = bytearray(data[-index_length:-4])
    index[32:40] = struct.pack("<Q", 10**14)
    shard.write_bytes(data[:-index_length] + bytes(index) + crc32c(bytes(index)))


def break_consistency(store: Path) -> None:
    told = (
        "Two documents describe this array: .zarray says [100], zarr.json says [50]. The chunks "
        "are those of V2. zarr-python 3 reads zarr.json and shows zeros."
    )
    values = np.arange(1, 101).astype("<i2")
    small_v2(
        store / "two_formats", told, shape=[100], chunk_shape=[50],
        chunks={"0": values[:50].tobytes(), "1": values[50:].tobytes()},
    )
    small_v3(store / "two_formats", told, shape=[50], chunk_shape=[50], chunks={})

    group = zarr.create_group(store / "stale", zarr_format=3, attributes=story(
        "The metadata were consolidated when `growing` had 10 elements. It has 20 now; who opens "
        "the group still sees 10."
    ))
    growing = group.create_array(
        "growing", shape=(10,), chunks=(10,), dtype="int16", fill_value=0, compressors=None
    )
    growing[...] = np.arange(10)
    zarr.consolidate_metadata(store / "stale", zarr_format=3)
    growing.resize((20,))
    growing[10:] = np.arange(10, 20)

    told = "A .zgroup and a zarr.json in one folder: which members does it have?"
    write_group_v2(store / "two_groups", story=told)
    write_group_v3(store / "two_groups", story=told)
    small_v2(store / "two_groups" / "seen_by_v2", "Only readers of V2 list this array.")
    small_v3(store / "two_groups" / "seen_by_v3", "Only readers of V3 list this array.")


def write_hostile_text(store: Path) -> None:
    """Attributes that attack a careless terminal. Directory names stay harmless."""
    hostile = {
        "story": "Every text here tries to reach the terminal: colours, the window title, the "
        "clipboard, the cursor, the direction of writing. Shown raw, they would succeed.",
        "colour": "\u001b[31mred\u001b[0m",
        "clear screen": "\u001b[2J\u001b[H",
        "title": "\u001b]0;owned\u0007",
        "clipboard": "\u001b]52;c;bWFsaWNl\u0007",
        "one-byte control": "\u009b31m",
        "bidirectional override": "invoice\u202efdp.exe",
        "bidirectional isolate": "\u2067right to left\u2069",
        "zero width": "in\u200bvisi\u200dble\ufeff",
        "combining": "Z" + "\u0351\u0322" * 30,
        "backspaces": "harmless\b\b\b\b\b\b\b\bharmful!",
        "carriage return": "50 % full\r99",
        "null": "before\u0000after",
        "key \u001b[7m reversed \u001b[0m": "the key itself",
        "long": "A" * 5000,
    }
    small_v3(
        store / "hostile_text", "", attributes=hostile,
        dimension_names=["time\u001b[5mblink\u001b[0m"],
    )
    words = ["\u001b[31mred", "\u202eevil", "bell\u0007", "a\nb", "\u0000", "fine"]
    array = zarr.create_array(
        store / "hostile_strings", shape=(12,), chunks=(6,), dtype=VariableLengthUTF8(),
        fill_value="\u001b[41mfill\u001b[0m", compressors=None, zarr_format=3,
        attributes=story("The same attack from the values and the fill value."),
    )
    array[:6] = np.array(words, "T")


# --- pairs ---------------------------------------------------------------------------

NUMBERS = np.array([1, 2, 3, 4], "<i2")
PAIR_V2 = {
    "zarr_format": 2, "shape": [4], "chunks": [2], "dtype": "<i2", "compressor": None,
    "fill_value": 0, "order": "C", "filters": None,
}
PAIR_V3 = {
    "zarr_format": 3, "node_type": "array", "shape": [4], "data_type": "int16",
    "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [2]}},
    "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
    "fill_value": 0, "codecs": [LITTLE],
}
Files = dict[str, Any]  # by path: a document, or the bytes of a chunk


def pair_v2(encode: Any = bytes, keys: tuple[str, str] = ("0", "1"), **members: Any) -> Files:
    """A V2 array of 1, 2, 3, 4 in two chunks, but for what `members` replaces."""
    halves = [encode(NUMBERS[:2].tobytes()), encode(NUMBERS[2:].tobytes())]
    return {".zarray": PAIR_V2 | members, **dict(zip(keys, map(bytes, halves), strict=True))}


def pair_v3(encode: Any = bytes, **members: Any) -> Files:
    """The same in V3."""
    halves = [encode(NUMBERS[:2].tobytes()), encode(NUMBERS[2:].tobytes())]
    return {"zarr.json": PAIR_V3 | members, "c/0": bytes(halves[0]), "c/1": bytes(halves[1])}


def below(name: str, files: Files) -> Files:
    return {f"{name}/{path}": content for path, content in files.items()}


def document_pairs() -> dict[str, tuple[Files, Files]]:
    """A fault of a document each, and its clean twin."""
    blosc = numcodecs.Blosc("lz4", clevel=5, shuffle=numcodecs.Blosc.SHUFFLE, typesize=2)
    settings = {"cname": "lz4", "clevel": 5, "blocksize": 0}

    def blosc_v3(**configuration: Any) -> Files:
        codec = {"name": "blosc", "configuration": settings | configuration}
        return pair_v3(blosc.encode, codecs=[LITTLE, codec])

    def shuffled(size: int) -> Files:
        shuffle = numcodecs.Shuffle(size or 2)
        return pair_v2(shuffle.encode, filters=[{"id": "shuffle", "elementsize": size}])

    def lzma(filters: Any) -> Files:
        codec = {"id": "lzma", "format": 1, "check": -1, "preset": None, "filters": filters}
        return pair_v2(numcodecs.LZMA().encode, compressor=codec)

    sound_v2, sound_v3 = pair_v2(), pair_v3()
    objects = PAIR_V2 | {"dtype": "|O", "shape": [2]}
    return {
        "byte-order-mark": (
            {**sound_v3, "zarr.json": b"\xef\xbb\xbf" + json.dumps(PAIR_V3).encode()}, sound_v3),
        "cf-packing": (
            {**sound_v2, ".zattrs": {"_ARRAY_DIMENSIONS": ["x"], "scale_factor": "0.01"}},
            {**sound_v2, ".zattrs": {"_ARRAY_DIMENSIONS": ["x"], "scale_factor": 0.01}}),
        "data-type-not-read": (pair_v3(data_type="example.unit"), sound_v3),
        "dimension-names": (pair_v3(dimension_names=None), pair_v3(dimension_names=["x"])),
        "codec-option": (lzma([{"id": 33, "preset": 6}]), lzma(None)),
        "null-separator": (
            pair_v2(dimension_separator=None), pair_v2(dimension_separator=".")),
        "pickle-refused": (
            {".zarray": objects | {"filters": [{"id": "pickle"}]}, "0": b"."}, strings(b"a", b"b")),
        "shuffle-size": (shuffled(4), shuffled(2)),
        "shuffle-size-zero": (shuffled(0), shuffled(2)),
        "type-size-missing": (
            blosc_v3(shuffle="shuffle"), blosc_v3(shuffle="shuffle", typesize=2)),
        "unknown-extension.grid": (
            pair_v3(chunk_grid={"name": "hexagonal", "configuration": {}}), sound_v3),
        "unknown-extension.keys": (pair_v3(chunk_key_encoding={"name": "hashed"}), sound_v3),
        "unknown-codec": (pair_v3(codecs=[LITTLE, {"name": "example.squeeze"}]), sound_v3),
        "v2-configuration": (blosc_v3(shuffle=1), blosc_v3(shuffle="shuffle", typesize=2)),
        "zero-for-none": (
            {".zarray": objects | {"filters": [{"id": "vlen-utf8"}]}, "0": vlen(b"a", b"b")},
            strings(b"a", b"b")),
    }


def vlen(*texts: bytes) -> bytes:
    """What vlen-utf8 makes of texts, be they UTF-8 or not."""
    return struct.pack("<I", len(texts)) + b"".join(
        struct.pack("<I", len(text)) + text for text in texts
    )


def strings(*texts: bytes) -> Files:
    """Two strings of V3, for which there is no note on `|O`."""
    words = {"shape": [2], "data_type": "string", "fill_value": "", "codecs": [{"name": "vlen-utf8"}]}
    return {"zarr.json": PAIR_V3 | words, "c/0": vlen(*texts)}


def half_shard(stored: int) -> bytes:
    """A shard of two inner chunks of one element, of which so many are stored."""
    entries = [(2 * n, 2) if n < stored else (2**64 - 1,) * 2 for n in range(2)]
    index = b"".join(struct.pack("<QQ", *entry) for entry in entries)
    return NUMBERS[:stored].tobytes() + index + crc32c(index)


def key_pairs() -> dict[str, tuple[Files, Files]]:
    """A fault of keys, chunks or of what nodes are called each, and its clean twin."""
    group = {"zarr_format": 2}
    sound, sound_v3 = pair_v2(), pair_v3()
    waves = liar_values()[:1024].astype("<f4")
    liar = PAIR_V2 | {"shape": [1024], "chunks": [1024], "dtype": "<f4"}
    sharding = {
        "chunk_shape": [1], "codecs": [LITTLE], "index_codecs": [LITTLE, CRC32C],
        "index_location": "end",
    }
    shards = PAIR_V3 | {"codecs": [{"name": "sharding_indexed", "configuration": sharding}]}
    guessed = PAIR_V3 | {"codecs": [{
        "name": "sharding_indexed",
        "configuration": sharding | {"index_codecs": [BYTES, CRC32C]},
    }]}
    full = {"c/0": half_shard(2), "c/1": half_shard(2)}
    copy = {"zarr_consolidated_format": 1, "metadata": {".zgroup": group, "a/.zarray": PAIR_V2}}
    moved = {**copy["metadata"], "a/.zarray": PAIR_V2 | {"dimension_separator": "/"}}
    whole = {".zgroup": group, **below("a", sound), ".zmetadata": copy}
    return {
        "byte-order": (
            {".zarray": liar, "0": waves.astype(">f4").tobytes()},
            {".zarray": liar, "0": waves.tobytes()}),
        "both-formats": ({**sound_v3, **pair_v2(shape=[3])}, sound_v3),
        "not-a-file": (
            {**{k: v for k, v in sound.items() if k != "0"}, "0/part": sound["0"]}, sound),
        "chunks-missing": ({k: v for k, v in sound.items() if k != "1"}, sound),
        "chunks-missing.shard": (
            {"zarr.json": shards, **full, "c/1": half_shard(1)}, {"zarr.json": shards, **full}),
        "consolidated-differs": ({**whole, ".zmetadata": copy | {"metadata": moved}}, whole),
        "consolidated-only": ({".zmetadata": copy}, whole),
        "endian-guessed": ({"zarr.json": guessed, **full}, {"zarr.json": shards, **full}),
        "foreign-file": ({**sound, ".zgroup": group}, sound),
        "group-missing": (
            {".zgroup": group, **below("sub/a", sound)},
            {".zgroup": group, "sub/.zgroup": group, **below("sub/a", sound)}),
        "node-name": (
            {".zgroup": group, **below("zarr.json", sound)},
            {".zgroup": group, **below("zarr", sound)}),
        "not-utf-8": (
            strings(b"a\xffb", b"b"), strings("é".encode(), b"b")),
        "wrong-chunk-keys": (pair_v2(keys=("00", "01")), sound),
    }


def zip_pairs() -> dict[str, tuple[list[tuple[str, Any]], list[tuple[str, Any]]]]:
    """The members of an archive with a fault, and of its clean twin. Names that differ in case are
    kept in an archive, because not every file system can have both."""
    sound = list(pair_v3().items())
    group = [("zarr.json", {"zarr_format": 3, "node_type": "group"})]

    def both(*names: str) -> list[tuple[str, Any]]:
        return group + [member for name in names for member in below(name, pair_v3()).items()]

    return {
        "name-case": (both("t", "T"), both("t", "u")),
        "zip-folder": (list(below("store", pair_v3()).items()), sound),
        "zip-twice": ([*sound, ("c/0", pair_v3()["c/1"])], sound),
    }


def content(file: Any) -> bytes:
    return file if isinstance(file, bytes) else json.dumps(file, indent=2).encode()


def make_pairs(store: Path) -> None:
    """For each finding of `check` that few readers tell a store with it, and one without.

    The folder is named for the finding; what follows a dot tells two of the same apart.
    """
    for name, pair in sorted((document_pairs() | key_pairs()).items()):
        for kind, files in zip(["fault", "clean"], pair, strict=True):
            write_chunks(store / name / kind, {key: content(file) for key, file in files.items()})
    for name, pair in zip_pairs().items():
        (store / name).mkdir(parents=True)
        for kind, members in zip(["fault", "clean"], pair, strict=True):
            with zipfile.ZipFile(store / name / f"{kind}.zip", "w") as archive:
                for key, file in members:
                    archive.writestr(zipfile.ZipInfo(key), content(file))


# --- all -----------------------------------------------------------------------------

STORES = {
    "ocean": make_ocean,
    "ocean-v2": make_ocean_v2,
    "byte-order": make_byte_order,
    "dtypes-v2": make_dtypes_v2,
    "dtypes-v3": make_dtypes_v3,
    "broken": make_broken,
    "pairs": make_pairs,
}


def main(names: list[str]) -> None:
    # zarr-python warns of data types outside the specification; showing them is the purpose.
    warnings.filterwarnings("ignore", category=zarr.errors.UnstableSpecificationWarning)
    warnings.filterwarnings("ignore", message="Consolidated metadata is currently not part")
    warnings.filterwarnings("ignore", message="Duplicate name")
    for name in names or STORES:
        store = HERE / name
        if store.exists():
            shutil.rmtree(store)
        STORES[name](store)
        files = [path for path in store.rglob("*") if path.is_file()]
        print(f"{name:12} {len(files):4} files {sum(f.stat().st_size for f in files):9,} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
