"""A MkDocs plugin that adds tooltips to acronyms and a page that lists them.

It can also make the build fail if a page uses an acronym that is defined nowhere.
"""

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
    """Options of the plugin ``spacy-gladis`` in ``mkdocs.yml``.

    Attributes:
        overlay: Tables of your own acronyms and long forms, relative to the folder of
            ``mkdocs.yml``. They take precedence over definitions in pages.
        definitions_only: Whether tooltips are limited to acronyms that a page or an overlay
            defines. If false, the linker resolves the other acronyms.
        threshold: Minimum probability of the linker's answers (0 to 1). Set it only if
            `definitions_only` is false.
        glossary_page: Path in ``docs_dir`` of a page that gets a list of all acronyms. The page is
            created if it doesn't exist.
        fail_undefined: Whether the build fails if the linter's rule AC001 finds an acronym that no
            page and no overlay defines.
    """

    overlay = c.ListOfItems(c.File(exists=True), default=[])
    definitions_only = c.Type(bool, default=True)
    threshold = c.Optional(c.Type((int, float)))
    glossary_page = c.Optional(c.Type(str))
    fail_undefined = c.Type(bool, default=False)


class AcronymsPlugin(BasePlugin[Options]):
    """The MkDocs plugin ``spacy-gladis``, which explains the acronyms of a documentation site."""

    def __init__(self) -> None:
        """Create the plugin without any options. MkDocs sets them later."""
        self._site = Site()  # kept between the builds of `mkdocs serve`
        self._glossary = Glossary()
        self._definitions: tuple[MarkedDefinition, ...] = ()

    def on_files(self, files: Files, /, *, config: MkDocsConfig, **_: Any) -> Files:
        """Add the page that lists all acronyms to the site if it doesn't exist.

        MkDocs calls this method.

        Args:
            files: Files of the site.
            config: Configuration of MkDocs.

        Returns:
            The same files, with the glossary page.
        """
        name = self.config.glossary_page
        if name and files.get_file_from_path(name) is None:
            files.append(File.generated(config, name, content="# Acronyms\n"))
        return files

    def on_nav(
        self, nav: Navigation, /, *, config: MkDocsConfig, files: Files, **_: Any
    ) -> Navigation:
        """Collect the definitions in all pages before MkDocs renders the first page.

        Args:
            nav: Navigation of the site.
            config: Configuration of MkDocs.
            files: Files of the site.

        Returns:
            The unchanged navigation.

        Raises:
            PluginError: If an option or an overlay can't be used, or if an acronym is undefined and
                `fail_undefined` is set.
        """
        options = self.config
        site = Site(options.overlay, options.definitions_only, options.threshold)
        self._site = self._site if site == self._site else site
        try:
            sources = [_read(file, config) for file in files.documentation_pages()]
            if options.fail_undefined:
                self._check(sources, Path(config.config_file_path).parent)
            self._definitions = self._site.collect_definitions(sources)
        except GladisError as error:
            raise PluginError(f"spacy-gladis: {error}") from error
        self._glossary = Glossary()
        return nav

    def on_page_content(self, html: str, /, *, page: Page, **_: Any) -> str:
        """Add a tooltip to the first use of each acronym that the page doesn't define itself.

        Args:
            html: Rendered content of the page.
            page: Page that MkDocs is building.

        Returns:
            The content with tooltips. The content of the glossary page stays unchanged.
        """
        if page.file.src_uri == self.config.glossary_page:
            return html
        source = read_text(html, "html")
        source = source.at(definitions=(*self._definitions, *source.definitions))
        doc = self._site.annotate(source)
        self._glossary.add(page.file.src_uri, doc, source)
        return expand_source(source, doc, Expand.tooltip, introduced=set())

    def on_env(self, env: Any, /, *, files: Files, **_: Any) -> Any:
        """Add the list of acronyms to the glossary page when all pages have been rendered.

        Args:
            env: Jinja environment of MkDocs.
            files: Files of the site.

        Returns:
            The unchanged environment.
        """
        file = files.get_file_from_path(self.config.glossary_page or "")
        if file and file.page:
            file.page.content = f"{file.page.content or ''}\n{self._table(file, files)}"
        return env

    def _check(self, sources: Iterable[Source], folder: Path) -> None:
        """Raise an error that lists the undefined acronyms in pages, if there are any."""
        if findings := self._site.find_undefined(sources, folder):
            shown = "\n".join(map(str, findings))
            raise PluginError(
                "spacy-gladis: Some acronyms are undefined. Define them in a page or an overlay:\n"
                f"{shown}"
            )

    def _table(self, page: File, files: Files) -> str:
        """Return an HTML table of the acronyms, their long forms and the pages with first uses."""
        rows = []
        for entry in self._glossary.entries():
            for meaning in entry.meanings:
                file = files.get_file_from_path(meaning.first.document)
                if meaning.long_form is None or file is None or file.page is None:
                    continue
                link = f'<a href="{escape(file.url_relative_to(page))}">'
                first = f"{link}{escape(str(file.page.title))}</a>"
                cells = (escape(entry.acronym), escape(meaning.long_form), first)
                rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        head = "<tr><th>Acronym</th><th>Long form</th><th>First used</th></tr>"
        body = "\n".join(rows)
        return f"<table>\n<thead>{head}</thead>\n<tbody>\n{body}\n</tbody>\n</table>\n"


def _read(file: File, config: MkDocsConfig) -> Source:
    source = read_text(file.content_string, "markdown")
    return source.at(name=file.src_uri, path=str(Path(config.docs_dir, file.src_uri)))
