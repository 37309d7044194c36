import { KernelError } from "../abi/kernel-error.ts";
import { POLLERR, POLLHUP, POLLIN, POLLOUT } from "../abi/poll.ts";
import { signals } from "../abi/signals.ts";
import type { Stat } from "../abi/stat.ts";
import type { IoctlAnswer, IoctlRequest } from "../abi/terminal.ts";
import { OpenFile } from "../fd/open-file.ts";
import type { Waiter, WaitQueue } from "../fd/wait-queue.ts";
import { requireForeground, type TerminalCaller } from "./job-control.ts";
import type { PtyPair } from "./pty-pair.ts";
import type { Terminal } from "./terminal.ts";
import { terminalIoctl } from "./terminal-ioctl.ts";
import { countOr, goOn } from "./transfer.ts";

/** The events of a terminal whose master is closed, as Linux's hung_up_tty_poll gives them. */
const HUNG_UP_EVENTS = POLLIN | POLLOUT | POLLERR | POLLHUP;
/** VTIME counts tenths of a second. */
const VTIME_UNIT_MS = 100;

/**
 * The side programs hold: it reads what the line discipline makes of typed bytes.
 *
 * Reading and, with TOSTOP, writing from a background group stop the group (job-control.ts). Once
 * the master is closed, reading gives 0 (EIO to a read that waits), all else fails with EIO.
 */
export class PtySlave extends OpenFile {
  readonly terminal: Terminal;
  readonly #pair: PtyPair;

  constructor(pair: PtyPair, flags: number) {
    super(flags);
    this.#pair = pair;
    this.terminal = pair.terminal;
  }

  override describe(): string {
    return `/dev/pts/${this.terminal.number}`;
  }

  override async stat(): Promise<Stat> {
    return this.#pair.files.slaveStat();
  }

  override get isTerminal(): boolean {
    return true;
  }

  override async read(into: Uint8Array, waiter: Waiter): Promise<number> {
    const { terminal } = this;
    if (terminal.isHungUp) return 0;
    await requireForeground(terminal, terminal.jobs.callerOf(waiter), signals.SIGTTIN);
    if (into.length === 0) return 0;
    return terminal.termios.lflag.ICANON
      ? this.#readLine(into, waiter)
      : this.#readBytes(into, waiter);
  }

  override async write(from: Uint8Array, waiter: Waiter): Promise<number> {
    const { terminal } = this;
    if (terminal.isHungUp) throw new KernelError("EIO");
    if (terminal.termios.lflag.TOSTOP) {
      await requireForeground(terminal, terminal.jobs.callerOf(waiter), signals.SIGTTOU);
    }
    let written = terminal.print(from, 0);
    while (written < from.length) {
      if (terminal.isHungUp) return countOr(written, "EIO");
      if (this.isNonBlocking) return countOr(written, "EAGAIN");
      const isGoingOn = await goOn(waiter.wait(terminal.slaveChanged), written);
      if (!isGoingOn) return written;
      written += terminal.print(from, written);
    }
    return written;
  }

  override async ioctl(request: IoctlRequest, caller: TerminalCaller): Promise<IoctlAnswer> {
    if (this.terminal.isHungUp) {
      throw new KernelError(request.request === "TIOCSPGRP" ? "ENOTTY" : "EIO");
    }
    return terminalIoctl(this.terminal, "slave", request, caller);
  }

  override poll(): number {
    const { terminal } = this;
    if (terminal.isHungUp) return HUNG_UP_EVENTS;
    const { VMIN, VTIME } = terminal.termios.cc;
    const atLeast = VTIME === 0 && VMIN > 0 ? VMIN : 1;
    const hasInput = terminal.hasInput(atLeast);
    if (!hasInput) terminal.noteStarved();
    return (hasInput ? POLLIN : 0) | (terminal.canPrint ? POLLOUT : 0);
  }

  override get changed(): WaitQueue {
    return this.terminal.slaveChanged;
  }

  protected override release(): void {
    this.#pair.slaveReleased();
  }

  async #readLine(into: Uint8Array, waiter: Waiter): Promise<number> {
    const { terminal } = this;
    while (!terminal.hasInput()) {
      if (terminal.isHungUp) throw new KernelError("EIO");
      terminal.noteStarved();
      if (this.isNonBlocking) throw new KernelError("EAGAIN");
      await waiter.wait(terminal.slaveChanged);
      await this.#requireForeground(waiter);
    }
    return terminal.takeInput(into);
  }

  /** The four ways of VMIN and VTIME, see termios(3). */
  async #readBytes(into: Uint8Array, waiter: Waiter): Promise<number> {
    const { terminal } = this;
    const { VMIN, VTIME } = terminal.termios.cc;
    const atLeast = Math.min(Math.max(VMIN, 1), into.length);
    const pauseMs = VTIME * VTIME_UNIT_MS;
    let deadlineMs = VMIN === 0 ? terminal.monotonic() + pauseMs : undefined;
    let count = 0;
    for (;;) {
      if (terminal.hasInput()) {
        count += terminal.takeInput(into.subarray(count));
        if (count >= atLeast || terminal.termios.lflag.ICANON) return count;
        if (pauseMs > 0) deadlineMs = terminal.monotonic() + pauseMs;
        continue;
      }
      if (terminal.isHungUp) return countOr(count, "EIO");
      terminal.noteStarved();
      if (deadlineMs !== undefined && terminal.monotonic() >= deadlineMs) return count;
      if (this.isNonBlocking) return countOr(count, "EAGAIN");
      const isGoingOn = await goOn(waiter.wait(terminal.slaveChanged, deadlineMs), count);
      if (!isGoingOn) return count;
      await this.#requireForeground(waiter);
    }
  }

  /** Also who waits may be in the background by now: stopped, and then continued there. */
  async #requireForeground(waiter: Waiter): Promise<void> {
    const { terminal } = this;
    if (terminal.isHungUp) return;
    await requireForeground(terminal, terminal.jobs.callerOf(waiter), signals.SIGTTIN);
  }
}
