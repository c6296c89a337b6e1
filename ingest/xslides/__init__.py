"""Stages of the xslides benchmark: sources, probes, weights, decks, evaluation."""
