import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

const values = staticsOf("async_wrap");
const { kStackLength, kExecutionAsyncId, kTriggerAsyncId, kAsyncIdCounter, kDestroy } = values["constants"];
const hookFields: Uint32Array = values["async_hook_fields"];
const idFields: Float64Array = values["async_id_fields"];
const idStack: Float64Array = values["async_ids_stack"];
const resources: unknown[] = [];

/** Ids of things that are gone, for the destroy hook. */
const destroyed: number[] = [];
let nativeHooks: Record<string, any> = {};
let promiseHooks: unknown[] = [undefined, undefined, undefined, undefined];
let trampoline: unknown;

export const asyncWrap = (): Binding => ({
  ...values,
  execution_async_resources: resources,
  setupHooks(hooks: typeof nativeHooks): void {
    nativeHooks = hooks;
  },
  setCallbackTrampoline(callback: unknown): void {
    trampoline = callback;
  },
  pushAsyncContext,
  popAsyncContext,
  executionAsyncResource: (index: number) => resources[index],
  clearAsyncIdStack,
  queueDestroyAsyncId,
  setPromiseHooks(...hooks: unknown[]): void {
    promiseHooks = hooks;
    native["setPromiseHooks"](...hooks);
  },
  getPromiseHooks: () => promiseHooks,
  registerDestroyHook(object: object, id: number, flags?: { destroyed: boolean }): void {
    registry.register(object, { id, flags });
  },
});

const registry = new FinalizationRegistry<{ id: number; flags: { destroyed: boolean } | undefined }>(
  ({ id, flags }) => {
    if (flags?.destroyed !== true) queueDestroyAsyncId(id);
  },
);

/** Called where the stack of Node's own array is full. */
function pushAsyncContext(asyncId: number, triggerId: number): void {
  const offset = hookFields[kStackLength] ?? 0;
  overflow[offset * 2] = idFields[kExecutionAsyncId] ?? 0;
  overflow[offset * 2 + 1] = idFields[kTriggerAsyncId] ?? 0;
  hookFields[kStackLength] = offset + 1;
  idFields[kExecutionAsyncId] = asyncId;
  idFields[kTriggerAsyncId] = triggerId;
}

/** Entries beyond the length of `async_ids_stack`. */
const overflow: number[] = [];

function popAsyncContext(asyncId: number): boolean {
  const length = hookFields[kStackLength] ?? 0;
  if (length === 0) return false;
  if (idFields[kExecutionAsyncId] !== asyncId) return clearAsyncIdStack();
  const offset = length - 1;
  const isOver = offset * 2 >= idStack.length;
  idFields[kExecutionAsyncId] = (isOver ? overflow : idStack)[offset * 2] ?? 0;
  idFields[kTriggerAsyncId] = (isOver ? overflow : idStack)[offset * 2 + 1] ?? 0;
  resources.length = Math.min(resources.length, offset);
  hookFields[kStackLength] = offset;
  return offset > 0;
}

function clearAsyncIdStack(): boolean {
  idFields[kExecutionAsyncId] = 0;
  idFields[kTriggerAsyncId] = 0;
  hookFields[kStackLength] = 0;
  resources.length = 0;
  return false;
}

function queueDestroyAsyncId(id: number): void {
  if ((hookFields[kDestroy] ?? 0) === 0) return;
  destroyed.push(id);
}

/** Runs the destroy hooks for what was queued. The loop calls it once a turn. */
export function emitDestroyed(): void {
  while (destroyed.length > 0) nativeHooks["destroy"]?.(destroyed.shift());
}

export function newAsyncId(): number {
  const id = (idFields[kAsyncIdCounter] ?? 0) + 1;
  idFields[kAsyncIdCounter] = id;
  return id;
}

const { kInit, kBefore, kAfter, kDefaultTriggerAsyncId } = values["constants"];

/** What Node's AsyncWrap gives each request and handle: an id, and hooks around its callbacks. */
export class AsyncWrap {
  readonly #asyncId: number;
  readonly #triggerId: number;

  constructor(provider: string) {
    this.#asyncId = newAsyncId();
    const trigger = idFields[kDefaultTriggerAsyncId] ?? -1;
    this.#triggerId = trigger < 0 ? (idFields[kExecutionAsyncId] ?? 0) : trigger;
    if ((hookFields[kInit] ?? 0) > 0)
      nativeHooks["init"]?.(this.#asyncId, provider, this.#triggerId, this);
  }

  getAsyncId(): number {
    return this.#asyncId;
  }

  getProviderType(): number {
    return 0;
  }

  asyncReset(): void {}

  /** Calls `run` as this thing's callback. */
  static within(wrap: AsyncWrap, run: () => void): void {
    pushContext(wrap.#asyncId, wrap.#triggerId, wrap);
    try {
      if ((hookFields[kBefore] ?? 0) > 0) nativeHooks["before"]?.(wrap.#asyncId);
      run();
      if ((hookFields[kAfter] ?? 0) > 0) nativeHooks["after"]?.(wrap.#asyncId);
    } finally {
      popAsyncContext(wrap.#asyncId);
    }
  }

  static destroyed(wrap: AsyncWrap): void {
    queueDestroyAsyncId(wrap.#asyncId);
  }
}

function pushContext(asyncId: number, triggerId: number, resource: unknown): void {
  const offset = hookFields[kStackLength] ?? 0;
  resources[offset] = resource;
  if (offset * 2 >= idStack.length) return pushAsyncContext(asyncId, triggerId);
  idStack[offset * 2] = idFields[kExecutionAsyncId] ?? 0;
  idStack[offset * 2 + 1] = idFields[kTriggerAsyncId] ?? 0;
  hookFields[kStackLength] = offset + 1;
  idFields[kExecutionAsyncId] = asyncId;
  idFields[kTriggerAsyncId] = triggerId;
}

/** The function of lib that callbacks go through while hooks are on; undefined while they are off. */
export function callbackTrampoline(): unknown {
  return trampoline;
}
