"""How the functions of this engine are compiled."""

from __future__ import annotations

import hashlib
import pathlib
import pickle
import sys
import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba.core import caching, codegen, compiler, event

_PACKAGE = pathlib.Path(__file__).parents[1]
# Folders of kernels, and what kernels take from elsewhere as constants.
_KERNELS = (_PACKAGE / "compiled", _PACKAGE / "games/crafter/cpu")
_FROZEN = (
    "games/crafter/data.yaml",
    "games/crafter/sprites.py",
    "games/crafter/noise.py",
    "games/crafter/rules.py",
    "games/crafter/tables.py",
    "games/crafter/layout.py",
    "compiled/jit.py",
)
_MESSAGE = (
    "crafter: compiling the batched engine for this configuration. This can take a "
    "minute, once; later starts read the result from the disk."
)


def _fingerprint() -> str:
    """Returns a hash of all that compiled code has frozen into it."""
    texts = [(_PACKAGE / name).read_bytes() for name in _FROZEN]
    modules = [
        path.read_bytes() for folder in _KERNELS for path in sorted(folder.glob("*.py"))
    ]
    marks = b"@compiled", b"@inner", b"@pasted"
    texts += [text for text in modules if any(mark in text for mark in marks)]
    return hashlib.sha256(b"".join(texts)).hexdigest()


_SOURCES = _fingerprint()


class _CacheFile(caching.IndexDataCacheFile):
    """Files of compiled code with a checksum: a crash can leave holes in them."""

    def _save_data(self, name: str, data: Any) -> None:
        content = self._dump(data)
        with self._open_for_write(self._data_path(name)) as file:
            file.write(hashlib.sha256(content).digest() + content)

    def _load_data(self, name: str) -> Any:
        content = pathlib.Path(self._data_path(name)).read_bytes()
        size = hashlib.sha256().digest_size
        if hashlib.sha256(content[size:]).digest() != content[:size]:
            raise ValueError(f"{name} is damaged.")
        return pickle.loads(content[size:])


class _Cache(caching.FunctionCache):
    """A cache on disk that notices changes in other files, and damage.

    Numba's own looks only at the file of the function itself, although the
    functions that it calls and the numbers of `data.yaml` are frozen into the code.
    What is damaged or cannot be read is compiled again; what cannot be written is kept
    in memory alone.

    Raises:
      RuntimeError: If there is no place for files.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        super().__init__(function)
        stamp = self._impl.locator.get_source_stamp()
        self._cache_file = _CacheFile(self._cache_path, self._impl.filename_base, stamp)

    def _index_key(self, *args: Any) -> tuple:
        return (*super()._index_key(*args), _SOURCES)

    def load_overload(self, *args: Any) -> Any:
        """Returns the compiled function, or `None` if it has to be compiled."""
        try:
            return super().load_overload(*args)
        except Exception:  # Reading damaged pickles can raise anything.
            return None

    def save_overload(self, *args: Any) -> None:
        """Writes a compiled function, if that is possible."""
        try:
            try:
                super().save_overload(*args)
            except OSError:
                raise
            except Exception:  # It reads the index first, which is damaged then.
                self.flush()
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
        contents = [_SOURCES, identity.modname, identity.func_qualname]
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

    def tell_again(self) -> None:
        """Forgets that the message was printed."""
        self._told = False


announcer = _Announcer()
event.register("numba:compile", announcer)


def compiled(function: Callable[..., Any]) -> Any:
    """Compiles a function to machine code on first use, cached on disk.

    No fast-math: results must equal those of NumPy bit for bit. The interpreter lock
    is released, so that threads run side by side.
    """
    return _kept(_compiled(function, _Compiler))


def compiled_roughly(function: Callable[..., Any]) -> Any:
    """Compiles as `compiled` does, but with fast-math, for approximate numbers only."""
    return _kept(_compiled(function, _Compiler, fastmath=True))


def inner(function: Callable[..., Any]) -> Any:
    """Compiles a function that only compiled ones call, as a part of each of them."""
    return _called_inside(_compiled(function, _InnerCompiler, no_cpython_wrapper=True))


def pasted(function: Callable[..., Any]) -> Any:
    """Compiles as `inner` does, but has the source put in place of every call.

    A call hands over all that arrays are made of, so with many of them it takes time.
    """
    options = {"no_cpython_wrapper": True, "inline": "always"}
    return _called_inside(_compiled(function, _InnerCompiler, **options))


def inner_roughly(function: Callable[..., Any]) -> Any:
    """Compiles as `inner` does, but with fast-math, for approximate numbers only."""
    options = {"no_cpython_wrapper": True, "fastmath": True}
    return _called_inside(_compiled(function, _InnerCompiler, **options))


def _compiled(
    function: Callable[..., Any],
    pipeline: type[compiler.CompilerBase],
    **options: Any,
) -> Any:
    # What numba's types do not know: nothing calls these functions by address, and
    # to compile wrappers for that takes time.
    options["no_cfunc_wrapper"] = True
    return numba.njit(
        function,
        nogil=True,
        error_model="numpy",
        pipeline_class=pipeline,
        **options,
    )


def _kept(dispatcher: Any) -> Any:
    """Has compiled code kept on the disk."""
    try:
        dispatcher._cache = _Cache(dispatcher.py_func)
    except RuntimeError as error:
        _warn_unsaved(str(error))
    return dispatcher


def _called_inside(dispatcher: Any) -> Any:
    """Has calls from Python raise an error; without their wrapper they would crash."""

    def add_overload(result: Any) -> None:
        dispatcher.overloads[tuple(result.signature.args)] = result

    def refuse(*args: Any, **names: Any) -> None:
        raise TypeError(
            f"{dispatcher.py_func.__name__} is called by compiled code alone; to call "
            "it from Python, mark it @compiled."
        )

    dispatcher.add_overload = add_overload
    dispatcher._compile_for_args = refuse
    return dispatcher
