"""Compiled loops over Bézier patches: no classes, flat arrays in, arrays out."""
