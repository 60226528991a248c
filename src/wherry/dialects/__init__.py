"""The dialects: what each runtime calls the operators, with versions, types, limits and files."""
