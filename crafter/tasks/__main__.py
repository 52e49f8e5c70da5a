"""Runs `crafter-tasks` as `python -m crafter.tasks`."""

import sys

from crafter.tasks.cli import main

if __name__ == "__main__":
    sys.exit(main())
