"""Desktops to try programs on, each with a bus of its own: sway (headless), mutter and KWin (nested in Xvfb), X11 (openbox)."""
import contextlib, json, os, re, shutil, subprocess, tempfile, time

from hand import HEIGHT, WIDTH, Virtual, Xdotool
from waiting import end, need, until

LEFT = (0, 0, WIDTH // 2, HEIGHT)
RIGHT = (WIDTH // 2, 0, WIDTH // 2, HEIGHT)


class Session:
    """A desktop of its own: folder, bus, compositor."""

    wayland = True
    beside = True  # a peer of GTK stands beside the window; else the one hides the other
    has_escape = True  # the compositor ends a drag by Escape, or lets the window hear of it
    bridged = False  # the window is an X11 one, whose drags the compositor carries on to native windows

    def __init__(self, folder, running):
        self.folder = folder
        self.running = running
        self.env = {k: v for k, v in os.environ.items() if k in ("PATH", "LANG")}
        self.env.update(HOME=folder, XDG_RUNTIME_DIR=folder, TMPDIR=folder + "/tmp", LANG="C.UTF-8", XDG_CACHE_HOME=folder + "/cache", XDG_CONFIG_HOME=folder + "/config",
                        XDG_DATA_HOME=folder + "/data", NO_AT_BRIDGE="1", GIO_USE_VFS="local", GSETTINGS_BACKEND="memory",
                        DBUS_SESSION_BUS_ADDRESS=f"unix:path={folder}/bus", GSK_RENDERER="cairo", LIBGL_ALWAYS_SOFTWARE="1")
        for sub in ("cache", "config", "data", "tmp"):
            os.mkdir(os.path.join(folder, sub))
        need("dbus-daemon")
        self.run("dbus-daemon", "--session", "--nofork", "--nopidfile", "--address=" + self.env["DBUS_SESSION_BUS_ADDRESS"])
        until("the bus", lambda: os.path.exists(folder + "/bus"))

    def run(self, *command, env=None, **kw):
        log = open(os.path.join(self.folder, os.path.basename(command[0]) + ".log"), "ab")
        kw.setdefault("stdout", log)
        p = subprocess.Popen(command, env={**self.env, **(env or {})}, stderr=log, **kw)
        self.running.append(p)
        return p

    def end(self, p):
        if p in self.running:
            self.running.remove(p)
            end(p)

    def sockets(self):
        return sorted(n for n in os.listdir(self.folder) if n.startswith("wayland-") and not n.endswith(".lock"))

    def socket(self):
        return os.path.join(self.folder, self.env["WAYLAND_DISPLAY"])

    def authority(self, start):
        """The file that opens XWayland's door."""
        return until("XWayland's key", lambda: next((os.path.join(self.folder, n) for n in os.listdir(self.folder) if n.startswith(start)), None))

    def virtual_display(self):
        need("Xvfb", "xdotool")
        r, w = os.pipe()
        server = self.run("Xvfb", "-displayfd", str(w), "-screen", "0", f"{WIDTH}x{HEIGHT}x24", "-nolisten", "tcp", "-noreset", pass_fds=[w])
        os.close(w)
        number = os.fdopen(r).readline().strip()
        if not number:
            raise TimeoutError("the virtual display")
        self.outer = ":" + number
        self.hand = Xdotool(self.outer)
        return server

    def picture(self, name):
        """Leaves a picture of the screen, if they are wanted."""
        if self.keep:
            self.shoot(os.path.join(self.keep, f"{self.name}-{name}.png"))

    def shoot(self, path):
        subprocess.run(["import", "-silent", "-window", "root", path], env={**self.env, "DISPLAY": self.outer}, check=False)

    def place_left(self):
        pass

    def place_right(self):
        pass

    def state(self, name):
        """How the window of a program stands, by its app_id or class: "in front", "urgent" or "behind"."""
        def ask(*arguments):
            return subprocess.run(["xdotool", *arguments], env=self.env, capture_output=True, text=True).stdout.split()
        return "in front" if set(ask("getactivewindow")) & set(ask("search", "--class", name)) else "behind"


class Sway(Session):
    name = "sway"
    has_escape = False

    def __init__(self, folder, running):
        need("sway", "swaymsg")
        super().__init__(folder, running)
        config = os.path.join(folder, "sway.conf")
        with open(config, "w") as f:
            f.write(f"output * resolution {WIDTH}x{HEIGHT} position 0,0\nxwayland enable\ndefault_border none\nfocus_follows_mouse no\n"
                    "bindsym Mod4+Left nop\n")
        self.display = self.run("sway", "--config", config, env={"WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"})
        sockets = until("sway", self.sockets)
        self.env["WAYLAND_DISPLAY"] = sockets[0]
        self.env["SWAYSOCK"] = until("sway's socket", lambda: next((os.path.join(folder, n) for n in os.listdir(folder) if n.startswith("sway-ipc")), None))
        self.env["XDG_CURRENT_DESKTOP"] = "sway"
        self.env["DISPLAY"] = self.x_display()
        self.hand = Virtual(os.path.join(folder, sockets[0]))
        self.hand.to(WIDTH // 2, HEIGHT // 2)

    def x_display(self):
        """Sway tells the programs that it starts which display XWayland has."""
        path = os.path.join(self.folder, "display")
        subprocess.run(["swaymsg", "exec", f"echo $DISPLAY > {path}.new && mv {path}.new {path}"], env=self.env, check=True, stdout=subprocess.DEVNULL)
        until("XWayland's number", lambda: os.path.exists(path))
        return open(path).read().strip()

    def state(self, name):
        def nodes(node):
            yield node
            for n in node["nodes"] + node["floating_nodes"]:
                yield from nodes(n)
        tree = subprocess.run(["swaymsg", "-t", "get_tree"], env=self.env, check=True, capture_output=True, text=True).stdout
        window = next((n for n in nodes(json.loads(tree)) if n.get("app_id") == name), {})
        return "in front" if window.get("focused") else "urgent" if window.get("urgent") else "behind"

    def shoot(self, path):
        if shutil.which("grim"):
            subprocess.run(["grim", path], env=self.env, check=False)


class X11(Session):
    name = "x11"
    wayland = False

    def __init__(self, folder, running):
        need("openbox")
        super().__init__(folder, running)
        self.display = self.virtual_display()
        self.env["DISPLAY"] = self.outer
        self.run("openbox")
        time.sleep(1)

    def place(self, name, x):
        """Puts a window into one half of the screen."""
        def windows():
            return subprocess.run(["xdotool", "search", "--onlyvisible", "--name", name], env=self.env, capture_output=True, text=True).stdout.split()
        window = until("the window " + name, windows)[0]
        self.hand.do("windowsize", "--sync", window, WIDTH // 2, HEIGHT - 100, "windowmove", "--sync", window, x, 0)
        time.sleep(1)


class Mutter(Session):
    name = "mutter"
    beside = False
    bridged = True

    def __init__(self, folder, running):
        need("mutter")
        super().__init__(folder, running)
        self.virtual_display()
        self.display = self.run("mutter", "--nested", "--wayland", "--wayland-display", "wayland-m",
                 env={"DISPLAY": self.outer, "MUTTER_DEBUG_DUMMY_MODE_SPECS": f"{WIDTH}x{HEIGHT}"})
        until("mutter", self.sockets)
        self.env["WAYLAND_DISPLAY"] = "wayland-m"
        self.env["XDG_CURRENT_DESKTOP"] = "GNOME"
        self.env["DISPLAY"] = self.x_display()
        self.env["XAUTHORITY"] = self.authority(".mutter-Xwaylandauth")
        time.sleep(1)
        self.hand.click(WIDTH // 2, HEIGHT // 2)

    def x_display(self):
        """Mutter writes the number of its XWayland into the log."""
        def number():
            with open(os.path.join(self.folder, "mutter.log")) as f:
                return re.search(r"public X11 display (:\d+)", f.read())
        return until("XWayland's number", number)[1]

    def place_left(self):
        self.hand.key("super+Left")
        time.sleep(0.5)

    def place_right(self):
        self.hand.key("super+Right")
        time.sleep(0.5)


class KWin(Session):
    name = "kwin"
    beside = False

    def __init__(self, folder, running):
        need("kwin_wayland", "dbus-send")
        super().__init__(folder, running)
        self.virtual_display()
        # A copy has no file capabilities, which cost a program its environment; it must keep the name.
        program = shutil.copy(shutil.which("kwin_wayland"), os.path.join(folder, "kwin_wayland"))
        self.display = self.run(program, "--x11-display", self.outer, "--xwayland", "--socket", "wayland-k", "--no-lockscreen", "--width", str(WIDTH), "--height", str(HEIGHT),
                 env={"KWIN_COMPOSE": "Q", "DISPLAY": self.outer, "QT_LOGGING_RULES": "js.debug=true;kwin_scripting.debug=true"})
        until("KWin", self.sockets)
        self.env["WAYLAND_DISPLAY"] = "wayland-k"
        self.env["XDG_CURRENT_DESKTOP"] = "KDE"
        self.env["DISPLAY"] = self.x_display()
        time.sleep(1)
        self.hand.to(WIDTH // 2, HEIGHT // 2)

    def x_display(self):
        def number():
            for n in sorted(os.listdir("/tmp/.X11-unix"), key=lambda n: int(n[1:])):
                path = "/tmp/.X11-unix/" + n
                if ":" + n[1:] != self.outer and os.stat(path).st_uid == os.getuid() and os.stat(path).st_mtime > self.began:
                    return ":" + n[1:]
        return until("XWayland's number", number)

    began = time.time()
    scripts = 0

    def script(self, code):
        """KWin does what no other program may by scripts."""
        KWin.scripts += 1
        path = os.path.join(self.folder, f"script{KWin.scripts}.js")
        with open(path, "w") as f:
            f.write(code)
        call = ["dbus-send", "--session", "--print-reply", "--dest=org.kde.KWin"]
        out = subprocess.run([*call, "/Scripting", "org.kde.kwin.Scripting.loadScript", "string:" + path], env=self.env, check=True, capture_output=True, text=True).stdout
        number = out.split("int32")[1].strip()
        subprocess.run([*call, "/" + number, "org.kde.kwin.Script.run"], env=self.env, check=True, capture_output=True)

    def place(self, x, y, w, h):
        self.script(f"var c = workspace.activeClient; if (c) {{ c.setMaximize(false, false); c.frameGeometry = {{x: {x}, y: {y}, width: {w}, height: {h}}}; }}")
        time.sleep(0.5)

    def state(self, name):
        mark = f"state {KWin.scripts} "
        self.script(f"workspace.clientList().forEach(c => {{ if (c.resourceClass == '{name}') "
                    f"print('{mark}' + (c.active ? 'in front' : c.demandsAttention ? 'urgent' : 'behind')); }})")
        def answer():
            with open(os.path.join(self.folder, "kwin_wayland.log")) as f:
                return re.search(mark + "(.*)", f.read())
        return until("KWin's answer", answer)[1]

    def place_left(self):
        self.place(*LEFT)

    def place_right(self):
        self.place(*RIGHT)

@contextlib.contextmanager
def started(kind, keep):
    """A session of this kind, which ends with all that runs in it; the logs go to the folder keep."""
    folder, running = tempfile.mkdtemp(prefix="assay-"), []
    try:
        session = kind(folder, running)
        session.keep = keep
        yield session
    finally:
        for p in reversed(running):
            end(p)
        for name in os.listdir(folder) if keep else []:
            if name.endswith(".log"):
                shutil.copy(os.path.join(folder, name), os.path.join(keep, f"{kind.name}-{name}"))
        shutil.rmtree(folder, ignore_errors=True)


KINDS = {k.name: k for k in (Sway, Mutter, KWin, X11)}
