import { describe, expect, it } from "vitest";
import { type EngineMemory, type MemoryUse, V8Memory } from "../../../src/vm/cell/engine-memory.ts";
import { MemoryWatch } from "../../../src/vm/cell/memory-watch.ts";

const MEBIBYTE = 1024 * 1024;

/** An engine with a limit of 400 MiB: what lives, and garbage that a collection takes. */
class TestEngine implements EngineMemory {
  readonly events: string[] = [];
  heap = 0;
  buffers = 0;
  garbage = 0;
  /** Garbage buffers; a plain collection frees them too late for the measure after it. */
  oldBuffers = 0;

  measure(): MemoryUse {
    const heap = (this.heap + this.garbage) * MEBIBYTE;
    const all = heap + (this.buffers + this.oldBuffers) * MEBIBYTE;
    return { limit: 400 * MEBIBYTE, heap, all };
  }

  collect(): void {
    this.events.push("collect");
    this.garbage = 0;
  }

  collectThoroughly(): void {
    this.events.push("thoroughly");
    this.garbage = 0;
    this.oldBuffers = 0;
  }
}

function setUp() {
  let now = 0;
  const timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  const engine = new TestEngine();
  const watch = new MemoryWatch(engine, {
    now: () => now,
    after: (delayMs, callback) => void timers.push({ atMs: now + delayMs, callback }),
  });
  const advance = (ms: number): void => {
    now += ms;
    const due = timers.filter(({ atMs }) => atMs <= now);
    for (const timer of due) {
      timers.splice(timers.indexOf(timer), 1);
      timer.callback();
    }
  };
  return { engine, watch, advance };
}

describe("MemoryWatch", () => {
  it("collects a heap that is half full, and finds no shortage where that helps", () => {
    const { engine, watch } = setUp();
    engine.garbage = 221;
    watch.look();
    expect([engine.events, watch.takeShortage()]).toEqual([["collect"], false]);
  });

  it("finds a shortage of heap, and gives it out once", () => {
    const { engine, watch } = setUp();
    engine.heap = 221;
    watch.look();
    expect([watch.takeShortage(), watch.takeShortage()]).toEqual([true, false]);
    expect(engine.events).toEqual(["collect"]);
  });

  it("does not take garbage buffers for a shortage", () => {
    const { engine, watch } = setUp();
    engine.oldBuffers = 350;
    watch.look();
    expect([engine.events, watch.takeShortage()]).toEqual([["collect", "thoroughly"], false]);
  });

  it("finds a shortage of buffers that are in use", () => {
    const { engine, watch } = setUp();
    engine.buffers = 281;
    watch.look();
    expect(watch.takeShortage()).toBe(true);
  });

  it("lets as many pay as it takes", () => {
    const { engine, watch } = setUp();
    engine.buffers = 280 + 2 * 64;
    watch.look();
    const payers = [1, 2, 3, 4].map(() => watch.takeShortage());
    expect(payers).toEqual([true, true, true, false]);
  });

  it("forgets a shortage that nobody has paid for", () => {
    const { watch, advance } = setUp();
    watch.declareShort();
    advance(249);
    expect(watch.takeShortage()).toBe(true);
    watch.declareShort();
    advance(250);
    expect(watch.takeShortage()).toBe(false);
  });

  it("gives memory back when guests have come to rest, once", () => {
    const { engine, watch, advance } = setUp();
    engine.garbage = 60;
    for (let looks = 0; looks < 20; looks++) {
      watch.look();
      advance(30);
    }
    expect(engine.events).toEqual([]);
    advance(250);
    advance(250);
    expect(engine.events).toEqual(["thoroughly"]);
    watch.look();
    advance(1_000);
    expect(engine.events).toEqual(["thoroughly"]);
  });

  it("leaves little garbage to the engine", () => {
    const { engine, watch, advance } = setUp();
    engine.garbage = 40;
    watch.look();
    advance(1_000);
    expect(engine.events).toEqual([]);
  });
});

describe("V8Memory", () => {
  it("counts buffers, and frees those that nobody holds", () => {
    const memory = new V8Memory();
    memory.collectThoroughly();
    const before = memory.measure().all;
    const held = [Buffer.alloc(64 * MEBIBYTE, 1)];
    memory.collectThoroughly();
    expect(memory.measure().all - before).toBeGreaterThan(60 * MEBIBYTE);
    held.length = 0;
    memory.collectThoroughly();
    expect(memory.measure().all - before).toBeLessThan(8 * MEBIBYTE);
  });
});
