"""The manners of unasked notes, as one table. `tests/test_manners.py` plays it, `docs/MANNERS.md` shows it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from bot.manners import Silence
from tests.stores import OTHER_CHANNEL, OTHER_THREAD, THREAD
from tests.stories import (
    GONE,
    SILENT,
    STAYS,
    Asks,
    Case,
    Deletes,
    Edits,
    EditsSilent,
    Later,
    Looks,
    Presses,
    Says,
    Sets,
    Shares,
    StoreGoes,
    WrongElsewhere,
    case,
    cut,
    note,
    silent,
)

TTFT: Final = "TTFT got worse"
WEEK: Final = Later(timedelta(days=7))
ALMOST_A_WEEK: Final = Later(timedelta(days=7) - timedelta(minutes=1))
HOUR: Final = Later(timedelta(hours=1))
ALMOST_AN_HOUR: Final = Later(timedelta(minutes=59))

TTFT_HERE: Final = Says(TTFT)
TTFT_IN_THREAD: Final = Says(TTFT, place=THREAD)
TTFT_IN_OTHER: Final = Says(TTFT, place=OTHER_THREAD)
TTFT_ELSEWHERE: Final = Says(TTFT, place=OTHER_CHANNEL)
BOTH: Final = Says("TTFT and TPOT")

ANA_WRONG: Final = Presses("note-wrong", "Ana")
BO_WRONG: Final = Presses("note-wrong", "Bo")
ANA_REMOVES: Final = Presses("note-remove", "Ana")
BO_KNOWS: Final = Presses("know", "Bo")
BO_MUTES: Final = Presses("note-mute", "Bo")
NEVER: Final = Sets("auto-never", ("ttft",))
RESTING: Final = WrongElsewhere("ttft", 3)

SAID_BEFORE: Final = silent(Silence.SAID_BEFORE)

SIX: Final = tuple(Says(f"What about {label}?") for label in ("SLA", "SLO", "FP16", "INT8", "KV cache", "TPOT"))
"""As many notes as a channel gets in an hour."""
THREE: Final = tuple(Says(f"What about {label}?", place=THREAD) for label in ("SLA", "SLO", "FP16"))
"""As many notes as a thread gets."""


def unheard(id_: str, text: str, why: str) -> Case:
    """A message that isn't looked at, or in which nothing counts."""
    return case(id_, [Says(text)], silent(Silence.COMMAND if "command" in id_ else Silence.NO_TERM), why)


