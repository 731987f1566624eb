"""What touches, since when, and what happens then."""
