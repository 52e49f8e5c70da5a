"""The parts of the window for people; `crafter.run_gui` puts them together.

- `session`: a game that a person plays. Knows nothing of windows.
- `replay`: a recorded episode that is played back, with the same interface.
- `status`: what the side panel tells about one moment of either.
- `keys`: which key does what, as data.
- `layout`: where picture and panel lie in a window of any size.
- `panel`, `screen`: the drawing. The only modules, with `app`, that import pygame.
- `app`: the loop: keys in, steps, pictures out.
"""
