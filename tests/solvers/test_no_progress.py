"""Runs that could go on for ever end: steps that cannot be taken as aimed are shortened, laws that jump are named."""

import time

import pytest

import gudgeon as gd


def rod(damping: float) -> gd.System:
    """A light rod that hangs in a wide socket; the force of its contact jumps to damping times speed at onset."""
    contact = gd.laws.KelvinVoigt(stiffness=2.8e8, damping=damping)
    return gd.System(
        gravity=(0.0, 0.0, -9.81),
        bodies={"rod": gd.Body(mass=0.013, inertia=(1e-5, 1e-5, 1e-6), position=(0.0, 0.0, -0.05))},
        joints={
            "socket": gd.Spherical(
                "ground",
                "rod",
                at=(0.0, 0.0, 0.0),
                model=gd.Dry(socket_radius=9.8e-3, ball_radius=9e-3, contact=contact),
            )
        },
        start={
            "rod": gd.BodyState(
                position=(0.0, 0.0, -0.05),
                orientation=(1.0, 0.0, 0.0, 0.0),
                velocity=(0.1, 0.05, 0.0),
                angular_velocity=(20.0, 5.0, 3.0),
            )
        },
    )


class Patience:
    """Breaks a run off after some seconds."""

    def __init__(self, seconds: float):
        self.until = time.process_time() + seconds

    def __call__(self, fraction: float) -> None:
        if time.process_time() > self.until:
            raise TimeoutError("the run makes no progress and does not say so")


@pytest.mark.parametrize(("damping", "rtol", "duration"), [(1e3, 1e-5, 0.06), (1e4, 1e-4, 0.04), (1e5, 1e-4, 0.01)])
def test_force_that_jumps_at_onset(damping, rtol, duration):
    """Each of these went round in circles between a step and the event seen in its polynomial."""
    fine = gd.simulate(rod(damping), 0.002, solver=gd.Implicit(rtol=1e-9)).events
    result = gd.simulate(rod(damping), duration, solver=gd.Implicit(rtol=rtol), progress=Patience(10.0))
    assert result.stats["end"] == "done"
    assert result.events.begin[0] == pytest.approx(fine.begin[0], rel=100.0 * rtol)
    assert result.events.peak_force[0] == pytest.approx(fine.peak_force[0], rel=1e-2)


def jumping(delta, ddelta):
    """Twice as stiff on the way in: at rest, no force between the two is to be had."""
    return 1e7 * delta * (2.0 if ddelta > 0.0 else 1.0)


@pytest.mark.parametrize(
    "solver", [gd.Explicit(), gd.Implicit(rtol=1e-5), gd.Implicit()], ids=["Explicit", "Implicit, coarse", "Implicit"]
)
def test_contact_law_that_jumps_is_named(solver):
    """Where one force is too little and the other too much no motion exists; steps shrink, or creep, without end."""
    model = gd.Dry(socket_radius=0.01, ball_radius=0.0099, contact=jumping)
    system = gd.System(
        gravity=(0.0, 0.0, -9.81),
        bodies={"bob": gd.Body(mass=7.5, inertia=(1e-5, 1e-5, 1e-5))},
        joints={"cup": gd.Spherical("ground", "bob", at=(0.0, 0.0, 0.0), model=model)},
    )
    with pytest.raises(gd.SimulationError, match=r"at t = .*contact law of Spherical 'cup' jumps") as error:
        gd.simulate(system, 0.1, solver=solver, progress=Patience(20.0))
    assert error.value.owner == "cup" and 0.0 < error.value.time < 0.1
    assert "from 1e-06 to 2e-06 N at δ = 1e-13 m" in str(error.value) and "make it continuous" in str(error.value)
    assert error.value.result.stats["end"] in ("no progress", "step underflow")
