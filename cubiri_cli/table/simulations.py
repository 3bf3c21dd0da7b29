"""What came of many games of bots, in words: one fact a line, for people and for their screen readers."""

from __future__ import annotations

from math import floor, log10
from typing import TYPE_CHECKING

from cubiri_cli.players.sequential import ALPHA, EFFECT, LOWER, UPPER
from cubiri_cli.players.series import QUANTILES
from cubiri_cli.replays.names import harmless
from cubiri_cli.table.language import _, fixed, ngettext
from cubiri_cli.table.messages import explain, table_of, verdict_in_words
from cubiri_cli.table.style import STYLE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from cubiri_cli.players.comparing import Comparison
    from cubiri_cli.players.player import BotError
    from cubiri_cli.players.series import Series, Tally


def tally_lines(series: Series, name: str, tally: Tally) -> list[str]:
    """Return what came of the games of one bot."""
    games = ngettext("{count} game", "{count} games", tally.games).format(count=tally.games)
    lines = [" · ".join([*_heading(series, harmless(name)), games])]
    if tally.mean is not None:
        digits = _digits(tally.stderr)
        mean = _with_error(tally.mean, tally.stderr, digits)
        text = _("Mean {mean} turns") if tally.unit == "turns" else _("Mean {mean} points")
        lines.append(text.format(mean=mean))
        if tally.stdev is not None:
            lines[-1] += ", " + _("deviation {stdev}").format(stdev=fixed(tally.stdev, digits))
        lines.append(_spread(tally))
        labels = table_of(series.game).FIGURES
        means = [f"{_(labels.get(one, one))} {fixed(mean, 2)}" for one, mean in tally.means.items()]
        lines.append(_("Per game: {figures}.").format(figures=", ".join(means)))
    return lines + _failures(series, name, tally.verdicts, tally.failures)


def _heading(series: Series, who: str) -> list[str]:
    return [table_of(series.game).kind(series.options), who, _("seed {seed}").format(seed=series.seed)]


def _spread(tally: Tally) -> str:
    figures = [
        (_("least"), tally.least),
        *((_("{number}%").format(number=one), tally.quantile(one)) for one in QUANTILES),
        (_("most"), tally.most),
    ]
    return " · ".join(f"{name} {fixed(value, 1, exact=True)}" for name, value in figures if value is not None)


def _digits(error: float | None) -> int:
    """Return how many decimals a mean has: as many as show two figures of its error.

    >>> _digits(12.3), _digits(0.57), _digits(0.012)
    (1, 2, 3)
    """
    return max(1, 1 - floor(log10(error))) if error else 1


def _with_error(mean: float, error: float | None, digits: int) -> str:
    sign = "+-" if STYLE.ascii else "±"
    return fixed(mean, digits) + (f" {sign} {fixed(error, digits)}" if error is not None else "")


def _failures(
    series: Series, name: str, verdicts: Mapping[str, int], failures: Mapping[str, tuple[int, BotError]]
) -> list[str]:
    """Return how many games a bot lost by each way to fail, and why the first of them."""
    lines = []
    for verdict, count in verdicts.items():
        number, failure = failures[verdict]
        text = ngettext(
            "{name} lost {count} game: {verdict}. The first, {seed}: {reason}",
            "{name} lost {count} games: {verdict}. The first, {seed}: {reason}",
            count,
        )
        said = {"name": harmless(name), "count": count, "verdict": verdict_in_words(verdict)}
        lines.append(text.format(**said, seed=series.seed_of(number), reason=explain(failure.problem)))
        last = failure.stderr.strip().splitlines()[-1:]
        lines += [_("It said: {text}").format(text=harmless(one)) for one in last]
    return lines


def comparison_lines(series: Series, seats: int, names: Sequence[str], found: Comparison) -> list[str]:
    """Return what came of a match."""
    first, second = map(harmless, names)
    pairs = ngettext("{count} pair of games", "{count} pairs of games", found.pairs).format(count=found.pairs)
    versus = _("{first} against {second}").format(first=first, second=second)
    lines = [" · ".join([*_heading(series, versus), pairs])]
    error = found.test.stderr
    if found.difference is not None:
        digits = _digits(error) if seats == 1 else max(3, _digits(error))
        means = [fixed(mean, digits) for mean in found.means if mean is not None]
        text = _("Games won: {first} {one}, {second} {two}") if seats > 1 else _("Means: {first} {one}, {second} {two}")
        lines.append(text.format(first=first, one=means[0], second=second, two=means[1]))
        better = first if found.difference >= 0 else second
        difference = _with_error(abs(found.difference), error, digits)
        lines.append(_("{name} is better by {difference}").format(name=better, difference=difference))
    pairs_of = _("Pairs: {first} won {won}, {second} won {lost}, drawn {drawn}")
    lines.append(pairs_of.format(first=first, second=second, won=found.won, lost=found.lost, drawn=found.drawn))
    lines.append(_verdict(first, second, found))
    lines.append(_test(found))
    for name, verdicts, failures in zip(names, found.verdicts, found.failures, strict=True):
        lines += _failures(series, name, verdicts, failures)
    return lines


def _verdict(first: str, second: str, found: Comparison) -> str:
    if found.decided == "equal":
        return _("Decided: they are equally good, within what was tested for.")
    if found.decided is None:
        if not found.test.count:
            return _("Not decided: no pair of games has a result.")
        return _("Not decided: so few pairs do not tell the difference from chance. More games may.")
    return _("Decided: {name} is better.").format(name=first if found.decided == "first" else second)


def _test(found: Comparison) -> str:
    """Return what was tested, and how."""
    effect = _("{effect} standard deviations of the pairs' differences").format(effect=fixed(EFFECT, 1))
    if found.test.count > 1:
        effect += " (" + _("here {points}").format(points=fixed(EFFECT * found.test.stdev, 3)) + ")"
    text = _("Tested pair by pair for a difference of {effect}; alpha = beta = {alpha}, bounds {lower} and {upper}.")
    return text.format(effect=effect, alpha=fixed(ALPHA, 2), lower=fixed(LOWER, 2), upper=fixed(UPPER, 2))
