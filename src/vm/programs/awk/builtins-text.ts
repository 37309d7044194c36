/** Functions of text. */
import { AwkArray, ownText } from "./awk-array.ts";
import { type BuiltinCompiler, plain } from "./builtin.ts";
import { type Code, lift, numberCode, type Ready, textCode, valueCode } from "./code.ts";
import { compilePattern } from "./compile-operators.ts";
import { targetOperands } from "./compile-place.ts";
import type { Compiler } from "./compiler.ts";
import type { FoundGroups } from "./longest-match.ts";
import type { Runtime } from "./runtime.ts";
import { InputText } from "./value.ts";

/** Characters beyond the first 65,536 are two of JavaScript's. */
const wide = /[\ud800-\udbff][\udc00-\udfff]/;

export function characterCount(text: string): number {
  if (!wide.test(text)) return text.length;
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** The number of characters before a place in a text. */
export function charactersBefore(text: string, place: number): number {
  return wide.test(text) ? characterCount(text.slice(0, place)) : place;
}

const length: BuiltinCompiler = (compiler, node) => {
  const { rt } = compiler;
  const [argument] = node.args;
  if (argument === undefined) return numberCode(rt, () => characterCount(rt.record.text));
  if (argument.kind === "variable") {
    const value = compiler.rawValue(argument.name);
    return numberCode(rt, () => {
      const found = value();
      return found instanceof AwkArray ? found.size : characterCount(rt.text(found));
    });
  }
  return lift(rt, [compiler.expr(argument)], ([code]) =>
    numberCode(rt, () => {
      const found = code?.value();
      return found instanceof AwkArray ? found.size : characterCount(rt.text(found));
    }),
  );
};

/** The part of a text from a character on; numbers are cut to integers, a start below 1 is 1. */
export function substring(text: string, from: number, count: number): string {
  if (Number.isNaN(from) || Number.isNaN(count)) return "";
  const start = Math.max(1, Math.trunc(from));
  const end = start + Math.trunc(count);
  if (end <= start || start > text.length) return "";
  const part = wide.test(text)
    ? [...text].slice(start - 1, end - 1).join("")
    : text.slice(start - 1, end - 1);
  return part.length < text.length ? ownText(part) : part;
}

const substr = plain((_rt, [text, from, count]) =>
  textCode(() =>
    substring(
      text?.text() ?? "",
      from?.number() ?? 0,
      count === undefined ? Number.POSITIVE_INFINITY : count.number(),
    ),
  ),
);

const index = plain((rt, [text, part]) =>
  numberCode(rt, () => {
    const whole = text?.text() ?? "";
    const wanted = part?.text() ?? "";
    const found = rt.ignoreCase
      ? whole.toLowerCase().indexOf(wanted.toLowerCase())
      : whole.indexOf(wanted);
    return found === -1 ? 0 : charactersBefore(whole, found) + 1;
  }),
);

function changeCase(rt: Runtime, text: string, isUpper: boolean): string {
  if (rt.charset.isBytes || !/[^\0-\x7f]/.test(text)) {
    return isUpper
      ? text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())
      : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  }
  // Each letter for itself, as towupper(3) does it.
  let made = "";
  for (const letter of text) {
    const changed = isUpper ? letter.toUpperCase() : letter.toLowerCase();
    made += characterCount(changed) === 1 ? changed : letter;
  }
  return made;
}

const tolower = plain((rt, [text]) => textCode(() => changeCase(rt, text?.text() ?? "", false)));
const toupper = plain((rt, [text]) => textCode(() => changeCase(rt, text?.text() ?? "", true)));

const sprintf = plain((rt, [format, ...values]) =>
  textCode(() =>
    rt.formatter.format(
      format?.text() ?? "",
      values.map((one) => one.value()),
    ),
  ),
);

const match: BuiltinCompiler = (compiler, node) => {
  const { rt } = compiler;
  const [text, wanted, target] = node.args;
  if (text === undefined || wanted === undefined) return valueCode(rt, () => undefined);
  const { code, pattern } = compilePattern(compiler, wanted);
  const array = target?.kind === "variable" || target?.kind === "element" ? target : undefined;
  const places = array === undefined ? [] : targetOperands(compiler, array);
  const operands = [compiler.expr(text), ...(code === undefined ? [] : [code])];
  return lift(rt, [...operands, ...places], (ready) => {
    const store = array && compiler.array(array, ready.slice(operands.length));
    return matchCode(compiler, ready, (second) => pattern(second), store);
  });
};

function matchCode(
  compiler: Compiler,
  [text, second]: readonly Ready[],
  pattern: (operand: Ready | undefined) => ReturnType<Compiler["rt"]["patterns"]["get"]>,
  store: (() => AwkArray) | undefined,
): Code {
  const { rt } = compiler;
  return numberCode(rt, () => {
    const whole = text?.text() ?? "";
    const wanted = pattern(second);
    const array = store?.();
    const withGroups = array === undefined ? undefined : wanted.findGroups(whole, 0);
    const found = array === undefined ? wanted.find(whole, 0) : withGroups;
    array?.clear();
    const start = found === undefined ? 0 : charactersBefore(whole, found.index) + 1;
    const size =
      found === undefined
        ? -1
        : characterCount(whole.slice(found.index, found.index + found.length));
    compiler.assign("RSTART", start);
    compiler.assign("RLENGTH", size);
    if (array !== undefined && withGroups !== undefined) storeGroups(rt, array, whole, withGroups);
    return start;
  });
}

function storeGroups(rt: Runtime, array: AwkArray, whole: string, found: FoundGroups): void {
  for (const [at, group] of found.groups.entries()) {
    if (group === undefined) continue;
    array.set(at, new InputText(group.text));
    array.set(`${at}${rt.subsep}start`, charactersBefore(whole, group.index) + 1);
    array.set(`${at}${rt.subsep}length`, characterCount(group.text));
  }
}

export const textBuiltins: readonly (readonly [string, BuiltinCompiler])[] = [
  ["length", length],
  ["substr", substr],
  ["index", index],
  ["tolower", tolower],
  ["toupper", toupper],
  ["sprintf", sprintf],
  ["match", match],
  // Messages have no translations here.
  ["bindtextdomain", plain(() => textCode(() => ""))],
  ["dcgettext", plain((_rt, [text]) => textCode(() => text?.text() ?? ""))],
  [
    "dcngettext",
    plain((_rt, [one, many, count]) =>
      textCode(() => ((count?.number() ?? 0) === 1 ? one : many)?.text() ?? ""),
    ),
  ],
];
