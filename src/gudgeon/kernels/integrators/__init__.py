"""Solvers: they see the wall of the mechanics, and neither formulations nor elements."""
