"""From hits to an answer: contexts with artifacts in their places, and who answers."""
