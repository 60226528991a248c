"""wherry moves tensor data exactly as a runtime's specification says, on any machine, at memory speed."""

__version__ = "0.1.0"
