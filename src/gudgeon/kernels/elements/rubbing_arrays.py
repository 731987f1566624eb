"""Scratch space of friction in ideal joints: what unit efforts do, and the balance of friction and reactions."""

from __future__ import annotations

import numpy as np

from gudgeon.kernels.build.records import Record, integers, numbers

# RubbingWork.jam
JAM = 0  # how the balance of friction and reactions ended: one of those below
JAM_LINE = 1  # line of `compliant` whose friction rises most with itself
JAM_RATIO = 2  # κ: by how much friction raises itself through the reactions; below 1 there is one solution, always
JAM_COEFFICIENT = 3  # friction per load of that line, now [-]
JAM_COLUMNS = 4
BALANCED, NO_BALANCE, SEVERAL_BALANCES = 0.0, 1.0, 2.0


class RubbingWork(Record):
    """Rubs are numbered as in `Model.rubbing`."""

    push = numbers(
        3, 24
    )  # (rubs, 3, 24) force and torque on its four bodies per unit of effort, direction by direction
    base = numbers(2, 6)  # (rubs, 6) loads without friction
    felt = numbers(3, 6)  # (rubs, rubs, 6) change of the load of one per unit of effort of the other
    direction = numbers(2, 3)  # (rubs, 3) of the effort; zero: it does not rub now
    start = numbers(1)  # accelerations, then multipliers, without friction
    answer = numbers(2)  # (rubs, …) their changes per unit of effort
    effort = numbers(1)  # (rubs) along `direction` [N]
    coefficient = numbers(1)  # (rubs) how much efforts grow with the normal load
    step = numbers(1)  # (rubs) of Newton's method
    trial = numbers(1)  # (rubs)
    kept = numbers(1)  # (rubs)
    matrix = numbers(2)  # (rubs, rubs)
    pivot = integers(1)  # (rubs)
    x = numbers(1)  # (rubs) residuals
    share = numbers(1)  # (1) of friction that acts, while a balance is followed from none
    slope = numbers(2, 6)  # (3, 6) derivatives of efforts by loads, of the line last asked
    jam = numbers(1)  # (JAM_COLUMNS)


def new_rubbing_work(rubs: int, size: int) -> RubbingWork:
    """Room for so many rubs, of a mechanism with `size` accelerations and multipliers."""
    return RubbingWork(
        push=np.zeros((rubs, 3, 24)),
        base=np.zeros((rubs, 6)),
        felt=np.zeros((rubs, rubs, 6)),
        direction=np.zeros((rubs, 3)),
        start=np.zeros(size if rubs else 0),
        answer=np.zeros((rubs, size if rubs else 0)),
        effort=np.zeros(rubs),
        coefficient=np.zeros(rubs),
        step=np.zeros(rubs),
        trial=np.zeros(rubs),
        kept=np.zeros(rubs),
        matrix=np.zeros((rubs, rubs)),
        pivot=np.zeros(rubs, dtype=np.int64),
        x=np.zeros(rubs),
        share=np.ones(1),
        slope=np.zeros((3, 6)),
        jam=np.zeros(JAM_COLUMNS),
    )
