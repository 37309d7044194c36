/** Functions of arrays: `split`, `patsplit`, `asort`, `asorti`, and what tells kinds. */
import type { AwkArray } from "./awk-array.ts";
import type { BuiltinCompiler } from "./builtin.ts";
import { type Code, lift, numberCode, type Ready, textCode, valueCode } from "./code.ts";
import { compilePattern } from "./compile-operators.ts";
import { targetOperands } from "./compile-place.ts";
import type { Compiler } from "./compiler.ts";
import type { Runtime } from "./runtime.ts";
import { type Entry, listEntries, sortEntries } from "./sort-array.ts";
import {
  type Pieces,
  splitBlanks,
  splitByContent,
  splitByPattern,
  splitByText,
  splitCharacters,
  splitterOf,
} from "./split-fields.ts";
import type { ElementNode, Expr, VariableNode } from "./syntax.ts";
import { InputText, RegExpValue, typeName } from "./value.ts";

function asArray(node: Expr | undefined): VariableNode | ElementNode | undefined {
  if (node?.kind === "group") return asArray(node.inner);
  return node?.kind === "variable" || node?.kind === "element" ? node : undefined;
}

/** The operands of several arrays, and what gives each over them. */
function arrays(compiler: Compiler, nodes: readonly (VariableNode | ElementNode | undefined)[]) {
  const operands = nodes.map((node) => (node === undefined ? [] : targetOperands(compiler, node)));
  const build = (ready: readonly Ready[]): readonly ((() => AwkArray) | undefined)[] => {
    let at = 0;
    return nodes.map((node, number) => {
      const count = operands[number]?.length ?? 0;
      const own = ready.slice(at, at + count);
      at += count;
      return node === undefined ? undefined : compiler.array(node, own);
    });
  };
  return { operands: operands.flat(), build };
}

const split: BuiltinCompiler = (compiler, node) => {
  const { rt } = compiler;
  const [text, target, separator, rest] = node.args;
  const { operands, build } = arrays(compiler, [asArray(target), asArray(rest)]);
  const cut = compileSeparator(compiler, separator);
  const whole = text === undefined ? valueCode(rt, () => "") : compiler.expr(text);
  return lift(rt, [whole, ...operands, ...cut.operands], (ready) => {
    const [array, separators] = build(ready.slice(1));
    const last = cut.operands.length === 0 ? undefined : ready.at(-1);
    return numberCode(rt, () => {
      const pieces = cut.split(ready[0]?.text() ?? "", last);
      return storePieces(pieces, array?.(), separators?.());
    });
  });
};

function storePieces(pieces: Pieces, array?: AwkArray, separators?: AwkArray): number {
  const { fields } = pieces;
  array?.clear();
  separators?.clear();
  for (const [at, field] of fields.entries()) array?.set(at + 1, new InputText(field));
  // Blanks and contents have one more: what stands before the first is number 0.
  const shift = pieces.separators.length > fields.length ? 0 : 1;
  for (const [at, one] of pieces.separators.entries()) separators?.set(at + shift, one);
  return fields.length;
}

function compileSeparator(
  compiler: Compiler,
  node: Expr | undefined,
): {
  readonly operands: readonly Code[];
  readonly split: (text: string, operand: Ready | undefined) => Pieces;
} {
  const { rt } = compiler;
  if (node === undefined) return { operands: [], split: (text) => splitByCurrent(rt, text) };
  if (node.kind === "regexp" && !node.isTyped) {
    if (node.source === "") return { operands: [], split: splitCharacters };
    const { pattern } = compilePattern(compiler, node);
    return { operands: [], split: (text) => splitByPattern(text, pattern(undefined)) };
  }
  return {
    operands: [compiler.expr(node)],
    split: (text, operand) => {
      const value = operand?.value();
      if (value instanceof RegExpValue) return splitByPattern(text, rt.patterns.get(value.source));
      return splitBySeparator(rt, text, rt.text(value));
    },
  };
}

function splitByCurrent(rt: Runtime, text: string): Pieces {
  return splitBySeparator(rt, text, rt.fs);
}

function splitBySeparator(rt: Runtime, text: string, separator: string): Pieces {
  if (separator === " ") return splitBlanks(text);
  if (separator === "") return splitCharacters(text);
  const splitter = splitterOf(separator, { patterns: rt.patterns, isParagraph: false });
  if (splitter.kind === "character") return splitByText(text, splitter.separator);
  return splitter.kind === "all" ? splitter.split(text) : splitBlanks(text);
}

const patsplit: BuiltinCompiler = (compiler, node) => {
  const { rt } = compiler;
  const [text, target, wanted, rest] = node.args;
  const { operands, build } = arrays(compiler, [asArray(target), asArray(rest)]);
  const cut = wanted === undefined ? undefined : compilePattern(compiler, wanted);
  const whole = text === undefined ? valueCode(rt, () => "") : compiler.expr(text);
  const pattern = cut?.code === undefined ? [] : [cut.code];
  return lift(rt, [whole, ...operands, ...pattern], (ready) => {
    const [array, separators] = build(ready.slice(1));
    const last = pattern.length === 0 ? undefined : ready.at(-1);
    return numberCode(rt, () => {
      const found = cut === undefined ? rt.patterns.get(rt.fpat) : cut.pattern(last);
      return storePieces(splitByContent(ready[0]?.text() ?? "", found), array?.(), separators?.());
    });
  });
};

function compileSort(byKey: boolean): BuiltinCompiler {
  return (compiler, node) => {
    const { rt } = compiler;
    const [source, target, how] = node.args;
    const { operands, build } = arrays(compiler, [asArray(source), asArray(target)]);
    const order = how === undefined ? [] : [compiler.expr(how)];
    return lift(rt, [...operands, ...order], (ready): Code => {
      const [from, to] = build(ready);
      const wanted = order.length === 0 ? undefined : ready.at(-1);
      return {
        waits: true,
        value: async () => {
          const array = from?.();
          if (array === undefined) return 0;
          const by = wanted?.text() ?? (byKey ? "@ind_str_asc" : "@val_type_asc");
          const sorted = await sortEntries(compiler, listEntries(array), by);
          return storeSorted(sorted, to?.() ?? array, byKey);
        },
      };
    });
  };
}

function storeSorted(sorted: readonly Entry[], array: AwkArray, byKey: boolean): number {
  array.clear();
  for (const [at, { key, value }] of sorted.entries())
    array.set(at + 1, byKey ? String(key) : value);
  return sorted.length;
}

/** The argument as it is: a name that was never used is untyped. */
function rawArgument(compiler: Compiler, node: Expr | undefined): Code {
  const { rt } = compiler;
  if (node === undefined) return valueCode(rt, () => undefined);
  if (node.kind === "variable") return valueCode(rt, compiler.rawValue(node.name));
  return compiler.expr(node);
}

const typeOf: BuiltinCompiler = (compiler, node) => {
  const [argument] = node.args;
  return lift(compiler.rt, [rawArgument(compiler, argument)], ([code]) =>
    textCode(() => {
      return typeName(code?.value());
    }),
  );
};

const isarray: BuiltinCompiler = (compiler, node) =>
  lift(compiler.rt, [rawArgument(compiler, node.args[0])], ([code]) =>
    numberCode(compiler.rt, () => (typeName(code?.value()) === "array" ? 1 : 0)),
  );

export const arrayBuiltins: readonly (readonly [string, BuiltinCompiler])[] = [
  ["split", split],
  ["patsplit", patsplit],
  ["asort", compileSort(false)],
  ["asorti", compileSort(true)],
  ["typeof", typeOf],
  ["isarray", isarray],
];
