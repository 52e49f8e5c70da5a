"""Lets `python -m crafter.lm` be the command `crafter-lm`."""

import sys

from crafter.lm.cli import main

if __name__ == "__main__":
    sys.exit(main())
