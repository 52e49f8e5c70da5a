"""The benchmarks of this package, by name."""

from crafter.scoring.benchmark import CRAFTER, CRAFTER_SYMBOLIC_10M, Benchmark

#: Names of the benchmarks that `find` knows.
NAMES = ("crafter", "crafter-symbolic-10m", "craftax-1m", "craftax-1b")


def find(name: str) -> Benchmark:
    """Returns a benchmark by its name, one of `NAMES`.

    Raises:
      ValueError: If there is no such benchmark.

    Example:
      >>> find("craftax-1m").optimal_return
      226
    """
    for one in (CRAFTER, CRAFTER_SYMBOLIC_10M):
        if name == one.name:
            return one
    if name not in NAMES:
        raise ValueError(f"Expected a benchmark of {', '.join(NAMES)}, got {name!r}.")
    # Who scores Crafter need not read the rules of another game.
    from crafter.games.craftax import scoring

    benchmarks = scoring.CRAFTAX_1M, scoring.CRAFTAX_1B
    return next(one for one in benchmarks if one.name == name)
