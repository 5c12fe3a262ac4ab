"""The weight of definitions in other documents: gathering its evidence, and fitting it."""

import math
from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate
from spacy_gladis.linking import AcroBERT
from spacy_gladis.linking.calibration import FEATURES
from spacy_gladis.linking.features import FOLDER
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.research.datasets.texts import GoldMention, LabelledText, case_of
from spacy_gladis.research.evidence.fit import Labelled
from spacy_gladis.research.evidence.fit_texts import fit_texts
from spacy_gladis.research.evidence.folder import (
    FolderExample,
    fit_folder_weight,
    gather_together,
    make_folder_example,
)
from spacy_gladis.research.tasks.texts.folders import collect_from_others
from tests.support.questions import evidence_for


def document(text: str, name: str, repository: str, **meanings: str) -> LabelledText:
    """Return a document in which the first occurrence of each keyword is labelled."""
    mentions = []
    for acronym, long_form in meanings.items():
        start = text.index(acronym)
        end = start + len(acronym)
        mentions.append(GoldMention(start, end, acronym, (long_form,), case_of(acronym), False))
    return LabelledText(name, "notes", repository, text, tuple(mentions))


def example(*, defined: float, right: tuple[int, ...]) -> FolderExample:
    """Return an example with two equal candidates and an impossible NIL."""
    logits = np.array([0, 0, -100], np.float32)
    return FolderExample(logits, np.array([defined, 0, 0], np.float32), right, 1.0)


def test_the_weight_is_the_log_odds_that_a_definition_holds() -> None:
    examples = [example(defined=1, right=(0,))] * 90 + [example(defined=1, right=(1,))] * 10
    assert fit_folder_weight(examples) == pytest.approx(math.log(9), abs=0.05)


def test_definitions_that_never_hold_have_no_weight() -> None:
    assert fit_folder_weight([example(defined=1, right=(1,))] * 20) == pytest.approx(0, abs=0.05)


def test_an_acronym_without_a_right_candidate_is_right_as_nil() -> None:
    table = np.zeros((2, len(FEATURES)), np.float32)
    table[0, FOLDER] = 1
    options = [Candidate("one", {}, 0, -1), Candidate("two", {}, 0, -1)]
    acronym = Labelled(evidence_for(options, table), (), 1, 1, 0)
    made = make_folder_example(acronym, np.zeros(2, np.float32), 0.5, 2.0)
    assert made.right == (2,) and made.logits.tolist() == [0, 0, 0.5]


TEXTS = [
    document("The adequate intake (AI) is low.", "one/a.md", "one"),
    document("The AI of iron.", "one/b.md", "one", AI="adequate intake"),
    document("The AI learns.", "two/a.md", "two", AI="artificial intelligence"),
    document("The AI.", "c.md", "", AI="artificial intelligence"),
]


def test_only_other_documents_of_the_repository_are_evidence(
    tiny_weights: Path, tiny_dictionary: Path
) -> None:
    nlp = load_pipeline(tiny_weights, dictionary=tiny_dictionary)
    collected = list(collect_from_others(nlp, TEXTS))
    assert [list(definitions.meanings("AI")) for definitions in collected] == [
        [],
        ["adequate intake"],
        [],
        [],
    ]
    [acronym] = gather_together(nlp, TEXTS, {})
    question = acronym.evidence.question
    assert acronym.text == 1 and len(acronym.right) == 1
    assert question.folder[acronym.right[0]] == acronym.evidence.mean_table[acronym.right, FOLDER]


def test_the_weight_is_fitted_on_documents(
    tmp_path: Path, tiny_weights: Path, tiny_dictionary: Path
) -> None:
    documents = [
        document(text.text, f"{number}/{text.name}", str(number), **meanings)
        for number in range(12)
        for text, meanings in zip(TEXTS[:2], ({}, {"AI": "adequate intake"}), strict=True)
    ]
    passages = [
        document(
            f"Number {number}: the CT was done. The AI of the CT helped.",
            *(f"t{number}", f"source {number}"),
            CT="computed tomography",
            AI="artificial intelligence",
        )
        for number in range(16)
    ]
    fit_texts(
        {"documents": documents, "passages": passages},
        tmp_path / "model",
        model=tiny_weights,
        dictionary=tiny_dictionary,
    )
    model = AcroBERT.load(tmp_path / "model")
    fitted = model.settings.calibration.folder
    assert 0 < fitted != 12.0
    assert 0 < model.network.arrays["linear"][FOLDER] != 12.0
