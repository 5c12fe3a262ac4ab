"""The tables of `results/comparison.json` on `docs/comparison.md`, whose words stay as they are.

python benchmarks/comparison_page.py
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from measuring import RESULTS

PAGE = Path(__file__).parents[1] / "docs" / "comparison.md"
BY_DEFINITIONS = "{}, by the definitions that it finds"
NAMES = {
    "spacy_gladis": "spacy_gladis",
    "scispacy": "scispacy",
    "abbreviations": "abbreviations",
    "abbreviation_extractor": "abbreviation_extractor",
    "acronymkit": "AcronymKit",
}
OTHER_NAMES = {
    "acronymkit over the packaged dictionary": "AcronymKit's choice, given the mentions and this "
    "package's long forms",
    "first candidate of the packaged dictionary": "the first long form of this package's "
    "dictionary, given the mentions",
}


def with_tables(page: str, results: dict[str, Any]) -> str:
    """The page with the tables of the results between its marks."""
    for name, lines in {"definitions": definitions, "undefined": undefined}.items():
        before, begin, rest = page.partition(f"<!-- {name} -->\n")
        _, end, after = rest.partition("<!-- end -->")
        table = "\n".join(lines(results))
        page = f"{before}{begin}\n{table}\n\n{end}{after}"
    return page


def definitions(results: dict[str, Any]) -> Iterator[str]:
    """The table of pairs found in abstracts."""
    yield "| | precision | recall | F1 | words a CPU second |"
    yield "|---|--:|--:|--:|--:|"
    for name, scores in results["definitions"].items():
        shares = " | ".join(percent(scores[one]) for one in ("precision", "recall", "f1"))
        system = f"{NAMES[name]} {results['versions'][name]}"
        yield f"| {system} | {shares} | {scores['words_per_cpu_second']:,} |"


def undefined(results: dict[str, Any]) -> Iterator[str]:
    """The table of mentions that no text explains."""
    yield "| | right | answered | precision |"
    yield "|---|--:|--:|--:|"
    for name, scores in results["undefined"]["systems"].items():
        shares = " | ".join(percent(scores[one]) for one in ("right", "answered", "precision"))
        peer = NAMES.get(name, OTHER_NAMES.get(name, name))
        ours = name == "spacy_gladis" or name not in NAMES
        yield f"| {peer if ours else BY_DEFINITIONS.format(peer)} | {shares} |"


def percent(share: float | None) -> str:
    """A share of 1, or nothing where there is none."""
    return "" if share is None else f"{100 * share:.1f}"


def main() -> None:
    """Put the tables of today's results onto the page."""
    results = json.loads((RESULTS / "comparison.json").read_text("utf8"))
    PAGE.write_text(with_tables(PAGE.read_text("utf8"), results), "utf8")


if __name__ == "__main__":
    main()
