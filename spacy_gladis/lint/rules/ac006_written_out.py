"""Lint rule AC006, which reports long forms that are written out after their acronym is defined."""

import re
from collections import defaultdict
from collections.abc import Iterator

from ...documents.source import Spans
from ..document import Definition, LintDocument
from ..finding import Violation
from ..rule import Rule

_WORD = re.compile(r"[^\W_]+")


class RepeatedLongForm(Rule):
    """Lint rule AC006: a long form is written out although its acronym has been defined."""

    code = "AC006"
    name = "repeated-long-form"
    summary = "A long form is written out after its acronym is defined"
    why = (
        "Readers who have learned the acronym may take the long form for something else. Use the "
        "acronym."
    )
    known_problems = "A text whose parts are read separately may repeat long forms on purpose."
    fix_safety = (
        "The fix replaces the long form with the acronym. There is no fix if the words contain "
        "markup, or after `a` or `an`, which might no longer fit."
    )
    bad = (
        "A digital elevation model (DEM). The DEM is good. The digital elevation model is old.",
        "A virtual machine (VM) starts.\n\nThe virtual machine has a disk.",
        "The World Health Organization (WHO) met. The World Health Organization voted.",
    )
    good = (
        "A digital elevation model (DEM). The DEM is good.",
        "The digital elevation model is old. A digital elevation model (DEM) is a grid.",
        "Machines (Ms) are old. The machines are new.",
    )

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report each long form in running text that follows the definition of its acronym.

        Capital and lower-case letters count as equal.

        Args:
            document: Document to check.

        Yields:
            Violations in text order.
        """
        text = document.text
        words = [(word[0].lower(), word.start(), word.end()) for word in _WORD.finditer(text)]
        by_first_word = _long_forms(document)
        defining = Spans(
            definition.long_form_at
            for definition in document.definitions
            if definition.long_form_at
        )
        for number, (word, start, _) in enumerate(words):
            for spelled, definition in by_first_word.get(word, ()):
                run = words[number : number + len(spelled)]
                if [spelling for spelling, *_ in run] != spelled or not definition.acronym_at:
                    continue
                end = run[-1][2]
                written = " ".join(text[start:end].split())
                if (
                    start >= definition.acronym_at[1]
                    and not defining.has(start)
                    and document.is_running(start)
                    and written.lower() == definition.long_form.lower()
                ):
                    message = f"Use '{definition.acronym}' instead of '{written}'"
                    fix = document.replacement(start, end, definition.acronym)
                    offset = document.source.original_offset(start)
                    yield Violation(offset, definition.acronym, message, fix)


def _long_forms(document: LintDocument) -> dict[str, list[tuple[list[str], Definition]]]:
    """Return the first long form of each acronym, split into words and grouped by the first word.

    Long forms of a single word are left out.
    """
    by_first_word: defaultdict[str, list[tuple[list[str], Definition]]] = defaultdict(list)
    seen: set[str] = set()
    for definition in document.running_definitions:
        spelled = [word.lower() for word in _WORD.findall(definition.long_form)]
        if len(spelled) > 1 and definition.key not in seen:
            seen.add(definition.key)
            by_first_word[spelled[0]].append((spelled, definition))
    return by_first_word
