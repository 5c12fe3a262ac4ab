"""Every snippet of the README and of the docs: Python is run, our commands are parsed."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest
import typer

from spacy_gladis.cli import GROUPS

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def snippets(page: Path, language: str) -> list[tuple[int, str]]:
    """The page's snippets in a language, each with the line on which it begins."""
    text = page.read_text("utf8")
    return [
        (text.count("\n", 0, found.start(2)) + 1, found[2])
        for found in FENCE.finditer(text)
        if found[1] == language
    ]


def pages_with(language):
    pages = [page for page in PAGES if snippets(page, language)]
    return [pytest.param(page, id=str(page.relative_to(ROOT))) for page in pages]


def commands() -> list[tuple[str, str]]:
    """Where each of our commands stands, and the command."""
    return [
        (f"{page.relative_to(ROOT)}:{first + number}", line)
        for page in PAGES
        for first, snippet in snippets(page, "bash")
        for number, line in enumerate(snippet.splitlines())
        if line.startswith("spacy-gladis ")
    ]


@pytest.mark.parametrize("page", pages_with("python"))
def test_a_page_s_python_runs_from_top_to_bottom(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if "our_acronyms.csv" in page.read_text("utf8"):
        (tmp_path / "our_acronyms.csv").write_text("acronym,long_form\nAI,adequate intake\n")
    if "fastapi" in page.read_text("utf8"):
        pytest.importorskip("fastapi")
    names = {"__name__": "__main__"}
    for line, code in snippets(page, "python"):
        exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)


@pytest.mark.parametrize(("place", "line"), commands())
def test_a_command_is_one_of_ours_with_its_options(place, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name, *arguments = shlex.split(line, comments=True)[1:]
    arguments = [one for one in arguments if not one.startswith(">")]
    assert name in GROUPS, place
    command = typer.main.get_command(import_module(f"spacy_gladis.cli.{name}").app)
    with command.make_context(name, arguments) as context:
        while isinstance(command, typer.core.TyperGroup):
            rest = [*context.protected_args, *context.args]
            _, command, rest = command.resolve_command(context, rest)
            context = command.make_context(command.name, rest, parent=context)


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text("utf8")
    for page in PAGES[1:]:
        assert str(page.relative_to(ROOT / "docs")) in navigation
