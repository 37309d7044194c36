import { afterEach, describe, expect, it } from "vitest";
import { ShellScreen, type ShellScreenOptions } from "../../../support/shell-screen.ts";

const open: ShellScreen[] = [];

async function openShell(options: ShellScreenOptions = {}): Promise<ShellScreen> {
  const screen = await ShellScreen.open({ rows: 12, cols: 40, ...options });
  open.push(screen);
  await screen.shows("$");
  return screen;
}

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

const left = "\u001b[D";
const up = "\u001b[A";

describe("editing a line", () => {
  it("inserts and deletes where the cursor is", async () => {
    const screen = await openShell();
    await screen.type(`echo hllo wrld${"\u001bb"}${left}`);
    await screen.type("\u0001\u001bf\u0006\u0006e\u0005");
    await screen.type(`${left}${left}${left}o\r`);
    await screen.shows("$ echo hello world", "hello world", "$");
    await screen.type("echo abc\b\u007f\u0002\u0004x\r");
    await screen.shows("$ echo hello world", "hello world", "$ echo x", "x", "$");
  });

  it("edits in the middle of a line that wraps", async () => {
    const screen = await openShell();
    await screen.type(`echo ${"abcdefghij".repeat(5)}`);
    await screen.shows("$ echo abcdefghijabcdefghijabcdefghijabc", "defghijabcdefghij");
    await screen.type(`${"\u0001\u001bf "}XY`);
    await screen.shows("$ echo XY abcdefghijabcdefghijabcdefghij", "abcdefghijabcdefghij");
    expect(screen.cursor).toEqual({ row: 0, column: 9 });
    await screen.type("\u0017\u0004\u0004");
    await screen.shows("$ echo bcdefghijabcdefghijabcdefghijabcd", "efghijabcdefghij");
    await screen.type("\u000b1\r");
    await screen.shows("$ echo 1", "1", "$");
  });

  it("keeps the cursor right behind a row that is exactly full", async () => {
    const screen = await openShell();
    await screen.type(`echo ${"x".repeat(33)}`);
    await screen.until("a cursor in the second row", () => screen.cursor.row === 1);
    expect(screen.cursor).toEqual({ row: 1, column: 0 });
    await screen.type("\u007f");
    await screen.until("a cursor in the first row", () => screen.cursor.row === 0);
    expect(screen.cursor).toEqual({ row: 0, column: 39 });
    await screen.type("yz\r");
    await screen.shows(`$ echo ${"x".repeat(32)}y`, "z", `${"x".repeat(32)}yz`, "$");
  });

  it("counts wide characters and combining marks by what they take on the screen", async () => {
    const screen = await openShell();
    await screen.type("echo 日本語 e\u0301x");
    await screen.until("the whole line", () => screen.cursor.column === 16);
    await screen.type(`${left}${left}${left}${left}`);
    await screen.until("a cursor on the third sign", () => screen.cursor.column === 11);
    await screen.type("\u0004!\r");
    await screen.shows("$ echo 日本! e\u0301x", "日本! e\u0301x", "$");
    await screen.type(`${"あ".repeat(20)}`);
    await screen.shows("$ echo 日本! e\u0301x", "日本! e\u0301x", `$ ${"あ".repeat(19)}`, "あ");
    expect(screen.cursor).toEqual({ row: 3, column: 2 });
  });

  it("cuts and brings back, changes case, swaps and undoes", async () => {
    const screen = await openShell();
    await screen.type("echo one two\u0017\u0017\u0019");
    await screen.shows("$ echo one two");
    await screen.type("\u0017\u0001\u0019\u001by");
    await screen.until("the older cut", () => screen.rows[0]?.startsWith("$ one two") === true);
    await screen.type("\u0005\u0015echo one two\u001bt");
    await screen.shows("$ echo two one");
    await screen.type("\u001bb\u001bu\u0001\u001bf\u001bc");
    await screen.shows("$ echo Two ONE");
    await screen.type("\u0005ab\u0014");
    await screen.shows("$ echo Two ONEba");
    await screen.type("\u001f\u001f\u001f\u001f");
    await screen.shows("$ echo two one");
    await screen.type("\u0003");
    await screen.shows("$ echo two one^C", "$");
  });

  it("repeats by a numeric argument and quotes the next key", async () => {
    const screen = await openShell();
    await screen.type("echo \u001b1\u001b2x\u001b3\u0002\u001b2\u0004\r");
    await screen.shows("$ echo xxxxxxxxxx", "xxxxxxxxxx", "$");
    await screen.type("echo \u0016\u0001 | od -An -c\r");
    await screen.shows(
      "$ echo xxxxxxxxxx",
      "xxxxxxxxxx",
      "$ echo ^A | od -An -c",
      " 001  \\n",
      "$",
    );
  });

  it("shows a coloured prompt of two lines and counts only what is seen", async () => {
    const screen = await openShell();
    await screen.type("PS1='top\\n\\[\\e[31m\\]>>\\[\\e[0m\\] '\r");
    await screen.endsWith(">>");
    expect(screen.cursor.column).toBe(3);
    await screen.type(`${"y".repeat(40)}\u0001z`);
    await screen.until("a wrapped line", () => screen.rows.at(-1) === "yyyy");
    expect(screen.rows.slice(-3)).toEqual(["top", `>> z${"y".repeat(36)}`, "yyyy"]);
    expect(screen.cursor.column).toBe(4);
  });

  it("takes a paste of several lines as text", async () => {
    const screen = await openShell();
    await screen.type("\u001b[200~echo one\necho two\u001b[201~");
    await screen.shows("$ echo one", "echo two");
    await screen.type("\r");
    await screen.shows("$ echo one", "echo two", "one", "two", "$");
  });

  it("asks for the rest of a command with PS2", async () => {
    const screen = await openShell();
    await screen.type("for i in 1 2\rdo echo $i\rdone\r");
    await screen.shows("$ for i in 1 2", "> do echo $i", "> done", "1", "2", "$");
    await screen.type(up);
    await screen.endsWith("$ for i in 1 2; do echo $i; done");
  });

  it("draws the line anew when the window changes", async () => {
    const screen = await openShell();
    await screen.type("echo aaaa bbbb cccc dddd eeee ffff gggg");
    await screen.until(
      "the whole line",
      () => screen.cursor.column === 1 && screen.cursor.row === 1,
    );
    await screen.resize(30, 12);
    await screen.shows("$ echo aaaa bbbb cccc dddd eee", "e ffff gggg");
    await screen.type(" hhhh\u0001\u001bf\u001bf\u0017X");
    await screen.shows("$ echo X bbbb cccc dddd eeee f", "fff gggg hhhh");
    await screen.resize(60, 12);
    await screen.shows("$ echo X bbbb cccc dddd eeee ffff gggg hhhh");
    await screen.type("\u0015\u000becho $COLUMNS $LINES\r");
    await screen.endsWith("$");
    expect(screen.rows.slice(-2)).toEqual(["60 12", "$"]);
  });

  it("edits a line that is longer than the screen", async () => {
    const screen = await openShell({ rows: 4, cols: 10 });
    await screen.type(`: ${"0123456789".repeat(6)}`);
    await screen.until("the end of the line", () => screen.rows.at(-1) === "6789");
    await screen.type("\u0001");
    await screen.until("its start", () => screen.rows[0] === "$ : 012345");
    await screen.type("\u000becho ok\r");
    await screen.until("the answer", () => screen.rows.includes("ok"));
  });

  it("does as vi does under set -o vi", async () => {
    const screen = await openShell();
    await screen.run("set -o vi");
    await screen.type("echo one two three");
    await screen.endsWith("$ echo one two three");
    await screen.type("\u001b");
    await screen.type("bbdwIx\u001b");
    await screen.endsWith("$ xecho one three");
    await screen.type("xwcwONE\u001bA!\r");
    await screen.until("the answer", () => screen.rows.includes("ONE three!"));
  });
});

