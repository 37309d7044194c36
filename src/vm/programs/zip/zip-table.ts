import type { ProgramTable } from "../options.ts";

const levels = "0123456789".split("").map((short) => ({
  short,
  help: short === "0" ? "store only" : "compress this well",
}));

export const zipTable: ProgramTable = {
  name: "zip",
  usage: ["[OPTION]... [ZIPFILE [FILE]... [-x LIST] [-i LIST]]"],
  summary:
    "Put files into a zip file, or change one. Encryption, splitting and repairing are not supported.",
  options: [
    { short: "r", long: "recurse-paths", help: "go into directories" },
    { short: "j", long: "junk-paths", help: "store names without directories" },
    { short: "q", long: "quiet", help: "say nothing" },
    { short: "v", long: "verbose", help: "say more" },
    { short: "u", long: "update", help: "only new files and those that changed" },
    { short: "f", long: "freshen", help: "only those in the zip file that changed" },
    { short: "d", long: "delete", help: "delete entries" },
    { short: "m", long: "move", help: "remove files that were put in" },
    { short: "y", long: "symlinks", help: "store symbolic links as such" },
    { short: "D", long: "no-dir-entries", help: "store no entries for directories" },
    { short: "X", long: "no-extra", help: "store no times beyond the zip format's own" },
    { short: "T", long: "test", help: "test the zip file" },
    { short: "@", long: "names-stdin", help: "read names from standard input" },
    {
      short: "x",
      long: "exclude",
      value: "LIST",
      isOptional: true,
      help: "leave out what matches",
    },
    {
      short: "i",
      long: "include",
      value: "LIST",
      isOptional: true,
      help: "take only what matches",
    },
    { short: "o", long: "latest-time", help: "accepted" },
    { short: "A", long: "adjust-sfx", help: "accepted" },
    { short: "l", long: "to-crlf", help: "accepted; texts stay as they are" },
    { short: "k", long: "DOS-names", help: "accepted" },
    { short: "g", long: "grow", help: "accepted" },
    { short: "e", long: "encrypt", help: "refused" },
    { short: "P", long: "password", value: "PASSWORD", help: "refused" },
    { short: "s", long: "split-size", value: "SIZE", help: "refused" },
    { short: "z", long: "archive-comment", help: "refused" },
    { short: "F", long: "fix", help: "refused" },
    { short: "b", long: "temp-path", value: "DIR", help: "accepted" },
    { short: "n", long: "suffixes", value: "LIST", help: "store files with these suffixes" },
    ...levels,
  ],
  refusal: 16,
};
