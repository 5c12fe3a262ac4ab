"""The acronyms of a documentation site.

The MkDocs plugin and the Sphinx extension share this module.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

from ..dictionary.folder_definitions import FolderDefinitions
from ..dictionary.user_entries import read_user_entries
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
    """A documentation site whose acronyms are collected and resolved.

    Attributes:
        overlay: Tables of the user's own acronyms and long forms. They take precedence over
            definitions in pages.
        definitions_only: Whether to resolve only acronyms that a page or an overlay defines. If
            False, the linker resolves the other acronyms.
        threshold: Minimum probability of the linker's answers (0 to 1). None uses the linker's
            default.
    """

    overlay: Sequence[str | Path] = ()
    definitions_only: bool = True
    threshold: float | None = None

    @cached_property
    def nlp(self) -> Language:
        """The pipeline that annotates the pages of the site. It is loaded on first access.

        Raises:
            InputError: If an overlay can't be read, or if `threshold` is out of range or is set
                together with `definitions_only`.
            FormatError: If an overlay isn't a table of acronyms and long forms.
        """
        if not self.definitions_only:
            return load_pipeline(overlay=self.overlay, threshold=self.threshold)
        if self.threshold is not None:
            raise InputError(
                "threshold is a setting of the linker. Set definitions_only to false, or remove "
                "threshold."
            )
        return load_detector(overlay=self.overlay)

    def collect_definitions(self, pages: Iterable[Source]) -> tuple[MarkedDefinition, ...]:
        """Return the definitions of the acronyms that have a single meaning on the site.

        Acronyms with several meanings are left out, because it isn't clear which of them a page
        uses.

        Args:
            pages: Texts of all pages of the site.

        Returns:
            The definitions in pages, followed by those in overlays. If an acronym has both, the
            later definition takes precedence.

        Raises:
            InputError: If the pipeline or an overlay can't be loaded.
        """
        user_definitions = FolderDefinitions()
        rows = read_user_entries(self.overlay)
        user_definitions.add((row.acronym, row.long_form) for row in rows if row.long_form)
        page_definitions = learn_definitions(self.nlp, pages)
        return (*_unambiguous(page_definitions), *_unambiguous(user_definitions))

    def annotate(self, page: Source) -> Doc:
        """Find and resolve the acronyms in a page of the site.

        Args:
            page: Text of the page. Its definitions include those of the whole site.

        Returns:
            The annotated page. Definitions take precedence over the linker's answers.
        """
        return with_marked(self.nlp(page.text), page)

    def find_undefined(
        self, pages: Iterable[Source], folder: Path, acronyms: Iterable[str] = ()
    ) -> list[Finding]:
        """Find acronyms that no page and no overlay defines, with the linter's rule AC001.

        Args:
            pages: Texts of all pages of the site.
            folder: Folder of the project, whose settings for the linter apply.
            acronyms: Acronyms that are defined elsewhere and aren't reported.

        Returns:
            A finding for each undefined acronym.

        Raises:
            InputError: If a setting of the linter or an overlay can't be used.
            FormatError: If a settings file isn't TOML.
        """
        settings = replace(find_settings(folder), select=("AC001",), ignore=(), scope="project")
        for path in self.overlay:
            settings = settings.with_glossary(Path(path))
        settings = settings.with_known(acronyms)
        return lint((page for page in pages if settings.is_included(Path(page.path))), settings)


def read_page(path: Path) -> Source | None:
    """Read a page of a documentation site from its file.

    Args:
        path: Path of a file in UTF-8.

    Returns:
        The text of the page. None if the extension of the file belongs to no text format.
    """
    format = format_of_file(path)
    if format not in text_formats():
        return None
    return read_text(path.read_text("utf-8-sig"), format).at(name=str(path), path=str(path))


def _unambiguous(definitions: FolderDefinitions) -> list[MarkedDefinition]:
    """Return the definitions of acronyms that have only one meaning."""
    entries = definitions.entries()
    meanings = Counter(base_form(entry.acronym) for entry in entries)
    return [
        MarkedDefinition(entry.acronym, entry.long_form, 0, glossary=True)
        for entry in entries
        if meanings[base_form(entry.acronym)] == 1
    ]
