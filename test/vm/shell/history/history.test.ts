import { afterEach, describe, expect, it } from "vitest";
import { History } from "../../../../src/vm/shell/history/history.ts";
import { ShellScreen, type ShellScreenOptions } from "../../../support/shell-screen.ts";

const open: ShellScreen[] = [];
/** So that a command stays on one row. */
const wide = { cols: 200 };

async function openShell(options: ShellScreenOptions = {}): Promise<ShellScreen> {
  const screen = await ShellScreen.open({ rows: 12, cols: 40, ...options });
  open.push(screen);
  await screen.shows("$");
  return screen;
}

/** A shell that has run these lines, its screen cleared since. */
async function openAfter(...lines: readonly string[]): Promise<ShellScreen> {
  const screen = await openShell(wide);
  for (const line of lines) await screen.run(line);
  await screen.resize(40, 14);
  await screen.clear();
  return screen;
}

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

const up = "\u001b[A";
const down = "\u001b[B";

describe("the history at the prompt", () => {
  it("goes up and down, and keeps what is typed meanwhile", async () => {
    const screen = await openAfter(": one", ": two");
    await screen.type("new");
    await screen.shows("$ new");
    await screen.type(up);
    await screen.shows("$ : two");
    await screen.type(`${up}!`);
    await screen.shows("$ : one!");
    await screen.type(down);
    await screen.shows("$ : two");
    await screen.type(down);
    await screen.shows("$ new");
    await screen.type("\u001b<");
    await screen.shows("$ : one!");
    await screen.type("\u001b>\u0010");
    await screen.shows("$ : two");
  });

  it("searches while one types, backwards and forwards", async () => {
    const screen = await openAfter(": apple pie", ": banana", ": apple tree");
    await screen.type("\u0012apple");
    await screen.shows("(reverse-i-search)`apple': : apple tree");
    await screen.type("\u0012");
    await screen.shows("(reverse-i-search)`apple': : apple pie");
    await screen.type("\u0013");
    await screen.shows("(i-search)`apple': : apple tree");
    await screen.type("x");
    await screen.shows("(failed i-search)`applex': : apple tree");
    await screen.type("\u007f\u0007");
    await screen.shows("$");
    await screen.type("\u0012ban\u0005s");
    await screen.shows("$ : bananas");
    await screen.type("\u0015\u0012pie\r");
    await screen.shows("$ : apple pie", "$");
  });

  it("brings back the last arguments of earlier lines", async () => {
    const screen = await openAfter(": one two", ": three four");
    await screen.type(": \u001b.");
    await screen.shows("$ : four");
    await screen.type("\u001b.");
    await screen.shows("$ : two");
  });

  it("runs a line and offers the next one by C-o", async () => {
    const screen = await openAfter(": first", ": second");
    await screen.type(`${up}${up}\u000f`);
    await screen.shows("$ : first", "$ : second");
  });

  it("makes a comment of the line by M-#", async () => {
    const screen = await openShell();
    await screen.type("not now\u001b#");
    await screen.shows("$ #not now", "$");
    await screen.type(up);
    await screen.shows("$ #not now", "$ #not now");
  });

  it("expands events, shows what it runs, and offers it for editing with histverify", async () => {
    const screen = await openShell();
    await screen.type("echo a b\r!!:s/a/x/\r");
    await screen.shows("$ echo a b", "a b", "$ !!:s/a/x/", "echo x b", "x b", "$");
    await screen.type("!nope\r");
    await screen.until("an answer", () => screen.rows.includes("bash: !nope: event not found"));
    await screen.type("shopt -s histverify\recho !$\r");
    await screen.endsWith("$ echo histverify");
  });

  it("is saved when the shell ends and there for the next one", async () => {
    const screen = await openShell();
    await screen.type("echo kept\rexit\r");
    await screen.ended();
    const fd = await screen.sys.open("/home/user/.bash_history", 0);
    const bytes = new Uint8Array(100);
    const count = await screen.sys.read(fd, bytes);
    expect(new TextDecoder().decode(bytes.subarray(0, count))).toBe("echo kept\nexit\n");
  });
});

describe("the list", () => {
  it("drops the oldest beyond its limit and keeps the numbers", () => {
    const history = new History();
    for (const text of ["a", "b", "c", "d"]) history.add(text, undefined, 2);
    expect(history.entries.map(({ text }) => text)).toEqual(["c", "d"]);
    expect(history.base).toBe(3);
    expect(history.find(4)?.text).toBe("d");
  });

  it("holds no more than its own limit, however much is asked for", () => {
    const history = new History();
    const text = "x".repeat(16 * 1024 * 1024);
    for (let at = 0; at < 6; at++) history.add(text, undefined, Number.POSITIVE_INFINITY);
    expect(history.length).toBe(4);
  });

  it("is not changed by what a copy does", () => {
    const history = new History();
    history.add("a", undefined, 10);
    const copy = history.copy();
    copy.add("b", undefined, 10);
    history.replaceLast("c");
    expect(history.entries.map(({ text }) => text)).toEqual(["c"]);
    expect(copy.entries.map(({ text }) => text)).toEqual(["a", "b"]);
  });
});
