"""Documents on their way into retrieval: routed, parsed, aligned, chunked."""
