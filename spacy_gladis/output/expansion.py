"""Replacement of acronyms by their long forms in texts and in files."""

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
from ..text.mention import cover
from ..text.spelling import HYPHENS
from ..text.tokens import FUNCTION_WORDS
from .docx import EditableDocx
from .editable import editable
from .inflection import has_complement, indefinite_article, plural, singular
from .markup import EDITABLE, Edit, as_markup
from .shorthand import is_shorthand

TOOLTIPS = ("html", "markdown")
"""Formats in which a long form can be shown as a tooltip, with ``<abbr title>``."""
Introduced = set[tuple[str, str]]
"""Type of a set of ``(acronym, long form)`` pairs that a reader has already seen."""
Expander = Callable[[Source, Doc], str]
"""Type of a function that takes a source and its annotated document and returns expanded text."""

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
"""Markers at the beginning of list items, such as ``-`` and ``2.``."""
_OPENING = "\"'([\u2018\u201c"
_AFTER_STOP = re.compile(
    r"[\"')\]\u2019\u201d]*(?:\Z|\s*\n\s*\n|\s+[\"'(\[\u2018\u201c]*(?P<word>[^\W\d_]+))"
)
_LOOK_BACK = 80  # maximum number of characters before a mention that are searched


class Expand(str, Enum):
    """Modes that select which mentions of an acronym are replaced, and by what.

    Attributes:
        first: The first mention of an acronym becomes "long form (ACRO)". An acronym with two
            meanings has a first mention for each of them. Acronyms that the text has defined before
            stay.
        all: Each mention becomes the long form.
        tooltip: The first mention gets the long form as a tooltip, with ``<abbr title>``.
    """

    first = "first"
    all = "all"
    tooltip = "tooltip"


def _never(start: int, end: int) -> bool:
    return False


def expand(doc: Doc, which: Expand, *, shorthand: bool = False) -> str:
    """Return the text of a document with long forms in place of acronyms.

    Definitions, and acronyms that weren't resolved, stay unchanged. A long form at the start of a
    sentence gets a capital letter, and one at the end keeps the full stop. In English texts, plural
    acronyms become plural long forms, and the article "a" or "an" before an acronym is corrected.

    Args:
        doc: Document that a pipeline has annotated.
        which: Mode, such as `Expand.first` or `Expand.all`.
        shorthand: Whether to also expand shorthand, units, symbols and doses, such as `w/` and
            `BID`.

    Returns:
        The expanded text.
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
        doc: Document that a pipeline has annotated.
        which: Mode that selects the mentions to replace.
        is_kept: Function that takes the start and end of a mention, and returns whether the mention
            must stay. The acronym's next mention then counts as its first.
        introduced: Acronyms that earlier documents have introduced, as ``(acronym, long form)``
            pairs. The acronyms of this document are added to it. If it is given, only the first
            mention in all documents is replaced, even with `Expand.all`. None treats each document
            separately.
        shorthand: Whether to also expand shorthand, units, symbols and doses, such as `w/` and
            `BID`.

    Yields:
        The start, the end and the new text of each replacement, in text order. Start and end are
        character offsets.
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
    """Return the content of a file with long forms in place of acronyms. Its markup stays intact.

    If the format doesn't allow this, the result is the expanded plain text. Headings don't get
    tooltips.

    Args:
        source: The text that was read from the file, with the file's format and content.
        doc: Document that a pipeline has annotated.
        which: Mode that selects the mentions to replace.
        introduced: Acronyms that earlier documents have introduced (see `expansions`).
        shorthand: Whether to also expand shorthand, units, symbols and doses, such as `w/` and
            `BID`.
        is_selected: Function that takes the start and end of a mention in the plain text, and
            returns whether to replace it. An acronym's first selected mention counts as its first.
            None selects all mentions.

    Returns:
        The expanded content.

    Raises:
        InputError: If tooltips are requested in a format other than HTML and Markdown.
    """
    if which is Expand.tooltip and source.format not in TOOLTIPS:
        raise InputError(
            f"{source.name} has the format {source.format}, but tooltips are only possible in "
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
    """Return the bytes of an expanded copy of a file, in the encoding of the file.

    The copy has long forms in place of acronyms. The styles in a DOCX file are kept. The file
    itself stays unchanged.

    Args:
        source: The text that was read from the file, with the file's path, format and content.
        doc: Document that a pipeline has annotated.
        which: Mode that selects the mentions to replace.
        introduced: Acronyms that earlier documents have introduced (see `expansions`).
        encoding: Encoding of the file. None detects it.
        shorthand: Whether to also expand shorthand, units, symbols and doses, such as `w/` and
            `BID`.

    Returns:
        The content of the copy, ready to be written.

    Raises:
        InputError: If the expanded text can't be written in the file's format or encoding.
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
    """Return the replacements of `expansions` as edits of the original file."""
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
    """Return a function that expands the acronyms of documents, one document after the other.

    Args:
        mode: Name of an `Expand` mode, or `first-of-all`. With the latter, the function remembers
            which acronyms it has expanded, and expands only the first mention in all documents.
        expand: Function that expands one document: `expand_source` or `expand_file`.
        **options: Additional arguments of `expand`.

    Returns:
        A function that takes a source and its annotated document, and returns the result of
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
    """Yield the mentions of acronyms that `expand` replaces, in text order and without overlaps.

    A mention after a prefix and a hyphen is left out unless it gets a tooltip. For example,
    "non-human immunodeficiency virus" would not mean the same as "non-HIV".

    Args:
        doc: Document that a pipeline has annotated.
        which: Mode that selects the mentions to replace.
        is_kept: Function that takes the start and end of a mention, and returns whether the mention
            must stay.
        introduced: Acronyms that earlier documents have introduced (see `expansions`).
        shorthand: Whether to include shorthand, units, symbols and doses, such as `w/` and `BID`.

    Yields:
        The start, the end and the resolution of each mention. Start and end are character offsets.
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
    """Return long forms that a document defines with a plural acronym, as "neural nets (NNs)"."""
    text = doc.text
    return {
        " ".join(definition.words(text).split())
        for definition in definitions_of(doc)
        if text[slice(*definition.acronym)].endswith("s")
    }


