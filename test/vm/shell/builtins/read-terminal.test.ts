import { afterEach, describe, expect, it } from "vitest";
import { ShellScreen } from "../../../support/shell-screen.ts";

const open: ShellScreen[] = [];

async function openShell(): Promise<ShellScreen> {
  const screen = await ShellScreen.open({ rows: 12, cols: 60 });
  open.push(screen);
  await screen.shows("$");
  return screen;
}

afterEach(async () => {
  for (const screen of open.splice(0)) await screen.close();
});

describe("read at a terminal", () => {
  it("shows nothing of what is typed with -s", async () => {
    const screen = await openShell();
    await screen.type("read -sp 'secret: ' x; echo; echo \"[$x]\"\r");
    await screen.endsWith("secret:");
    await screen.type("hidden\r");
    await screen.until("the answer", () => screen.rows.includes("[hidden]"));
    expect(screen.rows).not.toContain("secret: hidden");
    await screen.run("echo seen");
  });

  it("takes a key at once with -n, and a line by -d", async () => {
    const screen = await openShell();
    await screen.type('read -n 1 x; echo " [$x]"\r');
    await screen.until("the command", () => screen.cursor.row === 1);
    await screen.type("y");
    await screen.until("the answer", () => screen.rows.includes("y [y]"));
    await screen.type('read -d . x; echo " [$x]"\r');
    await screen.until("the command", () => screen.cursor.row === 3);
    await screen.type("ab.");
    await screen.until("the answer", () => screen.rows.includes("ab. [ab]"));
  });

  it("edits the line with -e, starting from -i", async () => {
    const screen = await openShell();
    await screen.type("read -e -p 'name: ' -i 'old text' x; echo \"[$x]\"\r");
    await screen.endsWith("name: old text");
    await screen.type("\u0001\u001bdnew\r");
    await screen.until("the answer", () => screen.rows.includes("[new text]"));
  });
});
