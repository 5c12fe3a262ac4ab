"""The word after an acronym repeats the word that its last letter stands for.

Reports:
    Insert your card at the ATM machine.
    Type the PIN number.
    A digital elevation model (DEM) is a grid. The DEM model is old.

Does not report:
    Insert your card at the ATM.
    Type the PIN. The number is long.
    A digital elevation model (DEM) is a grid. The DEM is old.
"""

import re
from collections.abc import Iterator

from ...text.spelling import same_key
from ..document import LintDocument
from ..finding import Found, replacement

_NEXT = re.compile(r"[ \t]+([^\W\d_]+)(?![\w(-])")


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at each such use; long forms are the document's own, else those of the list of
    known acronyms, whose last words are such."""
    for use in document.uses:
        after = _NEXT.match(document.text, use.end)
        if not after:
            continue
        definitions = document.by_key.get(use.key)
        known = document.settings.long_forms.get(use.key, "")
        long_form = definitions[0].long_form if definitions else known
        words = long_form.lower().split()
        if len(words) < 2 or words[-1] != after[1].lower():
            continue
        if use.key[-1].lower() == words[-1][0] or same_key(long_form) == same_key(known):
            message = f"'{use.acronym} {after[1]}' says '{words[-1]}' twice: it is '{long_form}'"
            fix = replacement(document, use.end, after.end(), "")
            yield Found(document.offset(use), use.acronym, message, fix)
