"""Compiled code only: scalar loops over flat arrays, no classes, no allocation in the hot path."""
