"""Named pipes given to commands: read once, never replaced, or refused; nothing waits for ever."""

import os
import signal
from pathlib import Path
from threading import Thread

import pytest

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")

TEXT = "A HTML page of the World Health Organization (WHO).\n"
ENTRIES = "acronym\tlong_form\nWHO\tWorld Hunger Office\n"


@pytest.fixture
def pipe():
    """Make a pipe in the working folder; what is written into it waits for its reader."""

    def make(name, content=None):
        os.mkfifo(name)
        if content is not None:
            Thread(target=Path(name).absolute().write_text, args=[content], daemon=True).start()
        return Path(name)

    before = signal.signal(signal.SIGALRM, lambda *_: pytest.fail("it waits for ever"))
    signal.alarm(120)  # seconds; all that is read here takes one
    yield make
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        (("lint",), 1, "a.md:1:1: AC009"),
        (("lint", "--diff"), 1, "+An HTML page"),
        (("learn", "-q"), 0, "WHO\tWorld Health Organization"),
        (("annotate", "--definitions-only"), 0, '"long_form": "World Health Organization"'),
        (("glossary", "--no-resolve"), 0, "| WHO | World Health Organization |"),
    ],
)
def test_a_pipe_is_a_document(cli, pipe, call, code, said):
    pipe("a.md", TEXT)
    done, out, _ = cli(*call, "a.md")
    assert done == code and said in out


@pytest.mark.parametrize(
    ("call", "name"), [(("glossary", "--no-resolve"), "out.md"), (("learn", "-q"), "out.tsv")]
)
def test_a_pipe_is_written_to(cli, pipe, call, name):
    made, read = pipe(name), []
    Path("a.md").write_text(TEXT)
    reader = Thread(target=lambda: read.append(made.absolute().read_text()), daemon=True)
    reader.start()
    code, out, _ = cli(*call, "a.md", "-o", name)
    reader.join(60)
    assert (code, out) == (0, "") and "World Health Organization" in read[0] and made.is_fifo()


def test_what_comes_from_a_pipe_cannot_be_put_right(cli, pipe):
    made = pipe("a.md", TEXT)
    Path("b.md").write_text("A HTML page.\n")
    code, out, err = cli("lint", "--fix", "a.md", "b.md")
    assert code == 1 and "a.md: not fixed: a.md is a pipe" in err
    assert out.startswith("a.md:1:1: AC009") and "b.md" not in out
    assert made.is_fifo() and Path("b.md").read_text() == "An HTML page.\n"


@pytest.mark.parametrize("call", [("annotate",), ("lint", "--select", "AC001", "--propose")])
def test_a_pipe_is_read_once_where_documents_explain_one_another(
    cli, pipe, call, tiny_weights, tiny_dictionary
):
    pipe("a.md", "The QBR for potassium.\n")
    Path("b.md").write_text("An adequate intake (AI).\n")
    given = ("--model", tiny_weights, "--dictionary", tiny_dictionary)
    code, out, err = cli(*call, "a.md", "b.md", *given)
    assert code in (0, 1) and "a.md" in out and not err


def test_a_model_is_not_asked_about_a_pipe(cli, pipe):
    pipe("a.md")
    code, _, err = cli("learn", "a.md", "--llm", "llm.cfg")
    assert code == 2 and "reads the documents twice" in err


@pytest.mark.parametrize("name", ["a.md", "a.csv", "a.jsonl", "a.docx", "glossary.csv"])
@pytest.mark.parametrize("call", [("lint", "--fix"), ("learn", "-q")])
def test_pipes_in_a_folder_are_passed_over(cli, pipe, name, call):
    made = pipe(name)
    Path("b.md").write_text("The European Space Agency (ESA). The ESA rests.\n")
    assert cli(*call, ".")[0] == 0
    assert made.is_fifo()


@pytest.mark.parametrize("name", ["house.tsv", "house.md", "house.docx", "house.json"])
@pytest.mark.parametrize(
    "call",
    [
        ("annotate", "--definitions-only", "b.md", "--overlay"),
        ("learn", "-q", "b.md", "--overlay"),
        ("lint", "b.md", "--overlay"),
        ("lint", "b.md", "--glossary"),
        ("dictionary", "import", "-o", "made.sqlite"),
    ],
    ids=" ".join,
)
def test_entries_do_not_come_from_a_pipe(cli, pipe, name, call):
    pipe(name, ENTRIES)
    Path("b.md").write_text("The WHO.\n")
    code, out, err = cli(*call, name)
    assert (code, out) == (2, "") and f"{name} is a pipe" in err


@pytest.mark.parametrize(
    "call",
    [
        ("annotate", "b.md", "--review", "--overlay", "a.tsv"),
        ("dictionary", "lookup", "WHO", "--dictionary", "a.tsv"),
        ("dictionary", "lookup", "WHO", "--dictionary", "a.sqlite"),
    ],
    ids=" ".join,
)
def test_no_entries_go_into_a_pipe_and_it_is_no_dictionary(cli, pipe, call):
    made = pipe(call[-1])
    Path("b.md").write_text("The WHO.\n")
    code, out, err = cli(*call)
    assert (code, out) == (2, "") and f"{made} is a pipe" in err
