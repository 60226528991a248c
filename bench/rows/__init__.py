"""The rows; `declare` puts them into the registry, in the order of the table."""

from importlib import import_module

FAMILIES = ("gather", "strided", "small", "copies", "concat_split", "others", "family", "graphs", "dynamic")


def declare() -> None:
    """Import the families, which declare their rows."""
    for family in FAMILIES:
        import_module(f"{__name__}.{family}")
