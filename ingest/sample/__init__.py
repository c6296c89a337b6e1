"""The shipped sample: invented source documents, decks about them, the script that made them."""
