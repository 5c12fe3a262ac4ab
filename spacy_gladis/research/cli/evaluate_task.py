"""Creation of the commands `spacy-gladis evaluate TASK`, with the options of each task's systems.

The settings of the task's data reader and of its systems become options of the command.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer
from confection import Config

from ...errors import GladisError, InputError, check_names
from ..tasks.catalog import find_task
from ..tasks.options import options_of
from ..tasks.results import ResultsFile
from ..tasks.runner import Chosen, Plan, run_plan
from ..tasks.tables import result_tables
from ..tasks.task import Task
from .results_file import Predictions, Resamples, command_line, saying, show

Systems = Annotated[
    list[str] | None,
    typer.Option(
        "--system",
        help="System, or the beginning of several systems' names. Repeatable. Default: all.",
    ),
]
Only = Annotated[
    list[str] | None,
    typer.Option(help="Only run data sets whose name contains this text. Repeatable."),
]
Seeds = Annotated[
    list[int] | None, typer.Option("--seed", help="Random seed of splits and systems. Repeatable.")
]
SeedCount = Annotated[
    int, typer.Option("--seeds", min=1, help="Number of seeds, starting at 0, if --seed isn't set.")
]
Output = Annotated[
    Path | None,
    typer.Option(
        "--output", "-o", help="Results file (JSON Lines). Runs that it contains are not repeated."
    ),
]


BySimilarity = Annotated[
    bool, typer.Option("--by-similarity", help="Also score by similarity to the training texts.")
]
SimilarTo = Annotated[
    Path | None,
    typer.Option(help="Training texts for --by-similarity, in any format that `audit` reads."),
]


def training_texts(path: Path | None) -> list[str] | None:
    """Read the training texts that test texts are compared with, for the option `--by-similarity`.

    Args:
        path: Path of a file or folder in any format that `spacy-gladis audit` reads, or None.

    Returns:
        The text of each item, in file order. None if `path` is None. Test texts are then compared
        with the training part of their own data set.
    """
    from ..leakage.formats import read_all

    return None if path is None else [item.text for item in read_all(path)]


def options_from_file(context: typer.Context, path: Path | None) -> None:
    """Use one section of a settings file as the default values of a command's options.

    The section has the name of the command: `evaluate wic-tsv --config FILE` reads the section
    ``[wic-tsv]``. Options on the command line take precedence over the file.

    Args:
        context: Click's context of the command. Its default values are updated in place.
        path: Path of the settings file. None changes nothing.

    Raises:
        InputError: If the file can't be read, has no section with the command's name, or sets an
            option that the command does not have.
    """
    if path is None:
        return
    command = context.command.name or ""
    try:
        options = dict(Config().from_disk(path)[command])
    except (OSError, KeyError, ValueError) as error:
        raise InputError(
            f"{path} has no readable section [{command}] ({error}). Check the path, and add the "
            "section with the command's options."
        ) from None
    check_names(
        f"option of {command}",
        options,
        [parameter.name or "" for parameter in context.command.params],
    )
    context.default_map = {**(context.default_map or {}), **options}


Settings = Annotated[
    Path | None,
    typer.Option(
        "--config",
        help="Settings file, such as configs/wic_tsv_mpnet.cfg. Options override it.",
        callback=options_from_file,
        is_eager=True,
    ),
]


def make_command(name: str) -> Callable[..., None]:
    """Create the function of the command `spacy-gladis evaluate TASK`.

    Its parameters are the options that all tasks have, followed by the options that the task's data
    reader and systems declare.

    Args:
        name: Name of the task, such as ``"gladis"`` or ``"wic-tsv"``.

    Returns:
        A function with type annotations from which typer makes the command.
    """
    task = find_task(name)
    classes = [task.reader, *(entry.system for entry in task.systems.entries.values())]
    options = options_of(classes)

    def evaluate(
        paths: Annotated[
            list[Path] | None, typer.Argument(metavar="DATA...", help="Data files or folders.")
        ] = None,
        listing: Annotated[bool, typer.Option("--list", help="List the systems and exit.")] = False,
        system: Systems = None,
        only: Only = None,
        seed: Seeds = None,
        seeds: SeedCount = 1,
        resamples: Resamples = 1000,
        predictions: Predictions = None,
        by_similarity: BySimilarity = False,
        similar_to: SimilarTo = None,
        output: Output = None,
        config: Settings = None,
        **task_options: Any,
    ) -> None:
        if listing:
            list_systems(task)
            return
        if not paths:
            raise InputError(
                f"No data is given. Run 'spacy-gladis evaluate {name} DATA', where DATA is a file "
                "or folder with data sets."
            )
        chosen = {
            option: value for option, value in task_options.items() if value not in (None, [])
        }
        plan = Plan(
            choose_systems(task, system or ["all"], chosen),
            only or (),
            seed or range(seeds),
            resamples,
            predictions,
            by_similarity or bool(similar_to),
            training_texts(similar_to),
            command_line(),
        )
        evaluate_plan(task, paths, chosen, plan, output)

    common = list(inspect.signature(evaluate).parameters.values())[:-1]
    added = [
        inspect.Parameter(
            option,
            inspect.Parameter.KEYWORD_ONLY,
            default=None,
            annotation=Annotated[_optional(kind), info],
        )
        for option, (kind, info) in options.items()
    ]
    evaluate.__signature__ = inspect.Signature([*common, *added])  # type: ignore[attr-defined]
    evaluate.__annotations__ = {
        parameter.name: parameter.annotation for parameter in [*common, *added]
    }
    return evaluate


def list_systems(task: Task[Any, Any, Any, Any]) -> None:
    """Print the systems that can solve a task, one per line, for the option `--list`.

    Each line has the system's name, a summary of what it does, and the paper that describes it.

    Args:
        task: The task whose registered systems are printed.
    """
    entries = task.systems.entries.values()
    widths = [
        max(len(entry.name) for entry in entries),
        max(len(entry.summary) for entry in entries),
    ]
    for entry in entries:
        typer.echo(f"{entry.name:{widths[0]}}  {entry.summary:{widths[1]}}  {entry.source}")


def _optional(kind: Any) -> Any:
    """Return the type of a command-line option that may be left out.

    ``int`` becomes ``int | None``. A tuple type becomes a list, which makes the option repeatable.
    """
    if getattr(kind, "__origin__", None) is tuple:
        return list[kind.__args__[0]] | None
    return kind | None


def choose_systems(
    task: Task[Any, Any, Any, Any], names: list[str], options: Mapping[str, Any]
) -> list[Chosen]:
    """Select the systems to evaluate by name, and set them up with options of the command line.

    A system that lacks a required option raises an error if it was selected by its full name. If
    ``"all"`` or the beginning of its name selected it, it is left out with a message on stderr.

    Args:
        task: The task whose systems can be selected.
        names: Full names of systems, beginnings of names, or ``"all"``.
        options: A mapping from the names of the options that were given to their values.

    Returns:
        The selected systems with their settings.

    Raises:
        InputError: If a name matches no system, a system selected by its full name lacks a required
            option, or neither the task's reader nor any of the systems uses a given option.
    """
    chosen = []
    used = {field.name for field in fields(task.reader)}  # type: ignore[arg-type]
    for entry, by_name in task.systems.select(names).values():
        try:
            chosen.append(Chosen(entry, entry.settings(options), by_name))
        except GladisError as error:
            if by_name:
                raise
            typer.echo(f"Left out: {entry.name}. {error}", err=True)
        used |= entry.fields.keys()
    if unused := options.keys() - used:
        names_given = ", ".join(f"--{name.replace('_', '-')}" for name in sorted(unused))
        raise InputError(
            f"None of the selected systems has the option {names_given}. Leave it out, or select "
            "a system that uses it."
        )
    return chosen


def evaluate_plan(
    task: Task[Any, Any, Any, Any],
    paths: list[Path],
    options: Mapping[str, Any],
    plan: Plan,
    output: Path | None,
) -> None:
    """Evaluate systems on data sets, print tables of the scores, and list the runs that failed.

    Failures that have the same system and cause are listed together on stderr.

    Args:
        task: The task to evaluate.
        paths: Files and folders with data sets.
        options: A mapping from the names of the options that were given to their values. The
            settings of the task's reader are taken from it.
        plan: Systems to run, with random seeds and the options of the evaluation.
        output: JSON Lines file to which each result is added as soon as it exists. Results that the
            file already has are not computed again. None writes no file.

    Raises:
        typer.Exit: With code 1 if a run failed. Failures that the package foresees, such as a
            missing file, don't count for systems that were not selected by their full names.
    """
    reader_options = {field.name for field in fields(task.reader)}  # type: ignore[arg-type]
    reader = task.reader(
        **{name: value for name, value in options.items() if name in reader_options}
    )
    with saying() as say:
        results, failures = run_plan(task, reader, paths, plan, ResultsFile(output), say)
    show(result_tables(results, task.columns))
    where: dict[tuple[str, str, bool], list[str]] = {}
    for failure in failures:
        where.setdefault((failure.system, failure.reason, failure.expected), []).append(
            failure.data
        )
    for (name, reason, expected), names in where.items():
        kind, sets = "Left out" if expected else "Failed", ", ".join(dict.fromkeys(names))
        typer.echo(f"{kind}: {name} on {sets}. {reason}", err=True)
    if not all(failure.expected for failure in failures):
        raise typer.Exit(1)
