"""What is installed: a whole wheel, with metadata that agrees with the code."""

from __future__ import annotations

import email
import importlib.metadata
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import zipfile

import pytest

import crafter

PACKAGE = pathlib.Path(crafter.__file__).parent
ROOT = pathlib.Path(__file__).parents[1]
CORE = {"gymnasium", "imageio", "numpy", "opensimplex", "pillow", "pyyaml"}
EXTRAS = {"all", "analysis", "demo", "dev", "docs", "gui", "jax", "lm", "mcp", "minari"}
EXTRAS |= {"parquet", "ray", "rllib", "train", "vector", "video"}
TRAINERS = {"gem", "inspect", "nemo", "openenv", "skyrl", "verifiers"}
EXTRAS |= TRAINERS
APART = {"rllib", "train", *TRAINERS}
FOLDERS = {"analysis", "crafter", "docs", "scores", "scripts", "tests"}

in_checkout = pytest.mark.skipif(
    not (ROOT / "setup.py").exists(), reason="needs a checkout of the project"
)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> zipfile.ZipFile:
    """Build a wheel from a copy of the checkout, without a network."""
    pytest.importorskip("setuptools", minversion="70.1", reason="builds the wheel")
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ["setup.py", "pyproject.toml", "README.md", "LICENSE", "MANIFEST.in"]:
        shutil.copy(ROOT / name, source)
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "crafter", source / "crafter", ignore=ignore)
    command = [sys.executable, "-m", "pip", "wheel", str(source), "--no-deps"]
    command += ["--no-build-isolation", "--no-index", "--wheel-dir", str(folder)]
    # Warnings that the tests turn into errors are not those of the build.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONWARNINGS"}
    result = subprocess.run(command, capture_output=True, text=True, env=env)
    assert result.returncode == 0, result.stderr
    (path,) = folder.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.mark.slow
@in_checkout
def test_wheel_has_every_file_of_the_package_and_no_other(wheel):
    paths = (path for path in PACKAGE.rglob("*") if path.is_file())
    expected = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in paths
        if "__pycache__" not in path.parts
    }
    packed = {name for name in wheel.namelist() if name.startswith("crafter/")}
    assert packed == expected
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert tops == {"crafter", f"crafter-{crafter.__version__}.dist-info"}


@pytest.mark.slow
@in_checkout
def test_source_distribution_is_the_whole_project(tmp_path):
    """Whoever unpacks it can run all tests."""
    pytest.importorskip("setuptools", minversion="70.1", reason="builds it")
    source = tmp_path / "source"
    own = ("*.pyc", "__pycache__", "*.nb[ci]", "*.egg-info")
    source.mkdir()
    for path in ROOT.iterdir():
        if path.name in FOLDERS:
            ignore = shutil.ignore_patterns(*own)
            shutil.copytree(path, source / path.name, ignore=ignore)
        elif path.is_file() and not path.name.startswith("."):
            shutil.copy(path, source)
    files = {p.relative_to(source).as_posix() for p in source.rglob("*") if p.is_file()}
    build = "from setuptools import build_meta; build_meta.build_sdist('dist')"
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True)
    (path,) = (source / "dist").glob("*.tar.gz")
    with tarfile.open(path) as packed:
        members = [m.name for m in packed.getmembers() if m.isfile()]
    found = {name.partition("/")[2] for name in members}
    assert files - found == set()
    assert "tests/conftest.py" in found and "docs/images/play.gif" in found


@in_checkout
def test_wheel_metadata(wheel):
    folder = f"crafter-{crafter.__version__}.dist-info"
    metadata = email.message_from_bytes(wheel.read(f"{folder}/METADATA"))
    found = metadata.get_all("Requires-Dist")
    core = {r.split(">=")[0].lower() for r in found if "extra ==" not in r}
    assert core == CORE
    assert set(metadata.get_all("Provides-Extra")) == EXTRAS
    assert metadata["Requires-Python"] == ">=3.10"
    assert metadata["License"] == "MIT" or metadata["License-Expression"] == "MIT"

    def needs(extra: str) -> set[str]:
        return {r.split(";")[0] for r in found if f'extra == "{extra}"' in r}

    # All is every extra but those with PyTorch and those that exclude each other.
    assert needs("all") == set().union(*map(needs, EXTRAS - {"all"} - APART))
    names = ("ray[rllib]", "stable", "torch")
    large = {n for extra in APART for n in needs(extra) if n.startswith(names)}
    assert len(large) == 3 and not needs("all") & large
    scripts = wheel.read(f"{folder}/entry_points.txt").decode().split("\n")
    assert scripts[:2] == ["[console_scripts]", "crafter = crafter.__main__:main"]


def test_installed_version_is_that_of_the_code():
    try:
        installed = importlib.metadata.distribution("crafter")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("the package is not installed, only importable")
    assert installed.version == crafter.__version__


def test_everything_at_the_root_is_in_the_tree_of_the_readme():
    if not (ROOT / ".git").exists():
        pytest.skip("needs a checkout of the project")
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    found = {name.split("/")[0] for name in listed if not name.startswith(".")}
    readme = (ROOT / "README.md").read_text("utf-8")
    tree = readme[readme.index("The repository:") :].split("```")[1]
    tree = tree.removeprefix("text")
    lines = [line.split() for line in tree.strip().splitlines()]
    folders = {line[0].rstrip("/") for line in lines if line[0].endswith("/")}
    files = {name for line in lines if not line[0].endswith("/") for name in line}
    assert found == folders | files
