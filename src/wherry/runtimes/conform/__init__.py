"""Conform: rules of ONNX's movement operators, tried on every installed runtime."""
