"""Limits on the requests to the REST service, and the middleware that enforces them."""

import asyncio
from dataclasses import dataclass

from starlette.datastructures import MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..errors import GladisError

_BASE_POLICY = (
    "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; "
)
POLICY = _BASE_POLICY + "script-src 'self'; style-src 'self'"
"""Content security policy of all pages of the service except ``/docs``."""
DOCS_POLICY = _BASE_POLICY + "script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'"
"""Content security policy of the page ``/docs``, which contains an inline script of FastAPI."""

HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""HTTP headers for security and privacy that are added to all responses."""


@dataclass(frozen=True)
class Limits:
    """Limits on the requests that the REST service answers.

    Attributes:
        characters: Maximum number of characters in all texts of a request.
        mentions: Maximum number of acronyms in all texts of a request.
        seconds: Maximum number of seconds for receiving a request. Answering it may take the same
            time again.
        waiting: Maximum number of requests in progress at the same time. Further requests are
            rejected.
    """

    characters: int = 100_000
    mentions: int = 2_000
    seconds: float = 30
    waiting: int = 64


class TooLongError(GladisError):
    """Raised if the text of a request has more characters or acronyms than the service allows."""


class Guard:
    """Middleware that rejects long or slow requests, and adds security headers to all responses.

    The application receives a request only when its whole body has arrived.
    """

    def __init__(self, app: ASGIApp, *, most_bytes: int, seconds: float) -> None:
        """Wrap an ASGI application.

        Args:
            app: Application that answers the requests.
            most_bytes: Maximum length of the body of a request in bytes.
            seconds: Maximum number of seconds for receiving the body of a request.
        """
        self.app, self.most_bytes, self.seconds = app, most_bytes, seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Receive a request completely and pass it on, or reject it.

        See the ASGI specification for the arguments.
        """
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
            body = await asyncio.wait_for(self._read_body(receive), self.seconds)
        except asyncio.TimeoutError:
            response = refuse(
                408,
                f"The request was not received within {self.seconds:g} seconds. Send it again.",
            )
            await response(scope, receive, send_with_headers)
            return
        if body is None:
            response = refuse(
                413,
                f"The request is longer than {self.most_bytes:,} bytes. Send less text at once.",
            )
            await response(scope, receive, send_with_headers)
            return
        messages = iter([{"type": "http.request", "body": body, "more_body": False}])

        async def replay() -> Message:
            return next(messages, None) or await receive()

        await self.app(scope, replay, send_with_headers)

    async def _read_body(self, receive: Receive) -> bytes | None:
        """Read the whole body of a request. The result is None if the body is too long."""
        body = bytearray()
        has_more = True
        while has_more:
            message = await receive()
            body += message.get("body", b"")
            if len(body) > self.most_bytes:
                return None
            has_more = message.get("more_body", False)
        return bytes(body)


def refuse(status: int, detail: str, retry_after: int | None = None) -> JSONResponse:
    """Create the response to a request that the service can't answer.

    Args:
        status: HTTP status code, such as 413.
        detail: Message for the client that says what is wrong.
        retry_after: Number of seconds after which the client may try again. None sends no such
            header.

    Returns:
        A response whose body is a JSON object with the key ``detail``.
    """
    headers = {} if retry_after is None else {"Retry-After": str(retry_after)}
    return JSONResponse({"detail": detail}, status, headers)
