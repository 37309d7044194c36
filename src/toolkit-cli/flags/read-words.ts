/**
 * The words of a command line, told apart: flags of the tool, flags of the command itself, values.
 * The word behind a flag is its value whatever it looks like, so that text from anywhere stays a value.
 */
import type { JsonSchema } from "../json-schema.ts";
import { nearest } from "../nearest.ts";
import { listFlags } from "./list-flags.ts";
import { readValue, shown } from "./read-value.ts";
import { type FlagTarget, type Resolved, resolveFlag } from "./resolve-flag.ts";
import { SchemaDocument } from "./schema-document.ts";
import { isScalar, isSwitch, type Shape } from "./shape.ts";

/** A flag with what was given to it. */
export interface Given {
  /** As it was written: `--max-results`. */
  readonly flag: string;
  readonly target: FlagTarget;
  readonly word: GivenWord;
}

export type GivenWord =
  | { readonly kind: "switch"; readonly isOn: boolean }
  | {
      readonly kind: "text";
      readonly text: string;
      /** `@file` and `-` mean nothing in it. */
      readonly isLiteral: boolean;
      /** What a file holds is given as base64. */
      readonly isBase64?: boolean;
    };

/** The flags of the command itself by name; true where a value follows. */
export type BuiltInFlags = ReadonlyMap<string, boolean>;

export interface CommandWords {
  readonly given: readonly Given[];
  /** The values of built-in flags in order; "" for one that has none. */
  readonly builtIn: ReadonlyMap<string, readonly string[]>;
  /** What cannot be understood, one sentence each. */
  readonly problems: readonly string[];
}

export function readWords(
  schema: JsonSchema,
  builtInFlags: BuiltInFlags,
  words: readonly string[],
): CommandWords {
  return new WordReader(new SchemaDocument(schema), builtInFlags, words).read();
}

class WordReader {
  readonly #document: SchemaDocument;
  readonly #builtInFlags: BuiltInFlags;
  readonly #words: readonly string[];
  readonly #given: Given[] = [];
  readonly #builtIn = new Map<string, string[]>();
  readonly #problems: string[] = [];
  readonly #positional: FlagTarget | undefined;
  #at = 0;

  constructor(document: SchemaDocument, builtInFlags: BuiltInFlags, words: readonly string[]) {
    this.#document = document;
    this.#builtInFlags = builtInFlags;
    this.#words = words;
    this.#positional = findPositional(document);
  }

  read(): CommandWords {
    for (; this.#at < this.#words.length; this.#at++) {
      const word = this.#words[this.#at] ?? "";
      if (word === "--") {
        for (const one of this.#words.slice(this.#at + 1)) this.#value(one, true);
        break;
      }
      if (word.startsWith("--")) this.#flag(word.slice(2));
      else if (word === "-h") this.#addBuiltIn("help", "");
      else if (/^-./s.test(word) && !this.#isNumber(word)) this.#problems.push(shortFlag(word));
      else this.#value(word, false);
    }
    return { given: this.#given, builtIn: this.#builtIn, problems: this.#problems };
  }

  #flag(text: string): void {
    const end = text.indexOf("=");
    const name = end === -1 ? text : text.slice(0, end);
    const inline = end === -1 ? undefined : text.slice(end + 1);
    const takesValue = this.#builtInFlags.get(name);
    if (takesValue !== undefined) {
      this.#builtInFlag(name, takesValue, inline);
      return;
    }
    const flag = `--${name}`;
    const resolved = this.#resolve(name);
    if (resolved !== undefined && "problem" in resolved) {
      this.#problems.push(`${flag} ${resolved.problem}`);
      this.#skipValue(inline);
    } else if (resolved !== undefined) {
      this.#giveTo(flag, resolved, inline);
    } else if (!this.#negated(name, inline)) {
      this.#unknown(flag, inline);
    }
  }

  #resolve(name: string): Resolved {
    return name.startsWith(".")
      ? resolveFlag(this.#document, name.slice(1), true)
      : resolveFlag(this.#document, name, false);
  }

  #giveTo(flag: string, target: FlagTarget, inline: string | undefined): void {
    if (isSwitch(target.shape)) {
      this.#switch(flag, target, inline);
      return;
    }
    const text = inline ?? this.#next();
    if (text === undefined) this.#problems.push(`${flag} needs a value`);
    else this.#given.push({ flag, target, word: this.#textFor(target, text, false) });
  }

  /** `--x`, `--x=false`, and `--x false` since that is what people write. */
  #switch(flag: string, target: FlagTarget, inline: string | undefined): void {
    const following = this.#words[this.#at + 1] ?? "";
    const isNull = following === "null" && target.shape.hasNull;
    const saysWhich = following === "true" || following === "false" || isNull;
    const text = inline ?? (saysWhich ? this.#next() : undefined);
    this.#given.push({
      flag,
      target,
      word:
        text === undefined ? { kind: "switch", isOn: true } : this.#textFor(target, text, false),
    });
  }

