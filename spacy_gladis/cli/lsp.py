"""The command ``spacy-gladis lsp``."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import InputError
from .options import LINKING, with_options

if TYPE_CHECKING:
    from spacy.language import Language

app = typer.Typer()

HOST = "127.0.0.1"
"""The address of `--tcp`: no other machine can connect."""


@app.command(epilog="Exit codes: 0 the editor stopped the server; 2 the server could not start.")
@with_options(LINKING)
def lsp(
    tcp: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            metavar="PORT",
            help=f"Listen on this port of {HOST} for one editor, instead of standard input.",
        ),
    ] = None,
    **linking: Any,
) -> None:
    """Run a language server, which explains and checks acronyms in an editor.

    An editor starts this command and talks to it over standard input and output. The linter's
    settings are those of the project, as for spacy-gladis lint.

    spacy-gladis lsp

    spacy-gladis lsp --tcp 2087
    """
    from ..integrations.lsp.server import Server

    def load() -> "Language":
        from ..pipeline.load import load_pipeline  # slow, while rules check documents

        return load_pipeline(**linking)

    server = Server(load)
    try:
        if tcp is None:
            server.protocol.start_io()
        else:
            server.protocol.start_tcp(HOST, tcp)
    except OSError as error:
        raise InputError(
            f"Cannot listen on {HOST}, port {tcp}: {error.strerror or error}. Choose another port."
        ) from None
    server.leave()
