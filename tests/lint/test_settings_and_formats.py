"""A project's settings, and how findings are shown."""

import json

import pytest

from spacy_gladis.documents.source import Position
from spacy_gladis.errors import GladisError, InputError
from spacy_gladis.lint.finding import Edit, Finding
from spacy_gladis.lint.formats import FORMATS
from spacy_gladis.lint.rules import RULES
from spacy_gladis.lint.settings import Settings, find_settings

FINDINGS = [
    Finding("a b.md", Position(3, 7), "AC001", "'X', 100%", (Edit(1, 2, "y"),)),
    Finding("x.pdf", Position(2, 4, "page"), "AC004", "two\nlines"),
]


def test_settings_of_a_project(tmp_path):
    (tmp_path / "allowed.txt").write_text("NASA  # known\n\nU.S.\tUnited States\n")
    (tmp_path / "pyproject.toml").write_text(
        '[tool.spacy-gladis.lint]\nselect = ["AC00"]\nignore = ["AC005"]\nallow = ["HTML"]\n'
        'allow-file = "allowed.txt"\nleast-uses = 2\nleast-probability = 0.5\npropose = false\n'
    )
    (tmp_path / "deep").mkdir()
    found = find_settings(tmp_path / "deep")
    assert found.wants("AC001") and not found.wants("AC005") and not found.wants("AC010")
    assert found.allows("HTML") and found.allows("NASA") and found.allows("US")
    assert (found.least_uses, found.least_probability, found.propose) == (2, 0.5, False)
    (tmp_path / "deep" / ".spacy-gladis.toml").write_text("least-uses = 3\n")
    assert find_settings(tmp_path / "deep").least_uses == 3


@pytest.mark.parametrize(
    "wrong",
    ["lest-uses = 1", "least-uses = 'x'", "select = 'AC001'", "[", "allow-file = 'missing.txt'"],
)
def test_wrong_settings_are_named(wrong, tmp_path):
    (tmp_path / ".spacy-gladis.toml").write_text(wrong)
    with pytest.raises(GladisError, match=r"toml|missing"):
        find_settings(tmp_path)


@pytest.mark.parametrize("wrong", ["least-probability = 5", "least-uses = -3"])
def test_a_number_s_range_is_named(wrong, tmp_path):
    (tmp_path / ".spacy-gladis.toml").write_text(wrong)
    with pytest.raises(InputError, match=r"between 0 and 1, got 5|0 or more, got -3"):
        find_settings(tmp_path).checked(RULES)


@pytest.mark.parametrize("number", ["0", "1", "0.5"])
def test_a_probability_may_be_a_whole_number(number, tmp_path):
    (tmp_path / ".spacy-gladis.toml").write_text(f"least-probability = {number}")
    assert find_settings(tmp_path).checked(RULES).least_probability == float(number)


def test_only_settings_of_the_file_are_suggested(tmp_path):
    (tmp_path / ".spacy-gladis.toml").write_text('own = ["EU"]')
    with pytest.raises(InputError, match=r"There are: select, ignore, allow, exclude, least-uses"):
        find_settings(tmp_path)


def test_a_code_that_is_none_is_an_error():
    with pytest.raises(InputError, match="AC001"):
        Settings(select=("AC0001",)).checked(RULES)


def test_text_and_github():
    text = FORMATS["text"](FINDINGS)
    assert text.splitlines() == [
        "a b.md:3:7: AC001 'X', 100%",
        "x.pdf:page 2:4: AC004 two lines",
        "2 findings: 1 AC001, 1 AC004.",
        "1 can be put right with --fix.",
    ]
    github = FORMATS["github"](FINDINGS).splitlines()
    assert github[0] == "::warning file=a b.md,line=3,col=7,title=AC001::'X', 100%25"
    assert github[1].endswith("two%0Alines")


def test_json_and_sarif():
    records = json.loads(FORMATS["json"](FINDINGS))
    assert records[0]["line"] == 3 and records[0]["fix"] == [{"start": 1, "end": 2, "text": "y"}]
    sarif = json.loads(FORMATS["sarif"](FINDINGS))
    (run,) = sarif["runs"]
    first = run["results"][0]
    assert sarif["version"] == "2.1.0"
    assert run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"] == "AC001"
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
