"""Figures in one style; Matplotlib is imported on first use."""

from __future__ import annotations

import contextlib
import io
import math
import pathlib
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def look() -> Iterator[None]:
    """Context manager for the common style of `figures.mplstyle`; draw and save inside.

    Raises:
      ImportError: If Matplotlib is missing.
    """
    try:
        from matplotlib import style
    except ImportError as error:
        raise ImportError(
            "Plots need Matplotlib: pip install crafter[analysis]"
        ) from error
    with style.context(pathlib.Path(__file__).with_name("figures.mplstyle")):
        yield


def new(width: float, height: float) -> Any:
    """Returns an empty figure of a size in inches."""
    from matplotlib.figure import Figure

    return Figure((width, height))


def save(drawn: Any, path: pathlib.Path) -> None:
    """Writes a figure and prints its path; equal figures give equal files."""
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn.savefig(path, metadata=_undated(path.suffix))
    print(f"Wrote {path}.")


def svg(drawn: Any) -> str:
    """Returns a figure as SVG text."""
    out = io.StringIO()
    drawn.savefig(out, format="svg", metadata=_undated(".svg"))
    return out.getvalue()


def _undated(suffix: str) -> dict[str, None]:
    return {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}.get(suffix, {})


def legend_above(drawn: Any, axes: Any) -> None:
    """Places the legend above all axes, where it covers nothing.

    Args:
      drawn: The figure.
      axes: The axes with the legend entries; `published` comes last.
    """
    most = max(2, round(drawn.get_figwidth() / 1.7))
    pairs = sorted(
        zip(*axes.get_legend_handles_labels()), key=lambda pair: pair[1] == "published"
    )
    if pairs:
        rows = math.ceil(len(pairs) / most)
        columns = math.ceil(len(pairs) / rows)
        drawn.legend(*zip(*pairs), loc="outside upper center", ncols=columns)
