/** Which lines a command's addresses select. */
import type { Address, Command, SedRegExp } from "./command.ts";

export interface Place {
  readonly line: number;
  readonly isLast: () => boolean;
  readonly matches: (regExp: SedRegExp) => boolean;
}

/** Opens and closes the command's range. */
export function selects(command: Command, place: Place): boolean {
  const { from, to } = command;
  if (from === undefined) return true;
  if (to === undefined) return isAt(from, place);
  if (command.range === "open") return goesOn(command, to, place);
  if (!startsAt(command, from, place)) return false;
  const end = rangeEnd(to, place.line);
  const isOpen = end === undefined || end > place.line;
  command.range = isOpen ? "open" : "closed";
  command.rangeEnd = end ?? 0;
  return true;
}

/** A range from a line on starts once, at that line or, where it was not looked at, behind it. */
function startsAt({ range, to }: Command, from: Address, place: Place): boolean {
  if (from.kind !== "line") return isAt(from, place);
  if (range === "closed" || place.line < from.line) return false;
  return to?.kind !== "line" || place.line <= to.line || place.line === from.line;
}

/** The range before the first line of a file. */
export function firstRange(from: Address | undefined): Command["range"] {
  return from?.kind === "line" && from.line === 0 ? "open" : "new";
}

function goesOn(command: Command, to: Address, place: Place): boolean {
  if (to.kind === "line" || to.kind === "plus" || to.kind === "multiple") {
    const end = command.rangeEnd;
    if (place.line >= end) command.range = "closed";
    if (place.line <= end) return true;
    return command.from !== undefined && isAt(command.from, place);
  }
  if (isAt(to, place)) command.range = "closed";
  return true;
}

/** The line a range ends at; undefined where that shows later. */
function rangeEnd(to: Address, line: number): number | undefined {
  switch (to.kind) {
    case "line":
      return to.line;
    case "plus":
      return line + to.count;
    case "multiple":
      return to.count === 0 ? line : line + to.count - (line % to.count);
    default:
      return undefined;
  }
}

function isAt(address: Address, { line, isLast, matches }: Place): boolean {
  switch (address.kind) {
    case "line":
      return line === address.line || (line === 1 && address.line === 0);
    case "step":
      return line >= address.first && (line - address.first) % address.step === 0;
    case "last":
      return isLast();
    case "regexp":
      return matches(address.regExp);
    case "plus":
    case "multiple":
      return false;
  }
}
