"""Texts with long forms inserted."""

import pytest
import spacy
from spacy.tokens import Doc

from spacy_gladis.output.expansion import Expand, expand
from spacy_gladis.output.markup import as_markup

MEANINGS = {
    "AI": "adequate intake",
    "CNN": "convolutional neural network",
    "MRI": "magnetic resonance imaging",
    "PR": "pull request",
    "SUV": "utility vehicle",
}


@pytest.mark.parametrize(
    ("text", "first", "every"),
    [
        (
            "The AI, an AI.",
            "The adequate intake (AI), an AI.",
            "The adequate intake, an adequate intake.",
        ),
        (
            "CNNs see. A CNN sees.",
            "Convolutional neural networks (CNNs) see. A CNN sees.",
            "Convolutional neural networks see. A convolutional neural network sees.",
        ),
        (
            "An MRI of an SUV.",
            "A magnetic resonance imaging (MRI) of a utility vehicle (SUV).",
            "A magnetic resonance imaging of a utility vehicle.",
        ),
        (
            "World Health Organization (WHO). The WHO.",
            "World Health Organization (WHO). The WHO.",
            "World Health Organization (WHO). The World Health Organization.",
        ),
        (
            "The WHO met. World Health Organization (WHO).",
            "The World Health Organization (WHO) met. World Health Organization (WHO).",
            "The World Health Organization met. World Health Organization (WHO).",
        ),
        (
            "The PR. Every PR.",
            "The pull request (PR). Every PR.",
            "The pull request. Every pull request.",
        ),
        ("An API, unknown.", "An API, unknown.", "An API, unknown."),
        ("", "", ""),
    ],
)
def test_expanded(resolve, text, first, every):
    assert expand(resolve(text, **MEANINGS), Expand.first) == first
    assert expand(resolve(text, **MEANINGS), Expand.all) == every


@pytest.mark.parametrize(
    ("before", "capital"),
    [
        ("", True),
        ("It ends. ", True),
        ("So what?) ", True),
        ("Title\n\n", True),
        ("a line\n", False),
        ("e.g. ", False),
        ("see Fig. ", False),
        ("the ", False),
        (" " * 200, False),
    ],
)
def test_a_sentence_begins_with_a_capital(resolve, before, capital):
    wanted = "Adequate intake." if capital else "adequate intake."
    assert expand(resolve(before + "AI.", **MEANINGS), Expand.all) == before + wanted


def test_other_languages_keep_their_words(resolve):
    doc = resolve("Sie hat a AI und CNNs", **MEANINGS)
    german = Doc(spacy.blank("de").vocab).from_bytes(doc.to_bytes())
    assert expand(german, Expand.all) == (
        "Sie hat a adequate intake und convolutional neural network"
    )


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("neural network", "neural network"),
        ("x*y", "pass:c[x*y]"),
        ("a [b] | c", r"pass:c[a [b\] \| c]"),
    ],
)
def test_signs_of_asciidoc_in_a_long_form_mean_themselves(text, markup):
    assert as_markup(text, "asciidoc") == markup
