"""How kernels are compiled once per machine, and all of them by `gudgeon compile`."""
