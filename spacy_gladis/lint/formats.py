"""How findings are shown."""

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
    """A line a finding, and a summary last."""
    lines = [escape_controls(" ".join(str(finding).splitlines())) for finding in findings]
    if not findings:
        return "All acronyms are in order.\n"
    counts = Counter(finding.code for finding in findings)
    fixable = sum(bool(finding.fix) for finding in findings)
    kinds = ", ".join(f"{number} {code}" for code, number in sorted(counts.items()))
    noun = "finding" if len(findings) == 1 else "findings"
    lines.append(f"{len(findings)} {noun}: {kinds}.")
    if fixable:
        lines.append(f"{fixable} can be put right with --fix.")
    return "\n".join(lines) + "\n"


def to_json(findings: Sequence[Finding]) -> str:
    """A JSON array of objects."""
    return (
        json.dumps([_record(finding) for finding in findings], indent=1, ensure_ascii=False) + "\n"
    )


def to_sarif(findings: Sequence[Finding]) -> str:
    """SARIF 2.1.0; a page, a paragraph or a document counts as a line."""
    from .registry import load_rules  # the detector comes with it: `lint --help` does without

    codes = list(load_rules())
    rules = [_rule(rule) for rule in load_rules().values()]
    driver = {"name": "spacy-gladis", "version": __version__, "rules": rules}
    results = [
        {
            "ruleId": finding.code,
            "ruleIndex": codes.index(finding.code),
            "level": finding.severity,
            "message": {"text": finding.message},
            "locations": [{"physicalLocation": _location(finding)}],
        }
        for finding in findings
    ]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return json.dumps({"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


_GITHUB = {"note": "notice"}


def to_github(findings: Sequence[Finding]) -> str:
    """Workflow commands, which GitHub shows beside the lines."""
    return "".join(
        f"::{_GITHUB.get(one.severity, one.severity)} file={_property(one.path)},"
        f"line={one.position.line},col={one.position.column},title={one.code}::{_escaped(one.message)}\n"
        for one in findings
    )


FORMATS: dict[str, Callable[[Sequence[Finding]], str]] = {
    "text": to_text,
    "json": to_json,
    "sarif": to_sarif,
    "github": to_github,
}


def _record(finding: Finding) -> dict[str, Any]:
    return {
        "path": finding.path,
        **finding.position._asdict(),
        "code": finding.code,
        "severity": finding.severity,
        "acronym": finding.acronym,
        "message": finding.message,
        "fix": [edit._asdict() for edit in finding.fix],
    }


def _rule(rule: "Rule") -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": rule.why},
        "defaultConfiguration": {"level": "warning", "enabled": rule.is_default},
    }


def _location(finding: Finding) -> dict[str, Any]:
    path = Path(finding.path)
    uri = path.as_uri() if path.is_absolute() else PurePath(path).as_posix()
    region = {"startLine": finding.position.line, "startColumn": finding.position.column}
    return {"artifactLocation": {"uri": _quoted(uri)}, "region": region}


def _quoted(uri: str) -> str:
    from urllib.parse import quote

    return quote(os.fsencode(uri), safe="/:%")


def _escaped(text: str) -> str:
    return escape_controls(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
