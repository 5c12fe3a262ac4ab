"""Functions that format lint findings as text, JSON, SARIF or GitHub workflow commands."""

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from .. import __version__
from ..problem import escape_controls
from .finding import Finding

if TYPE_CHECKING:
    from .rule import Rule

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_text(findings: Sequence[Finding]) -> str:
    """Format lint findings as plain text for the terminal.

    Args:
        findings: Findings in the order of the output.

    Returns:
        One line for each finding, and a summary at the end. If there are no findings, one line
        says so.
    """
    lines = [escape_controls(" ".join(str(finding).splitlines())) for finding in findings]
    if not findings:
        return "No problems with acronyms.\n"
    counts = Counter(finding.code for finding in findings)
    fixable = sum(bool(finding.fix) for finding in findings)
    kinds = ", ".join(f"{number} {code}" for code, number in sorted(counts.items()))
    noun = "finding" if len(findings) == 1 else "findings"
    lines.append(f"{len(findings)} {noun}: {kinds}.")
    if fixable:
        lines.append(f"{fixable} fixable with --fix.")
    return "\n".join(lines) + "\n"


def to_json(findings: Sequence[Finding]) -> str:
    """Format lint findings as JSON.

    The output can also serve as a baseline, whose findings later runs don't report again.

    Args:
        findings: Findings in the order of the output.

    Returns:
        A JSON array with one object for each finding, as `to_record` returns it.
    """
    records = [to_record(finding) for finding in findings]
    return json.dumps(records, indent=1, ensure_ascii=False) + "\n"


def to_sarif(findings: Sequence[Finding]) -> str:
    """Format lint findings as SARIF 2.1.0, which code hosts and editors can show.

    SARIF gives the position of a finding as a line. For a document without lines, the number of
    the page or paragraph takes the place of the line.

    Args:
        findings: Findings in the order of the output.

    Returns:
        A SARIF log with one run, as JSON. It describes all lint rules, even those without findings.
    """
    from .registry import load_rules  # imports the detector, which `lint --help` doesn't need

    codes = list(load_rules())
    rules = [_to_descriptor(rule) for rule in load_rules().values()]
    driver = {"name": "spacy-gladis", "version": __version__, "rules": rules}
    results = [
        {
            "ruleId": finding.code,
            "ruleIndex": codes.index(finding.code),
            "level": finding.severity,
            "message": {"text": finding.message},
            "locations": [{"physicalLocation": _to_location(finding)}],
        }
        for finding in findings
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


_GITHUB_LEVELS = {"note": "notice"}


def to_github(findings: Sequence[Finding]) -> str:
    """Format lint findings as GitHub workflow commands.

    In a pull request, GitHub shows the findings next to the lines that they concern.

    Args:
        findings: Findings in the order of the output.

    Returns:
        One line with a command for each finding.
    """
    return "".join(map(_to_command, findings))


def _to_command(finding: Finding) -> str:
    level = _GITHUB_LEVELS.get(finding.severity, finding.severity)
    place = f"line={finding.position.line},col={finding.position.column}"
    properties = f"file={_escape_property(finding.path)},{place},title={finding.code}"
    return f"::{level} {properties}::{_escape(finding.message)}\n"


FORMATS: dict[str, Callable[[Sequence[Finding]], str]] = {
    "text": to_text,
    "json": to_json,
    "sarif": to_sarif,
    "github": to_github,
}
"""Functions that format findings, by the name of the format (the option ``--format``)."""


def to_record(finding: Finding) -> dict[str, Any]:
    """Convert a lint finding to a dictionary that can be written as JSON.

    Args:
        finding: Finding to convert.

    Returns:
        A dictionary with the keys `path`, `line`, `column`, `unit`, `code`, `severity`, `acronym`,
        `message` and `fix`.
    """
    return {
        "path": finding.path,
        **finding.position._asdict(),
        "code": finding.code,
        "severity": finding.severity,
        "acronym": finding.acronym,
        "message": finding.message,
        "fix": [edit._asdict() for edit in finding.fix],
    }


def _to_descriptor(rule: "Rule") -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "defaultConfiguration": {"level": "warning", "enabled": rule.is_default},
    }


def _to_location(finding: Finding) -> dict[str, Any]:
    path = Path(finding.path)
    uri = path.as_uri() if path.is_absolute() else PurePath(path).as_posix()
    region = {"startLine": finding.position.line, "startColumn": finding.position.column}
    return {"artifactLocation": {"uri": _quote_uri(uri)}, "region": region}


def _quote_uri(uri: str) -> str:
    from urllib.parse import quote

    return quote(os.fsencode(uri), safe="/:%")


def _escape(text: str) -> str:
    return escape_controls(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _escape_property(text: str) -> str:
    return _escape(text).replace(":", "%3A").replace(",", "%2C")
