import {
  decodeText,
  findSignalName,
  isKernelError,
  type Kernel,
  KernelError,
  type OpenFile,
  ProcessEnded,
  type Sys,
} from "../../kernel/index.ts";
import type { ExecWish, FromCell, StreamName } from "../wire/messages.ts";
import { credentialsOf } from "./acting.ts";
import { HostInput } from "./host-input.ts";
import { HostOutput, type OutputOrder } from "./host-output.ts";
import { TerminalBridge } from "./terminal-bridge.ts";

/** Where commands start when nothing else is said, see image/. */
const HOME = "/home/user";

export type SendToServer = (message: FromCell, body?: Uint8Array) => void;

interface Command {
  readonly pid: number;
  readonly input: HostInput | undefined;
  /** Those that something in the VM can still write to. */
  readonly outputs: Map<StreamName, HostOutput>;
  readonly terminal: TerminalBridge | undefined;
}

/** The commands the host has started in this VM, from their start to the end of their streams. */
export class Commands {
  readonly #kernel: Kernel;
  readonly #sys: Sys;
  readonly #send: SendToServer;
  readonly #commands = new Map<number, Command>();
  /** Commands whose first process has ended. */
  readonly #ended = new Set<number>();

  constructor(kernel: Kernel, send: SendToServer) {
    this.#kernel = kernel;
    this.#sys = kernel.sysOf(kernel.init);
    this.#send = send;
  }

  async start(wish: ExecWish, text: Uint8Array): Promise<{ pid: number }> {
    const { exec } = wish;
    const argv = wish.argv ?? ["bash", "-c", decodeText(text)];
    const path = wish.argv === undefined ? "/bin/bash" : await this.#find(argv[0] ?? "", wish);
    const command =
      wish.pty === undefined
        ? await this.#startPlain(exec, wish, path, argv)
        : await this.#startOnTerminal(exec, wish, path, argv);
    this.#commands.set(exec, command);
    this.#awaitEnd(exec, command);
    return { pid: command.pid };
  }

  push(exec: number, bytes: Uint8Array): void {
    const command = this.#commands.get(exec);
    if (command?.terminal !== undefined) command.terminal.push(bytes);
    else if (command?.input !== undefined) command.input.push(bytes);
    else this.#send({ type: "credit", exec, bytes: bytes.length });
  }

  addCredit(exec: number, stream: StreamName, bytes: number): void {
    const command = this.#commands.get(exec);
    command?.outputs.get(stream)?.addCredit(bytes);
    command?.terminal?.addCredit(bytes);
  }

  closeStdin(exec: number): void {
    const command = this.#commands.get(exec);
    command?.input?.end();
    command?.terminal?.end();
  }

  /**
   * Resolves once the command has read all of its input and looks for more, or will never read more. What
   * it has written by then is sent. A terminal is taken for one that always looks for input.
   */
  async awaitDemand(exec: number): Promise<void> {
    const command = this.#commands.get(exec);
    await command?.input?.demand();
    for (const output of command?.outputs.values() ?? []) output.flush();
  }

  async resize(exec: number, cols: number, rows: number): Promise<void> {
    await this.#commands.get(exec)?.terminal?.resize({ cols, rows });
  }

  /** ESRCH when the command has ended. */
  async signal(exec: number, signal: number): Promise<void> {
    const command = this.#commands.get(exec);
    if (command === undefined) throw new KernelError("ESRCH");
    if (findSignalName(signal) === undefined) throw new KernelError("EINVAL", String(signal));
    await this.#sys.kill(this.#foregroundOf(command), signal);
  }

