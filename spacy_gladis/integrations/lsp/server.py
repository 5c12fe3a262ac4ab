"""The language server, which manages the open documents and the threads that check them."""

import asyncio
import os
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from ... import __version__
from ...documents.encodings import without_lone_surrogates
from ...documents.formats import format_of_file, read_text
from ...documents.formats.registry import text_formats
from ...errors import GladisError
from ...lint.edited import CheckedVersion, LinkedVersion, link
from ...lint.project import Project, list_documents
from ...lint.project_list import add_to_project
from ...lint.run import lint_documents
from ...output.explanation import explain
from . import features
from .positions import Lines

if TYPE_CHECKING:
    from spacy.language import Language

Result = TypeVar("Result")
DELAY = 0.15  # seconds without an edit after which a document is checked
LANGUAGES = {"plaintext": "text", "tex": "latex", "rst": "restructuredtext"}
"""Formats by the names that editors use for them, where the names differ."""
WATCHED = "**/{*.md,*.rst,*.tex,*.adoc,*.txt,*.csv,*.tsv,pyproject.toml,.spacy-gladis.toml}"


class _SettingsError(GladisError):
    """Raised if a project's settings are invalid, which stops all features and must be shown."""


@dataclass(eq=False)
class OpenDocument:
    """A document that is open in the editor, with the results for its versions.

    Attributes:
        uri: URI of the document in the editor.
        name: Path of the document's file. If it has no file, this is the URI.
        language: Language of the document, as the editor names it, such as ``markdown``.
        text: Text of the newest version.
        version: Number of the newest version. None if the document is closed.
        refreshing: Task that checks the document a short time after an edit.
        checking: Task that checks the newest version with the linter, if it was requested.
        linking: Task that resolves the acronyms of the newest version, if it was requested.
        linked: Last version whose acronyms were resolved.
    """

    uri: str
    name: str
    language: str
    text: str
    version: int | None
    refreshing: asyncio.Task[None] | None = None
    checking: asyncio.Task[CheckedVersion | None] | None = None
    linking: asyncio.Task[LinkedVersion | None] | None = None
    linked: LinkedVersion | None = None


