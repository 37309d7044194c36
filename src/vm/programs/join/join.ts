import { isKernelError, O_CLOEXEC, O_RDONLY } from "../../../kernel/index.ts";
import { UsageError } from "../options.ts";
import { defineProgram, errorWords, type Run } from "../program.ts";
import { quoteFile } from "../quote-text.ts";
import { JoinInput } from "./join-input.ts";
import { Joining } from "./joining.ts";
import { readSettings } from "./settings.ts";

export const main = defineProgram(
  {
    name: "join",
    usage: ["[OPTION]... FILE1 FILE2"],
    summary: "Write a line for each pair of lines of two sorted files that have a field in common.",
    options: [
      { short: "a", value: "FILENUM", help: "also write unpairable lines of file FILENUM" },
      { short: "e", value: "STRING", help: "replace empty and missing fields by STRING" },
      { short: "i", long: "ignore-case", help: "ignore differences in case when comparing" },
      { short: "j", value: "FIELD", help: "same as -1 FIELD -2 FIELD" },
      { short: "o", value: "FORMAT", help: "write FORMAT: a list of FILENUM.FIELD and 0, or auto" },
      { short: "t", value: "CHAR", help: "fields are separated by CHAR" },
      { short: "v", value: "FILENUM", help: "like -a FILENUM, but no joined lines" },
      { short: "1", value: "FIELD", help: "join on this FIELD of file 1" },
      { short: "2", value: "FIELD", help: "join on this FIELD of file 2" },
      { long: "check-order", help: "fail where input is not sorted, even if all lines pair" },
      { long: "nocheck-order", help: "do not look whether input is sorted" },
      { long: "header", help: "join the first line of each file without comparing" },
      { short: "z", long: "zero-terminated", help: "lines end with NUL, not newline" },
    ],
  },
  async (run) => {
    const settings = readSettings(run);
    const [first = "", second = ""] = settings.files;
    if (first === "-" && second === "-")
      throw new UsageError("both files cannot be standard input", { hasHint: false });
    const left = new JoinInput(run, await open(run, first), first, settings, 1);
    const right = new JoinInput(run, await open(run, second), second, settings, 2);
    try {
      await new Joining(run, settings, left, right).join();
    } catch (error) {
      if (!isKernelError(error, "EISDIR")) throw error;
      throw new UsageError(`read error: ${errorWords(error)}`, { hasHint: false });
    }
  },
);

async function open(run: Run, name: string): Promise<number> {
  if (name === "-") return 0;
  try {
    return await run.sys.open(name, O_RDONLY | O_CLOEXEC);
  } catch (error) {
    if (!isKernelError(error)) throw error;
    throw new UsageError(`${quoteFile(name)}: ${errorWords(error)}`, { hasHint: false });
  }
}
