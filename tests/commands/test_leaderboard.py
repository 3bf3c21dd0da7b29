"""The leaderboard: who stands where, who does not stand there at all, and that each game counts once."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import tomli

from cubiri_cli import games
from cubiri_cli.commands.leaderboard import NOTHING
from cubiri_cli.replays.verifying import verify
from cubiri_cli.replays.writing import write
from cubiri_cli.store.leaderboard.board import Leaderboard, Ranking
from cubiri_cli.store.leaderboard.entries import Entry, Refusal, judge
from tests.support.running import Ran, cubiri
from tests.support.strategies import Setup, magdagdon, mishimash, pick, play, to_bytes

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def entry(
    name: str,
    game: str,
    result: dict[str, Any],
    option: object,
    seats: int = 1,
    date: int = 0,
    assisted: bool = False,
    seed: str = "s",
) -> Entry:
    """Return an entry as a game with this result makes it; `date` is in minutes after noon."""
    game_class = games.load(game)
    return Entry(
        digest=f"digest of {name}",
        game=game,
        options={game_class.OPTIONS[0].name: option},
        player=name,
        seed=seed,
        date=NOON + timedelta(minutes=date),
        seats=seats,
        rules=1,
        assisted=assisted,
        standing=game_class.standing(result, seats),
    )


def solo_board(name: str, score: int, turns: int, powers: int, **more: Any) -> Entry:
    result = {"score": score, "turns": turns, "powers": powers, "ruins": 0}
    return entry(name, "magdagdon", result, "survival", **more)


def dice_game(name: str, points: float, turns: int, others: int = 0, **more: Any) -> Entry:
    scores, rounds = [points, *[0.0] * others], [turns] * (1 + others)
    result = {"winner": 1, "scores": scores, "turns": rounds}
    return entry(name, "mishimash", result, 100, seats=1 + others, **more)


def ranked(entries: list[Entry], is_solo: bool = True, **more: Any) -> list[tuple[int, str]]:
    """Return ranks and names, however the entries come in."""
    answers = set()
    for order in (entries, entries[::-1], sorted(entries, key=lambda one: hash(one.player))):
        board = Leaderboard.in_memory()
        board.admit(order)
        table = Ranking(entries[0].game, dict(entries[0].options), is_solo, rules=1)
        answers.add(tuple((row.rank, row.player) for row in board.rows(table, **more)))
    assert len(answers) == 1
    return list(answers.pop())


# Order


def test_magdagdon_score_then_turns_then_powers_then_date() -> None:
    entries = [
        solo_board("best score", 300, 9, 3),
        solo_board("fewer turns", 200, 5, 3, date=9),
        solo_board("fewer powers", 200, 6, 0, date=9),
        solo_board("earlier", 200, 6, 1, date=1),
        solo_board("later", 200, 6, 1, date=2),
        solo_board("more powers", 200, 6, 2),
        solo_board("more turns", 200, 7, 0),
        solo_board("below zero", -15, 4, 0),
        solo_board("far below", -100, 4, 0),
    ]
    assert ranked(entries) == [(rank, one.player) for rank, one in enumerate(entries, 1)]


def test_mishimash_alone_turns_then_total_then_date() -> None:
    entries = [
        dice_game("fewest turns", 100.0, 3, date=9),
        dice_game("higher total", 110.5, 4, date=9),
        dice_game("half a point less", 110.0, 4, date=9),
        dice_game("earlier", 100.0, 4, date=1),
        dice_game("later", 100.0, 4, date=2),
        dice_game("more turns", 500.0, 5),
    ]
    assert ranked(entries) == [(rank, one.player) for rank, one in enumerate(entries, 1)]


def test_mishimash_of_several_total_then_turns_of_the_winner() -> None:
    entries = [
        dice_game("highest", 120.5, 9, others=1),
        dice_game("fewer turns", 120.0, 4, others=7),
        dice_game("earlier", 120.0, 5, others=1, date=1),
        dice_game("later", 120.0, 5, others=2, date=2),
        dice_game("least", 100.0, 1, others=1),
    ]
    assert ranked(entries, is_solo=False) == [(rank, one.player) for rank, one in enumerate(entries, 1)]
    assert ranked([*entries, dice_game("alone", 130.0, 2)], is_solo=False) == ranked(entries, is_solo=False)


def test_equal_in_everything_share_a_rank_and_the_next_one_is_left_out() -> None:
    entries = [
        solo_board("Ada", 200, 6, 1),
        solo_board("Bo", 100, 6, 1),
        solo_board("Cy", 100, 6, 1),
        solo_board("Di", 50, 6, 1),
    ]
    assert ranked(entries) == [(1, "Ada"), (2, "Bo"), (2, "Cy"), (4, "Di")]
    assert ranked(entries, first=2) == [(2, "Cy"), (4, "Di")]
    assert ranked(entries, limit=2) == [(1, "Ada"), (2, "Bo")]


def test_the_place_of_an_entry() -> None:
    board = Leaderboard.in_memory()
    board.admit([solo_board(f"p{number}", 1000 - number, 6, 1) for number in range(50)])
    board.admit([solo_board("helped", 999, 5, 1, assisted=True)])
    place = board.place("digest of p30")
    assert place is not None
    assert (place.rank, place.total, [row.player for row in place.around]) == (
        31,
        50,
        ["p28", "p29", "p30", "p31", "p32"],
    )
    first, helped = board.place("digest of p0"), board.place("digest of helped")
    assert first is not None
    assert [row.player for row in first.around] == ["p0", "p1", "p2", "p3", "p4"]
    assert helped is not None
    assert (helped.rank, helped.total) == (2, 51)
    assert board.place("digest of nobody") is None


def test_within_one_seed_ranks_count_anew() -> None:
    entries = [solo_board(f"p{number}", 100 - number, 6, 1, seed=f"s{number % 3}") for number in range(9)]
    assert ranked(entries, seed="s1") == [(1, "p1"), (2, "p4"), (3, "p7")]


def test_tables_in_the_order_of_the_games_and_their_options() -> None:
    board = Leaderboard.in_memory()
    result = {"score": 1, "turns": 5, "powers": 0, "ruins": 0}
    for level in ("nightmare", "peaceful", "survival"):
        board.admit([entry(level, "magdagdon", result, level)])
    for target in (1000, 50):
        for seats in (3, 1):
            claims = {"winner": 1, "scores": [60.0] * seats, "turns": [3] * seats}
            board.admit([entry(f"{target} {seats}", "mishimash", claims, target, seats)])
    assert [(*table.options.values(), table.is_solo) for table in board.tables()] == [
        ("peaceful", True),
        ("survival", True),
        ("nightmare", True),
        (50, True),
        (50, False),
        (1000, True),
        (1000, False),
    ]
    assert [table.options for table in board.tables("mishimash", {"target": 50})] == [{"target": 50}] * 2


def test_best_results_are_found_through_an_index_however_many_there_are() -> None:
    """No query goes through all entries or sorts them: SQLite itself says how it would answer each."""
    board = Leaderboard.in_memory()
    board.admit([solo_board(f"p{n}", n, 5, n % 3, seed=f"s{n % 2}", assisted=n % 4 == 0) for n in range(20)])
    (table,) = board.tables()
    queries: list[str] = []
    board._database.set_trace_callback(queries.append)
    for assisted in (False, True):
        for seed in (None, "s1"):
            assert board.rows(table, seed, assisted, limit=2, first=1)
            assert board.count(table, seed, assisted)
    for name in ("p3", "p4"):
        assert board.place(f"digest of {name}")
    board._database.set_trace_callback(None)
    assert len(queries) > 12
    for query in queries:
        steps = [row[3] for row in board._database.execute(f"EXPLAIN QUERY PLAN {query}")]
        assert any(step.startswith("SEARCH entries USING ") for step in steps), query
        assert not [step for step in steps if "SCAN" in step or "TEMP B-TREE" in step], query


# What is ranked, and what is not


def finished(setup: Setup, number: int = 0, hints: float = 0, **changes: Any) -> dict[str, Any]:
    """Return the document of a finished game by a random player."""
    chance = random.Random(f"{setup} {number}")
    session = play(setup, chance, partial(pick, hints=hints))
    return {**tomli.loads(write(session.replay)), **changes}


def reason(document: dict[str, Any]) -> str:
    refusal = judge(verify(to_bytes(document)))
    assert isinstance(refusal, Refusal)
    return refusal.problem.code


def entry_of(document: dict[str, Any]) -> Entry:
    made = judge(verify(to_bytes(document)))
    assert isinstance(made, Entry)
    return made


def test_a_verified_game_is_ranked_with_what_was_recomputed() -> None:
    document = finished(magdagdon("survival", "one"))
    made = entry_of(document)
    claims = document["result"]
    assert made.standing.figures == {name: claims[name] for name in ("score", "powers", "ruins")}
    assert (made.player, made.seed, made.date, made.assisted) == ("Ada", "one", claims["finished"], False)


def test_the_winner_is_ranked_among_several() -> None:
    document = finished(mishimash(3, 20, "three"))
    made = entry_of(document)
    winner = document["result"]["winner"]
    assert made.player == document["players"][winner - 1]["name"]
    assert made.standing.figures == {"points": document["result"]["scores"][winner - 1], "players": 3}
    assert made.standing.turns == document["result"]["turns"][winner - 1]
    assert made.seats == 3


def test_games_that_are_not_ranked() -> None:
    document = finished(mishimash(2, 20, "two"))
    assert entry_of(document)
    bots = [document["players"][0], {**document["players"][1], "bot": "hard"}]
    assert reason({**document, "players": bots}) == "bot-played"
    unfinished = {name: value for name, value in document.items() if name != "result"}
    unfinished["turns"] = document["turns"][:1]
    assert reason(unfinished) == "unfinished"
    claimed = {**document["result"], "scores": [points + 0.5 for points in document["result"]["scores"]]}
    assert reason({**document, "result": claimed}) == "claim"
    assert reason({**document, "seed": "other"}) == "wrong-dice"
    assert reason({**document, "rules": 7}) == "unsupported"
    assert reason({"format": "other"}) == "missing-key"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with games of all kinds, ranked or not."""
    folder = tmp_path / "games"
    folder.mkdir()
    for number in range(4):
        save(folder / f"fair-{number}.toml", finished(magdagdon("peaceful", f"seed-{number % 2}"), number))
    assisted = finished(magdagdon("peaceful", "seed-0"), 9, hints=0.9)
    assert any(entry == "hint" for turn in assisted["turns"] for entry in turn["log"])
    save(folder / "hints.toml", assisted)
    duel = finished(mishimash(2, 20, "duel"))
    save(folder / "duel.toml", duel)
    save(folder / "bot.toml", {**duel, "players": [duel["players"][0], {**duel["players"][1], "bot": "hard"}]})
    save(
        folder / "cut.toml",
        {name: value for name, value in duel.items() if name != "result"} | {"turns": duel["turns"][:1]},
    )
    save(folder / "forged.toml", {**duel, "seed": "forged"})
    (folder / "broken.toml").write_bytes(b"\xff\x00")
    return folder


