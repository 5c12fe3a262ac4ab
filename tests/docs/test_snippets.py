"""Every snippet of the README and of the docs: Python is run, our commands are parsed.

The tutorial's commands are run, too, between its Python.
"""

import re
import shlex
import sys
from pathlib import Path

import pytest
import typer
from spacy.language import Language
from spacy.tokens.underscore import Underscore

from spacy_gladis.cli import group_names, load_group, main
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.text.spelling import same_key
from tests.support.known_answers import CLINICAL, GENERAL
from tests.support.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
KNOWN = {**CLINICAL, **GENERAL}
TUTORIAL = ROOT / "docs" / "tutorials" / "pipeline.md"
OTHER_ANSWERS = {"tuning.md"}
"""Guides whose settings change answers on purpose."""

FRONT_PAGES = [ROOT / "README.md", ROOT / "docs" / "index.md"]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def snippets(page: Path, language: str) -> list[tuple[int, str]]:
    """The page's snippets in a language, each with the line on which it begins."""
    text = page.read_text("utf8")
    return [
        (text.count("\n", 0, match.start(2)) + 1, match[2])
        for match in FENCE.finditer(text)
        if match[1] == language
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


def helps() -> list[tuple[str, str]]:
    """The name and the help of each command that is shown, groups left out."""
    result = []

    def walk(name, command):
        below = getattr(command, "commands", {})
        for child, made in below.items():
            if made.hidden:  # an older name
                continue
            walk(f"{name} {child}", made)
        if not below:
            result.append((name, command.help or ""))

    for group in group_names():
        walk(f"spacy-gladis {group}", load_group(group))
    return result


def parse(line: str) -> None:
    """Parse a command as the program does, without running it; what is wrong is raised."""
    name, *arguments = shlex.split(line, comments=True)[1:]
    arguments = arguments[: arguments.index(">")] if ">" in arguments else arguments
    command = load_group(name)
    context = command.make_context(name, arguments)
    while isinstance(command, typer.core.TyperGroup):
        rest = [*context._protected_args, *context.args]
        command_name, below, rest = command.resolve_command(context, rest)
        assert command_name and below
        command, context = below, below.make_context(command_name, rest, parent=context)


def run_command(line: str, monkeypatch) -> None:
    """Run one of our commands in this process; a linter may find something."""
    monkeypatch.setattr(sys, "argv", shlex.split(line))
    with pytest.raises(SystemExit) as stopped:
        main()
        sys.exit(0)
    assert (stopped.value.code or 0) in ((0, 1) if " lint " in line else (0,)), line


@pytest.fixture(scope="module")
def packaged():
    return load_pipeline()


@pytest.mark.parametrize("page", pages_with("python"))
def test_a_page_s_python_runs_from_top_to_bottom(page, packaged, tmp_path, monkeypatch):
    names = run_page(page, tmp_path, monkeypatch)
    if page.parent.name != "how-to" or page.name in OTHER_ANSWERS:
        return
    least = score(packaged)
    for name, nlp in names.items():
        if (
            isinstance(nlp, Language)
            and nlp.has_pipe("acrobert_linker")
            and not nlp.has_pipe("acronym_llm")  # no server answers
        ):
            right, wrong = score(nlp)
            assert right >= least[0] and wrong <= least[1], f"{page.name}: {name} is worse"


@pytest.mark.parametrize("page", FRONT_PAGES, ids=lambda page: page.name)
def test_a_front_page_shows_what_its_first_call_prints(page, tmp_path, monkeypatch, capsys):
    run_page(page, tmp_path, monkeypatch)
    [(_, output), *_] = snippets(page, "text")
    assert capsys.readouterr().out == output


def score(nlp: Language) -> tuple[int, int]:
    """How many known acronyms a pipeline answers rightly, and how many wrongly."""
    right = wrong = 0
    for doc, expected in zip(nlp.pipe(KNOWN), KNOWN.values(), strict=True):
        result = {span.text: span._.long_form for span in doc._.acronyms}
        for acronym, long_form in expected.items():
            answer = result.get(acronym)
            is_right = answer is not None and same_key(answer) == same_key(long_form)
            right += is_right
            wrong += answer is not None and not is_right
    return right, wrong


def run_page(page, tmp_path, monkeypatch) -> dict[str, object]:
    """Run a page's snippets of Python, and what they left."""
    monkeypatch.chdir(tmp_path)
    for kind in ("doc_extensions", "span_extensions"):  # a page's settings are its own
        monkeypatch.setattr(Underscore, kind, dict(getattr(Underscore, kind)))
    if "our_acronyms.csv" in page.read_text("utf8"):
        (tmp_path / "our_acronyms.csv").write_text("acronym,long_form\nAI,adequate intake\n")
    if "fastapi" in page.read_text("utf8"):
        pytest.importorskip("fastapi")
    names: dict[str, object] = {"__name__": "__main__"}
    commands = snippets(page, "bash") if page == TUTORIAL else []
    for line, code in sorted([*snippets(page, "python"), *commands]):
        if (line, code) in commands:
            for command in code.splitlines():
                run_command(command, monkeypatch)
        else:
            exec(compile("\n" * (line - 1) + code, str(page), "exec"), names)
    return names


def examples() -> list[tuple[str, list[str], list[str]]]:
    """The rows of the README's first table: a text, its acronyms, what they mean."""
    table = PAGES[0].read_text("utf8").partition("| answer |\n|---|---|---|\n")[2]
    rows = [line.strip("| ").split(" | ") for line in table.partition("\n\n")[0].splitlines()]
    return [(text, acronyms.split(", "), answers.split(", ")) for text, acronyms, answers in rows]


@pytest.mark.parametrize(("text", "acronyms", "answers"), examples())
def test_the_readme_shows_what_the_package_answers(packaged, text, acronyms, answers):
    result = {span.text: span._.long_form or "`NIL`: unknown" for span in packaged(text)._.acronyms}
    assert result == dict(zip(acronyms, answers, strict=True))


@pytest.mark.parametrize(("place", "line"), commands())
def test_a_command_is_one_of_ours_with_its_options(place, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    parse(line)


@pytest.mark.parametrize(("name", "help"), helps())
def test_every_command_s_help_has_an_example_that_is_right(name, help, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^\s*(?:Example: )?(spacy-gladis .*)", help, re.MULTILINE)
    assert lines, f"{name} has no example in its help"
    for line in lines:
        assert line.startswith(name.removesuffix(" compare"))
        parse(line)


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text("utf8")
    for page in PAGES[1:]:
        assert str(page.relative_to(ROOT / "docs")) in navigation
