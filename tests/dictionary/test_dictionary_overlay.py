"""Looking up, and a user's own entries."""

import json
import pickle
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.dictionary import USER_SOURCE, Dictionary, build_dictionary, read_rows
from spacy_gladis.dictionary.dictionary import suggest
from spacy_gladis.dictionary.offensive import is_offensive
from spacy_gladis.dictionary.user_entries import append_user_entries, read_user_entries
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.problem import Problem
from spacy_gladis.text import merge_key
from tests.support.files import on_files

ROWS = [
    ("AI", "artificial intelligence", "science", 9),
    ("AI", "adequate intake", "medicine", 4),
    ("AI", "adequate intake", "science", 1),
    ("PC", "personal computer", "science", 7),
    ("PC", "principal component", "science", 2),
    ("PCs", "principal components", "medicine", 3),
    ("U.S.", "United States", "law", 5),
    ("mRNA", "messenger RNA", "medicine", 6),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    build_dictionary(ROWS, tmp_path / "d.sqlite", {"licences": ["CC0-1.0"]})
    return tmp_path / "d.sqlite"


@pytest.fixture
def dictionary(path: Path) -> Dictionary:
    return Dictionary.open(path)


def pairs(dictionary: Dictionary, acronym: str, **kwargs: Any) -> list[tuple[str, int]]:
    return [(c.long_form, c.total) for c in dictionary.candidates(acronym, **kwargs)]


def test_what_it_says_of_itself(dictionary: Dictionary) -> None:
    assert len(dictionary) == 5
    assert list(dictionary) == ["AI", "PC", "PCs", "U.S.", "mRNA"]
    assert "AI" in dictionary and "MRNA" not in dictionary and 5 not in dictionary
    assert set(dictionary.source_names) == {"law", "medicine", "science"}
    assert dictionary.metadata["licences"] == ["CC0-1.0"]
    assert "5 acronyms" in repr(dictionary)
    dictionary.verify()


@pytest.mark.parametrize(
    ("mention", "spellings"),
    [
        ("AI", ["AI"]),
        ("AIs", ["AI"]),
        ("US", ["U.S."]),
        ("PC's", ["PC", "PCs"]),
        ("MRNA", ["mRNA"]),
        ("ai", ["AI"]),
        ("ZZZ", []),
        ("", []),
    ],
)
def test_a_lookup_tries_spellings_then_case(
    dictionary: Dictionary, mention: str, spellings: list[str]
) -> None:
    assert dictionary.matches(mention) == spellings
    assert bool(dictionary.lookup(mention)) == bool(spellings)


def test_a_lookup_joins_singular_and_plural(dictionary: Dictionary) -> None:
    result = [(c.long_form, c.total) for c in dictionary.lookup("PCs")]
    assert result == [("personal computer", 7), ("principal components", 5)]


def test_sources_restrict(dictionary: Dictionary) -> None:
    assert pairs(dictionary, "AI", sources=["medicine"]) == [("adequate intake", 4)]
    assert pairs(dictionary, "AI", sources=["law"]) == []
    both = [("artificial intelligence", 9), ("adequate intake", 5)]
    assert pairs(dictionary, "AI", sources=["medicine", "science"]) == both
    dictionary.add("AI", "Amnesty International")
    assert pairs(dictionary, "AI", sources=["law"]) == [("Amnesty International", 1)]
    dictionary.add("AI", "air interdiction", 2, source="military")
    assert "military" in dictionary.source_names
    assert ("air interdiction", 2) not in pairs(dictionary, "AI", sources=["law"])
    assert ("air interdiction", 2) in pairs(dictionary, "AI", sources=["military"])
    with pytest.raises(InputError, match=r"Unknown source 'sports'.*medicine"):
        dictionary.candidates("AI", sources=["sports"])
    with pytest.raises(InputError, match="list of sources"):
        dictionary.candidates("AI", sources="law")


def test_adding(dictionary: Dictionary) -> None:
    dictionary.add("AI", "Adequate Intakes", 10)
    dictionary.add("AI", "appreciative inquiry", 2)
    dictionary.add("NEW", "nobody else's word")
    first, *_, last = dictionary.candidates("AI")
    assert (first.long_form, first.total) == ("Adequate Intakes", 15)  # the user's spelling
    dictionary.add("AI", "adequate intakes")
    assert dictionary.candidates("AI")[0].long_form == "Adequate Intakes"  # the first one
    assert first.counts == {"medicine": 4, "science": 1, "user": 10}
    assert dictionary.long_forms[first.index] == "adequate intake"
    assert (last.long_form, last.counts, last.index) == ("appreciative inquiry", {"user": 2}, -1)
    assert [c.index for c in dictionary.lookup("new")] == [-1]
    assert len(dictionary) == 6
    assert list(dictionary)[-1] == "NEW"
    with pytest.raises(InputError):
        dictionary.add("", "nothing")


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(["add", "remove"]),
        st.sampled_from(["AI", "PC", "NEW"]),
        st.sampled_from(["artificial intelligence", "Personal Computers", "new thing", None]),
    )
)