def save(path: Path, document: dict[str, Any]) -> None:
    path.write_bytes(to_bytes(document))


def as_json(*arguments: object) -> list[dict[str, Any]]:
    ran = cubiri("leaderboard", *arguments, "--format", "json")
    assert ran.status == 0, ran
    found: list[dict[str, Any]] = json.loads(ran.out)
    return found


def test_from_ranks_a_folder_and_leaves_the_home_folder_alone(folder: Path, tmp_path: Path) -> None:
    ran = cubiri("leaderboard", "--from", folder, "--format", "json")
    assert ran.status == 0
    found = json.loads(ran.out)
    assert [(one["rank"], one["player"]) for one in found] == [
        (1, "Ada"),
        (2, "Ada"),
        (3, "Ada"),
        (4, "Ada"),
        (1, found[-1]["player"]),
    ]
    scores = [one["score"] for one in found[:4]]
    assert scores == sorted(scores, reverse=True)
    said = ran.err.splitlines()
    assert [Path(line.split(": ")[1]).name for line in said] == ["bot.toml", "broken.toml", "cut.toml", "forged.toml"]
    assert "turn 1, entry 1" in said[3]
    assert not (tmp_path / "cubiri-home").exists()


def test_from_reads_nothing_through_a_link_out_of_the_folder(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.toml"
    save(outside, finished(magdagdon("survival", "elsewhere")))
    (folder / "link.toml").symlink_to(outside)
    ran = cubiri("leaderboard", "--from", folder, "--difficulty", "survival", "--format", "json")
    assert (ran.status, json.loads(ran.out)) == (0, [])
    assert "link.toml: not ranked: a link out of the folder; nothing is read through it" in ran.err


def test_json_is_what_the_contract_says(folder: Path) -> None:
    general = ["rank", "game", "player", "date", "turns", "seed", "assisted", "digest"]
    solo, *_, duel = as_json("--from", folder)
    assert list(solo) == [*general, "difficulty", "score", "powers", "ruins"]
    assert list(duel) == [*general, "target", "points", "players"]
    assert (type(duel["points"]), duel["players"], duel["target"]) == (float, 2, 20)
    assert datetime.fromisoformat(solo["date"]).tzinfo is not None
    assert len(solo["digest"]) == 64


def test_hints_only_with_assisted_and_marked(folder: Path) -> None:
    assert not any(one["assisted"] for one in as_json("--from", folder))
    assert [one["assisted"] for one in as_json("--from", folder, "--assisted")].count(True) == 1
    text = cubiri("leaderboard", "--from", folder, "--assisted").out
    assert text.count("Ada *") == 1
    assert "* asked for hints" in text
    assert "*" not in cubiri("leaderboard", "--from", folder).out


def test_games_options_seeds_and_limits_choose(folder: Path) -> None:
    assert {one["seed"] for one in as_json("--from", folder, "--seed", "SEED-1")} == {"seed-1"}
    assert len(as_json("magdagdon", "--from", folder)) == 4
    assert len(as_json("--from", folder, "--target", 20)) == 1
    assert as_json("--from", folder, "--difficulty", "nightmare") == []
    assert [one["rank"] for one in as_json("magdagdon", "--from", folder, "--limit", 2)] == [1, 2]
    text = cubiri("leaderboard", "magdagdon", "--from", folder, "--limit", 2).out
    assert "2 more" in text


def test_today_s_games(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1796061731")
    save(folder / "daily.toml", finished(magdagdon("peaceful", "daily-2026-11-30")))
    assert [one["seed"] for one in as_json("--from", folder, "--daily")] == ["daily-2026-11-30"]


def test_shells_hand_over_many_files_after_one_option(folder: Path) -> None:
    fair = sorted(folder.glob("fair-*.toml"))
    assert len(as_json("--from", *fair)) == 4
    assert len(as_json("--from", *fair, "magdagdon")) == 4


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["chess"], "magdagdon, mishimash"),
        (["magdagdon", "mishimash"], "at most one"),
        (["magdagdon", "--target", "50"], "no such option"),
        (["--target", "5"], "10 to 1000000"),
        (["--difficulty", "easy"], "peaceful"),
        (["--limit", "0"], "limit"),
        (["--limit", "9223372036854775808"], "1 to 1000000000"),
        (["--format", "csv"], "json"),
        (["--seed", "a b"], "seed"),
        (["--seed", "a", "--daily"], "exclude"),
        (["--add", "a", "--rebuild"], "exclude"),
        (["--add", "missing.toml"], "no such file"),
        (["--from", "missing"], "no such file"),
    ],
    ids=str,
)
def test_called_wrongly(arguments: list[str], part: str) -> None:
    ran = cubiri("leaderboard", *arguments)
    assert ran.status == 2
    assert part in ran.message
    assert ran.out == ""


