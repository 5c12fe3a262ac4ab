"""What the pages name is there: files of the package, and results of the benchmarks."""

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FOLDERS = (ROOT, ROOT / "spacy_gladis", ROOT / "spacy_gladis" / "data" / "acrobert")
PATH = re.compile(r"`([a-z_]+/[\w./-]+\.(?:py|cfg|json|tsv|md))`")
RESULT = re.compile(r"`(?:benchmarks/results/)?([\w*]+\.jsonl?)`")
OTHERS = {
    "claude_desktop_config.json",
    "docs/imaging.md",
    "docs/sites.md",
    "tasks.json",
    "out/figures.json",
    "build/PROFILE/report.md",
}
"""What commands of the pages write, and the files of their examples."""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_files_that_are_there(page: Path) -> None:
    text = page.read_text("utf8")
    absent = {
        name
        for name in PATH.findall(text)
        if not any((folder / name).exists() for folder in FOLDERS)
    }
    results = ROOT / "benchmarks" / "results"
    absent |= {
        name for name in RESULT.findall(text) if not [*results.glob(name), *FOLDERS[2].glob(name)]
    }
    assert absent <= OTHERS
