"""A text with the long forms of its acronyms inserted."""

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
from ..text.tokens import FUNCTION_WORDS
from .docx import EditableDocx
from .editable import editable
from .inflection import has_complement, indefinite_article, plural, singular
from .markup import EDITABLE, Edit, as_markup
from .shorthand import is_shorthand

TOOLTIPS = ("html", "markdown")
"""Formats that have `<abbr title>`."""
Said = set[tuple[str, str]]
"""Acronyms with the meanings that readers have been told, each as (acronym, long form)."""
Expander = Callable[[Source, Doc], str]

_ARTICLE = re.compile(r"(?<![\w.])(an?)\s+$", re.IGNORECASE)
_DETERMINER = re.compile(
    r"(?<![\w.])(?:an?|another|each|either|every|neither|one|this)\s+$", re.IGNORECASE
)
_OWN_ARTICLE = re.compile(r"\A(?:an?|the)\s+", re.IGNORECASE)
_JOINED = re.compile(r"\w[-\u2010\u2011]$")
_NEXT_WORD = re.compile(r"[ \u00a0]([^\W\d_]+)\b(?![-\u2010\u2011])")

_SHORTENED = re.compile(
    r"\b(?:[^\W\d_]|e\.g|i\.e|al|approx|ca|cf|dr|esp|fig|incl|mrs?|ms|no|prof|resp|vs)\.$",
    re.IGNORECASE,
)
_ITEM = re.compile(
    r"(?:\A|\n)[ \t]*(?:[-*+\u2022\u2013]|\(?(?:\d{1,3}|[a-z]|[ivx]{1,4})[.)])[ \t]+\Z",
    re.IGNORECASE,
)
"""What begins an item of a list."""
_OPENING = "\"'([\u2018\u201c"
_AFTER_STOP = re.compile(
    r"[\"')\]\u2019\u201d]*(?:\Z|\s*\n\s*\n|\s+[\"'(\[\u2018\u201c]*(?P<word>[^\W\d_]+))"
)
_LOOK_BACK = 80  # characters in which to look for a sentence's end


class Expand(str, Enum):
    """Which acronyms become long forms."""

    first = "first"
    all = "all"
    tooltip = "tooltip"


def _never(start: int, end: int) -> bool:
    return False


def expand(doc: Doc, which: Expand, *, shorthand: bool = False) -> str:
    """Write a document's text with long forms in the place of acronyms.

    Definitions stay as they are, and so do acronyms whose meaning is not known. A sentence begins
    with a capital and ends with its full stop. In English, a plural becomes a plural, and "a" or
    "an" before it is put right.

    Args:
        doc: An annotated document.
        which: `first`: the first mention of each acronym with each meaning becomes
            "long form (ACRO)", unless the text has defined it by then. `all`: every mention becomes
            its long form. `tooltip`: the first mention gets its long form as `<abbr title>`.
        shorthand: Also expand shorthand, units, symbols and doses, such as `w/` and `BID`.

    Returns:
        The text with long forms.
    """
    text, at, written = doc.text, 0, []
    for start, end, shown in expansions(doc, which, shorthand=shorthand):
        written += [text[at:start], shown]
        at = end
    return "".join([*written, text[at:]])


