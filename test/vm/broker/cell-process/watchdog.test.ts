import { describe, expect, it } from "vitest";
import { Watchdog, type WatchdogClock } from "../../../../src/vm/broker/cell-process/watchdog.ts";
import { quietAsks } from "../../../support/cell-asks.ts";

/** A clock whose hands the test turns. */
class ManualClock implements WatchdogClock {
  #now = 0;
  readonly timers = new Map<() => void, { periodMs: number; dueAt: number }>();

  now(): number {
    return this.#now;
  }

  every(periodMs: number, tick: () => void): () => void {
    this.timers.set(tick, { periodMs, dueAt: this.#now + periodMs });
    return () => this.timers.delete(tick);
  }

  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = [...this.timers].sort((a, b) => a[1].dueAt - b[1].dueAt)[0];
      if (next === undefined || next[1].dueAt > end) break;
      const [tick, timer] = next;
      this.#now = timer.dueAt;
      timer.dueAt += timer.periodMs;
      tick();
    }
    this.#now = end;
  }

  /** The whole server stands still; then the timer fires once. */
  standStill(ms: number): void {
    this.#now += ms;
    for (const [tick, timer] of this.timers) {
      timer.dueAt = this.#now + timer.periodMs;
      tick();
    }
  }

  periods(): number[] {
    return [...this.timers.values()].map((timer) => timer.periodMs);
  }
}

class TestCell {
  readonly memoryLimitBytes: number;
  readonly events: string[] = [];
  resident: number | undefined = 10;
  readings = 0;

  constructor(memoryLimitBytes = 1_000) {
    this.memoryLimitBytes = memoryLimitBytes;
  }

  residentBytes(): number | undefined {
    this.readings++;
    return this.resident;
  }

  kill(reason: string): void {
    this.events.push(`kill ${reason}`);
  }
}

function setUp() {
  const clock = new ManualClock();
  const watchdog = new Watchdog({ clock, limits: { pingEveryMs: 1_000, silentLimitMs: 3_000 } });
  return { clock, watchdog };
}

