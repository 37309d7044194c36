import type { WaitStatus } from "../kernel/index.ts";
import type { CellClient } from "./broker/cell-client.ts";
import { Exec } from "./exec.ts";
import type { SpawnOptions } from "./exec-options.ts";
import { HostError } from "./host-error.ts";
import { OutputLog } from "./output-log.ts";
import type { StreamName } from "./wire/messages.ts";

/** The longest command that can be given; it must fit one message. */
const COMMAND_LIMIT_BYTES = 1_000_000;
/** Commands that run at once, and ended ones that are kept. */
const RUNNING_LIMIT = 64;
const ENDED_KEPT = 64;

interface VmExecsParts {
  readonly vm: string;
  /** The log of one stream of one command. */
  readonly logPath: (exec: string, stream: StreamName) => string;
  readonly log: (line: string) => void;
  readonly ended: (exec: Exec) => void;
}

/** The commands the host has started in one VM: those that run, and the newest that have ended. */
export class VmExecs {
  readonly #parts: VmExecsParts;
  readonly #execs = new Map<number, Exec>();
  #last = 0;

  constructor(parts: VmExecsParts) {
    this.#parts = parts;
  }

  list(): Exec[] {
    return [...this.#execs.values()];
  }

  find(id: string): Exec | undefined {
    return /^[1-9]\d*$/.test(id) ? this.#execs.get(Number(id)) : undefined;
  }

  /** COMMAND_TOO_LONG, EXEC_LIMIT; else as the cell's `exec` fails. */
  async start(
    cell: CellClient,
    command: string | readonly string[],
    options: SpawnOptions,
  ): Promise<Exec> {
    const text = typeof command === "string" ? new TextEncoder().encode(command) : undefined;
    this.#requireRoom(text?.length ?? 0);
    this.#last += 1;
    const number = this.#last;
    const exec = this.#make(number, cell, command, options);
    // Known before the cell is asked: its first output may come with its answer.
    this.#execs.set(number, exec);
    try {
      const { pid } = await cell.call("exec", wishOf(number, command, options), text);
      exec.pid = pid;
    } catch (error) {
      this.#execs.delete(number);
      throw error;
    }
    this.#accompany(exec, cell);
    const { timeoutMs } = options;
    if (timeoutMs !== undefined)
      exec.limitTime(timeoutMs, (error) => this.#parts.log(String(error)));
    return exec;
  }

  receive(number: number, stream: StreamName, bytes: Uint8Array): void {
    this.#execs
      .get(number)
      ?.receive(stream, bytes)
      .catch((error: unknown) =>
        this.#parts.log(`VM ${this.#parts.vm}: output lost: ${String(error)}`),
      );
  }

  addInputCredit(number: number, bytes: number): void {
    this.#execs.get(number)?.addInputCredit(bytes);
  }

  finish(number: number, status: WaitStatus): void {
    this.#execs.get(number)?.finish(status);
  }

  /** The VM is gone; what the commands wrote stays readable. */
  loseAll(loss: HostError): void {
    for (const exec of this.#execs.values()) exec.lose(loss);
  }

  async discardAll(): Promise<void> {
    for (const exec of this.#execs.values()) await exec.discard();
    this.#execs.clear();
  }

  #requireRoom(bytes: number): void {
    const { vm } = this.#parts;
    if (bytes > COMMAND_LIMIT_BYTES) {
      throw new HostError("COMMAND_TOO_LONG", { bytes, limit: COMMAND_LIMIT_BYTES });
    }
    const count = this.list().filter((exec) => exec.isRunning).length;
    if (count >= RUNNING_LIMIT) throw new HostError("EXEC_LIMIT", { vm, count });
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
      number,
      cell,
      command: typeof command === "string" ? command : command.join(" "),
      hasStdin: options.hasStdin ?? true,
      stdout: new OutputLog(this.#parts.logPath(id, "stdout")),
      stderr: new OutputLog(this.#parts.logPath(id, "stderr")),
    });
    if (options.onOutput !== undefined) exec.onOutput(options.onOutput);
    return exec;
  }

  #accompany(exec: Exec, cell: CellClient): void {
    cell.setRunning(cell.running + 1);
    exec
      .wait()
      .then(() => {
        cell.setRunning(cell.running - 1);
        this.#parts.ended(exec);
        return this.#forgetOld();
      })
      .catch((error: unknown) => this.#parts.log(String(error)));
  }

  async #forgetOld(): Promise<void> {
    const ended = [...this.#execs].filter(([, exec]) => !exec.isRunning);
    for (const [number, exec] of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT))) {
      this.#execs.delete(number);
      await exec.discard();
    }
  }
}

function wishOf(exec: number, command: string | readonly string[], options: SpawnOptions) {
  const { cwd, env, as = "user", pty, hasStdin = true } = options;
  return {
    exec,
    as,
    hasStdin,
    ...(typeof command === "string" ? {} : { argv: [...command] }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env }),
    ...(pty === undefined ? {} : { pty }),
  };
}
