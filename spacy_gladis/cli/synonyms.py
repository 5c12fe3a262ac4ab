"""The command ``spacy-gladis synonyms``, which writes synonym rules for search engines."""

from pathlib import Path
from typing import Annotated, Any

import typer

from ..settings import MIN_SYNONYM_PROBABILITY
from . import documents
from .options import READING, Inputs, Output, check_writable, one_of, with_options

FORMATS = ("solr", "elasticsearch", "opensearch", "json")
DIRECTIONS = ("short-to-long", "long-to-short", "both")

app = typer.Typer()


@app.command(epilog=documents.EXIT_CODES)
@with_options(READING)
def synonyms(
    inputs: Inputs = None,
    format: Annotated[
        str,
        typer.Option(callback=one_of(FORMATS), metavar="|".join(FORMATS), help="Output format."),
    ] = "solr",
    output: Output = None,
    direction: Annotated[
        str,
        typer.Option(
            callback=one_of(DIRECTIONS),
            metavar="|".join(DIRECTIONS),
            help="Spelling of a query that also finds the other spelling.",
        ),
    ] = "both",
    min_probability: Annotated[
        float,
        typer.Option(min=0, max=1, help="Minimum mean probability of a meaning that gets a rule."),
    ] = MIN_SYNONYM_PROBABILITY,
    defined_only: Annotated[
        bool,
        typer.Option(
            "--defined-only", help="Use only meanings that the documents define. No model runs."
        ),
    ] = False,
    case_sensitive: Annotated[
        bool,
        typer.Option(
            "--case-sensitive",
            help="Also write rules for acronyms such as IT, which are words in lower case. Use it "
            "if the search engine applies the rules before it lower-cases the text.",
        ),
    ] = False,
    report: Annotated[
        Path | None,
        typer.Option(
            dir_okay=False,
            callback=check_writable,
            help="Write the acronyms that have no rule for all documents to this file, with the "
            "reasons. Default: standard error.",
        ),
    ] = None,
    **reading: Any,
) -> None:
    """Write synonym rules for search engines from the acronyms of documents.

    An acronym with several meanings gets no rule for all documents. It gets one for each subject
    field whose documents agree on a meaning. With --output synonyms.txt, the complete rules of a
    field are written to synonyms.FIELD.txt.

    spacy-gladis synonyms docs/ --output synonyms.txt

    spacy-gladis synonyms docs/ --format opensearch --direction short-to-long > settings.json
    """
    from ..dictionary import Dictionary
    from ..files import is_stream, write_text
    from ..output.synonym_formats import WRITERS, Direction, report_lines, summary
    from ..output.synonyms import make_synonyms

    problems = documents.new_problems()
    settings = {"output": output, "resolve": not defined_only, **reading}
    acronyms = documents.collect_glossary(inputs, problems, **settings)
    rules = make_synonyms(
        acronyms,
        Dictionary.open(reading["dictionary"]),
        min_probability=min_probability,
        defined_only=defined_only,
        case_sensitive=case_sensitive,
    )
    files = WRITERS[format](rules, Direction(direction))
    with documents.open_output(output, problems) as stream:
        documents.escape_on_terminal(stream).write(files.pop("").encode("utf-8", "replace"))
    if output and not is_stream(output):
        for name, content in files.items():
            write_text(output.with_suffix(f".{name}{output.suffix}"), content)
    lines = report_lines(rules)
    if report:
        write_text(report, "".join(f"{line}\n" for line in lines))
    for line in [] if report else lines:
        typer.echo(line, err=True)
    typer.echo(summary(rules, all_sets=output is not None or len(files) == 0), err=True)
    documents.finish(problems)
