import pytest

pytest.importorskip("pyarrow")
from pyarrow import parquet

from spacy_gladis.research.mining import stages as tables
from spacy_gladis.research.mining.extract import MinedDefinition
from spacy_gladis.research.mining.stages import bucket_of, bucket_writer

ROWS = [(f"AC{n % 50}", f"long form {n}", "Papers", f"a:{n}") for n in range(5000)]


def write(path, rows, buckets=7):
    with bucket_writer(path, MinedDefinition, buckets) as file:
        for start in range(0, len(rows), 10):
            file.add(rows[start : start + 10])
    return parquet.ParquetFile(path)


def test_a_row_group_a_bucket_in_the_rows_own_order(tmp_path):
    file = write(tmp_path / "a.parquet", ROWS)
    assert file.num_row_groups == 7
    for group in range(7):
        statistics = file.metadata.row_group(group).column(0).statistics
        assert statistics.min == statistics.max == group
        found = file.read_row_group(group).drop_columns("bucket").to_pylist()
        wanted = [row for row in ROWS if bucket_of(row[0], 7) == group]
        assert [tuple(row.values()) for row in found] == wanted


def test_much_is_written_in_rounds(tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "HELD", 1_000)
    file = write(tmp_path / "a.parquet", ROWS)
    assert file.num_row_groups > 7 * 3
    found = {tuple(row.values()) for row in file.read().drop_columns("bucket").to_pylist()}
    assert found == set(ROWS)


def test_equal_rows_give_equal_bytes(tmp_path):
    write(tmp_path / "a.parquet", ROWS)
    write(tmp_path / "b.parquet", ROWS)
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_nothing_is_a_file_too(tmp_path):
    assert write(tmp_path / "a.parquet", []).read().num_rows == 0


def test_buckets_are_the_same_everywhere():
    assert [bucket_of(acronym, 64) for acronym in ("SVM", "mRNA", "Ω-3", "A&E")] == [4, 17, 63, 30]
