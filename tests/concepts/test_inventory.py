"""The inventory: what comes out is what went in, and bad input is reported."""

import json
import pickle

import numpy as np
import pytest

from spacy_gladis.concepts import (
    Concept,
    ConceptMention,
    Inventory,
    build_inventory,
    write_inventory,
)
from spacy_gladis.concepts.columns import map_columns, write_columns
from spacy_gladis.concepts.trigrams import TrigramIndex
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.linking.concepts.evidence import expand_acronyms, split_coordination
from spacy_gladis.problem import ProblemLog

CONCEPTS = [
    Concept("D2", ("Headache", "Cephalalgia"), ("OLD2",), "finding", "Pain in the head.", ("D1",)),
    Concept("D1", ("Pain", "Ache", "Pain"), domain="finding"),
    Concept("D3", ("Migraine", "Sick headaches"), parents=("D2", "GONE")),
]


@pytest.fixture
def problems():
    return ProblemLog()


@pytest.fixture
def inventory(tmp_path, problems):
    write_inventory(CONCEPTS, tmp_path / "pain.concepts", problems)
    return Inventory.open(tmp_path / "pain.concepts")


def test_a_concept_comes_back_as_it_was(inventory, problems):
    assert list(inventory.ids) == ["D1", "D2", "D3"]
    assert inventory.concept(2).parents == ("D2",)
    assert problems.counts == {"parent not there": 1}
    assert inventory.concept(1) == CONCEPTS[0]
    assert inventory.concept(0).names == ("Pain", "Ache")
    assert [inventory.preferred_name(number) for number in range(3)] == [
        "Pain",
        "Headache",
        "Migraine",
    ]
    assert inventory.owners.tolist() == [0, 0, 1, 1, 2, 2]


@pytest.mark.parametrize(
    ("id", "number"), [("D1", 0), (" D3 ", 2), ("MESH:D2", 1), ("OLD2", 1), ("D", None), ("", None)]
)
def test_an_id_is_found_with_blanks_prefix_or_under_an_old_name(inventory, id, number):
    assert inventory.find(id) == number


def test_a_name_is_found_without_case_punctuation_and_plural(inventory):
    assert inventory.lookup("sick head-ache") == [2]
    assert inventory.lookup("SICK HEADACHE") == [2]
    assert inventory.lookup("aches") == [0]
    assert inventory.lookup("head") == []
    both = build_inventory([Concept("A", ("cold",)), Concept("B", ("Cold", "chill"))])
    assert sorted(both.lookup("cold")) == [0, 1]


def test_sources_complete_each_other(problems):
    first = Concept("X", ("one",), definition="first")
    inventory = build_inventory(
        [first, Concept("X", ("two", "one"), definition="second")], problems
    )
    assert inventory.concept(0) == Concept("X", ("one", "two"), definition="first")
    assert json.loads(inventory.metadata["counts"])["records with the id of another"] == 1


def test_a_concept_under_another_one_s_alternate_id_joins_it(problems):
    whole = build_inventory([Concept("A", ("a",), ("B",)), Concept("B", ("b",))], problems)
    assert whole.concept(0) == Concept("A", ("a", "b"), ("B",))
    assert not problems.counts


def test_two_that_are_each_other_s_alternate_stay_two():
    assert len(build_inventory([Concept("A", ("a",), ("B",)), Concept("B", ("b",), ("A",))])) == 2


def test_concepts_without_name_or_id_are_left_out_and_counted(problems):
    kept = build_inventory([Concept("A", ("", " ")), Concept("", ("x",)), CONCEPTS[1]], problems)
    assert list(kept.ids) == ["D1"]
    assert problems.counts == {"no name": 1, "no id": 1}
    with pytest.raises(InputError, match="no concept with a name"):
        build_inventory([], problems)


def test_an_alternate_id_belongs_to_the_first_that_claims_it(problems):
    both = [Concept("A", ("a",), ("OLD",)), Concept("B", ("b",), ("OLD",))]
    assert build_inventory(both, problems).find("OLD") == 0
    assert problems.counts == {"alternate id taken": 1}


@pytest.mark.parametrize(("parent", "size"), [("A", 3), ("B", 2), ("C", 1)])
def test_a_cycle_is_reported(problems, parent, size):
    circle = [Concept("A", ("a",), parents=("B",)), Concept("B", ("b",), parents=("C",))]
    build_inventory([*circle, Concept("C", ("c",), parents=(parent,))], problems)
    assert problems.counts == {"cycle": 1}
    assert problems.examples["cycle"][0].detail.startswith(f"{size} concepts")


