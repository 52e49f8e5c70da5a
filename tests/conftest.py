"""Settings that all tests share."""

import os
import shutil
import signal
import tempfile

import hypothesis
import pytest

# No test asserts a time, so none may fail on a slow machine for being slow. Every
# example runs in a fresh random world; a failure prints how to repeat it.
hypothesis.settings.register_profile("crafter", deadline=None, print_blob=True)
hypothesis.settings.load_profile("crafter")

pytest.register_assert_rewrite("helpers")

# A program that tests run; it has no doctests.
collect_ignore = ["purejaxrl_style.py"]

# What JAX compiled serves all processes of a run; it is not kept for the next one.
CACHE = "JAX_COMPILATION_CACHE_DIR"


@pytest.fixture
def control_c():
    """Lets Ctrl-C act as in the foreground; in the background it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_configure(config):
    if CACHE not in os.environ:
        config.jax_cache = os.environ[CACHE] = tempfile.mkdtemp(prefix="jax-")


def pytest_unconfigure(config):
    if hasattr(config, "jax_cache"):
        shutil.rmtree(config.jax_cache, ignore_errors=True)
        del os.environ[CACHE]
