import { decodeText } from "../kernel/index.ts";
import { GrowingBytes } from "../streams/index.ts";
import type { Exec, OutputListener } from "./exec.ts";
import { HostError } from "./host-error.ts";
import type { Vm } from "./vm.ts";
import type { Actor } from "./wire/cell-methods.ts";
import type { PtyRequest } from "./wire/messages.ts";

export interface SpawnOptions {
  /** The working directory; /home/user unless said otherwise. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly as?: Actor;
  /** Runs it on a terminal: all output is stdout. */
  readonly pty?: PtyRequest;
  /** Whether input will be given; else the command reads end of file. */
  readonly hasStdin?: boolean;
  /** Ends the command after that time. */
  readonly timeoutMs?: number;
  /**
   * Called as the cell is asked, before it answers: what is written here is in the command's stdin before the command
   * looks.
   */
  readonly onAsked?: (exec: Exec) => void;
  /** Called for each piece of output from the first on. */
  readonly onOutput?: OutputListener;
  /** What lists show instead of the command. */
  readonly title?: string;
}

export interface ExecOptions extends Omit<SpawnOptions, "hasStdin" | "onAsked" | "onOutput"> {
  readonly stdin?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Ends the command when aborted. */
  readonly signal?: AbortSignal;
  /** The most that is kept of each stream; beyond it, what is in the middle is left out. */
  readonly maxOutputBytes?: number;
  readonly onStdout?: (bytes: Uint8Array) => void;
  readonly onStderr?: (bytes: Uint8Array) => void;
}

export interface ExecResult {
  /** 128 + signal when a signal ended it. */
  readonly exitCode: number;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly stdoutBytes: Uint8Array;
  readonly stderrBytes: Uint8Array;
  /** Whether output was left out. */
  readonly truncated: boolean;
  readonly timedOut: boolean;
  /** Which limits ended processes of the command, and how to raise them. */
  readonly notices: readonly string[];
}

/** agentOS's capturedOutput limit. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/** Starts a command, gives it its input, waits, and hands its output over. */
export async function runToEnd(
  vm: Vm,
  command: string | readonly string[],
  options: ExecOptions,
): Promise<ExecResult> {
  const {
    stdin,
    signal,
    maxOutputBytes = MAX_OUTPUT_BYTES,
    onStdout,
    onStderr,
    ...spawnOptions
  } = options;
  signal?.throwIfAborted();
  const stdout = new Capture(maxOutputBytes);
  const stderr = new Capture(maxOutputBytes);
  const onOutput: OutputListener = (stream, bytes) => {
    (stream === "stdout" ? stdout : stderr).append(bytes);
    (stream === "stdout" ? onStdout : onStderr)?.(bytes);
  };
  let fed: Promise<PromiseSettledResult<void>[]> | undefined;
  const exec = await vm.spawn(command, {
    ...spawnOptions,
    onOutput,
    hasStdin: stdin !== undefined,
    onAsked: (asked) => {
      fed = Promise.allSettled([feed(asked, stdin)]);
    },
  });
  const stop = (): void => stopOrLose(vm, exec);
  signal?.addEventListener("abort", stop, { once: true });
  // The first output may have come, and the caller may have aborted, before there was an Exec.
  if (signal?.aborted === true) stop();
  try {
    await exec.wait();
    const [feeding] = (await fed) ?? [];
    exec.requireKept();
    if (feeding?.status === "rejected" && !(feeding.reason instanceof HostError))
      throw feeding.reason;
    return resultOf(exec, stdout, stderr);
  } finally {
    exec.offOutput(onOutput);
    signal?.removeEventListener("abort", stop);
  }
}

function resultOf(exec: Exec, stdout: Capture, stderr: Capture): ExecResult {
  const { state, exitCode = 0, signal } = exec.status();
  return {
    exitCode,
    ...(signal === undefined ? {} : { signal }),
    stdout: decodeText(stdout.bytes()),
    stderr: decodeText(stderr.bytes()),
    stdoutBytes: stdout.bytes(),
    stderrBytes: stderr.bytes(),
    truncated: stdout.isCut || stderr.isCut,
    timedOut: state === "timed_out",
    notices: exec.notices,
  };
}

function stopOrLose(vm: Vm, exec: Exec): void {
  exec.stop().catch((cause: unknown) => {
    exec.lose(new HostError("VM_LOST", { vm: vm.id, cause: "it cannot be stopped" }, { cause }));
  });
}

async function feed(exec: Exec, stdin: ExecOptions["stdin"]): Promise<void> {
  if (stdin === undefined) return;
  if (typeof stdin === "string") await exec.write(new TextEncoder().encode(stdin));
  else if (stdin instanceof Uint8Array) await exec.write(stdin);
  else await feedParts(exec, stdin[Symbol.asyncIterator]());
  await exec.closeStdin();
}

/** Until the parts or the command end: a source that never ends is told to, and does not outlive its command. */
async function feedParts(exec: Exec, parts: AsyncIterator<Uint8Array>): Promise<void> {
  const ended = exec.wait().then(() => undefined);
  let isDone = false;
  try {
    for (;;) {
      const next = await Promise.race([parts.next(), ended]);
      isDone = next?.done === true;
      if (next === undefined || next.done === true) return;
      await exec.write(next.value);
    }
  } finally {
    // Not waited for: it cannot run before the part that is being made.
    if (!isDone) parts.return?.().catch(() => undefined);
  }
}

/** The first and the last half of what comes, when it is more than fits. */
export class Capture {
  readonly #half: number;
  readonly #head = new GrowingBytes();
  readonly #tail = new GrowingBytes();
  isCut = false;

  constructor(limitBytes: number) {
    this.#half = Math.ceil(limitBytes / 2);
  }

  /** Keeps a copy. */
  append(bytes: Uint8Array): void {
    const forHead = bytes.subarray(0, this.#half - this.#head.length);
    if (forHead.length > 0) this.#head.add(forHead);
    const rest = bytes.subarray(forHead.length);
    if (rest.length === 0) return;
    this.#tail.add(rest);
    if (this.#tail.length > 2 * this.#half) this.#shorten();
  }

  bytes(): Uint8Array {
    if (this.#tail.length > this.#half) this.#shorten();
    return Buffer.concat([this.#head.view, this.#tail.view]);
  }

  #shorten(): void {
    this.isCut = true;
    const tail = this.#tail.take();
    this.#tail.add(tail.subarray(tail.length - this.#half));
  }
}
