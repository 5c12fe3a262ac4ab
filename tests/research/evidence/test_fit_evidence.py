"""Fitting of the evidence: derived texts, meanings of the text's own labels, and a whole model."""

from pathlib import Path

import numpy as np
import pytest

from spacy_gladis.dictionary import Candidate, Dictionary
from spacy_gladis.linking import AcroBERT, Linker
from spacy_gladis.linking.calibration import FEATURES
from spacy_gladis.linking.features import COMMON, COSINE
from spacy_gladis.research.datasets.texts import GoldMention, LabelledText, case_of
from spacy_gladis.research.evidence.fit import Labelled, Outcome, precisions, usual, weights_of
from spacy_gladis.research.evidence.fit_texts import FOLDS, fit_texts
from spacy_gladis.research.evidence.given import fit_given
from spacy_gladis.research.evidence.training_texts import (
    cut_excerpts,
    find_attesting_sources,
    hide_own_meanings,
    replace_acronyms,
)
from tests.support.questions import evidence_for

RNG = np.random.default_rng(0)
LEARNED = "common: health/medicine/labelled_texts"


def labelled_text(text: str, name: str = "t", source: str = "", **meanings: str) -> LabelledText:
    """Return a text in which every occurrence of the keywords' names is labelled."""
    mentions = []
    for acronym, long_form in meanings.items():
        start = text.find(acronym)
        while start >= 0:
            end = start + len(acronym)
            mentions.append(GoldMention(start, end, acronym, (long_form,), case_of(acronym), False))
            start = text.find(acronym, end)
    return LabelledText(name, "notes", source, text, tuple(sorted(mentions)))


def labelled(
    table: np.ndarray, right: tuple[int, ...], *, text: int = 0, mentions: int = 1
) -> Labelled:
    options = [Candidate(f"form {row}", {"x": 1}, 1, -1) for row in range(len(table))]
    return Labelled(evidence_for(options, table), right, mentions, mentions, text)


def test_an_acronym_means_what_most_of_its_mentions_mean() -> None:
    whole = GoldMention(0, 8, "wg/cgMLST", ("whole- and core-genome typing",), "mixed", False)
    mention = GoldMention(20, 26, "cgMLST", ("core-genome typing",), "mixed", False)
    assert usual([whole, mention, mention._replace(start=40, end=46)]) == ("core-genome typing",)


def test_given_candidates_are_weighed_by_what_tells_them_apart(
    tiny_weights: Path, tiny_dictionary: Path
) -> None:
    linker = Linker(AcroBERT.load(tiny_weights), Dictionary.open(tiny_dictionary))
    acronyms = []
    for number in range(2880):
        table = RNG.normal(0, 0.3, (3, len(FEATURES))).astype(np.float32)
        table[number % 3, COSINE] += 2
        acronyms.append(labelled(table, (number % 3,)))
    result = fit_given(linker, acronyms, np.ones(len(acronyms), np.float32))
    assert result.cosine > 5 * max(result.common, result.glossary)
    assert result.phrase == 0  # it is not computed for given candidates


def test_large_sets_count_more_but_do_not_dominate() -> None:
    table = np.zeros((2, len(FEATURES)), np.float32)
    acronyms = [labelled(table, (0,), text=number) for number in range(101)]
    weights = weights_of(acronyms, ["small", *["large"] * 100])
    assert weights.mean() == pytest.approx(1)
    assert weights[1:].sum() == pytest.approx(10 * weights[0], rel=1e-4)


