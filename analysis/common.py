"""Shared code of the analysis programs: arguments, reading, methods and names."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import pathlib
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from crafter import scoring
from crafter.core import options
from crafter.core.arguments import positive
from crafter.core.game import DEFAULT_SETUP
from crafter.reporting import figures, tables

ROOT = pathlib.Path(__file__).resolve().parents[1]
PUBLISHED = ROOT / "scores" / "published.json"
CRAFTER = scoring.find_benchmark("crafter")
#: A published result, as in `scores/published.json`.
Published = Mapping[str, Any]
#: Runs with the given arguments, by default those of the command line.
Program = Callable[..., None]
#: Files of published results.
PUBLISHED_FILES = "published*.json"

#: Colours of the paper's plots, with a darker grey for thin bars.
COLOURS = {
    "human": "#8f8f8f",
    "dreamerv2": "#377eb8",
    "ppo": "#5fc35d",
    "rainbow": "#984ea3",
    "unsup_plan2explore": "#bf3217",
    "unsup_rnd": "#de9f42",
    "random": "#6a554d",
}
#: Style of published values.
PUBLISHED_LOOK: dict[str, Any] = {"hatch": "////", "alpha": 0.55, "edgecolor": "white"}
#: Colours of methods that are not in the paper,
OTHER_COLOURS = ("#e7298a", "#17becf", "#8a9a1f", "#4b5fc9", "#f0a3c1", "#2f2f2f")
#: and of methods that only others have run.
NOT_RUN = "#7d93a8"
#: Mark after the name of a method with external knowledge, and its note.
EXTERNAL, EXTERNAL_NOTE = " †", "† with external knowledge"


@dataclasses.dataclass(frozen=True)
class Method:
    """A method with its runs and its published result.

    Attributes:
      task: One of the tasks of the benchmark.
      method: Name of the method in files.
      name: Display name of the method.
      colour: Colour of its lines and bars.
      runs: Its runs, one per seed.
      published: Its published result, if any.
      benchmark: The benchmark that scores it.
    """

    task: str
    method: str
    name: str
    colour: str
    runs: Sequence[scoring.Run] = ()
    published: Published | None = None
    benchmark: scoring.Benchmark = CRAFTER

    def over_seeds(self, measure: Callable[[scoring.Run], Any]) -> np.ndarray:
        """Returns a measure of every run, stacked along the first axis."""
        return np.array([measure(run) for run in self.runs])

    def best_score(self) -> float:
        """Returns the score used for sorting: ours, or else the published one."""
        if self.runs:
            return float(self.over_seeds(scoring.run_score).mean())
        return (self.published_pair("score") or (0, None))[0]

    def rates(self) -> np.ndarray | None:
        """Returns success rates in percent, the mean over seeds; None without runs."""
        if not self.runs:
            return None
        return self.over_seeds(scoring.success_rates).mean(0)

    def published_pair(self, key: str) -> tuple[float, float | None] | None:
        """Returns the published mean and standard deviation over seeds, if known.

        Args:
          key: `score`, in percent, or `return`.
        """
        entry = (self.published or {}).get(key)
        return entry and (entry["mean"], entry.get("std"))

    def published_rates(self) -> np.ndarray | None:
        """Returns the published success rates in percent; None if not known."""
        rates = (self.published or {}).get("success_rates")
        return rates and np.array([rates[n] for n in self.benchmark.achievements])

    def complete(self, budget: int) -> Method:
        """Returns the method with only its runs that reach a budget."""
        runs = [run for run in self.runs if not run.is_short(budget)]
        return dataclasses.replace(self, runs=runs)

    @property
    def is_external(self) -> bool:
        """Whether the agent has external knowledge."""
        return bool((self.published or {}).get("external_knowledge"))


# Arguments.


def split(text: str) -> list[str]:
    """Splits a comma-separated list."""
    return [part.strip() for part in text.split(",") if part.strip()]


#: Options of all programs,
OPTIONS: options.Table = {
    "benchmark": (CRAFTER.name, scoring.benchmark_names(), "benchmark of the runs"),
    "budget": (None, positive, "number of steps counted per run"),
    "strict": (False, None, "reject runs with fewer steps than the budget"),
    "only": (None, split, "methods to show, in order, such as ppo,random"),
    "without": (None, split, "methods to exclude"),
}
#: and of programs that print tables.
TABLE_OPTIONS: options.Table = {
    "format": ("text", tables.FORMATS, "table format"),
    "output": (None, pathlib.Path, "output file (default: stdout)"),
}


def make_parser(
    description: str | None, *more: options.Table
) -> argparse.ArgumentParser:
    """Returns a parser with the arguments of all programs, and others."""
    parser = options.make_parser(description, OPTIONS, *more)
    text = "score file, stats.jsonl, folder of these, or scores/published.json"
    add = parser.add_argument
    add("paths", nargs="+", type=pathlib.Path, metavar="PATH", help=text)
    return parser


@contextlib.contextmanager
def errors(parser: argparse.ArgumentParser) -> Iterator[None]:
    """Turns user errors into messages, and shortens warnings."""

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        print(f"{parser.prog}: warning: {message}", file=sys.stderr)

    with (
        options.exit_on(parser, ValueError, OSError, ImportError),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("always", scoring.ShortRunWarning)
        warnings.showwarning = show
        yield


def table_program(
    description: str | None,
    make: Callable[[argparse.Namespace], Any],
    *more: options.Table,
) -> Program:
    """Returns a program that prints a table.

    Args:
      description: Description of the program.
      make: Makes the table, or another object with `render`, from the arguments, which
        have `methods`.
      *more: Further options.
    """

    def write(args: argparse.Namespace) -> None:
        write_table(make(args), args)

    return _program(write, description, *more, TABLE_OPTIONS)


def write_table(table: Any, args: argparse.Namespace) -> None:
    """Writes a table according to `TABLE_OPTIONS`."""
    text = table.render(args.format)
    if args.output is None:
        print(text)
    else:
        args.output.parent.mkdir(parents=True, exist_ok=True)
        args.output.write_text(text + "\n", "utf-8")


def plot_program(
    description: str | None,
    default: str,
    draw: Callable[[argparse.Namespace], Any],
    *more: options.Table,
) -> Program:
    """Returns a program that draws to the file `default`; see `table_program`."""
    output = pathlib.Path("plots", default), pathlib.Path, ".pdf, .png or .svg"

    def save(args: argparse.Namespace) -> None:
        with figures.look():
            figures.save(draw(args), args.output)

    return _program(save, description, *more, {"output": output})


def _program(act: Callable[[argparse.Namespace], None], *about: Any) -> Program:
    def main(argv: Sequence[str] | None = None) -> None:
        parser = make_parser(*about)
        args = parser.parse_args(argv)
        with errors(parser):
            args.methods = read(args)
            act(args)

    return main


# Drawing.


def thousands(value: float, _place: int) -> str:
    """Abbreviates step counts for an axis.

    Example:
      >>> thousands(0, 0), thousands(200_000, 1), thousands(1_000_000, 2)
      ('0', '200K', '1M')
    """
    if value >= 1_000_000:
        return f"{value / 1_000_000:g}M"
    return f"{value / 1000:g}K" if value >= 1000 else f"{value:g}"


def log_axis(axes: Any, top: float) -> None:
    """Sets a log axis for success rates in percent, linear below 0.01 %."""
    axes.set_yscale("symlog", linthresh=0.01, linscale=0.4)
    axes.set_ylim(0, top)
    axes.set_yticks([0, 0.01, 0.1, 1, 10, 100], ["0", "0.01", "0.1", "1", "10", "100"])
    axes.minorticks_off()
    axes.tick_params(axis="x", length=0)
    axes.grid(False, axis="x")


def never(titles: Sequence[str]) -> list[str]:
    """Returns what never happened, as lines of text below a plot."""
    return textwrap.wrap(f"Never: {', '.join(titles)}", 100) if titles else []


# Reading.


def read(args: argparse.Namespace) -> list[Method]:
    """Reads the files in the arguments, and sets the budget.

    Returns:
      Methods in the order of `--only`, or else sorted by score. Methods of other setups
      than the runs become `args.others`.

    Raises:
      RunError: If a file is damaged, or there is nothing to show.
      OSError: If a file cannot be read.
    """
    benchmark = scoring.find_benchmark(args.benchmark)
    args.budget = args.budget or benchmark.budget
    published: list[Published] = []
    paths = []
    for path in args.paths:
        if path.match(PUBLISHED_FILES):
            published += read_published(path, benchmark, None)
            continue
        inside = path.glob(PUBLISHED_FILES)
        entries = [e for one in inside for e in read_published(one, benchmark, None)]
        published += entries
        logs = scoring.find_scores(path, benchmark) or path.rglob("stats.jsonl")
        if not entries or any(logs):
            paths.append(path)
    runs = scoring.load_runs(paths, args.budget, args.strict, benchmark)
    setup = runs[0].setup if runs else DEFAULT_SETUP
    same = [e for e in published if e.get("setup", DEFAULT_SETUP) == setup]
    others = [entry for entry in published if entry not in same]
    args.others = join([], others, benchmark)
    return select(join(runs, same, benchmark), args.only, args.without)


def read_published(
    path: pathlib.Path,
    benchmark: scoring.Benchmark = CRAFTER,
    setup: str | None = DEFAULT_SETUP,
) -> list[Published]:
    """Reads published results.

    Args:
      path: JSON file like `scores/published.json`. Entries without `benchmark` are for
        Crafter.
      benchmark: Benchmark of the results.
      setup: Setup of the results; None for all.

    Raises:
      RunError: If the file has another format.
      OSError: If it cannot be read.
    """
    try:
        entries = json.loads(path.read_bytes())["results"]
        return [
            entry
            for entry in entries
            if entry.get("benchmark", CRAFTER.name) == benchmark.name
            and setup in (None, entry.get("setup", DEFAULT_SETUP))
        ]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise scoring.RunError(
            f"{path}: not a file of published results: {error!r}"
        ) from error


def join(
    runs: Iterable[scoring.Run],
    published: Iterable[Published],
    benchmark: scoring.Benchmark = CRAFTER,
) -> list[Method]:
    """Returns the methods that were run or published, in display order."""
    ours: dict[tuple[str, str], list[scoring.Run]] = {}
    for run in runs:
        ours.setdefault((run.task, run.method), []).append(run)
    theirs = {(entry["task"], entry["method"]): entry for entry in published}
    keys = list(dict.fromkeys([*ours, *theirs]))
    colours = iter(OTHER_COLOURS * len(keys))
    methods = []
    for task, method in keys:
        entry = theirs.get((task, method))
        name = entry["name"] if entry else pretty(method)
        if any(other != task for other, m in keys if m == method):
            name += f" ({_TASKS.get(task, task.rpartition('_')[2])})"
        own_runs = ours.get((task, method), [])
        colour = COLOURS.get(method) or (next(colours) if own_runs else NOT_RUN)
        one = Method(task, method, name, colour, own_runs, entry, benchmark)
        name += EXTERNAL if one.is_external else ""
        methods.append(dataclasses.replace(one, name=name))
    return sorted(methods, key=Method.best_score, reverse=True)


_TASKS = {"crafter_noreward": "no reward"}
_ABBREVIATIONS = {"a2c", "cnn", "dqn", "e3b", "gru", "icm", "mlp", "ppo", "rnd", "sac"}


def pretty(method: str) -> str:
    """Returns the display name of a method.

    Example:
      >>> pretty("ppo-gru"), pretty("random"), pretty("unsup_rnd"), pretty("my_ppo")
      ('PPO-GRU', 'Random', 'RND', 'My PPO')
    """
    method = method.removeprefix("unsup_")
    names = {"dreamerv2": "DreamerV2", "plan2explore": "Plan2Explore"}
    if _ABBREVIATIONS.issuperset(method.split("-")):
        return method.upper()
    parts = method.split("_")
    words = " ".join(p.upper() if p in _ABBREVIATIONS else p for p in parts)
    return names.get(method, words[:1].upper() + words[1:])


def select(
    methods: Sequence[Method],
    only: Sequence[str] | None,
    without: Sequence[str] | None,
) -> list[Method]:
    """Selects methods by `--only` and `--without`.

    Raises:
      RunError: If they name an unknown method, or leave none.
    """
    there = list(dict.fromkeys(method.method for method in methods))
    unknown = [name for name in [*(only or ()), *(without or ())] if name not in there]
    if unknown:
        raise scoring.RunError(
            f"unknown method {', '.join(unknown)}; valid: {', '.join(there)}"
        )
    order = only or there
    chosen = [
        m for m in methods if m.method in order and m.method not in (without or ())
    ]
    if not chosen:
        raise scoring.RunError("--only and --without select no method")
    return sorted(chosen, key=lambda m: order.index(m.method)) if only else chosen


def with_runs(methods: Sequence[Method]) -> list[Method]:
    """Returns the methods that have runs.

    Raises:
      RunError: If there are none.
    """
    ours = [method for method in methods if method.runs]
    if not ours:
        raise scoring.RunError(
            "no runs found: name a score file or a folder with stats.jsonl"
        )
    return ours


def note(methods: Sequence[Method]) -> str:
    """Returns the footnote on external knowledge and the setups of runs."""
    lines = [EXTERNAL_NOTE] if any(method.is_external for method in methods) else []
    setups = {run.setup for method in methods for run in method.runs}
    lines += [f"setup {name}" for name in sorted(setups - {DEFAULT_SETUP})]
    return "; ".join(lines)


def label(methods: Sequence[Method]) -> str:
    """Returns the label of runs with published settings, if any, and the footnote."""
    groups: dict[str, list[str]] = {}
    for method in methods:
        for run in method.runs[:1]:
            game, _, observation = method.task.rpartition("_")
            budget, preset = method.benchmark.budget, run.made_by.get("preset")
            settings = "settings of the authors' code" if preset else "our settings"
            words = game, f"{run.setup} rules", observation, f"{budget:,} steps"
            groups.setdefault(", ".join([*words, settings]), []).append(method.name)
    lines = [f"{what}: {', '.join(names)}" for what, names in groups.items()]
    known = [note(methods)] if note(methods) else []
    presets = any(run.made_by.get("preset") for m in methods for run in m.runs)
    return "; ".join([*known, *(lines if presets else [])])
