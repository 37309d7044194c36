/** A sed script into commands, in the order GNU sed reads it, so that errors say the same places. */

import { ColonClassError } from "../regexp/bracket.ts";
import { RegExpSyntaxError } from "../regexp/errors.ts";
import { LineRegExp } from "../regexp/line-regexp.ts";
import { parsePosix } from "../regexp/parse.ts";
import {
  type Action,
  type Address,
  type Command,
  SedError,
  type SedRegExp,
  type Translation,
} from "./command.ts";
import { replaceEscapes, withoutGnuOperators } from "./escapes.ts";
import { type AddressSetting, readAddress } from "./parse-address.ts";
import { type RegExpFlags, readSubstitution, readTranslation } from "./parse-substitute.ts";
import { readText } from "./read-text.ts";
import { asText, type ScriptPart, ScriptReader } from "./script-reader.ts";
import { firstRange } from "./select.ts";

export interface ScriptOptions {
  readonly isExtended: boolean;
  readonly isPosix: boolean;
  readonly isSandbox: boolean;
  readonly isUtf8: boolean;
  readonly delimiter: number;
}

export interface Script {
  readonly commands: readonly Command[];
  /** The script starts with `#n`. */
  readonly isQuiet: boolean;
}

/** Fails with a SedError. */
export function parseScript(parts: readonly ScriptPart[], options: ScriptOptions): Script {
  return new ScriptParser(options).parse(parts);
}

/** A brace that is not closed yet, and where it stands. */
interface OpenBlock {
  readonly block: Extract<Action, { name: "{" }>;
  readonly reader: ScriptReader;
  readonly at: number;
}

type PrintName = "=" | "F" | "p" | "P";
type SpaceName = "d" | "D" | "n" | "N" | "g" | "G" | "h" | "H" | "x" | "z";

class ScriptParser {
  readonly #options: ScriptOptions;
  readonly #addressSetting: AddressSetting;
  readonly #commands: Command[] = [];
  readonly #labels = new Map<string, number>();
  readonly #blocks: OpenBlock[] = [];
  #isQuiet = false;
  #reader = new ScriptReader({ text: "", expression: 1, file: "" });

  constructor(options: ScriptOptions) {
    this.#options = options;
    const { isPosix } = options;
    this.#addressSetting = { isPosix, compile: (source, flags) => this.#compile(source, flags) };
  }

