"""What touches at a time: the table of contacts read in Python as compiled outputs read it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import gudgeon as gd
from gudgeon.analysis.small_motion.about import state_of
from gudgeon.kernels.dynamics.arrays import CONTACT_COLUMNS, FLIGHT, IMPACT_SPEED, MODE, TOUCHING
from gudgeon.kernels.integrators.run import CONTACT_TABLE_COLUMNS
from gudgeon.kernels.outputs.joint_outputs import set_modes
from gudgeon.results.contacts_at import ContactsAt

CONTACTS = [  # line, begin, end, speed; FASTER
    (0, 0.1, 0.4, 0.02, 0),
    (0, 0.2, np.nan, 0.05, 1),
    (1, 0.2, 0.2, 0.30, 0),  # an impact in an instant
    (0, 0.3, np.nan, 0.09, 1),
    (2, 0.3, np.nan, 0.04, 0),  # outlasts the run
    (0, 0.5, 0.7, 0.03, 0),  # slower than it was before
    (1, 0.6, 0.8, 0.20, 0),
    (0, 0.7, 0.9, 0.01, 0),  # begins as the last one ends
]
TABLE = np.full((len(CONTACTS), CONTACT_TABLE_COLUMNS), np.nan)
TABLE[:, [0, 1, 2, 3, 6]] = CONTACTS
TIMES = np.linspace(0.0, 1.0, 21).round(2)


def compiled(times: np.ndarray) -> list[np.ndarray]:
    """`Work.contact` as `set_modes` leaves it; the last line is a point at a wall."""
    work = SimpleNamespace(contact=np.zeros((3, CONTACT_COLUMNS)))
    model, cursor, found = SimpleNamespace(compliant=np.zeros((2, 1))), np.zeros(1, dtype=int), []
    for t in times:
        set_modes.py_func(model, work, TABLE, cursor, t)
        found.append(work.contact.copy())
    return found


@pytest.mark.parametrize("step", [1, 3, 20])
def test_modes_and_speeds_are_those_of_the_outputs(step):
    """At begins, at ends and between, however far apart the times are; in flight there is no impact speed."""
    contacts, here = ContactsAt(TABLE, 3), np.ones((3, CONTACT_COLUMNS))
    for t, expected in zip(TIMES[::step], compiled(TIMES[::step]), strict=True):
        contacts.at(t).put(here)
        assert np.array_equal(here[:, MODE], expected[:, MODE])
        touching = here[:, MODE] != FLIGHT
        assert np.array_equal(here[touching, IMPACT_SPEED], expected[touching, IMPACT_SPEED])
        assert not here[~touching, IMPACT_SPEED].any()


def test_ends_are_included_but_do_not_last():
    at = {t: ContactsAt(TABLE, 3).at(t) for t in (0.2, 0.4, 0.7, 0.9, 0.95)}
    assert [list(x.touching) for x in at.values()] == [[0, 1], [0, 2], [0, 1, 2], [0, 2], [2]]
    assert [list(x.lasting) for x in at.values()] == [[0], [2], [0, 1, 2], [2], [2]]
    assert [x.impact_speed[0] for x in at.values()] == [0.05, 0.09, 0.01, 0.01, 0.0]


def dropped() -> gd.System:
    """A mass on its way to a stop, from which it comes back."""
    return gd.System(
        gravity=(0, 0, 0),
        bodies={"b": gd.Body(mass=1.0, inertia=(1, 1, 1), velocity=(0, 0, 1.0))},
        joints={"s": gd.Prismatic("ground", "b", at=(0, 0, 0))},
        loads={"end": gd.Stop("s", upper=0.05, contact=gd.laws.KelvinVoigt(stiffness=1e5, damping=30.0))},
    )


def test_readers_agree_at_the_end_of_a_contact():
    """Outputs and small motions take it as touching, with its speed; a state to go on from does not."""
    system = dropped()
    (end,) = gd.simulate(system, 0.1).events.end
    result = gd.simulate(system, 0.1, sample=np.array([0.0, end]))
    assert result.events.end[0] == result.data.time[-1] == end  # computes the outputs
    assert result._source is not None
    equations, trajectory = result._source
    of_outputs = equations.work.contact[:, [MODE, IMPACT_SPEED]].copy()
    here, (rows, _, _) = np.zeros((len(of_outputs), CONTACT_COLUMNS)), state_of(result, None, -1)
    ContactsAt(trajectory.contacts, len(of_outputs)).at(end).put(here)
    for contact in (of_outputs, here[:, [MODE, IMPACT_SPEED]], rows.equations.work.contact[:, [MODE, IMPACT_SPEED]]):
        assert contact.max(axis=0) == pytest.approx([TOUCHING, 1.0])
    assert np.abs(gd.inverse_dynamics(system, result).effort.values).max() < 1e-9
    assert not result.state(-1).contacts
