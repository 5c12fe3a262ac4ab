"""Which counts a set's candidates carry: the prior that a system may use."""

from collections import Counter
from dataclasses import replace
from typing import Literal

from ....dictionary import Candidate, Dictionary, same_key
from ....errors import InputError
from .sets import EvaluationSet

Counts = Literal["own", "dictionary", "none"]


def with_counts(
    evaluation_set: EvaluationSet, counts: Counts, dictionary: Dictionary | None = None
) -> EvaluationSet:
    """The set with the counts of its own dictionary, of `dictionary`, or with none.

    From `dictionary` a candidate takes the counts of those of the acronym's long forms that are
    spellings of it, and none where there is no such. The candidates and their order stay.
    """
    if counts == "own" or not evaluation_set.own_dictionary:
        return evaluation_set
    if counts == "dictionary" and dictionary is None:
        raise InputError("Counts from a dictionary were asked for, and no dictionary was given.")
    table: dict[str, list[Candidate]] = {}
    for sample, options in zip(evaluation_set.samples, evaluation_set.candidates, strict=True):
        if sample.acronym not in table:
            known = dictionary.lookup(sample.acronym) if dictionary and counts != "none" else []
            table[sample.acronym] = _recount(options, known)
    return replace(
        evaluation_set, candidates=[table[one.acronym] for one in evaluation_set.samples]
    )


def informative(options: list[Candidate]) -> bool:
    """Whether the counts tell the candidates apart at all."""
    return len({candidate.total for candidate in options}) > 1


def _recount(options: list[Candidate], known: list[Candidate]) -> list[Candidate]:
    by_key: dict[str, Counter[str]] = {}
    for candidate in known:
        by_key.setdefault(same_key(candidate.long_form), Counter()).update(candidate.counts)
    recounted = []
    for candidate in options:
        counts = dict(by_key.get(same_key(candidate.long_form), {}))
        recounted.append(candidate._replace(counts=counts, total=sum(counts.values())))
    return recounted
