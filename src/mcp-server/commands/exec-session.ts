// A command in a VM, seen from a terminal or a pipe of the host: what `exec` and `shell` share.
// Runs on Node 20.
import type { Readable } from "node:stream";
import type { ServerLaunch } from "../connect/start-server.ts";
import { type ControlClient, openControl } from "../control/control-client.ts";
import { ControlError, type RunningCall } from "../control/running-call.ts";
import {
  type ExecEnded,
  type ExecParams,
  inputDemand,
  parseEnded,
  parseStarted,
} from "./exec-protocol.ts";
import { type OutputLoss, OutputPipe } from "./output-pipe.ts";

export interface ExecSessionOptions {
  readonly launch: ServerLaunch;
  readonly params: ExecParams;
  /** Undefined: a shell. */
  readonly command: string | undefined;
  readonly input: Readable;
  readonly say: (message: string) => void;
  readonly onStarted?: () => void;
}

/** One command from its start to its end. */
export class ExecSession {
  readonly #options: ExecSessionOptions;
  readonly #client: ControlClient;
  readonly #call: RunningCall;
  readonly #output: OutputPipe;
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
    this.#call = client.call("exec", { ...options.params }, async (event, body) => {
      if (event["kind"] === inputDemand.kind) return void options.input.resume();
      const started = parseStarted(event);
      if (started === undefined) return await this.#output.write(event["kind"], body);
      if (started.isNewVm) options.say(`Created the VM "${options.params.vm}".`);
      if (started.notice !== undefined) options.say(started.notice);
      this.#resolveExec?.(started.exec);
      options.onStarted?.();
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
    const { command, input } = this.#options;
    try {
      if (command !== undefined) await this.#call.send({}, Buffer.from(command));
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
    this.#call.cancel().catch((error: unknown) => this.#report(error));
  }

  /** In order, one piece after the other: the end of a pipe may be seen while its last piece waits. */
  #feed(input: Readable): void {
    const { isStdinOnDemand = false } = this.#options.params;
    if (isStdinOnDemand) input.pause();
    let sending: Promise<void> = Promise.resolve();
    const queue = (step: () => Promise<void>): void => {
      sending = sending.then(step).catch((error: unknown) => this.#report(error));
    };
    input.on("data", (chunk: Buffer) => {
      input.pause();
      queue(async () => {
        await this.#call.send({}, chunk);
        if (!isStdinOnDemand) input.resume();
      });
    });
    const end = (): void => queue(() => this.#call.endInput());
    input.once("end", end).once("error", end);
  }

  #tell(method: string, event: { readonly [key: string]: unknown }): void {
    const { vm } = this.#options.params;
    this.#exec
      .then((exec) => this.#client.call(method, { vm, exec, ...event }).result)
      .catch((error: unknown) => this.#report(error));
  }

  /** What cannot be told any more does not matter: the result says what happened. */
  #report(error: unknown): void {
    const isOver =
      error instanceof ControlError || (error instanceof Error && error.name === "FrameError");
    if (!isOver) this.#options.say(String(error));
  }
}
