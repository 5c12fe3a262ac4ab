"""An acronym is defined with another meaning in another document.

Reports:
    Artificial intelligence (AI) helps. ¦ The adequate intake (AI) is 4.7 grams.
    A central processing unit (CPU) is fast. ¦ A central paging utility (CPU) is slow.
    The adequate intake (AI) is low. ¦ Artificial intelligence (AI) is new.

Does not report:
    Artificial intelligence (AI) helps. ¦ Artificial intelligence (AI) is new.
    Artificial intelligence (AI) helps. The adequate intake (AI) is 4.7 grams.
    Artificial intelligence (AI) helps. ¦ The AI is new.
"""

from collections.abc import Iterator, Sequence

from ...text.spelling import same_key
from ..document import Defined, LintDocument
from ..finding import Found


def check_all(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """A finding at the first definition in a document that contradicts the first one of all."""
    first: dict[str, tuple[LintDocument, Defined]] = {}
    for document in documents:
        for key, definitions in document.by_key.items():
            there, other = first.setdefault(key, (document, definitions[0]))
            for one in definitions:
                if there is not document and same_key(one.long_form) != same_key(other.long_form):
                    message = (
                        f"'{one.acronym}' is '{one.long_form}' here and '{other.long_form}' in "
                        f"{there.source.name}:{there.place(other.offset)}"
                    )
                    yield document, Found(one.offset, one.acronym, message)
                    break
