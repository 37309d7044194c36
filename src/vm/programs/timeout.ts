import {
  findSignalName,
  findSignalNumber,
  isKernelError,
  type Sys,
  shellStatus,
  signals,
  type WaitStatus,
  WNOHANG,
} from "../../kernel/index.ts";
import { startCommand } from "./become-command.ts";
import { parseDuration } from "./duration.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName, type Run } from "./program.ts";

/** timeout's own statuses, see timeout(1). */
const TIMED_OUT = 124;
const FAILED = 125;

/** Signals that it hands on to the command. */
const handedOn = [signals.SIGTERM, signals.SIGINT, signals.SIGHUP, signals.SIGQUIT];

export const main = defineProgram(
  {
    name: "timeout",
    usage: ["[OPTION] DURATION COMMAND [ARG]...", "[OPTION]"],
    summary: "Start COMMAND, and kill it if still running after DURATION.",
    options: [
      {
        long: "preserve-status",
        help: "exit with the same status as COMMAND, even when the\ncommand times out",
      },
      {
        long: "foreground",
        help: "when not running timeout directly from a shell prompt,\nallow COMMAND to read from the TTY and get TTY signals",
      },
      {
        short: "k",
        long: "kill-after",
        value: "DURATION",
        help: "also send a KILL signal if COMMAND is still running\nthis long after the initial signal was sent",
      },
      {
        short: "s",
        long: "signal",
        value: "SIGNAL",
        help: "specify the signal to be sent on timeout",
      },
      { short: "v", long: "verbose", help: "diagnose to stderr any signal sent upon timeout" },
    ],
    refusal: FAILED,
    stopsAtOperand: true,
  },
  async (run) => {
    const [duration, ...command] = run.operands;
    const signalText = run.options.get("signal") ?? "TERM";
    const signal = findSignalNumber(signalText);
    const killAfterMs = readDuration(run.options.get("kill-after") ?? "0");
    if (signal === undefined) throw new UsageError(`${quoteName(signalText)}: invalid signal`);
    if (duration === undefined || command.length === 0) throw new UsageError("");
    const limitMs = readDuration(duration);
    const { sys } = run;
    if (!run.has("foreground")) await becomeLeader(sys);
    for (const one of [signals.SIGCHLD, ...handedOn]) await sys.sigaction(one, "catch");
    const started = await startCommand(run, command);
    if ("status" in started) return started.status;
    const watch = new Watch(run, started.pid, command[0] ?? "");
    return watch.run(limitMs, killAfterMs, signal);
  },
);

function readDuration(text: string): number {
  const durationMs = parseDuration(text);
  if (durationMs === undefined) throw new UsageError(`invalid time interval ${quoteName(text)}`);
  return durationMs;
}

/** A group of its own, so that the command's children can be signalled with it. */
async function becomeLeader(sys: Sys): Promise<void> {
  try {
    await sys.setpgid(0, 0);
  } catch (error) {
    if (!isKernelError(error, "EPERM")) throw error;
  }
}

/** Waits for a command, and signals it when its time is up. */
class Watch {
  readonly #run: Run;
  readonly #pid: number;
  readonly #name: string;
  #isTimedOut = false;

  constructor(run: Run, pid: number, name: string) {
    this.#run = run;
    this.#pid = pid;
    this.#name = name;
  }

  async run(limitMs: number, killAfterMs: number, signal: number): Promise<number> {
    let status = await this.#wait(limitMs);
    if (status === undefined) {
      this.#isTimedOut = true;
      await this.#send(signal);
      status = await this.#wait(killAfterMs);
    }
    if (status === undefined) {
      await this.#send(signals.SIGKILL);
      status = await this.#wait(0);
    }
    if (status === undefined) return FAILED;
    if (status.kind === "signaled" && !this.#isTimedOut) await this.#die(status.signal);
    const ended = shellStatus(status);
    if (this.#isTimedOut && ended === 128 + signals.SIGKILL) return ended;
    return this.#isTimedOut && !this.#run.has("preserve-status") ? TIMED_OUT : ended;
  }

  /** As the command did, for whoever waits for this process. */
  async #die(signal: number): Promise<void> {
    const { sys } = this.#run;
    if (signal !== signals.SIGKILL) await sys.sigaction(signal, "default");
    await sys.kill(await sys.getpid(), signal);
  }

  /** Undefined when the time is up; 0 waits for ever. */
  async #wait(limitMs: number): Promise<WaitStatus | undefined> {
    const { sys } = this.#run;
    const startMs = (await sys.clock()).monotonicMs;
    for (;;) {
      const ended = await sys.wait({ pid: this.#pid, flags: WNOHANG });
      if (ended !== undefined) return ended.status;
      const leftMs = limitMs - ((await sys.clock()).monotonicMs - startMs);
      if (limitMs > 0 && leftMs <= 0) return undefined;
      const caught = await sys.sigtimedwait(
        [signals.SIGCHLD, ...handedOn],
        limitMs > 0 ? Math.min(leftMs, 2 ** 31 - 1) : -1,
      );
      if (caught !== undefined && caught !== signals.SIGCHLD) await this.#send(caught);
    }
  }

  /** To the command, and unless it is in the foreground to its whole group. */
  async #send(signal: number): Promise<void> {
    const { sys } = this.#run;
    if (this.#run.has("verbose") && this.#isTimedOut) {
      const name = findSignalName(signal)?.slice(3) ?? String(signal);
      await this.#run.warn(`sending signal ${name} to command ${quoteName(this.#name)}`);
    }
    await sys.kill(this.#pid, signal);
    if (this.#run.has("foreground")) return;
    if (signal !== signals.SIGKILL) await sys.sigaction(signal, "ignore");
    await sys.kill(0, signal);
    await sys.kill(this.#pid, signals.SIGCONT);
  }
}
