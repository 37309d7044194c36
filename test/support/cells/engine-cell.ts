// Enters the jail, then asks V8 for what guests would ask: an endless pattern, a huge memory.
import { Socket } from "node:net";
import { enterJail } from "../../../src/vm/cell/jail/enter-jail.ts";
import { readJailOptions } from "../../../src/vm/confinement/jail-options.ts";

/** The project's types are those of the language and of Node, which leave this one out. */
declare const WebAssembly: {
  readonly Memory: new (descriptor: { initial: number }) => { grow(pages: number): number };
};

enterJail(readJailOptions(process.argv));
const memory = new WebAssembly.Memory({ initial: 1 });
const grow = (pages: number): string => {
  try {
    memory.grow(pages);
    return "grown";
  } catch (error) {
    return error instanceof RangeError ? "refused" : String(error);
  }
};
// With a backtracking engine this takes longer than the universe has.
const matched = /^(a+)+$/.test(`${"a".repeat(200)}b`);
const answer = { matched, to256MiB: grow(4095), onePageMore: grow(1) };
new Socket({ fd: 3, readable: true, writable: true }).end(JSON.stringify(answer));
