"""A project's documents that stay in memory, its own list, and comments that suppress a rule."""

import os

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.lint.finding import Finding
from spacy_gladis.lint.fix import fix_finding
from spacy_gladis.lint.project import Project, list_documents
from spacy_gladis.lint.project_list import KNOWN_FILE, add_to_project
from spacy_gladis.lint.run import lint, lint_documents
from spacy_gladis.lint.settings import SETTINGS_FILE, Settings, find_settings
from spacy_gladis.lint.suppressions import suppress
from spacy_gladis.output.markup import apply_edits

UNDEFINED = Settings(select=("AC001",))
LONG = "The World Health Organization (WHO) met. The WHO left."


def read(text: str, format: str, path: str = "a"):
    return read_text(text, format).at(name=path, path=path)


def findings(text: str, format: str) -> list[Finding]:
    return lint([read(text, format)], UNDEFINED)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("markdown", "# A\n\nA dog.\nThe QAZ met.  \nThe end.\n"),
        ("markdown", "The QAZ met. <!-- acronyms: ignore AC003 -->\n"),
        ("html", "<p>A dog.\nThe QAZ met.</p>\n"),
        ("text", "A dog. The QAZ met.\nThe end.\n"),
        ("text", "The QAZ met. # acronyms: ignore AC003\n"),
        ("latex", "A dog.\nThe QAZ met.\n\nThe end.\n"),
        ("latex", "The QAZ met.% acronyms: ignore AC003, AC004\n"),
        ("asciidoc", "A dog.\nThe QAZ met.\nThe end.\n"),
        ("restructuredtext", "Title\n=====\n\nA dog.\nThe QAZ met.\nIt.\n\nThe end.\n"),
        ("restructuredtext", "* A dog.\n\n  The QAZ met.\n"),
        ("restructuredtext", "The QAZ met."),
    ],
)
def test_a_comment_suppresses_one_finding_and_changes_no_text(format, text, end):
    if format == "latex":
        pytest.importorskip("pylatexenc")
    text = text.replace("\n", end)
    source = read(text, format)
    [finding] = findings(text, format)
    offset = source.offset_of(finding.position)
    assert source.source[offset : offset + 3] == "QAZ"
    after = apply_edits(text, suppress(source, offset, "AC001"))
    assert after != text and findings(after, format) == []
    if format != "text":  # plain text has no comments of its own
        assert read(after, format).text.split() == source.text.split()
    other = lint([read(after + f"{end}{end}The QAX met.{end}", format)], UNDEFINED)
    assert [finding.acronym for finding in other] == ["QAX"]


def test_a_format_without_comments_has_no_edits():
    assert suppress(read("The QAZ met.", "text").at(format="pdf"), 4, "AC001") == ()


def test_a_fix_of_one_finding_leaves_the_others():
    source = read(f"{LONG}\n\n{LONG}\n\n{LONG}\n", "markdown")
    first, _ = lint([source], Settings(select=("AC003",)))
    after = fix_finding(source, first)
    assert after is not None and after.count("Organization (WHO)") == 2
    assert fix_finding(source, first._replace(fix=())) is None


def test_an_acronym_goes_to_the_glossary_or_to_the_list(tmp_path):
    settings = tmp_path / SETTINGS_FILE
    settings.write_text('glossary = "house.csv"\nknown-file = "known.txt"\n')
    (tmp_path / "house.csv").write_text("acronym,long_form\n")
    (tmp_path / "known.txt").write_text("ABC")
    deep = tmp_path / "deep"
    deep.mkdir()
    assert add_to_project(deep, "QBR", "quarterly business review") == tmp_path / "house.csv"
    assert (tmp_path / "house.csv").read_text().endswith("QBR,quarterly business review\n")
    assert add_to_project(deep, "XYZ") == tmp_path / "known.txt"
    assert (tmp_path / "known.txt").read_text() == "ABC\nXYZ\n"
    assert all(find_settings(deep).is_known(acronym) for acronym in ("QBR", "XYZ", "ABC"))


