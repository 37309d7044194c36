import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";
import { eventually } from "../../support/eventually.ts";
import { Terminal } from "../support/terminal.ts";

const lines = 700_000;
let server: InstalledServer;
let terminal: Terminal | undefined;
beforeAll(async () => {
  server = InstalledServer.install();
  await inVm(`echo kept >note; seq 1 ${lines} >big.txt`);
});
afterAll(() => server.remove());
afterEach(async () => {
  await terminal?.end();
  // The same VM, with its files.
  expect(await inVm("cat note")).toEqual({ status: 0, stdout: "kept\n", stderr: "" });
});

async function inVm(command: string): Promise<object> {
  const { status, stdout, stderr } = await server.run(["exec", "--vm", "work", "--", command]);
  return { status, stdout: stdout.toString(), stderr };
}

async function openShell(): Promise<Terminal> {
  const { command, args } = server.command;
  const script = `'${command}' '${args[0]}' shell work; echo "status $?"`;
  terminal = new Terminal(server.command, script);
  await terminal.shows("user@work:~$ ");
  return terminal;
}

async function leave(tty: Terminal): Promise<void> {
  tty.type("echo left $((1 + 1)); exit 3\r");
  await tty.shows("\nleft 2\r\n");
  await tty.shows("status 3");
  await once(tty.child, "close");
}

describe("agentos-mcp shell with megabytes of output", () => {
  it("shows all of a large file", async () => {
    const tty = await openShell();
    tty.type("cat big.txt\r");
    await tty.shows(`\n${lines}\r\n`);
    const text = Array.from({ length: lines }, (_, at) => `${at + 1}\r\n`).join("");
    expect(tty.shownBytes).toBeGreaterThan(text.length);
    expect(tty.text).toContain(text.slice(-60_000));
    await leave(tty);
  });

  it("interrupts output that has no end", async () => {
    const tty = await openShell();
    tty.type("yes\r");
    await eventually("megabytes are shown", () => tty.shownBytes > 5_000_000);
    tty.type("\u0003");
    await tty.shows("^C");
    await leave(tty);
  });

  it("waits for a terminal that does not read", async () => {
    const tty = await openShell();
    tty.child.stdout.pause();
    tty.type("cat big.txt big.txt\r");
    expect(await inVm("while ! pgrep -x cat >/dev/null; do :; done; echo runs")).toEqual({
      status: 0,
      stdout: "runs\n",
      stderr: "",
    });
    tty.child.stdout.resume();
    await eventually("all of it is shown", () => tty.shownBytes > 2 * 7 * lines);
    await leave(tty);
  });
});
