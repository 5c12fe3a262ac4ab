"""A Sphinx extension: tooltips for acronyms, a list of them, a warning at an undefined one."""

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

_APART = (
    nodes.FixedTextElement, nodes.Invisible, nodes.abbreviation, nodes.literal, nodes.math,
    nodes.reference, nodes.footnote_reference, nodes.citation_reference, addnodes.desc_signature,
    addnodes.pending_xref,
)  # fmt: skip
logger = logging.getLogger(__name__)


class Run(NamedTuple):
    """A node of text, and where it begins in the page's text."""

    start: int
    node: nodes.Text
    in_title: bool


class AcronymList(SphinxDirective):
    """`.. acronyms::`, the place of a list of all acronyms."""

    def run(self) -> list[nodes.Node]:
        """Leave a place that is filled when all pages are read."""
        return [nodes.container(acronyms=True)]


def read_all(app: Sphinx, env: Any) -> list[str]:
    """Keep in `env` what gets a tooltip on each page, and all meanings with the page of their first
    use. Returns the pages that are to be written for it."""
    given, before = app.config, getattr(env, "acronyms", {})
    overlay = [Path(app.confdir, one) for one in given.acronyms_overlay]
    site = Site(overlay, given.acronyms_definitions_only, given.acronyms_threshold)
    trees = {name: env.get_doctree(name) for name in sorted(env.found_docs)}
    files = [one for name in trees if (one := read_page(Path(env.doc2path(name))))]
    read = {name: _prose(tree) for name, tree in trees.items()}
    pages = [Source(name, text) for name, (text, _) in read.items()]
    env.acronyms, glossary = {}, Glossary()
    try:
        defined = site.definitions([*files, *pages])  # docstrings are in no file
        for page in pages:
            doc = site.annotate(page.at(definitions=defined))
            glossary.add(page.name, doc, page)
            env.acronyms[page.name] = _first_uses(doc, read[page.name][1])
        if given.acronyms_warn_undefined:
            acronyms = [one.acronym for one in defined]
            for found in site.undefined(files, Path(app.confdir), acronyms):
                place = f"{found.path}:{found.position.line}"
                logger.warning(found.message, location=place, type="acronyms", subtype="undefined")
    except GladisError as error:
        raise ConfigError(f"spacy-gladis: {error}") from error
    meanings = [(entry.acronym, one) for entry in glossary.entries() for one in entry.meanings]
    env.acronym_list = [
        (acronym, one.long_form, one.first.document) for acronym, one in meanings if one.long_form
    ]
    lists = [name for name, tree in trees.items() if _places(tree)]
    return lists + [name for name, uses in env.acronyms.items() if uses != before.get(name, {})]


def write_page(app: Sphinx, tree: nodes.document, name: str) -> None:
    """Put the tooltips into a page, and the list where the directive stands."""
    env: Any = app.env
    uses = dict(env.acronyms.get(name, {}))
    for _, node, in_title in _prose(tree)[1]:
        text, new, done = node.astext(), [], 0
        for start, end, long_form in () if in_title else uses.pop(text, ()):
            mark = nodes.abbreviation("", text[start:end], explanation=long_form)
            new += [nodes.Text(text[done:start]), mark]
            done = end
        if new:
            node.parent.replace(node, [*new, nodes.Text(text[done:])])
    for place in _places(tree):
        rows = [_row(*map(nodes.Text, ("Acronym", "Long form", "First used")))]
        for acronym, long_form, used in env.acronym_list:
            title, uri = env.titles[used].astext(), app.builder.get_relative_uri(name, used)
            link = nodes.reference("", title, internal=True, refuri=uri)
            rows.append(_row(nodes.Text(acronym), nodes.Text(long_form), link))
        columns = [nodes.colspec(colwidth=width) for width in (20, 50, 30)]
        parts = (*columns, nodes.thead("", rows[0]), nodes.tbody("", *rows[1:]))
        place.replace_self(nodes.table("", nodes.tgroup("", *parts, cols=3)))


def _row(*cells: nodes.Node) -> nodes.row:
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def _places(tree: nodes.document) -> list[nodes.container]:
    return [one for one in tree.findall(nodes.container) if one.get("acronyms")]


def _prose(tree: nodes.document) -> tuple[str, list[Run]]:
    """A page's text without code, links and what has a tooltip, and its runs in order."""
    text, runs, last = "", [], None
    for node in tree.findall(nodes.Text):
        around = [node.parent]
        while isinstance(around[-1], nodes.Inline):
            around.append(around[-1].parent)
        if not any(isinstance(one, _APART) for one in around):
            text += "" if around[-1] is last else "\n\n"
            runs.append(Run(len(text), node, isinstance(around[-1], nodes.title)))
            text, last = text + node.astext(), around[-1]
    return text, runs


def _first_uses(doc: Doc, runs: list[Run]) -> dict[str, list[tuple[int, int, str]]]:
    """For a run's text: the offsets of what gets a tooltip, and the long form."""
    starts = [run.start for run in runs]

    def kept(start: int, end: int) -> bool:
        at, node, in_title = runs[bisect_right(starts, start) - 1]
        return in_title or end > at + len(node)

    uses = defaultdict(list)
    for start, end, answer in expanded(doc, Expand.tooltip, kept, introduced=set()):
        at, node, _ = runs[bisect_right(starts, start) - 1]
        uses[node.astext()].append((start - at, end - at, str(answer.long_form)))
    return dict(uses)


def setup(app: Sphinx) -> ExtensionMetadata:
    """What Sphinx calls: the settings in `conf.py`, the directive, the events."""
    app.add_config_value("acronyms_overlay", [], "env", [list, tuple])
    app.add_config_value("acronyms_definitions_only", True, "env", [bool])
    app.add_config_value("acronyms_threshold", None, "env", [int, float])
    app.add_config_value("acronyms_warn_undefined", False, "env", [bool])
    app.add_directive("acronyms", AcronymList)
    app.connect("env-updated", read_all)
    app.connect("doctree-resolved", write_page)
    return {"version": __version__, "parallel_read_safe": True, "parallel_write_safe": True}
