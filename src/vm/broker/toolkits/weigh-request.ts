import { countValues } from "../../../toolkit-cli/index.ts";

/** What a value of JSON takes in memory beside its text: an object or a list, and its place in another. */
const VALUE_BYTES = 64;
/** Shorter ones are not looked at: even of `[],[],[]…` they become no more than a few MiB. */
const LOOKED_AT_BYTES = 64 * 1024;

/** About how much memory a request takes once it is read, whatever its author makes of its text. */
export function weighRequest(line: Uint8Array): number {
  return line.length + VALUE_BYTES * (line.length > LOOKED_AT_BYTES ? countValues(line) : 1);
}
