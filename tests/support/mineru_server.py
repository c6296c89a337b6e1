"""Both APIs of MinerU on the loopback: the hosted one and a mineru-api server, with faults.

Requests are counted by what they are for: `batch`, `upload`, `poll`, `result`, `parse`. The
faults scripted for one of these are acted out one a request, then the answer comes. As the
storage behind the hosted API, an upload with a content type or a key is refused.
"""

from __future__ import annotations

import io
import json
import re
import threading
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "mineru-stand-in-key-1234567890"
VERSION = "2.7.6"
LONGEST_HANG_SECONDS = 20.0
JSON, ZIP = "application/json", "application/zip"
_PART = re.compile(
    rb'name="(\w+)"(?:; filename="([^"]*)")?\r\n(?:[^\r\n]+\r\n)*\r\n(.*)', re.DOTALL
)


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong once.

    Attributes:
        kind: status, hang, close, body or state.
        code: HTTP status of `status` and `body`.
        headers: headers of the response.
        body: bytes of `status` and `body`; state of a batch of `state`, as text.
        content_type: of `body`.
    """

    kind: str
    code: int = 500
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    content_type: str = JSON


@dataclass
class HeldBatch:
    """A batch as the server knows it: the file's id and name, its bytes, polls that found it."""

    data_id: str
    name: str
    data: bytes | None = None
    polls: int = 0


@dataclass(frozen=True)
class Received:
    """One request: what it is for, its headers in lower case, its body."""

    what: str
    headers: dict[str, str]
    body: bytes


