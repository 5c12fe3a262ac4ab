"""The weights of the evidence: of texts, of lone sentences, and where candidates are given."""

import json
from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate
from spacy_gladis.linking import AcroBERT
from spacy_gladis.linking.calibration import FEATURES, Calibration
from spacy_gladis.linking.features import COMMON, COSINE, PHRASE
from spacy_gladis.research.datasets.texts import GoldMention, LabelledText
from spacy_gladis.research.evidence.fit import Labelled, usual
from spacy_gladis.research.evidence.fit_files import fit_files
from spacy_gladis.research.evidence.lone import (
    GivenQuestion,
    cross_validate_alone,
    cross_validate_given,
    fit_alone,
    fit_given,
    lone_sentences,
)
from tests.support.questions import evidence_for

RNG = np.random.default_rng(0)


def features(right: int, column: int, candidates: int = 3) -> np.ndarray:
    """Noise, but for a column that speaks for the right candidate."""
    result = RNG.normal(0, 0.3, (candidates, len(FEATURES))).astype(np.float32)
    result[:, PHRASE] = 0
    result[right, column] += 2
    return result


def given(number: int) -> list[GivenQuestion]:
    return [
        GivenQuestion(features(i % 3, COSINE), (i % 3,), f"A{i % 17}", "set") for i in range(number)
    ]


def sentence(number: int) -> Labelled:
    """Every fourth has no right candidate, and little that speaks for any."""
    right, answerable = number % 3, number % 4 != 0
    table = features(right, COMMON) if answerable else features(right, COMMON) * 0.1
    options = [Candidate(f"{name} form", {}, 0, -1) for name in ("first", "second", "third")]
    evidence = evidence_for(options, table, acronym="AF", document=number)
    return Labelled(evidence, (right,) if answerable else (), 1, int(answerable), number)


def test_what_tells_candidates_apart_gets_the_weight() -> None:
    questions = given(2880)
    result = fit_given(questions)
    assert result.cosine > 5 * max(result.common, result.glossary)
    assert cross_validate_given(questions, 3) == {"set": pytest.approx(100, abs=4)}


def test_sentences_have_weights_and_nil_of_their_own() -> None:
    document = Calibration(phrase=7.0)
    sentences = [sentence(number) for number in range(120)]
    even = np.ones(len(sentences), np.float32)
    result = fit_alone(sentences, even, document)
    assert result.phrase == 7.0  # hardly a sentence has any
    assert result.common > result.cosine
    figures = cross_validate_alone(
        sentences, [sentence.text % 3 for sentence in sentences], even, document
    )
    assert figures["mentions"] == 90
    assert figures["right"] > 90 and figures["precision"] > 90


def test_sentences_of_one_acronym_are_texts() -> None:
    text = "An MRI was done. CT and MRI agreed. The CT, the CT! Nothing here."
    mentions = tuple(
        GoldMention(start, start + len(name), name, (name.lower(),), "capitals", False)
        for name, start in (("MRI", 3), ("CT", 17), ("MRI", 24), ("CT", 40), ("CT", 48))
    )
    result = lone_sentences([LabelledText("one", "clinical", "", text, mentions)])
    assert [sentence.text for sentence in result] == ["An MRI was done.", "The CT, the CT!"]
    for sentence in result:
        assert all(sentence.text[m.start : m.end] == m.acronym for m in sentence.mentions)
    assert [len(sentence.mentions) for sentence in result] == [1, 2]


def test_an_acronym_means_what_most_of_its_mentions_mean() -> None:
    whole = GoldMention(0, 8, "wg/cgMLST", ("whole- and core-genome typing",), "mixed", False)
    mention = GoldMention(20, 26, "cgMLST", ("core-genome typing",), "mixed", False)
    assert usual([whole, mention, mention._replace(start=40, end=46)]) == ("core-genome typing",)


def test_a_model_is_fitted_from_files(
    tmp_path: Path, tiny_weights: Path, tiny_dictionary: Path
) -> None:
    passages = tmp_path / "passages" / "dev.jsonl"
    passages.parent.mkdir()
    rows = []
    for number in range(6):
        text = f"Number {number}: the CT was done. The AI of the CT helped."
        mentions = [
            {"start": start, "end": start + 2, "acronym": name, "long_forms": [meant]}
            for name, start, meant in (
                ("CT", text.index("CT"), "computed tomography"),
                ("AI", text.index("AI"), "artificial intelligence"),
            )
        ]
        rows.append(
            {"id": f"p{number}", "field": f"f{number % 3}", "text": text, "mentions": mentions}
        )
    passages.write_text("".join(json.dumps(row) + "\n" for row in rows))
    figures = fit_files(
        [passages], tmp_path / "model", model=tiny_weights, dictionary=tiny_dictionary, folds=2
    )
    assert set(figures["held_out"]) == {"passages", "sentences"}
    made = AcroBERT.load(tmp_path / "model").settings
    assert made.alone is not None and made.given is None
    assert figures["weights"]["alone"]["common"] == made.alone.common
