"""Figures as tables."""

from spacy_gladis.output.figures import Table


def test_a_table_in_markdown():
    table = Table("A [b] title", ("name", "share", "count"))
    table.add("a|b <i>", 0.1234, 12345)
    table.add("two\nlines", None, 0)
    assert table.markdown() == (
        "**A [b] title**\n\n"
        "| name | share | count |\n| --- | --: | --: |\n"
        "| a\\|b <i> | 12.3 | 12,345 |\n| two lines | - | 0 |\n"
    )
