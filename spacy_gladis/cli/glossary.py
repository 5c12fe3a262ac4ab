"""`spacy-gladis glossary`: the acronyms of a set of documents, for those who edit them."""

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from . import documents
from .options import READING, Inputs, Output, one_of, with_options

if TYPE_CHECKING:
    from ..documents.source import Source

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
@with_options(READING)
def glossary(
    inputs: Inputs = None,
    format: Annotated[
        str | None,
        typer.Option(
            callback=one_of(FORMATS),
            metavar="|".join(FORMATS),
            help="Default: by --output's ending, else markdown.",
        ),
    ] = None,
    output: Output = None,
    resolve: Annotated[
        bool,
        typer.Option(
            "--resolve/--no-resolve",
            help="Ask the linker what undefined acronyms mean; without, no model runs.",
        ),
    ] = True,
    **reading: Any,
) -> None:
    """List the acronyms of a set of documents: meanings, counts, first use, and what is amiss.

    Amiss are acronyms with two meanings, those used but never defined, and those used before
    their definition.

    spacy-gladis glossary chapters/ --output glossary.md

    spacy-gladis glossary *.txt --format csv > acronyms.csv
    """
    from ..output.glossary import Glossary
    from ..output.glossary_formats import WRITERS, summary
    from ..pipeline.annotate import with_unanswered

    chosen = format or documents.format_by_ending(output, _BY_SUFFIX, "markdown")
    problems = documents.new_problems()
    documents.refuse_word(inputs)
    gathered = Glossary()
    sources: dict[str, Source] = {}
    asked = {"output": output, "resolve": resolve, **reading}
    for name, doc in documents.annotated(inputs, problems, sources, **asked):
        gathered.add(name, with_unanswered(doc), sources.pop(name))
    if not problems.done:
        documents.finish(problems)
    with documents.destination(output, problems) as stream:
        documents.harmless(stream).write(WRITERS[chosen](gathered).encode("utf-8", "replace"))
    if output is not None and sys.stderr.isatty():
        typer.echo(summary(gathered), err=True)
    documents.finish(problems)
