import { excerpt } from "./access.ts";
import { type Compiled, evaluate, fromCode, fromDirect } from "./compiled.ts";
import type { Code } from "./machine.ts";
import { JqError, typeOf, type Value } from "./value.ts";

interface Entry {
  readonly key: Compiled;
  readonly value: Compiled;
}

/** `{key: value, …}`: one object for each way to choose all, the first entry changing slowest. */
export function makeObject(entries: readonly Entry[]): Compiled {
  const directs = entries.flatMap(({ key, value }) =>
    key.direct === undefined || value.direct === undefined
      ? []
      : [{ key: key.direct, value: value.direct }],
  );
  if (directs.length === entries.length) {
    return fromDirect((input, frame, machine) => {
      const object = new Map<string, Value>();
      for (const { key, value } of directs) {
        const name = checkKey(key(input, frame, machine));
        object.set(name, value(input, frame, machine));
      }
      return object;
    });
  }
  return fromCode(addEntry(entries, 0, new Map()));
}

function addEntry(entries: readonly Entry[], at: number, made: ReadonlyMap<string, Value>): Code {
  const entry = entries[at];
  return (machine, frame, next) => {
    if (entry === undefined) {
      machine.value = made;
      next.run(machine);
      return;
    }
    evaluate(machine, frame, { compiled: entry.key, next }, (key) =>
      evaluate(machine, frame, { compiled: entry.value, next }, (value) => {
        const more = new Map(made).set(checkKey(key), value);
        addEntry(entries, at + 1, more)(machine, frame, next);
      }),
    );
  };
}

function checkKey(key: Value): string {
  if (typeof key === "string") return key;
  throw new JqError(`Cannot use ${typeOf(key)} (${excerpt(key)}) as object key`);
}