# How it looks


def test_markdown_shows_names_as_they_are(tmp_path: Path) -> None:
    document = finished(magdagdon("peaceful", "md"))
    document["players"] = [{"name": "a|b <b> [x](y) `c` *d*"}]
    save(tmp_path / "game.toml", document)
    ran = cubiri("leaderboard", "--from", tmp_path / "game.toml", "--format", "markdown")
    heading, empty, names, line, row = ran.out.splitlines()
    assert heading == "## MAGDAGDON · peaceful"
    assert empty == ""
    assert names.count("|") == line.count("|") == row.count("|")
    assert not set("<>[]`*") & set(row)
    assert "a&#124;b &#60;b&#62;" in row


def test_text_has_columns_that_stand_below_each_other(tmp_path: Path) -> None:
    for number, name in enumerate(["Ada", "Väinämöinen", "山田太郎"]):
        save(tmp_path / f"{number}.toml", finished(magdagdon("peaceful", "cols"), number, players=[{"name": name}]))
    title, heading, *rows = cubiri("leaderboard", "--from", tmp_path).out.splitlines()
    assert title == "MAGDAGDON · peaceful"
    assert heading.split() == ["#", "player", "score", "turns", "Powers", "ruins", "date", "seed"]
    from cubiri_cli.table.drawing import width

    assert len({width(row[: row.index("cols")]) for row in rows}) == 1


