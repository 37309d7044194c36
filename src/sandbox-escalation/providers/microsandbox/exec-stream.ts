// The bytes from and to a process in a microVM, as the library carries them: events that are asked for one by one.
import { Duplex } from "node:stream";
import { SandboxError } from "../../provider.ts";
import type { BoxProcess } from "./microsandbox-library.ts";

type Input = NonNullable<Awaited<ReturnType<BoxProcess["takeStdin"]>>>;

export class ExecStream extends Duplex {
  readonly #process: BoxProcess;
  readonly #input: Input;
  #isReading = false;

  constructor(process: BoxProcess, input: Input) {
    super({ allowHalfOpen: false });
    this.#process = process;
    this.#input = input;
  }

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    this.#readOn().catch((error: unknown) => {
      this.destroy(error instanceof Error ? error : new Error(String(error)));
    });
  }

  override _write(
    chunk: Uint8Array,
    _encoding: string,
    settle: (error?: Error | null) => void,
  ): void {
    this.#input.write(chunk).then(
      () => settle(),
      (error: unknown) => settle(error instanceof Error ? error : new Error(String(error))),
    );
  }

  override _writev(
    chunks: readonly { readonly chunk: Uint8Array }[],
    settle: (error?: Error | null) => void,
  ): void {
    this._write(Buffer.concat(chunks.map(({ chunk }) => chunk)), "", settle);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    // The end of its input ends the agent, and all it started; a machine that is gone needs neither.
    this.#input
      .close()
      .catch(() => this.#process.kill())
      .catch(() => undefined);
    done(error);
  }

  /** Until there is enough, or no more. */
  async #readOn(): Promise<void> {
    for (;;) {
      const event = await this.#process.recv();
      if (this.destroyed) return;
      if (event === null || event.kind === "exited") {
        this.destroy(new SandboxError("gone", "The sandbox's agent has ended."));
        return;
      }
      if (event.kind !== "stdout" || this.push(event.data)) continue;
      // No await until here: who reads on may come at once.
      this.#isReading = false;
      return;
    }
  }
}
