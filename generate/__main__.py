"""`python -m generate`: all files anew."""

from . import contents

for path, text in contents():
    path.write_text(text, encoding="utf-8")
