"""The Wayland protocol, as bytes on a socket: no toolkit reads as slowly, or asks as little, as these sessions want."""
import array, contextlib, os, socket, struct, threading

DISPLAY, REGISTRY, SYNC = 1, 2, 3


def text(s):
    b = s.encode() + b"\0"
    return struct.pack("<I", len(b)) + b + b"\0" * (-len(b) % 4)


def read_text(body):
    length, = struct.unpack("<I", body[:4])
    return body[4:3 + length].decode()


class Wire:
    """A client of the compositor. Objects are numbers; what comes is given to on[object], with opcode and body."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.last, self.on, self.names = SYNC, {}, {}
        self.on[REGISTRY] = self.announced
        ready = threading.Event()
        self.on[SYNC] = lambda opcode, body: ready.set()
        self.send(DISPLAY, 1, struct.pack("<I", REGISTRY))  # get_registry
        self.send(DISPLAY, 0, struct.pack("<I", SYNC))
        threading.Thread(target=self.read, daemon=True).start()
        ready.wait()

    def announced(self, opcode, body):
        if opcode == 0:
            self.names[read_text(body[4:])] = struct.unpack("<I", body[:4])[0]

    def new(self, on=None):
        self.last += 1
        if on:
            self.on[self.last] = on
        return self.last

    def bind(self, interface, version, on=None):
        number = self.new(on)
        self.send(REGISTRY, 0, struct.pack("<I", self.names[interface]) + text(interface) + struct.pack("<II", version, number))
        return number

    def make(self, thing, opcode, *arguments, on=None):
        """A request whose first argument is the new object."""
        number = self.new(on)
        self.send(thing, opcode, struct.pack(f"<{len(arguments) + 1}I", number, *arguments))
        return number

    def make_for(self, thing, opcode, *arguments):
        """A request whose last argument is the new object."""
        number = self.new()
        self.send(thing, opcode, struct.pack(f"<{len(arguments) + 1}I", *arguments, number))
        return number

    def send(self, thing, opcode, body=b"", *fds):
        message = struct.pack("<IHH", thing, opcode, len(body) + 8) + body
        self.socket.sendmsg([message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds).tobytes())] if fds else [])

    def read(self):
        buffer = b""
        with contextlib.suppress(OSError):  # the connection has ended
            while part := self.receive():
                buffer += part
                while len(buffer) >= 8:
                    thing, opcode, size = struct.unpack("<IHH", buffer[:8])
                    if len(buffer) < size:
                        break
                    body, buffer = buffer[8:size], buffer[size:]
                    self.on.get(thing, lambda opcode, body: None)(opcode, body)

    def receive(self):
        part, control, _, _ = self.socket.recvmsg(65536, 1024)
        for _, _, data in control:  # keymaps, which are not wanted
            for fd in array.array("i", data[:len(data) // 4 * 4]):
                os.close(fd)
        return part

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
