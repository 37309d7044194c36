/** From a program's syntax to code the machine runs. */
import { negate, operators } from "./arithmetic.ts";
import { definitionSource } from "./builtin-definitions.ts";
import { natives } from "./builtin-natives.ts";
import { specials } from "./builtin-specials.ts";
import { compileAccess } from "./compile-access.ts";
import { compilePatterns } from "./compile-patterns.ts";
import { type Compiled, fromDirect } from "./compiled.ts";
import { formatWith } from "./formats.ts";
import { hasBinder } from "./inspect-syntax.ts";
import { compileLinear } from "./linear-update.ts";
import type { Code, Direct } from "./machine.ts";
import { apply, binary, collect } from "./nodes-apply.ts";
import { assign, modify, modifyWith } from "./nodes-assign.ts";
import * as basic from "./nodes-basic.ts";
import { bindTo, bindVariable } from "./nodes-bind.ts";
import { type Argument, call, callParam, variable, withParams } from "./nodes-call.ts";
import { alternative, attempt, breakTo, conditional, labeled, logical } from "./nodes-control.ts";
import { foreach, reduce } from "./nodes-loops.ts";
import { makeObject } from "./nodes-object.ts";
import { interpolate } from "./nodes-string.ts";
import { parseModule } from "./parse-module.ts";
import { type Callable, frameAt, Level, passedParam, Scope } from "./scope.ts";
import { type Definition, type Expression, JqSyntaxError } from "./syntax.ts";
import { isTrue, type Value } from "./value.ts";

type Of<K extends Expression["kind"]> = Extract<Expression, { kind: K }>;

/** Compiles one program. Fails with a JqSyntaxError. */
export class Compiler {
  readonly #globals: ReadonlyMap<string, Value>;
  readonly #root = new Level(undefined);
  readonly #builtins = new Map<string, Callable>();

  /** `globals` are the values of `$name`s that come from outside. */
  constructor(globals: ReadonlyMap<string, Value>) {
    this.#globals = globals;
  }

  get rootScope(): Scope {
    return new Scope(this.#root);
  }

  compile(expression: Expression, scope: Scope): Compiled {
    switch (expression.kind) {
      case "identity":
        return basic.identity;
      case "literal":
        return basic.constant(expression.value);
      case "pipe":
        return basic.pipe(
          this.compile(expression.left, scope),
          this.compile(expression.right, scope),
        );
      case "comma":
        return basic.comma(
          this.compile(expression.left, scope),
          this.compile(expression.right, scope),
        );
      case "field":
      case "slice":
      case "each":
        return compileAccess(this, expression, scope);
      case "variable":
        return this.#variable(expression, scope);
      case "call":
        return this.#call(expression, scope);
      default:
        return this.#compound(expression, scope);
    }
  }

  #compound(
    expression: Exclude<
      Expression,
      Of<
        "identity" | "literal" | "pipe" | "comma" | "field" | "slice" | "each" | "variable" | "call"
      >
    >,
    scope: Scope,
  ): Compiled {
    const inner = (one: Expression): Compiled => this.compile(one, scope);
    switch (expression.kind) {
      case "negate":
        return basic.pipe(inner(expression.operand), fromDirect(negate));
      case "binary":
        return binary(
          inner(expression.left),
          inner(expression.right),
          operators[expression.operator],
        );
      case "logic":
        return expression.operator === "//"
          ? alternative(inner(expression.left), inner(expression.right))
          : logical(expression.operator, inner(expression.left), inner(expression.right));
      case "assign":
        return this.#assign(expression, scope);
      case "if":
        return conditional(
          inner(expression.condition),
          inner(expression.consequence),
          inner(expression.otherwise),
        );
      case "try":
        return attempt(
          inner(expression.body),
          expression.handler === undefined ? undefined : inner(expression.handler),
        );
      default:
        return this.#make(expression, scope);
    }
  }

