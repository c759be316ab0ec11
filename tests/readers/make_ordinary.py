#!/usr/bin/env python3
"""make_ordinary.py OUT: writes arrays as xarray 2026.9, anndata 0.13, ome-zarr 0.21 and zarr-python 3.4 write them ordinarily, as tiny
stores OUT/<case>/ and OUT/cases.jsonl in the form of tests/readers/matrix.json without its answers: every number type with the fill values that those
programs write, read from stored and from missing chunks; shards of every family; times, strings. All have dimension names, but
where the case is about that, so that xarray opens them too. By hand, as README.md says: no Zarr library takes part."""
import json, os, shutil, struct, sys
import numpy as np, numcodecs
from google_crc32c import value as crc32c
OUT = sys.argv[1]; shutil.rmtree(OUT, ignore_errors=True); os.makedirs(OUT)
LOG, SEEN = open(OUT + '/cases.jsonl', 'w'), set()
LITTLE = {'name': 'bytes', 'configuration': {'endian': 'little'}}; BIG = {'name': 'bytes', 'configuration': {'endian': 'big'}}
NAMES = {'b1': 'bool', 'c8': 'complex64', 'c16': 'complex128', **{f'{k}{n}': f'{w}{n * 8}' for k, w in (('i', 'int'), ('u', 'uint')) for n in (1, 2, 4, 8)}, **{f'f{n}': f'float{n * 8}' for n in (2, 4, 8)}}
VALUES = {'b': [True, False, True, True], 'i': [-5, -2, 66, 127], 'u': [3, 1, 66, 200], 'f': [1.5, -2.25, 8.0, 0.5], 'c': [1.5 - 2j, 3 + .5j, 1j, -1j]}

def encode(items, dtype, order):
    """The bytes of `items` in C order."""
    return np.array(items, np.dtype(dtype).newbyteorder(order)).tobytes()

def case(name, what, format, features, document, chunks, truth, attributes, spec='valid'):
    assert name not in SEEN, name
    SEEN.add(name); main = 'a/.zarray' if format == 2 else 'a/zarr.json'
    files = {main: json.dumps(document)}
    if format == 2: files['a/.zattrs'] = json.dumps(attributes)
    group = {'.zgroup': '{"zarr_format": 2}'} if format == 2 else {'zarr.json': '{"zarr_format": 3, "node_type": "group"}'}
    for key, content in {**files, **group, **{'a/' + k: b for k, b in chunks.items()}}.items():
        path = f'{OUT}/{name}/{key}'; os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, 'wb').write(content if isinstance(content, bytes) else content.encode())
    row = dict(case=name, what=what, format=format, group='ordinary', spec=spec, features=[dict(member=m, value=v) for m, v in features], document=files.pop(main), truth=truth)
    if files: row['other_documents'] = files
    LOG.write(json.dumps({**row, 'chunks': {'a/' + k: b.hex() for k, b in chunks.items()}}) + '\n')

