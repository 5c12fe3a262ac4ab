"""The protocol: exact pairs, each counted once a document; the rules' own weights by folds."""

import random
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from ....metrics.identification import precision_recall_f1
from ....rules import find_definitions
from ....rules.schwartz_hearst import align
from ...datasets.bioc import Abstract, Pair
from ...datasets.split import by_folds
from ...training.pair_scorer import fit_pair_scorer, scorer
from ..sciai.classes import class_of_shape
from .systems import System, pairs_of

MISSED = (
    "boundary",
    "discontinuous",
    "brackets in the short form",
    "one character",
    "multi-word",
    "letters",
    "digits",
    "not reached",
)

WRONG = ("boundary", "no definition")


def class_of_missed(text: str, gold: Pair, predicted: Collection[Pair]) -> str:
    """The first that holds of a gold pair that a system did not give.

    boundary: the acronym was given another long form; discontinuous: the long
    form leaves words of the text out; letters: the acronym's letters are not in the long form in
    their order; digits: its letters are, its digits are not.
    """
    acronym, long_form = gold
    if any(short == acronym for short, _ in predicted):
        return "boundary"
    if long_form not in text:
        return "discontinuous"
    if shape := class_of_shape(acronym):
        return shape
    letters = "".join(filter(str.isalpha, acronym))
    if not letters or align(letters, long_form) < 0:
        return "letters"
    if any(map(str.isdigit, acronym)) and align(acronym, long_form) < 0:
        return "digits"
    return "not reached"


def class_of_wrong(predicted: Pair, gold: Collection[Pair]) -> str:
    """boundary: the acronym is right and the long form is another; else no definition is there."""
    return "boundary" if any(predicted[0] == short for short, _ in gold) else "no definition"


FOLDED = "find_definitions, {folds}-fold"
Progress = Callable[[str], None]


def evaluate(
    documents: Sequence[Abstract],
    systems: Mapping[str, System],
    folds: int = 5,
    progress: Progress = lambda _: None,
) -> dict[str, Any]:
    """Scores and error classes of systems on documents.

    A predicted pair is right when its document has the same acronym and the same long form, letter
    for letter. `find_definitions` appears a second time with weights fitted on the other folds of
    the documents, since the packaged ones are fitted on this very corpus; 0 folds leave that out.
    """
    results = {}
    for name, system in systems.items():
        progress(name)
        results[name] = _scores(documents, [system(document.text) for document in documents])
        if name == "find_definitions" and folds:
            folded = FOLDED.format(folds=folds)
            progress(folded)
            results[folded] = _scores(documents, _by_folds(documents, folds))
    return {
        "documents": len(documents),
        "pairs": sum(len(document.definitions) for document in documents),
        "measure": "exact pairs of acronym and long form, distinct in a document",
        "systems": results,
    }


def _by_folds(documents: Sequence[Abstract], folds: int) -> list[set[Pair]]:
    """Predictions for each document with weights that were fitted without its fold."""
    fold_of = [index % folds for index in range(len(documents))]
    random.Random(0).shuffle(fold_of)
    found: list[set[Pair]] = [set()] * len(documents)
    for others, held_out in by_folds(list(enumerate(documents)), fold_of):
        weights = fit_pair_scorer((one.text, one.definitions) for _, one in others)
        for index, one in held_out:
            definitions = find_definitions(one.text, score=scorer(weights))
            found[index] = pairs_of(one.text, definitions)
    return found


def _scores(documents: Sequence[Abstract], found: Sequence[Collection[Pair]]) -> dict[str, Any]:
    gold = {(n, pair) for n, one in enumerate(documents) for pair in one.definitions}
    predicted = {(n, pair) for n, pairs in enumerate(found) for pair in pairs}
    missed: Counter[str] = Counter(dict.fromkeys(MISSED, 0))
    for n, pair in gold - predicted:
        missed[class_of_missed(documents[n].text, pair, found[n])] += 1
    wrong = Counter(class_of_wrong(pair, documents[n].definitions) for n, pair in predicted - gold)
    halves = {
        name: precision_recall_f1(
            {one for one in gold if one[0] % 2 == half},
            {one for one in predicted if one[0] % 2 == half},
        )._asdict()
        for half, name in enumerate(("even", "odd"))
    }
    return {
        **precision_recall_f1(gold, predicted)._asdict(),
        "predicted": len(predicted),
        "right": len(gold & predicted),
        "missed": dict(missed),
        "wrong": dict(sorted(wrong.items())),
        "halves": halves,
    }
