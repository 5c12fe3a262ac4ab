"""`spacy-gladis annotate`, on tiny weights and a tiny dictionary."""

import json
import sys
from pathlib import Path

import pytest
import spacy
from spacy.tokens import DocBin

from spacy_gladis.cli.tables import format_candidates

TEXT = "Convolutional neural networks (CNNs) learn. The AI for potassium, says [bold]ESA[/bold]."


def test_a_table_of_a_text(annotate):
    code, out, err = annotate(TEXT, "--format", "table", "--top-k", "2")
    assert (code, err) == (0, "")
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in out.splitlines()]
    cells = {row[0]: row[1:] for row in rows if row}
    assert cells["CNNs"][0] == "Convolutional neural networks"
    assert cells["CNNs"][2] == "definition" and float(cells["CNNs"][1]) > 0.5
    assert cells["AI"][2] == "dictionary" and cells["AI"][4]
    assert cells["ESA"][0] == "unknown" and cells["ESA"][2] == "nil"
    assert "\x1b" not in out


def test_a_runner_up_that_nothing_speaks_for_is_not_shown():
    assert (
        format_candidates([("one", 0.0951), ("two", 0.005), ("three", 0.0049)])
        == "one 0.10; two 0.01"
    )


def test_json_lines_are_the_default_where_there_is_no_terminal_and_say_why(annotate):
    _, out, _ = annotate(TEXT, "--field", "clinical")
    mentions = json.loads(out)["acronyms"]
    assert [TEXT[mention["start"] : mention["end"]] for mention in mentions] == [
        "CNNs",
        "AI",
        "ESA",
    ]
    why = {mention["acronym"]: mention["why"] for mention in mentions}
    assert why["CNNs"] == ["the document defines it"]
    assert why["ESA"] == ["the dictionary has no long form for it"] and why["AI"]
    code, _, err = annotate(TEXT, "--field", "software")
    assert code == 2 and "clinical" in err and "computing" in err


def test_standard_input(annotate):
    for arguments in ((), ("-",)):
        code, out, _ = annotate(*arguments, stdin=TEXT)
        assert code == 0 and json.loads(out)["document"] == "standard input"
    code, out, _ = annotate(stdin="")
    assert code == 0 and json.loads(out)["acronyms"] == []


def test_files_and_folders_with_one_that_is_no_text(annotate, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text(TEXT)
    (tmp_path / "in" / "b.txt").write_bytes(b"\xff\x00bad")
    (tmp_path / "in" / "c.txt").write_text("the AI")
    code, out, err = annotate("in", "gone.txt", "--format", "json")
    assert code == 1
    assert [record["document"] for record in json.loads(out)] == ["in/a.txt", "in/c.txt"]
    assert "in/b.txt" in err and "gone.txt" in err and "Problems: " in err


def test_an_input_that_cannot_be_read_alone_is_no_success(annotate, tmp_path):
    (tmp_path / "bad.txt").write_bytes(b"caf\xe9 AI")
    (tmp_path / "out.jsonl").write_text("old")
    code, _, err = annotate("bad.txt", "--output", "out.jsonl")
    assert code == 2 and "not utf-8" in err and "Problems: 1 x wrong encoding" in err
    assert (tmp_path / "out.jsonl").read_text() == "old"
    assert annotate("bad.txt")[:2] == (2, "")


def test_json_lines_have_ids_and_texts_on_demand(annotate, tmp_path):
    (tmp_path / "reports").mkdir()
    rows = [{"text": 'the "AI" of it'}, {"text": "an\nAI"}]
    (tmp_path / "reports" / "c.jsonl").write_text("\n".join(map(json.dumps, rows)))
    code, out, _ = annotate("reports", "--text")
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [record["document"] for record in records] == ["reports/c.jsonl:1", "reports/c.jsonl:2"]
    assert [record["text"] for record in records] == [row["text"] for row in rows]
    for record in records:
        (mention,) = record["acronyms"]
        assert record["text"][mention["start"] : mention["end"]] == "AI"
    assert "text" not in json.loads(annotate("reports")[1].splitlines()[0])
    code, _, err = annotate("reports", "--text", "--format", "html")
    assert code == 2 and "--text requires the format json or jsonl" in err


def test_output_s_ending_chooses_the_format(annotate, tmp_path):
    for name in ("x.html", "x.json", "x.jsonl", "x.spacy"):
        code, out, err = annotate(TEXT, "--output", tmp_path / name)
        assert (code, out, err) == (0, "", "")
    assert 'class="mention' in (tmp_path / "x.html").read_text()
    assert len(json.loads((tmp_path / "x.json").read_text())) == 1
    (doc,) = (
        DocBin(store_user_data=True)
        .from_disk(tmp_path / "x.spacy")
        .get_docs(spacy.blank("en").vocab)
    )
    assert [span.text for span in doc.spans["acronyms"]][:2] == ["CNNs", "AI"]
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "x.html",
        "x.json",
        "x.jsonl",
        "x.spacy",
    ]


