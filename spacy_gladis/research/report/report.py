"""All results in one report, beside the papers' own figures."""

from .papers import PAPERS
from .results import Results, Section

ABOUT = """\
# Results beside the papers

Every figure is in a results file, which names the command that measured it; lines in italics are
what others published, with their source. Scores are in %.
"""


def sections(results: Results) -> list[Section]:
    """A section for each paper of which something was measured, then what none of them has."""
    made = [paper(results) for paper in PAPERS]
    shown = {name for one in made for name in one.sources}
    others = {one.name: one.command for one in results.found if one.name not in shown}
    rest = Section("Other results", "Measured, and of no paper's tables.", sources=others)
    return [one for one in made if one.tables] + ([rest] if others else [])


def markdown(made: list[Section], left_out: list[str]) -> str:
    """The report in Markdown."""
    parts = [ABOUT]
    for section in made:
        parts += [f"## {section.title}\n", section.about + "\n"]
        parts += [table.markdown() for table in section.tables]
        parts += [f"- `{name}`: `{command}`" for name, command in section.sources.items()]
        parts.append("")
    if left_out:
        parts += ["## Left out\n", *(f"- {line}" for line in left_out), ""]
    return "\n".join(parts)
