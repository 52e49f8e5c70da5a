"""Title screen: menus with previews."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

import pygame

from crafter.gui import layout, menu, pages, theme
from crafter.gui.app import Loop
from crafter.gui.canvas import Canvas
from crafter.gui.game import Page
from crafter.gui.keys import NAMES, TITLE, Bindings
from crafter.gui.menu import Choice, Entry, Menu
from crafter.gui.settings import WORDS
from crafter.gui.source import Source

#: Window sizes at scale 1, with the picture beside or below the menu.
WIDE, TALL = (900, 666), (640, 960)
_MARGIN, _TOP, _BOTTOM, _PITCH = 36, 116, 64, 46  # at scale 1, as all that follows
_LINES, _USUAL = 7, 4  # maximum and usual lines of text below a picture
_SMALL = 18  # their text height

#: Preview beside a menu entry: a game, if any, and a text.
Sample = tuple[Source | None, str]


class Title(Loop):
    """Title screen.

    Args:
      args: Command-line options, as changed by settings.
      preview: Opens a choice for its preview; raises OSError or ValueError.
      notice: Why the last choice could not be started.

    Attributes:
      menus: The stack of open menus.
      page: Page that covers them, if any.
      buttons: Clickable rectangles of entries, and their indices.
    """

    def __init__(
        self,
        args: argparse.Namespace,
        preview: Callable[[Choice], Source],
        notice: str = "",
    ) -> None:
        super().__init__(Bindings({}, TITLE))
        self.menus = [menu.main(args)]
        self.page: Page | None = None
        self.buttons: list[tuple[pygame.Rect, int]] = []
        self._args, self._preview, self._notice = args, preview, notice
        self._sample: Sample | None = None  # of the selected entry, once created
        self._doomed: Entry | None = None  # its file is deleted when asked again

    @property
    def menu(self) -> Menu:
        """The top menu."""
        return self.menus[-1]

    def tick(self) -> None:
        """Handles pending events; draws after changes."""
        handled = self._handle_events()
        if not handled and self._sample is None:
            self._sample = self._make_sample()
        elif not handled:
            return
        if self.running:
            self.draw()

    def _make_sample(self) -> Sample:
        entry = shown = self.menu.entry
        try:
            while (other := shown.sample()) is not None:
                shown = other
            about = entry.about or shown.about
            if not isinstance(shown.leads, Mapping):
                return None, about
            source = self._preview(shown.leads)
        except (OSError, ValueError) as error:
            return None, f"{error}"
        return source, about or " ".join(source.briefing.paragraphs)

    # Keys and mouse; commands are named in `keys`.

    def _handle(self, event: pygame.event.Event) -> None:
        key = NAMES.get(getattr(event, "scancode", 0), "")
        if event.type == pygame.KEYDOWN and key.isdigit():
            self._type(key)
        elif event.type == pygame.MOUSEMOTION:
            self._point(event.pos)
        elif event.type == pygame.MOUSEWHEEL:
            self._move(-event.y)
        else:
            super()._handle(event)

    def _press(self, meaning: str) -> None:
        if meaning != "remove":
            self._notice, self._doomed = "", None
        super()._press(meaning)

    def _point(self, place: tuple[int, int]) -> bool:
        """Selects the entry at a position; returns whether there is one."""
        hits = [number for box, number in self.buttons if box.collidepoint(place)]
        if hits and hits[0] != self.menu.chosen:
            self._move(hits[0] - self.menu.chosen)
        return bool(hits)

    def _click(self, place: tuple[int, int]) -> None:
        if self.page or self._point(place):
            self._press("choose")

    def _move(self, by: int) -> None:
        if self.page is None:
            self.menu.move(by)
            self._sample = None

    def _type(self, digit: str) -> None:
        if self.menu.typed:
            self.menu.typed(digit)
            self._renew()

    def _renew(self) -> None:
        """Refreshes the menu and its preview."""
        self.menu.refresh()
        self._sample = None

    def previous(self) -> None:
        """Moves to the entry above."""
        self._move(-1)

    def following(self) -> None:
        """Moves to the entry below."""
        self._move(1)

    def erase(self) -> None:
        """Erases the last digit."""
        self._type("")

    def choose(self) -> None:
        """Opens the selected entry."""
        leads = self.menu.entry.leads
        if leads is None or self.page:
            self.quit()
        elif isinstance(leads, Mapping):
            self.choice, self.running = leads, False
        else:
            self._open(leads)

    def _open(self, leads: Callable[[], Menu | Page | None]) -> None:
        try:
            screen = leads()
        except OSError as error:
            screen, self._notice = None, WORDS["unwritten"].format(error=error)
        if isinstance(screen, Page):
            footer = self._bindings.hint(("quit", WORDS["back"].lower()))
            self.page = screen._replace(footer=footer)
        elif screen is not None:
            self.menus.append(screen)
        self._renew()

    def remove(self) -> None:
        """Deletes the file of the selected entry, on the second request."""
        entry = self.menu.entry
        if entry.file and entry == self._doomed:
            self._notice = ""
            self._open(entry.file.unlink)
        elif entry.file:
            key = self._bindings.label("remove")
            self._doomed, self._notice = entry, WORDS["removal"].format(key=key)

    def quit(self) -> None:
        """Closes the top page or menu, or else the window."""
        if self.page:
            self.page = None
        elif len(self.menus) > 1:
            self.menus.pop()
            self._renew()
        else:
            self.running, self.closed = False, True

    # Drawing.

    def draw(self) -> None:
        """Draws the window."""
        window = pygame.display.get_surface()
        assert window is not None
        sizes = [
            min(own / full for own, full in zip(window.get_size(), size))
            for size in (WIDE, TALL)
        ]
        scale = max(*sizes, layout.READABLE)
        self._canvas, self.buttons = Canvas(window, scale), []
        theme.use(self._args.colours)
        window.fill(theme.BACKGROUND)
        if self.page:
            pages.draw(self._canvas, self.page, window.get_rect(), scale)
        else:
            self._draw_menu(sizes[0] < sizes[1])
        pygame.display.flip()

    def _draw_menu(self, tall: bool) -> None:
        """Draws the menu, with the preview beside or below it."""
        canvas, scale = self._canvas, self._canvas.scale
        width, height = (n / scale for n in canvas.surface.get_size())
        canvas.write(self.menu.title, (_MARGIN, _TOP / 2), 52)
        low = height - _BOTTOM / 2
        hints, color = self._hints(), theme.DIM
        if self._notice:
            hints, color = self._notice, theme.READY
        size = canvas.fitting(hints, _SMALL, width - 2 * _MARGIN)
        canvas.write(hints, (_MARGIN, low), size, color)
        room = height - _TOP - _BOTTOM
        if tall:
            half, whole = room / 2, width - 2 * _MARGIN
            self._draw_lines(whole, half)
            box = canvas.box(_MARGIN, _TOP + half, whole, half)
        else:
            half = width / 2 - _MARGIN
            self._draw_lines(half - _MARGIN / 2, room)
            box = canvas.box(_MARGIN / 2 + width / 2, _TOP, half - _MARGIN / 2, room)
        if self._sample is not None:
            self._draw_sample(*self._sample, box)

    def _draw_lines(self, width: float, height: float) -> None:
        """Draws the entries, or those around the selection if they do not all fit."""
        canvas, entries, chosen = self._canvas, self.menu.entries, self.menu.chosen
        fit = max(int(height // _PITCH), 1)
        first = max(min(chosen - fit // 2, len(entries) - fit), 0)
        if fit < len(entries):
            text, place = f"{chosen + 1} / {len(entries)}", (_MARGIN + width, _TOP - 18)
            canvas.write(text, place, _SMALL, theme.DIM, "right")
        for row, number in enumerate(range(first, min(first + fit, len(entries)))):
            box = canvas.box(_MARGIN, _TOP + _PITCH * row, width, _PITCH - 6)
            self.buttons.append((box, number))
            if number == chosen:
                canvas.rect(box, theme.WELL, 6)
                bar = canvas.box(_MARGIN, _TOP + _PITCH * row, 6, _PITCH - 6)
                canvas.rect(bar, theme.READY, 3)
            middle = _TOP + _PITCH * (row + 0.5) - 3
            self._draw_line(entries[number], middle, width)

    def _draw_line(self, entry: Entry, middle: float, width: float) -> None:
        """Draws an entry, with its note at the right end."""
        canvas = self._canvas
        size = canvas.fitting(entry.note, _SMALL, width / 2)
        right = _MARGIN + width - 12, middle
        canvas.write(entry.note, right, size, theme.DIM, "right")
        taken = theme.width(entry.note, round(size * canvas.scale)) / canvas.scale
        size = canvas.fitting(entry.text, 26, width - taken - 48)
        canvas.write(entry.text, (_MARGIN + 18, middle), size)

    def _draw_sample(self, source: Source | None, text: str, box: pygame.Rect) -> None:
        """Draws the picture of a preview, with its text below."""
        canvas = self._canvas
        size = round(_SMALL * canvas.scale)
        step = round(1.3 * size)
        lines = theme.wrap(text, box.width, size)[:_LINES]
        y = box.y
        if source is not None:
            room = box.width, max(box.height - step * (max(len(lines), _USUAL) + 1), 1)
            fitted = layout.fitting(room, source.proportions)
            image = theme.surface_of(source.picture(fitted))
            canvas.surface.blit(pygame.transform.scale(image, fitted), box)
            y += fitted[1] + step
        pixels = Canvas(canvas.surface)
        for number, line in enumerate(lines):
            pixels.write(line, (box.x, y + step * number), size)

    def _hints(self) -> str:
        """Returns the key hints of the menu."""
        hints = [("choose", WORDS["choose"]), ("quit", self.menu.back.lower())]
        hints += [("remove", WORDS["remove"])] if self.menu.entry.file else []
        return self._bindings.hint(*hints)
