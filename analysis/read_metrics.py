"""Converts logs to score files: <task>-<method>.json, with an object per seed.

    python analysis/read_metrics.py logdir --output scores

Every stats.jsonl below a folder called <task>-<method>, such as crafter_reward-ppo, is
a run of that method. Its episodes count up to the budget, without the one that exceeds
it. Runs with fewer steps than the budget minus the longest possible episode, 10,000
steps in Crafter, are left out, unless --keep-short is given. Returns are those of the
Recorder.

The contents of a made_by.json beside the logs are copied to the score file; without
one, name the command that made the logs with --command.
"""

import dataclasses
import pathlib
from collections.abc import Sequence

import common
import print_scores

import crafter
from crafter import scoring
from crafter.core.options import Table

OPTIONS: Table = {
    "output": (pathlib.Path("scores"), pathlib.Path, "folder of the score files"),
    "gzip": (False, None, "compress the score files: .json.gz"),
    "keep-short": (False, None, "keep runs with too few steps"),
    "command": (None, str, "command that made the logs, for the score file"),
}


def main(argv: Sequence[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    parser = common.make_parser(__doc__, OPTIONS)
    args = parser.parse_args(argv)
    with common.errors(parser):
        methods = common.with_runs(common.read(args))
        if not args.keep_short:  # the reader has warned
            methods = [method.complete(args.budget) for method in methods]
        methods = [method for method in methods if method.runs]
        if not methods:
            raise scoring.RunError("no run has enough steps; --keep-short keeps all")
        args.output.mkdir(parents=True, exist_ok=True)
        for method in methods:
            name = f"{method.task}-{method.method}.json" + ".gz" * args.gzip
            path = args.output / name
            scoring.write_scores(
                path, [_with_provenance(r, args.command) for r in method.runs]
            )
            print(f"Wrote {path}.")
        print(print_scores.make_table(methods, digits=2).render("text"))


def _with_provenance(run: scoring.Run, command: str | None) -> scoring.Run:
    """Returns a run with its provenance."""
    if run.made_by or command is None:
        return run
    made_by = {"command": command, "crafter": crafter.__version__}
    return dataclasses.replace(run, made_by=made_by)


if __name__ == "__main__":
    main()
