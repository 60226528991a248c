"""WebNN: the methods of MLGraphBuilder that move data, as functions; and graphs as calls of these methods."""

from wherry.dialects.webnn import functions
from wherry.dialects.webnn.functions import *  # noqa: F403

__all__ = functions.__all__
