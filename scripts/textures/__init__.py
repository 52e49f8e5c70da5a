"""The textures of both games as readable text files, and the code that draws them.

Every folder beside this file holds the textures of one game:

- `colours.yaml`: colour name to `"#rrggbb"`;
- `set.yaml`: the list of files in order, and the game that it extends;
- the files, each with named drawings of 16x16 pixels.

A file may have these parts:

- `keys`: name to key. A key gives characters the names of colours.
- `rgb`: pictures written without an alpha channel.
- `reuse`: pictures taken over from the other game.
- `parts`: drawings that others use and that are not written.
- `pictures`: file stem to drawing.

A drawing is a list of steps, or a single one. Each step works on the result of those
before it; the first starts from a transparent square.

| step | what it does |
|---|---|
| `fill: colour` | fills the square |
| `speckle: {colour, count, seed}` | scatters single pixels |
| `rows: text`, `key: key or its name`, `at: places` | draws rows of characters |
| `picture: name` | draws another picture or part on top |
| `behind: name` | draws another picture or part below |
| `cut: name` | clears the pixels that another picture or part covers |
| `recolour: {old: new}` | replaces colours |
| `outline: {colour, width}` | outlines the opaque pixels |
| `mirror: true` | flips left and right |
| `turn: count` | rotates by quarter turns, anticlockwise |

In rows a dot is transparent. `at` lists the (column, row) positions of a small pattern,
which wraps around the edges, so that ground tiles are seamless.

The games scale by nearest-neighbour sampling, so a small observation shows only some
rows and columns of a picture. Of 16 these are
1 3 5 7 10 12 14 in a cell of 7 pixels and 0 2 4 5 7 8 10 12 13 15 in one of 10;
1 4 8 11 14 in an icon of 5 pixels and 1 3 5 7 9 11 13 15 in one of 8;
2 6 10 14 in a digit of 4. Details that distinguish pictures lie on those lines.
A digit covers the lower right of an icon, so tools run from the lower left to the
upper right.
"""

from textures.book import GAMES, Book

__all__ = ["GAMES", "Book"]
