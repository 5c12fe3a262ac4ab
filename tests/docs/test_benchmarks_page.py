"""The page of the benchmarks is what their results make; its lines ask for figures that exist."""

import bench
import page

from tests.support.paths import ROOT


def test_the_page_is_current(tmp_path):
    page.write_page(tmp_path / "benchmarks.md")
    made = (tmp_path / "benchmarks.md").read_text("utf8")
    assert page.PAGE.read_text("utf8") == made, "run: python benchmarks/bench.py --page"


def test_every_section_has_its_benchmark_and_every_benchmark_its_script():
    names = {one.name for one in bench.BENCHMARKS}
    assert {line["results"] for line in page.read_lines()} <= names
    for name in names:
        assert (ROOT / "benchmarks" / f"{name}.py").is_file()


def test_a_ratio_is_above_one_where_ours_is_better():
    figures = {"ours": 2.0, "other": [4.0]}
    line = {"what": "x", "unit": "s", "ours": "ours", "peer": "peer", "other": "other > 0"}
    assert page.row({**line, "less": "less"}, figures).endswith("| 2 |")
    assert page.row({**line, "less": ""}, figures).endswith("| 0.5 |")
    assert "not measured" in page.row({**line, "ours": "absent", "less": ""}, figures)
