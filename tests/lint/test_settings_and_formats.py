"""A project's settings, and how findings are shown."""

import json

import pytest

from spacy_gladis.documents.source import Position
from spacy_gladis.errors import GladisError
from spacy_gladis.lint.finding import Edit, Finding
from spacy_gladis.lint.formats import FORMATS
from spacy_gladis.lint.registry import load_rules
from spacy_gladis.lint.settings import Settings, find_settings, packaged_known

FINDINGS = [
    Finding("a b.md", Position(3, 7), "AC001", "X", "'X', 100%", (Edit(1, 2, "y"),)),
    Finding("x.pdf", Position(2, 4, "page"), "AC004", "Y", "two\nlines"),
]


def test_settings_of_a_project(tmp_path):
    (tmp_path / "known.txt").write_text("QBR  # ours\n\nU.S.\tUnited States\n")
    (tmp_path / "words.csv").write_text("acronym,long_form\nDPO,data protection officer\n")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.spacy-gladis.lint]\nselect = ["AC00"]\nignore = ["AC005"]\nextend-known = ["EYU"]\n'
        'known-file = "known.txt"\nglossary = "words.csv"\nleast-uses = 2\nscope = "section"\n'
        '[tool.spacy-gladis.lint.per-file-ignores]\n"*.tex" = ["AC001"]\n'
        '[tool.spacy-gladis.lint.severity]\nALL = "note"\nAC00 = "warning"\nAC002 = "error"\n'
    )
    (tmp_path / "deep").mkdir()
    settings = find_settings(tmp_path / "deep")
    settings.check(load_rules())
    checked = [code for code, rule in load_rules().items() if settings.is_checked(rule)]
    assert checked[:5] == ["AC001", "AC002", "AC003", "AC004", "AC006"] and "AC010" not in checked
    assert not settings.is_ignored("AC001", "a.md") and settings.is_ignored("AC001", "a.tex")
    assert settings.is_ignored("AC005", "a.md")
    assert all(
        map(settings.is_known, ("PDF", "QBR", "US", "EYU", "DPO"))
    ) and not settings.is_known("WHO")
    assert (settings.least_uses, settings.scope) == (2, "section")
    assert list(map(settings.severity_of, ("AC001", "AC002", "AC010"))) == [
        "warning",
        "error",
        "note",
    ]
    (tmp_path / "deep" / ".spacy-gladis.toml").write_text("known = []\n")
    assert not find_settings(tmp_path / "deep").is_known("PDF")


def test_default_rules_and_all_of_them():
    rules = load_rules().values()

    def checked(**settings):
        return [rule.code for rule in rules if Settings(**settings).is_checked(rule)]

    assert checked() == ["AC003", "AC009", "AC010"]
    assert checked(select=("ALL",)) == list(load_rules())
    assert checked(select=("ALL",), ignore=("ALL",)) == checked(ignore=("ALL",)) == []


@pytest.mark.parametrize(
    "wrong",
    [
        "lest-uses = 1",
        "least-uses = 'x'",
        "least-uses = -3",
        "select = 'AC001'",
        "scope = 'page'",
        "select = ['AC0001']",
        "per-file-ignores = ['AC001']",
        "severity = 'error'",
        "severity = {AC999 = 'error'}",
        "severity = {AC001 = 'eror'}",
        "[",
        "known-file = 'missing.txt'",
        "glossary = 'missing.csv'",
    ],
)
def test_wrong_settings_are_named(wrong, tmp_path):
    (tmp_path / ".spacy-gladis.toml").write_text(wrong)
    with pytest.raises(GladisError, match=r"toml|missing|or more|Choose from|Did you mean"):
        find_settings(tmp_path).check(load_rules())


def test_the_packaged_list_is_readable():
    words = packaged_known()
    assert words["PIN"] == "personal identification number"
    assert all(words.values())


def test_text_and_github():
    text = FORMATS["text"](FINDINGS)
    assert text.splitlines() == [
        "a b.md:3:7: AC001 'X', 100%",
        "x.pdf:page 2:4: AC004 two lines",
        "2 findings: 1 AC001, 1 AC004.",
        "1 fixable with --fix.",
    ]
    github = FORMATS["github"](FINDINGS).splitlines()
    assert github[0] == "::warning file=a b.md,line=3,col=7,title=AC001::'X', 100%25"
    assert github[1].endswith("two%0Alines")


def test_a_severity_is_shown_in_every_format():
    error, note = (FINDINGS[0]._replace(severity=severity) for severity in ("error", "note"))
    assert FORMATS["text"]([error]).startswith("a b.md:3:7: error AC001 ")
    assert FORMATS["github"]([error, note]).startswith("::error file=a b.md")
    assert "\n::notice file=a b.md" in FORMATS["github"]([error, note])
    assert json.loads(FORMATS["json"]([note]))[0]["severity"] == "note"
    assert json.loads(FORMATS["sarif"]([note]))["runs"][0]["results"][0]["level"] == "note"


def test_json_and_sarif():
    records = json.loads(FORMATS["json"](FINDINGS))
    assert records[0]["line"] == 3 and records[0]["fix"] == [{"start": 1, "end": 2, "text": "y"}]
    sarif = json.loads(FORMATS["sarif"](FINDINGS))
    (run,) = sarif["runs"]
    first = run["results"][0]
    assert sarif["version"] == "2.1.0"
    rules = run["tool"]["driver"]["rules"]
    assert rules[first["ruleIndex"]]["id"] == "AC001"
    assert [rule["defaultConfiguration"]["enabled"] for rule in rules] == [
        rule.is_default for rule in load_rules().values()
    ]
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.md"
    assert place["region"] == {"startLine": 3, "startColumn": 7}


def test_sarif_is_what_its_schema_says():
    """pydantic-sarif's models are generated from the schema of SARIF 2.1.0."""
    pydantic_sarif = pytest.importorskip("pydantic_sarif.model")
    report = pydantic_sarif.StaticAnalysisResultsFormatSarifVersion210JsonSchema
    for findings in (FINDINGS, []):
        read = report.model_validate_json(FORMATS["sarif"](findings))
        assert len(read.runs[0].results) == len(findings)
    broken = FORMATS["sarif"](FINDINGS).replace('"startLine": 3', '"startLine": 0')
    with pytest.raises(ValueError, match="startLine"):
        report.model_validate_json(broken)