@on_files
@given(OPERATIONS)
def test_the_overlay_equals_a_plain_dict(
    path: Path, operations: list[tuple[str, str, str | None]]
) -> None:
    dictionary = Dictionary.open(path)
    plain: dict[str, dict[str, int]] = {}
    for acronym, long_form, _, count in ROWS:
        entry = plain.setdefault(acronym, {})
        entry[merge_key(long_form)] = entry.get(merge_key(long_form), 0) + count
    for operation, acronym, form in operations:
        entries = plain.setdefault(acronym, {})
        if operation == "add":
            added = form or "artificial intelligence"
            dictionary.add(acronym, added)
            entries[merge_key(added)] = entries.get(merge_key(added), 0) + 1
        elif form is None:
            assert dictionary.remove(acronym) == bool(entries)
            entries.clear()
        else:
            assert dictionary.remove(acronym, form) == (entries.pop(merge_key(form), None) != None)  # noqa: E711
    for acronym, entries in plain.items():
        candidates = dictionary.candidates(acronym)
        assert {merge_key(c.long_form): c.total for c in candidates} == entries
    assert len(dictionary) == len(list(dictionary)) == sum(map(bool, plain.values()))
    state = json.loads(json.dumps(dictionary.overlay_state()))
    copy = Dictionary.from_overlay_state(state, path)
    assert list(copy.groups()) == list(dictionary.groups())
    assert copy.fingerprint == dictionary.fingerprint


def test_the_fingerprint_tells_contents_apart(path: Path, dictionary: Dictionary) -> None:
    plain = dictionary.fingerprint
    assert Dictionary.open(path).fingerprint == plain
    dictionary.add("AI", "Amnesty International")
    changed = dictionary.fingerprint
    assert changed != plain
    dictionary.add("AI", "Amnesty International")
    assert dictionary.fingerprint not in (plain, changed)


def test_it_pickles_as_a_path_and_its_own_entries(dictionary: Dictionary) -> None:
    dictionary.add("AI", "Amnesty International", 20)
    dictionary.remove("PC")
    data = pickle.dumps(dictionary)
    assert len(data) < 1000
    copy = pickle.loads(data)
    assert list(copy.groups()) == list(dictionary.groups())
    assert copy.fingerprint == dictionary.fingerprint


@pytest.mark.parametrize(
    "state",
    [
        {},
        {"added": [], "removed": {}},
        {"added": {"AI": {"x": {"user": 0}}}, "removed": {}},
        {"added": {}, "removed": {"AI": 5}},
    ],
)
def test_a_foreign_state_is_refused(path: Path, state: dict[str, Any]) -> None:
    with pytest.raises(FormatError, match="user entries"):
        Dictionary.from_overlay_state(state, path)


def test_a_file_of_own_entries(tmp_path: Path, dictionary: Dictionary) -> None:
    (tmp_path / "own.csv").write_text('AI,"Amnesty, International",3\nAI\nXX,extra,2,law\n')
    problems: list[Problem] = []
    rows = read_rows(tmp_path / "own.csv", USER_SOURCE, problems.append, negative=True)
    assert dictionary.add_rows(rows) == 2
    assert [problem.line for problem in problems] == [2]
    assert dictionary.candidates("XX")[0].counts == {"law": 2}
    assert dictionary.candidates("AI")[-1].counts == {"user": 3}
    (tmp_path / "own.json").write_text('{"YY": [["why", 4]]}')
    assert dictionary.add_rows(read_rows(tmp_path / "own.json", USER_SOURCE)) == 1
    assert pairs(dictionary, "YY") == [("why", 4)]


