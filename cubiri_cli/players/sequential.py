"""Which of two players is better: a sequential test on the differences of pairs of games.

It is Wald's test by the ratio of likelihoods, in the normal approximation, with the deviation as it is found (so are
chess programs tested; it is called GSPRT there). Two run side by side: one whether the first is better by `EFFECT` or
equal, one whether the second is. Each goes on until it has decided: "better" ends both, "equal" has to be said by both.
"""

from __future__ import annotations

from math import inf, log, sqrt

ALPHA = BETA = 0.05
"""The chance to find one better where both are equal, and to find both equal where one is better by `EFFECT`."""
EFFECT = 0.1
"""The difference that is tested for, in standard deviations of the pairs' differences."""
UPPER = log((1 - BETA) / (ALPHA / 2))
"""The logarithm of the ratio from which on one is better. Half of `ALPHA`, because either could be."""
LOWER = log(BETA / (1 - ALPHA / 2))
"""The logarithm of the ratio up to which it is not."""
FEWEST = 10
"""How many pairs there are before anything is decided: of fewer the deviation says too little."""


class SequentialTest:
    """The test, fed one difference after the other: the first one's result less the second one's, in what is better."""

    def __init__(self) -> None:
        self.count = 0
        self._total = self._squares = 0.0
        self._open = {"first": 1, "second": -1}
        """Who may still be better, and the sign of the difference that says so."""
        self.decided: str | None = None
        """`first`, `second` or `equal`, once that is decided."""

    def add(self, difference: float) -> None:
        """Add the difference of a pair. What is decided stays decided."""
        self.count += 1
        self._total += difference
        self._squares += difference * difference
        if self.count < FEWEST or self.decided:
            return
        for who, sign in list(self._open.items()):
            ratio = self.ratio(sign)
            if ratio >= UPPER:
                self.decided = who
                return
            if ratio <= LOWER:
                del self._open[who]
        if not self._open:
            self.decided = "equal"

    @property
    def mean(self) -> float:
        """The mean difference."""
        return self._total / self.count

    @property
    def stdev(self) -> float:
        """The standard deviation of the differences; there must be two."""
        return sqrt(max(0.0, self._squares - self._total * self.mean) / (self.count - 1))

    @property
    def stderr(self) -> float | None:
        """The standard error of the mean difference; None where there are not two."""
        return self.stdev / sqrt(self.count) if self.count > 1 else None

    def ratio(self, sign: int) -> float:
        """Return the logarithm of the ratio of likelihoods: that the difference is `EFFECT`, to that there is none."""
        effect = sign * self.mean / self.stdev if self.stdev else inf * sign * self.mean if self._total else 0.0
        return self.count * EFFECT * (effect - EFFECT / 2)
