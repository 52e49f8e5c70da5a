"""Draws the textures of the game, 16x16 pixels each, into crafter/assets.

The pictures are defined in this file, in three ways: sprites as rows of characters
with a key that gives every character a named colour; grounds as a base colour with
small patterns stamped on it; and pictures made from others (mirrored, rotated, put on
a ground).

The game draws by nearest-neighbour sampling, so a small observation shows only some
rows and columns of a texture: 1 3 5 7 10 12 14 of them in a cell of 7 pixels,
1 4 8 11 14 in an icon of 5 pixels, and 2 6 10 14 in a number of 4 pixels. What tells
two pictures apart lies on those lines; outlines lie between them where that was
possible. An icon is covered by its number except for its upper and left part, so tools
run from the lower left to the upper right.

Usage:
  python scripts/draw_textures.py                   write crafter/assets/*.png
  python scripts/draw_textures.py --check           exit 1 if the files differ
  python scripts/draw_textures.py --sheet FILE      write an enlarged sheet with names
"""

from __future__ import annotations

import argparse
import pathlib
import random
import sys
from collections.abc import Iterable

import numpy as np
from PIL import Image, ImageDraw, ImageFont

SIZE = 16
ASSETS = pathlib.Path(__file__).resolve().parents[1] / "crafter" / "assets"

COLOURS = {
    # Grounds
    "grass": "#8ccb5e",
    "grass light": "#a3dc74",
    "grass dark": "#74b64b",
    "sand": "#eddaa4",
    "sand light": "#f8ecc6",
    "sand dark": "#d8c088",
    "water": "#3c87d6",
    "water deep": "#2f74c2",
    "wave": "#8cc6f5",
    "foam": "#e2f5ff",
    "path": "#544a47",
    "path dark": "#443b39",
    "pebble": "#6b605b",
    "stone": "#989aa2",
    "stone light": "#b1b3ba",
    "stone dark": "#80828b",
    "crack": "#62646d",
    "lava": "#f0641e",
    "lava bright": "#ffb52b",
    "lava hot": "#fff2a0",
    "lava dark": "#b5301a",
    "crust": "#641a17",
    # Ores
    "coal": "#202127",
    "coal shine": "#555863",
    "iron": "#f0bd90",
    "iron light": "#ffe3c8",
    "iron dark": "#98592f",
    "gem": "#7feaf2",
    "gem light": "#ffffff",
    "gem dark": "#2b8fae",
    "gem edge": "#1f4d68",
    # Wood and leaves
    "plank": "#c48f52",
    "plank light": "#dfb274",
    "plank dark": "#9a6736",
    "plank pale": "#f3d49c",
    "handle": "#8f5530",
    "timber": "#d18a3c",
    "timber light": "#f0b566",
    "timber dark": "#94581f",
    "bark": "#7a4c29",
    "bark dark": "#54331b",
    "leaf": "#2f8b3c",
    "leaf light": "#57b548",
    "leaf dark": "#1d6534",
    "leaf black": "#123f28",
    "fruit": "#ff6f61",
    "fruit light": "#ffd9cc",
    "fruit dark": "#b52f3c",
    # Creatures
    "ink": "#22191d",
    "skin": "#ffdcb2",
    "skin dark": "#d99f76",
    "hair": "#a4552a",
    "hair light": "#d48040",
    "shirt": "#d9364a",
    "shirt dark": "#a1213d",
    "belt": "#f7e3a1",
    "trousers": "#3d52ac",
    "boots": "#2a1c20",
    "pack": "#d9b068",
    "pack dark": "#a67c3d",
    "rot": "#5fa36a",
    "rot light": "#93d192",
    "rot dark": "#37694a",
    "rags": "#3b5470",
    "rags dark": "#273a52",
    "glare": "#ff4a3a",
    "bone": "#f1ecdc",
    "bone dark": "#bdb49d",
    "hide": "#faf6ee",
    "hide dark": "#d3c9bd",
    "patch": "#4b3029",
    "muzzle": "#f2a3a6",
    "muzzle dark": "#c26b76",
    "horn": "#e8d7a0",
    # Things
    "white": "#ffffff",
    "light": "#e6ebf2",
    "grey": "#a9adb8",
    "grey dark": "#6f7480",
    "steel": "#dfeaf5",
    "steel dark": "#8fa6bf",
    "gold": "#ffd23d",
    "gold light": "#fff3a8",
    "gold dark": "#d9902a",
    "red": "#e5334b",
    "red light": "#ff8d94",
    "red dark": "#a61a3a",
    "meat": "#d0783a",
    "meat light": "#f2b06a",
    "meat dark": "#8f4722",
    "drop": "#4aa5f2",
    "drop light": "#bfe6ff",
    "drop dark": "#2a6fc4",
    "brick": "#6e7079",
    "brick dark": "#4d4f58",
    "soot": "#1d1b20",
    "magenta": "#ff3bd4",
    "black": "#000000",
}

Picture = np.ndarray  # uint8, shape (16, 16, 4): row, column, channel


def rgba(name: str) -> tuple[int, int, int, int]:
    """Returns a named colour as red, green, blue and an alpha of 255."""
    code = COLOURS[name]
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16), 255


