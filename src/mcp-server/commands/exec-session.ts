// A command in a VM, seen from a terminal or a pipe of the host: what `exec` and `shell` share.
// Runs on Node 20.
import type { Readable } from "node:stream";
import type { FrameHeader } from "../../vm/wire/frame.ts";
import type { ServerLaunch } from "../connect/start-server.ts";
import { type ControlClient, openControl } from "../control/control-client.ts";
import { ControlError, type RunningCall } from "../control/running-call.ts";
import type { ExecParams } from "./exec-methods.ts";
import { byteTags, type ExecEnded, parseEnded, parseStarted } from "./exec-protocol.ts";
import { type OutputLoss, OutputPipe } from "./output-pipe.ts";

export interface ExecSessionOptions {
  readonly launch: ServerLaunch;
  readonly params: Omit<ExecParams, "commandBytes">;
  /** Undefined: a shell. */
  readonly command: string | undefined;
  readonly input: Readable;
  /** Whether a piece of the input is read only when the command looks for it; else as there is room. */
  readonly isInputOnDemand?: boolean;
  readonly say: (message: string) => void;
  readonly onStarted?: () => void;
}

/** One command from its start to its end. */
export class ExecSession {
  readonly #options: ExecSessionOptions;
  readonly #client: ControlClient;
  readonly #call: RunningCall;
  readonly #output: OutputPipe;
  readonly #command: Buffer | undefined;
  #resolveExec: ((exec: string) => void) | undefined;
  readonly #exec: Promise<string>;

  private constructor(client: ControlClient, options: ExecSessionOptions) {
    this.#options = options;
    this.#client = client;
    // Output that reaches nobody is of no use: nor is the command.
    this.#output = new OutputPipe(() => this.stop());
    this.#exec = new Promise((resolve) => {
      this.#resolveExec = resolve;
    });
    this.#command = options.command === undefined ? undefined : Buffer.from(options.command);
    const params = { ...options.params, commandBytes: this.#command?.length };
    this.#call = client.call("exec", params, {
      isInputOnDemand: options.isInputOnDemand === true,
      onEvent: (event) => this.#start(event),
      onBytes: (bytes, tag) => this.#show(bytes, tag),
    });
  }

  /** Connects, and starts the server if need be. */
  static async open(options: ExecSessionOptions): Promise<ExecSession> {
    return new ExecSession(await openControl(options.launch), options);
  }

  /** Why our output cannot be written any more; undefined while it can. */
  get outputLoss(): OutputLoss | undefined {
    return this.#output.loss;
  }

  /** Gives input and output until the command has ended. Rejects with ControlError. */
  async run(): Promise<ExecEnded> {
    const { input } = this.#options;
    try {
      if (this.#command !== undefined) await this.#call.write(this.#command, byteTags.command);
      this.#feed(input);
      return parseEnded(await this.#call.result);
    } finally {
      input.pause();
      await this.#client.close();
    }
  }

  /** Sends a signal to the command's process group. */
  signal(signal: string): void {
    this.#tell("exec_signal", { signal });
  }

  resize(cols: number, rows: number): void {
    this.#tell("exec_resize", { cols, rows });
  }

  /** Ends the command with all it has started. */
  stop(): void {
    this.#call.cancel();
  }

  #start(event: FrameHeader): void {
    const { say, params, onStarted } = this.#options;
    const { exec, isNewVm, notice } = parseStarted(event);
    if (isNewVm) say(`Created the VM "${params.vm}".`);
    if (notice !== undefined) say(notice);
    this.#resolveExec?.(exec);
    onStarted?.();
  }

  #show(bytes: Uint8Array, tag: number): void | Promise<void> {
    if (tag === byteTags.stdout) return this.#output.write("stdout", bytes);
    if (tag === byteTags.stderr) return this.#output.write("stderr", bytes);
    throw new Error(`The server sent bytes of an unknown kind (${tag}).`);
  }

  /**
   * In order, one piece after the other: the end of a pipe may be seen while its last piece waits. Nothing
   * is read that there is no room for.
   */
  #feed(input: Readable): void {
    let sending: Promise<void> = Promise.resolve();
    const queue = (step: () => Promise<void>): void => {
      sending = sending.then(step).catch((error: unknown) => this.#report(error));
    };
    const resume = async (): Promise<void> => {
      if (await this.#call.awaitsInput()) input.resume();
    };
    input.pause();
    input.on("data", (chunk: Buffer) => {
      input.pause();
      queue(async () => {
        await this.#call.write(chunk, byteTags.stdin);
        await resume();
      });
    });
    // A terminal that gives every key as it is has no end but its own: Ctrl-D is a key.
    const isTerminal = this.#options.params.pty !== undefined;
    const end = isTerminal ? () => this.stop() : () => queue(() => this.#call.endInput());
    input.once("end", end).once("error", end);
    queue(resume);
  }

  #tell(method: string, event: { readonly [key: string]: unknown }): void {
    const { vm } = this.#options.params;
    this.#exec
      .then((exec) => this.#client.call(method, { vm, exec, ...event }).result)
      .catch((error: unknown) => this.#report(error));
  }

  /** What cannot be told any more does not matter: the result says what happened. */
  #report(error: unknown): void {
    if (!(error instanceof ControlError)) this.#options.say(String(error));
  }
}
