"""Layout of picture, panel and messages."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from crafter.gui import layout

sides = st.integers(18, 2000)
sizes = st.tuples(sides, sides)


def overlap(first, second):
    (x1, y1, w1, h1), (x2, y2, w2, h2) = first, second
    return x1 < x2 + w2 and x2 < x1 + w1 and y1 < y2 + h2 and y2 < y1 + h1


def test_panel_comes_beside_the_picture_of_the_published_window():
    frame = layout.Frame((600, 600))
    assert frame.size == (900, 666)
    assert frame.arrange(frame.size) == layout.Layout(
        (0, 0, 600, 600), (600, 0, 300, 600), (0, 600, 900, 66), 1.0
    )
    places = frame.arrange((600, 1400))  # tall: it goes below
    assert places.picture[2] == 600 and places.panel[1] > places.strip[1]


@given(sizes)
def test_picture_has_exactly_its_size_in_a_window_made_for_it(picture):
    frame = layout.Frame(picture)
    places = frame.arrange(frame.size)
    assert places.picture[2:] == picture


@given(sizes, sizes)
def test_everything_lies_in_the_window_without_overlap(window, picture):
    places = layout.Frame(picture).arrange(window)
    parts = places.picture, places.panel, places.strip
    for x, y, width, height in parts:
        # Rounding may cost a pixel.
        assert x >= -1 and x + width <= window[0] + 1
        assert y >= -1 and y + height <= window[1] + 1
    for first, second in itertools.combinations(parts, 2):
        assert not overlap(first, second)
    _, _, width, height = places.picture
    assert width >= 1 and height >= 1
    # Each side is rounded to a pixel.
    assert abs(width * picture[1] - height * picture[0]) <= sum(picture)


@given(sizes, sizes)
def test_fitting_size_touches_the_box_and_keeps_proportions(box, cells):
    width, height = layout.fitting(box, cells)
    assert width <= box[0] and height <= box[1]
    assert width == box[0] or height == box[1]
    assert abs(width * cells[1] - height * cells[0]) <= sum(cells)
