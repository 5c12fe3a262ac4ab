"""The dictionary file: what is written is what is read; damage is an error of our own."""

import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from spacy_gladis.dictionary import Candidate, Group, write_store
from spacy_gladis.dictionary.layout import HEADER_SIZE, MAGIC
from spacy_gladis.dictionary.store import Store
from spacy_gladis.errors import FormatError, InputError

on_files = settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
"""For properties that write files, which takes time: few examples."""

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"), min_size=1)
COUNTS = st.dictionaries(
    st.sampled_from(["news", "law", "medicine"]), st.integers(1, 2**32 - 1), min_size=1
)
PLAIN = st.dictionaries(TEXT, st.dictionaries(TEXT, COUNTS, min_size=1, max_size=5), max_size=20)

GROUPS: list[Group] = [
    ("AI", [("artificial intelligence", {"news": 5, "law": 2}), ("adequate intake", {"law": 9})]),
    ("Ai", [("aromatase inhibitor", {"medicine": 3})]),
    ("ai", [("anaphylactoid index", {"medicine": 1})]),
    ("β-HCG", [("β-human chorionic gonadotropin", {"medicine": 2**32 - 1})]),
    ("mRNA", [("messenger RNA", {"medicine": 4, "news": 4})]),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_store(GROUPS, tmp_path / "d.gladis", {"name": "test"})
    return tmp_path / "d.gladis"


def read_all(store: Store) -> dict[str, list[Candidate]]:
    return {store.acronym(place): store.candidates(place) for place in store.offsets}


def as_dict(store: Store) -> dict[str, dict[str, dict[str, int]]]:
    return {
        acronym: {candidate.long_form: candidate.counts for candidate in candidates}
        for acronym, candidates in read_all(store).items()
    }


def test_candidates_are_sorted_by_total_and_numbered(path: Path) -> None:
    store = Store(path)
    assert store.candidates(store.find("AI")) == [
        Candidate("adequate intake", {"law": 9}, 9, 0),
        Candidate("artificial intelligence", {"news": 5, "law": 2}, 7, 1),
    ]
    assert store.find("A.I.") == store.find("") == store.find("\ud800") == 0
    assert [store.long_forms[index] for index in range(6)] == list(store.long_forms)
    assert store.long_forms[-1] == "β-human chorionic gonadotropin"
    assert store.long_forms[1:3] == ["artificial intelligence", "aromatase inhibitor"]
    assert len(store) == 5
    assert store.metadata["name"] == "test"
    with pytest.raises(IndexError):
        store.long_forms[6]


def test_case_can_be_ignored(path: Path) -> None:
    store = Store(path)
    found = [store.acronym(place) for place in store.find_ignoring_case("aI")]
    assert sorted(found) == ["AI", "Ai", "ai"]


def names(folder: Path) -> list[str]:
    """What lies in a folder, temporary files included."""
    return sorted(path.name for path in folder.iterdir())


@on_files
@given(PLAIN, st.randoms(use_true_random=False))
def test_equals_a_plain_dict(plain: dict[str, dict[str, dict[str, int]]], chance) -> None:
    groups = [(acronym, list(entries.items())) for acronym, entries in plain.items()]
    chance.shuffle(groups)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "d.gladis"
        write_store(groups, path, {})
        store = Store(path)
        assert as_dict(store) == plain
        assert [store.acronym(place) for place in store.offsets] == sorted(plain)
        for acronym, entries in plain.items():
            candidates = store.candidates(store.find(acronym))
            totals = [candidate.total for candidate in candidates]
            assert totals == sorted(totals, reverse=True)
            assert totals == [sum(entries[c.long_form].values()) for c in candidates]
            for candidate in candidates:
                assert store.long_forms[candidate.index] == candidate.long_form
        store.verify()


@on_files
@given(st.lists(st.tuples(st.sampled_from("ABC"), st.sampled_from("xyz"), COUNTS), max_size=12))
def test_an_acronym_that_comes_twice_is_combined(
    rows: list[tuple[str, str, dict[str, int]]],
) -> None:
    small = [(a, form, {domain: 1 + n % 100 for domain, n in c.items()}) for a, form, c in rows]
    expected: dict[str, dict[str, dict[str, int]]] = {}
    for acronym, form, counts in small:
        entry = expected.setdefault(acronym, {}).setdefault(form, {})
        for domain, count in counts.items():
            entry[domain] = entry.get(domain, 0) + count
    with TemporaryDirectory() as folder:
        path = Path(folder) / "d.gladis"
        write_store([(a, [(form, counts)]) for a, form, counts in small], path, {})
        assert as_dict(Store(path)) == expected


def test_equal_groups_give_equal_bytes(path: Path, tmp_path: Path) -> None:
    write_store(iter(GROUPS), tmp_path / "again.gladis", {"name": "test"})
    assert (tmp_path / "again.gladis").read_bytes() == path.read_bytes()
    assert Store(tmp_path / "again.gladis").fingerprint == Store(path).fingerprint
    write_store(GROUPS[1:], tmp_path / "other.gladis", {"name": "test"})
    assert Store(tmp_path / "other.gladis").fingerprint != Store(path).fingerprint


def test_an_empty_dictionary_is_one(tmp_path: Path) -> None:
    write_store([], tmp_path / "d.gladis", {})
    store = Store(tmp_path / "d.gladis")
    assert len(store) == len(store.long_forms) == store.find("AI") == 0


@pytest.mark.parametrize(
    "group",
    [
        ("", [("artificial intelligence", {"news": 1})]),
        ("AI", [("", {"news": 1})]),
        ("AI", [("artificial\nintelligence", {"news": 1})]),
        ("AI", [("artificial intelligence", {})]),
        ("AI", [("artificial intelligence", {"news": 0})]),
        ("AI", [("artificial intelligence", {"news": 2**32})]),
        ("A\ud800", [("artificial intelligence", {"news": 1})]),
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
        Store(tmp_path / "none.gladis")
    with pytest.raises(InputError, match="cannot be read"):
        Store(tmp_path)
    for content in (b"", b"x", b'{"AI": []}' * 100, b"\x89PNG\r\n" * 100):
        (tmp_path / "foreign").write_bytes(content)
        with pytest.raises(FormatError):
            Store(tmp_path / "foreign")


def test_another_version_says_what_to_do(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(MAGIC)] += 1
    path.write_bytes(data)
    with pytest.raises(FormatError, match=r"version 2.*Build it again"):
        Store(path)


def test_truncation_at_any_byte_is_found_at_opening(path: Path) -> None:
    data = path.read_bytes()
    for size in range(len(data)):
        path.write_bytes(data[:size])
        with pytest.raises(FormatError):
            Store(path)
    path.write_bytes(data + b"\0")
    with pytest.raises(FormatError):
        Store(path)


def test_a_flipped_bit_is_found_and_crashes_nothing(path: Path) -> None:
    data = path.read_bytes()
    for place in range(len(data)):
        for bit in (place % 8, 7 - place % 8):
            damaged = bytearray(data)
            damaged[place] ^= 1 << bit
            path.write_bytes(damaged)
            try:
                store = Store(path)
            except FormatError:
                continue
            assert place >= HEADER_SIZE  # the header has its own checksum
            with pytest.raises(FormatError):
                store.verify()
            read_what_can_be_read(store)


@on_files
@given(st.data())
def test_any_damaged_content_crashes_nothing(path: Path, data: st.DataObject) -> None:
    content = path.read_bytes()
    places = st.integers(HEADER_SIZE, len(content) - 1)
    changes = data.draw(st.dictionaries(places, st.integers(0, 255), max_size=40))
    damaged = bytearray(content)
    for place, byte in changes.items():
        damaged[place] = byte
    copy = path.with_name("damaged.gladis")
    copy.write_bytes(damaged)
    try:
        store = Store(copy)
    except FormatError:
        return
    read_what_can_be_read(store)


def read_what_can_be_read(store: Store) -> None:
    """Every way to read; only FormatError may come out."""

    def tried(read: object, *arguments: object) -> object:
        try:
            return read(*arguments)  # type: ignore[operator]
        except FormatError:
            return None

    for acronym, _ in GROUPS:
        place = tried(store.find, acronym)
        if place:
            tried(store.candidates, place)
        tried(store.find_ignoring_case, acronym)
    tried(read_all, store)
    tried(list, store.long_forms)
    for index in range(len(store.long_forms)):
        tried(store.long_forms.__getitem__, index)


def totals(path: Path) -> int:
    return sum(c.total for found in read_all(Store(path)).values() for c in found)


def test_processes_and_threads_share_it(path: Path) -> None:
    expected = totals(path)
    with ProcessPoolExecutor(2) as pool:
        assert list(pool.map(totals, [path] * 4)) == [expected] * 4
    store, seen = Store(path), []

    def work() -> None:
        seen.append(all(store.find(acronym) for acronym, _ in GROUPS * 200))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 4
