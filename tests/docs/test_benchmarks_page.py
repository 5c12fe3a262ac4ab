"""The pages made of results are current; the benchmarks' lines ask for figures that exist."""

import json

import bench
import comparison
from measuring import RESULTS

from tests.support.paths import ROOT


def test_the_page_is_current(tmp_path):
    bench.write_page(tmp_path / "benchmarks.md")
    made = (tmp_path / "benchmarks.md").read_text("utf8")
    assert bench.PAGE.read_text("utf8") == made, "run: python benchmarks/bench.py --page"


def test_the_comparison_s_tables_are_current():
    results = json.loads((RESULTS / "comparison.json").read_text("utf8"))
    page = comparison.PAGE.read_text("utf8")
    assert comparison.with_tables(page, results) == page, "run: python benchmarks/comparison.py"


def test_every_line_has_its_benchmark_and_every_benchmark_its_script():
    names = {benchmark.name for benchmark in bench.BENCHMARKS}
    assert {line["results"] for line in bench.read_lines()} <= names
    for name in names:
        assert (ROOT / "benchmarks" / f"{name}.py").is_file()


def test_a_ratio_is_above_one_where_ours_is_better():
    figures = {"ours": 2.0, "other": [4.0]}
    line = {"what": "x", "unit": "s", "ours": "ours", "peer": "peer", "other": "other > 0"}
    assert bench.row({**line, "less": "less"}, figures).endswith("| 2 |")
    assert bench.row({**line, "less": ""}, figures).endswith("| 0.5 |")
    assert "not measured" in bench.row({**line, "ours": "absent", "less": ""}, figures)
