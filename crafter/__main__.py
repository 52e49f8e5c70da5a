"""The command `crafter`, also `python -m crafter`.

crafter                          the title screen in a window, as `crafter play`
crafter --game craftax           play at once, with options of `play`
crafter play --help              the options of playing
crafter replay FILE              play back a recorded episode or an attempt
crafter record DIR               play, and record all of it into a folder
crafter terminal                 play in this terminal, a key a step
crafter tasks ...                look at tasks, run and score agents at them
crafter lm ...                   games for language models
crafter random ...               random play, timed
crafter --version
"""

from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Sequence

import crafter

#: Command -> module with its `main`, and leading arguments.
COMMANDS = {
    "play": ("crafter.run_gui", ()),
    "replay": ("crafter.run_gui", ("--replay",)),
    "record": ("crafter.run_gui", ("--record",)),
    "terminal": ("crafter.run_gui", ("--terminal",)),
    "tasks": ("crafter.tasks.cli", ()),
    "lm": ("crafter.lm.cli", ()),
    "random": ("crafter.run_random", ()),
}
#: Command -> required next argument.
NEEDED = {
    "replay": "FILE, a recorded episode or an attempt",
    "record": "DIR, the folder to record into",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command and returns its exit code; without a command, opens the window."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    first = words[0] if words else ""
    if first in ("--version", "--help", "-h"):
        print(crafter.__version__ if first == "--version" else (__doc__ or "").strip())
        return 0
    name = "play" if first.startswith("-") or not words else words.pop(0)
    if name not in COMMANDS:
        near = difflib.get_close_matches(name, COMMANDS, 1)
        hint = f"did you mean {near[0]}?" if near else f"it is {', '.join(COMMANDS)}"
        print(f"crafter: error: unknown command {name!r}; {hint}", file=sys.stderr)
        return 2
    module, given = COMMANDS[name]
    if name in NEEDED and words[:1] in (["--help"], ["-h"]):
        given = ()
    elif name in NEEDED and (not words or words[0].startswith("-")):
        print(f"crafter {name}: error: it needs {NEEDED[name]}", file=sys.stderr)
        return 2
    return importlib.import_module(module).main([*given, *words]) or 0


if __name__ == "__main__":
    sys.exit(main())
