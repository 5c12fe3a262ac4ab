"""The benchmark of real acronyms: its scorer and its exporter, which need nothing but Python."""

import json
import subprocess
import sys

import pytest
import srsly
from real_acronyms import export, score

from tests.support.paths import ROOT

FOLDER = ROOT / "benchmarks" / "real_acronyms"
TEXT = "The QBR and the OKRs of the PMO; see FAQ. NOW."
GOLD = [
    ("QBR", ["quarterly business review"]),
    ("OKRs", ["objectives and key results"]),
    ("PMO", ["project management office"]),
    ("FAQ", ["frequently asked questions"]),
    ("NOW", []),
]
ANSWERS = {
    "QBR": "Quarterly Business-Reviews",
    "OKR": "objectives & key results",
    "PMO": None,
    "NOW": "number of women",
}


def place(form):
    start = TEXT.index(form)
    return {"start": start, "end": start + len(form)}


def gold_row(**changed):
    mentions = [
        {**place(acronym), "acronym": acronym, "long_forms": many} for acronym, many in GOLD
    ]
    return {"id": "a", "repository": "r", "text": TEXT, "mentions": mentions, **changed}


def run(tmp_path, *options, gold=None, answers=None):
    rows = [{**place(answer), "long_form": words} for answer, words in ANSWERS.items()]
    srsly.write_jsonl(tmp_path / "gold", gold or [gold_row()])
    srsly.write_jsonl(tmp_path / "answers", answers or [{"id": "a", "mentions": rows}])
    files = [str(tmp_path / "gold"), str(tmp_path / "answers")]
    command = [sys.executable, "-I", "-S", str(FOLDER / "score.py"), *files, *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


def test_mentions_are_right_wrong_nil_or_not_found(tmp_path):
    result = json.loads(run(tmp_path, "--json").stdout)["all"]
    assert {name: result[name] for name in score.OUTCOMES} == {
        "right": 25.0,
        "wrong": 25.0,
        "nil": 25.0,
        "not found": 25.0,
    }
    assert (result["precision"], result["mentions"]) == (33.3, 4)
    assert (result["no acronym"], result["false"]) == (1, 1)


def test_pairs_of_a_list_are_equal(tmp_path):
    (tmp_path / "pairs").write_text(
        "# a remark\nobjectives & key results\tobjectives and key result\n"
    )
    result = json.loads(run(tmp_path, "--json", "--equal", str(tmp_path / "pairs")).stdout)["all"]
    assert (result["right"], result["precision"]) == (50.0, 66.7)


def test_groups_have_a_line_each_and_an_interval_comes_of_them(tmp_path):
    other = gold_row(id="b", repository="s")
    done = run(tmp_path, "--groups", gold=[gold_row(), other])
    head, *rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert [row[0] for row in rows] == ["r", "s", "all"]
    right = head.index("right")
    assert [row[right] for row in rows] == ["25.0", "0.0", "12.5"]
    assert rows[-1][head.index("interval")] == "0.0 to 25.0"


def test_what_a_text_defines_is_scored_by_itself(tmp_path):
    row = gold_row()
    row["mentions"][0]["defined"] = True
    assert json.loads(run(tmp_path, "--json", gold=[row]).stdout)["all"]["mentions"] == 3
    result = json.loads(run(tmp_path, "--json", "--defined", gold=[row]).stdout)["all"]
    assert (result["mentions"], result["right"]) == (1, 100.0)


@pytest.mark.parametrize(
    ("gold", "answers", "message"),
    [
        ([{"id": "a"}], None, "gold:1: no row with an id and mentions"),
        ([gold_row(text="x")], None, "gold:1: 'QBR' is not at its offsets"),
        (None, [{"id": "z", "mentions": []}], "the gold has no 'z'"),
    ],
)
def test_rows_that_are_none_are_named(tmp_path, gold, answers, message):
    done = run(tmp_path, gold=gold, answers=answers)
    assert done.returncode == 1 and message in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("first", "other", "equal"),
    [
        ("Neural networks", "neural-network", True),
        ("Crohn's disease", "Crohn\u2019s Disease", True),
        ("café policies", "Cafe policy", True),
        ("mass", "mas", False),
        ("analysis", "analyses", False),
        ("1,3-diol", "13-diol", True),
        ("artificial intelligence", "adequate intake", False),
    ],
)
def test_spellings_of_one_long_form_are_equal(first, other, equal):
    assert score.same(first, other) == equal


@pytest.fixture
def data(tmp_path):
    """Two rows a set, of which one may not be passed on."""
    mention = {**place("QBR"), "acronym": "QBR"}
    real = {"text": TEXT, "field": "f", "mentions": [{**mention, "long_forms": ["q b r"]}]}
    document = {"text": TEXT, "field": "f", "repo": "o/n", "path": "p.md", "commit": "c"}
    marked = [{**mention, "long_form": "q b r", "defined": True}]
    rows = {
        "real": [
            {**real, "source": "o/n:x", "licence": "MIT"},
            {**real, "source": "o/n:y", "licence": "MIT (PubMed abstracts)"},
        ],
        "documents": [{**document, "licence": "BSD", "mentions": marked}],
        "documents-2": [{**document, "licence": "all rights reserved", "mentions": marked}],
        "passages": [{**real, "id": "d001", "genre": "note"}],
    }
    for name, path in export.SETS.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        srsly.write_jsonl(tmp_path / path, rows[name])
    return tmp_path


def test_only_texts_whose_licence_allows_it_are_exported(data, tmp_path):
    written, withheld = export.export(data, tmp_path / "out")
    files = {path.name for path in (tmp_path / "out").iterdir()}
    assert files == {"real.jsonl", "documents.jsonl", "SOURCES.tsv"}
    assert list(written) == [("real", "o/n", "MIT"), ("documents", "o/n", "BSD")]
    assert [(name, licence) for name, licence, _ in withheld] == [
        ("real", "MIT (PubMed abstracts)"),
        ("documents-2", "all rights reserved"),
        ("passages", "-"),
    ]
    (row,) = srsly.read_jsonl(tmp_path / "out" / "documents.jsonl")
    assert (row["id"], row["source"], row["licence"]) == ("documents/0001", "o/n:p.md@c", "BSD")
    assert row["mentions"][0]["long_forms"] == ["q b r"] and row["mentions"][0]["defined"]


def test_who_wrote_the_passages_may_give_them_a_licence(data, tmp_path):
    export.export(data, tmp_path / "out", passages="CC0-1.0")
    (row,) = srsly.read_jsonl(tmp_path / "out" / "passages.jsonl")
    assert row["licence"] == "CC0-1.0" and "genre" not in row


def test_every_licence_has_a_name_or_a_reason():
    for written, (licence, reason) in export.read_licences().items():
        assert bool(licence) != bool(reason), written
