"""What of the package can be looked at for doctests."""

import importlib.util

# Modules that import an optional package cannot be collected without it.
collect_ignore_glob = []
if importlib.util.find_spec("numba") is None:
    collect_ignore_glob.append("crafter/batch/cpu/*")
if importlib.util.find_spec("jax") is None:
    collect_ignore_glob += ["crafter/batch/jax/*", "crafter/functional/*"]
    collect_ignore_glob.append("crafter/craftax/jax/*")
if importlib.util.find_spec("stable_baselines3") is None:
    collect_ignore_glob.append("crafter/batch/sb3.py")
