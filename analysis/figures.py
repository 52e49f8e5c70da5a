"""Figures with one look, made with Matplotlib, which is imported when one is drawn."""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any

SUFFIXES = (".pdf", ".png", ".svg")
#: Sizes in points, lengths in inches. Type 42 fonts are what journals ask for.
STYLE: Any = {
    "axes.axisbelow": True,
    "axes.grid": True,
    "axes.labelsize": 9,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 9,
    "figure.constrained_layout.use": True,
    "font.size": 9,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.6,
    "hatch.linewidth": 0.6,
    "legend.fontsize": 8,
    "legend.frameon": False,
    "pdf.fonttype": 42,
    "savefig.dpi": 200,
    "svg.hashsalt": "crafter",
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
}
#: What tells published values from our own.
PUBLISHED: dict[str, Any] = {"hatch": "////", "alpha": 0.55, "edgecolor": "white"}


@contextlib.contextmanager
def look() -> Iterator[None]:
    """Gives figures the common look: draw and save them inside.

    Raises:
      ImportError: If Matplotlib is missing.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise ImportError(
            "Plots need Matplotlib: pip install crafter[analysis]"
        ) from error
    with matplotlib.rc_context(STYLE):
        yield


def new(width: float, height: float) -> Any:
    """Returns an empty figure; width and height are in inches."""
    from matplotlib.figure import Figure

    return Figure((width, height))


def save(drawn: Any, path: pathlib.Path) -> None:
    """Writes a figure; the same figure gives the same file."""
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


def add_output(parser: argparse.ArgumentParser, default: str) -> None:
    """Adds --output for a file that Matplotlib can write."""
    parser.add_argument(
        "--output",
        type=_picture,
        default=pathlib.Path("plots", default),
        metavar="FILE",
        help="where to write the plot, .pdf, .png or .svg (default: %(default)s)",
    )


def _picture(text: str) -> pathlib.Path:
    path = pathlib.Path(text)
    if path.suffix.lower() not in SUFFIXES:
        raise argparse.ArgumentTypeError(
            f"expected a name that ends with {', '.join(SUFFIXES)}, not {text!r}"
        )
    return path


def legend_above(drawn: Any, axes: Any, most: int = 5) -> None:
    """Puts the legend above all axes, where it covers nothing.

    Args:
      drawn: The figure.
      axes: The axes that have what the legend explains; `published` comes last.
      most: How many entries there may be in a row.
    """
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


def explain_published(drawn: Any, published: Sequence[bool]) -> None:
    """Says above the axes what hatched bars are, if there are both kinds."""
    from matplotlib.patches import Patch

    if len(set(published)) < 2:
        return
    ours = Patch(facecolor="#888888", label="runs")
    theirs = Patch(facecolor="#888888", label="published", **PUBLISHED)
    drawn.legend(handles=[ours, theirs], loc="outside upper center", ncols=2)
