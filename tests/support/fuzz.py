"""A fuzzer for the verifier, with the slow reference as the judge: good replays, damaged in four ways.

    python -m tests.support.fuzz --minutes 5 [--seed N]

`bytes` damages the text as bytes, `toml` the document, `texts` the names and comments, `game` makes one change to what
was played or claimed. Every input must get the status the reference gives it, and where something was played, the same
place.
"""

from __future__ import annotations

import argparse
import random
import time
import traceback
from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import tomli
import tomli_w

from cubiri_cli.replays.verifying import Verdict, verify
from tests.benchmarks.corpus import magdagdon_text, mishimash_text
from tests.support import reference

Document = dict[str, Any]

SPECIAL = [
    b"\x00", b"\xff", b"\xef\xbb\xbf", b"\r\n", b"\n", b'"', b"'", b'"""', b"'''", b"[", b"]", b"{", b"}", b"#", b"\\",
    b"\\u0031", b"\\x41", b"\\e", b"=", b",", b".", b" ", b"\t", b"nan", b"inf", b"1e999", b"0x1", b"9" * 40, b"-",
    b"[[turns]]\n", b"[result]\n", b"[options]\n", b" -> ", b"true", b"\xc2\xa0", b"\xd9\xa1", b"\xe2\x80\xae",
    b"turns = []\n", b'comment = """\n', b"player = 1\n", b"a." * 200,
]  # fmt: skip


def good_replays() -> list[str]:
    """Return short games of both kinds, each difficulty and several numbers of players among them."""
    levels = ("peaceful", "survival", "nightmare")
    found = [magdagdon_text(f"fuzz-{n}", levels[n % 3]) for n in range(9)]
    return found + [mishimash_text(f"fuzz-{n}", n, 20) for n in (1, 2, 3, 4)]


# --- As bytes ---------------------------------------------------------------------------------------------------------


def damage_bytes(text: str, others: list[str], chance: random.Random) -> bytes:
    """Return the bytes of a replay after one to three changes to them."""
    data = bytearray(text.encode())
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        start = chance.randrange(len(data) + 1)
        end = min(len(data), start + chance.choice((0, 1, 1, 2, 5, 40, 400)))
        other = chance.choice(others).encode()
        begin = chance.randrange(len(other))
        new = chance.choice(
            (
                b"",
                bytes((chance.randrange(256),)),
                bytes((chance.randrange(32, 127),)),
                chance.choice(SPECIAL),
                bytes(data[start:end]) * 2,
                other[begin : begin + chance.choice((1, 5, 40, 400))],
            )
        )
        data[start:end] = new
        if not data:
            return b""
    return bytes(data)


# --- As a document ----------------------------------------------------------------------------------------------------

VALUES: list[Any] = [
    True, False, 0, 1, -1, 2, 7, 2**63, -(2**70), 0.0, 0.5, 0.25, 1.0, float("nan"), float("inf"), "", " ", "1", "42",
    "Ada", "roll", "hint", "confirm", "bank", "roll -> 1 2 3 4", "take 1", "place 1 a1", "ruin a1", "\x1b[m", "\u202e",
    "a" * 33, "magdagdon", "mishimash", "survival", [], [1], ["Ada"], [[]], {}, {"name": "Ada"}, {"a": {"b": 1}},
    datetime(2026, 11, 30, tzinfo=UTC), datetime(2026, 11, 30), datetime(2026, 11, 30, 1, 2, 3, 4, UTC),
    datetime(2026, 11, 30, tzinfo=timezone(timedelta(hours=2))), date(2026, 11, 30),
]  # fmt: skip
KEYS = ["format", "version", "rules", "dice", "seed", "comment", "bot", "player", "log", "score", "extra", "a b", ""]


