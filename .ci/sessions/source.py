"""The window that files are dragged from, and what becomes of them."""
import hashlib, json, os, subprocess, threading, time

from hand import HEIGHT, WIDTH
from waiting import until

SMALL = [("rock \u00e4 100%.bin", "rock" * 50_000, {})]
MANY = [(f"{i} " + "of very many " * 8, "x", {}) for i in range(2000)]  # whose names fill no pipe
SIX = [(f"asset {i} #\u00e9.bin", f"{i}" * (10_000 + i), {}) for i in range(6)]


class Source:
    """The window to drag from."""

    def __init__(self, session, program, files, env=None):
        path = os.path.join(session.folder, "files.json")
        with open(path, "w") as f:
            json.dump([{"Name": n, "Content": c, **more} for n, c, more in files], f)
        self.session = session
        self.p = session.run(program, env={"ASSAY_DRAGOUT_WINDOW": path, **(env or {})}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = []
        threading.Thread(target=self.read, daemon=True).start()
        self.says("open")
        time.sleep(0.5)

    def read(self):
        for line in self.p.stdout:
            self.lines.append(line.rstrip("\n"))

    def said(self, start):
        return next((l for l in self.lines if l.startswith(start)), None)

    def says(self, *starts):
        return until(" or ".join(starts), lambda: next(filter(None, map(self.said, starts)), None))

    def forget(self):
        self.lines.clear()

    def tell(self, word):
        self.p.stdin.write(word + "\n")
        self.p.stdin.flush()

    def close(self):
        """Closes the window; False if the program had to be ended."""
        self.p.stdin.close()
        try:
            self.p.wait(10)
        except subprocess.TimeoutExpired:
            return False
        finally:
            self.session.end(self.p)
        return True


def digest(folder):
    """What is in a folder; a file that is being copied has another name or content, and so is not the same yet."""
    got = {}
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), "rb") as f:
            got[name] = hashlib.sha256(f.read()).hexdigest()
    return got


def wanted(files):
    return {n: hashlib.sha256(c.encode()).hexdigest() for n, c, _ in files}


def leftovers(session):
    """Files that drags left in the folder of the source."""
    got = []
    for root, _, names in os.walk(os.path.join(session.folder, "cache", "assay", "drag-out")):
        got += names
    return got


def grab(session, source):
    hand = session.hand
    hand.glide(200, 400)
    time.sleep(0.2)
    hand.button(True)
    source.says("down")
    hand.glide(260, 440)
    source.says("drag")


def drop(session, source):
    """Drags from the window to the right half of the screen, and lets go there."""
    grab(session, source)
    session.hand.glide(3 * WIDTH // 4, HEIGHT // 2)
    source.says("ready")
    time.sleep(0.5)
    session.hand.glide(3 * WIDTH // 4 + 5, HEIGHT // 2)
    time.sleep(0.5)
    session.hand.button(False)


def again(session, source, fine):
    """The next click and the next drag work."""
    try:
        session.hand.click(250, 300)
        source.says("tapped")
        source.forget()
        grab(session, source)
        session.hand.key("Escape")
        source.says("cancelled", "refused", "inside")
        session.hand.button(False)
        return fine
    except TimeoutError as e:
        return f"FAILED: afterwards: {e}; the source said {source.lines[-4:]}"
