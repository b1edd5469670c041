"""Comparisons, topics, chapters and phrases of a later directory laid over those of an earlier one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.glossary.concept import Chapter, OtherSide, Topic
from tests.data_dirs import concept, glossary, layered, refused

THINGS = glossary(concept("alpha"), concept("beta"), concept("gamma"))


def comparison(sides: str, id_: str = "a-vs-b", gist: str = "First this.") -> str:
    return f"- id: {id_}\n  sides: {sides}\n  en:\n    gist: {gist}\n    choose: [one, two]\n    rows: [[Kind, a, b]]\n"


BASE = {
    "glossary": f"name: {{en: Things, zh-Hans: 东西}}\nposition: 3\n{THINGS}",
    "comparisons": comparison("[alpha, beta]"),
    "chapters": "- {id: one, en: One, zh-Hans: 一}\n",
    "phrases": (
        "hits: {en: '{count} hits', zh-Hans: '{count} 条'}\nhits.one: {en: '{count} hit', zh-Hans: '{count} 条'}\n"
    ),
}


def test_topics(tmp_path: Path) -> None:
    ours = {"glossary": glossary(concept("delta"), topic="our-things")}
    renamed = {"glossary": "topic: things\nname: {en: All things}\n"}
    loaded = layered(tmp_path, BASE, ours, renamed).glossary
    assert loaded.topics == {
        "things": Topic("things", {"en": "All things", "zh-Hans": "东西"}, 3),
        "our-things": Topic("our-things", {"en": "Our things", "zh-Hans": "Our things"}, 1000),
    }


def test_a_topic_that_is_nearly_known_is_a_warning(tmp_path: Path) -> None:
    loaded = layered(tmp_path, BASE, {"glossary": glossary(concept("delta"), topic="thing")})
    assert [problem.line for problem in loaded.warnings if "did you mean things" in problem.message] == [1]


def test_chapters(tmp_path: Path) -> None:
    later = {"chapters": "- {id: one, url: https://example.org/1}\n- {id: two, zh-Hans: 二}\n"}
    loaded = layered(tmp_path, BASE, later)
    assert loaded.glossary.chapters == {
        "one": Chapter("one", {"en": "One", "zh-Hans": "一"}, "https://example.org/1"),
        "two": Chapter("two", {"en": "二", "zh-Hans": "二"}),
    }
    assert any(problem.message == "the title of two lacks en" for problem in loaded.warnings)


def test_a_comparison_changes_what_it_names(tmp_path: Path) -> None:
    later = {"comparisons": "- id: a-vs-b\n  en: {gist: Now this.}\n"}
    changed = layered(tmp_path, BASE, later).glossary.comparisons["a-vs-b"]
    assert changed.sides == ("alpha", "beta")
    assert changed.sections["en"].gist == "Now this."
    assert changed.sections["en"].choose == ("one", "two")
    assert changed.sections["en"].rows == (("Kind", ("a", "b")),)


def test_new_sides_need_new_texts(tmp_path: Path) -> None:
    problems = refused(tmp_path, BASE, {"comparisons": "- id: a-vs-b\n  sides: [alpha, beta, gamma]\n"})
    assert len(problems) == 2
    assert all("0/comparisons.yaml" in problem.file for problem in problems)


def test_an_other_side(tmp_path: Path) -> None:
    other = "[alpha, other: {en: {labels: [stuff, matter], line: anything}, zh-Hans: {labels: [别的], line: 随便}}]"
    loaded = layered(tmp_path, {**BASE, "comparisons": comparison(other)}).glossary.comparisons["a-vs-b"]
    assert loaded.concepts() == ("alpha",)
    assert loaded.other() == OtherSide(
        {"en": ("stuff", "matter"), "zh-Hans": ("别的",)}, {"en": "anything", "zh-Hans": "随便"}
    )


def test_a_comparison_is_hidden(tmp_path: Path) -> None:
    assert layered(tmp_path, BASE, {"comparisons": "- {id: a-vs-b, hide: true}\n"}).glossary.comparisons == {}


def test_a_comparison_goes_with_its_concept(tmp_path: Path) -> None:
    assert layered(tmp_path, BASE, {"glossary": "concepts: [{id: beta, hide: true}]\n"}).glossary.comparisons == {}


def test_a_comparison_beside_the_hiding_must_not_dangle(tmp_path: Path) -> None:
    later = {
        "glossary": "concepts: [{id: beta, hide: true}]\n",
        "comparisons": comparison("[beta, gamma]", "b-vs-c"),
    }
    (problem,) = refused(tmp_path, BASE, later)
    assert (problem.line, problem.message) == (2, "beta is hidden: take it out here, too")


def test_a_later_comparison_of_the_same_sides_wins(tmp_path: Path) -> None:
    loaded = layered(tmp_path, BASE, {"comparisons": comparison("[beta, alpha]", "ours", "Ours.")})
    assert set(loaded.glossary.comparisons) == {"ours"}
    assert any("now stands for a-vs-b" in problem.message for problem in loaded.warnings)


def test_phrases_are_reworded(tmp_path: Path) -> None:
    phrases = layered(tmp_path, BASE, {"phrases": "hits: {en: '{count} found'}\n"}).phrases
    assert phrases.say("hits", "en", count=2) == "2 found"
    assert phrases.say("hits", "en", count=1) == "1 hit"
    assert phrases.say("hits", "zh-Hans", count=2) == "2 条"


@pytest.mark.parametrize(
    ("later", "words"),
    [
        pytest.param("hit: {en: '{count} found'}\n", "there is no phrase hit: did you mean hits", id="unknown key"),
        pytest.param("quite.new: {en: new}\n", "a team can only reword", id="new key"),
        pytest.param("hits: {en: found}\n", "{count} is missing", id="placeholder lost"),
        pytest.param("hits: {en: '{count} in {place}'}\n", "nothing fills {place}", id="placeholder added"),
    ],
)
def test_phrases_that_do_not_fit(later: str, words: str, tmp_path: Path) -> None:
    (problem,) = refused(tmp_path, BASE, {"phrases": later})
    assert words in problem.message


@pytest.mark.parametrize(
    ("key", "fits"),
    [
        ("hello", True),
        ("hello.two_3.x", True),
        ("only.zh-Hans", True),
        ("Hello", False),
        ("hello-x", False),
        ("hello..x", False),
        (".x", False),
        ("你好", False),
    ],
)
def test_phrase_keys(key: str, fits: bool, tmp_path: Path) -> None:
    files = {"phrases": f"{key}: {{en: Hello, zh-Hans: 你好}}\n"}
    if fits:
        assert key in layered(tmp_path, files).phrases
    else:
        assert ["may only hold" in problem.message for problem in refused(tmp_path, files)] == [True]


@pytest.mark.parametrize("text", ["{0}", "{}", "{a.b}", "{a[0]}", "{a!r}", "{a:>3}", "{a b}"])
def test_odd_placeholders(text: str, tmp_path: Path) -> None:
    problems = refused(tmp_path, {"phrases": f"hello: {{en: 'Say {text}', zh-Hans: '说 {text}'}}\n"})
    assert [(problem.line, problem.severity) for problem in problems] == [(1, "error"), (1, "error")]
    assert all("is no placeholder" in problem.message for problem in problems)


def test_doubled_braces_are_text(tmp_path: Path) -> None:
    loaded = layered(tmp_path, {"phrases": "hello: {en: 'Say {{x}}', zh-Hans: '说 {{x}}'}\n"})
    assert loaded.phrases.say("hello", "en", count=2) == "Say {x}"


SENSES = {
    "glossary": glossary(concept("alpha", en="pref_label: {text: Alpha, contexts: [letters]}")),
    "contexts": "- {id: letters, words: [beta, 贝塔]}\n- {id: animals, words: [wolf]}\n",
}


def test_contexts(tmp_path: Path) -> None:
    loaded = layered(tmp_path, SENSES).glossary
    assert loaded.contexts == {"letters": ("beta", "贝塔"), "animals": ("wolf",)}
    assert loaded.concepts["alpha"].section("en").pref_label.contexts == ("letters",)


def test_a_later_directory_adds_words_and_lists(tmp_path: Path) -> None:
    later = {"contexts": "- {id: letters, words: [Gamma, BETA]}\n- {id: colours, words: [red]}\n"}
    loaded = layered(tmp_path, SENSES, later)
    assert loaded.glossary.contexts == {
        "letters": ("beta", "贝塔", "Gamma"),
        "animals": ("wolf",),
        "colours": ("red",),
    }
    assert [problem for problem in loaded.warnings if "contexts" in problem.file] == []


def test_a_word_that_stands_in_a_list_twice_is_a_warning(tmp_path: Path) -> None:
    warnings = layered(tmp_path, {**SENSES, "contexts": "- id: letters\n  words: [beta, b, Beta]\n"}).warnings
    assert [problem.line for problem in warnings if "stands in letters twice" in problem.message] == [2]


def test_of_a_hidden_context_no_word_is_left(tmp_path: Path) -> None:
    """The labels that ask for it still ask for something: else they'd be explained always."""
    loaded = layered(tmp_path, SENSES, {"contexts": "- {id: letters, hide: true}\n"}).glossary
    assert loaded.contexts == {"letters": (), "animals": ("wolf",)}
    assert loaded.concepts["alpha"].section("en").pref_label.contexts == ("letters",)


def test_a_hidden_context_can_come_back(tmp_path: Path) -> None:
    layers = {"contexts": "- {id: letters, hide: true}\n"}, {"contexts": "- {id: letters, words: [b]}\n"}
    assert layered(tmp_path, SENSES, *layers).glossary.contexts["letters"] == ("b",)


def test_a_hidden_context_is_not_asked_for_in_the_same_directory(tmp_path: Path) -> None:
    later = {
        "glossary": glossary(concept("beta", en="pref_label: {text: Beta, contexts: [letters]}")),
        "contexts": "- {id: letters, hide: true}\n",
    }
    assert [problem.message for problem in refused(tmp_path, SENSES, later)] == [
        "letters is hidden: take it out here, too"
    ]


def test_a_later_label_says_anew_what_it_needs(tmp_path: Path) -> None:
    later = {"glossary": "concepts:\n  - id: alpha\n    en:\n      pref_label: {text: Alpha, not_near: [wolf]}\n"}
    label = layered(tmp_path, SENSES, later).glossary.concepts["alpha"].section("en").pref_label
    assert (label.near, label.contexts, label.not_near) == ((), (), ("wolf",))
