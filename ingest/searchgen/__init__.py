"""Landing of the searchgen benchmark: prompts, models, results, published releases."""
