"""The command line program ``spacy-gladis``, with one module for each command.

The module of a command is imported only when the command is called, so that ``spacy-gladis --help``
is fast. To add a command, register an entry point in the group ``spacy_gladis.commands``. Its name
is the name of the command, and its object is a `typer.Typer`. The research commands are added this
way.
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
"""The built-in commands with their help texts, in the order in which they are listed."""

ADDED = "spacy_gladis.commands"
"""Group of the entry points with which packages add commands."""

COMPLETION = ("install_completion", "show_completion")
"""Options that typer adds to each command, although they make sense only for the whole program."""

EXTRAS = {
    **dict.fromkeys(("sklearn", "scipy", "psutil", "torchcrf", "transformers"), "evaluation"),
    **dict.fromkeys(("torch", "filelock"), "research"),
    **dict.fromkeys(("duckdb", "pyarrow", "rapidfuzz", "zstandard"), "corpus"),
    **dict.fromkeys(("fastapi", "fastapi_offline", "uvicorn"), "serve"),
    **dict.fromkeys(("lsprotocol", "pygls"), "lsp"),
}
"""Extra of spacy-gladis that installs each optional package which commands import."""


def added_commands() -> dict[str, EntryPoint]:
    """Return the commands that installed packages add to ``spacy-gladis``.

    Returns:
        A mapping from the name of each command to its entry point.
    """
    return {entry_point.name: entry_point for entry_point in entry_points(group=ADDED)}


def group_names() -> list[str]:
    """Return the names of all commands of ``spacy-gladis``.

    Returns:
        The names of the built-in commands, followed by those that other packages add.
    """
    return [*GROUPS, *added_commands()]


def load_group(name: str) -> Any:
    """Import the module of a ``spacy-gladis`` command, and return the command.

    Args:
        name: Name of a built-in command or of a command that another package adds.

    Returns:
        The command as an object of the library click.
    """
    group = (
        import_module(f"{__name__}.{name}").app if name in GROUPS else added_commands()[name].load()
    )
    command = typer.main.get_command(group)
    command.name = name
    command.params = [parameter for parameter in command.params if parameter.name not in COMPLETION]
    return command


class LazyGroup(TyperGroup):
    """A group of commands whose modules are imported only when a command is called.

    The names and help texts are known without the modules, so that ``spacy-gladis --help`` is fast.
    """

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names of all commands, which click lists on the help page.

        Args:
            ctx: Context that click passes.

        Returns:
            The names of the built-in commands, followed by those that other packages add.
        """
        return group_names()

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by its name, for the help page.

        Args:
            ctx: Context that click passes.
            cmd_name: Name of the command.

        Returns:
            A placeholder with the help text for a built-in command, or the command itself if
            another package adds it. None for an unknown name.
        """
        is_added = cmd_name not in GROUPS and cmd_name in added_commands()
        return load_group(cmd_name) if is_added else super().get_command(ctx, cmd_name)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Import the command that the user called, and return it with its arguments.

        Args:
            ctx: Context that click passes.
            args: Arguments of the program, beginning with the name of the command.

        Returns:
            The name of the command, the command, and the arguments after its name.
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
    """Represent a command whose module `LazyGroup` has not imported yet."""


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

    Errors of the package, missing extras and errors of the disk are printed as a single line. The
    program then exits with the code `UNUSABLE`.
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
    """Format a warning without the file and line of code that it comes from."""
    return f"Warning: {escape_controls(str(message))}\n"


def _fail(message: str) -> NoReturn:
    typer.secho("Error: ", fg="red", bold=True, err=True, nl=False)
    typer.echo(escape_controls(message), err=True)
    sys.exit(UNUSABLE)
