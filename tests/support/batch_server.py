"""The server of the endpoint tests with a batch API: files, batches, results, faults by script.

What a batch holds counts as paid for once it is created. Results come in reversed order.
"""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.support import openai_server
from tests.support.openai_server import Answer, Fault, OpenAIServer, plain_answer

Line = dict[str, Any]
FaultOf = Callable[[str, dict[str, Any]], str]


@dataclass
class Made:
    """One batch: what the provider tells of it, its input lines, how often it was looked at."""

    told: dict[str, Any]
    lines: list[Line]
    looks: int = 0


@dataclass
class Script:
    """What goes wrong, and when a batch is over.

    Attributes:
        looks: times that a batch is looked at and found `in_progress`.
        end: status in the end: completed, expired, failed or cancelled.
        fault_of: fault of one line, by its name and body: missing, double, error, expired,
            refusal, truncated, text, model, broken; blank for none.
        unknown: a line that nobody asked for is among the results.
        junk: a line that is no JSON is among the results.
        http: statuses given once each to requests whose method and path hold a text.
        mute: texts; to such a request there is no answer, once each, although it is done.
        lost: result files that are not there any more (`output`, `error`).
        echo: text that stands in the message of every error line.
    """

    looks: int = 0
    end: str = "completed"
    fault_of: FaultOf = lambda name, body: ""
    unknown: bool = False
    junk: bool = False
    http: list[tuple[str, int]] = field(default_factory=list)
    mute: list[str] = field(default_factory=list)
    lost: tuple[str, ...] = ()
    echo: str = ""


