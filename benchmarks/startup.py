"""From the start of a new process to the four-bar's result, kernels compiled before: how long, how much is imports."""

import subprocess
import sys
import time

SCRIPT = """
import time
began = time.perf_counter()
import numba, numpy, pandas, scipy.linalg, xarray
imports = time.perf_counter() - began
import gudgeon as gd
gd.simulate(gd.examples.spatial_four_bar(), 2.0).data
print(imports)
"""


def main() -> None:
    subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True)  # compiles if need be
    best = (float("inf"), 0.0)
    for _ in range(7):
        began = time.perf_counter()
        done = subprocess.run([sys.executable, "-c", SCRIPT], check=True, capture_output=True, text=True)
        best = min(best, (time.perf_counter() - began, float(done.stdout)))
    print(f"new process to result: {best[0]:.2f} s, of which {best[1]:.2f} s importing the libraries it stands on")


if __name__ == "__main__":
    main()
