"""Fixtures for the tests of recording."""

import time

import pytest


@pytest.fixture
def same_second(monkeypatch):
    """Stops the clock that names files."""
    monkeypatch.setattr(time, "strftime", lambda form: "20210913T120000")
