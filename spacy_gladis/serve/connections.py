"""Closing of network connections on which no request begins, so that other clients can connect."""

import asyncio
from typing import Any, Final

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

SECONDS: Final = 10.0
"""Number of seconds in which a request has to begin. They start with a new connection and after
each answer."""

Address = tuple[str, int]
"""Host and port of a client. Together, they identify the connection that a request arrives on."""


class Connections:
    """Closes the network connections of a server on which no request begins in time.

    uvicorn limits the time between two requests, but not the time in which the first line and the
    headers of a request arrive. This class therefore observes when connections begin and end, and
    when requests begin and end.

    Args:
        seconds: Number of seconds in which a request has to begin.
    """

    def __init__(self, seconds: float = SECONDS) -> None:
        """Create an object that doesn't observe any connections yet."""
        self.seconds = seconds
        self._transports: dict[Address, asyncio.Transport] = {}
        self._timers: dict[Address, asyncio.TimerHandle] = {}

    def configure(self, app: ASGIApp, **settings: Any) -> uvicorn.Config:
        """Create the configuration of a uvicorn server that closes connections without requests.

        Args:
            app: ASGI application that the server runs.
            **settings: Additional settings of `uvicorn.Config`.

        Returns:
            The configuration, which is loaded and ready for `uvicorn.Server`. Proxy headers are
            ignored, because the client's address identifies the connection of a request.
        """
        config = uvicorn.Config(self._middleware(app), http="h11", proxy_headers=False, **settings)
        config.load()
        config.http_protocol_class = self._protocol(config.http_protocol_class)
        return config

    def _middleware(self, app: ASGIApp) -> ASGIApp:
        """Wrap an application to observe when a request begins and when it has been answered."""

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
        """Return a class that wraps uvicorn's HTTP protocol and observes connections."""

        class WatchedProtocol(_Watched):
            connections, protocol = self, observed

        return WatchedProtocol

    def begin(self, address: Address, transport: asyncio.Transport) -> None:
        """Start to wait for the first request on a new connection.

        Args:
            address: Host and port of the client.
            transport: Transport of the connection, which is closed if no request begins in time.
        """
        self._transports[address] = transport
        self._wait(address)

    def end(self, address: Address) -> None:
        """Stop observing a connection that has ended.

        Args:
            address: Host and port of the client.
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
    """A wrapper of uvicorn's HTTP protocol that reports the beginning and end of a connection."""

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
