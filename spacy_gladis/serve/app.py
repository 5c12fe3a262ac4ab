"""The service as an ASGI application."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Annotated, Any

from fastapi import FastAPI, Query, Response
from spacy.language import Language
from starlette.middleware.cors import CORSMiddleware

from .. import __version__
from ..dictionary.candidate import LONGEST_ACRONYM
from .annotator import Annotator
from .failures import answer_failures
from .limits import Gate, Limits, Rate, Worker
from .messages import (
    MOST_CANDIDATES,
    AnnotateRequest,
    Annotation,
    BatchAnswer,
    BatchRequest,
    Failure,
    Health,
    LookupAnswer,
)
from .reference import render_reference

_OVERHEAD = 1 << 20  # bytes for an own dictionary and JSON's own signs
_WORST = 12  # bytes of JSON for one character: two escaped surrogates
_FAILURES: dict[int | str, dict[str, Any]] = {
    408: {"model": Failure, "description": "The request came too slowly"},
    413: {"model": Failure, "description": "Too long"},
    422: {"model": Failure, "description": "Not what was expected"},
    429: {"model": Failure, "description": "Too many requests"},
    503: {"model": Failure, "description": "Too busy, or it took too long"},
}
_PAGE = {
    "/": ("serve", "page/index.html", "text/html"),
    "/page.css": ("serve", "page/page.css", "text/css"),
    "/style.css": ("output", "templates/style.css", "text/css"),
    "/page.js": ("serve", "page/page.js", "text/javascript"),
    "/panel.js": ("serve", "page/panel.js", "text/javascript"),
    "/own.js": ("serve", "page/own.js", "text/javascript"),
    "/service.js": ("serve", "page/service.js", "text/javascript"),
    "/example.txt": ("serve", "page/example.txt", "text/plain"),
}


def create_app(nlp: Language, limits: Limits | None = None) -> FastAPI:
    """The service around a pipeline of `load_pipeline`."""
    limits = limits or Limits()
    annotator = Annotator(nlp, limits)
    model = Worker(limits.seconds, limits.waiting)
    table = Worker(limits.seconds, limits.waiting)

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        yield
        model.close()
        table.close()

    # FastAPI's own pages of documentation load scripts from other servers: /docs is ours.
    app = FastAPI(
        title="spacy_gladis",
        version=__version__,
        description="Finds acronyms in text and tells what each one means there.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    app.add_middleware(
        Gate,
        hosts=limits.hosts,
        rate=Rate(limits.a_minute) if limits.a_minute else None,
        most_bytes=_WORST * limits.characters + _OVERHEAD,
        timeout=limits.seconds,
    )
    if limits.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(limits.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Content-Type"],
            expose_headers=["Retry-After"],
        )
    answer_failures(app)

    @app.post("/annotate", responses=_FAILURES)
    async def annotate(request: AnnotateRequest) -> Annotation:
        """Find the acronyms of a text and tell what each one means there."""
        return await model.run(annotator.annotate, request)

    @app.post("/annotate/batch", responses=_FAILURES)
    async def annotate_batch(request: BatchRequest) -> BatchAnswer:
        """Annotate many texts, each a document of its own.

        Together they have the limits of a single text.
        """
        return await model.run(annotator.annotate_batch, request)

    @app.get("/lookup", responses=_FAILURES)
    async def lookup(
        acronym: Annotated[str, Query(min_length=1, max_length=LONGEST_ACRONYM)],
        limit: Annotated[int, Query(ge=1, le=MOST_CANDIDATES)] = 20,
    ) -> LookupAnswer:
        """Show the long forms of an acronym, the most frequent first."""
        return await table.run(annotator.lookup, acronym, limit)

    @app.get("/health")
    async def health() -> Health:
        """Tell whether the service works, what it takes, and how busy it is."""
        return Health(
            version=__version__,
            acronyms=acronyms,
            characters=limits.characters,
            waiting=model.waiting,
        )

    acronyms = len(annotator.dictionary)
    for path, (subpackage, name, kind) in _PAGE.items():
        content = files(f"spacy_gladis.{subpackage}").joinpath(name).read_bytes()
        app.get(path, include_in_schema=False)(_static(content, kind))
    reference = render_reference(app.openapi()).encode()
    app.get("/docs", include_in_schema=False)(_static(reference, "text/html"))
    return app


def _static(content: bytes, kind: str) -> Callable[[], Awaitable[Response]]:
    async def give() -> Response:
        return Response(content, media_type=f"{kind}; charset=utf-8")

    return give
