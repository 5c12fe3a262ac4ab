"""All results in one report, as Markdown with figures beside it or as one HTML page."""

from collections.abc import Callable
from pathlib import Path

from ...files import write_text
from .papers import PAPERS
from .results import Results, Section
from .tables import as_svg, page

TITLE = "Results beside the papers"
ABOUT = (
    "Every figure is in a results file, which names the command that measured it; lines in "
    "italics are what others published, with their source. Scores are in %."
)


def sections(results: Results) -> list[Section]:
    """A section for each paper of which something was measured, then what none of them has."""
    made = [paper(results) for paper in PAPERS]
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
    return page("report.jinja", title=TITLE, about=ABOUT, sections=made, left_out=left_out)


Writer = Callable[[list[Section], list[str], Path], str]
WRITERS: dict[str, Writer] = {".md": markdown, ".html": html}
