"""Every parameter of the public functions, methods and classes is documented."""

import logging
from collections import Counter
from collections.abc import Iterator

import click
import pytest
import typer

from spacy_gladis.cli import app, group_names, load_group
from tests.support.paths import ROOT

griffe = pytest.importorskip("griffe", reason="needs the extra docs")


@pytest.fixture(scope="module")
def package():
    """The package as griffe reads it from source, with the parser that the site uses."""
    logging.getLogger("griffe").setLevel(logging.ERROR)
    return griffe.load(
        "spacy_gladis",
        search_paths=[str(ROOT)],
        docstring_parser=griffe.Parser.google,
        allow_inspection=False,
        extensions=griffe.load_extensions(),
    )


def public_functions(parent) -> Iterator:
    for name, member in parent.members.items():
        if member.is_alias or (name.startswith("_") and name != "__init__"):
            continue
        if member.is_function:
            yield member
        elif member.is_module or member.is_class:
            yield from public_functions(member)


def is_command(function) -> bool:
    return any(str(decorator.value).startswith("app.command") for decorator in function.decorators)


def documented_names(documented) -> set[str]:
    kinds = (griffe.DocstringSectionKind.parameters, griffe.DocstringSectionKind.attributes)
    sections = documented.docstring.parsed if documented.docstring else []
    return {
        entry.name.lstrip("*")
        for section in sections
        if section.kind in kinds
        for entry in section.value
    }


def parameters(function) -> list[str]:
    """Names of the parameters; an underscore marks those that a function ignores."""
    names = [parameter.name.lstrip("*") for parameter in function.parameters]
    return [name for name in names if name not in ("self", "cls") and not name.startswith("_")]


def undocumented(function) -> list[str]:
    names = documented_names(function)
    if function.name == "__init__":  # a dataclass documents its fields, and inherits some
        for owner in (function.parent, *function.parent.mro()):
            names |= documented_names(owner)
    return [name for name in parameters(function) if name not in names]


def subpackage(function) -> str:
    parts = function.path.split(".")[1:-1]
    return ".".join(parts[: 2 if parts[0] == "research" else 1])


def test_every_parameter_is_documented(package):
    numbers: Counter[str] = Counter()
    gaps = {}
    for function in public_functions(package):
        if is_command(function):
            continue
        numbers[subpackage(function)] += len(parameters(function))
        if names := undocumented(function):
            gaps[function.path] = names
    assert gaps == {}
    assert min(numbers[name] for name in ("pipeline", "linking", "text", "research.tasks")) > 100


def commands(command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    for name in getattr(command, "commands", {}):
        _, child, _ = command.resolve_command(click.Context(command), [name])
        yield from commands(child, f"{path} {name}")


@pytest.mark.parametrize("group", ["", *group_names()])
def test_every_command_and_option_has_a_help_text(group):
    root = load_group(group) if group else typer.main.get_command(app)
    pages = dict(commands(root, group)) if group else {"": root}
    gaps = [
        f"{path} {'/'.join(parameter.opts)}"
        for path, command in pages.items()
        for parameter in command.params
        if not getattr(parameter, "help", None)
    ]
    gaps += [path for path, command in pages.items() if not command.help]
    assert gaps == []
    assert all(command.params for command in pages.values() if command is not root)
