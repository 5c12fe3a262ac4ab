"""The report on the repository's own results."""

import json
import shutil
from pathlib import Path

import pytest

from spacy_gladis.errors import InputError
from spacy_gladis.research.report.papers import PAPERS, kind_of, markdown, read_results
from spacy_gladis.research.report.tables import Table

RESULTS = Path(__file__).parents[3] / "benchmarks" / "results"
SHOWN = ("gladis", "sciai_detector", "bioc", "ad", "linking_ncbi_disease", "leakage")


@pytest.fixture
def folder(tmp_path):
    for name in (*SHOWN, "annotate"):
        shutil.copy(RESULTS / f"{name}.json", tmp_path)
    (tmp_path / "nobody.json").write_text('{"rate": 2}', "utf8")
    (tmp_path / "broken.json").write_text('{"command": ', "utf8")
    return tmp_path


def test_files_are_known_by_the_command_that_wrote_them(folder):
    results, left_out = read_results(folder)
    kinds = {name: kind_of(one) for name, one in results.items()}
    assert [kinds[name] for name in SHOWN] == ["gladis", "sciai", "bioc", "ad", "cometa", "leakage"]
    assert kinds["annotate"] == "annotate"
    assert kind_of({"names": [], "train": {}, "test": {}, "texts": {}}) == "audit"
    assert [line.split(":")[0] for line in left_out] == ["broken.json", "nobody.json"]


def test_an_empty_folder_is_no_folder_of_results(tmp_path):
    with pytest.raises(InputError, match="holds no results"):
        read_results(tmp_path)


def test_published_figures_stand_beside_ours(folder):
    (folder / "other.json").write_text(json.dumps({"command": "spacy-gladis evaluate bioc"}))
    text = markdown(*read_results(folder))
    scores = json.loads((folder / "gladis.json").read_text())["sets"]["uad"]["systems"]["first"]
    accuracy, macro = (100 * scores["scores"][one] for one in ("accuracy", "gladis_macro_f1"))
    assert f"| uad | first | {accuracy:.1f} | {macro:.1f} |" in text
    assert "| uad | *AcroBERT as published* | 93.7 | 88.8 |" in text
    assert "| texts | 33.2 | 13.1 | 4.2 | *Table 2, 15,000 training sentences* |" in text
    assert all(f"### {name}\n" in text for name in SHOWN)
    assert "- `annotate`: `python benchmarks/annotate.py" in text
    assert "- other.json: of another version" in text
    assert "## WiC-TSV" not in text  # nothing was measured, so there is no empty part


def test_the_report_begins_with_the_papers_tables_and_ours_beside_them(folder):
    text = markdown(*read_results(folder))
    main = text[text.index("## Main tables") : text.index("## GLADIS")]
    assert text.index("## Main tables") < text.index("### gladis")
    scores = json.loads((folder / "gladis.json").read_text())["sets"]["uad"]["systems"]["retriever"]
    accuracy, macro = (100 * scores["scores"][one] for one in ("accuracy", "gladis_macro_f1"))
    ours = f"| uad | **packaged model** | {accuracy:.1f} | {macro:.1f} | "
    uad = [line for line in main.splitlines() if line.startswith("| uad |")]
    assert uad[0].startswith(ours) and uad[1].startswith("| uad | *AcroBERT as published* | 93.7")
    assert "| sciad | **combined** |" in main
    assert "WiC-TSV" not in main  # of which nothing was measured


def test_every_row_of_ours_is_in_the_repository_s_results():
    text = markdown(*read_results(RESULTS))
    main = text[text.index("## Main tables") : text.index("## GLADIS")]
    wanted = sum(len(one["ours"]) for part in papers() for one in part["published"])
    assert sum("| `" in line for line in main.splitlines()) == wanted


def papers():
    return json.loads(PAPERS.read_text("utf8"))


def test_every_results_file_of_an_evaluation_can_be_shown():
    found, left_out = read_results(RESULTS)
    markdown(found, left_out)
    assert not [line for line in left_out if "another version" in line]


def test_a_table_in_markdown():
    table = Table("A [b] title", ("name", "share", "count"))
    table.add("a|b <i>", 0.1234, 12345)
    table.add("two\nlines", None, 0)
    assert table.markdown() == (
        "**A [b] title**\n\n"
        "| name | share | count |\n| --- | --: | --: |\n"
        "| a\\|b <i> | 12.3 | 12,345 |\n| two lines | - | 0 |\n"
    )
