"""The command ``spacy-gladis lsp``, which runs a language server for editors."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..errors import InputError
from .options import LINKING, with_options

if TYPE_CHECKING:
    from spacy.language import Language

app = typer.Typer()

HOST = "127.0.0.1"
"""Address that the option `--tcp` listens on. No other machine can connect to it."""


@app.command(
    epilog="Exit codes: 0 if the editor stopped the server, 2 if the server could not start."
)
@with_options(LINKING)
def lsp(
    tcp: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            metavar="PORT",
            help=f"Port of {HOST} on which one editor can connect, instead of standard input.",
        ),
    ] = None,
    **linking: Any,
) -> None:
    """Run a language server, which explains and checks acronyms in an editor.

    An editor starts this command and communicates with it over standard input and output. The
    linter uses the settings of the project, as spacy-gladis lint does.

    spacy-gladis lsp

    spacy-gladis lsp --tcp 2087
    """
    from ..dictionary.user_entries import read_user_entries
    from ..integrations.lsp.server import Server
    from ..settings import check_settings, resolve_settings

    check_settings(resolve_settings(linking))
    read_user_entries(linking["overlay"] or ())  # raises an error if a file is missing

    def load() -> "Language":
        from ..pipeline.load import load_pipeline  # slow; meanwhile, the linter checks documents

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
