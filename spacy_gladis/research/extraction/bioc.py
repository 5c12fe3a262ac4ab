"""Definitions in abstracts: the tools in use today beside the rules, on exact pairs."""

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from ...errors import check_names, require
from ...metrics.identification import precision_recall_f1
from ...text import Definition, find_definitions, schwartz_hearst
from ..datasets.bioc import Abstract, Pair
from ..datasets.split import by_folds
from ..report.tables import Columns, Table
from ..training.pair_scorer import fit_pair_scorer, scorer

System = Callable[[str], set[Pair]]


def pairs_of(text: str, definitions: list[Definition]) -> set[Pair]:
    """The distinct pairs of strings among definitions."""
    return {(text[slice(*one.acronym)], one.words(text)) for one in definitions}


def _rules(find: Callable[[str], list[Definition]]) -> Callable[[], System]:
    return lambda: lambda text: pairs_of(text, find(text))


def _detector() -> System:
    import spacy

    nlp = spacy.blank("en")
    nlp.add_pipe("acronym_detector")
    detector: Any = nlp.get_pipe("acronym_detector")
    return lambda text: pairs_of(text, detector.find(text).definitions)


def _scispacy() -> System:
    import spacy

    require("scispacy.abbreviation", "bench")  # registers the pipe
    nlp = spacy.blank("en")
    nlp.add_pipe("abbreviation_detector")
    nlp.max_length = 1 << 40

    def find(text: str) -> set[Pair]:
        found: list[Any] = nlp(text)._.abbreviations
        return {(span.text, span._.long_form.text) for span in found}

    return find


def _abbreviations() -> System:
    module = require("abbreviations.schwartz_hearst", "bench")

    def find(text: str) -> set[Pair]:
        return set(module.extract_abbreviation_definition_pairs(doc_text=text).items())

    return find


def _abbreviation_extractor() -> System:
    extract = require("abbreviation_extractor", "bench").extract_abbreviation_definition_pairs
    return lambda text: {(one.abbreviation, one.definition) for one in extract(text)}


def _ab3p() -> System:
    find = require("pyab3p", "bench").Ab3p().get_abbrs
    return lambda text: {(one.short_form, one.long_form) for one in find(text)}


SYSTEMS: dict[str, Callable[[], System]] = {
    "acronym_detector": _detector,
    "find_definitions": _rules(find_definitions),
    "schwartz_hearst": _rules(schwartz_hearst),
    "scispacy": _scispacy,
    "abbreviations": _abbreviations,
    "abbreviation_extractor": _abbreviation_extractor,
    "pyab3p": _ab3p,
}


def make_systems(names: list[str]) -> dict[str, System]:
    """Systems by name; "all" is every one.

    Raises InputError for an unknown name, MissingExtraError when a system is not installed.
    """
    wanted = list(SYSTEMS) if "all" in names else names
    check_names("system", wanted, ["all", *SYSTEMS])
    return {name: SYSTEMS[name]() for name in wanted}


FOLDED = "find_definitions, {folds}-fold"
Progress = Callable[[str], None]


def evaluate(
    documents: Sequence[Abstract],
    systems: Mapping[str, System],
    folds: int = 5,
    progress: Progress = lambda _: None,
) -> dict[str, Any]:
    """Scores of systems on documents.

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
    return {
        **precision_recall_f1(gold, predicted)._asdict(),
        "predicted": len(predicted),
        "right": len(gold & predicted),
    }


SCORES: Columns = {
    "P": "precision",
    "R": "recall",
    "F1": "f1",
    "predicted": "predicted",
    "right": "right",
}


def tables(results: dict[str, Any]) -> Iterator[Table]:
    """Scores of every system."""
    title = f"Exact pairs ({results['pairs']:,} pairs in {results['documents']:,} documents)"
    yield Table.of(title, ("system",), SCORES, results["systems"].items())
