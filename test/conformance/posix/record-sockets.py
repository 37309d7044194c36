"""Records what Linux's own sockets do, for socket-differential.test.ts.

Usage: python3 test/conformance/posix/record-sockets.py > test/conformance/posix/fixtures/sockets.json

Each case takes steps on sockets that never wait; after each step it notes the answer and what poll
says of every socket. Ports have names: P1 and P2 are bound by name, E is any other. Most cases are
random walks from a fixed seed.
"""
import array, errno, fcntl, json, os, random, select, shutil, signal, socket, sys, tempfile, termios, time

signal.signal(signal.SIGPIPE, signal.SIG_IGN)
DOMAINS = {"inet": socket.AF_INET, "inet6": socket.AF_INET6, "unix": socket.AF_UNIX}
TYPES = {"stream": socket.SOCK_STREAM, "dgram": socket.SOCK_DGRAM, "raw": socket.SOCK_RAW}
LEVELS = {"SO": socket.SOL_SOCKET, "TCP": socket.IPPROTO_TCP, "IP": socket.IPPROTO_IP, "IPV6": socket.IPPROTO_IPV6}
EVENTS = select.POLLIN | select.POLLOUT | select.POLLRDHUP
# Abstract names are the machine's: what tells this run's from another's.
OWN = f"-{os.getpid()}"
next_port = random.Random().randrange(12000, 25000)


def free_port():
    global next_port
    while True:
        next_port += 1
        try:
            for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
                with socket.socket(socket.AF_INET6, kind) as probe:
                    probe.bind(("::", next_port))
            return next_port
        except OSError:
            continue


class World:
    def __init__(self):
        self.sockets = {}
        self.ports = {"P1": free_port(), "P2": free_port(), "0": 0}

    def address(self, given):
        if len(given) == 1:
            return f"\0{given[0][1:]}{OWN}" if given[0].startswith("@") else given[0]
        return (given[0], self.ports[given[1]])

    def name(self, address):
        if isinstance(address, (str, bytes)):
            text = address.decode() if isinstance(address, bytes) else address
            return [text.replace("\0", "@", 1).replace(OWN, "")]
        names = {port: name for name, port in self.ports.items()}
        return [address[0], names.get(address[1], "E")]

    def take(self, step):
        call, who, *args = step
        try:
            return getattr(self, call)(who, *args)
        except OSError as error:
            return errno.errorcode[error.errno].replace("EOPNOTSUPP", "ENOTSUP")

    def keep(self, who, made):
        made.setblocking(False)
        self.sockets[who] = made

    def socket(self, who, domain, kind):
        self.keep(who, socket.socket(DOMAINS[domain], TYPES[kind]))

    def pair(self, who, other):
        one, two = socket.socketpair()
        self.keep(who, one)
        self.keep(other, two)

    def bind(self, who, address):
        self.sockets[who].bind(self.address(address))

    def listen(self, who, backlog):
        self.sockets[who].listen(backlog)

    def accept(self, who, made):
        accepted, address = self.sockets[who].accept()
        self.keep(made, accepted)
        return self.name(address)

    def connect(self, who, address):
        self.sockets[who].connect(self.address(address))

    def send(self, who, text):
        return self.sockets[who].send(text.encode())

    def sendto(self, who, text, address):
        return self.sockets[who].sendto(text.encode(), self.address(address))

    def recv(self, who, size):
        return self.sockets[who].recv(size).decode()

    def peek(self, who, size):
        return self.sockets[who].recv(size, socket.MSG_PEEK).decode()

    def recvfrom(self, who, size):
        text, address = self.sockets[who].recvfrom(size)
        return [text.decode(), self.name(address)]

    def shutdown(self, who, how):
        self.sockets[who].shutdown(how)

    def close(self, who):
        self.sockets.pop(who).close()

    def sockname(self, who):
        return self.name(self.sockets[who].getsockname())

    def peername(self, who):
        return self.name(self.sockets[who].getpeername())

    def setopt(self, who, option, value):
        self.sockets[who].setsockopt(LEVELS[option.split("_")[0]], getattr(socket, option), value)

    def getopt(self, who, option):
        return self.sockets[who].getsockopt(LEVELS[option.split("_")[0]], getattr(socket, option))

    def error(self, who):
        number = self.sockets[who].getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        return errno.errorcode[number] if number else 0

    def unread(self, who):
        count = array.array("i", [0])
        fcntl.ioctl(self.sockets[who], termios.FIONREAD, count)
        return count[0]

    def stat(self, who):
        return oct(os.fstat(self.sockets[who].fileno()).st_mode)

    def unlink(self, who):
        os.unlink(who)

    def touch(self, who):
        open(who, "w").close()

    def poll(self):
        time.sleep(0.001)
        seen = {}
        for who, file in sorted(self.sockets.items()):
            poller = select.poll()
            poller.register(file, EVENTS)
            ready = poller.poll(0)
            seen[who] = ready[0][1] if ready else 0
        return seen


