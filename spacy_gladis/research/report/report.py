"""All results in one report, as Markdown with figures beside it or as one HTML page."""

import re
from collections.abc import Callable, Iterable
from html import escape
from pathlib import Path

from ...files import write_text
from .papers import acronyms, cometa, gladis, leakage, wic_tsv
from .results import Results, Section
from .tables import as_svg, page

PAPERS = (gladis, acronyms, cometa, wic_tsv, leakage)
TITLE = "Results beside the papers"
ABOUT = (
    "Every figure is in a results file, which names the command that measured it; lines in "
    "italics are what others published, with their source. Scores are in %."
)
_PUBLISHED = re.compile(r"(?<=<td>)\*(.*?)\*(?=</td>)")
STYLE = """
:root { color-scheme: light dark }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: 1.5rem 0; font-variant-numeric: tabular-nums }
caption { text-align: left; font-weight: 600 } code { overflow-wrap: anywhere }
th, td { padding: .2rem .7rem; border-bottom: 1px solid #8886; text-align: right }
th:first-child, td:first-child { text-align: left }
figure { margin: 1.5rem 0 } figure svg { max-width: 100%; height: auto; background: #fff }
@media print { figure, table { break-inside: avoid } }
"""


def sections(results: Results) -> list[Section]:
    """A section for each paper of which something was measured, then what none of them has."""
    made = [paper.section(results) for paper in PAPERS]
    shown = {name for one in made for name in one.sources}
    others = {one.name: one.command for one in results.found if one.name not in shown}
    rest = Section("Other results", "Measured, and of no paper's tables.", sources=others)
    return [one for one in made if not one.is_empty] + ([rest] if others else [])


def markdown(made: list[Section], left_out: list[str], figures: Path) -> str:
    """The report in Markdown; its figures are drawn into the folder `figures`, beside it."""
    parts = [f"# {TITLE}\n", ABOUT + "\n"]
    for section in made:
        parts += [f"## {section.title}\n", section.about + "\n"]
        parts += [table.markdown() for table in section.tables]
        for drawing in section.drawings:
            path = figures / f"{drawing.name}.svg"
            write_text(path, as_svg(drawing.figure))
            parts.append(f"![{drawing.caption}]({figures.name}/{path.name})\n")
        parts += [f"- `{name}`: `{command}`" for name, command in section.sources.items()]
        parts.append("")
    if left_out:
        parts += ["## Left out\n", *(f"- {line}" for line in left_out), ""]
    return "\n".join(parts)


def html(made: list[Section], left_out: list[str], figures: Path) -> str:
    """The report as one page that needs no other file."""
    parts = [f"<h1>{TITLE}</h1>\n<p>{escape(ABOUT)}</p>"]
    for section in made:
        parts.append(f"<h2>{escape(section.title)}</h2>\n<p>{escape(section.about)}</p>")
        parts += [_PUBLISHED.sub(r"<em>\1</em>", table.html()) for table in section.tables]
        for drawing in section.drawings:
            caption = f"<figcaption>{escape(drawing.caption)}</figcaption>"
            parts.append(f"<figure>{as_svg(drawing.figure)}{caption}</figure>")
        parts.append(_list(f"{name}: {command}" for name, command in section.sources.items()))
    if left_out:
        parts.append("<h2>Left out</h2>\n" + _list(left_out))
    return page(TITLE, STYLE, parts)


def _list(lines: Iterable[str]) -> str:
    items = "\n".join(f"<li><code>{escape(line)}</code></li>" for line in lines)
    return f"<ul>\n{items}\n</ul>"


Writer = Callable[[list[Section], list[str], Path], str]
WRITERS: dict[str, Writer] = {".md": markdown, ".html": html}
