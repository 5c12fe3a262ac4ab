"""An evaluation from folder to results."""

from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ....dictionary import Dictionary
from .answers import Answers, CandidateScorer, ask
from .priors import Counts, informative, with_counts
from .results import describe, report_of
from .sets import EvaluationSet, named, read_sets

Progress = Callable[[str, int], None]
Keep = Callable[[str, str, Answers], None]


def evaluate(
    folder: Path,
    systems: Mapping[str, CandidateScorer],
    dictionary: Dictionary,
    *,
    counts: Counts = "own",
    only: Collection[str] = (),
    resamples: int = 1000,
    progress: Progress = lambda _, __: None,
    keep: Keep = lambda _, __, ___: None,
) -> dict[str, Any]:
    """Put every system to every set below `folder` and report; the JSON of a results file.

    `counts` says whose counts the systems see for a set that has its own dictionary; the other sets
    are put to `dictionary`. `only` names the sets wanted (part of the name is enough). `progress`
    gets a system's name and the rows done, `keep` a set's name, a system's name and its answers.
    Raises InputError where no set has such a name.
    """
    return {
        "counts": counts,
        "dictionary": dictionary.fingerprint,
        "sets": {
            one.name: _evaluate_set(one, systems, dictionary, counts, resamples, progress, keep)
            for one in named(read_sets(folder, dictionary), only)
        },
    }


def _evaluate_set(
    evaluation_set: EvaluationSet,
    systems: Mapping[str, CandidateScorer],
    dictionary: Dictionary,
    counts: Counts,
    resamples: int,
    progress: Progress,
    keep: Keep,
) -> dict[str, Any]:
    asked = with_counts(evaluation_set, counts, dictionary)
    popularity = _popularity(evaluation_set, dictionary)
    reports = {}
    for name, scorer in systems.items():
        answers = ask(asked, scorer, partial(progress, name))
        keep(evaluation_set.name, name, answers)
        reports[name] = report_of(asked, answers, popularity, resamples)
    used = counts if evaluation_set.own_dictionary else "dictionary"
    return {"set": describe(evaluation_set), "counts": used, "systems": reports}


def _popularity(evaluation_set: EvaluationSet, dictionary: Dictionary) -> EvaluationSet:
    """The set with the counts that tell its popular long forms: its own if they say anything."""
    own = any(informative(options) for options in evaluation_set.candidates)
    return evaluation_set if own else with_counts(evaluation_set, "dictionary", dictionary)