def truth(items, dtype):
    if dtype is None: return dict(kind='vlen', values=[str(x) for x in items], hex=b''.join(struct.pack('<I', len(b)) + b for b in (x.encode() if isinstance(x, str) else x for x in items)).hex(), basis='core')
    a = np.array(items, np.dtype(dtype).newbyteorder('<'))
    nan = {'f': a.dtype.itemsize, 'c': a.dtype.itemsize // 2}.get(a.dtype.kind)
    return dict(kind='fixed', values=[str(x) for x in a.tolist()], hex=a.tobytes().hex(), basis='core', **({'nan': nan} if nan else {}))

def v2(name, dtype, fill, chunks, tr, shape=(4,), cshape=(2,), compressor=None, filters=None, features=(), named=True):
    document = dict(shape=list(shape), chunks=list(cshape), dtype=dtype, fill_value=fill, order='C', filters=filters, dimension_separator='.', compressor=compressor, zarr_format=2)
    case('v2-ordinary-' + name, f'"{dtype}", fill_value {json.dumps(fill)}', 2, [('dtype', dtype), ('fill_value', fill), *features], document, chunks, tr, {'_ARRAY_DIMENSIONS': ['y', 'x'][-len(shape):] if shape else []} if named else {})

def v3(name, data_type, fill, chunks, tr, shape=(4,), cshape=(2,), codecs=None, features=(), named=True, spec='valid'):
    document = dict(shape=list(shape), data_type=data_type, chunk_grid={'name': 'regular', 'configuration': {'chunk_shape': list(cshape)}}, chunk_key_encoding={'name': 'default', 'configuration': {'separator': '/'}}, fill_value=fill, codecs=codecs or [LITTLE], attributes={}, zarr_format=3, node_type='array', storage_transformers=[])
    if named is not False: document['dimension_names'] = (['y', 'x'][-len(shape):] if shape else []) if named is True else named
    case('v3-ordinary-' + name, f'{json.dumps(data_type)}, fill_value {json.dumps(fill)}', 3, [('data_type', data_type), ('fill_value', fill), *features], document, chunks, tr, {}, spec)

def fills(kind, size, format):
    """The fill values that are written for a number type: as JSON, and as a value, `None` where that is undefined."""
    null = [(None, None)] if format == 2 else []
    if kind == 'b': return null + [(False, False), (True, True)]
    if kind in 'iu': return null + [(0, 0), (9, 9), (-99, -99) if kind == 'i' else (255, 255)]
    if kind == 'f': return null + [(0.0, 0), ('NaN', np.nan), (-9.5, -9.5), (-999, -999)]
    return null + [([0.0, 0.0], 0), (['NaN', 'NaN'], complex(np.nan, np.nan)), ([1.0, 0.5], 1 + .5j)]

for k in NAMES:
    kind, size = k[0], int(k[1:]); values = VALUES[kind]; one = size == 1
    for order in ('<',) if one else ('<', '>'):
        sign, big = '|' if one else order, '-big' if order == '>' else ''
        for number, (fill, value) in enumerate(fills(kind, size, 2)):
            first, second = encode(values[:2], k, order), encode(values[2:], k, order)
            if not big: v2(f'{k}-{number}', sign + k, fill, {'0': first, '1': second}, truth(values, k))
            if fill is not None: v2(f'{k}-{number}{big}-hole', sign + k, fill, {'0': first}, truth(values[:2] + [value] * 2, k))
        for number, (fill, value) in enumerate(fills(kind, size, 3)):
            codecs = [{'name': 'bytes'}] if one else [BIG if big else LITTLE]
            if not big: v3(f'{k}-{number}', NAMES[k], fill, {'c/0': first, 'c/1': second}, truth(values, k), codecs=codecs)
            v3(f'{k}-{number}{big}-hole', NAMES[k], fill, {'c/0': first}, truth(values[:2] + [value] * 2, k), codecs=codecs)

def shard(parts):
    """A shard of inner chunks, `None` for one that is missing; its index is at the end."""
    index, body = b'', b''
    for part in parts:
        index += struct.pack('<2Q', *((2 ** 64 - 1,) * 2 if part is None else (len(body), len(part)))); body += part or b''
    return body + index + struct.pack('<I', crc32c(index))

def sharding(inner, shape=(2,)):
    index = [LITTLE, {'name': 'crc32c'}]
    return {'name': 'sharding_indexed', 'configuration': {'chunk_shape': list(shape), 'codecs': inner, 'index_codecs': index, 'index_location': 'end'}}

COMPRESSORS = {'zstd': ({'name': 'zstd', 'configuration': {'level': 0, 'checksum': False}}, numcodecs.Zstd(0).encode),
               'gzip': ({'name': 'gzip', 'configuration': {'level': 5}}, numcodecs.GZip(5).encode)}
SHARDED = [(NAMES[k], k, VALUES[k[0]], 0 if k[0] != 'c' else [0.0, 0.0], 0) for k in NAMES] + [
    ({'name': 'numpy.datetime64', 'configuration': {'unit': 'ns', 'scale_factor': 1}}, 'i8', [1, 2, 3, 4], -2 ** 63, -2 ** 63),
    ({'name': 'numpy.timedelta64', 'configuration': {'unit': 's', 'scale_factor': 1}}, 'i8', [1, 2, 3, 4], -2 ** 63, -2 ** 63)]
for data_type, k, values, fill, value in SHARDED:
    name = data_type if isinstance(data_type, str) else data_type['name'].replace('numpy.', '')
    fill = False if k == 'b1' else fill
    inner = [{'name': 'bytes'}] if k[1:] == '1' else [LITTLE]
    parts = [encode(values[i:i + 2], k, '<') for i in (0, 2)]
    about = [('codecs[].name', 'sharding_indexed')]
    v3(f'shard-{name}', data_type, fill, {'c/0': shard(parts)}, truth(values, k), cshape=(4,), codecs=[sharding(inner)], features=about)
    v3(f'shard-{name}-hole', data_type, fill, {'c/0': shard([parts[0], None])}, truth(values[:2] + [value] * 2, k), cshape=(4,), codecs=[sharding(inner)], features=about)
    codec, write = COMPRESSORS['zstd']
    v3(f'shard-{name}-zstd', data_type, fill, {'c/0': shard([write(part) for part in parts])}, truth(values, k), cshape=(4,), codecs=[sharding([*inner, codec])], features=about)
codec, write = COMPRESSORS['gzip']
parts = [write(encode(VALUES['f'][i:i + 2], 'f4', '<')) for i in (0, 2)]
v3('shard-float32-gzip', 'float32', 0.0, {'c/0': shard(parts)}, truth(VALUES['f'], 'f4'), cshape=(4,), codecs=[sharding([LITTLE, codec])], features=about)
# A transpose in front of shards, as zarr-python's filters are: inner chunks that divide the chunk as it is, and only as it is transposed.
for k, name in (('i2', 'int16'), ('f4', 'float32')):
    for word, (y, x), (h, w) in (('square', (4, 4), (2, 2)), ('both', (4, 6), (2, 2)), ('one', (4, 6), (3, 2))):
        a = np.arange(y * x, dtype='<' + k).reshape(y, x)
        boxes = [np.ascontiguousarray(a.T[i:i + h, j:j + w]).tobytes() for i in range(0, x, h) for j in range(0, y, w)]
        v3(f'shard-transpose-{word}-{name}', name, 0, {'c/0/0': shard(boxes)}, truth(a.reshape(-1).tolist(), k), shape=(y, x), cshape=(y, x), codecs=[{'name': 'transpose', 'configuration': {'order': [1, 0]}}, sharding([LITTLE], (h, w))], features=[('codecs[].name', 'transpose')])
# Fixed-length and variable-length strings, and times.
words, raw = ['ab', 'c', '', 'xyz'], [b'ab', b'c', b'', b'xyz']
utf32 = [w.encode('utf-32-le').ljust(12, b'\0') for w in words]; fixed = [b.ljust(3, b'\0') for b in raw]
count = lambda items: struct.pack('<I', len(items)) + b''.join(struct.pack('<I', len(b)) + b for b in items)
for hole in ('', '-hole'):
    def some(parts, key): return {key % 0: parts[0], **({} if hole else {key % 1: parts[1]})}
    def read(items): return items[:2] + ([items[2][:0]] * 2 if hole else items[2:])
    for number, fill in enumerate(['', 0, None]):
        if not hole or fill == '': v2(f'O-{number}{hole}', '|O', fill, some([count(raw[:2]), count(raw[2:])], '%d'), truth(read(words), None), filters=[{'id': 'vlen-utf8'}])
        if fill != 0 and not (hole and fill is None):
            v2(f'U-{number}{hole}', '<U3', fill, some([b''.join(utf32[:2]), b''.join(utf32[2:])], '%d'), truth(read(words), None))
            v2(f'S-{number}{hole}', '|S3', fill, some([b''.join(fixed[:2]), b''.join(fixed[2:])], '%d'), truth(read(raw), None))
    v3(f'string{hole}', 'string', '', some([count(raw[:2]), count(raw[2:])], 'c/%d'), truth(read(words), None), codecs=[{'name': 'vlen-utf8'}])
    v3(f'utf32{hole}', {'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 12}}, '', some([b''.join(utf32[:2]), b''.join(utf32[2:])], 'c/%d'), truth(read(words), None))
    v3(f'ascii{hole}', {'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 3}}, '', some([b''.join(fixed[:2]), b''.join(fixed[2:])], 'c/%d'), truth(read(raw), None), codecs=[{'name': 'bytes'}])
    for kind, name in (('M', 'datetime64'), ('m', 'timedelta64')):
        for unit in ('ns', 's'):
            for number, (fill, value) in enumerate([('NaT', -2 ** 63), (-2 ** 63, -2 ** 63), (0, 0)]):
                values = [5, 7] + ([value] * 2 if hole else [9, 11])
                parts = [encode([5, 7], 'i8', '<'), encode([9, 11], 'i8', '<')]
                v2(f'{kind}-{unit}-{number}{hole}', f'<{kind}8[{unit}]', fill, some(parts, '%d'), truth(values, 'i8'))
                v3(f'{kind}-{unit}-{number}{hole}', {'name': 'numpy.' + name, 'configuration': {'unit': unit, 'scale_factor': 1}}, fill, some(parts, 'c/%d'), truth(values, 'i8'))
for name, codecs, parts in (('string', [{'name': 'vlen-utf8'}], [count(raw[:2]), count(raw[2:])]), ('utf32', [LITTLE], [b''.join(utf32[:2]), b''.join(utf32[2:])]), ('ascii', [{'name': 'bytes'}], [b''.join(fixed[:2]), b''.join(fixed[2:])])):
    data_type = {'string': 'string', 'utf32': {'name': 'fixed_length_utf32', 'configuration': {'length_bytes': 12}}, 'ascii': {'name': 'null_terminated_bytes', 'configuration': {'length_bytes': 3}}}[name]
    tr = truth(raw if name == 'ascii' else words, None)
    v3(f'shard-{name}', data_type, '', {'c/0': shard(parts)}, tr, cshape=(4,), codecs=[sharding(codecs)], features=about)
    v3(f'shard-{name}-zstd', data_type, '', {'c/0': shard([numcodecs.Zstd(0).encode(part) for part in parts])}, tr, cshape=(4,), codecs=[sharding([*codecs, COMPRESSORS['zstd'][0]])], features=about)
# Compressors as those programs set them, on chunks that they really compress: 256 elements, of which the array shows 4.
long = lambda k: encode([1, 2, 3, 4] + [7] * 252, k, '<')
for k in ('f4', 'f8', 'i8', 'i2', 'u1'):
    n, sign = int(k[1:]), '|' if k == 'u1' else '<'
    serializer = {'name': 'bytes'} if n == 1 else LITTLE
    for cname, shuffle in (('lz4', 1), ('zstd', 1), ('zstd', 2), ('lz4', 0)):
        blob = numcodecs.Blosc(cname, 5, shuffle).encode(np.frombuffer(long(k), k))
        about = [('compressor', {'id': 'blosc', 'cname': cname, 'shuffle': shuffle})]
        v2(f'blosc-{cname}-{shuffle}-{k}', sign + k, 0, {'0': blob}, truth([1, 2, 3, 4], k), cshape=(256,), compressor={'id': 'blosc', 'cname': cname, 'clevel': 5, 'shuffle': shuffle, 'blocksize': 0}, features=about)
        word = ('noshuffle', 'shuffle', 'bitshuffle')[shuffle]
        v3(f'blosc-{cname}-{shuffle}-{k}', NAMES[k], 0, {'c/0': blob}, truth([1, 2, 3, 4], k), cshape=(256,), codecs=[serializer, {'name': 'blosc', 'configuration': {'typesize': n, 'cname': cname, 'clevel': 5, 'shuffle': word, 'blocksize': 0}}], features=[('codecs[].name', 'blosc')])
    v2(f'zstd-{k}', sign + k, 0, {'0': numcodecs.Zstd(0).encode(long(k))}, truth([1, 2, 3, 4], k), cshape=(256,), compressor={'id': 'zstd', 'level': 0, 'checksum': False}, features=[('compressor', {'id': 'zstd', 'level': 0})])
    v2(f'zlib-{k}', sign + k, 0, {'0': numcodecs.Zlib(4).encode(long(k))}, truth([1, 2, 3, 4], k), cshape=(256,), compressor={'id': 'zlib', 'level': 4}, features=[('compressor', {'id': 'zlib', 'level': 4})])
    v3(f'zstd-{k}', NAMES[k], 0, {'c/0': numcodecs.Zstd(0).encode(long(k))}, truth([1, 2, 3, 4], k), cshape=(256,), codecs=[serializer, COMPRESSORS['zstd'][0]], features=[('codecs[].name', 'zstd')])
# Without dimension names, and shapes.
for k in ('f4', 'i8'):
    first, second = (encode([1, 2], k, '<'), encode([3, 4], k, '<'))
    v2(f'unnamed-{k}', '<' + k, 0, {'0': first, '1': second}, truth([1, 2, 3, 4], k), named=False, features=[('attributes', {})])
    v3(f'unnamed-{k}', NAMES[k], 0, {'c/0': first, 'c/1': second}, truth([1, 2, 3, 4], k), named=False, features=[('dimension_names', {'absent': True})])
    v2(f'0d-{k}', '<' + k, None, {'0': first[:len(first) // 2]}, truth([1], k), shape=(), cshape=())
    v3(f'0d-{k}', NAMES[k], 0, {'c': first[:len(first) // 2]}, truth([1], k), shape=(), cshape=())
    v2(f'2d-{k}', '<' + k, None, {'0.0': first + second}, truth([1, 2, 3, 4], k), shape=(2, 2), cshape=(2, 2))
    v3(f'2d-{k}', NAMES[k], 0, {'c/0/0': first + second}, truth([1, 2, 3, 4], k), shape=(2, 2), cshape=(2, 2))
for name, value in (('null', None), ('nulls', [None])): v3(f'dimensions-{name}', 'float32', 0, {'c/0': encode([1, 2], 'f4', '<'), 'c/1': encode([3, 4], 'f4', '<')}, truth([1, 2, 3, 4], 'f4'), named=value, features=[('dimension_names', value)])
v2('unnamed-0d', '<f4', None, {'0': encode([1], 'f4', '<')}, truth([1], 'f4'), shape=(), cshape=(), named=False)
v3('unnamed-0d', 'float32', 0, {'c': encode([1], 'f4', '<')}, truth([1], 'f4'), shape=(), cshape=(), named=False)
# Codecs of numcodecs without a configuration.
for codec in (numcodecs.Adler32(), numcodecs.Fletcher32(), numcodecs.Zlib(1), numcodecs.LZ4(1), numcodecs.CRC32(), numcodecs.Zstd(1)):
    name, parts = 'numcodecs.' + codec.codec_id, [bytes(codec.encode(np.array(items, '<f4'))) for items in ([1, 2], [3, 4])]
    v3(f'bare-{codec.codec_id}', 'float32', 0, {'c/0': parts[0], 'c/1': parts[1]}, truth([1, 2, 3, 4], 'f4'), codecs=[LITTLE, {'name': name}], features=[('codecs[]', {'name': name})], spec='unregistered')
print(len(SEEN), 'cases')
