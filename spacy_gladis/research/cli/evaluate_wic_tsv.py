"""`spacy-gladis evaluate wic-tsv`: does a word have this sense here?"""

from pathlib import Path
from typing import Annotated

import typer
from confection import Config

from ...errors import InputError, check_names
from .results_file import Device, Model, Report, present, saying


def options_from_file(context: typer.Context, path: Path | None) -> None:
    """Make the section of a settings file that has the command's name its options' defaults.

    Raises InputError where there is no such file or section, or a name that is no option's.
    """
    if path is None:
        return
    command = context.command.name or ""
    try:
        options = dict(Config().from_disk(path)[command])
    except (OSError, KeyError, ValueError) as error:
        raise InputError(f"{path}: no settings with a section [{command}] ({error})") from None
    check_names(f"option of {command}", options, [one.name or "" for one in context.command.params])
    context.default_map = {**(context.default_map or {}), **options}


def wic_tsv(
    data: Annotated[
        Path, typer.Argument(help="Folder of one language: Training, Development, Test.")
    ],
    task: Annotated[
        list[int] | None,
        typer.Option(help="1: definition, 2: hypernyms, 3: both (repeatable). Default: all."),
    ] = None,
    system: Annotated[
        list[str] | None,
        typer.Option(
            help="always-true, fasttext, acrobert, cosines, cosines-tuned, acrobert-tuned, bert, "
            "bert-cls, bert-marked, bert-joint, mean (of the fine-tuned ones), or all (repeatable)."
        ),
    ] = None,
    base: Annotated[
        str | None,
        typer.Option(
            help="Encoder of the bert and cosines systems: folder, package:NAME or a hub name."
        ),
    ] = None,
    model: Model = None,
    vectors: Annotated[
        Path | None, typer.Option(help="Word vectors for fasttext, in text form (.vec).")
    ] = None,
    corpus: Annotated[
        Path | None, typer.Option(help="Text to train fasttext's vectors on, if none are given.")
    ] = None,
    seeds: Annotated[int, typer.Option(min=1, help="How many; results are their mean.")] = 3,
    epochs: Annotated[int, typer.Option(min=1, help="Of the fine-tuning.")] = 3,
    learning_rate: Annotated[float, typer.Option(help="Peak rate of the fine-tuning.")] = 5e-5,
    frozen: Annotated[
        int, typer.Option(min=0, help="Layers that fine-tuning leaves as they are.")
    ] = 0,
    share: Annotated[
        list[float] | None,
        typer.Option(help="Also train on this share of the targets (repeatable): a curve."),
    ] = None,
    work: Annotated[
        Path | None, typer.Option(help="Folder that keeps every run: an interrupted call goes on.")
    ] = None,
    device: Device = "cpu",
    config: Annotated[
        Path | None,
        typer.Option(
            help="Settings file, such as configs/wic_tsv_mpnet.cfg; options given here come first.",
            callback=options_from_file,
            is_eager=True,
        ),
    ] = None,
    predictions: Annotated[
        Path | None,
        typer.Option(help="Folder for answers to the development and test sets: T or F a line."),
    ] = None,
    output: Report = None,
) -> None:
    """Target sense verification: accuracy, precision, recall and F1 on the development set.

    Example: spacy-gladis evaluate wic-tsv wic-tsv/data/en --system bert --task 3 -o wic.json
    """
    from ..datasets.wic_tsv import read_splits
    from ..verification.registry import MEAN, make_systems
    from ..verification.run import evaluate, tables, write_predictions

    splits = read_splits(data)
    if not predictions:
        splits.pop("test", None)
    wanted = system or ["all"]
    systems = make_systems(
        wanted,
        splits["train"],
        base=base,
        model=model,
        vectors=vectors,
        corpus=corpus,
        epochs=epochs,
        learning_rate=learning_rate,
        frozen=frozen,
        device=device,
    )
    with saying() as say:
        results, answers = evaluate(
            splits,
            systems,
            tasks=task or (1, 2, 3),
            seeds=range(seeds),
            curve=share or (),
            mean=bool({MEAN, "all"} & set(wanted)),
            work=work,
            settings=f"{data} {base} {model} {vectors} {corpus} {epochs} {learning_rate} {frozen}",
            progress=say,
        )
    present({"base": base or "packaged AcroBERT", **results}, tables, output)
    if predictions:
        write_predictions(predictions, answers)
