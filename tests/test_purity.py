"""The right-hand side is a function of time, state and contact memory: nothing that was evaluated before matters.

Random states, some of them within the walls of real joints, in random order, repeatedly, and by equations made anew:
the very same bits, and neither the model nor the memory of contacts is written. Solvers try states that they reject, so
a right-hand side that remembers them depends on the steps taken.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import gudgeon as gd
from benchmarks.test_bricard import bricard
from frozen.systems import chain_of_real_joints, every_joint
from gudgeon.analysis.assemble import assemble_equations
from gudgeon.kernels.build.records import Record
from gudgeon.kernels.dynamics.arrays import IMPACT_SPEED, MODE, TOUCHING
from gudgeon.kernels.dynamics.motion import right_hand_side
from gudgeon.mechanics.equations import Equations, equations_of_motion, relative_equations
from one_joint import GUIDE_PLAY, JOINTS, MODELS, PLAY, one_joint

STATES, ROUNDS = 12, 3
SPEED = 0.05  # of the impacts in the memory [m/s]
MECHANISMS = {"four-bar": gd.examples.spatial_four_bar, "Bricard": bricard}
MECHANISMS |= {"every joint": every_joint, "chain of real joints": chain_of_real_joints}


def one_joints() -> list[tuple[str, str]]:
    """Joints with every model that they take."""
    taken = []
    for joint, model in product(JOINTS, MODELS):
        try:
            one_joint(joint, model)
        except (gd.ModelError, TypeError):
            continue
        taken.append((joint, model))
    return taken


def cases() -> list:
    made = []
    for joint, model in one_joints():
        for coordinates, touching in product(("absolute", "relative"), (False, True)):
            name = f"{joint}-{model}-{coordinates}-{'touching' if touching else 'open'}"
            made.append(pytest.param(joint, model, coordinates, touching, id=name))
    return made + [pytest.param("", *each) for each in product(MECHANISMS, ("absolute", "relative"), (False, True))]


def equations(joint: str, model: str, coordinates: str, *, touching: bool) -> tuple[Equations, np.ndarray]:
    """Equations with a memory in which nothing or everything touches, and the start."""
    system = one_joint(joint, model) if joint else MECHANISMS[model]()
    made = equations_of_motion(system)
    start = assemble_equations(made).state
    if coordinates == "relative":
        made, start = relative_equations(made, {}, system.topology(), start)
    if touching:
        made.work.contact[:, MODE], made.work.contact[:, IMPACT_SPEED] = TOUCHING, SPEED
    return made, start


def written(record: Record) -> list[bytes]:
    """All numbers of a record, those of records within it too."""
    return [
        part
        for value in record.arrays().values()
        for part in (written(value) if isinstance(value, Record) else [value.tobytes()])
    ]


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(("joint", "model", "coordinates", "touching"), cases())
def test_the_same_state_has_the_same_rate(joint, model, coordinates, touching):
    random = np.random.default_rng(7)
    (first, start), (again, _) = (equations(joint, model, coordinates, touching=touching) for _ in range(2))
    film = model.startswith("Lubricated")  # ends at its wall
    depth = 0.1 * PLAY if film else GUIDE_PLAY if joint == "Guide" else PLAY
    if model == "Ideal, LuGre":  # bristles that are bent a thousand times as far as they can be jam
        depth *= 1e-3
    states = start + random.uniform(-0.5, 0.5, (STATES, len(start))) * depth
    times, known = random.uniform(0.0, 1.0, STATES), {}
    for made in (first, again):
        memory = made.work.contact.copy()
        model_before, rate = written(made.model), np.zeros_like(start)
        for k in random.permutation(np.repeat(np.arange(STATES), ROUNDS)):
            right_hand_side(made.model, made.work, times[k], states[k], rate)
            assert known.setdefault(k, rate.tobytes()) == rate.tobytes()
        assert written(made.model) == model_before
        assert np.array_equal(memory, made.work.contact)
    assert all(np.all(np.isfinite(np.frombuffer(value))) for value in known.values())
    still = (joint, model, coordinates) == ("Rigid", "Ideal", "relative")  # no state at all
    assert len(set(known.values())) == (1 if still else STATES)
