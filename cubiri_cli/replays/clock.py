"""The clock of a record and the seeds that come from outside: whole seconds UTC, the day's seed, a fresh seed."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta

from cubiri_cli.games.game import whole
from cubiri_cli.games.problem import Problem, ProblemError

NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)
"""When simulated games are said to be played: their records are the same whenever that is. People are not shown it."""


class InvalidClockError(ProblemError):
    """`SOURCE_DATE_EPOCH` is set to something that is no time."""

    def __init__(self, found: str) -> None:
        super().__init__(Problem("no-seconds", {"found": found}, "SOURCE_DATE_EPOCH"))


def now() -> datetime:
    """Return the present time, UTC, whole seconds. `SOURCE_DATE_EPOCH` (seconds since 1970), where set, is the clock.

    Raises `InvalidClockError` where it is set to something else.
    """
    fixed = os.environ.get("SOURCE_DATE_EPOCH")
    if not fixed:
        return datetime.now(UTC).replace(microsecond=0)
    seconds = whole(fixed)
    if seconds is not None:
        with suppress(OverflowError):
            return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)
    raise InvalidClockError(fixed)


def written(time: datetime) -> str:
    """Return a time as people read it: whole seconds, four digits for every year (`strftime` leaves zeros out of some).

    >>> written(datetime(476, 9, 4, 18, 2, 11, tzinfo=UTC))
    '0476-09-04 18:02:11'
    """
    return time.replace(tzinfo=None).isoformat(" ", "seconds")


def local(moment: datetime) -> datetime:
    """Return the same moment in the time zone of the place; in its own where that has no such time (years 1, 9999)."""
    try:
        return moment.astimezone()
    except (OverflowError, ValueError, OSError):
        return moment


def local_minute(moment: datetime) -> str:
    """Return a moment as people read it in a list: in local time, to the minute, such as `2026-11-30 20:02`."""
    return written(local(moment))[: -len(":00")]


def is_fixed() -> bool:
    """Tell whether `SOURCE_DATE_EPOCH` is the clock."""
    return bool(os.environ.get("SOURCE_DATE_EPOCH"))


def today() -> date:
    """Return the day that it is everywhere at once: the date in UTC. Raises `InvalidClockError`."""
    return now().date()


def until_tomorrow() -> timedelta:
    """Return how long it is until the next day begins, in UTC. Raises `InvalidClockError`."""
    moment = now()
    return datetime.combine(moment.date() + timedelta(days=1), datetime.min.time(), UTC) - moment


def daily_seed(day: date | None = None) -> str:
    """Return the seed that everybody shares on a day, today (UTC) by default, such as `daily-2026-11-30`.

    >>> daily_seed(date(2026, 11, 30))
    'daily-2026-11-30'
    """
    return f"daily-{(day or today()).isoformat()}"


def day_of_seed(seed: str) -> date | None:
    """Return the day whose seed this is; None where it is no day's.

    >>> day_of_seed("daily-2026-11-30"), day_of_seed("daily-2026-02-30"), day_of_seed("42")
    (datetime.date(2026, 11, 30), None, None)
    """
    found = re.fullmatch(r"daily-(\d{4}-\d\d-\d\d)", seed, re.ASCII)
    try:
        return date.fromisoformat(found[1]) if found else None
    except ValueError:
        return None


def fresh_seed() -> str:
    """Return a new seed from the operating system's entropy: 80 bits, short enough to read out."""
    import secrets  # late, because it takes a while and few need it

    alphabet = "abcdefghijkmnpqrstuvwxyz23456789"  # 32 characters, without those that are easily confused
    return "".join(secrets.choice(alphabet) for _ in range(16))
