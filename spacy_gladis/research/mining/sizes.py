"""Sizes in bytes as people write them."""

import re

from ...errors import InputError

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?", re.IGNORECASE)


def parse_size(text: str) -> int:
    """The bytes of a size: "2GB", "512 MiB", "1000". Raises InputError for anything else."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise InputError(f"{text!r} is not a size. Expected a number and a unit: 512MB or 2GB.")
    number, unit, binary = match.groups()
    return int(float(number) * (1024 if binary else 1000) ** " kmgt".index(unit.lower() or " "))