def test_an_inventory_travels_as_its_path(inventory):
    assert pickle.loads(pickle.dumps(inventory)).fingerprint == inventory.fingerprint
    with pytest.raises(InputError, match="cannot be pickled"):
        pickle.dumps(build_inventory(CONCEPTS, ProblemLog()))


def test_the_fingerprint_is_that_of_the_content(inventory):
    assert build_inventory(CONCEPTS, ProblemLog()).fingerprint == inventory.fingerprint
    assert build_inventory(CONCEPTS[:2], ProblemLog()).fingerprint != inventory.fingerprint


def test_other_files_are_refused(tmp_path, inventory):
    with pytest.raises(InputError, match="cannot be read"):
        Inventory.open(tmp_path / "none.concepts")
    (tmp_path / "text.concepts").write_text("id\tname\n" * 9)
    with pytest.raises(FormatError, match="in another format, truncated or damaged"):
        Inventory.open(tmp_path / "text.concepts")
    (tmp_path / "half.concepts").write_bytes(inventory.path.read_bytes()[:-100])
    with pytest.raises(FormatError, match="ends too early"):
        Inventory.open(tmp_path / "half.concepts")
    write_columns(tmp_path / "other.concepts", {"a": np.arange(3, dtype=np.uint32)}, {"kind": "x"})
    assert map_columns(tmp_path / "other.concepts")[0]["a"].tolist() == [0, 1, 2]
    with pytest.raises(FormatError, match="not an inventory"):
        Inventory.open(tmp_path / "other.concepts")


def test_equal_columns_are_equal_bytes(tmp_path):
    metadata = {str(number): "x" for number in range(9)}
    contents = set()
    for _ in range(9):
        write_columns(tmp_path / "a", {"a": np.arange(3, dtype=np.uint32)}, metadata)
        contents.add((tmp_path / "a").read_bytes())
    assert len(contents) == 1
    assert map_columns(tmp_path / "a")[1] == metadata


NAMES = ["sore toe", "sore head", "sore knee", "sore back", "headache", "toe nail", "potassium"]


def test_the_nearest_come_first_with_their_cosines():
    index = TrigramIndex(NAMES)
    ((numbers, scores), (none, _)) = index.nearest(["Sore toe", "qqq"], 3)
    assert numbers[0] == 0 and scores[0] == pytest.approx(1)
    assert len(numbers) == 3 and list(scores) == sorted(scores, reverse=True)
    assert index.cosines("Sore toe", numbers) == pytest.approx(scores)
    assert len(none) == 0


def test_common_trigrams_may_be_passed_over():
    index = TrigramIndex(NAMES)
    (exact,) = index.nearest(["sore toe"], 7)
    index.ignore_common(0.4)  # those of "sore"
    (numbers, scores), (gone, _) = index.nearest(["sore toe", "sore"], 7)
    assert set(numbers.tolist()) == {0, 5} < set(exact[0].tolist())
    assert scores[0] == pytest.approx(1)
    assert len(gone) == 0


TEXT = "Sore toe syndrome (STS) hurts. In STS patients, severe STS type 2 is rare."


def mention(phrase, text=TEXT):
    return ConceptMention(phrase, (), text, text.rfind(phrase))


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("STS type 2", "Sore toe syndrome type 2"),
        ("Sore toe syndrome (STS)", "Sore toe syndrome"),
        ("patients", "patients"),
    ],
)
def test_acronyms_are_spelt_out(phrase, expected):
    assert expand_acronyms([mention(phrase)]) == [expected]


def test_a_phrase_without_a_place_stays_as_it_is():
    assert (
        expand_acronyms([ConceptMention("STS", (), TEXT, -1), ConceptMention("STS")]) == ["STS"] * 2
    )


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("breast and ovarian cancers", ["breast cancers", "ovarian cancers"]),
        ("colon, breast, and lung cancer", ["colon cancer", "breast cancer", "lung cancer"]),
        ("sore toe or gout", ["sore toe", "gout"]),
        ("sandy toe", []),
    ],
)
def test_what_a_phrase_joins_comes_apart(phrase, expected):
    assert split_coordination(phrase) == expected
