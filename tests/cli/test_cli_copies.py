"""`spacy-gladis annotate --expand`: copies of files with long forms put in."""

import json

import pytest

DEFINED = "The convolutional neural network (CNN). CNNs learn.\n"
EVERY = "The convolutional neural network (CNN). Convolutional neural networks learn.\n"


def files_in(folder):
    """The contents of the files below a folder, by their paths in it."""
    paths = sorted(folder.rglob("*"))
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths if path.is_file()}


@pytest.fixture
def docs(tmp_path):
    """A folder of text files in several encodings, and of others."""
    folder = tmp_path / "docs"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_bytes(DEFINED.replace("\n", "\r\n").encode("utf-16"))
    (folder / "deep" / "b.md").write_text(f"# Networks\n\n{DEFINED}\n```\nCNNs\n```\n")
    (folder / "none.html").write_text("<p>Nothing here.</p>")
    (folder / "rows.jsonl").write_text(2 * (json.dumps({"text": DEFINED}) + "\n"))
    (folder / "mail.eml").write_text(f"Subject: x\n\n{DEFINED}")
    (folder / "table.xls").touch()
    return folder


@pytest.mark.parametrize("output", ["copies", "copies/", "v1.2", "there"])
def test_copies_of_a_folder_in_another(annotate, docs, tmp_path, output):
    (tmp_path / "there").mkdir()
    before = files_in(docs)
    code, out, err = annotate("docs", "--expand", "all", "-o", output)
    assert (code, out) == (0, "")
    assert (
        err == "Skipped: 1 x .xls (no reader for the format).\nNot copied: 1 x .eml, 1 x .jsonl.\n"
    )
    assert files_in(tmp_path / output) == {
        "a.txt": EVERY.replace("\n", "\r\n").encode("utf-16"),
        "deep/b.md": f"# Networks\n\n{EVERY}\n```\nCNNs\n```\n".encode(),
        "none.html": b"<p>Nothing here.</p>",
    }
    assert files_in(docs) == before


def test_copies_lie_as_what_is_given_lies(annotate, docs, tmp_path):
    (tmp_path / "b.md").write_text(DEFINED)
    given = (docs / "deep", "b.md", "docs/deep/../../b.md")
    code, _, err = annotate(*given, "--expand", "tooltip", "-o", "out")
    assert (code, err) == (0, "")
    assert list(files_in(tmp_path / "out")) == ["b.md", "docs/deep/b.md"]
    code, _, err = annotate("docs", "--expand", "tooltip", "-o", "tips")
    assert code == 0 and "Not copied: 1 x .txt, 1 x .eml, 1 x .jsonl." in err
    assert list(files_in(tmp_path / "tips")) == ["deep/b.md", "none.html"]


def test_copies_replace_nothing_unasked(annotate, docs, tmp_path):
    (tmp_path / "out" / "deep").mkdir(parents=True)
    (tmp_path / "out" / "deep" / "b.md").write_text("old")
    code, _, err = annotate("docs", "--expand", "all", "-o", "out")
    assert (
        code == 2
        and "'out/deep/b.md' already exists. Choose another name or pass --overwrite." in err
    )
    assert files_in(tmp_path / "out") == {"deep/b.md": b"old"}
    code, _, _ = annotate("docs", "--expand", "all", "-o", "out", "--overwrite")
    assert code == 0 and EVERY in (tmp_path / "out" / "deep" / "b.md").read_text()


def test_a_link_among_the_copies_does_not_lead_to_what_is_read(annotate, docs, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "a.txt").symlink_to(docs / "a.txt")
    before = files_in(docs)
    code, _, err = annotate("docs", "--expand", "all", "-o", "out", "--overwrite")
    assert code == 2 and "'out/a.txt' would be inside the input" in " ".join(err.split())
    assert files_in(docs) == before and not (tmp_path / "out" / "deep").exists()


