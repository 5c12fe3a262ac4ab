"""The command ``spacy-gladis glossary``, which lists the acronyms in documents."""

import sys
from typing import Annotated, Any

import typer

from . import documents
from .options import READING, Inputs, Output, one_of, with_options

FORMATS = ("markdown", "csv", "html", "json", "mkdocs", "latex", "myst", "remark", "table")
_BY_EXTENSION = {
    ".md": "markdown",
    ".csv": "csv",
    ".html": "html",
    ".json": "json",
    ".tex": "latex",
    ".txt": "table",
    ".yml": "myst",
}

app = typer.Typer()


@app.command(epilog=documents.EXIT_CODES)
@with_options(READING)
def glossary(
    inputs: Inputs = None,
    format: Annotated[
        str | None,
        typer.Option(
            callback=one_of(FORMATS),
            metavar="|".join(FORMATS),
            help="Output format. By default, the extension of --output selects it. Without "
            "--output, it is markdown.",
        ),
    ] = None,
    output: Output = None,
    resolve: Annotated[
        bool,
        typer.Option(
            "--resolve/--no-resolve",
            help="Resolve undefined acronyms with the linker. With --no-resolve, no model runs.",
        ),
    ] = True,
    **reading: Any,
) -> None:
    """List the acronyms of documents with their meanings, counts and first uses.

    The list marks acronyms that have several meanings, are never defined, or are used before their
    definition.

    spacy-gladis glossary chapters/ --output glossary.md

    spacy-gladis glossary *.txt --format csv > acronyms.csv
    """
    from ..output.glossary_formats import WRITERS, summary

    chosen = format or documents.format_by_extension(output, _BY_EXTENSION, "markdown")
    problems = documents.new_problems()
    settings = {"output": output, "resolve": resolve, **reading}
    acronyms = documents.collect_glossary(inputs, problems, **settings)
    with documents.open_output(output, problems) as stream:
        documents.escape_on_terminal(stream).write(
            WRITERS[chosen](acronyms).encode("utf-8", "replace")
        )
    if output is not None and sys.stderr.isatty():
        typer.echo(summary(acronyms), err=True)
    documents.finish(problems)
