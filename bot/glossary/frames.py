"""The words around what is asked: "can someone explain … please", "请问……是什么意思", "is … the same thing as …".

A label that contains such words stays whole, since labels are looked for first (`spans.py`).
"""

from __future__ import annotations

import re
from typing import Final

from bot.glossary.folding import HAN, fold
from bot.glossary.frame_words import (
    ASKING_EN,
    ASKING_ZH,
    ASKS_EN,
    ASKS_ZH,
    CLASS_EN,
    CLASS_ZH,
    COMPARING_EN,
    COMPARING_ZH,
    CONTEXT_EN,
    CONTEXT_ZH,
    DECIDES_EN,
    DECIDES_ZH,
    MEANING_EN,
    MEANING_ZH,
    PEELED_ZH,
)

_TOKEN: Final = re.compile(f"[{HAN}]+|[^\\W_{HAN}]+(?:['’][^\\W_{HAN}]+)*")
_HAN: Final = re.compile(f"[{HAN}]")
_DECIDES_ZH: Final = re.compile("|".join(DECIDES_ZH))
_ASKS_ZH: Final = re.compile("|".join((*ASKS_ZH, "[?？]")))
_DIFFERENCE: Final = re.compile(
    r"\b(?:differences?|diffs?|difference|distinction)\s+(?:between|of|in)\b|\b(?:differ|same\s+as|different\s+from)\b"
    r"|(?:有|是|的)(?:什么|什麼|啥|哪些|何)?(?:区别|區別|差别|差別|不同|差异|差異)|怎么(?:选|区分)|一回事|一样(?:吗|么)",
    re.IGNORECASE,
)
_MEANING_ZH: Final = re.compile("|".join(MEANING_ZH))


def _longest_first(*sets: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(frozenset().union(*sets), key=lambda word: (-len(word), word)))


def _peelable(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word for word in words if len(word) > 1) | PEELED_ZH


_ZH_PEELED: Final = _longest_first(_peelable(ASKING_ZH))
_ZH_PEELED_COMPARING: Final = _longest_first(_peelable(ASKING_ZH | COMPARING_ZH))
_ZH_COMPARING: Final = _longest_first(ASKING_ZH, COMPARING_ZH)
_ZH_CLASS: Final = _longest_first(ASKING_ZH, COMPARING_ZH, CLASS_ZH)
_ZH_CONTEXT: Final = _longest_first(CONTEXT_ZH, ASKING_ZH)
_WHAT_KIND: Final = re.compile(f"(什么|什麼|啥|哪种|哪種|哪类|何种)(?:{'|'.join(_longest_first(CLASS_ZH))})")


def without_kind(text: str) -> str:
    """是什么格式, 是啥技术 -> 是什么, 是啥: the noun belongs to the question."""
    return _WHAT_KIND.sub(r"\1", text)


def compares(text: str) -> bool:
    """Whether `text` has a word that asks for a comparison, such as "difference" or 区别."""
    return not DECIDES_EN.isdisjoint(_words(text)) or _DECIDES_ZH.search(text) is not None


def asks_for_difference(text: str) -> bool:
    """Whether `text` is worded as the question how things differ: "difference between …", ……有什么区别."""
    return _DIFFERENCE.search(text) is not None


def asks(text: str) -> bool:
    """Whether `text` asks anything at all."""
    return not ASKS_EN.isdisjoint(_words(text)) or _ASKS_ZH.search(text) is not None


def asks_meaning(text: str) -> bool:
    """Whether `text` has a word that asks what something means, such as "what" or 意思."""
    return not MEANING_EN.isdisjoint(_words(text)) or _MEANING_ZH.search(text) is not None


def is_frame_word(word: str) -> bool:
    """Whether a folded word is one that people ask with."""
    return word in ASKING_EN or word in COMPARING_EN or word in ASKING_ZH or word in COMPARING_ZH


def only_frame(text: str, *, classes: bool = False, asking: bool = True) -> bool:
    """Whether `text` consists of words that ask or compare (if `asking`) and name kinds of things (if `classes`)."""
    if not asking:
        return all(fold(token) in CLASS_EN or token in CLASS_ZH for token in _TOKEN.findall(text))
    return all(_is_frame(token, classes) for token in _TOKEN.findall(text))


def only_context(text: str) -> bool:
    """Whether `text` says where a term is used and leaves its meaning as it is: "vLLM", 大模型推理."""
    words = _TOKEN.findall(text)
    return all(
        word.isdecimal() or fold(word) in CONTEXT_EN or _is_frame(word, classes=True) or _in_context_zh(word)
        for word in words
    )


def _in_context_zh(token: str) -> bool:
    at = 0
    while word := next((word for word in _ZH_CONTEXT if token.startswith(word, at)), ""):
        at += len(word)
    return at == len(token)


def peel(text: str, *, comparing: bool = False) -> str:
    """`text` without the asking words at both ends (and, if `comparing`, without the comparing ones)."""
    tokens = [(match.start(), match.end(), match.group()) for match in _TOKEN.finditer(text)]
    start, end = 0, len(text)
    for left, right, token in tokens:
        taken = _leading(token, comparing)
        start = left + taken
        if taken < right - left:
            break
    for left, right, token in reversed(tokens):
        if right <= start:
            break
        rest = token[max(0, start - left) :]
        taken = _trailing(rest, comparing)
        end = right - taken
        if taken < len(rest):
            break
    return text[start:end].strip()


def _words(text: str) -> set[str]:
    return {fold(token) for token in _TOKEN.findall(text)}


def _is_frame(token: str, classes: bool) -> bool:
    if not _HAN.match(token):
        word = fold(token)
        return word in ASKING_EN or word in COMPARING_EN or (classes and word in CLASS_EN)
    words = _ZH_CLASS if classes else _ZH_COMPARING
    at = 0
    while word := next((word for word in words if token.startswith(word, at)), ""):
        at += len(word)
    return at == len(token)


def _leading(token: str, comparing: bool) -> int:
    """How many characters at the start of a token are frame words."""
    if not _HAN.match(token):
        return len(token) if _is_frame_en(token, comparing) else 0
    if comparing and _is_frame(token, classes=False):
        return len(token)
    taken = 0
    while word := next((word for word in _zh(comparing) if token.startswith(word, taken)), ""):
        taken += len(word)
    return taken


def _trailing(token: str, comparing: bool) -> int:
    """How many characters at the end of a token are frame words."""
    if not _HAN.match(token):
        return len(token) if _is_frame_en(token, comparing) else 0
    if comparing and _is_frame(token, classes=False):
        return len(token)
    end = len(token)
    while word := next((word for word in _zh(comparing) if token.endswith(word, 0, end)), ""):
        end -= len(word)
    return len(token) - end


def _zh(comparing: bool) -> tuple[str, ...]:
    return _ZH_PEELED_COMPARING if comparing else _ZH_PEELED


def _is_frame_en(token: str, comparing: bool) -> bool:
    word = fold(token)
    return word in ASKING_EN or (comparing and word in COMPARING_EN)
