"""Time integrators. One file each; options are a frozen dataclass."""
