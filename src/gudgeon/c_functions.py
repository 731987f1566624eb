"""C functions made from Python functions, reached by their address."""

from __future__ import annotations

from types import FunctionType
from typing import Any

from numba.core import ccallback
from numba.core.compiler_lock import global_compiler_lock

from gudgeon.compilation_watch import watch

Callback: Any = ccallback.CFunc  # has no types


class CFunction(Callback):
    """Numba's C callback in which `print` works from the first call on; compiled or loaded when it is made.

    Numba gives a function that was just compiled its Environment, where `print` finds its constants, only if Python can
    call it. A C callback had none until it was loaded from disk: `print` failed while it held Python's global lock, and
    the process waited for that lock for ever.
    """

    def __init__(self, function: FunctionType, signature: Any, options: dict[str, Any], kept: Any, **pipeline: Any):
        super().__init__(function, (signature.args, signature.return_type), locals={}, options=options, **pipeline)
        self._cache = kept
        self.compile()

    @global_compiler_lock
    def compile(self):
        """Load or compile; the result stays alive as long as the address may be called."""
        result = self._cache.load_overload(self._sig, self._targetdescr.target_context)
        if result is None:
            with watch.compiling():
                result = self._compile_uncached()
            self._cache.save_overload(self._sig, result)
        else:
            self._cache_hits += 1
        self._result = result
        self._library = result.library
        self._wrapper_name = result.fndesc.llvm_cfunc_wrapper_name
        self._wrapper_address = self._library.get_pointer_to_function(self._wrapper_name)
        result.codegen.set_env(result.fndesc.env_name, result.environment)
