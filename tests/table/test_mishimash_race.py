"""What a player needs in the final round and in sudden death of MISHIMASH, held against what a bank then does."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from cubiri_cli.games.mishimash import Mishimash
from cubiri_cli.table import mishimash
from cubiri_cli.table.drawing import Span, line, to_text
from cubiri_cli.table.language import LANGUAGES, speak
from cubiri_cli.table.mishimash_picture import Ticks
from cubiri_cli.table.mishimash_race import outlook
from cubiri_cli.table.protocol import LEAST_PICTURE, Moment

NAMES = ["Ada", "Väinö", "Zuzka"]


def at(
    totals: tuple[float, ...],
    seat: int = 1,
    *,
    target: int = 100,
    final_round: int = 0,
    contenders: tuple[int, ...] = (),
    turn: float = 0,
) -> Mishimash:
    """Return a game with these points, `turn` of them taken in the turn of `seat` and not banked yet."""
    game = Mishimash.start({"target": target}, len(totals))
    game.totals, game.turns = tuple(round(2 * total) for total in totals), (5,) * len(totals)
    game.seat, game.final_round, game.contenders = seat, final_round, contenders
    game.at_risk, game.in_turn, game.rolls, game.free_dice = round(2 * turn), turn > 0, int(turn > 0), 3
    return game


SITUATIONS = {
    # before the final round
    "": at((10, 20, 30)),
    "33 to the target": at((67, 20, 30)),
    "80 to the target": at((0, 67, 30), turn=20),
    "a bank now begins the final round": at((90, 0, 0), turn=10),
    "wins with a bank now": at((0, 90, 99.5), 3, turn=0.5),  # R15: the last seat ends the game at once
    # the final round
    "50.5 to lead": at((100, 50, 0), 2, final_round=1),
    "40.5 to lead": at((100, 50, 0), 2, final_round=1, turn=10),
    "ties for first with a bank now": at((100, 50, 0), 2, final_round=1, turn=50),
    "leads with a bank now": at((100, 50, 0), 2, final_round=1, turn=50.5),
    "100.5 to win, 100 to tie · last to play": at((100, 90, 0), 3, final_round=1),
    "30.5 to win, 30 to tie · last to play": at((100, 120, 90), 3, final_round=1),  # the best leads, not who began
    "0.5 to win · last to play": at((100, 40, 40), 3, final_round=1, turn=59.5),
    "a bank now leads to sudden death · last to play": at((100, 100, 40), 3, final_round=2, turn=60),
    "wins with a bank now · last to play": at((100, 100, 40), 3, final_round=1, turn=60.5),
    # sudden death
    "0.5 to lead": at((120, 0, 120), contenders=(1, 3), final_round=1),
    "12.5 to lead": at((132, 120, 120), 2, contenders=(1, 2, 3), final_round=1),
    "8.5 to win, 8 to tie · last to play": at((128, 0, 120), 3, contenders=(1, 3), final_round=1),
    "a bank now leads to another round · last to play": at((128, 0, 120), 3, contenders=(1, 3), final_round=1, turn=8),
}


def test_half_a_point_lacks_where_the_others_busted() -> None:
    game = at((120, 120, 0), 2, contenders=(1, 2), final_round=1)
    assert outlook(game, 0) == "0.5 to win · last to play"


@pytest.mark.parametrize("text", [text for text in SITUATIONS if text != "0.5 to win · last to play"])
def test_every_situation(text: str) -> None:
    game = SITUATIONS[text]
    assert outlook(game, game.at_risk) == text
    picture = "\n".join(map(to_text, mishimash.TABLE.picture(game, NAMES, 80, 16, Moment())))
    words = "\n".join(mishimash.TABLE.describe(game, NAMES, Moment()))
    assert text in picture
    assert text.replace(" · ", "; ")[:1].upper() + text.replace(" · ", "; ")[1:] in words
    told = "sudden death" if game.contenders else "final round" if game.final_round else ""
    assert not told or f" {told} " in picture.splitlines()[0]
    assert ("final round in sight" in picture.splitlines()[0]) == (not told and bool(text))
    assert ("The final round is in sight." in words) == (not told and bool(text))


def after_bank(game: Mishimash, half_points: int) -> Mishimash:
    """Return the game once the seat on turn has banked so much."""
    game = game.copy()
    game.in_turn, game.at_risk, game.roll, game.rolls = True, half_points, (), 1
    game.apply("bank", lambda roll, count: (1,) * count)
    return game


def place(game: Mishimash, seat: int) -> str:
    """Return where a seat is among those who can still win: `won`, `leads`, `tied` or `behind`."""
    if game.over:
        return "won" if game.winner == seat else "behind"
    rivals = [game.totals[other - 1] for other in game.contenders or range(1, game.seats + 1) if other != seat]
    own = game.totals[seat - 1]
    return "leads" if own > max(rivals) else "tied" if own == max(rivals) else "behind"


def test_what_is_said_is_what_a_bank_does() -> None:
    """Every small final round and sudden death of two and three players, every turn of up to five points."""
    count = 0
    for seats, began in ((2, 1), (3, 1), (3, 2)):
        for totals in product((20, 22, 24), repeat=seats):
            for seat in range(1, seats + 1):
                games = (
                    [at(tuple(total / 2 for total in totals), seat, target=10, final_round=began)]
                    if seat > began
                    else []
                )
                for tied in ((1, 2), (1, 3), (2, 3), (1, 2, 3)):
                    if (
                        max(tied) <= seats
                        and seat in tied
                        and len({totals[one - 1] for one in tied if one >= seat}) == 1
                    ):
                        games.append(
                            at(tuple(total / 2 for total in totals), seat, target=10, final_round=1, contenders=tied)
                        )
                for game in games:
                    for turn in range(1, 11):
                        count += 1
                        text = outlook(game, turn)
                        now = after_bank(game, turn)
                        is_last = " · last to play" in text
                        assert is_last == (seat == max(game.contenders or range(1, seats + 1)))
                        assert ("wins with" in text) == (place(now, seat) == "won")
                        assert ("leads with" in text) == (place(now, seat) == "leads")
                        is_tied = bool(re.search("ties for|leads to", text))
                        assert is_tied == (place(now, seat) == "tied")
                        assert ("leads to sudden" in text) == (is_tied and is_last and not game.contenders)
                        if wanted := re.match(r"([\d.]+) to (win|lead)", text):
                            more = round(2 * float(wanted[1]))
                            better = {"win": "won", "lead": "leads"}[wanted[2]]
                            assert place(after_bank(game, turn + more), seat) == better
                            assert place(after_bank(game, turn + more - 1), seat) != better
                        if wanted := re.search(r", ([\d.]+) to tie", text):
                            assert place(after_bank(game, turn + round(2 * float(wanted[1]))), seat) == "tied"
    assert count > 1000


def test_ticks_change_what_is_said() -> None:
    game = at((100, 98), 2, final_round=1)
    game.apply("roll", lambda roll, count: (1, 1, 5, 2, 3, 6))
    for ticked, text in (
        ((True, True, True), "wins with a bank now · last to play"),
        ((True, True, False), "a bank now leads to sudden death · last to play"),
        ((True, False, True), "1 to win, 0.5 to tie · last to play"),
        ((False, False, False), "2.5 to win, 2 to tie · last to play"),
    ):
        moment = Moment(Ticks(ticked))
        assert text in [to_text(one) for one in mishimash.TABLE.picture(game, NAMES[:2], 80, 16, moment)]
        assert mishimash.TABLE.describe(game, NAMES[:2], moment)[0].endswith(
            text[:1].upper() + text[1:].replace(" ·", ";") + "."
        )


def test_alone_the_turns_count_first_and_last() -> None:
    game = at((40,), turn=10)
    first, *rest = [to_text(one) for one in mishimash.TABLE.picture(game, ["Ada"], 80, 16, Moment())]
    assert first.startswith("MISHIMASH · turn 5 · to 100 ")
    assert first.endswith(" the fewer turns, the better")
    assert "50 to the target" in rest
    assert mishimash.TABLE.describe(game, ["Ada"], Moment())[0] == "Turn 5; the fewer turns, the better."
    game = at((40,), turn=60)
    assert "a bank now ends the game" in [
        to_text(one) for one in mishimash.TABLE.picture(game, ["Ada"], 40, 16, Moment())
    ]
    lines = [to_text(one) for one in mishimash.TABLE.breakdown(after_bank(game, 120), ["Ada"])]
    assert lines[-1] == "Result: 5 turns, 100 points"
    assert "Final score" not in "".join(lines)


EIGHT = ["🦊🎲 Foxtrot the Long Name", *NAMES, "Eve", "Bob", "Max", "Ona"]


def least(game: Mishimash, **shown: Any) -> list[str]:
    """Return the smallest picture of a game of eight."""
    return [to_text(one) for one in mishimash.TABLE.picture(game, EIGHT, *LEAST_PICTURE, Moment(**shown))]


def test_eight_players_find_all_they_need_on_the_smallest_screen() -> None:
    totals = (0, 7, 14, 12.5, 67, 22.5, 19, 13.5)
    game = at(totals, 8, final_round=5, turn=7)
    game.free_dice = 2
    game.apply("roll", lambda roll, count: (1, 1))
    whole = " ".join(least(game))
    for text in ("roll 2, ×2 · at risk 7", "MISHIMASH +10 · turn would be 21", "33 to win, 32.5 to tie · last to play"):
        assert text in whole
    news = [
        line(Span(" BUST ", "alarm"), " " + EIGHT[0] + " loses 12.5 points"),
        line("roll 2: 2 3 2 6 4 scores nothing"),
    ]
    whole = " ".join(least(at(totals, 2), news=news, thrown=(2, 3, 2, 6, 4)))
    for text in ("BUST", "loses 12.5 points", "roll 2: 2 3 2 6 4 scores nothing", "93 to the target"):
        assert text in whole


def test_the_chances_of_all_stand_beside_them() -> None:
    chances = [f"{number}%" for number in (5, 10, 15, 20, 5, 10, 15, 20)]
    game = at((100.5,) * 8, target=200, turn=7)
    game.apply("roll", lambda roll, count: (1, 2, 5))
    small = "\n".join(least(game, chances=chances))
    wide = "\n".join(map(to_text, mishimash.TABLE.picture(game, EIGHT, 80, 30, Moment(chances=chances))))
    for number, chance in enumerate(chances):
        assert f" 100.5 {chance:>3}" in small.replace("\n", " "), number
        assert f" {chance} to win" in wide


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("columns", [36, 40])
def test_nothing_of_it_is_cut_on_a_narrow_screen(language: str, columns: int) -> None:
    speak(language)
    try:
        for game in SITUATIONS.values():
            lines = [to_text(one) for one in mishimash.TABLE.picture(game, NAMES, columns, 16, Moment())]
            assert "…" not in "".join(lines)
            said = outlook(game, game.at_risk)
            assert " ".join(said.split()) in " ".join(" ".join(lines).split())
    finally:
        speak("en")
