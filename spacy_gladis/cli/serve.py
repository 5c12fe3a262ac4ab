"""`spacy-gladis serve`: annotation for programs, and for people on a page."""

import re
import socket
import sys
from ipaddress import ip_address
from typing import Annotated, Any

import typer

from ..errors import InputError
from .options import LINKING, LanguageModel, with_options

app = typer.Typer()

SHUTDOWN_SECONDS = 5
"""That requests have to end once the service is told to stop."""

_ORIGIN = re.compile(r"https?://[^\s/?#@]+|\*")
_HOST_NAME = re.compile(r"(\*\.)?[\w-]+(\.[\w-]+)*|[\da-f:]+")


@app.command(
    epilog="Exit codes: 0 stopped by Ctrl+C; 2 nothing could be done with what was given.",
)
@with_options(LINKING)
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 for all of this machine's.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any that is free.")] = 8000,
    max_characters: Annotated[int, typer.Option(min=1, help="Of one text.")] = 100_000,
    timeout: Annotated[
        float, typer.Option(min=0.1, help="Seconds until a request is given up.")
    ] = 30,
    processes: Annotated[
        int, typer.Option(min=1, help="That answer at once; each holds the model.")
    ] = 1,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME",
            help="A name under which the service is asked for; *.example.org for all names below "
            "one, * for any (repeatable).",
        ),
    ] = None,
    cors: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="Web pages of this origin may use the service, such as https://example.org; "
            "* for all (repeatable).",
        ),
    ] = None,
    llm: LanguageModel = None,
    **linking: Any,
) -> None:
    """Serve a page at /, and POST /annotate, POST /annotate/batch, GET /lookup and GET /health.

    /docs describes them, /openapi.json does for programs.

    With --llm the page has a button that asks a language model what is not sure, and requests may
    set "ask_model"; give it time with --timeout. Without --llm no text leaves the service.

    Nothing that is sent is written or logged. There is no password: whoever reaches the address
    can use it.

    spacy-gladis serve

    spacy-gladis serve --port 9000 --dictionary ours.sqlite

    curl -H 'content-type: application/json' -d '{"text": "an AI"}' localhost:8000/annotate
    """
    from functools import partial

    import uvicorn

    from ..pipeline.load import load_pipeline
    from ..serve.app import LOCAL, create_app
    from ..serve.connections import Connections
    from ..serve.limits import Limits
    from ..serve.workers import Workers

    origins = [_origin(one) for one in cors or ()]
    names = [_host_name(one) for one in allow_host or ()]
    listener = _listen(host, port)
    hosts = [*LOCAL, *names] if names or _is_loopback(host) else ["*"]
    limits = Limits(max_characters, seconds=timeout)
    load = partial(load_pipeline, llm=llm, **linking)
    with Workers(load, limits, processes) as workers:
        connections = Connections()
        app = create_app(workers, hosts, origins, language_model=llm is not None)
        config = uvicorn.Config(
            connections.middleware(app),
            http=connections.protocol(),
            proxy_headers=False,
            log_level="warning",
            access_log=False,  # a query holds what somebody asked for
            server_header=False,
            limit_concurrency=900,  # below the usual limit of open files
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        )
        address = f"[{host}]" if ":" in host else host
        typer.echo(f"http://{address}:{listener.getsockname()[1]}/ (Ctrl+C stops)")
        sys.stdout.flush()
        if not _is_loopback(host):
            typer.secho("Anybody who reaches this address can use it.", fg="yellow", err=True)
        uvicorn.Server(config).run(sockets=[listener])


def _listen(host: str, port: int) -> socket.socket:
    """Take the address before the model is loaded: what is wrong with it is said at once."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        listener = socket.create_server((host, port), family=family)
        # Connections inherit it: the body of an answer is not to wait for the receipt of its head.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return listener
    except OSError as error:
        raise InputError(
            f"The service cannot listen on {host}, port {port}: {error.strerror or error}. "
            "Choose another with --host and --port (0: any that is free)."
        ) from None


def _origin(given: str) -> str:
    """An origin as browsers send it."""
    origin = given.lower().rstrip("/")
    if _ORIGIN.fullmatch(origin):
        return origin
    raise InputError(
        f"{given!r} is not an origin. Expected --cors with scheme, name and, if need be, port, "
        "such as https://example.org or http://localhost:3000, or * for all."
    )


def _host_name(given: str) -> str:
    """A host's name as the service compares it, without the port."""
    name = given.lower().strip("[]")
    if name == "*" or _HOST_NAME.fullmatch(name):
        return name
    raise InputError(
        f"{given!r} is not a name of a host. Expected --allow-host with the name alone, such as "
        "example.org, with *. before it for all names below it, or * for any."
    )


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
