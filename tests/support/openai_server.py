"""A chat completions server on the loopback, with faults by script and a count of each key.

A request names itself by a mark in its text, `[[name]]`. The faults scripted for that name
are acted out one a request, then the answer comes. The server speaks HTTP/1.1 by the standard
library alone, on a port that the system gives; nothing in it lasts longer than the server.
"""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SERVED_MODEL = "served-model-1"
LONGEST_HANG_SECONDS = 30.0
HUGE_MEBIBYTES = 20
LONGEST_DRIP_SECONDS = 10.0
LONGEST_GATHERING_SECONDS = 10.0
_NAME = re.compile(r"\[\[([^\[\]]+)\]\]")


@dataclass(frozen=True)
class Fault:
    """One thing that goes wrong once.

    Attributes:
        kind: status, hang, close, drip, huge, body, refusal, filter, truncated, text, model
            or empty.
        code: HTTP status of kind `status`.
        headers: headers of the response.
        text: body of `status` and `body`; reply of `text`; model name of `model`.
        seconds: how long `hang` lasts, or the delay before any answer of another kind.
    """

    kind: str
    code: int = 500
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Received:
    """One request: its name, body, headers in lower case, and when it came (monotonic)."""

    name: str
    body: dict[str, Any]
    headers: dict[str, str]
    at: float


Answer = Callable[[str, dict[str, Any]], str]


def marked_name(body: dict[str, Any]) -> str:
    """Return the name that a request gives itself by its mark; blank without one."""
    named = _NAME.search(_text_of(body))
    return named[1] if named else ""


def plain_answer(name: str, body: dict[str, Any]) -> str:
    """Return a verdict that depends on the name alone."""
    return json.dumps({"id": name, "covered": sum(name.encode()) % 2 == 0})


class OpenAIServer:
    """The server's script and what it has seen. Settings may change while it runs.

    Attributes:
        faults: faults by name of the request, acted out in order; `*` is for every name and
            is never used up.
        answer: makes the text of a good reply.
        name_of: names a request by its body; by its mark, unless a test says otherwise.
        delay: seconds before every good reply.
        gathering: good replies wait until so many requests were in flight at one time.
        refused_formats: `response_format` types that get a 400.
        received: all requests in order of arrival.
        most_in_flight: most requests that were held at one time.
    """

    def __init__(self, answer: Answer = plain_answer) -> None:
        self.faults: dict[str, list[Fault]] = {}
        self.answer = answer
        self.name_of: Callable[[dict[str, Any]], str] = marked_name
        self.delay = 0.0
        self.gathering = 0
        self.refused_formats: tuple[str, ...] = ()
        self.wants_new_limit = False
        self.received: list[Received] = []
        self.most_in_flight = 0
        self._in_flight = 0
        self._guard = threading.Lock()
        self.closing = threading.Event()
        self._http = _HttpServer(("127.0.0.1", 0), _Handler)
        self._http.script = self

    @property
    def base_url(self) -> str:
        """Return the address up to `/v1`."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def counts(self) -> Counter[str]:
        """Return how often each name was asked."""
        with self._guard:
            return Counter(one.name for one in self.received)

    @property
    def in_flight(self) -> int:
        """Return how many requests are held at this moment."""
        with self._guard:
            return self._in_flight

    def begin(self, received: Received) -> Fault | None:
        """Note a request and return the fault that it meets."""
        with self._guard:
            self.received.append(received)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            if self.faults.get(received.name):
                return self.faults[received.name].pop(0)
            always = self.faults.get("*")
            return always[0] if always else None

    def end(self) -> None:
        """Note that a request is over."""
        with self._guard:
            self._in_flight -= 1

    def gather(self) -> None:
        """Wait until enough requests are in flight, but not for long."""
        until = time.monotonic() + LONGEST_GATHERING_SECONDS
        while self.most_in_flight < self.gathering and time.monotonic() < until:
            self.closing.wait(0.01)

    def sleep(self, seconds: float) -> None:
        """Wait, but not beyond the end of the server."""
        self.closing.wait(min(seconds, LONGEST_HANG_SECONDS))

    def start(self) -> None:
        """Serve in threads of their own."""
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """End all requests and free the port."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()


@contextmanager
def serving(answer: Answer = plain_answer) -> Iterator[OpenAIServer]:
    """Run a server for the time of a `with` block."""
    server = OpenAIServer(answer)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def tokens_of(text: str) -> int:
    """Return the tokens that this server counts: words, by its own rule."""
    return len(text.split())


