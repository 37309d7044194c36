import { encodeText } from "../../kernel/index.ts";
import { writeAll } from "./output.ts";
import { defineProgram } from "./program.ts";

const BLOCK_BYTES = 16_384;

export const main = defineProgram(
  {
    name: "yes",
    usage: ["[STRING]...", "OPTION"],
    summary: "Repeatedly output a line with all specified STRING(s), or 'y'.",
    options: [],
  },
  async ({ operands, sys }) => {
    const line = `${operands.length === 0 ? "y" : operands.join(" ")}\n`;
    const block = encodeText(line.repeat(Math.max(1, Math.floor(BLOCK_BYTES / line.length))));
    for (;;) await writeAll(sys, 1, block);
  },
);
