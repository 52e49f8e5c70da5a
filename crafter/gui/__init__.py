"""The app: a window for people who play or watch; `crafter.run_gui` puts it together.

- `game`: a game as the app plays it, the base class of the part `app` of a game;
  `map_tiles` and `sentences` are what several games use in it.
- `session`: a game that a person plays. Knows nothing of windows. `task_session`:
  attempts at a task. `memory`: what the player has seen and learned.
- `replay`: a recorded episode that is played back, with the same interface; `rerun`
  plays its game again, to show it at any size; `task_replay` for attempts at tasks.
- `status`: what the panel shows of one moment of any of these.
- `keys`: which key does what, as data; `keyfile` reads changes of it.
- `layout`: where picture, panel and messages lie in a window of any size.
- `panel` (with `canvas`, `sky` and `inventory_grid`), `banner`, `dialogs`, `help_view`,
  `menu_view`, `map_view`, `screen`: the drawing, with `theme`. The only modules that
  import pygame, with `keyboard` and the next.
- `app`: the loop: keys in, steps, pictures out; `game_app` for games, `replay_app` for
  replays.
- `options`: the command line.
"""
