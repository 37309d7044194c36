/** The rules that look at each record. */
import { after, type Code } from "./code.ts";
import { compileBlock } from "./compile-statement.ts";
import type { Compiler } from "./compiler.ts";
import { type Exec, NORMAL, type Signal } from "./signals.ts";
import type { Rule } from "./syntax.ts";
import { toBoolean, type Value } from "./value.ts";

/** One function for all rules; `next` ends it early. */
export function compileRules(compiler: Compiler, rules: readonly Rule[]): Exec {
  return compileBlock(rules.flatMap((rule) => compileRule(compiler, rule) ?? []));
}

function compileRule(compiler: Compiler, rule: Rule): Exec | undefined {
  const { pattern } = rule;
  const body = compiler.statement(
    rule.body ?? { kind: "print", args: [], redirection: undefined, line: rule.line },
  );
  switch (pattern.kind) {
    case "always":
      return body;
    case "expr":
      return guarded(compiler.expr(pattern.expr), body, compiler, rule.line);
    case "range":
      return ranged(compiler.expr(pattern.from), compiler.expr(pattern.to), body);
    default:
      return undefined;
  }
}

function guarded(test: Code, body: Exec, { rt }: Compiler, line: number): Exec {
  if (!test.waits) {
    return () => {
      rt.line = line;
      return test.test() ? body() : NORMAL;
    };
  }
  return () => after<Value, Signal>(test.value(), (value) => (toBoolean(value) ? body() : NORMAL));
}

/** From a record that matches the first to one that matches the second, which may be the same. */
function ranged(from: Code, to: Code, body: Exec): Exec {
  let isInside = false;
  const close = (): Signal | Promise<Signal> =>
    after<Value, Signal>(to.value(), (value) => {
      if (toBoolean(value)) isInside = false;
      return body();
    });
  return () => {
    if (isInside) return close();
    return after<Value, Signal>(from.value(), (value) => {
      if (!toBoolean(value)) return NORMAL;
      isInside = true;
      return close();
    });
  };
}
