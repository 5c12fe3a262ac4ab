"""`spacy-gladis glossary`, on tiny weights and a tiny dictionary."""

import csv
from functools import partial

import pytest

TEXT = "The WHO met. World Health Organization (WHO). An AI for potassium."


@pytest.fixture
def glossary(tiny):
    """Run `glossary` with the tiny model."""
    return partial(tiny, "glossary")


def test_markdown_is_the_default(glossary):
    code, out, err = glossary(TEXT)
    assert (code, err) == (0, "")
    assert out.startswith("# Acronyms\n\n2 acronyms in 1 document; 0 with more than one meaning")
    assert "- **WHO** at text:1" in out


def test_documents_together_with_one_that_is_no_text(glossary, tmp_path):
    (tmp_path / "a.txt").write_text("Artificial intelligence (AI).")
    (tmp_path / "b.txt").write_text("Adequate intake (AI).")
    (tmp_path / "c.txt").write_bytes(b"\xff\xff\x00bad")
    code, out, err = glossary("a.txt", "b.txt", "c.txt", "--format", "csv")
    assert code == 1 and "c.txt" in err
    rows = list(csv.DictReader(out.splitlines()))
    assert [row["first_document"] for row in rows] == ["a.txt", "b.txt"]
    assert {row["conflict"] for row in rows} == {"yes"}


def test_without_a_document_there_is_no_glossary(glossary, tmp_path):
    (tmp_path / "empty").mkdir()
    code, out, err = glossary("empty")
    assert (code, out) == (2, "")
    assert err.startswith("empty: empty folder: no file of a known format is in it\n")


NOTE = "---\ntitle: a note\n---\n\n# The note\n\n```\ncode\n```\n\nAn AI for potassium.\n"


def test_lines_are_those_of_the_file(glossary, tmp_path):
    (tmp_path / "a.md").write_text(NOTE)
    assert NOTE.split("\n")[10].startswith("An AI")
    _, out, _ = glossary("a.md", "--format", "json")
    assert '"first": "a.md:11"' in out
    assert glossary("a.md", "--output", "x.html") == (0, "", "")
    assert "a.md:11" in (tmp_path / "x.html").read_text()


def test_without_the_linker_what_is_not_defined_stays_open(cli):
    code, out, err = cli("glossary", TEXT, "--no-resolve", "--format", "csv")
    assert (code, err) == (0, "")
    result = {row["acronym"]: row["long_form"] for row in csv.DictReader(out.splitlines())}
    assert result == {"AI": "", "WHO": "World Health Organization"}
    code, out, err = cli("glossary", TEXT, "--no-resolve", "--threshold", "0")
    assert (code, out) == (2, "") and "--threshold needs the linker" in err


@pytest.mark.parametrize("command", [("glossary",), ("annotate", "--top-k", "1")])
def test_what_is_written_is_no_evidence_the_next_time(
    cli, tiny_weights, tiny_dictionary, tmp_path, command
):
    (tmp_path / "a.txt").write_text("The AI of the ESA.")
    output = tmp_path / "glossary.json"
    model = ("--model", tiny_weights, "--dictionary", tiny_dictionary, "--threshold", "0")
    given = (*command, "a.txt", *model, "--output", "glossary.json")
    assert cli(*given)[::2] == (0, "")
    written = output.read_text()
    assert cli(*given)[::2] == (0, "") and output.read_text() == written
    assert "Ignoring glossary.json" in cli(*given[:-2])[2]


@pytest.mark.parametrize(
    ("format", "name"),
    [
        *(("markdown", "glossary.md"), ("csv", "glossary.csv")),
        *(("json", "acronyms.json"), ("remark", "glossary.json")),
    ],
)
def test_a_written_glossary_is_not_used_unless_it_is_passed(
    cli, tiny_weights, tiny_dictionary, tmp_path, format, name
):
    (tmp_path / "a.txt").write_text("The AI met.")
    model = ("--model", tiny_weights, "--dictionary", tiny_dictionary, "--threshold", "0")
    given = ("glossary", "a.txt", *model, "--format", format)
    first = cli(*given, "--output", name)
    assert first[0] == 0
    code, out, err = cli(*given)
    assert code == 0 and out == (tmp_path / name).read_text()
    assert f"Ignoring {name}, because spacy-gladis wrote it" in err


def test_a_written_glossary_in_the_folder_of_the_documents_is_no_evidence(cli, tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text("The QZX met.\n")
    (folder / "b.md").write_text("The MRI and the CT were read.\n")
    assert cli("glossary", "docs", "--output", "docs/notes.md")[0] == 0
    written = (folder / "notes.md").read_text()
    (folder / "notes.md").write_text(written.replace("computed tomography", "cold tea"))
    out = cli("annotate", "docs/a.md", "docs/b.md", "docs/notes.md", "--format", "csv")[1]
    assert "cold tea" not in "".join(line for line in out.splitlines() if "b.md" in line)


def test_a_list_of_another_tool_is_used(cli, tmp_path):
    (tmp_path / "a.txt").write_text("The QZX met.")
    (tmp_path / "glossary.md").write_text(
        "# Acronyms\n\n| Acronym | Long form |\n|---|---|\n| QZX | quality zone exchange |\n"
    )
    code, out, err = cli("glossary", "a.txt", "--format", "csv")
    assert code == 0 and "QZX,quality zone exchange" in out and "Using glossary glossary.md" in err
