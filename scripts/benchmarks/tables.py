"""Tables of figures, side by side with their ratios, and what they depend on."""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import dataclass

import numpy as np

OURS, PUBLISHED = "ours", "published"


@dataclass
class Row:
    """One line of a table.

    Attributes:
        label: What was measured.
        unit: Unit of the figures.
        values: Package to figure.
        more_is_better: Whether a ratio above 1 is an advantage when ours is larger.
    """

    label: str
    unit: str
    values: dict[str, float]
    more_is_better: bool = False

    def cells(self, packages: list[str]) -> list[str]:
        """Return the texts of the line."""
        texts = [f"{self.label} [{self.unit}]"]
        texts += [format_figure(self.values[p]) for p in packages if p in self.values]
        if len(self.values) > 1 and all(self.values.values()):
            ratio = self.values[PUBLISHED] / self.values[OURS]
            texts.append(f"{1 / ratio if self.more_is_better else ratio:.1f}x")
        return texts


def format_figure(value: float) -> str:
    """Write a figure with at least three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def print_table(title: str, packages: list[str], rows: list[Row]) -> None:
    """Print a table with one column for each package, and their ratio."""
    heads = [title, *packages, *(["ours is better by"] if len(packages) > 1 else [])]
    print_lines([heads, *(row.cells(packages) for row in rows)])


def print_lines(lines: list[list[str]]) -> None:
    """Print lines of cells, the first column to the left and the others right."""
    count = max(len(line) for line in lines)
    widths = [
        max(len(line[i]) for line in lines if i < len(line)) for i in range(count)
    ]
    print()
    for line in lines:
        first = line[0].ljust(widths[0])
        print("  ".join([first, *(c.rjust(w) for c, w in zip(line[1:], widths[1:]))]))


def progress(text: str) -> None:
    """Show on the terminal what is being measured."""
    if sys.stderr.isatty():
        print(f"\r{text:<60}", end="\r", file=sys.stderr, flush=True)


def print_machine() -> None:
    """Print what the figures depend on."""
    parts = [f"Python {platform.python_version()}", f"NumPy {np.__version__}"]
    parts += [f"{platform.system()} {platform.machine()}", f"{os.cpu_count()} cores"]
    if hasattr(os, "getloadavg"):
        parts.append(f"load average {os.getloadavg()[0]:.1f}")
    print(", ".join(parts))
