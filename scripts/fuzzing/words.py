"""Hostile replies for the text interface, and damaged logs of its runs."""

from __future__ import annotations

import itertools
import json
import pathlib
import random
from typing import Any

from crafter.lm import CrafterACI, parse
from crafter.lm.agents import ReplayAgent
from crafter.lm.runs import logs, packed, summary, verify
from crafter.lm.runs.game import log_path
from crafter.lm.runs.protocols import Protocol, protocol
from crafter.lm.runs.runner import run
from fuzzing import damage, replies
from fuzzing.target import Folder, expect

_REPLIES = ["left x3", "jump", "do", '{"action": "up"}', "sleep until awake"]


class Parsing(Folder):
    """Replies that are read as actions, or as an error that can be written."""

    def check(self, rng: random.Random) -> None:
        """Reads one reply."""
        source: Any = rng.choice((replies.texts, replies.values))
        reply = next(source(rng))
        result = parse(reply, indices=rng.random() < 0.5)
        expect(result.actions or result.error, "neither actions nor an error")
        if result.error:
            result.error.message.encode()
            result.error.piece.encode()
            expect(len(result.error.message) < 1000, "a long message")


class Playing(Folder):
    """Games in words that go on whatever is replied."""

    def check(self, rng: random.Random) -> None:
        """Plays a few calls of one game."""
        format = rng.choice(("text", "xml", "json"))
        game = CrafterACI(
            seed=rng.randrange(4), invalid_limit=None, stop_on="none", format=format
        )
        for text in itertools.islice(replies.texts(rng), 3):
            turn = game.act(text)
            expect(turn.text.encode(), "an empty message")
            expect(turn.steps or turn.error, "neither a step nor an error")
            if game.done:
                return


class Logs(Folder):
    """Logs of runs: summarised, verified and continued, or refused."""

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(folder)
        self._protocol: Protocol = protocol(
            "crafter-lm-v1", rollouts=1, interface={"max_calls": len(_REPLIES)}
        )
        run(self._protocol, lambda: ReplayAgent(_REPLIES), folder)
        self._header = (folder / "run.json").read_bytes()
        self._log = log_path(folder, 0).read_bytes()
        packed.pack(folder, folder / "run.jsonl.gz")

    def check(self, rng: random.Random) -> None:
        """Damages a log or its header, and uses it in all ways."""
        header, log = self._header, self._log
        if rng.random() < 0.3:
            header = self._other_header(rng)
        else:
            log = next(replies.damaged(log, rng))
        for use in (self._summarise, self._verify, self._go_on):
            (self.folder / "run.json").write_bytes(header)
            log_path(self.folder, 0).write_bytes(log)
            try:
                use()
            except ValueError as error:  # LogError is one
                expect(len(str(error)) < 5000, f"a long message: {str(error)[:200]}")

    def _other_header(self, rng: random.Random) -> bytes:
        if rng.random() < 0.5:
            return damage.content(self._header, rng)
        changed = damage.mutated(json.loads(self._header), rng)
        return json.dumps(changed, default=repr).encode()

    def _summarise(self) -> None:
        summary.markdown(summary.summarise(self.folder))

    def _verify(self) -> None:
        list(verify.problems(self.folder))

    def _go_on(self) -> None:
        run(self._protocol, lambda: ReplayAgent(_REPLIES), self.folder)


class Packed(Folder):
    """Packed runs: unpacked, or refused."""

    def __init__(self, folder: pathlib.Path) -> None:
        super().__init__(folder)
        Logs(folder)
        self._whole = (folder / "run.jsonl.gz").read_bytes()
        self._numbers = itertools.count()

    def check(self, rng: random.Random) -> None:
        """Unpacks one damaged file."""
        path = self.folder / "damaged.jsonl.gz"
        path.write_bytes(damage.content(self._whole, rng))
        target = self.folder / f"unpacked-{next(self._numbers)}"
        try:
            packed.unpack(path, target)
        except (logs.LogError, OSError, ValueError):
            return
        expect((target / "run.json").exists(), "no header was unpacked")