def damage_document(text: str, others: list[str], chance: random.Random) -> bytes:
    """Return a replay after one or two changes to its document: values replaced, keys taken away, added or renamed."""
    document = tomli.loads(text)
    for _ in range(chance.choice((1, 1, 2))):
        holder = chance.choice(list(_holders(document)))
        if isinstance(holder, dict):
            _damage_table(holder, chance)
        else:
            _damage_list(holder, chance)
    return tomli_w.dumps(document).encode("utf-8", "surrogatepass")


def _damage_table(table: Document, chance: random.Random) -> None:
    keys = list(table)
    what = chance.randrange(4) if keys else 3
    if what == 0:
        table[chance.choice(keys)] = deepcopy(chance.choice(VALUES))
    elif what == 1:
        del table[chance.choice(keys)]
    elif what == 2:
        table[chance.choice(KEYS)] = table.pop(chance.choice(keys))
    else:
        table[chance.choice(KEYS)] = deepcopy(chance.choice(VALUES))


def _damage_list(items: list[Any], chance: random.Random) -> None:
    at = chance.randrange(len(items) + 1)
    what = chance.randrange(5)
    if what == 0:
        items.insert(at, deepcopy(chance.choice(VALUES)))
    elif what == 1:
        del items[at : at + 1]
    elif what == 2:
        items[at : at + 1] = [deepcopy(chance.choice(VALUES))]
    elif what == 3:
        chance.shuffle(items)
    else:
        items += deepcopy(items[at : at + 1])


def _holders(value: Any) -> list[Any]:
    inside = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    here = [value] if isinstance(value, dict | list) else []
    return here + [holder for one in inside for holder in _holders(one)]


# --- Texts that people write ------------------------------------------------------------------------------------------

PIECES = [
    "A", "b", "1", " ", "  ", "\n", "\r\n", "\t", "\u2764", "\u2764\ufe0f", "\ufe0f", "\u200d",
    "\U0001f469\u200d\U0001f4bb", "\U0001f468\u200d\U0001f469\u200d\U0001f466", "1\ufe0f\u20e3",
    "\U0001f1eb\U0001f1ee", "\U0001f44b\U0001f3fd", "\u00a0", "\u2009", "\u202f", "\u3000", "\u1680", "\u2800",
    "\u3164", "\u200b", "\u00ad", "\u202e", "\u2066", "\ufeff", "\ufdd0", "\ufffe", "\ue000", "\U000f0000",
    "\U0010ffff", "\U000e0041", "\u0301", "\u0327", "a\u0301", "\u00e1", "\u212b", "\u00c5", "A\u030a",
    "\u1100\u1161", "\uac00", "\u0958", "\ufb01", "\u0085", "\u2028", "\x7f", "\x1b[m", "\x00", "\u0600", "\u08e2",
    "\u115f", "\u17b4", "\u180e", "\U000110bd", "\U0001bca0", "\U0001d173", "\U00013430", "\u1dfa", "\U0001fae8",
    "\U0001e94b", "<b>", "#1", "::error::", "##[group]", "`", "|", "@ada", "\\", '"', "'", "\u05d0", "\u0661",
]  # fmt: skip
"""What texts are put together from: one of each kind that the contract names, and their neighbours."""


def damage_texts(text: str, others: list[str], chance: random.Random) -> bytes:
    """Return a replay with other names or comments, of any characters."""
    document = tomli.loads(text)
    for _ in range(chance.choice((1, 1, 2))):
        what = chance.randrange(4)
        if what == 0:
            document["comment"] = _text(chance)
        elif what == 1:
            chance.choice(document["turns"])["comment"] = _text(chance)
        else:
            chance.choice(document["players"])["name"] = _text(chance)
    return tomli_w.dumps(document, multiline_strings=chance.random() < 0.5).encode("utf-8", "surrogatepass")


def _text(chance: random.Random) -> str:
    pieces = [
        chr(chance.randrange(0x110000)) if chance.random() < 0.3 else chance.choice(PIECES)
        for _ in range(chance.choice((1, 1, 2, 2, 3, 5, 9, 33)))
    ]
    return "".join(pieces)


