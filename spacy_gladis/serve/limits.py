"""How much the service takes, and what stands before it."""

import asyncio
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_OWN = (
    "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; "
)
POLICY = _OWN + "script-src 'self'; style-src 'self'"
DOCS_POLICY = _OWN + "script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'"
"""Of the page /docs, in which FastAPI writes a script."""

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


@dataclass(frozen=True)
class Limits:
    """How much the service takes.

    characters, mentions: of a text. seconds: that a request may take to come, and to be answered.
    waiting: requests that wait for an answer.
    """

    characters: int = 100_000
    mentions: int = 2_000
    seconds: float = 30
    waiting: int = 64


class Guard:
    """Middleware: refuses bodies that are too long or too slow, and gives every answer its headers.

    A body is read whole before the service sees it.
    """

    def __init__(self, app: ASGIApp, *, most_bytes: int, seconds: float) -> None:
        self.app, self.most_bytes, self.seconds = app, most_bytes, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        policy = DOCS_POLICY if scope["path"] == "/docs" else POLICY

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = {**HEADERS, "Content-Security-Policy": policy}
                MutableHeaders(scope=message).update(headers)
            await send(message)

        try:
            body = await asyncio.wait_for(self._body(receive), self.seconds)
        except asyncio.TimeoutError:
            late = refuse(408, f"The request did not come within {self.seconds:g} seconds.")
            await late(scope, receive, send_with_headers)
            return
        if body is None:
            long = refuse(413, f"The request is longer than {self.most_bytes:,} bytes.")
            await long(scope, receive, send_with_headers)
            return
        coming = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def replay() -> Message:
            return next(coming, None) or await receive()

        await self.app(scope, replay, send_with_headers)

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


def refuse(status: int, detail: str, retry_after: int | None = None) -> JSONResponse:
    """An answer that says why there is none; retry_after: seconds."""
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return JSONResponse({"detail": detail}, status, headers)
