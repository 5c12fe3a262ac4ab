"""Which long forms are offensive, by a reviewed list of words and phrases."""

import re
from functools import cache, lru_cache
from importlib.resources import files

_REMEMBERED = 1 << 14


@lru_cache(_REMEMBERED)
def is_offensive(long_form: str) -> bool:
    """Return whether a long form has a word or phrase of the packaged list, `offensive.txt`.

    A word in capitals throughout counts as an acronym, such as `Subjective ASS`.

    Args:
        long_form: A long form as a dictionary holds it.
    """
    found = _pattern().finditer(long_form)
    return any(not match[0].isupper() for match in found)


@cache
def _pattern() -> re.Pattern[str]:
    text = files("spacy_gladis.dictionary").joinpath("offensive.txt").read_text("utf8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    longest_first = sorted(lines, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
