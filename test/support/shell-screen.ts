import xterm from "@xterm/headless";
import {
  encodeText,
  isKernelError,
  makeCredentials,
  POLLIN,
  type Sys,
  type WaitStatus,
} from "../../src/kernel/index.ts";
import { defaultEnvironment } from "../../src/vm/image/image.ts";
import { boot, type MachineOptions } from "./boot.ts";

/** How long anything may take to appear. */
const LIMIT_MS = 10_000;

export interface ShellScreenOptions {
  readonly rows?: number;
  readonly cols?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly argv?: readonly string[];
  readonly machine?: MachineOptions;
}

/** A shell on a terminal of its own, and the screen a user would see, by a real terminal emulator. */
export class ShellScreen {
  readonly sys: Sys;
  readonly #terminal: InstanceType<typeof xterm.Terminal>;
  readonly #master: number;
  readonly #pid: number;
  /** Everything the shell has sent. */
  sent = "";
  #changed: (() => void) | undefined;
  /** Written to, it ends the pump. */
  #stop: number | undefined;

  private constructor(sys: Sys, master: number, pid: number, size: { rows: number; cols: number }) {
    this.sys = sys;
    this.#master = master;
    this.#pid = pid;
    this.#terminal = new xterm.Terminal({ ...size, allowProposedApi: true, scrollback: 500 });
  }

  static async open(options: ShellScreenOptions = {}): Promise<ShellScreen> {
    const { rows = 24, cols = 80, argv = ["bash", "--norc", "-i"] } = options;
    const machine = await boot(options.machine);
    const sys = machine.kernel.sysOf(machine.kernel.enterAs(makeCredentials(1000, 1000)));
    const { master, slave } = await sys.openpty({ rows, cols });
    const env = new Map([
      ...defaultEnvironment,
      ["PS1", "$ "],
      ["TERM", "xterm-256color"],
      ...Object.entries(options.env ?? {}),
    ]);
    const pid = await sys.clone(
      async (child) => {
        await child.setsid();
        await child.ioctl(slave, { request: "TIOCSCTTY" });
        for (const fd of [0, 1, 2]) await child.dup2(slave, fd);
        for (const fd of [master, slave]) if (fd > 2) await child.close(fd);
        await child.chdir("/home/user");
        return child.exec({ path: "/bin/bash", argv, env });
      },
      { fds: [] },
    );
    await sys.close(slave);
    const screen = new ShellScreen(sys, master, pid, { rows, cols });
    screen.#pumping = screen.#pump();
    return screen;
  }

  #pumping: Promise<void> = Promise.resolve();

  /** Shows what comes until the shell is gone or the screen is closed. */
  async #pump(): Promise<void> {
    const buffer = new Uint8Array(4096);
    const [stopped, stop] = await this.sys.pipe();
    this.#stop = stop;
    try {
      for (;;) {
        const requests = [this.#master, stopped].map((fd) => ({ fd, events: POLLIN }));
        const [, isStopped = 0] = await this.sys.poll(requests);
        if (isStopped !== 0) break;
        const count = await this.sys.read(this.#master, buffer);
        this.sent += new TextDecoder().decode(buffer.slice(0, count));
        await new Promise<void>((resolve) => {
          this.#terminal.write(buffer.slice(0, count), resolve);
        });
        this.#changed?.();
      }
    } catch (error) {
      if (!isKernelError(error, "EIO")) throw error;
    }
    await this.sys.close(this.#master);
  }

  async type(keys: string): Promise<void> {
    await this.sys.write(this.#master, encodeText(keys));
  }

  async resize(cols: number, rows: number): Promise<void> {
    this.#terminal.resize(cols, rows);
    await this.sys.ioctl(this.#master, { request: "TIOCSWINSZ", size: { rows, cols } });
  }

  /** The rows of the screen, without blanks at their ends and empty rows at the end. */
  get rows(): string[] {
    const { buffer, rows } = this.#terminal;
    const { active } = buffer;
    const texts: string[] = [];
    for (let at = 0; at < rows; at++)
      texts.push(
        active
          .getLine(active.baseY + at)
          ?.translateToString(true)
          .trimEnd() ?? "",
      );
    while (texts.at(-1) === "") texts.pop();
    return texts;
  }

  get cursor(): { readonly row: number; readonly column: number } {
    const { cursorX, cursorY } = this.#terminal.buffer.active;
    return { row: cursorY, column: cursorX };
  }

  /** Resolves when the rows are exactly these; fails with what they are instead. */
  async shows(...wanted: readonly string[]): Promise<void> {
    await this.until(`the rows ${JSON.stringify(wanted)}`, () => sameRows(this.rows, wanted));
  }

  /** Resolves when the last row is this one. */
  async endsWith(wanted: string): Promise<void> {
    await this.until(
      `the last row ${JSON.stringify(wanted)}`,
      () => this.rows.at(-1) === wanted.trimEnd(),
    );
  }

  /** Types a command at the prompt `$` and waits for the prompt behind its output. */
  async run(command: string): Promise<void> {
    await this.type(`${command}\r`);
    await this.until(`the end of ${command}`, () => {
      const at = this.rows.lastIndexOf(`$ ${command}`);
      return at !== -1 && at < this.rows.length - 1 && this.rows.at(-1) === "$";
    });
  }

  /** An empty screen with nothing but the prompt. */
  async clear(): Promise<void> {
    await this.type("\u000c");
    await this.shows("$");
  }

  async until(what: string, isTrue: () => boolean): Promise<void> {
    const end = performance.now() + LIMIT_MS;
    while (!isTrue()) {
      const left = end - performance.now();
      if (left <= 0)
        throw new Error(`no ${what} on the screen, which shows ${JSON.stringify(this.rows)}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** How the shell ended. */
  async ended(): Promise<WaitStatus | undefined> {
    const waited = await this.sys.wait({ pid: this.#pid });
    await this.#pumping;
    return waited?.status;
  }

  /** The terminal is gone: whatever still uses it is told so. */
  async close(): Promise<void> {
    if (this.#stop !== undefined) await this.sys.write(this.#stop, Uint8Array.of(0));
    await this.#pumping;
    this.#terminal.dispose();
  }
}

function sameRows(rows: readonly string[], wanted: readonly string[]): boolean {
  return rows.length === wanted.length && rows.every((row, at) => row === wanted[at]?.trimEnd());
}
