"""The linter beside other tools: acronyms that are used and not spelled out, on ten Markdown files.

    python benchmarks/lint_files.py FOLDER
    npm install --prefix NODE textlint@15.8.0 textlint-rule-unexpanded-acronym@1.2.4
    python benchmarks/lint_peers.py FOLDER NODE

acrolint comes with the extra `bench`. Of Vale the two expressions and the exceptions of its rule
`Google.Acronyms` are run, over the text that a reader sees. `lint_peers.tsv` has a reader's verdict
on each acronym of a document that any tool names: 1 for one that is an acronym, no name, word in
capitals or code, and that the document does not spell out. One without a verdict is an error.
The ten were drawn by their sums' sums from those of 3 to 9 kB; the linter's rules have been
corrected since it was first compared on them. Those that are not in FOLDER are left out: of one
package the index has the version no more.
"""

import argparse
import contextlib
import csv
import io
import json
import re
import subprocess
from pathlib import Path

from measuring import RESULTS, write_results

from spacy_gladis.documents.formats import read_text
from spacy_gladis.documents.sources import read_paths
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.problem import ProblemLog

VERDICTS = Path(__file__).parent / "lint_peers.tsv"
_LISTED = """
    API ASP CLI CPU CSS CSV DEBUG DOM DPI FAQ GCC GDB GET GPU GTK GUI HTML HTTP HTTPS IDE JAR
    JSON JSX LESS LLDB NET NOTE NVDA OSS PATH PDF PHP POST RAM REPL RSA SCM SCSS SDK SQL SSH SSL
    SVG TBD TCP TODO URI URL USB UTF XML XSS YAML ZIP
"""
VALE_EXCEPTIONS = frozenset(_LISTED.split())


def main() -> None:
    """Run the tools, and compare what they name with the verdicts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("node", type=Path)
    given = parser.parse_args()
    verdicts = read_verdicts()
    places = {name: given.folder / name for name in dict.fromkeys(name for name, _ in verdicts)}
    paths = {name: path for name, path in places.items() if path.is_file()}
    named = {
        "spacy-gladis": ours(paths),
        "acrolint": by_acrolint(paths),
        "vale": {name: by_vale(path) for name, path in paths.items()},
        "textlint": by_textlint(paths, given.node),
    }
    missing = {
        (name, acronym)
        for found in named.values()
        for name in paths
        for acronym in found.get(name, ())
    } - set(verdicts)
    if missing:
        rows = "".join(f"\n{name}\t{acronym}" for name, acronym in sorted(missing))
        raise SystemExit(f"{VERDICTS.name} has no verdict on:{rows}")
    figures = {}
    for tool, found in named.items():
        right = [verdicts[name, one] for name in paths for one in sorted(found.get(name, ()))]
        figures[tool] = {
            "found": len(right),
            "right": sum(right),
            "wrong": len(right) - sum(right),
            "right_percent": round(100 * sum(right) / len(right), 1),
        }
    each = {
        name: {
            tool: {
                "found": len(found.get(name, ())),
                "wrong": sorted(one for one in found.get(name, ()) if not verdicts[name, one]),
            }
            for tool, found in named.items()
        }
        for name in paths
    }
    command = "python benchmarks/lint_peers.py FOLDER NODE"
    write_results(
        RESULTS / "lint_peers.json", {"command": command, "tools": figures, "documents": each}
    )


def read_verdicts() -> dict[tuple[str, str], bool]:
    """Document and acronym: whether a finding is right."""
    with VERDICTS.open(encoding="utf8", newline="") as file:
        rows = csv.DictReader(file, dialect="excel-tab")
        return {(row["document"], row["acronym"]): row["right"] == "1" for row in rows}


def ours(paths: dict[str, Path]) -> dict[str, set[str]]:
    """The linter with the network, as by default; each file alone."""
    nlp = load_pipeline()
    found: dict[str, set[str]] = {}
    for name, path in paths.items():
        (source,) = read_paths([str(path)], ProblemLog())
        findings = lint([(source, nlp(source.text))], Settings(select=("AC001",)))
        found[name] = {one.acronym for one in findings}
    return found


def by_acrolint(paths: dict[str, Path]) -> dict[str, set[str]]:
    """acrolint prints as it works; what it returns is used."""
    from acrolint.main import acrolint

    found = {}
    for name, path in paths.items():
        with contextlib.redirect_stdout(io.StringIO()):
            known = acrolint([str(path)])
        found[name] = {acronym for acronym, one in known.items() if not one["defined"]}
    return found


def by_vale(path: Path) -> set[str]:
    """Words of three to five capitals that are not in brackets after words with a capital."""
    text = read_text(path.read_text("utf8"), "markdown").text
    defined = set(re.findall(r"(?:\b[A-Z][a-z]+ )+\(([A-Z]{3,5})\)", text))
    return set(re.findall(r"\b([A-Z]{3,5})\b", text)) - defined - VALE_EXCEPTIONS


def by_textlint(paths: dict[str, Path], node: Path) -> dict[str, set[str]]:
    """textlint's findings, by npx in the folder that it was installed in."""
    command = ["npx", "--no-install", "textlint", "--rule", "unexpanded-acronym", "-f", "json"]
    places = {str(path.resolve()): name for name, path in paths.items()}
    done = subprocess.run([*command, *places], cwd=node, capture_output=True, text=True)
    found = {}
    for one in json.loads(done.stdout):
        messages = (re.match(r'"(\w+)"', message["message"]) for message in one["messages"])
        found[places[one["filePath"]]] = {match[1] for match in messages if match}
    return found


if __name__ == "__main__":
    main()
