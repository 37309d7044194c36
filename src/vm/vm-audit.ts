import type { AuditRecord } from "../kernel/index.ts";
import { ToolAudit, type VmAuditRecord } from "./broker/toolkits/tool-audit.ts";

/** Reads the kernel's own decisions after the one with this number. */
type ReadDecisions = (after: number, limit: number) => Promise<readonly AuditRecord[]>;

/**
 * All decisions about a VM in one order: those of its kernel, and those about tools, which the broker
 * makes and keeps. A tool's stands behind what the kernel had decided by then, and numbers go on when
 * the VM starts anew.
 */
export class VmAudit {
  readonly tools: ToolAudit;
  readonly #read: ReadDecisions;
  /** The number of the last decision that was read. */
  #lastRead = 0;

  constructor(capacity: number, read: ReadDecisions) {
    this.tools = new ToolAudit(capacity);
    this.#read = read;
  }

  /** Those after `after`, oldest first, at most `limit`. */
  async after(after: number, limit: number): Promise<readonly VmAuditRecord[]> {
    const known = this.tools.records.map(({ before, record }, position) => {
      const sequence = before + this.tools.dropped + position + 1;
      return { ...record, sequence };
    });
    const passed = this.tools.dropped + known.filter(({ sequence }) => sequence <= after).length;
    const { base } = this.tools;
    const decisions = await this.#read(Math.max(0, after - passed - base), limit);
    const numbered = decisions.map((record) => {
      const count = base + record.sequence;
      this.#lastRead = Math.max(this.#lastRead, count);
      return { ...record, sequence: count + this.#toolsBefore(count) };
    });
    return [...numbered, ...known]
      .filter(({ sequence }) => sequence > after)
      .sort((a, b) => a.sequence - b.sequence)
      .slice(0, limit);
  }

  /** A new kernel counts from 1 again. */
  restart(): void {
    this.tools.restart(this.#lastRead);
  }

  #toolsBefore(count: number): number {
    const { records, dropped } = this.tools;
    return dropped + records.filter(({ before }) => before < count).length;
  }
}
