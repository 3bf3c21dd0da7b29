"""MISHIMASH at the table: its words, and what can be chosen; `mishimash_picture` has how it looks."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import TYPE_CHECKING, Any, ClassVar, cast

from cubiri_cli.games.mishimash import combinations
from cubiri_cli.table.drawing import Line, Span, cut, line, pad, width
from cubiri_cli.table.language import N_, _, counted_points, decimal, ngettext, percent, pgettext, points, worth
from cubiri_cli.table.mishimash_picture import HEADING, Ticks, draw, kept_dice, product, ticked_in, turn_would_be
from cubiri_cli.table.mishimash_race import outlook, phase
from cubiri_cli.table.protocol import BAD, FAIR, GREAT, HIGH, Choice, Mark, Moment, Question, Table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cubiri_cli.games.game import Event, Outcome
    from cubiri_cli.games.mishimash import Combination, Mishimash
    from cubiri_cli.players.advice import Reason
    from cubiri_cli.replays.history import Step
    from cubiri_cli.table.scene import Piece

SHARED, MANY = 20, 40
"""How many turns a shared game shows at most, and how many half-points make a good one."""

COMBINATIONS = {
    "single": N_("a single {face}"),
    "three": N_("three {face}s"),
    "four": N_("four {face}s"),
    "five": N_("five {face}s"),
    "six": N_("six {face}s"),
    "straight": N_("straight"),
    "three-pairs": N_("three pairs"),
}


@cache
def bust_chance(dice: int) -> tuple[int, int]:
    """Return how many of all rolls of `dice` dice hold no combination, and how many rolls there are.

    >>> bust_chance(2), bust_chance(6)
    ((16, 36), (1080, 46656))
    """
    busts = 0
    for roll in combinations_with_replacement(range(1, 7), dice):
        if not combinations(roll):
            busts += factorial(dice) // prod(factorial(roll.count(face)) for face in set(roll))
    return busts, 6**dice


def _percent(dice: int) -> str:
    busts, rolls = bust_chance(dice)
    return _("{number}%").format(number=decimal(round(100 * busts / rolls, 1)))


def _take(dice: Sequence[int]) -> str:
    """Return the action that takes these dice."""
    return "take " + " ".join(map(str, sorted(dice)))


class MishimashTable(Table):
    """MISHIMASH at the table."""

    TITLE = HEADING
    ABOUT = N_("push your luck with six dice; for one to eight players")
    FIGURES: ClassVar = {"points": N_("points"), "players": N_("players"), "busts": N_("busts")}
    OF_SEVERAL = ("players",)
    FEATS: ClassVar = {
        "straight": N_("Your first straight 1-2-3-4-5-6!"),
        "two-mishimashes": N_("Your first turn with two MISHIMASHes!"),
    }
    REASONS: ClassVar = {
        "select-first": N_("at least one combination of the roll has to be taken first"),
        "nothing-to-take": N_("there is no roll to take from"),
        "no-selection": N_("{dice}: no whole combinations of this roll"),
    }
    LABELS: ClassVar = {"target": N_("target")}
    CLAIMS: ClassVar = {
        "winner": N_("The winner's seat, 1 to the number of players."),
        "scores": N_("The total of each player in the order of the seats, in points; each is a multiple of 0.5."),
        "turns": N_("How many turns each player had, sudden death and busts included."),
    }
    ROLLS: ClassVar = {
        "mishimash/PLAYER/TURN/ROLL": N_(
            "The player's seat, that player's own turn (sudden death goes on counting), and the roll within the "
            "turn, all from 1."
        ),
    }
    ADVICE: ClassVar = {
        "look-bank": N_("Look at the next roll before you bank: {dice}, bust {bust}."),
        "look-keep": N_("Look at what you keep: there are {ways} ways, and what you leave is rolled again."),
        "reaches": N_("it reaches the target"),
        "bank": N_("banking keeps {points} points; rolling {dice} comes to {mean} on average, busts ({bust}) counted"),
        "roll": N_("rolling {dice} comes to {mean} points on average, busts ({bust}) counted; banking keeps {points}"),
        "bank-worth": N_("rolling {dice} risks {risk} points (bust {bust}) and is worth {other}; banking {value}"),
        "roll-worth": N_("rolling {dice} (bust {bust}) is worth {value}; banking {other}"),
        "leaves": N_(
            "{dice} to roll with {at_risk} at risk (bust {bust}), not {others} with {other_risk} ({other_bust})"
        ),
        "banks-more": N_("it banks {points} points, not {other}"),
        "banks-less": N_("it banks only {points} points, not {other}"),
        "more": N_("{points} points at risk with as many dice, not {other}"),
        "fewer": N_("only {points} points at risk with as many dice, not {other}"),
    }
    PICTURE_HELP = (N_("In the bars, the shaded part is at risk: it is lost if the next roll is a bust."),)
    HELP = (
        N_("Everything that scores is ticked at first: (x). A number key ticks or unticks a combination."),
        N_("r takes what is ticked and rolls the other dice; b takes what is ticked and banks the turn."),
        N_("Typed: 1444 or 1 4 4 4 takes these dice, all takes all that scores, r rolls, b banks."),
    )

    def ask(self, game: Mishimash, names: Sequence[str], step: Ticks | None) -> Question:
        """Return the question at this point."""
        if not game.in_turn:
            turn = game.turns[game.seat - 1] + 1
            text = _("Turn {turn}: roll the six dice").format(turn=turn)
            if game.seats > 1:
                text = _("{name}, turn {turn}: roll the six dice").format(name=cut(names[game.seat - 1], 24), turn=turn)
            return Question(text, (Choice("r", _("roll"), ("roll",)),))
        if not game.must_select:
            on = (_roll_choice(game.free_dice, game.rolls + 1, ()), _bank_choice(game, game.at_risk, ()))
            return Question(_("Roll on, or bank?"), on)
        ticked = ticked_in(game, step)
        choices: tuple[Choice, ...] = tuple(
            Choice(
                str(index + 1),
                _tick_label(game, part, ticked[index]),
                step=Ticks(_flipped(ticked, index)),
                ticks=True,
                at=(index, 0),
            )
            for index, part in enumerate(game.combinations)
        )
        if not any(ticked):
            return Question(_("Keep at least one combination"), choices)
        dice = kept_dice(game, step)
        then = game.taking(dice)
        roll = _roll_choice(then.free_dice, game.rolls + 1, (_take(dice),), then.bonus)
        bank = _bank_choice(game, then.at_risk, (_take(dice),))
        return Question(_("What do you keep?"), (*choices, roll, bank), default="r")

    def tell(
        self, before: Mishimash, action: str, outcome: Outcome, after: Mishimash, names: Sequence[str]
    ) -> list[Line]:
        """Return what an action led to."""
        told = (_tell_event(before, event, names, outcome.dice, after) for event in outcome.events)
        return [one for lines in told for one in lines]

    def kind(self, options: Mapping[str, Any]) -> str:
        """Return the game with its target."""
        return f"{self.TITLE} " + _("to {target}").format(target=options["target"])

    def marks(self, steps: Sequence[Step]) -> list[tuple[str, list[Mark]]]:
        """Return a mark for each of the winner's turns, the last `SHARED` of them."""
        winner = cast("Mishimash", steps[-1].game).winner
        turns: dict[int, list[Event]] = {}
        for step in steps:
            if step.seat == winner:
                turns.setdefault(step.turn, []).extend(step.outcome.events)
        return [(_("turns"), [_mark(events) for events in list(turns.values())[-SHARED:]])]

    def decided(self, game: Mishimash, actions: Sequence[str]) -> str:
        """Return what is kept, and whether it is banked.

        >>> from cubiri_cli.games.mishimash import Mishimash
        >>> game = Mishimash.start({"target": 1000})
        >>> TABLE.decided(game, ["take 1 5", "roll"]), TABLE.decided(game, ["bank"])
        ('keep 1 5, roll', 'bank')
        """
        last = _("bank") if actions[-1] == "bank" else _("roll")
        if len(actions) == 1:
            return last
        kept = _("keep {dice}").format(dice=actions[0].removeprefix("take "))
        return f"{kept}, {last}"

    def reason(self, reason: Reason) -> str:
        """Return in words why something is better, or what to look at."""
        details: dict[str, Any] = dict(reason.details)
        for name, of in (("at_risk", "points"), ("other_risk", "other_points")):
            if "other_points" in details:
                details[name] = counted_points(round(2 * details[of]))
        details |= {name: _dice(details[name]) for name in ("dice", "others") if name in details}
        details |= {name: percent(details[name]) for name in ("bust", "other_bust") if name in details}
        if "unit" in details:
            details |= {name: worth(details[name], details["unit"]) for name in ("value", "other")}
        details |= {name: decimal(details[name]) for name in _POINTS if isinstance(details.get(name), float)}
        return _(self.ADVICE[reason.code]).format(**details)

    def count(self, name: str, number: int) -> str:
        """Return so many busts in words."""
        return ngettext("{count} bust", "{count} busts", number).format(count=number) if number else _("no bust")

    def shorthand(self, game: Mishimash, words: Sequence[str]) -> str | None:
        """Return the action of a short form: faces are taken (`1444`, `1 4 4 4`), `all` is all that scores, `r`, `b`.

        >>> from cubiri_cli.games.mishimash import Mishimash
        >>> game = Mishimash.start({"target": 1000})
        >>> [TABLE.shorthand(game, words.split()) for words in ("4144", "take 4 1", "4 1", "b", "roll")]
        ['take 1 4 4 4', 'take 1 4', 'take 1 4', 'bank', None]
        """
        rest = words[1:] if words[:1] == ["take"] else words
        if rest == ["all"]:
            return _take(kept_dice(game)) if game.must_select else None
        if len(words) == 1 and words[0] in _WORDS:
            return _WORDS[words[0]]
        faces = "".join(rest)
        return _take(list(map(int, faces))) if faces and all(face in "123456" for face in faces) else None

    def step_of(self, game: Mishimash, action: str) -> Ticks | None:
        """Return what is ticked where `action` takes dice; None where all is. Of equal dice the last are."""
        rest = [int(face) for face in action.split()[1:]]
        if not rest or not game.must_select:
            return None
        ticked: list[bool] = []
        for part in reversed(game.combinations):
            is_kept = all(rest.count(die) >= part.dice.count(die) for die in part.dice)
            for die in part.dice if is_kept else ():
                rest.remove(die)
            ticked.insert(0, is_kept)
        return None if all(ticked) else Ticks(tuple(ticked))

    def next_action(self, game: Mishimash) -> str | None:
        """Return None: before every action there is something to decide, or somebody else to sit down."""
        return None

    def picture(self, game: Mishimash, names: Sequence[str], width: int, height: int, moment: Moment) -> list[Line]:
        """Return everybody's points, the dice by combination, and what is at risk."""
        return draw(game, names, width, height, moment)

    def scene(self, game: Mishimash, names: Sequence[str], moment: Moment) -> list[Piece]:
        """Return the state as pieces of a picture on a page."""
        from cubiri_cli.table.mishimash_scene import scene  # not for the table

        return scene(game, names, moment)

    def describe(self, game: Mishimash, names: Sequence[str], moment: Moment) -> list[str]:
        """Return the state in words, in reading order; on the way to an action what is ticked."""
        if moment.step is not None and game.must_select:
            return [_ticked_in_words(game, moment)]
        lines = [_("Target {target}.").format(target=game.target)]
        if game.seats == 1 and not game.over:
            turn = max(1, game.turns[0])
            lines = [_("Turn {turn}; the fewer turns, the better.").format(turn=turn), *lines]
        lines += _players_in_words(game, names)
        if game.contenders:
            lines.append(
                _("Sudden death: {names}.").format(names=", ".join(names[seat - 1] for seat in game.contenders))
            )
        elif game.final_round and not game.over:
            lines.append(_("Final round: {name} has reached the target.").format(name=names[game.final_round - 1]))
        elif phase(game, turn_would_be(game, moment)):
            lines.append(_("The final round is in sight."))
        if game.seats > 1 and not game.over:
            lines.append(_("On turn: {name}.").format(name=names[game.seat - 1]))
        return [*lines, *(_turn_in_words(game, moment) if game.in_turn else _outlook_in_words(game, moment))]

    def progress(self, game: Mishimash) -> str:
        """Return the points so far, of several players the most."""
        return counted_points(max(game.totals))

    def breakdown(self, game: Mishimash, names: Sequence[str]) -> list[Line]:
        """Return the lines with everybody's points: at the end, or so far."""
        head = line(Span(self.TITLE, "title"), " · " + _("to {target}").format(target=game.target))
        widest = max(width(name) for name in names)
        most = max(width(points(total)) for total in game.totals)
        lines = [head, []]
        for seat, name in enumerate(names, 1):
            turns = game.turns[seat - 1]
            text = ngettext("{count} turn", "{count} turns", turns).format(count=turns)
            total = pad(points(game.totals[seat - 1]), most, ">")
            lines.append(
                line(Span(f"{pad(name, widest)}  {total}", "bold" if seat == game.winner else ""), f"  {text}")
            )
        if game.in_turn:
            lines += map(line, _turn_in_words(game, Moment())[:2])
        if game.over:
            lines += [line(Span(text, "bold")) for text in _result_in_words(game, names)]
        return lines

    def breakdown_words(self, game: Mishimash, names: Sequence[str]) -> list[str]:
        """Return the same to be read aloud, in sentences."""
        head = f"{self.TITLE} · " + _("to {target}").format(target=game.target)
        rest = _turn_in_words(game, Moment())[:2] if game.in_turn else []
        return [head, *_players_in_words(game, names), *rest, *(_result_in_words(game, names) if game.over else [])]


