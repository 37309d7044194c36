/** Reading and writing what can be assigned to. */
import { AwkArray, type Cell, ownText } from "./awk-array.ts";
import { AwkFatalError } from "./awk-error.ts";
import { type Code, lift, numberCode, type Ready, textCode, valueCode } from "./code.ts";
import type { Compiler } from "./compiler.ts";
import type { ElementNode, Expr, FieldNode, Target, VariableNode } from "./syntax.ts";
import { InputText, toNumber, type Value } from "./value.ts";

/** A target over operands that are worked out. */
export interface PlaceCode {
  readonly load: () => Value;
  readonly store: (value: Value) => void;
  /** Replaces the number that is there; answers the new one. */
  readonly update: (change: (before: number) => number) => number;
}

/** The expressions a target needs: one for each pair of brackets, or a field's number. */
export function targetOperands(compiler: Compiler, target: Target): readonly Code[] {
  if (target.kind === "variable") return [];
  if (target.kind === "field") return [compiler.expr(target.index)];
  return [...targetOperands(compiler, target.base), compileIndex(compiler, target.index)];
}

/** Subscripts with commas between them are one text. */
export function compileIndex(compiler: Compiler, index: readonly Expr[]): Code {
  const codes = index.map((one) => compiler.expr(one));
  const [first] = codes;
  if (first !== undefined && codes.length === 1) return first;
  const { rt } = compiler;
  return lift(rt, codes, (ready) => textCode(() => ready.map((one) => one.text()).join(rt.subsep)));
}

export function compilePlace(
  compiler: Compiler,
  target: Target,
  operands: readonly Ready[],
): PlaceCode {
  switch (target.kind) {
    case "variable":
      return variablePlace(compiler, target.name);
    case "field":
      return fieldPlace(compiler, operands[0]);
    case "element":
      return elementPlace(compiler, target, operands);
  }
}

function fromLoadStore(load: () => Value, store: (value: Value) => void): PlaceCode {
  return {
    load,
    store,
    update: (change) => {
      const made = change(toNumber(load()));
      store(made);
      return made;
    },
  };
}

function arrayAsScalar(name: string): never {
  throw new AwkFatalError(`attempt to use array \`${name}' in a scalar context`);
}

/** A parameter's name, and that of the array given for it. */
function namedFrom(name: string, array: AwkArray): string {
  return array.name === name ? name : `${name} (from ${array.name})`;
}

function variablePlace(compiler: Compiler, name: string): PlaceCode {
  const { rt } = compiler;
  const place = compiler.place(name);
  switch (place.kind) {
    case "special":
      return fromLoadStore(place.special.get, place.special.set);
    case "array":
      return fromLoadStore(
        () => arrayAsScalar(name),
        () => arrayAsScalar(name),
      );
    case "local": {
      const { slot } = place;
      return fromLoadStore(
        () => rt.frame[slot],
        (value) => {
          const before = rt.frame[slot];
          if (before instanceof AwkArray) arrayAsScalar(namedFrom(name, before));
          rt.frame[slot] = value;
        },
      );
    }
    case "global": {
      const { slot } = place;
      return {
        load: () => rt.globals[slot],
        store: (value) => {
          if (rt.globals[slot] instanceof AwkArray) arrayAsScalar(name);
          rt.globals[slot] = value;
        },
        update: (change) => {
          const made = change(toNumber(rt.globals[slot]));
          rt.globals[slot] = made;
          return made;
        },
      };
    }
  }
}

/** A field's number. */
export function fieldIndex(value: number): number {
  if (value >= 0) return Math.trunc(value);
  if (value > -1) return 0;
  throw new AwkFatalError(`attempt to access field ${Math.trunc(value)}`);
}

function fieldPlace(compiler: Compiler, index: Ready | undefined): PlaceCode {
  const { record } = compiler.rt;
  const at = (): number => fieldIndex(index?.number() ?? 0);
  return {
    load: () => record.fieldValue(at()),
    store: (value) => record.setField(at(), value),
    update: (change) => {
      const field = at();
      const made = change(record.fieldNumber(field));
      record.setField(field, made);
      return made;
    },
  };
}

function elementPlace(
  compiler: Compiler,
  target: ElementNode,
  operands: readonly Ready[],
): PlaceCode {
  const { rt } = compiler;
  const array = compiler.array(target.base, operands.slice(0, -1));
  const index = operands.at(-1);
  const key = (): string | number => rt.key(index?.value());
  const checked = (cell: Cell): Cell => {
    if (cell.value instanceof AwkArray) arrayAsScalar(cell.value.name);
    return cell;
  };
  return {
    load: () => array().cell(key()).value,
    store: (value) => {
      const found = array();
      const at = key();
      checked(found.cell(at));
      // What is kept must not keep the block it was read in.
      found.set(at, value instanceof InputText ? new InputText(ownText(value.text)) : value);
    },
    update: (change) => {
      const cell = checked(array().cell(key()));
      const made = change(toNumber(cell.value));
      cell.value = made;
      return made;
    },
  };
}

/** A variable, an element or a field as an expression. */
export function compileTarget(compiler: Compiler, target: Target): Code {
  if (target.kind === "field") return compileField(compiler, target);
  if (target.kind === "variable") return compileVariable(compiler, target);
  const { rt } = compiler;
  return lift(rt, targetOperands(compiler, target), (operands) =>
    valueCode(rt, compilePlace(compiler, target, operands).load),
  );
}

function compileVariable(compiler: Compiler, { name }: VariableNode): Code {
  const { rt } = compiler;
  if (name === "NF") return numberCode(rt, () => rt.record.fieldCount);
  if (name === "NR") return numberCode(rt, () => rt.nr);
  if (name === "FNR") return numberCode(rt, () => rt.fnr);
  return valueCode(rt, variablePlace(compiler, name).load);
}

function compileField(compiler: Compiler, { index }: FieldNode): Code {
  const { rt } = compiler;
  const { record } = rt;
  if (index.kind === "number") {
    const at = fieldIndex(index.value);
    return {
      ...valueCode(rt, () => record.fieldValue(at)),
      number: () => record.fieldNumber(at),
      text: () => record.fieldText(at),
    };
  }
  return lift(rt, [compiler.expr(index)], ([code]) => {
    const at = (): number => fieldIndex(code?.number() ?? 0);
    return {
      ...valueCode(rt, () => record.fieldValue(at())),
      number: () => record.fieldNumber(at()),
      text: () => record.fieldText(at()),
    };
  });
}
