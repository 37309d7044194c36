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
import type { Stream, StreamTable } from "../../streams/index.ts";
import type { CommandStatus, ExecRequest, PtyRequest, ScreenView } from "../wire/messages.ts";
import { credentialsOf } from "./acting.ts";
import { CommandInput } from "./command-input.ts";
import { CommandOutput } from "./command-output.ts";
import { TerminalBridge } from "./terminal-bridge.ts";

/** Where commands start when nothing else is said, see image/. */
const HOME = "/home/user";
/** More than Linux's pipes have: fewer, larger pieces on the wire. */
const PIPE_BYTES = 1 << 18;

const DEFAULT_PTY: PtyRequest = { cols: 80, rows: 24 };

interface Command {
  readonly pid: number;
  readonly terminal: TerminalBridge | undefined;
  /** As Commands.awaitDemand. */
  readonly awaitDemand: () => Promise<void>;
  /** Sends how it ended. */
  readonly finish: (status: CommandStatus) => void | Promise<void>;
}

/** The commands the host has started in this VM, by their streams, until their first processes have ended. */
export class Commands {
  readonly #kernel: Kernel;
  readonly #sys: Sys;
  readonly #streams: StreamTable;
  readonly #commands = new Map<number, Command>();

  constructor(kernel: Kernel, streams: StreamTable) {
    this.#kernel = kernel;
    this.#sys = kernel.sysOf(kernel.init);
    this.#streams = streams;
  }

  async start(request: ExecRequest, text: Uint8Array): Promise<{ pid: number }> {
    const stream = this.#streams.accept(request.stream, {
      hasNoInput: request.hasNoStdin === true,
    });
    try {
      const argv = request.argv ?? ["bash", "-c", decodeText(text)];
      const path =
        request.argv === undefined ? "/bin/bash" : await this.#find(argv[0] ?? "", request);
      const what = { path, argv };
      const command =
        request.pty === undefined
          ? await this.#startPlain(stream, request, what)
          : await this.#startOnTerminal(stream, request, what);
      this.#commands.set(stream.id, command);
      this.#awaitEnd(stream.id, command, request.cwd ?? HOME);
      return { pid: command.pid };
    } catch (error) {
      stream.close();
      throw error;
    }
  }

  /**
   * Resolves once the command has read all of its input and looks for more, or will never read more. What
   * it has written by then is sent.
   */
  async awaitDemand(stream: number): Promise<void> {
    await this.#commands.get(stream)?.awaitDemand();
  }

  async resize(stream: number, cols: number, rows: number): Promise<void> {
    await this.#commands.get(stream)?.terminal?.resize({ cols, rows });
  }

  /** As when the window of a terminal is closed; a command without a terminal, or that has ended, is left as it is. */
  hangUp(stream: number): void {
    this.#commands.get(stream)?.terminal?.hangUp();
  }

  /** What its terminal shows, all that it has written by now. Undefined where none is kept. */
  async screen(stream: number): Promise<ScreenView | undefined> {
    return await this.#commands.get(stream)?.terminal?.view();
  }

  /** ESRCH when the command has ended. */
  async signal(stream: number, signal: number): Promise<void> {
    const command = this.#commands.get(stream);
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

  async #startPlain(stream: Stream, request: ExecRequest, what: Executable): Promise<Command> {
    const kernel = this.#kernel;
    const owner = credentialsOf(request.as);
    const parts = { nowMs: kernel.host.now(), capacityBytes: PIPE_BYTES, owner };
    const nextIno = (): number => kernel.nextAnonymousIno();
    const input = new CommandInput(stream.incoming, { ino: nextIno(), ...parts });
    const output = new CommandOutput(stream.outgoing, {
      nextIno,
      ...parts,
      later: (flush) => setImmediate(flush),
    });
    // What the host sent with the request is in the pipe before the command looks.
    if (request.hasNoStdin !== true) await Promise.resolve();
    const pid = await this.#spawn(request, what, [input.file, ...output.files]);
    const awaitDemand = async (): Promise<void> => {
      await input.demand();
      output.flush();
    };
    const finish = (status: CommandStatus): void => output.sendStatus(status);
    return { pid, terminal: undefined, awaitDemand, finish };
  }

  async #startOnTerminal(stream: Stream, request: ExecRequest, what: Executable): Promise<Command> {
    const { pty = DEFAULT_PTY, as } = request;
    const terminal = new TerminalBridge(this.#kernel, credentialsOf(as), pty, stream);
    try {
      if (pty.hasScreen === true) await terminal.keepScreen();
      const { slave } = terminal;
      const pid = await this.#spawn(request, what, [slave, slave, slave]);
      const child = this.#kernel.processes.find(pid);
      if (child !== undefined) this.#kernel.ptys.adopt(slave, child);
      terminal.dropSlave();
      const finish = (status: CommandStatus): Promise<void> => terminal.finish(status);
      return { pid, terminal, awaitDemand: () => terminal.awaitDemand(), finish };
    } catch (error) {
      terminal.close();
      throw error;
    }
  }

  async #spawn(
    request: ExecRequest,
    { path, argv }: Executable,
    files: readonly OpenFile[],
  ): Promise<number> {
    const { init } = this.#kernel;
    const held = files.map((file) => init.fds.add(file, true));
    try {
      return await this.#sys.spawn({
        path,
        argv,
        env: this.#environment(request),
        cwd: request.cwd ?? HOME,
        fds: held.map((from, fd) => ({ fd, from })),
        isSessionLeader: true,
        credentials: credentialsOf(request.as),
      });
    } finally {
      for (const fd of held) init.fds.close(fd);
    }
  }

  #environment({ env = {}, as, cwd, pty }: ExecRequest): Map<string, string> {
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
  async #find(name: string, request: ExecRequest): Promise<string> {
    if (name.includes("/")) return name;
    const path = this.#environment(request).get("PATH") ?? "/usr/bin:/bin";
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

  #awaitEnd(stream: number, command: Command, start: string): void {
    this.#finish(stream, command, start).catch((cause: unknown) => {
      if (cause instanceof ProcessEnded) return;
      this.#kernel.host.log({ level: "bug", message: `lost command ${stream}`, cause });
    });
  }

  async #finish(stream: number, { pid, finish }: Command, start: string): Promise<void> {
    const process = this.#kernel.processes.find(pid);
    const waited = await this.#sys.wait({ pid });
    const cwd = process?.cwd.path;
    const moved = cwd === undefined || cwd === start ? {} : { cwd };
    if (waited !== undefined) await finish({ ...waited.status, ...moved });
    this.#commands.delete(stream);
  }
}

interface Executable {
  readonly path: string;
  readonly argv: readonly string[];
}

function isPlain(path: string): boolean {
  if (path === "/") return true;
  const [first, ...names] = path.split("/");
  return first === "" && names.every((name) => name !== "" && name !== "." && name !== "..");
}
