"""Requests and responses of the services. Their descriptions appear in the services' schemas."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..dictionary.candidate import LONGEST_ACRONYM, LONGEST_LONG_FORM, MAX_COUNT
from ..settings import FIELDS

MOST_ENTRIES = 1000
"""Maximum number of added entries, removed entries and ignored words in a request."""

MOST_CANDIDATES = 50
"""Maximum number of long forms to return for an acronym."""

MOST_TEXTS = 1000
"""Maximum number of texts in a request. Together they have the same limits as a single text."""

Acronym = Annotated[str, Field(min_length=1, max_length=LONGEST_ACRONYM)]
LongForm = Annotated[str, Field(min_length=1, max_length=LONGEST_LONG_FORM)]
Share = Annotated[float, Field(ge=0, le=1)]
TextFormat = Annotated[
    Literal["text", "markdown", "restructuredtext", "html", "latex", "asciidoc"],
    Field(description="Format of the text. Markup, code and formulas are not annotated."),
]
SubjectField = Annotated[
    str | None,
    Field(
        description="Subject field of the text. By default, it is inferred from the text.",
        json_schema_extra={"enum": [*FIELDS, None]},
    ),
]


RuleCodes = Annotated[
    list[str] | None,
    Field(
        description="Codes of the linter's rules to check or their beginnings, such as AC001 (used "
        "but never defined), or ALL. By default, the project's settings select the rules."
    ),
]


class Message(BaseModel):
    """Base class of requests, which rejects unknown fields."""

    model_config = ConfigDict(extra="forbid")


class AddedEntry(Message):
    """A long form to add to the dictionary. If it exists, its count is increased."""

    acronym: Acronym
    long_form: LongForm
    count: int | None = Field(
        default=None,
        ge=1,
        le=MAX_COUNT,
        description="Frequency of the long form. Defaults to the frequency of the acronym's most "
        "frequent long form.",
    )


class RemovedEntry(Message):
    """A dictionary entry to hide."""

    acronym: Acronym
    long_form: LongForm | None = Field(
        default=None,
        description="Long form to hide. Defaults to all long forms of the acronym.",
    )


class DictionaryChanges(Message):
    """Changes to the dictionary for a single request.

    Entries are removed before other entries are added.
    """

    add: list[AddedEntry] = Field(
        default=[], max_length=MOST_ENTRIES, description="Entries to add."
    )
    remove: list[RemovedEntry] = Field(
        default=[], max_length=MOST_ENTRIES, description="Entries to hide."
    )
    ignore: list[Acronym] = Field(
        default=[], max_length=MOST_ENTRIES, description="Words that are not acronyms."
    )


class AnnotationSettings(Message):
    """Settings of an annotation."""

    format: TextFormat = "text"
    threshold: Share | None = Field(
        default=None,
        description="Probability below which an acronym is left unresolved. Defaults to the "
        "pipeline's threshold.",
    )
    top_k: int | None = Field(
        default=None,
        ge=1,
        le=MOST_CANDIDATES,
        description="Maximum number of candidates for each acronym.",
    )
    field: SubjectField = None
    expand: Literal["first", "all"] | None = Field(
        default=None,
        description="Also return the text with long forms in place of acronyms: of the first "
        "mention or of all mentions.",
    )
    dictionary: DictionaryChanges = Field(
        default=DictionaryChanges(), description="Changes to the dictionary for this request."
    )
    ask_model: bool = Field(
        default=False,
        description="Ask the service's language model about acronyms that are not certain.",
    )


class AnnotateRequest(AnnotationSettings):
    """A text to annotate."""

    text: str = Field(
        description="The text.", examples=["The AI for potassium is 4.7 grams a day."]
    )


class BatchRequest(AnnotationSettings):
    """Texts to annotate."""

    texts: list[str] = Field(
        max_length=MOST_TEXTS,
        description="The texts. Each is a separate document.",
        examples=[["The AI for potassium is 4.7 grams a day.", "The QBR is on Monday."]],
    )


class Candidate(BaseModel):
    """A possible long form of an acronym."""

    long_form: str
    probability: Share
    gloss: str = Field(default="", description="Short description of the long form.")


class Mention(BaseModel):
    """A mention of an acronym and its resolution. Offsets are in Unicode code points."""

    start: int = Field(description="Offset of the first character.")
    end: int = Field(description="Offset of the last character, plus one.")
    acronym: str
    long_form: str | None = Field(description="The long form. Null if it is not known.")
    probability: Share = Field(description="Probability that the long form is right.")
    source: Literal["definition", "document", "folder", "dictionary", "llm", "nil"] = Field(
        description="Where the long form comes from. `nil` if it is not known."
    )
    candidates: list[Candidate] = Field(description="Possible long forms, most probable first.")
    why: list[str] = Field(default=[], description="Reasons for the result.")
    gloss: str = Field(default="", description="Short description of the long form.")
    defined_in: str = Field(
        default="", description="Document that defines the acronym, if the source is `folder`."
    )


class Definition(BaseModel):
    """A definition of an acronym in the text. Offsets are pairs of start and end."""

    acronym: str
    long_form: str
    acronym_offsets: tuple[int, int]
    long_form_offsets: tuple[int, int]


class Annotation(BaseModel):
    """Acronyms and definitions of a text."""

    acronyms: list[Mention]
    definitions: list[Definition]
    expanded: str | None = Field(
        default=None, description="The text with long forms, if the request has `expand`."
    )


class ExplainedAcronym(Mention):
    """All mentions of an acronym with the same long form. Other values are those of the first."""

    count: int = Field(description="Number of mentions.")
    lines: list[int] = Field(description="Lines of the text with mentions, from 1.")


class Explanation(BaseModel):
    """The acronyms of a text, in the order of their first mention."""

    acronyms: list[ExplainedAcronym]


class BatchAnswer(BaseModel):
    """Acronyms and definitions of several texts."""

    documents: list[Annotation] = Field(description="Results in the order of the texts.")


class FileText(BaseModel):
    """Plain text of a file."""

    text: str


class KnownLongForm(BaseModel):
    """A long form in the dictionary."""

    long_form: str
    total: int = Field(description="Frequency in all sources.")
    counts: dict[str, int] = Field(description="Frequency in each source.")
    gloss: str = Field(default="", description="Short description of the long form.")


class LookupAnswer(BaseModel):
    """Long forms of an acronym in the dictionary."""

    acronym: str
    candidates: list[KnownLongForm] = Field(description="Long forms, most frequent first.")
    suggestions: list[str] = Field(
        description="Similar acronyms, if the dictionary doesn't contain this one."
    )


class Meaning(BaseModel):
    """A long form of an acronym, without a context."""

    long_form: str
    gloss: str = Field(description="Short description of the long form.")
    count: int = Field(description="Frequency in the sources of the dictionary.")
    is_own: bool = Field(description="Whether it is a user entry, which takes precedence.")


class Meanings(BaseModel):
    """Long forms of an acronym: those of user entries, then the most frequent ones."""

    meanings: list[Meaning]
    suggestions: list[str] = Field(description="Similar acronyms, if this one is unknown.")


class Problem(BaseModel):
    """A problem with an acronym, as the linter reports it."""

    line: int
    column: int
    code: str = Field(description="Code of the rule.")
    severity: Literal["error", "warning", "note"]
    acronym: str
    message: str


class Problems(BaseModel):
    """The problems of a text, in the order of the text."""

    problems: list[Problem]


class Addition(BaseModel):
    """The result of adding a user entry."""

    is_new: bool = Field(description="False if the entry existed already.")


class Health(BaseModel):
    """State of the service."""

    status: Literal["ok"] = "ok"
    version: str
    acronyms: int = Field(description="Number of acronyms in the dictionary.")
    characters: int = Field(description="Maximum number of characters in a request's texts.")
    bytes: int = Field(description="Maximum length of a request in bytes.")
    waiting: int = Field(description="Number of requests in progress.")
    language_model: bool = Field(description="Whether a request may set `ask_model`.")


class Failure(BaseModel):
    """Reason why a request was not answered."""

    detail: str
