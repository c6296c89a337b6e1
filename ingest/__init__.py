"""Jobs that turn documents and artifacts into rows."""
