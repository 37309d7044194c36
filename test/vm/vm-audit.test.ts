import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuditRecord } from "../../src/kernel/index.ts";
import { VmAudit } from "../../src/vm/vm-audit.ts";

/** A kernel that makes decisions, and a VM that asks for tools between them. */
class Machine {
  decisions: AuditRecord[] = [];
  readonly audit: VmAudit;
  readonly happened: string[] = [];
  #count = 0;

  constructor(capacity = 1000) {
    this.audit = new VmAudit(capacity, async (after, limit) =>
      this.decisions.filter(({ sequence }) => sequence > after).slice(0, limit),
    );
  }

  decide(): void {
    this.#count += 1;
    const subject = `d${this.#count}`;
    this.happened.push(subject);
    const sequence = this.decisions.length + 1;
    this.decisions.push({ ...plain, subject, sequence });
  }

  call(): void {
    this.#count += 1;
    const subject = `t${this.#count}`;
    this.happened.push(subject);
    const caller = { pid: 1, command: "c", audited: this.decisions.length, resultBytes: () => 0 };
    this.audit.tools
      .begin({ caller, subject, isAllowed: true, rule: "toolkit" })
      .end({ type: "result" }, 5);
  }

  restart(): void {
    this.decisions = [];
    this.audit.restart();
  }

  async pages(limit: number): Promise<string[]> {
    const seen: string[] = [];
    for (let after = 0; ; ) {
      const page = await this.audit.after(after, limit);
      if (page.length === 0) return seen;
      for (const { sequence, subject } of page) {
        expect(sequence).toBeGreaterThan(after);
        after = sequence;
        seen.push(subject);
      }
    }
  }
}

const plain = {
  timeMs: 0,
  pid: 1,
  command: "c",
  call: "open",
  scope: "fs",
  operation: "read",
  outcome: "allow",
  rule: "fs",
} as const;

describe("VmAudit", () => {
  it("keeps decisions and calls of tools in their order, however it is read", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.boolean(), { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        async (steps, limit) => {
          const machine = new Machine();
          for (const isCall of steps) {
            if (isCall) machine.call();
            else machine.decide();
          }
          expect(await machine.pages(limit)).toEqual(machine.happened);
        },
      ),
    );
  });

  it("numbers what the kernel alone decides as the kernel does", async () => {
    const machine = new Machine();
    for (let count = 0; count < 5; count++) machine.decide();
    expect((await machine.audit.after(2, 2)).map(({ sequence }) => sequence)).toEqual([3, 4]);
  });

  it("says what became of a call, also while it goes on", async () => {
    const { audit } = new Machine();
    const caller = { pid: 7, command: "agentos-x y", audited: 0, resultBytes: () => 0 };
    const record = audit.tools.begin({ caller, subject: "x:y", isAllowed: true, rule: "toolkit" });
    expect((await audit.after(0, 9))[0]).toMatchObject({
      pid: 7,
      command: "agentos-x y",
      subject: "x:y",
      outcome: "allow",
      tool: { outcome: "running", durationMs: undefined },
    });
    record.decide("deny", "a person");
    record.end({ type: "error", code: "denied", message: "no" }, 0);
    expect((await audit.after(0, 9))[0]).toMatchObject({
      outcome: "deny",
      tool: { outcome: "denied", decidedBy: "a person", durationMs: expect.any(Number) },
    });
  });

  it("keeps the newest calls, and those of before a restart, with numbers that never repeat", async () => {
    const machine = new Machine(3);
    machine.decide();
    for (let count = 0; count < 4; count++) machine.call();
    machine.decide();
    const before = await machine.audit.after(0, 99);
    expect(before.map(({ subject }) => subject)).toEqual(["d1", "t3", "t4", "t5", "d6"]);
    machine.restart();
    machine.decide();
    machine.call();
    const after = await machine.audit.after(before.at(-1)?.sequence ?? 0, 99);
    expect(after.map(({ subject }) => subject)).toEqual(["d7", "t8"]);
    expect((await machine.audit.after(0, 99)).map(({ subject }) => subject)).toEqual([
      "t4",
      "t5",
      "d7",
      "t8",
    ]);
  });

  it("takes a cell's word for the order alone: it cannot put a call before others", async () => {
    const { audit } = new Machine();
    const begin = (subject: string, audited: number): void => {
      const caller = { pid: 1, command: "", audited, resultBytes: () => 0 };
      audit.tools.begin({ caller, subject, isAllowed: false, rule: "toolkit" });
    };
    begin("a", 100);
    begin("b", 0);
    expect((await audit.after(0, 9)).map(({ subject }) => subject)).toEqual(["a", "b"]);
  });
});
