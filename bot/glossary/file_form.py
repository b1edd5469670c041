"""The form of the data files: what may stand where. The JSON Schemas for editors come from the same models.

Almost every key may be left out here, because a later directory names only what it changes; what a complete entry
needs is checked when all directories are put together (`layers.py`).
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Discriminator, Field, Tag, TypeAdapter, model_validator
from pydantic.annotated_handlers import GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError

from bot.glossary.concept import Language
from bot.glossary.folding import fold, visible

COMMENT_MAY_FOLLOW: Final = frozenset(
    {"topic", "id", "related", "confusable_with", "chapters", "contexts", "sides", "status"}
)
"""Keys whose values are ids or fixed words: nothing that a comment behind them could have cut off."""

_ID: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_LINK: Final = re.compile(r"https?://[^\s<>\"]+")
_PINYIN: Final = re.compile(r"[a-zü]+(?: [a-zü]+)*")
_MONTH: Final = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])")


def fault(message: str) -> PydanticCustomError:
    """What a validator raises. The message isn't a template: braces in somebody's text are no placeholders."""
    return PydanticCustomError("data", "{message}", {"message": message})


def _text(text: str) -> str:
    seen = text if text.isascii() and text.isprintable() else visible(text)  # the short way for most texts
    if _CONTROL.search(text):
        raise fault("holds a control character, written as an escape: delete it")
    if not seen.strip():
        raise fault("is empty: write a text, or delete the key")
    if seen != seen.strip():
        raise fault("begins or ends with a space: delete it")
    return seen


def _line(text: str) -> str:
    if "\n" in text or "\t" in text:
        raise fault("must stand on one line, without tabs")
    return _text(text)


def _label(text: str) -> str:
    label = _line(text)
    if not label[0].isalnum() and not fold(label):
        raise fault("holds nothing by which it could be found")
    return label


def _id(text: str) -> str:
    if _ID.fullmatch(text):
        return text
    if visible(text) != text:
        raise fault("holds an invisible character: delete the id and type it anew")
    slug = re.sub(r"[^a-z0-9]+", "-", fold(text)).strip("-")
    raise fault(f"is no id: use a-z, 0-9 and single hyphens{f', for example {slug}' if slug else ''}")


def _link(text: str) -> str:
    if not _LINK.fullmatch(text):
        raise fault("must be a whole address that begins with https:// or http://")
    return text


def _month(text: str) -> str:
    if not _MONTH.fullmatch(text):
        raise fault('must be a year and a month, like "2026-11"')
    return text


def _pinyin(text: str) -> str:
    if not _PINYIN.fullmatch(text):
        raise fault('is no pinyin; write syllables in small letters, without tones, such as "chong pei liang"')
    return text


Text: TypeAlias = Annotated[str, AfterValidator(_text)]
Line: TypeAlias = Annotated[str, AfterValidator(_line)]
LabelText: TypeAlias = Annotated[str, AfterValidator(_label)]
Id: TypeAlias = Annotated[str, AfterValidator(_id), Field(json_schema_extra={"pattern": f"^{_ID.pattern}$"})]
Ids: TypeAlias = list[Id]
Words: TypeAlias = list[LabelText]
"""Words of running text, found as a label is: whatever the case, in the plural too; Chinese ones anywhere."""
Level: TypeAlias = Annotated[int, Field(ge=1, le=3)]
"""1 = everybody in the field says it, 2 = practitioners, 3 = specialists."""


class Form(BaseModel):
    """Strict: no unknown key, and no number where text belongs."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def named(self, *names: str) -> bool:
        """Whether the file names all of these keys (by their names in Python)."""
        return self.model_fields_set.issuperset(names)


class TextOrForm(Form):
    """A form whose short form is a plain text."""

    @classmethod
    def from_text(cls, text: str) -> dict[str, Any]:
        return {"text": text}

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, value: object) -> object:
        return cls.from_text(value) if isinstance(value, str) else value

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {"anyOf": [{"type": "string"}, handler(core_schema)]}


