"""Ids as data sets write them."""

import re

NONE = frozenset({"", "-1", "-", "nan", "no code", "cui_less"})
"""What stands where there is no id."""

_SEPARATORS = re.compile(r"[|+,;]")


def split_ids(cell: str) -> tuple[str, ...]:
    """The ids of a cell; `|` and `+` join those of a phrase that names several concepts."""
    ids = (one.strip() for one in _SEPARATORS.split(cell))
    return tuple(dict.fromkeys(one for one in ids if one.lower() not in NONE))
