"""Answers to questions about slides and pages, scored by their numbers or by their words."""
