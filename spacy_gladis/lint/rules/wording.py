"""How a text writes acronyms and the words beside them."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from ...dictionary import same_key
from ...output.markup import EDITABLE, Edit
from ..document import Defined, Found, LintDocument, Spans, replacement

_WORD = re.compile(r"[^\W_]+")


def ac006(document: LintDocument) -> Iterator[Found]:
    """A long form is written out after its acronym was defined.

    Reports:
        A digital elevation model (DEM). The DEM is good. The digital elevation model is old.
        A virtual machine (VM) starts. ¶ The virtual machine has a disk.
        The World Health Organization (WHO) met. The World Health Organization voted.

    Does not report:
        A digital elevation model (DEM). The DEM is good.
        The digital elevation model is old. A digital elevation model (DEM) is a grid.
        Machines (Ms) are old. The machines are new.
    """
    # A finding at each place in running text, in any case, where the acronym would do.
    text = document.text
    words = [(one[0].lower(), one.start(), one.end()) for one in _WORD.finditer(text)]
    wanted: defaultdict[str, list[tuple[list[str], Defined]]] = defaultdict(list)
    seen: set[str] = set()
    for one in document.running_definitions:
        spelled = [word.lower() for word in _WORD.findall(one.long_form)]
        if len(spelled) > 1 and one.key not in seen:
            seen.add(one.key)
            wanted[spelled[0]].append((spelled, one))
    defining = Spans(one.long_form_at for one in document.definitions if one.long_form_at)
    for at, (word, start, _) in enumerate(words):
        for spelled, one in wanted.get(word, ()):
            found = words[at : at + len(spelled)]
            if [each[0] for each in found] != spelled or not one.acronym_at:
                continue
            end = found[-1][2]
            again = " ".join(text[start:end].split())
            if start < one.acronym_at[1] or defining.has(start) or not document.is_running(start):
                continue
            if again.lower() == one.long_form.lower():
                message = f"'{one.acronym}' stands for '{again}'"
                fix = replacement(document, start, end, one.acronym)
                yield Found(document.source.original_offset(start), one.acronym, message, fix)


_ARTICLE = re.compile(r"(?<![\w.'/-])(an?|An?)\s\Z")
_GOES_ON = re.compile(r"[^\s.!?:\"'“(]\s?\Z")  # before a capital "A" that is a letter: Vitamin A


def ac009(document: LintDocument) -> Iterator[Found]:
    """An acronym has another article before it than its first sound wants.

    Reports:
        It is a HTML page.
        She wrote an UN report.
        He has a MRI today.

    Does not report:
        It is an HTML page.
        She works at a UN office.
        Vitamin A NMR was done.
    """
    # A finding at each such article; acronyms that readers say in two ways have none.
    text = document.text
    for use in document.uses:
        near = max(0, use.start - 5)
        found = _ARTICLE.search(text, near, use.start)
        if not found or (found[1] == "A" and _GOES_ON.search(text, near, found.start(1))):
            continue
        right = article_of(use.acronym)
        if right and right != found[1].lower():
            span = document.source.original_span(*found.span(1))
            written = right.capitalize() if found[1][0] == "A" else right
            editable = span and document.source.path and document.source.format in EDITABLE
            fix = (Edit(*span, written),) if span and editable else ()
            offset = document.source.original_offset(found.start(1))
            yield Found(
                offset, use.acronym, f"'{found[1]} {use.acronym}' is '{right} {use.acronym}'", fix
            )


_NEXT = re.compile(r"[ \t]+([^\W\d_]+)(?![\w(-])")


def ac010(document: LintDocument) -> Iterator[Found]:
    """The word after an acronym repeats the word that its last letter stands for.

    Reports:
        Insert your card at the ATM machine.
        Type the PIN number.
        A digital elevation model (DEM) is a grid. The DEM model is old.

    Does not report:
        Insert your card at the ATM.
        Type the PIN. The number is long.
        A digital elevation model (DEM) is a grid. The DEM is old.
    """
    # A finding at each such use; long forms are the document's own, else those of the list of
    # known acronyms, whose last words are such.
    for use in document.uses:
        after = _NEXT.match(document.text, use.end)
        if not after:
            continue
        definitions = document.by_key.get(use.key)
        known = document.settings.long_forms.get(use.key, "")
        long_form = definitions[0].long_form if definitions else known
        words = long_form.lower().split()
        if len(words) < 2 or words[-1] != after[1].lower():
            continue
        if use.key[-1].lower() == words[-1][0] or same_key(long_form) == same_key(known):
            message = f"'{use.acronym} {after[1]}' says '{words[-1]}' twice: it is '{long_form}'"
            fix = replacement(document, use.end, after.end(), "")
            yield Found(document.offset(use), use.acronym, message, fix)


_EDGES = re.compile(r"\A\W+|[^\w.]+\Z")
_DOTS = re.compile(r"[.\u2010\u2011-]")


def ac013(document: LintDocument) -> Iterator[Found]:
    """An acronym has other capitals, dots or hyphens than where it is defined.

    Reports:
        The Internet of Things (IoT) grows. The IOT is large.
        The United Nations (UN) met. The U.N. voted.
        Transforming growth factor beta 1 (TGFB1) binds. TGF-B1 is high.

    Does not report:
        The Internet of Things (IoT) grows. The IoT is large.
        Virtual machines (VMs) start. The VM runs.
        The IOT is large.
    """
    # A finding at each such use of an acronym that the document defines in one spelling.
    spelled: dict[str, dict[str, Defined]] = {}
    for one in document.definitions:
        written = _singular(one.acronym)
        spelled.setdefault(_bare(written), {}).setdefault(written, one)
    for use in document.uses:
        written = _singular(use.acronym)
        known = spelled.get(_bare(written), {})
        if len(known) == 1 and written not in known:
            [(right, one)] = known.items()
            if written == right[0].upper() + right[1:]:  # a sentence may begin with it
                continue
            right += use.acronym[len(written) :]
            message = f"'{use.acronym}' is '{right}' at {document.place(one.offset)}"
            fix = replacement(document, use.start, use.end, right)
            yield Found(document.offset(use), use.acronym, message, fix)


def _singular(acronym: str) -> str:
    acronym = _EDGES.sub("", " ".join(acronym.split()))
    if acronym.find(".") == len(acronym) - 1:  # a sentence's full stop
        acronym = acronym[:-1]
    return acronym[:-1] if acronym.endswith("s") and acronym[-2:-1].isupper() else acronym


def _bare(acronym: str) -> str:
    """A key that is equal for an acronym's capitals, dots and hyphens, and for nothing else."""
    return _DOTS.sub("", acronym).casefold()


