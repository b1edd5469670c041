"""The words around what is asked: "can someone explain … please", "请问……是什么意思", "is … the same thing as …".

They are single words on purpose, not sentences: whatever order people put them in, what is left is what they ask for.
A label that contains such words stays whole, since labels are looked for first (`spans.py`).
"""

from __future__ import annotations

import re
from typing import Final

from bot.glossary.folding import HAN, fold

_ASKING_EN: Final = frozenset(
    """
    a about abbreviation abbreviations acronym actually again all also am an and another any anybody anyone anyway are
    as at basically be been but by call called can cannot can't clarify concept concepts concretely confused could
    curious deal define defined definition describe description did do does doesn't doing don't dont dumb dummies eli5
    else english even ever everybody everyone exactly expand expanded explain explained explaining explanation fancy
    folks for form format formats full fully fundamentally get give guys had haha has have haven't hear heard hearing
    heck hello help her here hey hi his how i i'd i'm idea ideas if im in introduce is isn't it it's its just keep kind
    kindly know layman laymans learn let's like lol look lookup make maybe me mean meaning means meant method methods
    metric metrics might my name need new no noob not now of ok okay on one or our out overview people person phrase
    plain please pls plz point possible practically practice precisely purpose question quick quickly read reading
    really refer refers remind role roughly said saw say saying says search see seeing seen shall short shortly should
    show simple simply so some somebody someone sorry sort stand standing stands still stuff sum summarise summarize
    summary sure talk talking team technique techniques tell term terms test than thank thanks that that's the their
    them then there these they thing things this those though thought thx tl;dr tldr to today too topic trying ty u um
    understand understanding understood up ur us use used useful uses using want wanted was wat way we well were what
    what's whats when where which who whole whom why will with wonder wondering word words work working works would
    wtf y'all yall yo you your
    ai deep genai learning llm llms machine ml
    """.split()
) - {"test"}

_COMPARING_EN: Final = frozenset(
    """
    against apart better between cheaper choose choosing compare compared comparing comparison confuse confuses
    contrast difference differences different differentiate differentiates differ differs distinct distinction
    distinguish distinguishes equal equals equivalent faster from identical instead interchangeable interchangeably
    opposed over pick picking prefer rather related relation relationship same separate similar slower synonym synonyms
    synonymous than versus vs worse whether both other each two either main key major
    """.split()
)
_DECIDES_EN: Final = _COMPARING_EN - frozenset(
    "against apart between from over than other each two main key major both".split()
)
"""Words that by themselves say that a comparison is wanted."""

_ASKING_ZH: Final = tuple(
    sorted(
        """
        请问 請問 请教 請教 求问 求助 求解 求 问一下 问下 想问 问 弱弱 小白 新人 萌新 一句 谁能 誰能 谁 誰 谁来 有没有人 有人 有谁 没人
        哪位 大佬 大佬们 各位 同学 同学们 同事 老师 大家 麻烦 劳烦 能不能 能否 可不可以 可以 可否 能 会 帮忙 帮我 帮 给我 给 跟我 跟
        为我 解释 解釋 讲解 讲讲 讲一讲 讲 講 说说 说一说 说明 说 說 介绍 介紹 科普 普及 定义 定義 查询 查 搜索 搜 搜一下 看 看看 翻译
        什么 什麼 甚麼 啥 啥子 何谓 何為 何为 何 所谓 怎么 怎麼 怎样 怎樣 咋 如何 理解 解读 这个 那个 這個 那個 这 那 一个 一種 一种
        个 種 种 样 樣 关于 關於 我 我们 你 你们 您 他们 咱们 知道 想 了解 瞭解 懂 没懂 不懂 不太懂 看不懂 听不懂 不明白 明白 搞不懂 没搞懂
        搞懂 搞清楚 搞不清 不清楚 清楚 告诉 到底 究竟 具体 大概 一般 通常 常说 平时 经常 总是 老是 总听 听到 看到 提到 说到 遇到
        一下 一下下 下 你好 您好 嗨 哈喽 那么 就是 是 是指 指 指的 代表 表示 叫 叫做 叫作 算 属于 有 有没有 没有 的 地 得 意思 意义
        含义 含義 概念 东西 東西 玩意 玩意儿 鬼 格式 技术 技術 方法 指标 指標 机制 機制 原理 缩写 縮寫 简称 全称 全稱 英文 中文 英语
        单位 工具 流程 类型 作用 用途 用处 用 好处 来 来着 工作 运作 运行 实现 使用 做 做到 回事 回事儿 一回事 干 干嘛 干什么 用来
        解释下 词 詞 词儿 术语 術語 名词 名詞 说法 行话 黑话 为什么 為什麼 为啥 为何 吗 嗎 么 麼 呢 啊 呀 吧 哦 噢 呐 嘛 哈 哈哈 了 啦 喔 咧
        谢谢 謝謝 多谢 感谢 谢了 谢啦 又 还 也 都 在 里 裡 中 里面 文档 文章 群里 会上 请 請 再 先 快速 简单 通俗 一点 点 详细 大白话 人话
        深度学习 机器学习 大模型 时候 时 这里 那里 该 应该 要 需要 必须 好像 感觉 觉得 到 把 被 让 对 对于 比如 例如 以及 哪 哪里 哪儿 哪些
        多少 几 吗？ 呗 哟 欸 诶 喂 嘿 这种 那种 这类 每次 今天 刚 刚刚 刚才 第一次 从来 没 不 不会 不太 太 很 真的 其实
        """.split(),
        key=len,
        reverse=True,
    )
)
_COMPARING_ZH: Final = tuple(
    sorted(
        """
        区别 區別 差别 差別 差异 差異 不同 不同点 异同 異同 区分 區分 分别 分別 一样 一樣 不一样 一回事 同一回事 同一个 同一 同 相同 等价
        等同 等于 对比 對比 比较 比較 比起来 比 相比 还是 還是 哪个 哪個 哪种 哪種 哪一个 哪个好 选 選 选择 選擇 怎么选 挑 取舍 关系 關係
        联系 差在 差 差多少 分不清 分清 搞混 弄混 混淆 分 辨别 分辨 好在 更好 好 更 更快 快 更准 准 划算 合适 适合 优势 优缺点 它们 他们
        两者 二者 两个 俩 这俩 这两个 之间 间 和 与 與 跟 同 及 以及 或 或者 是不是 本质 本质上 主要 核心 最大 根本 明显 傻傻 换成 上 能
        """.split(),
        key=len,
        reverse=True,
    )
)
_DECIDES_ZH: Final = re.compile(
    "区别|區別|差[别別异異在]|不同|异同|異同|区分|區分|分[别別]|一[样樣]|一回事|同一|相同|等价|等同|等于|[对對]比|比[较較]|相比"
    "|还是|還是|哪[个個种種一]|怎么选|如何选|怎麼選|选择|选哪|关系|關係|分不清|[搞弄]混|混淆|是不是"
)