def _players_in_words(game: Mishimash, names: Sequence[str]) -> list[str]:
    """Return a sentence for each player: the points, and in how many turns."""
    lines = []
    for name, total, turns in zip(names, game.totals, game.turns, strict=True):
        counted = ngettext("{count} turn", "{count} turns", turns).format(count=turns)
        lines.append(_("{name}: {points} in {turns}.").format(name=name, points=counted_points(total), turns=counted))
    return lines


def _dice(count: int) -> str:
    return ngettext("{count} die", "{count} dice", count).format(count=count)


_POINTS = ("points", "risk", "mean", "other")
"""The details of reasons that are points, where they are numbers and no chances."""


def _result_in_words(game: Mishimash, names: Sequence[str]) -> list[str]:
    """Return who won and the final score; alone the number of turns, which is what is ranked."""
    total, turns = game.totals[game.winner - 1], game.turns[game.winner - 1]
    if game.seats == 1:
        count = ngettext("{count} turn", "{count} turns", turns).format(count=turns)
        return [_("Result: {turns}, {points}").format(turns=count, points=counted_points(total))]
    winner = _("Winner: {name}").format(name=names[game.winner - 1])
    return [winner, _("Final score: {score}").format(score=points(total))]


def _mark(events: Sequence[Event]) -> Mark:
    """Return what stands for a turn in which this happened."""
    kinds = {event.kind: event.amount for event in events}
    if "banked" not in kinds:
        return Mark(BAD, _("bust"))
    if "mishimash" in kinds:
        return Mark(GREAT, "MISHIMASH")
    return Mark(HIGH, _("20 or more")) if kinds["banked"] >= MANY else Mark(FAIR, _("fewer"))


