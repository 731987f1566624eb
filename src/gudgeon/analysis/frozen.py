"""A mechanism as its switches are at one instant, as one without switches: for analyses of one state."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from gudgeon.drives import Drive, Lock
from gudgeon.errors import ModelError
from gudgeon.models.ideal import Ideal, JointModel
from gudgeon.switches import Switch, all_switches, has_instants, switched_parts
from gudgeon.system import System


def frozen(owner: str, system: System, time: float, controls: Mapping[str, float] | None = None) -> System:
    """The same mechanism with its switches as they are; `controls` are those of a state (`State.controls`).

    Without a state switches are as the clock says at the time, those that wait for a signal are off, and locks hold
    joints where the start has them. What does not hold, joints that have let go among it, is left out; switches as
    signals are constants.
    """
    parts = switched_parts(system)
    if not parts and not system.switches:
        return system
    on = {name: _is_on(name, switch, time, controls) for name, switch in all_switches(system).items()}
    drives, couplings, joints = dict(system.drives), dict(system.couplings), dict(system.joints)
    locks: list[str] = []
    for name, (since, until) in parts.items():
        holds = (since is None or on[since]) and (until is None or not on[until])
        if controls is not None:
            holds = controls.get(f"{name} holds", 0.0) > 0.0
        if not holds:
            for kind in (drives, couplings, joints):
                kind.pop(name, None)
        elif name in joints:
            joints[name] = dataclasses.replace(joints[name], model=_lasting(joints[name].model))
        elif name in couplings:
            couplings[name] = dataclasses.replace(couplings[name], since=None, until=None)
        elif isinstance(drives[name], Lock):
            locks.append(name)
        else:
            drives[name] = _moved(owner, name, drives[name], 0.0 if controls is None else controls[f"{name} rest"])
    numbers = {name: 1.0 if on[name] else 0.0 for name in system.switches}
    plain = system.replace(
        switches={},
        signals={**system.signals, **numbers},
        couplings=couplings,
        joints=joints,
        drives={name: drive for name, drive in drives.items() if name not in locks},
    )
    values = _held(plain, system, locks, time) if controls is None else {n: controls[f"{n} rest"] for n in locks}
    held = {n: Drive(drives[n].joint, values[n], coordinate=drives[n].coordinate) for n in locks}
    return plain.replace(drives={**plain.drives, **held})


def _lasting(model: JointModel) -> JointModel:
    """The model of a joint that has not let go, as if it never did."""
    assert isinstance(model, Ideal)  # others do not let go
    return dataclasses.replace(model, until=None)


def _is_on(name: str, switch: Switch, time: float, controls: Mapping[str, float] | None) -> bool:
    if controls is not None and name in controls:
        return controls[name] > 0.0
    return switch.at is not None and switch.at <= time and not (switch.until is not None and switch.until <= time)


def _moved(owner: str, name: str, drive: Drive, by: float) -> Drive:
    """A drive that began at a switch, from where the joint was."""
    if by and not isinstance(drive.value, str | float):
        raise ModelError(
            f"{owner}: Drive {name!r} began at a switch, {by:.3g} (rad or m) from its value, which is no expression; "
            "write it as one"
        )
    value = f"({drive.value}) + {by!r}" if by else drive.value
    return dataclasses.replace(drive, value=value, since=None, until=None)


def _held(plain: System, system: System, locks: list[str], time: float) -> dict[str, float]:
    """The coordinates that locks hold, where the mechanism without them is assembled."""
    from gudgeon.analysis.assemble import assemble_equations
    from gudgeon.analysis.joint_motion import joint_motion
    from gudgeon.kernels.dynamics.rows import rows_at
    from gudgeon.mechanics.coordinates import Measures, ReferencePose
    from gudgeon.mechanics.equations import equations_of_motion

    if not locks:
        return {}
    equations = equations_of_motion(plain)
    rows_at(equations.model, equations.work, time, assemble_equations(equations, time).state)
    measures = Measures(system, ReferencePose(system))
    places: dict[str, int] = {}
    for name in locks:
        drive = system.drives[name]
        coordinate = system.coordinate(f"Lock {name!r}", drive.joint, drive.coordinate)
        places[name] = measures.index(drive.joint, coordinate)
    flat = measures.arrays()
    found = joint_motion(equations, flat["measure"], flat["measure_vector"]).value
    return {name: float(found[place]) for name, place in places.items()}


def refuse_instants(owner: str, system: System, why: str) -> None:
    """ModelError where something changes at instants."""
    if not has_instants(system):
        return
    for name, control in system.controllers.items():
        if control.made().period is not None:
            raise ModelError(
                f"{owner}: {type(control).__name__} {name!r} is sampled: {why}; leave out period=, or use gd.simulate"
            )
    names = [*system.switches, *switched_parts(system)]
    raise ModelError(f"{owner}: System {system.name!r} has switches or locks ({', '.join(names)}): {why}")


def refuse_states(owner: str, system: System) -> None:
    """ModelError where a controller has states, which a motion does not tell."""
    for name, control in system.controllers.items():
        made = control.made()
        if made.states or made.period is not None:
            raise ModelError(
                f"{owner}: {type(control).__name__} {name!r} has states, which follow from their own equations, not "
                "from a given motion; use gd.simulate, or a System without it (system.replace(controllers={}, "
                "loads=...))"
            )
