"""An acronym is defined again by the initials of other words.

Reports:
    Artificial intelligence (AI) helps. ¶ The adequate intake (AI) is 4.7 grams.
    A central processing unit (CPU) is fast. A central paging utility (CPU) is slow.
    The adequate intake (AI) is low. Artificial intelligence (AI) is new.

Does not report:
    Artificial intelligence (AI) helps. Artificial intelligence (AI) is new.
    The colour space (CS) is wide. Each color space (CS) has a white point.
    A root of trust (ROT) starts. A static root of trust (SROT) ends. The static ROT (SROT) is old.
"""

from collections.abc import Iterator

from ...dictionary import same_key
from ...rules.function_words import JOINING_WORDS
from ..document import LintDocument, letters
from ..finding import Found


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at the first definition in each further wording."""
    for definitions in document.by_key.values():
        spelled = [one for one in definitions if _initials(one.long_form) == letters(one.key)]
        senses: set[str] = set()
        for one in spelled:
            sense = same_key(one.long_form)
            if senses and sense not in senses:
                message = (
                    f"'{one.acronym}' is '{one.long_form}' here and '{spelled[0].long_form}' at "
                    f"{document.place(spelled[0].offset)}"
                )
                yield Found(one.offset, one.acronym, message)
            senses.add(sense)


def _initials(long_form: str) -> str:
    words = long_form.casefold().replace("-", " ").split()
    return "".join(word[0] for word in words if word not in JOINING_WORDS)