class LabelForm(TextOrForm):
    """One way to write a concept: a text, or a mapping where the label needs more than its text."""

    text: LabelText
    case_sensitive: bool = Field(False, description="In running text only this case counts (IR, not ir).")
    explain: bool = Field(True, description="false: never explained unasked; for everyday words and two-letter codes.")
    part: bool = Field(False, description="Names one part of what the entry covers (prefill, of prefill / decode).")
    status: Literal["admitted", "avoid"] = "admitted"
    note: Line | None = Field(None, description="Why the label is to be avoided.")
    pinyin: Annotated[str, AfterValidator(_pinyin)] | None = Field(
        None, description='The right reading of a Chinese label where the usual one is wrong ("chong pei liang").'
    )
    near: Words = Field([], description="In running text it counts only near one of these, or with another clear term.")
    contexts: Ids = Field([], description="Ids from contexts.yaml: lists of words that count like `near`.")
    not_near: Words = Field([], description="In running text it doesn't count near one of these: another sense.")


def _heading(label: LabelForm) -> LabelForm:
    if len(label.text) > 60:
        raise fault(f"is {len(label.text)} characters long; at most 60 are allowed")
    return label


class SectionForm(Form):
    """What one language says about a concept."""

    pref_label: Annotated[LabelForm, AfterValidator(_heading)] | None = Field(
        None, description="The name shown as heading."
    )
    full_form: LabelForm | None = Field(None, description="Where pref_label is an abbreviation: what it stands for.")
    alt_labels: list[LabelForm] = Field([], description="Other names, the most usual first; shown.")
    hidden_labels: list[LabelForm] = Field([], description="Found but never shown: misspellings and the like.")
    not_labels: list[LabelText] = Field(
        [], description="Near misses that mean something else; never corrected into this."
    )
    summary: Line | None = None
    definition: Text | None = Field(None, description="Two to five sentences; best as a block, after >-")
    qualifier: Line | None = Field(None, description="Tells this concept from another one with the same label.")


class EnglishSection(SectionForm):
    summary: Annotated[Line, Field(max_length=90)] | None = Field(
        None, description="One line that stands alone, at most 90 characters."
    )


class ChineseSection(SectionForm):
    summary: Annotated[Line, Field(max_length=45)] | None = Field(
        None, description="One line that stands alone, at most 45 characters."
    )


class TextsForm(Form):
    """A text per language."""

    en: Line | None = None
    zh_hans: Line | None = Field(None, alias="zh-Hans")


class NoteForm(TextOrForm, TextsForm):
    """A text for all languages, or one per language."""

    @classmethod
    def from_text(cls, text: str) -> dict[str, Any]:
        return {"en": text, "zh-Hans": text}


class ConceptForm(Form):
    """One concept. With the id of an earlier directory's concept: only what changes."""

    id: Id = Field(description="Stable and unique; lower-case words with hyphens.")
    level: Level | None = Field(None, description="1: everybody in the field says it … 3: specialists do.")
    related: Ids = Field([], description='"See also": ids of other concepts.')
    confusable_with: Ids = Field([], description="Ids of concepts that people mix this one up with, likeliest first.")
    chapters: Ids = Field([], description="Ids from chapters.yaml.")
    en: EnglishSection | None = None
    zh_hans: ChineseSection | None = Field(None, alias="zh-Hans")
    note: NoteForm | None = Field(None, description="A small remark, for all languages or per language.")
    link: Annotated[str, AfterValidator(_link)] | None = Field(None, description="Where to read on; http(s).")
    contact: Line | None = Field(None, description="Whom to ask.")
    source: Line | None = Field(None, description="Where the definition comes from.")
    reviewed: Annotated[str, AfterValidator(_month)] | None = Field(
        None, description='Month of the last review: "2026-11".'
    )
    remove_labels: list[LabelText] = Field([], description="Labels of an earlier directory that are to go.")
    hide: bool = Field(False, description="true: takes an earlier directory's concept out.")


class GlossaryForm(Form):
    """A file of the folder glossary/: one topic and its concepts."""

    topic: Id | None = Field(None, description="Id of the topic: a known one, or a new one.")
    name: TextsForm | None = Field(None, description="The topic's name per language.")
    position: Annotated[int, Field(ge=1)] | None = Field(None, description="Place of the topic among the others.")
    concepts: list[ConceptForm] = []


