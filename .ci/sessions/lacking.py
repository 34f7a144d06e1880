"""Sessions that lack something: a message bus, a compositor that knows drags."""
import array, contextlib, os, socket, struct, subprocess, threading, time

from manners import SAMPLES, Peer
from source import SIX, Source, again, drop

NO_BUS = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere/bus"}


def bus(session, source, program):
    """Without a bus a drag arrives, and the program opens a file, takes a second one, and says one sentence."""
    window = Source(session, source, SIX, NO_BUS)
    peer = None
    try:
        session.place_left()
        peer = Peer(session, "Drag out of here", "target", "1")
        session.place_right()
        drop(session, window)
        peer.says("answered all")
        window.says("dropped")
        window.forget()
        fine = again(session, window, "ok")
        if fine != "ok":
            return fine
    finally:
        window.close()
        if peer:
            peer.close()
    return alive(session, program, NO_BUS, ["assay: the desktop's session bus does not answer"])


def alive(session, program, env, says):
    """The program opens a file, takes a second one, and says no more than it should."""
    first = session.run(program, os.path.join(SAMPLES, "duck.gpb"), env=env)
    time.sleep(10)
    second = subprocess.run([program, os.path.join(SAMPLES, "pond.ppac")], env={**session.env, **env}, timeout=60)
    with open(os.path.join(session.folder, os.path.basename(program) + ".log")) as f:
        said = f.read().splitlines()
    expected = len(said) == len(says) and all(map(str.startswith, said, says))
    if second.returncode or first.poll() is not None or not expected:
        return f"FAILED: a second start ends with {second.returncode}, the first with {first.poll()}, and says {said}"
    return "ok"


class Old:
    """A way to the compositor on which its drags are of a version that cannot say what a drop does."""

    MANAGER = struct.pack("<I", 23) + b"wl_data_device_manager\0\0"
    VERSION = struct.pack("<I", 2)

    def __init__(self, session):
        self.name = "wayland-old"
        self.to = session.socket()
        self.door = socket.socket(socket.AF_UNIX)
        self.door.bind(os.path.join(session.folder, self.name))
        self.door.listen()
        threading.Thread(target=self.let_in, daemon=True).start()

    def let_in(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.door.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self.to)
                threading.Thread(target=self.carry, args=[client, server, bytes], daemon=True).start()
                threading.Thread(target=self.carry, args=[server, client, self.age], daemon=True).start()

    def carry(self, source, target, change):
        with contextlib.suppress(OSError):
            while True:
                part, fds = source.recvmsg(1 << 20, 4096)[:2]
                if not part:
                    break
                target.sendmsg([change(part)], [(level, kind, data) for level, kind, data in fds])
                for _, _, data in fds:
                    for fd in array.array("i", data[:len(data) // 4 * 4]):
                        os.close(fd)
        for end in source, target:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def age(self, part):
        at = part.find(self.MANAGER)
        if at < 0:
            return part
        at += len(self.MANAGER)
        return part[:at] + self.VERSION + part[at + 4:]


def drags(session, source, program):
    """Where nothing can be dragged out, that is said with what to do, and all else works."""
    if not session.wayland or session.bridged:
        return "-"
    env = {"WAYLAND_DISPLAY": Old(session).name, "FYNE_PLATFORM": "wayland"}
    window = Source(session, source, SIX, env)
    why = window.said("open")
    if "Use the export panel" not in why:
        return f"FAILED: it says {why}"
    window.close()
    window = session.run(program, os.path.join(SAMPLES, "pond.ppac"), env=env)
    time.sleep(10)
    hand = session.hand
    for _ in range(2):
        hand.glide(200, 185)
        hand.button(True)
        time.sleep(0.3)
        hand.glide(260, 300)
        time.sleep(0.5)
        hand.button(False)
        time.sleep(1)
    session.picture("nothing can be dragged out")
    session.end(window)
    return alive(session, program, env, [])


TRIES = {"no bus": bus, "no drags": drags}
