"""Signals: quantities of the motion by name, which loads, tables and other signals may depend on.

    main.angle, main.angle_rate, slide.displacement, …     a joint's free coordinate and its rate, turns counted
    tip.x, tip.vx, tip.wx, tip.x.rod, tip.own_vx, …        of a marker or body (`gudgeon.markers`)
    distance(tip, eye), distance_rate(tip, eye)            of two markers or bodies
    pin.gap, pin.gap_rate, pin.normal_force                of a real joint with clearance
    pid.torque, pid.integral, …                            an output, state or input of a controller
    clutch                                                 a switch: 1 while it is on, otherwise 0
    any name in System(signals={...})                      an expression, table or function of others

Accelerations and reactions depend on the loads themselves, so that a load cannot depend on them; they are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gudgeon.bodies import GROUND
from gudgeon.errors import ModelError, did_you_mean
from gudgeon.functions.function import arguments_of, check_function, depends_on_motion
from gudgeon.functions.grammar import ARGUMENT_COUNTS, CONSTANTS, DISTANCES, OTHER_NAMES
from gudgeon.models.dry import Dry
from gudgeon.models.dry_touch import DryTouch
from gudgeon.models.force_model import ForceModel
from gudgeon.models.lubricated import Lubricated

if TYPE_CHECKING:
    from gudgeon.system import System

AXES = ("x", "y", "z")
SEEN = tuple(f"{kind}{axis}" for kind in ("", "v", "w") for axis in AXES)  # of a point, as a body sees it
OWN = tuple(f"own_{kind}{axis}" for kind in ("v", "w") for axis in AXES)  # in the axes of the marker
GAP = ("gap", "gap_rate", "normal_force")
DISTANCE = re.compile(r"(distance|distance_rate)\((.+), (.+)\)")
DEPENDS_ON_LOADS = re.compile(r"(.*_)?(acceleration|reaction.*|torque|force|effort)|a[xyz]")
RESERVED = {"t", *CONSTANTS, *ARGUMENT_COUNTS, *DISTANCES, *OTHER_NAMES}
SHOWN = 40  # names that a message may list


class Source(NamedTuple):
    """Where a signal comes from."""

    kind: str  # "joint", "point", "own", "distance", "gap", "named", "controller", "switch"
    of: tuple[str, ...]  # names: joint and coordinate; marker and the body that sees it; two markers; joint; signal; …
    component: int = 0


def source_of(system: System, where: str, name: str) -> Source:
    """What a name stands for, or a ModelError with the nearest name."""
    if name in system.signals:
        return Source("named", (name,))
    if name in system.switches:
        return Source("switch", (name,))
    found = DISTANCE.fullmatch(name)
    if found:
        ends = found.group(2), found.group(3)
        for end in ends:
            if end not in _points(system):
                raise ModelError(f"{where}: {name}: no marker or body {end!r}; {did_you_mean(end, _points(system))}")
        return Source("distance", ends, int(found.group(1) == "distance_rate"))
    owner, _, part = name.rpartition(".")
    if owner in system.controllers and part in system.controllers[owner].made().names:
        return Source("controller", (owner, part))
    if owner in system.joints:
        source = _of_joint(system, owner, part)
        if source is not None:
            return source
    if owner in _points(system) and part in (*SEEN, *OWN):
        own = part in OWN
        return Source("own", (owner,), OWN.index(part)) if own else Source("point", (owner, GROUND), SEEN.index(part))
    pieces = name.split(".")
    for k in range(1, len(pieces) - 1):  # marker.part.body, names with dots in them
        marker, part, body = ".".join(pieces[:k]), pieces[k], ".".join(pieces[k + 1 :])
        if marker in _points(system) and part in SEEN and body in (*system.bodies, GROUND):
            return Source("point", (marker, body), SEEN.index(part))
    raise _unknown(system, where, name)


def _points(system: System) -> list[str]:
    """What has a place: markers and bodies."""
    return [*system.markers, *system.bodies]


def _of_joint(system: System, name: str, part: str) -> Source | None:
    joint = system.joints[name]
    for free in joint.blocks().free:
        if part in (free.name, f"{free.name}_rate"):
            return Source("joint", (name, free.name), int(part != free.name))
    if part in GAP and _has_gap(joint):
        return Source("gap", (name,), GAP.index(part))
    return None


def _has_gap(joint: Any) -> bool:
    model = joint.model
    if isinstance(model, Dry):
        return model.impact is None
    if isinstance(model, DryTouch):
        return len(joint.touches(model)) == 1
    return isinstance(model, Lubricated) or (isinstance(model, ForceModel) and hasattr(type(model), "gap"))


def known_signals(system: System) -> Iterator[str]:
    """The names that expressions may use, those that a body sees left out."""
    yield "t"
    yield from system.signals
    yield from system.switches
    for name, controller in system.controllers.items():
        yield from (f"{name}.{part}" for part in controller.made().names)
    for name, joint in system.joints.items():
        for free in joint.blocks().free:
            yield f"{name}.{free.name}"
            yield f"{name}.{free.name}_rate"
        if _has_gap(joint):
            yield from (f"{name}.{part}" for part in GAP)
    for name in _points(system):
        yield from (f"{name}.{part}" for part in (*SEEN, *OWN))


class Use(NamedTuple):
    """A function somewhere in a System, besides its named signals."""

    where: str  # what owns it, for messages
    value: Any
    local: Mapping[str, str]  # names that it alone knows, and the signals that they are ("": none of their own)


def uses(system: System) -> Iterator[Use]:
    """All functions of loads, controllers and switches."""
    for name, load in system.loads.items():
        local = dict.fromkeys(load.local, "")
        for part, value in load.given_functions():
            yield Use(f"{type(load).__name__} {name!r}: {part}", value, local)
    for name, control in system.controllers.items():
        controller = control.made()
        for part, value in controller.given_functions():
            local = {"period": "", **{own: f"{name}.{own}" for own in controller.known_in(part)}}
            yield Use(f"{type(control).__name__} {name!r}: {part}", value, local)
    for name, switch in system.switches.items():
        if switch.when is not None:
            yield Use(f"Switch {name!r}: when", switch.when, {})


def uses_signals(system: System) -> bool:
    """Whether anything of the motion has to be measured."""
    named = system.signals or system.controllers
    return bool(named) or any(depends_on_motion(use.value) for use in uses(system))


def uses_gaps(system: System) -> bool:
    """Whether anything depends on the gap or the contact force of a real joint."""
    values = (*(use.value for use in uses(system)), *system.signals.values())
    return any(
        name.rpartition(".")[0] in system.joints and name.rpartition(".")[2] in GAP
        for value in values
        for name, _ in arguments_of(value)
    )


def _unknown(system: System, where: str, name: str) -> ModelError:
    known = list(known_signals(system))
    owner, _, part = name.rpartition(".")
    joint = system.joints.get(owner)
    if joint is not None and part in GAP:
        why = "has no gap that a law closes; give it a model such as gd.Dry with contact="
        if isinstance(joint.model, DryTouch):
            why = "touches in several points; a gap is a signal where there is one: use a distance, or a sphere"
        return ModelError(f"{where}: no signal {name!r}: {joint.label(owner)} {why}")
    if owner and DEPENDS_ON_LOADS.fullmatch(part):
        return ModelError(
            f"{where}: no signal {name!r}: accelerations and forces of joints follow from the loads, so that no load "
            "can depend on them; use positions and velocities, or the normal_force of a real joint"
        )
    pieces = name.split(".")
    for k in range(1, len(pieces) - 1):  # marker.part.body
        marker, seen, body = ".".join(pieces[:k]), pieces[k], ".".join(pieces[k + 1 :])
        if marker in _points(system) and seen in SEEN:
            return ModelError(
                f"{where}: no signal {name!r}: no body {body!r} that sees {marker!r}; "
                f"{did_you_mean(body, [*system.bodies, GROUND])}"
            )
    near = did_you_mean(name, known)
    if not near.endswith("?") and len(known) > SHOWN:
        near = f"known are {', '.join(map(repr, known[:SHOWN]))} …"
    return ModelError(
        f"{where}: no signal {name!r}; {near}"
        + ("" if "." in name else " (names of your own: System(signals={name: expression}))")
    )


def checked_signals(owner: str, given: Any) -> Any:
    """The signals of a System by name: each a number, an expression, a table or a Python function."""
    from gudgeon.checks import Named

    named = Named(f"{owner}, signals", given, object)
    found = {}
    for name, value in named.items():
        if not name.isidentifier() or name in RESERVED:
            raise ModelError(
                f"{owner}, signals: {name!r} cannot name a signal; use letters, digits and _, and none of "
                f"{', '.join(sorted(RESERVED))}"
            )
        found[name] = check_function(f"{owner}, signal {name!r}", "value", value)
    return Named(f"{owner}, signals", found, object)


def refuse_unknown_signals(system: System) -> None:
    """ModelError where a function names what is no signal, or signals depend on each other in a circle."""
    owner = f"System {system.name!r}"
    for use in uses(system):
        for name, says in arguments_of(use.value):
            if name not in use.local:
                source_of(system, f"{use.where}: {says}", name)
    _refuse_shadowed_signals(system)
    for name, value in system.signals.items():
        for used, says in arguments_of(value):
            source_of(system, f"{owner}, signal {name!r}: {says}", used)
    edges, done = _needs_at_once(system), set()
    for name in edges:
        _refuse_circle(owner, name, edges, [], done)


def _refuse_shadowed_signals(system: System) -> None:
    """ModelError where a function of a user's controller uses a name that means two things."""
    for name, control in system.controllers.items():
        controller = control.made()
        if controller is not control:  # ready ones know which of their functions are given
            continue
        for part, value in controller.given_functions():
            for used, says in arguments_of(value):
                kind = "signals" if used in system.signals else "switches"
                if used in controller.known_in(part) and used in (*system.signals, *system.switches):
                    raise ModelError(
                        f"{type(control).__name__} {name!r}: {part}: {says}: {used!r} is a name of its own and one of "
                        f"the {kind} of System {system.name!r}; give one of them another name"
                    )


