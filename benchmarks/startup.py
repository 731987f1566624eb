"""From the start of a new process to the four-bar's result, kernels compiled before, and of one that only imports.

Once for its states, which is what a worker of a study does, and once for its dataset, which stands on xarray. Least
time and least CPU time of some processes.
"""

import os
import resource
import subprocess
import sys
import time

SCRIPT = "import gudgeon as gd; gd.simulate(gd.examples.spatial_four_bar(), 2.0).{what}"
STANDS_ON = {"states": "numba, numpy", "data": "numba, numpy, pandas, xarray"}
TRIES = 7
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # Python reads its own compiled files, as after any installation


def cpu() -> float:
    """CPU time of all processes that ended [s]."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def least(code: str) -> tuple[float, float]:
    """Time and CPU time of a process that does this [s]."""
    command = [sys.executable, "-c", code]
    subprocess.run(command, check=True, capture_output=True)  # compiles if need be
    found = []
    for _ in range(TRIES):
        began, before = time.perf_counter(), cpu()
        subprocess.run(command, check=True, capture_output=True)
        found.append((time.perf_counter() - began, cpu() - before))
    return min(seconds for seconds, _ in found), min(used for _, used in found)


def main() -> None:
    for what, libraries in STANDS_ON.items():
        whole, imports = least(SCRIPT.format(what=what)), least(f"import {libraries}")
        print(
            f"new process to result.{what}: {whole[0]:.2f} s ({whole[1]:.2f} s of CPU); one that imports {libraries}: "
            f"{imports[0]:.2f} s ({imports[1]:.2f} s)"
        )


if __name__ == "__main__":
    main()
