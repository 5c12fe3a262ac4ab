"""The page /docs: the service's OpenAPI description for people, with no other server's scripts."""

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined

_UNLISTED = {"ValidationError", "HTTPValidationError"}  # FastAPI's own; ours is Failure


def render_reference(description: Mapping[str, Any]) -> str:
    """The page as HTML. description: an OpenAPI 3.1 document, as FastAPI makes it."""
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters |= {"type": type_of, "example": _example, "json": json.dumps}
    page = files("spacy_gladis.serve").joinpath("page/reference.jinja").read_text("utf8")
    schemas = description["components"]["schemas"]
    return environment.from_string(page).render(
        info=description["info"],
        operations=[
            (method.upper(), path, operation)
            for path, methods in description["paths"].items()
            for method, operation in methods.items()
        ],
        schemas={name: one for name, one in schemas.items() if name not in _UNLISTED},
        content=_content,
    )


def type_of(schema: Mapping[str, Any]) -> str:
    """A JSON schema's type in words: `number, 0 to 1, or null`, `list of Mention`."""
    if "$ref" in schema:
        return _name(schema)
    if "anyOf" in schema:
        return ", or ".join(map(type_of, schema["anyOf"]))
    if "enum" in schema or "const" in schema:
        return ", ".join(json.dumps(one) for one in schema.get("enum", [schema.get("const")]))
    kind: str = schema["type"]
    if "prefixItems" in schema:
        return f"list of {len(schema['prefixItems'])} {type_of(schema['prefixItems'][0])}s"
    if kind == "array":
        most = f", at most {schema['maxItems']}" if "maxItems" in schema else ""
        return f"list of {type_of(schema['items'])}{most}"
    if "additionalProperties" in schema:
        return f"object of {type_of(schema['additionalProperties'])}s"
    limits = [schema.get(name) for name in ("minimum", "maximum", "minLength", "maxLength")]
    low, high, shortest, longest = (None if one is None else f"{one:,.10g}" for one in limits)
    if longest:
        return f"{kind}, {shortest or 0} to {longest} characters"
    if low and high:
        return f"{kind}, {low} to {high}"
    return f"{kind}, {low} or more" if low else kind


def _content(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a request's or an answer's JSON."""
    schema: Mapping[str, Any] = body["content"]["application/json"]["schema"]
    return schema


def _name(reference: Mapping[str, Any]) -> str:
    name: str = reference["$ref"].rpartition("/")[2]
    return name


def _example(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """A body of a request: what its required fields give as an example."""
    fields = schemas[_name(schema)]["properties"]
    shown = {name: one["examples"][0] for name, one in fields.items() if "examples" in one}
    return json.dumps(shown)
