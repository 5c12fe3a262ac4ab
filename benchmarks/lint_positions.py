"""Whether the linter's places are exact, and what `--fix` changes, on real files.

    python benchmarks/lint_files.py FOLDER
    python benchmarks/lint_positions.py FOLDER

At most 40 listed files a format, in the order of their sums. Places: the source at each finding's
file:line:column is compared with the acronym that the message names, in the file read anew, by
lines and by pypdf's pages (a DOCX by our reader). Fixes are made twice in copies of the files: the
second time must change nothing, and what the first changed must be what the findings' edits say,
letter for letter. The linker proposes long forms of undefined acronyms, as by default.
"""

import argparse
import re
import tempfile
from collections import Counter
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

from lint_files import Listed, listed
from measuring import RESULTS, write_results

from spacy_gladis.documents.formats import read_file
from spacy_gladis.documents.source import Source
from spacy_gladis.errors import GladisError
from spacy_gladis.lint import fix as fixing
from spacy_gladis.lint.finding import Finding
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from spacy_gladis.pipeline.load import load_pipeline
from spacy_gladis.problem import ProblemLog

OF_A_FORMAT = 40  # files at most
SAME = {".asciidoc": ".adoc", ".htm": ".html"}
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
QUOTED = re.compile(r"'((?:[^']|'(?=\w))+)'")


def main() -> None:
    """Measure, and write the results file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    nlp = load_pipeline()
    places: Counter[str] = Counter()
    exact: Counter[str] = Counter()
    fixes: Counter[str] = Counter()
    codes: Counter[str] = Counter()
    wrong: list[str] = []
    settings = Settings()
    for one in drawn(given.folder):
        path = given.folder / one.place
        try:
            (source,) = read_file(path, ProblemLog())
        except GladisError:
            fixes["unreadable"] += 1
            continue

        def check(source: Source) -> list[Finding]:
            return lint([(source, nlp(source.text))], settings)

        findings = check(source)
        lines = original_lines(path, source.format)
        for finding in findings:
            codes[finding.code] += 1
            places[source.format] += 1
            if begins(finding, lines):
                exact[source.format] += 1
            else:
                wrong.append(f"{one.place}:{finding.position}: {finding.code}")
        fixes["files"] += 1
        if any(finding.fix for finding in findings):
            try_fixes(path, source, findings, check, fixes)
    write_results(
        RESULTS / "lint_positions.json",
        {
            "command": "python benchmarks/lint_positions.py FOLDER",
            "findings": dict(sorted(codes.items())),
            "places": {
                name: {"findings": n, "exact": exact[name]} for name, n in sorted(places.items())
            },
            "all": {"findings": places.total(), "exact": exact.total()},
            "not_exact": wrong,
            "fixes": dict(fixes),
        },
    )


def drawn(folder: Path) -> list[Listed]:
    """The files to lint: of each format some, of those that are there."""
    found: Counter[str] = Counter()
    files = []
    for one in sorted(listed(), key=lambda one: one.sha256):
        suffix = Path(one.path).suffix
        format = SAME.get(suffix, suffix)
        if found[format] < OF_A_FORMAT and (folder / one.place).is_file():
            found[format] += 1
            files.append(one)
    return files


def original_lines(path: Path, format: str) -> list[str]:
    """The file's lines, pages or paragraphs, by other means than the linter's own."""
    if format == "pdf":
        import pypdf

        pages = (page.extract_text() for page in pypdf.PdfReader(path).pages)
        return [" ".join(page.splitlines()) for page in pages]
    if format == "docx":
        from spacy_gladis.documents.formats.docx import read_docx

        return read_docx(path).source.split("\n")
    return re.split(r"\r\n|\r|\n", path.read_bytes().decode("utf-8-sig"))


def begins(finding: Finding, lines: list[str]) -> bool:
    """Whether the text at a finding's place begins with what the message names."""
    quoted = QUOTED.findall(finding.message)
    named = quoted[0]
    if finding.code == "AC006":
        named = quoted[1]  # the long form is what stands there
    elif finding.code == "AC008":
        named = quoted[1]
    elif finding.code == "AC009":
        named = quoted[1] if "spell" in finding.message else named.split(maxsplit=1)[1]
    elif finding.code == "AC010":
        named = named.split()[0]
    line, column = finding.position.line, finding.position.column
    there = "\n".join(lines[line - 1 : line + 2])[column - 1 :]
    pattern = r"\s+".join(map(re.escape, named.split()))
    return bool(re.match(pattern, there))


def try_fixes(
    path: Path, source: Source, findings: list[Finding], check: Any, counts: Counter[str]
) -> None:
    """Fix a copy of a file twice, and count what changed and what changed besides."""
    before = path.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / path.name
        copy.write_bytes(before)
        read = [(source, findings)]  # before each pass

        def noted(changed: Source) -> list[Finding]:
            read.append((changed, check(changed)))
            return read[-1][1]

        done = fixing.fix(source, findings, noted)
        if done.text == source.source:
            return
        counts["files changed"] += 1
        counts["edits"] += done.edits
        fixing.write(copy, done.text)
        (again,) = read_file(copy, ProblemLog())
        again = again.at(name=source.name, path=source.path)
        twice = fixing.fix(again, check(again), check)
        counts["files changed by a second run"] += twice.text != again.source
        # All that differs lies inside the lines of the findings with a fix.
        for (old, found), (new, _) in pairwise(read):
            counts["characters beyond the edits"] += beyond(old, new, found)


def beyond(source: Source, changed: Source, findings: list[Finding]) -> int:
    """How many characters stand no more, in their order, of the lines that no edit touches."""
    after = changed.source
    old = LINE.findall(source.source)
    touched = [False] * len(old)
    for finding in findings:
        for edit in finding.fix:
            first = source.position_of_original(edit.start).line - 1
            last = source.position_of_original(edit.end).line - 1
            touched[first : last + 1] = [True] * (last + 1 - first)
    stray = at = 0
    for by_edit, lines in groupby(range(len(old)), key=touched.__getitem__):
        run = "".join(old[line] for line in lines)
        found = at if by_edit else after.find(run, at)
        stray += len(run) if found < 0 else 0
        at = at if by_edit or found < 0 else found + len(run)
    return stray


if __name__ == "__main__":
    main()
