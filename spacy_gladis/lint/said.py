"""Where a text says what an acronym means without a bracket: "NFS stands for ...", "NFS: ..."."""

import re
from collections import defaultdict
from collections.abc import Callable

from ..documents.source import Source
from ..rules import base_form

_ACRONYM = r"(?<![^\W_])([^\W_]+(?:[&./-][^\W_]+){0,3})"
_EXPLAINED = re.compile(rf"{_ACRONYM}\W{{1,4}}(?:stands for|is short for|means)\b")
_LISTED = re.compile(
    rf"{_ACRONYM}[*`]*(?: [-=\u2013\u2014]|:) +(?=((?:[^\n.,;]|\n(?!\n)){{1,200}}))"
)


class Said:
    """What a file says so of its acronyms, read once."""

    def __init__(self, source: Source) -> None:
        self._explained: dict[str, int] = {}
        for one in _EXPLAINED.finditer(source.source):
            self._explained.setdefault(base_form(one[1]), one.start())
        self._listed: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for one in _LISTED.finditer(source.source):
            self._listed[base_form(one[1])].append((one.start(), one[2]))

    def first(self, key: str, says: Callable[[str], bool]) -> int | None:
        """Where the file first says what an acronym stands for: in words such as "stands for", or
        behind a colon, an equals sign or a dash, in words of which `says` tells that they do."""
        places = [self._explained[key]] if key in self._explained else []
        listed = (at for at, words in self._listed.get(key, ()) if says(words))
        return min([*places, *listed], default=None)
