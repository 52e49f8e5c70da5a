"""Renew the golden files of the text interface, after its words were changed.

The inputs in parse.yaml stay; what is written beside them is what the parser makes of
them now. Look at the difference before keeping it.

    python scripts/write_lm_golden.py tests/golden/lm
"""

from __future__ import annotations

import importlib
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import yaml

from crafter.core.options import make_parser

ROOT = pathlib.Path(__file__).resolve().parents[1]
EVERY = 15  # steps between the observations that are kept


def parsed(text: str) -> dict[str, Any]:
    """Return how a text is understood, as it is kept."""
    from crafter.lm.parsing.parse import parse

    result = parse(text)
    entry: dict[str, Any] = {"text": text}
    if result.actions:
        entry["actions"] = ", ".join(result.actions)
    if result.error is not None:
        entry["error"] = result.error.kind
        if result.error.suggestions:
            entry["meant"] = ", ".join(result.error.suggestions)
    return entry


def observations() -> Iterator[str]:
    """Yield observations of a recorded game, with a heading each."""
    from crafter.lm import CrafterACI

    recorded = importlib.import_module("helpers")  # of the tests
    aci = CrafterACI(seed=recorded.LONG_GAME_SEED, format="text+ascii", legend=True)
    texts = [aci.describe(aci.starting_obs)]
    for letter in recorded.LONG_GAME:
        action = aci.env.action_names[ord(letter) - ord("a")]
        texts.append(aci.act([action], stop_on="none").text)
    for step in range(0, len(texts), EVERY):
        yield f"===== {step}\n{texts[step]}\n"


def main() -> None:
    """Write both files."""
    sys.path[:0] = [str(ROOT), str(ROOT / "tests")]
    parser = make_parser(__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    path = folder / "parse.yaml"
    entries = yaml.safe_load(path.read_text("utf-8"))
    new = [parsed(entry["text"]) for entry in entries]
    text = yaml.safe_dump(new, allow_unicode=True, sort_keys=False, width=1000)
    path.write_text(text, "utf-8")
    (folder / "observations.txt").write_text("".join(observations()), "utf-8")


if __name__ == "__main__":
    main()