_TOKEN: Final = re.compile(f"[{HAN}]+|[^\\W_{HAN}]+(?:['’][^\\W_{HAN}]+)*|tl;dr")
_HAN: Final = re.compile(f"[{HAN}]")
_ALL_ZH: Final = tuple(sorted({*_ASKING_ZH, *_COMPARING_ZH}, key=len, reverse=True))


def compares(text: str) -> bool:
    """Whether `text` has a word that asks for a comparison, such as "difference" or 区别."""
    words = {word.lower() for word in _TOKEN.findall(text)}
    return not words.isdisjoint(_DECIDES_EN) or _DECIDES_ZH.search(text) is not None


def is_frame_word(word: str) -> bool:
    """Whether a folded word is one that people ask with."""
    return word in _ASKING_EN or word in _COMPARING_EN or word in _ALL_ZH


def only_frame(text: str) -> bool:
    """Whether `text` consists of asking and comparing words, punctuation aside."""
    return all(not _content(token) for token in _TOKEN.findall(text))


def peel(text: str, *, comparing: bool = False) -> str:
    """`text` without the asking words at both ends (and, if `comparing`, without the comparing ones)."""
    start, end = 0, len(text)
    words = [(match.start(), match.end(), match.group()) for match in _TOKEN.finditer(text)]
    for left, right, word in words:
        taken = _prefix(word, comparing)
        start = left + taken if taken < len(word) else right
        if taken < len(word):
            break
    for left, right, word in reversed(words):
        if right <= start:
            break
        taken = _suffix(word, comparing)
        end = right - taken if taken < len(word) else left
        if taken < len(word):
            break
    return text[start:end].strip()


def _content(token: str) -> str:
    """What of a token is no frame word."""
    if not _HAN.match(token):
        word = fold(token)
        return "" if word in _ASKING_EN or word in _COMPARING_EN else token
    rest = token
    while rest:
        word_zh = next((word for word in _ALL_ZH if rest.startswith(word)), None)
        if word_zh is None:
            return rest
        rest = rest[len(word_zh) :]
    return ""


def _prefix(token: str, comparing: bool) -> int:
    """How many characters at the start of a token are frame words."""
    if not _HAN.match(token):
        return len(token) if _is_frame_en(token, comparing) else 0
    words = _ALL_ZH if comparing else _ASKING_ZH
    taken = 0
    while word := next((word for word in words if token.startswith(word, taken)), None):
        taken += len(word)
    return taken


def _suffix(token: str, comparing: bool) -> int:
    """How many characters at the end of a token are frame words."""
    if not _HAN.match(token):
        return len(token) if _is_frame_en(token, comparing) else 0
    words = _ALL_ZH if comparing else _ASKING_ZH
    end = len(token)
    while word := next((word for word in words if token.endswith(word, 0, end)), None):
        end -= len(word)
    return len(token) - end


def _is_frame_en(token: str, comparing: bool) -> bool:
    word = fold(token)
    return word in _ASKING_EN or (comparing and word in _COMPARING_EN)
