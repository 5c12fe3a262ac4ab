"""Samples made from long forms that texts write out, by replacing the phrase with its acronym.

"A history of hypertension" shows the contexts of HTN where the acronym itself is never explained.
The corpus is read once. Each long form is sampled from the first few documents that contain it: one
sample per document, and a limited number per source domain, so that no source provides them all.
Further occurrences of the phrase in a passage are replaced too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ...dictionary import Dictionary
from ...text import Mention, merge_key
from ..datasets.sample import Sample
from .readers import Document

REACH = 400
"""Number of characters of text to keep on each side of the phrase."""

_WORD = re.compile(r"[^\W_]+")

Phrases = Mapping[str, str]
"""A mapping from each long form to the acronym that replaces it."""


class PhraseIndex:
    """An index that finds long forms in a text, word by word and ignoring case, in linear time."""

    def __init__(self, long_forms: Iterable[str]) -> None:
        """Index long forms by their words.

        Args:
            long_forms: The long forms to find.
        """
        # Index by two words, because many long forms begin with "national" or "patient".
        self._by_start: defaultdict[tuple[str, ...], list[tuple[tuple[str, ...], str]]] = (
            defaultdict(list)
        )
        for long_form in long_forms:
            words = tuple(_WORD.findall(long_form.lower()))
            if words:
                self._by_start[words[:2]].append((words, long_form))
        for alternatives in self._by_start.values():
            alternatives.sort(key=lambda entry: -len(entry[0]))
        self._first = {start[0] for start in self._by_start}

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Find the long forms in a text. Of overlapping long forms, the longest one is found.

        Args:
            text: The text.

        Yields:
            `(long form, start, end)`, with offsets in characters.
        """
        spans = [match.span() for match in _WORD.finditer(text)]
        words = [text[start:end].lower() for start, end in spans]
        at = 0
        while at < len(words):
            step = 1
            if words[at] in self._first:
                long_form, step = self._longest(words, at)
                if long_form is not None:
                    yield long_form, spans[at][0], spans[at + step - 1][1]
            at += step

    def _longest(self, words: list[str], at: int) -> tuple[str | None, int]:
        for start in (tuple(words[at : at + 2]), (words[at],)):
            for phrase, long_form in self._by_start.get(start, ()):
                if tuple(words[at : at + len(phrase)]) == phrase:
                    return long_form, len(phrase)
        return None, 1


def unseen(dictionary: Dictionary, samples: Iterable[Sample]) -> dict[str, str]:
    """Return the long forms of a dictionary for which there are no samples, in any spelling.

    Args:
        dictionary: The dictionary.
        samples: The existing samples.

    Returns:
        Each long form with one of its acronyms.
    """
    seen = {merge_key(long_form) for long_form in {sample.long_form for sample in samples}}
    return {
        candidate.long_form: acronym
        for acronym in dictionary
        for candidate in dictionary.candidates(acronym)
        if merge_key(candidate.long_form) not in seen
    }


def phrase_samples(
    documents: Iterable[Document], phrases: Phrases, *, each: int = 4, of_one_source: int = 2
) -> Iterator[Sample]:
    """Create samples in which the acronym replaces a long form of the text.

    A phrase followed by its acronym in brackets is a definition. It is skipped because it is
    already among the mined samples.

    Args:
        documents: The corpus.
        phrases: A mapping from each long form to its acronym.
        each: Maximum number of samples of a long form.
        of_one_source: Maximum number of samples of a long form from the same domain.

    Yields:
        The samples, of kind "phrase".
    """
    index = PhraseIndex(phrases)
    taken: Counter[str] = Counter()
    of_source: Counter[tuple[str, str]] = Counter()
    for document in documents:
        text = document.text
        here: set[str] = set()
        for long_form, start, end in index.find(text):
            acronym = phrases[long_form]
            source = (long_form, document.domain)
            if (
                long_form in here
                or taken[long_form] >= each
                or of_source[source] >= of_one_source
                or text.startswith((f" ({acronym}", f" [{acronym}"), end)
            ):
                continue
            here.add(long_form)
            taken[long_form] += 1
            of_source[source] += 1
            around = Mention(text, start, end).within(REACH)
            left, right = (_shortened(part, long_form, acronym) for part in around[::2])
            yield Sample(
                acronym,
                long_form,
                f"{left}{acronym}{right}",
                len(left),
                len(left) + len(acronym),
                document.domain,
                "phrase",
                document.id,
            )


def _shortened(text: str, long_form: str, acronym: str) -> str:
    """Replace the phrase, or a definition by it, with the acronym everywhere in a text."""
    words = r"[\W_]+".join(map(re.escape, _WORD.findall(long_form)))
    defined = rf"(?: [(\[]{re.escape(acronym)}[)\]])?"
    written = re.compile(rf"(?<![^\W_]){words}(?![^\W_]){defined}", re.IGNORECASE)
    return written.sub(lambda _: acronym, text)
