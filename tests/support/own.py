"""wherry's own answers: nothing that a runtime beside it would have to compute."""

from __future__ import annotations

from wherry.models.model import Model


def own(model: Model) -> Model:
    """Return a model all of whose nodes are wherry's: no runtime answers for it where both are compared.

    Raises UnsupportedError for one with opaque nodes.
    """
    for _, graph in model.graphs:
        graph.refuse_opaque()
    return model
