"""Sharding of game batches over several devices.

A game depends on its key and its actions, never on the other games. So the results are
the same on any number of devices, and devices need not synchronize.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

_AXIS = "games"


def make_mesh(num_envs: int, devices: Sequence[jax.Device] | None = None) -> Mesh:
    """Returns the mesh of the devices that share a batch.

    Args:
      num_envs: Number of games.
      devices: The devices; by default, as many devices of this process as allow equal
        shares.

    Raises:
      ValueError: If the devices cannot have equal shares.
    """
    if devices is None:
        local = jax.local_devices()
        devices = local[: math.gcd(num_envs, len(local))]
    if not devices or num_envs % len(devices):
        raise ValueError(
            f"Expected num_envs that {len(devices)} devices can share equally, got "
            f"{num_envs}."
        )
    return Mesh(np.array(devices), (_AXIS,))


def shared(mesh: Mesh, axis: int = 0) -> NamedSharding:
    """Returns the sharding of arrays along an axis of games."""
    return NamedSharding(mesh, P(*[None] * axis, _AXIS))


def everywhere(mesh: Mesh) -> NamedSharding:
    """Returns the sharding of replicated arrays."""
    return NamedSharding(mesh, P())


def spread(
    function: Callable[..., Any], mesh: Mesh, in_axes: Sequence[int | None]
) -> Callable[..., Any]:
    """Maps a batched function over devices, without communication between them.

    Args:
      function: A function of batches, such as from `vmap`; its results have games as
        their first axis.
      mesh: The devices.
      in_axes: As for `vmap`, an entry per argument: 0 for a batch, `None` for a value
        shared by all games.
    """
    if mesh.size == 1:
        return function
    specs = tuple(P() if axis is None else P(_AXIS) for axis in in_axes)
    return jax.shard_map(
        function, mesh=mesh, in_specs=specs, out_specs=P(_AXIS), check_vma=False
    )
