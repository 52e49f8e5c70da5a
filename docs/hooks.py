"""What MkDocs does besides: files beside docs/ become pages of the site.

README.md is the home page, so that nothing is written twice. Links between those files
and the pages work both here and where the repository is browsed.
"""

from __future__ import annotations

import pathlib
import re
import sys
from html import escape
from typing import Any

from mkdocs.structure.files import File, Files

sys.path.append(str(pathlib.Path(__file__).parents[1] / "scripts"))
import draw_scenes

from crafter.tasks import Task

#: File in the root -> page.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "license.txt",
}
#: A link of Markdown up to its address.
LINK = re.compile(r"(\]\()([^)\s]+)")
#: A picture of all tasks of a category, and that of a game.
SHEET = re.compile(r"!\[[^]]*\]\((images/scenes-(\w+)\.png)\)")
FILM = re.compile(r"!\[([^]]*)\]\(images/play\.gif\)")
MAKE = escape('gym.make("CrafterTask-v1", task="{}")')
#: What a program has written into a page.
PRINTED = re.compile(
    r"<!-- (?:Printed|Scoreboard|Table|results|comparison).*?<!-- [Ee]nd", re.DOTALL
)


def on_files(files: Files, config: Any) -> Files:
    """Adds the files of the root to those of docs/."""
    root = pathlib.Path(config.config_file_path).parent
    for name, page in PAGES.items():
        content = (root / name).read_text("utf-8")
        if page.endswith(".md"):
            content = LINK.sub(lambda m: m[1] + from_root(m[2]), content)
        files.append(File.generated(config, page, content=content))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Leads links to files of the root to their pages, and shows more than they can."""
    markdown = LINK.sub(lambda m: m[1] + from_docs(m[2]), markdown)
    if page.file.src_uri == "index.md":
        frame = r'<iframe class="replay" src="images/replay.html" title="\1"></iframe>'
        return FILM.sub(frame, markdown)
    if SHEET.search(markdown):
        page.meta["hide"] = ["toc"]  # so that two cards stand side by side
    return SHEET.sub(lambda m: gallery(m[1], m[2]), markdown)


def on_page_content(html: str, page: Any, config: Any, files: Files) -> str:
    """Keeps tables that programs wrote out of the search."""
    excluded = "<table data-search-exclude>"
    return PRINTED.sub(lambda m: m[0].replace("<table>", excluded), html)


def gallery(sheet: str, category: str) -> str:
    """Returns a card per task: its part of the picture, its words, how to make it."""
    cards = []
    for number, name in enumerate(draw_scenes.by_category()[category]):
        left, top = draw_scenes.corner(number, 0)
        text = escape(Task(name).texts("train")[0])
        cards.append(
            f'<figure id="{name}"><img src="{sheet}" alt="{name} on three levels" '
            f'style="object-position: -{left}px -{top}px">'
            f"<figcaption>{text}<br>"
            f"<code>{MAKE.format(name)}</code></figcaption></figure>"
        )
    return f'<div class="gallery">{"".join(cards)}</div>'


def from_root(address: str) -> str:
    """Returns the address, in the site, of what the root links to.

    Example:
      >>> from_root("docs/app.md#keys"), from_root("CHANGELOG.md")
      ('app.md#keys', 'changelog.md')
    """
    path, *anchor = address.split("#", 1)
    return "#".join([PAGES.get(path, path.removeprefix("docs/")), *anchor])


def from_docs(address: str) -> str:
    """Returns the address, in the site, of what a page in docs/ links to.

    Example:
      >>> from_docs("../README.md#scores"), from_docs("app.md")
      ('index.md#scores', 'app.md')
    """
    path, *anchor = address.split("#", 1)
    return "#".join([PAGES.get(path.removeprefix("../"), path), *anchor])
