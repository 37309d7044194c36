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
import { type CommandStatus, execTags, type ScreenView } from "../wire/messages.ts";
import { TerminalScreen } from "./terminal-screen.ts";

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
  #screen: TerminalScreen | undefined;
  /** Taken from the terminal, and of that, sent and on the screen. */
  #takenBytes = 0;
  #sentBytes = 0;
  /** Who waits until so much has been sent. */
  #drains: { readonly bytes: number; readonly reached: () => void }[] = [];
  #hasSlave = true;
  #hasMaster = true;
  #isClosed = false;

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

  /** Keeps what the terminal shows from now on. */
  async keepScreen(): Promise<void> {
    this.#screen = await TerminalScreen.open(this.#master.terminal.size, (bytes) =>
      this.#supervise(this.#type(bytes)),
    );
  }

  async resize(size: WindowSize): Promise<void> {
    if (!this.#hasMaster) return;
    // What was written for the old size is shown in it.
    if (this.#screen !== undefined) await this.#drain();
    this.#screen?.resize(size);
    await this.#master.ioctl({ request: "TIOCSWINSZ", size }, this.#process);
  }

  /** What the terminal shows, all that was written by now. Undefined where no screen is kept. */
  async view(): Promise<ScreenView | undefined> {
    if (this.#screen === undefined) return undefined;
    await this.#drain();
    return this.#isClosed ? undefined : this.#screen.view();
  }

  /** Resolves once somebody has looked for more than was typed, or will not any more, and what was shown by then is sent. */
  async awaitDemand(): Promise<void> {
    const { terminal } = this.#master;
    while (!terminal.isStarved && !terminal.isSlaveClosed && !this.#isClosed) {
      await new Promise<void>((resolve) => terminal.masterChanged.add(resolve));
    }
    await this.#drain();
  }

  /** The command has its own references now. */
  dropSlave(): void {
    if (!this.#hasSlave) return;
    this.#hasSlave = false;
    this.slave.drop();
  }

  /** Nobody is at the terminal any more: its session loses it, with SIGHUP as the kernel's Terminal has it. */
  hangUp(): void {
    if (!this.#hasMaster) return;
    this.#hasMaster = false;
    this.#master.drop();
  }

  /**
   * The command has ended: sends all that is shown by now, then the status. Who still holds the slave,
   * as a job in the background does, is not waited for: the terminal hangs up.
   */
  async finish(status: CommandStatus): Promise<void> {
    await this.#drain();
    const { outgoing } = this.#stream;
    const view = this.#screen?.view();
    if (view !== undefined)
      await this.#run(outgoing.write(encodeText(JSON.stringify(view)), execTags.screen));
    await this.#run(outgoing.write(encodeText(JSON.stringify(status)), execTags.status));
    this.close();
  }

  close(): void {
    this.#isClosed = true;
    this.#screen?.close();
    this.#master.terminal.masterChanged.wakeAll();
    this.dropSlave();
    this.hangUp();
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
      this.#takenBytes += count;
      const piece = buffer.slice(0, count);
      outgoing.send(piece, execTags.stdout, true);
      await this.#screen?.write(piece);
      this.#sentBytes += count;
      this.#checkDrains();
    }
  }

  /** Resolves when all that is shown by now is sent, or can be sent no more. */
  async #drain(): Promise<void> {
    // Later, so that what the pump has read is counted.
    await new Promise((resolve) => setImmediate(resolve));
    const bytes = this.#takenBytes + this.#master.terminal.shownBytes;
    const { promise, resolve } = defer<void>();
    this.#drains.push({ bytes, reached: resolve });
    this.#checkDrains();
    await Promise.race([promise, this.#pumped]);
  }

  #checkDrains(): void {
    const isReached = ({ bytes }: { readonly bytes: number }): boolean => bytes <= this.#sentBytes;
    const reached = this.#drains.filter(isReached);
    this.#drains = this.#drains.filter((drain) => !isReached(drain));
    for (const drain of reached) drain.reached();
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
