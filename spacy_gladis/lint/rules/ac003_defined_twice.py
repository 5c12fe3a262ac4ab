"""AC003: a definition that says nothing new."""

from collections.abc import Iterator

from ...text.spelling import same_key
from ..document import Defined, LintDocument
from ..finding import Edit, Found
from ..rule import Rule


class RepeatedDefinition(Rule):
    code = "AC003"
    name = "repeated-definition"
    summary = "An acronym is defined again with the same meaning"
    why = (
        "A second definition makes the reader look for a difference that isn't there, and the long "
        "form is what the acronym was to save."
    )
    fix_safety = (
        "The acronym takes the place of its long form with the acronym in brackets. No fix is made "
        "where markup lies between the words, or behind `a` or `an`, which might no longer fit."
    )
    is_default = True
    bad = (
        "The World Health Organization (WHO) met.\n\nThe World Health Organization (WHO) voted.",
        "A virtual machine (VM) starts. Each virtual machine (VM) has a disk.",
        "The hidden Markov model (HMM) is old. Hidden Markov models (HMMs) are used.",
    )
    good = (
        "The World Health Organization (WHO) met. The WHO voted.",
        "Artificial intelligence (AI) helps. The adequate intake (AI) is 4.7 grams.",
        "A virtual machine (VM) starts. The virtual machine has a disk.",
    )

    def check(self, document: LintDocument) -> Iterator[Found]:
        """Report each definition that repeats an earlier one in running text."""
        first: dict[tuple[str, str], Defined] = {}
        for definition in document.running_definitions:
            key = definition.key, same_key(definition.long_form)
            earlier = first.setdefault(key, definition)
            if earlier is not definition:
                message = f"'{definition.acronym}' was defined at {document.place(earlier.offset)}"
                fix = _fix(document, definition)
                yield Found(definition.offset, definition.acronym, message, fix)


def _fix(document: LintDocument, definition: Defined) -> tuple[Edit, ...]:
    """Put the acronym in the place of its long form with the acronym in brackets."""
    if not definition.acronym_at or not definition.long_form_at:
        return ()
    (start, end), (begin, stop) = definition.acronym_at, definition.long_form_at
    brackets = document.text[stop:start].strip(), document.text[end : end + 1]
    if brackets not in (("(", ")"), ("[", "]")):
        return ()
    return document.replacement(begin, end + 1, definition.acronym)
