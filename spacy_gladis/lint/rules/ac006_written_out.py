"""AC006: a long form where the acronym would do."""

import re
from collections import defaultdict
from collections.abc import Iterator

from ...documents.source import Spans
from ..document import Defined, LintDocument
from ..finding import Found
from ..rule import Rule

_WORD = re.compile(r"[^\W_]+")


class RepeatedLongForm(Rule):
    code = "AC006"
    name = "repeated-long-form"
    summary = "A long form is written out after its acronym was defined"
    why = (
        "A reader who has learned the acronym may take the long form for something else. Use one "
        "of them."
    )
    known_problems = "A text that is read in parts may repeat its long forms on purpose."
    fix_safety = (
        "The acronym takes the place of the long form. No fix is made where markup lies between "
        "the words, or behind `a` or `an`, which might no longer fit."
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

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Report each place in running text, in any case, where the acronym would do."""
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
                    message = f"'{definition.acronym}' stands for '{written}'"
                    fix = document.replacement(start, end, definition.acronym)
                    offset = document.source.original_offset(start)
                    yield Found(offset, definition.acronym, message, fix)


def _long_forms(document: LintDocument) -> dict[str, list[tuple[list[str], Defined]]]:
    """The words of each acronym's first long form of two words or more, by its first word."""
    by_first_word: defaultdict[str, list[tuple[list[str], Defined]]] = defaultdict(list)
    seen: set[str] = set()
    for definition in document.running_definitions:
        spelled = [word.lower() for word in _WORD.findall(definition.long_form)]
        if len(spelled) > 1 and definition.key not in seen:
            seen.add(definition.key)
            by_first_word[spelled[0]].append((spelled, definition))
    return by_first_word
