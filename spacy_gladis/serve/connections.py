"""Closing of connections on which no request begins, so that other clients can connect."""

import asyncio
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

SECONDS: Final = 10.0
"""Number of seconds in which a request has to begin, on a new connection or after an answer."""

Address = tuple[str, int]
"""Host and port of a client, which identify the connection of a request."""


class Connections:
    """Closes connections on which no request begins in time.

    uvicorn limits the time between two requests, but not the time in which the first line and the
    headers of a request arrive. This class watches the HTTP protocol, to know when connections
    begin and end, and the application, to know when requests begin and end.

    Args:
        seconds: Number of seconds in which a request has to begin.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        """Create an object that watches no connections yet."""
        self.seconds = seconds
        self._transports: dict[Address, asyncio.Transport] = {}
        self._timers: dict[Address, asyncio.TimerHandle] = {}

    def configure(self, app: ASGIApp, **settings: Any) -> uvicorn.Config:
        """Configure a uvicorn server whose connections are watched.

        Args:
            app: The ASGI application.
            **settings: Additional settings of `uvicorn.Config`.

        Returns:
            The loaded configuration. Proxy headers are ignored, because the client's address
            identifies the connection of a request.
        """
        config = uvicorn.Config(self._middleware(app), http="h11", proxy_headers=False, **settings)
        config.load()
        config.http_protocol_class = self._protocol(config.http_protocol_class)
        return config

    def _middleware(self, app: ASGIApp) -> ASGIApp:
        """Wrap an application to notice when a request begins and when it has been answered."""

        async def watched(scope: Scope, receive: Receive, send: Send) -> None:
            client = scope.get("client")
            address = (client[0], client[1]) if client else None
            self._stop(address)
            try:
                await app(scope, receive, send)
            finally:
                self._wait(address)

        return watched

    def _protocol(self, observed: type[asyncio.Protocol]) -> type[asyncio.Protocol]:
        """Return a protocol class that wraps uvicorn's HTTP protocol and watches connections."""

        class WatchedProtocol(_Watched):
            connections, protocol = self, observed

        return WatchedProtocol

    def begin(self, address: Address, transport: asyncio.Transport) -> None:
        """Start to wait for the first request on a new connection.

        Args:
            address: The client's host and port.
            transport: The transport of the connection.
        """
        self._transports[address] = transport
        self._wait(address)

    def end(self, address: Address) -> None:
        """Stop watching a connection that has ended.

        Args:
            address: The client's host and port.
        """
        self._stop(address)
        self._transports.pop(address, None)

    def _wait(self, address: Address | None) -> None:
        if address in self._transports:
            loop = asyncio.get_running_loop()
            self._timers[address] = loop.call_later(self.seconds, self._transports[address].close)

    def _stop(self, address: Address | None) -> None:
        if address in self._timers:
            self._timers.pop(address).cancel()


class _Watched(asyncio.Protocol):
    """Wrapper of uvicorn's protocol that reports to `Connections` when it begins and ends."""

    connections: Connections
    protocol: type[asyncio.Protocol]

    def __init__(self, **settings: Any) -> None:
        self._protocol = self.protocol(**settings)
        self._address: Address | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._protocol.connection_made(transport)
        if peer := transport.get_extra_info("peername"):
            self._address = (str(peer[0]), int(peer[1]))
            self.connections.begin(self._address, transport)

    def connection_lost(self, exc: Exception | None) -> None:
        if self._address:
            self.connections.end(self._address)
        self._protocol.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._protocol.data_received(data)

    def eof_received(self) -> None:
        self._protocol.eof_received()

    def pause_writing(self) -> None:
        self._protocol.pause_writing()

    def resume_writing(self) -> None:
        self._protocol.resume_writing()
