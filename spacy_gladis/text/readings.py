"""Find single letters before a measured value: `K 4.1 mmol/L`, `Na 138, K 4.1`."""

import re
from collections.abc import Iterator
from typing import Final

from .mention import Offsets

_VALUE: Final = r"\d{1,4}(?:[.,]\d{1,3})?(?![\d/-]|[.,]\d)"
_UNIT: Final = r"\s?(?:[a-zA-Zµμ]{1,4}/(?:d|m|µ|μ)?[Ll]|g%)(?!\w)"  # of a concentration
_READING: Final = re.compile(
    rf"(?<![\w.'’&+/-])(?P<letter>[A-Z])(?::\s?|\s(?:=\s)?){_VALUE}"
    rf"(?:(?P<unit>{_UNIT})|(?P<degrees>\s?°?\s?[CF](?!\w))|(?!\w))"
)
_PANEL: Final = "KPRT"
"""Letters that occur in lists of readings without a unit: potassium, pulse, respiration,
temperature."""
_OTHER: Final = r"[A-Z][A-Za-z]{1,4}\d?(?::\s?|\s)"
_BEFORE: Final = re.compile(rf"(?<![\w-]){_OTHER}[\d./]{{1,7}}%?(?:\s?[\w/°%]{{1,8}})?[,;]\s\Z")
_AFTER: Final = re.compile(rf"(?:\s?°?\s?[CF])?[,;]\s{_OTHER}\d")
_BEFORE_WITHIN: Final = 28  # characters before a letter that are searched
_SERIES: Final = re.compile(
    r"(?<!\w)(?:vitamin|hepatitis|type|class|group|grade|phase|part|section|annex|appendix|table"
    r"|figure|fig\.|room|protein|factor|complement|cathepsin|immunoglobulin)s?\s\Z",
    re.IGNORECASE,
)


def find_readings(text: str) -> Iterator[Offsets]:
    """Find single letters that name a measured value.

    The value has a unit of concentration (``K 3.4 mmol/L``), is a temperature (``T 38.2 C``), or is
    next to another reading in a list (``Na 138, K 4.1``). A letter that numbers a series, as in
    ``vitamin K 4 ng/mL``, is excluded. Runs in linear time.

    Args:
        text: The document's text.

    Yields:
        ``(start, end)`` character offsets of the letters, in text order.
    """
    panel: list[int] = []
    for reading in _READING.finditer(text):
        start = reading.start()
        before = text[max(0, start - _BEFORE_WITHIN) : start]
        if _SERIES.search(before):
            continue
        letter = reading["letter"]
        is_listed = letter in _PANEL and bool(
            (panel and panel[-1] == start)
            or _BEFORE.search(before)
            or _AFTER.match(text, reading.end())
        )
        if reading["unit"] or (letter == "T" and reading["degrees"]) or is_listed:
            panel.append(_after_comma(text, reading.end()))
            yield reading.span("letter")


def _after_comma(text: str, end: int) -> int:
    return end + 2 if text[end : end + 2] in (", ", "; ") else -1
