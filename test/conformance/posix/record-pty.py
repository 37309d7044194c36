"""Records what Linux's own pseudo-terminals do, for pty-differential.test.ts.

Usage: python3 test/conformance/posix/record-pty.py > test/conformance/posix/fixtures/pty.json

Each case sets a terminal, then takes steps at both sides; after each step it notes what the master
was shown, which signals came, what is ready and what a read gave. Bytes are hex. IUTF8 and ECHOKE
are always on, the flags that the kernel's Termios does not name are always off.
"""
import array, errno, fcntl, json, os, random, select, signal, sys, termios, time

FLAGS = {
    "iflag": ["ICRNL", "INLCR", "IGNCR", "IXON", "ISTRIP"],
    "oflag": ["OPOST", "ONLCR"],
    "lflag": ["ICANON", "ECHO", "ECHOE", "ECHOK", "ECHONL", "ECHOCTL", "ISIG", "IEXTEN", "NOFLSH", "TOSTOP"],
}
CHARACTERS = ["VINTR", "VQUIT", "VERASE", "VKILL", "VEOF", "VEOL", "VSUSP", "VWERASE", "VREPRINT", "VLNEXT", "VSTART", "VSTOP", "VMIN", "VTIME"]
ON = {"ICRNL", "IXON", "OPOST", "ONLCR", "ICANON", "ECHO", "ECHOE", "ECHOK", "ECHOCTL", "ISIG", "IEXTEN"}
IUTF8 = 0o40000
ECHOKE = 0o4000
SIGNALS = ["SIGINT", "SIGQUIT", "SIGTSTP", "SIGWINCH"]


def settings(changes):
    flags = {group: sum(getattr(termios, name) for name in names if changes.get(name, name in ON)) for group, names in FLAGS.items()}
    cc = [b"\0"] * 32
    defaults = dict(VINTR=3, VQUIT=28, VERASE=127, VKILL=21, VEOF=4, VEOL=0, VSUSP=26, VWERASE=23, VREPRINT=18, VLNEXT=22, VSTART=17, VSTOP=19, VMIN=1, VTIME=0)
    canonical = changes.get("ICANON", True)
    for name in CHARACTERS:
        # VMIN and VEOF, VTIME and VEOL are numbers of their own here (Linux), not shared.
        cc[getattr(termios, name)] = changes.get(name, defaults[name])
    if not canonical:
        cc[termios.VMIN] = int(changes.get("VMIN", 1))
        cc[termios.VTIME] = int(changes.get("VTIME", 0))
    cc = [value if isinstance(value, int) else bytes(value) for value in cc]
    cc = [bytes([value]) if isinstance(value, int) and index not in (termios.VMIN, termios.VTIME) else value for index, value in enumerate(cc)]
    if canonical:
        cc[termios.VMIN] = bytes([int(changes.get("VMIN", 1))])
        cc[termios.VTIME] = bytes([int(changes.get("VTIME", 0))])
    cflag = termios.CS8 | termios.CREAD
    return [flags["iflag"] | IUTF8, flags["oflag"], cflag, flags["lflag"] | ECHOKE, termios.B38400, termios.B38400, cc]


def drain(master):
    shown = b""
    while True:
        try:
            shown += os.read(master, 65536)
        except BlockingIOError:
            return shown


def attempt(call):
    try:
        return call()
    except OSError as error:
        return errno.errorcode[error.errno]


