"""Tables as plain text, Markdown, LaTeX, CSV and HTML."""

from __future__ import annotations

import csv
import dataclasses
import html
import io
import itertools
import math
import re
from collections.abc import Sequence

FORMATS = ("text", "latex", "markdown", "csv")
_MOST_DIGITS = 4


@dataclasses.dataclass(frozen=True)
class Value:
    """A number in a table, optionally with a deviation or an interval.

    Attributes:
      mean: The number; NaN is shown as missing.
      std: Standard deviation, if any.
      digits: Decimal places; more are shown if a nonzero deviation would round to 0.
      bold: Whether it is among the best; shown where the format allows.
      low: Lower end of an interval, if any; NaN counts as none.
      high: Upper end.
    """

    mean: float
    std: float | None = None
    digits: int = 1
    bold: bool = False
    low: float | None = None
    high: float | None = None

    def show(self, sign: str = "±") -> str:
        """Returns the number as text."""
        if math.isnan(self.mean):
            return ""
        if self.low is not None and self.high is not None:
            return self._with_interval(self.low, self.high)
        if self.std is None:
            least = 10**-self.digits
            if 0 < self.mean < least / 2:
                return f"<{least:.{self.digits}f}"  # not 0
            return f"{self.mean:.{self.digits}f}"
        digits = enough_digits(self.std, self.digits)
        return f"{self.mean:.{digits}f} {sign} {self.std:.{digits}f}"

    def _with_interval(self, low: float, high: float) -> str:
        number = f"{self.mean:.{self.digits}f}"
        if math.isnan(low) or math.isnan(high):
            return number
        return f"{number} [{low:.{self.digits}f}, {high:.{self.digits}f}]"

    def numbers(self) -> list[tuple[str, float | None]]:
        """Returns the numbers, each with the suffix of its column name."""
        if self.low is not None:
            return [("", self.mean), (" low", self.low), (" high", self.high)]
        if self.std is not None:
            return [(" mean", self.mean), (" std", self.std)]
        return [("", self.mean)]


def enough_digits(std: float, digits: int) -> int:
    """Returns the decimal places needed to show a nonzero deviation.

    Example:
      >>> enough_digits(0.3, 1), enough_digits(0.04, 1), enough_digits(0.0, 1)
      (1, 2, 1)
    """
    while digits < _MOST_DIGITS and 0 < std < 0.5 * 10**-digits:
        digits += 1
    return digits


