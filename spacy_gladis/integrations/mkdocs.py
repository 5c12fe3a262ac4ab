"""A MkDocs plugin: tooltips for acronyms, a page that lists them, no page with an undefined one."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.config import Config
from mkdocs.config import config_options as c
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from ..documents.formats import read_text
from ..documents.source import MarkedDefinition, Source
from ..errors import GladisError
from ..output.expansion import Expand, expand_source
from ..output.glossary import Glossary
from .site import Site


class Options(Config):
    """The plugin's options in `mkdocs.yml`."""

    overlay = c.ListOfItems(c.File(exists=True), default=[])
    """Files of own entries, from the folder of `mkdocs.yml`; they win over what pages define."""
    definitions_only = c.Type(bool, default=True)
    """Explain what pages and overlays define; if false the linker is asked for the others."""
    threshold = c.Optional(c.Type((int, float)))
    """The least probability of a linker's answer, 0 to 1."""
    glossary_page = c.Optional(c.Type(str))
    """A page, by its path in `docs_dir`, that gets a list of all acronyms; made if not there."""
    fail_undefined = c.Type(bool, default=False)
    """Fail where the linter's AC001 finds an acronym that no page and no overlay defines."""


class AcronymsPlugin(BasePlugin[Options]):
    """Explains the acronyms of a site. Wrong options and files are errors of the plugin's name."""

    def __init__(self) -> None:
        self._site = Site()  # one pipeline for all builds of `mkdocs serve` with equal options
        self._glossary = Glossary()
        self._defined: tuple[MarkedDefinition, ...] = ()

    def on_files(self, files: Files, /, *, config: MkDocsConfig, **_: Any) -> Files:
        """Make the page of the glossary where there is none."""
        name = self.config.glossary_page
        if name and files.get_file_from_path(name) is None:
            files.append(File.generated(config, name, content="# Acronyms\n"))
        return files

    def on_nav(
        self, nav: Navigation, /, *, config: MkDocsConfig, files: Files, **_: Any
    ) -> Navigation:
        """Read what all pages define before the first one is written."""
        given = self.config
        site = Site(given.overlay, given.definitions_only, given.threshold)
        self._site = self._site if site == self._site else site
        try:
            sources = [_read(one, config) for one in files.documentation_pages()]
            if given.fail_undefined:
                self._check(sources, Path(config.config_file_path).parent)
            self._defined = self._site.definitions(sources)
        except GladisError as error:
            raise PluginError(f"spacy-gladis: {error}") from error
        self._glossary = Glossary()
        return nav

    def on_page_content(self, html: str, /, *, page: Page, **_: Any) -> str:
        """Put a tooltip at the first use of each acronym that the page itself does not define."""
        if page.file.src_uri == self.config.glossary_page:
            return html
        source = read_text(html, "html")
        source = source.at(definitions=(*self._defined, *source.definitions))
        doc = self._site.annotate(source)
        self._glossary.add(page.file.src_uri, doc, source)
        return expand_source(source, doc, Expand.tooltip, introduced=set())

    def on_env(self, env: Any, /, *, files: Files, **_: Any) -> Any:
        """Fill the page of the glossary: all others are read by now."""
        file = files.get_file_from_path(self.config.glossary_page or "")
        if file and file.page:
            file.page.content = f"{file.page.content or ''}\n{self._table(file, files)}"
        return env

    def _check(self, sources: Iterable[Source], folder: Path) -> None:
        """Raise PluginError with the places of undefined acronyms, by the linter's settings."""
        if findings := self._site.undefined(sources, folder):
            shown = "\n".join(map(str, findings))
            raise PluginError(f"spacy-gladis: acronyms that nothing defines:\n{shown}")

    def _table(self, page: File, files: Files) -> str:
        """The acronyms with their long forms, and a link to the page that each is first used on."""
        rows = []
        for entry in self._glossary.entries():
            for meaning in entry.meanings:
                used = files.get_file_from_path(meaning.first.document)
                if meaning.long_form is None or used is None or used.page is None:
                    continue
                link = f'<a href="{escape(used.url_relative_to(page))}">'
                first = f"{link}{escape(str(used.page.title))}</a>"
                cells = (escape(entry.acronym), escape(meaning.long_form), first)
                rows.append("<tr>" + "".join(f"<td>{one}</td>" for one in cells) + "</tr>")
        head = "<tr><th>Acronym</th><th>Long form</th><th>First used</th></tr>"
        body = "\n".join(rows)
        return f"<table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"


def _read(file: File, config: MkDocsConfig) -> Source:
    source = read_text(file.content_string, "markdown")
    return source.at(name=file.src_uri, path=str(Path(config.docs_dir, file.src_uri)))
