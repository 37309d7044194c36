import { afterEach, describe, expect, it } from "vitest";
import { decodeText } from "../../../src/kernel/index.ts";
import { ShellScreen, type ShellScreenOptions } from "../../support/shell-screen.ts";

const open: ShellScreen[] = [];

async function openShell(options: ShellScreenOptions = {}): Promise<ShellScreen> {
  const screen = await ShellScreen.open({ rows: 14, cols: 60, ...options });
  open.push(screen);
  await screen.shows("$");
  return screen;
}

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

describe("jobs at a terminal", () => {
  it("ends a running pipeline by Ctrl-C and goes on with a new prompt", async () => {
    const screen = await openShell();
    await screen.type("sh -c 'echo up; sleep 100' | cat; echo after\r");
    await screen.endsWith("up");
    await screen.type("\u0003");
    await screen.shows("$ sh -c 'echo up; sleep 100' | cat; echo after", "up", "^C", "$");
    await screen.type("echo $?\r");
    await screen.until("the status", () => screen.rows.includes("130"));
  });

  it("stops a job that reads by Ctrl-Z, lists it, and continues it by fg", async () => {
    const screen = await openShell();
    await screen.type("cat\r");
    await screen.shows("$ cat");
    await screen.type("one\r");
    await screen.shows("$ cat", "one", "one");
    await screen.type("\u001a");
    await screen.shows("$ cat", "one", "one", "^Z", "[1]+  Stopped                 cat", "$");
    await screen.type("jobs\r");
    await screen.until("the list", () => screen.rows.length === 8);
    expect(screen.rows.slice(-3)).toEqual(["$ jobs", "[1]+  Stopped                 cat", "$"]);
    await screen.type("fg\r");
    await screen.endsWith("cat");
    await screen.type("two\r");
    await screen.until("its answer", () => screen.rows.filter((row) => row === "two").length === 2);
    await screen.type("\u0004");
    await screen.endsWith("$");
    await screen.run("jobs; echo none");
    expect(screen.rows.slice(-2)).toEqual(["none", "$"]);
  });

  it("stops a job in the background that wants to read", async () => {
    const screen = await openShell();
    await screen.type("cat\r");
    await screen.shows("$ cat");
    await screen.type("\u001a");
    await screen.endsWith("$");
    await screen.type("bg\r");
    await screen.until("it going on", () => screen.rows.includes("[1]+ cat &"));
    await screen.type("echo mine\r");
    await screen.until("the shell's answer", () => screen.rows.includes("mine"));
    await screen.run("kill -9 %1");
    await screen.type("\r");
    await screen.until("its end", () => screen.rows.some((row) => row.includes("Killed")));
  });

  it("tells at the next prompt that a background job is done", async () => {
    const screen = await openShell();
    await screen.type("mkfifo p; cat p > out &\r");
    await screen.until("its number", () => screen.rows.some((row) => /^\[1\] \d+$/.test(row)));
    await screen.run("echo x > p");
    await screen.run("wait $!; :");
    await screen.type("cat out; exit\r");
    expect(await screen.ended()).toEqual({ kind: "exited", code: 0 });
    expect(screen.rows).toContain("x");
  });

  it("undoes what a killed program did to the terminal, and keeps what one that ended set", async () => {
    const screen = await openShell();
    await screen.type("sh -c 'stty raw -echo; kill -9 $$'\r");
    await screen.until("its end", () => screen.rows.includes("Killed"));
    await screen.run("stty -a | grep -ow -e '-*icanon' -e '-*echo' -e '-*opost'");
    expect(screen.rows.slice(-4)).toEqual(["opost", "icanon", "echo", "$"]);
    await screen.type("stty intr ^X; stty | grep intr\r");
    await screen.until("the setting", () => screen.rows.includes("intr = ^X;"));
    await screen.type("sleep 100\r");
    await screen.until("the command", () => screen.rows.at(-1) === "$ sleep 100");
    await screen.type("\u0018");
    await screen.until("its end", () => screen.rows.includes("^X"));
  });

  it("tells of stopped jobs before it leaves, once", async () => {
    const screen = await openShell();
    await screen.type("cat\r");
    await screen.shows("$ cat");
    await screen.type("\u001a");
    await screen.endsWith("$");
    await screen.type("exit\r");
    await screen.until("the warning", () => screen.rows.includes("There are stopped jobs."));
    await screen.type(":\r\u0004");
    await screen.until("a second warning", () => warnings(screen) === 2);
    await screen.type("\u0004");
    expect(await screen.ended()).toMatchObject({ kind: "exited" });
  });

  it("keeps its history and tells its jobs when the terminal hangs up", async () => {
    const screen = await openShell();
    await screen.run("sleep 1000 & echo $!");
    const pid = Number(screen.rows.at(-2));
    await screen.close();
    open.length = 0;
    expect(await screen.ended()).toEqual({ kind: "exited", code: 129 });
    const fd = await screen.sys.open("/home/user/.bash_history", 0);
    const bytes = new Uint8Array(100);
    const count = await screen.sys.read(fd, bytes);
    expect(decodeText(bytes.subarray(0, count))).toBe("sleep 1000 & echo $!\n");
    await expect(screen.sys.kill(pid, 0)).rejects.toThrow("No such process");
  });

  it("runs traps at the prompt and keeps the line", async () => {
    const screen = await openShell();
    await screen.run("trap 'echo caught' USR1; echo $$");
    const pid = Number(screen.rows.at(-2));
    await screen.type("half a line");
    await screen.endsWith("$ half a line");
    await screen.sys.kill(pid, 10);
    await screen.until("the trap", () => screen.rows.includes("caught"));
    await screen.endsWith("$ half a line");
  });
});

function warnings(screen: ShellScreen): number {
  return screen.rows.filter((row) => row === "There are stopped jobs.").length;
}
