/** Builtins that are more than functions of values: they choose, repeat, follow paths, or ask the world. */
import { excerpt, getPath } from "./access.ts";
import { typeError } from "./arithmetic.ts";
import { definitionSignatures } from "./builtin-definitions.ts";
import { natives } from "./builtin-natives.ts";
import { type Compiled, evaluate, fromCode, fromDirect } from "./compiled.ts";
import { streamOf } from "./containers.ts";
import { breakDown, formatTime } from "./dates.ts";
import { toJson } from "./json-writer.ts";
import { Continuation, HaltError, type Machine } from "./machine.ts";
import { constant, each, identity, pipe } from "./nodes-basic.ts";
import { conditional, limited } from "./nodes-control.ts";
import { pathOf, range, recurse } from "./nodes-loops.ts";
import { isArray, isNumber, JqError, numberOf, type Value } from "./value.ts";

const empty: Compiled = fromCode(() => undefined);

/** By `name/arity`, from the arguments' code. */
export const specials: ReadonlyMap<string, (args: readonly Compiled[]) => Compiled> = new Map<
  string,
  (args: readonly Compiled[]) => Compiled
>([
  ["empty/0", () => empty],
  ["select/1", ([test = identity]) => conditional(test, identity, empty)],
  ["recurse/0", () => recurse],
  ["recurse_down/0", () => recurse],
  ["path/1", ([body = identity]) => pathOf(body)],
  ["getpath/1", ([path = identity]) => getPathOf(path)],
  ["range/3", ([from = identity, to = identity, by = identity]) => range(from, to, by)],
  ["range/2", ([from = identity, to = identity]) => range(from, to, constant(1))],
  ["range/1", ([to = identity]) => range(constant(0), to, constant(1))],
  ["limit/2", ([count = identity, body = identity]) => limited(count, body)],
  ["first/1", ([body = identity]) => limited(constant(1), body)],
  ["tostream/0", () => pipe(fromDirect(streamOf), each(identity))],
  ["input/0", () => fromCode((machine, _frame, next) => machine.wantInput(new NeedsInput(next)))],
  ["_input_or_end/0", () => fromCode((machine, _frame, next) => machine.wantInput(next))],
  ["debug/0", () => fromDirect(debug)],
  ["stderr/0", () => fromDirect(printError)],
  ["input_filename/0", () => fromDirect((_value, _frame, machine) => machine.world.inputName())],
  ["input_line_number/0", () => fromDirect((_value, _frame, machine) => machine.world.inputLine())],
  ["now/0", () => fromDirect((_value, _frame, machine) => machine.world.nowSeconds())],
  ["localtime/0", () => fromDirect((value) => breakDown(value))],
  [
    "strflocaltime/1",
    ([format = identity]) =>
      fromCode((machine, frame, next) =>
        evaluate(machine, frame, { compiled: format, next }, (text) => {
          machine.value = formatTime(machine.value, text, "strflocaltime/1");
          next.run(machine);
        }),
      ),
  ],
  ["halt/0", () => fromCode(() => halt(0, undefined))],
  [
    "halt_error/1",
    ([status = identity]) =>
      fromCode((machine, frame, next) =>
        evaluate(machine, frame, { compiled: status, next }, (code) => {
          if (!isNumber(code)) throw typeError(code, "halt_error/1: number required");
          halt(numberOf(code), machine.value);
        }),
      ),
  ],
  ["builtins/0", () => fromDirect(() => builtinNames())],
]);

function halt(status: number, value: Value | undefined): never {
  throw new HaltError(status, value);
}

/** `input` fails where there is no more; `[value]` is given, or null at the end. */
class NeedsInput extends Continuation {
  readonly #next: Continuation;

  constructor(next: Continuation) {
    super(next);
    this.#next = next;
  }

  go(machine: Machine): void {
    const { value } = machine;
    if (!isArray(value)) throw new JqError("break");
    machine.value = value[0] ?? null;
    this.#next.run(machine);
  }
}

function getPathOf(path: Compiled): Compiled {
  return fromCode((machine, frame, next) =>
    evaluate(machine, frame, { compiled: path, next }, (keys) => {
      followPath(machine, keys);
      next.run(machine);
    }),
  );
}

function followPath(machine: Machine, keys: Value): void {
  const start = machine.path;
  const value = getPath(machine.value, keys);
  if (start !== undefined) {
    if (!Object.is(machine.value, start.value)) {
      throw new JqError(
        `Invalid path expression near attempt to access element ${excerpt(keys)} of ${excerpt(machine.value, 30)}`,
      );
    }
    let node = start;
    for (const key of isArray(keys) ? keys : []) node = { parent: node, key, value };
    machine.path = node;
  }
  machine.value = value;
}

function debug(value: Value, _frame: unknown, machine: Machine): Value {
  machine.world.say(`["DEBUG:",${toJson(value)}]\n`);
  return value;
}

function printError(value: Value, _frame: unknown, machine: Machine): Value {
  machine.world.say(toJson(value));
  return value;
}

function builtinNames(): Value {
  const names = [...natives.keys(), ...specials.keys(), ...definitionSignatures()];
  return [...new Set(names.filter((name) => !name.startsWith("_")))];
}