def ground(name: str) -> Picture:
    """Returns a picture of one colour."""
    return np.full((SIZE, SIZE, 4), rgba(name), np.uint8)


def sprite(rows: str, key: dict[str, str]) -> Picture:
    """Draws rows of characters; a dot is transparent.

    Args:
      rows: Lines of text of one width. Surrounding space is ignored.
      key: The colour name of every character other than the dot.

    Returns:
      A picture of the size of the text, shape (lines, width, 4).

    Raises:
      ValueError: If the lines differ in width.
    """
    lines = [line.strip() for line in rows.strip().splitlines()]
    if len({len(line) for line in lines}) != 1:
        widths = [len(line) for line in lines]
        raise ValueError(f"All lines must have one width, but have {widths}:\n{rows}")
    clear = (0, 0, 0, 0)
    cells = [[clear if c == "." else rgba(key[c]) for c in line] for line in lines]
    return np.array(cells, np.uint8)


def over(below: Picture, above: Picture) -> Picture:
    """Puts a picture with transparent parts on another one."""
    return np.where(above[..., 3:] == 255, above, below)


def stamp(
    picture: Picture, pattern: Picture, places: Iterable[tuple[int, int]]
) -> Picture:
    """Copies a small pattern to (column, row) places, wrapping around the edges.

    Wrapping makes the ground seamless where cells meet.
    """
    picture = picture.copy()
    rows, columns = np.nonzero(pattern[..., 3])
    for left, top in places:
        target = (rows + top) % SIZE, (columns + left) % SIZE
        picture[target] = pattern[rows, columns]
    return picture


def speckle(picture: Picture, colour: str, count: int, seed: int) -> Picture:
    """Sets some pixels to a colour, at places that depend on the seed only."""
    # Only random() is promised to give the same numbers in every Python version.
    draw = random.Random(seed).random
    places = [(int(draw() * SIZE), int(draw() * SIZE)) for _ in range(count)]
    return stamp(picture, sprite("x", {"x": colour}), places)


def outlined(picture: Picture, colour: str, width: int = 1) -> Picture:
    """Colours the transparent pixels within a distance of the opaque ones."""
    opaque = np.pad(picture[..., 3] > 0, width)
    near = np.zeros((SIZE, SIZE), bool)
    for row in range(2 * width + 1):
        for column in range(2 * width + 1):
            near |= opaque[row : row + SIZE, column : column + SIZE]
    border = near & (picture[..., 3] == 0)
    return np.where(border[..., None], np.array(rgba(colour), np.uint8), picture)


def mirrored(picture: Picture) -> Picture:
    """Swaps left and right."""
    return picture[:, ::-1]


# Grounds and the things that fill a cell.


def grass() -> Picture:
    """A light meadow with a few blades."""
    key = {"l": "grass light", "d": "grass dark"}
    blade = sprite("d.d\n.d.", key)
    tuft = sprite("l.l\n.l.", key)
    picture = speckle(ground("grass"), "grass light", 9, seed=3)
    picture = speckle(picture, "grass dark", 6, seed=8)
    picture = stamp(picture, blade, [(2, 3), (11, 12)])
    return stamp(picture, tuft, [(9, 5), (4, 10), (13, 1)])


def sand() -> Picture:
    """A bright shore with low ripples."""
    key = {"l": "sand light", "d": "sand dark"}
    picture = speckle(ground("sand"), "sand light", 14, seed=5)
    picture = speckle(picture, "sand dark", 8, seed=11)
    picture = stamp(picture, sprite("ddd.\n...d", key), [(2, 5), (10, 13)])
    return stamp(picture, sprite("lll.\n...l", key), [(9, 3), (3, 10)])


def water() -> Picture:
    """Blue water with small waves."""
    key = {"w": "wave", "f": "foam", "d": "water deep"}
    crest = sprite(
        """
        ..ff....
        .w..ww.w
        d.dd..w.
        """,
        key,
    )
    small = sprite("ww.\n..w", key)
    dark = sprite("ddd.\n.ddd", key)
    picture = stamp(ground("water"), dark, [(0, 7), (9, 13), (11, 3), (3, 0)])
    picture = stamp(picture, crest, [(1, 2), (8, 9)])
    return stamp(picture, small, [(12, 5), (3, 12)])


def path() -> Picture:
    """The dark floor of caves and tunnels."""
    key = {"p": "pebble", "d": "path dark"}
    picture = speckle(ground("path"), "path dark", 22, seed=21)
    picture = stamp(picture, sprite("pp\ndd", key), [(3, 2), (12, 6), (6, 11)])
    return stamp(picture, sprite("p", key), [(9, 4), (14, 13), (1, 8), (10, 14)])


STONE = """
ssssslcsslsssssd
slllsscslsssssdd
slssssdcsssssddc
sssssssdccssddcs
ssssssssddcccdss
dssssssssdcslsss
cddssssssdcllsss
dccddssddcslssss
sddccccccslsssss
slsdddddcsssssss
llsssssddcssssss
lsssssssddccssss
sssssssssddcccdd
ssslsssssdcddccc
ssllsssssdcslldd
sslsssssdccslsss
"""
STONE_KEY = {"s": "stone", "l": "stone light", "d": "stone dark", "c": "crack"}


