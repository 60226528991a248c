"""Node tests of the onnx package that are not run, with the reason."""

SUMS_OF_FLOATS = frozenset({"ReduceSum", "ReduceProd", "CumSum", "CumProd"})
"""Operators whose node tests are not run where they are given floats: the order of a sum decides its bits."""

EXCLUDED_NODE_TESTS: dict[str, str] = {
    "test_identity_sequence": "the value is a sequence of tensors; wherry moves tensors only",
    "test_identity_opt": "the value is optional and holds a sequence; wherry moves tensors only",
}
"""Node tests of the onnx package whose operator wherry has, and whose values it does not take, with the reason."""
