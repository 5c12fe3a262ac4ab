"""Words that the field does not use for these things, in docs, messages and docstrings."""

import ast
import re
from pathlib import Path

import pytest

import spacy_gladis

PACKAGE = Path(spacy_gladis.__file__).parent
ROOT = PACKAGE.parent
PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
STRANGE = re.compile(
    r"\b(?:mend(?:s|ed|ing)?|floors?|rooms?|nouns|gives? leave|no leave"
    r"|(?:a|your) house|choose one of 0 to 1|long forms put in|names? holds? (?:this|one))\b",
    re.IGNORECASE,
)
"""layer, subpackage, memory, glossary, allow, fix, "must be between 0 and 1", "name contains"."""


TWO_MEANINGS = re.compile(r"\b(?:(?<!neural )(?<!private )networks?|domains)\b", re.IGNORECASE)
"""The model is no network, which sends something; fields of texts are no domains."""
ELSEWHERE = (
    "network is used",
    "without a network",
    "News Network",
    "NETWORK",
    "rows, such as domains",
)


def strings(source: str) -> str:
    """All string constants of a module, docstrings among them; a regular expression is no prose."""
    result: list[str] = []
    nodes: list[ast.AST] = [ast.parse(source)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            result.append(node.value)
        if not (isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile"):
            nodes += ast.iter_child_nodes(node)
    return "\n".join(result)


@pytest.mark.parametrize("folder", sorted({path.parent for path in PACKAGE.rglob("*.py")}))
def test_strings_of_the_package(folder: Path) -> None:
    result = {
        path.name: matches
        for path in sorted(folder.glob("*.py"))
        if (matches := STRANGE.findall(strings(path.read_text("utf8"))))
    }
    assert result == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path) -> None:
    assert STRANGE.findall(page.read_text("utf8")) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages_have_one_name_for_a_thing(page: Path) -> None:
    if page.name in ("CHANGELOG.md", "notebook.md"):
        pytest.skip("It tells of earlier names.")
    text = page.read_text("utf8")
    for phrase in ELSEWHERE:
        text = text.replace(phrase, "")
    assert TWO_MEANINGS.findall(text) == []
