"""podium doctor: what this machine has and lacks."""

from __future__ import annotations

from podium import console, settings
from podium.cli.shared import JsonOption, WarehouseOption, finish, handled
from podium.doctor import FAIL, examine
from warehouse.findings import Outcome


@handled
def doctor(as_json: JsonOption = False, warehouse: WarehouseOption = None) -> None:
    """Check what this machine has and lacks for the job.

    Versions, paths, disk, lock, endpoint, PDF parser, browser, Java, LibreOffice. Keys are never
    printed. Exit code 1 when something fails without which nothing works.

    Example: podium doctor --json
    """
    checks = examine(settings.warehouse_paths(warehouse), settings.read_layers())
    if as_json:
        console.print_json([vars(one) for one in checks])
    else:
        rows = [(one.name, one.status, one.found, one.fix) for one in checks]
        console.print_rows(("check", "status", "found", "what to do"), rows)
    finish(Outcome.FAILED.exit_code if any(one.status == FAIL for one in checks) else 0)
