"""`spacy-gladis concepts`."""

from pathlib import Path

from typer.testing import CliRunner

from spacy_gladis.cli import app

runner = CliRunner()


def test_build_and_look_up(tmp_path: Path):
    (tmp_path / "a.tsv").write_text("D1\tsore toe\ttoe pain\nD2\t\n")
    (tmp_path / "b.obo").write_text(
        '[Term]\nid: X:1\nname: gout\ndef: "Hurts." []\nxref: MESH:D3\n\n[Term]\nid: X:2\nname: y\n'
    )
    file = str(tmp_path / "x.concepts")
    sources = [str(tmp_path / name) for name in ("a.tsv", "b.obo")]
    options = ["--output", file, "--vocabulary", "MESH"]
    built = runner.invoke(app, ["concepts", "build", *sources, *options])
    assert built.exit_code == 0, built.output
    assert "2 concepts, 3 names, 1 alternate ids" in built.output
    assert "1 x no name" in built.output

    result = runner.invoke(app, ["concepts", "lookup", file, "Toe pains"])
    assert result.output == "D1\tsore toe\n  names: toe pain\n"
    assert runner.invoke(app, ["concepts", "lookup", file, "X:1"]).output.startswith("D3\tgout")
    missing = runner.invoke(app, ["concepts", "lookup", file, "sore tow"])
    assert "Similar names: sore toe" in str(missing.exception)
