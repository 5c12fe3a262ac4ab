"""The command ``spacy-gladis mcp``, which runs an MCP server for AI agents."""

import os
import signal
from pathlib import Path
from typing import Annotated, Any, Literal, NoReturn

import typer

from . import options
from .serve import listen, run_app

app = typer.Typer()

BYTES, BYTES_PER_CHARACTER = (
    4 << 20,
    12,
)  # limits of an HTTP request with JSON escapes


@app.command(
    epilog="Exit codes: 0 if the client or Ctrl+C stopped the server, 2 if it could not start."
)
@options.with_options(options.LINKING)
def mcp(
    transport: Annotated[
        Literal["stdio", "http"],
        typer.Option(
            help="How clients connect: stdio if they start the server, http if they use --host and "
            "--port."
        ),
    ] = "stdio",
    host: options.Host = "127.0.0.1",
    port: options.Port = 8000,
    allow_write: Annotated[
        bool,
        typer.Option(
            "--allow-write",
            help="Let clients add entries to the first --overlay, a CSV or TSV file, which is "
            "created if it doesn't exist.",
        ),
    ] = False,
    max_characters: options.MaxCharacters = 100_000,
    timeout: options.Timeout = 30,
    **linking: Any,
) -> None:
    """Run an MCP server that explains acronyms to agents.

    Its tools explain the acronyms of a text, look up an acronym, list unexplained acronyms, and
    check a text with the linter. The entries of --overlay are also a resource. Without
    --allow-write, the server writes nothing.

    spacy-gladis mcp

    spacy-gladis mcp --overlay acronyms.csv --allow-write

    spacy-gladis mcp --transport http --port 8001
    """
    from ..dictionary.user_entries import append_user_entries, read_user_entries
    from ..errors import require
    from ..lint.registry import load_rules
    from ..lint.settings import find_settings
    from ..settings import check_settings, resolve_settings

    require("mcp.server.mcpserver", "mcp", "mcp")
    from ..integrations.mcp import create_server
    from ..serve.limits import Limits
    from ..serve.workers import kill_workers

    overlay = [path.absolute() for path in linking.pop("overlay") or ()]
    check_settings(resolve_settings(linking))
    find_settings(Path.cwd()).check(load_rules())
    if allow_write:
        if not overlay:
            raise typer.BadParameter(
                "--allow-write needs --overlay. Pass the file to add entries to."
            )
        options.check_writable(overlay[0])
        append_user_entries(overlay[0], [])  # creates the file, or rejects it
    read_user_entries(overlay)
    limits = Limits(max_characters, seconds=timeout)
    server = create_server(linking, overlay, limits, allow_write)
    if transport == "http":
        listener = listen(host, port)
        most_bytes = BYTES + BYTES_PER_CHARACTER * max_characters
        endpoint = server.streamable_http_app(
            host=host, stateless_http=True, max_request_body_size=most_bytes
        )
        run_app(endpoint, listener, host, "/mcp")
    else:
        typer.echo("Waiting for an MCP client on standard input (Ctrl+C stops).", err=True)
        signal.signal(signal.SIGINT, _stop)  # otherwise, the SDK waits for more input
        try:
            server.run("stdio")
        finally:
            kill_workers()  # the pipeline may still be loading


def _stop(*_: object) -> NoReturn:
    from ..serve.workers import kill_workers

    kill_workers()
    os._exit(0)
