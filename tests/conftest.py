"""Settings that all tests share."""

import hypothesis
import pytest

# No test asserts a time, so none may fail on a slow machine for being slow. Every
# example runs in a fresh random world; a failure prints how to repeat it.
hypothesis.settings.register_profile("crafter", deadline=None, print_blob=True)
hypothesis.settings.load_profile("crafter")

pytest.register_assert_rewrite("helpers")
