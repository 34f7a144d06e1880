"""Programs without manners at the other end of a drag."""
import os, subprocess, threading, time

from hand import HEIGHT, WIDTH
from source import MANY, SIX, Source, again, drop, leftovers
from taker import Taker
from waiting import until

HERE = os.path.dirname(os.path.abspath(__file__))
SAMPLES = os.path.abspath(os.path.join(HERE, "..", "..", "assets", "samples"))
GTK = "/usr/bin/python3"  # the distribution's own has GTK


class Peer:
    """The other end of a drag, beside the window of title other."""

    def __init__(self, session, other, *arguments):
        self.session = session
        backend = "x11" if session.name == "x11" else "wayland"
        self.p = session.run(GTK, os.path.join(HERE, "peer"), *arguments, env={"GDK_BACKEND": backend}, stdout=subprocess.PIPE, text=True)
        self.lines = []
        threading.Thread(target=self.read, daemon=True).start()
        self.says("open")
        time.sleep(1)
        if session.name == "x11":
            session.place(other, 0)
            session.place("peer", WIDTH // 2)

    def read(self):
        for line in self.p.stdout:
            self.lines.append(line.rstrip("\n"))

    def said(self, start):
        return next((l for l in self.lines if l.startswith(start)), None)

    def says(self, start):
        return until("the peer's " + start, lambda: self.said(start))

    def reads(self):
        return self.said("asked")

    def has_read(self):
        return self.said("list")

    def close(self):
        self.session.end(self.p)


def reader(session, other):
    """A window that reads a byte a second, or on X11 a part every ten, beside the window of title other."""
    if not session.wayland:
        return Peer(session, other, "slow")
    taker = Taker(session.socket())
    time.sleep(1)
    session.place_right()
    return taker


def slow(session, source, program):
    """A target reads the names of the files slowly: the window goes on, and ends."""
    window = Source(session, source, SIX if session.bridged else MANY)  # mutter itself stands still until all is read
    peer = None
    try:
        session.place_left()
        peer = reader(session, "Drag out of here")
        drop(session, window)
        until("the first bytes", peer.reads)
        time.sleep(5)
        window.forget()
        fine = again(session, window, "ok")
        if peer.has_read() or fine != "ok":
            return f"FAILED: the target has read all: {peer.has_read()}; {fine}"
        began = time.monotonic()
        if not window.close():
            return "FAILED: the window does not end"
        took = time.monotonic() - began
        return f"FAILED: files stay: {leftovers(session)[:3]}" if leftovers(session) else f"ok, ended in {took:.1f} s"
    finally:
        window.close()
        if peer:
            peer.close()


def thousand(session, source, program):
    """A target asks for 1,000 types before it takes the files."""
    if not session.beside:
        return "-"
    window = Source(session, source, SIX)
    peer = None
    try:
        peer = Peer(session, "Drag out of here", "target", "1000")
        drop(session, window)
        peer.says("answered all 1000")
        ended = window.says("dropped", "refused", "cancelled", "failed")
        if not ended.startswith("dropped"):
            return f"FAILED: answered, but: {ended}"
        window.forget()
        return again(session, window, "ok")
    finally:
        window.close()
        if peer:
            peer.close()


LISTS = {
    "no path": b"file://nothing\r\n",
    "odd": b"file:///etc/passwd%00.gpb\r\nfile:///dev/zero\r\nhttp://x/../../etc/passwd\r\nfile://other/etc/passwd\r\n"
           b"\xff\xfe\x80\r\nfile:///\r\n%\r\n%4\r\n",
    "long": b"x" * 1_000_000,
    "empty": b"",
    "nothing": b"\0" * 1000,
    "many": b"".join(b"file:///nowhere/%d.gpb\r\n" % i for i in range(100_000)),
    "good": b"file://" + SAMPLES.encode() + b"/pond.ppac\r\n",
}


def lists(session, source, program):
    """Hostile lists of files are dropped on the window, which then still takes a good one, and a second start."""
    if not session.beside:
        return "-"
    window = session.run(program, os.path.join(SAMPLES, "sky.casset"))
    time.sleep(10)
    for name, content in LISTS.items():
        path = os.path.join(session.folder, "list")
        with open(path, "wb") as f:
            f.write(content)
        peer = Peer(session, "Assay", "source", path)
        hand = session.hand
        hand.glide(3 * WIDTH // 4, HEIGHT // 2)
        time.sleep(0.3)
        hand.button(True)
        time.sleep(0.3)
        hand.glide(3 * WIDTH // 4 - 40, HEIGHT // 2 + 20)
        peer.says("drag")
        hand.glide(WIDTH // 4, HEIGHT // 2)
        time.sleep(1)
        hand.button(False)
        peer.says("asked")
        peer.says("ended")
        peer.close()
        time.sleep(3)
        if window.poll() is not None:
            return f"FAILED: {name}: the program ended with {window.poll()}"
        second = subprocess.run([program, os.path.join(SAMPLES, "duck.gpb")], env=session.env, timeout=60)
        if second.returncode:
            return f"FAILED: {name}: a second start is not taken"
    session.end(window)
    return "ok"


TRIES = {"1000 types": thousand, "a byte a second": slow, "hostile lists": lists}
