"""The comparison's tables are those of its results."""

import json

import comparison_page
from measuring import RESULTS


def test_the_tables_are_current():
    results = json.loads((RESULTS / "comparison.json").read_text("utf8"))
    page = comparison_page.PAGE.read_text("utf8")
    assert comparison_page.with_tables(page, results) == page, (
        "run: python benchmarks/comparison_page.py"
    )
