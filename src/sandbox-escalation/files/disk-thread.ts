// The thread that works on shared directories, so that the server never waits for a disk. It does one
// thing after the other, but for listings, which may be long; Disk is its user.
import { parentPort, workerData } from "node:worker_threads";
import { KernelError } from "../../kernel/index.ts";
import * as calls from "./disk-calls.ts";
import { DiskListing } from "./disk-listing.ts";
import { ReadSlots } from "./read-slots.ts";

const listing = new DiskListing();
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Disk starts this thread with
const slots = new ReadSlots(workerData as SharedArrayBuffer);

interface SlotWish {
  readonly slot: number;
  readonly fd: number;
  readonly offset: number;
  readonly length: number;
}

const performers = {
  openRoot: calls.openRoot,
  find: calls.find,
  close: calls.close,
  stat: calls.stat,
  readLink: calls.readLink,
  list: (wish: Parameters<DiskListing["list"]>[0]) => listing.list(wish),
  read: calls.read,
  readSlot: (wish: SlotWish) => calls.readInto(slots.view(wish.slot, wish.length), wish),
  write: calls.write,
  truncate: calls.truncate,
  create: calls.create,
  link: calls.link,
  unlink: calls.unlink,
  rmdir: calls.rmdir,
  rename: calls.rename,
  change: calls.change,
  statFs: calls.statFs,
} as const;

export type DiskCalls = typeof performers;
export type DiskCall = keyof DiskCalls;

export interface DiskRequest {
  readonly id: number;
  readonly call: DiskCall;
  readonly wish: unknown;
}

export type DiskAnswer = { readonly id: number } & (
  | { readonly value: unknown }
  /** Node's code, or ours. */
  | { readonly code: string; readonly reason: string | undefined }
);

parentPort?.on("message", ({ id, call, wish }: DiskRequest) => {
  const answer = (value: unknown): void => parentPort?.postMessage({ id, value }, buffersOf(value));
  const refuse = (error: unknown): void => parentPort?.postMessage({ id, ...failureOf(error) });
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Disk.call's types have put the two together
    const perform = performers[call] as (wish: unknown) => unknown;
    const value = perform(wish);
    if (value instanceof Promise) value.then(answer, refuse);
    else answer(value);
  } catch (error) {
    refuse(error);
  }
});

/** The bytes change hands: they are not copied, unless they are a part of something. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (!(value instanceof Uint8Array)) return [];
  const { buffer, byteLength } = value;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function failureOf(error: unknown): { code: string; reason: string | undefined } {
  if (error instanceof KernelError) return { code: error.errno, reason: error.reason };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return { code, reason: undefined };
}
