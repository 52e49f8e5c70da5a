"""Lets `python -m crafter.lm.mcp` start the server of `crafter.lm.serve.mcp`."""

from crafter.lm.serve.mcp import main, make_server, serve

__all__ = ["main", "make_server", "serve"]

if __name__ == "__main__":
    main()
