/**
 * Loops. They run on at once as long as nothing in them waits and their turn lasts; then they go on
 * where they were when it is their turn again.
 */
import { AwkArray, type Key } from "./awk-array.ts";
import { type Code, lift } from "./code.ts";
import { compilePlace, targetOperands } from "./compile-place.ts";
import type { Compiler } from "./compiler.ts";
import type { Runtime } from "./runtime.ts";
import { BREAK, CONTINUE, type Exec, NORMAL, type Signal } from "./signals.ts";
import { sortedKeys } from "./sort-array.ts";
import type { Statement } from "./syntax.ts";
import { toBoolean, type Value } from "./value.ts";

type Node<K extends Statement["kind"]> = Extract<Statement, { kind: K }>;

type Phase = "test" | "body" | "step";

interface LoopParts {
  readonly rt: Runtime;
  readonly test: Code | undefined;
  readonly body: Exec;
  readonly step: Exec | undefined;
}

export function compileLoop(compiler: Compiler, node: Node<"while" | "do" | "for">): Exec {
  const { rt } = compiler;
  const parts: LoopParts = {
    rt,
    test: node.test === undefined ? undefined : compiler.expr(node.test),
    body: compiler.statement(node.body),
    step:
      node.kind === "for" && node.step !== undefined ? compiler.statement(node.step) : undefined,
  };
  const first: Phase = node.kind === "do" ? "body" : "test";
  const run = makeLoop(parts, first);
  if (node.kind !== "for" || node.start === undefined) return run;
  const start = compiler.statement(node.start);
  return () => {
    const started = start();
    return typeof started === "number" ? run() : started.then(run);
  };
}

/** A loop whose test, body and step never wait is a plain loop between two pauses. */
function makeLoop(parts: LoopParts, first: Phase): Exec {
  return () => {
    const state = { phase: first };
    const outcome = advance(parts, state, undefined);
    return typeof outcome === "number" ? outcome : drive(parts, state, outcome);
  };
}

async function drive(
  parts: LoopParts,
  state: { phase: Phase },
  first: Promise<unknown>,
): Promise<Signal> {
  let pending = first;
  for (;;) {
    const outcome = advance(parts, state, { value: await pending });
    if (typeof outcome === "number") return outcome;
    pending = outcome;
  }
}

/**
 * Goes on from a phase until the loop ends or something has to wait: then the phase is the one whose
 * outcome is awaited. `came` is that outcome.
 */
function advance(
  parts: LoopParts,
  state: { phase: Phase },
  came: { readonly value: unknown } | undefined,
): Signal | Promise<unknown> {
  const { rt, test, body, step } = parts;
  let outcome = came;
  for (;;) {
    if (state.phase === "test") {
      const isTrue = runTest(test, outcome);
      if (typeof isTrue !== "boolean") return isTrue;
      outcome = undefined;
      if (!isTrue) return NORMAL;
      state.phase = "body";
    }
    if (state.phase === "body") {
      const signal = outcome === undefined ? body() : toSignal(outcome.value);
      outcome = undefined;
      if (typeof signal !== "number") return signal;
      if (signal === BREAK) return NORMAL;
      if (signal !== NORMAL && signal !== CONTINUE) return signal;
      state.phase = "step";
    }
    if (outcome === undefined && step !== undefined) {
      const stepped = step();
      if (typeof stepped !== "number") return stepped;
    }
    outcome = undefined;
    state.phase = "test";
    if (rt.mustPause()) return rt.pause().then(() => PAUSED);
  }
}

/** What a pause ends with: the test comes next, and it is not known yet. */
const PAUSED = Symbol("paused");

function runTest(
  test: Code | undefined,
  outcome: { readonly value: unknown } | undefined,
): boolean | Promise<unknown> {
  if (outcome !== undefined && outcome.value !== PAUSED) return toBoolean(toValue(outcome.value));
  if (test === undefined) return true;
  if (!test.waits) return test.test();
  const value = test.value();
  return value instanceof Promise ? value : toBoolean(value);
}

function toValue(value: unknown): Value {
  return value instanceof AwkArray || typeof value === "number" || typeof value === "string"
    ? value
    : isObjectValue(value)
      ? value
      : undefined;
}

function isObjectValue(value: unknown): value is Exclude<Value, number | string | undefined> {
  return typeof value === "object" && value !== null;
}

function toSignal(value: unknown): Signal {
  switch (value) {
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
      return value;
    default:
      return NORMAL;
  }
}

export function compileForIn(compiler: Compiler, node: Node<"for-in">): Exec {
  const { rt } = compiler;
  const body = compiler.statement(node.body);
  const operands = targetOperands(compiler, node.target);
  const places = targetOperands(compiler, node.array);
  let keys: readonly Key[] = [];
  const list = lift(rt, places, (ready) => {
    const array = compiler.array(node.array, ready);
    return {
      waits: true,
      value: async () => {
        keys = await sortedKeys(compiler, array());
        return undefined;
      },
    };
  });
  const store = lift(rt, operands, (ready) => {
    const place = compilePlace(compiler, node.target, ready);
    return {
      waits: true,
      value: () => {
        place.store(current);
        return undefined;
      },
    };
  });
  let current: Value;
  return async () => {
    await list.value();
    const own = keys;
    for (const key of own) {
      current = String(key);
      const stored = store.value();
      if (stored instanceof Promise) await stored;
      let signal = body();
      if (typeof signal !== "number") signal = await signal;
      if (signal === BREAK) break;
      if (signal !== NORMAL && signal !== CONTINUE) return signal;
      if (rt.mustPause()) await rt.pause();
    }
    return NORMAL;
  };
}
