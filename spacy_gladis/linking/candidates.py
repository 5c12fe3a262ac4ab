"""First stage of linking: which meanings each acronym of a document may have."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..dictionary import Candidate, CandidateSource
from ..dictionary.learnt import NOTHING, Elsewhere
from ..dictionary.merging import join_candidates
from ..text import Mention, base_form, document_phrases
from ..text.spelling import same_key
from .calibration import nil_features

_VALUE = re.compile(r"\s?[:=]?\s?\d")

SHORT_TEXT = 25
"""Words, at most, of a text whose only acronym is weighed with weights of its own."""


@dataclass(frozen=True)
class Question:
    """An acronym as one document spells it, with the meanings that it may have there.

    Attributes:
        document: Number of the document.
        acronym: The acronym as the document spells it.
        mentions: Numbers of its mentions, in text order.
        candidates: Its possible meanings.
        phrases: How likely a phrase of the document spells each candidate, 0..1, [candidates].
        folder: How much the definitions of other documents speak for each, 0..1, [candidates].
        is_near: Whether one of these documents lies in the document's folder or above it.
        nil: What speaks for none of them, [NIL_FEATURES].
        is_alone: Whether its document is short and has no other undefined acronym.
    """

    document: int
    acronym: str
    mentions: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    phrases: Floats
    folder: Floats
    is_near: bool
    nil: Floats
    is_alone: bool

    @property
    def vote_key(self) -> tuple[int, str]:
        """Equal for spellings of one document that vote together: ``CNN``, ``CNNs``, ``cnn``."""
        return self.document, base_form(self.acronym).casefold()


def find_candidates(
    mentions: Sequence[Mention],
    source: CandidateSource,
    *,
    sources: Collection[str] | None = None,
    elsewhere: Elsewhere = NOTHING,
    foreign: Collection[int] = (),
    offensive: bool = False,
) -> list[Question]:
    """Look up the meanings of each acronym of each document.

    Phrases of the document that may spell an acronym out are candidates, too, and so is what other
    documents define.

    Args:
        mentions: Mentions of any number of documents; those of one document have the same text.
        source: Where candidates come from, such as a dictionary.
        sources: Use the counts of these sources alone; None for all.
        elsewhere: What other documents define.
        foreign: Documents in a language that `source` does not have; only a user's own entries are
            candidates there.
        offensive: Also take offensive long forms as candidates.

    Returns:
        One question for each spelling in each document, in order of first mention.
    """
    documents: defaultdict[int, dict[str, list[int]]] = defaultdict(dict)
    for number, mention in enumerate(mentions):
        documents[mention.document].setdefault(mention.acronym, []).append(number)
    listed: dict[tuple[str, bool], list[Candidate]] = {}

    def look_up(acronym: str, *, is_foreign: bool) -> list[Candidate]:
        if (acronym, is_foreign) not in listed:
            chosen = source.own_sources if is_foreign else sources
            listed[acronym, is_foreign] = source.lookup(acronym, chosen, offensive=offensive)
        return listed[acronym, is_foreign]

    questions = []
    for document, spellings in documents.items():
        is_foreign = document in foreign
        text = mentions[next(iter(spellings.values()))[0]].text
        phrases = document_phrases(text, spellings)
        words, undefined = len(text.split()), sum(map(len, spellings.values()))
        is_alone = len(spellings) == 1 and words <= SHORT_TEXT
        for acronym, numbers in spellings.items():
            candidates = look_up(acronym, is_foreign=is_foreign)
            if _is_symbol(acronym) and any(_has_value(mentions[number]) for number in numbers):
                symbols = look_up(acronym.capitalize(), is_foreign=is_foreign)
                candidates = join_candidates([candidates, symbols])
            spelt = {
                text[phrase.start : phrase.end]: phrase.confidence
                for phrase in phrases.get(acronym, ())
            }
            candidates, likely = add_phrases(candidates, spelt)
            defined = elsewhere.definitions.get((document, acronym), {})
            weights = {long_form: said.weight for long_form, said in defined.items()}
            candidates, folder = add_phrases(candidates, weights)
            likely = np.pad(likely, (0, len(candidates) - len(likely)))
            questions.append(
                Question(
                    document,
                    acronym,
                    tuple(numbers),
                    tuple(candidates),
                    likely,
                    folder,
                    any(said.is_near for said in defined.values()),
                    nil_features(len(candidates), words, undefined),
                    is_alone,
                )
            )
    return questions


def _is_symbol(acronym: str) -> bool:
    """Whether an acronym may be a symbol typed in capitals: CA for Ca."""
    return len(acronym) == 2 and acronym.isupper()


def _has_value(mention: Mention) -> bool:
    """Whether a number follows the mention, as the value of what was measured."""
    return _VALUE.match(mention.text, mention.end) is not None


def add_phrases(
    candidates: Sequence[Candidate], phrases: Mapping[str, float]
) -> tuple[list[Candidate], Floats]:
    """Add phrases of a document that are no candidate yet, without counts.

    Args:
        candidates: Candidates from a dictionary.
        phrases: Long forms in the document's words, with how likely each is meant, 0..1.

    Returns:
        All candidates, and how likely a phrase spells each of them, float32 [candidates].
    """
    together = list(candidates)
    if not phrases:  # as for most acronyms, whose candidates need no keys then
        return together, np.zeros(len(together), np.float32)
    likely = [0.0] * len(together)
    rows = {same_key(candidate.long_form): row for row, candidate in enumerate(together)}
    for written, probability in phrases.items():
        phrase = " ".join(written.split())
        row = rows.setdefault(same_key(phrase), len(together))
        if row == len(together):
            together.append(Candidate(phrase, {}, 0, -1))
            likely.append(0.0)
        likely[row] = max(likely[row], probability)
    return together, np.array(likely, np.float32)
