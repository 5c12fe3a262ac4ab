"""The service as an ASGI application."""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from spacy.language import Language
from starlette.middleware.trustedhost import TrustedHostMiddleware

from .. import __version__
from ..dictionary.candidate import LONGEST_ACRONYM
from ..errors import InputError
from .annotator import Annotator
from .limits import BusyError, Gate, Limits, Rate, TooLongError, Worker, refuse
from .messages import (
    MOST_CANDIDATES,
    AnnotateRequest,
    Annotation,
    Failure,
    Health,
    LookupAnswer,
)

logger = logging.getLogger("spacy_gladis")

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
    "/candidates.js": ("serve", "page/candidates.js", "text/javascript"),
    "/own.js": ("serve", "page/own.js", "text/javascript"),
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

    # Swagger's page comes from other servers: none is offered, /openapi.json is.
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
        rate=Rate(limits.a_minute) if limits.a_minute else None,
        most_bytes=_WORST * limits.characters + _OVERHEAD,
        timeout=limits.seconds,
    )
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(limits.hosts))
    _answer_failures(app)

    @app.post("/annotate", responses=_FAILURES)
    async def annotate(request: AnnotateRequest) -> Annotation:
        """Find the acronyms of a text and tell what each one means there."""
        return await model.run(annotator.annotate, request)

    @app.get("/lookup", responses=_FAILURES)
    async def lookup(
        acronym: Annotated[str, Query(min_length=1, max_length=LONGEST_ACRONYM)],
        limit: Annotated[int, Query(ge=1, le=MOST_CANDIDATES)] = 20,
    ) -> LookupAnswer:
        """Show the long forms of an acronym, the most frequent first."""
        return await table.run(annotator.lookup, acronym, limit)

    @app.get("/health")
    async def health() -> Health:
        """Whether the service works, and how busy it is."""
        return Health(version=__version__, acronyms=acronyms, waiting=model.waiting)

    acronyms = len(annotator.dictionary)
    for path, (subpackage, name, kind) in _PAGE.items():
        content = files(f"spacy_gladis.{subpackage}").joinpath(name).read_bytes()
        app.get(path, include_in_schema=False)(_static(content, kind))
    return app


def _static(content: bytes, kind: str) -> Callable[[], Awaitable[Response]]:
    async def give() -> Response:
        return Response(content, media_type=f"{kind}; charset=utf-8")

    return give


def _answer_failures(app: FastAPI) -> None:
    """A failure's answer says what the client can do, and nothing of the inside."""

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> Response:
        # Each problem also holds the input, which nobody needs back.
        problems = (
            f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors()[:10]
        )
        return refuse(422, "; ".join(problems))

    @app.exception_handler(InputError)
    async def unusable(request: Request, error: InputError) -> Response:
        return refuse(422, str(error))

    @app.exception_handler(TooLongError)
    async def too_long(request: Request, error: TooLongError) -> Response:
        return refuse(413, str(error))

    @app.exception_handler(BusyError)
    async def busy(request: Request, error: BusyError) -> Response:
        return refuse(503, "The service is busy: try again in a moment.", 1)

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        logger.error("A request to %s failed: %s", request.url.path, type(error).__name__)
        return refuse(500, "Something went wrong here; it is not your fault.")
