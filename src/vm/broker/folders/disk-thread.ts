// The thread that works on host folders, so that the server never waits for a disk. It does one
// thing after the other, but for long listings; Disk is its user.
import { parentPort, workerData } from "node:worker_threads";
import { KernelError } from "../../../kernel/index.ts";
import { DiskChanges } from "./disk-changes.ts";
import { DiskReads } from "./disk-reads.ts";
import { DiskSurveys } from "./disk-surveys.ts";
import { FollowedDirectories } from "./followed-directories.ts";
import { LinuxFiles } from "./linux-files.ts";
import { codeOf, type Reach } from "./reach.ts";
import { canReachByFd, ReachByFd } from "./reach-by-fd.ts";
import { ReachByLibc } from "./reach-by-libc.ts";
import { ReachByPath } from "./reach-by-path.ts";
import { ReadSlots } from "./read-slots.ts";

const reach = openReach();
const reads = new DiskReads(reach);
const changes = new DiskChanges(reach);
const followed = new FollowedDirectories();
const surveys = new DiskSurveys(reach, followed);
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what Disk starts this thread with
const slots = new ReadSlots(workerData as SharedArrayBuffer);

type Params<M extends (...args: never) => unknown> = Parameters<M>[0];

interface SlotRequest {
  readonly slot: number;
  readonly fd: number;
  readonly offset: number;
  readonly length: number;
}

const performers = {
  openRoot: (of: Params<DiskReads["openRoot"]>) => reads.openRoot(of),
  find: (of: Params<DiskReads["find"]>) => reads.find(of),
  close: (of: Params<DiskReads["close"]>) => reads.close(of),
  stat: (of: Params<DiskReads["stat"]>) => reads.stat(of),
  readLink: (of: Params<DiskReads["readLink"]>) => reads.readLink(of),
  read: (of: Params<DiskReads["read"]>) => reads.read(of),
  readSlot: (of: SlotRequest) => reads.readInto(slots.view(of.slot, of.length), of),
  contents: (of: Params<DiskReads["contents"]>) => reads.contents(of),
  statFs: (of: Params<DiskReads["statFs"]>) => reads.statFs(of),
  survey: (of: Params<DiskSurveys["survey"]>) => surveys.survey(of),
  surveyWhole: (of: Params<DiskSurveys["surveyWhole"]>) => surveys.surveyWhole(of),
  changes: ({ follower }: { readonly follower: number }) => followed.changes(follower),
  dropFollower: ({ follower }: { readonly follower: number }) => followed.drop(follower),
  write: (of: Params<DiskChanges["write"]>) => changes.write(of),
  truncate: (of: Params<DiskChanges["truncate"]>) => changes.truncate(of),
  create: (of: Params<DiskChanges["create"]>) => changes.create(of),
  link: (of: Params<DiskChanges["link"]>) => changes.link(of),
  unlink: (of: Params<DiskChanges["unlink"]>) => changes.unlink(of),
  rmdir: (of: Params<DiskChanges["rmdir"]>) => changes.rmdir(of),
  rename: (of: Params<DiskChanges["rename"]>) => changes.rename(of),
  change: (of: Params<DiskChanges["change"]>) => changes.change(of),
} as const;

export type DiskCalls = typeof performers;
export type DiskCall = keyof DiskCalls;

export interface DiskRequest {
  readonly id: number;
  readonly call: DiskCall;
  readonly params: unknown;
}

export type DiskAnswer = { readonly id: number } & (
  | { readonly value: unknown }
  /** Node's code, or ours. */
  | { readonly code: string; readonly reason: string | undefined }
);

parentPort?.on("message", ({ id, call, params }: DiskRequest) => {
  const answer = (value: unknown): void => parentPort?.postMessage({ id, value }, buffersOf(value));
  const refuse = (error: unknown): void => parentPort?.postMessage({ id, ...failureOf(error) });
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Disk.call's types have put the two together
    const perform = performers[call] as (params: unknown) => unknown;
    const value = perform(params);
    if (value instanceof Promise) value.then(answer, refuse);
    else answer(value);
  } catch (error) {
    refuse(error);
  }
});

/** The quickest that this host has. */
function openReach(): Reach {
  if (!canReachByFd()) return new ReachByPath();
  const files = LinuxFiles.open();
  return files === undefined ? new ReachByFd() : new ReachByLibc(files);
}

/** The bytes change hands: they are not copied, unless they are a part of something. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (typeof value === "object" && value !== null && "bytes" in value) {
    return buffersOf(value.bytes);
  }
  if (!(value instanceof Uint8Array)) return [];
  const { buffer, byteLength } = value;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

function failureOf(error: unknown): { code: string; reason: string | undefined } {
  if (error instanceof KernelError) return { code: error.errno, reason: error.reason };
  return { code: codeOf(error), reason: undefined };
}
