import { compareNames } from "../directory.ts";
import type { OptionRow, ProgramTable } from "../options.ts";

const digits: readonly OptionRow[] = "0123456789".split("").map((short) => ({
  short,
  help: "a digit of the number of context lines",
}));

const comparing: readonly OptionRow[] = [
  { short: "i", long: "ignore-case", help: "take upper and lower case as equal" },
  { long: "ignore-file-name-case", help: "take case in file names as equal" },
  { long: "no-ignore-file-name-case", help: "tell case in file names apart" },
  { short: "E", long: "ignore-tab-expansion", help: "ignore changes due to tab expansion" },
  { short: "Z", long: "ignore-trailing-space", help: "ignore white space at line end" },
  { short: "b", long: "ignore-space-change", help: "ignore changes in the amount of white space" },
  { short: "w", long: "ignore-all-space", help: "ignore all white space" },
  { short: "B", long: "ignore-blank-lines", help: "ignore changes where lines are all blank" },
  {
    short: "I",
    long: "ignore-matching-lines",
    value: "RE",
    help: "ignore changes where all lines match RE",
  },
  { short: "a", long: "text", help: "treat all files as text" },
  { long: "strip-trailing-cr", help: "drop carriage returns at line ends of input" },
  { short: "d", long: "minimal", help: "try hard to find a smaller set of changes" },
  { long: "horizon-lines", value: "NUM", help: "keep NUM lines of the common beginning and end" },
  { long: "inhibit-hunk-merge", help: "accepted; changes nothing" },
  { short: "H", long: "speed-large-files", help: "accepted; changes nothing" },
];

const walking: readonly OptionRow[] = [
  { short: "r", long: "recursive", help: "compare subdirectories, too" },
  { long: "no-dereference", help: "do not follow symbolic links" },
  { short: "N", long: "new-file", help: "treat absent files as empty" },
  { long: "unidirectional-new-file", help: "treat absent first files as empty" },
  { short: "x", long: "exclude", value: "PAT", help: "leave out files that match PAT" },
  {
    short: "X",
    long: "exclude-from",
    value: "FILE",
    help: "leave out files matching FILE's patterns",
  },
  { short: "S", long: "starting-file", value: "FILE", help: "start with FILE in directories" },
  { long: "from-file", value: "FILE", help: "compare FILE to all operands" },
  { long: "to-file", value: "FILE", help: "compare all operands to FILE" },
];

const formats: readonly OptionRow[] = ["old", "new", "unchanged", "changed"].flatMap((kind) => [
  ...(kind === "changed"
    ? []
    : [{ long: `${kind}-line-format`, value: "LFMT", help: `format ${kind} lines with LFMT` }]),
  { long: `${kind}-group-format`, value: "GFMT", help: `format ${kind} groups with GFMT` },
]);

const printing: readonly OptionRow[] = [
  { long: "normal", help: "print a normal diff (the default)" },
  { short: "q", long: "brief", help: "say only whether files differ" },
  { short: "s", long: "report-identical-files", help: "say when two files are the same" },
  { short: "c", help: "print 3 lines of copied context" },
  { short: "C", value: "NUM", help: "print NUM lines of copied context" },
  { long: "context", value: "NUM", isOptional: true, help: "the same; 3 without NUM" },
  { short: "u", help: "print 3 lines of unified context" },
  { short: "U", value: "NUM", help: "print NUM lines of unified context" },
  { long: "unified", value: "NUM", isOptional: true, help: "the same; 3 without NUM" },
  ...digits,
  { short: "e", long: "ed", help: "print a script for ed" },
  { short: "f", long: "forward-ed", help: "print a script like ed's, in forward order" },
  { short: "n", long: "rcs", help: "print an RCS format diff" },
  { short: "y", long: "side-by-side", help: "print in two columns" },
  { short: "W", long: "width", value: "NUM", help: "print at most NUM columns (130)" },
  { long: "left-column", help: "print only the left column of common lines" },
  { long: "suppress-common-lines", help: "print no common lines" },
  { short: "p", long: "show-c-function", help: "show which C function each change is in" },
  {
    short: "F",
    long: "show-function-line",
    value: "RE",
    help: "show the last line that matches RE",
  },
  {
    short: "L",
    long: "label",
    value: "LABEL",
    help: "use LABEL instead of a file's name and time",
  },
  { short: "t", long: "expand-tabs", help: "expand tabs to spaces" },
  { short: "T", long: "initial-tab", help: "put a tab before each line" },
  { long: "tabsize", value: "NUM", help: "tab stops every NUM columns (8)" },
  { long: "suppress-blank-empty", help: "put no blank before empty lines" },
  { short: "D", long: "ifdef", value: "NAME", help: "print merged files with #ifdef NAME" },
  { long: "line-format", value: "LFMT", help: "format all lines with LFMT" },
  ...formats,
  {
    long: "color",
    value: "WHEN",
    isOptional: true,
    help: "colour the output: never, always, auto",
  },
  { long: "palette", value: "PALETTE", help: "colours for --color: `ad=32:de=31`" },
];

export const diffTable: ProgramTable = {
  name: "diff",
  usage: ["[OPTION]... FILES"],
  summary:
    "Compare FILES line by line. Status is 0 where they are the same, 1 where they differ, 2 on trouble.",
  options: [...printing, ...comparing, ...walking].toSorted((a, b) =>
    compareNames(a.long ?? "", b.long ?? ""),
  ),
  refusal: 2,
  hint: (name) => `${name}: Try '${name} --help' for more information.\n`,
};
