"""The site: it builds without a warning, and links lead somewhere."""

import importlib.util
import inspect
import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import browser
import pages
import pytest

pytestmark = pytest.mark.skipif(
    not (pages.ROOT / "mkdocs.yml").exists(), reason="needs a checkout of the project"
)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(text):
    """Return the anchors of a text's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = (re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings)
    return {slug.replace(" ", "-") for slug in slugs}


@pytest.mark.parametrize("name", [*pages.PAGES, "CHANGELOG.md"])
def test_links_lead_somewhere(name):
    """As the repository is browsed; the site is checked when it is built."""
    page = pages.ROOT / name
    for link in LINK.findall(page.read_text("utf-8")):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        if anchor:
            assert anchor in anchors(target.read_text("utf-8")), link


class Addresses(HTMLParser):
    """Collects what a page of the site loads from elsewhere."""

    def __init__(self):
        super().__init__()
        self.loaded = []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        address = found.get("src") or (found.get("href") if tag == "link" else None)
        if address:
            self.loaded.append(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """Build the site; every warning is an error."""
    for module in ("material", "mkdocstrings", "griffe_sphinx"):
        if importlib.util.find_spec(module) is None:
            pytest.skip("needs crafter[docs]")
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"]
    result = subprocess.run(
        [*command, "--site-dir", folder],
        cwd=pages.ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return folder


@pytest.mark.slow
def test_every_page_is_in_the_site_and_loads_nothing_from_elsewhere(site):
    names = {"README.md": "index", "CONTRIBUTING.md": "contributing"}
    for name in pages.PAGES:
        path = names.get(name, name.removeprefix("docs/").removesuffix(".md"))
        assert (site / f"{path}.html").exists(), name
    assert (site / "search" / "search_index.json").exists()
    for path in site.rglob("*.html"):
        parser = Addresses()
        parser.feed(path.read_text("utf-8"))
        assert parser.loaded or path.parent.name == "images"
        assert not [address for address in parser.loaded if "//" in address], path


@pytest.mark.slow
def test_the_reference_shows_what_the_package_offers(site):
    import crafter
    from crafter import lm, scoring

    reference = {
        path.stem: path.read_text("utf-8") for path in (site / "reference").glob("*")
    }
    for module, page in [(scoring, "scoring"), (lm, "lm")]:
        for name in module.__all__:
            value = getattr(module, name)
            shown = f'id="{value.__name__}"' if inspect.ismodule(value) else f">{name}<"
            assert shown in reference[page], name
    together = "".join(reference.values())
    for name in set(crafter.__all__) - {"constants"}:
        assert f">{name}<" in together, name


@pytest.mark.slow
@pytest.mark.skipif(browser.find() is None, reason="needs a Chromium")
def test_every_table_fits_on_its_page(site, tmp_path):
    tables = "[...document.querySelectorAll('.md-typeset__scrollwrap')]"
    wide = f"{tables}.filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)"
    size = {"width": 1300, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    with browser.tab(tmp_path) as tab:
        tab.call("Emulation.setDeviceMetricsOverride", **size)
        for path in sorted(site.rglob("*.html")):
            tab.open(path.as_uri())
            assert tab.run(wide) == [], path


@pytest.mark.slow
def test_tasks_have_cards_and_printed_tables_are_not_searched(site):
    from crafter.tasks import all_tasks

    text = (site / "task-gallery.html").read_text("utf-8")
    assert [name for name in all_tasks() if f'<figure id="{name}">' not in text] == []
    index = (site / "search" / "search_index.json").read_text("utf-8")
    assert "Results" in index and "100.0 [" not in index
