"""Lint rule AC003, which reports definitions that repeat an earlier definition."""

from collections.abc import Iterator

from ...text.spelling import same_key
from ..document import Definition, LintDocument
from ..finding import Edit, Violation
from ..rule import Rule


class RepeatedDefinition(Rule):
    """Lint rule AC003: an acronym is defined again with the same long form."""

    code = "AC003"
    name = "repeated-definition"
    summary = "An acronym is defined again with the same meaning"
    why = (
        "A repeated definition makes readers look for a difference that isn't there. Use the "
        "acronym alone."
    )
    fix_safety = (
        "The fix replaces the long form and the acronym in brackets with the acronym. There is no "
        "fix if the words contain markup, or after `a` or `an`, which might no longer fit."
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

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report each definition in running text that repeats an earlier definition.

        Args:
            document: Document to check.

        Yields:
            Violations in text order. Each message has the position of the earlier definition.
        """
        first: dict[tuple[str, str], Definition] = {}
        for definition in document.running_definitions:
            key = definition.key, same_key(definition.long_form)
            earlier = first.setdefault(key, definition)
            if earlier is not definition:
                position = document.position(earlier.offset)
                message = f"'{definition.acronym}' is already defined at {position}"
                fix = _fix(document, definition)
                yield Violation(definition.offset, definition.acronym, message, fix)


def _fix(document: LintDocument, definition: Definition) -> tuple[Edit, ...]:
    """Return the edit that replaces a definition, such as ``World Bank (WB)``, with its acronym."""
    if not definition.acronym_at or not definition.long_form_at:
        return ()
    (start, end), (begin, stop) = definition.acronym_at, definition.long_form_at
    brackets = document.text[stop:start].strip(), document.text[end : end + 1]
    if brackets not in (("(", ")"), ("[", "]")):
        return ()
    return document.replacement(begin, end + 1, definition.acronym)
