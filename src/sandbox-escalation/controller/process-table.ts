/** The processes that were started in a sandbox from here, for those who list, read, feed and end them. */
import { type ProcessEnd, SandboxError, type SandboxProcess } from "../provider.ts";
import { shortText } from "../short-text.ts";
import { drainOutput } from "./drain-output.ts";
import { TailLog } from "./tail-log.ts";

/** At one time. */
const RUNNING_LIMIT = 128;
/** Ended ones that are remembered, for their output: detached ones. */
const ENDED_KEPT = 32;
const COMMAND_LENGTH = 1000;
/** Of one detached process. */
const LOG_BYTES = 1024 * 1024;

export interface HeldProcess {
  /** What people and tools call it by: "1", "2"… */
  readonly id: string;
  /** Its words, or the first of them: those of all processes together may be very long. */
  readonly command: string;
  readonly startedAtMs: number;
  readonly process: SandboxProcess;
  /** Only of those that nobody is attached to. */
  readonly log: TailLog | undefined;
  readonly end: ProcessEnd | undefined;
}

/** `onChange` is called when one has started or ended. */
export class ProcessTable {
  readonly #held = new Map<string, { -readonly [K in keyof HeldProcess]: HeldProcess[K] }>();
  readonly #onChange: () => void;
  #lastId = 0;

  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  get runningCount(): number {
    return this.list().filter(({ end }) => end === undefined).length;
  }

  list(): readonly HeldProcess[] {
    return [...this.#held.values()];
  }

  /** SandboxError "failed". */
  get(id: string): HeldProcess {
    const held = this.#held.get(id);
    if (held !== undefined) return held;
    throw new SandboxError("failed", `There is no process ${id.slice(0, 40)} in the sandbox.`);
  }

  /** SandboxError "limit". */
  requireRoom(): void {
    if (this.runningCount < RUNNING_LIMIT) return;
    throw new SandboxError("limit", `${RUNNING_LIMIT} processes run in the sandbox, the limit.`);
  }

  /** A detached one has its output kept here; else whoever started it takes that. */
  add(argv: readonly string[], process: SandboxProcess, isDetached: boolean): HeldProcess {
    this.#lastId += 1;
    const log = isDetached ? new TailLog(LOG_BYTES) : undefined;
    const held = {
      id: String(this.#lastId),
      command: shortText(argv.join(" "), COMMAND_LENGTH),
      startedAtMs: Date.now(),
      process,
      log,
      end: undefined as ProcessEnd | undefined,
    };
    this.#held.set(held.id, held);
    const finish = (end: ProcessEnd): void => {
      held.end = end;
      // Who was attached has its output and its status; nobody else can ask for them.
      if (log === undefined) this.#held.delete(held.id);
      this.#forgetOldest();
      this.#onChange();
    };
    const lose = (): void => finish({ status: 137, signal: "SIGKILL" });
    if (log === undefined) process.ended.then(finish, lose);
    else drainInto(process, log).then(finish, lose);
    this.#onChange();
    return held;
  }

  #forgetOldest(): void {
    const ended = this.list().filter(({ end }) => end !== undefined);
    for (const { id } of ended.slice(0, Math.max(0, ended.length - ENDED_KEPT)))
      this.#held.delete(id);
  }
}

async function drainInto(process: SandboxProcess, log: TailLog): Promise<ProcessEnd> {
  return await drainOutput(process, {
    out: (bytes) => log.add("stdout", bytes),
    error: (bytes) => log.add("stderr", bytes),
  });
}