def test_a_project_without_settings_gets_a_list(tmp_path, monkeypatch):
    monkeypatch.setattr("spacy_gladis.lint.project_list.find_table", lambda folder: ({}, None))
    assert add_to_project(tmp_path, "XYZ", "x y z") == tmp_path / KNOWN_FILE
    monkeypatch.undo()
    assert add_to_project(tmp_path, "XYW", "x y w") == tmp_path / KNOWN_FILE
    settings = find_settings(tmp_path)
    assert settings.is_known("XYZ") and settings.is_known("XYW")


def test_settings_without_a_list_are_named(tmp_path):
    (tmp_path / SETTINGS_FILE).write_text('select = ["AC001"]\n')
    with pytest.raises(InputError, match=r"names no list for 'XYZ'\. Set known-file"):
        add_to_project(tmp_path, "XYZ", "x y z")
    (tmp_path / SETTINGS_FILE).write_text("select =")
    with pytest.raises(FormatError, match="is not TOML"):
        add_to_project(tmp_path, "XYZ")


def test_a_project_keeps_the_newest_version_of_each_document(tmp_path):
    project, path = Project(), tmp_path / "a.md"
    path.write_text(LONG)
    project.load(path)
    definitions = project.definitions
    assert [entry.long_form for entry in definitions] == ["World Health Organization"]
    settings = project.settings(tmp_path)
    project.put(read(f"{LONG} It rained.", "markdown", str(path)), settings)
    assert project.definitions is definitions  # nothing in it has changed
    project.put(read("The World Hat Office (WHO) met.", "markdown", str(path)), settings)
    assert [entry.long_form for entry in project.definitions] == ["World Hat Office"]
    path.unlink()
    project.load(path)
    assert not project.documents and len(project.definitions) == 0


def test_an_excluded_file_is_not_in_the_project(tmp_path):
    (tmp_path / SETTINGS_FILE).write_text('exclude = ["old/*"]\n')
    (tmp_path / "old").mkdir()
    project = Project()
    for name in ("old/a.md", "b.md"):
        (tmp_path / name).write_text(LONG)
        project.load(tmp_path / name)
    assert list(project.documents) == [str(tmp_path / "b.md")]
    (tmp_path / SETTINGS_FILE).write_text("")
    project.load(tmp_path / "old" / "a.md")
    assert len(project.documents) == 1  # settings are read once
    project.forget_settings()
    project.load(tmp_path / "old" / "a.md")
    assert len(project.documents) == 2


def test_the_findings_of_one_document_are_those_of_a_run_with_all(tmp_path):
    texts = [LONG, "The World Hat Office (WHO) met. The QAZ met.", "The QAZ (quick old zoo) met."]
    sources = [read(text, "markdown", f"{number}.md") for number, text in enumerate(texts)]
    for scope in ("document", "project"):
        settings = Settings(select=("ALL",), scope=scope)
        project = Project()
        documents = [project.put(source, settings) for source in sources]
        everything = lint(sources, settings)
        for document in documents:
            findings = lint_documents(project.with_version(document), settings, [document])
            assert findings == [
                finding for finding in everything if finding.path == document.source.path
            ]
    assert {"AC007"} <= {finding.code for finding in everything}


def test_documents_are_found_except_in_hidden_and_generated_folders(tmp_path):
    names = ("a.md", "b/c.rst", "b/d.tex", "e.adoc", "f.txt")
    others = (".git/x.md", "node_modules/x.md", "build/x.md", ".x.md", "x.py", "x.pdf")
    for name in (*names, *others):
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text("x")
    os.mkfifo(tmp_path / "pipe.md")
    paths = {path.relative_to(tmp_path).as_posix() for path in list_documents(tmp_path)}
    assert paths == set(names)
