"""Sounds of events."""

import numpy as np
import pytest

from crafter.gui import sounds

PLAY = ["--area", "24", "24", "--seed", "4", "--wait", "--sound"]


@pytest.mark.parametrize("name", sounds.TABLE)
def test_sounds_begin_and_end_softly(name):
    wave = sounds.wave(**sounds.TABLE[name])
    assert wave.dtype == np.int16 and wave.ndim == 1
    assert 5000 < abs(wave).max() < 12000
    assert abs(wave[-5:]).max() < 100


@pytest.mark.parametrize("game", ["crafter", "craftax"])
def test_what_happens_is_heard(pygame, drive, monkeypatch, game):
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    driver = drive(*PLAY[3 * (game == "craftax") :], "--game", game)
    assert pygame.mixer.get_init()
    heard, play = [], driver.app._sounds.play
    monkeypatch.setattr(driver.app._sounds, "play", lambda x: heard.append(play(x)))
    driver.press("4" if game == "craftax" else "1")  # a pickaxe, of nothing
    assert driver.source.happened == {"rejected"} and heard == ["rejected"]
    assert play({"rejected", "hurt", "moved"}) == "hurt"  # the most urgent
    assert play({"moved"}) is None


def test_without_a_device_the_game_is_silent_and_says_so(pygame, drive, monkeypatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "none such")
    driver = drive(*PLAY)
    driver.press("1")
    assert any("No sound" in text for _, text in driver.app.history)
