"""Time of linearize, equilibrium, kinematics and inverse dynamics against the number of bodies, beside Pinocchio's.

CPU seconds of one core, minimum over repeats, everything from the description to the numbers (natural frequencies;
position at rest; states of all samples, without forces).
"""

import sys
import time
from collections.abc import Callable

import numpy as np

import gudgeon as gd

WHOLE = 1.0  # length of a chain [m], its mass [kg]
INERTIA = 1e-4  # of a link, about any axis [kg·m²]
SAMPLES = 1000
FEW = 200  # samples where the steps between them count
STIFF = gd.Bushing(stiffness=1e6, damping_time=1e-5)
DRY = gd.Dry(socket_radius=0.0101, ball_radius=0.01, contact=gd.laws.Hertz(stiffness=1e9))


def chain(count: int, make: Callable[..., gd.Spherical | gd.Revolute], along=(0, 0, -1), **parts) -> gd.System:
    """Equal links, one joint after the other, from the origin."""
    link, along = WHOLE / count, np.array(along, dtype=float)
    bodies, joints = {}, {}
    for k in range(count):
        inertia = (INERTIA,) * 3
        bodies[f"b{k}"] = gd.Body(mass=WHOLE / count, inertia=inertia, position=tuple((k + 0.5) * link * along))
        joints[f"j{k}"] = make("ground" if k == 0 else f"b{k - 1}", f"b{k}", at=tuple(k * link * along))
    return gd.System(name="chain", bodies=bodies, joints=joints, **parts)


def hinge(parent: str, child: str, at) -> gd.Revolute:
    return gd.Revolute(parent, child, at=at, axis=(0, 1, 0))


def ball(parent: str, child: str, at) -> gd.Spherical:
    return gd.Spherical(parent, child, at=at)


def bushing(parent: str, child: str, at) -> gd.Spherical:
    return gd.Spherical(parent, child, at=at, model=STIFF)


def dry(parent: str, child: str, at) -> gd.Spherical:
    return gd.Spherical(parent, child, at=at, model=DRY)


def driven_chain(count: int) -> gd.System:
    drives = {f"d{k}": gd.Drive(f"j{k}", f"0.2*sin({1 + k / count}*t)") for k in range(count)}
    return chain(count, hinge, drives=drives)


def sagging_chain(count: int) -> gd.System:
    """Links between two points of one height, all in one loop; they start as half of a polygon standing upright."""
    link = WHOLE / count
    slopes = np.pi / 2 - (np.arange(count) + 0.5) * np.pi / count
    corners = link * np.cumsum([(0.0, 0.0), *zip(np.cos(slopes), np.sin(slopes), strict=True)], axis=0)
    bodies = {}
    for k, slope in enumerate(slopes):
        middle = 0.5 * (corners[k] + corners[k + 1])
        turn = (np.cos(slope / 2), 0.0, -np.sin(slope / 2), 0.0)
        bodies[f"b{k}"] = gd.Body(WHOLE / count, (INERTIA,) * 3, (middle[0], 0.0, middle[1]), turn)
    ends = ["ground", *bodies, "ground"]
    joints = {f"j{k}": hinge(ends[k], ends[k + 1], (x, 0.0, z)) for k, (x, z) in enumerate(corners)}
    return gd.System(name="sagging chain", bodies=bodies, joints=joints)


