"""Pages: title, paragraphs and key tables, over the picture or the window."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pygame

from crafter.gui import layout, theme
from crafter.gui.canvas import Canvas
from crafter.gui.game import Page, Row, Run, Table

_LARGEST, _SMALLEST = 24, 8  # text heights; the largest at scale 1
_ROW = 1.35  # line height, in text heights
_TITLE = 1.8  # same
_WIDE = 0.9  # fraction of the box, for paragraphs
_BAND, _ALONE = 0.4, 0.5  # fraction of the box, for the pictures of a run

#: A line of text: content, height and colour.
Line = tuple[str, int, theme.Color]


def draw(
    canvas: Canvas,
    page: Page,
    box: pygame.Rect,
    scale: float,
    picture: pygame.Surface | None = None,
) -> None:
    """Draws a page in a box, with text at the given scale or as large as fits.

    Args:
      canvas: The window.
      page: The page.
      box: The box.
      scale: Text scale.
      picture: Picture of the run, if any; shown above the tables.
    """
    veil = pygame.Surface(box.size, pygame.SRCALPHA)
    veil.fill(theme.CURTAIN)
    canvas.surface.blit(veil, box)
    band = _band(page, box, picture, scale)
    rest = pygame.Rect(*box.topleft, box.width, box.height - band.height)
    size, lines, columns = _fit(page, rest, scale)
    step, footer = round(_ROW * size), _footer(page, box, size)
    high = len(lines) + _height(columns) + len(footer) + 1
    y = box.y + (rest.height - step * high) // 2
    for text, height, color in lines:
        canvas.write(text, (box.centerx, y + step // 2), height, color, "center")
        y += step
    if page.run is not None and picture is not None:
        _draw_run(canvas, page.run, band.move(0, y), picture, size)
        y += band.height
    left = box.centerx - sum(sum(_widths(column, size)) for column in columns) // 2
    for column in columns:
        rows, widths = itertools.count(), _widths(column, size)
        for table in column:
            place = left + size // 2, y + step * next(rows) + step // 2
            canvas.write(table.title, place, size, theme.DONE)
            for row in table.rows:
                corner = place[0], y + step * next(rows)
                _draw_row(canvas, row, corner, size, widths[0])
            next(rows)
        left += sum(widths)
    for number, text in enumerate(footer):
        below = box.centerx, y + step * (_height(columns) + number) + step // 2
        canvas.write(text, below, size, theme.DONE, "center")


def _band(
    page: Page, box: pygame.Rect, picture: pygame.Surface | None, scale: float
) -> pygame.Rect:
    """Returns the rectangle of a picture, with room for a timeline below."""
    if picture is None:
        return pygame.Rect(0, 0, 0, 0)
    most = (
        round(_WIDE * box.width),
        round((_BAND if page.tables else _ALONE) * box.height),
    )
    wide, high = layout.fitting(most, picture.get_size())
    letters = max(round(_LARGEST * scale), _SMALLEST)
    return pygame.Rect(box.centerx - wide // 2, 0, wide, high + 2 * letters)


def _draw_run(
    canvas: Canvas, run: Run, band: pygame.Rect, picture: pygame.Surface, size: int
) -> None:
    """Draws the picture of a run, with its achievement timeline below."""
    shown = layout.fitting((band.width, band.height), picture.get_size())
    canvas.surface.blit(pygame.transform.smoothscale(picture, shown), band)
    line = pygame.Rect(band.x, 0, band.width, max(size // 3, 3))
    line.centery = band.y + shown[1] + size
    canvas.rect(line, theme.WELL, 2)
    for at in run.unlocked.values():
        mark = line.x + round((line.width - 3) * at / max(run.steps, 1))
        canvas.rect(pygame.Rect(mark, line.y, 3, line.height), theme.DONE)
    for text, x, align in (
        ("0 ", line.x, "right"),
        (f" {run.steps}", line.right, "left"),
    ):
        canvas.write(text, (x, line.centery), size, theme.DIM, align)


def _fit(
    page: Page, box: pygame.Rect, scale: float
) -> tuple[int, list[Line], list[tuple[Table, ...]]]:
    """Returns the largest text height that fits, the lines, and the table columns."""
    count = len(page.tables)
    cuts = (itertools.combinations(range(1, count), n) for n in reversed(range(count)))
    splits = [
        [page.tables[i:j] for i, j in zip((0, *cut), (*cut, count))]
        for cut in itertools.chain.from_iterable(cuts)
    ] or [[]]
    size = max(round(_LARGEST * scale), _SMALLEST)
    while True:
        lines = list(_lines(page, round(_WIDE * box.width), size))
        for columns in splits:
            wide = sum(sum(_widths(column, size)) for column in columns)
            rows = len(lines) + _height(columns) + len(_footer(page, box, size)) + 1
            high = rows * round(_ROW * size)
            if size == _SMALLEST or (wide <= box.width and high <= box.height):
                return size, lines, columns
        size -= 1


def _lines(page: Page, widest: int, size: int) -> Iterator[Line]:
    """Yields the lines above the tables."""
    yield "", size, theme.TEXT
    yield page.title, round(_TITLE * size), theme.VERDICTS.get(page.verdict, theme.TEXT)
    for paragraph in page.paragraphs:
        yield "", size, theme.TEXT
        for line in theme.wrap(paragraph, widest, size):
            yield line, size, theme.TEXT
    yield "", size, theme.TEXT


def _footer(page: Page, box: pygame.Rect, size: int) -> list[str]:
    """Returns the lines below the tables."""
    return theme.wrap(page.footer, round(_WIDE * box.width), size)


def _height(columns: Sequence[Sequence[Table]]) -> int:
    """Returns the number of rows of the columns, including titles and gaps."""
    return max(
        (sum(2 + len(table.rows) for table in column) for column in columns), default=0
    )


def _widths(column: Sequence[Table], size: int) -> tuple[int, int]:
    """Returns the width of a column's keys, and of the rest."""
    rows = [row for table in column for row in table.rows]
    key = max(theme.width(row.key, size) for row in rows) + size
    return key, max(theme.width(row.text, size) for row in rows) + 2 * size


def _draw_row(
    canvas: Canvas, row: Row, corner: tuple[int, int], size: int, width: int
) -> None:
    """Draws a key, in a given width, and its text."""
    step = round(_ROW * size)
    cap = pygame.Rect(*corner, width - size // 3, step).inflate(0, -0.2 * size)
    canvas.rect(cap, theme.READY if row.ready else theme.WELL, size // 5)
    canvas.rect(cap, theme.LINE, size // 5, 1)
    color = theme.BACKGROUND if row.ready else theme.TEXT
    canvas.write(row.key, cap.center, size, color, align="center")
    canvas.write(row.text, (corner[0] + width + size // 4, cap.centery), size)
