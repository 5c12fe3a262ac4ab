"""Requests and responses of the REST service and the MCP server, as pydantic models.

The docstrings and descriptions appear in the schemas that clients read.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..dictionary.candidate import LONGEST_ACRONYM, LONGEST_LONG_FORM, MAX_COUNT
from ..settings import FIELDS

MOST_ENTRIES = 1000
"""Maximum number of added entries, of removed entries and of ignored words in a request."""

MOST_CANDIDATES = 50
"""Maximum number of long forms that a request can ask for."""

MOST_TEXTS = 1000
"""Maximum number of texts in a request. The limits on their length apply to all texts together."""

Acronym = Annotated[str, Field(min_length=1, max_length=LONGEST_ACRONYM)]
LongForm = Annotated[str, Field(min_length=1, max_length=LONGEST_LONG_FORM)]
Share = Annotated[float, Field(ge=0, le=1)]
TextFormat = Annotated[
    Literal["text", "markdown", "restructuredtext", "html", "latex", "asciidoc"],
    Field(description="Format of the text. Markup, code and formulas in it are ignored."),
]
SubjectField = Annotated[
    str | None,
    Field(
        description="Subject field of the text. Null infers it from the text.",
        json_schema_extra={"enum": [*FIELDS, None]},
    ),
]


RuleCodes = Annotated[
    list[str] | None,
    Field(
        description="Codes of the linter rules to check, or their beginnings, such as AC001 (used "
        "but never defined), or ALL. By default, the project's settings select the rules."
    ),
]


class Message(BaseModel):
    """Base class of requests. It rejects unknown fields."""

    model_config = ConfigDict(extra="forbid")


class AddedEntry(Message):
    """A long form of an acronym to add to the dictionary.

    If it exists, its frequency is increased.
    """

    acronym: Acronym
    long_form: LongForm
    count: int | None = Field(
        default=None,
        ge=1,
        le=MAX_COUNT,
        description="Frequency of the long form. Defaults to that of the acronym's most frequent "
        "long form.",
    )


class RemovedEntry(Message):
    """A long form of an acronym to hide, as if the dictionary did not contain it."""

    acronym: Acronym
    long_form: LongForm | None = Field(
        default=None,
        description="Long form to hide. Null hides all long forms of the acronym.",
    )


class DictionaryChanges(Message):
    """Changes to the dictionary that apply only to this request.

    Entries are removed before other entries are added.
    """

    add: list[AddedEntry] = Field(
        default=[], max_length=MOST_ENTRIES, description="Acronyms and long forms to add."
    )
    remove: list[RemovedEntry] = Field(
        default=[], max_length=MOST_ENTRIES, description="Acronyms and long forms to hide."
    )
    ignore: list[Acronym] = Field(
        default=[],
        max_length=MOST_ENTRIES,
        description="Words that are not acronyms and stay unannotated.",
    )


class AnnotationSettings(Message):
    """Settings that control how the acronyms of a text are resolved."""

    format: TextFormat = "text"
    threshold: Share | None = Field(
        default=None,
        description="Minimum probability of a long form. Acronyms below it stay unresolved. "
        "Defaults to the threshold of the service.",
    )
    top_k: int | None = Field(
        default=None,
        ge=1,
        le=MOST_CANDIDATES,
        description="Maximum number of possible long forms to return for each acronym.",
    )
    field: SubjectField = None
    expand: Literal["first", "all"] | None = Field(
        default=None,
        description="Also return the text with long forms in place of acronyms, for the first "
        "mention of each acronym or for all mentions.",
    )
    dictionary: DictionaryChanges = Field(
        default=DictionaryChanges(), description="Changes to the dictionary for this request."
    )
    ask_model: bool = Field(
        default=False,
        description="Ask the service's language model about acronyms with uncertain long forms.",
    )


class AnnotateRequest(AnnotationSettings):
    """A text whose acronyms are to be found and resolved, with optional settings."""

    text: str = Field(
        description="Text to annotate.", examples=["The AI for potassium is 4.7 grams a day."]
    )


class BatchRequest(AnnotationSettings):
    """Several texts whose acronyms are to be found and resolved, with settings for all of them."""

    texts: list[str] = Field(
        max_length=MOST_TEXTS,
        description="Texts to annotate. Each of them is a separate document.",
        examples=[["The AI for potassium is 4.7 grams a day.", "The QBR is on Monday."]],
    )


class Candidate(BaseModel):
    """A possible long form of an acronym, with its probability."""

    long_form: str
    probability: Share
    gloss: str = Field(default="", description="Short description of the long form.")


class Mention(BaseModel):
    """A mention of an acronym in the text, with its long form.

    Offsets count Unicode code points.
    """

    start: int = Field(description="Offset of the first character in the text, counted from 0.")
    end: int = Field(description="Offset after the last character in the text.")
    acronym: str
    long_form: str | None = Field(description="Long form. Null if the acronym is unresolved.")
    probability: Share = Field(description="Probability that the long form is right.")
    source: Literal["definition", "document", "folder", "dictionary", "llm", "nil"] = Field(
        description="Where the long form comes from. `nil` if the acronym is unresolved."
    )
    candidates: list[Candidate] = Field(description="Possible long forms, most probable first.")
    why: list[str] = Field(default=[], description="Reasons for the answer, as phrases.")
    gloss: str = Field(default="", description="Short description of the long form.")
    defined_in: str = Field(
        default="", description="Document that has the long form, if the source is `folder`."
    )


class Definition(BaseModel):
    """A definition of an acronym in the text, such as "machine learning (ML)".

    Offsets are pairs of start and end (exclusive), in Unicode code points.
    """

    acronym: str
    long_form: str
    acronym_offsets: tuple[int, int]
    long_form_offsets: tuple[int, int]


class Annotation(BaseModel):
    """The acronyms and definitions that were found in a text."""

    acronyms: list[Mention]
    definitions: list[Definition]
    expanded: str | None = Field(
        default=None, description="The text with long forms, if the request has `expand`."
    )


class ExplainedAcronym(Mention):
    """All mentions of an acronym that have the same long form.

    Values such as the probability are those of the first mention.
    """

    count: int = Field(description="Number of mentions with this long form.")
    lines: list[int] = Field(description="Numbers of the lines with mentions, from 1.")


class Explanation(BaseModel):
    """The acronyms of a text, in the order of their first mention."""

    acronyms: list[ExplainedAcronym]


class BatchAnswer(BaseModel):
    """The acronyms and definitions that were found in several texts."""

    documents: list[Annotation] = Field(description="One result per text, in order.")


class FileText(BaseModel):
    """The plain text of a file."""

    text: str


class KnownLongForm(BaseModel):
    """A long form of an acronym in the dictionary, with its frequency."""

    long_form: str
    total: int = Field(description="Frequency of the long form in all sources.")
    counts: dict[str, int] = Field(description="Frequency in each source, by its name.")
    gloss: str = Field(default="", description="Short description of the long form.")


class LookupAnswer(BaseModel):
    """The long forms of an acronym in the dictionary."""

    acronym: str
    candidates: list[KnownLongForm] = Field(description="Long forms, most frequent first.")
    suggestions: list[str] = Field(
        description="Similar acronyms, if the dictionary does not contain this one."
    )


class Meaning(BaseModel):
    """A possible meaning of an acronym, without regard to a text."""

    long_form: str
    gloss: str = Field(description="Short description of the long form.")
    count: int = Field(description="Frequency in the sources of the dictionary.")
    is_own: bool = Field(description="Whether it is a user entry. These take precedence.")


class Meanings(BaseModel):
    """The possible meanings of an acronym.

    User entries come first, then the most frequent meanings.
    """

    meanings: list[Meaning]
    suggestions: list[str] = Field(description="Similar acronyms, if this one is unknown.")


class Problem(BaseModel):
    """A problem with the use of an acronym, as the linter reports it."""

    line: int
    column: int
    code: str = Field(description="Code of the linter rule, such as AC001.")
    severity: Literal["error", "warning", "note"]
    acronym: str
    message: str


class Problems(BaseModel):
    """The problems with acronyms in a text, in text order."""

    problems: list[Problem]


class Addition(BaseModel):
    """The result of adding an acronym to the user's own list."""

    is_new: bool = Field(description="False if the list already had this entry.")


class Health(BaseModel):
    """The state and the limits of the service."""

    status: Literal["ok"] = "ok"
    version: str
    acronyms: int = Field(description="Number of acronyms in the dictionary.")
    characters: int = Field(description="Maximum number of characters in a request's texts.")
    bytes: int = Field(description="Maximum length of a request body in bytes.")
    waiting: int = Field(description="Number of requests in progress.")
    language_model: bool = Field(description="Whether a request may set `ask_model`.")


class Failure(BaseModel):
    """The reason why the service did not answer a request."""

    detail: str
