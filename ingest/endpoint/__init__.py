"""Judges behind any OpenAI-compatible endpoint: client, cache, replay, budget, call records."""
