"""The commands `spacy-gladis evaluate ...`: one for each benchmark task, and a report of results.

Imports of systems are slow, so the command of a task is created only when it is used.
"""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ...files import write_text
from ..tasks.catalog import LISTINGS


class TaskGroup(TyperGroup):
    """A group of commands that creates the command of an evaluation task when it is first used.

    The options of such a command are those of the task's systems, whose modules are slow to import.
    """

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command that a command line names, and create it if it evaluates a task.

        Args:
            ctx: Click's context of the command group.
            args: Arguments after `spacy-gladis evaluate`. The first one is the command's name.

        Returns:
            The name of the command, the command, and the arguments that follow the name.
        """
        name, command, rest = super().resolve_command(ctx, args)
        if name in LISTINGS:
            from .evaluate_task import make_command

            made = typer.Typer(add_completion=False)
            made.command(name, help=LISTINGS[name].help(name))(make_command(name))
            command = typer.main.get_command(made)
            command.name = name
        return name, command, rest


app = typer.Typer(cls=TaskGroup, no_args_is_help=True, help="Run the benchmarks.")


def _only_in_help() -> None:
    """Do nothing. This is a placeholder that `TaskGroup` replaces by the command of the task."""


for _name, _listing in LISTINGS.items():
    app.command(_name, help=_listing.help(_name))(_only_in_help)


@app.command("cases")
def cases(
    samples: Annotated[Path, typer.Argument(help="Small evaluation set in GLADIS's format.")],
    predictions: Annotated[
        Path, typer.Argument(help="Folder of answers that '--predictions' wrote.")
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="Markdown page to write.")],
) -> None:
    """Write a Markdown page that shows the answers of several systems to a small evaluation set.

    The page has a row for each context and a column for each system. Right answers are bold.

    Example: spacy-gladis evaluate cases assets/case_study/dev.json answers -o cases.md
    """
    from ..report.cases import case_study

    write_text(output, case_study(samples, predictions))
    typer.echo(f"Wrote {output}.")


@app.command("report")
def report(
    folder: Annotated[Path, typer.Argument(help="Folder with the results files.")] = Path(
        "benchmarks/results"
    ),
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Markdown report to write.")
    ] = Path("report.md"),
    papers: Annotated[
        bool,
        typer.Option(
            "--papers", help="Only write the papers' tables, with our figures next to theirs."
        ),
    ] = False,
) -> None:
    """Write a report that compares our results with the figures in papers.

    The report first repeats the papers' tables, with our figure next to each published one. Tables
    of all results in the folder follow.

    Example: spacy-gladis evaluate report benchmarks/results -o report.md
    """
    from ..report.papers import Folder, markdown

    results = Folder(folder)
    write_text(output, markdown(results, papers_alone=papers))
    typer.echo(f"Wrote {output} from {len(results.results) + len(results.others)} results files.")
    for line in results.left_out:
        typer.echo(f"Left out {line}.", err=True)
