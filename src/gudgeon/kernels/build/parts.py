"""How Numba compiles the kernels that only other kernels call: as parts, without machine code of their own.

Numba makes every function executable on its own: it links all that the function calls into it, optimises the whole and
writes machine code, again and again on the way up a chain of calls. A part stops after lowering to LLVM's language;
what Python calls in the end is optimised once, with all its parts. That takes a third of the time. Where a later
version of Numba has changed the classes used here, parts are compiled as usual.
"""

from __future__ import annotations

from typing import Any

_pipeline: dict[str, Any] = {}
try:
    from numba.core import funcdesc, lowering
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder, _LowerResult
    from numba.core.compiler_machinery import PassManager, register_pass
    from numba.core.typed_passes import AnnotateTypes, BaseNativeLowering, IRLegalization, NoPythonBackend

    class PartLibrary(JITCodeLibrary):
        """Code to be linked into its callers, never run on its own."""

        def finalize(self):
            """Link what this code calls; leave the rest to the caller."""
            for library in dict.fromkeys(self._linking_libraries):
                self._reload_init.update(library._reload_init)
                self._final_module.link_in(library._get_module_for_linking(), preserve=True)
            self._finalized = True

    @register_pass(mutates_CFG=True, analysis_only=False)
    class PartLowering(BaseNativeLowering):
        """Lower a function into a PartLibrary and make it known to its callers."""

        _name = "part_lowering"
        lowering_class = lowering.Lower

        def run_pass(self, state):
            """Lower."""
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

    class PartCompiler(CompilerBase):
        """Numba's compiler, ending in PartLowering."""

        def define_pipelines(self):
            """The usual passes up to lowering."""
            lower = PassManager("part")
            lower.add_pass(IRLegalization, "ensure IR is legal prior to lowering")
            lower.add_pass(AnnotateTypes, "annotate types")
            lower.add_pass(PartLowering, "lowering of a part")
            lower.add_pass(NoPythonBackend, "nopython mode backend")
            whole = PassManager("nopython")
            whole.passes.extend(DefaultPassBuilder.define_untyped_pipeline(self.state).passes)
            whole.passes.extend(DefaultPassBuilder.define_typed_pipeline(self.state).passes)
            whole.passes.extend(lower.passes)
            whole.finalize()
            return [whole]

    _pipeline = {"pipeline_class": PartCompiler}
except ImportError:
    pass

PART_OPTIONS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True, **_pipeline}
