"""Arrays that come in: from Python objects, from other libraries, from .npy files."""
