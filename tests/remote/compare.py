#!/usr/bin/env python3
"""Opens every sample store over real servers, and compares what each command prints with what it prints of the store here.

    tests/remote/compare.py target/debug/zarrscope [SERVER...]

The outputs, the errors and the exit codes must be the same byte for byte, addresses aside. A server that is not on PATH is
named and left out; tests/remote/install puts those that CI uses into target/remote-servers. Python's own server is
always there. Google has no server that can be had and that answers its XML interface: its addresses are tried against
moto, whose S3 speaks the same requests.
"""

import base64
import concurrent.futures
import datetime
import functools
import hashlib
import hmac
import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "sample-stores"
STORES = ["ocean", "ocean-v2", "dtypes-v2", "dtypes-v3", "byte-order", "broken", "pairs"]
COMMANDS = [["tree"], ["info"], ["check"], ["check", "--metadata-only", "--json"], ["stats"], ["digest"], ["endian"]]
# Of what is not listed, what a path's own documents and consolidated metadata say.
UNLISTED = [("ocean/temperature", ["info"]), ("ocean/temperature", ["check"]), ("ocean/temperature", ["stats"]),
            ("ocean-v2", ["tree"]), ("ocean-v2", ["info"]), ("ocean-v2", ["stats"])]
# The account of every emulator of Azure, as its documentation has it.
ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="


class Skipped(Exception):
    """A server that is not here."""


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def program(*names):
    """The program of one of these names, installed by us or by the system."""
    path = os.pathsep.join([str(ROOT / "target/remote-servers/bin"), os.environ.get("PATH", ""), "/usr/sbin"])
    for name in names:
        if found := shutil.which(name, path=path):
            return found
    raise Skipped(f"{names[0]} is not installed")


class Server:
    """A process that serves, its port, and the folder of its files."""

    def __init__(self, command, port, cwd=None):
        self.port = port
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, cwd=cwd, stdout=self.log, stderr=self.log)
        for _ in range(600):
            if self.process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        self.stop()
        self.log.seek(0)
        raise Skipped(f"{command[0]} does not start: {self.log.read().decode(errors='replace').strip()[-300:]}")

    def stop(self):
        self.process.terminate()
        self.process.wait()


def files():
    for path in sorted(SAMPLES.rglob("*")):
        if path.is_file():
            yield path.relative_to(SAMPLES).as_posix(), path.read_bytes()


def upload(port, prefix, headers=lambda method, path, body: {}, create=""):
    """Puts the samples below `prefix`."""

    def put(items):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        for path, body in items:
            connection.request("PUT", path, body, {"Content-Length": str(len(body)), **headers("PUT", path, body)})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status not in (200, 201):
                raise Skipped(f"the samples cannot be put there: PUT {path}: {answer.status} {text[:200]}")

    put([(prefix + create, b"")])
    everything = [(f"{prefix}/{urllib.parse.quote(key)}", body) for key, body in files()]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        list(pool.map(put, [everything[at::8] for at in range(8)]))


def python():
    port = free_port()
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(SAMPLES)]
    return Server(command, port), f"http://127.0.0.1:{port}/", []


def nginx(listing, folder):
    port = free_port()
    modules = [ROOT / "target/remote-servers/nginx/usr/lib/nginx/modules", pathlib.Path("/usr/lib/nginx/modules")]
    binary, load = program("nginx"), ""
    if "dav_ext" in listing:
        found = [folder / "ngx_http_dav_ext_module.so" for folder in modules]
        found = [module for module in found if module.is_file()]
        if not found:
            raise Skipped("nginx has no module for WebDAV (libnginx-mod-http-dav-ext)")
        load = f"load_module {found[0]};"
    (pathlib.Path(folder) / "nginx.conf").write_text(f"""
        {load} daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/error.log;
        events {{ worker_connections 256; }}
        http {{
            access_log off; default_type application/octet-stream;
            client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
            uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
            server {{ listen 127.0.0.1:{port}; root {SAMPLES}; location / {{ {listing} }} }}
        }}""")
    pathlib.Path(folder).chmod(0o755)
    command = [binary, "-p", folder, "-c", f"{folder}/nginx.conf", "-e", f"{folder}/error.log"]
    # Where it is begun by root, its workers must be allowed to read the samples.
    if os.geteuid() == 0:
        command += ["-g", "user root;"]
    return Server(command, port), f"http://127.0.0.1:{port}/", []


def moto(scheme, folder):
    port = free_port()
    server = Server([program("moto_server"), "-H", "127.0.0.1", "-p", str(port)], port, folder)
    upload(port, "/samples", lambda *request: {"x-amz-acl": "public-read"})
    keys = ["--storage-option=aws_access_key_id=key", "--storage-option=aws_secret_access_key=secret"]
    return server, f"{scheme}://samples/", [f"--endpoint=http://127.0.0.1:{port}", *(keys if scheme == "s3" else [])]


