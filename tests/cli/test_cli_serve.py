"""`spacy-gladis serve`: what is wrong is said before a model is loaded."""

import socket

import pytest


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


def test_a_wrong_overlay(cli, tmp_path):
    pytest.importorskip("uvicorn")
    (tmp_path / "own.json").write_text("{")
    code, out, err = cli("serve", "--port", "0", "--overlay", "own.json")
    assert (code, out) == (2, "") and "own.json" in err


@pytest.mark.parametrize("origin", ["example.org", "https://", "https://a.example/page", "ftp://a"])
def test_an_origin_that_is_none(cli, origin):
    pytest.importorskip("uvicorn")
    code, _, err = cli("serve", "--port", "0", "--cors", origin)
    assert code == 2 and "is not an origin" in err


@pytest.mark.parametrize("name", ["https://a.example", "a.example:80", "*.", "a.*.example", ""])
def test_a_name_that_is_none(cli, name):
    pytest.importorskip("uvicorn")
    code, _, err = cli("serve", "--port", "0", "--allow-host", name)
    assert code == 2 and "is not a name of a host" in err
