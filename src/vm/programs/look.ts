import { decodeText } from "../../kernel/index.ts";
import { LineCursor } from "./line-cursor.ts";
import { UsageError } from "./options.ts";
import { defineProgram } from "./program.ts";
import { quoteFile } from "./quote-text.ts";

export const main = defineProgram(
  {
    name: "look",
    usage: ["[options] string [file]"],
    summary: "Display lines that begin with a string.",
    options: [
      { short: "a", long: "alternative", help: "use the alternative dictionary" },
      { short: "d", long: "alphanum", help: "compare only blanks, letters and digits" },
      { short: "f", long: "ignore-case", help: "ignore differences in case when comparing" },
      { short: "t", long: "terminate", value: "CHAR", help: "compare no further than CHAR" },
    ],
  },
  async (run) => {
    const [string, file = "/usr/share/dict/words", extra] = run.operands;
    if (string === undefined || extra !== undefined) throw new UsageError("bad usage");
    const isWords = run.operands.length === 1;
    const ignoresCase = run.has("ignore-case") || isWords;
    const isAlphanumeric = run.has("alphanum") || isWords;
    const normal = (text: string): string => {
      const kept = isAlphanumeric ? text.replace(/[^A-Za-z0-9 \t]/g, "") : text;
      return ignoresCase ? kept.toLowerCase() : kept;
    };
    const mark = run.options.get("terminate");
    const at = mark === undefined || mark === "" ? -1 : string.indexOf(mark.charAt(0));
    const wanted = normal(at === -1 ? string : string.slice(0, at + 1));
    let isFound = false;
    try {
      await run.withInput(file, async (fd) => {
        const lines = new LineCursor(run.sys, fd);
        while (lines.tryAdvance() || (await lines.advance())) {
          if (!normal(decodeText(lines.line)).startsWith(wanted)) continue;
          isFound = true;
          run.out.add(lines.line);
          run.out.addByte(10);
          if (run.out.isFull) await run.out.flush();
        }
      });
    } catch (error) {
      await run.failOn(error, quoteFile(file));
      return run.status;
    }
    return isFound ? 0 : 1;
  },
);
