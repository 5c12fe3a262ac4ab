"""AC005: an acronym is defined, and hardly or never used afterwards."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from ..document import Defined, LintDocument
from ..finding import Found
from ..terms import RUN, find_terms

_WORD = re.compile(r"[^\W\d_][\w-]*")
_SMALL = 3  # letters of words such as "for" and "the"


def hardly_used(document: LintDocument) -> Iterator[Found]:
    """A finding at the definition of an acronym with fewer than `least_uses` uses after it."""
    uses = defaultdict(list)
    for use in document.uses:
        uses[use.key].append(document.offset(use))
    few: list[tuple[Defined, int]] = []
    for key, definitions in document.by_acronym.items():
        first = definitions[0]
        if not document.calls_for_use(first) or document.settings.allows(key, first.acronym):
            continue
        if _is_name(first.long_form) or _is_in_names(document, first.key):
            continue
        after = sum(offset > first.offset for offset in uses[key])
        after += len(definitions) - 1  # the next one spells out what a reader meets again
        if after < document.settings.least_uses:
            few.append((first, after))
    last = _last_places(document.source.source, [first.key for first, after in few if not after])
    for first, after in few:
        if after or last[first.key] < first.offset + len(first.acronym):
            times = "never used" if not after else f"used only {after} times"
            yield Found(first.offset, f"'{first.acronym}' is defined and then {times}")


def _is_name(long_form: str) -> bool:
    """Whether it is a name in capitals, of what people know by its letters as often as not."""
    words = [word for word in _WORD.findall(long_form) if len(word) > _SMALL]
    capitals = [word for word in words if word[0].isupper()]
    return len(capitals) > 1 and words[-1] == capitals[-1]


def _is_in_names(document: LintDocument, key: str) -> bool:
    """Whether a name of a program or a package ends in it, as "IP_RECVTOS" and "pyirf" do, or
    the acronym has two parts, of which one may be used alone."""
    spelled = key.lower()
    endings = tuple(one for one in (spelled, spelled.removesuffix("s")) if len(one) >= _SMALL)
    named = any(name.endswith(endings) for name in document.names)
    return named or len(key.replace("-", " ").split()) > 1


def _last_places(source: str, keys: Iterable[str]) -> dict[str, int]:
    """Where each acronym stands last: in a program, a formula, another long form, in capitals or
    not."""
    forms = {key: (key.lower(), key.lower() + "s") for key in keys}
    last = {
        form: start
        for form, start, _ in find_terms(source, chain(*forms.values()), RUN, any_case=True)
        if source[max(0, start - 1) : start] not in ("/", ".")
    }
    return {key: max(last.get(form, 0) for form in both) for key, both in forms.items()}
