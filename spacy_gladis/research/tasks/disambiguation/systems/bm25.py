"""The system `bm25`: search for the long form whose known contexts fit the context best."""

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
"""Number of words on either side of a long form in unlabelled text that are added to its
document."""


@SYSTEMS.register("bm25", "BM25 of the context and a long form's contexts.", "GLADIS, A.3")
@dataclass
class BM25(DisambiguationSystem):
    """Scores long forms by BM25, a search engine's ranking, with the context as the query.

    Each long form is represented by a document. The paper does not say what the document contains
    (GLADIS, A.3). Here it contains the words of the long form, the words of its labelled training
    contexts, and the words around the long form in unlabelled text.

    Attributes:
        corpus: File of unlabelled text. None to use no such text.
        corpus_words: Maximum number of words to read from the unlabelled text.
    """

    corpus: Corpus = None
    corpus_words: int = 5_000_000

    def fit(self, training: Training) -> None:
        """Build the search index, which has a document for each long form.

        Args:
            training: Training data, of which the candidates and the labelled training samples are
                used. The system also works without labelled samples.

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
        """Compute the BM25 score of each candidate's document for the context of a mention.

        Args:
            sample: The mention in its context.
            candidates: Candidate long forms of the acronym.

        Returns:
            The scores, float64 [candidates]. The score is 0 if the document and the context have no
            word in common.
        """
        query = context_words(sample)
        document_scores = self._index.get_scores(query) if query else np.zeros(len(self._indices))
        scores = np.append(document_scores, 0.0)
        indices = [self._indices.get(c.long_form, len(scores) - 1) for c in candidates]
        return np.asarray(scores[indices], dtype=np.float64)


def find_long_forms(text: Sequence[str], names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Find long forms in a text, together with the words around them.

    Long forms of a single word are ignored, because most of them are common words.

    Args:
        text: Words of the text in lower case.
        names: Long forms to look for.

    Yields:
        Each occurrence of a long form in text order: the long form, and a list of up to `NEAR`
        words before and after it.
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
