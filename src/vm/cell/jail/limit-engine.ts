// V8's own limits on what JavaScript can ask of it. They are set in the running cell: on the command
// line they change the key of Node's built-in code cache, and every start takes 8 ms more.
import { setFlagsFromString } from "node:v8";

const engineFlags = [
  // One WebAssembly memory holds at most 256 MiB.
  "--wasm-max-mem-pages=4096",
  // A pattern that backtracks without end goes on in the linear engine: only one compiled later, without
  // the flags `u` and `i`, lookahead, back references and counts over 16. SafeRegExp does not rely on it.
  "--enable-experimental-regexp-engine-on-excessive-backtracks",
  // V8 14.6 takes the check for interrupts out of some loops that it could unroll, such as
  // `for (;;) new Array(1000).fill(0)`: nothing would end them, neither a signal nor the heap's limit.
  "--no-turboshaft-loop-unrolling",
] as const;

/** Called before any guest's pattern or memory exists. */
export function limitEngine(): void {
  for (const flag of engineFlags) setFlagsFromString(flag);
}
