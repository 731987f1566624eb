"""How Numba compiles kernels: those that only other kernels call as parts, without machine code of their own.

Numba makes every function executable on its own: it links all that the function calls into it, optimises the whole and
writes machine code, again and again on the way up a chain of calls. A part stops after lowering to LLVM's language;
what Python calls in the end, or others by an address, is optimised once, with all its parts. Of Numba's passes only
those are made that kernels need. Where a later version of Numba has changed the classes used here, all is compiled as
usual: correct, in some three times the time.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import Any

_of_parts: dict[str, Any] = {}
_of_entries: dict[str, Any] = {}
_of_short: dict[str, Any] = {}
try:
    from numba.core import config, funcdesc
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, _LowerResult
    from numba.core.compiler_machinery import PassManager, register_pass
    from numba.core.lowering import Lower
    from numba.core.typed_passes import (
        AnnotateTypes,
        BaseNativeLowering,
        IRLegalization,
        NoPythonBackend,
        NopythonTypeInference,
        PreLowerStripPhis,
    )
    from numba.core.untyped_passes import FixupArgs, GenericRewrites, IRProcessing, ReconstructSSA, TranslateByteCode

    from gudgeon.kernels.build.lowering import KernelLower
    from gudgeon.kernels.build.passes import Blocks, Rewrites, SingleAssignment, StrippedPhis
    from gudgeon.kernels.build.remembered import RememberingContext, SettledContext

    numba_config: Any = config  # has no types

    def in_order(libraries: Any) -> list[Any]:
        """These and all that they call, each once, after its callers: LLVM drops what nothing has called so far."""
        order: dict[Any, None] = {}

        def add(library):
            if library not in order:
                for each in library._linking_libraries if isinstance(library, PartLibrary) else ():
                    add(each)
                order[library] = None

        for library in libraries:
            add(library)
        return list(reversed(order))

    class PartLibrary(JITCodeLibrary):
        """Code to be linked into its callers, never run on its own."""

        within_entry = False  # whether what asks for the code links all that it calls itself

        def finalize(self):
            """Leave everything to what calls this in the end."""
            for library in self._linking_libraries:
                self._reload_init.update(library._reload_init)
            self._finalized = True

        def _get_module_for_linking(self):
            """The code; for functions that were compiled as usual with all that it calls."""
            own = super()._get_module_for_linking()
            if PartLibrary.within_entry:
                return own
            whole = own.clone()
            with together():
                for library in in_order([self])[1:]:
                    whole.link_in(library._get_module_for_linking(), preserve=True)
            return whole

    @contextmanager
    def together():
        """Parts are asked for their own code alone."""
        PartLibrary.within_entry = True
        try:
            yield
        finally:
            PartLibrary.within_entry = False

    class EntryLibrary(JITCodeLibrary):
        """Code that is run, with all its parts."""

        def finalize(self):
            """Link each part once."""
            self._linking_libraries = in_order(self._linking_libraries)
            with together():
                super().finalize()

    class ShortLibrary(EntryLibrary):
        """The same where every loop takes a few turns: vector registers would cost more than they bring."""

        def _optimize_final_module(self):
            usual = numba_config.LOOP_VECTORIZE
            numba_config.LOOP_VECTORIZE = 0
            try:
                super()._optimize_final_module()
            finally:
                numba_config.LOOP_VECTORIZE = usual

    class KernelLowering(BaseNativeLowering):
        """What lowering of parts and of entries shares."""

        @property
        def lowering_class(self):
            """How operations are lowered: as kernels', unless references are counted."""
            return self._lowering

        def choose(self, state):
            """By what a function is."""
            self._lowering = Lower if state.flags.nrt else KernelLower

    @register_pass(mutates_CFG=True, analysis_only=False)
    class EntryLowering(KernelLowering):
        """Lower a function into an EntryLibrary."""

        _name = "entry_lowering"
        _library = EntryLibrary

        def run_pass(self, state):
            """Lower."""
            self.choose(state)
            state.library = self._library(state.targetctx.codegen(), state.func_id.func_qualname)
            state.library.enable_object_caching()
            return super().run_pass(state)

    @register_pass(mutates_CFG=True, analysis_only=False)
    class ShortLowering(EntryLowering):
        """Lower a function into a ShortLibrary."""

        _name = "short_lowering"
        _library = ShortLibrary

    @register_pass(mutates_CFG=True, analysis_only=False)
    class PartLowering(KernelLowering):
        """Lower a function into a PartLibrary and make it known to its callers."""

        _name = "part_lowering"

        def run_pass(self, state):
            """Lower."""
            self.choose(state)
            context, flags = state.targetctx, state.flags
            state.library = library = PartLibrary(context.codegen(), state.func_id.func_qualname)
            library._reload_init.update(state.reload_init)
            descriptor = funcdesc.PythonFunctionDescriptor.from_specialized_function(
                state.func_ir,
                state.typemap,
                state.return_type,
                state.calltypes,
                mangler=context.mangler,
                inline=flags.forceinline,
                noalias=flags.noalias,
                abi_tags=[flags.get_mangle_string()],
            )
            with context.push_code_library(library):
                lower = self.lowering_class(context, library, descriptor, state.func_ir, metadata=state.metadata)
                lower.lower()

            part = [].index  # stands for the entry point: some C function of its own, which fails when called
            context.insert_user_function(part, descriptor, [library])
            state["cr"] = _LowerResult(descriptor, lower.call_helper, cfunc=part, env=lower.env)
            return True

    PLAIN = (Blocks, Rewrites, SingleAssignment), (StrippedPhis,)  # before and after types are known
    COUNTING = (IRProcessing, GenericRewrites, ReconstructSSA), (PreLowerStripPhis, IRLegalization, AnnotateTypes)

    class KernelCompiler(CompilerBase):
        """Numba's compiler with the passes that kernels need; the last one is told by subclasses."""

        lowering: Any

        def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
            if self.lowering is not PartLowering:
                targetctx.refresh()
            if not flags.nrt:
                typingctx = RememberingContext(typingctx)
            super().__init__(typingctx, SettledContext(targetctx), library, args, return_type, flags, locals)

        def define_pipelines(self):
            """From bytecode to LLVM's language."""
            passes = PassManager("kernel")
            before, after = PLAIN if not self.state.flags.nrt else COUNTING
            for each in (TranslateByteCode, FixupArgs, *before, NopythonTypeInference, *after, self.lowering):
                passes.add_pass(each, each.__name__)
            passes.add_pass(NoPythonBackend, "NoPythonBackend")
            passes.finalize()
            return [passes]

    class PartCompiler(KernelCompiler):
        """Of kernels that others contain."""

        lowering = PartLowering

    class EntryCompiler(KernelCompiler):
        """Of kernels that are called."""

        lowering = EntryLowering

    class ShortCompiler(KernelCompiler):
        """Of kernels that are called and whose loops are short."""

        lowering = ShortLowering

    _of_parts, _of_entries = {"pipeline_class": PartCompiler}, {"pipeline_class": EntryCompiler}
    _of_short = {"pipeline_class": ShortCompiler}
except ImportError:
    pass

PART_OPTIONS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **_of_parts}
ENTRY_OPTIONS, SHORT_OPTIONS = _of_entries, _of_short