Cell = Value | str | None


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows of cells. Word columns come first, left-aligned; numbers are right-aligned.

    Attributes:
      columns: Names of the columns.
      rows: A cell per column.
      note: Explains symbols in the table; shown below it, except in CSV.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""

    def render(self, kind: str) -> str:
        """Returns the table in one of `FORMATS`, without final newline."""
        return getattr(self, f"_{kind}")()

    def _names(self) -> int:
        """Returns the number of word columns before the first number column."""
        words = (any(map(_is_word, cells)) for cells in zip(*self.rows))
        return max(1, sum(1 for _ in itertools.takewhile(bool, words)))

    def _text(self) -> str:
        lines = [list(self.columns), *([_text(c) for c in row] for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*lines)]
        lines.insert(1, ["-" * width for width in widths])
        text = "\n".join(_aligned(line, widths, self._names()) for line in lines)
        return f"{text}\n\n{self.note}" if self.note else text

    def _markdown(self) -> str:
        names = self._names()
        head = ["---"] * names + ["---:"] * (len(self.columns) - names)
        rows = [
            [_marked(c, escaped(_text(c)), "**", "**") for c in row]
            for row in self.rows
        ]
        lines = [list(map(escaped, self.columns)), head, *rows]
        text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
        return f"{text}\n\n{escaped(self.note)}" if self.note else text

    def _latex(self) -> str:
        spec = "l" * self._names() + "r" * (len(self.columns) - self._names())
        lines = [rf"\begin{{tabular}}{{{spec}}}", r"\hline"]
        lines += [" & ".join(map(_escaped, self.columns)) + r" \\", r"\hline"]
        lines += [" & ".join(map(_latex_cell, row)) + r" \\" for row in self.rows]
        lines += [r"\hline", r"\end{tabular}"]
        return "\n".join([*lines, _escaped(self.note)] if self.note else lines)

    def _csv(self) -> str:
        ends = [_ends(cells) for cells in zip(*self.rows)]
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        heads = ends or [[""]] * len(self.columns)
        writer.writerow([n + end for n, own in zip(self.columns, heads) for end in own])
        for row in self.rows:
            parts = [_numbers(cell, own) for cell, own in zip(row, ends)]
            writer.writerow([text for part in parts for text in part])
        return out.getvalue().rstrip("\n")

    def html(self, caption: str) -> str:
        """Returns the table as HTML.

        Args:
          caption: Caption above the table, as HTML.
        """
        names = self._names()
        kinds = [' class="name"'] * names + [""] * (len(self.columns) - names)
        heads = (
            f'<th scope="col"{kind}>{html.escape(name)}</th>'
            for kind, name in zip(kinds, self.columns)
        )
        lines = ["<table>", f"<caption>{caption}</caption>"]
        lines += [f"<thead><tr>{''.join(heads)}</tr></thead>", "<tbody>"]
        for row in self.rows:
            cells = [_marked(c, html.escape(_text(c)), "<b>", "</b>") for c in row]
            cells[names:] = [c.replace(", ", ",&nbsp;") for c in cells[names:]]
            cells = [f"<td{kind}>{cell}</td>" for kind, cell in zip(kinds, cells)]
            lines.append(f"<tr>{''.join(cells)}</tr>")
        lines += ["</tbody>", "</table>"]
        note = f'<p class="note">{html.escape(self.note)}</p>'
        return "\n".join([*lines, note] if self.note else lines)


def escaped(text: str) -> str:
    """Escapes HTML in text for Markdown.

    Example:
      >>> escaped("<b>p</b> < 0.05 & more")
      '&lt;b>p&lt;/b> < 0.05 & more'
    """
    return re.sub(r"<(?=[\w/!?])", "&lt;", text)


def _text(cell: Cell) -> str:
    return cell.show() if isinstance(cell, Value) else cell or ""


def _is_word(cell: Cell) -> bool:
    return isinstance(cell, str) and re.search(r"[^\W\d]", cell) is not None


def _aligned(line: Sequence[str], widths: Sequence[int], names: int) -> str:
    cells = [text.ljust(width) for text, width in zip(line[:names], widths)]
    cells += [text.rjust(width) for text, width in zip(line[names:], widths[names:])]
    return "  ".join(cells).rstrip()


def _marked(cell: Cell, text: str, begin: str, end: str) -> str:
    return f"{begin}{text}{end}" if isinstance(cell, Value) and cell.bold else text


def _latex_cell(cell: Cell) -> str:
    if not isinstance(cell, Value) or not cell.show():
        return _escaped(_text(cell))
    text = cell.show(r"\pm")
    return rf"$\mathbf{{{text}}}$" if cell.bold else f"${text}$"


def _escaped(text: str) -> str:
    for sign in "&%$#_":
        text = text.replace(sign, "\\" + sign)
    return text.replace("±", r"$\pm$").replace("†", r"$\dagger$")


def _ends(cells: Sequence[Cell]) -> list[str]:
    """Returns column suffixes for the cell with the most numbers."""
    suffixes = [[end for end, _ in c.numbers()] for c in cells if isinstance(c, Value)]
    return max(suffixes, key=len, default=[""])


def _numbers(cell: Cell, ends: Sequence[str]) -> list[str]:
    """Returns a cell's numbers as columns."""
    if not isinstance(cell, Value):
        return [cell or "", *[""] * (len(ends) - 1)]
    numbers = [number for _, number in cell.numbers()]
    numbers += [None] * (len(ends) - len(numbers))
    return ["" if n is None or math.isnan(n) else f"{n:.6g}" for n in numbers]
