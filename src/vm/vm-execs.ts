import type { CellClient } from "./broker/cell-client.ts";
import { Exec } from "./exec.ts";
import type { SpawnOptions } from "./exec-options.ts";
import { HostError } from "./host-error.ts";
import { type DiskSpace, LogSpace } from "./log-space.ts";
import { OutputLog } from "./output-log.ts";
import { Slots } from "./slots.ts";
import { checkTerminalSize } from "./terminal-size.ts";
import type { StreamName } from "./wire/messages.ts";

/** The longest command that can be given; it must fit one message. */
const COMMAND_LIMIT_BYTES = 1_000_000;
/** Commands that run at once, and ended ones that are kept. */
const RUNNING_LIMIT = 64;
const ENDED_KEPT = 256;
/** Disk that the logs of one VM may take. */
const LOGS_LIMIT_BYTES = 1024 * 1024 * 1024;

interface VmExecsParts {
  readonly vm: string;
  /** The log of one stream of one command. */
  readonly logPath: (exec: string, stream: StreamName) => string;
  /** Disk for the logs of all VMs. */
  readonly logSpace: DiskSpace;
  readonly log: (line: string) => void;
  readonly ended: (exec: Exec) => void;
}

/** The commands the host has started in one VM: those that run, and the newest that have ended. */
export class VmExecs {
  readonly #parts: VmExecsParts;
  readonly #execs = new Map<number, Exec>();
  /** Those that have ended, the first to end first. */
  readonly #ended = new Map<number, Exec>();
  readonly #space: LogSpace;
  readonly #slots: Slots;
  #last = 0;

  constructor(parts: VmExecsParts) {
    this.#parts = parts;
    this.#slots = new Slots({
      count: RUNNING_LIMIT,
      refuse: (facts) => new HostError("EXEC_LIMIT", { vm: parts.vm, ...facts }),
    });
    this.#space = new LogSpace(LOGS_LIMIT_BYTES, {
      parent: parts.logSpace,
      makeRoom: () => this.#giveUpLog(),
      name: "the logs of a VM",
    });
  }

  list(): Exec[] {
    return [...this.#execs.values()];
  }

  find(id: string): Exec | undefined {
    return /^[1-9]\d*$/.test(id) ? this.#execs.get(Number(id)) : undefined;
  }

  /** The running command whose session this is. */
  findSession(sid: number): Exec | undefined {
    return this.list().find(({ pid, isRunning }) => isRunning && pid === sid);
  }

  /** Waits for its turn. COMMAND_TOO_LONG, TERMINAL_SIZE, EXEC_LIMIT; else as the cell's `exec` fails. */
  async start(
    cell: CellClient,
    command: string | readonly string[],
    options: SpawnOptions,
  ): Promise<Exec> {
    const text = typeof command === "string" ? new TextEncoder().encode(command) : undefined;
    const bytes = text?.length ?? 0;
    if (bytes > COMMAND_LIMIT_BYTES) {
      throw new HostError("COMMAND_TOO_LONG", { bytes, limit: COMMAND_LIMIT_BYTES });
    }
    if (options.pty !== undefined) checkTerminalSize(options.pty);
    await this.#slots.take();
    this.#last += 1;
    const number = this.#last;
    const exec = this.#make(number, cell, command, options);
    // Known before the cell is asked: its first output may come with its answer.
    this.#execs.set(number, exec);
    try {
      await exec.start(requestOf(command, options), text, options.onAsked);
    } catch (error) {
      this.#execs.delete(number);
      this.#slots.free();
      throw error;
    }
    this.#accompany(number, exec, cell);
    const { timeoutMs } = options;
    if (timeoutMs !== undefined)
      exec.limitTime(timeoutMs, (error) => this.#parts.log(String(error)));
    return exec;
  }

  /** The VM is gone; what the commands wrote stays readable. */
  loseAll(loss: HostError): void {
    this.#slots.refuseAll(loss);
    for (const exec of this.#execs.values()) exec.lose(loss);
  }

  async discardAll(): Promise<void> {
    for (const exec of this.#execs.values()) await exec.discard();
    this.#execs.clear();
    this.#ended.clear();
  }

  #make(
    number: number,
    cell: CellClient,
    command: string | readonly string[],
    options: SpawnOptions,
  ): Exec {
    const id = String(number);
    const exec = new Exec({
      id,
      cell,
      command: options.title ?? (typeof command === "string" ? command : command.join(" ")),
      hasStdin: options.hasStdin ?? true,
      pty: options.pty,
      stdout: new OutputLog(this.#parts.logPath(id, "stdout"), this.#space),
      stderr: new OutputLog(this.#parts.logPath(id, "stderr"), this.#space),
      log: this.#parts.log,
    });
    if (options.onOutput !== undefined) exec.onOutput(options.onOutput);
    return exec;
  }

  #accompany(number: number, exec: Exec, cell: CellClient): void {
    cell.setRunning(cell.running + 1);
    exec
      .wait()
      .then(() => {
        this.#slots.free();
        cell.setRunning(cell.running - 1);
        this.#ended.set(number, exec);
        this.#parts.ended(exec);
        return this.#forgetOld();
      })
      .catch((error: unknown) => this.#parts.log(String(error)));
  }

  async #forgetOld(): Promise<void> {
    for (const [number, exec] of this.#ended) {
      if (this.#ended.size <= ENDED_KEPT) return;
      this.#ended.delete(number);
      this.#execs.delete(number);
      await exec.discard();
    }
  }

  /** The oldest log of a command that has ended makes room for a new one. */
  #giveUpLog(): void {
    for (const exec of this.#ended.values()) {
      if (exec.stdout.loggedBytes + exec.stderr.loggedBytes === 0 || exec.isDiscarded) continue;
      exec.discard().catch((error: unknown) => this.#parts.log(String(error)));
      return;
    }
  }
}

function requestOf(command: string | readonly string[], options: SpawnOptions) {
  const { cwd, env, as = "user", pty } = options;
  return {
    as,
    ...(typeof command === "string" ? {} : { argv: [...command] }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(pty === undefined ? {} : { pty }),
  };
}
