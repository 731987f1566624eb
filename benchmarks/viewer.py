"""Script time per frame of the viewer, in headless Chromium: how long the page computes before the browser draws.

Chains of links, played for some seconds; software rendering makes frames rare, not the script long. Told are the CPU
time of the page's thread in scripts, and the time by the clock, which on a busy machine is longer. The aim: below 4 ms
for 50 bodies.
"""

import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import gudgeon as gd

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from browser import Browser, chromium

SECONDS = 8.0
LINK = 0.1  # [m]


def chain(count: int) -> gd.System:
    bodies, joints = {}, {}
    for k in range(count):
        inertia = (1e-6, 0.1 * LINK**2 / 12, 0.1 * LINK**2 / 12)
        bodies[f"link {k + 1}"] = gd.Body(mass=0.1, inertia=inertia, position=((k + 0.5) * LINK, 0, 0))
        parent = f"link {k}" if k else "ground"
        joints[f"joint {k + 1}"] = gd.Revolute(parent, f"link {k + 1}", at=(k * LINK, 0, 0), axis=(0, 1, 0))
    return gd.System(name=f"chain of {count}", bodies=bodies, joints=joints)


def main() -> None:
    if chromium() is None:
        raise SystemExit("there is no Chromium here")
    print("bodies  page [MB]  shown                frames  CPU [ms]  by the clock, median [ms]")
    with tempfile.TemporaryDirectory() as folder, Browser() as browser:
        for count in (10, 50, 100):
            result = gd.simulate(chain(count), 3.0, sample=0.005, coordinates="relative")
            path = result.view(Path(folder) / "chain.html")
            page = browser.open(path)
            page.ask("Performance.enable", timeDomain="threadTicks")
            page.evaluate("gudgeon.ready")
            for keys, shown in (("", "as it opens"), ("ft", "forces and traces")):
                for key in keys:
                    page.key(key)
                time.sleep(3.0)  # shaders are compiled
                page.evaluate("gudgeon.app.player.play(); gudgeon.scriptTimes.length = 0")
                before = script_seconds(page)
                time.sleep(SECONDS)
                spent = script_seconds(page) - before
                times = np.array(page.evaluate("gudgeon.scriptTimes"))
                print(
                    f"{count:6} {path.stat().st_size / 1e6:10.1f}  {shown:20} {len(times):6} "
                    f"{1e3 * spent / len(times):9.2f} {np.median(times):26.2f}"
                )


def script_seconds(page) -> float:
    """CPU time of the page's thread in scripts so far [s]."""
    return {x["name"]: x["value"] for x in page.ask("Performance.getMetrics")["metrics"]}["ScriptDuration"]


if __name__ == "__main__":
    main()
