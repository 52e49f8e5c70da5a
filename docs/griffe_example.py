"""Lets the reference show the section `Example:` of docstrings as Python sessions."""

from __future__ import annotations

import re
from typing import Any

import griffe


class PluralExamples(griffe.Extension):
    """Calls the section `Examples:`, the only name that Griffe knows."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Changes the docstring of an object."""
        if obj.docstring:
            value = obj.docstring.value
            obj.docstring.value = re.sub(r"(?m)^Example:$", "Examples:", value)
