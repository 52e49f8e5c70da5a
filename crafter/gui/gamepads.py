"""Gamepads: directions and buttons act as keys."""

import contextlib

import pygame

from crafter.gui.keys import PADS, PLACES

_PUSHED, _RELEASED = 0.6, 0.4  # stick deflections: pressed above, released below


class Pads:
    """Gamepad input; starts `pygame.joystick`. Other events pass unchanged."""

    def __init__(self) -> None:
        self._open: dict[int, pygame.joystick.JoystickType] = {}
        self._sticks: dict[int, list[float]] = {}
        self._held: dict[tuple[int, int | str], str] = {}  # (pad, control) -> key
        with contextlib.suppress(pygame.error):
            pygame.joystick.init()
            for number in range(pygame.joystick.get_count()):
                self._add(number)

    def keys(self, event: pygame.event.Event) -> list[pygame.event.Event]:
        """Returns the event itself, or key events for a gamepad event."""
        pad, key = getattr(event, "instance_id", 0), None
        if event.type == pygame.JOYDEVICEADDED:
            self._add(event.device_index)
        elif event.type == pygame.JOYDEVICEREMOVED:
            parts = [part for part in self._held if part[0] == pad]
            return [up for part in parts for up in self._change(part, None)]
        elif event.type in (pygame.JOYBUTTONDOWN, pygame.JOYBUTTONUP):
            hats = pad not in self._open or self._open[pad].get_numhats()
            buttons = PADS["hat" if hats else "no hat"]
            if event.type == pygame.JOYBUTTONDOWN and event.button < len(buttons):
                key = buttons[event.button]
            return self._change((pad, event.button), key)
        elif event.type == pygame.JOYHATMOTION:
            x, y = event.value
            return self._change((pad, "hat"), _direction(x, -y, _PUSHED))
        elif event.type == pygame.JOYAXISMOTION and event.axis < 2:
            stick = self._sticks.setdefault(pad, [0, 0])
            stick[event.axis] = event.value
            least = _RELEASED if (pad, "stick") in self._held else _PUSHED
            return self._change((pad, "stick"), _direction(stick[0], stick[1], least))
        elif event.type != pygame.JOYAXISMOTION:
            return [event]
        return []

    def _add(self, number: int) -> None:
        """Opens a gamepad by its device index."""
        with contextlib.suppress(pygame.error):
            pad = pygame.joystick.Joystick(number)
            self._open[pad.get_instance_id()] = pad

    def _change(
        self, part: tuple[int, int | str], key: str | None
    ) -> list[pygame.event.Event]:
        """Returns the key events after which a control holds a key, or none."""
        before = self._held.pop(part, None)
        if key:
            self._held[part] = key
        changes = (pygame.KEYUP, before), (pygame.KEYDOWN, key)
        return [
            pygame.event.Event(kind, scancode=PLACES[name])
            for kind, name in changes
            if name and key != before
        ]


def _direction(x: float, y: float, least: float) -> str | None:
    """Returns the arrow key of the larger axis, if that exceeds `least`."""
    if max(abs(x), abs(y)) < least:
        return None
    if abs(x) > abs(y):
        return "right" if x > 0 else "left"
    return "down" if y > 0 else "up"
