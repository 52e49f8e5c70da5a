"""A report as a page: one HTML file that needs no other, or Markdown with figures."""

from __future__ import annotations

import base64
import html
from typing import Any, NamedTuple

from crafter.reporting import figures
from crafter.reporting.tables import Table

STYLE = """
body { font: 15px/1.5 system-ui, "DejaVu Sans", sans-serif; color: #222;
       max-width: 1080px; margin: 2em auto; padding: 0 1.5em; }
h1 { font-size: 1.7em; margin-bottom: 0; }
h2 { font-size: 1.2em; margin-top: 2.2em; border-bottom: 1px solid #ddd; }
h3 { font-size: 1em; margin-bottom: .3em; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88em;
        font-variant-numeric: tabular-nums; }
th, td { padding: .22em .7em; text-align: right; }
td { white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
td:first-child { white-space: normal; min-width: 9em; }
thead th { border-bottom: 2px solid #888; vertical-align: bottom; }
tbody tr:nth-child(even) { background: #f5f5f3; }
caption, figcaption { text-align: left; color: #444; font-size: .92em;
                      padding: .3em 0 .5em; max-width: 60em; }
figure { margin: 1.6em 0; }
img { max-width: 100%; }
nav ul { display: flex; flex-wrap: wrap; gap: .2em 1.4em; list-style: none; padding: 0;
         border-block: 1px solid #ddd; padding-block: .5em; }
nav a { color: #1f5c99; }
.scroll { margin: 1.4em 0; }
.examples { display: flex; flex-wrap: wrap; gap: 1.2em; }
.examples figure { margin: .4em 0; width: 216px; }
.note { color: #666; font-size: .88em; }
.warning { background: #fff4d6; padding: .5em .9em; border-left: 4px solid #d9a400; }
code { background: #f2f2ef; padding: 0 .25em; overflow-wrap: anywhere; }
"""


class Part(NamedTuple):
    """A part of a page.

    Attributes:
      html: It as HTML.
      markdown: It as Markdown.
    """

    html: str
    markdown: str


class Page:
    """The parts of a page, with numbers for tables and figures.

    Attributes:
      parts: The parts so far.
      tables: Name -> table, of those that have a name.
      figures: Name -> figure, likewise.
    """

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self.tables: dict[str, Table] = {}
        self.figures: dict[str, Any] = {}
        self._headings: list[str] = []
        self._tables = self._figures = 0

    def add(self, text: str, markdown: str = "") -> None:
        """Adds HTML, and what stands for it in Markdown."""
        self.parts.append(Part(text, markdown))

    def heading(self, text: str) -> None:
        """Begins a section, which the contents list."""
        self._headings.append(text)
        self.add(f'<h2 id="{_anchor(text)}">{html.escape(text)}</h2>', f"## {text}")

    def text(self, text: str, kind: str = "") -> None:
        """Adds a paragraph.

        Args:
          text: What it says.
          kind: `note` for smaller type, `warning` for what must not be missed.
        """
        opening = f'<p class="{kind}">' if kind else "<p>"
        plain = text.replace("*", r"\*").replace("|", r"\|")
        marked = f"**{plain}**" if kind == "warning" else plain
        self.add(f"{opening}{html.escape(text)}</p>", marked)

    def table(self, table: Table, caption: str, name: str = "") -> None:
        """Adds a table; wide ones can be scrolled."""
        self._tables += 1
        number = f"Table {self._tables}."
        text = table.html(f"<b>{number}</b> {html.escape(caption)}")
        marked = f"**{number}** {caption}\n\n{table.render('markdown')}"
        self.add(f'<div class="scroll">{text}</div>', marked)
        if name:
            self.tables[name] = table

    def figure(self, drawn: Any, caption: str, name: str = "") -> None:
        """Adds a figure; in Markdown it is the file `figures/NAME.svg`."""
        self._figures += 1
        data = base64.b64encode(figures.svg(drawn).encode()).decode()
        source = f"data:image/svg+xml;base64,{data}"
        told, number = html.escape(caption), f"Figure {self._figures}."
        self.add(
            f'<figure><img alt="{told}" src="{source}">\n<figcaption><b>{number}</b> '
            f"{told}</figcaption></figure>",
            f"![{caption}](figures/{name}.svg)\n\n**{number}** {caption}",
        )
        if name:
            self.figures[name] = drawn

    def contents(self) -> str:
        """Returns links to the sections, as HTML."""
        links = (
            f'<li><a href="#{_anchor(text)}">{html.escape(text)}</a></li>'
            for text in self._headings
        )
        return f'<nav aria-label="Contents"><ul>{"".join(links)}</ul></nav>'

    def html(self, title: str, subtitle: str = "") -> str:
        """Returns the whole page as HTML.

        Args:
          title: Its title.
          subtitle: What follows it, as HTML.
        """
        told = html.escape(title)
        top = [f"<h1>{told}</h1>", subtitle, self.contents()]
        return (
            '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{told}</title>\n<style>{STYLE}</style></head>\n<body>\n"
            + "\n".join([*top, *(part.html for part in self.parts)])
            + "\n</body></html>\n"
        )

    def markdown(self, title: str) -> str:
        """Returns the whole page as Markdown."""
        parts = [f"# {title}", *(part.markdown for part in self.parts)]
        return "\n\n".join(part for part in parts if part) + "\n"


def _anchor(text: str) -> str:
    return text.lower().replace(" ", "-")
