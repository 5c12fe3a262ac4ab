"""Explanations of answers as Markdown."""

from spacy_gladis.output.explanation import MOST_RUNNERS_UP, explain
from spacy_gladis.resolution import Resolution

CANDIDATES = (("magnetic *resonance* imaging", 0.9), ("mean recurrence interval", 0.05))


def test_an_answer_is_explained_with_its_gloss_its_origin_and_the_runners_up():
    answer = Resolution(
        "MRI", CANDIDATES[0][0], 0.9, "dictionary", CANDIDATES, ("common",), "", "scan"
    )
    assert explain(answer).split("\n\n") == [
        r"**MRI**: magnetic \*resonance\* imaging",
        "*scan*",
        "Probability 0.90: common",
        "Other candidates: mean recurrence interval (0.05)",
    ]
    assert "Probability 0.90: defined [here](x)" in explain(answer, "defined [here](x)")


def test_an_unknown_acronym_has_its_candidates():
    many = tuple((f"long form {number}", 0.01) for number in range(9))
    first, last = explain(Resolution("XYZ", None, 0.0, "nil", many)).split("\n\n")
    assert first == "**XYZ**: unknown"
    assert last.count("long form") == MOST_RUNNERS_UP
    assert explain(Resolution("XYZ", None, 0.0, "nil")) == "**XYZ**: unknown"
