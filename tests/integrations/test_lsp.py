"""The language server in a process of its own, driven by the client of pytest-lsp."""

import asyncio
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest_lsp = pytest.importorskip(
    "pytest_lsp", reason="pytest-lsp is missing: pip install 'spacy-gladis[test]'"
)
pytest.importorskip("pygls", reason="pygls is missing: pip install 'spacy-gladis[lsp]'")
pytest.importorskip("pylatexenc", reason="pylatexenc is missing: pip install 'spacy-gladis[lsp]'")

from lsprotocol import types
from pytest_lsp import LanguageClient

from tests.support.paths import ROOT

COMMAND = [sys.executable, "-m", "spacy_gladis", "lsp"]
SECONDS = 400
"""Longest wait for the server, which may share its processor with other work."""
pytestmark = [
    pytest.mark.slow,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

BODY = """😀 The MRI of the *patient* showed no lesion.

The World Health Organization (WHO) met. The World Health Organization voted.
The WHO left.

The World Health Organization (WHO) voted again. The QBR & more followed.
"""
EMPHASIS = {".tex": r"\emph{patient}", ".adoc": "_patient_", ".txt": "patient"}
TITLES = {".md": "# Report", ".rst": "Report\n======", ".adoc": "= Report", ".txt": "Report"}
FORMATS = (".md", ".rst", ".tex", ".adoc", ".txt")
IGNORED = {
    ".md": "The WHO left. The QAZ met. <!-- acronyms: ignore AC001 -->\n",
    ".rst": ".. acronyms: off AC001\n\nThe WHO left. The QAZ met.\nIt left.\n\n"
    ".. acronyms: on AC001\n",
    ".tex": "The WHO left. The QAZ met. % acronyms: ignore AC001\n",
    ".adoc": "// acronyms: ignore-next-line AC001\nThe WHO left. The QAZ met.\n",
    ".txt": "The WHO left. The QAZ met. # acronyms: ignore AC001\n",
}


def text_in(ending: str, body: str = BODY) -> str:
    """The document in a format."""
    body = body.replace("*patient*", EMPHASIS.get(ending, "*patient*"))
    if ending == ".tex":
        body = body.replace("&", r"\&")
        return f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\\end{{document}}\n"
    return f"{TITLES[ending]}\n\n{body}"


def position(text: str, words: str, number: int = 0, *, end: bool = False) -> types.Position:
    """Where some words begin or end, in UTF-16 code units."""
    offset = [match.start() for match in re.finditer(re.escape(words), text)][number]
    before = text[: offset + (len(words) if end else 0)]
    line = before.rpartition("\n")[2]
    return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)


def span(text: str, words: str, number: int = 0) -> types.Range:
    return types.Range(position(text, words, number), position(text, words, number, end=True))


def slice_of(text: str, place: types.Range) -> str:
    """The text in a range of UTF-16 code units."""
    return text[offset_at(text, place.start) : offset_at(text, place.end)]


def offset_at(text: str, place: types.Position) -> int:
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[: place.line])
    units = lines[place.line].encode("utf-16-le")[: 2 * place.character]
    return before + len(units.decode("utf-16-le"))


