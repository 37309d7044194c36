// The document that is made from what programs say of themselves: docs/programs.md.

import { findProgram, programNames } from "../src/vm/programs/registry.ts";
import { builtinNames } from "../src/vm/shell/builtins/builtin-names.ts";

/** The documents by their paths in the project. */
export const programDocs = { "docs/programs.md": renderPrograms };

async function renderPrograms() {
  const rows = [];
  for (const name of programNames()) rows.push(`| \`${name}\` | ${await describe(name)} |`);
  const builtins = builtinNames()
    .toSorted()
    .map((name) => `\`${name}\``);
  return [
    "# Programs of a VM",
    "",
    "Made by `npm run docs` from what each program answers to `--help`; `man NAME` shows the whole of it.",
    "They are written for the VM: the options, messages and statuses are those of GNU's tools, compared with them",
    "in test/conformance ([how many cases](conformance.md)). What differs on purpose is in",
    "[posix-deviations.md](posix-deviations.md).",
    "",
    `Not there: \`curl\` and \`wget\` (they come with networking), \`rg\` (with WASM) and compilers.`,
    "",
    "| program | what it does |",
    "| --- | --- |",
    ...rows,
    "",
    `## Builtins of the shell (${builtins.length})`,
    "",
    `${builtins.join(" ")}`,
    "",
    "`sh` is the same shell in POSIX mode. `help NAME` tells about each.",
    "",
  ].join("\n");
}

/** Of those whose help begins with something else. */
const said = new Map([
  ["bash", "The shell, as bash 5.2."],
  ["sh", "The same shell in POSIX mode."],
  ["test", "Check file types and compare values."],
  ["clear", "Clear the terminal screen."],
  ["reset", "Set the terminal to its sane state."],
  [
    "npm",
    "Run package scripts, and install packages that are in the VM already: folders, tarballs, mounted software.",
  ],
  ["kill", "Send a signal to processes."],
  ["tput", "Show what the terminal can do, or make it do so."],
]);

/**
 * The first line that says what a program does.
 * @param {string} name
 */
async function describe(name) {
  const known = said.get(name);
  if (known !== undefined) return known;
  const main = await findProgram(name);
  let text = "";
  const sys = /** @type {any} */ ({
    /** @param {number} _fd @param {Uint8Array} bytes */
    write: async (_fd, bytes) => {
      text += new TextDecoder().decode(bytes);
      return bytes.length;
    },
    environ: async () => new Map(),
  });
  try {
    await main?.(sys, [name, "--help"]);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((one) => !/^(?:usage:|\s|\t|GNU bash|\w+:$)/i.test(one)) ?? "";
  return line.trim().replaceAll("|", "\\|");
}