  #make(
    expression: Of<
      | "array"
      | "object"
      | "format"
      | "string"
      | "reduce"
      | "foreach"
      | "as"
      | "label"
      | "break"
      | "def"
    >,
    scope: Scope,
  ): Compiled {
    const inner = (one: Expression): Compiled => this.compile(one, scope);
    switch (expression.kind) {
      case "array":
        return expression.body === undefined
          ? fromDirect(() => [])
          : collect(inner(expression.body));
      case "object":
        return makeObject(
          expression.entries.map(({ key, value }) => ({ key: inner(key), value: inner(value) })),
        );
      case "format":
        return apply([], (value) => formatWith(expression.name, value));
      case "string":
        return interpolate(
          expression.format,
          expression.parts.map((part) => (typeof part === "string" ? part : inner(part))),
        );
      default:
        return this.#binding(expression, scope);
    }
  }

  #binding(
    expression: Of<"reduce" | "foreach" | "as" | "label" | "break" | "def">,
    scope: Scope,
  ): Compiled {
    switch (expression.kind) {
      case "reduce":
      case "foreach":
        return this.#loop(expression, scope);
      case "as": {
        const source = this.compile(expression.source, scope);
        const [first, ...others] = expression.patterns;
        if (first?.kind === "name" && others.length === 0) {
          const { scope: inside, slot } = scope.withVariable(first.name);
          return bindVariable(source, slot, this.compile(expression.body, inside));
        }
        const { binder, scope: inside } = compilePatterns(this, expression.patterns, scope);
        return bindTo(source, binder, this.compile(expression.body, inside));
      }
      case "label": {
        const slot = scope.level.addLabel();
        const inside = scope.with(`*${expression.name}`, {
          kind: "label",
          level: scope.level,
          slot,
        });
        return labeled(slot, this.compile(expression.body, inside));
      }
      case "break": {
        const binding = scope.find(`*${expression.name}`);
        if (binding?.kind !== "label")
          throw new JqSyntaxError(
            `$*label-${expression.name.slice(1)} is not defined`,
            expression.at,
          );
        const hops = scope.level.depth - binding.level.depth;
        return breakTo((frame) => frameAt(frame, hops).labels[binding.slot]);
      }
      default:
        return this.compile(expression.body, this.define(expression.definition, scope));
    }
  }

  /** A scope in which the function is known. */
  define(definition: Definition, scope: Scope, name = definition.name): Scope {
    const { params, body } = definition;
    const callable: Callable = { params, level: scope.level, code: undefined };
    const binding = { kind: "function", callable } as const;
    const known = scope.with(`${definition.name}/${params.length}`, binding);
    callable.code = this.#body(params, body, known);
    return name === definition.name ? known : scope.with(`${name}/${params.length}`, binding);
  }

  #body(params: readonly string[], body: Expression, scope: Scope): Code {
    const level = new Level(scope.level);
    let inside = scope.within(level);
    const values: { closure: number; value: number }[] = [];
    for (const param of params) {
      const slot = level.addClosure();
      const name = param.replace("$", "");
      inside = inside.with(`${name}/0`, { kind: "closure", level, slot });
      if (!param.startsWith("$")) continue;
      const bound = inside.withVariable(param);
      inside = bound.scope;
      values.push({ closure: slot, value: bound.slot });
    }
    return withParams(values, this.compile(body, inside).code);
  }

  #variable({ name, at }: Of<"variable">, scope: Scope): Compiled {
    const binding = scope.find(name);
    if (binding?.kind === "value")
      return variable(scope.level.depth - binding.level.depth, binding.slot);
    const value = this.#globals.get(name.slice(1));
    if (value === undefined) throw new JqSyntaxError(`${name} is not defined`, at);
    return basic.constant(value);
  }

  #call({ name, args, at }: Of<"call">, scope: Scope): Compiled {
    const signature = `${name}/${args.length}`;
    const binding = scope.find(signature);
    if (binding?.kind === "closure")
      return callParam(scope.level.depth - binding.level.depth, binding.slot);
    if (binding?.kind === "function") return this.#callFunction(binding.callable, args, scope);
    if (signature === "env/0") return basic.constant(this.#globals.get("ENV") ?? null);
    const special = specials.get(signature);
    if (special !== undefined) return special(args.map((one) => this.compile(one, scope)));
    const native = natives.get(signature);
    if (native !== undefined) {
      const compiled = args.map((one) => this.compile(one, scope));
      return apply(compiled, native);
    }
    const callable = this.#findBuiltin(signature);
    if (callable === undefined) throw new JqSyntaxError(`${signature} is not defined`, at);
    return this.#callFunction(callable, args, scope);
  }

  #callFunction(callable: Callable, args: readonly Expression[], scope: Scope): Compiled {
    const made = args.map((argument): Argument => {
      const param = passedParam(argument, scope);
      if (param !== undefined)
        return { hops: scope.level.depth - param.level.depth, slot: param.slot };
      const isFramed = hasBinder(argument);
      const inside = isFramed ? scope.within(new Level(scope.level)) : scope;
      return { compiled: this.compile(argument, inside), isFramed };
    });
    return call(callable, scope.level.depth - callable.level.depth, made);
  }

  /** Builtins that are written in jq, compiled when first called. */
  #findBuiltin(signature: string): Callable | undefined {
    const known = this.#builtins.get(signature);
    if (known !== undefined) return known;
    const source = definitionSource(signature);
    const [definition] = source === undefined ? [] : parseModule(source).definitions;
    if (definition === undefined) return undefined;
    const { params, body } = definition;
    const callable: Callable = { params, level: this.#root, code: undefined };
    this.#builtins.set(signature, callable);
    callable.code = this.#body(params, body, this.rootScope);
    return callable;
  }

  #assign(expression: Of<"assign">, scope: Scope): Compiled {
    const { operator, left, right } = expression;
    const linear = compileLinear(expression, (one) => this.compile(one, scope).direct);
    if (linear !== undefined) {
      return fromDirect((value, frame, machine) => linear(value, frame, machine, new Set()));
    }
    const to = this.compile(left, scope);
    const from = this.compile(right, scope);
    if (operator === "=") return assign(to, from);
    if (operator === "|=") return modify(to, from);
    if (operator === "//") return modifyWith(to, from, (old, given) => (isTrue(old) ? old : given));
    return modifyWith(to, from, operators[operator]);
  }

  #loop(expression: Of<"reduce" | "foreach">, scope: Scope): Compiled {
    const { binder, scope: inside } = compilePatterns(this, expression.patterns, scope);
    const direct = (one: Expression): Direct | undefined => this.compile(one, inside).direct;
    const loop = {
      source: this.compile(expression.source, scope),
      bind: binder,
      init: this.compile(expression.init, scope),
      update: this.compile(expression.update, inside),
    };
    if (expression.kind === "reduce") return reduce(loop, compileLinear(expression.update, direct));
    const { extract } = expression;
    return foreach(loop, extract === undefined ? basic.identity : this.compile(extract, inside));
  }
}
