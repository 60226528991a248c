"""`python -m wherry.cli` is the command `wherry`."""

from wherry.cli import main

main()
