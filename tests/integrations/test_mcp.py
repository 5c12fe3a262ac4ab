"""The MCP server as a process of its own, asked by the SDK's client over both transports."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from typing import Any

import pytest

EXTRA = "The MCP server is not tested: pip install 'spacy-gladis[mcp]'"
pytest.importorskip("mcp.server.mcpserver", reason=EXTRA)

from mcp import Client, StdioServerParameters

from spacy_gladis.settings import FIELDS

pytestmark = pytest.mark.slow

SECONDS = 500  # for a busy machine
LIST = "acronym,long_form\nQBR,quarterly business review\nOpenAI,\n"
TEXT = "The World Health Organization (WHO) met.\nThe QBR is on Monday, and an AI is a model.\nQBR"
REPEATED = "The World Health Organization (WHO) met the World Health Organization (WHO)."
LONGEST = 20_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder in which the servers run: its settings for the linter, and the list."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "own.csv").write_text(LIST)
    (folder / ".spacy-gladis.toml").write_text('extend-known = ["XYZQ"]\n')
    return folder


@pytest.fixture(scope="module")
def arguments(tiny_weights, tiny_dictionary):
    """The command with the tiny model, which answers whatever the probability."""
    model = ["--model", str(tiny_weights), "--dictionary", str(tiny_dictionary)]
    return ["-m", "spacy_gladis", "mcp", *model, "--threshold", "0", "--timeout", str(SECONDS)]


def parameters(folder, arguments):
    return StdioServerParameters(
        command=sys.executable, args=arguments, env=dict(os.environ), cwd=folder
    )


@contextmanager
def running(folder, arguments, **pipes):
    """A server as a process, which is ended."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf8",
        **pipes,
    )
    try:
        yield process
    finally:  # the worker also has these pipes; it ends when it has loaded its pipeline
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream:
                stream.close()


@contextmanager
def listening(folder, arguments):
    """A server that listens, and its address."""
    with running(folder, [*arguments, "--transport", "http", "--port", "0"]) as process:
        yield process, process.stdout.readline().split()[0]


def talk(server, dialogue) -> Any:
    """What a dialogue with a server returns."""

    async def run():
        async with Client(server, read_timeout_seconds=SECONDS) as client:
            return await dialogue(client)

    return asyncio.run(asyncio.wait_for(run(), SECONDS))


CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "explain": ("explain_acronyms", {"text": TEXT}),
    "markdown": ("explain_acronyms", {"text": "An `AI` and an AI.", "format": "markdown"}),
    "gaps": ("gaps", {"text": "The QZRX met the XYZQ and NASA.\nWho is the QZRX?"}),
    "AI": ("look_up", {"acronym": "AI"}),
    "QBR": ("look_up", {"acronym": "QBR"}),
    "NASAA": ("look_up", {"acronym": "NASAA"}),
    "check": ("check", {"text": REPEATED}),
    "selected": ("check", {"text": "The QZRX met the QBR.", "select": ["AC001"]}),
    "field": ("explain_acronyms", {"text": TEXT, "field": "clinicall"}),
    "format": ("gaps", {"text": TEXT, "format": "docx"}),
    "rule": ("check", {"text": TEXT, "select": ["ZZ001"]}),
    "number": ("check", {"text": 5}),
    "nothing": ("look_up", {"acronym": ""}),
    "missing": ("look_up", {}),
    "long": ("explain_acronyms", {"text": "a" * (LONGEST + 1)}),
    "long check": ("check", {"text": "a" * (LONGEST + 1)}),
    "write": ("add_to_list", {"acronym": "ZZ", "long_form": "zig zag"}),
}


async def call_during_calls(client):
    """Whether a request was answered before the last of three calls, and their results.

    A server that answers one request after the other would answer this request last.
    """
    text = "An AI and a CT. " * 600
    calls = [
        asyncio.create_task(client.call_tool("explain_acronyms", {"text": text})) for _ in range(3)
    ]
    await asyncio.sleep(0.05)
    await client.list_tools()
    is_running = not all(call.done() for call in calls)
    return is_running, [await call for call in calls]


