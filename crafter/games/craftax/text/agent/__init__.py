"""Scripted agent of Craftax, from the JSON observation alone.

Contents:

- `descender`: `Descender`; what it does next, by priority.
- `delver`: how it goes down in a long game, with patience.
- `guard`, `foresight`: what is safe, and what the next steps may bring.
- `belief`: the world as far as it was told.
- `outlook`: one moment of that, ways through it, and how to use and place things.
- `wishes`: what could be done now, and how much it is wanted.
- `survey`: where most that is new can be seen.
"""
