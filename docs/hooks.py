"""What MkDocs does besides: files beside docs/ become pages of the site.

README.md is the home page, so that nothing is written twice. Links between those files
and the pages work both here and where the repository is browsed.
"""

from __future__ import annotations

import pathlib
import re
from typing import Any

from mkdocs.structure.files import File, Files

#: File in the root -> page.
PAGES = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "license.txt",
}
#: A link of Markdown up to its address.
LINK = re.compile(r"(\]\()([^)\s]+)")


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
    """Leads links to files of the root to their pages."""
    return LINK.sub(lambda m: m[1] + from_docs(m[2]), markdown)


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
