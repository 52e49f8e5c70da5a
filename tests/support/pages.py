"""Documentation pages as read by the tests."""

from __future__ import annotations

import dataclasses
import pathlib
import re
import textwrap
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).parents[2]
_TOP = ("README.md", "CONTRIBUTING.md")

#: Page name -> text. Outside of a checkout some or all are missing.
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text("utf-8")
    for path in [*map(ROOT.joinpath, _TOP), *sorted(ROOT.glob("docs/**/*.md"))]
    if path.exists()
}

_FENCE = re.compile(
    r"^(?P<before>[^\n]*)\n+"
    r"(?P<indent> *)```(?P<language>\w*)\n(?P<code>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_MARKER = re.compile(r"<!-- not run: (.+) -->")


@dataclasses.dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Attributes:
      page: Name of the page.
      line: Line number of its first line of code.
      language: Language of the fence.
      code: The text between the fences.
      not_run: Why the tests do not run it, from a comment on the line before it,
        such as `<!-- not run: needs a GPU -->`.
    """

    page: str
    line: int
    language: str
    code: str
    not_run: str | None

    @property
    def name(self) -> str:
        """Location of the block."""
        return f"{self.page}:{self.line}"


def blocks(page: str) -> Iterator[Block]:
    """Yields the fenced blocks of a page."""
    text = PAGES[page]
    for match in _FENCE.finditer(text):
        line = text.count("\n", 0, match.start("code")) + 1
        marker = _MARKER.fullmatch(match["before"].strip())
        reason = marker[1] if marker else None
        code = textwrap.dedent(match["code"])
        yield Block(page, line, match["language"], code, reason)


def all_blocks(language: str) -> list[Block]:
    """Returns the blocks in a language from all pages."""
    return [b for page in PAGES for b in blocks(page) if b.language == language]


def rows(page: str, start: str) -> list[list[str]]:
    """Returns the cells of the first table after a text, without backticks."""
    text = PAGES[page]
    lines = text[text.index(start) :].split("\n")
    first = next(i for i, line in enumerate(lines) if re.match(r"\|[ :-]+\|", line))
    table = []
    for line in lines[first + 1 :]:
        if not line.startswith("|"):
            break
        table.append([cell.strip().strip("`") for cell in line.strip("|").split("|")])
    return table


def column(page: str, start: str, index: int = 0) -> list[str]:
    """Returns a column of that table."""
    return [row[index] for row in rows(page, start)]