def stone() -> Picture:
    """Grey rock with cracks."""
    return sprite(STONE, STONE_KEY)


def coal() -> Picture:
    """Rock with big black lumps."""
    lumps = sprite(
        """
        ................
        ..kkkkk.........
        .khhkkkk..kkkk..
        .khkkkkk.khhkkk.
        .kkkkkkk.khkkkk.
        .kkkkkk..kkkkkk.
        ..kkkk....kkkk..
        ................
        .......kkkkk....
        ..kkk.khhkkkk...
        .khhkkkhkkkkkk..
        .khkkkkkkkkkkk..
        .kkkkk.kkkkkkk..
        ..kkk...kkkkk...
        .........kkk....
        ................
        """,
        {"k": "coal", "h": "coal shine"},
    )
    return over(stone(), lumps)


def iron() -> Picture:
    """Rock with small beige nuggets in brown beds."""
    key = {"i": "iron", "l": "iron light", "d": "iron dark"}
    nugget = sprite(
        """
        .llii
        liiid
        iiiid
        .iidd
        ..dd.
        """,
        key,
    )
    places = [(2, 0), (9, 2), (3, 6), (11, 8), (0, 11), (7, 11)]
    return stamp(stone(), nugget, places)


def diamond() -> Picture:
    """Rock around one large cut gem."""
    gem = sprite(
        """
        ...eeeeeeeeee...
        ..ellllgllggde..
        .elllllgllgggde.
        elllllggllgggdde
        egggggggggggggde
        .eglllgllggddde.
        ..egllgllggdde..
        ..egllgllggdde..
        ...egllgggdde...
        ....egllgdde....
        ....egllgdde....
        .....eglgde.....
        ......egde......
        .......ee.......
        ................
        ................
        """,
        {"g": "gem", "l": "gem light", "d": "gem dark", "e": "gem edge"},
    )
    return over(stone(), gem)


def tree() -> Picture:
    """A round tree on grass."""
    crown = sprite(
        """
        .....kkkkkk.....
        ...kkllllddkk...
        ..kllllllmmddk..
        .klllmlmmmmmddk.
        .kllmmmmlmmmddk.
        klllmmlmmmmmdddk
        kllmmmmmmlmmmddk
        klmmlmmmmmmmdddk
        kmmmmmmlmmmddddk
        .kmmmmmmmmddddk.
        .kkmmddmmdddkkk.
        ..gkkkddbddkkg..
        ...ggkbBBbkgg...
        ..ggggbBbbgggg..
        ..gggbbBbbbggg..
        ...ggggggggggg..
        """,
        {
            "k": "leaf black",
            "l": "leaf light",
            "m": "leaf",
            "d": "leaf dark",
            "b": "bark",
            "B": "bark dark",
            "g": "grass dark",
        },
    )
    return over(grass(), crown)


def lava() -> Picture:
    """Glowing streams between dark crust."""
    return sprite(
        """
        oobbboookkddooob
        bbhhbbookkkdoobb
        bhhhhboodkkddobh
        obhhbboooddooobb
        oobbboooooooobbb
        dooooobbboooodoo
        kddoobbhhbbodddk
        kkddobhhhhboddkk
        kkkdobbhhbbookkk
        dkddoobbbboodddk
        oddoooooooooodoo
        oooobboodkddoooo
        bboobhbodkkkdoob
        hbboobboddkkdobh
        hhboooooooddoobh
        bbooobooooooobbb
        """,
        {
            "o": "lava",
            "b": "lava bright",
            "h": "lava hot",
            "d": "lava dark",
            "k": "crust",
        },
    )


def table() -> Picture:
    """A workbench with a saw and a hammer."""
    return sprite(
        """
        kkkkkkkkkkkkkkkk
        klllllllllllllpk
        klppppppppgppppk
        klpssssspgggpppk
        kppsssssssgpbppk
        klpspspspppbbppk
        kdddddddddbbdddk
        klpppppppbbppppk
        klppppppppppppdk
        kddddddddddddddk
        kkkkkkkkkkkkkkkk
        kbbbkkkkkkkkbbbk
        kbbBkmmmmmmkbbBk
        kbbBkmmmmmmkbbBk
        kbbBkkkkkkkkbbBk
        kkkkkkkkkkkkkkkk
        """,
        {
            "k": "bark dark",
            "l": "plank light",
            "p": "plank",
            "d": "plank dark",
            "s": "steel",
            "g": "grey dark",
            "b": "bark",
            "B": "bark dark",
            "m": "plank dark",
        },
    )


