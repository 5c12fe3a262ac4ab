"""Find acronyms by their spelling, even if the text never defines them, and split compounds.

Most acronyms have two capitals close together, as in `mRNA`, or a capital and a digit, as in `CD4`.
Single letters before a measured value are found, too, as in `K 4.1 mmol/L` and `Na 138, K 4.1`.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Set
from functools import lru_cache
from itertools import pairwise
from typing import Final

from .mention import Offsets
from .tokens import CASELESS, is_common_word

_UPPER: Final = "A-ZÀ-ÖØ-ÞΑ-ΡΣ-ΩЀ-Я"
_LOWER: Final = "a-zß-öø-ÿα-ωа-я"
_GREEK: Final = r"(?:alpha|beta|gamma|delta|epsilon|kappa|[α-ω])\w{0,2}"
# Two capitals, or a capital and a digit, near the word's beginning: mRNA, CNNs, ReLU, 3GPP, CD4.
_WORD: Final = (
    rf"(?=[{_LOWER}\d]{{0,3}}[{_UPPER}][{_LOWER}]{{0,4}}[{_UPPER}\d])[^\W_{CASELESS}]{{2,12}}"
)
# A letter or digit that would continue the word, so that the acronym doesn't end there.
_LETTER: Final = rf"(?:[^\W{CASELESS}]|\d)"
# Endings directly after an acronym: of a verb, or of a version.
_VERB: Final = r"(?:ing|ed)(?!\w)"
_VERSION: Final = r"_v\d"
# Parts that a hyphen joins to an acronym: MU-MIMO, IL-6, COVID-19, TGF-beta1, NF-κB, IL-1β.
_PART: Final = (
    rf"(?:[{_UPPER}][{_UPPER}\d]{{0,7}}s?|\d{{1,3}}(?:[{_UPPER}]{{1,2}}|[α-ω])?|{_GREEK})"
)

ADDRESS: Final = r"(?:https?://|ftp://|www\.|(?<!\S)/\w[^\s/]*/|(?<!\w)\w{0,20}\?\w{1,20}=)"
"""Regular expression for the beginning of a web address, a file path or a query string. Text in
such places contains no acronyms."""

_CANDIDATE: Final = re.compile(
    rf"""
    {ADDRESS}\S*                                          # skips links and addresses
    | (?<![\w.+-])[\w.+-]{{1,64}}@\S*
    | (?<!{_LETTER})(?<!&)(?P<acronym>
        (?:[{_UPPER}]\.){{2,6}}(?:[{_UPPER}](?!{_LETTER}|\.))?   # U.S., U.S.A
      | (?:[{_UPPER}][{_LOWER}]?\.){{2,4}}                # Ph.D., M.Sc.
      | [{_UPPER}](?:&[{_UPPER}]{{1,3}}|/[{_UPPER}]){{1,3}}s?  # R&D, S&OP, T&Cs, I/O
      | [{_UPPER}]{{2,6}}(?={_VERB})                      # OKed
      | (?:[{_UPPER}{_LOWER}\d]-)?{_WORD}(?:\.\d(?!\d))?  # R-CNN, k-NN, 5-HT, PM2.5
        (?:&[{_UPPER}]{{1,4}})?(?:-{_PART}(?!{_LETTER}))*  # AT&T, IL-6
    )(?:(?!{_LETTER})|(?={_VERSION})|(?<=[{_UPPER}])(?={_VERB}))
    """,
    re.VERBOSE,
)

_NAME_FOLLOWS: Final = rf"(?!(?:[{_UPPER}]\. ){{1,5}}[{_UPPER}]\.,? [{_UPPER}][{_LOWER}])"
_SPACED: Final = re.compile(
    rf"(?:\d |\b[Tt]he |(?<!\bby)(?<=[{_LOWER}]) {_NAME_FOLLOWS})"
    rf"(?P<acronym>(?:[{_UPPER}]\. ){{1,5}}[{_UPPER}]\.)(?!\w)"
)

# Every acronym has a capital soon followed by another capital or a digit. Any character beyond
# ASCII may be either.
_ANY_UPPER: Final = r"A-Z\x80-\U0010FFFF"
_CAPITALS: Final = re.compile(
    rf"[{_ANY_UPPER}](?:[a-z\x80-\U0010FFFF]{{0,4}}[{_ANY_UPPER}\d]|[a-z]?[.&/][{_ANY_UPPER}])\S*"
)

_ROMAN: Final = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})(?:[a-d]|(?<=II)[AB])?")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NUMBER_BEFORE: Final = re.compile(r"\d[\s-]?\Z")
UNITS: Final = _words(
    "MHz GHz THz KHz MWh GWh TWh KWh MPa GPa KPa MeV GeV TeV MBq GBq KDa MDa "
    "KB MB GB TB PB KiB MiB GiB TiB MW GW TW KW KV KVA MVA KG KM CM MM ML DPI "
    "RPM PSI BTU"
)
"""Units of measurement that are spelled like acronyms. After a number, as in "5 MB", they don't
count as acronyms."""

_FUNCTION_WORDS: Final = _words(
    "A AN AND ARE AS AT BE BUT BY DO DOES FOR FROM HAS HAVE HOW IF IN INTO IS ITS NOT OF ON OVER "
    "SHALL SHOULD THAT THE THEIR THEN THESE THIS TO UNDER WAS WERE WHAT WHEN WHERE WHICH WHY WILL "
    "WITH WITHOUT YOUR"
)
# Words in capitals for emphasis or as a label. They are not acronyms, even in ordinary sentences.
_STRONG_EMPHASIS: Final = _words(
    "FIXME README TODO ALWAYS AND ELSE EVERY FALSE FIGURE MUST NEVER NONE NOT NOTE NULL ONLY SHALL "
    "SHOULD TABLE THAN TRUE VERY WILL YES"
)
# The added words are acronyms only if a dictionary lists them and no word in capitals follows.
_EMPHASIS: Final = _STRONG_EMPHASIS | _words("AIM AIMS BOTH EACH FIG NO OFF SAME SEE THE VS")
_PLAIN_WORDS: Final = _FUNCTION_WORDS | _EMPHASIS

REQUESTS: Final = _words("GET HEAD POST PUT PATCH DELETE OPTIONS")
"""HTTP methods. In phrases such as "POST requests", "PUT /users" and "GET and POST", they don't
count as acronyms."""
_REQUEST: Final = rf"(?:{'|'.join(sorted(REQUESTS))})s?\b"
_REQUEST_BEFORE: Final = re.compile(rf"(?:\bHTTP\s|\b{_REQUEST}(?:,?\s(?:and|or)\s|,\s|/))\Z")
_REQUEST_AFTER: Final = re.compile(
    rf"\s(?:requests?|calls?|methods?|endpoints?)\b|\s/\w|\shttps?:"
    rf"|(?:,?\s(?:and|or)\s|,\s|/){_REQUEST}"
)

# Words before a Roman numeral and before a code, which are not acronyms.
_NUMERAL: Final = re.compile("[IVX]+[a-dABC]?")
_KINDS: Final = (
    "act|annex|appendix|article|book|category|chapter|class|factor|figure|grade|group|level|part"
    "|phase|schedule|section|stage|table|tier|title|type|volume"
)
_NUMERAL_BEFORE: Final = re.compile(
    rf"(?<!\w)(?:{_KINDS})s?\s(?:[IVX]+(?:/|-|,\s|\s(?:and|or|to)\s))*\Z", re.IGNORECASE
)
_SYSTEM_BEFORE: Final = re.compile(
    r"(?<!\w)(?:IATA|ICAO|NYSE|N[Aa][Ss][Dd][Aa][Qq]|LSE|TSX|ASX|OTC)(?:\s(?:code|symbol))?:\s?\Z"
)
_PLACE: Final = 30  # number of characters before a word that are searched

# Between two words of the same headline.
_HEADLINE_GAP: Final = re.compile(rf"[ \t;,'’&–—-]{{1,3}}(?:[{_UPPER}\d][ \t])?")
_LONG_GAP: Final = 5  # characters
_SHOUTED: Final = re.compile(rf"\s[{_UPPER}](?:[{_UPPER}]+\b|/[{_UPPER}])")
_HEADLINE_WORD: Final = 7  # minimum letters of a word that marks a headline
_BASES: Final = frozenset("ACGTU")
_MOST_DIGITS: Final = 3  # maximum digits of an acronym


Listed = Callable[[str], bool]
"""A function that takes a word in capitals and returns whether a dictionary lists it as an
acronym."""


def find_acronyms(text: str, is_listed: Listed | None = None) -> list[Offsets]:
    """Find all words that are spelled like acronyms, whether or not the text defines them.

    A plural ``s`` belongs to the acronym, but a possessive ``'s`` doesn't. Headlines and prose in
    capitals, Roman numerals, units after a number, HTTP methods and capitalized words are left out.
    Runs in linear time.

    Args:
        text: Text of the document.
        is_listed: Function that returns whether a dictionary lists a word as an acronym. It is
            called for words in a headline in capitals. If it is None, only words without a vowel,
            such as HTTP, count as acronyms in a headline.

    Returns:
        ``(start, end)`` character offsets of the acronyms, in text order and without overlaps.
    """
    candidates = []
    previous_end = 0
    for begin, end in map(re.Match.span, _CAPITALS.finditer(text)):
        previous_end = max(previous_end, begin) if text[begin].isspace() else previous_end
        while begin > previous_end and not text[begin - 1].isspace():
            begin -= 1
        previous_end = end
        matches = _CANDIDATE.finditer(text, begin, end)
        candidates += [match.span("acronym") for match in matches if match["acronym"]]
    headlines = _headline_words(text, candidates, is_listed)
    return [span for span in candidates if span not in headlines and _is_acronym(text, *span)]


def find_spaced(text: str) -> list[Offsets]:
    """Find capitals separated by full stops and spaces, such as `U. S. C.` in `42 U. S. C.`.

    The capitals must follow a number, the word "the" or a word in lower case. Initials of a name
    are left out, as in `by J. R. R. Tolkien`.

    Args:
        text: Text of the document.

    Returns:
        Character offsets of possible acronyms, in text order. Use a dictionary to check which of
        them are acronyms.
    """
    return [match.span("acronym") for match in _SPACED.finditer(text)]


def _is_acronym(text: str, start: int, end: int) -> bool:
    word = text[start:end]
    may_be = _may_be_acronym(word)
    if may_be is None:
        may_be = not _is_quantity(text, start, word) and not _is_request(text, start, end, word)
    return may_be and not is_other(text, start, end)


@lru_cache(1 << 16)
def _may_be_acronym(word: str) -> bool | None:
    """Return whether a word is an acronym, or None if the words around it decide this."""
    if not _has_capitals(word) or word in _EMPHASIS or _ROMAN.fullmatch(word):
        return False
    if sum(map(str.isdigit, word)) > _MOST_DIGITS:
        return False
    depends = word[0].isdigit() or word in UNITS or word.removesuffix("s") in REQUESTS
    return None if depends else True


def has_acronym_shape(word: str) -> bool:
    """Return whether a word is spelled like an acronym, such as `I/O` and `5G`, but not `MHz`.

    The words around it are not considered, and units of measurement never count as acronyms.

    Args:
        word: The word as written.
    """
    may_be = _may_be_acronym(word)
    return word not in UNITS if may_be is None else may_be


def is_acronym_alone(word: str) -> bool:
    """Return whether a word is an acronym in any context, such as `MRI` but not `MB` or `FOR`.

    Whether units of measurement, HTTP methods and words that begin with a digit are acronyms
    depends on their context. Function words in capitals are left out, too.

    Args:
        word: The word as written.
    """
    return _may_be_acronym(word) is True and word not in _FUNCTION_WORDS


def _has_capitals(word: str) -> bool:
    """Return whether a word has two capitals and at least as many capitals as small letters."""
    capitals = sum(map(str.isupper, word))
    small = sum(map(str.islower, word.removesuffix("s")))
    return capitals >= 2 and (capitals >= small or "-" in word)


def _is_quantity(text: str, start: int, word: str) -> bool:
    """Return whether a word is a unit after a number, as in "5 MB" and "1.26MgC"."""
    if word[0].isdigit():
        decimals, hexadecimal = text[start - 1 : start] in (".", ","), word.startswith("0x")
        return decimals or hexadecimal or word.lstrip("0123456789") in UNITS
    return word in UNITS and bool(_NUMBER_BEFORE.search(text, max(0, start - 2), start))


def _is_request(text: str, start: int, end: int, word: str) -> bool:
    """Return whether a word is an HTTP method in a phrase such as "POST calls"."""
    if word.removesuffix("s") not in REQUESTS:
        return False
    before = text[max(0, start - 16) : start]
    return bool(_REQUEST_BEFORE.search(before) or _REQUEST_AFTER.match(text, end))


def is_other(text: str, start: int, end: int) -> bool:
    """Return whether the words around a word in capitals show that it isn't an acronym.

    Examples are the numeral in "Grade IV", the stock symbol in "NYSE: ABC" and the emphasized "NO"
    in "NO NUTS".

    Args:
        text: Text of the document.
        start: Character offset at which the word starts.
        end: Character offset at which the word ends.
    """
    word, before = text[start:end], text[max(0, start - _PLACE) : start]
    if _NUMERAL.fullmatch(word):
        return bool(_NUMERAL_BEFORE.search(before))
    if before.endswith((":", ": ")) and _SYSTEM_BEFORE.search(before):
        return True
    return word in _STRONG_EMPHASIS or (word in _EMPHASIS and _SHOUTED.match(text, end) is not None)


def _headline_words(text: str, candidates: list[Offsets], is_listed: Listed | None) -> set[Offsets]:
    """Return the candidates that are ordinary words in a headline in capitals."""
    headlines: set[Offsets] = set()
    run: list[Offsets] = []
    for word, following in pairwise([*candidates, (len(text) + _LONG_GAP + 1, 0)]):
        run.append(word)
        gap = following[0] - word[1]
        if gap > _LONG_GAP or not _HEADLINE_GAP.fullmatch(text, word[1], following[0]):
            if _is_headline(text, run) if len(run) > 1 else _is_heading(text, *run[0]):
                headlines.update(
                    span for span in run if not _stands_out(text[slice(*span)], is_listed)
                )
            run = []
    return headlines


def _stands_out(word: str, is_listed: Listed | None) -> bool:
    """Return whether a word of a headline in capitals is an acronym.

    It is an acronym if it has no vowel, as HTTP, or if a dictionary lists it. DNA sequences such as
    CTTG are not acronyms.
    """
    if word.isalpha() and not set(word) & set("AEIOUYaeiouy") and not set(word) <= _BASES:
        return True
    return word not in _PLAIN_WORDS and is_listed is not None and is_listed(word)


def _is_headline(text: str, run: list[Offsets]) -> bool:
    words = [text[start:end] for start, end in run]
    plain = [word in _PLAIN_WORDS for word in words]
    if all(plain) or (any(plain) and len(words) > 2):
        return True
    if any("," in text[left[1] : right[0]] for left, right in pairwise(run)):
        return False  # an enumeration of acronyms
    if plain[0]:
        return True
    if len(words) > 2 and (
        all(set(word) <= _BASES for word in words) or all(map(is_common_word, words))
    ):
        return True
    return any(map(_is_long, words))


def _is_heading(text: str, start: int, end: int) -> bool:
    """Return whether a word is a heading at the start of a line, as in "ALLERGIES: NKDA"."""
    begins = start == 0 or text[start - 1] == "\n"
    return begins and text[end : end + 1] == ":" and _is_long(text[start:end])


def _is_long(word: str) -> bool:
    return len(word) >= _HEADLINE_WORD and word.isalpha() and word.isupper()


_COMPOUND_PART: Final = re.compile(r"[^/-]+")
_BEGINS_WITH_DIGIT: Final = re.compile(r"\d").match
_NUMBERED: Final = re.compile(r"([A-Z]{2,})-\d[\d.]*[A-Za-z]?|([A-Z]{3,})\d[\d.]*")
"""A numbered instance, such as ``AHU-3``, ``CIFAR-10`` or ``AFF4``. Two letters with a number right
after them, such as ``VE10``, are mostly names."""


def split_compounds(
    text: str,
    acronyms: Iterable[Offsets],
    is_known: Callable[[str], bool],
    explained: Set[str] = frozenset(),
) -> Iterator[Offsets]:
    """Split compounds of acronyms, such as ``MRI/CT``, if they have no meaning themselves.

    The rules are applied in this order:

    - If the text defines one of the parts, the compound is split into those parts that are acronyms
      in any context. Compounds with a number as a part, such as IL-2, are an exception.
    - A compound with a meaning, such as TCP/IP, stays whole.
    - Another compound is split if one of its parts has a meaning, is an acronym in any context and
      is no English word in capitals. All such parts are kept, with or without a meaning.
    - A final number is dropped if the acronym before it has a meaning. For example, AHU-3 becomes
      AHU.
    - All other compounds stay whole.

    Args:
        text: Text of the document.
        acronyms: Character offsets of the acronyms in the text, in text order.
        is_known: Function that returns whether an acronym has a meaning in a dictionary.
        explained: Acronyms that the text defines.

    Yields:
        Character offsets of whole acronyms and of the parts of compounds, in text order.
    """
    for start, end in acronyms:
        word = text[start:end]
        parts = part_compound(text, start, end)
        names = {text[slice(*part)] for part in parts}
        if (
            len(parts) > 1
            and not explained.isdisjoint(names)
            and not any(map(_BEGINS_WITH_DIGIT, names))
        ):
            yield from (part for part in parts if is_acronym_alone(text[slice(*part)]))
        elif is_known(word):
            yield start, end
        elif len(parts) > 1 and any(
            _is_acronym_in_compound(name) and is_known(name) for name in names
        ):
            yield from (part for part in parts if _is_acronym_in_compound(text[slice(*part)]))
        elif (numbered := _NUMBERED.fullmatch(word)) and is_known(numbered[1] or numbered[2]):
            yield start, start + len(numbered[1] or numbered[2])
        else:
            yield start, end


def part_compound(text: str, start: int, end: int) -> list[Offsets]:
    """Return the offsets of a compound's parts, between which there are hyphens or slashes.

    Args:
        text: Text of the document.
        start: Character offset at which the compound starts.
        end: Character offset at which the compound ends (exclusive).
    """
    return [part.span() for part in _COMPOUND_PART.finditer(text, start, end)]


def _is_acronym_in_compound(part: str) -> bool:
    return is_acronym_alone(part) and not is_common_word(part)


_MEASURED: Final = r"\d{1,4}(?:[.,]\d{1,3})?(?![\d/-]|[.,]\d)"
_CONCENTRATION: Final = r"\s?(?:[a-zA-Zµμ]{1,4}/(?:d|m|µ|μ)?[Ll]|g%)(?!\w)"  # its units
_READING: Final = re.compile(
    rf"(?<![\w.'’&+/-])(?P<letter>[A-Z])(?::\s?|\s(?:=\s)?){_MEASURED}"
    rf"(?:(?P<unit>{_CONCENTRATION})|(?P<degrees>\s?°?\s?[CF](?!\w))|(?!\w))"
)
_PANEL: Final = "KPRT"
"""Letters that name measured values in lists without units: potassium (K), pulse (P), respiration
(R) and temperature (T)."""
_OTHER_READING: Final = r"[A-Z][A-Za-z]{1,4}\d?(?::\s?|\s)"
_READING_BEFORE: Final = re.compile(
    rf"(?<![\w-]){_OTHER_READING}[\d./]{{1,7}}%?(?:\s?[\w/°%]{{1,8}})?[,;]\s\Z"
)
_READING_AFTER: Final = re.compile(rf"(?:\s?°?\s?[CF])?[,;]\s{_OTHER_READING}\d")
_READING_WITHIN: Final = 28  # number of characters before a letter that are searched
_SERIES: Final = re.compile(
    r"(?<!\w)(?:vitamin|hepatitis|type|class|group|grade|phase|part|section|annex|appendix|table"
    r"|figure|fig\.|room|protein|factor|complement|cathepsin|immunoglobulin)s?\s\Z",
    re.IGNORECASE,
)


def find_readings(text: str) -> Iterator[Offsets]:
    """Find single letters that name a measured value, such as K (potassium) or T (temperature).

    The value must have a unit of concentration (``K 3.4 mmol/L``), be a temperature (``T 38.2 C``),
    or be next to another measured value in a list (``Na 138, K 4.1``). Letters that belong to the
    word before them, as in ``vitamin K 4 ng/mL``, are left out. Runs in linear time.

    Args:
        text: Text of the document.

    Yields:
        ``(start, end)`` character offsets of the letters, in text order.
    """
    panel: list[int] = []
    for reading in _READING.finditer(text):
        start = reading.start()
        before = text[max(0, start - _READING_WITHIN) : start]
        if _SERIES.search(before):
            continue
        letter = reading["letter"]
        is_listed = letter in _PANEL and bool(
            (panel and panel[-1] == start)
            or _READING_BEFORE.search(before)
            or _READING_AFTER.match(text, reading.end())
        )
        if reading["unit"] or (letter == "T" and reading["degrees"]) or is_listed:
            panel.append(_after_comma(text, reading.end()))
            yield reading.span("letter")


def _after_comma(text: str, end: int) -> int:
    return end + 2 if text[end : end + 2] in (", ", "; ") else -1
