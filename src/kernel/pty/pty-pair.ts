import { KernelError } from "../abi/kernel-error.ts";
import { POLLHUP, POLLIN, POLLOUT } from "../abi/poll.ts";
import type { Stat } from "../abi/stat.ts";
import type { IoctlAnswer, IoctlRequest } from "../abi/terminal.ts";
import { OpenFile } from "../fd/open-file.ts";
import type { Waiter, WaitQueue } from "../fd/wait-queue.ts";
import type { TerminalCaller } from "./job-control.ts";
import { PtySlave } from "./pty-slave.ts";
import { Terminal, type TerminalParts } from "./terminal.ts";
import { terminalIoctl } from "./terminal-ioctl.ts";
import { countOr, goOn } from "./transfer.ts";

/** So many typed bytes are looked at in one go, a few milliseconds of work at most. */
const TYPED_AT_ONCE = 32_768;

/** How the two sides show as files, and who is told when all of them are closed. */
export interface PtyFiles {
  masterStat(): Stat;
  slaveStat(): Stat;
  /** Called when the master is closed: the name /dev/pts/N is gone. */
  hungUp(): void;
  /** Called when neither side is open any more: the number is free. */
  released(): void;
}

/** A pseudo-terminal: its master, and slaves as often as it is opened. */
export class PtyPair {
  readonly terminal: Terminal;
  readonly master: PtyMaster;
  readonly files: PtyFiles;
  #slaves = 0;
  #isMasterOpen = true;

  constructor(parts: TerminalParts, files: PtyFiles, masterFlags: number) {
    this.terminal = new Terminal(parts);
    this.files = files;
    this.master = new PtyMaster(this, masterFlags);
  }

  /** EIO once the master is closed. */
  openSlave(flags: number): PtySlave {
    if (!this.#isMasterOpen) throw new KernelError("EIO");
    this.#slaves += 1;
    this.terminal.openSlave();
    return new PtySlave(this, flags);
  }

  slaveReleased(): void {
    this.#slaves -= 1;
    if (this.#slaves > 0) return;
    this.terminal.closeSlave();
    if (!this.#isMasterOpen) this.files.released();
  }

  masterReleased(): void {
    this.#isMasterOpen = false;
    this.terminal.hangUp();
    this.files.hungUp();
    if (this.#slaves === 0) this.files.released();
  }
}

/**
 * The side a terminal emulator holds: it reads what is shown and writes what is typed.
 *
 * Reading fails with EIO once the last slave is closed and everything is read, until one is opened
 * again. Writing goes on: what is typed waits for the next slave.
 */
export class PtyMaster extends OpenFile {
  readonly terminal: Terminal;
  readonly #pair: PtyPair;

  constructor(pair: PtyPair, flags: number) {
    super(flags);
    this.#pair = pair;
    this.terminal = pair.terminal;
  }

  override describe(): string {
    return "/dev/ptmx";
  }

  override async stat(): Promise<Stat> {
    return this.#pair.files.masterStat();
  }

  override get isTerminal(): boolean {
    return true;
  }

  override async read(into: Uint8Array, waiter: Waiter): Promise<number> {
    const { terminal } = this;
    if (into.length === 0) return 0;
    while (terminal.shownBytes === 0) {
      if (terminal.isSlaveClosed) throw new KernelError("EIO");
      if (this.isNonBlocking) throw new KernelError("EAGAIN");
      await waiter.wait(terminal.masterChanged);
    }
    return terminal.takeShown(into);
  }

  override async write(from: Uint8Array, waiter: Waiter): Promise<number> {
    const { terminal } = this;
    let written = 0;
    for (;;) {
      const piece = from.subarray(written, written + TYPED_AT_ONCE);
      const taken = terminal.type(piece);
      written += taken;
      if (written === from.length) return written;
      if (this.isNonBlocking) return countOr(written, "EAGAIN");
      // Where all was taken, others get their turn: a deadline that has come waits for just that.
      const wait =
        taken === piece.length
          ? waiter.wait([], terminal.monotonic())
          : waiter.wait(terminal.masterChanged);
      if (!(await goOn(wait, written))) return written;
    }
  }

  override ioctl(request: IoctlRequest, caller: TerminalCaller): Promise<IoctlAnswer> {
    return terminalIoctl(this.terminal, "master", request, caller);
  }

  override poll(): number {
    const { terminal } = this;
    const readable = terminal.shownBytes > 0 ? POLLIN : 0;
    const writable = terminal.canType ? POLLOUT : 0;
    return readable | writable | (terminal.isSlaveClosed ? POLLHUP : 0);
  }

  override get changed(): WaitQueue {
    return this.terminal.masterChanged;
  }

  protected override release(): void {
    this.#pair.masterReleased();
  }
}
