"""What a long motion is like: sections, spectra, chaos, impacts, ensembles, losses, and what parameters do to it."""
