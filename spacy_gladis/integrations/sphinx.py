"""A Sphinx extension that adds tooltips to acronyms, and a directive that lists them.

It can also warn of undefined acronyms. Set these values in ``conf.py``:

- ``acronyms_overlay``: Tables of your own acronyms and long forms, relative to ``conf.py``. They
  take precedence over definitions in pages. Default: none.
- ``acronyms_definitions_only``: Whether tooltips are limited to acronyms that a page or an overlay
  defines. If False, the linker resolves the other acronyms. Default: True.
- ``acronyms_threshold``: Minimum probability of the linker's answers, from 0 to 1. Set it only if
  ``acronyms_definitions_only`` is False. Default: the linker's default.
- ``acronyms_warn_undefined``: Whether to warn of acronyms that no page and no overlay defines.
  Default: False.
"""

from bisect import bisect_right
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from docutils import nodes
from spacy.tokens import Doc
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.errors import ConfigError
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import ExtensionMetadata

from .. import __version__
from ..documents.source import Source
from ..errors import GladisError
from ..output.expansion import Expand, expanded
from ..output.glossary import Glossary
from .site import Site, read_page

_SKIPPED = (
    nodes.FixedTextElement, nodes.Invisible, nodes.abbreviation, nodes.literal, nodes.math,
    nodes.reference, nodes.footnote_reference, nodes.citation_reference, addnodes.desc_signature,
    addnodes.pending_xref,
)  # fmt: skip
logger = logging.getLogger(__name__)


class TextRun(NamedTuple):
    """A text node of a Sphinx page, with its position in the text of the page.

    Attributes:
        start: Character offset in the text of the page at which the node starts.
        node: Node of the document tree.
        in_title: Whether the node is part of a title. Titles get no tooltips.
    """

    start: int
    node: nodes.Text
    in_title: bool


class AcronymList(SphinxDirective):
    """The Sphinx directive ``.. acronyms::``, which lists all acronyms of the project."""

    def run(self) -> list[nodes.Node]:
        """Return a placeholder for the list of acronyms.

        `write_page` replaces it with the list, which is known only when all pages have been read.

        Returns:
            A list with one empty container node.
        """
        return [nodes.container(acronyms=True)]


def resolve_acronyms(app: Sphinx, env: Any) -> list[str]:
    """Resolve the acronyms of all pages when Sphinx has read them.

    The tooltips of each page are stored in ``env.acronyms``, and the list of all acronyms in
    ``env.acronym_list``.

    Args:
        app: Sphinx application with the configuration.
        env: Build environment of Sphinx, which is changed.

    Returns:
        The names of the pages that Sphinx has to write again. These have a list of acronyms or
        different tooltips.

    Raises:
        ConfigError: If a configuration value or an overlay can't be used.
    """
    config, previous = app.config, getattr(env, "acronyms", {})
    overlay = [Path(app.confdir, path) for path in config.acronyms_overlay]
    site = Site(overlay, config.acronyms_definitions_only, config.acronyms_threshold)
    trees = {name: env.get_doctree(name) for name in sorted(env.found_docs)}
    files = [page for name in trees if (page := read_page(Path(env.doc2path(name))))]
    texts = {name: _prose(tree) for name, tree in trees.items()}
    pages = [Source(name, text) for name, (text, _) in texts.items()]
    env.acronyms, glossary = {}, Glossary()
    try:
        # The pages also contain docstrings, which the files don't.
        definitions = site.collect_definitions([*files, *pages])
        for page in pages:
            doc = site.annotate(page.at(definitions=definitions))
            glossary.add(page.name, doc, page)
            env.acronyms[page.name] = _first_uses(doc, texts[page.name][1])
        if config.acronyms_warn_undefined:
            acronyms = [definition.acronym for definition in definitions]
            for finding in site.find_undefined(files, Path(app.confdir), acronyms):
                place = f"{finding.path}:{finding.position.line}"
                logger.warning(
                    finding.message, location=place, type="acronyms", subtype="undefined"
                )
    except GladisError as error:
        raise ConfigError(f"spacy-gladis: {error}") from error
    env.acronym_list = [
        (entry.acronym, meaning.long_form, meaning.first.document)
        for entry in glossary.entries()
        for meaning in entry.meanings
        if meaning.long_form
    ]
    lists = [name for name, tree in trees.items() if _placeholders(tree)]
    return lists + [name for name, uses in env.acronyms.items() if uses != previous.get(name, {})]


