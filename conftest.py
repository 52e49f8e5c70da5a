"""What of the package can be looked at for doctests."""

import importlib.util

# Modules that import an optional package cannot be collected without it.
collect_ignore_glob = []
if importlib.util.find_spec("numba") is None:
    collect_ignore_glob.append("crafter/games/crafter/cpu/*")
if importlib.util.find_spec("jax") is None:
    collect_ignore_glob += ["crafter/games/crafter/jax/*", "crafter/functional/*"]
    collect_ignore_glob.append("crafter/games/craftax/jax/*")
if importlib.util.find_spec("stable_baselines3") is None:
    collect_ignore_glob.append("crafter/compiled/sb3.py")
# Adapters of frameworks that exclude each other; they have no doctests.
for _name in ("gem", "inspect", "nemo", "openenv", "skyrl", "verifiers"):
    collect_ignore_glob.append(f"crafter/lm/trainers/{_name}.py")
