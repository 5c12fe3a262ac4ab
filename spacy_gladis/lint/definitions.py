"""Rules on what a document defines."""

import re
from collections import defaultdict
from collections.abc import Iterator

from ..dictionary import same_key
from ..rules.tokens import JOINING_WORDS, fold
from .document import Defined, LintDocument, Spans, letters
from .finding import Edit, Found, replacement, rule


@rule
def ac003_defined_twice(document: LintDocument) -> Iterator[Found]:
    """An acronym is defined again with the same meaning.

    Reports:
        The World Health Organization (WHO) met. ¶ The World Health Organization (WHO) voted.
        A virtual machine (VM) starts. Each virtual machine (VM) has a disk.
        The hidden Markov model (HMM) is old. Hidden Markov models (HMMs) are used.

    Does not report:
        The World Health Organization (WHO) met. The WHO voted.
        Artificial intelligence (AI) helps. The adequate intake (AI) is 4.7 grams.
        A virtual machine (VM) starts. The virtual machine has a disk.
    """
    first: dict[tuple[str, str], Defined] = {}
    for one in document.running_definitions:
        before = first.setdefault((one.key, same_key(one.long_form)), one)
        if before is not one:
            message = f"'{one.acronym}' was defined at {document.place(before.offset)}"
            yield Found(one.offset, one.acronym, message, _fix(document, one))


def _fix(document: LintDocument, one: Defined) -> tuple[Edit, ...]:
    """The acronym alone, in the place of its long form with the acronym in brackets."""
    if not one.acronym_at or not one.long_form_at:
        return ()
    (start, end), (begin, stop) = one.acronym_at, one.long_form_at
    brackets = document.text[stop:start].strip(), document.text[end : end + 1]
    if brackets not in (("(", ")"), ("[", "]")):
        return ()
    return replacement(document, begin, end + 1, one.acronym)


_LETTERS = re.compile(r"[^\W\d_]+|\d+")
_SIGNS = frozenset("/()")
_SHORTEST, _LONGEST = 3, 4
"""Letters of a word that are equal in its forms: locus, loci; nucleus, nuclei."""


@rule
def ac004_two_meanings(document: LintDocument) -> Iterator[Found]:
    """An acronym is defined again in brackets by the initials of other words.

    Reports:
        Artificial intelligence (AI) helps. ¶ The adequate intake (AI) is 4.7 grams.
        A central processing unit (CPU) is fast. A central paging utility (CPU) is slow.
        The adequate intake (AI) is low. Artificial intelligence (AI) is new.

    Does not report:
        Artificial intelligence (AI) helps. Artificial intelligence (AI) is new.
        The colour space (CS) is wide. Each color space (CS) has a white point.
        A root of trust (ROT). A static root of trust (SROT). The static ROT (SROT) is old.
    """
    for definitions in document.by_key.values():
        told: dict[tuple[str, ...], Defined] = {}
        for one in definitions:
            words = [w for w in _LETTERS.findall(fold(one.long_form)) if w not in JOINING_WORDS]
            initials = "".join(word[0] for word in words)
            if initials != letters(one.key) or _is_one_of_many(document.text, one):
                continue
            stems = tuple(map(_stem, words))
            first = next(iter(told.values()), one)
            if not any(_alike(stems, other) for other in told) and same_key(
                one.long_form
            ) != same_key(first.long_form):
                message = (
                    f"'{one.acronym}' is '{one.long_form}' here and '{first.long_form}' at "
                    f"{document.place(first.offset)}"
                )
                yield Found(one.offset, one.acronym, message)
            told.setdefault(stems, one)


def _stem(word: str) -> str:
    return word[: max(_SHORTEST, min(_LONGEST, len(word) - 2))]


def _alike(stems: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether words are the same, if cut short: leaf N content, leaf nitrogen content."""
    pairs = zip(stems, others, strict=True)
    return all(one.startswith(other) or other.startswith(one) for one, other in pairs)


def _is_one_of_many(text: str, one: Defined) -> bool:
    """Whether an acronym behind its words, or the words behind it, are not alone in brackets."""
    if one.glossary or not one.acronym_at or not one.long_form_at:
        return False
    start, end = max(one.acronym_at, one.long_form_at)
    alone = text[start - 1] in "([" and text[end : end + 1] in (")", "]")
    return not alone or bool(_SIGNS.intersection(one.long_form))


@rule
def ac005_hardly_used(document: LintDocument) -> Iterator[Found]:
    """An acronym is defined and used fewer times afterwards than `least-uses` asks.

    Reports:
        We started a virtual machine (VM) on the host. That is all.
        The World Health Organization (WHO) met. ¶ It voted.
        A digital elevation model (DEM) is a grid.

    Does not report:
        We started a virtual machine (VM). The VM runs.
        The World Health Organization (WHO) met. ¶ The WHO voted.
        The host runs.
    """
    for key, one in document.first_running.items():
        after = sum(document.offset(use) > one.offset for use in document.by_use.get(key, ()))
        if after < document.settings.least_uses:
            times = f"used {after} times" if after else "never used"
            message = f"'{one.acronym}' is defined and {times} afterwards"
            yield Found(one.offset, one.acronym, message)


_WORD = re.compile(r"[^\W_]+")


@rule
def ac006_written_out(document: LintDocument) -> Iterator[Found]:
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
    # At each place in running text, in any case, where the acronym would do.
    text = document.text
    words = [(one[0].lower(), one.start(), one.end()) for one in _WORD.finditer(text)]
    wanted: defaultdict[str, list[tuple[list[str], Defined]]] = defaultdict(list)
    for one in document.first_running.values():
        spelled = [word.lower() for word in _WORD.findall(one.long_form)]
        if len(spelled) > 1:
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


@rule
def ac012_missing_entry(document: LintDocument) -> Iterator[Found]:
    """An acronym is defined in the text and missing in the document's glossary.

    Reports:
        *[VM]: virtual machine ¶ The VM has a quarterly business review (QBR).
        *[VM]: virtual machine ¶ A digital elevation model (DEM) of the VM.
        *[QBR]: quarterly business review ¶ The QBR of the World Health Organization (WHO).

    Does not report:
        *[QBR]: quarterly business review ¶ The quarterly business review (QBR) is short.
        The quarterly business review (QBR) is short.
        *[VM]: virtual machine ¶ The VM runs.
    """
    listed = {one.key for one in document.definitions if one.glossary}
    for key, one in document.first_running.items():
        if listed and key not in listed:
            yield Found(one.offset, one.acronym, f"'{one.acronym}' is not in the glossary")


@rule
def ac014_unlike_glossary(document: LintDocument) -> Iterator[Found]:
    """A definition's words are not those of the organisation's glossary.

    Reports:
        A quarterly board review (QBR) is short.
        The data privacy officer (DPO) reads it.
        The quarterly business report (QBR) is long.

    Does not report:
        A quarterly business review (QBR) is short.
        The data protection officer (DPO) reads it.
        A virtual machine (VM) starts.
    """
    # The glossary is the setting `glossary`.
    for one in document.definitions:
        meant = document.settings.listed.get(one.key, ())
        if meant and same_key(one.long_form) not in {same_key(words) for words in meant}:
            words = "' or '".join(meant)
            message = f"'{one.acronym}' is '{one.long_form}' here and '{words}' in the glossary"
            yield Found(one.offset, one.acronym, message)
