"""Published studies, run and drawn by `gudgeon demo`; what they claim is checked."""