def run(name, steps):
    world = World()
    folder = tempfile.mkdtemp()
    os.chdir(folder)
    taken = []
    for step in steps:
        # What a walk does with a socket that it could not make is no step.
        if step[0] not in ("socket", "pair", "unlink", "touch") and step[1] not in world.sockets:
            continue
        answer = world.take(step)
        taken.append([step, answer, world.poll()])
    for file in world.sockets.values():
        file.close()
    os.chdir("/")
    shutil.rmtree(folder)
    return {"name": name, "steps": taken}


def options():
    for domain, kind in (("inet", "stream"), ("inet6", "stream"), ("inet", "dgram"), ("inet6", "dgram"), ("unix", "stream")):
        steps = [["socket", "a", domain, kind]]
        names = ["SO_REUSEADDR", "SO_KEEPALIVE", "SO_BROADCAST", "SO_TYPE", "SO_DOMAIN", "SO_PROTOCOL", "SO_ACCEPTCONN", "SO_ERROR",
                 "TCP_NODELAY", "TCP_KEEPIDLE", "TCP_KEEPINTVL", "TCP_KEEPCNT", "IP_TTL", "IP_TOS", "IPV6_UNICAST_HOPS", "IPV6_V6ONLY", "IPV6_TCLASS"]
        for name in names:
            steps += [["getopt", "a", name], ["setopt", "a", name, 3], ["getopt", "a", name]]
        for name in ("TCP_KEEPIDLE", "TCP_KEEPCNT"):
            steps += [["setopt", "a", name, 0], ["setopt", "a", name, 128], ["setopt", "a", name, 40000]]
        yield f"options of {domain} {kind}", steps


def binds():
    places = {"inet": ["127.0.0.1", "0.0.0.0", "127.0.0.2"], "inet6": ["::1", "::", "::ffff:127.0.0.1"]}
    flat = [(domain, place) for domain, all in places.items() for place in all]
    for kind in ("stream", "dgram"):
        for first in flat:
            for second in flat:
                for settings in ([], ["SO_REUSEADDR"], ["SO_REUSEPORT"], ["IPV6_V6ONLY"]):
                    steps = []
                    for who, (domain, place) in (("a", first), ("b", second)):
                        steps.append(["socket", who, domain, kind])
                        steps += [["setopt", who, option, 1] for option in settings]
                        steps += [["bind", who, [place, "P1"]], ["sockname", who]]
                        if kind == "stream":
                            steps.append(["listen", who, 1])
                    yield f"{kind} {' '.join(first)} and {' '.join(second)} {' '.join(settings)}", steps


def connects():
    places = {"inet": ["127.0.0.1", "0.0.0.0", "127.0.0.2"], "inet6": ["::1", "::", "::ffff:127.0.0.1"]}
    for listener, spots in places.items():
        for spot in spots:
            for caller, targets in places.items():
                for target in targets:
                    yield f"{caller} {target} calls {listener} {spot}", [
                        ["socket", "a", listener, "stream"], ["bind", "a", [spot, "P1"]], ["listen", "a", 1],
                        ["socket", "b", caller, "stream"], ["connect", "b", [target, "P1"]], ["sockname", "b"], ["peername", "b"],
                        ["error", "b"], ["connect", "b", [target, "P1"]], ["connect", "b", [target, "P1"]], ["accept", "a", "c"], ["sockname", "c"], ["peername", "c"]]
                    yield f"{caller} {target} writes to {listener} {spot}", [
                        ["socket", "a", listener, "dgram"], ["bind", "a", [spot, "P1"]], ["socket", "b", caller, "dgram"],
                        ["sendto", "b", "hi", [target, "P1"]], ["sockname", "b"], ["recvfrom", "a", 9], ["connect", "b", [target, "P1"]],
                        ["sockname", "b"], ["peername", "b"], ["send", "b", "x"], ["recvfrom", "a", 9], ["error", "b"]]


STATES = {
    "new": [], "bound": [["bind", "a", "HERE"]], "listening": [["bind", "a", "HERE"], ["listen", "a", 1]],
    "connected": [["bind", "z", "HERE"], ["listen", "z", 1], ["connect", "a", "HERE"], ["accept", "z", "y"]],
    "refused": [["connect", "a", "HERE"]],
    "left": [["bind", "z", "HERE"], ["listen", "z", 1], ["connect", "a", "HERE"], ["accept", "z", "y"], ["close", "y"]],
    "left with unread": [["bind", "z", "HERE"], ["listen", "z", 1], ["connect", "a", "HERE"], ["accept", "z", "y"], ["send", "a", "u"], ["close", "y"]],
}


