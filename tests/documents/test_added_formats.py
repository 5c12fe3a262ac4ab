"""Other packages add readers of formats."""

from collections import Counter
from pathlib import Path

import pytest

from spacy_gladis.documents.formats import read_content, read_file, read_text, registry
from spacy_gladis.documents.sources import NO_READER, NamedSources
from spacy_gladis.errors import InputError
from spacy_gladis.problem import ProblemLog
from tests.support.plugins import write_package

READERS = """
from pathlib import Path
from spacy_gladis.documents.formats.format import BinaryFormat, RecordsFormat, TextFormat
from spacy_gladis.documents.source import Source

def fill(builder):
    at = 0
    for line in builder.original.splitlines(keepends=True):
        if line.startswith("# "):
            builder.title(at + 2, 1, at + len(line.rstrip()))
        if not line.startswith("=>"):
            builder.copy(at, at + len(line))
        at += len(line)

def read_records(path, report, encoding, text_field):
    for number, line in enumerate(path.read_text(encoding or "utf-8").splitlines(), 1):
        yield Source(f"{path}:{number}", line, path=str(path), first=number)

def read_shouted(file):
    content = file.read_bytes() if isinstance(file, Path) else file.read()
    return Source("", content.decode().lower(), format="shouted")

gemtext = TextFormat("gemtext", (".gmi",), fill)
lines = RecordsFormat("lines", (".lines",), read_records, is_by_line=True)
shouted = BinaryFormat("shouted", (".loud",), read_shouted)
markdown = TextFormat("markdown", (".mkdn",), fill)
second = TextFormat("second", (".md",), fill)
"""


@pytest.fixture
def added(tmp_path, monkeypatch):
    """Adds formats of these names."""

    def add(*names, attribute=None):
        points = {name: attribute or name for name in names}
        package = f"acme_formats_{'_'.join([*names, attribute or ''])}"
        write_package(tmp_path, package, READERS, {registry.ADDED: points})
        monkeypatch.syspath_prepend(tmp_path)
        clear()

    def clear():
        for loaded in (registry.load_formats, registry.text_formats, registry.formats_by_ending):
            loaded.cache_clear()

    yield add
    clear()


def test_added_formats_are_read_like_the_packages_own(added, tmp_path):
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.gmi").write_text("# A title\nThe QBR met.\n=> gemini://x.org QBX\nThe DPO.\n")
    (folder / "b.lines").write_text("The QBR.\nThe DPO.\n")
    (folder / "c.loud").write_bytes(b"THE QBR.")
    (folder / "d.unknown").write_text("The QBR.")
    named = NamedSources([str(folder)])
    assert named.passed_over()[NO_READER] == Counter((".gmi", ".lines", ".loud", ".unknown"))
    added("gemtext", "lines", "shouted")
    problems = ProblemLog()
    texts = {Path(path.name).name: path for path in named.read_paths(problems)}
    assert not problems.counts
    assert named.count() == 4 and named.passed_over()[NO_READER] == Counter({".unknown": 1})
    assert list(texts) == ["a.gmi", "b.lines:1", "b.lines:2", "c.loud"]
    assert "QBX" not in texts["a.gmi"].text
    place = texts["a.gmi"].text.index("DPO")
    assert str(texts["a.gmi"].position(place)) == "4:5"
    assert str(texts["b.lines:2"].position(4)) == "2:5"
    assert read_text("=> x\nThe QBR.", "gemtext").text == "The QBR."
    assert read_content(b"THE QBR.", "c.loud").text == "the qbr."


@pytest.mark.parametrize(
    ("name", "attribute", "message"),
    [
        ("markdown", None, "no other format has"),
        ("gemini", "gemtext", "Use the entry point's name"),
        ("second", None, r"ending '\.md', which belongs to another format"),
        ("fill", None, "Expected a TextFormat"),
        ("absent", None, "cannot be imported"),
    ],
)
def test_a_format_that_cannot_be_used_is_named(added, name, attribute, message, tmp_path):
    added(name, attribute=attribute)
    with pytest.raises(InputError, match=message) as raised:
        list(read_file(tmp_path / "a.md", ProblemLog()))
    assert repr(name) in str(raised.value)
