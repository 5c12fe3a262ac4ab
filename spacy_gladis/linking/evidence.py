"""An acronym in one document, and what speaks for the candidates of a mention by itself."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..dictionary import Candidate, SourceInfo, same_key
from ..text import Mention
from ..text.alignment import has_initials
from .acrobert import AcroBERT
from .calibration import FEATURES, Calibration
from .long_form_vectors import LongFormVectors

(
    COSINE,
    CENTROID,
    UNSEEN,
    SEEN,
    INITIALS,
    ATTESTED,
    OVERLAP,
    NEIGHBOURS,
    TEXTS,
    SOURCES,
    GLOSSARY,
    COMMON,
    TOPIC,
    PHRASE,
    FOLDER,
) = range(len(FEATURES))

COUNTED = [TEXTS, SOURCES, GLOSSARY, COMMON]
"""The features that `source_counts` gives, in its order."""

READ = 48
"""Candidates of a mention whose long forms are encoded, at most."""

BEHIND = 3.0
"""By how much their logit by all other evidence may lie behind the best one's: measured on passages
and documents, no answer changes that was right, and a third of the long forms is encoded."""

REACH = 300
"""Characters on each side of a mention in which a long form's words are looked for."""

SHORTEST, STEM = 4, 5
"""Words of fewer letters are not looked for; of longer ones so many letters must agree."""

_WORD = re.compile(r"[^\W_]+")
REMEMBERED = 1 << 15


@dataclass
class AcronymInDocument:
    """An acronym in one document: its mentions' indices, its candidates and the evidence for them.

    phrase_probabilities: [candidates], how likely a phrase of the document spells each; folder:
    [candidates], how much the definitions of other documents say so. is_near: whether one of these
    documents lies in the document's folder or above it. surroundings: what speaks for
    NIL, [NIL_FEATURES]. features: [candidates, FEATURES] of each context that was read. queries:
    [contexts read, width], their vectors. own_words: what the words around the mentions tell of the
    document's topics, [topics]. alone: whether its document is short, and leaves no other acronym
    undefined. topics: the document's, as this acronym sees them, [topics].
    """

    document: int
    acronym: str
    indices: list[int]
    candidates: list[Candidate]
    phrase_probabilities: Floats
    folder: Floats
    surroundings: Floats
    features: list[Floats] = field(default_factory=list)
    own_words: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    alone: bool = False
    topics: Floats = field(default_factory=lambda: np.zeros(0, np.float32))
    queries: Floats = field(default_factory=lambda: np.zeros((0, 0), np.float32))
    is_near: bool = True

    def without_others(self) -> "AcronymInDocument":
        """The same without what other documents say."""
        features = [table.copy() for table in self.features]
        for table in features:
            table[:, FOLDER] = 0
        return replace(self, folder=np.zeros_like(self.folder), features=features)


def with_phrases(
    candidates: Sequence[Candidate], phrases: Mapping[str, float]
) -> tuple[list[Candidate], Floats]:
    """The candidates, and the phrases that are none of them; how likely a phrase spells each.

    phrases: of the document, with how likely they are meant, 0..1. A candidate that is a phrase
    alone has no counts.
    """
    found = list(candidates)
    if not phrases:  # as for most acronyms, whose candidates need no keys then
        return found, np.zeros(len(found), np.float32)
    likely = [0.0] * len(found)
    indices = {same_key(candidate.long_form): i for i, candidate in enumerate(found)}
    for written, probability in phrases.items():
        phrase = " ".join(written.split())
        index = indices.setdefault(same_key(phrase), len(found))
        if index == len(found):
            found.append(Candidate(phrase, {}, 0, -1))
            likely.append(0.0)
        likely[index] = max(likely[index], probability)
    return found, np.array(likely, np.float32)