async def ask_everything(client):
    results = {key: await client.call_tool(*call) for key, call in CALLS.items()}
    entry = await client.read_resource("acronyms://list/QBR")
    return {
        "tools": (await client.list_tools()).tools,
        "at once": await call_during_calls(client),  # the pipeline is loaded now
        "resources": (await client.list_resources()).resources,
        "list": json.loads((await client.read_resource("acronyms://list")).contents[0].text),
        "entry": json.loads(entry.contents[0].text),
        "answers": {key: result.structured_content for key, result in results.items()},
        "errors": {
            key: result.content[0].text for key, result in results.items() if result.is_error
        },
    }


@pytest.fixture(scope="module", params=["stdio", "http"])
def responses(request, folder, arguments):
    """What a server says to everything that it is asked over a transport."""
    options = [*arguments, "--overlay", "own.csv", "--max-characters", str(LONGEST)]
    if request.param == "stdio":
        return talk(parameters(folder, options), ask_everything)
    with listening(folder, options) as (_, address):
        return talk(address, ask_everything)


def by_acronym(answer):
    return {acronym["acronym"]: acronym for acronym in answer["acronyms"]}


def test_the_tools_describe_themselves_and_none_of_them_writes(responses):
    tools = {tool.name: tool for tool in responses["tools"]}
    assert [*tools] == ["explain_acronyms", "look_up", "gaps", "check"]
    for tool in tools.values():
        assert tool.description and tool.output_schema and tool.annotations.read_only_hint
        assert tool.output_schema["description"]
    explain = tools["explain_acronyms"].input_schema
    assert explain["required"] == ["text"]
    assert set(FIELDS) < set(explain["properties"]["field"]["enum"])
    acronym = tools["explain_acronyms"].output_schema["$defs"]["ExplainedAcronym"]["properties"]
    assert {"long_form", "probability", "candidates", "lines"} <= set(acronym)
    assert responses["errors"]["write"] == "Unknown tool: add_to_list"


def test_a_text_is_explained_by_itself_the_list_and_the_dictionary(responses):
    acronyms = by_acronym(responses["answers"]["explain"])
    assert [*acronyms] == ["WHO", "QBR", "AI"]
    assert acronyms["WHO"]["source"] == "definition"
    assert acronyms["WHO"]["long_form"] == "World Health Organization"
    assert acronyms["QBR"]["long_form"] == "quarterly business review"
    assert (acronyms["QBR"]["count"], acronyms["QBR"]["lines"]) == (2, [2, 3])
    candidates = acronyms["AI"]["candidates"]
    assert {candidate["long_form"] for candidate in candidates} == {
        "artificial intelligence",
        "adequate intake",
        "aromatase inhibitor",
    }
    shares = [candidate["probability"] for candidate in candidates]
    assert shares == sorted(shares, reverse=True) and 0 < shares[0] <= 1
    assert all("gloss" in candidate for candidate in candidates)


def test_code_of_a_text_in_markdown_is_left_out(responses):
    [acronym] = responses["answers"]["markdown"]["acronyms"]
    assert acronym["count"] == 1 and acronym["start"] == 15


def test_gaps_are_what_neither_the_dictionary_nor_the_settings_know(responses):
    [gap] = responses["answers"]["gaps"]["acronyms"]
    assert (gap["acronym"], gap["long_form"], gap["source"]) == ("QZRX", None, "nil")
    assert (gap["count"], gap["lines"], gap["candidates"]) == (2, [1, 2], [])


