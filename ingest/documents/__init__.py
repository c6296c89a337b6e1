"""Readers of documents: PPTX, PDF, HTML, Markdown and text, with words told apart by class."""
