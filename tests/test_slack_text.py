"""What Slack sends -> what was typed, and whether it was said to the bot."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as bounds
from hypothesis import strategies as st

from adapters.slack.text import asked, plain
from bot.bot import Bot, fixed
from bot.commands.typed import read
from bot.glossary.detector import Detector
from bot.glossary.yaml_files import Loaded
from bot.request import Person, Place, Request
from bot.state.memory import MemoryStore
from tests.texts import any_text

BOT = "UBOT"

TYPED = {
    "nothing": ("", ""),
    "words": ("what is SLO?", "what is SLO?"),
    "a person": ("SLO <@U2>", "SLO "),
    "a person with a name": ("hi <@U2|lena> there", "hi there"),
    "two people": ("<@U1><@W2|x>SLO", " SLO"),
    "a person between words": ("SLO<@U2>SLA", "SLO SLA"),
    "everybody": ("<!here> <!channel><!everyone|@everyone> SLO", " SLO"),
    "a group": ("<!subteam^S1> <!subteam^S2|@sre> SLO", "SLO"),
    "a date": ("due <!date^1392734382^{date}|Feb 18, 2014>", "due Feb 18, 2014"),
    "a channel": ("see <#C1|general>!", "see #general!"),
    "a channel without a name": ("see <#C1> or <#C2|>.", "see or ."),
    "an address": ("<https://example.org/a?b=1&amp;c=2>", "https://example.org/a?b=1&c=2"),
    "an address that Slack found": ("<http://example.org|example.org> is down", "example.org is down"),
    "a link with words": ("the <https://example.org/x|SLO &amp; SLA> page", "the SLO & SLA page"),
    "an e-mail address": ("<mailto:a@example.org|a@example.org>", "a@example.org"),
    "a bare e-mail address": ("<mailto:a@example.org>", "a@example.org"),
    "a telephone number": ("<tel:+4930123|030 123>", "030 123"),
    "a deep link": ("<slack://open|here>", "here"),
    "escaped characters": ("p99 &lt; 1 s &amp;&amp; qps &gt; 5", "p99 < 1 s && qps > 5"),
    "escaped once only": ("&amp;amp; &amp;lt; &lt;!here&gt;", "&amp; &lt; <!here>"),
    "another entity": ("&quot;SLO&quot; &nbsp; &", "&quot;SLO&quot; &nbsp; &"),
    "a quote": ("&gt; our SLO\nwhat is that", "> our SLO\nwhat is that"),
    "smart quotes": ("“SLO” and ‘SLA’ — “服务”", "“SLO” and ‘SLA’ — “服务”"),
    "no token": ("i <3 it, a<b, <>, <b>, <|x>", "i <3 it, a<b, <>, <b>, <|x>"),
    "never closed": ("<@U1 and <https://example.org", "<@U1 and <https://example.org"),
    "bold": ("*SLO* vs *SLA*, *两个*", "SLO vs SLA, 两个"),
    "italic": ("our _SLO_, 看_量化_吧", "our SLO, 看量化吧"),
    "struck": ("~SLO~", "SLO"),
    "all at once": ("*_~SLO~_* and _*SLA*_", "SLO and SLA"),
    "a product": ("2 * 3 * 4 and a*b*c", "2 * 3 * 4 and a*b*c"),
    "a name in code": ("__init__ and kv_cache_size, ~/models ~ 5", "__init__ and kv_cache_size, ~/models ~ 5"),
    "inline code": ("`_x_` and `a &lt; b`", "`_x_` and `a < b`"),
    "a block of code": ("```*x*\n_y_``` *z*", "```*x*\n_y_``` z"),
    "a block that isn't closed": ("```*x*\n*y*", "```*x*\n*y*"),
    "an address in code": ("`<https://example.org>`", "`https://example.org`"),
    "an emoji": (":tada: SLO", ":tada: SLO"),
    "invisible characters": ("KV\u00adcache\u200b\u00a0x", "KV\u00adcache\u200b\u00a0x"),
}


@pytest.mark.parametrize(("sent", "typed"), TYPED.values(), ids=TYPED)
def test_what_was_typed_comes_back(sent: str, typed: str) -> None:
    assert plain(sent) == typed


ASKED = {
    "in the middle": ("hey <@UBOT>, what is SLO?", "hey what is SLO?"),
    "behind somebody else": ("<@U1> <@UBOT> SLO", "SLO"),
    "with a name and a colon": ("<@UBOT|gloss>: SLO", "SLO"),
    "at the end": ("SLO <@UBOT>", "SLO"),
    "no space": ("<@UBOT>SLO", "SLO"),
    "no space before": ("SLO<@UBOT>", "SLO"),
    "before somebody else": ("<@UBOT> SLO <@U2>", "SLO"),
    "twice": ("<@UBOT> SLO vs <@UBOT|gloss> SLA", "SLO vs SLA"),
    "text between two people": ("<@U1> SLO <@UBOT> vs <@U2> SLA", "SLO vs SLA"),
    "alone": ("<@UBOT>", ""),
    "alone with a colon": (" <@UBOT|gloss>: ", ""),
    "an emoji": ("<@UBOT> :+1:", ":+1:"),
    "an emoji and a colon": ("<@UBOT>: :pray::skin-tone-2:", ":pray::skin-tone-2:"),
    "a colon and a time": ("<@UBOT>: 10:30", "10:30"),
    "a Chinese comma": ("<@UBOT>，什么是量化", "什么是量化"),
    "a no-break space": ("<@UBOT>\u00a0define\u00a0SLO", "define\u00a0SLO"),
    "a quote above": ("&gt; our SLO\n<@UBOT> what is that", "> our SLO\nwhat is that"),
    "code beside it": ("<@UBOT> `AWQ`", "`AWQ`"),
    "in code and outside": ("`<@UBOT>` <@UBOT> SLO", "` ` SLO"),
    "escaped text": ("<@UBOT> A &amp; B", "A & B"),
    "a lone backtick": ("` <@UBOT> SLO", "` SLO"),
    "a backtick on another line": ("`\n<@UBOT> SLO`", "`\nSLO`"),
    "nobody": ("SLO", None),
    "somebody else": ("<@U1> SLO", None),
    "somebody else whose id begins alike": ("<@UBOT2> SLO", None),
    "inline code": ("`<@UBOT>` SLO", None),
    "a block of code": ("```\n<@UBOT> SLO\n```", None),
    "a block that isn't closed": ("```<@UBOT> SLO", None),
    "a quoted line": ("&gt; <@UBOT> SLO", None),
    "an indented quote": ("x\n  &gt; <@UBOT> SLO", None),
    "a quote to the end": ("&gt;&gt;&gt; a\n<@UBOT> SLO", None),
    "typed by hand": ("&lt;@UBOT&gt; SLO", None),
    "a name only": ("@jargonaut SLO", None),
    "nothing": ("", None),
}


@pytest.mark.parametrize(("sent", "said"), ASKED.values(), ids=ASKED)
def test_what_is_said_to_the_bot(sent: str, said: str | None) -> None:
    assert asked(sent, BOT) == said


@pytest.mark.parametrize(
    "sent",
    [
        *("hey <@UBOT>, what is SLO?", "<@U1> <@UBOT> SLO", "<@UBOT|gloss>: SLO", "SLO <@UBOT>", "<@UBOT>SLO"),
        *("<@UBOT> SLO <@U2>", "<@UBOT>\u00a0define\u00a0SLO", "<@UBOT> *SLO*", "<@UBOT> “SLO”", "_<@UBOT> SLO_"),
        *("<@UBOT> &lt;SLO&gt;", "<@UBOT>，SLO 是什么", "<@UBOT> <https://example.org|SLO>", "<@UBOT> S\u2060LO"),
    ],
)
async def test_a_mention_in_any_form_asks_for_the_term(sent: str, loaded: Loaded) -> None:
    bot = Bot(fixed(loaded.glossary), loaded.phrases, MemoryStore())
    said = asked(sent, BOT)
    assert said is not None
    place = Place("slack", "T1", "C1")
    answer = await bot.answer(Request(Person("slack", "T1", "U1"), place, "mention", said, by="mention", public=True))
    assert (answer.kind, answer.concepts) == ("definition", ("slo",))


@pytest.mark.parametrize("sent", ["!define\u3000SLO", "！define SLO <@U2>", "*!define* SLO", " !define &lt;SLO&gt;"])
def test_a_command_is_read_from_what_slack_sends(sent: str) -> None:
    typed = read(plain(sent))
    assert typed is not None
    assert (typed.word, typed.argument.strip("<>")) == ("define", "SLO")


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ("```\nslo = 0.99  # AWQ\n```", []),
        ("`AWQ`", []),
        ("&gt; our SLO is 99.9", []),
        ("&gt;&gt;&gt; SLO\nAWQ", []),
        ("```AWQ", []),
        ("text `AWQ` and SLO", ["SLO"]),
        ("our _SLO_ and *AWQ*", ["SLO", "AWQ"]),
        ("<https://example.org/slo> <http://slo.example.org|slo.example.org>", []),
        ("<@U1|awq> <!subteam^S1|@slo>", []),
        ("<https://example.org|our SLO>", ["SLO"]),
    ],
)
def test_terms_are_found_in_prose_only(sent: str, found: list[str], loaded: Loaded) -> None:
    assert [mention.text for mention in Detector(loaded.glossary).mentions(plain(sent))] == found


# -- Any text -----------------------------------------------------------------------------------------------------

PIECES = st.sampled_from(
    [
        *("<@UBOT>", "<@UBOT|gloss>", "<@U1>", "<!here>", "<!subteam^S1|@x>", "<#C1|general>", "<https://a.b|c>"),
        *("<", ">", "|", "<@", "<!", "&gt;", "&lt;", "&amp;", "&", "`", "```", "*", "_", "~", "\n", " ", ":", "SLO"),
    ]
)
sent_text = st.one_of(any_text, st.lists(st.one_of(PIECES, any_text), max_size=20).map("".join))


@given(sent_text)
@bounds(max_examples=300)
def test_any_text_can_be_read(sent: str) -> None:
    assert isinstance(plain(sent), str)
    said = asked(sent, BOT)
    assert said is None or said == said.strip()


@given(st.lists(st.one_of(st.sampled_from(["<@U1>", "<@U1|x>", "<!here>", "<!subteam^S1>", "<#C1|c>"]), any_text)))
def test_nothing_that_pings_survives(pieces: list[str]) -> None:
    wire = [piece if piece.startswith("<") else piece.replace("&", "&amp;").replace("<", "&lt;") for piece in pieces]
    typed_pings = sum(piece.count("<@U1") for piece in pieces if not piece.startswith("<"))
    assert plain("".join(wire)).count("<@U1") <= typed_pings


@given(any_text)
def test_escaped_text_comes_back_as_it_was(typed: str) -> None:
    sent = typed.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    for mark in "*_~":
        typed, sent = typed.replace(mark, ""), sent.replace(mark, "")
    assert plain(sent) == typed


@given(any_text)
def test_a_mention_before_any_text_is_heard(typed: str) -> None:
    assert asked(f"<@UBOT> {typed}", BOT) is not None
    assert asked(f"```<@UBOT> {typed.replace('`', '')}", BOT) is None


HOSTILE = (
    "<",
    "<@U1",
    "<@UBOT> ",
    "<|",
    "`",
    "``` ",
    "*a",
    "_ ",
    "* ",
    "&gt;",
    " ",
    "\t",
    "\n&gt; ",
    "&",
    "<a|",
    "~x ~",
)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("piece", HOSTILE)
def test_time_grows_with_the_length_only(piece: str) -> None:
    """Squared, ten times what a message can hold would take minutes."""
    text = piece * (400_000 // len(piece))
    plain(text)
    asked(text, BOT)
