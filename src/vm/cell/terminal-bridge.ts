import {
  type Credentials,
  encodeText,
  isKernelError,
  type Kernel,
  type OpenFile,
  type Process,
  ProcessEnded,
  type WindowSize,
} from "../../kernel/index.ts";
import { type Stream, StreamStopped } from "../../streams/index.ts";
import { defer } from "../deferred.ts";
import { type CommandStatus, execTags } from "../wire/messages.ts";

const READ_BYTES = 65_536;
/** What is typed for the end of input. */
const END_OF_FILE = Uint8Array.of(4);

/**
 * A terminal whose keyboard and screen are at the server: holds the master of a pty and carries
 * bytes between it and the command's stream, in a process of the host's own.
 */
export class TerminalBridge {
  readonly slave: OpenFile;
  readonly #master: ReturnType<Kernel["ptys"]["create"]>["master"];
  readonly #process: Process;
  readonly #kernel: Kernel;
  readonly #stream: Stream;
  readonly #pumped: Promise<void>;
  readonly #drained = defer<void>();
  #sentBytes = 0;
  /** When so much has been sent, it is drained. */
  #drainBytes = Number.POSITIVE_INFINITY;
  #hasSlave = true;

  /** `owner` owns the device. Fails with the errno of maxPtys. */
  constructor(kernel: Kernel, owner: Credentials, size: WindowSize, stream: Stream) {
    this.#kernel = kernel;
    this.#stream = stream;
    this.#process = kernel.enterAs(owner);
    const { master, slave } = kernel.ptys.create(this.#process, size);
    this.#master = master;
    this.slave = slave;
    this.#master.retain();
    this.slave.retain();
    this.#pumped = this.#run(this.#pumpOutput());
    stream.incoming.consume({
      take: (bytes) => this.#type(bytes.slice()),
      // End of input is the end-of-file character, as typed at a terminal.
      ended: () => this.#supervise(this.#type(END_OF_FILE)),
      failed: (cause) => this.#complain(cause),
    });
  }

  async resize(size: WindowSize): Promise<void> {
    await this.#master.ioctl({ request: "TIOCSWINSZ", size }, this.#process);
  }

  /** The command has its own references now. */
  dropSlave(): void {
    if (!this.#hasSlave) return;
    this.#hasSlave = false;
    this.slave.drop();
  }

  /**
   * The command has ended: sends all that is shown by now, then the status. Who still holds the slave,
   * as a job in the background does, is not waited for: the terminal hangs up.
   */
  async finish(status: CommandStatus): Promise<void> {
    // Later, so that what the pump has read is sent, and counted.
    setImmediate(() => {
      this.#drainBytes = this.#sentBytes + this.#master.terminal.shownBytes;
      this.#checkDrained();
    });
    await Promise.race([this.#drained.promise, this.#pumped]);
    await this.#run(
      this.#stream.outgoing.write(encodeText(JSON.stringify(status)), execTags.status),
    );
    this.close();
  }

  close(): void {
    this.dropSlave();
    this.#master.drop();
    this.#stream.close();
    const sys = this.#kernel.sysOf(this.#process);
    this.#supervise(this.#run(sys.exit(0)));
  }

  async #pumpOutput(): Promise<void> {
    const { outgoing } = this.#stream;
    const buffer = new Uint8Array(READ_BYTES);
    while (true) {
      await outgoing.untilRoom();
      const count = await this.#master.read(buffer.subarray(0, outgoing.room), this.#process);
      if (count === 0) return;
      outgoing.send(buffer.slice(0, count), execTags.stdout, true);
      this.#sentBytes += count;
      this.#checkDrained();
    }
  }

  #checkDrained(): void {
    if (this.#sentBytes >= this.#drainBytes) this.#drained.resolve();
  }

  async #type(bytes: Uint8Array): Promise<void> {
    await this.#run(this.#master.write(bytes, this.#process).then(() => undefined));
  }

  /** EIO is how a master says that no slave is left; a stream that is stopped has no screen behind it. */
  async #run(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const isOver = error instanceof ProcessEnded || error instanceof StreamStopped;
      if (!isOver && !isKernelError(error, "EIO")) throw error;
    }
  }

  #supervise(work: Promise<void>): void {
    work.catch((cause: unknown) => this.#complain(cause));
  }

  #complain(cause: unknown): void {
    this.#kernel.host.log({ level: "bug", message: "terminal input stopped", cause });
  }
}
