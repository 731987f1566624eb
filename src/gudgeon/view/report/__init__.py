"""A run on one page, to read and to print: what it is, how it moved, what happened in it, how it was computed."""
