"""Models: what `wherry.load` returns, and what is told about it."""
