// A VM by way of `agentos-mcp shell` on a terminal: commands are typed, and what the screen gets is read.
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { commandLine, destroyVm } from "./exec-vm.ts";
import type { PeerVm } from "./peer-protocol.ts";
import { onTerminal } from "./run-child.ts";

/** Typed in two parts, so that the echo of what is typed is not taken for them. */
const BEGIN = "begin\r\n";
const END = /end(\d+)\r\n/;
/** More than the longest end. */
const RECENT_BYTES = 256;
const KEPT_BYTES = 64 * 1024;

interface Shown {
  readonly bytes: number;
  /** The first of them. */
  readonly text: string;
  readonly exitCode: number;
}

export class ShellVm implements PeerVm {
  readonly #id: string;
  readonly #terminal: ChildProcessByStdio<Writable, Readable, null>;

  private constructor(id: string) {
    const { file, args } = onTerminal(commandLine("shell", id));
    this.#id = id;
    this.#terminal = spawn(file, args, { stdio: ["pipe", "pipe", "ignore"] });
  }

  /** Resolves once the shell has shown its first prompt. */
  static async open(id: string): Promise<ShellVm> {
    const vm = new ShellVm(id);
    await once(vm.#terminal.stdout, "data");
    return vm;
  }

  async exec(command: string): Promise<{ stdout: string; exitCode: number }> {
    const { text, exitCode } = await this.#type(command);
    return { stdout: text.replaceAll("\r\n", "\n"), exitCode };
  }

  async terminalOutput(command: string): Promise<number> {
    return (await this.#type(command)).bytes;
  }

  async write(path: string, text: string): Promise<void> {
    await this.#type(`printf %s '${text}' > '${path}'`);
  }

  async destroy(): Promise<void> {
    if (this.#terminal.exitCode === null) {
      const ended = once(this.#terminal, "close");
      this.#terminal.stdin.end("exit\r");
      await ended;
    }
    await destroyVm(this.#id);
  }

  async #type(command: string): Promise<Shown> {
    const { promise, resolve, reject } = Promise.withResolvers<Shown>();
    const screen = new Screen(resolve);
    const take = (part: Buffer): void => screen.take(part);
    const close = (): void => reject(new Error(`the shell ended: ${screen.lastWords}`));
    this.#terminal.stdout.on("data", take).once("close", close);
    this.#terminal.stdin.write(`echo be''gin; ${command}; echo en''d$?\r`);
    try {
      return await promise;
    } finally {
      this.#terminal.stdout.off("data", take).off("close", close);
    }
  }
}

/** What is shown of one command, between the two marks. */
class Screen {
  text = "";
  readonly #done: (shown: Shown) => void;
  #hasBegun = false;
  #bytes = 0;
  #recent = "";

  constructor(done: (shown: Shown) => void) {
    this.#done = done;
  }

  /** What it said at last, without the bytes of a stream before it. */
  get lastWords(): string {
    return this.#recent.slice(-200).replaceAll("\0", "").trim();
  }

  take(part: Buffer): void {
    if (this.#hasBegun) return this.#count(part.toString("latin1"));
    this.text += part.toString("latin1");
    const at = this.text.indexOf(BEGIN);
    if (at === -1) return undefined;
    this.#hasBegun = true;
    const rest = this.text.slice(at + BEGIN.length);
    this.text = "";
    return this.#count(rest);
  }

  #count(part: string): void {
    const before = this.#bytes - this.#recent.length;
    this.#recent += part;
    if (this.text.length < KEPT_BYTES) this.text += part;
    this.#bytes += part.length;
    const end = END.exec(this.#recent);
    this.#recent = this.#recent.slice(-RECENT_BYTES);
    if (end === null) return;
    const bytes = before + end.index;
    this.#done({ bytes, text: this.text.slice(0, bytes), exitCode: Number(end[1]) });
  }
}
