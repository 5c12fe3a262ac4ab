"""CSV, TSV and mail: rows and bodies as documents, each with its way back to the file."""

import json
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spacy_gladis.documents.formats import read_file
from spacy_gladis.documents.formats.table import guessed_column
from spacy_gladis.documents.sources import NamedSources
from spacy_gladis.errors import FormatError, InputError
from spacy_gladis.problem import ProblemLog

HEAD = "id,note,who\n"


def read(path, *options):
    problems = ProblemLog()
    return list(read_file(path, problems, *options)), problems


def test_a_row_is_a_document_named_by_its_line(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(HEAD + '1,The QBR is late again,ann\n2,"A ""QBR""\nof, say, EMEA",bo\n3,,x\n\n')
    sources, problems = read(path)
    assert [source.name for source in sources] == [f"{path}:2", f"{path}:3"]
    assert [source.text for source in sources] == [
        "The QBR is late again",
        'A "QBR"\nof, say, EMEA',
    ]
    assert not problems.counts
    for source in sources:
        assert source.path == str(path) and source.format == "table"
    places = [str(source.position(source.text.index("QBR"))) for source in sources]
    assert places == ["2:7", "3:8"]
    assert str(sources[1].position(sources[1].text.index("EMEA"))) == "4:10"
    assert [source.text for source in read(path, None, "who")[0]] == ["ann", "bo", "x"]


CELLS = st.text('aQ",;\t\n\r\u00e9 ', max_size=8)


@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=4), tabs=st.booleans())
def test_every_character_of_a_cell_has_its_place(tmp_path_factory, rows, tabs):
    path = tmp_path_factory.mktemp("x") / ("a.tsv" if tabs else "a.csv")
    between = "\t" if tabs else ","
    quoted = [
        between.join(f'"{cell.replace(chr(34), 2 * chr(34))}"' for cell in row) for row in rows
    ]
    path.write_text(f"id{between}note\n" + "\r\n".join(quoted), "utf8", newline="")
    sources, problems = read(path, None, "note")
    wanted = [cell for _, cell in rows if cell.strip()]
    assert not problems.counts and len(sources) == len(wanted)
    for source, cell in zip(sources, wanted, strict=True):
        assert source.text == cell.replace("\r\n", " \n").replace("\r", "\n")
        for at, letter in enumerate(source.text):
            if letter in "aQ\u00e9":
                assert source.source[source.original_offset(at)] == letter


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1"])
def test_encodings_and_what_stands_between_cells(tmp_path, encoding):
    path = tmp_path / "a.csv"
    path.write_text("id;note\n1;The caf\xe9, QBR and all\n", encoding)
    (source,), problems = read(path, "latin-1" if encoding == "latin-1" else None)
    assert source.text == "The caf\xe9, QBR and all" and not problems.counts
    assert source.position(9).column == 12


def test_a_bad_row_is_one_problem(tmp_path):
    path = tmp_path / "a.csv"
    rows = [b"1,good one,x", b"2", b"3,caf\xe9,x", b'4,"' + b"9" * 140_000, b"5,good two,x"]
    rows += [b"6,two, cells", b"7,a,b,c", b"8,good three,x", b'9,"no end,x']
    path.write_bytes(HEAD.encode() + b"\n".join(rows))
    sources, problems = read(path)
    assert [source.text for source in sources] == ["good one", "good two", "two", "good three"]
    assert problems.counts == {"bad row": 4, "wrong encoding": 1}
    said = problems.to_json()["examples"]
    for number in (3, 5, 8, 10):
        assert any(f"a.csv:{number}: bad row" in message for message in said)
    assert any("a.csv:4: wrong encoding" in message and "--encoding" in message for message in said)


def test_a_table_that_is_none(tmp_path):
    for content, options, error in (
        (b"", (), FormatError),
        (b"id,note\n1,x y\n", (None, "text"), FormatError),
        (b"a\0b,c\n", (), InputError),
        (b"PK\3\4...", (), InputError),
    ):
        (tmp_path / "a.csv").write_bytes(content)
        with pytest.raises(error):
            read(tmp_path / "a.csv", *options)


