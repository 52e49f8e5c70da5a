"""Metadata of the package. The settings of the tools are in pyproject.toml."""

import pathlib
import re

import setuptools

ROOT = pathlib.Path(__file__).parent


def read_version() -> str:
    """Read the version from the one place that states it, without importing it."""
    path = ROOT / "crafter" / "core" / "version.py"
    found = re.search(r'^__version__ = "(.+)"$', path.read_text("utf-8"), re.MULTILINE)
    if not found:
        raise RuntimeError(f'{path} has no line of the form __version__ = "1.2.3".')
    return found.group(1)


EXTRAS = {
    # The window for people: python -m crafter.run_gui and render_mode="human".
    "gui": ["pygame-ce>=2.5"],
    # Writing mp4 files.
    "video": ["imageio-ffmpeg>=0.5"],
    # What scripts/demo.py needs.
    "demo": ["imageio-ffmpeg>=0.5", "tqdm>=4.60"],
    # Turning recorded episodes into a Minari data set: scripts/export_minari.py.
    "minari": ["minari[hdf5]>=0.5.4; python_version >= '3.11'"],
    # Turning recorded attempts into data for LeRobot: scripts/export_lerobot.py.
    "parquet": ["pyarrow>=17"],
    # Hundreds of games at once: gymnasium.make_vec("CrafterReward-v1", num_envs=...).
    "vector": ["gymnasium>=1.1", "numba>=0.60"],
    # The game as pure functions, compiled with the training loop: crafter.batch.jax.
    "jax": [
        "jax>=0.10; python_version >= '3.11'",
        "optax>=0.2; python_version >= '3.11'",  # brings an older JAX otherwise
        "tqdm>=4.60",
    ],
    # Tables, plots and statistics of scores: analysis/.
    "analysis": ["matplotlib>=3.8", "scipy>=1.15", "tqdm>=4.60"],
    # Training agents; outside "all" because of its size.
    "train": [
        "imageio-ffmpeg>=0.5",
        "sb3-contrib>=2.3",
        "stable-baselines3>=2.3",
        "tensorboard>=2.14",
        "torch>=2.3",
        "tqdm>=4.60",
    ],
    # Asking language models over HTTP: crafter-lm run --agent react.
    "lm": ["httpx2>=2.10"],
    # Serving games to clients of the Model Context Protocol: crafter-lm mcp.
    "mcp": ["mcp>=2.0,<3"],
    # Runs on a cluster: --ray of crafter-lm run, crafter-tasks run and verify, and of
    # scripts/record_random.py.
    "ray": ["ray>=2.40"],
    # Training on a cluster: scripts/train_rllib.py; outside "all" because of its size,
    # and since RLlib demands one release of Gymnasium.
    "rllib": ["numba>=0.60", "ray[rllib]>=2.60", "torch>=2.3"],
    # Frameworks that train and evaluate language models: crafter.lm.trainers; outside
    # "all" since some exclude each other.
    "gem": ["gem-llm>=0.1"],
    "inspect": ["inspect-ai>=0.3"],
    "nemo": ["nemo-gym>=0.4; python_version >= '3.12'"],
    "openenv": ["openenv>=0.10"],
    "skyrl": ["skyrl-gym>=0.4"],
    "verifiers": ["verifiers>=0.4; python_version >= '3.11'"],
    # Building the documentation: make docs.
    "docs": [
        "griffe-sphinx>=0.3",
        "mkdocs>=1.6,<2",
        "mkdocs-material>=9.6",
        "mkdocstrings[python]>=1.0",
    ],
    # Tests and checks.
    "dev": [
        "hypothesis>=6.90",
        "jsonschema>=4.20",
        "mypy>=1.13",
        "opencv-python-headless>=4.8",  # for wrappers of Gymnasium
        "pre-commit>=3.5",
        # pytest-xdist 3.8 cannot mark groups of tests under pytest 9.2.
        "pytest>=8.0,<9.2",
        "pytest-xdist>=3.5",
        "ruff>=0.12",
        "setuptools>=70.1",
        "tqdm>=4.60",
        "types-PyYAML",
        "types-jsonschema",
        "types-tqdm",
    ],
}
TRAINERS = ("gem", "inspect", "nemo", "openenv", "skyrl", "verifiers")
APART = ("train", "rllib", *TRAINERS)
EXTRAS["all"] = sorted(
    {need for name, needs in EXTRAS.items() if name not in APART for need in needs}
)

setuptools.setup(
    name="crafter",
    version=read_version(),
    description="Open world survival game for evaluating a wide range of agent "
    "abilities within a single environment.",
    long_description=(ROOT / "README.md").read_text("utf-8"),
    long_description_content_type="text/markdown",
    license="MIT",
    license_files=["LICENSE"],
    packages=setuptools.find_packages(include=["crafter", "crafter.*"]),
    package_data={
        "": ["*.yaml"],
        "crafter": ["py.typed"],
        "crafter.games.crafter": [
            "agents/*.npz",
            "assets/*.png",
            "players/*.npz",
            "tasks/data/**/*.yaml",
            "tasks/data/**/*.json",
            "tasks/data/*.gz",
            "text/data/*.yaml",
        ],
        "crafter.games.craftax": [
            "agents/*.npz",
            "assets/*.png",
            "tasks/data/**/*.yaml",
            "tasks/data/*.gz",
            "text/data/*.yaml",
        ],
        "crafter.tasks": ["data/*.yaml", "data/page.*"],
        "crafter.gui": ["*.html"],
        "crafter.reporting": ["*.css", "*.mplstyle"],
        "crafter.lm": ["data/*.yaml", "rendering/*.json", "agents/prompts/*.txt"],
    },
    entry_points={
        "console_scripts": [
            "crafter=crafter.__main__:main",
            "crafter-lm=crafter.lm.cli:main",
            "crafter-tasks=crafter.tasks.cli:main",
        ],
        # Makes `inspect eval crafter/crafter` known.
        "inspect_ai": ["crafter=crafter.lm.trainers.inspect"],
    },
    python_requires=">=3.10",
    install_requires=[
        "gymnasium>=0.29",
        "imageio>=2.33",
        "numpy>=1.24",
        "opensimplex>=0.4",  # the reference that the noise of worlds is proved against
        "pillow>=10.1",
        "PyYAML>=6.0",
    ],
    extras_require=EXTRAS,
    keywords=["reinforcement learning", "environment", "benchmark", "open world"],
    classifiers=[
        "Intended Audience :: Science/Research",
        "Operating System :: OS Independent",
        "Programming Language :: Python :: 3",
        "Programming Language :: Python :: 3.10",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Topic :: Games/Entertainment",
        "Topic :: Scientific/Engineering :: Artificial Intelligence",
        "Typing :: Typed",
    ],
)