def furnace() -> Picture:
    """A brick oven with a fire in its mouth."""
    return sprite(
        """
        kkkkkkkkkkkkkkkk
        klllllllllllllbk
        klbbbkbbbbkbbbdk
        klbbbkbbbbkbbbdk
        kkkkkkkkkkkkkkkk
        kbbksssssssskbbk
        kbksssssssssskbk
        kkksssssossssskk
        kbkssosoossssskk
        kbkssooyoosossbk
        kkkssoyyyooosskk
        kbksooyhhyyooskk
        kbksoyhhhhyyosbk
        kkkkkkkkkkkkkkkk
        kbbbkbbbbkbbbbdk
        kkkkkkkkkkkkkkkk
        """,
        {
            "k": "brick dark",
            "l": "stone light",
            "b": "stone dark",
            "d": "brick",
            "s": "soot",
            "o": "lava",
            "y": "lava bright",
            "h": "lava hot",
        },
    )


# The player: a round head with brown hair, red shirt, blue trousers, a pack.

PLAYER_KEY = {
    "k": "ink",
    "h": "hair",
    "H": "hair light",
    "s": "skin",
    "S": "skin dark",
    "e": "ink",
    "m": "muzzle dark",
    "t": "shirt",
    "T": "shirt dark",
    "w": "belt",
    "b": "trousers",
    "o": "boots",
    "p": "pack",
    "P": "pack dark",
    "W": "white",
    "g": "light",
}

PLAYER_DOWN = """
.....kkkkkk.....
....khhhhhhk....
...khHHhhhhhk...
..khHHhhhhhhhk..
..khhsshsshhhk..
..khsesssseshk..
..khsesssseshk..
..kssssssssssk..
...kSssmmssSk...
..kkttSssSttkk..
..kttttttttttk..
..ktTwwwwwwTtk..
..ksbbbbbbbbsk..
...kkbbbbbbkk...
....kbbkkbbk....
....kookkook....
"""

PLAYER_UP = """
.....kkkkkk.....
....khhhhhhk....
...khhhhHHhhk...
..khhhhhhHHhhk..
..khhhhhhhhhhk..
..khhhhhhhhhhk..
..khhhhhhhhhhk..
..kshhhhhhhhsk..
...khhhhhhhhk...
..kktkppppktkk..
..kttpppppPttk..
..ktTpkkkkPTtk..
..kstPppppPtsk..
...kkPPPPPPkk...
....kbbkkbbk....
....kookkook....
"""

PLAYER_LEFT = """
.....kkkkkk.....
....khhhhhhk....
...khHHhhhhhk...
..khHHhhhhhhhk..
..kshshhhhhhhk..
..kssesshhhhhk..
..kssesshhhhhk..
.ksssssssShhhk..
..kkmsssShhhk...
....kttStttkpk..
..kkktttttTkppk.
.ksstttTttTkpPk.
..kkkkwwwwwkPPk.
....kbbbbbbkkk..
....kbbkkbbbk...
...kookkkook....
"""

PLAYER_SLEEP = """
...........WWWW.
.............W..
............W...
...........WWWW.
kkkkkkkk........
kggggggkk.......
ghhhhhhkkkkkkkk.
ghHhhhhtttttttTk
ghhsssswttttttTk
gheeseewttttttTk
ghssssSswttttTTk
gghsssswtttttTTk
gggggggwttttTTTk
kkkkkkkkkkkkkkkk
................
................
"""


# Creatures.

COW = """
.h....h.........
.hh..hh.........
kkhkkhkkkkkkkkk.
kwwwwwkwwppppwwk
kwwwwwwwppppppwk
kwewwewwppppppwk
kwewwewwwppppwwk
kmmmmmmwwwwwwwwk
kmMmmMmwwwwwppwk
kmmmmmmkwwwpppwk
.kkkkkkwwwwpppdk
...kwwwwwwwwwddk
...kwwkddmmkwwdk
...kwwk.kk.kwwk.
...kppk....kppk.
...kkkk....kkkk.
"""
COW_KEY = {
    "k": "ink",
    "w": "hide",
    "d": "hide dark",
    "p": "patch",
    "e": "ink",
    "m": "muzzle",
    "M": "muzzle dark",
    "h": "horn",
}

ZOMBIE = """
....kddddddk....
...dlrrrrrrrd...
...dlrrrrrrrd...
...drrrrrrrrd...
...dkkkrrkkkd...
...drgkrrkgrd...
...drrrddrrrd...
...krkwkkwkrk...
kkkkkkrrrrkkkkkk
llrrrrckkcrrrrll
rrrrrrccccrrrrrr
kkkkccCcccckkkkk
...kccccCccck...
...kcCccccCck...
....krrkkrrk....
....kkkkkkkk....
"""
ZOMBIE_KEY = {
    "k": "ink",
    "l": "rot light",
    "r": "rot",
    "d": "rot dark",
    "e": "ink",
    "g": "glare",
    "c": "rags",
    "C": "rags dark",
    "w": "bone",
}

SKELETON = """
..kkkkkkkk......
.kwwwwwwwwk.bb..
kwwwwwwwwwwkgbb.
kwwkkwwkkwwkgkbk
kwwkkwwkkwwkg.bb
kwwwwddwwwwkg.bb
.kkwwwwwwkk.g.bb
..kwdwdwdk..g.bb
..kkkkwwkkkkgkbb
.kkwwwwwwwkkgkbb
.kwwwwwwwwwwwwbb
.kwkwwwwkkkkgkbb
.kwkkwwkkwk.g.bb
.kwkwwwwkwk.gkbk
..kwwkkwwk..gbb.
..kwwkkwwk..bb..
"""
SKELETON_KEY = {"k": "ink", "w": "bone", "d": "bone dark", "b": "plank", "g": "light"}