def expansions(
    doc: Doc,
    which: Expand,
    kept: Callable[[int, int], bool] = _never,
    said: Said | None = None,
    *,
    shorthand: bool = False,
) -> Iterator[tuple[int, int, str]]:
    """Yield `(start, end, text)` for what `expand` puts in the place of `doc.text[start:end]`.

    Args:
        doc: An annotated document.
        which: As `expand` has it.
        kept: Whether the mention at these offsets has to stay as it is; the next one is its first.
        said: What earlier documents have told, to which this one's is added: only the first mention
            of anything else becomes its long form. None: for `all` every mention does, else only
            the first one.
        shorthand: As `expand` has it.
    """
    text, language = doc.text, doc.lang_
    defined_many, begun = _defined_in_plural(doc), _defined_at_sentence_start(doc)
    for start, end, answer in expanded(doc, which, kept, said, shorthand=shorthand):
        acronym, stop = _without_stop(text, start, end)
        if which is Expand.tooltip:
            title = escape(": ".join(filter(None, (str(answer.long_form), answer.gloss))))
            yield start, end, f'<abbr title="{title}">{escape(acronym, quote=False)}</abbr>{stop}'
            continue
        long_form = str(answer.long_form)
        before = text[max(0, start - _LOOK_BACK) : start]
        begins = _begins_sentence(before, start <= _LOOK_BACK)
        if language == "en":
            many = long_form in defined_many
            is_one = _DETERMINER.search(before) and not long_form.istitle()
            one = many or (bool(is_one) and not has_complement(long_form))
            if long_form in begun and not begins:
                long_form = _in_small_letters(long_form)
            long_form = _in_number(answer._replace(long_form=long_form), one)
            if found := _ARTICLE.search(text, max(0, start - _LOOK_BACK), start):
                long_form = _OWN_ARTICLE.sub("", long_form, count=1)
                article = indefinite_article(long_form)
                article = article.capitalize() if found[1][0] == "A" else article
                if article != found[1]:
                    yield *found.span(1), article
            elif re.search(r"\bthe\s+$", before, re.IGNORECASE):
                long_form = _OWN_ARTICLE.sub("", long_form, count=1)
        said_again = _said_again(text, end, long_form) if language == "en" else None
        if said_again:
            long_form = long_form.rpartition(" ")[0] + " " + said_again[1]
        if begins:
            long_form = long_form[:1].upper() + long_form[1:]
        end = said_again.end() if said_again else end
        shown = f"{long_form} ({acronym})" if which is Expand.first else long_form
        yield start, end, shown + stop


def expand_source(
    source: Source,
    doc: Doc,
    which: Expand,
    said: Said | None = None,
    *,
    shorthand: bool = False,
) -> str:
    """Write a file's text in its own format with long forms in the place of acronyms.

    Formats that cannot be changed become plain text. A heading has no tooltips.

    Args:
        source: The file's text.
        doc: Its annotated document.
        which: As `expand` has it.
        said: As `expansions` has it.
        shorthand: As `expand` has it.

    Raises:
        InputError: For tooltips in another format than HTML and Markdown.
    """
    if which is Expand.tooltip and source.format not in TOOLTIPS:
        raise InputError(
            f"{source.name} is {source.format}: tooltips are for {' and '.join(TOOLTIPS)}."
        )
    if source.format not in EDITABLE:
        return expand(doc, which, shorthand=shorthand)
    written = editable(source.source, source.format)

    def kept(start: int, end: int) -> bool:
        return not written.can_replace(start, end)

    edits = _edits(source, doc, which, kept, said, shorthand)
    if which is not Expand.tooltip:
        edits = [one._replace(text=as_markup(one.text, source.format)) for one in edits]
    return written.replaced(edits)


def expand_file(
    source: Source,
    doc: Doc,
    which: Expand,
    said: Said | None = None,
    encoding: str | None = None,
    *,
    shorthand: bool = False,
) -> bytes:
    """What a file's copy holds: `expand_source`, in the encoding that the file was read with; of a
    DOCX all styles stay. Raises InputError where it cannot be written so, OSError."""
    path = Path(source.path)
    if source.format != "docx":
        written = expand_source(source, doc, which, said, shorthand=shorthand)
        return encode(written, path.read_bytes(), encoding)
    opened = EditableDocx(path, source.source)

    def kept(start: int, end: int) -> bool:
        return not opened.can_replace(start, end)

    edits = _edits(source, doc, which, kept, said, shorthand)
    return opened.replaced(edits) if edits else path.read_bytes()


def _edits(
    source: Source,
    doc: Doc,
    which: Expand,
    kept: Callable[[int, int], bool],
    said: Said | None,
    shorthand: bool,
) -> list[Edit]:
    """What `expansions` changes, by offsets in the original; kept: of these a mention stays."""
    titles = Spans((one.start, one.end) for one in source.regions if one.kind == "title")

    def stays(start: int, end: int) -> bool:
        span = source.original_span(start, end)
        in_title = which is Expand.tooltip and titles.has(start)
        return span is None or in_title or kept(*span)

    return [
        Edit(*span, text)
        for start, end, text in expansions(doc, which, stays, said, shorthand=shorthand)
        if (span := source.original_span(start, end))
    ]


def expander(
    mode: str, expand: Callable[..., Any] = expand_source, **options: Any
) -> Callable[[Source, Doc], Any]:
    """What expands the documents of a run in a mode of `Expand`, or, `first-of-all`, together.

    expand: `expand_source` or `expand_file`, with its options.
    """
    if mode == "first-of-all":
        return partial(expand, which=Expand.first, said=set(), **options)
    return partial(expand, which=Expand(mode), **options)


