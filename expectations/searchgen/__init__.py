"""The recount of published searchgen folders: a second implementation of every figure."""
