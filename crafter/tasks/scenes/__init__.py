"""Scenes: where an attempt begins.

A scene is a start of the ordinary game: a generated world, turned and edited, with a
player and what it has. `draw` makes those of a task, `read` and `write` keep them in
files.
"""

from crafter.tasks.scenes.generator import check, draw, split_size
from crafter.tasks.scenes.packs import check_name, read, write
from crafter.tasks.scenes.scene import VERSION, Scene, SceneError
from crafter.tasks.scenes.settings import Settings, settings_of

__all__ = [
    "VERSION",
    "Scene",
    "SceneError",
    "Settings",
    "check",
    "check_name",
    "draw",
    "read",
    "settings_of",
    "split_size",
    "write",
]
