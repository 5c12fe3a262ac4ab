import pytest

from spacy_gladis.errors import InputError, MissingExtraError
from spacy_gladis.research.disambiguation.systems import registry
from spacy_gladis.research.disambiguation.systems.registry import (
    SYSTEMS,
    Resources,
    System,
    find_systems,
    make,
)


def test_all_leaves_out_what_lacks_something_and_says_why() -> None:
    names, left_out = find_systems(["all"], Resources())
    assert "first" in names and "bm25" in names
    assert "--bert" in left_out["bert-next-sentence"]
    assert "project run parser" in left_out["gad"]
    assert set(names) | set(left_out) == set(SYSTEMS)
    assert not set(names) & set(left_out)


def test_a_system_asked_for_by_name_must_have_all_it_needs() -> None:
    with pytest.raises(InputError, match="--bert"):
        find_systems(["first", "bert-next-sentence"], Resources())


def test_names_come_once_in_their_order() -> None:
    assert find_systems(["popularity", "first", "popularity"], Resources()) == (
        ["popularity", "first"],
        {},
    )


def test_an_unknown_name_is_answered_with_the_one_meant() -> None:
    with pytest.raises(InputError, match="Did you mean 'popularity'"):
        find_systems(["populartiy"], Resources())
    with pytest.raises(InputError, match=r"No system 'xyz'\. There are: all, first"):
        find_systems(["xyz"], Resources())


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    absent = System("Absent", "first_candidate:FirstCandidate", packages=("no_such_package",))
    monkeypatch.setitem(registry.SYSTEMS, "absent", absent)
    with pytest.raises(MissingExtraError, match=r"no_such_package.*spacy-gladis\[evaluation\]"):
        make("absent", Resources())


@pytest.mark.parametrize("name", ["first", "most-frequent", "popularity", "bm25", "classifier"])
def test_light_systems_are_made_by_name(name: str) -> None:
    for package in SYSTEMS[name].packages:
        pytest.importorskip(package)
    assert hasattr(make(name, Resources()), "predict")
