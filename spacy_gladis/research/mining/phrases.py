"""Training samples for long forms that texts write out but never abbreviate.

Many acronyms, such as HTN for hypertension, are never defined in a corpus. A text with "a history
of hypertension" still shows their contexts, so the acronym replaces the phrase to make a sample.

Each long form is sampled from the first few documents that contain it. A document gives at most one
sample of a long form, and the number of samples from the same domain is limited, so that they
differ. If a context contains the phrase several times, all occurrences are replaced.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ...dictionary import Dictionary
from ...text import Mention, merge_key
from ..datasets.sample import Sample
from .readers import Document

REACH = 400
"""Number of characters on each side of the phrase that a sample's context has."""

_WORD = re.compile(r"[^\W_]+")

Phrases = Mapping[str, str]
"""A mapping from each long form to the acronym that replaces it."""


class PhraseIndex:
    """Finds the occurrences of many long forms in a text at once.

    Texts are compared word by word. Capitalization, spaces and punctuation are ignored. The time is
    proportional to the length of the text.
    """

    def __init__(self, long_forms: Iterable[str]) -> None:
        """Create an index of long forms.

        Args:
            long_forms: Long forms to find in texts. Those without a letter or digit are ignored.
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
        """Find all occurrences of the indexed long forms in a text.

        Occurrences don't overlap. If several long forms start at the same word, the longest is
        found.

        Args:
            text: Text to search.

        Yields:
            ``(long form, start, end)``, with character offsets, in text order. The long form has
            the spelling that was indexed.
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
    """Find the long forms of a dictionary for which there is no sample yet.

    A sample with another spelling of the long form counts.

    Args:
        dictionary: Dictionary whose long forms need samples.
        samples: Samples that already exist.

    Returns:
        A mapping from each long form without samples to one of its acronyms.
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
    """Create samples from documents by replacing long forms with their acronyms.

    For example, "a history of hypertension" becomes "a history of HTN". A long form that is
    followed by its acronym in brackets is a definition. Such phrases are skipped, because mining
    creates samples from them.

    Args:
        documents: Documents of a corpus, which are read once.
        phrases: A mapping from each long form to the acronym that replaces it.
        each: Maximum number of samples for each long form.
        of_one_source: Maximum number of samples for each long form from documents of the same
            domain.

    Yields:
        The samples, of the kind ``"phrase"``, in the order of the documents.
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
    """Replace all occurrences of a long form in a text with its acronym.

    If the acronym follows in brackets, the brackets are removed too.
    """
    words = r"[\W_]+".join(map(re.escape, _WORD.findall(long_form)))
    defined = rf"(?: [(\[]{re.escape(acronym)}[)\]])?"
    written = re.compile(rf"(?<![^\W_]){words}(?![^\W_]){defined}", re.IGNORECASE)
    return written.sub(lambda _: acronym, text)