TABLE = MishimashTable()


# What can be chosen


def _flipped(ticked: tuple[bool, ...], index: int) -> tuple[bool, ...]:
    return (*ticked[:index], not ticked[index], *ticked[index + 1 :])


def _roll_choice(dice: int, multiplier: int, before: tuple[str, ...], bonus: int = 0) -> Choice:
    label = ngettext("roll {count} die ×{multiplier}", "roll {count} dice ×{multiplier}", dice)
    text = label.format(count=dice, multiplier=multiplier) + " "
    text += _("(bust {percent})").format(percent=_percent(dice))
    if bonus:
        text = f"MISHIMASH +{points(bonus)}, " + text
    return Choice("r", text, (*before, "roll"))


def _bank_choice(game: Mishimash, turn: int, before: tuple[str, ...]) -> Choice:
    label = _("bank {points}, {total} in all").format(
        points=points(turn), total=points(game.totals[game.seat - 1] + turn)
    )
    return Choice("b", label, (*before, "bank"))


def _tick_label(game: Mishimash, part: Combination, is_ticked: bool) -> str:
    return f"({'x' if is_ticked else ' '}) {_name(part)}: {product(part.worth, game.rolls)}"


def _name(part: Combination) -> str:
    return _(COMBINATIONS[part.kind]).format(face=part.dice[0])