class _HttpServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256
    script: OpenAIServer


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _HttpServer

    def setup(self) -> None:
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def handle(self) -> None:
        try:
            super().handle()
        except OSError:
            self.close_connection = True

    def do_POST(self) -> None:
        script = self.server.script
        length = int(self.headers.get("Content-Length", "0"))
        content = self.rfile.read(length)
        if len(content) < length:
            # Who asked was killed before the whole request was sent.
            self.close_connection = True
            return
        body = json.loads(content)
        text = _text_of(body)
        name = script.name_of(body)
        headers = {key.lower(): value for key, value in self.headers.items()}
        fault = script.begin(Received(name, body, headers, time.monotonic()))
        try:
            self._respond(script, name, body, text, fault)
        finally:
            script.end()

    def _respond(
        self,
        script: OpenAIServer,
        name: str,
        body: dict[str, Any],
        text: str,
        fault: Fault | None,
    ) -> None:
        told = body.get("response_format", {}).get("type", "text")
        if told in script.refused_formats:
            self._send(400, _error("response_format is not supported", "invalid_request_error"))
            return
        if script.wants_new_limit and "max_tokens" in body:
            message = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
            self._send(400, _error(message, "unsupported_parameter"))
            return
        if fault is None:
            script.gather()
            script.sleep(script.delay)
            self._send(200, _completion(script.answer(name, body), text))
            return
        script.sleep(fault.seconds)
        if not self._break(script, name, body, text, fault):
            self._send(200, _faulty(script.answer(name, body), text, fault), fault.headers)

    def _break(
        self, script: OpenAIServer, name: str, body: dict[str, Any], text: str, fault: Fault
    ) -> bool:
        """Act out a fault of the transport; return whether it was one."""
        if fault.kind == "status":
            self._send(fault.code, fault.text or _error("it failed", "failed"), fault.headers)
        elif fault.kind == "hang":
            self.close_connection = True
        elif fault.kind == "body":
            self._send(200, fault.text, fault.headers)
        elif fault.kind == "close":
            whole = _completion(script.answer(name, body), text)
            self._send(200, whole[: len(whole) // 2], length=len(whole))
            self.close_connection = True
        elif fault.kind == "drip":
            self._head(200, {}, 100_000)
            until = time.monotonic() + LONGEST_DRIP_SECONDS
            while time.monotonic() < until and not script.closing.wait(0.05):
                self.wfile.write(b" ")
            self.close_connection = True
        elif fault.kind == "huge":
            data = _completion(script.answer(name, body), text).encode("utf-8")
            self._head(200, {}, HUGE_MEBIBYTES * 1024 * 1024 + len(data))
            for _ in range(HUGE_MEBIBYTES):
                self.wfile.write(b" " * (1024 * 1024))
            self.wfile.write(data)
        else:
            return False
        return True

    def _send(
        self,
        code: int,
        content: str,
        headers: Mapping[str, str] | None = None,
        length: int | None = None,
    ) -> None:
        data = content.encode("utf-8")
        self._head(code, headers or {}, len(data) if length is None else length)
        self.wfile.write(data)
        self.wfile.flush()

    def _head(self, code: int, headers: Mapping[str, str], length: int) -> None:
        # Without a date of its own, which the script may set.
        self.send_response_only(code)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(length))
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()


def _text_of(body: dict[str, Any]) -> str:
    pieces = []
    for message in body.get("messages", []):
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        pieces += [part["text"] for part in parts if part["type"] == "text"]
    return "\n".join(pieces)


def _error(message: str, code: str) -> str:
    return json.dumps({"error": {"message": message, "type": code, "code": code}})


def _faulty(answer: str, asked: str, fault: Fault) -> str:
    if fault.kind == "refusal":
        return _completion(None, asked, refusal="I cannot help with that.")
    if fault.kind == "filter":
        return _completion("", asked, finish_reason="content_filter")
    if fault.kind == "truncated":
        return _completion(answer[: len(answer) // 2], asked, finish_reason="length")
    if fault.kind == "model":
        return _completion(answer, asked, model=fault.text)
    if fault.kind == "text":
        return _completion(fault.text, asked)
    if fault.kind == "empty":
        return _completion(None, asked)
    raise AssertionError(f"no fault of kind {fault.kind}")


def _completion(
    answer: str | None,
    asked: str,
    *,
    refusal: str | None = None,
    finish_reason: str = "stop",
    model: str = SERVED_MODEL,
) -> str:
    count = tokens_of(asked)
    told = tokens_of(answer or refusal or "")
    return json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1_700_000_000,
            "model": model,
            "choices": [
                {
                    "index": 0,
                    "finish_reason": finish_reason,
                    "message": {"role": "assistant", "content": answer, "refusal": refusal},
                }
            ],
            "usage": {
                "prompt_tokens": count,
                "completion_tokens": told,
                "total_tokens": count + told,
            },
        }
    )
