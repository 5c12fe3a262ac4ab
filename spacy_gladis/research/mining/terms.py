"""Terms that texts write out, with the initials that could stand for them: samples without labels.

No definition is asked for: a run of two to four words between function words and punctuation, in
some number of documents, is a term (as the candidates of RAKE, Rose et al. 2010).
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from spacy.lang.en.stop_words import STOP_WORDS

from ...documents.document import Document

FEWEST, MOST = 2, 4
"""Words of a term."""

HELD = 4_000_000
"""Terms counted at once: above it those of one document are forgotten, to bound memory."""

_RUN = re.compile(r"[^\W\d_]{2,}(?: [^\W\d_]{2,})+(?![\w-])")
"""Words with one blank between them: any other character ends a term."""


def find_terms(documents: Iterable[Document], least: int, held: int = HELD) -> dict[str, str]:
    """Terms of at least so many documents, in lower case, each with its initials in upper case.

    held: see HELD. A term whose documents lie far apart may be counted too low.
    """
    counts: Counter[str] = Counter()
    for document in documents:
        counts.update(set(_terms(document.text)))
        if len(counts) > held:
            counts = Counter({term: count for term, count in counts.items() if count > 1})
    found = sorted(term for term, count in counts.items() if count >= least)
    return {term: "".join(word[0] for word in term.split()).upper() for term in found}


def _terms(text: str) -> Iterator[str]:
    for run in _RUN.finditer(text):
        words: list[str] = []
        for word in [*run[0].lower().split(), ""]:  # the last ends the run
            if word and word not in STOP_WORDS:
                words.append(word)
                continue
            if FEWEST <= len(words) <= MOST:
                yield " ".join(words)
            words = []
