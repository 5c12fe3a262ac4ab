"""What the site is given while it is built: the commands' help, the lint rules; no link outside."""

import re
from collections.abc import Iterator
from typing import Any

import click
import typer

from spacy_gladis.cli import COMPLETION, app, group_names, load_group
from spacy_gladis.lint.rule_pages import rules_page

COMMANDS = "{{ commands }}"
RULES = "{{ lint rules }}"
OUTSIDE = "[`project.yml`](project.yml)"  # weasel writes it; the file is not among the pages


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Called by mkdocs for each page."""
    markdown = markdown.replace(OUTSIDE, "`project.yml`")
    if COMMANDS in markdown:
        markdown = markdown.replace(COMMANDS, "\n".join(_all()))
    return markdown.replace(RULES, rules_page()) if RULES in markdown else markdown


def _all() -> Iterator[str]:
    yield from _command("spacy-gladis", typer.main.get_command(app), level=2, within=False)
    for name in group_names():
        yield from _command(f"spacy-gladis {name}", load_group(name), level=2)


def _command(name: str, command: Any, level: int, within: bool = True) -> Iterator[str]:
    yield f"\n{'#' * level} `{name}`\n\n{_text(command.help)}\n"
    for options in (False, True):
        kinds = [
            one for one in command.params if isinstance(one, typer.core.TyperOption) == options
        ]
        rows = [_row(one) for one in kinds if not one.hidden and one.name not in COMPLETION]
        if rows:
            yield (
                f"| {'option' if options else 'argument'} | |\n|---|---|\n" + "\n".join(rows) + "\n"
            )
    if command.epilog:
        yield f"{_text(command.epilog)}\n"
    for child, made in getattr(command, "commands", {}).items() if within else ():
        yield from _command(f"{name} {child}", made, level + 1)


def _row(parameter: Any) -> str:
    names = ", ".join(f"`{one}`" for one in [*parameter.opts, *parameter.secondary_opts])
    default = parameter.default
    shown = (
        default if isinstance(default, str | int | float) and default not in ("", False) else None
    )
    value = f" (default: {getattr(shown, 'value', shown)})" if shown is not None else ""
    return f"| {names} | {_text(parameter.help or '')}{value} |".replace("\n", " ")


def _text(help: str | None) -> str:
    """Help as Markdown: lines that are a command become code, nothing becomes HTML."""
    lines = (help or "").replace("Example: spacy-gladis", "\nspacy-gladis").split("\n")
    return "\n".join(
        f"    {line.strip()}" if re.match(r"\s*(spacy-gladis|curl) ", line) else click.unstyle(line)
        for line in lines
    ).replace("<", "&lt;")
