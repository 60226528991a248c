"""`python -m generate`: all files anew."""

import sys
from types import ModuleType

from . import contents

# The dialects import their functions, which may not fit the tables any more: here they do without.
for dialect in ("onnx", "openvino"):
    name = f"wherry.dialects.{dialect}.functions"
    sys.modules[name] = ModuleType(name)
    sys.modules[name].__all__ = []

for path, text in contents():
    path.write_text(text, encoding="utf-8")
