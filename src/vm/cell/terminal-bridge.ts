import {
  type Credentials,
  isKernelError,
  type Kernel,
  type OpenFile,
  type Process,
  ProcessEnded,
  WaitQueue,
  type WindowSize,
} from "../../kernel/index.ts";
import { defer } from "../deferred.ts";
import { STREAM_WINDOW_BYTES } from "../wire/messages.ts";

const READ_BYTES = 65_536;

interface Ends {
  /** What the terminal shows. */
  readonly output: (bytes: Uint8Array) => void;
  /** That much input has been taken. */
  readonly credit: (bytes: number) => void;
}

/**
 * A terminal whose keyboard and screen are at the server: holds the master of a pty and carries
 * bytes both ways, each with its window, in a process of the host's own.
 */
export class TerminalBridge {
  readonly slave: OpenFile;
  readonly #master: ReturnType<Kernel["ptys"]["create"]>["master"];
  readonly #process: Process;
  readonly #kernel: Kernel;
  readonly #ends: Ends;
  readonly #credited = new WaitQueue();
  readonly #typed = new WaitQueue();
  readonly #input: Uint8Array[] = [];
  readonly #pumped: Promise<void>;
  readonly #drained = defer<void>();
  #underWay = 0;
  #sentBytes = 0;
  /** When so much has been sent, it is drained. */
  #drainBytes = Number.POSITIVE_INFINITY;
  #hasSlave = true;

  /** `owner` owns the device. Fails with the errno of maxPtys. */
  constructor(kernel: Kernel, owner: Credentials, size: WindowSize, ends: Ends) {
    this.#kernel = kernel;
    this.#ends = ends;
    this.#process = kernel.enterAs(owner);
    const { master, slave } = kernel.ptys.create(this.#process, size);
    this.#master = master;
    this.slave = slave;
    this.#master.retain();
    this.slave.retain();
    this.#pumped = this.#run(this.#pumpOutput());
    this.#supervise(this.#run(this.#pumpInput()));
  }

  push(bytes: Uint8Array): void {
    this.#input.push(bytes.slice());
    this.#typed.wakeAll();
  }

  /** End of input is the end-of-file character, as typed at a terminal. */
  end(): void {
    this.push(Uint8Array.of(4));
  }

  addCredit(bytes: number): void {
    this.#underWay = Math.max(0, this.#underWay - bytes);
    this.#credited.wakeAll();
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
   * Resolves when all that is shown by now has been sent. Who still holds the slave, as a job in
   * the background does, is not waited for: the command has ended, and the terminal hangs up.
   */
  async drain(): Promise<void> {
    // Later, so that what the pump has read is sent, and counted.
    setImmediate(() => {
      this.#drainBytes = this.#sentBytes + this.#master.terminal.shownBytes;
      this.#checkDrained();
    });
    await Promise.race([this.#drained.promise, this.#pumped]);
  }

  close(): void {
    this.dropSlave();
    this.#master.drop();
    const sys = this.#kernel.sysOf(this.#process);
    this.#supervise(this.#run(sys.exit(0)));
  }

  async #pumpOutput(): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES);
    while (true) {
      while (this.#underWay >= STREAM_WINDOW_BYTES) await this.#process.wait(this.#credited);
      const count = await this.#master.read(buffer, this.#process);
      if (count === 0) return;
      this.#underWay += count;
      this.#ends.output(buffer.slice(0, count));
      this.#sentBytes += count;
      this.#checkDrained();
    }
  }

  #checkDrained(): void {
    if (this.#sentBytes >= this.#drainBytes) this.#drained.resolve();
  }

  async #pumpInput(): Promise<void> {
    while (true) {
      const chunk = this.#input.shift();
      if (chunk === undefined) {
        await this.#process.wait(this.#typed);
        continue;
      }
      await this.#master.write(chunk, this.#process);
      this.#ends.credit(chunk.length);
    }
  }

  /** EIO is how a master says that no slave is left. */
  async #run(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof ProcessEnded) && !isKernelError(error, "EIO")) throw error;
    }
  }

  #supervise(work: Promise<void>): void {
    work.catch((cause: unknown) => {
      this.#kernel.host.log({ level: "bug", message: "terminal input stopped", cause });
    });
  }
}
