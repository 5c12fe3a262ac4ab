"""Dictionaries in other formats: the published one, tables, ADAM."""

import json
from itertools import permutations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.dictionary import (
    Dictionary,
    Row,
    build_dictionary,
    export_dictionary,
    import_dictionary,
    published,
    read_rows,
)
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.problem import Problem
from tests.support.files import names, on_files

CLEAN = st.text(st.characters(exclude_categories=["Cs", "Cc", "Z"]), min_size=1, max_size=10)
PLAIN = st.dictionaries(CLEAN, st.dictionaries(CLEAN, st.integers(1, 2**32 - 1), min_size=1))


def read(path: Path, **kwargs: Any) -> tuple[list[Row], list[Problem]]:
    problems: list[Problem] = []
    return list(read_rows(path, report=problems.append, **kwargs)), problems


@on_files
@given(PLAIN.filter(bool), st.sampled_from([".json", ".csv", ".tsv"]))
def test_export_and_import_are_a_round_trip(plain: dict[str, dict[str, int]], suffix: str) -> None:
    with TemporaryDirectory() as name:
        store, copy, exported = (Path(name) / f for f in ("a.sqlite", "b.sqlite", "x" + suffix))
        rows = [Row(a, form, "x", n) for a, forms in plain.items() for form, n in forms.items()]
        build_dictionary(rows, store, merge=None)
        groups = list(Dictionary.open(store).groups())
        export_dictionary(groups, exported)
        import_dictionary(exported, copy, source="x")
        assert list(Dictionary.open(copy).groups()) == groups
        if suffix == ".json":
            read_back = json.loads(exported.read_text(encoding="utf-8"))
            assert {a: dict(pairs) for a, pairs in read_back.items()} == plain


@pytest.mark.parametrize("indent", [None, 4])
def test_the_published_format_is_read_wherever_a_chunk_ends(
    tmp_path: Path, indent: int | None
) -> None:
    content = {
        "AI": [["artificial intelligence", 123], ["adequate intake", 1]],
        'é"\\': [['quoted " and \\ and \u2028', 5]],
        "empty": [],
        "plain": ["long form without a count"],
    }
    expected = [
        Row("AI", "artificial intelligence", "kb", 123),
        Row("AI", "adequate intake", "kb", 1),
        Row('é"\\', 'quoted " and \\ and', "kb", 5),
        Row("plain", "long form without a count", "kb", 1),
    ]
    path, text = tmp_path / "kb.json", json.dumps(content, indent=indent)
    for place in range(1, len(text), 5):
        blanks = " " * (published.CHUNK - place)
        path.write_text("{" + blanks + text[1:], encoding="utf-8-sig")
        assert read(path) == (expected, [])


def test_bad_entries_are_reported_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "kb.json"
    path.write_bytes(
        b'{"AI": [["artificial intelligence", 1],\n["x"], ["y", 0], ["z", "1"], [5, 1], 7],\n'
        b'"B": {"b": 1},\n"C": 12,\n"D": [["caf\xe9", 1]],\n"": [["none", 1]],\n'
        b'"E": [["end", 2]]}\n'
    )
    rows, problems = read(path, source="web")
    assert rows == [Row("AI", "artificial intelligence", "web", 1), Row("E", "end", "web", 2)]
    assert [problem.line for problem in problems] == [1] * 5 + [3, 4, 5, 6]
    assert all(problem.path == str(path) for problem in problems)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("", 1),
        ("{5: []}", 1),
        ('{"AI":\n[["artificial intelligence", 12', 2),
        ('{"AI": [["a", 1]],\n}', 2),
        ('{"AI": [["a", 1]]\n"B": []}', 2),
        ('{"AI": [["a", 1]]}\n{}', 2),
        ('{"AI": ' + "[" * 100_000, 1),
    ],
)
def test_what_is_no_whole_object_ends_the_import(tmp_path: Path, content: str, line: int) -> None:
    path, store = tmp_path / "kb.json", tmp_path / "d.sqlite"
    path.write_text(content)
    with pytest.raises(FormatError, match=rf"kb.json, line {line}: "):
        import_dictionary(path, store)
    assert names(tmp_path) == ["kb.json"]


def test_repeated_acronyms_and_long_forms_are_added_up(tmp_path: Path) -> None:
    path, store = tmp_path / "kb.json", tmp_path / "d.sqlite"
    path.write_text(
        '{"AI": [["a b", 1], ["c", 2], ["a  b", 4]], "B": [["b", 1]], "AI": [["c", 9]]}'
    )
    report = import_dictionary(path, store)
    assert (report.acronyms, report.long_forms) == (2, 3)
    candidates = Dictionary.open(store).candidates("AI")
    assert [(c.long_form, c.total) for c in candidates] == [("c", 11), ("a b", 5)]


