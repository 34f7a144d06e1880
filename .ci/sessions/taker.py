"""A native Wayland window that takes files, and reads their names as slowly as it likes."""
import fcntl, os, struct, threading, time

from hand import HEIGHT, WIDTH
from wire import Wire, read_text, text

COPY = 1
LIST = "text/uri-list"


class Taker(Wire):
    """Asks for the names when something is dropped, or if it pastes when it sees something on the clipboard, and reads a byte
    a second."""

    def __init__(self, path, pastes=False):
        super().__init__(path)
        self.pastes = pastes
        self.got, self.ended = 0, False
        self.offer = 0
        self.compositor = self.bind("wl_compositor", 4)
        self.shm = self.bind("wl_shm", 1)
        self.base = self.bind("xdg_wm_base", 1, self.alive)
        self.seat = self.bind("wl_seat", 3)
        manager = self.bind("wl_data_device_manager", 3)
        self.make(manager, 1, self.seat, on=self.device)  # get_data_device
        self.surface = self.make(self.compositor, 0)
        self.frame = self.make(self.base, 2, self.surface, on=self.configured)
        top = self.make(self.frame, 1, on=self.sized)
        self.size = WIDTH // 2, HEIGHT
        self.send(top, 2, text("taker"))
        self.send(self.surface, 6)  # commit

    def alive(self, opcode, body):
        self.send(self.base, 3, body)  # pong

    def sized(self, opcode, body):
        if opcode == 0:
            width, height = struct.unpack("<II", body[:8])
            self.size = width or self.size[0], height or self.size[1]

    def configured(self, opcode, body):
        self.send(self.frame, 4, body)
        width, height = self.size
        fd = os.memfd_create("taker")
        os.ftruncate(fd, width * height * 4)
        pool = self.new()
        self.send(self.shm, 0, struct.pack("<II", pool, width * height * 4), fd)
        os.close(fd)
        buffer = self.make(pool, 0, 0, width, height, width * 4, 1)
        self.send(pool, 1)
        self.send(self.surface, 1, struct.pack("<III", buffer, 0, 0))  # attach
        self.send(self.surface, 2, struct.pack("<IIII", 0, 0, width, height))  # damage
        self.send(self.surface, 6)

    def device(self, opcode, body):
        if opcode == 1:  # enter
            serial, _, _, _, self.offer = struct.unpack("<IIiiI", body)
            self.send(self.offer, 0, struct.pack("<I", serial) + text(LIST))  # accept
            self.send(self.offer, 4, struct.pack("<II", COPY, COPY))
        if opcode == 4 and self.offer:  # drop
            self.ask(self.offer)
        if opcode == 5 and self.pastes:  # selection
            self.ask(struct.unpack("<I", body)[0])

    def ask(self, offer):
        if offer:
            ours, theirs = os.pipe()
            fcntl.fcntl(ours, fcntl.F_SETPIPE_SZ, 4096)  # so that the other end cannot write it all at once
            self.send(offer, 1, text(LIST), theirs)
            os.close(theirs)
            threading.Thread(target=self.trickle, args=[ours], daemon=True).start()

    def trickle(self, fd):
        while os.read(fd, 1):
            self.got += 1
            time.sleep(1)
        os.close(fd)
        self.ended = True

    def reads(self):
        return self.got

    def has_read(self):
        return self.ended
