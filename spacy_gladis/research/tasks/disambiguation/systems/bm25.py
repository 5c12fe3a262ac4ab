"""BM25 over long forms, over labelled contexts and over unlabelled text that writes them out."""

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
"""Words of unlabelled text on either side of a long form that join its document."""


@SYSTEMS.register("bm25", "BM25 of the context and a long form's document.", "GLADIS, A.3")
@dataclass
class BM25(DisambiguationSystem):
    """The paper's document of a long form is its own words.

    Ours adds the words of its labelled training contexts, if there are any, and the words beside
    it in unlabelled text that writes it out.

    Attributes:
        corpus: Unlabelled text.
        corpus_words: Words of the text that are read.
    """

    corpus: Corpus = None
    corpus_words: int = 5_000_000

    def fit(self, training: Training) -> None:
        """Index the long forms with the contexts of the samples."""
        names = (one.long_form for options in training.table.values() for one in options)
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
        """BM25 of each candidate's document; 0 where it shares no word with the context."""
        query = context_words(sample)
        known = self._index.get_scores(query) if query else np.zeros(len(self._indices))
        found = np.append(known, 0.0)
        indices = [self._indices.get(one.long_form, len(found) - 1) for one in candidates]
        return np.asarray(found[indices], dtype=np.float64)


def find_long_forms(text: Sequence[str], names: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
    """Find long forms in a text's words.

    Args:
        text: Words in lower case.
        names: Long forms; those of a single word are left out, as most are words of any text.

    Yields:
        Each long form that the text writes out, with up to `NEAR` words on either side.
    """
    starts: defaultdict[str, list[tuple[tuple[str, ...], str]]] = defaultdict(list)
    for name in names:
        if len(key := tuple(words(name))) > 1:
            starts[key[0]].append((key, name))
    for at, word in enumerate(text):
        for key, name in starts.get(word, ()):
            end = at + len(key)
            if tuple(text[at:end]) == key:
                yield name, [*text[max(0, at - NEAR) : at], *text[end : end + NEAR]]
