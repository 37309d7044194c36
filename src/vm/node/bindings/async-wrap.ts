import { hooks } from "../loop/callback-scope.ts";
import { catchThrown } from "../loop/catch-thrown.ts";
import { native } from "../native.ts";
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

const values = staticsOf("async_wrap");
const { kStackLength, kExecutionAsyncId, kTriggerAsyncId, kAsyncIdCounter, kDestroy } =
  values["constants"];
const hookFields: Uint32Array = values["async_hook_fields"];
const idFields: Float64Array = values["async_id_fields"];
let idStack: Float64Array = values["async_ids_stack"];
const resources: unknown[] = [];

/** The state of a process that has run nothing yet. */
export function resetAsyncIds(): void {
  idFields.set([0, 0, 1, -1]);
  idStack.fill(0);
  hookFields[kStackLength] = 0;
}
resetAsyncIds();

/** Ids of things that are gone, for the destroy hook. */
const destroyed: number[] = [];
let nativeHooks: Record<string, any> = {};
let promiseHooks: unknown[] = [undefined, undefined, undefined, undefined];

let binding: Binding | undefined;

export const asyncWrap = (): Binding => {
  binding ??= makeBinding();
  return binding;
};

const makeBinding = (): Binding => ({
  ...values,
  execution_async_resources: resources,
  setupHooks(hooks: typeof nativeHooks): void {
    nativeHooks = hooks;
  },
  /** Hooks are called by `within` itself. */
  setCallbackTrampoline: () => undefined,
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

const registry = new FinalizationRegistry<{
  id: number;
  flags: { destroyed: boolean } | undefined;
}>(({ id, flags }) => {
  if (flags?.destroyed !== true) queueDestroyAsyncId(id);
});

/** Called where the array is full, which Node's library reads from the binding each time. */
function pushAsyncContext(asyncId: number, triggerId: number): void {
  const offset = hookFields[kStackLength] ?? 0;
  if (offset * 2 >= idStack.length) {
    const larger = new Float64Array(idStack.length * 3);
    larger.set(idStack);
    idStack = larger;
    if (binding !== undefined) binding["async_ids_stack"] = larger;
  }
  idStack[offset * 2] = idFields[kExecutionAsyncId] ?? 0;
  idStack[offset * 2 + 1] = idFields[kTriggerAsyncId] ?? 0;
  hookFields[kStackLength] = offset + 1;
  idFields[kExecutionAsyncId] = asyncId;
  idFields[kTriggerAsyncId] = triggerId;
}

function popAsyncContext(asyncId: number): boolean {
  const length = hookFields[kStackLength] ?? 0;
  if (length === 0) return false;
  if (idFields[kExecutionAsyncId] !== asyncId) return clearAsyncIdStack();
  const offset = length - 1;
  idFields[kExecutionAsyncId] = idStack[offset * 2] ?? 0;
  idFields[kTriggerAsyncId] = idStack[offset * 2 + 1] ?? 0;
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

export function hasDestroyed(): boolean {
  return destroyed.length > 0;
}

/** Runs the destroy hooks for what was queued, those queued meanwhile too. The loop calls it once a turn. */
export function emitDestroyed(): void {
  for (let at = 0; at < destroyed.length; at += 1) nativeHooks["destroy"]?.(destroyed[at]);
  destroyed.length = 0;
}

export function newAsyncId(): number {
  const id = (idFields[kAsyncIdCounter] ?? 0) + 1;
  idFields[kAsyncIdCounter] = id;
  return id;
}

const { kInit, kBefore, kAfter, kDefaultTriggerAsyncId } = values["constants"];

const providers: Readonly<Record<string, number>> = values["Providers"];

/** What Node's AsyncWrap gives each request and handle: an id, and hooks around its callbacks. */
export class AsyncWrap {
  #asyncId = 0;
  #triggerId = 0;
  readonly #provider: string;
  readonly #resource: object | undefined;
  /** What AsyncLocalStorage had when the thing was made. */
  #frame: unknown;

  /** `resource` is what the hooks get, where it is not the object itself. */
  constructor(provider: string, resource?: object) {
    this.#provider = provider;
    this.#resource = resource;
    this.asyncReset();
  }

  getAsyncId(): number {
    return this.#asyncId;
  }

  getProviderType(): number {
    return AsyncWrap.providerOf(this.#provider);
  }

  static providerOf(name: string): number {
    return providers[name] ?? 0;
  }

  /** A new id for the next use of the same object. */
  asyncReset(resource?: object): void {
    if (this.#asyncId !== 0) queueDestroyAsyncId(this.#asyncId);
    this.#asyncId = newAsyncId();
    this.#frame = native["getContinuationPreservedEmbedderData"]();
    const trigger = idFields[kDefaultTriggerAsyncId] ?? -1;
    this.#triggerId = trigger < 0 ? (idFields[kExecutionAsyncId] ?? 0) : trigger;
    if ((hookFields[kInit] ?? 0) === 0) return;
    nativeHooks["init"]?.(
      this.#asyncId,
      this.#provider,
      this.#triggerId,
      resource ?? this.#resource ?? this,
    );
  }

  /** Calls `run` as this thing's callback. Whether it returned: an error goes to the process. */
  static within(wrap: AsyncWrap, run: () => void): boolean {
    return inAsyncContext(wrap.#asyncId, wrap.#triggerId, wrap.#resource ?? wrap, () => {
      native["setContinuationPreservedEmbedderData"](wrap.#frame);
      if ((hookFields[kBefore] ?? 0) > 0) nativeHooks["before"]?.(wrap.#asyncId);
      run();
      if ((hookFields[kAfter] ?? 0) > 0) nativeHooks["after"]?.(wrap.#asyncId);
    });
  }

  static destroyed(wrap: AsyncWrap): void {
    queueDestroyAsyncId(wrap.#asyncId);
  }
}

/** Runs the process's main script, which is 1 among the async ids. */
export function inMainContext(run: () => void): boolean {
  return inAsyncContext(1, 0, {}, run);
}

/** The context is still there while the process handles an error, as in Node's InternalCallbackScope. */
function inAsyncContext(
  asyncId: number,
  triggerId: number,
  resource: object,
  run: () => void,
): boolean {
  const frame: unknown = native["getContinuationPreservedEmbedderData"]();
  pushContext(asyncId, triggerId, resource);
  try {
    const thrown = catchThrown(run);
    if (thrown !== undefined) hooks.uncaught(thrown.error, false);
    return thrown === undefined;
  } finally {
    popAsyncContext(asyncId);
    native["setContinuationPreservedEmbedderData"](frame);
  }
}

function pushContext(asyncId: number, triggerId: number, resource: unknown): void {
  resources[hookFields[kStackLength] ?? 0] = resource;
  pushAsyncContext(asyncId, triggerId);
}
