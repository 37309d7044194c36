import { describe, expect, it } from "vitest";
import { Watchdog, type WatchdogClock } from "../../../../src/vm/broker/cell-process/watchdog.ts";

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
  readonly memoryLimitBytes = 1_000;
  readonly events: string[] = [];
  resident: number | undefined = 10;
  readings = 0;

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
    const first = watchdog.watch(new TestCell(), () => undefined);
    const second = watchdog.watch(new TestCell(), () => undefined);
    expect(clock.periods()).toEqual([500]);
    first.setActive(true);
    second.setActive(true);
    expect(clock.periods()).toEqual([25]);
    first.setActive(false);
    expect(clock.periods()).toEqual([25]);
    second.stop();
    clock.advance(25);
    expect(clock.periods()).toEqual([500]);
    first.stop();
    expect(clock.periods()).toEqual([]);
  });

  it("kills a cell over its memory limit at the next look, and only that one", () => {
    const { clock, watchdog } = setUp();
    const greedy = new TestCell();
    const modest = new TestCell();
    watchdog.watch(greedy, () => undefined).setActive(true);
    watchdog.watch(modest, () => undefined);
    clock.advance(100);
    greedy.resident = 1_001;
    clock.advance(25);
    expect([greedy.events, modest.events]).toEqual([["kill memory"], []]);
    const readings = greedy.readings;
    clock.advance(1_000);
    expect([greedy.events, greedy.readings]).toEqual([["kill memory"], readings]);
  });

  it("looks at a VM that is busy with short commands one after another", () => {
    const { clock, watchdog } = setUp();
    const cell = new TestCell();
    const watch = watchdog.watch(cell, () => undefined);
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
    watchdog.watch(cell, () => cell.events.push(`ping at ${clock.now()}`));
    clock.advance(3_999);
    expect(cell.events).toEqual(["ping at 1000"]);
    clock.advance(1);
    expect(cell.events).toEqual(["ping at 1000", "kill silent"]);
    expect(clock.periods()).toEqual([]);
  });

  it("lets a cell live that answers, however late within the limit", () => {
    const { clock, watchdog } = setUp();
    const cell = new TestCell();
    const watch = watchdog.watch(cell, () => cell.events.push("ping"));
    for (let round = 0; round < 3; round++) {
      clock.advance(3_500);
      watch.heard();
    }
    expect(cell.events).toEqual(["ping", "ping", "ping"]);
  });

  it("does not take the server's own standstill for a cell's silence", () => {
    const { clock, watchdog } = setUp();
    const cell = new TestCell();
    watchdog.watch(cell, () => cell.events.push("ping"));
    clock.advance(1_000);
    clock.standStill(60_000);
    expect(cell.events).toEqual(["ping"]);
  });
});
