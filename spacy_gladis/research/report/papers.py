"""All results files of a folder in one report, beside the papers' own figures."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from ...errors import InputError
from ..disambiguation.gladis.run import tables as gladis_tables
from ..disambiguation.supervised.run import tables as disambiguation_tables
from ..extraction.bioc import tables as pair_tables
from ..extraction.run import tables as span_tables
from ..leakage.run import GRAMS
from ..linking.run import tables as linking_tables
from ..verification.run import tables as verification_tables
from .published import AB3P, BC2GM, DICTIONARY, LINKING, SCIAI, SMALL_SETS, WIC_TSV
from .tables import Table


class Result(NamedTuple):
    """What one evaluation found: its file's name, the evaluation's name and the content."""

    name: str
    kind: str
    content: dict[str, Any]

    @property
    def command(self) -> str:
        """The command that wrote it, where the file says."""
        return str(self.content.get("command", ""))


class Results(NamedTuple):
    """The results of a folder, by file name, and what is wrong with the files left out."""

    found: list[Result]
    left_out: list[str]

    def of(self, *kinds: str) -> Iterator[Result]:
        """Those of these evaluations."""
        return (result for result in self.found if result.kind in kinds)


def read_results(folder: Path) -> Results:
    """The results in the JSON files of a folder; one that is not a results file is left out.

    Raises InputError where there is none.
    """
    found, left_out = [], []
    for path in sorted(folder.glob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            left_out.append(f"{path.name}: no JSON file ({error})")
            continue
        kind = _kind(content)
        if kind is None:
            left_out.append(f"{path.name}: it does not say which command wrote it")
        else:
            found.append(Result(path.stem, kind, content))
    if not found:
        raise InputError(
            f"{folder} holds no results (JSON files that 'spacy-gladis evaluate ... --output' "
            "and the benchmarks write)."
        )
    return Results(found, left_out)


def _kind(content: Any) -> str | None:
    """`evaluate gladis` is "gladis", `train export` "export", `benchmarks/leakage.py` "leakage"."""
    if not isinstance(content, dict):
        return None
    if {"names", "train", "test", "texts"} <= content.keys():
        return "audit"
    words = str(content.get("command", "")).split()
    if words[:1] == ["spacy-gladis"] and len(words) > 2:
        return words[2]
    if words[:1] == ["python"] and len(words) > 1:
        return Path(words[1]).stem
    return None


@dataclass
class Section:
    """One paper, or what is measured beyond the papers.

    about: a sentence or two in plain text. sources: the commands whose results are shown.
    """

    title: str
    about: str
    tables: list[Table] = field(default_factory=list)
    sources: dict[str, str] = field(default_factory=dict)

    def show(
        self, results: Results, kind: str, tables: Callable[[dict[str, Any]], Iterable[Table]]
    ) -> None:
        """Add the tables of each result of a kind, under its name.

        A file of another version, which `tables` cannot read, is left out and told of.
        """
        for result in results.of(kind):
            try:
                made = [
                    Table(f"{result.name}: {table.title}", table.columns, table.rows)
                    for table in tables(result.content)
                ]
            except (  # noqa: PERF203 (one file must not spoil the report)
                KeyError,
                TypeError,
                ValueError,
                IndexError,
                AttributeError,
            ) as error:
                results.left_out.append(f"{result.name}.json: of another version ({error!r})")
            else:
                self.tables += made
                self.sources[result.name] = result.command


def acronyms_section(results: Results) -> Section:
    """Identification, extraction and the seeds' disambiguators."""
    made = Section(
        "SciAI and SciAD: identification and disambiguation",
        "Pouran Ben Veyseh et al., COLING 2020, and the SDU shared tasks of AAAI 2021 and 2022. "
        "Spans must be exact; scores are means over acronyms and long forms.",
    )
    for kind in ("sciai", "sdu22-ae"):
        made.show(results, kind, span_tables)
    if any(results.of("sciai")):
        title, rows = "Identification on SciAI, as published", [one.cells for one in SCIAI]
        made.tables.append(Table(title, ("system", "P", "R", "macro F1", "source"), rows))
    made.show(results, "bioc", pair_tables)
    if any(results.of("bioc")):
        title, rows = "Ab3P corpus: what is known of other tools", [one.cells for one in AB3P]
        made.tables.append(Table(title, ("system", "F1", "source"), rows))
    made.show(results, "ad", disambiguation_tables)
    return made


def cometa_section(results: Results) -> Section:
    """Accuracy of every linking system on every split."""
    made = Section(
        "COMETA: concept linking",
        "Basaldella, Liu, Shareghi and Collier, EMNLP 2020. Acc@1, Acc@10 and mean reciprocal "
        "rank; a phrase whose concept is outside the inventory counts as wrong.",
    )
    made.show(results, "cometa", linking_tables)
    if made.tables:
        bars = [known.cells for known in LINKING]
        made.tables.append(Table("Bars to know", ("system", "Acc@1", "source"), bars))
    return made


BOTH = {"accuracy": "accuracy", "macro F1": "gladis_macro_f1"}
GROUPS = ("popular", "overshadowed")


