"""`spacy-gladis evaluate ad`: systems that learn from labelled samples, and others beside them."""

import json
from enum import Enum
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from ...errors import InputError
from .results_file import (
    DictionaryFile,
    Model,
    Only,
    Predictions,
    Resamples,
    Systems,
    command_line,
    saying,
    show,
    write_results,
)

AND = " && "
"""Between the commands that a results file is of."""

Counts = Literal["own", "dictionary", "none"]
"""Whose counts a system sees."""


class Setting(str, Enum):
    """What training and test rows have in common."""

    closed = "closed"
    unseen = "unseen"


def ad(
    data: Annotated[
        list[Path],
        typer.Option(help="A set (GLADIS, SciAD, SDU-22) or a folder of sets (repeatable)."),
    ],
    system: Systems = None,
    setting: Annotated[
        list[Setting] | None,
        typer.Option(help="closed: no sentence twice; unseen: no acronym twice. Default: both."),
    ] = None,
    only: Only = None,
    per_long_form: Annotated[
        list[int] | None,
        typer.Option(min=0, help="Training samples of a long form; 0: all (repeatable: a curve)."),
    ] = None,
    counts: Annotated[
        Counts, typer.Option(help="Whose counts the candidates carry.")
    ] = "dictionary",
    dictionary: DictionaryFile = None,
    model: Model = None,
    bert: Annotated[
        str | None,
        typer.Option(
            help="Encoder of the bert systems, and where finetuned starts: a folder, a package "
            "(package:NAME) or a hub name."
        ),
    ] = None,
    parser: Annotated[
        str | None, typer.Option(help="spaCy pipeline with a parser, for gad: folder or name.")
    ] = None,
    text: Annotated[
        Path | None, typer.Option(help="Raw text for fasttext's vectors, beside the set's own.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Of the splits and of the systems.")] = 0,
    resamples: Resamples = 1000,
    output: Annotated[
        Path | None,
        typer.Option(help="Results as JSON, kept after each run; runs found there are not redone."),
    ] = None,
    predictions: Predictions = None,
) -> None:
    """Acronym disambiguation with training: every system, its scores and its costs, in one table.

    Example: spacy-gladis evaluate ad --data benchmarks/gladis --system all --output ad.json
    """
    from ...dictionary import Dictionary
    from ..disambiguation.supervised.run import Plan, evaluate, tables
    from ..disambiguation.systems.registry import Resources

    known = None
    if output and output.is_file():
        try:
            known = json.loads(output.read_text("utf8"))
        except ValueError as error:
            raise InputError(f"{output} holds no results to go on with: {error}.") from None

    def keep(results: dict[str, Any]) -> None:
        # What is taken over was measured by the commands before this one.
        before = known["command"].split(AND) if known else []
        command = AND.join(dict.fromkeys([*before, command_line()]))
        write_results(output, {"command": command, **results})

    plan = Plan(
        system or ["all"],
        [one.value for one in setting or Setting],
        per_long_form or (0,),
        counts,
        seed,
        resamples,
    )
    with saying() as say:
        results = evaluate(
            data,
            plan,
            Dictionary.open(dictionary),
            Resources(model=model, bert=bert, parser=parser, text=text),
            only=only or (),
            known=known,
            progress=say,
            keep=keep,
            predictions=predictions,
        )
    keep(results)
    show(tables(results))
    for name, reason in results["left_out"].items():
        typer.echo(f"Left out: {name}. {reason}", err=True)
    failed = [run for run in results["runs"] if "error" in run]
    for run in failed:
        typer.echo(f"Failed: {run['system']} on {run['set']}. {run['error']}", err=True)
    raise typer.Exit(1 if failed else 0)