def test_of_a_folder_s_tables_those_with_texts_are_read(tmp_path):
    text = "the QBR is late again"
    for name, content in {
        "a.csv": f"id,note\n1,{text}\n",
        "b.tsv": f"note\tid\n{text}\t1\n",
        "numbers.csv": "x,y\n1,2\n",
        "own.csv": f"acronym,long_form,comment\nQBR,quarterly business review,{text}\n",
        "deep/Glossary.csv": f"term,meaning\nQBR,{text}\n",
        "c.xls": "",
        "d.RTF": "",
        "e.rtf": "",
        "f.png": "",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    given, problems = NamedSources([str(tmp_path)]), ProblemLog()
    assert [source.text for source in given.read(problems)] == [text, text]
    assert not problems.counts
    assert given.guessed_columns() == {"note": tmp_path / "a.csv"}
    assert given.passed_over() == {
        "no reader for the format": {".rtf": 2, ".xls": 1, ".png": 1},
        "no column of texts": {".csv": 2},
    }
    other = NamedSources([str(tmp_path)], None, "y")
    assert [source.text for source in other.read(problems)] == ["2"] and not other.guessed_columns()
    of_text = NamedSources(["the QBR"])
    assert not of_text.guessed_columns() and not of_text.passed_over()


def test_a_key_of_json_lines(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"id": 1, "body": "a QBR"}) + '\n{"text": "no"}\n')
    (source,), problems = read(path, None, "body")
    assert source.text == "a QBR" and source.source[source.original_offset(2) :][:3] == "QBR"
    assert problems.counts == {"no text": 1} and "'body'" in problems.to_json()["examples"][0]


def mail(path, body="Dear all,\nthe QBR is lat\xe9.\n", html="", **headers):
    message = EmailMessage()
    for name, value in {"Subject": "The QBR of \xe9t\xe9", "From": "a@b.c", **headers}.items():
        message[name] = value
    if body:
        message.set_content(body)
    if html and body:
        message.add_alternative(html, subtype="html")
    elif html:
        message.set_content(html, subtype="html")
    message.add_attachment(b"QATT", maintype="application", subtype="pdf", filename="x.pdf")
    path.write_bytes(message.as_bytes())
    return path


def test_a_mail_is_its_subject_and_plain_body(tmp_path):
    path = mail(tmp_path / "a.eml", html="<p>no</p>")
    (source,), problems = read(path)
    assert source.text.strip() == "The QBR of \xe9t\xe9\n\nDear all,\nthe QBR is lat\xe9."
    assert (source.name, source.format) == (str(path), "mail") and not problems.counts
    assert str(source.position(source.text.rindex("QBR"))) == "paragraph 3:5"
    assert [source.text[region.start : region.end] for region in source.regions] == [
        "The QBR of \xe9t\xe9"
    ]


def test_a_mail_of_html_alone(tmp_path):
    html = "<p>The <abbr title='quarterly review'>QR</abbr><br>&eacute;</p><style>QNO</style>"
    ((source,), _) = read(mail(tmp_path / "a.eml", body="", html=html))
    assert source.text.split() == ["The", "QBR", "of", "\xe9t\xe9", "The", "QR", "\xe9"]
    assert [definition.long_form for definition in source.definitions] == ["quarterly review"]
    assert source.position(source.text.index("QR")).line == 2


