"""`spacy-gladis serve`: what is wrong is said before a model is loaded."""

import socket

import pytest

pytest.importorskip("uvicorn")


def test_a_port_in_use(cli):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, out, err = cli("serve", "--port", port)
    assert (code, out) == (2, "") and f"port {port}" in err and "--port" in err


def test_a_wrong_overlay(cli, tmp_path):
    (tmp_path / "own.json").write_text("{")
    code, out, err = cli("serve", "--port", "0", "--overlay", "own.json")
    assert (code, out) == (2, "") and "own.json" in err


ORIGINS = ("example.org", "https://", "https://a.example/page", "ftp://a")
HOSTS = ("https://a.example", "a.example:80", "*.", "a.*.example", "")


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("--host", "300.1.2.3", "300.1.2.3"),
        *(("--cors", origin, "is not an origin") for origin in ORIGINS),
        *(("--allow-host", host, "is not a host name") for host in HOSTS),
    ],
)
def test_an_address_an_origin_and_a_name_that_are_none(cli, option, value, said):
    code, _, err = cli("serve", "--port", "0", option, value)
    assert code == 2 and said in err
