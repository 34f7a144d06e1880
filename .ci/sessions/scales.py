"""Scales of the screen, which change under a window."""
import os, subprocess, time

from hand import HEIGHT, WIDTH
from manners import SAMPLES
from waiting import need

SCALES = ["1", "1.25", "1.5", "2"]
SIZE = 1920, 1200  # of a screen that has room for the window at every scale
TEXTS = SIZE[0] * 6 // 10, SIZE[1]  # where the window has texts, left of its picture of a scene
BLURRED = TEXTS[0] * TEXTS[1] // 100  # so many pixels may differ, as edges of rows do; of blurred texts ten times as many would


def sharp(session, source, program):
    """A window looks the same whether it began at a scale, saw it change, or was moved to a screen that has it."""
    if session.name != "sway":
        return "-"
    need("grim", "compare")
    other = "HEADLESS-2"

    def say(*words):
        subprocess.run(["swaymsg", *words], env=session.env, check=True, stdout=subprocess.DEVNULL)

    def shoot(name, output="HEADLESS-1"):
        session.hand.to(WIDTH - 1, HEIGHT - 1)  # lights nothing
        time.sleep(5)
        path = os.path.join(session.keep or session.folder, f"sway-scale {name}.png")
        subprocess.run(["grim", "-o", output, path], env=session.env, check=True)
        return path

    def show():
        return session.run(program, "--new-window", os.path.join(SAMPLES, "duck.gpb"))

    say("output", "HEADLESS-1", "resolution", "{}x{}".format(*SIZE))
    began = {}
    for scale in SCALES:
        say("output", "HEADLESS-1", "scale", scale)
        window = show()
        time.sleep(10)
        began[scale] = shoot(f"{scale} from the start")
        session.end(window)
    window = show()
    time.sleep(10)
    pairs = []
    for scale in ["1", "1.5", "1.25", "2", "1"]:
        say("output", "HEADLESS-1", "scale", scale)
        pairs.append((scale, began[scale], shoot(f"{scale} after a change")))
    say("create_output")
    say("output {} resolution {}x{} position {} 0 scale 1.5".format(other, *SIZE, SIZE[0]))
    say(f"[app_id=org.assay.Assay] move container to output {other}")
    say("focus", "output", other)
    pairs.append(("1.5, another screen", began["1.5"], shoot("1.5 on another screen", other)))
    differences = {what: differing(a, b) for what, a, b in pairs}
    blurred = [f"{what}: {n} pixels" for what, n in differences.items() if n > BLURRED]
    if blurred or window.poll() is not None:
        return f"FAILED: blurred at {', '.join(blurred)}; the window: {window.poll()}"
    return "ok"


def differing(a, b):
    """How many pixels of the texts in two pictures are not nearly the same."""
    cut = ["-crop", "{}x{}+0+0".format(*TEXTS)]
    said = subprocess.run(["compare", "-metric", "AE", "-fuzz", "5%", *cut, a, b, "null:"], capture_output=True, text=True)
    return float(said.stderr.split()[0])


TRIES = {"scales": sharp}
