"""Moments of the day, however long it is and wherever it begins."""

import pytest

from crafter.core import clock


@pytest.mark.parametrize("day", [1, 2, 3, 7, 40, 299, 300])
@pytest.mark.parametrize("start", [0, 0.3, 0.5, 0.77, 1])
@pytest.mark.parametrize("dark", [0, 0.01, 0.5, 0.9, 1])
def test_night_begins_and_ends_where_it_gets_dark_and_light(day, start, dark):
    time = {"day": day, "start": start, "dark": dark}
    night = [clock.is_dark(clock.daylight(step, time), time) for step in range(day)]
    found = clock.moments(time)
    begins = [step for step in range(day) if night[step] and not night[step - 1]]
    ends = [step for step in range(day) if night[step - 1] and not night[step]]
    assert [found[name] for name in ("dusk",) if name in found] == begins
    assert [found[name] for name in ("dawn",) if name in found] == ends
    light = [clock.daylight(step, time) for step in range(day)]
    assert light[found["noon"]] == pytest.approx(max(light))
    assert light[found["midnight"]] == pytest.approx(min(light))


def test_a_long_day_has_moments_at_once():
    day = 10**12
    found = clock.moments({"day": day, "start": 0.3, "dark": 0.5})
    parts = [step / day * 300 for step in found.values()]
    assert parts == pytest.approx([0, 60, 148, 210, 273], abs=1)
