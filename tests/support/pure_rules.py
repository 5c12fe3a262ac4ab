"""The rules as Python runs them, beside the compiled ones of an installation."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import SOURCE_SUFFIXES, FileFinder, ModuleSpec, SourceFileLoader
from types import ModuleType

import spacy_gladis
from spacy_gladis.rules import definitions

COMPILED = not str(definitions.__file__).endswith(".py")
"""Whether this installation's rules are compiled."""
_NAME = "pure_gladis"


class _Sources(MetaPathFinder):
    """Finds the modules of a package in their sources alone."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not path or name.partition(".")[0] != _NAME:
            return None
        return FileFinder(path[0], (SourceFileLoader, SOURCE_SUFFIXES)).find_spec(name)


def pure_rules() -> ModuleType:
    """The package `rules`, of the same sources, in a package of another name."""
    if _NAME not in sys.modules:
        sys.modules[_NAME] = package = ModuleType(_NAME)
        package.__path__ = list(spacy_gladis.__path__)
        sys.meta_path.insert(0, _Sources())
    return import_module(f"{_NAME}.rules")
