"""The command line: one file a command group, no logic.

A group's module is imported when the group is called, so that `spacy-gladis --help` is fast. Other
packages, and the research half of this one, add groups by entry points in the group
`spacy_gladis.commands`: the name of the command, and its `typer.Typer`.
"""

import sys
import warnings
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from io import TextIOWrapper
from typing import Any, NoReturn

import typer
from typer.core import TyperGroup

from ..errors import GladisError, missing_extra
from ..files import explain_os_error
from ..problem import escape_controls
from .documents import UNUSABLE

GROUPS = {
    "annotate": "Find and explain the acronyms of a text, of files or of folders.",
    "glossary": "List the acronyms of a set of documents, with conflicts and what is undefined.",
    "learn": "Gather the definitions of documents as entries to review.",
    "lint": "Tell what is wrong with the acronyms of documents, and put it right.",
    "serve": "Serve annotation to programs, and to people on a page.",
    "dictionary": "Build, inspect, import and export dictionaries.",
    "concepts": "Build and inspect inventories of concepts.",
}

ADDED = "spacy_gladis.commands"
"""The group of entry points that add commands."""

COMPLETION = ("install_completion", "show_completion")  # the program's, not the group's

EXTRAS = {
    **dict.fromkeys(("sklearn", "scipy", "psutil", "torchcrf", "transformers"), "evaluation"),
    **dict.fromkeys(("torch", "filelock"), "research"),
    **dict.fromkeys(("duckdb", "pyarrow", "rapidfuzz", "zstandard"), "corpus"),
    **dict.fromkeys(("fastapi", "fastapi_offline", "uvicorn"), "serve"),
}
"""The extra that brings a package which commands import as a whole."""


def added_commands() -> dict[str, EntryPoint]:
    """Return the commands that installed packages add, by name."""
    return {one.name: one for one in entry_points(group=ADDED)}


def group_names() -> list[str]:
    """Return the names of all command groups: the package's own, then those that are added."""
    return [*GROUPS, *added_commands()]


def load_group(name: str) -> Any:
    """Import a command group and return its command."""
    group = (
        import_module(f"{__name__}.{name}").app if name in GROUPS else added_commands()[name].load()
    )
    command = typer.main.get_command(group)
    command.name = name
    command.params = [one for one in command.params if one.name not in COMPLETION]
    return command


class LazyGroup(TyperGroup):
    """A group that knows its commands' names and help, and imports the one that is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all groups."""
        return group_names()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of this name; of the package's own, what says its help."""
        added = cmd_name not in GROUPS and cmd_name in added_commands()
        return load_group(cmd_name) if added else super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        return name, load_group(name) if name in GROUPS else command, rest


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Find acronyms in text and tell what each one means there.",
    epilog="Exit codes: 0 all went well; 1 some inputs failed, the rest is done; 2 nothing could "
    "be done with what was given.",
)


def _only_in_help() -> None:
    """LazyGroup puts the group's own command in this place."""


for _name, _help in GROUPS.items():
    app.command(_name, help=_help)(_only_in_help)


@app.callback(invoke_without_command=True)
def _version(
    version: bool = typer.Option(False, "--version", help="Show the version and stop."),
) -> None:
    if version:
        from .. import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run `spacy-gladis`; the package's own errors, and a disk's, become one line and a code."""
    warnings.formatwarning = _one_line
    for stream in (sys.stdout, sys.stderr):  # names of files are bytes, of whatever encoding
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except GladisError as error:
        _fail(str(error))
    except ModuleNotFoundError as error:
        package = (error.name or "").partition(".")[0]
        if package not in EXTRAS:
            raise
        _fail(str(missing_extra(package, EXTRAS[package])))
    except OSError as error:
        advice = explain_os_error(error)
        if advice is None:
            raise
        _fail(advice)


def _one_line(message: Warning | str, *place: Any, **line: Any) -> str:
    """A warning as people read it, who do not look for its place in the code."""
    return f"Warning: {escape_controls(str(message))}\n"


def _fail(message: str) -> NoReturn:
    typer.secho("Error: ", fg="red", bold=True, err=True, nl=False)
    typer.echo(escape_controls(message), err=True)
    sys.exit(UNUSABLE)
