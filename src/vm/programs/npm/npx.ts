/** npx: `npm exec` with its words behind the first that is no option left alone. */
import { encodeText, type Program } from "../../../kernel/index.ts";
import { writeAll } from "../output.ts";
import { readCommandLine } from "./command-line.ts";
import { commandHelp } from "./help.ts";
import { runNpm } from "./npm.ts";
import { NPM_VERSION } from "./versions.ts";

const letters: ReadonlyMap<string, readonly [name: string, value?: string]> = new Map([
  ["p", ["package"]],
]);

export const main: Program = async (sys, argv) => {
  const words = argv.slice(1).map((word) => (word === "--no-install" ? "--yes=false" : word));
  const line = readCommandLine(words, { stopsAtWord: true, letters });
  if (line.settings.has("version")) {
    await writeAll(sys, 1, encodeText(`${NPM_VERSION}\n`));
    return 0;
  }
  if (line.settings.has("usage")) {
    const text = commandHelp("exec")
      .replaceAll("npm exec --package", "npx -p")
      .replaceAll("npm exec", "npx");
    await writeAll(sys, 1, encodeText(`${text}\n`));
    return 0;
  }
  return runNpm(sys, line, "exec");
};