def _defined_at_sentence_start(doc: Doc) -> set[str]:
    """Return long forms that begin a sentence at the place where the document defines them."""
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
    """Return a long form without the capital letter that only marks the beginning of a sentence.

    "Quality of service" becomes "quality of service". Names such as "Bank of America" stay
    unchanged.
    """
    first, *others = long_form.split(" ")
    has_name = any(word[:1].isupper() for word in others if word.lower() not in FUNCTION_WORDS)
    if has_name or not first.istitle() or not is_common_word(first.partition("-")[0]):
        return long_form
    return first[0].lower() + long_form[1:]


def _without_stop(text: str, start: int, end: int) -> tuple[str, str]:
    """Split a mention such as "etc." into the acronym and the full stop that ends the sentence.

    The full stop is empty if it belongs to the acronym alone. In "U.S." at the end of a sentence,
    the last full stop does both. The long form that replaces it needs a full stop as well.
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
    """Return the long form of an acronym in the number that the text needs.

    It is in the plural if the acronym is. It is in the singular if `in_singular` is True, and
    unchanged otherwise.
    """
    long_form = str(answer.long_form)
    if answer.acronym == base_form(answer.acronym) + "s":
        return plural(long_form)
    return singular(long_form) if in_singular else long_form


def _repeated_word(text: str, end: int, long_form: str) -> re.Match[str] | None:
    """Return the word after an acronym if the long form ends with the same word.

    For example, "machine" in "ATM machine" repeats the end of "automated teller machine".
    """
    match = _NEXT_WORD.match(text, end)
    _, space, last = long_form.rpartition(" ")
    if not (match and space):
        return None
    return match if singular(match[1].lower()) == singular(last.lower()) else None


def _begins_sentence(before: str, is_entire: bool) -> bool:
    """Return whether a new sentence begins after the given text.

    Args:
        before: Text before a possible sentence.
        is_entire: Whether `before` starts at the beginning of the document.
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