def result_zip(markdown: str, name: str = "full.md") -> bytes:
    """Return a result as the hosted API packs it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("layout.json", "{}")
        archive.writestr(name, markdown)
        archive.writestr("images/page1.jpg", b"\xff\xd8\xff")
    return packed.getvalue()


def plain_markdown(data: bytes) -> str:
    """Return a text that depends on the file alone."""
    return f"# Parsed by the stand-in\n\nThe file holds {len(data)} bytes and 14 findings.\n"


class MineruServer:
    """The server's script and what it has seen. Settings may change while it runs.

    Attributes:
        faults: faults by what a request is for, acted out in order.
        markdown: makes the text of a file.
        running_polls: polls of a batch that find it running before it is done.
        upload_url, result_url: addresses told instead of the server's own.
        result: bytes of every result instead of a good one.
        batches: batches by id.
        received: all requests in order of arrival.
    """

    def __init__(self, markdown: Callable[[bytes], str] = plain_markdown) -> None:
        self.faults: dict[str, list[Fault]] = {}
        self.markdown = markdown
        self.running_polls = 1
        self.upload_url: str | None = None
        self.result_url: str | None = None
        self.result: bytes | None = None
        self.batches: dict[str, HeldBatch] = {}
        self.received: list[Received] = []
        self.closing = threading.Event()
        self._guard = threading.Lock()
        self._http = _HttpServer(("127.0.0.1", 0), _Handler)
        self._http.script = self

    @property
    def url(self) -> str:
        """Return the address of the server."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def counts(self) -> Counter[str]:
        """Return how many requests came for what."""
        with self._guard:
            return Counter(one.what for one in self.received)

    def begin(self, received: Received) -> Fault | None:
        """Note a request and return the fault that it meets."""
        with self._guard:
            self.received.append(received)
            faults = self.faults.get(received.what)
            return faults.pop(0) if faults else None

    def open_batch(self, asked: dict[str, Any]) -> str:
        """Open a batch for one file and return its id."""
        (file,) = asked["files"]
        with self._guard:
            batch_id = f"batch-{len(self.batches) + 1}"
            self.batches[batch_id] = HeldBatch(file["data_id"], file["name"])
        return batch_id

    def start(self) -> None:
        """Serve in threads of their own."""
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """End all requests and free the port."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def serving(markdown: Callable[[bytes], str] = plain_markdown) -> Iterator[MineruServer]:
    """Run a server for the time of a `with` block."""
    server = MineruServer(markdown)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    script: MineruServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _HttpServer

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True

    def do_POST(self) -> None:
        if self.path == "/api/v4/file-urls/batch":
            self._meet("batch", self._open_batch)
        elif self.path == "/file_parse":
            self._meet("parse", self._parse)
        else:
            self._meet("elsewhere", lambda _: self._send(404, b""))

    def do_PUT(self) -> None:
        self._meet("upload", self._take)

    def do_GET(self) -> None:
        if self.path.startswith("/api/v4/extract-results/batch/"):
            self._meet("poll", self._tell)
        elif self.path.startswith("/results/"):
            self._meet("result", self._give)
        else:
            self._meet("elsewhere", lambda _: self._send(404, b""))

    def _meet(self, what: str, answer: Callable[[bytes], None]) -> None:
        script = self.server.script
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        headers = {key.lower(): value for key, value in self.headers.items()}
        fault = script.begin(Received(what, headers, body))
        if fault is None:
            answer(body)
        elif fault.kind == "status" or fault.kind == "body":
            self._send(fault.code, fault.body, fault.content_type, fault.headers)
        elif fault.kind == "state":
            self._tell_state(fault.body.decode())
        elif fault.kind == "close":
            self._send(200, b"half", length=100_000)
            self.close_connection = True
        else:
            script.closing.wait(LONGEST_HANG_SECONDS)
            self.close_connection = True

    def _open_batch(self, body: bytes) -> None:
        script = self.server.script
        if self.headers.get("Authorization") != f"Bearer {KEY}":
            # The gateway has another form than the API behind it.
            refusal = {"success": False, "msgCode": "A0202", "msg": "user authenticate failed"}
            self._send_json(200, refusal)
            return
        batch_id = script.open_batch(json.loads(body))
        url = script.upload_url or f"{script.url}/upload/{batch_id}"
        self._send_json(200, _reply({"batch_id": batch_id, "file_urls": [url]}))

    def _take(self, body: bytes) -> None:
        batch = self.server.script.batches.get(self.path.rsplit("/", 1)[-1])
        is_signed = "Content-Type" not in self.headers and "Authorization" not in self.headers
        if batch is None or not is_signed:
            self._send(403, b"<Error>SignatureDoesNotMatch</Error>", "application/xml")
            return
        batch.data = body
        self._send(200, b"")

    def _tell(self, _: bytes) -> None:
        script = self.server.script
        batch = script.batches.get(self.path.rsplit("/", 1)[-1])
        if batch is None:
            self._send_json(200, {"code": -60012, "msg": "task not found", "data": None})
        elif batch.data is None:
            self._tell_state("waiting-file")
        else:
            batch.polls += 1
            self._tell_state("done" if batch.polls > script.running_polls else "running")

    def _tell_state(self, state: str) -> None:
        script = self.server.script
        batch_id = self.path.rsplit("/", 1)[-1]
        batch = script.batches[batch_id]
        row = {"file_name": batch.name, "data_id": batch.data_id, "state": state, "err_msg": ""}
        if state == "failed":
            row["err_msg"] = "the stand-in\x1b[31m cannot read it"
        if state == "done":
            row["full_zip_url"] = script.result_url or f"{script.url}/results/{batch_id}"
        self._send_json(200, _reply({"batch_id": batch_id, "extract_result": [row]}))

    def _give(self, _: bytes) -> None:
        script = self.server.script
        batch = script.batches[self.path.rsplit("/", 1)[-1]]
        good = result_zip(script.markdown(batch.data or b""))
        self._send(200, good if script.result is None else script.result, ZIP)

    def _parse(self, body: bytes) -> None:
        boundary = self.headers["Content-Type"].partition("boundary=")[2].encode()
        parts = [_PART.search(part) for part in body.split(b"--" + boundary)]
        file = next(part for part in parts if part is not None and part[1] == b"files")
        text = self.server.script.markdown(file[3].removesuffix(b"\r\n"))
        stem = file[2].decode().removesuffix(".pdf")
        results = {stem: {"md_content": text}}
        self._send_json(200, {"backend": "pipeline", "version": VERSION, "results": results})

    def _send_json(self, code: int, value: Any) -> None:
        self._send(code, json.dumps(value).encode())

    def _send(
        self,
        code: int,
        data: bytes,
        content_type: str = JSON,
        headers: Mapping[str, str] | None = None,
        length: int | None = None,
    ) -> None:
        self.send_response_only(code)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(data) if length is None else length))
        for key, value in (headers or {}).items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(data)


def _reply(data: dict[str, Any]) -> dict[str, Any]:
    return {"code": 0, "msg": "ok", "trace_id": "t", "data": data}