class MentionEvidence:
    """Fills the columns of FEATURES that a mention alone gives, not its document.

    sources: of the dictionary. vectors: of its long forms.
    """

    def __init__(
        self, model: AcroBERT, sources: Mapping[str, SourceInfo], vectors: LongFormVectors
    ) -> None:
        self.model, self.sources, self.vectors = model, sources, vectors

    def gather(
        self,
        mentions: Sequence[Mention],
        candidates: Sequence[Sequence[Candidate]],
        calibration: Calibration,
    ) -> tuple[list[Floats], Floats, Floats]:
        """The features but for the document's, the topics of the words [mentions, topics] and the
        contexts' vectors [mentions, width]; zeros where there are no candidates.

        calibration: says which candidates are worth reading.
        """
        features = [np.zeros((len(options), len(FEATURES)), np.float32) for options in candidates]
        topics = np.tile(self.model.topics.prior, (len(mentions), 1))
        vectors = np.zeros((len(mentions), self.model.width), np.float32)
        open_questions = [i for i, options in enumerate(candidates) if options]
        for i in open_questions:
            self.attest(mentions[i].acronym, candidates[i], features[i])
        contexts = self.model.encode_contexts([mentions[i] for i in open_questions])
        if open_questions:
            vectors[open_questions] = contexts
            topics[open_questions] = self.model.topics.of_contexts(contexts)
        for row, i in enumerate(open_questions):
            names = [candidate.long_form for candidate in candidates[i]]
            alike, seen = self.model.centroids.compare(names, contexts[row], self.model.scale)
            features[i][:, CENTROID] = alike
            features[i][:, UNSEEN] = seen == 0
            features[i][:, SEEN] = seen
            features[i][:, OVERLAP] = overlap(mentions[i], names)
            features[i][:, NEIGHBOURS] = self.model.neighbours.beside(names, mentions[i])
        self.compare(
            contexts,
            [candidates[i] for i in open_questions],
            [features[i] for i in open_questions],
            calibration,
        )
        return features, topics, vectors

    def attest(self, acronym: str, candidates: Sequence[Candidate], table: Floats) -> None:
        """Fill in what speaks for candidates whatever the context is."""
        counts = source_counts(candidates, self.sources)
        table[:, COUNTED] = counts
        spelt = initials(acronym, [candidate.long_form for candidate in candidates])
        table[:, INITIALS] = spelt
        table[:, ATTESTED] = np.maximum(spelt, counts.any(axis=1))

    def compare(
        self,
        contexts: Floats,
        candidates: Sequence[Sequence[Candidate]],
        features: Sequence[Floats],
        calibration: Calibration,
    ) -> None:
        """Fill in the cosines of contexts [n, width] and the long forms of their candidates.

        Only long forms that all other evidence puts among the first READ, and at most BEHIND behind
        the best, are encoded; the others are taken to be as unlike the context as the most unlike
        of them.
        """
        chosen = [_worth_reading(calibration.logits(table)) for table in features]
        asked = [
            [options[index] for index in indices]
            for options, indices in zip(candidates, chosen, strict=True)
        ]
        self.vectors.get([one for options in asked for one in options])  # in batches
        for context, options, indices, table in zip(contexts, asked, chosen, features, strict=True):
            cosines = self.model.scale * (self.vectors.get(options) @ context)
            table[:, COSINE] = cosines.min()
            table[indices, COSINE] = cosines


def _worth_reading(logits: Floats) -> NDArray[np.intp]:
    """The rows of the candidates that a look at their long forms may put first."""
    order = np.argsort(-logits, kind="stable")[:READ]
    near: NDArray[np.intp] = order[logits[order] >= logits[order[0]] - BEHIND]
    return near


def source_counts(candidates: Sequence[Candidate], sources: Mapping[str, SourceInfo]) -> Floats:
    """How each candidate is attested, float32 [candidates, 4].

    log(1 + count) over the texts, log(1 + how many texts' sources), log(1 + how many glossaries and
    inventories of concepts), log(1 + count) in the common lists. A source of which `sources` say
    nothing counts as a text's.
    """
    found = []
    for candidate in candidates:
        texts = different = glossaries = common = 0
        for name, count in candidate.counts.items():
            source = sources.get(name)
            kind = source.kind if source else "text"
            if kind == "common":
                common += count
            elif kind == "text":
                texts += count
                different += 1
            else:
                glossaries += 1
        found.append((texts, different, glossaries, common))
    attested: Floats = np.log1p(np.array(found, np.float32).reshape(-1, 4))
    return attested


def initials(acronym: str, long_forms: Sequence[str]) -> Floats:
    """1 where a long form's initials spell the acronym, float32 [long forms].

    A list of names gathered elsewhere offers "cadaver" for CD as well as "celiac disease": what
    has the acronym's letters somewhere may be abbreviated so, what begins with them mostly is.
    Texts that define an acronym otherwise ("deoxyribonucleic acid") attest it by their counts.
    """
    return np.array([_has_initials(acronym, name) for name in long_forms], np.float32)


def overlap(context: Mention, long_forms: Sequence[str]) -> Floats:
    """How many of each long form's words stand near the mention, float32 [long forms].

    A text repeats some of an acronym's words beside it: "the GTD dataset" is a dataset.
    """
    text, start, end, _ = context
    near = _words(f"{text[max(0, start - REACH) : start]} {text[end : end + REACH]}")
    return np.array([len(_words_of(name) & near) for name in long_forms], np.float32)


def _words(text: str) -> frozenset[str]:
    found = _WORD.findall(text.lower())
    return frozenset(word[:STEM] for word in found if len(word) >= SHORTEST)


_has_initials = lru_cache(REMEMBERED)(has_initials)
_words_of = lru_cache(REMEMBERED)(_words)
