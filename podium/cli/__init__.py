"""Command line of Podium, one file per noun."""
