"""MkDocs hooks that insert the generated reference: commands, lint rules and settings."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import click
import typer
from settings_page import settings_page

from spacy_gladis.cli import COMPLETION, app, group_names, load_group
from spacy_gladis.lint.rule_pages import rules_page


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Insert the generated reference into a page of the documentation.

    MkDocs calls this hook for each page. A page names the reference that it needs with a
    placeholder, such as ``{{ settings }}``.

    Args:
        markdown: Markdown of the page.
        **_: Page, configuration and files, which are not used.

    Returns:
        Markdown in which the placeholders are replaced by the generated text.
    """
    for placeholder, generate in GENERATED.items():
        if placeholder in markdown:
            markdown = markdown.replace(placeholder, generate())
    return markdown


def commands_page() -> str:
    """Return the help of all commands of the package as Markdown.

    Returns:
        A section for each command, with tables of its arguments and options.
    """
    parts = list(_command("spacy-gladis", typer.main.get_command(app), level=2, nested=False))
    for name in group_names():
        parts += _command(f"spacy-gladis {name}", load_group(name), level=2)
    return "\n".join(parts)


def _command(name: str, command: Any, level: int, nested: bool = True) -> Iterator[str]:
    yield f"\n{'#' * level} `{name}`\n\n{_help(command.help)}\n"
    for kind, are_options in (("argument", False), ("option", True)):
        rows = [
            _row(parameter)
            for parameter in command.params
            if isinstance(parameter, typer.core.TyperOption) == are_options
            and not parameter.hidden
            and parameter.name not in COMPLETION
        ]
        if rows:
            yield f"| {kind} | |\n|---|---|\n" + "\n".join(rows) + "\n"
    if command.epilog:
        yield f"{_help(command.epilog)}\n"
    if nested:
        for child, subcommand in getattr(command, "commands", {}).items():
            yield from _command(f"{name} {child}", subcommand, level + 1)


def _row(parameter: Any) -> str:
    names = ", ".join(f"`{name}`" for name in [*parameter.opts, *parameter.secondary_opts])
    default = parameter.default
    is_shown = isinstance(default, str | int | float) and default not in ("", False)
    value = f" (default: {getattr(default, 'value', default)})" if is_shown else ""
    return f"| {names} | {_help(parameter.help or '')}{value} |".replace("\n", " ")


def _help(text: str | None) -> str:
    """Return a help text as Markdown: lines with a command become code, and HTML is escaped."""
    lines = (text or "").replace("Example: spacy-gladis", "\nspacy-gladis").split("\n")
    return "\n".join(
        f"    {line.strip()}" if re.match(r"\s*(spacy-gladis|curl) ", line) else click.unstyle(line)
        for line in lines
    ).replace("<", "&lt;")


GENERATED: dict[str, Callable[[], str]] = {
    "{{ commands }}": commands_page,
    "{{ lint rules }}": rules_page,
    "{{ settings }}": settings_page,
}
"""Functions that generate the text of a placeholder, by the placeholder."""
