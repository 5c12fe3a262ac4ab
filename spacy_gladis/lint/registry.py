"""The rules that there are: the package's own, and those of other packages.

Another package adds a rule by an entry point in the group `spacy_gladis.lint_rules`, whose name is
the rule's code and whose object is a class derived from `spacy_gladis.lint.rule.Rule`.
"""

import re
from collections.abc import Collection
from functools import cache
from typing import Final

from ..errors import InputError
from ..plugins import load_plugins
from .rule import Rule
from .rules.ac001_undefined import UndefinedAcronym
from .rules.ac002_used_before import UsedBeforeDefinition
from .rules.ac003_defined_twice import RepeatedDefinition
from .rules.ac004_two_meanings import ConflictingDefinition
from .rules.ac005_hardly_used import RarelyUsedAcronym
from .rules.ac006_written_out import RepeatedLongForm
from .rules.ac007_meanings_in_documents import ConflictBetweenDocuments
from .rules.ac008_acronyms_in_documents import SeveralAcronyms
from .rules.ac009_article import WrongArticle
from .rules.ac010_redundant import RedundantWord
from .rules.ac011_unused_entry import UnusedGlossaryEntry
from .rules.ac012_missing_entry import MissingGlossaryEntry
from .rules.ac013_spelled_otherwise import InconsistentSpelling
from .rules.ac014_unlike_glossary import UnlikeGlossary

ADDED: Final = "spacy_gladis.lint_rules"
"""The group of entry points that add rules."""

BUILT_IN: Final[tuple[type[Rule], ...]] = (
    UndefinedAcronym,
    UsedBeforeDefinition,
    RepeatedDefinition,
    ConflictingDefinition,
    RarelyUsedAcronym,
    RepeatedLongForm,
    ConflictBetweenDocuments,
    SeveralAcronyms,
    WrongArticle,
    RedundantWord,
    UnusedGlossaryEntry,
    MissingGlossaryEntry,
    InconsistentSpelling,
    UnlikeGlossary,
)

_CODE: Final = re.compile(r"[A-Z]+\d{3}")  # comments in files name rules by such codes
_NEEDED: Final = ("code", "name", "summary", "why", "bad", "good")


@cache
def load_rules() -> dict[str, Rule]:
    """Load all rules, once.

    Returns:
        The rules by their codes: the package's own first.

    Raises:
        InputError: If another package's rule cannot be used.
    """
    rules = {rule.code: rule() for rule in BUILT_IN}
    for code, rule in load_plugins(ADDED).items():
        rules[code] = _checked(rule, code, rules)
    return rules


def _checked(rule: object, name: str, codes: Collection[str]) -> Rule:
    """Return an instance of another package's rule, once it is known to be a rule."""
    source = f"The lint rule {name!r} of the entry points {ADDED!r}"
    if not (isinstance(rule, type) and issubclass(rule, Rule)):
        raise InputError(f"{source} is {rule!r}. Expected a class derived from Rule.")
    if missing := [attribute for attribute in _NEEDED if not hasattr(rule, attribute)]:
        raise InputError(f"{source} has no {', '.join(missing)}.")
    if rule.code != name or not _CODE.fullmatch(name):
        raise InputError(
            f"{source} has the code {rule.code!r}. Expected the entry point's name, which is "
            "capital letters and three digits, such as ORG001."
        )
    if name in codes:
        raise InputError(f"{source} has a code that is taken. Choose other letters.")
    return rule()
