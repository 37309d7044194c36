import { defineProgram } from "./program.ts";
import { readAllBytes } from "./read-all.ts";

export const main = defineProgram(
  {
    name: "tac",
    usage: ["[OPTION]... [FILE]..."],
    summary: "Write each FILE to standard output, last line first.",
    options: [],
  },
  async (run) => {
    await run.forEachInput(run.operands, async (fd) => {
      const bytes = await readAllBytes(run.sys, fd);
      for (let end = bytes.length; end > 0; ) {
        const start = end === 1 ? 0 : bytes.subarray(0, end - 1).lastIndexOf(10) + 1;
        await run.out.write(bytes.subarray(start, end));
        end = start;
      }
    });
  },
);
