"""Replacement of acronyms by their long forms in texts and files."""

import re
from collections.abc import Callable, Iterator
from enum import Enum
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from spacy.tokens import Doc

from ..documents.encodings import encode
from ..documents.source import Source, Spans
from ..errors import InputError
from ..pipeline.annotations import definitions_of, mentions_of
from ..resolution import Resolution
from ..text import base_form, is_common_word
from ..text.detect import cover
from ..text.spelling import HYPHENS
from ..text.tokens import FUNCTION_WORDS
from .docx import EditableDocx
from .editable import editable
from .inflection import has_complement, indefinite_article, plural, singular
from .markup import EDITABLE, Edit, as_markup
from .shorthand import is_shorthand

TOOLTIPS = ("html", "markdown")
"""Formats that support `<abbr title>`."""
Introduced = set[tuple[str, str]]
"""Acronyms whose meanings the reader has seen already, as pairs of acronym and long form."""
Expander = Callable[[Source, Doc], str]
"""Function that takes a source and its annotated document and expands the acronyms."""

_ARTICLE = re.compile(r"(?<![\w.])(an?)\s+$", re.IGNORECASE)
_DETERMINER = re.compile(
    r"(?<![\w.])(?:an?|another|each|either|every|neither|one|this)\s+$", re.IGNORECASE
)
_OWN_ARTICLE = re.compile(r"\A(?:an?|the)\s+", re.IGNORECASE)
_JOINED = re.compile(rf"\w[-{HYPHENS}]$")
_NEXT_WORD = re.compile(rf"[ \u00a0]([^\W\d_]+)\b(?![-{HYPHENS}])")

_SHORTENED = re.compile(
    r"\b(?:[^\W\d_]|e\.g|i\.e|al|approx|ca|cf|dr|esp|fig|incl|mrs?|ms|no|prof|resp|vs)\.$",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"(?:\A|\n)[ \t]*(?:[-*+\u2022\u2013]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])[ \t]+\Z",
    re.IGNORECASE,
)
"""Markers of list items."""
_OPENING = "\"'([\u2018\u201c"
_AFTER_STOP = re.compile(
    r"[\"')\]\u2019\u201d]*(?:\Z|\s*\n\s*\n|\s+[\"'(\[\u2018\u201c]*(?P<word>[^\W\d_]+))"
)
_LOOK_BACK = 80  # maximum number of characters before a mention that are searched


class Expand(str, Enum):
    """Modes that select which mentions of an acronym are expanded, and how.

    Attributes:
        first: The first mention of each acronym in each meaning becomes "long form (ACRO)", unless
            it is defined before.
        all: All mentions become long forms.
        tooltip: The first mention gets its long form as `<abbr title>`.
    """

    first = "first"
    all = "all"
    tooltip = "tooltip"


def _never(start: int, end: int) -> bool:
    return False


def expand(doc: Doc, which: Expand, *, shorthand: bool = False) -> str:
    """Return the text of a document with long forms in place of acronyms.

    Definitions, and acronyms with unknown meanings, aren't changed. A long form at the start of a
    sentence gets a capital letter, and one at the end keeps the full stop. In English, plural
    acronyms become plural long forms, and "a" or "an" before an acronym is corrected.

    Args:
        doc: The annotated document.
        which: Which mentions are expanded.
        shorthand: Whether to expand shorthand, units, symbols and doses as well, such as `w/` and
            `BID`.

    Returns:
        The text with long forms.
    """
    text, at, parts = doc.text, 0, []
    for start, end, replacement in expansions(doc, which, shorthand=shorthand):
        parts += [text[at:start], replacement]
        at = end
    return "".join([*parts, text[at:]])


