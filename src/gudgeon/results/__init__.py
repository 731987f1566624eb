"""What a run gives: data by name, events, joint coordinates, gaps, files, and whether it can be believed."""
