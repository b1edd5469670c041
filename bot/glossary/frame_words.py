"""The words people ask with, as plain lists: to understand one more way of asking, add its words here.

They are single words on purpose, not sentences: whatever order people put them in, what is left is what they ask for.
"""

from __future__ import annotations

from typing import Final

ASKING_EN: Final = frozenset(
    """
    5 a abbreviation abbreviations about acronym actually again all also always am an and another any anybody anyone
    anyway are aren't as at basically be been but by call called can can't cannot clarify concretely confused
    confusing could curious deal define defined definition describe description did do does doesn't doing don't dont
    dr dumb dummies eli5 else english even ever everybody everyone exactly expand expanded explain explained
    explaining explanation fancy five folks for full fully fundamentally get give guys had haha happen happens has
    have haven't hear heard hearing heck hello help her here hey hi his how i i'd i'm idea ideas if im in introduce is
    isn't it it's its just keep keeps kind kindly know knows layman laymans learn let's like lol look lookup make
    maybe
    me mean meaning means meant might my name need new no noob not of ok okay on one or our out overview people person
    phrase plain please pls plz point possible practically practice precisely purpose q question quick quickly read
    reading really refer refers remind role roughly said saw say saying says shall short
    shortly should simple simply so some somebody someone sorry sort stand standing stands still stuff sum
    summarise summarize summary sure talk talking tbh tell term terms than thank thanks that that's the their them
    then there these they thing things this those though thought thx tl tl;dr tldr to too topic trying ty u um
    understand understanding understood up ur us use used useful uses using want wanted was wasn't wat wats way wdym
    we well were weren't what what's whats when where which who whole whom why will with wonder wondering word words
    work working works would wtf y'all yall yo you your
    """.split()
)

MEANING_EN: Final = frozenset(
    """
    work works what whats what's wats mean means meaning meant define defined definition describe explain explained
    explaining
    english explanation stand stands eli5 tldr tl wdym acronym abbreviation understand understanding clarify summary wtf
    """.split()
)
"""Those of the asking words that ask what something means."""

ASKS_EN: Final = MEANING_EN | frozenset(
    """
    about are aren't can can't could did do does doesn't don't give help how is isn't know knows look lookup please
    pls
    plz question remind should tell was were what when where which who why will wondering would
    """.split()
)
"""Those without which a text is no question: "LoRA people" asks nothing."""

COMPARING_EN: Final = frozenset(
    """
    advantage advantages disadvantages pros cons benefit benefits preferred differnce diffrence diference another
    against apart aren't better between both cheaper choose choosing compare compared comparing comparison confuse
    confused confuses confusing contrast dif diff differ difference differences different differentiate differentiates
    differs diffs distinct distinction distinguish distinguishes each either equal equals equivalent faster from
    identical instead interchangeable interchangeably isn't key main major mix mixed mixing opposed other over pick
    picking prefer rather related relation relationship same separate similar slower synonym synonymous synonyms than
    two versus vs whether worse
    """.split()
)

DECIDES_EN: Final = frozenset(
    """
    advantage advantages pros cons preferred differnce diffrence diference apart another over than
    compare compared comparing comparison confuse confused confuses confusing contrast dif diff diffs difference
    differences differ differs different differentiate differentiates distinct distinction distinguish distinguishes
    equal equals equivalent identical instead interchangeable interchangeably mix mixed mixing opposed or pick choose
    choosing prefer rather related relation relationship same similar synonym synonyms synonymous versus vs better
    worse cheaper faster slower whether
    """.split()
)
"""Those that by themselves say that a comparison is wanted."""

CLASS_EN: Final = frozenset(
    """
    file files format formats method methods metric metrics technique techniques algorithm algorithms tool tools type
    types concept concepts
    """.split()
)
"""What somebody may add to a name to say what kind of thing it is."""

ASKING_ZH: Final = frozenset(
    """
    请问 請問 请教 請教 求问 求助 求解 求 问一下 问下 想问 问 弱弱 小白 新人 萌新 一句 谁能 誰能 谁 誰 谁来 有没有人
    有人 有谁 没人 哪位 大佬 大佬们 各位 同学 同学们 同事 老师 大家 麻烦 劳烦 能不能 能否 可不可以 可以 可否 能 会
    帮忙 帮我 帮 给我 给 跟我 跟 为我 解释 解釋 讲解 讲讲 讲一讲 讲 講 说说 说一说 说明 说 說 介绍 介紹 科普 普及 定义
    定義 查询 查 搜索 搜 搜一下 看 看看 翻译 什么 什麼 甚麼 啥 啥子 何谓 何為 何为 何 所谓 算出来 算出 怎么算 算的
    怎么 怎麼 怎样 怎樣 咋 如何 理解 解读 这个 那个 這個 那個 这 那 一个 一種 一种 个 種 种 样 樣 关于 關於 我 我们 你
    你们 您 他们 咱们 知道 想 了解 瞭解 懂 没懂 不懂 不太懂 看不懂 听不懂 不明白 明白 搞不懂 没搞懂 搞懂 搞清楚 搞不清
    不清楚 清楚 告诉 到底 究竟 具体 大概 一般 通常 常说 平时 经常 总是 老是 总听 听到 看到 提到 说到 遇到 一下 一下下
    下 你好 您好 嗨 哈喽 那么 就是 是 是指 指 指的 代表 表示 叫 叫做 叫作 算 属于 有 有没有 没有 有什么 有什麼
    有甚麼 有啥 有何 有哪些 的 地 得 意思 意义
    含义 含義 原理 缩写 縮寫 简称 全称 全稱 英文 中文 英语 作用 用途 用处 好处 来 来着 实现 做到 回事 回事儿 一回事
    干嘛 干什么 用来 解释下 词 詞 词儿 说法 行话 黑话 为什么 為什麼 为啥 为何 吗 嗎 么 麼 呢 啊 呀 吧 哦 噢 呐 嘛 哈
    哈哈 了 啦 喔 咧 谢谢 謝謝 多谢 感谢 谢了 谢啦 又 还 也 都 在 里 裡 中 里面 请 請 再 先 快速 简单 通俗 一点 点
    详细 大白话 人话 这里 那里 该 应该 要 需要 必须 好像 觉得 到 把 被 让 对 对于 比如 例如 以及 哪 哪里 哪儿 哪些
    多少 几 呗 哟 欸 诶 喂 嘿 这种 那种 这类 每次 刚 刚刚 刚才 第一次 从来 没 不 不会 不太 太 很 真的 其实 什么时候
    的时候 工作原理 怎么工作 如何工作 怎么用 如何使用 怎么做 干嘛用 做什么用 干什么用 用来做什么 用来干嘛
    """.split()
)

