"""Exploration bonuses (novelty rewards) by name."""

from baselines.bonuses.e3b import E3B
from baselines.bonuses.frame import Bonus
from baselines.bonuses.icm import ICM
from baselines.bonuses.rnd import RND

BONUSES: dict[str, type[Bonus]] = {"rnd": RND, "icm": ICM, "e3b": E3B}
