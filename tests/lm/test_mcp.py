"""The server for the Model Context Protocol, driven by the client of its SDK."""

from __future__ import annotations

import base64
import json
import os
import pathlib
import sys

import pytest

import crafter
from crafter.lm import CrafterACI, rules, tutorial
from crafter.lm.agents.base import Briefing, Message
from crafter.lm.agents.players import ScriptedAgent
from crafter.lm.cli import make_parser

pytest.importorskip("mcp.server.mcpserver", reason="needs crafter[mcp]")
import anyio  # noqa: E402
from mcp import Client, StdioServerParameters  # noqa: E402
from mcp.client.stdio import stdio_client  # noqa: E402
from mcp.shared.exceptions import MCPError  # noqa: E402
from mcp.types import INVALID_PARAMS  # noqa: E402

from crafter.lm.game_host import GameHost  # noqa: E402
from crafter.lm.mcp import make_server  # noqa: E402

ROOT = pathlib.Path(crafter.__file__).parents[1]
# The SDK leaves the pipes of a finished server to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def server(*options):
    """Return how to start a server in a process of its own, as users do."""
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    words = ["-m", "crafter.lm.mcp", *map(str, options)]
    environment = {**os.environ, "PYTHONPATH": path}
    return stdio_client(
        StdioServerParameters(command=sys.executable, args=words, env=environment)
    )


def server_here(*options):
    """Return a server of this process, which starts at once."""
    settings = vars(make_parser().parse_args(["mcp", *map(str, options)]))
    del settings["command"]
    return make_server(GameHost(**settings))


def drive(play, *options, start=server_here):
    """Run a coroutine function with a client of a fresh server."""

    async def main():
        async with Client(start(*options)) as client:
            await play(client)

    anyio.run(main)


def text_of(result):
    return result.content[0].text


@pytest.mark.parametrize(
    "game, start",
    [("craftax", server_here), pytest.param("crafter", server, marks=pytest.mark.slow)],
)
def test_a_whole_short_game_equals_the_same_game_without_a_server(
    game, start, tmp_path
):
    alone = CrafterACI(game=game, seed=12, max_actions=60)

    async def play(client):
        settings = {"seed": 12, "max_actions": 60}
        started = await client.call_tool("new_game", settings)
        assert text_of(started).endswith(alone.starting_obs.text())
        agent = ScriptedAgent()
        agent.reset(Briefing(game=game, tables=alone.rules, max_actions=60))
        done, data = False, alone.starting_obs.json()
        while not done:
            seen = await client.call_tool("observe", {"format": "json"})
            told = json.loads(text_of(seen))
            assert told["view"] == data["view"] and told["vitals"] == data["vitals"]
            reply = agent.act(Message("", data))
            turn = await client.call_tool("act", {"actions": reply})
            expected = alone.act(reply)
            assert text_of(turn) == expected.text
            assert turn.structured_content["rewards"] == list(expected.rewards)
            done, data = turn.structured_content["done"], expected.observation.json()
        assert alone.done and alone.steps_taken == 60
        found = await client.call_tool("end_game", {})
        reached = [name for name, count in alone.achievements.items() if count]
        assert found.structured_content["achievements"] == reached and reached
        assert pathlib.Path(found.structured_content["record"]).parent == tmp_path

    drive(play, "--game", game, "--record", tmp_path, start=start)
    assert (tmp_path / "game-1.jsonl").read_text().count("\n") > 60


