"""The command line `spacy-gladis`, with one module per command.

A command's module is imported only when the command is called, so that ``spacy-gladis --help`` is
fast. To add a command, register an entry point in the group ``spacy_gladis.commands``. Its name is
the command's name, and its object is a `typer.Typer`. The research commands are added this way.
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
from .documents import EXIT_CODES, UNUSABLE

GROUPS = {
    "annotate": "Find and explain the acronyms of a text, of files or of folders.",
    "glossary": "List the acronyms of documents, with conflicts and undefined acronyms.",
    "synonyms": "Write synonym rules for search engines from the acronyms of documents.",
    "learn": "Collect the definitions of documents as entries to review.",
    "lint": "Report problems with the acronyms of documents, and fix them.",
    "lsp": "Run a language server, which explains and checks acronyms in editors.",
    "pandoc": "Expand, mark up and list acronyms, as a filter for Pandoc.",
    "serve": "Run an HTTP service with an API and a web page.",
    "mcp": "Run an MCP server that explains acronyms to agents.",
    "dictionary": "Build, inspect, import and export dictionaries.",
    "concepts": "Build and inspect concept inventories.",
}
"""The help texts of the built-in commands, by name."""

ADDED = "spacy_gladis.commands"
"""Group of the entry points that add commands."""

COMPLETION = ("install_completion", "show_completion")
"""Options that typer adds to each command, but that only make sense for the whole program."""

EXTRAS = {
    **dict.fromkeys(("sklearn", "scipy", "psutil", "torchcrf", "transformers"), "evaluation"),
    **dict.fromkeys(("torch", "filelock"), "research"),
    **dict.fromkeys(("duckdb", "pyarrow", "rapidfuzz", "zstandard"), "corpus"),
    **dict.fromkeys(("fastapi", "fastapi_offline", "uvicorn"), "serve"),
    **dict.fromkeys(("lsprotocol", "pygls"), "lsp"),
}
"""The extra that installs each optional package which commands import."""


def added_commands() -> dict[str, EntryPoint]:
    """Return the commands that other installed packages add.

    Returns:
        A mapping from the name of each command to its entry point.
    """
    return {entry_point.name: entry_point for entry_point in entry_points(group=ADDED)}


def group_names() -> list[str]:
    """Return the names of all commands.

    Returns:
        The names of the built-in commands, then those of the added ones.
    """
    return [*GROUPS, *added_commands()]


def load_group(name: str) -> Any:
    """Import the module of a command and return the command.

    Args:
        name: Name of a built-in or added command.

    Returns:
        The click command.
    """
    group = (
        import_module(f"{__name__}.{name}").app if name in GROUPS else added_commands()[name].load()
    )
    command = typer.main.get_command(group)
    command.name = name
    command.params = [parameter for parameter in command.params if parameter.name not in COMPLETION]
    return command


class LazyGroup(TyperGroup):
    """A command group that knows its commands' names and help texts, and imports them on demand."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands.

        Args:
            ctx: The click context.

        Returns:
            The names of the built-in commands, then those of the added ones.
        """
        return group_names()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command for the help page.

        Args:
            ctx: The click context.
            cmd_name: Name of the command.

        Returns:
            The command if another package adds it, a placeholder with the help text for a
            built-in command, or None for an unknown name.
        """
        is_added = cmd_name not in GROUPS and cmd_name in added_commands()
        return load_group(cmd_name) if is_added else super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import and return the command that the arguments call.

        Args:
            ctx: The click context.
            args: The arguments, beginning with the command's name.

        Returns:
            The command's name, the command, and the remaining arguments.
        """
        name, command, rest = super().resolve_command(ctx, args)
        return name, load_group(name) if name in GROUPS else command, rest


app = typer.Typer(
    cls=LazyGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Find acronyms in text and resolve them to their long forms.",
    epilog=EXIT_CODES,
)


def _placeholder() -> None:
    """Stand in for a command until `LazyGroup` imports it."""


for _name, _help in GROUPS.items():
    app.command(_name, help=_help)(_placeholder)


@app.callback(invoke_without_command=True)
def _version(
    version: bool = typer.Option(False, "--version", help="Show the version and exit."),
) -> None:
    if version:
        from .. import __version__

        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line program ``spacy-gladis``.

    Errors of the package, missing extras and disk errors are printed as one line. The program then
    exits with the code `UNUSABLE`.
    """
    warnings.formatwarning = _format_warning
    for stream in (sys.stdout, sys.stderr):  # file names may contain bytes that aren't text
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


def _format_warning(message: Warning | str, *location: Any, **line: Any) -> str:
    """Format a warning without its location in the code."""
    return f"Warning: {escape_controls(str(message))}\n"


def _fail(message: str) -> NoReturn:
    typer.secho("Error: ", fg="red", bold=True, err=True, nl=False)
    typer.echo(escape_controls(message), err=True)
    sys.exit(UNUSABLE)