  /** `--no-x`; answers whether it is one. */
  #negated(name: string, inline: string | undefined): boolean {
    if (!name.startsWith("no-")) return false;
    const target = this.#resolve(name.slice(3));
    if (target === undefined || "problem" in target || !isSwitch(target.shape)) return false;
    if (inline === undefined) {
      this.#given.push({ flag: `--${name}`, target, word: { kind: "switch", isOn: false } });
    } else {
      this.#problems.push(`--${name} takes no value: write --${name.slice(3)}=${inline}`);
    }
    return true;
  }

  #builtInFlag(name: string, takesValue: boolean, inline: string | undefined): void {
    if (!takesValue && inline !== undefined) this.#problems.push(`--${name} takes no value`);
    const value = takesValue ? (inline ?? this.#next()) : "";
    if (value === undefined) this.#problems.push(`--${name} needs a value`);
    else this.#addBuiltIn(name, value);
  }

  #addBuiltIn(name: string, value: string): void {
    this.#builtIn.set(name, [...(this.#builtIn.get(name) ?? []), value]);
  }

  #unknown(flag: string, inline: string | undefined): void {
    const known = [
      ...listFlags(this.#document).map((row) => row.flag),
      ...[...this.#builtInFlags.keys()].map((name) => `--${name}`),
    ];
    const near = nearest(flag, known);
    const hint = near === undefined ? "" : `; did you mean ${near}?`;
    this.#problems.push(`there is no flag ${shownFlag(flag)}${hint}`);
    this.#skipValue(inline);
  }

  /** What follows a flag that cannot be understood is probably its value. */
  #skipValue(inline: string | undefined): void {
    const following = this.#words[this.#at + 1];
    const isItsValue = inline === undefined && following?.startsWith("--") === false;
    if (isItsValue) this.#at += 1;
  }

  #value(text: string, isLiteral: boolean): void {
    const target = this.#positional;
    if (target === undefined) {
      this.#problems.push(`${shown(text)} stands alone: values are given by flags`);
      return;
    }
    const isTaken = this.#given.some((one) => one.flag === "" && one.target === target);
    if (isTaken && target.shape.array === undefined) {
      this.#problems.push(`${shown(text)} is one value too many (quote values with blanks)`);
      return;
    }
    this.#given.push({ flag: "", target, word: this.#textFor(target, text, isLiteral) });
  }

  #textFor({ shape }: FlagTarget, text: string, isLiteral: boolean): GivenWord {
    const items = shape.array?.items;
    const { isBase64 = false } = items === undefined ? shape : this.#document.shapeOf(items);
    return { kind: "text", text, isLiteral, isBase64 };
  }

  #isNumber(word: string): boolean {
    const shape = this.#positional?.shape;
    return shape?.number !== undefined && "value" in readValue(shape, word);
  }

  #next(): string | undefined {
    if (this.#at + 1 >= this.#words.length) return undefined;
    this.#at += 1;
    return this.#words[this.#at];
  }
}

/** The one required property, where a value without a flag can only be meant for it. */
export function findPositional(document: SchemaDocument): FlagTarget | undefined {
  const { root } = document;
  const required = [...root.required].filter((name) => {
    const schema = root.properties.get(name);
    return schema !== undefined && document.shapeOf(schema).default === undefined;
  });
  const [name] = required;
  if (name === undefined || required.length > 1) return undefined;
  const shape = document.shapeOf(root.properties.get(name) ?? true);
  return isPlain(document, shape) ? { steps: [name], shape } : undefined;
}

function isPlain(document: SchemaDocument, shape: Shape): boolean {
  if (isSwitch(shape)) return false;
  if (isScalar(shape)) return true;
  const items = shape.array?.items;
  const isList = items !== undefined && shape.object === undefined && !shape.isAny;
  return isList && isScalar(document.shapeOf(items));
}

function shortFlag(word: string): string {
  return `there is no flag ${shownFlag(word)}: flags have two dashes (a value that starts with a dash goes behind --)`;
}

function shownFlag(flag: string): string {
  return /^[\p{L}\p{M}\p{N}._-]{1,60}$/u.test(flag) ? flag : shown(flag);
}
