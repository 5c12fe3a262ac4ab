"""BM25 over long forms, their labelled contexts, and unlabelled text in which they occur."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from .....arrays import Doubles
from .....dictionary import Candidate
from .....errors import require
from ....datasets.sample import Sample
from ....mining.readers import first_words
from ...options import Corpus
from ..data import Training
from ..system import SYSTEMS, DisambiguationSystem
from ..words import context_words, words

NEAR = 12
"""Number of words on either side of a long form in unlabelled text that join its document."""


@SYSTEMS.register("bm25", "BM25 of the context and a long form's document.", "GLADIS, A.3")
@dataclass
class BM25(DisambiguationSystem):
    """Scores each long form's document by BM25, with the context as the query.

    The paper does not say what a long form's document is (GLADIS, A.3). Here it is its own words,
    followed by those of its labelled training contexts, if there are any, and by those around it in
    unlabelled text.

    Attributes:
        corpus: File of unlabelled text.
        corpus_words: Maximum number of words to read from the corpus.
    """

    corpus: Corpus = None
    corpus_words: int = 5_000_000

    def fit(self, training: Training) -> None:
        """Build the index, which has a document for each long form.

        Args:
            training: The candidates, and labelled samples if there are any.

        Raises:
            MissingExtraError: If bm25s is not installed.
        """
        names = (
            candidate.long_form for options in training.table.values() for candidate in options
        )
        self._indices = {name: index for index, name in enumerate(dict.fromkeys(names))}
        contexts: defaultdict[str, list[str]] = defaultdict(list)
        for sample in training.train:
            contexts[sample.long_form] += context_words(sample)
        if self.corpus is not None:
            for text in first_words(self.corpus, self.corpus_words, words):
                for name, near in find_long_forms(text, self._indices):
                    contexts[name] += near
        documents = [words(name) + contexts[name] for name in self._indices]
        self._index = require("bm25s", "evaluation").BM25()
        self._index.index(documents, show_progress=False)

    def score(self, sample: Sample, candidates: Sequence[Candidate]) -> Doubles:
        """Compute the BM25 score of each candidate's document.

        Args:
            sample: The mention in its context.
            candidates: The acronym's candidates.

        Returns:
            Scores, float64 [candidates]. 0 for documents without a word of the context.
        """
        query = context_words(sample)
        document_scores = self._index.get_scores(query) if query else np.zeros(len(self._indices))
        scores = np.append(document_scores, 0.0)
        indices = [self._indices.get(c.long_form, len(scores) - 1) for c in candidates]
        return np.asarray(scores[indices], dtype=np.float64)


def find_long_forms(text: Sequence[str], names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Find long forms in a tokenised text, with the words around them.

    Args:
        text: Words in lower case.
        names: Long forms. Single words are ignored, as they are mostly common words.

    Yields:
        Each long form in the text, with up to `NEAR` words on either side.
    """
    starts: defaultdict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    for name in names:
        if len(key := tuple(words(name))) > 1:
            starts[key[0]].append((key, name))
    for start, word in enumerate(text):
        for key, name in starts.get(word, ()):
            end = start + len(key)
            if tuple(text[start:end]) == key:
                yield name, [*text[max(0, start - NEAR) : start], *text[end : end + NEAR]]
