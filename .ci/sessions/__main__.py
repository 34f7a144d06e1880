"""python3 .ci/sessions [SESSION ...]: drags files out of a window into native and X11 file managers, and pastes them there,
in real sessions without a display: sway (headless), mutter and KWin (nested in Xvfb), and X11 (openbox). Then it looks at what
needs no file manager: targets and lists without manners, displays that end, a second start. Prints tables; the exit
status is 1 if something did not arrive byte by byte, or did not end as it has to. What is not installed is skipped, and said.
  --source PROGRAM  the window to drag from: the test program of ui/exporting/dragout, which is built otherwise
  --program PROGRAM the program itself, which is built otherwise
  --targets A,B     only these of thunar, nautilus, pcmanfm, sandbox, alone (no file manager)
  --tries A,B       only these columns of the tables
  --keep DIR        leave logs and pictures there"""
import argparse, os, subprocess, sys, tempfile

sys.dont_write_bytecode = True
import alone, managers
from desktops import KINDS

HERE = os.path.dirname(os.path.abspath(__file__))
ALONE = "alone"


def built(name, package, *command):
    """A program of a package that is built for this run, where every user can run it."""
    folder = tempfile.mkdtemp(prefix="assay-")
    os.chmod(folder, 0o755)
    path = os.path.join(folder, name)
    subprocess.run(["go", *command, "-tags", "migrated_fynedo", "-o", path, package],
                   cwd=os.path.join(HERE, "..", ".."), check=True)
    return path


def table(head, rows):
    if rows:
        print("\n" + " | ".join(["session", *head]))
    for name, row in rows:
        print(" | ".join([name, *row]))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sessions", nargs="*", default=list(KINDS))
    parser.add_argument("--source")
    parser.add_argument("--program")
    parser.add_argument("--targets", default=",".join([*managers.TARGETS, managers.SANDBOX, ALONE]))
    parser.add_argument("--tries", default=",".join([*managers.TRIES, *alone.TRIES]))
    parser.add_argument("--keep")
    a = parser.parse_args()
    a.source = os.path.abspath(a.source or built("dragout.test", "./ui/exporting/dragout", "test", "-c"))
    a.program = os.path.abspath(a.program or built("assay", ".", "build", "-buildvcs=false"))
    if a.keep:
        a.keep = os.path.abspath(a.keep)
        os.makedirs(a.keep, exist_ok=True)
    return a


def as_user(a):
    """Goes on as nobody: sway refuses root, and a file manager of root is not what a user has."""
    if a.keep:
        os.chmod(a.keep, 0o777)
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", sys.executable, HERE, *a.sessions]
    for name in ("source", "program", "targets", "tries", "keep"):
        if getattr(a, name):
            command += ["--" + name, getattr(a, name)]
    os.execvp(command[0], command)


def main():
    a = arguments()
    if os.getuid() == 0:
        as_user(a)
    targets, tries = a.targets.split(","), a.tries.split(",")
    into = [t for t in targets if t != ALONE]
    ways = [t for t in managers.TRIES if t in tries]
    others = [t for t in alone.TRIES if t in tries]
    rows, more = [], []
    for kind in (KINDS[name] for name in a.sessions):
        if kind.wayland and into and ways:
            rows += managers.rows(kind, a.source, into, ways, a.keep)
        if ALONE in targets and others:
            more += alone.row(kind, a.source, a.program, others, a.keep)
    table(ways, rows)
    table(others, more)
    return 0 if all(r.startswith(("ok", "-")) for _, row in rows + more for r in row) else 1


if __name__ == "__main__":
    sys.exit(main())
