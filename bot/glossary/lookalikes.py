"""Chinese characters that look alike, for slips that no input method by sound makes: 引掣 for 引擎, 前辍 for 前缀.

Each group is a set of characters that are taken for each other in handwriting, by shape-based input or by a scan.
"""

from __future__ import annotations

from typing import Final

_GROUPS: Final = """
    并井开 擎掣警 缀辍 口囗 概慨 轴抽 问间闻 技枝 参叁 推堆椎准 理埋 模摸 型形刑 化华
    馏溜榴镏 剪煎 稀希 疏流梳 低底抵 秩轶秋 分份 解角 服报 务各 批比 动劲 态恋
    连莲 续读赎 式武 边达 缘绿 部陪倍 署暑著 负员 载栽裁 均钧 衡蘅 度渡 市布 蓝篮
    吞天 漂飘票 标杯 检捡 验脸险 告吿 自白目 归扫 投设 机几 码玛 张帐 列例
    预顶 采彩 样祥 窗窟 播潘 注往 册删 据剧 数教 感惑 知如 识织 蒸燕 训驯
    练炼 环坏 半平 精清 浮俘 随隋 命会 延廷 迟尺 率卒
    限眼 测侧 观现 灰友 丝经 雀崔 金全 生主 上土 文又 前煎 向问
    已己巳 未末 天夭 千干于 人入八 日曰
""".split()

_GROUPS_OF: Final[dict[str, list[str]]] = {}
for _group in _GROUPS:
    for _character in _group:
        _GROUPS_OF.setdefault(_character, []).append(_group)


def look_alike(one: str, other: str) -> bool:
    """Whether two Chinese characters are easily taken for each other."""
    return any(other in group for group in _GROUPS_OF.get(one, ()))
