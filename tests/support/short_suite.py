"""Scenes of a short task on a small map, for suite tests."""

from crafter.games.crafter.tasks.scenes.scene import Scene


def scene(index, task="place_stone.within(12)"):
    """Returns one of the scenes."""
    return Scene(
        task=task,
        level="simple",
        split="mine",
        index=index,
        world_seed=index,
        inventory={"stone": 3},
        clock=0,
        area=(16, 16),
        dynamics_seed=index,
    )
