"""The documentation is divided into four kinds of page, and stays short."""

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT

DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
KINDS = {"tutorials", "how-to", "reference", "explanation"}
GENERATED = {"papers.md", "benchmarks.md", "case_study.md"}
MOST_WORDS = 20_000

CODE = re.compile(r"^( *)```.*?^\1```$|^(?:    [^\n]*\n)+", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r"\]\([^)]*\)")
FIGURE = re.compile(r"[\W\d_]*\d.{0,16}")


def is_results_table(rows: list[str]) -> bool:
    """Return whether most cells beside the first column are figures."""
    cells = [cell.strip() for row in rows[2:] for cell in row.strip(" |").split("|")[1:]]
    filled = [cell for cell in cells if cell]
    return bool(filled) and 2 * sum(map(bool, map(FIGURE.fullmatch, filled))) >= len(filled)


def count_words(text: str) -> int:
    """Count words with a letter or digit outside of code and of tables of results."""
    lines: list[str] = []
    table: list[str] = []
    for line in [*TARGET.sub("]", CODE.sub("", text)).splitlines(), ""]:
        if line.lstrip().startswith("|"):
            table.append(line)
            continue
        if not is_results_table(table):
            lines += table
        table = []
        lines.append(line)
    return sum(bool(re.search(r"\w", word)) for word in " ".join(lines).split())


def test_words_are_counted_outside_of_code_and_results():
    results = "| | right |\n|---|--:|\n| ours | 76.9 |\n| theirs | **59.1** / 3 |\n"
    settings = "| name | meaning |\n|---|---|\n| `top_k` | number of answers |\n"
    text = f"# A [page](other.md)\n\nTwo - words.\n\n```bash\nrun it\n```\n\n{results}\n{settings}"
    assert count_words(text) == 2 + 2 + 2 + 4


def test_a_person_wrote_at_most_20_000_words():
    counts = {
        str(page.relative_to(DOCS)): count_words(page.read_text("utf8"))
        for page in PAGES
        if page.name not in GENERATED
    }
    assert sum(counts.values()) <= MOST_WORDS, counts


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))
def test_a_page_is_of_one_kind_and_begins_with_what_it_gives(page: Path) -> None:
    if page.parent == DOCS:
        assert page.name == "index.md"
        return
    assert page.relative_to(DOCS).parts[0] in KINDS
    first = page.read_text("utf8").split("\n\n")[1]
    starts = {
        "tutorials": "In this tutorial, you ",
        "how-to": "This guide ",
        "reference": "This page ",
        "explanation": "This page ",
    }
    assert first.startswith(starts[page.parent.name])
