"""Grids of labelled pictures."""

from PIL import Image, ImageDraw, ImageFont

INK = "#2a2226"
GAP, LABEL = 14, 20  # pixels


def grid(pictures: dict[str, Image.Image], columns: int, label: int) -> Image.Image:
    """Arranges pictures of equal size, each below a label of `label` pixels."""
    width, height = next(iter(pictures.values())).size
    across, down = width + GAP, height + GAP + label
    rows = -(-len(pictures) // columns)
    page = Image.new("RGB", (columns * across - GAP, rows * down - GAP), "white")
    pen, font = ImageDraw.Draw(page), ImageFont.load_default(size=15)
    for index, (name, picture) in enumerate(pictures.items()):
        left, top = index % columns * across, index // columns * down
        if label:
            place = left + width // 2, top
            pen.text(place, name, INK, font, anchor="ma", align="center")
        page.paste(picture, (left, top + label))
    return page