_VOWEL_NAMES = "AEFHILMNORSX"
_EITHER = re.compile(r"[FHLMNRSXU][AEIOUY].")  # an FIR, a fir


def article_of(acronym: str) -> str | None:
    """`a` or `an` before an acronym; None where readers differ.

    What is read as a word by some has an answer in the packaged list alone: three letters whose
    second is a vowel, where the first one's name begins otherwise than its sound, and longer ones
    with any vowel.
    """
    letters = acronym.removesuffix("s")
    listed = _listed()
    if letters in listed:
        return listed[letters] or None
    if not (letters.isascii() and letters.isalpha() and letters.isupper()):
        return None
    if _EITHER.fullmatch(letters) or (
        len(letters) > 3 and any(letter in "AEIOUY" for letter in letters)
    ):
        return None
    return "an" if letters[0] in _VOWEL_NAMES else "a"


@cache
def _listed() -> dict[str, str]:
    """Acronyms with their articles; an empty one where readers differ."""
    text = files("spacy_gladis.lint").joinpath("pronunciation.txt").read_text("utf8")
    found: dict[str, str] = {}
    for line in text.splitlines():
        article, colon, names = line.partition(":")
        if colon and not line.startswith("#"):
            found |= dict.fromkeys(names.split(), "" if article == "either" else article)
    return found
