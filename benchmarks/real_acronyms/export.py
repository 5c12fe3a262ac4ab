"""Write the texts that may be passed on, in one format: `python export.py BENCHMARKS OUT`.

What is withheld, and why, goes to standard error. Needs nothing but Python.
"""

import argparse
import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("licences.tsv")
SETS = {
    "real": "real/dev.jsonl",
    "documents": "documents/dev.jsonl",
    "documents-2": "documents/dev-2.jsonl",
    "passages": "passages/dev.jsonl",
}


def read_licences(path: Path = TABLE) -> dict[str, tuple[str, str]]:
    """What rows say of their licence, with its name and, where it forbids export, the reason."""
    with path.open(encoding="utf8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {row["written"]: (row["licence"], row["withheld"] or "") for row in rows}


def export(benchmarks: Path, out: Path, passages: str | None = None) -> tuple[Counter[Any], ...]:
    """Write a file a set and `SOURCES.tsv`; returns what was written, and what was withheld.

    passages: the licence that their author gives the passages; None: they are withheld.
    """
    licences = read_licences()
    out.mkdir(parents=True, exist_ok=True)
    written: Counter[Any] = Counter()
    withheld: Counter[Any] = Counter()
    for name, path in SETS.items():
        kept = []
        for row in _rows(benchmarks / path, name):
            if name == "passages":
                licence, reason = passages or "", "" if passages else "no licence is stated"
            else:
                unknown = "", "licences.tsv does not have it"
                licence, reason = licences.get(row["licence"], unknown)
            if reason:
                withheld[name, row.get("licence", "-"), reason] += 1
                continue
            kept.append({**row, "licence": licence})
            written[name, row["repository"], licence] += 1
        if kept:
            lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in kept)
            (out / f"{name}.jsonl").write_text("".join(lines), "utf8")
    table = ("\t".join([*pair, str(number)]) for pair, number in sorted(written.items()))
    head = "set\trepository\tlicence\ttexts"
    (out / "SOURCES.tsv").write_text("\n".join([head, *table, ""]), "utf8")
    return written, withheld


def _rows(path: Path, name: str) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            source = row.get("source", "")
            if "repo" in row:
                source = f"{row['repo']}:{row['path']}@{row['commit']}"
            of_one = re.match(r"[\w.-]+/[\w.-]+(?=:)|\w+ \w+", source)
            repository = of_one[0] if of_one else row["field"]
            yield {
                "id": f"{name}/{number:04}",
                "set": name,
                "field": row["field"],
                "source": source,
                "repository": repository,
                "licence": row.get("licence", "-"),
                "text": row["text"],
                "mentions": [_mention(mention) for mention in row["mentions"]],
            }


def _mention(mention: dict[str, Any]) -> dict[str, Any]:
    long_forms = mention["long_forms"] if "long_forms" in mention else [mention["long_form"]]
    place = {name: mention[name] for name in ("start", "end", "acronym")}
    return {**place, "long_forms": long_forms, "defined": mention.get("defined", False)}


def main() -> None:
    """Export, and say what was withheld."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("benchmarks", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--passages", metavar="LICENCE", help="the passages, under this licence")
    given = parser.parse_args()
    written, withheld = export(given.benchmarks, given.out, given.passages)
    for (name, licence, reason), number in sorted(withheld.items()):
        print(f"withheld: {number} of {name}, {licence}: {reason}", file=sys.stderr)
    print(f"{sum(written.values())} texts in {given.out}")


if __name__ == "__main__":
    main()
