"""Displays that end, under a window that has something to lose."""
import os, shutil, time

from hand import HEIGHT, WIDTH
from manners import SAMPLES, Peer, reader
from source import leftovers
from taker import Taker
from waiting import PATIENCE, until


def still(session, source, program):
    """The display ends under the window."""
    window = session.run(program, os.path.join(SAMPLES, "duck.gpb"))
    time.sleep(10)
    return killed(session, window)


def dragging(session, source, program):
    """It ends during a drag of many files, with the button down above a target."""
    folder = os.path.join(session.folder, "many")
    os.mkdir(folder)
    for i in range(300):
        shutil.copy(os.path.join(SAMPLES, "pond.ppac"), os.path.join(folder, f"pond {i}.ppac"))
    window = session.run(program, folder)
    time.sleep(10)
    session.place_left()
    reader(session, "Assay")
    hand = session.hand
    hand.click(60, 300)  # a row of the list
    hand.key("ctrl+a")
    hand.glide(60, 310)
    time.sleep(0.5)
    hand.button(True)
    time.sleep(0.3)
    hand.glide(3 * WIDTH // 4, HEIGHT // 2)
    until("the files", lambda: len(leftovers(session)) == 300)
    time.sleep(1)
    session.picture("display ends during a drag")
    return killed(session, window)


def pasting(session, source, program):
    """It ends while a program reads the names of files that were copied."""
    window = session.run(program, os.path.join(SAMPLES, "pond.ppac"))
    time.sleep(10)
    session.hand.click(60, 400)  # the tree, whose file is selected
    for keys in ("alt+e", "Up", "Return"):  # the last entry of the menu is Copy as Files
        session.hand.key(keys)
        time.sleep(0.5)
    until("the files", lambda: len(leftovers(session)) == 5)
    time.sleep(1)
    if session.wayland:
        reads = Taker(session.socket(), pastes=True).reads  # a new window has the keyboard, and the clipboard
    else:
        reads = Peer(session, "Assay", "paste").reads
        session.hand.click(3 * WIDTH // 4, HEIGHT // 2)
    until("a reader", reads)
    session.picture("display ends during a paste")
    return killed(session, window)


def killed(session, window):
    """Ends the display: the program says one sentence, ends, and leaves no files."""
    session.display.kill()
    status = window.wait(PATIENCE)
    with open(os.path.join(session.folder, os.path.basename(window.args[0]) + ".log")) as f:
        said = f.read().splitlines()
    mine = [line for line in said if line.startswith("assay:")]
    if status != 2 or len(mine) != 1 or "display has ended" not in mine[0] or any("goroutine" in line for line in said):
        return f"FAILED: status {status}, {said[-5:]}"
    files = leftovers(session) + os.listdir(os.path.join(session.folder, "tmp"))
    return f"FAILED: files stay: {files[:3]}" if files else "ok"


TRIES = {"display ends": still, "in a drag": dragging, "in a paste": pasting}
