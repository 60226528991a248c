"""Input arrays: from Python objects, from other libraries, from .npy files."""
