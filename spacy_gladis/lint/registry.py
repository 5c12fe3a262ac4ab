"""The registry of lint rules: the built-in rules, and the rules that other packages add.

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
"""Group of the entry points with which other packages add lint rules."""

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
    """Load the built-in lint rules and the rules that other installed packages add.

    The rules are loaded at the first call. Later calls return the same dictionary.

    Returns:
        Rules by code, such as ``AC001``. The built-in rules come first.

    Raises:
        InputError: If the rule of another package is not derived from `Rule`, lacks an attribute,
            or has a code that is malformed or already taken.
    """
    rules = {rule.code: rule() for rule in BUILT_IN}
    for code, rule in load_plugins(ADDED).items():
        rules[code] = _create_rule(rule, code, rules)
    return rules


def _create_rule(rule: object, name: str, codes: Collection[str]) -> Rule:
    """Check that the object of an entry point is a valid rule class, and return an instance."""
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
        raise InputError(f"{source} has a code that is already taken. Choose another code.")
    return rule()