class OtherLanguageForm(Form):
    labels: Annotated[list[LabelText], Field(min_length=1)] = Field(description="The first one is shown.")
    line: Line = Field(description="What it is, in one line.")


class OtherTextsForm(Form):
    en: OtherLanguageForm | None = None
    zh_hans: OtherLanguageForm | None = Field(None, alias="zh-Hans")


class OtherSideForm(Form):
    """A side that is no concept of the glossary."""

    other: OtherTextsForm


def _kind_of_side(value: object) -> str:
    return "=other" if isinstance(value, (dict, OtherSideForm)) else "=id"  # no key of any form looks like this


SideForm: TypeAlias = Annotated[
    Annotated[Id, Tag("=id")] | Annotated[OtherSideForm, Tag("=other")], Discriminator(_kind_of_side)
]


class ComparisonSectionForm(Form):
    """What one language says about a comparison."""

    gist: Line | None = Field(None, description="One or two sentences, the decision first.")
    choose: list[Line] = Field([], description='One line per side: when it is this one. Shown after "SLO: ".')


class EnglishComparison(ComparisonSectionForm):
    rows: Annotated[list[list[Annotated[Line, Field(max_length=40)]]], Field(max_length=6)] = Field(
        [], description="[aspect, one cell per side]; a cell has at most 40 characters."
    )


class ChineseComparison(ComparisonSectionForm):
    rows: Annotated[list[list[Annotated[Line, Field(max_length=20)]]], Field(max_length=6)] = Field(
        [], description="[aspect, one cell per side]; a cell has at most 20 characters."
    )


class ComparisonForm(Form):
    """An authored comparison. With the id of an earlier directory's comparison: only what changes."""

    id: Id
    sides: Annotated[list[SideForm], Field(min_length=2, max_length=3)] | None = Field(
        None, description="Two or three concept ids; one of them may be an {other: …} instead."
    )
    en: EnglishComparison | None = None
    zh_hans: ChineseComparison | None = Field(None, alias="zh-Hans")
    hide: bool = Field(False, description="true: takes an earlier directory's comparison out.")


class ChapterForm(TextsForm):
    """A handbook chapter: its title per language. Shown only where it has a `url`."""

    id: Id
    url: Annotated[str, AfterValidator(_link)] | None = None


class ContextForm(Form):
    """Words that tell a subject. With the id of an earlier directory's list: words are added."""

    id: Id
    words: Words = []
    hide: bool = Field(False, description="true: takes an earlier directory's list out.")


class PhraseForm(Form):
    """A sentence of the bot per language, with {placeholders}."""

    en: Text | None = None
    zh_hans: Text | None = Field(None, alias="zh-Hans")


SECTIONS: Final[dict[Language, str]] = {"en": "en", "zh-Hans": "zh_hans"}
"""The attribute in which a form keeps what stands under a language's key."""


def schemas() -> dict[str, dict[str, Any]]:
    """The JSON Schemas that stand in data/schema/, by file name."""
    forms: dict[str, tuple[str, Any]] = {
        "glossary.schema.json": ("A topic of the glossary", GlossaryForm),
        "comparisons.schema.json": ("Authored comparisons", list[ComparisonForm]),
        "chapters.schema.json": ("Handbook chapters", list[ChapterForm]),
        "contexts.schema.json": ("Words that tell a subject", list[ContextForm]),
        "phrases.schema.json": ("The bot's own sentences", dict[str, PhraseForm]),
    }
    found: dict[str, dict[str, Any]] = {}
    for name, (title, form) in forms.items():
        schema = _plain(TypeAdapter(form).json_schema())
        found[name] = {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": title}
    return found


def _plain(schema: Any) -> Any:
    """`schema` without nulls, which the files never hold, and without titles that only repeat names."""
    if isinstance(schema, list):
        return [_plain(part) for part in schema if part != {"type": "null"}]
    if not isinstance(schema, dict):
        return schema
    plain = {
        key: _plain(part)
        for key, part in schema.items()
        if not (key == "title" and isinstance(part, str)) and not (key == "default" and part in (None, []))
    }
    if len(plain.get("anyOf", ())) == 1:
        (only,) = plain.pop("anyOf")
        plain = {**only, **plain}
    return plain
