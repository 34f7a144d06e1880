"""Programs that are run, and waited for."""
import shutil, subprocess, time

PATIENCE = 20  # seconds for what has to come


class Missing(Exception):
    """A program that is not installed."""


def need(*names):
    for name in names:
        if not shutil.which(name):
            raise Missing(name)


def until(what, condition, patience=PATIENCE):
    end = time.monotonic() + patience
    while time.monotonic() < end:
        got = condition()
        if got:
            return got
        time.sleep(0.05)
    raise TimeoutError(what)


def end(p):
    if p.poll() is None:
        p.terminate()
        try:
            p.wait(3)
        except subprocess.TimeoutExpired:
            p.kill()
            p.wait()
