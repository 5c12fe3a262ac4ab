"""`spacy-gladis synonyms`, on tiny weights and a tiny dictionary."""

import json
from functools import partial

import pytest

from tests.support.solr import read_rules

WARD = "Computed tomography (CT) is quick. A CT is read in the emergency department (ED)."
STATE = "Connecticut (CT) is a state. The CT of today."


@pytest.fixture
def synonyms(tiny):
    """Run `synonyms` with the tiny model."""
    return partial(tiny, "synonyms")


def test_rules_go_to_stdout_and_the_report_to_stderr(synonyms, tmp_path):
    (tmp_path / "a.txt").write_text(WARD)
    (tmp_path / "b.txt").write_text(STATE)
    code, out, err = synonyms("a.txt", "b.txt")
    assert code == 0
    assert read_rules(out) == [(["ED", "emergency department"],) * 2]
    assert "CT: several meanings: Computed tomography (2), Connecticut (2)." in err
    assert err.endswith("1 rule; 1 acronym without a rule for all documents.\n")


def test_a_report_goes_to_its_file(synonyms, tmp_path):
    (tmp_path / "a.txt").write_text(WARD)
    (tmp_path / "b.txt").write_text(STATE)
    code, out, err = synonyms("a.txt", "b.txt", "--report", "report.txt", "--output", "rules.txt")
    assert (code, out) == (0, "") and "Connecticut" not in err
    assert (tmp_path / "report.txt").read_text().startswith("CT: several meanings: ")
    assert (tmp_path / "rules.txt").read_text() == "ED, emergency department\n"


def test_definitions_alone_need_no_model(cli, tmp_path):
    (tmp_path / "a.txt").write_text(WARD + " An AI for potassium.")
    code, out, err = cli("synonyms", "a.txt", "--defined-only", "--direction", "short-to-long")
    assert code == 0
    assert out == "CT => CT, Computed tomography\nED => ED, emergency department\n"
    assert err.startswith("2 rules")
    code, _, err = cli("synonyms", "a.txt", "--defined-only", "--field", "clinical")
    assert code == 2 and "--field needs the linker" in err


def test_formats(cli, tmp_path):
    (tmp_path / "a.txt").write_text(WARD)
    for name, key in (("elasticsearch", "synonyms_set"), ("opensearch", "settings")):
        code, out, _ = cli("synonyms", "a.txt", "--defined-only", "--format", name)
        assert code == 0 and key in json.loads(out)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--format", "lucene"), "'lucene'"),
        (("--direction", "up"), "'up'"),
        (("--min-probability", "2"), "less than or equal to"),
        (("--report", "no/such/report.txt"), "there is no folder"),
    ],
)
def test_bad_options_are_told_before_work_starts(cli, tmp_path, arguments, message):
    (tmp_path / "a.txt").write_text(WARD)
    code, out, err = cli("synonyms", "a.txt", *arguments)
    assert (code, out) == (2, "") and message in err


def test_no_file_has_no_rules(cli):
    code, out, err = cli("synonyms", "nowhere")
    assert (code, out) == (2, "") and "nowhere" in err
