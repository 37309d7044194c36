// Web locks of one thread, as Node's src/node_locks.cc grants them.
import { staticsOf } from "../statics.ts";
import type { Binding } from "./base.ts";

interface Lock {
  readonly name: string;
  readonly mode: string;
  readonly clientId: string;
}

interface Asked extends Lock {
  readonly isStealing: boolean;
  readonly isImpatient: boolean;
  readonly callback: (lock: { name: string; mode: string } | null) => unknown;
  readonly released: PromiseWithResolvers<unknown>;
}

const values = staticsOf("locks");
const EXCLUSIVE: string = values["LOCK_MODE_EXCLUSIVE"];
const STOLEN: string = values["LOCK_STOLEN_ERROR"];
const held = new Set<Asked>();
let pending: Asked[] = [];

export const locks = (): Binding => ({
  ...values,
  request,
  query: () => Promise.resolve({ held: [...held].map(describe), pending: pending.map(describe) }),
});

function request(
  name: string,
  clientId: string,
  mode: string,
  isStealing: boolean,
  isImpatient: boolean,
  callback: Asked["callback"],
): Promise<unknown> {
  const released = Promise.withResolvers<unknown>();
  const asked = { name, mode, clientId, isStealing, isImpatient, callback, released };
  if (isStealing) steal(asked);
  else pending.push(asked);
  processQueue();
  return released.promise;
}

function describe({ name, mode, clientId }: Lock): Lock {
  return { name, mode, clientId };
}

/** Takes the lock from those who have it, ahead of all who wait. */
function steal(asked: Asked): void {
  for (const one of [...held].filter(({ name }) => name === asked.name)) {
    held.delete(one);
    one.released.reject(new Error(STOLEN));
  }
  grant(asked);
}

function processQueue(): void {
  const waiting = new Set<string>();
  for (const asked of [...pending]) {
    if (!pending.includes(asked)) continue;
    if (!waiting.has(asked.name) && isFree(asked)) {
      pending = pending.filter((one) => one !== asked);
      grant(asked);
    } else if (asked.isImpatient) {
      pending = pending.filter((one) => one !== asked);
      settle(asked, () => asked.callback(null));
    } else waiting.add(asked.name);
  }
}

function isFree({ name, mode }: Asked): boolean {
  for (const one of held) {
    if (one.name === name && (mode === EXCLUSIVE || one.mode === EXCLUSIVE)) return false;
  }
  return true;
}

function grant(asked: Asked): void {
  held.add(asked);
  const { name, mode } = asked;
  settle(asked, () => asked.callback({ name, mode }));
}

/** Runs the callback; when what it gives is settled, the lock is free again. */
function settle(asked: Asked, run: () => unknown): void {
  const release = (): void => {
    if (held.delete(asked)) processQueue();
  };
  new Promise((resolve) => {
    resolve(run());
  }).then(
    (value) => {
      release();
      asked.released.resolve(value);
    },
    (error: unknown) => {
      release();
      asked.released.reject(error);
    },
  );
}
