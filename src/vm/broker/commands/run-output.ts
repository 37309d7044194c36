import { type Errno, KernelError } from "../../../kernel/index.ts";
import { type StreamSender, StreamStopped } from "../../../streams/index.ts";
import { type CommandEnd, type CommandStream, commandTags } from "../../wire/messages.ts";

/** The output of one run: both streams, the terminal's mode and what else its process is told, in one order. */
export class RunOutput {
  readonly #outgoing: StreamSender;
  readonly #failed = new Map<CommandStream, Errno>();

  constructor(outgoing: StreamSender) {
    this.#outgoing = outgoing;
  }

  /** Resolves when the bytes are the caller's again. A KernelError, see HostCommandCall. */
  async write(to: CommandStream, bytes: Uint8Array): Promise<void> {
    if (!(bytes instanceof Uint8Array)) throw new TypeError("Output is a Uint8Array.");
    this.#requireReader(to);
    try {
      await this.#outgoing.write(bytes, commandTags[to]);
    } catch (error) {
      if (!(error instanceof StreamStopped)) throw error;
      throw new KernelError("EPIPE");
    }
    this.#requireReader(to);
  }

  /** What the terminal is to be, behind what has been written. */
  setRaw(isRaw: boolean): void {
    this.#tell(commandTags.raw, isRaw ? 1 : 0);
  }

  /** Signals are caught and told of from now on. */
  listen(): void {
    this.#tell(commandTags.listens, 1);
  }

  /** Nothing can be written there any more. */
  fail(to: CommandStream, errno: Errno): void {
    if (!this.#failed.has(to)) this.#failed.set(to, errno);
  }

  hasFailed(to: CommandStream): boolean {
    return this.#failed.has(to);
  }

  /** Behind every write. */
  async end(end: CommandEnd): Promise<void> {
    await this.#outgoing.finish(end);
  }

  #tell(tag: number, value: number): void {
    // A process that is gone needs no telling.
    this.#outgoing.write(Uint8Array.of(value), tag).catch(() => undefined);
  }

  #requireReader(to: CommandStream): void {
    const errno = this.#outgoing.isEnded ? "EPIPE" : this.#failed.get(to);
    if (errno !== undefined) throw new KernelError(errno);
  }
}
