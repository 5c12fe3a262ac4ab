"""Files put right: what is changed, that nothing else is, and that once is enough."""

import shutil
import subprocess

import pytest

from spacy_gladis.documents.formats import read_text
from spacy_gladis.errors import InputError
from spacy_gladis.lint.fix import diff, fix, write
from spacy_gladis.lint.settings import Settings
from tests.support.growth import assert_linear

ALL = Settings(select=("ALL",))
TWICE = "A virtual machine (VM) starts. Each virtual machine (VM) has a disk."
ONCE = "A virtual machine (VM) starts. Each VM has a disk."
PAGES = {
    "text": "{}\n",
    "markdown": "# Title\n\n{} *Words* & <b>more</b>.\n",
    "html": "<h1>Title</h1><p class='x'>{} <i>Words</i> &amp; more.</p>",
    "restructuredtext": "Title\n=====\n\n{} *Words* and ``code``.\n",
    "latex": "\\section{{Title}}\n{} \\emph{{Words}} \\& more.\n",
}


def put_right(text, format="markdown", settings=ALL):
    source = read_text(text, format).at(name="x", path="x")
    return fix(source, settings).after.source


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (TWICE, ONCE),
        ("A virtual machine (VM) starts. The virtual machine has a disk. The VM stops.",
         "A virtual machine (VM) starts. The VM has a disk. The VM stops."),
        ("It is a HTML page.", "It is an HTML page."),
        ("A HTML page.", "An HTML page."),
        ("Type the PIN number.", "Type the PIN."),
        ("The Internet of Things (IoT) grows. The IOT is large.",
         "The Internet of Things (IoT) grows. The IoT is large."),
        # Left as they are: an article might not fit, markup lies inside, nobody knows the words.
        ("A hidden Markov model (HMM) learns. It is a hidden Markov model.",) * 2,
        ("A virtual machine (VM) starts. The *virtual* machine has a VM.",) * 2,
        ("The QBR is on Monday.",) * 2,
    ],
)  # fmt: skip
@pytest.mark.parametrize("format", PAGES)
def test_words_are_put_right_and_nothing_else(before, after, format):
    if "*" in before and format != "markdown":
        pytest.skip("markup of another format")
    page = PAGES[format]
    once = put_right(page.format(before), format)
    assert once == page.format(after)
    assert put_right(once, format) == once


@pytest.mark.parametrize(
    "text",
    [
        r"Take $\alpha$ MRI data.",
        r"Take $$x = \a$$ MRI data.",
        r"Take \(x_\a\) MRI data.",
        r"Take \\(x \a\\) MRI data.",
        r"Take \[x = \a\] MRI data.",
        r"Take $`x \a`$ MRI data.",
        "$$\nx\n- a\n$$\n\nMRI data.",
        "\\begin{align}\nx\n- a\n\\end{align}\n\nMRI data.",
        "Take <code>a</code> MRI data.",
        "Take a <kbd>x</kbd>MRI scan.",
        "Take a `x`MRI scan.",
        "Take a $x$MRI scan.",
    ],
)
def test_what_a_page_does_not_show_as_words_stays(text):
    assert put_right(text) == text


def test_titles_and_code_stay():
    text = f"# {TWICE}\n\n`{TWICE}`\n"
    assert put_right(text) == text


def test_line_ends_and_marks_of_the_file_stay(tmp_path):
    path = tmp_path / "x.md"
    path.write_bytes(b"\xef\xbb\xbfold\r\n")
    write(path, "old\r\n", "new\r\n")
    assert path.read_bytes() == b"\xef\xbb\xbfnew\r\n"


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_file_keeps_its_encoding(tmp_path, encoding):
    path = tmp_path / "x.txt"
    path.write_bytes("\xe9 old".encode(encoding))
    write(path, "\xe9 old", "\xe9 new", encoding)
    assert path.read_bytes().decode(encoding) == "\xe9 new"


def test_a_character_that_the_encoding_lacks_is_told(tmp_path):
    path = tmp_path / "x.txt"
    path.write_bytes(b"old")
    with pytest.raises(InputError, match="cannot be written as latin-1"):
        write(path, "old", "\u20ac", "latin-1")
    assert path.read_bytes() == b"old"


@pytest.mark.skipif(shutil.which("patch") is None, reason="patch is not installed")
@pytest.mark.parametrize("lines", ["", "x\n", "x\n\n", "x\r\n"])
@pytest.mark.parametrize("numbers", [(), (0,), (3, 4, 40), range(0, 60, 7), range(60)])
def test_patch_makes_of_a_diff_what_fix_makes(lines, numbers, tmp_path):
    """Some lines change, and each third of them is joined to the next one."""
    before = [f"A HTML page {number % 5}\n{lines}" for number in range(60)]
    after = [
        line.replace("A", "An").replace("\n", " " if number % 3 else "\n", 1)
        if number in numbers
        else line
        for number, line in enumerate(before)
    ]
    path = tmp_path / "x.md"
    path.write_bytes("".join(before).encode())
    shown = diff("x.md", "".join(before), "".join(after)).encode()
    done = subprocess.run(["patch", "--binary", "-p0"], input=shown, cwd=tmp_path, check=True)
    assert done.returncode == 0
    assert path.read_bytes() == "".join(after).encode()


@pytest.mark.parametrize("unit", ["It is a HTML page.\n", "A HTML page.\n\n", "a\n", "\n"])
def test_a_diff_takes_linear_time(unit):
    def run(size):
        before = unit * (size // len(unit))
        diff("x.md", before, before.replace("a HTML", "an HTML"))

    assert_linear(run, 20_000)
