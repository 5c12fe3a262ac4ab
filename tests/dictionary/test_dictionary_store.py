"""The dictionary file: what is written is what is read; damage is an error of our own."""

import os
import sqlite3
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.dictionary import Candidate, Dictionary, Group, write_store
from spacy_gladis.dictionary.candidate import kind_of
from spacy_gladis.dictionary.glosses import read_glosses
from spacy_gladis.dictionary.store import Store
from spacy_gladis.errors import FormatError, InputError
from tests.support.files import names, on_files

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1)
COUNTS = st.dictionaries(
    st.sampled_from(["news", "law", "medicine"]), st.integers(1, 2**32 - 1), min_size=1
)
PLAIN = st.dictionaries(TEXT, st.dictionaries(TEXT, COUNTS, min_size=1, max_size=5), max_size=20)

GROUPS: list[Group] = [
    ("AI", [("artificial intelligence", {"news": 5, "law": 2}), ("adequate intake", {"law": 9})]),
    ("Ai", [("aromatase inhibitor", {"medicine": 3})]),
    ("ai", [("anaphylactoid index", {"medicine": 1})]),
    ("mRNA", [("messenger RNA", {"medicine": 4, "news": 4})]),
    ("β-HCG", [("β-human chorionic gonadotropin", {"medicine": 2**32 - 1})]),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_store(GROUPS, tmp_path / "d.sqlite", {"name": "test"})
    return tmp_path / "d.sqlite"


def read_all(store: Store) -> dict[str, list[Candidate]]:
    return {acronym: store.candidates(acronym) for acronym in store}


def as_dict(store: Store) -> dict[str, dict[str, dict[str, int]]]:
    return {
        acronym: {candidate.long_form: candidate.counts for candidate in candidates}
        for acronym, candidates in read_all(store).items()
    }


def test_candidates_are_sorted_by_total_and_numbered(path: Path) -> None:
    store = Store(path)
    assert store.candidates("AI") == [
        Candidate("adequate intake", {"law": 9}, 9, 0),
        Candidate("artificial intelligence", {"news": 5, "law": 2}, 7, 1),
    ]
    assert store.candidates("A.I.") == store.candidates("") == store.candidates("\ud800") == []
    assert "AI" in store and "aI" not in store and "\ud800" not in store
    assert [store.long_forms[index] for index in range(6)] == list(store.long_forms)
    assert len(store) == 5
    assert store.metadata["name"] == "test"
    with pytest.raises(IndexError):
        store.long_forms[6]


def test_case_can_be_ignored(path: Path) -> None:
    store = Store(path)
    assert store.ignoring_case("aI") == ["AI", "Ai", "ai"]
    assert store.ignoring_case("Β-hcg") == ["β-HCG"]


@on_files
@given(PLAIN)
def test_equals_a_plain_dict(plain: dict[str, dict[str, dict[str, int]]]) -> None:
    groups = [(acronym, list(entries.items())) for acronym, entries in sorted(plain.items())]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "d.sqlite"
        write_store(groups, path, {})
        store = Store(path)
        assert as_dict(store) == plain
        assert list(store) == sorted(plain)
        for acronym, entries in plain.items():
            candidates = store.candidates(acronym)
            totals = [candidate.total for candidate in candidates]
            assert totals == sorted(totals, reverse=True)
            assert totals == [sum(entries[c.long_form].values()) for c in candidates]
            for candidate in candidates:
                assert store.long_forms[candidate.index] == candidate.long_form
        store.verify()


def test_anybody_s_tools_can_read_it(path: Path) -> None:
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT * FROM entries WHERE long_form LIKE 'a%' ORDER BY count")
        assert rows.fetchall() == [
            ("ai", "anaphylactoid index", "medicine", 1, None),
            ("AI", "artificial intelligence", "law", 2, None),
            ("Ai", "aromatase inhibitor", "medicine", 3, None),
            ("AI", "artificial intelligence", "news", 5, None),
            ("AI", "adequate intake", "law", 9, None),
        ]


def test_a_gloss_serves_every_spelling_of_its_long_form(tmp_path: Path) -> None:
    gloss = "field of computing; model, training, neural network"
    listed = tmp_path / "glosses.tsv"
    listed.write_text(f"AI\tartificial intelligence\t{gloss}\n", "utf8")
    groups = [
        ("A.I.", [("Artificial-Intelligence", {"news": 1})]),
        ("AI", [("adequate intake", {"law": 9}), ("artificial intelligence", {"news": 5})]),
    ]
    write_store(groups, tmp_path / "glossed.sqlite", {}, read_glosses([listed]))
    dictionary = Dictionary.open(tmp_path / "glossed.sqlite")
    dictionary.verify()
    assert [candidate.gloss for candidate in dictionary.candidates("AI")] == ["", gloss]
    assert [candidate.gloss for candidate in dictionary.lookup("A.I.")] == ["", gloss]
    assert kind_of(gloss) == "field of computing"


@pytest.mark.parametrize(
    "line", ["AI\tlong form", "AI\tlong form\t; neighbour", f"AI\tlong form\ta; {'b ' * 30}"]
)
def test_a_wrong_gloss_is_named_by_its_line(line: str, tmp_path: Path) -> None:
    (tmp_path / "glosses.tsv").write_text(f"FD\tfile descriptor\thandle; fork\n{line}\n", "utf8")
    with pytest.raises(InputError, match="line 2"):
        read_glosses([tmp_path / "glosses.tsv"])


def test_equal_groups_give_equal_bytes(path: Path, tmp_path: Path) -> None:
    write_store(iter(GROUPS), tmp_path / "again.sqlite", {"name": "test"})
    assert (tmp_path / "again.sqlite").read_bytes() == path.read_bytes()
    assert Store(tmp_path / "again.sqlite").fingerprint == Store(path).fingerprint
    write_store(GROUPS[1:], tmp_path / "other.sqlite", {"name": "test"})
    assert Store(tmp_path / "other.sqlite").fingerprint != Store(path).fingerprint


@pytest.mark.parametrize(
    "group",
    [
        ("γ", [("", {"news": 1})]),
        ("γ", [("gamma", {"news": 0})]),
        ("β\ud800", [("artificial intelligence", {"news": 1})]),
        ("β-HCG", [("an acronym twice", {"news": 1})]),
        ("AI", [("an acronym out of order", {"news": 1})]),
    ],
)
def test_an_impossible_group_leaves_the_old_file(path: Path, group: Group) -> None:
    before = path.read_bytes()
    with pytest.raises(InputError):
        write_store([*GROUPS, group], path, {})
    assert path.read_bytes() == before
    assert names(path.parent) == [path.name]


def test_a_failing_source_leaves_the_old_file(path: Path) -> None:
    def failing() -> Iterator[Group]:
        yield GROUPS[0]
        raise RuntimeError("the disk is full")

    before = path.read_bytes()
    with pytest.raises(RuntimeError):
        write_store(failing(), path, {})
    assert path.read_bytes() == before
    assert names(path.parent) == [path.name]


def test_no_file_and_other_files(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no dictionary at"):
        Store(tmp_path / "none.sqlite")
    with pytest.raises(InputError, match="cannot be read"):
        Store(tmp_path)
    for content in (b"", b"x", b'{"AI": []}' * 100, b"\x89PNG\r\n" * 100):
        (tmp_path / "foreign").write_bytes(content)
        with pytest.raises(FormatError):
            Store(tmp_path / "foreign")


@pytest.mark.parametrize("old", [False, True])
def test_another_version_says_what_to_do(path: Path, old: bool) -> None:
    if old:
        path.write_bytes(b"\x89GLADIS\n" + bytes(200))
    else:
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA user_version = 2")
    with pytest.raises(FormatError, match=rf"version {1 if old else 2}.*Build it again"):
        Store(path)


def test_another_program_s_database_is_none(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "notes.sqlite")) as database:
        database.execute("CREATE TABLE acronyms (acronym TEXT)")
    with pytest.raises(FormatError, match="not a dictionary file"):
        Store(tmp_path / "notes.sqlite")


def test_truncation_is_found_at_opening(path: Path) -> None:
    data = path.read_bytes()
    for size in (*range(0, len(data), 97), len(data) - 1):
        path.write_bytes(data[:size])
        with pytest.raises(FormatError):
            Store(path)
    path.write_bytes(data + b"\0")
    with pytest.raises(FormatError):
        Store(path)


def test_a_file_overwritten_while_it_is_open_is_an_error(path: Path) -> None:
    store = Store(path)
    path.write_bytes(bytes(path.stat().st_size))
    with pytest.raises(FormatError):
        [store.candidates(acronym) for acronym, _ in GROUPS]
        list(store.long_forms)


def totals(path: Path) -> int:
    return sum(c.total for candidates in read_all(Store(path)).values() for c in candidates)


def test_processes_and_threads_share_it(path: Path) -> None:
    expected = totals(path)
    with ProcessPoolExecutor(2) as pool:
        assert list(pool.map(totals, [path] * 4)) == [expected] * 4
    store, seen = Store(path), []

    def work() -> None:
        seen.append(all(store.candidates(acronym) for acronym, _ in GROUPS * 200))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 4


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")
def test_a_forked_process_reads_on(path: Path) -> None:
    store = Store(path)
    expected = store.candidates("AI")
    if (child := os.fork()) == 0:
        same = all(store.candidates("AI") == expected for _ in range(100))
        os._exit(0 if same else 1)
    same = all(store.candidates("AI") == expected for _ in range(100))
    assert same and os.waitpid(child, 0)[1] == 0
