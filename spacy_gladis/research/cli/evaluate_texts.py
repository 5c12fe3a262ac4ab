"""`spacy-gladis evaluate texts`: what the pipeline answers in texts as people write them."""

import json
from pathlib import Path
from typing import Annotated

import typer

from .results_file import as_json, command_line, write_text

WIDTH = 120
"""Characters of a line in a file, where no terminal says."""


def texts(
    data: Annotated[
        Path, typer.Argument(help="Passages or documents with their acronyms marked (JSON Lines).")
    ],
    model: Annotated[
        Path | None, typer.Option(help="A saved pipeline, or AcroBERT's folder; default: packaged.")
    ] = None,
    dictionary: Annotated[
        Path | None, typer.Option(help="Dictionary file; the packaged one if not given.")
    ] = None,
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Below this probability the answer is NIL.")
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="Folder for vectors of long forms.")] = None,
    together: Annotated[
        bool, typer.Option("--together", help="Texts of a repository explain one another.")
    ] = False,
    mistakes: Annotated[
        Path | None,
        typer.Option(help="What is not right, with candidates and reasons, as JSON Lines."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Results as JSON, or .md.")
    ] = None,
) -> None:
    """Acronyms of passages and documents: found, answered, right, and why not.

    Example: spacy-gladis evaluate texts passages/dev.jsonl --mistakes mistakes.jsonl
    """
    from rich.console import Console

    from ..disambiguation.texts import mistakes as wrong
    from ..disambiguation.texts.report import markdown, tables
    from ..disambiguation.texts.run import equalities, evaluate

    errors = Console(stderr=True)

    def show(done: int, total: int) -> None:
        if errors.is_terminal:
            status.update(f"{done:,} of {total:,} texts")
        elif done * 10 // total > (done - 1) * 10 // total:  # every tenth of them
            errors.print(f"{done:,} of {total:,} texts")

    with errors.status("") as status:
        results, rows = evaluate(
            data,
            model=model,
            dictionary=dictionary,
            threshold=threshold,
            cache=cache,
            together=together,
            progress=show,
        )
    results = {"command": command_line(), **results}
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    for table in tables(results):
        console.print(table.rich())
    if mistakes:
        records = wrong.mistakes(rows, equalities()["by sense"])
        lines = (json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        write_text(mistakes, "".join(lines))
    if output:
        text = markdown(results) if output.suffix == ".md" else as_json(results)
        write_text(output, text)
