"""`python -m generate`: all files anew."""

import sys
from types import ModuleType

import wherry

from . import ROOT, contents

# The tables are those of the sources, also where an installed wherry brings the compiled core.
wherry.__path__.insert(0, str(ROOT / "src" / "wherry"))

# The dialects import their functions, which may not fit the tables any more: here they do without.
for dialect in ("onnx", "openvino", "webnn"):
    name = f"wherry.dialects.{dialect}.functions"
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__all__ = []

for path, text in contents():
    path.write_text(text, encoding="utf-8")