def _needs_at_once(system: System) -> dict[str, list[str]]:
    """What named signals, inputs and outputs of controllers are computed from; states and the motion need nothing."""
    edges = {name: [used for used, _ in arguments_of(value)] for name, value in system.signals.items()}
    for name, control in system.controllers.items():
        controller = control.made()
        for own in (*controller.inputs, *controller.outputs):
            names = [used for value in controller.through(own) for used, _ in arguments_of(value)]
            known = controller.known_in(f"{'input' if own in controller.inputs else 'output'} {own!r}")
            edges[f"{name}.{own}"] = [f"{name}.{used}" if used in known else used for used in names]
    return edges


def sampled_outputs(system: System) -> list[tuple[str, str]]:
    """Sampled controllers and their outputs, each after those that it is computed from."""
    edges, order = _needs_at_once(system), dict[str, None]()

    def visit(name: str) -> None:
        if name not in order:
            for used in edges.get(name, ()):
                visit(used)
            order[name] = None

    for name, control in system.controllers.items():
        for own in control.made().outputs:
            visit(f"{name}.{own}")
    parts = [name.rpartition(".") for name in order]
    made = {name: control.made() for name, control in system.controllers.items()}
    return [
        (name, own)
        for name, _, own in parts
        if name in made and made[name].period is not None and own in made[name].outputs
    ]


def _refuse_circle(owner: str, name: str, edges: dict[str, list[str]], path: list[str], done: set[str]) -> None:
    if name in path:
        circle = [*path[path.index(name) :], name]
        raise ModelError(
            f"{owner}: the signals {' → '.join(circle)} depend on each other (an algebraic loop); break it: state one "
            "of them by the motion, the time, or a state of a controller"
        )
    if name in done:
        return
    for used in edges.get(name, ()):
        _refuse_circle(owner, used, edges, [*path, name], done)
    done.add(name)
