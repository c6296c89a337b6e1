"""Judges: who answers what a deck covers, claims and is worth to an audience."""
