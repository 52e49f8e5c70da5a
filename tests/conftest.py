"""Settings that all tests share."""

import os

import hypothesis
import pytest

# With few cores, computations that JAX runs side by side can wait for each other's threads
# for ever. Processes that tests start inherit this.
os.environ.setdefault("JAX_CPU_ENABLE_ASYNC_DISPATCH", "0")

# No test asserts a time, so none may fail on a slow machine for being slow. Every
# example runs in a fresh random world; a failure prints how to repeat it.
hypothesis.settings.register_profile("crafter", deadline=None, print_blob=True)
hypothesis.settings.load_profile("crafter")

pytest.register_assert_rewrite("helpers")
