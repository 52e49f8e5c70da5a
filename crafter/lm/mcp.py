"""Server for the Model Context Protocol.

Started by `crafter-lm mcp` or `python -m crafter.lm.mcp`; communicates over standard
input and output. Writes nothing to disk without `--record`.
"""

from __future__ import annotations

import functools
import inspect
import json
import runpy
import sys
from collections.abc import Callable
from importlib import metadata
from typing import Any

import gymnasium

from crafter.lm.game import refuse_file, tutorial
from crafter.lm.game_host import GameHost
from crafter.lm.rendering.words import INTERFACE
from crafter.tasks import all_tasks
from crafter.tasks import game as tasks

try:
    from mcp.server.mcpserver import Image, MCPServer
    from mcp.server.mcpserver.exceptions import ResourceNotFoundError
    from mcp.server.mcpserver.resources import TextResource
    from mcp.shared.exceptions import MCPError
    from mcp.types import INVALID_PARAMS, CallToolResult, TextContent
except ImportError as error:
    raise ImportError(
        "The server needs the official SDK, version 2: pip install 'crafter[mcp]'"
    ) from error

#: `GameHost` methods offered as tools; their docstrings are the tool descriptions.
TOOLS = (
    *("new_game", "act", "end_game", "observe", "look"),
    *("progress", "map", "actions", "rules"),
)
UNDO_TOOLS = ("save", "restore")
_TEXTS: dict[str, str] = INTERFACE["server"]


class Server(MCPServer):
    """MCP server whose errors contain only the reason."""

    async def call_tool(self, name: str, *arguments: Any, **more: Any) -> Any:
        """Calls a tool.

        Raises:
          MCPError: If there is no such tool.
        """
        names = [tool.name for tool in await self.list_tools()]
        if name not in names:
            message = f"Unknown tool {name!r}; there are {names}."
            raise MCPError(code=INVALID_PARAMS, message=message)
        return await super().call_tool(name, *arguments, **more)

    async def get_prompt(self, *arguments: Any, **more: Any) -> Any:
        """Returns a prompt.

        Raises:
          MCPError: If there is no such prompt, or its arguments are invalid.
        """
        try:
            return await super().get_prompt(*arguments, **more)
        except ValueError as error:
            reason: BaseException = error
            while reason.__cause__ is not None:
                reason = reason.__cause__
            raise MCPError(code=INVALID_PARAMS, message=str(reason)) from None


def make_server(host: GameHost) -> MCPServer:
    """Returns a server for the games of a host."""
    server = Server(
        "crafter",
        title=host.game.title,
        instructions=_TEXTS["instructions"].format(title=host.game.title),
        version=metadata.version("crafter"),
        log_level="WARNING",
    )
    for name in TOOLS + (UNDO_TOOLS if host.allow_undo else ()):
        _add_tool(server, getattr(host, name))
    _add_texts(server, host)
    return server


def _add_tool(server: MCPServer, method: Callable[..., Any]) -> None:
    """Registers a method of a host as a tool; rejected calls become tool errors."""

    @functools.wraps(method)
    def call(*args: Any, **fields: Any) -> Any:
        try:
            return _content(method(*args, **fields))
        except (ValueError, OSError, gymnasium.error.Error) as error:
            return _content(str(error), is_error=True)

    text = (inspect.getdoc(method) or "").split("\n\nRaises:")[0]
    tool = server.tool(method.__name__, description=text, structured_output=False)
    tool(call)


def _content(result: Any, is_error: bool = False) -> Any:
    """Converts the result of a method of the host to MCP content."""
    if isinstance(result, bytes):
        return Image(data=result, format="png")
    data, text = result if isinstance(result, tuple) else (result, result)
    text = text if isinstance(text, str) else json.dumps(text)
    content = TextContent(type="text", text=text)
    structured = data if isinstance(data, dict) else None
    return CallToolResult(
        content=[content], structured_content=structured, is_error=is_error
    )


def _add_texts(server: MCPServer, host: GameHost) -> None:
    texts = {
        "crafter://rules/full": host.rules("full"),
        "crafter://rules/brief": host.rules("brief"),
        "crafter://tutorial": tutorial(host.tables, game=host.game.name),
    }
    if host.game.planner:
        names = all_tasks(tasks.find(host.game.name))
        named = ((name, host.game.task(name).text()) for name in names)
        texts["crafter://tasks"] = "\n".join(map(": ".join, named))

        @server.prompt()
        def task(name: str) -> str:
            """Play a game and achieve a task."""
            refuse_file(name)
            goal = host.game.task(name, rules=host.tables).text()
            fields = {"title": host.game.title, "name": name, "goal": goal}
            return _TEXTS["task"].format(rules=host.rules("brief"), **fields)

    for uri, text in texts.items():
        server.add_resource(TextResource(uri=uri, name=uri, text=text))

    @server.resource("crafter://game/{game}/log")
    def game_log(game: str) -> str:
        """The actions of a game so far."""
        try:
            return host.log(game)
        except ValueError as error:
            raise ResourceNotFoundError(str(error)) from None

    @server.prompt()
    def play() -> str:
        """Play a game and unlock as many achievements as possible."""
        return _TEXTS["play"].format(title=host.game.title, rules=host.rules("brief"))


def serve(host: GameHost) -> None:
    """Serves the games of a host over standard input and output until it closes."""
    try:
        make_server(host).run("stdio")
    finally:
        host.close()


if __name__ == "__main__":
    sys.argv.insert(1, "mcp")
    runpy.run_module("crafter.lm", run_name="__main__")
