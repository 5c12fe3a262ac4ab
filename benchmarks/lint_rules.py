"""How many of the linter's findings are right, on real documentation.

    python benchmarks/lint_files.py FOLDER
    python benchmarks/lint_rules.py findings FOLDER FINDINGS ANSWERS [ROUND]
    python benchmarks/lint_rules.py sample FINDINGS SHEET
    python benchmarks/lint_rules.py still FINDINGS ROUND
    python benchmarks/lint_rules.py rates

`findings` lints the files of a round (`measure`: of the first two) by the rules alone, those of one
package as a set, and the `core` ones once more with the network, as by default, for undefined
acronyms (AC001), repeated words (AC010) and gaps of glossaries (AC012). `sample` draws at most 40
findings a code, 4 of a file, in shuffled order, with the text around each, for a reader.
`lint_verdicts.tsv` has each judged finding (file, line, column, code) with the verdicts of two
readings, 1 for right, 0 for wrong, none where a reader was not sure or did not read. The second
reading of the first two rounds was by the same reader in another order; that of the third, the
fourth, the seventh and those from the ninth on by another one, who did not know the first's
verdicts; the others have one. The seventh and the eighth have, for the rare findings, documents of
Linux and texts of the corpus too, those from the ninth on those of other programs that Debian has
and texts of the corpus (from the tenth on for AC004, AC007, AC008 and AC013 alone; the tenth for
AC012 also unread findings in packages of earlier rounds, whose rule was new, the twelfth all of
AC011 and AC012), at most 3 findings a file, from the twelfth on 4, and 5 a package, all linted by
the rules alone; their sets are packages, folders of Linux and the corpus' texts of one source, and
a text of the corpus that names none is one alone. The thirteenth has texts of the corpus, and other
files of packages of the twelfth, the fourteenth programs that Debian has, the fifteenth what they
had left and texts of the corpus, both for AC004 texts, the sixteenth texts of the corpus. What a
round found wrong was corrected before the next one, but that the third found the rules for AC001
and AC012 corrected alone, that the fifth was linted with the rules of before the third, the sixth
with those of after the fourth for AC002, AC004, AC008 alone, and the eighth before the last
corrections of the seventh to AC002 and AC005. `still` says whether the corrected rules report a
finding (of the first round those after it, of the third to the sixth those after the sixth, of the
seventh the last, of the twelfth those after it). A finding is right where its message is true of
the document as its readers see it, and from the seventh on moreover worth saying to a careful
editor; one of AC001, AC012 moreover only of an acronym, which is no name of a product or file, no
word in capitals and no code. `rates` sums the verdicts up.
"""

import argparse
import csv
import hashlib
import json
import math
import random
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from lint_files import Listed, listed
from measuring import RESULTS, write_results

VERDICTS = Path(__file__).parent / "lint_verdicts.tsv"
DRAWN = 40  # findings a code at most
OF_A_FILE = 4  # of one code: a table of definitions would outweigh all else
Z = 1.96  # of the normal distribution, for 95 %
AROUND = 160  # characters shown on either side


def main() -> None:
    """Run one of the commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, paths in {
        "findings": ("folder", "findings", "answers"),
        "sample": ("findings", "sheet"),
        "still": ("findings",),
        "rates": (),
    }.items():
        command = commands.add_parser(name)
        for path in paths:
            command.add_argument(path, type=Path)
        if name == "findings":
            command.add_argument("use", nargs="?", default="measure")
        elif name == "still":
            command.add_argument("round")
    given = parser.parse_args()
    if given.command == "findings":
        find(given.folder, given.findings, given.answers, given.use)
    elif given.command == "sample":
        sample(given.findings, given.sheet)
    elif given.command == "still":
        still(given.findings, given.round)
    else:
        rates()


def find(folder: Path, findings: Path, answers: Path, use: str) -> None:
    """Write all findings of a round's files, and what the linker said of each acronym."""
    from spacy_gladis.lint.detector import load_detector
    from spacy_gladis.lint.settings import Settings
    from spacy_gladis.pipeline.load import load_pipeline

    records: list[dict[str, Any]] = []
    said: dict[str, dict[str, Any]] = {}
    network = ("AC001", "AC010", "AC012")
    settings = Settings(ignore=network), Settings(select=network)
    for kind, nlp, wanted in zip(
        ("wide", "core"), (load_detector(), load_pipeline()), settings, strict=True
    ):
        packages: dict[str, list[Listed]] = defaultdict(list)
        for one in listed():
            if one.use == use and kind in ("wide", one.kind):
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
    for source, doc in annotate_sources(nlp, sources.values(), problems):
        pairs.append((source, doc))
        group = doc.spans["acronyms"]
        by_text = said.setdefault(places[source.name].place, {})
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


