"""The pointer and the keyboard of a session."""
import os, struct, subprocess, time

from wire import Wire

WIDTH, HEIGHT = 1200, 800  # of the screen
STEP = 5  # pixels that the pointer moves at once


class Hand:
    """Moves the pointer as a hand does: in steps that the programs can follow."""

    def __init__(self):
        self.x, self.y = 0, 0

    def glide(self, x, y):
        x0, y0 = self.x, self.y
        steps = max(abs(x - x0), abs(y - y0)) // STEP + 1
        for i in range(1, steps + 1):
            self.to(x0 + (x - x0) * i // steps, y0 + (y - y0) * i // steps)
            time.sleep(0.008)

    def to(self, x, y):
        self.x, self.y = x, y
        self.move(x, y)

    def click(self, x, y):
        self.glide(x, y)
        time.sleep(0.4)  # a program that is slow would take the last steps for a drag
        self.button(True)
        time.sleep(0.05)
        self.button(False)
        time.sleep(0.2)


class Xdotool(Hand):
    """The pointer and keyboard of an X server."""

    def __init__(self, display):
        super().__init__()
        self.env = {**os.environ, "DISPLAY": display}

    def do(self, *args):
        subprocess.run(["xdotool", *map(str, args)], env=self.env, check=True, stdout=subprocess.DEVNULL)

    def move(self, x, y):
        self.do("mousemove", x, y)

    def button(self, down):
        self.do("mousedown" if down else "mouseup", 1)

    def key(self, keys):
        self.do("key", keys)


class Virtual(Hand):
    """A pointer and a keyboard for compositors of the wlroots family, whose headless seat has none: the protocols
    zwlr_virtual_pointer_v1 and zwp_virtual_keyboard_v1."""

    KEYS = {"Escape": 1, "e": 18, "Return": 28, "ctrl": 29, "a": 30, "v": 47, "alt": 56, "Up": 103, "Left": 105, "Right": 106, "super": 125}
    MODIFIERS = {"ctrl": 4, "alt": 8, "super": 64}

    def __init__(self, path):
        super().__init__()
        self.wire = Wire(path)
        seat = self.wire.bind("wl_seat", 1)
        self.pointer = self.wire.make_for(self.wire.bind("zwlr_virtual_pointer_manager_v1", 1), 0, seat)
        self.keyboard = self.wire.make_for(self.wire.bind("zwp_virtual_keyboard_manager_v1", 1), 0, seat)
        keymap = (b'xkb_keymap { xkb_keycodes { include "evdev+aliases(qwerty)" }; xkb_types { include "complete" }; '
                  b'xkb_compat { include "complete" }; xkb_symbols { include "pc+us+inet(evdev)" }; };\0')
        fd = os.memfd_create("keymap")
        os.write(fd, keymap)
        self.wire.send(self.keyboard, 0, struct.pack("<II", 1, len(keymap)), fd)
        os.close(fd)

    @staticmethod
    def now():
        return int(time.monotonic() * 1000) & 0xFFFFFFFF

    def move(self, x, y):
        self.wire.send(self.pointer, 1, struct.pack("<IIIII", self.now(), x, y, WIDTH, HEIGHT))
        self.wire.send(self.pointer, 4)

    def button(self, down):
        self.wire.send(self.pointer, 2, struct.pack("<III", self.now(), 0x110, int(down)))
        self.wire.send(self.pointer, 4)

    def key(self, keys):
        keys, held = keys.split("+"), 0
        for k in keys:
            self.wire.send(self.keyboard, 1, struct.pack("<III", self.now(), self.KEYS[k], 1))
            held |= self.MODIFIERS.get(k, 0)
            self.wire.send(self.keyboard, 2, struct.pack("<IIII", held, 0, 0, 0))
            time.sleep(0.05)
        for k in reversed(keys):
            self.wire.send(self.keyboard, 1, struct.pack("<III", self.now(), self.KEYS[k], 0))
        self.wire.send(self.keyboard, 2, struct.pack("<IIII", 0, 0, 0, 0))
