"""Plans that reach goals: what to do next, from what is known of the game.

A planner reads a `TaskView` and the monitor of a goal, and says one action at a time.
What it knows is decided by the view alone: that of the game itself, or a memory of
what has been seen. Costs, tools and probabilities come from the rules of the view.

    agents     Oracle and Scout: players that follow a planner; the memory of the map
    planner    the loop: reflexes, needs, and the methods of the goal
    methods    what a goal still asks for, and which method reaches it
    recipes    what making something takes, from the rules
    actor      the moment, as methods read it; what must not be done
    states     how to bring a condition about: where to go, what to build
    survival   what the body lacks and the night demands, and how that is met
    ways       shortest paths, and what a step costs
    moves, gather, combat, building, ground: methods

A method is a generator: it yields one action, sees what came of it, and goes on. It
ends when it is done, and raises `Unsolved` when it cannot go on.
"""

from crafter.games.crafter.planner.planner import Planner
from crafter.tasks.episodes.reasons import Unsolved

__all__ = ["Planner", "Unsolved"]
