"""Candidate generation: collect the meanings that each acronym of a document may have."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..dictionary import Candidate, CandidateSource
from ..dictionary.candidate import join_candidates
from ..dictionary.folder_definitions import NO_EVIDENCE, FolderEvidence
from ..text import Mention, base_form, document_phrases
from ..text.mention import outermost
from ..text.spelling import same_key

_VALUE = re.compile(r"\s?[:=]?\s?\d")


@dataclass(frozen=True)
class Question:
    """An acronym to resolve in a document, with its candidate meanings.

    A document has one question for each spelling of an acronym. For example, ``CNN`` and ``CNNs``
    are two questions.

    Attributes:
        document: Number of the document that contains the acronym.
        acronym: The acronym as the document spells it.
        mentions: Indices of the acronym's mentions in the linker's list of mentions, in text order.
        candidates: The meanings that the acronym may have.
        phrases: For each candidate, the probability that a phrase of the document spells out the
            acronym as this candidate, between 0 and 1, [candidates]. It is 0 without such a phrase.
        folder: For each candidate, the weight of its definitions in other documents of the folder,
            between 0 and 1, [candidates]. It is 0 without such a definition.
        glossary: For each candidate, the weight of its entries in glossary files, between 0 and 1,
            [candidates]. It is 0 without such an entry.
        nil: Features of NIL, the answer that no candidate is right, [NIL_FEATURES].
        vote_key: A key that is equal for all spellings whose mentions vote together on the meaning,
            such as ``CNN``, ``CNNs`` and ``cnn``.
    """

    document: int
    acronym: str
    mentions: tuple[int, ...]
    candidates: tuple[Candidate, ...]
    phrases: Floats
    folder: Floats
    glossary: Floats
    nil: Floats
    vote_key: tuple[int, str]


def find_candidates(
    mentions: Sequence[Mention],
    source: CandidateSource,
    *,
    sources: Collection[str] | None = None,
    folder_evidence: FolderEvidence = NO_EVIDENCE,
    foreign: Collection[int] = (),
    offensive: bool = False,
) -> list[Question]:
    """Find the candidate meanings of each acronym in one or more documents.

    Candidates come from the dictionary, from phrases of the document that may spell out the
    acronym, and from definitions in other documents of the folder.

    Args:
        mentions: Mentions of acronyms in any number of documents. All mentions of a document must
            have the same text.
        source: The dictionary, or another source of candidates.
        sources: Names of the dictionary's sources whose counts are used. None to use all sources.
        folder_evidence: Definitions found in other documents of the folder.
        foreign: Numbers of the documents whose language the dictionary doesn't cover. For these,
            only the user's own entries are looked up.
        offensive: Whether to include offensive long forms.

    Returns:
        One question for each spelling of an acronym in each document. Documents and their spellings
        are in the order of their first mention.
    """
    documents: defaultdict[int, dict[str, list[int]]] = defaultdict(dict)
    for number, mention in enumerate(mentions):
        documents[mention.document].setdefault(mention.acronym, []).append(number)
    cache: dict[tuple[str, bool], list[Candidate]] = {}

    def look_up(acronym: str, *, is_foreign: bool) -> list[Candidate]:
        if (acronym, is_foreign) not in cache:
            names = source.user_sources if is_foreign else sources
            cache[acronym, is_foreign] = source.lookup(acronym, names, offensive=offensive)
        return cache[acronym, is_foreign]

    questions = []
    for document, spellings in documents.items():
        is_foreign = document in foreign
        text = mentions[next(iter(spellings.values()))[0]].text
        phrases = document_phrases(text, spellings)
        spans = {mentions[number][1:3] for numbers in spellings.values() for number in numbers}
        # Parts of compounds are no further acronyms.
        words, undefined = len(text.split()), len(outermost(spans))
        for acronym, numbers in spellings.items():
            candidates = look_up(acronym, is_foreign=is_foreign)
            if _is_symbol(acronym) and any(_has_value(mentions[number]) for number in numbers):
                symbols = look_up(acronym.capitalize(), is_foreign=is_foreign)
                candidates = join_candidates([candidates, symbols])
            confidences = {
                text[phrase.start : phrase.end]: phrase.confidence
                for phrase in phrases.get(acronym, ())
            }
            candidates, in_document = add_phrases(candidates, confidences)
            definitions = folder_evidence.definitions.get((document, acronym), {})
            weights = {name: definition.weight for name, definition in definitions.items()}
            candidates, in_folder = add_phrases(candidates, weights)
            entries = {
                name: definition.weight
                for name, definition in definitions.items()
                if definition.is_glossary
            }
            _, in_glossary = add_phrases(candidates, entries)
            in_document = np.pad(in_document, (0, len(candidates) - len(in_document)))
            questions.append(
                Question(
                    document,
                    acronym,
                    tuple(numbers),
                    tuple(candidates),
                    in_document,
                    in_folder,
                    in_glossary,
                    compute_nil_features(len(candidates), words, undefined),
                    (document, base_form(acronym).casefold()),
                )
            )
    return questions


def compute_nil_features(candidates: int, words: int, mentions: int) -> Floats:
    """Compute the features of NIL, the answer that none of an acronym's candidates is right.

    Args:
        candidates: Number of the acronym's candidates.
        words: Number of words in the document, separated by white space.
        mentions: Number of acronym mentions that the document doesn't define.

    Returns:
        The constant 1, log(1 + `candidates`), log(1 + `words`), and the number of mentions divided
        by `words` + 1, in the order of `calibration.NIL_FEATURES`, float32 [NIL_FEATURES].
    """
    density = mentions / (words + 1)
    return np.array([1, np.log1p(candidates), np.log1p(words), density], np.float32)


def _is_symbol(acronym: str) -> bool:
    """Return whether an acronym may be a symbol that is written in capitals, such as CA for Ca."""
    return len(acronym) == 2 and acronym.isupper()


def _has_value(mention: Mention) -> bool:
    """Return whether a number follows a mention, as in "CA 2.3" for measured calcium."""
    return _VALUE.match(mention.text, mention.end) is not None


def add_phrases(
    candidates: Sequence[Candidate], phrases: Mapping[str, float]
) -> tuple[list[Candidate], Floats]:
    """Add phrases that may be the long form of an acronym to the acronym's candidates.

    A phrase that is just another spelling of a candidate is not added. It gives its probability to
    that candidate.

    Args:
        candidates: The acronym's candidates from the dictionary.
        phrases: A mapping from each phrase to the probability, between 0 and 1, that it is the long
            form.

    Returns:
        The candidates, followed by new candidates without counts, and for each of them the
        probability of its phrase, float32 [candidates]. The probability is 0 for a candidate
        without a phrase.
    """
    extended = list(candidates)
    if not phrases:  # in this frequent case, the keys of the candidates are not needed
        return extended, np.zeros(len(extended), np.float32)
    probabilities = [0.0] * len(extended)
    rows = {same_key(candidate.long_form): row for row, candidate in enumerate(extended)}
    for spelling, probability in phrases.items():
        phrase = " ".join(spelling.split())
        row = rows.setdefault(same_key(phrase), len(extended))
        if row == len(extended):
            extended.append(Candidate(phrase, {}, 0, -1))
            probabilities.append(0.0)
        probabilities[row] = max(probabilities[row], probability)
    return extended, np.array(probabilities, np.float32)
