"""The systems that can be put to an evaluation set, by name."""

from collections.abc import Iterable
from pathlib import Path

from ....dictionary import Dictionary
from ....errors import InputError, check_names
from ..systems.acrobert import AcroBERTScorer
from ..systems.first_candidate import FirstCandidate
from ..systems.next_sentence import NextSentenceScorer
from ..systems.popularity import Popularity
from .answers import CandidateScorer

ACROBERT = "retriever"
SYSTEMS = ("first", "popularity", ACROBERT)
NEXT_SENTENCE = "nsp"


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
