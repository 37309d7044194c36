import type { ExpressionCompiler } from "./compile-patterns.ts";
import type { Compiled } from "./compiled.ts";
import { constant, each, field, namedField, slice } from "./nodes-basic.ts";
import type { Scope } from "./scope.ts";
import type { Expression } from "./syntax.ts";

/** `.a`, `.[b]`, `.[]` and slices. */
export function compileAccess(
  compiler: ExpressionCompiler,
  expression: Extract<Expression, { kind: "field" | "slice" | "each" }>,
  scope: Scope,
): Compiled {
  const target = compiler.compile(expression.target, scope);
  if (expression.kind === "each") return each(target);
  if (expression.kind === "field") {
    const { key } = expression;
    return key.kind === "literal" && typeof key.value === "string"
      ? namedField(target, key.value)
      : field(target, compiler.compile(key, scope));
  }
  const { from, to } = expression;
  const nothing = constant(null);
  return slice(
    target,
    from === undefined ? nothing : compiler.compile(from, scope),
    to === undefined ? nothing : compiler.compile(to, scope),
  );
}
