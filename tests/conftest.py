"""Settings and fixtures shared by all tests."""

import gc
import os
import re
import shutil
import signal
import tempfile

import hypothesis
import pytest
from budget import QUICK_COMPILING, examples

# No deadline: no test may fail because the machine is slow. Locally, every run tries
# new random examples, and a failure prints how to reproduce it. In CI the examples are
# fixed, so that a failure comes from the change under test.
hypothesis.settings.register_profile(
    "crafter",
    deadline=None,
    print_blob=True,
    max_examples=examples(100),
    derandomize="CI" in os.environ,
)
# For `--hypothesis-profile long`: no input may take more than a minute.
hypothesis.settings.register_profile(
    "long",
    hypothesis.settings.get_profile("crafter"),
    max_examples=2000,
    deadline=60_000,
    derandomize=False,
)
hypothesis.settings.load_profile("crafter")

pytest.register_assert_rewrite("helpers", "lm_helpers")

# A program run by tests; it has no doctests.
collect_ignore = ["support/purejaxrl_style.py"]

# All processes of a test run share JAX's compilation cache; the next run starts empty.
CACHE = "JAX_COMPILATION_CACHE_DIR"

# Tests that compile, by path. One process runs a whole group, so that each function is
# compiled once; these groups start first, since they take longest. The tests of any
# other file form a group of their own and share its fixtures.
GROUPS = {
    "jax": r"crafter/jax/|functional/|test_jax|_jax\.py",
    "craftax-jax": r"craftax/jax/",
    "numba": r"cpu/|compiled/|_batched\.py|test_benchmark\.py|scoring/test_record\.py",
}
# Docstring examples that compile a program of their own.
SLOW_EXAMPLES = (
    "crafter/games/crafter/jax/env.py::",
    "crafter/functional/vector.py::",
)


def group_of(item):
    """Returns the group of a test."""
    path = item.nodeid.partition("::")[0]
    found = (name for name, paths in GROUPS.items() if re.search(paths, path))
    return next(found, path)


@pytest.hookimpl(tryfirst=True)  # before test selection and pytest-xdist read marks
def pytest_collection_modifyitems(items):
    order = list(GROUPS)
    groups = {item: group_of(item) for item in items}
    for item, name in groups.items():
        item.add_marker(pytest.mark.xdist_group(name))
        if item.nodeid.startswith(SLOW_EXAMPLES):
            item.add_marker(pytest.mark.slow)
    items.sort(key=lambda item: (*order, groups[item]).index(groups[item]))
    gc.freeze()  # Thousands of tests live to the end; scanning them takes time.


@pytest.fixture
def control_c():
    """Restores Ctrl-C, which is ignored in background processes."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def pytest_configure(config):
    # Without pytest-xdist the marker is not registered.
    config.addinivalue_line("markers", "xdist_group(name): tests of one process")
    if CACHE not in os.environ:
        config.jax_cache = os.environ[CACHE] = tempfile.mkdtemp(prefix="jax-")
    if "not slow" in config.option.markexpr:
        os.environ.setdefault("XLA_FLAGS", QUICK_COMPILING)
    # Groups start in the order of `GROUPS`, not by number of tests.
    config.option.loadscopereorder = False


def pytest_unconfigure(config):
    if hasattr(config, "jax_cache"):
        shutil.rmtree(config.jax_cache, ignore_errors=True)
        del os.environ[CACHE]


@pytest.fixture(scope="session")
def synthetic(tmp_path_factory):
    """Folder of a texture pack with many levels of transparency."""
    from reference.textures import write_textures

    return write_textures(tmp_path_factory.mktemp("synthetic"))


@pytest.fixture
def ffmpeg():
    """The module that locates ffmpeg; skipped where it is not installed."""
    return pytest.importorskip("imageio_ffmpeg", reason="needs crafter[video]")


@pytest.fixture
def pygame(monkeypatch, tmp_path):
    """Pygame with a dummy display and an empty user folder."""
    monkeypatch.setenv("CRAFTER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    module = pytest.importorskip("pygame")
    yield module
    module.quit()


@pytest.fixture
def drive(pygame):
    """Factory of app windows, which are all closed at the end."""
    from windows import Driver

    drivers = []

    def open_driver(*argv, **options):
        drivers.append(Driver(*argv, **options))
        return drivers[-1]

    yield open_driver
    for driver in drivers:
        driver.source.close()
