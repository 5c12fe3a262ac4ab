"""The report on the repository's own results."""

import shutil
from pathlib import Path

import pytest

from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.research.report.papers import Folder, Ours, markdown, read_papers
from spacy_gladis.research.tasks.catalog import LISTINGS
from spacy_gladis.research.tasks.results import read_results
from tests.support.tasks import values

ROOT = Path(__file__).parents[3]
RESULTS = ROOT / "benchmarks" / "results"
SHOWN = ("gladis", "sciai_detector", "bioc", "ad", "linking_ncbi_disease")


@pytest.fixture
def folder(tmp_path):
    for name in SHOWN:
        shutil.copy(RESULTS / f"{name}.jsonl", tmp_path)
    for name in ("annotate", "leakage"):
        shutil.copy(RESULTS / f"{name}.json", tmp_path)
    (tmp_path / "nobody.json").write_text('{"rate": 2}', "utf8")
    (tmp_path / "broken.jsonl").write_text('{"command": \n', "utf8")
    return tmp_path


def test_results_are_told_from_other_files(folder):
    report_folder = Folder(folder)
    assert tuple(report_folder.results) == tuple(sorted(SHOWN))
    assert list(report_folder.others) == ["annotate", "leakage"]
    assert [line.split(":")[0] for line in report_folder.left_out] == [
        "broken.jsonl",
        "nobody.json",
    ]


def test_an_empty_folder_is_no_folder_of_results(tmp_path):
    with pytest.raises(InputError, match="contains no results"):
        Folder(tmp_path)


def test_our_figures_stand_beside_the_papers(folder):
    text = markdown(Folder(folder))
    (result,) = (
        result
        for result in read_results(folder / "gladis.jsonl")
        if (result.data, result.system) == ("uad", "retriever")
    )
    accuracy, macro = (
        f"{100 * values(result)[name]:.1f}" for name in ("accuracy", "gladis_macro_f1")
    )
    assert f"| AcroBERT (ours: retriever) | UAD | 93.7 | {accuracy} | 88.8 | {macro} |" in text
    assert "| texts | BC2GM | 33.2 | 32.6 | 13.1 | 12.5 |" in text
    assert all(f"### {name}\n" in text for name in SHOWN)
    assert "- `annotate`: `python benchmarks/annotate.py" in text
    assert "- broken.jsonl: " in text
    papers = list(read_papers())
    assert all(text.index(f"## {paper.title}\n") < text.index("## All results") for paper in papers)
    assert text.index("### ") > max(
        text.rindex("| texts | BC2GM |"), text.index("| AcroBERT (ours")
    )
    assert "### gladis" not in markdown(Folder(folder), papers_alone=True)


def test_every_row_of_a_paper_that_names_ours_finds_it():
    report_folder = Folder(RESULTS)
    for paper in read_papers():
        assert set(paper.tasks) <= LISTINGS.keys()
        for table in paper.tables:
            scores = {*table.scores, *(score for row in table.rows for score in row.published)}
            for row in table.rows:
                if row.ours:
                    figures = [report_folder.find(row.ours, score) for score in scores]
                    assert any(figure is not None for figure in figures), (paper.title, row.system)


def test_figures_are_means_over_seeds_and_may_be_absent():
    report_folder = Folder(RESULTS)
    ours = Ours(file="wic_tsv_mpnet_cosines_tuned", data="en task 3 dev", system="cosines-tuned")
    accuracies = [
        100 * values(result)["accuracy"]
        for result in report_folder.results["wic_tsv_mpnet_cosines_tuned"]
        if (result.data, result.system) == (ours.data, ours.system)
    ]
    assert len(accuracies) == 3
    assert report_folder.find(ours, "accuracy") == pytest.approx(sum(accuracies) / 3)
    assert report_folder.find(ours, "nothing") is None


def test_figures_of_a_part_of_the_rows():
    report_folder = Folder(RESULTS)
    part = ("popularity", "overshadowed")
    ours = Ours(file="gladis", data="uad", system="popularity", group=part)
    (result,) = (
        result
        for result in report_folder.results["gladis"]
        if (result.data, result.system) == ("uad", "popularity")
    )
    expected = result.groups["popularity"]["overshadowed"].metrics["accuracy"]
    assert expected is not None
    assert report_folder.find(ours, "accuracy") == pytest.approx(100 * expected)
    assert (
        report_folder.find(ours.model_copy(update={"group": ("popularity", "x")}), "accuracy")
        is None
    )


def test_a_paper_that_is_none_is_named(tmp_path):
    (tmp_path / "x.toml").write_text('title = "x"\n')
    with pytest.raises(FormatError, match=r"x\.toml is not a valid description of a paper"):
        list(read_papers(tmp_path))


def test_the_page_of_the_papers_is_what_the_results_say():
    page = (ROOT / "docs" / "explanation" / "papers.md").read_text("utf8")
    assert page == markdown(Folder(RESULTS), papers_alone=True)
