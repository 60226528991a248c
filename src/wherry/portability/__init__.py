"""Where a model gives another answer on another runtime: findings with examples and advice, guards, comparison."""
