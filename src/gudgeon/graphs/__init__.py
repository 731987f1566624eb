"""Graphs and their spanning trees; knows nothing of joints."""