def test_mails_that_are_odd(tmp_path):
    path = tmp_path / "a.eml"
    for content, text in (
        (b"Subject: a QBR\n\n", "a QBR"),
        (b"From: a@b.c\n\nthe QBR", "the QBR"),
        (b"Subject: a\nContent-Type: text/plain; charset=us-ascii\n\ncaf\xc3\xa9", "a\n\ncaf\xe9"),
        (b"Subject: =?utf-8?b?4pyT?=\nContent-Type: multipart/mixed; boundary=x\n\n--x", "\u2713"),
        (b"Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nQBR\n--x--", "a\n\nQBR"),
    ):
        path.write_bytes(content)
        assert read(path)[0][0].text == text
    path.write_bytes(b"Subject: a\n\ncaf\xe9")
    assert read(path, "latin-1")[0][0].text == "a\n\ncaf\xe9"
    for content in (
        b"Subject: a\n\ncaf\xe9",
        b"Subject: a\nContent-Type: text/plain; charset=klingon\n\nQBR",
        b"",
        b"Subject: " + b"=?utf-8?q?a?= " * 10_000,
    ):
        path.write_bytes(content)
        problems = ProblemLog()
        assert not list(NamedSources([str(path)]).read(problems))
        assert sum(problems.counts.values()) == 1


ROWS = {
    "a separator that is named": "sep=;\nid;note\n1;{}\n2;{}\n",
    "a quoted one": '"sep=|"\r\nid|note\r\n1|{}\r\n2|{}\r\n',
    "comments": "# made by a tool, today\n#\n\nid,note\n1,{}\n# a comment\n2,{}\n",
    "pipes": "id|note\n1|{}\n2|{}\n",
    "a heading that is a comment": "#id,note\n1,{}\n2,{}\n",
    "a heading with other signs": '"a|b|c",note\n1,{}\n2,{}\n',
}


@pytest.mark.parametrize("layout", ROWS)
def test_lines_above_and_between_rows(tmp_path, layout):
    texts = ["The QABC is late and long.", "It is the QDEF that went."]
    path = tmp_path / "x.csv"
    path.write_bytes(ROWS[layout].format(*texts).encode())
    log = ProblemLog()
    sources = list(read_file(path, log))
    assert [source.text for source in sources] == texts and not log.counts
    assert guessed_column(path) == "note"
    lines = ROWS[layout].splitlines()
    assert [source.first for source in sources] == [
        n for n, line in enumerate(lines, 1) if "{" in line
    ]


def test_columns_of_tabs_may_begin_behind_a_blank(tmp_path):
    path = tmp_path / "x.tsv"
    path.write_text("# made\n# id\tnote\n1\tThe QABC is late and long.\n")
    assert guessed_column(path) == "note"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            "Ann wrote:\n> The Quarry Review\n> Bench (QRB) met.\n",
            "The Quarry Review\nBench (QRB) met.",
        ),
        (">The Quarry Review\n>Bench (QRB) met.\n", "The Quarry Review\nBench (QRB) met."),
        ("> > The Quarry Re-\n> > view Bench met.\n> No.\n", "The Quarry Review Bench met.\n\nNo."),
        ("JD> The Quarry Review\nJD> Bench met.\n", "The Quarry Review\nBench met."),
        ("    > The Quarry Review\n    > Bench met.\n", "The Quarry Review\nBench met."),
        (
            "Hello,\nAnn> The Quarry Review\nAnn> Bench met.\n",
            "Hello,\n\nThe Quarry Review\nBench met.",
        ),
        ("> | The Quarry Review\n> | Bench met.\n", "The Quarry Review\nBench met."),
        ("| The Quarry Review\n| Bench met.\n", "The Quarry Review\nBench met."),
        ("| a | b |\n| c | d |\n", "| a | b |\n| c | d |"),
        ("a > b\nIf > 3\n", "a > b\nIf > 3"),
    ],
)
def test_signs_before_quoted_lines_are_no_text(tmp_path, body, text):
    path = tmp_path / "x.eml"
    path.write_text(f"From: a@example.org\nSubject: Bench\n\n{body}")
    (source,) = read_file(path, ProblemLog())
    assert source.text.split("\n\n", 1)[1].removeprefix("Ann wrote:\n").strip() == text
    start = source.text.rindex(text.split()[-1])
    place = source.position(start)
    word = text.split()[-1]
    assert f"Bench\n{body}".split("\n")[place.line - 1][place.column - 1 :].startswith(word)
