"""Feeds what reads foreign input with hostile input, and says what did harm.

    python scripts/fuzz.py --minutes 60
    python scripts/fuzz.py --target set_state --target logs --seconds 30
    python scripts/fuzz.py --target set_state --seed 3 --case 1712

Each input is made from the name of its target, the seed and a number alone, so that
the command below a finding repeats it. A finding is anything but a result that holds
what is promised, or the documented error: other exceptions, a game that a refusal
changed, and an input that takes longer than --limit seconds of computing. Two findings
are one if they come from the same line of the package with the same kind of exception.

Exit status: 0 if nothing was found, 1 if something was.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import pathlib
import random
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator

from fuzzing import files, saved_games, starts, words
from fuzzing.target import Target

from crafter.core import arguments

#: Name -> what makes the target in a folder of its own.
TARGETS: dict[str, Callable[[pathlib.Path], Target]] = {
    "parse": words.Parsing,
    "replies": words.Playing,
    "logs": words.Logs,
    "packed_logs": words.Packed,
    "set_state": saved_games.crafter_game,
    "options": starts.crafter_game,
    "load_episode": files.Episodes,
    "save_files": files.SaveFiles,
    "scores": files.Results,
    "craftax_set_state": saved_games.craftax_game,
    "craftax_options": starts.craftax_game,
}
_PACKAGE = f"{pathlib.Path(arguments.__file__).parent}"
_MEMORY = 8 * 2**30  # bytes, so that an input cannot stop the machine


def main(argv: list[str] | None = None) -> None:
    """Runs the program with the given arguments, or those of the command line."""
    sys.exit(fuzz(make_parser().parse_args(argv)))


def fuzz(args: argparse.Namespace) -> int:
    """Feeds the chosen targets; returns 1 if something did harm, else 0."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        fuzzer = Fuzzer(args.target or list(TARGETS), args.seed, args.limit, folder)
        with contextlib.suppress(KeyboardInterrupt):
            if args.case is not None:
                fuzzer.one_each(args.case)
            else:
                fuzzer.run(args.seconds, args.cases)
    fuzzer.report()
    return 1 if fuzzer.findings else 0


def make_parser() -> argparse.ArgumentParser:
    """Returns the parser of the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add(
        "--target",
        action="append",
        choices=TARGETS,
        help="what to feed; may be given several times (default: everything)",
    )
    add(
        "--seed",
        type=arguments.not_negative,
        default=0,
        help="seed of the inputs (default: %(default)s)",
    )
    much = parser.add_mutually_exclusive_group()
    much.add_argument(
        "--seconds", type=_seconds(1), default=60.0, help="how long (default: 60)"
    )
    much.add_argument("--minutes", type=_seconds(60), dest="seconds", help="how long")
    much.add_argument(
        "--cases",
        type=arguments.positive,
        help="inputs for each target, instead of a time",
    )
    much.add_argument(
        "--case", type=arguments.not_negative, help="number of the one input to repeat"
    )
    add(
        "--limit",
        type=_seconds(1),
        default=60.0,
        help="seconds of computing that one input may take (default: %(default)g)",
    )
    return parser


def _seconds(unit: int) -> Callable[[str], float]:
    def read(text: str) -> float:
        number = float(text) * unit
        if not 0 < number < float("inf"):
            raise ValueError
        return number

    read.__name__ = "positive number"  # for the message of argparse
    return read


class TooLong(BaseException):
    """An input took longer than allowed; nothing that is tested catches it."""


class Fuzzer:
    """Feeds targets in turn, and collects what did harm.

    Args:
      names: Names of the targets.
      seed: Seed of the inputs.
      limit: Seconds of computing that one input may take.
      folder: Where the targets may write.

    Attributes:
      findings: Place and kind of the harm -> text that tells it.
    """

    def __init__(self, names: list[str], seed: int, limit: float, folder: str) -> None:
        self._seed, self._limit = seed, limit
        self._targets: dict[str, Target] = {}
        for name in dict.fromkeys(names):
            place = pathlib.Path(folder) / name
            place.mkdir()
            self._targets[name] = TARGETS[name](place)
        self._cases = dict.fromkeys(self._targets, 0)
        self._spent = dict.fromkeys(self._targets, 0.0)
        self._slowest = dict.fromkeys(self._targets, (0.0, 0))
        self.findings: dict[tuple[str, ...], str] = {}

    def run(self, seconds: float, cases: int | None) -> None:
        """Feeds all targets for a time that they share, or with some inputs each."""
        end = time.monotonic() + seconds
        if cases is not None:
            for name in self._targets:
                for number in range(cases):
                    self._feed(name, number)
            return
        while time.monotonic() < end:
            name = min(self._spent, key=self._spent.__getitem__)
            self._feed(name, self._cases[name])

    def one_each(self, number: int) -> None:
        """Feeds every target with the input of a number."""
        for name in self._targets:
            self._feed(name, number)

    def report(self) -> None:
        """Prints how many inputs there were, and which took longest."""
        for name, count in self._cases.items():
            seconds, slowest = self._slowest[name]
            print(
                f"{name}: {count} inputs in {self._spent[name]:.0f} s, "
                f"number {slowest} in {seconds:.1f} s"
            )
        print(f"{len(self.findings)} findings")

    def _feed(self, name: str, number: int) -> None:
        started = time.process_time()
        rng = random.Random(f"{name} {self._seed} {number}")
        try:
            with _time_limit(self._limit):
                self._targets[name].check(rng)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # whatever it is, it is what is looked for
            self._found(name, number, error)
        self._cases[name] += 1
        seconds = time.process_time() - started
        self._spent[name] += seconds
        self._slowest[name] = max(self._slowest[name], (seconds, number))

    def _found(self, name: str, number: int, error: BaseException) -> None:
        frames = traceback.extract_tb(error.__traceback__)
        inside = [f for f in frames if f.filename.startswith(_PACKAGE)] or frames
        place = f"{inside[-1].filename}:{inside[-1].lineno}"
        key = (name, place, type(error).__name__)
        if key in self.findings:
            return
        told = "".join(traceback.format_exception(error, limit=-12))
        self.findings[key] = (
            f"=== Finding {len(self.findings) + 1}: {name}, input {number}\n"
            f"{told[-6000:]}\n"
            f"Repeat it: python scripts/fuzz.py --target {name} --seed {self._seed} "
            f"--case {number}\n"
        )
        print(ascii_only(self.findings[key]), flush=True)


def ascii_only(text: str) -> str:
    """Returns a text that any terminal can show, and is not harmed by."""
    return "".join(c if c == "\n" or " " <= c <= "~" else ascii(c)[1:-1] for c in text)


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raises `TooLong` in what takes longer, on systems that can."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TooLong(f"took longer than {seconds:g} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def limit_memory() -> None:
    """Lets what asks for too much memory fail instead of the machine."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


if __name__ == "__main__":
    wanted = make_parser().parse_args()
    faulthandler.enable()
    limit_memory()
    sys.exit(fuzz(wanted))
