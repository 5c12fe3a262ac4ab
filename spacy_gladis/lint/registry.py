"""The registry of rules: the built-in ones, and those that other packages add.

To add a rule, register an entry point in the group ``spacy_gladis.lint_rules``. Its name is the
rule's code, and its object is a class derived from `spacy_gladis.lint.rule.Rule`.
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
"""Group of the entry points that add rules."""

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

_CODE: Final = re.compile(r"[A-Z]+\d{3}")  # what comments in files accept as a code
_REQUIRED: Final = ("code", "name", "summary", "why", "bad", "good")


@cache
def load_rules() -> dict[str, Rule]:
    """Load the rules of this package and of other packages. The result is cached.

    Returns:
        The rules by code, built-in rules first.

    Raises:
        InputError: If a rule of another package is invalid.
    """
    rules = {rule.code: rule() for rule in BUILT_IN}
    for code, rule in load_plugins(ADDED).items():
        rules[code] = _create_rule(rule, code, rules)
    return rules


def _create_rule(rule: object, name: str, codes: Collection[str]) -> Rule:
    """Validate the object of an entry point, and return an instance of the rule."""
    source = f"The lint rule {name!r} of the entry points {ADDED!r}"
    if not (isinstance(rule, type) and issubclass(rule, Rule)):
        raise InputError(f"{source} must be a class derived from Rule, got {rule!r}.")
    if missing := [attribute for attribute in _REQUIRED if not hasattr(rule, attribute)]:
        raise InputError(f"{source} has no {', '.join(missing)}. Add the missing attributes.")
    if rule.code != name or not _CODE.fullmatch(name):
        raise InputError(
            f"{source} has the code {rule.code!r}. Expected the entry point's name, in capital "
            "letters and three digits, such as ORG001."
        )
    if name in codes:
        raise InputError(f"{source} has a code that is already taken. Choose other letters.")
    return rule()