def expansions(
    doc: Doc,
    which: Expand,
    is_kept: Callable[[int, int], bool] = _never,
    introduced: Introduced | None = None,
    *,
    shorthand: bool = False,
) -> Iterator[tuple[int, int, str]]:
    """Yield the replacements that `expand` makes in the text of a document.

    Args:
        doc: The annotated document.
        which: Which mentions are expanded.
        is_kept: Function that takes the offsets of a mention and returns whether the mention can't
            be changed. The next mention then counts as the first.
        introduced: Acronyms that earlier documents have introduced. The acronyms of this document
            are added. With it, only the first mention in all documents is expanded, even for `all`.
            None treats each document separately.
        shorthand: Whether to expand shorthand, units, symbols and doses as well.

    Yields:
        The start, the end and the new text of each replacement.
    """
    text, language = doc.text, doc.lang_
    plural_definitions = _defined_in_plural(doc)
    sentence_start_definitions = _defined_at_sentence_start(doc)
    for start, end, answer in expanded(doc, which, is_kept, introduced, shorthand=shorthand):
        acronym, stop = _without_stop(text, start, end)
        if which is Expand.tooltip:
            title = escape(": ".join(filter(None, (str(answer.long_form), answer.gloss))))
            yield start, end, f'<abbr title="{title}">{escape(acronym, quote=False)}</abbr>{stop}'
            continue
        long_form = str(answer.long_form)
        before = text[max(0, start - _LOOK_BACK) : start]
        begins_sentence = _begins_sentence(before, start <= _LOOK_BACK)
        if language == "en":
            is_defined_in_plural = long_form in plural_definitions
            follows_determiner = _DETERMINER.search(before) and not long_form.istitle()
            in_singular = is_defined_in_plural or (
                bool(follows_determiner) and not has_complement(long_form)
            )
            if long_form in sentence_start_definitions and not begins_sentence:
                long_form = _without_capital(long_form)
            long_form = _in_number(answer._replace(long_form=long_form), in_singular)
            if article_before := _ARTICLE.search(text, max(0, start - _LOOK_BACK), start):
                long_form = _OWN_ARTICLE.sub("", long_form, count=1)
                article = indefinite_article(long_form)
                article = article.capitalize() if article_before[1][0] == "A" else article
                if article != article_before[1]:
                    yield *article_before.span(1), article
            elif re.search(r"\bthe\s+$", before, re.IGNORECASE):
                long_form = _OWN_ARTICLE.sub("", long_form, count=1)
        repeated = _repeated_word(text, end, long_form) if language == "en" else None
        if repeated:
            long_form = long_form.rpartition(" ")[0] + " " + repeated[1]
        if begins_sentence:
            long_form = long_form[:1].upper() + long_form[1:]
        end = repeated.end() if repeated else end
        replacement = f"{long_form} ({acronym})" if which is Expand.first else long_form
        yield start, end, replacement + stop


def expand_source(
    source: Source,
    doc: Doc,
    which: Expand,
    introduced: Introduced | None = None,
    *,
    shorthand: bool = False,
    is_selected: Callable[[int, int], bool] | None = None,
) -> str:
    """Return the text of a file, in the file's format, with long forms in place of acronyms.

    Texts in formats that can't be edited become plain text. Headings don't get tooltips.

    Args:
        source: The source of the text.
        doc: The annotated document.
        which: Which mentions are expanded.
        introduced: Acronyms that earlier documents have introduced (see `expansions`).
        shorthand: Whether to expand shorthand, units, symbols and doses as well.
        is_selected: Function that takes the offsets of a mention in the plain text and returns
            whether to expand it. The first selected mention counts as the first. None selects all
            mentions.

    Returns:
        The text with long forms.

    Raises:
        InputError: If tooltips are requested in a format other than HTML and Markdown.
    """
    if which is Expand.tooltip and source.format not in TOOLTIPS:
        raise InputError(
            f"{source.name} is {source.format}, but tooltips are only possible in "
            f"{' and '.join(TOOLTIPS)}. Choose another mode."
        )
    if source.format not in EDITABLE:
        return expand(doc, which, shorthand=shorthand)
    editable_text = editable(source.source, source.format)

    def is_kept(start: int, end: int) -> bool:
        return not editable_text.can_replace(start, end)

    edits = _edits(source, doc, which, is_kept, introduced, shorthand, is_selected)
    if which is not Expand.tooltip:
        edits = [edit._replace(text=as_markup(edit.text, source.format)) for edit in edits]
    return editable_text.replaced(edits)


