"""Report pages: a self-contained HTML file, or Markdown."""

from __future__ import annotations

import base64
import html
import pathlib
from typing import Any, NamedTuple

from crafter.reporting import figures
from crafter.reporting.tables import Table, escaped

STYLE = pathlib.Path(__file__).with_name("page.css").read_text("utf-8")


class Part(NamedTuple):
    """A part of a page.

    Attributes:
      html: HTML form.
      markdown: Markdown form.
    """

    html: str
    markdown: str


def document(title: str, body: str, style: str = STYLE) -> str:
    """Returns a self-contained HTML file.

    Args:
      title: Title.
      body: Content, as HTML.
      style: Style sheet, as CSS.
    """
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style></head>\n"
        f"<body>\n{body}\n</body></html>\n"
    )


class Page:
    """The parts of a page, with numbered tables and figures.

    Attributes:
      parts: The parts so far.
      tables: Name -> table, for tables with a name.
    """

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.tables: dict[str, Table] = {}
        self._headings: list[str] = []
        self._tables = self._figures = 0

    def add(self, text: str, markdown: str = "") -> None:
        """Adds HTML and its Markdown equivalent."""
        self.parts.append(Part(text, markdown))

    def heading(self, text: str) -> None:
        """Starts a section, which is listed in the contents."""
        self._headings.append(text)
        title = html.escape(text)
        self.add(f'<h2 id="{_anchor(text)}">{title}</h2>', f"## {escaped(text)}")

    def text(self, text: str, kind: str = "") -> None:
        """Adds a paragraph.

        Args:
          text: The text.
          kind: `note` for small print, `warning` for a highlighted warning.
        """
        opening = f'<p class="{kind}">' if kind else "<p>"
        plain = escaped(text).replace("*", r"\*").replace("|", r"\|")
        marked = f"**{plain}**" if kind == "warning" else plain
        self.add(f"{opening}{html.escape(text)}</p>", marked)

    def table(self, table: Table, caption: str, name: str = "") -> None:
        """Adds a table; wide ones scroll."""
        self._tables += 1
        number = f"Table {self._tables}."
        text = table.html(f"<b>{number}</b> {html.escape(caption)}")
        marked = f"**{number}** {escaped(caption)}\n\n{table.render('markdown')}"
        self.add(f'<div class="scroll">{text}</div>', marked)
        if name:
            self.tables[name] = table

    def figure(self, drawn: Any, caption: str) -> None:
        """Adds a figure, which Markdown omits."""
        self._figures += 1
        data = base64.b64encode(figures.svg(drawn).encode()).decode()
        source = f"data:image/svg+xml;base64,{data}"
        text, number = html.escape(caption), f"Figure {self._figures}."
        self.add(
            f'<figure><img alt="{text}" src="{source}">\n<figcaption><b>{number}</b> '
            f"{text}</figcaption></figure>"
        )

    def contents(self) -> str:
        """Returns links to the sections, as HTML."""
        links = (
            f'<li><a href="#{_anchor(text)}">{html.escape(text)}</a></li>'
            for text in self._headings
        )
        return f'<nav aria-label="Contents"><ul>{"".join(links)}</ul></nav>'

    def html(self, title: str) -> str:
        """Returns the whole page as HTML."""
        top = [f"<h1>{html.escape(title)}</h1>", self.contents()]
        body = "\n".join([*top, *(part.html for part in self.parts)])
        return document(title, body)

    def markdown(self, title: str) -> str:
        """Returns the whole page as Markdown."""
        parts = [f"# {escaped(title)}", *(part.markdown for part in self.parts)]
        return "\n\n".join(part for part in parts if part) + "\n"


def _anchor(text: str) -> str:
    return text.lower().replace(" ", "-")
