"""Compilation of kernels with numba, and their cache on disk.

This module uses parts of numba that are not public, for two reasons. With public ones
(`njit(cache=True)`) the first use of pixels takes 27 seconds of one core instead of 14,
since functions that only compiled ones call become machine code of their own, and 256
games take 4 % (compact) and 7 % (pixels) fewer steps in a second. And a
process crashes that reads from the disk what two others have compiled for two layouts
of records (see `_Compiler`), or runs what was compiled from other sources (`_Cache`).
"""

from __future__ import annotations

import functools
import hashlib
import itertools
import pathlib
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba.core import caching, codegen, compiler, event

_MESSAGE = (
    "crafter: compiling the batched engine for this configuration. This can take a "
    "minute, once; later starts read the result from the disk."
)


@functools.cache
def _fingerprint(module: str) -> str:
    """Returns a hash of all that the compiled functions of a module have frozen in.

    These are the sources and tables in its folder, in the one above, where the rules of
    a game are, and in this one.
    """
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        return ""
    own = pathlib.Path(file).resolve().parent
    folders = own, own.parent, pathlib.Path(__file__).resolve().parent
    kinds = itertools.product(folders, ("*.py", "*.yaml"))
    files = sorted({path for folder, kind in kinds for path in folder.glob(kind)})
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


class _Cache(caching.FunctionCache):
    """A cache on disk that notices changes in other files.

    Numba's own looks only at the file of the function itself, although the
    functions that it calls and the tables that they read are frozen into the code.
    What cannot be written is kept in memory alone.

    Raises:
      RuntimeError: If there is no place for files.
    """

    def _index_key(self, *args: Any) -> tuple:
        return (*super()._index_key(*args), _fingerprint(self._py_func.__module__))

    def save_overload(self, *args: Any) -> None:
        """Writes a compiled function, if that is possible."""
        try:
            super().save_overload(*args)
        except OSError as error:
            _warn_unsaved(str(error))


_unsaved: list[str] = []


def _warn_unsaved(reason: str) -> None:
    """Warns, once, that compiled code cannot be kept."""
    if not _unsaved:
        warnings.warn(
            "The compiled code of the batched engine cannot be kept on the disk, so "
            "every process compiles it anew, which can take a minute. Let the variable "
            "NUMBA_CACHE_DIR name a folder that can be written. "
            f"The reason: {reason}",
            RuntimeWarning,
            stacklevel=2,
        )
    _unsaved.append(reason)


class _Compiler(compiler.Compiler):
    """A compiler that names functions by their contents alone.

    Numba makes the name of a compiled function from its name in Python, a number, and
    its argument types, of which records count as another number. Both numbers start
    anew in every process. So two processes can give one name to functions for two
    layouts of records, and a third process that reads both from the cache then calls
    the wrong one. The number set here is a hash of what the function is.
    """

    def define_pipelines(self) -> Any:
        """Numbers the function, then compiles it as usual."""
        identity = self.state.func_id
        sources = _fingerprint(identity.modname)
        contents = [sources, identity.modname, identity.func_qualname]
        contents += [str(argument) for argument in self.state.args]
        digest = hashlib.sha256("\n".join(contents).encode()).hexdigest()
        identity.unique_id = int(digest[:16], 16)
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
        return super().define_pipelines()


class _Codegen:
    """Numba's generator of code, for functions that have no machine code of their own.

    Args:
      codegen: The generator for other functions, which does all the rest.
    """

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, env: Any) -> None:
        """Does nothing: it would write into machine code, of which there is none."""


class _InnerLibrary(codegen.JITCodeLibrary):
    """The code of a function that only compiled ones call.

    It is optimised, becomes machine code and is kept on the disk as a part of them.
    Numba would do all that here, too, for code that nothing ever runs, in a third of
    the time that compiling takes.
    """

    @property
    def codegen(self) -> Any:
        """Returns the generator of code."""
        return _Codegen(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        """Returns 0, which says that there is no machine code."""
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _InnerCompiler(_Compiler):
    """A compiler of functions that only compiled ones call."""

    def define_pipelines(self) -> Any:
        """Has the code kept in a library of its own kind."""
        codegen = self.state.targetctx.codegen()
        name = self.state.func_id.func_qualname
        self.state.library = _InnerLibrary(codegen, name)
        return super().define_pipelines()


class _Announcer(event.Listener):
    """Announces on stderr that something is compiled, before it takes long."""

    def __init__(self) -> None:
        self._told = False

    def on_start(self, event: event.Event) -> None:
        """Prints the message at the first function of this engine."""
        module = event.data["dispatcher"].py_func.__module__ or ""
        if not self._told and module.startswith("crafter."):
            self._told = True
            print(_MESSAGE, file=sys.stderr, flush=True)

    def on_end(self, event: event.Event) -> None:
        """Does nothing."""


event.register("numba:compile", _Announcer())


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compiles a function to machine code on first use, cached on disk.

    No fast-math: results must equal those of NumPy bit for bit. The interpreter lock
    is released, so that threads run side by side.
    """
    dispatcher = _dispatcher(function, _Compiler, **options)
    try:
        dispatcher._cache = _Cache(dispatcher.py_func)
    except RuntimeError as error:
        _warn_unsaved(str(error))
    return dispatcher


def inner(function: Callable[..., Any], **options: Any) -> Any:
    """Compiles a function that only compiled ones call, as a part of each of them."""
    options["no_cpython_wrapper"] = True
    dispatcher = _dispatcher(function, _InnerCompiler, **options)

    def add_overload(result: Any) -> None:
        dispatcher.overloads[tuple(result.signature.args)] = result

    # Called from Python without its wrapper, it would crash.
    def refuse(*args: Any, **names: Any) -> None:
        raise TypeError(
            f"{dispatcher.py_func.__name__} is called by compiled code alone; to call "
            "it from Python, mark it @compiled."
        )

    dispatcher.add_overload = add_overload
    dispatcher._compile_for_args = refuse
    return dispatcher


#: Compile with fast-math, for approximate numbers only.
compiled_roughly = functools.partial(compiled, fastmath=True)
inner_roughly = functools.partial(inner, fastmath=True)
#: Compiles as `inner` does, but puts the source in the place of every call: a call
#: hands over all that arrays are made of, so with many of them it takes time.
pasted = functools.partial(inner, inline="always")


def _dispatcher(
    function: Callable[..., Any],
    pipeline: type[compiler.CompilerBase],
    **options: Any,
) -> Any:
    # What numba's types do not know: nothing calls these functions by address, and
    # to compile wrappers for that takes time.
    options["no_cfunc_wrapper"] = True
    options |= {"nogil": True, "error_model": "numpy", "pipeline_class": pipeline}
    return numba.njit(function, **options)
