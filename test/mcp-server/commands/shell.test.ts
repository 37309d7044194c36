import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";
import { eventually } from "../../support/eventually.ts";
import { Terminal } from "../support/terminal.ts";

let server: InstalledServer;
let terminal: Terminal | undefined;
beforeAll(() => {
  server = InstalledServer.install();
});
afterAll(() => server.remove());
afterEach(() => terminal?.end());

/** `agentos-mcp shell` on a terminal of the host. */
function open(before = "", after = ""): Terminal {
  const { command, args } = server.command;
  terminal = new Terminal(
    server.command,
    `${before}'${command}' '${args[0]}' shell work; echo "status $?"${after}`,
  );
  return terminal;
}

describe("agentos-mcp shell", () => {
  it("is a shell on a terminal: it edits, interrupts, and exits with its status", async () => {
    const tty = open();
    await tty.shows("user@work:~$ ");
    tty.type("echo thrEe\u007f\u007fee $((1 + 1))\r");
    await tty.shows("\nthree 2\r\n");
    tty.type("sleep 1000\r");
    await tty.shows("sleep 1000");
    tty.type("\u0003");
    await tty.shows("^C");
    tty.type("echo after $?\r");
    await tty.shows("\nafter 130\r\n");
    tty.type("exit 7\r");
    await tty.shows("status 7");
    await once(tty.child, "close");
  });

  it("returns when the shell exits, whatever runs in the background", async () => {
    const tty = open();
    await tty.shows("user@work:~$ ");
    tty.type("(sleep 1000 &); echo last words; exit 5\r");
    await tty.shows("\nlast words\r\n");
    await tty.shows("status 5");
    await once(tty.child, "close");
  });

  it("follows the size of the terminal, and gives it back as it was", async () => {
    const names = "aaaaaaaaa1 aaaaaaaaa2 aaaaaaaaa3 aaaaaaaaa4";
    await server.run(["exec", "--vm", "work", "--", `mkdir -p d; cd d; touch ${names}`]);
    // The host's side: it narrows the terminal when the shell has written a file that says so.
    const { command, args } = server.command;
    const ask = `'${command}' '${args[0]}' exec --vm work -- 'test -e narrow' </dev/null >/dev/null 2>&1`;
    const narrow = `(until ${ask}; do :; done; stty cols 30 </dev/tty) & `;
    const tty = open(`stty cols 60 rows 20; ${narrow}`, "; stty -a");
    await tty.shows("user@work:~$ ");
    tty.type("ls -T0 d\r");
    await tty.shows("aaaaaaaaa1  aaaaaaaaa2  aaaaaaaaa3  aaaaaaaaa4");
    tty.type("touch narrow\r");
    await eventually("the listing is narrow", async () => {
      const prompts = tty.text.split("~$").length;
      tty.type("ls -T0 d\r");
      await eventually("there is a listing", () => tty.text.split("~$").length > prompts);
      return /aaaaaaaaa1 {2}aaaaaaaaa3\r\naaaaaaaaa2 {2}aaaaaaaaa4/.test(tty.text);
    });
    tty.type("exit\r");
    await tty.shows("status 0");
    await once(tty.child, "close");
    expect(tty.text).toMatch(/\sicanon\s/);
    expect(tty.text).toMatch(/\sopost\s/);
    expect(tty.text).toMatch(/\secho\s/);
  });

  it("gives the terminal back when the server goes away", async () => {
    const tty = open("", "; stty -a");
    await tty.shows("user@work:~$ ");
    process.kill(server.serverPid, "SIGKILL");
    await tty.shows("status 125");
    await once(tty.child, "close");
    expect(tty.text).toContain("agentos-mcp: The agentos-mcp server went away before it answered.");
    expect(tty.text).toMatch(/\sicanon\s/);
  });

  it("ends by SIGHUP when its terminal goes away", async () => {
    const file = join(server.home.directory, "status");
    // The host's shell outlives the terminal to tell of it.
    const tty = open("trap : HUP; ", ` >'${file}'`);
    await tty.shows("user@work:~$ ");
    await tty.end();
    await eventually("it has ended", () => existsSync(file) && readFileSync(file).length > 0);
    expect(readFileSync(file, "utf8")).toBe("status 129\n");
  });

  it("leaves what nohup started when its terminal goes away", async () => {
    const tty = open();
    await tty.shows("user@work:~$ ");
    const started = "echo $! > left; sleep 5001 & echo $! > taken; echo both are there";
    tty.type(`nohup sleep 5000 > out 2>&1 & ${started}\r`);
    await tty.shows("\nboth are there\r\n");
    await tty.end();
    const look =
      "kill -0 $(cat taken) 2>&1 || { kill -0 $(cat left) && kill $(cat left) && echo left; }";
    await eventually("the job without nohup is gone", async () => {
      const { stdout } = await server.run(["exec", "--vm", "work", "--", look]);
      return String(stdout).endsWith("left\n");
    });
  });

  it("needs a terminal", async () => {
    expect(await server.run(["shell"])).toEqual({
      status: 2,
      stdout: Buffer.alloc(0),
      stderr:
        "agentos-mcp: A shell needs a terminal. To run a command without one: agentos-mcp exec -- 'command'\n",
    });
    expect((await server.run(["shell", "a", "b"])).status).toBe(2);
  });
});