describe("Watchdog", () => {
  it("has one timer for all cells, quick while one is active, none when all are stopped", () => {
    const { clock, watchdog } = setUp();
    expect(clock.periods()).toEqual([]);
    const first = watchdog.watch(new TestCell(), quietAsks);
    const second = watchdog.watch(new TestCell(), quietAsks);
    expect(clock.periods()).toEqual([100]);
    first.setActive(true);
    second.setActive(true);
    expect(clock.periods()).toEqual([25]);
    first.setActive(false);
    expect(clock.periods()).toEqual([25]);
    second.stop();
    clock.advance(25);
    expect(clock.periods()).toEqual([100]);
    first.stop();
    expect(clock.periods()).toEqual([]);
  });

  it("kills a cell far above its memory limit at the next look, and only that one", () => {
    const { clock, watchdog } = setUp();
    const greedy = new TestCell();
    const modest = new TestCell();
    watchdog.watch(greedy, quietAsks).setActive(true);
    watchdog.watch(modest, quietAsks);
    clock.advance(100);
    greedy.resident = 1_001 + 256 * 1024 * 1024;
    clock.advance(25);
    expect([greedy.events, modest.events]).toEqual([["kill memory"], []]);
    const readings = greedy.readings;
    clock.advance(1_000);
    expect([greedy.events, greedy.readings]).toEqual([["kill memory"], readings]);
  });

  it("asks a cell near its limit to clean up, and says when that did not help", () => {
    const { clock, watchdog } = setUp();
    const cell = new TestCell();
    const watch = watchdog.watch(cell, {
      ...quietAsks,
      relieve: () => cell.events.push(`relieve at ${clock.now()}`),
      sayShort: ({ residentBytes }) =>
        cell.events.push(`short of ${residentBytes} at ${clock.now()}`),
    });
    watch.setActive(true);
    cell.resident = 1_001;
    clock.advance(100);
    watch.relieved();
    clock.advance(100);
    expect(cell.events).toEqual(["relieve at 25", "short of 1001 at 105"]);
  });

  it("has the largest cell pay where all have too much together, at last with its end", () => {
    const clock = new ManualClock();
    const watchdog = new Watchdog({ clock, totalMemoryBytes: 1_000 });
    const [large, small] = [new TestCell(10_000), new TestCell(10_000)];
    for (const cell of [large, small]) {
      watchdog.watch(cell, {
        ...quietAsks,
        sayShort: ({ residentBytes, sharedLimitBytes }) =>
          cell.events.push(`short of ${residentBytes}, all may have ${sharedLimitBytes}`),
      });
    }
    const short = "short of 700, all may have 1000";
    large.resident = 700;
    small.resident = 301;
    clock.advance(500);
    expect([large.events, small.events]).toEqual([[short], []]);
    clock.advance(200);
    expect(large.events).toEqual([short, short]);
    large.resident += 256 * 1024 * 1024;
    clock.advance(100);
    expect([large.events.at(-1), small.events]).toEqual(["kill all-memory", []]);
  });

  it("looks at a VM at work more often while it has much memory, and at its neighbours as before", () => {
    const { clock, watchdog } = setUp();
    const [full, idle] = [new TestCell(), new TestCell()];
    watchdog.watch(full, quietAsks).setActive(true);
    watchdog.watch(idle, quietAsks);
    full.resident = 900;
    clock.advance(25);
    expect([clock.periods(), full.readings, idle.readings]).toEqual([[5], 1, 0]);
    clock.advance(200);
    expect([full.readings, idle.readings]).toEqual([41, 2]);
  });

  it("looks often at a cell whose memory changes though no command runs", () => {
    const { clock, watchdog } = setUp();
    const cell = new TestCell(2 ** 30);
    watchdog.watch(cell, quietAsks);
    cell.resident = 2 ** 21;
    clock.advance(100);
    expect(clock.periods()).toEqual([25]);
    clock.advance(50);
    expect(clock.periods()).toEqual([100]);
  });

  it("looks at a VM that is busy with short commands one after another", () => {
    const { clock, watchdog } = setUp();
    const cell = new TestCell();
    const watch = watchdog.watch(cell, quietAsks);
    for (let command = 0; command < 10; command++) {
      watch.setActive(true);
      clock.advance(9);
      watch.setActive(false);
      clock.advance(1);
    }
    expect(cell.readings).toBe(4);
  });

  it("kills a cell that does not answer its ping", () => {
    const { clock, watchdog } = setUp();
    const cell = new TestCell();
    const ping = (): unknown => cell.events.push(`ping at ${clock.now()}`);
    watchdog.watch(cell, { ...quietAsks, ping });
    clock.advance(3_999);
    expect(cell.events).toEqual(["ping at 1000"]);
    clock.advance(1);
    expect(cell.events).toEqual(["ping at 1000", "kill silent"]);
    expect(clock.periods()).toEqual([]);
  });

  it("lets a cell live that answers, however late within the limit", () => {
    const { clock, watchdog } = setUp();
    const cell = new TestCell();
    const watch = watchdog.watch(cell, {
      ...quietAsks,
      ping: () => cell.events.push("ping"),
    });
    for (let round = 0; round < 3; round++) {
      clock.advance(3_500);
      watch.heard();
    }
    expect(cell.events).toEqual(["ping", "ping", "ping"]);
  });

  it("does not take the server's own standstill for a cell's silence", () => {
    const { clock, watchdog } = setUp();
    const cell = new TestCell();
    watchdog.watch(cell, {
      ...quietAsks,
      ping: () => cell.events.push("ping"),
    });
    clock.advance(1_000);
    clock.standStill(60_000);
    expect(cell.events).toEqual(["ping"]);
  });
});
