import type { Builtin } from "./builtin.ts";

/** `:` and `true`. */
export const succeed: Builtin = () => 0;

export const fail: Builtin = () => 1;
