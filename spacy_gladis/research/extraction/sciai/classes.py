"""Why an acronym or a long form was missed or wrong: the classes of errors, counted."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from ....rules import Offsets
from ....rules.schwartz_hearst import align

Pair = tuple[set[Offsets], set[Offsets]]  # acronyms, long forms

MISSED = (
    "boundary",
    "other kind",
    "brackets in the short form",
    "one character",
    "multi-word",
    "digits",
    "letters",
    "not reached",
)
ERRORS = (*MISSED, "spurious")


def count_errors(
    gold: Iterable[Pair], predicted: Iterable[Pair], words: Sequence[Callable[[Offsets], str]]
) -> Counter[str]:
    """The classes of errors over texts; `words` gives the string of a span of each text.

    Of a gold span that a system did not give, the first that holds: boundary, one of its kind
    overlaps it; other kind, it was given as the other kind; of an acronym then brackets, one
    character, multi-word and digits, by what it is; of a long form letters, no acronym of the text
    has its letters in this order; else not reached. A predicted span that touches no gold one is
    spurious.
    """
    counts: Counter[str] = Counter(dict.fromkeys(ERRORS, 0))
    for true, found, read in zip(gold, predicted, words, strict=True):
        acronyms = [read(span) for span in sorted(true[0])]
        for kind in (0, 1):
            for span in true[kind] - found[kind]:
                if touches(span, found[kind]):
                    counts["boundary"] += 1
                elif span in found[1 - kind]:
                    counts["other kind"] += 1
                else:
                    text = read(span)
                    counts[_of_long(text, acronyms) if kind else _of_acronym(text)] += 1
            for span in found[kind] - true[kind]:
                counts["spurious"] += not touches(span, true[0] | true[1])
    return counts


def class_of_shape(acronym: str) -> str | None:
    """What makes an acronym hard to find by itself, if anything does."""
    if set("()[]") & set(acronym):
        return "brackets in the short form"
    if len(acronym) == 1:
        return "one character"
    return "multi-word" if any(map(str.isspace, acronym)) else None


def _of_acronym(acronym: str) -> str:
    digits = "digits" if any(map(str.isdigit, acronym)) else "not reached"
    return class_of_shape(acronym) or digits


def _of_long(long_form: str, acronyms: Sequence[str]) -> str:
    letters = ("".join(filter(str.isalpha, acronym)) for acronym in acronyms)
    reached = any(one and align(one, long_form) >= 0 for one in letters)
    return "not reached" if reached else "letters"


def touches(span: Offsets, others: set[Offsets]) -> bool:
    """Whether a span has a character of one of the others."""
    return any(span[0] < end and start < span[1] for start, end in others)
