"""App windows with keyboard, mouse and gamepads driven by tests."""

import numpy as np

from crafter import run_gui
from crafter.gui import keys, settings
from crafter.gui.options import chooses

#: Options of a small world and of a Craftax one, with a step per tick.
SMALL = ["--area", "24", "24", "--seed", "4", "--fps", "60"]
CRAFTAX = ["--game", "craftax", "--seed", "3", "--fps", "60"]


def key_event(pygame, kind, key, place=None):
    """Return a keyboard event, with key names as in `crafter.gui.keys`.

    Args:
      pygame: The pygame module.
      kind: `KEYDOWN` or `KEYUP`.
      key: Name printed on the key.
      place: Its position as a key of a US keyboard; by default the key itself.
    """
    scancode = keys.PLACES.get(key if place is None else place, 0)
    code = pygame.key.key_code(key)
    return pygame.event.Event(getattr(pygame, kind), key=code, scancode=scancode)


def same_state(first, second):
    """Return whether two states are equal."""
    assert first.keys() == second.keys()
    return all(np.array_equal(first[name], second[name]) for name in first)


class Window:
    """A window whose keyboard and mouse a test drives.

    Attributes:
      usual: Ticks of the loop after a key or a click.
    """

    usual = 1

    def press(self, *names, ticks=None):
        """Press keys one after the other, with ticks of the loop after each."""
        import pygame

        for key in names:
            pygame.event.post(key_event(pygame, "KEYDOWN", key))
            pygame.event.post(key_event(pygame, "KEYUP", key))
            self.tick(self.usual if ticks is None else ticks)

    def post(self, name, **values):
        """Post an event by its pygame name, and run the loop."""
        import pygame

        pygame.event.post(pygame.event.Event(getattr(pygame, name), **values))
        self.tick(self.usual)

    def click(self, place):
        """Click at a position (x, y) in the window."""
        self.post("MOUSEBUTTONDOWN", pos=place, button=1)

    def shown(self):
        """Return the content of the window, uint8 of shape (height, width, 3)."""
        import pygame

        return pygame.surfarray.array3d(pygame.display.get_surface()).swapaxes(0, 1)


class Driver(Window):
    """The window of a game or a replay.

    Args:
      *argv: Command line arguments.
        nonstop: Whether the game starts at once.
    """

    def __init__(self, *argv, nonstop=True):
        wanted = [*argv, *(["--nonstop"] if nonstop else [])]
        program = run_gui.Program(run_gui.make_parser().parse_args(wanted))
        program.open({})
        self.app, self.source = program.app, program.app.source
        self.app.draw()

    @property
    def env(self):
        return self.source.env.unwrapped

    @property
    def step(self):
        return self.source.status().step

    def tick(self, count=1):
        for _ in range(count):
            self.app.tick()

    def click_on(self, what):
        """Click on a panel slot by name, a menu action or a floor."""
        buttons = self.app.screen.buttons
        box = next(
            box for box, it in buttons if what in (it, getattr(it, "name", None))
        )
        self.click(box.center)

    def messages(self):
        """Return the messages in the window."""
        return list(self.app._notices)

    def _part(self, name):
        x, y, width, height = getattr(self.app.screen.places, name)
        return self.shown()[y : y + height, x : x + width]

    def picture(self):
        """Return the game part of the window."""
        return self._part("picture")

    def strip(self):
        """Return the message part of the window."""
        return self._part("strip")

    def panel(self):
        """Return the side panel of the window."""
        return self._part("panel")


class Program(Window):
    """The whole app as users start it, from the title screen.

    Args:
      *argv: Command line arguments.
    """

    usual = 2  # The second one draws the preview beside a menu.

    def __init__(self, *argv):
        parser = run_gui.make_parser()
        parser.set_defaults(**settings.read())
        given = parser.parse_args(argv)
        self._program = run_gui.Program(given)
        self._program.open({} if chooses(given) else None)
        self.tick(2)

    @property
    def app(self):
        """The current screen; `None` at the end."""
        return self._program.app

    @property
    def on_title(self):
        return hasattr(self.app, "menus")

    def tick(self, count=1):
        for _ in range(count):
            if self.app is not None:
                self.app.tick()
            if self.app is not None and not self.app.running:
                self.app.leave()
                self._program.follow()
