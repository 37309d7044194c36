import type { Compiled } from "./compiled.ts";
import { constant } from "./nodes-basic.ts";
import { type Binder, bindBoth, bindFirst, bindName, bindParts } from "./nodes-bind.ts";
import type { Scope } from "./scope.ts";
import type { Expression, Pattern } from "./syntax.ts";

/** What compiles the expressions within others. */
export interface ExpressionCompiler {
  compile(expression: Expression, scope: Scope): Compiled;
}

/** What takes a value apart, and the scope its variables are known in. */
export function compilePatterns(
  compiler: ExpressionCompiler,
  patterns: readonly Pattern[],
  scope: Scope,
): { readonly binder: Binder; readonly scope: Scope } {
  const slots = new Map<string, number>();
  let inside = scope;
  for (const name of patterns.flatMap(namesIn)) {
    if (slots.has(name)) continue;
    const bound = inside.withVariable(name);
    inside = bound.scope;
    slots.set(name, bound.slot);
  }
  const binders = patterns.map((pattern) =>
    compilePattern(compiler, pattern, { scope: inside, slots }),
  );
  return { binder: bindFirst(binders, [...slots.values()]), scope: inside };
}

interface Place {
  readonly scope: Scope;
  readonly slots: ReadonlyMap<string, number>;
}

function compilePattern(compiler: ExpressionCompiler, pattern: Pattern, place: Place): Binder {
  const { scope, slots } = place;
  if (pattern.kind === "name") return bindName(slots.get(pattern.name) ?? 0);
  if (pattern.kind === "items") {
    return bindParts(
      pattern.items.map((item, at) => ({
        key: constant(at),
        bind: compilePattern(compiler, item, place),
      })),
    );
  }
  return bindParts(
    pattern.fields.map(({ name, key, pattern: inner }) => {
      const own = name === undefined ? undefined : bindName(slots.get(name) ?? 0);
      const parts = inner === undefined ? undefined : compilePattern(compiler, inner, place);
      const bind =
        own === undefined || parts === undefined
          ? (own ?? parts ?? bindParts([]))
          : bindBoth(own, parts);
      return { key: compiler.compile(key, scope), bind };
    }),
  );
}

function namesIn(pattern: Pattern): readonly string[] {
  if (pattern.kind === "name") return [pattern.name];
  if (pattern.kind === "items") return pattern.items.flatMap(namesIn);
  return pattern.fields.flatMap(({ name, pattern: inner }) => [
    ...(name === undefined ? [] : [name]),
    ...(inner === undefined ? [] : namesIn(inner)),
  ]);
}
