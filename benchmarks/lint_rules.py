"""How many of the linter's findings are right, on real documentation.

    python benchmarks/lint_files.py FOLDER
    python benchmarks/lint_rules.py findings FOLDER FINDINGS ANSWERS
    python benchmarks/lint_rules.py sample FINDINGS SHEET
    python benchmarks/lint_rules.py rates

`findings` lints the files by the rules alone, those of one package as a set, and the `core` ones
once more with the network, as by default, for undefined acronyms (AC001) and repeated words
(AC010). `sample` draws at most 40 findings a code, 4 of a file, of the packages that the rules were
not corrected on, in shuffled order, with the text around each, for a reader. `lint_verdicts.tsv`
has each judged finding (file, line, column, code) with its verdicts, 1 for right, of two readings
by one reader: the second in another order and without the first at hand. So the agreement says how
clear the question is, not how two people would answer it. What the first round found wrong was
corrected in the rules (`still`: whether the corrected rules report it); the second round has other
findings of the same packages, by the corrected rules. A finding is right where its message is
true of the document as its readers see it; one of AC001, AC012 moreover only of an acronym, which
is no name of a product or file, no word in capitals and no code. `rates` sums the verdicts up.
"""

import argparse
import csv
import hashlib
import json
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from lint_files import Listed, listed
from measuring import RESULTS, write_results

VERDICTS = Path(__file__).parent / "lint_verdicts.tsv"
DRAWN = 40  # findings a code at most
OF_A_FILE = 4  # of one code: a table of definitions would outweigh all else
AROUND = 160  # characters shown on either side


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, paths in {
        "findings": ("folder", "findings", "answers"),
        "sample": ("findings", "sheet"),
        "rates": (),
    }.items():
        command = commands.add_parser(name)
        for path in paths:
            command.add_argument(path, type=Path)
    given = parser.parse_args()
    if given.command == "findings":
        find(given.folder, given.findings, given.answers)
    elif given.command == "sample":
        sample(given.findings, given.sheet)
    else:
        rates()


def find(folder: Path, findings: Path, answers: Path) -> None:
    """Write all findings, and what the linker said of each acronym."""
    from spacy_gladis.lint.detector import load_detector
    from spacy_gladis.lint.settings import Settings
    from spacy_gladis.pipeline.load import load_pipeline

    records: list[dict[str, Any]] = []
    said: dict[str, dict[str, Any]] = {}
    network = ("AC001", "AC010")
    settings = Settings(ignore=network), Settings(select=network)
    for kind, nlp, wanted in zip(
        ("wide", "core"), (load_detector(), load_pipeline()), settings, strict=True
    ):
        packages: dict[str, list[Listed]] = defaultdict(list)
        for one in listed():
            if one.use == "measure" and kind in ("wide", one.kind):
                packages[one.package].append(one)
        for files in packages.values():
            records += of_package(nlp, folder, files, said, wanted)
    findings.write_text(json.dumps(records))
    answers.write_text(json.dumps(said))


def of_package(
    nlp: Any,
    folder: Path,
    files: list[Listed],
    said: dict[str, dict[str, Any]],
    settings: Any,
) -> list[dict[str, Any]]:
    """The findings in the files of one package, which are a set."""
    from spacy_gladis.documents.sources import read_paths
    from spacy_gladis.lint.run import lint
    from spacy_gladis.pipeline.annotate import annotate_sources
    from spacy_gladis.problem import ProblemLog

    places = {str(folder / one.place): one for one in files}
    problems = ProblemLog()
    sources = {source.name: source for source in read_paths(list(places), problems)}
    pairs = []
    for name, doc in annotate_sources(nlp, sources.values(), problems):
        pairs.append((sources[name], doc))
        group = doc.spans["acronyms"]
        by_text = said.setdefault(places[name].place, {})
        for answer in group.attrs.get("resolutions", {}).values():
            by_text.setdefault(answer["acronym"], answer)
    records = []
    for found in lint(pairs, settings):
        one, source = places[found.path], sources[found.path]
        line = source.source.split("\n")[found.position.line - source.first]
        at = found.position.column - 1
        records.append(
            {
                "place": one.place,
                "line": found.position.line,
                "column": found.position.column,
                "code": found.code,
                "message": found.message,
                "around": [line[max(0, at - AROUND) : at], line[at : at + AROUND]],
            }
        )
    return records


def sample(findings: Path, sheet: Path) -> None:
    """Draw the findings to judge."""
    records = json.loads(findings.read_text())
    by_code: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for one in records:
        by_code[one["code"]].append(one)
    drawn = []
    for code in sorted(by_code):
        files: Counter[str] = Counter()
        ordered = []
        for one in sorted(by_code[code], key=checksum):
            files[one["place"]] += 1
            ordered += [one] if files[one["place"]] <= OF_A_FILE else []
        drawn += ordered[:DRAWN]
    random.Random(0).shuffle(drawn)
    sheet.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in drawn))


def checksum(one: dict[str, Any]) -> str:
    """An order that has nothing to do with the findings."""
    place = f"{one['place']}:{one['line']}:{one['column']}:{one['code']}"
    return hashlib.sha256(place.encode()).hexdigest()


def rates() -> None:
    """Write the results file from the verdicts."""
    with VERDICTS.open(encoding="utf8", newline="") as file:
        rows = list(csv.DictReader(file, dialect="excel-tab"))
    measured = [one for one in listed() if one.use == "measure"]
    write_results(
        RESULTS / "lint.json",
        {
            "files": len(measured),
            "with_the_network": sum(one.kind == "core" for one in measured),
            "packages": len({one.package for one in measured}),
            "first_round": of_round([row for row in rows if row["round"] == "1"]),
            "second_round": of_round([row for row in rows if row["round"] == "2"]),
        },
    )


def of_round(rows: list[dict[str, str]]) -> dict[str, Any]:
    """The figures of a round: by code, and how far the two readings agree."""
    codes: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        count, right = codes[row["code"]], row["first"] == "1"
        count["judged"] += 1
        count["right"] += right
        count["right_by_the_second_reading"] += row["second"] == "1"
        if row["still"]:
            still = row["still"] == "1"
            count["still_found"] += still
            count["still_found_and_right"] += still and right
    pairs = [(row["first"], row["second"]) for row in rows]
    agree = sum(one == other for one, other in pairs)
    return {
        "codes": {
            code: {**count, "percent": round(100 * count["right"] / count["judged"], 1)}
            for code, count in sorted(codes.items())
        },
        "agreement_percent": round(100 * agree / len(pairs), 1),
        "kappa": round(kappa(pairs), 3),
    }


def kappa(pairs: list[tuple[str, str]]) -> float:
    """Cohen's kappa of two readings."""
    observed = sum(one == other for one, other in pairs) / len(pairs)
    firsts, seconds = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(firsts[verdict] * seconds[verdict] for verdict in firsts) / len(pairs) ** 2
    return (observed - expected) / (1 - expected) if expected < 1 else 1.0


if __name__ == "__main__":
    main()
