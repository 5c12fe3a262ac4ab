"""Detect offensive long forms with a packaged list of words and phrases."""

import re
from functools import cache, lru_cache
from importlib.resources import files

_REMEMBERED = 1 << 14


@lru_cache(_REMEMBERED)
def is_offensive(long_form: str) -> bool:
    """Return whether a long form contains a word or phrase of the packaged list `offensive.txt`.

    The case of letters is ignored, but words in capitals don't count, because they are acronyms
    inside the long form.

    Args:
        long_form: The long form, as spelled in the dictionary.
    """
    return any(not match[0].isupper() for match in _pattern().finditer(long_form))


@cache
def _pattern() -> re.Pattern[str]:
    text = files("spacy_gladis.dictionary").joinpath("offensive.txt").read_text("utf8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    longest_first = sorted(lines, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)", re.IGNORECASE)
