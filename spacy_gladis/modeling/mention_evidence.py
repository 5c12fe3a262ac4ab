"""What speaks for the candidates of a mention by itself: its context, and who attests them."""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..dictionary import Candidate, Dictionary
from ..rules import Mention
from . import wording
from .acrobert import AcroBERT
from .calibration import FEATURES, Calibration
from .source_counts import source_counts
from .vectors import LongFormVectors

(
    COSINE,
    CENTROID,
    UNSEEN,
    SEEN,
    INITIALS,
    ATTESTED,
    OVERLAP,
    SOURCES,
    GLOSSARY,
    COMMON,
    TOPIC,
    PHRASE,
    FOLDER,
) = range(len(FEATURES))

COUNTED = [SOURCES, GLOSSARY, COMMON]
"""The features that `source_counts` gives behind the texts' counts, in its order."""

READ = 48
"""Candidates of a mention whose long forms are encoded, at most."""

BEHIND = 3.0
"""By how much their logit by all other evidence may lie behind the best one's: measured on passages
and documents, no answer changes that was right, and a third of the long forms is encoded."""


class MentionEvidence:
    """Fills the columns of FEATURES that a mention alone gives, not its document.

    vectors: of the dictionary's long forms.
    """

    def __init__(self, model: AcroBERT, dictionary: Dictionary, vectors: LongFormVectors) -> None:
        self.model, self.dictionary, self.vectors = model, dictionary, vectors

    def with_dictionary(self, dictionary: Dictionary) -> "MentionEvidence":
        """The same over another copy of this dictionary, with the same weights and vectors."""
        made = copy(self)
        made.dictionary, made.vectors = dictionary, self.vectors.copy()
        return made

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
            features[i][:, OVERLAP] = wording.overlap(mentions[i], names)
        self.compare(
            contexts,
            [candidates[i] for i in open_questions],
            [features[i] for i in open_questions],
            calibration,
        )
        return features, topics, vectors

    def attest(self, acronym: str, candidates: Sequence[Candidate], table: Floats) -> None:
        """Fill in what speaks for candidates whatever the context is."""
        counts = source_counts(candidates, self.dictionary.sources)
        table[:, COUNTED] = counts[:, 1:]
        spelt = wording.initials(acronym, [candidate.long_form for candidate in candidates])
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
