"""A long form is written out after its acronym was defined.

Reports:
    A digital elevation model (DEM). The DEM is good. The digital elevation model is old.
    A virtual machine (VM) starts. ¶ The virtual machine has a disk.
    The World Health Organization (WHO) met. The World Health Organization voted.

Does not report:
    A digital elevation model (DEM). The DEM is good.
    The digital elevation model is old. A digital elevation model (DEM) is a grid.
    Machines (Ms) are old. The machines are new.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from ...documents.source import Spans
from ..document import Defined, LintDocument
from ..finding import Found, replacement

_WORD = re.compile(r"[^\W_]+")


def check(document: LintDocument) -> Iterator[Found]:
    """A finding at each place in running text, in any case, where the acronym would do."""
    text = document.text
    words = [(one[0].lower(), one.start(), one.end()) for one in _WORD.finditer(text)]
    wanted: defaultdict[str, list[tuple[list[str], Defined]]] = defaultdict(list)
    seen: set[str] = set()
    for one in document.running_definitions:
        spelled = [word.lower() for word in _WORD.findall(one.long_form)]
        if len(spelled) > 1 and one.key not in seen:
            seen.add(one.key)
            wanted[spelled[0]].append((spelled, one))
    defining = Spans(one.long_form_at for one in document.definitions if one.long_form_at)
    for at, (word, start, _) in enumerate(words):
        for spelled, one in wanted.get(word, ()):
            found = words[at : at + len(spelled)]
            if [each[0] for each in found] != spelled or not one.acronym_at:
                continue
            end = found[-1][2]
            again = " ".join(text[start:end].split())
            if start < one.acronym_at[1] or defining.has(start) or not document.is_running(start):
                continue
            if again.lower() == one.long_form.lower():
                message = f"'{one.acronym}' stands for '{again}'"
                fix = replacement(document, start, end, one.acronym)
                yield Found(document.source.original_offset(start), one.acronym, message, fix)
