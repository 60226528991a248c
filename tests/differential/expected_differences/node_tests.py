"""Node tests of the onnx package that are not run, with the reason."""

EXCLUDED_NODE_TESTS: dict[str, str] = {
    "test_identity_sequence": "the value is a sequence of tensors; wherry moves tensors only",
    "test_identity_opt": "the value is optional and holds a sequence; wherry moves tensors only",
}
"""Node tests of the onnx package whose operator wherry has, and whose values it does not take, with the reason."""
