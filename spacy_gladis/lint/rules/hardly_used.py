"""AC005: an acronym is defined, and hardly or never used afterwards."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain

from ..apart import in_option
from ..defined import Defined
from ..document import LintDocument
from ..finding import Found
from ..headings import is_heading
from ..known import WIDELY, commonness, name_grade
from ..references import leads_away
from ..terms import RUN, find_terms
from ..wording import is_initialism

_WORD = re.compile(r"[^\W\d_][\w-]*")
_BODY = re.compile(
    r"Agency|Alliance|Association|Authority|Bureau|Cent(?:er|re)|Commission|Committee|Company|"
    r"Consortium|Corporation|Council|Department|Federation|Foundation|Initiative|Institute|"
    r"Instruments|Laborator(?:y|ies)|Ministry|Observatory|Organi[sz]ation|Society|Spectrograph|"
    r"Specification|Telescope|University"
)
_KIND = re.compile(
    r"Act|Board|Directive|Group|Law|Licen[cs]e|Mission|Platform|Protocol|Regulation|Runtime|"
    r"Satellite|School|Survey|Systems?|Union"
)
_KNOWN = 20  # a name that one list of the dictionary gives the third of five grades
_SMALL = 3  # letters of words such as "for" and "the"
_COLUMN = re.compile(r"[^\s.!?:;,][ \t]{2,}$")
_SHORT = 10  # characters
_QUOTES = frozenset('"\u201c\u201d')
_ITEM = re.compile(r"[ \t\"]*(?:[-*+]|\d+[.)])[ \t]+(?:\[.\][ \t]*)?\W*")
_SECOND = 30  # characters before a second name
_ALSO = re.compile(r"\balso\s+(?:called|known\s+as)\s+$", re.IGNORECASE)


def hardly_used(documents: Sequence[LintDocument]) -> Iterator[tuple[LintDocument, Found]]:
    """A finding at the definition of an acronym with fewer than `least_uses` uses after it: of one
    that people hardly know by its letters, of words that are no name, where no other document
    uses it."""
    used = [{use.key for use in document.uses} for document in documents]
    among = Counter(chain.from_iterable(used))
    for document, own in zip(documents, used, strict=True):
        elsewhere = {key for key in document.by_acronym if among[key] > (key in own)}
        yield from ((document, found) for found in _hardly_used(document, elsewhere))


def _hardly_used(document: LintDocument, elsewhere: Collection[str]) -> Iterator[Found]:
    uses = defaultdict(list)
    for use in document.uses:
        uses[use.key].append(document.offset(use))
    few: list[tuple[Defined, int]] = []
    for key, definitions in document.by_acronym.items():
        first = definitions[0]
        if key in elsewhere or document.settings.allows(key, first.acronym):
            continue
        common = first.long_form.islower() and first.exact
        if not (common and _calls_for_use(document, first)):
            continue
        if _is_name(first) or _is_in_names(document, first.key):
            continue
        if first.long_form.isalpha() or _is_quoted(document, first):
            continue
        if document.changes.has(first.offset) or _is_in_column(document, first):
            continue
        if name_grade(key, first.long_form) >= _KNOWN or document.looked_up.has(first.offset):
            continue
        if document.in_glossary(first.offset) or in_option(document.source, first.offset):
            continue
        after = sum(offset > first.offset for offset in uses[key])
        after += len(definitions) - 1  # the next one spells out what a reader meets again
        if after < document.settings.least_uses:
            few.append((first, after))
    last = _last_places(document.unlabelled, [first.key for first, after in few if not after])
    for first, after in few:
        if commonness(first.key, first.long_form) >= WIDELY:
            continue
        if after or last[first.key] < first.offset + len(first.acronym):
            times = {0: "never used", 1: "used only once"}.get(after, f"used only {after} times")
            yield Found(first.offset, f"'{first.acronym}' is defined and then {times}")


def _calls_for_use(document: LintDocument, one: Defined) -> bool:
    """Whether a definition is there to be used after it: it is no entry of a list, no tooltip,
    comes before all uses, and explains no acronym that stands before it, and no part of a name
    such as `dcg_score` or a code with digits; titles and references call for none either."""
    listed = one.glossary or document.in_table(one) or document.is_entry(one)
    before = document.first_offsets.get(one.key, one.offset) < one.offset
    named = one.key.lower() in document.parts_of_names
    glossed = one.acronym_at is None or one.acronym_at < (one.long_form_at or (0, 0))
    cited = leads_away(document.source, one.offset) or is_heading(document.source, one.offset)
    numbered = any(map(str.isdecimal, one.key))
    written = document.first_words.get(one.key.lower(), one.offset) < one.offset
    apart = _is_label(document, one) or written
    return not (listed or before or named or glossed or cited or numbered or apart)


def _is_label(document: LintDocument, one: Defined) -> bool:
    """Whether a definition begins an item of a list, gives a second name, or is of a licence,
    of thanks, a grant or an owner of rights."""
    if one.long_form_at is None:
        return False
    start = document.source.original_offset(one.long_form_at[0])
    line = document.source.source.rfind("\n", 0, start) + 1
    return bool(
        _ITEM.fullmatch(document.source.source, line, start)
        or _ALSO.search(document.text, max(0, one.long_form_at[0] - _SECOND), one.long_form_at[0])
        or document.is_legal(one)
    )


def _is_name(one: Defined) -> bool:
    """Whether it is the name of a body, a law, an instrument or a protocol, which people know by
    its letters as often as not, or one that its letters do not spell: "Tiger Lake (TGL)"."""
    words = [word for word in _WORD.findall(one.long_form) if len(word) > _SMALL]
    capitals = [word for word in words if word[0].isupper()]
    if len(capitals) < 2 or words[-1] != capitals[-1]:
        return any(map(_BODY.fullmatch, capitals))
    known = _KIND.fullmatch(words[-1]) or any(map(_BODY.fullmatch, capitals))
    return bool(known) or not is_initialism(one.key, one.long_form)


def _is_in_column(document: LintDocument, one: Defined) -> bool:
    """Whether the long form begins a column of plain text: "I   If Modified Since (IMS)"."""
    start = one.long_form_at[0] if one.long_form_at else 0
    return bool(_COLUMN.search(document.text, max(0, start - _SHORT), start))


def _is_quoted(document: LintDocument, one: Defined) -> bool:
    """Whether the acronym stands in quotation marks, as a name that is spoken of."""
    start, end = one.acronym_at or (0, 0)
    before, after = document.text[start - 1 : start], document.text[end : end + 1]
    return before in _QUOTES or after in _QUOTES or before == after == "'"


def _is_in_names(document: LintDocument, key: str) -> bool:
    """Whether a name of a program or a package ends in it or begins so, as "IP_RECVTOS", "pyirf",
    "agnpy" and "HTSeq" do, or the acronym has two parts, of which one may be used alone."""
    spelled, short = key.lower(), key.removesuffix("s")
    forms = {one for one in (spelled, spelled.removesuffix("s")) if len(one) >= _SMALL}
    named = any(one in document.endings_of_names(len(one)) for one in forms)
    named = named or not document.small_words.isdisjoint(f"{one}py" for one in forms)
    begins = len(key) >= _SMALL and short in document.beginnings_of_names(len(short))
    return named or begins or len(key.replace("-", " ").split()) > 1


def _last_places(source: str, keys: Iterable[str]) -> dict[str, int]:
    """Where each acronym stands last: in a program, a formula, another long form, in capitals or
    not."""
    forms = {key: (key.lower(), key.lower() + "s") for key in keys}
    last = {
        form: start
        for form, start, _ in find_terms(source, chain(*forms.values()), RUN, any_case=True)
        if source[max(0, start - 1) : start] not in ("/", ".")
    }
    return {key: max(last.get(form, 0) for form in both) for key, both in forms.items()}