def test_meanings_of_the_own_labels_are_hidden() -> None:
    texts = [
        labelled_text("The CT.", "a", "one", CT="clotting time"),
        labelled_text("The CT.", "b", "two", CT="center tap"),
        labelled_text("The CT.", "c", "one", CT="center tap"),
    ]
    attesting = find_attesting_sources(texts)
    candidates = [
        Candidate("computed tomography", {"notes": 1, LEARNED: 6}, 7, 0),
        Candidate("clotting time", {LEARNED: 6}, 6, 1),
        Candidate("center tap", {LEARNED: 6}, 6, 2),
        Candidate("clinical team", {LEARNED: 6}, 6, 3),  # of a text without labels
        Candidate("clear text", {}, 0, -1),  # a phrase of the document
    ]
    table = np.zeros((5, len(FEATURES)), np.float32)
    table[:, COMMON] = [1, 2, 3, 4, 5]
    acronym = Labelled(evidence_for(candidates, table, acronym="CT"), (1,), 1, 1, 0)
    hidden = hide_own_meanings(acronym, "one", attesting)
    names = [candidate.long_form for candidate in hidden.evidence.question.candidates]
    assert names == ["computed tomography", "center tap", "clinical team", "clear text"]
    assert hidden.right == () and hidden.evidence.mean_table[:, COMMON].tolist() == [1, 3, 4, 5]
    assert hide_own_meanings(acronym, "two", attesting) is acronym


def test_excerpts_are_whole_sentences_with_their_mentions() -> None:
    text = "An MRI was done on Monday. The patient went home. CT and MRI agreed on the next day."
    texts = [labelled_text(text, f"t{n}", MRI="imaging", CT="tomography") for n in range(40)]
    excerpts = list(cut_excerpts(texts, seed=0))
    assert 20 < len(excerpts) < 40  # the middle sentence has no acronym
    for excerpt in excerpts:
        assert excerpt.text in text and excerpt.text[-1] == "."
        assert excerpt.mentions
        for mention in excerpt.mentions:
            assert excerpt.text[mention.start : mention.end] == mention.acronym
    assert list(cut_excerpts(texts, seed=0)) == excerpts


def test_random_letters_replace_an_acronym_and_have_no_meaning(tiny_dictionary: Path) -> None:
    dictionary = Dictionary.open(tiny_dictionary)
    text = labelled_text("The XQZ of the JKW, and the XQZ.", XQZ="one", JKW="another")
    [replaced] = replace_acronyms([text], dictionary, seed=0)
    assert [m.acronym for m in replaced.mentions if m.long_forms] != ["XQZ", "JKW", "XQZ"]
    for mention in replaced.mentions:
        assert replaced.text[mention.start : mention.end] == mention.acronym
        assert mention.long_forms or dictionary.count(mention.acronym)
    assert not list(replace_acronyms([labelled_text("The XQZ.", XQZ="one")], dictionary, seed=0))


def test_precisions_are_the_mean_of_the_sets() -> None:
    first = [Outcome(0.9, True, 1, 1), Outcome(0.6, False, 1, 1), Outcome(0.6, True, 2, 2)]
    second = [Outcome(0.8, True, 1, 1), Outcome(0.0, False, 1, 1)]
    measured = dict(precisions([first, second]))
    assert measured[0.5] == pytest.approx((3 / 4 + 1) / 2)
    assert measured[0.8] == 1 and 0.85 not in measured  # the second set has no answers left


def test_a_model_is_fitted_on_labelled_texts(
    tmp_path: Path, tiny_weights: Path, tiny_dictionary: Path
) -> None:
    texts = [
        labelled_text(
            f"Number {number}: the CT was done. The AI of the CT helped.",
            f"t{number}",
            f"source {number}",
            CT="computed tomography",
            AI="artificial intelligence",
        )
        for number in range(16)
    ]
    messages: list[str] = []
    figures = fit_texts(
        {"passages": texts},
        tmp_path / "model",
        model=tiny_weights,
        dictionary=tiny_dictionary,
        report=messages.append,
    )
    assert figures["folds"] == FOLDS
    assert {"passages", "excerpts"} <= set(figures["held_out"])
    model = AcroBERT.load(tmp_path / "model")
    assert model.projection.matrix.shape == (model.width, model.width)
    assert len(model.network) and model.settings.given is not None
    assert figures["weights"]["given"]["match"] == model.settings.given.match
    assert list(map(tuple, figures["precisions"])) == list(model.settings.precisions)
    assert any("Fold 4 of 4" in message for message in messages)
