"""What of the package can be looked at for doctests."""

import importlib.util

# Modules that import numba cannot be collected without it.
collect_ignore_glob = []
if importlib.util.find_spec("numba") is None:
    collect_ignore_glob.append("crafter/batch/cpu/*")