# --- As a game --------------------------------------------------------------------------------------------------------


def damage_game(text: str, others: list[str], chance: random.Random) -> bytes:
    """Return a replay of the right form with one thing changed in what was played, who played, or what is claimed."""
    document = tomli.loads(text)
    chance.choice((_dice, _action, _action, _order, _order, _boundary, _claim, _circumstances))(document, chance)
    return tomli_w.dumps(document).encode()


def _some_log(document: Document, chance: random.Random) -> list[str]:
    log: list[str] = chance.choice(document["turns"])["log"]
    return log


def _dice(document: Document, chance: random.Random) -> None:
    log = _some_log(document, chance)
    rolls = [index for index, entry in enumerate(log) if " -> " in entry]
    if rolls:
        index = chance.choice(rolls)
        action, _, answer = log[index].partition(" -> ")
        dice = answer.split(" ")
        change = chance.randrange(4)
        if change == 0:
            chance.shuffle(dice)
        elif change == 1:
            dice.append(chance.choice("123456"))
        elif change == 2 and len(dice) > 1:
            dice.pop()
        else:
            dice[chance.randrange(len(dice))] = chance.choice("123456")
        log[index] = f"{action} -> {' '.join(dice)}"


def _action(document: Document, chance: random.Random) -> None:
    log = _some_log(document, chance)
    name, index = document["game"], chance.randrange(len(log))
    action = chance.choice(("roll", "hint", *reference.GAMES[name].candidates()))
    throws = action == "roll" or action.startswith("power reroll")
    dice = [chance.choice("123456") for _ in range(chance.choice((1, 4, 6)))]
    log[index : index + chance.randrange(2)] = [f"{action} -> {' '.join(dice)}" if throws else action]


def _order(document: Document, chance: random.Random) -> None:
    log = _some_log(document, chance)
    index, other = chance.randrange(len(log)), chance.randrange(len(log))
    what = chance.randrange(3)
    if what == 0:
        log[index], log[other] = log[other], log[index]
    elif what == 1 and len(log) > 1:
        del log[index]
    else:
        log.insert(other, log[index])


def _boundary(document: Document, chance: random.Random) -> None:
    turns = document["turns"]
    index = chance.randrange(len(turns))
    what = chance.randrange(6)
    log = turns[index]["log"]
    if what == 0 and index + 1 < len(turns):
        log += turns.pop(index + 1)["log"]
    elif what == 1 and len(log) > 1:
        cut = chance.randrange(1, len(log))
        turns.insert(index + 1, {"player": turns[index]["player"], "log": log[cut:]})
        del log[cut:]
    elif what == 2 and len(turns) > 1:
        del turns[index]
    elif what == 3:
        turns.insert(index, deepcopy(turns[index]))
    elif what == 4:
        del turns[index + 1 :]
    else:
        turns[index]["player"] = chance.randrange(1, len(document["players"]) + 1)


def _claim(document: Document, chance: random.Random) -> None:
    result = document["result"]
    name = chance.choice([name for name in result if name != "finished"])
    value = result[name]
    if isinstance(value, list):
        at = chance.randrange(len(value))
        value[at] += chance.choice((1, -1)) * (0.5 if isinstance(value[at], float) else 1)
    elif name == "winner":
        result[name] = chance.randrange(1, len(document["players"]) + 1)
    else:
        result[name] = chance.choice((value + 1, -value, 0, 2**64))
    if chance.random() < 0.1:
        del document["result"]


def _circumstances(document: Document, chance: random.Random) -> None:
    what = chance.randrange(3)
    if what == 0:
        document["seed"] = chance.choice(("42", "fuzz-1", "fuzz-2"))
    elif what == 1 and document["game"] == "magdagdon":
        document["options"]["difficulty"] = chance.choice(("peaceful", "survival", "nightmare"))
    elif what == 1:
        document["options"]["target"] = chance.choice((10, 15, 20, 30, 1000))
    elif document["game"] == "mishimash":
        players = document["players"]
        players.append({"name": "Eve"}) if chance.random() < 0.5 or len(players) == 1 else players.pop()


