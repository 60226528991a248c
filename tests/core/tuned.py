"""A Python process of its own, whose core is told by WHERRY_TUNE what its machine is like."""

import os
import subprocess
import sys


def run_tuned(tune: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    """Run Python with these arguments; `more` are further variables of its environment."""
    environment = {**os.environ, "WHERRY_TUNE": tune, **more}
    return subprocess.run([sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False)