def test_equal_counts_keep_the_published_order(tmp_path: Path) -> None:
    path = tmp_path / "kb.json"
    forms = ["zeta", "alpha", "mid", "beta"]
    path.write_text(json.dumps({"Z": [[form, 1] for form in forms], "A": [["a", 1]]}))
    assert [c.long_form for c in Dictionary.open(path).candidates("Z")] == forms


def test_a_table_with_named_columns_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text(
        "Domain,Long form,Count,Short_Form,note\n"
        'law,"Agriculture, Interior",7,AI,x\n'
        ",adequate intake,,AI,\n\n"
        "law,no acronym,1,,\n"
        "law,a wrong count,many,AI,\n"
        "law,short row\n",
        encoding="utf-8-sig",
    )
    rows, problems = read(path, source="mine")
    assert rows == [
        Row("AI", "Agriculture, Interior", "law", 7),
        Row("AI", "adequate intake", "mine", 1),
    ]
    assert [problem.line for problem in problems] == [5, 6, 7]
    assert "'many'" in problems[1].detail


def test_tabs_quote_nothing(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_bytes(b'AI\t"artificial" intelligence\t3\r\nB\tbe\nC\tcaf\xe9\n')
    rows, problems = read(path)
    assert rows == [Row("AI", '"artificial" intelligence', "own", 3), Row("B", "be", "own", 1)]
    assert [problem.line for problem in problems] == [3]


def test_an_open_quote_at_the_end_is_reported_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text('A,aa\nB,"central, clinic\nC,other\nD,third\n')
    rows, problems = read(path)
    assert rows == [Row("A", "aa", "own", 1)]
    assert [problem.line for problem in problems] == [2]


@pytest.mark.parametrize("cell", ['"central clinic" ', '"central" clinic', 'central "clinic"'])
def test_signs_beside_a_quote_are_read(tmp_path: Path, cell: str) -> None:
    path = tmp_path / "own.csv"
    path.write_text(f"ZKD,{cell}\nD,third")
    rows, problems = read(path)
    said = cell.strip() if cell[0] != '"' else "central clinic"
    assert rows == [Row("ZKD", said, "own", 1), Row("D", "third", "own", 1)] and not problems


COLUMNS = {
    "Acronym": "AI",
    "Term": "a term",
    "Abbreviation": "AB",
    "Definition": "what it is",
    "Expansion": "an expansion",
    "Long form": "a long form",
}


@pytest.mark.parametrize(
    ("names", "acronym", "long_form"),
    [
        (("Acronym", "Definition", "Long form"), "Acronym", "Long form"),
        (("Acronym", "Expansion", "Long form"), "Acronym", "Long form"),
        (("Term", "Acronym", "Definition"), "Acronym", "Term"),
        (("Term", "Definition"), "Term", "Definition"),
        (("Abbreviation", "Acronym", "Expansion"), "Acronym", "Expansion"),
    ],
)
def test_the_clearer_heading_counts_in_any_order(
    tmp_path: Path, names: tuple[str, ...], acronym: str, long_form: str
) -> None:
    path = tmp_path / "own.csv"
    for order in permutations(names):
        path.write_text(f"{','.join(order)}\n{','.join(COLUMNS[name] for name in order)}\n")
        assert read(path)[0] == [Row(COLUMNS[acronym], COLUMNS[long_form], "own", 1)]


@pytest.mark.parametrize(
    ("name", "between"), [("words.csv", "with commas between"), ("words.txt", "with tabs between")]
)
def test_a_list_of_words_is_no_table(tmp_path: Path, name: str, between: str) -> None:
    (tmp_path / name).write_text("one\ntwo\n")
    with pytest.raises(FormatError, match=f"one column.*{between}"):
        read(tmp_path / name)


def test_adam_keeps_the_count_of_a_record(tmp_path: Path) -> None:
    path = tmp_path / "adam_database"
    path.write_text(
        "# ADAM\n"
        "\n"
        "DNR\tDNR:20|DnR:2\tdo not resuscitate:19:0.9|do-not-resuscitate:3:0.8\t0.9\t22\n"
        "bad line\n"
        "X\tX:1\tno count\t0.1\t1\n"
        "HR\tHR:5\tratio: heart:5:0.5\t0.5\t5\n"
    )
    rows, problems = read(path)
    assert rows == [
        Row("DNR", "do not resuscitate", "adam_database", 17),
        Row("DNR", "do-not-resuscitate", "adam_database", 3),
        Row("DnR", "do not resuscitate", "adam_database", 2),
        Row("HR", "ratio: heart", "adam_database", 5),
    ]
    assert [problem.line for problem in problems] == [4, 5]


def test_unknown_formats_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="There is no file"):
        read_rows(tmp_path / "none.csv")
    (tmp_path / "x.xlsx").touch()
    with pytest.raises(InputError, match=r"format of .*x\.xlsx is unknown"):
        read_rows(tmp_path / "x.xlsx")
    with pytest.raises(InputError, match=r"\.json, \.csv or \.tsv"):
        export_dictionary([], tmp_path / "x.xlsx")
