import { signals } from "../abi/signals.ts";
import type { Termios, WindowSize } from "../abi/terminal.ts";
import { WaitQueue } from "../fd/wait-queue.ts";
import { ByteRing } from "../pipe/byte-ring.ts";
import type { Session } from "../process/process.ts";
import { slaveDevice } from "./device-numbers.ts";
import type { JobControl } from "./job-control.ts";
import { LineDiscipline } from "./line-discipline.ts";
import { TerminalOutput } from "./terminal-output.ts";

/** Typed bytes that the line discipline has no room for yet: Linux's TTYB_DEFAULT_MEM_LIMIT. */
const PENDING_BYTES = 65_536;

export interface TerminalParts {
  readonly number: number;
  readonly jobs: JobControl;
  /** For VTIME: milliseconds that never run backwards, the clock of the waiters' deadlines. */
  readonly monotonic: () => number;
  readonly size?: WindowSize;
}

/**
 * What the two sides of a pseudo-terminal share: settings, size, who controls it, and the bytes on
 * their way in both directions. Both ways are bounded; who cannot go on waits.
 */
export class Terminal {
  /** N of /dev/pts/N. */
  readonly number: number;
  readonly jobs: JobControl;
  readonly monotonic: () => number;
  /** Woken when the slave may read or write more, or the terminal hangs up. */
  readonly slaveChanged = new WaitQueue();
  /** Woken when the master may read or write more, or the last slave is closed. */
  readonly masterChanged = new WaitQueue();
  session: Session | undefined;
  /** The group that signals go to and that may read; 0 is none. */
  foregroundPgid = 0;
  /** The master is closed: for good. */
  isHungUp = false;
  /** The slave has been open and no longer is; it may be opened again. */
  isSlaveClosed = false;
  #size: WindowSize;
  #isStarved = false;
  readonly #output = new TerminalOutput();
  readonly #pending = new ByteRing(PENDING_BYTES);
  readonly #discipline: LineDiscipline;

  constructor({ number, jobs, monotonic, size }: TerminalParts) {
    this.number = number;
    this.jobs = jobs;
    this.monotonic = monotonic;
    this.#size = size ?? { rows: 0, cols: 0 };
    this.#discipline = new LineDiscipline(this.#output, (signal) => this.#signal(signal));
  }

  /** What stat(2) shows of the slave as st_rdev. */
  get rdev(): number {
    return slaveDevice(this.number);
  }

  get termios(): Termios {
    return this.#discipline.termios;
  }

  set termios(termios: Termios) {
    this.#discipline.termios = termios;
    this.#admitPending();
    this.slaveChanged.wakeAll();
    this.masterChanged.wakeAll();
  }

  get size(): WindowSize {
    return this.#size;
  }

  /** The foreground group gets SIGWINCH when the size is another. */
  set size(size: WindowSize) {
    const { rows, cols } = this.#size;
    if (size.rows === rows && size.cols === cols) return;
    this.#size = { rows: size.rows, cols: size.cols };
    this.#isStarved = false;
    this.#signal(signals.SIGWINCH);
  }

  /** Takes typed bytes from the master; answers how many. 0 when all is full. */
  type(bytes: Uint8Array): number {
    if (!this.canType) return 0;
    this.#isStarved = false;
    const taken = this.#pending.size === 0 ? this.#discipline.receive(bytes) : 0;
    const queued = this.#pending.push(bytes, taken);
    this.slaveChanged.wakeAll();
    this.masterChanged.wakeAll();
    return taken + queued;
  }

  get canType(): boolean {
    return this.#pending.room > 0;
  }

  /** Takes what the slave writes from `start` on; answers how many bytes of it. 0 when full. */
  print(from: Uint8Array, start: number): number {
    this.#discipline.flushEchoes();
    const count = this.#output.write(from, start, this.termios.oflag);
    if (this.shownBytes > 0) this.masterChanged.wakeAll();
    return count;
  }

  get canPrint(): boolean {
    return this.#output.room > 0;
  }

  /** What is shown and not read by the master yet. */
  get shownBytes(): number {
    return this.#output.bytes.size;
  }

  /** Moves what is shown out to the master. */
  takeShown(into: Uint8Array): number {
    const count = this.#output.bytes.shift(into);
    this.#discipline.flushEchoes();
    this.slaveChanged.wakeAll();
    return count;
  }

  /** Whether somebody has looked for input and found none since the last of it came, and since the last resize. */
  get isStarved(): boolean {
    return this.#isStarved;
  }

  /** Somebody looks for input that has not come. */
  noteStarved(): void {
    if (this.#isStarved) return;
    this.#isStarved = true;
    this.masterChanged.wakeAll();
  }

  /** Whether a read of the slave finds a line, or in raw mode `atLeast` bytes. */
  hasInput(atLeast = 1): boolean {
    return this.#discipline.hasInput(atLeast);
  }

  /** FIONREAD at the slave. */
  get inputBytes(): number {
    const { input } = this.#discipline;
    return this.termios.lflag.ICANON ? input.completeBytes : input.size;
  }

  /** Moves a line, or in raw mode bytes, out to the slave. */
  takeInput(into: Uint8Array): number {
    const count = this.#discipline.take(into);
    this.#admitPending();
    return count;
  }

  discardInput(): void {
    this.#discipline.discardInput();
    this.#pending.clear();
    this.masterChanged.wakeAll();
  }

  openSlave(): void {
    this.isSlaveClosed = false;
  }

  closeSlave(): void {
    this.isSlaveClosed = true;
    this.masterChanged.wakeAll();
  }

  /**
   * The master is closed: what was typed is lost, waiting calls end, the session loses its terminal
   * and its leader and the foreground group get SIGHUP and SIGCONT.
   *
   * Deviation: Linux tells the foreground group only when the leader ends; here it need not.
   */
  hangUp(): void {
    this.isHungUp = true;
    const leader = this.session?.sid;
    const group = this.abandon();
    this.slaveChanged.wakeAll();
    if (leader !== undefined) {
      this.jobs.signalProcess(leader, signals.SIGHUP);
      this.jobs.signalProcess(leader, signals.SIGCONT);
    }
    if (group === 0 || group === leader) return;
    this.jobs.signalGroup(group, signals.SIGHUP);
    this.jobs.signalGroup(group, signals.SIGCONT);
  }

  /**
   * Parts terminal and session, when the leader ends or gives it up; answers the group that was in
   * the foreground, 0 for none. Signals are the caller's part.
   */
  abandon(): number {
    const group = this.foregroundPgid;
    if (this.session !== undefined) this.session.terminal = undefined;
    this.session = undefined;
    this.foregroundPgid = 0;
    return group;
  }

  #admitPending(): void {
    const chunk = new Uint8Array(1);
    while (this.#pending.size > 0) {
      const room = this.#discipline.room;
      if (room === 0) return;
      const bytes = room === 1 ? chunk : new Uint8Array(Math.min(room, this.#pending.size));
      this.#pending.shift(bytes);
      this.#discipline.receive(bytes);
      this.masterChanged.wakeAll();
    }
  }

  #signal(signal: number): void {
    if (this.foregroundPgid !== 0) this.jobs.signalGroup(this.foregroundPgid, signal);
  }
}