ARROW_RIGHT = """
................
................
................
................
kkkk.....kkk....
krrrk....kggk...
.krrrkkkkkgggkk.
..krwwbbbbgggggk
..krwwbbbbgggggk
.krrrkkkkkgggkk.
krrrk....kggk...
kkkk.....kkk....
................
................
................
................
"""
ARROW_KEY = {"k": "ink", "r": "red", "w": "white", "b": "plank light", "g": "steel"}


PLANT_KEY = {
    "k": "leaf black",
    "l": "leaf light",
    "m": "leaf",
    "d": "leaf dark",
    "r": "fruit",
    "h": "fruit light",
    "R": "fruit dark",
    "b": "bark dark",
    "B": "bark",
}

PLANT = """
................
................
................
..kkk.....kkk...
.kmmlk...klmmk..
.kmmmlk.klmmmk..
..kmmmkkkmmmk...
...kkmmkmmkk....
.....kkmkk......
......kmk.......
......kmk.......
.....kkmkk......
...bbBBmBBbb....
..bBBBBBBBBBb...
...bbbbbbbbb....
................
"""

PLANT_RIPE = """
......kkkk......
....kkrhrrkk....
..kkmrhhrrrmkk..
.klmmrrrrrRmmmk.
.klmmmrrrRmmmdk.
krhrmmmmmmmrhrrk
rhhrrmmlmmrhhrrR
rrrrRmlmmmrrrrRR
krrRmmmmmmmrrRRk
.kmmmlmmmmmmmdk.
.kddmmrhrrmmddk.
..kkdrhhrrrdkk..
...bkrrrrrRkb...
..bBBkrrrRkBBb..
..bBBBBBBBBBBb..
...bbbbbbbbbb...
"""

PLANT_YOUNG = """
................
................
................
................
................
................
.......kkk......
......klmk......
.....kmmk.......
..kkkkmk........
..kmlmmk........
...kkmk.........
...bbmBbb.......
..bBBBBBBb......
...bbbbbb.......
................
"""


# Items.

HEALTH = """
................
..rrrr...rrrr...
.rllrrr.rrrrrr..
rllrrrrrrrrrrrr.
rlrrrrrrrrrrrrr.
rlrrrrrrrrrrrrd.
rrrrrrrrrrrrrrd.
.rrrrrrrrrrrrd..
.rrrrrrrrrrrrd..
..rrrrrrrrrrd...
...rrrrrrrrd....
....rrrrrrd.....
.....rrrrd......
......rrd.......
.......d........
................
"""

FOOD = """
................
....mmmmmm......
..mmllllmmm.....
.mmllllmmmmm....
.mllllmmmmmmm...
mmlllmmmmmmmm...
mmllmmmmmmmmm...
mmmmmmmmmmmmd...
.mmmmmmmmmmmd...
.mmmmmmmmmmd....
..dmmmmmmmdw....
...ddddddd.www..
.........wwwwww.
..........wwwwww
...........wwwww
............ww..
"""
FOOD_KEY = {"m": "meat", "l": "meat light", "d": "meat dark", "w": "bone"}

DRINK = """
.......dd.......
.......dd.......
......dddd......
.....dlldddd....
....ddlldddd....
...ddlldddddd...
..ddlldddddddd..
.ddlldddddddddd.
.dlldddddddddDd.
ddlldddddddddDDd
ddlldddddddddDDd
ddlldddddddddDDd
.ddlldddddddDDd.
.dddddddddDDDDd.
..dDDDDDDDDDDd..
....DDDDDDDD....
"""

ENERGY = """
........yyyyyy..
.......yyyyyy...
......lyyyyy....
.....lyyyyy.....
....lyyyyy......
...lyyyyy.......
..lyyyyyyyyyy...
.lyyyyyyyyyy....
..ddddyyyyyd....
......yyyyd.....
.....lyyyd......
....lyyyd.......
....lyyd........
...lyyd.........
...lyd..........
..ld............
"""

SAPLING = """
..mm.......mmm..
.mllm....mmllm..
.mlllm..mllllm..
.mllllmmlllmm...
..mlllmmllm.....
...mmlmmmm......
.....mmm........
......mm........
......mm........
......mm........
......mm........
.....bmmb.......
...bbBBBBbb.....
..bBBBBBBBBb....
..bBBBBBBBBb....
...bbbbbbbb.....
"""
SAPLING_KEY = {"m": "leaf light", "l": "rot light", "b": "bark", "B": "handle"}

