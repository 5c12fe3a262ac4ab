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


def strings(path: Path) -> str:
    """All string constants of a module, docstrings among them."""
    nodes = ast.walk(ast.parse(path.read_text("utf8")))
    return "\n".join(
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


@pytest.mark.parametrize("folder", sorted({path.parent for path in PACKAGE.rglob("*.py")}))
def test_strings_of_the_package(folder: Path) -> None:
    found = {
        path.name: matches
        for path in sorted(folder.glob("*.py"))
        if (matches := STRANGE.findall(strings(path)))
    }
    assert found == {}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_pages(page: Path) -> None:
    assert STRANGE.findall(page.read_text("utf8")) == []
