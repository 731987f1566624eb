"""The first step of `Explicit`, where the state is zero up to rounding and says nothing about its own size."""

import numpy as np
import pytest

import gudgeon as gd


@pytest.mark.parametrize("displacement", [0.0, 1e-18, 2e-17, 1e-16, 1e-15, 1e-12])
def test_slide_at_rest_up_to_rounding(coordinates, displacement):
    """Pushed by F for t seconds a slide of mass m has moved by F t²/2m, wherever rounding has it start."""
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    system = gd.System(
        gravity=(0.0, 0.0, 0.0),
        bodies={"slide": gd.Body(mass=2.0, inertia=(0.1, 0.1, 0.1))},
        joints={"rail": gd.Prismatic("ground", "slide", at=(0.0, 0.0, 0.0), axis=tuple(axis))},
        loads={"push": gd.Force("slide", tuple(60.0 * axis))},
        start={"slide": gd.BodyState(position=tuple(displacement * axis), orientation=(1.0, 0.0, 0.0, 0.0))},
    )
    result = gd.simulate(system, 0.5, solver=gd.Explicit(rtol=1e-10, atol=1e-12))
    assert result.data.position.values[-1, 0] == pytest.approx(0.5 * 30.0 * 0.25 * axis, rel=1e-9)
