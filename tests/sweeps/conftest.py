"""One pool of processes for all tests of studies: they are told apart by their stores."""

import pytest

import gudgeon as gd


@pytest.fixture(scope="session")
def pool():
    with gd.Processes(2) as processes:
        yield processes
