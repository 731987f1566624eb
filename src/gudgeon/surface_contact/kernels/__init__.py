"""Compiled code of contact over surfaces."""
