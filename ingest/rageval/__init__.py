"""Document question answering: MM-BizRAG's pipeline, and metrics of answers."""