def test_tools_and_errors():
    async def play(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        names = "new_game act end_game observe look progress map actions rules"
        assert set(tools) == set(names.split())
        for tool in tools.values():
            assert tool.description and len(tool.description) <= 400
            assert "Raises" not in tool.description
            assert tool.input_schema["type"] == "object"
        schema = tools["new_game"].input_schema["properties"]
        assert {"task", "difficulty"} <= set(schema)

        async def refused(name, arguments, told):
            result = await client.call_tool(name, arguments)
            assert result.is_error and told in text_of(result), result
            assert not text_of(result).startswith("Error executing") or not arguments

        await refused("act", {"actions": "left"}, "There is no game")
        await refused("act", {}, "actions")
        await refused("new_game", {"format": "html"}, "Unknown format")
        for path in (__file__ + ".yaml", "tasks.yml:one"):  # models read no files
            await refused("new_game", {"task": path}, "an expression, not a file")
        for name in ("fly", "save"):  # nothing may be saved here
            with pytest.raises(MCPError, match="Unknown tool") as caught:
                await client.call_tool(name, {})
            assert caught.value.error.code == INVALID_PARAMS
        await client.call_tool("new_game", {"seed": 3, "max_actions": 2})
        await refused("act", {"actions": ["jump"]}, "Unknown action 'jump'")
        turn = await client.call_tool("act", {"actions": "left, up"})
        assert not turn.is_error
        picture = (await client.call_tool("look", {"size": 90})).content[0]
        assert picture.mime_type == "image/png"
        assert base64.b64decode(picture.data).startswith(b"\x89PNG")
        progress = await client.call_tool("progress", {})
        assert progress.structured_content["steps"] == 2
        assert text_of(await client.call_tool("rules", {})) == rules()
        assert "place_table: 2 wood" in text_of(await client.call_tool("actions", {}))

    drive(play)


def test_two_games_and_undo():
    async def play(client):
        await client.call_tool("new_game", {"seed": 3})
        await client.call_tool("new_game", {"seed": 4})
        kept = text_of(await client.call_tool("save", {"game": "game-1"}))
        await client.call_tool("act", {"actions": "left x2", "game": "game-1"})
        await client.call_tool("act", {"actions": "up"})
        back = await client.call_tool("restore", {"id": kept, "game": "game-1"})
        assert text_of(back).startswith("Step 0 of")
        seen = await client.call_tool("observe", {})
        assert text_of(seen).startswith("Step 1 of")
        drawn = await client.call_tool("map", {})
        assert text_of(drawn).startswith("Map of what you have seen")

    drive(play, "--allow-undo", "--memory-map")


def test_resources_and_prompts():
    async def play(client):
        async def read(uri):
            return (await client.read_resource(uri)).contents[0].text

        texts = {
            "crafter://rules/full": rules("full"),
            "crafter://rules/brief": rules("brief"),
            "crafter://tutorial": tutorial(),
        }
        found = {str(r.uri) for r in (await client.list_resources()).resources}
        assert found == {*texts, "crafter://tasks"}
        for uri, text in texts.items():
            assert await read(uri) == text
        assert "place_table: Place a table" in await read("crafter://tasks")
        await client.call_tool("new_game", {})
        await client.call_tool("act", {"actions": "left"})
        assert await read("crafter://game/game-1/log") == "1 move_left +0.0"
        with pytest.raises(MCPError, match="Unknown game"):
            await read("crafter://game/game-7/log")
        prompts = {p.name for p in (await client.list_prompts()).prompts}
        assert prompts == {"play", "task"}
        told = (await client.get_prompt("task", {"name": "place_table"})).messages[0]
        assert "Place a table" in told.content.text
        for name, arguments, why in [
            ("task", {"name": "fly"}, "Unknown name 'fly'"),
            ("task", {"name": "/etc/x.yaml"}, "not a file, got '/etc"),
            ("task", {"name": "x.yml:one"}, "not a file, got 'x.yml:one"),
            ("task", {}, "Missing required arguments.*name"),
            ("tusk", {"name": "eat_cow"}, "Unknown prompt: tusk"),
        ]:
            with pytest.raises(MCPError, match=why) as caught:
                await client.get_prompt(name, arguments)
            assert caught.value.error.code == INVALID_PARAMS
        message = (await client.get_prompt("play")).messages[0]
        assert rules("brief") in message.content.text

    drive(play)


def test_a_record_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("in the way")

    async def play(client):
        result = await client.call_tool("new_game", {})
        assert result.is_error and "File exists" in text_of(result)

    drive(play, "--record", tmp_path / "file")
