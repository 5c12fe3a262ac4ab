"""The service as an ASGI application."""

from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from typing import Annotated, Any

from fastapi import Body, FastAPI, Query, Response
from fastapi_offline import FastAPIOffline
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.trustedhost import TrustedHostMiddleware

from .. import __version__
from ..dictionary.candidate import LONGEST_ACRONYM
from .failures import answer_failures
from .limits import Guard
from .messages import (
    MOST_CANDIDATES,
    AnnotateRequest,
    Annotation,
    BatchAnswer,
    BatchRequest,
    Failure,
    FileText,
    Health,
    LookupAnswer,
)
from .workers import Workers

_LONGEST_NAME = 255
_OVERHEAD = 1 << 20  # bytes for an own dictionary and JSON's own signs
_WORST = 12  # bytes of JSON for one character: two escaped surrogates
_FAILURES: dict[int | str, dict[str, Any]] = {
    408: {"model": Failure, "description": "The request came too slowly"},
    413: {"model": Failure, "description": "Too long"},
    422: {"model": Failure, "description": "Not what was expected"},
    503: {"model": Failure, "description": "Too busy, or it took too long"},
}
_PAGE = {
    "/": ("serve", "page/index.html", "text/html"),
    "/page.css": ("serve", "page/page.css", "text/css"),
    "/style.css": ("output", "templates/style.css", "text/css"),
    "/page.js": ("serve", "page/page.js", "text/javascript"),
    "/panel.js": ("serve", "page/panel.js", "text/javascript"),
    "/own.js": ("serve", "page/own.js", "text/javascript"),
    "/files.js": ("serve", "page/files.js", "text/javascript"),
    "/service.js": ("serve", "page/service.js", "text/javascript"),
    "/example.txt": ("serve", "page/example.txt", "text/plain"),
}


LOCAL = ("localhost", "127.0.0.1", "::1")
"""Names of a service that listens on this machine alone."""


def create_app(
    workers: Workers,
    hosts: Sequence[str] = LOCAL,
    origins: Sequence[str] = (),
    *,
    language_model: bool = False,
) -> FastAPI:
    """The service around processes that answer.

    hosts: names under which the service is asked for, in small letters; `*.example.org` stands for
        all names below one, `*` for any; anything else is refused, so that no web page reaches a
        loopback service under a name of its own.
    origins: of other web pages that may ask, such as `https://example.org`, `*` for any.
    language_model: whether the workers' pipelines have an `acronym_llm`, which the page offers.
    """
    limits = workers.limits
    app = FastAPIOffline(
        title="spacy_gladis",
        version=__version__,
        description="Finds acronyms in text and tells what each one means there.",
        redoc_url=None,
    )
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False)
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Content-Type"],
            expose_headers=["Retry-After"],
        )
    most_bytes = _WORST * limits.characters + _OVERHEAD
    app.add_middleware(Guard, most_bytes=most_bytes, seconds=limits.seconds)
    answer_failures(app)

    @app.post("/annotate", responses=_FAILURES)
    async def annotate(request: AnnotateRequest) -> Annotation:
        """Find the acronyms of a text and tell what each one means there."""
        answer: Annotation = await workers.ask("annotate", request)
        return answer

    @app.post("/annotate/batch", responses=_FAILURES)
    async def annotate_batch(request: BatchRequest) -> BatchAnswer:
        """Annotate many texts, each a document of its own.

        Together they have the limits of a single text.
        """
        answer: BatchAnswer = await workers.ask("annotate_batch", request)
        return answer

    @app.post("/read", responses=_FAILURES)
    async def read(
        name: Annotated[str, Query(max_length=_LONGEST_NAME, examples=["report.docx"])],
        content: Annotated[bytes, Body(media_type="application/octet-stream")],
    ) -> FileText:
        """Give the plain text of a file; the ending of its name tells the format."""
        answer: FileText = await workers.ask("read", name, content)
        return answer

    @app.get("/lookup", responses=_FAILURES)
    async def lookup(
        acronym: Annotated[str, Query(min_length=1, max_length=LONGEST_ACRONYM)],
        limit: Annotated[int, Query(ge=1, le=MOST_CANDIDATES)] = 20,
    ) -> LookupAnswer:
        """Show the long forms of an acronym, the most frequent first."""
        answer: LookupAnswer = await workers.ask("lookup", acronym, limit)
        return answer

    @app.get("/health")
    async def health() -> Health:
        """Tell whether the service works, what it takes, and how busy it is."""
        return Health(
            version=__version__,
            acronyms=workers.acronyms,
            characters=limits.characters,
            bytes=most_bytes,
            waiting=workers.waiting,
            language_model=language_model,
        )

    for path, (subpackage, name, kind) in _PAGE.items():
        content = files(f"spacy_gladis.{subpackage}").joinpath(name).read_bytes()
        app.get(path, include_in_schema=False)(_static(content, kind))
    return app


def _static(content: bytes, kind: str) -> Callable[[], Awaitable[Response]]:
    async def give() -> Response:
        return Response(content, media_type=f"{kind}; charset=utf-8")

    return give
