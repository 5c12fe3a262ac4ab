"""Terms that texts write out, with the initials that could stand for them: samples without labels.

No definition is asked for: two to four words between function words, numbers and punctuation, in
some number of documents, are a term (as the candidates of RAKE, Rose et al. 2010).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from spacy.lang.en.stop_words import STOP_WORDS

from ...documents.document import Document

FEWEST, MOST = 2, 4
"""Words of a term."""

HELD = 4_000_000
"""Terms counted at once: above it the rarest half is forgotten, to bound memory."""

_TOKEN = re.compile(r"[\w'’-]+|[^\w\s]|\n[ \t]*\n")
"""A word with what joins it to another, a sign, the end of a paragraph."""


def find_terms(documents: Iterable[Document], least: int, held: int = HELD) -> dict[str, str]:
    """Terms of at least so many documents, in lower case, each with its initials in upper case.

    held: see HELD. A term that was forgotten is counted from its next document on.
    """
    counts: Counter[str] = Counter()
    for document in documents:
        counts.update(set(_terms(document.text)))
        if len(counts) > held:
            counts = _commonest_half(counts, held)
    found = sorted(term for term, count in counts.items() if count >= least)
    return {term: "".join(word[0] for word in term.split()).upper() for term in found}


def _commonest_half(counts: Counter[str], held: int) -> Counter[str]:
    floor = 0
    while len(counts) > held // 2:
        floor += 1
        counts = Counter({term: count for term, count in counts.items() if count > floor})
    return counts


def _terms(text: str) -> Iterator[str]:
    words: list[str] = []
    for token in [*_TOKEN.findall(unicodedata.normalize("NFKC", text).lower()), ""]:
        if len(token.strip()) > 1 and token not in STOP_WORDS:
            words.append(token if token.isalpha() else "")  # beside "T-cell" are parts of terms
            continue
        if FEWEST <= len(words) <= MOST and all(words):
            yield " ".join(words)
        words = []
