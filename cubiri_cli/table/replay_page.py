"""A recorded game as one page: everything is inside, and nothing is asked for from anywhere.

All states stand in it as a list; where scripts run, they are shown one at a time. What a state shares with the one
before it is written once, but for the first state and the last one of each turn, which are complete.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from cubiri_cli.replays.clock import NO_TIME, written
from cubiri_cli.table.drawing import to_text
from cubiri_cli.table.language import N_, _, ngettext
from cubiri_cli.table.markup import BY, drawn, page, paragraphs, safe, section, spans
from cubiri_cli.table.messages import status_in_words
from cubiri_cli.table.pages import reading_seconds
from cubiri_cli.table.sharing import result_in_words
from cubiri_cli.table.transcript import facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from cubiri_cli.table.drawing import Line
    from cubiri_cli.table.transcript import Recording

MOST_STATES = 1000
"""How many states a page holds at most; of longer games the last one of each turn, and the last so many of these."""

KEYS = (
    (N_("Space"), N_("pause and go on")),
    ("→ n", N_("one step forward")),
    ("← p", N_("one step back")),
    (N_("Shift and → ←"), N_("a turn forward, back")),
    ("g t", N_("go to a turn: type its number")),
    (N_("Home End"), N_("the first state, the last")),
    ("+ −", N_("faster, slower")),
    ("?", N_("these keys")),
)


def replay_page(recording: Recording, data: bytes, links: str = "", mark: str = "") -> str:
    """Return the page of a game that was read from `data`. `links` is HTML that stands first, `mark` a comment.

    It depends on nothing but the game, the language spoken now and the version of this program.
    """
    heading = recording.table.kind(recording.replay.options)
    game = f"{_controls(recording)}<ol id=states>\n{''.join(_states(recording))}</ol>\n"
    parts = [
        f"{links}<header>\n<h1>{safe(heading)}</h1>\n{_summary(recording)}</header>\n<main>\n",
        _comment(recording.comment(0)),
        section("game", _("The game"), game),
        _judged(recording),
        _result(recording),
        _verdict(recording, data),
        _about(recording),
        "</main>\n",
    ]
    return page(f"{', '.join(recording.names)} · {heading}", "".join(parts), "replay", mark)


def file_name(recording: Recording) -> str:
    """Return the name under which a page offers its replay: of nothing but the game's name and its digest."""
    return f"{recording.replay.game}-{recording.replay.digest[:16]}.toml"


def _summary(recording: Recording) -> str:
    """Return who played, and what came of it."""
    players = ", ".join(recording.player(seat) for seat in range(1, len(recording.names) + 1))
    final = recording.game(len(recording.steps))
    result = ""
    if final.over and not recording.complaint:
        result = f" · <strong>{safe(result_in_words(recording.replay, final))}</strong>"
    return f"<p>{safe(players)}{result}</p>\n"


def _comment(texts: Sequence[str]) -> str:
    return f"<blockquote>{paragraphs(texts)}</blockquote>\n" if texts else ""


# The states


def shown_states(recording: Recording) -> list[int]:
    """Return the states that a page shows: all, or of a very long game those after turns, the last of them."""
    count = len(recording.steps)
    if count < MOST_STATES:
        return list(range(count + 1))
    ends = [state for state in range(count + 1) if state == count or recording.turn(state + 1) != recording.turn(state)]
    return ends[-MOST_STATES:]


def _states(recording: Recording) -> Iterator[str]:
    """Yield the states as items of a list."""
    scene: list[str] = []
    words: list[str] = []
    shown = shown_states(recording)
    if len(shown) <= len(recording.steps):
        text = _("This game is very long: here are the last {count} states after turns.").format(count=len(shown))
        nothing = "<div class=scene></div><div class=words></div>"
        yield f"<li id=left data-turn=0 data-seconds=3><h3>{safe(text)}</h3>{nothing}"
    for state in shown:
        moment = recording.moment(state)
        before = scene, words
        scene = [drawn(piece) for piece in recording.scene(state, moment)]
        words = [f"<p>{safe(text)}" for text in recording.words_of(state, moment)]
        is_whole = state in (0, shown[0]) or _ends_turn(recording, state)
        read = [to_text(one) for one in moment.news]
        told = _comment(recording.comment(state)) if _begins_turn(recording, state) else ""
        seconds = reading_seconds(recording, state, read)
        yield (
            f"<li id=s{state} data-turn={recording.turn(state)} data-seconds={seconds:g}>"
            f"<h3>{_heading(recording, state)}</h3>{told}<div class=news>{_paragraphs(moment.news)}</div>"
            f"<div class=scene aria-hidden=true{_parts(before[0], scene, is_whole)}</div>"
            f"<div class=words{_parts(before[1], words, is_whole)}</div>\n"
        )


def _parts(before: list[str], now: list[str], is_whole: bool) -> str:
    """Return the end of a tag and what is in the element: the parts that differ, and which are those of before."""
    if is_whole:
        return ">" + "".join(now)
    order = [str(before.index(one)) if one in before else "-" for one in now]
    return f' data-of="{" ".join(order)}">' + "".join(one for one in now if one not in before)


def _paragraphs(lines: Sequence[Line]) -> str:
    return "".join(f"<p>{spans(one)}" for one in lines)


