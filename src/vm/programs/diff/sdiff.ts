import { UsageError } from "../options.ts";
import { defineProgram } from "../program.ts";
import { main as diff } from "./diff.ts";

/** Options of diff's that sdiff has under the same name. */
const passed = [
  "ignore-case",
  "ignore-tab-expansion",
  "ignore-trailing-space",
  "ignore-space-change",
  "ignore-blank-lines",
  "ignore-all-space",
  "strip-trailing-cr",
  "text",
  "left-column",
  "suppress-common-lines",
  "expand-tabs",
  "minimal",
];

export const main = defineProgram(
  {
    name: "sdiff",
    usage: ["[OPTION]... FILE1 FILE2"],
    summary: "Show two files side by side. Merging them interactively (-o) is not supported.",
    options: [
      { short: "o", long: "output", value: "FILE", help: "refused" },
      { short: "i", long: "ignore-case", help: "take upper and lower case as equal" },
      { short: "E", long: "ignore-tab-expansion", help: "ignore changes due to tab expansion" },
      { short: "Z", long: "ignore-trailing-space", help: "ignore white space at line end" },
      { short: "b", long: "ignore-space-change", help: "ignore the amount of white space" },
      { short: "W", long: "ignore-all-space", help: "ignore all white space" },
      { short: "B", long: "ignore-blank-lines", help: "ignore changes of blank lines" },
      {
        short: "I",
        long: "ignore-matching-lines",
        value: "RE",
        help: "ignore lines that match RE",
      },
      { long: "strip-trailing-cr", help: "drop carriage returns at line ends" },
      { short: "a", long: "text", help: "treat all files as text" },
      { short: "w", long: "width", value: "NUM", help: "print at most NUM columns (130)" },
      { short: "l", long: "left-column", help: "print only the left column of common lines" },
      { short: "s", long: "suppress-common-lines", help: "print no common lines" },
      { short: "t", long: "expand-tabs", help: "expand tabs to spaces" },
      { short: "d", long: "minimal", help: "try hard to find a smaller set of changes" },
      { short: "H", long: "speed-large-files", help: "accepted; changes nothing" },
    ],
    refusal: 2,
    hint: (name) => `${name}: Try '${name} --help' for more information.\n`,
  },
  async (run) => {
    const [first, second, extra] = run.operands;
    if (run.has("output")) throw new UsageError("-o is not supported", { hasHint: false });
    if (first === undefined || second === undefined)
      throw new UsageError(`missing operand after '${first ?? run.name}'`);
    if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
    const words = passed.filter((option) => run.has(option)).map((option) => `--${option}`);
    const width = run.options.get("width");
    if (width !== undefined) words.push(`--width=${width}`);
    for (const pattern of run.options.all("ignore-matching-lines")) words.push("-I", pattern);
    return diff(run.sys, ["diff", "--side-by-side", ...words, "--", first, second]);
  },
);
