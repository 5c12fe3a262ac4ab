"""The command ``spacy-gladis pandoc``, also as a program for ``pandoc --filter``."""

import sys
from typing import Annotated

import typer

from . import main as run_command

app = typer.Typer()


@app.command()
def pandoc(format: Annotated[str, typer.Argument(help="Output format.")] = "html") -> None:
    """Expand, mark up and list the acronyms of a document in JSON, as a filter for Pandoc.

    pandoc --filter spacy-gladis-pandoc report.md --output report.docx

    Pandoc names the output format and pipes the document. Without Pandoc, pipe its JSON yourself:

    spacy-gladis pandoc docx
    """
    from ..errors import require, wrap_parser_errors

    if sys.stdin.isatty():
        raise typer.BadParameter("There is no input. Run: pandoc --filter spacy-gladis-pandoc")
    panflute = require("panflute", "pandoc")
    from ..integrations.pandoc import apply_filter

    with wrap_parser_errors("Standard input is not a document in Pandoc's JSON"):
        document = panflute.load()
    apply_filter(document, format)
    panflute.dump(document)


def main() -> None:
    """Run ``spacy-gladis-pandoc``, as Pandoc runs filters without a command's name."""
    sys.argv.insert(1, "pandoc")
    run_command()
