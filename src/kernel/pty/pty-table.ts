import { KernelError } from "../abi/kernel-error.ts";
import { O_RDWR } from "../abi/open-flags.ts";
import type { Stat } from "../abi/stat.ts";
import type { WindowSize } from "../abi/terminal.ts";
import type { OpenFile } from "../fd/open-file.ts";
import type { Limits } from "../limits/limits.ts";
import { PTMX_DEVICE, slaveDevice, slaveNumber, TTY_DEVICE } from "./device-numbers.ts";
import { type JobControl, type TerminalCaller, takeControl } from "./job-control.ts";
import { type PtyMaster, PtyPair } from "./pty-pair.ts";
import { PtySlave } from "./pty-slave.ts";
import type { Terminal } from "./terminal.ts";

/** The group `tty`, see pts(4). */
const TTY_GID = 5;
/** devpts numbers its files so: /dev/pts/ptmx is 2. */
const FIRST_SLAVE_INO = 3;
const MASTER_INO = 2;

export interface PtyTableParts {
  readonly limits: Limits;
  readonly jobs: JobControl;
  readonly now: () => number;
  readonly monotonic: () => number;
}

export interface OpenedPty {
  readonly master: PtyMaster;
  readonly slave: PtySlave;
  /** N of /dev/pts/N. */
  readonly number: number;
}

/** What stat shows of /dev/pts/N; chmod and chown change it. */
interface SlaveNode {
  readonly pair: PtyPair;
  readonly madeMs: number;
  uid: number;
  gid: number;
  mode: number;
}

/** The pseudo-terminals of a VM and their names. A number is free when both sides are closed. */
export class PtyTable {
  readonly #parts: PtyTableParts;
  /** What /dev/pts lists: those whose master is open. */
  readonly #nodes = new Map<number, SlaveNode>();
  readonly #numbers = new Set<number>();
  readonly #pairs = new Map<Terminal, PtyPair>();

  constructor(parts: PtyTableParts) {
    this.#parts = parts;
  }

  /**
   * Makes a pseudo-terminal that belongs to the caller, both sides open. ENOSPC at maxPtys. The
   * caller puts both into an fd table; releasing the master hangs the terminal up.
   */
  create(caller: TerminalCaller, size?: WindowSize): OpenedPty {
    const pair = this.#make(caller.credentials.euid, size, O_RDWR);
    const slave = pair.openSlave(O_RDWR);
    return { master: pair.master, slave, number: pair.terminal.number };
  }

  /** The numbers in /dev/pts, ascending. */
  list(): number[] {
    return [...this.#nodes.keys()].sort((a, b) => a - b);
  }

  /** The attributes of /dev/pts/N; undefined when there is none. */
  findStat(number: number): Stat | undefined {
    const node = this.#nodes.get(number);
    return node === undefined ? undefined : nodeStat(number, node);
  }

  /** chmod and chown of /dev/pts/N. ENOENT. */
  setAttributes(number: number, changes: { uid?: number; gid?: number; mode?: number }): void {
    const node = this.#nodes.get(number);
    if (node === undefined) throw new KernelError("ENOENT");
    node.uid = changes.uid ?? node.uid;
    node.gid = changes.gid ?? node.gid;
    node.mode = changes.mode ?? node.mode;
  }

  /** Opens /dev/pts/N. ENXIO when there is none. */
  openSlave(number: number, flags: number): PtySlave {
    const node = this.#nodes.get(number);
    if (node === undefined) throw new KernelError("ENXIO");
    return node.pair.openSlave(flags);
  }

  /**
   * Opens a device by its number when it is a terminal: /dev/tty (ENXIO without one), /dev/ptmx
   * (ENOSPC), /dev/pts/N (ENXIO). Undefined for every other device.
   */
  open(rdev: number, flags: number, caller: TerminalCaller): OpenFile | undefined {
    if (rdev === TTY_DEVICE) return this.#openControlling(flags, caller);
    if (rdev === PTMX_DEVICE) return this.#make(caller.credentials.euid, undefined, flags).master;
    const number = slaveNumber(rdev);
    return number === undefined ? undefined : this.openSlave(number, flags);
  }

  /** Makes the terminal just opened the caller's, where credentials(7) says so; else nothing. */
  adopt(file: OpenFile, caller: TerminalCaller): void {
    if (!(file instanceof PtySlave)) return;
    const { session, pid } = caller;
    const isWanting = session.sid === pid && session.terminal === undefined;
    const { terminal } = file;
    if (isWanting && terminal.session === undefined && !terminal.isHungUp) {
      takeControl(terminal, caller);
    }
  }

  #openControlling(flags: number, { session }: TerminalCaller): PtySlave {
    const pair = session.terminal && this.#pairs.get(session.terminal);
    if (pair === undefined) throw new KernelError("ENXIO", "/dev/tty");
    return pair.openSlave(flags);
  }

  #make(uid: number, size: WindowSize | undefined, masterFlags: number): PtyPair {
    const { limits, jobs, now, monotonic } = this.#parts;
    limits.charge("maxPtys");
    const number = this.#lowestFree();
    const madeMs = now();
    const terminalParts = { number, jobs, monotonic, ...(size === undefined ? {} : { size }) };
    const pair: PtyPair = new PtyPair(
      terminalParts,
      {
        masterStat: () => deviceStat(MASTER_INO, PTMX_DEVICE, { uid: 0, mode: 0o666, madeMs }),
        slaveStat: () => nodeStat(number, node),
        hungUp: () => this.#nodes.delete(number),
        released: () => this.#released(pair),
      },
      masterFlags,
    );
    const node: SlaveNode = { pair, madeMs, uid, gid: TTY_GID, mode: 0o620 };
    this.#nodes.set(number, node);
    this.#numbers.add(number);
    this.#pairs.set(pair.terminal, pair);
    return pair;
  }

  #lowestFree(): number {
    let number = 0;
    while (this.#numbers.has(number)) number += 1;
    return number;
  }

  #released(pair: PtyPair): void {
    this.#pairs.delete(pair.terminal);
    this.#numbers.delete(pair.terminal.number);
    this.#parts.limits.discharge("maxPtys");
  }
}

function nodeStat(number: number, node: SlaveNode): Stat {
  return deviceStat(FIRST_SLAVE_INO + number, slaveDevice(number), node);
}

function deviceStat(
  ino: number,
  rdev: number,
  { uid, gid = 0, mode, madeMs }: { uid: number; gid?: number; mode: number; madeMs: number },
): Stat {
  return {
    kind: "device",
    mode,
    uid,
    gid,
    size: 0,
    nlink: 1,
    ino,
    dev: 0,
    rdev,
    blocks: 0,
    atimeMs: madeMs,
    mtimeMs: madeMs,
    ctimeMs: madeMs,
  };
}
