"""Tries command lines: runs each program with its arguments and `--help` after them.

So the arguments are read, and refused if they are wrong, but nothing is done. All
programs run in this one process, which is much faster than one for each. Reads a JSON
list of lists of words from standard input, each as Python would get it, and prints a
JSON list of [words, exit code, output].
"""

import contextlib
import io
import json
import pathlib
import runpy
import sys
import traceback


def try_command(words: list[str]) -> tuple[int, str]:
    """Returns exit code and output of a program that is asked for help."""
    as_module = words[0] == "-m"
    program, *rest = words[as_module:]
    sys.argv = [program, *rest, "--help"]
    sys.path[0] = "" if as_module else str(pathlib.Path(program).resolve().parent)
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            run = runpy.run_module if as_module else runpy.run_path
            run(program, run_name="__main__")
            code = 0
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else int(bool(stop.code))
        except BaseException:
            code = 1
            traceback.print_exc()
    return code, output.getvalue()


if __name__ == "__main__":
    results = [(words, *try_command(words)) for words in json.load(sys.stdin)]
    print(json.dumps(results))
