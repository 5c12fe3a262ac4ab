"""The dictionary commands."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from spacy_gladis.cli.dictionary import app
from spacy_gladis.dictionary import Dictionary
from spacy_gladis.errors import FormatError, InputError


def run(*arguments: object) -> Result:
    """Run a command; the package's own errors pass, as they do to the program's `main`."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "rows.csv"
    path.write_text(
        "acronym,long_form,count,source\n"
        "AI,artificial intelligence,5,news\n"
        "AI,Artificial Intelligence,1,law\n"
        "AI,adequate intake,2,medicine\n"
        "ii,in the interest of,9,law\n"
        "BAD,,1,law\n"
    )
    return path


@pytest.fixture
def built(table: Path) -> Path:
    path = table.with_name("d.sqlite")
    run("build", table, "-o", path)
    return path


def test_build_merges_selects_and_reports(table: Path, tmp_path: Path) -> None:
    path, metadata = tmp_path / "d.sqlite", tmp_path / "meta.json"
    metadata.write_text('{"licences": ["CC0-1.0"]}')
    result = run("build", table, "-o", path, "--metadata", metadata)
    assert result.exit_code == 0
    assert "1 acronym, 2 long forms" in result.output
    assert f"{table}:6: bad row: the long form is empty" in result.output
    assert "Problems: 1 x bad row." in result.output
    dictionary = Dictionary.open(path)
    assert list(dictionary) == ["AI"]
    assert dictionary.metadata["licences"] == ["CC0-1.0"]
    run("build", table, path, "-o", tmp_path / "all.sqlite", "--everything")
    both = Dictionary.open(tmp_path / "all.sqlite")
    assert list(both) == ["AI", "ii"]
    assert both.candidates("AI")[0].counts == {"news": 10, "law": 2}


def test_build_looks_at_all_inputs_first(table: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no file"):
        run("build", table, tmp_path / "none.csv", "-o", tmp_path / "d.sqlite")
    with pytest.raises(InputError, match="contains no mined corpus"):
        run("build", tmp_path, "-o", tmp_path / "d.sqlite")
    (tmp_path / "meta.json").write_text("[1]")
    with pytest.raises(InputError, match="must be a JSON object"):
        run("build", table, "-o", tmp_path / "d", "--metadata", tmp_path / "meta.json")
    with pytest.raises(InputError, match="Cannot read the metadata"):
        run("build", table, "-o", tmp_path / "d", "--metadata", tmp_path / "none.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["meta.json", "rows.csv"]


def test_export_and_import(built: Path, tmp_path: Path) -> None:
    assert run("export", tmp_path / "x.json", "-d", built).exit_code == 0
    assert json.loads((tmp_path / "x.json").read_text()) == {
        "AI": [["artificial intelligence", 6], ["adequate intake", 2]]
    }
    run("export", tmp_path / "law.csv", "-d", built, "--source", "law")
    law = (tmp_path / "law.csv").read_text().splitlines()
    assert law == ["acronym,long_form,count,source", "AI,artificial intelligence,1,law"]
    result = run("import", tmp_path / "x.json", "-o", tmp_path / "y.sqlite", "--source", "web")
    assert "1 acronym, 2 long forms" in result.output
    dictionary = Dictionary.open(tmp_path / "y.sqlite")
    assert dictionary.source_names == ("web",)
    assert dictionary.metadata["sources"] == [{"name": "x.json"}]


def test_import_replaces_no_file_unless_told(table: Path, built: Path) -> None:
    before = built.read_bytes()
    result = run("import", table, "-o", built)
    assert result.exit_code == 2 and "--overwrite" in result.output
    assert built.read_bytes() == before
    assert run("import", table, "-o", built, "--overwrite").exit_code == 0
    assert len(Dictionary.open(built).candidates("AI")) == 3


def test_lookup_shows_a_table(built: Path) -> None:
    result = run("lookup", "AIs", "-d", built, "--top-k", 1)
    assert result.exit_code == 0
    assert "AIs (as AI)" in result.output
    assert "artificial intelligence" in result.output and "75.0%" in result.output
    assert "and 1 more" in result.output


def test_lookup_names_the_most_frequent_sources(tmp_path: Path) -> None:
    rows = "".join(f"QZR,quartz zone reader,{number},source {number}\n" for number in range(1, 6))
    (tmp_path / "a.csv").write_text(f"acronym,long_form,count,source\n{rows}")
    assert run("import", tmp_path / "a.csv", "-o", tmp_path / "a.sqlite").exit_code == 0
    shown = " ".join(
        run("lookup", "QZR", "-d", tmp_path / "a.sqlite").output.replace("\u2502", "").split()
    )
    assert "source 5 5; source 4 4; source 3 3; 2 more" in shown and "source 2" not in shown


def test_lookup_of_the_unknown_suggests(built: Path) -> None:
    result = run("lookup", "AI", "AJ", "Q-99", "-d", built)
    assert result.exit_code == 1
    assert "adequate intake" in result.output
    assert "'AJ' is not in the dictionary. Did you mean: AI?" in result.output
    assert "'Q-99' is not in the dictionary.\n" in result.output
    result = run("lookup", "AI", " ", "-d", built)
    assert result.exit_code == 2 and "The acronym is empty" in result.output


def test_lookup_as_json(built: Path) -> None:
    result = run("lookup", "AI", "-d", built, "--json", "--source", "medicine")
    line = json.loads(result.output)
    assert line["spellings"] == ["AI"]
    assert [c["long_form"] for c in line["candidates"]] == ["adequate intake"]
    with pytest.raises(InputError, match="Unknown source 'sports'"):
        run("lookup", "AI", "-d", built, "--source", "sports")


def test_stats_verify_and_count(table: Path, tmp_path: Path) -> None:
    built, metadata = tmp_path / "d.sqlite", tmp_path / "meta.json"
    metadata.write_text('{"judged": {"random entries": {"judged": 40, "right": 38}}}')
    run("build", table, "-o", built, "--metadata", metadata)
    result = run("stats", built, "--output", tmp_path / "stats.json")
    output = " ".join(result.output.split())
    assert "right of 40 random entries, an earlier build" in output and "95.0%" in output
    figures = json.loads((tmp_path / "stats.json").read_text())
    assert (figures["acronyms"], figures["long_forms"]) == (1, 2)
    assert [entry["source"] for entry in figures["sources"]] == ["law", "medicine", "news"]
    assert figures["fingerprint"] == Dictionary.open(built).fingerprint
    data = bytearray(built.read_bytes())
    data[data.index(b"artificial")] ^= 1
    built.write_bytes(data)
    with pytest.raises(FormatError, match="damaged"):
        run("stats", built)
