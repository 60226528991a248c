"""The same moves by wherry and by its peers, side by side: python -m bench."""
