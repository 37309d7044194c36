// Where something was thrown, as Node shows it: our bindings are C++ there, so what they throw was thrown
// where its library called them.
import { CallError, call } from "../channel.ts";
import { compiled } from "../statics.ts";

const { toString: textOf } = Function.prototype;
const OURS = "node:internal/guest:";

/** Whether a place, the lines above an uncaught error, is in our own code. */
export function isOurs(place: string): boolean {
  return place.startsWith(OURS);
}

/** The place of a stack's first frame, where that is in Node's library; else none. */
export function placeInLibrary(stack: unknown): string {
  if (typeof stack !== "string") return "";
  const frame = /^ {4}at .*$/m.exec(stack)?.[0] ?? "";
  const [, id, line, column] = /\bnode:([\w/]+):(\d+):(\d+)\)?$/.exec(frame) ?? [];
  if (id === undefined) return "";
  const text = sourceOf(id)?.split("\n")[Number(line) - 1];
  if (text === undefined) return "";
  return `node:${id}:${line}\n${text}\n${" ".repeat(Number(column) - 1)}^\n`;
}

/** Of those in the snapshot it is their function's, which begins in its script's first line. */
function sourceOf(id: string): string | undefined {
  const kept = compiled[id];
  if (typeof kept === "function") return Reflect.apply(textOf, kept, []);
  try {
    return call("builtinSource", id);
  } catch (error) {
    if (error instanceof CallError) return undefined;
    throw error;
  }
}
