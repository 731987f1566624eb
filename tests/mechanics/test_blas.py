"""Small dense algebra runs on one thread of BLAS, and leaves the setting as it was."""

from __future__ import annotations

import threading

import pytest
from threadpoolctl import ThreadpoolController, threadpool_limits

import gudgeon as gd
from closed_forms import slider_crank
from gudgeon.mechanics.blas import one_blas_thread
from mechanisms import pendulum


def threads() -> set[int]:
    """Of NumPy's and SciPy's libraries; CVODE brings one of its own."""
    libraries = ThreadpoolController().select(user_api="blas").info()
    found = {one["num_threads"] for one in libraries if "sundae" not in one["filepath"]}
    assert found
    return found


@pytest.fixture(autouse=True)
def two_threads():
    with threadpool_limits(2, user_api="blas"):
        yield


def test_one_thread_within_and_two_after():
    with one_blas_thread():
        assert threads() == {1}
        with one_blas_thread():
            assert threads() == {1}
        assert threads() == {1}
    assert threads() == {2}


def test_an_error_restores_the_setting():
    with pytest.raises(gd.ModelError):
        gd.kinematics(pendulum(), 1.0)
    assert threads() == {2}


def test_threads_that_overlap_leave_it_as_it_was():
    """The second to enter must not take the setting of the first for what was there before."""
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with one_blas_thread():
            inside.set()
            leave.wait(10.0)

    started = threading.Thread(target=other)
    with one_blas_thread():
        started.start()
        assert inside.wait(10.0)
        assert threads() == {1}
    leave.set()
    started.join()
    assert threads() == {2}


def test_analyses_use_it(monkeypatch):
    seen: list[set[int]] = []
    gd.kinematics(slider_crank(), 0.1, sample=0.05, progress=lambda fraction: seen.append(threads()))
    from gudgeon.analysis.small_motion.rows import Rows

    original = Rows.allowed

    def watched(self, y):
        seen.append(threads())
        return original(self, y)

    monkeypatch.setattr(Rows, "allowed", watched)
    gd.equilibrium(pendulum())
    gd.linearize(pendulum())
    assert len(seen) > 4 and all(one == {1} for one in seen)
    assert threads() == {2}
