"""`spacy-gladis dataset`: make evaluation sets."""

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(no_args_is_help=True, help="Make training and evaluation sets.")
PARTS = {"train": 6, "dev": 2, "test": 2}


@app.callback()
def dataset() -> None:
    """Make training and evaluation sets."""


@app.command()
def build(
    files: Annotated[list[Path], typer.Argument(help="Files of the source.")],
    source: Annotated[str, typer.Option(help="wikilinks, medmentions or sciad.")],
    output: Annotated[Path, typer.Option(help="The folder to write into.")],
    reference: Annotated[
        Path | None, typer.Option(help="Names of the concepts: a Wikidata dump or MRCONSO.RRF.")
    ] = None,
    classes: Annotated[
        Path | None, typer.Option(help="Tabbed names of Wikidata's classes, YAGO's for example.")
    ] = None,
    dictionary: Annotated[
        Path | None, typer.Option("--dictionary", "-d", help="Default: the packaged one.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the split; the same gives the same sets.")] = 0,
) -> None:
    """Make train, dev and test sets, no acronym in two of them, and complete the dictionary.

    Writes train.json, dev.json and test.json in GLADIS's form, dictionary.gladis with the missing
    pairs added, and statistics.json.
    """
    import json
    import sys

    from ..corpus import ProblemLog, write_samples
    from ..corpus.datasets.build import complete, set_statistics
    from ..corpus.datasets.sources import source_samples
    from ..dictionary import Dictionary, write_store
    from ..evaluation.leakage.split import split_rows
    from ..files import writing

    opened = Dictionary.open(dictionary)

    def candidates(acronym: str) -> list[str]:
        return [candidate.long_form for candidate in opened.candidates(acronym)]

    problems = ProblemLog()
    samples, missing = complete(
        source_samples(source, files, reference, classes, problems), candidates
    )
    for acronym, long_form in missing:
        opened.add(acronym, long_form, domain=source)
    parts = split_rows([sample.acronym for sample in samples], list(PARTS.values()), seed)
    statistics = {}
    for name, rows in zip(PARTS, parts, strict=True):
        part = [samples[row] for row in rows]
        write_samples(output / f"{name}.json", part)
        statistics[name] = set_statistics(part, candidates)
    write_store(opened.groups(), output / "dictionary.gladis", opened.metadata)
    found = problems.to_json()
    content = {
        "command": " ".join(["spacy-gladis", *sys.argv[1:]]),
        "sets": statistics,
        "pairs_added": len(missing),
        "problems": found,
    }
    with writing(output / "statistics.json") as temporary:
        temporary.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    typer.echo(json.dumps(statistics, indent=1))
    for example in found["examples"]:
        typer.echo(example, err=True)
