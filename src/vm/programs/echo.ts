import type { Program } from "../../kernel/index.ts";
import { encodeText } from "../../kernel/index.ts";
import { decodeEscapes } from "./escapes.ts";
import { writeAll } from "./output.ts";

const help = `Usage: echo [SHORT-OPTION]... [STRING]...
  or:  echo LONG-OPTION
Echo the STRING(s) to standard output.

  -n             do not output the trailing newline
  -e             enable interpretation of backslash escapes
  -E             disable interpretation of backslash escapes (default)
      --help     display this help and exit
      --version  output version information and exit
`;

/** `echo` has options of its own kind: what is no option is output. */
export const main: Program = async (sys, argv) => {
  if (argv.length === 2 && argv[1] === "--help") {
    await writeAll(sys, 1, encodeText(help));
    return 0;
  }
  if (argv.length === 2 && argv[1] === "--version") {
    await writeAll(sys, 1, encodeText("echo (agentOS MCP) 0.1.0\n"));
    return 0;
  }
  let isNewline = true;
  let isEscaped = false;
  let at = 1;
  for (; /^-[neE]+$/.test(argv[at] ?? ""); at++) {
    for (const letter of argv[at]?.slice(1) ?? "") {
      if (letter === "n") isNewline = false;
      else isEscaped = letter === "e";
    }
  }
  const joined = argv.slice(at).join(" ");
  const { text, isCut } = isEscaped
    ? decodeEscapes(joined, "echo")
    : { text: joined, isCut: false };
  await writeAll(sys, 1, encodeText(isNewline && !isCut ? `${text}\n` : text));
  return 0;
};
