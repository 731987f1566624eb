"""How long kernels take to compile, on a machine that has never seen them: all of them, and what one run needs.

A copy of the package without compiled code is made for each line, so nothing is read from disk. Times are CPU seconds
of all processes and the wall clock; imports of Python, Numba and the package are part of both.
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import gudgeon

PACKAGE = Path(gudgeon.__file__).parent
NEEDS = {
    "all kernels (gudgeon compile)": "from gudgeon.cli import main; main()",
    "make demo": "from gudgeon.cli import main; main()",
    "an ideal mechanism": "import gudgeon as gd; _ = gd.simulate(gd.examples.spatial_four_bar(), 0.1).data",
    "one dry joint": "import gudgeon as gd; _ = gd.simulate(gd.examples.spatial_four_bar('dry'), 0.1).data",
    "sliders in guides": "import gudgeon as gd; _ = gd.simulate(gd.examples.slider_crank_hard_contact(), 0.01).data",
}
ARGUMENTS = {"all kernels (gudgeon compile)": ["compile"], "make demo": ["demo", "--out"]}


def spent(what: str) -> tuple[float, float]:
    """CPU and wall seconds in a fresh copy of the package."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(PACKAGE, Path(folder) / "gudgeon", ignore=shutil.ignore_patterns("__pycache__"))
        environment = os.environ | {"PYTHONPATH": folder, "HOME": folder, "MPLBACKEND": "Agg"}
        arguments = ARGUMENTS.get(what, [])
        if arguments[-1:] == ["--out"]:
            arguments = [*arguments, str(Path(folder) / "out")]
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(
            [sys.executable, "-c", NEEDS[what], *arguments], env=environment, check=True, capture_output=True
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return cpu, time.perf_counter() - began


if __name__ == "__main__":
    print(f"{'':32}{'CPU s':>8}{'wall s':>8}")
    for name in NEEDS:
        cpu, wall = spent(name)
        print(f"{name:32}{cpu:8.1f}{wall:8.1f}", flush=True)
