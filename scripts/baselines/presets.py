"""Published experiments: `--preset craftax-1m --algorithm icm` sets all options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

_TABLE = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
PRESETS: list[str] = _TABLE["presets"]
ALGORITHMS: dict[str, list[str]] = _TABLE["algorithms"]


def settings(preset: str, algorithm: str) -> dict[str, Any]:
    """Returns the options of an algorithm in a published experiment."""
    sections = ["all", preset, *ALGORITHMS[algorithm], algorithm]
    sections.append(f"{algorithm} {preset}")
    return {k: v for n in sections for k, v in _TABLE.get(n, {}).items()}
