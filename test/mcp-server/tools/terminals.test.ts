// What an agent does at a terminal: it types, and reads the screen as text.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { built } from "../../support/built-vms.ts";
import { ToolBox } from "./tool-box.ts";

let box: ToolBox;
beforeAll(async () => {
  box = new ToolBox(new built.Vms({ poolSize: 1 }));
  await box.vms.create({ name: "one" });
});
afterAll(() => box.close());

interface Answer {
  readonly exec_id: string;
  readonly screen: string;
}

const start = async (command: string, input = {}): Promise<Answer> =>
  (await box.structured("vm_exec", { vm_id: "one", command, tty: true, ...input })) as Answer;
const go = async ({ exec_id }: Answer, input: object): Promise<Answer> =>
  (await box.structured("vm_exec_io", { vm_id: "one", exec_id, ...input })) as Answer;
const type = (at: Answer, stdin: string): Promise<Answer> => go(at, { stdin });

describe("an agent at a terminal", () => {
  it("drives node's REPL", async () => {
    const repl = await start("node");
    expect(repl).toEqual({
      status: "running",
      stdout: "",
      stderr: "",
      screen: expect.stringMatching(
        /^Welcome to Node\.js v[\d.]+\.\nType "\.help" for more information\.\n> $/,
      ),
      cursor: { row: 3, column: 3 },
      exec_id: repl.exec_id,
      truncated: false,
    });
    const [banner = "", help = ""] = repl.screen.split("\n");
    expect((await type(repl, "const a = [1, 2].map((x) => x * 21)\r")).screen).toBe(
      [banner, help, "> const a = [1, 2].map((x) => x * 21)", "undefined", "> "].join("\n"),
    );
    expect((await type(repl, "a[1]\r")).screen.split("\n").slice(-3)).toEqual([
      "> a[1]",
      "42",
      "> ",
    ]);
    // A silent computation is waited for.
    expect(
      (await type(repl, "let n = 0; for (let i = 0; i < 3e7; i++) n += i % 2; n\r")).screen
        .split("\n")
        .slice(-2),
    ).toEqual(["15000000", "> "]);
    expect(await type(repl, ".exit\r")).toMatchObject({ status: "exited", exit_code: 0 });
  });

  it("reads a file with less", async () => {
    await box.structured("vm_exec", { vm_id: "one", command: "seq 100 > numbers" });
    const rows = (from: number, to: number): string[] =>
      Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
    const less = await start("less numbers", { cols: 40, rows: 6 });
    expect(less).toMatchObject({
      status: "running",
      screen: [...rows(1, 5), "numbers"].join("\n"),
    });
    expect((await type(less, " ")).screen).toBe([...rows(6, 10), ":"].join("\n"));
    expect((await type(less, "/77\r")).screen).toBe([...rows(77, 81), ":"].join("\n"));
    expect((await go(less, { rows: 4 })).screen).toBe([...rows(77, 79), ":"].join("\n"));
    expect((await type(less, "G")).screen).toBe([...rows(98, 100), "(END)"].join("\n"));
    expect(await type(less, "q")).toMatchObject({ status: "exited", exit_code: 0 });
  });

  it("answers a prompt, and does not show what is typed in secret", async () => {
    const command =
      'read -p "Name: " name; read -sp "Password: " word; echo; read -p "Sure? [y/N] " yes; echo "$name ${#word} $yes"';
    const prompt = await start(command);
    expect(prompt).toMatchObject({ screen: "Name: ", cursor: { row: 1, column: 7 } });
    expect(await type(prompt, "Ada\r")).toMatchObject({
      screen: "Name: Ada\nPassword: ",
      cursor: { row: 2, column: 11 },
    });
    expect(await type(prompt, "secret\r")).toMatchObject({
      screen: "Name: Ada\nPassword: \nSure? [y/N] ",
    });
    expect(await type(prompt, "y\r")).toEqual({
      status: "exited",
      exit_code: 0,
      stdout: "",
      stderr: "",
      screen: "Name: Ada\nPassword: \nSure? [y/N] y\nAda 6 y",
      cursor: { row: 5, column: 1 },
      exec_id: prompt.exec_id,
      truncated: false,
      log_uri: `vm://one/exec/${prompt.exec_id}/stdout`,
    });
  });

  it("chooses from a menu", async () => {
    const menu = await start(
      "PS3='Which? '; select animal in cow 'blue whale' quit; do [ \"$animal\" = quit ] && break; echo \"$REPLY is ${animal:-nothing}\"; done",
    );
    const choices = ["1) cow", "2) blue whale", "3) quit"];
    expect(menu).toMatchObject({
      screen: [...choices, "Which? "].join("\n"),
      cursor: { row: 4, column: 8 },
    });
    const [second, ninth] = ["Which? 2\n2 is blue whale", "Which? 9\n9 is nothing"];
    expect((await type(menu, "2\r")).screen).toBe([...choices, second, "Which? "].join("\n"));
    expect((await type(menu, "9\r")).screen).toBe(
      [...choices, second, ninth, "Which? "].join("\n"),
    );
    // An empty line shows the menu again.
    expect((await type(menu, "\r")).screen).toBe(
      [...choices, second, ninth, "Which? ", ...choices, "Which? "].join("\n"),
    );
    expect(await type(menu, "3\r")).toMatchObject({ status: "exited", exit_code: 0 });
  });

  it("sees the size it asks for, and text for clients that show text", async () => {
    expect(await start("tput cols; tput lines; tty", { cols: 132, rows: 43 })).toMatchObject({
      status: "exited",
      screen: expect.stringMatching(/^132\n43\n\/dev\/pts\/\d+$/),
    });
    const texts = await box.texts("vm_exec", {
      vm_id: "one",
      command: "printf '\\e[2;3Hhere'",
      tty: true,
    });
    expect(texts[0]).toBe("\n  here\n[cursor in row 2, column 7]\n[exit code 0]");
  });

  it("interrupts with Ctrl-C, and goes on after it", async () => {
    const shell = await start("PS1='$ ' bash --norc -i");
    expect(shell.screen).toBe("$ ");
    expect(await go(shell, { stdin: "sleep 1000\r", yield_ms: 500 })).toMatchObject({
      status: "running",
    });
    expect((await type(shell, "\u0003")).screen).toBe("$ sleep 1000\n^C\n$ ");
    expect(await type(shell, "exit 4\r")).toMatchObject({ status: "exited", exit_code: 4 });
  });

  it("is answered what a program asks of its terminal", async () => {
    const command = "stty raw -echo; printf 'ab\\e[6n'; head -c 6 | od -An -c; stty sane";
    expect((await start(command)).screen).toContain("033   [   1   ;   3   R");
  });
});

