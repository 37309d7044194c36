import { once } from "node:events";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";
import { Terminal } from "../support/terminal.ts";

let server: InstalledServer;
let terminal: Terminal | undefined;
beforeAll(async () => {
  server = InstalledServer.install();
  await server.run(["exec", "--", "true"]);
});
afterAll(() => server.remove());
afterEach(() => terminal?.end());

/** A command of a VM on a terminal of the host, whose shell then runs `after`. */
function exec(command: string, after = ""): Terminal {
  const { command: node, args } = server.command;
  // Ctrl-C is for the command; the shell goes on to tell of it.
  const line = `trap : INT; '${node}' '${args[0]}' exec -- '${command}'; echo "status $?"; ${after}`;
  terminal = new Terminal(server.command, line);
  return terminal;
}

describe("agentos-mcp exec in a terminal", () => {
  it("gives the command the lines that are typed, and Ctrl-D as their end", async () => {
    const tty = exec("echo begun; cat; echo over");
    await tty.shows("begun");
    tty.type("one\r");
    await tty.shows("one\r\none\r\n");
    tty.type("two\r");
    await tty.shows("two\r\ntwo\r\n");
    tty.type("\u0004");
    await tty.shows("status 0");
    await once(tty.child, "close");
    expect(tty.text).toContain("begun\r\none\r\none\r\ntwo\r\ntwo\r\nover\r\nstatus 0\r\n");
  });

  it("ends the command with Ctrl-C", async () => {
    const tty = exec("echo begun; cat");
    await tty.shows("begun");
    tty.type("\u0003");
    await tty.shows("status 130");
  });

  it("leaves what the command does not read to the host", async () => {
    const tty = exec('read line; echo "got $line"', 'read rest; echo "left $rest"');
    tty.type("one\rtwo\r");
    await tty.shows("got one\r\nstatus 0\r\n");
    await tty.shows("left two");
  });

  it("returns as soon as a command has ended that reads nothing", async () => {
    const tty = exec("echo shown", 'read rest; echo "left $rest"');
    await tty.shows("shown\r\nstatus 0\r\n");
    tty.type("all\r");
    await tty.shows("left all");
  });

  it("leaves what was typed ahead of a command that reads nothing to the host", async () => {
    const tty = exec("echo shown", 'read rest; echo "left $rest"');
    tty.type("ahead\r");
    await tty.shows("shown\r\nstatus 0\r\n");
    await tty.shows("left ahead");
  });

  it("gives a line to a command that looks for one now and then, without waiting", async () => {
    const command = 'until read -t 0; do sleep 0.01; done; read line; echo "got $line"';
    const tty = exec(command);
    tty.type("one\r");
    await tty.shows("got one\r\nstatus 0\r\n");
  });

  it("gives the command only lines that it asks for, one after the other", async () => {
    const command = 'read one; read -t 0; read two; printf "%s\\n" "$one" "$two"; head -n 1';
    const tty = exec(command, 'read rest; echo "left $rest"');
    tty.type("1\r2\r3\r");
    await tty.shows("1\r\n2\r\n3\r\n");
    tty.type("4\r");
    await tty.shows("left 4");
  });
});
