"""What keeps the service alive and to itself: limits of size, rate and time, and headers."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from typing import ParamSpec, TypeVar

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..errors import GladisError

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")

BURST = 30
"""Requests that a client may send at once, whatever the rate."""

CLIENTS = 10_000
"""Clients whose rate is remembered; beyond, the one seen longest ago is forgotten."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Limits:
    """How much the service takes.

    characters, mentions: of a text. a_minute: requests of one client a minute, 0 for any number.
    seconds: that a request may take to come, and to be answered. waiting: requests that wait for
    the model. hosts: names under which the service is asked for, in small letters; `*.example.org`
    stands for all names below one, `*` for any; anything else is refused, so that no web page
    reaches a loopback service under a name of its own. origins: of other web pages that may ask,
    such as `https://example.org`, `*` for any.
    """

    characters: int = 100_000
    mentions: int = 2_000
    a_minute: float = 120
    seconds: float = 30
    waiting: int = 64
    hosts: Sequence[str] = ("localhost", "127.0.0.1", "[::1]")
    origins: Sequence[str] = ()


class BusyError(GladisError):
    """Too many requests wait, or this one waited too long."""


class TooLongError(GladisError):
    """A text has more characters or more acronyms than the service takes."""


class Worker:
    """Runs calls one after the other in a thread of its own, each within a time.

    A call that waited too long is not started. One that runs too long is a BusyError, and ends
    in its thread: Python cannot stop it, the limits of size bound it.
    """

    def __init__(self, timeout: float, most_waiting: int) -> None:
        self.timeout, self.most_waiting = timeout, most_waiting
        self.waiting = 0
        self._thread = ThreadPoolExecutor(1, "spacy-gladis")

    async def run(
        self,
        call: Callable[Arguments, Answer],
        *arguments: Arguments.args,
        **named: Arguments.kwargs,
    ) -> Answer:
        """What the call gives. Raises BusyError."""
        if self.waiting >= self.most_waiting:
            raise BusyError
        future = self._thread.submit(call, *arguments, **named)
        self.waiting += 1
        future.add_done_callback(self._one_less)
        try:
            return await asyncio.wait_for(asyncio.wrap_future(future), self.timeout)
        except asyncio.TimeoutError:
            raise BusyError from None

    def _one_less(self, _: object) -> None:
        self.waiting -= 1

    def close(self) -> None:
        """Drop what waits."""
        self._thread.shutdown(wait=False, cancel_futures=True)


class Rate:
    """A bucket of tokens for each client: so many a minute, and BURST at once."""

    def __init__(self, a_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.a_second, self.clock = a_minute / 60, clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, client: str) -> float:
        """Take a token: 0, or the seconds after which there will be one."""
        now = self.clock()
        tokens, before = self._buckets.pop(client, (float(BURST), now))
        tokens = min(BURST, tokens + (now - before) * self.a_second)
        allowed = tokens >= 1
        self._buckets[client] = (tokens - 1 if allowed else tokens, now)
        if len(self._buckets) > CLIENTS:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - tokens) / self.a_second


class Gate:
    """Middleware: refuses other names of the service, clients that are too fast, and bodies that
    are too long or too slow.

    A body is read whole before the service sees it. Every answer gets HEADERS.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Sequence[str],
        rate: Rate | None,
        most_bytes: int,
        timeout: float,
    ) -> None:
        self.app, self.hosts, self.rate = app, hosts, rate
        self.most_bytes, self.timeout = most_bytes, timeout

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        body, refusal = await self._admit(scope, receive)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
        else:
            await self.app(scope, _replay(body, receive), send_with_headers)

    async def _admit(self, scope: Scope, receive: Receive) -> tuple[bytes, JSONResponse | None]:
        """A request's body, or why it is refused."""
        host = host_of(scope)
        if not any(goes_by(host, known) for known in self.hosts):
            return b"", refuse(
                400,
                f"This service does not answer to the name {host!r}: ask for it as "
                f"{self.hosts[0]}, or start it with --allow-host and that name.",
            )
        if self.rate and scope["path"] != "/health":
            wait = self.rate.wait(client_of(scope))
            if wait:
                return b"", refuse(429, "These are too many requests: wait a little.", wait)
        try:
            body = await asyncio.wait_for(self._body(receive), self.timeout)
        except asyncio.TimeoutError:
            return b"", refuse(408, f"The request did not come within {self.timeout:g} seconds.")
        if body is None:
            return b"", refuse(413, f"The request is longer than {self.most_bytes:,} bytes.")
        return body, None

    async def _body(self, receive: Receive) -> bytes | None:
        """The body, or None where it is too long."""
        body = bytearray()
        more = True
        while more:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > self.most_bytes:
                return None
            more = message.get("more_body", False)
        return bytes(body)


def refuse(status: int, detail: str, retry_after: float | None = None) -> JSONResponse:
    """An answer that says why there is none; retry_after: seconds."""
    headers = {} if retry_after is None else {"Retry-After": str(int(retry_after) + 1)}
    return JSONResponse({"detail": detail}, status, headers)


def host_of(scope: Scope) -> str:
    """The name under which the service is asked for, without the port."""
    host: str = Headers(scope=scope).get("host", "")
    end = host.find("]") + 1 if host.startswith("[") else host.find(":")
    return (host[:end] if end > 0 else host).lower()


def goes_by(host: str, known: str) -> bool:
    """Whether a name is the known one, or is below `*.example.org`, or any where that is `*`."""
    below = known.startswith("*.") and host.endswith(known[1:]) and host != known[1:]
    return below or known in ("*", host)


def client_of(scope: Scope) -> str:
    """The client's address; of IPv6 the network, because a client has 2**64 addresses."""
    host = scope["client"][0] if scope.get("client") else ""
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    return address.exploded[:19] if isinstance(address, IPv6Address) else str(address)


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body that was read, and then what comes."""
    given = False

    async def replay() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replay
