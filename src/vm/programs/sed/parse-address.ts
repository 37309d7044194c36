import type { Address, SedRegExp } from "./command.ts";
import { type RegExpFlags, readDelimited } from "./parse-substitute.ts";
import type { ScriptReader } from "./script-reader.ts";

export interface AddressSetting {
  readonly isPosix: boolean;
  readonly compile: (source: string, flags: RegExpFlags) => SedRegExp;
}

/** The address that starts with a character; undefined where none does. */
export function readAddress(
  reader: ScriptReader,
  character: string,
  setting: AddressSetting,
): Address | undefined {
  if (character === "/" || character === "\\") return regExpAddress(reader, character, setting);
  if (/\d/.test(character)) return lineAddress(reader, reader.number(character), setting);
  if (character === "$") return { kind: "last" };
  if ((character === "+" || character === "~") && !setting.isPosix) {
    const count = reader.number(reader.nextNonBlank());
    return { kind: character === "+" ? "plus" : "multiple", count };
  }
  return undefined;
}

function regExpAddress(reader: ScriptReader, first: string, setting: AddressSetting): Address {
  const delimiter = first === "\\" ? reader.next() : first;
  const source = readDelimited(reader, delimiter, true);
  if (source === undefined) return reader.fail("unterminated address regex");
  let ignoreCase = false;
  let isMultiline = false;
  for (;;) {
    const flag = reader.nextNonBlank();
    if (flag === "I" && !setting.isPosix) ignoreCase = true;
    else if (flag === "M" && !setting.isPosix) isMultiline = true;
    else {
      reader.back(flag);
      break;
    }
  }
  return { kind: "regexp", regExp: setting.compile(source, { ignoreCase, isMultiline }) };
}

function lineAddress(reader: ScriptReader, line: number, { isPosix }: AddressSetting): Address {
  const character = reader.nextNonBlank();
  if (character !== "~" || isPosix) {
    reader.back(character);
    return { kind: "line", line };
  }
  const step = reader.number(reader.nextNonBlank());
  return step > 0 ? { kind: "step", first: line, step } : { kind: "line", line };
}
