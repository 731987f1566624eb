"""The mechanics behind the wall: forces to accelerations, in both formulations."""
