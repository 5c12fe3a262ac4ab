from spacy_gladis.dictionary import Candidate
from spacy_gladis.modeling.answers import meanings


def candidates(*names: tuple[str, int]) -> list[Candidate]:
    return [Candidate(name, {"d": total}, total, row) for row, (name, total) in enumerate(names)]


def test_spellings_are_one_meaning_and_the_most_frequent_stands_for_it() -> None:
    found = candidates(
        ("computed tomographic", 2),
        ("Connecticut", 9),
        ("computed tomography", 50),
        ("computed tomography scan", 7),
        ("clinical trial", 20),
    )
    assert meanings(found) == [2, 1, 2, 2, 4]


def test_one_shared_word_is_not_one_meaning() -> None:
    found = candidates(("intake", 5), ("adequate intake", 3), ("acceptable daily intake", 3))
    assert meanings(found) == [0, 1, 2]


def test_none() -> None:
    assert meanings([]) == []
