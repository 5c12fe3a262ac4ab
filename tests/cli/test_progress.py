"""What says how far a command is."""

import io

import pytest
from rich.console import Console

from spacy_gladis.cli import progress


@pytest.mark.parametrize("shared", [False, True])
def test_a_bar_with_a_total_on_a_terminal_that_makes_way_for_what_is_written(shared):
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80)
    seen = []
    for document in progress.with_bar(iter("abc"), 3, console, shared):
        if shared:
            assert screen.getvalue().endswith(("\x1b[2K", "\x1b[?25h"))  # the line is free
        seen.append(document)
    assert seen == ["a", "b", "c"]
    assert "0/3" in screen.getvalue() and "documents" in screen.getvalue()


def test_lines_elsewhere_now_and_then(capsys):
    times = iter([0.0, 10.0, 31.0, 31.0, 40.0, 62.0, 62.0])
    documents = progress.with_lines(range(4), lambda: 1200, lambda: next(times))
    assert list(documents) == [0, 1, 2, 3]
    assert capsys.readouterr().err == "2 of 1,200 documents\n4 of 1,200 documents\n"


def test_a_number_alone_where_nobody_knows_the_total(capsys):
    times = iter([0.0, 40.0, 40.0])
    list(progress.with_lines("a", lambda: None, lambda: next(times)))
    assert capsys.readouterr().err == "1 documents\n"


def test_quiet_says_nothing_and_counts_nothing(capsys):
    assert list(progress.with_progress("ab", lambda: 1 // 0, quiet=True)) == ["a", "b"]
    assert capsys.readouterr() == ("", "")
