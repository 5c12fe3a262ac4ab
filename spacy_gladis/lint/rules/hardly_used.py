"""AC005: an acronym is defined, and hardly or never used afterwards."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain

from ..document import Defined, LintDocument
from ..finding import Found
from ..terms import RUN, find_terms


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
        after = sum(offset > first.offset for offset in uses[key])
        after += len(definitions) - 1  # the next one spells out what a reader meets again
        if after < document.settings.least_uses:
            few.append((first, after))
    last = _last_places(document.source.source, [first.key for first, after in few if not after])
    for first, after in few:
        if after or last[first.key] < first.offset + len(first.acronym):
            times = "never used" if not after else f"used only {after} times"
            yield Found(first.offset, f"'{first.acronym}' is defined and then {times}")


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
