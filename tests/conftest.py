"""Settings of all tests."""

import os
import sys
from pathlib import Path

import matplotlib
import pytest
from hypothesis import HealthCheck, settings

import gudgeon as gd

matplotlib.use("Agg")
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # the many processes that tests start read what the first one compiled
sys.path.insert(0, str(Path(__file__).parent))  # so that tests can import `references`
settings.register_profile(
    "gudgeon",
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # the fixture `coordinates` stays the same
)
settings.load_profile("gudgeon")


@pytest.fixture(params=["absolute", "relative"])
def coordinates(request, monkeypatch):
    """Makes every `gd.simulate` of a test run in absolute and then in relative coordinates."""
    monkeypatch.setitem(gd.simulate.__kwdefaults__, "coordinates", request.param)
    return request.param


@pytest.fixture(scope="session")
def pool():
    """One pool of processes for all tests of studies: they are told apart by their stores."""
    with gd.Processes(2) as processes:
        yield processes
