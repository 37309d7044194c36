/** Functions of numbers. */
import { AwkFatalError } from "./awk-error.ts";
import { type BuiltinCompiler, plain } from "./builtin.ts";
import { numberCode } from "./code.ts";
import { leadingNumber } from "./number-text.ts";
import type { Runtime } from "./runtime.ts";
import { InputText } from "./value.ts";

function mathOf(apply: (value: number) => number): BuiltinCompiler {
  return plain((rt, [value]) => numberCode(rt, () => apply(value?.number() ?? 0)));
}

/** A function that warns of negative arguments, as C's answer is no number. */
function warning(name: string, apply: (value: number) => number): BuiltinCompiler {
  return plain((rt, [value]) => ({
    waits: true,
    value: () => {
      const argument = value?.number() ?? 0;
      if (!(argument < 0)) return apply(argument);
      return rt
        .warnHere(`${name}: received negative argument ${rt.text(argument)}`)
        .then(() => Number.NaN);
    },
  }));
}

const exp = plain((rt, [value]) => ({
  waits: true,
  value: () => {
    const argument = value?.number() ?? 0;
    const made = Math.exp(argument);
    if (Number.isFinite(made) || !Number.isFinite(argument)) return made;
    return rt.warnHere(`exp: argument ${rt.text(argument)} is out of range`).then(() => made);
  },
}));

const srand = plain((rt, [seed]) => ({
  waits: true,
  value: () => (seed === undefined ? seedByTime(rt) : setSeed(rt, seed.number())),
}));

async function seedByTime(rt: Runtime): Promise<number> {
  const { nowMs } = await rt.sys.clock();
  return setSeed(rt, Math.floor(nowMs / 1000));
}

/** Answers the seed before. */
function setSeed(rt: Runtime, seed: number): number {
  const before = rt.seed;
  rt.seed = seed;
  rt.random.seed(Math.trunc(seed));
  return before;
}

/** `0x1f` and `017` are what C makes of them. */
export function textToNumber(text: string): number {
  const match = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0([0-7]+)(?![89.eE]))/.exec(text);
  if (match === null) return leadingNumber(text);
  const [, sign, hex, octal = "0"] = match;
  const size = hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16);
  return sign === "-" ? -size : size;
}

const strtonum = plain((rt, [code]) =>
  numberCode(rt, () => {
    const value = code?.value();
    if (typeof value === "number") return value;
    if (value instanceof InputText && value.number !== undefined)
      return /^\s*[-+]?0/.test(value.text) ? textToNumber(value.text) : value.number;
    return textToNumber(rt.text(value));
  }),
);

function toBits(name: string, at: number, value: number): bigint {
  if (value < 0)
    throw new AwkFatalError(`${name}: argument ${at + 1} negative value ${value} is not allowed`);
  return Number.isFinite(value) ? BigInt(Math.trunc(value)) : 0n;
}

function bitwise(name: string, apply: (left: bigint, right: bigint) => bigint): BuiltinCompiler {
  return plain((rt, args) =>
    numberCode(rt, () => {
      const values = args.map((one, at) => toBits(name, at, one.number()));
      return Number(values.reduce(apply));
    }),
  );
}

function shift(name: string, apply: (value: bigint, by: bigint) => bigint): BuiltinCompiler {
  return plain((rt, [left, right]) =>
    numberCode(rt, () => {
      const value = left?.number() ?? 0;
      const by = right?.number() ?? 0;
      if (value < 0 || by < 0)
        throw new AwkFatalError(
          `${name}(${value.toFixed(6)}, ${by.toFixed(6)}): negative values are not allowed`,
        );
      return Number(
        BigInt.asUintN(64, apply(toBits(name, 0, value), toBits(name, 1, Math.min(by, 64)))),
      );
    }),
  );
}

/** The most bits a number holds exactly. */
const ALL_BITS = 2n ** 53n - 1n;

const compl = plain((rt, [code]) =>
  numberCode(rt, () => {
    const value = code?.number() ?? 0;
    if (value < 0)
      throw new AwkFatalError(`compl(${value.toFixed(6)}): negative value is not allowed`);
    return Number(ALL_BITS ^ (toBits("compl", 0, value) & ALL_BITS));
  }),
);

export const numberBuiltins: readonly (readonly [string, BuiltinCompiler])[] = [
  ["sin", mathOf(Math.sin)],
  ["cos", mathOf(Math.cos)],
  ["exp", exp],
  ["int", mathOf((value) => Math.trunc(value) + 0)],
  ["log", warning("log", Math.log)],
  ["sqrt", warning("sqrt", Math.sqrt)],
  [
    "atan2",
    plain((rt, [y, x]) => numberCode(rt, () => Math.atan2(y?.number() ?? 0, x?.number() ?? 0))),
  ],
  ["rand", plain((rt) => numberCode(rt, () => rt.random.next()))],
  ["srand", srand],
  ["strtonum", strtonum],
  ["and", bitwise("and", (left, right) => left & right)],
  ["or", bitwise("or", (left, right) => left | right)],
  ["xor", bitwise("xor", (left, right) => left ^ right)],
  ["lshift", shift("lshift", (value, by) => value << by)],
  ["rshift", shift("rshift", (value, by) => value >> by)],
  ["compl", compl],
  ["mkbool", plain((rt, [value]) => numberCode(rt, () => (value?.test() === true ? 1 : 0)))],
];
