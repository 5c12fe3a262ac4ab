"""An acronym is defined again in other words.

Reports:
    Artificial intelligence (AI) helps. ¶ The adequate intake (AI) is 4.7 grams.
    A central processing unit (CPU) is fast. A central paging utility (CPU) is slow.
    The adequate intake (AI) is low. Artificial intelligence (AI) is new.

Does not report:
    Artificial intelligence (AI) helps. Artificial intelligence (AI) is new.
    The colour space (CS) is wide. Each color space (CS) has a white point.
    A root of trust (ROT) starts. A static root of trust (SROT) ends. The static ROT (SROT) is old.
"""

import re
from collections.abc import Iterator

from ...dictionary import same_key
from ...rules import base_form
from ..document import Defined, LintDocument
from ..finding import Found

_WORD = re.compile(r"\w+")


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at the first definition in each further wording."""
    for definitions in document.by_key.values():
        first, senses = definitions[0], {same_key(definitions[0].long_form.replace("-", ""))}
        told = [_words(document, first)]
        for one in definitions[1:]:
            words = _words(document, one)
            sense = same_key(one.long_form.replace("-", ""))
            if sense not in senses and not any(words <= other or other <= words for other in told):
                message = (
                    f"'{one.acronym}' is '{one.long_form}' here and '{first.long_form}' at "
                    f"{document.place(first.offset)}"
                )
                yield Found(one.offset, message)
            senses.add(sense)
            told.append(words)


def _words(document: LintDocument, one: Defined) -> frozenset[str]:
    """The words of a long form; acronyms in it are written out where the document defines them.

    One that has all words of another has its meaning: "hardware steering engine".
    """
    words: list[str] = []
    for word in _WORD.findall(one.long_form):
        key = base_form(word)
        inner = document.by_key.get(key, ()) if key != one.key else ()
        words += _WORD.findall(inner[0].long_form) if inner else [word]
    return frozenset(map(same_key, words))
