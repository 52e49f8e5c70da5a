"""Package aliases: importing either name yields the same module objects."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
from collections.abc import Mapping
from types import ModuleType
from typing import Any


class AliasFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Meta path finder that resolves an alias to the modules of a package.

    Args:
      packages: Alias -> package name, as imported. Submodules are included.
    """

    def __init__(self, packages: Mapping[str, str]):
        self.packages = dict(packages)

    def find_spec(
        self, fullname: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Returns a spec that loads the aliased module, or None if it is no alias."""
        for alias, name in self.packages.items():
            if fullname == alias or fullname.startswith(alias + "."):
                state = name + fullname[len(alias) :]
                return importlib.machinery.ModuleSpec(
                    fullname, self, loader_state=state
                )
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Imports the module by its real name."""
        module = importlib.import_module(spec.loader_state)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Restores the module's own spec, which the import system has replaced."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state
