"""The command line: arguments, printing and exit status; the work is done by the other packages."""

from __future__ import annotations

import sys

from wherry.errors import missing


def main() -> None:
    """Run the command. Exit status: 0 fine, 1 findings or a failed run, 2 unusable arguments or file."""
    try:
        from wherry.cli.app import app
    except ModuleNotFoundError as error:
        if error.name not in ("typer", "rich"):
            raise
        sys.exit(f"wherry: {missing(error.name, 'cli', 'the command line')}")
    app()
