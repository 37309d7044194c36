import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { InstalledServer } from "../../e2e/installed-server.ts";
import { eventually } from "../../support/eventually.ts";
import { unless } from "../../support/unless.ts";

const noTmux = spawnSync("tmux", ["-V"]).status === 0 ? undefined : "needs tmux";

/** `agentos-mcp shell` in a window of a real tmux, with a server of its own. */
class Tmux {
  readonly #socket: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(server: InstalledServer) {
    const { command, args, env, cwd } = server.command;
    this.#socket = join(server.home.directory, "tmux");
    this.#env = { ...process.env, ...env };
    const script = `'${command}' '${args[0]}' shell work; echo "status $?"; cat`;
    const size = ["-x", "60", "-y", "15"];
    this.#run(["-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, script]);
  }

  #run(words: readonly string[]): string {
    const options = { env: this.#env, encoding: "utf8" } as const;
    return spawnSync("tmux", ["-S", this.#socket, ...words], options).stdout;
  }

  /** Keys by tmux's names: `C-a`, `Up`, `Enter`. */
  press(...keys: readonly string[]): void {
    this.#run(["send-keys", ...keys]);
  }

  type(text: string): void {
    this.#run(["send-keys", "-l", text]);
  }

  resize(columns: number): void {
    this.#run(["resize-window", "-x", String(columns), "-y", "15"]);
  }

  get rows(): string[] {
    const rows = this.#run(["capture-pane", "-p"]).split("\n");
    return rows.map((row) => row.trimEnd()).filter((row) => row !== "");
  }

  async shows(...rows: readonly string[]): Promise<void> {
    await eventually(`tmux shows ${JSON.stringify(rows)}`, () =>
      rows.every((row) => this.rows.includes(row)),
    );
  }

  end(): void {
    this.#run(["kill-server"]);
  }
}

describe("agentos-mcp shell in tmux", unless(noTmux), () => {
  let server: InstalledServer;
  let tmux: Tmux;
  beforeAll(async () => {
    server = InstalledServer.install();
    tmux = new Tmux(server);
  });
  afterAll(async () => {
    tmux.end();
    await server.remove();
  });

  it("edits, completes, searches, interrupts and resizes", async () => {
    await tmux.shows("user@work:~$");
    tmux.type("echo world");
    tmux.press("C-a", "M-f");
    tmux.type(" hello");
    tmux.press("Enter");
    await tmux.shows("user@work:~$ echo hello world", "hello world");
    tmux.type("whoa");
    tmux.press("Tab", "Enter");
    await tmux.shows("user@work:~$ whoami", "user");
    tmux.press("C-l", "C-r");
    tmux.type("hel");
    await tmux.shows("(reverse-i-search)`hel': echo hello world");
    tmux.press("C-g");
    tmux.type("sleep 100 | cat");
    tmux.press("Enter");
    await tmux.shows("user@work:~$ sleep 100 | cat");
    tmux.press("C-c");
    await tmux.shows("^C");
    tmux.type(`echo ${"0123456789".repeat(5)}`);
    await tmux.shows("user@work:~$ echo 012345678901234567890123456789012345678901", "23456789");
    tmux.resize(40);
    tmux.press("C-u");
    tmux.type("echo $COLUMNS; exit 3");
    tmux.press("Enter");
    await tmux.shows("40", "exit", "status 3");
    expect(tmux.rows.at(-1)).toBe("status 3");
  });
});
