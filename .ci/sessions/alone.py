"""What is tried without a file manager, each in a session of its own."""
import subprocess

import activation, endings, lacking, manners, scales
from desktops import started
from manners import GTK
from waiting import Missing

TRIES = {**manners.TRIES, **endings.TRIES, **activation.TRIES, **lacking.TRIES, **scales.TRIES}


def cell(kind, what, source, program, keep):
    try:
        with started(kind, keep) as session:
            return TRIES[what](session, source, program)
    except Missing as e:
        return f"-, {e} is not installed"
    except (TimeoutError, subprocess.TimeoutExpired) as e:
        return f"FAILED: {e}"


def row(kind, source, program, tries, keep):
    """The row of the table that one session gives."""
    if subprocess.run([GTK, "-c", "import gi; gi.require_version('Gtk', '3.0')"], capture_output=True).returncode:
        print(f"SKIPPED: {kind.name} alone: GTK for Python is not installed", flush=True)
        return []
    out = []
    for what in tries:
        out.append(cell(kind, what, source, program, keep))
        print(f"{kind.name}: {what}: {out[-1]}", flush=True)
    return [(kind.name, out)]