# --- The judge --------------------------------------------------------------------------------------------------------

KINDS: dict[str, Callable[[str, list[str], random.Random], bytes]] = {
    "bytes": damage_bytes,
    "toml": damage_document,
    "texts": damage_texts,
    "game": damage_game,
}
PLAYED = ("dice", "illegal", "mismatch")


@dataclass
class Report:
    """What came of fuzzing: how many inputs of each kind, with which statuses, and everything that is wrong."""

    inputs: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    tracebacks: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    wrongly_verified: int = 0
    only_toml_1_1: int = 0
    slowest: float = 0.0
    """Seconds of the verifier for one input."""


def judge(data: bytes) -> tuple[reference.Verdict, bool]:
    """Return the reference's verdict, and whether it needed TOML 1.1, which this program's parser reads as well."""
    expected = reference.judge_bytes(data)
    if expected.status != "malformed" or expected.where is not None:
        return expected, False
    try:
        document = tomli.loads(data.removeprefix(b"\xef\xbb\xbf").decode())
    except (ValueError, RecursionError):
        return expected, False
    return reference.judge(document), True


def try_one(kind: str, data: bytes, report: Report) -> None:
    """Hold the verifier against the reference on one input."""
    report.inputs[kind] += 1
    began = time.process_time()
    try:
        verdict = verify(data)
    except Exception:  # whatever it is, it is what this looks for
        report.tracebacks.append(f"{kind}: {data!r}\n{traceback.format_exc()}")
        return
    report.slowest = max(report.slowest, time.process_time() - began)
    report.statuses[f"{kind}: {verdict.status}"] += 1
    expected, newer = judge(data)
    report.only_toml_1_1 += newer
    if not _agree(verdict, expected):
        report.wrong.append(f"{kind}: {data!r}\n  {verdict}\n  {expected}")
        report.wrongly_verified += verdict.status == "verified"


def _agree(verdict: Verdict, expected: reference.Verdict) -> bool:
    if verdict.status != expected.status:
        return False
    # A form can be wrong in several places at once, of which each may name another; a game goes wrong in one.
    return verdict.status not in PLAYED or (verdict.where, verdict.result) == (expected.where, expected.result)


def fuzz(seed: int, count: int | None = None, seconds: float | None = None) -> Report:
    """Try so many inputs of each kind, or go on for so many seconds."""
    chance, report, texts = random.Random(seed), Report(), good_replays()
    for text in texts:
        try_one("good", text.encode(), report)
    end = None if seconds is None else time.monotonic() + seconds
    while (report.inputs["game"] < count) if count is not None else (end is None or time.monotonic() < end):
        for kind, damage in KINDS.items():
            try_one(kind, damage(chance.choice(texts), texts, chance), report)
    return report


def main() -> int:
    """Fuzz as long as the arguments say, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=time.time_ns())
    arguments = parser.parse_args()
    report = fuzz(arguments.seed, seconds=60 * arguments.minutes)
    print(f"seed {arguments.seed}")
    print("inputs", dict(report.inputs))
    for status, number in sorted(report.statuses.items()):
        print(f"  {status}: {number}")
    print(f"read as TOML 1.1 only: {report.only_toml_1_1}")
    print(f"slowest input: {1000 * report.slowest:.1f} ms")
    print(f"tracebacks: {len(report.tracebacks)}, other answers than the reference's: {len(report.wrong)}", end="")
    print(f", of these wrongly verified: {report.wrongly_verified}")
    for trouble in (report.tracebacks + report.wrong)[:10]:
        print(trouble)
    return 1 if report.tracebacks or report.wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
