"""Wear of joints: how deep their surfaces are rubbed away, and what that does to the motion."""