def gladis_section(results: Results) -> Section:
    """Tables 2 to 7 and A1, as far as they were measured."""
    made = Section(
        "GLADIS: acronym disambiguation",
        "Chen, Varoquaux and Suchanek, EACL 2023. Macro F1 is GLADIS's: the mean over gold long "
        "forms. Sets with a dictionary of their own are Table A1's (few candidates); the others "
        "are answered from the dictionary in use.",
    )
    if counted := list(results.of("stats")):
        made.tables.append(_dictionary(counted))
        made.sources |= {result.name: result.command for result in counted}
    made.show(results, "gladis", gladis_tables)
    if known := [one for one in results.of("gladis") if one.name in made.sources]:
        made.tables += map(_popularity, known)
        rows = [(name, *one.cells) for name, one in SMALL_SETS.items()]
        made.tables.append(
            Table("As published (Table A1)", ("set", "system", *BOTH, "source"), rows)
        )
    for result in results.of("export", "finish"):
        made.tables.append(_calibration(result))
        made.sources[result.name] = result.command
    return made


def _dictionary(counted: list[Result]) -> Table:
    table = Table("Dictionary", ("dictionary", "acronyms", "long forms", "source"))
    acronyms, long_forms = (round(score or 0) for score in DICTIONARY.scores)
    table.add(f"*{DICTIONARY.system}*", acronyms, long_forms, f"*{DICTIONARY.source}*")
    for result in counted:
        # `corpus stats` tells of more than the dictionary, `dictionary stats` of nothing else.
        found = result.content.get("dictionary", result.content)
        table.add("ours", found["acronyms"], found["long_forms"], result.name)
    return table


def _popularity(result: Result) -> Table:
    columns = [f"{group}: {score}" for group in GROUPS for score in BOTH]
    title = f"{result.name}: popular and overshadowed long forms (Table 7)"
    table = Table(title, ("set", "system", *columns))
    for name, found in result.content["sets"].items():
        for system, one in found["systems"].items():
            parts = (one["by_popularity"][group] or {} for group in GROUPS)
            table.add(name, system, *(part.get(key) for part in parts for key in BOTH.values()))
    return table


def _calibration(result: Result) -> Table:
    found = result.content
    columns = ("in the dictionary", "accuracy there", "calibration error")
    precisions = found["precision_at_coverage"]
    shares = (f"right of the surest {100 * float(share):.0f} %" for share in precisions)
    table = Table(f"{result.name}: acronyms that were held out", ("questions", *columns, *shares))
    table.add(
        f"{found['measured_on']:,}",
        found["in_dictionary"],
        found["accuracy_in_dictionary"],
        found["expected_calibration_error"],
        *precisions.values(),
    )
    return table


Audit = tuple[str, dict[str, Any], str]  # its name, itself, its file


def leakage_section(results: Results) -> Section:
    """Similarity of test to training items, of the paper's set and of every other pair."""
    made = Section(
        "Memorization and generalization: leakage",
        "Elangovan, He and Verspoor, EACL 2021: for each test item the best cosine similarity to "
        "any training item (Algorithm 1), means in %.",
    )
    audits = list(_audits(results))
    for result in results.of("leakage", "audit", "leakage_acrobert"):
        made.sources[result.name] = result.command
    for what in ("texts", "annotations"):
        table = Table(f"Mean best similarity of {what}", ("sets", "test", *GRAMS.values(), "by"))
        for name, audit, source in audits:
            if audit[what]:
                means = (audit[what][n]["mean"] for n in GRAMS)
                table.add(name, audit["test"]["items"], *means, source)
            if name == "BC2GM":
                known = BC2GM[what]
                table.add(name, None, *known.scores, f"*{known.source}*")
        if table.rows:
            made.tables.append(table)
    for result in results.of("leakage_acrobert"):
        made.tables.append(_accuracy(result.content["sets"]))
    return made


def _accuracy(sets: dict[str, Any]) -> Table:
    """The packaged model's accuracy (and items) by similarity to its training samples."""
    intervals = next(iter(sets.values()))["metrics"]["1"]["intervals"]
    title = "Accuracy of the packaged model by similarity to its training samples (unigrams)"
    table = Table(title, ("set", *(name for one in intervals for name in (one, "items"))))
    for name, one in sets.items():
        parts = one["metrics"]["1"]["intervals"].values()
        cells = ((p["scores"]["accuracy"], p["items"]) if p else (None, 0) for p in parts)
        table.add(name, *(cell for pair in cells for cell in pair))
    return table


def _audits(results: Results) -> Iterator[Audit]:
    for result in results.of("leakage"):
        for name, audit in result.content.get("audits", {}).items():
            yield name, audit, result.name
    for result in results.of("audit"):
        names = (Path(name).name for name in result.content["names"])
        yield " to ".join(names), result.content, result.name


def wic_tsv_section(results: Results) -> Section:
    """Accuracy, precision, recall and F1 of every system on every task; learning curves."""
    made = Section(
        "WiC-TSV: target sense verification",
        "Breit, Revenko, Rezaee, Pilehvar and Camacho-Collados, EACL 2021. Task 1: definitions, "
        "task 2: hypernyms, task 3: both.",
    )
    made.show(results, "wic-tsv", verification_tables)
    if made.sources:
        known = [(task, *one.cells) for task, one in WIC_TSV.items()]
        made.tables.append(Table("As published", ("task", "system", "accuracy", "source"), known))
    return made


PAPERS = (gladis_section, acronyms_section, cometa_section, wic_tsv_section, leakage_section)


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
