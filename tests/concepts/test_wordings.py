"""Other wordings of a phrase."""

import pytest

from spacy_gladis.concepts import ConceptMention
from spacy_gladis.concepts.expansion import expand_acronyms, split_coordination

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
