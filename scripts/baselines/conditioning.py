"""Shared code for training agents on Crafter's tasks: the network and its file.

All agents have the same network, a GRU: its input is the observation `symbolic`,
followed by the encoded task; see `crafter.tasks.episodes.conditioning`.
"""

import json
import pathlib
from collections.abc import Mapping
from typing import Any

import export_agent
import jax
import jax.numpy as jnp
import numpy as np
from training.run import Run

from baselines import games, networks, ppo
from crafter.core.version import __version__
from crafter.games.crafter import sprites
from crafter.games.crafter.rules import default
from crafter.games.crafter.views import split_view
from crafter.tasks import Task
from crafter.tasks.episodes import conditioning
from crafter.tasks.episodes.conditioning import SIZE

NETWORK = networks.KINDS["gru"]
OBSERVATION = "symbolic"


def symbolic(compact: jax.Array) -> jax.Array:
    """Converts `compact` observations, uint8, to `symbolic` ones, (..., n)."""
    rules = default()
    (columns, rows), _ = split_view((9, 9), len(rules.items))
    cells, items = columns * rows, len(rules.items)
    materials, codes, amounts, facing, rest = jnp.split(
        compact, np.cumsum([cells, cells, items, 1]), -1
    )
    kinds = max(sprites.CODES.values())
    limits = np.array([item["max"] for item in rules.items.values()], np.float32)
    parts = [
        jax.nn.one_hot(materials, len(rules.materials) + 1),
        jax.nn.one_hot(codes, kinds + 1)[..., 1:],
        amounts / np.maximum(limits, 1),
        jax.nn.one_hot(facing, len(sprites.FACINGS)),
        rest / np.array([1, 255], np.float32),
    ]
    lead = compact.shape[:-1]
    return jnp.concatenate([part.reshape(*lead, -1) for part in parts], -1)


def make_weights(seed: int, width: int) -> networks.Weights:
    """Returns initial weights of an agent."""
    seen = jax.eval_shape(symbolic, jnp.zeros(145, jnp.uint8)).shape[-1]
    key, actions = jax.random.key(seed), len(default().actions)
    return NETWORK.init(key, (seen + SIZE,), actions, width)


def said_of(name: str, kind: str) -> np.ndarray:
    """Returns all task encodings of a kind used in training, (n, SIZE).

    Args:
        name: The task.
        kind: `nothing`, `sentence` or `tree`.
    """
    task = Task(name)
    if kind == "sentence":
        return np.stack(
            [
                conditioning.bag(conditioning.words_of(t))
                for t in conditioning.wordings(task)
            ]
        )
    return conditioning.bag(conditioning.nodes_of(task) if kind == "tree" else [])[None]


def inputs(compact: jax.Array, words: jax.Array) -> jax.Array:
    """Returns the network inputs, (..., inputs).

    Args:
        compact: Observations, as `compact`.
        words: Task encodings, (..., SIZE).
    """
    return jnp.concatenate([symbolic(compact), words], -1)


def begin(run: Run, args: Any) -> tuple[Any, int, Any]:
    """Starts training, or resumes it from its checkpoint.

    Returns:
        The optimizer, the number of steps done, and the weights with its state.
    """
    optimizer = ppo.make_optimizer(args)
    net = make_weights(args.seed, args.width)
    learned = net, optimizer.init(net)
    arrays = run.load()
    if arrays is None:
        run.save({"steps": 0, **games.packed("leaf", learned)})
        return optimizer, 0, learned
    return optimizer, int(arrays["steps"]), games.unpacked("leaf", arrays, learned)


def keep(run: Run, steps: int, learned: Any, references: Any = None) -> None:
    """Saves the agent and the checkpoint of a run; see `begin` and `save`."""
    path, settings = run.folder / "policy.npz", {**run.settings, "trained": steps}
    save(path, learned[0], settings, references)
    run.save({"steps": steps, **games.packed("leaf", learned)})


def save(
    path: pathlib.Path,
    net: networks.Weights,
    settings: Mapping[str, Any],
    references: Mapping[str, np.ndarray] | None = None,
) -> None:
    """Saves an agent to a file for `crafter.load_agent`.

    Args:
        path: The file.
        net: Its weights.
        settings: Settings of the run; `told` is one of `conditioning.KINDS`.
        references: Task -> its encoding, if these are recordings.
    """
    references = references or {}
    about = {
        "game": "crafter",
        "observation": OBSERVATION,
        "setup": "published",
        "digest": default().digest,
        "activation": "tanh",
        "told": {"kind": settings["told"], "size": SIZE},
        "references": list(references),
        "crafter": __version__,
        "settings": {name: value for name, value in settings.items() if value},
    }
    arrays: dict[str, Any] = export_agent.acting(net)
    if references:
        arrays["references"] = np.stack([*references.values()]).astype(np.float16)
    with path.open("wb") as file:
        np.savez_compressed(file, **{**arrays, "about": json.dumps(about, default=str)})