def still(findings: Path, number: str) -> None:
    """Note which judged findings of a round are still among the findings."""
    found = {
        (one["place"], str(one["line"]), str(one["column"]), one["code"])
        for one in json.loads(findings.read_text())
    }
    rows = read_verdicts()
    for row in rows:
        if row["round"] == number:
            place = row["place"], row["line"], row["column"], row["code"]
            row["still"] = str(int(place in found))
    with VERDICTS.open("w", encoding="utf8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], dialect="excel-tab", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_verdicts() -> list[dict[str, str]]:
    """The judged findings."""
    with VERDICTS.open(encoding="utf8", newline="") as file:
        return list(csv.DictReader(file, dialect="excel-tab"))


def rates() -> None:
    """Write the results file from the verdicts."""
    rows = read_verdicts()
    measured = [one for one in listed() if one.use == "measure"]
    numbers = sorted({row["round"] for row in rows}, key=int)
    later = [row for row in rows if row["round"] in ("3", "4", "5", "6")]
    write_results(
        RESULTS / "lint.json",
        {
            "files": len(measured),
            "with_the_network": sum(one.kind == "core" for one in measured),
            "packages": len({one.package for one in measured}),
            "rounds": {
                number: of_round([row for row in rows if row["round"] == number])
                for number in numbers
            },
            "third_to_sixth": by_code(later),
        },
    )


def of_round(rows: list[dict[str, str]]) -> dict[str, Any]:
    """The figures of a round: by code, and how far the two readings agree."""
    pairs = [(row["first"], row["second"]) for row in rows if row["first"] and row["second"]]
    read_twice: dict[str, Any] = {"read_twice": len(pairs)}
    if pairs:
        agree = sum(one == other for one, other in pairs)
        read_twice["agreement_percent"] = round(100 * agree / len(pairs), 1)
        read_twice["kappa"] = round(kappa(pairs), 3)
    files = {row["place"] for row in rows}
    return {
        "files_with_judged_findings": len(files),
        "packages": len({place.partition("/")[0] for place in files}),
        **read_twice,
        "codes": by_code(rows),
    }


def by_code(rows: list[dict[str, str]]) -> dict[str, Any]:
    """Findings judged and right, by the first reading and the second, and by today's rules."""
    codes: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        codes[row["code"]].append(row)
    figures = {}
    for code, of_code in sorted(codes.items()):
        today = [row for row in of_code if row["still"] == "1"]
        figures[code] = {"first": share(of_code, "first")}
        if any(row["second"] for row in of_code):
            figures[code]["second"] = share(of_code, "second")
        if any(row["still"] for row in of_code):
            figures[code]["still_found"] = share(today, "first") if today else {"judged": 0}
            if any(row["second"] for row in today):
                figures[code]["still_found_second"] = share(today, "second")
    return figures


def share(rows: list[dict[str, str]], reading: str) -> dict[str, Any]:
    """How many of those that a reader judged are right, with Wilson's 95 % interval."""
    judged = [row[reading] for row in rows if row[reading]]
    right, total = judged.count("1"), len(judged)
    if not total:
        return {"judged": 0}
    middle, half = wilson(right, total)
    return {
        "judged": total,
        "right": right,
        "percent": round(100 * right / total, 1),
        "interval": [round(100 * (middle - half), 1), round(100 * (middle + half), 1)],
    }


def wilson(right: int, total: int) -> tuple[float, float]:
    """The middle of Wilson's interval, and half its width."""
    part, scale = right / total, 1 + Z**2 / total
    half = Z * math.sqrt(part * (1 - part) / total + Z**2 / (4 * total**2))
    return (part + Z**2 / (2 * total)) / scale, half / scale


def kappa(pairs: list[tuple[str, str]]) -> float:
    """Cohen's kappa of two readings."""
    observed = sum(one == other for one, other in pairs) / len(pairs)
    firsts, seconds = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    expected = sum(firsts[verdict] * seconds[verdict] for verdict in firsts) / len(pairs) ** 2
    return (observed - expected) / (1 - expected) if expected < 1 else 1.0


if __name__ == "__main__":
    main()