def test_an_acronym_is_looked_up_in_the_list_and_the_dictionary(responses):
    answers = responses["answers"]
    counts = {meaning["long_form"]: meaning["count"] for meaning in answers["AI"]["meanings"]}
    assert counts == {
        "artificial intelligence": 120,
        "adequate intake": 30,
        "aromatase inhibitor": 12,
    }
    assert not any(meaning["is_own"] for meaning in answers["AI"]["meanings"])
    [meaning] = answers["QBR"]["meanings"]
    assert meaning["is_own"] and meaning["long_form"] == "quarterly business review"
    assert answers["NASAA"] == {"meanings": [], "suggestions": ["NASA"]}


def test_a_text_is_checked_with_the_rules_that_are_selected(responses):
    [problem] = responses["answers"]["check"]["problems"]
    assert (problem["code"], problem["acronym"], problem["severity"]) == ("AC003", "WHO", "warning")
    assert (problem["line"], problem["column"]) == (1, 72)
    selected = responses["answers"]["selected"]["problems"]
    assert [(problem["code"], problem["acronym"]) for problem in selected] == [("AC001", "QZRX")]


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("field", ("'clinicall'", *FIELDS)),
        ("format", ("'text'", "'markdown'", "'latex'")),
        ("rule", ("'ZZ001'", "AC001")),
        ("number", ("text", "string")),
        ("nothing", ("acronym", "at least 1 character")),
        ("missing", ("acronym", "required")),
        ("long", (f"more than {LONGEST:,} characters",)),
        ("long check", (f"more than {LONGEST:,} characters",)),
    ],
)
def test_bad_input_is_an_error_that_says_what_is_wrong(responses, key, words):
    assert responses["answers"][key] is None
    for word in words:
        assert word in responses["errors"][key]


def test_only_bad_input_is_an_error(responses):
    bad = {"field", "format", "rule", "number", "nothing", "missing", "long", "long check"}
    assert set(responses["errors"]) == bad | {"write"}


def test_the_list_is_a_resource_and_each_of_its_acronyms(responses):
    assert [str(resource.uri) for resource in responses["resources"]] == ["acronyms://list"]
    entry = {"acronym": "QBR", "long_form": "quarterly business review"}
    assert responses["list"] == [entry, {"acronym": "OpenAI", "long_form": ""}]
    assert responses["entry"] == [entry]


def test_other_requests_are_answered_while_calls_run(responses):
    is_running, results = responses["at once"]
    assert is_running
    for result in results:
        acronyms = result.structured_content["acronyms"]
        counts = {acronym["acronym"]: acronym["count"] for acronym in acronyms}
        assert counts == {"AI": 600, "CT": 600}


@pytest.fixture(scope="module")
def written(tmp_path_factory, arguments):
    """What a server says that may write and is never sure, and what its folder has then."""
    folder = tmp_path_factory.mktemp("writable")
    path = folder / "new.csv"
    entry = {"acronym": "QZRX", "long_form": "quick  zebra, really"}

    async def dialogue(client):
        said = {
            "tools": [tool.name for tool in (await client.list_tools()).tools],
            "gaps": await client.call_tool("gaps", {"text": "The AI (adequate) of a QZRX."}),
            "added": await client.call_tool("add_to_list", entry),
            "again": await client.call_tool("add_to_list", entry),
            "blank": await client.call_tool("add_to_list", {"acronym": "A", "long_form": " \n"}),
            "after": await client.call_tool("explain_acronyms", {"text": "The QZRX met."}),
            "list": json.loads((await client.read_resource("acronyms://list")).contents[0].text),
            "file": path.read_text(),
            "files": [*folder.iterdir()],
        }
        path.unlink()
        path.mkdir()
        said["broken"] = await client.call_tool("check", {"text": TEXT})
        with pytest.raises(Exception, match=r"new\.csv"):
            await client.read_resource("acronyms://list")
        return said

    options = [*arguments, "--overlay", "new.csv", "--allow-write", "--threshold", "0.99"]
    return talk(parameters(folder, options), dialogue)


