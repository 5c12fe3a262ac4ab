"""`spacy-gladis annotate --review`: replies become own entries."""

import pytest

TEXT = "The AI for potassium. The European Union (EU) told OpenAI and ESA of the AI and the XQ.\n"


@pytest.fixture
def review(cli, tmp_path, tiny_weights, tiny_dictionary):
    """Review a text with these replies; the entries that were written, and what was said."""
    (tmp_path / "a.txt").write_text(TEXT)

    def run(*replies, threshold="0", overlay="house.csv", given="a.txt"):
        model = ("--model", tiny_weights, "--dictionary", tiny_dictionary)
        options = ("--threshold", threshold, "--overlay", overlay)
        stdin = "".join(f"{reply}\n" for reply in replies)
        code, out, err = cli("annotate", "--review", given, *options, *model, stdin=stdin)
        file = tmp_path / overlay
        return code, file.read_text().splitlines() if file.exists() else [], out + err

    return run


def test_accept_choose_correct_and_say_no(review):
    code, lines, said = review("2", "-", "European Space Agency", "s")
    assert code == 0 and "Wrote 3 entries to house.csv" in said
    assert "a.txt:1: The AI for potassium." in said and "EU:" not in said
    assert lines[0] == "acronym,long_form" and lines[1].startswith("AI,")
    assert lines[2:] == ["OpenAI,", "ESA,European Space Agency"]
    code, lines, said = review("x q")  # the others have entries
    assert lines[4:] == ["XQ,x q"] and "XQ:" in said and "ESA:" not in said


def test_enter_accepts_what_is_answered_and_skips_what_is_not(review):
    code, lines, _ = review("", "", "", "")
    assert code == 0 and [line.split(",")[0] for line in lines] == ["acronym", "AI"]


@pytest.mark.parametrize("reply", ["y", "Yes", "1:", "1.", "(1)"])
def test_a_typed_yes_or_number_is_no_long_form(review, reply):
    accepted = review("1", "q", overlay="number.csv")[1]
    assert review(reply, "Q")[1] == accepted


@pytest.mark.parametrize("reply", ["no", "n", "12:", "?", "--"])
def test_what_says_nothing_is_asked_again(review, reply):
    _, lines, said = review(reply, "q")
    assert lines == ["acronym,long_form"] and f"'{reply}' is not a possible reply" in said


def test_the_line_is_that_of_the_file(review, tmp_path):
    (tmp_path / "a.md").write_text("---\ntitle: a note\n---\n\nThe AI for potassium.\n")
    assert "a.md:5: The AI" in review("q", given="a.md")[2]


def test_the_end_of_the_input_and_q_stop(review):
    assert review("1", "q")[1][1].startswith("AI,")
    code, lines, said = review(overlay="other.tsv")
    assert (code, lines) == (0, ["acronym\tlong_form"]) and "0 entries" in said


def test_what_is_needed_is_said_at_once(cli, review, tmp_path):
    code, _, err = cli("annotate", "a.txt", "--review")
    assert code == 2 and "--overlay" in err
    code, _, err = cli("annotate", "--review", "--overlay", "house.csv", stdin="text")
    assert code == 2 and "standard input" in err
    (tmp_path / "house.json").write_text("{}")
    code, _, said = review(overlay="house.json")
    assert code == 2 and "ends in .csv" in said and ".tsv" in said
