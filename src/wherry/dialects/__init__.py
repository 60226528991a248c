"""The dialects: each runtime's spelling of the operators, with versions, types, limits and files."""
