"""The app: a window to play or watch a game; `crafter.run_gui` is its entry point.

- `game`: the game interface (base class of each game's `app` adapter) and the
  contents of the side panel.
- `source`: what the window shows, independent of pygame: a `session` played by a
  person, a `replay` of a recorded episode, or task attempts (`tasks`). Also the
  memory of what the player has seen and learned.
- `saves`, `settings`: saved games and user settings, as files.
- `menu`: menus of the title screen.
- `keys`: key bindings as data, and files that change them.
- `layout`: position of picture, panel and messages in a window of any size.
- `panel`, `pages`, `map_view`, `tree`, `effects`, `screen`: drawing on a `canvas`
  in the colours of `theme`. Only these, `menu`, `title` and `app` import pygame.
- `clip`: recent frames as a GIF. `best_runs`: best run of each game.
- `app`: the main loop: input, steps, drawing. `title`: the loop of the title screen.
- `autopilot`: a trained agent that plays. `options`: the command line.
"""
