"""Conform: rules of ONNX's movement operators, tried on every runtime that is installed, and what came of it."""
