"""Real models: whether each opens, lists, runs by several rules as its runtime does, and how fast."""