MEANING_ZH: Final = tuple(
    """
    什么 什麼 甚麼 啥 意思 含义 含義 意义 解释 解釋 定义 定義 缩写 縮寫 简称 全称 全稱 介绍 介紹 科普 理解 讲讲 讲解
    讲一讲 讲一下 讲下 講解 講講 講一下 说说 说一下 何谓 何為 何为 所谓 懂 不懂 明白 原理
    英文 英语 英語 中文
    """.split()
)

ASKS_ZH: Final = (
    *MEANING_ZH,
    *"""
    请问 問 问 求 讲 講 说 說 聊聊 怎么 怎麼 怎样 如何 咋 为什么 為什麼 为啥 是 吗 嗎 么 呢 干嘛 干什么 做什么 用来
    查 搜 看 翻译 告诉
    知道 请教 帮 谁 哪 指 叫 代表
    """.split(),
)

PEELED_ZH: Final = frozenset(
    """
    我 你 请 請 啥 何 是 叫 指 问 問 求 查 搜 的 吗 嗎 么 呢 啊 呀 吧 哦 噢 呐 嘛 哈 了 啦 喔 咧 又 与 和 跟
    """.split()
)
"""The single characters that may be taken off the ends of an unknown word: 下 may not, since 下班 is a word."""

COMPARING_ZH: Final = frozenset(
    """
    不就是 而不用 而不是 而不 而 一个东西 好处 坏处 优点 缺点 用 区别 區別 差别 差別 差异 差異 不同 不同点 异同 異同
    区分 區分 分别 分別 一样 一樣 不一样 一回事 同一回事 同一个
    同一 同 相同 等价 等同 等于 对比 對比 比较 比較 比起来 比 相比 效果 性能 速度 还是 還是 哪个 哪個 哪种 哪種 哪一个
    哪个好 选 選 选择 選擇 怎么选 挑 取舍 关系 關係 联系 差在 差 差多少 分不清 分清 搞混 弄混 混淆 分 辨别 分辨 好在
    更好 好 更 更快 快 更准 准 划算 合适 适合 优势 优缺点 它们 他们 两者 二者 两个 俩 这俩 这两个 之间 间 和 与 與 跟
    同 及 以及 或 或者 是不是 本质 本质上 主要 核心 最大 根本 明显 傻傻 换成 上 能
    """.split()
)

DECIDES_ZH: Final = tuple(
    """
    不就是 而不用 而不是 一个东西 优缺点 好在 比 区别 區別 差别 差別 差异 差異 差在 差多少 不同 异同 異同 区分 區分
    分别 分別 一样 一樣 一回事 同一 相同 等价 等同
    等于 对比 對比 比较 比較 相比 还是 還是 哪个 哪個 哪种 哪種 哪一个 怎么选 如何选 怎麼選 选择 选哪 关系 關係 分不清
    搞混 弄混 混淆 是不是 或者
    """.split()
)

CLASS_ZH: Final = frozenset(
    """
    格式 技术 技術 方法 算法 演算法 指标 指標 机制 機制 策略 文件 工具 协议 類型 类型 流程 单位 术语 術語 名词 名詞
    概念 计算 数据类型 框架 软件 东西 東西 玩意 玩意儿 鬼
    """.split()
)

CONTEXT_EN: Final = frozenset(
    """
    alerting chart charts code config dashboard dashboards doc docs drift graph grafana log logs meeting metrics
    monitoring observability paper repo slide slides thread channel
    ai cuda deep deployment deployments engine engines gpu gpus here huggingface inference learning llama llm llms
    machine ml mlops model models ops production pytorch serving server servers sglang systems tensorflow tgi training
    transformers triton vllm
    """.split()
)
"""What may stand behind "in" or "for" without changing what a label means; of PSI "for tires" nothing is known."""

CONTEXT_ZH: Final = frozenset(
    """
    大模型 机器学习 深度学习 人工智能 模型 推理 部署 训练 服务 线上 生产 生产环境 工程 系统 框架 引擎 显卡 场景 领域
    模型部署 模型推理
    """.split()
)