def test_nothing_is_said_on_standard_output_where_there_is_nothing() -> None:
    ran = cubiri("leaderboard")
    assert (ran.status, ran.out, ran.message) == (0, "", NOTHING)
    assert cubiri("leaderboard", "--format", "json").out == "[]\n"


# After a game


def script(tmp_path: Path, document: dict[str, Any]) -> Path:
    path = tmp_path / "script.toml"
    save(path, document)
    return path


def play_script(tmp_path: Path, document: dict[str, Any], *more: object) -> Ran:
    return cubiri("play", "--script", script(tmp_path, document), *more)


def test_a_finished_game_is_ranked_by_itself_and_once(tmp_path: Path) -> None:
    document = finished(magdagdon("peaceful", "self"))
    first = play_script(tmp_path, document)
    assert "Place 1 of 1 in MAGDAGDON · peaceful." in first.out
    second = play_script(tmp_path, document)
    assert "Place 1 of 1" in second.out
    other = play_script(tmp_path, finished(magdagdon("peaceful", "self"), 1))
    assert "of 2 in MAGDAGDON · peaceful." in other.out
    assert len(as_json()) == 2
    assert len(list((tmp_path / "cubiri-home" / "replays").glob("*.toml"))) == 3


def test_output_is_not_ranked(tmp_path: Path) -> None:
    ran = play_script(tmp_path, finished(magdagdon("peaceful", "self")), "--output", tmp_path / "out.toml")
    assert "Place" not in ran.out
    assert not (tmp_path / "cubiri-home").exists()


def test_an_unfinished_game_is_not_ranked(tmp_path: Path) -> None:
    document = finished(magdagdon("peaceful", "self"))
    ran = play_script(tmp_path, {**document, "turns": document["turns"][:2]})
    assert ran.status == 0
    assert "Place" not in ran.out
    assert as_json() == []


def test_a_game_with_hints_says_what_its_place_means(tmp_path: Path) -> None:
    ran = play_script(tmp_path, finished(magdagdon("peaceful", "self"), hints=0.9))
    assert "only with --assisted" in ran.out
    assert as_json() == []
    assert len(as_json("--assisted")) == 1
