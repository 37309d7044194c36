import { O_RDWR } from "../../src/kernel/abi/open-flags.ts";
import { findSignalName } from "../../src/kernel/abi/signals.ts";
import { Limits } from "../../src/kernel/limits/limits.ts";
import { ROOT } from "../../src/kernel/permissions/credentials.ts";
import type { Session } from "../../src/kernel/process/process.ts";
import { SignalState } from "../../src/kernel/process/signal-state.ts";
import type { JobControl, TerminalCaller } from "../../src/kernel/pty/job-control.ts";
import type { PtyMaster } from "../../src/kernel/pty/pty-pair.ts";
import type { PtySlave } from "../../src/kernel/pty/pty-slave.ts";
import { PtyTable } from "../../src/kernel/pty/pty-table.ts";
import type { Terminal } from "../../src/kernel/pty/terminal.ts";
import { ManualClock, TestWaiter } from "./waiter.ts";

/** A process as terminals see it: it waits, and is stopped by the stop signals it does not handle. */
export class TestProcess extends TestWaiter implements TerminalCaller {
  readonly pid: number;
  pgid: number;
  session: Session;
  readonly signals = new SignalState();
  state: TerminalCaller["state"] = "running";
  readonly generation = 0;
  readonly credentials = ROOT;
  #resume: (() => void) | undefined;

  constructor(pid: number, session: Session, pgid = pid, clock = new ManualClock()) {
    super(clock);
    this.pid = pid;
    this.pgid = pgid;
    this.session = session;
  }

  async proceed(): Promise<void> {
    if (this.state !== "stopped") return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#resume = resolve;
    await promise;
  }

  continue(): void {
    this.state = "running";
    this.#resume?.();
  }
}

/** A process table of TestProcesses that writes down the signals it is asked to send. */
export class TestJobs implements JobControl {
  readonly processes: TestProcess[] = [];
  /** As `SIGINT to group 7`. */
  readonly sent: string[] = [];
  readonly orphaned = new Set<number>();

  callerOf(waiter: unknown): TerminalCaller | undefined {
    return this.processes.find((process) => process === waiter);
  }

  signalGroup(pgid: number, signal: number): void {
    const name = findSignalName(signal) ?? String(signal);
    this.sent.push(`${name} to group ${pgid}`);
    const isStopping = name === "SIGTTIN" || name === "SIGTTOU" || name === "SIGTSTP";
    for (const process of this.processes.filter((each) => each.pgid === pgid)) {
      if (process.signals.disposition(signal) === "catch") process.signals.add(signal);
      else if (isStopping) process.state = "stopped";
    }
  }

  signalProcess(pid: number, signal: number): void {
    this.sent.push(`${findSignalName(signal) ?? String(signal)} to process ${pid}`);
  }

  isOrphaned(pgid: number): boolean {
    return this.orphaned.has(pgid);
  }

  findSession(pgid: number): number | undefined {
    return this.processes.find((process) => process.pgid === pgid)?.session.sid;
  }
}

export interface TestPty {
  readonly table: PtyTable;
  readonly limits: Limits;
  readonly jobs: TestJobs;
  readonly clock: ManualClock;
  readonly master: PtyMaster;
  readonly slave: PtySlave;
  readonly terminal: Terminal;
  /** Leads the session; the terminal is not its own until it takes it. */
  readonly leader: TestProcess;
}

/** A pseudo-terminal, each side held once, and the process that made it. */
export function makePty(): TestPty {
  const limits = new Limits({}, () => {});
  const jobs = new TestJobs();
  const clock = new ManualClock();
  const { monotonic } = clock;
  const table = new PtyTable({ limits, jobs, now: () => 1000, monotonic });
  const leader = new TestProcess(7, { sid: 7, terminal: undefined }, 7, clock);
  jobs.processes.push(leader);
  const { master, slave } = table.create(leader, { rows: 24, cols: 80 });
  master.retain();
  slave.retain();
  return { table, limits, jobs, clock, master, slave, terminal: slave.terminal, leader };
}

/** Another process of the leader's session, in a group of its own. */
export function addProcess({ jobs, leader, clock }: TestPty, pid: number): TestProcess {
  const process = new TestProcess(pid, leader.session, pid, clock);
  jobs.processes.push(process);
  return process;
}

/** Opens the slave once more, as a second descriptor would. */
export function openAgain({ table, terminal }: TestPty): PtySlave {
  const slave = table.openSlave(terminal.number, O_RDWR);
  slave.retain();
  return slave;
}
