"""Creation of the command of an evaluation task, with the options of its reader and systems."""

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
    """Read the training texts whose similarity to test texts is measured.

    Args:
        path: File in any format that `audit` reads. With None, the result is None.
    """
    from ..leakage.formats import read_all

    return None if path is None else [item.text for item in read_all(path)]


def options_from_file(context: typer.Context, path: Path | None) -> None:
    """Use the section of a settings file with the command's name as defaults of its options.

    Args:
        context: The command's context.
        path: Path of the settings file. None changes nothing.

    Raises:
        InputError: If there is no such file or section, or an option is unknown.
    """
    if path is None:
        return
    command = context.command.name or ""
    try:
        options = dict(Config().from_disk(path)[command])
    except (OSError, KeyError, ValueError) as error:
        raise InputError(f"{path}: no settings with a section [{command}] ({error})") from None
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
    """Create the command of a task, with the options that its reader and systems declare.

    Args:
        name: The task's name.

    Returns:
        The command's function, for typer.
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
            raise InputError(f"Name the data: spacy-gladis evaluate {name} DATA.")
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
    """Print a task's systems with their summaries and sources.

    Args:
        task: The task.
    """
    entries = task.systems.entries.values()
    widths = [
        max(len(entry.name) for entry in entries),
        max(len(entry.summary) for entry in entries),
    ]
    for entry in entries:
        typer.echo(f"{entry.name:{widths[0]}}  {entry.summary:{widths[1]}}  {entry.source}")


def _optional(kind: Any) -> Any:
    """Return the type of an optional option. A tuple becomes a repeatable option."""
    if getattr(kind, "__origin__", None) is tuple:
        return list[kind.__args__[0]] | None
    return kind | None


def choose_systems(
    task: Task[Any, Any, Any, Any], names: list[str], options: Mapping[str, Any]
) -> list[Chosen]:
    """Select systems by name, with their settings from the command line.

    A missing required option is an error if the system was selected by its full name. Otherwise,
    the system is skipped with a message.

    Args:
        task: The task.
        names: Names of systems, beginnings of names, or "all".
        options: The options given on the command line.

    Returns:
        The systems with their settings.

    Raises:
        InputError: If a name is unknown, an option is missing, or no system or reader has an option
            that was given.
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
        raise InputError(f"None of the systems has the option {names_given}.")
    return chosen


def evaluate_plan(
    task: Task[Any, Any, Any, Any],
    paths: list[Path],
    options: Mapping[str, Any],
    plan: Plan,
    output: Path | None,
) -> None:
    """Run a plan, print its results as tables, and report failures.

    Args:
        task: The task.
        paths: Files and folders with data sets.
        options: The options given on the command line.
        plan: Systems, seeds and options of the evaluation.
        output: File to which results are added (JSON Lines). None writes no file.

    Raises:
        typer.Exit: With code 1 if a run failed unexpectedly.
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
