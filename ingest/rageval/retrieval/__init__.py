"""Finding chunks for questions: by words, by vectors, both fused, and re-ranked."""
