"""An acronym is defined again with the same meaning.

Reports:
    The World Health Organization (WHO) met. ¶ The World Health Organization (WHO) voted.
    A virtual machine (VM) starts. Each virtual machine (VM) has a disk.
    The hidden Markov model (HMM) is old. Hidden Markov models (HMMs) are used.

Does not report:
    The World Health Organization (WHO) met. The WHO voted.
    Artificial intelligence (AI) helps. The adequate intake (AI) is 4.7 grams.
    A virtual machine (VM) starts. The virtual machine has a disk.
"""

from collections.abc import Iterator

from ...text.spelling import same_key
from ..document import Defined, LintDocument
from ..finding import Edit, Found, replacement


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at each definition that says what an earlier one in running text has said."""
    first: dict[tuple[str, str], Defined] = {}
    for one in document.running_definitions:
        before = first.setdefault((one.key, same_key(one.long_form)), one)
        if before is not one:
            message = f"'{one.acronym}' was defined at {document.place(before.offset)}"
            yield Found(one.offset, one.acronym, message, _fix(document, one))


def _fix(document: LintDocument, one: Defined) -> tuple[Edit, ...]:
    """The acronym alone, in the place of its long form with the acronym in brackets."""
    if not one.acronym_at or not one.long_form_at:
        return ()
    (start, end), (begin, stop) = one.acronym_at, one.long_form_at
    brackets = document.text[stop:start].strip(), document.text[end : end + 1]
    if brackets not in (("(", ")"), ("[", "]")):
        return ()
    return replacement(document, begin, end + 1, one.acronym)
