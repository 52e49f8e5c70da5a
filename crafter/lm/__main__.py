"""Runs the command `crafter-lm` as `python -m crafter.lm`."""

import sys

from crafter.lm.cli import main

if __name__ == "__main__":
    sys.exit(main())