def test_a_gap_has_the_candidates_that_are_not_likely_enough(written):
    first, second = written["gaps"].structured_content["acronyms"]
    assert (first["acronym"], first["long_form"], len(first["candidates"])) == ("AI", None, 3)
    assert (second["acronym"], second["candidates"]) == ("QZRX", [])


def test_an_entry_is_added_to_the_list_and_used(written):
    assert "add_to_list" in written["tools"]
    assert written["added"].structured_content == {"is_new": True}
    assert written["again"].structured_content == {"is_new": False}
    blank = written["blank"]
    assert blank.is_error and "the long form is empty" in blank.content[0].text
    assert written["file"] == 'acronym,long_form\nQZRX,"quick zebra, really"\n'
    assert [path.name for path in written["files"]] == ["new.csv"]
    [acronym] = written["after"].structured_content["acronyms"]
    assert acronym["long_form"] == "quick zebra, really"
    assert written["list"] == [{"acronym": "QZRX", "long_form": "quick zebra, really"}]


def test_a_list_that_breaks_while_the_server_runs_is_an_error_that_names_it(written):
    broken = written["broken"]
    assert broken.is_error and "new.csv" in broken.content[0].text


INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "1"},
    },
}
INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "look_up", "arguments": {"acronym": "AI"}},
}


def test_a_client_is_greeted_before_the_pipeline_is_loaded(tmp_path):
    """A pipeline that can't be loaded shows it; nothing but the protocol is on standard output."""
    arguments = ["-m", "spacy_gladis", "mcp", "--dictionary", "absent.sqlite"]
    with running(tmp_path, arguments, stdin=subprocess.PIPE) as process:
        process.stdin.write(json.dumps(INITIALIZE) + "\n")
        process.stdin.flush()
        greeting = json.loads(process.stdout.readline())
        assert greeting["result"]["serverInfo"]["name"] == "spacy-gladis"
        assert "explain_acronyms" in greeting["result"]["instructions"]
        process.stdin.write("".join(json.dumps(message) + "\n" for message in (INITIALIZED, CALL)))
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        out, err = process.communicate(timeout=SECONDS)
    assert answer["id"] == 2 and answer["result"]["isError"]
    assert "absent.sqlite" in answer["result"]["content"][0]["text"]
    assert out == "" and "absent.sqlite" in err and "Traceback" not in err
    assert process.returncode == 0


def test_a_server_without_input_ends_silently(folder, arguments):
    with running(folder, arguments, stdin=subprocess.DEVNULL) as process:
        out, err = process.communicate(timeout=SECONDS)
    assert process.returncode == 0 and out == ""
    assert [line for line in err.splitlines() if "Waiting for an MCP client" not in line] == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
@pytest.mark.parametrize("is_loaded", [True, False])
def test_ctrl_c_ends_a_server_that_waits_for_input(folder, arguments, is_loaded):
    with running(folder, arguments, stdin=subprocess.PIPE) as process:
        process.stdin.write(json.dumps(INITIALIZE) + "\n")
        process.stdin.flush()
        process.stdout.readline()
        if is_loaded:
            process.stdin.write(
                "".join(json.dumps(message) + "\n" for message in (INITIALIZED, CALL))
            )
            process.stdin.flush()
            assert '"isError":false' in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
        assert "Traceback" not in process.stderr.read()  # ends when the worker has ended, too


@pytest.mark.skipif(sys.platform == "win32", reason="Windows sends no SIGINT to one process")
def test_ctrl_c_ends_a_server_that_listens(folder, arguments):
    with listening(folder, arguments) as (process, address):
        talk(address, lambda client: client.list_tools())
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) == 0
        assert "Traceback" not in process.stderr.read()


def test_the_server_s_own_process_loads_no_spacy():
    code = (
        "import sys, spacy_gladis.integrations.mcp as server;"
        "print({'spacy', 'mcp', 'torch', 'onnxruntime'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "set()\n", done.stderr
