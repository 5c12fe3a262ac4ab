"""The weights of the evidence, fitted on labelled texts whose fields are held out in turn.

Every acronym of every text is gathered once, with the features of its candidates. A fit and the
fields of a document depend on each other, so they alternate: weights, fields, weights, fields.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from spacy.language import Language

from ....dictionary import same_key
from ....metrics.calibration import expected_calibration_error
from ....modeling.calibration import Calibration, Floats
from ....modeling.disambiguator import AcronymInDocument, Disambiguator
from ....pipeline.acrobert_linker import AcroBERTLinker
from ....pipeline.annotations import definition_of, mention_offsets
from ....rules import Mention, merge_key
from ...datasets.texts import GoldMention, LabelledText
from ...training.logit import fit_calibration

FITTED = (
    *("cosine", "sense", "unseen", "seen", "domain_prior", "count_prior", "sources", "glossary"),
    *("common", "initials", "attested", "echo", "field", "phrase"),
    *("nil", "nil_candidates", "nil_words", "nil_density"),
)
RIDGE = 1e-4
ALTERNATIONS = 3


class Labelled(NamedTuple):
    """An acronym in a text, and what it means there.

    group: its evidence. right: rows of the right candidates. mentions: how many gold mentions it
    stands for, those of no acronym included. answerable: how many of them have a meaning. text: the
    text's number.
    """

    group: AcronymInDocument
    right: tuple[int, ...]
    mentions: int
    answerable: int
    text: int


class Gathered(NamedTuple):
    """The acronyms of all texts; `lost` gold mentions a text were not found, or are defined."""

    acronyms: list[Labelled]
    lost: dict[int, int]


def gather(
    nlp: Language, texts: Sequence[LabelledText], report: Callable[[int], None] = lambda done: None
) -> Gathered:
    """The labelled acronyms of the texts, as the pipeline's linker sees them.

    report: is given how many texts are done.
    """
    linker = nlp.get_pipe("acrobert_linker")
    assert isinstance(linker, AcroBERTLinker)
    disambiguator = linker.open()
    acronyms: list[Labelled] = []
    lost: dict[int, int] = {}
    with nlp.select_pipes(disable=["acrobert_linker"]):
        docs = nlp.pipe(one.text for one in texts)
        for number, (text, doc) in enumerate(zip(texts, docs, strict=True)):
            spans = doc.spans[linker.cfg["spans_key"]]
            places = [mention_offsets(spans, s) for s in spans if definition_of(spans, s) is None]
            mentions = [Mention(text.text, start, end, number) for start, end in places]
            groups = disambiguator.group(mentions)
            disambiguator.read(mentions, groups)
            asked = [gold for gold in text.mentions if not gold.defined]
            met = 0
            for group in groups:
                here = [gold for gold in asked if _meets(gold, [places[i] for i in group.places])]
                met += len(here)
                if here:
                    meant = [gold for gold in here if gold.long_forms]
                    right = _right(group, meant[0]) if meant else ()
                    acronyms.append(Labelled(group, right, len(here), len(meant), number))
            lost[number] = sum(bool(gold.long_forms) for gold in asked) - sum(
                one.answerable for one in acronyms if one.text == number
            )
            report(number + 1)
    return Gathered(acronyms, lost)


def _meets(gold: GoldMention, places: Iterable[tuple[int, int]]) -> bool:
    return any(start < gold.end and gold.start < end for start, end in places)


def _right(group: AcronymInDocument, gold: GoldMention) -> tuple[int, ...]:
    keys = {key(name) for name in gold.long_forms for key in (merge_key, same_key)}
    return tuple(
        row
        for row, one in enumerate(group.candidates)
        if {merge_key(one.long_form), same_key(one.long_form)} & keys
    )


def fit_evidence(
    disambiguator: Disambiguator, acronyms: Sequence[Labelled], weights: Floats
) -> Calibration:
    """The weights that make the right answers likeliest; leaves them in the disambiguator.

    weights: how much each acronym counts, [acronyms].
    """
    start = replace(Calibration(), correction=0.0)
    nil = np.stack([one.group.surroundings for one in acronyms])
    answers = [one.right for one in acronyms]
    found = start
    for _ in range(ALTERNATIONS):
        questions = [np.mean(one.group.features, axis=0) for one in acronyms]
        found = fit_calibration(
            questions, answers, start, FITTED, nil=nil, weights=weights, ridge=RIDGE
        )
        use(disambiguator, found, acronyms)
    return found


def use(
    disambiguator: Disambiguator, calibration: Calibration, acronyms: Sequence[Labelled]
) -> None:
    """Let the disambiguator weigh by `calibration`, and the documents' fields be anew."""
    model = disambiguator.model
    model.settings = replace(model.settings, calibration=calibration)
    texts: defaultdict[int, list[AcronymInDocument]] = defaultdict(list)
    for one in acronyms:
        if one.group.candidates:
            texts[one.text].append(one.group)
    for groups in texts.values():
        disambiguator.agree(groups)


def cross_validate(
    disambiguator: Disambiguator,
    gathered: Gathered,
    folds: Sequence[int],
    sets: Sequence[str],
    weights: Floats,
    threshold: float = 0.5,
) -> dict[str, Any]:
    """Figures of each set, every text answered by weights fitted on the other folds.

    folds, sets: of each text its fold and the name of its set. weights: of each acronym.
    """
    places = np.array([folds[one.text] for one in gathered.acronyms])
    rows: defaultdict[str, list[tuple[float, bool, int, int]]] = defaultdict(list)
    for fold in sorted(set(folds)):
        inside = np.flatnonzero(places != fold)
        train = [gathered.acronyms[i] for i in inside]
        test = [gathered.acronyms[i] for i in np.flatnonzero(places == fold)]
        use(disambiguator, fit_evidence(disambiguator, train, weights[inside]), test)
        for one in test:
            answers = disambiguator.answer(one.group, np.mean(disambiguator.weigh(one.group), 0))
            best = one.group.candidates.index(answers[0][0]) if answers else -1
            probability = answers[0][1] if answers else 0.0
            rows[sets[one.text]].append(
                (probability, best in one.right, one.answerable, one.mentions)
            )
    figures = {}
    for name, answered in rows.items():
        lost = sum(n for text, n in gathered.lost.items() if sets[text] == name)
        figures[name] = _figures(answered, lost, threshold)
    return figures


def _figures(
    rows: Sequence[tuple[float, bool, int, int]], lost: int, threshold: float
) -> dict[str, float]:
    probability, right, answerable, mentions = (
        np.array(column) for column in zip(*rows, strict=True)
    )
    total = answerable.sum() + lost
    given = probability >= threshold
    correct = (answerable * (given & right)).sum()
    known = answerable > 0
    return {
        "mentions": int(total),
        "right": round(100 * correct / total, 1),
        "precision": round(100 * correct / max(1, (mentions * given).sum()), 1),
        "ranked_first": round(100 * (answerable * right).sum() / total, 1),
        "calibration_error": round(
            100
            * expected_calibration_error(
                np.repeat(probability[known], answerable[known]).tolist(),
                np.repeat(right[known], answerable[known]).tolist(),
            ),
            1,
        ),
    }
