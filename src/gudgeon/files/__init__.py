"""Model files: a System as text, with units, and back; and how any file is written."""
