"""Lint ten megabytes of Markdown in one run: time and memory.

    python benchmarks/lint_size.py

The text is the project's own pages, over and over, with a number in each copy's headings. The
rules run alone (`--no-propose`), as they would in a hook; the figures name the share of reading,
finding and linting.
"""

import json
import sys
import time
from itertools import pairwise
from pathlib import Path

from measuring import RESULTS, in_process, peak_megabytes, write_results

SIZES = (1, 10)  # megabytes
ROOT = Path(__file__).parents[1]


def main() -> None:
    """Measure each size in a process of its own."""
    if len(sys.argv) > 1:
        print(json.dumps(measure(int(sys.argv[1]))))
        return
    write_results(
        RESULTS / "lint_size.json",
        {f"{size}_megabytes": in_process(__file__, size) for size in SIZES},
    )


def measure(megabytes: int) -> dict[str, float]:
    """CPU seconds of the steps and the most memory, in megabytes."""
    from spacy_gladis.documents.formats import read_text
    from spacy_gladis.lint.detector import load_detector
    from spacy_gladis.lint.run import lint
    from spacy_gladis.lint.settings import Settings

    nlp = load_detector()
    before = peak_megabytes()
    text = pages(megabytes * 1_000_000)
    times = [time.process_time()]
    source = read_text(text, "markdown").at(name="x.md", path="x.md")
    times.append(time.process_time())
    peaks = [peak_megabytes()]
    doc = nlp(source.text)
    times.append(time.process_time())
    peaks.append(peak_megabytes())
    findings = lint([(source, doc)], Settings(propose=False))
    times.append(time.process_time())
    peaks.append(peak_megabytes())
    reading, finding, linting = (b - a for a, b in pairwise(times))
    return {
        "characters": len(text),
        "findings": len(findings),
        "reading_cpu_seconds": round(reading, 1),
        "finding_cpu_seconds": round(finding, 1),
        "linting_cpu_seconds": round(linting, 1),
        "megabytes_before": before,
        "megabytes_at_most_when_read": peaks[0],
        "megabytes_at_most_when_found": peaks[1],
        "megabytes_at_most": peaks[2],
    }


def pages(length: int) -> str:
    """The project's pages, repeated to a length."""
    texts = [path.read_text("utf8") for path in sorted((ROOT / "docs").rglob("*.md"))]
    parts: list[str] = []
    size = copy = 0
    while size < length:
        copy += 1
        for text in texts:
            parts.append(text.replace("\n# ", f"\n# {copy} "))
            size += len(parts[-1])
    return "\n\n".join(parts)[:length]


if __name__ == "__main__":
    main()
