"""Commands that are listed at once and imported when they are called.

The readers of documents, the clients of judges and the engines of the warehouse take seconds to
import, and most commands need few of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand


class Later(TyperCommand):
    """Stands in a list for a command, or a group, that its module makes when it is called."""

    def imported(self) -> Any:
        """Import the module and return the command that this one stands for."""
        assert self.name is not None and self.callback is not None
        found = self.callback()
        house = typer.Typer()
        if isinstance(found, typer.Typer):
            house.add_typer(found, name=self.name)
        else:
            house.command(self.name)(found)
        return typer.main.get_group(house).commands[self.name]

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        """Return the context of the command itself, which a group then invokes."""
        return self.imported().make_context(info_name, args, parent=parent, **extra)


def later(app: typer.Typer, name: str, place: str, says: str, panel: str | None = None) -> None:
    """Add a command to a group without importing it.

    Args:
        app: the group.
        name: what a person calls.
        place: `module:attribute` of the function, or of the group, below `podium.cli`.
        says: its line in the list of the group: the first line of its own help.
        panel: heading above that line.
    """

    def found() -> Any:
        module, _, attribute = place.partition(":")
        return getattr(import_module(f"podium.cli.{module}"), attribute)

    app.command(name, cls=Later, help=says, rich_help_panel=panel)(found)
