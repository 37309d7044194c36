// `sandbox exec` at a terminal of the VM: what programs of the sandbox see of it, and what they leave.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { Screen } from "../../support/screen.ts";
import { unless } from "../../support/unless.ts";
import { noSandboxes, Station } from "./station.ts";

/** The terminal of the VM, in words. */
const settings = "stty -a | grep -oE -- '-?(icanon|isig|echo|opost)\\b' | xargs";
const USUAL = "opost isig icanon echo\r\n";

describe("a command of a sandbox at a terminal", unless(noSandboxes), () => {
  let station: Station;
  const open = async (command: string): Promise<Screen> => {
    const { vms } = station.box;
    const vm = vms.find("one") ?? (await vms.create({ name: "one" }));
    return new Screen(await vm.spawn(command, { pty: { cols: 97, rows: 31 } }));
  };
  beforeAll(() => {
    station = new Station({ limits: { memoryMb: 512 } });
  });
  afterAll(() => station.close());

  it("has one of the same size and kind, and colours", async () => {
    const line = "test -t 0 -a -t 1 -a -t 2 && stty size; echo $TERM; ls --color=auto -d /usr";
    const screen = await open(`TERM=xterm-256color sandbox exec -- sh -c '${line}'`);
    await screen.ended();
    expect(screen.shown.startsWith("31 97\r\nxterm-256color\r\n")).toBe(true);
    expect(screen.shown.endsWith("\x1b[01;34m/usr\x1b[0m\r\n")).toBe(true);
    expect(screen.exec.status()).toMatchObject({ exitCode: 0 });
  });

  it("is told of a new size, at once and in its next command", async () => {
    const screen = await open(
      "sandbox exec -- bash -c 'trap \"stty size\" WINCH; echo ready; while sleep 0.1; do :; done'; sandbox exec stty size",
    );
    await screen.until("ready\r\n");
    await screen.exec.resize({ cols: 120, rows: 40 });
    await screen.until("40 120\r\n");
    await screen.type("\x03");
    await screen.ended();
    expect(screen.shown).toMatch(/\^C40 120\r\n$/);
  });

  it("gets Ctrl-C and Ctrl-D as the sandbox's terminal has it, and the VM's is as it was after it", async () => {
    const cat = `sandbox exec -- sh -c 'echo ready; exec cat'; echo status $?; ${settings}`;
    const screen = await open(cat);
    await screen.until("ready\r\n");
    await screen.type("typed\r");
    await screen.until("typed\r\ntyped\r\n");
    await screen.type("\x03");
    await screen.ended();
    expect(screen.shown).toBe(`ready\r\ntyped\r\ntyped\r\n^Cstatus 130\r\n${USUAL}`);
    const ended = await open(cat);
    await ended.until("ready\r\n");
    await ended.type("x\r\x04");
    await ended.ended();
    expect(ended.shown).toBe(`ready\r\nx\r\nx\r\nstatus 0\r\n${USUAL}`);
  });

  it("may be a shell with its own line editor and jobs", async () => {
    const screen = await open(`sandbox exec -e PS1='> ' -- bash --norc -i; ${settings}`);
    await screen.until("> ");
    await screen.type("echo a$((1+1))b\r");
    await screen.until("a2b\r\n");
    await screen.type("echo nope\x15echo edited\r");
    await screen.until("edited\r\n\x1b[?2004h> ");
    await screen.type("sleep 600\r");
    await eventually(
      "sleep runs",
      async () =>
        (await station.sh("one", "sandbox exec -T pgrep -f 'sleep 600' < /dev/null")).stdout !== "",
    );
    await screen.type("\x03");
    await screen.type("echo status $?\r");
    await screen.until("status 130\r\n");
    await screen.type("exit 5\r");
    await screen.ended();
    expect(screen.shown.endsWith(USUAL)).toBe(true);
  });

  it("may be a program that makes it raw, and one that is killed leaves it as it was", async () => {
    const raw =
      "stty raw -echo; printf 'raw\\r\\n'; dd bs=1 count=1 2>/dev/null | od -An -tx1; stty sane";
    const screen = await open(`sandbox exec -- sh -c "${raw}"; ${settings}`);
    await screen.until("raw\r\n");
    await screen.type("\x03");
    await screen.ended();
    expect(screen.lines).toBe(`raw\n 03\n${USUAL.replace("\r", "")}`);
    const killed = await open(
      `sandbox exec -- sh -c "stty raw -echo; echo raw; sleep 600"; ${settings}`,
    );
    await killed.until("raw");
    await station.sandboxes.get("one").stop("test");
    await killed.ended();
    expect(killed.shown.endsWith(USUAL)).toBe(true);
  });

  it("has none with -T or where a stream is elsewhere", async () => {
    const screen = await open(
      "sandbox exec -T tty; sandbox exec tty | cat; sandbox exec tty < /dev/null",
    );
    await screen.ended();
    expect(screen.lines).toBe("not a tty\n".repeat(3));
  });

  it("shows what is written at its very end, however much", async () => {
    const screen = await open("sandbox exec -- sh -c 'seq 20000; printf end'");
    await screen.ended();
    expect(screen.lines.length).toBe(108_894 + 3);
    expect(screen.lines.endsWith("20000\nend")).toBe(true);
  });
});

describe("a command at a terminal that waits for its sandbox", unless(noSandboxes), () => {
  it("has the size that the terminal has when it starts, and may be called off", async () => {
    const station = new Station({ policy: "ask" });
    const vm = await station.box.vms.create({ name: "one" });
    const ask = async (): Promise<Screen> => {
      const screen = new Screen(
        await vm.spawn("sandbox exec stty size", { pty: { cols: 97, rows: 31 } }),
      );
      await eventually("somebody is asked", () => station.approvals.list().length === 1);
      return screen;
    };
    const off = await ask();
    await off.type("\x03");
    await off.ended();
    expect(off.exec.status()).toMatchObject({ signal: "SIGINT" });
    await eventually("nobody is asked any more", () => station.approvals.list().length === 0);
    const screen = await ask();
    await screen.exec.resize({ cols: 71, rows: 19 });
    await eventually("the command knows", async () => {
      const { stdout } = await vm.exec("for t in /dev/pts/[0-9]*; do stty size < $t; done", {
        as: "root",
      });
      return stdout.includes("19 71");
    });
    const { id = "" } = station.approvals.list()[0] ?? {};
    station.approvals.decide(id, { answer: "allow", scope: "once" }, "me");
    await screen.ended();
    expect(screen.lines).toBe("19 71\n");
    await station.close();
  });
});