def with_edit(text: str, action: types.CodeAction) -> str:
    """The text after an action, as an editor applies it."""
    assert action.edit and action.edit.document_changes
    [change] = action.edit.document_changes
    assert isinstance(change, types.TextDocumentEdit)
    [edit] = change.edits
    assert isinstance(edit, types.TextEdit)
    start, end = (offset_at(text, place) for place in (edit.range.start, edit.range.end))
    return text[:start] + edit.new_text + text[end:]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A project with settings, a list of its own and a document."""
    folder = tmp_path_factory.mktemp("project")
    settings = 'select = ["AC001", "AC003", "AC006"]\nknown-file = "known.txt"\n'
    (folder / "pyproject.toml").write_text(f"[tool.spacy-gladis.lint]\n{settings}", "utf8")
    (folder / "known.txt").write_text("MRI\n", "utf8")
    (folder / "plan.md").write_text("# Plan\n\nThe quarterly business review (QBR) is long.\n")
    return folder


def make_client():
    """A client that tells actions from commands. lsprotocol takes an action with one for it."""

    def read_action(value, _):
        kind = types.Command if isinstance(value.get("command"), str) else types.CodeAction
        return converter.structure(value, kind)

    client = pytest_lsp.make_test_lsp_client()
    converter = client.protocol._converter
    converter.register_structure_hook(types.Command | types.CodeAction, read_action)
    return client


CONFIG = pytest_lsp.ClientServerConfig(server_command=COMMAND, client_factory=make_client)


@pytest_lsp.fixture(config=CONFIG, scope="module")
async def client(lsp_client: LanguageClient, folder):
    capabilities = pytest_lsp.client_capabilities("neovim@v0.11")
    capabilities.general.position_encodings = None  # then UTF-16 it is
    folders = [types.WorkspaceFolder(folder.as_uri(), "project")]
    params = types.InitializeParams(capabilities=capabilities, workspace_folders=folders)
    await lsp_client.initialize_session(params)
    published: list[types.PublishDiagnosticsParams] = []
    vars(lsp_client)["published"] = published
    show = lsp_client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS]

    def record(params):
        published.append(params)
        show(params)

    lsp_client.protocol.fm.features[types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS] = record
    await wait(lambda: any("is loaded" in log.message for log in lsp_client.log_messages))
    yield
    await lsp_client.shutdown_session()


async def wait(is_done) -> None:
    """Wait until something is true."""
    for _ in range(SECONDS * 20):
        if is_done():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("the server did not answer in time")


class Document:
    """An open document of the client."""

    def __init__(self, client, path: Path, text: str, language: str = "") -> None:
        self.client, self.uri, self.text, self.version = client, path.as_uri(), text, 1
        item = types.TextDocumentItem(self.uri, language, 1, text)
        client.text_document_did_open(types.DidOpenTextDocumentParams(item))

    @property
    def identifier(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    def change(self, text: str) -> None:
        self.text, self.version = text, self.version + 1
        identifier = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        change = types.TextDocumentContentChangeWholeDocument(text)
        params = types.DidChangeTextDocumentParams(identifier, [change])
        self.client.text_document_did_change(params)

    async def findings(self) -> list[types.Diagnostic]:
        """What is shown of the newest version."""
        await wait(lambda: any(map(self._is_mine, self.client.published)))
        mine = list(filter(self._is_mine, self.client.published))
        return list(mine[-1].diagnostics)

    def _is_mine(self, published: types.PublishDiagnosticsParams) -> bool:
        return published.uri == self.uri and published.version == self.version

    async def hover(self, place: types.Position) -> types.Hover | None:
        params = types.HoverParams(self.identifier, place)
        return await self.client.text_document_hover_async(params)

    async def actions(self, words: str, number: int = 0, *only: str) -> dict[str, types.CodeAction]:
        """The actions on some words, by their titles."""
        context = types.CodeActionContext([], only or None)
        place = span(self.text, words, number)
        params = types.CodeActionParams(self.identifier, place, context)
        actions = await self.client.text_document_code_action_async(params)
        return {action.title: action for action in actions}

    async def completions(self, place: types.Position) -> list[types.CompletionItem]:
        params = types.CompletionParams(self.identifier, place)
        return await self.client.text_document_completion_async(params)

    def close(self) -> None:
        params = types.DidCloseTextDocumentParams(self.identifier)
        self.client.text_document_did_close(params)


@pytest.fixture
def opened(client, folder):
    """A function that opens a document, which is closed after the test."""
    documents = []

    def open_document(name: str, text: str, language: str = "") -> Document:
        documents.append(Document(client, folder / name, text, language))
        return documents[-1]

    yield open_document
    for document in documents:
        document.close()


@pytest.mark.parametrize("ending", FORMATS)
async def test_findings_are_shown_at_their_words(opened, ending):
    document = opened(f"report{ending}", text_in(ending))
    shown = await document.findings()
    places = [(finding.code, slice_of(document.text, finding.range)) for finding in shown]
    assert places == [
        ("AC006", "World Health Organization"),
        ("AC003", "WHO"),
        ("AC001", "QBR"),
    ]
    assert {finding.source for finding in shown} == {"spacy-gladis"}
    assert {finding.severity for finding in shown} == {types.DiagnosticSeverity.Warning}
    assert shown[1].range == span(document.text, "WHO", 2)


@pytest.mark.parametrize("ending", FORMATS)
async def test_hover_explains_an_acronym_and_says_where_it_is_defined(opened, ending):
    document = opened(f"hover{ending}", text_in(ending))
    mri = await document.hover(position(document.text, "MRI"))
    assert mri.range == span(document.text, "MRI")  # an emoji takes two units
    assert "magnetic resonance imaging" in mri.contents.value
    who = await document.hover(position(document.text, "WHO left"))
    line = position(document.text, "(WHO)").line + 1
    assert who.contents.value.startswith("**WHO**: World Health Organization")
    assert f"hover{ending}:{line}]({document.uri}#L{line})" in who.contents.value.replace("\\", "")
    qbr = await document.hover(position(document.text, "QBR"))
    assert qbr.contents.value.startswith("**QBR**: quarterly business review")
    assert "plan.md:3](file:" in qbr.contents.value.replace("\\", "")
    assert re.search(r"Probability [01]\.\d\d", qbr.contents.value)
    assert await document.hover(position(document.text, "patient")) is None


@pytest.mark.parametrize("ending", FORMATS)
async def test_an_acronym_is_defined_or_expanded(opened, ending):
    text = text_in(ending).replace("The QBR", "A QBR met. The QBR")
    document = opened(f"actions{ending}", text)
    actions = await document.actions("QBR", 1)
    defined = actions["Define at first use: quarterly business review (QBR)"]
    assert with_edit(text, defined) == text.replace("A QBR", "A quarterly business review (QBR)")
    expanded = actions["Expand here: quarterly business review"]
    assert with_edit(text, expanded) == text.replace("The QBR", "The quarterly business review")
    assert expanded.kind == types.CodeActionKind.RefactorRewrite
    [change] = expanded.edit.document_changes
    assert (change.text_document.uri, change.text_document.version) == (document.uri, 1)
    assert not await document.actions("patient")
    rewritten = await document.actions("QBR", 1, "refactor")
    assert {defined.title, expanded.title} <= set(rewritten) < set(actions)
    assert {action.kind for action in rewritten.values()} == {expanded.kind}


@pytest.mark.parametrize("ending", FORMATS)
async def test_a_long_form_becomes_its_acronym(opened, ending):
    document = opened(f"short{ending}", text_in(ending))
    actions = await document.actions("World Health Organization", 1)
    short = with_edit(document.text, actions["Use the short form: WHO"])
    assert short == document.text.replace("Organization voted.", "X").replace(
        "The World Health X", "The WHO voted."
    )
    again = await document.actions("(WHO)", 1)
    [title] = [title for title in again if "is already defined at" in title]
    assert with_edit(document.text, again[title]).count("The WHO voted again.") == 1
    assert again[title].is_preferred is None
    assert again[title].diagnostics[0].code == "AC003"


@pytest.mark.parametrize("ending", FORMATS)
async def test_a_finding_is_ignored_by_a_comment_of_the_format(opened, ending):
    body = "The World Health Organization (WHO) met.\n\nThe WHO left. The QAZ met.\n"
    body += "It left.\n" if ending == ".rst" else ""
    document = opened(f"ignored{ending}", text_in(ending, body))
    [finding] = await document.findings()
    assert finding.message.startswith("'QAZ'")
    actions = await document.actions("QAZ")
    after = with_edit(document.text, actions["Ignore AC001 here"])
    assert IGNORED[ending] in after
    document.change(after)
    assert await document.findings() == []


@pytest.mark.parametrize("ending", FORMATS)
async def test_the_long_form_of_a_defined_acronym_is_completed(opened, ending):
    text = text_in(ending, f"{BODY}\n😀 Yes, WHO\n")
    document = opened(f"complete{ending}", text)
    [item] = await document.completions(position(text, "Yes, WHO", end=True))
    assert (item.label, item.filter_text) == ("World Health Organization", "WHO")
    assert item.text_edit.new_text == "World Health Organization"
    start = position(text, "Yes, WHO", end=True)
    assert item.text_edit.range.end == start
    assert item.text_edit.range.start == types.Position(start.line, start.character - 3)
    labels = {item.label for item in await document.completions(position(text, "The Q", end=True))}
    assert labels == {"quarterly business review"}  # from another document
    assert not await document.completions(position(text, "Yes, ", end=True))


@pytest.mark.parametrize("ending", FORMATS)
async def test_the_definitions_are_symbols(client, opened, ending):
    document = opened(f"symbols{ending}", text_in(ending))
    params = types.DocumentSymbolParams(document.identifier)
    symbols = await client.text_document_document_symbol_async(params)
    named = [
        (symbol.name, symbol.detail, slice_of(document.text, symbol.range)) for symbol in symbols
    ]
    who = ("WHO", "World Health Organization", "World Health Organization (WHO")
    assert named == [
        ("MRI", "not defined here", "MRI"),
        who,
        who,
        ("QBR", "not defined here", "QBR"),
    ]
    assert symbols[1].selection_range == span(document.text, "WHO")
    await document.findings()
    matches = await client.workspace_symbol_async(types.WorkspaceSymbolParams("health"))
    assert {symbol.name for symbol in matches} == {"WHO: World Health Organization"}
    places = {symbol.location.uri: symbol.location.range for symbol in matches}
    assert places[document.uri] in (span(document.text, "WHO"), span(document.text, "WHO", 2))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
async def test_positions_count_in_the_units_of_the_client(encoding):
    from pygls.workspace import PositionCodec

    from spacy_gladis.integrations.lsp.positions import Lines

    text = "a\u2028😀é\fb\r\nQBR 😀\rc\n\n"
    lines = Lines(text, PositionCodec(encoding))
    size = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    for offset in (*range(len(text) + 1),):
        before = re.split(r"\r\n|\r|\n", text[:offset])
        if text[offset - 1 : offset + 1] == "\r\n":  # within a line's end
            continue
        units = len(before[-1].encode(f"{encoding}-le" if size > 1 else encoding)) // size
        place = types.Position(len(before) - 1, units)
        assert lines.position(offset) == place
        assert lines.offset(place) == offset
    assert lines.offset(types.Position(1, 99)) == text.index("\rc")
    assert lines.offset(types.Position(99, 0)) == len(text)
    edit = lines.edit(text.replace("QBR", "quarterly QBR"))
    assert edit.new_text == "quarterly QBR" and edit.range.start == types.Position(1, 0)


async def test_the_glossary_of_the_workspace_has_unopened_files(client, folder):
    [symbol] = await client.workspace_symbol_async(types.WorkspaceSymbolParams("QBR"))
    assert symbol.name == "QBR: quarterly business review"
    assert symbol.location.uri == (folder / "plan.md").as_uri()
    assert slice_of((folder / "plan.md").read_text(), symbol.location.range) == "QBR"


async def test_edits_during_a_check_show_the_findings_of_the_last_version(client, opened):
    document = opened("busy.md", "# Busy\n")
    for count in range(1, 31):
        paragraphs = (f"The Q{chr(64 + number)}Z met.\n\n" for number in range(1, count % 20 + 1))
        document.change("# Busy\n\n" + "".join(paragraphs))
        if count % 5 == 0:  # a request amid the edits
            await document.hover(types.Position(2, 5))
        elif count % 7 == 0:
            await asyncio.sleep(0.2)
    assert len(await document.findings()) == 10
    mine = [params for params in client.published if params.uri == document.uri]
    versions = [params.version for params in mine]
    assert versions == sorted(versions)
    shown = {params.version: len(params.diagnostics) for params in mine}
    assert shown == {version: (version - 1) % 20 for version in shown}
    hover = await document.hover(types.Position(2, 5))
    assert hover.range == span(document.text, "QAZ")


async def test_an_answer_follows_an_edit_of_another_paragraph(opened):
    text = "# A\n\nIt rained.\n\n😀 The MRI of the patient showed no lesion.\n"
    document = opened("moved.md", text)
    before = await document.hover(position(text, "MRI"))
    document.change(text.replace("It rained.", "It rained for days.\n\nAt last\nit stopped."))
    after = await document.hover(position(document.text, "MRI"))
    assert after.contents == before.contents
    assert after.range == span(document.text, "MRI") != before.range
    document.change(document.text.replace("no lesion", "two lesions"))
    edited = await document.hover(position(document.text, "MRI"))
    assert edited.contents == after.contents and edited.range == after.range
    document.change(document.text + "\nA machine that rains indoors (MRI) is here.\n")
    defined = await document.hover(position(document.text, "MRI"))
    assert "machine that rains indoors" in defined.contents.value


async def test_a_document_that_cannot_be_read_is_logged_and_stays_open(client, opened):
    document = opened(
        "broken.tex", text_in(".tex").replace(r"\end{document}", r"\begin{itemize} {")
    )
    document.change(document.text)
    assert await document.findings() == []
    logged = [log for log in client.log_messages if "broken.tex" in log.message]
    assert logged and logged[-1].type == types.MessageType.Error
    assert re.search(r"broken\.tex: line \d+: ", logged[-1].message)
    assert await document.hover(position(document.text, "MRI")) is None
    assert await document.actions("MRI") == {}
    document.change(text_in(".tex"))
    assert len(await document.findings()) == 3


async def test_addresses_that_are_not_open_have_no_answers(client, folder):
    for uri in ("file:///nowhere/x.md", "untitled:1", (folder / "plan.md").as_uri(), "%"):
        identifier = types.TextDocumentIdentifier(uri)
        place = types.Position(2, 40)
        assert await client.text_document_hover_async(types.HoverParams(identifier, place)) is None
        context = types.CodeActionContext([])
        params = types.CodeActionParams(identifier, types.Range(place, place), context)
        assert not await client.text_document_code_action_async(params)
        symbols = types.DocumentSymbolParams(identifier)
        assert not await client.text_document_document_symbol_async(symbols)
        client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))


async def test_a_document_without_a_file_has_the_format_of_its_language(client):
    text = "\\begin{document}\nThe \\textbf{QBR} met.\n\\end{document}\n"
    uri = "untitled:Untitled-1"
    item = types.TextDocumentItem(uri, "latex", 1, text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(item))
    params = types.HoverParams(types.TextDocumentIdentifier(uri), position(text, "QBR"))
    hover = await client.text_document_hover_async(params)
    assert hover.range == span(text, "QBR")
    identifier = types.TextDocumentIdentifier(uri)
    client.text_document_did_close(types.DidCloseTextDocumentParams(identifier))


async def test_the_text_comes_from_the_editor_and_not_from_the_disk(client, opened, folder):
    (folder / "disk.md").write_text("The XQA met.\n", "utf8")
    document = opened("disk.md", "The XQB met.\n")
    [finding] = await document.findings()
    assert finding.message.startswith("'XQB'")


async def test_an_acronym_is_added_to_the_project_s_list(client, opened, folder):
    document = opened("added.md", "The XQC met.\n")
    assert len(await document.findings()) == 1
    action = (await document.actions("XQC"))["Add XQC to the project's list"]
    command = action.command
    params = types.ExecuteCommandParams(command.command, command.arguments)
    await client.workspace_execute_command_async(params)
    assert (folder / "known.txt").read_text("utf8") == "MRI\nXQC\n"
    await wait(lambda: client.diagnostics[document.uri] == ())
    assert "Add XQC to the project's list" not in await document.actions("XQC")


async def test_changed_settings_apply_when_the_editor_reports_them(client, opened, folder):
    document = opened("settings.md", "The XQD met.\n")
    assert len(await document.findings()) == 1
    before = (folder / "pyproject.toml").read_text("utf8")
    (folder / "pyproject.toml").write_text(before.replace('"AC001", ', ""), "utf8")
    changed = types.FileEvent((folder / "pyproject.toml").as_uri(), types.FileChangeType.Changed)
    params = types.DidChangeWatchedFilesParams([changed])
    client.workspace_did_change_watched_files(params)
    await wait(lambda: client.diagnostics[document.uri] == ())
    (folder / "pyproject.toml").write_text(before, "utf8")
    client.workspace_did_change_watched_files(params)
    await wait(lambda: len(client.diagnostics[document.uri]) == 1)


async def test_an_excluded_file_has_no_findings(client, opened):
    document = opened("known.txt", "The XQE met.\n")
    assert await document.findings() == []


def server(*options: str, **streams) -> subprocess.Popen:
    return subprocess.Popen([*COMMAND, *options], cwd=ROOT, **streams)


def framed(*messages: str) -> bytes:
    return b"".join(f"Content-Length: {len(text)}\r\n\r\n{text}".encode() for text in messages)


def answers_in(output: bytes) -> list[dict]:
    """The messages that the server wrote."""
    return [json.loads(part) for part in re.findall(rb"\{.*?\}(?=Content-Length|\Z)", output)]


def is_ready(output: bytes) -> bool:
    """Whether the server answered the first message."""
    [answer] = [message for message in answers_in(output) if message.get("id") == 1]
    return answer["result"]["capabilities"]["hoverProvider"] is True


INITIALIZE = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}'
SHUTDOWN = '{"jsonrpc":"2.0","id":2,"method":"shutdown"}'
EXIT = '{"jsonrpc":"2.0","method":"exit"}'


@pytest.mark.parametrize(
    ("messages", "code"), [((INITIALIZE, SHUTDOWN, EXIT), 0), ((INITIALIZE, EXIT), 1)]
)
async def test_the_server_stops_when_the_editor_says_so(messages, code):
    with server(stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        output, _ = process.communicate(framed(*messages), timeout=SECONDS)
    assert process.returncode == code
    assert is_ready(output)


async def test_the_server_stops_when_the_editor_is_gone():
    with server(stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        output, _ = process.communicate(framed(INITIALIZE), timeout=SECONDS)
    assert process.returncode == 0 and is_ready(output)


async def test_the_server_stops_before_the_editor_closes_its_input():
    with server(stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin
        try:
            process.stdin.write(framed(INITIALIZE, SHUTDOWN, EXIT))
            process.stdin.flush()
            assert process.wait(SECONDS) == 0
        finally:
            process.kill()


async def test_a_damaged_message_does_not_stop_the_server():
    broken = b"Content-Length: 7\r\n\r\n{broken" + framed(INITIALIZE, SHUTDOWN, EXIT)
    with server(stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        output, _ = process.communicate(broken, timeout=SECONDS)
    assert process.returncode == 0 and is_ready(output)


async def test_an_editor_connects_to_a_port(unused_tcp_port):
    with server("--tcp", str(unused_tcp_port), stderr=subprocess.PIPE) as process:
        try:
            for _ in range(SECONDS * 10):
                try:
                    reader, writer = await asyncio.open_connection("127.0.0.1", unused_tcp_port)
                    break
                except OSError:
                    assert process.poll() is None, "the server ended"
                    await asyncio.sleep(0.1)
            second = subprocess.run(
                [*COMMAND, "--tcp", str(unused_tcp_port)], capture_output=True, text=True, cwd=ROOT
            )
            assert second.returncode == 2 and "Cannot listen on 127.0.0.1" in second.stderr
            assert "Traceback" not in second.stderr
            writer.write(framed(INITIALIZE))
            answer = await asyncio.wait_for(reader.readuntil(b"hoverProvider"), SECONDS)
            assert answer.startswith(b"Content-Length")
            writer.write(framed(SHUTDOWN, EXIT))
            assert await asyncio.to_thread(process.wait, SECONDS) == 0
        finally:
            process.kill()


async def test_without_the_extra_the_command_names_it():
    code = (
        "import sys; sys.modules['pygls'] = sys.modules['lsprotocol'] = None\n"
        "from spacy_gladis.cli import main; sys.argv = ['spacy-gladis', 'lsp']; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=SECONDS
    )
    assert done.returncode == 2
    assert "pip install 'spacy-gladis[lsp]'" in done.stderr and "Traceback" not in done.stderr


async def test_invalid_settings_of_a_project_are_shown_once(client, opened, folder):
    before = (folder / "pyproject.toml").read_text("utf8")
    changed = types.FileEvent((folder / "pyproject.toml").as_uri(), types.FileChangeType.Changed)
    params = types.DidChangeWatchedFilesParams([changed])
    (folder / "pyproject.toml").write_text(before.replace("known.txt", "absent.txt"), "utf8")
    client.workspace_did_change_watched_files(params)
    document = opened("unchecked.md", "The XQD met.\n")
    await wait(lambda: any("absent.txt" in shown.message for shown in client.messages))
    document.change("The XQE met.\n")
    assert await document.hover(position(document.text, "XQE")) is None
    assert len([shown for shown in client.messages if "absent.txt" in shown.message]) == 1
    (folder / "pyproject.toml").write_text(before, "utf8")
    client.workspace_did_change_watched_files(params)
    await wait(lambda: len(client.diagnostics[document.uri]) == 1)


async def test_wrong_settings_are_an_error_before_the_server_starts():
    options = ["--threshold", "0.5", "--precision", "0.9"]
    done = subprocess.run(
        [*COMMAND, *options], capture_output=True, text=True, cwd=ROOT, timeout=SECONDS
    )
    assert done.returncode == 2 and "threshold" in done.stderr and "Traceback" not in done.stderr