def calls():
    for domain, here, there in (("inet", ["127.0.0.1", "P1"], ["127.0.0.1", "P2"]), ("unix", ["@here"], ["@there"])):
        for state, way in STATES.items():
            for first in (["bind", "a", there], ["listen", "a", 1], ["accept", "a", "n"], ["connect", "a", here], ["send", "a", "x"], ["recv", "a", 1],
                          ["shutdown", "a", 0], ["shutdown", "a", 1], ["shutdown", "a", 2], ["peername", "a"], ["sockname", "a"], ["unread", "a"], ["stat", "a"]):
                # A TCP socket that calls itself is connected to itself on Linux.
                if state == "bound" and first[0] == "connect" and domain == "inet":
                    continue
                prepare = [[here if part == "HERE" else part for part in step] for step in way]
                after = [["send", "a", "xx"], ["recv", "a", 1], ["error", "a"], ["send", "a", "x"], ["recv", "a", 1], ["peername", "a"]]
                yield f"{first[0]} {first[2:]} of a {state} {domain} stream", [
                    ["socket", "a", domain, "stream"], ["socket", "z", domain, "stream"], *prepare, first, *after]


def paths():
    yield "paths of unix sockets", [
        ["socket", "a", "unix", "stream"], ["socket", "b", "unix", "stream"], ["socket", "c", "unix", "stream"], ["touch", "file"],
        ["connect", "b", ["missing"]], ["connect", "b", ["file"]], ["bind", "a", ["file"]], ["bind", "a", ["file/s"]], ["bind", "a", ["no/s"]],
        ["bind", "a", ["s"]], ["bind", "a", ["t"]], ["bind", "b", ["s"]], ["connect", "b", ["s"]], ["listen", "a", 0], ["connect", "b", ["s"]],
        ["connect", "c", ["s"]], ["sockname", "a"], ["peername", "b"], ["sockname", "b"], ["accept", "a", "d"], ["sockname", "d"], ["peername", "d"],
        ["connect", "c", ["s"]], ["unlink", "s"], ["close", "c"], ["socket", "c", "unix", "stream"], ["connect", "c", ["s"]], ["send", "b", "q"], ["recv", "d", 5]]


def walks(count, length):
    dice = random.Random(77)
    here = "@walk"
    for number in range(count):
        kind = ("inet", "unix", "pair", "udp")[number % 4]
        steps = []
        if kind == "pair":
            steps.append(["pair", "a", "b"])
            names = ["a", "b"]
        elif kind == "udp":
            steps += [["socket", who, "inet", "dgram"] for who in "abc"]
            steps += [["bind", "a", ["127.0.0.1", "P1"]], ["bind", "b", ["127.0.0.1", "P2"]]]
            names = ["a", "b", "c"]
        else:
            target = ["127.0.0.1", "P1"] if kind == "inet" else [here]
            steps += [["socket", who, kind, "stream"] for who in "abc"]
            if kind == "inet":
                # Without delays, so that what is sent is there at once.
                steps += [["setopt", who, option, 1] for who in "abc" for option in ("SO_REUSEADDR", "TCP_NODELAY")]
            steps += [["bind", "a", target], ["listen", "a", 5]]
            names = ["a", "b", "c", "d", "e"]
        for _ in range(length):
            who = dice.choice(names)
            if kind == "udp":
                to = ["127.0.0.1", dice.choice(["P1", "P2"])]
                step = dice.choice([["sendto", who, "m" * dice.randrange(4), to], ["sendto", who, "hello", to], ["send", who, "text"], ["recvfrom", who, 3], ["recv", who, 9],
                                    ["peek", who, 2], ["connect", who, to], ["sockname", who], ["peername", who], ["error", who], ["unread", who], ["shutdown", who, dice.randrange(3)], ["close", who]])
            elif kind == "pair":
                step = dice.choice([["send", who, "text"], ["send", who, "x"], ["recv", who, 3], ["recv", who, 9], ["peek", who, 2], ["error", who], ["unread", who],
                                    ["shutdown", who, dice.randrange(3)], ["close", who]] + [["recv", who, 2], ["send", who, "yy"]] * 2)
            else:
                step = dice.choice([["connect", dice.choice("bc"), target], ["connect", dice.choice("bc"), target], ["accept", "a", dice.choice("de")], ["send", who, "text"], ["recv", who, 3],
                                    ["recv", who, 9], ["peek", who, 2], ["error", who], ["unread", who], ["sockname", who], ["peername", who], ["shutdown", who, dice.randrange(3)],
                                    ["close", dice.choice("bcde")], ["socket", dice.choice("bc"), kind, "stream"], ["send", who, "a"], ["recv", who, 1]])
            steps.append(step)
        yield f"walk {number} ({kind})", guarded(steps)


def guarded(steps):
    """Drops steps that would give a living socket's name to another."""
    living, kept = set(), []
    for step in steps:
        made = {"socket": step[1:2], "pair": step[1:3], "accept": step[2:3]}.get(step[0], [])
        if any(name in living for name in made):
            continue
        living.update(made)
        if step[0] == "close":
            living.discard(step[1])
        kept.append(step)
    return kept


cases = [run(name, steps) for generate in (options(), binds(), connects(), calls(), paths(), walks(300, 45)) for name, steps in generate]
text = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
sys.stdout.write('{"kernel":%s,"cases":[\n%s\n]}\n' % (json.dumps(os.uname().release), text))
