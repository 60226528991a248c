"""Hostile files and hostile calls: each is refused in words, soon, and in little memory."""
