"""The pictures of both games as readable files, and the code that draws them.

Every folder beside this file holds the pictures of one game:

- `colours.yaml`: colour name to `"#rrggbb"`;
- `set.yaml`: which files there are, in which order, and on which game they build;
- the files, each with named drawings of 16x16 pixels.

A file may have these parts:

- `keys`: name to key. A key gives characters the names of colours.
- `rgb`: the pictures that are written without transparency.
- `reuse`: pictures of the other game that belong to this one as well.
- `parts`: drawings that others use and that are not written.
- `pictures`: file stem to drawing.

A drawing is a list of steps, or a single one. Each step works on what the steps before
it have drawn; the first finds a transparent square.

| step | what it does |
|---|---|
| `fill: colour` | fills the square |
| `speckle: {colour, count, seed}` | scatters single pixels |
| `rows: text`, `key: key or its name`, `at: places` | draws rows of characters |
| `picture: name` | draws another picture or part on top |
| `behind: name` | draws another picture or part below |
| `cut: name` | makes transparent what another picture or part covers |
| `recolour: {old: new}` | replaces colours |
| `outline: {colour, width}` | surrounds what is not transparent |
| `mirror: true` | swaps left and right |
| `turn: count` | turns by quarters, anticlockwise |

In rows a dot is transparent. `at` lists the (column, row) places of a small pattern,
which wraps around the edges, so that grounds are seamless.

The games draw by nearest-neighbour sampling, so that a small observation shows only
some rows and columns of a picture. Of 16 these are
1 3 5 7 10 12 14 in a cell of 7 pixels and 0 2 4 5 7 8 10 12 13 15 in one of 10;
1 4 8 11 14 in an icon of 5 pixels and 1 3 5 7 9 11 13 15 in one of 8;
2 6 10 14 in a number of 4. What tells two pictures apart lies on those lines.
A number covers the lower right of an icon, so tools run from the lower left to the
upper right.
"""

from textures.book import GAMES, Book

__all__ = ["GAMES", "Book"]
