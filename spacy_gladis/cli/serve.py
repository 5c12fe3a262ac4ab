"""The command ``spacy-gladis serve``, which runs an HTTP service with an API and a web page."""

import re
import socket
import sys
from contextlib import suppress
from ipaddress import ip_address
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import InputError
from .options import (
    LINKING,
    Host,
    LanguageModel,
    MaxCharacters,
    Port,
    Timeout,
    with_options,
)

if TYPE_CHECKING:
    from starlette.types import ASGIApp

app = typer.Typer()

SHUTDOWN_SECONDS = 5
"""Number of seconds that running requests have to finish when the service is stopped."""

_ORIGIN = re.compile(r"https?://[^\s/?#@]+|\*")
_HOST_NAME = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*|[\da-f:]+")


@app.command(
    epilog="Exit codes: 0 if Ctrl+C stopped the service, 2 if it could not start.",
)
@with_options(LINKING)
def serve(
    host: Host = "127.0.0.1",
    port: Port = 8000,
    max_characters: MaxCharacters = 100_000,
    timeout: Timeout = 30,
    processes: Annotated[
        int,
        typer.Option(min=1, help="Number of worker processes. Each needs memory for the model."),
    ] = 1,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="Host name that requests may use, such as example.org, *.example.org for its "
            "subdomains, or * for any. Repeatable.",
        ),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Origin whose web pages may use the service, such as https://example.org, or * "
            "for any. Repeatable.",
        ),
    ] = None,
    llm: LanguageModel = None,
    **linking: Any,
) -> None:
    """Run an HTTP service that annotates texts, with a web page at /.

    The API has POST /annotate, POST /annotate/batch, GET /lookup and GET /health. Its documentation
    is at /docs, and its OpenAPI schema at /openapi.json.

    With --llm, requests may set "ask_model" to ask a language model about acronyms that the linker
    is not sure of. The web page has a button for this. Increase --timeout for slow models. Without
    --llm, no text leaves the service.

    The service does not store or log texts. It has no password, so everyone who can reach its
    address can use it.

    spacy-gladis serve

    spacy-gladis serve --port 9000 --dictionary ours.sqlite

    curl -H 'content-type: application/json' -d '{"text": "an AI"}' localhost:8000/annotate
    """
    from functools import partial

    from ..pipeline.load import load_pipeline
    from ..serve.app import LOCAL, create_app
    from ..serve.limits import Limits
    from ..serve.workers import Workers

    origins = [_parse_origin(origin) for origin in cors or ()]
    names = [_parse_host_name(name) for name in allow_host or ()]
    listener = listen(host, port)
    hosts = [*LOCAL, *names] if names or is_loopback(host) else ["*"]
    limits = Limits(max_characters, seconds=timeout)
    load = partial(load_pipeline, llm=llm, **linking)
    with Workers(load, limits, processes) as workers:
        app = create_app(workers, hosts, origins, language_model=llm is not None)
        run_app(app, listener, host)


def run_app(app: "ASGIApp", listener: socket.socket, host: str, path: str = "/") -> None:
    """Print the address of an application, and serve it until the user presses Ctrl+C.

    Args:
        app: ASGI application to serve.
        listener: Socket that accepts connections, as `listen` returns it.
        host: Address that the socket listens on.
        path: Path of the application's start page or endpoint, which is part of the printed
            address.
    """
    import uvicorn

    from ..serve.connections import Connections

    config = Connections().configure(
        app,
        log_level="warning",
        access_log=False,  # queries may be confidential
        server_header=False,
        limit_concurrency=900,  # below the usual limit of open files
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    address = f"[{host}]" if ":" in host else host
    typer.echo(f"http://{address}:{listener.getsockname()[1]}{path} (Ctrl+C stops)")
    sys.stdout.flush()
    if not is_loopback(host):
        typer.secho(
            "Warning: everyone who can reach this address can use the service.",
            fg="yellow",
            err=True,
        )
    with suppress(KeyboardInterrupt):  # uvicorn raises it again when it has stopped
        uvicorn.Server(config).run(sockets=[listener])


def listen(host: str, port: int) -> socket.socket:
    """Open a socket that listens on an address.

    Call it before a model is loaded, so that a wrong address is reported immediately.

    Args:
        host: Address or host name, such as ``127.0.0.1``.
        port: Number of the port. 0 means any free port.

    Returns:
        The listening socket.

    Raises:
        InputError: If the address is invalid or in use.
    """
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family)
        # Connections inherit the option: a response's body must not wait for the ACK of its header.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        raise InputError(
            f"Cannot listen on {host}, port {port}: {error.strerror or error}. "
            "Choose another address with --host and --port. Port 0 means any free port."
        ) from None


def _parse_origin(value: str) -> str:
    """Return an origin as browsers send it, in lower case and without a final slash."""
    origin = value.lower().rstrip("/")
    if _ORIGIN.fullmatch(origin):
        return origin
    raise InputError(
        f"{value!r} is not an origin. Pass --cors with a scheme and a host, such as "
        "https://example.org or http://localhost:3000, or * for any."
    )


def _parse_host_name(value: str) -> str:
    """Return a host name as the service compares it, in lower case and without brackets."""
    name = value.lower().strip("[]")
    if name == "*" or _HOST_NAME.fullmatch(name):
        return name
    raise InputError(
        f"{value!r} is not a host name. Pass --allow-host without scheme and port, such as "
        "example.org, *.example.org for its subdomains, or * for any."
    )


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached only from the same machine.

    Args:
        host: Address or host name, such as ``127.0.0.1`` or ``localhost``.
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