def test_a_published_file_opens_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "kb.json"
    path.write_text('{"AI": [["artificial intelligence", 2], ["Artificial Intelligence", 5]]}')
    dictionary = Dictionary.open(path)
    result = [("Artificial Intelligence", 5), ("artificial intelligence", 2)]
    assert pairs(dictionary, "AI") == result
    assert dictionary.source_names == ("kb",)
    copy = pickle.loads(pickle.dumps(dictionary))
    assert pairs(copy, "AI") == result
    assert copy.fingerprint == dictionary.fingerprint
    path.write_text('{"AI": [["artificial')
    with pytest.raises(FormatError, match="line 1"):
        Dictionary.open(path)
    with pytest.raises(InputError):
        Dictionary.open(tmp_path / "none.json")


def test_suggestions_are_close_and_frequent_first(dictionary: Dictionary) -> None:
    assert suggest(dictionary, "mRNS")[0] == "mRNA"
    assert suggest(dictionary, "PCx") == ["PC", "PCs"]
    assert suggest(dictionary, "Q-77") == []


def test_entries_are_written_after_those_that_are_there(tmp_path: Path) -> None:
    entries = [("AI", 'adequate, "daily" intake'), ("OpenAI", "")]
    tables = {
        "new.csv": "",
        "plain.csv": "WHO,World Health Organization",
        "counts.csv": "WHO,World Health Organization,3,law\n",
        "other.tsv": "expansion\tnote\tacronym\nWorld Health Organization\tx\tWHO\n",
    }
    for name, before in tables.items():
        path = tmp_path / name
        if before:
            path.write_text(before)
        append_user_entries(path, entries)
        rows = read_user_entries([path])
        assert [(row.acronym, row.long_form) for row in rows[-2:]] == entries
        assert len(rows) == (3 if before else 2) and path.read_text().startswith(before)
    with pytest.raises(InputError, match=r"own\.json"):
        append_user_entries(tmp_path / "own.json", entries)


@pytest.mark.parametrize(("acronym", "long_form"), [(None, "x"), ("QZR", 5)])
def test_what_is_no_text_is_refused(dictionary: Dictionary, acronym: Any, long_form: Any) -> None:
    with pytest.raises(InputError, match="not a text"):
        dictionary.add(acronym, long_form)


def test_equal_known_spellings_are_one_set(path: Path) -> None:
    opened = [Dictionary.open(path), Dictionary.open(path)]
    for dictionary in opened:
        dictionary.add("k8s", "Kubernetes")
    assert opened[0].abbreviations == {"k8s"}
    assert opened[0].abbreviations is opened[1].abbreviations


GLOSSARIES = {
    "a.tex": "\\newacronym{qzr}{QZR}{quartz zone reader}\n\\DeclareAcronym{xqb}{short=XQB, "
    "long={x-ray quality board}}\n",
    "b.tex": "\\begin{acronym}\\acro{QZR}{quartz zone reader}"
    "\\acro{XQB}{x-ray quality board}\\end{acronym}\n",
    "a.md": "*[QZR]: quartz zone reader\n*[XQB]: x-ray quality board\n",
    "table.md": "| Short | What | Note |\n|--|--|--|\n| QZR | quartz zone reader | x |\n"
    "| XQB | x-ray quality board | y |\n",
    "a.rst": ".. glossary::\n\n   QZR\n      quartz zone reader\n\n   XQB\n"
    "      x-ray quality board\n",
    "a.yml": "terms:\n  QZR: quartz zone reader\n  XQB:\n    long: x-ray quality board\n",
    "list.yaml": "- abbr: QZR\n  meaning: quartz zone reader\n"
    "- {abbr: XQB, meaning: x-ray quality board}\n",
    "a.json": '{"QZR": "quartz zone reader", "XQB": ["x-ray quality board"]}',
    "list.json": '{"v": [{"Full name": "quartz zone reader", "Short": "QZR"}, '
    '{"Short": "XQB", "Full name": "x-ray quality board"}]}',
    "a.csv": "No.,Full Name,Abbr.\n1,quartz zone reader,QZR\n2,x-ray quality board,XQB\n",
    "other_names.csv": "Bedeutung;Kürzel;Seite\nquartz zone reader;QZR;1\n"
    "x-ray quality board;XQB;2\n",
    "no_names.tsv": "1\tquartz zone reader\tQZR\n2\tx-ray quality board\tXQB\n",
    "lines.txt": "QZR - quartz zone reader\n\n* XQB: x-ray quality board\n",
    "named_wrongly.txt": "\\acro{QZR}{quartz zone reader} \\acro{XQB}{x-ray quality board}\n",
    "thesaurus.ttl": """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<https://example.org/1> skos:prefLabel "quartz zone reader"@en ; skos:altLabel "QZR", "reader" .
<https://example.org/2> skos:prefLabel "XQB"@en ; skos:altLabel "x-ray quality board"@en .
""",
    "thesaurus.rdf": """<?xml version="1.0"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
 xmlns:skos="http://www.w3.org/2004/02/skos/core#">
<rdf:Description rdf:about="https://example.org/1">
<skos:prefLabel>quartz zone reader</skos:prefLabel>
<skos:altLabel>QZR</skos:altLabel></rdf:Description>
<rdf:Description rdf:about="https://example.org/2"><skos:prefLabel>XQB</skos:prefLabel>
<skos:altLabel>x-ray quality board</skos:altLabel></rdf:Description></rdf:RDF>
""",
}


