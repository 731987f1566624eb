"""Runs whose results are kept, so that a change of structure that changes a number is noticed.

`runs.py` is the table of runs, `record.py` says what is kept of one, `freeze.py` writes the files anew:

strict.json    the strict build (GUDGEON_STRICT=1): digests of states, outputs and contacts, to the bit
normal.json    the normal build: numbers, to 1e-9 of their size; where rounding decides on steps, to what that does

Bits depend on more than gudgeon: on the C library's sine and power, on LLVM, on SUNDIALS, and on the kernels that
OpenBLAS chooses for the processor. strict.json has them by all of these (`record.rounding`).
"""
