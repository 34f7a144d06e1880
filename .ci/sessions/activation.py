"""A second start, from a window that has the focus: the first one's window comes to the front, or is marked."""
import os, stat, subprocess, time

from hand import HEIGHT, WIDTH
from manners import SAMPLES, Peer
from waiting import need, until

ENTRY = "org.assay.Assay.desktop"


def second(session, source, program):
    """A launcher runs the desktop entry that was registered, as file managers do, with the token that its desktop gives."""
    need("xdotool")
    subprocess.run([program, "register"], env=session.env, check=True, capture_output=True)
    token = observed(session, program)
    window = session.run(program, os.path.join(SAMPLES, "duck.gpb"))
    time.sleep(10)
    peer = Peer(session, "Assay", "launch", os.path.join(session.env["XDG_DATA_HOME"], "applications", ENTRY), os.path.join(SAMPLES, "pond.ppac"))
    session.place_right()
    until("the launcher in front", lambda: session.state("org.assay.Assay") == "behind")
    session.hand.click(3 * WIDTH // 4, HEIGHT // 2)
    peer.says("launched")
    state = until("the window's turn", lambda: (s := session.state("org.assay.Assay")) != "behind" and s)
    session.picture("second start")
    until("the token", lambda: os.path.exists(token))
    with open(token) as f:
        if not f.read().strip():
            return f"FAILED: {state}, but without a token"
    if window.poll() is not None:
        return "FAILED: the window has ended"
    return "ok, " + state


def observed(session, program):
    """Has the entry start the program by a script, which writes down the token that it gets."""
    token, script = os.path.join(session.folder, "token"), os.path.join(session.folder, "observed")
    with open(script, "w") as f:
        f.write(f'#!/bin/sh\necho "$XDG_ACTIVATION_TOKEN$DESKTOP_STARTUP_ID" > {token}.new\nmv {token}.new {token}\nexec {program} "$@"\n')
    os.chmod(script, stat.S_IRWXU)
    path = os.path.join(session.env["XDG_DATA_HOME"], "applications", ENTRY)
    with open(path) as f:
        entry = f.read()
    with open(path, "w") as f:
        f.write(entry.replace(f'"{program}"', script))
    return token


TRIES = {"second start": second}
