"""Pages: the viewer's bundle (from the folder viewer of the repository, built at install time) with a scene in it."""