def azure_headers(method, path, body):
    """The signature that Azure wants (Authorize with Shared Key)."""
    date = datetime.datetime.now(datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S GMT")
    path, _, query = path.partition("?")
    own = {"x-ms-date": date, "x-ms-version": "2021-08-06"}
    own |= {"x-ms-blob-public-access": "container"} if query else {"x-ms-blob-type": "BlockBlob"}
    lines = [method, "", "", str(len(body) or ""), "", "", "", "", "", "", "", ""]
    lines += [f"{name}:{own[name]}" for name in sorted(own)] + [f"/{ACCOUNT}{path}"]
    lines += [part.replace("=", ":") for part in query.split("&") if part]
    sign = hmac.new(base64.b64decode(KEY), "\n".join(lines).encode(), hashlib.sha256).digest()
    return own | {"Authorization": f"SharedKey {ACCOUNT}:{base64.b64encode(sign).decode()}"}


def azurite(is_signed, folder):
    port = free_port()
    command = [program("azurite-blob"), "--blobPort", str(port), "--inMemoryPersistence", "--silent",
               "--disableTelemetry", "--skipApiVersionCheck"]
    server = Server(command, port, folder)
    upload(port, f"/{ACCOUNT}/samples", azure_headers, "?restype=container")
    options = [f"--endpoint=http://127.0.0.1:{port}/{ACCOUNT}",
               f"--storage-option=azure_storage_account_name={ACCOUNT}"]
    options += [f"--storage-option=azure_storage_account_key={KEY}"] if is_signed else ["--anonymous"]
    return server, "az://samples/", options


SERVERS = {
    "python": lambda folder: python(),
    "nginx": functools.partial(nginx, "autoindex on;"),
    "nginx-webdav": functools.partial(nginx, "dav_ext_methods PROPFIND OPTIONS;"),
    "nginx-unlisted": functools.partial(nginx, ""),
    "moto": functools.partial(moto, "s3"),
    "moto-as-google": functools.partial(moto, "gs"),
    "azurite": functools.partial(azurite, True),
    "azurite-anonymous": functools.partial(azurite, False),
}


def run(zarrscope, arguments, place):
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": "/nowhere", "NO_PROXY": "*"}
    done = subprocess.run([zarrscope, *arguments], capture_output=True, env=environment, cwd=tempfile.gettempdir(), timeout=300)
    name = place.rstrip("/").encode()
    return [part.replace(name, b"STORE") for part in (done.stdout, done.stderr)] + [done.returncode]


@functools.cache
def here(zarrscope, store, command):
    return run(zarrscope, [command[0], str(SAMPLES / store), *command[1:]], str(SAMPLES / store))


def differ(zarrscope, place, options, store, command):
    """The first lines in which a command differs on the server; None where it is the same."""
    expected = here(zarrscope, store, tuple(command))
    found = run(zarrscope, [command[0], place + store, *command[1:], *options], place + store)
    if found == expected:
        return None
    lines = [b"\n".join(output[:2]).splitlines() for output in (expected, found)]
    pairs = [f"    - {a.decode()[:200]}\n    + {b.decode()[:200]}" for a, b in zip(*lines) if a != b][:3]
    counts = f"    {len(lines[0])} lines and exit {expected[2]} here, {len(lines[1])} and {found[2]} there"
    return "\n".join([f"  {' '.join(command)} of {store} differs:", *pairs, counts])


def main():
    zarrscope, *names = sys.argv[1:]
    zarrscope = str(pathlib.Path(zarrscope).resolve())
    failed = 0
    for name in names or SERVERS:
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            try:
                server, place, options = SERVERS[name](folder)
            except (Skipped, OSError, http.client.HTTPException) as why:
                print(f"{name}: not tried, {why or type(why).__name__}.", flush=True)
                continue
            listed = [(store, command) for store in STORES for command in COMMANDS] + [("", ["tree"])]
            if name == "nginx-unlisted":
                cases = UNLISTED
            elif name.startswith("nginx"):
                # These hold files whose names begin with a dot beside V3, which nginx lists in neither way.
                cases = [case for case in listed if case[0] not in ("broken", "pairs", "")]
            elif name in ("moto-as-google", "azurite-anonymous"):
                # Only the addresses and the headers are others.
                cases = [case for case in listed if case[0].startswith("ocean")]
            else:
                cases = listed
            try:
                with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                    tried = pool.map(lambda case: differ(zarrscope, place, options, *case), cases)
                    different = [found for found in tried if found]
            finally:
                server.stop()
        print(f"{name}: {len(cases) - len(different)} of {len(cases)} outputs are those of the store here"
              f" ({time.monotonic() - started:.0f} s)", *different, sep="\n", flush=True)
        failed += len(different)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
