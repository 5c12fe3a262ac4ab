"""AC005: an acronym is defined, and hardly or never used afterwards."""

import re
from collections import Counter
from collections.abc import Iterator

from ..document import Defined, LintDocument
from ..finding import Found


def _stands_in_code(source: str, first: Defined) -> bool:
    """Whether the acronym follows anywhere: in a program, a formula, another long form,
    in capitals or not."""
    word = re.compile(rf"(?<![^\W_])(?<![/.]){re.escape(first.key)}s?(?![^\W_])", re.IGNORECASE)
    return bool(word.search(source, first.offset + len(first.acronym)))


def hardly_used(document: LintDocument) -> Iterator[Found]:
    """A finding at the definition of an acronym with fewer than `least_uses` uses after it."""
    wanted = document.settings.least_uses
    offsets = [(use.key, document.offset(use)) for use in document.uses]
    for key, definitions in document.by_acronym.items():
        first = definitions[0]
        if not document.calls_for_use(first) or document.settings.allows(key, first.acronym):
            continue
        after = Counter(use for use, offset in offsets if offset > first.offset)[key]
        after += len(definitions) - 1  # the next one spells out what a reader meets again
        if after < wanted and (after or not _stands_in_code(document.source.source, first)):
            times = "never used" if not after else f"used only {after} times"
            yield Found(first.offset, f"'{first.acronym}' is defined and then {times}")
