"""Lint rule AC010, which reports words that repeat a part of the acronym before them."""

import re
from collections.abc import Iterator

from ...text.spelling import same_key
from ..document import LintDocument
from ..finding import Violation
from ..rule import Rule

_NEXT = re.compile(r"[ \t]+([^\W\d_]+)(?![\w(-])")


class RedundantWord(Rule):
    """Lint rule AC010: the word after an acronym repeats its last word, as in "ATM machine"."""

    code = "AC010"
    name = "redundant-word"
    summary = "The word after an acronym repeats the last word of its long form"
    why = (
        'The sentence says the same word twice: "ATM machine" reads as "automated teller '
        'machine machine".'
    )
    known_problems = (
        "Only long forms from the document's own definitions and from the packaged list of known "
        "acronyms are compared."
    )
    fix_safety = "The fix deletes the repeated word. There is no fix if markup precedes it."
    is_default = True
    bad = (
        "Insert your card at the ATM machine.",
        "Type the PIN number.",
        "A digital elevation model (DEM) is a grid. The DEM model is old.",
    )
    good = (
        "Insert your card at the ATM.",
        "Type the PIN. The number is long.",
        "A digital elevation model (DEM) is a grid. The DEM is old.",
    )

    def check(self, document: LintDocument) -> Iterator[Violation]:
        """Report each word after an acronym that repeats the last word of its long form.

        The document's own definition of an acronym takes precedence over the packaged list.

        Args:
            document: Document to check.

        Yields:
            Violations in text order, each at the acronym.
        """
        for use in document.uses:
            following = _NEXT.match(document.text, use.end)
            if not following:
                continue
            definitions = document.by_key.get(use.key)
            listed = document.settings.long_forms.get(use.key, "")
            long_form = definitions[0].long_form if definitions else listed
            words = long_form.lower().split()
            if len(words) < 2 or words[-1] != following[1].lower():
                continue
            if use.key[-1].lower() == words[-1][0] or same_key(long_form) == same_key(listed):
                message = (
                    f"'{following[1]}' is redundant after '{use.acronym}', which stands for "
                    f"'{long_form}'"
                )
                fix = document.replacement(use.end, following.end(), "")
                yield Violation(document.offset(use), use.acronym, message, fix)