def test_the_text_with_long_forms_put_in(annotate, tmp_path):
    text = "The convolutional neural network (CNN). CNNs learn.\n"
    wanted = "The convolutional neural network (CNN). Convolutional neural networks learn.\n"
    code, out, _ = annotate(text, "--expand", "all")
    assert (code, out) == (0, wanted)
    assert json.loads(annotate(text, "--expand", "all", "--format", "json")[1]) == [
        {"document": "text", "text": wanted}
    ]
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text(text)
    out = annotate("a.txt", "b.txt", "--expand", "first", "--output", "all.txt")[1]
    assert out == "" and (tmp_path / "all.txt").read_text() == f"{text}\n==> b.txt <==\n{text}"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("x", "--format", "jsnol"), "Did you mean 'jsonl'?"),
        (("x", "--format", "zzz"), "The closest of 12 names: "),
        (("x", "--expand", "frist"), "Did you mean 'first'?"),
        (
            ("x", "--expand", "all", "--format", "html"),
            "the format must be one of text, json, jsonl",
        ),
        (("x", "--format", "text"), "Without --expand"),
        (("x", "--threshold", "2"), "threshold"),
        (("x", "--top-k", "0"), "top-k"),
        (("  ",), "The text is empty"),
        (("x", "--output", "gone/out.html"), "there is no folder 'gone'"),
        (("missing.txt",), "no file or folder missing.txt"),
        (("The", "CT", "scan"), "no file or folder The, CT, scan. Pass a single text"),
        (("x", "--dictionary", "gone.sqlite"), "gone.sqlite"),
        (("x", "--model", "gone/weights/here"), "gone/weights/here"),
        (("x", "--language", "qq"), "qq"),
        (("x", "--output", "taken/x.json"), "taken"),
    ],
)
def test_what_cannot_be_used_is_said_in_one_message(cli, tmp_path, arguments, said):
    (tmp_path / "taken").write_text("a file, no folder")
    code, out, err = cli("annotate", *arguments)
    assert code == 2, err
    assert out == ""
    assert said in " ".join(err.replace("│", " ").split())
    assert "Traceback" not in err


def test_scripts_and_terminal_codes_in_a_text_do_nothing(annotate):
    evil = "<script>alert(1)</script> the \x1b[2J\x07 AI"
    assert "<script" not in annotate(evil, "--format", "html")[1]
    assert "\x1b" not in annotate(evil, "--format", "table")[1]


def test_a_word_that_is_no_file_is_said_to_be_a_text(annotate, tmp_path):
    code, out, err = annotate("AI", "--format", "json")
    assert code == 0 and json.loads(out)[0]["document"] == "text"
    assert err == "'AI' is not a file or folder. It is read as a text.\n"
    (tmp_path / "AI").write_text("the AI")
    assert annotate("AI", "--format", "json")[2] == ""


