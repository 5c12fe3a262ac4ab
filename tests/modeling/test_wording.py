from spacy_gladis.modeling.evidence import REACH, initials, overlap
from spacy_gladis.rules import Mention

SENTENCE = "scans of the CT group were sharper than other tomographic images"
AT = SENTENCE.index("CT")


def test_initials_tell_the_candidates_apart() -> None:
    names = ["celiac disease", "cadaver", "Crohn's disease", "cumulative radiation dose"]
    assert initials("CD", names).tolist() == [1, 0, 1, 0]
    assert initials("CD", []).tolist() == []


def test_an_echo_is_the_number_of_words_that_stand_near() -> None:
    names = ["computed tomography", "group tomographies", "central time", "CT"]
    assert overlap(Mention(SENTENCE, AT, AT + 2), names).tolist() == [1, 2, 0, 0]


def test_the_mention_itself_is_no_echo() -> None:
    text = "the Group met"
    assert overlap(Mention(text, 4, 9), ["group of states"]).tolist() == [0]


def test_what_stands_far_away_is_no_echo() -> None:
    text = "tomography " + "x" * REACH + " CT " + "x" * REACH + " tomography"
    at = text.index("CT")
    assert overlap(Mention(text, at, at + 2), ["computed tomography"]).tolist() == [0]
