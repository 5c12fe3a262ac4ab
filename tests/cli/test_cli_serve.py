"""`spacy-gladis serve`: what is wrong is said before a model is loaded."""

import socket

import pytest

from spacy_gladis.cli.serve import _host_name, _origin


def test_a_port_in_use(cli):
    pytest.importorskip("uvicorn")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = cli("serve", "--port", port)
    assert (code, out) == (2, "") and f"port {port}" in err and "--port" in err


def test_an_address_that_is_none(cli):
    pytest.importorskip("uvicorn")
    code, _, err = cli("serve", "--host", "300.1.2.3", "--port", "0")
    assert code == 2 and "300.1.2.3" in err


def test_without_the_extra(cli, monkeypatch):
    monkeypatch.setattr("spacy_gladis.cli.serve.find_spec", lambda name: None)
    code, _, err = cli("serve")
    assert code == 2 and "spacy-gladis[serve]" in err


def test_a_wrong_overlay(cli, tmp_path):
    pytest.importorskip("uvicorn")
    (tmp_path / "own.csv").write_text("AI,x\nAI\n")
    code, out, err = cli("serve", "--port", "0", "--overlay", "own.csv")
    assert (code, out) == (2, "") and "own.csv, line 2" in err


@pytest.mark.parametrize("origin", ["example.org", "https://", "https://a.example/page", "ftp://a"])
def test_an_origin_that_is_none(cli, origin):
    pytest.importorskip("uvicorn")
    code, _, err = cli("serve", "--port", "0", "--cors", origin)
    assert code == 2 and "is not an origin" in err


def test_origins_as_browsers_send_them():
    given = ["https://Example.org/", "http://localhost:3000", "*"]
    assert [_origin(one) for one in given] == ["https://example.org", given[1], "*"]


@pytest.mark.parametrize("name", ["https://a.example", "a.example:80", "*.", "a.*.example", ""])
def test_a_name_that_is_none(cli, name):
    pytest.importorskip("uvicorn")
    code, _, err = cli("serve", "--port", "0", "--allow-host", name)
    assert code == 2 and "is not a name of a host" in err


def test_names_of_the_service():
    given = ["A.example", "*.example.org", "*", "10.0.0.1", "[::1]"]
    assert [_host_name(one) for one in given] == ["a.example", *given[1:]]