WOOD = """
kkkkkkkkkkkkkkkk
kkpllpkbbbbbbbbk
kplppllkbddbbbbk
klpkkplkbbbbddbk
klpkkplkbbbbbbbk
kplpplpkbbddbbbk
kkpllpkbbbbbbddk
kkkkkkkkkkkkkkkk
kkpllpkbbbbbbbbk
kplppllkbbbbddbk
klpkkplkbddbbbbk
klpkkplkbbbbbbbk
kplpplpkbbbddbbk
kkpllpkbddbbbbbk
kkkkkkkkkkkkkkkk
kkkkkkkkkkkkkkkk
"""
WOOD_KEY = {
    "k": "bark dark",
    "b": "bark",
    "d": "handle",
    "l": "plank pale",
    "p": "plank",
}


# Tools: one handle, heads that differ in shape and colour between the tiers.

TOOL_KEYS = {
    "wood": {"h": "timber", "l": "timber light", "d": "timber dark"},
    "stone": {"h": "grey", "l": "light", "d": "grey dark"},
    "iron": {"h": "steel", "l": "white", "d": "steel dark"},
}
TOOL_KEY = {"b": "bark", "B": "handle", "g": "gold"}

PICKAXES = {
    "wood": """
................
....lhhhhhh.....
...lhhhhhhhhBb..
...hhhhhhhhBBb..
...ddddd..BBbhd.
.........BBbhhd.
........BBbhhhd.
.......BBb.hhhd.
......BBb..hhhd.
.....BBb...hhd..
....BBb.........
...BBb..........
..BBb...........
.BBb............
.Bb.............
................
""",
    "stone": """
................
...llhhhh.......
..lhhhhhhhhd....
..hhhhhhhhhhBb..
...ddhhhhhhBBbd.
........hhBBbhhd
........BBbhhhhd
.......BBb.hhhhd
......BBb..dhhhd
.....BBb...dhhhd
....BBb.....hhhd
...BBb......dhd.
..BBb.......dd..
.BBb............
.Bb.............
................
""",
    "iron": """
...lllhhh.......
.llllhhhhhhd....
llhhddddhhhhd...
......ddhhhhBb..
........hhhBBbd.
........dhBBbhhd
........BBbhhhhd
.......BBb.hhhhd
......BBb..dhhhh
.....BBb....dhhh
....BBb......dhh
...BBb.......dhh
..BBb........dhh
.BBb.........dhd
.Bb..........hd.
.............d..
""",
}

SWORDS = {
    "wood": """
................
................
...........lhh..
..........lhhhd.
.........lhhhd..
........lhhhd...
.......lhhhd....
......lhhhd.....
..b..lhhhd......
..bblhhhd.......
...bbhhd........
....bbd.........
..BBbbbb........
.BBb..bb........
.Bb.............
................
""",
    "stone": """
................
............llh.
..........lhhhd.
.........lhhhhd.
........lhhhdd..
.......hhhhhd...
......lhhhdd....
.....lhhhhd.....
.ddd.lhhhd......
.dhddhhhd.......
..ddhhhd........
...ddhd.........
..BBbddd........
.BBb..dhd.......
.Bb...ddd.......
................
""",
    "iron": """
.............lll
............lllh
...........lllhd
..........lllhd.
.........lllhd..
........lllhd...
.......lllhd....
......lllhd.....
.gg..lllhd......
.gggllhhd.......
..ggghhd........
...gggd.........
..BBgggg........
.BBb.ggg........
BBb.............
bb..............
""",
}


# Numbers: the lines 2 6 10 14 and 1 4 8 11 14 both give a readable sign.

DIGITS = {
    "1": """
................
.........###....
......######....
......######....
.........###....
.........###....
.........###....
.........###....
.........###....
.........###....
.........###....
.........###....
......#########.
......#########.
......#########.
................
""",
    "2": """
................
.....#########..
....###########.
....###########.
............###.
............###.
............###.
..........####..
.........####...
........####....
.......#####....
......#####.....
....###########.
....###########.
....###########.
................
""",
    "3": """
................
....##########..
....###########.
....###########.
............###.
...........####.
........#######.
........######..
........#######.
...........####.
............###.
............###.
....###########.
....###########.
....##########..
................
""",
    "4": """
................
....###....###..
....###.....###.
....###.....###.
....###.....###.
....###.....###.
....###.....###.
....###.....###.
....###########.
....###########.
....###########.
............###.
............###.
............###.
............###.
................
""",
    "5": """
................
....###########.
....###########.
....###########.
....###.........
....###.........
....########....
....##########..
....###########.
...........####.
............###.
............###.
....##########..
....##########..
....#########...
................
""",
    "6": """
................
......####......
.....####.......
.....####.......
....####........
....###.........
....#######.....
....##########..
....###########.
....###.....###.
....###.....###.
....###.....###.
....###########.
.....##########.
.....##########.
................
""",
    "7": """
................
....###########.
....###########.
....###########.
............###.
............###.
............###.
..........####..
..........####..
.........####...
.........####...
........####....
........####....
........####....
........####....
................
""",
    "8": """
................
....###########.
....###########.
....###########.
....###.....###.
....###.....###.
....###########.
.....#########..
....###########.
....###.....###.
....###.....###.
....###.....###.
....###########.
....###########.
....###########.
................
""",
    "9": """
................
.....#########..
....###########.
....###########.
....###.....###.
....###.....###.
....###.....###.
....###.....###.
....###########.
.....##########.
......#########.
...........####.
..........####..
.........####...
........####....
................
""",
}