  /** On a terminal the foreground group, as Ctrl-C would; else the command's own group. */
  #foregroundOf({ pid, terminal }: Command): number {
    const leader = this.#kernel.processes.find(pid);
    const foreground =
      terminal === undefined ? undefined : leader?.session.terminal?.foregroundPgid;
    return -(foreground !== undefined && foreground > 0 ? foreground : pid);
  }

  async #startPlain(
    exec: number,
    wish: ExecWish,
    path: string,
    argv: readonly string[],
  ): Promise<Command> {
    const kernel = this.#kernel;
    const nowMs = kernel.host.now();
    const order: OutputOrder = { holder: undefined };
    const makeOutput = (stream: StreamName): HostOutput =>
      new HostOutput({
        ino: kernel.nextAnonymousIno(),
        nowMs,
        send: (bytes) => this.#send({ type: "output", exec, stream }, bytes),
        later: (flush) => setImmediate(flush),
        order,
        released: () => this.#released(exec, stream),
      });
    const stdout = makeOutput("stdout");
    const stderr = makeOutput("stderr");
    const credit = (bytes: number): void => this.#send({ type: "credit", exec, bytes });
    const input = new HostInput({ ino: kernel.nextAnonymousIno(), nowMs, credit });
    if (!wish.hasStdin) input.end();
    const pid = await this.#spawn(wish, path, argv, [input, stdout, stderr]);
    return {
      pid,
      input,
      outputs: new Map([
        ["stdout", stdout],
        ["stderr", stderr],
      ]),
      terminal: undefined,
    };
  }

  async #startOnTerminal(
    exec: number,
    wish: ExecWish,
    path: string,
    argv: readonly string[],
  ): Promise<Command> {
    const { pty = { cols: 80, rows: 24 }, as } = wish;
    const terminal = new TerminalBridge(this.#kernel, credentialsOf(as), pty, {
      output: (bytes) => this.#send({ type: "output", exec, stream: "stdout" }, bytes),
      credit: (bytes) => this.#send({ type: "credit", exec, bytes }),
    });
    try {
      const { slave } = terminal;
      const pid = await this.#spawn(wish, path, argv, [slave, slave, slave]);
      const child = this.#kernel.processes.find(pid);
      if (child !== undefined) this.#kernel.ptys.adopt(slave, child);
      terminal.dropSlave();
      return { pid, input: undefined, outputs: new Map(), terminal };
    } catch (error) {
      terminal.close();
      throw error;
    }
  }

  async #spawn(
    wish: ExecWish,
    path: string,
    argv: readonly string[],
    files: readonly OpenFile[],
  ): Promise<number> {
    const { init } = this.#kernel;
    const held = files.map((file) => init.fds.add(file));
    try {
      return await this.#sys.spawn({
        path,
        argv,
        env: this.#environment(wish),
        cwd: wish.cwd ?? HOME,
        fds: held.map((from, fd) => ({ fd, from })),
        isSessionLeader: true,
        credentials: credentialsOf(wish.as),
      });
    } finally {
      for (const fd of held) init.fds.close(fd);
    }
  }

  #environment({ env = {}, as, cwd, pty }: ExecWish): Map<string, string> {
    const merged = new Map(this.#kernel.init.env);
    if (as === "root") {
      merged.set("HOME", "/root");
      merged.set("USER", "root");
      merged.set("LOGNAME", "root");
    }
    // As POSIX has it: a path without detours. Else the shell finds out where it is.
    if (isPlain(cwd ?? HOME)) merged.set("PWD", cwd ?? HOME);
    else merged.delete("PWD");
    if (pty !== undefined) merged.set("TERM", "xterm-256color");
    for (const [name, value] of Object.entries(env)) merged.set(name, value);
    return merged;
  }

  /** What execvp(3) would run. ENOENT when no directory of PATH has it. */
  async #find(name: string, wish: ExecWish): Promise<string> {
    if (name.includes("/")) return name;
    const path = this.#environment(wish).get("PATH") ?? "/usr/bin:/bin";
    for (const directory of path.split(":")) {
      const candidate = `${directory === "" ? "." : directory}/${name}`;
      try {
        const { kind, mode } = await this.#sys.stat(candidate);
        if (kind === "file" && (mode & 0o111) !== 0) return candidate;
      } catch (error) {
        if (!isKernelError(error)) throw error;
      }
    }
    throw new KernelError("ENOENT", name, "no such command in PATH");
  }

  #awaitEnd(exec: number, command: Command): void {
    this.#finish(exec, command).catch((cause: unknown) => {
      if (cause instanceof ProcessEnded) return;
      this.#kernel.host.log({ level: "bug", message: `lost command ${exec}`, cause });
    });
  }

  async #finish(exec: number, { pid, outputs, terminal }: Command): Promise<void> {
    const waited = await this.#sys.wait({ pid });
    for (const output of outputs.values()) output.flush();
    await terminal?.drain();
    if (waited !== undefined) this.#send({ type: "exit", exec, status: waited.status });
    terminal?.close();
    this.#ended.add(exec);
    this.#forget(exec);
  }

  #released(exec: number, stream: StreamName): void {
    this.#commands.get(exec)?.outputs.delete(stream);
    this.#forget(exec);
  }

  /** Background processes may still write: a command is kept until the last of them has closed. */
  #forget(exec: number): void {
    if (!this.#ended.has(exec) || (this.#commands.get(exec)?.outputs.size ?? 0) > 0) return;
    this.#commands.delete(exec);
    this.#ended.delete(exec);
  }
}

function isPlain(path: string): boolean {
  if (path === "/") return true;
  const [first, ...names] = path.split("/");
  return first === "" && names.every((name) => name !== "" && name !== "." && name !== "..");
}
