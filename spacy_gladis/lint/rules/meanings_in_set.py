"""AC007: one acronym with two meanings in a set of documents; AC008: one meaning, two acronyms."""

from collections.abc import Callable, Iterator, Sequence

from ..defined import Defined
from ..document import LintDocument
from ..finding import Found
from ..wording import is_initialism

SetFound = Iterator[tuple[LintDocument, Found]]


def two_meanings(documents: Sequence[LintDocument]) -> SetFound:
    """AC007: a finding at the first definition in each document that another one contradicts."""
    for document, one, other, place in _pairs(documents, lambda defined: defined.key):
        listed = document.is_entry(one) or document.begins_item(one)
        if one.contradicts(other) and not listed:
            message = (
                f"'{one.acronym}' is '{one.long_form}' here, and '{other.long_form}' in {place}"
            )
            yield document, Found(one.offset, message)


def two_acronyms(documents: Sequence[LintDocument]) -> SetFound:
    """AC008: a finding at the first definition that gives a meaning another acronym."""
    for document, one, other, place in _pairs(documents, lambda defined: defined.sense, True):
        alike = _singular(one.long_form) == _singular(other.long_form)
        spelled = any(is_initialism(each.key, each.long_form) for each in (one, other))
        if alike and spelled and _are_two(one, other) and all(map(_has_digits, (one, other))):
            message = f"'{one.long_form}' is '{one.acronym}' here, and '{other.acronym}' in {place}"
            yield document, Found(one.offset, message)


def _are_two(one: Defined, other: Defined) -> bool:
    """Whether two acronyms are none of one family, such as "EC" and "EC1"."""
    fewer, more = sorted((_letters(one.key), _letters(other.key)), key=len)
    capitals = all(each.key.removesuffix("s").isupper() for each in (one, other))
    joined = any("/" in each.key for each in (one, other))
    return capitals and not joined and fewer not in more and set(fewer) != set(more)


def _singular(long_form: str) -> str:
    return long_form.casefold().replace("-", " ").removesuffix("s")


def _has_digits(one: Defined) -> bool:
    """Whether the long form has the acronym's digits: "vacuolar ATPase (VHA-1)" is not all."""
    return all(digit in one.long_form for digit in one.key if digit.isdecimal())


def _letters(acronym: str) -> str:
    """What tells acronyms apart: AC013 tells of case, dots, hyphens and plurals."""
    return "".join(filter(str.isalnum, acronym.removesuffix("s"))).casefold()


def _pairs(
    documents: Sequence[LintDocument], key: Callable[[Defined], str], within: bool = False
) -> Iterator[tuple[LintDocument, Defined, Defined, str]]:
    """Definitions that share a key with the set's first of that key; one a document and key.

    within: also in the first one's own document.
    """
    first: dict[str, tuple[LintDocument, Defined]] = {}
    for document in documents:
        seen: set[tuple[str, str]] = set()
        for one in document.meant:
            there, other = first.setdefault(key(one), (document, one))
            if (key(one), one.key) in seen or (there is document and not within):
                continue
            seen.add((key(one), one.key))
            place = f"{there.source.name}:{there.source.position_of_original(other.offset)}"
            yield document, one, other, place
