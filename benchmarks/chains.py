"""Time of a step of Implicit against the number of joints that act by forces.

Chains hang from the ground by one joint after the other and swing sideways; a shaft lies in all of its bearings; a
star carries all other bodies on one. CPU time of one core from start to end of a run divided by its steps, least of
some runs, compiled code loaded before.
"""

from collections.abc import Callable

import numpy as np

import gudgeon as gd

COUNTS = (4, 12, 24, 48)
LINK = 0.1  # [m]
BUSHING = gd.Bushing(stiffness=1e6, damping_time=1e-5)
HELD = gd.Bushing(stiffness=np.diag([1e6] * 3 + [1e3] * 3), damping=np.diag([10.0] * 3 + [0.01] * 3))
FILM = gd.Lubricated(socket_radius=10.05e-3, ball_radius=10e-3, viscosity=0.1)


def link(place, speed=(0.0, 0.0, 0.0)) -> gd.Body:
    return gd.Body(mass=0.1, inertia=(1e-4, 1e-4, 2e-5), position=tuple(place), velocity=speed)


def chain(count: int, model) -> gd.System:
    """Links one below the other, every joint with the model."""
    bodies = {f"b{k}": link((0.0, 0.0, -LINK * (k + 0.5)), (0.1 * (k + 0.5) / count, 0.0, 0.0)) for k in range(count)}
    ends = ["ground", *bodies]
    joints = {f"j{k}": gd.Spherical(ends[k], ends[k + 1], at=(0.0, 0.0, -LINK * k), model=model) for k in range(count)}
    return gd.System(name="chain", bodies=bodies, joints=joints)


def paired_chain(count: int, model) -> gd.System:
    """Links in pairs: every other joint is a hinge."""
    system = chain(2 * count, model)
    hinges = {
        f"j{k}": gd.Revolute(f"b{k - 1}", f"b{k}", at=(0.0, 0.0, -LINK * k), axis=(0, 1, 0))
        for k in range(1, 2 * count, 2)
    }
    return gd.System(name="pairs", bodies=system.bodies, joints={**system.joints, **hinges})


def shaft(count: int, model) -> gd.System:
    """One body in all of its bearings."""
    places = [LINK * (k - 0.5 * (count - 1)) for k in range(count)]
    bodies = {"shaft": gd.Body(mass=0.1 * count, inertia=(1e-3 * count, 1e-3 * count**3, 1e-3 * count**3))}
    joints = {f"j{k}": gd.Spherical("ground", "shaft", at=(x, 0.0, 0.0), model=model) for k, x in enumerate(places)}
    return gd.System(name="shaft", bodies=bodies, joints=joints)


def star(count: int, model) -> gd.System:
    """A hub that carries all other bodies."""
    angles = 2 * np.pi * np.arange(count) / count
    round_ = [np.array((np.cos(a), np.sin(a), 0.0)) for a in angles]
    bodies = {"hub": gd.Body(mass=10.0, inertia=(1.0, 1.0, 2.0))}
    bodies |= {
        f"b{k}": link(0.6 * x - np.array((0.0, 0.0, 0.05)), (0.1 * k / count, 0.0, 0.0)) for k, x in enumerate(round_)
    }
    joints: dict[str, gd.Revolute | gd.Spherical] = {"pivot": gd.Revolute("ground", "hub", at=(0, 0, 0))}
    joints |= {f"j{k}": gd.Spherical("hub", f"b{k}", at=tuple(0.6 * x), model=model) for k, x in enumerate(round_)}
    return gd.System(name="star", bodies=bodies, joints=joints)


def milliseconds(system: gd.System, coordinates: str = "absolute", repeats: int = 3) -> float:
    """CPU time per step, accepted or not, without the description and its check."""
    best = np.inf
    for _ in range(repeats):
        result = gd.simulate(
            system, 0.05, solver=gd.Implicit(rtol=1e-6), sample=0.05, coordinates=coordinates, progress=False
        )
        best = min(best, result.stats["cpu_seconds_computing"] / (result.stats["steps"] + result.stats["rejections"]))
    return 1e3 * best


def main() -> None:
    rows: dict[str, Callable[[int], float]] = {
        "bushings": lambda n: milliseconds(chain(n, BUSHING)),
        "bushings of six forces": lambda n: milliseconds(chain(n, HELD)),
        "films": lambda n: milliseconds(chain(n, FILM)),
        "bushings, relative coordinates": lambda n: milliseconds(chain(n, BUSHING), "relative"),
        "hinges between the bushings": lambda n: milliseconds(paired_chain(n, BUSHING)),
        "hinges, relative coordinates": lambda n: milliseconds(paired_chain(n, BUSHING), "relative"),
        "shaft in films": lambda n: milliseconds(shaft(n, FILM)),
        "star of bushings": lambda n: milliseconds(star(n, BUSHING)),
    }
    print("| Implicit, ms a step | " + " | ".join(f"{n} joints" for n in COUNTS) + f" | {COUNTS[-1]} / {COUNTS[-2]} |")
    print("|---|" + "---|" * (len(COUNTS) + 1))
    for name, measure in rows.items():
        measure(2)
        values = [measure(n) for n in COUNTS]
        print(f"| {name} | {' | '.join(f'{x:.3g}' for x in values)} | {values[-1] / values[-2]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
