"""Samples of long forms that texts write out and never define: the phrase gives way to the acronym.

"A history of hypertension" shows what stands around HTN where the acronym itself is never
explained. The corpus is read once; each long form is met in its first few documents, one a
document and at most `each` a source domain's share of them, so that no source fills them all.
Wherever else the passage writes the phrase, the acronym stands there, too.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from ...dictionary import Dictionary
from ...text import Mention, merge_key
from ..datasets.sample import Sample
from .readers import Document

REACH = 400
"""Characters of text kept on each side of the phrase."""

_WORD = re.compile(r"[^\W_]+")

Phrases = Mapping[str, str]
"""Long form -> the acronym that takes its place."""


class PhraseIndex:
    """Finds long forms in a text, word by word and without case, in one linear pass."""

    def __init__(self, long_forms: Iterable[str]) -> None:
        # By the first two words: many long forms begin with "national" or "patient".
        self._by_start: defaultdict[tuple[str, ...], list[tuple[tuple[str, ...], str]]] = (
            defaultdict(list)
        )
        for long_form in long_forms:
            words = tuple(_WORD.findall(long_form.lower()))
            if words:
                self._by_start[words[:2]].append((words, long_form))
        for alternatives in self._by_start.values():
            alternatives.sort(key=lambda one: -len(one[0]))
        self._first = {start[0] for start in self._by_start}

    def find(self, text: str) -> Iterator[tuple[str, int, int]]:
        """Yield `(long form, start, end)` of the longest phrases, none overlapping."""
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
    """The dictionary's long forms that no sample has in any spelling, with an acronym each."""
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
    """Yield samples in which the acronym stands where the text writes its long form.

    phrases: long form -> acronym. each: samples of one long form; of_one_source: of these from
    documents of one domain. A phrase with its acronym in brackets behind it is a definition and is
    passed over: its text is in the mined samples.
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
    """The text with the acronym wherever it writes the phrase, or defines it."""
    words = r"[\W_]+".join(map(re.escape, _WORD.findall(long_form)))
    defined = rf"(?: [(\[]{re.escape(acronym)}[)\]])?"
    written = re.compile(rf"(?<![^\W_]){words}(?![^\W_]){defined}", re.IGNORECASE)
    return written.sub(lambda _: acronym, text)
