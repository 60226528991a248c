"""Installed runtimes, and whole models whose opaque nodes they run."""
