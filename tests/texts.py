"""What people and their keyboards send, for tests of everything that takes free text."""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st

PIECES: Final = (
    *("SLO", "slo's", "KV cache", "kv-cache", "TTFT", "prefill / decode", "top-p", "A/B testing", "P99", ".engine"),
    *("量化", "量化感知训练", "連續批次處理", "数据漂移", "批处理", "lianghua", "quantizaton", "drift", "GPUs"),
    *(
        "vs",
        "v.s.",
        "versus",
        "compared to",
        " or ",
        " and ",
        "/",
        "|",
        ",",
        "、",
        "和",
        "與",
        "跟",
        "还是",
        "对比",
        "\n",
    ),
    *(
        "what is ",
        "difference between ",
        "什么是",
        "是什么意思",
        "有什么区别",
        "can someone explain ",
        "请问",
        "?",
        "？",
    ),
    *('"', "“", "”", "「", "」", "《", "》", "'", "’", "`", "```", "(", "（", "[", "<", "*", "**", "_", "\\", "$", "^"),
    *(" ", "  ", "\t", "\u00a0", "\u3000", "\u200b", "\u00ad", "\ufeff", "\u0000", "\u001b[31m", "\u0301", "\ufb01"),
    *("％s", "%s", "{0}", "${HOME}", "ＡＷＱ", "㎏", "İ", "ß", "😀", "\ud800", "\udfff", "\U000e0041", "٣", "²"),
)
"""Labels, separators, asking words, quotes, and characters that have broken things before."""

any_character: Final = st.characters(exclude_categories=())
"""Lone surrogates included, which `st.text` alone leaves out."""

any_text: Final = st.one_of(
    st.text(any_character, max_size=60),
    st.lists(st.one_of(st.sampled_from(PIECES), st.text(any_character, max_size=3)), max_size=14).map("".join),
)
