"""Compiled loops of wear."""
