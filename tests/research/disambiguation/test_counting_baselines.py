import pytest

from spacy_gladis.dictionary import Candidate
from spacy_gladis.errors import InputError
from spacy_gladis.research.datasets.sample import Sample
from spacy_gladis.research.disambiguation.systems.counting import (
    FirstCandidate,
    MostFrequent,
    Popularity,
)
from spacy_gladis.research.disambiguation.systems.registry import (
    SYSTEMS,
    Resources,
    System,
    find_systems,
)

OPTIONS = [
    Candidate("heart rate", {"medicine": 6, "sport": 1}, 7, 0),
    Candidate("human resources", {"business": 21}, 21, 1),
    Candidate("home run", {"sport": 0}, 0, 2),
]


def sample(long_form: str, acronym: str = "HR") -> Sample:
    return Sample(acronym, long_form, f"The {acronym} rose.", 4, 4 + len(acronym))


def test_first_candidate() -> None:
    scores = FirstCandidate().predict([sample("home run")] * 2, [OPTIONS, []])
    assert scores[0].tolist() == [1, 0, 0]
    assert scores[1].shape == (0,)


def test_popularity_is_the_share_of_the_counts() -> None:
    (scores,) = Popularity().predict([sample("home run")], [OPTIONS])
    assert scores == pytest.approx([0.25, 0.75, 0])
    uncounted = [one._replace(total=0) for one in OPTIONS]
    (scores,) = Popularity().predict([sample("home run")], [uncounted])
    assert scores == pytest.approx([1 / 3] * 3)
    assert Popularity().predict([sample("x")], [[]])[0].shape == (0,)


def test_most_frequent_counts_each_acronym_by_itself() -> None:
    baseline = MostFrequent()
    baseline.fit([sample("home run"), sample("home run"), sample("heart rate"), sample("x", "X")])
    known, unknown = baseline.predict([sample("?"), sample("?", "HRX")], [OPTIONS, OPTIONS])
    assert known == pytest.approx([1 / 3, 0, 2 / 3])
    assert unknown.tolist() == [0, 0, 0]


def test_all_leaves_out_what_lacks_something_and_says_why() -> None:
    names, left_out = find_systems(["all"], Resources())
    assert "first" in names and "bm25" in names
    assert "--bert" in left_out["bert-embedding"]
    assert "project run parser" in left_out["gad"]
    assert set(names) | set(left_out) == set(SYSTEMS)
    assert not set(names) & set(left_out)


def test_a_system_asked_for_by_name_must_have_all_it_needs() -> None:
    with pytest.raises(InputError, match="--bert"):
        find_systems(["first", "bert-embedding"], Resources())


def test_names_come_once_in_their_order_and_an_unknown_one_gets_the_one_meant() -> None:
    asked = ["popularity", "first", "popularity"]
    assert find_systems(asked, Resources()) == (["popularity", "first"], {})
    with pytest.raises(InputError, match="Did you mean 'popularity'"):
        find_systems(["populartiy"], Resources())
    with pytest.raises(InputError, match=r"No system 'xyz'\. There are: all, first"):
        find_systems(["xyz"], Resources())


def test_a_missing_package_is_named_with_its_extra() -> None:
    absent = System("Absent", lambda of: FirstCandidate(), packages=("no_such_package",))
    assert "spacy-gladis[evaluation]" in str(absent.lacks(Resources()))
