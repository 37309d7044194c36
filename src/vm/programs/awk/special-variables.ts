/** The variables that steer awk, or that it sets. */
import type { Runtime } from "./runtime.ts";
import { InputText, toBoolean, toNumber, type Value } from "./value.ts";

export interface SpecialVariable {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
}

export function makeSpecialVariables(rt: Runtime): ReadonlyMap<string, SpecialVariable> {
  return new Map<string, SpecialVariable>([
    ...makeCounters(rt),
    ...makeSeparators(rt),
    ["CONVFMT", formatVariable(rt, (format) => (rt.format = rt.numberFormat(format)))],
    ["OFMT", formatVariable(rt, (format) => (rt.outputFormat = rt.numberFormat(format)))],
    [
      "IGNORECASE",
      kept(0, (value) => {
        rt.ignoreCase = toBoolean(value);
        rt.patterns.ignoreCase = rt.ignoreCase;
        rt.chooseSplitter();
        rt.chooseSeparator();
      }),
    ],
    ["RT", { get: () => rt.terminator, set: (value) => (rt.terminator = value) }],
  ]);
}

function makeCounters(rt: Runtime): readonly [string, SpecialVariable][] {
  return [
    [
      "NF",
      {
        get: () => rt.record.fieldCount,
        set: (value) => rt.record.setFieldCount(Math.trunc(toNumber(value))),
      },
    ],
    ["NR", { get: () => rt.nr, set: (value) => (rt.nr = toNumber(value)) }],
    ["FNR", { get: () => rt.fnr, set: (value) => (rt.fnr = toNumber(value)) }],
  ];
}

function makeSeparators(rt: Runtime): readonly [string, SpecialVariable][] {
  return [
    ["FS", fieldVariable(rt, "FS", " ", (text) => (rt.fs = text))],
    ["FPAT", fieldVariable(rt, "FPAT", "[^[:space:]]+", (text) => (rt.fpat = text))],
    ["FIELDWIDTHS", fieldVariable(rt, "FIELDWIDTHS", "", (text) => (rt.fieldWidths = text))],
    [
      "RS",
      kept("\n", (value) => {
        rt.rs = rt.text(value);
        rt.chooseSeparator();
        rt.chooseSplitter();
      }),
    ],
    [
      "OFS",
      kept(" ", (value) => {
        rt.record.settle();
        rt.ofs = rt.text(value);
      }),
    ],
    ["ORS", kept("\n", (value) => (rt.ors = rt.text(value)))],
    ["SUBSEP", kept("\x1c", (value) => (rt.subsep = rt.text(value)))],
  ];
}

/** A variable that keeps its value and does something when it is set. */
function kept(start: Value, apply: (value: Value) => void): SpecialVariable {
  let current = start;
  return {
    get: () => current,
    set: (value) => {
      apply(value);
      current = value;
    },
  };
}

function fieldVariable(
  rt: Runtime,
  mode: Runtime["fieldMode"],
  start: string,
  apply: (text: string) => void,
): SpecialVariable {
  return kept(start, (value) => {
    apply(rt.text(value));
    rt.fieldMode = mode;
    rt.chooseSplitter();
  });
}

function formatVariable(rt: Runtime, apply: (format: string) => void): SpecialVariable {
  return kept("%.6g", (value) => apply(rt.text(value)));
}

/** A value from the command line or the environment. */
export function outsideValue(text: string): Value {
  return new InputText(text);
}
