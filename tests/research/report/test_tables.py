from io import StringIO

from rich.console import Console

from spacy_gladis.research.report.tables import Table


def small_table() -> Table:
    table = Table("A [b] title", ("name", "share", "count"))
    table.add("a|b <i>", 0.1234, 12345)
    table.add("two\nlines", None, 0)
    return table


def test_markdown() -> None:
    assert small_table().markdown() == (
        "**A [b] title**\n\n"
        "| name | share | count |\n| --- | --: | --: |\n"
        "| a\\|b <i> | 12.3 | 12,345 |\n| two lines | - | 0 |\n"
    )


def test_rich_shows_markup_as_text() -> None:
    stream = StringIO()
    Console(file=stream, width=60).print(small_table().rich())
    assert "A [b] title" in stream.getvalue()
    assert "12,345" in stream.getvalue()
