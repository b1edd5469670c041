"""Every kind of bad file is reported with its line and with words that help: one fault per file or directory."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import DataError, Problem
from bot.glossary.yaml_files import load

BAD = Path(__file__).parent / "bad_glossaries"

# Glossary files, each by itself: the line that is reported, and words of the message.
FILES = [
    ("alias.yaml", 4, "refers to an anchor"),
    ("anchor.yaml", 4, "YAML takes &a for an anchor"),
    ("chapter_unknown.yaml", 4, "there is no chapter other"),
    ("concepts_not_a_list.yaml", 2, "`concepts` must be a list"),
    ("confusable_unknown.yaml", 5, "there is no concept other"),
    ("context_no_id.yaml", 6, "`en.pref_label.contexts` is no id"),
    ("context_unknown.yaml", 7, "there is no context other"),
    ("control_character.yaml", 6, "U+0007"),
    ("control_escaped.yaml", 4, "a control character"),
    ("deep.yaml", 2, "more than 20 deep"),
    ("documents.yaml", 8, "a second document"),
    ("encoding_gbk.yaml", 2, "UTF-8"),
    ("flag_text.yaml", 8, "`explain` must be true or false"),
    ("flag_yes.yaml", 8, "written true or false"),
    ("hide_number.yaml", 4, "`hide` must be true or false"),
    ("hide_unknown.yaml", 4, "no earlier directory"),
    ("id_boolean.yaml", 3, "`id` is on, which YAML reads as true"),
    ("id_hyphens.yaml", 3, "for example some-thing"),
    ("id_invisible.yaml", 3, "an invisible character"),
    ("id_missing.yaml", 3, "`id` is missing"),
    ("id_number.yaml", 3, "the number 8: put it in quotes"),
    ("id_twice.yaml", 8, "id_twice.yaml:3"),
    ("id_upper.yaml", 3, "for example some-thing"),
    ("key_boolean.yaml", 4, "the key NO as false"),
    ("key_twice.yaml", 8, "`summary` stands here a second time, first in line 6"),
    ("key_unknown.yaml", 8, "did you mean `alt_labels`"),
    ("key_unknown_in_concept.yaml", 4, "`alt_labels` stands under `en` or `zh-Hans`"),
    ("key_unknown_in_file.yaml", 2, "did you mean `concepts`"),
    ("key_unknown_in_label.yaml", 8, "did you mean `explain`"),
    ("label_near_number.yaml", 6, "the number 8"),
    ("label_nothing.yaml", 8, "nothing by which it could be found"),
    ("label_of_two.yaml", 14, "label_of_two.yaml:8, too"),
    ("label_of_two_languages.yaml", 15, "label_of_two_languages.yaml:8, too"),
    ("label_of_two_one_qualifier.yaml", 11, "give thing and gadget a `qualifier` each"),
    ("label_without_text.yaml", 8, "`text` is missing in `en.alt_labels`"),
    ("labels_not_a_list.yaml", 8, "`en.alt_labels` must be a list"),
    ("language_cn.yaml", 8, "did you mean `zh-Hans`"),
    ("language_other.yaml", 8, "`fr` isn't known here"),
    ("language_twice.yaml", 8, "`en` stands here a second time, first in line 4"),
    ("language_zh.yaml", 8, "did you mean `zh-Hans`"),
    ("language_zh_cn.yaml", 8, "did you mean `zh-Hans`"),
    ("languages_missing.yaml", 3, "it needs en or zh-Hans"),
    ("level_boolean.yaml", 4, "`level` must be a whole number"),
    ("level_high.yaml", 4, "at most 3"),
    ("level_octal.yaml", 4, "the number 8"),
    ("level_text.yaml", 4, "without quotes"),
    ("link_no_address.yaml", 4, "https://"),
    ("link_script.yaml", 4, "https://"),
    ("merge_key.yaml", 4, "merge keys"),
    ("not_a_mapping.yaml", 1, "must hold keys and values"),
    ("not_label_is_label.yaml", 9, '"Gadget" is a label of thing in'),
    ("open_quote.yaml", 6, "opened here and never closed"),
    ("position_text.yaml", 2, "`position` must be a whole number"),
    ("position_zero.yaml", 2, "at least 1"),
    ("pref_label_long.yaml", 5, "61 characters long; at most 60"),
    ("pref_label_missing.yaml", 5, "thing lacks pref_label in en"),
    ("related_itself.yaml", 4, "refers to itself"),
    ("related_near.yaml", 4, "did you mean gadget"),
    ("related_twice.yaml", 4, "gadget stands in `related` twice"),
    ("related_unknown.yaml", 4, "there is no concept other"),
    ("reviewed_no_month.yaml", 4, "a year and a month"),
    ("reviewed_year.yaml", 4, "the number 2026: put it in quotes"),
    ("status_unknown.yaml", 8, "'admitted' or 'avoid'"),
    ("summary_long.yaml", 6, "91 characters; at most 90"),
    ("summary_long_chinese.yaml", 10, "46 characters; at most 45"),
    ("summary_missing.yaml", 5, "thing lacks summary in en"),
    ("tab.yaml", 4, "indented with a tab"),
    ("tag.yaml", 4, "is a YAML tag"),
    ("tag_python.yaml", 4, "is a YAML tag"),
    ("text_ampersand.yaml", 7, "YAML takes &amp for an anchor"),
    ("text_at.yaml", 7, "@ begins a text"),
    ("text_backtick.yaml", 7, "` begins a text"),
    ("text_boolean.yaml", 8, "`en.alt_labels` is NO, which YAML reads as false: put it in quotes"),
    ("text_boolean_lower.yaml", 10, "is on, which YAML reads as true"),
    ("text_colon.yaml", 6, "in the middle of a text"),
    ("text_comment.yaml", 6, "the text of `en.summary` ends here"),
    ("text_date.yaml", 4, "the date 2024-01-02"),
    ("text_empty.yaml", 4, "nothing stands after `source:`"),
    ("text_empty_quotes.yaml", 4, "`source` is empty"),
    ("text_hexadecimal.yaml", 8, "the number 31"),
    ("text_lines.yaml", 6, "must stand on one line"),
    ("text_list.yaml", 6, "a list where one text belongs"),
    ("text_mapping.yaml", 9, "needs quotes"),
    ("text_null.yaml", 8, "is null, which YAML reads as nothing"),
    ("text_number.yaml", 8, "is 8, which YAML reads as the number 8"),
    ("text_number_in_label.yaml", 8, "`text` is 8"),
    ("text_octal.yaml", 8, "is 010, which YAML reads as the number 8"),
    ("text_octal_looking.yaml", 8, "is 08, which YAML reads as a number"),
    ("text_ratio.yaml", 6, "is 16:9, which YAML reads as the number 969"),
    ("text_space.yaml", 6, "begins or ends with a space"),
    ("text_thousands.yaml", 8, "the number 1000"),
    ("text_tilde.yaml", 4, "reads as nothing"),
    ("text_time.yaml", 6, "the number 90"),
    ("text_true.yaml", 8, "is true, which YAML reads as true"),
    ("text_version.yaml", 8, "the number 1.1:"),
    ("topic_missing.yaml", 2, "must say its topic"),
]

# Data directories: the file and the line that are reported, and words of the message.
DIRECTORIES = [
    ("chapter_id_twice", "chapters.yaml", 3, "chapters.yaml:1 already"),
    ("chapter_url", "chapters.yaml", 3, "https://"),
    ("chapter_without_title", "chapters.yaml", 1, "the title of one lacks en and zh-Hans"),
    ("comparison_cell_long", "comparisons.yaml", 7, "`en.rows` has 41 characters; at most 40"),
    ("comparison_cell_long_chinese", "comparisons.yaml", 11, "`zh-Hans.rows` has 21 characters; at most 20"),
    ("comparison_cell_number", "comparisons.yaml", 7, "the number 8: put it in quotes"),
    ("comparison_choose_missing", "comparisons.yaml", 4, "lacks `choose` in en"),
    ("comparison_choose_short", "comparisons.yaml", 5, "1 line(s) for 2 sides"),
    ("comparison_four_sides", "comparisons.yaml", 2, "`sides` has 4 items; at most 3"),
    ("comparison_gist_missing", "comparisons.yaml", 4, "lacks `gist` in en"),
    ("comparison_hide_unknown", "comparisons.yaml", 2, "no earlier directory"),
    ("comparison_id_twice", "comparisons.yaml", 7, "comparisons.yaml:1 already"),
    ("comparison_one_side", "comparisons.yaml", 2, "`sides` has 1 items; at least 2"),
    ("comparison_other_without_labels", "comparisons.yaml", 2, "`other.en.labels` has 0 items"),
    ("comparison_other_without_line", "comparisons.yaml", 2, "`line` is missing in `other.en`"),
    ("comparison_row_short", "comparisons.yaml", 8, "it needs 3"),
    ("comparison_rows_empty", "comparisons.yaml", 6, "`rows` is empty"),
    ("comparison_rows_missing", "comparisons.yaml", 4, "lacks `rows` in en"),
    ("comparison_rows_seven", "comparisons.yaml", 7, "`en.rows` has 7 items; at most 6"),
    ("comparison_same_sides", "comparisons.yaml", 8, "comparisons.yaml:1 compares the same"),
    ("comparison_side_twice", "comparisons.yaml", 2, "thing stands in `sides` twice"),
    ("comparison_side_unknown", "comparisons.yaml", 2, "there is no concept other"),
    ("comparison_sides_missing", "comparisons.yaml", 1, "has no `sides`"),
    ("comparison_two_others", "comparisons.yaml", 3, "only one side may be an `other`"),
    ("comparisons_no_list", "comparisons.yaml", 1, "must be a list"),
    ("context_empty", "contexts.yaml", 1, "things has no `words`"),
    ("context_hide_unknown", "contexts.yaml", 2, "no earlier directory has a context things"),
    ("context_id_twice", "contexts.yaml", 3, "contexts.yaml:1 already"),
    ("context_near", "glossary/things.yaml", 5, "did you mean things"),
    ("context_word_number", "contexts.yaml", 2, "the number 8: put it in quotes"),
    ("contexts_no_list", "contexts.yaml", 1, "must be a list"),
    ("id_in_two_files", "glossary/things.yaml", 3, "more.yaml:3"),
    ("label_in_two_files", "glossary/things.yaml", 5, "more.yaml:5, too"),
    ("phrase_brace", "phrases.yaml", 2, "without its partner"),
    ("phrase_edge", "phrases.yaml", 2, "begins or ends with a space"),
    ("phrase_html", "phrases.yaml", 2, "<b> looks like HTML"),
    ("phrase_is_text", "phrases.yaml", 1, "must hold keys and values"),
    ("phrase_key", "phrases.yaml", 2, "the key Say Hello"),
    ("phrase_no_text", "phrases.yaml", 1, "hello lacks en and zh-Hans"),
    ("phrase_one_without_base", "phrases.yaml", 2, "hits, which is missing"),
    ("phrase_placeholder_format", "phrases.yaml", 2, "{n} is no placeholder"),
    ("phrase_placeholder_missing", "phrases.yaml", 3, "{name} is missing"),
    ("phrase_placeholder_misspelt", "phrases.yaml", 3, "nothing fills {nme}"),
    ("phrase_spaces", "phrases.yaml", 2, "two spaces"),
    ("phrases_no_mapping", "phrases.yaml", 1, "must hold keys"),
    ("topic_named_twice", "glossary/things.yaml", 2, "`name` of things"),
]


def errors(directory: Path) -> list[Problem]:
    with pytest.raises(DataError) as caught:
        load([directory], strict_languages=False)
    return [problem for problem in caught.value.problems if problem.severity == "error"]


def report(found: list[Problem], file: Path, line: int, words: str) -> None:
    assert {(Path(problem.file), problem.line) for problem in found} == {(file, line)}, found
    assert any(words in problem.message for problem in found), found
    assert all(problem.column > 0 for problem in found), found


@pytest.mark.parametrize(("name", "line", "words"), FILES, ids=[row[0] for row in FILES])
def test_file(name: str, line: int, words: str, tmp_path: Path) -> None:
    file = tmp_path / "glossary" / name
    file.parent.mkdir()
    file.write_bytes((BAD / name).read_bytes())
    report(errors(tmp_path), file, line, words)


@pytest.mark.parametrize(("name", "file", "line", "words"), DIRECTORIES, ids=[row[0] for row in DIRECTORIES])
def test_directory(name: str, file: str, line: int, words: str) -> None:
    report(errors(BAD / name), BAD / name / file, line, words)


def test_every_bad_glossary_is_in_a_table() -> None:
    names = [row[0] for row in FILES] + [row[0] for row in DIRECTORIES]
    assert sorted(names) == sorted(path.name for path in BAD.iterdir())


def test_one_bad_file_hides_no_other(tmp_path: Path) -> None:
    (tmp_path / "glossary").mkdir()
    names = [name for name, _, _ in FILES if name not in ("id_twice.yaml",)]
    for name in names:
        (tmp_path / "glossary" / name).write_bytes((BAD / name).read_bytes())
    reported = {Path(problem.file).name for problem in errors(tmp_path)}
    assert reported == set(names)


def test_problems_are_sorted(tmp_path: Path) -> None:
    (tmp_path / "glossary").mkdir()
    for name in ("text_version.yaml", "key_unknown.yaml", "tab.yaml"):
        (tmp_path / "glossary" / name).write_bytes((BAD / name).read_bytes())
    found = errors(tmp_path)
    assert found == sorted(found, key=lambda problem: (problem.file, problem.line, problem.column))
    assert len(found) >= 3
