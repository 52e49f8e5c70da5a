"""The parts of the window for people; `crafter.run_gui` puts them together.

- `game`: what the window has to know of a game. `of_crafter` says it of Crafter;
  `of_craftax` of Craftax, with `craftax_words`, `craftax_panel` and `craftax_possible`.
- `games`: the games there are; `make_crafter` and `make_craftax` make their
  environments.
- `words`, `charts`: what the sentences and the maps of all games share.
- `memory`: what a player has seen and learned, for the map and the panel.
- `session`: a game that a person plays. Knows nothing of windows.
- `replay`: a recorded episode that is played back, with the same interface; `rerun`
  plays its game again, to show it at any size.
- `status`: what the side panel tells about one moment of either.
- `keys`: which key does what, as data; `keyfile` reads changes of it.
- `layout`: where picture, panel and messages lie in a window of any size.
- `panel` (with `canvas`, `sky` and `slots`), `cards`, `help_view`, `menu_view`,
  `map_view`, `screen`: the drawing, with `ink` and `surfaces`. The only modules that
  import pygame, with `keyboard` and the next.
- `app`: the loop: keys in, steps, pictures out; `game_app` for games, `replay_app` for
  replays.
- `options`: the command line.
"""