def run(case):
    """Runs one case in a session of its own, so that the terminal can signal it."""
    os.setsid()
    master = os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    fcntl.ioctl(master, 0x40045431, array.array("i", [0]))
    number = array.array("i", [0])
    fcntl.ioctl(master, 0x80045430, number)
    slave = os.open("/dev/pts/%d" % number[0], os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    received = []
    for name in SIGNALS:
        signal.signal(getattr(signal, name), lambda which, frame: received.append(signal.Signals(which).name))
    termios.tcsetattr(slave, termios.TCSANOW, settings(case["set"]))
    poll = select.poll()
    poll.register(slave, select.POLLIN | select.POLLOUT)
    answers = []
    for kind, *rest in case["steps"]:
        answer = {}
        if kind == "type":
            os.write(master, bytes.fromhex(rest[0]))
        elif kind == "print":
            wrote = attempt(lambda: os.write(slave, bytes.fromhex(rest[0])))
            if wrote != len(rest[0]) // 2:
                answer["wrote"] = wrote
        elif kind == "read":
            got = attempt(lambda: os.read(slave, rest[0]))
            answer["read"] = got.hex() if isinstance(got, bytes) else got
        elif kind == "set":
            termios.tcsetattr(slave, termios.TCSANOW, settings(rest[0]))
        elif kind == "setflush":
            termios.tcsetattr(slave, termios.TCSAFLUSH, settings(rest[0]))
        time.sleep(case.get("pause", 0.004))
        shown = drain(master)
        if shown:
            answer["shown"] = shown.hex()
        if received:
            answer["signals"] = sorted(set(received))
            received.clear()
        size = array.array("i", [0])
        fcntl.ioctl(slave, termios.FIONREAD, size)
        if size[0]:
            answer["input"] = size[0]
        events = dict(poll.poll(0)).get(slave, 0)
        if events != select.POLLOUT:
            answer["poll"] = events
        answers.append(answer)
    return answers


def record(case):
    """In a child, so that every case has its own session and terminal."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        try:
            answers = run(case)
            with os.fdopen(writer, "w") as out:
                json.dump(answers, out)
            os._exit(0)
        except BaseException as error:
            sys.stderr.write("%s: %r\n" % (case["name"], error))
            os._exit(1)
    os.close(writer)
    with os.fdopen(reader) as source:
        text = source.read()
    _, status = os.waitpid(pid, 0)
    if status != 0:
        raise SystemExit("failed: " + case["name"])
    return json.loads(text)


SETTINGS = {
    "default": {},
    "no echo": {"ECHO": False},
    "echo of newlines only": {"ECHO": False, "ECHONL": True},
    "no visual erase": {"ECHOE": False},
    "no echo of kill": {"ECHOK": False},
    "controls as they are": {"ECHOCTL": False},
    "no extended editing": {"IEXTEN": False},
    "no signals": {"ISIG": False},
    "no flush at signals": {"NOFLSH": True},
    "no flow control": {"IXON": False},
    "newline to return": {"INLCR": True, "ICRNL": False},
    "both swapped": {"INLCR": True},
    "returns ignored": {"IGNCR": True},
    "returns kept": {"ICRNL": False},
    "seven bits": {"ISTRIP": True},
    "output as it is": {"OPOST": False},
    "newlines as they are": {"ONLCR": False},
    "semicolon ends a line": {"VEOL": 0x3B},
    "other characters": {"VINTR": 0x18, "VERASE": 0x08, "VKILL": 0x40, "VEOF": 0x05, "VWERASE": 0, "VSUSP": 0},
    "cbreak": {"ICANON": False},
    "cbreak without echo": {"ICANON": False, "ECHO": False},
    "raw": {"ICANON": False, "ECHO": False, "ISIG": False, "IEXTEN": False, "ICRNL": False, "IXON": False, "OPOST": False},
    "raw, five at least": {"ICANON": False, "ECHO": False, "ISIG": False, "ICRNL": False, "IXON": False, "VMIN": 5},
    "raw, none at least": {"ICANON": False, "ECHO": False, "ISIG": False, "ICRNL": False, "IXON": False, "VMIN": 0},
}


def typed(text):
    return ["type", (text if isinstance(text, bytes) else text.encode()).hex()]


def printed(text):
    return ["print", (text if isinstance(text, bytes) else text.encode()).hex()]


READ = ["read", 200]
SEQUENCES = {
    "a line": [typed("hello\n"), READ, READ],
    "a line in pieces": [typed("he"), typed("llo"), READ, typed("\n"), READ],
    "two lines, one read each": [typed("one\ntwo\n"), READ, READ, READ],
    "a line in small reads": [typed("abcdef\n"), ["read", 3], ["read", 3], ["read", 3], READ],
    "erase": [typed("abc\x7f\x7fd"), typed("\x7f\x7f\x7f\x7f"), typed("x\n"), READ],
    "erase of UTF-8": [typed("aé€😀"), typed("\x7f"), typed("\x7f"), typed("\x7f"), typed("\n"), READ],
    "erase of a broken UTF-8 character": [typed(b"a\x80\x80"), typed("\x7f"), typed("\x7f\x7f\n"), READ],
    "erase of controls": [typed("a\x01\x02b"), typed("\x7f\x7f"), typed("\x7f\n"), READ],
    "erase of tabs": [printed("prompt> "), typed("a\tb\t"), typed("\x7f"), typed("\x7f\x7f"), typed("\x7f\n"), READ],
    "erase of a tab after controls": [printed("12"), typed("\x01\t\t"), typed("\x7f"), typed("\x7f"), typed("\n"), READ],
    "word erase": [typed("one two_3, four"), typed("\x17"), typed("\x17"), typed("\x17\x17\x17\n"), READ],
    "word erase of UTF-8": [typed("été über"), typed("\x17"), typed("\x17"), typed("x\n"), READ],
    "kill": [typed("abc\tdé\x01"), typed("\x15"), typed("new\n"), READ],
    "kill of nothing": [typed("\x15\x7f\x17"), typed("a\n"), READ],
    "kill keeps whole lines": [typed("one\ntwo"), typed("\x15"), typed("three\n"), READ, READ],
    "reprint": [typed("ab\tc\x01"), typed("\x12"), typed("d\n"), READ],
    "literal next": [typed("a\x16\x03b\x16\x7f"), typed("\x7f"), typed("\x16"), typed("\x16\x16\n"), typed("\n"), READ, READ],
    "end of file at once": [typed("\x04"), READ, READ],
    "end of file after text": [typed("abc"), typed("\x04"), READ, READ],
    "end of file twice": [typed("abc\x04\x04"), READ, READ, READ],
    "end of file after a full buffer": [typed("abc\x04def\n"), ["read", 3], ["read", 3], READ, READ],
    "end of file as text": [typed("a\x16\x04b\n"), READ],
    "another end of line": [typed("a;b"), READ, typed("c;\n"), READ, READ],
    "interrupt": [typed("abc"), typed("\x03"), typed("d\n"), READ],
    "interrupt in the same piece": [typed("abc\x03def\n"), READ, READ],
    "interrupt with a line unread": [typed("one\ntw"), typed("\x03"), typed("x\n"), READ, READ],
    "quit and stop": [typed("a\x1c"), typed("b\x1a"), typed("c\n"), READ],
    "stop and start": [typed("\x13"), printed("held"), typed("ab"), typed("\x11"), printed("free"), typed("\n"), READ],
    "interrupt while stopped": [typed("\x13"), typed("ab"), printed("held"), typed("\x03"), printed("free\n"), typed("c\n"), READ],
    "erase while stopped": [typed("ab\x13"), typed("c\x7f\x7f"), typed("\x11"), typed("\n"), READ],
    "returns and newlines": [typed("a\rb\nc\r\nd\n\r"), READ, READ, READ, READ, READ],
    "high bytes": [typed(b"\x80\xff\xc3\xa9\xe1\n"), READ],
    "NULs": [typed(b"a\x00b\x00\n"), READ, typed(b"\x00\x7f\n"), READ],
    "every control": [typed(bytes(b for b in range(1, 32) if b not in (3, 4, 10, 13, 17, 18, 19, 21, 22, 23, 26, 28))), typed("\n"), READ],
    "output": [printed("a\nb\r\nc\td\be\x01\x7fé\n"), printed("\r\rx\n\n")],
    "output between typed": [printed("$ "), typed("ab"), printed("OUT\n"), typed("c\n"), READ],
    "canonical to raw and back": [typed("par"), ["set", {"ICANON": False}], READ, typed("tial"), ["set", {}], READ, typed("z\n"), READ],
    "whole lines to raw": [typed("one\ntwo\nthr"), ["set", {"ICANON": False, "ECHO": False}], READ, READ],
    "raw to canonical with more to come": [["set", {"ICANON": False}], typed("abc"), ["set", {}], typed("def\x7f\n"), READ, READ],
    "end of file to raw": [typed("ab\x04cd"), ["set", {"ICANON": False}], READ],
    "echo off in the middle": [typed("ab"), ["set", {"ECHO": False}], typed("c\x7fd\n"), READ],
    "settings that discard input": [typed("one\ntw"), ["setflush", {}], READ, typed("o\n"), READ],
    "flow control off while stopped": [typed("\x13"), printed("held"), typed("ab"), ["set", {"IXON": False}], printed("free"), typed("\n"), READ],
}

LONG = {
    "a line of 4095 bytes": [typed("x" * 4095 + "\n"), ["read", 5000], ["read", 5000]],
    "a line of 4096 bytes": [typed("x" * 4095 + "y\n"), ["read", 5000], ["read", 5000]],
    "a line far too long": [typed("x" * 4090), typed("abcdefghijkl"), typed("\n"), ["read", 5000], ["read", 5000]],
    "a line far too long in reads": [typed("x" * 5000 + "\n"), ["read", 4000], ["read", 4000], typed("a\n"), READ],
    "erase in a line too long": [typed("x" * 4095), typed("yz\x7f\x7f"), typed("w\n"), ["read", 5000]],
    "lines beyond the buffer": [typed("line\n" * 1000), ["read", 10], ["read", 10], typed("more\n")] + [["read", 10]] * 5,
    "raw bytes beyond the buffer": [["set", {"ICANON": False, "ECHO": False}], typed("0123456789" * 600), ["read", 5000], ["read", 5000], ["read", 5000]],
    "output of many lines": [printed("0123456789\n" * 300)],
}

ALPHABET = [b"a", b"b", b"_", b" ", b",", b"\t", b"\t", "é".encode(), "€".encode(), b"\x80", b"\xff", b"\x00", b"\x01", b"\n", b"\n", b"\r", b"\x04", b"\x7f", b"\x7f", b"\x7f", b"\x17", b"\x15", b"\x12", b"\x16", b"\x03", b"\x1c", b"\x1a", b"\x13", b"\x11", b"\x11", b";"]


def random_case(seed):
    source = random.Random(seed)
    changes = {}
    for name in sum(FLAGS.values(), []):
        if source.random() < 0.15 and name != "TOSTOP":
            changes[name] = name not in ON
    if source.random() < 0.2:
        changes["VEOL"] = 0x3B
    steps = []
    for _ in range(source.randint(4, 10)):
        what = source.random()
        if what < 0.65:
            steps.append(typed(b"".join(source.choice(ALPHABET) for _ in range(source.randint(1, 8)))))
        elif what < 0.8:
            steps.append(["read", source.choice([1, 3, 200])])
        elif what < 0.9:
            steps.append(printed(source.choice(["out", "a\tb", "line\n", "\r", "x\b"])))
        else:
            steps.append(["set", dict(changes, ICANON=source.random() < 0.5, ECHO=source.random() < 0.7)])
    steps += [typed("\x11"), READ, READ]
    return {"name": "random %d" % seed, "set": changes, "steps": steps}


def main():
    cases = [{"name": "%s: %s" % (sequence, setting), "set": changes, "steps": steps} for setting, changes in SETTINGS.items() for sequence, steps in SEQUENCES.items()]
    cases += [{"name": name, "set": {}, "steps": steps, "pause": 0.03} for name, steps in LONG.items()]
    cases += [random_case(seed) for seed in range(400)]
    print('{"kernel": %s, "cases": [' % json.dumps(os.uname().release))
    for index, case in enumerate(cases):
        answers = record(case)
        row = {"name": case["name"], "set": case["set"], "steps": [[step, answer] for step, answer in zip(case["steps"], answers)]}
        print(json.dumps(row, separators=(",", ":")) + ("," if index + 1 < len(cases) else ""))
    print("]}")


main()
