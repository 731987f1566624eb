"""From the start of a new process to the four-bar's result, kernels compiled before: how long, how much is imports.

Once for its states, which is what a worker of a study does, and once for its dataset, which stands on xarray.
"""

import os
import subprocess
import sys
import time

SCRIPT = """
import time
began = time.perf_counter()
import {libraries}
imports = time.perf_counter() - began
import gudgeon as gd
gd.simulate(gd.examples.spatial_four_bar(), 2.0).{what}
print(imports)
"""
STANDS_ON = {"states": "numba, numpy, scipy.linalg", "data": "numba, numpy, pandas, scipy.linalg, xarray"}
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # Python reads its own compiled files, as after any installation


def main() -> None:
    for what, libraries in STANDS_ON.items():
        command = [sys.executable, "-c", SCRIPT.format(what=what, libraries=libraries)]
        subprocess.run(command, check=True, capture_output=True)  # compiles if need be
        best = (float("inf"), 0.0)
        for _ in range(7):
            began = time.perf_counter()
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            best = min(best, (time.perf_counter() - began, float(done.stdout)))
        print(f"new process to result.{what}: {best[0]:.2f} s, of which {best[1]:.2f} s importing what it stands on")


if __name__ == "__main__":
    main()
