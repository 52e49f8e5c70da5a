"""Running means and variances."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Moments(NamedTuple):
    """Mean and variance of all values so far.

    Attributes:
        number: How many values, float32.
        mean: Their mean, (...).
        var: Their variance, (...).
    """

    number: jax.Array
    mean: jax.Array
    var: jax.Array


def empty(shape: tuple[int, ...] = ()) -> Moments:
    """Returns moments of no values, with a variance of 1."""
    return Moments(jnp.zeros(()), jnp.zeros(shape), jnp.ones(shape))


def add(moments: Moments, values: Any) -> Moments:
    """Returns moments with more values, which have axes in front of their shape.

    Source: Chan et al. 1979, "Updating Formulae and a Pairwise Algorithm for Computing
    Sample Variances".
    """
    axes = tuple(range(values.ndim - moments.mean.ndim))
    more = values.size // max(1, moments.mean.size)
    mean, var = values.mean(axes), values.var(axes)
    number = moments.number + more
    share, apart = more / number, mean - moments.mean
    spread = moments.var * (1 - share) + var * share
    return Moments(
        number,
        moments.mean + apart * share,
        spread + apart**2 * share * (1 - share),
    )
