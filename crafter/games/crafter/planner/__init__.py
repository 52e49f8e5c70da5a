"""Planner for goals: chooses one action at a time from what is known of the game.

A planner reads a `TaskView` and the monitor of a goal. The view determines what it
knows: the whole game, or a memory of what has been seen. Costs, tools and
probabilities come from the rules.

    agents     Oracle and Scout, and the memory of the map
    planner    the loop: reflexes, needs, and the methods of the goal
    methods    open subgoals, and the method for each
    recipes    prerequisites of items, from the rules
    actor      the state that methods read; forbidden actions
    states     how to establish a condition: where to go, what to build
    survival   needs of the body and the night, and how they are met
    pathfinding  shortest paths, and the cost of a step
    moves, gather, combat, building, ground: methods

A method is a generator that yields one action per step. It returns when it is done and
raises `Unsolved` when it cannot continue.
"""

from crafter.games.crafter.planner.planner import Planner
from crafter.tasks.episodes.reasons import Unsolved

__all__ = ["Planner", "Unsolved"]
