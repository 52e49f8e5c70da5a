"""The app: a window for people who play or watch; `crafter.run_gui` puts it together.

- `game`: a game as the app plays it, the base class of the part `app` of a game; and
  what the panel shows at one moment.
- `source`: what the window shows, without a window: a `session` that a person plays,
  a `replay` of a recorded episode, `tasks` for attempts at tasks; and what the player
  has seen and learned.
- `saves`, `settings`: the games that were left and what a person has set, in files.
- `menu`: what the title screen offers.
- `keys`: which key does what, as data, and files that change it.
- `layout`: where picture, panel and messages lie in a window of any size.
- `panel`, `pages`, `map_view`, `tree`, `effects`, `screen`: the drawing, on a `canvas`
  in the colours of `theme`. Only these import pygame, with `menu`, `title` and `app`.
- `clip`: the latest pictures, as a GIF. `best`: the best run of each game.
- `app`: the loop: keys in, steps, pictures out. `title`: that of the title screen.
- `autopilot`: a trained agent that plays. `options`: the command line.
"""