_WORDS = {"b": "bank", "r": "roll"}


# What has happened


def _tell_event(
    before: Mishimash, event: Event, names: Sequence[str], dice: tuple[int, ...], after: Mishimash
) -> list[Line]:
    name = cut(names[event.seat - 1], 24) if event.seat else ""
    won = points(event.amount)
    if event.kind == "bust":
        whole, half = divmod(event.amount, 2)
        lost = ngettext("{name} loses {points} point", "{name} loses {points} points", whole)
        if half:
            lost = pgettext("half", "{name} loses {points} points")
        text = lost.format(name=name, points=won)
        roll = _("roll {roll}: {dice} scores nothing").format(roll=before.rolls + 1, dice=" ".join(map(str, dice)))
        return [line(Span(" " + _("BUST") + " ", "alarm"), Span(" " + text, "bad")), line(roll)]
    if event.kind == "mishimash":
        text = _("six dice again, next roll ×{multiplier}").format(multiplier=before.rolls + 1)
        return [line(Span(f" MISHIMASH! +{won} ", "cheer"), Span(" " + text, "good"))]
    if event.kind == "banked":
        total = points(after.totals[before.seat - 1])
        text = _("{name} banks {points} and has {total}").format(name=name, points=won, total=total)
        return [line(Span(text, "good"))]
    return _tell_round(event.kind, name, ", ".join(cut(names[seat - 1], 16) for seat in event.what))


