"""Installed runtimes, and whole models of which they run what wherry does not have."""
