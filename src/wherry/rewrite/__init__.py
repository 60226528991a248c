"""Rules by which one operator is said through others, and the search over what a target says; it knows no dialect."""
