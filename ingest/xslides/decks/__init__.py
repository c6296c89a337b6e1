"""Stage 4: decks of a run, made by a command or brought from where a tool left them."""
