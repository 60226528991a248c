"""`python -m wherry.cli` is the command `wherry`."""

from wherry.cli import main

if __name__ == "__main__":
    main()