SECTIONS: Final[dict[str, tuple[Case, ...]]] = {
    "Where": (
        case("off", [TTFT_HERE], silent(Silence.OFF), mode="off"),
        case("off-in-a-thread", [TTFT_IN_THREAD], silent(Silence.OFF), mode="off"),
        case("threads-channel", [TTFT_HERE], silent(Silence.NOT_A_THREAD), mode="threads"),
        case("threads-thread", [TTFT_IN_THREAD], note("ttft"), "notes are on in threads", mode="threads"),
        case("all-channel", [TTFT_HERE], note("ttft"), "notes are on everywhere"),
        case("all-thread", [TTFT_IN_THREAD], note("ttft"), "notes are on everywhere"),
    ),
    "Which terms, and how many": (
        case("nothing", [Says("Lunch at noon?")], silent(Silence.NO_TERM)),
        case(
            "unclear", [Says("Pruning the roses")], silent(Silence.NO_TERM), "nothing near it says which sense is meant"
        ),
        case(
            "chinese",
            [Says("开了连续批处理之后 TTFT 变差了")],
            note("continuous-batching", "ttft"),
            "both languages, also mixed",
        ),
        case(
            "level",
            [Says("SLA, SLO and continuous batching")],
            note("continuous-batching", "slo", "sla"),
            "what the fewest know comes first",
        ),
        case("order", [Says("The SLO is about TTFT")], note("slo", "ttft"), "of one level, in the order of the text"),
        case(
            "three",
            [Says("SLA, FP16, SLO, TTFT, speculative decoding")],
            note("speculative-decoding", "slo", "ttft"),
            "at most 3 terms in one note; the rest is dropped",
        ),
        case("twice", [Says("TTFT here, and TTFT there")], note("ttft"), "each term once"),
        case(
            "advanced",
            [Says("TTFT since continuous batching")],
            note("continuous-batching"),
            "this channel wants specialists' terms only",
            advanced=True,
        ),
        case("advanced-none", [TTFT_HERE], silent(Silence.NOT_ADVANCED), advanced=True),
    ),
    "Silent messages": (
        unheard("command", "!define TTFT", "a command to this bot, which is answered as one"),
        unheard("command-slash", "/giphy TTFT", "a command to another bot"),
        unheard("command-question", "?ttft", "a command to another bot"),
        unheard("command-dollar", "$calc TTFT", "a command to another bot"),
        unheard("command-wide", "！TTFT 查一下", "also as a Chinese input method writes it"),
        unheard("command-wide-slash", "／TTFT", "also as a Chinese input method writes it"),
        unheard("command-comma", "、TTFT", "also as a Chinese input method writes it"),
        unheard("command-wide-question", "？TTFT", "also as a Chinese input method writes it"),
        unheard("command-wide-dollar", "＄calc TTFT", "also as a Chinese input method writes it"),
        unheard("command-after-spaces", "  !ttft", "also after spaces"),
        case("exclamation", [Says("! TTFT is bad")], note("ttft"), "no command: the mark stands alone"),
        case("marks", [Says("!!! TTFT is bad")], note("ttft"), "no command: only marks"),
        case("money", [Says("$200 a month buys a better TTFT")], note("ttft"), "no command: money"),
        case("to-the-bot", [Says("@jargonaut TTFT", to_bot=True)], silent(Silence.TO_THE_BOT)),
        case("a-bot", [Says(TTFT, by="A webhook", from_person=False)], silent(Silence.NO_PERSON)),
        case("in-time", [Says(TTFT, late=timedelta(seconds=120))], note("ttft"), "120 seconds are still in time"),
        case("late", [Says(TTFT, late=timedelta(seconds=121))], silent(Silence.OLD)),
        unheard("code", "`TTFT` is a column", "code isn't read"),
        unheard("block", "```\nTTFT\n```", "code isn't read"),
        unheard("quote", "> TTFT got worse\nReally?", "quotes aren't read"),
        unheard("address", "see https://example.org/TTFT", "addresses aren't read"),
        unheard("emoji", "nice :ttft:", "names of emoji aren't read"),
        case("store-away", [StoreGoes(), TTFT_HERE], silent(Silence.STORE_AWAY)),
    ),
    "Once": (
        case("again", [TTFT_HERE, Says(TTFT, by="Bo")], SAID_BEFORE, "explained in this channel less than 7 days ago"),
        case(
            "under-7-days",
            [TTFT_HERE, ALMOST_A_WEEK, TTFT_HERE],
            SAID_BEFORE,
            "explained in this channel less than 7 days ago",
        ),
        case("after-7-days", [TTFT_HERE, WEEK, TTFT_HERE], note("ttft"), "7 days are over"),
        case(
            "thread-for-good",
            [TTFT_IN_THREAD, WEEK, TTFT_IN_THREAD],
            SAID_BEFORE,
            "once in a thread is enough for good",
        ),
        case("other-thread", [TTFT_IN_THREAD, TTFT_IN_OTHER], SAID_BEFORE, "its channel saw it less than 7 days ago"),
        case(
            "other-thread-later",
            [TTFT_IN_THREAD, WEEK, TTFT_IN_OTHER],
            note("ttft"),
            "7 days are over, and it's another thread",
        ),
        case("other-channel", [TTFT_HERE, TTFT_ELSEWHERE], note("ttft"), "others read there"),
        case("only-the-new", [TTFT_HERE, BOTH], note("tpot"), "only what is new here"),
        case("lost", [Says(TTFT, posted=False), TTFT_HERE], note("ttft"), "nobody saw the first one"),
        case("removed", [TTFT_HERE, ANA_REMOVES, TTFT_HERE], SAID_BEFORE, "people saw it before it was removed"),
        case("deleted", [TTFT_HERE, Deletes(), TTFT_HERE], SAID_BEFORE, "people saw it before it was deleted"),
        case("asked", [Asks("define TTFT"), TTFT_HERE], SAID_BEFORE, "all saw the public answer"),
        case("compared", [Asks("vs TTFT TPOT"), TTFT_HERE], SAID_BEFORE, "all saw the public answer"),
        case(
            "asked-in-the-thread",
            [Asks("define TTFT", THREAD), WEEK, TTFT_IN_THREAD],
            SAID_BEFORE,
            "all of this thread saw the public answer",
        ),
        case("shared", [Shares("ttft"), TTFT_HERE], SAID_BEFORE, "all saw the card"),
        case("asked-privately", [Looks("define TTFT"), TTFT_HERE], note("ttft"), "nobody else saw that answer"),
        case("spelt-out", [Says("TTFT (time to first token) got worse")], silent(Silence.SPELT_OUT)),
        case("spelt-out-in-chinese", [Says("首 Token 延迟（TTFT）变差了")], silent(Silence.SPELT_OUT)),
        case(
            "spelt-out-one",
            [Says("TTFT (time to first token) and TPOT")],
            note("tpot"),
            "TTFT is spelt out, TPOT isn't",
        ),
        case(
            "spelt-out-before",
            [Says("TTFT (time to first token) got worse", place=THREAD), TTFT_IN_THREAD],
            SAID_BEFORE,
            "readers of this thread saw it spelt out",
        ),
    ),
    "Not too many": (
        case("three-notes", [*THREE, TTFT_IN_THREAD], SAID_BEFORE, "a thread gets 3 notes"),
        case("three-notes-for-good", [*THREE, WEEK, TTFT_IN_THREAD], SAID_BEFORE, "a thread gets 3 notes, ever"),
        case("three-notes-elsewhere", [*THREE, TTFT_IN_OTHER], note("ttft"), "another thread has its own 3"),
        case("six-notes", [*SIX, TTFT_HERE], SAID_BEFORE, "a channel gets 6 notes an hour"),
        case("six-notes-and-a-thread", [*SIX, TTFT_IN_THREAD], SAID_BEFORE, "its threads count too"),
        case("six-notes-under-an-hour", [*SIX, ALMOST_AN_HOUR, TTFT_HERE], SAID_BEFORE, "the hour isn't over"),
        case("six-notes-an-hour-later", [*SIX, HOUR, TTFT_HERE], note("ttft"), "the hour is over"),
        case("six-notes-elsewhere", [*SIX, TTFT_ELSEWHERE], note("ttft"), "another channel has its own 6"),
        case(
            "dropped", [*SIX, TTFT_HERE, HOUR, TTFT_HERE], note("ttft"), "what was dropped doesn't count as explained"
        ),
        case(
            "cut-off",
            [Says("SLA, SLO, TTFT, continuous batching"), Says("What about SLA?")],
            note("sla"),
            "what was cut off doesn't count as explained",
        ),
        case(
            "lost-and-budget",
            [*SIX[:5], Says("TPOT", posted=False), TTFT_HERE],
            note("ttft"),
            "a note that nobody saw doesn't count",
        ),
        case("removed-and-budget", [*SIX[:6], ANA_REMOVES, TTFT_HERE], SAID_BEFORE, "a removed note counts"),
    ),
    "What people want": (
        case("known", [TTFT_HERE, BO_KNOWS, WEEK, Says(TTFT, by="Bo")], silent(Silence.KNOWN)),
        case(
            "known-and-others",
            [TTFT_HERE, BO_KNOWS, WEEK, TTFT_HERE],
            note("ttft"),
            "what Bo knows counts under Bo's messages only",
        ),
        case(
            "known-and-more", [TTFT_HERE, BO_KNOWS, WEEK, Says("TTFT and TPOT", by="Bo")], note("tpot"), "Bo knows TTFT"
        ),
        case("muted", [TTFT_HERE, BO_MUTES, Says("TPOT got worse", by="Bo")], silent(Silence.MUTED)),
        case(
            "muted-and-others",
            [TTFT_HERE, BO_MUTES, Says("TPOT got worse")],
            note("tpot"),
            "Bo's wish is about Bo's messages",
        ),
        case("muted-elsewhere", [TTFT_HERE, BO_MUTES, Says(TTFT, by="Bo", place=OTHER_CHANNEL)], silent(Silence.MUTED)),
        case("never", [NEVER, TTFT_HERE], silent(Silence.RESTING)),
        case("never-and-others", [NEVER, BOTH], note("tpot"), "never is said of TTFT only"),
        case("never-elsewhere", [NEVER, TTFT_ELSEWHERE], note("ttft"), "never is said of the other channel"),
        case("never-taken-back", [NEVER, NEVER, TTFT_HERE], note("ttft"), "pressed again, it's taken back"),
        case("remove-author", [TTFT_HERE, ANA_REMOVES], GONE, "Ana wrote the message"),
        case("remove-other", [TTFT_HERE, Presses("note-remove", "Bo")], STAYS, "Bo didn't write the message"),
        case(
            "remove-moderator",
            [TTFT_HERE, Presses("note-remove", "Eve", may=True)],
            GONE,
            "Eve may delete messages of others",
        ),
    ),
    "Another meaning": (
        case("wrong-author", [TTFT_HERE, ANA_WRONG], GONE, "the author knows what was meant"),
        case("wrong-reader", [TTFT_HERE, BO_WRONG], STAYS, "one reader isn't enough"),
        case("wrong-reader-twice", [TTFT_HERE, BO_WRONG, BO_WRONG], STAYS, "Bo counts once"),
        case("wrong-two-readers", [TTFT_HERE, BO_WRONG, Presses("note-wrong", "Cy")], GONE, "two readers agree"),
        case(
            "wrong-one-of-two",
            [BOTH, Presses("note-wrong", "Ana", "ttft")],
            cut("tpot"),
            "the note loses this term only",
        ),
        case(
            "wrong-two-terms",
            [BOTH, Presses("note-wrong", "Bo", "ttft"), Presses("note-wrong", "Cy", "tpot")],
            STAYS,
            "they speak of different terms",
        ),
        case(
            "wrong-both",
            [BOTH, Presses("note-wrong", "Ana", "ttft"), Presses("note-wrong", "Ana", "tpot")],
            GONE,
            "nothing is left",
        ),
        case(
            "wrong-thread",
            [TTFT_IN_THREAD, ANA_WRONG, WEEK, Says(TTFT, by="Bo", place=THREAD)],
            SAID_BEFORE,
            "silent in this thread for good",
        ),
        case(
            "wrong-other-thread",
            [TTFT_IN_THREAD, ANA_WRONG, WEEK, TTFT_IN_OTHER],
            note("ttft"),
            "elsewhere it may be meant",
        ),
        case("twice-wrong", [WrongElsewhere("ttft", 2), TTFT_HERE], note("ttft"), "twice may happen"),
        case("resting", [RESTING, TTFT_HERE], silent(Silence.RESTING), "3 times, and the label rests in this channel"),
        case(
            "resting-label",
            [RESTING, Says("Time to first token got worse")],
            note("ttft"),
            "the label rests, not the concept's other names",
        ),
        case("resting-elsewhere", [RESTING, TTFT_ELSEWHERE], note("ttft"), "it rests in one channel"),
        case("released", [RESTING, Sets("auto-release"), TTFT_HERE], note("ttft"), "it was released"),
    ),
    "Edited and deleted messages": (
        case(
            "edited-into-a-term",
            [EditsSilent("It got worse", "TTFT got worse")],
            SILENT,
            "an edit never makes a note",
        ),
        case("edited-without-effect", [TTFT_HERE, Edits("TTFT got much worse")], STAYS, "the term is still there"),
        case("edited-to-more", [TTFT_HERE, Edits("TTFT and TPOT got worse")], STAYS, "an edit never adds to a note"),
        case("edited-to-less", [BOTH, Edits("TPOT")], cut("tpot"), "TTFT is no longer in the message"),
        case("edited-to-nothing", [TTFT_HERE, Edits("It got worse")], GONE, "nothing of it is left in the message"),
        case(
            "edited-back",
            [TTFT_HERE, Edits("It got worse"), Edits(TTFT)],
            STAYS,
            "the note is gone, and an edit makes none",
        ),
        case("edited-and-seen", [BOTH, Edits("TPOT"), TTFT_HERE], SAID_BEFORE, "people saw it before"),
        case("message-deleted", [TTFT_HERE, Deletes()], GONE, "a note under nothing helps nobody"),
    ),
}

CASES: Final = tuple(entry for cases in SECTIONS.values() for entry in cases)

STORED: Final = ("Once", "Not too many", "Another meaning")
"""Sections in which the store decides; they're played over a database too."""
