"""Published packages, each installed on request into its own folder."""

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple


class InstallError(RuntimeError):
    """A published package could not be installed."""


class Release(NamedTuple):
    """One version of a package.

    Attributes:
        name: Name in the package index.
        version: Its version.
        requirements: Requirements for pip.
        dependencies: Whether pip also installs their dependencies.
    """

    name: str
    version: str
    requirements: tuple[str, ...]
    dependencies: bool = False

    @property
    def title(self) -> str:
        """Display name and version."""
        return f"{self.name.capitalize()} {self.version}"

    @property
    def folder(self) -> Path:
        """Default installation folder, in the user's cache."""
        cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
        return cache / "crafter" / f"{self.name}-{self.version}"

    def install(self, folder: Path | str) -> Path:
        """Install the release with pip, unless the folder has it already.

        Args:
            folder: Where to install.

        Returns:
            The folder.

        Raises:
            InstallError: If pip fails, for example because no package index is
                reachable.
        """
        folder = Path(folder).expanduser().resolve()
        if (folder / f"{self.name}-{self.version}.dist-info").is_dir():
            return folder
        print(f"Installing {self.title} into {folder}", file=sys.stderr)
        command = [sys.executable, "-m", "pip", "install", "--quiet"]
        command += [] if self.dependencies else ["--no-deps"]
        command += ["--disable-pip-version-check", "--target", str(folder)]
        result = subprocess.run(
            [*command, *self.requirements], capture_output=True, text=True
        )
        if result.returncode:
            raise InstallError(
                f"{self.title} could not be installed into {folder}. It needs a "
                f"package index, such as https://pypi.org.\n{result.stderr.strip()}"
            )
        return folder


CRAFTER = Release(
    "crafter",
    "1.8.3",
    # The package also needs numpy, pillow and imageio; so does ours, and both sides
    # have to use the same ones.
    ("crafter==1.8.3", "ruamel.yaml>=0.17", "opensimplex==0.4.5.1"),
)
CRAFTAX = Release("craftax", "1.6.1", ("craftax==1.6.1",), dependencies=True)
