"""Answers of the packaged weights stay the same where a text changes in ways that mean nothing."""

import random
import re

import pytest

from spacy_gladis.pipeline.load import load_pipeline

TEXTS = (
    "The patient had an MRI of the brain and a CT of the chest. Her ECG was normal. "
    "The ICU team asked for an EEG.",
    "We trained a CNN and an LSTM on each GPU. The API returns JSON over HTTP. "
    "Our CI builds the SDK every night.",
    "The FDA approved the drug in May. The CDC and the WHO published guidance on HIV. "
    "The NIH pays for the RCT.",
    "NASA will launch the satellite from KSC. The ISS crew repaired the EVA suit. "
    "ESA built the module in LEO.",
)


def answers(text):
    """Return the long forms of a text's acronyms, in the order of the text."""
    doc = load_pipeline()(text)
    return [
        (span._.resolution.acronym, span._.resolution.long_form) for span in doc.spans["acronyms"]
    ]


def meanings(text):
    """Return the long form of each acronym, by its letters."""
    return {re.sub(r"[.\s]|s$", "", acronym): meaning for acronym, meaning in answers(text)}


@pytest.fixture(params=range(len(TEXTS)))
def text(request):
    return TEXTS[request.param]


def test_most_acronyms_are_answered(text):
    result = answers(text)
    assert len(result) >= 5 and sum(meaning is not None for _, meaning in result) >= 0.8 * len(
        result
    )


def test_line_breaks_change_nothing(text):
    words = text.split()
    broken = "".join(word + ("\n" if i % 4 == 3 else " ") for i, word in enumerate(words))
    assert answers(broken) == answers(text)


def test_blanks_change_nothing(text):
    assert answers(text.replace(" ", "  ")) == answers(text)


def test_quotes_and_brackets_change_nothing(text):
    quoted = re.sub(r"\b(MRI|GPU|FDA|ISS)\b", "\u201c\\1\u201d", text)
    assert quoted != text and answers(quoted) == answers(text)


def test_moved_sentences_keep_their_answers(text):
    sentences = re.split(r"(?<=\.) ", text)
    for seed in range(3):
        moved = random.Random(seed).sample(sentences, len(sentences))
        assert meanings(" ".join(moved)) == meanings(text)


@pytest.mark.parametrize("acronym", ["MRI", "CNN", "GPU", "RCT", "CT", "SDK"])
def test_plurals_mean_the_same(acronym):
    text = next(text for text in TEXTS if re.search(rf"\b{acronym}\b", text))
    plural = re.sub(rf"\b{acronym}\b", f"{acronym}s", text)
    assert meanings(plural) == meanings(text)


@pytest.mark.parametrize("acronym", ["MRI", "FDA", "CDC", "ICU"])
def test_full_stops_mean_the_same(acronym):
    text = next(text for text in TEXTS if re.search(rf"\b{acronym}\b", text))
    dotted = re.sub(rf"\b{acronym}\b", ".".join(acronym) + ".", text)
    assert meanings(dotted) == meanings(text)


@pytest.mark.parametrize("hyphen", ["-", "\u2010", "\u2011", "\u2013"])
@pytest.mark.parametrize("compound", ["MRI{}guided", "CT{}based", "ECG{}gated"])
def test_kinds_of_hyphens_mean_the_same(hyphen, compound):
    text = f"The patient had a biopsy, {compound} and quick, in the ICU."
    assert meanings(text.format(hyphen)) == meanings(text.format("-"))


@pytest.mark.parametrize("acronym", ["MRI", "ECG", "ICU"])
def test_small_letters_mean_the_same(acronym):
    small = TEXTS[0].replace(acronym, acronym.lower())
    spellings = dict(answers(small))
    assert spellings.get(acronym.lower(), "not found") == dict(answers(TEXTS[0]))[acronym]


def test_a_document_cut_in_two_has_the_same_answers():
    whole = answers("\n\n".join(TEXTS[:2]))
    parts = answers(TEXTS[0]) + answers(TEXTS[1])
    assert [acronym for acronym, _ in whole] == [acronym for acronym, _ in parts]
    assert sum(a == b for a, b in zip(whole, parts, strict=True)) >= len(parts) - 1


def test_batches_change_nothing():
    expected = [answers(text) for text in TEXTS]
    for size in (1, 2, 4):
        docs = load_pipeline().pipe(TEXTS, batch_size=size)
        given = [
            [
                (span._.resolution.acronym, span._.resolution.long_form)
                for span in doc.spans["acronyms"]
            ]
            for doc in docs
        ]
        assert given == expected