def test_copies_of_docx(annotate, tmp_path):
    docx = pytest.importorskip("docx")
    (tmp_path / "in").mkdir()
    document = docx.Document()
    document.add_paragraph(DEFINED.strip())
    document.save(str(tmp_path / "in" / "a.docx"))
    given = ("in/a.docx", "--expand", "all", "-o")
    assert annotate(*given, "b.docx")[::2] == (0, "")
    assert annotate("in", *given[1:], "out")[::2] == (0, "")
    for path in ("b.docx", "out/a.docx"):
        assert docx.Document(str(tmp_path / path)).paragraphs[0].text == EVERY.strip()
    before = files_in(tmp_path)
    one_docx = "can only be the copy of a single DOCX file. Pass a folder instead."
    for wrong, said in (
        ((*given, "b.docx"), "'b.docx' already exists. Choose another name or pass --overwrite."),
        ((*given, "in/a.docx", "--overwrite"), "would be inside the input. Choose another output."),
        (("in", *given), one_docx),
        ((DEFINED, *given[1:], "c.docx"), one_docx),
        (("in/a.docx", "--expand", "tooltip", "-o", "c.docx"), "tooltip is for HTML and Markdown"),
        (("no.docx", *given[1:], "c.docx"), "There is no file or folder no.docx"),
    ):
        wrong = (*wrong, "c.docx") if wrong[-1] == "-o" else wrong
        code, _, err = annotate(*wrong)
        assert code == 2 and said in " ".join(err.split())
    assert files_in(tmp_path) == before
    assert annotate(*given, "b.docx", "--overwrite")[0] == 0
    (tmp_path / "own.csv").write_text("QZR,quartz \1 reader\n")
    document.add_paragraph("The QZR of the CNN.")
    document.save(str(tmp_path / "in" / "a.docx"))
    code, _, err = annotate(*given, "d.docx", "--overlay", "own.csv")
    assert code == 1 and "in/a.docx: not copied: All strings must be XML compatible" in err
    assert not (tmp_path / "d.docx").exists()


@pytest.mark.parametrize(
    ("given", "output"),
    [
        (("docs",), "docs"),
        (("docs",), "docs/out"),
        (("docs",), "link"),
        (("docs/a.txt", "docs/none.html"), "docs"),
        ((".",), "out"),
    ],
)
def test_copies_do_not_lie_in_what_is_read(annotate, docs, tmp_path, given, output):
    (tmp_path / "link").symlink_to(docs)
    before = files_in(tmp_path)
    code, _, err = annotate(*given, "--expand", "all", "-o", output, "--overwrite")
    assert code == 2 and "would be inside the input" in " ".join(err.split())
    assert files_in(tmp_path) == before


def test_a_copy_that_cannot_be_written_hinders_no_other(annotate, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_bytes(DEFINED.encode("latin-1"))
    (tmp_path / "in" / "b.txt").write_text(DEFINED)
    (tmp_path / "out" / "a.txt").mkdir(parents=True)
    code, _, err = annotate("in", "--expand", "all", "-o", "out", "--overwrite")
    assert code == 1 and "in/a.txt: not copied" in err and "Problems: 1 x not copied." in err
    assert files_in(tmp_path / "out") == {"b.txt": EVERY.encode()}


@pytest.mark.parametrize(
    "arguments",
    [
        ("docs", "-o", "docs"),
        ("docs", "--expand", "all", "--format", "json", "-o", "docs"),
        ("docs/a.txt", "--expand", "all", "-o", "docs"),
        ("docs/a.txt", "--expand", "all", "-o", "new"),
        ("docs", "--expand", "all", "--text", "-o", "new"),
        ("docs", "-o", "new"),
    ],
)
def test_other_output_goes_to_no_folder(annotate, docs, tmp_path, arguments):
    before = files_in(tmp_path)
    code, out, _ = annotate(*arguments)
    assert (code, out) == (2, "") and files_in(tmp_path) == before


@pytest.mark.parametrize("options", [(), ("--processes", "2")])
def test_the_first_of_all_documents(annotate, tmp_path, options):
    (tmp_path / "in").mkdir()
    (tmp_path / "own.csv").write_text("ESA,Employee Stock Account\nGIT,Gadget Ink Tank\n")
    for name, text in {"a": "The ESA rose.", "b": "The ESA fell. A GIT leaks."}.items():
        (tmp_path / "in" / f"{name}.txt").write_text(text)
    (tmp_path / "in" / "c.txt").write_text(DEFINED + "ESA and GIT.\n")
    (tmp_path / "in" / "d.txt").write_text("CNNs learn.")
    given = ("in", "--overlay", "own.csv", *options)
    assert annotate("in/a.txt", *given, "--expand", "first-of-all", "-o", "out")[0] == 0
    assert files_in(tmp_path / "out") == {
        "a.txt": b"The Employee Stock Account (ESA) rose.",
        "b.txt": b"The ESA fell. A Gadget Ink Tank (GIT) leaks.",
        "c.txt": f"{DEFINED}ESA and GIT.\n".encode(),
        "d.txt": b"CNNs learn.",
    }
    out = annotate(*given, "--expand", "first-of-all", "--format", "jsonl")[1]
    texts = [json.loads(line)["text"] for line in out.splitlines()]
    assert texts == [content.decode() for content in files_in(tmp_path / "out").values()]
    out = annotate(*given, "--expand", "first-of-all", "--format", "text")[1]
    assert out.count("Account (ESA)") == out.count("Tank (GIT)") == 1
    out = annotate(*given, "--expand", "first", "--format", "text")[1]
    assert (out.count("Account (ESA)"), out.count("Tank (GIT)")) == (3, 2)
