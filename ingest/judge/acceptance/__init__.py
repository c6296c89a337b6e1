"""The acceptance kit: planted truths and hand-written items that any judge can be held to."""
