"""Functions of time, evaluated by a stack machine."""
