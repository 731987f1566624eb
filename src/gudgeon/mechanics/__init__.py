"""Equations of motion from a System."""
