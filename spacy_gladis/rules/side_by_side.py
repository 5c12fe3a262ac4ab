"""Two acronyms in one bracket whose long forms stand side by side: `Open Network Computing Remote
Procedure Call (ONC RPC)`."""

import re
from typing import Final

from .acronym import read_acronym
from .definition import Definition
from .initials import initials_before

_TWO: Final = re.compile(r"([A-Z]{3,}) ([A-Z]{3,})")


def parted(text: str, definition: Definition) -> list[Definition]:
    """The definitions of both acronyms, if every word gives a letter of one; else the one given."""
    both = _TWO.fullmatch(text, *definition.acronym)
    if not both:
        return [definition]
    begin, end = definition.long_form
    parts: list[Definition] = []
    for number in (2, 1):
        acronym = read_acronym(both[number])
        found = initials_before(text, end, acronym) if acronym else None
        if not found:
            return [definition]
        place = (found.start, found.end)
        parts.append(definition._replace(acronym=both.span(number), long_form=place))
        end = found.start
    return parts if end == begin else [definition]
