"""Settings that all tests share."""

import gc
import os
import re
import shutil
import signal
import tempfile

import hypothesis
import pytest
from budget import QUICK_COMPILING, examples

# No test asserts a time, so none may fail on a slow machine for being slow. Every
# example runs in a fresh random world; a failure prints how to repeat it. A build
# server tries the same examples each time, so that what it says is about the change.
hypothesis.settings.register_profile(
    "crafter",
    deadline=None,
    print_blob=True,
    max_examples=examples(100),
    derandomize="CI" in os.environ,
)
# For `--hypothesis-profile long`: a minute is more than any input may take.
hypothesis.settings.register_profile(
    "long",
    hypothesis.settings.get_profile("crafter"),
    max_examples=2000,
    deadline=60_000,
    derandomize=False,
)
hypothesis.settings.load_profile("crafter")

pytest.register_assert_rewrite("helpers", "lm_helpers")

# A program that tests run; it has no doctests.
collect_ignore = ["support/purejaxrl_style.py"]

# What JAX compiled serves all processes of a run; it is not kept for the next one.
CACHE = "JAX_COMPILATION_CACHE_DIR"

# What tests compile, and where they are. One process runs all of a group, so that each
# function is compiled once; groups start first, since they take longest. The tests of
# any other file are a group of their own and share what the file keeps.
GROUPS = {
    "jax": r"crafter/jax/|functional/|test_jax|_jax\.py",
    "craftax-jax": r"craftax/jax/",
    "numba": r"cpu/|compiled/|_batched\.py|test_benchmark\.py|scoring/test_record\.py",
}
# Examples in docstrings that compile a program of their own.
SLOW_EXAMPLES = (
    "crafter/games/crafter/jax/env.py::",
    "crafter/functional/vector.py::",
)


def group_of(item):
    """Returns the group of a test."""
    path = item.nodeid.partition("::")[0]
    found = (name for name, paths in GROUPS.items() if re.search(paths, path))
    return next(found, path)


@pytest.hookimpl(tryfirst=True)  # What selects tests and pytest-xdist read the marks.
def pytest_collection_modifyitems(items):
    order = list(GROUPS)
    groups = {item: group_of(item) for item in items}
    for item, name in groups.items():
        item.add_marker(pytest.mark.xdist_group(name))
        if item.nodeid.startswith(SLOW_EXAMPLES):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: (*order, groups[item]).index(groups[item]))
    gc.freeze()  # Thousands of tests live to the end; looking through them takes time.


@pytest.fixture
def control_c():
    """Lets Ctrl-C act as in the foreground; in the background it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_configure(config):
    # Without pytest-xdist nobody else says so.
    config.addinivalue_line("markers", "xdist_group(name): tests of one process")
    if CACHE not in os.environ:
        config.jax_cache = os.environ[CACHE] = tempfile.mkdtemp(prefix="jax-")
    if "not slow" in config.option.markexpr:
        os.environ.setdefault("XLA_FLAGS", QUICK_COMPILING)
    # Groups start in the order below, not those of many tests first.
    config.option.loadscopereorder = False


def pytest_unconfigure(config):
    if hasattr(config, "jax_cache"):
        shutil.rmtree(config.jax_cache, ignore_errors=True)
        del os.environ[CACHE]


@pytest.fixture(scope="session")
def synthetic(tmp_path_factory):
    """A folder of textures with many levels of transparency."""
    from reference.textures import write_textures

    return write_textures(tmp_path_factory.mktemp("synthetic"))


@pytest.fixture
def ffmpeg():
    """The module that brings ffmpeg; the bare install does without videos."""
    return pytest.importorskip("imageio_ffmpeg", reason="needs crafter[video]")


@pytest.fixture
def pygame(monkeypatch, tmp_path):
    """Return pygame, with windows that nobody sees, and nothing kept of a person."""
    monkeypatch.setenv("CRAFTER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    module = pytest.importorskip("pygame")
    yield module
    module.quit()


@pytest.fixture
def drive(pygame):
    """Return a function that opens a window; all are closed in the end."""
    from windows import Driver

    drivers = []

    def open_driver(*argv, **options):
        drivers.append(Driver(*argv, **options))
        return drivers[-1]

    yield open_driver
    for driver in drivers:
        driver.source.close()
