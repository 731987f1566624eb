"""Numba's passes over a kernel, without what only counted references, generators and pictures of types need.

After each of its passes Numba finds out anew where every variable lives and dies. Kernels count no references, so
nothing is to be done where one dies (lowering.py), and nobody asks.
"""

from __future__ import annotations

from typing import Any

from numba.core import rewrites, transforms, typed_passes, untyped_passes
from numba.core.compiler_machinery import register_pass
from numba.core.ir_utils import build_definitions
from numba.core.postproc import VariableLifetime
from numba.core.ssa import reconstruct_ssa

a_pass: Any = register_pass(mutates_CFG=True, analysis_only=False)


@a_pass
class Blocks(untyped_passes.IRProcessing):
    """The blocks of a function, in the form that all else expects."""

    _name = "kernel_blocks"

    def run_pass(self, state):
        """Bring them into it."""
        state.func_ir.blocks = transforms.canonicalize_cfg(state.func_ir.blocks)
        state.func_ir.variable_lifetime = VariableLifetime(state.func_ir.blocks)
        return True


@a_pass
class Rewrites(untyped_passes.GenericRewrites):
    """Indices and operands that are written as numbers."""

    _name = "kernel_rewrites"

    def run_pass(self, state):
        """Apply each until it finds nothing more."""
        blocks = state.func_ir.blocks
        for each in rewrites.rewrite_registry.rewrites["before-inference"]:
            rewrite, left = each(state), list(blocks.items())
            while left:
                key, block = left.pop()
                if rewrite.match(state.func_ir, block, state.typemap, state.calltypes):
                    blocks[key] = rewrite.apply()
                    left.append((key, blocks[key]))
        return True


@a_pass
class SingleAssignment(untyped_passes.ReconstructSSA):
    """Every variable is assigned once."""

    _name = "kernel_single_assignment"

    def run_pass(self, state):
        """Give each assignment a variable of its own."""
        state.func_ir = reconstruct_ssa(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True


@a_pass
class StrippedPhis(typed_passes.PreLowerStripPhis):
    """Variables that meet are assigned where they come from."""

    _name = "kernel_stripped_phis"

    def run_pass(self, state):
        """Assign them there."""
        state.func_ir = self._strip_phi_nodes(state.func_ir)
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True
