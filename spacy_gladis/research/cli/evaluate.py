"""`spacy-gladis evaluate`: the tasks, one command each, and the report of their results."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ...files import write_text
from ..tasks.catalog import TASKS
from .evaluate_wic_tsv import wic_tsv
from .results_file import (
    Cache,
    DictionaryFile,
    Report,
    present,
    saying,
)


class TaskGroup(TyperGroup):
    """Makes the command of a task when it is called: its options are those of its systems."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        if name in TASKS:
            from .evaluate_task import make_command

            made = typer.Typer(add_completion=False)
            made.command(name)(make_command(name))
            command = typer.main.get_command(made)
            command.name = name
        return name, command, rest


app = typer.Typer(cls=TaskGroup, no_args_is_help=True, help="Run the benchmarks.")


def _only_in_help() -> None:
    """TaskGroup puts the task's own command in this place."""


for _name, (_, _help) in TASKS.items():
    app.command(_name, help=_help)(_only_in_help)


app.command("wic-tsv")(wic_tsv)


@app.command("texts")
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


@app.command("report")
def report(
    folder: Annotated[Path, typer.Argument(help="Folder of results.")] = Path("benchmarks/results"),
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Where the report goes, in Markdown.")
    ] = Path("report.md"),
) -> None:
    """Gather all results in one report, the papers' own figures beside them.

    Example: spacy-gladis evaluate report benchmarks/results -o report.md
    """
    from ..report.papers import markdown, read_results

    results, left_out = read_results(folder)
    write_text(output, markdown(results, left_out))
    typer.echo(f"Wrote {output}: {len(results)} results.")
    for line in left_out:
        typer.echo(f"Left out {line}.", err=True)
