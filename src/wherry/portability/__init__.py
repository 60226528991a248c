"""Where a model gives another answer on another runtime: what parts them, an example of it, and what to do."""
