"""`spacy-gladis glossary`: the acronyms of a set of documents, for those who edit them."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from . import documents
from .documents import (
    Alone,
    DictionaryFile,
    Encoding,
    Field,
    Inputs,
    Language,
    Model,
    Output,
    Overlay,
    Precision,
    Processes,
    Quiet,
    Threshold,
)

FORMATS = ("markdown", "csv", "html", "json", "mkdocs", "latex", "table")
_BY_SUFFIX = {
    ".md": "markdown",
    ".csv": "csv",
    ".html": "html",
    ".json": "json",
    ".tex": "latex",
    ".txt": "table",
}

app = typer.Typer()


@app.command(epilog=documents.EXIT_CODES)
def glossary(
    inputs: Inputs = None,
    format: Annotated[
        str | None,
        typer.Option(
            callback=documents.one_of(FORMATS),
            metavar="|".join(FORMATS),
            help="Default: by --output's ending, else markdown.",
        ),
    ] = None,
    output: Output = None,
    field: Field = None,
    threshold: Threshold = None,
    precision: Precision = None,
    dictionary: DictionaryFile = None,
    overlay: Overlay = None,
    model: Model = None,
    language: Language = "en",
    alone: Alone = False,
    processes: Processes = 1,
    encoding: Encoding = None,
    quiet: Quiet = False,
) -> None:
    """List the acronyms of a set of documents: meanings, counts, first use, and what is amiss.

    Amiss are acronyms with two meanings, those used but never defined, and those used before
    their definition.

    spacy-gladis glossary chapters/ --output glossary.md

    spacy-gladis glossary *.txt --format csv > acronyms.csv
    """
    from ..output.glossary import Glossary

    chosen = format or _default_format(output)
    problems = documents.new_problems()
    found = documents.annotated(
        inputs,
        problems,
        field=field,
        threshold=threshold,
        precision=precision,
        dictionary=dictionary,
        overlay=overlay,
        model=model,
        language=language,
        processes=processes,
        alone=alone,
        encoding=encoding,
        quiet=quiet,
    )
    gathered = Glossary()
    for name, doc in found:
        gathered.add(name, doc)
    if not problems.done:
        documents.finish(problems)
    from ..output.glossary_formats import WRITERS, summary

    with documents.destination(output, problems) as stream:
        stream.write(WRITERS[chosen](gathered).encode("utf-8", "replace"))
    if output is not None and sys.stderr.isatty():
        typer.echo(summary(gathered), err=True)
    documents.finish(problems)


def _default_format(output: Path | None) -> str:
    return "markdown" if output is None else documents.format_by_ending(output, _BY_SUFFIX)