def write_page(app: Sphinx, tree: nodes.document, name: str) -> None:
    """Add tooltips to a page, and replace its placeholders with the list of acronyms.

    Args:
        app: Sphinx application, whose environment has the tooltips and the list.
        tree: Document tree of the page, which is changed.
        name: Name of the page.
    """
    env: Any = app.env
    uses = dict(env.acronyms.get(name, {}))
    for _, node, in_title in _prose(tree)[1]:
        text, parts, done = node.astext(), [], 0
        for start, end, long_form in () if in_title else uses.pop(text, ()):
            mark = nodes.abbreviation("", text[start:end], explanation=long_form)
            parts += [nodes.Text(text[done:start]), mark]
            done = end
        if parts:
            node.parent.replace(node, [*parts, nodes.Text(text[done:])])
    for placeholder in _placeholders(tree):
        rows = [_row(*map(nodes.Text, ("Acronym", "Long form", "First used")))]
        for acronym, long_form, page in env.acronym_list:
            title, uri = env.titles[page].astext(), app.builder.get_relative_uri(name, page)
            link = nodes.reference("", title, internal=True, refuri=uri)
            rows.append(_row(nodes.Text(acronym), nodes.Text(long_form), link))
        columns = [nodes.colspec(colwidth=width) for width in (20, 50, 30)]
        table_parts = (*columns, nodes.thead("", rows[0]), nodes.tbody("", *rows[1:]))
        placeholder.replace_self(nodes.table("", nodes.tgroup("", *table_parts, cols=3)))


def _row(*cells: nodes.Node) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def _placeholders(tree: nodes.document) -> list[nodes.container]:
    return [node for node in tree.findall(nodes.container) if node.get("acronyms")]


def _prose(tree: nodes.document) -> tuple[str, list[TextRun]]:
    """Return the text of a page without code, links and abbreviations, and its text nodes."""
    text, runs, last = "", [], None
    for node in tree.findall(nodes.Text):
        ancestors = [node.parent]
        while isinstance(ancestors[-1], nodes.Inline):
            ancestors.append(ancestors[-1].parent)
        block = ancestors[-1]
        if not any(isinstance(ancestor, _SKIPPED) for ancestor in ancestors):
            text += "" if block is last else "\n\n"
            runs.append(TextRun(len(text), node, isinstance(block, nodes.title)))
            text, last = text + node.astext(), block
    return text, runs


def _first_uses(doc: Doc, runs: list[TextRun]) -> dict[str, list[tuple[int, int, str]]]:
    """Return the tooltips of a page by the text of the node that they belong to.

    Each tooltip has the start and end of an acronym in the text of the node, and its long form.
    """
    starts = [run.start for run in runs]

    def is_skipped(start: int, end: int) -> bool:
        offset, node, in_title = runs[bisect_right(starts, start) - 1]
        return in_title or end > offset + len(node)

    uses = defaultdict(list)
    for start, end, answer in expanded(doc, Expand.tooltip, is_skipped, introduced=set()):
        offset, node, _ = runs[bisect_right(starts, start) - 1]
        uses[node.astext()].append((start - offset, end - offset, str(answer.long_form)))
    return dict(uses)


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the extension's configuration values, directive and event handlers with Sphinx.

    Args:
        app: Sphinx application that loads the extension.

    Returns:
        Metadata of the extension, such as its version.
    """
    app.add_config_value("acronyms_overlay", [], "env", [list, tuple])
    app.add_config_value("acronyms_definitions_only", True, "env", [bool])
    app.add_config_value("acronyms_threshold", None, "env", [int, float])
    app.add_config_value("acronyms_warn_undefined", False, "env", [bool])
    app.add_directive("acronyms", AcronymList)
    app.connect("env-updated", resolve_acronyms)
    app.connect("doctree-resolved", write_page)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
