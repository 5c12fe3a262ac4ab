"""`spacy-gladis mcp`: what is wrong is said before a model is loaded."""

import socket
import sys

import pytest

OWN = "acronym,long_form\nQBR,quarterly business review\n"


def test_without_the_sdk_the_extra_is_named(cli, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    code, out, err = cli("mcp")
    assert (code, out) == (2, "") and "pip install 'spacy-gladis[mcp]'" in err


@pytest.fixture
def mcp(cli):
    """Run the command where the SDK is."""
    pytest.importorskip("mcp.server.mcpserver", reason="needs pip install 'spacy-gladis[mcp]'")

    def run(*arguments):
        code, out, err = cli("mcp", *arguments)
        assert (code, out) == (2, "") and "Traceback" not in err
        return " ".join(err.replace("│", " ").split())

    return run


def test_a_list_that_is_missing(mcp):
    assert "own.csv" in mcp("--overlay", "own.csv")


@pytest.mark.parametrize(("name", "content"), [("own.json", "{"), ("own.csv", "QBR\nABC\n")])
@pytest.mark.parametrize("options", [(), ("--allow-write",)], ids=["read", "write"])
def test_a_list_that_is_broken(mcp, tmp_path, name, content, options):
    path = tmp_path / name
    path.write_text(content)
    assert name in mcp("--overlay", name, *options)
    assert path.read_text() == content


def test_a_list_in_a_format_that_is_only_read(mcp, tmp_path):
    (tmp_path / "own.json").write_text('{"QBR": "quarterly business review"}')
    assert "own.json is not the name of a table" in mcp("--overlay", "own.json", "--allow-write")


def test_a_list_in_a_folder_that_is_missing(mcp):
    assert "no folder" in mcp("--overlay", "absent/own.csv", "--allow-write")


def test_writing_needs_a_list(mcp):
    assert "--allow-write needs --overlay" in mcp("--allow-write")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--transport", "sse"), ("'sse'", "stdio", "http")),
        (("--field", "clinicall"), ("'clinicall'", "'clinical'")),
        (("--threshold", "0.5", "--precision", "0.9"), ("threshold or precision",)),
        (("--max-characters", "0"), ("--max-characters",)),
        (("--transport", "http", "--host", "300.1.2.3"), ("300.1.2.3", "--host")),
    ],
)
def test_options_that_are_wrong(mcp, options, words):
    said = mcp(*options)
    assert all(word in said for word in words), said


def test_settings_of_the_linter_that_are_wrong(mcp, tmp_path):
    (tmp_path / ".spacy-gladis.toml").write_text('select = ["ZZ001"]\n')
    assert "ZZ001" in mcp()


def test_a_port_in_use(mcp):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert f"port {port}" in mcp("--transport", "http", "--port", port)
