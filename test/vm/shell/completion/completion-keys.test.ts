import { afterEach, describe, expect, it } from "vitest";
import { ShellScreen, type ShellScreenOptions } from "../../../support/shell-screen.ts";

const open: ShellScreen[] = [];
/** So that a command stays on one row. */
const wide = { cols: 200 };

async function openShell(options: ShellScreenOptions = {}): Promise<ShellScreen> {
  const screen = await ShellScreen.open({ rows: 14, cols: 40, ...options });
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

describe("TAB", () => {
  it("completes commands: programs, builtins, functions, aliases and keywords", async () => {
    const screen = await openAfter("zzfunction() { :; }; alias zzalias=:");
    await screen.type("whoa\t");
    await screen.shows("$ whoami");
    expect(screen.cursor.column).toBe(9);
    await screen.type("\u0015zzf\t\u0001\u000bsudo whoa\t");
    await screen.shows("$ sudo whoami");
    await screen.type("\u0015zz\t\t");
    await screen.shows("$ zz", "zzalias     zzfunction", "$ zz");
    await screen.type("a\t; whil\t");
    await screen.endsWith("$ zzalias ; while");
  });

  it("completes paths: a slash behind directories, quotes where needed, ~ as it is", async () => {
    const screen = await openAfter("mkdir -p 'My Files/sub'; touch 'My Files/a b' one.txt");
    await screen.type("ls My\t");
    await screen.shows("$ ls My\\ Files/");
    await screen.type("a\t");
    await screen.shows("$ ls My\\ Files/a\\ b");
    await screen.type('\u0015ls "My\ts\t');
    await screen.shows('$ ls "My Files/sub/');
    await screen.type("\u0015cat < on\t");
    await screen.shows("$ cat < one.txt");
    await screen.type("\u0015ls ~/on\t");
    await screen.shows("$ ls ~/one.txt");
    await screen.type("\u0015ls ~ro\t");
    await screen.shows("$ ls ~root/");
    await screen.type("\u0015cd \t");
    await screen.shows("$ cd My\\ Files/");
  });

  it("completes variables", async () => {
    const screen = await openAfter("ZZ_LONG=1");
    await screen.type("echo $ZZ_\t\u007f${ZZ\t");
    await screen.shows("$ echo $ZZ_LONG${ZZ_LONG}");
    await screen.type('\u0015echo "$ZZ\tx"\r');
    await screen.until("a line", () => screen.rows[0] === '$ echo "$ZZ_LONGx"');
  });

  it("completes as far as all matches agree, then lists them in columns", async () => {
    const screen = await openAfter("touch file-{one,two,three,four,five,six}.txt");
    await screen.type("cat f\t");
    await screen.shows("$ cat file-");
    await screen.type("\t\t");
    await screen.shows(
      "$ cat file-",
      "file-five.txt   file-six.txt",
      "file-four.txt   file-three.txt",
      "file-one.txt    file-two.txt",
      "$ cat file-",
    );
    await screen.type("o\t");
    await screen.endsWith("$ cat file-one.txt");
    await screen.type("\u0015cat f\u001b*");
    await screen.endsWith("two.txt");
  });

  it("asks before it shows very many, and shows them page by page", async () => {
    const screen = await openAfter("mkdir many; touch many/{001..120}");
    await screen.type("ls many/\t\t");
    await screen.endsWith("Display all 120 possibilities? (y or n)");
    await screen.type("n");
    await screen.endsWith("$ ls many/");
    await screen.type("\t");
    await screen.endsWith("Display all 120 possibilities? (y or n)");
    await screen.type("y");
    await screen.endsWith("--More--");
    await screen.type(" ");
    await screen.endsWith("$ ls many/");
    expect(screen.rows).toContain("015  030  045  060  075  090  105  120");
  });

  it("asks the functions, words and commands of complete", async () => {
    const screen = await openAfter(
      '_f() { COMPREPLY=("${COMP_WORDS[COMP_CWORD]}-$COMP_CWORD"); }',
      "complete -F _f tool; complete -W 'start stop' srv",
      "_n() { compopt -o nospace; COMPREPLY=(--key=); }; complete -F _n opt",
    );
    await screen.type("tool a b\t");
    await screen.shows("$ tool a b-2");
    await screen.type("\u0015srv sta\t");
    await screen.shows("$ srv start");
    await screen.type("\u0015opt \tv");
    await screen.shows("$ opt --key=v");
  });

  it("loads completions when they are first wanted (status 124)", async () => {
    const screen = await openAfter(
      "_load() { complete -W loaded $1; return 124; }; complete -D -F _load",
    );
    await screen.type("anything l\t");
    await screen.shows("$ anything loaded");
  });

  it("turns through the matches when it is bound to menu-complete", async () => {
    const screen = await openAfter("touch aa ab ac; bind 'TAB: menu-complete'");
    await screen.type("ls a\t");
    await screen.shows("$ ls aa");
    await screen.type("\t");
    await screen.shows("$ ls ab");
    await screen.type("\t\t");
    await screen.shows("$ ls aa");
  });
});