describe("a screen", () => {
  it("takes counts that no screen has for nothing, and keeps the VM", async () => {
    const huge = "2147483647";
    const finals = ["b", "I", "Z", "L", "M", "S", "T"].map((final) => `\\e[${huge}${final}`);
    const command = `printf 'x${finals.join("")}'; printf '\\e[99\\n99999S'; echo end`;
    expect((await start(command)).screen).toMatch(/end$/);
  });

  it("keeps few marks of a character", async () => {
    const command =
      "printf 'e'; head -c 2000000 /dev/zero | tr '\\0' '\\314' | sed 's/./&\\o201/g'; echo end";
    const { screen } = await start(command);
    expect(screen).toMatch(/end$/);
    expect(screen.length).toBeLessThan(20_000);
  });

  it.each([
    [{ cols: 0, rows: 0 }, "0 and 0"],
    [{ cols: 10_000, rows: 10_000 }, "10000 and 10000"],
    [{ rows: 2.5 }, "80 and 2.5"],
  ])("is not of size %j", async (size, shown) => {
    const problem = `A terminal can have 2 to 500 columns and 1 to 200 rows, not ${shown}.`;
    await expect(start("true", size)).rejects.toThrow(problem);
    const cat = await start("cat");
    await expect(go(cat, size)).rejects.toThrow(problem);
    await go(cat, { signal: "KILL" });
  });

  it("is not there without a terminal", async () => {
    expect(await box.texts("vm_exec", { vm_id: "one", command: "true", cols: 80 })).toEqual([
      "cols and rows need a terminal. Add tty: true, or omit cols and rows.",
    ]);
    const plain = (await box.structured("vm_exec", {
      vm_id: "one",
      command: "cat",
      interactive: true,
      yield_ms: 0,
    })) as Answer;
    await expect(go(plain, { rows: 5 })).rejects.toThrow(
      `The command "${plain.exec_id}" has no terminal.`,
    );
    await go(plain, { close_stdin: true });
  });
});

describe("a terminal of the library", () => {
  it.each([
    [0, 0, "0 0\n"],
    [10_000, 10_000, "10000 10000\n"],
  ])("can be %i by %i, as on Linux", async (cols, rows, expected) => {
    const exec = await box.vms.get("one").spawn("stty size", { pty: { cols, rows } });
    await exec.wait();
    expect(
      Buffer.from(await exec.stdout.read(0, 100))
        .toString()
        .replaceAll("\r", ""),
    ).toBe(expected);
  });

  it.each([
    [-1, 5],
    [65_536, 5],
    [1.5, 5],
  ])("cannot be %d by %d", async (cols, rows) => {
    await expect(box.vms.get("one").spawn("true", { pty: { cols, rows } })).rejects.toThrow(
      `A terminal can have 0 to 65535 columns and 0 to 65535 rows, not ${cols} and ${rows}.`,
    );
  });
});
