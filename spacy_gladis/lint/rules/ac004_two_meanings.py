"""An acronym is defined again with another meaning.

Reports:
    Artificial intelligence (AI) helps. ¶ The adequate intake (AI) is 4.7 grams.
    A central processing unit (CPU) is fast. A central paging utility (CPU) is slow.
    The adequate intake (AI) is low. Artificial intelligence (AI) is new.

Does not report:
    Artificial intelligence (AI) helps. Artificial intelligence (AI) is new.
    The colour space (CS) is wide. Each color space (CS) has a white point.
    Artificial intelligence (AI) helps. Machine learning (ML) is a part of it.
"""

from collections.abc import Iterator

from ...dictionary import same_key
from ..document import LintDocument
from ..finding import Found


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at the first definition with each further meaning."""
    for definitions in document.by_key.values():
        first, told = definitions[0], {same_key(definitions[0].long_form)}
        for one in definitions[1:]:
            if same_key(one.long_form) not in told:
                told.add(same_key(one.long_form))
                message = (
                    f"'{one.acronym}' is '{one.long_form}' here and '{first.long_form}' at "
                    f"{document.place(first.offset)}"
                )
                yield Found(one.offset, message)
