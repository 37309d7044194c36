/** Lists that a cell answers page by page. It may lie: each page goes on after the one before, and lists have an end. */
import { type AuditRecord, type DirectoryEntry, KernelError } from "../kernel/index.ts";
import { HostError } from "./host-error.ts";
import type { CellParams, CellResult, ProcessInfo } from "./wire/cell-methods.ts";

type Page<M extends "processes" | "audit" | "readdir"> = (
  params: CellParams<M>,
) => Promise<CellResult<M>>;

/** Room for one list at the server, counted as the text of its entries and what each takes besides. */
const LIST_BYTES = 32 << 20;
const ENTRY_BYTES = 64;

/** EIO where the cell goes round in circles; LISTING_TOO_LONG. */
export async function listProcesses(page: Page<"processes">): Promise<ProcessInfo[]> {
  const all: ProcessInfo[] = [];
  const room = new ListRoom("the processes");
  while (true) {
    const after = all.at(-1)?.pid ?? 0;
    const { processes, isEnd } = await page({ after });
    requireRising(
      processes.map(({ pid }) => pid),
      after,
    );
    for (const one of processes) {
      room.take(one.command.length);
      all.push(one);
    }
    if (isEnd || processes.length === 0) return all;
  }
}

/** At most `limit`. EIO where the cell goes round in circles; LISTING_TOO_LONG. */
export async function listDecisions(
  page: Page<"audit">,
  { after, limit }: CellParams<"audit">,
): Promise<AuditRecord[]> {
  const all: AuditRecord[] = [];
  const room = new ListRoom("the audit log");
  while (all.length < limit) {
    const last = all.at(-1)?.sequence ?? after;
    const { records } = await page({ after: last, limit: limit - all.length });
    requireRising(
      records.map(({ sequence }) => sequence),
      last,
    );
    for (const one of records) {
      room.take(one.command.length + one.subject.length + one.rule.length + one.call.length);
      all.push(one);
    }
    if (records.length === 0) break;
  }
  return all.slice(0, limit);
}

/** LISTING_TOO_LONG. */
export async function listDirectory(
  page: Page<"readdir">,
  params: Omit<CellParams<"readdir">, "offset">,
): Promise<DirectoryEntry[]> {
  const all: DirectoryEntry[] = [];
  const room = new ListRoom(params.path);
  while (true) {
    const { entries, isEnd } = await page({ ...params, offset: all.length });
    for (const entry of entries) {
      room.take(entry.name.length);
      all.push(entry);
    }
    if (isEnd || entries.length === 0) return all;
  }
}

class ListRoom {
  readonly #what: string;
  #left = LIST_BYTES;

  constructor(what: string) {
    this.#what = what;
  }

  take(characters: number): void {
    this.#left -= characters + ENTRY_BYTES;
    if (this.#left >= 0) return;
    throw new HostError("LISTING_TOO_LONG", { path: this.#what, limit: LIST_BYTES });
  }
}

function requireRising(numbers: readonly number[], after: number): void {
  let last = after;
  for (const number of numbers) {
    if (number <= last) throw new KernelError("EIO", undefined, "the VM lists without an end");
    last = number;
  }
}
