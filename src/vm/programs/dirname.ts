import { UsageError } from "./options.ts";
import { defineProgram } from "./program.ts";

export const main = defineProgram(
  {
    name: "dirname",
    usage: ["[OPTION] NAME..."],
    summary:
      "Output each NAME with its last non-slash component and trailing slashes\nremoved; if NAME contains no /'s, output '.' (meaning the current directory).",
    options: [{ short: "z", long: "zero", help: "end each output line with NUL, not newline" }],
  },
  async (run) => {
    if (run.operands.length === 0) throw new UsageError("missing operand");
    for (const name of run.operands)
      run.out.addText(`${directoryName(name)}${run.has("zero") ? "\0" : "\n"}`);
  },
);

function directoryName(name: string): string {
  const trimmed = name.replace(/(.)\/+$/s, "$1");
  const at = trimmed.lastIndexOf("/");
  if (at === -1) return ".";
  const directory = trimmed.slice(0, at).replace(/\/+$/, "");
  return directory === "" ? "/" : directory;
}