class BatchServer(OpenAIServer):
    """A server with batches; `script` may change while it runs."""

    def __init__(self, answer: Answer = plain_answer) -> None:
        super().__init__(answer)
        self._http.RequestHandlerClass = _Handler
        self.script = Script()
        self.files: dict[str, bytes] = {}
        self.batches: dict[str, Made] = {}
        self.seen: list[str] = []
        self.guard = threading.Lock()
        self._file_count = 0

    @property
    def batched(self) -> list[dict[str, Any]]:
        """Return the bodies of all requests of all batches, in order."""
        return [line["body"] for made in self.batches.values() for line in made.lines]

    def keys(self) -> Counter[str]:
        """Return how often each request was in a batch, by its key."""
        return Counter(line["custom_id"] for made in self.batches.values() for line in made.lines)

    def asked(self) -> Counter[str]:
        """Return how often each body was asked; samples of one request have the same body."""
        singly = [one.body for one in self.received]
        return Counter(json.dumps(body, sort_keys=True) for body in (*self.batched, *singly))

    def route(self, method: str, path: str, content: bytes, kind: str) -> tuple[int, bytes]:
        """Return status and body of the answer to a request of the batch API."""
        with self.guard:
            parts = urlsplit(path)
            names = parts.path.removeprefix("/v1/").split("/")
            if (method, names) == ("POST", ["files"]):
                return self._upload(content, kind)
            if (method, names) == ("POST", ["batches"]):
                return self._create(json.loads(content))
            if (method, names) == ("GET", ["batches"]):
                return self._list(parse_qs(parts.query))
            if method == "GET" and names[0] == "batches" and names[1] in self.batches:
                return 200, _json(self._look(self.batches[names[1]]))
            if method == "GET" and names[0] == "files" and names[1] in self.files:
                return 200, self.files[names[1]]
            return 404, _json({"error": {"message": "no such thing", "code": "not_found"}})

    def _upload(self, content: bytes, kind: str) -> tuple[int, bytes]:
        boundary = b"--" + kind.split("boundary=")[1].encode()
        parts = [part.partition(b"\r\n\r\n") for part in content.split(boundary)]
        data = next(body for head, _, body in parts if b'name="file"' in head)
        return 200, _json({"id": self._keep(data.removesuffix(b"\r\n")), "object": "file"})

    def _keep(self, data: bytes) -> str:
        self._file_count += 1
        file_id = f"file-{self._file_count}"
        self.files[file_id] = data
        return file_id

    def _create(self, asked: dict[str, Any]) -> tuple[int, bytes]:
        lines = [json.loads(one) for one in self.files[asked["input_file_id"]].splitlines()]
        batch_id = f"batch-{len(self.batches) + 1}"
        told = {"id": batch_id, "object": "batch", "status": "validating", **asked}
        self.batches[batch_id] = Made(told, lines)
        return 200, _json(told)

    def _list(self, query: dict[str, list[str]]) -> tuple[int, bytes]:
        newest_first = list(reversed(self.batches))
        after = query.get("after", [""])[0]
        rest = newest_first[newest_first.index(after) + 1 :] if after else newest_first
        # Small pages, so that following them is tried.
        data = [self.batches[one].told for one in rest[:2]]
        return 200, _json({"object": "list", "data": data, "has_more": len(rest) > 2})

    def _look(self, made: Made) -> dict[str, Any]:
        made.looks += 1
        if made.told["status"] not in ("completed", "expired", "failed", "cancelled"):
            made.told["status"] = "in_progress"
            if made.looks > self.script.looks:
                self._end(made)
        return made.told

    def _end(self, made: Made) -> None:
        made.told["status"] = self.script.end
        if self.script.end == "failed":
            made.told["errors"] = {"data": [{"code": "bad", "message": "the input is no good"}]}
            return
        results: dict[str, list[bytes]] = {"output": [], "error": []}
        for line in reversed(made.lines):
            for where, result in self._results(line):
                results[where].append(_json(result))
        if self.script.unknown:
            results["output"].insert(0, _json({"custom_id": "f" * 64, "response": None}))
        if self.script.junk:
            results["output"].insert(0, b'{"custom_id": ')
        for where, found in results.items():
            if found:
                made.told[f"{where}_file_id"] = self._keep(b"\n".join(found) + b"\n")
            if found and where in self.script.lost:
                del self.files[made.told[f"{where}_file_id"]]

    def _results(self, line: Line) -> list[tuple[str, Line]]:
        body = line["body"]
        text = openai_server._text_of(body)
        named = re.search(r"\[\[([^\[\]]+)\]\]", text)
        name = named[1] if named else ""
        fault = self.script.fault_of(name, body)
        base = {"id": "line", "custom_id": line["custom_id"], "error": None}
        if fault == "missing":
            return []
        if fault == "expired":
            error = {"code": "batch_expired", "message": f"too late {self.script.echo}"}
            return [("error", {**base, "response": None, "error": error})]
        if fault.startswith("status "):
            code = int(fault.split()[1])
            why = {"error": {"message": fault.split(maxsplit=2)[2], "code": "bad"}}
            return [("error", {**base, "response": {"status_code": code, "body": why}})]
        if fault in ("", "double"):
            told = json.loads(openai_server._completion(self.answer(name, body), text))
        elif fault == "broken":
            told = {"object": "nothing"}
        else:
            acted = Fault(fault, text="no JSON at all")
            told = json.loads(openai_server._faulty(self.answer(name, body), text, acted))
        result = ("output", {**base, "response": {"status_code": 200, "body": told}})
        return [result, result] if fault == "double" else [result]


@contextmanager
def serving_batches(answer: Answer = plain_answer) -> Iterator[BatchServer]:
    """Run a server with batches for the time of a `with` block."""
    server = BatchServer(answer)
    server.start()
    try:
        yield server
    finally:
        server.stop()


class _Handler(openai_server._Handler):
    def do_POST(self) -> None:  # noqa: N802 - the name is given by the base class
        if self.path.endswith("/chat/completions"):
            super().do_POST()
        else:
            self._answer("POST")

    def do_GET(self) -> None:  # noqa: N802 - the name is given by the base class
        self._answer("GET")

    def _answer(self, method: str) -> None:
        server = self.server.script
        assert isinstance(server, BatchServer)
        content = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        asked = f"{method} {self.path}"
        server.seen.append(asked)
        for fault in server.script.http:
            if fault[0] in asked:
                server.script.http.remove(fault)
                self._send(fault[1], json.dumps({"error": {"message": "not now"}}))
                return
        code, told = server.route(method, self.path, content, self.headers.get("Content-Type", ""))
        for text in server.script.mute:
            if text in asked:
                server.script.mute.remove(text)
                self.close_connection = True
                return
        self._send(code, told.decode("utf-8"))


def _json(value: Any) -> bytes:
    return json.dumps(value).encode("utf-8")