def expanded(
    doc: Doc,
    which: Expand,
    kept: Callable[[int, int], bool] = _never,
    said: Said | None = None,
    *,
    shorthand: bool = False,
) -> Iterator[tuple[int, int, Resolution]]:
    """The mentions that become long forms or get them, in order, none overlapping.

    kept, said, shorthand: as `expansions` has them.
    One behind a prefix and a hyphen stays: "non-human immunodeficiency virus" says another thing.
    """
    definitions = definitions_of(doc)
    defined = (place for one in definitions for place in (one.acronym, one.long_form))
    fixed = cover(doc.text, defined)
    at_definition = {one.acronym for one in definitions}
    once = said is not None or which is not Expand.all
    is_written = which is not Expand.tooltip
    said = set() if said is None else said
    free = 0
    for start, end, answer in mentions_of(doc):
        sense = (base_form(answer.acronym), answer.kb_id)
        if (start, end) in at_definition:
            said.add(sense)
        elif answer.long_form is not None and start >= free and not any(fixed[start:end]):
            free = end
            joined = is_written and _JOINED.search(doc.text[max(0, start - 2) : start])
            short = is_written and not shorthand and is_shorthand(answer)
            if joined or short or kept(start, end):
                continue
            if not once or sense not in said:
                yield start, end, answer
            said.add(sense)


def _defined_in_plural(doc: Doc) -> set[str]:
    """The long forms, as answers have them, that a document defines beside an acronym with a plural
    s."""
    text = doc.text
    return {
        " ".join(one.words(text).split())
        for one in definitions_of(doc)
        if text[slice(*one.acronym)].endswith("s")
    }


def _defined_at_sentence_start(doc: Doc) -> set[str]:
    """The long forms, as answers have them, whose definition begins a sentence."""
    text = doc.text
    return {
        " ".join(one.words(text).split())
        for one in definitions_of(doc)
        if _begins_sentence(
            text[max(0, one.long_form[0] - _LOOK_BACK) : one.long_form[0]],
            one.long_form[0] <= _LOOK_BACK,
        )
    }


def _in_small_letters(long_form: str) -> str:
    """A long form without the capital that a sentence gave it: "Quality of service"."""
    first, *others = long_form.split(" ")
    has_name = any(word[:1].isupper() for word in others if word.lower() not in FUNCTION_WORDS)
    if has_name or not first.istitle() or not is_common_word(first.partition("-")[0]):
        return long_form
    return first[0].lower() + long_form[1:]


def _without_stop(text: str, start: int, end: int) -> tuple[str, str]:
    """A mention without the full stop that ends its sentence, and that full stop or nothing.

    "U.S." keeps its own, which the sentence needs again behind a long form.
    """
    acronym = text[start:end]
    after = _AFTER_STOP.match(text, end) if acronym.endswith(".") else None
    if not after:
        return acronym, ""
    word, dotted = after["word"], acronym.count(".") > 1
    if word and (not word[0].isupper() or (dotted and word.lower() not in FUNCTION_WORDS)):
        return acronym, ""
    return (acronym if dotted else acronym[:-1]), "."


def _in_number(answer: Resolution, one: bool) -> str:
    """The long form, in the plural where the acronym is, else, where it means one, in the
    singular."""
    long_form = str(answer.long_form)
    if answer.acronym == base_form(answer.acronym) + "s":
        return plural(long_form)
    return singular(long_form) if one else long_form


def _said_again(text: str, end: int, long_form: str) -> re.Match[str] | None:
    """The word behind an acronym that is the last of its long form, too: "ATM machine"."""
    found = _NEXT_WORD.match(text, end)
    _, space, last = long_form.rpartition(" ")
    if not (found and space):
        return None
    return found if singular(found[1].lower()) == singular(last.lower()) else None


def _begins_sentence(before: str, from_start: bool) -> bool:
    """Whether a sentence ends with these words; from_start: they are all that stands before."""
    before = before.rstrip(_OPENING)
    item = _ITEM.search(before)
    if item and (item.start() or from_start or before[0] == "\n"):
        return True
    stripped = before.rstrip()
    if not stripped:
        return from_start
    gap = before[len(stripped) :]
    words = stripped.rstrip("\"')]\u2019\u201d")
    ended = words[-1:] in ("!", "?") or (words[-1:] == "." and not _SHORTENED.search(words))
    return gap.count("\n") > 1 or (ended and bool(gap))