def expand_file(
    source: Source,
    doc: Doc,
    which: Expand,
    introduced: Introduced | None = None,
    encoding: str | None = None,
    *,
    shorthand: bool = False,
) -> bytes:
    """Return the content of a copy of a file with long forms, in the file's encoding.

    The styles in a DOCX file are kept.

    Args:
        source: The source that was read from the file.
        doc: The annotated document.
        which: Which mentions are expanded.
        introduced: Acronyms that earlier documents have introduced (see `expansions`).
        encoding: The file's encoding. None detects it.
        shorthand: Whether to expand shorthand, units, symbols and doses as well.

    Returns:
        The bytes of the copy.

    Raises:
        InputError: If the text can't be written in the file's format or encoding.
        OSError: If the file can't be read.
    """
    path = Path(source.path)
    if source.format != "docx":
        text = expand_source(source, doc, which, introduced, shorthand=shorthand)
        return encode(text, path.read_bytes(), encoding)
    opened = EditableDocx(path, source.source)

    def is_kept(start: int, end: int) -> bool:
        return not opened.can_replace(start, end)

    edits = _edits(source, doc, which, is_kept, introduced, shorthand)
    return opened.replaced(edits) if edits else path.read_bytes()


def _edits(
    source: Source,
    doc: Doc,
    which: Expand,
    is_kept: Callable[[int, int], bool],
    introduced: Introduced | None,
    shorthand: bool,
    is_selected: Callable[[int, int], bool] | None = None,
) -> list[Edit]:
    """Return the replacements that `expansions` yields as edits of the original file."""
    titles = Spans(
        (region.start, region.end) for region in source.regions if region.kind == "title"
    )

    def must_stay(start: int, end: int) -> bool:
        if is_selected and not is_selected(start, end):
            return True
        span = source.original_span(start, end)
        in_title = which is Expand.tooltip and titles.has(start)
        return span is None or in_title or is_kept(*span)

    return [
        Edit(*span, text)
        for start, end, text in expansions(doc, which, must_stay, introduced, shorthand=shorthand)
        if (span := source.original_span(start, end))
    ]


def expander(
    mode: str, expand: Callable[..., Any] = expand_source, **options: Any
) -> Callable[[Source, Doc], Any]:
    """Return a function that expands acronyms in a series of documents.

    Args:
        mode: A value of `Expand`, or `first-of-all`, which expands only the first mention of an
            acronym in all documents.
        expand: The function that expands one document: `expand_source` or `expand_file`.
        **options: Additional arguments of `expand`.

    Returns:
        A function that takes a source and its annotated document and returns the result of
        `expand`.
    """
    if mode == "first-of-all":
        return partial(expand, which=Expand.first, introduced=set(), **options)
    return partial(expand, which=Expand(mode), **options)


def expanded(
    doc: Doc,
    which: Expand,
    is_kept: Callable[[int, int], bool] = _never,
    introduced: Introduced | None = None,
    *,
    shorthand: bool = False,
) -> Iterator[tuple[int, int, Resolution]]:
    """Yield the mentions to expand, in text order and without overlaps.

    A mention after a prefix and a hyphen isn't expanded: "non-human immunodeficiency virus" would
    change the meaning of "non-HIV".

    Args:
        doc: The annotated document.
        which: Which mentions are expanded.
        is_kept: Function that takes the offsets of a mention and returns whether it can't be
            changed.
        introduced: Acronyms that earlier documents have introduced (see `expansions`).
        shorthand: Whether to expand shorthand, units, symbols and doses as well.

    Yields:
        The start, the end and the resolution of each mention.
    """
    definitions = definitions_of(doc)
    defined = (
        place for definition in definitions for place in (definition.acronym, definition.long_form)
    )
    fixed = cover(doc.text, defined)
    at_definition = {definition.acronym for definition in definitions}
    only_first = introduced is not None or which is not Expand.all
    is_written = which is not Expand.tooltip
    introduced = set() if introduced is None else introduced
    free = 0
    for start, end, answer in mentions_of(doc):
        sense = (base_form(answer.acronym), answer.kb_id)
        if (start, end) in at_definition:
            introduced.add(sense)
        elif answer.long_form is not None and start >= free and not any(fixed[start:end]):
            free = end
            follows_hyphen = is_written and _JOINED.search(doc.text[max(0, start - 2) : start])
            is_short = is_written and not shorthand and is_shorthand(answer)
            if follows_hyphen or is_short or is_kept(start, end):
                continue
            if not only_first or sense not in introduced:
                yield start, end, answer
            introduced.add(sense)


