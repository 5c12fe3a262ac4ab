"""Words of long forms and glosses near a mention."""

import numpy as np
import pytest

from spacy_gladis.linking.neighbours import GLOSS_REACH, _scan_text, count_gloss_words
from spacy_gladis.text import Mention

GLOSS = "section of a GP clinical note; PMH, DH, SH, patient, onset"


def count(text: str, gloss: str = GLOSS, acronym: str = "HPC") -> float:
    start = text.index(acronym)
    [value] = count_gloss_words(Mention(text, start, start + len(acronym)), [gloss])
    return float(np.expm1(value).round())


def test_words_and_acronyms_of_a_gloss_count_once() -> None:
    assert count("The patients: HPC, PMH. PMHs and PMH.") == 2
    assert count("The HPC of the sections") == 1  # words agree in their first letters
    assert count("HPC pmh dh") == 0  # acronyms are compared as they are written


def test_the_acronym_itself_and_a_missing_gloss_do_not_count() -> None:
    assert count("HPC HPC", "a computer; HPC, cluster") == 0
    assert count("HPC of the patient", "") == 0


def test_words_far_from_the_mention_do_not_count() -> None:
    near, far = "x " * (GLOSS_REACH // 4), "x " * GLOSS_REACH
    assert count(f"HPC {near} patient") == 1
    assert count(f"HPC {far} patient") == 0
    assert count(f"patient {far} HPC") == 0


@pytest.mark.parametrize(
    ("acronym", "gloss"),
    [("NAFLD", "liver disease; NAFLD, ALT"), ("HPCs", "a clinical note; HPCs, HPC, PMH")],
)
def test_no_spelling_of_the_own_acronym_counts(acronym: str, gloss: str) -> None:
    assert count(f"The {acronym} of a {acronym}", gloss, acronym) == 0
    assert count(f"The {acronym}, ALT and PMH", gloss, acronym) == 1


def test_a_text_is_scanned_once_for_all_glosses_and_mentions() -> None:
    text = "The HPC of a patient, and another HPC."
    before = _scan_text.cache_info().misses
    for start in (4, text.rindex("HPC")):
        count_gloss_words(Mention(text, start, start + 3), [GLOSS, f"{GLOSS}, BP", "patient"] * 50)
    assert _scan_text.cache_info().misses == before + 1
