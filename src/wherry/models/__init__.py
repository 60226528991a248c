"""Models, which `wherry.load` returns, their listings and parts."""