def _defined_in_plural(doc: Doc) -> set[str]:
    """Return the long forms that a document defines together with a plural acronym."""
    text = doc.text
    return {
        " ".join(definition.words(text).split())
        for definition in definitions_of(doc)
        if text[slice(*definition.acronym)].endswith("s")
    }


def _defined_at_sentence_start(doc: Doc) -> set[str]:
    """Return the long forms that begin a sentence where the document defines them."""
    text = doc.text
    return {
        " ".join(definition.words(text).split())
        for definition in definitions_of(doc)
        if _begins_sentence(
            text[max(0, definition.long_form[0] - _LOOK_BACK) : definition.long_form[0]],
            definition.long_form[0] <= _LOOK_BACK,
        )
    }


def _without_capital(long_form: str) -> str:
    """Return a long form without the capital letter that began a sentence: "Quality of service"."""
    first, *others = long_form.split(" ")
    has_name = any(word[:1].isupper() for word in others if word.lower() not in FUNCTION_WORDS)
    if has_name or not first.istitle() or not is_common_word(first.partition("-")[0]):
        return long_form
    return first[0].lower() + long_form[1:]


def _without_stop(text: str, start: int, end: int) -> tuple[str, str]:
    """Split a mention into the acronym and the full stop that ends the sentence, if there is one.

    "U.S." also keeps its last full stop. A long form that replaces it needs the full stop again.
    """
    acronym = text[start:end]
    after = _AFTER_STOP.match(text, end) if acronym.endswith(".") else None
    if not after:
        return acronym, ""
    word, dotted = after["word"], acronym.count(".") > 1
    if word and (not word[0].isupper() or (dotted and word.lower() not in FUNCTION_WORDS)):
        return acronym, ""
    return (acronym if dotted else acronym[:-1]), "."


def _in_number(answer: Resolution, in_singular: bool) -> str:
    """Return the long form, in the plural for a plural acronym, or in the singular if required."""
    long_form = str(answer.long_form)
    if answer.acronym == base_form(answer.acronym) + "s":
        return plural(long_form)
    return singular(long_form) if in_singular else long_form


def _repeated_word(text: str, end: int, long_form: str) -> re.Match[str] | None:
    """Return the word after an acronym if it repeats the long form's last word: "ATM machine"."""
    match = _NEXT_WORD.match(text, end)
    _, space, last = long_form.rpartition(" ")
    if not (match and space):
        return None
    return match if singular(match[1].lower()) == singular(last.lower()) else None


def _begins_sentence(before: str, is_entire: bool) -> bool:
    """Return whether a new sentence begins after the given text.

    `is_entire` tells whether `before` reaches back to the beginning of the document.
    """
    before = before.rstrip(_OPENING)
    item = _ITEM.search(before)
    if item and (item.start() or is_entire or before[0] == "\n"):
        return True
    stripped = before.rstrip()
    if not stripped:
        return is_entire
    gap = before[len(stripped) :]
    words = stripped.rstrip("\"')]\u2019\u201d")
    ended = words[-1:] in ("!", "?") or (words[-1:] == "." and not _SHORTENED.search(words))
    return gap.count("\n") > 1 or (ended and bool(gap))
