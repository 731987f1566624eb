"""All tests of real joints run in absolute and in relative coordinates."""

import pytest


@pytest.fixture(autouse=True)
def both_formulations(coordinates):
    """See the fixture `coordinates`."""
