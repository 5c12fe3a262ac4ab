"""The command ``spacy-gladis pandoc``, and the program ``spacy-gladis-pandoc`` with the same task.

Both are filters that expand, mark up and list the acronyms of a Pandoc document.
"""

import sys
from typing import Annotated

import typer

from . import main as run_command

app = typer.Typer()


@app.command()
def pandoc(
    format: Annotated[
        str, typer.Argument(help="Output format of Pandoc, such as html or docx.")
    ] = "html",
) -> None:
    """Expand, mark up and list the acronyms of a document, as a filter for Pandoc.

    pandoc --filter spacy-gladis-pandoc report.md --output report.docx

    Pandoc passes the output format and the document in JSON. To run the filter yourself, write
    Pandoc's JSON to its standard input:

    spacy-gladis pandoc docx
    """
    from ..errors import require, wrap_parser_errors

    if sys.stdin.isatty():
        raise typer.BadParameter(
            "There is no input. Run this filter with: pandoc --filter spacy-gladis-pandoc"
        )
    panflute = require("panflute", "pandoc")
    with wrap_parser_errors("Standard input is not a document in Pandoc's JSON"):
        document = panflute.load()
    from ..integrations.pandoc import apply_filter  # loads spaCy, so the input is checked first

    apply_filter(document, format)
    panflute.dump(document)


def main() -> None:
    """Run the program ``spacy-gladis-pandoc``.

    Pandoc can't pass the name of a command to a filter, so this program calls the command
    ``pandoc``.
    """
    sys.argv.insert(1, "pandoc")
    run_command()
