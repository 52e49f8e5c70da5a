"""Parts of pictures in JAX that games share."""

import numpy as np
import pytest

pytest.importorskip("jax", reason="needs the extra 'jax'")

from crafter.functional.pictures import as_floats, grey_noise


def test_floats_are_shares_of_255():
    shares = np.asarray(as_floats(np.arange(256, dtype=np.uint8)))
    np.testing.assert_allclose(shares, np.arange(256) / 255, rtol=1e-6)


def test_noise_belongs_to_its_seed():
    first, again, other = (
        np.asarray(grey_noise(np.uint32(seed), (40, 30), 32, 127)) for seed in (1, 1, 2)
    )
    assert first.shape == (40, 30) and first.min() >= 32 and first.max() < 127
    assert (first == again).all() and (first != other).mean() > 0.99