def four_bars(count: int) -> gd.System:
    """Driven four-bars, each on the rocker of the one before: as many loops as cranks (three bodies each)."""
    bodies, joints, drives = {}, {}, {}
    frame, x = "ground", 0.0
    for k in range(count // 3):
        corners = [(x, 0.0), (x, 0.3), (x + 0.8, 0.6), (x + 0.7, 0.0)]
        names = [f"crank{k}", f"coupler{k}", f"rocker{k}"]
        for name, one, two in zip(names, corners, corners[1:], strict=False):
            bodies[name] = gd.Body(1.0, (0.01,) * 3, (0.5 * (one[0] + two[0]), 0.0, 0.5 * (one[1] + two[1])))
        ends = [frame, *names, frame]
        for c, at in enumerate(corners):
            joints[f"j{k}{'ABCD'[c]}"] = hinge(ends[c], ends[c + 1], (at[0], 0.0, at[1]))
        drives[f"d{k}"] = gd.Drive(f"j{k}A", f"{1 + 0.1 * k}*t")
        frame, x = names[2], corners[2][0]
    return gd.System(name="four-bars", bodies=bodies, joints=joints, drives=drives)


def slider_crank() -> gd.System:
    at = {"crank": (0.1, 0, 0), "rod": (0.35, 0, 0), "slider": (0.5, 0, 0)}
    return gd.System(
        bodies={name: gd.Body(1.0, (0.01,) * 3, place) for name, place in at.items()},
        joints={
            "pivot": hinge("ground", "crank", (0, 0, 0)),
            "crank_pin": hinge("crank", "rod", (0.2, 0, 0)),
            "slider_pin": hinge("rod", "slider", (0.5, 0, 0)),
            "guide": gd.Prismatic("ground", "slider", at=(0.5, 0, 0), axis=(1, 0, 0)),
        },
        drives={"motor": gd.Drive("pivot", "6*t")},
    )


def seconds(work: Callable[[], object], repeats: int = 3) -> float:
    best = np.inf
    for _ in range(repeats):
        began = time.process_time()
        work()
        best = min(best, time.process_time() - began)
    return best


def table(title: str, counts: tuple[int, ...], rows: dict[str, list[float]]) -> None:
    print(f"| {title} | " + " | ".join(f"{n} bodies" for n in counts) + f" | {counts[-1]} / {counts[-2]} |")
    print("|---|" + "---|" * (len(counts) + 1))
    for name, values in rows.items():
        print(f"| {name} | {' | '.join(f'{x:.2g}' for x in values)} | {values[-1] / values[-2]:.1f} |")
    print()


def main() -> None:
    gd.linearize(chain(2, bushing))  # compiles
    gd.kinematics(slider_crank(), 0.1, sample=0.1)
    counts = (10, 20, 40, 80)

    def linear(make):
        return [seconds(lambda n=n: gd.linearize(chain(n, make)).natural_frequencies) for n in counts]

    resting = [gd.equilibrium(chain(n, dry)) for n in counts]
    rows = {
        "hinges": linear(hinge),
        "ball joints": linear(ball),
        "bushings": linear(bushing),
        "dry joints, in contact": [seconds(lambda at=at: gd.linearize(at).natural_frequencies) for at in resting],
    }
    try:
        from peers.pinocchio_chain import linearized
    except ImportError:
        print("Pinocchio is not installed (dependency group bench): left out", file=sys.stderr)
    else:
        found = [linearized(n, WHOLE / n, WHOLE / n, INERTIA) for n in counts]
        for n, (_, frequencies) in zip(counts, found, strict=True):
            ours = np.sort(gd.linearize(chain(n, hinge)).natural_frequencies)
            assert np.allclose(ours, np.sort(frequencies), rtol=1e-9)
        rows["Pinocchio, hinges"] = [time_taken for time_taken, _ in found]
    table("linearize, chain [s]", counts, rows)
    table(
        "equilibrium [s]",
        counts,
        {
            "hinges, from horizontal": [
                seconds(lambda n=n: gd.equilibrium(chain(n, hinge, (1, 0, 0)))) for n in counts
            ],
            "hinges in one loop": [seconds(lambda n=n: gd.equilibrium(sagging_chain(n))) for n in counts],
            "bushings, hanging": [seconds(lambda n=n: gd.equilibrium(chain(n, bushing))) for n in counts],
            "dry joints, hanging": [seconds(lambda n=n: gd.equilibrium(chain(n, dry))) for n in counts],
        },
    )

    def sampled(system: gd.System, samples: int = SAMPLES) -> float:
        return 1e3 / samples * seconds(lambda: gd.kinematics(system, 2.0, sample=2.0 / samples))

    def explained(system: gd.System) -> float:
        motion = gd.kinematics(system, 2.0, sample=2.0 / FEW).data
        return 1e3 / FEW * seconds(lambda: gd.inverse_dynamics(system, motion))

    table(
        "kinematics [ms a sample]",
        counts,
        {
            "driven chain": [sampled(driven_chain(n)) for n in counts],
            "four-bars on each other": [sampled(four_bars(n)) for n in counts],
            f"driven chain, {FEW} samples": [sampled(driven_chain(n), FEW) for n in counts],
            f"four-bars on each other, {FEW} samples": [sampled(four_bars(n), FEW) for n in counts],
        },
    )
    table(
        "inverse dynamics [ms a sample]",
        counts,
        {
            "driven chain": [explained(driven_chain(n)) for n in counts],
            "four-bars on each other, redundant rows": [explained(four_bars(n)) for n in counts],
        },
    )
    print(f"slider-crank {sampled(slider_crank()):.2g}, four-bar {sampled(four_bars(3)):.2g} ms a sample")


if __name__ == "__main__":
    main()
