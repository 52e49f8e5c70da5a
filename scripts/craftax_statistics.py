"""Compares worlds and episodes of Craftax with statistics of the published package.

    python scripts/craftax_statistics.py              2,000 worlds, 1,024 episodes
    python scripts/craftax_statistics.py --quick      100 worlds, 64 episodes

Each line has the published mean, ours, and the difference in standard errors. The
standard error combines both means: from the published standard deviation if there is
one, otherwise from ours, plus the rounding of the published figure. By chance about one
line in 16,000 is off by more than 4.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from crafter.core.options import make_parser
from crafter.games.craftax import Env, parameters, tables
from crafter.games.craftax.worldgen import Maps, WorldGenerator
from crafter.recording.episode import Episode

FIGURES = Path(__file__).parents[1] / "tests" / "golden" / "craftax" / "statistics.yaml"
QUICK_WORLDS, QUICK_EPISODES = 100, 32


class Line(NamedTuple):
    """A published figure and ours.

    Attributes:
        label: What was measured.
        published: The published mean.
        ours: Our mean.
        error: Standard error of their difference; 0 if nothing in it is random.
    """

    label: str
    published: float
    ours: float
    error: float

    @property
    def off(self) -> float:
        """The difference in standard errors."""
        difference = self.ours - self.published
        if self.error:
            return difference / self.error
        close = abs(difference) <= _half_digit(self.published)
        return 0.0 if close else math.copysign(math.inf, difference)

    def __str__(self) -> str:
        """The row of the table."""
        figures = f"{self.published:12.4f} {self.ours:12.4f} {self.error:10.4f}"
        return f"{self.label:34} {figures} {self.off:+7.2f}"


def figures() -> dict[str, Any]:
    """Return the published figures."""
    return yaml.safe_load(FIGURES.read_text("utf-8"))


def compare(
    label: str, published: Any, count: int, values: Sequence[float] | np.ndarray
) -> Line:
    """Compare a mean with the published one.

    Args:
        label: What was measured.
        published: The mean, or the mean and the standard deviation.
        count: Number of samples behind it.
        values: Our samples.
    """
    pair = published if isinstance(published, list) else [published, np.std(values)]
    mean, deviation = pair
    ours, error = float(np.mean(values)), 0.0
    if deviation:
        spread = deviation * math.sqrt(1 / count + 1 / len(values))
        error = math.hypot(spread, _half_digit(mean) / math.sqrt(3))
    return Line(label, mean, ours, error)


def _half_digit(published: float) -> float:
    """Return half a unit of the last published digit."""
    return 0.5 * 10.0 ** -len(str(published).partition(".")[2])


def compare_part(label: str, part: float, count: int, flags: Sequence[bool]) -> Line:
    """Compare how often something is true with the published share."""
    return compare(label, [part, math.sqrt(part * (1 - part))], count, flags)


# Worlds.


def worlds(count: int, seed: int) -> Iterator[Maps]:
    """Generate worlds with the published rules."""
    rules = tables.load("published")
    generator = WorldGenerator(rules, parameters.make(rules.data["parameters"], {}))
    random = np.random.default_rng(seed)
    for _ in range(count):
        yield generator.generate(generator.draw(random))


def world_lines(count: int, seed: int = 0) -> list[Line]:
    """Compare generated worlds.

    Args:
        count: How many worlds to generate.
        seed: Seed of the worlds.
    """
    rules, published = tables.load("published"), figures()
    blocks = np.zeros((count, len(rules.floors), len(rules.block_names)), int)
    items = np.zeros((count, len(rules.floors), len(rules.item_names)), int)
    lit = np.zeros((count, len(rules.floors)))
    for number, maps in enumerate(worlds(count, seed)):
        lit[number] = (maps.light_map > rules.data["view"]["dim"]).mean((1, 2))
        for floor in range(len(rules.floors)):
            for counts, layer in ((blocks, maps.map), (items, maps.item_map)):
                size = counts.shape[-1]
                counts[number, floor] = np.bincount(
                    layer[floor].ravel(), minlength=size
                )
    of, lines = published["worlds"], []
    for name, row in published["blocks"].items():
        floor = rules.floor_names.index(name)
        for block, pair in row.items():
            values = blocks[:, floor, rules.block_ids[block]]
            lines.append(compare(f"{name} {block}", pair, of, values))
    torches = items[..., rules.item_ids["torch"]]
    for what, per_floor in (("torches", torches), ("lit", lit)):
        for name, mean in published[what].items():
            values = per_floor[:, rules.floor_names.index(name)]
            lines.append(compare(f"{name} {what}", mean, of, values))
    without = blocks[:, 0, rules.block_ids["diamond"]] == 0
    label = "worlds without diamond"
    lines.append(compare_part(label, published["no_diamond"], of, without))
    lacks = items[:, 1:-1, rules.item_ids["ladder_down"]] == 0
    of *= lacks.shape[1]
    part = sum(published["no_way_down"].values()) / of
    label, flags = "floors without way down", lacks.ravel().tolist()
    return [*lines, compare_part(label, part, of, flags)]


# Episodes.


def play(policy: str, count: int, seed: int = 0) -> list[Episode]:
    """Play episodes.

    Args:
        policy: `random`, uniform over all actions, or `noop`.
        count: Number of episodes.
        seed: Seed of the episodes and of the actions.
    """
    env = Env(seed=seed, observation="semantic")
    random = np.random.default_rng(seed)
    episodes = []
    for _ in range(count):
        env.reset()
        episode, over = Episode(None), False
        while not over:
            action = random.integers(len(env.action_names)) if policy == "random" else 0
            _, reward, terminated, truncated, _ = env.step(action)
            episode.length, episode.reward = episode.length + 1, episode.reward + reward
            over = terminated or truncated
        episode.achievements = dict.fromkeys(env.unlocked, 1)
        episodes.append(episode)
    return episodes


def play_lines(policy: str, count: int, seed: int = 0) -> list[Line]:
    """Compare episodes; arguments as for `play`."""
    published = figures()
    of, row = published["episodes"], published["play"][policy]
    episodes = play(policy, count, seed)
    lines = [
        compare(f"{policy} length", row["length"], of, [e.length for e in episodes]),
        compare(f"{policy} return", row["return"], of, [e.reward for e in episodes]),
    ]
    names = sorted({name for e in episodes for name in e.achievements})
    for name in dict.fromkeys([*row["achievements"], *names]):
        reached = [name in e.achievements for e in episodes]
        # What never occurred there happens in less than one of this many episodes.
        part = row["achievements"].get(name, 1 / of)
        lines.append(compare_part(f"{policy} {name}", part, of, reached))
    for percent, value in row["quantiles"].items():
        lengths = [e.length for e in episodes]
        lines.append(_quantile_line(f"{policy} length", percent, value, of, lengths))
    return lines


def _quantile_line(
    label: str, percent: int, value: float, count: int, values: Sequence[float]
) -> Line:
    """Compare a quantile; its error comes from the density of our sample around it."""
    part = percent / 100
    ours, low, high = np.quantile(values, [part, part - 0.05, part + 0.05])
    spread = math.sqrt(part * (1 - part)) * (high - low) / 0.1
    error = spread * math.sqrt(1 / count + 1 / len(values))
    return Line(f"{label}, {percent} %", value, float(ours), error)


def main() -> None:
    """Print the table."""
    table = {"quick": (False, None, "only a small sample"), "seed": (0, int, "seed")}
    args = make_parser(__doc__, table).parse_args()
    published = figures()
    count, episodes = published["worlds"], published["episodes"]
    if args.quick:
        count, episodes = QUICK_WORLDS, QUICK_EPISODES
    print(f"{count} worlds, {episodes} episodes of each policy, seed {args.seed}")
    heads = ("published", "ours", "error", "off")
    print("{:34} {:>12} {:>12} {:>10} {:>7}".format("", *heads))
    lines = world_lines(count, args.seed)
    for policy in published["play"]:
        lines += play_lines(policy, episodes, args.seed)
    for line in lines:
        print(line)
    worst = max(lines, key=lambda line: abs(line.off))
    print(f"{len(lines)} lines; the farthest is {worst.label}, off by {worst.off:+.2f}")


if __name__ == "__main__":
    main()
