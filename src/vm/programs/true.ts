import type { Program } from "../../kernel/index.ts";

/** `true` and `false`: whatever their arguments. */
export const main: Program = async (_sys, argv) => (/(?:^|\/)false$/.test(argv[0] ?? "") ? 1 : 0);