@pytest.mark.parametrize("name", GLOSSARIES)
def test_a_glossary_is_read_as_people_keep_it(
    dictionary: Dictionary, tmp_path: Path, name: str
) -> None:
    (tmp_path / name).write_text(GLOSSARIES[name], "utf-8")
    assert dictionary.add_file(tmp_path / name) == 2
    assert pairs(dictionary, "QZR") == [("quartz zone reader", 1)]
    assert pairs(dictionary, "XQB") == [("x-ray quality board", 1)]
    assert dictionary.user_acronyms == {"QZR", "XQB"} and dictionary.has_changes


def test_the_sheets_of_a_spreadsheet_are_tables(dictionary: Dictionary, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["A title"])
    for number, entry in enumerate([("QZR", "quartz zone reader"), ("XQB", "x-ray quality board")]):
        sheet = book.create_sheet()
        sheet.append(["No", "In words", "In short"])
        sheet.append([number, entry[1], entry[0]])
    book.save(tmp_path / "terms.xlsx")
    assert dictionary.add_file(tmp_path / "terms.xlsx") == 2
    assert pairs(dictionary, "QZR") == [("quartz zone reader", 1)]
    assert pairs(dictionary, "XQB") == [("x-ray quality board", 1)]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.xlsx", "PK\3\4 xl/ is damaged"),
        ("a.ttl", "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . <"),
        ("a.json", '{"QZR": '),
        ("a.pages", "QZR"),
        ("a.md", "Nothing here.\n"),
        ("own.csv", 'WHO,"World Health\nAI,adequate intake\n'),
    ],
)
def test_a_damaged_or_unknown_glossary_is_named(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises((FormatError, InputError), match=name):
        read_user_entries([tmp_path / name])


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("own.csv", "acronym,long_form,count\nQZR,quartz,one\nXQB,x-ray quality board,2\n", 2),
        ("own.yaml", "QZR: 5\nXQB: x-ray quality board\n", None),
    ],
)
def test_a_bad_row_is_named_and_passed_over(
    tmp_path: Path, name: str, text: str, line: int | None
) -> None:
    (tmp_path / name).write_text(text)
    problems: list[Problem] = []
    rows = read_user_entries([tmp_path / name], problems.append)
    assert [row.acronym for row in rows] == ["XQB"]
    assert [(problem.line, "QZR" in problem.detail) for problem in problems] == [(line, True)]


def test_offensive_long_forms_are_left_out_unless_they_are_wanted() -> None:
    dictionary = Dictionary.open()
    names = [candidate.long_form for candidate in dictionary.lookup("SOB")]
    assert "shortness of breath" in names and "son of a bitch" not in names
    everything = [candidate.long_form for candidate in dictionary.lookup("SOB", offensive=True)]
    assert set(everything) - set(names) == {"son of a bitch"}
    assert "SOB" in dictionary and len(dictionary.candidates("SOB")) == len(everything)
    dictionary.add("SOB", "son of a bitch")
    assert "son of a bitch" in [candidate.long_form for candidate in dictionary.lookup("SOB")]


@pytest.mark.parametrize(
    "long_form", ["sex education", "assessment of bias", "Subjective ASS", "skin prick test"]
)
def test_what_names_things_is_not_offensive(long_form: str) -> None:
    assert not is_offensive(long_form)