class Server:
    """A language server that explains and checks acronyms in an editor.

    It has one thread for the linter's rules and one for the pipeline, so that findings don't have
    to wait for the model.

    Attributes:
        protocol: Server of the library pygls. Its methods ``start_io`` and ``start_tcp`` run it.
    """

    def __init__(self, load: "Callable[[], Language]") -> None:
        """Create a language server and register its features.

        Args:
            load: Function that loads a pipeline with a linker. It is called when an editor has
                connected.
        """
        kind = types.TextDocumentSyncKind.Full  # pygls would split lines differently
        self.protocol = LanguageServer("spacy-gladis", __version__, text_document_sync_kind=kind)
        self._rules, self._model = ThreadPoolExecutor(1), ThreadPoolExecutor(1)
        self._load_pipeline = load
        self._pipeline: Future[Language]
        self._is_shut_down = False
        self._open: dict[str, OpenDocument] = {}
        self._project = Project()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._shown_errors: set[str] = set()
        kinds = types.CodeActionOptions(list(dict.fromkeys(features.KINDS.values())))
        for method, handler, options in (
            (types.INITIALIZE, self._initialize, None),
            (types.INITIALIZED, self._initialized, None),
            (types.SHUTDOWN, self._shut_down, None),
            (types.EXIT, self._exit, None),
            (types.TEXT_DOCUMENT_DID_OPEN, self._opened, None),
            (types.TEXT_DOCUMENT_DID_CHANGE, self._changed, None),
            (types.TEXT_DOCUMENT_DID_CLOSE, self._closed, None),
            (types.TEXT_DOCUMENT_DID_SAVE, self._files_changed, None),
            (types.WORKSPACE_DID_CHANGE_WATCHED_FILES, self._files_changed, None),
            (types.TEXT_DOCUMENT_HOVER, self._hover, None),
            (types.TEXT_DOCUMENT_COMPLETION, self._complete, None),
            (types.TEXT_DOCUMENT_CODE_ACTION, self._actions, kinds),
            (types.TEXT_DOCUMENT_DOCUMENT_SYMBOL, self._symbols, None),
            (types.WORKSPACE_SYMBOL, self._find_symbols, None),
        ):
            self.protocol.feature(method, options)(partial(handler))
        self.protocol.command(features.ADD)(partial(self._add))

    def leave(self, code: int = 0) -> NoReturn:
        """End the process immediately, even if the pipeline is still being loaded.

        Args:
            code: Exit code of the process.
        """
        self._rules.shutdown(cancel_futures=True)  # wait if an acronym is being added to a list
        os._exit(code)

    def _shut_down(self, _: Any) -> None:
        """Stop both threads when they have finished the work that they have begun."""
        self._is_shut_down = True
        for task in self._tasks:
            task.cancel()
        for worker in (self._rules, self._model):
            worker.shutdown(wait=False, cancel_futures=True)

    def _exit(self, _: Any) -> None:
        self.leave(0 if self._is_shut_down else 1)

    def _log(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        self.protocol.window_log_message(types.LogMessageParams(kind, message))

    def _start(self, work: Coroutine[Any, Any, Result]) -> asyncio.Task[Result]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)  # the loop itself holds only a weak reference
        task.add_done_callback(self._tasks.discard)
        return task

    async def _run(
        self, worker: ThreadPoolExecutor, name: object, work: Callable[..., Result], *values: Any
    ) -> Result | None:
        """Run a function in one of the threads. An error becomes a log message in the editor."""
        try:
            return await asyncio.get_running_loop().run_in_executor(worker, work, *values)
        except Exception as error:  # parsers may raise anything on damaged files
            is_known = isinstance(error, GladisError | OSError | UnicodeDecodeError)
            detail = str(error) if is_known else f"{type(error).__name__}: {error}"
            self._log(f"{name}: {detail}", types.MessageType.Error)
            if isinstance(error, _SettingsError) and detail not in self._shown_errors:
                self._shown_errors.add(detail)
                params = types.ShowMessageParams(types.MessageType.Error, detail)
                self.protocol.window_show_message(params)
            return None

    def _initialize(self, _: types.InitializeParams) -> None:
        self._pipeline = self._model.submit(self._load_pipeline)

    async def _initialized(self, _: types.InitializedParams) -> None:
        """Watch files for changes, read the files of the project, and wait for the pipeline."""
        workspace = self.protocol.client_capabilities.workspace
        files = workspace and workspace.did_change_watched_files
        if files and files.dynamic_registration:
            watchers = [types.FileSystemWatcher(WATCHED)]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            params = types.RegistrationParams([types.Registration("files", method, options)])
            self._start(self.protocol.client_register_capability_async(params))
        uris = [folder.uri for folder in self.protocol.workspace.folders.values()]
        for uri in uris or [self.protocol.workspace.root_uri or ""]:
            if folder := to_fs_path(uri):
                paths = await self._run(self._rules, folder, list_documents, Path(folder))
                await self._load(paths or ())
        is_loaded = await self._run(self._model, "The pipeline", self._pipeline.result)
        self._log("The pipeline is loaded." if is_loaded else "Only the linter is available.")

    async def _load(self, paths: Any) -> None:
        """Read files of the project that aren't open, and check the open documents again."""
        for path in paths:
            if str(path) not in {document.name for document in self._open.values()}:
                await self._run(self._rules, path, self._project.load, path)
        for document in self._open.values():
            self._refresh(document)

    def _opened(self, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        name = to_fs_path(item.uri) or item.uri
        document = OpenDocument(item.uri, name, item.language_id, item.text, item.version)
        self._open[item.uri] = document
        self._refresh(document)

    def _changed(self, params: types.DidChangeTextDocumentParams) -> None:
        if document := self._open.get(params.text_document.uri):
            document.text = self.protocol.workspace.get_text_document(document.uri).source
            document.version = params.text_document.version
            self._refresh(document)

    async def _closed(self, params: types.DidCloseTextDocumentParams) -> None:
        if document := self._open.pop(params.text_document.uri, None):
            document.version = None
            self._publish(document.uri, [], None)
            await self._load([Path(document.name)])

    async def _files_changed(self, params: Any) -> None:
        """Reload the files that were changed, and the settings of the project."""
        self._project.forget_settings()
        changes = getattr(params, "changes", ())
        await self._load([Path(path) for change in changes if (path := to_fs_path(change.uri))])

    def _refresh(self, document: OpenDocument) -> None:
        document.checking = document.linking = None
        if document.refreshing:
            document.refreshing.cancel()
        document.refreshing = self._start(self._publish_findings(document))

    async def _publish_findings(self, document: OpenDocument) -> None:
        await asyncio.sleep(DELAY)
        version, checked = document.version, await self._check(document)
        if document.version == version:
            shown = features.to_diagnostics(checked, self._lines(document.text))
            self._publish(document.uri, shown, version)
        await self._link(document)

    def _publish(self, uri: str, shown: list[types.Diagnostic], version: int | None) -> None:
        params = types.PublishDiagnosticsParams(uri, shown, version)
        self.protocol.text_document_publish_diagnostics(params)

    def _lines(self, text: str) -> Lines:
        return Lines(text, self.protocol.workspace.position_codec)

    async def _check(self, document: OpenDocument | None) -> CheckedVersion | None:
        """Check the newest version of a document with the linter, at most once for each version."""
        if document is None:  # a document that was never opened, or is closed
            return None
        if document.checking is None:
            values = (document, document.version, document.text)
            run = self._run(self._rules, document.name, self._checked, *values)
            document.checking = self._start(run)
        return await asyncio.shield(document.checking)

    def _checked(self, document: OpenDocument, version: int, text: str) -> CheckedVersion | None:
        if document.version != version:
            return None
        name, path, project = document.name, Path(document.name), self._project
        try:
            settings = project.settings(path.absolute().parent)
        except (GladisError, OSError) as error:
            raise _SettingsError(f"Acronyms are not checked or explained here: {error}") from error
        self._shown_errors.clear()
        formats = (
            path.suffix and format_of_file(path),
            LANGUAGES.get(document.language, document.language),
        )
        format = next((each for each in formats if each in text_formats()), None) or "text"
        is_file = path.is_absolute()
        source = read_text(without_lone_surrogates(text), format, name if is_file else "")
        read = project.put(source.at(name=name, path=name), settings)
        reported = [read] if settings.is_included(path) else []
        findings = lint_documents(project.with_version(read), settings, reported)
        return CheckedVersion(version, read, tuple(findings), project.definitions)

    async def _link(self, document: OpenDocument | None) -> LinkedVersion | None:
        """Resolve the acronyms in the newest version of a document, at most once for a version."""
        if document is None:
            return None
        if document.linking is None:
            document.linking = self._start(self._linked(document))
        return await asyncio.shield(document.linking)

    async def _linked(self, document: OpenDocument) -> LinkedVersion | None:
        def work(checked: CheckedVersion) -> LinkedVersion | None:
            if document.linked and document.linked.holds_for(checked):
                return replace(document.linked, checked=checked)
            is_newest = document.version == checked.version
            return link(self._pipeline.result(), checked) if is_newest else None

        checked = await self._check(document)
        linked = await self._run(self._model, document.name, work, checked) if checked else None
        document.linked = linked or document.linked
        return linked

    async def _hover(self, params: types.HoverParams) -> types.Hover | None:
        document = self._open.get(params.text_document.uri)
        if not (checked := await self._check(document)) or not document:
            return None
        lines = self._lines(checked.text)
        offset = lines.offset(params.position)
        mention = document.linked and document.linked.find_in(checked, offset)
        if not mention and (linked := await self._link(document)):
            mention = linked.find(offset, offset)
        if not mention:
            return None
        where = features.origin(mention.answer, checked.document, self._project.documents)
        content = types.MarkupContent(types.MarkupKind.Markdown, explain(mention.answer, where))
        return types.Hover(content, lines.range(mention.start, mention.end))

    async def _actions(self, params: types.CodeActionParams) -> list[types.CodeAction]:
        uri, only = params.text_document.uri, params.context.only or ()
        if not (linked := await self._link(self._open.get(uri))):
            return []
        lines = self._lines(linked.checked.text)
        find = partial(features.to_code_actions, linked, uri, params.range, only, lines)
        return await self._run(self._model, uri, lambda: list(find())) or []

    async def _complete(self, params: types.CompletionParams) -> list[types.CompletionItem]:
        document = self._open.get(params.text_document.uri)
        if not (checked := await self._check(document)):
            return []
        lines, others = self._lines(checked.text), list(self._project.documents.values())
        return features.complete(checked.document, others, lines, lines.offset(params.position))

    async def _symbols(self, params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        checked = await self._check(self._open.get(params.text_document.uri))
        return features.to_symbols(checked, self._lines(checked.text)) if checked else []

    def _find_symbols(self, params: types.WorkspaceSymbolParams) -> list[types.SymbolInformation]:
        documents, codec = self._project.documents, self.protocol.workspace.position_codec
        return features.find_symbols(list(documents.values()), params.query, codec)

    async def _add(self, uri: str, acronym: str, long_form: str) -> None:
        """Add an acronym and its long form to the list of the project that contains a document."""
        document = self._open.get(uri)
        folder = Path(document.name).absolute().parent if document else Path.cwd()
        path = await self._run(self._rules, acronym, add_to_project, folder, acronym, long_form)
        self._log(f"Added {acronym} to {path}." if path else f"{acronym} was not added.")
        await self._files_changed(None)
