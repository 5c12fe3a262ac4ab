"""The baselines that find acronyms and long forms."""

import pytest

from spacy_gladis.research.extraction.systems import all_capitals, character_match


def strings(text, spans):
    return sorted(text[slice(*span)] for span in spans)


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We use a random forest (RF) here.", ["RF"], ["random forest"]),
        ("The RF (random forest) is good.", ["RF"], ["random forest"]),
        ("The RF (some forest) is good.", ["RF"], []),
        ("The RF (rare bird) is good.", ["RF"], []),
        ("An xgreat forest (GF) is good.", ["GF"], []),
        ("No match of any kind (QX) here.", ["QX"], []),
        # As published, a sentence's first token is never in a long form.
        ("Random forest (RF) wins.", ["RF"], []),
        ("A ReLU, an Xa, an X, mRNA and HTTPSERVERS.", ["ReLU"], []),
        ("", [], []),
        ("(RF)", ["RF"], []),
    ],
)
def test_character_match(text, short, long):
    found = character_match(text)
    assert (strings(text, found[0]), strings(text, found[1])) == (short, long)


def test_all_capitals():
    text = "The WHO, a B2B group, U and mRNA: É2."
    assert strings(text, all_capitals(text)) == ["B2B", "WHO", "É2"]