def _tell_round(kind: str, name: str, names: str) -> list[Line]:
    """Return what there is to say where the final round or sudden death begins or goes on."""
    texts = {
        "final-round": _("{name} has reached the target: the players after have one more turn").format(name=name),
        "sudden-death": _("Tied for first: {names}").format(names=names),
        "sudden-death-goes-on": _("Still tied: {names}").format(names=names),
        "dropped-out": _("Out of the sudden death: {names}").format(names=names),
    }
    heads = {"final-round": _("FINAL ROUND"), "sudden-death": _("SUDDEN DEATH")}
    head = [line(Span(f" {heads[kind]} ", "alarm"))] if kind in heads else []
    return [*head, line(Span(texts[kind], "bold"))] if kind in texts else []


# In words


def _turn_in_words(game: Mishimash, moment: Moment) -> list[str]:
    lines = [_("Roll {roll}, multiplier {multiplier}.").format(roll=game.rolls, multiplier=game.rolls)]
    lines[0] += " " + _("At risk: {points}.").format(points=points(game.at_risk))
    if not game.must_select:
        return [*lines, *_outlook_in_words(game, moment)]
    lines.append(_("Dice: {dice}.").format(dice=", ".join(map(str, game.roll))))
    return [*lines, _ticked_in_words(game, moment)]


def _outlook_in_words(game: Mishimash, moment: Moment) -> list[str]:
    """Return what the player on turn needs, as a sentence."""
    text = outlook(game, turn_would_be(game, moment))
    return [text[0].upper() + text[1:].replace(" · ", "; ") + "."] if text else []


def _ticked_in_words(game: Mishimash, moment: Moment) -> str:
    dice = kept_dice(game, moment.step)
    then = game.taking(dice)
    text = _("Ticked: {dice}, {product}.") if dice else _("Nothing is ticked.")
    text = text.format(dice=" ".join(map(str, dice)), product=product(then.worth, game.rolls))
    if then.bonus:
        text += " " + _("That is MISHIMASH: +{points}.").format(points=points(then.bonus))
    text += " " + _("The turn would be {points}.").format(points=points(then.at_risk))
    return " ".join([text, *_outlook_in_words(game, moment)])
