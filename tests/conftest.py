"""Settings of all tests."""

import sys
from pathlib import Path

import matplotlib
from hypothesis import settings

matplotlib.use("Agg")
sys.path.insert(0, str(Path(__file__).parent))  # so that tests can import `references`
settings.register_profile("gudgeon", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("gudgeon")
