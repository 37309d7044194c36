import { encodeText, type Program } from "../../kernel/index.ts";
import { helpText, type ProgramTable, versionText } from "./options.ts";
import { writeAll } from "./output.ts";

/** `true` and `false`: whatever their arguments, but for one that asks for help. */
export const main: Program = async (sys, argv) => {
  const isFalse = /(?:^|\/)false$/.test(argv[0] ?? "");
  const table: ProgramTable = {
    name: argv[0] ?? "true",
    usage: ["[ignored command line arguments]", "OPTION"],
    summary: `Exit with a status code indicating ${isFalse ? "failure" : "success"}.`,
    options: [],
  };
  const [, option] = argv;
  if (argv.length === 2 && option === "--help") await writeAll(sys, 1, encodeText(helpText(table)));
  if (argv.length === 2 && option === "--version")
    await writeAll(sys, 1, encodeText(versionText(table)));
  return isFalse ? 1 : 0;
};
