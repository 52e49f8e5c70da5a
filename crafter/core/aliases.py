"""Second names for packages: importing either name gives the same module objects."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
from collections.abc import Mapping
from types import ModuleType
from typing import Any


class AliasFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds the modules of a package under a second name, as part of `sys.meta_path`.

    Args:
      packages: Second name -> name of the package, as in `import`. Submodules follow.
    """

    def __init__(self, packages: Mapping[str, str]):
        self.packages = dict(packages)

    def find_spec(
        self, fullname: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Returns a spec that loads the module of the first name, if it is an alias."""
        for alias, name in self.packages.items():
            if fullname == alias or fullname.startswith(alias + "."):
                state = name + fullname[len(alias) :]
                return importlib.machinery.ModuleSpec(
                    fullname, self, loader_state=state
                )
        return None

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Imports the module by its first name."""
        module = importlib.import_module(spec.loader_state)
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Gives the module its own spec back, which the import system has replaced."""
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state