  parse(parts: readonly ScriptPart[]): Script {
    for (const [at, part] of parts.entries()) {
      this.#reader = new ScriptReader(part);
      while (this.#command(at === 0));
    }
    this.#blocks.at(-1)?.reader.failAt(this.#blocks.at(-1)?.at ?? 0, "unmatched `{'");
    for (const { action } of this.#commands) {
      if (action.name !== "b" && action.name !== "t" && action.name !== "T") continue;
      const to = action.label === "" ? this.#commands.length : this.#labels.get(action.label);
      if (to === undefined)
        throw new SedError(`can't find label for jump to \`${asText(action.label)}'`, 4);
      action.to = to;
    }
    return { commands: this.#commands, isQuiet: this.#isQuiet };
  }

  /** Answers whether there may be more. */
  #command(isFirstPart: boolean): boolean {
    const reader = this.#reader;
    let character = reader.next();
    while (character === ";" || /\s/.test(character)) character = reader.next();
    if (character === "") return false;
    const from = readAddress(reader, character, this.#addressSetting);
    let to: Address | undefined;
    if (from !== undefined) {
      if (from.kind === "plus" || from.kind === "multiple")
        reader.fail("invalid usage of +N or ~N as first address");
      character = reader.nextNonBlank();
      if (character === ",") {
        to = readAddress(reader, reader.nextNonBlank(), this.#addressSetting);
        if (to === undefined) reader.fail("unexpected `,'");
        character = reader.nextNonBlank();
      }
      const isZero = from.kind === "line" && from.line === 0;
      const isTaken = to?.kind === "regexp" || (to === undefined && character === "r");
      if (isZero && (!isTaken || this.#options.isPosix))
        reader.fail("invalid usage of line address 0");
    }
    const isNegated = character === "!";
    if (isNegated) {
      character = reader.nextNonBlank();
      if (character === "!") reader.fail("multiple `!'s");
    }
    const action = this.#action(character, { from, to, isFirstPart });
    if (action === undefined) return true;
    this.#commands.push({ action, from, to, isNegated, range: firstRange(from), rangeEnd: 0 });
    return true;
  }

  #compile(source: string, { ignoreCase, isMultiline }: RegExpFlags): SedRegExp {
    if (source === "") {
      if (ignoreCase || isMultiline) this.#reader.fail("cannot specify modifiers on empty regexp");
      return undefined;
    }
    const { isExtended, isUtf8, isPosix, delimiter } = this.#options;
    const syntax = isExtended ? "extended" : "basic";
    try {
      const escaped = replaceEscapes(source);
      const text = asText(isPosix ? withoutGnuOperators(escaped, isExtended) : escaped);
      const tree = parsePosix(text, { syntax, flavour: "sed", isUtf8, ignoreCase });
      return new LineRegExp(tree, {
        isUtf8,
        isMultiline: isMultiline && delimiter === 10,
        delimiter,
        ignoreCase,
      });
    } catch (error) {
      if (error instanceof ColonClassError) throw new SedError(error.message, 4);
      if (error instanceof RegExpSyntaxError) this.#reader.fail(error.message);
      throw error;
    }
  }

  #action(
    name: string,
    {
      from,
      to,
      isFirstPart,
    }: { from: Address | undefined; to: Address | undefined; isFirstPart: boolean },
  ): Action | undefined {
    const reader = this.#reader;
    switch (name) {
      case "#":
        if (from !== undefined) reader.fail("comments don't accept any addresses");
        this.#comment(isFirstPart);
        return undefined;
      case ":":
        this.#label(from);
        return undefined;
      case "{":
        return this.#open();
      case "}":
        return this.#close(from);
      case "a":
      case "c":
        return { name, text: readText(reader) };
      case "i":
        return { name, text: readText(reader) };
      case "q":
      case "Q":
        if (to !== undefined) reader.fail("command only uses one address");
        return { name, number: this.#number(0) };
      case "l":
        return { name, number: this.#number(-1) };
      case "b":
      case "t":
      case "T":
        return { name, label: this.#labelName(), to: 0 };
      case "r":
      case "R":
        return { name, file: this.#file() };
      case "w":
      case "W":
        return { name, file: this.#file() };
      default:
        return this.#otherAction(name);
    }
  }

  #otherAction(name: string): Action | undefined {
    const reader = this.#reader;
    switch (name) {
      case "e":
        if (this.#options.isSandbox) this.#refuseSandbox();
        return { name, command: asText(reader.line().replace(/^[ \t]+/, "")) };
      case "s": {
        const substitution = readSubstitution(reader, {
          compile: (source, flags) => this.#compile(source, flags),
          readFile: () => this.#file(),
          isPosix: this.#options.isPosix,
          isUtf8: this.#options.isUtf8,
        });
        if (substitution.runs && this.#options.isSandbox) this.#refuseSandbox();
        return { name, substitution };
      }
      case "y": {
        const map: Translation = readTranslation(reader, this.#options.isUtf8);
        return { name, map };
      }
      case "v":
        if (!isOldVersion(this.#labelName())) reader.fail("expected newer version of sed");
        return undefined;
      case "":
        return reader.fail("missing command");
      default:
        if (!isPrint(name) && !isOfSpaces(name))
          return reader.fail(`unknown command: \`${asText(name)}'`);
        reader.endCommand();
        return isPrint(name) ? { name } : { name };
    }
  }

  #refuseSandbox(): never {
    return this.#reader.fail("e/r/w commands disabled in sandbox mode");
  }

  #comment(isFirstPart: boolean): void {
    const isAtStart = isFirstPart && this.#reader.at === 1;
    const text = this.#reader.line();
    if (isAtStart && text.startsWith("n")) this.#isQuiet = true;
  }

  #label(from: Address | undefined): void {
    if (from !== undefined) this.#reader.fail(": doesn't want any addresses");
    const label = this.#labelName();
    if (label === "") this.#reader.fail('":" lacks a label');
    this.#labels.set(label, this.#commands.length);
  }

  #labelName(): string {
    const reader = this.#reader;
    let made = "";
    let character = reader.nextNonBlank();
    for (; character !== "" && !/[\s;}]/.test(character); character = reader.next())
      made += character;
    reader.back(character);
    return made;
  }

  #open(): Action {
    const block = { name: "{" as const, end: 0 };
    this.#blocks.push({ block, reader: this.#reader, at: this.#reader.at });
    return block;
  }

  #close(from: Address | undefined): Action {
    const block = this.#blocks.pop()?.block;
    if (block === undefined) return this.#reader.fail("unexpected `}'");
    if (from !== undefined) this.#reader.fail("} doesn't want any addresses");
    this.#reader.endCommand();
    block.end = this.#commands.length;
    return { name: "}" };
  }

  #number(otherwise: number): number {
    const reader = this.#reader;
    const character = reader.nextNonBlank();
    const isDigit = /\d/.test(character) && !this.#options.isPosix;
    if (!isDigit) reader.back(character);
    const number = isDigit ? reader.number(character) : otherwise;
    reader.endCommand();
    return number;
  }

  #file(): string {
    if (this.#options.isSandbox) this.#refuseSandbox();
    const first = this.#reader.nextNonBlank();
    this.#reader.back(first);
    const name = this.#reader.line();
    if (name === "") this.#reader.fail("missing filename in r/R/w/W commands");
    return asText(name);
  }
}

function isPrint(name: string): name is PrintName {
  return "=FpP".includes(name);
}

function isOfSpaces(name: string): name is SpaceName {
  return "dDnNgGhHxz".includes(name);
}

function isOldVersion(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return version === "" || major < 4 || (major === 4 && minor <= 9);
}
