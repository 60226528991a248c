"""Targets of a check: a runtime with its known differences, or a specification, in one version."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

from wherry.arguments import as_entries
from wherry.conversion.rules import OpenVINORules, dialect_named
from wherry.conversion.targets import DirectMLTarget, OnnxTarget, Target, target_of
from wherry.dialects.onnx.writer import DEFAULT_OPSET
from wherry.errors import InvalidTypeError, InvalidValueError, short
from wherry.models.model import Model
from wherry.runtimes.differences import Difference, differences, runtimes

NAMES = ("onnxruntime", "openvino", "directml", "webnn")
"""What a model is checked for where nothing is named."""

_ALLOWED = "'onnxruntime', 'openvino', 'directml:6.4', 'webnn', or a specification: 'onnx:21', 'openvino:opset8'"

_ONNX_READER = "openvino-onnx"
"""What is known of how OpenVINO reads ONNX models."""

_MOST = 16
"""How many targets one check has at most."""


@dataclass(frozen=True)
class CheckTarget:
    """A runtime or specification in one version: `dialect` says operators there, `entries` are known differences.

    The entries of WebNN are those of several runtimes, which browsers have behind it. `reader` are those of the part of
    a runtime that reads the model's own format, which `reads` says.
    """

    name: str
    version: str
    title: str
    dialect: Callable[[], Target]
    entries: tuple[Difference, ...] = ()
    reader: tuple[Difference, ...] = ()
    reads: Callable[[], Target] | None = None

    def about(self, operator: str) -> tuple[Difference, ...]:
        """Return the known differences of an operator, by the name that it has there."""
        if operator not in self._by_operator:
            found = tuple(one for one in self.entries if not one.operators or operator in one.operators)
            self._by_operator[operator] = found
        return self._by_operator[operator]

    def whose(self, entry: Difference) -> tuple[str, str]:
        """Return name and version of whom a known difference is told."""
        is_own = entry.runtime == self.name or entry in self.reader
        return (self.name, self.version) if is_own else (entry.runtime, entry.version)

    @cached_property
    def _by_operator(self) -> dict[str, tuple[Difference, ...]]:
        return {}


def targets_of(targets: object, model: Model) -> list[CheckTarget]:
    """Return the targets that names tell, each once. Raises InvalidValueError for one that there is not."""
    if isinstance(targets, str):
        targets = [targets]
    found: dict[tuple[str, str], CheckTarget] = {}
    for count, name in enumerate(as_entries("targets", targets, f"names: {_ALLOWED}")):
        if not isinstance(name, str):
            raise InvalidTypeError(f"targets[{count}] is {short(name)}, allowed a text: {_ALLOWED}")
        if count >= _MOST:
            raise InvalidValueError(f"targets has more than {_MOST} names; check them in turn")
        one = _target(name, model)
        found[one.name, one.version] = one
    if not found:
        raise InvalidValueError(f"targets is empty, allowed one name and more: {_ALLOWED}")
    return list(found.values())


def _target(text: str, model: Model) -> CheckTarget:
    name, _, version = text.partition(":")
    if name == "onnxruntime":
        return _onnxruntime(version, model)
    if name == "openvino" and not _OPSET.fullmatch(version):
        entries, known = _known(name, version)
        target = CheckTarget(name, known, f"OpenVINO {known}", dialect_named("openvino", "target"), entries)
        if model.dialect != "onnx":
            return target
        return replace(target, reader=differences(_ONNX_READER, known), reads=_own_onnx(model))
    if name not in ("onnx", "openvino", "directml", "webnn"):
        raise InvalidValueError(f"target is {short(text)}, allowed {_ALLOWED}")
    dialect = dialect_named(text, "target")
    made = dialect()
    return CheckTarget(name, _version(made), made.title, dialect, _documented(name))


def _version(target: Target) -> str:
    """Return the version of a specification as targets name it."""
    if isinstance(target, OnnxTarget):
        return str(target.opset)
    if isinstance(target, DirectMLTarget):
        return str(target.feature_level)
    return f"opset{target.opset}" if isinstance(target, OpenVINORules) else ""


_OPSET = re.compile(r"(?:opset)?[0-9]{1,3}", re.ASCII)


def _onnxruntime(version: str, model: Model) -> CheckTarget:
    entries, known = _known("onnxruntime", version)
    return CheckTarget("onnxruntime", known, f"ONNX Runtime {known}", _own_onnx(model), entries)


def _own_onnx(model: Model) -> Callable[[], Target]:
    """Return what makes the target that is ONNX in the model's own opset."""
    opset = model.options.get("opset") if model.dialect == "onnx" else None
    return partial(target_of, "onnx", {"opset": opset or DEFAULT_OPSET})


def _known(name: str, version: str) -> tuple[tuple[Difference, ...], str]:
    """Return what is known of a runtime, and its version; of the latest version known where none is named."""
    versions = [known for one, known in runtimes() if one == name]
    if version and version not in versions:
        raise InvalidValueError(f"target is {short(f'{name}:{version}')}, allowed versions {', '.join(versions)}, "
                                "which were measured; measure others with wherry conform")  # fmt: skip
    entries = differences(name, version or None)
    return entries, version or entries[0].version


def _documented(name: str) -> tuple[Difference, ...]:
    """Return what documents tell of the runtimes of a specification: of DirectML, and of those behind WebNN."""
    if name == "directml":
        return differences(name)
    behind = [one for one, _ in runtimes() if one.startswith("webnn-")] if name == "webnn" else []
    return tuple(entry for one in behind for entry in differences(one))
