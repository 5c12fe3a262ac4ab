"""From observations to a dictionary: merging, counting, selecting."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.dictionary import (
    BuildReport,
    Dictionary,
    Entry,
    Row,
    build_dictionary,
    merge_entries,
)
from spacy_gladis.dictionary.builder import Selection, SourceTally, is_plausible
from spacy_gladis.dictionary.candidate import MERGING, join_candidates
from spacy_gladis.errors import InputError
from spacy_gladis.problem import Problem
from spacy_gladis.text import merge_key
from spacy_gladis.text.spelling import same_meaning
from tests.support.files import names, on_files

ROWS = [
    Row("CNN", "convolutional neural network", "science", 4),
    Row("CNN", "Convolutional Neural Networks", "science", 3),
    Row("CNN", "convolutional neural-network", "news", 2),
    Row("CNN", "Cable News Network", "news", 5),
    Row("AI", "artificial intelligence", "news"),
]

FORMS = st.sampled_from(
    ["neural network", "Neural Networks", "neural-network", "nature notes", "Nature Note", "nets"]
)
ENTRY = st.tuples(FORMS, st.dictionaries(st.sampled_from("ab"), st.integers(1, 9), min_size=1))


def test_spellings_are_merged_and_counted_by_source(tmp_path: Path) -> None:
    report = build_dictionary(ROWS, tmp_path / "d.sqlite", {"name": "small"})
    assert report == BuildReport(5, 0, 2, 3, 5, 0)
    dictionary = Dictionary.open(tmp_path / "d.sqlite")
    assert [(c.long_form, c.counts) for c in dictionary.candidates("CNN")] == [
        ("convolutional neural network", {"science": 7, "news": 2}),
        ("Cable News Network", {"news": 5}),
    ]
    assert dictionary.metadata["name"] == "small"


@on_files
@given(st.lists(ENTRY))
def test_merging_keeps_counts_and_takes_the_most_frequent_spelling(entries: list[Entry]) -> None:
    merged = merge_entries(entries)
    keys = [merge_key(form) for form, _ in merged]
    assert len(keys) == len(set(keys))
    assert set(keys) == {merge_key(form) for form, _ in entries}
    for form, counts in merged:
        same = [entry for entry in entries if merge_key(entry[0]) == merge_key(form)]
        for source in "ab":
            assert counts.get(source, 0) == sum(c.get(source, 0) for _, c in same)
        seen = {form: sum(sum(c.values()) for f, c in same if f == form) for form, _ in same}
        assert seen[form] == max(seen.values())
    assert merge_entries(merged) == merged


@on_files
@given(
    st.lists(
        st.tuples(st.sampled_from(["A", "B", "CC"]), FORMS, st.sampled_from("ab"), st.just(1))
    ),
    st.randoms(use_true_random=False),
)
def test_the_order_of_rows_does_not_change_the_file(rows, chance) -> None:
    rows.append(("D", "nets", "a", 1))
    with TemporaryDirectory() as name:
        first, other = Path(name) / "one.sqlite", Path(name) / "other.sqlite"
        build_dictionary(rows, first)
        chance.shuffle(rows)
        build_dictionary(rows, other)
        assert first.read_bytes() == other.read_bytes()
        assert names(Path(name)) == ["one.sqlite", "other.sqlite"]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (("", "artificial intelligence", "x", 1), "acronym is empty"),
        (("AI", " \n ", "x", 1), "long form is empty"),
        (("AI", "x" * 1001, "x", 1), "1,001 characters"),
        (("A" * 101, "artificial intelligence", "x", 1), "101 characters"),
        (("AI", "artificial \udce9", "x", 1), "not valid Unicode"),
        (("AI", "artificial intelligence", "x", 0), "count is 0"),
    ],
)
def test_a_bad_row_is_reported_and_left_out(tmp_path: Path, row: Row, reason: str) -> None:
    problems: list[Problem] = []
    rows = [ROWS[0], row, ROWS[4]]
    report = build_dictionary(rows, tmp_path / "d.sqlite", report=problems.append)
    assert (report.rows, report.bad_rows) == (2, 1)
    (problem,) = problems
    assert problem.line == 2
    assert reason in problem.detail


def test_nothing_to_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "d.sqlite"
    build_dictionary(ROWS, path)
    before = path.read_bytes()
    with pytest.raises(InputError, match="nothing to write"):
        build_dictionary([], path)
    with pytest.raises(InputError, match="none of 5 long forms was kept"):
        build_dictionary(ROWS, path, keep=lambda acronym, entry: False)
    assert path.read_bytes() == before
    assert names(tmp_path) == ["d.sqlite"]


@pytest.mark.parametrize(
    ("acronym", "long_form", "count", "plausible"),
    [
        ("mRNA", "messenger RNA", 1, True),
        ("ii", "in the interest of", 40, False),
        ("West", "which was sold", 1, False),
        ("serpin", "serine protease inhibitor", 2, False),
        ("FDA Act", "Food and Drug Administration Act", 2, False),
        ("AI", "artificial intelligence;", 9, False),
        ("N", "nitrogen", 2, False),
        ("AI", "artificial " * 10 + "intelligence", 9, False),
    ],
)
def test_what_is_plausible(acronym: str, long_form: str, count: int, plausible: bool) -> None:
    assert is_plausible(acronym, (long_form, {"news": count})) is plausible


def test_a_selection_asks_for_frequency_noise_and_shape() -> None:
    entry: Entry = ("artificial intelligence", {"news": 1, "law": 1})
    assert Selection()("AI", entry)
    assert not Selection(min_count=3)("AI", entry)
    assert not Selection(noise=lambda long_form: "markup")("AI", entry)
    assert Selection(noise=lambda long_form: None)("AI", entry)
    assert not Selection(noise=lambda long_form: None)("ii", entry)
    assert Selection()("ii", entry)


def test_a_selection_is_applied_to_merged_entries(tmp_path: Path) -> None:
    report = build_dictionary(ROWS, tmp_path / "d.sqlite", keep=Selection(min_count=5))
    assert (report.acronyms, report.long_forms, report.dropped) == (1, 2, 1)


def test_sources_are_tallied() -> None:
    tally = SourceTally()
    tally.add([("artificial intelligence", {"news": 5, "law": 2}), ("Adequate Intake", {"law": 9})])
    assert tally.to_json() == [
        {"source": "law", "long_forms": 2, "in_no_other": 1, "occurrences": 11},
        {"source": "news", "long_forms": 1, "in_no_other": 0, "occurrences": 5},
    ]


def test_joined_candidates_add_up(tmp_path: Path) -> None:
    build_dictionary([*ROWS, Row("CNNs", ROWS[1].long_form, "law", 6)], tmp_path / "d.sqlite")
    dictionary = Dictionary.open(tmp_path / "d.sqlite")
    joined = join_candidates([dictionary.candidates("CNN"), dictionary.candidates("CNNs")])
    assert [(c.long_form, c.total) for c in joined] == [
        ("convolutional neural network", 15),
        ("Cable News Network", 5),
    ]
    assert joined[0].counts == {"science": 7, "news": 2, "law": 6}
    assert dictionary.long_forms[joined[0].index] == "convolutional neural network"


@pytest.mark.parametrize("long_form", ["CDC", "C.D.C.", "c d c"])
def test_the_acronym_in_other_signs_is_no_long_form(long_form: str) -> None:
    assert not is_plausible("CDC", (long_form, {"d": 9}))
    assert is_plausible("CDC", ("Centers for Disease Control", {"d": 1}))


@pytest.mark.parametrize(
    ("first", "other", "same"),
    [
        ("virtual machine", "Virtual Machines", True),
        ("computed tomography", "computed tomographic scan", True),
        ("centre of mass", "center of mass", True),
        ("artificial intelligence", "adequate intake", False),
        ("hypertension", "hypotension", False),
        ("wide area network", "local area network", False),
        ("virtual machine", "", False),
    ],
)
def test_same_meaning(first, other, same):
    assert same_meaning(first, other) is same


def test_the_papers_merging_keeps_more_spellings_apart(tmp_path: Path) -> None:
    forms = {"tumour suppressor": 1, "tumor suppressors": 3, "Tumor-suppressor": 2}
    rows = [Row("TS", form, "news", count) for form, count in forms.items()]
    result = {}
    for name, key in MERGING.items():
        build_dictionary(rows, tmp_path / f"{name}.sqlite", merge=key)
        candidates = Dictionary.open(tmp_path / f"{name}.sqlite").candidates("TS")
        result[name] = [(candidate.long_form, candidate.total) for candidate in candidates]
    assert result["ours"] == [("tumor suppressors", 6)]
    assert result["paper"] == [("tumor suppressors", 5), ("tumour suppressor", 1)]
