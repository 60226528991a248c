"""The engine: from a graph, or one operator, to bytes."""