def unknown() -> Picture:
    """A question mark on a loud disc, for textures that have no name."""
    return sprite(
        """
        ....mmmmmmmm....
        ..mmmmmmmmmmmm..
        .mmmmkkkkkkmmmm.
        .mmmkwwwwwwkmmm.
        mmmkwwwwwwwwkmmm
        mmmkwwwkkwwwkmmm
        mmmmkkkkkwwwkmmm
        mmmmmmkwwwwkmmmm
        mmmmmkwwwwkmmmmm
        mmmmmkwwwkmmmmmm
        mmmmmkkkkkmmmmmm
        mmmmmkwwwkmmmmmm
        .mmmmkwwwkmmmmm.
        .mmmmkkkkkmmmmm.
        ..mmmmmmmmmmmm..
        ....mmmmmmmm....
        """,
        {"m": "magenta", "k": "ink", "w": "white"},
    )


# Pictures of the set that the game never draws.


def checks(first: str, second: str, cell: int) -> Picture:
    """A checkerboard for looking at sampling and alignment."""
    rows, columns = np.indices((SIZE, SIZE)) // cell
    odd = ((rows + columns) % 2 == 1)[..., None]
    return np.where(odd, ground(second), ground(first))


def fence() -> Picture:
    """Two rails on three pointed posts."""
    return sprite(
        """
        ................
        ..k....k....k...
        .kpk..kpk..kpk..
        kplbkkplbkkplbk.
        kplbkkplbkkplbkk
        lplblllplbllplbl
        pplbpppplbppplbp
        kplbkkkplbkkplbk
        kplbk.kplbkkplbk
        lplblllplbllplbl
        pplbpppplbppplbp
        kplbkkkplbkkplbk
        kplbk.kplbkkplbk
        kplbk.kplbkkplbk
        kkkkk.kkkkkkkkkk
        ................
        """,
        {"k": "bark dark", "p": "plank", "l": "plank light", "b": "plank dark"},
    )


