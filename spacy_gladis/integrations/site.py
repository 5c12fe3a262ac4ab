"""What the pages of a site define, for the plugins of the programs that build sites."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

from ..dictionary.learnt import LearntDefinitions
from ..dictionary.own_entries import read_own_entries
from ..documents.formats import format_of_file, read_text
from ..documents.formats.registry import text_formats
from ..documents.source import MarkedDefinition, Source
from ..errors import InputError
from ..lint.finding import Finding
from ..lint.run import lint
from ..lint.settings import find_settings
from ..pipeline.annotate import with_marked
from ..pipeline.learn import learn_definitions
from ..pipeline.load import load_detector, load_pipeline
from ..text import base_form


@dataclass(frozen=True)
class Site:
    """How the acronyms of a site are explained.

    overlay: files of own entries, which win over what pages define.
    definitions_only: what pages and overlay define is explained; if false the linker is asked for
        the others.
    threshold: the least probability of the linker's answers, 0 to 1; None: the linker's own.
    """

    overlay: Sequence[str | Path] = ()
    definitions_only: bool = True
    threshold: float | None = None

    @cached_property
    def nlp(self) -> Language:
        """The pipeline. Raises InputError and FormatError where it cannot be made."""
        if not self.definitions_only:
            return load_pipeline(overlay=self.overlay, threshold=self.threshold)
        if self.threshold is not None:
            raise InputError("threshold is for the linker: set definitions_only to false, too.")
        return load_detector(overlay=self.overlay)

    def definitions(self, pages: Iterable[Source]) -> tuple[MarkedDefinition, ...]:
        """What pages and overlay define with one meaning each; the overlay's come last and win."""
        own = LearntDefinitions()
        rows = read_own_entries(self.overlay)
        own.add((row.acronym, row.long_form) for row in rows if row.long_form)
        return (*_unambiguous(learn_definitions(self.nlp, pages)), *_unambiguous(own))

    def annotate(self, page: Source) -> Doc:
        """A page with its acronyms, and what its marked definitions say of them."""
        return with_marked(self.nlp(page.text), page)

    def undefined(
        self, pages: Iterable[Source], folder: Path, defined: Iterable[str] = ()
    ) -> list[Finding]:
        """Where the linter's AC001 finds an acronym that no page and no overlay defines.

        folder: whose settings of the linter hold. defined: acronyms that something else defines.
        """
        settings = replace(find_settings(folder), select=("AC001",), ignore=(), scope="project")
        for path in self.overlay:
            settings = settings.with_glossary(Path(path))
        settings = settings.with_known(defined)
        return lint((one for one in pages if settings.is_included(Path(one.path))), settings)


def read_page(path: Path) -> Source | None:
    """A page's file, in UTF-8; None where its ending is of no format that is text itself."""
    format = format_of_file(path)
    if format not in text_formats():
        return None
    return read_text(path.read_text("utf-8-sig"), format).at(name=str(path), path=str(path))


def _unambiguous(learnt: LearntDefinitions) -> list[MarkedDefinition]:
    found = learnt.entries()
    meanings = Counter(base_form(one.acronym) for one in found)
    return [
        MarkedDefinition(one.acronym, one.long_form, 0, glossary=True)
        for one in found
        if meanings[base_form(one.acronym)] == 1
    ]
