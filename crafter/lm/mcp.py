"""Lets `python -m crafter.lm.mcp` be the command `crafter-lm mcp`."""

import sys

from crafter.lm.cli import main
from crafter.lm.serve.mcp import make_server, serve

__all__ = ["make_server", "serve"]

if __name__ == "__main__":
    sys.exit(main(["mcp", *sys.argv[1:]]))
