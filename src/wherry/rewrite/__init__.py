"""Rules that replace an operator by others, and the search for operators that a target has; independent of dialects."""
