"""What of a message is no prose: code, addresses, paths, flags, names, quotes.

Every expression is linear in the text: no repetition without a bound stands inside another one.
"""

from __future__ import annotations

import re
from typing import Final

_FENCE: Final = re.compile(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)", re.DOTALL)
_QUOTE_TO_END: Final = re.compile(r"^[ \t]*(?:>>>|(?:&gt;){3}).*\Z", re.DOTALL | re.MULTILINE)
_LINE: Final = re.compile(
    r"^[ \t]*(?:>|&gt;|＞).*$"  # a quoted line
    r"|``[^\n]*?``|`[^`\n]*`"  # inline code
    r"|<[@#!:][^<>\n]{1,100}>"  # a mention, a channel, an emoji, as platforms send them
    r"|(?:[a-z][a-z0-9+.-]{1,20}://|www\.)[^\s<>|]*"  # an address
    r"|(?<![a-z0-9.@/_-])(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,12}/[^\s<>|]*"  # an address without https://
    r"|(?<![a-z0-9.@/_-])(?:[a-z0-9-]{1,63}\.){1,8}(?:com|org|net|io|ai|dev|cn|app|cloud|internal|local|example|svc)"
    r"(?::\d{2,5})?(?![\w.-])"  # a host
    r"|(?<![\w.])[a-z_]\w{0,60}(?:\.[a-z_]\w{0,60}){2,12}"  # a.name.in.code
    r"|(?<![\w/-])(?:feat|feature|fix|bugfix|hotfix|release|origin|upstream|src|lib|docs|tests?)/[\w./-]+"  # a branch
    r"|(?<![\w-])[a-z][a-z0-9]{1,9}-\d{3,6}(?![\w-])"  # a ticket
    r"|(?<![\w.])[\w.+-]{1,64}@[\w-]{1,63}\.[\w.]{2,63}"  # an e-mail address
    r"|(?<![\w/])@[\w][\w.-]*"  # @somebody
    r"|(?<![\w/#&])#[a-z_][\w-]*"  # #channel
    r"|(?<![\w:]):[\w+-]{1,40}:(?![\w:])"  # :emoji:
    r"|(?<![\w-])--[a-z][\w-]*(?:=\S*)?(?:[ \t]{1,4}(?:\w[\w.]{0,40}[ \t]{1,4})?--[a-z][\w-]*(?:=\S*)?)+"
    r"(?:[ \t]\w[\w.]*)?"  # several flags, and the value of the last one
    r"|(?<![\w-])--?[a-z][\w-]*(?:=\S*)?"  # a flag
    r"|(?<![\w/.])(?:~|\.{1,2})?/[\w.~-][\w.~/@-]*"  # a path from a root
    r"|\b[a-z]:\\[^\s]*"  # a path on Windows
    r"|(?<![\w/.~-])[\w.~-]{1,80}/[\w.~/-]{0,200}\.[a-z0-9]{1,8}(?![\w/])"  # a relative path to a file
    r"|(?<![\w.-])[\w-]{1,80}\.(?:py|ipynb|c|cc|cpp|cu|h|hpp|rs|go|js|ts|java|sh|bash|ya?ml|json|jsonl|toml|ini|cfg|conf|env|txt"
    r"|md|rst|csv|tsv|parquet|log|lock|sql|html?|xml|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|svg|zip|tar|gz|whl|bin|pt|pth|pb|onnx"
    r"|engine|plan|gguf|safetensors|tflite|pkl|npy|npz|h5)(?!\w)",  # a file's name
    re.IGNORECASE | re.MULTILINE,
)

_MAY_MATTER: Final = re.compile(r"[`@#:/<>＞~\\]|&gt;|www|-[a-zA-Z0-9]|\.[a-zA-Z]")
"""Without one of these, `_LINE` finds nothing."""


class Prose:
    """Tells prose from the rest of a text. Lines are looked at when they're first asked about, each once."""

    def __init__(self, text: str) -> None:
        self._text = text
        if "`" in text or "~" in text:
            text = _FENCE.sub(_blank, text)
        if ">" in text or "&" in text:
            text = _QUOTE_TO_END.sub(_blank, text)
        self._rest = text
        self._lines: dict[int, str] = {}
        self._start, self._end = 0, 0
        """Of the line that was asked about last: many of one line don't look for its ends again."""

    def has(self, start: int, end: int) -> bool:
        """Whether `text[start:end]`, which isn't empty, is prose from beginning to end.

        An unclosed fence is code to the end.
        """
        end = min(end, len(self._text))
        while start < end:
            if not self._start <= start < self._end:
                self._start = self._rest.rfind("\n", 0, start) + 1
                self._end = self._rest.find("\n", start) + 1 or len(self._rest)
            line = self._lines.get(self._start)
            if line is None:
                line = self._lines[self._start] = self._prose(self._rest[self._start : self._end])
            stop = min(end, self._end)
            if line[start - self._start : stop - self._start] != self._text[start:stop]:
                return False
            start = stop
        return True

    def _prose(self, line: str) -> str:
        """A line, with spaces where there is no prose."""
        return _LINE.sub(_blank, line) if _MAY_MATTER.search(line) else line


def _blank(match: re.Match[str]) -> str:
    return " " * (match.end() - match.start())
