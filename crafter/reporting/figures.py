"""Figures with one look, made with Matplotlib, which is imported when one is drawn."""

from __future__ import annotations

import contextlib
import contextvars
import io
import math
import pathlib
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

SUFFIXES = (".pdf", ".png", ".svg")
#: Widths of a column and of a page of two columns in a paper, in inches.
COLUMN, PAGE = 3.25, 6.75

_paper = contextvars.ContextVar("paper", default=False)

#: What tells published values from our own.
PUBLISHED: dict[str, Any] = {"hatch": "////", "alpha": 0.55, "edgecolor": "white"}


@contextlib.contextmanager
def look(paper: bool = False) -> Iterator[None]:
    """Gives figures the common look, of `figures.mplstyle`: draw and save them inside.

    Args:
      paper: Whether they are for a paper.

    Raises:
      ImportError: If Matplotlib is missing.
    """
    try:
        from matplotlib import style
    except ImportError as error:
        raise ImportError(
            "Plots need Matplotlib: pip install crafter[analysis]"
        ) from error
    token = _paper.set(paper)
    try:
        names = ("figures", "paper") if paper else ("figures",)
        folder = pathlib.Path(__file__).parent
        with style.context([folder / f"{name}.mplstyle" for name in names]):
            yield
    finally:
        _paper.reset(token)


def new(width: float, height: float, paper: float = COLUMN) -> Any:
    """Returns an empty figure.

    Args:
      width: Width in inches.
      height: Height in inches.
      paper: Width in a paper, in inches; the height follows, and is no less than it
        takes for the same number of lines.
    """
    from matplotlib.figure import Figure

    if not _paper.get():
        return Figure((width, height))
    return Figure((paper, height * max(paper / width, 0.7)))


def scaled(number: float) -> float:
    """Returns a size in points, smaller if the figure is for a paper."""
    return 0.75 * number if _paper.get() else number


def save(drawn: Any, path: pathlib.Path, quiet: bool = False) -> None:
    """Writes a figure, and says so; the same figure gives the same file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn.savefig(path, metadata=_undated(path.suffix))
    if not quiet:
        print(f"Wrote {path}.")


def svg(drawn: Any) -> str:
    """Returns a figure as SVG text."""
    out = io.StringIO()
    drawn.savefig(out, format="svg", metadata=_undated(".svg"))
    return out.getvalue()


def _undated(suffix: str) -> dict[str, None]:
    return {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(suffix, {})


def legend_above(drawn: Any, axes: Any) -> None:
    """Puts the legend above all axes, where it covers nothing.

    Args:
      drawn: The figure.
      axes: The axes that have what the legend explains; `published` comes last.
    """
    most = max(2, round(drawn.get_figwidth() / 1.7))
    pairs = sorted(
        zip(*axes.get_legend_handles_labels()), key=lambda pair: pair[1] == "published"
    )
    if pairs:
        rows = math.ceil(len(pairs) / most)
        columns = math.ceil(len(pairs) / rows)
        drawn.legend(*zip(*pairs), loc="outside upper center", ncols=columns)


def thousands(value: float, _place: int) -> str:
    """Returns steps in short, for an axis.

    Example:
      >>> thousands(0, 0), thousands(200_000, 1), thousands(1_000_000, 2)
      ('0', '200K', '1M')
    """
    if value >= 1_000_000:
        return f"{value / 1_000_000:g}M"
    return f"{value / 1000:g}K" if value >= 1000 else f"{value:g}"


def never(titles: Sequence[str]) -> list[str]:
    """Return what never happened, as lines of text below a plot."""
    return textwrap.wrap(f"Never: {', '.join(titles)}", 100) if titles else []
