"""`spacy-gladis evaluate`: one command per task, and the report of their results."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ...files import write_text
from ..tasks.catalog import LISTINGS


class TaskGroup(TyperGroup):
    """A command group that creates the command of a task, with its options, when it is needed."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find a command by name, and create it if it is the command of a task.

        Args:
            ctx: Context of the command line.
            args: Arguments of the command line.

        Returns:
            The command's name, the command and the remaining arguments.
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
    """Serve as a placeholder in the help. `TaskGroup` replaces it by the command of the task."""


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
    """Write a page with each system's answer to each context of a small set.

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
    """Write the papers' tables with our figures next to them, then all results.

    Example: spacy-gladis evaluate report benchmarks/results -o report.md
    """
    from ..report.papers import Folder, markdown

    results = Folder(folder)
    write_text(output, markdown(results, papers_alone=papers))
    typer.echo(f"Wrote {output}: {len(results.results) + len(results.others)} files of results.")
    for line in results.left_out:
        typer.echo(f"Left out {line}.", err=True)
