"""Compilation of kernels with numba, with a disk cache.

This module uses private parts of numba, for two reasons. With the public ones
(`njit(cache=True)`), the first use of pixels takes 27 seconds of one core instead of
14, since inner functions also get machine code of their own, and 256 games run 4 %
(compact) and 7 % (pixels) fewer steps per second. And a process that loads code which
two others compiled for two record layouts crashes (see `_Compiler`), or runs code of
outdated sources (see `_Cache`).
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
    "minute, once; later starts load it from disk."
)


@functools.cache
def _fingerprint(module: str) -> str:
    """Returns a hash of everything compiled into the functions of a module.

    Covers the sources and tables in its folder, in the parent folder, which has the
    rules of a game, and in this folder.
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
    """Disk cache that is invalidated by changes in other files.

    Numba's own cache checks only the file of the function itself, although called
    functions and the tables they read are compiled in too. Code that cannot be written
    is kept in memory only.

    Raises:
      RuntimeError: If there is no cache location.
    """

    def _index_key(self, *args: Any) -> tuple:
        return (*super()._index_key(*args), _fingerprint(self._py_func.__module__))

    def save_overload(self, *args: Any) -> None:
        """Writes a compiled function if possible."""
        try:
            super().save_overload(*args)
        except OSError as error:
            _warn_unsaved(str(error))


_unsaved: list[str] = []


def _warn_unsaved(reason: str) -> None:
    """Warns once that compiled code cannot be cached on disk."""
    if not _unsaved:
        warnings.warn(
            "The compiled code of the batched engine cannot be cached on disk, so "
            "every process recompiles it, which can take a minute. Set "
            f"NUMBA_CACHE_DIR to a writable folder. Reason: {reason}",
            RuntimeWarning,
            stacklevel=2,
        )
    _unsaved.append(reason)


class _Compiler(compiler.Compiler):
    """Compiler that names functions by their contents.

    Numba derives the symbol of a compiled function from its Python name, a counter, and
    its argument types, where records are another counter. Both counters restart in
    every process. So two processes can give the same symbol to functions for two record
    layouts, and a third process that loads both from the cache calls the wrong one.
    Here the counter is replaced by a hash of the function's contents.
    """

    def define_pipelines(self) -> Any:
        """Sets the function's number, then compiles as usual."""
        identity = self.state.func_id
        sources = _fingerprint(identity.modname)
        contents = [sources, identity.modname, identity.func_qualname]
        contents += [str(argument) for argument in self.state.args]
        digest = hashlib.sha256("\n".join(contents).encode()).hexdigest()
        identity.unique_id = int(digest[:16], 16)
        identity.unique_name = f"{identity.func_qualname}${identity.unique_id}"
        return super().define_pipelines()


class _Codegen:
    """Code generator for functions without machine code of their own.

    Args:
      codegen: The generator of other functions, which handles everything else.
    """

    def __init__(self, codegen: Any) -> None:
        self._codegen = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self._codegen, name)

    def set_env(self, name: str, env: Any) -> None:
        """Does nothing, since there is no machine code to write to."""


class _InnerLibrary(codegen.JITCodeLibrary):
    """Code of a function that only compiled functions call.

    It is optimized, compiled and cached as a part of its callers. Numba would do the
    same separately for code that never runs, which takes a third of the compile time.
    """

    @property
    def codegen(self) -> Any:
        """Returns the code generator."""
        return _Codegen(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        """Returns 0, since there is no machine code."""
        return 0

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True


class _InnerCompiler(_Compiler):
    """Compiler of functions that only compiled functions call."""

    def define_pipelines(self) -> Any:
        """Uses an `_InnerLibrary` for the code."""
        codegen = self.state.targetctx.codegen()
        name = self.state.func_id.func_qualname
        self.state.library = _InnerLibrary(codegen, name)
        return super().define_pipelines()


class _Announcer(event.Listener):
    """Announces a compilation on stderr before it starts."""

    def __init__(self) -> None:
        self._announced = False

    def on_start(self, event: event.Event) -> None:
        """Prints a message at the first function of this engine."""
        module = event.data["dispatcher"].py_func.__module__ or ""
        if not self._announced and module.startswith("crafter."):
            self._announced = True
            print(_MESSAGE, file=sys.stderr, flush=True)

    def on_end(self, event: event.Event) -> None:
        """Does nothing."""


event.register("numba:compile", _Announcer())


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compiles a function to machine code on first use, cached on disk.

    Without fast-math, since results must equal NumPy's bit for bit. Releases the
    interpreter lock, so that threads run in parallel.
    """
    dispatcher = _dispatcher(function, _Compiler, **options)
    try:
        dispatcher._cache = _Cache(dispatcher.py_func)
    except RuntimeError as error:
        _warn_unsaved(str(error))
    return dispatcher


def inner(function: Callable[..., Any], **options: Any) -> Any:
    """Compiles a function as a part of the compiled functions that call it."""
    options["no_cpython_wrapper"] = True
    dispatcher = _dispatcher(function, _InnerCompiler, **options)

    def add_overload(result: Any) -> None:
        dispatcher.overloads[tuple(result.signature.args)] = result

    # Without its wrapper, it would crash if called from Python.
    def refuse(*args: Any, **names: Any) -> None:
        raise TypeError(
            f"{dispatcher.py_func.__name__} can only be called from compiled code; to "
            "call it from Python, mark it @compiled."
        )

    dispatcher.add_overload = add_overload
    dispatcher._compile_for_args = refuse
    return dispatcher


#: Compiles with fast-math, for approximate numbers only.
compiled_roughly = functools.partial(compiled, fastmath=True)
inner_roughly = functools.partial(inner, fastmath=True)
#: Like `inner`, but inlines the source at every call: calls pass all fields of arrays,
#: which takes time with many of them.
pasted = functools.partial(inner, inline="always")


def _dispatcher(
    function: Callable[..., Any],
    pipeline: type[compiler.CompilerBase],
    **options: Any,
) -> Any:
    # Not in numba's types: nothing calls these functions by address, and compiling
    # wrappers for that takes time.
    options["no_cfunc_wrapper"] = True
    options |= {"nogil": True, "error_model": "numpy", "pipeline_class": pipeline}
    return numba.njit(function, **options)
