import { baseName } from "./directory.ts";
import { UsageError } from "./options.ts";
import { defineProgram, quoteName } from "./program.ts";

export const main = defineProgram(
  {
    name: "basename",
    usage: ["NAME [SUFFIX]", "OPTION... NAME..."],
    summary:
      "Print NAME with any leading directory components removed.\nIf specified, also remove a trailing SUFFIX.",
    options: [
      { short: "a", long: "multiple", help: "support multiple arguments and treat each as a NAME" },
      { short: "s", long: "suffix", value: "SUFFIX", help: "remove a trailing SUFFIX; implies -a" },
      { short: "z", long: "zero", help: "end each output line with NUL, not newline" },
    ],
  },
  async (run) => {
    const [first, second, third] = run.operands;
    if (first === undefined) throw new UsageError("missing operand");
    const isMany = run.has("multiple") || run.has("suffix");
    if (!isMany && third !== undefined) throw new UsageError(`extra operand ${quoteName(third)}`);
    const suffix = run.options.get("suffix") ?? (isMany ? "" : (second ?? ""));
    for (const name of isMany ? run.operands : [first]) {
      const base = baseName(name);
      const isCut = suffix !== "" && base !== suffix && base.endsWith(suffix);
      run.out.addText(
        `${isCut ? base.slice(0, -suffix.length) : base}${run.has("zero") ? "\0" : "\n"}`,
      );
    }
  },
);