def _begins_turn(recording: Recording, state: int) -> bool:
    step = recording.step(state)
    return step is not None and step.entry == 1


def _ends_turn(recording: Recording, state: int) -> bool:
    return state == len(recording.steps) or recording.turn(state + 1) != recording.turn(state)


def _heading(recording: Recording, state: int) -> str:
    """Return which entry it is, whose, and the entry itself."""
    step = recording.step(state)
    if step is None:
        return safe(_("Before the first turn"))
    where = _("turn {turn}/{turns} · {entry}/{entries}").format(
        turn=step.turn,
        turns=recording.turns,
        entry=step.entry,
        entries=len(recording.replay.turns[step.turn - 1].log),
    )
    return f"{safe(where)} · {safe(recording.whose(state))} <kbd>{safe(recording.entry(state))}</kbd>"


# The buttons


def _controls(recording: Recording) -> str:
    """Return the buttons; they are hidden where no script runs."""
    before = (
        ("first", "|«", _("the first state")),
        ("turnback", "«", _("a turn back")),
        ("back", "‹", _("one step back")),
    )
    after = (
        ("forward", "›", _("one step forward")),
        ("turnforward", "»", _("a turn forward")),
        ("last", "»|", _("the last state")),
    )
    slower, faster = [("slower", "−", _("slower"))], [("faster", "+", _("faster"))]
    play, pause, watch = map(safe, (_("Play"), _("Pause"), _("Watch the game")))
    turn, state, keys = map(safe, (_("turn"), _("state"), _("Keys")))
    rows = "".join(f"<dt><kbd>{safe(_(names))}</kbd><dd>{safe(_(label))}" for names, label in KEYS)
    shown_count = len(shown_states(recording))
    last = shown_count - (shown_count > len(recording.steps))  # the first of a part says that it is one
    return (
        f'<div id=controls role=group aria-label="{watch}" hidden>{_buttons(before)}'
        f'<button id=play data-play="{play}" data-pause="{pause}">{play}</button>{_buttons(after)}'
        f"<span id=pace>{_buttons(slower)}<output id=speed>×1</output>{_buttons(faster)}</span>"
        f"<label>{turn} <input id=turn type=number min=0 max={recording.turns} value=0></label>"
        f'<input id=at type=range min=0 max={last} value=0 aria-label="{state}">'
        f"<details id=keys><summary>{keys}</summary><dl>{rows}</dl></details>"
        "<p id=said class=unseen role=status></p></div>\n"
    )


def _buttons(buttons: Iterable[tuple[str, str, str]]) -> str:
    """Return buttons, each with its name in the script, its sign, and what it does in words."""
    return "".join(
        f'<button id={name} title="{safe(label)}" aria-label="{safe(label)}">{sign}</button>'
        for name, sign, label in buttons
    )


# Below the game


def _result(recording: Recording) -> str:
    """Return the lines that explain the score; they are set in columns."""
    lines = "\n".join(spans(one) for one in recording.breakdown())
    title = _("Result") if recording.game(len(recording.steps)).over else _("So far")
    return section("result", title, f"<pre tabindex=0 role=group aria-labelledby=result>{lines}</pre>\n")


def _judged(recording: Recording) -> str:
    """Return the curve and the marked moments of a game that has been judged; nothing of another."""
    if recording.analysis is None:
        return ""
    from cubiri_cli.table.curve import judged_section  # with those who judge; not for every page

    return judged_section(recording, recording.analysis, shown_states(recording))


def _verdict(recording: Recording, data: bytes) -> str:
    """Return the verdict as it is now, the replay to save, and how anybody verifies it."""
    status, name = recording.verdict.status, file_name(recording)
    texts = {
        "verified": _("Every die, every action and every number of the result was computed again; all of it is right."),
        "unfinished": _("Every die and every action was computed again; all of it is right. The game is not finished."),
    }
    made = _("as it was when this page was made, by {program}").format(program=BY)
    size = ngettext("{count} byte", "{count} bytes", len(data)).format(count=len(data))
    save, yourself = _("Save the replay"), _("You need not believe this page: save the replay and verify it yourself.")
    content = base64.b64encode(data).decode()
    return section(
        "verdict",
        _("Verdict"),
        f'<div class="verdict {status}"><p><strong>{safe(status_in_words(status))}</strong> ({safe(made)})'
        f"<p>{safe(texts.get(status, recording.complaint))}</div>\n<p>{safe(yourself)}\n"
        f'<p><a class=save download="{name}" href="data:application/toml;base64,{content}">{safe(save)}</a>'
        f" {safe(size)}\n<pre class=command>cubiri verify-score {name}</pre>\n"
        f"<p>SHA-256: <code>{hashlib.sha256(data).hexdigest()}</code>\n",
    )


def _about(recording: Recording) -> str:
    """Return what else there is to know: players, options, seed, times."""
    rows, result = facts(recording), recording.replay.result
    if result is not None and result["finished"] != NO_TIME:
        rows.append((_("finished"), f"{written(result['finished'])} UTC"))
    terms = "".join(f"<dt>{safe(label)}<dd>{safe(value)}" for label, value in rows)
    note = _("Names, comments and times are as somebody wrote them; no verdict says that they are true.")
    return section("about", _("About this game"), f"<dl>{terms}</dl>\n<p>{safe(note)}\n")
