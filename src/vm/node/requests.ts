// What the event loop waits for: calls under way in the kernel, and handles that keep a process alive.
import { CallError, call, submit } from "./channel.ts";
import type { Packed } from "./wire/pack.ts";

export type Completion = (error: CallError | undefined, value: any) => void;

interface Pending {
  readonly done: Completion;
  isRef: boolean;
}

const pending = new Map<number, Pending>();
let lastRequest = 0;
/** Those of `pending` that keep the process alive. */
let refs = 0;

/** Starts a call; `done` runs from the event loop when it is complete. Its number, for `cancel`. */
export function request(
  name: string,
  args: readonly Packed[],
  done: Completion,
  isRef = true,
): number {
  lastRequest = lastRequest === 0x7fff_ffff ? 1 : lastRequest + 1;
  const id = lastRequest;
  pending.set(id, { done, isRef });
  if (isRef) refs += 1;
  submit(id, name, args);
  return id;
}

/** Gives up waiting for a call. Its completion is not run; the kernel breaks the call off where it can. */
export function cancel(id: number): void {
  if (forget(id) !== undefined) call("cancel", id);
}

/** Whether a call keeps the process alive. */
export function setRef(id: number, isRef: boolean): void {
  const one = pending.get(id);
  if (one === undefined || one.isRef === isRef) return;
  one.isRef = isRef;
  refs += isRef ? 1 : -1;
}

export function hasRefs(): boolean {
  return refs > 0;
}

export function hasPending(): boolean {
  return pending.size > 0;
}

/** Waits for completions, at most for this long (-1: without end), and then gives each as a function. */
export function* pollCompletions(
  timeoutMs: number,
  waited: () => void,
): Generator<() => void, void> {
  const completions = call("poll", timeoutMs);
  waited();
  for (const [id, failure, value] of completions.map(copyBytes)) {
    const one = forget(id);
    if (one === undefined) continue;
    const error =
      failure === undefined ? undefined : new CallError(failure[0], failure[1], failure[2]);
    yield () => one.done(error, value);
  }
}

function forget(id: number): Pending | undefined {
  const one = pending.get(id);
  if (one === undefined) return undefined;
  pending.delete(id);
  if (one.isRef) refs -= 1;
  return one;
}

/** What the next call will overwrite is kept. */
function copyBytes(value: any): any {
  if (value instanceof Uint8Array) return value.slice();
  if (Array.isArray(value)) return value.map(copyBytes);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, copyBytes(one)]));
}
