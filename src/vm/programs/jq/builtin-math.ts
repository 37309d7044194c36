/** The functions of C's math library. */
import { typeError } from "./arithmetic.ts";
import { isNumber, numberOf, type Value } from "./value.ts";

/** By name; all are of one argument but those of `twoArguments` and `threeArguments`. */
const oneArgument: Readonly<Record<string, (x: number) => Value>> = {
  acos: Math.acos,
  acosh: Math.acosh,
  asin: Math.asin,
  asinh: Math.asinh,
  atan: Math.atan,
  atanh: Math.atanh,
  cbrt: Math.cbrt,
  ceil: Math.ceil,
  cos: Math.cos,
  cosh: Math.cosh,
  exp: Math.exp,
  exp10: (x) => 10 ** x,
  exp2: (x) => 2 ** x,
  expm1: Math.expm1,
  fabs: Math.abs,
  floor: Math.floor,
  frexp: (x) => frexp(x),
  gamma: (x) => lgamma(x),
  lgamma: (x) => lgamma(x),
  lgamma_r: (x) => [lgamma(x), x < 0 && Math.floor(x) % 2 !== 0 ? -1 : 1],
  log: Math.log,
  log10: Math.log10,
  log1p: Math.log1p,
  log2: Math.log2,
  logb: (x) =>
    x === 0 ? Number.NEGATIVE_INFINITY : Number.isFinite(x) ? exponentOf(x) : Math.abs(x),
  modf: (x) => [Number.isFinite(x) ? x % 1 : x > 0 ? 0 : -0, Math.trunc(x)],
  nearbyint: roundEven,
  pow10: (x) => 10 ** x,
  rint: roundEven,
  round: (x) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5),
  significand: (x) => (x === 0 || !Number.isFinite(x) ? x : x / 2 ** exponentOf(x)),
  sin: Math.sin,
  sinh: Math.sinh,
  sqrt: Math.sqrt,
  tan: Math.tan,
  tanh: Math.tanh,
  tgamma: tgamma,
  trunc: Math.trunc,
};

const twoArguments: Readonly<Record<string, (x: number, y: number) => Value>> = {
  atan2: Math.atan2,
  copysign: (x, y) => (Math.sign(y) < 0 || Object.is(y, -0) ? -Math.abs(x) : Math.abs(x)),
  drem: (x, y) => x - y * roundEven(x / y),
  fdim: (x, y) => Math.max(x - y, 0),
  fmax: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.max(x, y)),
  fmin: (x, y) => (Number.isNaN(x) ? y : Number.isNaN(y) ? x : Math.min(x, y)),
  fmod: (x, y) => x % y,
  hypot: (x, y) => Math.hypot(x, y),
  ldexp: (x, y) => x * 2 ** y,
  nextafter: nextAfter,
  nexttoward: nextAfter,
  pow: (x, y) => (x === 1 || (x === -1 && !Number.isFinite(y)) ? 1 : x ** y),
  scalb: (x, y) => x * 2 ** y,
  scalbln: (x, y) => x * 2 ** y,
};

/** Each by `name/arity`, for the table of natives. */
export function mathFunctions(): [string, (input: Value, args: readonly Value[]) => Value][] {
  return [
    ...Object.entries(oneArgument).map(
      ([name, compute]): MathRow => [`${name}/0`, (input) => compute(need(input))],
    ),
    ...Object.entries(twoArguments).map(
      ([name, compute]): MathRow => [
        `${name}/2`,
        (_input, [x = null, y = null]) => compute(need(x), need(y)),
      ],
    ),
    ["fma/3", (_input, [x = null, y = null, z = null]) => need(x) * need(y) + need(z)],
  ];
}

type MathRow = [string, (input: Value, args: readonly Value[]) => Value];

function need(value: Value): number {
  if (!isNumber(value)) throw typeError(value, "number required");
  return numberOf(value);
}

/** Halves to the even side. */
function roundEven(x: number): number {
  const low = Math.floor(x);
  const part = x - low;
  if (part < 0.5) return low;
  if (part > 0.5) return low + 1;
  return low % 2 === 0 ? low : low + 1;
}

function exponentOf(x: number): number {
  if (x === 0 || !Number.isFinite(x)) return 0;
  let exponent = Math.floor(Math.log2(Math.abs(x)));
  if (2 ** exponent > Math.abs(x)) exponent -= 1;
  if (2 ** (exponent + 1) <= Math.abs(x)) exponent += 1;
  return exponent;
}

function frexp(x: number): Value {
  if (x === 0 || !Number.isFinite(x)) return [x, 0];
  const exponent = exponentOf(x) + 1;
  return [x / 2 ** exponent, exponent];
}

function nextAfter(x: number, y: number): number {
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  if (x === y) return y;
  if (x === 0) return y > 0 ? Number.MIN_VALUE : -Number.MIN_VALUE;
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigInt64(0);
  view.setBigInt64(0, y > x === x > 0 ? bits + 1n : bits - 1n);
  return view.getFloat64(0);
}

/** Lanczos' approximation, g = 7, n = 9. */
const lanczos = [
  0.999_999_999_999_809_9, 676.520_368_121_885_1, -1259.139_216_722_402_8, 771.323_428_777_653_1,
  -176.615_029_162_140_6, 12.507_343_278_686_905, -0.138_571_095_265_720_12,
  9.984_369_578_019_572e-6, 1.505_632_735_149_311_6e-7,
];

function lgamma(x: number): number {
  if (x <= 0 && Number.isInteger(x)) return Number.POSITIVE_INFINITY;
  if (x === 1 || x === 2) return 0;
  if (x < 0.5) return Math.log(Math.abs(Math.PI / Math.sin(Math.PI * x))) - lgamma(1 - x);
  const shifted = x - 1;
  const base = shifted + 7.5;
  const sum = lanczos.reduce(
    (total, factor, at) => total + (at === 0 ? factor : factor / (shifted + at)),
    0,
  );
  return 0.5 * Math.log(2 * Math.PI) + (shifted + 0.5) * Math.log(base) - base + Math.log(sum);
}

function tgamma(x: number): number {
  if (Number.isInteger(x) && x > 0 && x < 171) {
    let product = 1;
    for (let factor = 2; factor < x; factor++) product *= factor;
    return product;
  }
  if (x < 0.5) return Math.PI / (Math.sin(Math.PI * x) * tgamma(1 - x));
  return Math.exp(lgamma(x));
}
