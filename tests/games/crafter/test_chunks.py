"""Non-square chunks cover the map without gaps."""

from crafter.games.crafter.chunks import ChunkGrid, cell_numbers


def test_each_cell_lies_in_the_bounds_of_its_chunk():
    area, size = (13, 10), (5, 3)
    grid = ChunkGrid(area, size)
    assert (grid.columns, grid.rows, grid.count) == (3, 4, 12)
    cells = [(x, y) for x in range(area[0]) for y in range(area[1])]
    for (x, y), number in zip(cells, cell_numbers(area, size), strict=True):
        xmin, xmax, ymin, ymax = grid.bounds(number)
        assert grid.number(x, y) == number
        assert xmin <= x < xmax <= area[0] and ymin <= y < ymax <= area[1]
        assert xmax - xmin <= size[0] and ymax - ymin <= size[1]
