/** Compiled forms of calls, parameters and variables. */
import { type Compiled, evaluate, fromCode, fromDirect } from "./compiled.ts";
import { type Closure, type Code, enter, Frame } from "./machine.ts";
import { type Callable, frameAt } from "./scope.ts";
import { JqError } from "./value.ts";

export function variable(hops: number, slot: number): Compiled {
  if (hops === 0) return fromDirect((_value, frame) => frame.values[slot] ?? null);
  return fromDirect((_value, frame) => frameAt(frame, hops).values[slot] ?? null);
}

/** Runs the argument that was given for a parameter. */
export function callParam(hops: number, slot: number): Compiled {
  return fromCode((machine, frame, next) => {
    const closure = closureAt(frameAt(frame, hops), slot);
    machine.call(closure.code, enter(closure), next);
  });
}

function closureAt(frame: Frame, slot: number): Closure {
  const closure = frame.closures[slot];
  if (closure === undefined) throw new JqError("argument without a value");
  return closure;
}

/** What a call passes for one parameter. */
export type Argument =
  | { readonly compiled: Compiled; readonly isFramed: boolean }
  | { readonly hops: number; readonly slot: number };

export function call(callable: Callable, hops: number, args: readonly Argument[]): Compiled {
  return fromCode((machine, frame, next) => {
    const callee = new Frame(frameAt(frame, hops));
    for (const argument of args) {
      if ("slot" in argument) {
        callee.closures.push(closureAt(frameAt(frame, argument.hops), argument.slot));
      } else {
        const { compiled, isFramed } = argument;
        callee.closures.push({ code: compiled.code, direct: compiled.direct, frame, isFramed });
      }
    }
    const { code } = callable;
    if (code === undefined) throw new JqError("function without a body");
    machine.call(code, callee, next);
  });
}

/** A function's body behind the values of its `$params`. */
export function withParams(
  params: readonly { readonly closure: number; readonly value: number }[],
  body: Code,
): Code {
  return params.reduceRight<Code>((inner, { closure: from, value: to }) => {
    return (machine, frame, next) => {
      const closure = closureAt(frame, from);
      const { direct, code, isFramed } = closure;
      if (direct !== undefined && !isFramed) {
        frame.values[to] = direct(machine.value, closure.frame, machine);
        inner(machine, frame, next);
        return;
      }
      const compiled = fromCode((inside, _frame, after) => code(inside, enter(closure), after));
      evaluate(machine, frame, { compiled, next }, (result) => {
        frame.values[to] = result;
        inner(machine, frame, next);
      });
    };
  }, body);
}
