"""`spacy-gladis evaluate texts`: what the pipeline answers in texts as people write them."""

import json
from pathlib import Path
from typing import Annotated

import typer

from ...files import write_text
from .results_file import Cache, DictionaryFile, Report, present, saying


def texts(
    data: Annotated[
        Path, typer.Argument(help="Passages or documents with their acronyms marked (JSON Lines).")
    ],
    model: Annotated[
        Path | None, typer.Option(help="A saved pipeline, or AcroBERT's folder; default: packaged.")
    ] = None,
    dictionary: DictionaryFile = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Below this probability the answer is NIL.")
    ] = None,
    cache: Cache = None,
    together: Annotated[
        bool, typer.Option("--together", help="Texts of a repository explain one another.")
    ] = False,
    mistakes: Annotated[
        Path | None,
        typer.Option(help="What is not right, with candidates and reasons, as JSON Lines."),
    ] = None,
    output: Report = None,
) -> None:
    """Acronyms of passages and documents: found, answered, right, and why not.

    Example: spacy-gladis evaluate texts passages/dev.jsonl --mistakes mistakes.jsonl
    """
    from ..disambiguation.texts.measure import mistakes as wrong
    from ..disambiguation.texts.measure import tables
    from ..disambiguation.texts.run import equalities, evaluate

    with saying() as say:

        def progress(done: int, total: int) -> None:
            if done * 10 // total > (done - 1) * 10 // total:  # every tenth of them
                say(f"{done:,} of {total:,} texts")

        results, rows = evaluate(
            data,
            model=model,
            dictionary=dictionary,
            threshold=threshold,
            cache=cache,
            together=together,
            progress=progress,
        )
    present(results, tables, output)
    if mistakes:
        records = wrong(rows, equalities()["by sense"])
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        write_text(mistakes, "".join(lines))
