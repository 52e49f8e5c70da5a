"""Sounds of events, synthesised and played by the mixer."""

from __future__ import annotations

import pathlib
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pygame

from crafter.core import ruleset

_RATE = 22050  # samples per second
_LOUDEST = 8000  # of 32,767
#: Event type -> `pitches` and `seconds`, the most urgent first.
TABLE: Mapping[str, Mapping] = ruleset.read(pathlib.Path(__file__).with_suffix(".yaml"))


class Sounds:
    """Sounds of a game.

    Attributes:
      problem: Why sound is unavailable, or ''.
    """

    def __init__(self) -> None:
        self.problem = ""
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        try:
            pygame.mixer.init(_RATE, -16, 1, allowedchanges=0)
        except pygame.error as error:
            self.problem = str(error)
            return
        for name, row in TABLE.items():
            self._sounds[name] = pygame.mixer.Sound(buffer=wave(**row).tobytes())

    def play(self, happened: Collection[str]) -> str | None:
        """Plays the sound of the most urgent event type; returns that type."""
        first = next((name for name in self._sounds if name in happened), None)
        if first is not None:
            self._sounds[first].play()
        return first


def wave(pitches: Sequence[float], seconds: float) -> np.ndarray:
    """Returns a sound gliding between pitches (Hz) with a fade, int16 (samples,)."""
    part = np.linspace(0, 1, int(_RATE * seconds))
    pitch = np.interp(part, np.linspace(0, 1, len(pitches)), pitches)
    phase = 2 * np.pi * np.cumsum(pitch) / _RATE
    sound = np.sin(phase) + np.sin(3 * phase) / 4
    return (_LOUDEST * (1 - part) ** 2 * sound).astype(np.int16)
