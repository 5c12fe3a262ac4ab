"""The pages use one term for a thing."""

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PAGES = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
AMBIGUOUS = re.compile(r"\b(?:(?<!neural )(?<!private )networks?|domains)\b", re.IGNORECASE)
"""Terms with two meanings: "network" is never the model, and "domains" are never fields."""

ALLOWED = (
    "network is used",
    "without a network",
    "News Network",
    "NETWORK",
    "rows, such as domains",
)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_one_term_for_a_thing(page: Path) -> None:
    if page.name in ("CHANGELOG.md", "notebook.md"):
        pytest.skip("It describes earlier names.")
    text = page.read_text("utf8")
    for phrase in ALLOWED:
        text = text.replace(phrase, "")
    assert AMBIGUOUS.findall(text) == []
