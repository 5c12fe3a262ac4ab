"""What files define that a document takes in, or that lie beside it in LaTeX."""

from pathlib import Path

import pytest

from spacy_gladis.documents.formats import read_file
from spacy_gladis.lint.run import lint
from spacy_gladis.lint.settings import Settings
from spacy_gladis.problem import ProblemLog

COUNCIL = "Northern Fisheries Council"
ENTRY = f"\\newacronym{{nfc}}{{NFC}}{{{COUNCIL}}}\n"
USE = "\\begin{document}The \\gls{nfc} voted.\\end{document}\n"
LIST = f"*[NFC]: {COUNCIL}\n"


def read(folder: Path, files: dict[str, str]) -> str:
    """The last file's text, which has no undefined acronym."""
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    (source,) = read_file(folder / name, ProblemLog())
    assert not lint([source], Settings(select=("AC001", "AC002")))
    return source.text.strip()


@pytest.mark.parametrize(
    "files",
    [
        {"acronyms.tex": ENTRY, "one.tex": USE},
        {"acronyms.tex": ENTRY, "parts/one.tex": USE},
        {"front/acronyms.tex": ENTRY, "main.tex": "\\input{front/acronyms}", "parts/one.tex": USE},
        {"front/acronyms.tex": ENTRY, "one.tex": "\\loadglsentries{front/acronyms.tex}" + USE},
        {"front/acronyms.tex": ENTRY, "one.tex": "\\import{front/}{acronyms}" + USE},
        {"a.tex": ENTRY, "b.tex": "\\include{a}", "sub/one.tex": "\\input ../b \n" + USE},
        {"a.tex": ENTRY + "\\newcommand{\\be}{\\begin{equation}}", "one.tex": "\\input{a}" + USE},
    ],
)
def test_labels_of_latex_are_looked_up_in_the_project(tmp_path, files):
    pytest.importorskip("pylatexenc")
    assert read(tmp_path, files) == "The NFC voted."


def test_a_label_of_the_file_itself_comes_first(tmp_path):
    pytest.importorskip("pylatexenc")
    macro = "\\newacronym{nfc}{NFX}{Nice Fox}"
    assert read(tmp_path, {"a.tex": ENTRY, "one.tex": macro + USE}) == "The NFX voted."


def test_above_a_repository_nothing_is_looked_up(tmp_path):
    pytest.importorskip("pylatexenc")
    files = {"acronyms.tex": ENTRY, "book/.git/HEAD": "", "book/one.tex": USE}
    assert read(tmp_path, files) == "The nfc voted."


@pytest.mark.parametrize(
    "files",
    [
        {
            "names.txt": f".. |NFC| replace:: {COUNCIL}\n",
            "a.rst": ".. include:: names.txt\n\nThe |NFC|.",
        },
        {"doc/n.adoc": f":nfc: {COUNCIL}\n", "a.adoc": "include::doc/n.adoc[]\n\nThe {nfc}."},
        {
            "doc/n.adoc": f":nfc: {COUNCIL}\n",
            "a.adoc": ":d: doc\n\ninclude::{d}/n.adoc[]\n\nThe {nfc}.",
        },
    ],
)
def test_names_of_files_that_are_taken_in_stand_for_words(tmp_path, files):
    assert read(tmp_path, files) == f"The {COUNCIL}."


@pytest.mark.parametrize(
    ("name", "taken_in"),
    [
        ("parts/names.md", '--8<-- "parts/names.md"'),
        ("parts/names.md", "-8<-\nparts/names.md\n-8<-"),
        ("names.md", "{!names.md!}"),
        ("_includes/names.md", "{% include names.md %}"),
        ("names.md", '{% include-markdown "names.md" %}'),
        ("names.md", "{%\n  include-markdown 'names.md'\n%}"),
        ("names.md", "{{< include names.md >}}"),
        ("names.md", "{{#include names.md}}"),
        ("names.md", "```{include} names.md\n```"),
        ("parts/names.md", "<!--@include: ./parts/names.md-->"),
    ],
)
@pytest.mark.parametrize("content", [LIST, f"The {COUNCIL} (NFC) meets.\n"])
def test_definitions_of_markdown_that_is_taken_in_hold(tmp_path, name, taken_in, content):
    read(tmp_path, {name: content, "docs/a.md": f"The NFC voted.\n\n{taken_in}\n"})


@pytest.mark.parametrize("taken_in", ["", '--8<-- "https://x.org/names.md"', '--8<-- "gone.md"'])
def test_other_files_of_markdown_define_nothing(tmp_path, taken_in):
    with pytest.raises(AssertionError):
        read(tmp_path, {"names.md": LIST, "a.md": f"The NFC voted.\n\n{taken_in}\n"})


def test_files_that_take_in_one_another(tmp_path):
    names = f".. include:: a.rst\n\nThe {COUNCIL} (NFC) met."
    read(tmp_path, {"b.rst": names, "a.rst": ".. include:: /b.rst\n\nThe NFC voted."})
