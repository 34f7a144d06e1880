"""Drags and pastes into file managers."""
import hashlib, os, re, subprocess, tempfile, time

from desktops import Sway, started
from hand import HEIGHT, WIDTH
from source import SIX, SMALL, Source, again, digest, grab, leftovers, wanted
from waiting import Missing, need, until

TARGETS = {
    "thunar": (["thunar"], "wayland"),
    "nautilus": (["nautilus", "--new-window"], "wayland"),
    "pcmanfm": (["pcmanfm", "--no-desktop"], "x11"),
}
# Of a program in a sandbox as Flatpak's, which sees no files of others: what it pastes comes from the document portal.
SANDBOX = "sandbox"
TRIES = ["drag1", "drag6", "paste", "escape", "back", "slow"]


def attempt(session, program, target, what):
    """One try; the answer is what to write into the table."""
    if what == "escape" and not session.has_escape:
        return "ok, no such key"
    files = SIX if what == "drag6" else SMALL
    if what == "slow":
        files = [(n, c, {"Delay": 2000}) for n, c, _ in SMALL]
    arrival = tempfile.mkdtemp(dir=session.folder, prefix="arrival-")
    command, backend = TARGETS[target]
    source = Source(session, program, files)
    receiver = None
    try:
        session.place_left()
        receiver = session.run(*command, arrival, env={"GDK_BACKEND": backend})
        time.sleep(3)
        session.place_right()
        x, y = 3 * WIDTH // 4, 2 * HEIGHT // 3
        if what == "paste":
            session.hand.click(200, 400)
            source.tell("copy")
            source.says("copied")
            session.hand.click(x, y)
            time.sleep(1)
            session.hand.key("ctrl+v")
        else:
            grab(session, source)
            session.hand.glide(x, y)
            source.says("ready")
            time.sleep(0.5)
            session.hand.glide(x + 10, y + 10)
            if what in ("escape", "back"):
                if what == "escape":
                    session.hand.key("Escape")
                else:
                    session.hand.glide(250, 300)
                    time.sleep(0.5)
                    session.hand.button(False)
                ended = source.says("cancelled", "refused", "inside")
                session.hand.button(False)
                time.sleep(1)
                if digest(arrival) or leftovers(session):
                    return f"FAILED: files stay: {digest(arrival)} {leftovers(session)}"
                source.forget()
                return again(session, source, "ok, " + ended.split()[0])
            session.hand.button(False)
        until("the files", lambda: digest(arrival) == wanted(files))
        if what != "paste":
            ended = source.says("dropped", "refused", "cancelled", "failed")
            if not ended.startswith("dropped"):
                return f"FAILED: arrived, but: {ended}"
            source.forget()
            return again(session, source, "ok")
        return "ok"
    except TimeoutError as e:
        return f"FAILED: {e}; {digest(arrival).keys() or 'nothing'} arrived; the source said {source.lines[-4:]}"
    finally:
        session.picture(f"{target}-{what}")
        source.close()
        if receiver:
            session.end(receiver)
        time.sleep(0.5)


def retrieve(session, program):
    """Pastes in a sandbox. It has no window, so this needs a compositor that shows the clipboard to all."""
    need("wl-paste", "bwrap", "gdbus")
    portal = next(filter(os.path.exists, ["/usr/libexec/xdg-document-portal", "/usr/lib/xdg-document-portal"]), None)
    if not portal:
        raise Missing("xdg-document-portal")
    documents = os.path.join(session.folder, "doc")
    server = session.run(portal)
    source = None
    try:
        until("the document portal", lambda: os.path.ismount(documents))
        source = Source(session, program, SIX)
        session.hand.click(200, 400)
        source.tell("copy")
        source.says("copied")
        key = subprocess.run(["wl-paste", "-n", "-t", "application/vnd.portal.filetransfer"], env=session.env, capture_output=True).stdout
        info = os.path.join(session.folder, "flatpak-info")
        with open(info, "w") as f:
            f.write("[Application]\nname=org.example.Target\n\n[Instance]\ninstance-id=1\napp-path=/\n")
        box = ["bwrap", "--ro-bind", "/usr", "/usr", "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--proc", "/proc",
               "--bind", session.folder + "/bus", session.folder + "/bus", "--ro-bind", info, "/.flatpak-info"]
        call = ["gdbus", "call", "--session", "-d", "org.freedesktop.portal.Documents", "-o", "/org/freedesktop/portal/documents",
                "-m", "org.freedesktop.portal.FileTransfer.RetrieveFiles", key.rstrip(b"\0").decode(), "{}"]
        said = subprocess.run(box + call, env=session.env, capture_output=True, text=True)
        got = {}
        for path in re.findall("'" + re.escape(documents) + "/([^']+)'", said.stdout):
            with open(os.path.join(documents, "by-app", "org.example.Target", path), "rb") as f:
                got[os.path.basename(path)] = hashlib.sha256(f.read()).hexdigest()
        return "ok" if got == wanted(SIX) else f"FAILED: got {list(got)}; {said.stdout} {said.stderr}"
    except TimeoutError as e:
        return f"FAILED: {e}"
    finally:
        if source:
            source.close()
        session.end(server)
        subprocess.run(["umount", documents], capture_output=True)


def row(session, program, target, tries):
    if target == SANDBOX:
        return [retrieve(session, program) if what == "paste" else "-" for what in tries]
    need(TARGETS[target][0][0])
    return [attempt(session, program, target, what) for what in tries]


def rows(kind, program, targets, tries, keep):
    """The rows of the table that one session gives."""
    out = []
    try:
        with started(kind, keep) as session:
            for target in targets:
                if target == SANDBOX and kind is not Sway:
                    continue
                try:
                    out.append((f"{kind.name} x {target}", row(session, program, target, tries)))
                except Missing as e:
                    print(f"SKIPPED: {kind.name} x {target}: {e} is not installed", flush=True)
                    continue
                print(out[-1][0] + ": " + ", ".join(f"{w} {r}" for w, r in zip(tries, out[-1][1])), flush=True)
    except Missing as e:
        print(f"SKIPPED: {kind.name}: {e} is not installed", flush=True)
    except TimeoutError as e:
        print(f"FAILED: {kind.name} does not start: {e}", flush=True)
        out.append((kind.name, [f"FAILED: {e}"] * len(tries)))
    return out
