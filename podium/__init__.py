"""The command: settings, one thin file per noun, the run order."""
