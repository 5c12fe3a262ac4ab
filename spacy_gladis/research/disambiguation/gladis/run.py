"""An evaluation from folder to results: the systems by name, put to every set."""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ....dictionary import Dictionary
from ....errors import InputError, check_names
from ...datasets.answers import write_answers
from ..systems.acrobert import AcroBERTScorer
from ..systems.counting import FirstCandidate, Popularity
from ..systems.next_sentence import NextSentenceScorer
from .answers import CandidateScorer, as_records, ask
from .results import describe, report_of
from .sets import Counts, informative, named, read_sets, with_counts

Progress = Callable[[str, int], None]


ACROBERT = "retriever"
SYSTEMS = ("first", "popularity", ACROBERT)
NEXT_SENTENCE = "nsp"


def evaluate(
    folder: Path,
    systems: Mapping[str, CandidateScorer],
    dictionary: Dictionary,
    *,
    counts: Counts = "own",
    only: Collection[str] = (),
    resamples: int = 1000,
    progress: Progress = lambda _, __: None,
    predictions: Path | None = None,
) -> dict[str, Any]:
    """Put every system to every set below `folder` and report; the JSON of a results file.

    `counts` says whose counts the systems see for a set that has its own dictionary; the other sets
    are put to `dictionary`. `only` names the sets wanted (part of the name is enough). `progress`
    gets a system's name and the rows done; `predictions` is a folder for every system's answers.
    Raises InputError where no set has such a name.
    """
    sets: dict[str, Any] = {}
    for one in named(read_sets(folder, dictionary), only):
        asked = with_counts(one, counts, dictionary)
        # Its own counts tell which long form is popular, if they say anything.
        own = any(map(informative, one.candidates))
        popularity = one if own else with_counts(one, "dictionary", dictionary)
        reports = {}
        for name, scorer in systems.items():
            answers = ask(asked, scorer, partial(progress, name))
            write_answers(predictions, one.name, name, as_records(answers))
            reports[name] = report_of(asked, answers, popularity, resamples)
        used = counts if one.own_dictionary else "dictionary"
        sets[one.name] = {"set": describe(one), "counts": used, "systems": reports}
    return {"counts": counts, "dictionary": dictionary.fingerprint, "sets": sets}


def make_systems(
    names: Iterable[str],
    dictionary: Dictionary,
    model: Path | None = None,
    cache: Path | None = None,
) -> dict[str, CandidateScorer]:
    """The systems of these names; `all` stands for every one but `nsp`.

    `model` is a folder of AcroBERT's weights (None: the packaged ones), loaded once and only when
    needed; `cache` a folder for its vectors of long forms. With `nsp` among the names, `model` is
    the BERT with a next-sentence head to load (the published `acrobert.pt`, or a folder), and the
    other systems are those of the packaged weights. Raises InputError for an unknown name.
    """
    wanted = list(dict.fromkeys(names))
    check_names("system", wanted, ["all", *SYSTEMS, NEXT_SENTENCE])
    if "all" in wanted:
        wanted = list(SYSTEMS)
    systems: dict[str, CandidateScorer] = {
        "first": FirstCandidate().predict,
        "popularity": Popularity().predict,
    }
    if NEXT_SENTENCE in wanted:
        if model is None:
            raise InputError("The system 'nsp' needs --model: acrobert.pt, or a BERT folder.")
        from ...training.next_sentence_bert import NextSentenceBERT

        systems[NEXT_SENTENCE] = NextSentenceScorer(NextSentenceBERT.load(model)).predict
        model = None
    if ACROBERT in wanted:
        from ....modeling import AcroBERT, Disambiguator

        weights = AcroBERT.load(model)
        systems[ACROBERT] = AcroBERTScorer(Disambiguator(weights, dictionary, cache=cache)).predict
    return {name: systems[name] for name in wanted}