describe("leaving and breaking off", () => {
  it("drops the line on Ctrl-C, ends on Ctrl-D and does not mind Ctrl-Z", async () => {
    const screen = await openShell();
    await screen.type("echo never");
    await screen.shows("$ echo never");
    await screen.type("\u001a");
    await screen.type("!");
    await screen.shows("$ echo never!");
    await screen.type("\u007f");
    await screen.shows("$ echo never");
    await screen.type("\u0003");
    await screen.shows("$ echo never^C", "$");
    await screen.type("echo $?\r");
    await screen.shows("$ echo never^C", "$ echo $?", "130", "$");
    await screen.type("\u0004");
    expect(await screen.ended()).toEqual({ kind: "exited", code: 0 });
    expect(screen.rows.at(-1)).toBe("exit");
  });

  it("gives the terminal back as it was, with what follows the line still to be read", async () => {
    const screen = await openShell();
    await screen.type("cat\nto cat\n");
    await screen.until("cat's answer", () => screen.rows.includes("to cat"));
    await screen.type("\u0004");
    await screen.endsWith("$");
    await screen.type("stty | head -n 1; stty -echo; echo now; read -r x; stty echo; echo [$x]\r");
    await screen.until("the echo's end", () => screen.rows.includes("now"));
    expect(screen.rows.some((row) => row.startsWith("speed"))).toBe(true);
    await screen.type("unseen\r");
    await screen.until("the answer", () => screen.rows.includes("[unseen]"));
    expect(screen.rows).not.toContain("unseen");
  });

  it("reads plain lines from a dumb terminal", async () => {
    const screen = await openShell({ env: { TERM: "dumb" } });
    await screen.type("echo plain\r");
    await screen.shows("$ echo plain", "plain", "$");
    expect(screen.sent).not.toContain("\u001b");
  });
});

describe("keys of one's own", () => {
  it("binds keys to functions, texts and commands", async () => {
    const screen = await openShell();
    await screen.type('bind \'"\\C-xq": "echo macro\\C-m"\' \'"\\C-xw": beginning-of-line\'\r');
    await screen.endsWith("$");
    await screen.type("\u0018q");
    await screen.until("the macro's answer", () => screen.rows.includes("macro"));
    await screen.type(`bind -x '"\\C-xe": READLINE_LINE="echo [$READLINE_LINE]"'\r`);
    await screen.endsWith("$");
    await screen.type("word\u0018e\u0018wx");
    await screen.until("the changed line", () => screen.rows.at(-1) === "$ xecho [word]");
  });

  it("records keys and types them again", async () => {
    const screen = await openShell();
    await screen.type("\u0018(ab \u0018)\u0018e\u001b2\u0018e");
    await screen.until("four times", () => screen.rows[0] === "$ ab ab ab ab");
  });

  it("reads the user's inputrc", async () => {
    const seed = [
      {
        path: "/home/user/.inputrc",
        kind: "file",
        mode: 0o644,
        uid: 1000,
        gid: 1000,
        content: new TextEncoder().encode('"\\C-xz": "from inputrc"\nset bell-style none\n'),
      },
    ] as const;
    const screen = await openShell({ machine: { seed } });
    await screen.type("\u0018z");
    await screen.shows("$ from inputrc");
  });
});
