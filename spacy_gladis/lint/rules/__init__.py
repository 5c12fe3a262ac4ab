"""The rules, by code. To add one: a function in a file of its own, a line here, a test."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..document import LintDocument
from ..finding import Found
from .defined_twice import defined_differently, defined_twice
from .hardly_used import hardly_used
from .inconsistent import inconsistent
from .meanings_in_set import two_acronyms, two_meanings
from .own_glossary import missing_entry, unused_entry
from .redundant import redundant
from .spelling import spelling
from .undefined import undefined
from .used_before import used_before
from .written_out import written_out

Check = Callable[[LintDocument], Iterator[Found]]
CheckSet = Callable[[Sequence[LintDocument]], Iterator[tuple[LintDocument, Found]]]


class Rule(NamedTuple):
    """What is looked for, by a function over each document or over all of them."""

    summary: str
    check: Check | None = None
    check_set: CheckSet | None = None


RULES: dict[str, Rule] = {
    "AC001": Rule("used, never defined", undefined),
    "AC002": Rule("used before its definition", used_before),
    "AC003": Rule("defined twice", defined_twice),
    "AC004": Rule("defined twice with different meanings", defined_differently),
    "AC005": Rule("defined, hardly or never used", check_set=hardly_used),
    "AC006": Rule("long form written out again", written_out),
    "AC007": Rule("one acronym, two meanings in the documents", check_set=two_meanings),
    "AC008": Rule("one meaning, two acronyms in the documents", check_set=two_acronyms),
    "AC009": Rule("words that do not spell the acronym, an article that does not fit", spelling),
    "AC010": Rule("the next word repeats the long form's last", redundant),
    "AC011": Rule("in the document's glossary, unused", check_set=unused_entry),
    "AC012": Rule("used, not in the document's glossary", check_set=missing_entry),
    "AC013": Rule("plural, possessive or case unlike the definition", inconsistent),
}
