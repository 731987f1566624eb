"""Lubricant films by themselves: Reynolds' equation and tables of its solutions. Knows nothing of joints."""