def test_own_entries_come_first(annotate, tmp_path):
    (tmp_path / "own.csv").write_text("ESA,Employee Stock Account\n")
    (tmp_path / "no.csv").write_text("CNNs,\nAI,\n")
    _, out, _ = annotate(TEXT, "--overlay", "own.csv", "--overlay", "no.csv")
    (answer,) = json.loads(out)["acronyms"]
    assert answer["long_form"] == "Employee Stock Account"
    (tmp_path / "no.csv").write_text("CNNs\n")
    code, out, err = annotate(TEXT, "--overlay", "no.csv")
    assert (code, out) == (2, "") and "no.csv" in err


def test_definitions_alone(cli):
    code, out, _ = cli(
        "annotate", "The World Health Organization (WHO). An AI.", "--definitions-only"
    )
    mentions = json.loads(out)["acronyms"]
    assert code == 0 and [mention["source"] for mention in mentions] == ["definition"]
    code, out, err = cli("annotate", "An AI.", "--definitions-only", "--review")
    assert (code, out) == (2, "") and "only one of" in err


def test_rows_mails_and_what_is_not_read(annotate, tmp_path):
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "notes.csv").write_text(f'who,note\nann,"{TEXT}"\n"bo\n",a\nc\n')
    (folder / "mail.eml").write_text(f"Subject: the AI\n\n{TEXT}")
    for name in ("a.xls", "b.xls", "c.rtf", "d.dcm", "e.xyz", ".f.doc"):
        (folder / name).touch()
    code, out, err = annotate("in", "--format", "json")
    records = json.loads(out)
    assert code == 1 and "in/notes.csv:5: bad row" in err
    names = ["in/mail.eml", "in/notes.csv:2", "in/notes.csv:3"]
    assert [record["document"] for record in records] == names
    assert [mention["acronym"] for mention in records[1]["acronyms"]] == ["CNNs", "AI", "ESA"]
    counts = "2 x .xls, 1 x .rtf, 1 x .dcm, 1 x .xyz"
    assert f"Skipped: {counts} (no reader for the format)." in err
    assert err.count("Reading texts from column 'note' of in/notes.csv. Pass --text-field") == 1
    _, out, err = annotate("in", "--format", "json", "--text-field", "body")
    assert len(json.loads(out)) == 1 and "1 x .csv (no column body)" in err
    code, _, err = annotate("in/notes.csv", "--text-field", "body")
    assert code == 2 and "Unknown column 'body'" in err and "who, note" in err
    wide = [f"column{number}" for number in range(3_000)]
    Path("wide.csv").write_text(f"{','.join([*wide, 'notes'])}\n{',' * 3_000}The AI, {TEXT}\n")
    code, _, err = annotate("wide.csv", "--text-field", "note")
    assert code == 2 and len(err) < 500 and "Did you mean 'notes'" in err


@pytest.mark.parametrize(("ending", "separator"), [("csv", ","), ("tsv", "\t")])
def test_a_table_has_a_row_for_each_mention(annotate, ending, separator):
    Path("a.txt").write_text("Hi.\nThe AI, an API.\n")
    assert annotate("a.txt", "--output", f"x.{ending}")[0] == 0
    rows = [line.split(separator) for line in Path(f"x.{ending}").read_text().splitlines()]
    assert rows[0][:7] == ["document", "start", "end", "line", "column", "acronym", "long_form"]
    assert [row[:6] for row in rows[1:]] == [
        ["a.txt", "8", "10", "2", "5", "AI"],
        ["a.txt", "15", "18", "2", "12", "API"],
    ]


def test_a_parquet_file_needs_an_extra(annotate, monkeypatch):
    assert annotate("The AI.", "-o", "x.parquet")[0] == 0 and Path("x.parquet").stat().st_size
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, _, err = annotate("The AI.", "-o", "y.parquet")
    assert code == 2 and "spacy-gladis[dataframe]" in err and not Path("y.parquet").exists()