def leaves() -> Picture:
    """A heap of foliage."""
    key = {"k": "leaf black", "l": "leaf light", "m": "leaf", "d": "leaf dark"}
    leaf = sprite(".llk\nllmk\nlmdk\nkkk.", key)
    places = [
        (x + 2 * (y % 8 // 4), y) for y in range(0, 16, 4) for x in range(0, 16, 5)
    ]
    return stamp(ground("leaf"), leaf, places)


def log() -> Picture:
    """The bark of a trunk."""
    key = {"d": "bark dark", "l": "plank dark"}
    picture = stamp(
        ground("bark"), sprite("d\nd\nd\nd\nd", key), [(2, 1), (7, 6), (12, 11)]
    )
    return stamp(picture, sprite("l\nl\nl\nl", key), [(4, 9), (9, 0), (14, 4)])


# The set.

#: Stems with three channels, and those with four but no transparent pixel.
RGB = ["water", "grass", "stone", "sand", "tree", "lava", "iron", "furnace"]
RGB += ["plant-young"]
OPAQUE = ["path", "coal", "diamond", "table", "wood", "leaves", "log"]
OPAQUE += ["debug", "debug-2", "debug-3"]


def materials() -> dict[str, Picture]:
    """Draws what fills a cell; some of it is carried too."""
    return {
        "water": water(),
        "grass": grass(),
        "stone": stone(),
        "path": path(),
        "sand": sand(),
        "tree": tree(),
        "lava": lava(),
        "coal": coal(),
        "iron": iron(),
        "diamond": diamond(),
        "table": table(),
        "furnace": furnace(),
    }


def creatures() -> dict[str, Picture]:
    """Draws what stands or flies in a cell."""
    arrow = sprite(ARROW_RIGHT, ARROW_KEY)
    left = sprite(PLAYER_LEFT, PLAYER_KEY)
    return {
        "player-down": sprite(PLAYER_DOWN, PLAYER_KEY),
        "player-up": sprite(PLAYER_UP, PLAYER_KEY),
        "player-left": left,
        "player-right": mirrored(left),
        "player-sleep": sprite(PLAYER_SLEEP, PLAYER_KEY),
        "cow": sprite(COW, COW_KEY),
        "zombie": sprite(ZOMBIE, ZOMBIE_KEY),
        "skeleton": sprite(SKELETON, SKELETON_KEY),
        "arrow-right": arrow,
        "arrow-up": np.rot90(arrow, 1),
        "arrow-left": np.rot90(arrow, 2),
        "arrow-down": np.rot90(arrow, 3),
        "plant": sprite(PLANT, PLANT_KEY),
        "plant-ripe": sprite(PLANT_RIPE, PLANT_KEY),
    }


def items() -> dict[str, Picture]:
    """Draws what is in the inventory and is no material."""
    pictures = {
        "health": sprite(HEALTH, {"r": "red", "l": "red light", "d": "red dark"}),
        "food": sprite(FOOD, FOOD_KEY),
        "drink": sprite(DRINK, {"d": "drop", "l": "drop light", "D": "drop dark"}),
        "energy": sprite(ENERGY, {"y": "gold", "l": "gold light", "d": "gold dark"}),
        "sapling": sprite(SAPLING, SAPLING_KEY),
        "wood": sprite(WOOD, WOOD_KEY),
    }
    for tool, shapes in {"pickaxe": PICKAXES, "sword": SWORDS}.items():
        for tier, rows in shapes.items():
            pictures[f"{tier}_{tool}"] = sprite(rows, TOOL_KEY | TOOL_KEYS[tier])
    return pictures


def numbers() -> dict[str, Picture]:
    """Draws the amounts, white with a dark border, and the sign for other names."""
    pictures = {
        name: outlined(sprite(rows, {"#": "white"}), "ink", width=2)
        for name, rows in DIGITS.items()
    }
    return pictures | {"unknown": unknown()}


def never_drawn() -> dict[str, Picture]:
    """Draws what belongs to a texture pack, but is not shown by the game."""
    return {
        "debug": checks("magenta", "black", 1),
        "debug-2": checks("gold", "ink", 2),
        "debug-3": checks("drop", "white", 4),
        "fence": fence(),
        "leaves": leaves(),
        "log": log(),
        "plant-young": over(grass(), sprite(PLANT_YOUNG, PLANT_KEY)),
        "player": sprite(PLAYER_DOWN, PLAYER_KEY),
    }


def draw_all() -> dict[str, Image.Image]:
    """Draws every texture.

    Returns:
      File stem to image, group by group.

    Raises:
      ValueError: If a picture has another size than 16x16, or transparent pixels
        where it must have none, or the other way round.
    """
    pictures = materials() | creatures() | items() | numbers() | never_drawn()
    images = {}
    for stem, picture in pictures.items():
        if picture.shape != (SIZE, SIZE, 4):
            raise ValueError(f"{stem} must be {SIZE}x{SIZE} pixels: {picture.shape}")
        opaque = bool((picture[..., 3] == 255).all())
        if opaque != (stem in RGB + OPAQUE):
            raise ValueError(f"{stem} is {'' if opaque else 'not '}opaque.")
        channels = 3 if stem in RGB else 4
        images[stem] = Image.fromarray(np.ascontiguousarray(picture[..., :channels]))
    return images


def write(folder: pathlib.Path) -> None:
    """Writes every texture into a folder, which is made if needed."""
    folder.mkdir(parents=True, exist_ok=True)
    for stem, image in draw_all().items():
        image.save(folder / f"{stem}.png", optimize=True)


def differences(folder: pathlib.Path) -> list[str]:
    """Lists how the files of a folder differ from what this script draws.

    Compares decoded pixels, since the bytes of a PNG file depend on the version of the
    compression library.
    """
    images = draw_all()
    found = {file.stem for file in folder.glob("*.png")}
    problems = [f"{stem}.png is not drawn here" for stem in sorted(found - set(images))]
    for stem, image in sorted(images.items()):
        if stem not in found:
            problems.append(f"{stem}.png is missing")
            continue
        with Image.open(folder / f"{stem}.png") as file:
            if file.mode != image.mode:
                problems.append(f"{stem}.png has mode {file.mode}, not {image.mode}")
            elif file.size != image.size or file.tobytes() != image.tobytes():
                problems.append(f"{stem}.png has other pixels")
    return problems


def sheet(scale: int = 5, columns: int = 8) -> Image.Image:
    """Lays out every texture, enlarged, with its name below."""
    images = draw_all()
    width, height = 136, SIZE * scale + 34
    rows = -(-len(images) // columns)
    page = Image.new("RGB", (columns * width, rows * height + 12), "#d9d6cf")
    pen = ImageDraw.Draw(page)
    font = ImageFont.load_default(size=13)
    for index, (stem, image) in enumerate(images.items()):
        left = index % columns * width + (width - SIZE * scale) // 2
        top = index // columns * height + 14
        enlarged = image.resize((SIZE * scale,) * 2, Image.Resampling.NEAREST)
        mask = enlarged.getchannel("A") if enlarged.mode == "RGBA" else None
        page.paste(enlarged, (left, top), mask)
        middle = left + SIZE * scale // 2
        pen.text((middle, top + SIZE * scale + 3), stem, "#22191d", font, anchor="ma")
    return page


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line.

    Returns:
      The exit status: 1 if `--check` found a difference, else 0.
    """
    parser = argparse.ArgumentParser(description="Draw the textures of the game.")
    parser.add_argument(
        "--folder", type=pathlib.Path, default=ASSETS, help="where the files are"
    )
    parser.add_argument(
        "--check", action="store_true", help="compare the files, write nothing"
    )
    parser.add_argument(
        "--sheet", type=pathlib.Path, metavar="FILE", help="write a sheet, nothing else"
    )
    options = parser.parse_args(arguments)
    if options.sheet:
        sheet().save(options.sheet)
        return 0
    if options.check:
        problems = differences(options.folder)
        print("\n".join(problems) or f"{len(draw_all())} textures are as drawn.")
        return 1 if problems else 0
    write(options.folder)
    print(f"Wrote {len(draw_all())} textures to {options.folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
